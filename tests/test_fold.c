/*
 * test_fold.c: what the Oracle reader's fold makes of a trace: sessions,
 * cursors, statements and the slots of the log.  The traces are written for
 * these tests; what is expected follows from the format's rules by hand.
 */
#include "fold_world.h"

/* ------------------------------------------------------------------ slots */

static void
test_slots(void **state)
{
	struct world w;
	const struct seen *x;

	(void)state;
	world_make(&w,
	    CALL("EXEC #4", "7", "90", "2", "1000")
	    "FETCH #4:c=3,e=20,p=1,cr=22,cu=333,mis=0,r=15,dep=0,og=1,"
	    "plh=77,tim=1100\n"
	    "FETCH #4:c=5000000000,e=10,p=0,cr=0,cu=0,mis=1,r=0,dep=0,og=1,"
	    "tim=1200\n"
	    "FETCH #4:c=0,e=10,p=0,cr=0,cu=0,mis=2,r=4294967296,dep=0,og=1,"
	    "tim=1300\n"
	    "CLOSE #4:c=1,e=2,dep=1,type=3,tim=1310\n"
	    WAIT("4", "db file sequential read", "25", "1400"));
	x = nth(&w, PP_EV_EXEC, 0);
	assert_int_equal(x->ev.flags, 0);
	assert_int_equal(x->ev.name, 7);
	assert_int_equal(x->ev.depth, 2);
	assert_int_equal(x->ev.end, 1000);
	assert_int_equal(x->ev.dur, 90);
	assert_int_equal(x->ev.line, 1);
	x = nth(&w, PP_EV_FETCH, 0);
	assert_int_equal(x->ev.flags, PP_EVF_EXT);
	assert_int_equal(x->ev.name, 15);
	assert_int_equal(x->ext.cpu, 3);
	assert_int_equal(x->ext.p, 1);
	assert_int_equal(x->ext.cr, 22);
	assert_int_equal(x->ext.cu, 333);
	x = nth(&w, PP_EV_FETCH, 1);
	assert_int_equal(x->ev.flags, PP_EVF_EXT | PP_EVF_MISS);
	assert_int_equal(x->ext.cpu, 5000000000);
	x = nth(&w, PP_EV_FETCH, 2);
	assert_int_equal(x->ev.flags, PP_EVF_EXT | PP_EVF_EXT2);
	assert_int_equal(x->ext2.rows, 4294967296);
	assert_int_equal(x->ext2.misses, 2);
	assert_true(x->ext2.queue == PP_NO_TIME);
	x = nth(&w, PP_EV_CLOSE, 0);
	assert_int_equal(x->ev.name, 1);
	assert_int_equal(x->ev.depth, 1);
	x = nth(&w, PP_EV_WAIT, 0);
	assert_name(&w, x, "db file sequential read");
	assert_int_equal(x->ev.end, 1400);
	assert_int_equal(x->ev.dur, 25);
	assert_int_equal(w.m.nsessions, 1);
	assert_int_equal(w.m.sessions[0].calls, 5);
	assert_int_equal(w.m.sessions[0].waits, 1);
	assert_int_equal(w.m.sessions[0].start, 910);
	assert_int_equal(w.m.sessions[0].end, 1400);
	assert_int_equal(w.m.sources[0].start, 910);
	assert_int_equal(w.m.sources[0].records, 6);
	assert_int_equal(w.m.sources[0].lines, 6);
	assert_int_equal(w.m.log.session, 0);
	world_end(&w);
}

static void
test_late(void **state)
{
	struct world w;

	(void)state;
	/* the second ends 30 before the first, the third where it ended */
	world_make(&w, CALL("EXEC #1", "0", "10", "0", "70000000100")
	    CALL("EXEC #1", "0", "10", "0", "70000000070")
	    CALL("EXEC #1", "0", "10", "0", "70000000100"));
	assert_int_equal(nth(&w, PP_EV_EXEC, 0)->ev.flags, 0);
	assert_int_equal(nth(&w, PP_EV_EXEC, 1)->ev.flags, PP_EVF_LATE);
	assert_int_equal(nth(&w, PP_EV_EXEC, 2)->ev.flags, 0);
	world_end(&w);
}

static void
test_systemtap(void **state)
{
	struct world w;
	const struct seen *x;

	(void)state;
	world_make(&w, "WAIT #3: nam='db file sequential read' c=1000 q=12 "
	    "ela= 403 file#=5 block#=9 blocks=1 obj#=7 tim=5000\n"
	    "EXEC #3:q=57,c=20,e=804,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,"
	    "tim=5100\n");
	x = nth(&w, PP_EV_WAIT, 0);
	assert_int_equal(x->ev.flags, PP_EVF_EXT2);
	assert_int_equal(x->ext2.cpu, 1000);
	assert_int_equal(x->ext2.queue, 12);
	assert_int_equal(x->ev.dur, 403);
	x = nth(&w, PP_EV_EXEC, 0);
	assert_int_equal(x->ev.flags, PP_EVF_EXT | PP_EVF_EXT2);
	assert_int_equal(x->ext.cpu, 20);
	assert_int_equal(x->ext2.queue, 57);
	world_end(&w);
}

static void
test_points(void **state)
{
	struct world w;
	const struct seen *x;

	(void)state;
	world_make(&w, "XCTEND rlbk=0, rd_only=1\n"
	    "XCTEND rlbk=1, rd_only=0, tim=70000000500\n"
	    "PARSE ERROR #9:len=8 dep=1 uid=5 oct=3 lid=5 tim=70000000600 "
	    "err=942\nselect 1\n"
	    "LOBREAD: type=PERSISTENT LOB,bytes=16,c=40,e=50,p=2,cr=0,cu=0,"
	    "tim=70000000700\n");
	assert_int_equal(w.m.sessions[0].commits, 1);
	assert_int_equal(w.m.sessions[0].rollbacks, 1);
	x = nth(&w, PP_EV_XCTEND, 0);
	assert_int_equal(x->ev.name, 0);
	assert_int_equal(x->ev.depth, 1);
	assert_true(x->ev.end == PP_NO_TIME);
	x = nth(&w, PP_EV_XCTEND, 1);
	assert_int_equal(x->ev.name, 1);
	assert_int_equal(x->ev.depth, 0);
	assert_int_equal(x->ev.end, 70000000500);
	x = nth(&w, PP_EV_PARSE, 0);
	assert_int_equal(x->ev.dur, 0);
	assert_int_equal(x->ev.depth, 1);
	assert_str(w.m.stmts[x->ev.stmt].text, "select 1");
	x = nth(&w, PP_EV_LOB, 0);
	assert_name(&w, x, "LOBREAD");
	assert_int_equal(x->ext.cpu, 40);
	assert_int_equal(x->ext.p, 2);
	assert_int_equal(x->ev.stmt, PP_STMT_NONE);
	assert_int_equal(w.m.sessions[0].calls, 2);
	assert_int_equal(w.m.sessions[0].start, 70000000600);
	world_end(&w);
}

/*
 * An ERROR names the orphans before it when its own call has no line since
 * the last top call.
 */
static void
test_errors(void **state)
{
	struct world w;

	(void)state;
	world_make(&w,
	    CALL("EXEC #4", "0", "10", "1", "70000000100")
	    "ERROR #6:err=25228 tim=70000000200\n"
	    "ERROR #6:err=25228 tim=783947179\n"
	    CALL("EXEC #6", "0", "10", "0", "70000000300")
	    "ERROR #6:err=1 tim=70000000310\n"
	    CALL("EXEC #4", "0", "10", "1", "70000000400")
	    CALL("EXEC #6", "0", "10", "1", "70000000500")
	    "ERROR #6:err=1 tim=70000000510\n");
	assert_int_equal(nth(&w, PP_EV_ERROR, 0)->ev.flags, PP_EVF_NAMES);
	assert_int_equal(nth(&w, PP_EV_ERROR, 0)->ev.end, 70000000200);
	assert_int_equal(nth(&w, PP_EV_ERROR, 0)->ev.name, 25228);
	assert_stmt(&w, nth(&w, PP_EV_ERROR, 0), "?6");
	/* nothing has run since, and the time is of another clock */
	assert_int_equal(nth(&w, PP_EV_ERROR, 1)->ev.flags, 0);
	assert_true(nth(&w, PP_EV_ERROR, 1)->ev.end == PP_NO_TIME);
	assert_int_equal(nth(&w, PP_EV_ERROR, 2)->ev.flags, 0);
	/* the failed call has a line at depth 1 */
	assert_int_equal(nth(&w, PP_EV_ERROR, 3)->ev.flags, 0);
	assert_int_equal(w.m.sessions[0].start, 70000000090);
	assert_int_equal(w.m.sessions[0].end, 70000000500);
	world_end(&w);
}

static void
test_rpc(void **state)
{
	struct world w;

	(void)state;
	/* a gap of its length follows the first; the second has children */
	world_make(&w,
	    CALL("EXEC #1", "0", "10", "0", "70000001000")
	    "RPC EXEC:c=0,e=300\n"
	    CALL("EXEC #1", "0", "10", "0", "70000002000")
	    CALL("EXEC #2", "0", "10", "1", "70000002500")
	    "RPC EXEC:c=0,e=400\n"
	    CALL("EXEC #1", "0", "10", "0", "70000009000")
	    "RPC EXEC:c=1,e=5\n");
	assert_int_equal(nth(&w, PP_EV_RPC, 0)->ev.end, 70000001300);
	assert_int_equal(nth(&w, PP_EV_RPC, 1)->ev.end, 70000002500);
	assert_int_equal(nth(&w, PP_EV_RPC, 2)->ev.end, 70000009000);
	assert_int_equal(nth(&w, PP_EV_RPC, 2)->ev.name, 1);
	assert_int_equal(w.m.sessions[0].calls, 7);
	world_end(&w);
}

/* --------------------------------------------------------------- sessions */

#define ID(sid, at) "*** SESSION ID:(" sid ") 2021-05-06 07:08:" at "\n"

static void
test_shared_server(void **state)
{
	struct world w;
	const struct pp_context *c;
	const struct seen *x;

	(void)state;
	world_make(&w,
	    CALL("EXEC #1", "0", "10", "0", "80000000100")
	    "*** ACTION NAME:(act one) 2021-05-06 07:08:09.000\n"
	    "*** MODULE NAME:(mod (a) one) 2021-05-06 07:08:09.000\n"
	    ID("7.9", "09.000")
	    PARSING("1", "8", "80000000200", " hv=1 ad='0'", "select a")
	    CALL("EXEC #1", "0", "10", "0", "80000000300")
	    ID("8.1", "10.000")
	    CALL("EXEC #1", "0", "10", "0", "80001000300")
	    ID("7.9", "11.000")
	    CALL("EXEC #1", "0", "10", "0", "80002000300"));
	assert_int_equal(w.m.nsessions, 2);
	/* what came before the first id is of that session */
	assert_str(w.m.sessions[0].native_id, "7.9");
	assert_int_equal(w.m.sessions[0].calls, 3);
	assert_int_equal(w.m.sessions[0].ordinal, 1);
	assert_str(w.m.sessions[0].module, "mod (a) one");
	assert_str(w.m.sessions[0].action, "act one");
	assert_str(w.m.sessions[1].native_id, "8.1");
	assert_int_equal(w.m.sessions[1].ordinal, 2);
	assert_int_equal(w.m.sessions[1].module.n, 0);
	assert_int_equal(w.m.sessions[0].start, 80000000090);
	assert_int_equal(w.m.sessions[0].end, 80002000300);
	assert_int_equal(w.m.sessions[1].start, 80001000290);
	assert_int_equal(count(&w, PP_EV_SESSION), 3);
	x = nth(&w, PP_EV_SESSION, 0);
	assert_true(x->ev.name == UINT32_MAX && x->ev.stmt == 0);
	x = nth(&w, PP_EV_SESSION, 1);
	assert_true(x->ev.name == 0 && x->ev.stmt == 1);
	/* cursor numbers are the session's own, and it gets its own back */
	assert_int_equal(nth(&w, PP_EV_EXEC, 1)->ev.stmt,
	    nth(&w, PP_EV_EXEC, 3)->ev.stmt);
	assert_stmt(&w, nth(&w, PP_EV_EXEC, 2), "?1");
	/* contexts: none, ours, none, ours */
	assert_int_equal(count(&w, PP_EV_CONTEXT), 3);
	x = nth(&w, PP_EV_CONTEXT, 0);
	assert_int_equal(x->ev.name, 0);
	c = &w.m.contexts[x->ev.stmt];
	assert_str(pp_strtab_get(&w.m.names, c->module), "mod (a) one");
	assert_str(pp_strtab_get(&w.m.names, c->action), "act one");
	assert_int_equal(nth(&w, PP_EV_CONTEXT, 1)->ev.stmt, 0);
	assert_int_equal(nth(&w, PP_EV_CONTEXT, 2)->ev.stmt, x->ev.stmt);
	assert_int_equal(w.m.nsession_sources, 2);
	assert_int_equal(w.m.session_sources[0].first_line, 1);
	assert_int_equal(w.m.session_sources[0].last_line, 13);
	world_end(&w);
}

#define HEADER(file, pid, image) \
	"Trace file " file "\n" \
	"Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - " \
	"Production\nVersion 19.11.0.0.0\nNode name:\thost1\n" \
	"Instance name: inst\nOracle process number: 3\n" \
	"Unix process pid: " pid ", image: " image "\n\n"

static void
test_concatenated(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, HEADER("/a/one.trc", "41", "oracle@host1 (S000)")
	    "*** 2021-05-06T07:08:09.000000+02:00 (PDB1(3))\n" ID("7.9", "09")
	    CALL("EXEC #1", "0", "10", "0", "80000000100")
	    HEADER("/a/two.trc", "42", "oracle@host1 (TNS V1-V3)") ID("7.9",
	    "30")
	    CALL("EXEC #1", "0", "10", "0", "99000000"));
	assert_int_equal(w.m.nsessions, 2);
	assert_str(w.m.sessions[0].native_id, "7.9");
	assert_str(w.m.sessions[0].process, "41 oracle@host1 (S000)");
	assert_str(w.m.sessions[0].container, "PDB1(3)");
	assert_str(w.m.sessions[1].process, "42 oracle@host1 (TNS V1-V3)");
	assert_int_equal(w.m.sessions[1].container.n, 0);
	/* 21 s of wall clock, but the times went back by 22 hours */
	assert_int_equal(w.m.sessions[0].clock, 0);
	assert_int_equal(w.m.sessions[1].clock, 1);
	assert_int_equal(w.m.sources[0].end - w.m.sources[0].start, 20);
	assert_int_equal(told(&w, PP_MSG_CLOCK_BACK), 0);
	assert_str(w.m.sources[0].version, "19.11.0.0.0");
	assert_str(w.m.sources[0].host, "host1");
	assert_str(w.m.sources[0].instance, "inst");
	assert_true(w.m.sources[0].started.has_offset);
	assert_int_equal(w.m.sources[0].started.offset_min, 120);
	assert_int_equal(w.m.sources[0].status, PP_SRC_COMPLETE);
	world_end(&w);
}

static void
test_trcsess(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, "*** [ Unix process pid: 50 ]\n"
	    CALL("EXEC #1", "0", "10", "0", "80000000100")
	    "*** [ Unix process pid: 51 ]\n"
	    CALL("EXEC #1", "0", "10", "0", "79999000100")
	    "*** [ Unix process pid: 50 ]\n"
	    CALL("EXEC #1", "0", "10", "0", "80000000300"));
	assert_int_equal(w.m.nsessions, 2);
	assert_str(w.m.sessions[0].native_id, "50");
	assert_str(w.m.sessions[1].native_id, "51");
	assert_int_equal(w.m.sessions[0].calls, 2);
	assert_int_equal(w.m.sessions[0].start, 80000000090);
	assert_int_equal(told(&w, PP_MSG_CLOCK_BACK), 0);
	world_end(&w);
}

static void
test_continued(void **state)
{
	static const char *const t[] = {
		"one.trc", HEADER("/a/one.trc", "41", "i") ID("7.9", "09.000")
		PARSING("1", "8", "80000000200", " hv=1 ad='0'", "select a")
		CALL("EXEC #1", "0", "10", "0", "80000000300")
		"*** TRACE CONTINUES IN FILE /a/two.trc ***\n",
		"two.trc", HEADER("/a/two.trc", "41", "i") ID("7.9", "10.000")
		"*** TRACE CONTINUED FROM FILE /a/one.trc ***\n"
		CALL("FETCH #1", "0", "10", "0", "80000000400")
	};
	struct world w;

	(void)state;
	world_of(&w, 2, t);
	assert_int_equal(w.m.nsessions, 1);
	assert_int_equal(nth(&w, PP_EV_EXEC, 0)->ev.stmt,
	    nth(&w, PP_EV_FETCH, 0)->ev.stmt);
	assert_int_equal(count(&w, PP_EV_FILE), 2);
	assert_int_equal(nth(&w, PP_EV_FILE, 1)->ev.name, 0);
	assert_int_equal(nth(&w, PP_EV_FILE, 1)->ev.stmt, 1);
	assert_int_equal(w.m.nsession_sources, 2);
	assert_int_equal(w.m.session_sources[1].source, 1);
	assert_int_equal(w.m.session_sources[1].start, 80000000390);
	assert_int_equal(w.m.sources[1].start, 80000000390);
	assert_int_equal(w.m.sessions[0].end, 80000000400);
	world_end(&w);
}

/* The same, put together into one file; 10g prints the marker first. */
static void
test_continued_inside(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, HEADER("/a/one.trc", "41", "i") ID("7.9", "09.000")
	    PARSING("1", "8", "80000000200", " hv=1 ad='0'", "select a")
	    CALL("EXEC #1", "0", "10", "0", "80000000300")
	    HEADER("/a/two.trc", "41", "i") ID("7.9", "10.000")
	    "*** TRACE CONTINUED FROM FILE /a/one.trc ***\n"
	    CALL("FETCH #1", "0", "10", "0", "80000000400")
	    "*** TRACE DUMP CONTINUED FROM FILE /a/two.trc ***\n"
	    HEADER("/a/three.trc", "41", "i") ID("7.9", "10.000")
	    CALL("FETCH #1", "0", "10", "0", "80000000500")
	    HEADER("/a/four.trc", "41", "i") ID("7.9", "10.000")
	    CALL("FETCH #1", "0", "10", "0", "80000000600"));
	assert_int_equal(w.m.nsessions, 2);
	assert_int_equal(w.m.sessions[0].calls, 3);
	assert_int_equal(nth(&w, PP_EV_EXEC, 0)->ev.stmt,
	    nth(&w, PP_EV_FETCH, 1)->ev.stmt);
	assert_stmt(&w, nth(&w, PP_EV_FETCH, 2), "?1");
	world_end(&w);
}

static void
test_hole(void **state)
{
	static const char *const t[] = {
		"x_1.trc",
		PARSING("1", "8", "80000000200", " hv=1 ad='0'", "select a")
		CALL("EXEC #1", "0", "10", "0", "80000000300"),
		"x_9.trc", CALL("FETCH #1", "0", "10", "0", "80000000700"),
		"x_10.trc", CALL("FETCH #1", "0", "10", "0", "80000000900"),
	};
	struct world w;

	(void)state;
	world_of(&w, 3, t);
	assert_int_equal(count(&w, PP_EV_HOLE), 1);
	assert_int_equal(nth(&w, PP_EV_HOLE, 0)->ev.dur, 390);
	assert_int_equal(nth(&w, PP_EV_HOLE, 0)->ev.end, 80000000690);
	assert_int_equal(w.m.sessions[0].missing, 390);
	assert_int_equal(told(&w, PP_MSG_MISSING_PART), 1);
	assert_int_equal(told(&w, PP_MSG_OLD_TEXT), 1);
	assert_int_equal(nth(&w, PP_EV_FETCH, 0)->ev.stmt,
	    nth(&w, PP_EV_EXEC, 0)->ev.stmt);
	assert_int_equal(w.m.sources[1].status, PP_SRC_PARTIAL);
	world_end(&w);
}

/* ---------------------------------------------------------------- cursors */

static void
test_cursor_reuse(void **state)
{
	struct world w;

	(void)state;
	world_make(&w,
	    PARSING("2", "8", "80000000200", " hv=1 ad='0'", "select a")
	    CALL("EXEC #2", "0", "10", "0", "80000000300")
	    PARSING("2", "8", "80000000400", " hv=2 ad='0'", "select b")
	    CALL("EXEC #2", "0", "10", "1", "80000000500")
	    "CLOSE #2:c=0,e=1,dep=0,type=1,tim=80000000600\n"
	    CALL("EXEC #2", "0", "10", "0", "80000000700")
	    CALL("EXEC #5", "0", "10", "0", "80000000800"));
	assert_str(w.m.stmts[nth(&w, PP_EV_EXEC, 0)->ev.stmt].text,
	    "select a");
	assert_str(w.m.stmts[nth(&w, PP_EV_EXEC, 1)->ev.stmt].text,
	    "select b");
	assert_int_equal(nth(&w, PP_EV_EXEC, 2)->ev.stmt,
	    nth(&w, PP_EV_EXEC, 1)->ev.stmt);
	assert_stmt(&w, nth(&w, PP_EV_EXEC, 3), "?5");
	assert_int_equal(w.m.stmts[nth(&w, PP_EV_EXEC, 0)->ev.stmt].command,
	    3);
	assert_int_equal(
	    w.m.stmts[nth(&w, PP_EV_EXEC, 0)->ev.stmt].parsing_user, 5);
	world_end(&w);
}

/* A PARSING takes over waits of its number, but not once a call was seen. */
static void
test_adopted(void **state)
{
	struct world w;

	(void)state;
	world_make(&w,
	    WAIT("2", "library cache lock", "5", "80000000100")
	    PARSING("2", "8", "80000000200", " hv=1 ad='0'", "select a")
	    CALL("EXEC #2", "0", "10", "0", "80000000300")
	    WAIT("3", "library cache lock", "5", "80000000400")
	    CALL("EXEC #3", "0", "10", "0", "80000000500")
	    PARSING("3", "8", "80000000600", " hv=1 ad='0'", "select a")
	    CALL("EXEC #3", "0", "10", "0", "80000000700"));
	assert_int_equal(nth(&w, PP_EV_WAIT, 0)->ev.stmt,
	    nth(&w, PP_EV_EXEC, 0)->ev.stmt);
	assert_stmt(&w, nth(&w, PP_EV_WAIT, 1), "?3");
	assert_stmt(&w, nth(&w, PP_EV_EXEC, 1), "?3");
	assert_int_equal(nth(&w, PP_EV_EXEC, 2)->ev.stmt,
	    nth(&w, PP_EV_EXEC, 0)->ev.stmt);
	world_end(&w);
}

/* ------------------------------------------------------------- statements */

static const struct pp_stmt *
stmt_of(const struct world *w, size_t exec)
{
	return &w->m.stmts[nth(w, PP_EV_EXEC, exec)->ev.stmt];
}

static void
test_sql_id(void **state)
{
	struct world w;

	(void)state;
	/* the sql_id of this text is known from a real database */
	world_make(&w, PARSING("2", "34", "80000000200", " hv=0 ad='0'",
	    "select id, data from rowcache_test")
	    CALL("EXEC #2", "0", "10", "0", "80000000300")
	    PARSING("3", "34", "80000000200", " hv=9 ad='0' "
	    "sqlid='4y53369cbbaqf'", "select id, data from rowcache_test")
	    CALL("EXEC #3", "0", "10", "0", "80000000300")
	    PARSING("4", "34", "80000000200", " hv=9 ad='0' "
	    "sqlid='0000000000abc'", "select id, data from rowcache_test")
	    CALL("EXEC #4", "0", "10", "0", "80000000300"));
	assert_str(stmt_of(&w, 0)->id, "4y53369cbbaqf");
	assert_ptr_equal(stmt_of(&w, 0), stmt_of(&w, 1));
	assert_false(stmt_of(&w, 0)->altered);
	assert_true(stmt_of(&w, 0)->complete);
	assert_int_equal(stmt_of(&w, 0)->text_bytes, 34);
	/* another printed id is another statement, whose text is not its own */
	assert_str(stmt_of(&w, 2)->id, "0000000000abc");
	assert_true(stmt_of(&w, 2)->altered);
	assert_int_equal(told(&w, PP_MSG_TEXT_ALTERED), 1);
	world_end(&w);
}

/* Bytes that are sent, counted and hashed, but not printed. */
static void
test_tails(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
	} sent[] = {
		{"select 1", 8}, {"select 1\0", 9}, {"select 1\n\0", 10},
		{"select 1 ", 9}, {"select 1\r\n", 10},
	};
	char text[400], id[14];
	struct world w;
	uint32_t hash;
	size_t i;

	(void)state;
	for (i = 0; i < 5; i++) {
		pp_sql_id((pp_str){sent[i].bytes, sent[i].n}, id, &hash);
		snprintf(text, sizeof(text), "PARSING IN CURSOR #1 len=%zu "
		    "dep=0 uid=0 oct=3 lid=0 tim=80000000200 hv=%u ad='0'\n"
		    "select 1\nEND OF STMT\n%s", sent[i].n, (unsigned)hash,
		    CALL("EXEC #1", "0", "1", "0", "80000000300"));
		world_make(&w, text);
		assert_str(stmt_of(&w, 0)->id, id);
		assert_int_equal(stmt_of(&w, 0)->text_bytes, sent[i].n);
		assert_int_equal(stmt_of(&w, 0)->hash_value, hash);
		assert_int_equal(told(&w, PP_MSG_TEXT_ALTERED), 0);
		world_end(&w);
	}
}

/* Hash values of 9i never fit; where one does, the others are altered. */
static void
test_altered(void **state)
{
	char text[900], id[14];
	struct world w;
	uint32_t hash;

	(void)state;
	pp_sql_id(PP_STR("select b"), id, &hash);
	snprintf(text, sizeof(text), "%s%s",
	    PARSING("1", "8", "80000000200", " hv=77 ad='0'", "select a"),
	    CALL("EXEC #1", "0", "1", "0", "80000000300"));
	world_make(&w, text);
	assert_false(stmt_of(&w, 0)->altered);
	assert_int_equal(stmt_of(&w, 0)->hash_value, 77);
	assert_int_equal(told(&w, PP_MSG_TEXT_ALTERED), 0);
	world_end(&w);
	snprintf(text, sizeof(text), "%s%sPARSING IN CURSOR #2 len=8 dep=0 "
	    "uid=0 oct=3 lid=0 tim=80000000400 hv=%u ad='0'\nselect b\n"
	    "END OF STMT\n%s",
	    PARSING("1", "8", "80000000200", " hv=77 ad='0'", "select a"),
	    CALL("EXEC #1", "0", "1", "0", "80000000300"), (unsigned)hash,
	    CALL("EXEC #2", "0", "1", "0", "80000000500"));
	world_make(&w, text);
	assert_true(stmt_of(&w, 0)->altered);
	assert_false(stmt_of(&w, 1)->altered);
	assert_int_equal(told(&w, PP_MSG_TEXT_ALTERED), 1);
	world_end(&w);
}

/* A text that the file's end cuts has no identity but its cursor's. */
static void
test_cut_text(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, CALL("EXEC #1", "0", "1", "0", "80000000300")
	    "PARSING IN CURSOR #2 len=80 dep=0 uid=0 oct=3 lid=0 "
	    "tim=80000000400 hv=5 ad='0'\nselect 1 from");
	assert_int_equal(told(&w, PP_MSG_TEXT_CUT), 1);
	assert_int_equal(w.m.sources[0].status, PP_SRC_PARTIAL);
	assert_str(w.m.stmts[w.m.nstmts - 1].id, "?2");
	assert_str(w.m.stmts[w.m.nstmts - 1].text, "select 1 from");
	assert_false(w.m.stmts[w.m.nstmts - 1].complete);
	world_end(&w);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_systemtap),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_rpc),
		cmocka_unit_test(test_shared_server),
		cmocka_unit_test(test_concatenated),
		cmocka_unit_test(test_trcsess),
		cmocka_unit_test(test_continued),
		cmocka_unit_test(test_continued_inside),
		cmocka_unit_test(test_hole),
		cmocka_unit_test(test_cursor_reuse),
		cmocka_unit_test(test_adopted),
		cmocka_unit_test(test_sql_id),
		cmocka_unit_test(test_tails),
		cmocka_unit_test(test_altered),
		cmocka_unit_test(test_cut_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
