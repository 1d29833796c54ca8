/*
 * archive_rows.h: rows of a table out of the profiles of an archive, and
 * where they go.
 */
#ifndef PP_CLI_ARCHIVE_ROWS_H
#define PP_CLI_ARCHIVE_ROWS_H

#include "../model/container/columns.h"
#include "archive.h"
#include "output.h"

/* A condition of --where. */
struct pp_archive_where {
	pp_str column, value;
	bool is_number;
	pp_i128 number;		/* at scale PP_WHERE_SCALE */
};
#define PP_WHERE_SCALE 18u

/* A block of rows of one profile, as it is read. */
struct pp_archive_block {
	const struct pp_entry *e;
	const struct pp_columns_table *t;
	const struct pp_columns_rows *rows;
	const bool *match;	/* of each row: does --where have it? */
};

/*
 * Read the table called `table` of every profile that is meant, block by
 * block: the columns that `columns` (a list up to NULL; NULL: all) names, and
 * those of --where.  `see` may stop it by false.  Profiles that are damaged
 * are told, and *lost counts them.
 */
bool pp_archive_rows(struct pp_archive_run *a, const char *table,
    const char *const *columns, bool (*see)(void *,
    const struct pp_archive_block *), void *arg, uint64_t *lost);

/* Are the columns of --where columns of the table?  Else that is told. */
bool pp_archive_where_fits(struct pp_archive_run *a,
    const struct pp_table *t);

/*
 * Open the output of a command that prints CSV where it has no OUT; `opt`
 * gets the options that the run has from then on.  False: told.
 */
bool pp_archive_output(struct pp_archive_run *a, struct pp_options *opt,
    struct pp_output *out, enum pp_exit *status);

#endif
