/*
 * pivots.h: the pivots of --pivot, between the tables and the output.
 *
 * Tables pass through to the output, unless only a pivot needs them; each
 * pivot is shown the rows of its table on the way, and follows behind all
 * tables as one of its own.
 */
#ifndef PP_CLI_PIVOTS_H
#define PP_CLI_PIVOTS_H

#include "../model/pivot.h"
#include "../model/plan.h"
#include "run.h"

struct pp_pivots {
	struct pp_rowsink sink;	/* first member */
	struct pp_rowsink *to;	/* the output */
	struct pp_run *run;
	struct pp_mem *mem;
	struct pp_diag *diag;
	bool wide;		/* the output has wide tables */
	size_t n;
	struct pp_pivot_spec spec[PP_PIVOTS_MAX];
	struct pp_pivot pivot[PP_PIVOTS_MAX];
	char names[PP_PIVOTS_MAX][128]; /* of those that have none given */
	const char *hidden[PP_PIVOTS_MAX]; /* tables that are not written */
	size_t nhidden;
	bool any;		/* tables may have any columns */
	bool ready[PP_PIVOTS_MAX]; /* the table has begun */
	bool done[PP_PIVOTS_MAX]; /* the pivot has been written */
	bool wrong;		/* told: a pivot does not fit its table */
};

/*
 * What --pivot asks for.  False: wrong usage has been told.  Columns that
 * --by and --tag add, or with `any` all, are looked for only when the table
 * begins.
 */
bool pp_pivots_read(struct pp_pivots *v, const struct pp_options *o,
    bool any);

/* Is there a pivot of this name?  Its place in *at. */
bool pp_pivots_named(const struct pp_pivots *v, pp_str name, size_t *at);

/* Keep only one pivot: the one table that is written. */
void pp_pivots_keep(struct pp_pivots *v, size_t at);

/* Add the tables that pivots need to the plan; they stay hidden where it does
 * not have them. */
void pp_pivots_plan(struct pp_pivots *v, struct pp_plan *plan);

/* Do not write this table. */
void pp_pivots_hide(struct pp_pivots *v, const char *table);
bool pp_pivots_is_hidden(const struct pp_pivots *v, const char *table);

/* Open before the first table; `to` is where all goes. */
struct pp_rowsink *pp_pivots_open(struct pp_pivots *v, struct pp_run *r,
    struct pp_rowsink *to, bool wide);

/* Behind the last table: the pivots themselves. */
enum pp_status pp_pivots_emit(struct pp_pivots *v);

#endif
