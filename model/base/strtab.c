/*
 * strtab.c: strings interned once.
 */
#include "strtab.h"

void
pp_strtab_init(struct pp_strtab *t, struct pp_mem *mem)
{
	pp_arena_init(&t->bytes, mem, 16384);
	t->e = NULL;
	t->count = t->cap = 0;
	t->slots = NULL;
	t->mask = 0;
	pp_strtab_id(t, PP_STR(""));
}

void
pp_strtab_free(struct pp_strtab *t)
{
	struct pp_mem *mem = t->bytes.mem;

	pp_arena_free(&t->bytes);
	pp_mem_free(mem, t->e);
	pp_mem_free(mem, t->slots);
	t->e = NULL;
	t->slots = NULL;
	t->count = t->cap = t->mask = 0;
}

static void
grow(struct pp_strtab *t)
{
	struct pp_mem *mem = t->bytes.mem;
	size_t n = t->slots ? (t->mask + 1) * 2 : 64, i, k;
	struct pp_strtab_slot *slots = pp_mem_zalloc(mem, n * sizeof(*slots));

	for (k = 0; k < t->count; k++) {
		i = (size_t)t->e[k].hash & (n - 1);
		while (slots[i].id != 0)
			i = (i + 1) & (n - 1);
		slots[i].id = (uint32_t)k + 1;
		slots[i].tag = (uint32_t)(t->e[k].hash >> 32);
	}
	pp_mem_free(mem, t->slots);
	t->slots = slots;
	t->mask = n - 1;
}

/* The slot of s, or the free one where it belongs. */
static struct pp_strtab_slot *
probe(const struct pp_strtab *t, pp_str s, uint64_t hash)
{
	size_t i = (size_t)hash & t->mask;
	const struct pp_strtab_slot *x;

	for (;; i = (i + 1) & t->mask) {
		x = &t->slots[i];
		if (x->id == 0 || (x->tag == (uint32_t)(hash >> 32) &&
		    t->e[x->id - 1].hash == hash &&
		    pp_str_eq(t->e[x->id - 1].s, s)))
			return &t->slots[i];
	}
}

uint32_t
pp_strtab_id_hashed(struct pp_strtab *t, pp_str s, uint64_t hash)
{
	struct pp_strtab_slot *slot;
	void *e = t->e;

	if (t->slots == NULL || t->count > t->mask / 2)
		grow(t);
	slot = probe(t, s, hash);
	if (slot->id != 0)
		return slot->id - 1;
	pp_mem_grow(t->bytes.mem, &e, &t->cap, t->count + 1, sizeof(*t->e));
	t->e = e;
	t->e[t->count].s = pp_arena_str(&t->bytes, s);
	t->e[t->count].hash = hash;
	slot->id = (uint32_t)++t->count;
	slot->tag = (uint32_t)(hash >> 32);
	return slot->id - 1;
}

uint32_t
pp_strtab_id(struct pp_strtab *t, pp_str s)
{
	return pp_strtab_id_hashed(t, s, pp_str_hash(s));
}

uint32_t
pp_strtab_find(const struct pp_strtab *t, pp_str s)
{
	return probe(t, s, pp_str_hash(s))->id - 1;
}
