/*
 * test_sink.c: output appears whole or not at all.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../writers/sink.h"

struct fixture {
	struct pp_mem mem;
	char dir[64];
	char path[128];
};

static int
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

static int
remove_one(const char *p, const struct stat *st, int type, struct FTW *w)
{
	(void)st;
	(void)type;
	(void)w;
	return remove(p);
}

static int
teardown(void **state)
{
	struct fixture *f = *state;

	pp_mem_free_all(&f->mem);
	return nftw(f->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *
at(struct fixture *f, const char *name)
{
	snprintf(f->path, sizeof(f->path), "%s/%s", f->dir, name);
	return f->path;
}

static void
put_file(struct fixture *f, const char *name, const char *text)
{
	FILE *out = fopen(at(f, name), "w");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static void
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

static bool
there(struct fixture *f, const char *name)
{
	struct stat st;

	return lstat(at(f, name), &st) == 0;
}

/* Entries of a folder (of the test's own for NULL). */
static int
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

static void
say(struct pp_sink *s, const char *name, const char *text)
{
	struct pp_stream *o = pp_sink_stream(s, name);

	assert_non_null(o);
	pp_stream_write(o, text, strlen(text));
	pp_stream_close(o);
}

static struct pp_sink *
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
static void
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

static void
file_appears_on_commit(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s = begin(f, PP_SINK_FILE, "a.csv");

	say(s, "ignored", "one\n");
	assert_false(there(f, "a.csv"));
	assert_true(pp_sink_commit(s));
	assert_file(f, "a.csv", "one\n");
	assert_int_equal(entries(f, NULL), 1);
}

static void
file_keeps_old_on_abort(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s;
	struct stat st;

	put_file(f, "a.csv", "old");
	assert_int_equal(chmod(at(f, "a.csv"), 0640), 0);
	s = begin(f, PP_SINK_FILE, "a.csv");
	say(s, "a", "new");
	assert_file(f, "a.csv", "old");
	pp_sink_abort(s);
	assert_file(f, "a.csv", "old");
	assert_int_equal(entries(f, NULL), 1);

	s = begin(f, PP_SINK_FILE, "a.csv");
	say(s, "a", "new");
	assert_true(pp_sink_commit(s));
	assert_file(f, "a.csv", "new");
	assert_int_equal(stat(at(f, "a.csv"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void
file_link_is_followed(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s;
	struct stat st;

	assert_int_equal(mkdir(at(f, "sub"), 0777), 0);
	put_file(f, "sub/real", "old");
	assert_int_equal(symlink("sub/real", at(f, "link")), 0);
	s = begin(f, PP_SINK_FILE, "link");
	say(s, "a", "new");
	assert_true(pp_sink_commit(s));
	assert_file(f, "sub/real", "new");
	assert_int_equal(lstat(at(f, "link"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(entries(f, "sub"), 1);
}

static void
file_path_for_libraries(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s = begin(f, PP_SINK_FILE, "a.xlsx");
	FILE *out = fopen(pp_sink_path(s), "wb");

	assert_non_null(out);
	fputs("zip", out);
	fclose(out);
	assert_null(pp_sink_stream(s, "x"));
	pp_sink_abort(s);
	assert_int_equal(entries(f, NULL), 0);

	s = begin(f, PP_SINK_FILE, "a.xlsx");
	out = fopen(pp_sink_path(s), "wb");
	fputs("zip", out);
	fclose(out);
	assert_true(pp_sink_commit(s));
	assert_file(f, "a.xlsx", "zip");
}

static void
file_holds_one_stream(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s = begin(f, PP_SINK_FILE, "a.csv");

	say(s, "one", "1");
	assert_null(pp_sink_stream(s, "two"));
	assert_true(pp_sink_error(s, NULL).n > 0);
	assert_false(pp_sink_commit(s));
	assert_int_equal(entries(f, NULL), 0);
}

static void
file_refusals(void **state)
{
	struct fixture *f = *state;

	put_file(f, "plain", "x");
	refused(f, PP_SINK_FILE, at(f, "plain/a.csv"), "Not a directory");
	refused(f, PP_SINK_FILE, at(f, "none/a.csv"),
	    "No such file or directory");
	refused(f, PP_SINK_FILE, f->dir, "is a folder");
	refused(f, PP_SINK_FILE, "/proc/pp_none.csv", "No such file");
	assert_int_equal(entries(f, NULL), 1);
}

static void
device_is_written_in_place(void **state)
{
	struct fixture *f = *state;
	pp_str err;
	struct pp_sink *s;
	struct stat st;
	bool epipe;

	s = pp_sink_open(&f->mem, PP_SINK_FILE, "/dev/null", &err);
	assert_non_null(s);
	say(s, "a", "gone");
	assert_true(pp_sink_commit(s));
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));

	s = pp_sink_open(&f->mem, PP_SINK_FILE, "/dev/full", &err);
	assert_non_null(s);
	say(s, "a", "no room");
	err = pp_sink_error(s, &epipe);
	assert_string_equal(err.p, "/dev/full: No space left on device");
	assert_false(epipe);
	assert_false(pp_sink_commit(s));
	assert_string_equal(pp_sink_error(s, NULL).p,
	    "/dev/full: No space left on device");
	assert_int_equal(stat("/dev/full", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

/* The first failure stays, whatever is written later. */
static void
failure_is_sticky(void **state)
{
	struct fixture *f = *state;
	static char big[300000];
	pp_str err;
	struct pp_sink *s;
	struct pp_stream *o;
	int i;

	s = pp_sink_open(&f->mem, PP_SINK_FILE, "/dev/full", &err);
	assert_non_null(s);
	o = pp_sink_stream(s, "a");
	for (i = 0; i < 10; i++) {
		pp_stream_write(o, big, sizeof(big));
		memset(pp_stream_room(o, 65536), 'x', 65536);
		pp_stream_used(o, 65536);
	}
	assert_string_equal(pp_sink_error(s, NULL).p,
	    "/dev/full: No space left on device");
	assert_null(pp_sink_stream(s, "b"));
	assert_false(pp_sink_commit(s));
}

static void
fifo_without_reader(void **state)
{
	struct fixture *f = *state;
	static char big[300000];
	struct pp_sink *s;
	struct pp_stream *o;
	bool epipe;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(mkfifo(at(f, "fifo"), 0600), 0);
	fd = open(at(f, "fifo"), O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	s = begin(f, PP_SINK_FILE, "fifo");
	close(fd);
	o = pp_sink_stream(s, "a");
	pp_stream_write(o, big, sizeof(big));
	assert_true(pp_sink_error(s, &epipe).n > 0);
	assert_true(epipe);
	assert_false(pp_sink_commit(s));
	assert_true(there(f, "fifo"));
}

static void
standard_output(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s;
	pp_str err;
	int saved, fd;

	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	fd = open(at(f, "out"), O_WRONLY | O_CREAT, 0666);
	dup2(fd, STDOUT_FILENO);
	close(fd);
	s = pp_sink_open(&f->mem, PP_SINK_STDOUT, "-", &err);
	say(s, "a", "to the terminal\n");
	fd = pp_sink_commit(s) && write(STDOUT_FILENO, "still open\n", 11) == 11;
	dup2(saved, STDOUT_FILENO);
	close(saved);
	assert_true(fd);
	assert_file(f, "out", "to the terminal\nstill open\n");

	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	fd = open("/dev/full", O_WRONLY);
	dup2(fd, STDOUT_FILENO);
	close(fd);
	s = pp_sink_open(&f->mem, PP_SINK_STDOUT, "-", &err);
	say(s, "a", "to the terminal\n");
	fd = pp_sink_commit(s);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	assert_false(fd);
	assert_string_equal(pp_sink_error(s, NULL).p,
	    "standard output: No space left on device");
}

static void
stream_sizes(void **state)
{
	static const size_t sizes[] = {
	    0, 1, 65535, 65536, 131071, 131072, 131073, 400000, 7};
	struct fixture *f = *state;
	struct pp_sink *s = begin(f, PP_SINK_FILE, "big");
	struct pp_stream *o = pp_sink_stream(s, "a");
	unsigned char *want, *got;
	size_t i, k, n, total = 0;
	char *room;
	FILE *in;

	want = test_malloc(2000000);
	got = test_malloc(2000000);
	for (i = 0; i < 2000000; i++)
		want[i] = (unsigned char)(i * 2654435761u >> 13);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		n = sizes[i];
		pp_stream_write(o, want + total, n);
		total += n;
		k = n < 65536 ? n : 65536;
		room = pp_stream_room(o, 65536);
		memcpy(room, want + total, k);
		pp_stream_used(o, k);
		total += k;
	}
	assert_true(pp_sink_commit(s));
	in = fopen(at(f, "big"), "rb");
	assert_int_equal(fread(got, 1, 2000000, in), total);
	fclose(in);
	assert_memory_equal(got, want, total);
	test_free(want);
	test_free(got);
}

static void
write_folder(struct fixture *f, const char *name, const char *text)
{
	struct pp_sink *s = begin(f, PP_SINK_FOLDER, name);

	say(s, "profile.csv", text);
	say(s, "tree.csv", text);
	assert_true(pp_sink_commit(s));
}

static void
folder_is_swapped(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s;

	write_folder(f, "out", "first");
	assert_file(f, "out/profile.csv", "first");
	assert_int_equal(entries(f, "out"), 3);
	assert_true(there(f, "out/" PP_SINK_MARK));

	s = begin(f, PP_SINK_FOLDER, "out/");
	say(s, "profile.csv", "second");
	assert_file(f, "out/profile.csv", "first");
	assert_true(pp_sink_commit(s));
	assert_file(f, "out/profile.csv", "second");
	assert_false(there(f, "out/tree.csv"));
	assert_int_equal(entries(f, NULL), 1);

	s = begin(f, PP_SINK_FOLDER, "out");
	say(s, "profile.csv", "third");
	pp_sink_abort(s);
	assert_file(f, "out/profile.csv", "second");
	assert_int_equal(entries(f, NULL), 1);
}

static void
folder_same_bytes(void **state)
{
	struct fixture *f = *state;
	char a[256], b[256];
	FILE *in;
	size_t n;

	write_folder(f, "one", "x");
	write_folder(f, "two", "x");
	in = fopen(at(f, "one/" PP_SINK_MARK), "r");
	n = fread(a, 1, sizeof(a), in);
	fclose(in);
	in = fopen(at(f, "two/" PP_SINK_MARK), "r");
	assert_int_equal(fread(b, 1, sizeof(b), in), n);
	fclose(in);
	assert_memory_equal(a, b, n);
}

static void
folder_takes_an_empty_one(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	assert_int_equal(mkdir(at(f, "out"), 0777), 0);
	assert_int_equal(chmod(at(f, "out"), 0750), 0);
	write_folder(f, "out", "x");
	assert_int_equal(entries(f, "out"), 3);
	assert_int_equal(entries(f, NULL), 1);
	assert_int_equal(stat(at(f, "out"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0750);
}

static void
folder_link_is_followed(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	write_folder(f, "real", "old");
	assert_int_equal(symlink("real", at(f, "link")), 0);
	write_folder(f, "link", "new");
	assert_file(f, "real/profile.csv", "new");
	assert_int_equal(lstat(at(f, "link"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(entries(f, NULL), 2);
}

static void
folder_refusals(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(mkdir(at(f, "foreign"), 0777), 0);
	put_file(f, "foreign/precious", "mine");
	refused(f, PP_SINK_FOLDER, at(f, "foreign"), "did not write");
	assert_file(f, "foreign/precious", "mine");

	put_file(f, "plain", "x");
	refused(f, PP_SINK_FOLDER, at(f, "plain"), "is not a folder");
	refused(f, PP_SINK_FOLDER, at(f, "plain/out"), "Not a directory");
	refused(f, PP_SINK_FOLDER, at(f, "none/out"), "No such file");
	refused(f, PP_SINK_FOLDER, ".", "current folder");
	refused(f, PP_SINK_FOLDER, "", "No such file");
	refused(f, PP_SINK_FOLDER, "/", "did not write");

	assert_int_equal(mkdir(at(f, "x.tmp"), 0777), 0);
	put_file(f, "x.tmp/precious", "mine");
	assert_null(pp_sink_open(&f->mem, PP_SINK_FOLDER, at(f, "x"),
	    &(pp_str){NULL, 0}));
	assert_file(f, "x.tmp/precious", "mine");
	assert_int_equal(entries(f, NULL), 3);
}

/* A user's own file among ours is never lost. */
static void
folder_with_a_guest(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s;

	write_folder(f, "out", "old");
	put_file(f, "out/my.xlsx", "mine");
	refused(f, PP_SINK_FOLDER, at(f, "out"), "my.xlsx");
	assert_int_equal(entries(f, "out"), 4);

	/* and one that comes while we work */
	assert_int_equal(unlink(at(f, "out/my.xlsx")), 0);
	s = begin(f, PP_SINK_FOLDER, "out");
	say(s, "profile.csv", "new");
	put_file(f, "out/my.xlsx", "mine");
	assert_false(pp_sink_commit(s));
	assert_true(pp_sink_error(s, NULL).n > 0);
	assert_file(f, "out/my.xlsx", "mine");
	assert_file(f, "out/profile.csv", "old");
	assert_int_equal(entries(f, NULL), 1);
}

/* A mark can name nothing outside its folder. */
static void
folder_with_a_false_mark(void **state)
{
	struct fixture *f = *state;

	put_file(f, "precious", "mine");
	write_folder(f, "out", "old");
	put_file(f, "out/" PP_SINK_MARK,
	    "profpivot 1\nprofile.csv\ntree.csv\n../precious\n\n..\n");
	write_folder(f, "out", "new");
	assert_file(f, "precious", "mine");
	assert_file(f, "out/profile.csv", "new");
	assert_int_equal(entries(f, NULL), 2);

	assert_int_equal(mkdir(at(f, "empty"), 0777), 0);
	put_file(f, "empty/" PP_SINK_MARK, "");
	write_folder(f, "empty", "new");
	assert_file(f, "empty/profile.csv", "new");
}

static void
folder_same_name_twice(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s = begin(f, PP_SINK_FOLDER, "out");

	say(s, "a.csv", "1");
	assert_null(pp_sink_stream(s, "a.csv"));
	assert_false(pp_sink_commit(s));
	assert_int_equal(entries(f, NULL), 0);
}

/* Start a run in a child that stops, alive, amid its output. */
static pid_t
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

static void
folder_of_a_killed_run(void **state)
{
	struct fixture *f = *state;
	pid_t pid;

	write_folder(f, "out", "old");
	pid = child_amid_output(f, PP_SINK_FOLDER, "out");
	assert_true(there(f, "out.tmp/new.csv"));

	/* while it lives, its place is taken */
	assert_null(pp_sink_open(&f->mem, PP_SINK_FOLDER, at(f, "out"),
	    &(pp_str){NULL, 0}));
	assert_true(there(f, "out.tmp/new.csv"));

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_file(f, "out/profile.csv", "old");
	assert_true(there(f, "out.tmp/new.csv"));
	write_folder(f, "out", "new");
	assert_file(f, "out/profile.csv", "new");
	assert_int_equal(entries(f, NULL), 1);
	assert_int_equal(entries(f, "out"), 3);
}

static void
folder_twice_in_one_process(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s = begin(f, PP_SINK_FOLDER, "out");

	say(s, "a.csv", "1");
	assert_null(pp_sink_open(&f->mem, PP_SINK_FOLDER, at(f, "out"),
	    &(pp_str){NULL, 0}));
	assert_true(pp_sink_commit(s));
	assert_file(f, "out/a.csv", "1");
}

static void
file_of_a_killed_run(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s;
	pid_t pid;

	put_file(f, "a.csv", "old");
	pid = child_amid_output(f, PP_SINK_FILE, "a.csv");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_file(f, "a.csv", "old");
	s = begin(f, PP_SINK_FILE, "a.csv");
	say(s, "a", "new");
	assert_true(pp_sink_commit(s));
	assert_file(f, "a.csv", "new");
}

static void
on_term(int sig)
{
	pp_sink_signal_cleanup();
	_exit(128 + sig);
}

static void
signal_removes_temporaries(void **state)
{
	struct fixture *f = *state;
	int status;
	pid_t pid;

	write_folder(f, "out", "old");
	put_file(f, "a.csv", "old");
	signal(SIGTERM, on_term);
	pid = child_amid_output(f, PP_SINK_FOLDER, "out");
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 128 + SIGTERM);

	pid = child_amid_output(f, PP_SINK_FILE, "a.csv");
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	signal(SIGTERM, SIG_DFL);
	assert_file(f, "out/profile.csv", "old");
	assert_file(f, "a.csv", "old");
	assert_int_equal(entries(f, NULL), 2);
}

/* After commit nothing is left for a signal to remove. */
static void
signal_after_commit(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s = begin(f, PP_SINK_FILE, "a.csv");

	say(s, "a", "new");
	assert_true(pp_sink_commit(s));
	write_folder(f, "out", "new");
	pp_sink_signal_cleanup();
	assert_file(f, "a.csv", "new");
	assert_file(f, "out/profile.csv", "new");
	assert_int_equal(entries(f, "out"), 3);
}

/* Aborting must not need memory: it runs when there is none. */
static void
abort_without_memory(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s, *t;
	jmp_buf trap;

	s = begin(f, PP_SINK_FOLDER, "out");
	assert_non_null(pp_sink_stream(s, "a.csv"));
	t = begin(f, PP_SINK_FILE, "b.csv");
	assert_non_null(pp_sink_stream(t, "b"));
	f->mem.fail_after = 0;
	f->mem.trap = &trap;
	if (setjmp(trap) != 0)
		fail_msg("abort allocates");
	pp_sink_abort(s);
	pp_sink_abort(t);
	f->mem.fail_after = -1;
	f->mem.trap = NULL;
	assert_int_equal(entries(f, NULL), 0);
}

/*
 * Memory that ends at each point in turn: the temporaries that are left are
 * those of the registry.
 */
static void
memory_ends_anywhere(void **state)
{
	struct fixture *f = *state;
	volatile long n;
	volatile bool done = false;
	jmp_buf trap;

	for (n = 0; !done && n < 1000; n++) {
		struct pp_sink *volatile s = NULL;
		pp_str err;

		f->mem.trap = &trap;
		f->mem.fail_after = n;
		if (setjmp(trap) == 0) {
			s = pp_sink_open(&f->mem, PP_SINK_FOLDER,
			    at(f, "out"), &err);
			assert_non_null(s);
			assert_non_null(pp_sink_stream(s, "a.csv"));
			assert_true(pp_sink_commit(s));
			done = true;
		} else if (s != NULL)
			pp_sink_abort(s);
		f->mem.fail_after = -1;
		f->mem.trap = NULL;
		if (!done) {
			assert_false(there(f, "out"));
			assert_false(there(f, "out.tmp/a.csv"));
		}
	}
	assert_true(done);
	assert_true(there(f, "out/a.csv"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(file_appears_on_commit),
		T(file_keeps_old_on_abort),
		T(file_link_is_followed),
		T(file_path_for_libraries),
		T(file_holds_one_stream),
		T(file_refusals),
		T(device_is_written_in_place),
		T(failure_is_sticky),
		T(fifo_without_reader),
		T(standard_output),
		T(stream_sizes),
		T(folder_is_swapped),
		T(folder_same_bytes),
		T(folder_takes_an_empty_one),
		T(folder_link_is_followed),
		T(folder_refusals),
		T(folder_with_a_guest),
		T(folder_with_a_false_mark),
		T(folder_same_name_twice),
		T(folder_of_a_killed_run),
		T(folder_twice_in_one_process),
		T(file_of_a_killed_run),
		T(signal_removes_temporaries),
		T(signal_after_commit),
		T(abort_without_memory),
		T(memory_ends_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
