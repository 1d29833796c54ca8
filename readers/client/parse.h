/*
 * parse.h: what the parsers of the forms share.
 *
 * A parser looks at the window: decoded text from where the last parser
 * stopped to what has been fed so far.  It works in steps.  A step takes at
 * least one byte and returns PP_CL_GO, or takes nothing and returns
 * PP_CL_MORE when it must see more to decide (never when `last` is set), or
 * returns PP_CL_OVER when its row set ends before the window's first byte.
 */
#ifndef PP_CLIENT_PARSE_H
#define PP_CLIENT_PARSE_H

#include "client.h"

enum pp_cl_step { PP_CL_GO, PP_CL_MORE, PP_CL_OVER };

/* How text is measured in display cells (width.c). */
enum pp_cl_measure {
	PP_CL_WIDE_ONE,		/* beyond the BMP 1, combining marks 1: MariaDB */
	PP_CL_WIDE_NONE,	/* beyond the BMP 0: MySQL */
	PP_CL_TERMINAL,		/* wcwidth: mycli, psql */
	PP_CL_BYTES,		/* each byte 1: an encoding that is not known */
	PP_CL_CHARS,		/* each character 1 */
	PP_CL_MEASURES
};

/* More columns than any server has: not a table. */
#define PP_CL_COLUMNS 4096

struct pp_cl_form {
	enum pp_cl_step (*step)(struct pp_client *);
	/* the input is over and the window empty; may be NULL */
	void (*finish)(struct pp_client *);
	/* nobody wants more of the input: free what is no memory of mem, the
	 * parsers of libraries; may be NULL */
	void (*drop)(struct pp_client *);
};

struct pp_cl_text;
struct pp_cl_dumps;

struct pp_client {
	struct pp_mem *mem;
	struct pp_client_sink sink;
	struct pp_client_options opt;
	char *path;		/* of the file; NULL */
	bool fatal;

	/* the window */
	const char *p, *e;
	bool last;		/* nothing comes after e */
	size_t want;		/* bytes that the next step must see */
	uint64_t taken;		/* bytes taken so far */
	uint64_t feeds;		/* pieces fed so far: pointers into the
				 * window are of one of them */
	unsigned strips;	/* prefixes that were taken off */
	uint64_t strip_at;	/* offset + 1 of the line of the last one */
	uint64_t line;		/* of p */
	bool fresh;		/* p is the first byte of the text */
	bool crlf;		/* lines end in CR LF: not part of cells */
	bool utf8;		/* the text is UTF-8, not bytes of unknown
				 * encoding */
	struct pp_cl_text *text;

	/* the open form and what it remembers */
	const struct pp_cl_form *form;
	struct pp_arena form_mem;	/* lives until the form is over */
	void *state;			/* in form_mem */

	/* the open row set */
	struct pp_rowset rs;
	struct pp_arena set_mem;	/* names, statement: of the set */
	bool set;		/* there is one */
	bool begun;		/* the sink knows */
	bool awaits;		/* complete but for its footer */
	bool cut_row;		/* its last row breaks off, which was told */
	uint32_t sets;
	unsigned told;		/* losses of this file that were told */

	/* the row that is being put together, and its texts */
	struct pp_rs_cell *cells;
	size_t ncells, cells_cap;
	struct pp_arena row_mem;
	uint64_t row_line, row_offset;	/* of a row of several steps */

	/* rows held back until the set can be matched */
	struct pp_rs_row held[PP_RS_SAMPLE];
	size_t nheld;
	struct pp_arena held_mem;

	/* what stands before the next row set */
	char *stmt;		/* typed so far */
	size_t nstmt, stmt_cap;
	uint64_t stmt_line, stmt_offset;
	bool scripted;		/* it came without a prompt */
	bool typing;		/* the statement goes on in the next line */
	bool typed;		/* stmt is complete */
	char *heading;
	size_t nheading, heading_cap;
	char quote;		/* the statement is inside quotes */

	/* names of the columns of a file of INTO OUTFILE, when something
	 * tells them: the .sql beside it, --columns */
	const pp_str *tab_names;	/* in names_mem */
	size_t ntab_names;
	bool names_sought;
	struct pp_arena names_mem;

	unsigned delim_attempts;

	struct pp_cl_dumps *dumps;	/* tables known by CREATE TABLE */
	enum pp_cl_measure measure;	/* that fitted last */
};

/* --- text.c: bytes to text --------------------------------------------- */

struct pp_cl_text *pp_cl_text_open(struct pp_client *);
void pp_cl_text_close(struct pp_client *);

/* Add bytes to the window. */
void pp_cl_text_feed(struct pp_client *, pp_str bytes, uint64_t offset,
    bool last);

/* Keep what is left of the window, for the bytes fed are about to go. */
void pp_cl_text_keep(struct pp_client *);

/* Offset in the file of a byte of the window. */
uint64_t pp_cl_offset(const struct pp_client *, const char *at);
uint64_t pp_cl_line_at(const struct pp_client *, const char *at);

/* Take the window's first bytes, up to `to`. */
void pp_cl_take(struct pp_client *, const char *to);

/* The same where that is one line with its end. */
void pp_cl_take_line(struct pp_client *, const char *to);

/*
 * Leave out a prefix of lines from here on: a run of blanks, "-- ", "3. ".
 * `shape` is the prefix of the line at hand; false where it is none.
 */
bool pp_cl_strip(struct pp_client *, pp_str shape);

/* --- width.c ------------------------------------------------------------ */

/* Cells of the character at p (p < e) and its length in *n. */
unsigned pp_cl_width_char(enum pp_cl_measure, const char *p, const char *e,
    size_t *n);

/* Cells of s. */
size_t pp_cl_width(enum pp_cl_measure, pp_str s);

/* --- emit.c: row sets to the sink --------------------------------------- */

/*
 * Begin a row set (the one before ends).  names may be NULL: no names.  Line
 * and offset are those of `at`, in the window.
 */
void pp_cl_set(struct pp_client *, enum pp_form, unsigned losses,
    const pp_str *names, size_t ncols, const char *at);

/* The set's table (before its first row). */
void pp_cl_set_table(struct pp_client *, pp_str table);

/* The statement that the form itself tells (XML). */
void pp_cl_set_statement(struct pp_client *, pp_str text, uint64_t line);

/* Rows of a set without names had more cells than expected. */
void pp_cl_set_widen(struct pp_client *, size_t ncols);

static inline void
pp_cl_row_begin(struct pp_client *c)
{
	c->ncells = 0;
	pp_arena_reset(&c->row_mem);
}

static inline void
pp_cl_cell(struct pp_client *c, pp_str text, enum pp_cell_state state)
{
	struct pp_rs_cell *x;

	if (c->ncells == c->cells_cap) {
		void *v = c->cells;

		pp_mem_grow(c->mem, &v, &c->cells_cap, c->ncells + 1,
		    sizeof(*c->cells));
		c->cells = v;
	}
	x = &c->cells[c->ncells++];
	x->text = text;
	x->state = state;
}

/* A cell of a form in which NULL is the text NULL. */
static inline void
pp_cl_plain_cell(struct pp_client *c, pp_str text)
{
	pp_cl_cell(c, text, text.n == 4 && memcmp(text.p, "NULL", 4) == 0 ?
	    PP_CELL_PERHAPS : PP_CELL_TEXT);
}

/* The row is complete; it begins at `at` in the window. */
void pp_cl_row(struct pp_client *, const char *at, bool partial);
void pp_cl_row_at(struct pp_client *, uint64_t line, uint64_t offset,
    bool partial);

/* The rows are over; a footer may follow. */
void pp_cl_set_done(struct pp_client *, bool cut);

/* The set ends here. */
void pp_cl_set_close(struct pp_client *);

/* "N rows in set": of the set that awaits it, else false. */
bool pp_cl_set_footer(struct pp_client *, uint64_t rows);

/* Would somebody want columns of these names? */
int pp_cl_known(struct pp_client *, enum pp_form, const pp_str *names,
    size_t n);

/* Would somebody want these rows without names, by what they look like? */
int pp_cl_known_rows(struct pp_client *, enum pp_form,
    const struct pp_rs_row *rows, size_t n);

void pp_cl_note(struct pp_client *, enum pp_note_kind, pp_str text,
    uint64_t line, uint64_t offset);
void pp_cl_problem(struct pp_client *, enum pp_msg, const char *at,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Open a form; its state of `size` bytes, zeroed. */
void *pp_cl_form(struct pp_client *, const struct pp_cl_form *, size_t size);

/* s without the CR of each CR LF, in row_mem where there is one. */
pp_str pp_cl_no_cr(struct pp_client *, pp_str s);

/* --- named.c: rows whose cells bring their names --------------------------- */

struct pp_cl_named {
	pp_str *v;		/* in form_mem; texts live as long as the row */
	size_t n, cap;
	pp_str table;
};

void pp_cl_named_add(struct pp_client *, struct pp_cl_named *, pp_str name);

/*
 * The row of c->cells under these names: of the open set, if its names are the
 * same in whatever order or fewer, else of a new one.
 */
void pp_cl_named_row(struct pp_client *, struct pp_cl_named *, const char *at,
    bool cut);

/* --- entity.c ------------------------------------------------------------- */

/* s with its &amp; and the like resolved, in row_mem where there are any. */
pp_str pp_cl_entities(struct pp_client *, pp_str s);

/* UTF-8 of u at to (room for 4); its length. */
size_t pp_cl_put_utf8(char *to, uint32_t u);

/* --- lines.c: lines and what they look like ------------------------------ */

/*
 * The line at p: up to its LF, without it and a CR before it; *next stands
 * behind.  False when its end is not in the window yet.
 */
static inline bool
pp_cl_line(const struct pp_client *c, const char *p, pp_str *line,
    const char **next)
{
	const char *nl = p < c->e ?
	    memchr(p, '\n', (size_t)(c->e - p)) : NULL;
	const char *end = nl != NULL ? nl : c->e;

	if (nl == NULL && !c->last)
		return false;
	*next = nl != NULL ? nl + 1 : c->e;
	if (end > p && end[-1] == '\r')
		end--;
	*line = (pp_str){p, (size_t)(end - p)};
	return true;
}

/* The input ends at `next`, and no line end stands before it. */
static inline bool
pp_cl_open_end(const struct pp_client *c, const char *next)
{
	return next == c->e && c->last && next > c->p && next[-1] != '\n' &&
	    !(c->crlf && next[-1] == '\r');
}

/* Could a last cell that nothing ends go on where it was cut off? */
bool pp_cl_may_go_on(pp_str cell);

bool pp_cl_blank(pp_str line);
bool pp_cl_number(pp_str s);		/* digits, sign, point, exponent */
bool pp_cl_identifier(pp_str s);	/* could name a column */

/* "N rows in set (0.00 sec)" and the like: *rows; "(N rows)" of psql. */
bool pp_cl_is_footer(pp_str line, uint64_t *rows);
bool pp_cl_is_empty_set(pp_str line);

/* A prompt of a client at the head of the line: its length, or 0.  *more: of
 * a continuation line. */
size_t pp_cl_prompt(pp_str line, bool *more);

/* "*** 3. row ***": the number, or 0.  "-[ RECORD 3 ]-" as well. */
uint64_t pp_cl_row_header(pp_str line);

/* Dots where an author left lines out. */
bool pp_cl_elision(pp_str line);

/* A line that cannot be text of a cell: it ends a record of lines. */
bool pp_cl_ends_record(pp_str line);

/* --- rule.c: borders ------------------------------------------------------ */

enum pp_cl_rule_kind {
	PP_CL_RULE_NONE,
	PP_CL_RULE_BOX,		/* +---+---+ */
	PP_CL_RULE_BAR,		/* |---+---| and |---|---| */
	PP_CL_RULE_OPEN,	/* ---+--- of psql */
	PP_CL_RULE_RULER	/* ---  --- of reStructuredText and simple */
};

struct pp_cl_rule {
	enum pp_cl_rule_kind kind;
	bool grid;		/* made of '=' */
	bool aligned;		/* has ':' */
	pp_str bar;		/* between the cells of a row */
	size_t *w;		/* cells of each column */
	size_t n;
};

/* Is the line a border?  Widths in arena a. */
bool pp_cl_is_rule(pp_str line, struct pp_cl_rule *r, struct pp_arena *a);

/* Does the line look like one, at its first bytes? */
bool pp_cl_rule_like(pp_str line);

/* --- boxrow.c: a row of a table with bars ---------------------------------- */

/* A table with bars, as far as it is known. */
struct pp_cl_table {
	struct pp_cl_rule rule;	/* no widths: w is NULL */
	pp_str *cell;		/* rule.n of the row at hand, with padding */
	bool *missing;		/* likewise: nothing between its bars */
	bool joined;		/* the row at hand was put together from lines
				 * by guessing */
	bool cut;		/* the row at hand breaks off */
};

/*
 * The row that begins at p, counted out by the widths; *next stands behind
 * its line.  PP_CL_OVER: the widths do not fit.
 */
enum pp_cl_step pp_cl_count_row(struct pp_client *, struct pp_cl_table *,
    const char *p, const char **next);

/* The same by its bars alone, where widths do not help. */
enum pp_cl_step pp_cl_split_row(struct pp_client *, struct pp_cl_table *,
    const char *p, const char **next);

/* A cell without padding: numbers stand at the right. */
pp_str pp_cl_unpad(pp_str cell);

/* Bars in a line. */
size_t pp_cl_bars(pp_str line, pp_str bar);

/* --- the forms ------------------------------------------------------------ */

/*
 * Each looks at the line where the window begins, between row sets, and
 * opens its form (taking what it likes) or says PP_CL_OVER: not mine.
 */
enum pp_cl_step pp_cl_try_box(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_bars(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_vertical(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_batch(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_html(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_xml(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_json(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_sql(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_delim(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_fixed(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_columns(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_markup(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_literal(struct pp_client *, pp_str line);
enum pp_cl_step pp_cl_try_one_line(struct pp_client *, pp_str line);

/* Fill in tab_names, where something tells them (sql.c). */
void pp_cl_find_names(struct pp_client *);

/* Rows with bars below names that are known (box.c). */
void pp_cl_open_box(struct pp_client *, const pp_str *names, size_t n,
    pp_str bar, unsigned losses);

/* between.c: what is not a row set. */
enum pp_cl_step pp_cl_between(struct pp_client *);

/* Pass over the line at hand as text. */
void pp_cl_pass(struct pp_client *);

/* s was typed before what follows it on its line. */
void pp_cl_typed(struct pp_client *, pp_str s);

/* Blanks of the text that are no ASCII become blanks from here on (text.c). */
bool pp_cl_plain_blanks(struct pp_client *);

/* The statement that was typed is complete and leads to what follows. */
void pp_cl_statement_done(struct pp_client *);

#endif
