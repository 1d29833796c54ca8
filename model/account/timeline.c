/*
 * timeline.c: the axis of a source and the shares of its intervals (DESIGN
 * section 6, rule 8, the even timeline).
 */
#include "select.h"

/* Intervals are counted in memory; more than this is a mistake. */
#define MOST_INTERVALS 1000000u

/* Ticks of --interval, at least 1; 0 where --intervals N is used. */
static int64_t
interval_ticks(const struct pp_accounts *a, uint8_t digits)
{
	pp_i128 t;

	if (a->opt.interval_ps <= 0)
		return 0;
	t = pp_dec_rescale(a->opt.interval_ps, 12, digits);
	return t < 1 ? 1 : t > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)t;
}

/* What was asked for cannot be had: the timeline is by another interval. */
static void
tell_changed(struct pp_accounts *a, const struct pp_axis *x, int64_t step)
{
	struct pp_diag *d = &a->model->diag;

	if (a->opt.interval_ps <= 0)
		return;
	if (step == 0)
		pp_diag_tell(d, PP_MSG_INTERVAL_CHANGED, 0, UINT64_MAX,
		    "--interval would make more than %u intervals: there are "
		    "as many", MOST_INTERVALS);
	else if (pp_dec_rescale(step, x->digits, 12) != a->opt.interval_ps)
		pp_diag_tell(d, PP_MSG_INTERVAL_CHANGED, 0, UINT64_MAX,
		    "--interval is no whole number of ticks of the clock: it "
		    "was rounded");
}

static void
lay_edges(struct pp_accounts *a, struct pp_axis *x, int64_t start,
    int64_t end)
{
	pp_i128 span = (pp_i128)end - start;
	int64_t step = interval_ticks(a, x->digits);
	uint32_t k;

	x->n = a->opt.intervals;
	if (step > 0) {
		pp_i128 n = (span + step - 1) / step;

		x->n = n < 1 ? 1 : n > MOST_INTERVALS ? 0 : (uint32_t)n;
	}
	if (x->n == 0) {
		/* too many: fall back to the most that are counted */
		x->n = MOST_INTERVALS;
		step = 0;
	}
	tell_changed(a, x, step);
	x->edge = pp_mem_alloc(a->mem, (x->n + 1) * sizeof(*x->edge));
	for (k = 0; k < x->n; k++)
		x->edge[k] = step > 0 ? start + (int64_t)k * step :
		    start + (int64_t)(span * k / x->n);
	x->edge[x->n] = end;
}

/* The axis that session s lies on, made where it is new. */
static uint32_t
axis_for(struct pp_accounts *a, const struct pp_session *s, size_t from)
{
	struct pp_axis *x;
	size_t i;
	void *v = a->axes;

	for (i = from; i < a->naxes; i++) {
		x = &a->axes[i];
		if (x->source == s->source && x->clock == s->clock &&
		    x->digits == s->digits)
			return (uint32_t)i;
	}
	pp_mem_grow(a->mem, &v, &a->axes_cap, a->naxes + 1, sizeof(*x));
	a->axes = v;
	x = &a->axes[a->naxes];
	memset(x, 0, sizeof(*x));
	x->source = s->source;
	x->clock = s->clock;
	x->digits = s->digits;
	x->start = INT64_MAX;
	x->end = INT64_MIN;
	return (uint32_t)a->naxes++;
}

void
pp_axis_build(struct pp_accounts *a, uint32_t group)
{
	const struct pp_model *m = a->model;
	size_t from = a->naxes, i;

	for (i = 0; i < m->nsessions; i++) {
		const struct pp_session *s = &m->sessions[i];
		struct pp_axis *x;

		if (s->group != group || !s->has_time)
			continue;
		pp_cell_session(a, (uint32_t)i);
		a->axis_of[i] = axis_for(a, s, from);
		x = &a->axes[a->axis_of[i]];
		if (s->start < x->start)
			x->start = s->start;
		if (s->end > x->end)
			x->end = s->end;
	}
	for (i = from; i < a->naxes; i++) {
		int64_t start = a->axes[i].start, end = a->axes[i].end;

		if (a->select != NULL)
			pp_select_window(a, i, &start, &end);
		lay_edges(a, &a->axes[i], start, end);
		if (a->select != NULL)
			pp_select_extend(a, i, group);
	}
}

void
pp_axis_drop(struct pp_accounts *a, size_t from)
{
	size_t i;

	for (i = 0; i < a->nsums; i++)
		if (a->axis_of[i] != UINT32_MAX && a->axis_of[i] >= from)
			a->axis_of[i] = UINT32_MAX;
	for (i = from; i < a->naxes; i++)
		pp_mem_free(a->mem, a->axes[i].edge);
	a->naxes = from;
}

uint32_t
pp_axis_search(const struct pp_axis *x, int64_t t)
{
	uint32_t lo = 0, hi = x->n, mid;

	if (t >= x->end)
		return x->n - 1;
	if (t <= x->start)
		t = x->start;
	/* the last edge that is not above t */
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (x->edge[mid] <= t)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

void
pp_slices_insert(struct pp_slices *s, struct pp_mem *mem, uint32_t interval,
    int64_t time, uint64_t count)
{
	uint32_t i = s->n;
	size_t cap;
	void *v;

	while (i > 0 && s->v[i - 1].interval < interval)
		i--;
	if (i > 0 && s->v[i - 1].interval == interval) {
		s->v[i - 1].time += time;
		s->v[i - 1].count += count;
		return;
	}
	if (s->n == s->cap) {
		v = s->v;
		cap = s->cap ? s->cap : 1;
		v = pp_mem_realloc(mem, v, cap * 2 * sizeof(*s->v));
		s->v = v;
		s->cap = (uint32_t)cap * 2;
	}
	if (i < s->n)
		memmove(s->v + i + 1, s->v + i, (s->n - i) * sizeof(*s->v));
	s->n++;
	s->v[i].interval = interval;
	s->v[i].time = time;
	s->v[i].count = count;
}

/* The parts of [start, end] in each interval, times `sign`. */
static void
span(struct pp_slices *s, struct pp_mem *mem, const struct pp_axis *x,
    int64_t start, int64_t end, uint64_t count, uint32_t *hint, int sign)
{
	uint32_t k = pp_axis_find(x, end, *hint);

	*hint = k;
	for (;; k--) {
		int64_t from = x->edge[k];

		if (k == 0 || start >= from) {
			pp_slices_add(s, mem, k, sign * (end - start), count);
			return;
		}
		if (end > from || count)
			pp_slices_add(s, mem, k, sign * (end - from), count);
		end = from;
		count = 0;
	}
}

void
pp_slices_split(struct pp_slices *s, struct pp_mem *mem,
    const struct pp_axis *x, int64_t start, int64_t end, uint64_t count,
    uint32_t *hint)
{
	span(s, mem, x, start, end, count, hint, 1);
}

void
pp_slices_cut(struct pp_slices *s, struct pp_mem *mem,
    const struct pp_axis *x, int64_t start, int64_t end, uint32_t *hint)
{
	span(s, mem, x, start, end, 0, hint, -1);
}

void
pp_slices_push(struct pp_slices *s, struct pp_mem *mem, uint32_t interval,
    int64_t time, uint64_t count)
{
	uint32_t i = s->n;
	size_t cap = s->cap;
	void *v = s->v;

	while (i > 0 && s->v[i - 1].interval > interval)
		i--;
	if (i > 0 && s->v[i - 1].interval == interval) {
		s->v[i - 1].time += time;
		s->v[i - 1].count += count;
		return;
	}
	pp_mem_grow(mem, &v, &cap, s->n + 1, sizeof(*s->v));
	s->v = v;
	s->cap = (uint32_t)cap;
	memmove(s->v + i + 1, s->v + i, (s->n - i) * sizeof(*s->v));
	s->n++;
	s->v[i] = (struct pp_slice){interval, count, time};
}

void
pp_slices_raise(struct pp_slices *s, struct pp_mem *mem,
    const struct pp_axis *x, int64_t start, int64_t end, uint64_t count,
    uint32_t *hint)
{
	uint32_t k = pp_axis_find(x, start, *hint);

	for (; k + 1 < x->n && end > x->edge[k + 1]; k++) {
		pp_slices_push(s, mem, k, x->edge[k + 1] - start, 0);
		start = x->edge[k + 1];
	}
	/* what ends on an edge counts for the interval that begins there */
	pp_slices_push(s, mem, k, end - start, 0);
	if (count > 0)
		pp_slices_push(s, mem, pp_axis_find(x, end, k), 0, count);
	*hint = k;
}

void
pp_slices_sort(struct pp_slices *s)
{
	uint32_t i, k;

	/* kept in strictly falling order: turn round */
	for (i = 0, k = s->n; i + 1 < k; i++, k--) {
		struct pp_slice t = s->v[i];

		s->v[i] = s->v[k - 1];
		s->v[k - 1] = t;
	}
}

/*
 * Each interval's length within the session, less all that the buckets hold,
 * is the session's `unaccounted-for` there; what calls of statements do not
 * take of it belongs to `(between calls)`.
 */
void
pp_timeline_rest(struct pp_accounts *a, uint32_t session,
    const uint32_t *buckets, size_t n, uint32_t rest_bucket)
{
	const struct pp_session *s = &a->model->sessions[session];
	const struct pp_axis *x = &a->axes[a->axis_of[session]];
	int64_t *rest = pp_mem_zalloc(a->mem, x->n * sizeof(*rest));
	uint32_t k, i, first = pp_axis_find(x, s->start, 0),
	    last = pp_axis_find(x, s->end, x->n - 1);
	size_t b;

	for (k = first; k <= last; k++) {
		int64_t from = x->edge[k] > s->start ? x->edge[k] : s->start;
		int64_t to = x->edge[k + 1] < s->end ? x->edge[k + 1] : s->end;

		rest[k] = to > from ? to - from : 0;
	}
	for (b = 0; b < n; b++) {
		const struct pp_slices *sl = &a->buckets[buckets[b]].slices;

		if (buckets[b] == rest_bucket)
			continue;
		for (i = 0; i < sl->n; i++)
			rest[sl->v[i].interval] -= sl->v[i].time;
	}
	for (k = last + 1; k-- > first;)
		pp_slices_add(&a->buckets[rest_bucket].slices, a->mem, k,
		    rest[k], 0);
	pp_mem_free(a->mem, rest);
}
