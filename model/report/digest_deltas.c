/*
 * digest_deltas.c: table `digest_deltas`, what a digest gained between two
 * snapshots of a server a row.  See digest_steps.c.
 */
#include "columns.h"
#include "digest_steps.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_DIGEST,
	{"schema", PP_T_TEXT, "schema that the statements ran in"},
	{"native_digest", PP_T_ID, "the server's own digest"},
	{"from_at", PP_T_TIME, "time of the earlier snapshot"},
	{"to_at", PP_T_TIME, "time of the later snapshot"},
	{"calls", PP_T_INT, "executions between the snapshots"},
	{"total_s", PP_T_SECONDS, "elapsed time between the snapshots"},
	{"state", PP_T_TEXT, "known, new, gone, reset or unknown"},
	{"load", PP_T_DECIMAL, "total_s by second between the snapshots"},
};

static const struct pp_table table = {
	"digest_deltas", "a native digest between two snapshots",
	"time of the snapshot, falling total_s, schema, native_digest",
	PP_COLUMNS(columns), 0
};

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

static void
put_load(struct pp_rows *r, const struct pp_digest_delta *d,
    const struct pp_digest_snapshot *from, const struct pp_digest_snapshot *to)
{
	int64_t us = pp_digest_deltas_us(from, to);

	if (us == 0 || !d->has_total)
		pp_put_null(r);
	else
		pp_put_dec(r, pp_div_half_up(d->total, us), 6);
}

static void
fill_row(struct pp_rows *r, const struct pp_digest_deltas *x, const struct pp_digest_delta *d,
    const struct pp_digest_snapshot *from, const struct pp_digest_snapshot *to)
{
	pp_put_str(r, to->name);
	pp_digest_put_id(r, x->d, d->e);
	pp_put_str_or_null(r, d->schema);
	pp_put_str_or_null(r, d->native);
	put_at(r, &from->at);
	put_at(r, &to->at);
	if (d->has_calls)
		pp_put_int(r, d->calls);
	else
		pp_put_null(r);
	if (d->has_total)
		pp_put_dec(r, pp_dec_rescale(d->total, PP_DIGEST_DIGITS,
		    d->e->digits), d->e->digits);
	else
		pp_put_null(r);
	pp_put_str(r, pp_str_from(pp_digest_state_name(d->state)));
	put_load(r, d, from, to);
	pp_row_end(r);
}

static void
tell_resets(const struct pp_digest_deltas *x, const struct pp_digest_snapshot *to)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < x->n; i++)
		n += x->v[i].state == PP_DELTA_RESET;
	if (n != 0)
		pp_diag_tell_n(&x->c->accounts->model->diag, PP_MSG_RESET, 0,
		    UINT64_MAX, n, "%.*s: the counters of %llu digest%s "
		    "began anew since the snapshot before",
		    (int)to->name.n, to->name.p, (unsigned long long)n,
		    n == 1 ? "" : "s");
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct pp_digest_deltas x;
	struct pp_rows r;
	size_t i, k;

	pp_rows_open(&r, c->mem, to, &table);
	if (!c->opt.delta)
		return pp_rows_close(&r);
	pp_digest_deltas_open(&x, c);
	for (i = 1; i < x.nsnapshots; i++) {
		pp_digest_deltas_step(&x, i);
		tell_resets(&x, &x.snapshot[i]);
		for (k = 0; k < x.n; k++)
			fill_row(&r, &x, &x.v[k], &x.snapshot[i - 1],
			    &x.snapshot[i]);
	}
	pp_digest_deltas_close(&x);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_digest_deltas = {
	.table = &table,
	.inputs = PP_INPUT_DIGESTS,
	.default_on = true,
	.emit = emit,
};
