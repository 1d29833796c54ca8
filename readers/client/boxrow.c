/*
 * boxrow.c: a row of a table with bars.
 *
 * The clients pad each cell to the width that the border shows, so a row is
 * read by counting display cells, whatever stands in it: bars, newlines,
 * borders.  Where a paste has lost its blanks the bars themselves must do;
 * then what is too many belongs to the last column, for that holds the free
 * text.
 */
#include "parse.h"

/* Cells are padded to this at most (MAX_COLUMN_LENGTH of the clients). */
#define PAD_MAX 1024

/* A row of free text is looked for this many times at most. */
#define TRIES_MAX 4096

/* Lines that one damaged row may take. */
#define JOIN_MAX 2000

struct count {
	struct pp_client *c;
	struct pp_cl_table *t;
	enum pp_cl_measure measure;
	unsigned tries;
	const char *next;
};

static bool
at_bar(const struct count *k, const char *p)
{
	pp_str bar = k->t->rule.bar;

	return (size_t)(k->c->e - p) >= bar.n &&
	    memcmp(p, bar.p, bar.n) == 0;
}

/* Is there enough to see whether " |" stands at p? */
static bool
enough(const struct count *k, const char *p)
{
	return k->c->last ||
	    (size_t)(k->c->e - p) > k->t->rule.bar.n;
}

static enum pp_cl_step cell_at(struct count *k, size_t col, const char *p);

/* Behind the bar at the end of column col - 1. */
static enum pp_cl_step
behind_bar(struct count *k, size_t col, const char *p)
{
	const char *e = k->c->e;

	if (col < k->t->rule.n)
		return cell_at(k, col, p);
	while (p < e && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	if (p == e) {
		k->next = p;
		return k->c->last ? PP_CL_GO : PP_CL_MORE;
	}
	k->next = p + 1;
	return *p == '\n' ? PP_CL_GO : PP_CL_OVER;
}

/* A cell that ends at p: the rest of the row. */
static enum pp_cl_step
ends_at(struct count *k, size_t col, const char *start, const char *p)
{
	if (!enough(k, p))
		return PP_CL_MORE;
	if (p == k->c->e || *p != ' ' || !at_bar(k, p + 1))
		return PP_CL_OVER;
	k->t->cell[col] = (pp_str){start, (size_t)(p - start)};
	k->t->missing[col] = false;
	return behind_bar(k, col + 1, p + 1 + k->t->rule.bar.n);
}

static inline const char *
step_over(struct count *k, const char *p, size_t *cells)
{
	size_t n = 1;

	if ((unsigned char)*p >= 0x80 || (*p == '\0' &&
	    k->measure == PP_CL_TERMINAL)) {
		*cells += pp_cl_width_char(k->measure, p, k->c->e, &n);
		return p + n;
	}
	/* the terminal's CR is no character of the cell */
	if (*p == '\r' && k->c->crlf && p + 1 < k->c->e && p[1] == '\n')
		return p + 1;
	(*cells)++;
	return p + 1;
}

/* A character of several bytes that the window cuts. */
static bool
cut_char(const struct count *k, const char *p)
{
	return !k->c->last && k->c->e - p < 4 && ((unsigned char)*p >= 0x80 ||
	    (*p == '\r' && k->c->e - p < 2));
}

/* Wider than the clients pad: any " |" may end it. */
static enum pp_cl_step
long_cell(struct count *k, size_t col, const char *start, const char *p)
{
	enum pp_cl_step r;

	for (;; p++) {
		p = p < k->c->e ? memchr(p, ' ', (size_t)(k->c->e - p)) :
		    NULL;
		if (p == NULL)
			return k->c->last ? PP_CL_OVER : PP_CL_MORE;
		if (!enough(k, p))
			return PP_CL_MORE;
		if (!at_bar(k, p + 1))
			continue;
		if (++k->tries > TRIES_MAX)
			return PP_CL_OVER;
		r = ends_at(k, col, start, p);
		if (r != PP_CL_OVER)
			return r;
	}
}

static enum pp_cl_step
cell_at(struct count *k, size_t col, const char *p)
{
	size_t w = k->t->rule.w[col], cells = 0;
	size_t want = w < PAD_MAX ? w : PAD_MAX;
	const char *e = k->c->e, *start;
	enum pp_cl_step r;

	if (p == e)
		return k->c->last ? PP_CL_OVER : PP_CL_MORE;
	if (*p != ' ')
		return PP_CL_OVER;
	start = ++p;
	while (cells < want && p < e) {
		if (cut_char(k, p))
			return PP_CL_MORE;
		p = step_over(k, p, &cells);
	}
	/* what takes no cell belongs to the character before it */
	while (p < e && ((unsigned char)*p >= 0x80 || *p == '\0')) {
		size_t zero = 0;
		const char *q;

		if (cut_char(k, p))
			return PP_CL_MORE;
		q = step_over(k, p, &zero);
		if (zero != 0)
			break;
		p = q;
	}
	if (cells < want)
		r = k->c->last ? PP_CL_OVER : PP_CL_MORE;
	else if (w > PAD_MAX)
		r = long_cell(k, col, start, p);
	else
		r = cells == want ? ends_at(k, col, start, p) : PP_CL_OVER;
	if (r != PP_CL_OVER)
		return r;
	/* a tee log leaves out what only the screen showed in hex: of the
	 * cell there is only the padding, if any */
	for (p = start; p < e && *p == ' ' && (size_t)(p - start) < want;)
		p++;
	if (p == start || !at_bar(k, p))
		return r;
	r = ends_at(k, col, start, p - 1);
	if (r == PP_CL_GO)
		k->t->missing[col] = true;
	return r;
}

enum pp_cl_step
pp_cl_count_row(struct pp_client *c, struct pp_cl_table *t, const char *p,
    const char **next)
{
	struct count k = {.c = c, .t = t};
	enum pp_cl_step r;
	unsigned i;

	t->joined = t->cut = false;
	for (i = 0; i <= PP_CL_MEASURES; i++) {
		k.measure = i == 0 ? c->measure :
		    (enum pp_cl_measure)(i - 1);
		if (i != 0 && k.measure == c->measure)
			continue;
		k.tries = 0;
		if (!at_bar(&k, p))
			return PP_CL_OVER;
		r = behind_bar(&k, 0, p + t->rule.bar.n);
		if (r == PP_CL_MORE)
			return r;
		if (r == PP_CL_GO) {
			c->measure = k.measure;
			*next = k.next;
			return r;
		}
	}
	return PP_CL_OVER;
}

pp_str
pp_cl_unpad(pp_str s)
{
	pp_str t = s, u;

	while (t.n > 0 && t.p[t.n - 1] == ' ')
		t.n--;
	if (t.n != s.n || t.n == 0 || t.p[0] != ' ')
		return t;
	for (u = t; u.n > 0 && u.p[0] == ' ';)
		u = pp_str_skip(u, 1);
	return pp_cl_number(u) || pp_str_eq(u, PP_STR("NULL")) ? u : t;
}

/* ------------------------------------------------------------- by the bars */

size_t
pp_cl_bars(pp_str s, pp_str bar)
{
	size_t n = 0, at;

	while ((at = pp_str_find(s, bar)) < s.n) {
		n++;
		s = pp_str_skip(s, at + bar.n);
	}
	return n;
}

static bool
blank_at(pp_str s, size_t i)
{
	return i >= s.n || s.p[i] == ' ' || s.p[i] == '\t' ||
	    s.p[i] == '\n' || s.p[i] == '\r';
}

/*
 * Cells between bars; with `padded` only bars with blanks on both sides count.
 * What is too many goes to the last cell.  How many bars there are.
 */
static size_t
split(struct pp_cl_table *t, pp_str s, bool padded)
{
	pp_str bar = t->rule.bar;
	size_t i = 0, from = 0, n = 0, last = 0, at, bars = 0;

	for (i = 0; i < t->rule.n; i++) {
		t->cell[i] = (pp_str){s.p, 0};
		t->missing[i] = true;
	}
	for (i = 0; i < s.n; i = at + bar.n) {
		at = i + pp_str_find(pp_str_skip(s, i), bar);
		if (at >= s.n)
			break;
		if (padded && !((at == 0 || blank_at(s, at - 1)) &&
		    blank_at(s, at + bar.n)))
			continue;
		bars++;
		if (bars == 1 && at == 0) {
			from = bar.n;
			continue;
		}
		if (n < t->rule.n) {
			t->cell[n] = (pp_str){s.p + from, at - from};
			t->missing[n++] = false;
			if (n < t->rule.n)
				from = at + bar.n;
		}
		last = at;
	}
	if (n == t->rule.n && last > from)
		t->cell[n - 1] = (pp_str){s.p + from, last - from};
	else if (n < t->rule.n && !pp_cl_blank(pp_str_skip(s, from))) {
		/* the row breaks off in this cell */
		t->cell[n] = pp_str_skip(s, from);
		t->missing[n] = false;
		t->cut = true;
	}
	return bars;
}

/*
 * The lines of a row that its bars do not close: up to the line that does.
 */
static enum pp_cl_step
join(struct pp_client *c, struct pp_cl_table *t, const char *p, pp_str *row,
    const char **next)
{
	pp_str line, trimmed;
	const char *at = *next, *behind;
	size_t n;

	for (n = 0; n < JOIN_MAX; n++) {
		if (at == c->e)
			return c->last ? PP_CL_OVER : PP_CL_MORE;
		if (!pp_cl_line(c, at, &line, &behind))
			return PP_CL_MORE;
		if (pp_cl_rule_like(line) || pp_cl_ends_record(line) ||
		    pp_str_starts(line, t->rule.bar))
			return PP_CL_OVER;
		trimmed = pp_str_trim(line);
		*row = (pp_str){p, (size_t)(line.p + line.n - p)};
		if (pp_str_ends(trimmed, t->rule.bar) &&
		    pp_cl_bars(*row, t->rule.bar) >= t->rule.n + 1) {
			*next = behind;
			t->joined = true;
			return PP_CL_GO;
		}
		at = behind;
	}
	return PP_CL_OVER;
}

enum pp_cl_step
pp_cl_split_row(struct pp_client *c, struct pp_cl_table *t, const char *p,
    const char **next)
{
	pp_str line, row = {"", 0};
	size_t bars;

	t->joined = t->cut = false;
	if (!pp_cl_line(c, p, &line, next))
		return PP_CL_MORE;
	while (line.n > 0 && (*line.p == ' ' || *line.p == '\t'))
		line = pp_str_skip(line, 1);
	bars = pp_cl_bars(line, t->rule.bar);
	if (bars < t->rule.n + 1 &&
	    join(c, t, line.p, &row, next) == PP_CL_MORE)
		return PP_CL_MORE;
	if (t->joined) {
		line = row;
		bars = pp_cl_bars(line, t->rule.bar);
	}
	if (bars > t->rule.n + 1) {
		t->joined = true;
		if (split(t, line, true) == t->rule.n + 1)
			return PP_CL_GO;
		t->cut = false;
	}
	(void)split(t, line, false);
	return PP_CL_GO;
}
