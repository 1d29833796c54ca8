/*
 * gaps.c: table `gaps`, the widest stretches that nothing accounts for.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"after_line", PP_T_INT, "line of the record that ends before it"},
	{"before_line", PP_T_INT, "line of the record that follows it"},
	PP_COL_START,
	PP_COL_END,
	PP_COL_START_AT,
	{"time_s", PP_T_SECONDS, "end_s less start_s, less the CPU spread on "
	    "it"},
	PP_COL_PLACE,
	PP_COL_STATEMENT,
};

static const struct pp_table table = {
	"gaps", "one of the widest unaccounted stretches (100 a session)",
	"source, session, falling time_s, start_s",
	PP_COLUMNS(columns), 0
};

static void
fill_line(struct pp_rows *r, uint32_t line)
{
	if (line)
		pp_put_int(r, line);
	else
		pp_put_null(r);
}

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t session,
    const struct pp_gap *g)
{
	pp_fill_session(r, c, session);
	fill_line(r, g->after_line);
	fill_line(r, g->before_line);
	pp_fill_tick(r, c, session, g->start);
	pp_fill_tick(r, c, session, g->end);
	pp_fill_wall(r, c, session, g->start);
	pp_fill_ticks(r, c, session, g->time);
	pp_put_str(r, pp_str_from(pp_place_name(g->place)));
	pp_put_str(r, c->model->stmts[g->stmt].id);
	pp_row_end(r);
}

static void
fill_session(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session)
{
	const struct pp_session_sums *s = &c->accounts->sums[session];
	struct pp_sort v[PP_GAPS] = {0};

	for (uint32_t i = 0; i < s->ngaps; i++) {
		v[i].falling = s->gap[i].time;
		/* so that signed starts sort as unsigned */
		v[i].minor = (uint64_t)s->gap[i].start ^ (uint64_t)1 << 63;
		v[i].index = i;
	}
	pp_sort(v, s->ngaps);
	for (uint32_t i = 0; i < s->ngaps; i++)
		fill_row(r, c, session, &s->gap[v[i].index]);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	uint32_t *order = pp_session_order(c);
	struct pp_rows r;

	pp_rows_open(&r, c->mem, to, &table);
	for (size_t i = 0; i < c->model->nsessions; i++)
		if (order[i] < c->accounts->nsums)
			fill_session(&r, c, order[i]);
	pp_mem_free(c->mem, order);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_gaps = {
	.table = &table,
	.inputs = PP_INPUT_TRACE,
	.default_on = true,
	.emit = emit,
};
