/*
 * digest_fold.c: see digest_fold.h.
 */
#include "digest_fold.h"

#include <stdlib.h>

unsigned
pp_digest_keys(const struct pp_report_ctx *c)
{
	unsigned keys = c->opt.digest_keys != 0 ? c->opt.digest_keys :
	    PP_DG_BY_SOURCE | PP_DG_BY_DIGEST | PP_DG_BY_SCHEMA;

	if (c->opt.merge_sources)
		keys &= ~PP_DG_BY_SOURCE;
	return keys;
}

/* ------------------------------------------------------------- grouping */

/* What qsort compares by. */
struct item {
	const struct pp_digest *e;
	uint64_t id[2];
	uint32_t source, schema, kind, index;
};

static int
order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
same_group(const struct item *x, const struct item *y)
{
	int c = order(x->source, y->source);

	if (c == 0)
		c = order(x->kind, y->kind);
	if (c == 0)
		c = order(x->id[0], y->id[0]);
	if (c == 0)
		c = order(x->id[1], y->id[1]);
	return c != 0 ? c : order(x->schema, y->schema);
}

static int
by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	/* any order does that keeps groups together: that of the ids tells
	 * nearly all of them apart */
	int c = order(x->id[0], y->id[0]);

	if (c == 0)
		c = same_group(x, y);
	return c != 0 ? c : order(x->index, y->index);
}

static void
make_item(const struct pp_digest_fold *f, struct item *x,
    const struct pp_digest *e, size_t index)
{
	memset(x, 0, sizeof(*x));
	x->e = e;
	x->index = (uint32_t)index;
	if (f->keys & PP_DG_BY_SOURCE)
		x->source = e->source;
	if (f->keys & PP_DG_BY_SCHEMA)
		x->schema = e->schema;
	if (f->keys & PP_DG_BY_DIGEST) {
		x->kind = e->kind;
		x->id[0] = e->id[0];
		x->id[1] = e->id[1];
	}
}

/* In how many sources is each digest?  Where there is one, in that. */
static void
count_sources(struct pp_digest_fold *f)
{
	const struct pp_digest *e;
	struct pp_map seen;
	uint32_t *cell;
	size_t i;

	pp_map_init(&f->sources, f->c->mem);
	for (i = 1; i < f->n && f->v[i]->source == f->v[0]->source; i++)
		;
	if (i >= f->n)
		return;
	pp_map_init(&seen, f->c->mem);
	for (i = 0; i < f->n; i++) {
		e = f->v[i];
		cell = pp_map_at(&seen, e->id[0] ^ e->kind, e->id[1] ^
		    ((uint64_t)e->source + 1) << 32);
		if (*cell != PP_MAP_NONE)
			continue;
		*cell = 0;
		cell = pp_map_at(&f->sources, e->id[0] ^ e->kind, e->id[1]);
		*cell = *cell == PP_MAP_NONE ? 1 : *cell + 1;
	}
	pp_map_free(&seen);
}

static void
group(struct pp_digest_fold *f, struct item *items)
{
	struct pp_digest_group *g = NULL;
	size_t i;

	if (f->n != 0)
		qsort(items, f->n, sizeof(*items), by_key);
	f->g = pp_mem_alloc(f->c->mem, (f->n + 1) * sizeof(*f->g));
	for (i = 0; i < f->n; i++) {
		f->v[i] = items[i].e;
		if (i == 0 || same_group(&items[i - 1], &items[i]) != 0) {
			g = &f->g[f->ngroups++];
			memset(g, 0, sizeof(*g));
			g->source = items[i].source;
			g->at = (uint32_t)i;
		}
		g->n++;
		g->total += items[i].e->total;
		f->total[items[i].source] += items[i].e->total;
	}
}

/* -------------------------------------------------------------- sorting */

struct place {
	struct pp_digest_group g;
	uint64_t id[2];
	uint32_t kind;
	/* looked at where nothing else tells two apart */
	const struct pp_strtab_entry *schema, *native;
};

static int
by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int c = order(x->g.source, y->g.source);

	if (c != 0)
		return c;
	if (x->g.total != y->g.total)
		return x->g.total > y->g.total ? -1 : 1;
	c = order(x->kind, y->kind);
	if (c == 0 && x->kind == PP_DG_NATIVE)
		c = pp_str_cmp(x->native->s, y->native->s);
	if (c == 0)
		c = order(x->id[0], y->id[0]);
	if (c == 0)
		c = order(x->id[1], y->id[1]);
	return c != 0 ? c : pp_str_cmp(x->schema->s, y->schema->s);
}

static void
sort_groups(struct pp_digest_fold *f)
{
	struct place *p = pp_mem_alloc(f->c->mem,
	    (f->ngroups + 1) * sizeof(*p));
	size_t i;

	for (i = 0; i < f->ngroups; i++) {
		const struct pp_digest *e = f->v[f->g[i].at];

		p[i].g = f->g[i];
		p[i].id[0] = e->id[0];
		p[i].id[1] = e->id[1];
		p[i].kind = e->kind;
		p[i].schema = &f->d->strings.e[e->schema];
		p[i].native = &f->d->strings.e[e->native];
	}
	if (f->ngroups != 0)
		qsort(p, f->ngroups, sizeof(*p), by_place);
	for (i = 0; i < f->ngroups; i++)
		f->g[i] = p[i].g;
	pp_mem_free(f->c->mem, p);
}

/* ------------------------------------------------------------ interface */

static bool
on_side(const struct pp_report_ctx *c, const struct pp_digest *e)
{
	return c->opt.sides == NULL ||
	    (c->opt.sides[e->source] & c->opt.side) != 0;
}

void
pp_digest_fold_init(struct pp_digest_fold *f, const struct pp_report_ctx *c,
    unsigned keys)
{
	struct item *items;
	const struct pp_digest *e;
	size_t i, ntraced;

	memset(f, 0, sizeof(*f));
	f->c = c;
	f->keys = keys;
	f->d = pp_digests(c->accounts->model);
	ntraced = 0;
	if (!(keys & PP_DG_NO_TRACES))
		f->traced = pp_digest_trace(c, f->d, &ntraced);
	f->other = pp_strtab_id(&f->d->strings, PP_STR("other"));
	f->every = pp_strtab_id(&f->d->strings, PP_STR("(all digests)"));
	f->v = pp_mem_alloc(c->mem, (f->d->n + ntraced + 1) * sizeof(*f->v));
	f->total = pp_mem_zalloc(c->mem,
	    (c->model->nsources + 1) * sizeof(*f->total));
	items = pp_mem_alloc(c->mem,
	    (f->d->n + ntraced + 1) * sizeof(*items));
	for (i = 0; i < f->d->n + ntraced; i++) {
		e = i < f->d->n ? pp_digest_at(f->d, i) :
		    &f->traced[i - f->d->n];
		if (!on_side(c, e) || !pp_digest_selects(c, f->d, e))
			continue;
		f->v[f->n] = e;
		make_item(f, &items[f->n++], e, i);
	}
	count_sources(f);
	group(f, items);
	pp_mem_free(c->mem, items);
	sort_groups(f);
}

void
pp_digest_fold_free(struct pp_digest_fold *f)
{
	pp_map_free(&f->sources);
	pp_mem_free(f->c->mem, f->v);
	pp_mem_free(f->c->mem, f->g);
	pp_mem_free(f->c->mem, f->traced);
	pp_mem_free(f->c->mem, f->total);
}

#define CACHE_LINE 64

static void
fetch(const void *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i += CACHE_LINE)
		__builtin_prefetch((const char *)p + i);
}

/*
 * Groups are taken in the order of their times, so entries and texts lie
 * anywhere in memory: what the groups behind this one need is called for
 * early, in the order in which one leads to the next.
 */
static void
fetch_ahead(const struct pp_digest_fold *f, size_t i)
{
	const struct pp_strtab_entry *strings = f->d->strings.e;
	const struct pp_digest *e;
	size_t n;

	if (i + 6 >= f->ngroups)
		return;
	fetch(f->v[f->g[i + 6].at], sizeof(*e));
	e = f->v[f->g[i + 4].at];
	fetch(&strings[e->text], 1);
	fetch(&strings[e->native], 1);
	e = f->v[f->g[i + 2].at];
	n = strings[e->text].s.n;
	fetch(strings[e->text].s.p, n < 512 ? n : 512);
	fetch(strings[e->native].s.p, CACHE_LINE + 1);
	fetch(e->sample.p, e->sample.n < 512 ? e->sample.n : 512);
}

const struct pp_digest *
pp_digest_fold_get(struct pp_digest_fold *f, size_t i, struct pp_digest *own)
{
	const struct pp_digest_group *g = &f->g[i];
	const struct pp_digest *e = f->v[g->at];
	uint32_t k, text, last;

	fetch_ahead(f, i);
	text = last = e->text;
	f->copied = g->n != 1 || !(f->keys & PP_DG_BY_DIGEST);
	if (!f->copied)
		return e;
	pp_digest_copy(f->d, own, e);
	for (k = 1; k < g->n; k++) {
		e = f->v[g->at + k];
		pp_digest_merge(f->d, own, e);
		if (e->native != own->native)
			own->native = 0;
		if (e->schema != own->schema)
			own->schema = 0;
		/* each entry has counted its own texts: those of servers
		 * that write one text alike count once */
		if (e->texts > 1 || (e->text != text && e->text != last))
			own->texts += e->texts;
		last = e->text;
	}
	if (!(f->keys & PP_DG_BY_DIGEST)) {
		own->kind = PP_DG_NO_TEXT;
		own->text = f->every;
		own->native = 0;
		own->sample = PP_STR("");
	}
	return own;
}

void
pp_digest_fold_drop(struct pp_digest_fold *f, struct pp_digest *own)
{
	if (f->copied)
		pp_digest_free_more(f->d, own);
}

pp_i128
pp_digest_fold_total(const struct pp_digest_fold *f, uint32_t source)
{
	return f->total[f->keys & PP_DG_BY_SOURCE ? source : 0];
}

void
pp_digest_put_id(struct pp_rows *r, const struct pp_digests *d,
    const struct pp_digest *e)
{
	char buf[40];
	pp_str id = pp_digest_id_text(d, e, buf);

	if (id.n != 0)
		pp_put_text(r, id);
	else
		pp_put_null(r);
}

pp_str
pp_digest_fold_source(const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	return f->keys & PP_DG_BY_SOURCE ?
	    f->c->model->sources[e->source].name : PP_STR("(all)");
}

uint32_t
pp_digest_fold_sources(const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	uint32_t n = pp_map_get(&f->sources, e->id[0] ^ e->kind, e->id[1]);

	return n == PP_MAP_NONE ? 1 : n;
}

bool
pp_digest_fold_load(const struct pp_digest_fold *f, const struct pp_digest *e,
    pp_i128 *out)
{
	const struct pp_digest_source *s;
	int64_t us;

	if (e->source >= f->d->nsources || !(f->keys & PP_DG_BY_SOURCE) ||
	    !(e->has & PP_DG_HAS_TOTAL))
		return false;
	s = &f->d->sources[e->source];
	if (!s->from.known || !s->until.known)
		return false;
	us = pp_i64_sub(s->until.us, s->from.us);
	if (us <= 0)
		return false;
	/* ps / us = 10^-6: what is left is the scale */
	*out = pp_div_half_up(e->total, us);
	return true;
}
