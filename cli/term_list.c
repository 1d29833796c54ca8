/*
 * term_list.c: lists with aligned columns that fill the page (term.h).
 */
#include "term.h"

#define COLUMNS_MAX 16
#define BAR_LEAST 6
#define BAR_MOST 48
#define FLEX_LEAST 12
#define WIDE 100		/* from here on there is room for gaps */

struct pp_list_row {
	pp_str cell[COLUMNS_MAX];
	size_t indent;		/* of the flexible cell */
	pp_i128 bar;
	enum pp_ink ink;
	pp_str note;
	bool wrap;		/* the note takes the lines that it needs */
	bool total;
};

struct layout {
	size_t width[COLUMNS_MAX];
	bool shown[COLUMNS_MAX];
	size_t gap;		/* between columns */
	pp_i128 most;		/* the longest bar */
};

void
pp_list_open(struct pp_list *l, struct pp_page *p, struct pp_mem *mem,
    const struct pp_list_column *columns, size_t n)
{
	PP_ASSERT(n <= COLUMNS_MAX);
	memset(l, 0, sizeof(*l));
	l->page = p;
	l->columns = columns;
	l->ncolumns = n;
	pp_arena_init(&l->text, mem, 8192);
}

void
pp_list_row(struct pp_list *l, enum pp_ink ink)
{
	void *v = l->rows;

	pp_mem_grow(l->text.mem, &v, &l->cap, l->n + 1, sizeof(*l->rows));
	l->rows = v;
	memset(&l->rows[l->n], 0, sizeof(*l->rows));
	l->rows[l->n].ink = ink;
	l->n++;
	l->column = 0;
}

static struct pp_list_row *
last(struct pp_list *l)
{
	PP_ASSERT(l->n > 0);
	return &l->rows[l->n - 1];
}

static void
put(struct pp_list *l, pp_str s)
{
	PP_ASSERT(l->column < l->ncolumns);
	last(l)->cell[l->column++] = s;
}

void
pp_list_text(struct pp_list *l, pp_str s)
{
	put(l, pp_arena_str(&l->text, s));
}

void
pp_list_indented(struct pp_list *l, size_t indent, pp_str s)
{
	last(l)->indent = indent;
	pp_list_text(l, s);
}

void
pp_list_blank(struct pp_list *l)
{
	put(l, PP_STR(""));
}

void
pp_list_count(struct pp_list *l, uint64_t n)
{
	char buf[28];

	pp_list_text(l, pp_count_text(buf, n));
}

void
pp_list_decimal(struct pp_list *l, pp_i128 v, unsigned scale)
{
	char buf[PP_DEC_MAX];

	pp_list_text(l, (pp_str){buf, pp_dec_format(buf, v, scale)});
}

void
pp_list_bar(struct pp_list *l, pp_i128 v)
{
	last(l)->bar = v;
	put(l, PP_STR(""));
}

void
pp_list_note(struct pp_list *l, pp_str s)
{
	last(l)->note = pp_arena_str(&l->text, s);
}

void
pp_list_paragraph(struct pp_list *l, pp_str s)
{
	pp_list_note(l, s);
	last(l)->wrap = true;
}

void
pp_list_total(struct pp_list *l)
{
	last(l)->total = true;
}

/* ------------------------------------------------------------- printing */

static size_t
widest(const struct pp_list *l, size_t column)
{
	size_t n = strlen(l->columns[column].head), m, i;
	bool flex = l->columns[column].kind == PP_LIST_FLEX;

	for (i = 0; i < l->n; i++) {
		m = pp_page_columns(l->page, l->rows[i].cell[column]);
		m += flex ? l->rows[i].indent : 0;
		n = m > n ? m : n;
	}
	return n;
}

/* Is there anything in the column? */
static bool
has_content(const struct pp_list *l, size_t column)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->columns[column].kind == PP_LIST_BAR ||
		    l->rows[i].cell[column].n > 0)
			return true;
	return false;
}

/* Numbers take what they need, text what is left, a bar what is over. */
static void
lay_out(const struct pp_list *l, struct layout *y)
{
	size_t used = 0, i, flex = COLUMNS_MAX, bar = COLUMNS_MAX, room, want;
	size_t shown = 0;

	memset(y, 0, sizeof(*y));
	y->gap = l->page->width >= WIDE ? 2 : 1;
	for (i = 0; i < l->ncolumns; i++) {
		y->shown[i] = l->page->width >= l->columns[i].from &&
		    has_content(l, i);
		if (!y->shown[i])
			continue;
		used += shown++ > 0 ? y->gap : 0;
		if (l->columns[i].kind == PP_LIST_FLEX)
			flex = i;
		else if (l->columns[i].kind == PP_LIST_BAR)
			bar = i;
		else
			used += y->width[i] = widest(l, i);
	}
	for (i = 0; i < l->n; i++)
		if (l->rows[i].bar > y->most)
			y->most = l->rows[i].bar;
	room = l->page->width > used ? l->page->width - used : 0;
	if (flex < COLUMNS_MAX) {
		want = widest(l, flex);
		if (bar < COLUMNS_MAX)
			room = room > BAR_LEAST ? room - BAR_LEAST : 0;
		y->width[flex] = want < room ? want : room;
		if (y->width[flex] < FLEX_LEAST)
			y->width[flex] = FLEX_LEAST;
		room = room > want ? room - want : 0;
		room += bar < COLUMNS_MAX ? BAR_LEAST : 0;
	}
	if (bar < COLUMNS_MAX)
		y->width[bar] = room > BAR_MOST ? BAR_MOST :
		    room < BAR_LEAST ? BAR_LEAST : room;
}

static void
print_cell(const struct pp_list *l, const struct layout *y, size_t i,
    pp_str s, size_t indent)
{
	size_t n = pp_page_columns(l->page, s), w = y->width[i];

	if (l->columns[i].kind == PP_LIST_RIGHT) {
		pp_page_blanks(l->page, n < w ? w - n : 0);
		pp_page_text(l->page, s, w);
		return;
	}
	if (indent >= w)
		indent = w - 1;
	pp_page_blanks(l->page, indent);
	n = indent + pp_page_text(l->page, s, w - indent);
	pp_page_blanks(l->page, n < w ? w - n : 0);
}

static void
print_heads(const struct pp_list *l, const struct layout *y)
{
	size_t i, n = 0;

	pp_page_ink(l->page, PP_INK_DIM);
	for (i = 0; i < l->ncolumns; i++) {
		if (!y->shown[i])
			continue;
		if (n++ > 0)
			pp_page_blanks(l->page, y->gap);
		print_cell(l, y, i, pp_str_from(l->columns[i].head), 0);
	}
	pp_page_ink(l->page, PP_INK_PLAIN);
	pp_page_end(l->page);
}

/* Under the numbers only. */
static void
print_rule(const struct pp_list *l, const struct layout *y,
    const struct pp_list_row *row)
{
	const char *line = l->page->utf8 ? "\u2500" : "-";
	size_t i, n = 0;

	pp_page_ink(l->page, PP_INK_DIM);
	for (i = 0; i < l->ncolumns; i++) {
		if (!y->shown[i])
			continue;
		if (n++ > 0)
			pp_page_blanks(l->page, y->gap);
		if (l->columns[i].kind == PP_LIST_RIGHT && row->cell[i].n > 0)
			pp_page_repeat(l->page, line, y->width[i]);
		else
			pp_page_blanks(l->page, y->width[i]);
	}
	pp_page_ink(l->page, PP_INK_PLAIN);
	pp_page_end(l->page);
}

static void
print_bar(const struct pp_list *l, const struct layout *y, size_t i,
    const struct pp_list_row *row)
{
	size_t eighths = 0, most = y->width[i] * 8;

	if (row->bar > 0 && y->most > 0)
		eighths = (size_t)((row->bar * 2 * (pp_i128)most + y->most) /
		    (2 * y->most));
	pp_page_ink(l->page, row->ink);
	pp_page_bar(l->page, eighths, y->width[i]);
	pp_page_ink(l->page, PP_INK_PLAIN);
}

static void
print_note(const struct pp_list *l, const struct pp_list_row *row)
{
	size_t room = l->page->width - 4, n;
	pp_str rest = row->note;

	pp_page_ink(l->page, PP_INK_DIM);
	do {
		n = row->wrap ? pp_page_fit(l->page, rest, room) : rest.n;
		pp_page_blanks(l->page, 4);
		pp_page_text(l->page, (pp_str){rest.p, n}, room);
		rest = pp_str_trim(pp_str_skip(rest, n));
		if (rest.n == 0)
			pp_page_ink(l->page, PP_INK_PLAIN);
		pp_page_end(l->page);
	} while (rest.n > 0);
}

static void
print_row(const struct pp_list *l, const struct layout *y,
    const struct pp_list_row *row)
{
	size_t i, n = 0;

	if (row->total)
		print_rule(l, y, row);
	for (i = 0; i < l->ncolumns; i++) {
		if (!y->shown[i])
			continue;
		if (n++ > 0)
			pp_page_blanks(l->page, y->gap);
		if (l->columns[i].kind == PP_LIST_BAR)
			print_bar(l, y, i, row);
		else
			print_cell(l, y, i, row->cell[i],
			    l->columns[i].kind == PP_LIST_FLEX ? row->indent :
			    0);
	}
	pp_page_end(l->page);
	if (row->note.n > 0)
		print_note(l, row);
}

void
pp_list_print(struct pp_list *l)
{
	struct layout y;
	size_t i;

	lay_out(l, &y);
	print_heads(l, &y);
	for (i = 0; i < l->n; i++)
		print_row(l, &y, &l->rows[i]);
	pp_mem_free(l->text.mem, l->rows);
	pp_arena_free(&l->text);
}
