/*
 * split.c: where a statement of a script ends.
 *
 * MySQL's client: at `;` or what DELIMITER has set, at \g and \G.
 * SQL*Plus: at `;`, and at a line with nothing but `/`.  A PL/SQL block is one
 * statement: it ends at its own END; or, where that cannot be told (CREATE
 * PROCEDURE and the like, subprograms in a DECLARE), at the line with `/`.
 * psql: at `;` outside of brackets.
 * None of them looks into literals, quoted names and comments.
 */
#include "digest.h"
#include "token.h"

struct cutter {
	struct pp_sql_split *s;
	const char *from, *p, *end;
	bool oracle, postgres;
	/* Oracle */
	enum { PLAIN, BLOCK, UNIT } kind; /* UNIT: up to the line with `/` */
	bool begun;		/* BEGIN was there */
	bool after_end;		/* END was the last word */
	int64_t depth;
	int64_t brackets;	/* PostgreSQL */
	size_t words;
};

static bool
is(pp_str w, const char *upper)
{
	size_t i, n = strlen(upper);

	if (w.n != n)
		return false;
	for (i = 0; i < n; i++)
		if (pp_sql_upper[(unsigned char)w.p[i]] !=
		    (unsigned char)upper[i])
			return false;
	return true;
}

/* Behind a quoted thing whose quote is at c->p. */
static void
quoted(struct cutter *c, char quote, bool backslash)
{
	for (c->p++; c->p < c->end; c->p++) {
		if (*c->p == '\\' && backslash)
			c->p++;
		else if (*c->p == quote)
			break;
	}
	if (c->p < c->end)
		c->p++;
	else
		c->p = c->end;
}

static void
behind(struct cutter *c, const char *p)
{
	c->p = p == NULL ? c->end : p;
}

/* q'[..]' with c->p at the quote; the q is before it. */
static void
oracle_quote(struct cutter *c)
{
	const char *p = c->p + 1;
	char close;

	if (p >= c->end) {
		c->p = c->end;
		return;
	}
	close = *p == '[' ? ']' : *p == '(' ? ')' : *p == '{' ? '}' :
	    *p == '<' ? '>' : *p;
	for (p++; p < c->end; p++) {
		p = memchr(p, close, (size_t)(c->end - p));
		if (p == NULL || p + 1 >= c->end)
			break;
		if (p[1] == '\'') {
			c->p = p + 2;
			return;
		}
	}
	c->p = c->end;
}

/* $tag$ .. $tag$ at c->p; false where it is no tag. */
static bool
dollar_quote(struct cutter *c)
{
	const char *p = c->p + 1;
	pp_str rest;
	size_t n, at;

	if (p < c->end && digit_byte(*p))
		return false;
	while (p < c->end && name_byte(*p) && *p != '$')
		p++;
	if (p >= c->end || *p != '$')
		return false;
	n = (size_t)(p + 1 - c->p);
	rest = (pp_str){p + 1, (size_t)(c->end - p - 1)};
	at = pp_str_find(rest, (pp_str){c->p, n});
	c->p = at == rest.n ? c->end : rest.p + at + n;
	return true;
}

/* A word of Oracle SQL: what does it say of blocks? */
static void
oracle_word(struct cutter *c, pp_str w)
{
	if (c->words++ == 0) {
		if (is(w, "BEGIN") || is(w, "DECLARE"))
			c->kind = BLOCK;
		else if (!is(w, "CREATE"))
			c->words = 100;
	} else if (c->words < 7 && c->kind == PLAIN && (is(w, "FUNCTION") ||
	    is(w, "PROCEDURE") || is(w, "PACKAGE") || is(w, "TRIGGER") ||
	    is(w, "TYPE") || is(w, "LIBRARY") || is(w, "JAVA"))) {
		c->kind = UNIT;
	}
	if (c->kind != BLOCK)
		return;
	if (is(w, "PROCEDURE") || is(w, "FUNCTION")) {
		c->kind = UNIT;
	} else if (is(w, "END")) {
		c->depth--;
		c->after_end = true;
		return;
	} else if (!c->after_end && (is(w, "BEGIN") || is(w, "IF") ||
	    is(w, "LOOP") || is(w, "CASE"))) {
		c->depth++;
		c->begun |= is(w, "BEGIN");
	}
	c->after_end = false;
}

static void
word(struct cutter *c)
{
	const char *from = c->p, *p = from, *d = c->s->delimiter;
	size_t n = strlen(d);
	char first = *from;

	for (; p < c->end && (name_byte(*p) || (*p == '#' && c->oracle)); p++)
		/* END$$: a delimiter may be made of the bytes of names */
		if (n != 0 && *p == d[0] && (size_t)(c->end - p) >= n &&
		    memcmp(p, d, n) == 0)
			break;
	c->p = p;
	if (c->oracle) {
		if (p < c->end && *p == '\'' && (p - from == 1 ||
		    p - from == 2) && (p[-1] | 32) == 'q') {
			oracle_quote(c);
			return;
		}
		oracle_word(c, (pp_str){from, (size_t)(p - from)});
	} else if (c->postgres && p < c->end && *p == '\'' &&
	    p - from == 1 && (first | 32) == 'e') {
		quoted(c, '\'', true);
	}
}

/* Is c->p at a line with nothing but a slash? */
static bool
slash_line(const struct cutter *c, const char **after)
{
	const char *p = c->p;

	while (p > c->from && (p[-1] == ' ' || p[-1] == '\t'))
		p--;
	if (p > c->from && p[-1] != '\n')
		return false;
	for (p = c->p + 1; p < c->end && (*p == ' ' || *p == '\t' ||
	    *p == '\r'); p++)
		;
	if (p < c->end && *p != '\n')
		return false;
	*after = p < c->end ? p + 1 : p;
	return true;
}

/* A comment at c->p is skipped. */
static bool
comment(struct cutter *c)
{
	char b = c->p + 1 < c->end ? c->p[1] : 0;
	bool mysql = !c->oracle && !c->postgres;

	if (*c->p == '/' && b == '*') {
		behind(c, pp_sql_block_comment(c->p + 2, c->end,
		    c->postgres ? INT32_MAX : 0));
		return true;
	}
	if ((*c->p == '#' && mysql) || (*c->p == '-' && b == '-' &&
	    (!mysql || c->end - c->p == 2 || space_byte(c->p[2])))) {
		c->p = pp_sql_line(c->p, c->end);
		return true;
	}
	return false;
}

/* Does the statement end at c->p?  The bytes of its end, or 0. */
static size_t
end_at(struct cutter *c, const char **after)
{
	const char *d = c->s->delimiter;
	size_t n = strlen(d);

	if (c->oracle && *c->p == '/' && slash_line(c, after))
		return (size_t)(*after - c->p);
	if (n != 0) {
		if ((size_t)(c->end - c->p) < n || memcmp(c->p, d, n) != 0)
			return 0;
		*after = c->p + n;
		return n;
	}
	*after = c->p + 1;
	if (*c->p == '\\' && !c->oracle && !c->postgres &&
	    c->p + 1 < c->end && (c->p[1] == 'g' || c->p[1] == 'G')) {
		*after = c->p + 2;
		return 2;
	}
	if (*c->p != ';' || c->brackets > 0 || c->kind == UNIT)
		return 0;
	if (c->kind == BLOCK) {
		c->after_end = false;
		if (!c->begun || c->depth > 0)
			return 0;
	}
	return 1;
}

/* `DELIMITER x` at the start of a statement: set it; behind its line. */
static bool
delimiter(struct cutter *c)
{
	pp_str w = {c->p, 9}, v;
	const char *end;

	if (c->end - c->p < 10 || !is(w, "DELIMITER") ||
	    (c->p[9] != ' ' && c->p[9] != '\t'))
		return false;
	end = pp_sql_line(c->p, c->end);
	v = (pp_str){c->p + 9, (size_t)(end - c->p - 9)};
	while (v.n && space_byte(v.p[v.n - 1]))
		v.n--;
	while (v.n && space_byte(v.p[0]))
		v.p++, v.n--;
	if (v.n == 0 || v.n >= sizeof(c->s->delimiter))
		return false;
	memcpy(c->s->delimiter, v.p, v.n);
	c->s->delimiter[v.n] = '\0';
	if (strcmp(c->s->delimiter, ";") == 0)
		c->s->delimiter[0] = '\0';
	c->p = end;
	return true;
}

/* One token that is no end. */
static void
step(struct cutter *c)
{
	char b = *c->p;
	bool mysql = !c->oracle && !c->postgres;

	if (b == '\'') {
		quoted(c, b, mysql && !(c->s->mode & PP_SQL_NO_BACKSLASH));
	} else if (b == '"') {
		quoted(c, b, mysql && !(c->s->mode & (PP_SQL_NO_BACKSLASH |
		    PP_SQL_ANSI_QUOTES)));
	} else if (b == '`' && mysql) {
		quoted(c, b, false);
	} else if (b == '$' && c->postgres) {
		if (!dollar_quote(c))
			c->p++;
	} else if (name_byte(b)) {
		word(c);
	} else if (!comment(c)) {
		if (c->postgres)
			c->brackets += b == '(' ? 1 : b == ')' ? -1 : 0;
		c->p++;
	}
}

size_t
pp_sql_split(struct pp_sql_split *s, pp_str text, size_t *skip)
{
	struct cutter c = {.s = s, .from = text.p, .p = text.p,
	    .end = text.p + text.n};
	const char *after;
	size_t n;

	c.oracle = s->server == PP_SQL_ORACLE;
	c.postgres = s->server == PP_SQL_POSTGRESQL;
	while (c.p < c.end && (space_byte(*c.p) || comment(&c)))
		if (c.p < c.end && space_byte(*c.p))
			c.p++;
	if (!c.oracle && !c.postgres && c.p < c.end && delimiter(&c)) {
		*skip = (size_t)(c.p - text.p);
		return 0;
	}
	while (c.p < c.end) {
		n = *c.p == ';' || *c.p == '/' || *c.p == '\\' ||
		    s->delimiter[0] != '\0' ? end_at(&c, &after) : 0;
		if (n != 0) {
			*skip = (size_t)(after - text.p);
			return (size_t)(c.p - text.p);
		}
		step(&c);
	}
	*skip = text.n;
	return text.n;
}
