/*
 * statement_pivot.c: table `statement_pivot`, the cells of
 * `statement_events` with a statement a row and an event a column.
 */
#include "../pivot.h"
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_DIGEST,
};

static const struct pp_table table = {
	"statement_pivot",
	"a statement (SHOW PROFILE: a run of it); then one column an event "
	"by falling total (24, then `other`)",
	"source, session, statement as in statements; SHOW PROFILE: the "
	"runs of a statement by query_id",
	PP_COLUMNS(columns), PP_TABLE_WIDE
};

enum part { CELL, BUCKET, RUN };

/* Where an event that a statement did not meet is no 0: states, stages. */
static bool
has_states(const struct pp_report_ctx *c, uint32_t session)
{
	return c->model->sessions[session].kind != PP_SESSION_CALLS;
}

/* Runs of a statement of SHOW PROFILE stand side by side, but where sessions
 * are summed up; what a selection leaves of one is not known. */
static bool
has_runs(const struct pp_report_ctx *c, uint32_t session)
{
	return c->model->sessions[session].kind == PP_SESSION_STATES &&
	    c->accounts->opt.select == NULL &&
	    c->accounts->merge == PP_MERGE_NONE;
}

/*
 * What a row is made of, in its order: the statement cells (each has a row,
 * also without events) and the buckets, or the runs.  minor: enum part.
 */
static struct pp_sort *
parts(const struct pp_report_ctx *c, size_t *n)
{
	const struct pp_accounts *a = c->accounts;
	struct pp_sort *v = pp_sort_alloc(c, a->nstmts + a->nbuckets +
	    c->model->nqueries);
	struct pp_stmt_order o;

	*n = 0;
	pp_stmt_order_init(&o, c);
	for (uint32_t i = 0; i < c->model->nqueries; i++) {
		const struct pp_query *q = &c->model->queries[i];

		if (!has_runs(c, q->session))
			continue;
		v[*n].major = pp_stmt_order_key(&o, q->session, q->stmt);
		v[*n].text = c->model->stmts[q->stmt].id;
		v[*n].minor = RUN;
		v[(*n)++].index = i;
	}
	for (uint32_t i = 0; i < a->nstmts; i++) {
		const struct pp_stmt_cell *s = &a->stmts[i];

		if (s->executions > 0 && has_runs(c, s->session))
			continue;
		v[*n].major = pp_stmt_order_key(&o, s->session, s->stmt);
		v[*n].text = c->model->stmts[s->stmt].id;
		v[*n].minor = CELL;
		v[(*n)++].index = i;
	}
	for (uint32_t i = 0; i < a->nbuckets; i++) {
		const struct pp_bucket *b = &a->buckets[i];

		if (has_runs(c, b->session))
			continue;
		v[*n].major = pp_stmt_order_key(&o, b->session, b->stmt);
		v[*n].text = c->model->stmts[b->stmt].id;
		v[*n].minor = BUCKET;
		v[(*n)++].index = i;
	}
	pp_stmt_order_free(&o);
	pp_sort(v, *n);
	return v;
}

/*
 * The rows that the pivot takes: those of `statement_events` with the
 * statement's digest, and one without an event for each statement.
 */
static const struct pp_column part_columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_DIGEST,
	{"run", PP_T_INT, "of the run, from 1"},
	PP_COL_EVENT,
	{"time_s", PP_T_SECONDS, "time of the event"},
};

static const struct pp_table part_table = {
	"parts", "a part of a statement's time", "as statement_pivot",
	PP_COLUMNS(part_columns), 0
};

#define NO_EVENT UINT32_MAX

/* A state that a query did not have is no 0: its rows have a run. */
#define RUNS UINT32_MAX

/* run 0: none; RUNS: all of them. */
static void
fill_part(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t session,
    uint32_t stmt, uint32_t run, uint32_t event, pp_i128 time)
{
	pp_fill_session(r, c, session);
	pp_fill_stmt(r, c, stmt);
	pp_put_str_or_null(r, c->model->stmts[stmt].digest);
	if (run != 0)
		pp_put_int(r, run);
	else
		pp_put_null(r);
	if (event != NO_EVENT)
		pp_put_str(r, pp_strtab_get(&c->model->names, event));
	else
		pp_put_null(r);
	pp_fill_ticks(r, c, session, time);
	pp_row_end(r);
}

/*
 * A row for each event that some part has, so that the columns are known
 * before the first row is there: runs are many, and those of a query are
 * nowhere else than in its own row.
 */
static void
fill_columns(struct pp_rows *r, const struct pp_report_ctx *c)
{
	const struct pp_accounts *a = c->accounts;

	for (size_t i = 0; i < a->nevents; i++)
		if (has_runs(c, a->events[i].session))
			fill_part(r, c, a->events[i].session, PP_STMT_NONE, 0,
			    a->events[i].name, a->events[i].time);
	for (size_t i = 0; i < a->nbuckets; i++)
		if (!has_runs(c, a->buckets[i].session))
			fill_part(r, c, a->buckets[i].session, PP_STMT_NONE,
			    0, a->events[a->buckets[i].event].name,
			    a->buckets[i].time);
}

/* The states of a run. */
static void
fill_run(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t i)
{
	const struct pp_query *q = &c->model->queries[i];
	struct pp_stage_reader read;
	struct pp_stage x;

	fill_part(r, c, q->session, q->stmt, i + 1, NO_EVENT, 0);
	pp_stage_open(&read, c->accounts->model, q);
	read.times = true;
	while (pp_stage_next(&read, &x))
		if (x.has & PP_STAGE_DURATION)
			fill_part(r, c, q->session, q->stmt, i + 1, x.name,
			    x.duration);
}

static void
fill_parts(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_sort *part)
{
	const struct pp_accounts *a = c->accounts;
	const struct pp_stmt_cell *s;
	const struct pp_bucket *b;

	if (part->minor == RUN)
		fill_run(r, c, part->index);
	else if (part->minor == CELL) {
		s = &a->stmts[part->index];
		fill_part(r, c, s->session, s->stmt, has_states(c,
		    s->session) ? RUNS : 0, NO_EVENT, 0);
	} else {
		b = &a->buckets[part->index];
		fill_part(r, c, b->session, b->stmt, has_states(c,
		    b->session) ? RUNS : 0, a->events[b->event].name,
		    b->time);
	}
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	static const char rows[] = "source,session,statement,sql_id,digest,"
	    "run";
	const struct pp_pivot_spec spec = {.rows = PP_STR(rows),
		.columns = PP_STR("event"), .value = PP_STR("time_s"),
		.top = PP_WIDE_EVENTS, .as = &table,
		.help = "time of this event in the row", .zeros = true,
		.bare = true, .hidden = 1};
	enum pp_status status, closed;
	struct pp_sort *v;
	struct pp_pivot p;
	struct pp_rows r;
	size_t n;

	pp_pivot_init(&p, c->mem, &spec, &part_table);
	pp_rows_open(&r, c->mem, &p.sink, &part_table);
	fill_columns(&r, c);
	pp_rows_close(&r);
	pp_pivot_open(&p, to, true);
	v = parts(c, &n);
	pp_rows_open(&r, c->mem, &p.sink, &part_table);
	for (size_t i = 0; i < n; i++)
		fill_parts(&r, c, &v[i]);
	status = pp_rows_close(&r);
	pp_mem_free(c->mem, v);
	closed = pp_pivot_close(&p);
	pp_pivot_free(&p);
	return status > closed ? status : closed;
}

const struct pp_report pp_report_statement_pivot = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.over = PP_OVER_TOTALS,
	.default_on = true,
	.tall = "statement_events",
	.emit = emit,
};
