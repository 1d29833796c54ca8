/*
 * sink_pack.c: streams that are compressed, or whose sum is taken, on the
 * way to their file.
 *
 * Sees base only.  Members of gzip hold PP_GZIP_MEMBER bytes each, whatever
 * the buffers before them, so that the same rows make the same file; the
 * last one holds the rest, and an empty file is one member of nothing.
 */
#include "sink_impl.h"

#include <errno.h>
#include <libdeflate.h>
#include <openssl/evp.h>

#define LEVEL 6

struct pp_pack {
	struct libdeflate_compressor *deflate; /* NULL: not compressed */
	char *raw, *packed;
	size_t used, room;	/* of raw; of packed */
	bool any;		/* a member has been written */
	EVP_MD_CTX *md;		/* NULL: no sum is wanted */
	uint64_t bytes;
};

struct pp_pack *
pp_pack_open(struct pp_sink *s, unsigned flags)
{
	struct pp_pack *k = pp_mem_zalloc(s->mem, sizeof(*k));

	if (flags & PP_STREAM_GZIP) {
		k->raw = pp_mem_alloc(s->mem, PP_GZIP_MEMBER);
		k->deflate = libdeflate_alloc_compressor(LEVEL);
		if (k->deflate != NULL)
			k->room = libdeflate_gzip_compress_bound(k->deflate,
			    PP_GZIP_MEMBER);
		else
			pp_sink_fail(s, ENOMEM, NULL);
		k->packed = pp_mem_alloc(s->mem, k->room);
	}
	if (flags & PP_STREAM_SUM) {
		k->md = EVP_MD_CTX_new();
		if (k->md == NULL ||
		    EVP_DigestInit_ex(k->md, EVP_sha256(), NULL) != 1)
			pp_sink_fail(s, ENOMEM, NULL);
	}
	return k;
}

static void
put_out(struct pp_stream *f, const char *p, size_t n)
{
	struct pp_pack *k = f->pack;

	if (n == 0 || f->error != 0)
		return;
	if (k->md != NULL)
		EVP_DigestUpdate(k->md, p, n);
	k->bytes += n;
	if (!pp_sink_write_all(f->fd, p, n))
		f->error = errno;
}

static void
put_member(struct pp_stream *f)
{
	struct pp_pack *k = f->pack;
	size_t n = libdeflate_gzip_compress(k->deflate, k->raw, k->used,
	    k->packed, k->room);

	PP_ASSERT(n > 0);
	put_out(f, k->packed, n);
	k->used = 0;
	k->any = true;
}

void
pp_pack_put(struct pp_stream *f, const char *p, size_t n)
{
	struct pp_pack *k = f->pack;
	size_t part;

	if (k->raw == NULL) {
		put_out(f, p, n);
		return;
	}
	while (n > 0) {
		part = PP_GZIP_MEMBER - k->used;
		part = part < n ? part : n;
		memcpy(k->raw + k->used, p, part);
		k->used += part;
		p += part;
		n -= part;
		if (k->used == PP_GZIP_MEMBER)
			put_member(f);
	}
}

void
pp_pack_end(struct pp_stream *f, struct pp_stream_sum *sum)
{
	struct pp_pack *k = f->pack;

	if (k->raw != NULL && (k->used > 0 || !k->any))
		put_member(f);
	if (sum == NULL || k->md == NULL)
		return;
	sum->bytes = k->bytes;
	EVP_DigestFinal_ex(k->md, sum->sha256, NULL);
}

void
pp_pack_free(struct pp_sink *s, struct pp_pack *k)
{
	if (k == NULL)
		return;
	if (k->deflate != NULL)
		libdeflate_free_compressor(k->deflate);
	EVP_MD_CTX_free(k->md);
	pp_mem_free(s->mem, k->raw);
	pp_mem_free(s->mem, k->packed);
	pp_mem_free(s->mem, k);
}
