/*
 * str.c: searching in slices.
 */
#include "str.h"

size_t
pp_str_find(pp_str s, pp_str needle)
{
	const char *p = s.p, *end, *hit;

	if (needle.n == 0)
		return 0;
	if (s.n < needle.n)
		return s.n;	/* perhaps NULL, which takes no offset */
	end = s.p + s.n;
	while ((size_t)(end - p) >= needle.n) {
		hit = memchr(p, needle.p[0],
		    (size_t)(end - p) - needle.n + 1);
		if (hit == NULL)
			break;
		if (memcmp(hit, needle.p, needle.n) == 0)
			return (size_t)(hit - s.p);
		p = hit + 1;
	}
	return s.n;
}

size_t
pp_str_rfind(pp_str s, pp_str needle)
{
	size_t i;

	if (needle.n == 0 || needle.n > s.n)
		return s.n;
	for (i = s.n - needle.n + 1; i-- > 0;)
		if (s.p[i] == needle.p[0] &&
		    memcmp(s.p + i, needle.p, needle.n) == 0)
			return i;
	return s.n;
}
