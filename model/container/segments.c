/*
 * segments.c: see segments.h.  Sees base only.
 *
 * All but the last SEGMENT of a profile have bodies of PP_MEMBER_BODY bytes,
 * so that the place of each is known.
 */
#include "segments.h"

#include "store_impl.h"

void
pp_segments_open(struct pp_segments *g, struct pp_store *s,
    const struct pp_entry *e)
{
	memset(g, 0, sizeof(*g));
	g->s = s;
	g->e = e;
	g->buf = pp_mem_alloc(s->mem, PP_MEMBER_EMPTY(PP_MEMBER_BODY));
}

void
pp_segments_close(struct pp_segments *g)
{
	pp_mem_free(g->s->mem, g->buf);
	g->buf = NULL;
}

/* Have the k-th member in the buffer. */
static bool
load(struct pp_segments *g, uint64_t k)
{
	uint32_t profile = g->e->same_as != 0 ? g->e->same_as : g->e->number;
	uint64_t left = g->e->columns_bytes - k * PP_MEMBER_BODY, at =
	    g->e->columns + k * PP_MEMBER_EMPTY(PP_MEMBER_BODY);
	uint32_t n = left < PP_MEMBER_BODY ? (uint32_t)left : PP_MEMBER_BODY;

	g->there = false;
	if (!pp_store_member(g->s, at, &g->m, g->buf))
		return false;
	if (g->m.type != PP_MEMBER_SEGMENT || g->m.profile != profile ||
	    g->m.nbody != n || g->m.bytes > g->e->columns_end - at) {
		pp_store_fail(g->s, "the columns of another profile", at);
		return false;
	}
	g->from = k * PP_MEMBER_BODY;
	g->there = true;
	return true;
}

bool
pp_segments_get(void *arg, void *p, size_t n, uint64_t at)
{
	struct pp_segments *g = arg;
	unsigned char *to = p;
	size_t k;

	if (at > g->e->columns_bytes || n > g->e->columns_bytes - at)
		return false;
	while (n > 0) {
		if ((!g->there || at < g->from ||
		    at - g->from >= g->m.nbody) &&
		    !load(g, at / PP_MEMBER_BODY))
			return false;
		k = g->m.nbody - (size_t)(at - g->from);
		k = k < n ? k : n;
		memcpy(to, g->m.body + (at - g->from), k);
		to += k;
		at += k;
		n -= k;
	}
	return true;
}
