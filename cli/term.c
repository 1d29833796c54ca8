/*
 * term.c: see term.h.
 *
 * setlocale is never called: it would change how libraries print numbers.
 * Whether a terminal shows UTF-8 is read from the names of the locale.
 */
#include "term.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PLAIN_WIDTH 80

static bool
says_utf8(const char *locale)
{
	return strstr(locale, "UTF-8") != NULL ||
	    strstr(locale, "utf-8") != NULL ||
	    strstr(locale, "utf8") != NULL || strstr(locale, "UTF8") != NULL;
}

/* The first of these that is set names the character set. */
static bool
terminal_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *v;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		v = getenv(names[i]);
		if (v != NULL && v[0] != '\0')
			return says_utf8(v);
	}
	return false;
}

static bool
terminal_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return (no == NULL || no[0] == '\0') && term != NULL &&
	    term[0] != '\0' && strcmp(term, "dumb") != 0;
}

void
pp_page_open_file(struct pp_page *p, FILE *to, uint32_t width)
{
	p->to = to;
	p->blanks = 0;
	p->width = width != 0 ? width : PLAIN_WIDTH;
	p->colour = false;
	p->utf8 = true;
}

void
pp_page_open(struct pp_page *p, uint32_t width)
{
	struct winsize size;

	pp_page_open_file(p, stdout, width);
	if (isatty(STDOUT_FILENO) == 1) {
		p->colour = terminal_colour();
		p->utf8 = terminal_utf8();
		if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
		    size.ws_col >= 40)
			p->width = size.ws_col;
	}
	if (width != 0)
		p->width = width;
}

void
pp_page_ink(struct pp_page *p, enum pp_ink ink)
{
	static const char *const code[PP_INK_COUNT] = {
		[PP_INK_PLAIN] = "0",
		[PP_INK_TITLE] = "1",
		[PP_INK_DIM] = "2",
		[PP_INK_GREEN] = "32",
		[PP_INK_BLUE] = "34",
		[PP_INK_YELLOW] = "33",
		[PP_INK_MAGENTA] = "35",
		[PP_INK_CYAN] = "36",
		[PP_INK_RED] = "31",
		[PP_INK_GREY] = "90",
	};

	if (p->colour)
		fprintf(p->to, "\033[%sm", code[ink]);
}

/* ----------------------------------------------------------------- text */

struct glyph {
	uint32_t code;		/* 0: no text */
	size_t bytes;
	unsigned columns;
};

/* The code point at s, which is not empty; `code` 0 when it is malformed. */
static struct glyph
decode(pp_str s)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = (unsigned char)s.p[0];
	struct glyph g = {0, 1, 1};
	size_t n, i;
	uint32_t v;

	if (c < 0x80) {
		g.code = c;
		return g;
	}
	n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	if (c < 0xc2 || c > 0xf4 || s.n < n)
		return g;
	v = c & (0xffu >> (n + 1));
	for (i = 1; i < n; i++) {
		if (((unsigned char)s.p[i] & 0xc0) != 0x80)
			return g;
		v = v << 6 | ((unsigned char)s.p[i] & 0x3f);
	}
	if (v < least[n] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
		return g;
	g.code = v;
	g.bytes = n;
	return g;
}

static bool
within(uint32_t c, const uint32_t (*range)[2], size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (c >= range[i][0] && c <= range[i][1])
			return true;
	return false;
}

/* East Asian wide characters and emoji take two columns. */
static bool
is_wide(uint32_t c)
{
	static const uint32_t range[][2] = {
		{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},
		{0xa960, 0xa97c}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
		{0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
		{0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
		{0x20000, 0x3fffd},
	};

	return c >= 0x1100 &&
	    within(c, range, sizeof(range) / sizeof(range[0]));
}

/*
 * What would change how a terminal shows the rest (controls, overrides of
 * direction) or takes no room is shown as no text.
 */
static bool
is_hidden(uint32_t c)
{
	static const uint32_t range[][2] = {
		{0x7f, 0x9f}, {0xad, 0xad}, {0x300, 0x36f}, {0x61c, 0x61c},
		{0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
		{0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb},
		{0xe0000, 0x10ffff},
	};

	return c >= 0x7f && within(c, range, sizeof(range) / sizeof(range[0]));
}

/* The next thing to show of s: a run of blanks is one. */
static struct glyph
next_glyph(struct pp_page *p, pp_str s)
{
	struct glyph g = decode(s);
	size_t n = 0;

	while (n < s.n && ((unsigned char)s.p[n] <= ' '))
		n++;
	if (n > 0)
		return (struct glyph){' ', n, 1};
	if (is_hidden(g.code) || (g.code >= 0x80 && !p->utf8))
		g.code = 0;
	else if (is_wide(g.code))
		g.columns = 2;
	return g;
}

size_t
pp_page_columns(struct pp_page *p, pp_str s)
{
	struct glyph g;
	size_t n = 0;

	for (; s.n > 0; s = pp_str_skip(s, g.bytes)) {
		g = next_glyph(p, s);
		n += g.columns;
	}
	return n;
}

static void
pay_blanks(struct pp_page *p)
{
	while (p->blanks > 0) {
		fputc(' ', p->to);
		p->blanks--;
	}
}

static void
put_glyph(struct pp_page *p, struct glyph g, const char *bytes)
{
	if (g.code == ' ') {
		p->blanks++;
		return;
	}
	pay_blanks(p);
	if (g.code == 0)
		fputc('?', p->to);
	else
		fwrite(bytes, 1, g.bytes, p->to);
}

size_t
pp_page_text(struct pp_page *p, pp_str s, size_t room)
{
	struct glyph g;
	size_t n = 0;
	pp_str rest;

	for (; s.n > 0; s = rest) {
		g = next_glyph(p, s);
		rest = pp_str_skip(s, g.bytes);
		/* the last column is for this, or for "there is more" */
		if (n + g.columns > room || (n + g.columns == room &&
		    rest.n > 0)) {
			if (n < room) {
				pp_page_repeat(p, p->utf8 ? "\u2026" : "~",
				    1);
				n++;
			}
			break;
		}
		put_glyph(p, g, s.p);
		n += g.columns;
	}
	return n;
}

size_t
pp_page_fit(struct pp_page *p, pp_str s, size_t room)
{
	size_t n = 0, columns = 0, blank = 0;
	struct glyph g;

	for (; n < s.n; n += g.bytes) {
		g = next_glyph(p, pp_str_skip(s, n));
		if (g.code == ' ')
			blank = n;
		columns += g.columns;
		if (columns > room)
			return blank > 0 ? blank : n > 0 ? n : g.bytes;
	}
	return s.n;
}

void
pp_page_blanks(struct pp_page *p, size_t n)
{
	p->blanks += n;
}

void
pp_page_repeat(struct pp_page *p, const char *glyph, size_t n)
{
	if (n > 0)
		pay_blanks(p);
	while (n-- > 0)
		fputs(glyph, p->to);
}

void
pp_page_end(struct pp_page *p)
{
	p->blanks = 0;
	fputc('\n', p->to);
}

/* A remark ends with what counts, behind names: cut it at its front. */
static void
print_remark(struct pp_page *p, pp_str s, size_t room)
{
	size_t n = pp_page_columns(p, s);
	struct glyph g;

	if (n > room) {
		pp_page_repeat(p, p->utf8 ? "\u2026" : "~", 1);
		for (room--; n > room; n -= g.columns) {
			g = next_glyph(p, s);
			s = pp_str_skip(s, g.bytes);
		}
	}
	pp_page_text(p, s, room);
}

void
pp_page_title(struct pp_page *p, const char *title, const char *remark)
{
	size_t n = strlen(title), m = pp_page_columns(p,
	    pp_str_from(remark)), used;

	/* title, blank, a rule of one column, blank, remark */
	if (n + 3 + m > p->width)
		m = p->width > n + 3 ? p->width - n - 3 : 0;
	used = n + 1 + (m ? m + 1 : 0);
	pp_page_end(p);
	pp_page_ink(p, PP_INK_TITLE);
	pp_page_repeat(p, title, 1);
	pp_page_ink(p, PP_INK_PLAIN);
	pp_page_ink(p, PP_INK_DIM);
	pp_page_repeat(p, " ", 1);
	pp_page_repeat(p, p->utf8 ? "\u2500" : "-",
	    p->width > used ? p->width - used : 1);
	if (m > 0) {
		pp_page_blanks(p, 1);
		print_remark(p, pp_str_from(remark), m);
	}
	pp_page_ink(p, PP_INK_PLAIN);
	pp_page_end(p);
}

void
pp_page_bar(struct pp_page *p, size_t eighths, size_t room)
{
	static const char *const part[] = {"", "\u258f", "\u258e", "\u258d",
	    "\u258c", "\u258b", "\u258a", "\u2589"};
	size_t full = eighths / 8, rest = eighths % 8;

	if (!p->utf8) {
		full += rest >= 4;
		rest = 0;
	}
	if (full > room)
		full = room;
	pp_page_repeat(p, p->utf8 ? "\u2588" : "#", full);
	if (rest > 0 && full < room) {
		pp_page_repeat(p, part[rest], 1);
		full++;
	}
	pp_page_blanks(p, room - full);
}

pp_str
pp_count_text(char *buf, uint64_t n)
{
	char digits[24];
	size_t m, i, at = 0;

	m = pp_dec_format(digits, (pp_i128)n, 0);
	for (i = 0; i < m; i++) {
		if (i > 0 && (m - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	return (pp_str){buf, at};
}
