/*
 * oracle10046_stamp.c: wall-clock stamps of Oracle traces.
 *
 *	YYYY-MM-DD HH:MI:SS[.f...]			up to 12.1
 *	YYYY-MM-DDTHH:MI:SS[.f...][Z|(+|-)HH[:]MI]	12.2 and later
 *
 * The zone may be missing from either.  Knows nothing of lines or records.
 */
#include "oracle10046.h"
#include "scan.h"

/* Exactly n digits at p. */
static bool
digits(const char **p, const char *e, int n, unsigned *v)
{
	unsigned r = 0;

	if (e - *p < n)
		return false;
	for (; n > 0; n--) {
		if (!pp_scan_digit(**p))
			return false;
		r = r * 10 + (unsigned)(*(*p)++ - '0');
	}
	*v = r;
	return true;
}

static bool
sign(const char **p, const char *e, char c)
{
	if (*p == e || **p != c)
		return false;
	(*p)++;
	return true;
}

/* Days since 1970-01-01 in the Gregorian calendar. */
static int64_t
days(unsigned y, unsigned m, unsigned d)
{
	/* Count from March, so that the leap day ends a year. */
	int64_t yy = (int64_t)y - (m <= 2), era = yy / 400;
	int64_t yoe = yy - era * 400;
	int64_t doy = (153 * ((int64_t)m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static bool
date(const char **p, const char *e, int64_t *day)
{
	static const uint8_t len[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31,
	    30, 31};
	unsigned y, m, d;
	bool leap;

	if (!digits(p, e, 4, &y) || !sign(p, e, '-') ||
	    !digits(p, e, 2, &m) || !sign(p, e, '-') || !digits(p, e, 2, &d))
		return false;
	leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
	if (y == 0 || m < 1 || m > 12 || d < 1 || d > len[m - 1] ||
	    (m == 2 && d == 29 && !leap))
		return false;
	*day = days(y, m, d);
	return true;
}

static bool
time_of_day(const char **p, const char *e, int64_t *us)
{
	unsigned h, m, s, k;
	int64_t unit = 1000000, v;

	if (!digits(p, e, 2, &h) || !sign(p, e, ':') ||
	    !digits(p, e, 2, &m) || !sign(p, e, ':') || !digits(p, e, 2, &s))
		return false;
	if (h > 23 || m > 59 || s > 60)
		return false;
	v = ((int64_t)h * 3600 + m * 60 + s) * unit;
	if (*p < e && **p == '.' && e - *p > 1 && pp_scan_digit((*p)[1])) {
		for ((*p)++; *p < e && pp_scan_digit(**p); (*p)++) {
			k = (unsigned)(**p - '0');
			unit /= 10;
			v += (int64_t)k * unit;
		}
	}
	*us = v;
	return true;
}

/* Z, +HH:MM, -HH:MM, +HHMM; false (nothing taken) when there is none. */
static bool
zone(const char **p, const char *e, int16_t *min)
{
	const char *q = *p;
	bool minus;
	unsigned h, m;

	if (sign(&q, e, 'Z')) {
		*p = q;
		*min = 0;
		return true;
	}
	minus = q < e && *q == '-';
	if (!minus && !(q < e && *q == '+'))
		return false;
	q++;
	if (!digits(&q, e, 2, &h))
		return false;
	(void)sign(&q, e, ':');
	if (!digits(&q, e, 2, &m) || h > 18 || m > 59)
		return false;
	*p = q;
	*min = (int16_t)(h * 60 + m);
	if (minus)
		*min = (int16_t)-*min;
	return true;
}

bool
pp_oracle_stamp(pp_str s, struct pp_wall *w, size_t *used)
{
	const char *p = s.p, *e = s.p + s.n;
	int64_t day, us;

	*w = (struct pp_wall){0};
	*used = 0;
	if (s.n < 19 || !date(&p, e, &day) ||
	    (!sign(&p, e, ' ') && !sign(&p, e, 'T')) ||
	    !time_of_day(&p, e, &us))
		return false;
	w->us = day * 86400000000 + us;
	w->known = true;
	w->has_offset = zone(&p, e, &w->offset_min);
	*used = (size_t)(p - s.p);
	return true;
}
