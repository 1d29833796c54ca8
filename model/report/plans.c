/*
 * plans.c: table `plans`, a row source of an execution plan a row.
 */
#include "columns.h"
#include "report.h"

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

const struct pp_report pp_report_plans = {
	.table = &table,
	.inputs = PP_INPUT_TRACE,
	.default_on = true,
};
