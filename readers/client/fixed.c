/*
 * fixed.c: INTO OUTFILE with FIELDS TERMINATED BY '' and ENCLOSED BY '': each
 * column takes as many bytes as its type may need, padded with blanks; NULL
 * is all blanks, and there are no names.
 *
 *	1          2          Starting                      0.000035
 *	1          3          checking permissions          0.000004
 *
 * Escapes stand as in other dialects and are not counted: each record is as
 * long as the first one without them, newlines in its cells and all.  A column
 * begins where something stands behind a place that is blank in all records.
 * That is a guess: it is believed where a reader of rows knows what comes of
 * it, or where the command line says so.  A column of unbounded text takes the
 * padding off all columns, and with it the last trace of them.
 */
#include "dialect.h"

/* What is looked at. */
#define LOOK ((size_t)256 << 10)
#define RECORDS_LEAST 3
#define RECORD_LEAST 24
#define RECORD_MOST ((size_t)1 << 20)

/* Line ends that may be the first record's. */
#define ENDS_MOST 32

struct fixed {
	char escape;		/* 0: none */
	pp_str end;		/* of a record */
	size_t length;		/* of a record, in bytes of its cells */
	size_t *start;		/* of each column, and length */
	size_t n;
	pp_str *cell;
	bool *escaped;
};

static const struct pp_cl_form fixed_form;

/* A byte of a cell at p, with its escape: its length. */
static inline size_t
unit(const struct fixed *x, const char *p, const char *e)
{
	return *p == x->escape && x->escape != '\0' && e - p > 1 ? 2 : 1;
}

/* Behind the record that begins at p; NULL: there is none, or not all of it
 * (*more). */
static const char *
record(const struct pp_client *c, const struct fixed *x, const char *p,
    bool *more)
{
	size_t n;

	*more = false;
	for (n = 0; n < x->length && p < c->e; n++)
		p += unit(x, p, c->e);
	if ((size_t)(c->e - p) < x->end.n && !c->last) {
		*more = true;
		return NULL;
	}
	if (n < x->length)
		return NULL;
	if (p == c->e)
		return p;
	return (size_t)(c->e - p) >= x->end.n && memcmp(p, x->end.p,
	    x->end.n) == 0 ? p + x->end.n : NULL;
}

/* The cells of the record at p. */
static void
split(const struct fixed *x, const char *p, const char *e)
{
	size_t i, n, u;

	for (i = n = 0; i < x->n; i++) {
		x->cell[i] = (pp_str){p, 0};
		x->escaped[i] = false;
		for (; n < x->start[i + 1] && p < e; n++) {
			u = unit(x, p, e);
			x->escaped[i] |= u > 1;
			p += u;
		}
		x->cell[i].n = (size_t)(p - x->cell[i].p);
		while (x->cell[i].n > 0 &&
		    x->cell[i].p[x->cell[i].n - 1] == ' ')
			x->cell[i].n--;
	}
}

/* ---------------------------------------------------------------- looking */

/* Records of that length from the window's head on. */
static size_t
count(const struct pp_client *c, const struct fixed *x)
{
	const char *p = c->p, *next;
	size_t n = 0;
	bool more;

	while (p < c->e && (size_t)(p - c->p) < LOOK) {
		next = record(c, x, p, &more);
		if (next == NULL)
			return more || n > RECORDS_LEAST ? n : 0;
		n++;
		p = next;
	}
	return n;
}

/* The length of records that fits. */
static bool
find_length(const struct pp_client *c, struct fixed *x)
{
	const char *p = c->p, *e = (size_t)(c->e - p) < LOOK ? c->e :
	    p + LOOK;
	size_t n, ends = 0;

	for (n = 0; p < e && n < RECORD_MOST; n++) {
		if ((size_t)(e - p) >= x->end.n && memcmp(p, x->end.p,
		    x->end.n) == 0) {
			if (++ends > ENDS_MOST)
				return false;
			x->length = n;
			if (n >= RECORD_LEAST && count(c, x) >= RECORDS_LEAST)
				return true;
		}
		p += unit(x, p, e);
	}
	return false;
}

/* What stands at a place of the records. */
#define USED	1		/* something, in one of them */
#define APART	2		/* something, behind two blanks */

static void
look_at(const struct fixed *x, const char *p, const char *e, char *place)
{
	size_t n, blanks = 2;

	for (n = 0; n < x->length; n++) {
		if (*p == ' ') {
			blanks++;
		} else {
			place[n] |= blanks > 1 ? USED | APART : USED;
			blanks = 0;
		}
		p += unit(x, p, e);
	}
}

/* Does a column begin at n?  A blank between words is no gap, even if no
 * other text is as long. */
static bool
begins(const char *place, size_t n)
{
	return n == 0 || ((place[n] & APART) && !(place[n - 1] & USED));
}

/* Where columns begin. */
static void
find_columns(struct pp_client *c, struct fixed *x)
{
	char *place = pp_arena_zalloc(&c->form_mem, x->length + 1);
	const char *p = c->p, *next;
	bool more;
	size_t n;

	while (p < c->e && (size_t)(p - c->p) < LOOK &&
	    (next = record(c, x, p, &more)) != NULL) {
		look_at(x, p, c->e, place);
		p = next;
	}
	for (n = 0; n < x->length; n++)
		x->n += begins(place, n);
	x->start = pp_arena_alloc(&c->form_mem,
	    (x->n + 1) * sizeof(*x->start));
	x->n = 0;
	for (n = 0; n < x->length; n++)
		if (begins(place, n))
			x->start[x->n++] = n;
	x->start[x->n] = x->length;
	x->cell = pp_arena_zalloc(&c->form_mem, x->n * sizeof(*x->cell) + 1);
	x->escaped = pp_arena_zalloc(&c->form_mem, x->n + 1);
}

static void
put_cells(struct pp_client *c, const struct fixed *x)
{
	struct pp_cl_dialect d = {.escapes = true, .escape = x->escape};
	struct pp_cl_raw raw = {.escaped = true};
	size_t i;

	pp_cl_row_begin(c);
	for (i = 0; i < x->n; i++) {
		pp_str s = x->cell[i];

		if (x->escaped[i]) {
			raw.s = s;
			s = pp_cl_field_text(&d, &raw, &c->row_mem);
		}
		pp_cl_cell(c, s, s.n == 0 ? PP_CELL_PERHAPS : PP_CELL_TEXT);
	}
}

/* Would somebody know the first rows? */
static bool
known(struct pp_client *c, struct fixed *x)
{
	struct pp_rs_row rows[PP_RS_SAMPLE];
	struct pp_rs_cell *v;
	const char *p = c->p, *next;
	size_t n = 0;
	bool more;

	pp_arena_reset(&c->held_mem);
	for (; n < PP_RS_SAMPLE && p < c->e; p = next) {
		next = record(c, x, p, &more);
		if (next == NULL)
			break;
		split(x, p, c->e);
		put_cells(c, x);
		v = pp_arena_alloc(&c->held_mem, x->n * sizeof(*v) + 1);
		memcpy(v, c->cells, x->n * sizeof(*v));
		rows[n++] = (struct pp_rs_row){.cells = v, .n = x->n};
	}
	return pp_cl_known_rows(c, PP_FORM_FIXED, rows, n) > 0;
}

/* ------------------------------------------------------------------ steps */

static enum pp_cl_step
step(struct pp_client *c)
{
	struct fixed *x = c->state;
	const char *next;
	bool more;

	next = record(c, x, c->p, &more);
	if (next == NULL) {
		if (more)
			return PP_CL_MORE;
		pp_cl_set_done(c, false);
		c->form = NULL;
		return PP_CL_OVER;
	}
	split(x, c->p, c->e);
	put_cells(c, x);
	pp_cl_row(c, c->p, false);
	pp_cl_take(c, next);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	pp_cl_set_done(c, false);
}

static const struct pp_cl_form fixed_form = {step, finish, NULL};

enum pp_cl_step
pp_cl_try_fixed(struct pp_client *c, pp_str line)
{
	bool given = c->opt.has_fields && c->opt.fields.n == 0;
	size_t look = (size_t)(c->e - c->p);
	struct fixed *x;

	if (pp_cl_dialect_given(c) && !given)
		return PP_CL_OVER;
	if (!given && (line.n < RECORD_LEAST || pp_str_find(line,
	    PP_STR("  ")) == line.n || memchr(line.p, '\t', line.n) != NULL))
		return PP_CL_OVER;
	if (look < LOOK && !c->last)
		return PP_CL_MORE;
	x = pp_cl_form(c, &fixed_form, sizeof(*x));
	x->escape = !c->opt.has_escaped ? '\\' :
	    c->opt.escaped.n > 0 ? c->opt.escaped.p[0] : '\0';
	x->end = c->opt.has_lines ? c->opt.lines :
	    c->crlf ? PP_STR("\r\n") : PP_STR("\n");
	if (x->end.n != 0 && find_length(c, x))
		find_columns(c, x);
	if (x->n < 2 || x->n > PP_CL_COLUMNS || (!given && !known(c, x))) {
		c->form = NULL;
		return PP_CL_OVER;
	}
	pp_cl_find_names(c);
	pp_cl_set(c, PP_FORM_FIXED, PP_LOSS_EMPTY | PP_LOSS_BLANKS |
	    PP_LOSS_SPLIT, c->ntab_names == x->n ? c->tab_names : NULL, x->n,
	    c->p);
	return PP_CL_GO;
}
