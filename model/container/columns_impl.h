/*
 * columns_impl.h: what columns.c, columns_guess.c and columns_pack.c share.
 */
#ifndef PP_CONTAINER_COLUMNS_IMPL_H
#define PP_CONTAINER_COLUMNS_IMPL_H

#include "../base/strtab.h"
#include "columns.h"
#include "columns_code.h"

#define PP_COLUMNS_LEVEL 6
#define PP_COLUMNS_FAST 1	/* for noise */

/*
 * As long as all rows of a block are alike, `v` and `tag` hold the first one
 * only: half of the columns of a wide table stay so.
 */
struct pp_out_column {
	int64_t *v;
	uint8_t *tag;
	bool alike;
	size_t cap;		/* rows of v and tag */
	pp_i128 *wide;		/* where one does not fit in v; else NULL */
	enum pp_form form;	/* of this block */
	bool has_time;
	struct pp_time_form time;
	bool strings_only;	/* its text is no number: do not try again */
	char near[40];		/* the last instant as text, */
	size_t nnear;		/* 0: none, */
	int64_t near_us;	/* and when its second began */
	/* of columns_pack.c, for this block */
	bool put;
	uint8_t only;		/* the tag of all that have a value; 0: they
				 * have several */
	uint64_t pattern;	/* hash of which rows have a value */
	uint64_t gaps;		/* the same of those that have none */
};

struct pp_out_table {
	const struct pp_table *table;
	uint32_t ncolumns;
	bool own_strings;
	struct pp_strtab strings;
	size_t string_bytes;	/* in them */
	const struct pp_strtab *text; /* these, or those that are shared */
	struct pp_out_column *col;
	uint32_t *order;	/* in which they are put */
	size_t rows;
	size_t most;		/* rows of a block */
	struct pp_columns_block *block;
	size_t nblocks, blocks_cap;
};

/* A growing run of bytes. */
struct pp_out_bytes {
	void *p;
	size_t n, cap;
};

struct pp_columns_out {
	struct pp_mem *mem;
	bool (*put)(void *arg, const void *p, size_t n);
	void *arg;
	bool failed;
	bool too_long;		/* a text, or those of a block, are */
	uint64_t at;		/* bytes put */
	struct pp_rowsink sink;
	struct pp_strtab strings; /* that tables share */
	struct pp_out_table **tables;
	size_t ntables, tables_cap;
	struct libdeflate_compressor *deflate, *fast;
	/* of columns_pack.c */
	struct pp_out_bytes block, column, packed;
	size_t tight;		/* bytes of the block that are deflated, */
	size_t loose;		/* and what they were before */
	int64_t *like;
};

/* What a column is expected to be: columns a and b of its table. */
struct pp_out_guess {
	enum pp_guess how;
	uint32_t a, b;
};

/* Is there nothing in column i that another could follow? */
bool pp_columns_is_flat(const struct pp_out_table *t, uint32_t i);

/* The guess for column i; none looks at a column that is flat. */
struct pp_out_guess pp_columns_guess(const struct pp_out_table *t,
    uint32_t i, const bool *flat);

/*
 * The misses of c as varints into p, which has room for 10 bytes a row; *n:
 * bytes.  `like` has PP_LIKE_SLOTS.  False where there is no miss.
 */
bool pp_columns_misses(unsigned char *p, size_t *n,
    const struct pp_out_table *t, const struct pp_out_column *c,
    const struct pp_out_guess *g, int64_t *like);

void pp_columns_put(struct pp_columns_out *o, const void *p, size_t n);

/* Pack the rows of t as a block; none afterwards. */
void pp_columns_pack(struct pp_columns_out *o, struct pp_out_table *t);

#endif
