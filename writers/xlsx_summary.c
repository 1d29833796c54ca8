/*
 * xlsx_summary.c: the first sheet, for who is handed the workbook.
 *
 * What was profiled, when, on which host; key figures; the events with most
 * time; problems in a line; links to the sheets.  All of it is read off the
 * tables while they pass: by name, since this is the one sheet that is about
 * the workbook and not one table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xlsx.h"

#define SCALE 12u
#define COLUMNS 6u
#define CHART_COLUMN 7u
#define LABEL_MAX 80u
#define LABEL_WIDTH 45u
#define VALUE_WIDTH 16u

/* ------------------------------------------------------ what tables tell */

enum {
	S_SOURCE, S_PRODUCT, S_VERSION, S_HOST, S_INSTANCE, S_STARTED,
	S_ENDED, S_COUNT
};
static const char *const of_sources[] = {
	"source", "product", "version", "host", "instance", "started_at",
	"ended_at"
};

static const char *const of_sessions[] = {
	"span_s", "calls", "waits", "commits", "rollbacks"
};
#define N_SESSIONS (sizeof(of_sessions) / sizeof(of_sessions[0]))

enum { E_NAME, E_CLASS, E_TIME, E_CALLS, E_COUNT };
static const char *const of_profile[] = {"event", "class", "time_s", "count"};
static const char *const of_digests[] = {
	"digest_text", "schema", "total_s", "calls"
};

enum { P_SEVERITY, P_COUNT, P_FIELDS };
static const char *const of_problems[] = {"severity", "count"};

static const struct {
	const char *table;
	enum pp_xlsx_role role;
	const char *const *columns;
	size_t n;
} roles[] = {
	{"sources", PP_XR_SOURCES, of_sources, S_COUNT},
	{"sessions", PP_XR_SESSIONS, of_sessions, N_SESSIONS},
	{"profile", PP_XR_PROFILE, of_profile, E_COUNT},
	{"digests", PP_XR_DIGESTS, of_digests, E_COUNT},
	{"problems", PP_XR_PROBLEMS, of_problems, P_FIELDS},
};

void
pp_xlsx_summary_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	size_t i, k, c;

	for (k = 0; k < sizeof(roles) / sizeof(roles[0]); k++)
		if (strcmp(roles[k].table, s->table->name) == 0)
			break;
	if (k == sizeof(roles) / sizeof(roles[0]) || s->number > 1)
		return;
	for (i = 0; i < roles[k].n; i++) {
		s->role_at[i] = -1;
		for (c = 0; c < s->table->ncolumns; c++)
			if (strcmp(s->table->columns[c].name,
			    roles[k].columns[i]) == 0)
				s->role_at[i] = (int)c;
	}
	s->role = roles[k].role;
	if (s->role == PP_XR_PROBLEMS)
		x->summary.problems_told = true;
}

static pp_str
text_of(const struct pp_xlsx_sheet *s, const struct pp_batch *b, size_t field,
    size_t row)
{
	int col = s->role_at[field];

	if (col < 0 || b->tags[col][row] == 0 ||
	    !pp_type_is_text(b->table->columns[col].type))
		return PP_STR("");
	return b->cells[col][row].str;
}

/* A number at 10^-12; false: unknown. */
static bool
number_of(const struct pp_xlsx_sheet *s, const struct pp_batch *b,
    size_t field, size_t row, pp_i128 *v)
{
	int col = s->role_at[field];

	if (col < 0 || b->tags[col][row] == 0 ||
	    pp_type_is_text(b->table->columns[col].type))
		return false;
	*v = pp_dec_rescale(b->cells[col][row].num, b->tags[col][row] - 1u,
	    SCALE);
	return true;
}

static void
source_row(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t row)
{
	struct pp_xlsx_summary *y = &x->summary;
	pp_str t[S_COUNT];
	size_t i;

	for (i = 0; i < S_COUNT; i++)
		t[i] = text_of(s, b, i, row);
	for (i = S_SOURCE; i <= S_INSTANCE; i++) {
		if (y->source[i].n == 0 && t[i].n)
			y->source[i] = pp_arena_str(&x->keep, t[i]);
		else if (t[i].n && !pp_str_eq(t[i], y->source[i]))
			y->differ[i] = true;
	}
	if (t[S_STARTED].n && (y->source[S_STARTED].n == 0 ||
	    pp_str_cmp(t[S_STARTED], y->source[S_STARTED]) < 0))
		y->source[S_STARTED] = pp_arena_str(&x->keep, t[S_STARTED]);
	if (t[S_ENDED].n && pp_str_cmp(t[S_ENDED], y->source[S_ENDED]) > 0)
		y->source[S_ENDED] = pp_arena_str(&x->keep, t[S_ENDED]);
	y->sources++;
}

static int
worse(const struct pp_xlsx_top *a, const struct pp_xlsx_top *b)
{
	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return pp_str_cmp(a->label, b->label);
}

static struct pp_xlsx_top *
event_of(struct pp_xlsx *x, pp_str name)
{
	struct pp_xlsx_summary *y = &x->summary;
	uint32_t id = pp_strtab_id(&y->names, name);
	void *p = y->event;

	pp_mem_grow(x->mem, &p, &y->event_cap, (size_t)id + 1,
	    sizeof(*y->event));
	y->event = p;
	while (y->events <= id) {
		memset(&y->event[y->events], 0, sizeof(*y->event));
		y->event[y->events].label = pp_strtab_get(&y->names,
		    (uint32_t)y->events);
		y->events++;
	}
	return &y->event[id];
}

/* Digests are many and distinct: only the best are kept. */
static void
keep_best(struct pp_xlsx *x, const struct pp_xlsx_top *t)
{
	struct pp_xlsx_summary *y = &x->summary;
	struct pp_xlsx_top *last = &y->top[PP_XLSX_TOP - 1];
	struct pp_xlsx_top n = *t;
	unsigned i;

	if (y->ntop == PP_XLSX_TOP && worse(last, t) <= 0)
		return;
	n.label = pp_xlsx_shorten(&x->keep, n.label, LABEL_MAX);
	n.class = pp_arena_str(&x->keep, n.class);
	i = y->ntop < PP_XLSX_TOP ? y->ntop++ : PP_XLSX_TOP - 1;
	for (; i > 0 && worse(&y->top[i - 1], &n) > 0; i--)
		y->top[i] = y->top[i - 1];
	y->top[i] = n;
}

static void
time_row(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t row)
{
	struct pp_xlsx_summary *y = &x->summary;
	struct pp_xlsx_top t = {0}, *e;

	t.label = text_of(s, b, E_NAME, row);
	t.class = text_of(s, b, E_CLASS, row);
	if (!number_of(s, b, E_TIME, row, &t.time))
		return;
	t.counted = number_of(s, b, E_CALLS, row, &t.count);
	if (s->role == PP_XR_DIGESTS) {
		y->digests++;
		y->digest_total += t.time;
		y->digest_calls += t.count;
		keep_best(x, &t);
		return;
	}
	y->total += t.time;
	e = event_of(x, t.label);
	if (e->class.n == 0)
		e->class = pp_arena_str(&x->keep, t.class);
	e->time += t.time;
	e->count += t.count;
	e->counted = e->counted || t.counted;
}

static void
problem_row(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t row)
{
	static const char *const names[] = {"error", "warning", "notice"};
	pp_str severity = text_of(s, b, P_SEVERITY, row);
	pp_i128 n;
	size_t i;

	if (!number_of(s, b, P_COUNT, row, &n))
		n = pp_pow10[SCALE];
	for (i = 0; i < 3; i++)
		if (pp_str_eq(severity, pp_str_from(names[i])))
			x->summary.problems[i] += n / pp_pow10[SCALE];
}

void
pp_xlsx_summary_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b)
{
	struct pp_xlsx_summary *y = &x->summary;
	size_t row, i;
	pp_i128 v;

	for (row = 0; row < b->rows; row++) {
		switch (s->role) {
		case PP_XR_NONE:
			return;
		case PP_XR_SOURCES:
			source_row(x, s, b, row);
			break;
		case PP_XR_SESSIONS:
			y->sessions++;
			for (i = 0; i < N_SESSIONS; i++)
				if (number_of(s, b, i, row, &v)) {
					y->session[i] += v;
					y->session_known[i] = true;
				}
			break;
		case PP_XR_PROFILE:
		case PP_XR_DIGESTS:
			time_row(x, s, b, row);
			break;
		case PP_XR_PROBLEMS:
			problem_row(x, s, b, row);
			break;
		}
	}
}

/* --------------------------------------------------------------- the cells */

static enum pp_status
pair_text(struct pp_xlsx *x, struct pp_xlsx_sheet *s, const char *name,
    pp_str value)
{
	if (value.n == 0)
		return PP_OK;
	pp_xlsx_row_begin(x, s, 1);
	pp_xlsx_cell_text(x, s, 0, pp_str_from(name), PP_XS_LABEL);
	pp_xlsx_cell_text(x, s, 1, value, PP_XS_ID);
	return pp_xlsx_row_end(x, s);
}

static enum pp_status
pair_number(struct pp_xlsx *x, struct pp_xlsx_sheet *s, const char *name,
    pp_i128 v, unsigned scale, enum pp_xlsx_style style)
{
	pp_xlsx_row_begin(x, s, 1);
	pp_xlsx_cell_text(x, s, 0, pp_str_from(name), PP_XS_LABEL);
	pp_xlsx_cell_number(x, s, 1, v, scale, style);
	return pp_xlsx_row_end(x, s);
}

/* A value, and that there are others. */
static pp_str
or_others(struct pp_xlsx *x, unsigned field)
{
	struct pp_xlsx_summary *y = &x->summary;
	char buf[160];
	int n;

	if (!y->differ[field])
		return y->source[field];
	n = snprintf(buf, sizeof(buf), "%.*s and others",
	    y->source[field].n > 120 ? 120 : (int)y->source[field].n,
	    y->source[field].p);
	return pp_arena_str(&x->scratch, (pp_str){buf, (size_t)n});
}

static enum pp_status
heading(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_summary *y = &x->summary;
	char buf[300];
	pp_str name = y->source[S_SOURCE];

	if (x->w->title != NULL)
		snprintf(buf, sizeof(buf), "%s", x->w->title);
	else if (y->sources == 1)
		snprintf(buf, sizeof(buf), "Profile of %.*s",
		    name.n > 200 ? 200 : (int)name.n, name.p);
	else if (y->sources > 1)
		snprintf(buf, sizeof(buf), x->deltas.sheet != NULL ?
		    "Change over %llu snapshots" : "Profile of %llu files",
		    (unsigned long long)y->sources);
	else
		strcpy(buf, "Profile");
	pp_xlsx_row_begin(x, s, 1);
	pp_xlsx_cell_text(x, s, 0, pp_str_from(buf), PP_XS_TITLE);
	s->column[0].chars = 0;
	return pp_xlsx_row_end(x, s);
}

enum pp_status
pp_xlsx_section(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const char *const *head, size_t n, size_t from_number)
{
	size_t i;

	s->rows++;
	pp_xlsx_row_begin(x, s, 1);
	for (i = 0; i < n; i++)
		pp_xlsx_cell_text(x, s, i, pp_str_from(head[i]),
		    i < from_number ? PP_XS_HEADER : PP_XS_HEADER_RIGHT);
	return pp_xlsx_row_end(x, s);
}

static uint64_t
rows_of(const struct pp_xlsx *x, const char *sheet)
{
	const struct pp_xlsx_sheet *s;
	uint64_t n = 0;

	for (s = x->first; s != NULL; s = s->next)
		if (strcmp(s->name, sheet) == 0)
			n = s->table_rows;
	return n;
}

/* "2 errors, 1 warning", or "none". */
static pp_str
problems_text(struct pp_xlsx *x)
{
	static const char *const names[] = {"error", "warning", "notice"};
	struct pp_xlsx_summary *y = &x->summary;
	char buf[200];
	size_t n = 0, i;

	for (i = 0; i < 3; i++) {
		long long k = (long long)y->problems[i];

		if (k)
			n += (size_t)snprintf(buf + n, sizeof(buf) - n,
			    "%s%lld %s%s", n ? ", " : "", k, names[i],
			    k == 1 ? "" : "s");
	}
	if (n == 0)
		return PP_STR("none");
	return pp_arena_str(&x->scratch, (pp_str){buf, n});
}

/* Of exports; a trace says more itself. */
static enum pp_status
digest_figures(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_summary *y = &x->summary;
	enum pp_status st;

	if (y->sessions)
		return PP_OK;
	st = pair_number(x, s, "Digests", (pp_i128)y->digests, 0,
	    PP_XS_KEY_INT);
	if (st == PP_OK)
		st = pair_number(x, s, "Executions", y->digest_calls, SCALE,
		    PP_XS_KEY_INT);
	if (st == PP_OK)
		st = pair_number(x, s, "Time, s", y->digest_total, SCALE,
		    PP_XS_KEY_DEC);
	return st;
}

static enum pp_status
key_figures(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	static const char *const names[] = {
		"Sessions' spans, s", "Calls", "Waits", "Commits", "Rollbacks"
	};
	struct pp_xlsx_summary *y = &x->summary;
	enum pp_status st = PP_OK;
	size_t i;

	s->rows++;
	if (y->sources > 1)
		st = pair_text(x, s, "First file", y->source[S_SOURCE]);
	if (st == PP_OK)
		st = pair_text(x, s, "Product", or_others(x, S_PRODUCT));
	if (st == PP_OK)
		st = pair_text(x, s, "Version", or_others(x, S_VERSION));
	if (st == PP_OK)
		st = pair_text(x, s, "Host", or_others(x, S_HOST));
	if (st == PP_OK)
		st = pair_text(x, s, "Instance", or_others(x, S_INSTANCE));
	if (st == PP_OK)
		st = pair_text(x, s, "From", y->source[S_STARTED]);
	if (st == PP_OK)
		st = pair_text(x, s, "To", y->source[S_ENDED]);
	if (st == PP_OK && y->sessions)
		st = pair_number(x, s, "Sessions", (pp_i128)y->sessions, 0,
		    PP_XS_KEY_INT);
	for (i = 0; i < N_SESSIONS && st == PP_OK; i++)
		if (y->session_known[i])
			st = pair_number(x, s, names[i], y->session[i],
			    SCALE, i == 0 ? PP_XS_KEY_DEC : PP_XS_KEY_INT);
	if (st == PP_OK && y->digests && x->deltas.sheet == NULL)
		st = digest_figures(x, s);
	if (st == PP_OK && rows_of(x, "Texts"))
		st = pair_number(x, s, "Statement texts",
		    (pp_i128)rows_of(x, "Texts"), 0, PP_XS_KEY_INT);
	if (st == PP_OK && y->problems_told)
		st = pair_text(x, s, "Problems", problems_text(x));
	return st;
}

static int
by_time(const void *a, const void *b)
{
	return worse(a, b);
}

static enum pp_status
top_rows(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	static const char *const events[] = {
		"event", "class", "time_s", "share_pct", "count"
	};
	static const char *const digests[] = {
		"digest_text", "schema", "total_s", "share_pct", "calls"
	};
	struct pp_xlsx_summary *y = &x->summary;
	bool of_events = y->events > 1;
	pp_i128 total = of_events ? y->total : y->digest_total;
	unsigned i;

	if (!of_events && x->deltas.sheet != NULL) {
		total = x->deltas.total;
		y->ntop = pp_xlsx_deltas_top(x, y->top, PP_XLSX_TOP);
	}

	if (of_events) {
		/* the digests' list is of no use beside it */
		qsort(y->event, y->events, sizeof(*y->event), by_time);
		y->ntop = 0;
		for (i = 0; i < y->events && y->ntop < PP_XLSX_TOP; i++)
			if (y->event[i].label.n)
				y->top[y->ntop++] = y->event[i];
	}
	if (y->ntop == 0)
		return PP_OK;
	if (pp_xlsx_section(x, s, of_events ? events : digests, 5, 2) != PP_OK)
		return PP_FATAL;
	y->top_row = s->rows;
	for (i = 0; i < y->ntop; i++) {
		const struct pp_xlsx_top *t = &y->top[i];

		pp_xlsx_row_begin(x, s, 1);
		pp_xlsx_cell_text(x, s, 0, t->label, PP_XS_GENERAL);
		pp_xlsx_cell_text(x, s, 1, t->class, PP_XS_GENERAL);
		pp_xlsx_cell_number(x, s, 2, t->time, SCALE, PP_XS_DEC6);
		if (total > 0)
			pp_xlsx_cell_number(x, s, 3, pp_div_half_up(
			    t->time * 10000, total), 2, PP_XS_SHARE);
		if (t->counted)
			pp_xlsx_cell_number(x, s, 4, t->count, SCALE,
			    PP_XS_INT);
		if (pp_xlsx_row_end(x, s) != PP_OK)
			return PP_FATAL;
	}
	return PP_OK;
}

/* A sheet without rows is hidden. */
static pp_str
no_rows(struct pp_xlsx *x, pp_str help)
{
	char buf[200];
	int n = snprintf(buf, sizeof(buf), "%.*s (the sheet is hidden)",
	    help.n > 150 ? 150 : (int)help.n, help.p);

	return pp_arena_str(&x->scratch, (pp_str){buf, (size_t)n});
}

/* In the order of the workbook, which is not yet made. */
static enum pp_status
link_rows(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	static const char *const head[] = {"sheet", "rows", "a row is"};
	const struct pp_xlsx_sheet *o;
	size_t lead;

	if (pp_xlsx_section(x, s, head, 3, 3) != PP_OK)
		return PP_FATAL;
	x->summary.link_row = s->rows;
	for (o = x->first; o != NULL; o = o->next) {
		if (o == s)
			continue;
		pp_xlsx_row_begin(x, s, 1);
		pp_xlsx_cell_text(x, s, 0, pp_str_from(o->name),
		    pp_xlsx_is_empty(o) ? PP_XS_LABEL : PP_XS_LINK);
		if (o->kind != PP_XK_PIVOT)
			pp_xlsx_cell_number(x, s, 1, (pp_i128)o->rows - 1, 0,
			    PP_XS_KEY_INT);
		/* the declaration's help, up to the first half stop */
		lead = strcspn(o->help.p, ";(");
		while (lead > 0 && o->help.p[lead - 1] == ' ')
			lead--;
		pp_xlsx_cell_text(x, s, 2, pp_xlsx_is_empty(o) ?
		    no_rows(x, (pp_str){o->help.p, lead}) :
		    (pp_str){o->help.p, lead}, PP_XS_GENERAL);
		if (pp_xlsx_row_end(x, s) != PP_OK)
			return PP_FATAL;
	}
	return PP_OK;
}

enum pp_status
pp_xlsx_summary_sheet(struct pp_xlsx *x)
{
	struct pp_xlsx_sheet *s;

	/* one table alone needs no guide */
	if (x->first == NULL || x->first->next == NULL)
		return PP_OK;
	s = pp_xlsx_own_sheet(x, PP_XK_SUMMARY, "Summary", COLUMNS);
	if (s == NULL)
		return PP_FATAL;
	pp_xlsx_by_rank(x);
	x->summary.sheet = s;
	if (heading(x, s) != PP_OK || key_figures(x, s) != PP_OK ||
	    pp_xlsx_changes_summary(x, s) != PP_OK ||
	    top_rows(x, s) != PP_OK || link_rows(x, s) != PP_OK)
		return PP_FATAL;
	/* longer text runs over the empty cells beside it */
	if (s->column[0].chars > LABEL_WIDTH)
		s->column[0].chars = LABEL_WIDTH;
	s->column[1].chars = VALUE_WIDTH;
	s->column[2].chars = VALUE_WIDTH;
	return pp_xlsx_sheet_end(x, s);
}

/* ---------------------------------------------------------- charts, links */

static lxw_error
links(struct pp_xlsx *x, lxw_worksheet *ws)
{
	const struct pp_xlsx_sheet *o;
	lxw_row_t row = x->summary.link_row;
	lxw_error e = LXW_NO_ERROR;
	char url[64];

	for (o = x->first; o != NULL && e == LXW_NO_ERROR; o = o->next) {
		if (o == x->summary.sheet)
			continue;
		snprintf(url, sizeof(url), "internal:'%s'!A1", o->name);
		if (!pp_xlsx_is_empty(o))
			e = worksheet_write_url(ws, row, 0, url,
			    x->format[PP_XS_LINK]);
		row++;
	}
	return e;
}

/* The events with most time, the longest bar on top. */
static enum pp_status
bars(struct pp_xlsx *x, lxw_worksheet *ws)
{
	struct pp_xlsx_summary *y = &x->summary;
	const char *name = y->sheet->name;
	lxw_row_t first = y->top_row, end = first + y->ntop - 1;
	lxw_chart_options o = {.x_scale = 760 / 480.0, .y_scale = 300 / 288.0};
	lxw_chart_point *point[PP_XLSX_TOP + 1] = {NULL};
	lxw_chart_point dot[PP_XLSX_TOP];
	lxw_chart_fill fill[PP_XLSX_TOP];
	pp_str label[PP_XLSX_TOP];
	lxw_chart_line grid = {.color = 0xE0E0E0, .width = 0.5};
	lxw_chart_series *series;
	lxw_error e = LXW_NO_ERROR;
	lxw_chart *chart;
	unsigned i;

	for (i = 0; i < y->ntop; i++)
		label[i] = y->top[i].label;
	pp_xlsx_colours(x, label, y->ntop);
	memset(dot, 0, sizeof(dot));
	memset(fill, 0, sizeof(fill));
	for (i = 0; i < y->ntop && e == LXW_NO_ERROR; i++) {
		fill[i].color = y->events > 1 ?
		    pp_xlsx_colour_of(x, label[i]) : 0x2E75B6;
		dot[i].fill = &fill[i];
		point[i] = &dot[i];
		e = worksheet_write_string(ws, first + i, 0,
		    pp_xlsx_chart_text(x, label[i].p), NULL);
		if (e == LXW_NO_ERROR)
			e = worksheet_write_number(ws, first + i, 2,
			    pp_xlsx_double(y->top[i].time, SCALE), NULL);
	}
	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	chart = workbook_add_chart(x->book, LXW_CHART_BAR);
	series = chart != NULL ? chart_add_series(chart, NULL, NULL) : NULL;
	if (series == NULL)
		return pp_xlsx_library(x, LXW_ERROR_MEMORY_MALLOC_FAILED);
	chart_series_set_categories(series, name, first, 0, end, 0);
	chart_series_set_values(series, name, first, 2, end, 2);
	e = chart_series_set_points(series, point);
	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	pp_xlsx_chart_style(chart, y->events > 1 ?
	    "Events with most time, seconds" : x->deltas.sheet != NULL ?
	    "Digests that gained most between snapshots, seconds" :
	    "Digests with most time, seconds", NULL, NULL, "General");
	chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
	chart_set_series_gap(chart, 40);
	/* in this library a bar chart's y axis is that of the categories */
	chart_axis_set_reverse(chart->y_axis);
	chart_axis_set_label_position(chart->y_axis,
	    LXW_CHART_AXIS_LABEL_POSITION_LOW);
	chart_axis_set_num_format(chart->x_axis, "General");
	chart_axis_major_gridlines_set_line(chart->x_axis, &grid);
	chart_axis_major_gridlines_set_visible(chart->y_axis, LXW_FALSE);
	e = worksheet_insert_chart_opt(ws, 2, CHART_COLUMN, chart, &o);
	return e == LXW_NO_ERROR ? PP_OK : pp_xlsx_library(x, e);
}

enum pp_status
pp_xlsx_summary_stub(struct pp_xlsx *x, lxw_worksheet *ws)
{
	struct pp_xlsx_summary *y = &x->summary;
	lxw_error e = links(x, ws);
	enum pp_status st = PP_OK;

	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	if (x->changes != NULL)
		st = pp_xlsx_changes_on_summary(x, ws, CHART_COLUMN);
	if (st == PP_OK && y->ntop)
		st = bars(x, ws);
	if (st == PP_OK)
		st = pp_xlsx_timeline_best(x, ws, y->ntop ? 18 : 2,
		    CHART_COLUMN);
	if (st == PP_OK)
		st = pp_xlsx_deltas_on_summary(x, ws, y->ntop ? 18 : 2,
		    CHART_COLUMN);
	return st;
}

void
pp_xlsx_summary_free(struct pp_xlsx *x)
{
	if (x->summary.names.e != NULL)
		pp_strtab_free(&x->summary.names);
	pp_mem_free(x->mem, x->summary.event);
}
