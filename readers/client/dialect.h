/*
 * dialect.h: how the cells of a delimited file are told apart: SELECT ... INTO
 * OUTFILE and its options, CSV.
 */
#ifndef PP_CLIENT_DIALECT_H
#define PP_CLIENT_DIALECT_H

#include "parse.h"

#define PP_CL_MARK_MAX 32

struct pp_cl_mark {
	char p[PP_CL_MARK_MAX];
	size_t n;
};

struct pp_cl_dialect {
	struct pp_cl_mark fields, lines, starting;
	bool quoted;
	char quote;
	bool escapes;
	char escape;		/* may be the quote: doubled, "N, "0 */
	bool rfc;		/* quotes are doubled, and nothing else */
	bool any_line;		/* LF and CR LF both end a row */
	bool null_n;		/* \N was seen: the word NULL is text */
};

struct pp_cl_raw {
	pp_str s;		/* without the quotes */
	bool quoted;
	bool escaped;		/* an escape character stands in it */
	bool null;		/* "N */
};

/* The fields of a record. */
struct pp_cl_record {
	struct pp_cl_raw *v;	/* in an arena of the caller */
	size_t n, cap;
	struct pp_arena *arena;
	unsigned odd;		/* what the dialect does not explain */
	bool cut;		/* the text ends inside it */
	bool one_line;
};

/*
 * The record that begins at p; `columns`: how many fields are expected, 0:
 * not known.  *next stands behind its end.  False when its end is not in the
 * window.
 */
bool pp_cl_record_at(const struct pp_client *, const struct pp_cl_dialect *,
    const char *p, size_t columns, struct pp_cl_record *r,
    const char **next);

/* One more field, zeroed. */
struct pp_cl_raw *pp_cl_record_add(struct pp_cl_record *r);

/* The text of a field, in arena a where it is not as it stands. */
pp_str pp_cl_field_text(const struct pp_cl_dialect *,
    const struct pp_cl_raw *, struct pp_arena *a);

/*
 * The dialect of the text from the window's head on, from what it looks like
 * and what the command line says.  The number of columns, or 0: it is no
 * delimited text.
 */
size_t pp_cl_dialect_find(struct pp_client *, struct pp_cl_dialect *);

/* Does the command line say that the file is delimited? */
bool pp_cl_dialect_given(const struct pp_client *);

#endif
