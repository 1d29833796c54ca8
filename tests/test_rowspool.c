/*
 * test_rowspool.c: rows kept until their table has its turn.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../model/log/rowspool.h"

static const struct pp_column columns[] = {
    {"name", PP_T_TEXT, "a name"},
    {"count", PP_T_INT, "a count"},
    {"time_s", PP_T_SECONDS, "a time"},
    {"id", PP_T_ID, "an id"}};
static const struct pp_table first = {"first", "", "", columns, 4,
    PP_TABLE_RAW};
static const struct pp_table second = {"second", "", "", columns, 3,
    PP_TABLE_RAW};
static const struct pp_table third = {"third", "", "", columns, 1,
    PP_TABLE_RAW};

/* What row i of table t holds, made anew to compare. */
struct row {
	char name[64];
	size_t n;
	pp_i128 count, time;
	unsigned scale;
	bool has_name, has_count, has_id;
};

static struct row
row_of(const struct pp_table *t, uint64_t i)
{
	static const int64_t edges[] = {0, 1, -1, 63, 64, -64, -65, 127, 128,
	    INT64_MAX, INT64_MIN};
	uint64_t h = pp_hash_mix(i * 31 + t->ncolumns);
	struct row r;

	memset(&r, 0, sizeof(r));
	r.n = (size_t)snprintf(r.name, sizeof(r.name), "%s %llu", t->name,
	    (unsigned long long)(i / 7));
	if (i % 50 == 0)
		r.n = 0;
	r.has_name = i % 11 != 3;
	r.has_count = i % 5 != 2;
	r.has_id = i % 3 == 0;
	r.count = i % 4 == 0 ? (pp_i128)edges[i / 4 % 11] :
	    (pp_i128)(int64_t)h * (int64_t)h * (i % 2 ? 1 : -1);
	if (i % 1000 == 1)
		r.count = (pp_i128)(((pp_u128)1 << 127) - 1);
	if (i % 1000 == 3)
		r.count = -(pp_i128)(((pp_u128)1 << 127) - 1) - 1;
	r.time = (pp_i128)(i / 3);
	r.scale = i % 2 ? 6 : 12;
	return r;
}

static void
put(struct pp_rows *to, const struct pp_table *t, uint64_t i)
{
	struct row r = row_of(t, i);

	if (r.has_name)
		pp_put_text(to, (pp_str){r.name, r.n});
	else
		pp_put_null(to);
	if (t->ncolumns > 1) {
		if (r.has_count)
			pp_put_int(to, r.count);
		else
			pp_put_null(to);
		pp_put_dec(to, r.time, r.scale);
	}
	if (t->ncolumns > 3) {
		if (r.has_id)
			pp_put_str(to, PP_STR("0012"));
		else
			pp_put_null(to);
	}
	pp_row_end(to);
}

struct into_spool {
	struct pp_rowsink sink;
	struct pp_rowspool spool;
};

static enum pp_status
no_table(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	(void)t;
	return PP_OK;
}

static enum pp_status
spool_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	return pp_rowspool_rows(&((struct into_spool *)s)->spool, b);
}

static const struct pp_rowsink spool_sink = {no_table, spool_rows, no_table};

struct check {
	struct pp_rowsink sink;
	const struct pp_table *table;
	uint64_t rows;
	int begun, ended;
	uint64_t fail_at;
};

static enum pp_status
check_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct check *c = (struct check *)s;

	assert_ptr_equal(t, c->table);
	c->begun++;
	return PP_OK;
}

static enum pp_status
check_end(struct pp_rowsink *s, const struct pp_table *t)
{
	struct check *c = (struct check *)s;

	assert_ptr_equal(t, c->table);
	c->ended++;
	return PP_OK;
}

static enum pp_status
check_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct check *c = (struct check *)s;
	const struct pp_table *t = b->table;
	size_t i;

	assert_ptr_equal(t, c->table);
	assert_in_range(b->rows, 1, PP_BATCH_ROWS);
	for (i = 0; i < b->rows; i++, c->rows++) {
		struct row r = row_of(t, c->rows);

		assert_int_equal(b->tags[0][i], r.has_name);
		if (r.has_name)
			assert_true(pp_str_eq(b->cells[0][i].str,
			    (pp_str){r.name, r.n}));
		if (t->ncolumns == 1)
			continue;
		assert_int_equal(b->tags[1][i], r.has_count);
		if (r.has_count)
			assert_true(b->cells[1][i].num == r.count);
		assert_int_equal(b->tags[2][i], r.scale + 1);
		assert_true(b->cells[2][i].num == r.time);
		if (t->ncolumns == 3)
			continue;
		assert_int_equal(b->tags[3][i], r.has_id);
		if (r.has_id)
			assert_true(pp_str_eq(b->cells[3][i].str,
			    PP_STR("0012")));
	}
	return c->fail_at != 0 && c->rows >= c->fail_at ? PP_FATAL : PP_OK;
}

static const struct pp_rowsink check_sink = {check_begin, check_rows,
    check_end};

static void
comes_back(struct into_spool *in, const struct pp_table *t, uint64_t rows)
{
	struct check c = {.sink = check_sink, .table = t};

	assert_int_equal(pp_rowspool_replay(&in->spool, t, &c.sink), PP_OK);
	assert_int_equal(c.begun, 1);
	assert_int_equal(c.ended, 1);
	assert_int_equal(c.rows, rows);
}

/* Fill two tables at once, then read them one by one. */
static void
there_and_back(uint64_t rows, bool spills)
{
	struct into_spool in = {.sink = spool_sink};
	struct pp_mem mem;
	struct pp_rows a, b;
	uint64_t i;

	pp_mem_init(&mem, 0);
	pp_rowspool_init(&in.spool, &mem, "/tmp");
	pp_rows_open(&a, &mem, &in.sink, &first);
	pp_rows_open(&b, &mem, &in.sink, &second);
	for (i = 0; i < rows; i++) {
		put(&a, &first, i);
		if (i % 3 == 0)
			put(&b, &second, i / 3);
	}
	assert_int_equal(pp_rows_close(&b), PP_OK);
	assert_int_equal(pp_rows_close(&a), PP_OK);
	assert_int_equal(in.spool.fd >= 0, spills);
	comes_back(&in, &second, (rows + 2) / 3);
	comes_back(&in, &first, rows);
	comes_back(&in, &third, 0);
	assert_true(mem.peak < 4 * 1024 * 1024);
	pp_rowspool_free(&in.spool);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
}

static void
in_memory(void **state)
{
	(void)state;
	there_and_back(0, false);
	there_and_back(1, false);
	there_and_back(1024, false);
	there_and_back(5000, false);
}

static void
in_a_file(void **state)
{
	(void)state;
	there_and_back(200000, true);
}

static enum pp_status
long_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct check *c = (struct check *)s;
	size_t i;

	for (i = 0; i < b->rows; i++, c->rows++) {
		assert_int_equal(b->cells[0][i].str.n, 300000);
		assert_int_equal(b->cells[0][i].str.p[0], 'a' + c->rows % 26);
		assert_int_equal(b->cells[0][i].str.p[299999],
		    'a' + c->rows % 26);
	}
	return PP_OK;
}

/* Texts larger than a block: memory follows the text, not their number. */
static void
long_texts(void **state)
{
	struct into_spool in = {.sink = spool_sink};
	struct check c = {.sink = check_sink, .table = &third};
	char *text = test_malloc(300000);
	struct pp_mem mem;
	struct pp_rows r;
	int i;

	(void)state;
	c.sink.rows = long_rows;
	pp_mem_init(&mem, 0);
	pp_rowspool_init(&in.spool, &mem, "/tmp");
	pp_rows_open(&r, &mem, &in.sink, &third);
	for (i = 0; i < 100; i++) {
		memset(text, 'a' + i % 26, 300000);
		pp_put_text(&r, (pp_str){text, 300000});
		pp_row_end(&r);
	}
	assert_int_equal(pp_rows_close(&r), PP_OK);
	assert_int_equal(pp_rowspool_replay(&in.spool, &third, &c.sink), PP_OK);
	assert_int_equal(c.rows, 100);
	assert_true(mem.peak < 8 * 1024 * 1024);
	pp_mem_free_all(&mem);
	if (in.spool.fd >= 0)
		close(in.spool.fd);
	test_free(text);
}

static void
failures(void **state)
{
	struct into_spool in = {.sink = spool_sink};
	struct check c = {.sink = check_sink, .table = &first};
	struct pp_mem mem;
	struct pp_rows r;
	uint64_t i;

	(void)state;
	pp_mem_init(&mem, 0);
	/* no folder for the file */
	pp_rowspool_init(&in.spool, &mem, "/proc/none");
	pp_rows_open(&r, &mem, &in.sink, &first);
	for (i = 0; i < 200000; i++)
		put(&r, &first, i);
	assert_int_equal(r.status, PP_FATAL);
	assert_int_equal(pp_rows_close(&r), PP_FATAL);
	assert_int_equal(in.spool.error, ENOENT);
	pp_rowspool_free(&in.spool);

	/* one that asks to stop is heard, and its table not ended */
	pp_rowspool_init(&in.spool, &mem, "/tmp");
	pp_rows_open(&r, &mem, &in.sink, &first);
	for (i = 0; i < 200000; i++)
		put(&r, &first, i);
	assert_int_equal(pp_rows_close(&r), PP_OK);
	c.fail_at = 1;
	assert_int_equal(pp_rowspool_replay(&in.spool, &first, &c.sink),
	    PP_FATAL);
	assert_true(c.rows <= PP_BATCH_ROWS);
	assert_int_equal(c.ended, 0);

	/* a file cut behind our back */
	c = (struct check){.sink = check_sink, .table = &first};
	assert_true(in.spool.written > 1000000);
	assert_int_equal(ftruncate(in.spool.fd, 1000000), 0);
	assert_int_equal(pp_rowspool_replay(&in.spool, &first, &c.sink),
	    PP_FATAL);
	assert_int_equal(in.spool.error, EIO);
	assert_int_equal(c.ended, 0);
	pp_rowspool_free(&in.spool);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_memory),
		cmocka_unit_test(in_a_file),
		cmocka_unit_test(long_texts),
		cmocka_unit_test(failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
