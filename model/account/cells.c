/*
 * cells.c: finding and making the cells of the accounts.
 */
#include "cells.h"

#define KEY(hi, lo) ((uint64_t)(hi) << 32 | (lo))

/* One more zeroed element at the end of an array of the accounts. */
static void *
append(struct pp_accounts *a, void **v, size_t *n, size_t *cap, size_t size)
{
	void *p;

	if (*n == *cap)
		pp_mem_grow(a->mem, v, cap, *n + 1, size);
	p = (char *)*v + *n * size;
	memset(p, 0, size);
	++*n;
	return p;
}

#define APPEND(a, v, n, cap, out) do { \
	void *base_ = (v); \
	(out) = append((a), &base_, &(n), &(cap), sizeof(*(v))); \
	(v) = base_; \
} while (0)

void
pp_cell_maps(struct pp_accounts *a, const struct pp_account_maps *from)
{
	struct pp_account_maps *m = pp_mem_zalloc(a->mem, sizeof(*m));
	size_t i;

	a->maps = m;
	if (from != NULL) {
		*m = *from;
		m->links = NULL;
		m->node_cell = NULL;
		m->idle = NULL;
		m->links_cap = m->node_cell_cap = m->idle_cap = 0;
	}
	pp_map_init(&m->events, a->mem);
	pp_map_init(&m->buckets, a->mem);
	pp_map_init(&m->calls, a->mem);
	pp_map_init(&m->nodes, a->mem);
	pp_map_init(&m->stmts, a->mem);
	/* no session has this number */
	for (i = 0; i < PP_CELL_MEMO; i++)
		m->node_memo[i].session = m->bucket_memo[i].session =
		    UINT32_MAX;
}

/* A cell of a lane is new. */
static void
note_place(struct pp_accounts *a, enum pp_cells kind, size_t cell)
{
	struct pp_cell_places *p = &a->maps->places[kind];
	void *v = p->v;

	if (a->maps->at == NULL)
		return;
	pp_mem_grow(a->mem, &v, &p->cap, cell + 1, sizeof(*p->v));
	p->v = v;
	p->v[cell] = *a->maps->at;
}

uint32_t
pp_cell_event(struct pp_accounts *a, uint32_t session, uint32_t name,
    enum pp_class c)
{
	uint32_t *at = pp_map_at(&a->maps->events, KEY(session, name), c);
	struct pp_event_cell *e;

	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)a->nevents;
	APPEND(a, a->events, a->nevents, a->events_cap, e);
	note_place(a, PP_CELLS_EVENT, a->nevents - 1);
	e->session = session;
	e->name = name;
	e->class = c;
	e->min = INT64_MAX;
	e->max = INT64_MIN;
	e->counted = c != PP_CLASS_UNACCOUNTED;
	return (uint32_t)a->nevents - 1;
}

static uint32_t
bucket(struct pp_accounts *a, uint32_t session, uint32_t stmt, uint32_t name,
    enum pp_class c, enum pp_place place)
{
	uint32_t *at = pp_map_at(&a->maps->buckets, KEY(session, stmt),
	    KEY(name, (uint32_t)c << 1 | (uint32_t)place));
	struct pp_bucket *b;

	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)a->nbuckets;
	APPEND(a, a->buckets, a->nbuckets, a->buckets_cap, b);
	note_place(a, PP_CELLS_BUCKET, a->nbuckets - 1);
	b->session = session;
	b->stmt = stmt;
	b->event = pp_cell_event(a, session, name, c);
	b->place = place;
	b->max = INT64_MIN;
	return (uint32_t)a->nbuckets - 1;
}

uint32_t
pp_cell_bucket_find(struct pp_accounts *a, uint32_t session, uint32_t stmt,
    uint32_t name, enum pp_class c, enum pp_place place,
    struct pp_bucket_memo *m)
{
	uint32_t i = bucket(a, session, stmt, name, c, place);

	*m = (struct pp_bucket_memo){session, stmt, name,
	    (uint32_t)c << 1 | (uint32_t)place, i};
	return i;
}

/* The other cells that calls of this cell add to. */
static void
link_cell(struct pp_accounts *a, uint32_t cell)
{
	struct pp_account_maps *m = a->maps;
	uint32_t session = a->calls[cell].session, stmt = a->calls[cell].stmt,
	    call = a->calls[cell].call;
	struct pp_call_link *l;
	void *v = m->links;

	pp_mem_grow(a->mem, &v, &m->links_cap, cell + 1, sizeof(*m->links));
	m->links = v;
	l = &m->links[cell];
	memset(l, 0, sizeof(*l));
	l->queue = UINT32_MAX;
	l->depth = UINT32_MAX;
	l->first = INT64_MAX;
	l->last = INT64_MIN;
	l->stmt = pp_cell_stmt(a, session, stmt);
	l->cpu = pp_cell_bucket(a, session, stmt, pp_cell_cpu_name(a, call),
	    PP_CLASS_CPU, PP_PLACE_CALL);
	l->unaccounted = pp_cell_bucket(a, session, stmt, m->unaccounted,
	    PP_CLASS_UNACCOUNTED, PP_PLACE_CALL);
}

uint32_t
pp_cell_call(struct pp_accounts *a, uint32_t session, uint32_t stmt,
    uint32_t call)
{
	uint32_t *at = pp_map_at(&a->maps->calls, KEY(session, stmt), call);
	struct pp_call_cell *c;

	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)a->ncalls;
	APPEND(a, a->calls, a->ncalls, a->calls_cap, c);
	note_place(a, PP_CELLS_CALL, a->ncalls - 1);
	c->session = session;
	c->stmt = stmt;
	c->call = call;
	link_cell(a, (uint32_t)a->ncalls - 1);
	return (uint32_t)a->ncalls - 1;
}

uint32_t
pp_cell_stmt(struct pp_accounts *a, uint32_t session, uint32_t stmt)
{
	uint32_t *at = pp_map_at(&a->maps->stmts, session, stmt);
	struct pp_stmt_cell *s;

	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)a->nstmts;
	APPEND(a, a->stmts, a->nstmts, a->stmts_cap, s);
	note_place(a, PP_CELLS_STMT, a->nstmts - 1);
	s->session = session;
	s->stmt = stmt;
	s->first = INT64_MAX;
	s->last = INT64_MIN;
	return (uint32_t)a->nstmts - 1;
}

static uint32_t
node(struct pp_accounts *a, uint32_t session, uint32_t parent, uint32_t call,
    uint32_t stmt, bool synthetic, bool has_cell)
{
	uint16_t level = 0;
	uint32_t *at, cell = UINT32_MAX;
	struct pp_node *n;
	void *v;

	at = pp_map_at(&a->maps->nodes, KEY(parent, stmt), KEY(session, call));
	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)a->nnodes;
	if (has_cell)
		cell = pp_cell_call(a, session, stmt, call);
	if (parent != PP_NODE_ROOT)
		level = (uint16_t)(a->nodes[parent].level + 1);
	APPEND(a, a->nodes, a->nnodes, a->nodes_cap, n);
	note_place(a, PP_CELLS_NODE, a->nnodes - 1);
	n->session = session;
	n->parent = parent;
	n->call = call;
	n->stmt = stmt;
	n->level = level;
	n->synthetic = synthetic;
	n->first_child = n->next_sibling = PP_NODE_ROOT;
	v = a->maps->node_cell;
	pp_mem_grow(a->mem, &v, &a->maps->node_cell_cap, a->nnodes,
	    sizeof(*a->maps->node_cell));
	a->maps->node_cell = v;
	a->maps->node_cell[a->nnodes - 1] = cell;
	return (uint32_t)a->nnodes - 1;
}

uint32_t
pp_cell_node_find(struct pp_accounts *a, uint32_t session, uint32_t parent,
    uint32_t call, uint32_t stmt, bool synthetic, struct pp_node_memo *m)
{
	uint32_t i = node(a, session, parent, call, stmt, synthetic,
	    !synthetic);

	*m = (struct pp_node_memo){session, parent, stmt, call, i};
	return i;
}

uint32_t
pp_cell_path(struct pp_accounts *a, uint32_t session, uint32_t parent,
    uint32_t name, uint32_t stmt)
{
	return node(a, session, parent, name, stmt, false, false);
}

uint32_t
pp_cell_cpu_name(struct pp_accounts *a, uint32_t call)
{
	struct pp_account_maps *m = a->maps;
	char buf[128];
	pp_str s;
	void *v = m->cpu_name;
	size_t old = m->cpu_name_cap;

	if (a->opt.one_cpu)
		return m->cpu_one;
	if (m->at != NULL)	/* cpu_name is that of other accounts */
		return call < old && m->cpu_name[call] != 0 ?
		    m->cpu_name[call] : call | PP_NAME_CPU_OF;
	if (call >= old) {
		pp_mem_grow(a->mem, &v, &m->cpu_name_cap, call + 1,
		    sizeof(*m->cpu_name));
		m->cpu_name = v;
		memset(m->cpu_name + old, 0,
		    (m->cpu_name_cap - old) * sizeof(*m->cpu_name));
	}
	if (m->cpu_name[call] == 0) {
		s = pp_strtab_get(&a->model->names, call);
		if (s.n > sizeof(buf) - 4)
			s.n = sizeof(buf) - 4;
		memcpy(buf, "CPU ", 4);
		memcpy(buf + 4, s.p, s.n);
		m->cpu_name[call] = pp_strtab_id(&a->model->names,
		    (pp_str){buf, s.n + 4});
	}
	return m->cpu_name[call];
}

bool
pp_cell_idle(struct pp_accounts *a, uint32_t name)
{
	struct pp_account_maps *m = a->maps;
	void *v = m->idle;
	size_t old = m->idle_cap;

	if (name >= old) {
		pp_mem_grow(a->mem, &v, &m->idle_cap, name + 1, 1);
		m->idle = v;
		memset(m->idle + old, 0, m->idle_cap - old);
	}
	if (m->idle[name] == 0)
		m->idle[name] = pp_event_idle(pp_strtab_get(
		    &a->model->names, name)) ? PP_NAME_CACHE_IDLE :
		    PP_NAME_CACHE_BUSY;
	return m->idle[name] == PP_NAME_CACHE_IDLE;
}

void
pp_cell_session(struct pp_accounts *a, uint32_t session)
{
	size_t cap = a->sums_cap, roots_cap = cap, axis_cap = cap;
	void *v = a->sums, *r = a->roots, *x = a->axis_of;

	while (a->nsums <= session) {
		if (a->nsums == a->sums_cap) {
			pp_mem_grow(a->mem, &v, &a->sums_cap, a->nsums + 1,
			    sizeof(*a->sums));
			a->sums = v;
			pp_mem_grow(a->mem, &r, &roots_cap, a->nsums + 1,
			    sizeof(*a->roots));
			a->roots = r;
			pp_mem_grow(a->mem, &x, &axis_cap, a->nsums + 1,
			    sizeof(*a->axis_of));
			a->axis_of = x;
		}
		memset(&a->sums[a->nsums], 0, sizeof(*a->sums));
		a->sums[a->nsums].least_self = INT64_MAX;
		a->sums[a->nsums].gap_least = 1;
		a->roots[a->nsums] = PP_NODE_ROOT;
		a->axis_of[a->nsums] = UINT32_MAX;
		a->nsums++;
	}
}
