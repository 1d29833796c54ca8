/*
 * xlsx_deltas.c: what digests gained from snapshot to snapshot, over time.
 *
 * The table has a row a digest and interval; a sheet of its own turns it: a
 * row an interval, a column a digest by falling total, and a chart stacks
 * them.  Texts of digests are noted while their table passes, for a digest
 * itself tells a reader nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xlsx.h"

#define SCALE 12u
#define LABEL_MAX 48u

/* Bounds beyond which there is no such sheet. */
#define CELLS_MAX 400000u
#define TEXTS_MAX 50000u

enum { D_SOURCE, D_DIGEST, D_FROM, D_TO, D_CALLS, D_TOTAL };
static const char *const fields[] = {
	"source", "digest", "from_at", "to_at", "calls", "total_s"
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* ---------------------------------------------------------------- reading */

static int
find(const struct pp_table *t, const char *name, bool text)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (strcmp(t->columns[i].name, name) == 0 &&
		    pp_type_is_text(t->columns[i].type) == text)
			return (int)i;
	return -1;
}

void
pp_xlsx_deltas_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	size_t i;

	if (s->number > 1)
		return;
	if (strcmp(s->table->name, "digests") == 0) {
		d->digest_at = find(s->table, "digest", true);
		d->text_at = find(s->table, "digest_text", true);
		if (d->digest_at >= 0 && d->text_at >= 0)
			d->texts_of = s;
		return;
	}
	if (strcmp(s->table->name, "digest_deltas") != 0)
		return;
	for (i = 0; i < FIELDS; i++) {
		d->at[i] = find(s->table, fields[i], i < D_CALLS);
		if (d->at[i] < 0)
			return;
	}
	d->rows_of = s;
}

static uint32_t
digest_id(struct pp_xlsx *x, pp_str name)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	uint32_t id;
	void *p;

	if (d->digests.e == NULL)
		pp_strtab_init(&d->digests, x->mem);
	id = pp_strtab_id(&d->digests, name);
	p = d->v;
	pp_mem_grow(x->mem, &p, &d->cap, (size_t)id + 1, sizeof(*d->v));
	d->v = p;
	while (d->n <= id)
		memset(&d->v[d->n++], 0, sizeof(*d->v));
	return id;
}

static void
note_texts(struct pp_xlsx *x, const struct pp_batch *b)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	size_t row;
	uint32_t id;

	for (row = 0; row < b->rows && d->n < TEXTS_MAX; row++) {
		if (b->tags[d->text_at][row] == 0)
			continue;
		id = digest_id(x, b->tags[d->digest_at][row] ?
		    b->cells[d->digest_at][row].str : PP_STR(""));
		if (d->v[id].label.n == 0)
			d->v[id].label = pp_xlsx_shorten(&x->keep,
			    b->cells[d->text_at][row].str, LABEL_MAX);
	}
}

static pp_str
text(struct pp_xlsx *x, const struct pp_batch *b, unsigned field, size_t row)
{
	int at = x->deltas.at[field];

	return b->tags[at][row] ? b->cells[at][row].str : PP_STR("");
}

/* Rows of one interval stand together. */
static void
interval(struct pp_xlsx *x, const struct pp_batch *b, size_t row)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	struct pp_xlsx_interval *v = d->intervals ?
	    &d->interval[d->intervals - 1] : NULL;
	pp_str source = text(x, b, D_SOURCE, row);
	pp_str from = text(x, b, D_FROM, row), to = text(x, b, D_TO, row);
	void *p = d->interval;

	if (v != NULL && pp_str_eq(v->source, source) &&
	    pp_str_eq(v->from, from) && pp_str_eq(v->to, to))
		return;
	pp_mem_grow(x->mem, &p, &d->interval_cap, d->intervals + 1,
	    sizeof(*d->interval));
	d->interval = p;
	v = &d->interval[d->intervals++];
	v->source = pp_arena_str(&x->keep, source);
	v->from = pp_arena_str(&x->keep, from);
	v->to = pp_arena_str(&x->keep, to);
}

static bool
number(const struct pp_xlsx_deltas *d, const struct pp_batch *b,
    unsigned field, size_t row, pp_i128 *v)
{
	int at = d->at[field];

	if (b->tags[at][row] == 0)
		return false;
	*v = pp_dec_rescale(b->cells[at][row].num, b->tags[at][row] - 1u,
	    SCALE);
	return true;
}

static void
add(struct pp_xlsx *x, const struct pp_batch *b, size_t row)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	pp_i128 time, calls = 0;
	uint32_t id, *cell;
	void *p;

	interval(x, b, row);
	if (!number(d, b, D_TOTAL, row, &time))
		return;
	id = digest_id(x, text(x, b, D_DIGEST, row));
	d->v[id].time += time;
	if (number(d, b, D_CALLS, row, &calls))
		d->v[id].calls += calls;
	d->total += time;
	if (d->cells.mem == NULL)
		pp_map_init(&d->cells, x->mem);
	if (d->ncells == CELLS_MAX) {
		d->full = true;
		return;
	}
	cell = pp_map_at(&d->cells, d->intervals, id);
	if (*cell == PP_MAP_NONE) {
		*cell = d->ncells++;
		p = d->sum;
		pp_mem_grow(x->mem, &p, &d->sum_cap, d->ncells,
		    sizeof(*d->sum));
		d->sum = p;
		d->sum[d->ncells - 1] = 0;
	}
	d->sum[*cell] += time;
}

void
pp_xlsx_deltas_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b)
{
	size_t row;

	if (s == x->deltas.texts_of)
		note_texts(x, b);
	if (s != x->deltas.rows_of)
		return;
	for (row = 0; row < b->rows; row++)
		add(x, b, row);
}

void
pp_xlsx_deltas_free(struct pp_xlsx *x)
{
	struct pp_xlsx_deltas *d = &x->deltas;

	if (d->digests.e != NULL)
		pp_strtab_free(&d->digests);
	if (d->cells.mem != NULL)
		pp_map_free(&d->cells);
	pp_mem_free(x->mem, d->v);
	pp_mem_free(x->mem, d->interval);
	pp_mem_free(x->mem, d->sum);
}

/* --------------------------------------------------------------- the sheet */

static int
by_time(const void *a, const void *b)
{
	const struct pp_xlsx_gain *const *x = a, *const *y = b;

	if ((*x)->time != (*y)->time)
		return (*x)->time < (*y)->time ? 1 : -1;
	return (*x > *y) - (*x < *y);
}

/* The digests with most time, the others as one. */
static void
choose(struct pp_xlsx *x)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	struct pp_xlsx_gain **all = pp_arena_alloc(&x->keep, (d->n + 1) *
	    sizeof(struct pp_xlsx_gain *));
	size_t i, n = 0;

	for (i = 0; i < d->n; i++) {
		if (d->v[i].label.n == 0)
			d->v[i].label = i == 0 ? PP_STR("(no digest)") :
			    pp_arena_str(&x->keep, pp_strtab_get(&d->digests,
			    (uint32_t)i));
		d->v[i].series = PP_XLSX_SERIES - 1;
		if (d->v[i].time > 0)
			all[n++] = &d->v[i];
	}
	if (n > 1)
		qsort(all, n, sizeof(struct pp_xlsx_gain *), by_time);
	d->others = n >= PP_XLSX_SERIES;
	d->series = n < PP_XLSX_SERIES ? (unsigned)n : PP_XLSX_SERIES - 1;
	for (i = 0; i < d->series; i++) {
		all[i]->series = (unsigned)i;
		d->best[i] = all[i];
	}
}

/* "2024-05-02 06:00:00", or the name of the source. */
static pp_str
stamp(struct pp_xlsx *x, pp_str at, pp_str source)
{
	char buf[24];

	if (at.n < 19 || at.p[10] != 'T')
		return source;
	snprintf(buf, sizeof(buf), "%.10s %.8s", at.p, at.p + 11);
	return pp_arena_str(&x->keep, (pp_str){buf, 19});
}

static enum pp_status
head_row(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	unsigned lines = 1, n;
	size_t i;

	for (i = 0; i < s->ncolumns; i++) {
		s->column[i].head = i == 0 ? PP_STR("from") : i == 1 ?
		    PP_STR("to") : i - 2 < d->series ? d->best[i - 2]->label :
		    PP_STR("other");
		s->column[i].type = i < 2 ? PP_T_TEXT : PP_T_SECONDS;
		n = pp_xlsx_head_lines(s->column[i].head.n);
		lines = n > lines ? n : lines;
	}
	s->wide = true;
	pp_xlsx_row_begin(x, s, lines);
	for (i = 0; i < s->ncolumns; i++) {
		pp_xlsx_cell_text(x, s, i, s->column[i].head, i < 2 ?
		    PP_XS_WRAP : PP_XS_WRAP_NUM);
		s->column[i].chars = 0;
	}
	return pp_xlsx_row_end(x, s);
}

/* The row of interval k (from 1): its sums by series, NULL where it has no
 * row. */
static void
row_sums(struct pp_xlsx *x, size_t k, pp_i128 *sum, bool *there)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	uint32_t id, cell;

	memset(sum, 0, PP_XLSX_SERIES * sizeof(*sum));
	memset(there, 0, PP_XLSX_SERIES * sizeof(*there));
	for (id = 0; id < d->n; id++) {
		cell = pp_map_get(&d->cells, k, id);
		if (cell == PP_MAP_NONE)
			continue;
		sum[d->v[id].series] += d->sum[cell];
		there[d->v[id].series] = true;
	}
}

static enum pp_status
body(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	pp_i128 sum[PP_XLSX_SERIES];
	bool there[PP_XLSX_SERIES];
	size_t k, i, at;

	for (k = 0; k < d->intervals; k++) {
		struct pp_xlsx_interval *v = &d->interval[k];

		row_sums(x, k + 1, sum, there);
		pp_xlsx_row_begin(x, s, 1);
		v->label = stamp(x, v->from, v->source);
		pp_xlsx_cell_text(x, s, 0, v->label, PP_XS_GENERAL);
		pp_xlsx_cell_text(x, s, 1, stamp(x, v->to, v->source),
		    PP_XS_GENERAL);
		for (i = 2; i < s->ncolumns; i++) {
			at = i - 2 < d->series ? i - 2 : PP_XLSX_SERIES - 1;
			if (there[at])
				pp_xlsx_cell_number(x, s, i, sum[at], SCALE,
				    PP_XS_DEC6);
		}
		s->table_rows++;
		if (pp_xlsx_row_end(x, s) != PP_OK)
			return PP_FATAL;
	}
	return PP_OK;
}

enum pp_status
pp_xlsx_deltas_sheet(struct pp_xlsx *x)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	struct pp_xlsx_sheet *s;

	if (d->rows_of == NULL || d->full || d->total <= 0 ||
	    d->intervals > PP_XLSX_POINTS)
		return PP_OK;
	choose(x);
	s = pp_xlsx_own_sheet(x, PP_XK_DELTAS, PP_XLSX_DELTAS, 2 + d->series +
	    (d->others ? 1 : 0));
	if (s == NULL)
		return PP_FATAL;
	d->sheet = s;
	s->help = PP_STR("an interval between two snapshots");
	if (head_row(x, s) != PP_OK || body(x, s) != PP_OK)
		return PP_FATAL;
	return pp_xlsx_sheet_end(x, s);
}

unsigned
pp_xlsx_deltas_top(struct pp_xlsx *x, struct pp_xlsx_top *to, unsigned most)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	unsigned i;

	for (i = 0; i < d->series && i < most; i++) {
		to[i].label = d->best[i]->label;
		to[i].class = PP_STR("");
		to[i].time = d->best[i]->time;
		to[i].count = d->best[i]->calls;
		to[i].counted = true;
	}
	return i;
}

/* --------------------------------------------------------------- the chart */

static lxw_error
stub_cells(struct pp_xlsx *x, lxw_worksheet *ws)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	const struct pp_xlsx_sheet *s = d->sheet;
	pp_i128 sum[PP_XLSX_SERIES];
	bool there[PP_XLSX_SERIES];
	lxw_error e = LXW_NO_ERROR;
	size_t k, i, at;

	for (i = 2; i < s->ncolumns && e == LXW_NO_ERROR; i++)
		e = worksheet_write_string(ws, 0, (lxw_col_t)i,
		    pp_xlsx_chart_text(x, s->column[i].head.p), NULL);
	for (k = 0; k < d->intervals && e == LXW_NO_ERROR; k++) {
		row_sums(x, k + 1, sum, there);
		e = worksheet_write_string(ws, (lxw_row_t)k + 1, 0,
		    pp_xlsx_chart_text(x, d->interval[k].label.p), NULL);
		for (i = 2; i < s->ncolumns && e == LXW_NO_ERROR; i++) {
			at = i - 2 < d->series ? i - 2 : PP_XLSX_SERIES - 1;
			if (there[at])
				e = worksheet_write_number(ws,
				    (lxw_row_t)k + 1, (lxw_col_t)i,
				    pp_xlsx_double(sum[at], SCALE), NULL);
		}
	}
	return e;
}

static enum pp_status
draw(struct pp_xlsx *x, lxw_worksheet *ws, lxw_row_t row, lxw_col_t col,
    double width, double height)
{
	struct pp_xlsx_deltas *d = &x->deltas;
	const struct pp_xlsx_sheet *s = d->sheet;
	lxw_chart_options o = {.x_scale = width / 480,
	    .y_scale = height / 288};
	lxw_chart *chart = workbook_add_chart(x->book,
	    LXW_CHART_COLUMN_STACKED);
	pp_str names[PP_XLSX_SERIES];
	lxw_chart_series *series;
	lxw_row_t end = (lxw_row_t)d->intervals;
	lxw_error e;
	size_t i;

	for (i = 2; i < s->ncolumns; i++)
		names[i - 2] = s->column[i].head;
	pp_xlsx_colours(x, names, s->ncolumns - 2);
	for (i = 2; i < s->ncolumns && chart != NULL; i++) {
		series = chart_add_series(chart, NULL, NULL);
		if (series == NULL)
			return pp_xlsx_library(x,
			    LXW_ERROR_MEMORY_MALLOC_FAILED);
		chart_series_set_categories(series, s->name, 1, 0, end, 0);
		chart_series_set_values(series, s->name, 1, (lxw_col_t)i, end,
		    (lxw_col_t)i);
		chart_series_set_name_range(series, s->name, 0, (lxw_col_t)i);
		pp_xlsx_paint(x, series, names[i - 2]);
	}
	if (chart == NULL)
		return pp_xlsx_library(x, LXW_ERROR_MEMORY_MALLOC_FAILED);
	pp_xlsx_chart_style(chart, "Time gained between snapshots",
	    "earlier snapshot", "seconds", "General");
	if (d->intervals > 24)
		chart_axis_set_interval_unit(chart->x_axis,
		    (uint16_t)(d->intervals / 20));
	e = worksheet_insert_chart_opt(ws, row, col, chart, &o);
	return e == LXW_NO_ERROR ? PP_OK : pp_xlsx_library(x, e);
}

enum pp_status
pp_xlsx_deltas_chart(struct pp_xlsx *x, lxw_worksheet *ws)
{
	const struct pp_xlsx_sheet *s = x->deltas.sheet;
	lxw_error e = stub_cells(x, ws);

	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	if (s->rows <= 64)
		return draw(x, ws, s->rows + 1, 0, PP_XLSX_CHART_WIDTH, 420);
	return draw(x, ws, 1, (lxw_col_t)(s->ncolumns + 1),
	    PP_XLSX_CHART_WIDTH, 420);
}

enum pp_status
pp_xlsx_deltas_on_summary(struct pp_xlsx *x, lxw_worksheet *ws, lxw_row_t row,
    lxw_col_t col)
{
	if (x->deltas.sheet == NULL)
		return PP_OK;
	return draw(x, ws, row, col, 760, 360);
}
