/*
 * oneline.c: a whole table on one line, as pages scraped for their text have
 * it: blanks run together, line ends lost.
 *
 *	mysql> SHOW PROFILE; +---+---+ | Status | Duration | +---+---+ | init
 *	| 0.1 | | end | 0.2 | +---+---+ 2 rows in set (0.00 sec)
 *
 * A border tells how many columns there are; then so many cells make a row.
 */
#include "parse.h"

/* A border at the head of s: its length and columns. */
static size_t
border(pp_str s, size_t *columns)
{
	size_t i = 1, dashes = 0;

	*columns = 0;
	if (s.n < 5 || s.p[0] != '+')
		return 0;
	for (; i < s.n; i++) {
		if (s.p[i] == '-') {
			dashes++;
		} else if (s.p[i] == '+' && dashes > 2) {
			(*columns)++;
			dashes = 0;
		} else {
			break;
		}
	}
	return *columns > 0 && dashes == 0 ? i : 0;
}

/* The next border in s from `from` on; s.n: none. */
static size_t
find_border(pp_str s, size_t from, size_t *n, size_t *columns)
{
	size_t at;

	while (from < s.n) {
		at = from + pp_str_find(pp_str_skip(s, from), PP_STR("+--"));
		if (at >= s.n)
			return s.n;
		*n = border(pp_str_skip(s, at), columns);
		if (*n != 0)
			return at;
		from = at + 1;
	}
	return s.n;
}

static pp_str
blanks_off(pp_str s)
{
	while (s.n > 0 && s.p[0] == ' ')
		s = pp_str_skip(s, 1);
	return s;
}

/* n cells, each ended by a bar; what follows, or an empty string. */
static pp_str
cells(struct pp_client *c, pp_str s, size_t n, bool *whole)
{
	size_t i, at;
	pp_str cell;

	pp_cl_row_begin(c);
	*whole = false;
	s = pp_str_skip(s, 1);
	for (i = 0; i < n; i++) {
		at = pp_str_find(s, PP_STR("|"));
		cell = pp_str_trim((pp_str){s.p, at});
		if (at == s.n) {
			if (cell.n != 0)
				pp_cl_cell(c, cell, PP_CELL_CUT);
			return pp_str_skip(s, s.n);
		}
		pp_cl_plain_cell(c, cell);
		s = pp_str_skip(s, at + 1);
	}
	*whole = true;
	return blanks_off(s);
}

/* The rows behind a border; s moves behind them. */
static void
rows(struct pp_client *c, pp_str *s, size_t n)
{
	const char *at;
	bool whole;

	while (s->n > 0 && s->p[0] == '|') {
		at = s->p;
		*s = cells(c, *s, n, &whole);
		if (!whole)
			pp_cl_problem(c, PP_MSG_CUT_RECORD, at,
			    "cut record: a row of a table breaks off");
		if (c->ncells != 0)
			pp_cl_row(c, at, !whole);
	}
}

/* The table whose border begins at s: what follows it. */
static pp_str
table(struct pp_client *c, pp_str s, size_t n, size_t columns)
{
	pp_str *names, rest;
	size_t i, len, cols;
	uint64_t count;
	bool whole;

	rest = blanks_off(pp_str_skip(s, n));
	if (rest.n == 0 || rest.p[0] != '|')
		return rest;
	s = rest;
	rest = cells(c, s, columns, &whole);
	len = border(rest, &cols);
	names = pp_arena_alloc(&c->form_mem, columns * sizeof(*names));
	for (i = 0; i < c->ncells; i++)
		names[i] = c->cells[i].text;
	if (!whole || len == 0) {
		pp_cl_set(c, PP_FORM_BOX, PP_LOSS_NULL | PP_LOSS_SPLIT, NULL,
		    columns, s.p);
		rest = s;
	} else {
		pp_cl_set(c, PP_FORM_BOX, PP_LOSS_NULL | PP_LOSS_SPLIT, names,
		    columns, s.p);
		rest = blanks_off(pp_str_skip(rest, len));
	}
	rows(c, &rest, columns);
	len = border(rest, &cols);
	pp_cl_set_done(c, len == 0);
	rest = blanks_off(pp_str_skip(rest, len));
	if (pp_cl_is_footer(rest, &count))
		(void)pp_cl_set_footer(c, count);
	return rest;
}

enum pp_cl_step
pp_cl_try_one_line(struct pp_client *c, pp_str line)
{
	size_t at, n, columns, first, second;
	const char *next;
	pp_str s, same;
	bool more;

	if (line.n < 16)
		return PP_CL_OVER;
	first = find_border(line, 0, &n, &columns);
	if (first == line.n)
		return PP_CL_OVER;
	second = find_border(line, first + n, &at, &columns);
	if (second == line.n)
		return PP_CL_OVER;
	if (!pp_cl_line(c, c->p, &same, &next))
		return PP_CL_MORE;
	pp_arena_reset(&c->form_mem);
	s = line;
	for (;;) {
		at = find_border(s, 0, &n, &columns);
		same = (pp_str){s.p, at};
		same = pp_str_skip(same, pp_cl_prompt(same, &more));
		pp_cl_set_close(c);
		if (!pp_cl_blank(same))
			pp_cl_typed(c, same);
		if (at == s.n)
			break;
		s = table(c, pp_str_skip(s, at), n, columns);
	}
	pp_cl_take(c, next);
	return PP_CL_GO;
}
