/*
 * append.c: profiles at the end of an archive.  See append.h.  Sees base
 * only.
 *
 *   BEGIN  DATA ...  SEGMENT ...  | fsync |  ENTRY ...  COMMIT  | fsync |
 */
#include "append_impl.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdio.h>
#include <unistd.h>

#include "bytes.h"

/* Bytes written at once. */
#define OUT_SIZE ((size_t)1 << 20)

#define LEVEL 6

/* A catalogue is written whole again when it is spread over this many
 * commits, and over half as many as there are profiles. */
#define SPREAD 64u

bool
pp_append_fail(struct pp_append *a, const char *what, int code)
{
	if (!a->failed && code != 0)
		snprintf(a->err, sizeof(a->err), "%s: %s", what,
		    strerror(code));
	else if (!a->failed)
		snprintf(a->err, sizeof(a->err), "%s", what);
	a->failed = true;
	return false;
}

static bool
write_all(struct pp_append *a, const unsigned char *p, size_t n)
{
	ssize_t k;

	while (n > 0) {
		k = write(a->fd, p, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return pp_append_fail(a, "cannot write", errno);
		if (k == 0)
			return pp_append_fail(a, "cannot write", ENOSPC);
		p += k;
		n -= (size_t)k;
	}
	return true;
}

bool
pp_append_flush(struct pp_append *a)
{
	size_t n = a->nout;

	if (a->failed)
		return false;
	a->nout = 0;
	if (n > 0 && !write_all(a, a->out, n))
		return false;
	a->store->size = a->at;
	return true;
}

/* Room for n bytes of what is to be written; NULL after a failure. */
static unsigned char *
room(struct pp_append *a, size_t n)
{
	if (a->failed || (a->nout + n > OUT_SIZE && !pp_append_flush(a)))
		return NULL;
	PP_ASSERT(n <= OUT_SIZE);
	return a->out + a->nout;
}

static void
used(struct pp_append *a, size_t n)
{
	a->nout += n;
	a->at += n;
}

static bool
put_empty(struct pp_append *a, enum pp_member_type type, unsigned flags,
    const void *body, size_t n)
{
	struct pp_member m = {.type = type, .flags = flags, .at = a->at,
		.stream = a->stream, .profile = a->profile, .body = body,
		.nbody = (uint32_t)n};
	unsigned char *p = room(a, PP_MEMBER_EMPTY(n));

	if (p == NULL)
		return false;
	used(a, pp_member_put_empty(p, &m));
	return true;
}

static bool
sync_file(struct pp_append *a)
{
	if (!pp_append_flush(a))
		return false;
	if (fsync(a->fd) != 0)
		return pp_append_fail(a, "cannot bring it to the disk", errno);
	return true;
}

/* ------------------------------------------------------------- a profile */

bool
pp_append_begin(struct pp_append *a, pp_str path, bool named,
    enum pp_kept kept, uint64_t bytes, uint64_t payload)
{
	unsigned char *body;
	bool ok;

	PP_ASSERT(a->profile == 0);
	if (a->failed)
		return false;
	if (path.n > PP_ENTRY_MAX / 2)
		return pp_append_fail(a, "its path is too long", 0);
	if (a->store->commit.last >= UINT32_MAX - 2)
		return pp_append_fail(a, "the archive is full", 0);
	memset(&a->e, 0, sizeof(a->e));
	a->profile = a->e.number = a->store->commit.last + 1;
	a->e.kept = kept;
	a->e.path = path;
	a->e.named = named;
	a->e.begin = a->at;
	a->e.stream = a->stream;
	a->e.payload = payload;
	a->nraw = 0;
	body = pp_mem_zalloc(a->mem, 16 + path.n);
	body[0] = (unsigned char)kept;
	body[1] = named;
	pp_put64(body + 8, kept == PP_KEPT_GZIP ? bytes : 0);
	if (path.n > 0)
		memcpy(body + 16, path.p, path.n);
	ok = put_empty(a, PP_MEMBER_BEGIN, 0, body, 16 + path.n);
	pp_mem_free(a->mem, body);
	return ok;
}

static bool
put_data(struct pp_append *a, bool last)
{
	struct pp_member m = {.type = PP_MEMBER_DATA, .at = a->at,
		.flags = last ? PP_MEMBER_LAST : 0, .stream = a->stream,
		.profile = a->profile, .payload = (uint32_t)a->nraw};
	size_t most = libdeflate_deflate_compress_bound(a->deflate, a->nraw),
	    n;
	unsigned char *p = room(a, PP_MEMBER_FIXED + most + PP_MEMBER_TAIL);

	if (p == NULL)
		return false;
	n = libdeflate_deflate_compress(a->deflate, a->raw, a->nraw,
	    p + PP_MEMBER_FIXED, most);
	PP_ASSERT(n > 0);
	pp_member_put_head(p, &m, n);
	n += PP_MEMBER_FIXED;
	pp_put32(p + n, libdeflate_crc32(0, a->raw, a->nraw));
	pp_put32(p + n + 4, m.payload);
	used(a, n + PP_MEMBER_TAIL);
	a->stream += a->nraw;
	a->e.payload += a->nraw;
	a->nraw = 0;
	return true;
}

/* Bytes that are gzip members of their own. */
static bool
put_foreign(struct pp_append *a, const unsigned char *p, size_t n)
{
	unsigned char *to;
	size_t k;

	for (; n > 0; n -= k, p += k) {
		k = n < OUT_SIZE / 4 ? n : OUT_SIZE / 4;
		to = room(a, k);
		if (to == NULL)
			return false;
		memcpy(to, p, k);
		used(a, k);
	}
	return true;
}

bool
pp_append_data(struct pp_append *a, const void *v, size_t n)
{
	const unsigned char *p = v;
	size_t k;

	a->e.bytes += n;
	if (a->e.kept == PP_KEPT_GZIP)
		return put_foreign(a, p, n);
	while (n > 0) {
		/* the last member is written when it is known to be that */
		if (a->nraw == PP_MEMBER_PAYLOAD && !put_data(a, false))
			return false;
		k = PP_MEMBER_PAYLOAD - a->nraw;
		k = k < n ? k : n;
		memcpy(a->raw + a->nraw, p, k);
		a->nraw += k;
		p += k;
		n -= k;
	}
	return true;
}

bool
pp_append_data_end(struct pp_append *a)
{
	if (a->e.kept == PP_KEPT_GZIP)
		a->stream += a->e.payload;
	else if (!put_data(a, true))
		return false;
	a->e.data_end = a->at;
	return !a->failed;
}

static bool
put_columns(struct pp_append *a, bool last)
{
	size_t n = a->nraw;

	a->nraw = 0;
	return put_empty(a, PP_MEMBER_SEGMENT, last ? PP_MEMBER_LAST : 0,
	    a->raw, n);
}

bool
pp_append_columns(struct pp_append *a, const void *v, size_t n)
{
	const unsigned char *p = v;
	size_t k;

	if (a->e.columns == 0)
		a->e.columns = a->at;
	a->e.columns_bytes += n;
	while (n > 0) {
		if (a->nraw == PP_MEMBER_BODY && !put_columns(a, false))
			return false;
		k = PP_MEMBER_BODY - a->nraw;
		k = k < n ? k : n;
		memcpy(a->raw + a->nraw, p, k);
		a->nraw += k;
		p += k;
		n -= k;
	}
	return !a->failed;
}

bool
pp_append_columns_end(struct pp_append *a)
{
	if (a->e.columns == 0)
		return !a->failed;
	if (!put_columns(a, true))
		return false;
	a->e.columns_end = a->at;
	return true;
}

/* ---------------------------------------------------------------- commit */

struct pack {
	struct pp_append *a;
	unsigned char *body;
	size_t n;
};

static bool
pack_entry(struct pack *k, const struct pp_entry *e)
{
	unsigned char *p;
	size_t n;
	bool ok = true;

	if (!pp_entry_write(k->a->mem, e, &p, &n)) {
		pp_mem_free(k->a->mem, p);
		return pp_append_fail(k->a, "its entry is too long", 0);
	}
	if (k->n + n + 4 > PP_MEMBER_BODY) {
		ok = put_empty(k->a, PP_MEMBER_ENTRY, 0, k->body, k->n);
		k->n = 0;
	}
	pp_put32(k->body + k->n, (uint32_t)n);
	memcpy(k->body + k->n + 4, p, n);
	k->n += n + 4;
	pp_mem_free(k->a->mem, p);
	return ok;
}

static bool
put_entries(struct pp_append *a, size_t from)
{
	struct pp_store *s = a->store;
	struct pack k = {.a = a};
	bool ok = true;
	size_t i;

	k.body = pp_mem_alloc(a->mem, PP_MEMBER_BODY);
	for (i = from; i < s->n && ok; i++)
		ok = pack_entry(&k, &s->v[i]);
	if (ok && k.n > 0)
		ok = put_empty(a, PP_MEMBER_ENTRY, 0, k.body, k.n);
	pp_mem_free(a->mem, k.body);
	return ok;
}

/* Entries from `from` on and a COMMIT, on the disk. */
static bool
commit_from(struct pp_append *a, size_t from)
{
	struct pp_store *s = a->store;
	struct pp_commit c = {.previous = s->commit_at, .entries = a->at,
		.stream = a->stream, .profiles = (uint32_t)s->n,
		.depth = s->commit.depth + 1};
	unsigned char body[PP_COMMIT_BODY];
	uint64_t at;

	c.last = s->n > 0 && s->v[s->n - 1].number > s->commit.last ?
	    s->v[s->n - 1].number : s->commit.last;
	if (from == 0 || (c.depth >= SPREAD && c.depth >= s->n / 2)) {
		from = 0;
		c.all = 1;
		c.depth = 0;
	}
	a->profile = 0;
	if (!put_entries(a, from))
		return false;
	at = a->at;
	pp_commit_write(&c, body);
	if (!put_empty(a, PP_MEMBER_COMMIT, 0, body, sizeof(body)) ||
	    !sync_file(a))
		return false;
	s->commit = c;
	s->commit_at = at;
	s->end = a->at;
	return true;
}

bool
pp_append_commit_new(struct pp_append *a)
{
	return commit_from(a, 0);
}

/* An entry behind those that are there; its text is copied. */
static void
keep_entry(struct pp_store *s, const struct pp_entry *e)
{
	void *v = s->v;
	struct pp_entry *x;

	pp_mem_grow(s->mem, &v, &s->cap, s->n + 1, sizeof(*s->v));
	s->v = v;
	x = &s->v[s->n];
	*x = *e;
	x->path = pp_arena_str(&s->text, e->path);
	x->reader = pp_arena_str(&s->text, e->reader);
	x->product = pp_arena_str(&s->text, e->product);
	x->version = pp_arena_str(&s->text, e->version);
	x->host = pp_arena_str(&s->text, e->host);
	x->instance = pp_arena_str(&s->text, e->instance);
	x->continues = pp_arena_str(&s->text, e->continues);
	s->n++;
}

bool
pp_append_commit(struct pp_append *a, const struct pp_entry *about)
{
	struct pp_entry e = *about;

	if (!sync_file(a))
		return false;
	e.number = a->e.number;
	e.path = a->e.path;
	e.named = a->e.named;
	e.kept = a->e.kept;
	e.bytes = a->e.bytes;
	e.payload = a->e.payload;
	e.stream = a->e.stream;
	e.begin = a->e.begin;
	e.data_end = a->e.data_end;
	e.columns = a->e.columns;
	e.columns_bytes = a->e.columns_bytes;
	e.columns_end = a->e.columns_end;
	keep_entry(a->store, &e);
	if (commit_from(a, a->store->n - 1))
		return true;
	a->store->n--;
	return false;
}

bool
pp_append_alias(struct pp_append *a, pp_str path, bool named,
    const struct pp_entry *of)
{
	struct pp_entry e = *of;

	if (a->failed)
		return false;
	if (path.n > PP_ENTRY_MAX / 2)
		return pp_append_fail(a, "its path is too long", 0);
	if (a->store->commit.last >= UINT32_MAX - 2)
		return pp_append_fail(a, "the archive is full", 0);
	e.same_as = of->same_as != 0 ? of->same_as : of->number;
	e.number = a->store->commit.last + 1;
	e.path = path;
	e.named = named;
	keep_entry(a->store, &e);
	if (commit_from(a, a->store->n - 1))
		return true;
	a->store->n--;
	return false;
}

bool
pp_append_undo(struct pp_append *a)
{
	struct pp_store *s = a->store;

	a->nout = a->nraw = 0;
	a->profile = 0;
	a->failed = false;
	a->at = s->end;
	a->stream = s->commit.stream;
	if (ftruncate(a->fd, (off_t)s->end) != 0 ||
	    lseek(a->fd, (off_t)s->end, SEEK_SET) < 0)
		return pp_append_fail(a, "cannot take back what was begun",
		    errno);
	s->size = s->end;
	return true;
}

void
pp_append_level(struct pp_append *a, int level)
{
	struct libdeflate_compressor *d;

	d = libdeflate_alloc_compressor(level > 0 ? level : LEVEL);
	if (d == NULL)
		pp_mem_fail(a->mem);
	libdeflate_free_compressor(a->deflate);
	a->deflate = d;
	a->level = level;
}

void
pp_append_buffers(struct pp_append *a)
{
	a->out = pp_mem_alloc(a->mem, OUT_SIZE);
	a->raw = pp_mem_alloc(a->mem, PP_MEMBER_PAYLOAD);
	pp_append_level(a, 0);
}

void
pp_append_close(struct pp_append *a)
{
	if (a == NULL)
		return;
	libdeflate_free_compressor(a->deflate);
	/* the lock goes with the descriptor, which the store owns */
	if (a->store != NULL)
		pp_store_close(a->store);
	else if (a->fd >= 0)
		close(a->fd);
	pp_mem_free(a->mem, a->out);
	pp_mem_free(a->mem, a->raw);
	pp_mem_free(a->mem, a);
}
