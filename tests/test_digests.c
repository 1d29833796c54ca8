/*
 * test_digests.c: cells of digest rows to exact numbers and times, and the
 * store that adds rows up.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "../readers/digests.h"

/* Does the text mean v, in this way? */
static void
check(enum dg_parsed (*parse)(pp_str, int, pp_i128 *), const char *text,
    int exponent, enum dg_parsed how, const char *v)
{
	char buf[PP_DEC_MAX + 1];
	pp_i128 got = 0;

	assert_int_equal(parse(pp_str_from(text), exponent, &got), how);
	if (v == NULL)
		return;
	buf[pp_dec_format(buf, got, 0)] = '\0';
	assert_string_equal(buf, v);
}

static void
test_numbers(void **state)
{
	(void)state;
	check(dg_number, "0", 0, DG_OK, "0");
	check(dg_number, "18446744073709551615", 0, DG_OK,
	    "18446744073709551615");
	check(dg_number, " 12 ", 0, DG_OK, "12");
	check(dg_number, "\xc2\xa0" "12\xc2\xa0\xc2\xa0", 0, DG_OK, "12");
	check(dg_number, "200.438896", 9, DG_OK, "200438896000");
	/* half up at the picosecond, from the first digit beyond it */
	check(dg_number, "0.0000000005", 9, DG_OK, "1");
	check(dg_number, "0.00000000049999", 9, DG_OK, "0");
	check(dg_number, "12.345677999999999", 9, DG_OK, "12345678000");
	check(dg_number, "1e3", 9, DG_OK, "1000000000000");
	check(dg_number, "6.70E-05", 12, DG_OK, "67000000");
	check(dg_number, "5e-324", 12, DG_OK, "0");
	check(dg_number, "-595", 0, DG_NEGATIVE, "-595");
	check(dg_number, "-0.000", 0, DG_OK, "0");
	check(dg_number, "1234567890123456789012345678901234567890", 0,
	    DG_BAD, NULL);
	check(dg_number, "1e400", 0, DG_BAD, NULL);
	check(dg_number, "0e99999999999", 0, DG_OK, "0");
	check(dg_number, "", 0, DG_BAD, NULL);
	check(dg_number, ".", 0, DG_BAD, NULL);
	check(dg_number, "1.2.3", 0, DG_BAD, NULL);
	check(dg_number, "12 ms", 0, DG_BAD, NULL);
	check(dg_number, "1e", 0, DG_BAD, NULL);
	check(dg_number, "0x10", 0, DG_BAD, NULL);
}

static void
test_units(void **state)
{
	(void)state;
	check(dg_time, "  0 ps", 0, DG_ROUGH, "0");
	check(dg_time, "999 ps", 0, DG_ROUGH, "999");
	check(dg_time, "348.00 ns", 0, DG_ROUGH, "348000");
	check(dg_time, "495.02 us", 0, DG_ROUGH, "495020000");
	check(dg_time, "1.5 ms", 0, DG_ROUGH, "1500000000");
	check(dg_time, "2.00 s", 0, DG_ROUGH, "2000000000000");
	/* minutes, in both spellings */
	check(dg_time, "1 m", 0, DG_ROUGH, "60000000000000");
	check(dg_time, "1.50 min", 0, DG_ROUGH, "90000000000000");
	check(dg_time, "1.00 h", 0, DG_ROUGH, "3600000000000000");
	check(dg_time, "1.00 d", 0, DG_ROUGH, "86400000000000000");
	check(dg_time, "16.53 w", 0, DG_ROUGH, "9997344000000000000");
	check(dg_time, "12", 6, DG_OK, "12000000");
	check(dg_time, "12 parsecs", 0, DG_BAD, NULL);
}

static void
check_at(const char *text, enum dg_parsed how, const char *want)
{
	struct pp_digest_at at;
	char buf[48];

	assert_int_equal(dg_at(pp_str_from(text), &at), how);
	if (how != DG_OK)
		return;
	buf[pp_digest_at_format(buf, &at)] = '\0';
	assert_string_equal(buf, want);
}

static void
test_times(void **state)
{
	(void)state;
	check_at("2024-03-01 08:00:00", DG_OK, "2024-03-01T08:00:00");
	check_at("2024-02-29 08:00:00.123456", DG_OK,
	    "2024-02-29T08:00:00.123456");
	check_at("2021-09-14T13:49:55.576024Z", DG_OK,
	    "2021-09-14T13:49:55.576024+00:00");
	check_at("2024-05-02 06:00:00.1234567 +02:00", DG_OK,
	    "2024-05-02T06:00:00.123456+02:00");
	check_at("2024-05-02 06:00:00.5-0330", DG_OK,
	    "2024-05-02T06:00:00.5-03:30");
	check_at("1709280000", DG_OK, "2024-03-01T08:00:00+00:00");
	check_at("2024-03-01", DG_OK, "2024-03-01T00:00:00");
	check_at("0000-00-00 00:00:00", DG_NULL, NULL);
	check_at("0000-00-00 00:00:00.000000", DG_NULL, NULL);
	check_at("0", DG_NULL, NULL);
	check_at("", DG_NULL, NULL);
	check_at("2024-13-01 08:00:00", DG_BAD, NULL);
	check_at("2024-03-01 25:00:00", DG_BAD, NULL);
	check_at("2024-03-01 08:00:00 somewhere", DG_BAD, NULL);
	check_at("yesterday", DG_BAD, NULL);
}

static void
test_null(void **state)
{
	static const char *const nulls[] = {"NULL", "\\N", "<null>",
	    "(null)", "NULL \xc2\xa0"};
	struct pp_rs_cell c = {PP_STR(""), PP_CELL_NULL};
	size_t i;

	(void)state;
	assert_true(dg_null(&c));
	c.state = PP_CELL_ABSENT;
	assert_true(dg_null(&c));
	c.state = PP_CELL_TEXT;
	assert_false(dg_null(&c));
	for (i = 0; i < sizeof(nulls) / sizeof(nulls[0]); i++) {
		c.text = pp_str_from(nulls[i]);
		assert_true(dg_null(&c));
	}
	c.text = PP_STR("NULLABLE");
	assert_false(dg_null(&c));
}

/* A row of the native digest n with some figures. */
static struct pp_digest
row(struct pp_digests *d, const char *native, uint64_t calls, pp_i128 total)
{
	struct pp_digest x;

	memset(&x, 0, sizeof(x));
	x.rows = 1;
	x.has = 1u << PP_DG_CALLS | PP_DG_HAS_TOTAL;
	x.count[PP_DG_CALLS] = x.timed = calls;
	x.total = total;
	x.native = pp_strtab_id(&d->strings, pp_str_from(native));
	return x;
}

static void
test_store(void **state)
{
	struct pp_digests *d;
	struct pp_digest x, *e;
	struct pp_model m;
	struct pp_mem mem;
	uint32_t at, was;

	(void)state;
	pp_mem_init(&mem, 0);
	pp_model_init(&m, &mem, NULL, "/tmp");
	d = pp_digests(&m);
	assert_ptr_equal(pp_digests(&m), d);
	x = row(d, "aa", 3, (pp_i128)UINT64_MAX);
	pp_digest_name(d, &x, PP_DG_MYSQL, PP_STR("SELECT ? "), false);
	assert_int_equal(x.kind, PP_DG_TEXT);
	at = pp_digests_add(d, &x, &was);
	assert_int_equal(was, 0);
	x = row(d, "aa", 1, (pp_i128)UINT64_MAX);
	pp_digest_name(d, &x, PP_DG_MYSQL, PP_STR("SELECT ? ..."), false);
	assert_int_equal(pp_digests_add(d, &x, &was), at);
	e = pp_digest_at(d, at);
	assert_true(e->total == (pp_i128)UINT64_MAX * 2);
	assert_int_equal(e->count[PP_DG_CALLS], 4);
	assert_int_equal(e->texts, 2);
	assert_int_equal(e->rows, 2);
	/* half up: 2 x (2^64 - 1) / 4 */
	assert_true(pp_digest_average(e, 12) ==
	    ((pp_i128)UINT64_MAX * 2 + 2) / 4);
	/* a row without texts is another one, and finds its text later */
	x = row(d, "0123456789abcdef0123456789abcdef", 1, 1);
	x.source = 1;
	pp_digest_name(d, &x, PP_DG_MYSQL, PP_STR(""), false);
	assert_int_equal(x.kind, PP_DG_NATIVE);
	at = pp_digests_add(d, &x, &was);
	x = row(d, "0123456789abcdef0123456789abcdef", 1, 1);
	x.source = 2;
	pp_digest_name(d, &x, PP_DG_MYSQL, PP_STR("COMMIT"), false);
	pp_digests_add(d, &x, &was);
	pp_digests_resolve(d);
	assert_int_equal(pp_digest_at(d, at)->kind, PP_DG_TEXT);
	assert_int_equal(pp_digest_at(d, at)->id[0], x.id[0]);
	pp_mem_free_all(&mem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_null),
		cmocka_unit_test(test_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
