/*
 * sink.c: output that appears whole or not at all; files and streams.
 *
 * Sees base only.  Folders are in sink_folder.c.
 *
 * A regular file (or none) as the target: OUT.tmp.PID beside it, renamed on
 * commit.  A link is followed first, so that the link stays and the file it
 * names is replaced.  A character device or a pipe cannot be renamed over:
 * it is written in place.
 */
#define _XOPEN_SOURCE 700 /* realpath */

#include "sink_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The registry of temporaries: the one mutable static of the program.  A
 * signal handler gets no context, so what it must remove has to be found
 * from a static; the paths are copied in, so that they outlive the memory of
 * a run that is being torn down.  A slot's `kind` is set after and cleared
 * before its other fields, with a fence that holds against a handler in the
 * same thread.  Only the thread that owns the sinks writes here.
 * What does not fit (a fifth sink, a path too long) is left behind by a
 * signal.  What is in a folder its mark says.
 */
#define SLOTS 4
#define SLOT_PATH 4096

enum { TEMP_FREE, TEMP_FILE, TEMP_FOLDER };

static struct {
	volatile sig_atomic_t kind;
	volatile sig_atomic_t dir;
	char path[SLOT_PATH];
} temps[SLOTS];

int
pp_temp_add(const char *path, int dir)
{
	size_t n = strlen(path);
	int i;

	if (n >= SLOT_PATH)
		return -1;
	for (i = 0; i < SLOTS; i++)
		if (temps[i].kind == TEMP_FREE)
			break;
	if (i == SLOTS)
		return -1;
	memcpy(temps[i].path, path, n + 1);
	temps[i].dir = dir;
	atomic_signal_fence(memory_order_seq_cst);
	temps[i].kind = dir < 0 ? TEMP_FILE : TEMP_FOLDER;
	return i;
}

void
pp_temp_forget(int slot)
{
	if (slot < 0)
		return;
	temps[slot].kind = TEMP_FREE;
	atomic_signal_fence(memory_order_seq_cst);
}

bool
pp_temp_known(const char *path)
{
	int i;

	for (i = 0; i < SLOTS; i++)
		if (temps[i].kind != TEMP_FREE &&
		    strcmp(temps[i].path, path) == 0)
			return true;
	return false;
}

void
pp_sink_signal_cleanup(void)
{
	int saved = errno, i;

	for (i = 0; i < SLOTS; i++) {
		if (temps[i].kind == TEMP_FILE)
			unlink(temps[i].path);
		if (temps[i].kind != TEMP_FOLDER)
			continue;
		pp_sink_folder_empty(temps[i].dir);
		rmdir(temps[i].path);
	}
	errno = saved;
}

pp_str
pp_sink_message(struct pp_mem *mem, int code, const char *fmt, ...)
{
	char why[256];
	va_list ap;
	size_t n, w = 0;
	char *p;
	int k;

	if (code != 0) {
		memcpy(why, ": ", 2);
		if (strerror_r(code, why + 2, sizeof(why) - 2) != 0)
			snprintf(why + 2, sizeof(why) - 2, "error %d", code);
		w = strlen(why);
	}
	va_start(ap, fmt);
	k = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	n = k < 0 ? 0 : (size_t)k;
	p = pp_mem_alloc(mem, n + w + 1);
	va_start(ap, fmt);
	vsnprintf(p, n + 1, fmt, ap);
	va_end(ap);
	if (w > 0)
		memcpy(p + n, why, w);
	p[n + w] = '\0';
	return (pp_str){p, n + w};
}

void
pp_sink_fail(struct pp_sink *s, int code, const char *what)
{
	if (s->failed)
		return;
	s->failed = true;
	s->epipe = code == EPIPE;
	if (what == NULL)
		s->error = pp_sink_message(s->mem, code, "%s", s->shown);
	else
		s->error = pp_sink_message(s->mem, code, "%s: %s", s->shown,
		    what);
}

bool
pp_sink_write_all(int fd, const char *p, size_t n)
{
	struct pollfd wait = {.fd = fd, .events = POLLOUT};
	ssize_t k;

	while (n > 0) {
		k = write(fd, p, n);
		if (k >= 0) {
			p += k;
			n -= (size_t)k;
		} else if (errno == EAGAIN) {
			/* standard output shared with a program that made
			 * it non-blocking */
			poll(&wait, 1, -1);
		} else if (errno != EINTR)
			return false;
	}
	return true;
}

/* OUT.tmp.PID, and OUT.tmp.PID.2 ... where a killed run left that. */
static bool
create_temp(struct pp_sink *s)
{
	size_t room = strlen(s->target) + 64;
	mode_t mode = s->mode != 0 ? (mode_t)s->mode : 0666;
	int k;

	s->temp = pp_mem_alloc(s->mem, room);
	for (k = 1; k < 1000; k++) {
		if (k == 1)
			snprintf(s->temp, room, "%s.tmp.%ld", s->target,
			    (long)getpid());
		else
			snprintf(s->temp, room, "%s.tmp.%ld.%d", s->target,
			    (long)getpid(), k);
		s->fd = open(s->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    mode);
		if (s->fd >= 0) {
			s->slot = pp_temp_add(s->temp, -1);
			return true;
		}
		if (errno != EEXIST)
			return false;
	}
	return false;
}

static bool
open_file(struct pp_sink *s, const char *path, pp_str *err)
{
	struct stat st;
	char *real;
	bool there;

	if (stat(path, &st) != 0) {
		if (errno != ENOENT) {
			*err = pp_sink_message(s->mem, errno, "%s", path);
			return false;
		}
		there = false;
	} else
		there = true;
	if (there && S_ISDIR(st.st_mode)) {
		*err = pp_sink_message(s->mem, 0,
		    "%s: is a folder; a file is to be written", path);
		return false;
	}
	if (there && (S_ISBLK(st.st_mode) || S_ISSOCK(st.st_mode))) {
		*err = pp_sink_message(s->mem, 0, "%s: is not a file", path);
		return false;
	}
	if (there && !S_ISREG(st.st_mode)) {
		s->fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	} else {
		if (there && (real = realpath(path, NULL)) != NULL) {
			s->target = pp_sink_message(s->mem, 0, "%s", real).p;
			free(real);
		}
		s->mode = there ? st.st_mode & 0777 : 0;
		create_temp(s);
	}
	if (s->fd < 0) {
		*err = pp_sink_message(s->mem, errno, "%s", path);
		return false;
	}
	return true;
}

struct pp_sink *
pp_sink_open(struct pp_mem *mem, enum pp_sink_kind kind, const char *path,
    pp_str *err)
{
	struct pp_sink *s = pp_mem_zalloc(mem, sizeof(*s));
	bool ok = true;

	*err = (pp_str){NULL, 0};
	s->mem = mem;
	s->kind = kind;
	s->fd = s->dir = s->mark = s->slot = -1;
	s->shown = pp_sink_message(mem, 0, "%s",
	    kind == PP_SINK_STDOUT ? "standard output" : path).p;
	s->target = s->shown;
	switch (kind) {
	case PP_SINK_STDOUT:
		s->fd = STDOUT_FILENO;
		break;
	case PP_SINK_FILE:
		ok = open_file(s, path, err);
		break;
	case PP_SINK_FOLDER:
		ok = pp_sink_folder_open(s, path, err);
		break;
	}
	if (!ok) {
		pp_mem_free(mem, s);
		return NULL;
	}
	return s;
}

bool
pp_sink_is_folder(const struct pp_sink *s)
{
	return s->kind == PP_SINK_FOLDER;
}

struct pp_stream *
pp_sink_stream(struct pp_sink *s, const char *name)
{
	return pp_sink_stream_with(s, name, 0);
}

struct pp_stream *
pp_sink_stream_with(struct pp_sink *s, const char *name, unsigned flags)
{
	struct pp_stream *f;
	char *buf;
	int fd = s->fd;

	PP_ASSERT(!s->ended);
	if (s->failed)
		return NULL;
	if (s->kind != PP_SINK_FOLDER && s->used) {
		pp_sink_fail(s, 0, "holds one table only");
		return NULL;
	}
	s->used = true;
	f = pp_mem_zalloc(s->mem, sizeof(*f));
	buf = pp_mem_alloc(s->mem, PP_STREAM_BUFFER);
	f->pack = flags == 0 ? NULL : pp_pack_open(s, flags);
	if (s->kind == PP_SINK_FOLDER) {
		if (flags & PP_STREAM_GZIP)
			name = pp_sink_message(s->mem, 0, "%s.gz", name).p;
		fd = pp_sink_folder_create(s, name);
		if (fd < 0) {
			pp_sink_fail(s, errno, name);
			pp_pack_free(s, f->pack);
			pp_mem_free(s->mem, buf);
			pp_mem_free(s->mem, f);
			return NULL;
		}
	}
	f->sink = s;
	f->fd = fd;
	f->buf = buf;
	f->next = s->streams;
	s->streams = f;
	return f;
}

const char *
pp_sink_path(struct pp_sink *s)
{
	if (s->kind != PP_SINK_FILE)
		return NULL;
	s->used = true;
	return s->temp != NULL ? s->temp : s->target;
}

void
pp_sink_use_thread(struct pp_sink *s)
{
	s->threaded = true;
}

void
pp_stream_deliver(struct pp_stream *f, const char *p, size_t n)
{
	if (f->error != 0)
		return;
	if (f->pack != NULL)
		pp_pack_put(f, p, n);
	else if (!pp_sink_write_all(f->fd, p, n))
		f->error = errno;
}

static void
put(struct pp_stream *f, const char *p, size_t n)
{
	if (f->sink->failed)
		return;
	pp_stream_deliver(f, p, n);
	if (f->error != 0)
		pp_sink_fail(f->sink, f->error, NULL);
}

/* Empty the buffer, which is full or nearly so. */
static void
put_buffer(struct pp_stream *f)
{
	struct pp_sink *s = f->sink;

	if (s->threaded && s->behind == NULL && !s->failed)
		s->threaded = pp_behind_start(s);
	if (s->behind != NULL && !s->failed)
		pp_behind_put(f);
	else
		put(f, f->buf, f->used);
	f->used = 0;
}

void
pp_stream_write(struct pp_stream *f, const void *p, size_t n)
{
	const char *from = p;
	size_t part;

	while (n > PP_STREAM_BUFFER - f->used) {
		part = PP_STREAM_BUFFER - f->used;
		memcpy(f->buf + f->used, from, part);
		f->used = PP_STREAM_BUFFER;
		from += part;
		n -= part;
		put_buffer(f);
	}
	if (n > 0)
		memcpy(f->buf + f->used, from, n);
	f->used += n;
}

char *
pp_stream_room(struct pp_stream *f, size_t n)
{
	PP_ASSERT(n <= PP_ROOM);
	if (n > PP_STREAM_BUFFER - f->used)
		put_buffer(f);
	return f->buf + f->used;
}

void
pp_stream_used(struct pp_stream *f, size_t n)
{
	PP_ASSERT(n <= PP_STREAM_BUFFER - f->used);
	f->used += n;
}

/* Take f out of its sink; a file system may tell only now that it is full. */
static void
end_stream(struct pp_stream *f, bool keep, struct pp_stream_sum *sum)
{
	struct pp_sink *s = f->sink;
	struct pp_stream **at;

	if (keep) {
		pp_behind_drain(s);
		put(f, f->buf, f->used);
		if (f->pack != NULL && !s->failed)
			pp_pack_end(f, sum);
		if (f->error != 0)
			pp_sink_fail(s, f->error, NULL);
	}
	pp_pack_free(s, f->pack);
	if (s->kind == PP_SINK_FOLDER && close(f->fd) != 0 && keep)
		pp_sink_fail(s, errno, NULL);
	for (at = &s->streams; *at != f; at = &(*at)->next)
		;
	*at = f->next;
	pp_mem_free(s->mem, f->buf);
	pp_mem_free(s->mem, f);
}

void
pp_stream_close(struct pp_stream *f)
{
	end_stream(f, true, NULL);
}

void
pp_stream_finish(struct pp_stream *f, struct pp_stream_sum *sum)
{
	memset(sum, 0, sizeof(*sum));
	end_stream(f, true, sum);
}

pp_str
pp_sink_error(const struct pp_sink *s, bool *epipe)
{
	if (epipe != NULL)
		*epipe = s->epipe;
	return s->error;
}

/* Close the file of s; of standard output a copy, which tells as much. */
static void
close_file(struct pp_sink *s, bool keep)
{
	int fd = s->kind == PP_SINK_STDOUT ? dup(s->fd) : s->fd;

	s->fd = -1;
	if (fd >= 0 && close(fd) != 0 && keep)
		pp_sink_fail(s, errno, NULL);
}

bool
pp_sink_commit(struct pp_sink *s)
{
	PP_ASSERT(!s->ended);
	while (s->streams != NULL)
		end_stream(s->streams, true, NULL);
	pp_behind_stop(s);
	if (s->kind == PP_SINK_FOLDER) {
		if (!s->failed)
			pp_sink_folder_commit(s);
	} else {
		close_file(s, true);
		/* the umask has its say when a file is created, but the
		 * old output had these rights */
		if (!s->failed && s->temp != NULL && s->mode != 0)
			(void)chmod(s->temp, (mode_t)s->mode);
		if (!s->failed && s->temp != NULL &&
		    rename(s->temp, s->target) != 0)
			pp_sink_fail(s, errno, NULL);
	}
	if (s->failed) {
		pp_sink_abort(s);
		return false;
	}
	pp_temp_forget(s->slot);
	s->ended = true;
	return true;
}

void
pp_sink_abort(struct pp_sink *s)
{
	if (s->ended)
		return;
	s->ended = true;
	pp_behind_stop(s);
	while (s->streams != NULL)
		end_stream(s->streams, false, NULL);
	if (s->kind == PP_SINK_FOLDER)
		pp_sink_folder_abort(s);
	else {
		close_file(s, false);
		if (s->temp != NULL)
			unlink(s->temp);
	}
	pp_temp_forget(s->slot);
}
