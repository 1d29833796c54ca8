/*
 * archive_rows.h: rows of a table out of the profiles of an archive, and
 * where they go.
 */
#ifndef PP_CLI_ARCHIVE_ROWS_H
#define PP_CLI_ARCHIVE_ROWS_H

#include "../model/container/columns.h"
#include "../model/report/report.h"
#include "archive.h"
#include "output.h"
#include "report_file.h"
#include "term_table.h"

/* A condition of --where. */
struct pp_archive_where {
	pp_str column, value;
	bool is_number;
	pp_i128 number;		/* at scale PP_WHERE_SCALE */
};
#define PP_WHERE_SCALE 18u

/*
 * Rows of a table: a block of one profile, or what was made of several that
 * belong together.  Sources have the names that `convert` of all that is
 * chosen gives them.
 */
struct pp_archive_block {
	const uint32_t *entry;	/* of each row, its place in the store */
	const struct pp_columns_table *t;
	const struct pp_columns_rows *rows;
	const bool *match;	/* of each row: does --where have it? */
};

/* How rows are had. */
enum pp_archive_how {
	PP_ROWS_KEPT,		/* from what was kept, where profiles do not
				 * belong together */
	PP_ROWS_ANEW		/* from the profiles themselves: the table is
				 * not kept */
};

struct pp_archive_wanted {
	const struct pp_report *report; /* of the table */
	const char *const *columns; /* up to NULL; NULL: all */
	enum pp_archive_how how;
	bool (*see)(void *arg, const struct pp_archive_block *);
	void *arg;
	uint64_t lost;		/* out: profiles that are damaged, told */
	uint64_t partial;	/* out: profiles whose input was read only in
				 * part, told */
	bool failed;		/* out: nothing could be read, told */
	bool unfilled;		/* out: no profile can fill the table */
};

/* Is the table one of those that are kept? */
bool pp_archive_keeps(const char *table);

/*
 * Give the rows of every profile that is chosen to `see`, which may stop it
 * by false.  Profiles that belong together, as convert sees them, are read
 * together.
 */
void pp_archive_rows(struct pp_archive_run *a, struct pp_archive_wanted *w);

/* The status behind pp_archive_rows; `state` is what it was before. */
enum pp_exit pp_archive_rows_status(const struct pp_archive_wanted *w,
    enum pp_exit state);

/* Tell that there was no row, unless it has been told why. */
void pp_archive_tell_empty(struct pp_archive_run *a,
    const struct pp_archive_wanted *w);

/* Tell, and count, that only a part of the profile `name` was understood, so
 * that its rows are not all: `convert` of it ends with status 3, too. */
void pp_archive_tell_partial(struct pp_archive_run *a,
    struct pp_archive_wanted *w, pp_str name);

/*
 * The names of what is chosen, by place in the store, and of each the first
 * of those that it belongs to: itself, if it stands alone.
 */
struct pp_archive_group {
	pp_str name;
	uint32_t first;
	uint32_t members;	/* of the first */
	pp_str head;		/* of the first: the one that the others go
				 * on from, whose name their rows have */
};
struct pp_archive_group *pp_archive_groups(struct pp_archive_run *a);

/* archive_anew.c: the rows of these n profiles (places in the store), made
 * anew.  False where a part of it failed, which is told. */
bool pp_archive_anew(struct pp_archive_run *a,
    const struct pp_archive_group *g, const uint32_t *v, size_t n,
    struct pp_archive_wanted *w);

/* --where against rows that are made anew: sets match[0..rows). */
struct pp_archive_filter;
struct pp_archive_filter *pp_archive_filter(struct pp_archive_run *a);
const bool *pp_archive_match(struct pp_archive_filter *f,
    const struct pp_columns_table *t, const struct pp_columns_rows *rows);

/* Are the columns of --where columns of the table?  Else that is told. */
bool pp_archive_where_fits(struct pp_archive_run *a,
    const struct pp_table *t);

/*
 * Where the rows of a command go: to OUT; CSV to standard output; or as a
 * page of text, on a terminal and with -t txt.
 */
struct pp_archive_out {
	struct pp_options opt;	/* the run's from then on */
	bool page;
	const struct pp_writer *writer;
	struct pp_output out;	/* unless it is a page */
	struct pp_report_file report;
	struct pp_page on;
	struct pp_term_table table;
	struct pp_rowsink *sink;
};

/* What it is; false, and *status, where it cannot be, which is told. */
bool pp_archive_output(struct pp_archive_run *a, struct pp_archive_out *x,
    enum pp_exit *status);

/* Open it: x->sink takes the rows.  False, and told, where it cannot be. */
bool pp_archive_begin(struct pp_archive_run *a, struct pp_archive_out *x);

/* All rows are there; false, and told, where they cannot be written. */
bool pp_archive_commit(struct pp_archive_run *a, struct pp_archive_out *x);

#endif
