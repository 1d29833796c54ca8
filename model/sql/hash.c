/*
 * hash.c: the DIGEST of MySQL 8.0 and later.
 *
 * SHA-256 over the array of tokens: a token is two bytes, low byte first; a
 * name is followed by its length (two bytes) and its bytes, a position of
 * MySQL 9 by its value (four).  words.tbl says where the numbers are from.
 */
#include "token.h"

#include <openssl/evp.h>

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

static void
add16(EVP_MD_CTX *ctx, size_t n)
{
	unsigned char b[2] = {(unsigned char)(n & 255),
	    (unsigned char)(n >> 8 & 255)};

	EVP_DigestUpdate(ctx, b, 2);
}

static void
add_name(EVP_MD_CTX *ctx, const struct tok *t)
{
	size_t i, from = 0;

	add16(ctx, pp_sql_name_bytes(t));
	if (t->quote == 0) {
		EVP_DigestUpdate(ctx, t->p, t->n);
		return;
	}
	/* doubled quotes are one */
	for (i = 0; i < t->n; i++) {
		if (t->p[i] != t->quote)
			continue;
		EVP_DigestUpdate(ctx, t->p + from, i + 1 - from);
		from = ++i + 1;
	}
	if (from < t->n)
		EVP_DigestUpdate(ctx, t->p + from, t->n - from);
}

static void
add_position(EVP_MD_CTX *ctx, const struct tok *t)
{
	uint32_t v = 0, i;

	for (i = 0; i < t->n; i++)
		v = v * 10 + (uint32_t)(t->p[i] - '0');
	add16(ctx, v & 0xffff);
	add16(ctx, v >> 16);
}

/* All tokens; the one that has no number, or NULL. */
static const struct tok *
add_all(const struct pp_digester *d, EVP_MD_CTX *ctx)
{
	const struct tok *t = d->t, *end = d->t + d->nt;
	uint16_t n;

	for (; t < end; t++) {
		n = number_of(d, t);
		if (n == 0 || (t->id == T_NAME && t->quote == '.'))
			return t;
		add16(ctx, n);
		if (t->id == T_NAME || t->id == T_NAME_AT)
			add_name(ctx, t);
		else if (t->id == T_POSITION)
			add_position(ctx, t);
	}
	return NULL;
}

size_t
pp_sql_native_hash(const struct pp_digester *d, char *out, const char **why)
{
	unsigned char md[EVP_MAX_MD_SIZE] = {0};
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	const struct tok *bad = NULL;

	if (ctx == NULL)
		pp_mem_fail(d->mem);
	EVP_DigestInit_ex(ctx, EVP_sha256(), NULL);
	bad = add_all(d, ctx);
	EVP_DigestFinal_ex(ctx, md, NULL);
	EVP_MD_CTX_free(ctx);
	if (bad != NULL) {
		*why = bad->id >= T_WORD ? pp_words[bad->id - T_WORD].word :
		    "a name that is not shown";
		return 0;
	}
	pp_sql_hex(out, md, 32, false);
	return 64;
}
