/*
 * xlsx_pivot.c: pivot tables over the cube, which no library in C writes.
 *
 * The cache has a definition and no records: Excel reads the source, the
 * Excel table on the Data sheet, when it opens the workbook (refreshOnLoad).
 * Until then, and in viewers that refresh nothing, the cells stand as a
 * refresh computes them.  What Excel is strict about: items are listed only
 * for fields on an axis, they differ by more than case, every count is right,
 * elements come in the order of the schema.
 */
#include <stdio.h>
#include <string.h>

#include "xlsx.h"

/* A refresh does not keep lines broken, so that columns are as wide as this
 * for their header. */
#define HEAD_CHARS 28u

#define CHART_ROWS 23u
#define SERIES_MAX 250u		/* Excel draws 255 */
#define CELLS_MAX 500000u

/* First rows of the sheet: a title, a line on what it is. */
#define TOP 3u

/* ------------------------------------------------------------- the sheets */

static enum pp_status
title_rows(struct pp_xlsx *x, struct pp_xlsx_sheet *s, const char *title)
{
	pp_xlsx_row_begin(x, s, 1);
	pp_xlsx_cell_text(x, s, 0, pp_str_from(title), PP_XS_TITLE);
	if (pp_xlsx_row_end(x, s) != PP_OK)
		return PP_FATAL;
	pp_xlsx_row_begin(x, s, 1);
	pp_xlsx_cell_text(x, s, 0, PP_STR("A live pivot table over the sheet "
	    "Data: drag fields, filter, refresh."), PP_XS_LABEL);
	/* these may run over the cells beside them */
	s->column[0].chars = 0;
	return pp_xlsx_row_end(x, s);
}

static const char *const field_names[] = {
	"source", "session", "interval", "event", "statement", "time_s"
};

static void
label(struct pp_xlsx *x, struct pp_xlsx_sheet *s, enum pp_xlsx_field f,
    const struct pp_xlsx_item *i)
{
	if (f == PP_XF_INTERVAL || f == PP_XF_SESSION)
		pp_xlsx_cell_number(x, s, 0, i->number, 0, PP_XS_PLAIN);
	else
		pp_xlsx_cell_text(x, s, 0, i->raw, PP_XS_ID);
}

static enum pp_status
head_rows(struct pp_xlsx *x, const struct pp_xlsx_pivot *p)
{
	const struct pp_xlsx_axis *e = &x->cube.axis[PP_XF_EVENT];
	struct pp_xlsx_sheet *s = p->sheet;
	size_t i;

	s->rows = p->top;
	for (i = 0; i < p->npages; i++) {
		pp_xlsx_row_begin(x, s, 1);
		pp_xlsx_cell_text(x, s, 0,
		    pp_str_from(field_names[p->page[i]]), PP_XS_BOLD);
		pp_xlsx_cell_text(x, s, 1, PP_STR("(All)"), PP_XS_GENERAL);
		if (pp_xlsx_row_end(x, s) != PP_OK)
			return PP_FATAL;
	}
	s->rows = p->head;
	pp_xlsx_row_begin(x, s, 1);
	pp_xlsx_cell_text(x, s, 0, PP_STR("Sum of time_s"), PP_XS_HEADER);
	pp_xlsx_cell_text(x, s, 1, PP_STR("event"), PP_XS_HEADER);
	if (pp_xlsx_row_end(x, s) != PP_OK)
		return PP_FATAL;
	pp_xlsx_row_begin(x, s, 1);
	pp_xlsx_cell_text(x, s, 0, pp_str_from(field_names[p->rows]),
	    PP_XS_WRAP);
	for (i = 0; i < e->nused; i++)
		pp_xlsx_cell_text(x, s, 1 + i, e->order[i]->raw, PP_XS_WRAP);
	pp_xlsx_cell_text(x, s, 1 + i, PP_STR("Grand Total"), PP_XS_WRAP);
	for (i = 0; i < e->nused; i++)
		if (s->column[1 + i].chars > HEAD_CHARS)
			s->column[1 + i].chars = HEAD_CHARS;
	return pp_xlsx_row_end(x, s);
}

static enum pp_status
body_rows(struct pp_xlsx *x, const struct pp_xlsx_pivot *p)
{
	const struct pp_xlsx_cube *c = &x->cube;
	const struct pp_xlsx_axis *r = &c->axis[p->rows];
	const struct pp_xlsx_axis *e = &c->axis[PP_XF_EVENT];
	struct pp_xlsx_sheet *s = p->sheet;
	const pp_i128 *v;
	size_t i, k;

	for (i = 0; i < r->nused; i++) {
		pp_xlsx_row_begin(x, s, 1);
		label(x, s, p->rows, r->order[i]);
		for (k = 0; k < e->nused; k++) {
			v = pp_xlsx_cube_sum(c, p->sums, p->rows, i, k);
			if (v != NULL)
				pp_xlsx_cell_number(x, s, 1 + k, *v, 12,
				    PP_XS_DEC6);
		}
		pp_xlsx_cell_number(x, s, 1 + k, r->order[i]->sum, 12,
		    PP_XS_DEC6);
		if (pp_xlsx_row_end(x, s) != PP_OK)
			return PP_FATAL;
	}
	pp_xlsx_row_begin(x, s, 1);
	pp_xlsx_cell_text(x, s, 0, PP_STR("Grand Total"), PP_XS_BOLD);
	for (k = 0; k < e->nused; k++)
		pp_xlsx_cell_number(x, s, 1 + k, e->order[k]->sum, 12,
		    PP_XS_TOTAL);
	pp_xlsx_cell_number(x, s, 1 + k, c->total, 12, PP_XS_TOTAL);
	return pp_xlsx_row_end(x, s);
}

static enum pp_status
sheet(struct pp_xlsx *x, struct pp_xlsx_pivot *p, const char *sheet_name,
    const char *title, bool chart)
{
	p->sheet = pp_xlsx_own_sheet(x, PP_XK_PIVOT, sheet_name,
	    x->cube.axis[PP_XF_EVENT].nused + 2);
	if (p->sheet == NULL)
		return PP_FATAL;
	p->sheet->help = PP_STR("a live pivot table");
	p->top = TOP + (chart ? CHART_ROWS : 0);
	p->head = p->top + p->npages + (p->npages ? 1 : 0);
	if (title_rows(x, p->sheet, title) != PP_OK ||
	    head_rows(x, p) != PP_OK || body_rows(x, p) != PP_OK)
		return PP_FATAL;
	return pp_xlsx_sheet_end(x, p->sheet);
}

static void
page(struct pp_xlsx_pivot *p, bool there, enum pp_xlsx_field f)
{
	if (there)
		p->page[p->npages++] = f;
}

enum pp_status
pp_xlsx_pivot_sheets(struct pp_xlsx *x)
{
	struct pp_xlsx_cube *c = &x->cube;
	struct pp_xlsx_pivot *p = x->pivot;
	size_t events;

	if (!c->ok || c->sheet->rows < 2)
		return PP_OK;
	pp_xlsx_cube_sort(x);
	events = c->axis[PP_XF_EVENT].nused;
	p[0].name = "PivotTime";
	p[0].rows = PP_XF_INTERVAL;
	p[0].sums = &c->by_interval;
	p[0].chart = events <= SERIES_MAX;
	page(&p[0], c->statements, PP_XF_STATEMENT);
	page(&p[0], c->sessions, PP_XF_SESSION);
	page(&p[0], c->sources, PP_XF_SOURCE);
	if (sheet(x, &p[0], "Pivot", "Time by interval and event",
	    p[0].chart) != PP_OK)
		return PP_FATAL;
	if (!c->statements || c->by_statement.full ||
	    c->axis[PP_XF_STATEMENT].nused * events > CELLS_MAX)
		return PP_OK;
	p[1].name = "PivotStatements";
	p[1].rows = PP_XF_STATEMENT;
	p[1].sums = &c->by_statement;
	page(&p[1], c->sessions, PP_XF_SESSION);
	page(&p[1], c->sources, PP_XF_SOURCE);
	return sheet(x, &p[1], PP_XLSX_PIVOT2, "Time by statement and event",
	    false);
}

/* -------------------------------------------------------------- the chart */

static lxw_error
stub_cells(struct pp_xlsx *x, const struct pp_xlsx_pivot *p,
    lxw_worksheet *ws)
{
	const struct pp_xlsx_cube *c = &x->cube;
	const struct pp_xlsx_axis *r = &c->axis[p->rows];
	const struct pp_xlsx_axis *e = &c->axis[PP_XF_EVENT];
	lxw_error err = LXW_NO_ERROR;
	const pp_i128 *v;
	size_t i, k;

	for (k = 0; k < e->nused && err == LXW_NO_ERROR; k++)
		err = worksheet_write_string(ws, p->head + 1,
		    (lxw_col_t)(1 + k), e->order[k]->text.p, NULL);
	if (r->nused > PP_XLSX_POINTS)
		return err;
	for (i = 0; i < r->nused && err == LXW_NO_ERROR; i++) {
		lxw_row_t row = p->head + 2 + (lxw_row_t)i;

		err = worksheet_write_number(ws, row, 0,
		    pp_xlsx_double(r->order[i]->number, 0), NULL);
		for (k = 0; k < e->nused && err == LXW_NO_ERROR; k++) {
			v = pp_xlsx_cube_sum(c, p->sums, p->rows, i, k);
			if (v != NULL)
				err = worksheet_write_number(ws, row,
				    (lxw_col_t)(1 + k),
				    pp_xlsx_double(*v, 12), NULL);
		}
	}
	return err;
}

enum pp_status
pp_xlsx_pivot_chart(struct pp_xlsx *x, lxw_worksheet *ws)
{
	const struct pp_xlsx_pivot *p = &x->pivot[0];
	const struct pp_xlsx_axis *r = &x->cube.axis[p->rows];
	const struct pp_xlsx_axis *e = &x->cube.axis[PP_XF_EVENT];
	lxw_row_t first = p->head + 2, end = p->head + 1 + (lxw_row_t)r->nused;
	lxw_chart_options o = {
		.x_scale = PP_XLSX_CHART_WIDTH / 480,
		.y_scale = (CHART_ROWS - 2) * 20 / 288.0
	};
	lxw_error err = stub_cells(x, p, ws);
	pp_str *names = pp_arena_alloc(&x->keep, (e->nused + 1) *
	    sizeof(*names));
	lxw_chart_series *series;
	lxw_chart *chart;
	size_t k;

	if (err != LXW_NO_ERROR)
		return pp_xlsx_library(x, err);
	for (k = 0; k < e->nused; k++)
		names[k] = e->order[k]->text;
	pp_xlsx_colours(x, names, e->nused);
	chart = workbook_add_chart(x->book, LXW_CHART_COLUMN_STACKED);
	if (chart == NULL)
		return pp_xlsx_library(x, LXW_ERROR_MEMORY_MALLOC_FAILED);
	for (k = 0; k < e->nused; k++) {
		series = chart_add_series(chart, NULL, NULL);
		if (series == NULL)
			return pp_xlsx_library(x,
			    LXW_ERROR_MEMORY_MALLOC_FAILED);
		chart_series_set_categories(series, p->sheet->name, first, 0,
		    end, 0);
		chart_series_set_values(series, p->sheet->name, first,
		    (lxw_col_t)(1 + k), end, (lxw_col_t)(1 + k));
		chart_series_set_name_range(series, p->sheet->name,
		    p->head + 1, (lxw_col_t)(1 + k));
		pp_xlsx_paint(x, series, names[k]);
	}
	pp_xlsx_chart_style(chart, "Time by interval and event", "interval",
	    "seconds", "General");
	if (r->nused > 24)
		chart_axis_set_interval_unit(chart->x_axis,
		    (uint16_t)(r->nused / 20));
	err = worksheet_insert_chart_opt(ws, TOP, 0, chart, &o);
	return err == LXW_NO_ERROR ? PP_OK : pp_xlsx_library(x, err);
}
