/*
 * parquet_column.c: a column of a Parquet file: from cells to pages.
 *
 * Sees base and table.h only.
 *
 * A page is encoded and compressed as soon as it is full, and waits in that
 * form until its row group is written: what a row group takes in memory is
 * about what it takes in the file.
 *
 * Text begins with a dictionary.  Where that grows too large the pages to
 * come are plain, or of ids the differences from the id before, also in the
 * next row groups if the dictionary has not been worth it.  Numbers are packed as differences, which costs less time than a
 * dictionary and makes line numbers and clocks small.
 */
#include "parquet_impl.h"

/* Compression that gains less than an eighth is not worth its time when the
 * file is read. */
#define POOR(raw, packed) ((packed) > (raw) - (raw) / 8)

#define LONG_RANGE 64	/* no least and greatest text where one is longer */

#define WORTH 4	/* times that a text of a dictionary is used */

#define CACHE 64	/* texts known by their address, a power of two */

struct waiting {
	struct waiting *next;
	size_t n;
	char bytes[];
};

struct seen {
	const char *p;
	size_t n;
	uint32_t index;
};

struct pp_pq_column {
	struct pp_pq_press *s;
	struct pp_pq_field field;
	/* the page to come */
	size_t rows, count;	/* rows; values that are not NULL */
	uint8_t *bits;		/* by row: is there a value? */
	size_t bits_cap;
	union {
		int64_t *i;	/* INT, DECIMAL, STAMP */
		pp_i128 *w;	/* WIDE */
		uint32_t *d;	/* TEXT, ID: indexes of the dictionary */
	} v;
	size_t v_cap;
	struct pp_pq_buf text;	/* plain texts; ID, TIME: what differs */
	int64_t *prefix, *suffix; /* ID, TIME: lengths */
	struct pp_pq_buf last;	/* ID, TIME: the text before */
	/* the chunk to come */
	struct pp_pq_dictionary dict;
	bool plain;		/* the dictionary is full */
	bool hopeless;		/* dictionaries do not help */
	bool coded;		/* a codec has been chosen */
	struct pp_pq_chunk chunk;
	struct waiting *first, **end;
	size_t held, buffers;
	bool has_range, no_range;
	union {
		int64_t i;
		pp_i128 w;
	} least, greatest;
	char range[2][LONG_RANGE];	/* as the footer has them */
	size_t range_n[2];
	struct seen seen[CACHE];
};

struct pp_pq_column *
pp_pq_column_new(struct pp_pq_press *s, const struct pp_pq_field *f)
{
	struct pp_pq_column *c = pp_mem_zalloc(s->mem, sizeof(*c));

	c->s = s;
	c->field = *f;
	c->end = &c->first;
	c->text.mem = c->last.mem = c->dict.mem = s->mem;
	c->chunk.dictionary = -1;
	return c;
}

static void
drop_pages(struct pp_pq_column *c)
{
	struct waiting *w, *next;

	for (w = c->first; w != NULL; w = next) {
		next = w->next;
		pp_mem_free(c->s->mem, w);
	}
	c->first = NULL;
	c->end = &c->first;
	c->s->held -= c->held;
	c->held = 0;
}

/* Does it begin with a dictionary? */
static bool
is_coded(const struct pp_pq_column *c)
{
	return c->field.kind == PP_PQ_TEXT || c->field.kind == PP_PQ_ID;
}

/* Count what the buffers have grown by. */
static void
count_buffers(struct pp_pq_column *c)
{
	size_t size = c->field.kind == PP_PQ_WIDE ? sizeof(*c->v.w) :
	    is_coded(c) ? sizeof(*c->v.d) : sizeof(*c->v.i);
	size_t n = c->bits_cap + c->v_cap * size + c->text.cap +
	    c->dict.bytes.cap + c->dict.cap * sizeof(*c->dict.e);

	if (c->prefix != NULL)
		n += 2 * PP_PQ_PAGE_ROWS * sizeof(*c->prefix);
	c->s->held = c->s->held - c->buffers + n;
	c->buffers = n;
}

void
pp_pq_column_rest(struct pp_pq_column *c)
{
	struct pp_mem *m = c->s->mem;

	PP_ASSERT(c->rows == 0);
	pp_mem_free(m, c->bits);
	pp_mem_free(m, c->v.i);
	pp_mem_free(m, c->prefix);
	pp_mem_free(m, c->suffix);
	pp_pq_free(&c->text);
	pp_pq_free(&c->last);
	pp_pq_dictionary_free(&c->dict);
	c->bits = NULL;
	c->v.i = NULL;
	c->prefix = c->suffix = NULL;
	c->bits_cap = c->v_cap = 0;
	count_buffers(c);
}

void
pp_pq_column_free(struct pp_pq_column *c)
{
	struct pp_mem *m = c->s->mem;

	drop_pages(c);
	c->rows = 0;
	pp_pq_column_rest(c);
	pp_mem_free(m, c);
}

/* ----------------------------------------------------------------- pages */

/* Keep a page: header and body, compressed where that gains. */
static void
keep_page(struct pp_pq_column *c, struct pp_pq_page *p, const char *body,
    bool front)
{
	struct pp_pq_press *s = c->s;
	size_t n = p->raw, bound;
	char head[64];
	struct pp_pq_buf h = {s->mem, head, 0, sizeof(head)};
	struct waiting *w;

	if (!c->coded || c->chunk.codec == PP_PQ_GZIP) {
		bound = libdeflate_gzip_compress_bound(s->gzip, p->raw);
		s->packed.n = 0;
		pp_pq_room(&s->packed, bound);
		n = libdeflate_gzip_compress(s->gzip, body, p->raw,
		    s->packed.p, s->packed.cap);
		PP_ASSERT(n > 0);
		if (!c->coded) {
			c->coded = true;
			c->chunk.codec = POOR(p->raw, n) &&
			    !is_coded(c) ? PP_PQ_STORED : PP_PQ_GZIP;
		}
	}
	if (c->chunk.codec == PP_PQ_GZIP)
		body = s->packed.p;
	else
		n = p->raw;
	p->stored = n;
	p->crc = libdeflate_crc32(0, body, n);
	pp_pq_page_header(&h, p);
	PP_ASSERT(h.p == head);
	w = pp_mem_alloc(s->mem, sizeof(*w) + h.n + n);
	w->n = h.n + n;
	memcpy(w->bytes, head, h.n);
	memcpy(w->bytes + h.n, body, n);
	w->next = NULL;
	if (front) {
		w->next = c->first;
		c->first = w;
	} else {
		*c->end = w;
		c->end = &w->next;
	}
	c->held += w->n;
	s->held += w->n;
	c->chunk.raw += h.n + p->raw;
	c->chunk.stored += w->n;
}

static void
put_levels(struct pp_pq_column *c, struct pp_pq_buf *b)
{
	size_t at = b->n;
	uint32_t n;

	pp_pq_put(b, "\0\0\0", 4);
	pp_pq_levels(b, c->bits, c->rows);
	n = (uint32_t)(b->n - at - 4);
	memcpy(b->p + at, &n, 4);
}

static void
put_wide(struct pp_pq_buf *b, const pp_i128 *v, size_t n)
{
	size_t i, k;
	pp_u128 u;
	char *p;

	pp_pq_room(b, n * 16);
	p = b->p + b->n;
	for (i = 0; i < n; i++) {
		u = (pp_u128)v[i];
		for (k = 16; k-- > 0; u >>= 8)
			p[k] = (char)(u & 0xff);
		p += 16;
	}
	b->n += n * 16;
}

/* The values of the page; returns how they are encoded. */
static enum pp_pq_encoding
put_values(struct pp_pq_column *c, struct pp_pq_buf *b)
{
	unsigned width;

	switch (c->field.kind) {
	case PP_PQ_INT:
	case PP_PQ_DECIMAL:
	case PP_PQ_STAMP:
		pp_pq_delta(b, c->v.i, c->count);
		return PP_PQ_DELTA;
	case PP_PQ_WIDE:
		put_wide(b, c->v.w, c->count);
		return PP_PQ_PLAIN;
	case PP_PQ_TIME:
		break;
	case PP_PQ_TEXT:
	case PP_PQ_ID:
		if (!c->plain && c->dict.count > 0) {
			width = pp_pq_bits(c->dict.count - 1);
			pp_pq_byte(b, width);
			pp_pq_hybrid(b, c->v.d, c->count, width);
			return PP_PQ_DICTIONARY;
		}
		if (c->plain && c->field.kind == PP_PQ_ID)
			break;
		pp_pq_put(b, c->text.p, c->text.n);
		return PP_PQ_PLAIN;
	}
	pp_pq_delta(b, c->prefix, c->count);
	pp_pq_delta(b, c->suffix, c->count);
	pp_pq_put(b, c->text.p, c->text.n);
	return PP_PQ_DELTA_BYTES;
}

static void
end_page(struct pp_pq_column *c)
{
	struct pp_pq_buf *b = &c->s->body;
	struct pp_pq_page p = {0};

	if (c->rows == 0)
		return;
	b->n = 0;
	put_levels(c, b);
	p.encoding = put_values(c, b);
	p.values = (uint32_t)c->rows;
	p.raw = b->n;
	keep_page(c, &p, b->p, false);
	c->chunk.pages[p.encoding]++;
	c->chunk.values += c->rows;
	c->chunk.nulls += c->rows - c->count;
	c->rows = c->count = 0;
	c->text.n = c->last.n = 0;
}

/* ---------------------------------------------------------------- ranges */

static void
note_i64(struct pp_pq_column *c, const int64_t *v, size_t n)
{
	int64_t least, greatest;
	size_t i;

	if (n == 0)
		return;
	least = c->has_range ? c->least.i : v[0];
	greatest = c->has_range ? c->greatest.i : v[0];
	for (i = 0; i < n; i++) {
		least = v[i] < least ? v[i] : least;
		greatest = v[i] > greatest ? v[i] : greatest;
	}
	c->least.i = least;
	c->greatest.i = greatest;
	c->has_range = true;
}

static void
note_wide(struct pp_pq_column *c, pp_i128 v)
{
	if (!c->has_range || v < c->least.w)
		c->least.w = v;
	if (!c->has_range || v > c->greatest.w)
		c->greatest.w = v;
	c->has_range = true;
}

static void
keep_text(struct pp_pq_column *c, int which, pp_str s)
{
	if (s.n > 0)
		memcpy(c->range[which], s.p, s.n);
	c->range_n[which] = s.n;
}

static void
note_text(struct pp_pq_column *c, pp_str s)
{
	if (c->no_range)
		return;
	if (s.n > LONG_RANGE) {
		c->no_range = true;
		return;
	}
	if (!c->has_range ||
	    pp_str_cmp(s, (pp_str){c->range[0], c->range_n[0]}) < 0)
		keep_text(c, 0, s);
	if (!c->has_range ||
	    pp_str_cmp(s, (pp_str){c->range[1], c->range_n[1]}) > 0)
		keep_text(c, 1, s);
	c->has_range = true;
}

/* Put least and greatest into range[] as PLAIN has them. */
static void
settle_range(struct pp_pq_column *c)
{
	struct pp_pq_buf b = {c->s->mem, c->range[0], 0, LONG_RANGE};
	pp_str min, max;

	switch (c->field.kind) {
	case PP_PQ_INT:
	case PP_PQ_DECIMAL:
	case PP_PQ_STAMP:
		memcpy(c->range[0], &c->least.i, 8);
		memcpy(c->range[1], &c->greatest.i, 8);
		c->range_n[0] = c->range_n[1] = 8;
		break;
	case PP_PQ_WIDE:
		put_wide(&b, &c->least.w, 1);
		b.p = c->range[1];
		b.n = 0;
		put_wide(&b, &c->greatest.w, 1);
		c->range_n[0] = c->range_n[1] = 16;
		break;
	case PP_PQ_TEXT:
	case PP_PQ_ID:
		if (pp_pq_dictionary_range(&c->dict, &min, &max)) {
			note_text(c, min);
			note_text(c, max);
		}
		break;
	case PP_PQ_TIME:
		break;
	}
	c->chunk.has_range = c->has_range && !c->no_range;
	c->chunk.min = (pp_str){c->range[0], c->range_n[0]};
	c->chunk.max = (pp_str){c->range[1], c->range_n[1]};
}

/* ----------------------------------------------------------------- cells */

/* Eight tags as the bits of a byte: is there a value? */
static inline uint8_t
present(const uint8_t *tags)
{
	uint64_t t;

	memcpy(&t, tags, 8);
	/* tags are small: the top bit is set where a byte is not 0 */
	t = (t + 0x7f7f7f7f7f7f7f7fu) & 0x8080808080808080u;
	return (uint8_t)((t >> 7) * 0x0102040810204080u >> 56);
}

static void
add_bits(struct pp_pq_column *c, const uint8_t *tags, size_t n)
{
	size_t need = (c->rows + n + 7) / 8 + 8, i = 0, at = c->rows;
	void *p = c->bits;

	pp_mem_grow(c->s->mem, &p, &c->bits_cap, need, 1);
	c->bits = p;
	if (at % 8 == 0)
		for (; i + 8 <= n; i += 8, at += 8)
			c->bits[at / 8] = present(tags + i);
	for (; i < n; i++, at++) {
		if (at % 8 == 0)
			c->bits[at / 8] = 0;
		if (tags[i] != 0)
			c->bits[at / 8] |= (uint8_t)(1u << at % 8);
	}
}

static bool
all_null(const uint8_t *tags, size_t n)
{
	return n == 0 || (tags[0] == 0 && memcmp(tags, tags + 1, n - 1) == 0);
}

/* Room for the values of n more rows, of `size` bytes each. */
static void
grow_values(struct pp_pq_column *c, size_t n, size_t size)
{
	void *p = c->v.i;

	pp_mem_grow(c->s->mem, &p, &c->v_cap, c->count + n, size);
	c->v.i = p;
}

/* A number at scale `to`; false where it has more digits or is not within
 * its limits. */
static bool
rescale(pp_i128 *v, unsigned from, unsigned to, pp_i128 least,
    pp_i128 greatest)
{
	pp_i128 x = *v, p;

	for (; from > to; from--) {
		if (x % 10 != 0)
			return false;
		x /= 10;
	}
	p = to - from <= 18 ? pp_pow10[to - from] : 0;
	if (p == 0 || x > greatest / p || x < least / p)
		return false;
	*v = x * p;
	return true;
}

/* Cells whose numbers need a look each; what does not fit becomes NULL. */
static void
add_slow(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	bool wide = c->field.kind == PP_PQ_WIDE;
	unsigned to = c->field.kind == PP_PQ_INT ? 0 : wide ? 12 : 6;
	pp_i128 greatest = c->field.kind == PP_PQ_INT ? INT64_MAX :
	    wide ? (pp_i128)pp_pow10[18] * pp_pow10[18] * 100 - 1 :
	    pp_pow10[18] - 1;
	pp_i128 least = c->field.kind == PP_PQ_INT ? INT64_MIN : -greatest;
	size_t i;
	pp_i128 v;

	for (i = 0; i < n; i++) {
		uint8_t tag = tags[i];

		v = cells[i].num;
		if (c->field.kind == PP_PQ_INT && tag == 1 &&
		    v > INT64_MAX && v <= UINT64_MAX) {
			/* the same 64 bits: -1, mostly */
			v = (int64_t)v;
			c->s->wrapped++;
		}
		if (tag != 0 && !rescale(&v, tag - 1u, to, least,
		    greatest)) {
			c->s->misfits++;
			tag = 0;
		}
		add_bits(c, &tag, 1);
		c->rows++;
		if (tag == 0)
			continue;
		if (wide) {
			c->v.w[c->count++] = v;
			note_wide(c, v);
		} else
			c->v.i[c->count++] = (int64_t)v;
	}
}

/*
 * Numbers that are as their column has them: one scale, 64 bits.  False, with
 * nothing done, where there are others.
 */
static bool
add_fast(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	uint8_t want = c->field.kind == PP_PQ_INT ? 1 : 7;
	int64_t greatest = c->field.kind == PP_PQ_INT ? INT64_MAX :
	    pp_pow10[18] - 1;
	int64_t least = c->field.kind == PP_PQ_INT ? INT64_MIN : -greatest;
	int64_t *out = c->v.i + c->count, *begin = out;
	bool bad = false;
	size_t i;

	for (i = 0; i < n; i++) {
		pp_i128 v = cells[i].num;
		int64_t x = (int64_t)v;
		bool there = tags[i] != 0;

		*out = x;
		out += there;
		bad |= there & ((tags[i] != want) | (v != x) |
		    (x > greatest) | (x < least));
	}
	if (bad)
		return false;
	add_bits(c, tags, n);
	c->rows += n;
	c->count += (size_t)(out - begin);
	return true;
}

static void
add_numbers(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	size_t before = c->count;

	if (c->field.kind == PP_PQ_WIDE) {
		grow_values(c, n, sizeof(*c->v.w));
		add_slow(c, cells, tags, n);
		return;
	}
	grow_values(c, n, sizeof(*c->v.i));
	if (!add_fast(c, cells, tags, n))
		add_slow(c, cells, tags, n);
	note_i64(c, c->v.i + before, c->count - before);
}

static void
add_stamps(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	size_t i, before = c->count;
	int64_t us;

	grow_values(c, n, sizeof(*c->v.i));
	for (i = 0; i < n; i++) {
		uint8_t tag = tags[i] != 0 && pp_pq_stamp(cells[i].str, &us);

		add_bits(c, &tag, 1);
		c->rows++;
		if (tag != 0)
			c->v.i[c->count++] = us;
	}
	note_i64(c, c->v.i + before, c->count - before);
}

/* Bytes that a and b have in common at their start. */
static size_t
common(pp_str a, pp_str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i;
	uint64_t x, y;

	for (i = 0; i + 8 <= n; i += 8) {
		memcpy(&x, a.p + i, 8);
		memcpy(&y, b.p + i, 8);
		if (x != y)
			break;
	}
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

static void
add_differences(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	struct pp_pq_press *s = c->s;
	size_t i, k;
	pp_str t;

	if (c->prefix == NULL) {
		c->prefix = pp_mem_alloc(s->mem,
		    PP_PQ_PAGE_ROWS * sizeof(*c->prefix));
		c->suffix = pp_mem_alloc(s->mem,
		    PP_PQ_PAGE_ROWS * sizeof(*c->suffix));
	}
	add_bits(c, tags, n);
	c->rows += n;
	for (i = 0; i < n; i++) {
		if (tags[i] == 0)
			continue;
		t = pp_sanitise(&s->z, cells[i].str);
		note_text(c, t);
		k = common(t, (pp_str){c->last.p, c->last.n});
		c->prefix[c->count] = (int64_t)k;
		c->suffix[c->count++] = (int64_t)(t.n - k);
		pp_pq_put(&c->text, t.p + k, t.n - k);
		c->last.n = k;
		pp_pq_put(&c->last, t.p + k, t.n - k);
		if (t.p != cells[i].str.p)
			pp_arena_reset(&s->arena);
	}
}

/* ------------------------------------------------------------------ text */

/* The page holds text enough. */
static bool
is_full(const struct pp_pq_column *c)
{
	return c->text.n >= PP_PQ_PAGE_BYTES || c->rows == PP_PQ_PAGE_ROWS;
}

static void
add_plain(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	struct pp_pq_press *s = c->s;
	uint32_t len;
	size_t i;
	pp_str t;

	for (i = 0; i < n; i++) {
		if (is_full(c))
			end_page(c);
		add_bits(c, tags + i, 1);
		c->rows++;
		if (tags[i] == 0)
			continue;
		t = pp_sanitise(&s->z, cells[i].str);
		note_text(c, t);
		len = (uint32_t)t.n;
		pp_pq_put(&c->text, &len, 4);
		pp_pq_put(&c->text, t.p, t.n);
		c->count++;
		if (t.p != cells[i].str.p)
			pp_arena_reset(&s->arena);
	}
}

/*
 * Indexes of the dictionary for cells, until it is full; returns how many
 * rows are done.  In a batch the same text often has the same address.
 */
static size_t
add_indexes(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	uint32_t *out, k;
	struct seen *x;
	size_t i;

	grow_values(c, n, sizeof(*c->v.d));
	out = c->v.d + c->count;
	for (i = 0; i < n; i++) {
		pp_str t = cells[i].str;

		if (tags[i] == 0)
			continue;
		x = &c->seen[((uintptr_t)t.p >> 4 ^ (uintptr_t)t.p) %
		    CACHE];
		if (x->p == t.p && x->n == t.n && t.p != NULL) {
			*out++ = x->index;
			continue;
		}
		k = pp_pq_dictionary_index(&c->dict, t, &c->s->z);
		if (k == PP_PQ_NONE)
			break;
		*x = (struct seen){t.p, t.n, k};
		*out++ = k;
	}
	c->count = (size_t)(out - c->v.d);
	add_bits(c, tags, i);
	c->rows += i;
	return i;
}

static void
add_texts(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	size_t done = 0;

	if (c->hopeless)
		c->plain = true;
	if (!c->plain) {
		done = add_indexes(c, cells, tags, n);
		if (done == n)
			return;
		end_page(c);
		c->plain = true;
		c->hopeless = c->chunk.values - c->chunk.nulls <
		    WORTH * c->dict.count;
	}
	if (c->field.kind == PP_PQ_ID)
		add_differences(c, cells + done, tags + done, n - done);
	else
		add_plain(c, cells + done, tags + done, n - done);
}

/* ----------------------------------------------------------------- rows */

void
pp_pq_column_add(struct pp_pq_column *c, const struct pp_batch *b,
    size_t from, size_t to)
{
	const union pp_cell *cells = b->cells[c->field.from];
	const uint8_t *tags = b->tags[c->field.from];
	size_t n;

	if (is_coded(c))
		memset(c->seen, 0, sizeof(c->seen));
	for (; from < to; from += n) {
		if (is_full(c))
			end_page(c);
		n = PP_PQ_PAGE_ROWS - c->rows;
		n = to - from < n ? to - from : n;
		if (all_null(tags + from, n)) {
			add_bits(c, tags + from, n);
			c->rows += n;
			continue;
		}
		switch (c->field.kind) {
		case PP_PQ_INT:
		case PP_PQ_DECIMAL:
		case PP_PQ_WIDE:
			add_numbers(c, cells + from, tags + from, n);
			break;
		case PP_PQ_STAMP:
			add_stamps(c, cells + from, tags + from, n);
			break;
		case PP_PQ_TIME:
			add_differences(c, cells + from, tags + from, n);
			break;
		case PP_PQ_TEXT:
		case PP_PQ_ID:
			add_texts(c, cells + from, tags + from, n);
			break;
		}
	}
	count_buffers(c);
}

/* The dictionary's page goes in front of the chunk. */
static size_t
put_dictionary(struct pp_pq_column *c)
{
	struct pp_pq_page p = {.dictionary = true};

	if (c->chunk.pages[PP_PQ_DICTIONARY] == 0)
		return 0;
	p.values = (uint32_t)c->dict.count;
	p.raw = c->dict.bytes.n;
	keep_page(c, &p, c->dict.bytes.p != NULL ? c->dict.bytes.p : "",
	    true);
	return c->first->n;
}

void
pp_pq_column_flush(struct pp_pq_column *c, struct pp_stream *to,
    uint64_t *offset, struct pp_pq_chunk *out)
{
	struct waiting *w;
	size_t n;

	end_page(c);
	n = put_dictionary(c);
	settle_range(c);
	c->chunk.dictionary = n > 0 ? (int64_t)*offset : -1;
	c->chunk.data = (int64_t)(*offset + n);
	for (w = c->first; w != NULL; w = w->next) {
		pp_stream_write(to, w->bytes, w->n);
		*offset += w->n;
	}
	drop_pages(c);
	*out = c->chunk;
	c->plain = false;
	pp_pq_dictionary_reset(&c->dict);
	c->has_range = c->no_range = false;
	c->coded = false;
	c->chunk = (struct pp_pq_chunk){.dictionary = -1};
}
