/*
 * texts.c: table `texts`, a statement text a row.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_HASH_VALUE,
	PP_COL_DIGEST,
	{"text_bytes", PP_T_INT, "length as the server had it; the text here "
	    "may be shorter"},
	{"complete", PP_T_INT, "1: the end of the text is in the input"},
	{"altered", PP_T_INT, "1: the text does not fit its printed sql_id "
	    "or hash value"},
	{"text", PP_T_TEXT, "text"},
};

static const struct pp_table table = {
	"texts", "a statement text", "statement", PP_COLUMNS(columns), 0
};

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t stmt)
{
	const struct pp_stmt *s = &c->model->stmts[stmt];

	pp_fill_stmt(r, c, stmt);
	if (s->has_hash)
		pp_put_int(r, s->hash_value);
	else
		pp_put_null(r);
	pp_put_str_or_null(r, s->digest);
	pp_put_int(r, (pp_i128)s->text_bytes);
	pp_put_int(r, s->complete);
	pp_put_int(r, s->altered);
	pp_put_str(r, s->text);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_model *m = c->model;
	struct pp_sort *v = pp_sort_alloc(c, m->nstmts);
	struct pp_rows r;
	size_t n = 0;

	for (uint32_t i = 0; i < m->nstmts; i++) {
		if (!m->stmts[i].has_text)
			continue;
		v[n].text = m->stmts[i].id;
		v[n++].index = i;
	}
	pp_sort(v, n);
	pp_rows_open(&r, c->mem, to, &table);
	for (size_t i = 0; i < n; i++)
		fill_row(&r, c, v[i].index);
	pp_mem_free(c->mem, v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_texts = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.default_on = true,
	.emit = emit,
};
