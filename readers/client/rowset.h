/*
 * rowset.h: what the text of a database client comes down to: row sets.
 *
 * A row set is a result as a client printed or exported it: names of columns,
 * rows of cells, and what stood around it.  Nothing here knows what the
 * columns mean.  All text is UTF-8 where the encoding was known or found,
 * else the bytes of the file.
 */
#ifndef PP_ROWSET_H
#define PP_ROWSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../model/base/str.h"

/* How a row set was written. */
enum pp_form {
	PP_FORM_BOX,		/* table with borders, mysql -t */
	PP_FORM_BATCH,		/* TAB between cells, mysql -B */
	PP_FORM_VERTICAL,	/* a line a cell, \G */
	PP_FORM_HTML,
	PP_FORM_XML,
	PP_FORM_DELIM,		/* INTO OUTFILE, CSV and relatives */
	PP_FORM_FIXED,		/* columns of fixed width without borders */
	PP_FORM_INSERT,		/* INSERT statements */
	PP_FORM_JSON,
	PP_FORM_MARKDOWN,
	PP_FORM_COUNT
};

/* "box", "batch", ... */
const char *pp_form_name(enum pp_form f);

/* What a form cannot tell, as bits of pp_rowset.losses. */
#define PP_LOSS_NULL	0x01u	/* NULL and the text NULL are the same bytes */
#define PP_LOSS_EMPTY	0x02u	/* NULL and the empty text are the same */
#define PP_LOSS_NUL	0x04u	/* a NUL byte became a blank */
#define PP_LOSS_BLANKS	0x08u	/* trailing blanks of a cell are padding */
#define PP_LOSS_NAMES	0x10u	/* no names of columns */
#define PP_LOSS_SPLIT	0x20u	/* cells were told apart by guessing: the
				 * text is not as a client prints it */
#define PP_LOSS_CUT	0x40u	/* the form cuts long cells */
#define PP_LOSS_LINES	0x80u	/* line ends of a cell are lost */

enum pp_cell_state {
	PP_CELL_TEXT,
	PP_CELL_NULL,		/* surely NULL; the text is empty */
	PP_CELL_PERHAPS,	/* the bytes NULL (or nothing) where the form
				 * does not tell NULL from text */
	PP_CELL_CUT,		/* the input ends or breaks off inside it */
	PP_CELL_ABSENT		/* the row has no such cell: text is empty */
};

struct pp_rs_cell {
	pp_str text;
	enum pp_cell_state state;
};

/*
 * Is the cell NULL?  `number`: the column holds numbers or times, where the
 * text NULL cannot be a value.
 */
static inline bool
pp_rs_null(const struct pp_rs_cell *c, bool number)
{
	return c->state == PP_CELL_NULL || c->state == PP_CELL_ABSENT ||
	    (number && c->state == PP_CELL_PERHAPS);
}

/* A row; everything in it is valid during the call only. */
struct pp_rs_row {
	const struct pp_rs_cell *cells;
	size_t n;		/* cells: those of the set's columns, later
				 * ones PP_CELL_ABSENT; surplus ones follow */
	uint64_t line;		/* where it begins, from 1 */
	uint64_t offset;	/* of its first byte in the inflated file; in
				 * files that were converted from another
				 * encoding, of the first byte of its line */
	bool partial;		/* cut, or short of cells */
};

struct pp_rowset {
	enum pp_form form;
	unsigned losses;
	uint32_t number;	/* of the row sets of its source, from 1 */
	/* the columns; without names each is empty */
	const pp_str *names;
	size_t ncols;
	bool has_names;
	/*
	 * Where the set begins, and what led to it: the statement (typed at
	 * a prompt, echoed by -v, in the XML) without prompts and final ; or
	 * \G, else empty; the table of an INSERT, XML or JSON export, else
	 * empty; the last line of free text before it, else empty.
	 */
	uint64_t line, offset;
	pp_str statement;
	uint64_t statement_line;
	pp_str table;
	pp_str heading;
	/*
	 * The first rows (up to PP_RS_SAMPLE), for match: sets without names
	 * are known by what their cells look like.
	 */
	const struct pp_rs_row *sample;
	size_t nsample;
	/* known when it ends: */
	uint64_t rows;		/* delivered */
	bool has_footer;
	uint64_t footer_rows;	/* "N rows in set" */
	bool head_cut;		/* rows without the head of their table */
	bool tail_cut;		/* the input ends or breaks off before the
				 * set is complete */
};
#define PP_RS_SAMPLE 4

/* The column called `name`, ignoring case; -1: there is none. */
int pp_rs_column(const struct pp_rowset *rs, const char *name);

/* Do a and b say the same, ignoring the case of ASCII letters? */
bool pp_rs_same(pp_str a, const char *b);

#endif
