/*
 * nested_select.c: a selection of events that name their parents.
 */
#include "select.h"

/* n is 0 for what ends outside the window. */
static void
count_in(struct pp_accounts *a, uint32_t bucket, int64_t time, uint64_t n)
{
	struct pp_bucket *b = &a->buckets[bucket];
	struct pp_event_cell *e = &a->events[b->event];

	b->time += time;
	e->time += time;
	if (n == 0)
		return;
	b->count++;
	e->count++;
	if (time > b->max)
		b->max = time;
	if (time < e->min)
		e->min = time;
	if (time > e->max)
		e->max = time;
	pp_hist_add(&e->hist, a->mem, time);
}

int64_t
pp_select_laid(struct pp_walk *w, const struct pp_slices *laid,
    uint32_t name, enum pp_class c, uint32_t stmt, enum pp_place place,
    int64_t start, int64_t end, int64_t self, uint64_t *n)
{
	struct pp_accounts *a = w->a;
	struct pp_select *t = a->select;
	uint32_t bucket, i, shift = t->at != NULL;
	int64_t time = 0;

	*n = 0;
	if (!pp_select_takes(w, stmt, name, c) || (t->cut && laid == NULL))
		return 0;
	if (laid != NULL && !pp_select_holds(t, end) &&
	    pp_select_clip(w, start, end) == 0)
		return 0;
	bucket = pp_cell_bucket(a, w->session, stmt, name, c, place);
	if (laid == NULL || w->axis == NULL) {
		*n = 1;
		count_in(a, bucket, self, 1);
		if (laid == NULL)
			a->events[a->buckets[bucket].event].outside += self;
		return self;
	}
	for (i = 0; i < laid->n; i++) {
		const struct pp_slice *s = &laid->v[i];

		if (!pp_select_inside(t, s->interval))
			continue;
		time = pp_i64_add(time, s->time);
		*n += s->count;
		if (t->slices_wanted)
			pp_slices_push(&a->buckets[bucket].slices, a->mem,
			    s->interval - shift, s->time, s->count);
	}
	count_in(a, bucket, time, *n);
	return time;
}

bool
pp_select_named(struct pp_walk *w, uint32_t name, enum pp_class c)
{
	return !w->a->select->cut && pp_select_takes(w, PP_STMT_NONE, name, c);
}
