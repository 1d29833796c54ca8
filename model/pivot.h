/*
 * pivot.h: a table turned: values summed by the fields of its rows and of its
 * columns.
 *
 * A pivot is a pp_rowsink that is shown the rows of one table, in any number
 * and as they pass, and keeps one cell for each pair of keys that occurs:
 * its memory follows its cells, not the rows.  Sees base and table.h.
 */
#ifndef PP_PIVOT_H
#define PP_PIVOT_H

#include "base/map.h"
#include "base/strtab.h"
#include "table.h"

enum pp_pivot_op {
	PP_PIVOT_SUM,
	PP_PIVOT_COUNT,		/* of rows whose value is known */
	PP_PIVOT_AVG,
	PP_PIVOT_MIN,
	PP_PIVOT_MAX,
	PP_PIVOT_OPS
};

/* "sum", "count", "avg", "min", "max" */
extern const char *const pp_pivot_op_name[PP_PIVOT_OPS];

#define PP_PIVOT_COLUMNS 1000	/* unless a number is asked for */
#define PP_PIVOT_COLUMNS_MAX 16000
#define PP_PIVOT_FIELDS 16	/* of a list */

struct pp_pivot_spec {
	pp_str name;		/* of the table that it makes */
	pp_str table;		/* whose rows it takes */
	pp_str rows, columns;	/* comma lists of its columns, also empty */
	pp_str value;
	enum pp_pivot_op op;
	uint32_t top;		/* columns, the rest is `other`; 0: all */
	bool totals;		/* of rows and of columns */
	/* for reports: */
	const struct pp_table *as; /* the declaration, without the columns
				 * that come from the data; NULL: made here */
	const char *help;	/* of those columns; NULL */
	bool zeros;		/* a cell without rows is 0 */
	bool bare;		/* where all column fields are NULL there is
				 * only a row, no column */
	unsigned hidden;	/* of the row fields, the last ones: they
				 * tell rows apart and have no column; a row
				 * that has one shows NULL in place of 0 */
};

struct pp_pivot_cell {
	pp_i128 v;		/* the sum; or the extreme */
	uint64_t n;		/* values; 0: none is known */
	uint32_t row, column;
	uint8_t scale;
};

/* The fields of a list, and the keys that occur. */
struct pp_pivot_list {
	size_t field[PP_PIVOT_FIELDS]; /* columns of the table */
	size_t n;
	struct pp_strtab keys;
	char *last;		/* the key seen last, */
	size_t last_n, last_cap;
	uint32_t last_id;	/* and its id */
};

struct pp_pivot {
	struct pp_rowsink sink;	/* takes the rows; first member */
	struct pp_mem *mem;
	struct pp_pivot_spec spec;
	const struct pp_table *from;
	struct pp_pivot_list rows, columns;
	size_t value;		/* column of the table */
	char *scratch;		/* a key being put together */
	size_t scratch_cap;
	struct pp_map index;	/* (row, column) -> cell */
	struct pp_pivot_cell *cells;
	size_t ncells, cells_cap;
	uint8_t *scale;		/* by row: most digits of its values */
	size_t nscale, scale_cap;
	uint64_t folded;	/* columns taken together unasked */
	struct pp_pivot_emit *emit; /* between pp_pivot_open and _close */
};

/*
 * Read "[NAME=]TABLE:ROWS:COLUMNS:VALUE[:OP]" into spec; name is left empty
 * without NAME.  False: *why tells what is wrong.
 */
bool pp_pivot_parse(struct pp_pivot_spec *spec, pp_str text,
    const char **why);

/*
 * Do the columns that spec names exist in t, and can the value be added up?
 * False: *bad is the name, *why what is wrong with it.
 */
bool pp_pivot_check(const struct pp_pivot_spec *spec,
    const struct pp_table *t, pp_str *bad, const char **why);

/* An empty pivot over t, which pp_pivot_check has passed. */
void pp_pivot_init(struct pp_pivot *p, struct pp_mem *mem,
    const struct pp_pivot_spec *spec, const struct pp_table *t);
void pp_pivot_free(struct pp_pivot *p);

/*
 * The result as a table, from begin to end.  `wide`: a row a row, a column a
 * column; else a row a cell.  The declaration lives as long as the mem.
 *
 * Rows stand in the order in which their keys were first seen.  Columns go by
 * falling total, equal ones by name, where the first of their fields is text;
 * else they rise.
 */
enum pp_status pp_pivot_emit(struct pp_pivot *p, struct pp_rowsink *to,
    bool wide);

/*
 * The same for rows that come one after the other, so that no more than a
 * few are kept.  What has been shown before pp_pivot_open tells the columns,
 * and is then forgotten.  All values of a row must follow each other.  No
 * totals.
 */
#define PP_PIVOT_GROUP 64	/* rows that are kept */
void pp_pivot_open(struct pp_pivot *p, struct pp_rowsink *to, bool wide);
enum pp_status pp_pivot_close(struct pp_pivot *p);

/* ---- between pivot.c and pivot_emit.c ---- */

/* Put the rows so far, PP_PIVOT_GROUP at most, and forget them. */
void pp_pivot_put(struct pp_pivot *p);

/* Forget rows and cells, not columns. */
void pp_pivot_forget(struct pp_pivot *p);

/* Field `i` of a key: its tag, its cell. */
unsigned pp_pivot_field(const struct pp_pivot *p,
    const struct pp_pivot_list *l, pp_str key, size_t i, union pp_cell *out);

/* Fold a cell into another by the pivot's operation. */
void pp_pivot_fold(enum pp_pivot_op op, struct pp_pivot_cell *to,
    const struct pp_pivot_cell *from);

/* v x 10^(to - from), to >= from, ends of the range kept. */
pp_i128 pp_pivot_rescale(pp_i128 v, unsigned from, unsigned to);

#endif
