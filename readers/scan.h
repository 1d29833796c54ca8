/*
 * scan.h: inline cursors over bytes, for the hot loops of readers.
 *
 * There are two families.  pp_scan_* take a cursor and an end and never read
 * past the end.  pp_swift_* read up to PP_SWIFT_SLACK bytes at a time and
 * rely on the caller: it must know that a newline stands somewhere before
 * `end - PP_SWIFT_SLACK`, so that a scan which stops at newlines stays
 * inside.
 *
 * What makes them swift: a field's number is found by the '=' before it, and
 * those are found 64 bytes at a time (struct pp_swift_marks), so that no number
 * has to wait for the one before it to be read.  Nothing here allocates.
 */
#ifndef PP_SCAN_H
#define PP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../model/base/str.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define PP_SWIFT_SLACK 128

/* A call would cost more than these do, and would keep cursors in memory. */
#define PP_SWIFT_INLINE static inline __attribute__((always_inline))

/* What a number scan found. */
enum pp_scan { PP_SCAN_NONE, PP_SCAN_OK, PP_SCAN_RANGE };

static inline bool
pp_scan_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* Skip the n bytes of lit; false (cursor unmoved) when they are not there. */
static inline bool
pp_scan_bytes(const char **p, const char *e, const char *lit, size_t n)
{
	if ((size_t)(e - *p) < n || memcmp(*p, lit, n) != 0)
		return false;
	*p += n;
	return true;
}
#define PP_SCAN_LIT(p, e, lit) pp_scan_bytes(p, e, lit, sizeof(lit) - 1)

static inline void
pp_scan_blanks(const char **p, const char *e)
{
	while (*p < e && (**p == ' ' || **p == '\t'))
		(*p)++;
}

/* Unsigned decimal.  On PP_SCAN_RANGE the cursor stands behind the digits. */
static inline enum pp_scan
pp_scan_u64(const char **p, const char *e, uint64_t *v)
{
	const char *q = *p;
	uint64_t n = 0;
	bool over = false;

	while (q < e && pp_scan_digit(*q)) {
		unsigned d = (unsigned)(*q++ - '0');

		if (n > (UINT64_MAX - d) / 10)
			over = true;
		n = n * 10 + d;
	}
	if (q == *p)
		return PP_SCAN_NONE;
	*p = q;
	*v = n;
	return over ? PP_SCAN_RANGE : PP_SCAN_OK;
}

/* Signed decimal with an optional '-'. */
static inline enum pp_scan
pp_scan_i64(const char **p, const char *e, int64_t *v)
{
	const char *q = *p;
	bool neg = q < e && *q == '-';
	uint64_t n;
	enum pp_scan r;

	if (neg)
		q++;
	r = pp_scan_u64(&q, e, &n);
	if (r == PP_SCAN_NONE)
		return r;
	*p = q;
	if (n > (uint64_t)INT64_MAX)
		r = PP_SCAN_RANGE;
	if (r == PP_SCAN_OK)
		*v = neg ? -(int64_t)n : (int64_t)n;
	return r;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PP_SWIFT 1
#else
#define PP_SWIFT 0	/* use the other family only */
#endif

/* Eight bytes less '0', the first digit lowest, to their sum. */
static inline uint64_t
pp_swift_eight(uint64_t t)
{
	t = (t * (1 + (10u << 8)) >> 8) & 0x00ff00ff00ff00ffu;
	t = (t * (1 + (100u << 16)) >> 16) & 0x0000ffff0000ffffu;
	return t * (1 + ((uint64_t)10000 << 32)) >> 32;
}

/* High bits of the bytes of t that are no digits less '0'.  Above the lowest
 * such byte a carry may add others. */
static inline uint64_t
pp_swift_odd(uint64_t t)
{
	return (t | (t + 0x7676767676767676u)) & 0x8080808080808080u;
}

static inline uint64_t
pp_swift_load(const char *p)
{
	uint64_t t;

	memcpy(&t, p, 8);
	return t ^ 0x3030303030303030u;
}

static const uint32_t pp_swift_pow10[9] = {1, 10, 100, 1000, 10000, 100000,
    1000000, 10000000, 100000000};

/*
 * The number of n digits at p.  False unless 1 <= n <= 16; *odd becomes
 * non-zero where a byte is no digit.
 */
PP_SWIFT_INLINE bool
pp_swift_number(const char *p, size_t n, uint64_t *v, uint64_t *odd)
{
	uint64_t t, u;

	if (n == 1) {
		*v = (unsigned char)(*p - '0');
		*odd |= *v > 9;
		return true;
	}
	if (n - 1 >= 16)
		return false;
	t = pp_swift_load(p);
	if (n <= 8) {
		t <<= 64 - 8 * n;
		*odd |= pp_swift_odd(t);
		*v = pp_swift_eight(t);
		return true;
	}
	u = pp_swift_load(p + 8) << (128 - 8 * n);
	*odd |= pp_swift_odd(t) | pp_swift_odd(u);
	*v = pp_swift_eight(t) * pp_swift_pow10[n - 8] + pp_swift_eight(u);
	return true;
}

/* The number at p, of 1 to 16 digits: its end, or NULL. */
PP_SWIFT_INLINE const char *
pp_swift_u64(const char *p, uint64_t *v)
{
	uint64_t t = pp_swift_load(p), u, m = pp_swift_odd(t);
	unsigned k;

	if (m != 0) {
		k = (unsigned)__builtin_ctzll(m) >> 3;
		if (k == 0)
			return NULL;
		*v = pp_swift_eight(t << (64 - 8 * k));
		return p + k;
	}
	u = pp_swift_load(p + 8);
	m = pp_swift_odd(u);
	k = m ? (unsigned)__builtin_ctzll(m) >> 3 : 8;
	if (k == 8 && pp_scan_digit(p[16]))
		return NULL;
	*v = pp_swift_eight(t) * pp_swift_pow10[k] +
	    (k ? pp_swift_eight(u << (64 - 8 * k)) : 0);
	return p + 8 + k;
}

/* pp_str_hash of s, behind which more bytes can be read. */
static inline uint64_t
pp_swift_hash(pp_str s)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ s.n, w;
	const char *p = s.p;
	size_t n = s.n;

	for (; n >= 8; p += 8, n -= 8) {
		memcpy(&w, p, 8);
		h = (h ^ w) * 0xff51afd7ed558ccdu;
		h ^= h >> 29;
	}
	if (n) {
		memcpy(&w, p, 8);
		w &= ~(uint64_t)0 >> (64 - 8 * n);
		h = (h ^ w) * 0xff51afd7ed558ccdu;
	}
	return pp_hash_mix(h);
}

/* The first quote or newline from p on. */
PP_SWIFT_INLINE const char *
pp_swift_quote(const char *p)
{
#if defined(__SSE2__)
	const __m128i qt = _mm_set1_epi8('\''), nl = _mm_set1_epi8('\n');

	for (;; p += 16) {
		__m128i w = _mm_loadu_si128((const __m128i *)(const void *)p);
		unsigned m = (unsigned)_mm_movemask_epi8(_mm_or_si128(
		    _mm_cmpeq_epi8(w, qt), _mm_cmpeq_epi8(w, nl)));

		if (m != 0)
			return p + __builtin_ctz(m);
	}
#else
	while (*p != '\'' && *p != '\n')
		p++;
	return p;
#endif
}

/* Are n bytes at a and b the same?  Reads up to 7 more of either. */
PP_SWIFT_INLINE bool
pp_swift_same(const char *a, const char *b, size_t n)
{
	uint64_t v, w, odd = 0;

	for (; n >= 8; n -= 8, a += 8, b += 8) {
		memcpy(&v, a, 8);
		memcpy(&w, b, 8);
		odd |= v ^ w;
	}
	if (n == 0)
		return odd == 0;
	memcpy(&v, a, 8);
	memcpy(&w, b, 8);
	return (odd | (v ^ w) << (64 - 8 * n)) == 0;
}

/* Where '=', quotes and newlines are: a bit for each byte of the next 64. */
PP_SWIFT_INLINE uint64_t
pp_swift_block(const char *p)
{
	uint64_t m = 0;
	int i;

#if defined(__SSE2__)
	const __m128i eq = _mm_set1_epi8('='), qt = _mm_set1_epi8('\''),
		      nl = _mm_set1_epi8('\n');

	for (i = 0; i < 4; i++) {
		__m128i w = _mm_loadu_si128((const __m128i *)
		    (const void *)(p + 16 * i));
		__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(w, nl),
		    _mm_or_si128(_mm_cmpeq_epi8(w, eq),
		    _mm_cmpeq_epi8(w, qt)));

		m |= (uint64_t)(unsigned)_mm_movemask_epi8(hit) << (16 * i);
	}
#else
	for (i = 0; i < 64; i++)
		m |= (uint64_t)(p[i] == '=' || p[i] == '\'' ||
		    p[i] == '\n') << i;
#endif
	return m;
}

/* A cursor over those marks, from one block to the next. */
struct pp_swift_marks {
	const char *block;
	uint64_t left;
};

static inline struct pp_swift_marks
pp_swift_open(const char *p)
{
	return (struct pp_swift_marks){p, pp_swift_block(p)};
}

/* The next block that has marks.  By value, so that a cursor can live in
 * registers. */
static __attribute__((noinline, unused)) struct pp_swift_marks
pp_swift_turn(const char *block)
{
	struct pp_swift_marks k;

	do
		k = pp_swift_open(block += 64);
	while (k.left == 0);
	return k;
}

PP_SWIFT_INLINE const char *
pp_swift_mark(struct pp_swift_marks *k)
{
	const char *p;

	if (k->left == 0)
		*k = pp_swift_turn(k->block);
	p = k->block + __builtin_ctzll(k->left);
	k->left &= k->left - 1;
	return p;
}

#endif
