/*
 * timeline_pivot.c: table `timeline_pivot`, the cells of `timeline` with an
 * interval a row and an event a column: ready for a stacked chart.
 */
#include "../pivot.h"
#include "columns.h"
#include "report.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_INTERVAL,
	PP_COL_INTERVAL_START,
	PP_COL_INTERVAL_END,
	PP_COL_START_AT,
};

static const struct pp_table table = {
	"timeline_pivot",
	"an interval; then one column an event by falling total (24, then "
	"`other`)",
	"source, session, interval",
	PP_COLUMNS(columns), PP_TABLE_WIDE
};

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	static const char rows[] =
	    "source,session,interval,start_s,end_s,start_at";
	const struct pp_pivot_spec spec = {.rows = PP_STR(rows),
		.columns = PP_STR("event"), .value = PP_STR("time_s"),
		.top = PP_WIDE_EVENTS, .as = &table,
		.help = "time of this event in the interval", .zeros = true};
	enum pp_status status;
	struct pp_pivot p;

	pp_pivot_init(&p, c->mem, &spec, pp_report_timeline.table);
	status = pp_report_timeline.emit(c, &p.sink);
	if (status < PP_FAILED)
		status = pp_pivot_emit(&p, to, true);
	pp_pivot_free(&p);
	return status;
}

const struct pp_report pp_report_timeline_pivot = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS |
	    PP_INPUT_SNAPSHOTS,
	.needs = PP_NEED_SLICES,
	.over = PP_OVER_INTERVALS,
	.default_on = true,
	.tall = "timeline",
	.emit = emit,
};
