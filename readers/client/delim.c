/*
 * delim.c: delimited files: INTO OUTFILE and --tab with other options than
 * the defaults, CSV of phpMyAdmin, Workbench, spreadsheets, psql.
 *
 * Strict RFC 4180 goes through libcsv, row by row: it knows no position, so
 * the end of each row is found here, and it does not tell "NULL" from NULL,
 * which the row itself does.  The other dialects are read by dialect.c.
 */
#include <csv.h>

#include "dialect.h"
#include "sql.h"

/* A file of prose has many lines with commas: look at so many of them. */
#define ATTEMPTS_MAX 50

/* Lines that one row may take where nothing is quoted. */
#define JOIN_MAX 200

/* Bytes in which a quote finds its other one, where quotes are rare. */
#define QUOTED_MAX ((size_t)1 << 20)

struct delim {
	struct pp_cl_dialect d;
	struct pp_cl_dialect quoting; /* d, but that quotes are taken off */
	const struct pp_cl_dialect *by; /* of the record at hand: d, quoting */
	struct pp_cl_record r, other;
	struct csv_parser csv;
	bool uses_csv;
	size_t n;		/* columns */
	bool *number;		/* of the columns, by the first row */
	bool typed;
	bool absent_null;	/* nothing may be NULL */
	bool any;		/* a record was taken */
	size_t decimals;	/* of the last cell of the record before */
	size_t at;		/* cells that libcsv has given */
	struct pp_client *c;
};

static const struct pp_cl_form delim_form;

/* ------------------------------------------------------------------- cells */

static void
put_field(struct pp_client *c, struct delim *x, const struct pp_cl_raw *f,
    pp_str text)
{
	const struct pp_cl_dialect *d = x->by;

	if (f->null || (!f->quoted && d->escapes && f->s.n == 2 &&
	    d->escape != d->quote && f->s.p[0] == d->escape &&
	    f->s.p[1] == 'N')) {
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
	} else if (!f->quoted && !d->null_n &&
	    pp_str_eq(text, PP_STR("NULL"))) {
		/* where text is in quotes the bare word is no text */
		pp_cl_cell(c, text, d->quoted ? PP_CELL_NULL :
		    PP_CELL_PERHAPS);
	} else if (!f->quoted && text.n == 0 && x->absent_null) {
		c->rs.losses |= PP_LOSS_EMPTY;
		pp_cl_cell(c, text, PP_CELL_PERHAPS);
	} else {
		pp_cl_cell(c, text, PP_CELL_TEXT);
	}
}

/* libcsv gives a field: r has the same one with its quotes. */
static void
on_field(void *text, size_t n, void *ctx)
{
	struct delim *x = ctx;
	pp_str s;

	if (x->at >= x->r.n)
		return;
	/* its buffer is overwritten by the next field */
	s = pp_arena_str(&x->c->row_mem, (pp_str){text, n});
	put_field(x->c, x, &x->r.v[x->at++], s);
}

static void
on_row(int ch, void *ctx)
{
	(void)ch;
	(void)ctx;
}

/* Which of too many fields belong together: those whose glueing leaves every
 * column of numbers with numbers. */
static size_t
glued_at(const struct delim *x, size_t surplus)
{
	size_t i, j;

	for (i = x->n; i-- > 0;) {
		if (x->number[i])
			continue;
		for (j = i + 1; j < x->n; j++)
			if (x->number[j] &&
			    !pp_cl_number(x->r.v[j + surplus].s))
				break;
		if (j == x->n)
			return i;
	}
	return x->n - 1;
}

/* Commas that nothing quotes. */
static void
put_glued(struct pp_client *c, struct delim *x)
{
	size_t surplus = x->r.n - x->n, i, at = glued_at(x, surplus);
	struct pp_cl_raw f;

	c->rs.losses |= PP_LOSS_SPLIT;
	for (i = 0; i < x->r.n; i++) {
		f = x->r.v[i];
		if (i == at) {
			const struct pp_cl_raw *to = &x->r.v[i + surplus];

			f.s.n = (size_t)(to->s.p + to->s.n - f.s.p);
			i += surplus;
		}
		put_field(c, x, &f, pp_cl_field_text(x->by, &f,
		    &c->row_mem));
	}
}

static void
put_fields(struct pp_client *c, struct delim *x, pp_str record)
{
	size_t i;

	pp_cl_row_begin(c);
	if (x->n != 0 && x->r.n > x->n && x->typed) {
		put_glued(c, x);
		return;
	}
	if (x->uses_csv && x->r.odd == 0) {
		x->at = 0;
		(void)csv_parse(&x->csv, record.p, record.n, on_field, on_row,
		    x);
		(void)csv_fini(&x->csv, on_field, on_row, x);
		if (x->at == x->r.n)
			return;
		pp_cl_row_begin(c);
	}
	for (i = 0; i < x->r.n; i++)
		put_field(c, x, &x->r.v[i], pp_cl_field_text(x->by,
		    &x->r.v[i], &c->row_mem));
}

/* -------------------------------------------------------------------- heads */

static bool
names_like(const struct delim *x)
{
	size_t i;

	for (i = 0; i < x->r.n; i++) {
		pp_str s = pp_str_trim(x->r.v[i].s);

		if (!pp_cl_identifier(s) || pp_cl_number(s) ||
		    pp_str_eq(s, PP_STR("NULL")))
			return false;
	}
	return true;
}

/*
 * Names in front: words, over rows that are not words throughout; or names
 * that somebody knows.
 */
static bool
has_head(struct pp_client *c, struct delim *x, const char *next,
    const pp_str *names)
{
	struct pp_cl_record below = {.arena = &c->row_mem};
	const char *behind;
	size_t i;

	if (pp_cl_known(c, PP_FORM_DELIM, names, x->r.n) > 0)
		return true;
	if (!names_like(x))
		return false;
	if (next == c->e || !pp_cl_record_at(c, &x->d, next, x->r.n, &below,
	    &behind))
		return true;
	if (below.n != x->r.n)
		return false;
	for (i = 0; i < below.n; i++)
		if (!pp_cl_identifier(below.v[i].s))
			return true;
	return false;
}

static void
learn_types(struct delim *x, struct pp_client *c)
{
	size_t i;

	if (x->typed || x->r.n != x->n)
		return;
	x->typed = true;
	x->number = pp_arena_zalloc(&c->form_mem, x->n + 1);
	for (i = 0; i < x->n; i++)
		x->number[i] = pp_cl_number(x->r.v[i].s);
}

/* -------------------------------------------------------------------- steps */

static enum pp_cl_step
leave(struct pp_client *c, bool cut)
{
	struct delim *x = c->state;

	if (x->uses_csv)
		csv_free(&x->csv);
	x->uses_csv = false;
	if (c->set && !c->awaits)
		pp_cl_set_done(c, cut);
	c->form = NULL;
	return PP_CL_OVER;
}

/* A line that is no record of the set, unless it must be. */
static bool
foreign(struct pp_client *c, const struct delim *x, const char *p,
    const char *next)
{
	pp_str line = {p, (size_t)(next - p)};
	uint64_t rows;

	if (x->r.n != 1 || x->n == 1)
		return false;
	while (line.n > 0 && (line.p[line.n - 1] == '\n' ||
	    line.p[line.n - 1] == '\r'))
		line.n--;
	return pp_cl_blank(line) || pp_cl_is_footer(line, &rows) ||
	    (!pp_cl_dialect_given(c) && !x->r.cut);
}

/*
 * Where nothing is quoted a newline of a cell stands as it is: lines are put
 * together until the row is full.
 */
static enum pp_cl_step
join(struct pp_client *c, struct delim *x, const char **next)
{
	const char *end = *next, *behind;
	struct pp_cl_record more = {.arena = &c->row_mem};
	struct pp_cl_raw *last;
	size_t i, k, n = x->r.n;

	for (i = 0; i < JOIN_MAX && end < c->e; i++) {
		if (!pp_cl_record_at(c, &x->d, end, 0, &more, &behind))
			return PP_CL_MORE;
		n += more.n - 1;
		if (n > x->n)
			return PP_CL_OVER;
		end = behind;
		if (n == x->n)
			break;
	}
	if (n != x->n)
		return end == c->e && !c->last ? PP_CL_MORE : PP_CL_OVER;
	/* once more, now that it is known to fit */
	for (end = *next; x->r.n < x->n; end = behind) {
		if (!pp_cl_record_at(c, &x->d, end, 0, &more, &behind))
			return PP_CL_MORE;
		last = &x->r.v[x->r.n - 1];
		last->s.n = (size_t)(more.v[0].s.p + more.v[0].s.n -
		    last->s.p);
		for (k = 1; k < more.n; k++)
			*pp_cl_record_add(&x->r) = more.v[k];
	}
	*next = end;
	c->rs.losses |= PP_LOSS_SPLIT;
	return PP_CL_GO;
}

/*
 * CSV that quotes only where it must may do so for the first time far down.
 * Where a field begins with a quote and the record is one of so many fields
 * with its quotes taken off, they are taken off.
 */
static enum pp_cl_step
quoted_at_last(struct pp_client *c, struct delim *x, const char **next)
{
	struct pp_cl_record was;
	const char *behind;
	size_t i = 0;

	x->by = &x->d;
	if (!x->quoting.quoted)
		return PP_CL_GO;
	while (i < x->r.n && (x->r.v[i].s.n == 0 || x->r.v[i].s.p[0] != '"'))
		i++;
	if (i == x->r.n)
		return PP_CL_GO;
	/* a quote that nothing closes is text */
	if (!pp_cl_record_at(c, &x->quoting, c->p, x->n, &x->other, &behind))
		return (size_t)(c->e - c->p) < QUOTED_MAX ? PP_CL_MORE :
		    PP_CL_GO;
	if (x->other.n != x->n || x->other.odd != 0)
		return PP_CL_GO;
	was = x->r;
	x->r = x->other;
	x->other = was;
	x->by = &x->quoting;
	*next = behind;
	return PP_CL_GO;
}

/* Digits behind the point of a number; 0: no point. */
static size_t
decimals(pp_str s)
{
	size_t n = 0;

	while (n < s.n && s.p[s.n - 1 - n] >= '0' && s.p[s.n - 1 - n] <= '9')
		n++;
	return n < s.n && s.p[s.n - 1 - n] == '.' ? n : 0;
}

/*
 * The record at hand has all its cells, but nothing ends it.  Many write CSV
 * without a newline at the end; so it is cut if a quote is open, or a number
 * shorter than those above it or the one beside it.
 */
static bool
may_go_on(const struct pp_client *c, const struct delim *x)
{
	const struct pp_cl_raw *f = &x->r.v[x->r.n - 1];

	if (f->quoted)
		return f->s.p + f->s.n == c->e;
	if (x->decimals > 0)
		return decimals(f->s) < x->decimals &&
		    !pp_str_eq(f->s, PP_STR("NULL"));
	/* the first record: beside other times */
	return x->r.n > 1 && pp_str_find(f->s, PP_STR(".")) < f->s.n &&
	    pp_cl_number(f->s) && decimals(f->s) < decimals(f[-1].s);
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct delim *x = c->state;
	const char *p = c->p, *next;
	bool cut;

	if (!pp_cl_record_at(c, &x->d, p, x->n, &x->r, &next) ||
	    quoted_at_last(c, x, &next) == PP_CL_MORE)
		return PP_CL_MORE;
	if (x->r.n < x->n && !x->d.quoted && c->rs.has_names &&
	    x->r.n != 1) {
		pp_arena_reset(&c->row_mem);
		if (join(c, x, &next) == PP_CL_MORE)
			return PP_CL_MORE;
	}
	/* the first record is what began the set */
	if (x->any && foreign(c, x, p, next))
		return leave(c, false);
	x->any = true;
	learn_types(x, c);
	put_fields(c, x, (pp_str){p, (size_t)(next - p)});
	cut = x->r.n < x->n || (x->r.cut && may_go_on(c, x));
	if (cut) {
		if (x->r.cut && c->ncells != 0)
			c->cells[c->ncells - 1].state = PP_CELL_CUT;
		pp_cl_problem(c, PP_MSG_CUT_RECORD, p,
		    "cut record: %zu of %zu cells%s", x->r.n, x->n,
		    x->r.n < x->n ? "" : ", and the last one may go on");
	} else
		x->decimals = decimals(x->r.v[x->r.n - 1].s);
	pp_cl_row(c, p, cut);
	pp_cl_take(c, next);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	(void)leave(c, false);
}

static void
drop(struct pp_client *c)
{
	struct delim *x = c->state;

	if (x->uses_csv)
		csv_free(&x->csv);
	x->uses_csv = false;
}

static const struct pp_cl_form delim_form = {step, finish, drop};

static int
no_space(unsigned char ch)
{
	(void)ch;
	return 0;
}

static void
open_csv(struct pp_client *c, struct delim *x)
{
	if (!x->d.quoted || !x->d.rfc || x->d.fields.n != 1 ||
	    x->d.starting.n != 0)
		return;
	if (csv_init(&x->csv, 0) != 0)
		pp_mem_fail(c->mem);
	csv_set_delim(&x->csv, (unsigned char)x->d.fields.p[0]);
	csv_set_quote(&x->csv, (unsigned char)x->d.quote);
	/* blanks at the edge of a cell belong to it */
	csv_set_space_func(&x->csv, no_space);
	x->uses_csv = true;
}

/*
 * Without names: do the records look like rows?  Everything is in quotes, or a
 * column holds numbers.
 */
static bool
rows_like(struct pp_client *c, const struct delim *x)
{
	struct pp_cl_record r = {.arena = &c->row_mem};
	const char *p, *next;
	size_t i, k, numbers = x->r.n, quoted = 0;

	for (i = 0; i < x->r.n; i++)
		quoted += x->r.v[i].quoted;
	if (quoted * 2 > x->r.n)
		return true;
	for (i = 0; i < x->r.n; i++) {
		p = c->p;
		for (k = 0; k < 5 && p < c->e; k++, p = next) {
			if (!pp_cl_record_at(c, &x->d, p, x->r.n, &r,
			    &next) || i >= r.n ||
			    !pp_cl_number(pp_str_trim(r.v[i].s)))
				break;
		}
		if (k < 5 && p < c->e)
			numbers--;
	}
	return numbers > 0;
}

static enum pp_cl_step
begin(struct pp_client *c, struct delim *x)
{
	const char *next;
	pp_str *names;
	size_t i, n;
	bool head;

	if (!pp_cl_record_at(c, &x->d, c->p, 0, &x->r, &next))
		return PP_CL_MORE;
	n = x->r.n;
	names = pp_arena_alloc(&c->form_mem, n * sizeof(*names) + 1);
	for (i = 0; i < n; i++)
		names[i] = pp_str_trim(pp_cl_field_text(&x->d, &x->r.v[i],
		    &c->form_mem));
	head = has_head(c, x, next, names);
	if (!head && !pp_cl_dialect_given(c) && !rows_like(c, x)) {
		(void)leave(c, false);
		return PP_CL_OVER;
	}
	x->n = n;
	if (!head)
		pp_cl_find_names(c);
	if (!head && c->ntab_names == n && c->tab_names != NULL)
		pp_cl_set(c, PP_FORM_DELIM, 0, c->tab_names, n, c->p);
	else
		pp_cl_set(c, PP_FORM_DELIM, 0, head ? names : NULL, n, c->p);
	if (!x->d.quoted && !x->d.escapes)
		c->rs.losses |= PP_LOSS_NULL;
	x->absent_null = x->d.quoted || !x->d.escapes;
	if (c->rs.has_names && !x->d.quoted && !c->opt.has_enclosed &&
	    !c->opt.has_escaped) {
		x->quoting = x->d;
		x->quoting.quoted = x->quoting.escapes = x->quoting.rfc = true;
		x->quoting.quote = x->quoting.escape = '"';
	}
	if (head)
		pp_cl_take(c, next);
	return PP_CL_GO;
}

enum pp_cl_step
pp_cl_try_delim(struct pp_client *c, pp_str line)
{
	struct pp_cl_dialect d;
	struct delim *x;
	size_t n, look = (size_t)(c->e - c->p);

	if (!pp_cl_dialect_given(c)) {
		if (line.n < 3 || c->delim_attempts >= ATTEMPTS_MAX)
			return PP_CL_OVER;
		if (memchr(line.p, ',', line.n) == NULL &&
		    memchr(line.p, ';', line.n) == NULL &&
		    memchr(line.p, '|', line.n) == NULL &&
		    line.p[0] != '\'' && line.p[0] != '"')
			return PP_CL_OVER;
		/* TABs are for batch.c, unless quotes stand beside them */
		if (memchr(line.p, '\t', line.n) != NULL &&
		    line.p[0] != '"' && line.p[0] != '\'' &&
		    pp_str_find(line, PP_STR("\t\"")) == line.n &&
		    pp_str_find(line, PP_STR("\t'")) == line.n)
			return PP_CL_OVER;
	}
	if (look < ((size_t)64 << 10) && !c->last)
		return PP_CL_MORE;
	c->delim_attempts++;
	pp_arena_reset(&c->row_mem);
	n = pp_cl_dialect_find(c, &d);
	if (n == 0 || n > PP_CL_COLUMNS ||
	    (!pp_cl_dialect_given(c) && !d.quoted && d.fields.n == 1 &&
	    d.fields.p[0] == '\t'))
		return PP_CL_OVER;
	x = pp_cl_form(c, &delim_form, sizeof(*x));
	x->d = d;
	x->by = &x->d;
	x->c = c;
	x->r.arena = x->other.arena = &c->form_mem;
	open_csv(c, x);
	return begin(c, x);
}
