/*
 * plans.c: table `plans`, a row source of an execution plan a row.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_STATEMENT,
	{"plan", PP_T_INT, "plan of the statement, from 1"},
	{"line", PP_T_INT, "line in its file"},
	{"id", PP_T_INT, "row of the plan"},
	{"parent", PP_T_INT, "id of the row that it feeds; empty: none"},
	{"depth", PP_T_INT, "level in the plan, from 0"},
	{"position", PP_T_INT, "position among the rows that feed the same "
	    "one"},
	{"object", PP_T_INT, "object number"},
	{"operation", PP_T_TEXT, "what the row does"},
	{"executions", PP_T_INT, "executions that the counters sum"},
	{"rows", PP_T_INT, "rows that it returned"},
	{"starts", PP_T_INT, "times that it was started"},
	{"consistent_gets", PP_T_INT, "blocks got in consistent mode, rows "
	    "below included"},
	{"physical_reads", PP_T_INT, "blocks read from disk, rows below "
	    "included"},
	{"physical_writes", PP_T_INT, "blocks written to disk, rows below "
	    "included"},
	{"elapsed_s", PP_T_SECONDS, "elapsed time, rows below included"},
	{"self_s", PP_T_SECONDS, "elapsed time less that of the rows below"},
	{"self_consistent_gets", PP_T_INT, "less those of the rows below"},
	{"self_physical_reads", PP_T_INT, "less those of the rows below"},
	{"cost", PP_T_INT, "optimizer's cost"},
	{"bytes", PP_T_INT, "optimizer's estimate of bytes"},
	{"cardinality", PP_T_INT, "optimizer's estimate of rows"},
};

static const struct pp_table table = {
	"plans", "a row of a plan",
	"source, session, statement as in statements, plan, id",
	PP_COLUMNS(columns), 0
};

/* The row that row i of the plan feeds, by its id; NULL: none. */
static const struct pp_plan_row *
parent_of(const struct pp_stmt_plan *p, const struct pp_plan_row *row)
{
	uint32_t i;

	if (!(row->has & PP_PLAN_PARENT) || row->parent == row->id)
		return NULL;
	for (i = 0; i < p->nrows; i++)
		if (p->rows[i].id == row->parent)
			return &p->rows[i];
	return NULL;
}

/* Steps up to a row without a parent; a circle ends at the plan's size. */
static uint32_t
depth_of(const struct pp_stmt_plan *p, const struct pp_plan_row *row)
{
	uint32_t depth = 0;

	while ((row = parent_of(p, row)) != NULL && depth < p->nrows)
		depth++;
	return depth;
}

static void
put_known(struct pp_rows *r, bool known, pp_i128 v)
{
	if (known)
		pp_put_int(r, v);
	else
		pp_put_null(r);
}

/* consistent_gets .. self_physical_reads */
static void
put_counters(struct pp_rows *r, const struct pp_stmt_plan *p,
    const struct pp_plan_row *row)
{
	pp_i128 us = row->us, cr = row->cr, pr = row->pr;
	uint32_t i;

	if (!(row->has & PP_PLAN_GETS)) {
		pp_put_nulls(r, 7);
		return;
	}
	for (i = 0; i < p->nrows; i++) {
		if (parent_of(p, &p->rows[i]) != row)
			continue;
		us -= p->rows[i].us;
		cr -= p->rows[i].cr;
		pr -= p->rows[i].pr;
	}
	pp_put_int(r, row->cr);
	pp_put_int(r, row->pr);
	pp_put_int(r, row->pw);
	/* STAT counts in microseconds whatever the trace's clock */
	pp_put_dec(r, row->us, 6);
	pp_put_dec(r, us, 6);
	pp_put_int(r, cr);
	pp_put_int(r, pr);
}

static void
put_plan(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_stmt_plan *p)
{
	uint32_t i;

	for (i = 0; i < p->nrows; i++) {
		const struct pp_plan_row *row = &p->rows[i];
		const struct pp_plan_row *up = parent_of(p, row);

		pp_fill_session(r, c, p->session);
		pp_put_str(r, c->model->stmts[p->stmt].id);
		pp_put_int(r, p->number);
		pp_put_int(r, row->line);
		pp_put_int(r, row->id);
		put_known(r, up != NULL, row->parent);
		pp_put_int(r, depth_of(p, row));
		put_known(r, row->has & PP_PLAN_POSITION, row->position);
		put_known(r, row->has & PP_PLAN_OBJECT, row->object);
		pp_fill_name(r, c, row->operation);
		pp_put_int(r, (pp_i128)p->executions);
		pp_put_int(r, (pp_i128)row->rows);
		put_known(r, row->has & PP_PLAN_STARTS,
		    (pp_i128)row->starts);
		put_counters(r, p, row);
		put_known(r, row->has & PP_PLAN_COST, row->cost);
		put_known(r, row->has & PP_PLAN_BYTES, row->bytes);
		put_known(r, row->has & PP_PLAN_CARD, row->cardinality);
		pp_row_end(r);
	}
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_model *m = c->model;
	struct pp_stmt_order order;
	struct pp_sort *v = pp_sort_alloc(c, m->nplans);
	struct pp_rows r;
	size_t i;

	pp_stmt_order_init(&order, c);
	for (i = 0; i < m->nplans; i++)
		v[i] = (struct pp_sort){.major = pp_stmt_order_key(&order,
		    m->plans[i].session, m->plans[i].stmt),
		    .minor = m->plans[i].number, .index = (uint32_t)i};
	pp_sort(v, m->nplans);
	pp_rows_open(&r, c->mem, to, &table);
	for (i = 0; i < m->nplans; i++)
		put_plan(&r, c, &m->plans[v[i].index]);
	pp_stmt_order_free(&order);
	pp_mem_free(c->mem, v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_plans = {
	.table = &table,
	.inputs = PP_INPUT_TRACE,
	.default_on = true,
	.emit = emit,
};
