/*
 * by.h: the cells that --by splits.  Private to account/.
 *
 * The walk adds everything once more to the cells of its facet.  A wait in a
 * call goes with the call, so that `statements` and `profile` agree facet by
 * facet; time between calls goes with what comes before it, for a marker
 * stands where the next call begins.
 */
#ifndef PP_ACCOUNT_BY_H
#define PP_ACCOUNT_BY_H

#include "walk.h"

void pp_by_init(struct pp_accounts *a);

/* Is anything split? */
static inline bool
pp_by_on(const struct pp_accounts *a)
{
	return a->model->facets.n > 0;
}

uint32_t pp_by_event(struct pp_accounts *a, uint32_t session, uint32_t facet,
    uint32_t name, enum pp_class c);
uint32_t pp_by_stmt(struct pp_accounts *a, uint32_t session, uint32_t facet,
    uint32_t stmt);

/* The facet of the session and context at hand. */
void pp_by_now(struct pp_walk *w);

/* A call is closed: what it adds to its cells, and how often it counts for
 * its CPU and its run queue. */
void pp_by_call(struct pp_walk *w, const struct pp_frame *f,
    const struct pp_sums *sums, uint64_t ncpu, uint64_t nqueue);

/* The statement of the call was at work from start to end. */
void pp_by_touch(struct pp_walk *w, const struct pp_frame *f, int64_t start,
    int64_t end);

/* A call of this kind lies in call u. */
void pp_by_recursive(struct pp_walk *w, const struct pp_frame *u,
    uint8_t kind, int64_t dur);

/* A wait or a hole, n times (0 or 1); in: the call that holds it, or NULL. */
void pp_by_wait(struct pp_walk *w, const struct pp_frame *in, uint32_t name,
    enum pp_class c, uint32_t stmt, int64_t dur, uint64_t n);

/* A query of SHOW PROFILE, and one of its states: `time` of it, counted n
 * times; single: its duration is known. */
void pp_by_query(struct pp_walk *w, const struct pp_ev *ev,
    const struct pp_sums *d);
void pp_by_stage(struct pp_walk *w, const struct pp_ev *ev, uint32_t name,
    enum pp_class c, int64_t time, bool single, uint64_t n);

/* An event that names its parent: `self` of it is of the statement;
 * elapsed: that of a root without one. */
void pp_by_self(struct pp_walk *w, uint32_t stmt, int64_t self,
    int64_t elapsed);

/* n events that a server has summed. */
void pp_by_sum(struct pp_walk *w, uint32_t name, enum pp_class c,
    pp_i128 time, uint64_t n, bool extremes, int64_t min, int64_t max);

/* A gap between calls behind an event of this context; negative: an
 * overlap. */
void pp_by_gap(struct pp_walk *w, uint32_t context, pp_i128 time);

/* After the last group: rows that every facet has. */
void pp_by_finish(struct pp_accounts *a);

#endif
