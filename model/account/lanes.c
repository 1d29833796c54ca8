/*
 * lanes.c: the backward walk by several threads.
 *
 * The log is cut into stretches at ends of blocks; a lane walks one, with
 * memory, cells and a trap of its own.  What a walk must know where it begins
 * is what is open then, by session, and that only the walk of the stretch
 * behind it can tell, but for one place: a call of depth 0, unless a later
 * one lies around it, is met with nothing open.  So a lane leaves the events
 * of a session alone until such a call and notes where they are.  When all
 * lanes are done they are walked by the lane whose state goes on there; that
 * lane also sees that nothing is open at the call indeed, and what lies
 * behind it uncovered.  Mostly these are few events.  Where they would be too
 * many, where something is open after all, or where a lane has no memory
 * left, all is thrown away and one walk does it.
 *
 * Which cell stands where depends on the order of finding them: cells of
 * lanes have the place in the log that they were made at.
 */
#include "by.h"
#include "lanes.h"
#include "../base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Blocks that are worth a thread: about 5 ms. */
#define WORTH 16

/* What is kept of a lane's heads and notes at most. */
#define MOST ((size_t)1 << 18)

/* Memory that a lane must be granted. */
#define LANE_NEEDS ((size_t)4 << 20)

/* Events [end, top) of a session, which are left for another lane; begins:
 * one event, from which on they are not. */
struct head {
	uint64_t top, end;	/* slots */
	uint32_t session, context;
	bool begins;
};

/* The call on `line` lies partly outside of the one on `holder`. */
struct note {
	uint64_t at;
	uint32_t session, line, holder;
};

struct pp_lane {
	struct lanes *all;
	uint64_t from, to;	/* blocks [from, to) */
	uint32_t session, context; /* at the end of them */
	bool first;		/* what it begins with is known */
	pthread_t thread;
	bool started, failed;
	struct pp_mem mem;
	struct pp_accounts a;
	struct pp_walk w;
	struct head *heads;
	size_t nheads, heads_cap;
	struct note *notes;
	size_t nnotes, notes_cap;
};

struct lanes {
	struct pp_accounts *to;
	uint32_t group;
	atomic_bool stop;
	size_t nsessions;	/* the last that was met, and one */
	size_t n;
	struct pp_lane *v;
};

/* ------------------------------------------------------------------ a lane */

bool
pp_lane_leaves(struct pp_walk *w, const struct pp_walk_event *e)
{
	struct pp_lane *l = w->lane;
	const struct pp_ev *ev = e->ev;
	const struct pp_session *s = &w->a->model->sessions[w->session];
	uint64_t top = w->at - w->nall;
	struct head h = {top, top - pp_ev_slots(ev), w->session, w->context,
	    false}, *last = l->nheads > 0 ? &l->heads[l->nheads - 1] : NULL;
	void *v = l->heads;

	if (ev->kind == PP_EV_STATEMENT)
		h.begins = true;
	else if (ev->kind >= PP_EV_PARSE && ev->kind <= PP_EV_LOB)
		h.begins = ev->depth == 0 && ev->dur > 0 && !s->unordered &&
		    !(ev->flags & PP_EVF_LATE);
	if (last != NULL && last->end == h.top && !last->begins &&
	    !h.begins && last->session == h.session &&
	    last->context == h.context) {
		last->end = h.end;
		return true;
	}
	if (l->nheads == MOST)
		pp_mem_fail(&l->mem);
	pp_mem_grow(&l->mem, &v, &l->heads_cap, l->nheads + 1, sizeof(h));
	l->heads = v;
	l->heads[l->nheads++] = h;
	if (!h.begins)
		return true;
	w->ws->left = false;
	w->ws->cover = ev->end;
	return false;
}

void
pp_lane_note(struct pp_walk *w, uint32_t line, uint32_t holder)
{
	struct pp_lane *l = w->lane;
	void *v = l->notes;

	if (l->nnotes == MOST)
		pp_mem_fail(&l->mem);
	pp_mem_grow(&l->mem, &v, &l->notes_cap, l->nnotes + 1,
	    sizeof(*l->notes));
	l->notes = v;
	l->notes[l->nnotes++] = (struct note){w->at, w->session, line,
	    holder};
}

/* Empty accounts over the same model, which they only read. */
static void
set_up(struct pp_lane *l)
{
	const struct pp_accounts *to = l->all->to;
	struct pp_accounts *a = &l->a;
	size_t n = to->model->nsessions;

	memset(a, 0, sizeof(*a));
	a->mem = &l->mem;
	a->model = to->model;
	a->opt = to->opt;
	pp_cell_maps(a, to->maps);
	a->maps->at = &l->w.at;
	pp_cell_session(a, (uint32_t)n - 1);
	if (to->nsums > 0)
		memcpy(a->axis_of, to->axis_of,
		    to->nsums * sizeof(*a->axis_of));
	a->axes = to->axes;
	a->naxes = to->naxes;
	pp_walk_begin(&l->w, a, l->all->group);
	l->w.lane = l;
	l->w.later = !l->first;
	l->w.context = l->context;
	pp_walk_switch(&l->w, l->session);
}

/* False when the log cannot be read. */
static bool
walk_stretch(struct pp_lane *l)
{
	const struct pp_eventlog *log = &l->a.model->log;
	union pp_slot *buf = NULL;
	const union pp_slot *s;
	uint64_t i;
	size_t n;

	for (i = l->to; i-- > l->from;) {
		if (atomic_load_explicit(&l->all->stop, memory_order_relaxed))
			return false;
		if (buf == NULL && i < log->spilled)
			buf = pp_mem_alloc(&l->mem, PP_LOG_BLOCK *
			    sizeof(*buf));
		s = pp_log_block(log, i, buf, &n);
		if (s == NULL)
			return false;
		pp_walk_slots(&l->w, s, n, l->w.nall + i * PP_LOG_BLOCK);
	}
	pp_mem_free(&l->mem, buf);
	return true;
}

static void *
run(void *arg)
{
	struct pp_lane *l = arg;
	jmp_buf trap;

	l->failed = true;
	l->mem.trap = &trap;
	if (setjmp(trap) == 0) {
		set_up(l);
		l->failed = !walk_stretch(l);
	}
	l->mem.trap = NULL;
	if (l->failed)
		atomic_store(&l->all->stop, true);
	return NULL;
}

/* --------------------------------------------------------------- in between */

/* Walk slots [end, top) with w. */
static bool
walk_range(struct pp_walk *w, union pp_slot *buf, uint64_t end, uint64_t top)
{
	const struct pp_eventlog *log = &w->a->model->log;

	while (top > end) {
		uint64_t block = (top - 1) / PP_LOG_BLOCK,
		    first = block * PP_LOG_BLOCK;
		size_t n, from = end > first ? (size_t)(end - first) : 0;
		const union pp_slot *s = pp_log_block(log, block, buf, &n);

		if (s == NULL)
			return false;
		pp_walk_slots(w, s + from, (size_t)(top - first) - from,
		    w->nall + first + from);
		top = first + from;
	}
	return true;
}

/* The call from which on another lane goes on with its session. */
static bool
hand_over(struct pp_walk *w, union pp_slot *buf, uint64_t top)
{
	uint64_t block = (top - 1) / PP_LOG_BLOCK;
	size_t n;
	const union pp_slot *s = pp_log_block(&w->a->model->log, block, buf,
	    &n);

	w->at = w->nall + top;
	return s != NULL && pp_walk_hand_over(w,
	    &s[(top - 1) % PP_LOG_BLOCK].ev);
}

/* The heads of lane k, by the lanes that their sessions come from. */
static bool
walk_heads(struct lanes *ls, size_t k, uint32_t *owner, union pp_slot *buf)
{
	const struct pp_lane *l = &ls->v[k];
	size_t i;

	for (i = 0; i < l->nheads; i++) {
		const struct head *h = &l->heads[i];
		uint32_t *o = &owner[h->session - l->w.first];
		struct pp_walk *w = &ls->v[*o].w;

		pp_walk_switch(w, h->session);
		w->context = h->context;
		if (!(h->begins ? hand_over(w, buf, h->top) :
		    walk_range(w, buf, h->end, h->top)))
			return false;
		if (h->begins)
			*o = (uint32_t)k;
	}
	return true;
}

/* End each session with the lane that has its beginning. */
static void
end_sessions(struct lanes *ls, const uint32_t *owner)
{
	size_t first = ls->v[0].w.first, nall = ls->v[0].w.nall, i, k;

	for (i = first; i < nall; i++) {
		struct pp_walk *w = &ls->v[owner[i - first]].w;
		bool begun = false;

		for (k = 0; k < ls->n; k++)
			begun |= ls->v[k].w.all[i - first].begun;
		if (!begun)
			continue;
		ls->nsessions = i + 1;
		w->at = nall - 1 - i;
		pp_walk_end_session(w, (uint32_t)i);
	}
}

/*
 * The widest gaps of a session, those of all lanes.  A stretch that is shorter
 * than the least of them is not kept, before it is known how much CPU its
 * call has; where that is less than its children have, it would have been
 * wider.  Then it matters which were found first: false.
 */
static bool
join_gaps(struct lanes *ls)
{
	size_t i, k;
	uint32_t g;

	for (i = 0; i < ls->nsessions; i++) {
		struct pp_session_sums *t = &ls->v[0].a.sums[i];

		for (k = 1; k < ls->n; k++) {
			const struct pp_session_sums *s =
			    &ls->v[k].a.sums[i];

			for (g = 0; g < s->ngaps; g++)
				pp_gap_add(t, &ls->v[0].mem, &s->gap[g]);
		}
		for (g = 0; t->ngaps == PP_GAPS && g < t->ngaps; g++)
			if (t->gap[g].time > t->gap[g].end - t->gap[g].start)
				return false;
	}
	return true;
}

/* False where one walk must do it all. */
static bool
settle(struct lanes *ls)
{
	struct pp_lane *l = ls->v;
	union pp_slot *buf;
	uint32_t *owner;
	jmp_buf trap;
	size_t k;

	for (k = 0; k < ls->n; k++)
		l[k].mem.trap = &trap;
	if (setjmp(trap) != 0)
		return false;
	buf = pp_mem_alloc(&l->mem, PP_LOG_BLOCK * sizeof(*buf));
	owner = pp_mem_zalloc(&l->mem, (l->w.nall - l->w.first + 1) *
	    sizeof(*owner));
	for (k = 1; k < ls->n; k++)
		if (!walk_heads(ls, k, owner, buf))
			return false;
	end_sessions(ls, owner);
	return join_gaps(ls);
}

static int
by_place(const void *x, const void *y)
{
	const struct note *a = x, *b = y;

	return a->at > b->at ? -1 : a->at < b->at;
}

static void
tell_notes(struct lanes *ls)
{
	struct pp_accounts *a = ls->to;
	struct note *v;
	size_t n = 0, k, i;

	for (k = 0; k < ls->n; k++)
		n += ls->v[k].nnotes;
	if (n == 0)
		return;
	v = pp_mem_alloc(a->mem, n * sizeof(*v));
	for (n = k = 0; k < ls->n; k++)
		for (i = 0; i < ls->v[k].nnotes; i++)
			v[n++] = ls->v[k].notes[i];
	qsort(v, n, sizeof(*v), by_place);
	for (i = 0; i < n; i++)
		pp_walk_tell_outside(a->model, v[i].session, v[i].line,
		    v[i].holder);
	pp_mem_free(a->mem, v);
}

/* -------------------------------------------------------------------- all */

/* How many lanes are worth while; 1: none beside the walk. */
static size_t
lanes_for(const struct pp_accounts *a, uint32_t group)
{
	const struct pp_model *m = a->model;
	uint64_t blocks = pp_log_blocks(&m->log),
	    least = a->opt.lane_blocks != 0 ? a->opt.lane_blocks : WORTH,
	    all = 0, apart = 0, n;
	size_t i;

	if (a->opt.jobs < 2 || a->select != NULL || pp_by_on(a) || m->raw ||
	    blocks < 2 * least || m->nsessions == 0 ||
	    m->nsessions > blocks * PP_LOG_BLOCK / 16)
		return 1;
	for (i = m->nsessions; i-- > 0;) {
		const struct pp_session *s = &m->sessions[i];

		if (s->group != group)
			continue;
		all += s->calls + s->waits;
		if (s->unordered)
			apart += s->calls + s->waits;
	}
	if (apart > all / 8)
		return 1;
	n = blocks / least;
	return (size_t)(n < a->opt.jobs ? n : a->opt.jobs);
}

/* What each may take: half of what is left goes to all of them. */
static bool
grant(struct lanes *ls)
{
	const struct pp_mem *m = ls->to->mem;
	size_t share = 0, k;

	if (m->limit != 0) {
		if (m->used >= m->limit)
			return false;
		share = (m->limit - m->used) / 2 / ls->n;
		if (share < LANE_NEEDS)
			return false;
	}
	for (k = 0; k < ls->n; k++)
		pp_mem_init(&ls->v[k].mem, share);
	return true;
}

/* False where the log does not tell what it must. */
static bool
cut(struct lanes *ls)
{
	const struct pp_eventlog *log = &ls->to->model->log;
	uint64_t blocks = pp_log_blocks(log), top = blocks;
	size_t k;

	for (k = 0; k < ls->n; k++) {
		struct pp_lane *l = &ls->v[k];

		l->all = ls;
		l->first = k == 0;
		l->to = top;
		l->from = blocks * (ls->n - 1 - k) / ls->n;
		top = l->from;
		l->session = log->session;
		l->context = log->context;
		if (k > 0) {
			l->session = log->marks[l->to - 1].session;
			l->context = log->marks[l->to - 1].context;
		}
		if (l->session >= ls->to->model->nsessions ||
		    ls->to->model->sessions[l->session].group != ls->group)
			return false;
	}
	return true;
}

/* This thread is the first lane. */
static bool
run_all(struct lanes *ls)
{
	bool ok = true;
	size_t k;

	for (k = 1; k < ls->n; k++) {
		ls->v[k].started = pp_thread_start(&ls->v[k].thread, run,
		    &ls->v[k]);
		if (!ls->v[k].started) {
			atomic_store(&ls->stop, true);
			ok = false;
			break;
		}
	}
	run(ls->v);
	for (k = 0; k < ls->n; k++) {
		if (ls->v[k].started)
			pthread_join(ls->v[k].thread, NULL);
		ok &= !ls->v[k].failed;
	}
	return ok;
}

static void
free_lanes(void *arg)
{
	struct lanes **held = arg, *ls = *held;
	size_t k;

	for (k = 0; ls != NULL && k < ls->n; k++)
		pp_mem_free_all(&ls->v[k].mem);
	*held = NULL;
}

static bool
walk_and_join(struct lanes *ls)
{
	const struct pp_accounts **v;
	size_t k;

	if (!run_all(ls) || !settle(ls))
		return false;
	v = pp_mem_alloc(ls->to->mem, ls->n * sizeof(*v));
	for (k = 0; k < ls->n; k++)
		v[k] = &ls->v[k].a;
	tell_notes(ls);
	pp_lanes_join(ls->to, v, ls->n, ls->nsessions);
	pp_mem_free(ls->to->mem, v);
	return true;
}

bool
pp_lanes_walk(struct pp_accounts *a, uint32_t group)
{
	struct lanes *ls, **held;
	size_t n = lanes_for(a, group), limit = a->mem->limit;
	bool done = false;

	a->lanes = 0;
	if (n < 2)
		return false;
	ls = pp_mem_zalloc(a->mem, sizeof(*ls));
	ls->v = pp_mem_zalloc(a->mem, n * sizeof(*ls->v));
	ls->to = a;
	ls->group = group;
	ls->n = n;
	atomic_init(&ls->stop, false);
	held = pp_mem_zalloc(a->mem, sizeof(*held));
	pp_mem_at_end(a->mem, free_lanes, held);
	if (cut(ls) && grant(ls)) {
		*held = ls;
		if (limit != 0)
			a->mem->limit -= ls->v[0].mem.limit * n;
		done = walk_and_join(ls);
		a->mem->limit = limit;
		free_lanes(held);
	}
	if (done)
		a->lanes = n;
	pp_mem_free(a->mem, ls->v);
	pp_mem_free(a->mem, ls);
	return done;
}
