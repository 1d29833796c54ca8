/*
 * oracle10046_wait.c: waits that the fast path cannot place.
 *
 * Up to 10.1 waits have no tim.  Some names are known to lie between calls;
 * any other wait belongs to the next call of its cursor (at #0: to the next
 * call), and is logged just before that call.
 * 11.1.0.7 prints the times of waits by another clock than those of calls: a
 * wait that is far off the running clock is held until the next call, whose
 * time tells whether the clock has jumped or the wait's time is worthless.
 * RPC EXEC lines have no time either, and fill a gap where there is one.
 */
#include "oracle10046_fold.h"

#include <stdlib.h>

/* Waits kept at once; more of them are logged as they come. */
#define PENDING_MAX 65536

bool
pp_of_between(pp_str name)
{
	static const pp_str names[] = {
		{"SQL*Net message from client", 27},
		{"SQL*Net message to client", 25},
		{"SQL*Net more data from client", 29},
		{"SQL*Net break/reset to client", 29},
		{"pmon timer", 10},
		{"smon timer", 10},
		{"rdbms ipc message", 17},
		{"single-task message", 19},
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (pp_str_eq(name, names[i]))
			return true;
	return false;
}

/* ------------------------------------------------------------------ lists */

static void
append(struct pp_fold *f, struct pp_of_list *l, const struct pp_of_pending *w)
{
	uint32_t i = f->pending_free;
	void *v = f->pending;

	if (i != PP_OF_NONE) {
		f->pending_free = f->pending[i].next;
	} else {
		i = (uint32_t)f->npending;
		pp_mem_grow(f->mem, &v, &f->pending_cap, f->npending + 1,
		    sizeof(*f->pending));
		f->pending = v;
		f->npending++;
	}
	f->pending[i] = *w;
	f->pending[i].seq = ++f->seq;
	f->pending[i].next = PP_OF_NONE;
	if (l->tail == PP_OF_NONE)
		l->head = i;
	else
		f->pending[l->tail].next = i;
	l->tail = i;
}

/* The first of the list, taken out of it; the list is not empty. */
static struct pp_of_pending
take(struct pp_fold *f, struct pp_of_list *l)
{
	uint32_t i = l->head;
	struct pp_of_pending w = f->pending[i];

	l->head = w.next;
	if (l->head == PP_OF_NONE)
		l->tail = PP_OF_NONE;
	f->pending[i].next = f->pending_free;
	f->pending_free = i;
	return w;
}

/* The list of the two whose first came first; NULL when both are empty. */
static struct pp_of_list *
earlier(struct pp_fold *f, struct pp_of_list *a, struct pp_of_list *b)
{
	if (a == NULL || a->head == PP_OF_NONE)
		return b->head == PP_OF_NONE ? NULL : b;
	if (b->head == PP_OF_NONE)
		return a;
	return f->pending[a->head].seq < f->pending[b->head].seq ? a : b;
}

static void
refresh(struct pp_of_session *s)
{
	s->doubtful = s->wait_clock_off || s->nheld > 0;
	s->waiting = s->npending > 0 || s->nleading > 0 || s->nheld > 0 ||
	    s->rpc_held || s->hole;
}

/* ---------------------------------------------------------------- no time */

struct pp_of_pending
pp_of_wait_of(struct pp_fold *f, const struct pp_o_rec *r,
    const struct pp_of_name *name, int64_t ela)
{
	struct pp_of_pending w = {
		.line = r->line,
		.name = name->id,
		.cursor = PP_OF_NONE,
		.between = name->between,
		.ela = ela,
		.end = r->tim,
		.cpu = r->has & PP_O_HAS_C ? r->u.wait.c : PP_NO_TIME,
		.queue = r->has & PP_O_HAS_Q ? r->u.wait.q : PP_NO_TIME,
	};

	if (r->cursor != 0)
		w.cursor = pp_of_cursor(f, r->cursor, f->s->index);
	if (f->m->raw)
		pp_of_raw_wait(f, r, w.raw);
	return w;
}

static struct pp_of_list *
list_of(struct pp_fold *f, struct pp_of_session *s,
    const struct pp_of_pending *w)
{
	return w->cursor == PP_OF_NONE ? &s->zero :
	    &f->cursors[w->cursor].pending;
}

/* No time yet: wait for one. */
static void
lead(struct pp_fold *f, struct pp_of_session *s, struct pp_of_pending *w)
{
	w->end = PP_OF_UNSET;	/* fits nowhere by itself */
	if (w->between) {
		append(f, &s->leading, w);
		s->nleading++;
	} else {
		append(f, list_of(f, s, w), w);
		s->npending++;
	}
	refresh(s);
	if (s->nleading + s->npending > PENDING_MAX)
		pp_of_settle_all(f, s);
}

/* Place a wait by the running clock. */
static void
place(struct pp_fold *f, struct pp_of_session *s, struct pp_of_pending *w)
{
	struct pp_of_list *l;

	if (s->ahead == PP_OF_UNSET)
		s->ahead = s->clock->high;
	if (s->ahead == PP_OF_UNSET) {
		lead(f, s, w);
		return;
	}
	w->end = s->ahead + w->ela;
	if (w->end >> PP_OF_TIME_BITS != 0)
		w->end = s->ahead;	/* ages after the last time */
	s->ahead = w->end;
	if (w->between) {
		pp_of_log_wait(f, s, w, w->end, PP_EVF_BETWEEN);
		return;
	}
	l = list_of(f, s, w);
	append(f, l, w);
	s->npending++;
	refresh(s);
	while (s->npending > PENDING_MAX && l->head != PP_OF_NONE) {
		*w = take(f, l);
		s->npending--;
		pp_of_log_wait(f, s, w, w->end == PP_OF_UNSET ? s->ahead :
		    w->end, PP_EVF_OWNER);
	}
}

/* The first time has come: what led up to it stands back to back before. */
static void
settle_leading(struct pp_fold *f, struct pp_of_session *s, int64_t start)
{
	int64_t at = start;
	uint32_t i;

	for (i = s->leading.head; i != PP_OF_NONE; i = f->pending[i].next)
		at = pp_i64_sub(at, f->pending[i].ela);
	while (s->leading.head != PP_OF_NONE) {
		struct pp_of_pending w = take(f, &s->leading);

		at = pp_i64_add(at, w.ela);
		pp_of_log_wait(f, s, &w, at, PP_EVF_BETWEEN);
	}
	s->nleading = 0;
}

void
pp_of_untimed(struct pp_fold *f, const struct pp_o_rec *r,
    const struct pp_of_name *name, int64_t ela)
{
	struct pp_of_pending w = pp_of_wait_of(f, r, name, ela);
	struct pp_of_clock *k = f->s->clock;

	if (!name->between && ela > k->most_ela)
		k->most_ela = ela;
	place(f, f->s, &w);
}

/*
 * The waits of a call, at the running clock where that lies in the call, else
 * back to back up to its end.
 */
void
pp_of_settle_owned(struct pp_fold *f, struct pp_of_session *s,
    uint32_t cursor, int64_t start, int64_t end)
{
	struct pp_of_list *mine = cursor == PP_OF_NONE ? NULL :
	    &f->cursors[cursor].pending;
	struct pp_of_list *l, *lists[2] = {mine, &s->zero};
	int64_t total = 0, at, t;
	bool fit = true;
	uint32_t i;
	int k;

	for (k = 0; k < 2; k++) {
		if (lists[k] == NULL)
			continue;
		for (i = lists[k]->head; i != PP_OF_NONE;
		    i = f->pending[i].next) {
			const struct pp_of_pending *w = &f->pending[i];

			total = pp_i64_add(total, w->ela);
			fit &= w->end != PP_OF_UNSET &&
			    w->end - w->ela >= start && w->end <= end;
		}
	}
	at = pp_i64_sub(end, total);
	while ((l = earlier(f, mine, &s->zero)) != NULL) {
		struct pp_of_pending w = take(f, l);

		s->npending--;
		at = pp_i64_add(at, w.ela);
		t = fit ? w.end : at;
		/* waits may last longer than their call says it did */
		if (t < start)
			t = start;
		if (t > end)
			t = end;
		pp_of_log_wait(f, s, &w, t, PP_EVF_OWNER);
	}
	refresh(s);
}

/* ------------------------------------------------------------------ doubt */

/* Log what was held by its time: there is nothing wrong with it. */
static void
release_held(struct pp_fold *f, struct pp_of_session *s)
{
	while (s->held.head != PP_OF_NONE) {
		struct pp_of_pending w = take(f, &s->held);

		pp_of_timed_wait(f, s, &w);
	}
	s->nheld = 0;
	refresh(s);
}

bool
pp_of_doubt(struct pp_fold *f, const struct pp_o_rec *r,
    const struct pp_of_name *name, int64_t ela)
{
	struct pp_of_session *s = f->s;
	struct pp_of_clock *k = s->clock;
	struct pp_of_pending w;
	int64_t end;

	if (s->wait_clock_off) {
		pp_of_untimed(f, r, name, ela);
		return true;
	}
	end = pp_of_clock_time(f, s, r->tim);
	if (s->nheld == 0 && (s->call_now == PP_OF_UNSET ||
	    (uint64_t)(end - s->now + k->second) <=
	    (uint64_t)(ela + 2 * k->second)))
		return false;
	if (s->nheld >= PENDING_MAX) {
		release_held(f, s);
		return false;
	}
	k->tims |= (uint64_t)r->tim;
	w = pp_of_wait_of(f, r, name, ela);
	append(f, &s->held, &w);
	s->nheld++;
	refresh(s);
	return true;
}

/*
 * A call ends at `end`.  Lines are written in the order of their ends, so a
 * wait that was held lies between the last call's end and this one's, or the
 * call's clock has jumped as well, or the wait's time is of another clock.
 */
static void
settle_held(struct pp_fold *f, struct pp_of_session *s, int64_t end)
{
	struct pp_of_clock *k = s->clock;
	bool off = false;
	uint32_t i;

	if (end >= s->call_now - k->second)
		for (i = s->held.head; i != PP_OF_NONE;
		    i = f->pending[i].next) {
			int64_t t = f->pending[i].end + k->wrap;

			off |= t > end + k->second ||
			    t < s->call_now - k->second;
		}
	/* a wrap brings times down without being a jump */
	if (!off || k->tims >> 32 == 0) {
		release_held(f, s);
		return;
	}
	pp_diag_tell(&f->m->diag, PP_MSG_CLOCK_BACK,
	    f->pending[s->held.head].line, UINT64_MAX,
	    "the times of waits are of another clock than those of calls: "
	    "waits are placed by their durations");
	s->wait_clock_off = true;
	while (s->held.head != PP_OF_NONE) {
		struct pp_of_pending w = take(f, &s->held);

		place(f, s, &w);
	}
	s->nheld = 0;
	refresh(s);
}

/* -------------------------------------------------------------------- RPC */

/* RPC EXEC:c=N,e=N tells neither depth nor time. */
static void
release_rpc(struct pp_fold *f, struct pp_of_session *s, int64_t start)
{
	int64_t e = s->rpc.u.call.e, end = s->rpc_now;

	s->rpc_held = false;
	/* it ended when the line before it did, and recursive calls before
	 * it were its own; but where a gap of its length follows and none
	 * were, it fills that */
	if (end == PP_OF_UNSET)
		end = start;
	else if (start - end >= e && s->run_used != s->run)
		end += e;
	if (s->ahead < end)
		s->ahead = end;
	s->run++;
	pp_of_log_call(f, s, &s->rpc, PP_STMT_NONE, end);
	refresh(s);
}

void
pp_of_hold_rpc(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_of_session *s = f->s;

	if (s->rpc_held)
		release_rpc(f, s, s->rpc_now);
	s->rpc = *r;
	s->rpc.dep = 0;
	s->rpc.text = s->rpc.name = (pp_str){NULL, 0};
	s->rpc_now = s->ahead;
	s->rpc_held = true;
	refresh(s);
}

/* ----------------------------------------------------------------- settle */

void
pp_of_settle(struct pp_fold *f, struct pp_of_session *s, bool call,
    uint64_t line, int64_t start, int64_t end)
{
	if (s->rpc_held)
		release_rpc(f, s, start);
	if (call && s->nheld > 0)
		settle_held(f, s, end);
	if (s->hole)
		pp_of_hole(f, s, line, start);
	if (s->nleading > 0)
		settle_leading(f, s, start);
	refresh(s);
}

static int
by_arrival(const void *a, const void *b)
{
	const struct pp_of_pending *x = a, *y = b;

	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

void
pp_of_settle_all(struct pp_fold *f, struct pp_of_session *s)
{
	struct pp_of_pending *v;
	size_t i, n = 0, all = s->npending + s->nleading;

	if (!s->waiting)
		return;
	pp_of_log_session(f, s);
	release_held(f, s);
	if (s->rpc_held)
		release_rpc(f, s, s->rpc_now);
	v = pp_mem_alloc(f->mem, (all + 1) * sizeof(*v));
	while (s->zero.head != PP_OF_NONE)
		v[n++] = take(f, &s->zero);
	while (s->leading.head != PP_OF_NONE)
		v[n++] = take(f, &s->leading);
	for (i = 0; i < f->ncursors && n < all; i++)
		while (f->cursors[i].session == s->index &&
		    f->cursors[i].pending.head != PP_OF_NONE)
			v[n++] = take(f, &f->cursors[i].pending);
	qsort(v, n, sizeof(*v), by_arrival);
	/* without any time in the session the first wait begins at 0 */
	if (s->ahead == PP_OF_UNSET)
		s->ahead = 0;
	for (i = 0; i < n; i++) {
		if (v[i].end == PP_OF_UNSET)
			v[i].end = s->ahead = pp_i64_add(s->ahead, v[i].ela);
		pp_of_log_wait(f, s, &v[i], v[i].end, PP_EVF_BETWEEN);
	}
	pp_mem_free(f->mem, v);
	s->npending = s->nleading = 0;
	refresh(s);
}
