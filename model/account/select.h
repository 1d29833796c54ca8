/*
 * select.h: the walk with a selection.  Private to account/.
 *
 * The axis that such a walk splits times by has an interval before the window
 * and one behind it; what falls into those is not added to anything.
 */
#ifndef PP_ACCOUNT_SELECT_H
#define PP_ACCOUNT_SELECT_H

#include "forward.h"
#include "selection.h"
#include "walk.h"

/* What of a call is selected: bits of pp_frame.selected. */
#define PP_SELECT_CALL	0x01
#define PP_SELECT_CPU	0x02
#define PP_SELECT_QUEUE	0x04
#define PP_SELECT_REST	0x08

/* What is wanted of an axis. */
struct pp_window {
	bool empty;		/* it meets nothing of the axis */
	int64_t from, to;	/* half-open */
	struct pp_axis wide;	/* with an interval before and one behind */
};

struct pp_select {
	const struct pp_selection *s;
	bool has[PP_WHERE_COUNT];
	bool events;		/* conditions on event or class */
	bool class_ok[PP_CLASS_COUNT];
	/* caches */
	uint8_t *stmt, *context, *session, *name;
	size_t stmt_cap, context_cap, session_cap, name_cap;
	bool cut;		/* there is a window */
	bool slices_wanted;	/* for an even timeline */
	struct pp_window **window;	/* by session; NULL: it has no times */
	size_t nwindow;
	struct pp_window *made;	/* by pp_select_window */
	struct pp_slices slices; /* scratch */
	bool session_ok;	/* the session at hand */
	const struct pp_window *at;	/* its window; NULL: none */
};

/* Is interval k of the walk's axis a part of the window? */
static inline bool
pp_select_inside(const struct pp_select *t, uint32_t k)
{
	return t->at == NULL || (k >= 1 && k + 1 < t->at->wide.n);
}

/* Is `end` in the window? */
static inline bool
pp_select_holds(const struct pp_select *t, int64_t end)
{
	return t->at == NULL || (!t->at->empty && end >= t->at->from &&
	    end < t->at->to);
}

/* Caches of accounts.select; NULL where there is no selection. */
struct pp_select *pp_select_new(struct pp_accounts *a);

/* Make the window of axis i, whose start and end are known; *from and *to
 * become the part of the axis that lies in it. */
void pp_select_window(struct pp_accounts *a, size_t i, int64_t *from,
    int64_t *to);

/* Its edges have been laid: note it for the axis' sessions of the group. */
void pp_select_extend(struct pp_accounts *a, size_t i, uint32_t group);

/* A session is at hand. */
void pp_select_session(struct pp_walk *w);

/* A call is on the stack: what of it is selected? */
void pp_select_frame(struct pp_walk *w, struct pp_frame *f, uint32_t call);

/* A wait or a hole; owner: its call, NULL: between calls. */
void pp_select_occurrence(struct pp_walk *w, struct pp_frame *owner,
    uint32_t name, enum pp_class c, uint32_t stmt, enum pp_place place,
    int64_t start, int64_t end, int64_t dur);

/* Do the conditions take an event of a statement, whatever its time? */
bool pp_select_takes(struct pp_walk *w, uint32_t stmt, uint32_t name,
    enum pp_class c);

/* A query of SHOW PROFILE: is any of it selected, as a whole? */
bool pp_select_query(struct pp_walk *w, const struct pp_ev *ev);

/* `count` states of one; the time that is selected in *time. */
bool pp_select_stage(struct pp_walk *w, uint32_t name, enum pp_class c,
    const struct pp_ev *ev, uint64_t count, int64_t *time);

/*
 * An event that names its parent: `self` of it, laid over the intervals of
 * the walk's axis (NULL: it has no place there).  The time that is selected;
 * *n: how often it counts.
 */
int64_t pp_select_laid(struct pp_walk *w, const struct pp_slices *laid,
    uint32_t name, enum pp_class c, uint32_t stmt, enum pp_place place,
    int64_t start, int64_t end, int64_t self, uint64_t *n);

/* Is what a server has summed under this name selected? */
bool pp_select_named(struct pp_walk *w, uint32_t name, enum pp_class c);

/*
 * A stretch between roots: nothing but unaccounted-for, or roots overlap, or
 * a part of an overlap that fills a gap which is counted elsewhere.
 */
enum pp_select_stretch {
	PP_SELECT_GAP,
	PP_SELECT_OVERLAP,
	PP_SELECT_FILLED
};
void pp_select_gap(struct pp_walk *w, const struct pp_gap *g,
    enum pp_select_stretch kind);

/* What a call that is closed adds. */
struct pp_self {
	int64_t elapsed, cpu, queue, unaccounted;
};
void pp_select_close(struct pp_walk *w, struct pp_frame *f,
    const struct pp_self *self);

/* Part of [start, end] that lies in the window. */
int64_t pp_select_clip(const struct pp_walk *w, int64_t start, int64_t end);

/* Remove cells that nothing was added to. */
void pp_select_compact(struct pp_accounts *a);

#endif
