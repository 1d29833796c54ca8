/*
 * fill.c: cells that take more than one step, and the orders of rows; for
 * the reports of this folder only.
 */
#include <stdlib.h>

#include "../base/digits.h"
#include "fill.h"

static const struct pp_session *
session_of(const struct pp_report_ctx *c, uint32_t session)
{
	PP_ASSERT(session < c->model->nsessions);
	return &c->model->sessions[session];
}

bool
pp_session_has_calls(const struct pp_report_ctx *c, uint32_t session)
{
	return session_of(c, session)->kind == PP_SESSION_CALLS;
}

bool
pp_session_has_cpu(const struct pp_report_ctx *c, uint32_t session)
{
	const struct pp_accounts *a = c->accounts;

	return pp_session_has_calls(c, session) || (session < a->nsums &&
	    a->sums[session].has_cpu);
}

bool
pp_session_has_rows(const struct pp_report_ctx *c, uint32_t session)
{
	return session_of(c, session)->kind != PP_SESSION_STATES;
}

static pp_str
shown_source(const struct pp_report_ctx *c, const struct pp_session *s)
{
	return c->accounts->merge == PP_MERGE_SOURCES ? PP_STR("(all)") :
	    c->model->sources[s->source].name;
}

/* Does a row of the session tell its number? */
static bool
is_numbered(const struct pp_report_ctx *c, uint32_t session)
{
	const struct pp_accounts *a = c->accounts;

	return a->merge == PP_MERGE_NONE ||
	    (a->merge == PP_MERGE_CLOCKS && session < a->nsums &&
	    !a->streams[session].alone);
}

void
pp_fill_session(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session)
{
	const struct pp_session *s = session_of(c, session);

	pp_put_str(r, shown_source(c, s));
	if (is_numbered(c, session))
		pp_put_int(r, s->ordinal);
	else
		pp_put_null(r);
}

void
pp_fill_name(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t name)
{
	pp_put_str_or_null(r, pp_strtab_get(&c->model->names, name));
}

void
pp_fill_stmt(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t stmt)
{
	const struct pp_stmt *s = &c->model->stmts[stmt];

	pp_put_str(r, s->id);
	pp_put_str_or_null(r, s->sql_id);
}

void
pp_fill_context(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t context)
{
	const struct pp_context *x;

	if (context >= c->model->ncontexts) {
		pp_put_nulls(r, 3);
		return;
	}
	x = &c->model->contexts[context];
	pp_fill_name(r, c, x->module);
	pp_fill_name(r, c, x->action);
	pp_fill_name(r, c, x->client_id);
}

void
pp_fill_ticks(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, pp_i128 ticks)
{
	pp_put_dec(r, ticks, session_of(c, session)->digits);
}

void
pp_fill_ticks_if(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, bool known, pp_i128 ticks)
{
	if (known)
		pp_fill_ticks(r, c, session, ticks);
	else
		pp_put_null(r);
}

/*
 * Where the axis of a session begins: at the first begin in its source.
 * Sessions of one source on different clocks have an axis each, and count
 * from that one's start.
 */
static int64_t
origin(const struct pp_report_ctx *c, uint32_t session)
{
	const struct pp_session *s = session_of(c, session);
	const struct pp_source *src = &c->model->sources[s->source];
	const struct pp_accounts *a = c->accounts;

	if (a->axis_of != NULL && session < a->nsums &&
	    a->axis_of[session] < a->naxes)
		return a->axes[a->axis_of[session]].start;
	if (src->has_span && src->digits == s->digits)
		return src->start;
	return s->start;
}

void
pp_fill_tick(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, int64_t tick)
{
	pp_fill_ticks(r, c, session, (pp_i128)tick - origin(c, session));
}

void
pp_fill_wall(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, int64_t tick)
{
	struct pp_wall w;
	char buf[40];
	size_t n;

	if (!pp_session_wall(session_of(c, session), tick, &w)) {
		pp_put_null(r);
		return;
	}
	n = pp_wall_format(buf, &w, 0);
	if (n == 0)
		pp_put_null(r);
	else
		pp_put_text(r, (pp_str){buf, n});
}

#define FRACTION 20		/* 2024-03-26T18:41:07.683567 */

/* The second of a tick; false where there is no wall clock. */
static bool
find_second(struct pp_near *n, const struct pp_report_ctx *c, int64_t tick)
{
	struct pp_wall w;
	int64_t second, us, from, to;

	if (!pp_session_wall_near(session_of(c, n->session), tick, &w, &from,
	    &to))
		return false;
	second = w.us / 1000000 - (w.us % 1000000 < 0);
	us = w.us - second * 1000000;
	if (n->n == 0 || n->second != second ||
	    n->has_offset != w.has_offset || n->offset_min != w.offset_min) {
		n->second = second;
		n->has_offset = w.has_offset;
		n->offset_min = w.offset_min;
		n->n = pp_wall_format(n->text, &w, 0);
	}
	n->zero = pp_i64_sub(tick, us);
	n->from = from > n->zero ? from : n->zero;
	n->to = pp_i64_add(n->zero, 1000000);
	n->to = to < n->to ? to : n->to;
	return n->n != 0;
}

size_t
pp_near_wall(struct pp_near *n, const struct pp_report_ctx *c, int64_t tick,
    char *p)
{
	uint64_t digits;

	if ((tick < n->from || tick >= n->to) && !find_second(n, c, tick))
		return 0;
	digits = pp_digits_eight((uint32_t)(tick - n->zero)) |
	    PP_DIGITS_ZEROS;
	memcpy(p, n->text, FRACTION);
	pp_digits_store(p + FRACTION, digits >> 16);
	memcpy(p + FRACTION + 6, n->text + FRACTION + 6,
	    sizeof(n->text) - FRACTION - 6);
	return n->n;
}

void
pp_near_turn(struct pp_near *n, const struct pp_report_ctx *c,
    uint32_t session)
{
	const struct pp_session *s = session_of(c, session);
	const struct pp_accounts *a = c->accounts;

	n->from = n->to = 0;	/* the text of the second may serve again */
	n->known = true;
	n->session = session;
	n->source = shown_source(c, s);
	n->numbered = is_numbered(c, session);
	n->ordinal = s->ordinal;
	n->digits = s->digits;
	n->queue = session < a->nsums && a->sums[session].has_queue;
	n->origin = origin(c, session);
}

void
pp_fill_average(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, pp_i128 time, uint64_t count)
{
	unsigned digits = session_of(c, session)->digits;
	unsigned scale = digits < 6 ? 6 : digits;

	if (count == 0) {
		pp_put_null(r);
		return;
	}
	time = pp_dec_rescale(time, digits, scale);
	pp_put_dec(r, pp_div_half_up(time, (pp_i128)count), scale);
}

void
pp_fill_share(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, pp_i128 part)
{
	pp_i128 span = pp_account_span(c->accounts, session);

	if (span <= 0)
		pp_put_null(r);
	else
		pp_put_dec(r, pp_div_half_up(part * 10000, span), 2);
}

void
pp_fill_self(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, const struct pp_sums *s)
{
	const struct pp_accounts *a = c->accounts;
	bool queue = session < a->nsums && a->sums[session].has_queue;

	enum pp_session_kind kind = session_of(c, session)->kind;
	bool calls = kind == PP_SESSION_CALLS;
	/* which of what is neither is CPU is not known */
	bool waits = calls || (kind == PP_SESSION_EVENTS &&
	    session_of(c, session)->waits > 0);

	pp_fill_ticks(r, c, session, s->self);
	pp_fill_ticks_if(r, c, session, calls, s->self_cpu);
	pp_fill_ticks_if(r, c, session, waits, s->self_wait);
	pp_fill_ticks_if(r, c, session, queue, s->self_queue);
	pp_fill_ticks_if(r, c, session, kind != PP_SESSION_EVENTS,
	    s->self_unaccounted);
}

void
pp_fill_blocks(struct pp_rows *r, const struct pp_sums *s)
{
	pp_put_int(r, (pp_i128)s->p);
	pp_put_int(r, (pp_i128)s->cr);
	pp_put_int(r, (pp_i128)s->cu);
}

static int
compare(const void *va, const void *vb)
{
	const struct pp_sort *a = va, *b = vb;
	int c;

	if (a->major != b->major)
		return a->major < b->major ? -1 : 1;
	if (a->falling != b->falling)
		return a->falling > b->falling ? -1 : 1;
	c = pp_str_cmp(a->text, b->text);
	if (c != 0)
		return c;
	if (a->minor != b->minor)
		return a->minor < b->minor ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

void
pp_sort(struct pp_sort *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof(*v), compare);
}

struct pp_sort *
pp_sort_alloc(const struct pp_report_ctx *c, size_t n)
{
	if (n > SIZE_MAX / sizeof(struct pp_sort))
		pp_mem_fail(c->mem);
	return pp_mem_zalloc(c->mem, n * sizeof(struct pp_sort));
}

uint32_t *
pp_session_ranks(const struct pp_report_ctx *c)
{
	size_t n = c->model->nsessions;
	struct pp_sort *v = pp_sort_alloc(c, n);
	uint32_t *rank = pp_mem_alloc(c->mem, (n + 1) * sizeof(*rank));

	for (uint32_t i = 0; i < n; i++) {
		const struct pp_session *s = &c->model->sessions[i];

		v[i].major = (uint64_t)s->source << 32 | s->ordinal;
		v[i].index = i;
	}
	pp_sort(v, n);
	for (uint32_t i = 0; i < n; i++)
		rank[v[i].index] = i;
	pp_mem_free(c->mem, v);
	return rank;
}

uint32_t *
pp_session_order(const struct pp_report_ctx *c)
{
	size_t n = c->model->nsessions;
	uint32_t *rank = pp_session_ranks(c);
	uint32_t *order = pp_mem_alloc(c->mem, (n + 1) * sizeof(*order));

	for (uint32_t i = 0; i < n; i++)
		order[rank[i]] = i;
	pp_mem_free(c->mem, rank);
	return order;
}

struct pp_sort *
pp_events_sorted(const struct pp_report_ctx *c, size_t *n)
{
	const struct pp_accounts *a = c->accounts;
	struct pp_sort *v = pp_sort_alloc(c, a->nevents);
	uint32_t *rank = pp_session_ranks(c);

	for (uint32_t i = 0; i < a->nevents; i++) {
		const struct pp_event_cell *e = &a->events[i];

		v[i].major = rank[e->session];
		v[i].falling = e->time;
		v[i].text = pp_strtab_get(&c->model->names, e->name);
		v[i].minor = (uint64_t)e->class;
		v[i].index = i;
	}
	pp_sort(v, a->nevents);
	pp_mem_free(c->mem, rank);
	*n = a->nevents;
	return v;
}

void
pp_stmt_order_init(struct pp_stmt_order *o, const struct pp_report_ctx *c)
{
	const struct pp_accounts *a = c->accounts;

	o->n = a->nstmts;
	o->v = pp_sort_alloc(c, o->n);
	o->rank = pp_session_ranks(c);
	for (uint32_t i = 0; i < o->n; i++) {
		const struct pp_stmt_cell *s = &a->stmts[i];

		o->v[i].major = (uint64_t)o->rank[s->session] << 1 |
		    (s->stmt == PP_STMT_BETWEEN);
		o->v[i].falling = s->sums.self;
		o->v[i].text = c->model->stmts[s->stmt].id;
		o->v[i].minor = s->stmt;
		o->v[i].index = i;
	}
	pp_sort(o->v, o->n);
	pp_map_init(&o->place, c->mem);
	for (uint32_t i = 0; i < o->n; i++) {
		const struct pp_stmt_cell *s = &a->stmts[o->v[i].index];

		*pp_map_at(&o->place, s->session, s->stmt) = i;
	}
}

void
pp_stmt_order_free(struct pp_stmt_order *o)
{
	struct pp_mem *mem = o->place.mem;

	pp_map_free(&o->place);
	pp_mem_free(mem, o->rank);
	pp_mem_free(mem, o->v);
}

uint64_t
pp_stmt_order_key(const struct pp_stmt_order *o, uint32_t session,
    uint32_t stmt)
{
	uint32_t place = UINT32_MAX; /* (between calls): behind all others */

	if (stmt != PP_STMT_BETWEEN) {
		place = pp_map_get(&o->place, session, stmt);
		if (place == PP_MAP_NONE)
			place = UINT32_MAX - 1;
	}
	return (uint64_t)o->rank[session] << 32 | place;
}
