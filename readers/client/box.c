/*
 * box.c: tables with bars: the clients' own, mycli's, Markdown, and what is
 * left of them in a paste.
 *
 *	+----+------+		a border tells the widths; the first row is
 *	| id | name |		the head if a border follows it (with -N
 *	+----+------+		there is none)
 *	|  1 | a    |
 *	+----+------+
 *
 *	| id | name |		without the border on top: Markdown, org, psql
 *	|----|------|		of mycli, or a paste that has lost its head
 *	| 1  | a    |
 *
 * mycli spreads a cell of several lines over several rows, whose other cells
 * are blank; its grids have a border after each row.
 */
#include "parse.h"

enum phase {
	HEAD,			/* the first row: head or, with -N, a row */
	AFTER_HEAD,		/* a border says that it was the head */
	ROWS
};

/* A cell that grows by the lines of further rows. */
struct grown {
	char *p;
	size_t n, cap;
};

struct box {
	struct pp_cl_table t;
	enum phase phase;
	bool counts;		/* the widths can be used */
	bool grid;		/* rows end with a border */
	bool spread;		/* a cell may go on in the next row */
	bool bordered;		/* it began with a border, and will end so */
	bool right;		/* text too stands at the right: -N of MySQL */
	size_t blanks;		/* that stand on either side, not padded */
	bool head_cut;
	unsigned losses;
	pp_str *names;		/* the first row, in form_mem */
	bool *absent;
	uint64_t line, offset;	/* of the first row */
	bool held;		/* a row waits whether it goes on */
	struct grown *grown;
	uint64_t held_line, held_offset;
};

static const struct pp_cl_form box_form;

static void
flag_cell(struct pp_client *c, struct box *b, pp_str s)
{
	if (pp_str_eq(s, PP_STR("<null>"))) {
		b->spread = true;
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
	} else {
		pp_cl_plain_cell(c, s);
	}
}

/* A cell of the row at hand as a client meant it. */
static pp_str
clean(struct pp_client *c, const struct box *b, size_t i, bool counted)
{
	pp_str s = b->t.cell[i];
	size_t n;

	if (c->crlf)
		s = pp_cl_no_cr(c, s);
	if (counted && b->right) {
		/* and numbers at the left */
		if (pp_cl_number(pp_str_trim(s)))
			return pp_str_trim(s);
		while (s.n > 0 && s.p[0] == ' ')
			s = pp_str_skip(s, 1);
		return s;
	}
	if (counted)
		return pp_cl_unpad(s);
	if (b->blanks == 0)
		return pp_str_trim(s);
	for (n = 0; n < b->blanks && s.n > 0 && s.p[0] == ' '; n++)
		s = pp_str_skip(s, 1);
	while (s.n > 0 && s.p[s.n - 1] == ' ')
		s.n--;
	return s;
}

/* Has the row at hand a word that is padded on the left? */
static bool
right_word(const struct box *b)
{
	size_t i;
	pp_str s;

	for (i = 0; i < b->t.rule.n; i++) {
		s = b->t.cell[i];
		if (b->t.missing[i] || s.n < 2 || s.p[0] != ' ' ||
		    s.p[s.n - 1] == ' ')
			continue;
		s = pp_str_trim(s);
		if (!pp_cl_number(s) && !pp_str_eq(s, PP_STR("NULL")) &&
		    pp_cl_identifier(s))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------- spread rows */

static void
grow(struct pp_client *c, struct grown *g, pp_str s)
{
	char *p;

	if (g->n + s.n + 1 > g->cap) {
		g->cap = (g->n + s.n + 1) * 2;
		p = pp_arena_alloc(&c->form_mem, g->cap);
		if (g->n != 0)
			memcpy(p, g->p, g->n);
		g->p = p;
	}
	if (s.n != 0)
		memcpy(g->p + g->n, s.p, s.n);
	g->n += s.n;
}

static void
emit_held(struct pp_client *c, struct box *b)
{
	size_t i;
	pp_str s;

	if (!b->held)
		return;
	b->held = false;
	pp_cl_row_begin(c);
	for (i = 0; i < b->t.rule.n; i++) {
		s = (pp_str){b->grown[i].p, b->grown[i].n};
		while (s.n > 0 && s.p[s.n - 1] == '\n')
			s.n--;
		flag_cell(c, b, s);
	}
	pp_cl_row_at(c, b->held_line, b->held_offset, false);
}

static void
hold(struct pp_client *c, struct box *b, const char *at, bool counted)
{
	size_t i;

	emit_held(c, b);
	if (b->grown == NULL)
		b->grown = pp_arena_zalloc(&c->form_mem,
		    b->t.rule.n * sizeof(*b->grown) + 1);
	for (i = 0; i < b->t.rule.n; i++) {
		b->grown[i].n = 0;
		grow(c, &b->grown[i], clean(c, b, i, counted));
	}
	b->held = true;
	b->held_line = pp_cl_line_at(c, at);
	b->held_offset = pp_cl_offset(c, at);
}

/*
 * Does the row at hand carry on the held one?  Its first cell is blank, and
 * so are those that held numbers.
 */
static bool
carries_on(struct pp_client *c, struct box *b, bool counted)
{
	bool any = false;
	size_t i;
	pp_str s;

	if (!b->held)
		return false;
	if (b->grid)
		return true;
	for (i = 0; i < b->t.rule.n; i++) {
		s = clean(c, b, i, counted);
		if (s.n == 0)
			continue;
		any = true;
		if (i == 0 || pp_cl_number((pp_str){b->grown[i].p,
		    b->grown[i].n}))
			return false;
	}
	return any;
}

static void
carry_on(struct pp_client *c, struct box *b, bool counted)
{
	size_t i;

	for (i = 0; i < b->t.rule.n; i++) {
		grow(c, &b->grown[i], PP_STR("\n"));
		grow(c, &b->grown[i], clean(c, b, i, counted));
	}
}

/* --------------------------------------------------------------------- rows */

/* mycli puts numbers at the left. */
static bool
left_number(const struct box *b)
{
	pp_str s = b->t.cell[0];

	return s.n > 1 && s.p[s.n - 1] == ' ' && s.p[0] != ' ' &&
	    pp_cl_number(pp_str_trim(s));
}

/* Are there fewer cells than columns? */
static bool
is_short(const struct box *b)
{
	size_t i;

	for (i = 0; i < b->t.rule.n; i++)
		if (b->t.missing[i])
			return true;
	return b->t.cut;
}

/* The row from `at` to `next`. */
static void
emit_row(struct pp_client *c, struct box *b, const char *at,
    const char *next, bool counted)
{
	bool cut = b->t.cut, any = false;
	size_t i;

	if (!c->rs.has_names && counted && !b->right)
		b->right = right_word(b);
	if (c->rs.rows == 0 && counted && !b->right)
		b->spread |= left_number(b);
	/* the last one may break off in the middle of a cell */
	if ((b->spread || b->grid) && !(pp_cl_open_end(c, next) &&
	    is_short(b))) {
		if (carries_on(c, b, counted))
			carry_on(c, b, counted);
		else
			hold(c, b, at, counted);
		return;
	}
	emit_held(c, b);
	if (b->t.joined)
		c->rs.losses |= PP_LOSS_SPLIT;
	pp_cl_row_begin(c);
	for (i = 0; i < b->t.rule.n; i++) {
		pp_str s = clean(c, b, i, counted);

		if (b->t.missing[i]) {
			pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_ABSENT);
			any = true;
		} else if (cut && (i + 1 == b->t.rule.n ||
		    b->t.missing[i + 1])) {
			pp_cl_cell(c, s, PP_CELL_CUT);
			cut = false;
		} else {
			flag_cell(c, b, s);
		}
	}
	/* counted, it is as a client has printed it */
	if (b->t.cut || (any && !counted))
		pp_cl_problem(c, PP_MSG_CUT_RECORD, at,
		    "cut record: a row of a table breaks off");
	pp_cl_row(c, at, any || b->t.cut);
}

/* The row at p; `counted`: by its widths. */
static enum pp_cl_step
read_row(struct pp_client *c, struct box *b, const char *p, const char **next,
    bool *counted)
{
	enum pp_cl_step r = PP_CL_OVER;

	*counted = false;
	if (b->counts) {
		r = pp_cl_count_row(c, &b->t, p, next);
		*counted = r == PP_CL_GO;
	}
	if (r == PP_CL_OVER)
		r = pp_cl_split_row(c, &b->t, p, next);
	return r;
}

static void
begin_set(struct pp_client *c, struct box *b, bool names)
{
	pp_cl_set(c, b->t.rule.kind == PP_CL_RULE_BAR && b->t.rule.aligned ?
	    PP_FORM_MARKDOWN : PP_FORM_BOX,
	    PP_LOSS_NULL | PP_LOSS_NUL | PP_LOSS_BLANKS | b->losses,
	    names ? b->names : NULL, b->t.rule.n, c->p);
	c->rs.head_cut = b->head_cut && !names;
	if (b->line != 0) {
		c->rs.line = b->line;
		c->rs.offset = b->offset;
	}
}

static void
keep_first(struct pp_client *c, struct box *b, bool counted)
{
	size_t i;

	for (i = 0; i < b->t.rule.n; i++) {
		b->names[i] = pp_arena_str(&c->form_mem,
		    counted ? pp_cl_unpad(b->t.cell[i]) :
		    pp_str_trim(b->t.cell[i]));
		b->absent[i] = b->t.missing[i];
	}
}

/* The first row was none of names. */
static void
emit_first(struct pp_client *c, struct box *b)
{
	size_t i;

	pp_cl_row_begin(c);
	for (i = 0; i < b->t.rule.n; i++) {
		if (b->absent[i])
			pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_ABSENT);
		else
			flag_cell(c, b, b->right ? pp_str_trim(b->names[i]) :
			    b->names[i]);
	}
	pp_cl_row_at(c, b->line, b->offset, false);
}

static bool
at_bar(const struct pp_client *c, const struct box *b, const char *p)
{
	return pp_str_starts((pp_str){p, (size_t)(c->e - p)}, b->t.rule.bar);
}

static void
over(struct pp_client *c, struct box *b, bool cut)
{
	emit_held(c, b);
	if (c->set)
		pp_cl_set_done(c, cut);
	c->form = NULL;
}

/* The first row. */
static enum pp_cl_step
step_head(struct pp_client *c, struct box *b)
{
	const char *next;
	enum pp_cl_step r;
	pp_str line;
	bool counted;

	if (!pp_cl_line(c, c->p, &line, &next))
		return PP_CL_MORE;
	if (!at_bar(c, b, c->p)) {
		/* a border and nothing below it */
		c->form = NULL;
		return PP_CL_OVER;
	}
	r = read_row(c, b, c->p, &next, &counted);
	if (r != PP_CL_GO)
		return r;
	b->line = c->line;
	b->offset = pp_cl_offset(c, c->p);
	keep_first(c, b, counted);
	b->right = counted && right_word(b);
	b->spread |= !b->right && left_number(b);
	b->phase = AFTER_HEAD;
	pp_cl_take(c, next);
	return PP_CL_GO;
}

/* What follows the first row tells what that was. */
static enum pp_cl_step
step_after_head(struct pp_client *c, struct box *b)
{
	struct pp_cl_rule rule;
	const char *next, *behind;
	pp_str line, below;
	bool names;

	if (!pp_cl_line(c, c->p, &line, &next))
		return PP_CL_MORE;
	if (!pp_cl_is_rule(line, &rule, &c->row_mem)) {
		begin_set(c, b, pp_cl_known(c, PP_FORM_BOX, b->names,
		    b->t.rule.n) > 0);
		if (!c->rs.has_names)
			emit_first(c, b);
		b->phase = ROWS;
		return PP_CL_GO;
	}
	/* with -N a single row stands between two borders */
	if (!pp_cl_line(c, next, &below, &behind))
		return PP_CL_MORE;
	names = at_bar(c, b, next) || rule.kind == PP_CL_RULE_BAR ||
	    pp_cl_known(c, PP_FORM_BOX, b->names, b->t.rule.n) > 0;
	b->grid = rule.grid && !pp_str_eq(b->t.rule.bar,
	    PP_STR("\xe2\x95\x91"));
	b->spread |= rule.kind == PP_CL_RULE_BAR || b->t.rule.bar.n > 1;
	begin_set(c, b, names);
	b->right &= !names;
	pp_cl_take(c, next);
	b->phase = ROWS;
	if (!names) {
		emit_first(c, b);
		over(c, b, false);
	}
	return PP_CL_GO;
}

static enum pp_cl_step
step_rows(struct pp_client *c, struct box *b)
{
	struct pp_cl_rule rule;
	const char *next, *behind;
	enum pp_cl_step r;
	pp_str line, below;
	bool counted, cut;

	if (at_bar(c, b, c->p) || !b->counts) {
		if (!pp_cl_line(c, c->p, &line, &next))
			return PP_CL_MORE;
		if (at_bar(c, b, pp_str_trim(line).p)) {
			if (pp_cl_rule_like(line)) {
				pp_cl_take(c, next);
				return PP_CL_GO;
			}
			r = read_row(c, b, c->p, &next, &counted);
			if (r != PP_CL_GO)
				return r;
			emit_row(c, b, c->p, next, counted);
			pp_cl_take(c, next);
			return PP_CL_GO;
		}
	}
	if (!pp_cl_line(c, c->p, &line, &next))
		return PP_CL_MORE;
	pp_arena_reset(&c->row_mem);
	if (pp_cl_elision(line)) {
		if (!pp_cl_line(c, next, &below, &behind))
			return PP_CL_MORE;
		if (at_bar(c, b, next)) {
			pp_cl_take(c, next);
			return PP_CL_GO;
		}
	}
	if (!pp_cl_is_rule(line, &rule, &c->row_mem)) {
		over(c, b, b->bordered);
		return PP_CL_OVER;
	}
	if (!pp_cl_line(c, next, &below, &behind))
		return PP_CL_MORE;
	if (!at_bar(c, b, next)) {
		cut = b->bordered && rule.n < b->t.rule.n &&
		    pp_cl_open_end(c, next);
		pp_cl_take(c, next);
		over(c, b, cut);
		return PP_CL_GO;
	}
	emit_held(c, b);
	pp_cl_take(c, next);
	return PP_CL_GO;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct box *b = c->state;

	switch (b->phase) {
	case HEAD:
		return step_head(c, b);
	case AFTER_HEAD:
		return step_after_head(c, b);
	case ROWS:
		break;
	}
	return step_rows(c, b);
}

static void
finish(struct pp_client *c)
{
	struct box *b = c->state;

	if (b->phase == AFTER_HEAD)
		(void)step_after_head(c, b);
	if (b->phase == ROWS)
		over(c, b, b->bordered);
	c->form = NULL;
}

static const struct pp_cl_form box_form = {step, finish, NULL};

static struct box *
open_box(struct pp_client *c, const struct pp_cl_rule *rule)
{
	struct box *b = pp_cl_form(c, &box_form, sizeof(*b));

	b->t.rule = *rule;
	b->t.cell = pp_arena_zalloc(&c->form_mem,
	    rule->n * sizeof(*b->t.cell) + 1);
	b->t.missing = pp_arena_zalloc(&c->form_mem, rule->n + 1);
	b->names = pp_arena_zalloc(&c->form_mem,
	    rule->n * sizeof(*b->names) + 1);
	b->absent = pp_arena_zalloc(&c->form_mem, rule->n + 1);
	if (rule->w != NULL) {
		b->t.rule.w = pp_arena_alloc(&c->form_mem,
		    rule->n * sizeof(*rule->w) + 1);
		memcpy(b->t.rule.w, rule->w, rule->n * sizeof(*rule->w));
		b->counts = rule->n <= PP_CL_COLUMNS;
	}
	return b;
}

enum pp_cl_step
pp_cl_try_box(struct pp_client *c, pp_str line)
{
	struct pp_cl_rule rule;
	const char *next;
	pp_str same;

	if (line.n < 3 || (line.p[0] != '+' &&
	    (unsigned char)line.p[0] != 0xe2))
		return PP_CL_OVER;
	pp_arena_reset(&c->row_mem);
	if (!pp_cl_is_rule(line, &rule, &c->row_mem) ||
	    rule.kind != PP_CL_RULE_BOX)
		return PP_CL_OVER;
	if (!pp_cl_line(c, c->p, &same, &next))
		return PP_CL_MORE;
	open_box(c, &rule)->bordered = true;
	pp_cl_take(c, next);
	return PP_CL_GO;
}

/* What is left of a row whose beginning is cut off: its last cells. */
static void
emit_rest(struct pp_client *c, struct box *b, pp_str s, size_t bars)
{
	size_t i, at;

	pp_cl_row_begin(c);
	for (i = 0; i + bars < b->t.rule.n; i++)
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_ABSENT);
	for (i = 0; i < bars; i++) {
		at = pp_str_find(s, b->t.rule.bar);
		if (i == 0)
			pp_cl_cell(c, pp_str_trim((pp_str){s.p, at}),
			    PP_CELL_CUT);
		else
			flag_cell(c, b, pp_str_trim((pp_str){s.p, at}));
		s = pp_str_skip(s, at + b->t.rule.bar.n);
	}
	pp_cl_problem(c, PP_MSG_CUT_RECORD, c->p,
	    "cut record: the beginning of a row is missing");
	pp_cl_row(c, c->p, true);
}

/*
 * A line of bars without a border above: the head of a Markdown table if a
 * rule follows, else rows of a table that has lost its head.
 */
enum pp_cl_step
pp_cl_try_bars(struct pp_client *c, pp_str line)
{
	struct pp_cl_rule rule, below_rule;
	const char *next, *behind;
	pp_str t = pp_str_trim(line), bar = PP_STR("|"), below, same;
	struct box *b;
	size_t bars;
	bool ruled;

	if (pp_str_starts(t, PP_STR("\xe2\x94\x82")))
		bar = PP_STR("\xe2\x94\x82");
	if (t.n < 3 || !pp_str_ends(t, bar))
		return PP_CL_OVER;
	if (!pp_cl_line(c, c->p, &same, &next) ||
	    !pp_cl_line(c, next, &below, &behind))
		return PP_CL_MORE;
	bars = pp_cl_bars(t, bar);
	pp_arena_reset(&c->row_mem);
	ruled = pp_cl_is_rule(below, &below_rule, &c->row_mem);
	memset(&rule, 0, sizeof(rule));
	rule.kind = PP_CL_RULE_BOX;
	rule.bar = bar;
	rule.n = bars - 1;
	if (ruled && below_rule.kind != PP_CL_RULE_RULER)
		rule = below_rule;
	if (!pp_str_starts(t, bar)) {
		/* the end of a row; the next line tells how many columns */
		if (!ruled) {
			below = pp_str_trim(below);
			if (!pp_str_starts(below, bar))
				return PP_CL_OVER;
			rule.n = pp_cl_bars(below, bar) - 1;
		}
		if (bars > rule.n)
			return PP_CL_OVER;
		b = open_box(c, &rule);
		b->head_cut = true;
		b->phase = ROWS;
		begin_set(c, b, false);
		if (!ruled)
			emit_rest(c, b, t, bars);
		pp_cl_take(c, ruled ? behind : next);
		return PP_CL_GO;
	}
	if (rule.n == 0 || rule.n > PP_CL_COLUMNS ||
	    (rule.n == 1 && !ruled))
		return PP_CL_OVER;
	b = open_box(c, &rule);
	b->head_cut = !ruled;
	pp_cl_take(c, t.p);
	return PP_CL_GO;
}

void
pp_cl_open_box(struct pp_client *c, const pp_str *names, size_t n, pp_str bar,
    unsigned losses)
{
	struct pp_cl_rule rule;
	struct box *b;
	size_t i;

	memset(&rule, 0, sizeof(rule));
	rule.kind = PP_CL_RULE_BAR;
	rule.bar = bar;
	rule.n = n;
	rule.aligned = true;
	b = open_box(c, &rule);
	for (i = 0; i < n; i++)
		b->names[i] = pp_arena_str(&c->form_mem, names[i]);
	b->losses = losses;
	b->blanks = bar.n;
	b->spread = true;
	b->phase = ROWS;
	begin_set(c, b, true);
}
