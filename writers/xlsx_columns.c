/*
 * xlsx_columns.c: the sheet Columns, which explains the columns of the others.
 *
 * Every table declares what its columns hold and in which unit; who is handed
 * a workbook has no manual beside it.
 */
#include <stdio.h>

#include "xlsx.h"

#define FIELDS 4u

static const char *const head[FIELDS] = {
	"sheet", "column", "unit", "what it holds"
};

static enum pp_status
row(struct pp_xlsx *x, struct pp_xlsx_sheet *s, const char *sheet,
    pp_str column, const struct pp_xlsx_column *c, bool hidden)
{
	pp_str text[FIELDS] = {pp_str_from(sheet), column,
	    pp_str_from(c->unit), c->help};
	char empty[300];
	size_t i;

	if (hidden) {
		snprintf(empty, sizeof(empty), "%.*s (empty here, and hidden)",
		    c->help.n > 250 ? 250 : (int)c->help.n, c->help.p);
		text[3] = pp_str_from(empty);
	}
	pp_xlsx_row_begin(x, s, 1);
	for (i = 0; i < FIELDS; i++)
		if (text[i].n)
			pp_xlsx_cell_text(x, s, i, text[i], PP_XS_GENERAL);
	s->table_rows++;
	return pp_xlsx_row_end(x, s);
}

/* The columns of a wide table that come from the data have one help. */
static size_t
alike(const struct pp_xlsx_sheet *o, size_t i)
{
	size_t n = 1;

	while (o->wide && i + n < o->ncolumns &&
	    pp_str_eq(o->column[i].help, o->column[i + n].help))
		n++;
	return n;
}

/* Columns of the user's pivots are not declared, and explain themselves. */
static enum pp_status
rows(struct pp_xlsx *x, struct pp_xlsx_sheet *s, const struct pp_xlsx_sheet *o)
{
	char many[40];
	size_t i, n;

	if (o == s || o->kind == PP_XK_PIVOT || o->number > 1 ||
	    pp_xlsx_is_empty(o))
		return PP_OK;
	for (i = 0; i < o->ncolumns; i += n) {
		pp_str name = o->column[i].head;

		n = alike(o, i);
		if (o->column[i].help.n == 0)
			continue;
		if (n > 1) {
			snprintf(many, sizeof(many), "(%zu columns)", n);
			name = pp_str_from(many);
		}
		if (row(x, s, o->name, name, &o->column[i],
		    pp_xlsx_is_unused(o, i)) != PP_OK)
			return PP_FATAL;
	}
	return PP_OK;
}

enum pp_status
pp_xlsx_columns_sheet(struct pp_xlsx *x)
{
	const struct pp_xlsx_sheet *o;
	struct pp_xlsx_sheet *s;
	size_t i;

	/* one table alone needs no guide */
	if (x->first == NULL || x->first->next == NULL)
		return PP_OK;
	pp_xlsx_by_rank(x);
	s = pp_xlsx_own_sheet(x, PP_XK_COLUMNS, PP_XLSX_COLUMNS_SHEET, FIELDS);
	if (s == NULL)
		return PP_FATAL;
	s->help = PP_STR("a column of a sheet, and what it holds");
	pp_xlsx_row_begin(x, s, 1);
	for (i = 0; i < FIELDS; i++) {
		s->column[i].head = pp_str_from(head[i]);
		pp_xlsx_cell_text(x, s, i, s->column[i].head, PP_XS_HEADER);
	}
	if (pp_xlsx_row_end(x, s) != PP_OK)
		return PP_FATAL;
	for (o = x->first; o != NULL; o = o->next)
		if (rows(x, s, o) != PP_OK)
			return PP_FATAL;
	return pp_xlsx_sheet_end(x, s);
}
