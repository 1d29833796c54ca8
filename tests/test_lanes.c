/*
 * test_lanes.c: the walk by several threads makes the very cells that one
 * walk makes, in the same order, whatever the log and wherever it is cut.
 *
 * Logs are random: sessions whose calls nest as they should, with waits in
 * and between them and SystemTap's samples, or damaged in one of the ways
 * that traces are.  Blocks are left half empty, so that stretches are short.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../model/account/account.h"

#define SESSIONS 5

/* What is wrong with a log; bits. */
#define LATE		0x01u	/* times go back */
#define OVERLAP		0x02u	/* calls last longer than they can */
#define NO_ROOTS	0x04u	/* calls of depth 0 are missing */
#define COARSE		0x08u	/* the clock decides nothing */
#define STATES		0x10u	/* SHOW PROFILE */
#define ERAS		0x20u	/* clocks begin anew; holes; errors */
#define CPU		0x40u	/* children have more CPU than their call */

struct clock {
	int64_t now, high;
	uint32_t context;
};

struct world {
	struct pp_mem mem;
	struct pp_model m;
	struct clock c[SESSIONS];
	uint32_t session;
	uint32_t line;
	unsigned seed, wrong;
	uint32_t name[6], stmt[4];
};

static unsigned
rnd(struct world *w, unsigned n)
{
	w->seed = w->seed * 1103515245 + 12345;
	return (w->seed >> 8) % n;
}

static void
marker(struct world *w, enum pp_ev_kind kind, uint32_t *now, uint32_t next)
{
	if (*now == next)
		return;
	pp_log_add(&w->m.log)->ev = (struct pp_ev){.kind = (uint8_t)kind,
	    .name = *now, .stmt = next};
	*now = next;
}

/* The next event is of this session; blocks end anywhere. */
static struct clock *
enter(struct world *w, uint32_t session)
{
	if (rnd(w, 24) == 0)
		pp_log_skip(&w->m.log);
	marker(w, PP_EV_SESSION, &w->m.log.session, session);
	marker(w, PP_EV_CONTEXT, &w->m.log.context, w->c[session].context);
	pp_log_room(&w->m.log, PP_LOG_EVENT);
	w->session = session;
	return &w->c[session];
}

static struct pp_ev *
add(struct world *w, enum pp_ev_kind kind, unsigned depth, int64_t dur,
    int64_t end)
{
	struct pp_session *s = &w->m.sessions[w->session];
	struct clock *c = &w->c[w->session];
	struct pp_ev *e = &pp_log_add(&w->m.log)->ev;

	memset(e, 0, sizeof(*e));
	e->kind = (uint8_t)kind;
	e->stmt = w->stmt[rnd(w, 4)];
	e->depth = (uint16_t)depth;
	e->line = ++w->line;
	e->dur = dur;
	e->end = end;
	if (end < c->high) {
		e->flags |= PP_EVF_LATE;
		s->unordered |= w->session % 2 == 0;
	} else
		c->high = end;
	s->has_time = true;
	s->calls += kind <= PP_EV_LOB;
	s->waits += kind == PP_EV_WAIT;
	if (end > s->end)
		s->end = end;
	if (end - dur < s->start)
		s->start = end - dur;
	return e;
}

/* The CPU in it. */
static uint32_t
wait(struct world *w, uint32_t session)
{
	struct clock *c = enter(w, session);
	int64_t dur = rnd(w, 60);
	bool sampled = rnd(w, 10) == 0;
	uint32_t cpu = sampled ? rnd(w, 5) : 0;

	c->now += rnd(w, 20) + dur;
	if ((w->wrong & LATE) && rnd(w, 30) == 0)
		c->now -= rnd(w, 200);
	if (sampled)
		pp_log_add(&w->m.log)->ext2 = (struct pp_ev_ext2){
		    .queue = 0, .cpu = cpu};
	add(w, PP_EV_WAIT, 0, dur, c->now)->name = w->name[rnd(w, 6)];
	w->m.log.at[-1].ev.flags |= sampled ? PP_EVF_EXT2 : 0;
	return cpu;
}

static void
other(struct world *w, uint32_t session)
{
	struct clock *c = enter(w, session);

	switch (rnd(w, 4)) {
	case 0:
		add(w, PP_EV_ERA, 0, 0, c->now)->dur = 0;
		break;
	case 1:
		c->now += 50;
		add(w, PP_EV_HOLE, 0, 50, c->now);
		break;
	case 2:
		add(w, PP_EV_ERROR, 0, 0, PP_NO_TIME)->flags =
		    PP_EVF_NAMES;
		break;
	default:
		c->context = rnd(w, 3);
	}
	/* none of them is an event with times */
	w->m.sessions[session].start = 1000;
}

/* The CPU that it takes. */
static uint32_t
call(struct world *w, uint32_t session, unsigned depth)
{
	int64_t start = w->c[session].now, dur;
	unsigned i, n = rnd(w, 4);
	struct clock *c;
	bool ext = rnd(w, 3) == 0;
	uint32_t cpu = rnd(w, 40), inside = 0;

	w->c[session].now += rnd(w, 9);
	for (i = 0; i < n; i++)
		if (depth < 5 && rnd(w, 2))
			inside += call(w, session, depth + 1);
		else
			inside += wait(w, session);
	if (depth == 0 && (w->wrong & NO_ROOTS) && rnd(w, 40) != 0)
		return 0;
	if (!(w->wrong & CPU))
		cpu += inside;
	c = enter(w, session);
	c->now += rnd(w, 30);
	dur = c->now - start;
	if ((w->wrong & OVERLAP) && rnd(w, 20) == 0)
		dur += rnd(w, 500);
	if (ext)
		pp_log_add(&w->m.log)->ext = (struct pp_ev_ext){.cpu = cpu,
		    .p = rnd(w, 9), .cr = rnd(w, 9), .cu = rnd(w, 9)};
	add(w, PP_EV_PARSE + rnd(w, 3), depth, dur, c->now)->name = cpu;
	if (ext)
		w->m.log.at[-1].ev.flags |= PP_EVF_EXT;
	return cpu;
}

static void
query(struct world *w, uint32_t session)
{
	struct clock *c = enter(w, session);
	int64_t start = c->now, dur;
	unsigned i, n = rnd(w, 5);
	uint32_t stmt = w->stmt[rnd(w, 4)];

	for (i = 0; i <= n; i++) {
		if (rnd(w, 9) == 0)
			pp_log_skip(&w->m.log);
		dur = rnd(w, 90);
		c->now += dur;
		add(w, i == 4 ? PP_EV_LOST : PP_EV_STAGE, 0, dur,
		    c->now)->name = w->name[rnd(w, 6)];
		w->m.log.at[-1].ev.stmt = stmt;
	}
	add(w, PP_EV_STATEMENT, 0, c->now - start, c->now)->name =
	    w->name[0];
	w->m.log.at[-1].ev.stmt = stmt;
}

static void
setup(struct world *w, unsigned seed, unsigned wrong)
{
	static const char *const name[] = {"latch free", "log file sync",
	    "SQL*Net message from client", "db file sequential read",
	    "direct path read", "enq: TX"};
	uint32_t i;

	memset(w, 0, sizeof(*w));
	pp_mem_init(&w->mem, 0);
	pp_model_init(&w->m, &w->mem, NULL, "/tmp");
	pp_model_source(&w->m);
	w->m.sources[0].name = PP_STR("t.trc");
	w->seed = seed;
	w->wrong = wrong;
	for (i = 0; i < 6; i++)
		w->name[i] = pp_strtab_id(&w->m.names,
		    pp_str_from(name[i]));
	for (i = 0; i < 4; i++)
		w->stmt[i] = pp_model_stmt(&w->m, pp_str_from(name[i]));
	for (i = 0; i < SESSIONS; i++) {
		uint32_t index = pp_model_session(&w->m, 0);
		struct pp_session *s = &w->m.sessions[index];

		s->start = INT64_MAX;
		s->end = INT64_MIN;
		s->digits = 6;
		s->clock = i % 2;
		s->depth_decides = (wrong & COARSE) && i == 1;
		if (wrong & STATES)
			s->kind = PP_SESSION_STATES;
		w->c[i].now = 1000;
		w->c[i].high = INT64_MIN;
	}
	while (pp_log_blocks(&w->m.log) < 60) {
		uint32_t session = rnd(w, rnd(w, 3) ? 2 : SESSIONS);

		if (wrong & STATES)
			query(w, session);
		else if ((wrong & ERAS) && rnd(w, 30) == 0)
			other(w, session);
		else if (rnd(w, 4) == 0)
			(void)wait(w, session);
		else
			(void)call(w, session, 0);
	}
}

static void
walk(struct world *w, struct pp_accounts *a, unsigned jobs)
{
	struct pp_account_options o = {.intervals = 7, .timeline = true,
	    .jobs = jobs, .lane_blocks = 1};
	char why[200];

	pp_account_init(a, &w->m, &o);
	assert_int_equal(pp_account_walk(a, 0), PP_OK);
	pp_account_finish(a);
	if (w->wrong == 0 && !pp_account_check(a, why, sizeof(why)))
		fail_msg("%s", why);
}

static void
same_sums(const struct pp_sums *x, const struct pp_sums *y)
{
	assert_memory_equal(x, y, sizeof(*x));
}

static void
same_hist(const struct pp_hist *x, const struct pp_hist *y)
{
	const struct pp_hist_bucket *b, *c;
	unsigned i = 0, j = 0, at, to;
	bool more;

	do {
		more = pp_hist_next(x, &i, &at, &b);
		assert_int_equal(more, pp_hist_next(y, &j, &to, &c));
		if (more) {
			assert_int_equal(at, to);
			assert_int_equal(b->count, c->count);
			assert_true(b->time == c->time);
		}
	} while (more);
}

static void
same_events(const struct pp_accounts *x, const struct pp_accounts *y)
{
	size_t i;

	assert_int_equal(x->nevents, y->nevents);
	for (i = 0; i < x->nevents; i++) {
		const struct pp_event_cell *a = &x->events[i],
		    *b = &y->events[i];

		assert_int_equal(a->session, b->session);
		assert_int_equal(a->name, b->name);
		assert_int_equal(a->class, b->class);
		assert_int_equal(a->count, b->count);
		assert_true(a->time == b->time && a->outside == b->outside);
		assert_true(a->min == b->min && a->max == b->max);
		assert_int_equal(a->counted, b->counted);
		assert_int_equal(a->summed, b->summed);
		same_hist(&a->hist, &b->hist);
	}
}

static void
same_buckets(const struct pp_accounts *x, const struct pp_accounts *y)
{
	size_t i, k;

	assert_int_equal(x->nbuckets, y->nbuckets);
	for (i = 0; i < x->nbuckets; i++) {
		const struct pp_bucket *a = &x->buckets[i],
		    *b = &y->buckets[i];

		assert_int_equal(a->session, b->session);
		assert_int_equal(a->stmt, b->stmt);
		assert_int_equal(a->event, b->event);
		assert_int_equal(a->place, b->place);
		assert_int_equal(a->count, b->count);
		assert_true(a->time == b->time && a->max == b->max);
		assert_int_equal(a->slices.n, b->slices.n);
		for (k = 0; k < a->slices.n; k++) {
			assert_int_equal(a->slices.v[k].interval,
			    b->slices.v[k].interval);
			assert_int_equal(a->slices.v[k].count,
			    b->slices.v[k].count);
			assert_int_equal(a->slices.v[k].time,
			    b->slices.v[k].time);
		}
	}
}

static void
same_calls(const struct pp_accounts *x, const struct pp_accounts *y)
{
	size_t i;

	assert_int_equal(x->ncalls, y->ncalls);
	for (i = 0; i < x->ncalls; i++) {
		assert_int_equal(x->calls[i].session, y->calls[i].session);
		assert_int_equal(x->calls[i].stmt, y->calls[i].stmt);
		assert_int_equal(x->calls[i].call, y->calls[i].call);
		same_sums(&x->calls[i].sums, &y->calls[i].sums);
	}
	assert_int_equal(x->nnodes, y->nnodes);
	for (i = 0; i < x->nnodes; i++) {
		const struct pp_node *a = &x->nodes[i], *b = &y->nodes[i];

		assert_int_equal(a->session, b->session);
		assert_int_equal(a->parent, b->parent);
		assert_int_equal(a->call, b->call);
		assert_int_equal(a->stmt, b->stmt);
		assert_int_equal(a->level, b->level);
		assert_int_equal(a->first_child, b->first_child);
		assert_int_equal(a->next_sibling, b->next_sibling);
		same_sums(&a->sums, &b->sums);
	}
}

static void
same_stmts(const struct pp_accounts *x, const struct pp_accounts *y)
{
	size_t i;

	assert_int_equal(x->nstmts, y->nstmts);
	for (i = 0; i < x->nstmts; i++) {
		const struct pp_stmt_cell *a = &x->stmts[i],
		    *b = &y->stmts[i];

		assert_int_equal(a->session, b->session);
		assert_int_equal(a->stmt, b->stmt);
		assert_int_equal(a->depth, b->depth);
		assert_int_equal(a->executions, b->executions);
		assert_int_equal(a->parses, b->parses);
		assert_int_equal(a->misses, b->misses);
		same_sums(&a->sums, &b->sums);
		assert_true(a->between == b->between &&
		    a->recursive_parse == b->recursive_parse &&
		    a->recursive_exec == b->recursive_exec &&
		    a->recursive_fetch == b->recursive_fetch);
		assert_true(a->first == b->first && a->last == b->last);
	}
}

static void
same_sessions(const struct pp_accounts *x, const struct pp_accounts *y)
{
	size_t i, k;

	assert_int_equal(x->nsums, y->nsums);
	for (i = 0; i < x->nsums; i++) {
		const struct pp_session_sums *a = &x->sums[i],
		    *b = &y->sums[i];

		assert_memory_equal(a, b, offsetof(struct pp_session_sums,
		    gap));
		assert_int_equal(a->ngaps, b->ngaps);
		for (k = 0; k < a->ngaps; k++)
			assert_memory_equal(&a->gap[k], &b->gap[k],
			    offsetof(struct pp_gap, context) +
			    sizeof(a->gap[k].context));
	}
}

/* What was told: the second half of the problems is like the first. */
static void
same_problems(const struct world *w)
{
	const struct pp_problem *p = w->m.diag.problems;
	size_t n = w->m.diag.count / 2, i;

	assert_int_equal(w->m.diag.count, n * 2);
	for (i = 0; i < n; i++) {
		assert_int_equal(p[i].id, p[n + i].id);
		assert_int_equal(p[i].line, p[n + i].line);
		assert_int_equal(p[i].count, p[n + i].count);
		assert_true(pp_str_eq(p[i].message, p[n + i].message));
	}
}

/* How often n logs were walked by lanes. */
static unsigned
try(unsigned n, unsigned wrong)
{
	unsigned i, done = 0;

	for (i = 0; i < n; i++) {
		struct world w;
		struct pp_accounts one, many;

		setup(&w, 77 + i * 13, wrong);
		walk(&w, &one, 1);
		assert_int_equal(one.lanes, 0);
		walk(&w, &many, 2 + i % 6);
		done += many.lanes > 0;
		same_events(&one, &many);
		same_buckets(&one, &many);
		same_calls(&one, &many);
		same_stmts(&one, &many);
		same_sessions(&one, &many);
		same_problems(&w);
		pp_log_free(&w.m.log);
		pp_mem_free_all(&w.mem);
	}
	return done;
}

static void
test_nested(void **state)
{
	(void)state;
	assert_int_equal(try(12, 0), 12);
}

static void
test_overlaps(void **state)
{
	(void)state;
	(void)try(12, OVERLAP);
	(void)try(12, OVERLAP | LATE);
	(void)try(12, CPU);
}

static void
test_no_roots(void **state)
{
	(void)state;
	assert_true(try(12, NO_ROOTS) > 6);
}

static void
test_clocks(void **state)
{
	(void)state;
	(void)try(12, COARSE);
	(void)try(12, ERAS);
	(void)try(12, LATE | ERAS);
}

static void
test_states(void **state)
{
	(void)state;
	assert_int_equal(try(12, STATES), 12);
}

/* Where a lane has no memory left one walk does it. */
static void
test_no_memory(void **state)
{
	struct world w;
	struct pp_accounts one, many;

	(void)state;
	setup(&w, 5, 0);
	walk(&w, &one, 1);
	/* a lane is given 4 MiB at least, which it does not need; less than
	 * that and it is not begun */
	w.mem.limit = w.mem.used + (6u << 20);
	walk(&w, &many, 2);
	assert_int_equal(many.lanes, 0);
	same_events(&one, &many);
	same_buckets(&one, &many);
	w.mem.limit = w.mem.used + (40u << 20);
	walk(&w, &many, 2);
	assert_int_equal(many.lanes, 2);
	same_events(&one, &many);
	pp_log_free(&w.m.log);
	pp_mem_free_all(&w.mem);
}

/* Memory ends anywhere while what lanes made is added up. */
static void
test_memory_ends(void **state)
{
	static struct pp_accounts a;
	static struct world w;
	volatile long grant;
	volatile bool ended = false;
	jmp_buf trap;

	(void)state;
	for (grant = 0; !ended; grant += 7) {
		setup(&w, 9, 0);
		w.mem.trap = &trap;
		w.mem.fail_after = grant;
		if (setjmp(trap) == 0) {
			walk(&w, &a, 3);
			assert_int_equal(a.lanes, 3);
			ended = true;
		}
		w.mem.fail_after = -1;
		pp_log_free(&w.m.log);
		pp_mem_free_all(&w.mem);
	}
	assert_true(grant > 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_overlaps),
		cmocka_unit_test(test_no_roots),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_memory_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
