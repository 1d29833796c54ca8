/*
 * by.h: the columns that --by adds, and the order of rows that it gives.
 */
#ifndef PP_REPORT_BY_H
#define PP_REPORT_BY_H

#include "fill.h"

/*
 * The declaration with the columns of --by behind source and session; `fixed`
 * itself where nothing is split.  Lives as long as the mem of the context.
 */
const struct pp_table *pp_by_table(const struct pp_report_ctx *c,
    const struct pp_table *fixed);

/* The columns' values. */
void pp_by_fill(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t facet);

/*
 * Rows of `profile`: its cells, by facet where --by was used, in the order
 * of the table.  *cells is what the indexes are of.
 */
struct pp_sort *pp_by_events(const struct pp_report_ctx *c,
    const struct pp_event_cell **cells, size_t *n);

/* Likewise of `statements`. */
struct pp_sort *pp_by_stmts(const struct pp_report_ctx *c,
    const struct pp_stmt_cell **cells, size_t *n);

#endif
