/*
 * table.h: typed tables, the only thing that reports and writers share.
 *
 * A report declares its table once, beside the code that fills it; headers,
 * schemas, sheets and the man page come from that declaration.  Rows travel
 * in batches of up to PP_BATCH_ROWS, column by column.
 */
#ifndef PP_TABLE_H
#define PP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* How a value is to be understood; writers choose their types by it. */
enum pp_type {
	PP_T_TEXT,	/* text */
	PP_T_ID,	/* text that may look like a number: never one */
	PP_T_INT,	/* whole number */
	PP_T_SECONDS,	/* decimal seconds, scale in the cell */
	PP_T_DECIMAL,	/* other decimal (share_pct: scale 2) */
	PP_T_TIME	/* ISO 8601 text */
};

struct pp_column {
	const char *name;	/* snake_case */
	enum pp_type type;
	const char *help;	/* one line, no full stop */
};

#define PP_TABLE_RAW	0x01	/* one row an event; arrives interleaved */
#define PP_TABLE_WIDE	0x02	/* columns come from the data */
#define PP_TABLE_MORE	0x08	/* --by or --tag may add columns */
#define PP_TABLE_PIVOT	0x04	/* made for the user: no schema declares it */

struct pp_table {
	const char *name;
	const char *help;	/* what a row is */
	const char *order;	/* the stated order of its rows */
	const struct pp_column *columns;
	size_t ncolumns;
	unsigned flags;
};

#define PP_BATCH_ROWS 1024

/*
 * Columns stand a cache line further apart than their rows need: at a
 * distance of 16 KiB sharp the cells of a row would all fall into one set of
 * the first-level cache.
 */
#define PP_CELL_STRIDE (PP_BATCH_ROWS + 4)
#define PP_TAG_STRIDE (PP_BATCH_ROWS + 64)

/* A cell; tag 0 is NULL, else 1 + scale (text: 1). */
union pp_cell {
	pp_i128 num;
	pp_str str;
};

struct pp_batch {
	const struct pp_table *table;
	size_t rows;
	union pp_cell **cells;	/* [column][row] */
	uint8_t **tags;		/* [column][row] */
};

/* Room for PP_BATCH_ROWS rows of t; no rows yet. */
void pp_batch_init(struct pp_batch *b, struct pp_mem *mem,
    const struct pp_table *t);
void pp_batch_free(struct pp_batch *b, struct pp_mem *mem);

/* "text", "id", "int", "seconds", "decimal", "time" */
const char *pp_type_name(enum pp_type t);

/* The unit of a column, "" where it has none. */
const char *pp_column_unit(const struct pp_column *c);

/* Text as long as it likes: SQL, messages.  Its name says so. */
bool pp_column_is_long(const struct pp_column *c);

/*
 * The columns that tell the rows of a table apart, a comma list; NULL where
 * there are none.
 */
const char *pp_table_key(const struct pp_table *t);

static inline bool
pp_type_is_text(enum pp_type t)
{
	return t == PP_T_TEXT || t == PP_T_ID || t == PP_T_TIME;
}

/*
 * Where rows go.  Implemented by cli/output.c (in front of the writers) and by
 * tests.  Raw tables may be begun together and arrive interleaved; any other
 * table is begun, filled and ended before the next one begins.
 */
struct pp_rowsink {
	enum pp_status (*begin)(struct pp_rowsink *, const struct pp_table *);
	enum pp_status (*rows)(struct pp_rowsink *, const struct pp_batch *);
	enum pp_status (*end)(struct pp_rowsink *, const struct pp_table *);
};

/*
 * A builder of rows: values are put in the declared order, left to right;
 * pp_row_end checks that the row is complete.  Text is borrowed until the
 * batch is flushed: pp_put_text copies, pp_put_str does not.
 */
struct pp_rows {
	struct pp_mem *mem;
	struct pp_rowsink *sink;
	struct pp_batch batch;
	struct pp_arena text;
	size_t copied;		/* bytes in text */
	size_t column;		/* the next value goes here */
	size_t limit;		/* rows of a batch: fewer where the table is
				 * wide, so that they stay in the cache */
	enum pp_status status;	/* worst so far; sticky */
	uint64_t total;		/* rows put */
};

/* Begin a table (calls sink->begin). */
void pp_rows_open(struct pp_rows *r, struct pp_mem *mem,
    struct pp_rowsink *sink, const struct pp_table *table);

/* Send the rows of the batch on: texts that they borrow may go. */
void pp_rows_flush(struct pp_rows *r);

/* Flush, end the table (calls sink->end), free; the worst status seen. */
enum pp_status pp_rows_close(struct pp_rows *r);

/*
 * That a value fits its column is looked at in the first row, as every row
 * has the same.
 */
static inline union pp_cell *
pp_put_cell(struct pp_rows *r, bool text, unsigned tag)
{
	size_t c = r->column++;

	PP_ASSERT(c < r->batch.table->ncolumns);
	if (r->total == 0)
		PP_ASSERT(pp_type_is_text(r->batch.table->columns[c].type) ==
		    text);
	r->batch.tags[c][r->batch.rows] = (uint8_t)tag;
	return &r->batch.cells[c][r->batch.rows];
}

static inline void
pp_put_null(struct pp_rows *r)
{
	size_t c = r->column++;

	PP_ASSERT(c < r->batch.table->ncolumns);
	r->batch.tags[c][r->batch.rows] = 0;
}

static inline void
pp_put_nulls(struct pp_rows *r, size_t n)
{
	while (n-- > 0)
		pp_put_null(r);
}

/* Borrowed. */
static inline void
pp_put_str(struct pp_rows *r, pp_str s)
{
	pp_put_cell(r, true, 1)->str = s;
}

/* Borrowed; NULL where it is empty. */
static inline void
pp_put_str_or_null(struct pp_rows *r, pp_str s)
{
	if (s.n == 0)
		pp_put_null(r);
	else
		pp_put_str(r, s);
}

static inline void
pp_put_int(struct pp_rows *r, pp_i128 v)
{
	pp_put_cell(r, false, 1)->num = v;
}

static inline void
pp_put_dec(struct pp_rows *r, pp_i128 v, unsigned scale)
{
	PP_ASSERT(scale <= 24);
	pp_put_cell(r, false, 1 + scale)->num = v;
}

/* Copied; the copy, which may be put again into rows of the batch. */
pp_str pp_put_text(struct pp_rows *r, pp_str s);
void pp_row_end(struct pp_rows *r);

/* Room for text that is borrowed by rows of the batch. */
char *pp_rows_text(struct pp_rows *r, size_t n);

/*
 * A whole row at once, for tables with a row an event: they put a hundred
 * million cells a minute.  A local variable, so that the places of the next
 * cell are in registers; columns stand at a fixed distance.
 */
struct pp_row {
	union pp_cell *cell;	/* the next value goes here */
	uint8_t *tag;
};

static inline struct pp_row
pp_row_begin(const struct pp_rows *r)
{
	return (struct pp_row){r->batch.cells[0] + r->batch.rows,
	    r->batch.tags[0] + r->batch.rows};
}

static inline void
pp_row_skip(struct pp_row *x, size_t columns)
{
	x->cell += columns * PP_CELL_STRIDE;
	x->tag += columns * PP_TAG_STRIDE;
}

static inline void
pp_row_null(struct pp_row *x)
{
	*x->tag = 0;
	pp_row_skip(x, 1);
}

static inline void
pp_row_nulls(struct pp_row *x, size_t n)
{
	while (n-- > 0)
		pp_row_null(x);
}

static inline void
pp_row_str(struct pp_row *x, pp_str s)
{
	x->cell->str = s;
	*x->tag = 1;
	pp_row_skip(x, 1);
}

/* NULL where it is empty. */
static inline void
pp_row_str_or_null(struct pp_row *x, pp_str s)
{
	x->cell->str = s;
	*x->tag = s.n != 0;
	pp_row_skip(x, 1);
}

static inline void
pp_row_dec(struct pp_row *x, pp_i128 v, unsigned scale)
{
	x->cell->num = v;
	*x->tag = (uint8_t)(1 + scale);
	pp_row_skip(x, 1);
}

static inline void
pp_row_int(struct pp_row *x, pp_i128 v)
{
	pp_row_dec(x, v, 0);
}

/* NULL unless it is known. */
static inline void
pp_row_dec_if(struct pp_row *x, bool known, pp_i128 v, unsigned scale)
{
	x->cell->num = v;
	*x->tag = known ? (uint8_t)(1 + scale) : 0;
	pp_row_skip(x, 1);
}

/* All columns have been put. */
static inline void
pp_row_close(const struct pp_row *x, struct pp_rows *r)
{
	PP_ASSERT(x->tag == r->batch.tags[0] + r->batch.rows +
	    r->batch.table->ncolumns * PP_TAG_STRIDE);
	r->column = r->batch.table->ncolumns;
	pp_row_end(r);
}

#endif
