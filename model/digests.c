/*
 * digests.c: see digests.h.  digest_name.c says what names a row,
 * digest_times.c what is known of its times.  May touch model/base and
 * model.h.
 */
#include "digests.h"

#include "model.h"

#include <stdio.h>

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
	pp_arena_init(&d->samples, m->mem, 65536);
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

/* ------------------------------------------------------------- merging */

void
pp_digest_add_counter(uint64_t *a, uint64_t b)
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
		pp_digest_add_counter(&a->count[k], b->count[k]);
	pp_digest_add_counter(&a->timed, b->timed);
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
	if (a->sample.n == 0)
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

/*
 * The cell of the entry that `row` belongs to, by its name.  Most native
 * digests come once a source: of those the first entry is known without the
 * map, which has the ones in further schemas.
 */
static uint32_t *
cell_of(struct pp_digests *d, const struct pp_digest *row)
{
	uint64_t a = (uint64_t)row->source << 32 | row->schema;
	const struct pp_digest *e;
	uint32_t *first;

	if (row->native != 0) {
		first = pp_digest_by_string(d, &d->first, &d->first_cap,
		    row->native);
		if (*first == 0)
			return first;
		e = pp_digest_at(d, *first - 1);
		if (e->source == row->source && e->schema == row->schema)
			return first;
		/* sources come one after the other: nothing is added to
		 * those before */
		if (e->source != row->source) {
			*first = 0;
			return first;
		}
		first = pp_map_at(&d->map, a, row->native);
	} else if (row->kind == PP_DG_TEXT)
		first = pp_map_at(&d->map, a, row->id[0] |
		    (uint64_t)1 << 63);
	else
		first = pp_map_at(&d->map, a, (uint64_t)1 << 62 | row->kind);
	if (*first == PP_MAP_NONE)
		*first = 0;
	return first;
}

static uint32_t
add_entry(struct pp_digests *d, const struct pp_digest *row)
{
	struct pp_digest_source *src = pp_digests_source(d, row->source);
	uint32_t at = (uint32_t)d->n;

	*new_entry(d) = *row;
	if (src->end == 0)
		src->begin = at;
	src->end = at + 1;
	return at;
}

uint32_t
pp_digests_add(struct pp_digests *d, const struct pp_digest *row,
    uint32_t *was)
{
	uint32_t *cell = cell_of(d, row), at;
	struct pp_digest *e;

	*was = 0;
	if (*cell == 0) {
		at = add_entry(d, row);
		*cell = at + 1;
		return at;
	}
	at = *cell - 1;
	e = pp_digest_at(d, at);
	*was = e->set;
	if (e->kind == PP_DG_NATIVE && row->kind == PP_DG_TEXT) {
		e->kind = PP_DG_TEXT;
		e->id[0] = row->id[0];
		e->id[1] = row->id[1];
		e->text = row->text;
		e->texts = row->texts;
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

void
pp_digest_copy(struct pp_digests *d, struct pp_digest *to,
    const struct pp_digest *from)
{
	*to = *from;
	to->more = NULL;
	merge_more(d, to, from);
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
