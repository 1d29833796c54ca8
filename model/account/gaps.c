/*
 * gaps.c: the widest unaccounted stretches of a session: a heap of PP_GAPS
 * with the smallest on top.  Of equal stretches the earlier one is kept, so
 * that the result does not depend on the order of finding them.
 */
#include "cells.h"

#include <stdlib.h>

/* Does a come before b in the table: longer first, then earlier? */
static bool
before(const struct pp_gap *a, const struct pp_gap *b)
{
	if (a->time != b->time)
		return a->time > b->time;
	if (a->start != b->start)
		return a->start < b->start;
	if (a->end != b->end)
		return a->end < b->end;
	return a->after_line < b->after_line;
}

static void
sift_down(struct pp_session_sums *s)
{
	struct pp_gap g = s->gap[0];
	uint32_t i = 0, k;

	while ((k = 2 * i + 1) < s->ngaps) {
		if (k + 1 < s->ngaps && before(&s->gap[k], &s->gap[k + 1]))
			k++;
		if (!before(&g, &s->gap[k]))
			break;
		s->gap[i] = s->gap[k];
		i = k;
	}
	s->gap[i] = g;
}

/* Most sessions have few: the list begins with what a short one needs. */
static void
make_room(struct pp_session_sums *s, struct pp_mem *mem)
{
	uint32_t cap = s->gaps_cap ? s->gaps_cap * 2 : 4;

	if (s->ngaps < s->gaps_cap)
		return;
	if (cap > PP_GAPS)
		cap = PP_GAPS;
	s->gap = pp_mem_realloc(mem, s->gap, cap * sizeof(*s->gap));
	s->gaps_cap = cap;
}

void
pp_gap_add(struct pp_session_sums *s, struct pp_mem *mem,
    const struct pp_gap *g)
{
	uint32_t i, up;

	if (g->time <= 0)
		return;
	if (s->ngaps == PP_GAPS) {
		if (before(g, &s->gap[0])) {
			s->gap[0] = *g;
			sift_down(s);
			s->gap_least = s->gap[0].time;
		}
		return;
	}
	make_room(s, mem);
	for (i = s->ngaps++; i > 0; i = up) {
		up = (i - 1) / 2;
		if (!before(&s->gap[up], g))
			break;
		s->gap[i] = s->gap[up];
	}
	s->gap[i] = *g;
	if (s->ngaps == PP_GAPS)
		s->gap_least = s->gap[0].time;
}

static int
compare(const void *x, const void *y)
{
	const struct pp_gap *a = x, *b = y;

	return before(a, b) ? -1 : before(b, a);
}

void
pp_gap_sort(struct pp_session_sums *s)
{
	if (s->ngaps == 0)
		return;
	qsort(s->gap, s->ngaps, sizeof(s->gap[0]), compare);
}
