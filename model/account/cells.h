/*
 * cells.h: how the walk finds the cells it adds to.  Private to account/.
 */
#ifndef PP_ACCOUNT_CELLS_H
#define PP_ACCOUNT_CELLS_H

#include "account.h"

/* What a call adds to besides its node and its cell: beside `calls`. */
struct pp_call_link {
	uint32_t stmt;		/* pp_stmt_cell */
	uint32_t cpu;		/* bucket of the call's CPU */
	uint32_t unaccounted;	/* bucket of what is left */
	uint32_t queue;		/* bucket of run queue, UINT32_MAX: none yet */
};

/* Who holds an event: two to a slot of accounts.owners. */
struct pp_owner {
	uint64_t id;		/* of the call; of a call that nobody holds:
				 * number of its run of orphans, and line of
				 * the ERROR that names the run */
	uint32_t stmt;
	uint32_t held;		/* bit 0: somebody holds it; of calls: enum
				 * pp_orphan and level in the tree */
};
#define PP_OWNER_HELD 1u
#define PP_OWNER_ORPHAN 1	/* shifts */
#define PP_OWNER_LEVEL 8

#define PP_NAME_CACHE_IDLE 1
#define PP_NAME_CACHE_BUSY 2

struct pp_account_maps {
	struct pp_map events;	/* session:name, class */
	struct pp_map buckets;	/* session:stmt, name:class:place */
	struct pp_map calls;	/* session:stmt, call */
	struct pp_map nodes;	/* parent:stmt, session:call */
	struct pp_map stmts;	/* session, stmt */
	struct pp_call_link *links; /* beside calls */
	size_t links_cap;
	uint32_t *node_cell;	/* beside nodes: its pp_call_cell */
	size_t node_cell_cap;
	uint8_t *idle;		/* by name: 0 not asked yet */
	size_t idle_cap;
	uint32_t *cpu_name;	/* by call name: "CPU " + it; 0: not yet */
	size_t cpu_name_cap;
	uint32_t call_name[PP_EV_LOB + 1]; /* names of kinds */
	uint32_t not_in_trace, unfinished, deeper, unaccounted, missing,
	    queue, cpu_one, commit, rollback, lost, unseen;
};

uint32_t pp_cell_event(struct pp_accounts *a, uint32_t session, uint32_t name,
    enum pp_class c);
uint32_t pp_cell_bucket(struct pp_accounts *a, uint32_t session,
    uint32_t stmt, uint32_t name, enum pp_class c, enum pp_place place);
uint32_t pp_cell_call(struct pp_accounts *a, uint32_t session, uint32_t stmt,
    uint32_t call);
uint32_t pp_cell_stmt(struct pp_accounts *a, uint32_t session, uint32_t stmt);

/* The child of `parent` (PP_NODE_ROOT: a root of the session) for this call
 * and statement. */
uint32_t pp_cell_node(struct pp_accounts *a, uint32_t session,
    uint32_t parent, uint32_t call, uint32_t stmt, bool synthetic);

/* The same for what is no call: it has no cell of `statement_calls`. */
uint32_t pp_cell_path(struct pp_accounts *a, uint32_t session,
    uint32_t parent, uint32_t name, uint32_t stmt);

/* The event name of a call's CPU. */
uint32_t pp_cell_cpu_name(struct pp_accounts *a, uint32_t call);

/* Is the wait called `name` idle between calls? */
bool pp_cell_idle(struct pp_accounts *a, uint32_t name);

/* Make room for the session's entries in sums, roots and axis_of. */
void pp_cell_session(struct pp_accounts *a, uint32_t session);

/* account.c: link children to parents and roots to sessions. */
void pp_account_link(struct pp_accounts *a);

/* timeline.c */

/* Axes for the sessions of the group. */
void pp_axis_build(struct pp_accounts *a, uint32_t group);

/* Forget the axes from `from` on: they were for splitting times only. */
void pp_axis_drop(struct pp_accounts *a, size_t from);

/* The interval that holds t, near `hint`. */
uint32_t pp_axis_find(const struct pp_axis *x, int64_t t, uint32_t hint);

/* Add to the slice of an interval. */
void pp_slices_add(struct pp_slices *s, struct pp_mem *mem,
    uint32_t interval, int64_t time, uint64_t count);

/* Split [start, end] over the intervals; the count goes to its end. */
void pp_slices_span(struct pp_slices *s, struct pp_mem *mem,
    const struct pp_axis *x, int64_t start, int64_t end, uint64_t count,
    uint32_t *hint);

/* Take [start, end] out of the slices that pp_slices_span put there. */
void pp_slices_cut(struct pp_slices *s, struct pp_mem *mem,
    const struct pp_axis *x, int64_t start, int64_t end, uint32_t *hint);

/* The same two for slices that are kept in rising order. */
void pp_slices_push(struct pp_slices *s, struct pp_mem *mem,
    uint32_t interval, int64_t time, uint64_t count);
void pp_slices_raise(struct pp_slices *s, struct pp_mem *mem,
    const struct pp_axis *x, int64_t start, int64_t end, uint64_t count,
    uint32_t *hint);

/* Turn slices round: into rising order, equal intervals merged. */
void pp_slices_sort(struct pp_slices *s);

/* After the walk: what is left of every interval, by session. */
void pp_timeline_rest(struct pp_accounts *a, uint32_t session,
    const uint32_t *buckets, size_t n, uint32_t rest_bucket);

/* stages.c */

/* After the walk: what is left of a session of states. */
void pp_close_states(struct pp_accounts *a, uint32_t session);

/* gaps.c */

/* The shortest stretch that would still be kept. */
int64_t pp_gap_threshold(const struct pp_session_sums *s);
void pp_gap_add(struct pp_session_sums *s, struct pp_mem *mem,
    const struct pp_gap *g);
void pp_gap_sort(struct pp_session_sums *s);

#endif
