/*
 * test_sink_folder.c: folders appear whole or not at all; runs that are
 * killed, end by a signal or run out of memory.
 */
#include "sink_fixture.h"

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

static void
write_nested(struct fixture *f, const char *a, const char *b)
{
	struct pp_sink *s = begin(f, PP_SINK_FOLDER, "out");

	say(s, a, "one");
	say(s, b, "two");
	assert_true(pp_sink_commit(s));
}

static void
nested_is_swapped(void **state)
{
	struct fixture *f = *state;

	write_nested(f, "events/source=a/0", "events/source=b/0");
	assert_file(f, "out/events/source=b/0", "two");
	assert_file(f, "out/" PP_SINK_MARK,
	    "profpivot 1\nevents/source=a/0\nevents/source=b/0\n");
	write_nested(f, "events/source=b/0", "texts/0");
	assert_file(f, "out/events/source=b/0", "one");
	assert_file(f, "out/texts/0", "two");
	assert_false(there(f, "out/events/source=a"));
	assert_int_equal(entries(f, NULL), 1);
	assert_int_equal(entries(f, "out"), 3);
}

/* What profpivot did not write is told by its path, and stays. */
static void
nested_guests(void **state)
{
	struct fixture *f = *state;
	char path[128];

	write_nested(f, "events/source=a/0", "texts/0");
	strcpy(path, at(f, "out"));
	put_file(f, "out/events/source=a/mine.txt", "precious");
	refused(f, PP_SINK_FOLDER, path, "events/source=a/mine.txt");
	assert_file(f, "out/events/source=a/mine.txt", "precious");
	assert_int_equal(unlink(at(f, "out/events/source=a/mine.txt")), 0);

	assert_int_equal(mkdir(at(f, "out/events/none"), 0777), 0);
	refused(f, PP_SINK_FOLDER, path, "events/none");
	assert_int_equal(rmdir(at(f, "out/events/none")), 0);
	write_nested(f, "events/source=a/0", "texts/0");
}

/* A link in the place of a folder leads nowhere. */
static void
nested_link(void **state)
{
	struct fixture *f = *state;
	char path[128], to[128];

	write_nested(f, "events/0", "texts/0");
	assert_int_equal(mkdir(at(f, "else"), 0777), 0);
	put_file(f, "else/0", "precious");
	assert_int_equal(unlink(at(f, "out/texts/0")), 0);
	assert_int_equal(rmdir(at(f, "out/texts")), 0);
	strcpy(to, at(f, "else"));
	assert_int_equal(symlink(to, at(f, "out/texts")), 0);
	strcpy(path, at(f, "out"));
	refused(f, PP_SINK_FOLDER, path, "texts");
	assert_file(f, "else/0", "precious");
}

/* Lines of a mark that lead out of the folder name nothing. */
static void
nested_mark_that_leads_out(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s;

	put_file(f, "keep", "precious");
	assert_int_equal(mkdir(at(f, "out.tmp"), 0777), 0);
	put_file(f, "out.tmp/" PP_SINK_MARK, "profpivot 1\n../keep\n/keep\n"
	    "a/../../keep\na//b\na/\n.\n\n");
	s = begin(f, PP_SINK_FOLDER, "out");
	assert_true(pp_sink_commit(s));
	assert_file(f, "keep", "precious");
}

static void
nested_is_removed(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s = begin(f, PP_SINK_FOLDER, "out");

	say(s, "events/source=a/0", "one");
	assert_non_null(pp_sink_stream(s, "events/source=b/0"));
	pp_sink_abort(s);
	assert_int_equal(entries(f, NULL), 0);

	s = begin(f, PP_SINK_FOLDER, "out");
	say(s, "events/source=a/0", "one");
	assert_non_null(pp_sink_stream(s, "events/source=b/0"));
	pp_sink_signal_cleanup();
	assert_int_equal(entries(f, NULL), 0);
	pp_sink_abort(s);
}

/* More names than fit in a page of memory. */
static void
nested_with_many_files(void **state)
{
	struct fixture *f = *state;
	struct pp_sink *s = begin(f, PP_SINK_FOLDER, "out");
	char name[64];
	int i;

	for (i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "events/source=%d.trc/part-0",
		    i * 7919 % 3000);
		say(s, name, "x");
	}
	assert_true(pp_sink_commit(s));
	assert_int_equal(entries(f, "out/events"), 3000);
	write_nested(f, "a", "b");
	assert_int_equal(entries(f, "out"), 3);
	assert_int_equal(entries(f, NULL), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
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
		T(signal_removes_temporaries),
		T(signal_after_commit),
		T(abort_without_memory),
		T(memory_ends_anywhere),
		T(nested_is_swapped),
		T(nested_guests),
		T(nested_link),
		T(nested_mark_that_leads_out),
		T(nested_is_removed),
		T(nested_with_many_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
