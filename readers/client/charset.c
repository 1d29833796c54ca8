/*
 * charset.c: see charset.h.
 *
 * Nothing in a dump names its encoding: bytes follow the character set of the
 * client.  A mark or text that is UTF-8 decides; --charset decides where
 * there is no evidence.  Multi-byte sets of East Asia have second bytes that
 * are ASCII in value (0x5c and 0x7c among them), so they are decoded before
 * anything is split.  May touch base only.
 */
#include "charset.h"

#include <errno.h>
#include <iconv.h>

/* MySQL's names, and names that iconv spells otherwise.  iconv's SJIS has a
 * yen sign where MySQL's sjis has a backslash. */
static const struct alias {
	const char *name, *iconv;
} aliases[] = {
	{"utf8", ""}, {"utf8mb3", ""}, {"utf8mb4", ""}, {"utf-8", ""},
	{"binary", ""}, {"ascii", ""}, {"us-ascii", ""},
	{"latin1", "1"}, {"cp1252", "1"}, {"windows-1252", "1"},
	{"iso-8859-1", "1"}, {"iso8859-1", "1"},
	{"utf16", "b"}, {"utf-16be", "b"}, {"ucs2", "b"}, {"utf-16", "l"},
	{"utf16le", "l"}, {"utf-16le", "l"}, {"ucs-2", "b"},
	{"utf32", "UTF-32BE"}, {"gbk", "GBK"}, {"gb2312", "GBK"},
	{"gb18030", "GB18030"}, {"big5", "CP950"}, {"sjis", "CP932"},
	{"shift_jis", "CP932"}, {"cp932", "CP932"}, {"ujis", "EUC-JP"},
	{"eucjpms", "EUC-JP-MS"}, {"euckr", "CP949"}, {"koi8r", "KOI8-R"},
	{"koi8u", "KOI8-U"}, {"latin2", "ISO-8859-2"},
	{"latin5", "ISO-8859-9"}, {"latin7", "ISO-8859-13"},
	{"greek", "ISO-8859-7"}, {"hebrew", "ISO-8859-8"},
	{"tis620", "TIS-620"}, {"macroman", "MACINTOSH"},
	{"macce", "MAC-CENTRALEUROPE"}, {"cp850", "CP850"},
	{"cp852", "CP852"}, {"cp866", "CP866"}, {"cp1250", "CP1250"},
	{"cp1251", "CP1251"}, {"cp1256", "CP1256"}, {"cp1257", "CP1257"},
	{"windows-1251", "CP1251"}, {"windows-1250", "CP1250"},
};

/* Windows 1252 where it is not latin 1; the five holes are C1 controls. */
static const uint16_t cp1252[32] = {
	0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,
	0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f, 0x90, 0x2018,
	0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122,
	0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178};

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
same(pp_str a, const char *b)
{
	size_t i;

	for (i = 0; i < a.n; i++)
		if (b[i] == '\0' || lower(a.p[i]) != lower(b[i]))
			return false;
	return b[a.n] == '\0';
}

static bool
by_iconv(pp_str name, struct pp_cl_charset *cs)
{
	iconv_t cd;

	if (name.n == 0 || name.n >= sizeof(cs->iconv) ||
	    memchr(name.p, '/', name.n) != NULL ||
	    memchr(name.p, '\0', name.n) != NULL)
		return false;
	memcpy(cs->iconv, name.p, name.n);
	cs->iconv[name.n] = '\0';
	cd = iconv_open("UTF-8", cs->iconv);
	/* glibc gives -1, an integer, for an error */
	if ((intptr_t)cd == -1)
		return false;
	(void)iconv_close(cd);
	cs->how = PP_CL_HOW_ICONV;
	return true;
}

bool
pp_cl_charset_named(pp_str name, struct pp_cl_charset *cs)
{
	const char *to;
	size_t i;

	memset(cs, 0, sizeof(*cs));
	cs->known = true;
	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (!same(name, aliases[i].name))
			continue;
		to = aliases[i].iconv;
		if (to[0] == '\0')
			cs->how = PP_CL_HOW_SAME;
		else if (to[1] != '\0')
			return by_iconv(pp_str_from(to), cs);
		else
			cs->how = to[0] == '1' ? PP_CL_HOW_LATIN1 :
			    to[0] == 'b' ? PP_CL_HOW_UTF16BE :
			    PP_CL_HOW_UTF16LE;
		return true;
	}
	return by_iconv(name, cs);
}

/* ------------------------------------------------------------- evidence */

/* Length of the UTF-8 character at p; 0: none; SIZE_MAX: cut off. */
static size_t
utf8_char(const unsigned char *p, size_t n)
{
	unsigned c = p[0], lo = 0x80, hi = 0xbf;
	size_t len, i;

	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4)
		return 0;
	len = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (c == 0xe0)
		lo = 0xa0;
	else if (c == 0xed)
		hi = 0x9f;
	else if (c == 0xf0)
		lo = 0x90;
	else if (c == 0xf4)
		hi = 0x8f;
	for (i = 1; i < len; i++) {
		if (i == n)
			return SIZE_MAX;
		if (p[i] < lo || p[i] > hi)
			return 0;
		lo = 0x80;
		hi = 0xbf;
	}
	return len;
}

bool
pp_cl_is_utf8(pp_str s, bool *ascii)
{
	const unsigned char *p = (const unsigned char *)s.p;
	size_t i = 0, len;

	*ascii = true;
	while (i < s.n) {
		if (p[i] < 0x80) {
			i++;
			continue;
		}
		*ascii = false;
		len = utf8_char(p + i, s.n - i);
		if (len == 0)
			return false;
		if (len == SIZE_MAX)
			return true;
		i += len;
	}
	return true;
}

/*
 * UTF-16 without a mark.  In a file of which only the values are UTF-16
 * (CHARACTER SET utf16 of INTO OUTFILE) line ends are single bytes: there
 * are no zero bytes beside them.
 */
static enum pp_cl_how
by_zeros(pp_str s)
{
	size_t i, even = 0, odd = 0, lf_le = 0, lf_be = 0, lf = 0;

	for (i = 0; i + 1 < s.n; i += 2) {
		even += s.p[i] == '\0';
		odd += s.p[i + 1] == '\0';
		lf_le += s.p[i] == '\n' && s.p[i + 1] == '\0';
		lf_be += s.p[i] == '\0' && s.p[i + 1] == '\n';
	}
	for (i = 0; i < s.n; i++)
		lf += s.p[i] == '\n';
	if (odd * 3 > s.n && even * 20 < s.n && lf_le * 10 >= lf * 9)
		return PP_CL_HOW_UTF16LE;
	if (even * 3 > s.n && odd * 20 < s.n && lf_be * 10 >= lf * 9)
		return PP_CL_HOW_UTF16BE;
	return PP_CL_HOW_SAME;
}

/* The word behind `key` in s, where both are ASCII; empty. */
static pp_str
word_behind(pp_str s, const char *key)
{
	pp_str k = pp_str_from(key), w;
	size_t at = pp_str_find(s, k), n = 0;

	if (at == s.n)
		return (pp_str){"", 0};
	w = pp_str_skip(s, at + k.n);
	while (w.n > 0 && (w.p[0] == '"' || w.p[0] == '\'' || w.p[0] == ' '))
		w = pp_str_skip(w, 1);
	while (n < w.n && (w.p[n] == '-' || w.p[n] == '_' ||
	    (w.p[n] >= '0' && w.p[n] <= '9') ||
	    (lower(w.p[n]) >= 'a' && lower(w.p[n]) <= 'z')))
		n++;
	w.n = n;
	return w;
}

/* What the file says of itself. */
static bool
by_word(pp_str head, struct pp_cl_charset *cs)
{
	static const char *const keys[] = {"40101 SET NAMES ", "50503 SET NAMES ",
	    "\" encoding=", "; charset="};
	size_t i;
	pp_str w;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		w = word_behind(head, keys[i]);
		if (w.n > 0 && pp_cl_charset_named(w, cs))
			return true;
	}
	return false;
}

void
pp_cl_charset_find(pp_str head, pp_str named, struct pp_cl_charset *cs)
{
	bool ascii, utf8;

	memset(cs, 0, sizeof(*cs));
	if (pp_str_starts(head, PP_STR("\xef\xbb\xbf"))) {
		*cs = (struct pp_cl_charset){.known = true, .skip = 3};
		return;
	}
	if (pp_str_starts(head, PP_STR("\xff\xfe")) ||
	    pp_str_starts(head, PP_STR("\xfe\xff"))) {
		*cs = (struct pp_cl_charset){.known = true, .skip = 2,
		    .how = head.p[0] == '\xff' ? PP_CL_HOW_UTF16LE :
		    PP_CL_HOW_UTF16BE};
		return;
	}
	if (named.n != 0 && pp_cl_charset_named(named, cs))
		return;
	cs->how = by_zeros(head);
	if (cs->how != PP_CL_HOW_SAME)
		return;
	utf8 = pp_cl_is_utf8(head, &ascii);
	if (utf8 && !ascii)
		cs->known = true;
	else if (!by_word(head, cs))
		*cs = (struct pp_cl_charset){.known = false};
}

/* ------------------------------------------------------------- decoding */

struct pp_cl_decoder {
	struct pp_mem *mem;
	struct pp_cl_charset cs;
	iconv_t cd;
	bool open;
};

struct pp_cl_decoder *
pp_cl_decoder_open(struct pp_mem *mem, const struct pp_cl_charset *cs)
{
	struct pp_cl_decoder *d = pp_mem_zalloc(mem, sizeof(*d));

	d->mem = mem;
	d->cs = *cs;
	if (cs->how == PP_CL_HOW_ICONV) {
		d->cd = iconv_open("UTF-8", cs->iconv);
		d->open = (intptr_t)d->cd != -1;
	}
	return d;
}

void
pp_cl_decoder_close(struct pp_cl_decoder *d)
{
	if (d->open)
		(void)iconv_close(d->cd);
	pp_mem_free(d->mem, d);
}

static char *
room(struct pp_cl_decoder *d, char **out, size_t n, size_t *cap, size_t more)
{
	void *v = *out;

	pp_mem_grow(d->mem, &v, cap, n + more, 1);
	*out = v;
	return *out + n;
}

/* UTF-8 of a code point; returns its length. */
static size_t
put(char *to, uint32_t u)
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

static size_t
decode_latin1(pp_str s, char *to)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++) {
		unsigned c = (unsigned char)s.p[i];

		n += put(to + n, c >= 0x80 && c < 0xa0 ? cp1252[c - 0x80] : c);
	}
	return n;
}

static uint32_t
unit16(const char *p, bool big)
{
	unsigned a = (unsigned char)p[0], b = (unsigned char)p[1];

	return big ? a << 8 | b : b << 8 | a;
}

/* Half a surrogate pair is written as three bytes: no UTF-8, but kept. */
static size_t
decode_utf16(pp_str s, bool big, char *to, size_t *bad)
{
	size_t i, n = 0;
	uint32_t u, v;

	for (i = 0; i + 1 < s.n; i += 2) {
		u = unit16(s.p + i, big);
		if (u >= 0xd800 && u < 0xdc00 && i + 3 < s.n) {
			v = unit16(s.p + i + 2, big);
			if (v >= 0xdc00 && v < 0xe000) {
				u = 0x10000 + ((u - 0xd800) << 10) +
				    (v - 0xdc00);
				i += 2;
			}
		}
		if (u >= 0xd800 && u < 0xe000)
			(*bad)++;
		n += put(to + n, u);
	}
	if (i < s.n) {
		to[n++] = s.p[i];
		(*bad)++;
	}
	return n;
}

/* *n: bytes in *out. */
static size_t
decode_iconv(struct pp_cl_decoder *d, pp_str s, char **out, size_t *n,
    size_t *cap)
{
	size_t bad = 0, left = s.n, free_bytes, rc;
	char *in, *to;

	/* iconv's prototype is older than const */
	memcpy(&in, &s.p, sizeof(in));
	if (d->open)
		(void)iconv(d->cd, NULL, NULL, NULL, NULL);
	while (left > 0) {
		to = room(d, out, *n, cap, left * 4 + 16);
		free_bytes = left * 4 + 16;
		rc = d->open ? iconv(d->cd, &in, &left, &to, &free_bytes) :
		    (size_t)-1;
		*n = (size_t)(to - *out);
		if (rc != (size_t)-1)
			continue;
		if (d->open && errno == E2BIG)
			continue;
		to = room(d, out, *n, cap, 1);
		*to = *in++;
		(*n)++;
		left--;
		bad++;
	}
	return bad;
}

size_t
pp_cl_decode(struct pp_cl_decoder *d, pp_str s, char **out, size_t *n,
    size_t *cap)
{
	size_t bad = 0;
	char *to;

	if (d->cs.how == PP_CL_HOW_ICONV)
		return decode_iconv(d, s, out, n, cap);
	to = room(d, out, *n, cap, s.n * 3 + 4);
	switch (d->cs.how) {
	case PP_CL_HOW_LATIN1:
		*n += decode_latin1(s, to);
		break;
	case PP_CL_HOW_UTF16LE:
	case PP_CL_HOW_UTF16BE:
		*n += decode_utf16(s, d->cs.how == PP_CL_HOW_UTF16BE, to,
		    &bad);
		break;
	case PP_CL_HOW_SAME:
	case PP_CL_HOW_ICONV:
		if (s.n != 0)
			memcpy(to, s.p, s.n);
		*n += s.n;
		break;
	}
	return bad;
}

size_t
pp_cl_line_end(const struct pp_cl_charset *cs, pp_str s, size_t *unit)
{
	const char *nl;
	size_t i;

	*unit = 1;
	if (cs->how == PP_CL_HOW_UTF16LE || cs->how == PP_CL_HOW_UTF16BE) {
		*unit = 2;
		for (i = 0; i + 1 < s.n; i += 2)
			if (unit16(s.p + i, cs->how == PP_CL_HOW_UTF16BE) ==
			    '\n')
				return i;
		return s.n;
	}
	nl = s.n ? memchr(s.p, '\n', s.n) : NULL;
	return nl != NULL ? (size_t)(nl - s.p) : s.n;
}
