/*
 * lex_mysql_rare.c: the tokens of MySQL's lexer that need a closer look:
 * comments, hints, words that are no plain ones, literals of every form, @,
 * the operators.  lex_mysql.c has what comes most.
 *
 * It follows the servers' own states where they show in digests:
 *
 *	a word followed at once by .x, or following a . at once, is a name
 *	a word that begins with digits is a name (1a, 0X41), 1e5 a number
 *	words of kind FUN are keywords only in front of (
 *	@ and what follows it: a host, a variable or a system variable
 *	/ *!50700 ... * / is code from that version on
 *	-- begins a comment only in front of a blank or control character
 */
#include "lex_mysql.h"

static void
refuse(struct lexer *x)
{
	x->d->refused = true;
	x->p = x->end;
}

/* A literal or comment without an end. */
static void
cut(struct lexer *x)
{
	x->d->cut = true;
	refuse(x);
}

/* ------------------------------------------------------------- comments */

/* Digits of a version at p: 5 or 6; 0 where there is none. */
static size_t
version_digits(const char *p, const char *end, uint32_t *version)
{
	size_t n = 0;

	*version = 0;
	while (n < 6 && p + n < end && digit_byte(p[n]))
		*version = *version * 10 + (uint32_t)(p[n++] - '0');
	return n < 5 ? 0 : n;
}

/* At the version comment whose digits start at p. */
static void
version_comment(struct lexer *x, const char *p)
{
	uint32_t version;
	size_t n = version_digits(p, x->end, &version);
	bool ours = n == 0 || version <= x->d->version;

	/* numbers that only MySQL's releases had */
	if (x->d->maria && version >= 50700 && version <= 99999)
		ours = false;
	if (ours) {
		x->in_version = true;
		x->p = p + n;
		return;
	}
	p = pp_sql_block_comment(p, x->end, 1);
	if (p == NULL)
		cut(x);
	else
		x->p = p;
}

static bool
starts(const struct lexer *x, const char *mark)
{
	size_t n = strlen(mark);

	return (size_t)(x->end - x->p) >= n && memcmp(x->p, mark, n) == 0;
}

static void
slash(struct lexer *x)
{
	const char *p;

	if (!starts(x, "/*")) {
		pp_sql_char(x->d, *x->p++);
		return;
	}
	if (starts(x, "/* , ... */")) {
		pp_sql_more(x->d);
		x->p += 11;
		return;
	}
	if (starts(x, "/*!")) {
		version_comment(x, x->p + 3);
		return;
	}
	if (x->d->maria && starts(x, "/*M!")) {
		version_comment(x, x->p + 4);
		return;
	}
	p = pp_sql_block_comment(x->p + 2, x->end, 0);
	if (p == NULL)
		cut(x);
	else
		x->p = p;
}

/* Hints behind a word that takes them. */
static void
hints(struct lexer *x)
{
	const char *p = x->p, *end;

	while (p < x->end && space_byte(*p))
		p++;
	if (x->end - p < 3 || memcmp(p, "/*+", 3) != 0)
		return;
	end = pp_sql_block_comment(p + 2, x->end, 0);
	if (end == NULL) {
		cut(x);
		return;
	}
	if (!x->d->opt.loose)
		pp_sql_hints(x->d, p + 3, end - 2);
	x->p = end;
}

/* ---------------------------------------------------------------- words */

/* The names behind dots that follow a name at once. */
void
pp_my_dotted(struct lexer *x)
{
	const char *from;

	while (x->p + 1 < x->end && *x->p == '.' && name_byte(x->p[1])) {
		pp_sql_char(x->d, '.');
		from = ++x->p;
		x->p = pp_sql_name_end(&x->d->span, from);
		pp_sql_known(x->d, from, (size_t)(x->p - from), NULL);
	}
}

/* Is the character that follows a call's? */
static bool
before_bracket(const struct lexer *x)
{
	const char *p = x->p;

	if (x->d->opt.mode & PP_SQL_IGNORE_SPACE)
		while (p < x->end && space_byte(*p))
			p++;
	return p < x->end && *p == '(';
}

/* The word k, where it is one here. */
static bool
keyword(struct lexer *x, const struct pp_sql_key *k, bool digest_call)
{
	struct pp_digester *d = x->d;

	if (!(k->how & KEY_WORD) && !digest_call && !before_bracket(x))
		return false;
	if (k->how & KEY_PLAIN)
		pp_sql_plain_word(d, k);
	else
		pp_sql_word(d, k->own - 1);
	if (k->how & KEY_HINTS)
		hints(x);
	return true;
}

/* A word or name of which more is to be known. */
const char *
pp_my_careful(struct lexer *x, const char *from)
{
	struct pp_digester *d = x->d;
	const char *p = pp_sql_name_end(&d->span, from);
	size_t n = (size_t)(p - from);
	const struct pp_sql_key *k = pp_sql_find(d, from, n);

	x->p = p;
	if (p + 1 < x->end && *p == '.' && name_byte(p[1])) {
		pp_sql_known(d, from, n, k);
		pp_my_dotted(x);
		return x->p;
	}
	if (k != NULL && k->own != 0 && keyword(x, k, d->digest_input))
		return x->p;
	if (*from == '_' && pp_sql_is_charset(from + 1, n - 1))
		pp_sql_plain(d, T_CHARSET);
	else
		pp_sql_known(d, from, n, k);
	return p;
}

/* A quoted name. */
static void
quoted(struct lexer *x, char quote)
{
	const char *from = x->p + 1;
	bool doubled;
	const char *p = pp_sql_string(x->d, from, quote, false, &doubled);

	if (p == NULL) {
		cut(x);
		return;
	}
	/* MariaDB keeps the name as it was written */
	if (x->d->maria && !x->d->canonical)
		doubled = false;
	pp_sql_quoted(x->d, from, (size_t)(p - 1 - from), doubled ? quote : 0);
	x->p = p;
}

static void
string(struct lexer *x)
{
	bool doubled;
	const char *p = pp_sql_string(x->d, x->p + 1, *x->p,
	    !(x->d->opt.mode & PP_SQL_NO_BACKSLASH), &doubled);

	pp_sql_value(x->d, false);
	if (p == NULL || p > x->end)
		cut(x);
	else
		x->p = p;
}

/* x'..', b'..' with the letter at x->p; false where it is a word. */
static bool
bits(struct lexer *x, bool hex)
{
	const char *p = x->p + 2;

	if (x->p + 1 >= x->end || x->p[1] != '\'')
		return false;
	while (p < x->end && (hex ? (digit_byte(*p) ||
	    ((*p | 32) >= 'a' && (*p | 32) <= 'f')) : (*p == '0' ||
	    *p == '1')))
		p++;
	if (p >= x->end || *p != '\'' || (hex && (p - x->p) % 2 != 0)) {
		/* the servers' lexers give up here */
		p = memchr(p, '\'', (size_t)(x->end - p));
		if (p == NULL) {
			cut(x);
			return true;
		}
		x->d->refused = true;
	}
	x->p = p + 1;
	if (hex && x->d->maria && !x->d->canonical)
		pp_sql_plain(x->d, T_UNKNOWN);
	else
		pp_sql_value(x->d, true);
	return true;
}

/* -------------------------------------------------------------- numbers */

static const char *
digits(const struct lexer *x, const char *p)
{
	return pp_sql_digits_end(&x->d->span, p);
}

static bool
name_at(const struct lexer *x, const char *p)
{
	return p < x->end && name_byte(*p);
}

/* What stands behind the number at x->p: does a list's item end there? */
static bool
ends_item(const struct lexer *x)
{
	const char *p = x->p, *from;
	const struct pp_sql_key *k;
	uint16_t id;

	for (;;) {
		while (p < x->end && space_byte(*p))
			p++;
		if (x->end - p < 2 || p[0] != '/' || p[1] != '*')
			break;
		p = pp_sql_block_comment(p + 2, x->end, 0);
		if (p == NULL)
			return false;
	}
	if (p >= x->end || *p == ',' || *p == ')' || *p == ';' || *p == '#')
		return true;
	for (from = p; p < x->end && name_byte(*p); p++)
		;
	k = pp_sql_find(x->d, from, (size_t)(p - from));
	if (k == NULL || k->own == 0)
		return false;
	id = x->d->token[k->own - 1];
	return (x->d->flags[id - T_WORD] & F_OPERATOR) == 0;
}

/* Is the integer from..x->p all of an item of ORDER BY or GROUP BY? */
static bool
is_position(const struct lexer *x, const char *from)
{
	const struct pp_digester *d = x->d;
	uint64_t v = 0;
	uint16_t id;

	if (!d->native9 || d->nt == 0 || !d->f[d->nf - 1].by)
		return false;
	id = d->t[d->nt - 1].id;
	if (id != d->w_by && id != ',' && id != '(')
		return false;
	for (; from < x->p && v <= UINT32_MAX; from++)
		v = v * 10 + (uint64_t)(*from - '0');
	return v >= 1 && v <= UINT32_MAX && ends_item(x);
}

/* The fraction and exponent from p on, where the whole digits are over. */
static void
real(struct lexer *x, const char *p)
{
	const char *q;

	p = digits(x, p);
	if (p < x->end && (*p == 'e' || *p == 'E')) {
		q = p + 1;
		if (q < x->end && (*q == '+' || *q == '-'))
			q++;
		if (q < x->end && digit_byte(*q)) {
			p = digits(x, q);
		} else {
			/* 1.5e: no number and no name */
			x->d->refused = true;
			p = q;
		}
	}
	x->p = p;
	pp_sql_value(x->d, true);
}

/* 0x.. and 0b..; false where it is something else. */
static bool
prefixed(struct lexer *x)
{
	const char *p = x->p + 2;

	if (x->end - x->p < 3 || x->p[0] != '0')
		return false;
	if (x->p[1] == 'x') {
		while (p < x->end && (digit_byte(*p) ||
		    ((*p | 32) >= 'a' && (*p | 32) <= 'f')))
			p++;
	} else if (x->p[1] == 'b') {
		while (p < x->end && (*p == '0' || *p == '1'))
			p++;
	} else {
		return false;
	}
	if (p == x->p + 2 || name_at(x, p))
		return false;
	x->p = p;
	pp_sql_value(x->d, true);
	return true;
}

static void
number(struct lexer *x)
{
	const char *from = x->p, *p, *q;

	if (prefixed(x))
		return;
	p = digits(x, from);
	if (!name_at(x, p)) {
		if (p < x->end && *p == '.') {
			real(x, p + 1);
			return;
		}
		x->p = p;
		if (is_position(x, from))
			pp_sql_position(x->d, from, (size_t)(p - from));
		else
			pp_sql_value(x->d, true);
		return;
	}
	if (*p == 'e' || *p == 'E') {
		q = p + 1;
		if (q < x->end && (*q == '+' || *q == '-'))
			q++;
		if (q < x->end && digit_byte(*q)) {
			x->p = digits(x, q);
			pp_sql_value(x->d, true);
			return;
		}
	}
	p = pp_sql_name_end(&x->d->span, p);
	x->p = p;
	pp_sql_name(x->d, from, (size_t)(p - from), 0);
	pp_my_dotted(x);
}

/* -------------------------------------------------- @ and the operators */

/* @@name: a name, or a word in front of a dot. */
static void
system_variable(struct lexer *x)
{
	const char *from = x->p;
	const struct pp_sql_key *k;

	while (x->p < x->end && name_byte(*x->p))
		x->p++;
	if (x->p == from)
		return;
	k = pp_sql_find(x->d, from, (size_t)(x->p - from));
	/* @@session and the like: a bracket makes no call of it */
	if (k == NULL || k->own == 0 || (!(k->how & KEY_WORD) &&
	    !x->d->digest_input) || !keyword(x, k, true))
		pp_sql_name(x->d, from, (size_t)(x->p - from), 0);
	pp_my_dotted(x);
}

static void
at_sign(struct lexer *x)
{
	char c = x->p + 1 < x->end ? x->p[1] : 0;

	pp_sql_char(x->d, '@');
	x->p++;
	if (c == '@') {
		pp_sql_char(x->d, '@');
		x->p++;
		system_variable(x);
	} else if (c != '\'' && c != '"' && c != '`' && c != '?') {
		while (x->p < x->end && (((*x->p | 32) >= 'a' &&
		    (*x->p | 32) <= 'z') || digit_byte(*x->p) ||
		    *x->p == '.' || *x->p == '_' || *x->p == '$'))
			x->p++;
		pp_sql_value(x->d, false);
	}
}

static void
dot(struct lexer *x)
{
	const char *from;

	if (starts(x, "...")) {
		pp_sql_dots(x->d, x->p);
		x->p += 3;
		return;
	}
	if (x->p + 1 < x->end && digit_byte(x->p[1])) {
		real(x, x->p + 1);
		return;
	}
	pp_sql_char(x->d, '.');
	from = ++x->p;
	x->p = pp_sql_name_end(&x->d->span, from);
	if (x->p > from) {
		pp_sql_name(x->d, from, (size_t)(x->p - from), 0);
		pp_my_dotted(x);
	}
}

/* The operator of several characters at x->p and its length, or OP_COUNT. */
static enum op
operator_at(const struct lexer *x, size_t *n)
{
	char b = x->p + 1 < x->end ? x->p[1] : 0;
	char c = x->p + 2 < x->end ? x->p[2] : 0;

	*n = 2;
	switch (x->p[0]) {
	case '<':
		if (b == '=' && c == '>') {
			*n = 3;
			return OP_EQUAL;
		}
		return b == '=' ? OP_LE : b == '>' ? OP_NE :
		    b == '<' ? OP_SHL : OP_COUNT;
	case '>':
		return b == '=' ? OP_GE : b == '>' ? OP_SHR : OP_COUNT;
	case '!':
		return b == '=' ? OP_NE : OP_COUNT;
	case '&':
		return b == '&' ? OP_AND : OP_COUNT;
	case '|':
		return b == '|' ? OP_OR : OP_COUNT;
	case ':':
		return b == '=' ? OP_SET : OP_COUNT;
	case '-':
		if (b == '>' && c == '>') {
			*n = 3;
			return OP_ARROW2;
		}
		return b == '>' ? OP_ARROW : OP_COUNT;
	default:
		return OP_COUNT;
	}
}

static void
operator(struct lexer *x)
{
	size_t n;
	enum op op = operator_at(x, &n);

	if (op == OP_COUNT) {
		pp_sql_char(x->d, *x->p++);
		return;
	}
	if ((op == OP_ARROW || op == OP_ARROW2) && (x->d->maria ||
	    x->d->opt.server < PP_SQL_MYSQL_57)) {
		/* they lex it as a sign and a comparison, and refuse it */
		x->d->refused = true;
	}
	if (op == OP_OR && x->d->maria && !x->d->canonical &&
	    (x->d->opt.mode & PP_SQL_PIPES_CONCAT))
		pp_sql_plain(x->d, T_UNKNOWN);
	else
		pp_sql_op(x->d, op);
	x->p += n;
}

/* ---------------------------------------------------------------- others */

static void
dash(struct lexer *x)
{
	if (x->p + 1 < x->end && x->p[1] == '-' && (x->end - x->p == 2 ||
	    space_byte(x->p[2]) || (unsigned char)x->p[2] < 32))
		x->p = pp_sql_line(x->p, x->end);
	else
		operator(x);
}

/* At one of the letters that may begin a literal. */
static void
prefix(struct lexer *x)
{
	char c = *x->p;
	bool quote = x->p + 1 < x->end && x->p[1] == '\'';

	if (quote && (c | 32) == 'n') {
		x->p++;
		string(x);
	} else if (!(quote && (c | 32) == 'x' && bits(x, true)) &&
	    !(quote && (c | 32) == 'b' && bits(x, false))) {
		x->p = pp_my_careful(x, x->p);
	}
}

/* The tokens without a name of a digest text: (unknown), (_charset). */
static bool
unnamed(struct lexer *x)
{
	struct pp_digester *d = x->d;
	const struct tok *t = d->nt ? &d->t[d->nt - 1] : NULL;

	if (starts(x, "(_charset)")) {
		pp_sql_plain(d, T_CHARSET);
		x->p += 10;
		return true;
	}
	if (!starts(x, "(unknown)"))
		return false;
	x->p += 9;
	if (!d->canonical)
		pp_sql_plain(d, T_UNKNOWN);
	else if (t != NULL && (t->id == T_NAME || t->id == ')' ||
	    t->id == T_VALUE || t->id == T_ROW || t->id == T_TUPLE))
		pp_sql_op(d, OP_OR);
	else
		pp_sql_value(d, true);
	return true;
}

static void
other(struct lexer *x)
{
	char c = *x->p;

	switch (c) {
	case '"':
		if (x->d->opt.mode & PP_SQL_ANSI_QUOTES)
			quoted(x, c);
		else
			string(x);
		break;
	case '`':
		quoted(x, c);
		break;
	case '#':
		x->p = pp_sql_line(x->p, x->end);
		break;
	case '/':
		slash(x);
		break;
	case '-':
		dash(x);
		break;
	case '@':
		at_sign(x);
		break;
	case '.':
		dot(x);
		break;
	case '?':
		pp_sql_value(x->d, false);
		x->p++;
		break;
	case '*':
		if (x->in_version && starts(x, "*/")) {
			x->in_version = false;
			x->p += 2;
		} else {
			pp_sql_char(x->d, c);
			x->p++;
		}
		break;
	case '\\':
		if (starts(x, "\\N") && (x->d->maria ||
		    x->d->opt.server < PP_SQL_MYSQL_80)) {
			pp_sql_word(x->d, x->d->w_null - T_WORD);
			x->p += 2;
			break;
		}
		/* FALLTHROUGH */
	default:
		operator(x);
		break;
	}
}

/* The token at p that is none of the plain ones; what is behind it. */
const char *
pp_my_token(struct lexer *x, const char *p)
{
	x->p = p;
	if (digit_byte(*p)) {
		number(x);
	} else if (name_byte(*p)) {
		prefix(x);
	} else if (*p == '\'') {
		string(x);
	} else if (*p != '(') {
		other(x);
	} else if (!unnamed(x)) {
		pp_sql_char(x->d, *p);
		x->p++;
	}
	return x->p;
}
