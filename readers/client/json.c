/*
 * json.c: rows as JSON objects: an array of them, one behind the other, one a
 * line; phpMyAdmin, MySQL Shell, DBeaver, REST.
 *
 *	[{"id": 1, "t": null}, ...]
 *	{"id": 1}
 *	{"id": 2}
 *	[..., {"type": "table", "name": "t", "data": [{"id": 1}, ...]}]
 *	{"hasData": true, "rows": [{"id": 1}, ...], ...}
 *
 * An object is a row, unless it stands outermost (or in the outermost array)
 * and holds an array of objects: then it is a wrapper, and they are the rows.
 * Objects within a row become cells with a dotted name, arrays stay text.
 * Comments are passed over, and numbers are text: they may be wider than any
 * number of a program.
 */
#include "parse.h"

#define DEPTH_MAX 64

struct json {
	unsigned depth;		/* of open arrays and wrappers */
	char open[DEPTH_MAX];	/* '[' or '{' */
	bool wrapped;		/* rows are those of a wrapper */
	bool cut;		/* the text ends in the last object */
	struct pp_cl_named named; /* of the row at hand */
};

static const struct pp_cl_form json_form;

/* ------------------------------------------------------------------ tokens */

/* Skip blanks, commas and comments. */
static const char *
skip(const char *p, const char *e)
{
	const char *q;

	for (;;) {
		while (p < e && (*p == ' ' || *p == '\n' || *p == '\t' ||
		    *p == '\r' || *p == ','))
			p++;
		if (e - p < 2 || *p != '/')
			return p;
		if (p[1] == '/') {
			q = memchr(p, '\n', (size_t)(e - p));
			p = q != NULL ? q : e;
		} else if (p[1] == '*') {
			size_t at = pp_str_find((pp_str){p + 2,
			    (size_t)(e - p) - 2}, PP_STR("*/"));

			p += at + 4 < (size_t)(e - p) ? at + 4 :
			    (size_t)(e - p);
		} else {
			return p;
		}
	}
}

/* Behind the string whose quote stands at p; NULL: not all there. */
static const char *
behind_string(const char *p, const char *e)
{
	const char *q = p + 1, *back;

	for (;;) {
		q = q < e ? memchr(q, '"', (size_t)(e - q)) : NULL;
		if (q == NULL)
			return NULL;
		for (back = q; back > p + 1 && back[-1] == '\\';)
			back--;
		if (((q - back) & 1) == 0)
			return q + 1;
		q++;
	}
}

/* Behind the value at p; NULL: not all there. */
static const char *
behind_value(const char *p, const char *e)
{
	unsigned depth = 0;

	if (p == e)
		return NULL;
	if (*p == '"')
		return behind_string(p, e);
	if (*p != '{' && *p != '[') {
		while (p < e && *p != ',' && *p != '}' && *p != ']' &&
		    *p != '\n' && *p != ' ' && *p != '\r' && *p != '\t' &&
		    *p != '/')
			p++;
		return p == e ? NULL : p;
	}
	do {
		p = skip(p, e);
		if (p == e)
			return NULL;
		if (*p == '"') {
			p = behind_string(p, e);
			if (p == NULL)
				return NULL;
			continue;
		}
		depth += *p == '{' || *p == '[';
		depth -= *p == '}' || *p == ']';
		p++;
	} while (depth != 0);
	return p;
}

static uint32_t
hex4(const char *p)
{
	uint32_t u = 0;
	int i;

	for (i = 0; i < 4; i++) {
		char c = p[i];

		u = u << 4 | (uint32_t)(c >= '0' && c <= '9' ? c - '0' :
		    (c | 32) >= 'a' && (c | 32) <= 'f' ?
		    (c | 32) - 'a' + 10 : 0);
	}
	return u;
}

/* The character whose four digits stand at p, behind the u; *p moves behind
 * them. */
static uint32_t
unicode(const char **p, const char *e)
{
	uint32_t u, v;

	if (e - *p < 4) {
		*p = e;
		return 0xfffd;
	}
	u = hex4(*p);
	*p += 4;
	if (u < 0xd800 || u >= 0xe000)
		return u;
	if (u < 0xdc00 && e - *p >= 6 && (*p)[0] == '\\' &&
	    (*p)[1] == 'u') {
		v = hex4(*p + 2);
		if (v >= 0xdc00 && v < 0xe000) {
			*p += 6;
			return 0x10000 + ((u - 0xd800) << 10) + (v - 0xdc00);
		}
	}
	return 0xfffd;
}

/* The text of the string between its quotes, in row_mem where it changes. */
static pp_str
text_of(struct pp_client *c, const char *p, const char *e)
{
	char *to;
	size_t n = 0;

	p++;
	e--;
	if (memchr(p, '\\', (size_t)(e - p)) == NULL)
		return (pp_str){p, (size_t)(e - p)};
	/* six bytes of an escape make three, twelve make four */
	to = pp_arena_alloc(&c->row_mem, (size_t)(e - p) + 4);
	while (p < e) {
		if (*p != '\\' || p + 1 == e) {
			to[n++] = *p++;
			continue;
		}
		p += 2;
		switch (p[-1]) {
		case 'n':
			to[n++] = '\n';
			break;
		case 't':
			to[n++] = '\t';
			break;
		case 'r':
			to[n++] = '\r';
			break;
		case 'b':
			to[n++] = '\b';
			break;
		case 'f':
			to[n++] = '\f';
			break;
		case 'u':
			n += pp_cl_put_utf8(to + n, unicode(&p, e));
			break;
		default:
			to[n++] = p[-1];
			break;
		}
	}
	return (pp_str){to, n};
}

/* -------------------------------------------------------------------- rows */

static pp_str
dotted(struct pp_client *c, pp_str prefix, pp_str name)
{
	char *to;

	if (prefix.n == 0)
		return name;
	to = pp_arena_alloc(&c->row_mem, prefix.n + name.n + 1);
	memcpy(to, prefix.p, prefix.n);
	to[prefix.n] = '.';
	if (name.n != 0)
		memcpy(to + prefix.n + 1, name.p, name.n);
	return (pp_str){to, prefix.n + name.n + 1};
}

/*
 * The members of the complete object from p (behind its brace) to e, as names
 * and cells.
 */
static void
members(struct pp_client *c, struct json *x, const char *p, const char *e,
    pp_str prefix, unsigned depth)
{
	const char *q;
	pp_str name, s;

	for (;;) {
		p = skip(p, e);
		if (p == e || *p != '"')
			return;
		q = behind_string(p, e);
		if (q == NULL)
			return;
		name = dotted(c, prefix, text_of(c, p, q));
		p = skip(q, e);
		if (p == e || *p != ':')
			return;
		p = skip(p + 1, e);
		q = behind_value(p, e);
		if (q == NULL)
			q = e;
		if (p == q)
			return;
		s = (pp_str){p, (size_t)(q - p)};
		if (*p == '{' && depth < DEPTH_MAX) {
			members(c, x, p + 1, q, name, depth + 1);
			p = q;
			continue;
		}
		pp_cl_named_add(c, &x->named, name);
		if (*p == '"' && s.n > 1)
			pp_cl_cell(c, text_of(c, p, q), PP_CELL_TEXT);
		else if (pp_str_eq(s, PP_STR("null")))
			pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
		else
			pp_cl_cell(c, s, PP_CELL_TEXT);
		p = q;
	}
}

static void
emit(struct pp_client *c, struct json *x, const char *p, const char *e,
    bool cut)
{
	pp_cl_row_begin(c);
	x->named.n = 0;
	members(c, x, p + 1, e, (pp_str){"", 0}, 0);
	if (x->named.n != 0)
		pp_cl_named_row(c, &x->named, p, cut);
	x->cut = cut;
}

/*
 * Does the object at p hold an array of objects?  Then *inside is behind its
 * bracket, and what is said before it of a table in *table.  PP_CL_MORE: that
 * is not to be seen yet; PP_CL_OVER: it does not.
 */
static enum pp_cl_step
wrapper(struct pp_client *c, const char *p, const char **inside,
    pp_str *table)
{
	const char *e = c->e, *q, *v;
	pp_str name;

	*table = (pp_str){"", 0};
	for (p++;;) {
		p = skip(p, e);
		if (p == e)
			return PP_CL_MORE;
		if (*p != '"')
			return PP_CL_OVER;
		q = behind_string(p, e);
		if (q == NULL)
			return PP_CL_MORE;
		name = (pp_str){p + 1, (size_t)(q - p) - 2};
		p = skip(q, e);
		if (p == e)
			return PP_CL_MORE;
		if (*p != ':')
			return PP_CL_OVER;
		v = p = skip(p + 1, e);
		if (p == e)
			return PP_CL_MORE;
		if (*p == '[') {
			q = skip(p + 1, e);
			if (q == e)
				return PP_CL_MORE;
			if (*q == '{') {
				*inside = p + 1;
				return PP_CL_GO;
			}
		}
		p = behind_value(p, e);
		if (p == NULL)
			return PP_CL_MORE;
		if (*v == '"' && pp_str_eq(name, PP_STR("name")))
			*table = (pp_str){v + 1, (size_t)(p - v) - 2};
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

static void
push(struct json *x, char bracket)
{
	if (x->depth < DEPTH_MAX)
		x->open[x->depth] = bracket;
	x->depth++;
}

/* The object at p: a row, or a wrapper. */
static enum pp_cl_step
object(struct pp_client *c, struct json *x, const char *p)
{
	enum pp_cl_step r = PP_CL_OVER;
	const char *inside, *end;
	pp_str table;

	if (!x->wrapped) {
		r = wrapper(c, p, &inside, &table);
		if (r == PP_CL_MORE && !c->last)
			return r;
	}
	if (r == PP_CL_GO) {
		push(x, '{');
		push(x, '[');
		x->wrapped = true;
		x->named.table = pp_arena_str(&c->form_mem, table);
		pp_cl_take(c, inside);
		return r;
	}
	end = behind_value(p, c->e);
	if (end == NULL && !c->last)
		return PP_CL_MORE;
	emit(c, x, p, end != NULL ? end - 1 : c->e, end == NULL);
	pp_cl_take(c, end != NULL ? end : c->e);
	return PP_CL_GO;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct json *x = c->state;
	const char *p = skip(c->p, c->e), *q;

	if (p == c->e) {
		if (!c->last)
			return PP_CL_MORE;
		pp_cl_take(c, p);
		return leave(c, x->depth != 0);
	}
	if (*p == '{')
		return object(c, x, p);
	if (*p == '[') {
		push(x, '[');
		pp_cl_take(c, p + 1);
		return PP_CL_GO;
	}
	if (*p == ']' || *p == '}') {
		if (x->depth == 0)
			return leave(c, false);
		x->depth--;
		if (x->depth < DEPTH_MAX && x->open[x->depth] == '{')
			x->wrapped = false;
		pp_cl_take(c, p + 1);
		return PP_CL_GO;
	}
	if (x->depth == 0)
		return leave(c, false);
	/* other members of a wrapper, values of an array */
	q = *p == ':' ? p + 1 : behind_value(p, c->e);
	if (q == NULL && !c->last)
		return PP_CL_MORE;
	if (q == p)
		q = p + 1;
	pp_cl_take(c, q != NULL ? q : c->e);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	const struct json *x = c->state;

	(void)leave(c, x->depth != 0 || x->cut);
}

static const struct pp_cl_form json_form = {step, finish, NULL};

enum pp_cl_step
pp_cl_try_json(struct pp_client *c, pp_str line)
{
	pp_str s = pp_str_trim(line);
	const char *p, *q;
	struct json *x;

	if (s.n == 0 || (s.p[0] != '{' && s.p[0] != '['))
		return PP_CL_OVER;
	/* {" or {} or [{ or [[: no line of text begins so */
	p = s.p;
	do {
		q = skip(p + 1, c->e);
		if (q == c->e)
			return c->last ? PP_CL_OVER : PP_CL_MORE;
		if (*p == '{' && *q != '"' && *q != '}')
			return PP_CL_OVER;
		if (*p == '[' && *q != '{' && *q != '[')
			return PP_CL_OVER;
		p = q;
	} while (*p == '[' || *p == '{');
	x = pp_cl_form(c, &json_form, sizeof(*x));
	x->named.table = (pp_str){"", 0};
	return PP_CL_GO;
}
