/*
 * batch_row.c: a row with TABs, and its cells without their escapes.
 */
#include "batch.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Is the byte at p behind an odd number of backslashes? */
static bool
escaped_at(const char *start, const char *p)
{
	const char *q = p;

	while (q > start && q[-1] == '\\')
		q--;
	return (p - q) & 1;
}

bool
pp_cl_batch_line(const struct pp_client *c, struct pp_cl_batch *b, const char *p,
    pp_str *line, const char **next)
{
	const char *from = p, *nl;

	b->several = false;
	for (;;) {
		nl = from < c->e ? memchr(from, '\n', (size_t)(c->e - from)) :
		    NULL;
		if (nl == NULL) {
			if (!c->last)
				return false;
			*line = (pp_str){p, (size_t)(c->e - p)};
			*next = c->e;
			break;
		}
		if (b->escaped && nl > p && nl[-1] == '\\' &&
		    escaped_at(p, nl)) {
			from = nl + 1;
			b->several = true;
			continue;
		}
		*line = (pp_str){p, (size_t)(nl - p)};
		*next = nl + 1;
		break;
	}
	if (line->n > 0 && line->p[line->n - 1] == '\r' && c->crlf)
		line->n--;
	return true;
}

static void
more_cells(struct pp_client *c, struct pp_cl_batch *b)
{
	void *v;

	b->cap = b->cap ? b->cap * 2 : 64;
	v = pp_arena_alloc(&c->form_mem, b->cap * sizeof(*b->cell));
	if (b->cells != 0)
		memcpy(v, b->cell, b->cells * sizeof(*b->cell));
	b->cell = v;
}

static inline void
add_cell(struct pp_client *c, struct pp_cl_batch *b, const char *p,
    const char *e)
{
	if (b->cells == b->cap)
		more_cells(c, b);
	b->cell[b->cells++] = (pp_str){p, (size_t)(e - p)};
}

/* Backslashes stand in the line: a TAB behind one may be text. */
static void
split_escaped(struct pp_client *c, struct pp_cl_batch *b, pp_str line)
{
	const char *p = line.p, *e = line.p + line.n, *tab, *from = p;

	for (;;) {
		tab = from < e ? memchr(from, '\t', (size_t)(e - from)) : NULL;
		if (tab != NULL && tab > p && tab[-1] == '\\' &&
		    escaped_at(p, tab)) {
			from = tab + 1;
			continue;
		}
		add_cell(c, b, p, tab != NULL ? tab : e);
		if (tab == NULL)
			return;
		p = from = tab + 1;
	}
}

void
pp_cl_batch_split(struct pp_client *c, struct pp_cl_batch *b, pp_str line)
{
	const char *p = line.p, *e = line.p + line.n, *at = p;

	b->cells = 0;
	b->slashes = line.n != 0 && memchr(p, '\\', line.n) != NULL;
	if (b->escaped && b->slashes) {
		split_escaped(c, b, line);
		return;
	}
#if defined(__SSE2__)
	/* cells are short: looking at 16 bytes at a time takes half the time
	 * of a call for each */
	for (; e - at >= 16; at += 16) {
		unsigned m = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(
		    _mm_loadu_si128((const __m128i *)(const void *)at),
		    _mm_set1_epi8('\t')));

		for (; m != 0; m &= m - 1) {
			const char *tab = at + __builtin_ctz(m);

			add_cell(c, b, p, tab);
			p = tab + 1;
		}
	}
#endif
	for (; at < e; at++) {
		if (*at == '\t') {
			add_cell(c, b, p, at);
			p = at + 1;
		}
	}
	add_cell(c, b, p, e);
}

/* ------------------------------------------------------------------- cells */

static pp_str
unescape(struct pp_client *c, const struct pp_cl_batch *b, pp_str s)
{
	const char *p = s.p, *e = s.p + s.n, *q;
	char *to = pp_arena_alloc(&c->row_mem, s.n);
	size_t n = 0;

	while (p < e) {
		q = memchr(p, '\\', (size_t)(e - p));
		if (q == NULL)
			q = e;
		memcpy(to + n, p, (size_t)(q - p));
		n += (size_t)(q - p);
		p = q;
		if (p == e)
			break;
		if (p + 1 == e) {
			to[n++] = *p++;
			continue;
		}
		switch (p[1]) {
		case 'n':
			to[n++] = '\n';
			break;
		case 't':
			to[n++] = '\t';
			break;
		case '0':
			to[n++] = '\0';
			break;
		case '\\':
			to[n++] = '\\';
			break;
		case '\t':
		case '\n':
			to[n++] = p[1];
			break;
		case 'r':
			if (b->exports) {
				/* COPY of PostgreSQL */
				to[n++] = '\r';
				break;
			}
			/* fallthrough */
		default:
			to[n++] = '\\';
			to[n++] = p[1];
			break;
		}
		p += 2;
	}
	return (pp_str){to, n};
}

void
pp_cl_batch_cell(struct pp_client *c, struct pp_cl_batch *b, pp_str s)
{
	if (!b->slashes) {
		if (b->exports)
			pp_cl_cell(c, s, PP_CELL_TEXT);
		else
			pp_cl_plain_cell(c, s);
		return;
	}
	if (s.n == 2 && s.p[0] == '\\' && s.p[1] == 'N' && b->escaped) {
		b->exports = true;
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
		return;
	}
	if (s.n != 0 && memchr(s.p, '\\', s.n) != NULL)
		s = unescape(c, b, s);
	if (b->exports)
		pp_cl_cell(c, s, PP_CELL_TEXT);
	else
		pp_cl_plain_cell(c, s);
}

bool
pp_cl_batch_unescaped(pp_str s, bool *exports)
{
	const char *p = s.p, *e = s.p + s.n;

	while (p < e && (p = memchr(p, '\\', (size_t)(e - p))) != NULL) {
		if (p + 1 >= e)
			break;
		switch (p[1]) {
		case 'n':
		case 't':
		case '0':
		case '\\':
		case '\t':
		case '\n':
		case 'r':
			break;
		case 'N':
			if ((p > s.p && p[-1] != '\t' && p[-1] != '\n') ||
			    (p + 2 < e && p[2] != '\t' && p[2] != '\n' &&
			    p[2] != '\r'))
				return true;
			*exports = true;
			break;
		default:
			return true;
		}
		p += 2;
	}
	return false;
}
