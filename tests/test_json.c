/*
 * test_json.c: the writers json and ndjson.
 *
 * Right values: RFC 8259, by hand.  text.test.py reads the same formats with
 * another program.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include "writer_world.h"

static const struct pp_column columns[] = {
	{"name", PP_T_TEXT, "a name"},
	{"id", PP_T_ID, "an id"},
	{"n", PP_T_INT, "a count"},
	{"t_s", PP_T_SECONDS, "a time"},
};
static const struct pp_table table = {"t", "a row", "as given",
	columns, 4, 0};
static const struct pp_table other = {"other", "a row", "as given",
	columns, 1, 0};

static void
put(struct pp_rows *r, const char *name, const char *id, pp_i128 n,
    pp_i128 t, unsigned scale)
{
	pp_put_text(r, pp_str_from(name));
	if (id == NULL)
		pp_put_null(r);
	else
		pp_put_text(r, pp_str_from(id));
	pp_put_int(r, n);
	pp_put_dec(r, t, scale);
	pp_row_end(r);
}

static void
two_rows(struct writer_world *v)
{
	struct pp_rows r;

	pp_rows_open(&r, &v->mem, &v->sink, &table);
	put(&r, "read", NULL, 3, 1500, 6);
	put(&r, "", "007", -1, -5, 2);
	assert_int_equal(pp_rows_close(&r), PP_OK);
}

static void
test_document(void **state)
{
	struct writer_world *v = *state;
	pp_str none = {"", 0};

	world_start(v, "json");
	two_rows(v);
	world_text_rows(v, &other, &none, 0);
	world_finish(v);
	assert_string_equal(v->got, "{\"generator\": \"profpivot " PP_VERSION
	    "\",\n\"schema_version\": 1,\n\"tables\": {\n\"t\": [\n"
	    "{\"name\":\"read\",\"id\":null,\"n\":3,\"t_s\":0.001500},\n"
	    "{\"name\":\"\",\"id\":\"007\",\"n\":-1,\"t_s\":-0.05}\n],\n"
	    "\"other\": []\n}}\n");
}

static void
test_no_table(void **state)
{
	struct writer_world *v = *state;

	world_start(v, "json");
	world_finish(v);
	assert_string_equal(v->got, "{\"generator\": \"profpivot " PP_VERSION
	    "\",\n\"schema_version\": 1,\n\"tables\": {\n}}\n");
}

static void
test_array(void **state)
{
	struct writer_world *v = *state;

	v->w.one_table = true;
	world_start(v, "json");
	two_rows(v);
	world_finish(v);
	assert_string_equal(v->got, "[\n"
	    "{\"name\":\"read\",\"id\":null,\"n\":3,\"t_s\":0.001500},\n"
	    "{\"name\":\"\",\"id\":\"007\",\"n\":-1,\"t_s\":-0.05}\n]\n");
}

static void
test_lines(void **state)
{
	struct writer_world *v = *state;
	pp_str none = {"", 0};

	world_start(v, "ndjson");
	two_rows(v);
	world_text_rows(v, &other, &none, 0);
	world_finish(v);
	assert_string_equal(v->got,
	    "{\"table\":\"t\",\"name\":\"read\",\"id\":null,\"n\":3,"
	    "\"t_s\":0.001500}\n"
	    "{\"table\":\"t\",\"name\":\"\",\"id\":\"007\",\"n\":-1,"
	    "\"t_s\":-0.05}\n");
	v->w.one_table = true;
	world_start(v, "ndjson");
	two_rows(v);
	world_finish(v);
	assert_string_equal(v->got,
	    "{\"name\":\"read\",\"id\":null,\"n\":3,\"t_s\":0.001500}\n"
	    "{\"name\":\"\",\"id\":\"007\",\"n\":-1,\"t_s\":-0.05}\n");
}

/* Raw tables alternate: so do their lines. */
static void
test_interleaved(void **state)
{
	struct writer_world *v = *state;
	struct pp_rows a, b;

	assert_true(pp_writer_named(PP_STR("ndjson"))->caps &
	    PP_W_INTERLEAVED);
	world_start(v, "ndjson");
	pp_rows_open(&a, &v->mem, &v->sink, &table);
	pp_rows_open(&b, &v->mem, &v->sink, &other);
	put(&a, "x", "y", 1, 1, 0);
	pp_put_text(&b, PP_STR("z"));
	pp_row_end(&b);
	assert_int_equal(pp_rows_close(&b), PP_OK);
	assert_int_equal(pp_rows_close(&a), PP_OK);
	world_finish(v);
	assert_string_equal(v->got, "{\"table\":\"other\",\"name\":\"z\"}\n"
	    "{\"table\":\"t\",\"name\":\"x\",\"id\":\"y\",\"n\":1,"
	    "\"t_s\":1}\n");
}

/* 2^53 is the last integer behind which doubles have gaps. */
static void
test_numbers(void **state)
{
	const pp_i128 edge = (pp_i128)1 << 53;
	struct writer_world *v = *state;
	struct pp_rows r;

	v->w.one_table = true;
	world_start(v, "ndjson");
	pp_rows_open(&r, &v->mem, &v->sink, &table);
	put(&r, "a", "b", edge, edge, 6);
	put(&r, "a", "b", edge + 1, edge + 1, 6);
	put(&r, "a", "b", -edge, -edge, 12);
	put(&r, "a", "b", -edge - 1, -edge - 1, 12);
	put(&r, "a", "b", (pp_i128)(~(pp_u128)0 >> 1), 0, 24);
	assert_int_equal(pp_rows_close(&r), PP_OK);
	world_finish(v);
	assert_string_equal(v->got,
	    "{\"name\":\"a\",\"id\":\"b\",\"n\":9007199254740992,"
	    "\"t_s\":9007199254.740992}\n"
	    "{\"name\":\"a\",\"id\":\"b\",\"n\":\"9007199254740993\","
	    "\"t_s\":\"9007199254.740993\"}\n"
	    "{\"name\":\"a\",\"id\":\"b\",\"n\":-9007199254740992,"
	    "\"t_s\":-9007.199254740992}\n"
	    "{\"name\":\"a\",\"id\":\"b\",\"n\":\"-9007199254740993\","
	    "\"t_s\":\"-9007.199254740993\"}\n"
	    "{\"name\":\"a\",\"id\":\"b\",\"n\":"
	    "\"170141183460469231731687303715884105727\","
	    "\"t_s\":0.000000000000000000000000}\n");
}

static void
test_text(void **state)
{
	static const char nul[] = "a\0b";
	const pp_str text[] = {PP_STR("quote \" and \\ back"),
		PP_STR("line\nfeed\r\ttab\b\f"), {nul, 3},
		PP_STR("\x01\x1f\x7f"), PP_STR("gr\xc3\xbc\xc3\x9f"),
		PP_STR("latin \xfc"), PP_STR("cut \xe2\x82"),
		PP_STR("\xef\xbf\xbe]]>"), PP_STR("12345678\""),
		PP_STR("\\1234567")};
	struct writer_world *v = *state;

	v->w.one_table = true;
	world_start(v, "ndjson");
	world_text_rows(v, &other, text, sizeof(text) / sizeof(text[0]));
	world_finish(v);
	assert_string_equal(v->got,
	    "{\"name\":\"quote \\\" and \\\\ back\"}\n"
	    "{\"name\":\"line\\nfeed\\r\\ttab\\b\\f\"}\n"
	    "{\"name\":\"a\\u0000b\"}\n"
	    "{\"name\":\"\\u0001\\u001f\x7f\"}\n"
	    "{\"name\":\"gr\xc3\xbc\xc3\x9f\"}\n"
	    "{\"name\":\"latin \xef\xbf\xbd\"}\n"
	    "{\"name\":\"cut \xef\xbf\xbd\"}\n"
	    "{\"name\":\"\xef\xbf\xbe]]>\"}\n"
	    "{\"name\":\"12345678\\\"\"}\n"
	    "{\"name\":\"\\\\1234567\"}\n");
	assert_int_equal(v->diag.count, 1);
	assert_int_equal(v->diag.problems[0].id, PP_MSG_SANITISED);
	assert_int_equal(v->diag.problems[0].count, 2);
}

/* Lengths around what is copied at once, and beyond the room of a stream. */
static void
test_lengths(void **state)
{
	static const size_t length[] = {1, 7, 8, 9, 15, 16, 8191, 8192, 8193,
		65535, 65536, 200000};
	struct writer_world *v = *state;
	const char *at;
	char *text;
	pp_str s;
	size_t i, k;

	text = malloc(200000);
	assert_non_null(text);
	for (i = 0; i < sizeof(length) / sizeof(length[0]); i++) {
		memset(text, 'x', length[i]);
		text[length[i] / 2] = '"';
		s = (pp_str){text, length[i]};
		v->w.one_table = true;
		world_start(v, "ndjson");
		world_text_rows(v, &other, &s, 1);
		world_finish(v);
		assert_int_equal(v->n, length[i] + 1 + 9 + 3);
		at = strchr(v->got, '\\');
		assert_non_null(at);
		assert_int_equal(at - v->got, 9 + length[i] / 2);
		for (k = 9; k < 9 + length[i]; k++)
			if (k != 9 + length[i] / 2 &&
			    k != 10 + length[i] / 2)
				assert_int_equal(v->got[k], 'x');
	}
	free(text);
}

#define T(name) cmocka_unit_test_setup_teardown(name, world_setup, \
	world_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_document),
		T(test_no_table),
		T(test_array),
		T(test_lines),
		T(test_interleaved),
		T(test_numbers),
		T(test_text),
		T(test_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
