/*
 * test_report.c: the tables of the accounts put together in report_world.h;
 * every row is worked out by hand.
 */
#include "report_world.h"

static void
test_sources(void **state)
{
	struct world *w = *state;

	w->m.sources[1].tick_units = 1;
	expect_table(w, "sources",
	    "source|path|reader|product|version|host|instance|tick|"
	    "clock_factor|started_at|ended_at|span_s|bytes|lines|records|"
	    "repaired|rejected|noise|status|sha256\n"
	    "b.trc|in/b.trc.gz|oracle10046|Oracle Database 19c|19.14.0.0.0|||"
	    "1us|1.024|2024-03-26T18:41:07.000000+01:00||10.000000|5000|100|"
	    "90|1|2|3|partial|"
	    "0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0"
	    "f8\n"
	    "old.trc|old.trc||||||10ms|1|||3.00|0|0|0|0|0|0|complete|\n");
}

/* The words of DESIGN section 6 for ticks, and a file without a clock. */
static void
test_ticks(void **state)
{
	static const struct {
		uint8_t digits;
		uint32_t units;
		const char *tick;
	} c[] = {
		{6, 1, "|1us|"}, {2, 1, "|10ms|"}, {8, 1, "|10ns|"},
		{9, 1, "|1ns|"}, {12, 1, "|1ps|"}, {3, 1, "|1ms|"},
		{6, 10000, "|10ms|"}, {6, 1000000, "|1s|"},
	};
	struct world *w = *state;
	struct text_sink t;

	w->m.nsources = 1;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		w->m.sources[0].digits = c[i].digits;
		w->m.sources[0].tick_units = c[i].units;
		text_sink_init(&t);
		pp_report_sources.emit(&w->ctx, &t.sink);
		assert_non_null(strstr(t.text, c[i].tick));
		free(t.text);
	}
	memset(&w->m.sources[0], 0, sizeof(w->m.sources[0]));
	w->m.sources[0].name = w->m.sources[0].path = PP_STR("e");
	w->m.sources[0].clock_factor = "1";
	w->m.sources[0].digits = 6;
	w->m.sources[0].status = PP_SRC_EMPTY;
	expect_rows(w, "sources", "e|e|||||||||||0|0|0|0|0|0|empty|\n");
}

static void
test_sessions(void **state)
{
	struct world *w = *state;

	expect_table(w, "sessions",
	    "source|session|native_id|process|client_id|service|module|"
	    "action|driver|container|started_at|start_s|end_s|span_s|calls|"
	    "waits|commits|rollbacks\n"
	    "b.trc|1|123.45|24374|||billing||||"
	    "2024-03-26T18:41:07.000000+01:00|0.000000|10.000000|10.000000|5|"
	    "7|2|1\n"
	    "b.trc|2|7.8|||||||||0.500000|0.600000|0.100000|0|0|0|0\n"
	    "old.trc|1||||||||||0.00|3.00|3.00|7|0|0|0\n");
	w->m.sessions[1].has_time = false;
	w->m.nsessions = 2;
	expect_rows(w, "sessions",
	    "b.trc|2|7.8||||||||||||0|0|0|0\n"
	    "old.trc|1||||||||||0.00|3.00|3.00|7|0|0|0\n");
}

static void
test_session_sources(void **state)
{
	struct pp_session_source s[] = {
		{.session = 0, .source = 1, .first_line = 1,
		    .last_line = 9},
		{.session = 2, .source = 1, .first_line = 1,
		    .last_line = 30, .has_time = true, .start = 3500000,
		    .end = 11000000},
		{.session = 2, .source = 0, .first_line = 77,
		    .last_line = 99},
		{.session = 2, .source = 0, .first_line = 8,
		    .last_line = 20, .has_time = true, .start = 1000000,
		    .end = 3400000},
	};
	struct world *w = *state;

	w->m.session_sources = s;
	w->m.nsession_sources = 4;
	expect_table(w, "session_sources",
	    "source|session|file|first_line|last_line|start_s|end_s\n"
	    "b.trc|1|b.trc|8|20|0.000000|2.400000\n"
	    "b.trc|1|b.trc|77|99||\n"
	    "b.trc|1|old.trc|1|30|2.500000|10.000000\n"
	    "old.trc|1|old.trc|1|9||\n");
	w->m.session_sources = NULL;
	w->m.nsession_sources = 0;
}

/*
 * 2 / 3 s is 0.666667; 2.99 s / 7 on a clock of hundredths 0.427143.  The
 * median of the reads is the upper bound of the bucket of 500000, which
 * begins at 10^(284/50) = 478630.1; 10^(285/50) = 501187.2, so 501187.
 */
static void
test_profile(void **state)
{
	struct world *w = *state;

	expect_table(w, "profile",
	    "source|session|event|class|time_s|share_pct|count|avg_s|min_s|"
	    "max_s|p50_s|p95_s|p99_s\n"
	    "b.trc|1|" CLIENT "|idle|6.000000|60.00|3|2.000000|1.500000|"
	    "2.500000|-0.000001|-0.000001|-0.000001\n"
	    "b.trc|1|CPU EXEC|cpu|2.000000|20.00|2|1.000000|1.000000|"
	    "1.000000|||\n"
	    "b.trc|1|" READ "|wait|2.000000|20.00|3|0.666667|0.500000|"
	    "1.000000|0.501187|1.000000|1.000000\n"
	    "b.trc|1|" CLIENT "|wait|0.500000|5.00|1|0.500000|0.500000|"
	    "0.500000|0.000042|0.000042|0.000042\n"
	    "b.trc|1|unaccounted-for|unaccounted|-0.500000|-5.00|||||||\n"
	    "b.trc|2|CPU EXEC|cpu|0.100000|100.00|1|0.100000|0.100000|"
	    "0.100000|||\n"
	    "b.trc|2|unaccounted-for|unaccounted|0.000000|0.00|||||||\n"
	    "old.trc|1|CPU PARSE|cpu|2.99|99.67|7|0.427143|0.00|1.00|||\n"
	    "old.trc|1|unaccounted-for|unaccounted|0.01|0.33|||||||\n");
}

/* Half up means ties away from zero, and no share without a span. */
static void
test_rounding(void **state)
{
	struct world *w = *state;

	w->a.nevents = 0;
	w->m.sessions[1].start = 0;
	w->m.sessions[1].end = 20000;
	world_event(w, 1, "a", PP_CLASS_WAIT, 2, 1, 0, 1);
	world_event(w, 1, "b", PP_CLASS_WAIT, 2, -1, -1, 0);
	world_event(w, 1, "c", PP_CLASS_WAIT, 0, 0, 0, 0);
	expect_rows(w, "profile",
	    "b.trc|2|a|wait|0.000001|0.01|2|0.000001|0.000000|0.000001|||\n"
	    "b.trc|2|c|wait|0.000000|0.00|0||||||\n"
	    "b.trc|2|b|wait|-0.000001|-0.01|2|-0.000001|-0.000001|0.000000"
	    "|||\n");
	w->m.sessions[1].end = 0;
	w->a.nevents = 1;
	expect_rows(w, "profile",
	    "b.trc|2|a|wait|0.000001||2|0.000001|0.000000|0.000001|||\n");
}

#define A "7ws837zynp1zv"

/* Nodes stand in the array in no order; their links are those of the walk. */
static void
test_tree(void **state)
{
	struct world *w = *state;
	uint32_t exec = name_id(w, "EXEC"), fetch = name_id(w, "FETCH"),
	    lost = name_id(w, PP_NAME_NOT_IN_TRACE);
	struct pp_node n[] = {
		{.session = 2, .parent = 3, .call = fetch, .stmt = w->stmt_c,
		    .level = 1, .first_child = PP_NODE_ROOT,
		    .next_sibling = PP_NODE_ROOT},
		{.session = 2, .parent = 2, .call = exec, .stmt = w->stmt_b,
		    .level = 1, .first_child = PP_NODE_ROOT,
		    .next_sibling = PP_NODE_ROOT},
		{.session = 2, .parent = PP_NODE_ROOT, .call = exec,
		    .stmt = w->stmt_a, .first_child = 1, .next_sibling = 3},
		{.session = 2, .parent = PP_NODE_ROOT, .call = lost,
		    .stmt = PP_STMT_NONE, .synthetic = true, .first_child = 0,
		    .next_sibling = PP_NODE_ROOT},
		{.session = 1, .parent = PP_NODE_ROOT, .call = exec,
		    .stmt = w->stmt_a, .first_child = PP_NODE_ROOT,
		    .next_sibling = PP_NODE_ROOT},
	};

	world_sums(&n[0].sums, 1, 500000, 0, 500000, 0, 500000, 0);
	world_sums(&n[1].sums, 1, 1500000, 1000000, 1500000, 1000000, 500000,
	    0);
	world_sums(&n[2].sums, 3, 3000000, 2000000, 1500000, 1000000,
	    1000000, -500000);
	n[2].sums.rows = 5;
	world_sums(&n[3].sums, 0, 500000, 0, 0, 0, 0, 0);
	world_sums(&n[4].sums, 1, 100000, 100000, 100000, 100000, 0, 0);
	n[4].sums.self_queue = 5;
	w->a.nodes = n;
	w->a.nnodes = 5;
	w->a.roots[2] = 2;
	w->a.roots[1] = 4;
	expect_table(w, "tree",
	    "source|session|node|parent|depth|call|statement|sql_id|calls|"
	    "elapsed_s|cpu_s|self_s|self_cpu_s|self_wait_s|self_queue_s|"
	    "self_unaccounted_s|share_pct|rows\n"
	    "b.trc|1|1||0|EXEC|" A "|" A "|3|3.000000|2.000000|1.500000|"
	    "1.000000|1.000000||-0.500000|15.00|5\n"
	    "b.trc|1|2|1|1|EXEC|?5||1|1.500000|1.000000|1.500000|1.000000|"
	    "0.500000||0.000000|15.00|0\n"
	    "b.trc|1|3||0|(call not in trace)|(no statement)||0|0.500000|"
	    "0.000000|0.000000|0.000000|0.000000||0.000000|0.00|0\n"
	    "b.trc|1|4|3|1|FETCH|0abc|0abc|1|0.500000|0.000000|0.500000|"
	    "0.000000|0.500000||0.000000|5.00|0\n"
	    "b.trc|1|5||0|(between calls)|(between calls)||0|6.500000|"
	    "0.000000|6.500000|0.000000|6.500000||0.000000|65.00|0\n"
	    "b.trc|2|1||0|EXEC|" A "|" A "|1|0.100000|0.100000|0.100000|"
	    "0.100000|0.000000|0.000005|0.000000|100.00|0\n"
	    "old.trc|1|1||0|(between calls)|(between calls)||0|0.01|0.00|"
	    "0.01|0.00|0.00||0.01|0.33|0\n");
	w->a.nodes = NULL;
	w->a.nnodes = 0;
}

#define ROW_A \
	"b.trc|1|" A "|" A "|4294967295||SELECT|0|0|2|1|1|3.000000|" \
	"2.000000|1.500000|1.000000|1.000000||-0.500000|4.000000|0.000001|" \
	"1.500000|0.000003|15.00|5|7|11|13|||||0.000001|10.000000|" \
	"select 1\nfrom dual\n"
#define ROW_BETWEEN \
	"b.trc|1|(between calls)|||||||0|0|0|6.500000|0.000000|6.500000|" \
	"0.000000|6.500000||0.000000|0.000000|0.000000|0.000000|0.000000|" \
	"65.00|0|0|0|0|||||||\n"
#define ROWS_REST \
	"b.trc|2|" A "|" A "|4294967295||SELECT|0||0|0|0|0.100000|0.100000|" \
	"0.100000|0.100000|0.000000|0.000005|0.000000|0.000000|0.000000|" \
	"0.000000|0.000000|100.00|0|0|0|0|||||||select 1\nfrom dual\n" \
	"old.trc|1|(no statement)|||||||0|0|0|2.99|2.99|2.99|2.99|0.00||" \
	"0.00|0.00|0.00|0.00|0.00|99.67|0|0|0|0|||||||\n" \
	"old.trc|1|(between calls)|||||||0|0|0|0.01|0.00|0.01|0.00|0.00||" \
	"0.01|0.00|0.00|0.00|0.00|0.33|0|0|0|0|||||||\n"

/* A and ?5 have the same self time: the id decides. */
static void
test_statements(void **state)
{
	struct world *w = *state;

	expect_table(w, "statements",
	    "source|session|statement|sql_id|hash_value|digest|command|"
	    "parsing_user|depth|executions|parses|misses|elapsed_s|cpu_s|"
	    "self_s|self_cpu_s|self_wait_s|self_queue_s|self_unaccounted_s|"
	    "between_s|recursive_parse_s|recursive_exec_s|recursive_fetch_s|"
	    "share_pct|rows|physical_reads|consistent_gets|current_gets|"
	    "p50_s|p95_s|p99_s|max_s|first_s|last_s|text\n"
	    ROW_A
	    "b.trc|1|?5|||||||1|0|0|1.500000|1.000000|1.500000|1.000000|"
	    "0.500000||0.000000|2.000000|0.000000|0.000000|0.000000|15.00|0|"
	    "0|0|0|||||||\n"
	    "b.trc|1|0abc|0abc||d:0123|999|92|1|0|0|0|0.500000|0.000000|"
	    "0.500000|0.000000|0.500000||0.000000|0.500000|0.000000|0.000000|"
	    "0.000000|5.00|0|0|0|0|||||||\"\"\n"
	    ROW_BETWEEN ROWS_REST);
}

/* What is beyond the top stays in the sum: 1.5 + 0.5 s of self. */
static void
test_top_statements(void **state)
{
	struct world *w = *state;

	w->ctx.opt.top = 1;
	expect_rows(w, "statements",
	    ROW_A
	    "b.trc|1|other||||||1|1|0|0|2.000000|1.000000|2.000000|1.000000|"
	    "1.000000||0.000000|2.500000|0.000000|0.000000|0.000000|20.00|0|"
	    "0|0|0|||||||\n"
	    ROW_BETWEEN ROWS_REST);
}

static void
test_texts(void **state)
{
	expect_table(*state, "texts",
	    "statement|sql_id|hash_value|digest|text_bytes|complete|altered|"
	    "text\n"
	    "0abc|0abc||d:0123|77|0|1|\"\"\n"
	    A "|" A "|4294967295||18|1|0|select 1\nfrom dual\n");
}

static void
test_statement_calls(void **state)
{
	struct world *w = *state;
	uint32_t parse = name_id(w, "PARSE"), fetch = name_id(w, "FETCH"),
	    exec = name_id(w, "EXEC");
	struct pp_call_cell k[] = {
		{.session = 0, .stmt = PP_STMT_NONE, .call = exec},
		{.session = 2, .stmt = w->stmt_b, .call = exec},
		{.session = 2, .stmt = w->stmt_a, .call = parse},
		{.session = 2, .stmt = w->stmt_a, .call = fetch},
		{.session = 2, .stmt = w->stmt_a, .call = exec},
		{.session = 1, .stmt = w->stmt_a, .call = exec},
	};

	world_sums(&k[0].sums, 7, 299, 299, 299, 299, 0, 0);
	world_sums(&k[1].sums, 1, 9, 8, 7, 6, 2, -1);
	world_sums(&k[2].sums, 2, 40, 0, 40, 0, 0, 40);
	k[2].sums.misses = 1;
	world_sums(&k[3].sums, 3, 40, 1, 2, 3, 4, -5);
	k[3].sums.p = 6;
	k[3].sums.cr = 7;
	k[3].sums.cu = 8;
	k[3].sums.self_p = 5;
	k[3].sums.self_cr = -1;
	k[3].sums.self_cu = 4;
	k[3].sums.rows = UINT64_MAX;
	world_sums(&k[4].sums, 1, 3000000, 0, 0, 0, 0, 0);
	w->a.calls = k;
	w->a.ncalls = 6;
	expect_table(w, "statement_calls",
	    "source|session|statement|sql_id|call|count|elapsed_s|cpu_s|"
	    "self_s|self_cpu_s|self_wait_s|self_queue_s|self_unaccounted_s|"
	    "physical_reads|consistent_gets|current_gets|"
	    "self_physical_reads|self_consistent_gets|self_current_gets|"
	    "misses|rows\n"
	    "b.trc|1|" A "|" A "|EXEC|1|3.000000|0.000000|0.000000|0.000000|"
	    "0.000000||0.000000|0|0|0|0|0|0|0|0\n"
	    "b.trc|1|" A "|" A "|FETCH|3|0.000040|0.000001|0.000002|0.000003|"
	    "0.000004||-0.000005|6|7|8|5|-1|4|0|18446744073709551615\n"
	    "b.trc|1|" A "|" A "|PARSE|2|0.000040|0.000000|0.000040|0.000000|"
	    "0.000000||0.000040|0|0|0|0|0|0|1|0\n"
	    "b.trc|1|?5||EXEC|1|0.000009|0.000008|0.000007|0.000006|0.000002|"
	    "|-0.000001|0|0|0|0|0|0|0|0\n"
	    "b.trc|2|" A "|" A "|EXEC|0|0.000000|0.000000|0.000000|0.000000|"
	    "0.000000|0.000000|0.000000|0|0|0|0|0|0|0|0\n"
	    "old.trc|1|(no statement)||EXEC|7|2.99|2.99|2.99|2.99|0.00||"
	    "0.00|0|0|0|0|0|0|0|0\n");
	w->a.calls = NULL;
	w->a.ncalls = 0;
}

static void
test_statement_events(void **state)
{
	expect_table(*state, "statement_events",
	    "source|session|statement|sql_id|event|class|place|time_s|count|"
	    "avg_s|max_s\n"
	    "b.trc|1|" A "|" A "|" CLIENT "|idle|between|4.000000|2|2.000000|"
	    "2.500000\n"
	    "b.trc|1|" A "|" A "|CPU EXEC|cpu|call|1.000000|1|1.000000|"
	    "1.000000\n"
	    "b.trc|1|" A "|" A "|" READ "|wait|call|1.000000|1|1.000000|"
	    "1.000000\n"
	    "b.trc|1|" A "|" A "|unaccounted-for|unaccounted|call|-0.500000|"
	    "||\n"
	    "b.trc|1|?5||" CLIENT "|idle|between|2.000000|1|2.000000|"
	    "2.000000\n"
	    "b.trc|1|?5||CPU EXEC|cpu|call|1.000000|1|1.000000|1.000000\n"
	    "b.trc|1|?5||" READ "|wait|call|0.500000|1|0.500000|0.500000\n"
	    "b.trc|1|0abc|0abc|" CLIENT "|wait|between|0.500000|1|0.500000|"
	    "0.500000\n"
	    "b.trc|1|0abc|0abc|" READ "|wait|call|0.500000|1|0.500000|"
	    "0.500000\n"
	    "b.trc|1|(between calls)||unaccounted-for|unaccounted|between|"
	    "0.000000|||\n"
	    "b.trc|2|" A "|" A "|CPU EXEC|cpu|call|0.100000|1|0.100000|"
	    "0.100000\n"
	    "old.trc|1|(no statement)||CPU PARSE|cpu|call|2.99|7|0.427143|"
	    "1.00\n"
	    "old.trc|1|(between calls)||unaccounted-for|unaccounted|between|"
	    "0.01|||\n");
}

static void
test_statement_pivot(void **state)
{
	struct world *w = *state;

	/* a statement without any event has a row as well */
	world_stmt(w, 0, w->stmt_c)->sums.self = -1;
	expect_table(w, "statement_pivot",
	    "source|session|statement|sql_id|digest|" CLIENT "|CPU PARSE|"
	    "CPU EXEC|" READ "|unaccounted-for\n"
	    "b.trc|1|" A "|" A "||4.000000|0.000000|1.000000|1.000000|"
	    "-0.500000\n"
	    "b.trc|1|?5|||2.000000|0.000000|1.000000|0.500000|0.000000\n"
	    "b.trc|1|0abc|0abc|d:0123|0.500000|0.000000|0.000000|0.500000|"
	    "0.000000\n"
	    "b.trc|1|(between calls)|||0.000000|0.000000|0.000000|0.000000|"
	    "0.000000\n"
	    "b.trc|2|" A "|" A "||0.000000|0.000000|0.100000|0.000000|"
	    "0.000000\n"
	    "old.trc|1|(no statement)|||0.00|2.99|0.00|0.00|0.00\n"
	    "old.trc|1|0abc|0abc|d:0123|0.00|0.00|0.00|0.00|0.00\n"
	    "old.trc|1|(between calls)|||0.00|0.00|0.00|0.00|0.01\n");
}

/*
 * 27 events: the 24 largest get columns, the rest is `other`.  Columns are
 * told apart ignoring case, also from the fixed ones.
 */
static void
test_wide_names(void **state)
{
	static const char *const name[] = {"Other", "SESSION", "sql_id",
		"lock", "LOCK", "Lock", "tab\there", ""};
	struct world *w = *state;
	char buf[16];
	uint32_t e;

	w->a.nevents = w->a.nbuckets = w->a.nstmts = 0;
	for (int i = 0; i < 27; i++) {
		snprintf(buf, sizeof(buf), "e%02d", i);
		e = world_event(w, 1, i < 8 ? name[i] : buf, PP_CLASS_WAIT, 1,
		    100 - i, 0, 0);
		world_bucket(w, w->stmt_a, e, PP_PLACE_CALL, 1, 100 - i, 0);
	}
	expect_table(w, "statement_pivot",
	    "source|session|statement|sql_id|digest|Other (2)|SESSION (2)|"
	    "sql_id (2)|lock|LOCK (2)|Lock (3)|tab?here|?|e08|e09|e10|e11|"
	    "e12|e13|e14|e15|e16|e17|e18|e19|e20|e21|e22|e23|other\n"
	    "b.trc|2|" A "|" A "||0.000100|0.000099|0.000098|0.000097|"
	    "0.000096|0.000095|0.000094|0.000093|0.000092|0.000091|0.000090|"
	    "0.000089|0.000088|0.000087|0.000086|0.000085|0.000084|0.000083|"
	    "0.000082|0.000081|0.000080|0.000079|0.000078|0.000077|"
	    "0.000225\n");
}

static void
test_gaps(void **state)
{
	struct world *w = *state;
	struct pp_session_sums *s = w->a.sums;
	struct pp_gap three[3], one;

	s[2].ngaps = 3;
	s[2].gap = three;
	s[2].gap[0] = (struct pp_gap){.after_line = 5, .before_line = 6,
		.start = 6000000, .end = 6100000, .time = 50000,
		.place = PP_PLACE_CALL, .stmt = w->stmt_a};
	s[2].gap[1] = (struct pp_gap){.after_line = 9, .before_line = 0,
		.start = 2000000, .end = 2050000, .time = 50000,
		.place = PP_PLACE_BETWEEN, .stmt = PP_STMT_BETWEEN};
	s[2].gap[2] = (struct pp_gap){.after_line = 1, .before_line = 2,
		.start = 3000000, .end = 3050001, .time = 50001,
		.place = PP_PLACE_CALL, .stmt = PP_STMT_NONE};
	s[0].ngaps = 1;
	s[0].gap = &one;
	s[0].gap[0] = (struct pp_gap){.before_line = 4000000000u,
		.start = 100, .end = 101, .time = 1,
		.place = PP_PLACE_BETWEEN, .stmt = PP_STMT_BETWEEN};
	expect_table(w, "gaps",
	    "source|session|after_line|before_line|start_s|end_s|start_at|"
	    "time_s|place|statement\n"
	    "b.trc|1|1|2|2.000000|2.050001|2024-03-26T18:41:09.000000+01:00|"
	    "0.050001|call|(no statement)\n"
	    "b.trc|1|9||1.000000|1.050000|2024-03-26T18:41:08.000000+01:00|"
	    "0.050000|between|(between calls)\n"
	    "b.trc|1|5|6|5.000000|5.100000|2024-03-26T18:41:12.000000+01:00|"
	    "0.050000|call|" A "\n"
	    "old.trc|1||4000000000|0.00|0.01||0.01|between|"
	    "(between calls)\n");
}

/* Bucket bounds near 0: one a tick; the negative one ends below 0. */
static void
test_histogram(void **state)
{
	expect_table(*state, "histogram",
	    "source|session|event|from_s|to_s|count|time_s|digest|schema\n"
	    "b.trc|1|" CLIENT "||-0.000001|1|-0.000003||\n"
	    "b.trc|1|" CLIENT "|0.000042|0.000042|2|0.000084||\n"
	    "b.trc|1|" READ "|0.478631|0.501187|2|1.000000||\n"
	    "b.trc|1|" READ "|1.000000|1.047128|1|1.000000||\n");
}

static void
test_problems(void **state)
{
	struct world *w = *state;
	struct pp_diag *d = &w->m.diag;

	pp_diag_tell(d, PP_MSG_UNREADABLE, 0, UINT64_MAX, "no such file");
	pp_diag_file(d, 1, "old.trc");
	pp_diag_tell(d, PP_MSG_CUT_RECORD, 9, 400, "ninth line");
	pp_diag_file(d, 0, "b.trc");
	pp_diag_tell_n(d, PP_MSG_ORPHANS, 0, UINT64_MAX, 12, "no place");
	pp_diag_tell(d, PP_MSG_NOISE, 7, 90, "second");
	pp_diag_tell(d, PP_MSG_CUT_RECORD, 7, 80, "first");
	expect_table(w, "problems",
	    "severity|source|line|offset|id|count|message\n"
	    "warning|b.trc|7|80|cut-record|1|first\n"
	    "notice|b.trc|7|90|noise|1|second\n"
	    "notice|b.trc|||orphans|12|no place\n"
	    "warning|old.trc|9|400|cut-record|1|ninth line\n"
	    "error||||unreadable|1|no such file\n");
}

/* More rows than a batch holds, and a sink that fails at the first. */
static void
test_batches(void **state)
{
	struct world *w = *state;
	struct text_sink t;
	char name[24];
	size_t lines = 0;

	w->a.nevents = 0;
	for (int i = 0; i < 2 * PP_BATCH_ROWS + 5; i++) {
		snprintf(name, sizeof(name), "event %d", i);
		world_event(w, 2, name, PP_CLASS_WAIT, 1, i, i, i);
	}
	text_sink_init(&t);
	assert_int_equal(pp_report_profile.emit(&w->ctx, &t.sink), PP_OK);
	for (const char *p = t.text; (p = strchr(p, '\n')) != NULL; p++)
		lines++;
	assert_int_equal(lines, 2 * PP_BATCH_ROWS + 6);
	assert_non_null(strstr(t.text, "|1|event 2052|"));
	free(t.text);

	text_sink_init(&t);
	t.answer = PP_FATAL;
	assert_int_equal(pp_report_profile.emit(&w->ctx, &t.sink), PP_FATAL);
	free(t.text);
}

/* Every table of a run without any input has its header and no row. */
static void
test_nothing(void **state)
{
	const struct pp_report *const *all;
	struct world w;
	size_t n;

	(void)state;
	world_open(&w);
	all = pp_reports(&n);
	for (size_t i = 0; i < n; i++) {
		struct text_sink t;

		if (all[i]->emit == NULL)
			continue;
		text_sink_init(&t);
		assert_int_equal(all[i]->emit(&w.ctx, &t.sink), PP_OK);
		assert_int_equal(t.begun, 1);
		assert_int_equal(t.ended, 1);
		assert_ptr_equal(strchr(t.text, '\n'), t.text + t.n - 1);
		free(t.text);
	}
	pp_mem_free_all(&w.mem);
}

/* Emit report i of a fresh world with `grants` allocations; true when they
 * were enough. */
static bool
emit_within(size_t i, long grants)
{
	const struct pp_report *const *all;
	struct text_sink *t = malloc(sizeof(*t));
	void *state = NULL;
	volatile bool done = false;
	struct world *w;
	jmp_buf trap;
	size_t n;

	assert_non_null(t);
	all = pp_reports(&n);
	world_setup(&state);
	w = state;
	text_sink_init(t);
	if (setjmp(trap) == 0) {
		w->mem.trap = &trap;
		w->mem.fail_after = grants;
		all[i]->emit(&w->ctx, &t->sink);
		done = true;
	}
	world_teardown(&state);
	free(t->text);
	free(t);
	return done;
}

/* Whichever allocation is refused, the run ends at its trap. */
static void
test_refused_memory(void **state)
{
	const struct pp_report *const *all;
	size_t n;

	(void)state;
	all = pp_reports(&n);
	for (size_t i = 0; i < n; i++) {
		long grants = 0;

		if (all[i]->emit == NULL)
			continue;
		while (!emit_within(i, grants))
			grants++;
		assert_true(grants > 3);
	}
}

/* A session whose slices were never asked for has no timeline, but rows. */
static void
test_without_axis(void **state)
{
	struct world *w = *state;

	w->a.axis_of = NULL;
	expect_rows(w, "timeline", "");
	expect_rows(w, "timeline_pivot", "");
	expect_rows(w, "cube", "");
	w->m.nsessions = 1;
	expect_rows(w, "sessions",
	    "old.trc|1||||||||||0.00|3.00|3.00|7|0|0|0\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, world_setup, world_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_sources),
		TEST(test_ticks),
		TEST(test_sessions),
		TEST(test_session_sources),
		TEST(test_profile),
		TEST(test_rounding),
		TEST(test_tree),
		TEST(test_statements),
		TEST(test_top_statements),
		TEST(test_texts),
		TEST(test_statement_calls),
		TEST(test_statement_events),
		TEST(test_statement_pivot),
		TEST(test_wide_names),
		TEST(test_gaps),
		TEST(test_histogram),
		TEST(test_problems),
		TEST(test_batches),
		TEST(test_nothing),
		TEST(test_without_axis),
		cmocka_unit_test(test_refused_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
