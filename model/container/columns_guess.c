/*
 * columns_guess.c: what the numbers of a column follow from.  Sees base and
 * table.h only.
 *
 * Most columns of a wide table follow from others: an end is a begin and a
 * duration, a digest follows from its statement.  For each the guess is
 * taken whose misses are smallest in a sample; deflate does the rest.
 */
#include "columns_impl.h"

/* Rows that a guess is tried on: this many in a run, and runs. */
#define RUN 32u
#define RUNS 8u

/* What the guess says of row i, all rows having values. */
static inline int64_t
guessed(const struct pp_out_table *t, enum pp_guess how, const int64_t *v,
    const int64_t *a, const int64_t *b, size_t i)
{
	switch (how) {
	case PP_GUESS_ABOVE:
		return i > 0 ? v[i - 1] : 0;
	case PP_GUESS_A:
		return a[i];
	case PP_GUESS_DIFF:
		return pp_wrap_sub(a[i], b[i]);
	case PP_GUESS_SUM:
		return pp_wrap_add(a[i], b[i]);
	case PP_GUESS_ALONG:
		return i > 0 ? pp_wrap_add(v[i - 1],
		    pp_wrap_sub(a[i], a[i - 1])) : a[i];
	case PP_GUESS_BASE32:
		return pp_base32(pp_strtab_get(t->text, (uint32_t)a[i]));
	case PP_GUESS_NONE:
	case PP_GUESS_LIKE:
	case PP_GUESS_COUNT:
		break;
	}
	return 0;
}

static inline uint32_t
bits(int64_t miss)
{
	uint64_t z = pp_zigzag(miss);

	return z == 0 ? 0 : 66 - (uint32_t)__builtin_clzll(z);
}

/* The first row of a run of the sample. */
static inline size_t
run_from(const struct pp_out_table *t, size_t run)
{
	return t->rows <= RUN * RUNS ? run * RUN :
	    run * (t->rows - RUN) / (RUNS - 1);
}

/* Bits of the misses in the sample; stops beyond `most`.  `how` is known
 * where this is called from, so that nothing asks for it in each row. */
static inline uint32_t
cost_of(const struct pp_out_table *t, enum pp_guess how,
    const struct pp_out_guess *g, const struct pp_out_column *c,
    uint32_t most)
{
	const int64_t *a = t->col[g->a].v, *b = t->col[g->b].v;
	size_t run, i, from;
	uint32_t sum = 0;

	for (run = 0; run < RUNS; run++) {
		from = run_from(t, run);
		/* nearly all guesses are far off from the first row on */
		for (i = from; i < from + RUN && i < t->rows && sum < most;
		    i++)
			if (c->tag[i] != 0)
				sum += bits(pp_wrap_sub(c->v[i],
				    guessed(t, how, c->v, a, b, i)));
	}
	return sum;
}

static uint32_t
cost(const struct pp_out_table *t, const struct pp_out_guess *g,
    const struct pp_out_column *c, uint32_t most)
{
	switch (g->how) {
	case PP_GUESS_ABOVE:
		return cost_of(t, PP_GUESS_ABOVE, g, c, most);
	case PP_GUESS_A:
		return cost_of(t, PP_GUESS_A, g, c, most);
	case PP_GUESS_ALONG:
		return cost_of(t, PP_GUESS_ALONG, g, c, most);
	case PP_GUESS_NONE:
	case PP_GUESS_DIFF:
	case PP_GUESS_SUM:
	case PP_GUESS_LIKE:
	case PP_GUESS_BASE32:
	case PP_GUESS_COUNT:
		break;
	}
	return cost_of(t, g->how, g, c, most);
}

/* The same for PP_GUESS_LIKE. */
static uint32_t
cost_like(const struct pp_out_table *t, uint32_t a,
    const struct pp_out_column *c, uint32_t most)
{
	int64_t like[256];
	size_t run, i, from, slot;
	unsigned shift = t->rows > RUN ? 4 : 6;
	uint32_t sum = 0;

	memset(like, 0, (PP_LIKE_SLOTS >> shift) * sizeof(*like));
	for (run = 0; run < RUNS; run++) {
		from = run_from(t, run);
		for (i = from; i < from + RUN && i < t->rows && sum < most;
		    i++) {
			if (c->tag[i] == 0)
				continue;
			slot = pp_like_slot(t->col[a].v[i]) >> shift;
			sum += bits(pp_wrap_sub(c->v[i], like[slot]));
			like[slot] = c->v[i];
		}
	}
	return sum;
}

/* A guess must be better by a sixteenth than a simpler one before it. */
static void
try(const struct pp_out_table *t, const struct pp_out_column *c,
    struct pp_out_guess g, struct pp_out_guess *best, uint32_t *least)
{
	uint32_t most = *least - *least / 16;
	uint32_t n = g.how == PP_GUESS_LIKE ? cost_like(t, g.a, c, most) :
	    cost(t, &g, c, most);

	if (n < most) {
		*least = n;
		*best = g;
	}
}

static bool
is_seconds(const struct pp_out_table *t, uint32_t i)
{
	return t->table->columns[i].type == PP_T_SECONDS &&
	    t->col[i].form == PP_FORM_NUMBER;
}

bool
pp_columns_is_flat(const struct pp_out_table *t, uint32_t i)
{
	const struct pp_out_column *c = &t->col[i];

	if (c->form == PP_FORM_WIDE || c->alike)
		return true;
	return memcmp(c->v, c->v + 1, (t->rows - 1) * sizeof(*c->v)) == 0;
}

/* Rows that a pair is looked at in before it is tried. */
#define LOOKS 6u

/* Up to LOOKS rows in which c has a value, spread over the block. */
static size_t
look_rows(const struct pp_out_table *t, const struct pp_out_column *c,
    size_t *row)
{
	size_t k, i, n = 0;

	for (k = 0; k < LOOKS; k++) {
		i = k * t->rows / LOOKS;
		while (i < t->rows && c->tag[i] == 0)
			i++;
		if (i < t->rows && (n == 0 || row[n - 1] < i))
			row[n++] = i;
	}
	return n;
}

/* Is a - b, or a + b, what c is in one of three of these rows? */
static bool
may_be(const struct pp_out_table *t, const struct pp_out_column *c,
    const struct pp_out_guess *g, const size_t *row, size_t n)
{
	size_t k, hits = 0;

	for (k = 0; k < n; k++)
		hits += c->v[row[k]] == guessed(t, g->how, c->v,
		    t->col[g->a].v, t->col[g->b].v, row[k]);
	return hits * 3 >= n;
}

/* Columns that are a sum are mostly just that: most of the pairs, and they
 * are many, are found out by a few rows. */
static void
try_pairs(const struct pp_out_table *t, uint32_t i, const bool *flat,
    struct pp_out_guess *best, uint32_t *least)
{
	const struct pp_out_column *c = &t->col[i];
	struct pp_out_guess g;
	size_t row[LOOKS], n = look_rows(t, c, row);

	for (g.a = 0; g.a < t->ncolumns && *least > 0; g.a++) {
		if (flat[g.a] || !is_seconds(t, g.a))
			continue;
		for (g.b = 0; g.b < t->ncolumns; g.b++) {
			if (g.a == g.b || flat[g.b] || !is_seconds(t, g.b))
				continue;
			g.how = PP_GUESS_DIFF;
			if (may_be(t, c, &g, row, n))
				try(t, c, g, best, least);
			g.how = PP_GUESS_SUM;
			if (g.a < g.b && may_be(t, c, &g, row, n))
				try(t, c, g, best, least);
		}
	}
}

/* A guess from one column. */
static void
try_one(const struct pp_out_table *t, const struct pp_out_column *c,
    enum pp_guess how, uint32_t a, struct pp_out_guess *best,
    uint32_t *least)
{
	struct pp_out_guess g = {how, a, 0};

	try(t, c, g, best, least);
}

struct pp_out_guess
pp_columns_guess(const struct pp_out_table *t, uint32_t i, const bool *flat)
{
	const struct pp_out_column *c = &t->col[i];
	struct pp_out_guess best = {PP_GUESS_NONE, 0, 0};
	uint32_t least = cost(t, &best, c, UINT32_MAX), a;

	try_one(t, c, PP_GUESS_ABOVE, 0, &best, &least);
	if (t->rows < 4)
		return best;
	for (a = 0; a < t->ncolumns && least > 0; a++) {
		if (flat[a])
			continue;
		try_one(t, c, PP_GUESS_A, a, &best, &least);
		try_one(t, c, PP_GUESS_ALONG, a, &best, &least);
		try_one(t, c, PP_GUESS_LIKE, a, &best, &least);
		if (t->col[a].form == PP_FORM_STRING &&
		    t->table->columns[i].type == PP_T_INT)
			try_one(t, c, PP_GUESS_BASE32, a, &best, &least);
	}
	if (least > 0 && is_seconds(t, i))
		try_pairs(t, i, flat, &best, &least);
	return best;
}

/* Varints one after the other, and whether any is not 0. */
struct miss_out {
	unsigned char *p;
	uint64_t any;
};

static inline void
put_miss(struct miss_out *m, int64_t miss)
{
	uint64_t z = pp_zigzag(miss);

	m->any |= z;
	if (z < 0x80)
		*m->p++ = (unsigned char)z;
	else
		m->p += pp_varint_put(m->p, z);
}

/* Each row of c that has a value, as i and v. */
#define EACH_VALUE(t, c, i, v) \
	for (i = 0; i < (t)->rows; i++) \
		if ((v = (c)->v[i], (c)->tag[i] != 0))

/* Guesses that look at rows above. */
static void
misses_above(const struct pp_out_table *t, const struct pp_out_column *c,
    const struct pp_out_guess *g, int64_t *like, struct miss_out *m)
{
	const int64_t *a = t->col[g->a].v;
	int64_t above = 0, a_above = 0, v;
	size_t i, slot;

	if (g->how == PP_GUESS_ABOVE) {
		EACH_VALUE(t, c, i, v) {
			put_miss(m, pp_wrap_sub(v, above));
			above = v;
		}
	} else if (g->how == PP_GUESS_ALONG) {
		EACH_VALUE(t, c, i, v) {
			put_miss(m, pp_wrap_sub(v, pp_wrap_add(above,
			    pp_wrap_sub(a[i], a_above))));
			above = v;
			a_above = a[i];
		}
	} else {
		memset(like, 0, PP_LIKE_SLOTS * sizeof(*like));
		EACH_VALUE(t, c, i, v) {
			slot = pp_like_slot(a[i]);
			put_miss(m, pp_wrap_sub(v, like[slot]));
			like[slot] = v;
		}
	}
}

/* Guesses that look at the row only. */
static void
misses_beside(const struct pp_out_table *t, const struct pp_out_column *c,
    const struct pp_out_guess *g, struct miss_out *m)
{
	const int64_t *a = t->col[g->a].v, *b = t->col[g->b].v;
	int64_t v;
	size_t i;

	if (g->how == PP_GUESS_A) {
		EACH_VALUE(t, c, i, v)
			put_miss(m, pp_wrap_sub(v, a[i]));
	} else if (g->how == PP_GUESS_DIFF) {
		EACH_VALUE(t, c, i, v)
			put_miss(m, pp_wrap_sub(v, pp_wrap_sub(a[i], b[i])));
	} else if (g->how == PP_GUESS_SUM) {
		EACH_VALUE(t, c, i, v)
			put_miss(m, pp_wrap_sub(v, pp_wrap_add(a[i], b[i])));
	} else if (g->how == PP_GUESS_BASE32) {
		EACH_VALUE(t, c, i, v)
			put_miss(m, pp_wrap_sub(v, pp_base32(pp_strtab_get(
			    t->text, (uint32_t)a[i]))));
	} else {
		EACH_VALUE(t, c, i, v)
			put_miss(m, v);
	}
}

bool
pp_columns_misses(unsigned char *p, size_t *n, const struct pp_out_table *t,
    const struct pp_out_column *c, const struct pp_out_guess *g,
    int64_t *like)
{
	struct miss_out m = {.p = p};

	if (g->how == PP_GUESS_ABOVE || g->how == PP_GUESS_ALONG ||
	    g->how == PP_GUESS_LIKE)
		misses_above(t, c, g, like, &m);
	else
		misses_beside(t, c, g, &m);
	*n = (size_t)(m.p - p);
	return m.any != 0;
}
