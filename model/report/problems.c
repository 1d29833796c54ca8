/*
 * problems.c: table `problems`, what was not understood, repaired or
 * missing: the messages of the run.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	{"severity", PP_T_TEXT, "notice, warning or error"},
	PP_COL_SOURCE,
	{"line", PP_T_INT, "line of the source, from 1"},
	{"offset", PP_T_INT, "byte of the inflated source, from 0"},
	{"id", PP_T_TEXT, "stable id of the message"},
	{"count", PP_T_INT, "occurrences that the row stands for"},
	{"message", PP_T_TEXT, "what it is"},
};

static const struct pp_table table = {
	"problems", "something not understood, repaired or missing",
	"source, line, offset, then as told; rows without a line last",
	PP_COLUMNS(columns), 0
};

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_problem *p)
{
	const struct pp_msg_info *info = &pp_msg_info[p->id];

	pp_put_str(r, pp_str_from(pp_severity_name(info->severity)));
	if (p->source < c->model->nsources)
		pp_put_str(r, c->model->sources[p->source].name);
	else
		pp_put_null(r);
	if (p->line)
		pp_put_int(r, (pp_i128)p->line);
	else
		pp_put_null(r);
	if (p->offset != UINT64_MAX)
		pp_put_int(r, (pp_i128)p->offset);
	else
		pp_put_null(r);
	pp_put_str(r, pp_str_from(info->id));
	pp_put_int(r, (pp_i128)p->count);
	pp_put_str(r, p->message);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_diag *d = &c->model->diag;
	struct pp_sort *v;
	struct pp_rows r;
	size_t n;

	/* the sink may tell what became of the tables before this one */
	pp_rows_open(&r, c->mem, to, &table);
	n = d->count;
	v = pp_sort_alloc(c, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct pp_problem *p = &d->problems[i];

		/* no line is 0: behind all others */
		v[i].major = p->source;
		v[i].falling = -(pp_i128)(p->line ? p->line : UINT64_MAX);
		v[i].minor = p->offset;
		v[i].index = i;
	}
	pp_sort(v, n);
	for (size_t i = 0; i < n; i++)
		fill_row(&r, c, &d->problems[v[i].index]);
	pp_mem_free(c->mem, v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_problems = {
	.table = &table,
	.inputs = PP_INPUT_ANY,
	.default_on = true,
	.emit = emit,
};
