/*
 * test_account.c: the accounts on small event logs made by hand; the expected
 * numbers are worked out on paper from DESIGN section 6.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../model/account/account.h"

struct world {
	struct pp_mem mem;
	struct pp_model m;
	struct pp_accounts a;
	int64_t high;
	uint32_t line;
};

static void
setup(struct world *w)
{
	memset(w, 0, sizeof(*w));
	pp_mem_init(&w->mem, 0);
	pp_model_init(&w->m, &w->mem, NULL, "/tmp");
	pp_model_source(&w->m);
	pp_model_session(&w->m, 0);
	w->m.sources[0].name = PP_STR("t.trc");
	w->m.sessions[0].start = INT64_MAX;
	w->m.sessions[0].end = INT64_MIN;
	w->m.log.session = 0;
	w->high = INT64_MIN;
}

static void
teardown(struct world *w)
{
	pp_mem_free_all(&w->mem);
}

/* Append an event that takes [end - dur, end]. */
static struct pp_ev *
add(struct world *w, enum pp_ev_kind kind, uint32_t stmt, unsigned depth,
    int64_t dur, int64_t end)
{
	struct pp_session *s = &w->m.sessions[0];
	struct pp_ev *e = &pp_log_add(&w->m.log)->ev;

	memset(e, 0, sizeof(*e));
	e->kind = (uint8_t)kind;
	e->stmt = stmt;
	e->depth = (uint16_t)depth;
	e->line = ++w->line;
	e->dur = dur;
	e->end = end;
	if (end < w->high)
		e->flags |= PP_EVF_LATE;
	else
		w->high = end;
	s->has_time = true;
	if (end > s->end)
		s->end = end;
	if (end - dur < s->start)
		s->start = end - dur;
	return e;
}

static void
call(struct world *w, enum pp_ev_kind kind, uint32_t stmt, unsigned depth,
    uint32_t cpu, int64_t dur, int64_t end)
{
	add(w, kind, stmt, depth, dur, end)->name = cpu;
}

static void
wait(struct world *w, const char *name, uint32_t stmt, int64_t dur,
    int64_t end)
{
	add(w, PP_EV_WAIT, stmt, 0, dur, end)->name =
	    pp_strtab_id(&w->m.names, pp_str_from(name));
}

static uint32_t
stmt(struct world *w, const char *id)
{
	return pp_model_stmt(&w->m, pp_str_from(id));
}

static void
account(struct world *w, uint32_t intervals)
{
	struct pp_account_options o = {.intervals = intervals,
	    .timeline = true};
	char why[200];

	pp_account_init(&w->a, &w->m, &o);
	assert_int_equal(pp_account_walk(&w->a, 0), PP_OK);
	pp_account_finish(&w->a);
	if (!pp_account_check(&w->a, why, sizeof(why)))
		fail_msg("%s", why);
}

static const struct pp_call_cell *
cell(const struct world *w, const char *name, uint32_t st)
{
	size_t i;

	for (i = 0; i < w->a.ncalls; i++)
		if (w->a.calls[i].stmt == st && pp_str_eq(pp_strtab_get(
		    &w->m.names, w->a.calls[i].call), pp_str_from(name)))
			return &w->a.calls[i];
	fail_msg("no %s of statement %u", name, st);
	return NULL;
}

/* Time of an event in an interval, over all statements. */
static int64_t
slice(const struct world *w, const char *event, uint32_t interval)
{
	int64_t t = 0;
	size_t i, k;

	for (i = 0; i < w->a.nbuckets; i++) {
		const struct pp_bucket *b = &w->a.buckets[i];

		if (!pp_str_eq(pp_strtab_get(&w->m.names,
		    w->a.events[b->event].name), pp_str_from(event)))
			continue;
		for (k = 0; k < b->slices.n; k++)
			if (b->slices.v[k].interval == interval)
				t += b->slices.v[k].time;
	}
	return t;
}

/* Three levels: exclusive time is less that of direct children only. */
static void
test_three_levels(void **state)
{
	struct world w;
	uint32_t a, b, c;

	(void)state;
	setup(&w);
	a = stmt(&w, "a");
	b = stmt(&w, "b");
	c = stmt(&w, "c");
	call(&w, PP_EV_PARSE, c, 2, 20, 50, 1150);
	call(&w, PP_EV_EXEC, c, 2, 30, 70, 1250);
	call(&w, PP_EV_EXEC, b, 1, 100, 300, 1300);
	call(&w, PP_EV_FETCH, b, 1, 150, 200, 1600);
	call(&w, PP_EV_EXEC, a, 0, 400, 1000, 2000);
	account(&w, 4);
	assert_true(cell(&w, "EXEC", a)->sums.self == 500);
	assert_true(cell(&w, "EXEC", a)->sums.self_cpu == 150);
	assert_true(cell(&w, "EXEC", b)->sums.self == 180);
	assert_true(cell(&w, "EXEC", b)->sums.self_cpu == 50);
	assert_true(cell(&w, "FETCH", b)->sums.self == 200);
	assert_true(cell(&w, "PARSE", c)->sums.self == 50);
	assert_true(cell(&w, "EXEC", c)->sums.self == 70);
	assert_true(w.a.sums[0].root_elapsed == 1000);
	assert_true(w.a.sums[0].root_cpu == 400);
	assert_int_equal(w.a.sums[0].orphans, 0);
	teardown(&w);
}

/*
 * The trace starts in the middle: four recursive calls, an error that ends
 * their caller, then a tiny parse at depth 0 that must not adopt them.
 */
static void
test_orphans_before_a_tiny_parse(void **state)
{
	struct world w;
	uint32_t a, b, i, found = 0;

	(void)state;
	setup(&w);
	a = stmt(&w, "a");
	b = stmt(&w, "b");
	call(&w, PP_EV_EXEC, b, 1, 0, 600, 10600);
	call(&w, PP_EV_FETCH, b, 1, 70000, 68000, 79000);
	wait(&w, "Streams AQ: waiting for messages in the queue", a, 140000,
	    220000);
	call(&w, PP_EV_EXEC, b, 1, 0, 300, 221000);
	call(&w, PP_EV_FETCH, b, 1, 72000, 70000, 291500);
	add(&w, PP_EV_ERROR, a, 0, 0, 291600)->flags |= PP_EVF_NAMES;
	w.m.log.at[-1].ev.end = PP_NO_TIME;
	wait(&w, "SQL*Net message from client", a, 800, 293000);
	call(&w, PP_EV_PARSE, a, 0, 0, 38, 293200);
	account(&w, 5);
	assert_true(cell(&w, "PARSE", a)->sums.self == 38);
	assert_true(cell(&w, "PARSE", a)->sums.self_cpu == 0);
	assert_true(w.a.sums[0].root_cpu == 142000);
	assert_int_equal(w.a.sums[0].orphans, 4);
	assert_true(w.a.sums[0].least_self == 38);
	for (i = 0; i < w.a.nnodes; i++)
		if (w.a.nodes[i].synthetic) {
			found++;
			assert_true(pp_str_eq(pp_strtab_get(&w.m.names,
			    w.a.nodes[i].call), PP_STR(PP_NAME_NOT_IN_TRACE)));
			assert_int_equal(w.a.nodes[i].stmt, a);
			assert_true(w.a.nodes[i].sums.elapsed == 138900);
			assert_true(w.a.nodes[i].sums.cpu == 142000);
			assert_true(w.a.nodes[i].sums.self == 0);
			assert_int_equal(w.a.nodes[i].sums.calls, 0);
		}
	assert_int_equal(found, 1);
	teardown(&w);
}

/* Recursive calls at the end of the trace whose caller never ended. */
static void
test_unfinished(void **state)
{
	struct world w;
	uint32_t b, i, found = 0;

	(void)state;
	setup(&w);
	b = stmt(&w, "b");
	call(&w, PP_EV_EXEC, b, 0, 5, 10, 100);
	call(&w, PP_EV_EXEC, b, 1, 5, 10, 200);
	call(&w, PP_EV_FETCH, b, 1, 5, 10, 300);
	account(&w, 2);
	for (i = 0; i < w.a.nnodes; i++)
		if (w.a.nodes[i].synthetic) {
			found++;
			assert_true(pp_str_eq(pp_strtab_get(&w.m.names,
			    w.a.nodes[i].call), PP_STR(PP_NAME_UNFINISHED)));
			assert_true(w.a.nodes[i].sums.elapsed == 20);
		}
	assert_int_equal(found, 1);
	teardown(&w);
}

/* A zero-length child at exactly the start of its parent is its child; a
 * wait that ends there is not the parent's. */
static void
test_edges(void **state)
{
	struct world w;
	uint32_t a, b;

	(void)state;
	setup(&w);
	a = stmt(&w, "a");
	b = stmt(&w, "b");
	wait(&w, "latch free", a, 5, 100);
	call(&w, PP_EV_EXEC, b, 1, 0, 0, 100);
	wait(&w, "latch free", a, 7, 110);
	call(&w, PP_EV_EXEC, a, 0, 0, 20, 120);
	account(&w, 1);
	assert_int_equal(w.a.sums[0].orphans, 0);
	assert_true(cell(&w, "EXEC", a)->sums.self == 20);
	assert_true(cell(&w, "EXEC", a)->sums.self_wait == 7);
	assert_true(w.a.sums[0].waits_between == 5);
	teardown(&w);
}

/* Ten thousand calls at one time do not take ten thousand squared steps. */
static void
test_equal_times(void **state)
{
	struct world w;
	uint32_t a;
	int i;

	(void)state;
	setup(&w);
	a = stmt(&w, "a");
	for (i = 0; i < 300000; i++)
		call(&w, PP_EV_EXEC, a, 2, 0, 0, 1000);
	call(&w, PP_EV_EXEC, a, 0, 0, 10, 1000);
	account(&w, 1);
	assert_int_equal(w.a.sums[0].orphans, 0);
	teardown(&w);
}

/*
 * An event that is written before but ends after its neighbour belongs to
 * the later call that holds it.
 */
static void
test_late(void **state)
{
	struct world w;
	uint32_t a;

	(void)state;
	setup(&w);
	a = stmt(&w, "a");
	wait(&w, "latch free", a, 2, 1012);	/* in the second call */
	call(&w, PP_EV_EXEC, a, 0, 0, 10, 1008);
	call(&w, PP_EV_FETCH, a, 0, 0, 10, 1020);
	account(&w, 1);
	assert_true(cell(&w, "FETCH", a)->sums.self_wait == 2);
	assert_true(cell(&w, "EXEC", a)->sums.self_wait == 0);
	teardown(&w);
}

/* Gaps and overlaps between roots: +95 us in all, listed as 97. */
static void
test_overlap(void **state)
{
	struct world w;
	uint32_t a;
	const struct pp_session_sums *s;

	(void)state;
	setup(&w);
	a = stmt(&w, "a");
	call(&w, PP_EV_EXEC, a, 0, 0, 100, 1100);
	wait(&w, "SQL*Net message from client", a, 500, 1598); /* 2 early */
	call(&w, PP_EV_FETCH, a, 0, 0, 50, 1745);	/* 97 after */
	account(&w, 3);
	s = &w.a.sums[0];
	assert_true(s->gaps == 97);
	assert_true(s->overlaps == 2);
	assert_true(s->unaccounted == 95 + 150);
	assert_int_equal(s->ngaps, 3);
	assert_int_equal(s->gap[0].time, 100);
	assert_int_equal(s->gap[1].time, 97);
	assert_int_equal(s->gap[1].place, PP_PLACE_BETWEEN);
	assert_int_equal(s->gap[1].after_line, 2);
	assert_int_equal(s->gap[1].before_line, 3);
	teardown(&w);
}

/*
 * The even timeline: [1000, 2000] in 4.  A call [1000, 2000] with c = 101 has
 * a wait [1400, 1600] in its middle: self segments [1000, 1400) and
 * [1600, 2000), 800 ticks.  CPU up to 250 ticks: floor(101 x 250 / 800) = 31,
 * up to 400: 50, up to 550: 69, all: 101.
 */
static void
test_timeline(void **state)
{
	struct world w;
	uint32_t a;

	(void)state;
	setup(&w);
	a = stmt(&w, "a");
	wait(&w, "latch free", a, 200, 1600);
	call(&w, PP_EV_EXEC, a, 0, 101, 1000, 2000);
	account(&w, 4);
	assert_int_equal(slice(&w, "CPU EXEC", 0), 31);
	assert_int_equal(slice(&w, "CPU EXEC", 1), 50 - 31);
	assert_int_equal(slice(&w, "CPU EXEC", 2), 69 - 50);
	assert_int_equal(slice(&w, "CPU EXEC", 3), 101 - 69);
	assert_int_equal(slice(&w, "latch free", 1), 100);
	assert_int_equal(slice(&w, "latch free", 2), 100);
	assert_int_equal(slice(&w, "unaccounted-for", 0), 250 - 31);
	assert_int_equal(slice(&w, "unaccounted-for", 1), 250 - 100 - 19);
	assert_int_equal(slice(&w, "unaccounted-for", 3), 250 - 32);
	teardown(&w);
}

/* A call longer than the stack of paths: depth 100, one path of 65 nodes. */
static void
test_deep(void **state)
{
	struct world w;
	uint32_t a;
	unsigned d, deepest = 0;
	size_t i;

	(void)state;
	setup(&w);
	a = stmt(&w, "a");
	for (d = 100; d-- > 0;)
		call(&w, PP_EV_EXEC, a, d, 1, 1000 - (int64_t)d, 5000 -
		    (int64_t)d);
	account(&w, 1);
	for (i = 0; i < w.a.nnodes; i++)
		if (w.a.nodes[i].level > deepest)
			deepest = w.a.nodes[i].level;
	assert_int_equal(deepest, PP_TREE_DEPTH);
	assert_int_equal(cell(&w, "EXEC", a)->sums.calls, 100);
	teardown(&w);
}

/* SystemTap: CPU and queue inside waits are not the call's own. */
static void
test_systemtap(void **state)
{
	struct world w;
	uint32_t a;
	union pp_slot *s;

	(void)state;
	setup(&w);
	a = stmt(&w, "a");
	pp_log_room(&w.m.log, PP_LOG_EVENT);
	s = pp_log_add(&w.m.log);
	s->ext2 = (struct pp_ev_ext2){.queue = 12, .cpu = 30};
	wait(&w, "db file sequential read", a, 400, 1500);
	w.m.log.at[-1].ev.flags |= PP_EVF_EXT2;
	s = pp_log_add(&w.m.log);
	s->ext2 = (struct pp_ev_ext2){.queue = 57, .cpu = PP_NO_TIME};
	s = pp_log_add(&w.m.log);
	s->ext = (struct pp_ev_ext){.cpu = 300};
	call(&w, PP_EV_EXEC, a, 0, 0, 1000, 2000);
	w.m.log.at[-1].ev.flags |= PP_EVF_EXT | PP_EVF_EXT2;
	account(&w, 2);
	assert_true(cell(&w, "EXEC", a)->sums.self_cpu == 270);
	assert_true(cell(&w, "EXEC", a)->sums.self_queue == 45);
	assert_true(cell(&w, "EXEC", a)->sums.self_unaccounted == 285);
	teardown(&w);
}

/*
 * Any log keeps the identities: random calls and waits, times that jump,
 * depths that make no sense.
 */
static void
test_identities_of_nonsense(void **state)
{
	unsigned seed = 12345, round, i;

	(void)state;
	for (round = 0; round < 300; round++) {
		struct world w;
		int64_t now = 1000000;
		uint32_t a, b;

		setup(&w);
		a = stmt(&w, "a");
		b = stmt(&w, "b");
		for (i = 0; i < 60; i++) {
			unsigned r = seed = seed * 1103515245 + 12345;
			int64_t dur = (r >> 8) % 300;

			now += (int64_t)((r >> 16) % 120) - 10;
			if ((r >> 3) % 3 == 0)
				wait(&w, (r >> 5) % 2 ? "latch free" :
				    "SQL*Net message from client", a, dur,
				    now);
			else
				call(&w, (r >> 5) % 2 ? PP_EV_EXEC :
				    PP_EV_FETCH, (r >> 6) % 2 ? a : b,
				    (r >> 9) % 4, (r >> 12) % 200, dur, now);
		}
		account(&w, 7);
		teardown(&w);
	}
}

static void
test_histogram(void **state)
{
	struct pp_mem mem;
	struct pp_hist h = {0};
	int64_t from, to, v;
	unsigned i;

	(void)state;
	pp_mem_init(&mem, 0);
	for (i = 0; i < 2 * 50 + 849; i++) {
		pp_hist_bounds(i, &from, &to);
		assert_int_equal(pp_hist_index(from), i);
		assert_int_equal(pp_hist_index(to), i);
		if (i >= 100)	/* at most 4.72 % high */
			assert_true((pp_i128)(to - from) * 10000 <=
			    (pp_i128)from * 472 || i == 948);
	}
	/* ceil(10^(101/50)) = 105, ceil(10^(102/50)) = 110 */
	pp_hist_bounds(pp_hist_index(107), &from, &to);
	assert_int_equal(from, 105);
	assert_int_equal(to, 109);
	for (i = 1; i <= 100; i++)
		pp_hist_add(&h, &mem, (int64_t)i);
	assert_true(pp_hist_percentile(&h, 500, 100, &v));
	assert_int_equal(v, 50);
	assert_true(pp_hist_percentile(&h, 950, 100, &v));
	assert_int_equal(v, 95);
	assert_true(pp_hist_percentile(&h, 1000, 100, &v));
	assert_int_equal(v, 100);
	pp_hist_add(&h, &mem, -5);
	assert_true(pp_hist_percentile(&h, 1, 100, &v));
	assert_int_equal(v, -1);
	pp_mem_free_all(&mem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_levels),
		cmocka_unit_test(test_orphans_before_a_tiny_parse),
		cmocka_unit_test(test_unfinished),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_equal_times),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_timeline),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_systemtap),
		cmocka_unit_test(test_identities_of_nonsense),
		cmocka_unit_test(test_histogram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
