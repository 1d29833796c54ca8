/*
 * statement_pivot.c: table `statement_pivot`, the cells of
 * `statement_events` with a statement a row and an event a column.
 */
#include "columns.h"
#include "wide.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_DIGEST,
};

static const struct pp_table table = {
	"statement_pivot",
	"a statement; then one column an event by falling total (24, then "
	"`other`)",
	"source, session, statement as in statements",
	PP_COLUMNS(columns), PP_TABLE_WIDE
};

/*
 * What a row is made of, in its order: the statement cells (each has a row,
 * also without events) and the buckets.  minor: 0 a cell, 1 a bucket.
 */
static struct pp_sort *
parts(const struct pp_report_ctx *c, size_t *n)
{
	const struct pp_accounts *a = c->accounts;
	struct pp_sort *v = pp_sort_alloc(c, a->nstmts + a->nbuckets);
	struct pp_stmt_order o;

	*n = 0;
	pp_stmt_order_init(&o, c);
	for (uint32_t i = 0; i < a->nstmts; i++, ++*n) {
		const struct pp_stmt_cell *s = &a->stmts[i];

		v[*n].major = pp_stmt_order_key(&o, s->session, s->stmt);
		v[*n].text = c->model->stmts[s->stmt].id;
		v[*n].index = i;
	}
	for (uint32_t i = 0; i < a->nbuckets; i++, ++*n) {
		const struct pp_bucket *b = &a->buckets[i];

		v[*n].major = pp_stmt_order_key(&o, b->session, b->stmt);
		v[*n].text = c->model->stmts[b->stmt].id;
		v[*n].minor = 1;
		v[*n].index = i;
	}
	pp_stmt_order_free(&o);
	pp_sort(v, *n);
	return v;
}

static void
finish_row(struct pp_rows *r, const struct pp_report_ctx *c,
    struct pp_wide *w, uint32_t session, uint32_t stmt)
{
	pp_fill_session(r, c, session);
	pp_fill_stmt(r, c, stmt);
	pp_put_str_or_null(r, c->model->stmts[stmt].digest);
	pp_wide_fill(w, r, c, session);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_accounts *a = c->accounts;
	uint32_t session, stmt, last_session = 0, last_stmt = 0;
	struct pp_sort *v;
	struct pp_rows r;
	struct pp_wide w;
	size_t n;

	v = parts(c, &n);
	pp_wide_init(&w, c, &table);
	pp_rows_open(&r, c->mem, to, w.table);
	for (size_t i = 0; i < n; i++) {
		const struct pp_bucket *b = NULL;

		if (v[i].minor) {
			b = &a->buckets[v[i].index];
			session = b->session;
			stmt = b->stmt;
		} else {
			session = a->stmts[v[i].index].session;
			stmt = a->stmts[v[i].index].stmt;
		}
		if (i > 0 && (session != last_session || stmt != last_stmt))
			finish_row(&r, c, &w, last_session, last_stmt);
		if (b != NULL)
			pp_wide_add(&w, b->event, b->time);
		last_session = session;
		last_stmt = stmt;
	}
	if (n > 0)
		finish_row(&r, c, &w, last_session, last_stmt);
	pp_wide_free(&w, c);
	pp_mem_free(c->mem, v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_statement_pivot = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.default_on = true,
	.tall = "statement_events",
	.emit = emit,
};
