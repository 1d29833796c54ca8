/*
 * test_sqlite.c: the writer sqlite.
 *
 * Right values: what was put in, read by SQLite's own library and checks.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bi_samples.h"
#include "remove_tree.h"

static char dir[64];
static sqlite3 *db;

static int
setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/pp_test_sqlite.XXXXXX");
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	sqlite3_close(db);
	db = NULL;
	return remove_tree(dir);
}

static const char *
at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void
start(unsigned digits)
{
	assert_true(samples_open("sqlite", PP_SINK_FILE, at("a"), digits));
}

static void
finish(void)
{
	assert_true(samples_close());
	assert_int_equal(sqlite3_open(at("a"), &db), SQLITE_OK);
}

/* The one value of a query as text; "NULL" for NULL. */
static const char *
ask(const char *sql)
{
	static char got[4096];
	sqlite3_stmt *st;
	const char *s;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	s = (const char *)sqlite3_column_text(st, 0);
	snprintf(got, sizeof(got), "%s", s != NULL ? s : "NULL");
	assert_int_equal(sqlite3_step(st), SQLITE_DONE);
	sqlite3_finalize(st);
	return got;
}

#define SAYS(sql, want) assert_string_equal(ask(sql), want)

static void
sound(void)
{
	SAYS("PRAGMA integrity_check", "ok");
	SAYS("SELECT count(*) FROM pragma_foreign_key_check", "0");
	SAYS("PRAGMA user_version", "1");
	SAYS("PRAGMA journal_mode", "delete");
}

/* ------------------------------------------------------------------ tests */

static void
samples_are_there(void **state)
{
	(void)state;
	start(6);
	samples_all();
	finish();
	sound();
	SAYS("SELECT count(*) FROM s_types", "30000");
	SAYS("SELECT big FROM s_types WHERE n = 1", "9223372036854775807");
	SAYS("SELECT big FROM s_types WHERE n = 2", "-9223372036854775808");
	SAYS("SELECT t_us FROM s_types WHERE n = 1", "999999999999999999");
	SAYS("SELECT typeof(coarse_us) FROM s_types WHERE n = 5", "integer");
	SAYS("SELECT count(*) FROM s_types WHERE coarse_us % 10000 <> 0",
	    "0");
	SAYS("SELECT typeof(id) || typeof(share_pct) FROM s_types "
	    "WHERE share_pct = 12.34 LIMIT 1", "textreal");
	SAYS("SELECT odd FROM s_types WHERE n = 3", "\"quoted\"");
	SAYS("SELECT odd IS NOT NULL AND odd = '' FROM s_types WHERE n = 0",
	    "1");
	SAYS("SELECT odd FROM s_types WHERE n = 10", "bad\xef\xbf\xbd-byte");
	SAYS("SELECT count(*) FROM s_empty", "0");
	SAYS("SELECT count(*) FROM v_s_empty", "0");
	SAYS("SELECT t_s FROM v_s_one", "-1.0e-06");
	SAYS("SELECT printf('%.6f', some_epoch_s) FROM v_s_one",
	    "-0.000001");
	SAYS("SELECT count(*) FROM s_nulls WHERE n IS NOT NULL OR "
	    "text IS NOT NULL OR t_us IS NOT NULL", "0");
	SAYS("SELECT group_concat(rare) FROM s_nulls", "17000,34001");
	SAYS("SELECT count(DISTINCT word) FROM s_words", "70000");
	SAYS("SELECT max(length(text)) FROM s_long", "10485748");
}

/* Seconds finer than a microsecond are text to the last digit. */
static void
fine_clocks(void **state)
{
	(void)state;
	start(12);
	samples_wide();
	finish();
	sound();
	SAYS("SELECT ps_s FROM s_wide WHERE n = 3",
	    "99999999999999999999999999.999999999999");
	SAYS("SELECT typeof(ps_s) FROM s_wide WHERE n = 3", "text");
	SAYS("SELECT typeof(ps_s) FROM v_s_wide WHERE n = 3", "real");
	SAYS("SELECT us_s FROM s_wide WHERE n = 3", "1914567331323.306758");
}

static void
times_in_views(void **state)
{
	static const struct {
		const char *at, *epoch;
	} cases[] = {
		{"2024-03-26T18:41:07.683567+01:00", "1711474867.683567"},
		{"2024-03-26T17:41:07.683567", "1711474867.683567"},
		{"2024-03-26T17:41:07Z", "1711474867.000000"},
		{"2024-03-26T18:41:07+01:00", "1711474867.000000"},
		{"1969-12-31T23:59:59.250000Z", "-0.750000"},
	};
	struct pp_rows r;
	char sql[200];
	size_t i;

	(void)state;
	start(6);
	pp_rows_open(&r, &samples.mem, &samples.sink, &s_one);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pp_put_int(&r, (pp_i128)i);
		pp_put_nulls(&r, 2);
		pp_put_str(&r, pp_str_from(cases[i].at));
		pp_row_end(&r);
	}
	pp_rows_close(&r);
	finish();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(sql, sizeof(sql), "SELECT printf('%%.6f', "
		    "some_epoch_s) FROM v_s_one WHERE n = %zu", i);
		SAYS(sql, cases[i].epoch);
	}
}

/* Facts: rows of texts that repeat, NULLs and all. */
static void
stars(void **state)
{
	static const struct pp_column columns[] = {
		{"source", PP_T_TEXT, "source"},
		{"session", PP_T_INT, "session"},
		{"event_id", PP_T_INT, "id"},
		{"event", PP_T_TEXT, "event"},
		{"class", PP_T_TEXT, "class"},
		{"statement", PP_T_ID, "statement"},
		{"p1_name", PP_T_TEXT, "parameter"},
		{"p1", PP_T_INT, "parameter"},
		{"elapsed_s", PP_T_SECONDS, "time"},
		{"client_id", PP_T_ID, "client"},
	};
	static const struct pp_table t = {"events", "an event", "as made",
	    columns, 10, PP_TABLE_RAW};
	struct pp_rows r;
	char buf[40];
	uint64_t i, x = 5, v;
	int n;

	(void)state;
	start(6);
	pp_rows_open(&r, &samples.mem, &samples.sink, &t);
	for (i = 0; i < 200000; i++) {
		v = samples_next(&x);
		pp_put_str(&r, PP_STR("a.trc"));
		pp_put_int(&r, (pp_i128)(v % 3 + 1));
		pp_put_int(&r, (pp_i128)i);
		pp_put_str(&r, pp_str_from(v % 2 ? "one" : "other"));
		pp_put_str_or_null(&r, pp_str_from(v % 4 < 2 ? "wait" : ""));
		/* more than the cache holds */
		n = snprintf(buf, sizeof(buf), "statement %llu",
		    (unsigned long long)(i < 100000 ? i : v % 100000));
		pp_put_text(&r, (pp_str){buf, (size_t)n});
		/* two that are repaired to one */
		pp_put_str(&r, v % 2 ? PP_STR("p\xff") : PP_STR("p\xfe"));
		pp_put_int(&r, (pp_i128)(v % 10));
		pp_put_dec(&r, (pp_i128)(v % 1000), 6);
		pp_put_null(&r);
		pp_row_end(&r);
	}
	pp_rows_close(&r);
	finish();
	sound();
	SAYS("SELECT count(*) FROM dim_session", "3");
	SAYS("SELECT count(*) FROM dim_event", "4");
	SAYS("SELECT count(*) FROM dim_statement", "100000");
	SAYS("SELECT count(*) FROM dim_context", "1");
	SAYS("SELECT count(*) FROM v_events", "200000");
	SAYS("SELECT count(*) FROM v_events WHERE p1_name = 'p\xef\xbf\xbd'",
	    "200000");
	SAYS("SELECT count(*) FROM v_events WHERE event_id < 100000 AND "
	    "statement <> 'statement ' || event_id", "0");
	SAYS("SELECT count(*) FROM v_events WHERE client_id IS NULL",
	    "200000");
	SAYS("SELECT printf('%.6f', sum(elapsed_s) - (SELECT sum(elapsed_us)"
	    " / 1e6 FROM events)) FROM v_events", "0.000000");
	SAYS("SELECT count(*) FROM pragma_table_info('events') "
	    "WHERE name = 'elapsed_us' AND type = 'INTEGER'", "1");
}

/* Parents come first; children refer to them. */
static void
keys(void **state)
{
	static const struct pp_column source[] = {
		{"source", PP_T_TEXT, "source"},
	};
	static const struct pp_column profile[] = {
		{"source", PP_T_TEXT, "source"},
		{"session", PP_T_INT, "session"},
		{"event", PP_T_TEXT, "event"},
		{"class", PP_T_TEXT, "class"},
	};
	static const struct pp_table sources = {"sources", "a source",
	    "name", source, 1, 0};
	static const struct pp_table t = {"profile", "an event", "time",
	    profile, 4, 0};
	struct pp_rows r;
	int i;

	(void)state;
	start(6);
	pp_rows_open(&r, &samples.mem, &samples.sink, &sources);
	pp_put_str(&r, PP_STR("a.trc"));
	pp_row_end(&r);
	pp_rows_close(&r);
	pp_rows_open(&r, &samples.mem, &samples.sink, &t);
	for (i = 0; i < 5; i++) {
		pp_put_str(&r, PP_STR("a.trc"));
		pp_put_int(&r, 1);
		pp_put_str(&r, pp_str_from(i == 3 ? "b" : "a"));
		/* no key: the last row is there once more */
		pp_put_str(&r, pp_str_from(i == 0 || i == 4 ? "x" :
		    i == 1 ? "y" : "z"));
		pp_row_end(&r);
	}
	pp_rows_close(&r);
	finish();
	sound();
	SAYS("SELECT count(*) FROM pragma_foreign_key_list('profile') WHERE "
	    "\"table\" = 'sources'", "1");
	SAYS("SELECT pk FROM pragma_table_info('sources')", "1");
	SAYS("SELECT group_concat(event || class, ' ') FROM profile",
	    "ax ay az bz ax");
}

/* Names of columns may come from the data. */
static void
names_from_the_data(void **state)
{
	static const struct pp_column columns[] = {
		{"event", PP_T_TEXT, "event"},
		{"Event", PP_T_INT, "again"},
		{"log file sync", PP_T_SECONDS, "seconds"},
		{"say \"x\"", PP_T_SECONDS, "seconds"},
		{"x_s", PP_T_SECONDS, "seconds"},
		{"x_us", PP_T_INT, "microseconds"},
		{"bad\xff", PP_T_INT, "bytes"},
		{"select", PP_T_INT, "a keyword"},
		{"1st", PP_T_INT, "a digit"},
		{"", PP_T_INT, "nothing"},
	};
	static const struct pp_table t = {"my \"pivot\"", "a row", "as made",
	    columns, 10, PP_TABLE_WIDE};
	struct pp_rows r;
	int i;

	(void)state;
	start(6);
	pp_rows_open(&r, &samples.mem, &samples.sink, &t);
	pp_put_str(&r, PP_STR("e"));
	pp_put_int(&r, 2);
	for (i = 0; i < 3; i++)
		pp_put_dec(&r, i, 6);
	for (i = 0; i < 5; i++)
		pp_put_int(&r, i);
	pp_row_end(&r);
	pp_rows_close(&r);
	finish();
	sound();
	SAYS("SELECT group_concat(name, '|') FROM "
	    "pragma_table_info('my \"pivot\"')",
	    "event|Event_2|log file sync_us|say \"x\"_us|x_us|x_us_2|"
	    "bad\xef\xbf\xbd|select|1st|");
	SAYS("SELECT \"say \"\"x\"\"\" FROM \"v_my \"\"pivot\"\"\"",
	    "1.0e-06");
}

static void
text_with_a_nul(void **state)
{
	struct pp_rows r;

	(void)state;
	start(6);
	pp_rows_open(&r, &samples.mem, &samples.sink, &s_long);
	pp_put_int(&r, 1);
	pp_put_str(&r, PP_STR("a\0b"));
	pp_row_end(&r);
	pp_rows_close(&r);
	assert_int_equal(samples.diag.count, 1);
	assert_int_equal(samples.diag.problems[0].id, PP_MSG_SANITISED);
	finish();
	SAYS("SELECT text FROM s_long", "a\xef\xbf\xbd" "b");
}

static void
numbers_that_do_not_fit(void **state)
{
	struct pp_rows r;
	int i;

	(void)state;
	start(6);
	pp_rows_open(&r, &samples.mem, &samples.sink, &s_one);
	for (i = 0; i < 4; i++) {
		pp_put_int(&r, i == 0 ? (pp_i128)UINT64_MAX + 1 : i == 3 ?
		    (pp_i128)UINT64_MAX : i);
		pp_put_null(&r);
		pp_put_dec(&r, i == 1 ? INT64_MAX : 1, i == 1 ? 2 :
		    i == 2 ? 7 : 6);
		pp_put_null(&r);
		pp_row_end(&r);
	}
	pp_rows_close(&r);
	assert_int_equal(samples.diag.count, 2);
	assert_int_equal(samples.diag.problems[0].id, PP_MSG_NUMBER_LIMIT);
	assert_int_equal(samples.diag.problems[0].count, 3);
	assert_int_equal(samples.diag.problems[1].id, PP_MSG_NUMBER_WRAPPED);
	assert_int_equal(samples.diag.problems[1].count, 1);
	finish();
	SAYS("SELECT group_concat(n) FROM s_one", "1,2,-1");
	SAYS("SELECT count(t_us) FROM s_one", "2");
}

static void
same_bytes(void **state)
{
	char *p[2];
	long n[2];
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		FILE *in;

		start(6);
		samples_types(20000);
		assert_true(samples_close());
		in = fopen(at("a"), "rb");
		assert_non_null(in);
		fseek(in, 0, SEEK_END);
		n[i] = ftell(in);
		rewind(in);
		p[i] = malloc((size_t)n[i]);
		assert_non_null(p[i]);
		assert_int_equal(fread(p[i], 1, (size_t)n[i], in), n[i]);
		fclose(in);
	}
	assert_int_equal(n[0], n[1]);
	assert_memory_equal(p[0], p[1], (size_t)n[0]);
	free(p[0]);
	free(p[1]);
}

/* A file that cannot grow: the message is the system's, and nothing stays. */
static void
disk_full(void **state)
{
	struct rlimit old, small = {100000, 100000};
	bool epipe;
	pp_str err;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	start(6);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	samples_words();
	(void)samples.w.writer->close(&samples.w);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	err = pp_sink_error(samples.w.sink, &epipe);
	if (pp_str_find(err, pp_str_from(strerror(EFBIG))) == err.n)
		fail_msg("%.*s", (int)err.n, err.p);
	samples.w.writer->free(&samples.w);
	assert_false(pp_sink_commit(samples.w.sink));
	pp_mem_free_all(&samples.mem);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(mkdir(dir, 0777), 0);
}

static void
memory_ends_anywhere(void **state)
{
	(void)state;
	samples_memory_ends("sqlite", at("a"), 3000);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(samples_are_there),
		T(fine_clocks),
		T(times_in_views),
		T(stars),
		T(keys),
		T(names_from_the_data),
		T(text_with_a_nul),
		T(numbers_that_do_not_fit),
		T(same_bytes),
		T(disk_full),
		T(memory_ends_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
