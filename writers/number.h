/*
 * number.h: numbers as text, for writers that print millions of them.
 *
 * The same text as pp_dec_format, which does the rare number that passes 64
 * bits.  Inline: the digits of an average cell take less time than a call.
 */
#ifndef PP_NUMBER_H
#define PP_NUMBER_H

#include "../model/base/digits.h"
#include "../model/base/num.h"

extern const char pp_digit_pairs[200];

/* What pp_number_put does when v passes 64 bits. */
char *pp_number_put_wide(char *p, pp_i128 v, unsigned scale, char point);

/* Decimal digits of v; 1 for 0. */
static inline unsigned
pp_number_digits(uint64_t v)
{
	/* 1233 / 4096 is a little more than log10(2) */
	unsigned bits = 64 - (unsigned)__builtin_clzll(v | 1);
	unsigned n = bits * 1233 >> 12;

	if (n == 19)
		return 19 + (v >= 10000000000000000000u);
	return n + ((v | 1) >= (uint64_t)pp_pow10[n]);
}

/* The last n digits of v in front of end; returns what is left of v. */
static inline uint64_t
pp_number_back(char *end, uint64_t v, unsigned n)
{
	while (n >= 2) {
		end -= 2;
		memcpy(end, pp_digit_pairs + v % 100 * 2, 2);
		v /= 100;
		n -= 2;
	}
	if (n != 0) {
		end[-1] = (char)('0' + v % 10);
		v /= 10;
	}
	return v;
}

/*
 * v x 10^-scale with `point` as the decimal sign; returns the end.  p has
 * room for PP_DEC_MAX.
 */
static inline char *
pp_number_put(char *p, pp_i128 v, unsigned scale, char point)
{
	uint64_t u = (uint64_t)v;
	unsigned n;

	if ((pp_u128)v > INT64_MAX) {
		if (v != (int64_t)v || scale > 18)
			return pp_number_put_wide(p, v, scale, point);
		*p++ = '-';
		u = 0 - u;
	}
	if (scale == 0)
		return pp_digits_put(p, u);
	if (scale == 6)
		return pp_digits_micros(p, u, point);
	if (scale > 18)
		return pp_number_put_wide(p, v, scale, point);
	n = pp_number_digits(u);
	n = n > scale ? n - scale : 1;
	p[n] = point;
	u = pp_number_back(p + n + 1 + scale, u, scale);
	pp_number_back(p + n, u, n);
	return p + n + 1 + scale;
}

#endif
