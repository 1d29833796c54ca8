/*
 * walk.h: the state of the backward walk.  Private to account/.
 */
#ifndef PP_ACCOUNT_WALK_H
#define PP_ACCOUNT_WALK_H

#include "cells.h"

/* A stretch of a call's self time that may become a gap. */
struct pp_segment {
	int64_t start, end;
	int64_t right;		/* self ticks of the call after this one */
	uint32_t after_line, before_line;
};

/* A call on the stack. */
struct pp_frame {
	int64_t start, end, dur;
	int64_t cover;		/* what lies right of this is covered or is a
				 * self segment that was seen */
	uint32_t cover_line;
	uint32_t line, stmt, node, cell;
	uint32_t facet;		/* where --by splits */
	uint64_t id;		/* where raw tables ask */
	uint16_t depth, level;
	uint8_t orphan;		/* enum pp_orphan: it or a caller of it is */
	bool has_queue;
	bool nested;		/* its caller stands at the same node */
	bool late;		/* PP_EVF_LATE */
	int64_t cpu, queue;
	uint64_t p, cr, cu, rows, misses;
	/* of its direct children */
	int64_t kid_dur, kid_cpu, kid_queue;
	uint64_t kid_p, kid_cr, kid_cu;
	/* of its waits */
	int64_t wait, wait_cpu, wait_queue;
	/* with a selection (select.h) */
	uint8_t selected;
	int64_t wait_in;	/* waits that are selected */
	/* of its self segments */
	int64_t length;
	/* keep their memory when the frame is used again */
	struct pp_slices share;	/* ticks an interval */
	struct pp_segment *segs;
	uint32_t nsegs, segs_cap;
};

/* Frames of a range of depths, by place on the stack. */
struct pp_nearest_list {
	uint32_t *v;
	uint32_t n, cap;
};

/* Where the stack has become long (nearest.c). */
struct pp_nearest {
	struct pp_nearest_list *lists;	/* 1 .. depths; NULL: not in use */
	uint32_t depths;
	struct pp_nearest_list late;
};

/* Stacks up to here are looked through frame by frame. */
#define PP_NEAREST_FROM 32

struct pp_walk_session {
	struct pp_frame *stack;	/* slots keep their arrays when reused */
	uint32_t n, cap;
	struct pp_nearest nearest;
	int64_t cover;		/* of the session, as in a frame */
	uint32_t cover_line;
	uint32_t run_stmt;	/* names the run of orphans at hand */
	uint32_t run_line;	/* line of the ERROR that does; 0: none */
	uint32_t run;		/* number of the run */
	uint32_t least_depth;	/* of the calls met */
	uint32_t hint;		/* interval met last */
	uint32_t context;	/* of the event met last */
	bool begun;
	bool left;		/* its events are left for another lane */
	/* an unordered session: gaps that a late event may still fill */
	struct pp_gap *gaps;
	uint32_t ngaps;
};

/* How far back a late event may reach: gaps between roots that are kept. */
#define PP_WALK_GAPS 4096

/* An event with its extensions, in the log. */
struct pp_walk_event {
	const struct pp_ev *ev;
	const struct pp_ev_ext *ext; /* where PP_EVF_EXT says so */
	const struct pp_ev_ext2 *ext2; /* where PP_EVF_EXT2 does */
	uint64_t id;		/* where raw tables ask; else 0 */
};

struct pp_walk {
	struct pp_accounts *a;
	uint32_t group;
	uint32_t session;	/* at hand */
	uint32_t context;	/* index in the model, of the event at hand */
	uint32_t facet;		/* at hand, where --by splits */
	struct pp_walk_session *ws; /* of the session at hand */
	struct pp_session_sums *sums; /* likewise */
	struct pp_walk_session *all; /* by session, from `first` on */
	size_t first, nall;	/* the sessions of the group lie in between */
	const struct pp_axis *axis; /* of the session at hand; NULL: none */
	bool depth_decides;
	bool unordered;		/* of the session at hand */
	uint32_t query;		/* node of the query at hand; PP_NODE_ROOT */
	uint32_t query_stmt;	/* cell of its statement */
	int64_t think;		/* ticks */
	union pp_slot *owner;	/* half-filled slot of accounts.owners */
	uint64_t at;		/* place of the event at hand: falls */
	struct pp_lane *lane;	/* see lanes.h; NULL: one walk does it all */
	bool later;		/* what is open where it begins is not known */
};

/* walk_state.c */

/* Room for the state of the group's sessions. */
void pp_walk_sessions(struct pp_walk *w);

void pp_walk_begin(struct pp_walk *w, struct pp_accounts *a, uint32_t group);
void pp_walk_end(struct pp_walk *w);

/* Close what is open of a session, the last that is done with it. */
void pp_walk_end_session(struct pp_walk *w, uint32_t session);

/* Make `session` the one at hand (UINT32_MAX: none yet). */
void pp_walk_switch(struct pp_walk *w, uint32_t session);

/* The gaps of an unordered session that are still kept are final. */
void pp_walk_settle_gaps(struct pp_walk *w, struct pp_walk_session *ws,
    uint32_t n);

/* Count one occurrence of an event whose bucket is known: cells, slices. */
static inline void
pp_walk_count_in(struct pp_walk *w, uint32_t bucket, int64_t start,
    int64_t end, int64_t dur)
{
	struct pp_bucket *b = pp_cell_count(w->a, bucket, dur);

	if (w->axis != NULL)
		pp_slices_span(&b->slices, w->a->mem, w->axis, start, end, 1,
		    &w->ws->hint);
}

/* The same, by its key. */
static inline void
pp_walk_count(struct pp_walk *w, uint32_t name, enum pp_class c,
    uint32_t stmt, enum pp_place place, int64_t start, int64_t end,
    int64_t dur)
{
	pp_walk_count_in(w, pp_cell_bucket(w->a, w->session, stmt, name, c,
	    place), start, end, dur);
}

/* stages.c: a query of SHOW PROFILE, and what lies in it. */
void pp_walk_statement(struct pp_walk *w, const struct pp_ev *ev);
void pp_walk_stage(struct pp_walk *w, const struct pp_walk_event *e);

/* Child f lies partly outside of its parent u: count and tell it. */
void pp_walk_sticks_out(struct pp_walk *w, const struct pp_frame *f,
    const struct pp_frame *u);
void pp_walk_tell_outside(struct pp_model *m, uint32_t session,
    uint32_t line, uint32_t parent_line);

/* walk.c */

/* Walk n slots of whole events, the last first; the place of slot i is
 * base + i + 1. */
void pp_walk_slots(struct pp_walk *w, const union pp_slot *slots, size_t n,
    uint64_t base);

/*
 * The session at hand goes on in another lane from this call of depth 0 on:
 * close what has ended there and account for what lies behind it.  False
 * where something is open yet.
 */
bool pp_walk_hand_over(struct pp_walk *w, const struct pp_ev *ev);

/* nearest.c: the stack of ws, indexed from PP_NEAREST_FROM frames until it is
 * empty. */

/* The top frame is new. */
void pp_nearest_push(struct pp_walk *w, struct pp_walk_session *ws);

/* The frame at ws->n has left. */
void pp_nearest_pop(struct pp_walk *w, struct pp_walk_session *ws);

/*
 * The frame nearest to the top that has less than `depth` and whose interval
 * holds the point middle / 2; where depth decides, by depth alone.
 * UINT32_MAX: none.
 */
uint32_t pp_nearest_find(const struct pp_walk *w,
    const struct pp_walk_session *ws, uint32_t depth, pp_i128 middle);

void pp_nearest_free(struct pp_walk *w, struct pp_walk_session *ws);

/* frame.c */

/* floor(c * x / l) for 0 <= x <= l, l > 0 */
int64_t pp_frame_spread(int64_t c, int64_t x, int64_t l);

/* A frame on top, with nothing of a call but what read_call sets. */
struct pp_frame *pp_frame_push(struct pp_walk *w, struct pp_walk_session *ws);

/* [start, end] of the frame is taken by a child or a wait. */
void pp_frame_cover(struct pp_walk *w, struct pp_frame *f, int64_t start,
    int64_t end, uint32_t line);

/* CPU and run queue inside a wait of the frame (SystemTap). */
void pp_frame_wait_samples(struct pp_walk *w, struct pp_frame *f,
    const struct pp_ev_ext2 *x);

/* Close the top frame: nothing earlier belongs to it. */
void pp_frame_close(struct pp_walk *w, struct pp_walk_session *ws);

#endif
