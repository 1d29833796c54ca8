/*
 * archive_put.c: a profile into an archive: its bytes as they are, and what
 * profpivot makes of them.  The bytes that a reader is given are those that
 * have just been kept.
 */
#include "archive_parse.h"
#include "archived.h"

#include <errno.h>
#include <openssl/evp.h>
#include <unistd.h>

#include "../model/container/gzip_check.h"

#define PIECE ((size_t)64 << 10)

/* Reading what is to be added, any number of times. */
struct from {
	struct pp_run *run;
	const struct pp_put_from *of;
	struct pp_stored *stored;
	char *buf;
	const char *error;	/* NULL: none */
	char text[160];
};

/* What is known of it before it is added. */
struct survey {
	uint64_t bytes;
	uint8_t sha256[32];
	bool gzip;		/* and nothing else */
	uint64_t payload;	/* in it */
};

static void
from_begin(struct from *f)
{
	f->error = NULL;
	if (f->of->fd < 0) {
		pp_stored_close(f->stored);
		f->stored = pp_stored_open(f->of->store, f->of->entry);
	} else if (lseek(f->of->fd, 0, SEEK_SET) < 0) {
		f->error = "cannot be read twice";
	}
}

/* The next bytes, at most n, into p; 0 at the end and at an error. */
static size_t
from_read(struct from *f, void *p, size_t n)
{
	ssize_t got;

	if (f->error != NULL)
		return 0;
	if (f->of->fd < 0) {
		if (!pp_stored_read(f->stored, p, n, &n))
			f->error = f->of->store->err;
		return f->error != NULL ? 0 : n;
	}
	do
		got = read(f->of->fd, p, n);
	while (got < 0 && errno == EINTR);
	if (got < 0) {
		snprintf(f->text, sizeof(f->text), "cannot read: %s",
		    strerror(errno));
		f->error = f->text;
	}
	return got > 0 ? (size_t)got : 0;
}

/* Bytes in all; it begins anew. */
static uint64_t
from_size(struct from *f)
{
	off_t end;

	if (f->of->fd < 0)
		return f->of->entry->bytes;
	end = lseek(f->of->fd, 0, SEEK_END);
	return end > 0 ? (uint64_t)end : 0;
}

static EVP_MD_CTX *
sum_open(struct pp_mem *mem)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();

	if (md == NULL || EVP_DigestInit_ex(md, EVP_sha256(), NULL) != 1)
		pp_mem_fail(mem);
	return md;
}

static void
sum_end(EVP_MD_CTX *md, uint8_t sum[32])
{
	unsigned n = 0;

	PP_ASSERT(EVP_DigestFinal_ex(md, sum, &n) == 1 && n == 32);
	EVP_MD_CTX_free(md);
}

/* Read all of it once: its sum, and whether it is gzip. */
static bool
look(struct from *f, struct survey *s)
{
	struct pp_mem *mem = &f->run->mem;
	struct pp_gzip_check *g = pp_gzip_check_open(mem);
	EVP_MD_CTX *md = sum_open(mem);
	size_t n;

	memset(s, 0, sizeof(*s));
	from_begin(f);
	while ((n = from_read(f, f->buf, PIECE)) > 0) {
		EVP_DigestUpdate(md, f->buf, n);
		pp_gzip_check_feed(g, f->buf, n);
		s->bytes += n;
	}
	s->gzip = pp_gzip_check_end(g, &s->payload);
	sum_end(md, s->sha256);
	return f->error == NULL;
}

/*
 * Must it be read before it is kept?  Gzip is kept in another way, and what
 * has the size of a profile may be that.
 */
static bool
needs_look(struct from *f, struct pp_store *s)
{
	const unsigned char *p = (const unsigned char *)f->buf;

	from_begin(f);
	if (from_read(f, f->buf, PIECE) >= 2 && p[0] == 0x1f && p[1] == 0x8b)
		return true;
	return pp_store_of_size(s, from_size(f), s->n) != SIZE_MAX;
}

/* The profile with these bytes, under this path if there is one so. */
static const struct pp_entry *
find_same(struct pp_store *s, const struct survey *v, pp_str path)
{
	const struct pp_entry *e, *found = NULL;
	size_t i;

	for (i = pp_store_of_size(s, v->bytes, s->n); i != SIZE_MAX;
	    i = pp_store_of_size(s, v->bytes, i)) {
		e = &s->v[i];
		if (memcmp(e->sha256, v->sha256, 32) != 0)
			continue;
		found = e;
		if (pp_str_eq(e->path, path))
			break;
	}
	return found;
}

/*
 * Is what came out of another archive what was added there?  A profile whose
 * entry was lost has no sum; its members have theirs, and gzip its own.
 */
static bool
is_right(struct from *f, const uint8_t sum[32], bool gzip)
{
	static const uint8_t none[32];
	const struct pp_entry *e = f->of->entry;

	if (f->of->fd >= 0)
		return true;
	if (memcmp(e->sha256, none, 32) != 0 ? memcmp(e->sha256, sum, 32) ==
	    0 : e->kept != PP_KEPT_GZIP || gzip)
		return true;
	f->error = "is damaged: not what was added";
	return false;
}

/* ----------------------------------------------------------------- adding */

/* A profile on its way into the archive and past a reader. */
struct keep {
	struct from *from;
	struct pp_append *w;
	EVP_MD_CTX *md;		/* NULL: `sum` is known */
	uint8_t sum[32];
	uint64_t left;		/* more is not kept */
	bool at_end, ended;	/* of the data; that has been written */
	bool failed;		/* the archive cannot be written */
};

/* Bytes for the reader, kept on the way. */
static bool
keep_read(void *arg, void *p, size_t n, size_t *got, const char **why)
{
	struct keep *k = arg;

	*got = 0;
	if (k->at_end)
		return true;
	if (n > k->left)
		n = (size_t)k->left;
	*got = n == 0 ? 0 : from_read(k->from, p, n);
	k->at_end = *got == 0;
	k->left -= *got;
	if (*got > 0 && !pp_append_data(k->w, p, *got))
		k->failed = k->at_end = true;
	if (*got > 0)
		EVP_DigestUpdate(k->md, p, *got);
	*why = k->failed ? k->w->err : k->from->error;
	return !k->failed && k->from->error == NULL;
}

static bool
keep_sum(void *arg, uint8_t sum[32])
{
	struct keep *k = arg;

	if (!k->at_end)
		return false;
	if (k->md != NULL)
		sum_end(k->md, k->sum);
	k->md = NULL;
	memcpy(sum, k->sum, 32);
	return true;
}

/* The reader may have stopped early: the rest, and the end of the data. */
static bool
keep_end(void *arg)
{
	struct keep *k = arg;
	const char *why;
	uint8_t sum[32];
	size_t got;

	while (!k->at_end)
		(void)keep_read(k, k->from->buf, PIECE, &got, &why);
	if (!k->ended) {
		k->ended = true;
		k->failed |= !keep_sum(k, sum) || k->from->error != NULL ||
		    !pp_append_data_end(k->w);
	}
	return !k->failed;
}

/* Keep the profile and have it read; false at an error of either side. */
static bool
keep(struct pp_archive_run *a, struct from *f, const struct survey *s,
    struct pp_entry *about)
{
	struct keep k = {.from = f, .w = a->append,
		.left = s->gzip ? s->bytes : UINT64_MAX};
	struct pp_parse_from from = {.input = {.read = keep_read,
		.sum = keep_sum, .arg = &k, .bytes = from_size(f)},
		.end = keep_end};
	bool failed, parsed;

	k.md = sum_open(&a->run.mem);
	from_begin(f);
	parsed = pp_archive_parse(a, &from, about, &failed);
	failed |= !keep_end(&k);
	memcpy(about->sha256, k.sum, 32);
	if (!parsed)
		f->error = "out of memory";
	else if (s->gzip && !failed && (k.left > 0 ||
	    memcmp(k.sum, s->sha256, 32) != 0))
		f->error = "changed while it was read";
	return !failed && f->error == NULL &&
	    is_right(f, about->sha256, s->gzip);
}

/* Take back what was begun and tell why. */
static enum pp_put
give_up(struct pp_archive_run *a, pp_str path, const struct from *f)
{
	struct pp_append *w = a->append;
	struct pp_entry e = {.path = path};
	pp_str shown = pp_archived_path(&e);
	char why[300];

	snprintf(why, sizeof(why), "%s", w->err);
	if (f->error != NULL) {
		pp_run_say(&a->run, "%.*s: %s; it is not %s", (int)shown.n,
		    shown.p, f->error, a->verb);
		if (pp_append_undo(w))
			return PP_PUT_UNREADABLE;
		snprintf(why, sizeof(why), "%s", w->err);
	} else {
		(void)pp_append_undo(w);
	}
	pp_run_say(&a->run, "%s: %s; %.*s is not %s", w->store->path, why,
	    (int)shown.n, shown.p, a->verb);
	return PP_PUT_FAILED;
}

/* The profile *about is to have this name too; a further entry may move those
 * that there are. */
static bool
name_same(struct pp_archive_run *a, pp_str path, bool named,
    const struct pp_entry **about)
{
	struct pp_append *w = a->append;
	size_t i = (size_t)(*about - w->store->v);
	struct pp_entry e = **about;
	bool ok = pp_str_eq(e.path, path);

	if (!ok) {
		pp_archived_kin(&a->run.mem, w->store, path, &e, &e);
		e.batch = a->batch;
		ok = pp_append_alias(w, path, named, &e);
	}
	*about = &w->store->v[i];
	return ok;
}

static enum pp_put
put(struct pp_archive_run *a, pp_str path, bool named, struct from *f,
    const struct pp_entry **about)
{
	struct pp_append *w = a->append;
	struct survey s = {0};
	struct pp_entry e;

	memset(&e, 0, sizeof(e));
	w->err[0] = '\0';
	if (needs_look(f, w->store)) {
		if (!look(f, &s) || !is_right(f, s.sha256, s.gzip))
			return give_up(a, path, f);
		*about = find_same(w->store, &s, path);
		if (*about != NULL)
			return name_same(a, path, named, about) ?
			    PP_PUT_SAME : give_up(a, path, f);
	}
	if (!pp_append_begin(w, path, named, s.gzip ? PP_KEPT_GZIP :
	    PP_KEPT_PLAIN, s.bytes, s.payload) || !keep(a, f, &s, &e))
		return give_up(a, path, f);
	/* to be compared it must be there to be read */
	if (!pp_append_flush(w))
		return give_up(a, path, f);
	pp_archived_kin(&a->run.mem, w->store, path, &w->e, &e);
	e.batch = a->batch;
	if (!pp_append_commit(w, &e))
		return give_up(a, path, f);
	*about = &w->store->v[w->store->n - 1];
	return PP_PUT_ADDED;
}

enum pp_put
pp_archive_put(struct pp_archive_run *a, pp_str path, bool named,
    const struct pp_put_from *of, const struct pp_entry **about)
{
	struct from f = {.run = &a->run, .of = of};
	pp_str kept = pp_arena_str(&a->append->store->text, path);
	enum pp_put r;

	f.buf = pp_mem_alloc(&a->run.mem, PIECE);
	r = put(a, kept, named, &f, about);
	pp_stored_close(f.stored);
	pp_mem_free(&a->run.mem, f.buf);
	return r;
}
