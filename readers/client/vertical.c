/*
 * vertical.c: a line a cell: \G and -E of the clients, mycli's and psql's.
 *
 *	*************************** 1. row ***************************
 *	    Status: starting
 *	  Duration: 0.000110
 *
 * Names are padded on the left to the longest in bytes, so the colons of a
 * record stand below each other.  A value goes on until the line of the next
 * name in the order of the names, which values cannot imitate for long; the
 * last one until something that is no value.  mycli and psql write
 * `name | value`, and psql ends a line that goes on with a plus.
 */
#include "parse.h"

/* Colons so far apart still stand below each other. */
#define NEAR 2

/* Lines of one record that are looked at for names. */
#define NAMES_MAX 4096

struct vertical {
	bool headed;		/* records begin with a row header */
	bool known;		/* the names are */
	bool bars;		/* name | value */
	bool psql;
	bool nameless;		/* -N */
	bool loose;		/* the names are not aligned */
	bool lacks;		/* the last record lacks a name, or more */
	size_t column;		/* of the colon */
	uint64_t number;	/* of the last record */
	pp_str *names;		/* in form_mem */
	pp_str *prefix;		/* the line up to and with the colon */
	size_t n;
};

static const struct pp_cl_form vertical_form;

/* ------------------------------------------------------------------ fields */

/* Where the name of the line ends: at ':' (or at the bar); s.n: nowhere. */
static size_t
name_end(const struct vertical *v, pp_str s)
{
	size_t i;

	for (i = 0; i < s.n && i < 512; i++) {
		if (v->bars) {
			if (s.p[i] == '|' && i > 0 && s.p[i - 1] == ' ' &&
			    (i + 1 == s.n || s.p[i + 1] == ' '))
				return i;
		} else if (s.p[i] == ':' &&
		    (i + 1 == s.n || s.p[i + 1] == ' ' ||
		    s.p[i + 1] == '\t')) {
			return i;
		}
	}
	return s.n;
}

static bool
plain_word(pp_str s)
{
	size_t i;

	if (s.n == 0)
		return false;
	for (i = 0; i < s.n; i++) {
		char ch = s.p[i];

		if (!((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
		    ch == '_' || ch == '$' ||
		    (i > 0 && ch >= '0' && ch <= '9')))
			return false;
	}
	return true;
}

/* Could the line begin a field?  Its name. */
static bool
field_like(const struct vertical *v, pp_str s, pp_str *name)
{
	size_t end = name_end(v, s);

	if (end == s.n)
		return false;
	*name = pp_str_trim((pp_str){s.p, end});
	if (v->loose)
		return plain_word(*name);
	if (v->bars)
		return name->n != 0 && s.p[0] != ' ' && pp_cl_width(
		    PP_CL_TERMINAL, (pp_str){s.p, end}) == v->column;
	/* the name may be blank or have a colon of its own */
	if (end < v->column && v->column < s.n && s.p[v->column] == ':' &&
	    (v->column + 1 == s.n || s.p[v->column + 1] == ' ')) {
		end = v->column;
		*name = pp_str_trim((pp_str){s.p, end});
	}
	return end == v->column;
}

static pp_str
value_of(const struct vertical *v, pp_str line, size_t end)
{
	pp_str s = pp_str_skip(line, end + 1);

	(void)v;
	if (s.n > 0 && s.p[0] == ' ')
		s = pp_str_skip(s, 1);
	return s;
}

/* A line that a hand has moved a little. */
static bool
is_near(const struct vertical *v, size_t end)
{
	return !v->bars && end <= v->column + NEAR && v->column <= end + NEAR;
}

/* Does the line begin field k? */
static bool
begins_field(const struct vertical *v, pp_str s, size_t k)
{
	size_t end;

	if (pp_str_starts(s, v->prefix[k]) && (s.n == v->prefix[k].n ||
	    s.p[v->prefix[k].n] == ' ' || s.p[v->prefix[k].n] == '\t'))
		return true;
	end = name_end(v, s);
	return end != s.n && v->names[k].n != 0 &&
	    pp_str_eq(pp_str_trim((pp_str){s.p, end}), v->names[k]) &&
	    (v->loose || is_near(v, end));
}

/* ------------------------------------------------------------------- names */

/* The end of the record whose first field stands at p: the line that is none
 * of it.  False when that is not in the window. */
static bool
record_end(const struct pp_client *c, const char *p, const char **end)
{
	const char *next;
	pp_str line;

	for (;; p = next) {
		*end = p;
		if (p == c->e)
			return c->last;
		if (!pp_cl_line(c, p, &line, &next))
			return false;
		if (pp_cl_ends_record(line))
			return true;
	}
}

/* Is it one of the names that are known, on a line that a hand has moved? */
static bool
near_name(const struct vertical *v, pp_str s, const pp_str *known, size_t n,
    pp_str *name)
{
	size_t end = name_end(v, s), i;

	if (end == s.n || !is_near(v, end))
		return false;
	*name = pp_str_trim((pp_str){s.p, end});
	for (i = 0; i < n; i++)
		if (pp_str_eq(known[i], *name))
			return true;
	return false;
}

/* The names that lines from p to end offer; those of the record before are
 * known. */
static size_t
offered(const struct pp_client *c, const struct vertical *v, const char *p,
    const char *end, const pp_str *known, size_t nknown, pp_str *names,
    pp_str *prefix, size_t max)
{
	const char *next;
	pp_str line, name;
	size_t n = 0, i;

	for (; p < end && n < max; p = next) {
		if (!pp_cl_line(c, p, &line, &next))
			break;
		if (!field_like(v, line, &name) &&
		    !near_name(v, line, known, nknown, &name))
			continue;
		/* a name comes once: a second time it is text */
		for (i = 0; i < n && !pp_str_eq(names[i], name); i++)
			;
		if (i < n)
			continue;
		names[n] = name;
		prefix[n++] = (pp_str){line.p, (size_t)(name.p + name.n -
		    line.p)};
	}
	return n;
}

/* Drop the names that the next record does not have. */
static size_t
confirmed(pp_str *names, pp_str *prefix, size_t n, const pp_str *also,
    size_t m)
{
	size_t i, k = 0, kept = 0;

	if (m == 0)
		return n;
	for (i = 0; i < n; i++) {
		size_t j = k;

		while (j < m && !pp_str_eq(also[j], names[i]))
			j++;
		if (j == m)
			continue;
		k = j + 1;
		names[kept] = names[i];
		prefix[kept++] = prefix[i];
	}
	return kept;
}

/* Is `part` the beginning of v?  Then its record was cut off. */
static bool
begins(const pp_str *v, const pp_str *part, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!pp_str_eq(v[i], part[i]))
			return false;
	return true;
}

/* What the first field says of the layout. */
static bool
layout(struct pp_client *c, struct vertical *v, const char *p,
    const char *end)
{
	pp_str line, name, second;
	const char *next, *behind;
	size_t at;

	if (!pp_cl_line(c, p, &line, &next))
		return false;
	at = name_end(v, line);
	if (at == line.n)
		return false;
	v->column = v->bars ? pp_cl_width(PP_CL_TERMINAL,
	    (pp_str){line.p, at}) : at;
	/* a number is a name if the next line has one as well */
	if (!v->bars && pp_cl_number(pp_str_trim((pp_str){line.p, at})) &&
	    (next >= end || !pp_cl_line(c, next, &second, &behind) ||
	    !field_like(v, second, &name)))
		return false;
	if (v->bars || next >= end || !pp_cl_line(c, next, &second, &behind))
		return true;
	/* a paste may have lost the blanks in front */
	at = name_end(v, second);
	v->loose = at != second.n && !field_like(v, second, &name) &&
	    plain_word(pp_str_trim((pp_str){second.p, at})) &&
	    plain_word(pp_str_trim((pp_str){line.p, v->column}));
	return true;
}

/*
 * Learn the names from the record from p to end; where another follows, it
 * has to agree.  PP_CL_MORE when that one is not in the window.
 */
static enum pp_cl_step
learn(struct pp_client *c, struct vertical *v, const char *p, const char *end)
{
	pp_str *names, *prefix, *also, *unused, line;
	const char *first, *second_end;
	size_t i, n, m;

	if (!layout(c, v, p, end)) {
		v->nameless = true;
		return PP_CL_GO;
	}
	pp_arena_reset(&c->row_mem);
	names = pp_arena_alloc(&c->row_mem, NAMES_MAX * sizeof(*names) * 4);
	prefix = names + NAMES_MAX;
	also = prefix + NAMES_MAX;
	unused = also + NAMES_MAX;
	n = offered(c, v, p, end, NULL, 0, names, prefix, NAMES_MAX);
	if (end < c->e && v->headed) {
		if (!pp_cl_line(c, end, &line, &first))
			return PP_CL_MORE;
		if (pp_cl_row_header(line) == v->number + 1) {
			if (!record_end(c, first, &second_end))
				return PP_CL_MORE;
			m = offered(c, v, first, second_end, names, n, also,
			    unused, NAMES_MAX);
			if (second_end != c->e || m >= n ||
			    !begins(names, also, m))
				n = confirmed(names, prefix, n, also, m);
		}
	}
	if (n == 0) {
		v->nameless = true;
		return PP_CL_GO;
	}
	v->n = n;
	v->names = pp_arena_alloc(&c->form_mem, n * sizeof(*names) + 1);
	v->prefix = pp_arena_alloc(&c->form_mem, n * sizeof(*names) + 1);
	for (i = 0; i < n; i++) {
		/* with the colon, or up to the end of the name */
		pp_str q = prefix[i];

		if (!v->bars)
			q.n++;
		v->names[i] = pp_arena_str(&c->form_mem, names[i]);
		v->prefix[i] = pp_arena_str(&c->form_mem, q);
	}
	v->known = true;
	return PP_CL_GO;
}

/* ------------------------------------------------------------------ records */

/* psql: the lines of a value without what stands around them. */
static pp_str
psql_value(struct pp_client *c, pp_str s)
{
	char *to = pp_arena_alloc(&c->row_mem, s.n + 1);
	size_t n = 0;
	bool first = true;

	while (s.n > 0) {
		size_t end = pp_str_find(s, PP_STR("\n"));
		pp_str line = {s.p, end}, value = line;

		s = pp_str_skip(s, end + 1);
		if (!first) {
			size_t bar = pp_str_find(line, PP_STR("|"));

			if (bar < line.n)
				value = pp_str_skip(line, bar + 1);
			if (value.n > 0 && value.p[0] == ' ')
				value = pp_str_skip(value, 1);
			to[n++] = '\n';
		}
		first = false;
		if (value.n > 0 && value.p[value.n - 1] == '+' && s.n > 0) {
			value.n--;
			while (value.n > 0 && value.p[value.n - 1] == ' ')
				value.n--;
		}
		if (value.n > 0)
			memcpy(to + n, value.p, value.n);
		n += value.n;
	}
	return (pp_str){to, n};
}

static void
put_value(struct pp_client *c, struct vertical *v, const char *from,
    const char *to, enum pp_cell_state state)
{
	pp_str s = {from, (size_t)(to - from)};

	if (s.n > 0 && s.p[s.n - 1] == '\n')
		s.n--;
	if (s.n > 0 && s.p[s.n - 1] == '\r' && c->crlf)
		s.n--;
	if (c->crlf)
		s = pp_cl_no_cr(c, s);
	if (v->psql && memchr(s.p, '\n', s.n) != NULL)
		s = psql_value(c, s);
	if (state == PP_CELL_CUT)
		pp_cl_cell(c, s, state);
	else if (v->bars && pp_str_eq(s, PP_STR("<null>")))
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
	else if (v->psql && s.n == 0)
		pp_cl_cell(c, s, PP_CELL_PERHAPS);
	else
		pp_cl_plain_cell(c, s);
}

/* The value of the last field, without blank lines at the end of a paste. */
static const char *
last_value_end(const struct pp_client *c, const char *from, const char *end)
{
	uint64_t rows;
	const char *next;
	pp_str line;

	if (end < c->e && pp_cl_line(c, end, &line, &next) &&
	    (pp_cl_row_header(line) != 0 || pp_cl_is_footer(line, &rows)) &&
	    !(end - from > 4 && memcmp(end - 5, "\n...\n", 5) == 0))
		return end;
	if (end - from > 4 && memcmp(end - 5, "\n...\n", 5) == 0)
		end -= 4;
	while (end - from > 1 && end[-1] == '\n' &&
	    (end[-2] == '\n' || (end - from > 2 && end[-2] == '\r' &&
	    end[-3] == '\n')))
		end -= end[-2] == '\r' ? 2 : 1;
	return end;
}

/* The record from p to end by its names. */
static void
emit_record(struct pp_client *c, struct vertical *v, const char *at,
    const char *p, const char *end)
{
	const char *next, *from = NULL;
	size_t k = 0;
	pp_str line = {"", 0};
	bool cut;

	pp_cl_row_begin(c);
	for (; p < end; p = next) {
		if (!pp_cl_line(c, p, &line, &next))
			break;
		if (k < v->n && begins_field(v, line, k)) {
			size_t skip = v->prefix[k].n;

			if (v->loose || v->bars ||
			    !pp_str_starts(line, v->prefix[k]))
				skip = name_end(v, line) + 1;
			if (from != NULL)
				put_value(c, v, from, p, PP_CELL_TEXT);
			line = value_of(v, line, skip - 1);
			from = line.p;
			k++;
		} else if (!v->headed && pp_cl_elision(line)) {
			if (from != NULL)
				put_value(c, v, from, p, PP_CELL_TEXT);
			from = NULL;
		}
	}
	if (from != NULL)
		line = (pp_str){from, (size_t)(end - from)};
	cut = from != NULL && end == c->e && c->last && (k < v->n ?
	    /* text could have more lines, a number is complete */
	    pp_cl_open_end(c, end) || !pp_cl_number(pp_str_trim(line)) :
	    pp_cl_open_end(c, end) && pp_cl_may_go_on(line));
	if (from != NULL)
		put_value(c, v, from, last_value_end(c, from, end),
		    cut ? PP_CELL_CUT : PP_CELL_TEXT);
	if (k < v->n)
		pp_cl_problem(c, PP_MSG_CUT_RECORD, at,
		    "cut record: %zu of %zu fields", k, v->n);
	else if (cut)
		pp_cl_problem(c, PP_MSG_CUT_RECORD, at, "cut record: the last "
		    "line has no line end, and its value may go on");
	pp_cl_row(c, at, k < v->n || cut);
}

/* -N: the lines of the record are its cells. */
static void
emit_nameless(struct pp_client *c, struct vertical *v, const char *at,
    const char *p, const char *end)
{
	const char *next;
	pp_str line;

	pp_cl_row_begin(c);
	for (; p < end; p = next) {
		if (!pp_cl_line(c, p, &line, &next))
			break;
		if (v->n != 0 && c->ncells == v->n) {
			/* text of several lines: of the last cell, if any */
			struct pp_rs_cell *last = &c->cells[c->ncells - 1];

			last->text.n = (size_t)(line.p + line.n -
			    last->text.p);
			c->rs.losses |= PP_LOSS_SPLIT;
			continue;
		}
		pp_cl_plain_cell(c, line);
	}
	if (v->n == 0) {
		v->n = c->ncells;
		pp_cl_set(c, PP_FORM_VERTICAL, PP_LOSS_NULL | PP_LOSS_NUL,
		    NULL, v->n, at);
	}
	pp_cl_row(c, at, false);
}

static enum pp_cl_step
leave(struct pp_client *c, bool cut)
{
	if (c->set)
		pp_cl_set_done(c, cut);
	c->form = NULL;
	return PP_CL_OVER;
}

/*
 * The end of a record whose names are known.  What looks like an end before
 * the last name has come is text, if that name still comes.
 */
static bool
known_end(const struct pp_client *c, const struct vertical *v, const char *p,
    const char **end)
{
	const char *next, *suspect = NULL;
	size_t k = 0, since = 0;
	pp_str line;

	for (;; p = next) {
		*end = suspect != NULL ? suspect : p;
		if (p == c->e)
			return c->last;
		if (!pp_cl_line(c, p, &line, &next))
			return false;
		if (k < v->n && begins_field(v, line, k)) {
			k++;
			suspect = NULL;
		} else if (pp_cl_ends_record(line)) {
			if (k == v->n || pp_cl_row_header(line) != 0)
				return true;
			if (suspect == NULL) {
				suspect = p;
				since = 0;
			}
		}
		if (suspect != NULL && ++since > 100)
			return true;
	}
}

/* Names are padded to the longest, and none is so long: it was cut off. */
static bool
lacks(const struct vertical *v)
{
	size_t i;

	if (v->n == 0 || v->bars || v->loose || v->nameless)
		return false;
	for (i = 0; i < v->n; i++)
		if (v->names[i].n >= v->column)
			return false;
	return true;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct vertical *v = c->state;
	const char *at = c->p, *p = at, *end;
	uint64_t number = 0;
	enum pp_cl_step r;
	pp_str line;

	if (v->headed) {
		if (!pp_cl_line(c, p, &line, &p))
			return PP_CL_MORE;
		number = pp_cl_row_header(line);
		/* the head of a record that breaks off */
		if (number == 0 && pp_cl_open_end(c, p) &&
		    pp_str_starts(line, v->psql ? PP_STR("-[") :
		    PP_STR("***")))
			return leave(c, true);
		/* what an author left out leaves a gap */
		if (number == 0 || number <= v->number)
			return leave(c, false);
	} else if (v->known) {
		return leave(c, false);
	}
	if (!(v->known ? known_end(c, v, p, &end) : record_end(c, p, &end)))
		return PP_CL_MORE;
	v->number = number;
	if (!v->known && !v->nameless) {
		r = learn(c, v, p, end);
		if (r == PP_CL_MORE) {
			v->number = 0;
			return r;
		}
		if (v->known)
			pp_cl_set(c, PP_FORM_VERTICAL, v->psql ?
			    PP_LOSS_EMPTY : PP_LOSS_NULL | PP_LOSS_NUL,
			    v->names, v->n, at);
	}
	if (v->nameless)
		emit_nameless(c, v, at, p, end);
	else
		emit_record(c, v, at, p, end);
	v->lacks = end == c->e && c->last && *at == '*' && lacks(v);
	pp_cl_take(c, end);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	const struct vertical *v = c->state;

	(void)leave(c, v->lacks);
}

static const struct pp_cl_form vertical_form = {step, finish, NULL};

/* Three fields and more whose colons stand below each other. */
static enum pp_cl_step
headless(struct pp_client *c, pp_str line)
{
	struct vertical v = {.headed = false}, *to;
	const char *p = c->p, *next;
	pp_str name;
	size_t n;

	v.column = name_end(&v, line);
	if (v.column == line.n || !plain_word(pp_str_trim(
	    (pp_str){line.p, v.column})))
		return PP_CL_OVER;
	for (n = 0; n < 3; n++) {
		if (p == c->e && c->last)
			return PP_CL_OVER;
		if (!pp_cl_line(c, p, &line, &next))
			return PP_CL_MORE;
		if (!field_like(&v, line, &name) || !plain_word(name))
			return PP_CL_OVER;
		p = next;
	}
	to = pp_cl_form(c, &vertical_form, sizeof(v));
	*to = v;
	return PP_CL_GO;
}

enum pp_cl_step
pp_cl_try_vertical(struct pp_client *c, pp_str line)
{
	struct vertical *v;
	const char *next, *behind;
	pp_str same, below;

	if (pp_cl_row_header(line) == 0)
		return headless(c, line);
	if (!pp_cl_line(c, c->p, &same, &next) ||
	    !pp_cl_line(c, next, &below, &behind))
		return PP_CL_MORE;
	v = pp_cl_form(c, &vertical_form, sizeof(*v));
	v->headed = true;
	v->psql = pp_str_starts(pp_str_trim(line), PP_STR("-["));
	v->bars = v->psql ||
	    pp_str_find(line, PP_STR("*[")) < line.n;
	return PP_CL_GO;
}
