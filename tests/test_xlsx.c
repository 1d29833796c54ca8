/*
 * test_xlsx.c: the workbook writer: cells, names of sheets, sizes, failures.
 * Charts and pivot tables are in test_xlsx_charts.c; tests/xlsx.test.py reads
 * whole workbooks with other programs.
 */
#include "xlsx_book.h"

/* ---------------------------------------------------------------- tables */

static const struct pp_column statement_columns[] = {
	{"source", PP_T_TEXT, ""}, {"session", PP_T_INT, ""},
	{"statement", PP_T_ID, ""}, {"executions", PP_T_INT, ""},
	{"elapsed_s", PP_T_SECONDS, ""}, {"share_pct", PP_T_DECIMAL, ""},
	{"first_at", PP_T_TIME, ""}, {"text", PP_T_TEXT, ""}
};
static const struct pp_table statements = {
	"statements", "", "", statement_columns, 8, 0
};

static void
put(struct pp_rows *r, const char *id, pp_i128 n, pp_i128 us, unsigned scale,
    pp_str text)
{
	pp_put_str(r, PP_STR("a.trc"));
	pp_put_int(r, 1);
	pp_put_str(r, pp_str_from(id));
	pp_put_int(r, n);
	pp_put_dec(r, us, scale);
	pp_put_dec(r, 1234, 2);
	pp_put_null(r);
	pp_put_text(r, text);
	pp_row_end(r);
}

static void
cells(void **state)
{
	struct bench b;
	char name[64], *styles;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &statements);
	put(&b.rows, "5e70000000000000", 1234567, 1500000, 6,
	    PP_STR("select 1 from dual where a < b and c > '\"&'"));
	put(&b.rows, "0012", (pp_i128)1234567890123456, -1, 6,
	    PP_STR("=1+1"));
	put(&b.rows, "-9223372036854775807", 999999999999999, 1234, 2,
	    PP_STR(" -- two\nlines "));
	put(&b.rows, "x", -1, (pp_i128)123456789012345678 * 1000 + 5, 12,
	    PP_STR("\x01_x0041_\r\xff"));
	put(&b.rows, "y", 0, 0, 6, PP_STR(""));
	put(&b.rows, "z", 0, 5, 12, PP_STR("a\nb\nc\nd"));
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);

	check_cell(b.path, "Statements", "A1", "source");
	check_cell(b.path, "Statements", "C2", "5e70000000000000");
	check_type(b.path, "Statements", "C2", "s");
	check_format(b.path, "Statements", "C2", "49");	/* @ */
	check_cell(b.path, "Statements", "C3", "0012");
	check_type(b.path, "Statements", "C4", "s");
	check_cell(b.path, "Statements", "D2", "1234567");
	check_type(b.path, "Statements", "D2", "");
	check_format(b.path, "Statements", "D2", "3");	/* #,##0 */
	check_format(b.path, "Statements", "B2", "1");	/* a name: 0 */
	/* 16 digits: text; 15: a number */
	check_type(b.path, "Statements", "D3", "s");
	check_cell(b.path, "Statements", "D3", "1234567890123456");
	check_type(b.path, "Statements", "D4", "");
	check_cell(b.path, "Statements", "D4", "999999999999999");
	check_cell(b.path, "Statements", "D5", "-1");
	check_cell(b.path, "Statements", "E2", "1.5");
	check_format(b.path, "Statements", "E2", "#,##0.000000");
	check_cell(b.path, "Statements", "E3", "-0.000001");
	check_cell(b.path, "Statements", "E4", "12.34");
	check_format(b.path, "Statements", "E4", "4");	/* #,##0.00 */
	/* 21 digits, 17 of them count: half up; a picosecond's clock shows
	 * microseconds unless there are none */
	check_cell(b.path, "Statements", "E5", "123456789.01234568");
	check_format(b.path, "Statements", "E5", "#,##0.000000");
	check_cell(b.path, "Statements", "E7", "0.000000000005");
	check_format(b.path, "Statements", "E7", "#,##0.000000000000");
	check_cell(b.path, "Statements", "E6", "0");
	check_cell(b.path, "Statements", "F2", "12.34");
	check_format(b.path, "Statements", "F2", "2");	/* 0.00 */
	CHECK(b.path, sheet_part(b.path, "Statements", name),
	    "count(//m:c[@r='G2'])", "0");
	check_cell(b.path, "Statements", "H2",
	    "select 1 from dual where a < b and c > '\"&'");
	check_type(b.path, "Statements", "H3", "s");
	check_cell(b.path, "Statements", "H3", "=1+1");
	check_cell(b.path, "Statements", "H4", " -- two\nlines ");
	check_cell(b.path, "Statements", "H5",
	    "_x0001__x005F_x0041__x000D_\xef\xbf\xbd");
	check_cell(b.path, "Statements", "H6", "");
	CHECK(b.path, name, "count(//m:f)", "0");

	/* a column without values is hidden, and Excel marks no id */
	CHECK(b.path, name, "string(//m:col[@min='7']/@hidden)", "1");
	CHECK(b.path, name, "count(//m:col[@hidden])", "1");
	CHECK(b.path, name, "string(//m:ignoredError/@sqref)", "C2:C7");

	/* a row of several lines is higher, its cells are on top; numbers'
	 * headers stand over the numbers */
	CHECK(b.path, name, "string(//m:row[@r='7']/@ht)", "46");
	CHECK(b.path, name, "count(//m:row[@r='6']/@ht)", "0");
	check_alignment(b.path, "Statements", "H7", "vertical", "top");
	check_alignment(b.path, "Statements", "H7", "wrapText", "1");
	check_alignment(b.path, "Statements", "D7", "vertical", "top");
	check_alignment(b.path, "Statements", "D7", "horizontal", "right");
	check_alignment(b.path, "Statements", "D6", "vertical", "");
	check_alignment(b.path, "Statements", "D1", "horizontal", "right");
	check_alignment(b.path, "Statements", "C1", "horizontal", "");

	/* the furniture */
	CHECK(b.path, name, "string(//m:pane/@state)", "frozen");
	CHECK(b.path, name, "string(//m:pane/@ySplit)", "1");
	CHECK(b.path, name, "string(//m:autoFilter/@ref)", "A1:H7");
	CHECK(b.path, name, "string(//m:dimension/@ref)", "A1:H7");
	CHECK(b.path, name, "string(//m:pageSetup/@orientation)",
	    "landscape");
	styles = query(b.path, name, "string(//m:c[@r='A1']/@s)");
	assert_string_equal(styles, "1");
	xmlFree(styles);
	CHECK(b.path, "xl/styles.xml",
	    "count(//m:fonts/m:font[1 + number(//m:cellXfs/m:xf[2]/@fontId)]"
	    "/m:b)", "1");
	CHECK(b.path, "docProps/core.xml",
	    "string(//*[local-name()='created'])", "1980-01-01T00:00:00Z");
	CHECK(b.path, "docProps/core.xml",
	    "string(//*[local-name()='creator'])", "");
	bench_free(&b);
}

static void
empty(void **state)
{
	struct bench b;
	char name[64];

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &statements);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	check_cell(b.path, "Statements", "H1", "text");
	CHECK(b.path, sheet_part(b.path, "Statements", name),
	    "string(//m:autoFilter/@ref)", "A1:H1");
	bench_free(&b);
}

/* --------------------------------------------------------------- hostile */

static const struct pp_column text_columns[] = {
	{"text", PP_T_TEXT, "what was said"}
};

static void
names(void **state)
{
	static const char *const tables[] = {
		"my_pivot", "MY_PIVOT", "history", "a[b]:c*d?e/f\\g'",
		"a_name_that_is_longer_than_31_characters_1",
		"a_name_that_is_longer_than_31_characters_2", "", "summary"
	};
	static const char *const want[] = {
		"My pivot", "MY PIVOT 2", "History 2", "A-b--c-d-e-f-g-",
		"A name that is longer than 31 c",
		"A name that is longer than 31 2", "-", "Summary 2"
	};
	struct pp_table t[8];
	struct bench b;
	char name[64];
	size_t i;

	(void)state;
	bench_open(&b, NULL);
	for (i = 0; i < 8; i++) {
		t[i] = (struct pp_table){tables[i], "help; more", "",
		    text_columns, 1, 0};
		pp_rows_open(&b.rows, &b.mem, &b.to, &t[i]);
		if (i != 3) {
			pp_put_str(&b.rows, PP_STR("x"));
			pp_row_end(&b.rows);
		}
		assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	}
	assert_int_equal(bench_close(&b), PP_OK);
	for (i = 0; i < 8; i++)
		sheet_part(b.path, want[i], name);
	/* several sheets: a guide in front, with a link to each that has rows;
	 * the others are hidden */
	CHECK(b.path, "xl/workbook.xml", "string(//m:sheet[1]/@name)",
	    "Summary");
	CHECK(b.path, "xl/worksheets/sheet1.xml", "count(//m:hyperlink)",
	    "8");
	CHECK(b.path, "xl/workbook.xml", "count(//m:sheet[@state='hidden'])",
	    "1");
	CHECK(b.path, "xl/workbook.xml",
	    "string(//m:sheet[@state='hidden']/@name)", "A-b--c-d-e-f-g-");
	/* what columns hold */
	check_cell(b.path, "Columns", "A1", "sheet");
	check_cell(b.path, "Columns", "A2", "My pivot");
	check_cell(b.path, "Columns", "B2", "text");
	check_cell(b.path, "Columns", "D2", "what was said");
	bench_free(&b);
}

static void
hostile_text(void **state)
{
	struct pp_table t = {"problems", "", "", text_columns, 1, 0};
	char big[40000], all[256];
	struct bench b;
	size_t i;
	char name[64];

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &t);
	memset(big, 'x', sizeof(big));
	for (i = 0; i < sizeof(all); i++)
		all[i] = (char)i;
	pp_put_text(&b.rows, (pp_str){big, sizeof(big)});
	pp_row_end(&b.rows);
	memset(big, '\n', 300);
	pp_put_text(&b.rows, (pp_str){big, 300});
	pp_row_end(&b.rows);
	pp_put_text(&b.rows, (pp_str){all, sizeof(all)});
	pp_row_end(&b.rows);
	pp_put_text(&b.rows, PP_STR("\xed\xa0\x80 \xef\xbf\xbf \xf4\x90"
	    "\x80\x80 \xc0\x80 ]]> &#0; \xf0\x9f\x98\x80"));
	pp_row_end(&b.rows);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	CHECK(b.path, "xl/sharedStrings.xml",
	    "string-length(//m:si[starts-with(., 'xxx')])", "32767");
	CHECK(b.path, sheet_part(b.path, "Problems", name),
	    "count(//m:c)", "5");
	/* told once each */
	assert_int_equal(b.diag.seen[PP_MSG_CELL_CUT], 1);
	assert_int_equal(b.diag.seen[PP_MSG_SANITISED], 1);
	assert_int_equal(b.diag.count, 2);
	assert_int_equal(b.diag.problems[0].count, 2);
	assert_int_equal(b.diag.problems[1].count, 2);
	bench_free(&b);
}

/* ------------------------------------------------------------------ size */

static enum pp_status
fill_long(struct bench *b, const struct pp_table *t, unsigned rows)
{
	unsigned i;

	pp_rows_open(&b->rows, &b->mem, &b->to, t);
	for (i = 0; i < rows && b->rows.status == PP_OK; i++) {
		pp_put_int(&b->rows, i);
		pp_row_end(&b->rows);
	}
	return pp_rows_close(&b->rows);
}

static const struct pp_column long_columns[] = {{"line", PP_T_INT, ""}};

static void
spill(void **state)
{
	const struct pp_table t = {"events", "", "", long_columns, 1,
	    PP_TABLE_RAW};
	struct bench b;
	char name[64], *p;
	size_t n = 0;

	(void)state;
	bench_open(&b, NULL);
	assert_int_equal(fill_long(&b, &t, 1048577), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	/* 1,048,575 rows and the header, then two more */
	check_cell(b.path, "Events_2", "A1", "line");
	check_cell(b.path, "Events_2", "A2", "1048575");
	check_cell(b.path, "Events_2", "A3", "1048576");
	p = part(b.path, sheet_part(b.path, "Events", name), &n);
	assert_non_null(strstr(p + n - 3000, "<row r=\"1048576\">"));
	assert_null(strstr(p + n - 3000, "<row r=\"1048577\">"));
	free(p);
	assert_int_equal(b.diag.seen[PP_MSG_SPILLED], 1);
	assert_true(b.mem.peak < (size_t)4 << 20);
	bench_free(&b);

	bench_open(&b, NULL);
	b.w.opt.spill_sheets = false;
	assert_int_equal(fill_long(&b, &t, 1048577), PP_FATAL);
	assert_true(pp_str_find(pp_sink_error(b.w.sink, NULL),
	    PP_STR("events")) < pp_sink_error(b.w.sink, NULL).n);
	b.w.writer->free(&b.w);
	pp_sink_abort(b.w.sink);
	bench_free(&b);
}

/* Beyond the bounds of the shared strings text is written inline. */
static void
inline_strings(void **state)
{
	const struct pp_table t = {"texts", "", "", text_columns, 1, 0};
	struct bench b;
	char text[64], name[64], *p;
	unsigned i;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &t);
	for (i = 0; i < 400100; i++) {
		snprintf(text, sizeof(text), "<%u>", i);
		pp_put_text(&b.rows, pp_str_from(text));
		pp_row_end(&b.rows);
	}
	pp_put_text(&b.rows, PP_STR("<7>"));
	pp_row_end(&b.rows);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	/* by hand: the sheet is large for a tree */
	p = part(b.path, sheet_part(b.path, "Texts", name), NULL);
	assert_non_null(strstr(p, "<dimension ref=\"A1:A400102\"/>"));
	assert_non_null(strstr(p, "<c r=\"A10\" s=\"8\" t=\"s\">"
	    "<v>10</v></c>"));
	assert_non_null(strstr(p, "<c r=\"A400101\" s=\"8\" "
	    "t=\"inlineStr\"><is><t>&lt;400099&gt;</t></is></c>"));
	assert_non_null(strstr(p, "<c r=\"A400102\" s=\"8\" t=\"s\">"
	    "<v>9</v></c>"));
	free(p);
	p = part(b.path, "xl/sharedStrings.xml", NULL);
	assert_non_null(strstr(p, "uniqueCount=\"400000\""));
	free(p);
	bench_free(&b);
}

/* -------------------------------------------------------------- failures */

static void
disk_full(void **state)
{
	struct bench b;
	pp_str why;

	(void)state;
	if (access("/dev/full", W_OK) != 0)
		skip();
	bench_open(&b, "/dev/full");
	fill_wide(&b, 2, false);
	assert_int_equal(bench_close(&b), PP_FATAL);
	why = pp_sink_error(b.w.sink, NULL);
	assert_true(pp_str_find(why, PP_STR("No space left")) < why.n);
	pp_sink_abort(b.w.sink);
	bench_free(&b);
}

/* Every allocation refused in turn: no crash, nothing left behind. */
static void
no_memory(void **state)
{
	static struct bench b;
	static long k;

	(void)state;
	for (k = 0;; k += k < 60 ? 1 : 7) {
		bench_open(&b, NULL);
		b.mem.fail_after = k;
		if (setjmp(b.trap) == 0) {
			b.mem.trap = &b.trap;
			fill_wide(&b, 2, true);
			pp_rows_open(&b.rows, &b.mem, &b.to, &cube);
			cube_row(&b.rows, 1, 1, PP_STR("Latch"), "s1", 100);
			assert_int_equal(pp_rows_close(&b.rows), PP_OK);
			assert_int_equal(bench_close(&b), PP_OK);
			b.mem.trap = NULL;
			bench_free(&b);
			return;
		}
		b.mem.fail_after = -1;
		b.mem.trap = NULL;
		b.w.writer->free(&b.w);
		pp_sink_abort(b.w.sink);
		bench_free(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells),
		cmocka_unit_test(empty),
		cmocka_unit_test(names),
		cmocka_unit_test(hostile_text),
		cmocka_unit_test(spill),
		cmocka_unit_test(inline_strings),
		cmocka_unit_test(disk_full),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
