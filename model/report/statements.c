/*
 * statements.c: table `statements`, a statement in a session a row.  It ends
 * with the time between the calls, so that self_s adds up to the span.
 */
#include "by.h"
#include "columns.h"
#include "command.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_HASH_VALUE,
	PP_COL_DIGEST,
	{"command", PP_T_TEXT, "kind of statement: SELECT, INSERT, ...; else "
	    "its number"},
	{"parsing_user", PP_T_INT, "id of the user that it is parsed for"},
	{"depth", PP_T_INT, "least depth of its calls; 0: by the client"},
	{"executions", PP_T_INT, "executions"},
	{"parses", PP_T_INT, "parse calls"},
	{"misses", PP_T_INT, "library cache misses"},
	PP_COL_ELAPSED,
	PP_COL_CPU,
	PP_COL_SELF,
	PP_COL_SELF_CPU,
	PP_COL_SELF_WAIT,
	PP_COL_SELF_QUEUE,
	PP_COL_SELF_UNACCOUNTED,
	{"between_s", PP_T_SECONDS, "waits between calls, by their cursor; "
	    "not in self_s"},
	{"recursive_parse_s", PP_T_SECONDS, "elapsed time of the calls below "
	    "its parses"},
	{"recursive_exec_s", PP_T_SECONDS, "elapsed time of the calls below "
	    "its executions"},
	{"recursive_fetch_s", PP_T_SECONDS, "elapsed time of the calls below "
	    "its fetches"},
	PP_COL_SHARE_OF_SELF,
	PP_COL_ROWS,
	PP_COL_PHYSICAL_READS,
	PP_COL_CONSISTENT_GETS,
	PP_COL_CURRENT_GETS,
	{"p50_s", PP_T_SECONDS, "50th percentile of its executions with "
	    "their fetches, never low"},
	{"p95_s", PP_T_SECONDS, "95th percentile"},
	{"p99_s", PP_T_SECONDS, "99th percentile"},
	{"max_s", PP_T_SECONDS, "longest execution with its fetches"},
	{"first_s", PP_T_SECONDS, "begin of its first call, from the first "
	    "begin in the source"},
	{"last_s", PP_T_SECONDS, "end of its last call"},
	{"text", PP_T_TEXT, "text"},
};

static const struct pp_table table = {
	"statements", "a statement in a session",
	"source, session, falling self_s, statement; (between calls) last",
	PP_COLUMNS(columns), PP_TABLE_MORE
};

static void
fill_stmt(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t session,
    uint32_t stmt)
{
	const struct pp_stmt *s = &c->model->stmts[stmt];
	int64_t user = pp_model_user(c->model, session, stmt);

	pp_fill_stmt(r, c, stmt);
	if (s->has_hash)
		pp_put_int(r, s->hash_value);
	else
		pp_put_null(r);
	pp_put_str_or_null(r, s->digest);
	if (s->command_name.n > 0)
		pp_put_str(r, s->command_name);
	else if (s->has_command)
		pp_fill_command(r, s->command);
	else
		pp_put_null(r);
	if (user >= 0)
		pp_put_int(r, user);
	else
		pp_put_null(r);
}

/* Percentiles and the longest of its executions, EXEC with FETCHes. */
static void
fill_executions(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_stmt_cell *s)
{
	static const unsigned per_mille[] = {500, 950, 990};
	const struct pp_executions *x = pp_account_executions(c->accounts,
	    s->session, s->stmt, c->model->facets.n > 0 ? s->facet :
	    PP_FACET_ALL);
	int64_t v = 0;
	size_t i;

	/* which executions a selection holds is not known */
	if (x == NULL || c->accounts->opt.select != NULL) {
		pp_put_nulls(r, 4);
		return;
	}
	for (i = 0; i < 3; i++) {
		pp_hist_percentile(&x->hist, per_mille[i], x->max, &v);
		pp_fill_ticks(r, c, s->session, v);
	}
	pp_fill_ticks(r, c, s->session, x->max);
}

/* depth to last_s */
static void
fill_numbers(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_stmt_cell *s)
{
	bool calls = pp_session_has_calls(c, s->session);

	if (s->has_depth)
		pp_put_int(r, s->depth);
	else
		pp_put_null(r);
	pp_put_int(r, (pp_i128)s->executions);
	if (calls) {
		pp_put_int(r, (pp_i128)s->parses);
		pp_put_int(r, (pp_i128)s->misses);
	} else
		pp_put_nulls(r, 2);
	pp_fill_ticks(r, c, s->session, s->sums.elapsed);
	pp_fill_ticks_if(r, c, s->session, pp_session_has_cpu(c, s->session),
	    s->sums.cpu);
	pp_fill_self(r, c, s->session, &s->sums);
	pp_fill_ticks_if(r, c, s->session, calls, s->between);
	pp_fill_ticks_if(r, c, s->session, calls, s->recursive_parse);
	pp_fill_ticks_if(r, c, s->session, calls, s->recursive_exec);
	pp_fill_ticks_if(r, c, s->session, calls, s->recursive_fetch);
	pp_fill_share(r, c, s->session, s->sums.self);
	if (pp_session_has_rows(c, s->session))
		pp_put_int(r, (pp_i128)s->sums.rows);
	else
		pp_put_null(r);
	if (calls)
		pp_fill_blocks(r, &s->sums);
	else
		pp_put_nulls(r, 3);
	fill_executions(r, c, s);
	if (s->has_time) {
		pp_fill_tick(r, c, s->session, s->first);
		pp_fill_tick(r, c, s->session, s->last);
	} else
		pp_put_nulls(r, 2);
}

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_stmt_cell *s)
{
	const struct pp_stmt *stmt = &c->model->stmts[s->stmt];

	pp_fill_session(r, c, s->session);
	pp_by_fill(r, c, s->facet);
	fill_stmt(r, c, s->session, s->stmt);
	fill_numbers(r, c, s);
	if (stmt->has_text)
		pp_put_str(r, stmt->text);
	else
		pp_put_null(r);
	pp_row_end(r);
}

/* The statements of a session beyond the first `top`, as one. */
static void
fill_other(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_stmt_cell *s)
{
	pp_fill_session(r, c, s->session);
	pp_by_fill(r, c, s->facet);
	pp_put_str(r, PP_STR("other"));
	pp_put_nulls(r, 5);
	fill_numbers(r, c, s);
	pp_put_null(r);
	pp_row_end(r);
}

static void
fold(struct pp_stmt_cell *a, const struct pp_stmt_cell *b)
{
	if (b->has_depth && (!a->has_depth || b->depth < a->depth)) {
		a->has_depth = true;
		a->depth = b->depth;
	}
	a->executions += b->executions;
	a->parses += b->parses;
	a->misses += b->misses;
	pp_sums_add(&a->sums, &b->sums);
	a->between += b->between;
	a->recursive_parse += b->recursive_parse;
	a->recursive_exec += b->recursive_exec;
	a->recursive_fetch += b->recursive_fetch;
	if (b->has_time) {
		if (!a->has_time || b->first < a->first)
			a->first = b->first;
		if (!a->has_time || b->last > a->last)
			a->last = b->last;
		a->has_time = true;
	}
}

/* Statements in the order of the table. */
struct order {
	const struct pp_stmt_cell *cells;
	struct pp_sort *v;
	size_t n;
};

/* Rows of the session, or its facet, that begins at v[i]; returns where the
 * next begins. */
static size_t
fill_part(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct order *o, size_t i)
{
	const struct pp_stmt_cell *s = &o->cells[o->v[i].index];
	struct pp_stmt_cell other = {.session = s->session,
	    .facet = s->facet};
	uint64_t count = 0;

	for (; i < o->n; i++) {
		s = &o->cells[o->v[i].index];
		if (s->session != other.session || s->facet != other.facet)
			break;
		if (s->stmt == PP_STMT_BETWEEN) {
			if (c->opt.top && count > c->opt.top)
				fill_other(r, c, &other);
			count = 0;
			fill_row(r, c, s);
		} else if (++count <= c->opt.top || c->opt.top == 0)
			fill_row(r, c, s);
		else
			fold(&other, s);
	}
	if (c->opt.top && count > c->opt.top)
		fill_other(r, c, &other);
	return i;
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct order o;
	struct pp_rows r;
	size_t i = 0;

	o.v = pp_by_stmts(c, &o.cells, &o.n);
	pp_rows_open(&r, c->mem, to, pp_by_table(c, &table));
	while (i < o.n)
		i = fill_part(&r, c, &o, i);
	pp_mem_free(c->mem, o.v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_statements = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.over = PP_OVER_TOTALS,
	.default_on = true,
	.emit = emit,
};
