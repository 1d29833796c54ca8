/*
 * timeline_pivot.c: table `timeline_pivot`, the cells of `timeline` with an
 * interval a row and an event a column: ready for a stacked chart.
 */
#include "columns.h"
#include "grid.h"
#include "wide.h"

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

static void
finish_row(struct pp_rows *r, const struct pp_report_ctx *c,
    struct pp_wide *w, const struct pp_grid_row *row)
{
	pp_grid_fill(r, c, row);
	pp_grid_fill_end(r, c, row);
	pp_wide_fill(w, r, c, row->session);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct pp_grid_row row, last;
	bool open = false;
	struct pp_grid g;
	struct pp_rows r;
	struct pp_wide w;

	pp_wide_init(&w, c, &table);
	pp_grid_open(&g, c, false, NULL);
	pp_rows_open(&r, c->mem, to, w.table);
	while (pp_grid_next(&g, &row)) {
		if (open && (row.session != last.session ||
		    row.interval != last.interval))
			finish_row(&r, c, &w, &last);
		pp_wide_add(&w, row.event, row.time);
		last = row;
		open = true;
	}
	if (open)
		finish_row(&r, c, &w, &last);
	pp_grid_close(&g);
	pp_wide_free(&w, c);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_timeline_pivot = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.needs = PP_NEED_SLICES,
	.default_on = true,
	.tall = "timeline",
	.emit = emit,
};
