/*
 * sqlite.c: the writer sqlite: one database file.
 *
 * Sees base, table.h and the sink.
 *
 * The file is written beside its target without a journal and without waiting
 * for the disk: until the sink renames it, it is nobody's, and a run that
 * fails throws it away.  Tables may be interleaved.
 */
#include "sqlite_impl.h"

#include <errno.h>
#include <stdio.h>

bool
pp_sq_failed(struct pp_sq *q)
{
	int code = q->db != NULL ? sqlite3_system_errno(q->db) : 0;
	int rc = q->db != NULL ? sqlite3_errcode(q->db) : SQLITE_NOMEM;

	if (rc == SQLITE_NOMEM)
		pp_mem_fail(q->w->mem);
	/* SQLITE_FULL comes without the system's number */
	if (rc == SQLITE_FULL && code == 0)
		code = ENOSPC;
	if (code != 0 && (rc == SQLITE_FULL || (rc & 0xff) == SQLITE_IOERR ||
	    rc == SQLITE_CANTOPEN))
		pp_sink_fail(q->w->sink, code, NULL);
	pp_sink_fail(q->w->sink, 0, sqlite3_errmsg(q->db));
	return false;
}

bool
pp_sq_run(struct pp_sq *q, const char *sql)
{
	if (sqlite3_exec(q->db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return true;
	return pp_sq_failed(q);
}

sqlite3_stmt *
pp_sq_compile(struct pp_sq *q, const char *sql)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v3(q->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
	    &st, NULL) != SQLITE_OK)
		pp_sq_failed(q);
	return st;
}

/* A text with a NUL in it ends there for most functions of SQL. */
static pp_str
without_nul(struct pp_sq *q, pp_str s)
{
	char *p, *out;
	size_t i;

	p = out = pp_arena_alloc(&q->arena, s.n * 3);
	for (i = 0; i < s.n; i++) {
		if (s.p[i] != '\0') {
			*p++ = s.p[i];
			continue;
		}
		memcpy(p, "\xef\xbf\xbd", 3);
		p += 3;
	}
	q->z.repaired++;
	return (pp_str){out, (size_t)(p - out)};
}

pp_str
pp_sq_text(struct pp_sq *q, pp_str s)
{
	s = pp_sanitise(&q->z, s);
	if (s.n > 0 && memchr(s.p, '\0', s.n) != NULL)
		s = without_nul(q, s);
	if (s.p == NULL)
		s.p = "";
	return s;
}

static enum pp_status
sink_status(struct pp_wctx *w)
{
	return pp_sink_error(w->sink, NULL).n > 0 ? PP_FATAL : PP_OK;
}

static struct pp_sq_table *
find(struct pp_sq *q, const struct pp_table *table)
{
	struct pp_sq_table *t;

	for (t = q->tables; t != NULL; t = t->next)
		if (t->table == table)
			break;
	PP_ASSERT(t != NULL && t->insert != NULL);
	return t;
}

static enum pp_status
sqlite_rows(struct pp_wctx *w, const struct pp_batch *b)
{
	struct pp_sq *q = w->priv;
	struct pp_sq_table *t = find(q, b->table);

	return pp_sq_batch_insert(q, t, b) ? PP_OK : PP_FATAL;
}

/* ---------------------------------------------------------------- writer */

static enum pp_status
sqlite_begin(struct pp_wctx *w, const struct pp_table *table)
{
	struct pp_sq *q = w->priv;
	struct pp_sq_table *t = pp_mem_zalloc(w->mem, sizeof(*t));

	t->table = table;
	pp_sq_columns(q, t);
	*q->last = t;
	q->last = &t->next;
	if (!pp_sq_create(q, t, t->name) || !pp_sq_batch_open(q, t))
		return PP_FATAL;
	return sink_status(w);
}

static void
tell_losses(struct pp_wctx *w, const char *table)
{
	struct pp_sq *q = w->priv;

	if (w->diag != NULL && q->z.repaired > 0)
		pp_diag_tell_n(w->diag, PP_MSG_SANITISED, 0, UINT64_MAX,
		    q->z.repaired, "%s: text that is not UTF-8, or has a NUL "
		    "in it, was repaired", table);
	if (w->diag != NULL && q->misfits > 0)
		pp_diag_tell_n(w->diag, PP_MSG_NUMBER_LIMIT, 0, UINT64_MAX,
		    q->misfits, "%s: numbers beyond the range of their "
		    "column were left empty", table);
	if (w->diag != NULL && q->wrapped > 0)
		pp_diag_tell_n(w->diag, PP_MSG_NUMBER_WRAPPED, 0, UINT64_MAX,
		    q->wrapped, "%s: whole numbers from 2^63 on were stored "
		    "less 2^64", table);
	q->z.repaired = q->misfits = q->wrapped = 0;
}

static enum pp_status
sqlite_end(struct pp_wctx *w, const struct pp_table *table)
{
	struct pp_sq *q = w->priv;
	struct pp_sq_table *t = find(q, table);

	pp_sq_batch_close(t);
	tell_losses(w, table->name);
	return sink_status(w);
}

static bool
open_database(struct pp_sq *q, const char *path)
{
	char sql[64];
	size_t n = strlen(path);
	char *plain = pp_mem_alloc(q->w->mem, n + 3);
	int rc;

	/* what looks like a URI, or ":memory:", is a name all the same */
	snprintf(plain, n + 3, "%s%s", path[0] == '/' ? "" : "./", path);
	rc = sqlite3_open_v2(plain, &q->db, SQLITE_OPEN_READWRITE |
	    SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, "unix-none");
	if (rc != SQLITE_OK)
		return pp_sq_failed(q);
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d",
	    PP_SCHEMA_VERSION);
	return pp_sq_run(q, "PRAGMA page_size = 16384;"
	    "PRAGMA journal_mode = OFF;"
	    "PRAGMA synchronous = OFF;"
	    "PRAGMA locking_mode = EXCLUSIVE;"
	    "PRAGMA cache_size = -8192;"
	    "PRAGMA foreign_keys = OFF") && pp_sq_run(q, sql) &&
	    pp_sq_run(q, "BEGIN");
}

static enum pp_status
sqlite_open(struct pp_wctx *w)
{
	struct pp_sq *q = pp_mem_zalloc(w->mem, sizeof(*q));
	const char *path = pp_sink_path(w->sink);

	w->priv = q;
	q->w = w;
	q->last = &q->tables;
	pp_arena_init(&q->arena, w->mem, 4096);
	q->z = (struct pp_sanitiser){.mode = PP_SANE_UTF8, .out = &q->arena};
	PP_ASSERT(path != NULL);
	if (!open_database(q, path))
		return PP_FATAL;
	return sink_status(w);
}

/* Indexes and views, and all of it to the file. */
static bool
complete(struct pp_sq *q)
{
	struct pp_sq_table *t;
	size_t i;

	for (i = 0; i < PP_SQ_DIMS; i++)
		pp_sq_dim_free(&q->dims[i]);
	for (t = q->tables; t != NULL; t = t->next)
		if (!pp_sq_index(q, t) || !pp_sq_view(q, t))
			return false;
	if (!pp_sq_run(q, "COMMIT"))
		return false;
	if (sqlite3_close(q->db) != SQLITE_OK)
		return pp_sq_failed(q);
	q->db = NULL;
	return true;
}

static enum pp_status
sqlite_close(struct pp_wctx *w)
{
	struct pp_sq *q = w->priv;

	return complete(q) ? sink_status(w) : PP_FATAL;
}

/* What is in w->mem goes with it. */
static void
sqlite_free(struct pp_wctx *w)
{
	struct pp_sq *q = w->priv;
	struct pp_sq_table *t;
	size_t i;

	if (q == NULL)
		return;
	for (t = q->tables; t != NULL; t = t->next)
		pp_sq_batch_close(t);
	for (i = 0; i < PP_SQ_DIMS; i++)
		pp_sq_dim_free(&q->dims[i]);
	sqlite3_close(q->db);
	w->priv = NULL;
}

extern const struct pp_writer pp_writer_sqlite;

const struct pp_writer pp_writer_sqlite = {
	.name = "sqlite",
	.summary = "one SQLite database: tables, indexes and views",
	.suffix = ".sqlite",
	.caps = PP_W_INTERLEAVED,
	.open = sqlite_open,
	.begin = sqlite_begin,
	.rows = sqlite_rows,
	.end = sqlite_end,
	.close = sqlite_close,
	.free = sqlite_free
};
