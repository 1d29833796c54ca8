/*
 * plan.h: from the tables that are wanted to what must be done for them.
 *
 * Made before the input is read, since the raw records of the event log and
 * the slices of the timeline cost time and space that only some tables need.
 */
#ifndef PP_PLAN_H
#define PP_PLAN_H

#include <stdbool.h>

#include "report/report.h"

#define PP_PLAN_MAX 64

struct pp_plan {
	const struct pp_report *report[PP_PLAN_MAX]; /* in table order */
	size_t n;
	bool raw;		/* some report needs PP_EV_RAW slots */
	bool slices;		/* some report needs the timeline */
};

/*
 * Plan for `tables`: a comma list of names, "all" (every table that is not
 * raw), or empty (the same).  `events` adds the raw tables.  Unless `wide`,
 * the output cannot hold wide tables: they are left out, or where they are
 * named replaced by the table that has their cells as rows.
 *
 * False when a name is no table; *unknown is then that name.
 */
bool pp_plan_make(struct pp_plan *p, pp_str tables, bool events, bool wide,
    pp_str *unknown);

/*
 * Plan a further table for someone who looks at its rows on the way.  False
 * when it is planned already.
 */
bool pp_plan_add(struct pp_plan *p, const struct pp_report *r);

/* Is the table called `name` planned? */
bool pp_plan_has(const struct pp_plan *p, pp_str name);

/*
 * Emit the planned tables that an input of the kinds `inputs` (PP_INPUT_)
 * can fill, one after the other; stops at the first PP_FAILED.  Returns the
 * worst status.
 */
enum pp_status pp_plan_emit(const struct pp_plan *p,
    const struct pp_report_ctx *ctx, unsigned inputs, struct pp_rowsink *to);

/*
 * The raw tables of a plan, from before the input is read until after it.
 */
struct pp_plan_raw {
	struct pp_accounts *accounts;	/* of the group at hand */
	const struct pp_plan *plan;
	const struct pp_report_ctx *ctx;
	struct pp_rowsink *to;
	void *at[PP_PLAN_MAX];	/* by report; NULL: not raw */
	/* those of them that are not NULL, and how they see */
	void *shown[PP_PLAN_MAX];
	void (*see[PP_PLAN_MAX])(void *, const struct pp_occurrence *);
	size_t nshown;
};

/* Raw tables begin when it is known that the input can fill them. */
void pp_plan_raw_open(struct pp_plan_raw *r, const struct pp_plan *p,
    const struct pp_report_ctx *ctx, struct pp_rowsink *to);

/* The walk of a group is done: its occurrences become rows.  PP_FATAL when
 * the log cannot be read. */
enum pp_status pp_plan_raw_group(struct pp_plan_raw *r,
    struct pp_accounts *a);

/* Begin those that are still missing, end all; the worst status. */
enum pp_status pp_plan_raw_close(struct pp_plan_raw *r);

#endif
