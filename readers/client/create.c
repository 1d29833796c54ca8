/*
 * create.c: names of columns from CREATE TABLE: of dumps of SQL, and of the .sql
 * that mysqldump --tab writes beside its files; the tokens of SQL.
 */
#include <stdio.h>

#include "sql.h"

/* A CREATE TABLE that is longer is none. */
#define HEAD_MAX ((size_t)1 << 20)

/* Of the .sql beside a file so much is read. */
#define BESIDE_MAX ((size_t)256 << 10)

/* ------------------------------------------------------------------ tokens */

static bool
space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

const char *
pp_sql_skip_space(const char *p, const char *e)
{
	while (p < e && space(*p))
		p++;
	return p;
}

/* The word `lower` at *p, followed by no letter: *p moves behind it. */
bool
pp_client_sql_word(const char **p, const char *e, const char *lower)
{
	const char *q = pp_sql_skip_space(*p, e);
	size_t n = strlen(lower);

	if ((size_t)(e - q) < n || !pp_rs_same((pp_str){q, n}, lower))
		return false;
	if ((size_t)(e - q) > n && ((q[n] | 32) >= 'a' && (q[n] | 32) <= 'z'))
		return false;
	*p = q + n;
	return true;
}

/* Behind the quoted text that begins at p; NULL: not all there. */
const char *
pp_sql_behind_quoted(const char *p, const char *e)
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
const char *
pp_client_sql_name(const char *p, const char *e, pp_str *name, struct pp_arena *a)
{
	const char *q;
	char *to, quote;
	size_t n = 0;

	p = pp_sql_skip_space(p, e);
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
	q = pp_sql_behind_quoted(p, e);
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
const char *
pp_sql_table_at(const char *p, const char *e, pp_str *name, struct pp_arena *a)
{
	for (;;) {
		p = pp_client_sql_name(p, e, name, a);
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

		if (pp_client_sql_word(&q, e, words[i]))
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
			p = pp_sql_behind_quoted(p, e);
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
	if (!pp_client_sql_word(&p, e, "create"))
		return NULL;
	(void)pp_client_sql_word(&p, e, "temporary");
	if (!pp_client_sql_word(&p, e, "table"))
		return NULL;
	if (pp_client_sql_word(&p, e, "if")) {
		(void)pp_client_sql_word(&p, e, "not");
		(void)pp_client_sql_word(&p, e, "exists");
	}
	p = pp_sql_table_at(p, e, table, a);
	if (p == NULL)
		return NULL;
	p = pp_sql_skip_space(p, e);
	if (p == e || *p != '(')
		return NULL;
	do {
		p = pp_sql_skip_space(p + 1, e);
		if (p == e)
			return NULL;
		if (*p == '`' || !is_key(p, e)) {
			x = pp_arena_zalloc(a, sizeof(*x));
			if (pp_client_sql_name(p, e, &x->name, a) == NULL)
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
	struct pp_cl_dump_table *t;
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

enum pp_cl_step
pp_cl_create_step(struct pp_client *c)
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

const struct pp_cl_dump_table *
pp_cl_dump_table(const struct pp_client *c, pp_str name)
{
	const struct pp_cl_dump_table *t;

	if (c->dumps == NULL)
		return NULL;
	for (t = c->dumps->first; t != NULL; t = t->next)
		if (pp_str_eq(t->name, name))
			return t;
	return NULL;
}
