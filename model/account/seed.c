/*
 * seed.c: the two-pass timeline of the seed's Interval Resource Profiler.
 *
 * The clock is the `tim` of PARSE, EXEC and FETCH; a wait, whose tim was not
 * to be trusted then, moves it on by its duration until the next call sets
 * it.  The first pass finds how long the trace is, the second cuts it: an
 * interval ends with the event at which the clock has gone on by more than an
 * N-th of the whole, and that event belongs to the next one, which is named
 * by the clock.  So intervals differ in length, none is empty, and events are
 * never split.  CPU is that of each call less that of its recursive calls.
 *
 * Waits before the first call have no clock: they make an interval of their
 * own from the begin of the session.
 */
#include "seed.h"

#include "select.h"

/* Depths whose CPU is kept apart where depth alone tells who called whom. */
#define DEPTHS 64

struct seed_clock {
	int64_t start, end;	/* time_start, time_end; start 0: not set */
	int64_t offset;		/* time_offset: the last wait before start */
	int64_t skew;		/* label of the interval at hand */
	int64_t length;		/* of the whole: pass 1 */
	int64_t *label;		/* of the intervals: pass 2 */
	size_t n, cap;
	int64_t kids[DEPTHS];	/* CPU that no caller has claimed */
};

struct seed_pass {
	struct pp_accounts *a;
	struct seed_clock *clock;	/* by session */
	bool second;
};

/* Has the clock gone on by more than an interval? */
static bool
crossed(const struct seed_pass *p, const struct seed_clock *k,
    uint8_t digits)
{
	const struct pp_account_options *o = &p->a->opt;
	pp_i128 gone = (pp_i128)k->end - k->skew;

	if (o->interval_ps > 0)
		return gone > pp_dec_rescale(o->interval_ps, 12, digits);
	return gone * o->intervals > k->length;
}

static void
begin_interval(struct seed_pass *p, struct seed_clock *k, int64_t label)
{
	void *v = k->label;

	if (!p->second)
		return;
	pp_mem_grow(p->a->mem, &v, &k->cap, k->n + 1, sizeof(*k->label));
	k->label = v;
	k->label[k->n++] = label;
}

static void
turn(struct seed_pass *p, struct seed_clock *k, uint8_t digits)
{
	if (!crossed(p, k, digits))
		return;
	k->skew = k->end;
	begin_interval(p, k, k->skew);
}

static void
tick_call(struct seed_pass *p, struct seed_clock *k, int64_t tim,
    uint8_t digits)
{
	if (k->start == 0) {
		k->start = pp_i64_sub(tim, k->offset);
		k->offset = 0;
		k->end = k->skew = tim;
		begin_interval(p, k, tim);
	} else if (tim < k->start) {
		k->start = tim;
	} else {
		k->end = tim;
		if (p->second)
			turn(p, k, digits);
	}
}

static void
tick_wait(struct seed_pass *p, struct seed_clock *k,
    const struct pp_occurrence *o, uint8_t digits)
{
	if (k->start == 0) {
		k->offset = o->elapsed;
		if (k->n == 0)
			begin_interval(p, k,
			    p->a->model->sessions[o->session].start);
		return;
	}
	k->end = pp_i64_add(k->end, o->elapsed);
	if (p->second)
		turn(p, k, digits);
}

/*
 * The seed's own rule: calls of greater depth since the last call of this
 * depth or less are its recursive calls, wherever they lie.
 */
static int64_t
cpu_by_depth(struct seed_clock *k, const struct pp_occurrence *o)
{
	unsigned depth = o->depth < DEPTHS ? o->depth : DEPTHS - 1, i;
	int64_t own = o->cpu;

	for (i = depth + 1; i < DEPTHS; i++) {
		own = pp_i64_sub(own, k->kids[i]);
		k->kids[i] = 0;
	}
	k->kids[depth] = pp_i64_add(k->kids[depth], o->cpu);
	return own;
}

static void
add(struct seed_pass *p, const struct seed_clock *k,
    const struct pp_occurrence *o, uint32_t name, enum pp_class c,
    int64_t time)
{
	uint32_t b;

	if (!pp_account_selects(p->a, o))
		return;
	b = pp_cell_bucket(p->a, o->session, o->stmt, name, c, o->place);

	pp_slices_add(&p->a->buckets[b].slices, p->a->mem,
	    (uint32_t)(k->n > 0 ? k->n - 1 : 0), time, 1);
}

static void
see(void *arg, const struct pp_occurrence *o)
{
	struct seed_pass *p = arg;
	struct seed_clock *k = &p->clock[o->session];
	uint8_t digits = p->a->model->sessions[o->session].digits;

	if (o->kind == PP_OCC_WAIT) {
		tick_wait(p, k, o, digits);
		if (p->second)
			add(p, k, o, o->name, o->class, o->elapsed);
		return;
	}
	if (o->kind != PP_OCC_CALL || o->ev < PP_EV_PARSE ||
	    o->ev > PP_EV_FETCH)
		return;
	tick_call(p, k, o->end, digits);
	if (p->second)
		add(p, k, o, pp_cell_cpu_name(p->a, o->name), PP_CLASS_CPU,
		    p->a->opt.seed_orphans ? cpu_by_depth(k, o) :
		    o->self_cpu);
}

static void
end_first(struct seed_clock *k)
{
	k->length = pp_i64_sub(k->end, k->start);
	k->start = k->end = k->offset = k->skew = 0;
}

/* The axis of a session: from label to label, to the end of the clock. */
static void
lay_axis(struct pp_accounts *a, uint32_t session, struct seed_clock *k)
{
	const struct pp_session *s = &a->model->sessions[session];
	struct pp_axis *x;
	void *v = a->axes;
	size_t i;

	pp_mem_grow(a->mem, &v, &a->axes_cap, a->naxes + 1, sizeof(*x));
	a->axes = v;
	x = &a->axes[a->naxes];
	memset(x, 0, sizeof(*x));
	x->source = s->source;
	x->clock = s->clock;
	x->digits = s->digits;
	x->n = (uint32_t)k->n;
	x->edge = pp_mem_alloc(a->mem, (k->n + 1) * sizeof(*x->edge));
	memcpy(x->edge, k->label, k->n * sizeof(*x->edge));
	x->edge[k->n] = k->start == 0 ? s->end : k->end;
	for (i = k->n; i-- > 0;)
		/* waits have moved the clock further than the last call */
		if (x->edge[i] > x->edge[i + 1])
			x->edge[i + 1] = x->edge[i];
	x->start = s->start;
	x->end = x->edge[k->n];
	a->axis_of[session] = (uint32_t)a->naxes++;
}

/* Times count from the first begin in the source, whatever the session. */
static void
join_starts(struct pp_accounts *a, size_t from)
{
	size_t i, j;

	for (i = from; i < a->naxes; i++)
		for (j = from; j < a->naxes; j++)
			if (a->axes[j].source == a->axes[i].source &&
			    a->axes[j].clock == a->axes[i].clock &&
			    a->axes[j].start < a->axes[i].start)
				a->axes[i].start = a->axes[j].start;
}

enum pp_status
pp_seed_timeline(struct pp_accounts *a, uint32_t group)
{
	const struct pp_model *m = a->model;
	struct seed_pass p = {.a = a};
	size_t from = a->naxes;
	enum pp_status st;
	uint32_t i;

	p.clock = pp_mem_zalloc(a->mem, m->nsessions * sizeof(*p.clock));
	st = pp_account_forward(a, see, &p);
	for (i = 0; i < m->nsessions; i++)
		end_first(&p.clock[i]);
	p.second = true;
	if (st != PP_FATAL)
		st = pp_account_forward(a, see, &p);
	for (i = 0; i < m->nsessions; i++) {
		if (m->sessions[i].group == group && p.clock[i].n > 0) {
			pp_cell_session(a, i);
			lay_axis(a, i, &p.clock[i]);
		}
		pp_mem_free(a->mem, p.clock[i].label);
	}
	pp_mem_free(a->mem, p.clock);
	join_starts(a, from);
	return st;
}
