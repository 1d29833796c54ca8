/*
 * test_base.c: numbers, memory with its trap, maps, strings, messages and
 * the event log's blocks.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../model/base/digits.h"
#include "../model/model.h"

static const char *
dec(char *buf, pp_i128 v, unsigned scale)
{
	buf[pp_dec_format(buf, v, scale)] = '\0';
	return buf;
}

static void
test_decimal_text(void **state)
{
	char b[PP_DEC_MAX + 1];
	pp_i128 max = (pp_i128)(~(pp_u128)0 >> 1);

	(void)state;
	assert_string_equal(dec(b, 0, 0), "0");
	assert_string_equal(dec(b, 0, 6), "0.000000");
	assert_string_equal(dec(b, -1, 6), "-0.000001");
	assert_string_equal(dec(b, 9066, 2), "90.66");
	assert_string_equal(dec(b, -1234567, 6), "-1.234567");
	assert_string_equal(dec(b, (pp_i128)1 << 100, 12),
	    "1267650600228229401.496703205376");
	assert_string_equal(dec(b, max, 0),
	    "170141183460469231731687303715884105727");
	assert_string_equal(dec(b, -max - 1, 0),
	    "-170141183460469231731687303715884105728");
	assert_string_equal(dec(b, (pp_i128)10000000000000000000u * 5, 0),
	    "50000000000000000000");
}

/* As printf has it, and no more than eight bytes are touched behind. */
static void
digits_are(uint64_t v)
{
	char got[40], want[48];
	size_t n = (size_t)snprintf(want, sizeof(want), "%" PRIu64, v);

	memset(got, '#', sizeof(got));
	assert_int_equal(pp_digits_put(got, v) - got, n);
	assert_memory_equal(got, want, n);
	assert_int_equal(got[n + 7], '#');
	n = (size_t)snprintf(want, sizeof(want), "%" PRIu64 ",%06u",
	    v / 1000000, (unsigned)(v % 1000000));
	memset(got, '#', sizeof(got));
	assert_int_equal(pp_digits_micros(got, v, ',') - got, n);
	assert_memory_equal(got, want, n);
	assert_int_equal(got[n + 7], '#');
}

static void
test_digits(void **state)
{
	uint64_t v, x = 88172645463325252u;
	unsigned i, k;

	(void)state;
	for (v = 0; v < 20000; v++)
		digits_are(v);
	for (i = 0; i < 64; i++)
		for (v = (UINT64_C(1) << i) - 2, k = 0; k < 5; k++)
			digits_are(v + k);
	for (i = 0; i < 19; i++)
		for (v = (uint64_t)pp_pow10[i] - 2, k = 0; k < 5; k++) {
			digits_are(v + k);
			digits_are((v + k) * 9);
		}
	digits_are(UINT64_MAX);
	for (i = 0; i < 100000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		digits_are(x >> i % 64);
	}
}

static void
test_decimal_parse(void **state)
{
	pp_i128 v;

	(void)state;
	assert_true(pp_dec_parse(PP_STR("-0.0015"), 6, &v) && v == -1500);
	assert_true(pp_dec_parse(PP_STR("12"), 2, &v) && v == 1200);
	assert_true(pp_dec_parse(PP_STR("1.2300"), 2, &v) && v == 123);
	assert_false(pp_dec_parse(PP_STR("1.2345"), 2, &v));
	assert_false(pp_dec_parse(PP_STR("1e5"), 2, &v));
	assert_false(pp_dec_parse(PP_STR("."), 2, &v));
	assert_false(pp_dec_parse(PP_STR(""), 2, &v));
	assert_false(pp_dec_parse(PP_STR(
	    "170141183460469231731687303715884105728"), 0, &v));
}

static void
test_rounding(void **state)
{
	(void)state;
	assert_true(pp_div_half_up(5, 2) == 3);
	assert_true(pp_div_half_up(-5, 2) == -3);
	assert_true(pp_div_half_up(4, 3) == 1);
	assert_true(pp_div_floor(-1, 4) == -1);
	assert_true(pp_dec_rescale(123456, 6, 2) == 12);
	assert_true(pp_dec_rescale(-125000, 6, 2) == -13);
	assert_true(pp_dec_rescale(9066, 2, 6) == 90660000);
}

static void
test_integers(void **state)
{
	uint64_t u;
	int64_t i;

	(void)state;
	assert_true(pp_u64_parse(PP_STR("18446744073709551615"), &u) &&
	    u == UINT64_MAX);
	assert_false(pp_u64_parse(PP_STR("18446744073709551616"), &u));
	assert_true(pp_i64_parse(PP_STR("-9223372036854775808"), &i) &&
	    i == INT64_MIN);
	assert_false(pp_i64_parse(PP_STR("9223372036854775808"), &i));
	assert_false(pp_i64_parse(PP_STR("-"), &i));
	assert_int_equal(pp_i64_add(INT64_MAX, 1), INT64_MAX);
	assert_int_equal(pp_i64_sub(INT64_MIN, 1), INT64_MIN);
	assert_int_equal(pp_i64_mul(INT64_MIN, -1), INT64_MAX);
}

static void
test_find(void **state)
{
	pp_str s = PP_STR("abcabc");

	(void)state;
	assert_int_equal(pp_str_find(s, PP_STR("ca")), 2);
	assert_int_equal(pp_str_find(s, PP_STR("x")), 6);
	assert_int_equal(pp_str_rfind(s, PP_STR("abc")), 3);
	assert_int_equal(pp_str_rfind(s, PP_STR("abcabca")), 6);
}

/* A refused allocation comes back at the trap, and all is freed after. */
static void
test_trap(void **state)
{
	struct pp_mem m;
	jmp_buf trap;
	volatile int granted = 0;

	(void)state;
	pp_mem_init(&m, 100000);
	m.trap = &trap;
	if (setjmp(trap) == 0) {
		for (;;) {
			memset(pp_mem_alloc(&m, 1000), 1, 1000);
			granted++;
		}
	}
	assert_int_equal(granted, 100);
	assert_true(m.failed);
	pp_mem_free_all(&m);
	assert_int_equal(m.used, 0);
}

/* Every allocation of a little work fails once. */
static void
test_allocation_sweep(void **state)
{
	volatile long n;
	volatile bool done = false;

	(void)state;
	for (n = 0; !done; n++) {
		struct pp_mem m;
		struct pp_model model;
		jmp_buf trap;
		unsigned i;

		pp_mem_init(&m, 0);
		m.fail_after = n;
		m.trap = &trap;
		if (setjmp(trap) == 0) {
			pp_model_init(&model, &m, NULL, "/tmp");
			for (i = 0; i < 500; i++) {
				char id[16];

				snprintf(id, sizeof(id), "s%u", i);
				pp_model_stmt(&model, pp_str_from(id));
				pp_strtab_id(&model.names, pp_str_from(id));
			}
			pp_diag_tell(&model.diag, PP_MSG_NOISE, 1, 0, "x");
			done = true;
		}
		pp_mem_free_all(&m);
	}
	assert_true(n > 5);
}

static void
test_arena(void **state)
{
	struct pp_mem m;
	struct pp_arena a;
	pp_str s, t;
	int i;

	(void)state;
	pp_mem_init(&m, 0);
	pp_arena_init(&a, &m, 256);
	s = pp_arena_str(&a, PP_STR("hello"));
	for (i = 0; i < 100; i++) {
		memset(pp_arena_alloc(&a, 200), 0xff, 200);
		memset(pp_arena_alloc(&a, 7), 0xff, 7);
	}
	t = pp_arena_str(&a, PP_STR("world"));
	assert_string_equal(s.p, "hello");
	assert_string_equal(t.p, "world");
	pp_arena_reset(&a);
	pp_arena_free(&a);
	assert_int_equal(m.used, 0);
}

static void
test_map(void **state)
{
	struct pp_mem m;
	struct pp_map map;
	uint64_t i;

	(void)state;
	pp_mem_init(&m, 0);
	pp_map_init(&map, &m);
	assert_int_equal(pp_map_get(&map, 1, 2), PP_MAP_NONE);
	for (i = 0; i < 10000; i++)
		*pp_map_at(&map, i << 40, i) = (uint32_t)i;
	for (i = 0; i < 10000; i++)
		assert_int_equal(pp_map_get(&map, i << 40, i), i);
	assert_int_equal(pp_map_get(&map, 1, 1), PP_MAP_NONE);
	assert_int_equal(map.count, 10000);
	pp_mem_free_all(&m);
}

static void
test_strtab(void **state)
{
	struct pp_mem m;
	struct pp_strtab t;
	char s[16];
	unsigned i;

	(void)state;
	pp_mem_init(&m, 0);
	pp_strtab_init(&t, &m);
	assert_int_equal(pp_strtab_id(&t, PP_STR("")), 0);
	for (i = 1; i < 5000; i++) {
		snprintf(s, sizeof(s), "name %u", i);
		assert_int_equal(pp_strtab_id(&t, pp_str_from(s)), i);
	}
	assert_int_equal(pp_strtab_id(&t, PP_STR("name 77")), 77);
	assert_int_equal(pp_strtab_find(&t, PP_STR("nobody")), UINT32_MAX);
	pp_mem_free_all(&m);
}

/* Ten of an id are printed, a thousand kept, the rest is one row. */
static void
test_messages(void **state)
{
	struct pp_mem m;
	struct pp_diag d;
	FILE *f = tmpfile();
	char line[300];
	int i, lines = 0;

	(void)state;
	assert_non_null(f);
	pp_mem_init(&m, 0);
	pp_diag_init(&d, &m, f);
	pp_diag_file(&d, 3, "a.trc");
	for (i = 0; i < 2500; i++)
		pp_diag_tell(&d, PP_MSG_CUT_RECORD, (uint64_t)i + 1, 7,
		    "cut record: %s", "WAIT");
	assert_true(d.partial);
	pp_diag_flush(&d);
	assert_int_equal(d.count, 1001);
	assert_int_equal(d.problems[1000].count, 1500);
	assert_int_equal(d.problems[0].source, 3);
	rewind(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (lines++ == 0)
			assert_string_equal(line, "profpivot: a.trc:1:7: "
			    "warning: cut record: WAIT [cut-record]\n");
	}
	assert_int_equal(lines, 11);
	assert_string_equal(line, "profpivot: a.trc: warning: 2490 more of "
	    "these [cut-record]\n");
	fclose(f);
	pp_mem_free_all(&m);
}

static void
fill(struct pp_eventlog *l, uint64_t n)
{
	uint64_t i;

	for (i = 0; i < n; i++) {
		struct pp_ev *e = &pp_log_add(l)->ev;

		memset(e, 0, sizeof(*e));
		e->end = (int64_t)i;
	}
}

/* An event stands in one block; the state at the end of each is known. */
static void
test_log_room(void **state)
{
	struct pp_mem m;
	struct pp_eventlog l;
	struct pp_log_cursor c;
	const union pp_slot *s;
	size_t n;

	(void)state;
	pp_mem_init(&m, 0);
	pp_log_init(&l, &m, "/tmp");
	pp_log_room(&l, PP_LOG_EVENT);
	fill(&l, PP_LOG_BLOCK - PP_LOG_EVENT);
	pp_log_room(&l, PP_LOG_EVENT);
	fill(&l, 1);
	l.session = 7;
	l.context = 9;
	pp_log_room(&l, PP_LOG_EVENT);
	pp_log_add(&l)->ev = (struct pp_ev){.kind = PP_EV_WAIT};
	pp_log_open(&c, &l, false);
	assert_int_equal(pp_log_next_block(&c, &s, &n), PP_OK);
	assert_int_equal(n, PP_LOG_BLOCK);
	assert_int_equal(s[PP_LOG_BLOCK - PP_LOG_EVENT + 1].ev.kind,
	    PP_EV_NONE);
	assert_int_equal(s[PP_LOG_BLOCK - 1].ev.kind, PP_EV_NONE);
	assert_int_equal(pp_log_next_block(&c, &s, &n), PP_OK);
	assert_int_equal(n, 1);
	assert_int_equal(s[0].ev.kind, PP_EV_WAIT);
	assert_int_equal(l.marks[0].session, 7);
	assert_int_equal(l.marks[0].context, 9);
	pp_log_close(&c);
	pp_log_free(&l);
	pp_mem_free_all(&m);
}

/* The log reads the same in both directions, in memory and spilled. */
static void
test_log_both_ways(void **state)
{
	static const uint64_t sizes[] = {0, 1, PP_LOG_BLOCK, PP_LOG_BLOCK + 1,
	    PP_LOG_BLOCK * PP_LOG_MEMORY, PP_LOG_BLOCK * PP_LOG_MEMORY + 1,
	    PP_LOG_BLOCK * (2 * PP_LOG_MEMORY + 3) + 5};
	struct pp_mem m;
	struct pp_eventlog l;
	size_t k, n, i;

	(void)state;
	pp_mem_init(&m, 0);
	pp_log_init(&l, &m, "/tmp");
	for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		struct pp_log_cursor c;
		const union pp_slot *s;
		uint64_t at = 0;

		pp_log_reset(&l);
		fill(&l, sizes[k]);
		assert_int_equal(pp_log_size(&l), sizes[k]);
		pp_log_open(&c, &l, false);
		while (pp_log_next_block(&c, &s, &n) == PP_OK && n > 0)
			for (i = 0; i < n; i++)
				assert_int_equal(s[i].ev.end, at++);
		assert_int_equal(at, sizes[k]);
		pp_log_close(&c);
		pp_log_open(&c, &l, true);
		while (pp_log_next_block(&c, &s, &n) == PP_OK && n > 0)
			for (i = n; i-- > 0;)
				assert_int_equal(s[i].ev.end, --at);
		assert_int_equal(at, 0);
		pp_log_close(&c);
	}
	pp_log_free(&l);
	assert_int_equal(m.used, 0);
}

/* A log that cannot spill says so and does not crash. */
static void
test_log_without_room(void **state)
{
	struct pp_mem m;
	struct pp_eventlog l;
	struct pp_log_cursor c;
	const union pp_slot *s;
	size_t n;

	(void)state;
	pp_mem_init(&m, 0);
	pp_log_init(&l, &m, "/nowhere/at/all");
	fill(&l, PP_LOG_BLOCK * (PP_LOG_MEMORY * 3));
	assert_int_equal(l.error, ENOENT);
	pp_log_open(&c, &l, true);
	assert_int_equal(pp_log_next_block(&c, &s, &n), PP_FATAL);
	pp_log_close(&c);
	pp_mem_free_all(&m);
}

/* MD5 of text + NUL: values published by Oracle's own V$SQL. */
static void
test_sql_id(void **state)
{
	char id[14];
	uint32_t hash;

	(void)state;
	pp_sql_id(PP_STR("select id, data from rowcache_test"), id, &hash);
	assert_string_equal(id, "4y53369cbbaqf");
	pp_sql_id(PP_STR("begin dbms_aqin.aq$_dequeue_in( :1, :2, :3, :4, :5,"
	    " :6, :7, :8, :9, :10, :11, :12, :13, :14, :15, :16, :17, :18,"
	    " :19, :20, :21, :22, :23, :24, :25, :26, :27, :28, :29); end; "),
	    id, &hash);
	assert_int_equal(hash, 562127231);
}

static void
test_wall(void **state)
{
	/* 2024-02-29 23:59:59.999999 +05:30 as local microseconds */
	struct pp_wall w = {INT64_C(1709251199999999), 330, true, true};
	char b[48];

	(void)state;
	b[pp_wall_format(b, &w, 0)] = '\0';
	assert_string_equal(b, "2024-02-29T23:59:59.999999+05:30");
	b[pp_wall_format(b, &w, 1)] = '\0';
	assert_string_equal(b, "2024-03-01T00:00:00.000000+05:30");
	w.has_offset = false;
	w.us = -1;
	b[pp_wall_format(b, &w, 0)] = '\0';
	assert_string_equal(b, "1969-12-31T23:59:59.999999");
	w.known = false;
	assert_int_equal(pp_wall_format(b, &w, 0), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decimal_text),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_decimal_parse),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_trap),
		cmocka_unit_test(test_allocation_sweep),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_strtab),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_log_both_ways),
		cmocka_unit_test(test_log_room),
		cmocka_unit_test(test_log_without_room),
		cmocka_unit_test(test_sql_id),
		cmocka_unit_test(test_wall),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
