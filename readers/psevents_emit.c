/*
 * psevents_emit.c: events of the Performance Schema by server, thread and id
 * become sessions, and a log in which each knows its place in the tree.
 *
 * An event may have been printed several times, running and when it had
 * ended, in history and in history_long: what one printing lacks another may
 * tell.  Clocks: statements, stages, transactions and idle go by one timer,
 * waits by another, which may run at another rate.  Waits get a place beside
 * the others only where every one of them lies within its parent.
 * May touch the model.
 */
#include "psevents_emit.h"

#include <inttypes.h>
#include <stdlib.h>

/* --------------------------------------------------------------- sessions */

uint32_t
pp_ps_session(struct pp_ps *ps, uint32_t src, enum pp_session_kind kind)
{
	struct pp_model *m = ps->m;
	uint32_t i = pp_model_session(m, src);
	struct pp_session *s = &m->sessions[i];
	void *v = m->contexts;

	s->kind = kind;
	s->digits = PP_DIGEST_DIGITS;
	if (m->ncontexts == 0) {
		/* module, action and the like are not known */
		pp_mem_grow(m->mem, &v, &m->contexts_cap, 1,
		    sizeof(*m->contexts));
		m->contexts = v;
		memset(m->contexts, 0, sizeof(*m->contexts));
		m->ncontexts = 1;
	}
	return i;
}

static void
new_session(struct pp_ps_emit *x, const struct pp_ps_event *e)
{
	struct pp_ps *ps = x->ps;
	const struct pp_ps_thread *t = &ps->threads[(uint32_t)e->thread];
	struct pp_strtab *names = &x->m->names;
	struct pp_session *s;
	struct pp_ps_pending *p;
	void *v = x->v;
	char buf[24];
	int n;

	pp_mem_grow(x->m->mem, &v, &x->cap, x->n + 1, sizeof(*p));
	x->v = v;
	p = &x->v[x->n++];
	memset(p, 0, sizeof(*p));
	p->source = ps->units[e->unit].source;
	p->session = pp_ps_session(ps, p->source, PP_SESSION_EVENTS);
	p->server = (uint32_t)(e->thread >> 32);
	p->thread = (uint32_t)e->thread;
	s = &x->m->sessions[p->session];
	if (t->has_id) {
		n = snprintf(buf, sizeof(buf), "%" PRIu64, t->id);
		s->native_id = pp_strtab_get(names, pp_strtab_id(names,
		    (pp_str){buf, (size_t)n}));
	}
	s->module = pp_strtab_get(names, t->name);
	s->process = pp_strtab_get(names, t->process);
	s->client_id = pp_strtab_get(names, t->client);
	s->service = pp_strtab_get(names, t->service);
	x->key = e->thread;
	x->last_wait = 0;
	x->servers[p->server].last_idle = 0;
	pp_nest_begin(x->nest);
}

static void
add_share(struct pp_ps_emit *x, uint32_t session, uint32_t src, uint32_t line)
{
	struct pp_model *m = x->m;
	uint32_t *at = pp_map_at(&x->shares, session, src);
	struct pp_session_source *s;
	void *v = m->session_sources;

	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)m->nsession_sources;
		pp_mem_grow(m->mem, &v, &m->session_sources_cap,
		    m->nsession_sources + 1, sizeof(*s));
		m->session_sources = v;
		s = &m->session_sources[m->nsession_sources++];
		memset(s, 0, sizeof(*s));
		s->session = session;
		s->source = src;
		s->first_line = s->last_line = line;
		return;
	}
	s = &m->session_sources[*at];
	if (line < s->first_line)
		s->first_line = line;
	if (line > s->last_line)
		s->last_line = line;
}

static void
widen(struct pp_ps_range *r, int64_t start, int64_t end)
{
	if (!r->any || start < r->start)
		r->start = start;
	if (!r->any || end > r->end)
		r->end = end;
	r->any = true;
}

/* ----------------------------------------------------------------- events */

static enum pp_ps_clock
clock_of(enum pp_nested_kind kind)
{
	return kind == PP_NESTED_WAIT ? PP_PS_CLOCK_WAIT :
	    kind == PP_NESTED_IDLE ? PP_PS_CLOCK_IDLE : PP_PS_CLOCK_MAIN;
}

/* Stages of statements go by the names of SHOW PROFILE. */
static uint32_t
shown_name(struct pp_ps_emit *x, uint32_t printed, enum pp_nested_kind kind)
{
	void *v = x->shared;
	size_t old = x->shared_cap;
	pp_str name;

	if (kind != PP_NESTED_STAGE)
		return printed;
	if (printed >= old) {
		pp_mem_grow(x->m->mem, &v, &x->shared_cap, printed + 1,
		    sizeof(*x->shared));
		x->shared = v;
		memset(x->shared + old, 0, (x->shared_cap - old) *
		    sizeof(*x->shared));
	}
	if (x->shared[printed] == 0) {
		name = pp_strtab_get(&x->m->names, printed);
		x->shared[printed] = 1 + (pp_str_starts(name,
		    PP_STR("stage/sql/")) ? pp_model_stage_name(x->m, name) :
		    printed);
	}
	return x->shared[printed] - 1;
}

/* a - b of two points of an unsigned clock. */
static int64_t
since(uint64_t a, uint64_t b)
{
	if (a >= b)
		return a - b > INT64_MAX ? INT64_MAX : (int64_t)(a - b);
	return b - a > INT64_MAX ? -INT64_MAX : -(int64_t)(b - a);
}

/* Do the clocks of waits and of statements agree? */
static void
check_clocks(struct pp_ps_emit *x, struct pp_ps_server *s,
    const struct pp_nest_event *e, const struct pp_nest_open *in)
{
	if (!e->begun || !e->timed)
		return;
	if (e->kind == PP_NESTED_WAIT && in != NULL && in->placed &&
	    in->kind != PP_NESTED_WAIT) {
		s->checked++;
		s->outside += e->start < in->start || e->until > in->until;
	}
	if (in != NULL)
		return;
	/* roots of a thread follow each other */
	if (e->kind == PP_NESTED_WAIT) {
		s->backwards += e->start < s->last_idle;
		x->last_wait = e->until;
	} else if (e->kind == PP_NESTED_IDLE) {
		s->backwards += e->start < x->last_wait;
		s->last_idle = e->until;
	}
}

static void
describe(const struct pp_ps_event *e, enum pp_nested_kind kind,
    struct pp_nest_event *to)
{
	memset(to, 0, sizeof(*to));
	to->id = e->id;
	to->end = e->end;
	to->parent = e->parent;
	to->parent_told = (e->flags & PP_PS_PARENT_TOLD) != 0;
	to->parent_transaction = (e->flags & PP_PS_PARENT_TRX) != 0;
	to->kind = kind;
	to->timed = (e->flags & PP_NESTED_TIMED) != 0;
	to->begun = (e->flags & PP_NESTED_BEGUN) != 0;
	to->clock = (uint8_t)(kind == PP_NESTED_WAIT);
	to->start = e->start;
	to->until = e->start + e->wait;
	if (to->until < to->start)
		to->until = UINT64_MAX;
}

/* Transactions by how they ended. */
static void
count_transaction(struct pp_ps_emit *x, struct pp_session *s, uint32_t state)
{
	pp_str name = pp_strtab_get(&x->m->names, state);

	s->commits += pp_str_eq(name, PP_STR("COMMITTED"));
	s->rollbacks += pp_str_eq(name, PP_STR("ROLLED BACK"));
}

static void
note_error(struct pp_ps_emit *x, const struct pp_nested *r)
{
	struct pp_error *e = pp_model_error(x->m);

	e->session = r->session;
	e->source = r->file;
	e->stmt = r->stmt;
	e->line = r->line;
	e->code = r->error;
	e->has_time = (r->flags & PP_NESTED_BEGUN) != 0;
	e->at = pp_i64_add(r->start, r->wait);
}

/* What a statement has beside its times. */
static void
put_statement(struct pp_ps_emit *x, const struct pp_ps_event *e,
    const struct pp_ps_more *w, struct pp_nested *r)
{
	struct pp_model *m = x->m;

	r->stmt = w->stmt != PP_PS_NONE ? w->stmt : PP_STMT_NONE;
	r->error = w->error;
	r->more = w->count[PP_DG_SENT] + w->count[PP_DG_AFFECTED];
	if (w->error != 0)
		note_error(x, r);
	if (e->flags & PP_NESTED_TIMED)
		pp_model_execution(m, r->session, r->stmt, 0, r->wait);
	pp_ps_digest(x->ps, e, w, r->file);
}

static void
put_more(struct pp_ps_emit *x, const struct pp_ps_event *e,
    const struct pp_ps_more *w)
{
	struct pp_nested_more *to = pp_nested_add(&x->m->nested);

	memset(to, 0, sizeof(*to));
	if (w->has & PP_PS_HAS_CPU) {
		to->cpu = (int64_t)w->cpu;
		to->has |= PP_NESTED_CPU;
	}
	if (w->has & PP_PS_HAS_OBJECT) {
		to->object = w->object;
		to->has |= PP_NESTED_OBJECT;
	}
	if (w->has & PP_PS_HAS_BYTES) {
		to->amount = w->bytes;
		to->has |= PP_NESTED_AMOUNT;
	} else if (w->has & (1u << PP_DG_EXAMINED)) {
		to->amount = w->count[PP_DG_EXAMINED];
		to->has |= PP_NESTED_AMOUNT;
	}
	if (e->flags & PP_NESTED_BEGUN) {
		to->clock = e->start;
		to->has |= PP_NESTED_CLOCK;
	}
	to->object_name = w->object_name;
	to->operation = w->operation;
	to->state = w->state;
}

/* Append the event to the log. */
static void
put(struct pp_ps_emit *x, const struct pp_ps_event *e, enum pp_nested_kind kind,
    const struct pp_nest_place *place)
{
	struct pp_ps_pending *p = &x->v[x->n - 1];
	struct pp_session *s = &x->m->sessions[p->session];
	struct pp_ps_more w;
	struct pp_nested r = {.id = e->id};
	bool more = x->m->raw;

	r.session = p->session;
	r.file = x->ps->units[e->unit].source;
	r.line = e->line;
	r.name = shown_name(x, e->name, kind);
	r.kind = (uint8_t)kind;
	r.level = place->level;
	r.back = place->back;
	r.wait = (int64_t)e->wait;
	if (e->flags & PP_NESTED_BEGUN)
		r.start = since(e->start, x->servers[p->server].base);
	r.flags = (uint8_t)(e->flags & (PP_NESTED_TIMED | PP_NESTED_BEGUN |
	    PP_NESTED_RUNNING | PP_NESTED_SUSPECT));
	if (place->orphan)
		r.flags |= PP_NESTED_ORPHAN;
	if (place->late)
		r.flags |= PP_NESTED_LATE;
	pp_ps_more(x->ps, e->more, &w);
	if (kind == PP_NESTED_STATEMENT) {
		put_statement(x, e, &w, &r);
		more |= (w.has & PP_PS_HAS_CPU) != 0;
		s->calls++;
	} else if (kind == PP_NESTED_TRANSACTION)
		count_transaction(x, s, w.state);
	else if (kind != PP_NESTED_STAGE)
		s->waits++;
	if (more)
		r.flags |= PP_NESTED_MORE;
	memcpy(pp_nested_add(&x->m->nested), &r, sizeof(r));
	if (more)
		put_more(x, e, &w);
}

static enum pp_nested_kind
kind_of(const struct pp_ps_event *e)
{
	return (enum pp_nested_kind)(e->flags >> PP_PS_KIND_SHIFT);
}

static void
place_one(struct pp_ps_emit *x, const struct pp_ps_event *e)
{
	enum pp_nested_kind kind = kind_of(e);
	struct pp_nest_event n;
	struct pp_nest_place place;
	struct pp_ps_pending *p;
	struct pp_ps_server *s;
	struct pp_ps_counts *c;
	uint32_t src = x->ps->units[e->unit].source;

	if (x->n == 0 || e->thread != x->key)
		new_session(x, e);
	p = &x->v[x->n - 1];
	s = &x->servers[p->server];
	describe(e, kind, &n);
	pp_nest_add(x->nest, &n, &place);
	check_clocks(x, s, &n, place.in);
	put(x, e, kind, &place);
	if (src < p->source)
		p->source = src;
	if ((e->flags & PP_NESTED_BEGUN) && (e->flags & PP_NESTED_TIMED))
		widen(&p->range[clock_of(kind)], since(e->start, s->base),
		    since(n.until, s->base));
	add_share(x, p->session, src, e->line);
	c = &x->counts[src];
	c->orphans += place.orphan;
	c->running += (e->flags & PP_NESTED_RUNNING) != 0;
	c->untimed += !(e->flags & PP_NESTED_TIMED);
}

/* Place the i-th of those that wait. */
static void
place_early(struct pp_ps_emit *x, unsigned i)
{
	struct pp_ps_event e = x->early[i];

	x->nearly--;
	memmove(&x->early[i], &x->early[i + 1], (x->nearly - i) *
	    sizeof(e));
	place_one(x, &e);
}

/* Those whose parent has come, and those that wait for them. */
static void
place_waiting(struct pp_ps_emit *x, uint64_t parent)
{
	unsigned i = 0;

	while (i < x->nearly) {
		if (x->early[i].parent != parent) {
			i++;
			continue;
		}
		place_early(x, i);
	}
}

/* Does the event wait for its parent, which begins later? */
static bool
is_early(const struct pp_ps_emit *x, const struct pp_ps_event *e)
{
	unsigned i;

	if (e->parent == 0 || kind_of(e) == PP_NESTED_TRANSACTION ||
	    x->nearly == PP_PS_EARLY)
		return false;
	for (i = 0; i < x->nearly; i++)
		if (x->early[i].parent == e->id)
			return false;	/* it is waited for itself */
	return e->parent > e->id && e->parent - e->id <= PP_PS_EARLY;
}

static void
flush_one(struct pp_ps_emit *x, const struct pp_ps_event *e)
{
	unsigned i = 0;

	/* a parent that has not come by now does not come */
	while (i < x->nearly)
		if (e->thread != x->key || x->early[i].parent < e->id)
			place_early(x, i);
		else
			i++;
	if ((x->n == 0 || e->thread != x->key) && e->parent > e->id)
		new_session(x, e);
	if (is_early(x, e)) {
		x->early[x->nearly++] = *e;
		return;
	}
	place_one(x, e);
	place_waiting(x, e->id);
}

static void
flush(struct pp_ps_emit *x)
{
	unsigned i;

	for (i = 0; i < x->nheld; i++)
		flush_one(x, &x->held[i]);
	x->nheld = 0;
}

static void
hold(struct pp_ps_emit *x, const struct pp_ps_event *e)
{
	unsigned i;

	if (x->nheld > 0 && (x->held[0].thread != e->thread ||
	    x->held[0].id != e->id))
		flush(x);
	for (i = 0; i < x->nheld; i++)
		if (pp_ps_same(&x->held[i], e)) {
			pp_ps_merge(x->ps, &x->held[i], e);
			return;
		}
	if (x->nheld == PP_PS_HELD)
		flush(x);
	x->held[x->nheld++] = *e;
}

/* ------------------------------------------------------------------ clocks */

static void
set_bases(struct pp_ps_emit *x)
{
	const struct pp_ps *ps = x->ps;
	uint64_t least[PP_PS_CLOCKS];
	struct pp_ps_server *s;
	uint32_t i, k, c;

	for (i = 0; i < ps->nservers; i++) {
		s = &x->servers[i];
		least[0] = least[1] = least[2] = UINT64_MAX;
		for (k = 0; k < ps->nunits; k++)
			for (c = 0; c < PP_PS_CLOCKS; c++)
				if (ps->units[k].server == i &&
				    ps->units[k].least[c] < least[c])
					least[c] = ps->units[k].least[c];
		s->main = least[PP_PS_CLOCK_MAIN] != UINT64_MAX;
		for (c = 0; c < PP_PS_CLOCKS && s->base == 0; c++)
			if (least[c] != UINT64_MAX)
				s->base = least[c];
	}
}

static void
judge_clocks(struct pp_ps_emit *x)
{
	uint32_t i;

	for (i = 0; i < x->ps->nservers; i++) {
		struct pp_ps_server *s = &x->servers[i];

		s->waits_fit = s->main ? s->checked > 0 && s->outside == 0 :
		    true;
		s->idle_fits = s->main || s->backwards == 0;
	}
}

/* The times of a session, on the clocks that fit its server's axis. */
static void
set_times(struct pp_ps_emit *x, const struct pp_ps_pending *p)
{
	const struct pp_ps_server *sv = &x->servers[p->server];
	struct pp_session *s = &x->m->sessions[p->session];
	struct pp_ps_range r = {false, 0, 0};

	if (p->range[PP_PS_CLOCK_MAIN].any)
		r = p->range[PP_PS_CLOCK_MAIN];
	if (sv->waits_fit && p->range[PP_PS_CLOCK_WAIT].any)
		widen(&r, p->range[PP_PS_CLOCK_WAIT].start,
		    p->range[PP_PS_CLOCK_WAIT].end);
	if (sv->idle_fits && p->range[PP_PS_CLOCK_IDLE].any)
		widen(&r, p->range[PP_PS_CLOCK_IDLE].start,
		    p->range[PP_PS_CLOCK_IDLE].end);
	s->has_time = r.any;
	s->start = r.start;
	s->end = r.end;
	s->waits_apart = !sv->waits_fit;
	s->idle_apart = !sv->idle_fits;
	/* row sets of one server share a clock, those of others do not */
	s->clock = UINT32_C(1) << 20 | p->server;
	s->source = p->source;
}

static int
by_first_event(const void *a, const void *b)
{
	const struct pp_ps_pending *x = a, *y = b;
	const struct pp_ps_range *r = &x->range[PP_PS_CLOCK_MAIN], *q =
	    &y->range[PP_PS_CLOCK_MAIN];

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (r->any != q->any)
		return r->any ? -1 : 1;
	if (r->start != q->start)
		return r->start < q->start ? -1 : 1;
	return x->session < y->session ? -1 : x->session > y->session;
}

static void
add_span(struct pp_source *src, const struct pp_session *s)
{
	if (!s->has_time || (src->has_span && src->digits != s->digits))
		return;
	if (!src->has_span || s->start < src->start)
		src->start = s->start;
	if (!src->has_span || s->end > src->end)
		src->end = s->end;
	src->has_span = true;
	src->digits = s->digits;
}

/* Sources, ordinals and times of the sessions. */
static void
settle(struct pp_ps_emit *x)
{
	struct pp_model *m = x->m;
	uint32_t *last = pp_mem_zalloc(m->mem, (m->nsources + 1) *
	    sizeof(*last));
	struct pp_session *s;
	size_t i;

	for (i = 0; i < x->n; i++)
		set_times(x, &x->v[i]);
	if (x->n > 0)
		qsort(x->v, x->n, sizeof(*x->v), by_first_event);
	for (i = 0; i < m->nsessions; i++)
		if (m->sessions[i].ordinal > last[m->sessions[i].source])
			last[m->sessions[i].source] = m->sessions[i].ordinal;
	for (i = 0; i < x->n; i++) {
		s = &m->sessions[x->v[i].session];
		s->ordinal = ++last[s->source];
		add_span(&m->sources[s->source], s);
	}
	for (i = 0; i < m->nsession_sources; i++) {
		s = &m->sessions[m->session_sources[i].session];
		if (s->kind != PP_SESSION_EVENTS)
			continue;
		m->session_sources[i].has_time = s->has_time;
		m->session_sources[i].start = s->start;
		m->session_sources[i].end = s->end;
	}
	pp_mem_free(m->mem, last);
}

void
pp_ps_emit(struct pp_ps *ps)
{
	struct pp_ps_emit x = {.ps = ps, .m = ps->m};
	struct pp_mem *mem = ps->m->mem;
	const struct pp_ps_event *e;

	x.nest = pp_mem_zalloc(mem, sizeof(*x.nest));
	x.servers = pp_mem_zalloc(mem, ps->nservers * sizeof(*x.servers));
	x.counts = pp_mem_zalloc(mem, (ps->m->nsources + 1) *
	    sizeof(*x.counts));
	pp_map_init(&x.shares, mem);
	set_bases(&x);
	while ((e = pp_extsort_next(&ps->sort)) != NULL)
		hold(&x, e);
	flush(&x);
	while (x.nearly > 0)
		place_early(&x, 0);
	judge_clocks(&x);
	settle(&x);
	pp_ps_tell(&x);
	pp_map_free(&x.shares);
	pp_mem_free(mem, x.nest);
	pp_mem_free(mem, x.servers);
	pp_mem_free(mem, x.counts);
	pp_mem_free(mem, x.shared);
	pp_mem_free(mem, x.v);
}
