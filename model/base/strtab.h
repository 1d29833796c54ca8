/*
 * strtab.h: strings interned once, known by a 32-bit id.
 *
 * Id 0 is the empty string in every table.  Ids count up in the order in
 * which strings are first seen; the bytes live as long as the table.
 */
#ifndef PP_BASE_STRTAB_H
#define PP_BASE_STRTAB_H

#include <stdint.h>

#include "mem.h"
#include "str.h"

struct pp_strtab_entry {
	pp_str s;
	uint64_t hash;
};

struct pp_strtab_slot {
	uint32_t id;		/* + 1, 0: free */
	uint32_t tag;		/* upper half of the hash: entries lie anywhere
				 * in memory, and need not be looked at */
};

struct pp_strtab {
	struct pp_arena bytes;
	struct pp_strtab_entry *e;
	size_t count, cap;
	struct pp_strtab_slot *slots;
	size_t mask;
};

void pp_strtab_init(struct pp_strtab *t, struct pp_mem *mem);
void pp_strtab_free(struct pp_strtab *t);

/* The id of s, added where it is new. */
uint32_t pp_strtab_id(struct pp_strtab *t, pp_str s);

/* The same for a string whose pp_str_hash is known. */
uint32_t pp_strtab_id_hashed(struct pp_strtab *t, pp_str s, uint64_t hash);

/* The id of s, or UINT32_MAX. */
uint32_t pp_strtab_find(const struct pp_strtab *t, pp_str s);

static inline pp_str
pp_strtab_get(const struct pp_strtab *t, uint32_t id)
{
	return t->e[id].s;
}

#endif
