/*
 * by.c: see by.h.
 */
#include "by.h"

#define KEY(hi, lo) ((uint64_t)(hi) << 32 | (lo))

void
pp_by_init(struct pp_accounts *a)
{
	pp_map_init(&a->by.event_map, a->mem);
	pp_map_init(&a->by.stmt_map, a->mem);
}

uint32_t
pp_by_event(struct pp_accounts *a, uint32_t session, uint32_t facet,
    uint32_t name, enum pp_class c)
{
	struct pp_by_cells *b = &a->by;
	uint32_t *at = pp_map_at(&b->event_map, KEY(facet, session),
	    KEY(name, c));
	struct pp_event_cell *e;
	void *v = b->events;

	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)b->nevents;
	pp_mem_grow(a->mem, &v, &b->events_cap, b->nevents + 1, sizeof(*e));
	b->events = v;
	e = &b->events[b->nevents++];
	memset(e, 0, sizeof(*e));
	e->session = session;
	e->facet = facet;
	e->name = name;
	e->class = c;
	e->min = INT64_MAX;
	e->max = INT64_MIN;
	e->counted = c != PP_CLASS_UNACCOUNTED;
	return (uint32_t)b->nevents - 1;
}

uint32_t
pp_by_stmt(struct pp_accounts *a, uint32_t session, uint32_t facet,
    uint32_t stmt)
{
	struct pp_by_cells *b = &a->by;
	uint32_t *at = pp_map_at(&b->stmt_map, KEY(facet, session), stmt);
	struct pp_stmt_cell *s;
	void *v = b->stmts;

	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)b->nstmts;
	pp_mem_grow(a->mem, &v, &b->stmts_cap, b->nstmts + 1, sizeof(*s));
	b->stmts = v;
	s = &b->stmts[b->nstmts++];
	memset(s, 0, sizeof(*s));
	s->session = session;
	s->facet = facet;
	s->stmt = stmt;
	s->first = INT64_MAX;
	s->last = INT64_MIN;
	return (uint32_t)b->nstmts - 1;
}

void
pp_by_now(struct pp_walk *w)
{
	struct pp_model *m = w->a->model;

	if (pp_by_on(w->a) && w->session < w->nall)
		w->facet = pp_facet_of(m, w->context,
		    m->sessions[w->session].source);
}

/* The cell is found first: finding it may move the cells. */
static struct pp_event_cell *
event_at(struct pp_walk *w, uint32_t facet, uint32_t name, enum pp_class c)
{
	uint32_t i = pp_by_event(w->a, w->session, facet, name, c);

	return &w->a->by.events[i];
}

static struct pp_stmt_cell *
stmt_at(struct pp_walk *w, uint32_t facet, uint32_t stmt)
{
	uint32_t i = pp_by_stmt(w->a, w->session, facet, stmt);

	return &w->a->by.stmts[i];
}

/* An occurrence of `t` ticks; n = 0: a part of one that ends elsewhere. */
static void
count(struct pp_walk *w, uint32_t facet, uint32_t name, enum pp_class c,
    int64_t t, uint64_t n)
{
	struct pp_event_cell *e = event_at(w, facet, name, c);

	e->time += t;
	if (n == 0)
		return;
	e->count += n;
	if (t < e->min)
		e->min = t;
	if (t > e->max)
		e->max = t;
	pp_hist_add(&e->hist, w->a->mem, t);
}

/* Time that is no occurrence. */
static void
unaccounted(struct pp_walk *w, uint32_t facet, pp_i128 t)
{
	event_at(w, facet, w->a->maps->unaccounted,
	    PP_CLASS_UNACCOUNTED)->time += t;
}

void
pp_by_call(struct pp_walk *w, const struct pp_frame *f,
    const struct pp_sums *sums, uint64_t ncpu, uint64_t nqueue)
{
	struct pp_accounts *a = w->a;
	struct pp_stmt_cell *s = stmt_at(w, f->facet, f->stmt);
	uint32_t call = a->calls[f->cell].call;

	pp_sums_add(&s->sums, sums);
	s->misses += sums->misses;
	if (call == a->maps->call_name[PP_EV_EXEC])
		s->executions += sums->calls;
	else if (call == a->maps->call_name[PP_EV_PARSE])
		s->parses += sums->calls;
	if (ncpu > 0 || sums->self_cpu != 0)
		count(w, f->facet, pp_cell_cpu_name(a, call), PP_CLASS_CPU,
		    (int64_t)sums->self_cpu, ncpu);
	if (nqueue > 0 || sums->self_queue != 0)
		count(w, f->facet, a->maps->queue, PP_CLASS_QUEUE,
		    (int64_t)sums->self_queue, nqueue);
	unaccounted(w, f->facet, sums->self_unaccounted);
}

void
pp_by_touch(struct pp_walk *w, const struct pp_frame *f, int64_t start,
    int64_t end)
{
	struct pp_stmt_cell *s = stmt_at(w, f->facet, f->stmt);

	if (!s->has_depth || f->depth < s->depth) {
		s->depth = f->depth;
		s->has_depth = true;
	}
	s->has_time = true;
	if (start < s->first)
		s->first = start;
	if (end > s->last)
		s->last = end;
}

void
pp_by_recursive(struct pp_walk *w, const struct pp_frame *u, uint8_t kind,
    int64_t dur)
{
	struct pp_stmt_cell *s = stmt_at(w, u->facet, u->stmt);

	if (kind == PP_EV_PARSE)
		s->recursive_parse += dur;
	else if (kind == PP_EV_EXEC)
		s->recursive_exec += dur;
	else if (kind == PP_EV_FETCH)
		s->recursive_fetch += dur;
}

/* The row `(between calls)` of a facet. */
static struct pp_sums *
between(struct pp_walk *w, uint32_t facet)
{
	return &stmt_at(w, facet, PP_STMT_BETWEEN)->sums;
}

void
pp_by_wait(struct pp_walk *w, const struct pp_frame *in, uint32_t name,
    enum pp_class c, uint32_t stmt, int64_t dur, uint64_t n)
{
	struct pp_sums *b;

	count(w, in != NULL ? in->facet : w->facet, name, c, dur, n);
	if (in != NULL)
		return;
	if (c != PP_CLASS_MISSING)
		stmt_at(w, w->facet, stmt)->between += dur;
	b = between(w, w->facet);
	b->elapsed += dur;
	b->self += dur;
	if (c != PP_CLASS_MISSING)
		b->self_wait += dur;
}

void
pp_by_query(struct pp_walk *w, const struct pp_ev *ev,
    const struct pp_sums *d)
{
	struct pp_stmt_cell *s = stmt_at(w, w->facet, ev->stmt);
	int64_t start = pp_i64_sub(ev->end, ev->dur);

	s->has_depth = true;
	s->executions += d->calls;
	s->sums.calls += d->calls;
	s->sums.elapsed += d->elapsed;
	s->sums.self += d->self;
	s->has_time = true;
	if (start < s->first)
		s->first = start;
	if (ev->end > s->last)
		s->last = ev->end;
}

void
pp_by_stage(struct pp_walk *w, const struct pp_ev *ev, uint32_t name,
    enum pp_class c, int64_t time, bool single, uint64_t n)
{
	struct pp_event_cell *e = event_at(w, w->facet, name, c);

	e->counted = true;
	if (single)
		count(w, w->facet, name, c, time, n);
	else {
		e->summed = true;
		e->time += time;
		e->count += n;
	}
	if (ev->kind == PP_EV_UNSEEN && (ev->flags & PP_EVF_BARE))
		e->outside += time;
	if (w->a->select != NULL)
		stmt_at(w, w->facet, ev->stmt)->sums.self += time;
	if (c == PP_CLASS_UNACCOUNTED)
		stmt_at(w, w->facet, ev->stmt)->sums.self_unaccounted += time;
}

void
pp_by_self(struct pp_walk *w, uint32_t stmt, int64_t self, int64_t elapsed)
{
	struct pp_stmt_cell *s = stmt_at(w, w->facet, stmt);

	s->sums.self += self;
	s->sums.elapsed += elapsed;
}

void
pp_by_sum(struct pp_walk *w, uint32_t name, enum pp_class c, pp_i128 time,
    uint64_t n, bool extremes, int64_t min, int64_t max)
{
	struct pp_event_cell *e = event_at(w, w->facet, name, c);

	e->time += time;
	e->count += n;
	e->summed |= !extremes;
	if (min < e->min)
		e->min = min;
	if (max > e->max)
		e->max = max;
}

void
pp_by_gap(struct pp_walk *w, uint32_t context, pp_i128 time)
{
	struct pp_model *m = w->a->model;
	uint32_t facet = pp_facet_of(m, context,
	    m->sessions[w->session].source);
	struct pp_sums *b = between(w, facet);

	b->elapsed += time;
	b->self += time;
	b->self_unaccounted += time;
	unaccounted(w, facet, time);
}

static bool
is_nothing(const struct pp_stmt_cell *s)
{
	return s->sums.calls == 0 && s->sums.elapsed == 0 &&
	    s->sums.self == 0 && s->sums.self_cpu == 0 &&
	    s->sums.self_wait == 0 && s->sums.self_queue == 0 &&
	    s->sums.self_unaccounted == 0 && s->between == 0;
}

/* What was not selected must have no row. */
static void
compact(struct pp_by_cells *b)
{
	size_t i, n = 0;

	for (i = 0; i < b->nevents; i++)
		if (b->events[i].count > 0 || b->events[i].time != 0)
			b->events[n++] = b->events[i];
	b->nevents = n;
	for (i = n = 0; i < b->nstmts; i++)
		if (!is_nothing(&b->stmts[i]))
			b->stmts[n++] = b->stmts[i];
	b->nstmts = n;
}

void
pp_by_finish(struct pp_accounts *a)
{
	size_t i, n = a->by.nstmts;

	if (a->select != NULL) {
		compact(&a->by);
		return;
	}
	for (i = 0; i < n; i++) {
		uint32_t session = a->by.stmts[i].session,
		    facet = a->by.stmts[i].facet;

		pp_by_stmt(a, session, facet, PP_STMT_BETWEEN);
		if (a->model->sessions[session].kind == PP_SESSION_CALLS)
			pp_by_event(a, session, facet, a->maps->unaccounted,
			    PP_CLASS_UNACCOUNTED);
	}
}
