/*
 * test_showprofile.c: what SHOW PROFILE amounts to: queries, states, what a
 * total has beyond them, and which rows belong together.  Values are worked
 * out by hand.
 */
#include "showprofile_world.h"

#define PROFILE "event,class,time_s,share_pct,count"
#define STAGES "session,query_id,seq,state,start_s,duration_s,flags"

/* ---------------------------------------------------------------- totals */

/* Case R51: 0.180000 listed, 0.172700 in states. */
static void
test_lost_time(void **state)
{
	struct profile_world *x = *state;

	list(x, "5|0.180000|select * from v_slow\n");
	profile(x, 0, "starting|0.000100\nSending data|0.170000\n"
	    "end|0.002600\n");
	expect(x, "profile", PROFILE,
	    "Sending data|stage|0.17000000|94.44|1\n"
	    "lost time|unaccounted|0.00730000|4.06|1\n"
	    "end|stage|0.00260000|1.44|1\n"
	    "starting|stage|0.00010000|0.06|1\n");
	expect(x, "stages", STAGES,
	    "1|5|1|starting|0.00000000|0.00010000|\n"
	    "1|5|2|Sending data|0.00010000|0.17000000|\n"
	    "1|5|3|end|0.17010000|0.00260000|\n");
	expect(x, "statements", "command,executions,elapsed_s,self_s,"
	    "self_unaccounted_s,cpu_s,parses,max_s,last_s",
	    "SELECT|1|0.18000000|0.18000000|0.00730000|||0.18000000|"
	    "0.18000000\n"
	    "|0|0.00000000|0.00000000|0.00000000||||\n");
	expect(x, "tree", "node,parent,depth,call,calls,elapsed_s,self_s",
	    "1||0|SELECT|1|0.18000000|0.00000000\n"
	    "2|1|1|Sending data|1|0.17000000|0.17000000\n"
	    "3|1|1|lost time|1|0.00730000|0.00730000\n"
	    "4|1|1|end|1|0.00260000|0.00260000\n"
	    "5|1|1|starting|1|0.00010000|0.00010000\n"
	    "6||0|(between calls)|0|0.00000000|0.00000000\n");
	expect(x, "sources", "tick,span_s", "10ns|0.18000000\n");
	assert_int_equal(told(x, PP_MSG_LOST_TIME), 1);
	assert_int_equal(told(x, PP_MSG_CONSECUTIVE), 1);
	assert_int_equal(told(x, PP_MSG_PROCESS_WIDE), 0);
	assert_false(x->w.m.diag.partial);
}

/* Without the list there is no such row, and the tick is 1 us. */
static void
test_no_total(void **state)
{
	struct profile_world *x = *state;

	profile(x, 5, "starting|0.000100\nSending data|0.170000\n"
	    "end|0.002600\n");
	expect(x, "profile", "event,time_s,share_pct",
	    "Sending data|0.170000|98.44\n"
	    "end|0.002600|1.51\n"
	    "starting|0.000100|0.06\n");
	expect(x, "sessions", "span_s,calls,waits", "0.172700||\n");
	expect(x, "sources", "tick", "1us\n");
	expect(x, "statements", "statement,command,text",
	    "?5||\n(between calls)||\n");
}

/* The states of the query take longer than its total: signed. */
static void
test_lost_negative(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.00100000|select 1\n");
	profile(x, 1, "starting|0.000600\nend|0.000700\n");
	expect(x, "profile", PROFILE,
	    "end|stage|0.00070000|70.00|1\n"
	    "starting|stage|0.00060000|60.00|1\n"
	    "lost time|unaccounted|-0.00030000|-30.00|1\n");
	expect(x, "statements", "elapsed_s,self_s,self_unaccounted_s",
	    "0.00100000|0.00100000|-0.00030000\n"
	    "0.00000000|0.00000000|0.00000000\n");
}

/* Half a microsecond a row and one more is rounding: 1.5 us of two rows. */
static void
test_rounding(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.00010150|select 1\n2|0.00010151|select 2\n"
	    "3|0.00009850|select 3\n4|0.00009849|select 4\n");
	profile(x, 1, "starting|0.000060\nend|0.000040\n");
	profile(x, 2, "starting|0.000061\nend|0.000039\n");
	profile(x, 3, "starting|0.000062\nend|0.000038\n");
	profile(x, 4, "starting|0.000063\nend|0.000037\n");
	expect(x, "profile", "event,time_s,share_pct,count",
	    "starting|0.00024600|61.50|4\n"
	    "end|0.00015400|38.50|4\n"
	    "lost time|0.00000000|0.00|2\n");
	/* the span is that of the totals all the same */
	expect(x, "sessions", "span_s", "0.00040000\n");
	expect(x, "statements", "elapsed_s,self_unaccounted_s",
	    "0.00010151|0.00000151\n0.00010150|0.00000000\n"
	    "0.00009850|0.00000000\n0.00009849|-0.00000151\n"
	    "0.00000000|0.00000000\n");
}

/* ---------------------------------------------------------------- history */

/* n rows "executing" of 1 us each; SEQ from `seq` on, 0: without. */
static const char *
many(char *buf, unsigned n, unsigned seq)
{
	char *p = buf;

	for (unsigned i = 0; i < n; i++)
		p += seq ? sprintf(p, "3|%u|executing|0.000010\n", seq + i) :
		    sprintf(p, "executing|0.000010\n");
	return buf;
}

/* A hundred rows are what the server keeps: what is missing came first. */
static void
test_cut_in_front(void **state)
{
	struct profile_world *x = *state;
	char rows[8192];

	list(x, "3|0.00171625|call p()\n");
	profile(x, 3, many(rows, 100, 0));
	expect(x, "profile", PROFILE,
	    "executing|stage|0.00100000|58.27|100\n"
	    "(not recorded)|missing|0.00071625|41.73|1\n");
	assert_int_equal(told(x, PP_MSG_HISTORY_CUT), 1);
	assert_true(x->w.m.diag.partial);
}

/* The first of those rows begins where what is missing ends. */
static void
test_cut_start(void **state)
{
	struct profile_world *x = *state;

	list(x, "3|0.00100000|call p()\n");
	feed(x, NULL, "QUERY_ID|SEQ|STATE|DURATION",
	    "3|72|executing|0.000300\n3|73|end|0.000200\n");
	expect(x, "stages", STAGES,
	    "1|3|1|executing|0.00050000|0.00030000|\n"
	    "1|3|2|end|0.00080000|0.00020000|\n");
	expect(x, "timeline", "interval,event,time_s,count",
	    "1|(not recorded)|0.00005000|0\n"
	    "2|(not recorded)|0.00005000|0\n"
	    "3|(not recorded)|0.00005000|0\n"
	    "4|(not recorded)|0.00005000|0\n"
	    "5|(not recorded)|0.00005000|0\n"
	    "6|(not recorded)|0.00005000|0\n"
	    "7|(not recorded)|0.00005000|0\n"
	    "8|(not recorded)|0.00005000|0\n"
	    "9|(not recorded)|0.00005000|0\n"
	    "10|(not recorded)|0.00005000|0\n"
	    "11|(not recorded)|0.00000000|1\n"
	    "11|executing|0.00005000|0\n"
	    "12|executing|0.00005000|0\n"
	    "13|executing|0.00005000|0\n"
	    "14|executing|0.00005000|0\n"
	    "15|executing|0.00005000|0\n"
	    "16|executing|0.00005000|0\n"
	    "17|executing|0.00000000|1\n"
	    "17|end|0.00005000|0\n"
	    "18|end|0.00005000|0\n"
	    "19|end|0.00005000|0\n"
	    "20|end|0.00005000|1\n");
}

/* 99 rows, or 100 of which nobody knows the total: nothing is concluded. */
static void
test_not_cut(void **state)
{
	struct profile_world *x = *state;
	char rows[8192];

	list(x, "3|0.00171625|call p()\n");
	profile(x, 3, many(rows, 99, 0));
	expect(x, "profile", "event,time_s",
	    "executing|0.00099000\nlost time|0.00072625\n");
	assert_int_equal(told(x, PP_MSG_HISTORY_CUT), 0);
}

static void
test_cut_no_total(void **state)
{
	struct profile_world *x = *state;
	char rows[8192];

	feed(x, NULL, "QUERY_ID|SEQ|STATE|DURATION", many(rows, 5, 3));
	expect(x, "profile", "event,time_s", "executing|0.000050\n");
	assert_int_equal(told(x, PP_MSG_HISTORY_CUT), 1);
	assert_true(x->w.m.diag.partial);
}

/* SLEEP(1001): the row ends at 999.999999, the total does not. */
static void
test_saturated(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|1001.02066975|SELECT SLEEP(1001)\n");
	profile(x, 1, "starting|0.000581\nUser sleep|999.999999\n"
	    "end|0.001317\n");
	expect(x, "profile", "event,class,time_s,count",
	    "User sleep|stage|1001.01877175|1\n"
	    "end|stage|0.00131700|1\n"
	    "starting|stage|0.00058100|1\n");
	expect(x, "stages", STAGES,
	    "1|1|1|starting|0.00000000|0.00058100|\n"
	    "1|1|2|User sleep|0.00058100|1001.01877175|saturated\n"
	    "1|1|3|end|1001.01935275|0.00131700|\n");
	assert_int_equal(told(x, PP_MSG_SATURATED), 1);
	assert_false(x->w.m.diag.partial);
}

/* Two such rows: nobody knows whose it is. */
static void
test_saturated_twice(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|2300.00000000|call p()\n");
	profile(x, 1, "User sleep|999.999999\nUser sleep|999.999999\n");
	expect(x, "profile", "event,time_s,count",
	    "User sleep|1999.99999800|2\nlost time|300.00000200|1\n");
	expect(x, "stages", "duration_s,flags",
	    "999.99999900|saturated\n999.99999900|saturated\n");
}

static void
test_saturated_alone(void **state)
{
	struct profile_world *x = *state;

	profile(x, 1, "User sleep|999.999999\nend|0.000001\n");
	expect(x, "stages", "duration_s,flags",
	    "999.999999|saturated\n0.000001|\n");
	assert_int_equal(told(x, PP_MSG_SATURATED), 1);
}

/* ---------------------------------------------------------- odd numbers */

/* Case R68, and its kin. */
static void
test_underflow(void **state)
{
	struct profile_world *x = *state;

	feed(x, NULL, "Status|Duration|CPU_user|CPU_system",
	    "starting|0.001000|0.001000|0.000000\n"
	    "Sending data|0.009000|0.002000|4294.967295\n"
	    "end|0.000010|-0.000002|2500.000000\n"
	    "executing|10.000000|2500.000000|4294.900000\n");
	expect(x, "stages", "state,duration_s,cpu_user_s,cpu_system_s,flags",
	    "starting|0.001000|0.001000|0.000000|\n"
	    "Sending data|0.009000|0.002000||cpu_system_s=4294.967295\n"
	    "end|0.000010|||cpu_user_s=-0.000002, "
	    "cpu_system_s=2500.000000\n"
	    "executing|10.000000|2500.000000||cpu_system_s=4294.900000\n");
	expect(x, "profile", "event,time_s",
	    "executing|10.000000\nSending data|0.009000\n"
	    "starting|0.001000\nend|0.000010\n");
	assert_int_equal(told(x, PP_MSG_SUSPECT), 4);
	assert_int_equal(told(x, PP_MSG_PROCESS_WIDE), 1);
	assert_false(x->w.m.diag.partial);
}

static void
test_counter_underflow(void **state)
{
	struct profile_world *x = *state;

	feed(x, NULL, "Status|Duration|Swaps|Block_ops_in|Messages_sent",
	    "starting|0.001000|4294967295|18446744073709551615|0\n"
	    "end|0.001000|-3|4294967296|2147483648\n");
	expect(x, "stages", "swaps,block_ops_in,messages_sent,flags",
	    "||0|block_ops_in=18446744073709551615, swaps=4294967295\n"
	    "|4294967296|2147483648|swaps=-3\n");
	assert_int_equal(told(x, PP_MSG_SUSPECT), 3);
}

/* The clock of the server went back: it counts as printed. */
static void
test_negative(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.00008000|select 1\n");
	profile(x, 1, "starting|0.000060\ninit|-0.000012\nend|0.000032\n");
	expect(x, "profile", "event,time_s,share_pct,count",
	    "starting|0.00006000|75.00|1\nend|0.00003200|40.00|1\n"
	    "init|-0.00001200|-15.00|1\n");
	expect(x, "stages", STAGES,
	    "1|1|1|starting|0.00000000|0.00006000|\n"
	    "1|1|2|init|0.00006000|-0.00001200|negative\n"
	    "1|1|3|end|0.00004800|0.00003200|\n");
	assert_int_equal(told(x, PP_MSG_NEGATIVE_DURATION), 1);
}

/* All of it below zero: no span, and still no crash. */
static void
test_all_negative(void **state)
{
	struct profile_world *x = *state;

	profile(x, 1, "starting|-0.000060\n");
	expect(x, "profile", "event,time_s,share_pct",
	    "starting|-0.000060|\n");
	expect(x, "sessions", "span_s", "0.000000\n");
}

/* A duration that is no duration: 2^32 us less one. */
static void
test_duration_underflow(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.00010000|select 1\n");
	profile(x, 1, "starting|0.000040\ninit|4294.967295\n"
	    "end|0.000061\n");
	expect(x, "stages", STAGES,
	    "1|1|1|starting|0.00000000|0.00004000|\n"
	    "1|1|2|init|0.00004000||duration_s=4294.967295\n"
	    "1|1|3|end|0.00004000|0.00006100|\n");
	expect(x, "profile", "event,time_s,count",
	    "end|0.00006100|1\nstarting|0.00004000|1\n");
}

static void
test_zero(void **state)
{
	struct profile_world *x = *state;

	profile(x, 1, "starting|0.000000\nend|0.000000\n");
	expect(x, "profile", PROFILE,
	    "end|stage|0.000000||1\nstarting|stage|0.000000||1\n");
	expect(x, "timeline_pivot", "interval,end,starting",
	    "20|0.000000|0.000000\n");
}

/* Numbers that a spreadsheet or a note has been at. */
static void
test_written_over(void **state)
{
	struct profile_world *x = *state;

	profile(x, 1, "starting|6.70E-05\ninit|0,000033\n"
	    "Opening tables|+.5 // much\nend|1.751,142\nquery end|\\C\n"
	    "freeing items|abc\n");
	expect(x, "stages", "state,duration_s",
	    "starting|0.000067\ninit|0.000033\nOpening tables|0.500000\n");
	assert_int_equal(x->rejected, 3);
	assert_int_equal(told(x, PP_MSG_TRAILING), 1);
	assert_int_equal(told(x, PP_MSG_BAD_RECORD), 2);
	assert_int_equal(told(x, PP_MSG_CUT_RECORD), 1);
}

/* sys.format_time: 348.00 ns needs more digits than 10 ns have. */
static void
test_units(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.statement =
		"CALL sys.show_profile_for_event_id(22)"};

	feed(x, NULL, "Event_ID|Duration|Query",
	    "22|495.02 us|SELECT 1\n");
	feed(x, &a, "Status|Duration",
	    "starting|64.82 us\nexecuting|348.00 ns\nend|1.00 m\n");
	expect(x, "stages", "query_id,duration_s",
	    "22|0.000064820\n22|0.000000348\n22|60.000000000\n");
	assert_int_equal(told(x, PP_MSG_APPROXIMATE), 1);
}

/* ------------------------------------------------------------ bare lists */

/* Case R52: two queries, no profile. */
static void
test_bare_list(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.00150000|select *\n2|0.00050000|select 1\n");
	expect(x, "profile", PROFILE,
	    "(not recorded)|missing|0.00200000||2\n");
	expect(x, "statements", "elapsed_s,text",
	    "0.00150000|select *\n0.00050000|select 1\n0.00000000|\n");
	expect(x, "stages", "state", "");
	expect(x, "histogram", "event", "");
	expect(x, "sessions", "span_s", "0.00200000\n");
}

/* Shares are of the queries that have states: they sum to 100. */
static void
test_shares(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.50000000|select 1\n2|0.00100000|select 2\n");
	feed(x, NULL, "QUERY_ID|SEQ|STATE|DURATION",
	    "2|4|init|0.000250\n2|5|end|0.000500\n");
	expect(x, "profile", PROFILE,
	    "(not recorded)|missing|0.50025000|25.00|2\n"
	    "end|stage|0.00050000|50.00|1\n"
	    "init|stage|0.00025000|25.00|1\n");
}

/* ------------------------------------------------------------- the pivot */

#define PIVOT "STATE|Total_R|Pct_R|Calls|R/Call"

static void
test_pivot(void **state)
{
	struct profile_world *x = *state;

	feed(x, NULL, PIVOT,
	    "removing tmp table|0.095135|55.10|3|0.0317116667\n"
	    "Sending data|0.018478|44.90|1|0.0184780000\n");
	expect(x, "profile", "event,time_s,share_pct,count,avg_s,min_s,"
	    "p50_s,max_s",
	    "removing tmp table|0.095135|83.74|3|0.031712|||\n"
	    "Sending data|0.018478|16.26|1|0.018478|0.018478|0.018478|"
	    "0.018478\n");
	expect(x, "histogram", "event,count", "Sending data|1\n");
	expect(x, "stages", "state", "");
	expect(x, "statement_pivot", "removing tmp table,Sending data",
	    "0.095135|0.018478\n|\n");
	assert_int_equal(told(x, PP_MSG_SUMS_ONLY), 1);
}

/* The pivot of states that are there, before or after: nothing is added. */
static void
test_pivot_again(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.statement = "SELECT STATE, SUM(DURATION) AS "
		"Total_R FROM INFORMATION_SCHEMA.PROFILING WHERE QUERY_ID = 1 "
		"GROUP BY STATE"};
	struct around b = {.statement = "SELECT STATE, SUM(DURATION) AS "
		"Total_R FROM INFORMATION_SCHEMA.PROFILING WHERE QUERY_ID = 2 "
		"GROUP BY STATE"};

	profile(x, 1, "init|0.000100\nend|0.000200\ninit|0.000300\n");
	feed(x, &a, PIVOT,
	    "init|0.000400|66.67|2|0.0002000000\n"
	    "end|0.000200|33.33|1|0.0002000000\n");
	feed(x, &b, PIVOT, "end|0.000500|100.00|1|0.0005000000\n");
	profile(x, 2, "end|0.000500\n");
	expect(x, "profile", "event,time_s,count,max_s",
	    "end|0.000700|2|0.000500\ninit|0.000400|2|0.000300\n");
	expect(x, "sessions", "session", "1\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_lost_time),
		TEST(test_no_total),
		TEST(test_lost_negative),
		TEST(test_rounding),
		TEST(test_cut_in_front),
		TEST(test_cut_start),
		TEST(test_not_cut),
		TEST(test_cut_no_total),
		TEST(test_saturated),
		TEST(test_saturated_twice),
		TEST(test_saturated_alone),
		TEST(test_underflow),
		TEST(test_counter_underflow),
		TEST(test_negative),
		TEST(test_all_negative),
		TEST(test_duration_underflow),
		TEST(test_zero),
		TEST(test_written_over),
		TEST(test_units),
		TEST(test_bare_list),
		TEST(test_shares),
		TEST(test_pivot),
		TEST(test_pivot_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
