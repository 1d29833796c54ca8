/*
 * stages.c: table `stages`, a row of SHOW PROFILE a row.
 */
#include "columns.h"
#include "report.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"query_id", PP_T_INT, "number of the query"},
	{"seq", PP_T_INT, "row of the query, from 1"},
	{"state", PP_T_TEXT, "state"},
	PP_COL_START,
	{"duration_s", PP_T_SECONDS, "duration as printed"},
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

const struct pp_report pp_report_stages = {
	.table = &table,
	.inputs = PP_INPUT_STATES,
	.default_on = true,
};
