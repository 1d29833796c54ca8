/*
 * columns.h: the tables of a profile, column by column, in few bytes.
 *
 * A stream of blocks, each with some thousand rows of one table, and a
 * directory at its end that names tables, columns and blocks.  What it is
 * kept in is not known here: bytes go out and come in by functions.
 * profpivot-archive(5), COLUMNS, has the layout.
 */
#ifndef PP_CONTAINER_COLUMNS_H
#define PP_CONTAINER_COLUMNS_H

#include "../base/mem.h"
#include "../table.h"

/* ---------------------------------------------------------------- writing */

struct pp_columns_out;

/* Bytes go to `put`, in order; false: it failed, and no more is given. */
struct pp_columns_out *pp_columns_out(struct pp_mem *mem,
    bool (*put)(void *arg, const void *p, size_t n), void *arg);

/* Where rows go; tables may be begun together.  A table that has no row is
 * left out. */
struct pp_rowsink *pp_columns_sink(struct pp_columns_out *o);

/*
 * Was a text so long that a reader would not take it?  Then there will be no
 * tables.
 */
bool pp_columns_too_long(const struct pp_columns_out *o);

/* The rest, and the directory; false when `put` has failed.  Frees. */
bool pp_columns_out_close(struct pp_columns_out *o);

/* ---------------------------------------------------------------- reading */

#define PP_COLUMNS_MAX 512	/* columns of a table */

struct pp_columns_block {
	uint32_t rows;
	uint64_t at;
	uint32_t bytes;
};

struct pp_columns_table {
	pp_str name;
	bool own_strings;	/* each block has its own */
	uint32_t ncolumns;
	pp_str *column;		/* names */
	enum pp_type *type;
	struct pp_columns_block *block;
	uint32_t nblocks;
	uint64_t rows;
};

struct pp_columns_in {
	struct pp_mem *mem;
	bool (*get)(void *arg, void *p, size_t n, uint64_t at);
	void *arg;
	struct pp_arena text;
	struct pp_columns_table *table;
	uint32_t ntables;
	struct pp_columns_block *strings; /* blocks of the shared strings */
	uint32_t nstrings_blocks;
	pp_str *string;		/* read when first needed */
	uint32_t nstrings;
	size_t string_cap;
	bool has_strings;	/* they have been read */
	struct pp_arena text_strings;
};

/* Read the directory of a stream of `bytes`; NULL when it is damaged or
 * cannot be read. */
struct pp_columns_in *pp_columns_in(struct pp_mem *mem, uint64_t bytes,
    bool (*get)(void *arg, void *p, size_t n, uint64_t at), void *arg);
void pp_columns_in_close(struct pp_columns_in *c);

/* The table called `name`; NULL: it has none. */
const struct pp_columns_table *pp_columns_table(
    const struct pp_columns_in *c, pp_str name);

/* The place of a column; UINT32_MAX: there is none. */
uint32_t pp_columns_column(const struct pp_columns_table *t, pp_str name);

/*
 * Decode block k of t.  Cells of the wanted columns (by place; NULL: all)
 * stand in b->cells and b->tags, of those only; text lives as long as
 * `text`.  False at damage.  b is made by pp_columns_rows_init and reused.
 */
struct pp_columns_rows {
	uint32_t rows;
	union pp_cell **cells;	/* [column][row] */
	uint8_t **tags;		/* as pp_batch has them */
	uint32_t ncolumns;
	size_t cap;		/* rows */
};
bool pp_columns_read(struct pp_columns_in *c,
    const struct pp_columns_table *t, uint32_t k, const bool *wanted,
    struct pp_arena *text, struct pp_columns_rows *b);
void pp_columns_rows_free(struct pp_columns_rows *b, struct pp_mem *mem);

#endif
