/*
 * sqlite_schema.c: tables, keys, indexes and views.
 *
 * Sees base and table.h only.
 *
 * A table NAME has the columns of its declaration, in their order; seconds
 * X_s are whole microseconds X_us, or decimal text X_s where a clock of the
 * input is finer.  Its view v_NAME has the declared names throughout: seconds
 * as REAL, names as text, and beside a time X_at the seconds since 1970,
 * X_epoch_s, which dashboards want.
 *
 * Facts, the tables with a row an occurrence and the cube, hold the texts that
 * repeat as keys of dimensions.  A row of a dimension is a combination of
 * values that occurs.
 */
#include "sqlite_impl.h"

#include <stdio.h>

/* ----------------------------------------------------------- making SQL */

static void
put(struct pp_sq *q, const char *s, size_t n)
{
	void *p = q->sql;

	pp_mem_grow(q->w->mem, &p, &q->sql_cap, q->sql_n + n + 1, 1);
	q->sql = p;
	memcpy(q->sql + q->sql_n, s, n);
	q->sql_n += n;
	q->sql[q->sql_n] = '\0';
}

static void
puts_sql(struct pp_sq *q, const char *s)
{
	put(q, s, strlen(s));
}

static void
begin_sql(struct pp_sq *q, const char *s)
{
	q->sql_n = 0;
	puts_sql(q, s);
}

/* "a name", with quotes only where it needs them. */
static void
put_name(struct pp_sq *q, const char *prefix, const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	size_t n = strlen(name);
	const char *p;

	/* keywords of SQLite are quoted as well */
	if (n > 0 && strspn(name, plain) == n && (*prefix != '\0' ||
	    !((name[0] >= '0' && name[0] <= '9') ||
	    sqlite3_keyword_check(name, (int)n)))) {
		puts_sql(q, prefix);
		puts_sql(q, name);
		return;
	}
	puts_sql(q, "\"");
	puts_sql(q, prefix);
	for (p = name; *p != '\0'; p++) {
		if (*p == '"')
			put(q, "\"", 1);
		put(q, p, 1);
	}
	puts_sql(q, "\"");
}

static void
put_qualified(struct pp_sq *q, const char *table, const char *column)
{
	puts_sql(q, table);
	puts_sql(q, ".");
	put_name(q, "", column);
}

/* A comma list of columns of a declaration as those of the table. */
static void
put_columns(struct pp_sq *q, const char *list)
{
	char name[64];
	size_t n;

	puts_sql(q, "(");
	while (*list != '\0') {
		n = strcspn(list, ",");
		snprintf(name, sizeof(name), "%.*s", (int)n, list);
		put_name(q, "", name);
		list += n;
		if (*list == ',') {
			puts_sql(q, ", ");
			list++;
		}
	}
	puts_sql(q, ")");
}

/* --------------------------------------------------------------- columns */

const struct pp_sq_dim_info pp_sq_dim_info[PP_SQ_DIMS] = {
	{"dim_session", "session_key", {"source", "session", NULL}},
	{"dim_event", "event_key", {"kind", "event", "class", "place",
	    "p1_name", "p2_name", "p3_name", NULL}},
	{"dim_statement", "statement_key", {"statement", "sql_id", "digest",
	    "cursor", NULL}},
	{"dim_context", "context_key", {"module", "action", "client_id",
	    NULL}},
};

static bool
is_fact(const struct pp_table *t)
{
	return (t->flags & PP_TABLE_RAW) != 0 || strcmp(t->name, "cube") == 0;
}

/* The dimension that a column of facts is in; PP_SQ_DIMS: none. */
static size_t
dim_of(const char *name, size_t *member)
{
	size_t d, k;

	for (d = 0; d < PP_SQ_DIMS; d++)
		for (k = 0; pp_sq_dim_info[d].members[k] != NULL; k++)
			if (strcmp(pp_sq_dim_info[d].members[k], name) == 0) {
				*member = k;
				return d;
			}
	return PP_SQ_DIMS;
}

static enum pp_sq_kind
kind_of(const struct pp_sq *q, enum pp_type type)
{
	switch (type) {
	case PP_T_TEXT:
	case PP_T_ID:
		return PP_SQ_TEXT;
	case PP_T_TIME:
		return PP_SQ_TIME;
	case PP_T_INT:
		return PP_SQ_INT;
	case PP_T_SECONDS:
		return q->w->input.digits > 6 ? PP_SQ_SECONDS : PP_SQ_TICKS;
	case PP_T_DECIMAL:
		break;
	}
	return PP_SQ_NUMBER;
}

/* SQLite knows no difference of letter case in names. */
static bool
is_same(const char *a, const char *b)
{
	return a != NULL && sqlite3_stricmp(a, b) == 0;
}

static bool
is_taken(const struct pp_sq_table *t, size_t nshown, const char *name)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (is_same(t->columns[i].name, name))
			return true;
	for (i = 0; i < nshown; i++)
		if (is_same(t->shown[i].name, name) ||
		    is_same(t->shown[i].epoch, name))
			return true;
	return false;
}

/* A name that no column has yet: those of wide tables come from the data. */
static const char *
free_name(struct pp_sq *q, const struct pp_sq_table *t, size_t nshown,
    const char *stem, const char *suffix)
{
	size_t room = strlen(stem) + strlen(suffix) + 16;
	char *name = pp_mem_alloc(q->w->mem, room);
	unsigned k;

	snprintf(name, room, "%s%s", stem, suffix);
	for (k = 2; is_taken(t, nshown, name); k++)
		snprintf(name, room, "%s%s_%u", stem, suffix, k);
	return name;
}

static const char *
sane(struct pp_sq *q, const char *name)
{
	pp_str s = pp_sq_text(q, pp_str_from(name));
	char *copy = pp_mem_alloc(q->w->mem, s.n + 1);

	if (s.n > 0)
		memcpy(copy, s.p, s.n);
	copy[s.n] = '\0';
	return copy;
}

/* name less `end`, which it may have. */
static const char *
without(struct pp_sq *q, const char *name, const char *end)
{
	pp_str s = pp_str_from(name);
	char *copy = pp_mem_alloc(q->w->mem, s.n + 1);

	if (pp_str_ends(s, pp_str_from(end)))
		s.n -= strlen(end);
	memcpy(copy, name, s.n);
	copy[s.n] = '\0';
	return copy;
}

static bool
has_column(const struct pp_sq_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->table->ncolumns; i++)
		if (strcmp(t->table->columns[i].name, name) == 0)
			return true;
	return false;
}

static bool
has_key(const struct pp_sq_table *t)
{
	const char *key = pp_table_key(t->table);
	size_t i;

	if (key == NULL || t->fact)
		return false;
	/* a pivot may be called like a table */
	while (*key != '\0') {
		char name[64];

		i = strcspn(key, ",");
		snprintf(name, sizeof(name), "%.*s", (int)i, key);
		if (!has_column(t, name))
			return false;
		key += i + (key[i] == ',');
	}
	return true;
}

/* Column i of the declaration is member of a dimension. */
static void
place_member(struct pp_sq *q, struct pp_sq_table *t, size_t i, size_t dim,
    size_t member)
{
	struct pp_sq_place *p = &t->dims[dim];
	size_t k;

	if (!p->used) {
		p->used = true;
		for (k = 0; k < PP_SQ_MEMBERS; k++)
			p->from[k] = SIZE_MAX;
		p->keys = pp_mem_alloc(q->w->mem,
		    PP_BATCH_ROWS * sizeof(*p->keys));
		t->columns[t->ncolumns++] = (struct pp_sq_column){
		    .name = pp_sq_dim_info[dim].key, .kind = PP_SQ_KEY,
		    .from = dim};
	}
	p->from[member] = i;
	for (k = 0; t->columns[k].kind != PP_SQ_KEY ||
	    t->columns[k].from != dim;)
		k++;
	t->shown[i].column = k;
	t->shown[i].member = member;
}

static void
place_column(struct pp_sq *q, struct pp_sq_table *t, size_t i,
    const char *name)
{
	enum pp_sq_kind kind = kind_of(q, t->table->columns[i].type);
	struct pp_sq_shown *s = &t->shown[i];

	s->column = t->ncolumns;
	if (kind == PP_SQ_TIME)
		s->epoch = free_name(q, t, i + 1,
		    without(q, without(q, name, "_at"), "_s"), "_epoch_s");
	t->columns[t->ncolumns] = (struct pp_sq_column){
	    .name = kind != PP_SQ_TICKS ? s->name :
	    free_name(q, t, i + 1, without(q, name, "_s"), "_us"),
	    .kind = kind, .from = i};
	t->ncolumns++;
}

void
pp_sq_columns(struct pp_sq *q, struct pp_sq_table *t)
{
	size_t n = t->table->ncolumns, i, dim, member;
	const char *name;

	t->name = sane(q, t->table->name);
	t->fact = is_fact(t->table);
	t->keyed = has_key(t);
	t->columns = pp_mem_zalloc(q->w->mem, (n + 1) * sizeof(*t->columns));
	t->shown = pp_mem_zalloc(q->w->mem, (n + 1) * sizeof(*t->shown));
	for (i = 0; i < n; i++) {
		name = sane(q, t->table->columns[i].name);
		t->shown[i].name = free_name(q, t, i, name, "");
		dim = t->fact ? dim_of(name, &member) : PP_SQ_DIMS;
		if (dim < PP_SQ_DIMS)
			place_member(q, t, i, dim, member);
		else
			place_column(q, t, i, name);
	}
}

/* ---------------------------------------------------------------- tables */

static const char *
type_name(enum pp_sq_kind kind)
{
	switch (kind) {
	case PP_SQ_INT:
	case PP_SQ_TICKS:
	case PP_SQ_KEY:
		return "INTEGER";
	case PP_SQ_NUMBER:
		return "NUMERIC";
	case PP_SQ_SECONDS:
	case PP_SQ_TEXT:
	case PP_SQ_TIME:
		break;
	}
	return "TEXT";
}

static struct pp_sq_table *
find_table(struct pp_sq *q, const char *name)
{
	struct pp_sq_table *t;

	for (t = q->tables; t != NULL; t = t->next)
		if (strcmp(t->table->name, name) == 0)
			return t;
	return NULL;
}

/* The key of a parent that is there, in a table with its columns. */
static void
put_reference(struct pp_sq *q, const struct pp_sq_table *t,
    const char *parent, const char *key)
{
	const struct pp_sq_table *p = find_table(q, parent);

	if (p == NULL || p == t || !p->keyed)
		return;
	puts_sql(q, ",\n\tFOREIGN KEY ");
	put_columns(q, key);
	puts_sql(q, " REFERENCES ");
	puts_sql(q, parent);
}

bool
pp_sq_create_dim(struct pp_sq *q, const struct pp_sq_dim_info *info)
{
	size_t k;

	begin_sql(q, "CREATE TABLE ");
	puts_sql(q, info->name);
	puts_sql(q, " (\n\t");
	puts_sql(q, info->key);
	puts_sql(q, " INTEGER PRIMARY KEY");
	for (k = 0; info->members[k] != NULL; k++) {
		puts_sql(q, ",\n\t");
		put_name(q, "", info->members[k]);
		puts_sql(q, strcmp(info->members[k], "session") == 0 ?
		    " INTEGER" : " TEXT");
	}
	puts_sql(q, ",\n\tUNIQUE (");
	for (k = 0; info->members[k] != NULL; k++) {
		puts_sql(q, k > 0 ? ", " : "");
		put_name(q, "", info->members[k]);
	}
	puts_sql(q, ")\n)");
	return pp_sq_run(q, q->sql);
}

bool
pp_sq_create(struct pp_sq *q, struct pp_sq_table *t, const char *name)
{
	size_t i;

	begin_sql(q, "CREATE TABLE ");
	put_name(q, "", name);
	puts_sql(q, " (");
	for (i = 0; i < t->ncolumns; i++) {
		puts_sql(q, i > 0 ? ",\n\t" : "\n\t");
		put_name(q, "", t->columns[i].name);
		puts_sql(q, " ");
		puts_sql(q, type_name(t->columns[i].kind));
		if (t->columns[i].kind == PP_SQ_KEY) {
			puts_sql(q, " REFERENCES ");
			puts_sql(q, pp_sq_dim_info[t->columns[i].from].name);
		}
	}
	if (t->keyed) {
		puts_sql(q, ",\n\tPRIMARY KEY ");
		put_columns(q, pp_table_key(t->table));
	}
	if (!t->fact && has_column(t, "source")) {
		put_reference(q, t, "sources", "source");
		if (has_column(t, "session"))
			put_reference(q, t, "sessions", "source,session");
	}
	puts_sql(q, "\n)");
	return pp_sq_run(q, q->sql);
}

/* ------------------------------------------------------ indexes and views */

static bool
is_stored(const struct pp_sq_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (strcmp(t->columns[i].name, name) == 0)
			return true;
	return false;
}

bool
pp_sq_index(struct pp_sq *q, struct pp_sq_table *t)
{
	static const struct {
		const char *table, *columns;
	} wanted[] = {
		{"events", "statement_key"},
		{"executions", "statement_key"},
		{"binds", "event_id"},
		{"cube", "statement_key"},
		{"digests", "digest"},
		{"statements", "digest"},
		{"texts", "digest"},
		{"errors", "statement"},
		{"plans", "statement"},
	};
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (strcmp(wanted[i].table, t->table->name) != 0 ||
		    !is_stored(t, wanted[i].columns))
			continue;
		begin_sql(q, "CREATE INDEX ");
		puts_sql(q, t->name);
		puts_sql(q, "_by_");
		puts_sql(q, wanted[i].columns);
		puts_sql(q, " ON ");
		puts_sql(q, t->name);
		puts_sql(q, " (");
		put_name(q, "", wanted[i].columns);
		puts_sql(q, ")");
		if (!pp_sq_run(q, q->sql))
			return false;
	}
	return true;
}

/*
 * Seconds since 1970 of an ISO 8601 text; where it has no offset from UTC it
 * is taken for UTC.
 */
static void
put_epoch(struct pp_sq *q, const char *column, const char *name)
{
	/* strftime rounds to milliseconds: the fraction is kept from it */
	puts_sql(q, ",\n\tCAST(strftime('%s', substr(");
	put_qualified(q, "t", column);
	puts_sql(q, ", 1, 19) || ltrim(substr(");
	put_qualified(q, "t", column);
	puts_sql(q, ", 20), '.0123456789')");
	puts_sql(q, ") AS INTEGER) + CASE substr(");
	put_qualified(q, "t", column);
	puts_sql(q, ", 20, 1) WHEN '.' THEN CAST(substr(");
	put_qualified(q, "t", column);
	puts_sql(q, ", 20) AS REAL) ELSE 0.0 END AS ");
	put_name(q, "", name);
}

static void
put_shown(struct pp_sq *q, const struct pp_sq_table *t,
    const struct pp_sq_shown *s)
{
	const struct pp_sq_column *c = &t->columns[s->column];

	if (c->kind == PP_SQ_KEY) {
		put_qualified(q, pp_sq_dim_info[c->from].name,
		    pp_sq_dim_info[c->from].members[s->member]);
	} else {
		puts_sql(q, c->kind == PP_SQ_SECONDS ? "CAST(" : "");
		put_qualified(q, "t", c->name);
		puts_sql(q, c->kind == PP_SQ_SECONDS ? " AS REAL)" :
		    c->kind == PP_SQ_TICKS ? " / 1e6" : "");
	}
	puts_sql(q, " AS ");
	put_name(q, "", s->name);
	if (s->epoch != NULL)
		put_epoch(q, c->name, s->epoch);
}

/* An outer join that a query makes no use of costs it nothing: SQLite leaves
 * it out. */
static void
put_join(struct pp_sq *q, const struct pp_sq_dim_info *d)
{
	puts_sql(q, "\nLEFT JOIN ");
	puts_sql(q, d->name);
	puts_sql(q, " ON ");
	put_qualified(q, d->name, d->key);
	puts_sql(q, " = ");
	put_qualified(q, "t", d->key);
}

bool
pp_sq_view(struct pp_sq *q, struct pp_sq_table *t)
{
	size_t i;

	begin_sql(q, "CREATE VIEW ");
	put_name(q, "v_", t->name);
	puts_sql(q, " AS SELECT");
	for (i = 0; i < t->table->ncolumns; i++) {
		puts_sql(q, i > 0 ? ",\n\t" : "\n\t");
		put_shown(q, t, &t->shown[i]);
	}
	puts_sql(q, "\nFROM ");
	put_name(q, "", t->name);
	puts_sql(q, " t");
	for (i = 0; i < PP_SQ_DIMS; i++)
		if (t->dims[i].used)
			put_join(q, &pp_sq_dim_info[i]);
	return pp_sq_run(q, q->sql);
}
