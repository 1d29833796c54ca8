/*
 * digest_deltas.c: table `digest_deltas`, what a digest gained between two
 * snapshots of a server a row.
 *
 * With --delta the inputs are snapshots of one server, ordered by the newest
 * LAST_SEEN of each (those without one by name).  Rows are compared by schema
 * and the server's own digest.  A counter that fell, or a FIRST_SEEN later
 * than the earlier snapshot, tells that counting began anew: all that the
 * later one has lies between the two.  A digest that only the later snapshot
 * has is new if it was first seen after the earlier one; else it is unknown
 * what of it lies between.
 */
#include "columns.h"
#include "digest_fold.h"

#include <stdlib.h>

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_DIGEST,
	{"schema", PP_T_TEXT, "schema that the statements ran in"},
	{"native_digest", PP_T_ID, "the server's own digest"},
	{"from_at", PP_T_TIME, "time of the earlier snapshot"},
	{"to_at", PP_T_TIME, "time of the later snapshot"},
	{"calls", PP_T_INT, "executions between the snapshots"},
	{"total_s", PP_T_SECONDS, "elapsed time between the snapshots"},
	{"state", PP_T_TEXT, "known, new, gone, reset or unknown"},
	{"load", PP_T_DECIMAL, "total_s by second between the snapshots"},
};

static const struct pp_table table = {
	"digest_deltas", "a native digest between two snapshots",
	"time of the snapshot, falling total_s, schema, native_digest",
	PP_COLUMNS(columns), 0
};

enum state { KNOWN, NEW, GONE, RESET, UNKNOWN };

static const char *const state_name[] = {
	[KNOWN] = "known",
	[NEW] = "new",
	[GONE] = "gone",
	[RESET] = "reset",
	[UNKNOWN] = "unknown",
};

struct snapshot {
	uint32_t source;
	struct pp_digest_at at;
	pp_str name;
};

struct delta {
	const struct pp_digest *e; /* of the later snapshot, else the former */
	pp_str schema, native;
	enum state state;
	bool has_calls, has_total;
	pp_i128 calls, total;
};

struct deltas {
	const struct pp_report_ctx *c;
	struct pp_digests *d;
	struct snapshot *snapshot;
	size_t nsnapshots;
	struct delta *v;
	size_t n, cap;
};

/* ------------------------------------------------------------ snapshots */

static int
by_time(const void *a, const void *b)
{
	const struct snapshot *x = a, *y = b;

	if (x->at.known && y->at.known) {
		if (pp_digest_before(&x->at, &y->at))
			return -1;
		if (pp_digest_before(&y->at, &x->at))
			return 1;
	} else if (x->at.known != y->at.known)
		return x->at.known ? 1 : -1;
	return pp_str_cmp(x->name, y->name);
}

static void
find_snapshots(struct deltas *x)
{
	struct snapshot *s;
	size_t i;

	x->snapshot = pp_mem_zalloc(x->c->mem,
	    (x->d->nsources + 1) * sizeof(*x->snapshot));
	for (i = 0; i < x->d->nsources; i++) {
		if (!x->d->sources[i].used)
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

static struct delta *
add(struct deltas *x, const struct pp_digest *e, enum state state)
{
	struct delta *d;

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
take_all(struct delta *d, const struct pp_digest *e)
{
	uint64_t calls;

	d->has_calls = pp_digest_calls(e, &calls);
	d->calls = d->has_calls ? (pp_i128)calls : 0;
	d->has_total = (e->has & PP_DG_HAS_TOTAL) != 0;
	d->total = e->total;
}

static void
compare(struct deltas *x, const struct snapshot *from,
    const struct pp_digest *a, const struct pp_digest *b)
{
	bool later = from->at.known && b->first.known &&
	    pp_digest_before(&from->at, &b->first);
	unsigned both;
	struct delta *d;

	if (a == NULL) {
		d = add(x, b, later ? NEW : UNKNOWN);
		if (later)
			take_all(d, b);
		return;
	}
	if (later || fell(a, b)) {
		take_all(add(x, b, RESET), b);
		return;
	}
	d = add(x, b, KNOWN);
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
row_of(const struct deltas *x, const struct snapshot *s, uint32_t i)
{
	const struct pp_digest *e = pp_digest_at(x->d, i);

	/* without rows it is a histogram only */
	return e->source == s->source && e->rows != 0 &&
	    pp_digest_selects(x->c, x->d, e) ? e : NULL;
}

static void
index_rows(const struct deltas *x, const struct snapshot *s,
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
step(struct deltas *x, const struct snapshot *from, const struct snapshot *to)
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
			add(x, e, GONE);
	}
	pp_map_free(&map);
}

/* ---------------------------------------------------------------- rows */

static int
by_delta(const void *a, const void *b)
{
	const struct delta *x = a, *y = b;
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

static void
put_at(struct pp_rows *r, const struct pp_digest_at *at)
{
	char buf[40];
	size_t n = at->known ? pp_digest_at_format(buf, at) : 0;

	if (n == 0)
		pp_put_null(r);
	else
		pp_put_text(r, (pp_str){buf, n});
}

static void
put_load(struct pp_rows *r, const struct delta *d,
    const struct snapshot *from, const struct snapshot *to)
{
	int64_t us = !from->at.known || !to->at.known ? 0 :
	    pp_i64_sub(to->at.us, from->at.us);

	if (us <= 0 || !d->has_total)
		pp_put_null(r);
	else
		pp_put_dec(r, pp_div_half_up(d->total, us), 6);
}

static void
fill_row(struct pp_rows *r, const struct deltas *x, const struct delta *d,
    const struct snapshot *from, const struct snapshot *to)
{
	pp_put_str(r, to->name);
	pp_digest_put_id(r, x->d, d->e);
	pp_put_str_or_null(r, d->schema);
	pp_put_str_or_null(r, d->native);
	put_at(r, &from->at);
	put_at(r, &to->at);
	if (d->has_calls)
		pp_put_int(r, d->calls);
	else
		pp_put_null(r);
	if (d->has_total)
		pp_put_dec(r, pp_dec_rescale(d->total, PP_DIGEST_DIGITS,
		    d->e->digits), d->e->digits);
	else
		pp_put_null(r);
	pp_put_str(r, pp_str_from(state_name[d->state]));
	put_load(r, d, from, to);
	pp_row_end(r);
}

static void
tell_resets(const struct deltas *x, const struct snapshot *to)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < x->n; i++)
		n += x->v[i].state == RESET;
	if (n != 0)
		pp_diag_tell_n(&x->c->accounts->model->diag, PP_MSG_RESET, 0,
		    UINT64_MAX, n, "%.*s: the counters of %llu digest%s "
		    "began anew since the snapshot before",
		    (int)to->name.n, to->name.p, (unsigned long long)n,
		    n == 1 ? "" : "s");
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct deltas x = {.c = c};
	struct pp_rows r;
	size_t i, k;

	x.d = pp_digests(c->accounts->model);
	pp_rows_open(&r, c->mem, to, &table);
	if (!c->opt.delta)
		return pp_rows_close(&r);
	find_snapshots(&x);
	for (i = 1; i < x.nsnapshots; i++) {
		x.n = 0;
		step(&x, &x.snapshot[i - 1], &x.snapshot[i]);
		tell_resets(&x, &x.snapshot[i]);
		if (x.n != 0)
			qsort(x.v, x.n, sizeof(*x.v), by_delta);
		for (k = 0; k < x.n; k++)
			fill_row(&r, &x, &x.v[k], &x.snapshot[i - 1],
			    &x.snapshot[i]);
	}
	pp_mem_free(c->mem, x.snapshot);
	pp_mem_free(c->mem, x.v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_digest_deltas = {
	.table = &table,
	.inputs = PP_INPUT_DIGESTS,
	.default_on = true,
	.emit = emit,
};
