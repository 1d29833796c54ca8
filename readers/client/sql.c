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
#include <stdio.h>

#include "parse.h"
#include "sql.h"

/* A CREATE TABLE or the head of an INSERT that is longer is none. */
#define HEAD_MAX ((size_t)1 << 20)

/* Of the .sql beside a file so much is read. */
#define BESIDE_MAX ((size_t)256 << 10)

struct dump_table {
	struct dump_table *next;
	pp_str name;
	const pp_str *columns;
	size_t n;
};

struct pp_cl_dumps {
	struct pp_arena mem;
	struct dump_table *first;
};

struct insert {
	pp_str table;		/* in form_mem */
	const pp_str *columns;
	size_t n;
	bool between;		/* the statement ended: does it go on? */
};

static const struct pp_cl_form insert_form;

/* ------------------------------------------------------------------ tokens */

static bool
space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static const char *
skip_space(const char *p, const char *e)
{
	while (p < e && space(*p))
		p++;
	return p;
}

/* The word `lower` at *p, followed by no letter: *p moves behind it. */
static bool
word(const char **p, const char *e, const char *lower)
{
	const char *q = skip_space(*p, e);
	size_t n = strlen(lower);

	if ((size_t)(e - q) < n || !pp_rs_same((pp_str){q, n}, lower))
		return false;
	if ((size_t)(e - q) > n && ((q[n] | 32) >= 'a' && (q[n] | 32) <= 'z'))
		return false;
	*p = q + n;
	return true;
}

/* Behind the quoted text that begins at p; NULL: not all there. */
static const char *
behind_quoted(const char *p, const char *e)
{
	char q = *p++;

	for (;;) {
		if (q == '`') {
			p = memchr(p, q, (size_t)(e - p));
			if (p == NULL)
				return NULL;
		} else {
			while (p < e && *p != q && *p != '\\')
				p++;
			if (p >= e)
				return NULL;
			if (*p == '\\') {
				if (e - p < 2)
					return NULL;
				p += 2;
				continue;
			}
		}
		if (e - p < 2)
			return NULL;
		if (p[1] != q)
			return p + 1;
		p += 2;
	}
}

/* A name, quoted or not, with its doubled quotes resolved in arena a.  NULL:
 * there is none, or not all of it. */
static const char *
name_at(const char *p, const char *e, pp_str *name, struct pp_arena *a)
{
	const char *q;
	char *to, quote;
	size_t n = 0;

	p = skip_space(p, e);
	if (p == e)
		return NULL;
	if (*p != '`' && *p != '"') {
		for (q = p; q < e && !space(*q) && *q != '(' && *q != ',' &&
		    *q != ')' && *q != '.' && *q != ';'; q++)
			;
		if (q == p || q == e)
			return NULL;
		*name = pp_arena_str(a, (pp_str){p, (size_t)(q - p)});
		return q;
	}
	quote = *p;
	q = behind_quoted(p, e);
	if (q == NULL)
		return NULL;
	to = pp_arena_alloc(a, (size_t)(q - p));
	for (p++; p < q - 1; p++) {
		to[n++] = *p;
		if (*p == quote)
			p++;
	}
	*name = (pp_str){to, n};
	return q;
}

/* `db`.`t`: the last part. */
static const char *
table_at(const char *p, const char *e, pp_str *name, struct pp_arena *a)
{
	for (;;) {
		p = name_at(p, e, name, a);
		if (p == NULL || p == e || *p != '.')
			return p;
		p++;
	}
}

/* ------------------------------------------------------------ CREATE TABLE */

/* Does a definition begin with a word that is no column? */
static bool
is_key(const char *p, const char *e)
{
	static const char *const words[] = {"primary", "key", "unique",
	    "index", "constraint", "fulltext", "spatial", "check", "foreign",
	    "period"};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *q = p;

		if (word(&q, e, words[i]))
			return true;
	}
	return false;
}

/* Behind the definition that begins at p: at its comma or the last bracket. */
static const char *
behind_definition(const char *p, const char *e)
{
	unsigned depth = 0;

	while (p < e) {
		if (*p == '\'' || *p == '"' || *p == '`') {
			p = behind_quoted(p, e);
			if (p == NULL)
				return NULL;
			continue;
		}
		if (*p == '(')
			depth++;
		else if (*p == ')' && depth-- == 0)
			return p;
		else if (*p == ',' && depth == 0)
			return p;
		p++;
	}
	return NULL;
}

const char *
pp_cl_create_table(pp_str s, struct pp_arena *a, pp_str *table,
    pp_str **columns, size_t *n)
{
	const char *p = s.p, *e = s.p + s.n;
	struct column {
		struct column *next;
		pp_str name;
	} *first = NULL, **at = &first, *x;
	size_t i = 0;

	*n = 0;
	if (!word(&p, e, "create"))
		return NULL;
	(void)word(&p, e, "temporary");
	if (!word(&p, e, "table"))
		return NULL;
	if (word(&p, e, "if")) {
		(void)word(&p, e, "not");
		(void)word(&p, e, "exists");
	}
	p = table_at(p, e, table, a);
	if (p == NULL)
		return NULL;
	p = skip_space(p, e);
	if (p == e || *p != '(')
		return NULL;
	do {
		p = skip_space(p + 1, e);
		if (p == e)
			return NULL;
		if (*p == '`' || !is_key(p, e)) {
			x = pp_arena_zalloc(a, sizeof(*x));
			if (name_at(p, e, &x->name, a) == NULL)
				return NULL;
			*at = x;
			at = &x->next;
			(*n)++;
		}
		p = behind_definition(p, e);
		if (p == NULL)
			return NULL;
	} while (*p == ',');
	*columns = pp_arena_alloc(a, *n * sizeof(**columns) + 1);
	for (x = first; x != NULL; x = x->next)
		(*columns)[i++] = x->name;
	return p + 1;
}

static void
remember(struct pp_client *c, pp_str table, const pp_str *columns, size_t n)
{
	struct dump_table *t;
	pp_str *v;
	size_t i;

	if (c->dumps == NULL) {
		c->dumps = pp_mem_zalloc(c->mem, sizeof(*c->dumps));
		pp_arena_init(&c->dumps->mem, c->mem, 4096);
	}
	t = pp_arena_zalloc(&c->dumps->mem, sizeof(*t));
	t->name = pp_arena_str(&c->dumps->mem, table);
	v = pp_arena_alloc(&c->dumps->mem, n * sizeof(*v) + 1);
	for (i = 0; i < n; i++)
		v[i] = pp_arena_str(&c->dumps->mem, columns[i]);
	t->columns = v;
	t->n = n;
	t->next = c->dumps->first;
	c->dumps->first = t;
}

/* The names of a list a,b,c. */
static void
list_columns(struct pp_client *c, pp_str s)
{
	pp_str *v;
	size_t n = 1, i, at;

	for (i = 0; i < s.n; i++)
		n += s.p[i] == ',';
	v = pp_arena_alloc(&c->names_mem, n * sizeof(*v));
	for (i = 0; i < n; i++) {
		at = pp_str_find(s, PP_STR(","));
		v[i] = pp_arena_str(&c->names_mem,
		    pp_str_trim((pp_str){s.p, at}));
		s = pp_str_skip(s, at + 1);
	}
	c->tab_names = v;
	c->ntab_names = n;
}

/* The first CREATE TABLE of a text. */
static void
created_columns(struct pp_client *c, pp_str s)
{
	pp_str table, *columns;
	size_t at, n;

	while ((at = pp_str_find(s, PP_STR("CREATE TABLE "))) < s.n) {
		s = pp_str_skip(s, at);
		if (pp_cl_create_table(s, &c->names_mem, &table, &columns,
		    &n) != NULL) {
			c->tab_names = columns;
			c->ntab_names = n;
			return;
		}
		s = pp_str_skip(s, 1);
	}
}

/* mysqldump --tab writes t.sql beside t.txt. */
static void
beside(struct pp_client *c)
{
	size_t n = strlen(c->path), room = BESIDE_MAX;
	char *path, *text;
	FILE *f;

	if (n < 5 || strcmp(c->path + n - 4, ".txt") != 0)
		return;
	path = pp_mem_alloc(c->mem, n + 1);
	memcpy(path, c->path, n - 4);
	memcpy(path + n - 4, ".sql", 5);
	f = fopen(path, "rb");
	pp_mem_free(c->mem, path);
	if (f == NULL)
		return;
	text = pp_mem_alloc(c->mem, room);
	n = fread(text, 1, room, f);
	(void)fclose(f);
	created_columns(c, (pp_str){text, n});
	pp_mem_free(c->mem, text);
}

void
pp_cl_find_names(struct pp_client *c)
{
	if (c->names_sought)
		return;
	c->names_sought = true;
	if (c->opt.columns.n != 0)
		list_columns(c, c->opt.columns);
	else if (c->path != NULL)
		beside(c);
}

void
pp_cl_dumps_free(struct pp_client *c)
{
	if (c->dumps == NULL)
		return;
	pp_arena_free(&c->dumps->mem);
	pp_mem_free(c->mem, c->dumps);
}

static enum pp_cl_step
create_table(struct pp_client *c)
{
	pp_str s = {c->p, (size_t)(c->e - c->p)}, table, *columns;
	const char *end;
	size_t n;

	pp_arena_reset(&c->row_mem);
	end = pp_cl_create_table(s, &c->row_mem, &table, &columns, &n);
	if (end == NULL)
		return c->last || s.n > HEAD_MAX ? PP_CL_OVER : PP_CL_MORE;
	remember(c, table, columns, n);
	/* the rest of the line is of no interest */
	end = memchr(end, '\n', (size_t)(c->e - end));
	pp_cl_take(c, end != NULL ? end : c->e);
	return PP_CL_GO;
}

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
	if (!word(&p, e, "insert") && !word(&p, e, "replace"))
		return NULL;
	while (word(&p, e, "ignore") || word(&p, e, "delayed") ||
	    word(&p, e, "low_priority") || word(&p, e, "high_priority"))
		;
	if (!word(&p, e, "into"))
		return NULL;
	p = table_at(p, e, table, a);
	if (p == NULL)
		return NULL;
	p = skip_space(p, e);
	if (p < e && *p == '(') {
		do {
			q = name_at(p + 1, e, &name, a);
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
			p = skip_space(q, e);
			if (p == e || (*p != ',' && *p != ')'))
				return NULL;
		} while (*p == ',');
		p++;
		*columns = v;
	}
	return word(&p, e, "values") || word(&p, e, "value") ? p : NULL;
}

static const struct dump_table *
known_table(const struct pp_client *c, pp_str name)
{
	const struct dump_table *t;

	if (c->dumps == NULL)
		return NULL;
	for (t = c->dumps->first; t != NULL; t = t->next)
		if (pp_str_eq(t->name, name))
			return t;
	return NULL;
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
			p = behind_quoted(p, e);
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
	    behind_quoted(quote, end + 1) == s.p + s.n) {
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
		p = skip_space(p + 1, e);
		if (p == e)
			return NULL;
		q = NULL;
		if (*p == '\'') {
			q = behind_quoted(p, e);
			if (q == NULL)
				return NULL;
			if (skip_space(q, e) == e)
				return NULL;
			if (*skip_space(q, e) != ',' &&
			    *skip_space(q, e) != ')')
				q = NULL;
		}
		if (q != NULL) {
			pp_cl_cell(c, string(c, p, q), PP_CELL_TEXT);
			p = skip_space(q, e);
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
	const char *p = skip_space(c->p, c->e), *q = p;
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
	if (!word(&q, c->e, "insert") && !word(&q, c->e, "replace"))
		return leave(c, false);
	pp_arena_reset(&c->row_mem);
	q = insert_head(p, c->e, &table, &columns, &n, &c->row_mem);
	if (q == NULL)
		return c->last || (size_t)(c->e - p) > HEAD_MAX ?
		    leave(c, false) : PP_CL_MORE;
	if (!pp_str_eq(table, x->table) || !same_columns(x, columns, n))
		return leave(c, false);
	x->between = false;
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
	p = skip_space(c->p, c->e);
	if (p == c->e) {
		if (!c->last)
			return PP_CL_MORE;
		pp_cl_take(c, p);
		return leave(c, true);
	}
	if (*p == ',') {
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
	pp_cl_row(c, p, false);
	pp_cl_take(c, to);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	(void)leave(c, false);
}

static const struct pp_cl_form insert_form = {step, finish};

static enum pp_cl_step
insert(struct pp_client *c)
{
	const struct dump_table *t;
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
	x->table = pp_arena_str(&c->form_mem, table);
	x->n = n;
	if (columns != NULL) {
		x->columns = v = pp_arena_alloc(&c->form_mem,
		    n * sizeof(*v) + 1);
		for (i = 0; i < n; i++)
			v[i] = pp_arena_str(&c->form_mem, columns[i]);
	}
	t = columns == NULL ? known_table(c, table) : NULL;
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
	if (word(&p, e, "insert") || word(&p, e, "replace"))
		return word(&p, e, "into") || word(&p, e, "ignore") ||
		    word(&p, e, "delayed") ? insert(c) : PP_CL_OVER;
	if (word(&p, e, "create") && (word(&p, e, "table") ||
	    word(&p, e, "temporary")))
		return create_table(c);
	return PP_CL_OVER;
}
