/*
 * sessions.c: table `sessions`, a stream of events on one clock a row.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"native_id", PP_T_ID, "the server's id of the session, else of the "
	    "process"},
	{"process", PP_T_ID, "operating system process or thread"},
	PP_COL_CLIENT_ID,
	{"service", PP_T_TEXT, "service that it connected to"},
	PP_COL_MODULE,
	PP_COL_ACTION,
	{"driver", PP_T_TEXT, "client driver"},
	{"container", PP_T_TEXT, "container (pluggable database)"},
	{"started_at", PP_T_TIME, "wall clock of start_s"},
	PP_COL_START,
	PP_COL_END,
	{"span_s", PP_T_SECONDS, "last end less first begin"},
	{"calls", PP_T_INT, "database calls"},
	{"waits", PP_T_INT, "waits"},
	{"commits", PP_T_INT, "transactions committed"},
	{"rollbacks", PP_T_INT, "transactions rolled back"},
};

static const struct pp_table table = {
	"sessions", "a session", "source, session", PP_COLUMNS(columns), 0
};

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t session)
{
	const struct pp_session *s = &c->model->sessions[session];

	pp_fill_session(r, c, session);
	pp_put_str_or_null(r, s->native_id);
	pp_put_str_or_null(r, s->process);
	pp_put_str_or_null(r, s->client_id);
	pp_put_str_or_null(r, s->service);
	pp_put_str_or_null(r, s->module);
	pp_put_str_or_null(r, s->action);
	pp_put_str_or_null(r, s->driver);
	pp_put_str_or_null(r, s->container);
	if (s->has_time) {
		pp_fill_wall(r, c, session, s->start);
		pp_fill_tick(r, c, session, s->start);
		pp_fill_tick(r, c, session, s->end);
		pp_fill_ticks(r, c, session, pp_session_span(s));
	} else
		pp_put_nulls(r, 4);
	if (s->kind == PP_SESSION_CALLS || s->kind == PP_SESSION_EVENTS) {
		pp_put_int(r, (pp_i128)s->calls);
		pp_put_int(r, (pp_i128)s->waits);
		pp_put_int(r, (pp_i128)s->commits);
		pp_put_int(r, (pp_i128)s->rollbacks);
	} else
		pp_put_nulls(r, 4);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	size_t n = c->model->nsessions;
	uint32_t *order = pp_session_order(c);
	struct pp_rows r;

	pp_rows_open(&r, c->mem, to, &table);
	for (size_t i = 0; i < n; i++)
		fill_row(&r, c, order[i]);
	pp_mem_free(c->mem, order);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_sessions = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.default_on = true,
	.emit = emit,
};
