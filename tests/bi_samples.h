/*
 * bi_samples.h: tables that are hard on writers of typed formats, and a way
 * to write them by any writer.
 *
 * `test_parquet --write DIR` writes them as Parquet, CSV and SQLite, for
 * readers that are not in C (tests/bi.test.py).
 */
#ifndef PP_BI_SAMPLES_H
#define PP_BI_SAMPLES_H

#include <stdio.h>
#include <stdlib.h>

#include "../writers/writer.h"

struct samples {
	struct pp_mem mem;
	struct pp_diag diag;
	struct pp_wctx w;
	struct pp_rowsink sink;	/* first rows, then the writer */
};

static struct samples samples;

static inline enum pp_status
samples_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	return samples.w.writer->begin(&samples.w, t);
}

static inline enum pp_status
samples_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	(void)s;
	return samples.w.writer->rows(&samples.w, b);
}

static inline enum pp_status
samples_end(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	return samples.w.writer->end(&samples.w, t);
}

/* An open writer of `format` to `path`; false when it refuses. */
static inline bool
samples_open(const char *format, enum pp_sink_kind kind, const char *path,
    unsigned digits)
{
	static const struct pp_write_source source = {.name = {"a.trc", 5},
	    .has_sha256 = true, .sha256 = {0xab, 0xcd, 0x01}};
	struct samples *s = &samples;
	pp_str err;

	memset(s, 0, sizeof(*s));
	pp_mem_init(&s->mem, 0);
	pp_diag_init(&s->diag, &s->mem, NULL);
	s->sink = (struct pp_rowsink){samples_begin, samples_rows,
	    samples_end};
	s->w.writer = pp_writer_named(pp_str_from(format));
	s->w.mem = &s->mem;
	s->w.diag = &s->diag;
	s->w.input = (struct pp_write_input){digits, &source, 1};
	s->w.sink = pp_sink_open(&s->mem, kind, path, &err);
	if (s->w.sink == NULL) {
		fprintf(stderr, "%.*s\n", (int)err.n, err.p);
		return false;
	}
	return s->w.writer->open(&s->w) == PP_OK;
}

static inline bool
samples_close(void)
{
	struct samples *s = &samples;
	bool ok = s->w.writer->close(&s->w) == PP_OK;

	s->w.writer->free(&s->w);
	ok = ok && pp_sink_commit(s->w.sink);
	pp_mem_free_all(&s->mem);
	return ok;
}

/* The same numbers in every run. */
static inline uint64_t
samples_next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

#define SAMPLE(table_name, ...) \
	static const struct pp_column table_name##_columns[] = {__VA_ARGS__}; \
	static const struct pp_table table_name = {#table_name, "a row", \
	    "as made", table_name##_columns, sizeof(table_name##_columns) / \
	    sizeof(table_name##_columns[0]), 0}

SAMPLE(s_types, {"n", PP_T_INT, "number"}, {"big", PP_T_INT, "any 64 bits"},
    {"t_s", PP_T_SECONDS, "seconds"}, {"coarse_s", PP_T_SECONDS, "of 10 ms"},
    {"share_pct", PP_T_DECIMAL, "share"}, {"word", PP_T_TEXT, "one of few"},
    {"id", PP_T_ID, "digits"}, {"some_at", PP_T_TIME, "a time"},
    {"odd", PP_T_TEXT, "text with signs in it"});
SAMPLE(s_wide, {"n", PP_T_INT, "number"}, {"ps_s", PP_T_SECONDS, "of 1 ps"},
    {"us_s", PP_T_SECONDS, "of 1 us"}, {"mixed_s", PP_T_SECONDS, "any"});
SAMPLE(s_empty, {"n", PP_T_INT, "number"}, {"text", PP_T_TEXT, "text"},
    {"t_s", PP_T_SECONDS, "seconds"}, {"some_at", PP_T_TIME, "a time"});
SAMPLE(s_one, {"n", PP_T_INT, "number"}, {"text", PP_T_TEXT, "text"},
    {"t_s", PP_T_SECONDS, "seconds"}, {"some_at", PP_T_TIME, "a time"});
SAMPLE(s_nulls, {"n", PP_T_INT, "number"}, {"text", PP_T_TEXT, "text"},
    {"id", PP_T_ID, "id"}, {"t_s", PP_T_SECONDS, "seconds"},
    {"some_at", PP_T_TIME, "a time"}, {"rare", PP_T_INT, "seldom"},
    {"rare_text", PP_T_TEXT, "seldom"});
SAMPLE(s_words, {"n", PP_T_INT, "number"}, {"word", PP_T_TEXT, "70,000"},
    {"again", PP_T_TEXT, "70,000, each many times"},
    {"id", PP_T_ID, "rising"});
SAMPLE(s_long, {"n", PP_T_INT, "number"}, {"text", PP_T_TEXT, "long text"});

static const char *const samples_odd[] = {"", "plain", "a,b", "\"quoted\"",
    "two\nlines", "cr\r\nlf", "tab\there", "na\xc3\xafve", "\xe2\x82\xac",
    "\xf0\x9f\x98\x80", "bad\xff-byte", "cut\xe2\x82", " blanks ", "NULL",
    "=1+1"};

static inline void
samples_types(uint64_t rows)
{
	struct pp_rows r;
	uint64_t x = 88172645463325252u, i, v;
	char buf[64];
	int n;

	pp_rows_open(&r, &samples.mem, &samples.sink, &s_types);
	for (i = 0; i < rows; i++) {
		v = samples_next(&x);
		pp_put_int(&r, (pp_i128)i);
		if (i == 1)
			pp_put_int(&r, INT64_MAX);
		else if (i == 2)
			pp_put_int(&r, INT64_MIN);
		else if (v % 5 == 0)
			pp_put_null(&r);
		else
			pp_put_int(&r, (int64_t)v);
		if (i == 1)
			pp_put_dec(&r, 999999999999999999, 6);
		else if (i == 2)
			pp_put_dec(&r, -999999999999999999, 6);
		else if (v % 7 == 0)
			pp_put_null(&r);
		else
			pp_put_dec(&r, (int64_t)(v >> 30) - (1 << 20), 6);
		pp_put_dec(&r, (pp_i128)(v >> 50), 2);
		if (v % 3 == 0)
			pp_put_null(&r);
		else
			pp_put_dec(&r, (pp_i128)(v % 10001), 2);
		pp_put_str(&r, pp_str_from(v % 2 ? "call" : v % 3 ? "wait" :
		    "gap"));
		n = snprintf(buf, sizeof(buf), "%llu",
		    (unsigned long long)(v >> 20));
		pp_put_text(&r, (pp_str){buf, (size_t)n});
		n = snprintf(buf, sizeof(buf), "20%02u-%02u-%02uT%02u:%02u:"
		    "%02u.%06u%s", (unsigned)(v % 60), (unsigned)(v % 12 + 1),
		    (unsigned)(v % 28 + 1), (unsigned)(v % 24),
		    (unsigned)(v % 59), (unsigned)(v % 57),
		    (unsigned)(v % 999983), v % 4 == 0 ? "" : v % 4 == 1 ?
		    "Z" : v % 4 == 2 ? "+05:30" : "-08:00");
		pp_put_text(&r, (pp_str){buf, (size_t)n});
		pp_put_str(&r, pp_str_from(samples_odd[i %
		    (sizeof(samples_odd) / sizeof(samples_odd[0]))]));
		pp_row_end(&r);
	}
	pp_rows_close(&r);
}

static inline void
samples_wide(void)
{
	const pp_i128 most = (pp_i128)pp_pow10[18] * pp_pow10[18] * 100 - 1;
	struct pp_rows r;
	uint64_t x = 123456789, i, v;

	pp_rows_open(&r, &samples.mem, &samples.sink, &s_wide);
	for (i = 0; i < 40000; i++) {
		v = samples_next(&x);
		pp_put_int(&r, (pp_i128)i);
		pp_put_dec(&r, i == 3 ? most : i == 4 ? -most :
		    (pp_i128)(int64_t)v * (int64_t)(v % 1000), 12);
		if (v % 3 == 0)
			pp_put_null(&r);
		else
			pp_put_dec(&r, (pp_i128)(int64_t)v, 6);
		pp_put_dec(&r, (pp_i128)(v >> 40), (unsigned)(v % 13));
		pp_row_end(&r);
	}
	pp_rows_close(&r);
}

/* s_empty, s_one. */
static inline void
samples_few(const struct pp_table *t, uint64_t rows)
{
	struct pp_rows r;

	pp_rows_open(&r, &samples.mem, &samples.sink, t);
	for (; rows > 0; rows--) {
		pp_put_int(&r, -1);
		pp_put_str(&r, PP_STR("select * from dual"));
		pp_put_dec(&r, -1, 6);
		pp_put_str(&r, PP_STR("1969-12-31T23:59:59.999999Z"));
		pp_row_end(&r);
	}
	pp_rows_close(&r);
}

static inline void
samples_nulls(void)
{
	struct pp_rows r;
	uint64_t i;

	pp_rows_open(&r, &samples.mem, &samples.sink, &s_nulls);
	for (i = 0; i < 50001; i++) {
		pp_put_nulls(&r, 5);
		if (i % 17001 == 17000) {
			pp_put_int(&r, (pp_i128)i);
			pp_put_str(&r, PP_STR("here"));
		} else
			pp_put_nulls(&r, 2);
		pp_row_end(&r);
	}
	pp_rows_close(&r);
}

static inline void
samples_words(void)
{
	struct pp_rows r;
	uint64_t i, k;
	char buf[64];
	int n;

	pp_rows_open(&r, &samples.mem, &samples.sink, &s_words);
	for (i = 0; i < 600000; i++) {
		pp_put_int(&r, (pp_i128)i);
		n = snprintf(buf, sizeof(buf), "word number %llu",
		    (unsigned long long)(i % 70000));
		pp_put_text(&r, (pp_str){buf, (size_t)n});
		/* few at first, then more than a dictionary holds */
		k = i < 400000 ? i % 1000 : i % 70000;
		n = snprintf(buf, sizeof(buf), "again %llu",
		    (unsigned long long)k);
		pp_put_text(&r, (pp_str){buf, (size_t)n});
		n = snprintf(buf, sizeof(buf), "%llu",
		    1711474867000000u + (unsigned long long)i * 37);
		pp_put_text(&r, (pp_str){buf, (size_t)n});
		pp_row_end(&r);
	}
	pp_rows_close(&r);
}

static inline void
samples_long(void)
{
	struct pp_rows r;
	size_t n = 10 * 1024 * 1024, i;
	char *text = malloc(n);

	if (text == NULL)
		return;
	for (i = 0; i < n; i++)
		text[i] = (char)('a' + (i * i / 7 + i) % 26);
	pp_rows_open(&r, &samples.mem, &samples.sink, &s_long);
	for (i = 0; i < 12; i++) {
		pp_put_int(&r, (pp_i128)i);
		if (i % 4 == 3)
			pp_put_null(&r);
		else
			pp_put_str(&r, (pp_str){text + i, i % 4 == 0 ?
			    n - 12 : i * 1000});
		pp_row_end(&r);
	}
	pp_rows_close(&r);
	free(text);
}

static inline void
samples_all(void)
{
	samples_types(30000);
	samples_few(&s_empty, 0);
	samples_few(&s_one, 1);
	samples_nulls();
	samples_words();
	samples_long();
}

/* DIR/FORMAT and DIR/FORMAT-wide, or DIR/FORMAT.sqlite and so on. */
static inline bool
samples_write(const char *dir, const char *format)
{
	bool folder = strcmp(format, "sqlite") != 0;
	enum pp_sink_kind kind = folder ? PP_SINK_FOLDER : PP_SINK_FILE;
	char path[1024];

	snprintf(path, sizeof(path), "%s/samples%s%s", dir,
	    folder ? "-" : ".", format);
	if (!samples_open(format, kind, path, 6))
		return false;
	samples_all();
	if (!samples_close())
		return false;
	snprintf(path, sizeof(path), "%s/wide%s%s", dir, folder ? "-" : ".",
	    format);
	if (!samples_open(format, kind, path, 12))
		return false;
	samples_wide();
	return samples_close();
}

/*
 * Memory that ends at each point in turn of a file of `rows` rows: the writer
 * gives back what is not of the run's memory (valgrind and the sanitiser look
 * on).
 */
static inline void
samples_memory_ends(const char *format, const char *path, uint64_t rows)
{
	volatile long n;
	volatile bool done = false;
	jmp_buf trap;

	for (n = 0; !done && n < 20000; n += 1 + n / 50) {
		assert_true(samples_open(format, PP_SINK_FILE, path, 6));
		samples.mem.trap = &trap;
		samples.mem.fail_after = n;
		if (setjmp(trap) == 0) {
			samples_types(rows);
			samples.mem.fail_after = -1;
			assert_true(samples_close());
			done = true;
			continue;
		}
		samples.mem.fail_after = -1;
		samples.w.writer->free(&samples.w);
		pp_sink_abort(samples.w.sink);
		pp_mem_free_all(&samples.mem);
	}
	assert_true(done);
}

#endif
