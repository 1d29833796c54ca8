/*
 * markup.c: tables in the markup of wikis and papers, as mycli and phpMyAdmin
 * export them.
 *
 *	|| id || t ||		Jira: then rows as in a box
 *	|_. id |_. t |		Textile: likewise
 *	|| ''' id ''' || ...	MoinMoin: rows with double bars too
 *	{| class="wikitable"	MediaWiki: "! a !! b" and "| 1 || 2", or a line
 *	|-			a cell; ends with "|}"
 *	\begin{tabular}{ll}	LaTeX: " 1 & 2 \\"
 *	|------			Texy: rows begin with a bar and end with the
 *	|id|t			next one that does
 *
 * The first three become boxes with names of their own (box.c).
 */
#include "parse.h"

enum kind { MEDIAWIKI, LATEX, TEXY };

struct markup {
	enum kind kind;
	pp_str *names;		/* in form_mem */
	size_t n, cap;
	bool head;		/* the names are complete */
	bool cells;		/* a line a cell */
	/* the row at hand, when a line is a cell */
	bool row;
	const char *at;
};

static const struct pp_cl_form markup_form;

/* ------------------------------------------------------------------ pieces */

static void
add_name(struct pp_client *c, struct markup *x, pp_str s)
{
	pp_str *v;

	if (x->n == x->cap) {
		x->cap = x->cap ? x->cap * 2 : 64;
		v = pp_arena_alloc(&c->form_mem, x->cap * sizeof(*v));
		if (x->n != 0)
			memcpy(v, x->names, x->n * sizeof(*v));
		x->names = v;
	}
	x->names[x->n++] = pp_arena_str(&c->form_mem, s);
}

static void
put_cell(struct pp_client *c, const struct markup *x, pp_str s)
{
	if (c->crlf)
		s = pp_cl_no_cr(c, s);
	/* phpMyAdmin writes nothing for NULL */
	if (x->cells && s.n == 0)
		pp_cl_cell(c, s, PP_CELL_PERHAPS);
	else if (pp_str_eq(s, PP_STR("<null>")))
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
	else
		pp_cl_plain_cell(c, s);
}

static void
begin_set(struct pp_client *c, struct markup *x, unsigned losses)
{
	if (c->set && !c->awaits && x->head)
		return;
	x->head = true;
	pp_cl_set(c, PP_FORM_MARKDOWN, PP_LOSS_NULL | losses, x->names, x->n,
	    c->p);
}

/* ------------------------------------------------------------------- LaTeX */

static pp_str
untex(struct pp_client *c, pp_str s)
{
	static const struct {
		const char *tex, *text;
	} words[] = {
		{"\\textbackslash{}", "\\"}, {"\\ensuremath{<}", "<"},
		{"\\ensuremath{>}", ">"}, {"\\textasciitilde{}", "~"},
		{"\\textasciicircum{}", "^"}, {"\\ensuremath{\\sim}", "~"},
		{"\\^{}", "^"}, {"\\~{}", "~"},
	};
	char *to;
	size_t n = 0, i;

	if (memchr(s.p, '\\', s.n) == NULL)
		return s;
	to = pp_arena_alloc(&c->row_mem, s.n);
	while (s.n > 0) {
		if (s.p[0] != '\\') {
			to[n++] = s.p[0];
			s = pp_str_skip(s, 1);
			continue;
		}
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (pp_str_starts(s, pp_str_from(words[i].tex)))
				break;
		if (i < sizeof(words) / sizeof(words[0])) {
			to[n++] = words[i].text[0];
			s = pp_str_skip(s, strlen(words[i].tex));
		} else {
			if (s.n > 1)
				to[n++] = s.p[1];
			s = pp_str_skip(s, 2);
		}
	}
	return (pp_str){to, n};
}

/* The next " & " of the line that is not escaped; s.n: none. */
static size_t
ampersand(pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == '&')
			return i;
	}
	return s.n;
}

static void
latex_line(struct pp_client *c, struct markup *x, pp_str s)
{
	pp_str cell;
	size_t at;

	s.n -= 2;
	pp_cl_row_begin(c);
	for (;;) {
		at = ampersand(s);
		cell = (pp_str){s.p, at};
		/* one blank stands on either side */
		if (cell.n > 0 && cell.p[0] == ' ')
			cell = pp_str_skip(cell, 1);
		if (cell.n > 0 && cell.p[cell.n - 1] == ' ')
			cell.n--;
		cell = untex(c, cell);
		if (x->head)
			put_cell(c, x, cell);
		else
			add_name(c, x, pp_str_trim(cell));
		if (at == s.n)
			break;
		s = pp_str_skip(s, at + 1);
	}
	if (x->head)
		pp_cl_row(c, c->p, false);
	else
		begin_set(c, x, PP_LOSS_LINES);
}

/* --------------------------------------------------------------- MediaWiki */

static void
flush_row(struct pp_client *c, struct markup *x)
{
	if (!x->row)
		return;
	x->row = false;
	if (c->ncells == 0)
		return;
	begin_set(c, x, x->cells ? PP_LOSS_EMPTY : PP_LOSS_LINES);
	pp_cl_row_at(c, x->at != NULL ? c->row_line : c->line, c->row_offset,
	    false);
}

/* "| 1 || plain || plain" and "! id !! t" */
static void
wiki_cells(struct pp_client *c, struct markup *x, pp_str s, pp_str sep,
    bool names)
{
	size_t at;
	pp_str cell;

	for (;;) {
		at = pp_str_find(s, sep);
		cell = (pp_str){s.p, at};
		if (cell.n > 0 && cell.p[0] == ' ')
			cell = pp_str_skip(cell, 1);
		if (at < s.n && cell.n > 0 && cell.p[cell.n - 1] == ' ')
			cell.n--;
		if (names)
			add_name(c, x, pp_str_trim(cell));
		else
			put_cell(c, x, cell);
		if (at == s.n)
			return;
		s = pp_str_skip(s, at + sep.n);
	}
}

/*
 * A cell that has a line of its own goes on up to the next line that begins
 * one; *end is there.  False: not in the window.
 */
static bool
wiki_cell_end(const struct pp_client *c, const char *p, const char **end)
{
	const char *next;
	pp_str line;

	for (;; p = next) {
		*end = p;
		if (p == c->e)
			return c->last;
		if (!pp_cl_line(c, p, &line, &next))
			return false;
		if (pp_str_starts(line, PP_STR(" | ")) ||
		    pp_str_starts(line, PP_STR("|-")) ||
		    pp_str_starts(line, PP_STR(" |-")) ||
		    pp_str_starts(line, PP_STR("|}")))
			return true;
	}
}

static enum pp_cl_step
wiki_line(struct pp_client *c, struct markup *x, pp_str line,
    const char *next)
{
	pp_str s = pp_str_trim(line);
	const char *end;

	if (pp_str_starts(s, PP_STR("|}"))) {
		flush_row(c, x);
		pp_cl_take(c, next);
		if (c->set)
			pp_cl_set_done(c, false);
		c->form = NULL;
		return PP_CL_GO;
	}
	if (pp_str_starts(s, PP_STR("|-"))) {
		flush_row(c, x);
		pp_cl_row_begin(c);
		x->row = true;
		x->at = NULL;
	} else if (s.n > 0 && s.p[0] == '!') {
		wiki_cells(c, x, pp_str_skip(s, 1), PP_STR("!!"), true);
		x->cells |= line.p[0] == ' ';
	} else if (pp_str_starts(line, PP_STR(" | "))) {
		/* phpMyAdmin: the text of the cell is raw */
		if (!wiki_cell_end(c, next, &end))
			return PP_CL_MORE;
		if (x->at == NULL) {
			x->at = line.p;
			c->row_line = c->line;
			c->row_offset = pp_cl_offset(c, c->p);
		}
		s = (pp_str){line.p + 3, (size_t)(end - line.p) - 3};
		if (s.n > 0 && s.p[s.n - 1] == '\n')
			s.n--;
		put_cell(c, x, pp_arena_str(&c->row_mem, s));
		next = end;
	} else if (pp_str_starts(line, PP_STR("| "))) {
		c->row_line = c->line;
		c->row_offset = pp_cl_offset(c, c->p);
		x->at = line.p;
		wiki_cells(c, x, pp_arena_str(&c->row_mem,
		    pp_str_skip(line, 1)), PP_STR("||"), false);
	}
	pp_cl_take(c, next);
	return PP_CL_GO;
}

/* -------------------------------------------------------------------- Texy */

/* The end of the row at p: the next line that begins with a bar. */
static bool
texy_end(const struct pp_client *c, const char *p, const char **end)
{
	for (;;) {
		const char *nl = p < c->e ?
		    memchr(p, '\n', (size_t)(c->e - p)) : NULL;

		*end = nl != NULL ? nl + 1 : c->e;
		if (nl == NULL)
			return c->last;
		p = nl + 1;
		if (p == c->e)
			return c->last;
		if (*p == '|' || (*p == '=' && c->e - p > 1 && p[1] == '=') ||
		    (*p == '\n' && c->e - p > 1 && p[1] == '\n'))
			return true;
	}
}

static enum pp_cl_step
texy_row(struct pp_client *c, struct markup *x)
{
	const char *end;
	pp_str s, cell;
	size_t at;

	if (!texy_end(c, c->p, &end))
		return PP_CL_MORE;
	s = (pp_str){c->p + 1, (size_t)(end - c->p) - 1};
	if (s.n > 0 && s.p[s.n - 1] == '\n')
		s.n--;
	if (pp_str_starts(s, PP_STR("--"))) {
		pp_cl_take(c, end);
		return PP_CL_GO;
	}
	pp_cl_row_begin(c);
	for (;;) {
		at = pp_str_find(s, PP_STR("|"));
		cell = pp_cl_entities(c, (pp_str){s.p, at});
		if (!x->head)
			add_name(c, x, pp_str_trim(cell));
		else if (pp_str_eq(cell, PP_STR(" ")))
			/* phpMyAdmin's empty text */
			pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_TEXT);
		else
			put_cell(c, x, cell);
		if (at == s.n)
			break;
		s = pp_str_skip(s, at + 1);
	}
	if (x->head)
		pp_cl_row(c, c->p, false);
	else
		begin_set(c, x, 0);
	pp_cl_take(c, end);
	return PP_CL_GO;
}

/* ------------------------------------------------------------------- steps */

static enum pp_cl_step
leave(struct pp_client *c, bool cut)
{
	struct markup *x = c->state;

	flush_row(c, x);
	if (c->set && !c->awaits)
		pp_cl_set_done(c, cut);
	c->form = NULL;
	return PP_CL_OVER;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct markup *x = c->state;
	const char *next;
	pp_str line, s;

	if (x->kind == TEXY)
		return *c->p == '|' ? texy_row(c, x) : leave(c, false);
	if (!pp_cl_line(c, c->p, &line, &next))
		return PP_CL_MORE;
	if (x->kind == MEDIAWIKI)
		return wiki_line(c, x, line, next);
	s = line;
	while (s.n > 0 && s.p[s.n - 1] == ' ')
		s.n--;
	if (pp_str_starts(s, PP_STR("\\end{"))) {
		pp_cl_take(c, next);
		(void)leave(c, false);
		return PP_CL_GO;
	}
	if (pp_str_ends(s, PP_STR("\\\\")))
		latex_line(c, x, s);
	pp_cl_take(c, next);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	const struct markup *x = c->state;

	/* nothing ends a table of texy */
	(void)leave(c, x->kind != TEXY);
}

static const struct pp_cl_form markup_form = {step, finish, NULL};

/* -------------------------------------------------------- boxes of their own */

/* The names between bars, without their marks; how many. */
static size_t
marked_names(pp_str s, pp_str bar, pp_str mark, pp_str *v, size_t max)
{
	size_t n = 0, at;
	pp_str name;

	s = pp_str_trim(s);
	s = pp_str_skip(s, bar.n);
	while (s.n > 0 && n < max) {
		at = pp_str_find(s, bar);
		name = pp_str_trim((pp_str){s.p, at});
		if (pp_str_starts(name, mark))
			name = pp_str_trim(pp_str_skip(name, mark.n));
		if (mark.n > 2 && pp_str_ends(name, mark))
			name.n -= mark.n;
		v[n++] = pp_str_trim(name);
		if (at == s.n)
			break;
		s = pp_str_skip(s, at + bar.n);
	}
	return n;
}

static enum pp_cl_step
try_marked(struct pp_client *c, pp_str line)
{
	pp_str s = pp_str_trim(line), names[256], bar = PP_STR("|"),
	    mark = {"", 0}, head_bar = PP_STR("||"), below, same;
	const char *next, *behind;
	size_t n;

	if (pp_str_starts(s, PP_STR("|_."))) {
		mark = PP_STR("_.");
		head_bar = bar;
	} else if (pp_str_starts(s, PP_STR("|| ''' "))) {
		mark = PP_STR("'''");
		bar = head_bar;
	} else if (!pp_str_starts(s, PP_STR("|| ")) ||
	    !pp_str_ends(s, PP_STR(" ||"))) {
		return PP_CL_OVER;
	}
	if (!pp_cl_line(c, c->p, &same, &next) ||
	    !pp_cl_line(c, next, &below, &behind))
		return PP_CL_MORE;
	if (!pp_str_starts(below, bar))
		return PP_CL_OVER;
	n = marked_names(s, head_bar, mark, names, 256);
	if (n < 1 || n == 256)
		return PP_CL_OVER;
	pp_cl_open_box(c, names, n, bar, mark.n != 0 ? PP_LOSS_LINES : 0);
	pp_cl_take(c, next);
	return PP_CL_GO;
}

enum pp_cl_step
pp_cl_try_markup(struct pp_client *c, pp_str line)
{
	struct markup *x;
	enum kind kind;
	pp_str below, same;
	const char *next, *behind;

	if (pp_str_starts(line, PP_STR("{|"))) {
		kind = MEDIAWIKI;
	} else if (pp_str_starts(line, PP_STR("\\begin{tabular}")) ||
	    pp_str_starts(line, PP_STR("\\begin{longtable}"))) {
		kind = LATEX;
	} else if (pp_str_eq(line, PP_STR("|------"))) {
		if (!pp_cl_line(c, c->p, &same, &next) ||
		    !pp_cl_line(c, next, &below, &behind))
			return PP_CL_MORE;
		if (!pp_str_starts(below, PP_STR("|")) ||
		    pp_str_ends(below, PP_STR("|")))
			return PP_CL_OVER;
		kind = TEXY;
	} else {
		return try_marked(c, line);
	}
	if (!pp_cl_line(c, c->p, &same, &next))
		return PP_CL_MORE;
	x = pp_cl_form(c, &markup_form, sizeof(*x));
	x->kind = kind;
	pp_cl_row_begin(c);
	pp_cl_take(c, next);
	return PP_CL_GO;
}
