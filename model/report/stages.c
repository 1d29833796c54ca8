/*
 * stages.c: table `stages`, a row of SHOW PROFILE a row.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"query_id", PP_T_INT, "number of the query"},
	{"seq", PP_T_INT, "row of the query, from 1"},
	{"state", PP_T_TEXT, "state"},
	{"start_s", PP_T_SECONDS, "begin, from the begin of its query"},
	{"duration_s", PP_T_SECONDS, "duration; of a saturated row what the "
	    "query's total leaves for it"},
	{"cpu_user_s", PP_T_SECONDS, "user CPU of the process"},
	{"cpu_system_s", PP_T_SECONDS, "system CPU of the process"},
	{"context_voluntary", PP_T_INT, "voluntary context switches of the "
	    "process"},
	{"context_involuntary", PP_T_INT, "involuntary context switches of "
	    "the process"},
	{"block_ops_in", PP_T_INT, "blocks read by the process"},
	{"block_ops_out", PP_T_INT, "blocks written by the process"},
	{"messages_sent", PP_T_INT, "messages sent by the process"},
	{"messages_received", PP_T_INT, "messages received by the process"},
	{"page_faults_major", PP_T_INT, "major page faults of the process"},
	{"page_faults_minor", PP_T_INT, "minor page faults of the process"},
	{"swaps", PP_T_INT, "swaps of the process"},
	{"from_function", PP_T_TEXT, "function that the state began in"},
	{"from_file", PP_T_TEXT, "source file that the state began in"},
	{"from_line", PP_T_INT, "line that the state began at"},
	{"to_function", PP_T_TEXT, "function that the next state began in"},
	{"to_file", PP_T_TEXT, "source file that the next state began in"},
	{"to_line", PP_T_INT, "line that the next state began at"},
	{"flags", PP_T_TEXT, "what is odd about the row"},
};

static const struct pp_table table = {
	"stages", "a SHOW PROFILE row",
	"source, session, query_id, seq", PP_COLUMNS(columns), 0
};

/* The counters of a row, and its place in the source. */
static void
fill_rest(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_stage *x)
{
	for (unsigned k = 0; k < PP_STAGE_COUNTERS; k++)
		if (x->has & 1u << k)
			pp_put_int(r, (pp_i128)x->counter[k]);
		else
			pp_put_null(r);
	pp_fill_name(r, c, x->from_function);
	pp_fill_name(r, c, x->from_file);
	if (x->has & PP_STAGE_FROM_LINE)
		pp_put_int(r, (pp_i128)x->from_line);
	else
		pp_put_null(r);
	pp_fill_name(r, c, x->to_function);
	pp_fill_name(r, c, x->to_file);
	if (x->has & PP_STAGE_TO_LINE)
		pp_put_int(r, (pp_i128)x->to_line);
	else
		pp_put_null(r);
	pp_fill_name(r, c, x->flags);
}

static void
fill_query(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_query *q)
{
	struct pp_stage_reader read;
	struct pp_stage x;
	uint64_t seq = 0;

	pp_stage_open(&read, c->accounts->model, q);
	while (pp_stage_next(&read, &x)) {
		if (x.kind != PP_STAGE_STATE)
			continue;
		pp_fill_session(r, c, q->session);
		if (q->has_id)
			pp_put_int(r, (pp_i128)q->id);
		else
			pp_put_null(r);
		pp_put_int(r, (pp_i128)++seq);
		pp_fill_name(r, c, x.name);
		pp_fill_ticks(r, c, q->session, x.start);
		pp_fill_ticks_if(r, c, q->session, x.has & PP_STAGE_DURATION,
		    x.duration);
		pp_fill_ticks_if(r, c, q->session, x.has & PP_STAGE_USER,
		    x.cpu_user);
		pp_fill_ticks_if(r, c, q->session, x.has & PP_STAGE_SYSTEM,
		    x.cpu_system);
		fill_rest(r, c, &x);
		pp_row_end(r);
	}
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_model *m = c->model;
	uint32_t *rank = pp_session_ranks(c);
	struct pp_sort *v = pp_sort_alloc(c, m->nqueries);
	struct pp_rows r;

	/* those of a session stand in the order of their numbers */
	for (uint32_t i = 0; i < m->nqueries; i++) {
		v[i].major = rank[m->queries[i].session];
		v[i].index = i;
	}
	pp_sort(v, m->nqueries);
	pp_rows_open(&r, c->mem, to, &table);
	for (size_t i = 0; i < m->nqueries; i++)
		fill_query(&r, c, &m->queries[v[i].index]);
	pp_mem_free(c->mem, v);
	pp_mem_free(c->mem, rank);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_stages = {
	.table = &table,
	.inputs = PP_INPUT_STATES,
	.default_on = true,
	.emit = emit,
};
