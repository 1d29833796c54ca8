/*
 * digest_timeline.c: rows of table `timeline` of digests: what the digests
 * with the most time took between the snapshots of a server, the others as
 * `other`.  An interval lies between two snapshots; the source is the first.
 */
#include "digest_steps.h"

#include <stdlib.h>

#include "columns.h"

#define OTHER UINT32_MAX

/* A digest over all steps. */
struct line {
	const struct pp_digest *e;
	pp_i128 all;		/* over all steps */
	pp_i128 time, calls;	/* in the step at hand */
	bool seen;
	uint8_t digits;
	uint32_t rank;		/* OTHER: beyond the first ones */
};

struct lines {
	struct pp_digest_deltas x;
	struct pp_map map;	/* digest -> index in v */
	struct line *v;
	size_t n, cap;
	uint32_t *order;	/* of v, those with a rank first */
	uint32_t ranked;
};

static struct line *
line_of(struct lines *l, const struct pp_digest *e)
{
	uint32_t *at = pp_map_at(&l->map, e->id[0] ^ e->kind, e->id[1]);
	struct line *v;

	if (*at != PP_MAP_NONE)
		return &l->v[*at];
	*at = (uint32_t)l->n;
	if (l->n == l->cap)
		pp_mem_grow(l->x.c->mem, (void **)&l->v, &l->cap, l->n + 1,
		    sizeof(*l->v));
	v = &l->v[l->n++];
	memset(v, 0, sizeof(*v));
	v->e = e;
	return v;
}

/* By falling time; a pointer for lines that qsort moves. */
static int
by_time(const void *a, const void *b)
{
	const struct line *const *x = a, *const *y = b;

	if ((*x)->all != (*y)->all)
		return (*x)->all > (*y)->all ? -1 : 1;
	if ((*x)->e->id[0] != (*y)->e->id[0])
		return (*x)->e->id[0] < (*y)->e->id[0] ? -1 : 1;
	return (*x)->e->id[1] < (*y)->e->id[1] ? -1 : *x < *y ? -1 :
	    *x > *y;
}

static void
rank(struct lines *l)
{
	struct pp_mem *mem = l->x.c->mem;
	struct line **p = pp_mem_alloc(mem, (l->n + 1) * sizeof(*p));
	uint32_t top = l->x.c->opt.top != 0 ? l->x.c->opt.top :
	    PP_WIDE_EVENTS;
	size_t i;

	for (i = 0; i < l->n; i++)
		p[i] = &l->v[i];
	if (l->n != 0)
		qsort(p, l->n, sizeof(*p), by_time);
	l->order = pp_mem_alloc(mem, (l->n + 1) * sizeof(*l->order));
	for (i = 0; i < l->n; i++) {
		p[i]->rank = i < top ? (uint32_t)i : OTHER;
		l->order[i] = (uint32_t)(p[i] - l->v);
	}
	l->ranked = l->n < top ? (uint32_t)l->n : top;
	pp_mem_free(mem, p);
}

static void
put_start(struct pp_rows *r, const struct lines *l, size_t i)
{
	const struct pp_digest_snapshot *s = l->x.snapshot;
	char buf[40];
	size_t n;

	pp_put_str(r, s[0].name);
	pp_put_null(r);
	pp_put_int(r, (pp_i128)i);
	/* without a time they stand in the order of their names */
	if (s[0].at.known && s[i].at.known) {
		pp_put_dec(r, pp_digest_deltas_us(&s[0], &s[i - 1]), 6);
		pp_put_dec(r, pp_digest_deltas_us(&s[0], &s[i]), 6);
	} else {
		pp_put_null(r);
		pp_put_null(r);
	}
	n = s[i - 1].at.known ? pp_digest_at_format(buf, &s[i - 1].at) : 0;
	if (n != 0)
		pp_put_text(r, (pp_str){buf, n});
	else
		pp_put_null(r);
}

static void
put_line(struct pp_rows *r, const struct lines *l, size_t i, pp_str event,
    const struct line *w)
{
	put_start(r, l, i);
	pp_put_text(r, event);
	pp_put_str(r, pp_str_from(pp_class_name(PP_CLASS_STATEMENT)));
	pp_put_dec(r, pp_dec_rescale(w->time, PP_DIGEST_DIGITS, w->digits),
	    w->digits);
	pp_put_int(r, w->calls);
	pp_row_end(r);
}

static void
add(struct line *w, const struct pp_digest_delta *d)
{
	w->time += d->total;
	w->calls += d->calls;
	w->seen = true;
	if (d->e->digits > w->digits)
		w->digits = d->e->digits;
}

static void
fill_step(struct pp_rows *r, struct lines *l, size_t i)
{
	struct line rest = {.digits = 0}, *w;
	pp_str event;
	size_t k;

	for (k = 0; k < l->n; k++) {
		l->v[k].time = l->v[k].calls = 0;
		l->v[k].seen = false;
	}
	pp_digest_deltas_step(&l->x, i);
	for (k = 0; k < l->x.n; k++) {
		if (!l->x.v[k].has_total && !l->x.v[k].has_calls)
			continue;
		w = line_of(l, l->x.v[k].e);
		add(w->rank == OTHER ? &rest : w, &l->x.v[k]);
	}
	for (k = 0; k < l->ranked; k++) {
		w = &l->v[l->order[k]];
		event = pp_digest_shown(l->x.d, w->e);
		if (event.n == 0)
			event = pp_strtab_get(&l->x.d->strings,
			    w->e->native);
		if (w->seen)
			put_line(r, l, i, event, w);
	}
	if (rest.seen)
		put_line(r, l, i, PP_STR("other"), &rest);
}

void
pp_digest_timeline(struct pp_rows *r, const struct pp_report_ctx *c)
{
	struct lines l = {.n = 0};
	size_t i, k;

	if (!c->opt.delta || c->accounts->model->digests == NULL)
		return;
	pp_digest_deltas_open(&l.x, c);
	pp_map_init(&l.map, c->mem);
	for (i = 1; i < l.x.nsnapshots; i++) {
		pp_digest_deltas_step(&l.x, i);
		for (k = 0; k < l.x.n; k++)
			if (l.x.v[k].has_total || l.x.v[k].has_calls)
				line_of(&l, l.x.v[k].e)->all +=
				    l.x.v[k].total;
	}
	rank(&l);
	for (i = 1; i < l.x.nsnapshots; i++)
		fill_step(r, &l, i);
	pp_digest_deltas_close(&l.x);
	pp_map_free(&l.map);
	pp_mem_free(c->mem, l.v);
	pp_mem_free(c->mem, l.order);
}
