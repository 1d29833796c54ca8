/*
 * str.h: slices of bytes.
 *
 * A pp_str borrows its bytes: it never owns them and is not terminated.
 * Database text is bytes in an unknown encoding; nothing here assumes UTF-8.
 */
#ifndef PP_BASE_STR_H
#define PP_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
	const char *p;
	size_t n;
} pp_str;

/* A slice of a string literal. */
#define PP_STR(lit) ((pp_str){(lit), sizeof(lit) - 1})

static inline pp_str
pp_str_from(const char *s)
{
	return (pp_str){s, s ? strlen(s) : 0};
}

static inline bool
pp_str_eq(pp_str a, pp_str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool
pp_str_starts(pp_str s, pp_str prefix)
{
	return s.n >= prefix.n &&
	    (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

static inline bool
pp_str_ends(pp_str s, pp_str suffix)
{
	return s.n >= suffix.n && (suffix.n == 0 ||
	    memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

/* Bytewise order: memcmp, then the shorter first; the order of every table. */
static inline int
pp_str_cmp(pp_str a, pp_str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	if (c != 0)
		return c;
	return a.n < b.n ? -1 : a.n > b.n;
}

/* The slice from byte `from` on (empty when past the end). */
static inline pp_str
pp_str_skip(pp_str s, size_t from)
{
	if (from > s.n)
		from = s.n;
	return (pp_str){s.p + from, s.n - from};
}

/* Without blanks, tabs and CR at both ends. */
static inline pp_str
pp_str_trim(pp_str s)
{
	while (s.n && (s.p[0] == ' ' || s.p[0] == '\t' || s.p[0] == '\r'))
		s.p++, s.n--;
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t' ||
	    s.p[s.n - 1] == '\r'))
		s.n--;
	return s;
}

/* Position of the first `needle`, or s.n when there is none. */
size_t pp_str_find(pp_str s, pp_str needle);

/* Position of the last `needle`, or s.n when there is none. */
size_t pp_str_rfind(pp_str s, pp_str needle);

/*
 * A 64-bit hash of short strings (event names, sql_ids, keys).  Not
 * cryptographic; the tables that use it compare the bytes as well.
 */
static inline uint64_t
pp_hash_mix(uint64_t h)
{
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	return h;
}

static inline uint64_t
pp_str_hash(pp_str s)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ s.n, w;
	const char *p = s.p;
	size_t n = s.n;

	while (n >= 8) {
		memcpy(&w, p, 8);
		h = (h ^ w) * 0xff51afd7ed558ccdu;
		h ^= h >> 29;
		p += 8, n -= 8;
	}
	if (n) {
		w = 0;
		memcpy(&w, p, n);
		h = (h ^ w) * 0xff51afd7ed558ccdu;
	}
	return pp_hash_mix(h);
}

#endif
