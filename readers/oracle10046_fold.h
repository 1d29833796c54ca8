/*
 * oracle10046_fold.h: the state of the Oracle reader's fold, shared by the
 * files oracle10046*.c and by nobody else.
 *
 *   oracle10046.c          the loop over records; calls and timed waits
 *   oracle10046_probe.c    what the head of a file tells
 *   oracle10046_clock.c    units, anchors, wrap, drift
 *   oracle10046_session.c  headers, markers, sessions, contexts
 *   oracle10046_cursor.c   cursor numbers, statements, texts
 *   oracle10046_tell.c     what is told about damaged lines
 *   oracle10046_wait.c     waits without tim, waits on a clock in doubt
 */
#ifndef PP_ORACLE10046_FOLD_H
#define PP_ORACLE10046_FOLD_H

#include "oracle10046.h"

#define PP_OF_NONE UINT32_MAX

/*
 * Times beyond these cannot be real; keeping them out keeps every sum of two
 * of them inside 64 bits.
 */
#define PP_OF_TIME_BITS 61
/* No time yet: before all times, and far enough from the ends of 64 bits. */
#define PP_OF_UNSET (INT64_MIN / 4)

/*
 * The clock of a header segment: what its lines tell about its unit.  Evidence
 * is gathered while the segment is read and judged at its end, because a
 * tick of 10 ms and one of 1 us look the same in a single line.
 */
struct pp_of_clock {
	uint32_t number;	/* pp_session.clock */
	uint64_t tims;		/* all times, or-ed */
	unsigned call_has;	/* PP_O_HAS_* of calls, or-ed */
	unsigned call_subs;	/* 1 << sub of calls, or-ed */
	unsigned wait_has;	/* PP_O_HAS_* of waits, or-ed ... */
	unsigned wait_all;	/* ... and and-ed */
	bool sqlid;		/* a PARSING line with sqlid= */
	int64_t most_ela;	/* of waits inside calls, no tim */
	int major;		/* of the banner's release; 0: none */
	bool centi;		/* ticks of 10 ms, as far as is known */
	int64_t second;		/* ticks of a second */
	int64_t high;		/* latest end, PP_OF_UNSET: none */
	int64_t wrap;		/* added to each time: n x 2^32 */
	bool scale_1024;
	/* pairs of wall-clock stamp and time */
	bool anchored;
	bool coarse;		/* stamps of milliseconds */
	struct pp_wall wall0, wall1; /* first and last stamp */
	int64_t tick0, tick1;
	int64_t drift, drift_1024; /* widest, by either scale, us */
	uint64_t drift_line, drift_1024_line;
	bool told_unit, told_drift, told_wrap;
};

/* A wait outside the fast path, and one that cannot be logged yet. */
struct pp_of_pending {
	uint64_t seq;		/* order of arrival */
	uint64_t line;
	uint32_t next;		/* in its list */
	uint32_t name;
	uint32_t cursor;	/* index; PP_OF_NONE: #0 */
	bool between;		/* between calls, by its name */
	int64_t ela;
	int64_t end;		/* by the running clock; held: tim */
	int64_t cpu, queue;	/* SystemTap; PP_NO_TIME: none */
	union pp_slot raw[PP_RAW_SLOTS]; /* where raw tables ask */
};

/* What the parameters of an event were called last, where raw tables ask. */
struct pp_of_params {
	uint64_t hash;		/* of the event's name */
	pp_str names;
	uint32_t id;		/* in model.names */
};

struct pp_of_list {
	uint32_t head, tail;
};

struct pp_of_session {
	uint32_t index;		/* in the model */
	uint32_t sid;		/* SESSION ID, in names; 0: none yet */
	uint64_t segment, pid;
	struct pp_of_clock *clock;
	int64_t now;		/* last end by a time that was printed */
	int64_t ahead;		/* the same, moved on by waits without tim */
	int64_t call_now;	/* end of the last call */
	int64_t high;		/* latest end since the last ERA */
	bool wait_clock_off;	/* tim of waits is of another clock */
	/* what the file has told since the last merge into the model */
	int64_t start, end;
	uint64_t calls, waits;
	uint64_t first_line, last_line;
	/* ERROR lines name runs of orphans */
	uint64_t run;		/* number of the run of calls */
	uint64_t run_used;	/* run that has a call of depth > 0 */
	uint64_t back_count, back_line;
	int64_t back_most;
	uint32_t context;	/* index in the model */
	uint32_t attr[PP_O_OTHER_KEY]; /* values of markers, in names */
	struct pp_of_list zero;	/* waits at #0 that wait for a call */
	uint64_t npending;	/* these and the ones of its cursors */
	struct pp_of_list leading; /* waits between calls before any time */
	uint64_t nleading;
	struct pp_of_list held;	/* waits on a clock in doubt */
	uint64_t nheld;
	bool rpc_held;		/* an RPC EXEC, which has no time */
	struct pp_o_rec rpc;
	int64_t rpc_now;	/* the clock when it came */
	bool hole;		/* the next event ends a known hole */
	bool waiting;		/* any of this */
	bool doubtful;		/* waits need a closer look */
	uint32_t share, share_source; /* row of session_sources */
};

/* A cursor number of a session; what it stands for changes. */
struct pp_of_cursor {
	uint64_t number;
	uint64_t run;		/* run of its last call */
	uint32_t session;	/* index in pp_fold.sessions */
	uint32_t stmt;
	bool known;		/* its PARSING was seen */
	bool called;		/* a call of this incarnation was seen */
	bool stale;		/* known from before a hole */
	bool executing;		/* an EXEC was seen since the PARSING */
	int64_t execution;	/* its elapsed time with its FETCHes */
	uint32_t context;	/* of that EXEC */
	struct pp_of_list pending;
};

/* A slot that names a statement which a PARSING may still replace. */
struct pp_of_patch {
	union pp_slot *slot;
	uint64_t block;		/* pp_eventlog.count when it was written */
	uint32_t cursor;
};
#define PP_OF_PATCHES 16

struct pp_of_misfit {
	uint64_t line, offset;
	uint32_t stmt;
};

struct pp_of_name {
	uint64_t hash;
	size_t n;
	uint32_t id;
	bool between;		/* lies between calls when there is no tim */
};
#define PP_OF_NAMES 1024		/* power of two */

struct pp_of_cached_cursor {
	uint64_t number;
	uint32_t session, cursor;
};
#define PP_OF_CURSORS 256	/* power of two */
#define PP_OF_CURSOR_HASH(n) \
	(((n) ^ ((n) >> 7) ^ ((n) >> 15)) & (PP_OF_CURSORS - 1))

/* The plan that STAT lines are printing. */
struct pp_of_plan {
	uint64_t cursor;
	uint32_t session, stmt;	/* in the model */
	struct pp_plan_row *rows;
	size_t n, cap;
	bool has_id;		/* its rows are numbered */
};

/* The set of values that a BINDS block is turned into. */
struct pp_of_bindset {
	char *set;
	size_t n, cap;
	struct pp_arena text;
};

/* What must be done before the next event can be logged. */
#define PP_OF_SWITCH 0x01	/* find the session */
#define PP_OF_STAMPED 0x02	/* a stamp waits for its time */
#define PP_OF_FILE 0x04		/* log the change of file */
#define PP_OF_STAGED 0x08	/* values of markers wait for their session */
#define PP_OF_HOLE 0x10		/* a part of the trace is missing before it */

struct pp_fold {
	struct pp_model *m;
	struct pp_mem *mem;
	uint32_t group;
	uint32_t source;	/* index of the file being read */
	unsigned todo;		/* PP_OF_SWITCH ... */
	struct pp_of_session *s;	/* current, where PP_OF_SWITCH is not set */
	struct pp_of_clock *clock;
	struct pp_of_session **sessions;
	size_t nsessions, sessions_cap;
	struct pp_of_clock **clocks;
	size_t nclocks, clocks_cap;
	struct pp_of_cursor *cursors;
	size_t ncursors, cursors_cap;
	struct pp_map cursor_map;	/* (number, session) -> cursor */
	struct pp_map session_map;	/* (segment, sid; pid) -> session */
	struct pp_map sid_map;		/* (segment, pid) -> sid */
	struct pp_map context_map;
	struct pp_map text_map;		/* (hash, len and hv) -> stmt */
	struct pp_of_cached_cursor cached[PP_OF_CURSORS];
	struct pp_of_name names[PP_OF_NAMES];
	struct pp_of_params params[PP_OF_NAMES];
	struct pp_of_patch patches[PP_OF_PATCHES];
	unsigned npatches;
	struct pp_of_pending *pending;
	size_t npending, pending_cap;
	uint32_t pending_free;
	uint64_t seq;
	struct pp_of_plan plan;
	struct pp_of_bindset bindset;
	uint64_t event_id;	/* of the last event, where raw tables ask */
	/* what the log says */
	uint32_t log_session, log_file, log_context;
	/* the segment before, for a header that continues it */
	uint64_t last_segment, last_pid;
	struct pp_of_clock *last_clock;
	bool continued;		/* TRACE CONTINUED since the last event */
	/* the wanted session */
	uint64_t segment, segments;
	uint64_t pid;
	uint32_t sid;
	uint32_t process;	/* image, in names */
	uint32_t staged[PP_O_OTHER_KEY];
	unsigned staged_mask;
	struct pp_wall stamp;	/* the last one */
	uint64_t stamp_line;
	bool stamp_coarse;	/* milliseconds, or none */
	bool stamp_bare;	/* it stands alone, or after one that does */
	/* of the current file */
	bool begun;		/* a record was seen */
	int64_t last_tim;	/* of the record before */
	uint64_t records;	/* so far, not yet in the model */
	uint32_t ordinal;
	bool partial;
	int segment_no;		/* of NAME_n.trc; 0: none */
	pp_str segment_base;
	/* texts that fit no printed hash, while none ever has */
	bool hash_fits;
	struct pp_of_misfit *misfits;
	size_t nmisfits, misfits_cap;
	char *scratch;		/* text plus what was sent but not printed */
	size_t scratch_cap;
};

static inline struct pp_source *
pp_of_source(struct pp_fold *f)
{
	return &f->m->sources[f->source];
}

/* oracle10046.c */
void pp_of_log_wait(struct pp_fold *f, struct pp_of_session *s,
    const struct pp_of_pending *w, int64_t end, unsigned flags);
/* Log a wait by its tim, w->end. */
void pp_of_timed_wait(struct pp_fold *f, struct pp_of_session *s,
    const struct pp_of_pending *w);
void pp_of_log_call(struct pp_fold *f, struct pp_of_session *s,
    const struct pp_o_rec *r, uint32_t stmt, int64_t end);

/* oracle10046_binds.c */
void pp_of_binds(struct pp_fold *f, const struct pp_o_rec *r);

/* oracle10046_plan.c */
void pp_of_stat(struct pp_fold *f, const struct pp_o_rec *r);
/* The plan at hand is whole. */
void pp_of_plan_end(struct pp_fold *f);
/* A row of `errors`; at: PP_NO_TIME where it is not known. */
void pp_of_error_row(struct pp_fold *f, const struct pp_o_rec *r,
    int64_t code, uint32_t stmt, int64_t at, bool parse);

/* oracle10046_raw.c: where raw tables ask */
/* What the raw slots of a wait or call say, but for id and flags. */
void pp_of_raw_wait(struct pp_fold *f, const struct pp_o_rec *r,
    union pp_slot raw[PP_RAW_SLOTS]);
void pp_of_raw_call(const struct pp_o_rec *r, union pp_slot raw[PP_RAW_SLOTS]);
/* Log them in front of an event with these flags; PP_EVF_RAW. */
unsigned pp_of_log_raw(struct pp_fold *f,
    const union pp_slot raw[PP_RAW_SLOTS], unsigned flags);

/* oracle10046_tell.c */
/* Count a line that could not be used. */
void pp_of_reject(struct pp_fold *f, const struct pp_o_rec *r, enum pp_msg id,
    const char *what);
/* Tell a problem of the line of a record. */
void pp_of_tell(struct pp_fold *f, const struct pp_o_rec *r, enum pp_msg id,
    const char *text, pp_str excerpt);

void pp_of_damage(struct pp_fold *f, const struct pp_o_rec *r);
void pp_of_noise(struct pp_fold *f, const struct pp_o_rec *r);
void pp_of_negative(struct pp_fold *f, const struct pp_o_rec *r);

/* oracle10046_probe.c */
int pp_of_probe(pp_str head);
void pp_of_peek(pp_str head, struct pp_peek *out);

/* oracle10046_clock.c */
struct pp_of_clock *pp_of_clock_new(struct pp_fold *f);
/* 9 of "... Release 9.2.0.6.0 ..."; 0 without one. */
int pp_of_clock_major(pp_str banner);
/* Unit and tolerances by what has been seen so far. */
void pp_of_clock_reconsider(struct pp_of_clock *k);
/* `tim` on the unwrapped clock; changes nothing. */
int64_t pp_of_clock_time(struct pp_fold *f, struct pp_of_session *s,
    int64_t tim);
/* The end of an event whose `tim` is before the latest end so far, or on a
 * clock that has wrapped. */
int64_t pp_of_clock_back(struct pp_fold *f, struct pp_of_session *s,
    int64_t tim, uint64_t line);
/* Pair the last stamp with an event of the session, `dur` ticks up to
 * `tick`. */
void pp_of_clock_anchor(struct pp_fold *f, struct pp_of_session *s,
    int64_t dur, int64_t tick);
/* Judge units and scales, write them into the model. */
void pp_of_clock_judge(struct pp_fold *f);
/* Is `tim` of the last record, which has no line end, a cut number? */
bool pp_of_clock_cut(int64_t tim, int64_t before);

/* oracle10046_session.c */
void pp_of_header(struct pp_fold *f, const struct pp_o_rec *r);
void pp_of_marker(struct pp_fold *f, const struct pp_o_rec *r);
void pp_of_appname(struct pp_fold *f, const struct pp_o_rec *r);
/* Do what f->todo asks for; a record of kind r comes. */
void pp_of_ready(struct pp_fold *f, const struct pp_o_rec *r);
void pp_of_segment(struct pp_fold *f);
/* Number of the file among the segments of a trace, by its name. */
void pp_of_segment_name(struct pp_fold *f);
/* Log the hole that ends where an event begins. */
void pp_of_hole(struct pp_fold *f, struct pp_of_session *s, uint64_t line,
    int64_t start);
/* Make s the session of what is logged next. */
void pp_of_log_session(struct pp_fold *f, struct pp_of_session *s);
/* Move what the file has told about its sessions into the model. */
void pp_of_merge(struct pp_fold *f);

/* oracle10046_cursor.c */
/* The cursor `number` of the current session, made where it is new. */
uint32_t pp_of_cursor_slow(struct pp_fold *f, uint64_t number);
/* The execution of a cursor has ended: count it. */
void pp_of_execution(struct pp_fold *f, struct pp_of_cursor *c);
/* A part of the trace is missing: what the session's numbers stand for may
 * have changed. */
void pp_of_stale(struct pp_fold *f, uint32_t session);
void pp_of_parsing(struct pp_fold *f, const struct pp_o_rec *r);
/* The statement of a PARSE ERROR; its cursor stands for it from now on. */
void pp_of_parse_error(struct pp_fold *f, const struct pp_o_rec *r);
/* `slot` names a statement of a cursor that nothing has introduced. */
void pp_of_patch_later(struct pp_fold *f, union pp_slot *slot,
    uint32_t cursor);
void pp_of_misfits(struct pp_fold *f);

/* oracle10046_wait.c */
/* The record of a WAIT as it is kept. */
struct pp_of_pending pp_of_wait_of(struct pp_fold *f,
    const struct pp_o_rec *r, const struct pp_of_name *name, int64_t ela);
/* A WAIT without tim. */
void pp_of_untimed(struct pp_fold *f, const struct pp_o_rec *r,
    const struct pp_of_name *name, int64_t ela);
/* A WAIT whose tim is more than a second off the running clock; true when it
 * has been dealt with. */
bool pp_of_doubt(struct pp_fold *f, const struct pp_o_rec *r,
    const struct pp_of_name *name, int64_t ela);
void pp_of_hold_rpc(struct pp_fold *f, const struct pp_o_rec *r);
/* An event from start to end comes, a call or a wait: log what waits for
 * that to be placed. */
void pp_of_settle(struct pp_fold *f, struct pp_of_session *s, bool call,
    uint64_t line, int64_t start, int64_t end);
/* Log the waits of the call that is logged next; cursor: PP_OF_NONE: none. */
void pp_of_settle_owned(struct pp_fold *f, struct pp_of_session *s,
    uint32_t cursor, int64_t start, int64_t end);
/* Log all that waits in s: nothing comes any more. */
void pp_of_settle_all(struct pp_fold *f, struct pp_of_session *s);
/* Between calls, by name alone (format facts). */
bool pp_of_between(pp_str name);

static inline uint32_t
pp_of_cursor(struct pp_fold *f, uint64_t number, uint32_t session)
{
	const struct pp_of_cached_cursor *c =
	    &f->cached[PP_OF_CURSOR_HASH(number)];

	if (c->number == number && c->session == session)
		return c->cursor;
	return pp_of_cursor_slow(f, number);
}

#endif
