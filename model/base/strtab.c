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
	uint32_t *slots = pp_mem_zalloc(mem, n * sizeof(*slots));

	for (k = 0; k < t->count; k++) {
		i = (size_t)t->e[k].hash & (n - 1);
		while (slots[i] != 0)
			i = (i + 1) & (n - 1);
		slots[i] = (uint32_t)k + 1;
	}
	pp_mem_free(mem, t->slots);
	t->slots = slots;
	t->mask = n - 1;
}

/* The slot of s: its id + 1, or 0 where it belongs. */
static uint32_t *
probe(const struct pp_strtab *t, pp_str s, uint64_t hash)
{
	size_t i = (size_t)hash & t->mask;

	while (t->slots[i] != 0 && (t->e[t->slots[i] - 1].hash != hash ||
	    !pp_str_eq(t->e[t->slots[i] - 1].s, s)))
		i = (i + 1) & t->mask;
	return &t->slots[i];
}

uint32_t
pp_strtab_id_hashed(struct pp_strtab *t, pp_str s, uint64_t hash)
{
	uint32_t *slot;
	void *e = t->e;

	if (t->slots == NULL || t->count > t->mask / 2)
		grow(t);
	slot = probe(t, s, hash);
	if (*slot != 0)
		return *slot - 1;
	pp_mem_grow(t->bytes.mem, &e, &t->cap, t->count + 1, sizeof(*t->e));
	t->e = e;
	t->e[t->count].s = pp_arena_str(&t->bytes, s);
	t->e[t->count].hash = hash;
	*slot = (uint32_t)++t->count;
	return *slot - 1;
}

uint32_t
pp_strtab_id(struct pp_strtab *t, pp_str s)
{
	return pp_strtab_id_hashed(t, s, pp_str_hash(s));
}

uint32_t
pp_strtab_find(const struct pp_strtab *t, pp_str s)
{
	return *probe(t, s, pp_str_hash(s)) - 1;
}
