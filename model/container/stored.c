/*
 * stored.c: the bytes of a profile out of an archive.  See store.h.
 */
#include "store_impl.h"

#include <libdeflate.h>
#include <stdio.h>

struct pp_stored {
	struct pp_store *s;
	struct pp_entry e;
	uint32_t profile;	/* that members name */
	struct libdeflate_decompressor *inflate;
	uint64_t at;		/* the next member; of gzip: the next byte */
	uint64_t out;		/* bytes given */
	bool last;		/* the last member has been seen */
	unsigned char *packed;
	size_t cap;
	unsigned char *plain;
	size_t from, to;	/* what of it is to be given */
};

static struct pp_stored *
alloc(struct pp_store *s, const struct pp_entry *e)
{
	struct pp_stored *r = pp_mem_zalloc(s->mem, sizeof(*r));

	r->s = s;
	r->e = *e;
	r->profile = e->same_as != 0 ? e->same_as : e->number;
	r->at = e->begin;
	r->plain = pp_mem_alloc(s->mem, PP_MEMBER_PAYLOAD_MAX);
	r->cap = PP_MEMBER_EMPTY(PP_MEMBER_BODY);
	r->packed = pp_mem_alloc(s->mem, r->cap);
	r->inflate = libdeflate_alloc_decompressor();
	if (r->inflate == NULL)
		pp_mem_fail(s->mem);
	return r;
}

struct pp_stored *
pp_stored_open(struct pp_store *s, const struct pp_entry *e)
{
	return alloc(s, e);
}

/* The BEGIN of the profile: is it the one that the catalogue means? */
static bool
pass_begin(struct pp_stored *r)
{
	struct pp_member m;
	struct pp_begin b;

	if (!pp_store_member(r->s, r->at, &m, r->packed))
		return false;
	if (!pp_begin_read(&b, &m) || m.profile != r->profile ||
	    b.kept != r->e.kept || m.stream != r->e.stream ||
	    (b.kept == PP_KEPT_GZIP && (b.bytes != r->e.bytes ||
	    b.bytes != r->e.data_end - r->at - m.bytes))) {
		pp_store_fail(r->s, "the catalogue names another profile",
		    r->at);
		return false;
	}
	r->at += m.bytes;
	return true;
}

/* Inflate the next member into plain. */
static bool
next_member(struct pp_stored *r)
{
	struct pp_store *s = r->s;
	struct pp_member m;
	void *v = r->packed;
	size_t got = 0;

	if (!pp_store_read(s, r->packed, PP_MEMBER_FIXED, r->at))
		return false;
	if (!pp_member_parse(&m, r->packed, r->at) ||
	    m.type != PP_MEMBER_DATA || m.profile != r->profile ||
	    m.stream != r->e.stream + r->out ||
	    m.bytes > r->e.data_end - r->at ||
	    m.payload > r->e.bytes - r->out) {
		pp_store_fail(s, "damaged member", r->at);
		return false;
	}
	pp_mem_grow(s->mem, &v, &r->cap, m.bytes, 1);
	r->packed = v;
	if (!pp_store_read(s, r->packed + PP_MEMBER_FIXED,
	    m.bytes - PP_MEMBER_FIXED, r->at + PP_MEMBER_FIXED))
		return false;
	if (!pp_member_check(&m, r->packed) || libdeflate_gzip_decompress(
	    r->inflate, r->packed, m.bytes, r->plain, m.payload, &got) !=
	    LIBDEFLATE_SUCCESS || got != m.payload) {
		pp_store_fail(s, "damaged data", r->at);
		return false;
	}
	r->from = 0;
	r->to = got;
	r->at += m.bytes;
	r->last = (m.flags & PP_MEMBER_LAST) != 0;
	return true;
}

/* All bytes have been given: were they those of the catalogue? */
static bool
at_end(struct pp_stored *r)
{
	if (r->out == r->e.bytes && r->at == r->e.data_end &&
	    (r->last || r->e.kept == PP_KEPT_GZIP))
		return true;
	pp_store_fail(r->s, "the profile is not as long as the catalogue "
	    "says: it ends", r->at);
	return false;
}

bool
pp_stored_read(struct pp_stored *r, void *p, size_t n, size_t *got)
{
	*got = 0;
	if (r->at == r->e.begin && !pass_begin(r))
		return false;
	if (r->e.kept == PP_KEPT_GZIP) {
		if (n > r->e.bytes - r->out)
			n = (size_t)(r->e.bytes - r->out);
		if (n == 0)
			return at_end(r);
		if (!pp_store_read(r->s, p, n, r->at))
			return false;
		r->at += n;
	} else {
		while (r->from == r->to) {
			if (r->last || r->at >= r->e.data_end)
				return at_end(r);
			if (!next_member(r))
				return false;
		}
		if (n > r->to - r->from)
			n = r->to - r->from;
		memcpy(p, r->plain + r->from, n);
		r->from += n;
	}
	r->out += n;
	*got = n;
	return true;
}

void
pp_stored_close(struct pp_stored *r)
{
	struct pp_mem *mem;

	if (r == NULL)
		return;
	mem = r->s->mem;
	libdeflate_free_decompressor(r->inflate);
	pp_mem_free(mem, r->plain);
	pp_mem_free(mem, r->packed);
	pp_mem_free(mem, r);
}
