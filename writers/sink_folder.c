/*
 * sink_folder.c: folders that appear whole or not at all.
 *
 * Sees base only.
 *
 * OUT is built as OUT.tmp and then swapped with it.  The mark in a folder
 * says that profpivot wrote it and names every file that it wrote there: a
 * line "profpivot 1", then a name a line, noted before the file is created.
 * Nothing but those files is ever removed, so a folder that holds anything
 * else is refused before work begins: a user's own workbook among the tables
 * is worth more than a fresh profile.
 *
 * The mark of a folder that is being built is locked.  OUT.tmp without such
 * a lock was left by a run that died, and is removed.
 */
#define _DEFAULT_SOURCE /* syscall */

#include "sink_impl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MARK_HEAD "profpivot 1\n"
#define MARK_MAX 65536

/* renameat2(2) came with Linux 3.15, its name with glibc 2.28 */
#define EXCHANGE 2u

enum state {
	ABSENT,
	EMPTY,
	OURS,		/* marked, and all in it is named by the mark */
	FOREIGN,	/* no mark */
	MIXED,		/* marked, but holds what the mark does not name */
	UNREADABLE
};

/*
 * On the stack, mark and all: a run that is out of memory still removes its
 * temporaries.
 */
struct folder {
	enum state state;
	int error;		/* UNREADABLE */
	bool marked;
	size_t n;		/* bytes of the mark */
	char strange[256];	/* MIXED: such a name */
	char mark[MARK_MAX];
};

/* The next name of a mark's text; false at the end. */
static bool
next_name(const struct folder *f, size_t *at, pp_str *name)
{
	const char *p, *nl;

	if (*at >= f->n)
		return false;
	p = f->mark + *at;
	nl = memchr(p, '\n', f->n - *at);
	if (nl == NULL)
		return false;
	*name = (pp_str){p, (size_t)(nl - p)};
	*at += name->n + 1;
	return true;
}

static void
read_mark(int dir, struct folder *f)
{
	ssize_t k;
	int fd;

	fd = openat(dir, PP_SINK_MARK,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	f->marked = true;
	while (f->n < MARK_MAX &&
	    (k = read(fd, f->mark + f->n, MARK_MAX - f->n)) != 0) {
		if (k > 0)
			f->n += (size_t)k;
		else if (errno != EINTR)
			break;
	}
	close(fd);
	/* a file of that name from elsewhere names nothing */
	if (!pp_str_starts((pp_str){f->mark, f->n}, PP_STR("profpivot ")))
		f->n = 0;
}

static bool
is_listed(const struct folder *f, const char *name)
{
	pp_str s, want = pp_str_from(name);
	size_t at = 0;

	if (!next_name(f, &at, &s))
		return false;
	while (next_name(f, &at, &s))
		if (pp_str_eq(s, want))
			return true;
	return false;
}

/* Go through the entries of d. */
static void
judge(DIR *d, struct folder *f)
{
	struct dirent *e;

	f->state = EMPTY;
	while ((e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 ||
		    strcmp(e->d_name, "..") == 0)
			continue;
		if (f->state == EMPTY)
			f->state = OURS;
		if (strcmp(e->d_name, PP_SINK_MARK) == 0 ||
		    is_listed(f, e->d_name))
			continue;
		/* the first by name, so that the message is the same on
		 * every file system */
		if (f->state != MIXED || strcmp(e->d_name, f->strange) < 0)
			snprintf(f->strange, sizeof(f->strange), "%s",
			    e->d_name);
		f->state = MIXED;
	}
	if (f->state != EMPTY && !f->marked)
		f->state = FOREIGN;
}

/* What is at path. */
static void
examine(const char *path, struct folder *f)
{
	int fd;
	DIR *d;

	f->marked = false;
	f->n = 0;
	f->error = 0;
	f->strange[0] = '\0';
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		f->state = errno == ENOENT ? ABSENT : UNREADABLE;
		f->error = errno;
		return;
	}
	read_mark(fd, f);
	d = fdopendir(fd);
	if (d == NULL) {
		f->state = UNREADABLE;
		f->error = errno;
		close(fd);
		return;
	}
	judge(d, f);
	closedir(d);
}

/* Remove the files that the mark names, the mark and the folder. */
static bool
remove_folder(const char *path, const struct folder *f)
{
	char name[256];
	size_t at = 0;
	pp_str s;
	int dir;

	dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return false;
	next_name(f, &at, &s);
	while (next_name(f, &at, &s)) {
		if (s.n == 0 || s.n >= sizeof(name) ||
		    memchr(s.p, '/', s.n) != NULL)
			continue;
		memcpy(name, s.p, s.n);
		name[s.n] = '\0';
		unlinkat(dir, name, 0);
	}
	unlinkat(dir, PP_SINK_MARK, 0);
	close(dir);
	return rmdir(path) == 0;
}

/* Whether another process is building this folder. */
static bool
is_locked(const char *path)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char mark[4096 + sizeof(PP_SINK_MARK) + 1];
	bool held;
	int fd;

	/* asking from the process that holds the lock would end it */
	if (pp_temp_known(path))
		return true;
	if (snprintf(mark, sizeof(mark), "%s/%s", path, PP_SINK_MARK) >=
	    (int)sizeof(mark))
		return false;
	fd = open(mark, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	held = fcntl(fd, F_SETLK, &lock) != 0 &&
	    (errno == EACCES || errno == EAGAIN);
	close(fd);
	return held;
}

static pp_str
refusal(struct pp_mem *mem, const char *path, const struct folder *f)
{
	switch (f->state) {
	case FOREIGN:
		return pp_sink_message(mem, 0, "%s: a folder that profpivot "
		    "did not write (it has no %s in it) is not replaced",
		    path, PP_SINK_MARK);
	case MIXED:
		return pp_sink_message(mem, 0, "%s: the folder is not "
		    "replaced, as profpivot did not write %s in it", path,
		    f->strange);
	case UNREADABLE:
		if (f->error == ENOTDIR || f->error == ELOOP)
			return pp_sink_message(mem, 0, "%s: is not a folder; "
			    "a folder is to be written", path);
		return pp_sink_message(mem, f->error, "%s", path);
	case ABSENT:
	case EMPTY:
	case OURS:
		break;
	}
	return (pp_str){NULL, 0};
}

/* OUT without slashes behind it and with links followed. */
static bool
find_target(struct pp_sink *s, const char *path, pp_str *err)
{
	struct stat st, here;
	pp_str p = pp_str_from(path);
	char *real;

	while (p.n > 1 && p.p[p.n - 1] == '/')
		p.n--;
	s->target = pp_sink_message(s->mem, 0, "%.*s", (int)p.n, p.p).p;
	if (stat(s->target, &st) != 0) {
		if (errno == ENOENT)
			return true;
		*err = pp_sink_message(s->mem, errno, "%s", path);
		return false;
	}
	if (stat(".", &here) == 0 && here.st_dev == st.st_dev &&
	    here.st_ino == st.st_ino) {
		*err = pp_sink_message(s->mem, 0, "%s: the current folder "
		    "cannot be replaced; name another", path);
		return false;
	}
	s->mode = st.st_mode & 0777;
	real = realpath(s->target, NULL);
	if (real != NULL) {
		s->target = pp_sink_message(s->mem, 0, "%s", real).p;
		free(real);
	}
	return true;
}

/* Remove what a dead run left at OUT.tmp. */
static bool
clear_temp(struct pp_sink *s, pp_str *err)
{
	struct folder f;
	bool ok = true;

	if (is_locked(s->temp)) {
		*err = pp_sink_message(s->mem, 0, "%s: another run is "
		    "writing it", s->temp);
		return false;
	}
	examine(s->temp, &f);
	*err = refusal(s->mem, s->temp, &f);
	if (err->n > 0)
		ok = false;
	else if (f.state != ABSENT && !remove_folder(s->temp, &f)) {
		*err = pp_sink_message(s->mem, errno, "%s", s->temp);
		ok = false;
	}
	return ok;
}

static bool
write_mark(struct pp_sink *s)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	s->mark = openat(s->dir, PP_SINK_MARK,
	    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (s->mark < 0)
		return false;
	/* a file system without locks only loses the check for two runs */
	if (fcntl(s->mark, F_SETLK, &lock) != 0 &&
	    (errno == EACCES || errno == EAGAIN))
		return false;
	return pp_sink_write_all(s->mark, MARK_HEAD, sizeof(MARK_HEAD) - 1);
}

static bool
make_temp(struct pp_sink *s, pp_str *err)
{
	int code = mkdir(s->temp, 0777) == 0 ? 0 : errno;

	if (code == EEXIST) {
		if (!clear_temp(s, err))
			return false;
		code = mkdir(s->temp, 0777) == 0 ? 0 : errno;
	}
	if (code != 0) {
		*err = pp_sink_message(s->mem, code, "%s", s->temp);
		return false;
	}
	s->dir = open(s->temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->dir >= 0)
		s->slot = pp_temp_add(s->temp, s->dir);
	if (s->dir < 0 || !write_mark(s)) {
		*err = pp_sink_message(s->mem, errno, "%s", s->temp);
		pp_sink_folder_abort(s);
		return false;
	}
	return true;
}

bool
pp_sink_folder_open(struct pp_sink *s, const char *path, pp_str *err)
{
	struct folder f;

	if (path[0] == '\0') {
		*err = pp_sink_message(s->mem, ENOENT, "''");
		return false;
	}
	if (!find_target(s, path, err))
		return false;
	examine(s->target, &f);
	*err = refusal(s->mem, path, &f);
	if (err->n > 0)
		return false;
	s->temp = pp_mem_alloc(s->mem, strlen(s->target) + 5);
	snprintf(s->temp, strlen(s->target) + 5, "%s.tmp", s->target);
	return make_temp(s, err);
}

int
pp_sink_folder_create(struct pp_sink *s, const char *name)
{
	size_t n = strlen(name);
	char line[256];

	PP_ASSERT(n > 0 && name[0] != '.' && strchr(name, '/') == NULL &&
	    strchr(name, '\n') == NULL);
	if (n >= sizeof(line)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(line, name, n);
	line[n] = '\n';
	if (!pp_sink_write_all(s->mark, line, n + 1))
		return -1;
	pp_temp_add_name(s->slot, name);
	return openat(s->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
	    0666);
}

/*
 * Put OUT.tmp in the place of a folder at OUT, which is then at OUT.tmp.
 * Without an exchange by the file system there is a moment without OUT.
 */
static bool
exchange(struct pp_sink *s)
{
	char *aside;
	size_t n;
	int code;

#ifdef SYS_renameat2
	if (syscall(SYS_renameat2, AT_FDCWD, s->temp, AT_FDCWD, s->target,
	    EXCHANGE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS && errno != EPERM &&
	    errno != EOPNOTSUPP)
		return false;
#endif
	n = strlen(s->temp) + 32;
	aside = pp_mem_alloc(s->mem, n);
	snprintf(aside, n, "%s.%ld.old", s->temp, (long)getpid());
	if (rename(s->target, aside) != 0)
		return false;
	if (rename(s->temp, s->target) != 0) {
		code = errno;
		(void)rename(aside, s->target);
		errno = code;
		return false;
	}
	(void)rename(aside, s->temp);
	return true;
}

bool
pp_sink_folder_commit(struct pp_sink *s)
{
	struct folder f;
	bool ok;

	/* who wrote into OUT meanwhile shall not lose that */
	examine(s->target, &f);
	s->error = refusal(s->mem, s->shown, &f);
	if (s->error.n > 0) {
		s->failed = true;
		return false;
	}
	if (s->mode != 0)
		(void)fchmod(s->dir, (mode_t)(s->mode | 0700));
	/* From here on the handler would remove through s->dir what is
	 * already the new output.  A signal now leaves OUT.tmp behind. */
	pp_temp_forget(s->slot);
	s->slot = -1;
	if (f.state == OURS)
		ok = exchange(s);
	else
		ok = rename(s->temp, s->target) == 0;
	if (!ok)
		pp_sink_fail(s, errno, NULL);
	else {
		if (f.state == OURS)
			(void)remove_folder(s->temp, &f);
		close(s->mark);
		close(s->dir);
		s->mark = s->dir = -1;
	}
	return ok;
}

void
pp_sink_folder_abort(struct pp_sink *s)
{
	struct folder f;

	if (s->dir < 0) {
		(void)rmdir(s->temp);
		return;
	}
	examine(s->temp, &f);
	(void)remove_folder(s->temp, &f);
	if (s->mark >= 0)
		close(s->mark);
	close(s->dir);
	s->mark = s->dir = -1;
	pp_temp_forget(s->slot);
	s->slot = -1;
}
