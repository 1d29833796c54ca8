/*
 * test_showprofile_out.c: SHOW PROFILE on its way out: states moved by a row,
 * runs, names, texts, raw events, the bytes of kept rows, and what happens
 * where memory or the log ends.
 *
 * Right values: by hand.
 */
#include "showprofile_world.h"

#define PROFILE "event,class,time_s,share_pct,count"
#define STAGES "session,query_id,seq,state,start_s,duration_s,flags"

/* ----------------------------------------------------------------- shift */

/* Case R47: durations one row too late. */
static void
test_shift(void **state)
{
	struct profile_world *x = *state;

	x->w.m.shift_states = true;
	profile(x, 1, "checking permissions|0.000027\n"
	    "Opening table|0.000055\nAfter create|0.041850\n"
	    "copy to tmp table|7.258000\nrename result table|0.000068\n");
	expect(x, "stages", "state,start_s,duration_s",
	    "checking permissions|0.000027|0.000055\n"
	    "Opening table|0.000082|0.041850\n"
	    "After create|0.041932|7.258000\n"
	    "copy to tmp table|7.299932|0.000068\n"
	    "rename result table|7.300000|\n");
	expect(x, "profile", "event,class,time_s",
	    "After create|stage|7.258000\nOpening table|stage|0.041850\n"
	    "copy to tmp table|stage|0.000068\n"
	    "checking permissions|stage|0.000055\n"
	    "(not recorded)|missing|0.000027\n");
	expect(x, "sessions", "span_s", "7.300000\n");
}

/* Counters move with their durations, lost time stays at the end. */
static void
test_shift_counters(void **state)
{
	struct profile_world *x = *state;
	struct around a = {.statement = "SHOW PROFILE SWAPS FOR QUERY 1"};

	x->w.m.shift_states = true;
	list(x, "1|0.00100000|select 1\n");
	feed(x, &a, "Status|Duration|Swaps|Source_line",
	    "init|0.000100|1|10\nend|0.000200|2|20\n");
	expect(x, "stages", "state,duration_s,swaps,from_line,to_line",
	    "init|0.00020000|2|10|20\nend|||20|\n");
	expect(x, "profile", "event,time_s",
	    "lost time|0.00070000\ninit|0.00020000\n"
	    "(not recorded)|0.00010000\n");
}

/* -------------------------------------------------------------- statements */

/* Two runs of a query stand side by side; an absent state is no 0. */
static void
test_runs(void **state)
{
	struct profile_world *x = *state;

	list(x, "1|0.00030000|select 1\n2|0.00010000|alter table t add key(a)"
	    "\n3|0.00020000|select 1\n");
	profile(x, 1, "init|0.000100\nSorting result|0.000200\n");
	profile(x, 3, "init|0.000200\n");
	expect(x, "statement_pivot",
	    "(not recorded),Sorting result,init",
	    "|0.00020000|0.00010000\n||0.00020000\n0.00010000||\n"
	    "||\n");
	expect(x, "statements", "command,executions,elapsed_s,p50_s,max_s",
	    "SELECT|2|0.00050000|0.00020892|0.00030000\n"
	    "ALTER TABLE|1|0.00010000|0.00010000|0.00010000\n"
	    "|0|0.00000000||\n");
	expect(x, "statement_events", "event,class,time_s,count,max_s",
	    "init|stage|0.00030000|2|0.00020000\n"
	    "Sorting result|stage|0.00020000|1|0.00020000\n"
	    "(not recorded)|missing|0.00010000|1|0.00010000\n");
}

/* Names are equal ignoring case, in 30 bytes, without the prefix. */
static void
test_names(void **state)
{
	struct profile_world *x = *state;

	profile(x, 1, "Init|0.000100\ninit |0.000200\n"
	    "Executing hook on transaction |0.000010\n");
	feed(x, NULL, "event_name|wait_ms",
	    "stage/sql/INIT|12.4050\n"
	    "stage/sql/Executing hook on transaction begin.|0.5\n");
	expect(x, "profile", "event,time_s,count",
	    "Init|0.012705|3\n"
	    "Executing hook on transaction|0.000510|2\n");
}

static void
test_texts(void **state)
{
	struct profile_world *x = *state;
	char rows[1024], text[301];

	memset(text, 'x', 300);
	text[300] = '\0';
	snprintf(rows, sizeof(rows), "1|0.1|%s\n2|0.1|%.299s\n3|0.1|%.296s"
	    "\xe6\x9d\n4|0.1|\\N\n", text, text, text);
	list(x, rows);
	expect(x, "texts", "text_bytes,complete",
	    "300|0\n299|1\n298|0\n");
	expect(x, "statements", "statement", "?4\n"
	    "s:0d4e2ca9e9cbced7\ns:17b8309d28400639\ns:b17b53881de00f44\n"
	    "(between calls)\n");
	assert_int_equal(told(x, PP_MSG_QUERY_CUT), 2);
}

/* ---------------------------------------------------------------- events */

static void
see_line(void *arg, const struct pp_occurrence *o)
{
	char *out = arg;

	sprintf(out + strlen(out), "%llu %llu %s %lld %lld %lld\n",
	    (unsigned long long)o->id, (unsigned long long)o->parent,
	    pp_occ_kind_name(o->kind), (long long)o->start,
	    (long long)o->elapsed, (long long)o->self);
}

static void
test_events(void **state)
{
	struct profile_world *x = *state;
	char out[1024] = "";

	list(x, "1|0.00030000|select 1\n2|0.00010000|select 2\n");
	profile(x, 1, "init|0.000100\nend|0.000150\n");
	finish(x);
	assert_int_equal(pp_account_forward(&x->w.a, see_line, out), PP_OK);
	assert_string_equal(out,
	    "1 4 stage 0 10000 10000\n"
	    "2 4 stage 10000 15000 15000\n"
	    "3 4 gap 25000 5000 5000\n"
	    "4 0 statement 0 30000 0\n"
	    "5 6 gap 30000 10000 10000\n"
	    "6 0 statement 30000 10000 0\n");
}

/* ---------------------------------------------------------------- helpers */

/* Rows survive their way through bytes. */
static void
test_stage_bytes(void **state)
{
	struct profile_world *x = *state;
	struct pp_stage in = {.kind = PP_STAGE_SUM, .has = 0x3fff, .name = 7,
		.flags = 9, .count = UINT64_MAX, .start = INT64_MIN,
		.duration = INT64_MAX, .cpu_user = -1, .cpu_system = 5,
		.counter = {0, 1, UINT64_MAX, 3, 4, 5, 6, 7, 1u << 31},
		.from_function = 1, .to_file = UINT32_MAX, .from_line = 12,
		.to_line = UINT64_MAX}, out;
	struct pp_query *q = pp_model_query(&x->w.m);
	struct pp_stage_reader r;
	char *piece = NULL;
	size_t n = 0, cap = 0, i;

	for (i = 0; i < 3; i++)
		pp_stage_put(&x->w.mem, &piece, &n, &cap, &in);
	pp_model_stages(&x->w.m, q, (pp_str){piece, n});
	pp_model_stages(&x->w.m, q, (pp_str){piece, n});
	pp_stage_open(&r, &x->w.m, q);
	for (i = 0; pp_stage_next(&r, &out); i++)
		assert_memory_equal(&in, &out, sizeof(in));
	assert_int_equal(i, 6);
}

/* ------------------------------------------------------------------- memory */

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

static void
scenario(struct profile_world *x)
{
	char rows[8192];

	list(x, "1|0.00171625|select 1\n2|0.1|select 2\n");
	profile(x, 1, many(rows, 100, 0));
	feed(x, NULL, "QUERY_ID|SEQ|STATE|DURATION|SWAPS|SOURCE_FUNCTION",
	    "2|3|end|0.01|4294967295|f\n2|2|init|0.02|1|g\n");
	profile(x, 1, "init|0.5\n");
	finish(x);
}

/* An allocation that is refused ends the run where it stands, and nothing
 * more. */
static void
test_memory_ends(void **state)
{
	volatile long grant = 0;

	(void)state;
	for (;; grant++) {
		struct profile_world *volatile x = profile_world_open();
		jmp_buf trap;
		volatile bool ended = true;

		if (setjmp(trap) == 0) {
			x->w.mem.trap = &trap;
			x->w.mem.fail_after = grant;
			scenario(x);
			ended = false;
		}
		x->w.mem.fail_after = -1;
		profile_world_close(x);
		if (!ended)
			break;
	}
	assert_true(grant > 40);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_shift),
		TEST(test_shift_counters),
		TEST(test_runs),
		TEST(test_names),
		TEST(test_texts),
		TEST(test_events),
		TEST(test_stage_bytes),
		cmocka_unit_test(test_memory_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
