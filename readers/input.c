/*
 * input.c: files, standard input and compressed files as a stream of chunks.
 *
 * May touch base, codec.h and reader.h.  One buffer holds what is read and
 * not yet used; a chunk is a slice of it.  Where a chunk ends depends on the
 * bytes alone, never on how much a read() returned: a pipe and a file give
 * the same chunks.
 */
#include "input_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The sum of a file of fewer chunks is taken on the way. */
#define HASH_HERE 4

/* Milliseconds after which who waits for a pipe looks up whether to stop. */
#define LOOK_UP 100

/* What a read may bring beyond the chunk that asked for it: the rest of the
 * chunk's last line, mostly.  Small, for it is moved to the front later. */
#define SLACK ((size_t)4096)

static void fail(struct pp_input *in, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Remember why the stream ends; the first reason counts. */
static void
fail(struct pp_input *in, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (in->errn)
		return;
	va_start(ap, fmt);
	n = vsnprintf(in->err, sizeof(in->err), fmt, ap);
	va_end(ap);
	if (n > 0)
		in->errn = (size_t)n < sizeof(in->err) ? (size_t)n :
		    sizeof(in->err) - 1;
}

static void
fail_errno(struct pp_input *in, const char *what, int e)
{
	char text[120];

	if (strerror_r(e, text, sizeof(text)) != 0)
		snprintf(text, sizeof(text), "error %d", e);
	fail(in, "%s: %s", what, text);
}

/* read(), from wherever the bytes come; -1 when that has been told. */
static ssize_t
read_some(struct pp_input *in, void *p, size_t n)
{
	const char *why = "";
	size_t got = 0;

	if (in->from.read == NULL)
		return read(in->fd, p, n);
	if (in->from.read(in->from.arg, p, n, &got, &why))
		return (ssize_t)got;
	fail(in, "%s", why);
	errno = EIO;
	return -1;
}

/* Wait for something to read; false when that is to stop. */
static bool
wait_some(const struct pp_input *in)
{
	struct pollfd pfd = {.fd = in->fd, .events = POLLIN};

	while (!atomic_load(in->stop))
		if (poll(&pfd, 1, LOOK_UP) != 0)
			return true;
	return false;
}

size_t
pp_input_raw(struct pp_input *in, void *p, size_t n)
{
	struct pollfd pfd = {.fd = in->fd, .events = POLLIN};
	ssize_t got;

	if (in->raw_end || n == 0)
		return 0;
	if (in->stop != NULL && !wait_some(in)) {
		in->raw_end = true;
		return 0;
	}
	for (;;) {
		got = read_some(in, p, n);
		if (got >= 0)
			break;
		/* a pipe from a program that made its end not to block */
		if (errno == EAGAIN)
			(void)poll(&pfd, 1, -1);
		else if (errno != EINTR)
			break;
	}
	if (got <= 0) {
		if (got < 0)
			fail_errno(in, "cannot read", errno);
		in->raw_end = true;
		return 0;
	}
	in->raw_read += (uint64_t)got;
	if (in->hasher != NULL)
		pp_hasher_step(in->hasher, in->hash, in->raw_read, false);
	else if (in->sha != NULL &&
	    EVP_DigestUpdate(in->sha, p, (size_t)got) != 1)
		pp_mem_fail(in->mem);
	return (size_t)got;
}

/* Have n bytes in raw, fewer only at the end of the file. */
static size_t
raw_need(struct pp_input *in, size_t n)
{
	size_t got;

	if (in->rawn - in->rawp >= n)
		return n;
	if (in->rawp > 0) {
		memmove(in->raw, in->raw + in->rawp, in->rawn - in->rawp);
		in->rawn -= in->rawp;
		in->rawp = 0;
	}
	while (in->rawn < n) {
		got = pp_input_raw(in, in->raw + in->rawn, RAW_SIZE - in->rawn);
		if (got == 0)
			break;
		in->rawn += got;
	}
	return in->rawn < n ? in->rawn : n;
}

static pp_str
raw_head(struct pp_input *in)
{
	size_t n = raw_need(in, PP_CODEC_HEAD);

	return (pp_str){(const char *)in->raw + in->rawp, n};
}

/* Offset in the file of the next raw byte. */
static unsigned long long
raw_at(const struct pp_input *in)
{
	return (unsigned long long)(in->raw_read - (in->rawn - in->rawp));
}

/*
 * Behind a member: begin the next one.  Zeros between and behind members are
 * padding (tapes, block devices), as gzip(1) and xz(1) have it.
 */
static bool
next_member(struct pp_input *in)
{
	while (raw_need(in, 1) > 0 && in->raw[in->rawp] == 0)
		in->rawp++;
	if (in->rawp == in->rawn)
		return false;
	if (!in->codec->is(raw_head(in))) {
		fail(in, "what follows the %s data at byte %llu of the file "
		    "is not %s data and is ignored", in->codec->name,
		    raw_at(in), in->codec->name);
		return false;
	}
	in->codec->again(in->state);
	in->between = false;
	return true;
}

/* Inflate some into p; 0 at the end and at damage. */
static size_t
inflate_some(struct pp_input *in, char *p, size_t n)
{
	struct pp_codec_io io;
	enum pp_codec_step r;
	const char *why = "";

	io.out = (unsigned char *)p;
	io.nout = n;
	for (;;) {
		if (in->between && !next_member(in))
			return 0;
		io.in = in->raw + in->rawp;
		io.nin = in->rawn - in->rawp;
		io.all = in->raw_end;
		io.need = 0;
		r = in->codec->step(in->state, &io, &why);
		in->rawp = in->rawn - io.nin;
		if (r == PP_CODEC_END)
			in->between = true;
		else if (r == PP_CODEC_BAD)
			fail(in, "damaged %s data near byte %llu of the file: "
			    "%s", in->codec->name, raw_at(in), why);
		if (io.nout < n || r == PP_CODEC_BAD)
			return n - io.nout;
		if (r == PP_CODEC_MORE && io.need > io.nin && !in->raw_end) {
			(void)raw_need(in, io.need);
			continue;
		}
		if (r == PP_CODEC_MORE && io.nin == 0 &&
		    raw_need(in, 1) == 0) {
			fail(in, "%s data is cut off at byte %llu of the "
			    "file", in->codec->name, raw_at(in));
			return 0;
		}
	}
}

/* Some more inflated bytes into p; 0 at the end of the stream. */
static size_t
more(struct pp_input *in, char *p, size_t n)
{
	size_t have;

	if (in->codec != NULL)
		return in->errn ? 0 : inflate_some(in, p, n);
	if (in->raw == NULL)
		return pp_input_raw(in, p, n);
	/* what was read to look for a codec */
	have = in->rawn - in->rawp;
	if (have > n)
		have = n;
	if (have > 0)
		memcpy(p, in->raw + in->rawp, have);
	in->rawp += have;
	if (in->rawp == in->rawn) {
		pp_mem_free(in->mem, in->raw);
		in->raw = NULL;
	}
	return have > 0 ? have : pp_input_raw(in, p, n);
}

/* Have `need` unused bytes in the buffer, fewer only at the end. */
static size_t
fill(struct pp_input *in, size_t need)
{
	size_t have = in->end - in->start, cap, got;

	if (have >= need || in->ended)
		return have;
	if (need > SIZE_MAX / 4)
		pp_mem_fail(in->mem);
	if (in->cap - in->start < need + SLACK) {
		if (in->start > 0)
			memmove(in->buf, in->buf + in->start, have);
		in->start = 0;
		in->end = have;
		cap = in->cap;
		if (cap < need + SLACK) {
			cap = cap * 2 > need + SLACK ? cap * 2 : need + SLACK;
			in->buf = pp_mem_realloc(in->mem, in->buf, cap);
			in->cap = cap;
		}
	}
	while (have < need && !in->ended) {
		got = more(in, in->buf + in->end, need + SLACK - have);
		if (got == 0)
			in->ended = true;
		in->end += got;
		have += got;
	}
	return have;
}

/* Take back the chunk that is out, if there is one. */
static void
take_back(struct pp_input *in, const struct pp_chunk *c)
{
	size_t tail, want = in->chunk_size;

	if (!in->out)
		return;
	in->out = false;
	PP_ASSERT(c->used <= in->given);
	in->start += c->used;
	in->offset += c->used;
	in->line += c->lines;
	tail = in->given - c->used;
	/*
	 * A group of lines that did not fit comes again with twice the room,
	 * so that all passes over it together cost what two passes do.
	 */
	if ((c->used == 0 || tail >= want) && tail > 0)
		want = tail > SIZE_MAX / 2 ? SIZE_MAX : tail * 2;
	in->want = want;
}

char *
pp_input_swap(struct pp_input *in, const struct pp_chunk *c, char *spare,
    size_t *cap)
{
	char *full = in->buf;
	size_t have, old = in->cap;

	PP_ASSERT(in->out);
	take_back(in, c);
	have = in->end - in->start;
	if (spare == NULL || *cap < have + SLACK) {
		pp_mem_free(in->mem, spare);
		spare = NULL;
		*cap = have + SLACK > in->first_cap ? have + SLACK :
		    in->first_cap;
		spare = pp_mem_alloc(in->mem, *cap);
	}
	if (have > 0)
		memcpy(spare, in->buf + in->start, have);
	in->buf = spare;
	in->cap = *cap;
	in->start = 0;
	in->end = have;
	*cap = old;
	return full;
}

bool
pp_input_next(struct pp_input *in, struct pp_chunk *c)
{
	size_t want, have, seen, n = 0;
	const char *nl;

	take_back(in, c);
	if (in->done)
		return false;
	want = in->want;
	have = fill(in, want);
	/* the chunk ends with the first line that reaches `want` bytes */
	for (seen = want - 1;;) {
		if (have > seen) {
			nl = memchr(in->buf + in->start + seen, '\n',
			    have - seen);
			if (nl != NULL) {
				n = (size_t)(nl + 1 - (in->buf + in->start));
				break;
			}
			seen = have;
		}
		if (in->ended) {
			n = have;
			break;
		}
		have = fill(in, have > SIZE_MAX / 2 ? SIZE_MAX : have * 2);
	}
	/* is it the last? */
	if (n == have)
		have = fill(in, n + 1);
	memset(c, 0, sizeof(*c));
	c->p = in->buf + in->start;
	c->n = n;
	c->offset = in->offset;
	c->line = in->line;
	c->last = n == have;
	in->done = c->last;
	in->delivered = in->offset + n;
	in->out = true;
	in->given = n;
	return true;
}

size_t
pp_input_read(struct pp_input *in, char *p, size_t n)
{
	size_t have = in->end - in->start, got;

	/* what was looked at as a head */
	if (have > n)
		have = n;
	if (have > 0)
		memcpy(p, in->buf + in->start, have);
	in->start += have;
	while (have < n && !in->ended) {
		got = more(in, p + have, n - have);
		if (got == 0)
			in->ended = true;
		have += got;
	}
	in->delivered += have;
	return have;
}

bool
pp_input_plain(const struct pp_input *in, struct pp_input_plain *out)
{
	if (!in->regular || in->codec != NULL || in->hasher == NULL)
		return false;
	out->fd = in->fd;
	out->at = in->raw_at;
	out->size = in->raw_all;
	return true;
}

void
pp_input_elsewhere(struct pp_input *in, uint64_t n)
{
	in->raw_end = true;
	pp_hasher_step(in->hasher, in->hash, n, false);
}

void
pp_input_been(struct pp_input *in, uint64_t n, int error)
{
	in->ended = true;
	in->raw_read = in->delivered = n;
	if (error != 0)
		fail_errno(in, "cannot read", error);
}

static pp_str
head(struct pp_input *in, size_t most)
{
	size_t n = fill(in, most);

	return (pp_str){in->buf + in->start, n < most ? n : most};
}

pp_str
pp_input_head(struct pp_input *in)
{
	return head(in, PP_HEAD);
}

pp_str
pp_input_long_head(struct pp_input *in)
{
	return head(in, PP_HEAD_LONG);
}

/* Open the file; false with in->err. */
static bool
open_file(struct pp_input *in, const char *path, struct pp_hasher *hasher)
{
	struct stat st;
	off_t at;

	if (in->from.read != NULL) {
		in->raw_all = in->from.bytes;
		return true;
	}
	if (strcmp(path, "-") == 0) {
		in->fd = STDIN_FILENO;
	} else {
		do
			in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		while (in->fd < 0 && errno == EINTR);
		if (in->fd < 0) {
			fail_errno(in, "cannot open", errno);
			return false;
		}
		in->own_fd = true;
	}
	if (fstat(in->fd, &st) != 0) {
		fail_errno(in, "cannot open", errno);
		return false;
	}
	if (S_ISDIR(st.st_mode)) {
		fail(in, "is a directory");
		return false;
	}
	if (S_ISREG(st.st_mode)) {
		at = lseek(in->fd, 0, SEEK_CUR);
		if (at >= 0 && at < st.st_size) {
			in->regular = true;
			in->raw_at = (uint64_t)at;
			in->raw_all = (uint64_t)(st.st_size - at);
		}
		if (hasher != NULL && in->raw_all >= HASH_HERE *
		    (uint64_t)in->chunk_size &&
		    pp_hasher_add(hasher, in->fd, in->raw_at, &in->hash))
			in->hasher = hasher;
		(void)posix_fadvise(in->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
	return true;
}

/* Look at the first bytes for a codec; false with in->err. */
static bool
find_codec(struct pp_input *in)
{
	pp_str head;

	in->raw = pp_mem_alloc(in->mem, RAW_SIZE);
	head = raw_head(in);
	if (in->errn)
		return false;
	in->codec = pp_codec_find(head);
	if (in->codec == NULL)
		return true;
	if (in->codec->open == NULL) {
		fail(in, "is compressed with %s, which this build cannot "
		    "read: uncompress it first", in->codec->name);
		in->codec = NULL;
		return false;
	}
	in->state = in->codec->open(in->mem);
	return true;
}

static bool
start(struct pp_input *in, const char *path, struct pp_hasher *hasher,
    pp_str *err)
{
	char *text;

	if (open_file(in, path, hasher)) {
		if (in->hasher == NULL && in->from.sum == NULL)
			pp_input_sum_start(in);
		if (find_codec(in)) {
			in->cap = in->chunk_size + 2 * SLACK;
			if (in->cap < PP_HEAD + 2 * SLACK)
				in->cap = PP_HEAD + 2 * SLACK;
			in->first_cap = in->cap;
			in->buf = pp_mem_alloc(in->mem, in->cap);
			return true;
		}
	}
	text = pp_mem_alloc(in->mem, in->errn + 1);
	memcpy(text, in->err, in->errn + 1);
	*err = (pp_str){text, in->errn};
	return false;
}

static struct pp_input *
open_any(struct pp_mem *mem, const char *path,
    const struct pp_input_from *from, size_t chunk_size,
    struct pp_hasher *hasher, pp_str *err)
{
	struct pp_input *in = pp_mem_zalloc(mem, sizeof(*in));
	jmp_buf *outer = mem->trap, trap;

	in->mem = mem;
	in->fd = -1;
	if (from != NULL)
		in->from = *from;
	in->line = 1;
	in->chunk_size = chunk_size ? chunk_size : PP_CHUNK_SIZE;
	in->want = in->chunk_size;
	/* out of memory: nobody has `in` yet who could close the file */
	if (setjmp(trap) != 0) {
		mem->trap = outer;
		pp_input_close(in);
		pp_mem_fail(mem);
	}
	mem->trap = &trap;
	if (!start(in, path, hasher, err)) {
		mem->trap = outer;
		pp_input_close(in);
		return NULL;
	}
	mem->trap = outer;
	return in;
}

struct pp_input *
pp_input_open(struct pp_mem *mem, const char *path, size_t chunk_size,
    pp_str *err)
{
	return open_any(mem, path, NULL, chunk_size, NULL, err);
}

struct pp_input *
pp_input_open_hashed(struct pp_mem *mem, const char *path,
    size_t chunk_size, struct pp_hasher *hasher, pp_str *err)
{
	return open_any(mem, path, NULL, chunk_size, hasher, err);
}

struct pp_input *
pp_input_open_from(struct pp_mem *mem, const struct pp_input_from *from,
    size_t chunk_size, pp_str *err)
{
	return open_any(mem, NULL, from, chunk_size, NULL, err);
}

void
pp_input_until(struct pp_input *in, const atomic_bool *stop)
{
	if (in->from.read == NULL && !in->regular)
		in->stop = stop;
}

pp_str
pp_input_error(const struct pp_input *in)
{
	return (pp_str){in->err, in->errn};
}

uint64_t
pp_input_bytes(const struct pp_input *in)
{
	return in->delivered;
}

void
pp_input_progress(const struct pp_input *in, uint64_t *done, uint64_t *all)
{
	*done = in->raw_read;
	*all = in->raw_all;
}

void
pp_input_close(struct pp_input *in)
{
	struct pp_mem *mem;

	if (in == NULL)
		return;
	mem = in->mem;
	/* nobody will ask: it is not to wait for more */
	if (in->hasher != NULL)
		pp_hasher_step(in->hasher, in->hash, 0, true);
	if (in->state != NULL)
		in->codec->close(in->state);
	EVP_MD_CTX_free(in->sha);
	if (in->own_fd)
		close(in->fd);
	if (in->from.close != NULL)
		in->from.close(in->from.arg);
	pp_mem_free(mem, in->raw);
	pp_mem_free(mem, in->buf);
	pp_mem_free(mem, in);
}
