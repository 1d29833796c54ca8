/*
 * batch.c: a line a row, TAB between cells: -B, INTO OUTFILE and --tab as they
 * come, COPY of PostgreSQL, tabbed output of other clients.
 *
 *	id	t		names, unless -N or a file of INTO OUTFILE
 *	1	tab\there	-B writes \t \n \0 and \\ ; INTO OUTFILE puts a
 *	2	\N		backslash before a TAB or newline; NULL is
 *				the word NULL, or \N
 *
 * Nothing stands between two results of one -B run: a head is known by its
 * number of cells, by coming again, by words where numbers were, or by a
 * reader of rows that knows its names.  Where a backslash stands before
 * anything else, nothing is escaped (-r) or not the backslash (mycli).
 */
#include "parse.h"

/* What is looked at to tell whether backslashes are escaped. */
#define LOOK ((size_t)64 << 10)

#define JOIN_MAX 200

struct batch {
	size_t n;		/* columns */
	bool escaped;		/* backslashes are */
	bool names;
	size_t number;		/* a column of numbers; SIZE_MAX: none */
	bool typed;		/* number is decided */
	pp_str *cell;		/* as they stand in the file */
	size_t cells, cap;
	bool exports;		/* \N was seen: INTO OUTFILE, COPY */
	bool several;		/* the row at hand takes several lines */
};

static const struct pp_cl_form batch_form;

/* Is the byte at p behind an odd number of backslashes? */
static bool
escaped_at(const char *start, const char *p)
{
	const char *q = p;

	while (q > start && q[-1] == '\\')
		q--;
	return (p - q) & 1;
}

/* The row at p, which may go on behind an escaped newline. */
static bool
row_line(const struct pp_client *c, struct batch *b, const char *p,
    pp_str *line, const char **next)
{
	const char *from = p, *nl;

	b->several = false;
	for (;;) {
		nl = from < c->e ? memchr(from, '\n', (size_t)(c->e - from)) :
		    NULL;
		if (nl == NULL) {
			if (!c->last)
				return false;
			*line = (pp_str){p, (size_t)(c->e - p)};
			*next = c->e;
			break;
		}
		if (b->escaped && nl > p && nl[-1] == '\\' &&
		    escaped_at(p, nl)) {
			from = nl + 1;
			b->several = true;
			continue;
		}
		*line = (pp_str){p, (size_t)(nl - p)};
		*next = nl + 1;
		break;
	}
	if (line->n > 0 && line->p[line->n - 1] == '\r' && c->crlf)
		line->n--;
	return true;
}

static inline void
add_cell(struct pp_client *c, struct batch *b, const char *p, const char *e)
{
	if (b->cells == b->cap) {
		void *v = b->cell;

		b->cap = b->cap ? b->cap * 2 : 64;
		v = pp_arena_alloc(&c->form_mem, b->cap * sizeof(*b->cell));
		if (b->cells != 0)
			memcpy(v, b->cell, b->cells * sizeof(*b->cell));
		b->cell = v;
	}
	b->cell[b->cells++] = (pp_str){p, (size_t)(e - p)};
}

static void
split(struct pp_client *c, struct batch *b, pp_str line)
{
	const char *p = line.p, *e = line.p + line.n, *tab, *from = p;

	b->cells = 0;
	for (;;) {
		tab = from < e ? memchr(from, '\t', (size_t)(e - from)) : NULL;
		if (tab != NULL && b->escaped && tab > p && tab[-1] == '\\' &&
		    escaped_at(p, tab)) {
			from = tab + 1;
			continue;
		}
		add_cell(c, b, p, tab != NULL ? tab : e);
		if (tab == NULL)
			return;
		p = from = tab + 1;
	}
}

/* ------------------------------------------------------------------- cells */

static pp_str
unescape(struct pp_client *c, const struct batch *b, pp_str s)
{
	const char *p = s.p, *e = s.p + s.n, *q;
	char *to = pp_arena_alloc(&c->row_mem, s.n);
	size_t n = 0;

	while (p < e) {
		q = memchr(p, '\\', (size_t)(e - p));
		if (q == NULL)
			q = e;
		memcpy(to + n, p, (size_t)(q - p));
		n += (size_t)(q - p);
		p = q;
		if (p == e)
			break;
		if (p + 1 == e) {
			to[n++] = *p++;
			continue;
		}
		switch (p[1]) {
		case 'n':
			to[n++] = '\n';
			break;
		case 't':
			to[n++] = '\t';
			break;
		case '0':
			if (!b->escaped)
				to[n++] = '\\';
			to[n++] = b->escaped ? '\0' : '0';
			break;
		case '\\':
			if (!b->escaped)
				to[n++] = '\\';
			to[n++] = '\\';
			break;
		case '\t':
		case '\n':
			to[n++] = p[1];
			break;
		case 'r':
			if (b->exports) {
				/* COPY of PostgreSQL */
				to[n++] = '\r';
				break;
			}
			/* fallthrough */
		default:
			to[n++] = '\\';
			to[n++] = p[1];
			break;
		}
		p += 2;
	}
	return (pp_str){to, n};
}

static inline void
put_cell(struct pp_client *c, struct batch *b, pp_str s)
{
	if (s.n == 2 && s.p[0] == '\\' && s.p[1] == 'N' && b->escaped) {
		b->exports = true;
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
		return;
	}
	if (s.n != 0 && memchr(s.p, '\\', s.n) != NULL)
		s = unescape(c, b, s);
	if (b->exports)
		pp_cl_cell(c, s, PP_CELL_TEXT);
	else
		pp_cl_plain_cell(c, s);
}

static void
emit(struct pp_client *c, struct batch *b, const char *at, bool cut)
{
	size_t i, n = b->cells;
	bool partial = false;

	pp_cl_row_begin(c);
	if (n > b->n) {
		/* TABs that nothing escaped are text of the last column,
		 * but what a spreadsheet adds at the end is nothing */
		const char *end = b->cell[n - 1].p + b->cell[n - 1].n;

		while (end > b->cell[b->n - 1].p && end[-1] == '\t')
			end--;
		if (end > b->cell[b->n - 1].p + b->cell[b->n - 1].n) {
			b->cell[b->n - 1].n = (size_t)(end -
			    b->cell[b->n - 1].p);
			c->rs.losses |= PP_LOSS_SPLIT;
		}
		n = b->n;
	}
	for (i = 0; i < n; i++)
		put_cell(c, b, b->cell[i]);
	if (n < b->n) {
		partial = true;
		pp_cl_problem(c, PP_MSG_CUT_RECORD, at,
		    "cut record: %zu of %zu cells", n, b->n);
		if (cut)
			c->cells[n - 1].state = PP_CELL_CUT;
	}
	pp_cl_row(c, at, partial);
}

/* ------------------------------------------------------------------- heads */

/* Does the split line look like names? */
static bool
names_like(const struct batch *b)
{
	size_t i, words = 0;

	for (i = 0; i < b->cells; i++) {
		pp_str s = b->cell[i];

		if (pp_cl_blank(s))
			continue;
		if (!pp_cl_identifier(s) || pp_cl_number(s) ||
		    pp_str_eq(s, PP_STR("NULL")) ||
		    memchr(s.p, '\\', s.n) != NULL)
			return false;
		words++;
	}
	return words * 2 > b->cells;
}

/* Columns that the head names: what a spreadsheet adds at the end is none. */
static size_t
named(const struct batch *b)
{
	size_t n = b->cells;

	while (n > 1 && b->cell[n - 1].n == 0)
		n--;
	return n;
}

static bool
wordy(pp_str s)
{
	return s.n != 0 && !pp_cl_number(s) && !pp_str_eq(s, PP_STR("NULL"));
}

/*
 * What the first row says of the line above it: names, if words stand over
 * numbers and no number over a word.
 */
static bool
names_above(const pp_str *above, const struct batch *b)
{
	bool any = false;
	size_t i;

	for (i = 0; i < b->cells; i++) {
		if (wordy(above[i]) && pp_cl_number(b->cell[i]))
			any = true;
		if (pp_cl_number(above[i]) && wordy(b->cell[i]) &&
		    pp_cl_identifier(b->cell[i]))
			return false;
	}
	return any;
}

static bool
same_names(const struct pp_client *c, const struct batch *b)
{
	size_t i;

	if (!c->rs.has_names || b->cells < c->rs.ncols)
		return false;
	for (i = 0; i < c->rs.ncols; i++)
		if (!pp_str_eq(c->rs.names[i], b->cell[i]))
			return false;
	return true;
}

/* Is the split line the head of another set, among rows of this one? */
static bool
head_among_rows(struct pp_client *c, const struct batch *b)
{
	pp_str s;

	if (same_names(c, b))
		return true;
	if (b->cells == b->n && b->number != SIZE_MAX) {
		s = b->cell[b->number];
		/* where numbers stood, a word */
		if (s.n == 0 || s.p[0] <= '9' || s.p[0] == '\\' ||
		    pp_str_eq(s, PP_STR("NULL")))
			return false;
		return names_like(b);
	}
	return names_like(b) && (b->cells != b->n ||
	    pp_cl_known(c, PP_FORM_BATCH, b->cell, b->cells) > 0);
}

/* The first row tells which columns hold numbers. */
static void
learn_types(struct batch *b)
{
	size_t i;

	b->typed = true;
	b->number = SIZE_MAX;
	for (i = b->cells < b->n ? b->cells : b->n; i-- > 0;)
		if (pp_cl_number(b->cell[i]))
			b->number = i;
}

/* The head stands at `at`, its cells in b; the line below at next. */
static void
begin_set(struct pp_client *c, struct batch *b, const char *at,
    const char *next)
{
	size_t n = b->cells, below = 0;
	pp_str *head = pp_arena_alloc(&c->row_mem, n * sizeof(*head) + 1);
	const char *behind;
	bool full = false, above = false;
	pp_str line;

	memcpy(head, b->cell, n * sizeof(*head));
	b->names = names_like(b) || pp_cl_known(c, PP_FORM_BATCH, head, n) > 0;
	if (next < c->e && row_line(c, b, next, &line, &behind)) {
		split(c, b, line);
		below = b->cells;
		full = below == n && b->cell[n - 1].n != 0;
		above = below == n && names_above(head, b);
	}
	b->names |= above;
	memcpy(b->cell, head, n * sizeof(*head));
	b->cells = n;
	b->n = b->names && !full ? named(b) : n;
	b->typed = false;
	if (b->names && below > 1 && below < b->n && named(b) == n &&
	    pp_cl_known(c, PP_FORM_BATCH, head, n) == 0) {
		/* a TAB in a name is not escaped: whose it is, is unknown */
		pp_cl_set(c, PP_FORM_BATCH, PP_LOSS_NULL, NULL, below, at);
		b->n = below;
		return;
	}
	if (!b->names)
		pp_cl_find_names(c);
	if (!b->names && c->tab_names != NULL && c->ntab_names == b->n)
		pp_cl_set(c, PP_FORM_BATCH, PP_LOSS_NULL, c->tab_names, b->n,
		    at);
	else
		pp_cl_set(c, PP_FORM_BATCH, PP_LOSS_NULL,
		    b->names ? b->cell : NULL, b->n, at);
}

/* ------------------------------------------------------------------- steps */

static enum pp_cl_step
leave(struct pp_client *c, bool cut)
{
	if (c->set)
		pp_cl_set_done(c, cut);
	c->form = NULL;
	return PP_CL_OVER;
}

/*
 * Nothing is escaped: a row with too few TABs goes on in the next lines.
 * Their end in *next, or PP_CL_OVER.
 */
static enum pp_cl_step
join(struct pp_client *c, struct batch *b, const char *p, const char **next)
{
	const char *at = *next, *behind;
	size_t n;
	pp_str line;

	for (n = 0; n < JOIN_MAX && at < c->e; n++) {
		if (!pp_cl_line(c, at, &line, &behind))
			return PP_CL_MORE;
		line = (pp_str){p, (size_t)(line.p + line.n - p)};
		split(c, b, line);
		if (b->cells > b->n)
			return PP_CL_OVER;
		if (b->cells == b->n) {
			*next = behind;
			c->rs.losses |= PP_LOSS_SPLIT;
			return PP_CL_GO;
		}
		at = behind;
	}
	return at == c->e && !c->last ? PP_CL_MORE : PP_CL_OVER;
}

/* A line of another number of cells than the set has. */
static enum pp_cl_step
odd_line(struct pp_client *c, struct batch *b, pp_str line, const char *next)
{
	enum pp_cl_step r;
	const char *at = c->p;

	/* a blank line is the row of a spreadsheet, or the end */
	if (pp_cl_blank(line)) {
		if (b->cells < b->n)
			return leave(c, false);
		pp_cl_take(c, next);
		return PP_CL_GO;
	}
	if (b->cells == 1 && (b->escaped || pp_cl_ends_record(line)))
		return leave(c, false);
	/* without names nothing else tells two results from each other */
	if (!c->rs.has_names && b->cells != 1 && b->escaped) {
		b->n = b->cells;
		begin_set(c, b, at, next);
		if (!b->names) {
			learn_types(b);
			emit(c, b, at, false);
		}
		pp_cl_take(c, next);
		return PP_CL_GO;
	}
	if (b->cells != 1 && head_among_rows(c, b)) {
		begin_set(c, b, at, next);
		pp_cl_take(c, next);
		return PP_CL_GO;
	}
	if (!b->escaped && b->cells < b->n) {
		r = join(c, b, at, &next);
		if (r == PP_CL_MORE)
			return r;
		if (r == PP_CL_OVER)
			split(c, b, line);
	}
	if (b->cells == 1)
		return leave(c, false);
	emit(c, b, at, next == c->e && c->last && next[-1] != '\n');
	pp_cl_take(c, next);
	return PP_CL_GO;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct batch *b = c->state;
	const char *next;
	pp_str line;

	if (!row_line(c, b, c->p, &line, &next))
		return PP_CL_MORE;
	split(c, b, line);
	if (b->cells != b->n)
		return odd_line(c, b, line, next);
	if (!b->typed) {
		learn_types(b);
		if (same_names(c, b))
			b->typed = false;
	}
	if (b->n == 1 && pp_cl_ends_record(line))
		return leave(c, false);
	if (head_among_rows(c, b))
		begin_set(c, b, c->p, next);
	else
		emit(c, b, c->p, false);
	if (b->several || next == c->e)
		pp_cl_take(c, next);
	else
		pp_cl_take_line(c, next);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	(void)leave(c, false);
}

static const struct pp_cl_form batch_form = {step, finish};

/* Does a backslash stand where the clients never leave one?  *exports: there
 * are cells of \N. */
static bool
unescaped(pp_str s, bool *exports)
{
	const char *p = s.p, *e = s.p + s.n;

	while (p < e && (p = memchr(p, '\\', (size_t)(e - p))) != NULL) {
		if (p + 1 >= e)
			break;
		switch (p[1]) {
		case 'n':
		case 't':
		case '0':
		case '\\':
		case '\t':
		case '\n':
		case 'r':
			break;
		case 'N':
			if ((p > s.p && p[-1] != '\t' && p[-1] != '\n') ||
			    (p + 2 < e && p[2] != '\t' && p[2] != '\n' &&
			    p[2] != '\r'))
				return true;
			*exports = true;
			break;
		default:
			return true;
		}
		p += 2;
	}
	return false;
}

/*
 * Are these cells, and not text with a TAB in it?  Names, a number, many of
 * them, or a line below with as many.
 */
static bool
rows_like(struct pp_client *c, struct batch *b, const char *next)
{
	size_t i, n = b->cells;
	const char *behind;
	bool number = false, empty = pp_cl_blank(b->cell[0]), names;
	pp_str line, first = b->cell[0];

	for (i = 0; i < n; i++)
		number |= pp_cl_number(b->cell[i]);
	if (number)
		return true;
	if (empty)
		return false;
	names = names_like(b);
	if ((names && n > 2) || n > 4 || pp_str_eq(first, PP_STR("\\N")))
		return true;
	if (next == c->e || !row_line(c, b, next, &line, &behind))
		return names;
	split(c, b, line);
	i = b->cells;
	split(c, b, (pp_str){first.p, (size_t)(next - first.p) - 1});
	return i == n;
}

enum pp_cl_step
pp_cl_try_batch(struct pp_client *c, pp_str line)
{
	struct batch *b;
	const char *next;
	size_t look = (size_t)(c->e - c->p);
	bool exports = false;
	pp_str row;

	if (line.n == 0 || memchr(line.p, '\t', line.n) == NULL ||
	    pp_str_starts(line, PP_STR("-- ")) ||
	    pp_str_starts(line, PP_STR("/*")))
		return PP_CL_OVER;
	if (look < LOOK && !c->last)
		return PP_CL_MORE;
	b = pp_cl_form(c, &batch_form, sizeof(*b));
	b->escaped = !unescaped((pp_str){c->p, look < LOOK ? look : LOOK},
	    &exports);
	b->exports = exports && b->escaped;
	if (!row_line(c, b, c->p, &row, &next)) {
		c->form = NULL;
		return PP_CL_MORE;
	}
	split(c, b, row);
	if (!rows_like(c, b, next)) {
		c->form = NULL;
		return PP_CL_OVER;
	}
	begin_set(c, b, c->p, next);
	if (!b->names) {
		learn_types(b);
		emit(c, b, c->p, false);
	}
	pp_cl_take(c, next);
	return PP_CL_GO;
}
