/*
 * digests.c: see digests.h.  May touch model/base, model.h and sql/digest.h.
 */
#include "digests.h"

#include "model.h"
#include "sql/digest.h"

#include <stdio.h>

/* Samples are kept while they leave this part of --max-memory free. */
#define SAMPLE_SHARE 4

/* The id of the canonical text of each string that was one. */
struct pp_digest_texts {
	struct pp_map map;	/* string -> index in v */
	uint64_t (*v)[2];
	size_t n, cap;
};

/* --------------------------------------------------------------- times */

static int64_t
utc(const struct pp_digest_at *a)
{
	return pp_i64_sub(a->us, (int64_t)a->offset_min * 60000000);
}

bool
pp_digest_before(const struct pp_digest_at *a, const struct pp_digest_at *b)
{
	if (a->has_offset && b->has_offset)
		return utc(a) < utc(b);
	return a->us < b->us;
}

size_t
pp_digest_at_format(char *buf, const struct pp_digest_at *at)
{
	struct pp_wall w = {.us = at->us, .known = at->known};
	size_t n = pp_wall_format(buf, &w, 0), cut;
	int off = at->offset_min;

	if (n == 0)
		return 0;
	/* six digits stand at the end: no more than were printed */
	cut = at->digits == 0 ? 7 : 6 - (size_t)at->digits;
	n -= cut < n ? cut : 0;
	if (at->has_offset) {
		buf[n++] = off < 0 ? '-' : '+';
		off = off < 0 ? -off : off;
		n += (size_t)snprintf(buf + n, 7, "%02d:%02d",
		    off / 60 % 100, off % 60);
	}
	return n;
}

static void
earliest(struct pp_digest_at *a, const struct pp_digest_at *b)
{
	if (b->known && (!a->known || pp_digest_before(b, a)))
		*a = *b;
}

static void
latest(struct pp_digest_at *a, const struct pp_digest_at *b)
{
	if (b->known && (!a->known || pp_digest_before(a, b)))
		*a = *b;
}

/* --------------------------------------------------------------- store */

struct pp_digests *
pp_digests(struct pp_model *m)
{
	struct pp_digests *d = m->digests;

	if (d != NULL)
		return d;
	d = pp_mem_zalloc(m->mem, sizeof(*d));
	d->mem = m->mem;
	pp_map_init(&d->map, m->mem);
	pp_map_init(&d->seen, m->mem);
	pp_map_init(&d->sql, m->mem);
	pp_strtab_init(&d->strings, m->mem);
	m->digests = d;
	return d;
}

struct pp_digest_source *
pp_digests_source(struct pp_digests *d, uint32_t source)
{
	size_t n = d->nsources;

	if (source >= n) {
		pp_mem_grow(d->mem, (void **)&d->sources, &d->sources_cap,
		    (size_t)source + 1, sizeof(*d->sources));
		memset(d->sources + n, 0, (source + 1 - n) *
		    sizeof(*d->sources));
		d->nsources = (size_t)source + 1;
	}
	d->sources[source].used = true;
	return &d->sources[source];
}

static struct pp_digest *
new_entry(struct pp_digests *d)
{
	if (d->n % PP_DG_CHUNK == 0) {
		if (d->nchunks == d->chunks_cap)
			pp_mem_grow(d->mem, (void **)&d->chunk, &d->chunks_cap,
			    d->nchunks + 1, sizeof(*d->chunk));
		d->chunk[d->nchunks++] = pp_mem_alloc(d->mem,
		    PP_DG_CHUNK * sizeof(struct pp_digest));
	}
	d->n++;
	return pp_digest_at(d, d->n - 1);
}

/* -------------------------------------------------------------- naming */

uint32_t
pp_digest_sample(struct pp_digests *d, pp_str sql)
{
	size_t limit = d->mem->limit;

	if (limit != 0 && d->mem->used > limit - limit / SAMPLE_SHARE) {
		d->samples_dropped = true;
		return 0;
	}
	return pp_strtab_id(&d->strings, sql);
}

static struct pp_digester *
digester(struct pp_digests *d, enum pp_digest_family family)
{
	struct pp_digest_options o = {.canonical = true};

	if (d->digester[family] != NULL)
		return d->digester[family];
	o.server = family == PP_DG_POSTGRESQL ? PP_SQL_POSTGRESQL :
	    PP_SQL_MYSQL_80;
	d->digester[family] = pp_digester_open(d->mem, &o);
	d->texts[family] = pp_mem_zalloc(d->mem, sizeof(*d->texts[family]));
	pp_map_init(&d->texts[family]->map, d->mem);
	return d->digester[family];
}

static uint64_t
hex(const char *p)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < 16; i++)
		v = v << 4 | (uint64_t)(p[i] <= '9' ? p[i] - '0' :
		    p[i] - 'a' + 10);
	return v;
}

/* Remember that string `text` has this canonical text; empty: none. */
static uint32_t
keep_id(struct pp_digests *d, struct pp_digest_texts *t, uint32_t text,
    pp_str canonical)
{
	char buf[PP_DIGEST_ID];
	uint64_t *id;

	if (t->n == t->cap)
		pp_mem_grow(d->mem, (void **)&t->v, &t->cap, t->n + 1,
		    sizeof(*t->v));
	id = t->v[t->n];
	id[0] = id[1] = 0;
	if (canonical.n != 0) {
		pp_digest_id(canonical, buf);
		id[0] = hex(buf + 2);
		id[1] = hex(buf + 18);
	}
	*pp_map_at(&t->map, text, 0) = (uint32_t)t->n;
	return (uint32_t)t->n++;
}

/*
 * Fingerprints of pt-query-digest and PMM have (?+) for a list of values,
 * which is no SQL: as (? ) it is one.  NULL where there is none; else a copy
 * of the same length, to be freed.
 */
static char *
without_plus(struct pp_digests *d, pp_str s)
{
	size_t i = pp_str_find(s, PP_STR("(?+)"));
	char *copy;

	if (i == s.n)
		return NULL;
	copy = pp_mem_alloc(d->mem, s.n);
	memcpy(copy, s.p, s.n);
	for (; i + 3 < s.n; i++)
		if (memcmp(copy + i, "(?+)", 4) == 0)
			copy[i + 2] = ' ';
	return copy;
}

/* False where nothing is in the text. */
static bool
canonical_id(struct pp_digests *d, enum pp_digest_family family,
    uint32_t text, uint64_t id[2])
{
	struct pp_digester *g = digester(d, family);
	struct pp_digest_texts *t = d->texts[family];
	uint32_t at = pp_map_get(&t->map, text, 0);
	pp_str canonical, sql;
	char *plain;

	if (at == PP_MAP_NONE) {
		sql = pp_strtab_get(&d->strings, text);
		plain = without_plus(d, sql);
		if (plain != NULL)
			sql.p = plain;
		if (!pp_digest_text(g, sql, &canonical))
			canonical = PP_STR("");
		at = keep_id(d, t, text, canonical);
		pp_mem_free(d->mem, plain);
	}
	id[0] = t->v[at][0];
	id[1] = t->v[at][1];
	return id[0] != 0 || id[1] != 0;
}

void
pp_digest_name(struct pp_digests *d, struct pp_digest *row,
    enum pp_digest_family family, pp_str text, bool partial)
{
	pp_str native = pp_strtab_get(&d->strings, row->native);

	text = pp_str_trim(text);
	row->text = pp_strtab_id(&d->strings, text);
	row->texts = row->text != 0;
	if (row->text != 0 && (!partial || row->native == 0) &&
	    canonical_id(d, family, row->text, row->id)) {
		row->kind = PP_DG_TEXT;
		return;
	}
	if (row->native != 0) {
		row->kind = PP_DG_NATIVE;
		row->id[0] = pp_str_hash(native);
		row->id[1] = pp_hash_mix(row->id[0] + native.n);
		return;
	}
	row->kind = row->kind == PP_DG_OTHER ? PP_DG_OTHER : PP_DG_NO_TEXT;
	row->id[0] = row->id[1] = 0;
}

void
pp_digest_name_sql(struct pp_digests *d, struct pp_digest *row,
    enum pp_digest_family family, pp_str sql)
{
	struct pp_digester *g = digester(d, family);
	uint64_t h = pp_str_hash(sql);
	uint32_t *cell = pp_map_at(&d->sql, h, sql.n);
	pp_str canonical;
	uint32_t text;

	if (*cell == PP_MAP_NONE) {
		if (!pp_digest_text(g, sql, &canonical))
			canonical = PP_STR("");
		text = pp_strtab_id(&d->strings, canonical);
		if (pp_map_get(&d->texts[family]->map, text, 0) ==
		    PP_MAP_NONE)
			keep_id(d, d->texts[family], text, canonical);
		*cell = text;
	}
	row->sample = pp_digest_sample(d, sql);
	pp_digest_name(d, row, family, pp_strtab_get(&d->strings, *cell),
	    false);
	row->texts = 0;
}

/* ------------------------------------------------------------- merging */

static void
add_counter(uint64_t *a, uint64_t b)
{
	if (__builtin_add_overflow(*a, b, a))
		*a = UINT64_MAX;
}

static uint32_t
join_flags(struct pp_digests *d, uint32_t a, uint32_t b)
{
	pp_str x, y;
	uint32_t id;
	char *buf;

	if (a == 0 || b == 0 || a == b)
		return a != 0 ? a : b;
	x = pp_strtab_get(&d->strings, a);
	y = pp_strtab_get(&d->strings, b);
	/* a table that is wrong in every row is told once */
	if (x.n + y.n > 500 || pp_str_find(x, y) < x.n)
		return a;
	buf = pp_mem_alloc(d->mem, x.n + y.n + 2);
	memcpy(buf, x.p, x.n);
	memcpy(buf + x.n, "; ", 2);
	memcpy(buf + x.n + 2, y.p, y.n);
	id = pp_strtab_id(&d->strings, (pp_str){buf, x.n + y.n + 2});
	pp_mem_free(d->mem, buf);
	return id;
}

static void
merge_more(struct pp_digests *d, struct pp_digest *a,
    const struct pp_digest *b)
{
	size_t i;

	if (b->more == NULL)
		return;
	for (i = 0; i < b->more->n; i++)
		pp_digest_bucket(d, a, &b->more->v[i]);
	if (b->more->hist == NULL)
		return;
	if (a->more == NULL)
		a->more = pp_mem_zalloc(d->mem, sizeof(*a->more));
	if (a->more->hist == NULL)
		a->more->hist = pp_mem_zalloc(d->mem, sizeof(struct pp_hist));
	pp_hist_merge(a->more->hist, d->mem, b->more->hist);
}

void
pp_digest_merge(struct pp_digests *d, struct pp_digest *a,
    const struct pp_digest *b)
{
	unsigned quantiles = 0, k;

	a->total += b->total;
	a->lock += b->lock;
	a->cpu += b->cpu;
	if ((b->has & PP_DG_HAS_MIN) &&
	    (!(a->has & PP_DG_HAS_MIN) || b->min < a->min))
		a->min = b->min;
	if ((b->has & PP_DG_HAS_MAX) &&
	    (!(a->has & PP_DG_HAS_MAX) || b->max > a->max))
		a->max = b->max;
	for (k = 0; k < PP_DG_COUNTERS; k++)
		add_counter(&a->count[k], b->count[k]);
	add_counter(&a->timed, b->timed);
	/* the server's own percentiles are those of one row */
	for (k = 0; k < PP_DG_QUANTILES; k++)
		quantiles |= PP_DG_HAS_QUANTILE(k);
	if (a->rows == 0) {
		memcpy(a->quantile, b->quantile, sizeof(a->quantile));
		a->has |= b->has;
	} else if (b->rows == 0)
		a->has |= b->has & ~quantiles;
	else
		a->has = (a->has | b->has) & ~quantiles;
	if (b->digits > a->digits)
		a->digits = b->digits;
	a->rows += b->rows;
	a->untimed += b->untimed;
	earliest(&a->first, &b->first);
	latest(&a->last, &b->last);
	if (a->text == 0)
		a->text = b->text;
	if (a->sample == 0)
		a->sample = b->sample;
	a->flags = join_flags(d, a->flags, b->flags);
	merge_more(d, a, b);
}

/* How many texts has the entry with the one of `row`? */
static void
count_text(struct pp_digests *d, struct pp_digest *e, uint32_t at,
    uint32_t text)
{
	uint32_t *cell;

	if (text == 0 || text == e->text)
		return;
	cell = pp_map_at(&d->seen, at, text);
	if (*cell == PP_MAP_NONE)
		e->texts++;
	*cell = 1;
}

uint32_t
pp_digests_add(struct pp_digests *d, const struct pp_digest *row,
    uint32_t *was)
{
	uint64_t a = (uint64_t)row->source << 32 | row->schema, b;
	struct pp_digest_source *src;
	struct pp_digest *e;
	uint32_t at, *cell;

	if (row->native != 0)
		b = row->native;
	else if (row->kind == PP_DG_TEXT)
		b = row->id[0] | (uint64_t)1 << 63;
	else
		b = (uint64_t)1 << 62 | row->kind;
	cell = pp_map_at(&d->map, a, b);
	at = *cell;
	*was = 0;
	if (at == PP_MAP_NONE) {
		*cell = (uint32_t)d->n;
		at = (uint32_t)d->n;
		e = new_entry(d);
		*e = *row;
		src = pp_digests_source(d, row->source);
		if (src->end == 0)
			src->begin = at;
		src->end = at + 1;
		return at;
	}
	e = pp_digest_at(d, at);
	*was = e->set;
	if (e->kind == PP_DG_NATIVE && row->kind == PP_DG_TEXT) {
		e->kind = PP_DG_TEXT;
		e->id[0] = row->id[0];
		e->id[1] = row->id[1];
		e->text = row->text;
		e->texts = 1;
	} else if (e->text == 0)
		e->texts = row->texts;
	else if (row->texts != 0)
		count_text(d, e, at, row->text);
	pp_digest_merge(d, e, row);
	e->set = row->set;
	return at;
}

void
pp_digests_resolve(struct pp_digests *d)
{
	struct pp_map known;
	struct pp_digest *e, *from;
	uint32_t at;
	size_t i;
	bool any = false;

	for (i = 0; i < d->n && !any; i++)
		any = pp_digest_at(d, i)->kind == PP_DG_NATIVE;
	if (!any)
		return;
	pp_map_init(&known, d->mem);
	for (i = 0; i < d->n; i++) {
		e = pp_digest_at(d, i);
		/* short numbers mean something on one server only */
		if (e->kind == PP_DG_TEXT && e->native != 0 &&
		    pp_strtab_get(&d->strings, e->native).n >= 32)
			*pp_map_at(&known, e->native, 0) = (uint32_t)i;
	}
	for (i = 0; i < d->n; i++) {
		e = pp_digest_at(d, i);
		if (e->kind != PP_DG_NATIVE)
			continue;
		at = pp_map_get(&known, e->native, 0);
		if (at == PP_MAP_NONE)
			continue;
		from = pp_digest_at(d, at);
		e->kind = PP_DG_TEXT;
		e->id[0] = from->id[0];
		e->id[1] = from->id[1];
		e->text = from->text;
	}
	pp_map_free(&known);
}

/* --------------------------------------------------------- distribution */

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
			add_counter(&m->v[i - 1].count, b->count);
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
		add_counter(&n, m->v[i].count);
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

/* -------------------------------------------------------------- showing */

pp_str
pp_digest_id_text(const struct pp_digests *d, const struct pp_digest *e,
    char *buf)
{
	switch ((enum pp_digest_kind)e->kind) {
	case PP_DG_TEXT:
		snprintf(buf, 40, "d:%016llx%016llx",
		    (unsigned long long)e->id[0],
		    (unsigned long long)e->id[1]);
		return (pp_str){buf, 34};
	case PP_DG_NATIVE:
		return pp_strtab_get(&d->strings, e->native);
	case PP_DG_OTHER:
	case PP_DG_NO_TEXT:
		break;
	}
	return PP_STR("");
}

pp_str
pp_digest_shown(const struct pp_digests *d, const struct pp_digest *e)
{
	if (e->kind == PP_DG_OTHER)
		return PP_STR(PP_DG_OTHER_LABEL);
	if (e->kind == PP_DG_NO_TEXT && e->text == 0)
		return PP_STR("(no text)");
	return pp_strtab_get(&d->strings, e->text);
}

void
pp_digest_id_parse(pp_str digest, uint64_t id[2])
{
	id[0] = id[1] = 0;
	if (digest.n != PP_DIGEST_ID - 1)
		return;
	id[0] = hex(digest.p + 2);
	id[1] = hex(digest.p + 18);
}

void
pp_digest_copy(struct pp_digests *d, struct pp_digest *to,
    const struct pp_digest *from)
{
	*to = *from;
	to->more = NULL;
	merge_more(d, to, from);
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

void
pp_digest_free_more(struct pp_digests *d, struct pp_digest *e)
{
	if (e->more == NULL)
		return;
	if (e->more->hist != NULL)
		pp_hist_free(e->more->hist, d->mem);
	pp_mem_free(d->mem, e->more->hist);
	pp_mem_free(d->mem, e->more->v);
	pp_mem_free(d->mem, e->more);
	e->more = NULL;
}
