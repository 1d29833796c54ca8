/*
 * test_columns.c: tables through columns and back, cell by cell.
 *
 * What must come back is what the test put in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../model/container/columns.h"
#include "../model/container/columns_code.h"
#include "column_bytes.h"

static const struct pp_column columns[] = {
	{"name", PP_T_TEXT, ""}, {"id", PP_T_ID, ""}, {"n", PP_T_INT, ""},
	{"start_s", PP_T_SECONDS, ""}, {"end_s", PP_T_SECONDS, ""},
	{"at", PP_T_TIME, ""}, {"elapsed_s", PP_T_SECONDS, ""},
	{"odd", PP_T_DECIMAL, ""}, {"text", PP_T_TEXT, ""},
	{"none", PP_T_INT, ""}, {"big", PP_T_INT, ""}
};
#define N (sizeof(columns) / sizeof(columns[0]))

static const struct pp_table own = {"own", "", "", columns, N,
	PP_TABLE_RAW};
static const struct pp_table shared = {"shared", "", "", columns, N, 0};

/* A cell of row i: the same whenever it is asked for. */
struct cell {
	bool null, text;
	pp_i128 v;
	unsigned scale;
	char s[80];
};

static uint64_t
noise(uint64_t i, uint64_t k)
{
	return pp_hash_mix((i * 31 + k) * 0x9e3779b97f4a7c15u + 1);
}

static void
make(struct cell *c, size_t i, size_t k)
{
	static const struct pp_time_form form = {6, true, -330};
	int64_t end = (int64_t)(i * 1000 + noise(i, 1) % 700);
	int64_t took = (int64_t)(noise(i, 2) % 500) - 20;

	memset(c, 0, sizeof(*c));
	c->scale = 6;
	switch (k) {
	case 0:
		c->text = true;
		snprintf(c->s, sizeof(c->s), "event %d", (int)(noise(i, 3) % 9));
		break;
	case 1:
		c->text = true;
		c->null = i % 7 == 3;
		/* numbers, until one is none */
		snprintf(c->s, sizeof(c->s), i == 70000 ? "0012" : "%d",
		    (int)(i % 100) - 50);
		break;
	case 2:
		c->scale = 0;
		c->v = (pp_i128)(int64_t)(i % 2 ? INT64_MAX - (int64_t)i :
		    INT64_MIN + (int64_t)i);
		break;
	case 3:
		c->v = end - took;
		break;
	case 4:
		c->v = end;
		break;
	case 5:
		c->text = true;
		c->s[pp_time_print(c->s, &form, INT64_C(1700000000000000) +
		    end)] = '\0';
		if (i == 3000)
			strcpy(c->s, "yesterday");
		break;
	case 6:
		c->v = took;
		break;
	case 7:
		c->scale = (unsigned)(i % 13);
		c->v = (pp_i128)(int64_t)noise(i, 4);
		break;
	case 8:
		c->text = true;
		c->null = i % 5 == 0;
		memset(c->s, (int)('a' + i % 26), i % 60);
		if (i > 9000)
			snprintf(c->s, sizeof(c->s), "%050d", (int)i);
		break;
	case 9:
		c->null = true;
		break;
	default:
		c->scale = 0;
		c->v = i == 65000 ? (pp_i128)INT64_MAX * 1000 :
		    -(pp_i128)(int64_t)i;
		break;
	}
}

static void
fill(struct pp_mem *mem, struct pp_rowsink *to, const struct pp_table *t,
    size_t rows)
{
	struct pp_rows r;
	struct cell c;
	size_t i, k;

	pp_rows_open(&r, mem, to, t);
	for (i = 0; i < rows; i++) {
		for (k = 0; k < N; k++) {
			make(&c, i, k);
			if (c.null)
				pp_put_null(&r);
			else if (c.text)
				pp_put_text(&r, pp_str_from(c.s));
			else if (c.scale == 0)
				pp_put_int(&r, c.v);
			else
				pp_put_dec(&r, c.v, c.scale);
		}
		pp_row_end(&r);
	}
	assert_int_equal(pp_rows_close(&r), PP_OK);
}

static void
check_block(const struct pp_columns_rows *b, size_t from, const bool *wanted)
{
	struct cell c;
	size_t i, k;

	for (i = 0; i < b->rows; i++)
		for (k = 0; k < N; k++) {
			if (wanted != NULL && !wanted[k])
				continue;
			make(&c, from + i, k);
			assert_int_equal(b->tags[k][i], c.null ? 0 :
			    c.text ? 1 : c.scale + 1);
			if (c.null)
				continue;
			if (c.text)
				assert_true(pp_str_eq(b->cells[k][i].str,
				    pp_str_from(c.s)));
			else
				assert_true(b->cells[k][i].num == c.v);
		}
}

static void
check_table(struct pp_columns_in *in, const char *name, size_t rows,
    const bool *wanted)
{
	const struct pp_columns_table *t =
	    pp_columns_table(in, pp_str_from(name));
	struct pp_columns_rows b = {.rows = 0};
	struct pp_arena text;
	size_t from = 0;
	uint32_t k;

	assert_non_null(t);
	assert_int_equal(t->rows, rows);
	assert_int_equal(pp_columns_column(t, PP_STR("at")), 5);
	assert_int_equal(pp_columns_column(t, PP_STR("ta")), UINT32_MAX);
	pp_arena_init(&text, in->mem, 4096);
	for (k = 0; k < t->nblocks; k++) {
		assert_true(pp_columns_read(in, t, k, wanted, &text, &b));
		check_block(&b, from, wanted);
		from += b.rows;
	}
	assert_int_equal(from, rows);
	pp_columns_rows_free(&b, in->mem);
	pp_arena_free(&text);
}

static void
round_trip(size_t rows)
{
	static const bool some[N] = {[3] = true, [5] = true};
	struct bytes b = {NULL, 0, 0};
	struct pp_columns_out *o;
	struct pp_columns_in *in;
	struct pp_mem mem;
	jmp_buf trap;

	pp_mem_init(&mem, 0);
	mem.trap = &trap;
	assert_int_equal(setjmp(trap), 0);
	o = pp_columns_out(&mem, put, &b);
	fill(&mem, pp_columns_sink(o), &own, rows);
	fill(&mem, pp_columns_sink(o), &shared, rows / 3 + 1);
	assert_true(pp_columns_out_close(o));
	in = pp_columns_in(&mem, b.n, get, &b);
	assert_non_null(in);
	if (rows > 0)
		check_table(in, "own", rows, NULL);
	else
		assert_null(pp_columns_table(in, PP_STR("own")));
	check_table(in, "shared", rows / 3 + 1, some);
	check_table(in, "shared", rows / 3 + 1, NULL);
	pp_columns_in_close(in);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
	free(b.p);
}

static void
test_round_trip(void **state)
{
	static const size_t rows[] = {0, 1, 2, 3, 5, 100, 1023, 1024, 1025,
	    65535, 65536, 65537, 340000};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		round_trip(rows[i]);
}

/* Every cut and many flips: an error, or the same shape; never a crash. */
static void
test_damage(void **state)
{
	struct bytes b = {NULL, 0, 0}, bad;
	struct pp_columns_rows rows = {.rows = 0};
	struct pp_columns_out *o;
	struct pp_columns_in *in;
	struct pp_arena text;
	struct pp_mem mem;
	jmp_buf trap;
	size_t i;
	uint32_t k;

	(void)state;
	pp_mem_init(&mem, 0);
	mem.trap = &trap;
	assert_int_equal(setjmp(trap), 0);
	o = pp_columns_out(&mem, put, &b);
	fill(&mem, pp_columns_sink(o), &own, 200);
	assert_true(pp_columns_out_close(o));
	pp_arena_init(&text, &mem, 4096);
	for (i = 0; i < b.n * 9; i++) {
		bad.n = i < b.n ? i : b.n;
		bad.p = malloc(b.n);
		memcpy(bad.p, b.p, b.n);
		if (i >= b.n)
			bad.p[i % b.n] ^= (unsigned char)(1 <<
			    (i / b.n - 1));
		in = pp_columns_in(&mem, bad.n, get, &bad);
		for (k = 0; in != NULL && in->ntables > 0 &&
		    k < in->table[0].nblocks; k++)
			(void)pp_columns_read(in, &in->table[0], k, NULL,
			    &text, &rows);
		pp_columns_in_close(in);
		pp_arena_reset(&text);
		free(bad.p);
	}
	pp_columns_rows_free(&rows, &mem);
	pp_arena_free(&text);
	pp_mem_free_all(&mem);
	free(b.p);
}

static void
test_text_numbers(void **state)
{
	static const char *const times[] = {"2024-03-26T18:41:07.683567+01:00",
	    "1970-01-01T00:00:00", "1969-12-31T23:59:59.999999",
	    "2000-02-29T12:00:00.5", "9999-12-31T23:59:59-11:30",
	    "0001-01-01T00:00:00"};
	static const char *const none[] = {"2023-02-29T12:00:00",
	    "2024-03-26 18:41:07", "2024-03-26T24:00:00",
	    "2024-03-26T18:41:07.1234567", "2024-03-26T18:41:07+1:00",
	    "2024-13-26T18:41:07", "2024-03-26T18:41", ""};
	static const char *const digits[] = {"0", "7", "-7", "10",
	    "999999999999999999", "-999999999999999999"};
	static const char *const words[] = {"", "-", "-0", "07", "+1", "1 ",
	    "1.0", "9999999999999999999", "a"};
	struct pp_time_form f;
	char buf[40];
	int64_t v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		assert_true(pp_time_parse(pp_str_from(times[i]), &f, &v));
		buf[pp_time_print(buf, &f, v)] = '\0';
		assert_string_equal(buf, times[i]);
	}
	assert_true(pp_time_parse(PP_STR("1970-01-02T00:00:00"), &f, &v));
	assert_int_equal(v, INT64_C(86400000000));
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(pp_time_parse(pp_str_from(none[i]), &f, &v));
	for (i = 0; i < sizeof(digits) / sizeof(digits[0]); i++) {
		assert_true(pp_digits_parse(pp_str_from(digits[i]), &v));
		buf[pp_digits_print(buf, v)] = '\0';
		assert_string_equal(buf, digits[i]);
	}
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_false(pp_digits_parse(pp_str_from(words[i]), &v));
	assert_int_equal(pp_digits_print(buf, INT64_MIN), 20);
	assert_true(pp_unzigzag(pp_zigzag(INT64_MIN)) == INT64_MIN);
	assert_true(pp_unzigzag(pp_zigzag(INT64_MAX)) == INT64_MAX);
	assert_true(pp_unzigzag(3) == -2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_text_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
