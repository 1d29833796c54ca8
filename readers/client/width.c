/*
 * width.c: how many display cells text takes, as the clients count.
 *
 * The clients of MySQL and MariaDB pad cells by display width in the client's
 * character set: East Asian wide characters of the BMP are 2, everything else
 * there is 1, control characters, newlines and combining marks included, and
 * bytes that are no character are 0.  Beyond the BMP MariaDB counts 1 (2 for
 * planes 2 and 3) and MySQL 0.  mycli and psql count as wcwidth does.  Touches
 * nothing.
 */
#include "parse.h"

/* The character at p, its length in *n; UINT32_MAX: no UTF-8. */
static uint32_t
character(const char *p, const char *e, size_t *n)
{
	const unsigned char *s = (const unsigned char *)p;
	size_t left = (size_t)(e - p), len, i;
	uint32_t u;

	*n = 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return s[0] < 0x80 ? s[0] : UINT32_MAX;
	len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (left < len)
		return UINT32_MAX;
	u = s[0] & (0xffu >> (len + 1));
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return UINT32_MAX;
		u = u << 6 | (s[i] & 0x3f);
	}
	if ((len == 3 && (u < 0x800 || (u >= 0xd800 && u < 0xe000))) ||
	    (len == 4 && (u < 0x10000 || u > 0x10ffff)))
		return UINT32_MAX;
	*n = len;
	return u;
}

static bool
wide(uint32_t u)
{
	return u >= 0x1100 && (u <= 0x115f || u == 0x2329 || u == 0x232a ||
	    (u >= 0x2e80 && u <= 0xa4cf && u != 0x303f) ||
	    (u >= 0xac00 && u <= 0xd7a3) || (u >= 0xf900 && u <= 0xfaff) ||
	    (u >= 0xfe30 && u <= 0xfe6f) || (u >= 0xff00 && u <= 0xff60) ||
	    (u >= 0xffe0 && u <= 0xffe6) ||
	    (u >= 0x20000 && u <= 0x3fffd));
}

struct range {
	uint32_t from, to;
};

static bool
within(const struct range *v, size_t n, uint32_t u)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (u >= v[i].from && u <= v[i].to)
			return true;
	return false;
}

/* What a terminal draws in no cell of its own. */
static bool
mark(uint32_t u)
{
	static const struct range v[] = {{0x300, 0x36f}, {0x483, 0x489},
	    {0x591, 0x5bd}, {0x5bf, 0x5bf}, {0x5c1, 0x5c2}, {0x5c4, 0x5c5},
	    {0x610, 0x61a}, {0x64b, 0x65f}, {0x670, 0x670}, {0x6d6, 0x6dc},
	    {0x6df, 0x6e4}, {0x6e7, 0x6e8}, {0x6ea, 0x6ed}, {0x93c, 0x93c},
	    {0x941, 0x948}, {0x94d, 0x94d}, {0xe31, 0xe31}, {0xe34, 0xe3a},
	    {0xe47, 0xe4e}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
	    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x2064},
	    {0x20d0, 0x20f0}, {0x302a, 0x302d}, {0x3099, 0x309a},
	    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
	    {0x1f3fb, 0x1f3ff}, {0xe0100, 0xe01ef}};

	return u >= 0x300 && within(v, sizeof(v) / sizeof(v[0]), u);
}

/* Pictures that are wide since Unicode 9: to terminals, not to MySQL. */
static bool
picture(uint32_t u)
{
	static const struct range v[] = {{0x231a, 0x231b}, {0x23e9, 0x23ec},
	    {0x23f0, 0x23f0}, {0x23f3, 0x23f3}, {0x25fd, 0x25fe},
	    {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f},
	    {0x2693, 0x2693}, {0x26a1, 0x26a1}, {0x26aa, 0x26ab},
	    {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x26ce, 0x26ce},
	    {0x26d4, 0x26d4}, {0x26ea, 0x26ea}, {0x26f2, 0x26f3},
	    {0x26f5, 0x26f5}, {0x26fa, 0x26fa}, {0x26fd, 0x26fd},
	    {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728},
	    {0x274c, 0x274c}, {0x274e, 0x274e}, {0x2753, 0x2755},
	    {0x2757, 0x2757}, {0x2795, 0x2797}, {0x27b0, 0x27b0},
	    {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50},
	    {0x2b55, 0x2b55}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf},
	    {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320},
	    {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393},
	    {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0},
	    {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440},
	    {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e},
	    {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596},
	    {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5},
	    {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6d7},
	    {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7eb},
	    {0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff},
	    {0x1fa70, 0x1faff}};

	return u >= 0x231a && within(v, sizeof(v) / sizeof(v[0]), u);
}

unsigned
pp_cl_width_char(enum pp_cl_measure m, const char *p, const char *e, size_t *n)
{
	uint32_t u;

	if (m == PP_CL_BYTES) {
		*n = 1;
		return 1;
	}
	u = character(p, e, n);
	if (u == UINT32_MAX)
		return m == PP_CL_CHARS;
	if (m == PP_CL_CHARS)
		return 1;
	if (m == PP_CL_TERMINAL)
		return u == 0 || mark(u) ? 0 : wide(u) || picture(u) ? 2 : 1;
	if (u >= 0x10000 && m == PP_CL_WIDE_NONE)
		return 0;
	return wide(u) ? 2 : 1;
}

size_t
pp_cl_width(enum pp_cl_measure m, pp_str s)
{
	const char *p = s.p, *e = s.p + s.n;
	size_t w = 0, n;

	while (p < e) {
		if ((unsigned char)*p < 0x80 &&
		    (m != PP_CL_TERMINAL || *p != '\0')) {
			w++;
			p++;
			continue;
		}
		w += pp_cl_width_char(m, p, e, &n);
		p += n;
	}
	return w;
}
