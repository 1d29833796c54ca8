/*
 * dialect.c: see dialect.h.
 *
 * INTO OUTFILE escapes, by its ESCAPED BY: the escape character itself, the
 * first character of the two terminators, the enclosing character, and NUL as
 * escape and digit zero; NULL is escape and N.  With ESCAPED BY '"', which
 * people take for RFC 4180, quotes are doubled but NULL is "N, NUL is "0 and a
 * newline of a value has a quote in front.  With ESCAPED BY '' nothing is
 * escaped, not even quotes.  CSV of other programs doubles quotes.
 */
#include "dialect.h"

/* Records that are looked at. */
#define LOOK_RECORDS 2000
#define LOOK ((size_t)64 << 10)

static bool
at_mark(const char *p, const char *e, const struct pp_cl_mark *m)
{
	return m->n != 0 && (size_t)(e - p) >= m->n &&
	    memcmp(p, m->p, m->n) == 0;
}

static void
set_mark(struct pp_cl_mark *m, pp_str s)
{
	if (s.n > PP_CL_MARK_MAX)
		s.n = PP_CL_MARK_MAX;
	m->n = s.n;
	if (s.n != 0)
		memcpy(m->p, s.p, s.n);
}

/* ----------------------------------------------------------------- records */

/* Length of the line end at p; 0: none. */
static size_t
line_end(const struct pp_cl_dialect *d, const char *p, const char *e)
{
	if (d->any_line)
		return *p == '\n' ? 1 :
		    *p == '\r' && e - p > 1 && p[1] == '\n' ? 2 : 0;
	return at_mark(p, e, &d->lines) ? d->lines.n : 0;
}

struct pp_cl_raw *
pp_cl_record_add(struct pp_cl_record *r)
{
	struct pp_cl_raw *v;

	if (r->n == r->cap) {
		r->cap = r->cap ? r->cap * 2 : 64;
		v = pp_arena_alloc(r->arena, r->cap * sizeof(*v));
		if (r->n != 0)
			memcpy(v, r->v, r->n * sizeof(*v));
		r->v = v;
	}
	memset(&r->v[r->n], 0, sizeof(*r->v));
	return &r->v[r->n++];
}

/* Can the field end before p? */
static bool
ends(const struct pp_cl_dialect *d, const char *p, const char *e)
{
	return p == e || at_mark(p, e, &d->fields) || line_end(d, p, e) != 0;
}

/*
 * Behind a quoted field whose text begins at p; NULL: not all there.
 * `more`: other fields of the row have to follow.
 */
static const char *
quoted(const struct pp_cl_dialect *d, struct pp_cl_raw *f, const char *p,
    const char *e, bool last, bool more, unsigned *odd)
{
	const char *start = p;

	f->quoted = true;
	for (; p < e; p++) {
		if (d->escapes && d->escape != d->quote &&
		    *p == d->escape) {
			f->escaped = true;
			p++;
			continue;
		}
		if (*p != d->quote)
			continue;
		if (!last && e - p < (ptrdiff_t)(d->fields.n +
		    d->lines.n + 2))
			return NULL;
		if (d->escapes && d->escape == d->quote && p + 1 < e) {
			/* a newline of the value, not the end of the row:
			 * fields are missing */
			if (p[1] == d->quote || p[1] == '0' ||
			    (!d->rfc && more && line_end(d, p + 1, e) != 0)) {
				*odd += d->rfc && p[1] == '0';
				f->escaped = true;
				p++;
				continue;
			}
		}
		if (ends(d, p + 1, e)) {
			f->s = (pp_str){start, (size_t)(p - start)};
			return p + 1;
		}
		/* a quote inside: ESCAPED BY '' leaves it as it is */
		if (d->escapes)
			(*odd)++;
	}
	if (!last)
		return NULL;
	(*odd)++;
	if (p > e)
		p = e;
	f->s = (pp_str){start, (size_t)(p - start)};
	return p;
}

static const char *
bare(const struct pp_cl_dialect *d, struct pp_cl_raw *f, const char *p,
    const char *e, bool last)
{
	const char *start = p;
	char sep = d->fields.n != 0 ? d->fields.p[0] : '\n';
	char lf = d->any_line ? '\n' : d->lines.n != 0 ? d->lines.p[0] : '\n';

	for (; p < e; p++) {
		if (d->escapes && *p == d->escape && d->escape != d->quote) {
			f->escaped = true;
			p++;
			continue;
		}
		if (*p != sep && *p != lf && *p != '\r')
			continue;
		if (!last && e - p < (ptrdiff_t)(d->fields.n +
		    d->lines.n + 2))
			return NULL;
		if (ends(d, p, e)) {
			f->s = (pp_str){start, (size_t)(p - start)};
			return p;
		}
	}
	if (!last)
		return NULL;
	if (p > e)
		p = e;
	f->s = (pp_str){start, (size_t)(p - start)};
	return p;
}

bool
pp_cl_record_at(const struct pp_client *c, const struct pp_cl_dialect *d,
    const char *p, size_t columns, struct pp_cl_record *r, const char **next)
{
	const char *e = c->e;
	struct pp_cl_raw *f;
	size_t n;

	r->n = 0;
	r->odd = 0;
	r->cut = false;
	if (d->starting.n != 0) {
		if ((size_t)(e - p) < d->starting.n && !c->last)
			return false;
		if (at_mark(p, e, &d->starting))
			p += d->starting.n;
		else
			r->odd += 5;
	}
	for (;;) {
		f = pp_cl_record_add(r);
		if (p == e && !c->last)
			return false;
		if (d->quoted && p < e && *p == d->quote &&
		    !(d->escapes && d->escape == d->quote && e - p > 1 &&
		    p[1] == 'N' && ends(d, p + 2, e))) {
			p = quoted(d, f, p + 1, e, c->last, r->n < columns,
			    &r->odd);
		} else {
			f->null = d->quoted && p < e && *p == d->quote;
			p = bare(d, f, p, e, c->last);
		}
		if (p == NULL)
			return false;
		if (p == e) {
			r->cut = p[-1] != '\n';
			*next = p;
			return true;
		}
		n = line_end(d, p, e);
		if (n != 0 && !(at_mark(p, e, &d->fields) &&
		    d->fields.n > n)) {
			*next = p + n;
			return true;
		}
		p += d->fields.n;
	}
}

static size_t
unescape(const struct pp_cl_dialect *d, pp_str s, char *to)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++) {
		char ch = s.p[i];

		if (ch != d->escape || i + 1 == s.n) {
			to[n++] = ch;
			continue;
		}
		ch = s.p[++i];
		if (ch == '0')
			ch = '\0';
		else if (d->escape != '\\')
			;
		else if (ch == 'n')
			ch = '\n';
		else if (ch == 't')
			ch = '\t';
		else if (ch == 'r')
			ch = '\r';
		else if (ch == 'b')
			ch = '\b';
		else if (ch == 'Z')
			ch = '\032';
		to[n++] = ch;
	}
	return n;
}

pp_str
pp_cl_field_text(const struct pp_cl_dialect *d, const struct pp_cl_raw *f,
    struct pp_arena *a)
{
	char *to;

	if (!f->escaped)
		return f->s;
	to = pp_arena_alloc(a, f->s.n + 1);
	return (pp_str){to, unescape(d, f->s, to)};
}

/* --------------------------------------------------------------- detection */

bool
pp_cl_dialect_given(const struct pp_client *c)
{
	return c->opt.has_fields || c->opt.has_enclosed ||
	    c->opt.has_escaped || c->opt.has_lines || c->opt.has_starting;
}

static bool
alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/*
 * LINES STARTING BY: a word with punctuation that every row has in front;
 * rows of one line are enough to see it.
 */
static size_t
starting_of(const char *p, const char *e, size_t line)
{
	const char *q = p, *nl;
	size_t n = 0, rows = 0, same = 0;

	while (n < line && n < PP_CL_MARK_MAX && ((p[n] >= 'a' &&
	    p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') || p[n] == '_'))
		n++;
	while (n < line && n < PP_CL_MARK_MAX && (p[n] == ':' ||
	    p[n] == '>' || p[n] == '=' || p[n] == '#'))
		n++;
	if (n < 2 || alnum(p[n - 1]))
		return 0;
	while (q < e && rows < LOOK_RECORDS) {
		nl = memchr(q, '\n', (size_t)(e - q));
		if (nl == NULL)
			break;
		rows++;
		same += (size_t)(e - q) >= n && memcmp(p, q, n) == 0;
		q = nl + 1;
	}
	return same > 1 && same * 2 >= rows ? n : 0;
}

/* Between two quoted fields of the first line: the separator. */
static bool
quoted_separator(const char *p, const char *e, char q,
    struct pp_cl_mark *fields)
{
	const char *end = p + 1, *from, *to;

	while (end < e && *end != '\n' && !(*end == q && end[-1] != '\\'))
		end++;
	if (end == e || *end != q)
		return false;
	from = to = end + 1;
	while (to < e && to - from < 8 && *to != q && *to != '\n' &&
	    !alnum(*to) && *to != '\\')
		to++;
	if (to == from || to == e || *to == '\n' || *to == '\r')
		return false;
	set_mark(fields, (pp_str){from, (size_t)(to - from)});
	return true;
}

/* What stands between the last quote of the line and its end. */
static void
line_tail(const char *p, const char *nl, char q, struct pp_cl_mark *lines)
{
	const char *at = nl;

	while (at > p && at[-1] != q)
		at--;
	if (at > p && nl - at < PP_CL_MARK_MAX - 1)
		set_mark(lines, (pp_str){at, (size_t)(nl + 1 - at)});
}

struct score {
	size_t records, columns;
	unsigned odd;
	bool null_n;
};

/* Read a few records as if d were right. */
static struct score
measure(struct pp_client *c, const struct pp_cl_dialect *d)
{
	struct pp_cl_record r = {.arena = &c->row_mem};
	struct score s = {0, 0, 0, false};
	const char *p = c->p, *next;
	size_t i;

	while (p < c->e && s.records < LOOK_RECORDS &&
	    (size_t)(p - c->p) < LOOK) {
		if (!pp_cl_record_at(c, d, p, s.columns, &r, &next))
			break;
		/* a blank line ends a table, unless rows follow it */
		if (r.n == 1 && r.v[0].s.n == 0 && !r.v[0].quoted) {
			s.odd++;
			p = next;
			if (p == c->e || *p == '\n' || *p == '\r')
				break;
			continue;
		}
		/* a cut record says nothing of the dialect */
		if (r.cut && s.records != 0)
			break;
		if (s.columns == 0)
			s.columns = r.n;
		else if (r.n != s.columns)
			s.odd += 5;
		s.odd += r.odd;
		for (i = 0; i < r.n; i++) {
			pp_str f = r.v[i].s;

			if (!d->quoted && f.n > 1 && (f.p[0] == '"' ||
			    f.p[0] == '\'') && f.p[f.n - 1] == f.p[0])
				s.odd++;
			if (r.v[i].quoted || f.n != 2 || f.p[0] != '\\' ||
			    f.p[1] != 'N')
				continue;
			/* as text of a dialect without that escape */
			if (!d->escapes || d->escape != '\\')
				s.odd += 2;
			s.null_n = true;
		}
		s.records++;
		p = next;
	}
	return s;
}

/* Are backslashes in front of what INTO OUTFILE never escapes? */
static unsigned
idle_escapes(const char *p, const char *e, const struct pp_cl_dialect *d)
{
	unsigned n = 0;

	while (p < e && (p = memchr(p, '\\', (size_t)(e - p))) != NULL &&
	    p + 1 < e) {
		char x = p[1];

		if (x != '\\' && x != '0' && x != 'N' &&
		    !(d->quoted && x == d->quote) &&
		    !(d->fields.n != 0 && x == d->fields.p[0]) &&
		    x != '\n' && x != '\r' && x != d->lines.p[0])
			n++;
		p += 2;
	}
	return n;
}

/* Is the first record one of words, as names are? */
static bool
words(struct pp_client *c, const struct pp_cl_dialect *d)
{
	struct pp_cl_record r = {.arena = &c->row_mem};
	const char *next;
	size_t i;

	if (!pp_cl_record_at(c, d, c->p, 0, &r, &next))
		return false;
	for (i = 0; i < r.n; i++)
		if (!pp_cl_identifier(pp_str_trim(r.v[i].s)))
			return false;
	return true;
}

static void
consider(struct pp_client *c, const struct pp_cl_dialect *d, unsigned extra,
    struct score *best, struct pp_cl_dialect *to)
{
	struct score s = measure(c, d);

	pp_arena_reset(&c->row_mem);
	s.odd += extra;
	if (s.columns < 2 || s.records == 0)
		return;
	if (best->columns == 0 || s.odd < best->odd ||
	    (s.odd == best->odd && s.columns > best->columns)) {
		*best = s;
		*to = *d;
		to->null_n = s.null_n && d->escapes && d->escape == '\\';
	}
}

/* Try ways to escape with what is known of d. */
static void
try_escapes(struct pp_client *c, struct pp_cl_dialect d, struct score *best,
    struct pp_cl_dialect *to)
{
	const char *e = c->e - c->p > (ptrdiff_t)LOOK ? c->p + LOOK : c->e;

	if (c->opt.has_escaped) {
		d.escapes = c->opt.escaped.n != 0;
		d.escape = d.escapes ? c->opt.escaped.p[0] : '\0';
		consider(c, &d, 0, best, to);
		return;
	}
	if (d.quoted) {
		/* without a head it is rather a file of INTO OUTFILE */
		d.escapes = d.rfc = true;
		d.escape = d.quote;
		consider(c, &d, !words(c, &d), best, to);
		d.rfc = false;
		consider(c, &d, 1, best, to);
	}
	d.escapes = true;
	d.escape = '\\';
	consider(c, &d, idle_escapes(c->p, e, &d) + !d.quoted, best, to);
	d.escapes = false;
	consider(c, &d, d.quoted ? 2 : 0, best, to);
}

/* Does a field begin with the quote q somewhere: the first of the text or of
 * a line, or one behind a separator? */
static bool
opens_quote(const struct pp_client *c, const struct pp_cl_dialect *d, char q)
{
	const char *p = c->p + d->starting.n;
	size_t look = (size_t)(c->e - p) < LOOK ? (size_t)(c->e - p) : LOOK;
	char opened[PP_CL_MARK_MAX + 2];
	pp_str s = {p, look};

	if (look == 0)
		return false;
	memcpy(opened, d->fields.p, d->fields.n);
	opened[d->fields.n] = q;
	if (*p == q || pp_str_find(s, (pp_str){opened, d->fields.n + 1}) <
	    look)
		return true;
	opened[0] = '\n';
	memcpy(opened + 1, d->starting.p, d->starting.n);
	opened[d->starting.n + 1] = q;
	return d->starting.n + 2 <= sizeof(opened) &&
	    pp_str_find(s, (pp_str){opened, d->starting.n + 2}) < look;
}

static void
try_quotes(struct pp_client *c, struct pp_cl_dialect d, struct score *best,
    struct pp_cl_dialect *to)
{
	static const char quotes[] = "\"'";
	size_t i;

	if (c->opt.has_enclosed) {
		d.quoted = c->opt.enclosed.n != 0;
		d.quote = d.quoted ? c->opt.enclosed.p[0] : '\0';
		try_escapes(c, d, best, to);
		return;
	}
	for (i = 0; quotes[i] != '\0'; i++) {
		if (!opens_quote(c, &d, quotes[i]))
			continue;
		d.quoted = true;
		d.quote = quotes[i];
		try_escapes(c, d, best, to);
	}
	d.quoted = false;
	try_escapes(c, d, best, to);
}

static void
try_lines(struct pp_client *c, struct pp_cl_dialect d, struct score *best,
    struct pp_cl_dialect *to)
{
	const char *p = c->p + d.starting.n, *nl = p < c->e ?
	    memchr(p, '\n', (size_t)(c->e - p)) : NULL;

	if (c->opt.has_lines) {
		set_mark(&d.lines, c->opt.lines);
		try_quotes(c, d, best, to);
		return;
	}
	set_mark(&d.lines, nl != NULL && nl > p && nl[-1] == '\r' ?
	    PP_STR("\r\n") : PP_STR("\n"));
	try_quotes(c, d, best, to);
	if (nl != NULL && nl > p && nl[-1] == '\r') {
		d.any_line = true;
		try_quotes(c, d, best, to);
		d.any_line = false;
	}
	if (nl != NULL && (*p == '"' || *p == '\'')) {
		line_tail(p, nl, *p, &d.lines);
		if (d.lines.n > 2 || (d.lines.n == 2 && d.lines.p[0] != '\r'))
			try_quotes(c, d, best, to);
	}
}

/* Are the first fields names that somebody knows? */
static bool
known_head(struct pp_client *c, const struct pp_cl_dialect *d)
{
	struct pp_cl_record r = {.arena = &c->row_mem};
	const char *next;
	pp_str *names;
	size_t i;

	if (!pp_cl_record_at(c, d, c->p, 0, &r, &next))
		return false;
	names = pp_arena_alloc(&c->row_mem, r.n * sizeof(*names));
	for (i = 0; i < r.n; i++)
		names[i] = pp_str_trim(r.v[i].s);
	return pp_cl_known(c, PP_FORM_DELIM, names, r.n) > 0;
}

size_t
pp_cl_dialect_find(struct pp_client *c, struct pp_cl_dialect *d)
{
	static const char separators[] = ",;|\t";
	struct pp_cl_dialect x;
	struct score best = {0, 0, 0, false};
	const char *p = c->p, *nl;
	size_t i, line;

	memset(&x, 0, sizeof(x));
	memset(d, 0, sizeof(*d));
	nl = p < c->e ? memchr(p, '\n', (size_t)(c->e - p)) : NULL;
	line = (size_t)((nl != NULL ? nl : c->e) - p);
	if (c->opt.has_starting)
		set_mark(&x.starting, c->opt.starting);
	else
		set_mark(&x.starting, (pp_str){p,
		    starting_of(p, c->e, line)});
	if (x.starting.n > line)
		x.starting.n = 0;
	if (c->opt.has_fields) {
		set_mark(&x.fields, c->opt.fields);
		try_lines(c, x, &best, d);
		return best.columns;
	}
	p += x.starting.n;
	for (i = 0; separators[i] != '\0'; i++) {
		if (memchr(c->p, separators[i], line) == NULL)
			continue;
		set_mark(&x.fields, (pp_str){separators + i, 1});
		try_lines(c, x, &best, d);
	}
	if (p < c->e && (*p == '"' || *p == '\'') &&
	    quoted_separator(p, c->e, *p, &x.fields) && x.fields.n > 1)
		try_lines(c, x, &best, d);
	if (best.columns < 2)
		return 0;
	/* text with commas is no table: its lines have any number of them */
	if (!pp_cl_dialect_given(c) && best.odd > best.records / 4 + 2 &&
	    !known_head(c, d))
		return 0;
	return best.columns;
}
