/*
 * table.c: rows put together into batches.
 *
 * Sees base only.  A batch is flushed when it holds PP_BATCH_ROWS rows, or
 * earlier when the text copied for it passes TEXT_MAX: statement texts of
 * 100 KB each would otherwise make 100 MB of one batch.
 */
#include "table.h"

#define TEXT_BLOCK 16384
#define WIDE 16			/* columns */
#define WIDE_CELLS 6144		/* of a batch of a wide table */
#define TEXT_MAX (1024 * 1024)

void
pp_batch_init(struct pp_batch *b, struct pp_mem *mem, const struct pp_table *t)
{
	size_t n = t->ncolumns, i;
	union pp_cell *cells;
	uint8_t *tags;

	PP_ASSERT(n > 0);
	b->table = t;
	b->rows = 0;
	b->cells = pp_mem_alloc(mem, n * sizeof(*b->cells));
	b->tags = pp_mem_alloc(mem, n * sizeof(*b->tags));
	cells = pp_mem_alloc(mem, n * PP_CELL_STRIDE * sizeof(*cells));
	tags = pp_mem_zalloc(mem, n * PP_TAG_STRIDE);
	for (i = 0; i < n; i++) {
		b->cells[i] = cells + i * PP_CELL_STRIDE;
		b->tags[i] = tags + i * PP_TAG_STRIDE;
	}
}

void
pp_batch_free(struct pp_batch *b, struct pp_mem *mem)
{
	if (b->cells == NULL)
		return;
	pp_mem_free(mem, b->cells[0]);
	pp_mem_free(mem, b->tags[0]);
	pp_mem_free(mem, b->cells);
	pp_mem_free(mem, b->tags);
	b->cells = NULL;
	b->tags = NULL;
}

const char *
pp_type_name(enum pp_type t)
{
	switch (t) {
	case PP_T_TEXT:
		return "text";
	case PP_T_ID:
		return "id";
	case PP_T_INT:
		return "int";
	case PP_T_SECONDS:
		return "seconds";
	case PP_T_DECIMAL:
		return "decimal";
	case PP_T_TIME:
		return "time";
	}
	return "text";
}

const char *
pp_column_unit(const struct pp_column *c)
{
	pp_str name = pp_str_from(c->name);

	if (c->type == PP_T_SECONDS)
		return "s";
	if (pp_str_ends(name, PP_STR("_pct")))
		return "%";
	if (c->type == PP_T_INT && pp_str_ends(name, PP_STR("bytes")))
		return "B";
	return "";
}

bool
pp_column_is_long(const struct pp_column *c)
{
	pp_str name = pp_str_from(c->name);

	return c->type == PP_T_TEXT && (pp_str_ends(name, PP_STR("text")) ||
	    pp_str_eq(name, PP_STR("message")));
}

const char *
pp_table_key(const struct pp_table *t)
{
	static const struct {
		const char *table, *columns;
	} keys[] = {
#define PP_KEY(table, columns) {#table, columns},
#include "keys.def"
#undef PP_KEY
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i].table, t->name) == 0)
			return keys[i].columns;
	return NULL;
}

static void
worsen(struct pp_rows *r, enum pp_status s)
{
	if (s > r->status)
		r->status = s;
}

void
pp_rows_flush(struct pp_rows *r)
{
	if (r->batch.rows > 0 && r->status < PP_FAILED)
		worsen(r, r->sink->rows(r->sink, &r->batch));
	r->batch.rows = 0;
	pp_arena_reset(&r->text);
	r->copied = 0;
}

void
pp_rows_open(struct pp_rows *r, struct pp_mem *mem, struct pp_rowsink *sink,
    const struct pp_table *table)
{
	memset(r, 0, sizeof(*r));
	r->mem = mem;
	r->sink = sink;
	r->status = PP_OK;
	pp_batch_init(&r->batch, mem, table);
	r->limit = table->ncolumns <= WIDE ? PP_BATCH_ROWS :
	    WIDE_CELLS / table->ncolumns + 1;
	if (r->limit > PP_BATCH_ROWS)
		r->limit = PP_BATCH_ROWS;
	pp_arena_init(&r->text, mem, TEXT_BLOCK);
	worsen(r, sink->begin(sink, table));
}

enum pp_status
pp_rows_close(struct pp_rows *r)
{
	PP_ASSERT(r->column == 0);
	pp_rows_flush(r);
	if (r->status < PP_FAILED)
		worsen(r, r->sink->end(r->sink, r->batch.table));
	pp_batch_free(&r->batch, r->mem);
	pp_arena_free(&r->text);
	return r->status;
}

pp_str
pp_put_text(struct pp_rows *r, pp_str s)
{
	pp_str copy = pp_arena_str(&r->text, s);

	r->copied += s.n;
	pp_put_cell(r, true, 1)->str = copy;
	return copy;
}

char *
pp_rows_text(struct pp_rows *r, size_t n)
{
	r->copied += n;
	return pp_arena_alloc(&r->text, n);
}

void
pp_row_end(struct pp_rows *r)
{
	PP_ASSERT(r->column == r->batch.table->ncolumns);
	r->column = 0;
	r->total++;
	if (++r->batch.rows == r->limit || r->copied > TEXT_MAX)
		pp_rows_flush(r);
}
