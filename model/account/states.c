/*
 * states.c: see states.h.  Sees the model and the accounts.
 */
#include "states.h"
#include "cells.h"

#include <stdlib.h>

struct pp_states_query {
	uint32_t session, stmt, query;
};

struct pp_states_seen {
	uint32_t when;		/* pp_states.now; 0: never */
	uint32_t at;		/* in sum */
};

static int
by_statement(const void *va, const void *vb)
{
	const struct pp_states_query *a = va, *b = vb;

	if (a->session != b->session)
		return a->session < b->session ? -1 : 1;
	if (a->stmt != b->stmt)
		return a->stmt < b->stmt ? -1 : 1;
	return a->query < b->query ? -1 : a->query > b->query;
}

/* Queries of a session follow each other, and so they stand in the model. */
static void
lay_begins(struct pp_states *s)
{
	const struct pp_model *m = s->model;
	uint32_t session = UINT32_MAX;
	int64_t at = 0;

	s->begin = pp_mem_alloc(s->mem,
	    (m->nqueries + 1) * sizeof(*s->begin));
	for (size_t i = 0; i < m->nqueries; i++) {
		if (m->queries[i].session != session)
			at = 0;
		session = m->queries[i].session;
		s->begin[i] = at;
		at = pp_i64_add(at, m->queries[i].elapsed);
	}
}

void
pp_states_open(struct pp_states *s, const struct pp_accounts *a, bool slices)
{
	struct pp_model *m = a->model;

	memset(s, 0, sizeof(*s));
	s->mem = a->mem;
	s->model = m;
	s->a = a;
	if (!a->opt.states_apart || m->nqueries == 0)
		return;
	s->queries = pp_mem_alloc(s->mem, m->nqueries * sizeof(*s->queries));
	for (size_t i = 0; i < m->nqueries; i++)
		s->queries[s->n++] = (struct pp_states_query){
			m->queries[i].session, m->queries[i].stmt,
			(uint32_t)i};
	qsort(s->queries, s->n, sizeof(*s->queries), by_statement);
	s->seen = pp_mem_zalloc(s->mem, m->names.count * sizeof(*s->seen));
	if (slices)
		lay_begins(s);
}

void
pp_states_close(struct pp_states *s)
{
	for (size_t i = 0; i < s->used; i++)
		pp_mem_free(s->mem, s->sum[i].slices.v);
	pp_mem_free(s->mem, s->sum);
	pp_mem_free(s->mem, s->seen);
	pp_mem_free(s->mem, s->begin);
	pp_mem_free(s->mem, s->queries);
}

/* One more event of the statement. */
static uint32_t
new_sum(struct pp_states *s, uint32_t session, uint32_t stmt, uint32_t name,
    enum pp_class c)
{
	struct pp_slices slices = {.n = 0};
	void *v = s->sum;

	if (s->nsum == s->used) {
		pp_mem_grow(s->mem, &v, &s->cap, s->used + 1,
		    sizeof(*s->sum));
		s->sum = v;
		s->used++;
	} else {
		/* its room is used again */
		slices = s->sum[s->nsum].slices;
		slices.n = 0;
	}
	s->sum[s->nsum] = (struct pp_bucket){
		.session = session,
		.stmt = stmt,
		.event = pp_map_get(&s->a->maps->events,
		    (uint64_t)session << 32 | name, c),
		.place = PP_PLACE_CALL,
		.max = INT64_MIN,
		.slices = slices,
	};
	PP_ASSERT(s->sum[s->nsum].event != PP_MAP_NONE);
	return (uint32_t)s->nsum++;
}

/* Where the row's event is summed up. */
static struct pp_bucket *
sum_of(struct pp_states *s, const struct pp_stage *x, uint32_t session,
    uint32_t stmt)
{
	struct pp_states_seen *seen;

	if (x->kind == PP_STAGE_LOST) {
		if (s->lost == UINT32_MAX)
			s->lost = new_sum(s, session, stmt, x->name,
			    PP_CLASS_UNACCOUNTED);
		return &s->sum[s->lost];
	}
	if (x->kind == PP_STAGE_UNSEEN) {
		if (s->unseen == UINT32_MAX)
			s->unseen = new_sum(s, session, stmt, x->name,
			    PP_CLASS_MISSING);
		return &s->sum[s->unseen];
	}
	seen = &s->seen[x->name];
	if (seen->when != s->now) {
		seen->when = s->now;
		seen->at = new_sum(s, session, stmt, x->name, PP_CLASS_STAGE);
	}
	return &s->sum[seen->at];
}

static void
add_row(struct pp_states *s, struct pp_bucket *b, const struct pp_stage *x,
    int64_t begin)
{
	const struct pp_axis *axis;
	int64_t end;

	b->time += x->duration;
	b->count += x->count;
	if (x->count != 1)
		b->summed = true;
	else if (x->duration > b->max)
		b->max = x->duration;
	if (s->begin == NULL || s->a->axis_of[b->session] == UINT32_MAX)
		return;
	axis = &s->a->axes[s->a->axis_of[b->session]];
	end = pp_i64_add(begin, pp_i64_add(x->start, x->duration));
	pp_slices_span(&b->slices, s->mem, axis,
	    pp_i64_sub(end, x->duration), end, x->count, &s->hint);
}

void
pp_states_read(struct pp_states *s, uint32_t session, uint32_t stmt)
{
	size_t lo = 0, hi = s->n, mid;
	struct pp_stage_reader read;
	struct pp_stage x;

	s->nsum = 0;
	s->now++;
	s->lost = s->unseen = s->hint = UINT32_MAX;
	while (lo < hi) {
		const struct pp_states_query *q;

		mid = lo + (hi - lo) / 2;
		q = &s->queries[mid];
		if (q->session < session || (q->session == session &&
		    q->stmt < stmt))
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < s->n && s->queries[lo].session == session &&
	    s->queries[lo].stmt == stmt; lo++) {
		uint32_t q = s->queries[lo].query;

		pp_stage_open(&read, s->model, &s->model->queries[q]);
		read.times = true;
		while (pp_stage_next(&read, &x))
			if (x.has & PP_STAGE_DURATION)
				add_row(s, sum_of(s, &x, session, stmt), &x,
				    s->begin != NULL ? s->begin[q] : 0);
	}
	for (lo = 0; lo < s->nsum; lo++)
		pp_slices_sort(&s->sum[lo].slices);
}
