/*
 * lex_mysql.c: MySQL's and MariaDB's lexer, as far as the tokens go that
 * statements are made of: words, names, integers, short literals, commas and
 * brackets.  The others are lex_mysql_rare.c's.
 *
 * This is the hot loop of all digests.  What it does for a token is little, so
 * calls and jumps that cannot be foreseen are what costs: see runs.h, push.h.
 */
#include "lex_mysql.h"

static inline void
short_name(struct pp_digester *d, const char *p, size_t n)
{
	if (d->canonical) {
		pp_sql_push_short(d, p, n);
	} else if (pp_native_room(d, pp_native_cost(T_NAME, n))) {
		pp_sql_push_short(d, p, n);
		d->barrier = d->nt;
	}
}

/*
 * Names that dots join: the first, which is no word of any, is from..p, its
 * dot at p.
 */
static const char *
chain(struct lexer *x, const char *from, const char *p)
{
	struct pp_digester *d = x->d;
	size_t n;

	short_name(d, from, (size_t)(p - from));
	while (*p == '.' && !d->full && p + 1 <= x->quick) {
		n = pp_sql_name_run(p + 1);
		if (n == 0 || n == 16)
			break;
		pp_sql_plain_char(d, '.');
		if (!d->full)
			short_name(d, p + 1, n);
		p += 1 + n;
	}
	x->p = p;
	pp_my_dotted(x);
	return x->p;
}

/* A word or name that begins with a letter; what is behind it. */
static inline const char *
word(struct lexer *x, const char *from)
{
	struct pp_digester *d = x->d;
	const struct pp_sql_key *k;
	size_t n;

	if (from > x->quick)
		return pp_my_careful(x, from);
	n = pp_sql_name_run(from);
	if (n == 16)
		return pp_my_careful(x, from);
	k = pp_sql_word_quick(&d->words, from, n);
	if (k->easy == 0 || (d->canonical && d->nt != 0 &&
	    d->t[d->nt - 1].id == '.'))
		return pp_my_careful(x, from);
	if (from[n] == '.')
		return k->easy == T_NAME ? chain(x, from, from + n) :
		    pp_my_careful(x, from);
	if (d->canonical) {
		pp_sql_push_either(d, k->easy, from, n, true);
	} else if (pp_native_room(d, pp_native_cost(k->easy, n))) {
		pp_sql_push_either(d, k->easy, from, n, false);
		d->barrier = k->easy == T_NAME ? d->nt : d->barrier;
	}
	return from + n;
}

/* What a byte begins. */
enum begin {
	B_OTHER, B_GAP, B_DIGIT, B_WORD, B_PREFIX, B_PLAIN, B_COMMA, B_STRING,
	B_OPEN, B_CLOSE, B_QUOTED, B_DOT
};

#define B4(b) (b), (b), (b), (b)
#define B16(b) B4(b), B4(b), B4(b), B4(b)

static const uint8_t begins[256] = {
	[0] = B_GAP, ['\t'] = B_GAP, B_GAP, B_GAP, B_GAP, B_GAP, [' '] = B_GAP,
	['$'] = B_WORD, ['%'] = B_PLAIN, ['\''] = B_STRING,
	['('] = B_OPEN, B_CLOSE, ['+'] = B_PLAIN, B_COMMA,
	['.'] = B_DOT,
	['0'] = B4(B_DIGIT), B4(B_DIGIT), B_DIGIT, B_DIGIT,
	[';'] = B_PLAIN, ['='] = B_PLAIN,
	['A'] = B_WORD, B_PREFIX, B4(B_WORD), B4(B_WORD), B_WORD, B_WORD,
	B_WORD, B_PREFIX, B4(B_WORD), B4(B_WORD), B_WORD, B_PREFIX, B_WORD,
	B_WORD,
	['^'] = B_PLAIN, B_PREFIX, B_QUOTED,
	['a'] = B_WORD, B_PREFIX, B4(B_WORD), B4(B_WORD), B_WORD, B_WORD,
	B_WORD, B_PREFIX, B4(B_WORD), B4(B_WORD), B_WORD, B_PREFIX, B_WORD,
	B_WORD,
	['{'] = B_PLAIN, ['}'] = B_PLAIN, B_PLAIN,
	[128] = B16(B_WORD), B16(B_WORD), B16(B_WORD), B16(B_WORD),
	B16(B_WORD), B16(B_WORD), B16(B_WORD), B16(B_WORD),
};

static inline void
value(struct pp_digester *d, bool number)
{
	if (d->canonical)
		pp_canon_value(d);
	else
		pp_native_value(d, number);
}

/* The literal at from where it is short and plain, else NULL. */
static inline const char *
short_string(struct pp_digester *d, const char *from, char quote, char escape)
{
	const char *p = from + 1;

	if (p > d->span.safe)
		return NULL;
	p += pp_sql_either_run(p, quote, escape);
	if (p >= d->span.end || *p != quote || p[1] == quote)
		return NULL;
	value(d, false);
	return p + 1;
}

/*
 * The name in backquotes at from where it is short and plain, and in a
 * canonical text no word of any; else NULL.
 */
static inline const char *
quoted(struct lexer *x, const char *from)
{
	struct pp_digester *d = x->d;
	const char *p = from + 1;
	size_t n;

	if (p > x->quick)
		return NULL;
	n = pp_sql_either_run(p, '`', '`');
	if (n == 0 || n == 16 || p[n + 1] == '`' || p + n >= d->span.end)
		return NULL;
	if (d->canonical && !(d->nt != 0 && d->t[d->nt - 1].id == '.') &&
	    pp_sql_word_quick(&d->words, p, n)->easy != T_NAME)
		return NULL;
	short_name(d, p, n);
	return p + n + 1;
}

/* The integer at from where nothing is behind it, else NULL. */
static inline const char *
integer(struct pp_digester *d, const char *from)
{
	const char *p = pp_sql_digits_end(&d->span, from);

	if (d->native9 || p >= d->span.end || *p == '.' || name_byte(*p))
		return NULL;
	value(d, true);
	return p;
}

void
pp_sql_lex_mysql(struct pp_digester *d)
{
	const bool ansi = (d->opt.mode & PP_SQL_NO_BACKSLASH) != 0;
	struct lexer x = {d, d->sql.p, d->sql.p + d->sql.n, false,
	    d->slow_names ? NULL : d->span.safe};
	const char *p = x.p, *end = x.end, *next;

	while (p < end && !d->full) {
		if (*p == ' ' && ++p == end)
			break;
		next = NULL;
		switch ((enum begin)begins[(unsigned char)*p]) {
		case B_GAP:
			next = p + 1;
			break;
		case B_WORD:
			next = word(&x, p);
			break;
		case B_DIGIT:
			next = integer(d, p);
			break;
		case B_STRING:
			next = short_string(d, p, '\'', ansi ? '\'' : '\\');
			break;
		case B_QUOTED:
			next = quoted(&x, p);
			break;
		case B_DOT:
			/* `a` . `b` of a digest text */
			if (p + 1 >= end || p[1] != ' ' || d->nt == 0 ||
			    d->t[d->nt - 1].id != T_NAME)
				break;
			pp_sql_plain_char(d, '.');
			next = p + 1;
			break;
		case B_COMMA:
			if (d->canonical)
				pp_canon_comma(d);
			else
				pp_native_store(d, ',');
			next = p + 1;
			break;
		case B_PLAIN:
			pp_sql_plain_char(d, *p);
			next = p + 1;
			break;
		case B_OPEN:
			if (d->digest_input)
				break;
			/* FALLTHROUGH */
		case B_CLOSE:
			pp_sql_char(d, *p);
			next = p + 1;
			break;
		case B_PREFIX:
		case B_OTHER:
			break;
		}
		p = next != NULL ? next : pp_my_token(&x, p);
	}
	if (x.in_version && !d->full) {
		d->cut = true;
		d->refused = true;
	}
}
