/*
 * xlsx_changes.c: sheets of what was before and after: their charts, their
 * colours, and their part of the Summary.
 *
 * Whatever table has the columns before_s, after_s and difference_s is one.
 * Its first rows are those that changed most; a chart shows their differences,
 * named by shortened text in a column beside the table.
 */
#include <stdio.h>
#include <string.h>

#include "xlsx.h"

#define SCALE 12u
#define LABEL_MAX 60u
#define WIDTH_MIN 760.0
#define SUMMARY_WIDTH 760.0
#define SUMMARY_ROWS 8u		/* of each table */

#define MORE 0xB03A2E		/* took longer: red, as text and as bars */
#define LESS 0x2E7D32
#define MORE_BAR 0xE6A6A6
#define LESS_BAR 0xA9D18E

/* Of a chart, in pixels; rows have 20. */
#define HEIGHT(c) (90 + (c)->n * 24)

enum { C_BEFORE, C_AFTER, C_DIFFERENCE, C_RATIO, C_STATE };
static const char *const fields[] = {
	"before_s", "after_s", "difference_s", "ratio", "state"
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* What tells a row, the best first. */
static const char *const labels[] = {
	"event", "digest_text", "text", "statement", "digest"
};
#define LABELS (sizeof(labels) / sizeof(labels[0]))

pp_str
pp_xlsx_shorten(struct pp_arena *a, pp_str s, size_t most)
{
	char *p = pp_arena_alloc(a, most * 4 + 4);
	size_t n = 0, chars = 0, i;

	for (i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == ' ' || (c >= '\t' && c <= '\r')) {
			if (n == 0 || p[n - 1] == ' ')
				continue;
			c = ' ';
		}
		if ((c & 0xc0) != 0x80 && ++chars > most)
			break;
		if (n == most * 4)
			break;
		p[n++] = (char)c;
	}
	while (n > 0 && p[n - 1] == ' ')
		n--;
	if (i < s.n && chars > most) {
		memcpy(p + n, "\xe2\x80\xa6", 3);
		n += 3;
	}
	p[n] = '\0';
	return (pp_str){p, n};
}

/* ---------------------------------------------------------------- reading */

static int
find(const struct pp_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (strcmp(t->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

void
pp_xlsx_changes_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_changes *c, **at;
	int to[FIELDS];
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		to[i] = find(s->table, fields[i]);
		if (i <= C_DIFFERENCE && (to[i] < 0 || pp_type_is_text(
		    s->table->columns[to[i]].type)))
			return;
	}
	c = pp_arena_zalloc(&x->keep, sizeof(*c));
	c->sheet = s;
	memcpy(c->at, to, sizeof(to));
	for (at = &x->changes; *at != NULL; at = &(*at)->next)
		;
	*at = c;
	s->kind = PP_XK_COMPARE;
	s->changes = c;
	s->labels = true;
}

static pp_str
label(struct pp_xlsx *x, const struct pp_batch *b, size_t row)
{
	size_t i;
	int at;

	for (i = 0; i < LABELS; i++) {
		at = find(b->table, labels[i]);
		if (at >= 0 && pp_type_is_text(b->table->columns[at].type) &&
		    b->tags[at][row] && b->cells[at][row].str.n)
			return pp_xlsx_shorten(&x->keep,
			    b->cells[at][row].str, LABEL_MAX);
	}
	return PP_STR("");
}

void
pp_xlsx_changes_row(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t row)
{
	struct pp_xlsx_changes *c = s->changes;
	struct pp_xlsx_change *r;
	size_t i;

	if (s->number > 1 || c->n == PP_XLSX_TOP ||
	    s->rows - 2 != c->n || b->tags[c->at[C_DIFFERENCE]][row] == 0 ||
	    b->cells[c->at[C_DIFFERENCE]][row].num == 0)
		return;
	r = &c->row[c->n++];
	r->label = label(x, b, row);
	for (i = 0; i < 4; i++) {
		if (c->at[i] < 0 || b->tags[c->at[i]][row] == 0)
			continue;
		r->known[i] = true;
		r->v[i] = pp_dec_rescale(b->cells[c->at[i]][row].num,
		    b->tags[c->at[i]][row] - 1u, SCALE);
	}
	if (c->at[C_STATE] >= 0 && b->tags[c->at[C_STATE]][row])
		r->state = pp_arena_str(&x->keep,
		    b->cells[c->at[C_STATE]][row].str);
	pp_xlsx_cell_text(x, s, s->ncolumns + 1, r->label, PP_XS_LABEL);
}

/* ------------------------------------------------------------ the workbook */

static lxw_error
colour(lxw_worksheet *ws, lxw_row_t first, lxw_row_t last, lxw_col_t col,
    const struct pp_xlsx *x)
{
	lxw_conditional_format f = {.type = LXW_CONDITIONAL_TYPE_CELL};
	lxw_error e;

	f.criteria = LXW_CONDITIONAL_CRITERIA_GREATER_THAN;
	f.format = x->more;
	e = worksheet_conditional_format_range(ws, first, col, last, col, &f);
	if (e != LXW_NO_ERROR)
		return e;
	f.criteria = LXW_CONDITIONAL_CRITERIA_LESS_THAN;
	f.format = x->less;
	return worksheet_conditional_format_range(ws, first, col, last, col,
	    &f);
}

bool
pp_xlsx_changes_formats(struct pp_xlsx *x)
{
	x->more = workbook_add_format(x->book);
	x->less = workbook_add_format(x->book);
	if (x->more == NULL || x->less == NULL)
		return false;
	format_set_font_color(x->more, MORE);
	format_set_font_color(x->less, LESS);
	return true;
}

lxw_error
pp_xlsx_changes_colours(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    lxw_worksheet *ws)
{
	lxw_conditional_format f = {
		.type = LXW_CONDITIONAL_DATA_BAR,
		.bar_color = MORE_BAR,
		.bar_negative_color = LESS_BAR,
		.bar_solid = LXW_TRUE,
		.data_bar_2010 = LXW_TRUE,
		.bar_no_border = LXW_TRUE,
		.bar_axis_position = LXW_CONDITIONAL_BAR_AXIS_MIDPOINT,
		.min_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
		.max_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
		.min_value = -100,
		.max_value = 100
	};
	lxw_error e = LXW_NO_ERROR;
	size_t i;

	for (i = 0; i < s->ncolumns && e == LXW_NO_ERROR; i++) {
		const char *name = s->column[i].head.p;
		lxw_col_t col = (lxw_col_t)i;

		if (s->rows < 2)
			break;
		if (strncmp(name, "difference_", 11) == 0)
			e = colour(ws, 1, s->rows - 1, col, x);
		else if (strcmp(name, "share_pct") == 0)
			e = worksheet_conditional_format_range(ws, 1, col,
			    s->rows - 1, col, &f);
	}
	return e;
}

/* The cells that the chart's caches are filled from. */
static lxw_error
stub_cells(struct pp_xlsx *x, const struct pp_xlsx_changes *c,
    lxw_worksheet *ws)
{
	lxw_col_t col = (lxw_col_t)c->at[C_DIFFERENCE];
	lxw_error e = LXW_NO_ERROR;
	unsigned i;

	for (i = 0; i < c->n && e == LXW_NO_ERROR; i++) {
		e = worksheet_write_string(ws, 1 + i,
		    (lxw_col_t)(c->sheet->ncolumns + 1),
		    pp_xlsx_chart_text(x, c->row[i].label.p), NULL);
		if (e == LXW_NO_ERROR)
			e = worksheet_write_number(ws, 1 + i, col,
			    pp_xlsx_double(c->row[i].v[C_DIFFERENCE], SCALE),
			    NULL);
	}
	return e;
}

/* A bar a row, in the colours of the cells. */
static lxw_error
series(const struct pp_xlsx_changes *c, lxw_chart *chart)
{
	lxw_col_t names = (lxw_col_t)(c->sheet->ncolumns + 1);
	lxw_col_t values = (lxw_col_t)c->at[C_DIFFERENCE];
	lxw_chart_series *s = chart_add_series(chart, NULL, NULL);
	lxw_chart_fill more = {.color = MORE}, less = {.color = LESS};
	lxw_chart_line none = {.none = LXW_TRUE};
	lxw_chart_point up = {.fill = &more, .line = &none};
	lxw_chart_point down = {.fill = &less, .line = &none};
	lxw_chart_point *point[PP_XLSX_TOP + 1] = {NULL};
	unsigned i;

	if (s == NULL)
		return LXW_ERROR_MEMORY_MALLOC_FAILED;
	for (i = 0; i < c->n; i++)
		point[i] = c->row[i].v[C_DIFFERENCE] > 0 ? &up : &down;
	chart_series_set_categories(s, c->sheet->name, 1, names, c->n, names);
	chart_series_set_values(s, c->sheet->name, 1, values, c->n, values);
	chart_series_set_name(s, fields[C_DIFFERENCE]);
	return chart_series_set_points(s, point);
}

static enum pp_status
draw(struct pp_xlsx *x, const struct pp_xlsx_changes *c, lxw_worksheet *ws,
    lxw_row_t row, lxw_col_t col, double width)
{
	lxw_chart_options o = {
		.x_scale = width / 480,
		.y_scale = HEIGHT(c) / 288.0
	};
	lxw_chart_line grid = {.color = 0xE0E0E0, .width = 0.5};
	lxw_chart *chart = workbook_add_chart(x->book, LXW_CHART_BAR);
	char title[100];
	lxw_error e = chart == NULL ? LXW_ERROR_MEMORY_MALLOC_FAILED :
	    series(c, chart);

	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	snprintf(title, sizeof(title), "%s: largest differences, seconds "
	    "(red: more after)", c->sheet->name);
	pp_xlsx_chart_style(chart, title, NULL, NULL, "General");
	chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
	chart_set_series_gap(chart, 45);
	/* in this library a bar chart's y axis is that of the categories */
	chart_axis_set_reverse(chart->y_axis);
	chart_axis_set_label_position(chart->y_axis,
	    LXW_CHART_AXIS_LABEL_POSITION_LOW);
	chart_axis_set_num_format(chart->x_axis, "General");
	chart_axis_major_gridlines_set_line(chart->x_axis, &grid);
	chart_axis_major_gridlines_set_visible(chart->y_axis, LXW_FALSE);
	e = worksheet_insert_chart_opt(ws, row, col, chart, &o);
	return e == LXW_NO_ERROR ? PP_OK : pp_xlsx_library(x, e);
}

enum pp_status
pp_xlsx_changes_chart(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    lxw_worksheet *ws)
{
	const struct pp_xlsx_changes *c = s->changes;
	double width = pp_xlsx_sheet_pixels(s);
	lxw_error e;

	if (c->n == 0)
		return PP_OK;
	e = stub_cells(x, c, ws);
	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	if (width < WIDTH_MIN)
		width = WIDTH_MIN;
	if (width > PP_XLSX_CHART_WIDTH)
		width = PP_XLSX_CHART_WIDTH;
	/* under a table that ends on the screen, else beside it */
	if (s->rows <= 40) {
		e = worksheet_print_area(ws, 0, 0, s->rows + 1 + HEIGHT(c) /
		    20 + 1, (lxw_col_t)(s->ncolumns - 1));
		return e != LXW_NO_ERROR ? pp_xlsx_library(x, e) :
		    draw(x, c, ws, s->rows + 1, 0, width);
	}
	return draw(x, c, ws, 1, (lxw_col_t)(s->ncolumns + 3), width);
}

/* ------------------------------------------------------------- the Summary */

static enum pp_status
summary_row(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const struct pp_xlsx_change *r)
{
	static const unsigned order[] = {C_BEFORE, C_AFTER, C_DIFFERENCE,
	    C_RATIO};
	size_t i;

	pp_xlsx_row_begin(x, s, 1);
	pp_xlsx_cell_text(x, s, 0, r->label, PP_XS_GENERAL);
	pp_xlsx_cell_text(x, s, 1, r->state, PP_XS_GENERAL);
	for (i = 0; i < 4; i++)
		if (r->known[order[i]])
			pp_xlsx_cell_number(x, s, 2 + i, r->v[order[i]],
			    SCALE, i == 3 ? PP_XS_DEC2 : PP_XS_DEC6);
	return pp_xlsx_row_end(x, s);
}

enum pp_status
pp_xlsx_changes_summary(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	const char *head[6] = {NULL, "state", "before_s", "after_s",
	    "difference_s", "ratio"};
	struct pp_xlsx_changes *c;
	unsigned i;

	for (c = x->changes; c != NULL; c = c->next) {
		if (c->n == 0)
			continue;
		head[0] = c->sheet->name;
		if (pp_xlsx_section(x, s, head, 6, 2) != PP_OK)
			return PP_FATAL;
		c->summary_row = s->rows;
		for (i = 0; i < c->n && i < SUMMARY_ROWS; i++)
			if (summary_row(x, s, &c->row[i]) != PP_OK)
				return PP_FATAL;
		c->summary_rows = i;
	}
	return PP_OK;
}

enum pp_status
pp_xlsx_changes_on_summary(struct pp_xlsx *x, lxw_worksheet *ws,
    lxw_col_t col)
{
	const struct pp_xlsx_changes *c;
	enum pp_status st = PP_OK;
	lxw_row_t row = 2;
	lxw_error e;

	for (c = x->changes; c != NULL && st == PP_OK; c = c->next) {
		if (c->n == 0)
			continue;
		e = colour(ws, c->summary_row, c->summary_row +
		    c->summary_rows - 1, 4, x);
		if (e != LXW_NO_ERROR)
			return pp_xlsx_library(x, e);
		st = draw(x, c, ws, row, col, SUMMARY_WIDTH);
		row += HEIGHT(c) / 20 + 2;
	}
	return st;
}
