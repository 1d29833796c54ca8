/*
 * sql.c: rows as INSERT statements: mysqldump, phpMyAdmin, Workbench.
 *
 *	CREATE TABLE `t` (
 *	  `id` int(11) NOT NULL,
 *	  PRIMARY KEY (`id`)
 *	) ENGINE=InnoDB;
 *	INSERT INTO `t` VALUES (1,'it\'s',NULL,0x41),(2,...);
 *
 * Names come from the list of the INSERT, or from the CREATE TABLE before it.
 * A statement may be of any length: rows are taken one by one.  Statements
 * that go on with the same table are one row set.
 */
#include "sql.h"

/* The head of an INSERT that is longer is none. */
#define HEAD_MAX ((size_t)1 << 20)

struct insert {
	pp_str table;		/* in form_mem */
	const pp_str *columns;
	size_t n;
	bool between;		/* the statement ended: does it go on? */
	bool more;		/* a comma stands behind the last row */
};

static const struct pp_cl_form insert_form;

/* ------------------------------------------------------------------ INSERT */

/*
 * "INSERT INTO t (a, b) VALUES" at p: behind it; NULL: it is none, or not all
 * of it is there.  Names in arena a; *columns NULL where it has no list.
 */
static const char *
insert_head(const char *p, const char *e, pp_str *table, pp_str **columns,
    size_t *n, struct pp_arena *a)
{
	const char *q;
	size_t cap = 0;
	pp_str *v = NULL, *w, name;

	*columns = NULL;
	*n = 0;
	if (!pp_client_sql_word(&p, e, "insert") && !pp_client_sql_word(&p, e, "replace"))
		return NULL;
	while (pp_client_sql_word(&p, e, "ignore") || pp_client_sql_word(&p, e, "delayed") ||
	    pp_client_sql_word(&p, e, "low_priority") || pp_client_sql_word(&p, e, "high_priority"))
		;
	if (!pp_client_sql_word(&p, e, "into"))
		return NULL;
	p = pp_sql_table_at(p, e, table, a);
	if (p == NULL)
		return NULL;
	p = pp_sql_skip_space(p, e);
	if (p < e && *p == '(') {
		do {
			q = pp_client_sql_name(p + 1, e, &name, a);
			if (q == NULL)
				return NULL;
			if (*n == cap) {
				cap = cap ? cap * 2 : 32;
				w = pp_arena_alloc(a, cap * sizeof(*w));
				if (*n != 0)
					memcpy(w, v, *n * sizeof(*w));
				v = w;
			}
			v[(*n)++] = name;
			p = pp_sql_skip_space(q, e);
			if (p == e || (*p != ',' && *p != ')'))
				return NULL;
		} while (*p == ',');
		p++;
		*columns = v;
	}
	return pp_client_sql_word(&p, e, "values") || pp_client_sql_word(&p, e, "value") ? p : NULL;
}

static bool
same_columns(const struct insert *x, const pp_str *v, size_t n)
{
	size_t i;

	if (n != x->n || (v == NULL) != (x->columns == NULL))
		return false;
	for (i = 0; v != NULL && i < n; i++)
		if (!pp_str_eq(v[i], x->columns[i]))
			return false;
	return true;
}

static char
unescaped(char c)
{
	switch (c) {
	case '0':
		return '\0';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	case 'b':
		return '\b';
	case 'Z':
		return '\032';
	default:
		return c;
	}
}

/* The text of a literal, p at its quote and e behind the closing one. */
static pp_str
string(struct pp_client *c, const char *p, const char *e)
{
	char quote = *p++, *to;
	size_t n = 0;

	e--;
	if (memchr(p, '\\', (size_t)(e - p)) == NULL &&
	    memchr(p, quote, (size_t)(e - p)) == NULL)
		return (pp_str){p, (size_t)(e - p)};
	to = pp_arena_alloc(&c->row_mem, (size_t)(e - p));
	while (p < e) {
		if (*p == '\\' && p + 1 < e) {
			to[n++] = unescaped(p[1]);
			p += 2;
		} else {
			if (*p == quote)
				p++;
			to[n++] = *p++;
		}
	}
	return (pp_str){to, n};
}

static unsigned
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') :
	    (c | 32) >= 'a' && (c | 32) <= 'f' ?
	    (unsigned)((c | 32) - 'a' + 10) : 16;
}

static pp_str
bytes_of(struct pp_client *c, pp_str hex)
{
	char *to = pp_arena_alloc(&c->row_mem, hex.n / 2 + 1);
	size_t i = 0, n = 0;
	unsigned hi, lo;

	if (hex.n % 2 != 0) {
		to[n++] = (char)(hex_digit(hex.p[0]) & 15);
		i = 1;
	}
	for (; i + 1 < hex.n; i += 2) {
		hi = hex_digit(hex.p[i]);
		lo = hex_digit(hex.p[i + 1]);
		if (hi > 15 || lo > 15)
			return hex;
		to[n++] = (char)(hi << 4 | lo);
	}
	return (pp_str){to, n};
}

/* A literal that is no string: up to the comma or bracket behind it. */
static const char *
behind_bare(const char *p, const char *e)
{
	unsigned depth = 0;

	while (p < e) {
		if (*p == '\'' || *p == '"' || *p == '`') {
			p = pp_sql_behind_quoted(p, e);
			if (p == NULL)
				return NULL;
			continue;
		}
		if (depth == 0 && (*p == ',' || *p == ')'))
			return p;
		depth += *p == '(';
		depth -= *p == ')';
		p++;
	}
	return NULL;
}

static void
put_bare(struct pp_client *c, pp_str s)
{
	const char *quote, *end = s.p + s.n;
	size_t at;

	s = pp_str_trim(s);
	if (pp_rs_same(s, "null")) {
		pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
		return;
	}
	if (s.n > 2 && s.p[0] == '0' && (s.p[1] | 32) == 'x') {
		pp_cl_cell(c, bytes_of(c, pp_str_skip(s, 2)), PP_CELL_TEXT);
		return;
	}
	/* _binary 'x', N'x', x'41' */
	at = pp_str_find(s, PP_STR("'"));
	quote = s.p + at;
	if (at < s.n && s.p[s.n - 1] == '\'' &&
	    pp_sql_behind_quoted(quote, end + 1) == s.p + s.n) {
		pp_str text = string(c, quote, s.p + s.n);

		if (at == 1 && (s.p[0] | 32) == 'x')
			text = bytes_of(c, text);
		if (s.p[0] == '_' || at == 1) {
			pp_cl_cell(c, text, PP_CELL_TEXT);
			return;
		}
	}
	pp_cl_cell(c, s, PP_CELL_TEXT);
}

/* The cells of the row whose bracket stands at p; behind it, or NULL. */
static const char *
row_cells(struct pp_client *c, const char *p)
{
	const char *e = c->e, *q;

	pp_cl_row_begin(c);
	do {
		p = pp_sql_skip_space(p + 1, e);
		if (p == e)
			return NULL;
		q = NULL;
		if (*p == '\'') {
			q = pp_sql_behind_quoted(p, e);
			if (q == NULL)
				return NULL;
			if (pp_sql_skip_space(q, e) == e)
				return NULL;
			if (*pp_sql_skip_space(q, e) != ',' &&
			    *pp_sql_skip_space(q, e) != ')')
				q = NULL;
		}
		if (q != NULL) {
			pp_cl_cell(c, string(c, p, q), PP_CELL_TEXT);
			p = pp_sql_skip_space(q, e);
			continue;
		}
		q = behind_bare(p, e);
		if (q == NULL)
			return NULL;
		put_bare(c, (pp_str){p, (size_t)(q - p)});
		p = q;
	} while (*p == ',');
	return p + 1;
}

static enum pp_cl_step
leave(struct pp_client *c, bool cut)
{
	if (c->set)
		pp_cl_set_done(c, cut);
	c->form = NULL;
	return PP_CL_OVER;
}

/* Behind a statement: another into the same table? */
static enum pp_cl_step
go_on(struct pp_client *c, struct insert *x)
{
	const char *p = pp_sql_skip_space(c->p, c->e), *q = p;
	pp_str table, *columns;
	size_t n;

	if (p == c->e) {
		if (!c->last)
			return PP_CL_MORE;
		pp_cl_take(c, p);
		return leave(c, false);
	}
	if (c->e - p < 8 && !c->last)
		return PP_CL_MORE;
	if (!pp_client_sql_word(&q, c->e, "insert") && !pp_client_sql_word(&q, c->e, "replace"))
		return leave(c, false);
	pp_arena_reset(&c->row_mem);
	q = insert_head(p, c->e, &table, &columns, &n, &c->row_mem);
	if (q == NULL)
		return c->last || (size_t)(c->e - p) > HEAD_MAX ?
		    leave(c, false) : PP_CL_MORE;
	if (!pp_str_eq(table, x->table) || !same_columns(x, columns, n))
		return leave(c, false);
	x->between = false;
	x->more = true;
	pp_cl_take(c, q);
	return PP_CL_GO;
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct insert *x = c->state;
	const char *p, *to;

	if (x->between)
		return go_on(c, x);
	p = pp_sql_skip_space(c->p, c->e);
	if (p == c->e) {
		if (!c->last)
			return PP_CL_MORE;
		pp_cl_take(c, p);
		return leave(c, true);
	}
	if (*p == ',') {
		x->more = true;
		pp_cl_take(c, p + 1);
		return PP_CL_GO;
	}
	if (*p != '(') {
		/* the end, or ON DUPLICATE KEY UPDATE ... */
		to = memchr(p, ';', (size_t)(c->e - p));
		if (to == NULL && !c->last)
			return PP_CL_MORE;
		pp_cl_take(c, to != NULL ? to + 1 : c->e);
		x->between = true;
		return PP_CL_GO;
	}
	to = row_cells(c, p);
	if (to == NULL && !c->last)
		return PP_CL_MORE;
	if (to == NULL) {
		pp_cl_problem(c, PP_MSG_CUT_RECORD, p,
		    "cut record: the file ends in a row");
		if (c->ncells != 0)
			pp_cl_row(c, p, true);
		pp_cl_take(c, c->e);
		return leave(c, true);
	}
	if (!c->rs.has_names)
		pp_cl_set_widen(c, c->ncells);
	x->more = false;
	pp_cl_row(c, p, false);
	pp_cl_take(c, to);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	const struct insert *x = c->state;

	(void)leave(c, x->more);
}

static const struct pp_cl_form insert_form = {step, finish, NULL};

static enum pp_cl_step
insert(struct pp_client *c)
{
	const struct pp_cl_dump_table *t;
	struct insert *x;
	pp_str table, *columns;
	const char *p;
	size_t n, i;
	pp_str *v = NULL;

	pp_arena_reset(&c->row_mem);
	p = insert_head(c->p, c->e, &table, &columns, &n, &c->row_mem);
	if (p == NULL)
		return c->last || (size_t)(c->e - c->p) > HEAD_MAX ?
		    PP_CL_OVER : PP_CL_MORE;
	x = pp_cl_form(c, &insert_form, sizeof(*x));
	x->more = true;
	x->table = pp_arena_str(&c->form_mem, table);
	x->n = n;
	if (columns != NULL) {
		x->columns = v = pp_arena_alloc(&c->form_mem,
		    n * sizeof(*v) + 1);
		for (i = 0; i < n; i++)
			v[i] = pp_arena_str(&c->form_mem, columns[i]);
	}
	t = columns == NULL ? pp_cl_dump_table(c, table) : NULL;
	pp_cl_set(c, PP_FORM_INSERT, 0, t != NULL ? t->columns : columns,
	    t != NULL ? t->n : n, c->p);
	pp_cl_set_table(c, x->table);
	pp_cl_take(c, p);
	return PP_CL_GO;
}

enum pp_cl_step
pp_cl_try_sql(struct pp_client *c, pp_str line)
{
	const char *p = line.p, *e = line.p + line.n;

	if (c->typing)
		return PP_CL_OVER;
	if (pp_client_sql_word(&p, e, "insert") || pp_client_sql_word(&p, e, "replace"))
		return pp_client_sql_word(&p, e, "into") || pp_client_sql_word(&p, e, "ignore") ||
		    pp_client_sql_word(&p, e, "delayed") ? insert(c) : PP_CL_OVER;
	if (pp_client_sql_word(&p, e, "create") && (pp_client_sql_word(&p, e, "table") ||
	    pp_client_sql_word(&p, e, "temporary")))
		return pp_cl_create_step(c);
	return PP_CL_OVER;
}
