/*
 * rule.c: the lines that make a table: +-----+, |---|, ┌───┐, --- ---.
 *
 * A border tells the width of every column: a column is as wide as its run of
 * dashes less the blank on either side.  Touches nothing.
 */
#include "parse.h"

/* A character of a border. */
enum part { NO_PART, DASH, JOINT };

/* U+2500..U+257F: box drawing. */
static enum part
box_part(const char *p, const char *e, size_t *n, bool *twofold)
{
	unsigned u;

	if (e - p < 3 || (unsigned char)p[0] != 0xe2 ||
	    ((unsigned char)p[1] != 0x94 && (unsigned char)p[1] != 0x95))
		return NO_PART;
	u = ((unsigned)(unsigned char)p[1] - 0x94u) * 64 +
	    ((unsigned char)p[2] & 0x3fu);
	*n = 3;
	*twofold = u == 0x50;
	/* light, heavy and double lines, and dashed ones */
	if (u == 0x00 || u == 0x01 || u == 0x50 || u == 0x04 || u == 0x08)
		return DASH;
	/* vertical lines are no part of a border */
	if (u == 0x02 || u == 0x03 || u == 0x51)
		return NO_PART;
	return JOINT;
}

static enum part
part(const char *p, const char *e, size_t *n, struct pp_cl_rule *r)
{
	enum part x;
	bool twofold = false;

	*n = 1;
	switch (*p) {
	case '=':
		r->grid = true;
		return DASH;
	case '-':
		return DASH;
	case ':':
		r->aligned = true;
		return DASH;
	case '+':
	case '|':
		return JOINT;
	default:
		x = box_part(p, e, n, &twofold);
		r->grid |= twofold;
		return x;
	}
}

static size_t
trimmed_end(pp_str s)
{
	while (s.n > 0 && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t' ||
	    s.p[s.n - 1] == '\r'))
		s.n--;
	return s.n;
}

/* The bar that goes with a joint or dash of box drawing. */
static pp_str
bar_of(const char *p)
{
	/* fancy_grid joins double lines to light bars */
	if (pp_str_starts((pp_str){p, 3}, PP_STR("\xe2\x95\x94")) ||
	    pp_str_starts((pp_str){p, 3}, PP_STR("\xe2\x95\xa0")) ||
	    pp_str_starts((pp_str){p, 3}, PP_STR("\xe2\x95\x9a")))
		return PP_STR("\xe2\x95\x91");
	return PP_STR("\xe2\x94\x82");
}

/* Runs of dashes with blanks between: "---  -----", "==  ===". */
static bool
ruler(pp_str s, struct pp_cl_rule *r, struct pp_arena *a)
{
	const char *p = s.p, *e = s.p + s.n;
	size_t n = 1, i = 0;
	char dash = *p;

	if (dash != '-' && dash != '=')
		return false;
	for (; p < e; p++) {
		if (*p == ' ') {
			if (p[-1] != ' ')
				n++;
		} else if (*p != dash) {
			return false;
		}
	}
	if (n < 2)
		return false;
	r->kind = PP_CL_RULE_RULER;
	r->grid = dash == '=';
	r->n = n;
	r->w = pp_arena_zalloc(a, n * sizeof(*r->w));
	for (p = s.p; p < e; p++) {
		if (*p != ' ')
			r->w[i]++;
		else if (p[-1] != ' ')
			i++;
	}
	return true;
}

/* Markdown as people write it: | --- | :-: | */
static bool
blanks_around(pp_str s, struct pp_cl_rule *r, struct pp_arena *a)
{
	const char *p = s.p, *e = s.p + s.n;
	size_t n = 0, dashes = 0;

	if (*p != '|')
		return false;
	for (p++; p < e; p++) {
		if (*p == '|') {
			if (dashes == 0)
				return false;
			n++;
			dashes = 0;
		} else if (*p == '-') {
			dashes++;
		} else if (*p != ' ' && *p != ':') {
			return false;
		}
	}
	if (dashes != 0)
		n++;
	if (n == 0)
		return false;
	r->kind = PP_CL_RULE_BAR;
	r->aligned = true;
	r->bar = PP_STR("|");
	r->n = n;
	r->w = pp_arena_zalloc(a, n * sizeof(*r->w));
	return true;
}

bool
pp_cl_rule_like(pp_str s)
{
	struct pp_cl_rule r = {.kind = PP_CL_RULE_NONE};
	const char *p = s.p, *e;
	size_t n;

	s.n = trimmed_end(s);
	e = s.p + s.n;
	if (s.n < 3)
		return false;
	for (; p < e; p += n)
		if (part(p, e, &n, &r) == NO_PART)
			return false;
	return true;
}

bool
pp_cl_is_rule(pp_str s, struct pp_cl_rule *r, struct pp_arena *a)
{
	const char *p, *e;
	size_t n, dashes = 0, joints = 0, cells = 0;
	enum part x = NO_PART, first;
	bool bars = false, last_joint;

	memset(r, 0, sizeof(*r));
	s.n = trimmed_end(s);
	e = s.p + s.n;
	if (s.n < 3)
		return false;
	if (*s.p == '-' || *s.p == '=') {
		if (ruler(s, r, a))
			return true;
		if (memchr(s.p, '+', s.n) == NULL)
			return false;
	}
	first = part(s.p, e, &n, r);
	for (p = s.p; p < e; p += n) {
		x = part(p, e, &n, r);
		if (x == NO_PART)
			return blanks_around(s, r, a);
		if (x == JOINT) {
			joints++;
			bars |= *p == '|';
		} else {
			dashes++;
		}
	}
	if (dashes == 0 || joints == 0 ||
	    (first == JOINT && joints < 2 && *s.p != '|'))
		return false;
	/* texy ends its lines without a bar; it is no table of widths */
	last_joint = x == JOINT;
	if (first == JOINT && !last_joint)
		return false;
	r->n = joints + 1 - (first == JOINT) - last_joint;
	r->w = pp_arena_zalloc(a, (r->n + 1) * sizeof(*r->w));
	r->kind = first == DASH ? PP_CL_RULE_OPEN :
	    bars ? PP_CL_RULE_BAR : PP_CL_RULE_BOX;
	r->bar = (unsigned char)*s.p == 0xe2 ? bar_of(s.p) : PP_STR("|");
	dashes = 0;
	for (p = s.p; p < e; p += n) {
		if (part(p, e, &n, r) == DASH) {
			dashes++;
			continue;
		}
		if (p != s.p || first == DASH)
			r->w[cells++] = dashes > 2 ? dashes - 2 : 0;
		dashes = 0;
	}
	if (!last_joint)
		r->w[cells++] = dashes > 2 ? dashes - 2 : 0;
	return cells == r->n;
}
