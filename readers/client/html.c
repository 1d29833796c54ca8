/*
 * html.c: tables in HTML: -H of the clients, psql, mycli, pages.
 *
 *	<TABLE BORDER=1><TR><TH>id</TH></TR><TR><TD>1</TD></TR></TABLE>
 *
 * -H writes a result without any newline between the tags, and one result
 * behind the other; newlines of a cell stand as they are.  Text is escaped,
 * so whatever tag stands in a cell is layout: <br> is a newline, the others
 * nothing.
 */
#include "parse.h"

struct html {
	bool begun;		/* the set is */
};

static const struct pp_cl_form html_form;

static bool
tag_at(const char *p, const char *e, const char *lower)
{
	size_t n = strlen(lower), i;

	if ((size_t)(e - p) < n + 1)
		return false;
	for (i = 0; i < n; i++) {
		char c = p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c != lower[i])
			return false;
	}
	return p[n] == '>' || p[n] == ' ' || p[n] == '\n' || p[n] == '/' ||
	    p[n] == '\t' || p[n] == '\r';
}

/* Behind the tag that begins at p; NULL: not in the window. */
static const char *
behind_tag(const char *p, const char *e)
{
	p = memchr(p, '>', (size_t)(e - p));
	return p != NULL ? p + 1 : NULL;
}

/*
 * The next tag of those that matter, from p on: its first byte, or NULL.
 */
static const char *
next_tag(const char *p, const char *e)
{
	while (p < e && (p = memchr(p, '<', (size_t)(e - p))) != NULL) {
		if (tag_at(p, e, "<tr") || tag_at(p, e, "</tr") ||
		    tag_at(p, e, "</table") || tag_at(p, e, "<td") ||
		    tag_at(p, e, "<th") || tag_at(p, e, "</td") ||
		    tag_at(p, e, "</th") || tag_at(p, e, "<table"))
			return p;
		p++;
	}
	return NULL;
}

/* A cell without tags. */
static pp_str
cell_text(struct pp_client *c, pp_str s)
{
	const char *p = s.p, *e = s.p + s.n, *lt;
	char *to;
	size_t n = 0;

	if (s.n == 0 || memchr(p, '<', s.n) == NULL)
		return pp_cl_entities(c, s);
	to = pp_arena_alloc(&c->row_mem, s.n);
	while (p < e) {
		lt = memchr(p, '<', (size_t)(e - p));
		if (lt == NULL)
			lt = e;
		memcpy(to + n, p, (size_t)(lt - p));
		n += (size_t)(lt - p);
		p = lt;
		if (p == e)
			break;
		if (tag_at(p, e, "<br")) {
			p = behind_tag(p, e);
			if (p == NULL)
				break;
			/* psql writes a newline as well */
			if (p == e || *p != '\n')
				to[n++] = '\n';
			continue;
		}
		p = behind_tag(p, e);
		if (p == NULL)
			break;
	}
	return pp_cl_entities(c, (pp_str){to, n});
}

static void
put_cell(struct pp_client *c, pp_str raw, bool head)
{
	pp_str s = raw;

	/* psql fills an empty cell, the clients an unprintable name */
	if (pp_str_eq(raw, PP_STR("&nbsp; ")))
		s = (pp_str){"", 0};
	else if (head && pp_str_eq(raw, PP_STR(" &nbsp; ")))
		s = PP_STR(" ");
	else
		s = cell_text(c, raw);
	if (c->crlf)
		s = pp_cl_no_cr(c, s);
	if (!head && pp_str_eq(s, PP_STR("<null>")))
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
	else if (head)
		pp_cl_cell(c, s, PP_CELL_TEXT);
	else
		pp_cl_plain_cell(c, s);
}

/*
 * The cells of the row from p on (behind its <TR>).  *to: behind the row;
 * NULL: not all of it is there.
 */
static const char *
row_cells(struct pp_client *c, const char *p, bool *head, bool *cut)
{
	const char *e = c->e, *tag, *open;
	bool th;

	*head = true;
	*cut = false;
	pp_cl_row_begin(c);
	for (;;) {
		tag = next_tag(p, e);
		if (tag == NULL)
			break;
		if (tag_at(tag, e, "</tr")) {
			if (behind_tag(tag, e) == NULL)
				break;
			return behind_tag(tag, e);
		}
		if (tag_at(tag, e, "<tr") || tag_at(tag, e, "</table") ||
		    tag_at(tag, e, "<table"))
			return tag;
		open = behind_tag(tag, e);
		if (open == NULL)
			break;
		th = tag_at(tag, e, "<th");
		if (!th && !tag_at(tag, e, "<td")) {
			p = open;
			continue;
		}
		*head &= th;
		tag = next_tag(open, e);
		if (tag == NULL) {
			if (!c->last)
				return NULL;
			*cut = true;
			pp_cl_cell(c, cell_text(c, (pp_str){open,
			    (size_t)(e - open)}), PP_CELL_CUT);
			return e;
		}
		put_cell(c, (pp_str){open, (size_t)(tag - open)}, th);
		p = tag;
	}
	return c->last ? e : NULL;
}

static bool
begin_row(struct pp_client *c, struct html *h, bool head, const char *at)
{
	pp_str *names;
	size_t i;

	if (!head) {
		if (!h->begun)
			pp_cl_set(c, PP_FORM_HTML, PP_LOSS_NULL |
			    PP_LOSS_NUL, NULL, c->ncells, at);
		h->begun = true;
		return true;
	}
	names = pp_arena_alloc(&c->form_mem, c->ncells * sizeof(*names) + 1);
	for (i = 0; i < c->ncells; i++)
		names[i] = c->cells[i].text;
	pp_cl_set(c, PP_FORM_HTML, PP_LOSS_NULL | PP_LOSS_NUL, names,
	    c->ncells, at);
	h->begun = true;
	return false;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct html *h = c->state;
	const char *tag = next_tag(c->p, c->e), *open, *to;
	bool head, cut;

	if (tag == NULL) {
		if (!c->last) {
			/* keep what may be the beginning of a tag */
			tag = c->e - c->p > 16 ? c->e - 16 : c->p;
			if (tag == c->p)
				return PP_CL_MORE;
			pp_cl_take(c, tag);
			return PP_CL_GO;
		}
		pp_cl_take(c, c->e);
		pp_cl_set_done(c, true);
		c->form = NULL;
		return PP_CL_GO;
	}
	open = behind_tag(tag, c->e);
	if (open == NULL) {
		if (!c->last)
			return PP_CL_MORE;
		open = c->e;
	}
	if (tag_at(tag, c->e, "</table")) {
		pp_cl_take(c, open);
		if (c->set)
			pp_cl_set_done(c, false);
		c->form = NULL;
		return PP_CL_GO;
	}
	if (!tag_at(tag, c->e, "<tr")) {
		if (tag_at(tag, c->e, "<table"))
			h->begun = false;
		pp_cl_take(c, open);
		return PP_CL_GO;
	}
	to = row_cells(c, open, &head, &cut);
	if (to == NULL)
		return PP_CL_MORE;
	if (c->ncells != 0 && begin_row(c, h, head, tag)) {
		if (cut)
			pp_cl_problem(c, PP_MSG_CUT_RECORD, tag,
			    "cut record: a row of a table breaks off");
		pp_cl_row(c, tag, cut);
	}
	pp_cl_take(c, to);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	if (c->set && !c->awaits)
		pp_cl_set_done(c, true);
	c->form = NULL;
}

static const struct pp_cl_form html_form = {step, finish, NULL};

enum pp_cl_step
pp_cl_try_html(struct pp_client *c, pp_str line)
{
	pp_str s = pp_str_trim(line);

	if (s.n < 6 || s.p[0] != '<' || !tag_at(s.p, c->e, "<table"))
		return PP_CL_OVER;
	(void)pp_cl_form(c, &html_form, sizeof(struct html));
	return PP_CL_GO;
}
