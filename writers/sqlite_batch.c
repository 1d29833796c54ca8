/*
 * sqlite_batch.c: a batch of rows as a virtual table, from which SQLite takes
 * them by INSERT ... SELECT.
 *
 * Sees base and table.h only.
 *
 * One statement for a batch, in which SQLite asks for each cell, takes 0.58
 * us for a row of 32 columns; binding the cells and running a statement for
 * each row took 0.80.
 *
 * A table with a key is given one row at a time.  Without a journal SQLite
 * cannot take back what a statement did before it found two rows with one
 * key, but it looks for them before it writes a row.
 */
#include "number.h"
#include "sqlite_impl.h"

#include <stdio.h>

struct vtab {
	sqlite3_vtab base;
	struct pp_sq_table *t;
};

struct cursor {
	sqlite3_vtab_cursor base;
	size_t row;
};

static inline struct pp_sq_table *
table_of(sqlite3_vtab_cursor *c)
{
	return ((struct vtab *)(void *)c->pVtab)->t;
}

static int
batch_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **out, char **error)
{
	struct pp_sq_table *t = aux;
	struct vtab *v;
	sqlite3_str *s = sqlite3_str_new(db);
	char *sql;
	size_t i;
	int rc;

	(void)argc;
	(void)argv;
	(void)error;
	sqlite3_str_appendall(s, "CREATE TABLE batch (");
	for (i = 0; i < t->ncolumns; i++)
		sqlite3_str_appendf(s, "%sc%d", i > 0 ? "," : "", (int)i);
	sqlite3_str_appendall(s, ")");
	sql = sqlite3_str_finish(s);
	if (sql == NULL)
		return SQLITE_NOMEM;
	rc = sqlite3_declare_vtab(db, sql);
	sqlite3_free(sql);
	if (rc != SQLITE_OK)
		return rc;
	v = sqlite3_malloc(sizeof(*v));
	if (v == NULL)
		return SQLITE_NOMEM;
	memset(v, 0, sizeof(*v));
	v->t = t;
	*out = &v->base;
	return SQLITE_OK;
}

static int
batch_disconnect(sqlite3_vtab *v)
{
	sqlite3_free(v);
	return SQLITE_OK;
}

static int
batch_best_index(sqlite3_vtab *v, sqlite3_index_info *info)
{
	(void)v;
	(void)info;
	return SQLITE_OK;
}

static int
batch_open(sqlite3_vtab *v, sqlite3_vtab_cursor **out)
{
	struct cursor *c = sqlite3_malloc(sizeof(*c));

	(void)v;
	if (c == NULL)
		return SQLITE_NOMEM;
	memset(c, 0, sizeof(*c));
	*out = &c->base;
	return SQLITE_OK;
}

static int
batch_close(sqlite3_vtab_cursor *c)
{
	sqlite3_free(c);
	return SQLITE_OK;
}

static int
batch_filter(sqlite3_vtab_cursor *c, int number, const char *text, int argc,
    sqlite3_value **argv)
{
	(void)number;
	(void)text;
	(void)argc;
	(void)argv;
	((struct cursor *)(void *)c)->row = table_of(c)->row;
	return SQLITE_OK;
}

static int
batch_next(sqlite3_vtab_cursor *c)
{
	((struct cursor *)(void *)c)->row++;
	return SQLITE_OK;
}

static int
batch_eof(sqlite3_vtab_cursor *c)
{
	return ((struct cursor *)(void *)c)->row >= table_of(c)->end;
}

static int
batch_rowid(sqlite3_vtab_cursor *c, sqlite3_int64 *out)
{
	*out = (sqlite3_int64)((struct cursor *)(void *)c)->row;
	return SQLITE_OK;
}

/* ----------------------------------------------------------------- cells */

/* v at scale `to`; false where it has more digits or is too large. */
static bool
rescale(pp_i128 v, unsigned from, unsigned to, int64_t *out)
{
	for (; from > to; from--) {
		if (v % 10 != 0)
			return false;
		v /= 10;
	}
	for (; from < to; from++) {
		if (v > INT64_MAX || v < INT64_MIN)
			return false;
		v *= 10;
	}
	*out = (int64_t)v;
	return v == *out;
}

static inline void
give_int(struct pp_sq *q, sqlite3_context *x, pp_i128 v, unsigned from,
    unsigned to)
{
	int64_t n;

	if (from == to && v == (int64_t)v)
		sqlite3_result_int64(x, (int64_t)v);
	else if (rescale(v, from, to, &n))
		sqlite3_result_int64(x, n);
	else if (from == 0 && to == 0 && v > 0 && v <= UINT64_MAX) {
		/* the same 64 bits: -1, mostly */
		sqlite3_result_int64(x, (int64_t)(uint64_t)v);
		q->wrapped++;
	}
	else
		q->misfits++;	/* and NULL */
}

static void
give_decimal(sqlite3_context *x, pp_i128 v, unsigned scale)
{
	char buf[PP_DEC_MAX];
	char *end = pp_number_put(buf, v, scale, '.');

	sqlite3_result_text(x, buf, (int)(end - buf), SQLITE_TRANSIENT);
}

static void
give_text(struct pp_sq *q, sqlite3_context *x, pp_str s)
{
	pp_str t = pp_sq_text(q, s);

	sqlite3_result_text64(x, t.p, t.n,
	    t.p == s.p ? SQLITE_STATIC : SQLITE_TRANSIENT, SQLITE_UTF8);
	if (t.p != s.p)
		pp_arena_reset(&q->arena);
}

static int
batch_column(sqlite3_vtab_cursor *cursor, sqlite3_context *x, int k)
{
	const struct pp_sq_table *t = table_of(cursor);
	const struct pp_sq_column *c = &t->columns[k];
	size_t row = ((struct cursor *)(void *)cursor)->row;
	const union pp_cell *cell;
	unsigned tag;

	if (c->kind == PP_SQ_KEY) {
		sqlite3_result_int64(x, c->keys[row]);
		return SQLITE_OK;
	}
	tag = c->tags[row];
	if (tag == 0)
		return SQLITE_OK;
	cell = &c->cells[row];
	switch (c->kind) {
	case PP_SQ_INT:
		give_int(t->q, x, cell->num, tag - 1, 0);
		break;
	case PP_SQ_TICKS:
		give_int(t->q, x, cell->num, tag - 1, 6);
		break;
	case PP_SQ_SECONDS:
	case PP_SQ_NUMBER:
		give_decimal(x, cell->num, tag - 1);
		break;
	case PP_SQ_TEXT:
	case PP_SQ_TIME:
		give_text(t->q, x, cell->str);
		break;
	case PP_SQ_KEY:
		break;
	}
	return SQLITE_OK;
}

/* ------------------------------------------------------------- inserting */

static const sqlite3_module module = {
	.xConnect = batch_connect,
	.xBestIndex = batch_best_index,
	.xDisconnect = batch_disconnect,
	.xDestroy = batch_disconnect,
	.xOpen = batch_open,
	.xClose = batch_close,
	.xFilter = batch_filter,
	.xNext = batch_next,
	.xEof = batch_eof,
	.xColumn = batch_column,
	.xRowid = batch_rowid
};

/* INSERT ... SELECT, without the columns of `nulls`. */
static sqlite3_stmt *
compile(struct pp_sq *q, const struct pp_sq_table *t, uint64_t nulls)
{
	sqlite3_str *s = sqlite3_str_new(q->db);
	sqlite3_stmt *st;
	size_t i;
	char *sql;

	sqlite3_str_appendf(s, "INSERT INTO \"%w\" SELECT ", t->name);
	for (i = 0; i < t->ncolumns; i++)
		sqlite3_str_appendf(s, i < 64 && (nulls >> i & 1) ?
		    "%sNULL" : "%sc%d", i > 0 ? "," : "", (int)i);
	sqlite3_str_appendf(s, " FROM profpivot_batch_%u", t->number);
	sql = sqlite3_str_finish(s);
	if (sql == NULL)
		pp_mem_fail(q->w->mem);
	st = pp_sq_compile(q, sql);
	sqlite3_free(sql);
	return st;
}

bool
pp_sq_batch_open(struct pp_sq *q, struct pp_sq_table *t)
{
	char name[40];

	t->q = q;
	t->number = q->ntables++;
	snprintf(name, sizeof(name), "profpivot_batch_%u", t->number);
	if (sqlite3_create_module(q->db, name, &module, t) != SQLITE_OK)
		return pp_sq_failed(q);
	t->insert = compile(q, t, 0);
	return t->insert != NULL;
}

void
pp_sq_batch_close(struct pp_sq_table *t)
{
	size_t i;

	sqlite3_finalize(t->insert);
	t->insert = NULL;
	for (i = 0; i < sizeof(t->sparse) / sizeof(t->sparse[0]); i++) {
		sqlite3_finalize(t->sparse[i].insert);
		t->sparse[i].insert = NULL;
	}
}

/* Columns without a value in a batch. */
static uint64_t
find_nulls(const struct pp_sq_table *t, const struct pp_batch *b)
{
	uint64_t nulls = 0;
	const uint8_t *tags;
	size_t i;

	for (i = 0; i < t->ncolumns && i < 64; i++) {
		if (t->columns[i].kind == PP_SQ_KEY)
			continue;
		tags = b->tags[t->columns[i].from];
		if (tags[0] == 0 && memcmp(tags, tags + 1, b->rows - 1) == 0)
			nulls |= (uint64_t)1 << i;
	}
	return nulls;
}

/*
 * The statement that asks for the fewest cells.  SQLite asks for a cell at
 * the price of storing one; a trace without SystemTap has no run queue in any
 * of its events.
 */
static sqlite3_stmt *
choose(struct pp_sq *q, struct pp_sq_table *t, const struct pp_batch *b)
{
	uint64_t nulls = find_nulls(t, b);
	sqlite3_stmt *best = t->insert;
	int most = 0, n;
	size_t i;

	if (t->keyed || b->rows < PP_BATCH_ROWS)
		return t->insert;
	for (i = 0; i < sizeof(t->sparse) / sizeof(t->sparse[0]); i++) {
		struct pp_sq_sparse *s = &t->sparse[i];

		if (s->insert == NULL) {
			s->nulls = nulls;
			s->insert = compile(q, t, nulls);
		}
		if (s->insert == NULL || s->nulls == nulls)
			return s->insert;
		n = __builtin_popcountll(s->nulls);
		if ((s->nulls & ~nulls) == 0 && n > most) {
			most = n;
			best = s->insert;
		}
	}
	return best;
}

/*
 * A key that is none: the table goes on without it.  Tests watch over what
 * keys promise; that a user's rows are all there comes first.
 */
static bool
drop_key(struct pp_sq *q, struct pp_sq_table *t)
{
	char *sql;
	bool ok;

	pp_sq_batch_close(t);
	t->keyed = false;
	if (!pp_sq_create(q, t, "profpivot_rebuilt"))
		return false;
	sql = sqlite3_mprintf("INSERT INTO profpivot_rebuilt SELECT * FROM "
	    "\"%w\" ORDER BY rowid; DROP TABLE \"%w\"; "
	    "ALTER TABLE profpivot_rebuilt RENAME TO \"%w\"", t->name,
	    t->name, t->name);
	if (sql == NULL)
		pp_mem_fail(q->w->mem);
	ok = pp_sq_run(q, sql);
	sqlite3_free(sql);
	return ok && pp_sq_batch_open(q, t);
}

static int
run_insert(struct pp_sq_table *t, sqlite3_stmt *st, size_t from, size_t to)
{
	int rc;

	t->row = from;
	t->end = to;
	rc = sqlite3_step(st);
	sqlite3_reset(st);
	return rc;
}

bool
pp_sq_batch_insert(struct pp_sq *q, struct pp_sq_table *t,
    const struct pp_batch *b)
{
	sqlite3_stmt *st;
	size_t i, n;
	int rc;

	if (b->rows == 0)
		return true;
	for (n = 0; n < PP_SQ_DIMS; n++)
		if (t->dims[n].used && !pp_sq_dim_keys(q, t, n, b))
			return false;
	for (i = 0; i < t->ncolumns; i++) {
		struct pp_sq_column *c = &t->columns[i];

		if (c->kind == PP_SQ_KEY)
			c->keys = t->dims[c->from].keys;
		else {
			c->cells = b->cells[c->from];
			c->tags = b->tags[c->from];
		}
	}
	st = choose(q, t, b);
	if (st == NULL)
		return false;
	for (i = 0; i < b->rows; i += n) {
		n = t->keyed ? 1 : b->rows - i;
		rc = run_insert(t, st, i, i + n);
		if (rc == SQLITE_CONSTRAINT && t->keyed) {
			if (!drop_key(q, t))
				return false;
			st = t->insert;
			rc = run_insert(t, st, i, i + n);
		}
		if (rc != SQLITE_DONE)
			return pp_sq_failed(q);
	}
	return true;
}
