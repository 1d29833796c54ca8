/*
 * report.h: what a report is.
 *
 * A report declares one table and turns what the model and the accounts know
 * into its rows.  It adds nothing up that the accounts have not added, and
 * knows no output format.  Each report is a file of its own, NAME.c, and one
 * line in reports.def.
 */
#ifndef PP_REPORT_H
#define PP_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../account/account.h"
#include "../account/forward.h"
#include "../table.h"

#define PP_CUBE_ROWS 1000000	/* beyond: smaller statements fold */

/* What a report needs from the steps before it. */
#define PP_NEED_RAW	0x01	/* PP_EV_RAW slots in the event log */
#define PP_NEED_SLICES	0x02	/* pp_account_options.timeline */

/* Sides of a comparison; a source may be on both. */
#define PP_SIDE_BEFORE	0x01u
#define PP_SIDE_AFTER	0x02u

struct pp_report_options {
	uint32_t top;		/* statements of a session; 0: all */
	uint64_t cube_rows;	/* limit of cube; 0: PP_CUBE_ROWS */
	unsigned digest_keys;	/* --by, for digests: see digest_fold.h;
				 * 0: as the tables are */
	bool merge_sources;	/* --merge sources */
	bool delta;		/* --delta: sources are snapshots */
	const uint8_t *sides;	/* compare: of each source, PP_SIDE_; NULL */
	unsigned side;		/* the sides that are looked at */
	bool unchanged;		/* compare: rows without a difference too */
};

/* What reports look at; nothing here changes while they run. */
struct pp_report_ctx {
	struct pp_mem *mem;
	const struct pp_model *model;
	const struct pp_accounts *accounts;
	/* --merge: what PP_OVER_TOTALS and PP_OVER_INTERVALS are shown in
	 * place of accounts; NULL: nothing is merged */
	const struct pp_accounts *totals, *intervals;
	struct pp_report_options opt;
};

/* What --merge sums a table up over. */
enum pp_over {
	PP_OVER_NONE,		/* its rows are of single sessions */
	PP_OVER_TOTALS,
	PP_OVER_INTERVALS	/* where sessions share a clock */
};

struct pp_report {
	/*
	 * The declaration.  A table with PP_TABLE_WIDE has these columns
	 * first; the others come from the data, and the sink is given a
	 * declaration that lives as long as ctx->mem.
	 */
	const struct pp_table *table;
	unsigned inputs;	/* PP_INPUT_ of model.h: who can fill it */
	unsigned needs;		/* PP_NEED_ */
	enum pp_over over;
	bool default_on;	/* wanted unless tables are named */
	bool raw;		/* one row an event: by --events or by name */
	const char *tall;	/* wide: the table that holds its cells as
				 * rows; NULL */
	/*
	 * All rows, from begin to end of the table.  NULL: nothing fills
	 * the table yet, it is only declared.
	 */
	enum pp_status (*emit)(const struct pp_report_ctx *,
	    struct pp_rowsink *);
	/* Raw tables have these in place of emit; NULL otherwise. */
	const struct pp_raw_report *occ;
};

/*
 * A table with rows for single occurrences.  It is begun before the input is
 * read, is shown every occurrence of each group after its walk
 * (account/forward.h), and is ended with the input.
 */
struct pp_raw_report {
	/* Begin the table; the result is given to the others. */
	void *(*open)(const struct pp_report_ctx *, struct pp_rowsink *);
	void (*see)(void *, const struct pp_occurrence *);
	/* A group has ended: nothing of it comes any more.  May be NULL. */
	void (*group)(void *);
	/* End the table and free; the worst status seen. */
	enum pp_status (*close)(void *);
};

/* pp_report_sources, pp_report_sessions, ... */
#define PP_REPORT(name) extern const struct pp_report pp_report_##name;
#include "reports.def"
#undef PP_REPORT

/* All reports in the order of reports.def; count in *n. */
const struct pp_report *const *pp_reports(size_t *n);

/* The report of the table called `name`, or NULL. */
const struct pp_report *pp_report_named(pp_str name);

/* The declaration of the table called `name`, or NULL. */
const struct pp_table *pp_table_named(pp_str name);

#endif
