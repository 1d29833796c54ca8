/*
 * readers.c: the readers of this build, and the array of records that they
 * work on.
 *
 * Adding a reader means one line in readers.def.  May touch reader.h only.
 */
#include "reader.h"

#define PP_READER(name) extern const struct pp_reader pp_reader_##name;
#include "readers.def"
#undef PP_READER

static const struct pp_reader *const readers[] = {
#define PP_READER(name) &pp_reader_##name,
#include "readers.def"
#undef PP_READER
};

#define COUNT (sizeof(readers) / sizeof(readers[0]))

/* Joined lines are short; a long SQL text gets a block of its own. */
#define TEXT_BLOCK ((size_t)64 << 10)

const struct pp_reader *const *
pp_readers(size_t *n)
{
	*n = COUNT;
	return readers;
}

const struct pp_reader *
pp_reader_named(pp_str name)
{
	size_t i;

	for (i = 0; i < COUNT; i++)
		if (pp_str_eq(name, pp_str_from(readers[i]->name)))
			return readers[i];
	return NULL;
}

const struct pp_reader *
pp_reader_probe(pp_str head)
{
	const struct pp_reader *best = NULL;
	int bits, most = 0;
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (readers[i]->most_bits != 0 && readers[i]->most_bits <=
		    most)
			continue;
		bits = readers[i]->probe(head);
		if (bits > most) {
			most = bits;
			best = readers[i];
		}
	}
	return best;
}

void
pp_records_init(struct pp_records *r, struct pp_mem *mem, size_t size)
{
	r->mem = mem;
	r->size = size;
	r->v = NULL;
	r->n = r->cap = 0;
	pp_arena_init(&r->text, mem, TEXT_BLOCK);
}

void
pp_records_free(struct pp_records *r)
{
	pp_mem_free(r->mem, r->v);
	r->v = NULL;
	r->n = r->cap = 0;
	pp_arena_free(&r->text);
}

void
pp_records_reset(struct pp_records *r)
{
	r->n = 0;
	pp_arena_reset(&r->text);
}
