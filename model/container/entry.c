/*
 * entry.c: see entry.h.  Sees base only.
 *
 * An entry is a row of fields: tag and length, two bytes each, then the
 * value.  Numbers have eight bytes.  A later version may add fields.
 */
#include "entry.h"

#include "bytes.h"

enum tag {
	T_NUMBER = 1,
	T_PATH,
	T_KEPT,
	T_NAMED,
	T_BYTES,
	T_SHA256,
	T_PAYLOAD,
	T_STREAM,
	T_BEGIN,
	T_DATA_END,
	T_COLUMNS,
	T_COLUMNS_BYTES,
	T_COLUMNS_END,
	T_READER,
	T_PRODUCT,
	T_VERSION,
	T_HOST,
	T_INSTANCE,
	T_STATUS,
	T_INPUTS,
	T_RECORDS,
	T_LINES,
	T_CALLS,
	T_FIRST,
	T_LAST,
	T_OFFSET,
	T_SPAN,
	T_DIGITS,
	T_SAME_AS,
	T_BEGINS_WITH,
	T_BEGINS,
	T_CONTINUES,
	T_SHARES,
	T_BATCH
};
#define T_LAST_KNOWN T_BATCH

struct out {
	struct pp_mem *mem;
	void *p;
	size_t n, cap;
};

int64_t
pp_entry_utc(const struct pp_entry *e, int64_t us)
{
	int64_t shift = (int64_t)e->offset_min * 60000000;

	if (!e->has_offset || us < INT64_MIN / 2 || us > INT64_MAX / 2)
		return us;
	return us - shift;
}

static void
put(struct out *o, enum tag tag, const void *v, size_t n)
{
	unsigned char *p;

	pp_mem_grow(o->mem, &o->p, &o->cap, o->n + n + 4, 1);
	p = (unsigned char *)o->p + o->n;
	pp_put16(p, (unsigned)tag);
	pp_put16(p + 2, (unsigned)n);
	if (n > 0)
		memcpy(p + 4, v, n);
	o->n += n + 4;
}

static void
put_number(struct out *o, enum tag tag, uint64_t v)
{
	unsigned char b[8];

	pp_put64(b, v);
	put(o, tag, b, 8);
}

static void
put_some(struct out *o, enum tag tag, uint64_t v)
{
	if (v != 0)
		put_number(o, tag, v);
}

static void
put_text(struct out *o, enum tag tag, pp_str s)
{
	/* a name of that length is no name */
	if (s.n > 4096)
		s.n = 4096;
	if (s.n > 0)
		put(o, tag, s.p, s.n);
}

static void
put_times(struct out *o, const struct pp_entry *e)
{
	if (e->has_time) {
		put_number(o, T_FIRST, (uint64_t)e->first_us);
		put_number(o, T_LAST, (uint64_t)e->last_us);
		if (e->has_offset)
			put_number(o, T_OFFSET,
			    (uint64_t)(int64_t)e->offset_min);
	}
	if (e->has_span) {
		put_number(o, T_SPAN, (uint64_t)e->span);
		put_number(o, T_DIGITS, e->digits);
	}
}

bool
pp_entry_write(struct pp_mem *mem, const struct pp_entry *e,
    unsigned char **out, size_t *n)
{
	struct out o = {.mem = mem};

	if (e->path.n > PP_ENTRY_MAX / 2)
		return false;
	put_number(&o, T_NUMBER, e->number);
	put_some(&o, T_SAME_AS, e->same_as);
	put(&o, T_PATH, e->path.p, e->path.n);
	put_some(&o, T_KEPT, (uint64_t)e->kept);
	put_some(&o, T_NAMED, e->named);
	put_number(&o, T_BYTES, e->bytes);
	put(&o, T_SHA256, e->sha256, 32);
	put_number(&o, T_PAYLOAD, e->payload);
	put_number(&o, T_STREAM, e->stream);
	put_number(&o, T_BEGIN, e->begin);
	put_number(&o, T_DATA_END, e->data_end);
	put_some(&o, T_COLUMNS, e->columns);
	put_some(&o, T_COLUMNS_BYTES, e->columns_bytes);
	put_some(&o, T_COLUMNS_END, e->columns_end);
	put_text(&o, T_READER, e->reader);
	put_text(&o, T_PRODUCT, e->product);
	put_text(&o, T_VERSION, e->version);
	put_text(&o, T_HOST, e->host);
	put_text(&o, T_INSTANCE, e->instance);
	put_some(&o, T_STATUS, e->status);
	put_some(&o, T_INPUTS, e->inputs);
	put_some(&o, T_RECORDS, e->records);
	put_some(&o, T_LINES, e->lines);
	put_some(&o, T_CALLS, e->calls);
	put_times(&o, e);
	if (e->compared)
		put_number(&o, T_BEGINS_WITH, e->begins_with);
	put_some(&o, T_BEGINS, e->begins);
	put_text(&o, T_CONTINUES, e->continues);
	put_some(&o, T_SHARES, e->shares);
	put_some(&o, T_BATCH, e->batch);
	*out = o.p;
	*n = o.n;
	return o.n <= PP_ENTRY_MAX;
}

/* ---------------------------------------------------------------- reading */

static void
set_text(struct pp_arena *text, struct pp_entry *e, unsigned tag, pp_str v)
{
	pp_str *to = NULL;

	switch (tag) {
	case T_PATH:
		to = &e->path;
		break;
	case T_READER:
		to = &e->reader;
		break;
	case T_PRODUCT:
		to = &e->product;
		break;
	case T_VERSION:
		to = &e->version;
		break;
	case T_HOST:
		to = &e->host;
		break;
	case T_INSTANCE:
		to = &e->instance;
		break;
	case T_CONTINUES:
		to = &e->continues;
		break;
	default:
		return;
	}
	*to = pp_arena_str(text, v);
}

static void
set_time(struct pp_entry *e, unsigned tag, uint64_t v)
{
	switch (tag) {
	case T_FIRST:
		e->first_us = (int64_t)v;
		e->has_time = true;
		break;
	case T_LAST:
		e->last_us = (int64_t)v;
		break;
	case T_OFFSET:
		e->offset_min = (int16_t)(int64_t)v;
		e->has_offset = true;
		break;
	case T_SPAN:
		e->span = (int64_t)v;
		e->has_span = true;
		break;
	case T_DIGITS:
		e->digits = v <= 18 ? (unsigned)v : 0;
		break;
	default:
		break;
	}
}

static void
set_place(struct pp_entry *e, unsigned tag, uint64_t v)
{
	switch (tag) {
	case T_BYTES:
		e->bytes = v;
		break;
	case T_PAYLOAD:
		e->payload = v;
		break;
	case T_STREAM:
		e->stream = v;
		break;
	case T_BEGIN:
		e->begin = v;
		break;
	case T_DATA_END:
		e->data_end = v;
		break;
	case T_COLUMNS:
		e->columns = v;
		break;
	case T_COLUMNS_BYTES:
		e->columns_bytes = v;
		break;
	case T_COLUMNS_END:
		e->columns_end = v;
		break;
	default:
		set_time(e, tag, v);
	}
}

/* False where the value cannot be. */
static bool
set_number(struct pp_entry *e, unsigned tag, uint64_t v)
{
	switch (tag) {
	case T_NUMBER:
		e->number = (uint32_t)v;
		return v > 0 && v < UINT32_MAX;
	case T_SAME_AS:
		e->same_as = (uint32_t)v;
		return v > 0 && v < UINT32_MAX;
	case T_BEGINS_WITH:
		e->compared = true;
		e->begins_with = (uint32_t)v;
		return v < UINT32_MAX;
	case T_BEGINS:
		e->begins = (uint32_t)v;
		return v < UINT32_MAX;
	case T_BATCH:
		e->batch = (uint32_t)v;
		return v > 0 && v < UINT32_MAX;
	case T_KEPT:
		e->kept = v == PP_KEPT_GZIP ? PP_KEPT_GZIP : PP_KEPT_PLAIN;
		return v <= PP_KEPT_GZIP;
	case T_NAMED:
		e->named = v != 0;
		break;
	case T_SHARES:
		e->shares = v != 0;
		break;
	case T_STATUS:
		e->status = (unsigned)(v & 0xff);
		break;
	case T_INPUTS:
		e->inputs = (unsigned)(v & 0xff);
		break;
	case T_RECORDS:
		e->records = v;
		break;
	case T_LINES:
		e->lines = v;
		break;
	case T_CALLS:
		e->calls = v;
		break;
	default:
		set_place(e, tag, v);
	}
	return true;
}

static bool
is_text(unsigned tag)
{
	return tag == T_PATH || (tag >= T_READER && tag <= T_INSTANCE) ||
	    tag == T_CONTINUES;
}

/* What every entry must have, and what must fit. */
static bool
is_whole(const struct pp_entry *e, bool sum)
{
	return e->number != 0 && sum && e->path.p != NULL &&
	    e->begin < e->data_end &&
	    (e->columns == 0 || (e->columns >= e->data_end &&
	    e->columns_end > e->columns &&
	    e->columns_bytes < e->columns_end - e->columns));
}

bool
pp_entry_read(struct pp_arena *text, pp_str s, struct pp_entry *e)
{
	const unsigned char *p;
	bool sum = false;
	unsigned tag;
	size_t n;

	memset(e, 0, sizeof(*e));
	while (s.n > 0) {
		if (s.n < 4)
			return false;
		p = (const unsigned char *)s.p;
		tag = pp_get16(p);
		n = pp_get16(p + 2);
		s = pp_str_skip(s, 4);
		if (n > s.n)
			return false;
		if (is_text(tag)) {
			set_text(text, e, tag, (pp_str){s.p, n});
		} else if (tag == T_SHA256 && n == 32) {
			memcpy(e->sha256, p + 4, 32);
			sum = true;
		} else if (tag <= T_LAST_KNOWN &&
		    (n != 8 || !set_number(e, tag, pp_get64(p + 4)))) {
			return false;
		}
		s = pp_str_skip(s, n);
	}
	return is_whole(e, sum);
}
