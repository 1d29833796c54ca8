/*
 * columns.c: tables of padded columns without bars at their edges: psql, and
 * the plain styles of mycli.
 *
 *	 id | query		psql: a plus stands where a cell goes on
 *	----+--------
 *	  1 | SELECT +
 *	    |   1
 *	(1 row)
 *
 *	id  t			simple and reStructuredText: a ruler; plain has
 *	--  -----		none, minimal has no names either
 *	1   plain
 *
 * Cells are told apart by counting, as in box.c; a line that is not padded as
 * it should be is split where two blanks stand.
 */
#include "parse.h"

struct grown {
	char *p;
	size_t n, cap;
};

struct columns {
	bool psql;
	size_t *w;		/* cells of each column */
	size_t n;
	pp_str *cell;		/* of the line at hand */
	bool goes_on;		/* a plus said so */
	bool held;
	struct grown *row;	/* the row so far */
	uint64_t line, offset;
};

static const struct pp_cl_form columns_form;

/* ------------------------------------------------------------------- lines */

/* Take cells from *p on: up to w of them, or to e.  Whether all were there. */
static bool
count_off(enum pp_cl_measure m, const char **p, const char *e, size_t w)
{
	size_t have = 0, n;
	const char *q = *p;

	while (q < e && have < w) {
		have += pp_cl_width_char(m, q, e, &n);
		q += n;
	}
	while (q < e && (unsigned char)*q >= 0x80 &&
	    pp_cl_width_char(m, q, e, &n) == 0)
		q += n;
	*p = q;
	return have == w;
}

/* The line's cells by the widths; false: it is not padded so. */
static bool
by_widths(struct columns *x, enum pp_cl_measure m, pp_str line)
{
	const char *p = line.p, *e = line.p + line.n, *from;
	size_t i;

	x->goes_on = false;
	for (i = 0; i < x->n; i++) {
		if (x->psql && p < e && *p++ != ' ')
			return false;
		from = p;
		if (i + 1 == x->n) {
			/* the last one is not padded, and may be longer */
			if (x->psql && e > p && e[-1] == '+' &&
			    pp_cl_width(m, (pp_str){p, (size_t)(e - p)}) ==
			    x->w[i] + 1) {
				e--;
				x->goes_on = true;
			}
			x->cell[i] = (pp_str){from, (size_t)(e - from)};
			return true;
		}
		if (!count_off(m, &p, e, x->w[i]) && p < e)
			return false;
		x->cell[i] = (pp_str){from, (size_t)(p - from)};
		if (p == e)
			continue;
		if (x->psql) {
			x->goes_on |= *p == '+';
			if ((*p != ' ' && *p != '+') || e - p < 2 ||
			    p[1] != '|')
				return false;
			p += 2;
		} else {
			if (*p != ' ' || (e - p > 1 && p[1] != ' '))
				return false;
			p += e - p > 1 ? 2 : 1;
		}
	}
	return true;
}

/* Where two blanks stand, or at bars: as many cells as there are columns. */
static bool
by_blanks(struct columns *x, pp_str line)
{
	pp_str sep = x->psql ? PP_STR(" | ") : PP_STR("  ");
	size_t n = 0, at;

	while (n < x->n) {
		at = n + 1 < x->n ? pp_str_find(line, sep) : line.n;
		x->cell[n++] = (pp_str){line.p, at};
		line = pp_str_skip(line, at);
		if (line.n == 0)
			break;
		if (x->psql)
			line = pp_str_skip(line, sep.n);
		while (line.n > 0 && line.p[0] == ' ')
			line = pp_str_skip(line, 1);
	}
	return n == x->n;
}

static bool
split(struct columns *x, pp_str line)
{
	unsigned i;
	pp_str last;

	if (by_widths(x, PP_CL_TERMINAL, line)) {
		last = x->cell[x->n - 1];
		if (x->psql || last.n == 0 || last.p[0] != ' ' ||
		    pp_cl_blank(last))
			return true;
	}
	x->goes_on = false;
	if (by_blanks(x, line))
		return true;
	for (i = 0; i < PP_CL_MEASURES; i++)
		if (by_widths(x, (enum pp_cl_measure)i, line))
			return true;
	return false;
}

/* -------------------------------------------------------------------- rows */

static void
grow(struct pp_client *c, struct grown *g, pp_str s)
{
	char *p;

	if (g->n + s.n + 1 > g->cap) {
		g->cap = (g->n + s.n + 1) * 2;
		p = pp_arena_alloc(&c->form_mem, g->cap);
		if (g->n != 0)
			memcpy(p, g->p, g->n);
		g->p = p;
	}
	if (s.n != 0)
		memcpy(g->p + g->n, s.p, s.n);
	g->n += s.n;
}

static pp_str
clean(struct columns *x, size_t i)
{
	pp_str s = pp_cl_unpad(x->cell[i]);

	/* psql puts numbers at the right, mycli nothing */
	return i + 1 == x->n && !x->psql ? pp_cl_unpad(s) : s;
}

static void
emit(struct pp_client *c, struct columns *x)
{
	size_t i;
	pp_str s;

	if (!x->held)
		return;
	x->held = false;
	pp_cl_row_begin(c);
	for (i = 0; i < x->n; i++) {
		s = (pp_str){x->row[i].p, x->row[i].n};
		while (s.n > 0 && s.p[s.n - 1] == '\n')
			s.n--;
		if (pp_str_eq(s, PP_STR("<null>")))
			pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
		else if (x->psql && s.n == 0)
			pp_cl_cell(c, s, PP_CELL_PERHAPS);
		else
			pp_cl_plain_cell(c, s);
	}
	pp_cl_row_at(c, x->line, x->offset, false);
}

/* Is the line at hand more of the held row? */
static bool
more(struct columns *x, bool went_on)
{
	bool any = false;
	size_t i;

	if (!x->held)
		return false;
	if (x->psql)
		return went_on;
	for (i = 0; i < x->n; i++) {
		if (clean(x, i).n == 0)
			continue;
		any = true;
		if (i == 0 || pp_cl_number((pp_str){x->row[i].p,
		    x->row[i].n}))
			return false;
	}
	return any;
}

static void
add_line(struct pp_client *c, struct columns *x, bool went_on)
{
	bool carries = more(x, went_on);
	size_t i;

	if (!carries) {
		emit(c, x);
		x->line = c->line;
		x->offset = pp_cl_offset(c, c->p);
		x->held = true;
	}
	for (i = 0; i < x->n; i++) {
		if (carries)
			grow(c, &x->row[i], PP_STR("\n"));
		else
			x->row[i].n = 0;
		grow(c, &x->row[i], clean(x, i));
	}
}

static enum pp_cl_step
leave(struct pp_client *c, struct columns *x, bool cut)
{
	emit(c, x);
	if (c->set)
		pp_cl_set_done(c, cut);
	c->form = NULL;
	return PP_CL_OVER;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct columns *x = c->state;
	struct pp_cl_rule rule;
	const char *next;
	bool went_on = x->goes_on;
	uint64_t rows;
	pp_str line;

	if (!pp_cl_line(c, c->p, &line, &next))
		return PP_CL_MORE;
	pp_arena_reset(&c->row_mem);
	if (pp_cl_is_rule(line, &rule, &c->row_mem)) {
		pp_cl_take(c, next);
		(void)leave(c, x, false);
		return PP_CL_GO;
	}
	if (pp_cl_blank(line) || pp_cl_is_footer(line, &rows) ||
	    pp_cl_ends_record(line) || !split(x, line))
		return leave(c, x, false);
	add_line(c, x, went_on);
	pp_cl_take(c, next);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	(void)leave(c, c->state, false);
}

static const struct pp_cl_form columns_form = {step, finish, NULL};

static struct columns *
open_columns(struct pp_client *c, const size_t *w, size_t n)
{
	struct columns *x = pp_cl_form(c, &columns_form, sizeof(*x));

	x->n = n;
	x->w = pp_arena_alloc(&c->form_mem, n * sizeof(*w) + 1);
	memcpy(x->w, w, n * sizeof(*w));
	x->cell = pp_arena_zalloc(&c->form_mem, n * sizeof(*x->cell) + 1);
	x->row = pp_arena_zalloc(&c->form_mem, n * sizeof(*x->row) + 1);
	return x;
}

static void
begin_set(struct pp_client *c, struct columns *x, bool names)
{
	pp_str *v = pp_arena_alloc(&c->form_mem, x->n * sizeof(*v) + 1);
	size_t i;

	for (i = 0; i < x->n; i++)
		v[i] = pp_str_trim(x->cell[i]);
	pp_cl_set(c, x->psql ? PP_FORM_BOX : PP_FORM_FIXED,
	    (x->psql ? PP_LOSS_EMPTY : PP_LOSS_NULL) | PP_LOSS_BLANKS,
	    names ? v : NULL, x->n, c->p);
}

/* ------------------------------------------------------------ where one begins */

/* Does a ruler follow, or lead?  Widths from it. */
static enum pp_cl_step
try_ruled(struct pp_client *c, pp_str line)
{
	struct pp_cl_rule rule;
	const char *next, *behind, *third;
	struct columns *x;
	pp_str below, same;
	bool top;

	if (!pp_cl_line(c, c->p, &same, &next) ||
	    !pp_cl_line(c, next, &below, &behind))
		return PP_CL_MORE;
	pp_arena_reset(&c->row_mem);
	/* reStructuredText: a ruler, the names, a ruler */
	top = pp_cl_is_rule(line, &rule, &c->row_mem) &&
	    rule.kind == PP_CL_RULE_RULER;
	if (top) {
		line = below;
		if (!pp_cl_line(c, behind, &below, &third))
			return PP_CL_MORE;
	}
	if (!pp_cl_is_rule(below, &rule, &c->row_mem) ||
	    (rule.kind != PP_CL_RULE_OPEN && rule.kind != PP_CL_RULE_RULER) ||
	    rule.n > PP_CL_COLUMNS || rule.n == 0)
		return PP_CL_OVER;
	x = open_columns(c, rule.w, rule.n);
	x->psql = rule.kind == PP_CL_RULE_OPEN;
	if (!split(x, line)) {
		c->form = NULL;
		return PP_CL_OVER;
	}
	if (top)
		pp_cl_take(c, next);
	begin_set(c, x, true);
	pp_cl_take(c, top ? third : behind);
	return PP_CL_GO;
}

/* Names that somebody knows, two blanks or more apart. */
static enum pp_cl_step
try_plain(struct pp_client *c, pp_str line)
{
	struct columns *x;
	pp_str names[64];
	size_t w[64], n = 0, i = 0, from;
	const char *next;
	pp_str same;

	while (i < line.n && n < 64) {
		from = i;
		while (i < line.n && !(line.p[i] == ' ' && (i + 1 == line.n ||
		    line.p[i + 1] == ' ')))
			i++;
		names[n] = (pp_str){line.p + from, i - from};
		while (i < line.n && line.p[i] == ' ')
			i++;
		w[n++] = i - from >= 2 ? i - from - 2 : 0;
	}
	if (n < 2 || n == 64 ||
	    pp_cl_known(c, PP_FORM_FIXED, names, n) == 0)
		return PP_CL_OVER;
	if (!pp_cl_line(c, c->p, &same, &next))
		return PP_CL_MORE;
	x = open_columns(c, w, n);
	memcpy(x->cell, names, n * sizeof(*names));
	begin_set(c, x, true);
	pp_cl_take(c, next);
	return PP_CL_GO;
}

enum pp_cl_step
pp_cl_try_columns(struct pp_client *c, pp_str line)
{
	enum pp_cl_step r;

	if (line.n < 3)
		return PP_CL_OVER;
	r = try_ruled(c, line);
	if (r == PP_CL_OVER && pp_str_find(line, PP_STR("  ")) < line.n)
		r = try_plain(c, line);
	return r;
}
