/*
 * parquet_thrift.c: page headers and the footer, in Thrift's compact
 * protocol.
 *
 * Sees base only.  The numbers of fields and the values of enumerations are
 * those of the format's own parquet.thrift.
 */
#include "parquet_impl.h"

#define CREATED_BY "profpivot version " PP_VERSION

enum {
	T_TRUE = 1,
	T_FALSE = 2,
	T_BYTE = 3,
	T_I16 = 4,
	T_I32 = 5,
	T_I64 = 6,
	T_BINARY = 8,
	T_LIST = 9,
	T_STRUCT = 12
};

/* The physical types. */
enum { INT64 = 2, BYTE_ARRAY = 6, FIXED = 7 };

/* A struct being written: field numbers are told as differences. */
struct record {
	struct pp_pq_buf *b;
	unsigned last;
};

static void
field(struct record *r, unsigned id, unsigned type)
{
	PP_ASSERT(id > r->last && id - r->last < 16);
	pp_pq_byte(r->b, (id - r->last) << 4 | type);
	r->last = id;
}

static void
put_i32(struct record *r, unsigned id, int64_t v)
{
	field(r, id, T_I32);
	pp_pq_zigzag(r->b, v);
}

static void
put_i64(struct record *r, unsigned id, uint64_t v)
{
	field(r, id, T_I64);
	pp_pq_zigzag(r->b, (int64_t)v);
}

static void
put_text(struct pp_pq_buf *b, pp_str s)
{
	pp_pq_varint(b, s.n);
	pp_pq_put(b, s.p, s.n);
}

static void
put_binary(struct record *r, unsigned id, pp_str s)
{
	field(r, id, T_BINARY);
	put_text(r->b, s);
}

static void
put_bool(struct record *r, unsigned id, bool v)
{
	field(r, id, v ? T_TRUE : T_FALSE);
}

/* The head of a list of n; its members follow. */
static void
put_list(struct record *r, unsigned id, unsigned type, size_t n)
{
	field(r, id, T_LIST);
	if (n < 15)
		pp_pq_byte(r->b, (unsigned)n << 4 | type);
	else {
		pp_pq_byte(r->b, 0xf0 | type);
		pp_pq_varint(r->b, n);
	}
}

static struct record
inner(struct record *r, unsigned id)
{
	field(r, id, T_STRUCT);
	return (struct record){r->b, 0};
}

static void
stop(struct record *r)
{
	pp_pq_byte(r->b, 0);
}

/* ----------------------------------------------------------------- pages */

enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

void
pp_pq_page_header(struct pp_pq_buf *b, const struct pp_pq_page *p)
{
	struct record r = {b, 0}, d;

	put_i32(&r, 1, p->dictionary ? DICTIONARY_PAGE : DATA_PAGE);
	put_i32(&r, 2, (int64_t)p->raw);
	put_i32(&r, 3, (int64_t)p->stored);
	put_i32(&r, 4, (int32_t)p->crc);
	if (p->dictionary) {
		d = inner(&r, 7);
		put_i32(&d, 1, p->values);
		put_i32(&d, 2, PP_PQ_PLAIN);
	} else {
		d = inner(&r, 5);
		put_i32(&d, 1, p->values);
		put_i32(&d, 2, p->encoding);
		put_i32(&d, 3, PP_PQ_RLE);	/* of definition levels */
		put_i32(&d, 4, PP_PQ_RLE);	/* of repetition levels */
	}
	stop(&d);
	stop(&r);
}

/* ------------------------------------------------------------ row groups */

static int
physical(enum pp_pq_kind kind)
{
	switch (kind) {
	case PP_PQ_TEXT:
	case PP_PQ_ID:
	case PP_PQ_TIME:
		return BYTE_ARRAY;
	case PP_PQ_WIDE:
		return FIXED;
	case PP_PQ_INT:
	case PP_PQ_DECIMAL:
	case PP_PQ_STAMP:
		break;
	}
	return INT64;
}

void
pp_pq_group_begin(struct pp_pq_buf *b, size_t columns)
{
	struct record r = {b, 0};

	put_list(&r, 1, T_STRUCT, columns);
}

static void
put_encodings(struct record *m, const struct pp_pq_chunk *c)
{
	/* the dictionary's own page is plain */
	bool plain = c->dictionary >= 0 && c->pages[PP_PQ_PLAIN] == 0;
	size_t n = plain ? 2 : 1, k;

	for (k = 0; k < PP_PQ_ENCODINGS; k++)
		n += c->pages[k] > 0;
	put_list(m, 2, T_I32, n);
	pp_pq_zigzag(m->b, PP_PQ_RLE);	/* of levels */
	if (plain)
		pp_pq_zigzag(m->b, PP_PQ_PLAIN);
	for (k = 0; k < PP_PQ_ENCODINGS; k++)
		if (c->pages[k] > 0)
			pp_pq_zigzag(m->b, (int64_t)k);
}

/* Pages by encoding: from them a reader knows that all of a chunk is in its
 * dictionary. */
static void
put_page_counts(struct record *m, const struct pp_pq_chunk *c)
{
	size_t n = c->dictionary >= 0, k;
	struct record s;

	for (k = 0; k < PP_PQ_ENCODINGS; k++)
		n += c->pages[k] > 0;
	put_list(m, 13, T_STRUCT, n);
	if (c->dictionary >= 0) {
		s = (struct record){m->b, 0};
		put_i32(&s, 1, DICTIONARY_PAGE);
		put_i32(&s, 2, PP_PQ_PLAIN);
		put_i32(&s, 3, 1);
		stop(&s);
	}
	for (k = 0; k < PP_PQ_ENCODINGS; k++) {
		if (c->pages[k] == 0)
			continue;
		s = (struct record){m->b, 0};
		put_i32(&s, 1, DATA_PAGE);
		put_i32(&s, 2, (int64_t)k);
		put_i32(&s, 3, c->pages[k]);
		stop(&s);
	}
}

void
pp_pq_group_chunk(struct pp_pq_buf *b, const struct pp_pq_field *f,
    const struct pp_pq_chunk *c)
{
	struct record r = {b, 0}, m, s;

	put_i64(&r, 2, 0);	/* was an offset; parquet.thrift says 0 now */
	m = inner(&r, 3);
	put_i32(&m, 1, physical(f->kind));
	put_encodings(&m, c);
	put_list(&m, 3, T_BINARY, 1);
	put_text(b, pp_str_from(f->name));
	put_i32(&m, 4, c->codec);
	put_i64(&m, 5, c->values);
	put_i64(&m, 6, c->raw);
	put_i64(&m, 7, c->stored);
	put_i64(&m, 9, (uint64_t)c->data);
	if (c->dictionary >= 0)
		put_i64(&m, 11, (uint64_t)c->dictionary);
	s = inner(&m, 12);
	put_i64(&s, 3, c->nulls);
	if (c->has_range) {
		put_binary(&s, 5, c->max);
		put_binary(&s, 6, c->min);
		put_bool(&s, 7, true);
		put_bool(&s, 8, true);
	}
	stop(&s);
	put_page_counts(&m, c);
	stop(&m);
	stop(&r);
}

void
pp_pq_group_end(struct pp_pq_buf *b, const struct pp_pq_group *g)
{
	struct record r = {b, 1};

	put_i64(&r, 2, g->raw);
	put_i64(&r, 3, g->rows);
	put_i64(&r, 5, g->offset);
	put_i64(&r, 6, g->stored);
	stop(&r);
}

/* ---------------------------------------------------------------- footer */

/* converted_type, for readers older than logical types */
enum { UTF8 = 0, OLD_DECIMAL = 5, TIMESTAMP_MICROS = 10, INT_64 = 18 };

static void
put_decimal(struct record *e, int scale, int precision)
{
	struct record l, d;

	put_i32(e, 6, OLD_DECIMAL);
	put_i32(e, 7, scale);
	put_i32(e, 8, precision);
	l = inner(e, 10);
	d = inner(&l, 5);
	put_i32(&d, 1, scale);
	put_i32(&d, 2, precision);
	stop(&d);
	stop(&l);
}

static void
put_type(struct record *e, enum pp_pq_kind kind)
{
	struct record l, d, u;

	switch (kind) {
	case PP_PQ_TEXT:
	case PP_PQ_ID:
	case PP_PQ_TIME:
		put_i32(e, 6, UTF8);
		l = inner(e, 10);
		d = inner(&l, 1);
		stop(&d);
		stop(&l);
		break;
	case PP_PQ_DECIMAL:
		put_decimal(e, 6, 18);
		break;
	case PP_PQ_WIDE:
		put_decimal(e, 12, 38);
		break;
	case PP_PQ_INT:
		put_i32(e, 6, INT_64);
		l = inner(e, 10);
		d = inner(&l, 10);
		field(&d, 1, T_BYTE);
		pp_pq_byte(d.b, 64);
		put_bool(&d, 2, true);
		stop(&d);
		stop(&l);
		break;
	case PP_PQ_STAMP:
		put_i32(e, 6, TIMESTAMP_MICROS);
		l = inner(e, 10);
		d = inner(&l, 8);
		put_bool(&d, 1, true);	/* adjusted to UTC */
		u = inner(&d, 2);
		inner(&u, 2);		/* microseconds */
		stop(&u);
		stop(&u);
		stop(&d);
		stop(&l);
		break;
	}
}

static void
put_schema(struct record *r, const struct pp_pq_footer *f)
{
	struct record e = {r->b, 0};
	size_t i;

	put_list(r, 2, T_STRUCT, f->nfields + 1);
	put_binary(&e, 4, PP_STR("schema"));
	put_i32(&e, 5, (int64_t)f->nfields);
	stop(&e);
	for (i = 0; i < f->nfields; i++) {
		e = (struct record){r->b, 0};
		put_i32(&e, 1, physical(f->fields[i].kind));
		if (f->fields[i].kind == PP_PQ_WIDE)
			put_i32(&e, 2, 16);
		put_i32(&e, 3, 1);	/* optional */
		put_binary(&e, 4, pp_str_from(f->fields[i].name));
		put_type(&e, f->fields[i].kind);
		stop(&e);
	}
}

void
pp_pq_footer(struct pp_pq_buf *b, const struct pp_pq_footer *f)
{
	struct record r = {b, 0}, n, o;
	size_t i;

	put_i32(&r, 1, 1);
	put_schema(&r, f);
	put_i64(&r, 3, f->rows);
	put_list(&r, 4, T_STRUCT, f->ngroups);
	pp_pq_put(b, f->groups->p, f->groups->n);
	put_list(&r, 5, T_STRUCT, f->nnotes);
	for (i = 0; i < f->nnotes; i++) {
		n = (struct record){b, 0};
		put_binary(&n, 1, pp_str_from(f->notes[i].key));
		put_binary(&n, 2, f->notes[i].value);
		stop(&n);
	}
	put_binary(&r, 6, PP_STR(CREATED_BY));
	/* least and greatest values are in the order of each type */
	put_list(&r, 7, T_STRUCT, f->nfields);
	for (i = 0; i < f->nfields; i++) {
		n = (struct record){b, 0};
		o = inner(&n, 1);
		stop(&o);
		stop(&n);
	}
	stop(&r);
}
