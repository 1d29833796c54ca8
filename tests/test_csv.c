/*
 * test_csv.c: the writers csv and tsv, and the numbers they print.
 *
 * Right values: RFC 4180, and libcsv as a second reader.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../writers/number.h"
#include "../writers/writer.h"
#include "remove_tree.h"

#define BOM "\xef\xbb\xbf"

struct fixture {
	struct pp_mem mem;
	struct pp_diag diag;
	struct pp_wctx w;
	struct pp_rowsink sink;	/* in front of the writer */
	char dir[64], path[160];
	char *got;
	size_t n;
};

static struct fixture fix;

static enum pp_status
sink_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	return fix.w.writer->begin(&fix.w, t);
}

static enum pp_status
sink_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	(void)s;
	return fix.w.writer->rows(&fix.w, b);
}

static enum pp_status
sink_end(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	return fix.w.writer->end(&fix.w, t);
}

static int
setup(void **state)
{
	memset(&fix, 0, sizeof(fix));
	pp_mem_init(&fix.mem, 0);
	pp_diag_init(&fix.diag, &fix.mem, NULL);
	strcpy(fix.dir, "/tmp/pp_test_csv.XXXXXX");
	if (mkdtemp(fix.dir) == NULL)
		return -1;
	fix.sink = (struct pp_rowsink){sink_begin, sink_rows, sink_end};
	*state = &fix;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	free(fix.got);
	pp_mem_free_all(&fix.mem);
	return remove_tree(fix.dir);
}

static void
start(const char *writer, enum pp_sink_kind kind, const char *target,
    enum pp_csv dialect)
{
	pp_str err;

	snprintf(fix.path, sizeof(fix.path), "%s/%s", fix.dir, target);
	fix.w.writer = pp_writer_named(pp_str_from(writer));
	assert_non_null(fix.w.writer);
	fix.w.mem = &fix.mem;
	fix.w.diag = &fix.diag;
	fix.w.opt.csv = dialect;
	fix.w.sink = pp_sink_open(&fix.mem, kind,
	    target[0] == '/' ? target : fix.path, &err);
	assert_non_null(fix.w.sink);
	assert_int_equal(fix.w.writer->open(&fix.w), PP_OK);
}

static void
finish(void)
{
	assert_int_equal(fix.w.writer->close(&fix.w), PP_OK);
	assert_true(pp_sink_commit(fix.w.sink));
	fix.w.writer->free(&fix.w);
}

/* Read a file of the fixture's folder into fix.got. */
static void
load(const char *name)
{
	char path[200];
	FILE *in;
	long n;

	snprintf(path, sizeof(path), "%s/%s", fix.dir, name);
	in = fopen(path, "rb");
	assert_non_null(in);
	fseek(in, 0, SEEK_END);
	n = ftell(in);
	rewind(in);
	free(fix.got);
	fix.got = malloc((size_t)n + 1);
	fix.n = fread(fix.got, 1, (size_t)n, in);
	assert_int_equal(fix.n, n);
	fix.got[n] = '\0';
	fclose(in);
}

static void
holds(const char *name, pp_str want)
{
	load(name);
	if (fix.n != want.n || memcmp(fix.got, want.p, want.n) != 0)
		fail_msg("%s holds\n%s--- not\n%.*s", name, fix.got,
		    (int)want.n, want.p);
}

static const struct pp_column two_columns[] = {
	{"name", PP_T_TEXT, "a name"},
	{"time_s", PP_T_SECONDS, "a time"}
};
static const struct pp_table two = {"two", "a pair", "as given", two_columns,
    2, 0};
static const struct pp_table other = {"other", "a pair", "as given",
    two_columns, 2, PP_TABLE_RAW};

static void
put_pair(struct pp_rows *r, pp_str name, int64_t us)
{
	pp_put_str(r, name);
	pp_put_dec(r, us, 6);
	pp_row_end(r);
}

/* The texts of the cases: formulas, quotes, line ends, separators. */
static void
put_cases(struct pp_rows *r)
{
	put_pair(r, PP_STR("plain"), 1500000);
	put_pair(r, PP_STR(""), 0);
	pp_put_nulls(r, 2);
	pp_row_end(r);
	put_pair(r, PP_STR("select \"a\",'b;c',\tx from t"), -15120);
	put_pair(r, PP_STR("-- get all\nselect 1"), 1);
	put_pair(r, PP_STR("=HYPERLINK(\"http://x\")"), -1);
	put_pair(r, PP_STR("@sum"), 999999);
	put_pair(r, PP_STR("+1"), 1000000);
	put_pair(r, PP_STR("\tx"), 12);
	put_pair(r, PP_STR("\rx"), 123456789012345);
	put_pair(r, PP_STR("semi;colon"), INT64_MAX);
	put_pair(r, PP_STR("a,b"), INT64_MIN);
	put_pair(r, PP_STR(" blanks "), 0);
	put_pair(r, PP_STR("a\r\nb"), 0);
	put_pair(r, PP_STR("1-=+@"), 0);
	put_pair(r, PP_STR("M\xc3\xbcller \xe5\x9b\xb3"), 0);
}

static void
write_cases(const char *writer, enum pp_csv dialect)
{
	struct pp_rows r;

	start(writer, PP_SINK_FILE, "out", dialect);
	pp_rows_open(&r, &fix.mem, &fix.sink, &two);
	put_cases(&r);
	assert_int_equal(pp_rows_close(&r), PP_OK);
	finish();
}

static void
rfc4180(void **state)
{
	(void)state;
	write_cases("csv", PP_CSV_RFC4180);
	holds("out", PP_STR("name,time_s\n"
	    "plain,1.500000\n"
	    "\"\",0.000000\n"
	    ",\n"
	    "\"select \"\"a\"\",'b;c',\tx from t\",-0.015120\n"
	    "\"-- get all\nselect 1\",0.000001\n"
	    "\"=HYPERLINK(\"\"http://x\"\")\",-0.000001\n"
	    "@sum,0.999999\n"
	    "+1,1.000000\n"
	    "\tx,0.000012\n"
	    "\"\rx\",123456789.012345\n"
	    "semi;colon,9223372036854.775807\n"
	    "\"a,b\",-9223372036854.775808\n"
	    " blanks ,0.000000\n"
	    "\"a\r\nb\",0.000000\n"
	    "1-=+@,0.000000\n"
	    "M\xc3\xbcller \xe5\x9b\xb3,0.000000\n"));
	assert_int_equal(fix.diag.count, 0);
}

static void
excel(void **state)
{
	(void)state;
	write_cases("csv", PP_CSV_EXCEL);
	holds("out", PP_STR(BOM "name,time_s\r\n"
	    "plain,1.500000\r\n"
	    "\"\",0.000000\r\n"
	    ",\r\n"
	    "\"select \"\"a\"\",'b;c',\tx from t\",-0.015120\r\n"
	    "\"'-- get all\nselect 1\",0.000001\r\n"
	    "\"'=HYPERLINK(\"\"http://x\"\")\",-0.000001\r\n"
	    "'@sum,0.999999\r\n"
	    "'+1,1.000000\r\n"
	    "'\tx,0.000012\r\n"
	    "\"'\rx\",123456789.012345\r\n"
	    "semi;colon,9223372036854.775807\r\n"
	    "\"a,b\",-9223372036854.775808\r\n"
	    " blanks ,0.000000\r\n"
	    "\"a\r\nb\",0.000000\r\n"
	    "1-=+@,0.000000\r\n"
	    "M\xc3\xbcller \xe5\x9b\xb3,0.000000\r\n"));
}

static void
excel_semicolon(void **state)
{
	(void)state;
	write_cases("csv", PP_CSV_EXCEL_SEMICOLON);
	holds("out", PP_STR(BOM "name;time_s\r\n"
	    "plain;1,500000\r\n"
	    "\"\";0,000000\r\n"
	    ";\r\n"
	    "\"select \"\"a\"\",'b;c',\tx from t\";-0,015120\r\n"
	    "\"'-- get all\nselect 1\";0,000001\r\n"
	    "\"'=HYPERLINK(\"\"http://x\"\")\";-0,000001\r\n"
	    "'@sum;0,999999\r\n"
	    "'+1;1,000000\r\n"
	    "'\tx;0,000012\r\n"
	    "\"'\rx\";123456789,012345\r\n"
	    "\"semi;colon\";9223372036854,775807\r\n"
	    "a,b;-9223372036854,775808\r\n"
	    " blanks ;0,000000\r\n"
	    "\"a\r\nb\";0,000000\r\n"
	    "1-=+@;0,000000\r\n"
	    "M\xc3\xbcller \xe5\x9b\xb3;0,000000\r\n"));
}

static void
tsv(void **state)
{
	(void)state;
	write_cases("tsv", PP_CSV_RFC4180);
	holds("out", PP_STR("name\ttime_s\n"
	    "plain\t1.500000\n"
	    "\"\"\t0.000000\n"
	    "\t\n"
	    "\"select \"\"a\"\",'b;c',\tx from t\"\t-0.015120\n"
	    "\"-- get all\nselect 1\"\t0.000001\n"
	    "\"=HYPERLINK(\"\"http://x\"\")\"\t-0.000001\n"
	    "@sum\t0.999999\n"
	    "+1\t1.000000\n"
	    "\"\tx\"\t0.000012\n"
	    "\"\rx\"\t123456789.012345\n"
	    "semi;colon\t9223372036854.775807\n"
	    "a,b\t-9223372036854.775808\n"
	    " blanks \t0.000000\n"
	    "\"a\r\nb\"\t0.000000\n"
	    "1-=+@\t0.000000\n"
	    "M\xc3\xbcller \xe5\x9b\xb3\t0.000000\n"));
}

/* Text, an id and a time of day alike; all bytes but broken ones stay. */
static void
repaired_text(void **state)
{
	static const struct pp_column columns[] = {
	    {"a", PP_T_TEXT, ""}, {"b", PP_T_ID, ""}, {"c", PP_T_TIME, ""}};
	static const struct pp_table t = {"t", "", "", columns, 3, 0};
	struct pp_rows r;

	(void)state;
	start("csv", PP_SINK_FILE, "out", PP_CSV_RFC4180);
	pp_rows_open(&r, &fix.mem, &fix.sink, &t);
	pp_put_str(&r, PP_STR("M\xfcller, \"12345678\""));
	pp_put_str(&r, PP_STR("0012"));
	pp_put_str(&r, PP_STR("2024-01-01T00:00:00Z"));
	pp_row_end(&r);
	pp_put_str(&r, PP_STR("\x01\x0b\0\x1b\x7f\xef\xbf\xbe"));
	pp_put_str(&r, PP_STR("\xe5\x9b"));
	pp_put_str(&r, PP_STR(""));
	pp_row_end(&r);
	assert_int_equal(pp_rows_close(&r), PP_OK);
	finish();
	holds("out", PP_STR("a,b,c\n"
	    "\"M\xef\xbf\xbdller, \"\"12345678\"\"\",0012,"
	    "2024-01-01T00:00:00Z\n"
	    "\x01\x0b\0\x1b\x7f\xef\xbf\xbe,\xef\xbf\xbd,\"\"\n"));
	assert_int_equal(fix.diag.count, 1);
	assert_int_equal(fix.diag.problems[0].id, PP_MSG_SANITISED);
	assert_int_equal(fix.diag.problems[0].count, 2);
	assert_false(fix.diag.partial);
}

static void
header_only_and_odd_names(void **state)
{
	static const struct pp_column columns[] = {
	    {"-1 wait", PP_T_SECONDS, ""}, {"a, \"b\"", PP_T_INT, ""}};
	static const struct pp_table t = {"../x y:z", "", "", columns, 2,
	    PP_TABLE_WIDE};
	struct pp_rows r;

	(void)state;
	start("csv", PP_SINK_FOLDER, "out", PP_CSV_RFC4180);
	pp_rows_open(&r, &fix.mem, &fix.sink, &t);
	assert_int_equal(pp_rows_close(&r), PP_OK);
	finish();
	holds("out/_._x y_z.csv", PP_STR("-1 wait,\"a, \"\"b\"\"\"\n"));

	start("csv", PP_SINK_FOLDER, "out", PP_CSV_EXCEL);
	pp_rows_open(&r, &fix.mem, &fix.sink, &t);
	assert_int_equal(pp_rows_close(&r), PP_OK);
	finish();
	holds("out/_._x y_z.csv",
	    PP_STR(BOM "'-1 wait,\"a, \"\"b\"\"\"\r\n"));
}

static void
interleaved_folder(void **state)
{
	struct pp_rows a, b;
	int i;

	(void)state;
	start("tsv", PP_SINK_FOLDER, "out", PP_CSV_RFC4180);
	pp_rows_open(&a, &fix.mem, &fix.sink, &two);
	pp_rows_open(&b, &fix.mem, &fix.sink, &other);
	for (i = 0; i < 30000; i++) {
		put_pair(&a, PP_STR("a"), i);
		if (i % 2)
			put_pair(&b, PP_STR("b"), i);
	}
	assert_int_equal(pp_rows_close(&a), PP_OK);
	assert_int_equal(pp_rows_close(&b), PP_OK);
	finish();
	load("out/two.tsv");
	assert_int_equal(fix.n, 12 + 30000 * 11);
	assert_string_equal(fix.got + fix.n - 11, "a\t0.029999\n");
	load("out/other.tsv");
	assert_int_equal(fix.n, 12 + 15000 * 11);
	assert_string_equal(fix.got + fix.n - 11, "b\t0.029999\n");
}

/* A batch of numbers that is longer than the room of a stream. */
static void
wide_batches(void **state)
{
	static const char row[] = "-170141183460469231731687303715884105728,"
	    "-9223372036854775808,-9223372036854775808,-9223372036854775808,"
	    "-9223372036854775808,-9223372036854775808\n";
	static const struct pp_column columns[] = {{"a", PP_T_INT, ""},
	    {"b", PP_T_INT, ""}, {"c", PP_T_INT, ""}, {"d", PP_T_INT, ""},
	    {"e", PP_T_INT, ""},
	    {"f", PP_T_INT, ""}};
	static const struct pp_table t = {"t", "", "", columns, 6, 0};
	const pp_i128 min = -(pp_i128)(((pp_u128)1 << 127) - 1) - 1;
	struct pp_rows r;
	size_t i, k;

	(void)state;
	start("csv", PP_SINK_FILE, "out", PP_CSV_RFC4180);
	pp_rows_open(&r, &fix.mem, &fix.sink, &t);
	for (i = 0; i < 5000; i++) {
		pp_put_int(&r, min);
		for (k = 1; k < 6; k++)
			pp_put_int(&r, INT64_MIN);
		pp_row_end(&r);
	}
	assert_int_equal(pp_rows_close(&r), PP_OK);
	finish();
	load("out");
	assert_int_equal(fix.n, 12 + 5000 * (sizeof(row) - 1));
	for (i = 0; i < 5000; i++)
		assert_memory_equal(fix.got + 12 + i * (sizeof(row) - 1), row,
		    sizeof(row) - 1);
}

static void
single_file_takes_one_table(void **state)
{
	struct pp_rows a, b;

	(void)state;
	start("csv", PP_SINK_FILE, "out", PP_CSV_RFC4180);
	pp_rows_open(&a, &fix.mem, &fix.sink, &two);
	pp_rows_open(&b, &fix.mem, &fix.sink, &other);
	assert_int_equal(b.status, PP_FATAL);
	pp_rows_close(&b);
	pp_rows_close(&a);
	assert_false(pp_sink_commit(fix.w.sink));
	fix.w.writer->free(&fix.w);
}

static void
full_disk(void **state)
{
	struct pp_rows r;
	int i;

	(void)state;
	start("csv", PP_SINK_FILE, "/dev/full", PP_CSV_RFC4180);
	pp_rows_open(&r, &fix.mem, &fix.sink, &two);
	for (i = 0; i < 100000; i++)
		put_pair(&r, PP_STR("no room for this"), i);
	assert_int_equal(r.status, PP_FATAL);
	assert_int_equal(pp_rows_close(&r), PP_FATAL);
	assert_string_equal(pp_sink_error(fix.w.sink, NULL).p,
	    "/dev/full: No space left on device");
	assert_false(pp_sink_commit(fix.w.sink));
	fix.w.writer->free(&fix.w);
}

/* What libcsv reads back, fields with a length in front. */
struct reread {
	char *p;
	size_t n;
};

static void
on_field(void *s, size_t n, void *arg)
{
	struct reread *r = arg;

	memcpy(r->p + r->n, &n, sizeof(n));
	r->n += sizeof(n);
	if (n > 0)
		memcpy(r->p + r->n, s, n);
	r->n += n;
}

static void
on_row(int c, void *arg)
{
	(void)c;
	(void)arg;
}

static int
no_space(unsigned char c)
{
	(void)c;
	return 0;
}

/* Texts of every length around the places where code paths meet. */
static void
read_back_by_libcsv(void **state)
{
	static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16,
	    17, 23, 4095, 8191, 8192, 8193, 65535, 65536, 65537, 200000};
	static const char *const units[] = {"x", "\"", "a\"b", ",", "\n",
	    "\r\n", "abcdefg\"", "abcdefg\r", "abcdefgh\xc3\xbc", " ", "123456,"};
	size_t i, k, m, n, total = 0;
	char *text = test_malloc(200000), *want = test_malloc(20000000);
	struct reread got = {test_malloc(20000000), 0};
	struct csv_parser p;
	struct pp_rows r;

	(void)state;
	start("csv", PP_SINK_FILE, "out", PP_CSV_RFC4180);
	pp_rows_open(&r, &fix.mem, &fix.sink, &two);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (k = 0; k < sizeof(units) / sizeof(units[0]); k++) {
			m = strlen(units[k]);
			n = sizes[i] / m * m;
			for (size_t j = 0; j < n; j++)
				text[j] = units[k][j % m];
			pp_put_text(&r, (pp_str){text, n});
			pp_put_dec(&r, (pp_i128)i * 10, 1);
			pp_row_end(&r);
			memcpy(want + total, &n, sizeof(n));
			total += sizeof(n);
			memcpy(want + total, text, n);
			total += n;
			n = (size_t)snprintf(text, 32, "%zu.0", i);
			memcpy(want + total, &n, sizeof(n));
			total += sizeof(n);
			memcpy(want + total, text, n);
			total += n;
		}
	}
	assert_int_equal(pp_rows_close(&r), PP_OK);
	finish();
	load("out");
	assert_memory_equal(fix.got, "name,time_s\n", 12);
	assert_int_equal(csv_init(&p, CSV_STRICT | CSV_STRICT_FINI), 0);
	csv_set_space_func(&p, no_space);
	assert_int_equal(csv_parse(&p, fix.got + 12, fix.n - 12, on_field,
	    on_row, &got), fix.n - 12);
	assert_int_equal(csv_fini(&p, on_field, on_row, &got), 0);
	csv_free(&p);
	assert_int_equal(got.n, total);
	assert_memory_equal(got.p, want, total);
	test_free(got.p);
	test_free(want);
	test_free(text);
}

static void
prints(pp_i128 v, unsigned scale, const char *want)
{
	char buf[PP_DEC_MAX + 1];
	char *end = pp_number_put(buf, v, scale, '.');

	*end = '\0';
	assert_string_equal(buf, want);
}

static void
numbers(void **state)
{
	const pp_i128 max = (pp_i128)(((pp_u128)1 << 127) - 1);

	(void)state;
	assert_int_equal(pp_number_digits(UINT64_MAX), 20);
	assert_int_equal(pp_number_digits(9999999999999999999u), 19);
	prints(0, 0, "0");
	prints(9, 0, "9");
	prints(10, 0, "10");
	prints(-1, 0, "-1");
	prints(0, 2, "0.00");
	prints(-5, 2, "-0.05");
	prints(99, 2, "0.99");
	prints(100, 2, "1.00");
	prints(1000000, 6, "1.000000");
	prints(999999, 6, "0.999999");
	prints(123456789012, 12, "0.123456789012");
	prints(7, 12, "0.000000000007");
	prints(7, 1, "0.7");
	prints(12345, 3, "12.345");
	prints(INT64_MAX, 0, "9223372036854775807");
	prints(INT64_MIN, 0, "-9223372036854775808");
	prints(INT64_MIN, 18, "-9.223372036854775808");
	prints((pp_i128)UINT64_MAX, 0, "18446744073709551615");
	prints((pp_i128)21000000 * 1000000000000, 12,
	    "21000000.000000000000");
	prints(max, 0, "170141183460469231731687303715884105727");
	prints(-max - 1, 12, "-170141183460469231731687303.715884105728");
	prints(1, 24, "0.000000000000000000000001");
}

/* Around every power of ten, against the formatter of the model. */
static void
numbers_agree(void **state)
{
	char a[PP_DEC_MAX + 1], b[PP_DEC_MAX + 1];
	int e, d, sign;
	unsigned scale;

	(void)state;
	for (e = 0; e <= 18; e++)
		for (d = -1; d <= 1; d++)
			for (sign = -1; sign <= 1; sign += 2)
				for (scale = 0; scale <= 20; scale++) {
					pp_i128 v = sign * ((pp_i128)
					    pp_pow10[e] + d);

					*pp_number_put(a, v, scale, '.') = 0;
					b[pp_dec_format(b, v, scale)] = 0;
					assert_string_equal(a, b);
				}
}

static void
registry(void **state)
{
	const struct pp_writer *const *all;
	size_t n, i;

	(void)state;
	all = pp_writers(&n);
	assert_true(n >= 2);
	for (i = 0; i < n; i++)
		assert_ptr_equal(pp_writer_named(pp_str_from(all[i]->name)),
		    all[i]);
	assert_null(pp_writer_named(PP_STR("none")));
	assert_string_equal(pp_writer_for(PP_STR("a/b.csv"))->name, "csv");
	assert_string_equal(pp_writer_for(PP_STR("b.TSV/"))->name, "tsv");
	assert_null(pp_writer_for(PP_STR("csv")));
	assert_null(pp_writer_for(PP_STR("")));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(rfc4180),
		T(excel),
		T(excel_semicolon),
		T(tsv),
		T(repaired_text),
		T(header_only_and_odd_names),
		T(interleaved_folder),
		T(wide_batches),
		T(single_file_takes_one_table),
		T(full_disk),
		T(read_back_by_libcsv),
		cmocka_unit_test(numbers),
		cmocka_unit_test(numbers_agree),
		cmocka_unit_test(registry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
