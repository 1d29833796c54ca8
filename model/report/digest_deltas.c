/*
 * digest_deltas.c: table `digest_deltas`, what a digest gained between two
 * snapshots of a server a row.
 */
#include "columns.h"
#include "report.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_DIGEST,
	{"schema", PP_T_TEXT, "schema that the statements ran in"},
	{"native_digest", PP_T_ID, "the server's own digest"},
	{"from_at", PP_T_TIME, "time of the earlier snapshot"},
	{"to_at", PP_T_TIME, "time of the later snapshot"},
	{"calls", PP_T_INT, "executions between the snapshots"},
	{"total_s", PP_T_SECONDS, "elapsed time between the snapshots"},
	{"state", PP_T_TEXT, "known, new, gone, reset or unknown"},
};

static const struct pp_table table = {
	"digest_deltas", "a native digest between two snapshots",
	"source, from_at, falling total_s, schema, native_digest",
	PP_COLUMNS(columns), 0
};

const struct pp_report pp_report_digest_deltas = {
	.table = &table,
	.inputs = PP_INPUT_DIGESTS,
	.default_on = true,
};
