/*
 * json_text.c: see json_text.h.
 */
#include "json_text.h"

#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* Eight bytes of printable ASCII without `"` and `\`. */
static inline bool
is_plain(uint64_t w)
{
	uint64_t q = w ^ (ONES * '"'), s = w ^ (ONES * '\\');
	uint64_t hit = w | ((w - ONES * 0x20) & ~w) | ((q - ONES) & ~q) |
	    ((s - ONES) & ~s);

	return (hit & HIGHS) == 0;
}

char *
pp_json_copy_plain(char *p, pp_str s)
{
	uint64_t w;
	size_t i;

	if (s.n < 8) {
		for (i = 0; i < s.n; i++) {
			if ((signed char)s.p[i] < 0x20 || s.p[i] == '"' ||
			    s.p[i] == '\\')
				return NULL;
			p[i] = s.p[i];
		}
		return p + s.n;
	}
	for (i = 0; i + 8 <= s.n; i += 8) {
		memcpy(&w, s.p + i, 8);
		if (!is_plain(w))
			return NULL;
		memcpy(p + i, &w, 8);
	}
	/* the rest with some bytes seen twice */
	memcpy(&w, s.p + s.n - 8, 8);
	if (!is_plain(w))
		return NULL;
	memcpy(p + s.n - 8, &w, 8);
	return p + s.n;
}

static void
escape(struct pp_cursor *c, unsigned char b)
{
	static const char hex[] = "0123456789abcdef";
	char two = '\0';

	pp_cursor_need(c, 6);
	*c->p++ = '\\';
	switch (b) {
	case '"':
	case '\\':
		two = (char)b;
		break;
	case '\b':
		two = 'b';
		break;
	case '\f':
		two = 'f';
		break;
	case '\n':
		two = 'n';
		break;
	case '\r':
		two = 'r';
		break;
	case '\t':
		two = 't';
		break;
	default:
		memcpy(c->p, "u00", 3);
		c->p[3] = hex[b >> 4];
		c->p[4] = hex[b & 15];
		c->p += 5;
		return;
	}
	*c->p++ = two;
}

void
pp_json_string(struct pp_cursor *c, pp_str s)
{
	size_t from = 0, i;

	pp_cursor_byte(c, '"');
	for (i = 0; i < s.n; i++) {
		unsigned char b = (unsigned char)s.p[i];

		if (b >= 0x20 && b != '"' && b != '\\')
			continue;
		pp_cursor_bytes(c, s.p + from, i - from);
		escape(c, b);
		from = i + 1;
	}
	if (s.n > from)
		pp_cursor_bytes(c, s.p + from, s.n - from);
	pp_cursor_byte(c, '"');
}
