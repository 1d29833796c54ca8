/*
 * digest_trace.c: what the statements of traces add up to by digest, in the
 * form in which rows of servers come.
 */
#include "digest_fold.h"

#include "fill.h"

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
};

/* ------------------------------------------------------------- adding up */

static struct row *
row_of(struct rows *x, uint32_t source, uint32_t stmt)
{
	const struct pp_stmt *s = &x->c->model->stmts[stmt];
	/* the texts of one digest are one string */
	uint64_t digest = (uint64_t)(uintptr_t)s->digest.p;
	uint32_t *at = pp_map_at(&x->map, digest, source);
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

/* ---------------------------------------------------------- conversion */

static uint64_t
ps(int64_t v, uint8_t digits)
{
	pp_i128 x = pp_dec_rescale(v, digits, PP_DIGEST_DIGITS);

	return x < 0 ? 0 : x > UINT64_MAX ? UINT64_MAX : (uint64_t)x;
}

static void
convert_at(const struct row *w, const struct pp_wall *at,
    struct pp_digest_at *out)
{
	if (!w->has_seen)
		return;
	out->us = at->us;
	out->offset_min = at->offset_min;
	out->has_offset = at->has_offset;
	out->digits = 6;
	out->known = true;
}

static void
convert_counters(const struct row *w, struct pp_digest *e)
{
	static const unsigned always = 1u << PP_DG_CALLS | 1u << PP_DG_PARSES |
	    1u << PP_DG_EXECUTIONS | 1u << PP_DG_MISSES | 1u << PP_DG_ERRORS;

	e->has |= always | PP_DG_HAS_TOTAL | PP_DG_HAS_CPU;
	e->count[PP_DG_CALLS] = e->timed = w->calls;
	e->count[PP_DG_PARSES] = w->parses;
	e->count[PP_DG_EXECUTIONS] = w->executions;
	e->count[PP_DG_MISSES] = w->misses;
	e->count[PP_DG_ERRORS] = w->errors;
	if (w->changes) {
		e->count[PP_DG_AFFECTED] = w->rows_affected;
		e->has |= 1u << PP_DG_AFFECTED;
	}
	if (w->selects) {
		e->count[PP_DG_SENT] = w->rows_sent;
		e->has |= 1u << PP_DG_SENT;
	}
}

static void
convert(struct pp_digests *d, const struct pp_model *m, const struct row *w,
    struct pp_digest *e)
{
	static const unsigned per_mille[] = {500, 950, 990, 999};
	const struct pp_stmt *s = &m->stmts[w->stmt];
	int64_t v = 0;
	unsigned i;

	memset(e, 0, sizeof(*e));
	e->source = w->source;
	e->rows = 1;
	e->traced = true;
	e->digits = w->digits;
	e->kind = PP_DG_TEXT;
	pp_digest_id_parse(s->digest, e->id);
	e->text = pp_strtab_id(&d->strings, s->digest_text);
	e->sample = m->stmts[w->sample].text;
	e->texts = (uint32_t)w->statements;
	e->total = pp_dec_rescale(w->elapsed, w->digits, PP_DIGEST_DIGITS);
	e->cpu = pp_dec_rescale(w->cpu, w->digits, PP_DIGEST_DIGITS);
	convert_counters(w, e);
	if (w->timed) {
		e->max = ps(w->max, w->digits);
		e->has |= PP_DG_HAS_MAX;
		for (i = 0; i < 4; i++)
			if (pp_hist_percentile(&w->hist, per_mille[i], w->max,
			    &v)) {
				e->quantile[i] = ps(v, w->digits);
				e->has |= PP_DG_HAS_QUANTILE(i);
			}
	}
	convert_at(w, &w->first, &e->first);
	convert_at(w, &w->last, &e->last);
}

struct pp_digest *
pp_digest_trace(const struct pp_report_ctx *c, struct pp_digests *d,
    size_t *n)
{
	struct rows x = {.c = c};
	struct pp_digest *v;
	size_t i;

	pp_map_init(&x.map, c->mem);
	pp_map_init(&x.stmts, c->mem);
	pp_map_init(&x.cells, c->mem);
	add_all(&x);
	v = pp_mem_alloc(c->mem, (x.n + 1) * sizeof(*v));
	for (i = 0; i < x.n; i++) {
		convert(d, c->model, &x.v[i], &v[i]);
		pp_hist_free(&x.v[i].hist, c->mem);
	}
	*n = x.n;
	pp_mem_free(c->mem, x.v);
	pp_map_free(&x.map);
	pp_map_free(&x.stmts);
	pp_map_free(&x.cells);
	return v;
}
