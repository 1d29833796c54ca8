/*
 * test_sink.c: files, devices and streams appear whole or not at all.
 */
#include "sink_fixture.h"

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
	assert_int_equal(chmod(at(f, "a.csv"), 0664), 0);
	umask(022);
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
	assert_int_equal(st.st_mode & 0777, 0664);
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
	fd = pp_sink_commit(s) &&
	    write(STDOUT_FILENO, "still open\n", 11) == 11;
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
		T(file_of_a_killed_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
