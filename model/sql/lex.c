/*
 * lex.c: what the lexers share: classes of bytes, literals, comments, hints,
 * and the look of a text that is a digest already.
 */
#include "token.h"

#define L9 1, 1, 1, 1, 1, 1, 1, 1, 1
#define L16 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1

const uint8_t pp_sql_name_byte[256] = {
	['$'] = 1,
	['0'] = L9, 1,
	['A'] = L16, L9, 1,
	['_'] = 1,
	['a'] = L16, L9, 1,
	[0x80] = L16, L16, L16, L16, L16, L16, L16, L16,
};

#define UP(c) [c] = (c), [(c) + 32] = (c)
#define ID(c) [c] = (c)
#define ID8(c) ID(c), ID((c) + 1), ID((c) + 2), ID((c) + 3), \
	ID((c) + 4), ID((c) + 5), ID((c) + 6), ID((c) + 7)

const uint8_t pp_sql_upper[256] = {
	ID8(0), ID8(8), ID8(16), ID8(24), ID8(32), ID8(40), ID8(48), ID8(56),
	ID(64),
	UP('A'), UP('B'), UP('C'), UP('D'), UP('E'), UP('F'), UP('G'),
	UP('H'), UP('I'), UP('J'), UP('K'), UP('L'), UP('M'), UP('N'),
	UP('O'), UP('P'), UP('Q'), UP('R'), UP('S'), UP('T'), UP('U'),
	UP('V'), UP('W'), UP('X'), UP('Y'), UP('Z'),
	ID(91), ID(92), ID(93), ID(94), ID(95), ID(96),
	ID(123), ID(124), ID(125), ID(126), ID(127),
	ID8(128), ID8(136), ID8(144), ID8(152), ID8(160), ID8(168), ID8(176),
	ID8(184), ID8(192), ID8(200), ID8(208), ID8(216), ID8(224), ID8(232),
	ID8(240), ID8(248),
};

/*
 * The end of a quoted thing whose opening quote is before p, behind its
 * closing quote; NULL where that is missing.  *doubled: a quote is in it.
 */
const char *
pp_sql_string(struct pp_digester *d, const char *p, char quote,
    bool backslash, bool *doubled)
{
	const char *end = d->sql.p + d->sql.n;
	const char other = backslash ? '\\' : quote;

	*doubled = false;
	while ((p = pp_sql_either(&d->span, p, quote, other)) < end) {
		if (*p != quote) {
			p += 2;
		} else if (p + 1 == end || p[1] != quote) {
			return p + 1;
		} else {
			*doubled = true;
			p += 2;
		}
	}
	return NULL;
}

/*
 * Behind the comment whose opening mark is before p; NULL where it does not
 * end.  Comments in it count down to `nest` levels (0: they do not).
 */
const char *
pp_sql_block_comment(const char *p, const char *end, int nest)
{
	int depth = 0;

	while (p + 1 < end) {
		if (p[0] == '*' && p[1] == '/') {
			p += 2;
			if (depth-- == 0)
				return p;
		} else if (p[0] == '/' && p[1] == '*' && depth < nest) {
			p += 2;
			depth++;
		} else {
			p++;
		}
	}
	return NULL;
}

/* Behind the line. */
const char *
pp_sql_line(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return nl == NULL ? end : nl + 1;
}

/*
 * The three dots of a digest text, at p: `?, ...` and `(...)` are lists, and a
 * name that was too long to be shown is three dots alone.
 */
void
pp_sql_dots(struct pp_digester *d, const char *p)
{
	bool attached = p - d->sql.p >= 3 && p[-2] == ',' && p[-3] == '?';

	if (d->nt != 0 && d->t[d->nt - 1].id == '(') {
		/* what the list was made of */
		pp_sql_value(d, false);
		pp_sql_char(d, ',');
		pp_sql_value(d, false);
	} else if (d->nt != 0 && d->t[d->nt - 1].id == ',') {
		if (d->canonical)
			pp_canon_list(d, attached);
		else
			pp_sql_value(d, false);
	} else {
		pp_sql_name(d, p, 3, '.');
	}
}

/* Names of character sets: _name in front of a literal. */
static const char *const charsets[] = {"armscii8", "ascii", "big5", "binary",
	"cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866",
	"cp932", "dec8", "eucjpms", "euckr", "gb18030", "gb2312", "gbk",
	"geostd8", "greek", "hebrew", "hp8", "keybcs2", "koi8r", "koi8u",
	"latin1", "latin2", "latin5", "latin7", "macce", "macroman", "sjis",
	"swe7", "tis620", "ucs2", "ujis", "utf16", "utf16le", "utf32", "utf8",
	"utf8mb3", "utf8mb4"};

bool
pp_sql_is_charset(const char *p, size_t n)
{
	size_t i, k;

	for (i = 0; i < sizeof(charsets) / sizeof(charsets[0]); i++) {
		if (strlen(charsets[i]) != n)
			continue;
		for (k = 0; k < n; k++)
			if (pp_sql_upper[(unsigned char)p[k]] !=
			    pp_sql_upper[(unsigned char)charsets[i][k]])
				break;
		if (k == n)
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------- hints */

static const char *
hint_name(struct pp_digester *d, const char *p, const char *end, int depth)
{
	const struct pp_sql_key *k;
	const char *from = p;

	while (p < end && (name_byte(*p) || *p == '#'))
		p++;
	if (d->canonical) {
		/* names of hints in capitals, what they name as names */
		pp_sql_name(d, from, (size_t)(p - from), depth == 0 ? '+' : 0);
		return p;
	}
	if (p < end && *p == '@') {
		pp_sql_name_at(d, from, (size_t)(p - from));
		return p;
	}
	k = pp_sql_find(d, from, (size_t)(p - from));
	if (k != NULL && k->hint != 0)
		pp_sql_plain(d, d->token[k->hint - 1]);
	else
		pp_sql_name(d, from, (size_t)(p - from), 0);
	return p;
}

static const char *
hint_number(struct pp_digester *d, const char *p, const char *end)
{
	while (p < end && (name_byte(*p) || *p == '.'))
		p++;
	pp_sql_value(d, false);
	return p;
}

static const char *
hint_quoted(struct pp_digester *d, const char *p, const char *end, int depth)
{
	const char *from = p + 1, *q = memchr(from, *p, (size_t)(end - from));

	if (q == NULL)
		q = end;
	if (*p == '\'') {
		pp_sql_value(d, false);
	} else if (q + 1 < end && q[1] == '@' && !d->canonical) {
		pp_sql_name_at(d, from, (size_t)(q - from));
	} else {
		pp_sql_quoted(d, from, (size_t)(q - from),
		    d->canonical && depth == 0 ? '+' : 0);
	}
	return q < end ? q + 1 : end;
}

/* The hints between p and end. */
void
pp_sql_hints(struct pp_digester *d, const char *p, const char *end)
{
	int depth = 0;

	pp_sql_plain(d, T_HINT);
	while (p < end) {
		if (space_byte(*p)) {
			p++;
		} else if (*p == '?') {
			pp_sql_value(d, false);
			p++;
		} else if (digit_byte(*p)) {
			p = hint_number(d, p, end);
		} else if (name_byte(*p)) {
			p = hint_name(d, p, end, depth);
		} else if (*p == '\'' || *p == '"' || *p == '`') {
			p = hint_quoted(d, p, end, depth);
		} else {
			depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
			pp_sql_hint_char(d, *p++);
		}
	}
	pp_sql_plain(d, T_HINT_END);
}

/* ----------------------------------------------------------- digest text */

/* Behind a name in backquotes that starts at p, or NULL. */
static const char *
skip_name(const char *p, const char *end)
{
	const char *q = memchr(p + 1, '`', (size_t)(end - p - 1));

	while (q != NULL && q + 1 < end && q[1] == '`')
		q = memchr(q + 2, '`', (size_t)(end - q - 2));
	return q == NULL ? NULL : q + 1;
}

static bool
at_mark(const char *p, const char *end, const char *mark, size_t n)
{
	return (size_t)(end - p) >= n && memcmp(p, mark, n) == 0;
}

/* The bytes of what digest texts have and nothing else has, at a bracket,
 * question mark or @; 0 where it is something else. */
static size_t
mark_at(const char *p, const char *end)
{
	if (*p == '@')
		return at_mark(p, end, "@@`", 3) ? 2 : 0;
	if (*p == '?')
		return at_mark(p, end, "?, ...", 6) ? 6 : 0;
	if (end - p < 3 || (p[1] != '?' && p[1] != '.' && p[1] != 'u' &&
	    p[1] != '_'))
		return 0;
	return at_mark(p, end, "(?)", 3) ? 3 :
	    at_mark(p, end, "(...)", 5) ? 5 :
	    at_mark(p, end, "(unknown)", 9) ? 9 :
	    at_mark(p, end, "(_charset)", 10) ? 10 : 0;
}

/* May the characters a and b stand side by side in two tokens? */
static bool
adjoins(char a, char b)
{
	if (a == '@' || b == '@' || a == '*' || b == '*' || b == '/' ||
	    b == '+')
		return true;
	return !name_byte(a) && !name_byte(b) && a != '(' && b != '(' &&
	    b != ')' && a != ',' && b != ',';
}

/* 1: of words in a digest text, 2: in no digest text, outside of names */
static const uint8_t digest_byte[256] = {
	[1] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
	[16] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
	['\''] = 2, ['"'] = 2, ['#'] = 2,
	['0'] = L9, 1,
	['A'] = L16, L9, 1,
	['_'] = 1, ['$'] = 1,
	['a'] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
	['n'] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
	[0x80] = L16, L16, L16, L16, L16, L16, L16, L16,
};

/*
 * Is this a digest text?  Then every token has a blank before it, words are in
 * capitals, names in backquotes, and there is no literal.  Statements that
 * people write fail at their first small letter.
 */
bool
pp_sql_is_digest(pp_str sql)
{
	const char *p = sql.p, *end = sql.p + sql.n;
	bool blank = true;
	size_t n;

	while (end > p && end[-1] == ' ')
		end--;
	while (p < end) {
		n = digest_byte[(unsigned char)*p];
		if (n == 2 || (*p == ' ' && blank))
			return false;
		if (*p == ' ') {
			blank = true;
			p++;
			continue;
		}
		if (!blank && (n == 1) != name_byte(p[-1]) &&
		    !adjoins(p[-1], *p) && p[-1] != '`')
			return false;
		if (n == 1) {
			while (p < end && digest_byte[(unsigned char)*p] == 1)
				p++;
			blank = false;
			continue;
		}
		if (at_mark(p, end, "...", 3)) {
			/* a name that was too long; no blank follows */
			p += 3;
			blank = true;
			if (p < end && *p == ' ')
				p++;
			continue;
		}
		n = *p == '(' || *p == '?' || *p == '@' ?
		    mark_at(p, end) : 0;
		if (n == 0 && !blank && *p != '`' && !adjoins(p[-1], *p))
			return false;
		if (n != 0) {
			p += n;
		} else if (*p == '`') {
			p = skip_name(p, end);
			if (p == NULL)
				return false;
		} else {
			p++;
		}
		blank = false;
	}
	return true;
}
