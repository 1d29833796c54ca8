/*
 * test_xlsx_charts.c: the workbook writer: charts, pivot tables, and the first
 * sheet.
 */
#include "xlsx_book.h"

static void
timeline(void **state)
{
	static const char chart[] = "xl/charts/chart1.xml";
	struct bench b;
	char name[64];

	(void)state;
	bench_open(&b, NULL);
	fill_wide(&b, 1, false);
	assert_int_equal(bench_close(&b), PP_OK);
	check_cell(b.path, "Timeline", "G1", "CPU EXEC");
	check_cell(b.path, "Timeline", "D3", "2.5");
	check_type(b.path, "Timeline", "D3", "");
	check_cell(b.path, "Timeline", "J2", "-0.00001");
	/* text labels beside the table, behind a free column */
	check_type(b.path, "Timeline", "M3", "s");
	check_cell(b.path, "Timeline", "M3", "2.5");
	CHECK(b.path, sheet_part(b.path, "Timeline", name),
	    "string(//m:autoFilter/@ref)", "A1:K4");
	/* only events that have time, in the order of the columns */
	CHECK(b.path, chart, "count(//c:ser)", "3");
	CHECK(b.path, chart, "string(//c:barChart/c:grouping/@val)",
	    "stacked");
	CHECK(b.path, chart, "string(//c:barChart/c:barDir/@val)", "col");
	CHECK(b.path, chart, "string(//c:barChart/c:overlap/@val)", "100");
	CHECK(b.path, chart, "string(//c:ser[2]/c:tx//c:f)",
	    "Timeline!$H$1");
	CHECK(b.path, chart, "string(//c:ser[2]/c:tx//c:v)", "a & b <c>");
	CHECK(b.path, chart, "string(//c:ser[2]/c:cat/c:strRef/c:f)",
	    "Timeline!$M$2:$M$4");
	CHECK(b.path, chart, "string(//c:ser[2]/c:cat//c:pt[2]/c:v)", "2.5");
	CHECK(b.path, chart, "string(//c:ser[2]/c:val//c:f)",
	    "Timeline!$H$2:$H$4");
	CHECK(b.path, chart, "string(//c:ser[2]/c:val//c:pt[1]/c:v)",
	    "0.25");
	CHECK(b.path, chart, "string(//c:ser[3]/c:val//c:pt[1]/c:v)",
	    "-1E-05");
	/* what nobody accounts for is hatched, CPU is blue */
	CHECK(b.path, chart, "count(//c:ser[3]/c:spPr/a:pattFill)", "1");
	CHECK(b.path, chart,
	    "string(//c:ser[1]/c:spPr/a:solidFill/a:srgbClr/@val)",
	    "1F4E79");
	CHECK(b.path, chart, "count(//c:dateAx)", "0");
	bench_free(&b);
}

static void
timeline_sessions(void **state)
{
	struct bench b;
	char name[64];
	int i;

	(void)state;
	bench_open(&b, NULL);
	fill_wide(&b, 30, true);
	assert_int_equal(bench_close(&b), PP_OK);
	check_cell(b.path, "Timeline", "M3", "09:00:01");
	/* eight charts: of the sessions with most time, in their order */
	for (i = 1; i <= 8; i++) {
		char want[40];

		snprintf(name, sizeof(name), "xl/charts/chart%d.xml", i);
		snprintf(want, sizeof(want), "a.trc, session %d", 22 + i);
		CHECK(b.path, name, "string(//c:title//a:t)", want);
		snprintf(want, sizeof(want), "Timeline!$G$%d:$G$%d",
		    22 * 3 + (i - 1) * 3 + 2, 22 * 3 + (i - 1) * 3 + 4);
		CHECK(b.path, name, "string(//c:ser[1]/c:val//c:f)", want);
	}
	assert_null(part(b.path, "xl/charts/chart9.xml", NULL));
	bench_free(&b);
}

/* ----------------------------------------------------------------- pivot */

static void
pivot(void **state)
{
	static const char cache[] = "xl/pivotCache/pivotCacheDefinition1.xml";
	static const char table[] = "xl/pivotTables/pivotTable1.xml";
	struct bench b;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &cube);
	cube_row(&b.rows, 1, 1, PP_STR("Latch"), "s1", 100);
	cube_row(&b.rows, 1, 1, PP_STR("LATCH"), "s2", 20);
	cube_row(&b.rows, 1, 2, PP_STR("a<\"&\xff"), "s1", 3000000);
	cube_row(&b.rows, 2, 10, PP_STR("latch"), "S1", -7);
	/* GRUEN with an umlaut, in both cases */
	cube_row(&b.rows, 2, 10, PP_STR("GR\xc3\x9cN"), "s3", 1);
	cube_row(&b.rows, 2, 10, PP_STR("gr\xc3\xbcn"), "s3", 2);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);

	CHECK(b.path, "xl/tables/table1.xml", "string(//@ref)", "A1:J7");
	CHECK(b.path, "xl/tables/table1.xml", "string(/*/@displayName)",
	    "Cube");
	CHECK(b.path, cache, "string(//m:worksheetSource/@name)", "Cube");
	CHECK(b.path, cache, "string(/*/@saveData)", "0");
	CHECK(b.path, cache, "string(/*/@refreshOnLoad)", "1");
	/* items differ by more than case; the first spelling is shown */
	CHECK(b.path, cache,
	    "string(//m:cacheField[@name='event']/m:sharedItems/@count)",
	    "3");
	CHECK(b.path, cache, "string(//m:cacheField[@name='event']//m:s[1]/"
	    "@v)", "a<\"&\xef\xbf\xbd");
	CHECK(b.path, cache, "string(//m:cacheField[@name='event']//m:s[2]/"
	    "@v)", "Latch");
	CHECK(b.path, cache, "string(//m:cacheField[@name='event']//m:s[3]/"
	    "@v)", "GR\xc3\x9cN");
	CHECK(b.path, cache,
	    "string(//m:cacheField[@name='statement']/m:sharedItems/@count)",
	    "3");
	/* numbers in their order, not that of their digits */
	CHECK(b.path, cache,
	    "string(//m:cacheField[@name='interval']//m:n[3]/@v)", "10");
	/* items only for fields on an axis */
	CHECK(b.path, cache, "count(//m:cacheField[@name='class']//m:s)",
	    "0");
	CHECK(b.path, cache, "string(//m:cacheField[@name='time_s']/"
	    "m:sharedItems/@minValue)", "-0.000007");
	CHECK(b.path, table, "string(//m:location/@ref)", "A30:E35");
	CHECK(b.path, table, "count(//m:pivotField)", "10");
	CHECK(b.path, table, "string(//m:pageField[1]/@fld)", "6");
	CHECK(b.path, table, "string(//m:pageField[2]/@fld)", "1");
	/* as a refresh computes it: a pair without rows is no cell */
	check_cell(b.path, "Pivot", "A32", "1");
	check_cell(b.path, "Pivot", "A34", "10");
	check_cell(b.path, "Pivot", "C32", "0.00012");
	check_cell(b.path, "Pivot", "B32", "");
	check_cell(b.path, "Pivot", "B33", "3");
	check_cell(b.path, "Pivot", "C34", "-0.000007");
	check_cell(b.path, "Pivot", "D34", "0.000003");
	check_cell(b.path, "Pivot", "E35", "3.000116");
	check_cell(b.path, "Pivot statements", "A8", "s1");
	check_cell(b.path, "Pivot statements", "C8", "0.000093");
	/* one chart is a pivot chart */
	CHECK(b.path, "xl/charts/chart1.xml",
	    "string(//c:pivotSource/c:name)", "[]Pivot!PivotTime");
	CHECK(b.path, "xl/charts/chart1.xml", "count(//c:pivotFmt)", "3");
	bench_free(&b);
}

/* No rows, and a field that is sometimes empty: no pivot, but a workbook. */
static void
pivot_none(void **state)
{
	struct bench b;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		bench_open(&b, NULL);
		pp_rows_open(&b.rows, &b.mem, &b.to, &cube);
		if (i == 1) {
			cube_row(&b.rows, 1, 1, PP_STR("x"), "s1", 100);
			pp_put_nulls(&b.rows, 10);
			pp_row_end(&b.rows);
		}
		assert_int_equal(pp_rows_close(&b.rows), PP_OK);
		assert_int_equal(bench_close(&b), PP_OK);
		assert_null(part(b.path, "xl/pivotTables/pivotTable1.xml",
		    NULL));
		check_cell(b.path, "Data", "A1", "source");
		bench_free(&b);
	}
}

/* ------------------------------------------------------------- histogram */

static const struct pp_column histogram_columns[] = {
	{"source", PP_T_TEXT, ""}, {"session", PP_T_INT, ""},
	{"event", PP_T_TEXT, ""}, {"from_s", PP_T_SECONDS, ""},
	{"to_s", PP_T_SECONDS, ""}, {"count", PP_T_INT, ""},
	{"time_s", PP_T_SECONDS, ""}
};
static const struct pp_table histogram_table = {
	"histogram", "", "", histogram_columns, 7, 0
};

/* Six events; the four with most time get two charts each. */
static void
histogram(void **state)
{
	static const char *const events[] = {"a", "b", "c", "d", "e", "f"};
	static const int time[] = {50, 10, 90, 1, 70, 60};
	struct bench b;
	int i, k;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &histogram_table);
	for (i = 0; i < 6; i++)
		for (k = 0; k < 3; k++) {
			pp_put_str(&b.rows, PP_STR("a.trc"));
			pp_put_int(&b.rows, 1);
			pp_put_str(&b.rows, pp_str_from(events[i]));
			pp_put_dec(&b.rows, k * 10, 6);
			pp_put_dec(&b.rows, k * 10 + 9, 6);
			pp_put_int(&b.rows, k + 1);
			pp_put_dec(&b.rows, time[i], 6);
			pp_row_end(&b.rows);
		}
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	CHECK(b.path, "xl/charts/chart1.xml", "string(//c:title//a:t)",
	    "c, session 1: count");
	CHECK(b.path, "xl/charts/chart1.xml", "string(//c:val//c:f)",
	    "Histogram!$F$8:$F$10");
	CHECK(b.path, "xl/charts/chart1.xml", "string(//c:val//c:pt[3]/c:v)",
	    "3");
	CHECK(b.path, "xl/charts/chart8.xml", "string(//c:title//a:t)",
	    "a, session 1: time");
	CHECK(b.path, "xl/charts/chart8.xml", "string(//c:cat//c:f)",
	    "Histogram!$E$2:$E$4");
	assert_null(part(b.path, "xl/charts/chart9.xml", NULL));
	bench_free(&b);
}

/* --------------------------------------------------------------- summary */

static const struct pp_column profile_columns[] = {
	{"source", PP_T_TEXT, ""}, {"session", PP_T_INT, ""},
	{"event", PP_T_TEXT, ""}, {"class", PP_T_TEXT, ""},
	{"time_s", PP_T_SECONDS, ""}, {"share_pct", PP_T_DECIMAL, ""},
	{"count", PP_T_INT, ""}
};
static const struct pp_table profile_table = {
	"profile", "an event in a session", "", profile_columns, 7, 0
};

static void
profile_row(struct bench *b, int session, pp_str event, const char *class,
    pp_i128 us, int count)
{
	pp_put_str(&b->rows, PP_STR("a.trc"));
	pp_put_int(&b->rows, session);
	pp_put_text(&b->rows, event);
	pp_put_str(&b->rows, pp_str_from(class));
	pp_put_dec(&b->rows, us, 6);
	pp_put_null(&b->rows);
	pp_put_int(&b->rows, count);
	pp_row_end(&b->rows);
}

static void
summary(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &profile_table);
	profile_row(&b, 1, PP_STR("log file sync"), "wait", 1000000, 3);
	profile_row(&b, 1, PP_STR("CPU EXEC"), "cpu", 1500000, 2);
	profile_row(&b, 2, PP_STR("log file sync"), "wait", 1500000, 4);
	profile_row(&b, 2, PP_STR("nap"), "idle", 0, 1);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	fill_wide(&b, 1, false);
	assert_int_equal(bench_close(&b), PP_OK);
	/* sessions are summed, by falling time, with shares of the whole */
	check_cell(b.path, "Summary", "A1", "Profile");
	check_cell(b.path, "Summary", "A3", "Problems");
	check_cell(b.path, "Summary", "B3", "none");
	check_cell(b.path, "Summary", "A5", "event");
	check_cell(b.path, "Summary", "A6", "log file sync");
	check_cell(b.path, "Summary", "C6", "2.5");
	check_cell(b.path, "Summary", "D6", "62.5");
	check_cell(b.path, "Summary", "E6", "7");
	check_cell(b.path, "Summary", "A7", "CPU EXEC");
	check_cell(b.path, "Summary", "B8", "idle");
	check_cell(b.path, "Summary", "A11", "Profile");
	check_cell(b.path, "Summary", "B11", "4");
	check_cell(b.path, "Summary", "C11", "an event in a session");
	CHECK(b.path, "xl/worksheets/sheet1.xml",
	    "string(//m:hyperlink[2]/@location)", "'Timeline'!A1");
	/* the bars, then the busiest session, in the colours of its sheet */
	CHECK(b.path, "xl/charts/chart1.xml",
	    "string(//c:barChart/c:barDir/@val)", "bar");
	CHECK(b.path, "xl/charts/chart1.xml",
	    "string(//c:dPt[2]//a:srgbClr/@val)", "1F4E79");
	CHECK(b.path, "xl/charts/chart2.xml",
	    "string(//c:ser[1]/c:spPr//a:srgbClr/@val)", "1F4E79");
	bench_free(&b);
}

/* 300 events: more than a chart can draw, but a pivot table. */
static void
many_events(void **state)
{
	struct bench b;
	char name[32];
	int i;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &cube);
	for (i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "event %d", i);
		cube_row(&b.rows, 1, 1, pp_str_from(name), "s1", 300 - i);
	}
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	check_cell(b.path, "Pivot", "A10", "Grand Total");
	/* column 302 */
	check_cell(b.path, "Pivot", "KP10", "0.04515");
	assert_null(part(b.path, "xl/charts/chart1.xml", NULL));
	CHECK(b.path, "xl/pivotTables/pivotTable1.xml",
	    "count(//m:chartFormat)", "0");
	bench_free(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timeline),
		cmocka_unit_test(timeline_sessions),
		cmocka_unit_test(pivot),
		cmocka_unit_test(pivot_none),
		cmocka_unit_test(histogram),
		cmocka_unit_test(summary),
		cmocka_unit_test(many_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
