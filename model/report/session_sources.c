/*
 * session_sources.c: table `session_sources`, a file's share of a session a
 * row; a session may go on in further files.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"file", PP_T_TEXT, "input file that holds this share"},
	{"first_line", PP_T_INT, "first line of the share in that file"},
	{"last_line", PP_T_INT, "last line"},
	PP_COL_START,
	PP_COL_END,
};

static const struct pp_table table = {
	"session_sources", "a file's share of a session",
	"source, session, file in the order of sources, first_line",
	PP_COLUMNS(columns), 0
};

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_session_source *s)
{
	pp_fill_session(r, c, s->session);
	pp_put_str(r, c->model->sources[s->source].name);
	pp_put_int(r, (pp_i128)s->first_line);
	pp_put_int(r, (pp_i128)s->last_line);
	if (s->has_time) {
		pp_fill_tick(r, c, s->session, s->start);
		pp_fill_tick(r, c, s->session, s->end);
	} else
		pp_put_nulls(r, 2);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_session_source *all = c->model->session_sources;
	size_t n = c->model->nsession_sources;
	uint32_t *rank = pp_session_ranks(c);
	struct pp_sort *v = pp_sort_alloc(c, n);
	struct pp_rows r;

	for (uint32_t i = 0; i < n; i++) {
		v[i].major = (uint64_t)rank[all[i].session] << 32 |
		    all[i].source;
		v[i].minor = all[i].first_line;
		v[i].index = i;
	}
	pp_sort(v, n);
	pp_mem_free(c->mem, rank);
	pp_rows_open(&r, c->mem, to, &table);
	for (size_t i = 0; i < n; i++)
		fill_row(&r, c, &all[v[i].index]);
	pp_mem_free(c->mem, v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_session_sources = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.default_on = true,
	.emit = emit,
};
