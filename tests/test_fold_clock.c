/*
 * test_fold_clock.c: clocks, waits without tim, damage and recognition in the
 * Oracle reader's fold.  Expected numbers are worked out on paper.
 */
#include <stdlib.h>

#include "fold_world.h"

#define STAMP(at) "*** 2021-05-06 " at "\n"

/* ------------------------------------------------------------------ clock */

static void
test_anchor(void **state)
{
	struct world w;
	struct pp_wall wall;
	char buf[40];

	(void)state;
	world_make(&w, "*** 2021-05-06T07:08:09.000200+05:30 (PDB1(3))\n"
	    CALL("EXEC #1", "0", "10", "0", "80000000100")
	    CALL("EXEC #1", "0", "10", "0", "80000000400"));
	assert_true(w.m.sessions[0].has_anchor);
	assert_int_equal(w.m.sessions[0].anchor_tick, 80000000100);
	assert_true(pp_session_wall(&w.m.sessions[0], 80000000400, &wall));
	buf[pp_wall_format(buf, &wall, 0)] = '\0';
	assert_string_equal(buf, "2021-05-06T07:08:09.000500+05:30");
	assert_str(w.m.sessions[0].container, "PDB1(3)");
	world_end(&w);
}

/* The wall clock at a tick of the first session. */
static const char *
wall_at(struct world *w, int64_t tick, char buf[40])
{
	struct pp_wall wall;

	if (!pp_session_wall(&w->m.sessions[0], tick, &wall))
		return "";
	buf[pp_wall_format(buf, &wall, 0)] = '\0';
	return buf;
}

/* Ticks near one another are as far apart as on the wall clock, up to the
 * edges that are told. */
static void
near_is_straight(const struct pp_session *s, int64_t tick)
{
	struct pp_wall w, x;
	int64_t from, to, at[5], f, t;
	size_t i;

	assert_true(pp_session_wall_near(s, tick, &w, &from, &to));
	if (from == to)
		return;
	assert_true(from <= tick && tick < to);
	f = from < tick - 1000000 ? tick - 1000000 : from;
	t = to > tick + 1000000 ? tick + 1000000 : to;
	at[0] = f;
	at[1] = (f + tick) / 2;
	at[2] = tick;
	at[3] = (tick + t) / 2;
	at[4] = t - 1;
	for (i = 0; i < 5; i++) {
		assert_true(pp_session_wall(s, at[i], &x));
		assert_int_equal(x.us - w.us, at[i] - tick);
		assert_int_equal(x.offset_min, w.offset_min);
		assert_int_equal(x.has_offset, w.has_offset);
	}
}

static void
test_anchors(void **state)
{
	struct world w;
	char buf[40];
	int64_t tick;

	(void)state;
	/* the wall clock is set 2 s ahead; the zone is printed once */
	world_make(&w, "*** 2021-05-06T07:00:00.000000+02:00\n"
	    CALL("EXEC #1", "0", "0", "0", "80000000000")
	    "*** 2021-05-06T07:00:12.000000\n"
	    CALL("EXEC #1", "0", "500", "0", "80010000000")
	    /* what takes long ends at the stamp */
	    "*** 2021-05-06T07:00:20.000000+02:00\n"
	    WAIT("1", "pipe get", "6000000", "80018000000")
	    /* an event before the last one does not move it */
	    "*** 2021-05-06T07:00:21.000000+02:00\n"
	    CALL("EXEC #1", "0", "10", "0", "80017999900"));
	assert_int_equal(w.m.sessions[0].nanchors, 2);
	assert_string_equal(wall_at(&w, 79999999999, buf),
	    "2021-05-06T06:59:59.999999+02:00");
	assert_string_equal(wall_at(&w, 80009999499, buf),
	    "2021-05-06T07:00:09.999499+02:00");
	assert_string_equal(wall_at(&w, 80009999500, buf),
	    "2021-05-06T07:00:12.000000");
	assert_string_equal(wall_at(&w, 80010000000, buf),
	    "2021-05-06T07:00:12.000000");
	assert_string_equal(wall_at(&w, 80017999999, buf),
	    "2021-05-06T07:00:19.999999");
	assert_string_equal(wall_at(&w, 80018000000, buf),
	    "2021-05-06T07:00:20.000000+02:00");
	assert_string_equal(wall_at(&w, 80019000000, buf),
	    "2021-05-06T07:00:21.000000+02:00");
	for (tick = 79999000000; tick < 80020000000; tick += 249750)
		near_is_straight(&w.m.sessions[0], tick);
	world_end(&w);
}

/* 20,000 stamps, one of which sets the wall clock an hour back. */
static void
test_many_anchors(void **state)
{
	struct world w;
	const struct pp_session *s;
	char *text = malloc(20000 * 160), buf[40], line[160];
	size_t n = 0, i;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < 20000; i++) {
		unsigned t = (unsigned)i + 7200;

		if (i >= 5001)
			t -= 3600;
		snprintf(line, sizeof(line), "*** 2021-05-06 %02u:%02u:%02u"
		    ".000\nEXEC #1:c=0,e=0,p=0,cr=0,cu=0,mis=0,r=0,dep=0,"
		    "og=1,tim=%zu\n", t / 3600, t / 60 % 60, t % 60,
		    80000000000 + i * 1000000);
		memcpy(text + n, line, strlen(line) + 1);
		n += strlen(line);
	}
	world_make(&w, text);
	s = &w.m.sessions[0];
	assert_true(s->nanchors > 2000 && s->nanchors <= 4096);
	for (i = 1; i < s->nanchors; i++)
		assert_true(s->anchors[i].tick > s->anchors[i - 1].tick);
	assert_string_equal(wall_at(&w, 80000000000 + 5000500000, buf),
	    "2021-05-06T03:23:20.500000");
	assert_string_equal(wall_at(&w, 80000000000 + 5001500000, buf),
	    "2021-05-06T02:23:21.500000");
	assert_string_equal(wall_at(&w, 80000000000 + 19999000000, buf),
	    "2021-05-06T06:33:19.000000");
	world_end(&w);
	free(text);
}

static void
test_drift(void **state)
{
	struct world w;

	(void)state;
	/* 10 s on the wall, 9.9992 s on the clock */
	world_make(&w, "*** 2021-05-06T07:00:00.000000+00:00\n"
	    CALL("EXEC #1", "0", "0", "0", "80000000000")
	    "*** 2021-05-06T07:00:10.000000+00:00\n"
	    CALL("EXEC #1", "0", "500", "0", "80009999200"));
	assert_int_equal(told(&w, PP_MSG_CLOCK_DRIFT), 1);
	assert_int_equal(w.m.sessions[0].end - w.m.sessions[0].start,
	    9999200);
	assert_string_equal(w.m.sources[0].clock_factor, "1");
	world_end(&w);
	/* stamps of a millisecond cannot tell as much */
	world_make(&w, STAMP("07:00:00.000")
	    CALL("EXEC #1", "0", "0", "0", "80000000000")
	    STAMP("07:00:10.000")
	    CALL("EXEC #1", "0", "500", "0", "80009999200"));
	assert_int_equal(told(&w, PP_MSG_CLOCK_DRIFT), 0);
	world_end(&w);
}

static void
test_1024(void **state)
{
	struct world w;

	(void)state;
	/* 20 s on the wall are 19531250 counts of 1.024 us */
	world_make(&w, STAMP("07:00:00.000")
	    CALL("EXEC #1", "0", "0", "0", "80000000000")
	    STAMP("07:00:20.000")
	    CALL("EXEC #1", "0", "500", "0", "80019531250"));
	assert_string_equal(w.m.sources[0].clock_factor, "1.024");
	assert_true(w.m.sessions[0].scale_1024);
	assert_int_equal(w.m.sessions[0].digits, 6);
	assert_int_equal(w.m.sessions[0].end - w.m.sessions[0].start,
	    19531250);
	assert_int_equal(told(&w, PP_MSG_CLOCK_DRIFT), 0);
	world_end(&w);
	/* 9.7 s are 9472656 */
	world_make(&w, STAMP("07:00:00.000")
	    CALL("EXEC #1", "0", "0", "0", "80000000000")
	    STAMP("07:00:09.700")
	    CALL("EXEC #1", "0", "500", "0", "80009472656"));
	assert_string_equal(w.m.sources[0].clock_factor, "1.024");
	world_end(&w);
	/* 10.2 on Linux: 5.2 s are 5078125; where the clock does not say so,
	 * nothing else does */
	world_make(&w, "Oracle Database 10g Enterprise Edition Release "
	    "10.2.0.4.0 - 64bit Production\n"
	    STAMP("07:00:00.000")
	    CALL("EXEC #1", "0", "0", "0", "80000000000")
	    STAMP("07:00:05.200")
	    CALL("EXEC #1", "0", "500", "0", "80005078125"));
	assert_string_equal(w.m.sources[0].clock_factor, "1.024");
	world_end(&w);
	world_make(&w, "Oracle Database 10g Enterprise Edition Release "
	    "10.2.0.4.0 - 64bit Production\n"
	    STAMP("07:00:00.000")
	    CALL("EXEC #1", "0", "0", "0", "80000000000")
	    STAMP("07:00:05.200")
	    CALL("EXEC #1", "0", "500", "0", "80005200000"));
	assert_string_equal(w.m.sources[0].clock_factor, "1");
	world_end(&w);
	/* 9 s apart is too near to tell a scale: it is a drift */
	world_make(&w, STAMP("07:00:00.000")
	    CALL("EXEC #1", "0", "0", "0", "80000000000")
	    STAMP("07:00:09.000")
	    CALL("EXEC #1", "0", "500", "0", "80008789062"));
	assert_string_equal(w.m.sources[0].clock_factor, "1");
	assert_int_equal(told(&w, PP_MSG_CLOCK_DRIFT), 1);
	world_end(&w);
}

static void
test_wrap(void **state)
{
	struct world w;

	(void)state;
	/* a straggler from before the wrap comes behind it */
	world_make(&w,
	    CALL("EXEC #1", "0", "300", "0", "4294966000")
	    WAIT("1", "db file sequential read", "40", "4294967000")
	    CALL("FETCH #1", "0", "1500", "0", "204")
	    WAIT("1", "db file sequential read", "4", "4294967290")
	    CALL("FETCH #1", "0", "100", "0", "1304"));
	assert_int_equal(nth(&w, PP_EV_FETCH, 0)->ev.end, 4294967500);
	assert_int_equal(nth(&w, PP_EV_WAIT, 1)->ev.end, 4294967290);
	assert_int_equal(nth(&w, PP_EV_WAIT, 1)->ev.flags, PP_EVF_LATE);
	assert_int_equal(nth(&w, PP_EV_FETCH, 1)->ev.end, 4294968600);
	assert_int_equal(w.m.sessions[0].end - w.m.sessions[0].start, 2900);
	assert_int_equal(w.m.sessions[0].digits, 6);
	assert_int_equal(told(&w, PP_MSG_CLOCK_WRAP), 1);
	assert_int_equal(told(&w, PP_MSG_CLOCK_BACK), 0);
	assert_int_equal(count(&w, PP_EV_ERA), 0);
	world_end(&w);
	/* twice, and seen first by a wait */
	world_make(&w,
	    CALL("EXEC #1", "0", "0", "0", "4294967000")
	    WAIT("1", "SQL*Net message from client", "500", "300")
	    CALL("EXEC #1", "0", "0", "0", "4000000000")
	    CALL("EXEC #1", "0", "0", "0", "1000"));
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.end, 4294967596);
	assert_int_equal(nth(&w, PP_EV_EXEC, 2)->ev.end, 8589935592);
	world_end(&w);
}

static void
test_back(void **state)
{
	struct world w;

	(void)state;
	/* 5 ms back nest still; 3 s back do not */
	world_make(&w,
	    CALL("EXEC #1", "0", "10", "1", "80005000000")
	    CALL("EXEC #1", "0", "10", "1", "80004995000")
	    CALL("EXEC #1", "0", "10", "1", "80001995000")
	    CALL("EXEC #1", "0", "10", "1", "80001996000"));
	assert_int_equal(told(&w, PP_MSG_CLOCK_BACK), 2);
	assert_int_equal(count(&w, PP_EV_ERA), 1);
	assert_int_equal(nth(&w, PP_EV_EXEC, 1)->ev.flags, PP_EVF_LATE);
	assert_int_equal(nth(&w, PP_EV_EXEC, 2)->ev.flags, 0);
	assert_int_equal(nth(&w, PP_EV_EXEC, 3)->ev.flags, 0);
	world_end(&w);
}

/* 11.1.0.7: waits by a clock that is 2.4 % slow, calls by the right one. */
static void
test_wait_clock(void **state)
{
	struct world w;

	(void)state;
	world_make(&w,
	    CALL("PARSE #1", "0", "10", "0", "102400000000")
	    WAIT("1", "SQL*Net message to client", "3", "100000000004")
	    WAIT("1", "db file sequential read", "60", "100000000099")
	    CALL("EXEC #1", "0", "100", "0", "102400000120")
	    WAIT("1", "SQL*Net message from client", "500", "100000000702")
	    CALL("FETCH #1", "0", "10", "0", "102400000700"));
	assert_int_equal(count(&w, PP_EV_ERA), 0);
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.flags, PP_EVF_BETWEEN);
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.end, 102400000003);
	assert_int_equal(nth(&w, PP_EV_WAIT, 1)->ev.flags & PP_EVF_OWNER,
	    PP_EVF_OWNER);
	assert_int_equal(nth(&w, PP_EV_WAIT, 1)->ev.end, 102400000120);
	assert_int_equal(nth(&w, PP_EV_WAIT, 2)->ev.end, 102400000620);
	assert_int_equal(w.m.sessions[0].end - w.m.sessions[0].start, 710);
	assert_int_equal(told(&w, PP_MSG_CLOCK_BACK), 1);
	world_end(&w);
	/* a real jump: the call after it stands by the wait */
	world_make(&w,
	    CALL("PARSE #1", "0", "10", "0", "102400000000")
	    WAIT("1", "SQL*Net message from client", "3", "100000000004")
	    CALL("EXEC #1", "0", "100", "0", "100000000120"));
	assert_int_equal(count(&w, PP_EV_ERA), 1);
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.end, 100000000004);
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.flags, 0);
	world_end(&w);
	/* and a long pause is none of this */
	world_make(&w,
	    CALL("PARSE #1", "0", "10", "0", "102400000000")
	    WAIT("1", "SQL*Net message from client", "3", "102500000004")
	    CALL("EXEC #1", "0", "100", "0", "102500000120"));
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.end, 102500000004);
	assert_int_equal(told(&w, PP_MSG_CLOCK_BACK), 0);
	world_end(&w);
}

/* ------------------------------------------------------------- no wait tim */

static void
test_centi(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, CALL("EXEC #1", "1", "2", "0", "50000")
	    OLD_WAIT("1", "SQL*Net message from client", "30")
	    OLD_WAIT("1", "latch free", "12")
	    OLD_WAIT("1", "latch free", "20")
	    CALL("FETCH #1", "300", "9000", "0", "59066"));
	assert_int_equal(w.m.sessions[0].digits, 2);
	assert_true(w.m.sessions[0].depth_decides);
	assert_int_equal(w.m.sources[0].digits, 2);
	assert_int_equal(told(&w, PP_MSG_CLOCK_UNIT), 1);
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.flags, PP_EVF_BETWEEN);
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.end, 50030);
	/* by the running clock they would end at 50042, before the call */
	assert_int_equal(nth(&w, PP_EV_WAIT, 1)->ev.flags, PP_EVF_OWNER);
	assert_int_equal(nth(&w, PP_EV_WAIT, 1)->ev.end, 59046);
	assert_int_equal(nth(&w, PP_EV_WAIT, 2)->ev.end, 59066);
	assert_int_equal(w.m.sessions[0].end - w.m.sessions[0].start, 9068);
	world_end(&w);
}

/* What speaks against ticks of 10 ms. */
static void
test_not_centi(void **state)
{
	static const char *const t[] = {
		/* no waits at all */
		CALL("EXEC #1", "1", "2", "0", "50000")
		CALL("EXEC #1", "1", "2", "0", "51000"),
		/* a wait with its time */
		CALL("EXEC #1", "1", "2", "0", "50000")
		WAIT("1", "latch free", "12", "50100"),
		/* a CLOSE line */
		OLD_WAIT("1", "latch free", "12")
		CALL("EXEC #1", "1", "2", "0", "50000")
		"CLOSE #1:c=0,e=1,dep=0,type=0,tim=50002\n",
		/* times beyond 32 bits */
		OLD_WAIT("1", "latch free", "12")
		CALL("EXEC #1", "1", "2", "0", "5000000000"),
		/* stamps: a million ticks a second */
		STAMP("07:00:00.000") CALL("EXEC #1", "1", "2", "0", "50000")
		OLD_WAIT("1", "latch free", "12")
		STAMP("07:00:03.000") CALL("EXEC #1", "1", "2", "0",
		"3050000"),
		/* the banner of a later release */
		"/a/b.trc\nOracle9i Enterprise Edition Release 9.2.0.6.0 - "
		"Production\n" OLD_WAIT("1", "latch free", "12")
		CALL("EXEC #1", "1", "2", "0", "50000"),
	};
	struct world w;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		world_make(&w, t[i]);
		assert_int_equal(w.m.sessions[0].digits, 6);
		assert_false(w.m.sessions[0].depth_decides);
		world_end(&w);
	}
}

/* 9.2 and 10.1: microseconds, but waits without tim. */
static void
test_untimed(void **state)
{
	struct world w;
	const struct seen *x;

	(void)state;
	world_make(&w,
	    OLD_WAIT("0", "SQL*Net message from client", "70")
	    CALL("PARSE #2", "0", "10", "0", "80000000000")
	    OLD_WAIT("2", "db file sequential read", "100")
	    CALL("FETCH #3", "0", "40", "1", "80000000150")
	    OLD_WAIT("0", "latch free", "20")
	    CALL("EXEC #2", "0", "200", "0", "80000000200")
	    OLD_WAIT("2", "db file scattered read", "30")
	    OLD_WAIT("5", "db file scattered read", "40"));
	/* before the first time: up to where it begins */
	x = nth(&w, PP_EV_WAIT, 0);
	assert_int_equal(x->ev.flags, PP_EVF_BETWEEN);
	assert_int_equal(x->ev.end, 79999999990);
	/* EXEC #2 is the next call of #2 and the next one after the wait at
	 * #0: it owns both, and they stand where the clock was */
	assert_int_equal(nth(&w, PP_EV_WAIT, 1)->ev.line, 3);
	assert_int_equal(nth(&w, PP_EV_WAIT, 1)->ev.end, 80000000100);
	assert_int_equal(nth(&w, PP_EV_WAIT, 1)->ev.flags, PP_EVF_OWNER |
	    PP_EVF_LATE);
	assert_int_equal(nth(&w, PP_EV_WAIT, 2)->ev.line, 5);
	assert_int_equal(nth(&w, PP_EV_WAIT, 2)->ev.end, 80000000170);
	assert_true(nth(&w, PP_EV_WAIT, 2) > nth(&w, PP_EV_FETCH, 0));
	assert_true(nth(&w, PP_EV_WAIT, 2) < nth(&w, PP_EV_EXEC, 0));
	/* no call comes any more: between calls, in their order */
	assert_int_equal(nth(&w, PP_EV_WAIT, 3)->ev.flags, PP_EVF_BETWEEN);
	assert_int_equal(nth(&w, PP_EV_WAIT, 3)->ev.end, 80000000230);
	assert_int_equal(nth(&w, PP_EV_WAIT, 4)->ev.end, 80000000270);
	assert_int_equal(w.m.sessions[0].waits, 5);
	assert_int_equal(w.m.sessions[0].start, 79999999920);
	assert_int_equal(w.m.sessions[0].end, 80000000270);
	world_end(&w);
}

/* An excerpt of waits alone. */
static void
test_no_time_at_all(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, OLD_WAIT("1", "db file sequential read", "1")
	    OLD_WAIT("1", "db file scattered read", "2"));
	assert_int_equal(w.m.sessions[0].digits, 2);
	assert_int_equal(w.m.sessions[0].end - w.m.sessions[0].start, 3);
	world_end(&w);
	world_make(&w, OLD_WAIT("1", "db file sequential read", "17526")
	    OLD_WAIT("1", "db file scattered read", "1585"));
	assert_int_equal(w.m.sessions[0].digits, 6);
	assert_int_equal(w.m.sessions[0].end - w.m.sessions[0].start, 19111);
	world_end(&w);
}

/* ----------------------------------------------------------------- damage */

static void
test_damage(void **state)
{
	struct world w;

	(void)state;
	world_make(&w,
	    CALL("EXEC #1", "0", "10", "0", "80000000000")
	    "EXEC #1:c=0,e=10,p=0,cr=0,cu=0,mis=0,r=0,de\n"
	    "*** DUMP FILE SIZE IS LIMITED TO 10485760 BYTES ***\n");
	assert_int_equal(w.m.sources[0].rejected, 1);
	assert_int_equal(w.m.sources[0].records, 1);
	assert_int_equal(told(&w, PP_MSG_CUT_RECORD), 1);
	assert_int_equal(told(&w, PP_MSG_SIZE_LIMIT), 1);
	assert_int_equal(w.m.sources[0].status, PP_SRC_PARTIAL);
	assert_int_equal(w.m.diag.problems[0].line, 2);
	world_end(&w);
	world_make(&w,
	    CALL("EXEC #1", "0", "10", "0", "80000000000")
	    "what is this\n"
	    WAIT("1", "latch free", "-7", "80000000100")
	    CALL("EXEC #1", "0", "10", "0", "9223372036854775807"));
	assert_int_equal(w.m.sources[0].noise, 1);
	assert_int_equal(w.m.sources[0].repaired, 1);
	assert_int_equal(w.m.sources[0].rejected, 1);
	assert_int_equal(told(&w, PP_MSG_NEGATIVE_TIME), 1);
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.dur, 0);
	assert_int_equal(w.m.sessions[0].calls, 1);
	world_end(&w);
}

/* The last record has no line end and its time lost digits. */
static void
test_cut_time(void **state)
{
	struct world w;

	(void)state;
	world_make(&w,
	    CALL("EXEC #1", "0", "10", "0", "80000000000")
	    "EXEC #1:c=0,e=10,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=80000");
	assert_int_equal(w.m.sessions[0].calls, 1);
	assert_int_equal(w.m.sources[0].rejected, 1);
	assert_int_equal(w.m.sources[0].lines, 2);
	assert_int_equal(told(&w, PP_MSG_CUT_RECORD), 1);
	world_end(&w);
	world_make(&w,
	    CALL("EXEC #1", "0", "10", "0", "80000000000")
	    "EXEC #1:c=0,e=10,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,"
	    "tim=80000000100");
	assert_int_equal(w.m.sessions[0].calls, 2);
	assert_int_equal(w.m.sources[0].rejected, 0);
	world_end(&w);
}

static void
test_empty(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, "/a/b.trc\nOracle Database 11g Release 11.2.0.1.0\n"
	    STAMP("07:00:00.000") "Deadlock graph:\n");
	assert_int_equal(w.m.sources[0].records, 0);
	assert_int_equal(w.m.sources[0].status, PP_SRC_EMPTY);
	assert_int_equal(w.m.nsessions, 0);
	world_end(&w);
}

/* ------------------------------------------------------------ recognition */

static void
test_probe(void **state)
{
	const struct pp_reader *r = pp_reader_named(PP_STR("oracle10046"));
	pp_str weak = PP_STR("Trace file /a/b.trc\n*** 2021-05-06 07:08:09\n");
	pp_str one = PP_STR("EXEC #1:c=0,e=1\n");

	(void)state;
	assert_int_equal(r->probe(PP_STR("")), 0);
	assert_int_equal(r->probe(PP_STR("select 1;\nEXEC foo\nWAIT for "
	    "it\nEXEC #foo\n*** stars\n")), 0);
	assert_true(r->probe(weak) > 0);
	assert_true(r->probe(one) > r->probe(weak) / 2);
	assert_true(r->probe(PP_STR("\xef\xbb\xbf" "XCTEND rlbk=0, rd_only=1"
	    )) > 0);
	assert_true(r->probe(PP_STR("\r\nFETCH #12:c=0\r\n")) > 0);
}

static void
test_peek(void **state)
{
	const struct pp_reader *r = pp_reader_named(PP_STR("oracle10046"));
	struct pp_peek p;
	char buf[40];

	(void)state;
	memset(&p, 0, sizeof(p));
	r->peek(PP_STR("Trace file /a/b.trc\n"
	    "*** MODULE NAME:(a (b) c) 2021-05-06 07:08:09.123\n"
	    "*** 2021-05-06 07:08:10.000\n"
	    "*** TRACE CONTINUED FROM FILE /u/x/y_ora_7.trc ***\n"
	    "ERROR #1:err=1 tim=5\n"
	    "WAIT #1: nam='a' ela= 5 p1=1 p2=2 p3=3\n"
	    "PARSING IN CURSOR #1 len=8 dep=0 uid=0 oct=3 lid=0 tim=777 "
	    "hv=1 ad='0'\n"), &p);
	buf[pp_wall_format(buf, &p.first, 0)] = '\0';
	assert_string_equal(buf, "2021-05-06T07:08:09.123000");
	assert_true(p.has_tick);
	assert_int_equal(p.tick, 777);
	assert_str(p.continues, "y_ora_7.trc");
	memset(&p, 0, sizeof(p));
	r->peek(PP_STR("*** TRACE DUMP CONTINUED FROM FILE  ***\nfoo\n"), &p);
	assert_int_equal(p.continues.n, 0);
	assert_false(p.first.known);
	assert_false(p.has_tick);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_anchor),
		cmocka_unit_test(test_anchors),
		cmocka_unit_test(test_many_anchors),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_1024),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_back),
		cmocka_unit_test(test_wait_clock),
		cmocka_unit_test(test_centi),
		cmocka_unit_test(test_not_centi),
		cmocka_unit_test(test_untimed),
		cmocka_unit_test(test_no_time_at_all),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_cut_time),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_probe),
		cmocka_unit_test(test_peek),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
