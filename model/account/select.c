/*
 * select.c: what a selection takes: which occurrences, and which part of the
 * time axis.
 */
#include "by.h"
#include "select.h"

#define YES 1			/* in the caches; 0: not asked yet */
#define NO 2

const char *
pp_where_name(enum pp_where w)
{
	static const char *const name[PP_WHERE_COUNT] = {
		"session", "source", "module", "action", "client_id",
		"service", "statement", "sql_id", "command", "user", "event",
		"class", "digest", "schema"
	};

	return name[w];
}

struct pp_select *
pp_select_new(struct pp_accounts *a)
{
	const struct pp_selection *s = a->opt.select;
	struct pp_select *t;
	size_t i;
	int c;

	if (s == NULL)
		return NULL;
	t = pp_mem_zalloc(a->mem, sizeof(*t));
	t->s = s;
	t->cut = s->since.given || s->until.given;
	t->slices_wanted = a->opt.timeline && !a->opt.seed_timeline;
	for (i = 0; i < s->nwhere; i++)
		t->has[s->where[i].column] = true;
	t->events = t->has[PP_WHERE_EVENT] || t->has[PP_WHERE_CLASS];
	for (c = 0; c < PP_CLASS_COUNT; c++) {
		t->class_ok[c] = !t->has[PP_WHERE_CLASS];
		for (i = 0; i < s->nwhere; i++)
			t->class_ok[c] |= s->where[i].column ==
			    PP_WHERE_CLASS && pp_str_eq(s->where[i].value,
			    pp_str_from(pp_class_name((enum pp_class)c)));
	}
	if (s->no_idle)
		t->class_ok[PP_CLASS_IDLE] = false;
	return t;
}

/* ------------------------------------------------------------- conditions */

/* The cached answer for `i`, made where it is new. */
static uint8_t *
cached(struct pp_accounts *a, uint8_t **v, size_t *cap, size_t i)
{
	size_t old = *cap;
	void *p = *v;

	if (i >= old) {
		pp_mem_grow(a->mem, &p, cap, i + 1, 1);
		*v = p;
		memset(*v + old, 0, *cap - old);
	}
	return *v + i;
}

/* Does a column hold one of the values that are asked for? */
static bool
fits(const struct pp_select *t, enum pp_where column, pp_str value)
{
	size_t i;

	if (!t->has[column])
		return true;
	for (i = 0; i < t->s->nwhere; i++)
		if (t->s->where[i].column == column &&
		    pp_str_eq(t->s->where[i].value, value))
			return true;
	return false;
}

static bool
session_fits(struct pp_accounts *a, uint32_t session)
{
	struct pp_select *t = a->select;
	const struct pp_session *s = &a->model->sessions[session];
	uint8_t *known = cached(a, &t->session, &t->session_cap, session);
	char number[PP_DEC_MAX];
	size_t n;

	if (*known == 0) {
		n = pp_dec_format(number, s->ordinal, 0);
		*known = (fits(t, PP_WHERE_SESSION, (pp_str){number, n}) ||
		    (s->native_id.n > 0 && fits(t, PP_WHERE_SESSION,
		    s->native_id))) && fits(t, PP_WHERE_SOURCE,
		    a->model->sources[s->source].name) ? YES : NO;
	}
	return *known == YES;
}

static bool
context_fits(struct pp_accounts *a, uint32_t context)
{
	struct pp_select *t = a->select;
	const struct pp_strtab *n = &a->model->names;
	const struct pp_context *c;
	uint8_t *known;

	if (!t->has[PP_WHERE_MODULE] && !t->has[PP_WHERE_ACTION] &&
	    !t->has[PP_WHERE_CLIENT_ID] && !t->has[PP_WHERE_SERVICE])
		return true;
	if (context >= a->model->ncontexts)
		return false;
	known = cached(a, &t->context, &t->context_cap, context);
	c = &a->model->contexts[context];
	if (*known == 0)
		*known = fits(t, PP_WHERE_MODULE, pp_strtab_get(n,
		    c->module)) && fits(t, PP_WHERE_ACTION,
		    pp_strtab_get(n, c->action)) && fits(t,
		    PP_WHERE_CLIENT_ID, pp_strtab_get(n, c->client_id)) &&
		    fits(t, PP_WHERE_SERVICE, pp_strtab_get(n, c->service)) ?
		    YES : NO;
	return *known == YES;
}

/* Commands go by their number: names are spelled in more than one way. */
static bool
command_fits(const struct pp_select *t, const struct pp_stmt *m)
{
	char number[PP_DEC_MAX];
	size_t i, n;

	if (!t->has[PP_WHERE_COMMAND])
		return true;
	if (m->command_name.n > 0)
		return fits(t, PP_WHERE_COMMAND, m->command_name);
	if (!m->has_command)
		return false;
	for (i = 0; i < t->s->nwhere; i++)
		if (t->s->where[i].column == PP_WHERE_COMMAND &&
		    t->s->where[i].number == m->command)
			return true;
	n = pp_dec_format(number, m->command, 0);
	return fits(t, PP_WHERE_COMMAND, (pp_str){number, n});
}

static bool
user_fits(const struct pp_accounts *a, uint32_t session, uint32_t stmt)
{
	int64_t user = pp_model_user(a->model, session, stmt);
	char number[PP_DEC_MAX];
	size_t n = user >= 0 ? pp_dec_format(number, user, 0) : 0;

	return fits(a->select, PP_WHERE_USER, (pp_str){number, n});
}

/* Of all that is asked for the user alone depends on the session. */
static bool
stmt_fits(struct pp_accounts *a, uint32_t session, uint32_t stmt)
{
	struct pp_select *t = a->select;
	const struct pp_stmt *m = &a->model->stmts[stmt];
	uint8_t *known = cached(a, &t->stmt, &t->stmt_cap, stmt);

	if (*known == 0)
		*known = fits(t, PP_WHERE_STATEMENT, m->id) &&
		    fits(t, PP_WHERE_SQL_ID, m->sql_id) &&
		    fits(t, PP_WHERE_DIGEST, m->digest) &&
		    fits(t, PP_WHERE_SCHEMA, PP_STR("")) &&
		    command_fits(t, m) ? YES : NO;
	return *known == YES && (!t->has[PP_WHERE_USER] ||
	    user_fits(a, session, stmt));
}

static bool
event_fits(struct pp_accounts *a, uint32_t name, enum pp_class c)
{
	struct pp_select *t = a->select;
	uint8_t *known;

	if (!t->class_ok[c])
		return false;
	if (!t->has[PP_WHERE_EVENT])
		return true;
	known = cached(a, &t->name, &t->name_cap, name);
	if (*known == 0)
		*known = fits(t, PP_WHERE_EVENT, pp_strtab_get(
		    &a->model->names, name)) ? YES : NO;
	return *known == YES;
}

/* A call is `CPU EXEC` in the profile and `EXEC` elsewhere. */
static bool
cpu_fits(struct pp_accounts *a, uint32_t call)
{
	return event_fits(a, pp_cell_cpu_name(a, call), PP_CLASS_CPU) ||
	    event_fits(a, call, PP_CLASS_CPU);
}

void
pp_select_session(struct pp_walk *w)
{
	struct pp_select *t = w->a->select;

	t->session_ok = session_fits(w->a, w->session);
	t->at = NULL;
	if (!t->slices_wanted)
		w->axis = NULL;
	if (!t->cut)
		return;
	t->at = w->session < t->nwindow ? t->window[w->session] : NULL;
	if (t->at == NULL)
		t->session_ok = false;	/* nobody knows when it was */
	else
		w->axis = &t->at->wide;
}

/* ---------------------------------------------------------------- counting */

/*
 * Add the scratch slices to bucket b: the time and the count of those inside
 * the window, and to its own slices where a timeline is wanted.
 */
static int64_t
take_slices(struct pp_walk *w, uint32_t bucket, uint64_t *count)
{
	struct pp_select *t = w->a->select;
	struct pp_slices *to = &w->a->buckets[bucket].slices;
	uint32_t i, shift = t->at != NULL;
	int64_t time = 0;

	*count = 0;
	for (i = 0; i < t->slices.n; i++) {
		const struct pp_slice *s = &t->slices.v[i];

		if (!pp_select_inside(t, s->interval))
			continue;
		time = pp_i64_add(time, s->time);
		*count += s->count;
		if (t->slices_wanted)
			pp_slices_add(to, w->a->mem, s->interval - shift,
			    s->time, s->count);
	}
	return time;
}

/* `count` is 0 for what ends outside the window. */
static void
count_in(struct pp_accounts *a, uint32_t bucket, int64_t time,
    uint64_t count)
{
	struct pp_bucket *b = &a->buckets[bucket];
	struct pp_event_cell *e = &a->events[b->event];

	b->time += time;
	e->time += time;
	if (count == 0)
		return;
	b->count++;
	e->count++;
	if (time > b->max)
		b->max = time;
	if (time < e->min)
		e->min = time;
	if (time > e->max)
		e->max = time;
	pp_hist_add(&e->hist, a->mem, time);
}

/* Count c ticks with `slices` filled, or whole where there is no axis. */
static int64_t
count_slices(struct pp_walk *w, uint32_t bucket, int64_t whole)
{
	uint64_t count = 1;
	int64_t time = whole;

	if (w->axis != NULL)
		time = take_slices(w, bucket, &count);
	count_in(w->a, bucket, time, count);
	return time;
}

bool
pp_select_takes(struct pp_walk *w, uint32_t stmt, uint32_t name,
    enum pp_class c)
{
	return w->a->select->session_ok && context_fits(w->a, w->context) &&
	    stmt_fits(w->a, w->session, stmt) && event_fits(w->a, name, c);
}

/* False where nothing of it is selected. */
static bool
occur(struct pp_walk *w, uint32_t name, enum pp_class c, uint32_t stmt,
    enum pp_place place, int64_t start, int64_t end, int64_t dur,
    int64_t *time)
{
	struct pp_accounts *a = w->a;
	struct pp_select *t = a->select;
	uint32_t bucket;

	if (!pp_select_takes(w, stmt, name, c))
		return false;
	if (!pp_select_holds(t, end) && pp_select_clip(w, start, end) == 0)
		return false;
	bucket = pp_cell_bucket(a, w->session, stmt, name, c, place);
	if (w->axis != NULL) {
		t->slices.n = 0;
		pp_slices_span(&t->slices, a->mem, w->axis, start, end, 1,
		    &w->ws->hint);
	}
	*time = count_slices(w, bucket, dur);
	return true;
}

bool
pp_select_query(struct pp_walk *w, const struct pp_ev *ev)
{
	struct pp_select *t = w->a->select;

	return t->session_ok && !t->events && context_fits(w->a, w->context) &&
	    stmt_fits(w->a, w->session, ev->stmt) && (pp_select_holds(t, ev->end) ||
	    pp_select_clip(w, pp_i64_sub(ev->end, ev->dur), ev->end) != 0);
}

bool
pp_select_stage(struct pp_walk *w, uint32_t name, enum pp_class c,
    const struct pp_ev *ev, uint64_t count, int64_t *time)
{
	uint32_t bucket = pp_cell_bucket(w->a, w->session, ev->stmt, name, c,
	    PP_PLACE_CALL);
	struct pp_bucket *b = &w->a->buckets[bucket];
	uint64_t before;

	*time = 0;
	before = b->count;
	if (!occur(w, name, c, ev->stmt, PP_PLACE_CALL,
	    pp_i64_sub(ev->end, ev->dur), ev->end, ev->dur, time))
		return false;
	if (count != 1 && b->count > before) {
		b->count += count - 1;
		w->a->events[b->event].count += count - 1;
	}
	return true;
}

void
pp_select_occurrence(struct pp_walk *w, struct pp_frame *owner,
    uint32_t name, enum pp_class c, uint32_t stmt, enum pp_place place,
    int64_t start, int64_t end, int64_t dur)
{
	struct pp_accounts *a = w->a;
	int64_t time;

	if (!occur(w, name, c, stmt, place, start, end, dur, &time))
		return;
	if (owner != NULL)
		owner->wait_in = pp_i64_add(owner->wait_in, time);
	else if (c == PP_CLASS_MISSING)
		a->sums[w->session].missing += time;
	else {
		uint32_t cell = pp_cell_stmt(a, w->session, stmt);

		a->stmts[cell].between += time;
		a->sums[w->session].waits_between += time;
	}
	if (pp_by_on(a))
		pp_by_wait(w, owner, name, c, stmt, time,
		    pp_select_holds(a->select, end));
}

/* ------------------------------------------------------------------- gaps */

/* The part of a gap in the window; false when there is none. */
static bool
clip_gap(const struct pp_select *t, struct pp_gap *g)
{
	if (t->at == NULL)
		return g->end > g->start;
	if (t->at->empty)
		return false;
	if (g->start < t->at->from)
		g->start = t->at->from;
	if (g->end > t->at->to)
		g->end = t->at->to;
	return g->end > g->start;
}

void
pp_select_gap(struct pp_walk *w, const struct pp_gap *gap,
    enum pp_select_stretch kind)
{
	struct pp_accounts *a = w->a;
	struct pp_select *t = a->select;
	struct pp_session_sums *s = &a->sums[w->session];
	struct pp_gap g = *gap;
	uint32_t bucket, i, shift = t->at != NULL;

	if (!t->session_ok || !context_fits(a, gap->context) ||
	    !stmt_fits(a, w->session, PP_STMT_BETWEEN) ||
	    !event_fits(a, a->maps->unaccounted, PP_CLASS_UNACCOUNTED) ||
	    !clip_gap(t, &g))
		return;
	g.time = pp_i64_sub(g.end, g.start);
	if (kind == PP_SELECT_OVERLAP)
		s->overlaps += g.time;
	else
		s->gaps += g.time;
	if (kind == PP_SELECT_GAP)
		pp_gap_add(s, a->mem, &g);
	if (pp_by_on(a))
		pp_by_gap(w, g.context, kind == PP_SELECT_OVERLAP ? -g.time :
		    g.time);
	if (w->axis == NULL || !t->slices_wanted)
		return;
	bucket = pp_cell_bucket(a, w->session, PP_STMT_BETWEEN,
	    a->maps->unaccounted, PP_CLASS_UNACCOUNTED, PP_PLACE_BETWEEN);
	t->slices.n = 0;
	pp_slices_span(&t->slices, a->mem, w->axis, g.start, g.end, 0,
	    &w->ws->hint);
	for (i = 0; i < t->slices.n; i++)
		if (pp_select_inside(t, t->slices.v[i].interval))
			pp_slices_add(&a->buckets[bucket].slices, a->mem,
			    t->slices.v[i].interval - shift,
			    kind == PP_SELECT_OVERLAP ?
			    -t->slices.v[i].time : t->slices.v[i].time, 0);
}

/* ------------------------------------------------------------------ calls */

void
pp_select_frame(struct pp_walk *w, struct pp_frame *f, uint32_t call)
{
	struct pp_accounts *a = w->a;
	struct pp_select *t = a->select;

	if (!t->session_ok || !context_fits(a, w->context) ||
	    !stmt_fits(a, w->session, f->stmt))
		return;
	if (cpu_fits(a, call))
		f->selected |= PP_SELECT_CPU | PP_SELECT_CALL;
	if (!t->events)
		f->selected |= PP_SELECT_CALL;
	if (event_fits(a, a->maps->queue, PP_CLASS_QUEUE))
		f->selected |= PP_SELECT_QUEUE;
	if (event_fits(a, a->maps->unaccounted, PP_CLASS_UNACCOUNTED))
		f->selected |= PP_SELECT_REST;
}

/* Rule 8: c ticks spread over the self segments, into the scratch slices. */
static void
lay_shares(struct pp_walk *w, const struct pp_frame *f, int64_t c,
    uint32_t at_end)
{
	struct pp_slices *out = &w->a->select->slices;
	int64_t left = f->length, upto = c;
	uint32_t i;

	out->n = 0;
	pp_slices_add(out, w->a->mem, at_end, f->share.n == 0 ? c : 0, 1);
	for (i = 0; i < f->share.n; i++) {
		const struct pp_slice *s = &f->share.v[i];
		int64_t below;

		left = pp_i64_sub(left, s->time);
		below = pp_frame_spread(c, left < 0 ? 0 : left, f->length);
		pp_slices_add(out, w->a->mem, s->interval, upto - below, 0);
		upto = below;
	}
}

/* What is left of the segments, likewise; it sums to `total`. */
static void
lay_rest(struct pp_walk *w, const struct pp_frame *f, int64_t c,
    int64_t total, uint32_t at_end)
{
	struct pp_slices *out = &w->a->select->slices;
	int64_t left = f->length, upto = c, rest;
	uint32_t i;

	out->n = 0;
	for (i = 0; i < f->share.n; i++) {
		const struct pp_slice *s = &f->share.v[i];
		int64_t below;

		left = pp_i64_sub(left, s->time);
		below = pp_frame_spread(c, left < 0 ? 0 : left, f->length);
		rest = pp_i64_sub(s->time, upto - below);
		total = pp_i64_sub(total, rest);
		upto = below;
		pp_slices_add(out, w->a->mem, s->interval, rest, 0);
	}
	if (total != 0)
		pp_slices_add(out, w->a->mem, at_end, total, 0);
}

static int64_t
close_cpu(struct pp_walk *w, const struct pp_frame *f, uint32_t bucket,
    int64_t c, uint32_t at_end)
{
	if (w->axis != NULL)
		lay_shares(w, f, c, at_end);
	return count_slices(w, bucket, c);
}

static int64_t
close_rest(struct pp_walk *w, const struct pp_frame *f,
    const struct pp_self *self, uint32_t at_end)
{
	struct pp_accounts *a = w->a;
	uint32_t bucket = a->maps->links[f->cell].unaccounted;
	int64_t rest = self->unaccounted;
	uint64_t count;

	if (w->axis != NULL) {
		lay_rest(w, f, pp_i64_add(self->cpu, self->queue), rest,
		    at_end);
		rest = take_slices(w, bucket, &count);
	}
	a->buckets[bucket].time += rest;
	a->sums[w->session].call_unaccounted += rest;
	return rest;
}

static void
close_gaps(struct pp_walk *w, const struct pp_frame *f, int64_t c)
{
	const struct pp_select *t = w->a->select;
	int64_t right = 0, hi, lo;
	uint32_t i;

	for (i = 0; i < f->nsegs; i++) {
		const struct pp_segment *g = &f->segs[i];
		struct pp_gap gap = {g->after_line, g->before_line, g->start,
		    g->end, 0, PP_PLACE_CALL, f->stmt, 0};

		if (!w->unordered)
			right = g->right;
		hi = f->length - right;
		right += g->end - g->start;
		if (!clip_gap(t, &gap))
			continue;
		hi -= g->end - gap.end;
		lo = hi - (gap.end - gap.start);
		gap.time = pp_i64_sub(gap.end - gap.start,
		    pp_frame_spread(c, hi, f->length) -
		    pp_frame_spread(c, lo, f->length));
		pp_gap_add(&w->a->sums[w->session], w->a->mem, &gap);
	}
}

/* Inclusive CPU of the part of the call in the window. */
static int64_t
cpu_inside(const struct pp_walk *w, const struct pp_frame *f)
{
	const struct pp_window *x = w->a->select->at;
	int64_t from = f->start, to = f->end;

	if (x == NULL)
		return f->cpu;
	if (f->dur <= 0 || x->empty)
		return pp_select_holds(w->a->select, f->end) ? f->cpu : 0;
	from = x->from > from ? x->from : from;
	to = x->to < to ? x->to : to;
	if (to <= from)
		return 0;
	return pp_frame_spread(f->cpu, to - f->start, f->dur) -
	    pp_frame_spread(f->cpu, from - f->start, f->dur);
}

/* What the call is counted with as a whole. */
static void
call_sums(const struct pp_walk *w, const struct pp_frame *f,
    struct pp_sums *d)
{
	d->elapsed = pp_select_clip(w, f->start, f->end);
	d->cpu = cpu_inside(w, f);
	if (!pp_select_holds(w->a->select, f->end))
		return;
	d->calls = 1;
	d->rows = f->rows;
	d->misses = f->misses;
	d->p = f->p;
	d->cr = f->cr;
	d->cu = f->cu;
	d->self_p = (int64_t)(f->p - f->kid_p);
	d->self_cr = (int64_t)(f->cr - f->kid_cr);
	d->self_cu = (int64_t)(f->cu - f->kid_cu);
}

/* The statement's own: depth, first and last. */
static void
touch_stmt(struct pp_walk *w, const struct pp_frame *f)
{
	struct pp_accounts *a = w->a;
	struct pp_stmt_cell *sc = &a->stmts[a->maps->links[f->cell].stmt];
	const struct pp_window *x = a->select->at;
	int64_t start = f->start, end = f->end;

	if (x != NULL) {
		start = x->from > start ? x->from : start;
		end = x->to < end ? x->to : end;
	}
	if (!sc->has_depth || f->depth < sc->depth) {
		sc->depth = f->depth;
		sc->has_depth = true;
	}
	sc->has_time = true;
	if (start < sc->first)
		sc->first = start;
	if (end > sc->last)
		sc->last = end;
	if (pp_by_on(a))
		pp_by_touch(w, f, start, end);
}

static void
add_to_facet(struct pp_walk *w, const struct pp_frame *f,
    const struct pp_sums *d, bool meets)
{
	bool ends = meets && pp_select_holds(w->a->select, f->end);

	pp_by_call(w, f, d, ends && (f->selected & PP_SELECT_CPU),
	    ends && (f->selected & PP_SELECT_QUEUE) &&
	    (f->has_queue || d->self_queue != 0));
}

static uint32_t
queue_bucket(struct pp_walk *w, const struct pp_frame *f)
{
	struct pp_accounts *a = w->a;

	if (a->maps->links[f->cell].queue == UINT32_MAX)
		a->maps->links[f->cell].queue = pp_cell_bucket(a, w->session,
		    f->stmt, a->maps->queue, PP_CLASS_QUEUE, PP_PLACE_CALL);
	return a->maps->links[f->cell].queue;
}

void
pp_select_close(struct pp_walk *w, struct pp_frame *f,
    const struct pp_self *self)
{
	struct pp_accounts *a = w->a;
	struct pp_select *t = a->select;
	struct pp_sums d;
	bool meets = pp_select_holds(t, f->end) ||
	    pp_select_clip(w, f->start, f->end) > 0;
	uint32_t at_end = w->axis != NULL ? pp_axis_find(w->axis, f->end,
	    w->ws->hint) : 0;

	memset(&d, 0, sizeof(d));
	d.self_wait = f->wait_in;
	if (meets && (f->selected & PP_SELECT_CALL))
		call_sums(w, f, &d);
	if (meets && (f->selected & PP_SELECT_CPU))
		d.self_cpu = close_cpu(w, f, a->maps->links[f->cell].cpu,
		    self->cpu, at_end);
	if (meets && (f->selected & PP_SELECT_QUEUE) &&
	    (f->has_queue || self->queue != 0))
		d.self_queue = close_cpu(w, f, queue_bucket(w, f),
		    self->queue, at_end);
	if (meets && (f->selected & PP_SELECT_REST)) {
		d.self_unaccounted = close_rest(w, f, self, at_end);
		close_gaps(w, f, pp_i64_add(self->cpu, self->queue));
	}
	d.self = d.self_cpu + d.self_wait + d.self_queue +
	    d.self_unaccounted;
	pp_sums_add(&a->calls[f->cell].sums, &d);
	if (pp_by_on(a))
		add_to_facet(w, f, &d, meets);
	if (f->nested)
		d.elapsed = d.cpu = 0;	/* its caller's time has it */
	pp_sums_add(&a->nodes[f->node].sums, &d);
	if (meets && (f->selected & PP_SELECT_CALL))
		touch_stmt(w, f);
}

/* ------------------------------------------------------------ occurrences */

bool
pp_account_selects(struct pp_accounts *a, const struct pp_occurrence *o)
{
	struct pp_select *t = a->select;
	const struct pp_window *x;

	if (t == NULL)
		return true;
	if (!session_fits(a, o->session) || !context_fits(a, o->context) ||
	    !stmt_fits(a, o->session, o->stmt))
		return false;
	if (o->kind == PP_OCC_CALL && t->events && !cpu_fits(a, o->name))
		return false;
	if ((o->kind == PP_OCC_WAIT || o->kind == PP_OCC_STAGE ||
	    o->kind == PP_OCC_GAP) && !event_fits(a, o->name, o->class))
		return false;
	if (o->kind == PP_OCC_STATEMENT && t->events)
		return false;
	if (o->kind == PP_OCC_TRANSACTION && t->events &&
	    !event_fits(a, o->name, o->class))
		return false;
	if (!t->cut || !o->has_time)
		return true;
	x = o->session < t->nwindow ? t->window[o->session] : NULL;
	return x != NULL && !x->empty && o->end >= x->from && o->end < x->to;
}
