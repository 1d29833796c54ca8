/*
 * test_table.c: rows put together into batches.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "../model/table.h"

static const struct pp_column columns[] = {
    {"name", PP_T_TEXT, "a name"},
    {"id", PP_T_ID, "an id"},
    {"at", PP_T_TIME, "a time of day"},
    {"count", PP_T_INT, "a count"},
    {"time_s", PP_T_SECONDS, "a time"},
    {"share_pct", PP_T_DECIMAL, "a share"}};
static const struct pp_table table = {"t", "a row", "as given", columns, 6, 0};

#define BATCHES_MAX 16

/* Notes what arrives. */
struct spy {
	struct pp_rowsink sink;
	int begun, ended;
	size_t batches, rows[BATCHES_MAX];
	uint64_t total, sum;
	enum pp_status on_begin, on_rows, on_end;
};

static enum pp_status
spy_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct spy *spy = (struct spy *)s;

	assert_ptr_equal(t, &table);
	spy->begun++;
	return spy->on_begin;
}

static enum pp_status
spy_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct spy *spy = (struct spy *)s;
	char want[32];
	size_t i;

	assert_ptr_equal(b->table, &table);
	assert_in_range(b->rows, 1, PP_BATCH_ROWS);
	for (i = 0; i < b->rows; i++, spy->total++) {
		if (b->tags[0][i] == 0)
			continue;
		/* each text must still be there, whole */
		snprintf(want, sizeof(want), "%llu",
		    (unsigned long long)spy->total);
		assert_int_equal(b->tags[0][i], 1);
		assert_true(pp_str_starts(b->cells[0][i].str,
		    pp_str_from(want)));
		assert_int_equal(b->tags[1][i], 1);
		assert_true(pp_str_eq(b->cells[1][i].str, PP_STR("0012")));
		assert_int_equal(b->tags[2][i], 0);
		assert_int_equal(b->tags[3][i], 1);
		spy->sum += (uint64_t)b->cells[3][i].num;
		assert_int_equal(b->tags[4][i], 7);
		assert_int_equal(b->cells[4][i].num, -5);
		assert_int_equal(b->tags[5][i], 3);
	}
	if (spy->batches < BATCHES_MAX)
		spy->rows[spy->batches] = b->rows;
	spy->batches++;
	return spy->on_rows;
}

static enum pp_status
spy_end(struct pp_rowsink *s, const struct pp_table *t)
{
	struct spy *spy = (struct spy *)s;

	assert_ptr_equal(t, &table);
	spy->ended++;
	return spy->on_end;
}

static const struct pp_rowsink spy_sink = {spy_begin, spy_rows, spy_end};

static void
put_row(struct pp_rows *r, size_t i, size_t text)
{
	static char buf[100032];
	size_t n = (size_t)snprintf(buf, 32, "%zu", i);

	assert_true(text <= 100000);
	memset(buf + n, 'x', text);
	pp_put_text(r, (pp_str){buf, n + text});
	pp_put_str_or_null(r, PP_STR("0012"));
	pp_put_str_or_null(r, PP_STR(""));
	pp_put_int(r, (pp_i128)i);
	pp_put_dec(r, -5, 6);
	pp_put_dec(r, 10000, 2);
	pp_row_end(r);
}

static void
batches(void **state)
{
	static const size_t counts[] = {0, 1, 1023, 1024, 1025, 3000};
	struct pp_mem mem;
	struct pp_rows r;
	size_t k, i;

	(void)state;
	pp_mem_init(&mem, 0);
	for (k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
		struct spy spy = {.sink = spy_sink};

		pp_rows_open(&r, &mem, &spy.sink, &table);
		assert_int_equal(spy.begun, 1);
		for (i = 0; i < counts[k]; i++)
			put_row(&r, i, 10);
		assert_int_equal(r.total, counts[k]);
		assert_int_equal(pp_rows_close(&r), PP_OK);
		assert_int_equal(spy.ended, 1);
		assert_int_equal(spy.total, counts[k]);
		assert_int_equal(spy.sum,
		    counts[k] ? counts[k] * (counts[k] - 1) / 2 : 0);
		assert_int_equal(spy.batches, (counts[k] + 1023) / 1024);
		assert_int_equal(mem.used, 0);
	}
	pp_mem_free_all(&mem);
}

static void
null_rows(void **state)
{
	struct spy spy = {.sink = spy_sink};
	struct pp_mem mem;
	struct pp_rows r;

	(void)state;
	pp_mem_init(&mem, 0);
	pp_rows_open(&r, &mem, &spy.sink, &table);
	put_row(&r, 0, 0);
	pp_put_nulls(&r, 6);
	pp_row_end(&r);
	put_row(&r, 2, 0);
	assert_int_equal(pp_rows_close(&r), PP_OK);
	assert_int_equal(spy.total, 3);
	assert_int_equal(spy.sum, 2);
	pp_mem_free_all(&mem);
}

/* 20 texts of 100 KB do not wait for 1,024 rows. */
static void
long_texts_go_early(void **state)
{
	struct spy spy = {.sink = spy_sink};
	struct pp_mem mem;
	struct pp_rows r;
	size_t i;

	(void)state;
	pp_mem_init(&mem, 0);
	pp_rows_open(&r, &mem, &spy.sink, &table);
	for (i = 0; i < 2000; i++)
		put_row(&r, i, 100000);
	assert_int_equal(pp_rows_close(&r), PP_OK);
	assert_int_equal(spy.total, 2000);
	assert_int_equal(spy.rows[0], 11);
	assert_true(mem.peak < 4 * 1024 * 1024);
	pp_mem_free_all(&mem);
}

static void
statuses(void **state)
{
	struct pp_mem mem;
	struct pp_rows r;
	size_t i;

	(void)state;
	pp_mem_init(&mem, 0);
	{
		/* a warning goes on, and stays the worst */
		struct spy spy = {.sink = spy_sink, .on_rows = PP_WARN};

		pp_rows_open(&r, &mem, &spy.sink, &table);
		for (i = 0; i < 3000; i++)
			put_row(&r, i, 0);
		assert_int_equal(pp_rows_close(&r), PP_WARN);
		assert_int_equal(spy.batches, 3);
		assert_int_equal(spy.ended, 1);
	}
	{
		/* a failure is the last that the sink hears */
		struct spy spy = {.sink = spy_sink, .on_rows = PP_FATAL};

		pp_rows_open(&r, &mem, &spy.sink, &table);
		for (i = 0; i < 3000; i++)
			put_row(&r, i, 0);
		assert_int_equal(r.status, PP_FATAL);
		assert_int_equal(pp_rows_close(&r), PP_FATAL);
		assert_int_equal(spy.batches, 1);
		assert_int_equal(spy.ended, 0);
	}
	{
		struct spy spy = {.sink = spy_sink, .on_begin = PP_FAILED};

		pp_rows_open(&r, &mem, &spy.sink, &table);
		put_row(&r, 0, 0);
		assert_int_equal(pp_rows_close(&r), PP_FAILED);
		assert_int_equal(spy.batches, 0);
		assert_int_equal(spy.ended, 0);
	}
	{
		struct spy spy = {.sink = spy_sink, .on_end = PP_FATAL};

		pp_rows_open(&r, &mem, &spy.sink, &table);
		assert_int_equal(pp_rows_close(&r), PP_FATAL);
	}
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
}

/* Wherever memory ends, the run gets its trap and frees all. */
static void
memory_ends_anywhere(void **state)
{
	volatile long n;
	volatile bool done = false;
	jmp_buf trap;

	(void)state;
	for (n = 0; !done && n < 1000; n++) {
		struct spy spy = {.sink = spy_sink};
		struct pp_mem mem;
		struct pp_rows r;
		size_t i;

		pp_mem_init(&mem, 0);
		mem.trap = &trap;
		mem.fail_after = n;
		if (setjmp(trap) == 0) {
			pp_rows_open(&r, &mem, &spy.sink, &table);
			for (i = 0; i < 2000; i++)
				put_row(&r, i, 100);
			assert_int_equal(pp_rows_close(&r), PP_OK);
			done = true;
		} else
			assert_true(mem.failed);
		pp_mem_free_all(&mem);
	}
	assert_true(done);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches),
		cmocka_unit_test(null_rows),
		cmocka_unit_test(long_texts_go_early),
		cmocka_unit_test(statuses),
		cmocka_unit_test(memory_ends_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
