/*
 * named.c: rows whose cells bring their names: objects of JSON, YAML, PHP.
 */
#include "parse.h"

void
pp_cl_named_add(struct pp_client *c, struct pp_cl_named *x, pp_str name)
{
	pp_str *v;

	if (x->n == x->cap) {
		x->cap = x->cap ? x->cap * 2 : 64;
		v = pp_arena_alloc(&c->form_mem, x->cap * sizeof(*v));
		if (x->n != 0)
			memcpy(v, x->v, x->n * sizeof(*v));
		x->v = v;
	}
	x->v[x->n++] = name;
}

static bool
open_set(const struct pp_client *c)
{
	return c->set && !c->awaits && c->rs.form == PP_FORM_JSON;
}

static bool
same_names(const struct pp_client *c, const struct pp_cl_named *x)
{
	size_t i;

	if (c->rs.ncols != x->n)
		return false;
	for (i = 0; i < x->n; i++)
		if (!pp_str_eq(c->rs.names[i], x->v[i]))
			return false;
	return true;
}

static size_t
place(const pp_str *v, size_t n, pp_str name)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (pp_str_eq(v[i], name))
			return i;
	return SIZE_MAX;
}

/* Are these names of the set in another order, or some of them? */
static bool
some_names(const struct pp_client *c, const struct pp_cl_named *x)
{
	size_t i;

	if (x->n > c->rs.ncols || c->rs.ncols > 256)
		return false;
	for (i = 0; i < x->n; i++)
		if (place(c->rs.names, c->rs.ncols, x->v[i]) == SIZE_MAX)
			return false;
	return true;
}

/* Put the cells in the order of the set's names. */
static void
reorder(struct pp_client *c, const struct pp_cl_named *x)
{
	size_t i, at, had = c->ncells;
	struct pp_rs_cell *v = pp_arena_alloc(&c->row_mem,
	    had * sizeof(*v) + 1);

	memcpy(v, c->cells, had * sizeof(*v));
	c->ncells = 0;
	for (i = 0; i < c->rs.ncols; i++) {
		at = place(x->v, x->n, c->rs.names[i]);
		if (at < had)
			pp_cl_cell(c, v[at].text, v[at].state);
		else
			pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_ABSENT);
	}
}

void
pp_cl_named_row(struct pp_client *c, struct pp_cl_named *x, const char *at,
    bool cut)
{
	if (cut) {
		pp_cl_problem(c, PP_MSG_CUT_RECORD, at,
		    "cut record: the text ends in an object");
		c->cells[c->ncells - 1].state = PP_CELL_CUT;
	}
	if (!open_set(c) || !same_names(c, x)) {
		if (open_set(c) && some_names(c, x)) {
			reorder(c, x);
		} else {
			pp_cl_set(c, PP_FORM_JSON, 0, x->v, x->n, at);
			pp_cl_set_table(c, x->table);
		}
	}
	pp_cl_row(c, at, cut);
}
