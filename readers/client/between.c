/*
 * between.c: what stands between row sets: prompts and what is typed there,
 * footers, messages of the client, free text; and which form begins where.
 *
 * The statement that a row set answers is what was typed before it at a
 * prompt, echoed by -v between two lines of dashes, or written above it in a
 * script that ends its statements with a semicolon.
 */
#include "dialect.h"
#include "parse.h"
#include "sql.h"

/* Longer things are no statement of a session but text. */
#define STATEMENT_MAX ((size_t)1 << 20)

/* Bytes without a line end in which the head of an INSERT is complete. */
#define ENDLESS ((size_t)48 << 10)

static void
append(struct pp_client *c, char **v, size_t *n, size_t *cap, pp_str s)
{
	void *p = *v;

	pp_mem_grow(c->mem, &p, cap, *n + s.n + 1, 1);
	*v = p;
	if (s.n != 0)
		memcpy(*v + *n, s.p, s.n);
	*n += s.n;
}

/* --------------------------------------------------------------- statements */

static pp_str
without_end(pp_str s)
{
	for (;;) {
		s = pp_str_trim(s);
		while (s.n > 0 && (s.p[0] == '\n'))
			s = pp_str_skip(s, 1);
		if (s.n > 0 && (s.p[s.n - 1] == ';' || s.p[s.n - 1] == '\n'))
			s.n--;
		else if (s.n > 1 && s.p[s.n - 2] == '\\' &&
		    (s.p[s.n - 1] == 'G' || s.p[s.n - 1] == 'g'))
			s.n -= 2;
		else
			return s;
	}
}

void
pp_cl_statement_done(struct pp_client *c)
{
	pp_str s = without_end((pp_str){c->stmt, c->nstmt});

	if (!c->typing)
		return;
	c->typing = false;
	c->quote = '\0';
	/* without a prompt and without an end it was no statement */
	if (s.n == 0 || (c->scripted && s.n == c->nstmt &&
	    memchr(s.p, '\n', s.n) != NULL)) {
		c->nstmt = 0;
		return;
	}
	memmove(c->stmt, s.p, s.n);
	c->nstmt = s.n;
	c->typed = true;
	pp_cl_note(c, PP_NOTE_STATEMENT, s, c->stmt_line, c->stmt_offset);
}

static void
forget_statement(struct pp_client *c)
{
	c->typing = c->typed = false;
	c->nstmt = 0;
	c->quote = '\0';
}

/* Step over a comment that begins at s.p[i]; the byte behind. */
static size_t
comment(pp_str s, size_t i)
{
	if (s.p[i] == '#' || (s.p[i] == '-' && i + 2 < s.n &&
	    s.p[i + 1] == '-' && (s.p[i + 2] == ' ' || s.p[i + 2] == '\t')))
		return s.n;
	return i;
}

/*
 * What is typed: s is appended, and every statement that ends in it is told;
 * the last of them stays.
 */
static void
type(struct pp_client *c, pp_str s, const char *at)
{
	size_t i = 0, from = 0;
	bool end;

	if (!c->typing) {
		c->nstmt = 0;
		c->typed = false;
		c->quote = '\0';
		c->stmt_line = pp_cl_line_at(c, at);
		c->stmt_offset = pp_cl_offset(c, at);
	}
	c->typing = true;
	if (c->nstmt != 0)
		append(c, &c->stmt, &c->nstmt, &c->stmt_cap, PP_STR("\n"));
	while (i < s.n) {
		char ch = s.p[i++];

		if (c->quote != '\0') {
			if (ch == '\\' && c->quote != '`')
				i++;
			else if (ch == c->quote)
				c->quote = '\0';
			continue;
		}
		if (ch == '\'' || ch == '"' || ch == '`') {
			c->quote = ch;
			continue;
		}
		if (comment(s, i - 1) == s.n)
			break;
		end = ch == ';' || (ch == '\\' && i < s.n &&
		    (s.p[i] == 'G' || s.p[i] == 'g'));
		if (!end)
			continue;
		i += ch == '\\';
		append(c, &c->stmt, &c->nstmt, &c->stmt_cap,
		    (pp_str){s.p + from, i - from});
		from = i;
		pp_cl_statement_done(c);
		if (pp_cl_blank(pp_str_skip(s, i)) ||
		    comment(s, i + (s.p[i] == ' ')) == s.n)
			return;
		if (pp_str_eq(pp_str_trim(pp_str_skip(s, i)), PP_STR(";")))
			return;
		c->nstmt = 0;
		c->typed = false;
		c->typing = true;
	}
	append(c, &c->stmt, &c->nstmt, &c->stmt_cap, pp_str_skip(s, from));
}

/* Words that the clients take for themselves: they need no semicolon. */
static bool
own_command(pp_str s)
{
	static const char *const words[] = {"use", "tee", "notee", "exit",
	    "quit", "help", "status", "source", "delimiter", "pager",
	    "nopager", "prompt", "rehash", "charset", "connect", "clear",
	    "edit", "ego", "go", "print", "system", "warnings", "nowarning",
	    "resetconnection"};
	size_t n = 0, i;

	s = pp_str_trim(s);
	if (s.n == 0 || s.p[0] == '\\')
		return true;
	while (n < s.n && s.p[n] != ' ' && s.p[n] != ';')
		n++;
	s.n = n;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (pp_rs_same(s, words[i]))
			return true;
	return false;
}

/* Does it begin like a statement of SQL? */
static bool
statement_like(pp_str s)
{
	static const char *const words[] = {"show", "select", "set", "call",
	    "explain", "describe", "desc", "analyze", "with", "insert",
	    "update", "delete", "replace", "alter", "create", "drop",
	    "truncate", "flush", "optimize", "commit", "begin", "start",
	    "rollback", "do", "load", "kill"};
	size_t n = 0, i;

	s = pp_str_trim(s);
	while (n < s.n && ((s.p[n] >= 'a' && s.p[n] <= 'z') ||
	    (s.p[n] >= 'A' && s.p[n] <= 'Z')))
		n++;
	if (n == s.n || (s.p[n] != ' ' && s.p[n] != ';'))
		return false;
	s.n = n;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (pp_rs_same(s, words[i]))
			return true;
	return false;
}

void
pp_cl_typed(struct pp_client *c, pp_str s)
{
	pp_cl_statement_done(c);
	forget_statement(c);
	c->scripted = false;
	type(c, s, s.p);
	pp_cl_statement_done(c);
}

static enum pp_cl_step
prompt_line(struct pp_client *c, pp_str line, size_t n, bool more,
    const char *next)
{
	pp_str s = pp_str_skip(line, n);

	if (!more) {
		pp_cl_statement_done(c);
		forget_statement(c);
		c->nheading = 0;
	}
	if (more || !pp_cl_blank(s)) {
		type(c, s, c->p);
		c->scripted = false;
		if (!more && c->typing && own_command(s))
			pp_cl_statement_done(c);
	}
	pp_cl_take(c, next);
	return PP_CL_GO;
}

/* -v: the statement between two lines of dashes. */
static enum pp_cl_step
echo(struct pp_client *c, const char *next)
{
	const char *p = next, *behind;
	pp_str line, s;

	for (;; p = behind) {
		if (p == c->e && c->last)
			return PP_CL_OVER;
		if ((size_t)(p - next) > STATEMENT_MAX)
			return PP_CL_OVER;
		if (!pp_cl_line(c, p, &line, &behind))
			return PP_CL_MORE;
		if (pp_str_eq(line, PP_STR("--------------")))
			break;
	}
	s = without_end((pp_str){next, (size_t)(p - next)});
	forget_statement(c);
	c->nheading = 0;
	c->stmt_line = pp_cl_line_at(c, next);
	c->stmt_offset = pp_cl_offset(c, next);
	append(c, &c->stmt, &c->nstmt, &c->stmt_cap, s);
	c->typing = true;
	pp_cl_statement_done(c);
	pp_cl_take(c, behind);
	return PP_CL_GO;
}

/* ------------------------------------------------------------------- notes */

/* What the clients say when they connect. */
static bool
is_banner(pp_str s)
{
	static const char *const heads[] = {"Your MySQL connection id is ",
	    "Your MariaDB connection id is ", "Connection id:    ",
	    "Welcome to the MySQL monitor", "Welcome to the MariaDB monitor"};
	size_t i;

	for (i = 1; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (pp_str_starts(s, pp_str_from(heads[i - 1])))
			return true;
	return false;
}

static bool
is_ok(pp_str s)
{
	return pp_str_starts(s, PP_STR("Query OK, ")) ||
	    pp_str_eq(s, PP_STR("Database changed"));
}

static bool
is_error(pp_str s)
{
	return pp_str_starts(s, PP_STR("ERROR ")) && s.n > 6 &&
	    ((s.p[6] >= '0' && s.p[6] <= '9') ||
	    pp_str_starts(pp_str_skip(s, 6), PP_STR("at line")) ||
	    pp_str_starts(pp_str_skip(s, 6), PP_STR("(")) );
}

static bool
note_line(struct pp_client *c, pp_str line)
{
	enum pp_note_kind kind;
	pp_str s = pp_str_trim(line);

	while (s.n > 0 && s.p[0] == '\a')
		s = pp_str_skip(s, 1);
	if (is_banner(s))
		kind = PP_NOTE_CONNECT;
	else if (is_ok(s))
		kind = PP_NOTE_OK;
	else if (is_error(s))
		kind = PP_NOTE_ERROR;
	else if (pp_cl_is_empty_set(s))
		kind = PP_NOTE_EMPTY;
	else
		return false;
	pp_cl_statement_done(c);
	if (kind == PP_NOTE_EMPTY)
		s = (pp_str){c->stmt, c->typed ? c->nstmt : 0};
	pp_cl_note(c, kind, s, c->line, pp_cl_offset(c, c->p));
	forget_statement(c);
	c->nheading = 0;
	return true;
}

static void
text_line(struct pp_client *c, pp_str line)
{
	pp_str s = pp_str_trim(line);

	c->nheading = 0;
	if (s.n <= 4096)
		append(c, &c->heading, &c->nheading, &c->heading_cap, s);
	pp_cl_note(c, PP_NOTE_TEXT, s, c->line, pp_cl_offset(c, c->p));
}

void
pp_cl_pass(struct pp_client *c)
{
	const char *nl = memchr(c->p, '\n', (size_t)(c->e - c->p));

	c->form = NULL;
	pp_cl_set_close(c);
	text_line(c, (pp_str){c->p, (size_t)((nl != NULL ? nl : c->e) -
	    c->p)});
	pp_cl_take(c, nl != NULL ? nl + 1 : c->e);
}

/* ------------------------------------------------------------------- forms */

typedef enum pp_cl_step try_fn(struct pp_client *, pp_str);

/* In the order of how sure they are. */
static try_fn *const forms[] = {
	pp_cl_try_xml,
	pp_cl_try_html,
	pp_cl_try_json,
	pp_cl_try_vertical,
	pp_cl_try_box,
	pp_cl_try_sql,
	pp_cl_try_markup,
	pp_cl_try_literal,
	pp_cl_try_columns,
	pp_cl_try_bars,
};

/* Those that take any line with a separator in it. */
static try_fn *const loose_forms[] = {
	pp_cl_try_fixed,
	pp_cl_try_delim,
	pp_cl_try_batch,
};

/* Lines of a dump of SQL that hold no rows. */
static bool
is_comment(pp_str s)
{
	return pp_str_starts(s, PP_STR("/*!")) ||
	    pp_str_starts(s, PP_STR("/*M!")) ||
	    (pp_str_starts(s, PP_STR("-- ")) && (s.n < 4 ||
	    (s.p[3] != '|' && s.p[3] != '+' && s.p[3] != '*')));
}

static enum pp_cl_step
try_forms(struct pp_client *c, try_fn *const *v, size_t n, pp_str line)
{
	enum pp_cl_step r;
	size_t i;

	for (i = 0; i < n; i++) {
		r = v[i](c, line);
		if (r != PP_CL_OVER)
			return r;
	}
	return PP_CL_OVER;
}
#define TRY(c, v, line) try_forms(c, v, sizeof(v) / sizeof((v)[0]), line)

/* Would the line without its first n bytes begin a table or record? */
static bool
begins_table(struct pp_client *c, pp_str line, size_t n)
{
	struct pp_cl_rule rule;
	pp_str s = pp_str_skip(line, n);
	bool more;

	if (s.n < 3)
		return false;
	if (pp_cl_row_header(s) != 0)
		return true;
	pp_arena_reset(&c->row_mem);
	if (s.p[0] == '+')
		return pp_cl_is_rule(s, &rule, &c->row_mem);
	if (s.p[0] == '|')
		return pp_str_ends(pp_str_trim(s), PP_STR("|")) &&
		    pp_cl_bars(s, PP_STR("|")) > 2;
	return line.p[0] >= '0' && line.p[0] <= '9' &&
	    pp_cl_prompt(s, &more) != 0;
}

/* A prefix that a paste or note put before every line. */
static size_t
prefix_of(pp_str line)
{
	size_t i = 0, digits, end;
	bool numbered;

	while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
		i++;
	digits = i;
	while (i < line.n && line.p[i] >= '0' && line.p[i] <= '9')
		i++;
	numbered = i > digits;
	if (numbered) {
		if (i < line.n && (line.p[i] == '.' || line.p[i] == ')' ||
		    line.p[i] == ':'))
			i++;
	} else {
		while (i < line.n && i < 8 &&
		    memchr("-#/<>%;!", line.p[i], 8) != NULL)
			i++;
	}
	end = i;
	while (i < line.n && i < 60 &&
	    (line.p[i] == ' ' || line.p[i] == '\t'))
		i++;
	/* a number without anything behind it is no prefix */
	return numbered && i == end ? 0 : i;
}

static bool
strip(struct pp_client *c, pp_str line)
{
	size_t n = prefix_of(line);
	uint64_t offset = pp_cl_offset(c, c->p);

	/* once for a line: what is left of it may have a prefix of its own,
	 * but the same filter finds nothing more */
	if (c->strip_at == offset + 1)
		return false;
	c->strip_at = offset + 1;
	return n != 0 && begins_table(c, line, n) &&
	    pp_cl_strip(c, (pp_str){line.p, n});
}

/*
 * Text copied from a page has no-break spaces where blanks were.  Is the line
 * one that matters, but for them?
 */
static bool
pasted_blanks(struct pp_client *c, pp_str line)
{
	char *to;
	size_t i, n = 0;
	uint64_t rows;
	pp_str s;
	bool more;

	if (pp_str_find(line, PP_STR("\xc2\xa0")) == line.n)
		return false;
	to = pp_arena_alloc(&c->held_mem, line.n + 1);
	for (i = 0; i < line.n; i++) {
		if (line.p[i] == '\xc2' && i + 1 < line.n &&
		    line.p[i + 1] == '\xa0') {
			to[n++] = ' ';
			i++;
		} else {
			to[n++] = line.p[i];
		}
	}
	s = (pp_str){to, n};
	i = prefix_of(s);
	return (begins_table(c, s, i) || begins_table(c, s, 0) ||
	    pp_cl_is_footer(s, &rows) || pp_cl_prompt(s, &more) != 0) &&
	    pp_cl_plain_blanks(c);
}

/* A statement without a prompt. */
static bool
script_line(struct pp_client *c, pp_str line)
{
	if (!(c->typing && c->scripted) && !statement_like(line))
		return false;
	if (c->nstmt > STATEMENT_MAX)
		return false;
	if (!c->typing)
		c->nheading = 0;
	type(c, line, c->p);
	c->scripted = true;
	return true;
}

/*
 * A line whose end is far: mysqldump writes an INSERT of megabytes on one,
 * and the client a table of HTML, which its head tells; so it does of XML and
 * JSON.
 */
static enum pp_cl_step
endless(struct pp_client *c)
{
	pp_str rest = {c->p, (size_t)(c->e - c->p)};
	const char *p = c->p;
	enum pp_cl_step r;

	if (rest.n < ENDLESS)
		return PP_CL_MORE;
	if (*p != '<' && *p != '[' && *p != '{' &&
	    !pp_client_sql_word(&p, c->e, "insert") &&
	    !pp_client_sql_word(&p, c->e, "replace"))
		return PP_CL_MORE;
	pp_cl_set_close(c);
	r = pp_cl_try_xml(c, rest);
	if (r == PP_CL_OVER)
		r = pp_cl_try_html(c, rest);
	if (r == PP_CL_OVER)
		r = pp_cl_try_json(c, rest);
	if (r == PP_CL_OVER)
		r = pp_cl_try_sql(c, rest);
	return r == PP_CL_OVER ? PP_CL_MORE : r;
}

enum pp_cl_step
pp_cl_between(struct pp_client *c)
{
	enum pp_cl_step r;
	const char *next;
	uint64_t rows;
	pp_str line;
	size_t n;
	bool more;

	if (!pp_cl_line(c, c->p, &line, &next))
		return endless(c);
	if (pp_cl_blank(line)) {
		if (c->typing && c->scripted)
			pp_cl_statement_done(c);
		pp_cl_take(c, next);
		return PP_CL_GO;
	}
	if (pp_cl_is_footer(line, &rows) && pp_cl_set_footer(c, rows)) {
		pp_cl_take(c, next);
		return PP_CL_GO;
	}
	pp_cl_set_close(c);
	if (pp_cl_dialect_given(c) && c->fresh) {
		r = pp_cl_try_fixed(c, line);
		if (r == PP_CL_OVER)
			r = pp_cl_try_delim(c, line);
		if (r != PP_CL_OVER)
			return r;
	}
	r = pp_cl_try_one_line(c, line);
	if (r != PP_CL_OVER)
		return r;
	n = pp_cl_prompt(line, &more);
	if (n != 0)
		return prompt_line(c, line, n, more, next);
	if (pp_str_eq(line, PP_STR("--------------"))) {
		r = echo(c, next);
		if (r != PP_CL_OVER)
			return r;
	}
	if (note_line(c, line)) {
		pp_cl_take(c, next);
		return PP_CL_GO;
	}
	if (c->typing && c->quote != '\0' && c->nstmt < STATEMENT_MAX) {
		type(c, line, c->p);
		pp_cl_take(c, next);
		return PP_CL_GO;
	}
	r = is_comment(line) ? PP_CL_OVER : TRY(c, forms, line);
	if (r != PP_CL_OVER)
		return r;
	if (strip(c, line) || pasted_blanks(c, line))
		return PP_CL_GO;
	if (statement_like(line))
		r = pp_str_ends(line, PP_STR(";")) ? PP_CL_OVER :
		    pp_cl_try_batch(c, line);
	else
		r = is_comment(line) ? PP_CL_OVER : TRY(c, loose_forms, line);
	if (r != PP_CL_OVER)
		return r;
	if (c->typing && !c->scripted)
		c->scripted = true;
	if (!script_line(c, line))
		text_line(c, line);
	pp_cl_take(c, next);
	return PP_CL_GO;
}
