/*
 * binds.c: table `binds`, a bind value a row.
 */
#include "columns.h"
#include "report.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"event_id", PP_T_INT, "id in events of the EXEC that it is for"},
	{"line", PP_T_INT, "line in its file"},
	PP_COL_STATEMENT,
	{"set", PP_T_INT, "set of values, from 1, where an EXEC has several"},
	{"position", PP_T_INT, "position in the text, from 0"},
	{"type", PP_T_TEXT, "data type"},
	{"length", PP_T_INT, "bytes of the value"},
	{"value", PP_T_TEXT, "value; empty: NULL or not in the input"},
};

static const struct pp_table table = {
	"binds", "a bind value",
	"source, session, event_id, set, position",
	PP_COLUMNS(columns), PP_TABLE_RAW
};

const struct pp_report pp_report_binds = {
	.table = &table,
	.inputs = PP_INPUT_TRACE,
	.needs = PP_NEED_RAW,
	.raw = true,
};
