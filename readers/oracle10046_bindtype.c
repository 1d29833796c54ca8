/*
 * oracle10046_bindtype.c: bind values by their data type.
 *
 * What the server cannot print it dumps: an address, words of memory in
 * hexadecimal, and the same bytes as characters in brackets.
 *
 *	Dump of memory from 0x7AD37F58 to 0x7AD37F5F
 *	7AD37F50                   786B0C1A 010101E0          [xk......]
 *
 * Words are numbers of 4 bytes: on little-endian machines their digits stand
 * in the opposite order of the bytes.  The characters tell which.
 * Strings of a national character set are printed as pairs, `0 4b 0 f6`.
 */
#include "oracle10046_bind.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>

#define DUMP_MOST 65536		/* bytes of a dump that are read */

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static size_t
hex_run(pp_str s)
{
	size_t n = 0;

	while (n < s.n && hex(s.p[n]) >= 0)
		n++;
	return n;
}

bool
pp_of_dump_line(pp_str line)
{
	pp_str s = pp_str_trim(line);
	size_t n;

	if (s.n == 0 || pp_str_starts(s, PP_STR("Dump of memory from")) ||
	    pp_str_starts(s, PP_STR("Repeat ")))
		return true;
	n = hex_run(s);
	return n > 0 && (n == s.n || s.p[n] == ' ');
}

pp_str
pp_of_bind_type(const struct pp_of_bind *b)
{
	static const struct {
		unsigned code;
		const char *name;
	} types[] = {
		{1, "VARCHAR2"}, {2, "NUMBER"}, {8, "LONG"}, {11, "ROWID"},
		{12, "DATE"}, {23, "RAW"}, {24, "LONG RAW"}, {25, "OBJECT"},
		{29, "BINARY_INTEGER"}, {69, "ROWID"}, {96, "CHAR"},
		{100, "BINARY_FLOAT"}, {101, "BINARY_DOUBLE"},
		{102, "REF CURSOR"}, {104, "UROWID"}, {106, "MLSLABEL"},
		{108, "OBJECT"}, {109, "OBJECT"}, {110, "REF"}, {111, "REF"},
		{112, "CLOB"}, {113, "BLOB"}, {114, "BFILE"}, {115, "CFILE"},
		{121, "OBJECT"}, {122, "NESTED TABLE"}, {123, "VARRAY"},
		{178, "TIME"}, {179, "TIME WITH TIME ZONE"},
		{180, "TIMESTAMP"}, {181, "TIMESTAMP WITH TIME ZONE"},
		{182, "INTERVAL YEAR TO MONTH"},
		{183, "INTERVAL DAY TO SECOND"}, {208, "UROWID"},
		{231, "TIMESTAMP WITH LOCAL TIME ZONE"}, {252, "BOOLEAN"},
	};
	size_t i;

	if (b->dty == 0)
		return PP_STR("");
	if (b->frm == 2 && b->dty == 1)
		return PP_STR("NVARCHAR2");
	if (b->frm == 2 && b->dty == 96)
		return PP_STR("NCHAR");
	if (b->frm == 2 && b->dty == 112)
		return PP_STR("NCLOB");
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].code == b->dty)
			return pp_str_from(types[i].name);
	return PP_STR("other");
}

/* ------------------------------------------------------------------ dumps */

struct bytes {
	unsigned char *p;
	size_t n;
};

/* A line of words: those that its characters confirm, in their order. */
static void
dump_words(struct bytes *out, pp_str line, size_t room)
{
	unsigned char big[16], little[16];
	size_t open = pp_str_find(line, PP_STR("[")), n = 0, i, k, same = 0,
	    other = 0;
	pp_str s = (pp_str){line.p, open}, chars = {NULL, 0};

	if (open < line.n) {
		chars = pp_str_skip(line, open + 1);
		if (chars.n > 0 && chars.p[chars.n - 1] == ']')
			chars.n--;
	}
	s = pp_str_trim(s);
	s = pp_str_skip(s, hex_run(s));	/* the address */
	while (n + 4 <= sizeof(big)) {
		s = pp_str_trim(s);
		if (hex_run(s) < 8)
			break;
		for (i = 0; i < 4; i++) {
			big[n + i] = (unsigned char)(hex(s.p[2 * i]) * 16 +
			    hex(s.p[2 * i + 1]));
			little[n + 3 - i] = big[n + i];
		}
		n += 4;
		s = pp_str_skip(s, 8);
	}
	for (k = 0; k < n && k < chars.n; k++) {
		char a = big[k] >= 0x20 && big[k] < 0x7f ? (char)big[k] : '.';
		char b = little[k] >= 0x20 && little[k] < 0x7f ?
		    (char)little[k] : '.';

		same += a == chars.p[k];
		other += b == chars.p[k];
	}
	if (n > room)
		n = room;
	memcpy(out->p + out->n, other > same ? little : big, n);
	out->n += n;
}

/* A line of pairs, `0 4b 0 f6`: a byte a word of one or two digits. */
static void
dump_pairs(struct bytes *out, pp_str line, size_t room)
{
	pp_str s = pp_str_trim(line);
	size_t n;

	while (s.n > 0 && room > 0) {
		n = hex_run(s);
		if (n == 0 || n > 2)
			return;
		out->p[out->n++] = (unsigned char)(n == 1 ? hex(s.p[0]) :
		    hex(s.p[0]) * 16 + hex(s.p[1]));
		room--;
		s = pp_str_trim(pp_str_skip(s, n));
	}
}

static struct bytes
read_bytes(struct pp_arena *to, const struct pp_of_bind *b)
{
	size_t most = b->avl >= 0 && b->avl < DUMP_MOST ? (size_t)b->avl :
	    DUMP_MOST, at;
	struct bytes out = {pp_arena_alloc(to, most + 1), 0};
	pp_str rest = b->dump, line;

	if (b->text.n > 0 && pp_of_dump_line(b->text))
		dump_pairs(&out, b->text, most);
	while (rest.n > 0 && out.n < most) {
		at = pp_str_find(rest, PP_STR("\n"));
		line = pp_str_trim((pp_str){rest.p, at});
		rest = pp_str_skip(rest, at + 1);
		if (line.n == 0 || line.p[0] == 'D' || line.p[0] == 'R')
			continue;
		if (hex_run(line) > 2)
			dump_words(&out, line, most - out.n);
		else
			dump_pairs(&out, line, most - out.n);
	}
	return out;
}

/* ------------------------------------------------------------------ types */

static pp_str
copy(struct pp_arena *to, const char *s, int n)
{
	return pp_arena_str(to, (pp_str){s, n < 0 ? 0 : (size_t)n});
}

static pp_str
as_hex(struct pp_arena *to, const struct bytes *v)
{
	static const char digit[] = "0123456789ABCDEF";
	char *p = pp_arena_alloc(to, 2 * v->n + 1);
	size_t i;

	for (i = 0; i < v->n; i++) {
		p[2 * i] = digit[v->p[i] >> 4];
		p[2 * i + 1] = digit[v->p[i] & 15];
	}
	return (pp_str){p, 2 * v->n};
}

static uint32_t
big32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	    (uint32_t)p[2] << 8 | p[3];
}

/*
 * DATE and TIMESTAMP: century and year each plus 100, month, day, hour,
 * minute and second each plus 1 where they count from 0; then nanoseconds;
 * then the zone's hours plus 20 and minutes plus 60, the time being UTC.
 */
static bool
as_time(struct pp_arena *to, const struct bytes *v, pp_str *out)
{
	const unsigned char *p = v->p;
	char buf[64];
	int n;

	if (v->n < 7)
		return false;
	n = snprintf(buf, sizeof(buf), "%02d%02d-%02d-%02d %02d:%02d:%02d",
	    p[0] - 100, p[1] - 100, p[2], p[3], p[4] - 1, p[5] - 1, p[6] - 1);
	if (v->n >= 11)
		n += snprintf(buf + n, sizeof(buf) - (size_t)n, ".%09u",
		    (unsigned)big32(p + 7) % 1000000000u);
	if (v->n >= 13)
		n += snprintf(buf + n, sizeof(buf) - (size_t)n,
		    " UTC, zone %+03d:%02d", p[11] - 20,
		    p[12] < 60 ? 60 - p[12] : p[12] - 60);
	*out = copy(to, buf, n);
	return true;
}

/* Intervals: big-endian numbers plus 2^31, small fields plus 60. */
static bool
as_interval(struct pp_arena *to, unsigned dty, const struct bytes *v,
    pp_str *out)
{
	const unsigned char *p = v->p;
	int64_t major;
	char buf[64];
	int n;

	if (v->n < (dty == 182 ? 5u : 11u))
		return false;
	major = (int64_t)big32(p) - INT64_C(0x80000000);
	if (dty == 182)
		n = snprintf(buf, sizeof(buf), "%+03d-%02d", (int)major,
		    p[4] < 60 ? 60 - p[4] : p[4] - 60);
	else {
		int64_t ns = (int64_t)big32(p + 7) - INT64_C(0x80000000);
		int h = p[4] - 60, m = p[5] - 60, s = p[6] - 60;
		bool neg = major < 0 || h < 0 || m < 0 || s < 0 || ns < 0;

		n = snprintf(buf, sizeof(buf), "%c%02d %02d:%02d:%02d.%09d",
		    neg ? '-' : '+', (int)(major < 0 ? -major : major),
		    h < 0 ? -h : h, m < 0 ? -m : m, s < 0 ? -s : s,
		    (int)(ns < 0 ? -ns : ns) % 1000000000);
	}
	*out = copy(to, buf, n);
	return true;
}

/*
 * NUMBER: an exponent of 100 plus 193 (below 128: complemented, negative),
 * then digits of base 100 plus 1 (negative: 101 less them, 102 at the end).
 */
static bool
as_number(struct pp_arena *to, const struct bytes *v, pp_str *out)
{
	char digits[64], buf[400];
	size_t i, n = 0, w = 0;
	int exponent, point;
	bool neg;

	if (v->n == 0 || v->n > 22)
		return false;
	neg = v->p[0] < 128;
	exponent = neg ? 62 - v->p[0] : v->p[0] - 193;
	if (v->p[0] == 128) {
		*out = PP_STR("0");
		return true;
	}
	for (i = 1; i < v->n; i++) {
		int d = neg ? 101 - v->p[i] : v->p[i] - 1;

		if (neg && v->p[i] == 102)
			break;
		if (d < 0 || d > 99)
			return false;
		digits[n++] = (char)('0' + d / 10);
		digits[n++] = (char)('0' + d % 10);
	}
	point = 2 * (exponent + 1);
	if (point > 130 || point < -130)
		return false;
	if (neg)
		buf[w++] = '-';
	if (point <= 0)
		buf[w++] = '0';
	for (i = 0; (int)i < point || i < n; i++) {
		if (i == 0 && point <= 0) {
			buf[w++] = '.';
			for (int k = point; k < 0; k++)
				buf[w++] = '0';
		} else if ((int)i == point)
			buf[w++] = '.';
		if (!(i == 0 && n > 0 && digits[0] == '0' && point > 1))
			buf[w++] = i < n ? digits[i] : '0';
	}
	if (memchr(buf, '.', w) != NULL)
		while (buf[w - 1] == '0')
			w--;
	if (buf[w - 1] == '.')
		w--;
	*out = copy(to, buf, (int)w);
	return true;
}

/* "8/22/2016 11:8:57" as 2016-08-22 11:08:57. */
static bool
printed_date(struct pp_arena *to, pp_str s, pp_str *out)
{
	uint64_t f[6] = {0};
	size_t i = 0, k, from;
	char buf[48];
	int n;

	for (k = 0; k < 6; k++) {
		from = i;
		while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
			i++;
		if (!pp_u64_parse((pp_str){s.p + from, i - from}, &f[k]) ||
		    f[k] > 9999)
			return false;
		if (k < 5 && (i >= s.n || s.p[i++] != "//  ::"[k == 2 ? 2 : k
		    > 2 ? k + 1 : k]))
			return false;
	}
	if (i != s.n || f[0] > 12 || f[1] > 31)
		return false;
	n = snprintf(buf, sizeof(buf), "%04u-%02u-%02u %02u:%02u:%02u",
	    (unsigned)f[2], (unsigned)f[0], (unsigned)f[1], (unsigned)f[3],
	    (unsigned)f[4], (unsigned)f[5]);
	*out = copy(to, buf, n);
	return true;
}

/* ------------------------------------------------------- character sets */

static const char *
charset(unsigned csi)
{
	static const struct {
		unsigned id;
		const char *name;
	} sets[] = {
		{31, "ISO-8859-1"}, {32, "ISO-8859-2"}, {35, "ISO-8859-5"},
		{36, "ISO-8859-6"}, {37, "ISO-8859-7"}, {38, "ISO-8859-8"},
		{39, "ISO-8859-9"}, {46, "ISO-8859-15"}, {170, "CP1250"},
		{171, "CP1251"}, {174, "CP1253"}, {175, "CP1255"},
		{177, "CP1254"}, {178, "CP1252"}, {179, "CP1257"},
		{829, "EUC-JP"}, {830, "EUC-JP"}, {832, "CP932"},
		{838, "EUC-JP"}, {840, "EUC-KR"}, {846, "CP949"},
		{850, "GB2312"}, {852, "GBK"}, {854, "GB18030"},
		{865, "BIG5"}, {867, "CP950"}, {868, "BIG5-HKSCS"},
		{2000, "UTF-16BE"}, {2002, "UTF-16LE"},
	};
	size_t i;

	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		if (sets[i].id == csi)
			return sets[i].name;
	return NULL;
}

static bool
is_ascii(pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] >= 0x80)
			return false;
	return true;
}

/* s in UTF-8; as it is where its set is not known or bytes do not fit. */
static pp_str
to_utf8(struct pp_arena *to, pp_str s, const char *set)
{
	iconv_t cd;
	char *in, *out, *at;
	size_t left = s.n, room = 4 * s.n + 4;

	if (set == NULL || s.n == 0)
		return s;
	cd = iconv_open("UTF-8", set);
	if (cd == (iconv_t)-1)
		return s;
	in = pp_arena_alloc(to, s.n);
	memcpy(in, s.p, s.n);
	out = at = pp_arena_alloc(to, room);
	if (iconv(cd, &in, &left, &at, &room) == (size_t)-1 && left > 3)
		at = NULL;
	iconv_close(cd);
	return at == NULL ? s : (pp_str){out, (size_t)(at - out)};
}

static pp_str
as_text(struct pp_arena *to, const struct pp_of_bind *b, pp_str s)
{
	const char *set = charset(b->csi);

	if (b->quoted && (b->csi >= 2000 || is_ascii(s)))
		return s;	/* printed in the database's own set */
	return to_utf8(to, s, set);
}

static bool
from_bytes(struct pp_arena *to, const struct pp_of_bind *b, pp_str *value)
{
	struct bytes v = read_bytes(to, b);

	switch (b->dty) {
	case 1:
	case 8:
	case 96:
		*value = as_text(to, b, (pp_str){(char *)v.p, v.n});
		return true;
	case 2:
		if (as_number(to, &v, value))
			return true;
		break;
	case 12:
	case 180:
	case 181:
	case 231:
		if (as_time(to, &v, value))
			return true;
		break;
	case 182:
	case 183:
		if (as_interval(to, b->dty, &v, value))
			return true;
		break;
	default:
		break;
	}
	*value = as_hex(to, &v);
	return true;
}

bool
pp_of_bind_value(struct pp_arena *to, const struct pp_of_bind *b,
    pp_str *value)
{
	bool hex_text = !b->quoted && b->frm == 2 && b->text.n > 0 &&
	    pp_of_dump_line(b->text);

	*value = PP_STR("");
	if (!b->has_value)
		return false;	/* NULL, or an OUT bind */
	if (b->quoted) {
		if (b->dty == 12 && printed_date(to, b->text, value))
			return true;
		*value = as_text(to, b, b->text);
		return true;
	}
	if (b->dump.n > 0 || hex_text)
		return from_bytes(to, b, value);
	*value = b->text;
	return b->text.n > 0 || b->avl > 0;
}
