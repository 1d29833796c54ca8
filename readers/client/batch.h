/*
 * batch.h: a set of rows with TABs, between batch.c (the form) and batch_row.c
 * (its rows).
 */
#ifndef PP_CLIENT_BATCH_H
#define PP_CLIENT_BATCH_H

#include "parse.h"

struct pp_cl_batch {
	size_t n;		/* columns */
	bool escaped;		/* backslashes are */
	bool names;
	/* columns, by the first row; SIZE_MAX: none */
	size_t number;		/* the last of numbers */
	size_t first_number, first_word;
	bool typed;		/* they are decided */
	bool known;		/* somebody takes the set */
	pp_str *cell;		/* as they stand in the file */
	size_t cells, cap;
	bool slashes;		/* there are backslashes among them */
	struct ahead {		/* the line below, split already */
		pp_str *cell;
		size_t cells, cap;
		bool slashes;
		uint64_t feed;	/* it was in this one; 0: nothing */
		const char *at, *next;
		bool several;
	} ahead;
	bool exports;		/* \N was seen: INTO OUTFILE, COPY */
	bool several;		/* the row at hand takes several lines */
};

/*
 * The row at p, which may go on behind an escaped newline; false: its end is
 * not in the window.
 */
bool pp_cl_batch_line(const struct pp_client *, struct pp_cl_batch *,
    const char *p, pp_str *line, const char **next);

/* Split it into b->cell. */
void pp_cl_batch_split(struct pp_client *, struct pp_cl_batch *, pp_str line);

/* A cell of b->cell, as it was meant, to c->cells. */
void pp_cl_batch_cell(struct pp_client *, struct pp_cl_batch *, pp_str s);

/* Does a backslash stand where the clients never leave one?  *exports: there
 * are cells of \N. */
bool pp_cl_batch_unescaped(pp_str s, bool *exports);

#endif
