/*
 * digest_pivot.c: table `digest_pivot`, a digest with its time and calls in
 * every source a row.
 */
#include "columns.h"
#include "report.h"

static const struct pp_column columns[] = {
	PP_COL_DIGEST,
	{"digest_text", PP_T_TEXT, "normalised text"},
	{"schemas", PP_T_TEXT, "schemas that it ran in, comma list"},
};

static const struct pp_table table = {
	"digest_pivot",
	"a digest over sources; then one column a source (total_s) and one "
	"(calls)",
	"falling total_s over all sources, digest",
	PP_COLUMNS(columns), PP_TABLE_WIDE
};

const struct pp_report pp_report_digest_pivot = {
	.table = &table,
	.inputs = PP_INPUT_DIGESTS,
	.default_on = true,
	.tall = "digests",
};
