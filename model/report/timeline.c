/*
 * timeline.c: table `timeline`, an event in an interval a row.  The rows of
 * an interval add up to its overlap with the session.
 */
#include "columns.h"
#include "digest_steps.h"
#include "grid.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_INTERVAL,
	PP_COL_INTERVAL_START,
	PP_COL_INTERVAL_END,
	PP_COL_START_AT,
	PP_COL_EVENT,
	PP_COL_CLASS,
	{"time_s", PP_T_SECONDS, "the event's time in the interval"},
	{"count", PP_T_INT, "occurrences that end in the interval"},
};

static const struct pp_table table = {
	"timeline", "an event in an interval",
	"source, session, interval, event by falling total in the session",
	PP_COLUMNS(columns), 0
};

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct pp_grid_row row;
	struct pp_grid g;
	struct pp_rows r;

	pp_grid_open(&g, c, false, NULL);
	pp_rows_open(&r, c->mem, to, &table);
	while (pp_grid_next(&g, &row)) {
		const struct pp_event_cell *e =
		    &c->accounts->events[row.event];

		pp_grid_fill(&r, c, &row);
		pp_grid_fill_end(&r, c, &row);
		pp_fill_name(&r, c, e->name);
		pp_put_str(&r, pp_str_from(pp_class_name(e->class)));
		pp_fill_ticks(&r, c, row.session, row.time);
		if (e->counted)
			pp_put_int(&r, (pp_i128)row.count);
		else
			pp_put_null(&r);
		pp_row_end(&r);
	}
	pp_grid_close(&g);
	pp_digest_timeline(&r, c);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_timeline = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS |
	    PP_INPUT_SNAPSHOTS,
	.needs = PP_NEED_SLICES,
	.over = PP_OVER_INTERVALS,
	.default_on = true,
	.emit = emit,
};
