/*
 * map.h: an open-addressing hash table from a 128-bit key to a 32-bit value.
 *
 * Keys are identities, not strings: (session, cursor number), (parent node,
 * call and statement), (statement, event).  Values are indexes into the
 * caller's arrays; PP_MAP_NONE is not a value.
 */
#ifndef PP_BASE_MAP_H
#define PP_BASE_MAP_H

#include <stdint.h>

#include "mem.h"

#define PP_MAP_NONE UINT32_MAX

struct pp_map_slot {
	uint64_t a, b;
	uint32_t value;		/* PP_MAP_NONE: free */
};

struct pp_map {
	struct pp_mem *mem;
	struct pp_map_slot *slots;
	size_t mask;		/* slots - 1, a power of two less one */
	size_t count;
};

void pp_map_init(struct pp_map *m, struct pp_mem *mem);
void pp_map_free(struct pp_map *m);

/* Remove all keys; the table keeps its size. */
void pp_map_clear(struct pp_map *m);

/*
 * The value cell of key (a, b), added with PP_MAP_NONE where it is absent;
 * the caller must then store a value before the next call.  The pointer is
 * valid until the next pp_map_at.
 */
uint32_t *pp_map_at(struct pp_map *m, uint64_t a, uint64_t b);

static inline uint64_t
pp_map_hash(uint64_t a, uint64_t b)
{
	return pp_hash_mix((a ^ (b * 0x9e3779b97f4a7c15u)) *
	    0xff51afd7ed558ccdu + b);
}

/* The value of key (a, b), or PP_MAP_NONE. */
static inline uint32_t
pp_map_get(const struct pp_map *m, uint64_t a, uint64_t b)
{
	size_t i;

	if (m->count == 0)
		return PP_MAP_NONE;
	for (i = (size_t)pp_map_hash(a, b) & m->mask;;
	    i = (i + 1) & m->mask) {
		if (m->slots[i].value == PP_MAP_NONE)
			return PP_MAP_NONE;
		if (m->slots[i].a == a && m->slots[i].b == b)
			return m->slots[i].value;
	}
}

#endif
