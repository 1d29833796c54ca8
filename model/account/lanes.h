/*
 * lanes.h: the backward walk by several threads.  Private to account/.
 */
#ifndef PP_ACCOUNT_LANES_H
#define PP_ACCOUNT_LANES_H

#include "walk.h"

/*
 * Walk the log with up to accounts.opt.jobs threads, to the very cells, in
 * the same order, that one walk makes.  False where that is not worth while
 * or cannot be done: nothing has been added then.
 */
bool pp_lanes_walk(struct pp_accounts *a, uint32_t group);

/* An event of a session whose state the lane does not know.  False: from here
 * on it does; walk the event.  True: it is left for the lane that knows. */
bool pp_lane_leaves(struct pp_walk *w, const struct pp_walk_event *e);

/* Keep what pp_walk_sticks_out has to tell. */
void pp_lane_note(struct pp_walk *w, uint32_t line, uint32_t holder);

/* lanes_join.c */

/* Add the cells that n walks have made of the first `sessions` sessions to
 * those of `to`.  The first walk has the gaps of all. */
void pp_lanes_join(struct pp_accounts *to, const struct pp_accounts *const *v,
    size_t n, size_t sessions);

#endif
