/*
 * facet.c: see facet.h.  Combinations are numbered as they are met, through
 * a tree of their values.
 */
#include "model.h"

void
pp_facets_init(struct pp_facets *f, struct pp_mem *mem)
{
	memset(f, 0, sizeof(*f));
	f->mem = mem;
	pp_map_init(&f->prefix, mem);
	pp_map_init(&f->seen, mem);
}

static uint32_t
value_of(const struct pp_model *m, unsigned by, uint32_t context,
    uint32_t source)
{
	const struct pp_context *c;

	if (by >= PP_BY_TAG)
		return m->sources[source].tag == NULL ? 0 :
		    m->sources[source].tag[by - PP_BY_TAG];
	if (context >= m->ncontexts)
		return 0;
	c = &m->contexts[context];
	switch ((enum pp_by)by) {
	case PP_BY_MODULE:
		return c->module;
	case PP_BY_ACTION:
		return c->action;
	case PP_BY_CLIENT_ID:
		return c->client_id;
	case PP_BY_SERVICE:
		return c->service;
	case PP_BY_TAG:
		break;
	}
	return 0;
}

static uint32_t
new_facet(struct pp_facets *f, const uint32_t *value)
{
	void *v = f->value;

	pp_mem_grow(f->mem, &v, &f->cap, (f->count + 1) * f->n,
	    sizeof(*f->value));
	f->value = v;
	memcpy(f->value + f->count * f->n, value, f->n * sizeof(*value));
	return (uint32_t)f->count++;
}

uint32_t
pp_facet_of(struct pp_model *m, uint32_t context, uint32_t source)
{
	struct pp_facets *f = &m->facets;
	uint32_t known = pp_map_get(&f->seen, context, source), *at, at_now;
	uint32_t value[PP_BY_MAX];
	size_t k;

	if (known != PP_MAP_NONE)
		return known;
	at_now = 0;
	for (k = 0; k < f->n; k++) {
		value[k] = value_of(m, f->by[k], context, source);
		at = pp_map_at(&f->prefix, (uint64_t)k << 32 | at_now,
		    value[k]);
		if (*at == PP_MAP_NONE)
			*at = k + 1 < f->n ? ++f->nprefix :
			    new_facet(f, value);
		at_now = *at;
	}
	*pp_map_at(&f->seen, context, source) = at_now;
	return at_now;
}

uint32_t
pp_facet_value(const struct pp_facets *f, uint32_t facet, size_t k)
{
	return f->value[facet * f->n + k];
}
