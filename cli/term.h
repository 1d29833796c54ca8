/*
 * term.h: a report made of text: how wide, which glyphs, what colour; lists
 * with aligned columns and bars.
 *
 * What is piped or written to a file looks the same everywhere: 80 columns,
 * UTF-8, no colour.  Only a terminal is asked what it can do.
 */
#ifndef PP_CLI_TERM_H
#define PP_CLI_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../model/base/mem.h"
#include "../model/base/num.h"

enum pp_ink {
	PP_INK_PLAIN,
	PP_INK_TITLE,
	PP_INK_DIM,
	PP_INK_GREEN,
	PP_INK_BLUE,
	PP_INK_YELLOW,
	PP_INK_MAGENTA,
	PP_INK_CYAN,
	PP_INK_RED,
	PP_INK_GREY,
	PP_INK_COUNT
};

struct pp_page {
	FILE *to;
	uint32_t width;
	bool colour;
	bool utf8;
	size_t blanks;		/* owed before what comes next in the line */
};

/* The page on stdout; width 0: as wide as the terminal. */
void pp_page_open(struct pp_page *p, uint32_t width);

/* The page in a file: width 0 is 80. */
void pp_page_open_file(struct pp_page *p, FILE *to, uint32_t width);

void pp_page_ink(struct pp_page *p, enum pp_ink ink);

/* Columns that s takes; what cannot be printed counts as it is shown. */
size_t pp_page_columns(struct pp_page *p, pp_str s);

/*
 * Print s in at most `room` columns, cut with an ellipsis; blanks, line ends
 * and controls become one blank, bytes that are no text become `?`.  Returns
 * the columns taken.
 */
size_t pp_page_text(struct pp_page *p, pp_str s, size_t room);

/* Blanks; those at the end of a line are never written. */
void pp_page_blanks(struct pp_page *p, size_t n);

/* The glyph n times. */
void pp_page_repeat(struct pp_page *p, const char *glyph, size_t n);

void pp_page_end(struct pp_page *p);	/* of the line */

/*
 * How many bytes of s go on a line of `room` columns, up to the last blank
 * that fits; all of it where it fits, at least one character.
 */
size_t pp_page_fit(struct pp_page *p, pp_str s, size_t room);

/* An empty line, then the title of a section with a rule and a remark. */
void pp_page_title(struct pp_page *p, const char *title,
    const char *remark);

/* A bar of `eighths` of a column in `room` columns. */
void pp_page_bar(struct pp_page *p, size_t eighths, size_t room);

/* ---- lists ---- */

enum pp_list_kind {
	PP_LIST_LEFT,		/* text, as wide as it is */
	PP_LIST_RIGHT,		/* numbers */
	PP_LIST_FLEX,		/* text that gives way; one a list */
	PP_LIST_BAR		/* takes what is left; one a list */
};

struct pp_list_column {
	const char *head;
	enum pp_list_kind kind;
	uint32_t from;		/* only on pages this wide */
};

struct pp_list {
	struct pp_page *page;
	struct pp_arena text;
	const struct pp_list_column *columns;
	size_t ncolumns;
	struct pp_list_row *rows;
	size_t n, cap;
	size_t column;		/* the next cell of the last row */
};

void pp_list_open(struct pp_list *l, struct pp_page *p,
    struct pp_mem *mem, const struct pp_list_column *columns, size_t n);

/* Begin a row; its bar is printed in this ink. */
void pp_list_row(struct pp_list *l, enum pp_ink ink);

/* The cells of the row, from left to right. */
void pp_list_text(struct pp_list *l, pp_str s);
void pp_list_indented(struct pp_list *l, size_t indent, pp_str s);
void pp_list_blank(struct pp_list *l);
void pp_list_count(struct pp_list *l, uint64_t n);
void pp_list_decimal(struct pp_list *l, pp_i128 v, unsigned scale);
void pp_list_bar(struct pp_list *l, pp_i128 v);

/* A line below the row, cut to the page. */
void pp_list_note(struct pp_list *l, pp_str s);

/* The same, whole: broken at blanks over as many lines as it needs. */
void pp_list_paragraph(struct pp_list *l, pp_str s);

/* A rule above the row: it is a total. */
void pp_list_total(struct pp_list *l);

/* Print all, free all. */
void pp_list_print(struct pp_list *l);

/* 1234567 as 1,234,567; buf has room for 28. */
pp_str pp_count_text(char *buf, uint64_t n);

#endif
