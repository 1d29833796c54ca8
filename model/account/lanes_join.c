/*
 * lanes_join.c: the cells of lanes, added up.
 *
 * One walk would have made them from the end of the log to its beginning.
 * Each kind is taken in that order, by the places that the lanes have noted,
 * so that every cell gets the number that it would have had.
 */
#include "lanes.h"

struct join {
	struct pp_accounts *to;
	const struct pp_accounts *const *v;
	size_t n;
	size_t *next;		/* by lane: the cell to be taken next */
	uint32_t **node;	/* by lane: its nodes in `to` */
};

static size_t
count_of(const struct pp_accounts *a, enum pp_cells kind)
{
	switch (kind) {
	case PP_CELLS_EVENT:
		return a->nevents;
	case PP_CELLS_BUCKET:
		return a->nbuckets;
	case PP_CELLS_CALL:
		return a->ncalls;
	case PP_CELLS_NODE:
		return a->nnodes;
	case PP_CELLS_STMT:
		return a->nstmts;
	case PP_CELLS:
		break;
	}
	return 0;
}

/* The name as `to` knows it. */
static uint32_t
name_of(struct pp_accounts *to, uint32_t name)
{
	return name & PP_NAME_CPU_OF ? pp_cell_cpu_name(to,
	    name & ~PP_NAME_CPU_OF) : name;
}

static void
take_event(struct pp_accounts *to, const struct pp_event_cell *s)
{
	uint32_t t = pp_cell_event(to, s->session, name_of(to, s->name),
	    s->class);

	pp_event_join(to->mem, &to->events[t], s, 1);
}

static void
take_bucket(struct pp_accounts *to, const struct pp_accounts *from,
    const struct pp_bucket *s)
{
	const struct pp_event_cell *e = &from->events[s->event];
	uint32_t at = pp_cell_bucket(to, s->session, s->stmt,
	    name_of(to, e->name), e->class, s->place), i;
	struct pp_bucket *t = &to->buckets[at];

	t->count += s->count;
	t->time += s->time;
	if (s->max > t->max)
		t->max = s->max;
	t->summed |= s->summed;
	for (i = 0; i < s->slices.n; i++)
		pp_slices_add(&t->slices, to->mem, s->slices.v[i].interval,
		    s->slices.v[i].time, s->slices.v[i].count);
}

static void
take_call(struct pp_accounts *to, const struct pp_accounts *from, size_t i)
{
	const struct pp_call_cell *s = &from->calls[i];
	const struct pp_call_link *k = &from->maps->links[i];
	uint32_t t = pp_cell_call(to, s->session, s->stmt, s->call);
	struct pp_call_link *l = &to->maps->links[t];

	pp_sums_add(&to->calls[t].sums, &s->sums);
	l->recursive[0] += k->recursive[0];
	l->recursive[1] += k->recursive[1];
	l->recursive[2] += k->recursive[2];
	if (k->depth < l->depth)
		l->depth = k->depth;
	if (k->first < l->first)
		l->first = k->first;
	if (k->last > l->last)
		l->last = k->last;
}

/* A parent is made before its children, in each lane. */
static void
take_node(struct join *j, size_t lane, size_t i)
{
	struct pp_accounts *to = j->to;
	const struct pp_accounts *from = j->v[lane];
	const struct pp_node *s = &from->nodes[i];
	uint32_t up = s->parent == PP_NODE_ROOT ? PP_NODE_ROOT :
	    j->node[lane][s->parent], t;

	if (s->synthetic || from->maps->node_cell[i] != UINT32_MAX)
		t = pp_cell_node(to, s->session, up, s->call, s->stmt,
		    s->synthetic);
	else
		t = pp_cell_path(to, s->session, up, s->call, s->stmt);
	j->node[lane][i] = t;
	pp_sums_add(&to->nodes[t].sums, &s->sums);
}

static void
take_stmt(struct pp_accounts *to, const struct pp_stmt_cell *s)
{
	uint32_t t = pp_cell_stmt(to, s->session, s->stmt);

	pp_stmt_join(&to->stmts[t], s, 1, true);
}

static void
take(struct join *j, enum pp_cells kind, size_t lane, size_t i)
{
	const struct pp_accounts *from = j->v[lane];

	if (kind == PP_CELLS_EVENT)
		take_event(j->to, &from->events[i]);
	else if (kind == PP_CELLS_BUCKET)
		take_bucket(j->to, from, &from->buckets[i]);
	else if (kind == PP_CELLS_CALL)
		take_call(j->to, from, i);
	else if (kind == PP_CELLS_NODE)
		take_node(j, lane, i);
	else
		take_stmt(j->to, &from->stmts[i]);
}

/* Places fall in each lane; where two are equal a call was handed over, and
 * the lane before the other was there first. */
static void
take_all(struct join *j, enum pp_cells kind)
{
	size_t k, best;

	for (k = 0; k < j->n; k++)
		j->next[k] = 0;
	for (;;) {
		uint64_t place = 0, most = 0;

		for (k = 0, best = j->n; k < j->n; k++) {
			if (j->next[k] == count_of(j->v[k], kind))
				continue;
			place = j->v[k]->maps->places[kind].v[j->next[k]];
			if (best == j->n || place > most) {
				best = k;
				most = place;
			}
		}
		if (best == j->n)
			return;
		take(j, kind, best, j->next[best]++);
	}
}

static void
join_sessions(struct pp_accounts *to, const struct pp_accounts *from,
    size_t n, bool first)
{
	size_t i;
	uint32_t k;

	for (i = 0; i < n; i++) {
		const struct pp_session_sums *s = &from->sums[i];
		struct pp_session_sums *t = &to->sums[i];

		pp_sums_join(t, s, 1);
		if (s->noverlaps > 0)	/* it goes backwards */
			t->overlap_line = s->overlap_line;
		for (k = 0; first && k < s->ngaps; k++)
			pp_gap_add(t, to->mem, &s->gap[k]);
	}
}

void
pp_lanes_join(struct pp_accounts *to, const struct pp_accounts *const *v,
    size_t n, size_t sessions)
{
	struct join j = {.to = to, .v = v, .n = n};
	size_t k;

	j.next = pp_mem_alloc(to->mem, n * sizeof(*j.next));
	j.node = pp_mem_alloc(to->mem, n * sizeof(*j.node));
	if (sessions > 0)
		pp_cell_session(to, (uint32_t)sessions - 1);
	for (k = 0; k < n; k++) {
		j.node[k] = pp_mem_alloc(to->mem, (v[k]->nnodes + 1) *
		    sizeof(**j.node));
		join_sessions(to, v[k], sessions, k == 0);
	}
	/* what others are made of comes first: making one makes no other */
	take_all(&j, PP_CELLS_STMT);
	take_all(&j, PP_CELLS_EVENT);
	take_all(&j, PP_CELLS_BUCKET);
	take_all(&j, PP_CELLS_CALL);
	take_all(&j, PP_CELLS_NODE);
	for (k = 0; k < n; k++)
		pp_mem_free(to->mem, j.node[k]);
	pp_mem_free(to->mem, j.node);
	pp_mem_free(to->mem, j.next);
}
