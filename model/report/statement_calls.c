/*
 * statement_calls.c: table `statement_calls`, a call type of a statement a
 * row.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	{"call", PP_T_TEXT, "PARSE, EXEC, FETCH, CLOSE and others"},
	{"count", PP_T_INT, "calls"},
	PP_COL_ELAPSED,
	PP_COL_CPU,
	PP_COL_SELF,
	PP_COL_SELF_CPU,
	PP_COL_SELF_WAIT,
	PP_COL_SELF_QUEUE,
	PP_COL_SELF_UNACCOUNTED,
	PP_COL_PHYSICAL_READS,
	PP_COL_CONSISTENT_GETS,
	PP_COL_CURRENT_GETS,
	{"self_physical_reads", PP_T_INT, "less those of the children"},
	{"self_consistent_gets", PP_T_INT, "less those of the children"},
	{"self_current_gets", PP_T_INT, "less those of the children"},
	{"misses", PP_T_INT, "library cache misses"},
	PP_COL_ROWS,
};

static const struct pp_table table = {
	"statement_calls", "a call type of a statement",
	"source, session, statement as in statements, falling elapsed_s, call",
	PP_COLUMNS(columns), 0
};

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_call_cell *k)
{
	const struct pp_sums *s = &k->sums;

	pp_fill_session(r, c, k->session);
	pp_fill_stmt(r, c, k->stmt);
	pp_fill_name(r, c, k->call);
	pp_put_int(r, (pp_i128)s->calls);
	pp_fill_ticks(r, c, k->session, s->elapsed);
	pp_fill_ticks(r, c, k->session, s->cpu);
	pp_fill_self(r, c, k->session, s);
	pp_fill_blocks(r, s);
	pp_put_int(r, s->self_p);
	pp_put_int(r, s->self_cr);
	pp_put_int(r, s->self_cu);
	pp_put_int(r, (pp_i128)s->misses);
	pp_put_int(r, (pp_i128)s->rows);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_accounts *a = c->accounts;
	struct pp_sort *v = pp_sort_alloc(c, a->ncalls);
	struct pp_stmt_order o;
	struct pp_rows r;

	pp_stmt_order_init(&o, c);
	for (uint32_t i = 0; i < a->ncalls; i++) {
		const struct pp_call_cell *k = &a->calls[i];

		v[i].major = pp_stmt_order_key(&o, k->session, k->stmt);
		v[i].falling = k->sums.elapsed;
		v[i].text = pp_strtab_get(&c->model->names, k->call);
		v[i].index = i;
	}
	pp_stmt_order_free(&o);
	pp_sort(v, a->ncalls);
	pp_rows_open(&r, c->mem, to, &table);
	for (size_t i = 0; i < a->ncalls; i++)
		fill_row(&r, c, &a->calls[v[i].index]);
	pp_mem_free(c->mem, v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_statement_calls = {
	.table = &table,
	.inputs = PP_INPUT_TRACE,
	.over = PP_OVER_TOTALS,
	.default_on = true,
	.emit = emit,
};
