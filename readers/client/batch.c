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
 * anything else, cells may hold newlines as they are (-r): such a backslash is
 * text, and the escapes beside it are resolved all the same.
 */
#include "batch.h"

/* What is looked at to tell whether backslashes are escaped. */
#define LOOK ((size_t)64 << 10)

#define JOIN_MAX 200

static const struct pp_cl_form batch_form;

/* cut: nothing ends its line. */
static void
emit(struct pp_client *c, struct pp_cl_batch *b, const char *at, bool cut)
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
		pp_cl_batch_cell(c, b, b->cell[i]);
	if (n == b->n && cut && pp_cl_may_go_on(b->cell[n - 1])) {
		partial = true;
		c->cells[n - 1].state = PP_CELL_CUT;
		pp_cl_problem(c, PP_MSG_CUT_RECORD, at, "cut record: the last "
		    "line has no line end, and its last cell may go on");
	}
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
names_like(const struct pp_cl_batch *b)
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
named(const struct pp_cl_batch *b)
{
	size_t n = b->cells;

	while (n > 1 && b->cell[n - 1].n == 0)
		n--;
	return n;
}

static bool
wordy(pp_str s)
{
	return s.n != 0 && !pp_cl_number(s) &&
	    !pp_str_eq(s, PP_STR("NULL")) && !pp_str_eq(s, PP_STR("\\N"));
}

/*
 * What the first row says of the line above it: names, if words stand over
 * numbers and no number over a word; SELECT 1 has a number for a name.
 */
static bool
names_above(const pp_str *above, const struct pp_cl_batch *b)
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

/*
 * Are the split line and those below it, from p on, rows without names that
 * somebody knows?  The cells of b stay as they are.
 */
static bool
known_rows(struct pp_client *c, struct pp_cl_batch *b, const char *p)
{
	struct pp_rs_row rows[PP_RS_SAMPLE];
	pp_str *keep = pp_arena_alloc(&c->row_mem, b->cells * sizeof(*keep) +
	    1), line;
	size_t n = 0, cells = b->cells, i;
	bool slashes = b->slashes, several = b->several;
	struct pp_rs_cell *v;

	memcpy(keep, b->cell, cells * sizeof(*keep));
	for (;;) {
		v = pp_arena_alloc(&c->row_mem, cells * sizeof(*v) + 1);
		for (i = 0; i < cells; i++)
			v[i] = (struct pp_rs_cell){b->cell[i],
			    wordy(b->cell[i]) || pp_cl_number(b->cell[i]) ?
			    PP_CELL_TEXT : PP_CELL_PERHAPS};
		rows[n++] = (struct pp_rs_row){.cells = v, .n = cells};
		if (n == PP_RS_SAMPLE || p == c->e ||
		    !pp_cl_batch_line(c, b, p, &line, &p))
			break;
		pp_cl_batch_split(c, b, line);
		if (b->cells != cells)
			break;
	}
	memcpy(b->cell, keep, cells * sizeof(*keep));
	b->cells = cells;
	b->slashes = slashes;
	b->several = several;
	return pp_cl_known_rows(c, PP_FORM_BATCH, rows, n) > 0;
}

static bool
same_names(const struct pp_client *c, const struct pp_cl_batch *b)
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
head_among_rows(struct pp_client *c, const struct pp_cl_batch *b)
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
learn_types(struct pp_cl_batch *b)
{
	size_t i;

	b->typed = true;
	b->number = b->first_number = b->first_word = SIZE_MAX;
	for (i = b->cells < b->n ? b->cells : b->n; i-- > 0;) {
		if (pp_cl_number(b->cell[i])) {
			if (b->number == SIZE_MAX)
				b->number = i;
			b->first_number = i;
		} else if (wordy(b->cell[i])) {
			b->first_word = i;
		}
	}
}

/*
 * Without names nothing but the look of the cells tells where another result
 * of as many columns begins: the row at c->p is of one that somebody knows,
 * or no longer of such a one.
 */
static bool
other_rows(struct pp_client *c, struct pp_cl_batch *b, const char *next)
{
	bool changed;

	changed = (b->first_number != SIZE_MAX &&
	    wordy(b->cell[b->first_number])) ||
	    (b->first_word != SIZE_MAX &&
	    pp_cl_number(b->cell[b->first_word]));
	if (!changed)
		return false;
	pp_arena_reset(&c->row_mem);
	return known_rows(c, b, next) != b->known;
}

/* The head stands at `at`, its cells in b; the line below at next. */
static void
begin_set(struct pp_client *c, struct pp_cl_batch *b, const char *at,
    const char *next)
{
	size_t n = b->cells, below = 0;
	pp_str *head = pp_arena_alloc(&c->row_mem, n * sizeof(*head) + 1);
	const char *behind;
	bool full = false, above = false, slashes = b->slashes;
	pp_str line;

	if (b->known && c->set && n == c->rs.ncols && same_names(c, b)) {
		/* the same columns once more: most results of a script */
		b->n = n;
		b->names = true;
		b->typed = false;
		pp_cl_set(c, PP_FORM_BATCH, PP_LOSS_NULL, b->cell, n, at);
		return;
	}
	memcpy(head, b->cell, n * sizeof(*head));
	b->names = names_like(b) || pp_cl_known(c, PP_FORM_BATCH, head, n) > 0;
	if (next < c->e && pp_cl_batch_line(c, b, next, &line, &behind)) {
		pp_cl_batch_split(c, b, line);
		below = b->cells;
		full = below == n && b->cell[n - 1].n != 0;
		above = below == n && names_above(head, b);
	}
	b->names |= above;
	memcpy(b->cell, head, n * sizeof(*head));
	b->slashes = slashes;
	b->cells = n;
	b->n = b->names && !full ? named(b) : n;
	b->known = pp_cl_known(c, PP_FORM_BATCH, head, b->n) > 0;
	if (!b->known && known_rows(c, b, next)) {
		b->known = true;
		b->names = false;
		b->n = n;
	}
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
	if (!b->names && c->tab_names != NULL && c->ntab_names == b->n) {
		b->known = true;
		pp_cl_set(c, PP_FORM_BATCH, PP_LOSS_NULL, c->tab_names, b->n,
		    at);
	} else {
		pp_cl_set(c, PP_FORM_BATCH, PP_LOSS_NULL,
		    b->names ? b->cell : NULL, b->n, at);
	}
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
join(struct pp_client *c, struct pp_cl_batch *b, const char *p, const char **next)
{
	const char *at = *next, *behind;
	size_t n;
	pp_str line;

	for (n = 0; n < JOIN_MAX && at < c->e; n++) {
		if (!pp_cl_line(c, at, &line, &behind))
			return PP_CL_MORE;
		line = (pp_str){p, (size_t)(line.p + line.n - p)};
		pp_cl_batch_split(c, b, line);
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
odd_line(struct pp_client *c, struct pp_cl_batch *b, pp_str line, const char *next)
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
	if (b->cells < b->n && pp_cl_open_end(c, next) &&
	    !pp_cl_ends_record(line)) {
		emit(c, b, at, true);
		pp_cl_take(c, next);
		return PP_CL_GO;
	}
	if (b->cells == 1 && (b->escaped || pp_cl_ends_record(line)))
		return leave(c, false);
	/* without names nothing else tells two results from each other */
	if (b->cells != 1 && b->escaped && (!c->rs.has_names ||
	    (!b->known && known_rows(c, b, next)))) {
		b->n = b->cells;
		begin_set(c, b, at, next);
		if (!b->names) {
			learn_types(b);
			emit(c, b, at, pp_cl_open_end(c, next));
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
			pp_cl_batch_split(c, b, line);
	}
	if (b->cells == 1)
		return leave(c, false);
	emit(c, b, at, pp_cl_open_end(c, next));
	pp_cl_take(c, next);
	return PP_CL_GO;
}

/* The cells of the line at hand and those of the line below change places. */
static void
swap(struct pp_cl_batch *b)
{
	pp_str *cell = b->cell;
	size_t cells = b->cells, cap = b->cap;
	bool slashes = b->slashes;

	b->cell = b->ahead.cell;
	b->cells = b->ahead.cells;
	b->cap = b->ahead.cap;
	b->slashes = b->ahead.slashes;
	b->ahead.cell = cell;
	b->ahead.cells = cells;
	b->ahead.cap = cap;
	b->ahead.slashes = slashes;
}

/*
 * The line below the row at hand is none of it: does the last cell go on in
 * it, because nothing escapes its newlines (-r)?  So it does if a full row
 * follows further down.  *next moves in front of that.
 */
static enum pp_cl_step
sandwiched(struct pp_client *c, struct pp_cl_batch *b, pp_str line,
    const char **next)
{
	const char *at = *next, *behind;
	bool several = b->several;
	size_t n;

	if (b->number == SIZE_MAX || pp_cl_ends_record(line) ||
	    (b->cells > 1 && names_like(b)))
		return PP_CL_OVER;
	/* another result: nothing but its rows tells without names */
	if (!c->rs.has_names && b->cells > 1 && known_rows(c, b, at))
		return PP_CL_OVER;
	for (n = 0; n < JOIN_MAX && at < c->e; n++) {
		if (!pp_cl_batch_line(c, b, at, &line, &behind))
			return PP_CL_MORE;
		if (pp_cl_ends_record(line))
			return PP_CL_OVER;
		pp_cl_batch_split(c, b, line);
		if (b->cells >= b->n) {
			if (!pp_cl_number(b->cell[b->number]))
				return PP_CL_OVER;
			*next = at;
			return PP_CL_GO;
		}
		at = behind;
	}
	b->several = several;
	return at == c->e && !c->last && n < JOIN_MAX ? PP_CL_MORE :
	    PP_CL_OVER;
}

/* Look at the line below the row at hand, which ends before *next. */
static enum pp_cl_step
look_ahead(struct pp_client *c, struct pp_cl_batch *b, const char **next)
{
	enum pp_cl_step r;
	const char *behind, *was = *next;
	bool several = b->several;
	pp_str line, *last;

	b->ahead.feed = 0;
	if (*next == c->e)
		return c->last ? PP_CL_GO : PP_CL_MORE;
	if (!pp_cl_batch_line(c, b, *next, &line, &behind))
		return PP_CL_MORE;
	b->ahead.several = b->several;
	swap(b);
	pp_cl_batch_split(c, b, line);
	if (b->cells == b->n || pp_cl_blank(line)) {
		b->ahead.feed = c->feeds;
		b->ahead.at = *next;
		b->ahead.next = behind;
		swap(b);
		b->several = several;
		return PP_CL_GO;
	}
	r = b->cells < b->n ? sandwiched(c, b, line, next) : PP_CL_OVER;
	swap(b);
	b->several = several || r == PP_CL_GO;
	if (r == PP_CL_GO) {
		last = &b->cell[b->n - 1];
		last->n = (size_t)(*next - last->p) - 1;
		b->slashes = true;
		c->rs.losses |= PP_LOSS_SPLIT;
	} else {
		*next = was;
	}
	return r == PP_CL_MORE ? r : PP_CL_GO;
}

/* The line at c->p, split; false: not all of it is there. */
static bool
take_up(struct pp_client *c, struct pp_cl_batch *b, pp_str *line,
    const char **next)
{
	if (b->ahead.feed == c->feeds && b->ahead.at == c->p) {
		swap(b);
		*next = b->ahead.next;
		b->several = b->ahead.several;
		*line = (pp_str){c->p, (size_t)(b->cell[b->cells - 1].p +
		    b->cell[b->cells - 1].n - c->p)};
		return true;
	}
	if (!pp_cl_batch_line(c, b, c->p, line, next))
		return false;
	pp_cl_batch_split(c, b, *line);
	return true;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct pp_cl_batch *b = c->state;
	const char *next;
	enum pp_cl_step r;
	pp_str line;

	if (!take_up(c, b, &line, &next))
		return PP_CL_MORE;
	b->ahead.feed = 0;
	if (b->cells != b->n)
		return odd_line(c, b, line, next);
	if (!b->typed) {
		learn_types(b);
		if (same_names(c, b))
			b->typed = false;
	}
	if (b->n == 1 && pp_cl_ends_record(line))
		return leave(c, false);
	if (head_among_rows(c, b)) {
		begin_set(c, b, c->p, next);
	} else if ((!c->rs.has_names || !b->known) && other_rows(c, b, next)) {
		begin_set(c, b, c->p, next);
		if (!b->names) {
			learn_types(b);
			emit(c, b, c->p, pp_cl_open_end(c, next));
		}
	} else {
		r = look_ahead(c, b, &next);
		if (r == PP_CL_MORE)
			return r;
		emit(c, b, c->p, pp_cl_open_end(c, next));
	}
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

static const struct pp_cl_form batch_form = {step, finish, NULL};

/*
 * Are these cells, and not text with a TAB in it?  Names, a number, many of
 * them, or a line below with as many.
 */
static bool
rows_like(struct pp_client *c, struct pp_cl_batch *b, pp_str row,
    const char *next)
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
	if (next == c->e || !pp_cl_batch_line(c, b, next, &line, &behind))
		return names;
	pp_cl_batch_split(c, b, line);
	i = b->cells;
	pp_cl_batch_split(c, b, row);
	return i == n;
}

enum pp_cl_step
pp_cl_try_batch(struct pp_client *c, pp_str line)
{
	struct pp_cl_batch *b;
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
	b->escaped = !pp_cl_batch_unescaped((pp_str){c->p, look < LOOK ? look : LOOK},
	    &exports);
	b->exports = exports && b->escaped;
	if (!pp_cl_batch_line(c, b, c->p, &row, &next)) {
		c->form = NULL;
		return PP_CL_MORE;
	}
	pp_cl_batch_split(c, b, row);
	if (!rows_like(c, b, row, next)) {
		c->form = NULL;
		return PP_CL_OVER;
	}
	begin_set(c, b, c->p, next);
	if (!b->names) {
		learn_types(b);
		emit(c, b, c->p, pp_cl_open_end(c, next));
	}
	pp_cl_take(c, next);
	return PP_CL_GO;
}
