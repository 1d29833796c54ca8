/*
 * tables.h: readers of what profpivot wrote: rows that go straight to a sink
 * of rows, past event log and accounts.
 *
 * What is read is the tables as they were written: columns that a later or
 * an earlier version has, and those of --by, --tag and --pivot, stay.
 */
#ifndef PP_TABLES_H
#define PP_TABLES_H

#include "../model/table.h"
#include "input.h"

#define PP_TABLES_NAME_MAX 1000	/* bytes of a name */
#define PP_TABLES_COLUMNS_MAX 20000

/* Where tables come from and go to. */
struct pp_tables {
	struct pp_mem *mem;
	struct pp_diag *diag;
	struct pp_rowsink *to;
	/* those that this version declares, in their order */
	const struct pp_table *const *known;
	size_t nknown;
	/* Shall the table be read?  Asked before it begins. */
	bool (*want)(void *arg, const struct pp_table *t);
	/* Bytes of all files read so far. */
	void (*step)(void *arg, uint64_t bytes);
	void *arg;
	struct pp_input **open;	/* the input being read: the owner closes it
				 * when the run is cut short */
	/* What a library holds meanwhile, for the owner likewise: NULL or
	 * drop(held). */
	void (*drop)(void *held);
	void *held;
	uint64_t bytes;		/* of files that have been read */
	uint64_t count;		/* of tables */
};

struct pp_tablereader {
	const char *name;
	const char *summary;
	/* Is this path such a set of tables? */
	bool (*probe)(struct pp_mem *mem, const char *path);
	/*
	 * Read it.  What is damaged is told; PP_FAILED when nothing could be
	 * read, PP_FATAL when the sink does not take it.
	 */
	enum pp_status (*read)(struct pp_tables *, const char *path);
};

const struct pp_tablereader *const *pp_tablereaders(size_t *n);
const struct pp_tablereader *pp_tablereader_named(pp_str name);

/* The reader that takes this path, or NULL. */
const struct pp_tablereader *pp_tablereader_probe(struct pp_mem *mem,
    const char *path);

/* ---- for the readers ---- */

/* A column as a file tells it. */
struct pp_tables_column {
	pp_str name, help;
	enum pp_type type;
};

/* The declared table of this name, or NULL; *place is its place. */
const struct pp_table *pp_tables_known(const struct pp_tables *in,
    pp_str name, size_t *place);

/*
 * The declaration of a table with these columns: the known one where it is
 * the same.  Lives as long as the mem.  NULL: a name is empty or endless, or
 * there are no columns or too many.
 */
const struct pp_table *pp_tables_declare(struct pp_tables *in, pp_str name,
    pp_str help, const struct pp_tables_column *c, size_t n, unsigned flags);

/* The type called so; false: none is. */
bool pp_tables_type(pp_str name, enum pp_type *out);

/*
 * Put the value of the next column, from its text.  False where it is no
 * value of the column's type: nothing was put.
 */
bool pp_tables_put(struct pp_rows *r, pp_str text, char point);

/* Take back the values of the row that is not ended. */
void pp_tables_cancel(struct pp_rows *r);

#endif
