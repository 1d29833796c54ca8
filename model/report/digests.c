/*
 * digests.c: table `digests`, the totals of the statements that share a
 * normalised text a row.
 */
#include "columns.h"
#include "report.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_DIGEST,
	{"schema", PP_T_TEXT, "schema that the statements ran in"},
	{"native_digest", PP_T_ID, "the server's own digest; empty where "
	    "several meet"},
	{"digest_text", PP_T_TEXT, "normalised text"},
	{"calls", PP_T_INT, "executions"},
	{"total_s", PP_T_SECONDS, "elapsed time"},
	{"share_pct", PP_T_DECIMAL, "total_s in percent of the input's "
	    "total"},
	{"avg_s", PP_T_SECONDS, "total_s by timed call"},
	{"min_s", PP_T_SECONDS, "shortest"},
	{"max_s", PP_T_SECONDS, "longest"},
	{"stddev_s", PP_T_SECONDS, "standard deviation"},
	PP_COL_P50,
	PP_COL_P95,
	PP_COL_P99,
	{"p999_s", PP_T_SECONDS, "99.9th percentile, never low"},
	{"lock_s", PP_T_SECONDS, "time in locks"},
	{"cpu_s", PP_T_SECONDS, "CPU time"},
	{"parses", PP_T_INT, "parse calls"},
	{"executions", PP_T_INT, "executions of Oracle statements"},
	{"misses", PP_T_INT, "library cache misses"},
	{"errors", PP_T_INT, "errors"},
	{"warnings", PP_T_INT, "warnings"},
	{"rows_affected", PP_T_INT, "rows changed"},
	{"rows_sent", PP_T_INT, "rows returned"},
	{"rows_examined", PP_T_INT, "rows read"},
	{"tmp_tables", PP_T_INT, "temporary tables"},
	{"tmp_disk_tables", PP_T_INT, "temporary tables on disk"},
	{"full_joins", PP_T_INT, "joins without an index"},
	{"full_scans", PP_T_INT, "scans of whole tables"},
	{"sort_rows", PP_T_INT, "rows sorted"},
	{"no_index", PP_T_INT, "executions without an index"},
	{"no_good_index", PP_T_INT, "executions without a good index"},
	{"first_seen", PP_T_TIME, "first execution"},
	{"last_seen", PP_T_TIME, "last execution"},
	{"statements", PP_T_INT, "distinct texts"},
	{"sources", PP_T_INT, "inputs that have it"},
	{"rows_without_time", PP_T_INT, "rows of the input without a time"},
	{"sample_text", PP_T_TEXT, "one of the texts"},
};

static const struct pp_table table = {
	"digests", "a digest in a schema",
	"source, falling total_s, digest, schema", PP_COLUMNS(columns), 0
};

const struct pp_report pp_report_digests = {
	.table = &table,
	.inputs = PP_INPUT_DIGESTS | PP_INPUT_TRACE | PP_INPUT_EVENTS,
	.default_on = true,
};
