/*
 * hash.c: the DIGEST of MySQL 8.0 and later.
 *
 * SHA-256 over the array of tokens: a token is two bytes, low byte first; a
 * name is followed by its length (two bytes) and its bytes, a position of
 * MySQL 9 by its value (four).  words.tbl says where the numbers are from.
 */
#include "token.h"

/* Numbers of tokens that are no words; 0 where MySQL has none. */
static const uint16_t special[] = {
	[T_VALUE - 256] = 1100,
	[T_VALUES - 256] = 1101,
	[T_ROW - 256] = 1102,
	[T_ROWS - 256] = 1103,
	[T_TUPLE - 256] = 1104,
	[T_TUPLES - 256] = 1105,
	[T_NAME - 256] = 1106,
	[T_NAME_AT - 256] = 1107,
	[T_HINT - 256] = 1108,
	[T_HINT_END - 256] = 1109,
	[T_IN - 256] = 1110,
	[T_POSITION - 256] = 1111,
	[T_CHARSET - 256] = 852,
	[T_ROLLUP - 256] = 894,
	[T_NOT2 - 256] = 621,
	[T_OP + OP_LE - 256] = 522,
	[T_OP + OP_GE - 256] = 456,
	[T_OP + OP_NE - 256] = 614,
	[T_OP + OP_EQUAL - 256] = 416,
	[T_OP + OP_SHL - 256] = 759,
	[T_OP + OP_SHR - 256] = 760,
	[T_OP + OP_AND - 256] = 273,
	[T_OP + OP_OR - 256] = 642,
	[T_OP + OP_SET - 256] = 757,
	[T_OP + OP_ARROW - 256] = 514,
	[T_OP + OP_ARROW2 - 256] = 907,
};

#define PIPES_AS_CONCAT 644

static uint16_t
number_of(const struct pp_digester *d, const struct tok *t)
{
	if (t->id >= T_WORD)
		return pp_words[t->id - T_WORD].number;
	if (t->id == T_OF_OP(OP_OR) && (d->opt.mode & PP_SQL_PIPES_CONCAT))
		return PIPES_AS_CONCAT;
	if (t->id >= 256)
		return (size_t)(t->id - 256) <
		    sizeof(special) / sizeof(special[0]) ?
		    special[t->id - 256] : 0;
	if (t->fixed)
		return t->id;
	switch (t->id) {
	case '<':
		return 549;
	case '=':
		return 415;
	case '>':
		return 469;
	default:
		return t->id;
	}
}

/* ------------------------------------------------------------------ sums */

/*
 * Statements repeat and their digests do so all the more: what was summed up
 * last is kept, with its sum, in a table of a fixed size.
 */
#define MEMO_SLOTS 1024
#define MEMO_TEXT 472		/* longer ones are not kept */

struct memo {
	uint64_t hash;		/* 0: nothing there */
	uint32_t n;
	unsigned char md[32];
	char text[MEMO_TEXT];
};

void
pp_sql_sum(struct pp_digester *d, pp_str text, unsigned char md[32])
{
	uint64_t h = pp_str_hash(text);
	struct memo *m;

	if (d->hasher == NULL) {
		d->hasher = pp_digest_hasher_open(d->mem);
		d->memo = pp_mem_zalloc(d->mem, MEMO_SLOTS * sizeof(*m));
	}
	m = &d->memo[h & (MEMO_SLOTS - 1)];
	if (text.n > MEMO_TEXT) {
		pp_sql_hasher_sum(d->hasher, text, md);
		return;
	}
	if (m->hash != h || m->n != text.n ||
	    memcmp(m->text, text.p, text.n) != 0) {
		pp_sql_hasher_sum(d->hasher, text, m->md);
		m->hash = h;
		m->n = (uint32_t)text.n;
		memcpy(m->text, text.p, text.n);
	}
	memcpy(md, m->md, 32);
}

/* ---------------------------------------------------------------- tokens */

static char *
add16(char *o, size_t n)
{
	o[0] = (char)(n & 255);
	o[1] = (char)(n >> 8 & 255);
	return o + 2;
}

static char *
add_name(char *o, const struct tok *t)
{
	uint32_t i;

	o = add16(o, pp_sql_name_bytes(t));
	if (t->quote == 0) {
		memcpy(o, t->p, t->n);
		return o + t->n;
	}
	/* doubled quotes are one */
	for (i = 0; i < t->n; i++) {
		*o++ = t->p[i];
		if (t->p[i] == t->quote)
			i++;
	}
	return o;
}

static char *
add_position(char *o, const struct tok *t)
{
	uint32_t v = 0, i;

	for (i = 0; i < t->n; i++)
		v = v * 10 + (uint32_t)(t->p[i] - '0');
	return add16(add16(o, v & 0xffff), v >> 16);
}

/* Room for the tokens as bytes. */
static void
room(struct pp_digester *d)
{
	const struct tok *t = d->t, *end = d->t + d->nt;
	void *v = d->spare;
	size_t n = 0;

	for (; t < end; t++)
		n += 6 + (size_t)t->n;
	if (n > d->spare_cap)
		pp_mem_grow(d->mem, &v, &d->spare_cap, n, 1);
	d->spare = v;
}

/* All tokens; the one that has no number, or NULL. */
static const struct tok *
add_all(struct pp_digester *d, size_t *bytes)
{
	const struct tok *t = d->t, *end = d->t + d->nt;
	char *o;
	uint16_t n;

	room(d);
	o = d->spare;
	for (; t < end; t++) {
		n = number_of(d, t);
		if (n == 0 || (t->id == T_NAME && t->quote == '.'))
			return t;
		o = add16(o, n);
		if (t->id == T_NAME || t->id == T_NAME_AT)
			o = add_name(o, t);
		else if (t->id == T_POSITION)
			o = add_position(o, t);
	}
	*bytes = (size_t)(o - d->spare);
	return NULL;
}

size_t
pp_sql_native_hash(struct pp_digester *d, char *out, const char **why)
{
	const struct tok *bad;
	unsigned char md[32];
	size_t n = 0;

	bad = add_all(d, &n);
	if (bad != NULL) {
		*why = bad->id >= T_WORD ? pp_words[bad->id - T_WORD].word :
		    "a name that is not shown";
		return 0;
	}
	pp_sql_sum(d, (pp_str){d->spare, n}, md);
	pp_sql_hex(out, md, 32, false);
	return 64;
}
