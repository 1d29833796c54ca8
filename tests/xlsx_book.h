/*
 * xlsx_book.h: what the tests of the workbook writer share: a writer at work,
 * and its parts read back with libzip and libxml2.  Included once a program.
 */
#ifndef PP_TEST_XLSX_BOOK_H
#define PP_TEST_XLSX_BOOK_H

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

static inline struct bench *
bench_of(struct pp_rowsink *s)
{
	return (struct bench *)(void *)s;
}

static inline enum pp_status
to_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	return bench_of(s)->w.writer->begin(&bench_of(s)->w, t);
}

static inline enum pp_status
to_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	return bench_of(s)->w.writer->rows(&bench_of(s)->w, b);
}

static inline enum pp_status
to_end(struct pp_rowsink *s, const struct pp_table *t)
{
	return bench_of(s)->w.writer->end(&bench_of(s)->w, t);
}

static inline void
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

static inline enum pp_status
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

static inline void
bench_free(struct bench *b)
{
	pp_mem_free_all(&b->mem);
	unlink(b->path);
	assert_int_equal(rmdir(b->dir), 0);
}

/* -------------------------------------------------------------- reading */

/* A part as it is; NULL: there is none.  To be freed. */
static inline char *
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

static inline xmlDocPtr
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

static inline char *
query(const char *book, const char *name, const char *path)
{
	xmlDocPtr d = xml(book, name);
	xmlXPathContextPtr c = xmlXPathNewContext(d);
	static const struct {
		const char *prefix, *uri;
	} ns[] = {
		{"m", "http://schemas.openxmlformats.org/spreadsheetml/2006/"
		    "main"},
		{"c", "http://schemas.openxmlformats.org/drawingml/2006/"
		    "chart"},
		{"a", "http://schemas.openxmlformats.org/drawingml/2006/main"}
	};
	xmlXPathObjectPtr o;
	xmlChar *s;
	size_t i;

	for (i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		xmlXPathRegisterNs(c, (const xmlChar *)ns[i].prefix,
		    (const xmlChar *)ns[i].uri);
	o = xmlXPathEval((const xmlChar *)path, c);
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
static inline const char *
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
static inline void
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

static inline void
check_type(const char *book, const char *sheet, const char *ref,
    const char *want)
{
	char name[64], q[100];

	snprintf(q, sizeof(q), "string(//m:c[@r='%s']/@t)", ref);
	CHECK(book, sheet_part(book, sheet, name), q, want);
}

/* The number format of a cell. */
static inline void
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

/* An attribute of a cell's alignment. */
static inline void
check_alignment(const char *book, const char *sheet, const char *ref,
    const char *attribute, const char *want)
{
	char name[64], q[200], *s;

	snprintf(q, sizeof(q), "sum(//m:c[@r='%s']/@s) + 1", ref);
	s = query(book, sheet_part(book, sheet, name), q);
	snprintf(q, sizeof(q), "string(//m:cellXfs/m:xf[%s]/m:alignment/@%s)",
	    s, attribute);
	CHECK(book, "xl/styles.xml", q, want);
	xmlFree(s);
}

/* ---------------------------------------------------------------- tables */

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
static inline void
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

static const struct pp_column cube_columns[] = {
	{"source", PP_T_TEXT, ""}, {"session", PP_T_INT, ""},
	{"interval", PP_T_INT, ""}, {"start_s", PP_T_SECONDS, ""},
	{"event", PP_T_TEXT, ""}, {"class", PP_T_TEXT, ""},
	{"statement", PP_T_ID, ""}, {"digest", PP_T_ID, ""},
	{"time_s", PP_T_SECONDS, ""}, {"count", PP_T_INT, ""}
};
static const struct pp_table cube = {"cube", "", "", cube_columns, 10, 0};

static inline void
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

#endif
