/*
 * sqlite_impl.h: what the files of the SQLite writer share.  For no one
 * else.
 */
#ifndef PP_SQLITE_IMPL_H
#define PP_SQLITE_IMPL_H

#include <sqlite3.h>

#include "sanitise.h"
#include "writer.h"

/* How a column is stored. */
enum pp_sq_kind {
	PP_SQ_INT,		/* INTEGER */
	PP_SQ_TICKS,		/* seconds as INTEGER microseconds */
	PP_SQ_SECONDS,		/* seconds as decimal TEXT */
	PP_SQ_NUMBER,		/* other decimals: NUMERIC */
	PP_SQ_TEXT,		/* TEXT */
	PP_SQ_TIME,		/* TEXT, ISO 8601 */
	PP_SQ_KEY		/* key of a row of a dimension */
};

struct pp_sq_column {
	const char *name;	/* in the table */
	enum pp_sq_kind kind;
	size_t from;		/* column of the batch; KEY: dimension */
	const union pp_cell *cells; /* of the batch */
	const uint8_t *tags;
	const int64_t *keys;	/* KEY */
};

/* A column of the declaration, as the view has it. */
struct pp_sq_shown {
	const char *name;
	const char *epoch;	/* TIME: seconds since 1970; NULL */
	size_t column;		/* of the table */
	size_t member;		/* KEY: of its dimension */
};

#define PP_SQ_MEMBERS 7		/* of a dimension at most */

/* What a dimension is. */
struct pp_sq_dim_info {
	const char *name, *key;
	const char *members[PP_SQ_MEMBERS + 1];
};

/* Combinations of values that rows of facts share, and their keys. */
struct pp_sq_dim {
	const struct pp_sq_dim_info *info;
	size_t n;		/* members */
	bool made;
	sqlite3_stmt *insert, *find;
	int64_t last;		/* key given out */
	bool forgot;		/* not all rows are in the cache */
	struct pp_arena bytes;
	struct pp_sq_row {
		pp_str values;
		uint64_t hash;
		int64_t key;
	} *v;
	size_t count, cap;
	uint32_t *slots;	/* index + 1; 0: free */
	size_t mask;
	size_t held;
};
#define PP_SQ_DIMS 4

/* Where the members of a dimension are in a table. */
struct pp_sq_place {
	bool used;
	size_t from[PP_SQ_MEMBERS]; /* column of the batch; SIZE_MAX: none */
	int64_t *keys;		/* of the rows of a batch */
};

struct pp_sq_table {
	struct pp_sq_table *next;
	struct pp_sq *q;
	const struct pp_table *table;
	const char *name;
	struct pp_sq_column *columns;
	size_t ncolumns;
	struct pp_sq_shown *shown;	/* by column of the declaration */
	struct pp_sq_place dims[PP_SQ_DIMS];
	bool fact;
	bool keyed;		/* has a PRIMARY KEY */
	unsigned number;
	sqlite3_stmt *insert;
	/* the same for batches in which some columns have no value */
	struct pp_sq_sparse {
		uint64_t nulls;	/* bits of the first 64 columns */
		sqlite3_stmt *insert;
	} sparse[4];
	size_t row, end;	/* of the batch, that go in */
};

struct pp_sq {
	struct pp_wctx *w;
	sqlite3 *db;
	struct pp_sq_dim dims[PP_SQ_DIMS];
	struct pp_sq_table *tables, **last; /* all that have been begun */
	unsigned ntables;
	char *sql;		/* a statement in the making */
	size_t sql_n, sql_cap;
	struct pp_arena arena;	/* repaired text */
	struct pp_sanitiser z;
	uint64_t misfits, wrapped;
};

/* --------------------------------------------------------- sqlite.c */

/* Run statements without a result; false after telling the sink. */
bool pp_sq_run(struct pp_sq *q, const char *sql);

/* Tell the sink what SQLite says; always false. */
bool pp_sq_failed(struct pp_sq *q);

/* NULL after telling the sink. */
sqlite3_stmt *pp_sq_compile(struct pp_sq *q, const char *sql);

/* s as SQLite can hold it: UTF-8 without NUL; repaired in q->arena. */
pp_str pp_sq_text(struct pp_sq *q, pp_str s);

/* --------------------------------------------------- sqlite_schema.c */

extern const struct pp_sq_dim_info pp_sq_dim_info[PP_SQ_DIMS];

/* Columns of t, and what they are in its view. */
void pp_sq_columns(struct pp_sq *q, struct pp_sq_table *t);

/* CREATE TABLE `name` for t. */
bool pp_sq_create(struct pp_sq *q, struct pp_sq_table *t, const char *name);
bool pp_sq_create_dim(struct pp_sq *q, const struct pp_sq_dim_info *info);

/* What comes after the rows. */
bool pp_sq_index(struct pp_sq *q, struct pp_sq_table *t);
bool pp_sq_view(struct pp_sq *q, struct pp_sq_table *t);

/* ------------------------------------------------------ sqlite_dim.c */

void pp_sq_dim_free(struct pp_sq_dim *d);

/* Find the keys of a batch; false after a failure. */
bool pp_sq_dim_keys(struct pp_sq *q, struct pp_sq_table *t, size_t dim,
    const struct pp_batch *b);

/* ---------------------------------------------------- sqlite_batch.c */

/* Prepare to insert rows of batches into t. */
bool pp_sq_batch_open(struct pp_sq *q, struct pp_sq_table *t);

/* Give back what inserts rows. */
void pp_sq_batch_close(struct pp_sq_table *t);

/* Insert all rows of a batch. */
bool pp_sq_batch_insert(struct pp_sq *q, struct pp_sq_table *t,
    const struct pp_batch *b);

#endif
