/*
 * num.c: exact numbers as text and back.
 */
#include "num.h"

#include "digits.h"

const int64_t pp_pow10[19] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
	1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
	100000000000000, 1000000000000000, 10000000000000000,
	100000000000000000, 1000000000000000000
};

/* All numbers with this highest bit have n digits; from `power` on one more. */
#define SAME(n) ((uint64_t)(n) << 32)
#define TURN(n, power) ((((uint64_t)(n) + 1) << 32) - (power))

const uint64_t pp_digits_count[27] = {
	SAME(1), SAME(1), SAME(1), TURN(1, 10), SAME(2), SAME(2),
	TURN(2, 100), SAME(3), SAME(3), TURN(3, 1000), SAME(4), SAME(4),
	SAME(4), TURN(4, 10000), SAME(5), SAME(5), TURN(5, 100000), SAME(6),
	SAME(6), TURN(6, 1000000), SAME(7), SAME(7), SAME(7),
	TURN(7, 10000000), SAME(8), SAME(8), TURN(8, 100000000)
};

char *
pp_digits_long(char *p, uint64_t v)
{
	uint64_t upper = v / 100000000;

	p = upper < 100000000 ? pp_digits_short(p, (uint32_t)upper) :
	    pp_digits_long(p, upper);
	pp_digits_store(p, pp_digits_eight((uint32_t)(v % 100000000)) |
	    PP_DIGITS_ZEROS);
	return p + 8;
}

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324"
    "25262728293031323334353637383940414243444546474849"
    "50515253545556575859606162636465666768697071727374"
    "75767778798081828384858687888990919293949596979899";

/* Digits of v, most significant first, ending at `end`; returns the first. */
static char *
digits_back(char *end, uint64_t v)
{
	size_t r;

	while (v >= 100) {
		r = (size_t)(v % 100) * 2;
		v /= 100;
		*--end = pairs[r + 1];
		*--end = pairs[r];
	}
	if (v >= 10) {
		*--end = pairs[v * 2 + 1];
		*--end = pairs[v * 2];
	} else
		*--end = (char)('0' + v);
	return end;
}

/* All digits of u, ending at `end`; returns the first. */
static char *
wide_back(char *end, pp_u128 u)
{
	const uint64_t chunk = 10000000000000000000u;	/* 10^19 */
	char *stop;

	while (u >> 64) {
		uint64_t low = (uint64_t)(u % chunk);

		u /= chunk;
		stop = end - 19;
		end = digits_back(end, low);
		while (end > stop)
			*--end = '0';
	}
	return digits_back(end, (uint64_t)u);
}

size_t
pp_dec_format(char *buf, pp_i128 v, unsigned scale)
{
	char tmp[PP_DEC_MAX], *end = tmp + sizeof(tmp), *p, *out = buf;
	pp_u128 u = v < 0 ? -(pp_u128)v : (pp_u128)v;
	size_t n;

	if (v < 0)
		*out++ = '-';
	if (scale == 0 && u >> 64 == 0)
		return (size_t)(pp_digits_put(out, (uint64_t)u) - buf);
	p = u >> 64 ? wide_back(end, u) : digits_back(end, (uint64_t)u);
	n = (size_t)(end - p);
	if (scale == 0) {
		memcpy(out, p, n);
		return (size_t)(out - buf) + n;
	}
	while (n <= scale) {
		*--p = '0';
		n++;
	}
	memcpy(out, p, n - scale);
	out += n - scale;
	*out++ = '.';
	memcpy(out, end - scale, scale);
	return (size_t)(out - buf) + scale;
}

pp_i128
pp_div_floor(pp_i128 a, pp_i128 b)
{
	pp_i128 q = a / b;

	return q - (a % b < 0);
}

pp_i128
pp_div_half_up(pp_i128 a, pp_i128 b)
{
	pp_i128 q = a / b, r = a % b;

	if (r < 0)
		r = -r;
	if (r >= b - r)
		q += a < 0 ? -1 : 1;
	return q;
}

pp_i128
pp_dec_rescale(pp_i128 v, unsigned from, unsigned to)
{
	for (; from < to; from++)
		v *= 10;
	if (from > to) {
		pp_i128 d = 1;

		while (from-- > to)
			d *= 10;
		v = pp_div_half_up(v, d);
	}
	return v;
}

bool
pp_dec_parse(pp_str s, unsigned scale, pp_i128 *out)
{
	const pp_u128 limit = ~(pp_u128)0 >> 1;
	pp_u128 v = 0;
	size_t i = 0;
	unsigned places = 0;
	bool neg = false, point = false, any = false;

	if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
		neg = s.p[i++] == '-';
	for (; i < s.n; i++) {
		unsigned d = (unsigned char)s.p[i] - (unsigned)'0';

		if (s.p[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (d > 9)
			return false;
		any = true;
		if (point && places == scale) {
			if (d != 0)
				return false;
			continue;
		}
		if (v > (limit - d) / 10)
			return false;
		v = v * 10 + d;
		places += point;
	}
	if (!any)
		return false;
	for (; places < scale; places++) {
		if (v > limit / 10)
			return false;
		v *= 10;
	}
	*out = neg ? -(pp_i128)v : (pp_i128)v;
	return true;
}

bool
pp_u64_parse(pp_str s, uint64_t *out)
{
	uint64_t v = 0;
	size_t i;

	if (s.n == 0)
		return false;
	for (i = 0; i < s.n; i++) {
		unsigned d = (unsigned char)s.p[i] - (unsigned)'0';

		if (d > 9 || v > (UINT64_MAX - d) / 10)
			return false;
		v = v * 10 + d;
	}
	*out = v;
	return true;
}

bool
pp_i64_parse(pp_str s, int64_t *out)
{
	bool neg = s.n && s.p[0] == '-';
	uint64_t u;

	if (!pp_u64_parse(pp_str_skip(s, s.n && (neg || s.p[0] == '+')), &u))
		return false;
	if (u > (uint64_t)INT64_MAX + neg)
		return false;
	*out = neg ? (int64_t)(0 - u) : (int64_t)u;
	return true;
}

int64_t
pp_i64_mul(int64_t a, int64_t b)
{
	int64_t r;

	if (__builtin_mul_overflow(a, b, &r))
		return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
	return r;
}
