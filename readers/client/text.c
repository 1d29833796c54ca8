/*
 * text.c: the window: bytes of the file as text, with their places.
 *
 * A file in UTF-8, or in an encoding that nobody named, is its own text: the
 * window is the piece that was fed, and only what a parser has left of it is
 * copied, in front of the next piece.  Else text is made line by line
 * (decoded, without the prefix that a paste put before each line), and a list
 * tells from where each line came.
 */
#include "charset.h"
#include "parse.h"

/* So many bytes decide about the encoding. */
#define HEAD ((size_t)64 << 10)

#define LITERAL_MAX 64

/* Each new prefix costs a pass over the window. */
#define STRIPS_MAX 100

struct origin {
	uint64_t line, offset;
};

enum prefix { PREFIX_NONE, PREFIX_LITERAL, PREFIX_NUMBER };

struct pp_cl_text {
	struct pp_cl_charset cs;
	struct pp_cl_decoder *decoder;
	bool begun;		/* the encoding is decided */
	bool mapped;		/* text is made line by line */
	bool inside;		/* the window lies in buf */
	uint64_t offset;	/* of p, where text is the file's bytes */

	char *buf;
	size_t n, cap;

	/* bytes that are no text yet, those before `seen` without line end */
	char *raw;
	size_t nraw, raw_cap, seen;
	uint64_t raw_offset, raw_line;

	struct origin *from;	/* of the window's lines */
	size_t nfrom, from_cap, at;	/* at: the line of p */

	enum prefix prefix;
	char literal[LITERAL_MAX];
	size_t nliteral;
	char mark;		/* behind the number; 0: none */
	bool blanks;		/* no-break spaces become blanks */
	bool bad_told;
};

struct pp_cl_text *
pp_cl_text_open(struct pp_client *c)
{
	struct pp_cl_text *t = pp_mem_zalloc(c->mem, sizeof(*t));

	t->raw_line = 1;
	return t;
}

void
pp_cl_text_close(struct pp_client *c)
{
	struct pp_cl_text *t = c->text;

	if (t->decoder != NULL)
		pp_cl_decoder_close(t->decoder);
	pp_mem_free(c->mem, t->buf);
	pp_mem_free(c->mem, t->raw);
	pp_mem_free(c->mem, t->from);
	pp_mem_free(c->mem, t);
}

static void
append(struct pp_client *c, char **v, size_t *n, size_t *cap, pp_str s)
{
	void *p = *v;

	pp_mem_grow(c->mem, &p, cap, *n + s.n + 1, 1);
	*v = p;
	if (s.n != 0)
		memcpy(*v + *n, s.p, s.n);
	*n += s.n;
}

/* --------------------------------------------------------------- prefixes */

/* Length of "12. " at the head of s, 0 where there is none. */
static size_t
number_prefix(pp_str s, char *mark)
{
	size_t i = 0, from;

	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
		i++;
	from = i;
	while (i < s.n && i - from < 9 && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	if (i == from)
		return 0;
	*mark = '\0';
	if (i < s.n && (s.p[i] == '.' || s.p[i] == ')' || s.p[i] == ':'))
		*mark = s.p[i++];
	from = i;
	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
		i++;
	if (i == from && i < s.n && s.p[i] != '\r' && s.p[i] != '\n')
		return 0;
	return i;
}

static bool
structural(pp_str s)
{
	return s.n > 0 && (s.p[0] == '|' || s.p[0] == '+' || s.p[0] == '*');
}

/* The line without the prefix; false: it is left out as a whole. */
static bool
without_prefix(const struct pp_cl_text *t, pp_str *s)
{
	pp_str trimmed, line = *s;
	size_t n;
	char mark;

	if (t->prefix == PREFIX_LITERAL) {
		pp_str lit = {t->literal, t->nliteral};

		if (pp_str_starts(*s, lit)) {
			*s = pp_str_skip(*s, lit.n);
			return true;
		}
		/* "--" alone, where the prefix is "-- " */
		while (line.n > 0 && (line.p[line.n - 1] == '\n' ||
		    line.p[line.n - 1] == '\r'))
			line.n--;
		if (line.n != 0 && pp_str_eq(pp_str_trim(line),
		    pp_str_trim(lit)))
			*s = pp_str_skip(*s, line.n);
		return true;
	}
	n = number_prefix(*s, &mark);
	if (n != 0 && mark == t->mark &&
	    (mark != '\0' || structural(pp_str_skip(*s, n)))) {
		*s = pp_str_skip(*s, n);
		return true;
	}
	/* numbered lines often stand apart, with nothing between them */
	while (line.n > 0 && line.p[line.n - 1] == '\n')
		line.n--;
	trimmed = pp_str_trim(line);
	return trimmed.n != 0;
}

/* ------------------------------------------------------------------ lines */

/* The text without no-break spaces; *made is to be freed. */
static pp_str
plain_blanks(struct pp_client *c, pp_str s, char **made)
{
	size_t i, n = 0;
	char *to;

	if (pp_str_find(s, PP_STR("\xc2\xa0")) == s.n)
		return s;
	*made = to = pp_mem_alloc(c->mem, s.n);
	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '\xc2' && i + 1 < s.n && s.p[i + 1] == '\xa0') {
			to[n++] = ' ';
			i++;
		} else {
			to[n++] = s.p[i];
		}
	}
	return (pp_str){to, n};
}

static void
add_line(struct pp_client *c, struct origin from, pp_str text)
{
	struct pp_cl_text *t = c->text;
	void *v = t->from;
	char *made = NULL;

	if (t->blanks)
		text = plain_blanks(c, text, &made);
	if (t->prefix != PREFIX_NONE && !without_prefix(t, &text)) {
		pp_mem_free(c->mem, made);
		return;
	}
	pp_mem_grow(c->mem, &v, &t->from_cap, t->nfrom + 1, sizeof(*t->from));
	t->from = v;
	t->from[t->nfrom++] = from;
	append(c, &t->buf, &t->n, &t->cap, text);
	pp_mem_free(c->mem, made);
}

/* A line of the file to text. */
static void
make_line(struct pp_client *c, pp_str bytes)
{
	struct pp_cl_text *t = c->text;
	struct origin from = {t->raw_line, t->raw_offset};
	size_t bad;
	char *made = NULL;
	size_t n = 0, cap = 0;

	if (t->prefix == PREFIX_NONE && !t->blanks) {
		add_line(c, from, (pp_str){"", 0});
		bad = pp_cl_decode(t->decoder, bytes, &t->buf, &t->n, &t->cap);
	} else {
		bad = pp_cl_decode(t->decoder, bytes, &made, &n, &cap);
		add_line(c, from, (pp_str){made, n});
		pp_mem_free(c->mem, made);
	}
	if (bad != 0 && !t->bad_told) {
		t->bad_told = true;
		c->sink.problem(c->sink.ctx, PP_MSG_CHARSET, from.line,
		    from.offset, PP_STR("bytes that are no character of the "
		    "file's encoding"));
	}
}

static void
make_lines(struct pp_client *c, bool last)
{
	struct pp_cl_text *t = c->text;
	size_t at = 0, unit, end;

	for (;;) {
		pp_str rest = {t->raw + at, t->nraw - at};
		size_t from = t->seen > at ? t->seen - at : 0;

		end = from + pp_cl_line_end(&t->cs, pp_str_skip(rest, from),
		    &unit);
		if (end >= rest.n) {
			/* an odd byte at the end is looked at again */
			t->seen = t->nraw - t->nraw % unit;
			if (!last || rest.n == 0)
				break;
			end = rest.n;
			unit = 0;
		}
		make_line(c, (pp_str){rest.p, end + unit});
		at += end + unit;
		t->raw_line++;
		t->raw_offset += end + unit;
	}
	if (at == 0)
		return;
	t->seen -= t->seen > at ? at : t->seen;
	t->nraw -= at;
	if (t->nraw != 0)
		memmove(t->raw, t->raw + at, t->nraw);
}

/* ------------------------------------------------------------------- feed */

/* Do nearly all lines end in CR LF? */
static bool
has_crlf(pp_str s)
{
	const char *p = s.p, *e = s.p + s.n;
	size_t lf = 0, crlf = 0;

	while (p < e && (p = memchr(p, '\n', (size_t)(e - p))) != NULL) {
		lf++;
		crlf += p > s.p && p[-1] == '\r';
		p++;
	}
	return crlf > 0 && crlf * 10 >= lf * 9;
}

static void
begin(struct pp_client *c, pp_str head)
{
	struct pp_cl_text *t = c->text;
	bool ascii;

	t->begun = true;
	pp_cl_charset_find((pp_str){head.p, head.n < HEAD ? head.n : HEAD},
	    c->opt.charset, &t->cs);
	t->raw_offset = t->offset = t->cs.skip;
	t->mapped = t->cs.how != PP_CL_HOW_SAME;
	c->utf8 = t->mapped || t->cs.known;
	if (!c->utf8)
		c->utf8 = pp_cl_is_utf8(head, &ascii);
	if (t->mapped)
		t->decoder = pp_cl_decoder_open(c->mem, &t->cs);
}

static void
set_window(struct pp_client *c, const char *p, size_t n)
{
	c->p = p;
	c->e = p + n;
}

/* The window grows by text that is the file's own. */
static void
feed_same(struct pp_client *c, pp_str bytes)
{
	struct pp_cl_text *t = c->text;

	if (t->n == 0) {
		t->inside = false;
		set_window(c, bytes.p, bytes.n);
		return;
	}
	append(c, &t->buf, &t->n, &t->cap, bytes);
	t->inside = true;
	set_window(c, t->buf, t->n);
}

void
pp_cl_text_feed(struct pp_client *c, pp_str bytes, uint64_t offset, bool last)
{
	struct pp_cl_text *t = c->text;

	(void)offset;
	c->last = false;
	if (!t->begun) {
		if (t->nraw + bytes.n < HEAD && !last) {
			append(c, &t->raw, &t->nraw, &t->raw_cap, bytes);
			set_window(c, "", 0);
			return;
		}
		if (t->nraw != 0) {
			append(c, &t->raw, &t->nraw, &t->raw_cap, bytes);
			bytes = (pp_str){t->raw, t->nraw};
		}
		begin(c, bytes);
		bytes = pp_str_skip(bytes, t->cs.skip);
		if (t->mapped) {
			char *was = t->raw;

			t->raw = NULL;
			t->nraw = t->raw_cap = 0;
			append(c, &t->raw, &t->nraw, &t->raw_cap, bytes);
			pp_mem_free(c->mem, was);
			bytes.n = 0;
		}
	} else if (t->mapped) {
		append(c, &t->raw, &t->nraw, &t->raw_cap, bytes);
	}
	if (t->mapped) {
		bool first = t->nfrom == 0 && t->at == 0 && c->fresh;

		make_lines(c, last);
		t->inside = true;
		set_window(c, t->buf != NULL ? t->buf : "", t->n);
		if (first)
			c->crlf = has_crlf((pp_str){c->p,
			    (size_t)(c->e - c->p)});
	} else {
		if (c->fresh && t->n == 0)
			c->crlf = has_crlf(bytes.n > HEAD ?
			    (pp_str){bytes.p, HEAD} : bytes);
		feed_same(c, bytes);
	}
	c->last = last;
}

void
pp_cl_text_keep(struct pp_client *c)
{
	struct pp_cl_text *t = c->text;
	size_t left = (size_t)(c->e - c->p);

	if (!t->begun)
		return;
	if (t->mapped) {
		t->nfrom -= t->at;
		if (t->at != 0 && t->nfrom != 0)
			memmove(t->from, t->from + t->at,
			    t->nfrom * sizeof(*t->from));
		t->at = 0;
	}
	if (t->inside) {
		if (left != 0 && c->p != t->buf)
			memmove(t->buf, c->p, left);
		t->n = left;
	} else {
		t->n = 0;
		append(c, &t->buf, &t->n, &t->cap,
		    (pp_str){c->p, left});
		t->inside = true;
	}
	set_window(c, t->buf != NULL ? t->buf : "", left);
	/* what was raw at the beginning is used up */
	if (!t->mapped && t->nraw != 0) {
		pp_mem_free(c->mem, t->raw);
		t->raw = NULL;
		t->nraw = t->raw_cap = 0;
	}
}

/* ----------------------------------------------------------------- places */

static size_t
count_lines(const char *p, const char *e)
{
	size_t n = 0;

	while (p < e && (p = memchr(p, '\n', (size_t)(e - p))) != NULL) {
		n++;
		p++;
	}
	return n;
}

uint64_t
pp_cl_offset(const struct pp_client *c, const char *at)
{
	const struct pp_cl_text *t = c->text;
	size_t i;

	if (!t->mapped)
		return t->offset + (uint64_t)(at - c->p);
	i = t->at + count_lines(c->p, at);
	return i < t->nfrom ? t->from[i].offset : t->raw_offset;
}

uint64_t
pp_cl_line_at(const struct pp_client *c, const char *at)
{
	const struct pp_cl_text *t = c->text;
	size_t i = count_lines(c->p, at);

	if (!t->mapped)
		return c->line + i;
	i += t->at;
	return i < t->nfrom ? t->from[i].line : t->raw_line;
}

void
pp_cl_take(struct pp_client *c, const char *to)
{
	struct pp_cl_text *t = c->text;

	if (to == c->p)
		return;
	if (t->mapped) {
		t->at += count_lines(c->p, to);
		c->line = t->at < t->nfrom ? t->from[t->at].line :
		    t->raw_line;
	} else {
		c->line += count_lines(c->p, to);
		t->offset += (uint64_t)(to - c->p);
	}
	c->taken += (uint64_t)(to - c->p);
	c->p = to;
	c->fresh = false;
}

/* Bytes of one line that is known to end at `to`: nothing to count. */
void
pp_cl_take_line(struct pp_client *c, const char *to)
{
	struct pp_cl_text *t = c->text;

	if (t->mapped) {
		pp_cl_take(c, to);
		return;
	}
	c->line++;
	t->offset += (uint64_t)(to - c->p);
	c->taken += (uint64_t)(to - c->p);
	c->p = to;
	c->fresh = false;
}

/* The window's text is made again, without the new prefix. */
static void
strip_window(struct pp_client *c)
{
	struct pp_cl_text *t = c->text;
	struct origin *from = t->from;
	size_t nfrom = t->nfrom, i = t->at;
	char *was = t->buf;
	const char *p = c->p, *e = c->e, *nl;

	t->from = NULL;
	t->nfrom = t->from_cap = t->at = 0;
	t->buf = NULL;
	t->n = t->cap = 0;
	for (; p < e && i < nfrom; p = nl, i++) {
		nl = memchr(p, '\n', (size_t)(e - p));
		nl = nl != NULL ? nl + 1 : e;
		add_line(c, from[i], (pp_str){p, (size_t)(nl - p)});
	}
	pp_mem_free(c->mem, was);
	pp_mem_free(c->mem, from);
	set_window(c, t->buf != NULL ? t->buf : "", t->n);
	c->line = t->nfrom != 0 ? t->from[0].line : t->raw_line;
}

/* From here on text is made line by line. */
static void
begin_lines(struct pp_client *c)
{
	struct pp_cl_text *t = c->text;
	char *raw = NULL;
	size_t n = 0, cap = 0;

	append(c, &raw, &n, &cap, (pp_str){c->p, (size_t)(c->e - c->p)});
	pp_mem_free(c->mem, t->raw);
	t->raw = raw;
	t->nraw = n;
	t->raw_cap = cap;
	t->seen = 0;
	t->raw_offset = t->offset;
	t->raw_line = c->line;
	t->n = 0;
	t->at = t->nfrom = 0;
	t->mapped = true;
	t->inside = true;
	t->decoder = pp_cl_decoder_open(c->mem, &t->cs);
}

/* The text from here on by the filters that are set now. */
static void
make_again(struct pp_client *c)
{
	struct pp_cl_text *t = c->text;

	if (t->mapped) {
		strip_window(c);
		return;
	}
	begin_lines(c);
	make_lines(c, c->last);
	set_window(c, t->buf != NULL ? t->buf : "", t->n);
	c->line = t->nfrom != 0 ? t->from[0].line : t->raw_line;
}

bool
pp_cl_strip(struct pp_client *c, pp_str shape)
{
	struct pp_cl_text *t = c->text;
	size_t n;
	char mark;

	if (shape.n == 0 || shape.n > LITERAL_MAX ||
	    c->strips == STRIPS_MAX)
		return false;
	c->strips++;
	n = number_prefix(shape, &mark);
	if (n == shape.n) {
		t->prefix = PREFIX_NUMBER;
		t->mark = mark;
	} else {
		t->prefix = PREFIX_LITERAL;
		memcpy(t->literal, shape.p, shape.n);
		t->nliteral = shape.n;
	}
	make_again(c);
	return true;
}

bool
pp_cl_plain_blanks(struct pp_client *c)
{
	if (c->text->blanks)
		return false;
	c->text->blanks = true;
	make_again(c);
	return true;
}
