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
	/* no table of problems: nothing is claimed */
	check_cell(b.path, "Summary", "A4", "event");
	check_cell(b.path, "Summary", "A5", "log file sync");
	check_cell(b.path, "Summary", "C5", "2.5");
	check_cell(b.path, "Summary", "D5", "62.5");
	check_cell(b.path, "Summary", "E5", "7");
	check_cell(b.path, "Summary", "A6", "CPU EXEC");
	check_cell(b.path, "Summary", "B7", "idle");
	check_cell(b.path, "Summary", "A10", "Profile");
	check_cell(b.path, "Summary", "B10", "4");
	check_cell(b.path, "Summary", "C10", "an event in a session");
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

/* Shares on the Summary are of events, whatever digests take. */
static const struct pp_column digests_columns[] = {
	{"digest", PP_T_ID, ""}, {"digest_text", PP_T_TEXT, ""},
	{"total_s", PP_T_SECONDS, ""}, {"calls", PP_T_INT, ""}
};
static const struct pp_table digests_table = {
	"digests", "a digest", "", digests_columns, 4, 0
};

static void
digest_row(struct bench *b, const char *id, const char *text, pp_i128 ps)
{
	pp_put_str(&b->rows, pp_str_from(id));
	pp_put_str(&b->rows, pp_str_from(text));
	pp_put_dec(&b->rows, ps, 12);
	pp_put_int(&b->rows, 3);
	pp_row_end(&b->rows);
}

static void
summary_shares(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &profile_table);
	profile_row(&b, 1, PP_STR("x"), "wait", 3000000, 1);
	profile_row(&b, 1, PP_STR("y"), "wait", 1000000, 1);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	pp_rows_open(&b.rows, &b.mem, &b.to, &digests_table);
	digest_row(&b, "d:1", "SELECT ?", (pp_i128)9000000000000);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	b.w.title = "Told by the caller";
	assert_int_equal(bench_close(&b), PP_OK);
	check_cell(b.path, "Summary", "A1", "Told by the caller");
	check_cell(b.path, "Summary", "A8", "x");
	check_cell(b.path, "Summary", "D8", "75");
	bench_free(&b);
}

/* ------------------------------------------------------ before and after */

static const struct pp_column compare_columns[] = {
	{"event", PP_T_TEXT, "name"}, {"before_s", PP_T_SECONDS, "b"},
	{"after_s", PP_T_SECONDS, "a"}, {"difference_s", PP_T_SECONDS, "d"},
	{"ratio", PP_T_DECIMAL, "r"}, {"share_pct", PP_T_DECIMAL, "s"},
	{"state", PP_T_TEXT, "more, less"}
};
static const struct pp_table compare_table = {
	"compare_events", "an event before and after", "", compare_columns, 7,
	0
};

static void
compare_row(struct bench *b, pp_str event, pp_i128 before, pp_i128 after)
{
	pp_put_text(&b->rows, event);
	pp_put_dec(&b->rows, before, 6);
	pp_put_dec(&b->rows, after, 6);
	pp_put_dec(&b->rows, after - before, 6);
	if (before)
		pp_put_dec(&b->rows, pp_div_half_up(after * 10000, before),
		    4);
	else
		pp_put_null(&b->rows);
	pp_put_dec(&b->rows, 5000, 2);
	pp_put_str(&b->rows, before < after ? PP_STR("more") :
	    PP_STR("less"));
	pp_row_end(&b->rows);
}

static void
compare(void **state)
{
	static const char chart[] = "xl/charts/chart1.xml";
	char name[64];
	struct bench b;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &compare_table);
	compare_row(&b, PP_STR("slow\n  \xc3\xa4ther"), 1000000, 3500000);
	compare_row(&b, PP_STR("quick"), 2000000, 500000);
	compare_row(&b, PP_STR("same"), 7, 7);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	pp_rows_open(&b.rows, &b.mem, &b.to, &profile_table);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	check_cell(b.path, "Compare events", "D2", "2.5");
	check_cell(b.path, "Compare events", "E2", "3.5");
	check_format(b.path, "Compare events", "E2", "#,##0.0000");
	/* more is red, less is green, in cells, bars of shares and the chart */
	sheet_part(b.path, "Compare events", name);
	CHECK(b.path, name, "string(//m:conditionalFormatting[@sqref='D2:D4']"
	    "/m:cfRule[1]/@operator)", "greaterThan");
	CHECK(b.path, "xl/styles.xml",
	    "string(//m:dxf[1]/m:font/m:color/@rgb)", "FFB03A2E");
	CHECK(b.path, "xl/styles.xml",
	    "string(//m:dxf[2]/m:font/m:color/@rgb)", "FF2E7D32");
	CHECK(b.path, name, "count(//m:conditionalFormatting[@sqref='F2:F4']"
	    "/m:cfRule/m:dataBar)", "1");
	/* what changed, named in a line beside the table */
	check_cell(b.path, "Compare events", "I2", "slow \xc3\xa4ther");
	CHECK(b.path, chart, "string(//c:cat//c:f)",
	    "'Compare events'!$I$2:$I$3");
	CHECK(b.path, chart, "string(//c:val//c:f)",
	    "'Compare events'!$D$2:$D$3");
	CHECK(b.path, chart, "string(//c:val//c:pt[2]/c:v)", "-1.5");
	CHECK(b.path, chart, "string(//c:dPt[1]//a:srgbClr/@val)", "B03A2E");
	CHECK(b.path, chart, "string(//c:dPt[2]//a:srgbClr/@val)", "2E7D32");
	/* and on the Summary */
	check_cell(b.path, "Summary", "A4", "Compare events");
	check_cell(b.path, "Summary", "A5", "slow \xc3\xa4ther");
	check_cell(b.path, "Summary", "B6", "less");
	check_cell(b.path, "Summary", "E6", "-1.5");
	check_cell(b.path, "Summary", "F6", "0.25");
	bench_free(&b);
}

static const struct pp_column delta_columns[] = {
	{"source", PP_T_TEXT, ""}, {"digest", PP_T_ID, ""},
	{"from_at", PP_T_TIME, ""}, {"to_at", PP_T_TIME, ""},
	{"calls", PP_T_INT, ""}, {"total_s", PP_T_SECONDS, ""}
};
static const struct pp_table delta_table = {
	"digest_deltas", "", "", delta_columns, 6, 0
};

static void
delta_row(struct bench *b, int k, const char *digest, pp_i128 us)
{
	static const char *const at[] = {"2024-05-02T06:00:00",
	    "2024-05-02T07:00:00", "2024-05-02T08:00:00"};

	pp_put_str(&b->rows, PP_STR("s.tsv"));
	if (*digest)
		pp_put_text(&b->rows, pp_str_from(digest));
	else
		pp_put_null(&b->rows);
	pp_put_str(&b->rows, pp_str_from(at[k]));
	pp_put_str(&b->rows, pp_str_from(at[k + 1]));
	pp_put_int(&b->rows, 2);
	if (us)
		pp_put_dec(&b->rows, us, 6);
	else
		pp_put_null(&b->rows);
	pp_row_end(&b->rows);
}

static void
deltas(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &digests_table);
	digest_row(&b, "d:1", "SELECT  ?\nFROM t", 1);
	digest_row(&b, "d:2", "COMMIT", 1);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	pp_rows_open(&b.rows, &b.mem, &b.to, &delta_table);
	delta_row(&b, 0, "d:1", 1500000);
	delta_row(&b, 0, "d:2", 250000);
	delta_row(&b, 0, "d:1", 500000);	/* of another schema */
	delta_row(&b, 0, "", 100000);
	delta_row(&b, 1, "d:2", 3000000);
	delta_row(&b, 1, "d:1", 0);		/* gone */
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	check_cell(b.path, "Delta timeline", "A2", "2024-05-02 06:00:00");
	check_cell(b.path, "Delta timeline", "B2", "2024-05-02 07:00:00");
	check_cell(b.path, "Delta timeline", "C1", "COMMIT");
	check_cell(b.path, "Delta timeline", "C2", "0.25");
	check_cell(b.path, "Delta timeline", "C3", "3");
	check_cell(b.path, "Delta timeline", "D1", "SELECT ? FROM t");
	check_cell(b.path, "Delta timeline", "D2", "2");
	check_cell(b.path, "Delta timeline", "D3", "");
	check_cell(b.path, "Delta timeline", "E1", "(no digest)");
	check_cell(b.path, "Delta timeline", "E2", "0.1");
	check_cell(b.path, "Summary", "A5", "COMMIT");
	check_cell(b.path, "Summary", "C5", "3.25");
	check_cell(b.path, "Summary", "D5", "60.75");
	CHECK(b.path, "xl/charts/chart3.xml", "count(//c:ser)", "3");
	CHECK(b.path, "xl/charts/chart3.xml", "string(//c:cat//c:pt[2]/c:v)",
	    "2024-05-02 07:00:00");
	bench_free(&b);
}

/* Forty digests: 24 columns, and one for the others. */
static void
many_deltas(void **state)
{
	char id[16];
	struct bench b;
	int i;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &delta_table);
	for (i = 0; i < 40; i++) {
		snprintf(id, sizeof(id), "d:%02d", i);
		delta_row(&b, 0, id, 1000000 * (40 - i));
	}
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	check_cell(b.path, "Delta timeline", "C1", "d:00");
	check_cell(b.path, "Delta timeline", "Z1", "d:23");
	check_cell(b.path, "Delta timeline", "AA1", "other");
	/* 1 + 2 + ... + 16 */
	check_cell(b.path, "Delta timeline", "AA2", "136");
	bench_free(&b);
}

static const struct pp_column trend_columns[] = {
	{"event", PP_T_TEXT, ""}, {"total_s", PP_T_SECONDS, ""},
	{"2024-05-01", PP_T_SECONDS, ""}, {"2024-05-02", PP_T_SECONDS, ""}
};
static const struct pp_table trend_table = {
	"trend", "an event", "", trend_columns, 4, PP_TABLE_WIDE
};

static void
trend(void **state)
{
	static const char chart[] = "xl/charts/chart1.xml";
	struct bench b;

	(void)state;
	bench_open(&b, NULL);
	pp_rows_open(&b.rows, &b.mem, &b.to, &trend_table);
	pp_put_str(&b.rows, PP_STR("log file sync"));
	pp_put_dec(&b.rows, 3, 0);
	pp_put_dec(&b.rows, 15, 1);
	pp_put_null(&b.rows);
	pp_row_end(&b.rows);
	assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	assert_int_equal(bench_close(&b), PP_OK);
	CHECK(b.path, chart, "count(//c:lineChart/c:ser)", "1");
	CHECK(b.path, chart, "string(//c:tx//c:v)", "log file sync");
	CHECK(b.path, chart, "string(//c:cat//c:f)", "Trend!$C$1:$D$1");
	CHECK(b.path, chart, "string(//c:cat//c:pt[2]/c:v)", "2024-05-02");
	CHECK(b.path, chart, "string(//c:val//c:f)", "Trend!$C$2:$D$2");
	CHECK(b.path, chart, "string(//c:val//c:pt[1]/c:v)", "1.5");
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
		cmocka_unit_test(summary_shares),
		cmocka_unit_test(compare),
		cmocka_unit_test(deltas),
		cmocka_unit_test(many_deltas),
		cmocka_unit_test(trend),
		cmocka_unit_test(many_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
