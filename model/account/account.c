/*
 * account.c: the accounts from first to last: setting up, adding up after the
 * walk, and putting cells into the order of the tables.
 */
#include "by.h"
#include "nested.h"
#include "select.h"

#include <stdlib.h>

static void
name_synthetic(struct pp_accounts *a)
{
	static const char *const kind[PP_EV_LOB + 1] = {
		"", "PARSE", "EXEC", "FETCH", "CLOSE", "UNMAP", "SORT UNMAP",
		"RPC", "LOB"
	};
	struct pp_account_maps *m = a->maps;
	struct pp_strtab *t = &a->model->names;
	int i;

	for (i = 0; i <= PP_EV_LOB; i++)
		m->call_name[i] = pp_strtab_id(t, pp_str_from(kind[i]));
	m->not_in_trace = pp_strtab_id(t, PP_STR(PP_NAME_NOT_IN_TRACE));
	m->unfinished = pp_strtab_id(t, PP_STR(PP_NAME_UNFINISHED));
	m->deeper = pp_strtab_id(t, PP_STR(PP_NAME_DEEPER));
	m->unaccounted = pp_strtab_id(t, PP_STR(PP_NAME_UNACCOUNTED));
	m->missing = pp_strtab_id(t, PP_STR(PP_NAME_MISSING));
	m->queue = pp_strtab_id(t, PP_STR(PP_NAME_QUEUE));
	m->commit = pp_strtab_id(t, PP_STR("commit"));
	m->rollback = pp_strtab_id(t, PP_STR("rollback"));
	m->cpu_one = pp_strtab_id(t, PP_STR(PP_NAME_CPU_ONE));
	m->lost = pp_strtab_id(t, PP_STR(PP_NAME_LOST));
	m->unseen = pp_strtab_id(t, PP_STR(PP_NAME_UNSEEN));
}

void
pp_account_init(struct pp_accounts *a, struct pp_model *m,
    const struct pp_account_options *opt)
{
	memset(a, 0, sizeof(*a));
	a->mem = m->mem;
	a->model = m;
	a->opt = *opt;
	if (a->opt.intervals == 0 && a->opt.interval_ps <= 0)
		a->opt.intervals = 20;
	pp_cell_maps(a, NULL);
	pp_log_init(&a->owners, a->mem, m->log.tmpdir);
	pp_extsort_init(&a->selfs, a->mem, m->log.tmpdir,
	    sizeof(struct pp_nested_self));
	pp_by_init(a);
	name_synthetic(a);
	a->select = pp_select_new(a);
}

int64_t
pp_session_span(const struct pp_session *s)
{
	return s->has_time ? pp_i64_sub(s->end, s->start) : 0;
}

void
pp_sums_add(struct pp_sums *a, const struct pp_sums *b)
{
	a->calls += b->calls;
	a->elapsed += b->elapsed;
	a->cpu += b->cpu;
	a->self += b->self;
	a->self_cpu += b->self_cpu;
	a->self_wait += b->self_wait;
	a->self_queue += b->self_queue;
	a->self_unaccounted += b->self_unaccounted;
	a->rows += b->rows;
	a->misses += b->misses;
	a->p += b->p;
	a->cr += b->cr;
	a->cu += b->cu;
	a->self_p = pp_i64_add(a->self_p, b->self_p);
	a->self_cr = pp_i64_add(a->self_cr, b->self_cr);
	a->self_cu = pp_i64_add(a->self_cu, b->self_cu);
}

/*
 * Calls have added to their nodes alone, but for those of "(deeper)" nodes,
 * whose call cells have them.
 */
static void
sum_nodes(struct pp_accounts *a)
{
	size_t i;

	for (i = 0; i < a->nnodes; i++)
		if (a->maps->node_cell[i] != UINT32_MAX)
			pp_sums_add(&a->calls[a->maps->node_cell[i]].sums,
			    &a->nodes[i].sums);
}

/* What links have kept of a statement. */
static void
add_link(struct pp_stmt_cell *s, const struct pp_call_link *l)
{
	s->recursive_parse += l->recursive[0];
	s->recursive_exec += l->recursive[1];
	s->recursive_fetch += l->recursive[2];
	if (l->depth == UINT32_MAX)
		return;
	if (!s->has_depth || l->depth < s->depth)
		s->depth = (uint16_t)l->depth;
	s->has_depth = s->has_time = true;
	if (l->first < s->first)
		s->first = l->first;
	if (l->last > s->last)
		s->last = l->last;
}

/* A statement's sums are those of its calls. */
static void
sum_statements(struct pp_accounts *a)
{
	size_t i;

	for (i = 0; i < a->ncalls; i++) {
		const struct pp_call_cell *c = &a->calls[i];
		struct pp_stmt_cell *s = &a->stmts[a->maps->links[i].stmt];

		add_link(s, &a->maps->links[i]);
		pp_sums_add(&s->sums, &c->sums);
		s->misses += c->sums.misses;
		if (c->call == a->maps->call_name[PP_EV_EXEC])
			s->executions += c->sums.calls;
		else if (c->call == a->maps->call_name[PP_EV_PARSE])
			s->parses += c->sums.calls;
	}
}

/* A synthetic call has no time of its own: it is the sum of its children. */
static void
sum_synthetic(struct pp_accounts *a)
{
	size_t i;

	for (i = a->nnodes; i-- > 0;) {
		const struct pp_node *n = &a->nodes[i];
		struct pp_node *p;

		if (n->parent == PP_NODE_ROOT)
			continue;
		p = &a->nodes[n->parent];
		if (p->synthetic && p->call != a->maps->deeper) {
			p->sums.elapsed += n->sums.elapsed;
			p->sums.cpu += n->sums.cpu;
		}
	}
}

/* Rule 6, bottom-up, and the row `(between calls)` of `statements`. */
static void
close_session(struct pp_accounts *a, uint32_t session)
{
	struct pp_session_sums *s = &a->sums[session];
	pp_i128 span = pp_session_span(&a->model->sessions[session]);
	struct pp_stmt_cell *b;
	uint32_t bucket, cell;

	if (s->least_self == INT64_MAX)
		s->least_self = 0;
	s->unaccounted = s->call_unaccounted + s->gaps - s->overlaps;
	cell = pp_cell_stmt(a, session, PP_STMT_BETWEEN);
	b = &a->stmts[cell];
	b->sums.elapsed = b->sums.self = a->select == NULL ?
	    span - s->root_elapsed :
	    s->waits_between + s->missing + s->gaps - s->overlaps;
	b->sums.self_wait = s->waits_between;
	b->sums.self_unaccounted = s->gaps - s->overlaps;
	bucket = pp_cell_bucket(a, session, PP_STMT_BETWEEN,
	    a->maps->unaccounted, PP_CLASS_UNACCOUNTED, PP_PLACE_BETWEEN);
	a->buckets[bucket].time = s->gaps - s->overlaps;
	a->events[a->buckets[bucket].event].time = s->unaccounted;
	pp_gap_sort(s);
}

/* Buckets by session: `first[session] .. first[session + 1]` of *order. */
static uint32_t *
buckets_by_session(struct pp_accounts *a, uint32_t **order)
{
	uint32_t *first = pp_mem_zalloc(a->mem,
	    (a->nsums + 2) * sizeof(*first));
	size_t i;

	*order = pp_mem_alloc(a->mem, (a->nbuckets + 1) * sizeof(**order));
	for (i = 0; i < a->nbuckets; i++)
		first[a->buckets[i].session + 2]++;
	for (i = 2; i < a->nsums + 2; i++)
		first[i] += first[i - 1];
	for (i = 0; i < a->nbuckets; i++)
		(*order)[first[a->buckets[i].session + 1]++] = (uint32_t)i;
	return first;
}

static void
finish_timeline(struct pp_accounts *a)
{
	uint32_t *order, *first = buckets_by_session(a, &order), s, rest;
	size_t i;

	for (s = 0; s < a->nsums; s++) {
		if (a->axis_of[s] == UINT32_MAX ||
		    a->model->sessions[s].kind != PP_SESSION_CALLS)
			continue;
		if (a->opt.seed_timeline || a->select != NULL)
			continue;	/* has no row of what is left; has
					 * laid its own */
		rest = pp_cell_bucket(a, s, PP_STMT_BETWEEN,
		    a->maps->unaccounted, PP_CLASS_UNACCOUNTED,
		    PP_PLACE_BETWEEN);
		pp_timeline_rest(a, s, order + first[s],
		    first[s + 1] - first[s], rest);
	}
	for (i = 0; i < a->nbuckets; i++)
		pp_slices_sort(&a->buckets[i].slices);
	pp_mem_free(a->mem, order);
	pp_mem_free(a->mem, first);
}

/* Nodes of a session under one parent, in the order of the table. */
struct ranked {
	const struct pp_accounts *a;
	uint32_t node;
};

static int
compare_nodes(const void *x, const void *y)
{
	const struct ranked *p = x, *q = y;
	const struct pp_model *m = p->a->model;
	const struct pp_node *a = &p->a->nodes[p->node],
	    *b = &q->a->nodes[q->node];
	int c;

	if (a->session != b->session)
		return a->session < b->session ? -1 : 1;
	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->sums.elapsed != b->sums.elapsed)
		return a->sums.elapsed > b->sums.elapsed ? -1 : 1;
	c = pp_str_cmp(pp_strtab_get(&m->names, a->call),
	    pp_strtab_get(&m->names, b->call));
	if (c == 0)
		c = pp_str_cmp(m->stmts[a->stmt].id, m->stmts[b->stmt].id);
	return c;
}

void
pp_account_link(struct pp_accounts *a)
{
	struct ranked *r = pp_mem_alloc(a->mem,
	    (a->nnodes + 1) * sizeof(*r));
	size_t i;

	for (i = 0; i < a->nnodes; i++) {
		r[i].a = a;
		r[i].node = (uint32_t)i;
	}
	qsort(r, a->nnodes, sizeof(*r), compare_nodes);
	for (i = a->nnodes; i-- > 0;) {
		struct pp_node *n = &a->nodes[r[i].node];
		uint32_t *head = n->parent == PP_NODE_ROOT ?
		    &a->roots[n->session] : &a->nodes[n->parent].first_child;

		n->next_sibling = *head;
		*head = r[i].node;
	}
	pp_mem_free(a->mem, r);
}

/* The session's id, or its number where it has none. */
static pp_str
session_name(const struct pp_session *se, char number[PP_DEC_MAX])
{
	if (se->native_id.n > 0)
		return se->native_id;
	return (pp_str){number, pp_dec_format(number, se->ordinal, 0)};
}

static void
tell_orphans(struct pp_accounts *a, uint32_t session)
{
	struct pp_model *m = a->model;
	uint32_t source = m->sessions[session].source;
	char number[PP_DEC_MAX];
	pp_str name = session_name(&m->sessions[session], number);

	if (a->sums[session].orphans == 0)
		return;
	pp_diag_file(&m->diag, source, m->sources[source].name.p);
	pp_diag_tell_n(&m->diag, PP_MSG_ORPHANS, 0, UINT64_MAX,
	    a->sums[session].orphans, "session %.*s: %llu recursive calls "
	    "whose calling call is not in the trace", (int)name.n, name.p,
	    (unsigned long long)a->sums[session].orphans);
}

static void
tell_overlaps(struct pp_accounts *a, uint32_t session)
{
	const struct pp_session_sums *x = &a->sums[session];
	struct pp_model *m = a->model;
	const struct pp_session *se = &m->sessions[session];
	char t[PP_DEC_MAX + 1], number[PP_DEC_MAX];
	pp_str name = session_name(se, number);

	if (x->noverlaps == 0)
		return;
	t[pp_dec_format(t, x->overlaps, se->digits)] = '\0';
	pp_diag_file(&m->diag, se->source, m->sources[se->source].name.p);
	pp_diag_tell_n(&m->diag, PP_MSG_OVERLAP, x->overlap_line, UINT64_MAX,
	    x->noverlaps, "session %.*s: calls or waits that follow each "
	    "other overlap by %s s in all", (int)name.n, name.p, t);
}

void
pp_account_finish(struct pp_accounts *a)
{
	uint32_t s;

	if (a->select == NULL)
		sum_nodes(a);
	sum_statements(a);
	sum_synthetic(a);
	for (s = 0; s < a->nsums; s++)
		if (a->model->sessions[s].kind == PP_SESSION_STATES)
			pp_close_states(a, s);
		else if (a->model->sessions[s].kind == PP_SESSION_CALLS)
			close_session(a, s);
		else
			pp_close_nested(a, s);
	if (a->opt.timeline)
		finish_timeline(a);
	if (a->select != NULL)
		pp_select_compact(a);
	pp_by_finish(a);
	pp_account_link(a);
	for (s = 0; s < a->nsums; s++) {
		tell_orphans(a, s);
		tell_overlaps(a, s);
	}
	pp_diag_flush(&a->model->diag);
}
