/*
 * showprofile_value.c: numbers as SHOW PROFILE prints them and as people
 * leave them behind.
 *
 *	number = [ sign ] digits [ point digits ] [ exponent ] [ unit ]
 *	point  = "." | ","            a comma only where there is no dot
 *	unit   = ps | ns | us | ms | s | sec | m | min | h | d | w
 *
 * Servers print 0.000123 (6 digits) and 0.00012300 (8); spreadsheets make
 * 6.70E-05 and 0,000067 of it; sys formats 495.02 us, where m is minutes.
 * Separators of thousands are never guessed: 1.751,142 is no number.  May
 * touch model/base only.
 */
#include "showprofile.h"

/* Beyond 106 days the unit 10^-12 s does not fit into 64 bits. */
#define MOST ((pp_i128)INT64_MAX)

/* Digits that are kept; more cannot matter. */
#define DIGITS_MAX 30

struct unit {
	const char *name;
	int64_t ps;
};

static const struct unit units[] = {
	{"ps", 1}, {"ns", 1000}, {"us", 1000000}, {"\xc2\xb5s", 1000000},
	{"\xce\xbcs", 1000000}, {"ms", 1000000000},
	{"s", INT64_C(1000000000000)}, {"sec", INT64_C(1000000000000)},
	{"m", INT64_C(60000000000000)}, {"min", INT64_C(60000000000000)},
	{"h", INT64_C(3600000000000000)},
	{"d", INT64_C(86400000000000000)},
	{"w", INT64_C(604800000000000000)},
};

static bool
digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A unit of time, and nothing behind it but what is no letter. */
static int64_t
unit_at(pp_str *s)
{
	pp_str t = *s;
	size_t i, n;

	while (t.n > 0 && t.p[0] == ' ')
		t = pp_str_skip(t, 1);
	if (t.n == 0)
		return 0;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		n = strlen(units[i].name);
		if (t.n < n || memcmp(t.p, units[i].name, n) != 0)
			continue;
		if (t.n > n && ((t.p[n] >= 'a' && t.p[n] <= 'z') ||
		    (t.p[n] >= 'A' && t.p[n] <= 'Z') || t.p[n] == '_'))
			continue;
		*s = pp_str_skip(t, n);
		return units[i].ps;
	}
	return 0;
}

/* An exponent at s; false when what looks like one is none. */
static bool
exponent(pp_str *s, int *out)
{
	pp_str t = *s;
	bool minus;
	int e = 0;

	if (t.n < 2 || (t.p[0] != 'e' && t.p[0] != 'E'))
		return false;
	t = pp_str_skip(t, 1);
	minus = t.p[0] == '-';
	if (minus || t.p[0] == '+')
		t = pp_str_skip(t, 1);
	if (t.n == 0 || !digit(t.p[0]))
		return false;
	for (; t.n > 0 && digit(t.p[0]); t = pp_str_skip(t, 1))
		e = e < 1000 ? e * 10 + (t.p[0] - '0') : e;
	*out = minus ? -e : e;
	*s = t;
	return true;
}

/* Digits, point, digits: the number without its point, and how many stand
 * behind it. */
static bool
mantissa(pp_str *s, pp_i128 *v, int *scale)
{
	pp_str t = *s;
	bool point = false, any = false;
	int kept = 0;

	*v = 0;
	*scale = 0;
	for (; t.n > 0; t = pp_str_skip(t, 1)) {
		char c = t.p[0];

		if (!point && (c == '.' || c == ',') &&
		    (any || (t.n > 1 && digit(t.p[1])))) {
			point = true;
			continue;
		}
		if (!digit(c))
			break;
		any = true;
		if (kept < DIGITS_MAX) {
			*v = *v * 10 + (c - '0');
			kept += *v != 0;
			*scale += point;
		} else if (!point)
			return false;	/* too big for anything */
	}
	/* 1.751,142: whose point is it? */
	if (t.n > 1 && (t.p[0] == '.' || t.p[0] == ',') && digit(t.p[1]))
		return false;
	*s = t;
	return any;
}

/* v x 10^-scale x unit in 10^-12 s. */
static bool
scaled(pp_i128 v, int scale, int64_t unit, int64_t *out, bool *inexact)
{
	pp_i128 whole;

	for (; scale < 0 && v != 0; scale++) {
		v *= 10;
		if (v > MOST)
			return false;
	}
	/* digits that the unit can take off the scale */
	for (; scale > 0 && unit % 10 == 0; scale--)
		unit /= 10;
	for (; scale > 18; scale--) {
		*inexact |= v % 10 != 0;
		v /= 10;
	}
	/* where digits are left behind the point the unit is small by now */
	if (scale == 0 && v > MOST)
		return false;
	whole = v * unit;
	if (scale > 0) {
		*inexact |= whole % pp_pow10[scale] != 0;
		whole = pp_div_half_up(whole, pp_pow10[scale]);
	}
	*out = (int64_t)whole;
	return whole <= MOST;
}

/*
 * What servers print: up to six digits, a point, six or eight digits and
 * nothing else, in seconds.  Twice as fast as the grammar below on a dump of
 * 16 columns (make bench: 128 to 170 MB a CPU second).
 */
static bool
printed(pp_str s, int64_t unit, int64_t *out)
{
	uint64_t whole = 0, frac = 0;
	size_t i = 0, n;

	for (; i < s.n && i < 6 && digit(s.p[i]); i++)
		whole = whole * 10 + (uint64_t)(s.p[i] - '0');
	n = s.n - i;
	if (i == 0 || (n != 7 && n != 9) || s.p[i] != '.' ||
	    unit != INT64_C(1000000000000))
		return false;
	for (i++; i < s.n; i++) {
		if (!digit(s.p[i]))
			return false;
		frac = frac * 10 + (uint64_t)(s.p[i] - '0');
	}
	*out = (int64_t)(whole * 1000000000000u +
	    frac * (n == 7 ? 1000000u : 10000u));
	return true;
}

bool
pp_sp_number(pp_str s, int64_t unit, struct pp_sp_number *out)
{
	pp_i128 v;
	int scale, e = 0;
	int64_t own;
	bool minus;

	memset(out, 0, sizeof(*out));
	s = pp_str_trim(s);
	if (printed(s, unit, &out->v))
		return true;
	minus = s.n > 0 && s.p[0] == '-';
	if (minus || (s.n > 0 && s.p[0] == '+'))
		s = pp_str_skip(s, 1);
	if (!mantissa(&s, &v, &scale))
		return false;
	if (exponent(&s, &e))
		scale -= e;
	own = unit_at(&s);
	if (own != 0) {
		unit = own;
		out->unit = true;
	}
	if (scale > 60)
		v = 0;
	if (!scaled(v, scale > 60 ? 0 : scale, unit, &out->v, &out->inexact))
		return false;
	if (minus)
		out->v = -out->v;
	out->rest = pp_str_trim(s);
	return true;
}

bool
pp_sp_count(pp_str s, uint64_t *out, bool *minus, pp_str *rest)
{
	uint64_t v = 0;
	size_t n = 0;

	s = pp_str_trim(s);
	*minus = s.n > 0 && s.p[0] == '-';
	if (*minus)
		s = pp_str_skip(s, 1);
	for (; n < s.n && digit(s.p[n]); n++) {
		unsigned d = (unsigned)(s.p[n] - '0');

		if (n >= 18 && v > (UINT64_MAX - d) / 10)
			return false;
		v = v * 10 + d;
	}
	/* a spreadsheet may give it a fraction of noughts */
	if (n > 0 && n + 1 < s.n && s.p[n] == '.' && s.p[n + 1] == '0') {
		size_t k = n + 1;

		while (k < s.n && s.p[k] == '0')
			k++;
		if (k == s.n || !digit(s.p[k]))
			s = pp_str_skip(s, k - n);
	}
	*out = v;
	*rest = n == 0 ? s : pp_str_trim(pp_str_skip(s, n));
	return n > 0;
}
