/*
 * compare.h: two captures side by side, for tables and for the terminal.
 */
#ifndef PP_REPORT_COMPARE_H
#define PP_REPORT_COMPARE_H

#include "report.h"

enum pp_compare_what {
	PP_COMPARE_EVENTS,
	PP_COMPARE_STATEMENTS,
	PP_COMPARE_DIGESTS
};

/* [0] is before, [1] after; times are picoseconds. */
struct pp_compare_row {
	pp_i128 time[2];
	pp_i128 count[2];
	bool there[2], timed[2], counted[2];
	uint8_t digits;		/* that times are printed with */
	uint32_t what;		/* name or statement */
	uint32_t class;
	pp_str name, text;
};

struct pp_compare {
	const struct pp_report_ctx *c;
	struct pp_compare_row *v;	/* the largest difference first */
	size_t n, cap;
	size_t all;			/* rows, unchanged ones too */
	pp_i128 before, after;		/* sums over all rows */
	pp_i128 change;			/* sum of differences, unsigned */
	struct pp_map map;
	struct pp_arena text;
};

/* Rows that differ, and with opt.unchanged the others. */
void pp_compare_open(struct pp_compare *x, const struct pp_report_ctx *c,
    enum pp_compare_what what);
void pp_compare_close(struct pp_compare *x);

/* "more", "less", "same", "new", "gone" */
const char *pp_compare_state(const struct pp_compare_row *r);

#endif
