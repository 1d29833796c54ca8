/*
 * store_find.c: entries of a catalogue by size and by path.  See store.h.
 * Sees base only.
 *
 * Made when it is first asked for, and carried on as entries are added at the
 * end.  Those with one key are a list, the last first.
 */
#include "store.h"

#define NONE UINT32_MAX

/* What the number in a key is. */
enum key {
	KEY_SIZE = 1,
	KEY_PATH	/* its hash */
};

static void
note(struct pp_store *s, size_t i)
{
	uint32_t *at = pp_map_at(&s->first, s->v[i].bytes, KEY_SIZE);

	s->next[i].size = *at;
	*at = (uint32_t)i;
	at = pp_map_at(&s->first, pp_str_hash(s->v[i].path), KEY_PATH);
	s->next[i].path = *at;
	*at = (uint32_t)i;
}

static void
catch_up(struct pp_store *s)
{
	void *v = s->next;

	/* entries have been taken back */
	if (s->found > s->n) {
		pp_map_free(&s->first);
		s->found = 0;
	}
	if (s->found == s->n)
		return;
	if (s->found == 0)
		pp_map_init(&s->first, s->mem);
	pp_mem_grow(s->mem, &v, &s->next_cap, s->n, sizeof(*s->next));
	s->next = v;
	for (; s->found < s->n; s->found++)
		note(s, s->found);
}

size_t
pp_store_of_size(struct pp_store *s, uint64_t bytes, size_t before)
{
	uint32_t i;

	catch_up(s);
	if (s->n == 0)
		return SIZE_MAX;
	i = before < s->n ? s->next[before].size :
	    pp_map_get(&s->first, bytes, KEY_SIZE);
	return i == NONE ? SIZE_MAX : i;
}

size_t
pp_store_of_path(struct pp_store *s, pp_str path, size_t before)
{
	uint32_t i;

	catch_up(s);
	if (s->n == 0)
		return SIZE_MAX;
	i = before < s->n ? s->next[before].path :
	    pp_map_get(&s->first, pp_str_hash(path), KEY_PATH);
	/* another path may have its hash */
	while (i != NONE && !pp_str_eq(s->v[i].path, path))
		i = s->next[i].path;
	return i == NONE ? SIZE_MAX : i;
}
