/*
 * test_showprofile_join.c: which rows of SHOW PROFILE belong together: prints
 * of one query, sessions, profiles without a number; and what is read from
 * columns, numbers and statements.
 */
#include "showprofile_world.h"

#define PROFILE "event,class,time_s,share_pct,count"

/* ----------------------------------------------------------- which rows */

/* LIMIT left rows out: the total says nothing of them. */
static void
test_limit(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.statement =
		"show profile for query 1 limit 2 offset 1"};

	list(x, "1|0.01000000|select 1\n");
	feed(x, &a, "Status|Duration", "init|0.000100\nend|0.000200\n");
	expect(x, "profile", "event,time_s,share_pct",
	    "end|0.00020000|66.67\ninit|0.00010000|33.33\n");
	expect(x, "sessions", "span_s", "0.01000000\n");
	expect(x, "statements", "elapsed_s", "0.01000000\n0.00000000\n");
	assert_int_equal(told(x, PP_MSG_LOST_TIME), 0);
}

/* A limit that was not reached has left nothing out. */
static void
test_wide_limit(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.statement = "SHOW PROFILE FOR QUERY 1 LIMIT 50"};

	list(x, "1|0.01000000|select 1\n");
	feed(x, &a, "Status|Duration", "init|0.000100\nend|0.000200\n");
	expect(x, "profile", "event,time_s",
	    "lost time|0.00970000\nend|0.00020000\ninit|0.00010000\n");
}

/* A paste that lacks rows, by its footer, its end or the gaps in SEQ. */
static void
test_pasted_part(void **state)
{
	struct profile_world *x = *state;
	struct around footer = {.footer = 17,
		.statement = "SHOW PROFILE FOR QUERY 1"};
	struct around cut = {.tail_cut = true,
		.statement = "SHOW PROFILE FOR QUERY 2"};

	list(x, "1|0.01000000|select 1\n2|0.01000000|select 2\n"
	    "3|0.01000000|select 3\n");
	feed(x, &footer, "Status|Duration", "executing|0.001000\n");
	feed(x, &cut, "Status|Duration", "executing|0.002000\n");
	feed(x, NULL, "QUERY_ID|SEQ|STATE|DURATION",
	    "3|2|starting|0.000100\n3|5|end|0.000100\n");
	expect(x, "profile", "event,time_s",
	    "executing|0.00300000\nend|0.00010000\nstarting|0.00010000\n");
}

/* The same rows printed again only add columns. */
static void
test_printed_again(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.statement =
		"SHOW PROFILE SOURCE FOR QUERY 1"};

	list(x, "1|0.00030100|select 1\n");
	profile(x, 1, "starting|0.000100\nend|0.000200\n");
	feed(x, &a, "Status|Duration|Source_function|Source_file|"
	    "Source_line",
	    "starting|0.000100|\\N|\\N|\\N\n"
	    "end|0.000200|execute|sql_select.cc|796\n");
	feed(x, NULL, "QUERY_ID|SEQ|STATE|DURATION|SWAPS",
	    "1|2|starting|0.000100|4\n1|3|end|0.000200|5\n");
	expect(x, "stages", "seq,state,duration_s,swaps,from_function,"
	    "from_line,to_function,to_file,to_line",
	    "1|starting|0.00010000|4|||execute|sql_select.cc|796\n"
	    "2|end|0.00020000|5|execute|796|||\n");
	expect(x, "profile", "event,time_s,count",
	    "end|0.00020000|1\nstarting|0.00010000|1\n");
	expect(x, "sessions", "session", "1\n");
}

/* A part before or after the whole adds its columns to those rows. */
static void
test_parts(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.statement =
		"SHOW PROFILE CPU FOR QUERY 1 LIMIT 1 OFFSET 1"};
	struct around b = {.statement =
		"SHOW PROFILE SWAPS FOR QUERY 1 LIMIT 1 OFFSET 2"};

	feed(x, &a, "Status|Duration|CPU_user|CPU_system",
	    "init|0.000200|0.000150|0.000050\n");
	profile(x, 1, "starting|0.000100\ninit|0.000200\nend|0.000300\n");
	feed(x, &b, "Status|Duration|Swaps", "end|0.000300|7\n");
	expect(x, "stages", "state,cpu_user_s,swaps",
	    "starting||\ninit|0.000150|\nend||7\n");
	expect(x, "profile", "event,count", "end|1\ninit|1\nstarting|1\n");
}

/* PROFILING in any order. */
static void
test_any_order(void **state)
{
	struct profile_world *x = *state;

	feed(x, NULL, "DURATION|STATE|SEQ|QUERY_ID",
	    "0.000300|end|4|7\n0.000010|starting|2|8\n"
	    "0.000100|starting|2|7\n0.000200|init|3|7\n"
	    "0.000020|end|3|8\n");
	expect(x, "stages", "query_id,seq,state,start_s",
	    "7|1|starting|0.000000\n7|2|init|0.000100\n"
	    "7|3|end|0.000300\n8|1|starting|0.000000\n"
	    "8|2|end|0.000010\n");
}

/* -------------------------------------------------------------- sessions */

/* Seed: a total below states that were read, other rows, and the first ones
 * again. */
static void
test_segments(void **state)
{
	struct profile_world *x = *state;
	struct around all = {.statement = "show profile all for query 1",
		.footer = 17};

	profile(x, 1, "starting|0.000119\nSystem lock|788.966338\n");
	list(x, "1|1.09378600|select count(*) from t\n");
	profile(x, 1, "starting|0.000157\nexecuting|1.093629\n");
	feed(x, &all, "Status|Duration|Swaps", "executing|0.825417|0\n");
	feed(x, NULL, "QUERY_ID|SEQ|STATE|DURATION|SWAPS",
	    "1|2|starting|0.000157|0\n1|3|executing|1.093629|1\n");
	profile(x, 1, "starting|0.000119\nSystem lock|788.966338\n");
	expect(x, "sessions", "session,span_s",
	    "1|788.966457\n2|1.09378600\n3|0.825417\n");
	expect(x, "stages", "session,state,duration_s,swaps",
	    "1|starting|0.000119|\n1|System lock|788.966338|\n"
	    "2|starting|0.00015700|0\n2|executing|1.09362900|1\n"
	    "3|executing|0.825417|0\n");
	assert_int_equal(told(x, PP_MSG_NEW_SESSION), 2);
	expect(x, "sources", "tick,span_s", "10ns|790.88566000\n");
}

/* Lists of one session overlap; another total is another session. */
static void
test_lists(void **state)
{
	struct profile_world *x = *state;

	list(x, "26|0.00001000|select 26\n27|0.00002000|select 27\n");
	list(x, "27|0.00002000|select 27\n28|0.00003000|select 28\n");
	list(x, "27|0.00002001|select 27\n");
	list(x, "28|0.00003000|select 28\n29|0.00004000|select 29\n");
	expect(x, "sessions", "session,span_s",
	    "1|0.00010000\n2|0.00002001\n");
	expect(x, "profile", PROFILE,
	    "(not recorded)|missing|0.00010000||4\n"
	    "(not recorded)|missing|0.00002001||1\n");
}

/* A list never ends before one that its session has shown earlier. */
static void
test_list_goes_back(void **state)
{
	struct profile_world *x = *state;

	list(x, "26|0.00001000|select 26\n27|0.00002000|select 27\n");
	list(x, "1|0.00005000|select 1\n");
	expect(x, "sessions", "session,span_s",
	    "1|0.00003000\n2|0.00005000\n");
}

/* The same number and total, another text. */
static void
test_other_text(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.000045|SELECT DATABASE()\n");
	list(x, "1|0.000045|SELECT DATA\n");	/* cut: the same */
	list(x, "1|0.000045|set profiling=1\n");
	expect(x, "sessions", "session", "1\n2\n");
}

/* A client that connects anew, unless it is the same connection. */
static void
test_connection(void **state)
{
	struct profile_world *x = *state;

	note(x, PP_NOTE_CONNECT, "Your MariaDB connection id is 31");
	note(x, PP_NOTE_TEXT, "Server version: 10.11.6-MariaDB-0 Debian 12");
	profile(x, 1, "starting|0.000100\nend|0.000200\n");
	note(x, PP_NOTE_CONNECT, "Connection id:          31");
	profile(x, 2, "starting|0.000101\nend|0.000200\n");
	note(x, PP_NOTE_CONNECT, "Your MariaDB connection id is 32");
	profile(x, 3, "starting|0.000102\nend|0.000200\n");
	expect(x, "sessions", "session,native_id", "1|31\n2|32\n");
	expect(x, "sources", "product,version",
	    "MariaDB|10.11.6-MariaDB-0\n");
}

/* ------------------------------------------------------ without a number */

static void
test_only_fit(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.00030000|select 1\n2|0.00500000|select 2\n");
	profile(x, 0, "starting|0.000100\nend|0.000200\n");
	expect(x, "stages", "query_id,state", "1|starting\n1|end\n");
	assert_int_equal(told(x, PP_MSG_NO_NUMBER), 1);
}

/* Two fit: the last of the list. */
static void
test_two_fit(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.00030000|select 1\n2|0.00030050|select 2\n");
	profile(x, 0, "starting|0.000100\nend|0.000200\n");
	expect(x, "stages", "query_id", "2\n2\n");
}

/* No list at all, or only later. */
static void
test_no_list(void **state)
{
	struct profile_world *x = *state;

	profile(x, 0, "starting|0.000100\nend|0.000200\n");
	profile(x, 0, "starting|0.000300\nend|0.000400\n");
	profile(x, 0, "starting|0.000100\nend|0.000200\n");
	expect(x, "stages", "session,query_id,seq,duration_s",
	    "1||1|0.000100\n1||2|0.000200\n1||1|0.000300\n"
	    "1||2|0.000400\n");
	expect(x, "statements", "statement,elapsed_s",
	    "?L5|0.000700\n?L2|0.000300\n(between calls)|0.000000\n");
}

static void
test_list_later(void **state)
{
	struct profile_world *x = *state;

	profile(x, 0, "starting|0.000100\nend|0.000200\n");
	list(x, "1|0.00030000|select 1\n2|0.00500000|select 2\n");
	expect(x, "stages", "query_id", "1\n1\n");
	expect(x, "profile", "event,time_s",
	    "(not recorded)|0.00500000\nend|0.00020000\n"
	    "starting|0.00010000\n");
}

/* The last of the list has its own rows: this is a query after it. */
static void
test_after_list(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.00030000|select 1\n");
	profile(x, 1, "starting|0.000100\nend|0.000200\n");
	profile(x, 0, "starting|0.000900\nend|0.000900\n");
	expect(x, "stages", "session,query_id,duration_s",
	    "1|1|0.00010000\n1|1|0.00020000\n1||0.00090000\n"
	    "1||0.00090000\n");
}

/* The number may stand in the line above. */
static void
test_heading(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.heading =
		"5. it says: SHOW PROFILE cpu, BLOCK IO for query 17;"};

	feed(x, &a, "Status|Duration", "starting|0.000100\n");
	expect(x, "stages", "query_id", "17\n");
}

/* ------------------------------------------------------------------ columns */

static void
test_nameless(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.nameless = true};
	struct around b = {.nameless = true, .statement =
		"SHOW PROFILE SWAPS, CPU FOR QUERY 2"};

	assert_true(feed(x, &a, "||", "1|0.00030000|select 1\n"
	    "2|0.00040000|select 2\n"));
	assert_true(feed(x, &b, "||||",
	    "starting|0.000100|0.000001|0.000002|3\n"
	    "end|0.000300|0.000001|0.000002|4\n"));
	assert_true(feed(x, &a, "||", "2|starting|0.000100\n"
	    "3|end|0.000200\n"));
	assert_false(feed(x, &a, "|", "apples|0.000100\npears|0.000200\n"));
	assert_false(feed(x, &a, "||", "1|2|starting\n2|3|end\n"));
	expect(x, "stages", "query_id,state,cpu_user_s,cpu_system_s,swaps",
	    "1|starting|||\n1|end|||\n"
	    "2|starting|0.00000100|0.00000200|3\n"
	    "2|end|0.00000100|0.00000200|4\n");
	assert_int_equal(told(x, PP_MSG_GUESSED_COLUMNS), 3);
}

/* All 16 columns of SHOW PROFILE ALL by their places. */
static void
test_nameless_all(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.nameless = true};

	assert_true(feed(x, &a, "|||||||||||||||",
	    "starting|0.000100|0.000001|0.000002|3|4|5|6|7|8|9|10|11|f|f.cc|"
	    "12\n"));
	expect(x, "stages", "context_voluntary,page_faults_minor,swaps,"
	    "from_function,from_file,from_line", "3|10|11|f|f.cc|12\n");
}

static void
test_not_ours(void **state)
{
	struct profile_world *x = *state;

	assert_false(feed(x, NULL, "Id|User|Host|db|Command|Time|State|Info",
	    "5|a|b|c|Query|1|init|x\n"));
	assert_false(feed(x, NULL, "status|duration|customer", "a|1|b\n"));
	assert_false(feed(x, NULL, "event_name|wait_ms", "wait/io|1\n"));
	assert_false(feed(x, NULL, "EVENT_ID|SQL_TEXT|TIMER_WAIT",
	    "1|select|2\n"));
	assert_true(feed(x, NULL, "duration|STATUS", "0.1|init\n"));
}

/* Header only, and no row set at all. */
static void
test_empty(void **state)
{
	struct profile_world *x = *state;

	list(x, "");
	profile(x, 1, "");
	note(x, PP_NOTE_EMPTY, "SHOW PROFILE FOR QUERY 1");
	expect(x, "sessions", "session", "");
	expect(x, "stages", "state", "");
	assert_int_equal(x->w.m.inputs, PP_INPUT_STATES);
}

/* ---------------------------------------------------------------- helpers */

static void
test_numbers(void **state)
{
	static const struct {
		const char *s;
		int64_t v;	/* -1: none */
		const char *rest;
	} c[] = {
		{"0.000123", 123000000, ""}, {"1", 1000000000000, ""},
		{" 0.00012300 ", 123000000, ""}, {"1e-6", 1000000, ""},
		{"6.70E-05", 67000000, ""}, {"1E3x", 1000000000000000, "x"},
		{"1e", 1000000000000, "e"}, {".5", 500000000000, ""},
		{"5.", 5000000000000, ""}, {"0,000067", 67000000, ""},
		{"1.751,142", -1, ""}, {"1,751.142", -1, ""}, {"", -1, ""},
		{"abc", -1, ""}, {"-", -1, ""}, {"0.0000000000001", 0, ""},
		{"0.0000000000005", 1, ""}, {"1 ms", 1000000000, ""},
		{"1.5 min", 90000000000000, ""}, {"2 w", 1209600000000000000,
		""}, {"16.53 w", -1, ""}, {"3 us", 3000000, ""},
		{"3 \xc2\xb5s", 3000000, ""}, {"3 usual", 3000000000000,
		"usual"}, {"9223372.036854775807", INT64_MAX, ""},
		{"9223372.036854775808", -1, ""}, {"99999999999999999999",
		-1, ""}, {"1e400", -1, ""}, {"1e-400", 0, ""},
		{"0.123456789012345678901234567890123456789", 123456789012,
		""}, {"0.000023\t// note", 23000000, "// note"},
	};
	struct pp_sp_number n;

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		bool ok = pp_sp_number(pp_str_from(c[i].s), 1000000000000,
		    &n);

		if (ok != (c[i].v >= 0))
			fail_msg("%s", c[i].s);
		if (!ok)
			continue;
		if (n.v != c[i].v)
			fail_msg("%s: %lld", c[i].s, (long long)n.v);
		assert_true(pp_str_eq(n.rest, pp_str_from(c[i].rest)));
	}
	assert_true(pp_sp_number(PP_STR("-0.000012"), 1000000000000, &n));
	assert_int_equal(n.v, -12000000);
	assert_true(pp_sp_number(PP_STR("12.4050"), 1000000000, &n));
	assert_int_equal(n.v, 12405000000);
}

static void
test_asked(void **state)
{
	struct pp_sp_asked a;

	(void)state;
	assert_true(pp_sp_asked(&a, PP_STR("show profile cpu ,block io, "
	    "source for query 12 limit 3 offset 4")));
	assert_true(a.has_id && a.id == 12 && a.typed && a.has_limit);
	assert_int_equal(a.limit, 3);
	assert_int_equal(a.offset, 4);
	assert_int_equal(a.types, 1u << PP_SP_T_CPU | 1u << PP_SP_T_BLOCK |
	    1u << PP_SP_T_SOURCE);
	assert_true(pp_sp_asked(&a, PP_STR("SHOW PROFILE ALL")));
	assert_false(a.has_id || a.has_limit || a.other);
	assert_false(pp_sp_asked(&a, PP_STR("SHOW PROFILES")));
	assert_true(pp_sp_asked(&a, PP_STR("SELECT * FROM "
	    "information_schema.PROFILING WHERE QUERY_ID=7 ORDER BY SEQ")));
	assert_true(a.has_id && a.id == 7 && !a.other && !a.has_limit);
	assert_true(pp_sp_asked(&a, PP_STR("select state from "
	    "information_schema.profiling where query_id = 7 and state = "
	    "'init' limit 2, 5")));
	assert_true(a.other && a.limit == 5 && a.offset == 2);
	assert_true(pp_sp_asked(&a, PP_STR("SHOW PROFILE FOR QUERY "
	    "99999999999999999999999")));
	assert_false(a.has_id);
}

static void
test_commands(void **state)
{
	static const char *const c[][2] = {
		{"select 1", "SELECT"}, {" \n/* x */ (SELECT 1)", "SELECT"},
		{"/*!40001 SELECT */ 1", "SELECT"}, {"-- x\nshow tables",
		"SHOW"}, {"#x\ninsert into t values (1)", "INSERT"},
		{"WITH a AS (SELECT 1) UPDATE t SET b=1", "UPDATE"},
		{"with recursive a as (select 1) select 2", "SELECT"},
		{"create or replace definer=`select`@`%` view v as select 1",
		"CREATE VIEW"}, {"CREATE TEMPORARY TABLE t (a int)",
		"CREATE TABLE"}, {"create unique index i on t(a)",
		"CREATE INDEX"}, {"alter schema x", "ALTER DATABASE"},
		{"drop prepare x", "DROP"}, {"truncate t", "TRUNCATE TABLE"},
		{"expalin select 1", ""}, {"", ""}, {"'", ""}, {"/*", ""},
		{"desc t", "EXPLAIN"}, {"start transaction",
		"START TRANSACTION"}, {"rename table a to b", "RENAME TABLE"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++)
		assert_true(pp_str_eq(pp_mysql_command(pp_str_from(c[i][0])),
		    pp_str_from(c[i][1])));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_limit),
		TEST(test_wide_limit),
		TEST(test_pasted_part),
		TEST(test_printed_again),
		TEST(test_parts),
		TEST(test_any_order),
		TEST(test_segments),
		TEST(test_lists),
		TEST(test_list_goes_back),
		TEST(test_other_text),
		TEST(test_connection),
		TEST(test_only_fit),
		TEST(test_two_fit),
		TEST(test_no_list),
		TEST(test_list_later),
		TEST(test_after_list),
		TEST(test_heading),
		TEST(test_nameless),
		TEST(test_nameless_all),
		TEST(test_not_ours),
		TEST(test_empty),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
