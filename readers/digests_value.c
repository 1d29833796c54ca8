/*
 * digests_value.c: cells of digest rows to exact numbers.
 *
 * Numbers are decimal text of any length; no floating point takes part.
 * Units of sys.format_time and FORMAT_PICO_TIME: ps, ns, us, ms, s, m or min,
 * h, d, w; a blank stands between.  m is minutes.
 */
#include "digests.h"

/* Digits that a sum of picoseconds may have: above, it is no number of ours. */
#define DIGITS_MAX 36

pp_str
dg_trim(pp_str s)
{
	s = pp_str_trim(s);
	while (s.n >= 2 && (uint8_t)s.p[0] == 0xc2 &&
	    (uint8_t)s.p[1] == 0xa0)
		s = pp_str_trim(pp_str_skip(s, 2));
	while (s.n >= 2 && (uint8_t)s.p[s.n - 2] == 0xc2 &&
	    (uint8_t)s.p[s.n - 1] == 0xa0)
		s = pp_str_trim((pp_str){s.p, s.n - 2});
	return s;
}

bool
dg_null(const struct pp_rs_cell *c)
{
	pp_str s;

	if (pp_rs_null(c, true))
		return true;
	/* most cells are longer, or begin with a digit */
	if (c->text.n != 0 && c->text.p[0] > '0' && c->text.p[0] <= '9')
		return false;
	s = dg_trim(c->text);
	return s.n <= 6 && (pp_str_eq(s, PP_STR("NULL")) ||
	    pp_str_eq(s, PP_STR("\\N")) ||
	    pp_str_eq(s, PP_STR("<null>")) ||
	    pp_str_eq(s, PP_STR("(null)")));
}

static bool
digit(char c)
{
	return c >= '0' && c <= '9';
}

/* e+12 behind the digits; *exp is added to. */
static bool
exponent_of(pp_str *s, int *exp)
{
	int v = 0, sign = 1;

	if (s->n == 0 || (s->p[0] != 'e' && s->p[0] != 'E'))
		return true;
	*s = pp_str_skip(*s, 1);
	if (s->n > 0 && (s->p[0] == '+' || s->p[0] == '-')) {
		sign = s->p[0] == '-' ? -1 : 1;
		*s = pp_str_skip(*s, 1);
	}
	if (s->n == 0 || !digit(s->p[0]))
		return false;
	for (; s->n > 0 && digit(s->p[0]); *s = pp_str_skip(*s, 1))
		if (v < 1000)
			v = v * 10 + (s->p[0] - '0');
	*exp += sign * v;
	return true;
}

/* v x 10^exp, half up; false when it has too many digits. */
static bool
scale(pp_i128 *v, int exp, int digits)
{
	pp_i128 x = *v;
	int last = 0;

	if (x == 0)
		return true;
	if (exp + digits > DIGITS_MAX)
		return false;
	for (; exp > 0; exp--)
		x *= 10;
	for (; exp < 0 && (x != 0 || last != 0); exp++) {
		last = (int)(x % 10);
		x /= 10;
	}
	*v = x + (last >= 5 ? 1 : 0);
	return true;
}

/* The number at the head of *s, which is taken off. */
static enum dg_parsed
head_number(pp_str *s, int exp, pp_i128 *out)
{
	pp_i128 v = 0;
	int digits = 0;
	bool minus = false, point = false, any = false;

	if (s->n > 0 && (s->p[0] == '-' || s->p[0] == '+')) {
		minus = s->p[0] == '-';
		*s = pp_str_skip(*s, 1);
	}
	for (; s->n > 0; *s = pp_str_skip(*s, 1)) {
		if (s->p[0] == '.' && !point) {
			point = true;
			continue;
		}
		if (!digit(s->p[0]))
			break;
		any = true;
		if (digits >= DIGITS_MAX) {
			/* a double printed with more digits than it has */
			if (!point)
				return DG_BAD;
			continue;
		}
		v = v * 10 + (s->p[0] - '0');
		digits += v != 0;
		exp -= point;
	}
	if (!any || !exponent_of(s, &exp) || !scale(&v, exp, digits))
		return DG_BAD;
	*out = minus ? -v : v;
	return minus && v != 0 ? DG_NEGATIVE : DG_OK;
}

enum dg_parsed
dg_number(pp_str s, int exponent, pp_i128 *out)
{
	enum dg_parsed r;

	s = dg_trim(s);
	r = head_number(&s, exponent, out);
	return s.n != 0 ? DG_BAD : r;
}

enum dg_parsed
dg_time(pp_str s, int exponent, pp_i128 *out)
{
	static const struct {
		const char *name;
		int exp;
		int times;
	} units[] = {
		{"ps", 0, 1}, {"ns", 3, 1}, {"us", 6, 1}, {"\xc2\xb5s", 6, 1},
		{"ms", 9, 1}, {"s", 12, 1}, {"m", 12, 60}, {"min", 12, 60},
		{"h", 12, 3600}, {"d", 12, 86400}, {"w", 12, 604800},
	};
	pp_str all = dg_trim(s), unit;
	enum dg_parsed r;
	size_t i;

	unit = all;
	r = head_number(&unit, exponent, out);
	unit = pp_str_trim(unit);
	if (r == DG_BAD || unit.n == 0)
		return r;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!pp_rs_same(unit, units[i].name))
			continue;
		r = head_number(&all, units[i].exp, out);
		*out *= units[i].times;
		return r == DG_OK ? DG_ROUGH : r;
	}
	return DG_BAD;
}

/* n digits; false when they are not there. */
static bool
fixed(pp_str *s, int n, int *out)
{
	int i;

	*out = 0;
	if (s->n < (size_t)n)
		return false;
	for (i = 0; i < n; i++) {
		if (!digit(s->p[i]))
			return false;
		*out = *out * 10 + (s->p[i] - '0');
	}
	*s = pp_str_skip(*s, (size_t)n);
	return true;
}

static bool
mark(pp_str *s, const char *any)
{
	if (s->n == 0 || strchr(any, s->p[0]) == NULL || s->p[0] == '\0')
		return false;
	*s = pp_str_skip(*s, 1);
	return true;
}

/* Days from 1970-01-01 to a day of the Gregorian calendar. */
static int64_t
days(int y, int m, int d)
{
	int64_t era, yoe, doy;

	y -= m <= 2;
	era = y / 400;
	yoe = y - era * 400;
	doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

/* +01:00, +01, +0100, Z */
static bool
offset(pp_str *s, struct pp_digest_at *out)
{
	int h, m = 0;
	bool west;

	*s = pp_str_trim(*s);
	if (s->n == 0)
		return true;
	if (s->n == 1 && (s->p[0] == 'Z' || s->p[0] == 'z')) {
		out->has_offset = true;
		return true;
	}
	if (pp_str_eq(*s, PP_STR("UTC"))) {
		out->has_offset = true;
		return true;
	}
	west = s->p[0] == '-';
	if (!mark(s, "+-") || !fixed(s, 2, &h))
		return false;
	(void)mark(s, ":");
	if (s->n != 0 && !fixed(s, 2, &m))
		return false;
	if (h > 23 || m > 59 || s->n != 0)
		return false;
	out->has_offset = true;
	out->offset_min = (int16_t)(west ? -(h * 60 + m) : h * 60 + m);
	return true;
}

static enum dg_parsed
seconds(pp_str s, struct pp_digest_at *out)
{
	pp_i128 v;

	if (dg_number(s, 6, &v) != DG_OK || v > INT64_MAX / 1000)
		return DG_BAD;
	if (v == 0)
		return DG_NULL;
	out->us = (int64_t)v;
	out->known = out->has_offset = true;
	out->digits = v % 1000000 == 0 ? 0 : 6;
	return DG_OK;
}

enum dg_parsed
dg_at(pp_str s, struct pp_digest_at *out)
{
	int y, mo, d, h = 0, mi = 0, sec = 0, x;
	int64_t fraction = 0;

	memset(out, 0, sizeof(*out));
	s = dg_trim(s);
	if (s.n == 0)
		return DG_NULL;
	if (s.n >= 5 && digit(s.p[4]))
		return seconds(s, out);
	if (!fixed(&s, 4, &y) || !mark(&s, "-/") || !fixed(&s, 2, &mo) ||
	    !mark(&s, "-/") || !fixed(&s, 2, &d))
		return s.n == 1 && s.p[0] == '0' ? DG_NULL : DG_BAD;
	if (mark(&s, " T") && (!fixed(&s, 2, &h) || !mark(&s, ":") ||
	    !fixed(&s, 2, &mi)))
		return DG_BAD;
	if (mark(&s, ":") && !fixed(&s, 2, &sec))
		return DG_BAD;
	if (mark(&s, ".,")) {
		for (; s.n > 0 && digit(s.p[0]); s = pp_str_skip(s, 1)) {
			if (out->digits == 6)
				continue;
			x = s.p[0] - '0';
			fraction = fraction * 10 + x;
			out->digits++;
		}
		for (x = out->digits; x < 6; x++)
			fraction *= 10;
	}
	if (y == 0 || mo == 0 || d == 0)
		return DG_NULL;
	if (mo > 12 || d > 31 || h > 23 || mi > 59 || sec > 60 ||
	    !offset(&s, out))
		return DG_BAD;
	out->us = ((days(y, mo, d) * 24 + h) * 60 + mi) * 60000000 +
	    (int64_t)sec * 1000000 + fraction;
	out->known = true;
	return DG_OK;
}
