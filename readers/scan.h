/*
 * scan.h: inline cursors over bytes, for the hot loops of readers.
 *
 * There are two families.  pp_scan_* take a cursor and an end and never read
 * past the end.  pp_swift_* read up to PP_SWIFT_SLACK bytes at a time and
 * rely on the caller: it must know that a newline stands somewhere before
 * `end - PP_SWIFT_SLACK`, so that a scan which stops at newlines stays
 * inside.  Nothing here allocates, and nothing keeps state.
 */
#ifndef PP_SCAN_H
#define PP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define PP_SWIFT_SLACK 32

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

/*
 * Decimal of 1 to 19 digits; NULL when there is none, or more.  Eight digits
 * a step: the first byte that is no digit is found by carries into the high
 * bits, and the digits before it are summed pairwise.
 */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline uint64_t
pp_swift_eight(uint64_t t)
{
	t = (t * (1 + (10u << 8)) >> 8) & 0x00ff00ff00ff00ffu;
	t = (t * (1 + (100u << 16)) >> 16) & 0x0000ffff0000ffffu;
	return t * (1 + ((uint64_t)10000 << 32)) >> 32;
}

/* 10^n for the digits of a last, short step. */
static const uint32_t pp_swift_pow10[8] = {1, 10, 100, 1000, 10000, 100000,
    1000000, 10000000};

static inline const char *
pp_swift_u64(const char *p, uint64_t *v)
{
	uint64_t t, m, n = 0;
	unsigned k, steps;

	for (steps = 0;; steps++) {
		memcpy(&t, p, 8);
		t ^= 0x3030303030303030u;
		m = (t | (t + 0x7676767676767676u)) & 0x8080808080808080u;
		if (m != 0)
			break;
		if (steps == 2)
			return NULL;
		n = n * 100000000 + pp_swift_eight(t);
		p += 8;
	}
	k = (unsigned)__builtin_ctzll(m) >> 3;
	if (k == 0) {
		*v = n;
		return steps ? p : NULL;
	}
	if (steps == 2 && k > 3)
		return NULL;
	*v = n * pp_swift_pow10[k] + pp_swift_eight(t << (64 - 8 * k));
	return p + k;
}
#else
static inline const char *
pp_swift_u64(const char *p, uint64_t *v)
{
	const char *q = p;
	uint64_t n = 0;

	while (pp_scan_digit(*q) && q - p < 20)
		n = n * 10 + (unsigned)(*q++ - '0');
	*v = n;
	return q == p || q - p > 19 ? NULL : q;
}
#endif

/* The same where one digit is the usual case. */
static inline const char *
pp_swift_small(const char *p, uint64_t *v)
{
	if (!pp_scan_digit(p[1])) {
		*v = (unsigned char)(p[0] - '0');
		return *v < 10 ? p + 1 : NULL;
	}
	return pp_swift_u64(p, v);
}

/* The first of bytes a, b and '\n' from p on. */
static inline const char *
pp_swift_find(const char *p, char a, char b)
{
#if defined(__SSE2__)
	const __m128i va = _mm_set1_epi8(a), vb = _mm_set1_epi8(b),
		      vn = _mm_set1_epi8('\n');

	for (;; p += 16) {
		__m128i w = _mm_loadu_si128((const __m128i *)(const void *)p);
		int m = _mm_movemask_epi8(_mm_or_si128(
		    _mm_or_si128(_mm_cmpeq_epi8(w, va), _mm_cmpeq_epi8(w, vb)),
		    _mm_cmpeq_epi8(w, vn)));

		if (m != 0)
			return p + __builtin_ctz((unsigned)m);
	}
#else
	while (*p != a && *p != b && *p != '\n')
		p++;
	return p;
#endif
}

#endif
