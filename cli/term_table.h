/*
 * term_table.h: rows of any table on a page of text: as many of its columns
 * as there is room for.
 */
#ifndef PP_CLI_TERM_TABLE_H
#define PP_CLI_TERM_TABLE_H

#include "../model/table.h"
#include "term.h"

#define PP_TERM_COLUMNS 16u	/* of a list */

struct pp_term_table {
	struct pp_rowsink sink;	/* first member: where the rows go */
	struct pp_mem *mem;
	struct pp_page *page;
	uint32_t top;		/* rows to print; 0: all */
	bool last;		/* columns from the fourth on are in the order
				 * of time: the last ones are wanted */
	/* private */
	const struct pp_table *t;
	struct pp_arena text;
	pp_str *cells;		/* rows that are not printed yet */
	size_t n;
	uint64_t rows;		/* in all */
	uint32_t shown[PP_TERM_COLUMNS];
	size_t nshown;		/* 0: not chosen yet */
	bool *empty;		/* of columns: they were so when chosen */
};

void pp_term_table_open(struct pp_term_table *x, struct pp_mem *mem,
    struct pp_page *page);

#endif
