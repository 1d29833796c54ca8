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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells),
		cmocka_unit_test(empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
