/*
 * text.c: the tokens that are left, as text.
 *
 * One blank between tokens and none behind @.  The servers before MySQL 8.0
 * leave the blank behind the last token; 5.6 before its release left two, and
 * names without quotes.
 */
#include "token.h"

/* Longer names show as three dots: 64 characters of 3 bytes are the most that
 * the server's buffer for a converted name holds. */
#define NAME_MAX_BYTES 64

static void
grow(struct pp_digester *d, size_t n)
{
	void *v = d->out;

	pp_mem_grow(d->mem, &v, &d->out_cap, d->nout + n, 1);
	d->out = v;
}

static inline void
emit(struct pp_digester *d, const char *p, size_t n)
{
	if (d->out_cap - d->nout < n)
		grow(d, n);
	if (n)
		memcpy(d->out + d->nout, p, n);
	d->nout += n;
}

static inline void
emit_char(struct pp_digester *d, char c)
{
	if (d->out_cap == d->nout)
		grow(d, 1);
	d->out[d->nout++] = c;
}

/* A name in backquotes, doubled quotes resolved. */
static void
native_name(struct pp_digester *d, const struct tok *t)
{
	bool bare = d->opt.server == PP_SQL_MYSQL_56M && !t->quoted;
	size_t i;

	if (!bare)
		emit_char(d, '`');
	if (t->quote == 0) {
		emit(d, t->p, t->n);
	} else {
		for (i = 0; i < t->n; i++) {
			emit_char(d, t->p[i]);
			if (t->p[i] == t->quote)
				i++;
		}
	}
	if (!bare)
		emit_char(d, '`');
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* One character of a canonical name; *digits: within a run of digits. */
static void
canonical_char(struct pp_digester *d, char c, bool *run)
{
	if (d->opt.loose && digit_byte(c)) {
		if (!*run)
			emit_char(d, '?');
		*run = true;
		return;
	}
	*run = false;
	if (c == '`')
		emit_char(d, '`');
	emit_char(d, lower(c));
}

static void
canonical_name(struct pp_digester *d, const struct tok *t)
{
	bool run = false;
	size_t i;

	if (t->quote == '+') {
		/* the name of a hint */
		for (i = 0; i < t->n; i++)
			emit_char(d,
			    (char)pp_sql_upper[(unsigned char)t->p[i]]);
		return;
	}
	emit_char(d, '`');
	for (i = 0; i < t->n; i++) {
		canonical_char(d, t->p[i], &run);
		if (t->quote && t->p[i] == t->quote)
			i++;
	}
	emit_char(d, '`');
}

static bool
mysql_names(const struct pp_digester *d)
{
	return d->opt.server <= PP_SQL_MARIADB_11;
}

/* A name; is a blank to follow? */
static bool
name(struct pp_digester *d, const struct tok *t, bool space)
{
	if (t->n == 0)
		return space;
	if (space)
		emit_char(d, ' ');
	if (t->quote == '.' || (mysql_names(d) &&
	    pp_sql_name_bytes(t) > NAME_MAX_BYTES)) {
		emit(d, "...", 3);
		return d->canonical;
	}
	if (d->canonical)
		canonical_name(d, t);
	else
		native_name(d, t);
	return t->id != T_NAME_AT;
}

#define TEXT(s) {(s), sizeof(s) - 1}

static pp_str
token_text(const struct tok *t)
{
	static const pp_str special[] = {
		[T_VALUE - 256] = TEXT("?"),
		[T_VALUES - 256] = TEXT("?, ..."),
		[T_ROW - 256] = TEXT("(?)"),
		[T_ROWS - 256] = TEXT("(?) /* , ... */"),
		[T_TUPLE - 256] = TEXT("(...)"),
		[T_TUPLES - 256] = TEXT("(...) /* , ... */"),
		[T_IN - 256] = TEXT("IN (...)"),
		[T_UNKNOWN - 256] = TEXT("(unknown)"),
		[T_CHARSET - 256] = TEXT("(_charset)"),
		[T_HINT - 256] = TEXT("/*+"),
		[T_HINT_END - 256] = TEXT("*/"),
		[T_ROLLUP - 256] = TEXT("WITH ROLLUP"),
		[T_NOT2 - 256] = TEXT("!"),
		[T_FIRST - 256] = TEXT("?"),
		[T_MORE - 256] = TEXT(", ..."),
	};
	if (t->id >= T_OP)
		return pp_str_from(pp_sql_ops[t->id - T_OP]);
	if (t->id == T_POSITION)
		return (pp_str){t->p, t->n};
	return special[t->id - 256];
}

/* The text of a word, and room behind it that may be written to. */
static void
word(struct pp_digester *d, const struct word_key *k)
{
	char *o;

	if (d->out_cap - d->nout < WORD_ROOM)
		grow(d, WORD_ROOM);
	o = d->out + d->nout;
	/* mostly one block of a known size */
	memcpy(o, k->text, 16);
	if (k->n > 16)
		memcpy(o + 16, k->text + 16, WORD_ROOM - 16);
	d->nout += k->n;
}

void
pp_sql_print(struct pp_digester *d)
{
	const struct tok *t = d->t, *end = d->t + d->nt;
	bool space = false;
	pp_str s;

	d->nout = 0;
	for (; t < end; t++) {
		if (t->id == T_NAME || t->id == T_NAME_AT) {
			space = name(d, t, space);
			continue;
		}
		if (space)
			emit_char(d, ' ');
		space = true;
		if (t->id >= T_WORD) {
			word(d, &d->key[t->id - T_WORD]);
		} else if (t->id < 256) {
			emit_char(d, (char)t->id);
			space = t->id != '@';
		} else {
			s = token_text(t);
			emit(d, s.p, s.n);
		}
	}
	if (d->canonical || d->opt.server == PP_SQL_MYSQL_80 ||
	    d->opt.server == PP_SQL_MYSQL_90)
		return;
	if (space)
		emit_char(d, ' ');
	if (d->opt.server == PP_SQL_MYSQL_56M)
		emit_char(d, ' ');
}
