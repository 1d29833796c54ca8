/*
 * digest_steps.c: what digests gained from a snapshot of a server to the
 * next.
 *
 * The sources are snapshots of one server, ordered by the newest LAST_SEEN of
 * each (those without one by name).  Rows are compared by schema and the
 * server's own digest.  A counter that fell, or a FIRST_SEEN later than the
 * earlier snapshot, tells that counting began anew: all that the later one
 * has lies between the two.  A digest that only the later snapshot has is new
 * if it was first seen after the earlier one; else it is unknown what of it
 * lies between.
 */
#include "digest_steps.h"

#include <stdlib.h>

const char *
pp_digest_state_name(enum pp_digest_state s)
{
	static const char *const name[] = {
		[PP_DELTA_KNOWN] = "known",
		[PP_DELTA_NEW] = "new",
		[PP_DELTA_GONE] = "gone",
		[PP_DELTA_RESET] = "reset",
		[PP_DELTA_UNKNOWN] = "unknown",
	};

	return name[s];
}

/* ------------------------------------------------------------ snapshots */

static int
by_time(const void *a, const void *b)
{
	const struct pp_digest_snapshot *x = a, *y = b;

	if (x->at.known && y->at.known) {
		if (pp_digest_before(&x->at, &y->at))
			return -1;
		if (pp_digest_before(&y->at, &x->at))
			return 1;
	} else if (x->at.known != y->at.known)
		return x->at.known ? 1 : -1;
	return pp_str_cmp(x->name, y->name);
}

/* A source with a histogram only is no snapshot. */
static bool
has_rows(const struct pp_digests *d, size_t source)
{
	const struct pp_digest_source *s = &d->sources[source];
	uint32_t i;

	for (i = s->begin; i < s->end; i++)
		if (pp_digest_at(d, i)->source == source &&
		    pp_digest_at(d, i)->rows != 0)
			return true;
	return false;
}

static void
find_snapshots(struct pp_digest_deltas *x)
{
	struct pp_digest_snapshot *s;
	size_t i;

	x->snapshot = pp_mem_zalloc(x->c->mem,
	    (x->d->nsources + 1) * sizeof(*x->snapshot));
	for (i = 0; i < x->d->nsources; i++) {
		if (!x->d->sources[i].used || !has_rows(x->d, i))
			continue;
		s = &x->snapshot[x->nsnapshots++];
		s->source = (uint32_t)i;
		s->at = x->d->sources[i].newest;
		s->name = x->c->model->sources[i].name;
	}
	if (x->nsnapshots != 0)
		qsort(x->snapshot, x->nsnapshots, sizeof(*s), by_time);
}

/* --------------------------------------------------------------- deltas */

/* What names a row of a server: its schema, and its digest or text. */
static void
key_of(const struct pp_digest *e, uint64_t *a, uint64_t *b)
{
	*a = (uint64_t)e->schema << 32 | (e->native != 0);
	if (e->native != 0)
		*b = e->native;
	else
		*b = e->id[0] ^ e->kind;
}

static bool
fell(const struct pp_digest *a, const struct pp_digest *b)
{
	unsigned both = a->has & b->has, k;

	for (k = 0; k < PP_DG_COUNTERS; k++)
		if ((both & (1u << k)) && b->count[k] < a->count[k])
			return true;
	if ((both & PP_DG_HAS_TOTAL) && b->total < a->total)
		return true;
	return (both & PP_DG_HAS_LOCK) && b->lock < a->lock;
}

static struct pp_digest_delta *
add(struct pp_digest_deltas *x, const struct pp_digest *e, enum pp_digest_state state)
{
	struct pp_digest_delta *d;

	if (x->n == x->cap)
		pp_mem_grow(x->c->mem, (void **)&x->v, &x->cap, x->n + 1,
		    sizeof(*x->v));
	d = &x->v[x->n++];
	memset(d, 0, sizeof(*d));
	d->e = e;
	d->state = state;
	d->schema = pp_strtab_get(&x->d->strings, e->schema);
	d->native = pp_strtab_get(&x->d->strings, e->native);
	return d;
}

/* All of e lies between the snapshots. */
static void
take_all(struct pp_digest_delta *d, const struct pp_digest *e)
{
	uint64_t calls;

	d->has_calls = pp_digest_calls(e, &calls);
	d->calls = d->has_calls ? (pp_i128)calls : 0;
	d->has_total = (e->has & PP_DG_HAS_TOTAL) != 0;
	d->total = e->total;
}

static void
compare(struct pp_digest_deltas *x, const struct pp_digest_snapshot *from,
    const struct pp_digest *a, const struct pp_digest *b)
{
	bool later = from->at.known && b->first.known &&
	    pp_digest_before(&from->at, &b->first);
	unsigned both;
	struct pp_digest_delta *d;

	if (a == NULL) {
		d = add(x, b, later ? PP_DELTA_NEW : PP_DELTA_UNKNOWN);
		if (later)
			take_all(d, b);
		return;
	}
	if (later || fell(a, b)) {
		take_all(add(x, b, PP_DELTA_RESET), b);
		return;
	}
	d = add(x, b, PP_DELTA_KNOWN);
	both = a->has & b->has;
	d->has_calls = (both & (1u << PP_DG_CALLS)) != 0;
	d->has_total = (both & PP_DG_HAS_TOTAL) != 0;
	if (d->has_calls)
		d->calls = (pp_i128)b->count[PP_DG_CALLS] -
		    (pp_i128)a->count[PP_DG_CALLS];
	if (d->has_total)
		d->total = b->total - a->total;
}

/* Entry i when it is one of the snapshot's rows, else NULL. */
static const struct pp_digest *
row_of(const struct pp_digest_deltas *x, const struct pp_digest_snapshot *s, uint32_t i)
{
	const struct pp_digest *e = pp_digest_at(x->d, i);

	/* without rows it is a histogram only */
	return e->source == s->source && e->rows != 0 &&
	    pp_digest_selects(x->c, x->d, e) ? e : NULL;
}

static void
index_rows(const struct pp_digest_deltas *x, const struct pp_digest_snapshot *s,
    struct pp_map *map)
{
	const struct pp_digest_source *src = &x->d->sources[s->source];
	const struct pp_digest *e;
	uint64_t a, b;
	uint32_t i;

	for (i = src->begin; i < src->end; i++) {
		e = row_of(x, s, i);
		if (e == NULL)
			continue;
		key_of(e, &a, &b);
		*pp_map_at(map, a, b) = i;
	}
}

#define MATCHED (PP_MAP_NONE - 1)

/* The rows of one step from a snapshot to the next. */
static void
step(struct pp_digest_deltas *x, const struct pp_digest_snapshot *from, const struct pp_digest_snapshot *to)
{
	const struct pp_digest_source *src;
	const struct pp_digest *e;
	struct pp_map map;
	uint64_t a, b;
	uint32_t at, i;

	pp_map_init(&map, x->c->mem);
	index_rows(x, from, &map);
	src = &x->d->sources[to->source];
	for (i = src->begin; i < src->end; i++) {
		e = row_of(x, to, i);
		if (e == NULL)
			continue;
		key_of(e, &a, &b);
		at = pp_map_get(&map, a, b);
		compare(x, from, at == PP_MAP_NONE ? NULL :
		    pp_digest_at(x->d, at), e);
		if (at != PP_MAP_NONE)
			*pp_map_at(&map, a, b) = MATCHED;
	}
	src = &x->d->sources[from->source];
	for (i = src->begin; i < src->end; i++) {
		e = row_of(x, from, i);
		if (e == NULL)
			continue;
		key_of(e, &a, &b);
		if (pp_map_get(&map, a, b) == i)
			add(x, e, PP_DELTA_GONE);
	}
	pp_map_free(&map);
}

static int
by_delta(const void *a, const void *b)
{
	const struct pp_digest_delta *x = a, *y = b;
	int c;

	if (x->has_total != y->has_total)
		return x->has_total ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	c = pp_str_cmp(x->schema, y->schema);
	if (c == 0)
		c = pp_str_cmp(x->native, y->native);
	if (c == 0 && x->e->id[0] != y->e->id[0])
		c = x->e->id[0] < y->e->id[0] ? -1 : 1;
	return c;
}

void
pp_digest_deltas_open(struct pp_digest_deltas *x,
    const struct pp_report_ctx *c)
{
	memset(x, 0, sizeof(*x));
	x->c = c;
	x->d = pp_digests(c->accounts->model);
	find_snapshots(x);
}

void
pp_digest_deltas_step(struct pp_digest_deltas *x, size_t i)
{
	x->n = 0;
	step(x, &x->snapshot[i - 1], &x->snapshot[i]);
	if (x->n != 0)
		qsort(x->v, x->n, sizeof(*x->v), by_delta);
}

void
pp_digest_deltas_close(struct pp_digest_deltas *x)
{
	pp_mem_free(x->c->mem, x->snapshot);
	pp_mem_free(x->c->mem, x->v);
}

int64_t
pp_digest_deltas_us(const struct pp_digest_snapshot *from,
    const struct pp_digest_snapshot *to)
{
	int64_t us;

	if (!from->at.known || !to->at.known)
		return 0;
	us = pp_i64_sub(to->at.us, from->at.us);
	return us < 0 ? 0 : us;
}
