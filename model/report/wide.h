/*
 * wide.h: tables with one column an event.
 */
#ifndef PP_REPORT_WIDE_H
#define PP_REPORT_WIDE_H

#include "fill.h"

#define PP_WIDE_EVENTS 24	/* columns; further events go to `other` */

/*
 * A declaration whose last columns are events, by falling total over all
 * sessions: the first PP_WIDE_EVENTS, then `other` where there are more.
 * Columns are called like their events; a name that is taken, ignoring case,
 * gets a number.  The declaration lives as long as the mem of the context.
 */
struct pp_wide {
	const struct pp_table *table;
	size_t n;		/* columns that hold events */
	uint32_t *column;	/* by event cell: 0 .. n - 1 */
	pp_i128 *sum;		/* of the row at hand, by column */
};

void pp_wide_init(struct pp_wide *w, const struct pp_report_ctx *c,
    const struct pp_table *fixed);

/* Add to the row at hand. */
void pp_wide_add(struct pp_wide *w, uint32_t event, pp_i128 time);

/* Put the event columns of the row at hand and begin the next row.  No time
 * is 0: it is known. */
void pp_wide_fill(struct pp_wide *w, struct pp_rows *r,
    const struct pp_report_ctx *c, uint32_t session);

void pp_wide_free(struct pp_wide *w, const struct pp_report_ctx *c);

#endif
