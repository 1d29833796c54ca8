/*
 * entity.c: &amp; and its like, as HTML and wiki exports have them.
 */
#include "parse.h"

static const struct {
	const char *name;
	const char *text;
} entities[] = {
	{"amp;", "&"}, {"lt;", "<"}, {"gt;", ">"}, {"quot;", "\""},
	{"apos;", "'"}, {"nbsp;", " "},
};

static size_t
utf8(char *to, uint32_t u)
{
	if (u < 0x80) {
		to[0] = (char)u;
		return 1;
	}
	if (u < 0x800) {
		to[0] = (char)(0xc0 | u >> 6);
		to[1] = (char)(0x80 | (u & 0x3f));
		return 2;
	}
	if (u < 0x10000) {
		to[0] = (char)(0xe0 | u >> 12);
		to[1] = (char)(0x80 | (u >> 6 & 0x3f));
		to[2] = (char)(0x80 | (u & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | u >> 18);
	to[1] = (char)(0x80 | (u >> 12 & 0x3f));
	to[2] = (char)(0x80 | (u >> 6 & 0x3f));
	to[3] = (char)(0x80 | (u & 0x3f));
	return 4;
}

size_t
pp_cl_put_utf8(char *to, uint32_t u)
{
	return utf8(to, u);
}

/* "#39;" or "#x27;" behind an ampersand: its length, or 0. */
static size_t
numeric(pp_str s, uint32_t *u)
{
	size_t i = 1, from;
	bool hex = s.n > 1 && (s.p[1] == 'x' || s.p[1] == 'X');

	*u = 0;
	i += hex;
	for (from = i; i < s.n && i < from + 8; i++) {
		char c = s.p[i];

		if (c >= '0' && c <= '9')
			*u = *u * (hex ? 16 : 10) + (uint32_t)(c - '0');
		else if (hex && ((c | 32) >= 'a' && (c | 32) <= 'f'))
			*u = *u * 16 + (uint32_t)((c | 32) - 'a' + 10);
		else
			break;
	}
	if (i == from || i == s.n || s.p[i] != ';' || *u > 0x10ffff ||
	    (*u >= 0xd800 && *u < 0xe000))
		return 0;
	return i + 1;
}

pp_str
pp_cl_entities(struct pp_client *c, pp_str s)
{
	const char *p = s.p, *e = s.p + s.n, *amp;
	char *to;
	size_t n = 0, i, len;
	uint32_t u;

	if (s.n == 0 || memchr(p, '&', s.n) == NULL)
		return s;
	to = pp_arena_alloc(&c->row_mem, s.n);
	while (p < e) {
		amp = memchr(p, '&', (size_t)(e - p));
		if (amp == NULL)
			amp = e;
		memcpy(to + n, p, (size_t)(amp - p));
		n += (size_t)(amp - p);
		p = amp;
		if (p == e)
			break;
		s = (pp_str){p + 1, (size_t)(e - p - 1)};
		for (i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
			if (pp_str_starts(s, pp_str_from(entities[i].name)))
				break;
		if (i < sizeof(entities) / sizeof(entities[0])) {
			to[n++] = entities[i].text[0];
			p += 1 + strlen(entities[i].name);
		} else if (s.n > 1 && s.p[0] == '#' &&
		    (len = numeric(s, &u)) != 0) {
			n += utf8(to + n, u);
			p += 1 + len;
		} else {
			to[n++] = *p++;
		}
	}
	return (pp_str){to, n};
}
