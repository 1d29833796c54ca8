/*
 * profile.c: table `profile`, where the time of a session went.  The rows of
 * a session add up to its span.
 */
#include "by.h"
#include "columns.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_EVENT,
	PP_COL_CLASS,
	{"time_s", PP_T_SECONDS, "time; unaccounted-for is signed"},
	{"share_pct", PP_T_DECIMAL, "percent of the span; SHOW PROFILE: of "
	    "queries with states; P_S: of roots"},
	{"count", PP_T_INT, "occurrences"},
	{"avg_s", PP_T_SECONDS, "time_s / count"},
	{"min_s", PP_T_SECONDS, "shortest"},
	{"max_s", PP_T_SECONDS, "longest"},
	PP_COL_P50,
	PP_COL_P95,
	PP_COL_P99,
};

static const struct pp_table table = {
	"profile", "an event in a session",
	"source, session, falling time_s, event, class",
	PP_COLUMNS(columns), PP_TABLE_MORE
};

/*
 * A list of queries names totals of which no state is known; shares are of
 * the others, and so is what an event has of them.
 */
/* Events that name their parents: of what the roots took. */
static bool
of_roots(const struct pp_report_ctx *c, const struct pp_event_cell *e)
{
	enum pp_session_kind k = c->model->sessions[e->session].kind;

	return k == PP_SESSION_EVENTS || k == PP_SESSION_SUMS;
}

static void
fill_share(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_event_cell *e)
{
	const struct pp_accounts *a = c->accounts;
	pp_i128 all;

	if (of_roots(c, e) && a->opt.select == NULL) {
		all = e->session < a->nsums ?
		    a->sums[e->session].root_elapsed : 0;
		if (all > 0)
			pp_put_dec(r, pp_div_half_up(e->time * 10000, all), 2);
		else
			pp_put_null(r);
		return;
	}
	if (c->model->sessions[e->session].kind != PP_SESSION_STATES ||
	    a->opt.select != NULL) {
		pp_fill_share(r, c, e->session, e->time);
		return;
	}
	all = e->session < a->nsums ? a->sums[e->session].stated : 0;
	if (all <= 0 || (e->outside != 0 && e->outside == e->time))
		pp_put_null(r);
	else
		pp_put_dec(r, pp_div_half_up((e->time - e->outside) * 10000,
		    all), 2);
}

/* Percentiles are bounds of buckets: never low. */
static void
fill_percentile(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_event_cell *e, unsigned per_mille)
{
	int64_t v = 0;
	bool known = pp_hist_percentile(&e->hist, per_mille, e->max, &v);

	pp_fill_ticks_if(r, c, e->session, known, v);
}

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_event_cell *e)
{
	pp_fill_session(r, c, e->session);
	pp_by_fill(r, c, e->facet);
	pp_fill_name(r, c, e->name);
	pp_put_str(r, pp_str_from(pp_class_name(e->class)));
	pp_fill_ticks(r, c, e->session, e->time);
	fill_share(r, c, e);
	if (e->counted) {
		pp_put_int(r, (pp_i128)e->count);
		pp_fill_average(r, c, e->session, e->time, e->count);
	}
	if (e->counted && !e->summed) {
		pp_fill_ticks_if(r, c, e->session, e->count > 0, e->min);
		pp_fill_ticks_if(r, c, e->session, e->count > 0, e->max);
		fill_percentile(r, c, e, 500);
		fill_percentile(r, c, e, 950);
		fill_percentile(r, c, e, 990);
	} else
		pp_put_nulls(r, e->counted ? 5 : 7);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_event_cell *cells;
	struct pp_sort *v;
	struct pp_rows r;
	size_t n;

	v = pp_by_events(c, &cells, &n);
	pp_rows_open(&r, c->mem, to, pp_by_table(c, &table));
	for (size_t i = 0; i < n; i++)
		fill_row(&r, c, &cells[v[i].index]);
	pp_mem_free(c->mem, v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_profile = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.over = PP_OVER_TOTALS,
	.default_on = true,
	.emit = emit,
};
