/*
 * select_window.c: the window of --since and --until on the axis of a source.
 */
#include "select.h"

/* The session that tells the wall clock of an axis; NULL: none. */
static const struct pp_session *
clock_of(const struct pp_accounts *a, const struct pp_axis *x)
{
	const struct pp_model *m = a->model;
	size_t i;

	for (i = 0; i < m->nsessions; i++)
		if (m->sessions[i].source == x->source &&
		    m->sessions[i].clock == x->clock &&
		    m->sessions[i].has_anchor && m->sessions[i].anchor.known)
			return &m->sessions[i];
	return NULL;
}

#define DAY ((int64_t)86400 * 1000000)

/* The anchors of a session, from 0. */
static struct pp_anchor
anchor(const struct pp_session *s, size_t i)
{
	return i > 0 ? s->anchors[i - 1] :
	    (struct pp_anchor){s->anchor_tick, s->anchor_tick, s->anchor};
}

/*
 * Ticks of the moment `us` of the wall clock of session s.  `m` tells its
 * offset; NULL: that of the stamps.  Where the wall clock was set back and
 * shows a time twice, it is the first; where it was set ahead, what it never
 * showed is the moment at which it was set.
 */
static int64_t
tick_at(const struct pp_session *s, pp_i128 us, const struct pp_moment *m)
{
	pp_i128 v;
	size_t i;

	for (i = 0;; i++) {
		struct pp_anchor a = anchor(s, i);

		v = us - a.wall.us;
		if (m != NULL && m->has_offset && a.wall.has_offset)
			v += (pp_i128)(a.wall.offset_min - m->offset_min) *
			    60 * 1000000;
		if (i > 0 && v <= 0)
			return a.start;
		if (s->scale_1024)
			v = pp_div_half_up(v * 1000, 1024);
		v = pp_dec_rescale(v, 6, s->digits) + a.tick;
		if (i == s->nanchors || v < anchor(s, i + 1).start)
			break;
	}
	return v > INT64_MAX / 4 ? INT64_MAX / 4 : v < INT64_MIN / 4 ?
	    INT64_MIN / 4 : (int64_t)v;
}

/* A moment in ticks of an axis; false when the axis has no such clock. */
static bool
moment(const struct pp_accounts *a, const struct pp_axis *x,
    const struct pp_moment *m, int64_t *out)
{
	const struct pp_session *s;
	struct pp_wall begin;
	int64_t day, t;
	pp_i128 us = m->us, v;

	if (!m->wall) {
		v = pp_dec_rescale(m->ps, 12, x->digits) + x->start;
		*out = v > INT64_MAX / 4 ? INT64_MAX / 4 : (int64_t)v;
		return true;
	}
	s = clock_of(a, x);
	if (s == NULL)
		return false;
	if (m->has_date) {
		*out = tick_at(s, us, m);
		return true;
	}
	if (!pp_session_wall(s, x->start, &begin))
		return false;
	day = (int64_t)pp_div_floor(begin.us, DAY) * DAY;
	t = tick_at(s, us + day, NULL);
	/* a trace may run past midnight */
	if (t < x->start && tick_at(s, us + day + DAY, NULL) <= x->end)
		t = tick_at(s, us + day + DAY, NULL);
	*out = t;
	return true;
}

static void
tell_no_clock(struct pp_accounts *a, const struct pp_axis *x)
{
	struct pp_model *m = a->model;

	pp_diag_file(&m->diag, x->source, m->sources[x->source].name.p);
	pp_diag_tell(&m->diag, PP_MSG_NO_WALL_CLOCK, 0, UINT64_MAX,
	    "no stamp of the wall clock in it: --since and --until with a "
	    "date or a time of day select nothing");
}

void
pp_select_window(struct pp_accounts *a, size_t i, int64_t *from, int64_t *to)
{
	struct pp_select *t = a->select;
	const struct pp_axis *x = &a->axes[i];
	struct pp_window *w;
	bool known = true;

	if (!t->cut)
		return;
	w = t->made = pp_mem_zalloc(a->mem, sizeof(*w));
	w->from = INT64_MIN / 4;
	w->to = INT64_MAX / 4;
	if (t->s->since.given)
		known = moment(a, x, &t->s->since, &w->from);
	if (known && t->s->until.given)
		known = moment(a, x, &t->s->until, &w->to);
	if (!known)
		tell_no_clock(a, x);
	w->empty = !known || w->from > x->end || w->to <= x->start ||
	    w->to <= w->from;
	/* as on the axis itself, the end of all belongs to the last */
	if (w->to >= x->end)
		w->to = INT64_MAX / 4;
	if (w->empty)
		*to = *from;
	else {
		*from = w->from > *from ? w->from : *from;
		*to = w->to < *to ? w->to : *to;
	}
}

void
pp_select_extend(struct pp_accounts *a, size_t i, uint32_t group)
{
	struct pp_select *t = a->select;
	struct pp_window *w = t->made;
	const struct pp_axis *x = &a->axes[i];
	struct pp_axis *y;
	void *v = t->window;
	size_t k, old = t->nwindow;

	if (!t->cut)
		return;
	y = &w->wide;
	*y = *x;
	y->n = x->n + 2;
	y->edge = pp_mem_alloc(a->mem, (y->n + 1) * sizeof(*y->edge));
	memcpy(y->edge + 1, x->edge, (x->n + 1) * sizeof(*y->edge));
	y->edge[0] = y->start = INT64_MIN / 2;
	y->edge[y->n] = y->end = INT64_MAX / 2;
	for (k = 1; k <= x->n + 1; k++)
		if (w->empty)
			y->edge[k] = INT64_MAX / 4;	/* all is before it */
	if (!w->empty) {
		y->edge[1] = w->from;
		y->edge[x->n + 1] = w->to;
	}
	pp_mem_grow(a->mem, &v, &t->nwindow, a->model->nsessions,
	    sizeof(struct pp_window *));
	t->window = v;
	for (k = old; k < t->nwindow; k++)
		t->window[k] = NULL;
	for (k = 0; k < a->model->nsessions; k++)
		if (a->model->sessions[k].group == group &&
		    k < a->nsums && a->axis_of[k] == i)
			t->window[k] = w;
}

int64_t
pp_select_clip(const struct pp_walk *w, int64_t start, int64_t end)
{
	const struct pp_window *x = w->a->select->at;

	if (x == NULL)
		return pp_i64_sub(end, start);
	if (x->empty)
		return 0;
	if (start < x->from)
		start = x->from;
	if (end > x->to)
		end = x->to;
	return end > start ? pp_i64_sub(end, start) : 0;
}
