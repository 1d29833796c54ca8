/*
 * digest_histogram.c: rows of table `histogram` of digests: the buckets that
 * a server has counted in, and those of the single statements of a list.
 *
 * A server's bucket goes from its lower bound to its upper one, which is what
 * its QUANTILE columns print; the last has none.
 */
#include "digest_fold.h"

static void
put_bound(struct pp_rows *r, const struct pp_digest *e, uint64_t v)
{
	if (v != PP_DG_NO_BOUND)
		pp_put_dec(r, pp_dec_rescale(v, PP_DIGEST_DIGITS, e->digits),
		    e->digits);
	else
		pp_put_null(r);
}

static void
put_head(struct pp_rows *r, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	pp_str text = pp_digest_shown(f->d, e);

	pp_put_str_or_null(r, pp_digest_fold_source(f, e));
	pp_put_null(r);
	if (text.n == 0)
		text = pp_strtab_get(&f->d->strings, e->native);
	pp_put_text(r, text);
}

static void
put_tail(struct pp_rows *r, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	pp_digest_put_id(r, f->d, e);
	pp_put_str_or_null(r, pp_strtab_get(&f->d->strings, e->schema));
	pp_row_end(r);
}

static void
fill_counted(struct pp_rows *r, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	const struct pp_digest_bucket *b = e->more->v, *end = b + e->more->n;

	for (; b < end; b++) {
		put_head(r, f, e);
		put_bound(r, e, b->from);
		put_bound(r, e, b->to);
		pp_put_int(r, (pp_i128)b->count);
		pp_put_null(r);
		put_tail(r, f, e);
	}
}

static void
fill_listed(struct pp_rows *r, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	const struct pp_hist_bucket *b;
	unsigned i = 0, index;
	int64_t from, to;

	while (pp_hist_next(e->more->hist, &i, &index, &b)) {
		pp_hist_bounds(index, &from, &to);
		put_head(r, f, e);
		put_bound(r, e, from < 0 ? 0 : (uint64_t)from);
		put_bound(r, e, to < 0 ? 0 : (uint64_t)to);
		pp_put_int(r, (pp_i128)b->count);
		pp_put_dec(r, pp_dec_rescale(b->time, PP_DIGEST_DIGITS,
		    e->digits), e->digits);
		put_tail(r, f, e);
	}
}

static void
fill_entry(struct pp_rows *r, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	if (e->more == NULL)
		return;
	if (e->more->n != 0)
		fill_counted(r, f, e);
	else if (e->more->hist != NULL)
		fill_listed(r, f, e);
}

/* The histogram over all statements of a source; of all when merged. */
static void
fill_all(struct pp_rows *r, struct pp_digest_fold *f, uint32_t source,
    bool merged)
{
	struct pp_digest all;
	size_t i;

	memset(&all, 0, sizeof(all));
	all.source = source;
	all.kind = PP_DG_NO_TEXT;
	all.text = f->every;
	all.digits = PP_DIGEST_DIGITS;
	for (i = merged ? 0 : source; i < f->d->nsources && (merged ||
	    i == source); i++)
		if (f->d->sources[i].all != NULL && pp_digest_selects(f->c,
		    f->d, f->d->sources[i].all))
			pp_digest_merge(f->d, &all, f->d->sources[i].all);
	fill_entry(r, f, &all);
	pp_digest_free_more(f->d, &all);
}

void
pp_digest_histogram(struct pp_rows *r, const struct pp_report_ctx *c)
{
	struct pp_digest_fold f;
	struct pp_digest own;
	size_t i = 0, source;
	bool merged;

	if (c->accounts->model->digests == NULL)
		return;
	pp_digest_fold_init(&f, c, pp_digest_keys(c) | PP_DG_NO_TRACES);
	merged = !(f.keys & PP_DG_BY_SOURCE);
	for (source = 0; source < f.d->nsources; source++) {
		fill_all(r, &f, (uint32_t)source, merged);
		for (; i < f.ngroups && (merged ||
		    f.g[i].source == source); i++) {
			fill_entry(r, &f, pp_digest_fold_get(&f, i, &own));
			pp_digest_fold_drop(&f, &own);
		}
		if (merged)
			break;
	}
	pp_digest_fold_free(&f);
}
