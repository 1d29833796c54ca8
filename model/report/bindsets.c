/*
 * bindsets.c: see bindsets.h.  An array statement prints a BINDS block for
 * each of its rows before one EXEC, so a cursor may have many sets.
 */
#include "bindsets.h"

void
pp_bindsets_init(struct pp_bindsets *b, struct pp_mem *mem)
{
	memset(b, 0, sizeof(*b));
	b->mem = mem;
	pp_map_init(&b->by_cursor, mem);
}

void
pp_bindsets_free(struct pp_bindsets *b)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		pp_mem_free(b->mem, b->v[i].bytes);
		pp_mem_free(b->mem, b->v[i].end);
		pp_mem_free(b->mem, b->v[i].line);
	}
	pp_mem_free(b->mem, b->v);
	pp_map_free(&b->by_cursor);
}

void
pp_bindsets_keep(struct pp_bindsets *b, const struct pp_occurrence *o)
{
	uint32_t *at = pp_map_at(&b->by_cursor, o->cursor, o->session);
	struct pp_bindset *s;
	void *v = b->v;

	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)b->n;
		pp_mem_grow(b->mem, &v, &b->cap, b->n + 1, sizeof(*s));
		b->v = v;
		memset(&b->v[b->n++], 0, sizeof(*s));
	}
	s = &b->v[*at];
	s->cursor = o->cursor;
	s->session = o->session;
	s->stmt = o->stmt;
	v = s->bytes;
	pp_mem_grow(b->mem, &v, &s->cap, s->n + o->binds.n, 1);
	s->bytes = v;
	if (o->binds.n > 0)
		memcpy(s->bytes + s->n, o->binds.p, o->binds.n);
	s->n += o->binds.n;
	v = s->end;
	pp_mem_grow(b->mem, &v, &s->end_cap, s->sets + 1, sizeof(*s->end));
	s->end = v;
	v = s->line;
	pp_mem_grow(b->mem, &v, &s->line_cap, s->sets + 1, sizeof(*s->line));
	s->line = v;
	s->end[s->sets] = s->n;
	s->line[s->sets++] = o->line;
}

struct pp_bindset *
pp_bindsets_of(struct pp_bindsets *b, const struct pp_occurrence *o)
{
	uint32_t i = pp_map_get(&b->by_cursor, o->cursor, o->session);

	return i == PP_MAP_NONE || b->v[i].sets == 0 ? NULL : &b->v[i];
}

void
pp_bindset_clear(struct pp_bindset *s)
{
	s->n = s->sets = 0;
}

pp_str
pp_bindset_get(const struct pp_bindset *s, size_t i)
{
	size_t from = i > 0 ? s->end[i - 1] : 0;

	/* a block may have no values, and none before it had */
	return s->bytes == NULL ? PP_STR("") :
	    (pp_str){s->bytes + from, s->end[i] - from};
}
