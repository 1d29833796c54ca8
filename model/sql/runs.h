/*
 * runs.h: how far bytes of one class go.  Private to model/sql.
 *
 * Names and numbers are short: 16 bytes are looked at in one go, without a
 * jump for each, which is one that processors cannot foresee.  Where the
 * processor has no such instructions, or the text may end within those 16
 * bytes, plain loops do the same.
 */
#ifndef PP_SQL_RUNS_H
#define PP_SQL_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* 1 for bytes of names: letters, digits, _ $ and all above 127 */
extern const uint8_t pp_sql_name_byte[256];
extern const uint8_t pp_sql_upper[256];

static inline bool
name_byte(char c)
{
	return pp_sql_name_byte[(unsigned char)c] != 0;
}

static inline bool
digit_byte(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
space_byte(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A statement, as far as blocks of it may be read. */
struct pp_sql_span {
	const char *end;
	const char *safe;	/* SQL_SLACK bytes may be read up to here */
};

/* Bytes behind a statement that may be read; they are of no name. */
#define SQL_SLACK 64

#if defined(__SSE2__)

/* Bytes above lo and below hi. */
static inline __m128i
pp_sql_between(__m128i v, char lo, char hi)
{
	return _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8(lo)),
	    _mm_cmplt_epi8(v, _mm_set1_epi8(hi)));
}

/* Of 16 bytes at p: how many first ones are of names; up to 16. */
static inline size_t
pp_sql_name_run(const char *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p), name;

	name = pp_sql_between(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a' - 1,
	    'z' + 1);
	name = _mm_or_si128(_mm_or_si128(name,
	    pp_sql_between(v, '0' - 1, '9' + 1)),
	    _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('_')),
	    _mm_cmpeq_epi8(v, _mm_set1_epi8('$'))));
	/* the sign: bytes above 127 */
	name = _mm_or_si128(name, v);
	return (size_t)__builtin_ctz(~(uint32_t)_mm_movemask_epi8(name));
}

static inline size_t
pp_sql_digit_run(const char *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);

	v = pp_sql_between(v, '0' - 1, '9' + 1);
	return (size_t)__builtin_ctz(~(uint32_t)_mm_movemask_epi8(v));
}

/* The first of 16 bytes that is a or b; 16 where none is. */
static inline size_t
pp_sql_either_run(const char *p, char a, char b)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);

	v = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(a)),
	    _mm_cmpeq_epi8(v, _mm_set1_epi8(b)));
	return (size_t)__builtin_ctz((uint32_t)_mm_movemask_epi8(v) |
	    0x10000);
}

#else

static inline size_t
pp_sql_name_run(const char *p)
{
	size_t n = 0;

	while (n < 16 && name_byte(p[n]))
		n++;
	return n;
}

static inline size_t
pp_sql_digit_run(const char *p)
{
	size_t n = 0;

	while (n < 16 && digit_byte(p[n]))
		n++;
	return n;
}

static inline size_t
pp_sql_either_run(const char *p, char a, char b)
{
	size_t n = 0;

	while (n < 16 && p[n] != a && p[n] != b)
		n++;
	return n;
}
#endif

/* Behind the bytes of names at p. */
static inline const char *
pp_sql_name_end(const struct pp_sql_span *s, const char *p)
{
	size_t n;

	while (p <= s->safe) {
		n = pp_sql_name_run(p);
		p += n;
		if (n < 16)
			return p;
	}
	while (p < s->end && name_byte(*p))
		p++;
	return p;
}

static inline const char *
pp_sql_digits_end(const struct pp_sql_span *s, const char *p)
{
	size_t n;

	while (p <= s->safe) {
		n = pp_sql_digit_run(p);
		p += n;
		if (n < 16)
			return p;
	}
	while (p < s->end && digit_byte(*p))
		p++;
	return p;
}

/* At the first byte that is a or b, else the end. */
static inline const char *
pp_sql_either(const struct pp_sql_span *s, const char *p, char a, char b)
{
	size_t n;

	while (p <= s->safe) {
		n = pp_sql_either_run(p, a, b);
		p += n;
		if (n < 16)
			return p < s->end ? p : s->end;
	}
	while (p < s->end && *p != a && *p != b)
		p++;
	return p;
}

#endif
