/*
 * frame.c: a call of the backward walk: its self segments, and what it adds
 * to the accounts when it is closed.
 */
#include "by.h"
#include "select.h"

struct pp_frame *
pp_frame_push(struct pp_walk *w, struct pp_walk_session *ws)
{
	struct pp_frame *f;

	if (ws->n == ws->cap) {
		uint32_t n = ws->cap ? ws->cap * 2 : 16;

		ws->stack = pp_mem_realloc(w->a->mem, ws->stack,
		    n * sizeof(*ws->stack));
		memset(ws->stack + ws->cap, 0,
		    (n - ws->cap) * sizeof(*ws->stack));
		ws->cap = n;
	}
	f = &ws->stack[ws->n++];
	/* a loop that copies by strings is slow to begin */
	f->late = f->has_queue = f->nested = false;
	f->orphan = f->selected = 0;
	f->level = 0;
	f->cpu = f->queue = f->wait = f->wait_cpu = f->wait_queue = 0;
	f->wait_in = f->length = 0;
	f->p = f->cr = f->cu = f->rows = 0;
	f->kid_dur = f->kid_cpu = f->kid_queue = 0;
	f->kid_p = f->kid_cr = f->kid_cu = 0;
	f->share.n = f->nsegs = 0;
	return f;
}

/* A self segment that may become a gap. */
static void
keep_segment(struct pp_walk *w, struct pp_frame *f, int64_t start,
    int64_t end, uint32_t after_line, uint32_t before_line)
{
	void *v = f->segs;
	size_t cap = f->segs_cap;

	pp_mem_grow(w->a->mem, &v, &cap, f->nsegs + 1, sizeof(*f->segs));
	f->segs = v;
	f->segs_cap = (uint32_t)cap;
	f->segs[f->nsegs++] = (struct pp_segment){start, end, f->length,
	    after_line, before_line};
}

/* [start, end) of the frame is covered by nothing: a self segment. */
static inline void
add_segment(struct pp_walk *w, struct pp_frame *f, int64_t start, int64_t end,
    uint32_t after_line, uint32_t before_line)
{
	int64_t n = pp_i64_sub(end, start);

	/* an unordered session may take back any of them */
	if (n >= w->sums->gap_least || w->unordered)
		keep_segment(w, f, start, end, after_line, before_line);
	f->length = pp_i64_add(f->length, n);
	if (w->axis != NULL)
		pp_slices_span(&f->share, w->a->mem, w->axis, start, end, 0,
		    &w->ws->hint);
}

/*
 * An event that comes out of order covers what was taken for self segments:
 * cut [start, end) out of them.
 */
static void
take_back(struct pp_walk *w, struct pp_frame *f, int64_t start, int64_t end)
{
	uint32_t i, k;
	void *v = f->segs;
	size_t cap = f->segs_cap;

	for (i = 0; i < f->nsegs; i++) {
		struct pp_segment *g = &f->segs[i], left = *g;
		int64_t from = start > g->start ? start : g->start,
		    to = end < g->end ? end : g->end;

		if (from >= to)
			continue;
		f->length -= to - from;
		if (w->axis != NULL)
			pp_slices_cut(&f->share, w->a->mem, w->axis, from, to,
			    &w->ws->hint);
		left.end = from;
		g->start = to;		/* what is left of it on the right */
		if (left.start >= left.end)
			continue;
		pp_mem_grow(w->a->mem, &v, &cap, f->nsegs + 1,
		    sizeof(*f->segs));
		f->segs = v;
		f->segs_cap = (uint32_t)cap;
		for (k = f->nsegs++; k > i + 1; k--)
			f->segs[k] = f->segs[k - 1];
		f->segs[i + 1] = left;
		i++;
	}
}

void
pp_frame_cover(struct pp_walk *w, struct pp_frame *f, int64_t start,
    int64_t end, uint32_t line)
{
	if (start < f->start)
		start = f->start;
	if (end > f->end)
		end = f->end;
	if (start >= end)
		return;		/* covers nothing, or lies outside */
	if (w->unordered && end > f->cover)
		take_back(w, f, start, end);
	if (end < f->cover)
		add_segment(w, f, end, f->cover, line, f->cover_line);
	if (start < f->cover) {
		f->cover = start;
		f->cover_line = line;
	}
}

void
pp_frame_wait_samples(struct pp_walk *w, struct pp_frame *f,
    const struct pp_ev_ext2 *x)
{
	struct pp_session_sums *s = w->sums;

	if (x->cpu != PP_NO_TIME) {
		f->wait_cpu = pp_i64_add(f->wait_cpu, x->cpu);
		s->wait_cpu += x->cpu;
	}
	if (x->queue != PP_NO_TIME) {
		f->wait_queue = pp_i64_add(f->wait_queue, x->queue);
		f->has_queue = true;	/* the call's own sample: 0 */
		s->wait_queue += x->queue;
		s->has_queue = true;
	}
}

int64_t
pp_frame_spread(int64_t c, int64_t x, int64_t l)
{
	int64_t product;

	if (x == l)
		return c;
	if (x == 0)
		return 0;
	if (c >= 0 && !__builtin_mul_overflow(c, x, &product))
		return product / l;
	return (int64_t)pp_div_floor((pp_i128)c * x, l);
}

/*
 * Rule 8: c ticks of CPU (or run queue) spread over the self segments.  The
 * shares come from the right; what lies left of a share is what remains.
 */
static void
spread_shares(struct pp_walk *w, const struct pp_frame *f, uint32_t bucket,
    int64_t c, uint32_t at_end)
{
	struct pp_slices *out = &w->a->buckets[bucket].slices;
	int64_t left = f->length, upto = c;
	uint32_t i;

	if (f->share.n == 0) {
		pp_slices_add(out, w->a->mem, at_end, c, 1);
		return;
	}
	if (f->share.v[0].interval != at_end)
		pp_slices_add(out, w->a->mem, at_end, 0, 1);
	for (i = 0; i < f->share.n; i++) {
		const struct pp_slice *s = &f->share.v[i];
		int64_t below;

		left = pp_i64_sub(left, s->time);
		below = pp_frame_spread(c, left < 0 ? 0 : left, f->length);
		pp_slices_add(out, w->a->mem, s->interval, upto - below,
		    s->interval == at_end);
		upto = below;
	}
}

/* What is left of the call in each interval; the sum over the intervals is
 * `total` exactly: what clipping shifted goes to the call's end. */
static void
spread_rest(struct pp_walk *w, const struct pp_frame *f, uint32_t bucket,
    int64_t c, int64_t total, uint32_t at_end)
{
	struct pp_slices *out = &w->a->buckets[bucket].slices;
	int64_t left = f->length, upto = c, rest;
	uint32_t i;

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

/* Kept segments, less the CPU spread on them, become gaps. */
static void
find_gaps(struct pp_walk *w, const struct pp_frame *f, int64_t c)
{
	struct pp_session_sums *s = w->sums;
	int64_t right = 0;
	uint32_t i;

	for (i = 0; i < f->nsegs; i++) {
		const struct pp_segment *g = &f->segs[i];
		int64_t hi, lo;

		if (!w->unordered)
			right = g->right;
		hi = f->length - right;
		lo = hi - (g->end - g->start);
		right += g->end - g->start;	/* all of them are there */
		struct pp_gap gap = {g->after_line, g->before_line, g->start,
		    g->end, 0, PP_PLACE_CALL, f->stmt, 0};

		gap.time = pp_i64_sub(g->end - g->start,
		    pp_frame_spread(c, hi, f->length) - pp_frame_spread(c, lo, f->length));
		pp_gap_add(s, w->a->mem, &gap);
	}
}

/* `nested`: the cell has this call's caller too, whose times include it. */
static void
add_sums(struct pp_sums *s, const struct pp_frame *f,
    const struct pp_self *self, bool nested)
{
	s->calls++;
	if (!nested) {
		s->elapsed += f->dur;
		s->cpu += f->cpu;
	}
	s->self += self->elapsed;
	s->self_cpu += self->cpu;
	s->self_wait += f->wait;
	s->self_queue += self->queue;
	s->self_unaccounted += self->unaccounted;
	s->rows += f->rows;
	s->misses += f->misses;
	s->p += f->p;
	s->cr += f->cr;
	s->cu += f->cu;
	s->self_p = pp_i64_add(s->self_p, (int64_t)(f->p - f->kid_p));
	s->self_cr = pp_i64_add(s->self_cr, (int64_t)(f->cr - f->kid_cr));
	s->self_cu = pp_i64_add(s->self_cu, (int64_t)(f->cu - f->kid_cu));
}

static void
touch_stmt(struct pp_call_link *l, const struct pp_frame *f)
{
	if (f->depth < l->depth)
		l->depth = f->depth;
	if (f->start < l->first)
		l->first = f->start;
	if (f->end > l->last)
		l->last = f->end;
}

static void
add_to_facet(struct pp_walk *w, const struct pp_frame *f,
    const struct pp_self *self)
{
	struct pp_sums one = {0};

	add_sums(&one, f, self, false);
	pp_by_call(w, f, &one, 1, f->has_queue);
	pp_by_touch(w, f, f->start, f->end);
}

/* Run queue is rare: its bucket is looked up when it is first needed. */
static uint32_t
queue_bucket(struct pp_walk *w, const struct pp_frame *f)
{
	struct pp_accounts *a = w->a;

	if (a->maps->links[f->cell].queue == UINT32_MAX)
		a->maps->links[f->cell].queue = pp_cell_bucket(a, w->session,
		    f->stmt, a->maps->queue, PP_CLASS_QUEUE, PP_PLACE_CALL);
	return a->maps->links[f->cell].queue;
}

/*
 * The common case of the two above: the call has its self segments, if any,
 * in the interval that it ends in.
 */
static bool
spread_in_one(struct pp_walk *w, const struct pp_frame *f,
    const struct pp_call_link *l, const struct pp_self *self, uint32_t at_end)
{
	struct pp_bucket *b = w->a->buckets;
	struct pp_mem *mem = w->a->mem;

	if (f->has_queue || f->share.n > 1 || (f->share.n == 1 &&
	    (f->share.v[0].interval != at_end ||
	    f->share.v[0].time != f->length)))
		return false;
	pp_slices_add(&b[l->cpu].slices, mem, at_end, self->cpu, 1);
	if (f->share.n > 0 || self->unaccounted != 0)
		pp_slices_add(&b[l->unaccounted].slices, mem, at_end,
		    self->unaccounted, 0);
	return true;
}

void
pp_frame_close(struct pp_walk *w, struct pp_walk_session *ws)
{
	struct pp_accounts *a = w->a;
	struct pp_frame *f = &ws->stack[--ws->n];
	struct pp_session_sums *s = w->sums;
	struct pp_call_link *l;
	struct pp_self self;
	uint32_t at_end = 0;

	if (ws->nearest.lists != NULL)
		pp_nearest_pop(w, ws);
	if (f->cover > f->start)
		add_segment(w, f, f->start, f->cover, 0, f->cover_line);
	self.elapsed = pp_i64_sub(f->dur, f->kid_dur);
	self.cpu = pp_i64_sub(pp_i64_sub(f->cpu, f->kid_cpu), f->wait_cpu);
	self.queue = pp_i64_sub(pp_i64_sub(f->queue, f->kid_queue),
	    f->wait_queue);
	self.unaccounted = pp_i64_sub(pp_i64_sub(pp_i64_sub(self.elapsed,
	    self.cpu), self.queue), f->wait);
	if (self.elapsed < s->least_self)
		s->least_self = self.elapsed;
	if (a->select != NULL) {
		pp_select_close(w, f, &self);
		return;
	}
	s->call_unaccounted += self.unaccounted;
	add_sums(&a->nodes[f->node].sums, f, &self, f->nested);
	if (a->maps->node_cell[f->node] != f->cell)
		add_sums(&a->calls[f->cell].sums, f, &self, false);
	l = &a->maps->links[f->cell];
	touch_stmt(l, f);
	pp_cell_count(a, l->cpu, self.cpu);
	a->buckets[l->unaccounted].time += self.unaccounted;
	if (f->nsegs > 0)
		find_gaps(w, f, pp_i64_add(self.cpu, self.queue));
	if (f->has_queue)
		pp_cell_count(a, queue_bucket(w, f), self.queue);
	if (pp_by_on(a))
		add_to_facet(w, f, &self);
	if (w->axis == NULL)
		return;
	at_end = pp_axis_find(w->axis, f->end, ws->hint);
	l = &a->maps->links[f->cell];
	if (spread_in_one(w, f, l, &self, at_end))
		return;
	spread_shares(w, f, l->cpu, self.cpu, at_end);
	if (f->has_queue)
		spread_shares(w, f, l->queue, self.queue, at_end);
	spread_rest(w, f, l->unaccounted, pp_i64_add(self.cpu, self.queue),
	    self.unaccounted, at_end);
}
