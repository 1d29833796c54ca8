/*
 * merge.c: --merge, finished accounts summed up over sessions.
 *
 * A session of each clock, source or run stands for the others.  Its clock is
 * the finest of them; times of coarser ones are scaled up, exactly.
 */
#include "by.h"

#define KEY(hi, lo) ((uint64_t)(hi) << 32 | (lo))

/* From the cells of one session to those of another. */
struct step {
	uint32_t into;
	int64_t factor;
};

struct merging {
	struct pp_accounts *to;
	const struct pp_accounts *from;
	struct step *step;	/* by session */
	uint32_t *node;		/* by node of `from` */
};

/* ------------------------------------------------------------- sessions */

/* What the sessions that are summed up have in common. */
static uint32_t *
group_of(struct pp_map *m, const struct pp_session *s, enum pp_merge how)
{
	switch (how) {
	case PP_MERGE_CLOCKS:
		return pp_map_at(m, KEY(s->source, s->digits),
		    KEY(s->clock, s->kind));
	case PP_MERGE_SESSIONS:
		return pp_map_at(m, s->source, s->kind);
	case PP_MERGE_SOURCES:
	case PP_MERGE_NONE:
		break;
	}
	return pp_map_at(m, 0, s->kind);
}

/* The first of those with the finest clock stands for a group. */
static void
choose(struct merging *g, enum pp_merge how)
{
	const struct pp_session *all = g->to->model->sessions;
	struct pp_map groups;
	uint32_t *at, i, n = (uint32_t)g->from->nsums;

	pp_map_init(&groups, g->to->mem);
	for (i = 0; i < n; i++) {
		at = group_of(&groups, &all[i], how);
		if (*at == PP_MAP_NONE || all[i].digits > all[*at].digits)
			*at = i;
	}
	for (i = 0; i < n; i++) {
		at = group_of(&groups, &all[i], how);
		g->step[i].into = *at;
		g->step[i].factor = pp_pow10[all[*at].digits - all[i].digits];
		g->to->streams[i].into = *at;
	}
	pp_map_free(&groups);
}

static void
sum_times(struct merging *g)
{
	const struct pp_session *all = g->to->model->sessions, *s, *t;
	uint32_t i, n = (uint32_t)g->from->nsums, *first;
	struct pp_map sources;

	pp_map_init(&sources, g->to->mem);
	for (i = 0; i < n; i++)
		g->to->streams[i].one_clock = g->to->streams[i].alone = true;
	for (i = 0; i < n; i++) {
		struct pp_stream *x = &g->to->streams[g->step[i].into];

		s = &all[i];
		t = &all[g->step[i].into];
		if (s->source != t->source || s->clock != t->clock ||
		    s->digits != t->digits)
			x->one_clock = false;
		first = pp_map_at(&sources, s->source, 0);
		if (*first == PP_MAP_NONE)
			*first = g->step[i].into;
		else if (*first != g->step[i].into)
			x->alone = g->to->streams[*first].alone = false;
		if (!s->has_time)
			continue;
		x->span += pp_account_span(g->from, i) * g->step[i].factor;
		if (!x->has_time || s->start < x->start)
			x->start = s->start;
		if (!x->has_time || s->end > x->end)
			x->end = s->end;
		x->has_time = true;
	}
	pp_map_free(&sources);
}

void
pp_sums_join(struct pp_session_sums *t, const struct pp_session_sums *s,
    int64_t f)
{
	int64_t least = pp_i64_mul(s->least_self, f);

	t->root_elapsed += s->root_elapsed * f;
	t->root_cpu += s->root_cpu * f;
	t->root_queue += s->root_queue * f;
	t->waits += s->waits * f;
	t->waits_between += s->waits_between * f;
	t->wait_cpu += s->wait_cpu * f;
	t->wait_queue += s->wait_queue * f;
	t->gaps += s->gaps * f;
	t->overlaps += s->overlaps * f;
	t->missing += s->missing * f;
	t->call_unaccounted += s->call_unaccounted * f;
	t->unaccounted += s->unaccounted * f;
	t->selected += s->selected * f;
	t->stated += s->stated * f;
	t->apart += s->apart * f;
	t->has_queue |= s->has_queue;
	t->noverlaps += s->noverlaps;
	t->orphans += s->orphans;
	t->sticking_out += s->sticking_out;
	if (least < t->least_self)
		t->least_self = least;
}

/* ---------------------------------------------------------------- cells */

/* t += s times f: the times; counts as they are. */
static void
add_scaled(struct pp_sums *t, const struct pp_sums *s, int64_t f)
{
	struct pp_sums x = *s;

	x.elapsed *= f;
	x.cpu *= f;
	x.self *= f;
	x.self_cpu *= f;
	x.self_wait *= f;
	x.self_queue *= f;
	x.self_unaccounted *= f;
	pp_sums_add(t, &x);
}

void
pp_event_join(struct pp_mem *mem, struct pp_event_cell *t,
    const struct pp_event_cell *s, int64_t f)
{
	t->count += s->count;
	t->time += s->time * f;
	t->outside += s->outside * f;
	t->counted |= s->counted;
	t->summed |= s->summed;
	if (s->count > 0 && pp_i64_mul(s->min, f) < t->min)
		t->min = pp_i64_mul(s->min, f);
	if (s->count > 0 && pp_i64_mul(s->max, f) > t->max)
		t->max = pp_i64_mul(s->max, f);
	pp_hist_merge_scaled(&t->hist, mem, &s->hist, f);
}

/* Both are in rising order. */
static void
add_slices(struct pp_mem *mem, struct pp_slices *t, const struct pp_slices *s)
{
	struct pp_slice *v;
	uint32_t i = 0, k = 0, n = 0;

	if (s->n == 0)
		return;
	v = pp_mem_alloc(mem, (size_t)(t->n + s->n) * sizeof(*v));
	while (i < t->n || k < s->n) {
		if (k == s->n || (i < t->n &&
		    t->v[i].interval < s->v[k].interval)) {
			v[n++] = t->v[i++];
			continue;
		}
		v[n] = s->v[k++];
		if (i < t->n && t->v[i].interval == v[n].interval) {
			v[n].count += t->v[i].count;
			v[n].time = pp_i64_add(v[n].time, t->v[i++].time);
		}
		n++;
	}
	pp_mem_free(mem, t->v);
	t->v = v;
	t->n = n;
	t->cap = n;
}

static void
merge_events(struct merging *g)
{
	struct pp_accounts *to = g->to;
	size_t i;

	for (i = 0; i < g->from->nevents; i++) {
		const struct pp_event_cell *s = &g->from->events[i];
		uint32_t t = pp_cell_event(to, g->step[s->session].into,
		    s->name, s->class);

		pp_event_join(to->mem, &to->events[t], s,
		    g->step[s->session].factor);
	}
}

static void
merge_buckets(struct merging *g)
{
	struct pp_accounts *to = g->to;
	size_t i;

	for (i = 0; i < g->from->nbuckets; i++) {
		const struct pp_bucket *s = &g->from->buckets[i];
		const struct pp_event_cell *e = &g->from->events[s->event];
		int64_t f = g->step[s->session].factor;
		uint32_t at = pp_cell_bucket(to, g->step[s->session].into,
		    s->stmt, e->name, e->class, s->place);
		struct pp_bucket *t = &to->buckets[at];

		t->count += s->count;
		t->time += s->time * f;
		if (pp_i64_mul(s->max, f) > t->max)
			t->max = pp_i64_mul(s->max, f);
		t->summed |= s->summed;
		if (to->merge == PP_MERGE_CLOCKS)
			add_slices(to->mem, &t->slices, &s->slices);
	}
}

static void
merge_calls(struct merging *g)
{
	struct pp_accounts *to = g->to;
	size_t i;

	for (i = 0; i < g->from->ncalls; i++) {
		const struct pp_call_cell *s = &g->from->calls[i];
		uint32_t t = pp_cell_call(to, g->step[s->session].into,
		    s->stmt, s->call);

		add_scaled(&to->calls[t].sums, &s->sums,
		    g->step[s->session].factor);
	}
}

void
pp_stmt_join(struct pp_stmt_cell *t, const struct pp_stmt_cell *s, int64_t f,
    bool times)
{
	if (s->has_depth && (!t->has_depth || s->depth < t->depth)) {
		t->has_depth = true;
		t->depth = s->depth;
	}
	t->executions += s->executions;
	t->parses += s->parses;
	t->misses += s->misses;
	add_scaled(&t->sums, &s->sums, f);
	t->between += s->between * f;
	t->recursive_parse += s->recursive_parse * f;
	t->recursive_exec += s->recursive_exec * f;
	t->recursive_fetch += s->recursive_fetch * f;
	if (!s->has_time || !times)
		return;
	t->has_time = true;
	if (s->first < t->first)
		t->first = s->first;
	if (s->last > t->last)
		t->last = s->last;
}

static void
add_stmt(struct merging *g, struct pp_stmt_cell *t,
    const struct pp_stmt_cell *s)
{
	pp_stmt_join(t, s, g->step[s->session].factor,
	    g->to->streams[t->session].one_clock);
}

static void
merge_stmts(struct merging *g)
{
	struct pp_accounts *to = g->to;
	size_t i;

	for (i = 0; i < g->from->nstmts; i++) {
		const struct pp_stmt_cell *s = &g->from->stmts[i];
		uint32_t t = pp_cell_stmt(to, g->step[s->session].into,
		    s->stmt);

		add_stmt(g, &to->stmts[t], s);
	}
}

/* A parent stands before its children. */
static void
merge_nodes(struct merging *g)
{
	struct pp_accounts *to = g->to;
	size_t i;

	for (i = 0; i < g->from->nnodes; i++) {
		const struct pp_node *s = &g->from->nodes[i];
		uint32_t into = g->step[s->session].into,
		    up = s->parent == PP_NODE_ROOT ? PP_NODE_ROOT :
		    g->node[s->parent];

		if (to->model->sessions[into].kind == PP_SESSION_CALLS)
			g->node[i] = pp_cell_node(to, into, up, s->call,
			    s->stmt, s->synthetic);
		else
			g->node[i] = pp_cell_path(to, into, up, s->call,
			    s->stmt);
		add_scaled(&to->nodes[g->node[i]].sums, &s->sums,
		    g->step[s->session].factor);
	}
}

static void
merge_by(struct merging *g)
{
	struct pp_accounts *to = g->to;
	const struct pp_by_cells *from = &g->from->by;
	size_t i;

	for (i = 0; i < from->nevents; i++) {
		const struct pp_event_cell *s = &from->events[i];
		uint32_t t = pp_by_event(to, g->step[s->session].into,
		    s->facet, s->name, s->class);

		pp_event_join(to->mem, &to->by.events[t], s,
		    g->step[s->session].factor);
	}
	for (i = 0; i < from->nstmts; i++) {
		const struct pp_stmt_cell *s = &from->stmts[i];
		uint32_t t = pp_by_stmt(to, g->step[s->session].into,
		    s->facet, s->stmt);

		add_stmt(g, &to->by.stmts[t], s);
	}
}

static void
merge_executions(struct merging *g)
{
	struct pp_accounts *to = g->to;
	const struct pp_model *m = to->model;
	size_t i;

	for (i = 0; i < m->nexecutions; i++) {
		const struct pp_executions *s = &m->executions[i];
		struct pp_executions *t;
		uint32_t *at;
		int64_t f;
		void *v = to->executions;

		if (s->session >= g->from->nsums)
			continue;
		f = g->step[s->session].factor;
		at = pp_map_at(&to->execution_map, KEY(s->facet,
		    g->step[s->session].into), s->stmt);
		if (*at == PP_MAP_NONE) {
			*at = (uint32_t)to->nexecutions;
			pp_mem_grow(to->mem, &v, &to->executions_cap,
			    to->nexecutions + 1, sizeof(*t));
			to->executions = v;
			t = &to->executions[to->nexecutions++];
			memset(t, 0, sizeof(*t));
			t->max = INT64_MIN;
		}
		t = &to->executions[*at];
		if (pp_i64_mul(s->max, f) > t->max)
			t->max = pp_i64_mul(s->max, f);
		pp_hist_merge_scaled(&t->hist, to->mem, &s->hist, f);
	}
}

void
pp_account_merge(struct pp_accounts *to, const struct pp_accounts *from,
    enum pp_merge how)
{
	struct pp_account_options opt = from->opt;
	struct merging g = {.to = to, .from = from};
	uint32_t i;

	opt.timeline = opt.timeline && how == PP_MERGE_CLOCKS;
	pp_account_init(to, from->model, &opt);
	to->merge = how;
	to->axes = from->axes;
	to->naxes = from->naxes;
	pp_map_init(&to->execution_map, to->mem);
	if (from->nsums == 0)
		return;
	pp_cell_session(to, (uint32_t)from->nsums - 1);
	to->streams = pp_mem_zalloc(to->mem,
	    from->nsums * sizeof(*to->streams));
	g.step = pp_mem_zalloc(to->mem, from->nsums * sizeof(*g.step));
	g.node = pp_mem_zalloc(to->mem,
	    (from->nnodes + 1) * sizeof(*g.node));
	choose(&g, how);
	sum_times(&g);
	for (i = 0; i < from->nsums; i++) {
		pp_sums_join(&to->sums[g.step[i].into], &from->sums[i],
		    g.step[i].factor);
		if (how == PP_MERGE_CLOCKS)
			to->axis_of[i] = from->axis_of[i];
	}
	merge_events(&g);
	merge_buckets(&g);
	merge_calls(&g);
	merge_stmts(&g);
	merge_nodes(&g);
	merge_by(&g);
	merge_executions(&g);
	pp_account_link(to);
	pp_mem_free(to->mem, g.step);
	pp_mem_free(to->mem, g.node);
}

/* ---------------------------------------------------------------- asking */

pp_i128
pp_account_span(const struct pp_accounts *a, uint32_t session)
{
	if (a->streams != NULL && session < a->nsums)
		return a->streams[session].span;
	/* a selection claims no more than what it selects */
	if (a->opt.select != NULL)
		return session < a->nsums ? a->sums[session].selected : 0;
	return pp_session_span(&a->model->sessions[session]);
}

bool
pp_account_times(const struct pp_accounts *a, uint32_t session,
    int64_t *start, int64_t *end)
{
	const struct pp_session *s = &a->model->sessions[session];

	if (a->streams != NULL && session < a->nsums) {
		const struct pp_stream *x = &a->streams[session];

		*start = x->start;
		*end = x->end;
		return x->has_time && x->one_clock;
	}
	*start = s->start;
	*end = s->end;
	return s->has_time;
}

const struct pp_executions *
pp_account_executions(const struct pp_accounts *a, uint32_t session,
    uint32_t stmt, uint32_t facet)
{
	uint32_t i;

	if (a->merge == PP_MERGE_NONE)
		return pp_model_executions(a->model, session, stmt, facet);
	i = pp_map_get(&a->execution_map, KEY(facet, session), stmt);
	return i == PP_MAP_NONE ? NULL : &a->executions[i];
}
