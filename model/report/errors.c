/*
 * errors.c: table `errors`, an error or failed parse a row.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"line", PP_T_INT, "line in its file"},
	PP_COL_STATEMENT,
	{"code", PP_T_INT, "error number"},
	{"at_s", PP_T_SECONDS, "moment, from the first begin in the source"},
	{"text", PP_T_TEXT, "text of the failed statement"},
};

static const struct pp_table table = {
	"errors", "an error or failed parse",
	"source, session, line", PP_COLUMNS(columns), 0
};

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_model *m = c->model;
	uint32_t *rank = pp_session_ranks(c);
	struct pp_sort *v = pp_sort_alloc(c, m->nerrors);
	struct pp_rows r;
	size_t i;

	for (i = 0; i < m->nerrors; i++)
		v[i] = (struct pp_sort){.major = rank[m->errors[i].session],
		    .minor = (uint64_t)m->errors[i].source << 40 |
		    m->errors[i].line, .index = (uint32_t)i};
	pp_sort(v, m->nerrors);
	pp_rows_open(&r, c->mem, to, &table);
	for (i = 0; i < m->nerrors; i++) {
		const struct pp_error *e = &m->errors[v[i].index];
		const struct pp_stmt *s = &m->stmts[e->stmt];

		pp_fill_session(&r, c, e->session);
		pp_put_int(&r, (pp_i128)e->line);
		pp_put_str(&r, s->id);
		pp_put_int(&r, e->code);
		if (e->has_time)
			pp_fill_tick(&r, c, e->session, e->at);
		else
			pp_put_null(&r);
		if (s->has_text)
			pp_put_str(&r, s->text);
		else
			pp_put_null(&r);
		pp_row_end(&r);
	}
	pp_mem_free(c->mem, v);
	pp_mem_free(c->mem, rank);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_errors = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_EVENTS,
	.default_on = true,
	.emit = emit,
};
