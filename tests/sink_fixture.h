/*
 * sink_fixture.h: a folder of its own for each test of sinks.
 */
#ifndef PP_SINK_FIXTURE_H
#define PP_SINK_FIXTURE_H

#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../writers/sink.h"
#include "remove_tree.h"

struct fixture {
	struct pp_mem mem;
	char dir[64];
	char path[128];
};

static inline int
setup(void **state)
{
	static struct fixture f;

	memset(&f, 0, sizeof(f));
	pp_mem_init(&f.mem, 0);
	strcpy(f.dir, "/tmp/pp_test_sink.XXXXXX");
	if (mkdtemp(f.dir) == NULL)
		return -1;
	*state = &f;
	return 0;
}

static inline int
teardown(void **state)
{
	struct fixture *f = *state;

	pp_mem_free_all(&f->mem);
	return remove_tree(f->dir);
}

static inline const char *
at(struct fixture *f, const char *name)
{
	snprintf(f->path, sizeof(f->path), "%s/%s", f->dir, name);
	return f->path;
}

static inline void
put_file(struct fixture *f, const char *name, const char *text)
{
	FILE *out = fopen(at(f, name), "w");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static inline void
assert_file(struct fixture *f, const char *name, const char *text)
{
	char buf[4096];
	FILE *in = fopen(at(f, name), "r");
	size_t n;

	assert_non_null(in);
	n = fread(buf, 1, sizeof(buf) - 1, in);
	fclose(in);
	buf[n] = '\0';
	assert_string_equal(buf, text);
}

static inline bool
there(struct fixture *f, const char *name)
{
	struct stat st;

	return lstat(at(f, name), &st) == 0;
}

/* Entries of a folder (of the test's own for NULL). */
static inline int
entries(struct fixture *f, const char *name)
{
	DIR *d = opendir(name ? at(f, name) : f->dir);
	struct dirent *e;
	int n = 0;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL)
		n += strcmp(e->d_name, ".") != 0 &&
		    strcmp(e->d_name, "..") != 0;
	closedir(d);
	return n;
}

static inline void
say(struct pp_sink *s, const char *name, const char *text)
{
	struct pp_stream *o = pp_sink_stream(s, name);

	assert_non_null(o);
	pp_stream_write(o, text, strlen(text));
	pp_stream_close(o);
}

static inline struct pp_sink *
begin(struct fixture *f, enum pp_sink_kind kind, const char *name)
{
	pp_str err;
	struct pp_sink *s = pp_sink_open(&f->mem, kind, at(f, name), &err);

	if (s == NULL)
		fail_msg("%.*s", (int)err.n, err.p);
	assert_int_equal(err.n, 0);
	return s;
}

/* Opening is refused with a message that holds `part`. */
static inline void
refused(struct fixture *f, enum pp_sink_kind kind, const char *path,
    const char *part)
{
	pp_str err;

	assert_null(pp_sink_open(&f->mem, kind, path, &err));
	if (pp_str_find(err, pp_str_from(part)) == err.n)
		fail_msg("'%.*s' does not say '%s'", (int)err.n, err.p, part);
	if (pp_str_find(err, pp_str_from(path)) == err.n)
		fail_msg("'%.*s' does not name %s", (int)err.n, err.p, path);
}

static inline void
write_folder(struct fixture *f, const char *name, const char *text)
{
	struct pp_sink *s = begin(f, PP_SINK_FOLDER, name);

	say(s, "profile.csv", text);
	say(s, "tree.csv", text);
	assert_true(pp_sink_commit(s));
}

/* Start a run in a child that stops, alive, amid its output. */
static inline pid_t
child_amid_output(struct fixture *f, enum pp_sink_kind kind,
    const char *name)
{
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		pp_str err;
		struct pp_sink *s = pp_sink_open(&f->mem, kind, at(f, name),
		    &err);
		struct pp_stream *o;

		if (s == NULL || (o = pp_sink_stream(s, "new.csv")) == NULL)
			_exit(1);
		pp_stream_write(o, "half", 4);
		c = 'r';
		if (write(ready[1], &c, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
