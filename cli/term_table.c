/*
 * term_table.c: see term_table.h.  The first rows decide which columns are
 * printed; those that are empty in them, or do not fit, are not.
 */
#include "term_table.h"

#include <inttypes.h>

#define PAGE_ROWS 400u		/* under one heading */
#define LONG_LEAST 24u		/* of text as long as it likes */
#define LEADERS 3u		/* columns that say what a row is */

static struct pp_term_table *
of_sink(struct pp_rowsink *s)
{
	return (struct pp_term_table *)(void *)s;
}

static enum pp_status
begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct pp_term_table *x = of_sink(s);
	size_t most = x->top != 0 && x->top < PAGE_ROWS ? x->top : PAGE_ROWS;

	x->t = t;
	x->n = x->nshown = 0;
	x->cells = pp_mem_alloc(x->mem,
	    most * t->ncolumns * sizeof(*x->cells));
	x->empty = pp_mem_zalloc(x->mem, t->ncolumns + 1);
	return PP_OK;
}

/* The first letters of a digest do, as in `show`. */
#define DIGEST_LETTERS 14u

static bool
is_digest(const struct pp_column *c)
{
	return strcmp(c->name, "digest") == 0 ||
	    strcmp(c->name, "native_digest") == 0;
}

static pp_str
cell_text(struct pp_term_table *x, const struct pp_column *c,
    const union pp_cell *cell, uint8_t tag)
{
	enum pp_type type = c->type;
	unsigned scale = tag - 1u;
	char buf[PP_DEC_MAX];
	pp_str s;

	if (tag == 0)
		return PP_STR("");
	if (pp_type_is_text(type)) {
		s = cell->str;
		if (is_digest(c) && s.n > DIGEST_LETTERS)
			s.n = DIGEST_LETTERS;
		return pp_arena_str(&x->text, s);
	}
	/* to the microsecond is enough to read */
	if (type == PP_T_SECONDS && scale > 6)
		return pp_arena_str(&x->text, (pp_str){buf,
		    pp_dec_format(buf, pp_dec_rescale(cell->num, scale, 6),
		    6)});
	return pp_arena_str(&x->text, (pp_str){buf, pp_dec_format(buf,
	    cell->num, scale)});
}

/* ----------------------------------------------------------------- layout */

static size_t
width_of(struct pp_term_table *x, size_t c)
{
	size_t n = strlen(x->t->columns[c].name), w, i;
	bool any = false;

	for (i = 0; i < x->n; i++) {
		w = pp_page_columns(x->page, x->cells[i * x->t->ncolumns + c]);
		any |= w > 0;
		n = w > n ? w : n;
	}
	x->empty[c] = !any;
	return any ? n : 0;
}

/* The column that gives way: long text, else the widest text. */
static size_t
find_flexible(const struct pp_term_table *x, const size_t *width)
{
	size_t c, best = x->t->ncolumns;

	for (c = 0; c < x->t->ncolumns; c++) {
		if (width[c] == 0 || !pp_type_is_text(x->t->columns[c].type))
			continue;
		if (pp_column_is_long(&x->t->columns[c]))
			return c;
		if (best == x->t->ncolumns || width[c] > width[best])
			best = c;
	}
	return best;
}

/* Take the column if there is room. */
static void
try(struct pp_term_table *x, const size_t *width, size_t c, size_t flexible,
    size_t *used)
{
	size_t gap = x->page->width >= 100 ? 2 : 1, w = width[c];

	if (c == flexible && w > LONG_LEAST)
		w = LONG_LEAST;
	if (w == 0 || x->nshown == PP_TERM_COLUMNS ||
	    *used + (*used > 0 ? gap : 0) + w > x->page->width)
		return;
	*used += (*used > 0 ? gap : 0) + w;
	x->shown[x->nshown++] = (uint32_t)c;
}

/* What a row is about and its time, before what tells more of it. */
static const char *const wanted[] = {
	"source", "event", "state", "call", "operation", "interval",
	"time_s", "elapsed_s", "total_s", "duration_s", "value", "statement",
	"text", "digest_text", "message", "count", "calls", "self_s",
	"digest", "line", "id", "class", "share_pct"
};
#define WANTED (sizeof(wanted) / sizeof(wanted[0]))

/* Do all rows have the same? */
static bool
is_constant(const struct pp_term_table *x, size_t c)
{
	size_t i;

	for (i = 1; i < x->n; i++)
		if (!pp_str_eq(x->cells[i * x->t->ncolumns + c],
		    x->cells[c]))
			return false;
	return x->n > 1;
}

static void
try_wanted(struct pp_term_table *x, size_t *width, size_t flexible,
    size_t *used)
{
	size_t c, k;

	for (k = 0; k < WANTED; k++)
		for (c = 0; c < x->t->ncolumns; c++) {
			if (strcmp(x->t->columns[c].name, wanted[k]) != 0 ||
			    (k == 0 && is_constant(x, c)))
				continue;
			try(x, width, c, flexible, used);
			width[c] = 0;
		}
}

static void
choose(struct pp_term_table *x)
{
	size_t n = x->t->ncolumns, used = 0, c, flexible, k;
	size_t *width = pp_mem_alloc(x->mem, (n + 1) * sizeof(*width));
	uint32_t v;

	for (c = 0; c < n; c++)
		width[c] = width_of(x, c);
	flexible = find_flexible(x, width);
	if (!x->last)
		try_wanted(x, width, flexible, &used);
	for (c = 0; c < n && (c < LEADERS || !x->last); c++)
		try(x, width, c, flexible, &used);
	for (c = n; x->last && c > LEADERS; c--)
		try(x, width, c - 1, flexible, &used);
	if (x->nshown == 0)
		x->shown[x->nshown++] = 0;
	/* by place again */
	for (c = 1; c < x->nshown; c++)
		for (k = c; k > 0 && x->shown[k - 1] > x->shown[k]; k--) {
			v = x->shown[k];
			x->shown[k] = x->shown[k - 1];
			x->shown[k - 1] = v;
		}
	pp_mem_free(x->mem, width);
}

static void
print(struct pp_term_table *x)
{
	struct pp_list_column heads[PP_TERM_COLUMNS];
	size_t widest = 0, most = 0, w, i, k;
	struct pp_list l;

	if (x->n == 0)
		return;
	if (x->nshown == 0)
		choose(x);
	else
		putc('\n', x->page->to);
	for (k = 0; k < x->nshown; k++) {
		const struct pp_column *c = &x->t->columns[x->shown[k]];

		heads[k] = (struct pp_list_column){c->name,
			pp_type_is_text(c->type) ? PP_LIST_LEFT :
			PP_LIST_RIGHT, 0};
		if (heads[k].kind == PP_LIST_RIGHT)
			continue;
		w = width_of(x, x->shown[k]);
		if (pp_column_is_long(c))
			w += x->page->width;
		if (w > most) {
			most = w;
			widest = k + 1;
		}
	}
	if (widest > 0)
		heads[widest - 1].kind = PP_LIST_FLEX;
	pp_list_open(&l, x->page, x->mem, heads, x->nshown);
	for (i = 0; i < x->n; i++) {
		pp_list_row(&l, PP_INK_PLAIN);
		for (k = 0; k < x->nshown; k++)
			pp_list_text(&l,
			    x->cells[i * x->t->ncolumns + x->shown[k]]);
	}
	pp_list_print(&l);
	pp_arena_reset(&x->text);
	x->n = 0;
}

static enum pp_status
rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct pp_term_table *x = of_sink(s);
	size_t i, c;

	for (i = 0; i < b->rows; i++) {
		if (x->top != 0 && x->rows >= x->top) {
			x->rows++;
			continue;
		}
		for (c = 0; c < x->t->ncolumns; c++)
			x->cells[x->n * x->t->ncolumns + c] = cell_text(x,
			    &x->t->columns[c], &b->cells[c][i],
			    b->tags[c][i]);
		x->n++;
		x->rows++;
		if (x->n == PAGE_ROWS)
			print(x);
	}
	return PP_OK;
}

static bool
is_shown(const struct pp_term_table *x, size_t c)
{
	size_t k;

	for (k = 0; k < x->nshown; k++)
		if (x->shown[k] == c)
			return true;
	return false;
}

#define NAMED_MOST 12u

/* What there is besides. */
static void
print_rest(struct pp_term_table *x)
{
	size_t c, n = 0, hidden = 0;
	pp_str name;

	if (x->top != 0 && x->rows > x->top)
		fprintf(x->page->to, "and %" PRIu64 " more rows; --top N "
		    "prints N\n", x->rows - x->top);
	for (c = 0; c < x->t->ncolumns; c++)
		hidden += !x->empty[c] && !is_shown(x, c);
	if (hidden == 0 || x->nshown == 0)
		return;
	fputs("no room for", x->page->to);
	for (c = 0; c < x->t->ncolumns && n < NAMED_MOST; c++) {
		if (x->empty[c] || is_shown(x, c))
			continue;
		name = pp_str_from(x->t->columns[c].name);
		fputs(n++ > 0 ? ", " : " ", x->page->to);
		pp_page_text(x->page, name, name.n);
	}
	if (hidden > n)
		fprintf(x->page->to, " and %zu more", hidden - n);
	fputs("; -t csv has all\n", x->page->to);
}

static enum pp_status
end(struct pp_rowsink *s, const struct pp_table *t)
{
	struct pp_term_table *x = of_sink(s);

	(void)t;
	print(x);
	if (x->rows == 0)
		fputs("no rows\n", x->page->to);
	else
		print_rest(x);
	pp_mem_free(x->mem, x->cells);
	pp_mem_free(x->mem, x->empty);
	pp_arena_free(&x->text);
	return PP_OK;
}

void
pp_term_table_open(struct pp_term_table *x, struct pp_mem *mem,
    struct pp_page *page)
{
	memset(x, 0, sizeof(*x));
	x->sink = (struct pp_rowsink){begin, rows, end};
	x->mem = mem;
	x->page = page;
	pp_arena_init(&x->text, mem, 65536);
}
