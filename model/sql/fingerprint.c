/*
 * fingerprint.c: the fingerprints of pt-fingerprint and pt-query-digest.
 *
 * Those tools rewrite a statement by regular expressions, one after the other
 * and without a lexer; each function here is one of them, in the same order,
 * so the same oddities come out (`db_1.t_2` is `db_?t_?`, `1 + 1` is `? ? ?`).
 * Every step is linear but the one for UNION, which gives up after some tries.
 */
#include "token.h"


static void
put(struct pp_digester *d, const char *p, size_t n)
{
	if (d->out_cap - d->nout < n) {
		void *v = d->out;

		pp_mem_grow(d->mem, &v, &d->out_cap, d->nout + n, 1);
		d->out = v;
	}
	if (n)
		memcpy(d->out + d->nout, p, n);
	d->nout += n;
}

static void
put_char(struct pp_digester *d, char c)
{
	put(d, &c, 1);
}

/* What was written becomes what is read. */
static pp_str
turn(struct pp_digester *d)
{
	char *p = d->spare;
	size_t cap = d->spare_cap;
	pp_str in = {d->nout ? d->out : "", d->nout};

	d->spare = d->out;
	d->spare_cap = d->out_cap;
	d->out = p;
	d->out_cap = cap;
	d->nout = 0;
	return in;
}

static bool
word_byte(char c)
{
	return digit_byte(c) || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || c == '_';
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Does s have w (lower case) at i? */
static bool
has(pp_str s, size_t i, const char *w)
{
	for (; *w != '\0'; w++, i++)
		if (i >= s.n || lower(s.p[i]) != *w)
			return false;
	return true;
}

static size_t
spaces(pp_str s, size_t i)
{
	while (i < s.n && space_byte(s.p[i]))
		i++;
	return i;
}

/* Is there an edge of a word (\b) at i? */
static bool
edge(pp_str s, size_t i)
{
	return (i > 0 && word_byte(s.p[i - 1])) !=
	    (i < s.n && word_byte(s.p[i]));
}

/* ------------------------------------------------------- special cases */

static bool
is_checksum(pp_str s, size_t i)
{
	size_t from;

	if (!has(s, i, "/*"))
		return false;
	for (from = i += 2; i < s.n && word_byte(s.p[i]); i++)
		;
	if (i == from || i >= s.n || s.p[i] != '.')
		return false;
	for (from = ++i; i < s.n && word_byte(s.p[i]); i++)
		;
	return i > from && s.n - i >= 6 && s.p[i] == ':' &&
	    digit_byte(s.p[i + 1]) && s.p[i + 2] == '/' &&
	    digit_byte(s.p[i + 3]) && s.p[i + 4] == '*' && s.p[i + 5] == '/';
}

static bool
of_checksum(pp_str s)
{
	size_t i = 0;
	const char *p;

	while (i < s.n) {
		p = memchr(s.p + i, '/', s.n - i);
		if (p == NULL)
			return false;
		i = (size_t)(p - s.p);
		if (is_checksum(s, i))
			return true;
		i++;
	}
	return false;
}

/* CALL name(: up to the last bracket before a blank. */
static bool
call(struct pp_digester *d, pp_str s)
{
	size_t from = spaces(s, 0), i, last = 0, k;

	if (!has(s, from, "call") || from + 4 >= s.n ||
	    !space_byte(s.p[from + 4]))
		return false;
	i = spaces(s, from + 4);
	for (k = i; k < s.n && !space_byte(s.p[k]); k++)
		if (s.p[k] == '(' && k > i)
			last = k;
	if (last == 0)
		return false;
	for (k = from; k < last; k++)
		put_char(d, lower(s.p[k]));
	return true;
}

/* An INSERT of many rows is cut behind its first. */
static pp_str
first_row(pp_str s)
{
	size_t i, k;

	i = has(s, 0, "insert") ? 6 : has(s, 0, "replace") ? 7 : 0;
	if (i == 0)
		return s;
	if (has(s, i, " ignore") && spaces(s, i + 7) > i + 7)
		i += 7;
	k = spaces(s, i);
	if (k == i || !has(s, k, "into"))
		return s;
	for (i = k + 5; i < s.n; i++) {
		if (!has(s, i, "values"))
			continue;
		k = spaces(s, i + 6);
		if (k < s.n && s.p[k] == '(')
			break;
	}
	for (; i < s.n; i++) {
		if (s.p[i] != ')')
			continue;
		k = spaces(s, i + 1);
		if (k >= s.n || s.p[k] != ',')
			continue;
		k = spaces(s, k + 1);
		if (k < s.n && s.p[k] == '(')
			return (pp_str){s.p, i + 1};
	}
	return s;
}

/* ------------------------------------------------------ comments, strings */

static void
block_comments(struct pp_digester *d, pp_str s)
{
	const char *end = s.p + s.n, *p;
	size_t i = 0;

	while (i < s.n) {
		if (s.p[i] == '/' && s.n - i > 2 && s.p[i + 1] == '*' &&
		    s.p[i + 2] != '!') {
			p = pp_sql_block_comment(s.p + i + 3, end, 0);
			if (p == NULL) {
				put(d, s.p + i, s.n - i);
				return;
			}
			i = (size_t)(p - s.p);
		} else {
			put_char(d, s.p[i++]);
		}
	}
}

/* -- and # up to the end of the line, where no quote is in the way. */
static void
line_comments(struct pp_digester *d, pp_str s)
{
	size_t i = 0, k;

	while (i < s.n) {
		if (s.p[i] != '#' && !(s.p[i] == '-' && i + 1 < s.n &&
		    s.p[i + 1] == '-')) {
			put_char(d, s.p[i++]);
			continue;
		}
		for (k = i + (s.p[i] == '#' ? 1 : 2); k < s.n &&
		    s.p[k] != '\'' && s.p[k] != '"' && s.p[k] != '\r' &&
		    s.p[k] != '\n'; k++)
			;
		if (k == s.n || s.p[k] == '\r' || s.p[k] == '\n') {
			i = k;
		} else {
			put(d, s.p + i, k - i);
			i = k;
		}
	}
}

/* USE name, and nothing else. */
static bool
use(struct pp_digester *d, pp_str s)
{
	size_t n = s.n, i;

	if (n > 0 && s.p[n - 1] == '\n')
		n--;
	if (!has(s, 0, "use ") || n < 5)
		return false;
	for (i = 4; i < n; i++)
		if (space_byte(s.p[i]))
			return false;
	put(d, "use ?", 5);
	return true;
}

/* \' and \" go; from 3.5 on a doubled backslash before them as well. */
static void
escapes(struct pp_digester *d, pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n && (s.p[i + 1] == '\'' ||
		    s.p[i + 1] == '"'))
			i++;
		else
			put_char(d, s.p[i]);
	}
}

/* A backslash and c behind another character than a backslash go. */
static void
escape35(struct pp_digester *d, pp_str s, char c)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		put_char(d, s.p[i]);
		if (s.p[i] != '\\' && s.n - i > 2 && s.p[i + 1] == '\\' &&
		    s.p[i + 2] == c)
			i += 2;
	}
}

static void
pair35(struct pp_digester *d, pp_str s, char c)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n && s.p[i + 1] == c)
			i++;
		else
			put_char(d, s.p[i]);
	}
}

static void
strings(struct pp_digester *d, pp_str s, char quote)
{
	const char *p;
	size_t i = 0;

	while (i < s.n) {
		p = s.p[i] == quote ?
		    memchr(s.p + i + 1, quote, s.n - i - 1) : NULL;
		if (p != NULL) {
			put_char(d, '?');
			i = (size_t)(p - s.p) + 1;
		} else if (s.p[i] == quote) {
			put(d, s.p + i, s.n - i);
			return;
		} else {
			put_char(d, s.p[i++]);
		}
	}
}

/* From 3.5 on a string needs a character in front that is no backslash. */
static void
strings35(struct pp_digester *d, pp_str s, char quote)
{
	const char *p;
	size_t i = 0;

	while (i < s.n) {
		put_char(d, s.p[i]);
		if (s.p[i] == '\\' || i + 1 >= s.n || s.p[i + 1] != quote) {
			i++;
			continue;
		}
		p = memchr(s.p + i + 2, quote, s.n - i - 2);
		if (p == NULL) {
			put(d, s.p + i + 1, s.n - i - 1);
			return;
		}
		/* three quotes in a row are one string */
		if (p == s.p + i + 2 && p + 1 < s.p + s.n && p[1] == quote)
			p++;
		put_char(d, '?');
		i = (size_t)(p - s.p) + 1;
	}
}

/* ---------------------------------------------------------------- numbers */

static bool
hex_byte(char c)
{
	return digit_byte(c) || (c >= 'a' && c <= 'f');
}

static void
checksums(struct pp_digester *d, pp_str s)
{
	size_t i, k;

	for (i = 0; i < s.n; i++) {
		put_char(d, s.p[i]);
		if (s.p[i] != '.' && s.p[i] != '_' && s.p[i] != '-')
			continue;
		for (k = i + 1; k < s.n && k < i + 33 && hex_byte(s.p[k]);
		    k++)
			;
		if (k == i + 33) {
			put_char(d, '?');
			i = k - 1;
		}
	}
}

static void
numbers(struct pp_digester *d, pp_str s)
{
	size_t i = 0;
	char c;

	while (i < s.n) {
		c = s.p[i];
		if (!(digit_byte(c) || c == '+' || c == '-') ||
		    (d->opt.embedded && !edge(s, i))) {
			put_char(d, c);
			i++;
			continue;
		}
		put_char(d, '?');
		for (i++; i < s.n; i++) {
			c = s.p[i];
			if (!hex_byte(c) && c != '.' && c != 'x' &&
			    c != '+' && c != '-')
				break;
		}
	}
}

/* What is left of numbers: x? b? .? +? -? */
static void
leftovers(struct pp_digester *d, pp_str s)
{
	size_t i;
	char c;

	for (i = 0; i < s.n; i++) {
		c = s.p[i];
		if (i + 1 < s.n && s.p[i + 1] == '?' && (c == 'x' ||
		    c == 'b' || c == '+' || c == '-' ||
		    (c == '.' && !d->opt.checksums))) {
			put_char(d, '?');
			i++;
		} else {
			put_char(d, c);
		}
	}
}

/* ------------------------------------------------------------------- rest */

static void
blanks(struct pp_digester *d, pp_str s)
{
	bool blank = false;
	size_t i;
	char c;

	s = pp_str_skip(s, spaces(s, 0));
	if (s.n && s.p[s.n - 1] == '\n')
		s.n--;
	for (i = 0; i < s.n; i++) {
		c = s.p[i];
		if (c == ' ' || c == '\n' || c == '\t' || c == '\r' ||
		    c == '\f') {
			if (!blank)
				put_char(d, ' ');
			blank = true;
		} else {
			put_char(d, lower(c));
			blank = false;
		}
	}
}

static void
whole_word(struct pp_digester *d, pp_str s, const char *w)
{
	size_t i = 0, n = strlen(w);

	while (i < s.n) {
		if (lower(s.p[i]) == w[0] && has(s, i, w) && edge(s, i) &&
		    edge(s, i + n)) {
			put_char(d, '?');
			i += n;
		} else {
			put_char(d, s.p[i++]);
		}
	}
}

/* Behind the brackets with nothing but markers at i; i where there is none. */
static size_t
marker_lists(pp_str s, size_t i)
{
	size_t k, end = i;

	for (;;) {
		for (k = end; k < s.n && (space_byte(s.p[k]) ||
		    s.p[k] == ','); k++)
			;
		if (k >= s.n || s.p[k] != '(')
			return end;
		for (k++; k < s.n && (space_byte(s.p[k]) || s.p[k] == '?' ||
		    s.p[k] == ','); k++)
			;
		if (k >= s.n || s.p[k] != ')')
			return end;
		end = k + 1;
	}
}

static void
lists(struct pp_digester *d, pp_str s)
{
	size_t i = 0, n, end;

	while (i < s.n) {
		n = 0;
		if ((s.p[i] == 'i' || s.p[i] == 'v') && edge(s, i))
			n = has(s, i, "in") ? 2 : has(s, i, "values") ? 6 :
			    has(s, i, "value") ? 5 : 0;
		end = n ? marker_lists(s, i + n) : i;
		if (n != 0 && end > i + n) {
			put(d, s.p + i, n);
			put(d, "(?+)", 4);
			i = end;
		} else {
			put_char(d, s.p[i++]);
		}
	}
}

/* The bytes of ` union` or ` union all` at i, with a blank behind, or 0. */
static size_t
union_at(pp_str s, size_t i)
{
	size_t n = has(s, i, " union all ") ? 10 :
	    has(s, i, " union ") ? 6 : 0;

	return n;
}

#define UNION_TRIES 50

/* SELECT .. UNION the same SELECT ..: at i; *end and *what of the last. */
static size_t
repeated(pp_str s, size_t i, size_t *end, pp_str *what)
{
	size_t u, n, len;
	int tries = 0;

	for (u = i + 7; u < s.n && tries < UNION_TRIES; u++) {
		n = s.p[u] == ' ' ? union_at(s, u) : 0;
		if (n == 0)
			continue;
		tries++;
		len = u - i;
		*end = u;
		while ((n = union_at(s, *end)) != 0 &&
		    s.n - *end - n - 1 >= len &&
		    memcmp(s.p + i, s.p + *end + n + 1, len) == 0) {
			*what = (pp_str){s.p + *end, n};
			*end += n + 1 + len;
		}
		if (*end > u)
			return len;
	}
	return 0;
}

static void
unions(struct pp_digester *d, pp_str s)
{
	size_t i = 0, len, end = 0;
	pp_str what = {NULL, 0};

	if (pp_str_find(s, PP_STR(" union ")) == s.n) {
		put(d, s.p, s.n);
		return;
	}
	while (i < s.n) {
		len = s.p[i] == 's' && has(s, i, "select ") && edge(s, i) ?
		    repeated(s, i, &end, &what) : 0;
		if (len != 0) {
			put(d, s.p + i, len);
			put(d, " /*repeat", 9);
			put(d, what.p, what.n);
			put(d, "*/", 2);
			i = end;
		} else {
			put_char(d, s.p[i++]);
		}
	}
}

/* The first LIMIT ?, ? or LIMIT ? OFFSET ?. */
static void
limit(struct pp_digester *d, pp_str s)
{
	size_t i = 0, end;

	for (;; i++) {
		i += pp_str_find(pp_str_skip(s, i), PP_STR("limit ?"));
		if (i >= s.n || edge(s, i))
			break;
	}
	if (i >= s.n) {
		put(d, s.p, s.n);
		return;
	}
	end = i + 7;
	if (has(s, end, ", ?") || has(s, end, ",?"))
		end += has(s, end, ", ?") ? 3 : 2;
	else if (has(s, end, " offset ?"))
		end += 9;
	put(d, s.p, i + 7);
	put(d, s.p + end, s.n - end);
}

/* ASC behind ORDER BY. */
static void
ascending(struct pp_digester *d, pp_str s)
{
	size_t i = 0, free_from;

	for (;; i++) {
		i += pp_str_find(pp_str_skip(s, i), PP_STR("order by "));
		if (i >= s.n || edge(s, i))
			break;
	}
	if (i >= s.n) {
		put(d, s.p, s.n);
		return;
	}
	i += 9;
	put(d, s.p, i);
	free_from = i + 1;
	while (i < s.n) {
		if (i >= free_from && s.p[i] == ' ' && has(s, i, " asc")) {
			i += 4;
			free_from = i + 1;
		} else {
			put_char(d, s.p[i++]);
		}
	}
}

static void
quotes(struct pp_digester *d)
{
	if (d->opt.server == PP_SQL_PT_32) {
		escapes(d, turn(d));
		strings(d, turn(d), '"');
		strings(d, turn(d), '\'');
		return;
	}
	escape35(d, turn(d), '\'');
	escape35(d, turn(d), '"');
	pair35(d, turn(d), '\\');
	pair35(d, turn(d), '\'');
	pair35(d, turn(d), '"');
	strings35(d, turn(d), '"');
	strings35(d, turn(d), '\'');
	whole_word(d, turn(d), "false");
	whole_word(d, turn(d), "true");
}

/* The fingerprint in d->out; false where it is empty. */
bool
pp_sql_fingerprint(struct pp_digester *d, pp_str s)
{
	d->nout = 0;
	if (pp_str_starts(s,
	    PP_STR("SELECT /*!40001 SQL_NO_CACHE */ * FROM `"))) {
		put(d, "mysqldump", 9);
		return true;
	}
	if (of_checksum(s)) {
		put(d, "percona-toolkit", 15);
		return true;
	}
	if (pp_str_starts(s, PP_STR("administrator command: "))) {
		put(d, s.p, s.n);
		return true;
	}
	if (call(d, s))
		return true;
	block_comments(d, first_row(s));
	line_comments(d, turn(d));
	s = turn(d);
	if (use(d, s))
		return true;
	put(d, s.p, s.n);
	quotes(d);
	if (d->opt.checksums)
		checksums(d, turn(d));
	numbers(d, turn(d));
	leftovers(d, turn(d));
	blanks(d, turn(d));
	whole_word(d, turn(d), "null");
	lists(d, turn(d));
	unions(d, turn(d));
	limit(d, turn(d));
	ascending(d, turn(d));
	return d->nout != 0;
}
