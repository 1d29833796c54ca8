/*
 * store.c: opening an archive and finding its catalogue.  See store.h.
 * Sees base only.
 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "store_impl.h"

const char pp_store_magic[24] = "profpivot archive\r\n\x1a\n";

/* Commits that a catalogue may be spread over before it is called a loop;
 * each stands before the last, so there is an end anyway. */
#define DEPTH_MAX 1000000u

void
pp_store_fail(struct pp_store *s, const char *what, uint64_t at)
{
	snprintf(s->err, sizeof(s->err), "%s at byte %llu of the file", what,
	    (unsigned long long)at);
}

bool
pp_store_read(struct pp_store *s, void *p, size_t n, uint64_t at)
{
	unsigned char *to = p;
	ssize_t got;

	if (at > s->size || n > s->size - at) {
		pp_store_fail(s, "the archive ends early: cut", at);
		return false;
	}
	while (n > 0) {
		got = pread(s->fd, to, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			snprintf(s->err, sizeof(s->err), "cannot read: %s",
			    got == 0 ? "the file got shorter" :
			    strerror(errno));
			return false;
		}
		to += got;
		n -= (size_t)got;
		at += (uint64_t)got;
	}
	return true;
}

bool
pp_store_member(struct pp_store *s, uint64_t at, struct pp_member *m,
    unsigned char *buf)
{
	if (!pp_store_read(s, buf, PP_MEMBER_FIXED, at))
		return false;
	if (pp_member_parse(m, buf, at) && m->type != PP_MEMBER_DATA &&
	    m->bytes <= s->size - at) {
		if (!pp_store_read(s, buf + PP_MEMBER_FIXED,
		    m->bytes - PP_MEMBER_FIXED, at + PP_MEMBER_FIXED))
			return false;
		if (pp_member_check(m, buf))
			return true;
	}
	pp_store_fail(s, "damaged member", at);
	return false;
}

void
pp_commit_read(struct pp_commit *c, const unsigned char *p)
{
	c->previous = pp_get64(p);
	c->entries = pp_get64(p + 8);
	c->stream = pp_get64(p + 16);
	c->profiles = pp_get32(p + 24);
	c->last = pp_get32(p + 28);
	c->all = pp_get32(p + 32);
	c->depth = pp_get32(p + 36);
}

void
pp_commit_write(const struct pp_commit *c, unsigned char *p)
{
	memset(p, 0, PP_COMMIT_BODY);
	pp_put64(p, c->previous);
	pp_put64(p + 8, c->entries);
	pp_put64(p + 16, c->stream);
	pp_put32(p + 24, c->profiles);
	pp_put32(p + 28, c->last);
	pp_put32(p + 32, c->all);
	pp_put32(p + 36, c->depth);
}

bool
pp_begin_read(struct pp_begin *b, const struct pp_member *m)
{
	if (m->type != PP_MEMBER_BEGIN || m->nbody < 16)
		return false;
	b->kept = m->body[0] == PP_KEPT_GZIP ? PP_KEPT_GZIP : PP_KEPT_PLAIN;
	b->named = m->body[1] != 0;
	b->bytes = pp_get64(m->body + 8);
	b->path = (pp_str){(const char *)m->body + 16, m->nbody - 16};
	return m->body[0] <= PP_KEPT_GZIP;
}

bool
pp_store_next_entry(struct pp_arena *text, pp_str *rest, struct pp_entry *e,
    bool *bad)
{
	uint32_t n;

	if (rest->n == 0)
		return false;
	*bad = true;
	if (rest->n < 4)
		return false;
	n = pp_get32((const unsigned char *)rest->p);
	*rest = pp_str_skip(*rest, 4);
	if (n > rest->n)
		return false;
	if (!pp_entry_read(text, (pp_str){rest->p, n}, e))
		return false;
	*rest = pp_str_skip(*rest, n);
	*bad = false;
	return true;
}

/* ------------------------------------------------------------- catalogue */

static void
add_entry(struct pp_store *s, const struct pp_entry *e)
{
	void *v = s->v;

	pp_mem_grow(s->mem, &v, &s->cap, s->n + 1, sizeof(*s->v));
	s->v = v;
	s->v[s->n++] = *e;
}

/* Entries of a member; those that cannot stand before `end` are damage. */
static bool
take_entries(struct pp_store *s, const struct pp_member *m, uint64_t end)
{
	pp_str rest = {(const char *)m->body, m->nbody};
	struct pp_entry e;
	bool bad = false;

	while (pp_store_next_entry(&s->text, &rest, &e, &bad)) {
		if (e.data_end > end || e.columns_end > end)
			return false;
		add_entry(s, &e);
	}
	if (bad)
		pp_store_fail(s, "damaged catalogue", m->at);
	return !bad;
}

/* The ENTRY members of the commit at `at`. */
static bool
load_commit(struct pp_store *s, const struct pp_commit *c, uint64_t at,
    unsigned char *buf)
{
	struct pp_member m;
	uint64_t p = c->entries;

	while (p < at) {
		if (!pp_store_member(s, p, &m, buf) ||
		    m.type != PP_MEMBER_ENTRY || m.bytes > at - p ||
		    !take_entries(s, &m, at)) {
			pp_store_fail(s, "damaged catalogue", p);
			return false;
		}
		p += m.bytes;
	}
	return p == at;
}

static bool
read_commit(struct pp_store *s, uint64_t at, struct pp_commit *c,
    unsigned char *buf)
{
	struct pp_member m;

	if (!pp_store_member(s, at, &m, buf))
		return false;
	if (m.type != PP_MEMBER_COMMIT || m.nbody < PP_COMMIT_BODY) {
		pp_store_fail(s, "no commit", at);
		return false;
	}
	pp_commit_read(c, m.body);
	if (c->stream != m.stream || c->previous >= at || c->entries > at) {
		pp_store_fail(s, "a commit that contradicts itself", at);
		return false;
	}
	return true;
}

/* Go back from the last commit to one that has all entries. */
static bool
load_chain(struct pp_store *s, unsigned char *buf)
{
	struct pp_commit c = s->commit;
	uint64_t at = s->commit_at;
	uint32_t n = 0;

	for (;;) {
		if (!load_commit(s, &c, at, buf))
			return false;
		if (c.all != 0 || c.previous == 0)
			return true;
		at = c.previous;
		if (n++ == DEPTH_MAX || !read_commit(s, at, &c, buf))
			return false;
	}
}

/* The catalogue cannot be followed: take every entry that there is. */
static void
load_all(struct pp_store *s)
{
	struct pp_scan scan;
	struct pp_member m;

	s->n = 0;
	pp_scan_open(&scan, s, true);
	while (pp_scan_next(&scan, &m))
		if (m.type == PP_MEMBER_ENTRY)
			(void)take_entries(s, &m, m.at);
	pp_scan_close(&scan);
}

/* By number; of one number, what was written last. */
static int
by_number(const void *a, const void *b)
{
	const struct pp_entry *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->begin > y->begin ? -1 : x->begin < y->begin;
}

static void
sort_entries(struct pp_store *s)
{
	size_t i, n = 0;

	if (s->n > 1)
		qsort(s->v, s->n, sizeof(*s->v), by_number);
	for (i = 0; i < s->n; i++)
		if (n == 0 || s->v[n - 1].number != s->v[i].number)
			s->v[n++] = s->v[i];
	s->n = n;
}

/* The last commit: at the end of the file, else the last that there is. */
static void
find_commit(struct pp_store *s, unsigned char *buf)
{
	struct pp_scan scan;
	struct pp_member m;
	struct pp_commit c;
	bool hole = false;

	if (s->size >= PP_COMMIT_BYTES && read_commit(s,
	    s->size - PP_COMMIT_BYTES, &s->commit, buf)) {
		s->commit_at = s->size - PP_COMMIT_BYTES;
		s->end = s->size;
		return;
	}
	memset(&s->commit, 0, sizeof(s->commit));
	pp_scan_open(&scan, s, true);
	while (pp_scan_next(&scan, &m)) {
		hole |= scan.skipped > 0;
		if (m.type == PP_MEMBER_ENTRY && !hole && s->open_entry == 0)
			s->open_entry = m.at;
		if (m.type != PP_MEMBER_COMMIT ||
		    !read_commit(s, m.at, &c, buf))
			continue;
		/* bytes that are no member, and a commit behind them: that
		 * is damage, no writer's unfinished work */
		s->damaged |= hole;
		s->open_entry = 0;
		s->commit = c;
		s->commit_at = m.at;
		s->end = m.at + m.bytes;
	}
	pp_scan_close(&scan);
}

static void
load(struct pp_store *s)
{
	unsigned char *buf = pp_mem_alloc(s->mem,
	    PP_MEMBER_EMPTY(PP_MEMBER_BODY));

	find_commit(s, buf);
	if (s->commit_at == 0 || s->damaged || !load_chain(s, buf)) {
		s->damaged = true;
		load_all(s);
	}
	sort_entries(s);
	if (!s->damaged && s->n != s->commit.profiles)
		s->damaged = true;
	s->err[0] = '\0';
	pp_mem_free(s->mem, buf);
}

/* --------------------------------------------------------------- opening */

/* Check the first member; false with s->err. */
static bool
check_head(struct pp_store *s)
{
	unsigned char buf[PP_HEAD_BYTES];
	struct pp_member m;

	if (s->size < PP_HEAD_BYTES ||
	    !pp_store_read(s, buf, PP_HEAD_BYTES, 0) ||
	    !pp_member_parse(&m, buf, 0) || m.type != PP_MEMBER_HEAD ||
	    m.nbody != PP_HEAD_BODY || !pp_member_check(&m, buf) ||
	    memcmp(m.body, pp_store_magic, sizeof(pp_store_magic)) != 0) {
		snprintf(s->err, sizeof(s->err),
		    "is not an archive of profpivot, or its head is damaged");
		return false;
	}
	if (pp_get16(m.body + 24) != PP_STORE_MAJOR ||
	    pp_get64(m.body + 32) != 0) {
		snprintf(s->err, sizeof(s->err), "is an archive of format %u "
		    "or has features that this version of profpivot does not "
		    "know", pp_get16(m.body + 24));
		return false;
	}
	return true;
}

static pp_str
message(struct pp_mem *mem, const char *text)
{
	size_t n = strlen(text);
	char *p = pp_mem_alloc(mem, n + 1);

	memcpy(p, text, n + 1);
	return (pp_str){p, n};
}

struct pp_store *
pp_store_open_fd(struct pp_mem *mem, int fd, const char *path, bool lenient,
    pp_str *err)
{
	struct pp_store *s = pp_mem_zalloc(mem, sizeof(*s));
	struct stat st;

	s->mem = mem;
	s->fd = fd;
	s->path = path;
	pp_arena_init(&s->text, mem, 16384);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		snprintf(s->err, sizeof(s->err), "is not a regular file");
	} else {
		s->size = (uint64_t)st.st_size;
		if (check_head(s)) {
			load(s);
			return s;
		}
		s->broken_head = true;
		if (lenient) {
			load(s);
			s->damaged = true;
			return s;
		}
	}
	*err = message(mem, s->err);
	pp_store_close(s);
	return NULL;
}

struct pp_store *
pp_store_open(struct pp_mem *mem, const char *path, bool lenient, pp_str *err)
{
	char text[200];
	int fd;

	/* a pipe is to be told from a file, not waited for */
	do
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	while (fd < 0 && errno == EINTR);
	if (fd < 0) {
		snprintf(text, sizeof(text), "cannot open: %s",
		    strerror(errno));
		*err = message(mem, text);
		return NULL;
	}
	return pp_store_open_fd(mem, fd, path, lenient, err);
}

bool
pp_store_is(const char *path)
{
	unsigned char buf[PP_MEMBER_FIXED + 4 + sizeof(pp_store_magic)];
	struct stat st;
	ssize_t got;
	int fd;

	/* a pipe is not to be opened only to look at it */
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return false;
	got = pread(fd, buf, sizeof(buf), 0);
	close(fd);
	return got == (ssize_t)sizeof(buf) && pp_member_may_begin(buf) &&
	    memcmp(buf + PP_MEMBER_FIXED + 4, pp_store_magic,
	    sizeof(pp_store_magic)) == 0;
}

void
pp_store_close(struct pp_store *s)
{
	if (s == NULL)
		return;
	if (s->fd >= 0)
		close(s->fd);
	pp_arena_free(&s->text);
	if (s->found > 0)
		pp_map_free(&s->first);
	pp_mem_free(s->mem, s->next);
	pp_mem_free(s->mem, s->v);
	pp_mem_free(s->mem, s);
}
