/*
 * errors.c: table `errors`, an error or failed parse a row.
 */
#include "columns.h"
#include "report.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"line", PP_T_INT, "line in its file"},
	PP_COL_STATEMENT,
	{"code", PP_T_INT, "error number"},
	{"at_s", PP_T_SECONDS, "moment, from the first begin in the source"},
	{"text", PP_T_TEXT, "text of the failed statement"},
};

static const struct pp_table table = {
	"errors", "an error or failed parse",
	"source, session, line", PP_COLUMNS(columns), 0
};

const struct pp_report pp_report_errors = {
	.table = &table,
	.inputs = PP_INPUT_TRACE,
	.default_on = true,
};
