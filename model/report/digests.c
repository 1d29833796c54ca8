/*
 * digests.c: table `digests`, the totals of the statements that share a
 * normalised text a row.
 */
#include "columns.h"
#include "digest_fold.h"
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
	{"load", PP_T_DECIMAL, "total_s by second of the period that the "
	    "row covers, where that is known"},
	{"index_ratio", PP_T_DECIMAL, "rows_examined / rows_sent"},
	{"flags", PP_T_TEXT, "approximate, cut, and values that cannot be"},
};

static const struct pp_table table = {
	"digests", "a digest in a schema",
	"source, falling total_s, digest, schema", PP_COLUMNS(columns), 0
};

/* A time where it is known, with the digits of the source's clock. */
static void
put_ps(struct pp_rows *r, const struct pp_digest *e, bool known, pp_i128 v)
{
	if (known)
		pp_put_dec(r, pp_dec_rescale(v, PP_DIGEST_DIGITS, e->digits),
		    e->digits);
	else
		pp_put_null(r);
}

static void
put_count(struct pp_rows *r, const struct pp_digest *e,
    enum pp_digest_counter k)
{
	if (e->has & (1u << k))
		pp_put_int(r, (pp_i128)e->count[k]);
	else
		pp_put_null(r);
}

static void
put_at(struct pp_rows *r, const struct pp_digest_at *at)
{
	char buf[40];
	size_t n = at->known ? pp_digest_at_format(buf, at) : 0;

	if (n == 0)
		pp_put_null(r);
	else
		pp_put_text(r, (pp_str){buf, n});
}

/* total_s to p999_s */
static void
fill_times(struct pp_rows *r, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	unsigned scale = e->digits < 6 ? 6 : e->digits, k;
	pp_i128 all = pp_digest_fold_total(f, e->source);
	uint64_t v = 0;

	put_ps(r, e, (e->has & PP_DG_HAS_TOTAL) != 0, e->total);
	if ((e->has & PP_DG_HAS_TOTAL) && all > 0)
		pp_put_dec(r, pp_div_half_up(e->total * 10000, all), 2);
	else
		pp_put_null(r);
	/* calls without a time would make it too small */
	if ((e->has & PP_DG_HAS_TOTAL) && e->timed != 0)
		pp_put_dec(r, pp_digest_average(e, scale), scale);
	else
		pp_put_null(r);
	put_ps(r, e, (e->has & PP_DG_HAS_MIN) != 0, e->min);
	put_ps(r, e, (e->has & PP_DG_HAS_MAX) != 0, e->max);
	put_ps(r, e, (e->has & PP_DG_HAS_QUANTILE(PP_DG_STDDEV)) &&
	    e->rows == 1, e->quantile[PP_DG_STDDEV]);
	for (k = PP_DG_P50; k <= PP_DG_P999; k++) {
		bool known = pp_digest_percentile(e,
		    (enum pp_digest_quantile)k, &v);

		put_ps(r, e, known, v);
	}
}

static void
fill_flags(struct pp_rows *r, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	pp_str more = pp_strtab_get(&f->d->strings, e->flags);
	char buf[600];
	int n;

	if (more.n == 0 && !(e->has & (PP_DG_APPROXIMATE | PP_DG_CUT))) {
		pp_put_null(r);
		return;
	}
	n = snprintf(buf, sizeof(buf), "%s%s%.*s",
	    e->has & PP_DG_APPROXIMATE ? "approximate; " : "",
	    e->has & PP_DG_CUT ? "cut; " : "",
	    (int)(more.n < 550 ? more.n : 550), more.p == NULL ? "" : more.p);

	if (n > 2 && more.n == 0)
		n -= 2;
	pp_put_text(r, (pp_str){buf, (size_t)n});
}

static void
fill_tail(struct pp_rows *r, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	pp_i128 load;
	uint64_t sent = e->count[PP_DG_SENT];

	pp_put_str_or_null(r, e->sample);
	if (pp_digest_fold_load(f, e, &load))
		pp_put_dec(r, load, 6);
	else
		pp_put_null(r);
	if ((e->has & (1u << PP_DG_SENT)) && sent != 0 &&
	    (e->has & (1u << PP_DG_EXAMINED)))
		pp_put_dec(r, pp_div_half_up(
		    (pp_i128)e->count[PP_DG_EXAMINED] * 100, (pp_i128)sent),
		    2);
	else
		pp_put_null(r);
	fill_flags(r, f, e);
	pp_row_end(r);
}

static void
fill_row(struct pp_rows *r, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	uint64_t calls;
	unsigned k;

	pp_put_str_or_null(r, pp_digest_fold_source(f, e));
	pp_digest_put_id(r, f->d, e);
	pp_put_str_or_null(r, pp_strtab_get(&f->d->strings, e->schema));
	pp_put_str_or_null(r, pp_strtab_get(&f->d->strings, e->native));
	pp_put_str_or_null(r, pp_digest_shown(f->d, e));
	if (pp_digest_calls(e, &calls))
		pp_put_int(r, (pp_i128)calls);
	else
		pp_put_null(r);
	fill_times(r, f, e);
	put_ps(r, e, (e->has & PP_DG_HAS_LOCK) != 0, e->lock);
	put_ps(r, e, (e->has & PP_DG_HAS_CPU) != 0, e->cpu);
	for (k = PP_DG_PARSES; k < PP_DG_COUNTERS; k++)
		put_count(r, e, (enum pp_digest_counter)k);
	put_at(r, &e->first);
	put_at(r, &e->last);
	if (e->texts != 0)
		pp_put_int(r, e->texts);
	else
		pp_put_null(r);
	pp_put_int(r, pp_digest_fold_sources(f, e));
	if (e->traced)
		pp_put_null(r);
	else
		pp_put_int(r, e->untimed);
	fill_tail(r, f, e);
}

/* Rows beyond the first `top` of a source, as one. */
static void
fill_other(struct pp_rows *r, const struct pp_digest_fold *f,
    struct pp_digest *e)
{
	e->kind = PP_DG_NO_TEXT;
	e->schema = e->native = e->texts = 0;
	e->sample = PP_STR("");
	e->text = f->other;
	fill_row(r, f, e);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct pp_digest_fold f;
	struct pp_digest own, rest;
	const struct pp_digest *e;
	struct pp_rows r;
	uint32_t count = 0;
	size_t i;

	pp_digest_fold_init(&f, c, pp_digest_keys(c));
	pp_rows_open(&r, c->mem, to, &table);
	for (i = 0; i < f.ngroups; i++) {
		e = pp_digest_fold_get(&f, i, &own);
		count++;
		if (c->opt.top == 0 || count <= c->opt.top)
			fill_row(&r, &f, e);
		else if (count == c->opt.top + 1)
			pp_digest_copy(f.d, &rest, e);
		else
			pp_digest_merge(f.d, &rest, e);
		pp_digest_fold_drop(&f, &own);
		if (i + 1 < f.ngroups &&
		    f.g[i + 1].source == f.g[i].source)
			continue;
		if (c->opt.top != 0 && count > c->opt.top)
			fill_other(&r, &f, &rest);
		count = 0;
	}
	pp_digest_fold_free(&f);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_digests = {
	.table = &table,
	.inputs = PP_INPUT_DIGESTS | PP_INPUT_TRACE | PP_INPUT_EVENTS,
	.default_on = true,
	.emit = emit,
};
