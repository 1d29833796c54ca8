/*
 * append_open.c: getting hold of an archive to write to: creating it, the
 * lock, and what a writer that died has left.  See append.h.
 */
#define _DEFAULT_SOURCE /* flock */

#include "append_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"

static void
copy_message(struct pp_mem *mem, const char *text, pp_str *err)
{
	size_t n = strlen(text);
	char *p = pp_mem_alloc(mem, n + 1);

	memcpy(p, text, n + 1);
	*err = (pp_str){p, n};
}

static bool
say(char *err, size_t size, const char *what, int code)
{
	snprintf(err, size, "%s: %s", what, strerror(code));
	return false;
}

/* ---------------------------------------------------------------- making */

/* Bring the name of a file to the disk. */
static bool
sync_folder(const char *path, char *err, size_t size)
{
	char dir[4096];
	const char *slash = strrchr(path, '/');
	size_t n = slash == NULL ? 0 : (size_t)(slash - path);
	int fd, code;

	if (n >= sizeof(dir))
		return say(err, size, "cannot open its folder", ENAMETOOLONG);
	if (slash == NULL)
		strcpy(dir, ".");
	else if (n == 0)
		strcpy(dir, "/");
	else {
		memcpy(dir, path, n);
		dir[n] = '\0';
	}
	fd = open(dir, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	if (fd < 0)
		return say(err, size, "cannot open its folder", errno);
	code = fsync(fd) == 0 ? 0 : errno;
	close(fd);
	/* some file systems of networks have no such thing */
	if (code != 0 && code != EINVAL && code != ENOTSUP)
		return say(err, size, "cannot bring its name to the disk",
		    code);
	return true;
}

/* HEAD and the first COMMIT: an archive without profiles. */
static size_t
first_bytes(unsigned char *p)
{
	unsigned char body[PP_HEAD_BODY] = {0}, end[PP_COMMIT_BODY];
	struct pp_member m = {.type = PP_MEMBER_HEAD, .body = body,
		.nbody = PP_HEAD_BODY};
	struct pp_commit c = {.entries = PP_HEAD_BYTES, .all = 1};
	size_t n;

	memcpy(body, pp_store_magic, sizeof(pp_store_magic));
	pp_put16(body + 24, PP_STORE_MAJOR);
	pp_put16(body + 26, PP_STORE_MINOR);
	n = pp_member_put_empty(p, &m);
	pp_commit_write(&c, end);
	m = (struct pp_member){.type = PP_MEMBER_COMMIT, .at = n, .body = end,
		.nbody = PP_COMMIT_BODY};
	return n + pp_member_put_empty(p + n, &m);
}

static bool
write_first(int fd, char *err, size_t size)
{
	unsigned char buf[PP_HEAD_BYTES + PP_COMMIT_BYTES];
	size_t n = first_bytes(buf), done = 0;
	ssize_t k;

	while (done < n) {
		k = write(fd, buf + done, n - done);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return say(err, size, "cannot write",
			    k < 0 ? errno : ENOSPC);
		done += (size_t)k;
	}
	if (fsync(fd) != 0)
		return say(err, size, "cannot bring it to the disk", errno);
	return true;
}

/*
 * An archive without profiles under the name `path`, at once and whole.
 * Where somebody else has been faster that one stays, unless `own`.
 */
static bool
make(const char *path, bool own, char *err, size_t size)
{
	char temp[4200];
	int fd, code;
	bool ok;

	snprintf(temp, sizeof(temp), "%.4100s.tmp.%ld", path, (long)getpid());
	/* of a writer that was killed and had our process id */
	unlink(temp);
	fd = open(temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return say(err, size, "cannot create", errno);
	ok = write_first(fd, err, size);
	close(fd);
	if (ok && link(temp, path) != 0) {
		code = errno;
		/* without hard links there is a moment in which the file of
		 * somebody else could be replaced: only where none is */
		if ((code == EPERM || code == ENOTSUP || code == ENOSYS ||
		    code == EMLINK) && access(path, F_OK) != 0)
			code = rename(temp, path) == 0 ? 0 : errno;
		if (code != 0 && (code != EEXIST || own))
			ok = say(err, size, "cannot create", code);
	}
	unlink(temp);
	return ok && sync_folder(path, err, size);
}

/* --------------------------------------------------------------- locking */

/* Open and lock the file that has this name now; -1 with err. */
static int
open_locked(const char *path, bool (*wait)(void *), void *arg, char *err,
    size_t size)
{
	struct stat mine, there;
	bool told = false;
	int fd, code;

	for (;;) {
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		if (fd < 0) {
			if (errno == EINTR)
				continue;
			say(err, size, "cannot open", errno);
			return -1;
		}
		while ((code = flock(fd, told ? LOCK_EX :
		    LOCK_EX | LOCK_NB)) != 0) {
			if (errno == EINTR)
				continue;
			if (errno == EWOULDBLOCK && !told && wait(arg)) {
				told = true;
				continue;
			}
			if (errno == EWOULDBLOCK)
				snprintf(err, size, "another writer has it");
			else
				say(err, size, "cannot lock", errno);
			close(fd);
			return -1;
		}
		/* while we waited it may have been replaced */
		if (fstat(fd, &mine) == 0 && stat(path, &there) == 0 &&
		    mine.st_dev == there.st_dev &&
		    mine.st_ino == there.st_ino)
			return fd;
		close(fd);
	}
}

bool
pp_append_lock_out(struct pp_store *s)
{
	int r;

	do
		r = flock(s->fd, LOCK_EX | LOCK_NB);
	while (r != 0 && errno == EINTR);
	/* where there are no locks, there is nobody to keep out */
	return r == 0 || errno != EWOULDBLOCK;
}

bool
pp_append_at_work(const struct pp_store *s)
{
	struct stat st;

	if (flock(s->fd, LOCK_SH | LOCK_NB) != 0)
		return errno == EWOULDBLOCK;
	/* it may have finished since */
	(void)flock(s->fd, LOCK_UN);
	return fstat(s->fd, &st) == 0 && (uint64_t)st.st_size != s->size;
}

/* -------------------------------------------------- after one that died */

/* Is the profile of this entry, which no commit covers, whole? */
static bool
is_whole(struct pp_store *s, const struct pp_entry *e)
{
	struct pp_stored *r = pp_stored_open(s, e);
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	unsigned char buf[16384], sum[32];
	unsigned n = 0;
	size_t got;
	bool ok;

	if (md == NULL || EVP_DigestInit_ex(md, EVP_sha256(), NULL) != 1)
		pp_mem_fail(s->mem);
	do {
		ok = pp_stored_read(r, buf, sizeof(buf), &got);
		if (ok && got > 0)
			EVP_DigestUpdate(md, buf, got);
	} while (ok && got > 0);
	ok &= EVP_DigestFinal_ex(md, sum, &n) == 1 && n == 32 &&
	    memcmp(sum, e->sha256, 32) == 0;
	EVP_MD_CTX_free(md);
	pp_stored_close(r);
	return ok;
}

/*
 * The writer died between its ENTRY and its COMMIT: what it has added is
 * whole and only has to be said so.
 */
static bool
finish(struct pp_append *a)
{
	struct pp_store *s = a->store;
	unsigned char *buf;
	struct pp_member m;
	struct pp_entry e;
	pp_str rest;
	bool bad = false;
	void *v = s->v;

	if (s->open_entry == 0)
		return true;
	buf = pp_mem_alloc(a->mem, PP_MEMBER_EMPTY(PP_MEMBER_BODY));
	if (pp_store_member(s, s->open_entry, &m, buf)) {
		rest = (pp_str){(const char *)m.body, m.nbody};
		/* the last is the one that is new */
		while (pp_store_next_entry(&s->text, &rest, &e, &bad))
			if (e.number == s->commit.last + 1 &&
			    e.begin == s->end && is_whole(s, &e)) {
				pp_mem_grow(s->mem, &v, &s->cap, s->n + 1,
				    sizeof(*s->v));
				s->v = v;
				s->v[s->n++] = e;
				a->finished = 1;
				break;
			}
	}
	pp_mem_free(a->mem, buf);
	if (a->finished == 0)
		return true;
	a->at = s->open_entry;
	a->stream = e.stream + e.payload;
	if (ftruncate(a->fd, (off_t)a->at) != 0 ||
	    lseek(a->fd, (off_t)a->at, SEEK_SET) < 0)
		return pp_append_fail(a, "cannot finish what another writer "
		    "has begun", errno);
	s->size = a->at;
	return pp_append_commit_new(a);
}

static bool
clean(struct pp_append *a)
{
	struct pp_store *s = a->store;

	if (!finish(a))
		return false;
	if (s->size > s->end) {
		a->cleaned = s->size - s->end;
		if (!pp_append_undo(a))
			return false;
		if (fsync(a->fd) != 0)
			return pp_append_fail(a, "cannot bring it to the "
			    "disk", errno);
	}
	a->at = s->end;
	a->stream = s->commit.stream;
	if (lseek(a->fd, (off_t)a->at, SEEK_SET) < 0)
		return pp_append_fail(a, "cannot seek", errno);
	return true;
}

/* ------------------------------------------------------------------ open */

static bool
start(struct pp_append *a, const char *path, enum pp_append_how how,
    bool (*wait)(void *), void *arg)
{
	struct stat st;
	pp_str err;

	if (how != PP_APPEND_EXISTING && stat(path, &st) != 0) {
		if (errno != ENOENT)
			return say(a->err, sizeof(a->err), "cannot open",
			    errno);
		if (!make(path, how == PP_APPEND_NEW, a->err,
		    sizeof(a->err)))
			return false;
		a->created = true;
	} else if (how != PP_APPEND_EXISTING && !S_ISREG(st.st_mode)) {
		snprintf(a->err, sizeof(a->err), "is not a regular file");
		return false;
	} else if (how == PP_APPEND_NEW) {
		snprintf(a->err, sizeof(a->err), "is there already");
		return false;
	}
	a->fd = open_locked(path, wait, arg, a->err, sizeof(a->err));
	if (a->fd < 0)
		return false;
	a->store = pp_store_open_fd(a->mem, a->fd, path, false, &err);
	if (a->store == NULL) {
		a->fd = -1;
		snprintf(a->err, sizeof(a->err), "%.*s", (int)err.n, err.p);
		return false;
	}
	if (a->store->damaged) {
		snprintf(a->err, sizeof(a->err), "is damaged: nothing is "
		    "added to it; `profpivot archive recover` saves what is "
		    "whole");
		return false;
	}
	pp_append_buffers(a);
	return clean(a);
}

struct pp_append *
pp_append_open(struct pp_mem *mem, const char *path, enum pp_append_how how,
    bool (*wait)(void *), void *arg, pp_str *err)
{
	struct pp_append *a = pp_mem_zalloc(mem, sizeof(*a));

	a->mem = mem;
	a->fd = -1;
	if (start(a, path, how, wait, arg))
		return a;
	copy_message(mem, a->err, err);
	pp_append_close(a);
	return NULL;
}

bool
pp_append_replace(struct pp_append *a, const char *from, const char *path,
    const char *keep)
{
	char err[300];

	if (keep != NULL) {
		unlink(keep);
		if (link(path, keep) != 0 && rename(path, keep) != 0)
			return pp_append_fail(a, "cannot keep the old file",
			    errno);
	}
	if (rename(from, path) != 0)
		return pp_append_fail(a, "cannot put it in place", errno);
	if (!sync_folder(path, err, sizeof(err)))
		return pp_append_fail(a, err, 0);
	return true;
}
