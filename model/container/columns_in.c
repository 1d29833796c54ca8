/*
 * columns_in.c: the directory of columns (columns.h): which tables, columns
 * and blocks there are.  Sees base and table.h only.
 */
#include "columns_read.h"

#include <libdeflate.h>

#include "bytes.h"

#define FOOT 12u
#define TABLES_MOST 1000u
#define RATIO_MOST 1032u	/* of deflate */

void
pp_reading_begin(struct pp_reading *r, struct pp_columns_in *c)
{
	memset(r, 0, sizeof(*r));
	r->c = c;
	pp_arena_init(&r->tmp, c->mem, 65536);
	r->inflate = libdeflate_alloc_decompressor();
	if (r->inflate == NULL)
		pp_mem_fail(c->mem);
}

void
pp_reading_end(struct pp_reading *r)
{
	libdeflate_free_decompressor(r->inflate);
	pp_arena_free(&r->tmp);
}

const unsigned char *
pp_reading_inflate(struct pp_reading *r, const unsigned char *p, size_t n,
    uint64_t out)
{
	size_t got = 0;
	unsigned char *to;

	if (out / RATIO_MOST > n || out > PP_BLOCK_BYTES - r->inflated)
		return NULL;
	r->inflated += (size_t)out;
	to = pp_arena_alloc(&r->tmp, (size_t)out + 1);
	if (libdeflate_deflate_decompress(r->inflate, p, n, to, (size_t)out,
	    &got) != LIBDEFLATE_SUCCESS || got != out)
		return NULL;
	return to;
}

static pp_str
get_name(struct pp_columns_in *c, struct pp_bytes_in *b)
{
	const unsigned char *n = pp_bytes_get(b, 1), *p;

	p = n == NULL ? NULL : pp_bytes_get(b, *n);
	if (p == NULL)
		return (pp_str){NULL, 0};
	return pp_arena_str(&c->text, (pp_str){(const char *)p, *n});
}

/* Blocks that lie before `end`. */
static bool
get_places(struct pp_columns_in *c, struct pp_bytes_in *b, uint64_t end,
    struct pp_columns_block **out, uint32_t *n, uint64_t *rows)
{
	uint64_t count = pp_varint_get(b), bytes, r, i;
	struct pp_columns_block *v;

	/* a place takes three bytes or more */
	if (b->bad || count > (size_t)(b->end - b->p) / 3)
		return false;
	v = pp_arena_alloc(&c->text, ((size_t)count + 1) * sizeof(*v));
	*rows = 0;
	for (i = 0; i < count; i++) {
		r = pp_varint_get(b);
		v[i].at = pp_varint_get(b);
		bytes = pp_varint_get(b);
		if (b->bad || r > UINT32_MAX || bytes > PP_BLOCK_BYTES ||
		    v[i].at > end || bytes > end - v[i].at)
			return false;
		v[i].rows = (uint32_t)r;
		v[i].bytes = (uint32_t)bytes;
		*rows += r;
	}
	*out = v;
	*n = (uint32_t)count;
	return true;
}

static bool
get_table(struct pp_columns_in *c, struct pp_bytes_in *b, uint64_t end,
    struct pp_columns_table *t)
{
	const unsigned char *p;
	uint64_t n;
	uint32_t i;

	t->name = get_name(c, b);
	p = pp_bytes_get(b, 1);
	n = pp_varint_get(b);
	if (p == NULL || b->bad || n == 0 || n > PP_COLUMNS_MAX)
		return false;
	t->own_strings = *p != 0;
	t->ncolumns = (uint32_t)n;
	t->column = pp_arena_alloc(&c->text, n * sizeof(*t->column));
	t->type = pp_arena_alloc(&c->text, n * sizeof(*t->type));
	for (i = 0; i < n; i++) {
		t->column[i] = get_name(c, b);
		p = pp_bytes_get(b, 1);
		if (p == NULL || *p > PP_T_TIME)
			return false;
		t->type[i] = (enum pp_type)*p;
	}
	if (!get_places(c, b, end, &t->block, &t->nblocks, &t->rows))
		return false;
	for (i = 0; i < t->nblocks; i++)
		if (t->block[i].rows == 0 ||
		    t->block[i].rows > PP_BLOCK_ROWS ||
		    (uint64_t)t->block[i].rows * n > PP_BLOCK_CELLS)
			return false;
	return true;
}

static bool
get_directory(struct pp_reading *r, uint64_t bytes)
{
	struct pp_columns_in *c = r->c;
	unsigned char foot[FOOT];
	struct pp_bytes_in b;
	uint32_t packed, n, i;
	unsigned char *p;
	uint64_t rows, k;

	if (bytes < FOOT || !c->get(c->arg, foot, FOOT, bytes - FOOT) ||
	    pp_get32(foot + 8) != PP_COLUMNS_MAGIC)
		return false;
	packed = pp_get32(foot);
	n = pp_get32(foot + 4);
	if (packed > bytes - FOOT || packed > PP_BLOCK_BYTES)
		return false;
	p = pp_arena_alloc(&r->tmp, packed + 1);
	bytes -= FOOT + packed;
	if (!c->get(c->arg, p, packed, bytes))
		return false;
	b = (struct pp_bytes_in){p, p + packed, false};
	if (n != 0) {
		b.p = pp_reading_inflate(r, p, packed, n);
		if (b.p == NULL)
			return false;
		b.end = b.p + n;
	}
	if (!get_places(c, &b, bytes, &c->strings, &c->nstrings_blocks,
	    &rows))
		return false;
	k = pp_varint_get(&b);
	if (b.bad || k > TABLES_MOST)
		return false;
	c->table = pp_arena_zalloc(&c->text, (k + 1) * sizeof(*c->table));
	for (i = 0; i < k; i++)
		if (!get_table(c, &b, bytes, &c->table[i]))
			return false;
	c->ntables = (uint32_t)k;
	return b.p == b.end;
}

struct pp_columns_in *
pp_columns_in(struct pp_mem *mem, uint64_t bytes,
    bool (*get)(void *, void *, size_t, uint64_t), void *arg)
{
	struct pp_columns_in *c = pp_mem_zalloc(mem, sizeof(*c));
	struct pp_reading r;
	bool ok;

	c->mem = mem;
	c->get = get;
	c->arg = arg;
	pp_arena_init(&c->text, mem, 8192);
	pp_arena_init(&c->text_strings, mem, 8192);
	pp_reading_begin(&r, c);
	ok = get_directory(&r, bytes);
	pp_reading_end(&r);
	if (ok)
		return c;
	pp_columns_in_close(c);
	return NULL;
}

void
pp_columns_in_close(struct pp_columns_in *c)
{
	if (c == NULL)
		return;
	pp_arena_free(&c->text);
	pp_arena_free(&c->text_strings);
	pp_mem_free(c->mem, c->string);
	pp_mem_free(c->mem, c);
}

const struct pp_columns_table *
pp_columns_table(const struct pp_columns_in *c, pp_str name)
{
	uint32_t i;

	for (i = 0; i < c->ntables; i++)
		if (pp_str_eq(c->table[i].name, name))
			return &c->table[i];
	return NULL;
}

uint32_t
pp_columns_column(const struct pp_columns_table *t, pp_str name)
{
	uint32_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (pp_str_eq(t->column[i], name))
			return i;
	return UINT32_MAX;
}
