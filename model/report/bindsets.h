/*
 * bindsets.h: bind values between their BINDS block and the EXEC that they
 * are for; for the raw reports of this folder only.
 */
#ifndef PP_REPORT_BINDSETS_H
#define PP_REPORT_BINDSETS_H

#include "report.h"

/* The sets of a cursor, one behind the other in `bytes`. */
struct pp_bindset {
	uint64_t cursor;
	uint32_t session, stmt;
	char *bytes;
	size_t n, cap;
	size_t *end;		/* of each set in bytes */
	uint32_t *line;		/* of each set's BINDS */
	size_t sets, end_cap, line_cap;
};

struct pp_bindsets {
	struct pp_mem *mem;
	struct pp_map by_cursor;	/* (cursor, session) -> v */
	struct pp_bindset *v;
	size_t n, cap;
};

void pp_bindsets_init(struct pp_bindsets *b, struct pp_mem *mem);
void pp_bindsets_free(struct pp_bindsets *b);

/* Keep a PP_OCC_BINDS occurrence. */
void pp_bindsets_keep(struct pp_bindsets *b, const struct pp_occurrence *o);

/* The sets that wait for a call of this cursor; NULL: none. */
struct pp_bindset *pp_bindsets_of(struct pp_bindsets *b,
    const struct pp_occurrence *o);

/* They have been used. */
void pp_bindset_clear(struct pp_bindset *s);

/* Set i of s, for pp_bind_next. */
pp_str pp_bindset_get(const struct pp_bindset *s, size_t i);

#endif
