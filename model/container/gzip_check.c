/*
 * gzip_check.c: see gzip_check.h.  Sees base only.
 *
 * input.c is more lenient: it takes zeros between and behind members and
 * what came before damage.  Here a file is to stand among other members, and
 * must not stop a gunzip that comes by.
 */
#include "gzip_check.h"

#include <zlib.h>

#define OUT_SIZE ((size_t)128 << 10)

struct pp_gzip_check {
	struct pp_mem *mem;
	z_stream z;
	gz_header head;
	bool bad, between;	/* no more; behind the end of a member */
	uint64_t payload;
	unsigned char *out;
};

static void *
alloc(void *opaque, unsigned n, unsigned size)
{
	return pp_mem_alloc(opaque, (size_t)n * size);
}

static void
release(void *opaque, void *p)
{
	pp_mem_free(opaque, p);
}

struct pp_gzip_check *
pp_gzip_check_open(struct pp_mem *mem)
{
	struct pp_gzip_check *g = pp_mem_zalloc(mem, sizeof(*g));

	g->mem = mem;
	g->out = pp_mem_alloc(mem, OUT_SIZE);
	g->z.zalloc = alloc;
	g->z.zfree = release;
	g->z.opaque = mem;
	if (inflateInit2(&g->z, 16 + MAX_WBITS) != Z_OK)
		pp_mem_fail(mem);
	(void)inflateGetHeader(&g->z, &g->head);
	return g;
}

/* A member has ended; a sum of its header old gunzips do not know. */
static void
end_member(struct pp_gzip_check *g)
{
	g->bad |= g->head.hcrc != 0;
	g->between = true;
	if (inflateReset(&g->z) != Z_OK ||
	    inflateGetHeader(&g->z, &g->head) != Z_OK)
		g->bad = true;
}

void
pp_gzip_check_feed(struct pp_gzip_check *g, const void *p, size_t n)
{
	/* zlib does not write there */
	union { const void *in; Bytef *out; } u = {.in = p};
	int r;

	g->z.next_in = u.out;
	g->z.avail_in = (uInt)n;
	while (!g->bad && g->z.avail_in > 0) {
		g->between = false;
		g->z.next_out = g->out;
		g->z.avail_out = (uInt)OUT_SIZE;
		r = inflate(&g->z, Z_NO_FLUSH);
		g->payload += OUT_SIZE - g->z.avail_out;
		if (r == Z_STREAM_END)
			end_member(g);
		else if (r != Z_OK && !(r == Z_BUF_ERROR &&
		    g->z.avail_in == 0))
			g->bad = true;
	}
	/* what did not fit comes out with no more input */
	while (!g->bad && !g->between && g->z.avail_out == 0) {
		g->z.next_out = g->out;
		g->z.avail_out = (uInt)OUT_SIZE;
		r = inflate(&g->z, Z_NO_FLUSH);
		g->payload += OUT_SIZE - g->z.avail_out;
		if (r == Z_STREAM_END)
			end_member(g);
		else if (r != Z_OK && r != Z_BUF_ERROR)
			g->bad = true;
	}
}

bool
pp_gzip_check_end(struct pp_gzip_check *g, uint64_t *payload)
{
	bool whole = !g->bad && g->between;

	*payload = g->payload;
	inflateEnd(&g->z);
	pp_mem_free(g->mem, g->out);
	pp_mem_free(g->mem, g);
	return whole;
}
