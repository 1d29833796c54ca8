/*
 * sanitise.c: text that every format can hold.
 *
 * Sees base only.  A text is looked through once; only one that has to be
 * changed is looked through again, first for its length and then to copy it.
 *
 * UTF-8 as in table 3-7 of the Unicode standard; each maximal part of a
 * sequence that does not go on becomes one U+FFFD, as its section 3.9
 * recommends, so that every reader and we count the same.
 *
 * XML 1.0 has no way to write most controls, U+FFFE and U+FFFF: U+FFFD.
 *
 * Workbooks write a control as _xHHHH_ (ST_Xstring), which loses nothing,
 * and so a text that holds such letters needs its underscore as _x005F_.
 * Limits of a cell: 32,767 UTF-16 units, counted here as they are written,
 * since libxlsxwriter counts them so; 253 line feeds, further ones become
 * blanks.  A text that was cut ends in U+2026.
 */
#include "sanitise.h"

#define CELL_UNITS 32767
#define CELL_FEEDS 253

#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
static const char ellipsis[] = "\xe2\x80\xa6";	  /* U+2026 */

/*
 * Length of the well-formed sequence at p, n > 0 bytes; 0 when there is
 * none, *bad then is the length of the maximal part.
 */
static size_t
sequence(const unsigned char *p, size_t n, size_t *bad)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t len, i;

	*bad = 1;
	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	len = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	/* shortest forms only, no surrogates, nothing past U+10FFFF */
	if (p[0] == 0xe0)
		low = 0xa0;
	else if (p[0] == 0xed)
		high = 0x9f;
	else if (p[0] == 0xf0)
		low = 0x90;
	else if (p[0] == 0xf4)
		high = 0x8f;
	for (i = 1; i < len; i++) {
		if (i >= n || p[i] < low || p[i] > high) {
			*bad = i;
			return 0;
		}
		low = 0x80;
		high = 0xbf;
	}
	return len;
}

/* U+FFFE or U+FFFF, of well-formed bytes. */
static bool
is_noncharacter(const unsigned char *p, size_t len)
{
	return len == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe;
}

static bool
is_hex(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
	    (c >= 'A' && c <= 'F');
}

/* Controls that a workbook writes as _xHHHH_. */
static bool
is_escaped(unsigned char c)
{
	return c < 0x20 && c != '\t' && c != '\n';
}

/*
 * Whether a reader of workbooks would take the underscore at p for the
 * start of _xHHHH_.  The last underscore may also come from the escape of a
 * control that follows.
 */
static bool
looks_escaped(const unsigned char *p, size_t n)
{
	return n >= 7 && p[1] == 'x' && is_hex(p[2]) && is_hex(p[3]) &&
	    is_hex(p[4]) && is_hex(p[5]) && (p[6] == '_' || is_escaped(p[6]));
}

/* Eight bytes of which none needs a look in this mode. */
static inline bool
is_plain(uint64_t w, enum pp_sane mode)
{
	uint64_t hit = w & HIGHS, x;

	if (mode != PP_SANE_UTF8)
		hit |= (w - ONES * 0x20) & ~w & HIGHS;
	if (mode == PP_SANE_XLSX) {
		x = w ^ (ONES * '_');
		hit |= (x - ONES) & ~x & HIGHS;
	}
	return hit == 0;
}

static inline bool
is_clean(pp_str s, enum pp_sane mode)
{
	const unsigned char *p = (const unsigned char *)s.p;
	size_t n = s.n, i = 0, feeds = 0, units = 0, len, bad;
	uint64_t w;

	while (i < n) {
		if (n - i >= 8) {
			memcpy(&w, p + i, 8);
			if (is_plain(w, mode)) {
				i += 8;
				units += 8;
				continue;
			}
		}
		if (p[i] < 0x80) {
			if (mode == PP_SANE_XML && is_escaped(p[i]) &&
			    p[i] != '\r')
				return false;
			if (mode == PP_SANE_XLSX && (is_escaped(p[i]) ||
			    (p[i] == '_' && looks_escaped(p + i, n - i)) ||
			    (p[i] == '\n' && ++feeds > CELL_FEEDS)))
				return false;
			i++;
			units++;
			continue;
		}
		len = sequence(p + i, n - i, &bad);
		if (len == 0 || (mode != PP_SANE_UTF8 &&
		    is_noncharacter(p + i, len)))
			return false;
		i += len;
		units += len == 4 ? 2 : 1;
	}
	return mode != PP_SANE_XLSX || units <= CELL_UNITS;
}

/* Changed text on its way; p is NULL while only its length is asked for. */
struct text {
	char *p;
	size_t n;
	size_t units, feeds;
	size_t room;	/* the length up to which an ellipsis fits */
	size_t replaced;
	bool cut;
};

/* Append; false where the cell is full. */
static bool
emit(struct text *t, const void *p, size_t n, size_t units, bool cells)
{
	if (cells) {
		if (t->units + units > CELL_UNITS)
			return false;
		t->units += units;
	}
	if (t->p != NULL)
		memcpy(t->p + t->n, p, n);
	t->n += n;
	if (t->units < CELL_UNITS)
		t->room = t->n;
	return true;
}

static bool
emit_escape(struct text *t, unsigned char c)
{
	static const char hex[] = "0123456789ABCDEF";
	char buf[7] = {'_', 'x', '0', '0', hex[c >> 4], hex[c & 15], '_'};

	return emit(t, buf, 7, 7, true);
}

/* One character or broken sequence at p; how many bytes it took, or 0 where
 * it no longer fits. */
static size_t
change(struct text *t, const unsigned char *p, size_t n, enum pp_sane mode)
{
	bool cells = mode == PP_SANE_XLSX, fits;
	size_t bad, len = sequence(p, n, &bad);

	if (len == 0 || (mode != PP_SANE_UTF8 && is_noncharacter(p, len)) ||
	    (mode == PP_SANE_XML && is_escaped(p[0]) && p[0] != '\r')) {
		t->replaced++;
		fits = emit(t, replacement, 3, 1, cells);
		len = len == 0 ? bad : len;
	} else if (cells && (is_escaped(p[0]) ||
	    (p[0] == '_' && looks_escaped(p, n)))) {
		fits = emit_escape(t, p[0]);
	} else if (cells && p[0] == '\n' && ++t->feeds > CELL_FEEDS) {
		t->cut = true;
		fits = emit(t, " ", 1, 1, true);
	} else
		fits = emit(t, p, len, len == 4 ? 2 : 1, cells);
	return fits ? len : 0;
}

static void
rewrite(struct text *t, pp_str s, enum pp_sane mode)
{
	const unsigned char *p = (const unsigned char *)s.p;
	size_t i = 0, k;

	while (i < s.n) {
		k = change(t, p + i, s.n - i, mode);
		if (k == 0) {
			t->cut = true;
			break;
		}
		i += k;
	}
	if (t->cut) {
		t->n = t->room;
		if (t->p != NULL)
			memcpy(t->p + t->n, ellipsis, 3);
		t->n += 3;
	}
}

pp_str
pp_sanitise(struct pp_sanitiser *z, pp_str s)
{
	struct text t = {0};
	size_t n;
	bool clean;

	switch (z->mode) {
	case PP_SANE_XML:
		clean = is_clean(s, PP_SANE_XML);
		break;
	case PP_SANE_XLSX:
		clean = is_clean(s, PP_SANE_XLSX);
		break;
	case PP_SANE_UTF8:
	default:
		clean = is_clean(s, PP_SANE_UTF8);
		break;
	}
	if (clean)
		return s;
	rewrite(&t, s, z->mode);
	n = t.n;
	t = (struct text){0};
	/* what does not fit is written before it is taken back */
	t.p = pp_arena_alloc(z->out, n + 16);
	rewrite(&t, s, z->mode);
	z->repaired += t.replaced > 0;
	z->replaced += t.replaced;
	z->cut += t.cut;
	return (pp_str){t.p, t.n};
}
