/*
 * text.c: the tokens that are left, as text.
 *
 * One blank between tokens and none behind @.  The servers before MySQL 8.0
 * leave the blank behind the last token; 5.6 before its release left two, and
 * names without quotes.  MySQL shows longer names than NAME_MAX_BYTES as three
 * dots: 64 characters of 3 bytes are the most that its buffer for a converted
 * name holds.
 */
#include "push.h"

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
name(struct pp_digester *d, const struct tok *t)
{
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

static void
spell(struct spelling *s, pp_str text)
{
	PP_ASSERT(text.n < SPELL_ROOM);
	if (text.n != 0)
		memcpy(s->text, text.p, text.n);
	s->n = (uint16_t)text.n;
	s->step = (uint16_t)(text.n + 1);
}

/* What the tokens are in texts. */
void
pp_sql_spellings(struct pp_digester *d)
{
	size_t i;

	for (i = 0; i < 256; i++) {
		d->spell[i].text[0] = (char)i;
		d->spell[i].n = 1;
		d->spell[i].step = i == '@' ? 1 : 2;
	}
	for (i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		spell(&d->spell[256 + i], special[i]);
	for (i = 0; i < OP_COUNT; i++)
		spell(&d->spell[T_OP + i], pp_str_from(pp_sql_ops[i]));
	for (i = 0; i < pp_word_count; i++)
		spell(&d->spell[T_WORD + i], pp_str_from(pp_words[i].word));
}

const char pp_sql_small[2][PIECE] = {{0}, {32, 32, 32, 32, 32, 32, 32, 32,
	32, 32, 32, 32, 32, 32, 32, 32}};

/* More room for tokens or their text. */
void
pp_sql_grow(struct pp_digester *d)
{
	void *v = d->t;

	if (d->nt == d->t_cap) {
		pp_mem_grow(d->mem, &v, &d->t_cap, d->nt + 1, sizeof(*d->t));
		d->t = v;
	}
	if (d->out_cap - d->nout < TOKEN_ROOM)
		grow(d, TOKEN_ROOM);
}

/* The text of a name that is no plain copy, and of a position. */
void
pp_sql_slow_text(struct pp_digester *d, const struct tok *t)
{
	if (t->id == T_POSITION)
		emit(d, t->p, t->n);
	else if (t->n == 0 || !name(d, t))
		return;
	emit_char(d, ' ');
}

/* The end of the text, where all tokens are there. */
void
pp_sql_end_text(struct pp_digester *d)
{
	if (d->canonical || d->opt.server == PP_SQL_MYSQL_80 ||
	    d->opt.server == PP_SQL_MYSQL_90) {
		if (d->nout != 0 && d->t[d->nt - 1].id != '@' &&
		    d->out[d->nout - 1] == ' ')
			d->nout--;
	} else if (d->opt.server == PP_SQL_MYSQL_56M) {
		emit_char(d, ' ');
	}
}
