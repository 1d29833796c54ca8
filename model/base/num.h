/*
 * num.h: exact numbers.
 *
 * Times are integers in ticks of the session's clock; sums and cells are
 * signed 128-bit integers with a decimal scale (value x 10^-scale), so that
 * totals of picoseconds over months stay exact (DESIGN section 5).  No
 * floating point takes part in any result.
 */
#ifndef PP_BASE_NUM_H
#define PP_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "str.h"

__extension__ typedef __int128 pp_i128;
__extension__ typedef unsigned __int128 pp_u128;

/* Room that any decimal text of a pp_i128 needs: sign, 39 digits, point,
 * leading zeros up to scale 24, NUL. */
#define PP_DEC_MAX 72

/* 10^e for 0 <= e <= 18. */
extern const int64_t pp_pow10[19];

/*
 * v x 10^-scale as text with exactly `scale` digits behind the point (no
 * point when scale is 0).  Returns the length; writes no NUL.  buf has room
 * for PP_DEC_MAX.
 */
size_t pp_dec_format(char *buf, pp_i128 v, unsigned scale);

/* a / b rounded half away from zero (DESIGN: "half up"); b > 0. */
pp_i128 pp_div_half_up(pp_i128 a, pp_i128 b);

/* floor(a / b) for b > 0, also for negative a. */
pp_i128 pp_div_floor(pp_i128 a, pp_i128 b);

/* v with decimal scale `from` brought to scale `to` (half up when digits
 * are lost). */
pp_i128 pp_dec_rescale(pp_i128 v, unsigned from, unsigned to);

/*
 * Decimal text [-+]digits[.digits] to an integer at scale `scale`.  False
 * when s is not such a number, has more non-zero digits than the scale keeps,
 * or does not fit.
 */
bool pp_dec_parse(pp_str s, unsigned scale, pp_i128 *out);

/* Unsigned / signed 64-bit decimal text; false when malformed or too big. */
bool pp_u64_parse(pp_str s, uint64_t *out);
bool pp_i64_parse(pp_str s, int64_t *out);

/* a + b, a - b and a * b, saturating at the ends of int64. */
static inline int64_t
pp_i64_add(int64_t a, int64_t b)
{
	int64_t r;

	if (__builtin_add_overflow(a, b, &r))
		return b < 0 ? INT64_MIN : INT64_MAX;
	return r;
}

static inline int64_t
pp_i64_sub(int64_t a, int64_t b)
{
	int64_t r;

	if (__builtin_sub_overflow(a, b, &r))
		return b < 0 ? INT64_MAX : INT64_MIN;
	return r;
}

int64_t pp_i64_mul(int64_t a, int64_t b);

#endif
