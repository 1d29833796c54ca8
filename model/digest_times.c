/*
 * digest_times.c: how the calls of a digest spread: the server's buckets, a
 * list's single times, percentiles, the average.  See digests.h.
 */
#include "digests.h"

void
pp_digest_bucket(struct pp_digests *d, struct pp_digest *e,
    const struct pp_digest_bucket *b)
{
	struct pp_digest_more *m = e->more;
	size_t i;

	if (m == NULL)
		m = e->more = pp_mem_zalloc(d->mem, sizeof(*m));
	/* rows come in the order of their buckets */
	for (i = m->n; i > 0 && m->v[i - 1].to >= b->to; i--)
		if (m->v[i - 1].to == b->to) {
			pp_digest_add_counter(&m->v[i - 1].count, b->count);
			return;
		}
	if (b->count == 0)
		return;
	if (m->n == m->cap)
		pp_mem_grow(d->mem, (void **)&m->v, &m->cap, m->n + 1,
		    sizeof(*m->v));
	memmove(m->v + i + 1, m->v + i, (m->n - i) * sizeof(*m->v));
	m->v[i] = *b;
	m->n++;
}

void
pp_digest_single(struct pp_digests *d, struct pp_digest *e, uint64_t ps)
{
	if (e->more == NULL)
		e->more = pp_mem_zalloc(d->mem, sizeof(*e->more));
	if (e->more->hist == NULL)
		e->more->hist = pp_mem_zalloc(d->mem, sizeof(struct pp_hist));
	pp_hist_add(e->more->hist, d->mem, ps > INT64_MAX ? INT64_MAX :
	    (int64_t)ps);
}

void
pp_digest_count_text(struct pp_digests *d, struct pp_digest *e, uint32_t at,
    uint64_t key)
{
	uint32_t *cell = pp_map_at(&d->seen, (uint64_t)at << 32 | 1, key);

	if (*cell == PP_MAP_NONE)
		e->texts++;
	*cell = 1;
}

static uint64_t
bucket_sum(const struct pp_digest_more *m)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < m->n; i++)
		pp_digest_add_counter(&n, m->v[i].count);
	return n;
}

/* As the server does it: the bound of the bucket that holds the rank. */
static bool
bucket_percentile(const struct pp_digest *e, unsigned per_mille,
    uint64_t *out)
{
	const struct pp_digest_more *m = e->more;
	pp_u128 rank, sum = 0;
	size_t i;

	rank = ((pp_u128)bucket_sum(m) * per_mille + 999) / 1000;
	if (rank == 0)
		return false;
	for (i = 0; i < m->n; i++) {
		sum += m->v[i].count;
		if (sum < rank)
			continue;
		*out = m->v[i].to;
		/* the last bucket is open: 2^64 - 1 is no time */
		if (*out == UINT64_MAX && (e->has & PP_DG_HAS_MAX))
			*out = e->max;
		return *out != UINT64_MAX;
	}
	return false;
}

bool
pp_digest_percentile(const struct pp_digest *e, enum pp_digest_quantile k,
    uint64_t *out)
{
	static const unsigned per_mille[] = {500, 950, 990, 999};
	int64_t v;

	if (e->more != NULL && e->more->n != 0 &&
	    bucket_percentile(e, per_mille[k], out))
		return true;
	if ((e->has & PP_DG_HAS_QUANTILE(k)) && e->rows == 1) {
		*out = e->quantile[k];
		if (*out == UINT64_MAX && (e->has & PP_DG_HAS_MAX))
			*out = e->max;
		return *out != UINT64_MAX;
	}
	/* a list in part of single statements, in part of sums, tells of
	 * neither */
	if (e->more == NULL || e->more->hist == NULL ||
	    !(e->has & PP_DG_LISTED) || !pp_hist_percentile(e->more->hist,
	    per_mille[k], e->max > INT64_MAX ? INT64_MAX : (int64_t)e->max,
	    &v))
		return false;
	*out = (uint64_t)(v < 0 ? 0 : v);
	return true;
}

bool
pp_digest_calls(const struct pp_digest *e, uint64_t *out)
{
	if (e->has & (1u << PP_DG_CALLS)) {
		*out = e->count[PP_DG_CALLS];
		return true;
	}
	if (e->more == NULL || e->more->n == 0)
		return false;
	*out = bucket_sum(e->more);
	return true;
}

pp_i128
pp_digest_average(const struct pp_digest *e, unsigned scale)
{
	pp_i128 n = (pp_i128)e->timed;
	unsigned k;

	/* a scale below that of picoseconds: round once */
	for (k = scale; k < PP_DIGEST_DIGITS; k++)
		n *= 10;
	return pp_div_half_up(e->total, n);
}

