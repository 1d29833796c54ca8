/*
 * test_pivot.c: pivots: what is asked for, cells, order, names, totals.
 *
 * Right values: added up by hand, and for the random rows by a plain array.
 */
#include "report_world.h"

#include "../model/pivot.h"

static const struct pp_column columns[] = {
	{"name", PP_T_TEXT, "a name"},
	{"id", PP_T_ID, "an id"},
	{"at", PP_T_TIME, "a time of day"},
	{"n", PP_T_INT, "a count"},
	{"t_s", PP_T_SECONDS, "a time"},
	{"share_pct", PP_T_DECIMAL, "a share"},
};
static const struct pp_table table = {"t", "a row", "as given",
	columns, 6, 0};

struct fixture {
	struct pp_mem mem;
	struct pp_pivot_spec spec;
	struct pp_pivot pivot;
	struct pp_rows rows;
};

static int
setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (f == NULL)
		return -1;
	pp_mem_init(&f->mem, 0);
	*state = f;
	return 0;
}

static int
teardown(void **state)
{
	struct fixture *f = *state;

	pp_mem_free_all(&f->mem);
	free(f);
	return 0;
}

static void
start(struct fixture *f, const char *text)
{
	const char *why = NULL;
	pp_str bad;

	if (!pp_pivot_parse(&f->spec, pp_str_from(text), &why))
		fail_msg("%s: %s", text, why);
	if (!pp_pivot_check(&f->spec, &table, &bad, &why))
		fail_msg("%s: %.*s %s", text, (int)bad.n, bad.p, why);
	if (f->spec.name.n == 0)
		f->spec.name = PP_STR("p");
}

static void
begin(struct fixture *f)
{
	pp_pivot_init(&f->pivot, &f->mem, &f->spec, &table);
	pp_rows_open(&f->rows, &f->mem, &f->pivot.sink, &table);
}

static void
put_text(struct fixture *f, const char *s)
{
	if (s == NULL)
		pp_put_null(&f->rows);
	else
		pp_put_text(&f->rows, pp_str_from(s));
}

#define NONE INT64_MIN

static void
put_number(struct fixture *f, int64_t v, unsigned scale)
{
	if (v == NONE)
		pp_put_null(&f->rows);
	else
		pp_put_dec(&f->rows, v, scale);
}

/* name, id, n, time in microseconds */
static void
row(struct fixture *f, const char *name, const char *id, int64_t n,
    int64_t us)
{
	put_text(f, name);
	put_text(f, id);
	pp_put_null(&f->rows);
	put_number(f, n, 0);
	put_number(f, us, 6);
	pp_put_null(&f->rows);
	pp_row_end(&f->rows);
}

static void
expect(struct fixture *f, bool wide, const char *want)
{
	struct text_sink t;

	assert_int_equal(pp_rows_close(&f->rows), PP_OK);
	text_sink_init(&t);
	assert_int_equal(pp_pivot_emit(&f->pivot, &t.sink, wide), PP_OK);
	assert_int_equal(t.begun, 1);
	assert_int_equal(t.ended, 1);
	assert_string_equal(t.text, want);
	free(t.text);
	pp_pivot_free(&f->pivot);
}

static void
feed(struct fixture *f)
{
	begin(f);
	row(f, "read", "s1", 2, 100);
	row(f, "write", "s1", 1, 50);
	row(f, "read", "s2", 3, 1000000);
	row(f, "read", "s1", 5, 7);
	row(f, "cpu", "s2", NONE, NONE);
	row(f, NULL, "s2", 1, -3);
}

static void
test_sum(void **state)
{
	struct fixture *f = *state;

	start(f, "t:name:id:t_s");
	feed(f);
	expect(f, true,
	    "name|s2|s1\n"
	    "read|1.000000|0.000107\n"
	    "write||0.000050\n"
	    "cpu||\n"
	    "|-0.000003|\n");
}

static void
test_tall(void **state)
{
	struct fixture *f = *state;

	start(f, "t:name:id:t_s");
	feed(f);
	expect(f, false,
	    "name|id|sum_t_s\n"
	    "read|s2|1.000000\n"
	    "read|s1|0.000107\n"
	    "write|s1|0.000050\n"
	    "|s2|-0.000003\n");
}

static void
test_count(void **state)
{
	struct fixture *f = *state;

	start(f, "t:id:name:n:count");
	feed(f);
	expect(f, true,
	    "id|read|write|(empty)|cpu\n"
	    "s1|2|1||\n"
	    "s2|1||1|0\n");
	/* of text, too */
	start(f, "t::name:id:count");
	feed(f);
	expect(f, true, "read|cpu|write|(empty)\n3|1|1|1\n");
}

static void
test_average(void **state)
{
	struct fixture *f = *state;

	start(f, "t:name::n:avg");
	feed(f);
	expect(f, true,
	    "name|avg_n\n"
	    "read|3.333333\n"
	    "write|1.000000\n"
	    "cpu|\n"
	    "|1.000000\n");
	/* half up, away from zero */
	start(f, "t:name::t_s:avg");
	begin(f);
	row(f, "a", NULL, 0, 1);
	row(f, "a", NULL, 0, 2);
	row(f, "b", NULL, 0, -1);
	row(f, "b", NULL, 0, -2);
	expect(f, true, "name|avg_t_s\na|0.000002\nb|-0.000002\n");
}

static void
test_extremes(void **state)
{
	struct fixture *f = *state;

	start(f, "t:name:id:t_s:min");
	feed(f);
	expect(f, true,
	    "name|s1|s2\n"
	    "read|0.000007|1.000000\n"
	    "write|0.000050|\n"
	    "cpu||\n"
	    "||-0.000003\n");
	start(f, "t::id:n:max");
	feed(f);
	expect(f, true, "s1|s2\n5|3\n");
}

static void
test_totals(void **state)
{
	struct fixture *f = *state;

	start(f, "t:name:id:t_s");
	f->spec.totals = true;
	feed(f);
	expect(f, true,
	    "name|s2|s1|total\n"
	    "read|1.000000|0.000107|1.000107\n"
	    "write||0.000050|0.000050\n"
	    "cpu|||\n"
	    "|-0.000003||-0.000003\n"
	    "total|0.999997|0.000157|1.000154\n");
	start(f, "t:id:name:t_s:max");
	f->spec.totals = true;
	feed(f);
	expect(f, false,
	    "id|name|max_t_s\n"
	    "s1|read|0.000100\n"
	    "s1|write|0.000050\n"
	    "s1|total|0.000100\n"
	    "s2|read|1.000000\n"
	    "s2||-0.000003\n"
	    "s2|total|1.000000\n"
	    "total|read|1.000000\n"
	    "total|write|0.000050\n"
	    "total||-0.000003\n"
	    "total|total|1.000000\n");
	/* no field of the rows is text: the last row has none of them */
	start(f, "t:n::t_s");
	f->spec.totals = true;
	begin(f);
	row(f, "a", NULL, 1, 1);
	row(f, "a", NULL, 2, 2);
	expect(f, true, "n|sum_t_s\n1|0.000001\n2|0.000002\n|0.000003\n");
}

static void
test_top(void **state)
{
	static const char *const name[] = {"a", "b", "c", "d", "other"};
	static const int64_t us[] = {5, 40, 30, 40, 1};
	struct fixture *f = *state;
	size_t i;

	start(f, "t:id:name:t_s");
	f->spec.top = 2;
	begin(f);
	for (i = 0; i < 5; i++)
		row(f, name[i], "x", 1, us[i]);
	row(f, "a", "y", 1, -5);
	expect(f, true,
	    "id|b|d|other\n"
	    "x|0.000040|0.000040|0.000036\n"
	    "y|||-0.000005\n");
	/* exactly as many as there are: no `other`, but a name that looks
	 * like it gets a number */
	start(f, "t:id:name:t_s");
	f->spec.top = 5;
	begin(f);
	for (i = 0; i < 5; i++)
		row(f, name[i], "x", 1, us[i]);
	expect(f, true, "id|b|d|c|a|other (2)\n"
	    "x|0.000040|0.000040|0.000030|0.000005|0.000001\n");
	/* averages of `other` are over all its rows */
	start(f, "t::name:n:avg");
	f->spec.top = 1;
	begin(f);
	row(f, "a", NULL, 9, 0);
	row(f, "b", NULL, 4, 0);
	row(f, "b", NULL, 4, 0);
	row(f, "c", NULL, 1, 0);
	expect(f, true, "a|other\n9.000000|3.000000\n");
	start(f, "t::name:n");
	f->spec.top = 1;
	begin(f);
	row(f, "a", NULL, 9, 0);
	row(f, "b", NULL, 4, 0);
	row(f, "c", NULL, 1, 0);
	expect(f, false, "name|sum_n\na|9\nother|5\n");
}

static void
test_order(void **state)
{
	struct fixture *f = *state;

	/* numbers rise, whatever their totals; the largest are chosen */
	start(f, "t:name:n:t_s");
	f->spec.top = 3;
	begin(f);
	row(f, "a", NULL, 10, 5);
	row(f, "a", NULL, 9, 9);
	row(f, "a", NULL, -1, 2);
	row(f, "b", NULL, 2, 1);
	row(f, "b", NULL, NONE, 4);
	expect(f, true,
	    "name|9|10|(empty)|other\n"
	    "a|0.000009|0.000005||0.000002\n"
	    "b|||0.000004|0.000001\n");
	/* with a column in text, the tall form has text */
	start(f, "t:name:n:t_s");
	f->spec.top = 1;
	begin(f);
	row(f, "a", NULL, 10, 5);
	row(f, "a", NULL, 9, 9);
	expect(f, false, "name|n|sum_t_s\na|9|0.000009\na|other|0.000005\n");
}

static void
test_fields(void **state)
{
	struct fixture *f = *state;

	start(f, "t:name:id, n:t_s");
	feed(f);
	expect(f, true,
	    "name|s2 / 3|s1 / 2|s1 / 1|s1 / 5|s2 / 1|s2 / (empty)\n"
	    "read|1.000000|0.000100||0.000007||\n"
	    "write|||0.000050|||\n"
	    "cpu||||||\n"
	    "|||||-0.000003|\n");
	start(f, "t:name,id::n");
	feed(f);
	expect(f, true,
	    "name|id|sum_n\nread|s1|7\nwrite|s1|1\nread|s2|3\ncpu|s2|\n"
	    "|s2|1\n");
}

static void
test_names(void **state)
{
	struct fixture *f = *state;

	start(f, "t:id:name:n");
	begin(f);
	row(f, "Id", "x", 9, 0);
	row(f, "a\tb\n", "x", 8, 0);
	row(f, "A", "x", 7, 0);
	row(f, "a", "x", 6, 0);
	row(f, "", "x", 5, 0);
	row(f, "TOTAL", "x", 4, 0);
	row(f, "Other", "x", 3, 0);
	f->spec.totals = false;
	expect(f, true, "id|Id (2)|a?b?|A|a (2)|?|TOTAL|Other (2)\n"
	    "x|9|8|7|6|5|4|3\n");
}

/* Clocks with other ticks: the finest counts. */
static void
test_scales(void **state)
{
	struct fixture *f = *state;
	const unsigned scale[] = {2, 6, 12, 6};
	const int64_t v[] = {150, 250000, 1, -1};
	size_t i;

	start(f, "t:::t_s");
	begin(f);
	for (i = 0; i < 4; i++) {
		pp_put_nulls(&f->rows, 4);
		pp_put_dec(&f->rows, v[i], scale[i]);
		pp_put_null(&f->rows);
		pp_row_end(&f->rows);
	}
	expect(f, true, "sum_t_s\n1.749999000001\n");
}

/* Sums end where 128 bits do, and do not go round. */
static void
test_ends(void **state)
{
	const pp_i128 most = (pp_i128)(~(pp_u128)0 >> 1);
	struct fixture *f = *state;
	int i;

	start(f, "t:::n");
	begin(f);
	for (i = 0; i < 3; i++) {
		pp_put_nulls(&f->rows, 3);
		pp_put_int(&f->rows, most - 1);
		pp_put_nulls(&f->rows, 2);
		pp_row_end(&f->rows);
	}
	expect(f, true, "sum_n\n170141183460469231731687303715884105727\n");
	start(f, "t:::t_s:avg");
	begin(f);
	pp_put_nulls(&f->rows, 4);
	pp_put_dec(&f->rows, -most, 0);
	pp_put_null(&f->rows);
	pp_row_end(&f->rows);
	expect(f, true,
	    "avg_t_s\n-170141183460469231731687303715884.105727\n");
}

static void
test_nothing(void **state)
{
	struct fixture *f = *state;

	start(f, "t:name:id:n");
	begin(f);
	expect(f, true, "name\n");
	start(f, "t:name:id:n");
	begin(f);
	expect(f, false, "name|id|sum_n\n");
	start(f, "t:::n");
	f->spec.totals = true;
	begin(f);
	expect(f, true, "sum_n\n");
	start(f, "t::id:n");
	f->spec.totals = true;
	begin(f);
	expect(f, true, "total\n");
	start(f, "t::id:n:count");
	begin(f);
	row(f, "a", "x", NONE, 0);
	expect(f, true, "x\n0\n");
}

/* Random rows against a plain array: many batches, keys out of order. */
static void
test_many(void **state)
{
	enum { NAMES = 37, IDS = 11 };
	static int64_t sum[NAMES][IDS];
	static uint64_t count[NAMES][IDS];
	struct fixture *f = *state;
	struct pp_pivot *p = &f->pivot;
	uint64_t x = 88172645463325252u;
	char name[16], id[16];
	uint32_t seen = 0;
	size_t i;

	start(f, "t:name:id:t_s");
	begin(f);
	for (i = 0; i < 100000; i++) {
		unsigned a, b;
		int64_t v;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		a = (unsigned)(x >> 8) % NAMES;
		b = (unsigned)(x >> 20) % IDS;
		v = (int64_t)(x >> 40) - (1 << 22);
		snprintf(name, sizeof(name), "name %u", a);
		snprintf(id, sizeof(id), "%u", b);
		row(f, name, id, 1, v);
		sum[a][b] += v;
		count[a][b]++;
	}
	assert_int_equal(pp_rows_close(&f->rows), PP_OK);
	for (i = 0; i < p->ncells; i++) {
		const struct pp_pivot_cell *c = &p->cells[i];
		union pp_cell n, d;
		unsigned a, b;

		assert_int_equal(pp_pivot_field(p, &p->rows,
		    pp_strtab_get(&p->rows.keys, c->row + 1), 0, &n), 1);
		assert_int_equal(pp_pivot_field(p, &p->columns,
		    pp_strtab_get(&p->columns.keys, c->column + 1), 0, &d),
		    1);
		a = (unsigned)strtoul(n.str.p + 5, NULL, 10);
		b = (unsigned)strtoul(d.str.p, NULL, 10);
		assert_true(c->v == sum[a][b]);
		assert_true(c->n == count[a][b]);
		seen++;
	}
	assert_int_equal(seen, NAMES * IDS);
	pp_pivot_free(p);
}

/* Memory goes by cells: a hundred times the rows take no more. */
static void
test_memory(void **state)
{
	struct fixture *f = *state;
	size_t peak[2], k, i;

	for (k = 0; k < 2; k++) {
		start(f, "t:name:id:t_s");
		begin(f);
		for (i = 0; i < (k == 0 ? 4096u : 409600u); i++)
			row(f, i % 3 ? "read" : "write", i % 5 ? "a" : "b",
			    1, (int64_t)i);
		peak[k] = f->mem.peak;
		assert_int_equal(pp_rows_close(&f->rows), PP_OK);
		pp_pivot_free(&f->pivot);
	}
	assert_int_equal(peak[0], peak[1]);
}

static void
test_columns_without_number(void **state)
{
	struct fixture *f = *state;
	struct text_sink t;
	char name[16];
	int i, n = 0;

	start(f, "t::name:n");
	begin(f);
	for (i = 0; i < PP_PIVOT_COLUMNS + 5; i++) {
		snprintf(name, sizeof(name), "%05d", i);
		row(f, name, NULL, 1, 0);
	}
	assert_int_equal(pp_rows_close(&f->rows), PP_OK);
	text_sink_init(&t);
	assert_int_equal(pp_pivot_emit(&f->pivot, &t.sink, true), PP_OK);
	assert_int_equal(f->pivot.folded, 5);
	for (i = 0; t.text[i] != '\n'; i++)
		n += t.text[i] == '|';
	assert_int_equal(n, PP_PIVOT_COLUMNS);
	assert_non_null(strstr(t.text, "|00999|other\n"));
	assert_non_null(strstr(t.text, "|1|5\n"));
	free(t.text);
	pp_pivot_free(&f->pivot);
}

static void
test_words(void **state)
{
	static const char *const bad[] = {"", "t", "t:a", "t:a:b", "t:a:b:",
		":a:b:c", "t:a:b:c:total", "t:a:b:c:sum:x", "=t:a:b:c",
		"1x=t:a:b:c", "a/b=t:a:b:c", "x y=t:a:b:c"};
	struct pp_pivot_spec s;
	const char *why;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (pp_pivot_parse(&s, pp_str_from(bad[i]), &why))
			fail_msg("taken: %s", bad[i]);
	assert_true(pp_pivot_parse(&s, PP_STR("My-1=t:a,b:c:v:max"), &why));
	assert_true(pp_str_eq(s.name, PP_STR("My-1")));
	assert_true(pp_str_eq(s.table, PP_STR("t")));
	assert_true(pp_str_eq(s.rows, PP_STR("a,b")));
	assert_true(pp_str_eq(s.columns, PP_STR("c")));
	assert_true(pp_str_eq(s.value, PP_STR("v")));
	assert_int_equal(s.op, PP_PIVOT_MAX);
	assert_true(pp_pivot_parse(&s, PP_STR("t:::v"), &why));
	assert_int_equal(s.op, PP_PIVOT_SUM);
	assert_int_equal(s.name.n, 0);
}

static void
test_wrong_columns(void **state)
{
	static const struct {
		const char *text, *bad;
	} wrong[] = {
		{"t:nam:id:n", "nam"},
		{"t:name:ids:n", "ids"},
		{"t:name:id:m", "m"},
		{"t:name,name:id:n", "name"},
		{"t:name:name:n", "name"},
		{"t:n:id,n:t_s", "n"},
		{"t:name,:id:n", ""},
		{"t:name:id:at", "at"},
		{"t:name:id:id:max", "id"},
	};
	struct pp_pivot_spec s;
	const char *why;
	size_t i;
	pp_str bad;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_true(pp_pivot_parse(&s, pp_str_from(wrong[i].text),
		    &why));
		if (pp_pivot_check(&s, &table, &bad, &why))
			fail_msg("taken: %s", wrong[i].text);
		assert_true(pp_str_eq(bad, pp_str_from(wrong[i].bad)));
	}
}

/* Row i of 200: one of few ids, its own name, a value or none. */
static void
numbered_row(struct fixture *f, int i)
{
	static const char *const ids[] = {"a", "b", "c", "d", "e"};
	char name[16];

	snprintf(name, sizeof(name), "n%03d", i);
	row(f, name, ids[i % 5], i, i % 7 == 0 ? NONE : i * 10);
	row(f, name, ids[(i + 1) % 5], i, i);
	row(f, name, ids[i % 5], i, 1);
}

/* Rows that come one after the other and are forgotten are the same table as
 * those that are kept. */
static void
test_groups(void **state)
{
	struct fixture *f = *state;
	struct text_sink t, whole;
	int i, wide;

	for (wide = 0; wide < 2; wide++) {
		start(f, "t:name:id:t_s");
		f->spec.top = 3;
		begin(f);
		for (i = 0; i < 200; i++)
			numbered_row(f, i);
		assert_int_equal(pp_rows_close(&f->rows), PP_OK);
		text_sink_init(&whole);
		pp_pivot_emit(&f->pivot, &whole.sink, wide);
		/* the same pivot once more, its columns being known */
		text_sink_init(&t);
		pp_pivot_open(&f->pivot, &t.sink, wide);
		pp_rows_open(&f->rows, &f->mem, &f->pivot.sink, &table);
		for (i = 0; i < 200; i++)
			numbered_row(f, i);
		assert_int_equal(pp_rows_close(&f->rows), PP_OK);
		assert_int_equal(pp_pivot_close(&f->pivot), PP_OK);
		assert_int_equal(t.begun, 1);
		assert_int_equal(t.ended, 1);
		assert_string_equal(t.text, whole.text);
		free(t.text);
		free(whole.text);
		pp_pivot_free(&f->pivot);
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_sum),
		T(test_tall),
		T(test_count),
		T(test_average),
		T(test_extremes),
		T(test_totals),
		T(test_top),
		T(test_order),
		T(test_fields),
		T(test_names),
		T(test_scales),
		T(test_ends),
		T(test_nothing),
		T(test_many),
		T(test_memory),
		T(test_columns_without_number),
		T(test_groups),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_wrong_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
