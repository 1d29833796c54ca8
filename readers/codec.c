/*
 * codec.c: gzip, bz2, xz and zstd as one kind of thing.
 *
 * May touch base only.  The libraries take their memory with malloc, apart
 * from the run's budget: 64 KiB for gzip, up to 4 MiB for bz2, and for xz and
 * zstd what the file's window needs, to LIMIT.
 */
#include "codec.h"

#include <libdeflate.h>
#include <limits.h>
#include <zlib.h>
#ifdef PP_HAVE_BZ2
#include <bzlib.h>
#endif
#ifdef PP_HAVE_LZMA
#include <lzma.h>
#endif
#ifdef PP_HAVE_ZSTD
#include <zstd.h>
#endif

/* xz -9 needs 65 MiB, zstd --ultra -22 a window of 128 MiB. */
#define LIMIT_LOG 27

static unsigned
clamp(size_t n)
{
	return n > UINT_MAX ? UINT_MAX : (unsigned)n;
}

/* ------------------------------------------------------------------ gzip */

/*
 * Members are inflated by zlib as their bytes come.  Those of BGZF (bgzip,
 * samtools and the like) have at most 64 KiB on either side and tell their
 * length in an extra field "BC": they are had at once, which libdeflate does
 * in half the time.  What it does not like is left to zlib, which says why.
 */
#define BGZF_MOST 65536u

struct gz {
	struct pp_mem *mem;
	z_stream z;
	struct libdeflate_decompressor *whole; /* NULL: not needed yet */
	unsigned char *held;	/* a member that there was no room for */
	size_t from, to;	/* what is still in there */
	bool begun;		/* zlib is at the member */
};

static bool
gz_is(pp_str h)
{
	/* the one method that RFC 1952 knows, and no reserved flag */
	return pp_str_starts(h, PP_STR("\x1f\x8b\x08")) &&
	    (h.n < 4 || ((unsigned char)h.p[3] & 0xe0) == 0);
}

static void *
gz_open(struct pp_mem *mem)
{
	struct gz *g = pp_mem_zalloc(mem, sizeof(*g));

	g->mem = mem;
	if (inflateInit2(&g->z, 15 + 16) != Z_OK)
		pp_mem_fail(mem);
	return g;
}

static void
gz_again(void *state)
{
	struct gz *g = state;

	g->begun = false;
	(void)inflateReset(&g->z);
}

static unsigned
get16(const unsigned char *p)
{
	return (unsigned)p[0] | (unsigned)p[1] << 8;
}

/* Bytes of the BGZF member that begins at p; 0: it is none. */
static size_t
bgzf_length(const unsigned char *p, size_t n)
{
	/* FEXTRA alone is set, and BC is the first subfield */
	if (n < 18 || p[3] != 4 || get16(p + 10) < 6 || p[12] != 'B' ||
	    p[13] != 'C' || get16(p + 14) != 2)
		return 0;
	return (size_t)get16(p + 16) + 1;
}

/* Give what is held. */
static enum pp_codec_step
give_held(struct gz *g, struct pp_codec_io *io)
{
	size_t n = g->to - g->from;

	if (n > io->nout)
		n = io->nout;
	if (n > 0)
		memcpy(io->out, g->held + g->from, n);
	g->from += n;
	io->out += n;
	io->nout -= n;
	return g->from < g->to ? PP_CODEC_MORE : PP_CODEC_END;
}

/* The whole member at once; false: not so. */
static bool
gz_whole(struct gz *g, struct pp_codec_io *io, size_t length)
{
	const unsigned char *tail;
	size_t n, got = 0, in = 0;
	bool direct;

	/* head, extra field, an empty block, tail */
	if (length < 28)
		return false;
	tail = io->in + length - 4;
	n = get16(tail) | (size_t)get16(tail + 2) << 16;
	if (n > BGZF_MOST)
		return false;
	direct = n <= io->nout;
	if (g->whole == NULL)
		g->whole = libdeflate_alloc_decompressor();
	if (g->whole == NULL)
		pp_mem_fail(g->mem);
	if (!direct && g->held == NULL)
		g->held = pp_mem_alloc(g->mem, BGZF_MOST);
	if (libdeflate_gzip_decompress_ex(g->whole, io->in, length, direct ?
	    io->out : g->held, n, &in, &got) != LIBDEFLATE_SUCCESS ||
	    in != length || got != n)
		return false;
	io->in += length;
	io->nin -= length;
	g->from = 0;
	g->to = direct ? 0 : n;
	if (direct) {
		io->out += n;
		io->nout -= n;
	}
	return true;
}

static enum pp_codec_step
gz_step(void *state, struct pp_codec_io *io, const char **why)
{
	struct gz *g = state;
	unsigned nin = clamp(io->nin), nout = clamp(io->nout);
	size_t length;
	int r;

	if (g->from < g->to)
		return give_held(g, io);
	if (!g->begun) {
		if (io->nin < 18 && !io->all) {
			io->need = 18;
			return PP_CODEC_MORE;
		}
		length = bgzf_length(io->in, io->nin);
		if (length > io->nin && !io->all) {
			io->need = length;
			return PP_CODEC_MORE;
		}
		if (length > 0 && length <= io->nin &&
		    gz_whole(g, io, length))
			return give_held(g, io);
		g->begun = true;
	}
	g->z.next_in = (z_const Bytef *)(uintptr_t)io->in;
	g->z.avail_in = nin;
	g->z.next_out = io->out;
	g->z.avail_out = nout;
	r = inflate(&g->z, Z_NO_FLUSH);
	io->in += nin - g->z.avail_in;
	io->nin -= nin - g->z.avail_in;
	io->out += nout - g->z.avail_out;
	io->nout -= nout - g->z.avail_out;
	if (r == Z_STREAM_END)
		return PP_CODEC_END;
	if (r == Z_OK || r == Z_BUF_ERROR)
		return PP_CODEC_MORE;
	if (r == Z_MEM_ERROR)
		pp_mem_fail(g->mem);
	*why = g->z.msg != NULL ? g->z.msg : "invalid data";
	return PP_CODEC_BAD;
}

static void
gz_close(void *state)
{
	struct gz *g = state;

	(void)inflateEnd(&g->z);
	libdeflate_free_decompressor(g->whole);
	pp_mem_free(g->mem, g->held);
	pp_mem_free(g->mem, g);
}

/* ------------------------------------------------------------------- bz2 */

static bool
bz_is(pp_str h)
{
	/* BZh1..9, then the magic of a block or of the end of the stream */
	if (h.n < 4 || !pp_str_starts(h, PP_STR("BZh")) || h.p[3] < '1' ||
	    h.p[3] > '9')
		return false;
	h = pp_str_skip(h, 4);
	if (h.n > 6)
		h.n = 6;
	return pp_str_starts(PP_STR("1AY&SY"), h) ||
	    pp_str_starts(PP_STR("\x17\x72\x45\x38\x50\x90"), h);
}

#ifdef PP_HAVE_BZ2
struct bz {
	struct pp_mem *mem;
	bz_stream z;
};

static void
bz_start(struct bz *b)
{
	memset(&b->z, 0, sizeof(b->z));
	if (BZ2_bzDecompressInit(&b->z, 0, 0) != BZ_OK)
		pp_mem_fail(b->mem);
}

static void *
bz_open(struct pp_mem *mem)
{
	struct bz *b = pp_mem_zalloc(mem, sizeof(*b));

	b->mem = mem;
	bz_start(b);
	return b;
}

static void
bz_again(void *state)
{
	struct bz *b = state;

	(void)BZ2_bzDecompressEnd(&b->z);
	bz_start(b);
}

static enum pp_codec_step
bz_step(void *state, struct pp_codec_io *io, const char **why)
{
	struct bz *b = state;
	unsigned nin = clamp(io->nin), nout = clamp(io->nout);
	int r;

	b->z.next_in = (char *)(uintptr_t)io->in;
	b->z.avail_in = nin;
	b->z.next_out = (char *)io->out;
	b->z.avail_out = nout;
	r = BZ2_bzDecompress(&b->z);
	io->in += nin - b->z.avail_in;
	io->nin -= nin - b->z.avail_in;
	io->out += nout - b->z.avail_out;
	io->nout -= nout - b->z.avail_out;
	if (r == BZ_STREAM_END)
		return PP_CODEC_END;
	if (r == BZ_OK)
		return PP_CODEC_MORE;
	if (r == BZ_MEM_ERROR)
		pp_mem_fail(b->mem);
	*why = "invalid data";
	return PP_CODEC_BAD;
}

static void
bz_close(void *state)
{
	struct bz *b = state;

	(void)BZ2_bzDecompressEnd(&b->z);
	pp_mem_free(b->mem, b);
}
#else
#define bz_open NULL
#define bz_again NULL
#define bz_step NULL
#define bz_close NULL
#endif

/* -------------------------------------------------------------------- xz */

static bool
xz_is(pp_str h)
{
	return pp_str_starts(h, (pp_str){"\xfd" "7zXZ\0", 6});
}

#ifdef PP_HAVE_LZMA
struct xz {
	struct pp_mem *mem;
	lzma_stream z;
};

static void
xz_start(struct xz *x)
{
	if (lzma_stream_decoder(&x->z, UINT64_C(1) << LIMIT_LOG, 0) !=
	    LZMA_OK)
		pp_mem_fail(x->mem);
}

static void *
xz_open(struct pp_mem *mem)
{
	struct xz *x = pp_mem_zalloc(mem, sizeof(*x));

	x->mem = mem;
	x->z = (lzma_stream)LZMA_STREAM_INIT;
	xz_start(x);
	return x;
}

static void
xz_again(void *state)
{
	xz_start(state);
}

static enum pp_codec_step
xz_step(void *state, struct pp_codec_io *io, const char **why)
{
	struct xz *x = state;
	lzma_ret r;

	x->z.next_in = io->in;
	x->z.avail_in = io->nin;
	x->z.next_out = io->out;
	x->z.avail_out = io->nout;
	r = lzma_code(&x->z, LZMA_RUN);
	io->in = x->z.next_in;
	io->nin = x->z.avail_in;
	io->out = x->z.next_out;
	io->nout = x->z.avail_out;
	if (r == LZMA_STREAM_END)
		return PP_CODEC_END;
	if (r == LZMA_OK || r == LZMA_BUF_ERROR)
		return PP_CODEC_MORE;
	if (r == LZMA_MEM_ERROR)
		pp_mem_fail(x->mem);
	*why = r == LZMA_MEMLIMIT_ERROR ? "needs more than 128 MiB to unpack" :
	    r == LZMA_OPTIONS_ERROR ? "made with an unknown option" :
	    "invalid data";
	return PP_CODEC_BAD;
}

static void
xz_close(void *state)
{
	struct xz *x = state;

	lzma_end(&x->z);
	pp_mem_free(x->mem, x);
}
#else
#define xz_open NULL
#define xz_again NULL
#define xz_step NULL
#define xz_close NULL
#endif

/* ------------------------------------------------------------------ zstd */

static bool
zs_is(pp_str h)
{
	/* a frame, or a skippable one (pzstd begins with such) */
	return pp_str_starts(h, PP_STR("\x28\xb5\x2f\xfd")) ||
	    (h.n >= 4 && ((unsigned char)h.p[0] & 0xf0) == 0x50 &&
	    pp_str_starts(pp_str_skip(h, 1), PP_STR("\x2a\x4d\x18")));
}

#ifdef PP_HAVE_ZSTD
struct zs {
	struct pp_mem *mem;
	ZSTD_DStream *z;
};

static void *
zs_open(struct pp_mem *mem)
{
	struct zs *s = pp_mem_zalloc(mem, sizeof(*s));

	s->mem = mem;
	s->z = ZSTD_createDStream();
	if (s->z == NULL)
		pp_mem_fail(mem);
	(void)ZSTD_DCtx_setParameter(s->z, ZSTD_d_windowLogMax, LIMIT_LOG);
	return s;
}

static void
zs_again(void *state)
{
	struct zs *s = state;

	(void)ZSTD_DCtx_reset(s->z, ZSTD_reset_session_only);
}

static enum pp_codec_step
zs_step(void *state, struct pp_codec_io *io, const char **why)
{
	struct zs *s = state;
	ZSTD_inBuffer in = {io->in, io->nin, 0};
	ZSTD_outBuffer out = {io->out, io->nout, 0};
	size_t r = ZSTD_decompressStream(s->z, &out, &in);

	io->in += in.pos;
	io->nin -= in.pos;
	io->out += out.pos;
	io->nout -= out.pos;
	if (ZSTD_isError(r)) {
		*why = ZSTD_getErrorName(r);
		return PP_CODEC_BAD;
	}
	return r == 0 ? PP_CODEC_END : PP_CODEC_MORE;
}

static void
zs_close(void *state)
{
	struct zs *s = state;

	(void)ZSTD_freeDStream(s->z);
	pp_mem_free(s->mem, s);
}
#else
#define zs_open NULL
#define zs_again NULL
#define zs_step NULL
#define zs_close NULL
#endif

/* compress(1): known, to say what it is; older Unix traces come so */
static bool
lzw_is(pp_str h)
{
	return pp_str_starts(h, PP_STR("\x1f\x9d")) && h.n > 2;
}

static const struct pp_codec codecs[] = {
	{"gzip", gz_is, gz_open, gz_again, gz_step, gz_close},
	{"bz2", bz_is, bz_open, bz_again, bz_step, bz_close},
	{"xz", xz_is, xz_open, xz_again, xz_step, xz_close},
	{"zstd", zs_is, zs_open, zs_again, zs_step, zs_close},
	{"compress (.Z)", lzw_is, NULL, NULL, NULL, NULL},
};

const struct pp_codec *
pp_codec_find(pp_str head)
{
	size_t i;

	for (i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++)
		if (codecs[i].is(head))
			return &codecs[i];
	return NULL;
}
