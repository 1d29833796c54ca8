/*
 * grid.c: turning slices by event into rows by interval.
 *
 * A counting sort: slices come event by event in the order of the table, are
 * counted by interval, then laid into the place of their interval, so that
 * each interval ends up in the order of the events.
 */
#include "grid.h"

#include <stdlib.h>

struct pp_grid_spot {
	int64_t time;
	uint64_t count;
	uint32_t event, stmt;
};

static uint32_t
folded(const struct pp_grid *g, uint32_t stmt)
{
	if (!g->by_stmt)
		return 0;
	return g->fold != NULL && g->fold[stmt] ? PP_GRID_OTHER : stmt;
}

/* Buckets by the place of their event, then by statement. */
static void
sort_buckets(struct pp_grid *g)
{
	const struct pp_accounts *a = g->ctx->accounts;
	uint32_t *place;

	place = pp_mem_alloc(g->ctx->mem, (g->nevents + 1) * sizeof(*place));
	for (uint32_t i = 0; i < g->nevents; i++)
		place[g->events[i].index] = i;
	pp_stmt_order_init(&g->stmts, g->ctx);
	g->nbuckets = a->nbuckets;
	g->buckets = pp_sort_alloc(g->ctx, g->nbuckets);
	for (uint32_t i = 0; i < g->nbuckets; i++) {
		const struct pp_bucket *b = &a->buckets[i];
		struct pp_sort *k = &g->buckets[i];

		k->major = place[b->event];
		k->minor = UINT64_MAX;
		if (folded(g, b->stmt) != PP_GRID_OTHER)
			k->minor = pp_stmt_order_key(&g->stmts, b->session,
			    b->stmt);
		k->index = i;
	}
	pp_sort(g->buckets, g->nbuckets);
	pp_mem_free(g->ctx->mem, place);
}

void
pp_grid_open(struct pp_grid *g, const struct pp_report_ctx *c, bool by_stmt,
    const uint8_t *fold)
{
	*g = (struct pp_grid){.ctx = c, .by_stmt = by_stmt, .fold = fold};
	g->order = pp_session_order(c);
	g->events = pp_events_sorted(c, &g->nevents);
	sort_buckets(g);
	pp_states_open(&g->states, c->accounts, true);
}

void
pp_grid_close(struct pp_grid *g)
{
	struct pp_mem *mem = g->ctx->mem;

	pp_states_close(&g->states);
	pp_stmt_order_free(&g->stmts);
	pp_mem_free(mem, g->order);
	pp_mem_free(mem, g->events);
	pp_mem_free(mem, g->buckets);
	pp_mem_free(mem, g->begin);
	pp_mem_free(mem, g->spot);
}

const struct pp_axis *
pp_grid_axis(const struct pp_report_ctx *c, uint32_t session)
{
	const struct pp_accounts *a = c->accounts;

	if (a->axis_of == NULL || session >= a->nsums ||
	    a->axis_of[session] >= a->naxes)
		return NULL;
	return &a->axes[a->axis_of[session]];
}

/* The interval that holds `tick`; an edge belongs to the later one. */
static uint32_t
locate(const struct pp_axis *x, int64_t tick)
{
	uint32_t lo = 0, hi = x->n - 1, mid;

	while (lo < hi) {
		mid = lo + (hi - lo + 1) / 2;
		if (x->edge[mid] <= tick)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

/* Intervals that meet the session: first and last. */
static bool
meeting(const struct pp_grid *g, uint32_t *first, uint32_t *last)
{
	const struct pp_axis *x = pp_grid_axis(g->ctx, g->session);
	int64_t start, end;

	if (x == NULL || x->n == 0 ||
	    !pp_account_times(g->ctx->accounts, g->session, &start, &end))
		return false;
	*first = locate(x, start);
	*last = locate(x, end);
	return true;
}

/* Is this the event that every interval shows? */
static bool
shown_always(const struct pp_grid *g, uint32_t event)
{
	const struct pp_accounts *a = g->ctx->accounts;

	/* `lost time` of SHOW PROFILE occurs, it is not what is left */
	return !g->by_stmt && !a->opt.seed_timeline &&
	    a->opt.select == NULL && !a->events[event].counted &&
	    a->events[event].class == PP_CLASS_UNACCOUNTED;
}

typedef void visit_fn(struct pp_grid *, uint32_t interval,
    const struct pp_grid_spot *);

/*
 * Show `visit` the slices of the session at hand, event by event; the
 * events and buckets of a session lie together in their orders.
 */
static void
visit_slices(struct pp_grid *g, visit_fn *visit)
{
	const struct pp_accounts *a = g->ctx->accounts;
	size_t e = g->at_event, b = g->at_bucket;
	uint32_t first, last;

	for (; e < g->nevents; e++) {
		uint32_t event = g->events[e].index;

		if (a->events[event].session != g->session)
			break;
		if (shown_always(g, event) && meeting(g, &first, &last))
			for (uint32_t i = first; i <= last; i++)
				visit(g, i, &(struct pp_grid_spot){
				    .event = event});
		for (; b < g->nbuckets && g->buckets[b].major == e; b++) {
			const struct pp_bucket *k =
			    &a->buckets[g->buckets[b].index];
			uint32_t stmt = folded(g, k->stmt);

			for (uint32_t i = 0; i < k->slices.n; i++) {
				const struct pp_slice *s = &k->slices.v[i];

				visit(g, s->interval, &(struct pp_grid_spot){
				    s->time, s->count, event, stmt});
			}
		}
	}
}

static void
count_spot(struct pp_grid *g, uint32_t interval,
    const struct pp_grid_spot *spot)
{
	(void)spot;
	PP_ASSERT(interval < g->nbegin - 1);
	g->begin[interval + 1]++;
	g->nspot++;
}

static void
lay_spot(struct pp_grid *g, uint32_t interval,
    const struct pp_grid_spot *spot)
{
	g->spot[g->begin[interval]++] = *spot;
}

/* ------------------------------------------ statements that stand apart */

/* A spot on its way to its place. */
struct spot_at {
	uint32_t interval, place; /* place: of its event */
	uint32_t seq;		/* of its statement; UINT32_MAX: folded */
	struct pp_grid_spot spot;
};

struct spots {
	struct spot_at *v;
	size_t n, cap;
	struct pp_map folded;	/* (interval, place) -> spot */
};

static int
by_place(const void *va, const void *vb)
{
	const struct spot_at *a = va, *b = vb;

	if (a->interval != b->interval)
		return a->interval < b->interval ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static void
add_spot(struct pp_grid *g, struct spots *s, const struct spot_at *x)
{
	void *v = s->v;
	uint32_t *at;

	if (x->seq == UINT32_MAX) {
		at = pp_map_at(&s->folded, x->interval, x->place);
		if (*at != PP_MAP_NONE) {
			s->v[*at].spot.time += x->spot.time;
			s->v[*at].spot.count += x->spot.count;
			return;
		}
		*at = (uint32_t)s->n;
	}
	pp_mem_grow(g->ctx->mem, &v, &s->cap, s->n + 1, sizeof(*s->v));
	s->v = v;
	s->v[s->n++] = *x;
}

/* The slices of the statements of the session at hand. */
static void
gather(struct pp_grid *g, struct spots *s, const uint32_t *place)
{
	const struct pp_accounts *a = g->ctx->accounts;

	for (uint32_t k = 0; k < g->stmts.n; k++) {
		const struct pp_stmt_cell *c =
		    &a->stmts[g->stmts.v[k].index];
		uint32_t stmt;

		if (c->session != g->session)
			continue;
		stmt = folded(g, c->stmt);
		pp_states_read(&g->states, c->session, c->stmt);
		for (size_t i = 0; i < g->states.nsum; i++) {
			const struct pp_bucket *b = &g->states.sum[i];

			for (uint32_t j = 0; j < b->slices.n; j++) {
				const struct pp_slice *l = &b->slices.v[j];

				add_spot(g, s, &(struct spot_at){l->interval,
				    place[b->event],
				    stmt == PP_GRID_OTHER ? UINT32_MAX : k,
				    {l->time, l->count, b->event, stmt}});
			}
		}
	}
}

/* Lay them by interval, event and statement. */
static void
lay_apart(struct pp_grid *g)
{
	const struct pp_accounts *a = g->ctx->accounts;
	struct pp_mem *mem = g->ctx->mem;
	struct spots s = {.n = 0};
	uint32_t *place;
	void *p = g->spot;

	if (g->skip_apart)
		return;
	pp_map_init(&s.folded, mem);
	place = pp_mem_zalloc(mem, (a->nevents + 1) * sizeof(*place));
	for (uint32_t i = 0; i < g->nevents; i++)
		place[g->events[i].index] = i;
	gather(g, &s, place);
	if (s.n > 1)
		qsort(s.v, s.n, sizeof(*s.v), by_place);
	pp_mem_grow(mem, &p, &g->spot_cap, s.n + 1, sizeof(*g->spot));
	g->spot = p;
	for (size_t i = 0; i < s.n; i++) {
		PP_ASSERT(s.v[i].interval < g->nbegin - 1);
		g->spot[i] = s.v[i].spot;
		g->begin[s.v[i].interval] = i + 1;
	}
	/* each begin is the end of its interval, also of an empty one */
	for (size_t i = 1; i < g->nbegin; i++)
		if (g->begin[i] < g->begin[i - 1])
			g->begin[i] = g->begin[i - 1];
	g->nspot = s.n;
	pp_mem_free(mem, place);
	pp_mem_free(mem, s.v);
	pp_map_free(&s.folded);
}

/* Lay the slices of the session at hand by interval. */
static void
lay(struct pp_grid *g)
{
	const struct pp_axis *x = pp_grid_axis(g->ctx, g->session);
	struct pp_mem *mem = g->ctx->mem;
	void *p;

	g->nspot = 0;
	g->at_interval = g->at_spot = 0;
	g->nbegin = x == NULL ? 1 : (size_t)x->n + 1;
	p = g->begin;
	pp_mem_grow(mem, &p, &g->begin_cap, g->nbegin, sizeof(*g->begin));
	g->begin = p;
	memset(g->begin, 0, g->nbegin * sizeof(*g->begin));
	if (x == NULL)
		return;
	if (g->by_stmt && pp_states_apart(g->ctx->accounts, g->session)) {
		lay_apart(g);
		return;
	}
	visit_slices(g, count_spot);
	for (size_t i = 1; i < g->nbegin; i++)
		g->begin[i] += g->begin[i - 1];
	p = g->spot;
	pp_mem_grow(mem, &p, &g->spot_cap, g->nspot + 1, sizeof(*g->spot));
	g->spot = p;
	visit_slices(g, lay_spot);
	/* laying has moved each begin to the end of its interval */
}

/* Go to the next session; false after the last. */
static bool
next_session(struct pp_grid *g)
{
	const struct pp_accounts *a = g->ctx->accounts;

	if (g->at_session == g->ctx->model->nsessions)
		return false;
	g->session = g->order[g->at_session++];
	lay(g);
	while (g->at_event < g->nevents &&
	    a->events[g->events[g->at_event].index].session == g->session)
		g->at_event++;
	while (g->at_bucket < g->nbuckets &&
	    g->buckets[g->at_bucket].major < g->at_event)
		g->at_bucket++;
	return true;
}

bool
pp_grid_next(struct pp_grid *g, struct pp_grid_row *row)
{
	for (;;) {
		const struct pp_grid_spot *s;

		if (g->at_spot == g->nspot) {
			if (!next_session(g))
				return false;
			continue;
		}
		while (g->begin[g->at_interval] <= g->at_spot)
			g->at_interval++;
		s = &g->spot[g->at_spot];
		*row = (struct pp_grid_row){.session = g->session,
			.interval = (uint32_t)g->at_interval,
			.event = s->event, .stmt = s->stmt};
		for (; g->at_spot < g->begin[g->at_interval]; g->at_spot++) {
			s = &g->spot[g->at_spot];
			if (s->event != row->event || s->stmt != row->stmt)
				break;
			row->time += s->time;
			row->count += s->count;
		}
		if (row->time != 0 || row->count != 0 ||
		    shown_always(g, row->event))
			return true;
	}
}

/* Edge k of the axis of a row; rows come from an axis. */
static int64_t
edge(const struct pp_report_ctx *c, const struct pp_grid_row *row, uint32_t k)
{
	const struct pp_axis *x = pp_grid_axis(c, row->session);

	if (x == NULL || k > x->n)
		pp_assert_failed("interval on the axis", __FILE__, __LINE__);
	return x->edge[k];
}

void
pp_grid_fill(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_grid_row *row)
{
	pp_fill_session(r, c, row->session);
	pp_put_int(r, (pp_i128)row->interval + 1);
	pp_fill_tick(r, c, row->session, edge(c, row, row->interval));
}

void
pp_grid_fill_end(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_grid_row *row)
{
	pp_fill_tick(r, c, row->session, edge(c, row, row->interval + 1));
	pp_fill_wall(r, c, row->session, edge(c, row, row->interval));
}
