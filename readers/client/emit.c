/*
 * emit.c: row sets from the parsers to the sink.
 *
 * A set with names is matched when it begins.  One without names is known by
 * its cells: its first rows are held back.  A set ends when the next begins,
 * or with its footer, or when something else follows.
 */
#include <stdarg.h>
#include <stdio.h>

#include "parse.h"

static void
begun(struct pp_client *c)
{
	if (c->sink.begin(c->sink.ctx, &c->rs) == PP_FATAL)
		c->fatal = true;
	c->begun = true;
}

static void
deliver(struct pp_client *c, const struct pp_rs_row *row)
{
	if (c->fatal)
		return;
	c->rs.rows++;
	if (c->sink.row(c->sink.ctx, &c->rs, row) == PP_FATAL)
		c->fatal = true;
}

/* The rows held back are enough: match, then deliver them. */
static void
release(struct pp_client *c)
{
	size_t i;

	c->rs.sample = c->held;
	c->rs.nsample = c->nheld;
	begun(c);
	for (i = 0; i < c->nheld; i++)
		deliver(c, &c->held[i]);
	c->rs.sample = NULL;
	c->rs.nsample = 0;
	c->nheld = 0;
	pp_arena_reset(&c->held_mem);
}

static void
told_losses(struct pp_client *c)
{
	static const struct {
		unsigned bit;
		const char *text;
	} what[] = {
		{PP_LOSS_NULL, "NULL and the text NULL are the same bytes"},
		{PP_LOSS_EMPTY, "NULL and the empty text are the same bytes"},
		{PP_LOSS_NUL, "a NUL byte became a blank"},
		{PP_LOSS_BLANKS, "blanks at the end of a cell are padding"},
		{PP_LOSS_NAMES, "the columns have no names"},
		{PP_LOSS_SPLIT, "cells were told apart by guessing"},
		{PP_LOSS_CUT, "long cells are cut"},
		{PP_LOSS_LINES, "line ends of a cell are lost"},
	};
	char text[160];
	size_t i;
	int n;

	for (i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
		if (!(c->rs.losses & ~c->told & what[i].bit))
			continue;
		c->told |= what[i].bit;
		n = snprintf(text, sizeof(text), "form %s: %s",
		    pp_form_name(c->rs.form), what[i].text);
		c->sink.problem(c->sink.ctx, PP_MSG_FORM_LOSS, c->rs.line,
		    c->rs.offset, (pp_str){text, (size_t)n});
	}
}

void
pp_cl_set(struct pp_client *c, enum pp_form form, unsigned losses,
    const pp_str *names, size_t ncols, const char *at)
{
	pp_str *v;
	size_t i;

	pp_cl_set_close(c);
	pp_cl_statement_done(c);
	pp_arena_reset(&c->set_mem);
	v = pp_arena_alloc(&c->set_mem, ncols * sizeof(*v) + 1);
	for (i = 0; i < ncols; i++)
		v[i] = names != NULL ? pp_arena_str(&c->set_mem, names[i]) :
		    (pp_str){"", 0};
	c->rs = (struct pp_rowset){
		.form = form,
		.losses = losses | (names == NULL ? PP_LOSS_NAMES : 0),
		.number = ++c->sets,
		.names = v,
		.ncols = ncols,
		.has_names = names != NULL,
		.line = pp_cl_line_at(c, at),
		.offset = pp_cl_offset(c, at),
		.statement = pp_arena_str(&c->set_mem,
		    (pp_str){c->stmt, c->typed ? c->nstmt : 0}),
		.statement_line = c->typed ? c->stmt_line : 0,
		.heading = pp_arena_str(&c->set_mem,
		    (pp_str){c->heading, c->nheading}),
		.table = (pp_str){"", 0},
	};
	c->typed = false;
	c->nstmt = c->nheading = 0;
	c->set = true;
	c->begun = c->awaits = c->cut_row = false;
	c->nheld = 0;
}

void
pp_cl_set_table(struct pp_client *c, pp_str table)
{
	c->rs.table = pp_arena_str(&c->set_mem, table);
}

void
pp_cl_set_widen(struct pp_client *c, size_t ncols)
{
	pp_str *v;
	size_t i;

	if (c->begun || ncols <= c->rs.ncols)
		return;
	v = pp_arena_alloc(&c->set_mem, ncols * sizeof(*v) + 1);
	for (i = 0; i < ncols; i++)
		v[i] = (pp_str){"", 0};
	c->rs.names = v;
	c->rs.ncols = ncols;
}

void
pp_cl_set_statement(struct pp_client *c, pp_str text, uint64_t line)
{
	c->rs.statement = pp_arena_str(&c->set_mem, text);
	c->rs.statement_line = line;
}

static void
hold(struct pp_client *c, const struct pp_rs_row *row)
{
	struct pp_rs_cell *v = pp_arena_alloc(&c->held_mem,
	    row->n * sizeof(*v) + 1);
	size_t i;

	for (i = 0; i < row->n; i++) {
		v[i].text = pp_arena_str(&c->held_mem, row->cells[i].text);
		v[i].state = row->cells[i].state;
	}
	c->held[c->nheld] = *row;
	c->held[c->nheld++].cells = v;
	if (c->nheld == PP_RS_SAMPLE)
		release(c);
}

void
pp_cl_row_at(struct pp_client *c, uint64_t line, uint64_t offset, bool partial)
{
	struct pp_rs_row row = {.line = line, .offset = offset,
	    .partial = partial || c->ncells < c->rs.ncols};

	c->cut_row = partial;
	while (c->ncells < c->rs.ncols)
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_ABSENT);
	row.cells = c->cells;
	row.n = c->ncells;
	if (!c->begun && c->rs.has_names)
		begun(c);
	if (c->begun)
		deliver(c, &row);
	else
		hold(c, &row);
}

void
pp_cl_row(struct pp_client *c, const char *at, bool partial)
{
	if (at == c->p)
		pp_cl_row_at(c, c->line, pp_cl_offset(c, at), partial);
	else
		pp_cl_row_at(c, pp_cl_line_at(c, at), pp_cl_offset(c, at),
		    partial);
}

void
pp_cl_set_done(struct pp_client *c, bool cut)
{
	c->rs.tail_cut |= cut;
	c->awaits = true;
}

void
pp_cl_set_close(struct pp_client *c)
{
	if (!c->set)
		return;
	if (!c->begun)
		release(c);
	told_losses(c);
	if (c->rs.has_footer && c->rs.footer_rows != c->rs.rows) {
		char text[96];
		int n = snprintf(text, sizeof(text), "the footer says %llu "
		    "row%s, %llu %s read",
		    (unsigned long long)c->rs.footer_rows,
		    c->rs.footer_rows == 1 ? "" : "s",
		    (unsigned long long)c->rs.rows,
		    c->rs.rows == 1 ? "was" : "were");

		c->sink.problem(c->sink.ctx, PP_MSG_ROW_COUNT, c->rs.line,
		    c->rs.offset, (pp_str){text, (size_t)n});
	}
	if (c->rs.tail_cut && !c->cut_row && !(c->rs.has_footer &&
	    c->rs.footer_rows == c->rs.rows))
		pp_cl_problem(c, PP_MSG_CUT_TABLE, c->p, "form %s: the input "
		    "breaks off before the end of the table",
		    pp_form_name(c->rs.form));
	c->set = c->awaits = false;
	c->sink.end(c->sink.ctx, &c->rs);
}

bool
pp_cl_set_footer(struct pp_client *c, uint64_t rows)
{
	if (!c->set)
		return false;
	c->rs.has_footer = true;
	c->rs.footer_rows = rows;
	pp_cl_set_close(c);
	return true;
}

int
pp_cl_known(struct pp_client *c, enum pp_form form, const pp_str *names,
    size_t n)
{
	struct pp_rowset rs = {
		.form = form,
		.names = names,
		.ncols = n,
		.has_names = true,
		.statement = {"", 0},
		.table = {"", 0},
		.heading = {"", 0},
	};

	return c->sink.match(c->sink.ctx, &rs);
}

int
pp_cl_known_rows(struct pp_client *c, enum pp_form form,
    const struct pp_rs_row *rows, size_t n)
{
	pp_str *names;
	struct pp_rowset rs = {
		.form = form,
		.losses = PP_LOSS_NAMES,
		.statement = {c->stmt, c->typed ? c->nstmt : 0},
		.table = {"", 0},
		.heading = {c->heading, c->nheading},
		.sample = rows,
		.nsample = n < PP_RS_SAMPLE ? n : PP_RS_SAMPLE,
	};

	if (n == 0)
		return 0;
	rs.ncols = rows[0].n;
	names = pp_arena_zalloc(&c->row_mem, rs.ncols * sizeof(*names) + 1);
	rs.names = names;
	return c->sink.match(c->sink.ctx, &rs);
}

void
pp_cl_note(struct pp_client *c, enum pp_note_kind kind, pp_str text,
    uint64_t line, uint64_t offset)
{
	struct pp_note note = {kind, text, line, offset};

	c->sink.note(c->sink.ctx, &note);
}

void
pp_cl_problem(struct pp_client *c, enum pp_msg id, const char *at,
    const char *fmt, ...)
{
	char text[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n < 0)
		n = 0;
	if ((size_t)n >= sizeof(text))
		n = (int)sizeof(text) - 1;
	c->sink.problem(c->sink.ctx, id, pp_cl_line_at(c, at),
	    pp_cl_offset(c, at), (pp_str){text, (size_t)n});
}

void *
pp_cl_form(struct pp_client *c, const struct pp_cl_form *form, size_t size)
{
	pp_arena_reset(&c->form_mem);
	c->form = form;
	c->state = pp_arena_zalloc(&c->form_mem, size);
	return c->state;
}

pp_str
pp_cl_no_cr(struct pp_client *c, pp_str s)
{
	const char *p = s.p, *e = s.p + s.n, *cr;
	char *to;
	size_t n = 0, len;

	if (s.n == 0 || memchr(p, '\r', s.n) == NULL)
		return s;
	to = pp_arena_alloc(&c->row_mem, s.n);
	while (p < e) {
		cr = memchr(p, '\r', (size_t)(e - p));
		len = (size_t)((cr != NULL ? cr : e) - p);
		memcpy(to + n, p, len);
		n += len;
		p += len;
		if (p == e)
			break;
		if (p + 1 < e && p[1] == '\n') {
			p++;
			continue;
		}
		to[n++] = *p++;
	}
	return (pp_str){to, n};
}
