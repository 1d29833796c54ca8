/*
 * find.h: the words of a server by their bytes.  Private to model/sql.
 *
 * Lexers ask for every word and every name without quotes, and most are
 * names: a slot of the table holds 16 bits of the hash of its word, so that
 * one load tells nearly all of them.
 */
#ifndef PP_SQL_FIND_H
#define PP_SQL_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "words.h"

#define WORD_SLOTS 4096		/* power of two, above 2 x WORDS_MAX */
#define WORD_LONGEST 48

/*
 * A word: its first 16 bytes under a mask.  Of the bytes that names have,
 * only the two cases of a letter are one under it.  Rows of words.tbl, + 1;
 * 0 where there is none.
 */
struct pp_sql_key {
	uint64_t a, b;
	const char *word;
	uint16_t own;		/* of this server */
	uint16_t all;		/* of any */
	uint16_t hint;		/* of this server's hints */
	uint16_t plain;		/* canonical: its token as a name's, or 0 */
	uint16_t id;		/* of the token of `own` */
	uint16_t easy;		/* the token it is where no dot is near:
				 * T_NAME; 0: to be looked at */
	uint8_t n;
	uint8_t how;		/* KEY_ */
};

/* what a lexer has to know of the word `own` */
#define KEY_WORD	0x01	/* also where no ( follows */
#define KEY_HINTS	0x02	/* hints may follow */
#define KEY_PLAIN	0x04	/* its token is all that it is */

struct pp_sql_words {
	/* hash in the upper half; key; SLOT_MORE: others further on */
	uint32_t slot[WORD_SLOTS];
	struct pp_sql_key key[WORDS_MAX]; /* the first: of what is no word */
	uint16_t n;
};

#define SLOT_MORE 0x8000u
#define SLOT_KEY 0x7fffu

extern const unsigned char pp_sql_ones[32];	/* 16 of 0xdf, 16 of 0 */

/* The first 16 bytes of n at p, n > 0; 16 may be read. */
static inline void
pp_sql_key_of(const char *p, size_t n, uint64_t *a, uint64_t *b)
{
	const unsigned char *m = pp_sql_ones + 16 - (n < 16 ? n : 16);
	uint64_t ma, mb;

	memcpy(a, p, 8);
	memcpy(b, p + 8, 8);
	memcpy(&ma, m, 8);
	memcpy(&mb, m + 8, 8);
	*a &= ma;
	*b &= mb;
}

static inline uint64_t
pp_sql_key_hash(uint64_t a, uint64_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u ^ b * 0xd6e8feb86659fd93u;

	return h ^ h >> 32;
}

/* Are the bytes behind the 16th the word's? */
bool pp_sql_same_tail(const struct pp_sql_key *k, const char *p);

/* The word of n bytes at p, or NULL; 16 may be read. */
static inline const struct pp_sql_key *
pp_sql_word_find(const struct pp_sql_words *w, const char *p, size_t n)
{
	const struct pp_sql_key *k;
	uint64_t a, b, h;
	uint32_t s;
	size_t i;

	if (n - 2 > WORD_LONGEST - 2)
		return NULL;
	pp_sql_key_of(p, n, &a, &b);
	h = pp_sql_key_hash(a, b);
	for (i = (size_t)h;; i++) {
		s = w->slot[i & (WORD_SLOTS - 1)];
		k = &w->key[s & SLOT_KEY];
		if (s >> 16 == h >> 48 && k->a == a && k->b == b &&
		    k->n == n && (n <= 16 || pp_sql_same_tail(k, p)))
			return k;
		if (!(s & SLOT_MORE))
			return NULL;
	}
}

/* The same for 1 to 15 bytes; the key of no word where it is none. */
static inline const struct pp_sql_key *
pp_sql_word_quick(const struct pp_sql_words *w, const char *p, size_t n)
{
	const struct pp_sql_key *k;
	uint64_t a, b, h;
	uint32_t s;
	size_t i;

	pp_sql_key_of(p, n, &a, &b);
	h = pp_sql_key_hash(a, b);
	for (i = (size_t)h;; i++) {
		s = w->slot[i & (WORD_SLOTS - 1)];
		/* no byte of a name is 0 under the mask: n is told, too */
		k = &w->key[s & SLOT_KEY];
		if (s >> 16 == h >> 48 && k->a == a && k->b == b)
			return k;
		if (!(s & SLOT_MORE))
			return w->key;
	}
}

/* The same where the text may end before. */
const struct pp_sql_key *pp_sql_word_find_short(
    const struct pp_sql_words *w, const char *p, size_t n);

#endif
