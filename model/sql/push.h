/*
 * push.h: tokens on top of the stack, with their text.  Private to model/sql.
 *
 * The text of the tokens on the stack is at every moment complete in d->out,
 * each with the blank behind it: when reductions take tokens away, the text
 * gets shorter.  So there is no second pass, and what a token reads like is
 * written where its kind is known anyway.
 */
#ifndef PP_SQL_PUSH_H
#define PP_SQL_PUSH_H

#include "token.h"

/* What is copied at once, more than there is in most cases. */
#define PIECE 16

/* A quote, a name or word in whole pieces, a quote, a blank. */
#define TOKEN_ROOM (1 + NAME_MAX_BYTES + 2)

/* What capital letters get: nothing, or what makes small ones of them. */
extern const char pp_sql_small[2][PIECE];

/* PIECE bytes; small: letters become small ones. */
static inline void
pp_sql_piece(char *o, const char *p, bool small)
{
#if defined(__SSE2__)
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i bits = _mm_loadu_si128(
	    (const __m128i *)(const void *)pp_sql_small[small]);

	/* `small` may be a constant, and this nothing */
	if (!__builtin_constant_p(small) || small)
		v = _mm_or_si128(v, _mm_and_si128(bits,
		    pp_sql_between(v, 'A' - 1, 'Z' + 1)));
	_mm_storeu_si128((__m128i *)(void *)o, v);
#else
	size_t i;

	memcpy(o, p, PIECE);
	for (i = 0; small && i < PIECE; i++)
		if (o[i] >= 'A' && o[i] <= 'Z')
			o[i] = (char)(o[i] | 0x20);
#endif
}

/* Room for a token and its text. */
static inline struct tok *
pp_sql_new(struct pp_digester *d)
{
	if (d->nt == d->t_cap || d->out_cap - d->nout < TOKEN_ROOM)
		pp_sql_grow(d);
	return &d->t[d->nt++];
}

/* A token on top, without reductions. */
static inline void
pp_sql_push(struct pp_digester *d, uint16_t id)
{
	const struct spelling *s = &d->spell[id];
	struct tok *t = pp_sql_new(d);
	char *o = d->out + d->nout;
	size_t k;

	*t = (struct tok){.at = d->nout, .id = id};
	pp_sql_piece(o, s->text, false);
	for (k = PIECE; k < s->n; k += PIECE)
		pp_sql_piece(o + k, s->text + k, false);
	o[s->n] = ' ';
	d->nout += s->step;
}

/* A name; quoted: it was in quotes, `quote` is doubled in it. */
static inline void
pp_sql_push_name(struct pp_digester *d, uint16_t id, const char *p, size_t n,
    char quote, bool quoted)
{
	struct tok *t = pp_sql_new(d);
	char *o = d->out + d->nout;
	size_t k;

	*t = (struct tok){.p = p, .at = d->nout,
	    .n = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX, .id = id,
	    .quote = quote, .quoted = quoted};
	if (d->slow_names || quote != 0 || quoted || id != T_NAME ||
	    n - 1 >= NAME_MAX_BYTES || p > d->span.safe) {
		pp_sql_slow_text(d, t);
		return;
	}
	*o++ = '`';
	for (k = 0; k < n; k += PIECE)
		pp_sql_piece(o + k, p + k, d->canonical);
	o[n] = '`';
	o[n + 1] = ' ';
	d->nout += n + 3;
}

/*
 * A word, or the plain name of n bytes at p: whether it is one or the other
 * cannot be foreseen, so both take the same way.
 */
static inline void
pp_sql_push_either(struct pp_digester *d, uint16_t id, const char *p,
    size_t n, bool small)
{
	const struct spelling *s = &d->spell[id];
	struct tok *t = pp_sql_new(d);
	char *o = d->out + d->nout;
	bool is = id == T_NAME;
	size_t k;

	*t = (struct tok){.p = p, .at = d->nout, .n = (uint32_t)n, .id = id};
	p = is ? p : s->text;
	n = is ? n : s->n;
	*o = '`';
	o += is;
	pp_sql_piece(o, p, small && is);
	for (k = PIECE; k < n; k += PIECE)
		pp_sql_piece(o + k, p + k, small && is);
	o[n] = '`';
	o += n + is;
	*o = ' ';
	d->nout = (size_t)(o + 1 - d->out);
}

/* A plain name of 1 to 16 bytes. */
static inline void
pp_sql_push_short(struct pp_digester *d, const char *p, size_t n)
{
	struct tok *t = pp_sql_new(d);
	char *o = d->out + d->nout;

	*t = (struct tok){.p = p, .at = d->nout, .n = (uint32_t)n,
	    .id = T_NAME};
	*o++ = '`';
	pp_sql_piece(o, p, d->canonical);
	o[n] = '`';
	o[n + 1] = ' ';
	d->nout += n + 3;
}

/* Only the first nt tokens are left. */
static inline void
pp_sql_cut(struct pp_digester *d, size_t nt)
{
	if (nt < d->nt) {
		d->nout = d->t[nt].at;
		d->nt = nt;
	}
}

/* The token on top becomes another. */
static inline void
pp_sql_retop(struct pp_digester *d, uint16_t id)
{
	pp_sql_cut(d, d->nt - 1);
	pp_sql_push(d, id);
}

#endif
