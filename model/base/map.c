/*
 * map.c: the growing side of the hash table.
 */
#include "map.h"

void
pp_map_init(struct pp_map *m, struct pp_mem *mem)
{
	m->mem = mem;
	m->slots = NULL;
	m->mask = 0;
	m->count = 0;
}

void
pp_map_free(struct pp_map *m)
{
	pp_mem_free(m->mem, m->slots);
	m->slots = NULL;
	m->mask = m->count = 0;
}

void
pp_map_clear(struct pp_map *m)
{
	size_t i;

	for (i = 0; m->slots != NULL && i <= m->mask; i++)
		m->slots[i].value = PP_MAP_NONE;
	m->count = 0;
}

/* The slot of the key, or the free slot where it belongs. */
static struct pp_map_slot *
probe(struct pp_map_slot *slots, size_t mask, uint64_t a, uint64_t b)
{
	size_t i = (size_t)pp_map_hash(a, b) & mask;

	while (slots[i].value != PP_MAP_NONE &&
	    (slots[i].a != a || slots[i].b != b))
		i = (i + 1) & mask;
	return &slots[i];
}

/* Twice the slots: kept at most half full, so that probes stay short. */
static void
grow(struct pp_map *m)
{
	size_t n = m->slots ? (m->mask + 1) * 2 : 64, i;
	struct pp_map_slot *slots = pp_mem_alloc(m->mem, n * sizeof(*slots));

	for (i = 0; i < n; i++)
		slots[i].value = PP_MAP_NONE;
	for (i = 0; m->slots != NULL && i <= m->mask; i++)
		if (m->slots[i].value != PP_MAP_NONE)
			*probe(slots, n - 1, m->slots[i].a, m->slots[i].b) =
			    m->slots[i];
	pp_mem_free(m->mem, m->slots);
	m->slots = slots;
	m->mask = n - 1;
}

uint32_t *
pp_map_at(struct pp_map *m, uint64_t a, uint64_t b)
{
	struct pp_map_slot *s;

	if (m->slots == NULL || m->count > m->mask / 2)
		grow(m);
	s = probe(m->slots, m->mask, a, b);
	if (s->value == PP_MAP_NONE) {
		s->a = a;
		s->b = b;
		m->count++;
	}
	return &s->value;
}
