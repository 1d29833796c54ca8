/*
 * tree.c: table `tree`, the paths of calls of a session with their times
 * summed, in pre-order.  It ends with the time between the calls, so that
 * self_s adds up to the session's span.
 */
#include "../account/states.h"
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"node", PP_T_INT, "number of the path within the session, from 1"},
	{"parent", PP_T_INT, "node of the calling path; empty: none"},
	{"depth", PP_T_INT, "level in the path, from 0"},
	{"call", PP_T_TEXT, "type of the calls; SHOW PROFILE: what the query "
	    "does, its states"},
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	{"calls", PP_T_INT, "calls on this path"},
	PP_COL_ELAPSED,
	PP_COL_CPU,
	PP_COL_SELF,
	PP_COL_SELF_CPU,
	PP_COL_SELF_WAIT,
	PP_COL_SELF_QUEUE,
	PP_COL_SELF_UNACCOUNTED,
	PP_COL_SHARE_OF_SELF,
	PP_COL_ROWS,
};

static const struct pp_table table = {
	"tree", "a path of calls, summed",
	"source, session, node: pre-order, siblings by falling elapsed_s, "
	"call, statement; (between calls) last",
	PP_COLUMNS(columns), 0
};

/* call to rows: what nodes and the time between calls have alike. */
static void
fill_rest(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, pp_str call, uint32_t stmt, const struct pp_sums *s)
{
	pp_put_str_or_null(r, call);
	pp_fill_stmt(r, c, stmt);
	pp_put_int(r, (pp_i128)s->calls);
	pp_fill_ticks(r, c, session, s->elapsed);
	pp_fill_ticks_if(r, c, session, pp_session_has_cpu(c, session),
	    s->cpu);
	pp_fill_self(r, c, session, s);
	pp_fill_share(r, c, session, s->self);
	if (pp_session_has_rows(c, session))
		pp_put_int(r, (pp_i128)s->rows);
	else
		pp_put_null(r);
	pp_row_end(r);
}

static void
fill_node(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t node,
    const uint32_t *number)
{
	const struct pp_node *n = &c->accounts->nodes[node];

	pp_fill_session(r, c, n->session);
	pp_put_int(r, number[node]);
	if (n->parent == PP_NODE_ROOT)
		pp_put_null(r);
	else
		pp_put_int(r, number[n->parent]);
	pp_put_int(r, n->level);
	fill_rest(r, c, n->session,
	    pp_strtab_get(&c->model->names, n->call), n->stmt, &n->sums);
}

/* The node after `node` in pre-order; PP_NODE_ROOT after the last. */
static uint32_t
next_node(const struct pp_accounts *a, uint32_t node)
{
	if (a->nodes[node].first_child != PP_NODE_ROOT)
		return a->nodes[node].first_child;
	while (a->nodes[node].next_sibling == PP_NODE_ROOT) {
		node = a->nodes[node].parent;
		if (node == PP_NODE_ROOT)
			return PP_NODE_ROOT;
	}
	return a->nodes[node].next_sibling;
}

static void
fill_between(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, const struct pp_sums *s, uint32_t number)
{
	pp_fill_session(r, c, session);
	pp_put_int(r, number);
	pp_put_null(r);
	pp_put_int(r, 0);
	fill_rest(r, c, session, c->model->stmts[PP_STMT_BETWEEN].id,
	    PP_STMT_BETWEEN, s);
}

/* A node of a session whose states stand apart; parent 0: none. */
static void
fill_apart(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_stmt_cell *s, uint32_t number, uint32_t parent,
    pp_str call, const struct pp_sums *sums)
{
	pp_fill_session(r, c, s->session);
	pp_put_int(r, number);
	if (parent == 0)
		pp_put_null(r);
	else
		pp_put_int(r, parent);
	pp_put_int(r, parent != 0);
	fill_rest(r, c, s->session, call, s->stmt, sums);
}

/* What the statement does, as the log has it. */
static pp_str
query_call(const struct pp_report_ctx *c, uint32_t stmt)
{
	pp_str name = c->model->stmts[stmt].command_name;

	return name.n > 0 ? name : PP_STR("statement");
}

/* A statement and its states; the number behind the last of them. */
static uint32_t
fill_query(struct pp_rows *r, const struct pp_report_ctx *c,
    struct pp_states *states, const struct pp_stmt_cell *s, uint32_t number)
{
	struct pp_sums root = {.calls = s->executions,
	    .elapsed = s->sums.elapsed, .self = s->sums.elapsed};
	uint32_t parent = number++;
	struct pp_sort *v;

	pp_states_read(states, s->session, s->stmt);
	v = pp_sort_alloc(c, states->nsum);
	for (uint32_t i = 0; i < states->nsum; i++) {
		const struct pp_bucket *b = &states->sum[i];

		root.self -= b->time;
		v[i].falling = b->time;
		v[i].text = pp_strtab_get(&c->model->names,
		    c->accounts->events[b->event].name);
		v[i].index = i;
	}
	pp_sort(v, states->nsum);
	fill_apart(r, c, s, parent, 0, query_call(c, s->stmt), &root);
	for (size_t i = 0; i < states->nsum; i++) {
		const struct pp_bucket *b = &states->sum[v[i].index];
		struct pp_sums sums = {.calls = b->count, .elapsed = b->time,
		    .self = b->time};

		if (c->accounts->events[b->event].class ==
		    PP_CLASS_UNACCOUNTED)
			sums.self_unaccounted = b->time;
		fill_apart(r, c, s, number++, parent, v[i].text, &sums);
	}
	pp_mem_free(c->mem, v);
	return number;
}

/* Statements whose states stand apart, by session, as siblings are. */
struct apart {
	struct pp_states states;
	struct pp_sort *v;
	size_t n, at;
	uint32_t *rank;
};

static void
open_apart(struct apart *x, const struct pp_report_ctx *c)
{
	const struct pp_accounts *a = c->accounts;

	pp_states_open(&x->states, a, false);
	x->rank = pp_session_ranks(c);
	x->v = pp_sort_alloc(c, a->nstmts);
	x->n = x->at = 0;
	for (uint32_t i = 0; i < a->nstmts; i++) {
		const struct pp_stmt_cell *s = &a->stmts[i];

		if (s->stmt == PP_STMT_BETWEEN ||
		    !pp_states_apart(a, s->session))
			continue;
		x->v[x->n].text = c->model->stmts[s->stmt].id;
		x->v[x->n++].index = i;
	}
	/* by their ids, where all else is equal */
	pp_sort(x->v, x->n);
	for (size_t i = 0; i < x->n; i++) {
		const struct pp_stmt_cell *s = &a->stmts[x->v[i].index];

		x->v[i].major = x->rank[s->session];
		x->v[i].falling = s->sums.elapsed;
		x->v[i].text = query_call(c, s->stmt);
		x->v[i].minor = i;
	}
	pp_sort(x->v, x->n);
}

static void
close_apart(struct apart *x, struct pp_mem *mem)
{
	pp_states_close(&x->states);
	pp_mem_free(mem, x->v);
	pp_mem_free(mem, x->rank);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_accounts *a = c->accounts;
	size_t n = c->model->nsessions;
	uint32_t *order = pp_session_order(c), *number, node, next, session;
	const struct pp_sums **between;
	struct apart x;
	struct pp_rows r;

	number = pp_mem_zalloc(c->mem, (a->nnodes + 1) * sizeof(*number));
	between = pp_mem_zalloc(c->mem, (n + 1) * sizeof(*between));
	for (size_t i = 0; i < a->nstmts; i++)
		if (a->stmts[i].stmt == PP_STMT_BETWEEN)
			between[a->stmts[i].session] = &a->stmts[i].sums;
	open_apart(&x, c);
	pp_rows_open(&r, c->mem, to, &table);
	for (size_t i = 0; i < n; i++) {
		session = order[i];
		next = 1;
		node = a->roots != NULL && session < a->nsums ?
		    a->roots[session] : PP_NODE_ROOT;
		for (; node != PP_NODE_ROOT; node = next_node(a, node)) {
			number[node] = next++;
			fill_node(&r, c, node, number);
		}
		for (; x.at < x.n && x.v[x.at].major == x.rank[session];
		    x.at++)
			next = fill_query(&r, c, &x.states,
			    &a->stmts[x.v[x.at].index], next);
		if (between[session] != NULL)
			fill_between(&r, c, session, between[session], next);
	}
	close_apart(&x, c->mem);
	pp_mem_free(c->mem, between);
	pp_mem_free(c->mem, number);
	pp_mem_free(c->mem, order);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_tree = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.over = PP_OVER_TOTALS,
	.default_on = true,
	.emit = emit,
};
