/*
 * test_input_packed.c: compressed files, whole, cut and damaged.
 *
 * The files are made by zlib and by the compressors' own programs.
 */
#include "input_check.h"

static void
test_gzip(void **state)
{
	struct bytes t = {0}, z = {0};
	size_t i, members = 0;

	(void)state;
	make_text(&t, 300007, true);
	add_member(&z, t.p, t.n);
	save("gz", z.p, z.n);
	expect_sizes("gz", t.p, t.n, NULL);

	/* members that end anywhere, some of them empty, some padded */
	z.n = 0;
	for (i = 0; i < t.n; i += 10007, members++) {
		add_member(&z, t.p + i, t.n - i < 10007 ? t.n - i : 10007);
		if (members % 5 == 0)
			add_member(&z, "", 0);
		if (members % 7 == 0)
			add(&z, "\0\0\0\0\0", members % 5);
	}
	save("gz", z.p, z.n);
	expect_sizes("gz", t.p, t.n, NULL);

	/* zeros up to a block of a tape */
	for (i = z.n; i % 10240 != 0; i++)
		add(&z, "", 1);
	save("gz", z.p, z.n);
	expect_chunks("gz", 4096, USE_ALL, t.p, t.n, NULL);

	add(&z, "tail", 4);
	save("gz", z.p, z.n);
	expect_sizes("gz", t.p, t.n, "is not gzip data");
	drop(&t);
	drop(&z);
}

/* Members that tell their length, as bgzip makes them: had at once. */
static void
test_bgzf(void **state)
{
	static const size_t block[] = {1, 700, 10007, 65280, 65536, 200000};
	static const int lie[] = {0, -1, 1, -20, 500};
	struct bytes t = {0}, z = {0};
	struct pp_mem mem;
	struct pp_input *in;
	size_t i, k, n;
	pp_str err;

	(void)state;
	make_text(&t, 300007, true);
	for (k = 0; k < 6; k++) {
		size_t all = k == 0 ? 3000 : t.n;

		z.n = 0;
		for (i = 0; i < all; i += block[k])
			add_bgzf(&z, t.p + i, all - i < block[k] ? all - i :
			    block[k], lie[i / block[k] % 5] * (k == 2));
		add_bgzf(&z, "", 0, 0);
		save("bgzf", z.p, z.n);
		expect_sizes("bgzf", t.p, all, NULL);
	}
	/* among others, then cut everywhere */
	z.n = 0;
	for (i = 0; i < 3000; i += 300)
		if (i % 900 == 0)
			add_member(&z, t.p + i, 300);
		else
			add_bgzf(&z, t.p + i, 300, 0);
	save("bgzf", z.p, z.n);
	expect_sizes("bgzf", t.p, 3000, NULL);
	for (n = z.n - 1; n > 2; n -= n > 20 ? 7 : 1) {
		struct bytes got = {0};

		save("bgzf", z.p, n);
		pp_mem_init(&mem, 0);
		in = pp_input_open(&mem, file_at("bgzf"), 64, &err);
		assert_non_null(in);
		drain(in, 64, USE_ALL, &got);
		assert_true(got.n <= 3000);
		if (got.n)
			assert_memory_equal(got.p, t.p, got.n);
		pp_input_close(in);
		pp_mem_free_all(&mem);
		drop(&got);
	}
	drop(&t);
	drop(&z);
}

/* Inflated bytes beyond 4 GiB cannot be tested here; a ratio of 1000 can. */
static void
test_gzip_ratio(void **state)
{
	size_t n = 20u << 20;
	struct bytes t = {0}, z = {0};

	(void)state;
	t.p = calloc(1, n);
	assert_non_null(t.p);
	t.p[n / 2] = '\n';
	add_member(&z, t.p, n);
	save("gz", z.p, z.n);
	expect_chunks("gz", 4096, USE_ALL, t.p, n, NULL);
	free(t.p);
	drop(&z);
}

/* Cut behind every byte: what was there comes out, and it is told. */
static void
test_gzip_cut(void **state)
{
	struct bytes t = {0}, z = {0};
	struct pp_mem mem;
	struct pp_input *in;
	size_t first, n;
	pp_str err;

	(void)state;
	make_text(&t, 900, true);
	add_member(&z, t.p, 500);
	first = z.n;
	add_member(&z, t.p + 500, 400);
	for (n = 3; n < z.n; n++) {
		struct bytes got = {0};

		save("cut", z.p, n);
		pp_mem_init(&mem, 0);
		in = pp_input_open(&mem, file_at("cut"), 64, &err);
		assert_non_null(in);
		drain(in, 64, USE_ALL, &got);
		assert_true(got.n <= t.n);
		if (got.n)
			assert_memory_equal(got.p, t.p, got.n);
		if (n >= first)
			assert_true(got.n >= 500);
		if (n >= z.n - 8)
			assert_int_equal(got.n, t.n);
		err = pp_input_error(in);
		if (n == first)
			assert_int_equal(err.n, 0);
		else if (n > first && n < first + 3)
			assert_non_null(strstr(err.p, "is not gzip data"));
		else
			assert_non_null(strstr(err.p, "cut off"));
		pp_input_close(in);
		pp_mem_free_all(&mem);
		drop(&got);
	}
	drop(&t);
	drop(&z);
}

/* Every byte changed: no crash, no more than a told end. */
static void
test_gzip_damage(void **state)
{
	struct bytes t = {0}, z = {0};
	struct pp_mem mem;
	struct pp_input *in;
	size_t i, told = 0;
	pp_str err;

	(void)state;
	make_text(&t, 700, true);
	add_member(&z, t.p, t.n);
	for (i = 0; i < z.n; i++) {
		struct bytes got = {0};

		z.p[i] = (char)(z.p[i] ^ 0x55);
		save("bad", z.p, z.n);
		z.p[i] = (char)(z.p[i] ^ 0x55);
		pp_mem_init(&mem, 0);
		in = pp_input_open(&mem, file_at("bad"), 64, &err);
		assert_non_null(in);
		drain(in, 64, USE_ALL, &got);
		told += pp_input_error(in).n > 0;
		pp_input_close(in);
		pp_mem_free_all(&mem);
		drop(&got);
	}
	/* all but magic (then it is plain), time, extra flags and system */
	assert_true(told >= z.n - 10);
	z.p[z.n - 8] = (char)(z.p[z.n - 8] ^ 1);
	save("bad", z.p, z.n);
	expect_chunks("bad", 64, USE_ALL, t.p, t.n,
	    "damaged gzip data near byte");
	drop(&t);
	drop(&z);
}

/* Compressors by their own programs: two members, a cut and a tail. */
static void
check_program(const char *program, const char *name, bool built)
{
	char cmd[1200];
	struct bytes t = {0}, z = {0};
	struct pp_mem mem;
	pp_str err = {0};
	size_t half;

	make_text(&t, 200003, true);
	save("one", t.p, 150000);
	save("two", t.p + 150000, t.n - 150000);
	snprintf(cmd, sizeof(cmd), "cd '%s' && command -v %s >/dev/null && "
	    "%s -c <one >packed && %s -c <two >packed2", dir, program,
	    program, program);
	if (system(cmd) != 0) {
		drop(&t);
		skip();
	}
	load("packed", &z);
	half = z.n;
	load("packed2", &z);
	save("packed", z.p, z.n);
	if (!built) {
		pp_mem_init(&mem, 0);
		assert_null(pp_input_open(&mem, file_at("packed"), 0, &err));
		assert_non_null(strstr(err.p, "this build cannot read"));
		pp_mem_free_all(&mem);
		drop(&t);
		drop(&z);
		skip();
	}
	expect_sizes("packed", t.p, t.n, NULL);
	add(&z, "\0\0\0\0", 4);
	save("packed", z.p, z.n);
	expect_chunks("packed", 64, USE_ALL, t.p, t.n, NULL);
	add(&z, "behind the data", 15);
	save("packed", z.p, z.n);
	expect_chunks("packed", 64, USE_ALL, t.p, t.n, "and is ignored");
	save("packed", z.p, half);
	expect_chunks("packed", 4096, USE_ALL, t.p, 150000, NULL);
	/* the end of the stream is missing, its data is not */
	save("packed", z.p, half - 1);
	expect_chunks("packed", 4096, USE_ALL, t.p, 150000, "cut off");
	/* damage in the second member leaves the first */
	z.p[half + 20] = (char)(z.p[half + 20] ^ 0x10);
	save("packed", z.p, z.n);
	pp_mem_init(&mem, 0);
	{
		struct bytes got = {0};
		struct pp_input *in = pp_input_open(&mem, file_at("packed"),
		    4096, &err);

		assert_non_null(in);
		drain(in, 4096, USE_ALL, &got);
		assert_true(got.n >= 150000);
		assert_memory_equal(got.p, t.p, 150000);
		err = pp_input_error(in);
		assert_non_null(strstr(err.p, name));
		pp_input_close(in);
		drop(&got);
	}
	drop(&t);
	drop(&z);
}

static void
test_gzip_program(void **state)
{
	(void)state;
	check_program("gzip", "gzip", true);
}

static void
test_bz2(void **state)
{
	(void)state;
#ifdef PP_HAVE_BZ2
	check_program("bzip2", "bz2", true);
#else
	check_program("bzip2", "bz2", false);
#endif
}

static void
test_xz(void **state)
{
	(void)state;
#ifdef PP_HAVE_LZMA
	check_program("xz", "xz", true);
#else
	check_program("xz", "xz", false);
#endif
}

static void
test_zstd(void **state)
{
	(void)state;
#ifdef PP_HAVE_ZSTD
	check_program("zstd", "zstd", true);
#else
	check_program("zstd", "zstd", false);
#endif
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gzip), cmocka_unit_test(test_bgzf),
		cmocka_unit_test(test_gzip_ratio),
		cmocka_unit_test(test_gzip_cut),
		cmocka_unit_test(test_gzip_damage),
		cmocka_unit_test(test_gzip_program),
		cmocka_unit_test(test_bz2),
		cmocka_unit_test(test_xz),
		cmocka_unit_test(test_zstd),
	};

	return cmocka_run_group_tests(tests, make_dir, drop_dir);
}
