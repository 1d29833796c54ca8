/*
 * xlsx_chart.c: the charts of the Timeline sheet.
 *
 * One stacked column chart a session, for the sessions with most time that is
 * not idle.  Categories are text beside the table (what is a date makes a
 * date axis, which has no unit below a day); values are the sheet's own
 * cells.  The charted cells are kept in memory for the caches that viewers
 * without a calculation engine show.
 */
#include <stdio.h>
#include <string.h>

#include "xlsx.h"

#define CHART_ROWS 25u		/* of 20 pixels */

/* What a page in landscape holds at full size. */
#define PAGE_CHARS 140.0
#define PAGE_ROWS 32.0

static const double tenth[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8,
    1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};

double
pp_xlsx_double(pp_i128 v, unsigned scale)
{
	return (double)v / tenth[scale <= 18 ? scale : 18];
}

static int
column(const struct pp_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (strcmp(t->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

void
pp_xlsx_timeline_begin(struct pp_xlsx *x, const struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_timeline *t = &x->tl;
	static const char *const fixed[] = {"source", "session", "interval",
	    "start_s", "end_s", "start_at"};
	size_t i;

	t->first_event = 0;
	for (i = 0; i < 6; i++) {
		t->at[i] = column(s->table, fixed[i]);
		if (t->at[i] >= (int)t->first_event)
			t->first_event = (size_t)t->at[i] + 1;
	}
	t->complete = t->at[0] >= 0 && t->at[1] >= 0 && t->at[3] >= 0 &&
	    t->at[4] >= 0 && t->at[5] >= 0;
	t->ncolumns = s->ncolumns;
}

/* ---------------------------------------------------------------- labels */

static const union pp_cell *
fixed_cell(const struct pp_xlsx *x, const struct pp_batch *b, unsigned which,
    size_t row, unsigned *tag)
{
	size_t col = (size_t)x->tl.at[which];

	*tag = b->tags[col][row];
	return &b->cells[col][row];
}

/* Decimals that tell intervals of this length apart. */
static unsigned
decimals(double length, double least)
{
	unsigned d = 0;

	while (d < 6 && length * tenth[d] < least * 0.95)
		d++;
	return d;
}

/*
 * "09:00:10" from 2015-03-01T09:00:10.123456+01:00, with decimals below a
 * second and the day from an hour on; else the seconds from the start.
 */
static void
make_label(struct pp_xlsx *x, const struct pp_batch *b, size_t row)
{
	unsigned ts, te, ta, d, scale;
	const union pp_cell *start = fixed_cell(x, b, 3, row, &ts);
	const union pp_cell *end = fixed_cell(x, b, 4, row, &te);
	const union pp_cell *at = fixed_cell(x, b, 5, row, &ta);
	char *to = x->tl.label, number[PP_DEC_MAX];
	double length = 1;
	pp_str t;
	size_t n;

	to[0] = '\0';
	if (ts && te)
		length = pp_xlsx_double(end->num, te - 1) -
		    pp_xlsx_double(start->num, ts - 1);
	t = ta ? at->str : (pp_str){NULL, 0};
	x->tl.wall = t.n >= 19 && t.p[10] == 'T';
	if (x->tl.wall && length >= 3600) {
		snprintf(to, sizeof(x->tl.label), "%.5s %.5s", t.p + 5,
		    t.p + 11);
	} else if (x->tl.wall) {
		d = decimals(length, 1);
		n = 8;
		if (d && t.n > 20 && t.p[19] == '.')
			for (n = 9; n < 9 + d && 11 + n < t.n &&
			    t.p[11 + n] >= '0' && t.p[11 + n] <= '9'; n++)
				;
		snprintf(to, sizeof(x->tl.label), "%.*s", (int)n, t.p + 11);
	} else if (ts) {
		d = decimals(length, 10);
		scale = ts - 1;
		n = pp_dec_format(number, pp_dec_rescale(start->num, scale,
		    d < scale ? d : scale), d < scale ? d : scale);
		snprintf(to, sizeof(x->tl.label), "%.*s",
		    n > 30 ? 30 : (int)n, number);
	}
}

/* ---------------------------------------------------------------- blocks */

static pp_str
session_text(struct pp_arena *a, const struct pp_batch *b, size_t col,
    size_t row)
{
	char text[PP_DEC_MAX];
	size_t n;

	if (b->tags[col][row] == 0)
		return PP_STR("");
	if (pp_type_is_text(b->table->columns[col].type))
		return pp_arena_str(a, b->cells[col][row].str);
	n = pp_dec_format(text, b->cells[col][row].num, 0);
	return pp_arena_str(a, (pp_str){text, n});
}

static void
block_close(struct pp_xlsx *x)
{
	struct pp_xlsx_timeline *t = &x->tl;
	struct pp_xlsx_block *b = &t->block, old;
	unsigned i, least = 0;
	size_t c;

	if (!t->open)
		return;
	t->open = false;
	t->nblocks++;
	for (c = t->first_event; c < t->ncolumns; c++)
		if (pp_xlsx_class_of(x, t->sheet->column[c].head) !=
		    PP_XC_IDLE)
			b->weight += b->sum[c];
	if (t->ntop < PP_XLSX_CHARTS) {
		t->top[t->ntop++] = *b;
		memset(b, 0, sizeof(*b));
		return;
	}
	for (i = 1; i < t->ntop; i++)
		if (t->top[i].weight < t->top[least].weight)
			least = i;
	if (t->top[least].weight >= b->weight)
		return;
	/* the arrays of the one that goes are used again */
	old = t->top[least];
	t->top[least] = *b;
	*b = old;
}

static void
block_open(struct pp_xlsx *x, const struct pp_batch *b, size_t row,
    uint32_t at)
{
	struct pp_xlsx_timeline *t = &x->tl;
	struct pp_xlsx_block *k = &t->block;

	if (k->sum == NULL)
		k->sum = pp_mem_alloc(x->mem, t->ncolumns * sizeof(double));
	memset(k->sum, 0, t->ncolumns * sizeof(double));
	k->source = session_text(&x->keep, b, (size_t)t->at[0], row);
	k->session = session_text(&x->keep, b, (size_t)t->at[1], row);
	k->row = at;
	k->rows = 0;
	k->weight = 0;
	k->wall = t->wall;
	t->open = true;
}

static bool
same_session(const struct pp_xlsx *x, const struct pp_batch *b, size_t row)
{
	const struct pp_xlsx_block *k = &x->tl.block;
	size_t source = (size_t)x->tl.at[0], session = (size_t)x->tl.at[1];
	char text[PP_DEC_MAX];
	pp_str s;

	if (b->tags[source][row] &&
	    !pp_str_eq(b->cells[source][row].str, k->source))
		return false;
	if (b->tags[session][row] == 0)
		return k->session.n == 0;
	if (pp_type_is_text(b->table->columns[session].type))
		return pp_str_eq(b->cells[session][row].str, k->session);
	s.p = text;
	s.n = pp_dec_format(text, b->cells[session][row].num, 0);
	return pp_str_eq(s, k->session);
}

void
pp_xlsx_timeline_row(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t row)
{
	struct pp_xlsx_timeline *t = &x->tl;
	struct pp_xlsx_block *k = &t->block;
	void *p;
	size_t c;
	double v;

	t->label[0] = '\0';
	if (!t->complete || s->number > 1)
		return;
	make_label(x, b, row);
	if (t->open && !same_session(x, b, row))
		block_close(x);
	if (!t->open)
		block_open(x, b, row, s->rows - 1);
	if (k->rows < PP_XLSX_POINTS) {
		p = k->value;
		pp_mem_grow(x->mem, &p, &k->value_cap,
		    ((size_t)k->rows + 1) * t->ncolumns, sizeof(double));
		k->value = p;
		p = k->label;
		pp_mem_grow(x->mem, &p, &k->label_cap, (size_t)k->rows + 1,
		    sizeof(*k->label));
		k->label = p;
		memcpy(k->label[k->rows], t->label, sizeof(*k->label));
	}
	for (c = t->first_event; c < t->ncolumns; c++) {
		v = b->tags[c][row] == 0 ? 0 :
		    pp_xlsx_double(b->cells[c][row].num, b->tags[c][row] - 1u);
		k->sum[c] += v < 0 ? -v : v;
		if (k->rows < PP_XLSX_POINTS)
			k->value[k->rows * t->ncolumns + c] = v;
	}
	k->rows++;
}

void
pp_xlsx_timeline_end(struct pp_xlsx *x)
{
	block_close(x);
}

void
pp_xlsx_timeline_free(struct pp_xlsx *x)
{
	unsigned i;

	for (i = 0; i <= x->tl.ntop; i++) {
		struct pp_xlsx_block *k = i < x->tl.ntop ? &x->tl.top[i] :
		    &x->tl.block;

		pp_mem_free(x->mem, k->sum);
		pp_mem_free(x->mem, k->value);
		pp_mem_free(x->mem, k->label);
	}
}

/* ---------------------------------------------------------------- charts */

/* The cells that the chart's caches are filled from. */
static lxw_error
stub_cells(struct pp_xlsx *x, lxw_worksheet *ws, const struct pp_xlsx_block *k)
{
	struct pp_xlsx_timeline *t = &x->tl;
	lxw_error e = LXW_NO_ERROR;
	size_t c;
	uint32_t r;

	if (k->rows > PP_XLSX_POINTS)
		return LXW_NO_ERROR;
	for (r = 0; r < k->rows && e == LXW_NO_ERROR; r++) {
		e = worksheet_write_string(ws, k->row + r,
		    (lxw_col_t)(t->ncolumns + 1), k->label[r], NULL);
		for (c = t->first_event; c < t->ncolumns &&
		    e == LXW_NO_ERROR; c++)
			if (k->sum[c] > 0)
				e = worksheet_write_number(ws, k->row + r,
				    (lxw_col_t)c,
				    k->value[r * t->ncolumns + c], NULL);
	}
	return e;
}

/* The highest stack gives the number of decimals at the axis; where nothing
 * hangs below it the axis begins at 0, also if all columns are high. */
static const char *
axis_format(const struct pp_xlsx_timeline *t, const struct pp_xlsx_block *k,
    bool *negative)
{
	double most = 0, sum, v;
	uint32_t r;
	size_t c;

	*negative = k->rows > PP_XLSX_POINTS;
	for (r = 0; r < k->rows && r < PP_XLSX_POINTS; r++) {
		sum = 0;
		for (c = t->first_event; c < t->ncolumns; c++) {
			v = k->value[r * t->ncolumns + c];
			if (v < 0)
				*negative = true;
			else
				sum += v;
		}
		if (sum > most)
			most = sum;
	}
	return most >= 10 ? "#,##0" : most >= 1 ? "0.0" : most >= 0.1 ?
	    "0.00" : most >= 0.01 ? "0.000" : "0.000000";
}

void
pp_xlsx_chart_style(lxw_chart *chart, const char *title, const char *x_name,
    const char *y_name, const char *y_format)
{
	lxw_chart_font head = {.size = 12, .bold = LXW_TRUE,
	    .color = 0x404040};
	lxw_chart_font small = {.size = 9, .color = 0x404040};
	lxw_chart_font name = {.size = 9, .bold = LXW_EXPLICIT_FALSE,
	    .color = 0x404040};
	lxw_chart_line grid = {.color = 0xE0E0E0, .width = 0.5};
	lxw_chart_line line = {.color = 0x808080, .width = 0.75};

	chart_title_set_name(chart, title);
	chart_title_set_name_font(chart, &head);
	chart_set_series_gap(chart, 15);
	chart_legend_set_position(chart, LXW_CHART_LEGEND_RIGHT);
	chart_legend_set_font(chart, &small);
	if (x_name != NULL)
		chart_axis_set_name(chart->x_axis, x_name);
	if (y_name != NULL)
		chart_axis_set_name(chart->y_axis, y_name);
	chart_axis_set_name_font(chart->x_axis, &name);
	chart_axis_set_name_font(chart->y_axis, &name);
	chart_axis_set_num_font(chart->x_axis, &small);
	chart_axis_set_num_font(chart->y_axis, &small);
	chart_axis_set_num_format(chart->y_axis, y_format);
	chart_axis_set_line(chart->x_axis, &line);
	chart_axis_major_gridlines_set_line(chart->y_axis, &grid);
	/* below what hangs under the axis */
	chart_axis_set_label_position(chart->x_axis,
	    LXW_CHART_AXIS_LABEL_POSITION_LOW);
}

static lxw_chart *
draw(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_xlsx_block *k)
{
	struct pp_xlsx_timeline *t = &x->tl;
	lxw_chart *chart = workbook_add_chart(x->book,
	    LXW_CHART_COLUMN_STACKED);
	lxw_chart_series *series;
	lxw_col_t label = (lxw_col_t)(t->ncolumns + 1);
	uint32_t end = k->row + k->rows - 1;
	const char *format;
	char title[200];
	bool negative;
	size_t c;

	if (chart == NULL)
		return NULL;
	for (c = t->first_event; c < t->ncolumns; c++) {
		if (!(k->sum[c] > 0))
			continue;
		series = chart_add_series(chart, NULL, NULL);
		if (series == NULL)
			return NULL;
		chart_series_set_categories(series, s->name, k->row, label,
		    end, label);
		chart_series_set_values(series, s->name, k->row,
		    (lxw_col_t)c, end, (lxw_col_t)c);
		chart_series_set_name_range(series, s->name, 0,
		    (lxw_col_t)c);
		pp_xlsx_paint(x, series, s->column[c].head);
	}
	snprintf(title, sizeof(title), "%.*s, session %.*s",
	    k->source.n > 120 ? 120 : (int)k->source.n, k->source.p,
	    k->session.n > 40 ? 40 : (int)k->session.n, k->session.p);
	format = axis_format(t, k, &negative);
	pp_xlsx_chart_style(chart, pp_xlsx_chart_text(x, title), k->wall ?
	    "start of the interval" :
	    "start of the interval, seconds from the start", "seconds",
	    format);
	if (!negative)
		chart_axis_set_min(chart->y_axis, 0);
	if (k->rows > 24)
		chart_axis_set_interval_unit(chart->x_axis,
		    (uint16_t)(k->rows / 20 < 30000 ? k->rows / 20 : 30000));
	return chart;
}

static void
sort_blocks(struct pp_xlsx_timeline *t)
{
	unsigned i, j;

	for (i = 1; i < t->ntop; i++)
		for (j = i; j > 0 && t->top[j].row < t->top[j - 1].row; j--) {
			struct pp_xlsx_block b = t->top[j];

			t->top[j] = t->top[j - 1];
			t->top[j - 1] = b;
		}
}

/* Whether the block has anything to draw. */
static bool
has_time(const struct pp_xlsx_timeline *t, const struct pp_xlsx_block *k)
{
	size_t c;

	for (c = t->first_event; c < t->ncolumns; c++)
		if (k->sum[c] > 0)
			return true;
	return false;
}

static void
name_colours(struct pp_xlsx *x, const struct pp_xlsx_sheet *s)
{
	size_t first = x->tl.first_event, c;
	pp_str *names = pp_arena_alloc(&x->keep, (s->ncolumns + 1) *
	    sizeof(*names));

	for (c = first; c < s->ncolumns; c++)
		names[c - first] = s->column[c].head;
	pp_xlsx_colours(x, names, s->ncolumns - first);
}

/*
 * No chart over two pages: where the sheet is printed at a scale of its own,
 * and not fitted, pages can be broken before charts.
 */
static lxw_error
breaks(const struct pp_xlsx_sheet *s, lxw_worksheet *ws, unsigned n,
    double width)
{
	lxw_row_t at[PP_XLSX_CHARTS + 1] = {0};
	double chars = pp_xlsx_sheet_width(s), scale;
	unsigned rows, used = s->rows + 1, k = 0, i;

	if (chars * 7 < width)
		chars = width / 7;
	scale = PAGE_CHARS / chars;
	if (scale > 1)
		scale = 1;
	if (scale < 0.3)
		return LXW_NO_ERROR;
	rows = (unsigned)(PAGE_ROWS / scale);
	if (used + n * CHART_ROWS <= rows)
		return LXW_NO_ERROR;
	worksheet_set_print_scale(ws, (uint16_t)(scale * 100));
	used %= rows;
	for (i = 0; i < n; i++) {
		if (used + CHART_ROWS > rows) {
			/* in the gap above it */
			at[k++] = s->rows + i * CHART_ROWS;
			used = 0;
		}
		used += CHART_ROWS;
	}
	return k ? worksheet_set_h_pagebreaks(ws, at) : LXW_NO_ERROR;
}

enum pp_status
pp_xlsx_timeline_charts(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    lxw_worksheet *ws)
{
	struct pp_xlsx_timeline *t = &x->tl;
	/* under a table that ends on the screen, else beside it */
	bool below = s->rows <= 64;
	double wide = below ? pp_xlsx_sheet_pixels(s) : PP_XLSX_CHART_WIDTH;
	lxw_chart_options o = {
		.x_scale = (wide < PP_XLSX_CHART_WIDTH ? PP_XLSX_CHART_WIDTH :
		    wide > PP_XLSX_CHART_WIDEST ? PP_XLSX_CHART_WIDEST :
		    wide) / 480,
		.y_scale = (CHART_ROWS - 1) * 20 / 288.0
	};
	lxw_error e = LXW_NO_ERROR;
	unsigned i, n = 0;
	lxw_chart *chart;
	size_t c;

	for (c = t->first_event; c < s->ncolumns && e == LXW_NO_ERROR; c++)
		e = worksheet_write_string(ws, 0, (lxw_col_t)c,
		    s->column[c].head.p, NULL);
	name_colours(x, s);
	sort_blocks(t);
	for (i = 0; i < t->ntop && e == LXW_NO_ERROR; i++) {
		if (!has_time(t, &t->top[i]))
			continue;
		e = stub_cells(x, ws, &t->top[i]);
		chart = e == LXW_NO_ERROR ? draw(x, s, &t->top[i]) : NULL;
		if (chart == NULL)
			return pp_xlsx_library(x, e == LXW_NO_ERROR ?
			    LXW_ERROR_MEMORY_MALLOC_FAILED : e);
		if (below)
			e = worksheet_insert_chart_opt(ws,
			    s->rows + 1 + n * CHART_ROWS, 0, chart, &o);
		else
			e = worksheet_insert_chart_opt(ws,
			    1 + n * CHART_ROWS, (lxw_col_t)(s->ncolumns + 3),
			    chart, &o);
		n++;
	}
	/* without the labels beside the table, unless a chart stands there */
	if (e == LXW_NO_ERROR && n && below && wide >= o.x_scale * 480)
		e = worksheet_print_area(ws, 0, 0, s->rows + 1 +
		    n * CHART_ROWS, (lxw_col_t)(s->ncolumns - 1));
	if (e == LXW_NO_ERROR && below)
		e = breaks(s, ws, n, o.x_scale * 480);
	return e == LXW_NO_ERROR ? PP_OK : pp_xlsx_library(x, e);
}

enum pp_status
pp_xlsx_timeline_best(struct pp_xlsx *x, lxw_worksheet *ws, lxw_row_t row,
    lxw_col_t col)
{
	struct pp_xlsx_timeline *t = &x->tl;
	const struct pp_xlsx_block *best = NULL;
	lxw_chart_options o = {.x_scale = 760 / 480.0, .y_scale = 360 / 288.0};
	lxw_chart *chart;
	lxw_error e;
	unsigned i;

	for (i = 0; i < t->ntop; i++)
		if (has_time(t, &t->top[i]) && (best == NULL ||
		    t->top[i].weight > best->weight))
			best = &t->top[i];
	if (best == NULL)
		return PP_OK;
	name_colours(x, t->sheet);
	chart = draw(x, t->sheet, best);
	if (chart == NULL)
		return pp_xlsx_library(x, LXW_ERROR_MEMORY_MALLOC_FAILED);
	e = worksheet_insert_chart_opt(ws, row, col, chart, &o);
	return e == LXW_NO_ERROR ? PP_OK : pp_xlsx_library(x, e);
}
