/*
 * nearest.c: the nearest frame that holds an event, where the stack of the
 * backward walk is too long to look through.
 *
 * Frames leave the stack from its top only, so calls that neither hold each
 * other nor lie apart can pile up by the ten thousand, and each event asks all
 * of them.  What is asked is always: of the frames with depth below d that
 * begin no later than a point, which is nearest to the top?  Their ends do not
 * matter, because whatever stands before a call in the log ends before it,
 * but for calls marked PP_EVF_LATE; these few are kept and looked at apart.
 *
 * The frames are kept in lists by depth, the way of Fenwick: list p has the
 * frames of depth p - (p & -p) .. p - 1, so that those of depth 0 .. d - 1 are
 * the lists d, d - (d & -d), ...  In a list a frame makes useless the ones
 * below it on the stack that begin no earlier.  So starts rise towards its
 * end, and the last that begins early enough is found by halving.
 */
#include "walk.h"

/* Lists to begin with; a power of two. */
#define DEPTHS 16

static int64_t
start_of(const struct pp_walk *w, const struct pp_walk_session *ws,
    uint32_t frame)
{
	return w->depth_decides ? 0 : ws->stack[frame].start;
}

static void
append(struct pp_walk *w, struct pp_nearest_list *l, uint32_t frame)
{
	void *v = l->v;
	size_t cap = l->cap;

	if (l->n == l->cap) {
		pp_mem_grow(w->a->mem, &v, &cap, (size_t)l->n + 1,
		    sizeof(*l->v));
		l->v = v;
		l->cap = (uint32_t)cap;
	}
	l->v[l->n++] = frame;
}

static void
insert(struct pp_walk *w, struct pp_walk_session *ws, uint32_t frame)
{
	struct pp_nearest *x = &ws->nearest;
	const struct pp_frame *f = &ws->stack[frame];
	int64_t start = start_of(w, ws, frame);
	uint32_t p;

	if (f->late && !w->depth_decides) {
		append(w, &x->late, frame);
		return;
	}
	for (p = f->depth + 1u; p <= x->depths; p += p & (0u - p)) {
		struct pp_nearest_list *l = &x->lists[p];

		while (l->n > 0 &&
		    start_of(w, ws, l->v[l->n - 1]) >= start)
			l->n--;
		append(w, l, frame);
	}
}

/* Lists for depths up to `depth`, filled with all frames. */
static void
build(struct pp_walk *w, struct pp_walk_session *ws, uint32_t depth)
{
	struct pp_nearest *x = &ws->nearest;
	uint32_t depths = DEPTHS, i;

	pp_nearest_free(w, ws);
	for (i = 0; i < ws->n; i++)
		if (ws->stack[i].depth > depth)
			depth = ws->stack[i].depth;
	while (depths <= depth)
		depths *= 2;
	x->lists = pp_mem_zalloc(w->a->mem, (depths + 1) *
	    sizeof(*x->lists));
	x->depths = depths;
	for (i = 0; i < ws->n; i++)
		insert(w, ws, i);
}

void
pp_nearest_free(struct pp_walk *w, struct pp_walk_session *ws)
{
	struct pp_nearest *x = &ws->nearest;
	uint32_t p;

	for (p = 0; p <= x->depths && x->lists != NULL; p++)
		pp_mem_free(w->a->mem, x->lists[p].v);
	pp_mem_free(w->a->mem, x->lists);
	pp_mem_free(w->a->mem, x->late.v);
	memset(x, 0, sizeof(*x));
}

void
pp_nearest_push(struct pp_walk *w, struct pp_walk_session *ws)
{
	uint32_t depth = ws->stack[ws->n - 1].depth;

	if (depth >= ws->nearest.depths)
		build(w, ws, depth);
	else
		insert(w, ws, ws->n - 1);
}

static void
take(struct pp_nearest_list *l, uint32_t frame)
{
	if (l->n > 0 && l->v[l->n - 1] == frame)
		l->n--;
}

void
pp_nearest_pop(struct pp_walk *w, struct pp_walk_session *ws)
{
	struct pp_nearest *x = &ws->nearest;
	uint32_t p;

	if (ws->n == 0) {
		pp_nearest_free(w, ws);
		return;
	}
	take(&x->late, ws->n);
	for (p = ws->stack[ws->n].depth + 1u; p <= x->depths;
	    p += p & (0u - p))
		take(&x->lists[p], ws->n);
}

/* How many of the list begin no later than half of `middle`. */
static uint32_t
begun(const struct pp_walk *w, const struct pp_walk_session *ws,
    const struct pp_nearest_list *l, pp_i128 middle)
{
	uint32_t lo = 0, hi = l->n;

	while (lo < hi) {
		uint32_t m = lo + (hi - lo) / 2;

		if (w->depth_decides ||
		    2 * (pp_i128)ws->stack[l->v[m]].start <= middle)
			lo = m + 1;
		else
			hi = m;
	}
	return lo;
}

uint32_t
pp_nearest_find(const struct pp_walk *w, const struct pp_walk_session *ws,
    uint32_t depth, pp_i128 middle)
{
	const struct pp_nearest *x = &ws->nearest;
	uint32_t best = UINT32_MAX, p, i, n;

	for (p = depth < x->depths ? depth : x->depths; p > 0;
	    p -= p & (0u - p)) {
		const struct pp_nearest_list *l = &x->lists[p];

		n = begun(w, ws, l, middle);
		if (n > 0 && (best == UINT32_MAX || l->v[n - 1] > best))
			best = l->v[n - 1];
	}
	for (i = x->late.n; i-- > 0;) {
		const struct pp_frame *f = &ws->stack[x->late.v[i]];

		if (best != UINT32_MAX && x->late.v[i] < best)
			break;
		if (f->depth < depth && 2 * (pp_i128)f->start <= middle &&
		    middle <= 2 * (pp_i128)f->end)
			return x->late.v[i];
	}
	return best;
}
