/*
 * test_columns_limits.c: what a writer of columns makes, a reader takes,
 * however wide the table and however long its texts; and a reader makes no
 * room on the word of a directory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../model/container/bytes.h"
#include "../model/container/columns.h"
#include "../model/container/columns_code.h"
#include "column_bytes.h"

#define WIDE 512
#define LONG ((size_t)3 << 19)	/* bytes of a long text */

static uint64_t
noise(uint64_t i, uint64_t k)
{
	return pp_hash_mix((i * 1031 + k) * 0x9e3779b97f4a7c15u + 1);
}

static struct pp_column columns[WIDE];

static void
declare(struct pp_table *t, size_t n)
{
	static char names[WIDE][8];
	static const enum pp_type types[] = {PP_T_INT, PP_T_TEXT, PP_T_ID,
	    PP_T_TIME, PP_T_SECONDS};
	size_t i;

	for (i = 0; i < n; i++) {
		snprintf(names[i], sizeof(names[i]), "c%u", (unsigned)i);
		columns[i] = (struct pp_column){names[i],
			n == WIDE ? PP_T_INT : types[i % 5], ""};
	}
	*t = (struct pp_table){"t", "", "", columns, n, PP_TABLE_RAW};
}

/* What each test keeps, and reads back, in a run of its own. */
struct run {
	struct pp_mem mem;
	struct bytes b;
	struct pp_columns_out *o;
	struct pp_rows r;
	struct pp_columns_in *in;
	struct pp_columns_rows rows;
	struct pp_arena text;
};

static void
begin(struct run *u, const struct pp_table *t)
{
	memset(u, 0, sizeof(*u));
	pp_mem_init(&u->mem, 0);
	pp_arena_init(&u->text, &u->mem, 4096);
	u->o = pp_columns_out(&u->mem, put, &u->b);
	pp_rows_open(&u->r, &u->mem, pp_columns_sink(u->o), t);
}

static void
turn(struct run *u)
{
	assert_int_equal(pp_rows_close(&u->r), PP_OK);
	assert_true(pp_columns_out_close(u->o));
	u->in = pp_columns_in(&u->mem, u->b.n, get, &u->b);
	assert_non_null(u->in);
}

static void
end(struct run *u)
{
	pp_columns_rows_free(&u->rows, &u->mem);
	pp_columns_in_close(u->in);
	pp_arena_free(&u->text);
	assert_int_equal(u->mem.used, 0);
	pp_mem_free_all(&u->mem);
	free(u->b.p);
}

/* Call see for every row that comes back. */
static void
each(struct run *u, size_t rows, void (*see)(const struct pp_columns_rows *,
    size_t at, size_t row))
{
	const struct pp_columns_table *t = pp_columns_table(u->in,
	    PP_STR("t"));
	size_t from = 0, i;
	uint32_t k;

	assert_non_null(t);
	for (k = 0; k < t->nblocks; k++) {
		assert_true(pp_columns_read(u->in, t, k, NULL, &u->text,
		    &u->rows));
		for (i = 0; i < u->rows.rows; i++)
			see(&u->rows, i, from + i);
		from += u->rows.rows;
		pp_arena_reset(&u->text);
	}
	assert_int_equal(from, rows);
}

/* ------------------------------------------------- numbers of 128 bits */

static pp_i128
big(size_t row, size_t k)
{
	return (pp_i128)((pp_u128)noise(row, k) << 63 | noise(row, k + 1));
}

static void
see_big(const struct pp_columns_rows *b, size_t at, size_t row)
{
	size_t k;

	for (k = 0; k < WIDE; k++)
		assert_true(b->tags[k][at] == 1 &&
		    b->cells[k][at].num == big(row, k));
}

static void
test_wide(void **state)
{
	struct pp_table t;
	struct run u;
	size_t i, k;

	(void)state;
	declare(&t, WIDE);
	begin(&u, &t);
	for (i = 0; i < 9000; i++) {
		for (k = 0; k < WIDE; k++)
			pp_put_int(&u.r, big(i, k));
		pp_row_end(&u.r);
	}
	turn(&u);
	each(&u, 9000, see_big);
	end(&u);
}

/* --------------------------------- columns that are one value for long */

#define LATE 40
#define LATE_ROWS 20000

/* Column k changes first in row 450 k, and then now and then. */
static uint64_t
late(size_t row, size_t k)
{
	return row < k * 450 ? k : row % 1000 < 500 ? k + row % 7 : k;
}

static bool
late_null(size_t row, size_t k)
{
	return k % 3 == 2 && row >= k * 450 && row % 11 == 3;
}

static size_t
late_text(char *s, size_t row, size_t k)
{
	static const struct pp_time_form form = {6, false, 0};
	uint64_t v = late(row, k);

	switch (k % 5) {
	case 1:
		return (size_t)sprintf(s, "text %u", (unsigned)v);
	case 2:
		/* in one column a text that is no number comes late */
		return (size_t)sprintf(s, k == 7 && v > k + 4 ? "0%u" : "%u",
		    (unsigned)v);
	default:
		/* across seconds, and before 1970 */
		return pp_time_print(s, &form, (int64_t)v * 400001 -
		    (k == 8 ? 7000000 : 0));
	}
}

static void
see_late(const struct pp_columns_rows *b, size_t at, size_t row)
{
	char s[40];
	size_t k, n;

	for (k = 0; k < LATE; k++) {
		if (late_null(row, k)) {
			assert_int_equal(b->tags[k][at], 0);
			continue;
		}
		assert_int_equal(b->tags[k][at], k % 5 == 4 ? 7 : 1);
		if (k % 5 == 0 || k % 5 == 4) {
			assert_true(b->cells[k][at].num == late(row, k));
			continue;
		}
		n = late_text(s, row, k);
		assert_true(pp_str_eq(b->cells[k][at].str, (pp_str){s, n}));
	}
}

static void
test_late(void **state)
{
	struct pp_table t;
	struct run u;
	char s[40];
	size_t i, k;

	(void)state;
	declare(&t, LATE);
	begin(&u, &t);
	for (i = 0; i < LATE_ROWS; i++) {
		for (k = 0; k < LATE; k++) {
			if (late_null(i, k))
				pp_put_null(&u.r);
			else if (k % 5 == 0)
				pp_put_int(&u.r, (pp_i128)late(i, k));
			else if (k % 5 == 4)
				pp_put_dec(&u.r, (pp_i128)late(i, k), 6);
			else
				pp_put_text(&u.r, (pp_str){s,
				    late_text(s, i, k)});
		}
		pp_row_end(&u.r);
	}
	turn(&u);
	each(&u, LATE_ROWS, see_late);
	end(&u);
}

/* ------------------------------------------------------------ long texts */

static char *
long_text(size_t row, size_t n)
{
	char *s = malloc(n);
	size_t i;

	/* what deflate cannot make shorter */
	for (i = 0; i + 8 <= n; i += 8) {
		uint64_t v = noise(i, row);

		memcpy(s + i, &v, 8);
	}
	for (; i < n; i++)
		s[i] = 'x';
	return s;
}

static void
see_long(const struct pp_columns_rows *b, size_t at, size_t row)
{
	char *s = long_text(row, LONG);

	assert_true(b->cells[0][at].num == (pp_i128)row);
	assert_true(pp_str_eq(b->cells[1][at].str, (pp_str){s, LONG}));
	free(s);
}

static void
put_long(struct run *u, size_t row, size_t n)
{
	char *s = long_text(row, n);

	pp_put_int(&u->r, (pp_i128)row);
	pp_put_text(&u->r, (pp_str){s, n});
	pp_row_end(&u->r);
	free(s);
}

static void
test_long(void **state)
{
	struct pp_table t;
	struct run u;
	size_t i;

	(void)state;
	declare(&t, 2);
	begin(&u, &t);
	for (i = 0; i < 60; i++)
		put_long(&u, i, LONG);
	turn(&u);
	each(&u, 60, see_long);
	end(&u);
}

/* One text too long, or too much in one batch: no tables, but a stream. */
static void
test_too_long(void **state)
{
	struct pp_table t;
	struct run u;
	char *s;
	size_t i;

	(void)state;
	declare(&t, 2);
	begin(&u, &t);
	put_long(&u, 1, 100);
	put_long(&u, 2, PP_TEXT_MOST + 1);
	put_long(&u, 3, 100);
	turn(&u);
	assert_int_equal(u.in->ntables, 0);
	end(&u);

	begin(&u, &t);
	s = long_text(4, PP_TEXTS_MOST * 2);
	for (i = 0; i < 16; i++) {
		pp_put_int(&u.r, (pp_i128)i);
		pp_put_str(&u.r, (pp_str){s + i, PP_TEXTS_MOST / 8});
		pp_row_end(&u.r);
	}
	turn(&u);
	assert_int_equal(u.in->ntables, 0);
	end(&u);
	free(s);
}

/* ---------------------------------------------------------------- a lie */

/* A stream whose directory tells of a hundred million strings in a few
 * bytes. */
static void
test_lie(void **state)
{
	static const unsigned char block[] = {
		0, 0x80, 0xc2, 0xd7, 0x2f, /* 100,000,000 strings */
		0, 0,		/* no lengths, no bytes */
		0,		/* the block of t: stored */
		0, 1, 0, 0, 1, 0, 0 /* column 0: strings, tag 1, no miss */
	};
	static const unsigned char directory[] = {
		1, 0x80, 0xc2, 0xd7, 0x2f, 0, 7, /* strings, 0..7 */
		1, 1, 't', 0, 1, 1, 'c', 0, /* t, one column of text */
		1, 1, 7, 8	/* a row, 7..15 */
	};
	const struct pp_columns_table *t;
	struct pp_columns_rows rows = {.rows = 0};
	struct bytes b = {NULL, 0, 0};
	struct pp_columns_in *in;
	unsigned char foot[12];
	struct pp_arena text;
	struct pp_mem mem;
	jmp_buf trap;

	(void)state;
	put(&b, block, sizeof(block));
	put(&b, directory, sizeof(directory));
	pp_put32(foot, (uint32_t)sizeof(directory));
	pp_put32(foot + 4, 0);
	pp_put32(foot + 8, PP_COLUMNS_MAGIC);
	put(&b, foot, sizeof(foot));
	pp_mem_init(&mem, (size_t)8 << 20);
	mem.trap = &trap;
	if (setjmp(trap) != 0)
		fail_msg("more than 8 MiB wanted for 40 bytes");
	pp_arena_init(&text, &mem, 4096);
	in = pp_columns_in(&mem, b.n, get, &b);
	assert_non_null(in);
	t = pp_columns_table(in, PP_STR("t"));
	assert_non_null(t);
	assert_false(pp_columns_read(in, t, 0, NULL, &text, &rows));
	pp_columns_rows_free(&rows, &mem);
	pp_columns_in_close(in);
	pp_arena_free(&text);
	pp_mem_free_all(&mem);
	free(b.p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_lie),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
