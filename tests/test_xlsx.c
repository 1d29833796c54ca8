/*
 * test_xlsx.c: the workbook writer, fed by hand and read back part by part
 * with libzip and libxml2.  tests/xlsx.test.py reads whole workbooks with
 * other programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <zip.h>

#include "../writers/writer.h"

/* The writer with all that it hangs on, as cli/output.c sets it up. */
struct bench {
	struct pp_rowsink to;
	struct pp_mem mem;
	struct pp_diag diag;
	struct pp_wctx w;
	struct pp_rows rows;
	char dir[64], path[96];
	jmp_buf trap;
};

static struct bench *
bench_of(struct pp_rowsink *s)
{
	return (struct bench *)(void *)s;
}

static enum pp_status
to_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	return bench_of(s)->w.writer->begin(&bench_of(s)->w, t);
}

static enum pp_status
to_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	return bench_of(s)->w.writer->rows(&bench_of(s)->w, b);
}

static enum pp_status
to_end(struct pp_rowsink *s, const struct pp_table *t)
{
	return bench_of(s)->w.writer->end(&bench_of(s)->w, t);
}

static void
bench_open(struct bench *b, const char *target)
{
	pp_str err;

	memset(b, 0, sizeof(*b));
	b->to = (struct pp_rowsink){to_begin, to_rows, to_end};
	strcpy(b->dir, "/tmp/ppxlsxXXXXXX");
	assert_non_null(mkdtemp(b->dir));
	snprintf(b->path, sizeof(b->path), "%s/out.xlsx", b->dir);
	pp_mem_init(&b->mem, 0);
	pp_diag_init(&b->diag, &b->mem, NULL);
	b->w.writer = pp_writer_named(PP_STR("xlsx"));
	b->w.mem = &b->mem;
	b->w.diag = &b->diag;
	b->w.opt.spill_sheets = true;
	b->w.sink = pp_sink_open(&b->mem, PP_SINK_FILE, target ? target :
	    b->path, &err);
	assert_non_null(b->w.sink);
	assert_int_equal(b->w.writer->open(&b->w), PP_OK);
}

static enum pp_status
bench_close(struct bench *b)
{
	enum pp_status st = b->w.writer->close(&b->w);
	pp_str why = pp_sink_error(b->w.sink, NULL);

	if (st != PP_OK)
		print_message("close: %.*s\n", (int)why.n, why.p);
	b->w.writer->free(&b->w);
	if (st == PP_OK && !pp_sink_commit(b->w.sink))
		st = PP_FATAL;
	return st;
}

static void
bench_free(struct bench *b)
{
	pp_mem_free_all(&b->mem);
	unlink(b->path);
	assert_int_equal(rmdir(b->dir), 0);
}

/* -------------------------------------------------------------- reading */

/* A part as it is; NULL: there is none.  To be freed. */
static char *
part(const char *book, const char *name, size_t *n)
{
	zip_t *z = zip_open(book, ZIP_RDONLY | ZIP_CHECKCONS, NULL);
	zip_stat_t st;
	zip_file_t *f;
	char *p;

	assert_non_null(z);
	if (zip_stat(z, name, 0, &st) != 0) {
		zip_discard(z);
		return NULL;
	}
	p = malloc(st.size + 1);
	f = zip_fopen(z, name, 0);
	assert_non_null(f);
	assert_true(zip_fread(f, p, st.size) == (zip_int64_t)st.size);
	/* the checksum is looked at when the end is read */
	assert_true(zip_fread(f, p + st.size, 1) == 0);
	p[st.size] = '\0';
	zip_fclose(f);
	zip_discard(z);
	if (n != NULL)
		*n = st.size;
	return p;
}

static xmlDocPtr
xml(const char *book, const char *name)
{
	size_t n = 0;
	char *p = part(book, name, &n);
	xmlDocPtr d;

	if (p == NULL)
		fail_msg("%s: no part %s", book, name);
	d = xmlReadMemory(p, (int)n, name, NULL, XML_PARSE_NONET |
	    XML_PARSE_HUGE);
	if (d == NULL)
		fail_msg("%s: does not parse", name);
	free(p);
	return d;
}

static char *
query(const char *book, const char *name, const char *path)
{
	xmlDocPtr d = xml(book, name);
	xmlXPathContextPtr c = xmlXPathNewContext(d);
	xmlXPathObjectPtr o;
	xmlChar *s;

	xmlXPathRegisterNs(c, BAD_CAST "m", BAD_CAST "http://schemas."
	    "openxmlformats.org/spreadsheetml/2006/main");
	xmlXPathRegisterNs(c, BAD_CAST "c", BAD_CAST "http://schemas."
	    "openxmlformats.org/drawingml/2006/chart");
	xmlXPathRegisterNs(c, BAD_CAST "a", BAD_CAST "http://schemas."
	    "openxmlformats.org/drawingml/2006/main");
	o = xmlXPathEval(BAD_CAST path, c);
	assert_non_null(o);
	s = xmlXPathCastToString(o);
	xmlXPathFreeObject(o);
	xmlXPathFreeContext(c);
	xmlFreeDoc(d);
	return (char *)s;
}

#define CHECK(book, name, path, want)					\
	do {								\
		char *got_ = query(book, name, path);			\
		assert_string_equal(got_, want);			\
		xmlFree(got_);						\
	} while (0)

/* The sheet's part by its name. */
static const char *
sheet_part(const char *book, const char *name, char *to)
{
	char path[160];
	char *n;

	snprintf(path, sizeof(path), "count(//m:sheet[@name='%s']/"
	    "preceding-sibling::*) + 1 * count(//m:sheet[@name='%s'])",
	    name, name);
	n = query(book, "xl/workbook.xml", path);
	if (strcmp(n, "0") == 0)
		fail_msg("no sheet %s", name);
	snprintf(to, 64, "xl/worksheets/sheet%s.xml", n);
	xmlFree(n);
	return to;
}

/* The text of a cell, through the shared strings. */
static void
check_cell(const char *book, const char *sheet, const char *ref,
    const char *want)
{
	char name[64], q[200], *type, *v;

	sheet_part(book, sheet, name);
	snprintf(q, sizeof(q), "string(//m:c[@r='%s']/@t)", ref);
	type = query(book, name, q);
	if (strcmp(type, "s") == 0) {
		snprintf(q, sizeof(q), "string(//m:c[@r='%s']/m:v)", ref);
		v = query(book, name, q);
		snprintf(q, sizeof(q), "string(//m:si[%d]/m:t)",
		    atoi(v) + 1);
		xmlFree(v);
		CHECK(book, "xl/sharedStrings.xml", q, want);
	} else if (strcmp(type, "inlineStr") == 0) {
		snprintf(q, sizeof(q), "string(//m:c[@r='%s']/m:is)", ref);
		CHECK(book, name, q, want);
	} else {
		snprintf(q, sizeof(q), "string(//m:c[@r='%s']/m:v)", ref);
		CHECK(book, name, q, want);
	}
	xmlFree(type);
}

static void
check_type(const char *book, const char *sheet, const char *ref,
    const char *want)
{
	char name[64], q[100];

	snprintf(q, sizeof(q), "string(//m:c[@r='%s']/@t)", ref);
	CHECK(book, sheet_part(book, sheet, name), q, want);
}

/* The number format of a cell. */
static void
check_format(const char *book, const char *sheet, const char *ref,
    const char *want)
{
	char name[64], q[200], *s, *id;

	snprintf(q, sizeof(q), "sum(//m:c[@r='%s']/@s) + 1", ref);
	s = query(book, sheet_part(book, sheet, name), q);
	snprintf(q, sizeof(q), "string(//m:cellXfs/m:xf[%s]/@numFmtId)", s);
	id = query(book, "xl/styles.xml", q);
	if (atoi(id) >= 164) {
		snprintf(q, sizeof(q),
		    "string(//m:numFmt[@numFmtId='%s']/@formatCode)", id);
		CHECK(book, "xl/styles.xml", q, want);
	} else
		assert_string_equal(id, want);
	xmlFree(s);
	xmlFree(id);
}

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
	/* 21 digits, 17 of them count: half up */
	check_cell(b.path, "Statements", "E5", "123456789.01234568");
	check_format(b.path, "Statements", "E5", "#,##0.000000000000");
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

	/* the furniture */
	CHECK(b.path, name, "string(//m:pane/@state)", "frozen");
	CHECK(b.path, name, "string(//m:pane/@ySplit)", "1");
	CHECK(b.path, name, "string(//m:autoFilter/@ref)", "A1:H6");
	CHECK(b.path, name, "string(//m:dimension/@ref)", "A1:H6");
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

/* ------------------------------------------------------------- timeline */

#define EVENTS 5
static const struct pp_column wide_columns[6 + EVENTS] = {
	{"source", PP_T_TEXT, ""}, {"session", PP_T_INT, ""},
	{"interval", PP_T_INT, ""}, {"start_s", PP_T_SECONDS, ""},
	{"end_s", PP_T_SECONDS, ""}, {"start_at", PP_T_TIME, ""},
	{"CPU EXEC", PP_T_SECONDS, ""}, {"a & b <c>", PP_T_SECONDS, ""},
	{"never", PP_T_SECONDS, ""}, {"unaccounted-for", PP_T_SECONDS, ""},
	{"SQL*Net message from client", PP_T_SECONDS, ""}
};
static const struct pp_table wide = {
	"timeline_pivot", "", "", wide_columns, 6 + EVENTS, PP_TABLE_WIDE
};

/* Session s has 3 intervals of 2.5 s; sessions with more time come late. */
static void
fill_wide(struct bench *b, int sessions, bool wall)
{
	char at[64];
	int s, k;

	pp_rows_open(&b->rows, &b->mem, &b->to, &wide);
	for (s = 1; s <= sessions; s++)
		for (k = 0; k < 3; k++) {
			struct pp_rows *r = &b->rows;

			pp_put_str(r, PP_STR("a.trc"));
			pp_put_int(r, s);
			pp_put_int(r, k + 1);
			pp_put_dec(r, k * 2500000, 6);
			pp_put_dec(r, (k + 1) * 2500000, 6);
			if (wall) {
				snprintf(at, sizeof(at), "2015-03-01T09:00:"
				    "%02d.500000+01:00", k);
				pp_put_text(r, pp_str_from(at));
			} else
				pp_put_null(r);
			pp_put_dec(r, s * 1000, 6);
			pp_put_dec(r, 250000, 6);
			pp_put_dec(r, 0, 6);
			pp_put_dec(r, -10, 6);
			pp_put_null(r);
			pp_row_end(r);
		}
	assert_int_equal(pp_rows_close(&b->rows), PP_OK);
}

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

static const struct pp_column cube_columns[] = {
	{"source", PP_T_TEXT, ""}, {"session", PP_T_INT, ""},
	{"interval", PP_T_INT, ""}, {"start_s", PP_T_SECONDS, ""},
	{"event", PP_T_TEXT, ""}, {"class", PP_T_TEXT, ""},
	{"statement", PP_T_ID, ""}, {"digest", PP_T_ID, ""},
	{"time_s", PP_T_SECONDS, ""}, {"count", PP_T_INT, ""}
};
static const struct pp_table cube = {"cube", "", "", cube_columns, 10, 0};

static void
cube_row(struct pp_rows *r, int session, int interval, pp_str event,
    const char *statement, pp_i128 us)
{
	pp_put_str(r, PP_STR("a.trc"));
	pp_put_int(r, session);
	pp_put_int(r, interval);
	pp_put_dec(r, interval * 1000000, 6);
	pp_put_text(r, event);
	pp_put_str(r, PP_STR("wait"));
	pp_put_text(r, pp_str_from(statement));
	pp_put_null(r);
	pp_put_dec(r, us, 6);
	pp_put_null(r);
	pp_row_end(r);
}

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

/* --------------------------------------------------------------- hostile */

static const struct pp_column text_columns[] = {{"text", PP_T_TEXT, ""}};

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
		assert_int_equal(pp_rows_close(&b.rows), PP_OK);
	}
	assert_int_equal(bench_close(&b), PP_OK);
	for (i = 0; i < 8; i++)
		sheet_part(b.path, want[i], name);
	/* several sheets: a guide in front, with a link to each */
	CHECK(b.path, "xl/workbook.xml", "string(//m:sheet[1]/@name)",
	    "Summary");
	CHECK(b.path, "xl/worksheets/sheet1.xml", "count(//m:hyperlink)",
	    "8");
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
	size_t n;

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
	assert_non_null(strstr(p, "<c r=\"A10\" t=\"s\"><v>10</v></c>"));
	assert_non_null(strstr(p, "<c r=\"A400101\" t=\"inlineStr\"><is><t>"
	    "&lt;400099&gt;</t></is></c>"));
	assert_non_null(strstr(p, "<c r=\"A400102\" t=\"s\"><v>9</v></c>"));
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
		cmocka_unit_test(timeline),
		cmocka_unit_test(timeline_sessions),
		cmocka_unit_test(pivot),
		cmocka_unit_test(pivot_none),
		cmocka_unit_test(names),
		cmocka_unit_test(hostile_text),
		cmocka_unit_test(spill),
		cmocka_unit_test(inline_strings),
		cmocka_unit_test(disk_full),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
