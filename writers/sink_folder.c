/*
 * sink_folder.c: folders that appear whole or not at all.
 *
 * Sees base only.
 *
 * OUT is built as OUT.tmp and then swapped with it.  The mark in a folder
 * says that profpivot wrote it and names every file that it wrote there: a
 * line "profpivot 1", then a name a line, noted before the file is created,
 * with the names of folders in front where it lies in one.
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
#define MARK_MAX (64 * 1024 * 1024)
#define NAME_MAX_HERE 1024	/* of a path in the folder */
#define DEPTH_MAX 8

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

struct folder {
	enum state state;
	int error;		/* UNREADABLE */
	bool marked;
	char *mark;		/* from malloc */
	pp_str *names;		/* in it, sorted; from malloc */
	size_t n;
	char strange[NAME_MAX_HERE]; /* MIXED: such a name */
};

static void
forget(struct folder *f)
{
	free(f->names);
	free(f->mark);
	f->names = NULL;
	f->mark = NULL;
	f->n = 0;
}

/* A path that goes down from the folder, and nowhere else. */
static bool
is_inside(pp_str s)
{
	pp_str part;

	if (s.n == 0 || s.n >= NAME_MAX_HERE)
		return false;
	while (s.n > 0) {
		part = (pp_str){s.p, pp_str_find(s, PP_STR("/"))};
		if (part.n == 0 || pp_str_eq(part, PP_STR(".")) ||
		    pp_str_eq(part, PP_STR("..")))
			return false;
		if (part.n < s.n && part.n + 1 == s.n)
			return false;
		s = pp_str_skip(s, part.n + 1);
	}
	return true;
}

static int
by_name(const void *a, const void *b)
{
	return pp_str_cmp(*(const pp_str *)a, *(const pp_str *)b);
}

/* The names in the text of a mark. */
static bool
list_names(struct folder *f, pp_str text)
{
	pp_str s, rest;
	size_t n = 0, end;

	if (!pp_str_starts(text, PP_STR("profpivot ")))
		return true;	/* a file of that name from elsewhere */
	for (rest = text; rest.n > 0; n++)
		rest = pp_str_skip(rest, pp_str_find(rest,
		    PP_STR("\n")) + 1);
	f->names = malloc((n + 1) * sizeof(*f->names));
	if (f->names == NULL)
		return false;
	rest = pp_str_skip(text, pp_str_find(text, PP_STR("\n")) + 1);
	while ((end = pp_str_find(rest, PP_STR("\n"))) < rest.n) {
		s = (pp_str){rest.p, end};
		if (is_inside(s))
			f->names[f->n++] = s;
		rest = pp_str_skip(rest, end + 1);
	}
	if (f->n > 1)
		qsort(f->names, f->n, sizeof(*f->names), by_name);
	return true;
}

/* False, with errno set, where there is a mark that cannot be read. */
static bool
read_mark(int dir, struct folder *f)
{
	struct stat st;
	size_t n = 0, size;
	ssize_t k;
	int fd, code = 0;

	fd = openat(dir, PP_SINK_MARK,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return true;
	f->marked = true;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > MARK_MAX) {
		close(fd);
		return true;	/* not one of ours: it names nothing */
	}
	size = (size_t)st.st_size;
	f->mark = malloc(size + 1);
	while (f->mark != NULL && n < size &&
	    (k = read(fd, f->mark + n, size - n)) != 0) {
		if (k > 0)
			n += (size_t)k;
		else if (errno != EINTR) {
			code = errno;
			break;
		}
	}
	close(fd);
	if (f->mark == NULL || !list_names(f, (pp_str){f->mark, n}))
		code = ENOMEM;
	errno = code;
	return code == 0;
}

/* The first name that is not in front of s. */
static size_t
lower_bound(const struct folder *f, pp_str s)
{
	size_t lo = 0, hi = f->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (pp_str_cmp(f->names[mid], s) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool
is_listed(const struct folder *f, const char *name)
{
	pp_str s = pp_str_from(name);
	size_t i = lower_bound(f, s);

	return i < f->n && pp_str_eq(f->names[i], s);
}

/* `name` ends in a slash: is there a listed name below it? */
static bool
is_above(const struct folder *f, const char *name)
{
	pp_str s = pp_str_from(name);
	size_t i = lower_bound(f, s);

	return i < f->n && pp_str_starts(f->names[i], s);
}

/* The first strange one by name, so that the message is the same on every
 * file system. */
static void
note_strange(struct folder *f, const char *name)
{
	if (f->state != MIXED || strcmp(name, f->strange) < 0)
		snprintf(f->strange, sizeof(f->strange), "%s", name);
	f->state = MIXED;
}

static void judge(int dir, const char *prefix, unsigned depth,
    struct folder *f);

/* An entry that is no listed file: one of the folders above them? */
static void
judge_below(int dir, const char *path, const char *name, unsigned depth,
    struct folder *f)
{
	char inner[NAME_MAX_HERE + 2];
	int fd = -1;

	snprintf(inner, sizeof(inner), "%s/", path);
	if (is_above(f, inner) && depth < DEPTH_MAX)
		fd = openat(dir, name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		note_strange(f, path);
	else
		judge(fd, inner, depth + 1, f);
}

/* Go through the entries of a folder, whose descriptor is closed. */
static void
judge(int dir, const char *prefix, unsigned depth, struct folder *f)
{
	char path[NAME_MAX_HERE];
	struct dirent *e;
	DIR *d = fdopendir(dir);

	if (d == NULL) {
		f->state = UNREADABLE;
		f->error = errno;
		close(dir);
		return;
	}
	while (f->state != UNREADABLE && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 ||
		    strcmp(e->d_name, "..") == 0)
			continue;
		if (f->state == EMPTY)
			f->state = OURS;
		if (depth == 0 && strcmp(e->d_name, PP_SINK_MARK) == 0)
			continue;
		if (snprintf(path, sizeof(path), "%s%s", prefix,
		    e->d_name) >= (int)sizeof(path))
			note_strange(f, prefix);
		else if (!is_listed(f, path))
			judge_below(dir, path, e->d_name, depth, f);
	}
	closedir(d);
}

/* What is at path; forget() gives back what it takes. */
static void
examine(const char *path, struct folder *f)
{
	int fd;

	memset(f, 0, sizeof(*f));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		f->state = errno == ENOENT ? ABSENT : UNREADABLE;
		f->error = errno;
		return;
	}
	if (!read_mark(fd, f)) {
		f->state = UNREADABLE;
		f->error = errno;
		close(fd);
		return;
	}
	f->state = EMPTY;
	judge(fd, "", 0, f);
	if ((f->state == OURS || f->state == MIXED) && !f->marked)
		f->state = FOREIGN;
}

/* Remove a file, and the folders above it that are empty then. */
static void
remove_path(int dir, char *name)
{
	char *slash;

	unlinkat(dir, name, 0);
	while ((slash = strrchr(name, '/')) != NULL) {
		*slash = '\0';
		if (unlinkat(dir, name, AT_REMOVEDIR) != 0)
			break;
	}
}

/*
 * Read from the mark line by line, without memory of its own: a run that is
 * out of memory, and a signal handler, remove their temporaries by this.  The
 * mark goes last: while it is there the next run can remove the rest.
 */
void
pp_sink_folder_empty(int dir)
{
	char buf[2 * NAME_MAX_HERE];
	size_t n = 0, end;
	bool first = true;
	ssize_t k;
	char *nl;
	int fd;

	fd = openat(dir, PP_SINK_MARK,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	while (fd >= 0 && (k = read(fd, buf + n, sizeof(buf) - n)) != 0) {
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			break;
		n += (size_t)k;
		while ((nl = memchr(buf, '\n', n)) != NULL) {
			*nl = '\0';
			end = (size_t)(nl - buf) + 1;
			if (!first && is_inside((pp_str){buf, end - 1}))
				remove_path(dir, buf);
			first = false;
			n -= end;
			memmove(buf, buf + end, n);
		}
		if (n == sizeof(buf))
			break;
	}
	if (fd >= 0)
		close(fd);
	unlinkat(dir, PP_SINK_MARK, 0);
}

/* Remove the files that the mark names, the mark and the folder. */
static bool
remove_folder(const char *path)
{
	int dir;

	dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return false;
	pp_sink_folder_empty(dir);
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
	forget(&f);
	*err = refusal(s->mem, s->temp, &f);
	if (err->n > 0)
		ok = false;
	else if (f.state != ABSENT && !remove_folder(s->temp)) {
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
		/* what the user has named, not what we make of it */
		*err = pp_sink_message(s->mem, code, "%s", s->target);
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
	forget(&f);
	*err = refusal(s->mem, path, &f);
	if (err->n > 0)
		return false;
	s->temp = pp_mem_alloc(s->mem, strlen(s->target) + 5);
	snprintf(s->temp, strlen(s->target) + 5, "%s.tmp", s->target);
	return make_temp(s, err);
}

/* Make the folders above a file; those that are there stay. */
static bool
make_above(int dir, const char *name)
{
	char path[NAME_MAX_HERE];
	const char *slash;

	for (slash = name; (slash = strchr(slash, '/')) != NULL; slash++) {
		snprintf(path, sizeof(path), "%.*s", (int)(slash - name),
		    name);
		if (mkdirat(dir, path, 0777) != 0 && errno != EEXIST)
			return false;
	}
	return true;
}

int
pp_sink_folder_create(struct pp_sink *s, const char *name)
{
	size_t n = strlen(name);
	char line[NAME_MAX_HERE];

	if (n >= sizeof(line)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	PP_ASSERT(name[0] != '.' && is_inside(pp_str_from(name)) &&
	    strchr(name, '\n') == NULL);
	memcpy(line, name, n);
	line[n] = '\n';
	if (!pp_sink_write_all(s->mark, line, n + 1) ||
	    !make_above(s->dir, name))
		return -1;
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
	forget(&f);
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
			(void)remove_folder(s->temp);
		close(s->mark);
		close(s->dir);
		s->mark = s->dir = -1;
	}
	return ok;
}

void
pp_sink_folder_abort(struct pp_sink *s)
{
	if (s->dir < 0) {
		(void)rmdir(s->temp);
		return;
	}
	(void)remove_folder(s->temp);
	if (s->mark >= 0)
		close(s->mark);
	close(s->dir);
	s->mark = s->dir = -1;
	pp_temp_forget(s->slot);
	s->slot = -1;
}
