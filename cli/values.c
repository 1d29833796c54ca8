/*
 * values.c: words of the command line turned into values.
 */
#include "values.h"

#include <string.h>

bool
pp_value_size(const char *s, size_t *out)
{
	static const char units[] = "KMGT";
	size_t n = strspn(s, "0123456789");
	const char *u;
	uint64_t v;
	unsigned shift = 0;

	if (n == 0 || !pp_u64_parse((pp_str){s, n}, &v))
		return false;
	s += n;
	if (*s != '\0') {
		u = strchr(units, *s & ~0x20);
		if (u == NULL || *u == '\0')
			return false;
		shift = 10 * (unsigned)(u - units + 1);
		s++;
		if (strcmp(s, "") != 0 && strcmp(s, "B") != 0 &&
		    strcmp(s, "iB") != 0)
			return false;
	}
	if (v == 0 || v > (SIZE_MAX >> 1) >> shift)
		return false;
	*out = (size_t)v << shift;
	return true;
}

bool
pp_value_time(const char *s, pp_i128 *out)
{
	static const struct {
		const char *unit;
		unsigned scale, factor;
	} units[] = {
		{"", 12, 1}, {"s", 12, 1}, {"sec", 12, 1}, {"ms", 9, 1},
		{"us", 6, 1}, {"ns", 3, 1}, {"ps", 0, 1}, {"m", 12, 60},
		{"min", 12, 60}, {"h", 12, 3600},
	};
	size_t n = strspn(s, "0123456789."), i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(s + n, units[i].unit) == 0)
			break;
	if (i == sizeof(units) / sizeof(units[0]) || n == 0 || n > 15 ||
	    !pp_dec_parse((pp_str){s, n}, units[i].scale, out))
		return false;
	*out *= units[i].factor;
	return true;
}

bool
pp_value_count(const char *s, uint64_t max, uint32_t *out)
{
	uint64_t v;

	if (!pp_u64_parse(pp_str_from(s), &v) || v == 0 || v > max)
		return false;
	*out = (uint32_t)v;
	return true;
}

/* Letters to change, add, drop or swap with their neighbour, for words of up
 * to 31 bytes. */
static unsigned
distance(const char *a, const char *b)
{
	unsigned d[32][32], best;
	size_t n = strlen(a), m = strlen(b), i, j;

	if (n > 31 || m > 31)
		return 99;
	for (i = 0; i <= n; i++)
		d[i][0] = (unsigned)i;
	for (j = 0; j <= m; j++)
		d[0][j] = (unsigned)j;
	for (i = 1; i <= n; i++) {
		for (j = 1; j <= m; j++) {
			best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[n][m];
}

const char *
pp_value_nearest(const char *word, const char *const *list, size_t n)
{
	const char *best = NULL;
	unsigned d, least = 3;
	size_t i;

	if (strlen(word) < 3)
		return NULL;
	for (i = 0; i < n; i++) {
		d = distance(word, list[i]);
		if (d >= least && strncmp(list[i], word, strlen(word)) == 0)
			d = least - 1;
		if (d < least) {
			least = d;
			best = list[i];
		}
	}
	return best;
}
