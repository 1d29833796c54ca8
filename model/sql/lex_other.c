/*
 * lex_other.c: the lexers of Oracle SQL and PL/SQL, and of PostgreSQL.
 *
 * Oracle: '..' with '' for a quote and a plain backslash, q'[..]', N'..',
 * "names", :binds, hints behind the word that begins a statement, also as
 * --+ line; names may hold $ and #.
 * PostgreSQL: '..' the same, E'..' with backslashes, U&'..', B'..', X'..',
 * $tag$..$tag$, $1, comments that nest, :: and its other operators.
 */
#include "token.h"

struct lexer {
	struct pp_digester *d;
	const char *p, *end;
	bool oracle;
	bool hints;		/* a word that takes hints was just read */
};

static char
at(const struct lexer *x, size_t n)
{
	return (size_t)(x->end - x->p) > n ? x->p[n] : 0;
}

static bool
name_char(const struct lexer *x, const char *p)
{
	return p < x->end && (name_byte(*p) || (*p == '#' && x->oracle));
}

static bool
letter_byte(char c)
{
	return name_byte(c) && !digit_byte(c) && c != '$';
}

static void
finish(struct lexer *x, const char *p)
{
	if (p == NULL || p > x->end) {
		x->d->cut = true;
		p = x->end;
	}
	x->p = p;
}

/* ------------------------------------------------------------- literals */

static void
literal(struct lexer *x, const char *p, bool backslash)
{
	bool doubled;

	finish(x, pp_sql_string(x->d, p, '\'', backslash, &doubled));
	pp_sql_value(x->d, false);
}

/* q'[..]' with p at the character that opens it. */
static void
quote_literal(struct lexer *x, const char *p)
{
	char close;

	if (p >= x->end) {
		finish(x, NULL);
		pp_sql_value(x->d, false);
		return;
	}
	close = *p == '[' ? ']' : *p == '(' ? ')' : *p == '{' ? '}' :
	    *p == '<' ? '>' : *p;
	for (p++; p < x->end; p++) {
		p = memchr(p, close, (size_t)(x->end - p));
		if (p == NULL || p + 1 >= x->end) {
			p = NULL;
			break;
		}
		if (p[1] == '\'')
			break;
	}
	finish(x, p == NULL || p >= x->end ? NULL : p + 2);
	pp_sql_value(x->d, false);
}

/* $tag$ at x->p: the bytes of the tag with both signs, 0 where it is none. */
static size_t
dollar_tag(const struct lexer *x)
{
	const char *p = x->p + 1;

	if (p < x->end && digit_byte(*p))
		return 0;
	while (p < x->end && name_byte(*p) && *p != '$')
		p++;
	return p < x->end && *p == '$' ? (size_t)(p + 1 - x->p) : 0;
}

static void
dollar(struct lexer *x)
{
	size_t n = dollar_tag(x), at_end;
	pp_str rest;

	if (n == 0) {
		/* $1 */
		x->p++;
		while (x->p < x->end && digit_byte(*x->p))
			x->p++;
		pp_sql_value(x->d, false);
		return;
	}
	rest = (pp_str){x->p + n, (size_t)(x->end - x->p) - n};
	at_end = pp_str_find(rest, (pp_str){x->p, n});
	finish(x, at_end == rest.n ? NULL : rest.p + at_end + n);
	pp_sql_value(x->d, false);
}

/* A literal with letters in front; false where x->p is a word. */
static bool
prefixed_literal(struct lexer *x)
{
	char a = at(x, 0) | 32, b = at(x, 1), c = at(x, 2);

	if (b == '\'' && a == 'n') {
		literal(x, x->p + 2, false);
	} else if (x->oracle) {
		if (b == '\'' && a == 'q')
			quote_literal(x, x->p + 2);
		else if (a == 'n' && (b | 32) == 'q' && c == '\'')
			quote_literal(x, x->p + 3);
		else
			return false;
	} else if (b == '\'' && (a == 'b' || a == 'x')) {
		literal(x, x->p + 2, false);
	} else if (b == '\'' && a == 'e') {
		literal(x, x->p + 2, true);
	} else if (a == 'u' && b == '&' && c == '\'') {
		literal(x, x->p + 3, false);
	} else {
		return false;
	}
	return true;
}

static void
number(struct lexer *x)
{
	const char *p = x->p;

	while (p < x->end && digit_byte(*p))
		p++;
	/* 1..10 is a range */
	if (p < x->end && *p == '.' && (p + 1 == x->end || p[1] != '.'))
		p++;
	while (p < x->end && digit_byte(*p))
		p++;
	if (p < x->end && (*p | 32) == 'e' && x->end - p > 1 &&
	    (digit_byte(p[1]) || (x->end - p > 2 && digit_byte(p[2]) &&
	    (p[1] == '+' || p[1] == '-')))) {
		p += 2;
		while (p < x->end && digit_byte(*p))
			p++;
	}
	/* 1.5f, 0x1F, 1_000; letters that follow belong to it */
	while (name_char(x, p))
		p++;
	x->p = p;
	pp_sql_value(x->d, true);
}

/* ---------------------------------------------------------------- words */

static void
word(struct lexer *x)
{
	struct pp_digester *d = x->d;
	const char *from = x->p, *p = from;
	const struct pp_sql_key *k;

	while (name_char(x, p))
		p++;
	x->p = p;
	k = pp_sql_find(d, from, (size_t)(p - from));
	if (k == NULL || k->own == 0) {
		pp_sql_known(d, from, (size_t)(p - from), k);
		return;
	}
	pp_sql_word(d, k->own - 1);
	x->hints = (d->flags[d->token[k->own - 1] - T_WORD] & F_HINTS) != 0;
}

/* A name in quotes; in backquotes it is from a digest text. */
static void
quoted(struct lexer *x, const char *p, char quote)
{
	bool doubled;
	const char *end = pp_sql_string(x->d, p, quote, false, &doubled);
	const char *close = end == NULL ? x->end : end - 1;

	finish(x, end);
	pp_sql_quoted(x->d, p, (size_t)(close - p), doubled ? quote : 0);
}

/* ------------------------------------------------------------- comments */

static void
block(struct lexer *x)
{
	bool hint = at(x, 2) == '+' && (x->hints || x->d->nt == 0);
	const char *from = x->p + 2;
	const char *end = pp_sql_block_comment(from, x->end,
	    x->oracle ? 0 : INT32_MAX);

	if (hint && end != NULL && !x->d->opt.loose)
		pp_sql_hints(x->d, from + 1, end - 2);
	finish(x, end);
}

static void
line(struct lexer *x)
{
	const char *from = x->p + 2, *end = pp_sql_line(from, x->end);

	if (x->oracle && x->hints && from < x->end && *from == '+' &&
	    !x->d->opt.loose)
		pp_sql_hints(x->d, from + 1, end);
	x->p = end;
}

/* ------------------------------------------------------------ operators */

struct op_text {
	char text[5];
	enum op op;
};

static const struct op_text oracle_ops[] = {
	{"<=", OP_LE}, {">=", OP_GE}, {"<>", OP_NE}, {"!=", OP_NE},
	{"^=", OP_NE}, {"~=", OP_NE}, {"<<", OP_SHL}, {">>", OP_SHR},
	{"||", OP_OR}, {":=", OP_SET}, {"=>", OP_NAMED}, {"**", OP_POWER},
	{"..", OP_RANGE}, {"", OP_COUNT},
};

/* Longer ones first. */
static const struct op_text postgres_ops[] = {
	{"!~~*", OP_LIKE_NOT_I}, {"->>", OP_ARROW2},
	{"#>>", OP_HASH_ARROW2}, {"!~*", OP_RE_NOT_I},
	{"!~~", OP_LIKE_NOT}, {"~~*", OP_LIKE_I}, {"<->", OP_DISTANCE},
	{"<=", OP_LE}, {">=", OP_GE}, {"<>", OP_NE}, {"!=", OP_NE},
	{"<<", OP_SHL}, {">>", OP_SHR}, {"||", OP_OR}, {":=", OP_SET},
	{"=>", OP_NAMED}, {"::", OP_CAST}, {"->", OP_ARROW},
	{"#>", OP_HASH_ARROW}, {"#-", OP_HASH_MINUS}, {"@>", OP_CONTAINS},
	{"<@", OP_WITHIN}, {"?|", OP_ANY_KEY}, {"?&", OP_ALL_KEYS},
	{"~*", OP_RE_I}, {"!~", OP_RE_NOT}, {"~~", OP_LIKE},
	{"@@", OP_MATCH}, {"@?", OP_JSON_PATH}, {"&&", OP_AND},
	{"^@", OP_EXCL_CONCAT}, {"..", OP_RANGE}, {"", OP_COUNT},
};

static void
operator(struct lexer *x)
{
	const struct op_text *o = x->oracle ? oracle_ops : postgres_ops;
	size_t n, left = (size_t)(x->end - x->p);

	for (; o->op != OP_COUNT; o++) {
		if (o->text[0] != *x->p)
			continue;
		n = strlen(o->text);
		if (n <= left && memcmp(o->text, x->p, n) == 0) {
			pp_sql_op(x->d, o->op);
			x->p += n;
			return;
		}
	}
	if (*x->p == '?')
		pp_sql_value(x->d, false);
	else
		pp_sql_char(x->d, *x->p);
	x->p++;
}

/* A bind: :name, :1, :"name"; false where the colon is something else. */
static bool
bind(struct lexer *x)
{
	const char *p = x->p + 1;
	bool doubled;

	if (p >= x->end || *p == ':' || *p == '=')
		return false;
	if (*p == '"' && x->oracle) {
		finish(x, pp_sql_string(x->d, p + 1, '"', false, &doubled));
		pp_sql_value(x->d, false);
		return true;
	}
	/* [1:n] is a slice of an array */
	if (!x->oracle && (!letter_byte(*p) || (x->p > x->d->sql.p &&
	    (name_byte(x->p[-1]) || x->p[-1] == ']' || x->p[-1] == '['))))
		return false;
	if (!name_char(x, p))
		return false;
	while (name_char(x, p))
		p++;
	x->p = p;
	pp_sql_value(x->d, false);
	return true;
}

static void
other(struct lexer *x)
{
	char c = *x->p, b = at(x, 1);

	if (c == '\'') {
		literal(x, x->p + 1, false);
	} else if (c == '"' || c == '`') {
		quoted(x, x->p + 1, c);
	} else if (c == '/' && b == '*') {
		block(x);
	} else if (c == '-' && b == '-') {
		line(x);
	} else if (c == '.' && b == '.' && at(x, 2) == '.') {
		pp_sql_dots(x->d, x->p);
		x->p += 3;
	} else if (c == '.' && digit_byte(b) && (x->p == x->d->sql.p ||
	    (x->p[-1] != '.' && !name_char(x, x->p - 1)))) {
		number(x);
	} else if (c != ':' || !bind(x)) {
		operator(x);
	}
}

static void
name_or_literal(struct lexer *x)
{
	if (*x->p == '$') {
		if (x->oracle)
			word(x);
		else
			dollar(x);
	} else if (!prefixed_literal(x)) {
		if (!x->oracle && (*x->p | 32) == 'u' && at(x, 1) == '&' &&
		    at(x, 2) == '"')
			quoted(x, x->p + 3, '"');
		else
			word(x);
	}
}

void
pp_sql_lex_other(struct pp_digester *d)
{
	struct lexer x = {d, d->sql.p, d->sql.p + d->sql.n,
	    d->opt.server == PP_SQL_ORACLE, false};
	bool hints;
	char c;

	while (x.p < x.end) {
		c = *x.p;
		if (space_byte(c) || c == 0) {
			x.p++;
			continue;
		}
		hints = x.hints;
		if (digit_byte(c)) {
			number(&x);
		} else if (name_byte(c)) {
			x.hints = false;
			name_or_literal(&x);
			continue;
		} else {
			other(&x);
		}
		/* comments may stand between a word and its hints */
		if (hints && c != '/' && c != '-')
			x.hints = false;
	}
}
