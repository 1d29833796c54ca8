/*
 * digits.h: whole numbers as decimal text, eight digits at a time.
 *
 * Tables with a row an event print a number every few nanoseconds.  Digits
 * are made in the lanes of one 64-bit word, in which none of them waits for
 * another: there is no loop that runs as often as the number is long, and so
 * no branch to guess.
 */
#ifndef PP_BASE_DIGITS_H
#define PP_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

#define PP_DIGITS_ZEROS 0x3030303030303030u

/*
 * The eight digits of v < 10^8 as values, the first in the lowest byte.
 * 10486 / 2^20 and 103 / 2^10 are a little more than 1/100 and 1/10: right
 * for all values below 10,000 and 100.
 */
static inline uint64_t
pp_digits_eight(uint32_t v)
{
	uint64_t x = v / 10000u | (uint64_t)(v % 10000u) << 32, q;

	q = (x * 10486 >> 20) & 0x0000007f0000007fu;
	x = q | (x - q * 100) << 16;
	q = (x * 103 >> 10) & 0x000f000f000f000fu;
	return q | (x - q * 10) << 8;
}

/* Eight bytes, the first of them the lowest of x. */
static inline void
pp_digits_store(char *p, uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	memcpy(p, &x, 8);
}

/*
 * By the place of the highest bit of v < 2^27: what has to be added to it to
 * have the number of its digits in the upper half.
 */
extern const uint64_t pp_digits_count[27];

/* Decimal text of v < 10^8 at p; returns its end.  Up to seven bytes behind
 * that are written over. */
static inline char *
pp_digits_short(char *p, uint32_t v)
{
	unsigned n;

	if (v < 10) {
		*p = (char)('0' + v);
		return p + 1;
	}
	/* where the next cell goes does not wait for these digits */
	n = (unsigned)((v + pp_digits_count[31 - __builtin_clz(v)]) >> 32);
	pp_digits_store(p, (pp_digits_eight(v) | PP_DIGITS_ZEROS) >>
	    (64 - 8 * n));
	return p + n;
}

/* The same of any v: num.c. */
char *pp_digits_long(char *p, uint64_t v);

static inline char *
pp_digits_put(char *p, uint64_t v)
{
	return v < 100000000 ? pp_digits_short(p, (uint32_t)v) :
	    pp_digits_long(p, v);
}

/*
 * The same of v x 10^-6 with `point` as the decimal sign: six digits behind
 * it, one or more in front.
 */
static inline char *
pp_digits_micros(char *p, uint64_t v, char point)
{
	uint64_t x;

	if (v < 100000000) {
		x = pp_digits_eight((uint32_t)v) | PP_DIGITS_ZEROS;
		*p = (char)(x & 0xff);
		p += v >= 10000000;
		*p++ = (char)(x >> 8 & 0xff);
	} else {
		p = pp_digits_put(p, v / 1000000);
		x = pp_digits_eight((uint32_t)(v % 1000000)) |
		    PP_DIGITS_ZEROS;
	}
	*p = point;
	pp_digits_store(p + 1, x >> 16);
	return p + 7;
}

#endif
