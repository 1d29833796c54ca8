/*
 * xlsx_histogram.c: the charts of the Histogram sheet.
 *
 * Rows of one event of a session stand together, a duration bucket each.  For
 * the events with most time there are two charts beside the table: how often,
 * and how much time.
 */
#include <stdio.h>
#include <string.h>

#include "xlsx.h"

#define SCALE 12u
#define WIDTH 560.0
#define ROWS 17u		/* a chart and a gap, of 20 pixels */
#define ROWS_MIN 3u		/* buckets that are worth a chart */

enum { H_SOURCE, H_SESSION, H_EVENT, H_FROM, H_TO, H_COUNT, H_TIME };
static const char *const names[] = {
	"source", "session", "event", "from_s", "to_s", "count", "time_s"
};
#define FIELDS (sizeof(names) / sizeof(names[0]))

void
pp_xlsx_histogram_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_histogram *h = &x->histogram;
	size_t i, c;

	for (i = 0; i < FIELDS; i++) {
		h->at[i] = -1;
		for (c = 0; c < s->table->ncolumns; c++)
			if (strcmp(s->table->columns[c].name, names[i]) == 0)
				h->at[i] = (int)c;
		if (h->at[i] < 0)
			return;
	}
	if (s->table->columns[h->at[H_SESSION]].type == PP_T_INT)
		h->sheet = s;
}

/* What was read becomes one of the best, or is forgotten; its room and that of
 * the one it drives out are used again. */
static void
keep(struct pp_xlsx_histogram *h)
{
	struct pp_xlsx_buckets out = {0};
	unsigned i = h->ntop;

	if (!h->open || h->now.time <= 0 || h->now.rows < ROWS_MIN)
		return;
	if (i == PP_XLSX_HISTOGRAMS) {
		out = h->top[--i];
		if (out.time >= h->now.time)
			return;
	} else
		h->ntop++;
	for (; i > 0 && h->top[i - 1].time < h->now.time; i--)
		h->top[i] = h->top[i - 1];
	h->top[i] = h->now;
	h->now = out;
}

static double
number(const struct pp_batch *b, size_t col, size_t row)
{
	unsigned tag = b->tags[col][row];

	return tag == 0 ? 0 : pp_xlsx_double(b->cells[col][row].num, tag - 1);
}

static void
add(struct pp_xlsx *x, const struct pp_batch *b, size_t row)
{
	struct pp_xlsx_histogram *h = &x->histogram;
	struct pp_xlsx_buckets *n = &h->now;
	size_t time = (size_t)h->at[H_TIME], i;
	static const unsigned fields[3] = {H_TO, H_COUNT, H_TIME};
	void *p = n->v;

	if (n->rows < PP_XLSX_POINTS) {
		pp_mem_grow(x->mem, &p, &n->cap, ((size_t)n->rows + 1) * 3,
		    sizeof(*n->v));
		n->v = p;
		for (i = 0; i < 3; i++)
			n->v[n->rows * 3 + i] = number(b,
			    (size_t)h->at[fields[i]], row);
	}
	n->rows++;
	n->time += pp_dec_rescale(b->cells[time][row].num,
	    b->tags[time][row] - 1u, SCALE);
}

void
pp_xlsx_histogram_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b)
{
	struct pp_xlsx_histogram *h = &x->histogram;
	struct pp_xlsx_buckets *n = &h->now;
	size_t at[FIELDS], row, i;

	if (h->sheet != s)
		return;
	for (i = 0; i < FIELDS; i++)
		at[i] = (size_t)h->at[i];
	for (row = 0; row < b->rows; row++) {
		pp_str source = b->cells[at[H_SOURCE]][row].str;
		pp_str event = b->cells[at[H_EVENT]][row].str;
		pp_i128 session = b->cells[at[H_SESSION]][row].num;

		if (!b->tags[at[H_SOURCE]][row] || !b->tags[at[H_TIME]][row] ||
		    !b->tags[at[H_EVENT]][row] || !b->tags[at[H_SESSION]][row])
			continue;
		if (!h->open || n->session != session ||
		    !pp_str_eq(n->event, event) ||
		    !pp_str_eq(n->source, source)) {
			keep(h);
			n->source = pp_arena_str(&x->keep, source);
			n->event = pp_arena_str(&x->keep, event);
			n->session = session;
			n->row = s->rows + (uint32_t)row;
			n->rows = 0;
			n->time = 0;
			h->open = true;
		}
		add(x, b, row);
	}
}

void
pp_xlsx_histogram_free(struct pp_xlsx *x)
{
	unsigned i;

	for (i = 0; i < x->histogram.ntop; i++)
		pp_mem_free(x->mem, x->histogram.top[i].v);
	pp_mem_free(x->mem, x->histogram.now.v);
}

void
pp_xlsx_histogram_end(struct pp_xlsx *x)
{
	keep(&x->histogram);
	x->histogram.open = false;
}

static enum pp_status
draw(struct pp_xlsx *x, lxw_worksheet *ws, const struct pp_xlsx_buckets *b,
    unsigned field, lxw_row_t row, lxw_col_t col)
{
	struct pp_xlsx_histogram *h = &x->histogram;
	lxw_chart_options o = {
		.x_scale = WIDTH / 480,
		.y_scale = (ROWS - 1) * 20 / 288.0,
		.x_offset = field == H_TIME ? (int32_t)WIDTH + 12 : 0
	};
	lxw_chart *chart = workbook_add_chart(x->book, LXW_CHART_COLUMN);
	lxw_chart_series *series = chart == NULL ? NULL :
	    chart_add_series(chart, NULL, NULL);
	uint32_t end = b->row + b->rows - 1;
	char title[240];
	lxw_error e;

	if (series == NULL)
		return pp_xlsx_library(x, LXW_ERROR_MEMORY_MALLOC_FAILED);
	/* as a number this is no date, so the axis stays one of categories */
	chart_series_set_categories(series, h->sheet->name, b->row,
	    (lxw_col_t)h->at[H_TO], end, (lxw_col_t)h->at[H_TO]);
	chart_series_set_values(series, h->sheet->name, b->row,
	    (lxw_col_t)h->at[field], end, (lxw_col_t)h->at[field]);
	chart_series_set_name_range(series, h->sheet->name, 0,
	    (lxw_col_t)h->at[field]);
	pp_xlsx_paint(x, series, b->event);
	snprintf(title, sizeof(title), "%.*s, session %d: %s",
	    b->event.n > 60 ? 60 : (int)b->event.n, b->event.p,
	    (int)b->session, field == H_TIME ? "time" : "count");
	pp_xlsx_chart_style(chart, pp_xlsx_chart_text(x, title),
	    "up to, seconds", field == H_TIME ? "seconds" : NULL, "General");
	chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
	chart_set_series_gap(chart, 5);
	if (b->rows > 24)
		chart_axis_set_interval_unit(chart->x_axis,
		    (uint16_t)(b->rows / 16 < 30000 ? b->rows / 16 : 30000));
	e = worksheet_insert_chart_opt(ws, row, col, chart, &o);
	return e == LXW_NO_ERROR ? PP_OK : pp_xlsx_library(x, e);
}

static lxw_error
stub_cells(const struct pp_xlsx_histogram *h, lxw_worksheet *ws,
    const struct pp_xlsx_buckets *b)
{
	static const unsigned fields[3] = {H_TO, H_COUNT, H_TIME};
	lxw_error e = LXW_NO_ERROR;
	uint32_t r;
	unsigned i;

	for (i = 0; i < 3 && e == LXW_NO_ERROR; i++)
		e = worksheet_write_string(ws, 0,
		    (lxw_col_t)h->at[fields[i]], names[fields[i]], NULL);
	if (b->rows > PP_XLSX_POINTS)
		return e;
	for (r = 0; r < b->rows; r++)
		for (i = 0; i < 3 && e == LXW_NO_ERROR; i++)
			e = worksheet_write_number(ws, b->row + r,
			    (lxw_col_t)h->at[fields[i]], b->v[r * 3 + i],
			    NULL);
	return e;
}

enum pp_status
pp_xlsx_histogram_charts(struct pp_xlsx *x, lxw_worksheet *ws)
{
	struct pp_xlsx_histogram *h = &x->histogram;
	lxw_col_t col = (lxw_col_t)(h->sheet->ncolumns + 1);
	unsigned i;

	for (i = 0; i < h->ntop; i++) {
		lxw_row_t row = 1 + i * ROWS;
		lxw_error e = stub_cells(h, ws, &h->top[i]);

		if (e != LXW_NO_ERROR)
			return pp_xlsx_library(x, e);
		pp_xlsx_colours(x, &h->top[i].event, 1);
		if (draw(x, ws, &h->top[i], H_COUNT, row, col) != PP_OK ||
		    draw(x, ws, &h->top[i], H_TIME, row, col) != PP_OK)
			return PP_FATAL;
	}
	return PP_OK;
}
