/*
 * cells.h: how the walk finds the cells it adds to.  Private to account/.
 */
#ifndef PP_ACCOUNT_CELLS_H
#define PP_ACCOUNT_CELLS_H

#include "account.h"

/*
 * What a call adds to besides its node: beside `calls`.  pp_account_finish
 * adds what is kept here, and the sums of nodes, to cells and statements: a
 * call that is closed touches as little memory as can be.
 */
struct pp_call_link {
	uint32_t stmt;		/* pp_stmt_cell */
	uint32_t cpu;		/* bucket of the call's CPU */
	uint32_t unaccounted;	/* bucket of what is left */
	uint32_t queue;		/* bucket of run queue, UINT32_MAX: none yet */
	int64_t first, last;	/* of the statement: first begin, last end; */
	uint32_t depth;		/* least depth; UINT32_MAX: none yet */
	pp_i128 recursive[3];	/* PARSE, EXEC, FETCH */
};

/* Keys that were looked up last, so that most look-ups end here: a trace does
 * the same things over and over. */
struct pp_node_memo {
	uint32_t session, parent, stmt, call, node;
};
struct pp_bucket_memo {
	uint32_t session, stmt, name, what, bucket;
};
#define PP_CELL_MEMO 256

/* Kinds of cells, and where in the log those of a lane were made. */
enum pp_cells {
	PP_CELLS_EVENT,
	PP_CELLS_BUCKET,
	PP_CELLS_CALL,
	PP_CELLS_NODE,
	PP_CELLS_STMT,
	PP_CELLS
};
struct pp_cell_places {
	uint64_t *v;
	size_t cap;
};

/* A lane makes no names: that of a call's CPU is the call's with this. */
#define PP_NAME_CPU_OF 0x80000000u

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
	/* of a lane: the place of the event at hand, which cells keep */
	const uint64_t *at;	/* NULL: no lane */
	struct pp_cell_places places[PP_CELLS];
	struct pp_node_memo node_memo[PP_CELL_MEMO];
	struct pp_bucket_memo bucket_memo[PP_CELL_MEMO];
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

/* Empty maps; those of a lane of other accounts begin with what `from`
 * knows. */
void pp_cell_maps(struct pp_accounts *a, const struct pp_account_maps *from);

uint32_t pp_cell_event(struct pp_accounts *a, uint32_t session, uint32_t name,
    enum pp_class c);
/* The same two, the long way: what is not in the memo. */
uint32_t pp_cell_bucket_find(struct pp_accounts *a, uint32_t session,
    uint32_t stmt, uint32_t name, enum pp_class c, enum pp_place place,
    struct pp_bucket_memo *m);
uint32_t pp_cell_node_find(struct pp_accounts *a, uint32_t session,
    uint32_t parent, uint32_t call, uint32_t stmt, bool synthetic,
    struct pp_node_memo *m);

static inline uint32_t
pp_cell_bucket(struct pp_accounts *a, uint32_t session, uint32_t stmt,
    uint32_t name, enum pp_class c, enum pp_place place)
{
	uint32_t what = (uint32_t)c << 1 | (uint32_t)place,
	    i = stmt * 37 + name * 5 + what;
	struct pp_bucket_memo *m =
	    &a->maps->bucket_memo[i % PP_CELL_MEMO];

	if (m->stmt == stmt && m->name == name && m->session == session &&
	    m->what == what)
		return m->bucket;
	return pp_cell_bucket_find(a, session, stmt, name, c, place, m);
}

/* Count an occurrence of t ticks in a bucket and in its event. */
static inline struct pp_bucket *
pp_cell_count(struct pp_accounts *a, uint32_t bucket, int64_t t)
{
	struct pp_bucket *b = &a->buckets[bucket];
	struct pp_event_cell *e = &a->events[b->event];

	b->count++;
	b->time += t;
	if (t > b->max)
		b->max = t;
	e->count++;
	e->time += t;
	if (t < e->min)
		e->min = t;
	if (t > e->max)
		e->max = t;
	pp_hist_add(&e->hist, a->mem, t);
	return b;
}

uint32_t pp_cell_call(struct pp_accounts *a, uint32_t session, uint32_t stmt,
    uint32_t call);
uint32_t pp_cell_stmt(struct pp_accounts *a, uint32_t session, uint32_t stmt);

/* The child of `parent` (PP_NODE_ROOT: a root of the session) for this call
 * and statement. */
static inline uint32_t
pp_cell_node(struct pp_accounts *a, uint32_t session, uint32_t parent,
    uint32_t call, uint32_t stmt, bool synthetic)
{
	uint32_t i = parent * 37 + stmt * 5 + call;
	struct pp_node_memo *m = &a->maps->node_memo[i % PP_CELL_MEMO];

	if (m->parent == parent && m->stmt == stmt && m->call == call &&
	    m->session == session)
		return m->node;
	return pp_cell_node_find(a, session, parent, call, stmt, synthetic,
	    m);
}

/* The same for what is no call: it has no cell of `statement_calls`. */
uint32_t pp_cell_path(struct pp_accounts *a, uint32_t session,
    uint32_t parent, uint32_t name, uint32_t stmt);

/* The event name of a call's CPU. */
uint32_t pp_cell_cpu_name(struct pp_accounts *a, uint32_t call);

/* Is the wait called `name` idle between calls? */
bool pp_cell_idle(struct pp_accounts *a, uint32_t name);

/* Make room for the session's entries in sums, roots and axis_of. */
void pp_cell_session(struct pp_accounts *a, uint32_t session);

/* merge.c: add what another cell of the same key has, times f; times: first
 * and last too. */
void pp_sums_join(struct pp_session_sums *t, const struct pp_session_sums *s,
    int64_t f);
void pp_event_join(struct pp_mem *mem, struct pp_event_cell *t,
    const struct pp_event_cell *s, int64_t f);
void pp_stmt_join(struct pp_stmt_cell *t, const struct pp_stmt_cell *s,
    int64_t f, bool times);

/* account.c: link children to parents and roots to sessions. */
void pp_account_link(struct pp_accounts *a);

/* timeline.c */

/* Axes for the sessions of the group. */
void pp_axis_build(struct pp_accounts *a, uint32_t group);

/* Forget the axes from `from` on: they were for splitting times only. */
void pp_axis_drop(struct pp_accounts *a, size_t from);

/* The interval that holds t. */
uint32_t pp_axis_search(const struct pp_axis *x, int64_t t);

/* The same, near `hint`. */
static inline uint32_t
pp_axis_find(const struct pp_axis *x, int64_t t, uint32_t hint)
{
	if (hint < x->n && x->edge[hint] <= t &&
	    (t < x->edge[hint + 1] || (hint + 1 == x->n && t <= x->end)))
		return hint;
	return pp_axis_search(x, t);
}

/* Add to the slice of an interval. */
void pp_slices_insert(struct pp_slices *s, struct pp_mem *mem,
    uint32_t interval, int64_t time, uint64_t count);

/* The same: the walk goes backwards, so the interval is mostly the last. */
static inline void
pp_slices_add(struct pp_slices *s, struct pp_mem *mem, uint32_t interval,
    int64_t time, uint64_t count)
{
	if (s->n > 0 && s->v[s->n - 1].interval == interval) {
		s->v[s->n - 1].time += time;
		s->v[s->n - 1].count += count;
	} else
		pp_slices_insert(s, mem, interval, time, count);
}

/* Split [start, end] over the intervals; the count goes to its end. */
void pp_slices_split(struct pp_slices *s, struct pp_mem *mem,
    const struct pp_axis *x, int64_t start, int64_t end, uint64_t count,
    uint32_t *hint);

/* The same: mostly all of it lies in the interval that was met last. */
static inline void
pp_slices_span(struct pp_slices *s, struct pp_mem *mem,
    const struct pp_axis *x, int64_t start, int64_t end, uint64_t count,
    uint32_t *hint)
{
	uint32_t k = *hint;

	if (k < x->n && x->edge[k] <= start && start <= end &&
	    end < x->edge[k + 1])
		pp_slices_add(s, mem, k, end - start, count);
	else
		pp_slices_split(s, mem, x, start, end, count, hint);
}

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

void pp_gap_add(struct pp_session_sums *s, struct pp_mem *mem,
    const struct pp_gap *g);
void pp_gap_sort(struct pp_session_sums *s);

#endif
