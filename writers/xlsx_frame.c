/*
 * xlsx_frame.c: what libxlsxwriter makes of the workbook.
 *
 * The frame is a workbook of the same sheets with hardly a cell: styles,
 * widths, filters, frozen headers, print set-up, charts, properties.  Every
 * return code is looked at; the library tells file errors only when it closes
 * and prints them itself, so room on the disk is asked for beforehand.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xlsx.h"

/* Widths of columns, in characters. */
#define WIDTH_MIN 7u
#define WIDTH_MAX 60u
#define WIDTH_HELP 110u		/* of the sheet that explains */
#define PAGE_CHARS 230.0	/* that a page can show */
#define TIMELINE_CHARS 360.0
#define LEAD_CHARS 64u		/* of columns that stay in sight */
#define FILTER_ROOM 3u		/* the button in the header */

#define EPOCH_1980 INT64_C(315532800)

/* The frame with its temporaries, without the caches of charts. */
#define FRAME_ROOM ((off_t)512 << 10)

enum pp_status
pp_xlsx_library(struct pp_xlsx *x, lxw_error e)
{
	/* errno is that of the call that failed, if it was one */
	if (e == LXW_ERROR_MEMORY_MALLOC_FAILED)
		return pp_xlsx_fail(x, ENOMEM, NULL);
	return pp_xlsx_fail(x, 0, lxw_strerror(e));
}

const char *
pp_xlsx_chart_text(struct pp_xlsx *x, const char *text)
{
	return pp_arena_str(&x->keep, pp_sanitise(&x->again,
	    pp_str_from(text))).p;
}

/* --------------------------------------------------------------- formats */

/* Excel's own formats by number, which show in the reader's locale. */
static const struct {
	enum pp_xlsx_style style;
	uint8_t format;
} builtin_formats[] = {
	{PP_XS_ID, 49},		/* @ */
	{PP_XS_PLAIN, 1},	/* 0 */
	{PP_XS_INT, 3},		/* #,##0 */
	{PP_XS_SHARE, 2},	/* 0.00 */
	{PP_XS_DEC2, 4}		/* #,##0.00 */
};

static const struct {
	enum pp_xlsx_style style;
	const char *format;
} number_formats[] = {
	{PP_XS_DEC3, "#,##0.000"},
	{PP_XS_DEC4, "#,##0.0000"},
	{PP_XS_DEC6, "#,##0.000000"},
	{PP_XS_DEC8, "#,##0.00000000"},
	{PP_XS_DEC9, "#,##0.000000000"},
	{PP_XS_DEC12, "#,##0.000000000000"}
};

static void
header_formats(lxw_format **f)
{
	size_t i;

	for (i = PP_XS_HEADER; i <= PP_XS_HEADER_RIGHT; i++) {
		if (i > PP_XS_WRAP_TEXT && i < PP_XS_HEADER_RIGHT)
			continue;
		format_set_bold(f[i]);
		format_set_bg_color(f[i], 0xDDE6F0);
		format_set_font_color(f[i], 0x1F3A5F);
		format_set_bottom(f[i], LXW_BORDER_THIN);
		format_set_bottom_color(f[i], 0x7F9DB9);
		format_set_align(f[i], LXW_ALIGN_VERTICAL_TOP);
	}
	for (i = PP_XS_WRAP; i <= PP_XS_WRAP_TEXT; i++)
		format_set_text_wrap(f[i]);
	/* beside the filter's button */
	format_set_align(f[PP_XS_HEADER_NUM], LXW_ALIGN_RIGHT);
	format_set_indent(f[PP_XS_HEADER_NUM], 2);
	format_set_align(f[PP_XS_WRAP_NUM], LXW_ALIGN_RIGHT);
	format_set_indent(f[PP_XS_WRAP_NUM], 2);
	format_set_align(f[PP_XS_HEADER_RIGHT], LXW_ALIGN_RIGHT);
	format_set_indent(f[PP_XS_HEADER_RIGHT], 1);
	format_set_indent(f[PP_XS_HEADER_TEXT], 1);
	format_set_indent(f[PP_XS_WRAP_TEXT], 1);
}

/* Of the cells of tables: those of tall rows are the same, on top. */
static void
cell_formats(lxw_format **f)
{
	size_t i, k, tall;

	for (tall = 0; tall < 2; tall++) {
		size_t shift = tall ? PP_XS_TALL + 1 - PP_XS_ID : 0;

		for (i = 0; i < sizeof(number_formats) /
		    sizeof(number_formats[0]); i++)
			format_set_num_format(f[shift +
			    number_formats[i].style],
			    number_formats[i].format);
		for (i = 0; i < sizeof(builtin_formats) /
		    sizeof(builtin_formats[0]); i++)
			format_set_num_format_index(f[shift +
			    builtin_formats[i].style],
			    builtin_formats[i].format);
		/* numbers do not touch the text to their right, nor does text
		 * that which was cut to its left */
		for (k = PP_XS_TEXT; k <= PP_XS_DEC12; k++) {
			/* (the first level of a tree would be the same) */
			format_set_align(f[shift + k], k < PP_XS_PLAIN ?
			    LXW_ALIGN_LEFT : LXW_ALIGN_RIGHT);
			format_set_indent(f[shift + k], 1);
		}
		format_set_text_wrap(f[shift + PP_XS_LONG]);
	}
	for (i = PP_XS_TALL; i < PP_XS_COUNT; i++)
		format_set_align(f[i], LXW_ALIGN_VERTICAL_TOP);
}

static bool
make_formats(struct pp_xlsx *x)
{
	lxw_format **f = x->format;
	size_t i;

	for (i = 1; i < PP_XS_COUNT; i++) {
		f[i] = workbook_add_format(x->book);
		if (f[i] == NULL)
			return false;
	}
	if (!pp_xlsx_changes_formats(x))
		return false;
	header_formats(f);
	cell_formats(f);
	format_set_num_format_index(f[PP_XS_LABEL], 49);	/* @ */
	format_set_font_color(f[PP_XS_LABEL], 0x808080);
	format_set_bold(f[PP_XS_TITLE]);
	format_set_font_size(f[PP_XS_TITLE], 16);
	format_set_font_color(f[PP_XS_TITLE], 0x1F3A5F);
	format_set_bold(f[PP_XS_BOLD]);
	format_set_font_color(f[PP_XS_LINK], 0x2E75B6);
	format_set_underline(f[PP_XS_LINK], LXW_UNDERLINE_SINGLE);
	format_set_num_format_index(f[PP_XS_KEY_INT], 3);	/* #,##0 */
	format_set_align(f[PP_XS_KEY_INT], LXW_ALIGN_LEFT);
	format_set_num_format(f[PP_XS_KEY_DEC], "#,##0.000000");
	format_set_align(f[PP_XS_KEY_DEC], LXW_ALIGN_LEFT);
	format_set_bold(f[PP_XS_TOTAL]);
	format_set_num_format(f[PP_XS_TOTAL], "#,##0.000000");
	format_set_top(f[PP_XS_TOTAL], LXW_BORDER_THIN);
	format_set_align(f[PP_XS_TOTAL], LXW_ALIGN_RIGHT);
	format_set_indent(f[PP_XS_TOTAL], 1);
	for (i = 0; i < PP_XLSX_INDENTS; i++)
		format_set_indent(f[PP_XS_INDENT + i], (uint8_t)(i + 1));
	return true;
}

/*
 * An index is given to a format when it is first written: this makes the
 * index of each its number in enum pp_xlsx_style.  The cells are far to the
 * right of the first row; what may stand before them there are headers of a
 * table, whose style is the first anyway.
 */
static lxw_error
fix_formats(struct pp_xlsx *x, lxw_worksheet *ws)
{
	const lxw_col_t at = PP_XLSX_COLUMNS - PP_XS_COUNT;
	lxw_error e = LXW_NO_ERROR;
	unsigned i;

	for (i = 1; i < PP_XS_COUNT && e == LXW_NO_ERROR; i++)
		e = worksheet_write_blank(ws, 0, (lxw_col_t)(at + i),
		    x->format[i]);
	/* so that there is a part for strings */
	return e != LXW_NO_ERROR ? e : worksheet_write_string(ws, 0, at, "-",
	    NULL);
}

/* ---------------------------------------------------------------- sheets */

bool
pp_xlsx_is_unused(const struct pp_xlsx_sheet *s, size_t col)
{
	/* a line's point without a value is still a point */
	return s->declared && s->rows > 1 && !s->column[col].used &&
	    s->number == 1 && strcmp(s->name, "Trend") != 0;
}

/* Columns that need not be shown in full: a source that is the same in all
 * rows, where numbers follow, and what only machines compare. */
static unsigned
widest(const struct pp_xlsx_sheet *s, size_t col)
{
	const struct pp_xlsx_column *c = &s->column[col];
	bool text = col + 1 == s->ncolumns ||
	    pp_type_is_text(s->column[col + 1].type);
	static const struct {
		const char *name;
		unsigned chars;
		bool constant;	/* only while all cells are equal */
	} caps[] = {
		{"source", 20, true}, {"file", 20, true},
		{"native_digest", 24, false}, {"sha256", 24, false}
	};
	size_t i;

	for (i = 0; i < sizeof(caps) / sizeof(caps[0]); i++)
		if (strcmp(c->head.p, caps[i].name) == 0 &&
		    !(caps[i].constant && (c->varied || text)))
			return caps[i].chars;
	return WIDTH_MAX;
}

static double
width(const struct pp_xlsx_sheet *s, size_t col)
{
	const struct pp_xlsx_column *c = &s->column[col];
	unsigned head = (unsigned)c->head.n + FILTER_ROOM, n = c->chars + 2;
	unsigned most = s->kind == PP_XK_COLUMNS ? WIDTH_HELP :
	    c->head.p == NULL ? WIDTH_MAX : widest(s, col);

	if (pp_xlsx_is_unused(s, col))
		return 0;
	/* an indent, and fonts wider than ours */
	if (!pp_type_is_text(c->type))
		n++;
	if (s->wide && head > PP_XLSX_WIDE)
		head = pp_xlsx_head_width(c->head.n);
	if (n > most)
		n = most;
	if (n < head)
		n = head;
	if (n < WIDTH_MIN)
		n = WIDTH_MIN;
	return n + 0.71;	/* as Excel rounds to whole pixels */
}

/* In characters. */
double
pp_xlsx_sheet_width(const struct pp_xlsx_sheet *s)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->ncolumns; i++)
		sum += width(s, i);
	return sum;
}

double
pp_xlsx_sheet_pixels(const struct pp_xlsx_sheet *s)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->ncolumns; i++)
		if (!pp_xlsx_is_unused(s, i))
			sum += width(s, i) * 7 + 5;
	return sum;
}

/*
 * Columns on the left that say what a row is about, up to the first of these:
 * they stay in sight where the sheet is wider than the screen.
 */
static unsigned
lead_columns(const struct pp_xlsx_sheet *s)
{
	static const char *const names[] = {
		"event", "statement", "digest", "state", "query_id",
		"event_id", "node", "interval"
	};
	double chars = 0;
	size_t i, k;

	if (s->table_rows == 0 || s->kind == PP_XK_COLUMNS)
		return 0;
	for (i = 0; i < s->ncolumns && i < 4; i++) {
		chars += width(s, i);
		for (k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (strcmp(s->column[i].head.p, names[k]) == 0)
				return chars > LEAD_CHARS ||
				    s->ncolumns < i + 4 ? 0 :
				    (unsigned)i + 1;
	}
	return 0;
}

/* What has charts cannot have columns that stay while others move. */
static bool
has_charts(const struct pp_xlsx *x, const struct pp_xlsx_sheet *s)
{
	return s == x->tl.sheet || s == x->histogram.sheet ||
	    s == x->trend.sheet || (s->changes != NULL && s->changes->n > 0);
}

static lxw_error
columns(struct pp_xlsx_sheet *s, lxw_worksheet *ws)
{
	lxw_row_col_options hidden = {.hidden = LXW_TRUE};
	lxw_error e = LXW_NO_ERROR;
	size_t i;

	for (i = 0; i < s->ncolumns && e == LXW_NO_ERROR; i++)
		e = pp_xlsx_is_unused(s, i) ?
		    worksheet_set_column_opt(ws, (lxw_col_t)i, (lxw_col_t)i,
		    (unsigned)s->column[i].head.n + FILTER_ROOM + 0.71, NULL,
		    &hidden) :
		    worksheet_set_column(ws, (lxw_col_t)i, (lxw_col_t)i,
		    width(s, i), NULL);
	return e;
}

/* Cursors, times of the trace and ids are text of digits alone, on purpose:
 * no green corner that offers to make numbers of them. */
static lxw_error
ids(struct pp_xlsx *x, const struct pp_xlsx_sheet *s, lxw_worksheet *ws)
{
	char *ranges = pp_arena_alloc(&x->keep, s->ncolumns * 32 + 1);
	char *p = ranges;
	size_t i, from;

	for (i = 0; i < s->ncolumns; i++) {
		if (!pp_type_is_text(s->column[i].type))
			continue;
		for (from = i; i + 1 < s->ncolumns &&
		    pp_type_is_text(s->column[i + 1].type);)
			i++;
		p += sprintf(p, "%s%.*s2:%.*s%u", p > ranges ? " " : "",
		    (int)s->column[from].nletters, s->column[from].letters,
		    (int)s->column[i].nletters, s->column[i].letters,
		    (unsigned)s->rows);
	}
	return p == ranges ? LXW_NO_ERROR : worksheet_ignore_errors(ws,
	    LXW_IGNORE_NUMBER_STORED_AS_TEXT, ranges);
}

/* Bars in the cells of a column: a share's are relative to 100, others to the
 * largest. */
static lxw_error
bars(const struct pp_xlsx_sheet *s, lxw_worksheet *ws, const char *name,
    bool share)
{
	lxw_conditional_format f = {
		.type = LXW_CONDITIONAL_DATA_BAR,
		.bar_color = 0xB4CBE6,
		.bar_solid = LXW_TRUE,
		.data_bar_2010 = LXW_TRUE,
		.bar_no_border = LXW_TRUE,
		.min_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
		.max_rule_type = share ? LXW_CONDITIONAL_RULE_TYPE_NUMBER :
		    LXW_CONDITIONAL_RULE_TYPE_MAXIMUM,
		.min_value = 0,
		.max_value = share ? 100 : 0,
		.bar_negative_color = 0xE0A0A0
	};
	size_t i;

	for (i = 0; i < s->ncolumns; i++)
		if (strcmp(s->column[i].head.p, name) == 0 && s->rows > 1)
			return worksheet_conditional_format_range(ws, 1,
			    (lxw_col_t)i, s->rows - 1, (lxw_col_t)i, &f);
	return LXW_NO_ERROR;
}

static lxw_error
outline(const struct pp_xlsx_sheet *s, lxw_worksheet *ws)
{
	lxw_row_col_options o = {.level = (uint8_t)s->levels};

	worksheet_outline_settings(ws, LXW_TRUE, LXW_FALSE, LXW_TRUE,
	    LXW_FALSE);
	if (s->levels == 0)
		return LXW_NO_ERROR;
	return worksheet_set_row_opt(ws, 1, LXW_DEF_ROW_HEIGHT, NULL, &o);
}

/* On as few pages wide as can still be read; `lead` columns on each. */
static lxw_error
printing(const struct pp_xlsx_sheet *s, lxw_worksheet *ws, bool titles,
    unsigned lead)
{
	double chars = 0, again = 0;
	/* a chart would be cut */
	double room = s->kind == PP_XK_TIMELINE ||
	    s->kind == PP_XK_DELTAS ? TIMELINE_CHARS : PAGE_CHARS;
	unsigned pages = 1;
	lxw_error e = LXW_NO_ERROR;
	size_t i;

	for (i = 0; i < s->ncolumns; i++) {
		chars += width(s, i);
		if (i < lead)
			again += width(s, i);
	}
	if (chars > room * 1.15)
		pages += (unsigned)((chars - again) / (room - again));
	if (pages > 9)
		pages = 9;
	worksheet_set_landscape(ws);
	worksheet_set_paper(ws, 9);
	if (s->kind == PP_XK_SUMMARY)
		worksheet_fit_to_pages(ws, 1, 1);
	else
		worksheet_fit_to_pages(ws, (uint16_t)pages, 0);
	worksheet_set_margins(ws, 0.4, 0.4, 0.6, 0.6);
	(void)worksheet_set_footer(ws, "&L&A&R&P / &N");
	if (titles)
		e = worksheet_repeat_rows(ws, 0, 0);
	if (e == LXW_NO_ERROR && lead && pages > 1)
		e = worksheet_repeat_columns(ws, 0, (lxw_col_t)(lead - 1));
	return e;
}

/* The cube as an Excel table: what pivot tables take as their source. */
static lxw_error
data_table(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    lxw_worksheet *ws)
{
	lxw_table_column *c, **list;
	char name[32];
	lxw_table_options o = {
		.style_type = LXW_TABLE_STYLE_TYPE_LIGHT,
		.style_type_number = 1
	};
	size_t i;

	list = pp_arena_zalloc(&x->scratch, (s->ncolumns + 1) *
	    sizeof(*list));
	c = pp_arena_zalloc(&x->scratch, s->ncolumns * sizeof(*c));
	for (i = 0; i < s->ncolumns; i++) {
		c[i].header = (char *)(uintptr_t)s->column[i].head.p;
		c[i].header_format = x->format[PP_XS_HEADER];
		list[i] = &c[i];
	}
	if (s->number > 1)
		snprintf(name, sizeof(name), PP_XLSX_TABLE "_%u", s->number);
	else
		strcpy(name, PP_XLSX_TABLE);
	o.name = name;
	o.columns = list;
	return worksheet_add_table(ws, 0, 0, s->rows - 1,
	    (lxw_col_t)(s->ncolumns - 1), &o);
}

/* A sheet that is no table. */
static enum pp_status
own_sheet(struct pp_xlsx *x, struct pp_xlsx_sheet *s, lxw_worksheet *ws)
{
	lxw_error e;

	if (s->kind == PP_XK_DELTAS)
		worksheet_freeze_panes(ws, 1, 0);
	else
		worksheet_gridlines(ws, LXW_HIDE_ALL_GRIDLINES);
	e = printing(s, ws, s->kind == PP_XK_DELTAS, 0);
	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	if (s == x->summary.sheet)
		return pp_xlsx_summary_stub(x, ws);
	if (s == x->pivot[0].sheet && x->pivot[0].chart)
		return pp_xlsx_pivot_chart(x, ws);
	if (s == x->deltas.sheet)
		return pp_xlsx_deltas_chart(x, ws);
	return PP_OK;
}

/* Bars and colours in cells, by the kind of the sheet. */
static lxw_error
decoration(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    lxw_worksheet *ws)
{
	lxw_error e = LXW_NO_ERROR;

	if (s->changes != NULL)
		return pp_xlsx_changes_colours(x, s, ws);

	if (s->kind == PP_XK_BARS || s->kind == PP_XK_TREE)
		e = bars(s, ws, "share_pct", true);
	if (e == LXW_NO_ERROR && s->kind == PP_XK_TREE)
		e = bars(s, ws, "self_s", false);
	if (e == LXW_NO_ERROR && s->kind == PP_XK_TREE)
		e = outline(s, ws);
	return e;
}

/* Ids of digits only are text on purpose: Excel need not mark their cells. */
static lxw_error
no_marks(struct pp_xlsx *x, const struct pp_xlsx_sheet *s, lxw_worksheet *ws)
{
	size_t room = s->ncolumns * 32 + 1, n = 0, i;
	char *range;

	if (s->rows < 2)
		return LXW_NO_ERROR;
	range = pp_arena_alloc(&x->scratch, room);
	for (i = 0; i < s->ncolumns; i++) {
		const struct pp_xlsx_column *c = &s->column[i];

		if (c->type != PP_T_ID && !c->as_text)
			continue;
		n += (size_t)snprintf(range + n, room - n, "%s%.*s2:%.*s%u",
		    n ? " " : "", (int)c->nletters, c->letters,
		    (int)c->nletters, c->letters, s->rows);
	}
	return n == 0 ? LXW_NO_ERROR : worksheet_ignore_errors(ws,
	    LXW_IGNORE_NUMBER_STORED_AS_TEXT, range);
}

/* The sheet of a table. */
static enum pp_status
table_sheet(struct pp_xlsx *x, struct pp_xlsx_sheet *s, lxw_worksheet *ws)
{
	unsigned lead = has_charts(x, s) ? 0 : lead_columns(s);
	lxw_error e;

	worksheet_freeze_panes(ws, 1, (lxw_col_t)lead);
	if (s->kind == PP_XK_DATA && s->rows > 1)
		e = data_table(x, s, ws);
	else
		e = worksheet_autofilter(ws, 0, 0, s->rows - 1,
		    (lxw_col_t)(s->ncolumns - 1));
	if (e == LXW_NO_ERROR && s->rows > 1)
		e = ids(x, s, ws);
	if (e == LXW_NO_ERROR)
		e = printing(s, ws, true, lead);
	if (e == LXW_NO_ERROR)
		e = decoration(x, s, ws);
	if (e == LXW_NO_ERROR)
		e = no_marks(x, s, ws);
	/* what stands over the edge of the last column is not printed */
	if (e == LXW_NO_ERROR && !has_charts(x, s) && s->rows > 1)
		e = worksheet_print_area(ws, 0, 0, s->rows - 1,
		    (lxw_col_t)(s->ncolumns - 1));
	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	if (s == x->tl.sheet)
		return pp_xlsx_timeline_charts(x, s, ws);
	if (s == x->histogram.sheet)
		return pp_xlsx_histogram_charts(x, ws);
	if (s == x->trend.sheet)
		return pp_xlsx_trend_chart(x, ws);
	if (s->changes != NULL)
		return pp_xlsx_changes_chart(x, s, ws);
	return PP_OK;
}

bool
pp_xlsx_is_empty(const struct pp_xlsx_sheet *s)
{
	return s->kind != PP_XK_SUMMARY && s->kind != PP_XK_PIVOT &&
	    s->rows < 2;
}

static enum pp_status
sheet(struct pp_xlsx *x, struct pp_xlsx_sheet *s, bool first)
{
	lxw_worksheet *ws = workbook_add_worksheet(x->book, s->name);
	lxw_error e = LXW_NO_ERROR;

	if (ws == NULL)
		return pp_xlsx_fail(x, 0, "a sheet's name was refused");
	if (first) {
		e = fix_formats(x, ws);
		worksheet_activate(ws);
	} else if (x->summary.sheet != NULL && pp_xlsx_is_empty(s))
		worksheet_hide(ws);
	if (e == LXW_NO_ERROR)
		e = columns(s, ws);
	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	if (s->kind == PP_XK_PIVOT || s->kind == PP_XK_SUMMARY ||
	    s->kind == PP_XK_DELTAS)
		return own_sheet(x, s, ws);
	if (s->ncolumns == 0)
		return PP_OK;
	return table_sheet(x, s, ws);
}

/* ------------------------------------------------------------ properties */

/* The time that a reproducible build asks for, else the oldest that a ZIP
 * file knows. */
static int64_t
created(void)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");
	int64_t t;

	if (text == NULL || !pp_i64_parse(pp_str_from(text), &t) ||
	    t < EPOCH_1980 || t > INT64_C(4102444800))
		return EPOCH_1980;
	return t;
}

static lxw_error
properties(struct pp_xlsx *x)
{
	char title[] = "profpivot", empty[] = "";
	lxw_doc_properties p = {
		.title = title,
		.author = empty,
		.company = empty,
		.created = (time_t)created()
	};

	return workbook_set_properties(x->book, &p);
}

/*
 * The library prints when it finds the disk full.  Asking for the room first
 * lets us say it, once.
 */
static bool
ask_for_room(struct pp_xlsx *x)
{
	off_t size = FRAME_ROOM;
	unsigned i;
	int fd = pp_xlsx_temp(x), e;

	if (fd < 0)
		return false;
	for (i = 0; i < x->tl.ntop; i++)
		size += (off_t)(x->tl.top[i].rows < PP_XLSX_POINTS ?
		    x->tl.top[i].rows : PP_XLSX_POINTS) * 2000;
	e = posix_fallocate(fd, 0, size);
	close(fd);
	errno = e;
	return e != ENOSPC && e != EDQUOT && e != EFBIG;
}

enum pp_status
pp_xlsx_frame(struct pp_xlsx *x, const char *path)
{
	lxw_workbook_options o = {.tmpdir = (char *)(uintptr_t)x->dir};
	struct pp_xlsx_sheet *s;
	enum pp_status st = PP_OK;
	lxw_workbook *book;
	lxw_error e;
	int idx = 0;

	if (!ask_for_room(x))
		return pp_xlsx_fail(x, errno, NULL);
	pp_xlsx_by_rank(x);
	x->book = workbook_new_opt(path, &o);
	if (x->book == NULL || !make_formats(x))
		return pp_xlsx_fail(x, ENOMEM, NULL);
	e = properties(x);
	if (e != LXW_NO_ERROR)
		return pp_xlsx_library(x, e);
	for (s = x->first; s != NULL && st == PP_OK; s = s->next) {
		s->idx = ++idx;
		st = sheet(x, s, idx == 1);
	}
	if (st != PP_OK)
		return st;
	book = x->book;
	x->book = NULL;		/* freed by the call, whatever it says */
	errno = 0;
	e = workbook_close(book);
	if (e != LXW_NO_ERROR)
		return errno != 0 ? pp_xlsx_fail(x, errno, lxw_strerror(e)) :
		    pp_xlsx_library(x, e);
	return PP_OK;
}
