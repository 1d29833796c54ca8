/*
 * hist.h: histograms of durations and the percentiles they give.
 *
 * DESIGN section 6, rule 12: one bucket a tick below 100 ticks, then 50 a
 * decade with lower bounds ceil(10^(k/50)), k = 100, 101, ...  A percentile is
 * the upper bound of its bucket, so never low and at most 4.72 % high.
 * Negative values share one bucket.
 */
#ifndef PP_HIST_H
#define PP_HIST_H

#include <stdint.h>

#include "mem.h"
#include "num.h"

#define PP_HIST_CHUNK 32u	/* buckets a chunk */
#define PP_HIST_CHUNKS 31u	/* 100 ticks and 849 bounds; negatives */
#define PP_HIST_NEGATIVE ((PP_HIST_CHUNKS - 1) * PP_HIST_CHUNK)

struct pp_hist_bucket {
	uint64_t count;
	pp_i128 time;
};

/*
 * Chunks are allocated when a value falls into them, and not before there are
 * values in two buckets: statements that run once are many.
 */
struct pp_hist {
	struct pp_hist_bucket **chunk;	/* PP_HIST_CHUNKS; NULL: none */
	struct pp_hist_bucket only;	/* while chunk is NULL, */
	unsigned only_at;		/* the bucket with this index */
};

/* The bucket of v, 0 .. PP_HIST_NEGATIVE. */
unsigned pp_hist_index(int64_t v);

/* First and last value of a bucket (of the negative one: INT64_MIN, -1). */
void pp_hist_bounds(unsigned index, int64_t *from, int64_t *to);

/* The bucket `index` of h, made where it is new. */
struct pp_hist_bucket *pp_hist_at(struct pp_hist *h, struct pp_mem *mem,
    unsigned index);

static inline void
pp_hist_add(struct pp_hist *h, struct pp_mem *mem, int64_t v)
{
	unsigned i = pp_hist_index(v);
	struct pp_hist_bucket *b;

	if (h->chunk != NULL && h->chunk[i / PP_HIST_CHUNK] != NULL)
		b = &h->chunk[i / PP_HIST_CHUNK][i % PP_HIST_CHUNK];
	else
		b = pp_hist_at(h, mem, i);
	b->count++;
	b->time += v;
}

/* Add all of b to h; the sum is the same whatever the order. */
void pp_hist_merge(struct pp_hist *h, struct pp_mem *mem,
    const struct pp_hist *b);

/* The same, each value times `factor`: a bucket goes where its upper bound
 * then lies, so that percentiles are never low. */
void pp_hist_merge_scaled(struct pp_hist *h, struct pp_mem *mem,
    const struct pp_hist *b, int64_t factor);

/* Buckets in rising order of value: the next with a count at or behind *i
 * in that order; false at the end.  Start with *i = 0. */
bool pp_hist_next(const struct pp_hist *h, unsigned *i, unsigned *index,
    const struct pp_hist_bucket **b);

/*
 * The percentile per_mille (500 = median) of n = the sum of counts values:
 * the upper bound of the bucket of rank ceil(n * p), capped at `max`.
 * False when the histogram is empty.
 */
bool pp_hist_percentile(const struct pp_hist *h, unsigned per_mille,
    int64_t max, int64_t *out);

void pp_hist_free(struct pp_hist *h, struct pp_mem *mem);

#endif
