/*
 * xlsx_trend.c: the chart of the table `trend`, lines over profiles or days.
 *
 * The table is wide: a row an event, statement or digest, a column a profile
 * or day.  Its first rows become lines; the columns of the data are the last
 * run of one type, behind the total.
 */
#include <string.h>

#include "xlsx.h"

#define LABEL_MAX 48u

/* What tells a row, the best first. */
static const char *const labels[] = {
	"digest_text", "event", "text", "statement", "digest", "name"
};
#define LABELS (sizeof(labels) / sizeof(labels[0]))

void
pp_xlsx_trend_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	const struct pp_table *t = s->table;
	struct pp_xlsx_trend *d = &x->trend;
	size_t i = t->ncolumns;

	if (strcmp(t->name, "trend") != 0 || s->number > 1 || i == 0 ||
	    pp_type_is_text(t->columns[i - 1].type))
		return;
	d->type = t->columns[i - 1].type;
	while (i > 0 && t->columns[i - 1].type == d->type &&
	    strcmp(t->columns[i - 1].name, "total_s") != 0)
		i--;
	d->first = i;
	d->n = t->ncolumns - i;
	if (d->n == 0 || d->n > PP_XLSX_POINTS)
		return;
	d->sheet = s;
	d->value = pp_mem_zalloc(x->mem, PP_XLSX_LINES * d->n *
	    sizeof(*d->value));
}

void
pp_xlsx_trend_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b)
{
	struct pp_xlsx_trend *d = &x->trend;
	size_t row, i, c;

	if (s != d->sheet)
		return;
	for (row = 0; row < b->rows && d->rows < PP_XLSX_LINES; row++) {
		pp_str label = PP_STR("");

		for (i = 0; i < LABELS && label.n == 0; i++)
			for (c = 0; c < d->first; c++)
				if (strcmp(b->table->columns[c].name,
				    labels[i]) == 0 && b->tags[c][row] &&
				    pp_type_is_text(b->table->columns[c].type))
					label = b->cells[c][row].str;
		d->label[d->rows] = pp_xlsx_shorten(&x->keep, label,
		    LABEL_MAX);
		for (c = 0; c < d->n; c++) {
			size_t at = d->first + c;
			struct pp_xlsx_point *p =
			    &d->value[d->rows * d->n + c];

			p->known = b->tags[at][row] != 0;
			if (p->known)
				p->v = pp_xlsx_double(b->cells[at][row].num,
				    b->tags[at][row] - 1u);
		}
		d->rows++;
	}
}

void
pp_xlsx_trend_free(struct pp_xlsx *x)
{
	pp_mem_free(x->mem, x->trend.value);
}

static lxw_error
stub_cells(struct pp_xlsx *x, lxw_worksheet *ws)
{
	struct pp_xlsx_trend *d = &x->trend;
	lxw_error e = LXW_NO_ERROR;
	size_t r, c;

	for (c = 0; c < d->n && e == LXW_NO_ERROR; c++) {
		e = worksheet_write_string(ws, 0, (lxw_col_t)(d->first + c),
		    d->sheet->column[d->first + c].head.p, NULL);
		for (r = 0; r < d->rows && e == LXW_NO_ERROR; r++)
			if (d->value[r * d->n + c].known)
				e = worksheet_write_number(ws,
				    (lxw_row_t)r + 1,
				    (lxw_col_t)(d->first + c),
				    d->value[r * d->n + c].v, NULL);
	}
	return e;
}

static bool
line(struct pp_xlsx *x, lxw_chart *chart, unsigned r)
{
	struct pp_xlsx_trend *d = &x->trend;
	lxw_chart_series *s = chart_add_series(chart, NULL, NULL);
	lxw_col_t first = (lxw_col_t)d->first;
	lxw_col_t last = (lxw_col_t)(d->first + d->n - 1);
	lxw_chart_line look = {.width = 2};

	if (s == NULL)
		return false;
	look.color = pp_xlsx_colour_of(x, d->label[r]);
	chart_series_set_categories(s, d->sheet->name, 0, first, 0, last);
	chart_series_set_values(s, d->sheet->name, r + 1, first, r + 1, last);
	chart_series_set_name(s, pp_xlsx_chart_text(x, d->label[r].p));
	chart_series_set_line(s, &look);
	/* a single point has no line */
	chart_series_set_marker_type(s, LXW_CHART_MARKER_CIRCLE);
	chart_series_set_marker_size(s, 5);
	return true;
}

enum pp_status
pp_xlsx_trend_chart(struct pp_xlsx *x, lxw_worksheet *ws)
{
	struct pp_xlsx_trend *d = &x->trend;
	const struct pp_xlsx_sheet *s = d->sheet;
	lxw_chart_options o = {.x_scale = PP_XLSX_CHART_WIDTH / 480,
	    .y_scale = 420 / 288.0};
	bool below = s->rows <= 64;
	lxw_error e = stub_cells(x, ws);
	lxw_chart *chart;
	unsigned r;

	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	if (d->rows == 0)
		return PP_OK;
	pp_xlsx_colours(x, d->label, d->rows);
	chart = workbook_add_chart(x->book, LXW_CHART_LINE);
	for (r = 0; r < d->rows && chart != NULL; r++)
		if (!line(x, chart, r))
			return pp_xlsx_library(x,
			    LXW_ERROR_MEMORY_MALLOC_FAILED);
	if (chart == NULL)
		return pp_xlsx_library(x, LXW_ERROR_MEMORY_MALLOC_FAILED);
	pp_xlsx_chart_style(chart, "Trend", NULL, d->type == PP_T_SECONDS ?
	    "seconds" : NULL, "General");
	if (d->n > 24)
		chart_axis_set_interval_unit(chart->x_axis,
		    (uint16_t)(d->n / 20));
	e = worksheet_insert_chart_opt(ws, below ? s->rows + 1 : 1, below ? 0 :
	    (lxw_col_t)(s->ncolumns + 1), chart, &o);
	return e == LXW_NO_ERROR ? PP_OK : pp_xlsx_library(x, e);
}
