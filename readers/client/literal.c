/*
 * literal.c: rows as literals of a language: YAML and PHP of phpMyAdmin.
 *
 *	# shop.t		-
 *	-			  id: 1
 *				  t: "a\nb"
 *
 *	$t = array(
 *	  array('id' => '1','t' => 'a' . "\0" . 'b'),
 *
 * Text is quoted, the bare word null or NULL is NULL.
 */
#include "parse.h"

struct literal {
	bool php;
	struct pp_cl_named named;
};

static const struct pp_cl_form literal_form;

static enum pp_cl_step
leave(struct pp_client *c, bool cut)
{
	if (c->set && !c->awaits)
		pp_cl_set_done(c, cut);
	c->form = NULL;
	return PP_CL_OVER;
}

/* Resolve the escapes of s, which stood in quotes of that kind. */
static size_t
unquote(pp_str s, char quote, bool php, char *to)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++) {
		char ch = s.p[i];

		if (ch != '\\' || i + 1 == s.n) {
			to[n++] = ch;
			continue;
		}
		ch = s.p[++i];
		if (quote == '\'') {
			if (ch != '\\' && ch != '\'')
				to[n++] = '\\';
			to[n++] = ch;
			continue;
		}
		(void)php;
		to[n++] = ch == 'n' ? '\n' : ch == 'r' ? '\r' :
		    ch == 't' ? '\t' : ch == '0' ? '\0' : ch;
	}
	return n;
}

/* Behind the quoted text that begins at p; NULL: not all there. */
static const char *
behind_quoted(const char *p, const char *e)
{
	char quote = *p++;

	for (; p < e; p++) {
		if (*p == '\\')
			p++;
		else if (*p == quote)
			return p + 1;
	}
	return NULL;
}

static const char *
blanks(const char *p, const char *e)
{
	while (p < e && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* -------------------------------------------------------------------- YAML */

static void
yaml_value(struct pp_client *c, pp_str s)
{
	char *to;

	if (s.n > 1 && s.p[0] == '"' && s.p[s.n - 1] == '"') {
		s = (pp_str){s.p + 1, s.n - 2};
		to = pp_arena_alloc(&c->row_mem, s.n + 1);
		s = (pp_str){to, unquote(s, '"', false, to)};
		pp_cl_cell(c, s, PP_CELL_TEXT);
	} else if (pp_str_eq(s, PP_STR("null"))) {
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
	} else {
		pp_cl_cell(c, s, PP_CELL_TEXT);
	}
}

/* The row whose dash stands at c->p. */
static enum pp_cl_step
yaml_row(struct pp_client *c, struct literal *x)
{
	const char *p, *next;
	pp_str line, name;
	size_t at;

	if (!pp_cl_line(c, c->p, &line, &p))
		return PP_CL_MORE;
	if (!pp_str_eq(line, PP_STR("-")))
		return leave(c, false);
	pp_cl_row_begin(c);
	x->named.n = 0;
	for (;; p = next) {
		if (p == c->e) {
			if (!c->last)
				return PP_CL_MORE;
			break;
		}
		if (!pp_cl_line(c, p, &line, &next))
			return PP_CL_MORE;
		at = pp_str_find(line, PP_STR(": "));
		if (!pp_str_starts(line, PP_STR("  ")) || at == line.n)
			break;
		name = (pp_str){line.p + 2, at - 2};
		pp_cl_named_add(c, &x->named, name);
		yaml_value(c, pp_str_skip(line, at + 2));
	}
	if (x->named.n != 0)
		pp_cl_named_row(c, &x->named, c->p, false);
	pp_cl_take(c, p);
	return PP_CL_GO;
}

/* --------------------------------------------------------------------- PHP */

/* The value at *p: 'a' . "\0" . 'b', NULL, a number.  False: not all there. */
static bool
php_value(struct pp_client *c, const char **p, const char *e)
{
	const char *q = *p, *from, *end;
	char *to;
	size_t n = 0, room;
	pp_str s;

	if (q == e)
		return false;
	if (*q != '\'' && *q != '"') {
		while (q < e && *q != ',' && *q != ')')
			q++;
		if (q == e)
			return false;
		s = pp_str_trim((pp_str){*p, (size_t)(q - *p)});
		*p = q;
		if (pp_rs_same(s, "null"))
			pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
		else
			pp_cl_cell(c, s, PP_CELL_TEXT);
		return true;
	}
	/* how long it is, then what it is */
	for (from = q;;) {
		end = behind_quoted(q, e);
		if (end == NULL)
			return false;
		q = blanks(end, e);
		if (q == e)
			return false;
		if (*q != '.')
			break;
		q = blanks(q + 1, e);
		if (q == e || (*q != '\'' && *q != '"'))
			return false;
	}
	room = (size_t)(end - from);
	to = pp_arena_alloc(&c->row_mem, room);
	for (q = from; q < end;) {
		const char *close = behind_quoted(q, e);

		n += unquote((pp_str){q + 1, (size_t)(close - q) - 2}, *q,
		    true, to + n);
		q = close;
		while (q < end && *q != '\'' && *q != '"')
			q++;
	}
	*p = end;
	pp_cl_cell(c, (pp_str){to, n}, PP_CELL_TEXT);
	return true;
}

static enum pp_cl_step
php_row(struct pp_client *c, struct literal *x)
{
	static const char head[] = "array(";
	const char *p = blanks(c->p, c->e), *e = c->e, *q;
	pp_str s = {p, (size_t)(e - p)};
	bool whole = false;

	if (p == e || s.n < sizeof(head)) {
		if (!c->last)
			return PP_CL_MORE;
		/* ");" behind the last row */
		return leave(c, p == e || *p != ')');
	}
	if (*p == ',') {
		pp_cl_take(c, p + 1);
		return PP_CL_GO;
	}
	if (!pp_str_starts(s, PP_STR("array(")))
		return leave(c, false);
	pp_cl_row_begin(c);
	x->named.n = 0;
	q = p + 6;
	for (;;) {
		q = blanks(q, e);
		if (q == e || (*q != '\'' && *q != ')'))
			break;
		if (*q == ')') {
			whole = true;
			q++;
			break;
		}
		s = (pp_str){q + 1, 0};
		q = behind_quoted(q, e);
		if (q == NULL)
			break;
		s.n = (size_t)(q - s.p) - 1;
		q = blanks(q, e);
		if (e - q < 2 || q[0] != '=' || q[1] != '>')
			break;
		q = blanks(q + 2, e);
		if (!php_value(c, &q, e))
			break;
		pp_cl_named_add(c, &x->named, s);
		q = blanks(q, e);
		if (q < e && *q == ',')
			q++;
	}
	if (!whole && !c->last)
		return PP_CL_MORE;
	if (x->named.n != 0)
		pp_cl_named_row(c, &x->named, p, !whole);
	pp_cl_take(c, whole ? q : e);
	return PP_CL_GO;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct literal *x = c->state;

	return x->php ? php_row(c, x) : yaml_row(c, x);
}

static void
finish(struct pp_client *c)
{
	(void)leave(c, false);
}

static const struct pp_cl_form literal_form = {step, finish, NULL};

enum pp_cl_step
pp_cl_try_literal(struct pp_client *c, pp_str line)
{
	struct literal *x;
	const char *next, *behind;
	pp_str below, same;
	bool php = pp_str_starts(line, PP_STR("$")) &&
	    pp_str_ends(line, PP_STR(" = array("));
	bool yaml = pp_str_eq(line, PP_STR("-"));
	size_t at;

	if (!php && !yaml)
		return PP_CL_OVER;
	if (!pp_cl_line(c, c->p, &same, &next) ||
	    !pp_cl_line(c, next, &below, &behind))
		return PP_CL_MORE;
	if (yaml && (!pp_str_starts(below, PP_STR("  ")) ||
	    pp_str_find(below, PP_STR(": ")) == below.n))
		return PP_CL_OVER;
	if (php && !pp_str_starts(pp_str_trim(below), PP_STR("array('")))
		return PP_CL_OVER;
	x = pp_cl_form(c, &literal_form, sizeof(*x));
	x->php = php;
	x->named.table = (pp_str){"", 0};
	if (php) {
		x->named.table = pp_arena_str(&c->form_mem,
		    (pp_str){line.p + 1, line.n - 10});
		pp_cl_take(c, next);
	} else if (c->nheading > 2 && c->heading[0] == '#') {
		/* "# database.table" */
		pp_str name = {c->heading + 2, c->nheading - 2};

		at = pp_str_rfind(name, PP_STR("."));
		if (at < name.n)
			x->named.table = pp_arena_str(&c->form_mem,
			    pp_str_skip(name, at + 1));
	}
	return PP_CL_GO;
}
