/*
 * parquet_column.c: a column of a Parquet file: its pages and chunks.
 *
 * Sees base and table.h only.
 *
 * A page is encoded and compressed as soon as it is full, and waits in that
 * form until its row group is written: what a row group takes in memory is
 * about what it takes in the file.
 *
 * Text begins with a dictionary.  Where that grows too large the pages to
 * come are plain, or of ids the differences from the id before, also in the
 * next row groups if the dictionary has not been worth it.  Numbers are packed
 * as differences, which costs less time than a dictionary and makes line
 * numbers and clocks small.
 */
#include "parquet_column.h"

/* Compression that gains less than an eighth is not worth its time when the
 * file is read. */
#define POOR(raw, packed) ((packed) > (raw) - (raw) / 8)

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
	struct pp_pq_waiting *w, *next;

	for (w = c->first; w != NULL; w = next) {
		next = w->next;
		pp_mem_free(c->s->mem, w);
	}
	c->first = NULL;
	c->end = &c->first;
	c->s->held -= c->held;
	c->held = 0;
}

/* Count what the buffers have grown by. */
static void
count_buffers(struct pp_pq_column *c)
{
	size_t size = c->field.kind == PP_PQ_WIDE ? sizeof(*c->v.w) :
	    pp_pq_is_coded(c) ? sizeof(*c->v.d) : sizeof(*c->v.i);
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
	struct pp_pq_waiting *w;

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
			    !pp_pq_is_coded(c) ? PP_PQ_STORED : PP_PQ_GZIP;
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
		pp_pq_wide(b, c->v.w, c->count);
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

void
pp_pq_column_page(struct pp_pq_column *c)
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

/* ----------------------------------------------------------------- rows */

void
pp_pq_column_add(struct pp_pq_column *c, const struct pp_batch *b,
    size_t from, size_t to)
{
	const union pp_cell *cells = b->cells[c->field.from];
	const uint8_t *tags = b->tags[c->field.from];
	size_t n;

	if (pp_pq_is_coded(c))
		memset(c->seen, 0, sizeof(c->seen));
	for (; from < to; from += n) {
		if (pp_pq_is_full(c))
			pp_pq_column_page(c);
		n = PP_PQ_PAGE_ROWS - c->rows;
		n = to - from < n ? to - from : n;
		pp_pq_cells_add(c, cells + from, tags + from, n);
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
	struct pp_pq_waiting *w;
	size_t n;

	pp_pq_column_page(c);
	n = put_dictionary(c);
	pp_pq_settle_range(c);
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
