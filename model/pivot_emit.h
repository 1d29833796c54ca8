/*
 * pivot_emit.h: between pivot_emit.c and pivot_declare.c: a pivot on its way
 * out.
 */
#ifndef PP_PIVOT_EMIT_H
#define PP_PIVOT_EMIT_H

#include "pivot.h"

#define PP_PIVOT_OTHER "other"
#define PP_PIVOT_TOTAL "total"

struct pp_pivot_column {
	uint32_t key;
	uint32_t place;		/* by rank; then in the order of columns */
	struct pp_pivot_cell sum; /* over all rows */
	const struct pp_pivot *p;
};

struct pp_pivot_emit {
	struct pp_pivot *p;
	struct pp_rows r;
	bool wide;
	size_t nrows, ncolumns;
	struct pp_pivot_column *columns;
	size_t shown;		/* columns that stand by themselves */
	bool other;		/* and one for the rest */
	uint32_t *place;	/* by key: 0 .. shown - 1, or shown: other */
	size_t *begin;		/* of rows in cells */
	size_t begin_cap;
	uint32_t *cells;	/* indexes, row by row */
	size_t cells_cap;
	struct pp_pivot_cell *line; /* of the row at hand, by place; then
				 * its total */
	struct pp_pivot_cell *foot; /* the same of all rows */
	bool *here;		/* by place: the row has such a cell */
	bool apart;		/* it has a hidden field */
	uint32_t *touched;	/* the places that it has */
	size_t ntouched;
	const struct pp_table *table;
};

static inline pp_str
pp_pivot_key(const struct pp_pivot_list *l, uint32_t key)
{
	return l->n == 0 ? (pp_str){"", 0} : pp_strtab_get(&l->keys, key + 1);
}

/* Declare the table that e makes, when its columns are known. */
void pp_pivot_declare(struct pp_pivot_emit *e);

#endif
