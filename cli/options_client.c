/*
 * options_client.c: how to read the text of clients: --charset, and the
 * dialect of SELECT ... INTO OUTFILE as its own clauses name it.
 */
#include "options_table.h"

/*
 * The text with its escapes resolved, as the server reads a literal; false
 * where it is too long.
 */
static bool
unescape(char *to, const char *v, pp_str *s)
{
	size_t n = 0;

	for (; *v != '\0'; v++) {
		if (n + 1 >= PP_CLIENT_MARK_MAX)
			return false;
		if (*v != '\\' || v[1] == '\0') {
			to[n++] = *v;
			continue;
		}
		v++;
		to[n++] = (char)(*v == 't' ? '\t' : *v == 'n' ? '\n' :
		    *v == 'r' ? '\r' : *v == '0' ? '\0' : *v);
	}
	*s = (pp_str){to, n};
	return true;
}

static enum pp_parsed
bad(const struct pp_options *p, const struct pp_option *o, const char *why)
{
	pp_usage(p->command, "--%s: %s", o->name, why);
	return PP_PARSED_WRONG;
}

static enum pp_parsed
mark(struct pp_options *p, const struct pp_option *o, const char *v,
    size_t at, pp_str *s, bool *has)
{
	if (!unescape(p->client_marks[at], v, s))
		return bad(p, o, "longer than 32 bytes");
	*has = p->client_dialect = true;
	return PP_PARSED_RUN;
}

/* A mark of one character, or none. */
static enum pp_parsed
sign(struct pp_options *p, const struct pp_option *o, const char *v, size_t at,
    pp_str *s, bool *has)
{
	enum pp_parsed r = mark(p, o, v, at, s, has);

	return r == PP_PARSED_RUN && s->n > 1 ?
	    bad(p, o, "takes one character, or none") : r;
}

enum pp_parsed
pp_options_client(struct pp_options *p, const struct pp_option *o,
    const char *v)
{
	struct pp_client_options *c = &p->client;

	if (o->id == OPT_CHARSET) {
		c->charset = pp_str_from(v);
		if (!pp_client_charset_known(c->charset)) {
			pp_usage(p->command, "--charset: unknown encoding "
			    "`%s`", v);
			return PP_PARSED_WRONG;
		}
		return PP_PARSED_RUN;
	}
	if (o->id == OPT_COLUMNS) {
		c->columns = pp_str_from(v);
		return c->columns.n != 0 ? PP_PARSED_RUN :
		    bad(p, o, "names no column");
	}
	if (o->id == OPT_FIELDS_BY)
		return mark(p, o, v, 0, &c->fields, &c->has_fields);
	if (o->id == OPT_ENCLOSED_BY || o->id == OPT_MAY_ENCLOSED_BY)
		return sign(p, o, v, 1, &c->enclosed, &c->has_enclosed);
	if (o->id == OPT_ESCAPED_BY)
		return sign(p, o, v, 2, &c->escaped, &c->has_escaped);
	if (o->id == OPT_LINES_BY) {
		if (*v == '\0')
			return bad(p, o, "rows need an end");
		return mark(p, o, v, 3, &c->lines, &c->has_lines);
	}
	return mark(p, o, v, 4, &c->starting, &c->has_starting);
}
