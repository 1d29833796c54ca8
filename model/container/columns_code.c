/*
 * columns_code.c: text that stands for a number, both ways.  Sees base only.
 */
#include "columns_code.h"

#include <stdio.h>
#include <string.h>

#define DAY_US INT64_C(86400000000)
#define FAR_US (INT64_MAX / 4)

/* Days since 1970-01-01 of a date of the Gregorian calendar. */
static int64_t
days_of(int64_t y, unsigned m, unsigned d)
{
	int64_t era;
	unsigned yoe, doy;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	yoe = (unsigned)(y - era * 400);
	doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
	return era * 146097 + (int64_t)(yoe * 365 + yoe / 4 - yoe / 100 +
	    doy) - 719468;
}

static void
date_of(int64_t z, int64_t *y, unsigned *m, unsigned *d)
{
	int64_t era;
	unsigned doe, yoe, doy, mp;

	z += 719468;
	era = (z >= 0 ? z : z - 146096) / 146097;
	doe = (unsigned)(z - era * 146097);
	yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	mp = (5 * doy + 2) / 153;
	*d = doy - (153 * mp + 2) / 5 + 1;
	*m = mp < 10 ? mp + 3 : mp - 9;
	*y = (int64_t)yoe + era * 400 + (*m <= 2);
}

/* n digits at p; -1: they are none. */
static int
digits(const char *p, int n)
{
	int v = 0, i;

	for (i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '9')
			return -1;
		v = v * 10 + (p[i] - '0');
	}
	return v;
}

static void
two(char *p, unsigned v)
{
	p[0] = (char)('0' + v / 10 % 10);
	p[1] = (char)('0' + v % 10);
}

size_t
pp_time_print(char *buf, const struct pp_time_form *f, int64_t us)
{
	int64_t day, rest, y;
	unsigned m, d, s, i, frac, off;
	size_t n = 19;

	/* no instant of a year with four digits is as far away */
	us = us < -FAR_US ? -FAR_US : us > FAR_US ? FAR_US : us;
	day = us / DAY_US - (us % DAY_US < 0);
	rest = us - day * DAY_US;
	s = (unsigned)(rest / 1000000);
	frac = (unsigned)(rest % 1000000);
	date_of(day, &y, &m, &d);
	y = y < 0 ? 0 : y % 10000;
	two(buf, (unsigned)(y / 100));
	two(buf + 2, (unsigned)(y % 100));
	buf[4] = buf[7] = '-';
	two(buf + 5, m);
	two(buf + 8, d);
	buf[10] = 'T';
	two(buf + 11, s / 3600);
	two(buf + 14, s / 60 % 60);
	two(buf + 17, s % 60);
	buf[13] = buf[16] = ':';
	if (f->digits > 0) {
		buf[n++] = '.';
		for (i = 0; i < 6; i++) {
			buf[n + 5 - i] = (char)('0' + frac % 10);
			frac /= 10;
		}
		n += f->digits;
	}
	if (f->has_offset) {
		off = (unsigned)(f->offset_min < 0 ? -f->offset_min :
		    f->offset_min);
		buf[n] = f->offset_min < 0 ? '-' : '+';
		two(buf + n + 1, off / 60);
		buf[n + 3] = ':';
		two(buf + n + 4, off % 60);
		n += 6;
	}
	return n;
}

/* The fraction and the offset behind the seconds. */
static bool
parse_rest(pp_str s, struct pp_time_form *f, int *frac)
{
	size_t n = 19;
	int h, m;

	*frac = 0;
	memset(f, 0, sizeof(*f));
	if (n < s.n && s.p[n] == '.') {
		for (n++; n < s.n && s.p[n] >= '0' && s.p[n] <= '9' &&
		    f->digits < 6; n++) {
			*frac = *frac * 10 + (s.p[n] - '0');
			f->digits++;
		}
		for (h = f->digits; h < 6; h++)
			*frac *= 10;
	}
	if (n == s.n)
		return true;
	if (s.n - n != 6 || s.p[n + 3] != ':')
		return false;
	h = digits(s.p + n + 1, 2);
	m = digits(s.p + n + 4, 2);
	if (h < 0 || m < 0)
		return false;
	f->has_offset = true;
	f->offset_min = (int16_t)(s.p[n] == '-' ? -(h * 60 + m) : h * 60 + m);
	return true;
}

bool
pp_time_parse(pp_str s, struct pp_time_form *f, int64_t *us)
{
	char back[40];
	int y, mo, d, h, mi, se, frac;

	if (s.n < 19 || s.n > 32 || !parse_rest(s, f, &frac))
		return false;
	y = digits(s.p, 4);
	mo = digits(s.p + 5, 2);
	d = digits(s.p + 8, 2);
	h = digits(s.p + 11, 2);
	mi = digits(s.p + 14, 2);
	se = digits(s.p + 17, 2);
	if (y < 0 || mo < 1 || mo > 12 || d < 1 || h < 0 || mi < 0 || se < 0)
		return false;
	*us = days_of(y, (unsigned)mo, (unsigned)d) * DAY_US +
	    ((int64_t)h * 3600 + mi * 60 + se) * 1000000 + frac;
	return pp_str_eq(s, (pp_str){back, pp_time_print(back, f, *us)});
}

int64_t
pp_base32(pp_str s)
{
	static const char digit[] = "0123456789abcdfghjkmnpqrstuvwxyz";
	const char *d;
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < s.n; i++) {
		d = s.p[i] == '\0' ? NULL : strchr(digit, s.p[i]);
		if (d == NULL)
			return 0;
		n = n << 5 | (uint32_t)(d - digit);
	}
	return n;
}

bool
pp_digits_parse(pp_str s, int64_t *v)
{
	bool minus = s.n > 0 && s.p[0] == '-';
	size_t i = minus ? 1 : 0;
	int64_t n = 0;

	if (s.n == i || s.n - i > 18 || (s.p[i] == '0' && s.n > 1))
		return false;
	for (; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		n = n * 10 + (s.p[i] - '0');
	}
	*v = minus ? -n : n;
	return true;
}

size_t
pp_digits_print(char *buf, int64_t v)
{
	uint64_t u = v < 0 ? (uint64_t)-(v + 1) + 1 : (uint64_t)v;
	char t[24];
	size_t n = 0, k = 0;

	do {
		t[n++] = (char)('0' + u % 10);
		u /= 10;
	} while (u > 0);
	if (v < 0)
		buf[k++] = '-';
	while (n > 0)
		buf[k++] = t[--n];
	return k;
}
