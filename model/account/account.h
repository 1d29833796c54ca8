/*
 * account.h: the accounts, DESIGN section 6.
 *
 * pp_account_walk reads the event log of one group of sources backwards,
 * finds each call's parent and each wait's owner, and adds to the cells below.
 * Reports turn cells into tables; nobody else adds.  All times are ticks of
 * the session's clock (pp_session.digits decimals of a second).
 */
#ifndef PP_ACCOUNT_H
#define PP_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "../model.h"
#include "../base/hist.h"
#include "../log/extsort.h"
#include "selection.h"

enum pp_class {
	PP_CLASS_CPU,
	PP_CLASS_QUEUE,
	PP_CLASS_WAIT,
	PP_CLASS_IDLE,
	PP_CLASS_STAGE,
	PP_CLASS_STATEMENT,
	PP_CLASS_UNACCOUNTED,
	PP_CLASS_MISSING,
	PP_CLASS_COUNT
};

/* "cpu", "queue", "wait", ... as columns show it. */
const char *pp_class_name(enum pp_class c);

/* Recursive calls whose caller has no line. */
enum pp_orphan {
	PP_ORPHAN_NO,
	PP_ORPHAN_NOT_IN_TRACE,	/* under (call not in trace) */
	PP_ORPHAN_UNFINISHED	/* under (unfinished at end of trace) */
};

enum pp_place { PP_PLACE_CALL, PP_PLACE_BETWEEN };
const char *pp_place_name(enum pp_place p);

/* A share of an interval of the timeline. */
struct pp_slice {
	uint32_t interval;	/* from 0 */
	uint64_t count;		/* by end time */
	int64_t time;
};

struct pp_slices {
	struct pp_slice *v;	/* by falling interval while the walk lasts,
				 * rising and unique after pp_account_finish */
	uint32_t n, cap;
};

/* An event of a session: a row of `profile`. */
struct pp_event_cell {
	uint32_t session;
	uint32_t facet;		/* of pp_accounts.by only */
	uint32_t name;		/* in model.names */
	enum pp_class class;
	uint64_t count;
	pp_i128 time;
	int64_t min, max;
	bool counted;		/* count, average and extremes mean something */
	bool summed;		/* but single durations are not all known */
	pp_i128 outside;	/* of `time`: in queries without a state, of
				 * which shares are not taken; of events that
				 * name their parents: without a place on the
				 * time axis */
	struct pp_hist hist;	/* of its durations, where counted */
};

/* An event of a statement at a place: a row of `statement_events`; with its
 * slices the rows of `cube`. */
struct pp_bucket {
	uint32_t session, stmt;
	uint32_t event;		/* index of its pp_event_cell */
	enum pp_place place;
	uint64_t count;
	pp_i128 time;
	int64_t max;
	bool summed;		/* as in pp_event_cell */
	struct pp_slices slices;
};

/* Sums over calls. */
struct pp_sums {
	uint64_t calls;
	pp_i128 elapsed, cpu;
	pp_i128 self, self_cpu, self_wait, self_queue, self_unaccounted;
	uint64_t rows, misses;
	uint64_t p, cr, cu;	/* inclusive */
	int64_t self_p, self_cr, self_cu;
};

/* a += b, calls and all. */
void pp_sums_add(struct pp_sums *a, const struct pp_sums *b);

/* A call type of a statement: a row of `statement_calls`. */
struct pp_call_cell {
	uint32_t session, stmt;
	uint32_t call;		/* name in model.names: PARSE, EXEC, LOBREAD */
	struct pp_sums sums;
};

/* A path of calls: a row of `tree`. */
struct pp_node {
	uint32_t session;
	uint32_t parent;	/* index; PP_NODE_ROOT: none */
	uint32_t call;		/* name in model.names */
	uint32_t stmt;
	uint16_t level;
	bool synthetic;		/* (call not in trace), (unfinished ...) */
	uint32_t first_child, next_sibling; /* after pp_account_finish: in the
				 * order of the table; PP_NODE_ROOT ends */
	struct pp_sums sums;
};
#define PP_NODE_ROOT UINT32_MAX
#define PP_TREE_DEPTH 64

/* A statement in a session: a row of `statements`. */
struct pp_stmt_cell {
	uint32_t session, stmt;
	uint32_t facet;		/* of pp_accounts.by only */
	uint16_t depth;		/* least */
	bool has_depth;
	uint64_t executions, parses, misses;
	struct pp_sums sums;
	pp_i128 between;	/* waits between calls, by their cursor */
	pp_i128 recursive_parse, recursive_exec, recursive_fetch;
	int64_t first, last;	/* ticks: first begin, last end of its calls */
	bool has_time;
};

/* A stretch of time that nothing accounts for: a row of `gaps`. */
struct pp_gap {
	uint32_t after_line, before_line; /* 0: none */
	int64_t start, end;
	int64_t time;		/* end - start, less CPU spread on it */
	enum pp_place place;
	uint32_t stmt;
	uint32_t context;	/* of the event before it; between calls */
};
#define PP_GAPS 100

/* What a session adds up to (rule 6). */
struct pp_session_sums {
	pp_i128 root_elapsed, root_cpu, root_queue;
	pp_i128 waits, waits_between;	/* waits: all of them */
	pp_i128 wait_cpu, wait_queue;	/* SystemTap: inside waits */
	pp_i128 gaps, overlaps;		/* between roots, not under waits */
	pp_i128 missing;		/* known holes */
	pp_i128 call_unaccounted;	/* rule 5, summed over calls */
	pp_i128 unaccounted;		/* bottom-up, signed */
	pp_i128 stated;		/* SHOW PROFILE: of queries with states */
	pp_i128 apart;		/* of its span: in no event, for it is a rest
				 * of rounding or rows that LIMIT left out; of
				 * events that name their parents: without a
				 * place on the time axis */
	pp_i128 selected;		/* with a selection: all of `profile` */
	bool has_queue;
	bool has_cpu;		/* statements that tell their CPU time */
	uint64_t noverlaps;	/* times that roots or waits overlap ... */
	uint32_t overlap_line;	/* ... first on this line */
	uint64_t orphans, sticking_out;
	int64_t least_self;		/* smallest self time of a call */
	struct pp_gap *gap;		/* the widest PP_GAPS, by falling time
					 * after finish; NULL: none */
	uint32_t ngaps, gaps_cap;
	int64_t gap_least;		/* shorter stretches are not kept */
};

/* The axis of the timeline: one a source, and one more for each clock that
 * has nothing in common with the others. */
struct pp_axis {
	uint32_t source;
	uint32_t clock;
	uint8_t digits;
	int64_t start, end;	/* ticks */
	uint32_t n;		/* intervals */
	int64_t *edge;		/* n + 1 edges */
};

/* What the user may choose. */
struct pp_account_options {
	uint32_t intervals;	/* N; 0: use interval_us */
	pp_i128 interval_ps;	/* length of an interval in 10^-12 s */
	pp_i128 think_ps;	/* idle waits are not shorter than this */
	bool one_cpu;		/* --cpu one: `CPU service` */
	bool timeline;		/* slices are wanted */
	bool states_apart;	/* SHOW PROFILE: cells by event only; what is
				 * of a statement is read again: states.h */
	bool no_paths;		/* nodes of states are not: statements that
				 * run once each are then much smaller */
	bool seed_timeline;	/* by the seed's intervals, not even ones:
				 * needs pp_model.raw */
	bool seed_orphans;	/* and CPU by the seed's rule of depth */
	unsigned jobs;		/* threads that may walk the log */
	uint32_t lane_blocks;	/* blocks of the log that one is worth; 0: as
				 * many as are */
	const struct pp_selection *select; /* NULL: everything */
};

/* --merge: what is summed up. */
enum pp_merge {
	PP_MERGE_NONE,
	PP_MERGE_CLOCKS,	/* the sessions of a source on one clock */
	PP_MERGE_SESSIONS,	/* the sessions of a source */
	PP_MERGE_SOURCES	/* everything */
};

/* A session that stands for others; in merged accounts, by session. */
struct pp_stream {
	uint32_t into;		/* the session that stands for this one */
	bool alone;		/* no other one has its source */
	bool one_clock;		/* all are on its clock: start and end mean
				 * something */
	bool has_time;
	int64_t start, end;
	pp_i128 span;		/* sum of the spans */
};

/* What --by splits: profile and statements of each facet. */
struct pp_by_cells {
	struct pp_event_cell *events;
	size_t nevents, events_cap;
	struct pp_stmt_cell *stmts;
	size_t nstmts, stmts_cap;
	struct pp_map event_map; /* facet:session, name:class */
	struct pp_map stmt_map;	/* facet:session, stmt */
};

struct pp_accounts {
	struct pp_mem *mem;
	struct pp_model *model;
	struct pp_account_options opt;
	struct pp_event_cell *events;
	size_t nevents, events_cap;
	struct pp_bucket *buckets;
	size_t nbuckets, buckets_cap;
	struct pp_call_cell *calls;
	size_t ncalls, calls_cap;
	struct pp_node *nodes;
	size_t nnodes, nodes_cap;
	uint32_t *roots;	/* by session: first root node of the tree */
	struct pp_stmt_cell *stmts;
	size_t nstmts, stmts_cap;
	struct pp_session_sums *sums;	/* by session */
	size_t nsums, sums_cap;
	struct pp_axis *axes;
	size_t naxes, axes_cap;
	uint32_t *axis_of;	/* by session; UINT32_MAX: none */
	struct pp_eventlog owners; /* where raw tables ask: see forward.c */
	struct pp_extsort selfs; /* likewise: struct pp_nested_self */
	bool owners_odd;	/* its last slot holds one owner */
	size_t lanes;		/* that have walked the last group; 0: one
				 * walk */
	struct pp_by_cells by;	/* where model.facets says so */
	enum pp_merge merge;
	struct pp_stream *streams; /* by session, where merged; else NULL */
	struct pp_executions *executions; /* where merged */
	size_t nexecutions, executions_cap;
	struct pp_map execution_map; /* facet:session, stmt */
	struct pp_account_maps *maps; /* private: how cells are found */
	struct pp_select *select;	/* private: caches of opt.select */
};

void pp_account_init(struct pp_accounts *a, struct pp_model *m,
    const struct pp_account_options *opt);

/*
 * Account for the sessions of `group`, whose events are in model->log.
 * PP_FATAL when the log cannot be read.
 */
enum pp_status pp_account_walk(struct pp_accounts *a, uint32_t group);

/*
 * After the last group: bring cells into the order of the tables, merge
 * slices, add the rows `unaccounted-for` and `(between calls)`.
 */
void pp_account_finish(struct pp_accounts *a);

/*
 * Check the identities of DESIGN rule 7 for every session; the first that
 * does not hold is described in `why` (of `size` bytes) and false returned.
 */
bool pp_account_check(const struct pp_accounts *a, char *why, size_t size);

/*
 * Sum up finished accounts over sessions into `to`, another struct; the
 * cells of a merged session are those of one that stands for all
 * (pp_stream.into), at its clock's tick.  Slices are kept by PP_MERGE_CLOCKS
 * alone: intervals of different clocks have nothing in common.
 */
void pp_account_merge(struct pp_accounts *to, const struct pp_accounts *from,
    enum pp_merge how);

/* Span of a session of the accounts: of a merged one, the sum of spans; with
 * a selection, all that is selected. */
pp_i128 pp_account_span(const struct pp_accounts *a, uint32_t session);

/* First begin and last end; false where they are not known. */
bool pp_account_times(const struct pp_accounts *a, uint32_t session,
    int64_t *start, int64_t *end);

/* The executions of a statement; facet: PP_FACET_ALL without --by. */
const struct pp_executions *pp_account_executions(
    const struct pp_accounts *a, uint32_t session, uint32_t stmt,
    uint32_t facet);

/* Span of a session in ticks (0 without times). */
int64_t pp_session_span(const struct pp_session *s);

/*
 * Waits that are idle when they lie between calls (format facts: the message
 * from the client, timers of background processes, queues waited on).
 */
bool pp_event_idle(pp_str name);

/* Names of synthetic calls and events, interned by pp_account_init. */
#define PP_NAME_NOT_IN_TRACE "(call not in trace)"
#define PP_NAME_UNFINISHED "(unfinished at end of trace)"
#define PP_NAME_DEEPER "(deeper)"
#define PP_NAME_UNACCOUNTED "unaccounted-for"
#define PP_NAME_MISSING "missing"
#define PP_NAME_QUEUE "CPU run queue"
#define PP_NAME_CPU_ONE "CPU service"
#define PP_NAME_LOST "lost time"
#define PP_NAME_UNSEEN "(not recorded)"

/* Does a selection (--where, --since, --until) leave nothing of an input that
 * has events? */
bool pp_account_nothing(const struct pp_accounts *a);

#endif
