/*
 * test_input.c: chunks of files and pipes, heads, sums and refusals.
 *
 * What a chunk must be is checked against the bytes that the test wrote.
 */
#include "input_check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void
test_plain(void **state)
{
	static const size_t lengths[] = {1, 2, 63, 64, 65, 4095, 4096, 4097,
	    65536, 65537, 131071, 131072, 131073, 700001};
	struct bytes t = {0};
	size_t i;

	(void)state;
	for (i = 0; i < 2 * sizeof(lengths) / sizeof(lengths[0]); i++) {
		t.n = 0;
		make_text(&t, lengths[i / 2], i % 2);
		save("plain", t.p, t.n);
		expect_sizes("plain", t.p, t.n, NULL);
	}
	drop(&t);
	save("plain", "\n", 1);
	expect_sizes("plain", "\n", 1, NULL);
	save("plain", "\xef\xbb\xbf" "a\r\n\r\n\0\n", 9);
	expect_sizes("plain", "\xef\xbb\xbf" "a\r\n\r\n\0\n", 9, NULL);
}

/* No byte: one chunk, empty and last. */
static void
test_empty(void **state)
{
	struct bytes z = {0};

	(void)state;
	save("empty", "", 0);
	expect_sizes("empty", "", 0, NULL);
	add_member(&z, "", 0);
	save("empty", z.p, z.n);
	expect_sizes("empty", "", 0, NULL);
	drop(&z);
}

/* The ends of chunks of 8 bytes, by hand. */
static void
test_bounds(void **state)
{
	static const char text[] = "1234567\n" "12345678\n" "\n" "1\n" "2\n"
	    "3\n" "4\n" "5";
	static const size_t ends[] = {8, 17, 26};
	struct pp_mem mem;
	struct pp_chunk c;
	struct pp_input *in;
	pp_str err;
	size_t i;

	(void)state;
	save("bounds", text, sizeof(text) - 1);
	pp_mem_init(&mem, 0);
	in = pp_input_open(&mem, file_at("bounds"), 8, &err);
	assert_non_null(in);
	for (i = 0; i < 3; i++) {
		assert_true(pp_input_next(in, &c));
		use(&c, USE_ALL, 0);
		assert_int_equal(c.offset + c.n, ends[i]);
		assert_int_equal(c.last, false);
	}
	assert_true(pp_input_next(in, &c));
	assert_true(c.last);
	assert_int_equal(c.n, 1);
	assert_memory_equal(c.p, "5", 1);
	assert_int_equal(c.line, 8);
	use(&c, USE_ALL, 0);
	assert_false(pp_input_next(in, &c));
	pp_input_close(in);
}

/* The last line is told as last, not followed by an empty chunk. */
static void
test_last(void **state)
{
	struct pp_mem mem;
	struct pp_chunk c;
	struct pp_input *in;
	pp_str err;

	(void)state;
	save("last", "a\nb\n", 4);
	pp_mem_init(&mem, 0);
	in = pp_input_open(&mem, file_at("last"), 1, &err);
	assert_non_null(in);
	assert_true(pp_input_next(in, &c));
	assert_false(c.last);
	use(&c, USE_ALL, 0);
	assert_true(pp_input_next(in, &c));
	assert_true(c.last);
	assert_int_equal(c.n, 2);
	use(&c, USE_ALL, 0);
	assert_false(pp_input_next(in, &c));
	pp_input_close(in);
}

/* 50 MB in one line: time and copies must grow with the length only. */
static void
test_long_line(void **state)
{
	size_t n = 50u * 1000 * 1000;
	struct bytes t = {0};
	clock_t from;

	(void)state;
	t.p = malloc(n);
	assert_non_null(t.p);
	memset(t.p, 'x', n);
	memcpy(t.p, "a\nb\n", 4);
	memcpy(t.p + n - 4, "\nc\nd", 4);
	save("long", t.p, n);
	from = clock();
	expect_chunks("long", 64, USE_ALL, t.p, n, NULL);
	/* measured 0.1 s; copies or scans that begin anew take hours */
	assert_true((clock() - from) / CLOCKS_PER_SEC < 60);
	from = clock();
	expect_chunks("long", 64, USE_LATE, t.p, n, NULL);
	assert_true((clock() - from) / CLOCKS_PER_SEC < 60);
	unlink(file_at("long"));
	free(t.p);
}

static void
nothing(int sig)
{
	(void)sig;
}

/* Feed p to our standard input in pieces, with signals in between. */
static pid_t
feed(const char *p, size_t n, size_t piece, int flags)
{
	struct sigaction sa;
	int fd[2];
	pid_t pid;
	size_t i, len;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = nothing;	/* no SA_RESTART: read() gives EINTR */
	sigaction(SIGUSR1, &sa, NULL);
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(fd[0]);
		for (i = 0; i < n; i += len) {
			len = n - i < piece ? n - i : piece;
			if (write(fd[1], p + i, len) != (ssize_t)len)
				_exit(1);
			if (i / piece % 16 == 0)
				kill(getppid(), SIGUSR1);
		}
		_exit(0);
	}
	close(fd[1]);
	assert_int_equal(fcntl(fd[0], F_SETFL, flags), 0);
	assert_int_equal(dup2(fd[0], STDIN_FILENO), STDIN_FILENO);
	close(fd[0]);
	return pid;
}

static void
expect_pipe(const char *file, size_t nfile, size_t piece, int flags,
    const char *p, size_t n)
{
	struct pp_mem mem;
	struct pp_input *in;
	struct bytes got = {0};
	uint64_t done, all;
	pp_str err = {0};
	pid_t pid = feed(file, nfile, piece, flags);
	int status;

	pp_mem_init(&mem, 0);
	in = pp_input_open(&mem, "-", 64, &err);
	assert_non_null(in);
	drain(in, 64, USE_SOME, &got);
	assert_int_equal(got.n, n);
	if (n)
		assert_memory_equal(got.p, p, n);
	assert_int_equal(pp_input_error(in).n, 0);
	pp_input_progress(in, &done, &all);
	assert_int_equal(done, nfile);
	assert_int_equal(all, 0);
	pp_input_close(in);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	drop(&got);
}

static void
test_pipe(void **state)
{
	struct bytes t = {0}, z = {0};

	(void)state;
	make_text(&t, 90001, false);
	add_member(&z, t.p, 40000);
	add_member(&z, t.p + 40000, t.n - 40000);
	expect_pipe(t.p, t.n, 7, 0, t.p, t.n);
	expect_pipe(t.p, t.n, 777, O_NONBLOCK, t.p, t.n);
	expect_pipe(t.p, t.n, t.n, 0, t.p, t.n);
	expect_pipe(z.p, z.n, 7, 0, t.p, t.n);
	expect_pipe("", 0, 1, 0, "", 0);
	expect_pipe("a", 1, 1, 0, "a", 1);
	drop(&t);
	drop(&z);
}

static void
expect_no_open(const char *path, const char *why)
{
	struct pp_mem mem;
	pp_str err = {0};

	pp_mem_init(&mem, 0);
	assert_null(pp_input_open(&mem, path, 0, &err));
	if (strstr(err.p, why) == NULL)
		fail_msg("%s: \"%s\"", path, err.p);
	pp_mem_free_all(&mem);
}

static void
test_open_errors(void **state)
{
	(void)state;
	expect_no_open(file_at("missing"),
	    "cannot open: No such file or directory");
	expect_no_open(dir, "is a directory");
	save("old.Z", "\x1f\x9d\x90" "abc", 6);
	expect_no_open(file_at("old.Z"), "uncompress it first");
	if (geteuid() != 0) {
		save("locked", "a", 1);
		assert_int_equal(chmod(file_at("locked"), 0), 0);
		expect_no_open(file_at("locked"),
		    "cannot open: Permission denied");
	}
	close(STDIN_FILENO);
	expect_no_open("-", "cannot open: Bad file descriptor");
	assert_int_equal(open("/dev/null", O_RDONLY), STDIN_FILENO);
}

/* The head is what comes first, and stays first. */
static void
test_head(void **state)
{
	struct bytes t = {0}, z = {0}, got = {0};
	struct pp_mem mem;
	struct pp_input *in;
	pp_str head, err;
	int i;

	(void)state;
	make_text(&t, 100000, true);
	add_member(&z, t.p, t.n);
	for (i = 0; i < 2; i++) {
		if (i == 0)
			save("head", t.p, t.n);
		else
			save("head", z.p, z.n);
		pp_mem_init(&mem, 0);
		in = pp_input_open(&mem, file_at("head"), 64, &err);
		assert_non_null(in);
		head = pp_input_head(in);
		assert_int_equal(head.n, 65536);
		assert_memory_equal(head.p, t.p, head.n);
		assert_int_equal(pp_input_head(in).n, 65536);
		got.n = 0;
		drain(in, 64, USE_ALL, &got);
		assert_int_equal(got.n, t.n);
		assert_memory_equal(got.p, t.p, t.n);
		pp_input_close(in);
	}
	save("head", "short", 5);
	in = pp_input_open(&mem, file_at("head"), 64, &err);
	head = pp_input_head(in);
	assert_int_equal(head.n, 5);
	pp_input_close(in);
	drop(&t);
	drop(&z);
	drop(&got);
}

static void
expect_sha(const char *name, const char *hex)
{
	struct pp_mem mem;
	struct pp_input *in;
	struct bytes got = {0};
	uint8_t sum[32];
	char text[65];
	pp_str err;
	int i;

	pp_mem_init(&mem, 0);
	in = pp_input_open(&mem, file_at(name), 64, &err);
	assert_non_null(in);
	assert_false(pp_input_sha256(in, sum) && got.n > 0);
	drain(in, 64, USE_ALL, &got);
	assert_true(pp_input_sha256(in, sum));
	for (i = 0; i < 32; i++)
		snprintf(text + 2 * i, 3, "%02x", sum[i]);
	assert_string_equal(text, hex);
	pp_input_close(in);
	assert_int_equal(mem.used, 0);
	drop(&got);
}

/* Sums of FIPS 180-2's "abc", of nothing, and of sha256sum(1). */
static void
test_sha256(void **state)
{
	char cmd[600], hex[65];
	struct bytes t = {0}, z = {0};
	FILE *f;
	int i;

	(void)state;
	save("sum", "abc", 3);
	expect_sha("sum", "ba7816bf8f01cfea414140de5dae2223"
	    "b00361a396177a9cb410ff61f20015ad");
	save("sum", "", 0);
	expect_sha("sum", "e3b0c44298fc1c149afbf4c8996fb924"
	    "27ae41e4649b934ca495991b7852b855");
	make_text(&t, 400000, true);
	add_member(&z, t.p, t.n);
	for (i = 0; i < 3; i++) {
		/* whole, damaged in the middle, with a long tail */
		if (i == 1)
			z.p[z.n / 3] = (char)(z.p[z.n / 3] ^ 0x40);
		if (i == 2)
			add(&z, t.p, t.n);
		save("sum", z.p, z.n);
		snprintf(cmd, sizeof(cmd), "sha256sum <'%s'", file_at("sum"));
		f = popen(cmd, "r");
		assert_non_null(f);
		assert_non_null(fgets(hex, sizeof(hex), f));
		pclose(f);
		expect_sha("sum", hex);
	}
	drop(&t);
	drop(&z);
}

static size_t
count_descriptors(void)
{
	size_t n = 0;
	int fd;

	for (fd = 0; fd < 64; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Read the file with so many allocations granted; did that do? */
static bool
read_with(long grant)
{
	struct pp_mem mem;
	struct pp_input *volatile in = NULL;
	struct pp_chunk c;
	jmp_buf trap;
	pp_str err;
	volatile bool done = false;

	pp_mem_init(&mem, 0);
	mem.fail_after = grant;
	mem.trap = &trap;
	if (setjmp(trap) == 0) {
		in = pp_input_open(&mem, file_at("tight"), 64, &err);
		assert_non_null(in);
		while (pp_input_next(in, &c))
			use(&c, USE_ALL, 0);
		done = true;
	}
	pp_input_close(in);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
	return done;
}

/* Each allocation refused in turn: nothing leaks, no descriptor stays. */
static void
test_no_memory(void **state)
{
	struct bytes t = {0}, z = {0};
	size_t descriptors;
	long grant = 0;

	(void)state;
	make_text(&t, 300000, true);
	memset(t.p, 'x', 299000);
	add_member(&z, t.p, t.n);
	save("tight", z.p, z.n);
	descriptors = count_descriptors();
	while (!read_with(grant)) {
		assert_int_equal(count_descriptors(), descriptors);
		grant++;
		assert_true(grant < 100);
	}
	assert_true(grant > 4);
	drop(&t);
	drop(&z);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_last),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_open_errors),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_sha256),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, make_dir, drop_dir);
}
