/*
 * test_report_time.c: the tables with a time axis, of the accounts put
 * together in report_world.h; every row is worked out by hand.
 */
#include "report_world.h"

#define AT1 "2024-03-26T18:41:07.000000+01:00"
#define AT2 "2024-03-26T18:41:09.500000+01:00"
#define AT3 "2024-03-26T18:41:12.000000+01:00"
#define AT4 "2024-03-26T18:41:14.500000+01:00"

static void
test_timeline(void **state)
{
	struct world *w = *state;

#define I1 "b.trc|1|1|0.000000|2.500000|" AT1 "|"
#define I2 "b.trc|1|2|2.500000|5.000000|" AT2 "|"
#define I3 "b.trc|1|3|5.000000|7.500000|" AT3 "|"
#define I4 "b.trc|1|4|7.500000|10.000000|" AT4 "|"
	expect_table(w, "timeline",
	    "source|session|interval|start_s|end_s|start_at|event|class|"
	    "time_s|count\n"
	    I1 CLIENT "|idle|1.400000|0\n"
	    I1 "CPU EXEC|cpu|0.600000|0\n"
	    I1 READ "|wait|0.500000|1\n"
	    I1 "unaccounted-for|unaccounted|0.000000|\n"
	    I2 CLIENT "|idle|1.100000|1\n"
	    I2 "CPU EXEC|cpu|0.400000|1\n"
	    I2 READ "|wait|1.000000|1\n"
	    I2 "unaccounted-for|unaccounted|0.000000|\n"
	    I3 CLIENT "|idle|2.500000|1\n"
	    I3 CLIENT "|wait|0.500000|1\n"
	    I3 "unaccounted-for|unaccounted|-0.500000|\n"
	    I4 CLIENT "|idle|1.000000|1\n"
	    I4 "CPU EXEC|cpu|1.000000|1\n"
	    I4 READ "|wait|0.500000|1\n"
	    I4 "unaccounted-for|unaccounted|0.000000|\n"
	    "b.trc|2|1|0.000000|2.500000||CPU EXEC|cpu|0.100000|1\n"
	    "b.trc|2|1|0.000000|2.500000||unaccounted-for|unaccounted|"
	    "0.000000|\n"
	    "old.trc|1|1|0.00|1.00||CPU PARSE|cpu|1.00|3\n"
	    "old.trc|1|1|0.00|1.00||unaccounted-for|unaccounted|0.00|\n"
	    "old.trc|1|2|1.00|2.00||CPU PARSE|cpu|1.00|2\n"
	    "old.trc|1|2|1.00|2.00||unaccounted-for|unaccounted|0.00|\n"
	    "old.trc|1|3|2.00|3.00||CPU PARSE|cpu|0.99|2\n"
	    "old.trc|1|3|2.00|3.00||unaccounted-for|unaccounted|0.01|\n");
}

/* Columns by falling total over all: idle and wait of a name are one. */
static void
test_timeline_pivot(void **state)
{
	struct world *w = *state;

	expect_table(w, "timeline_pivot",
	    "source|session|interval|start_s|end_s|start_at|" CLIENT "|"
	    "CPU PARSE|CPU EXEC|" READ "|unaccounted-for\n"
	    I1 "1.400000|0.000000|0.600000|0.500000|0.000000\n"
	    I2 "1.100000|0.000000|0.400000|1.000000|0.000000\n"
	    I3 "3.000000|0.000000|0.000000|0.000000|-0.500000\n"
	    I4 "1.000000|0.000000|1.000000|0.500000|0.000000\n"
	    "b.trc|2|1|0.000000|2.500000||0.000000|0.000000|0.100000|"
	    "0.000000|0.000000\n"
	    "old.trc|1|1|0.00|1.00||0.00|1.00|0.00|0.00|0.00\n"
	    "old.trc|1|2|1.00|2.00||0.00|1.00|0.00|0.00|0.00\n"
	    "old.trc|1|3|2.00|3.00||0.00|0.99|0.00|0.00|0.01\n");
}

/*
 * The first session ends on an inner edge, where the last event is counted;
 * one that lies inside the third interval has rows in that one alone.
 */
static void
test_intervals_met(void **state)
{
	struct world *w = *state;
	uint32_t e;

	w->a.nevents = w->a.nbuckets = 0;
	w->m.sessions[2].end = 6000000;
	e = world_event(w, 2, "x", PP_CLASS_WAIT, 1, 0, 0, 0);
	world_slice(w, world_bucket(w, w->stmt_a, e, PP_PLACE_CALL, 1, 0, 0),
	    2, 0, 1);
	world_event(w, 2, "unaccounted-for", PP_CLASS_UNACCOUNTED, 0, 0, 0,
	    0);
	w->m.sessions[1].start = w->m.sessions[1].end = 6000001;
	world_event(w, 1, "unaccounted-for", PP_CLASS_UNACCOUNTED, 0, 0, 0,
	    0);
	w->m.sessions[2].has_anchor = false;
	expect_rows(w, "timeline",
	    "b.trc|1|1|0.000000|2.500000||unaccounted-for|unaccounted|"
	    "0.000000|\n"
	    "b.trc|1|2|2.500000|5.000000||unaccounted-for|unaccounted|"
	    "0.000000|\n"
	    "b.trc|1|3|5.000000|7.500000||unaccounted-for|unaccounted|"
	    "0.000000|\n"
	    "b.trc|1|3|5.000000|7.500000||x|wait|0.000000|1\n"
	    "b.trc|2|3|5.000000|7.500000||unaccounted-for|unaccounted|"
	    "0.000000|\n");
}

#define C1 "b.trc|1|1|0.000000|"
#define C2 "b.trc|1|2|2.500000|"
#define C3 "b.trc|1|3|5.000000|"
#define C4 "b.trc|1|4|7.500000|"
#define A "7ws837zynp1zv"
#define CUBE_REST \
	"b.trc|2|1|0.000000|CPU EXEC|cpu|" A "||0.100000|1\n" \
	"old.trc|1|1|0.00|CPU PARSE|cpu|(no statement)||1.00|3\n" \
	"old.trc|1|2|1.00|CPU PARSE|cpu|(no statement)||1.00|2\n" \
	"old.trc|1|3|2.00|CPU PARSE|cpu|(no statement)||0.99|2\n" \
	"old.trc|1|3|2.00|unaccounted-for|unaccounted|(between calls)||" \
	"0.01|\n"

static void
test_cube(void **state)
{
	struct world *w = *state;

	expect_table(w, "cube",
	    "source|session|interval|start_s|event|class|statement|digest|"
	    "time_s|count\n"
	    C1 CLIENT "|idle|" A "||1.400000|0\n"
	    C1 "CPU EXEC|cpu|" A "||0.600000|0\n"
	    C1 READ "|wait|0abc|d:0123|0.500000|1\n"
	    C2 CLIENT "|idle|" A "||1.100000|1\n"
	    C2 "CPU EXEC|cpu|" A "||0.400000|1\n"
	    C2 READ "|wait|" A "||1.000000|1\n"
	    C3 CLIENT "|idle|" A "||1.500000|1\n"
	    C3 CLIENT "|idle|?5||1.000000|0\n"
	    C3 CLIENT "|wait|0abc|d:0123|0.500000|1\n"
	    C3 "unaccounted-for|unaccounted|" A "||-0.500000|\n"
	    C4 CLIENT "|idle|?5||1.000000|1\n"
	    C4 "CPU EXEC|cpu|?5||1.000000|1\n"
	    C4 READ "|wait|?5||0.500000|1\n"
	    CUBE_REST);
	/* 18 rows fit a limit of 18 */
	w->ctx.opt.cube_rows = 18;
	expect_rows(w, "cube",
	    C1 CLIENT "|idle|" A "||1.400000|0\n"
	    C1 "CPU EXEC|cpu|" A "||0.600000|0\n"
	    C1 READ "|wait|0abc|d:0123|0.500000|1\n"
	    C2 CLIENT "|idle|" A "||1.100000|1\n"
	    C2 "CPU EXEC|cpu|" A "||0.400000|1\n"
	    C2 READ "|wait|" A "||1.000000|1\n"
	    C3 CLIENT "|idle|" A "||1.500000|1\n"
	    C3 CLIENT "|idle|?5||1.000000|0\n"
	    C3 CLIENT "|wait|0abc|d:0123|0.500000|1\n"
	    C3 "unaccounted-for|unaccounted|" A "||-0.500000|\n"
	    C4 CLIENT "|idle|?5||1.000000|1\n"
	    C4 "CPU EXEC|cpu|?5||1.000000|1\n"
	    C4 READ "|wait|?5||0.500000|1\n"
	    CUBE_REST);
}

/*
 * With room for 17 all three statements fold: whatever is kept, the rest
 * may need a row for each of its cells.  The fixed rows stay.
 */
static void
test_cube_folded(void **state)
{
	struct world *w = *state;

	w->ctx.opt.cube_rows = 17;
	expect_rows(w, "cube",
	    C1 CLIENT "|idle|other||1.400000|0\n"
	    C1 "CPU EXEC|cpu|other||0.600000|0\n"
	    C1 READ "|wait|other||0.500000|1\n"
	    C2 CLIENT "|idle|other||1.100000|1\n"
	    C2 "CPU EXEC|cpu|other||0.400000|1\n"
	    C2 READ "|wait|other||1.000000|1\n"
	    C3 CLIENT "|idle|other||2.500000|1\n"
	    C3 CLIENT "|wait|other||0.500000|1\n"
	    C3 "unaccounted-for|unaccounted|other||-0.500000|\n"
	    C4 CLIENT "|idle|other||1.000000|1\n"
	    C4 "CPU EXEC|cpu|other||1.000000|1\n"
	    C4 READ "|wait|other||0.500000|1\n"
	    "b.trc|2|1|0.000000|CPU EXEC|cpu|other||0.100000|1\n"
	    "old.trc|1|1|0.00|CPU PARSE|cpu|(no statement)||1.00|3\n"
	    "old.trc|1|2|1.00|CPU PARSE|cpu|(no statement)||1.00|2\n"
	    "old.trc|1|3|2.00|CPU PARSE|cpu|(no statement)||0.99|2\n"
	    "old.trc|1|3|2.00|unaccounted-for|unaccounted|(between calls)||"
	    "0.01|\n");
}

/* Ten statements of one event in one interval: the two largest are kept. */
static void
test_cube_keeps_the_large(void **state)
{
	struct world *w = *state;
	char id[8];
	uint32_t e;

	w->a.nevents = w->a.nbuckets = w->a.nstmts = 0;
	e = world_event(w, 1, "x", PP_CLASS_WAIT, 55, 55, 1, 10);
	for (unsigned i = 1; i <= 10; i++) {
		struct pp_bucket *b;
		uint32_t stmt;

		snprintf(id, sizeof(id), "?%u", 100 + i);
		stmt = pp_model_stmt(&w->m, pp_str_from(id));
		b = world_bucket(w, stmt, e, PP_PLACE_CALL, i, i, 1);
		world_slice(w, b, 0, (int64_t)i, i);
		world_stmt(w, 1, stmt)->sums.self = i;
	}
	w->ctx.opt.cube_rows = 3;
	expect_rows(w, "cube",
	    "b.trc|2|1|0.000000|x|wait|?110||0.000010|10\n"
	    "b.trc|2|1|0.000000|x|wait|?109||0.000009|9\n"
	    "b.trc|2|1|0.000000|x|wait|other||0.000036|36\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, world_setup, world_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_timeline),
		TEST(test_timeline_pivot),
		TEST(test_intervals_met),
		TEST(test_cube),
		TEST(test_cube_folded),
		TEST(test_cube_keeps_the_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
