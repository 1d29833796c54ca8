/*
 * digests.c: table `digests`, the totals of the statements that share a
 * normalised text a row.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_DIGEST,
	{"schema", PP_T_TEXT, "schema that the statements ran in"},
	{"native_digest", PP_T_ID, "the server's own digest; empty where "
	    "several meet"},
	{"digest_text", PP_T_TEXT, "normalised text"},
	{"calls", PP_T_INT, "executions"},
	{"total_s", PP_T_SECONDS, "elapsed time"},
	{"share_pct", PP_T_DECIMAL, "total_s in percent of the input's "
	    "total"},
	{"avg_s", PP_T_SECONDS, "total_s by timed call"},
	{"min_s", PP_T_SECONDS, "shortest"},
	{"max_s", PP_T_SECONDS, "longest"},
	{"stddev_s", PP_T_SECONDS, "standard deviation"},
	PP_COL_P50,
	PP_COL_P95,
	PP_COL_P99,
	{"p999_s", PP_T_SECONDS, "99.9th percentile, never low"},
	{"lock_s", PP_T_SECONDS, "time in locks"},
	{"cpu_s", PP_T_SECONDS, "CPU time"},
	{"parses", PP_T_INT, "parse calls"},
	{"executions", PP_T_INT, "executions of Oracle statements"},
	{"misses", PP_T_INT, "library cache misses"},
	{"errors", PP_T_INT, "errors"},
	{"warnings", PP_T_INT, "warnings"},
	{"rows_affected", PP_T_INT, "rows changed"},
	{"rows_sent", PP_T_INT, "rows returned"},
	{"rows_examined", PP_T_INT, "rows read"},
	{"tmp_tables", PP_T_INT, "temporary tables"},
	{"tmp_disk_tables", PP_T_INT, "temporary tables on disk"},
	{"full_joins", PP_T_INT, "joins without an index"},
	{"full_scans", PP_T_INT, "scans of whole tables"},
	{"sort_rows", PP_T_INT, "rows sorted"},
	{"no_index", PP_T_INT, "executions without an index"},
	{"no_good_index", PP_T_INT, "executions without a good index"},
	{"first_seen", PP_T_TIME, "first execution"},
	{"last_seen", PP_T_TIME, "last execution"},
	{"statements", PP_T_INT, "distinct texts"},
	{"sources", PP_T_INT, "inputs that have it"},
	{"rows_without_time", PP_T_INT, "rows of the input without a time"},
	{"sample_text", PP_T_TEXT, "one of the texts"},
};

static const struct pp_table table = {
	"digests", "a digest in a schema",
	"source, falling total_s, digest, schema", PP_COLUMNS(columns), 0
};

/* What the statements of a source that share a digest add up to. */
struct row {
	uint32_t source, stmt;	/* stmt: the first of them */
	uint8_t digits;		/* of the times */
	uint64_t calls, parses, executions, misses, errors, rows_sent,
	    rows_affected, statements;
	pp_i128 elapsed, cpu;
	pp_i128 most;		/* elapsed time of `sample` */
	uint32_t sample;
	struct pp_hist hist;
	int64_t max;
	bool timed;		/* hist and max hold something */
	bool selects, changes;	/* what its rows are */
	bool has_seen;
	struct pp_wall first, last;
};

struct rows {
	const struct pp_report_ctx *c;
	struct row *v;
	size_t n, cap;
	struct pp_map map;	/* (source, digest) -> row */
	struct pp_map stmts;	/* (row, statement) -> 0: has been counted */
	struct pp_map cells;	/* (session, statement) -> row */
	struct pp_map digests;	/* digest -> sources that have it */
};

/* ------------------------------------------------------------- adding up */

static struct row *
row_of(struct rows *x, uint32_t source, uint32_t stmt)
{
	const struct pp_stmt *s = &x->c->model->stmts[stmt];
	/* the texts of one digest are one string */
	uint64_t digest = (uint64_t)(uintptr_t)s->digest.p;
	uint32_t *at = pp_map_at(&x->map, digest, source), *sources;
	struct row *r;
	void *v;

	if (*at != PP_MAP_NONE)
		return &x->v[*at];
	*at = (uint32_t)x->n;
	v = x->v;
	pp_mem_grow(x->c->mem, &v, &x->cap, x->n + 1, sizeof(*r));
	x->v = v;
	r = &x->v[x->n++];
	memset(r, 0, sizeof(*r));
	r->source = source;
	r->stmt = r->sample = stmt;
	sources = pp_map_at(&x->digests, digest, 0);
	*sources = *sources == PP_MAP_NONE ? 1 : *sources + 1;
	return r;
}

/* Times of clocks with other ticks are brought to the finer one. */
static void
same_ticks(struct row *r, uint8_t digits)
{
	if (digits <= r->digits)
		return;
	r->elapsed = pp_dec_rescale(r->elapsed, r->digits, digits);
	r->cpu = pp_dec_rescale(r->cpu, r->digits, digits);
	r->most = pp_dec_rescale(r->most, r->digits, digits);
	r->digits = digits;
}

static bool
earlier(const struct pp_wall *a, const struct pp_wall *b)
{
	int64_t x = a->us - (int64_t)a->offset_min * 60000000;
	int64_t y = b->us - (int64_t)b->offset_min * 60000000;

	return x < y;
}

static void
add_seen(struct rows *x, struct row *r, const struct pp_stmt_cell *s)
{
	const struct pp_session *session = &x->c->model->sessions[s->session];
	struct pp_wall first, last;

	if (!s->has_time || !pp_session_wall(session, s->first, &first) ||
	    !pp_session_wall(session, s->last, &last))
		return;
	if (!r->has_seen || earlier(&first, &r->first))
		r->first = first;
	if (!r->has_seen || earlier(&r->last, &last))
		r->last = last;
	r->has_seen = true;
}

static void
add_executions(struct rows *x, struct row *r, const struct pp_stmt_cell *s,
    uint8_t digits)
{
	const struct pp_executions *e = pp_model_executions(x->c->model,
	    s->session, s->stmt, PP_FACET_ALL);

	/* which executions a selection holds is not known */
	if (e == NULL || x->c->accounts->opt.select != NULL ||
	    digits != r->digits)
		return;
	pp_hist_merge(&r->hist, x->c->mem, &e->hist);
	if (!r->timed || e->max > r->max)
		r->max = e->max;
	r->timed = true;
}

#define OCT_SELECT 3

static void
add_rows(struct row *r, const struct pp_stmt *t, uint64_t rows)
{
	if (!t->has_command)
		return;
	if (t->command == OCT_SELECT) {
		r->selects = true;
		r->rows_sent += rows;
	} else {
		r->changes = true;
		r->rows_affected += rows;
	}
}

static void
add_cell(struct rows *x, const struct pp_stmt_cell *s)
{
	const struct pp_model *m = x->c->model;
	const struct pp_stmt *t = &m->stmts[s->stmt];
	const struct pp_session *session = &m->sessions[s->session];
	struct row *r;
	uint32_t *seen;
	pp_i128 elapsed;

	if (t->digest.n == 0)
		return;
	r = row_of(x, session->source, s->stmt);
	*pp_map_at(&x->cells, s->session, s->stmt) = (uint32_t)(r - x->v);
	same_ticks(r, session->digits);
	elapsed = pp_dec_rescale(s->sums.elapsed, session->digits, r->digits);
	r->elapsed += elapsed;
	r->cpu += pp_dec_rescale(s->sums.cpu, session->digits, r->digits);
	r->calls += s->executions;
	r->executions += s->executions;
	r->parses += s->parses;
	r->misses += s->misses;
	add_rows(r, t, s->sums.rows);
	seen = pp_map_at(&x->stmts, (uint64_t)(r - x->v), s->stmt);
	if (*seen == PP_MAP_NONE) {
		*seen = 0;
		r->statements++;
	}
	if (elapsed > r->most || (elapsed == r->most &&
	    pp_str_cmp(t->id, m->stmts[r->sample].id) < 0)) {
		r->most = elapsed;
		r->sample = s->stmt;
	}
	add_executions(x, r, s, session->digits);
	add_seen(x, r, s);
}

static void
add_errors(struct rows *x)
{
	const struct pp_model *m = x->c->model;
	uint32_t at;
	size_t i;

	for (i = 0; i < m->nerrors; i++) {
		at = pp_map_get(&x->cells, m->errors[i].session,
		    m->errors[i].stmt);
		if (at != PP_MAP_NONE)
			x->v[at].errors++;
	}
}

static void
add_all(struct rows *x)
{
	const struct pp_accounts *a = x->c->accounts;
	size_t i;

	for (i = 0; i < a->nstmts; i++)
		if (pp_session_has_calls(x->c, a->stmts[i].session))
			add_cell(x, &a->stmts[i]);
	/* a row that gets no executions of its own has no percentiles */
	add_errors(x);
}

/* --------------------------------------------------------------- filling */

static void
fill_times(struct pp_rows *r, const struct row *w, pp_i128 total)
{
	static const unsigned per_mille[] = {500, 950, 990, 999};
	unsigned scale = w->digits < 6 ? 6 : w->digits;
	pp_i128 t = pp_dec_rescale(w->elapsed, w->digits, scale);
	int64_t v = 0;
	size_t i;

	pp_put_dec(r, w->elapsed, w->digits);
	if (total > 0)
		pp_put_dec(r, pp_div_half_up(w->elapsed * 10000, total), 2);
	else
		pp_put_null(r);
	if (w->calls != 0)
		pp_put_dec(r, pp_div_half_up(t, (pp_i128)w->calls), scale);
	else
		pp_put_null(r);
	pp_put_null(r);			/* min_s */
	if (w->timed)
		pp_put_dec(r, w->max, w->digits);
	else
		pp_put_null(r);
	pp_put_null(r);			/* stddev_s */
	for (i = 0; i < 4; i++) {
		if (w->timed && pp_hist_percentile(&w->hist, per_mille[i],
		    w->max, &v))
			pp_put_dec(r, v, w->digits);
		else
			pp_put_null(r);
	}
}

static void
fill_seen(struct pp_rows *r, const struct row *w, const struct pp_wall *at)
{
	char buf[40];
	size_t n = w->has_seen ? pp_wall_format(buf, at, 0) : 0;

	if (n == 0)
		pp_put_null(r);
	else
		pp_put_text(r, (pp_str){buf, n});
}

static void
fill_row(struct pp_rows *r, struct rows *x, const struct row *w,
    pp_i128 total)
{
	const struct pp_model *m = x->c->model;
	const struct pp_stmt *s = &m->stmts[w->stmt];

	pp_put_str(r, m->sources[w->source].name);
	pp_put_str(r, s->digest);
	pp_put_nulls(r, 2);		/* schema, native_digest */
	pp_put_str(r, s->digest_text);
	pp_put_int(r, (pp_i128)w->calls);
	fill_times(r, w, total);
	pp_put_null(r);			/* lock_s */
	pp_put_dec(r, w->cpu, w->digits);
	pp_put_int(r, (pp_i128)w->parses);
	pp_put_int(r, (pp_i128)w->executions);
	pp_put_int(r, (pp_i128)w->misses);
	pp_put_int(r, (pp_i128)w->errors);
	pp_put_null(r);			/* warnings */
	if (w->changes)
		pp_put_int(r, (pp_i128)w->rows_affected);
	else
		pp_put_null(r);
	if (w->selects)
		pp_put_int(r, (pp_i128)w->rows_sent);
	else
		pp_put_null(r);
	pp_put_nulls(r, 8);		/* rows_examined to no_good_index */
	fill_seen(r, w, &w->first);
	fill_seen(r, w, &w->last);
	pp_put_int(r, (pp_i128)w->statements);
	pp_put_int(r, pp_map_get(&x->digests,
	    (uint64_t)(uintptr_t)s->digest.p, 0));
	pp_put_null(r);			/* rows_without_time */
	pp_put_str(r, m->stmts[w->sample].text);
	pp_row_end(r);
}

/* Of each source the sum of its rows, in picoseconds. */
static pp_i128 *
totals(const struct rows *x)
{
	pp_i128 *v = pp_mem_zalloc(x->c->mem,
	    (x->c->model->nsources + 1) * sizeof(*v));
	size_t i;

	for (i = 0; i < x->n; i++)
		v[x->v[i].source] += pp_dec_rescale(x->v[i].elapsed,
		    x->v[i].digits, 12);
	return v;
}

static void
fill_all(struct pp_rows *r, struct rows *x)
{
	struct pp_sort *v = pp_sort_alloc(x->c, x->n);
	pp_i128 *total = totals(x);
	const struct row *w;
	size_t i;

	for (i = 0; i < x->n; i++) {
		w = &x->v[i];
		v[i].major = w->source;
		v[i].falling = pp_dec_rescale(w->elapsed, w->digits, 12);
		v[i].text = x->c->model->stmts[w->stmt].digest;
		v[i].index = (uint32_t)i;
	}
	pp_sort(v, x->n);
	for (i = 0; i < x->n; i++) {
		w = &x->v[v[i].index];
		fill_row(r, x, w, pp_dec_rescale(total[w->source], 12,
		    w->digits));
	}
	pp_mem_free(x->c->mem, total);
	pp_mem_free(x->c->mem, v);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct rows x = {.c = c};
	struct pp_rows r;
	size_t i;

	pp_map_init(&x.map, c->mem);
	pp_map_init(&x.stmts, c->mem);
	pp_map_init(&x.cells, c->mem);
	pp_map_init(&x.digests, c->mem);
	add_all(&x);
	pp_rows_open(&r, c->mem, to, &table);
	fill_all(&r, &x);
	for (i = 0; i < x.n; i++)
		pp_hist_free(&x.v[i].hist, c->mem);
	pp_mem_free(c->mem, x.v);
	pp_map_free(&x.map);
	pp_map_free(&x.stmts);
	pp_map_free(&x.cells);
	pp_map_free(&x.digests);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_digests = {
	.table = &table,
	.inputs = PP_INPUT_DIGESTS | PP_INPUT_TRACE | PP_INPUT_EVENTS,
	.default_on = true,
	.emit = emit,
};
