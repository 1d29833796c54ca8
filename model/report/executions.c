/*
 * executions.c: table `executions`, an EXEC with the FETCHes of its cursor a
 * row.
 */
#include "columns.h"
#include "report.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"event_id", PP_T_INT, "id of the EXEC in events"},
	{"line", PP_T_INT, "line of the EXEC in its file"},
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_DIGEST,
	PP_COL_START,
	PP_COL_END,
	PP_COL_START_AT,
	PP_COL_ELAPSED,
	PP_COL_CPU,
	PP_COL_SELF,
	PP_COL_SELF_CPU,
	PP_COL_SELF_WAIT,
	PP_COL_SELF_UNACCOUNTED,
	{"fetches", PP_T_INT, "fetch calls"},
	PP_COL_ROWS,
	PP_COL_PHYSICAL_READS,
	PP_COL_CONSISTENT_GETS,
	PP_COL_CURRENT_GETS,
	{"binds", PP_T_TEXT, "bind values by position"},
	PP_COL_MODULE,
	PP_COL_ACTION,
	PP_COL_CLIENT_ID,
};

static const struct pp_table table = {
	"executions", "an EXEC with its FETCHes",
	"source, session, event_id", PP_COLUMNS(columns), PP_TABLE_RAW
};

const struct pp_report pp_report_executions = {
	.table = &table,
	.inputs = PP_INPUT_TRACE,
	.needs = PP_NEED_RAW,
	.raw = true,
};
