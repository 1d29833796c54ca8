/*
 * hist.c: histograms of durations.
 */
#include "hist.h"

static const int64_t bounds[] = {
#include "hist_bounds.tbl"
};
#define NBOUNDS (sizeof(bounds) / sizeof(bounds[0]))
#define TICKS 100

static const uint16_t first_guess[] = {
#include "hist_index.tbl"
};
#define GUESS_BITS 5
#define GUESS_FROM 6		/* the highest bit of 64 */

unsigned
pp_hist_index(int64_t v)
{
	unsigned high, next, i;

	if (v < 0)
		return PP_HIST_NEGATIVE;
	if (v < TICKS)
		return (unsigned)v;
	high = 63u - (unsigned)__builtin_clzll((uint64_t)v);
	next = (unsigned)(v >> (high - GUESS_BITS)) & ((1u << GUESS_BITS) - 1);
	i = first_guess[((high - GUESS_FROM) << GUESS_BITS) + next];
	return TICKS + i + (i + 1 < NBOUNDS && bounds[i + 1] <= v);
}

void
pp_hist_bounds(unsigned index, int64_t *from, int64_t *to)
{
	if (index >= PP_HIST_NEGATIVE) {
		*from = INT64_MIN;
		*to = -1;
	} else if (index < TICKS) {
		*from = *to = (int64_t)index;
	} else {
		index -= TICKS;
		*from = bounds[index];
		*to = index + 1 < NBOUNDS ? bounds[index + 1] - 1 : INT64_MAX;
	}
}

static struct pp_hist_bucket *
chunked(struct pp_hist *h, struct pp_mem *mem, unsigned i)
{
	struct pp_hist_bucket **c = &h->chunk[i / PP_HIST_CHUNK];

	if (*c == NULL)
		*c = pp_mem_zalloc(mem, PP_HIST_CHUNK * sizeof(**c));
	return &(*c)[i % PP_HIST_CHUNK];
}

struct pp_hist_bucket *
pp_hist_at(struct pp_hist *h, struct pp_mem *mem, unsigned i)
{
	if (h->chunk != NULL)
		return chunked(h, mem, i);
	if (h->only.count == 0)
		h->only_at = i;
	if (h->only_at == i)
		return &h->only;
	h->chunk = pp_mem_zalloc(mem, PP_HIST_CHUNKS * sizeof(*h->chunk));
	*chunked(h, mem, h->only_at) = h->only;
	return chunked(h, mem, i);
}

void
pp_hist_merge(struct pp_hist *h, struct pp_mem *mem, const struct pp_hist *from)
{
	const struct pp_hist_bucket *f;
	unsigned i = 0, index;

	while (pp_hist_next(from, &i, &index, &f)) {
		struct pp_hist_bucket *b = pp_hist_at(h, mem, index);

		b->count += f->count;
		b->time += f->time;
	}
}

void
pp_hist_merge_scaled(struct pp_hist *h, struct pp_mem *mem,
    const struct pp_hist *from, int64_t factor)
{
	const struct pp_hist_bucket *f;
	unsigned i = 0, index;
	int64_t lo, hi;

	if (factor == 1) {
		pp_hist_merge(h, mem, from);
		return;
	}
	while (pp_hist_next(from, &i, &index, &f)) {
		struct pp_hist_bucket *b;

		pp_hist_bounds(index, &lo, &hi);
		b = pp_hist_at(h, mem, hi < 0 ? index :
		    pp_hist_index(pp_i64_mul(hi, factor)));
		b->count += f->count;
		b->time += f->time * factor;
	}
}

bool
pp_hist_next(const struct pp_hist *h, unsigned *i, unsigned *index,
    const struct pp_hist_bucket **b)
{
	/* position 0 is the negative bucket, position n bucket n - 1 */
	if (h->chunk == NULL) {
		unsigned at = h->only_at == PP_HIST_NEGATIVE ? 0 :
		    h->only_at + 1;

		if (h->only.count == 0 || *i > at)
			return false;
		*i = at + 1;
		*index = h->only_at;
		*b = &h->only;
		return true;
	}
	while (*i <= PP_HIST_NEGATIVE) {
		unsigned at = *i == 0 ? PP_HIST_NEGATIVE : *i - 1;
		const struct pp_hist_bucket *c = h->chunk[at / PP_HIST_CHUNK];

		if (c == NULL && *i > 0) {
			*i += PP_HIST_CHUNK - at % PP_HIST_CHUNK;
			continue;
		}
		++*i;
		if (c == NULL || c[at % PP_HIST_CHUNK].count == 0)
			continue;
		*index = at;
		*b = &c[at % PP_HIST_CHUNK];
		return true;
	}
	return false;
}

bool
pp_hist_percentile(const struct pp_hist *h, unsigned per_mille, int64_t max,
    int64_t *out)
{
	const struct pp_hist_bucket *b;
	uint64_t n = 0, rank, seen = 0;
	unsigned i, index;
	int64_t from, to;

	for (i = 0; pp_hist_next(h, &i, &index, &b);)
		n += b->count;
	if (n == 0)
		return false;
	rank = (uint64_t)(((pp_u128)n * per_mille + 999) / 1000);
	for (i = 0; pp_hist_next(h, &i, &index, &b);) {
		seen += b->count;
		if (seen < rank)
			continue;
		pp_hist_bounds(index, &from, &to);
		*out = to < max ? to : max;
		return true;
	}
	return false;
}

void
pp_hist_free(struct pp_hist *h, struct pp_mem *mem)
{
	unsigned c;

	for (c = 0; h->chunk != NULL && c < PP_HIST_CHUNKS; c++)
		pp_mem_free(mem, h->chunk[c]);
	pp_mem_free(mem, h->chunk);
	memset(h, 0, sizeof(*h));
}
