/*
 * grid.h: the slices of the accounts in the order of the timeline.
 *
 * The walk keeps slices by statement and event; the timeline wants them by
 * interval.  A grid turns one session at a time, so that it needs no more
 * memory than the slices of the largest session.
 */
#ifndef PP_REPORT_GRID_H
#define PP_REPORT_GRID_H

#include "../account/states.h"
#include "fill.h"

#define PP_GRID_OTHER UINT32_MAX	/* statements that are folded */

/* Times of one event (and statement) in one interval of one session. */
struct pp_grid_row {
	uint32_t session;
	uint32_t interval;	/* from 0 */
	uint32_t event;		/* index of the pp_event_cell */
	uint32_t stmt;		/* by statement: else 0 */
	uint64_t count;
	pp_i128 time;
};

struct pp_grid {
	const struct pp_report_ctx *ctx;
	bool by_stmt;
	const uint8_t *fold;	/* by statement, 1: folded; or NULL */
	uint32_t *order;	/* sessions in the order of tables */
	struct pp_sort *events;	/* event cells in the order of profile */
	size_t nevents;
	struct pp_sort *buckets; /* by event in that order, then statement */
	size_t nbuckets;
	struct pp_states states; /* by statement: of those that stand apart */
	struct pp_stmt_order stmts; /* likewise, in the order of the table */
	bool skip_apart;	/* leave their sessions out */
	/* the session at hand */
	uint32_t session;
	size_t at_session, at_event, at_bucket;	/* of the next one */
	uint32_t low;		/* its first interval */
	size_t *begin;		/* of its intervals in spot */
	size_t nbegin, begin_cap;
	struct pp_grid_spot *spot;
	size_t nspot, spot_cap;
	size_t at_interval, at_spot; /* the next row */
};

/*
 * A grid over all sessions.  by_stmt: rows by event and statement, those
 * marked in `fold` taken together; else by event alone.
 */
void pp_grid_open(struct pp_grid *g, const struct pp_report_ctx *c,
    bool by_stmt, const uint8_t *fold);

/*
 * The next row, in the order of session, interval, event as in `profile`
 * and statement as in `statements`.  Rows of nothing are left out, except
 * `unaccounted-for` without statements, which has a row in each interval
 * that meets the session.
 */
bool pp_grid_next(struct pp_grid *g, struct pp_grid_row *row);

void pp_grid_close(struct pp_grid *g);

/* The axis of a session, or NULL. */
const struct pp_axis *pp_grid_axis(const struct pp_report_ctx *c,
    uint32_t session);

/* source, session, interval, start_s */
void pp_grid_fill(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_grid_row *row);

/* end_s, start_at */
void pp_grid_fill_end(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_grid_row *row);

#endif
