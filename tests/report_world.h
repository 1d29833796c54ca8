/*
 * report_world.h: a model and accounts put together by hand, and a sink that
 * writes the rows of a table as lines of text.
 *
 * Two sources.  `b.trc` counts microseconds and has a long session and one
 * within it; `old.trc` counts hundredths.  In the long session, 10 s:
 *
 *	statement      CPU   read  unaccounted  between calls
 *	7ws837zynp1zv  1.0   1.0   -0.5         4.0 (idle)
 *	?5             1.0   0.5                2.0 (idle)
 *	0abc                 0.5                0.5 (wait)
 */
#ifndef PP_REPORT_WORLD_H
#define PP_REPORT_WORLD_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../model/plan.h"

#define READ "db file sequential read"
#define CLIENT "SQL*Net message from client"

struct world {
	struct pp_mem mem;
	struct pp_model m;
	struct pp_accounts a;
	struct pp_report_ctx ctx;
	uint32_t stmt_a, stmt_b, stmt_c;
};

/* A sink that renders; NULL is empty, empty text "". */
struct text_sink {
	struct pp_rowsink sink;
	char *text;
	size_t n, cap;
	unsigned begun, ended;
	enum pp_status answer;	/* of rows */
};

static inline void
text_add(struct text_sink *t, const char *p, size_t n)
{
	if (t->n + n + 1 > t->cap) {
		t->cap = (t->n + n + 1) * 2;
		t->text = realloc(t->text, t->cap);
		assert_non_null(t->text);
	}
	if (n > 0)
		memcpy(t->text + t->n, p, n);
	t->n += n;
	t->text[t->n] = '\0';
}

static inline enum pp_status
text_begin(struct pp_rowsink *s, const struct pp_table *table)
{
	struct text_sink *t = (struct text_sink *)(void *)s;

	assert_int_equal(t->begun, t->ended);
	t->begun++;
	for (size_t i = 0; i < table->ncolumns; i++) {
		if (i)
			text_add(t, "|", 1);
		text_add(t, table->columns[i].name,
		    strlen(table->columns[i].name));
	}
	text_add(t, "\n", 1);
	return PP_OK;
}

static inline enum pp_status
text_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct text_sink *t = (struct text_sink *)(void *)s;
	char buf[PP_DEC_MAX];

	for (size_t row = 0; row < b->rows; row++) {
		for (size_t c = 0; c < b->table->ncolumns; c++) {
			const union pp_cell *v = &b->cells[c][row];
			uint8_t tag = b->tags[c][row];

			if (c)
				text_add(t, "|", 1);
			if (tag == 0)
				continue;
			if (!pp_type_is_text(b->table->columns[c].type))
				text_add(t, buf, pp_dec_format(buf, v->num,
				    (unsigned)tag - 1));
			else if (v->str.n == 0)
				text_add(t, "\"\"", 2);
			else
				text_add(t, v->str.p, v->str.n);
		}
		text_add(t, "\n", 1);
	}
	return t->answer;
}

static inline enum pp_status
text_end(struct pp_rowsink *s, const struct pp_table *table)
{
	struct text_sink *t = (struct text_sink *)(void *)s;

	(void)table;
	t->ended++;
	return PP_OK;
}

static inline void
text_sink_init(struct text_sink *t)
{
	memset(t, 0, sizeof(*t));
	t->sink.begin = text_begin;
	t->sink.rows = text_rows;
	t->sink.end = text_end;
	text_add(t, "", 0);
}

/* The header and rows of a table are exactly `want`. */
static inline void
expect_table(struct world *w, const char *name, const char *want)
{
	const struct pp_report *r = pp_report_named(pp_str_from(name));
	size_t used = w->mem.used;
	struct text_sink t;

	assert_non_null(r);
	assert_non_null(r->emit);
	text_sink_init(&t);
	assert_int_equal(r->emit(&w->ctx, &t.sink), PP_OK);
	assert_int_equal(t.begun, 1);
	assert_int_equal(t.ended, 1);
	assert_string_equal(t.text, want);
	/* the declaration of a wide table stays, all else is given back */
	if (!(r->table->flags & PP_TABLE_WIDE))
		assert_int_equal(w->mem.used, used);
	free(t.text);
}

/* The same for the rows alone. */
static inline void
expect_rows(struct world *w, const char *name, const char *want)
{
	const struct pp_report *r = pp_report_named(pp_str_from(name));
	struct text_sink t;
	const char *rows;

	assert_non_null(r);
	text_sink_init(&t);
	assert_int_equal(r->emit(&w->ctx, &t.sink), PP_OK);
	rows = strchr(t.text, '\n');
	assert_non_null(rows);
	assert_string_equal(rows + 1, want);
	free(t.text);
}

static inline uint32_t
name_id(struct world *w, const char *s)
{
	return pp_strtab_id(&w->m.names, pp_str_from(s));
}

static inline uint32_t
world_event(struct world *w, uint32_t session, const char *name,
    enum pp_class class, uint64_t count, int64_t time, int64_t min,
    int64_t max)
{
	struct pp_event_cell *e;
	void *v = w->a.events;

	pp_mem_grow(&w->mem, &v, &w->a.events_cap, w->a.nevents + 1,
	    sizeof(*e));
	w->a.events = v;
	e = &w->a.events[w->a.nevents];
	memset(e, 0, sizeof(*e));
	e->session = session;
	e->name = name_id(w, name);
	e->class = class;
	e->count = count;
	e->time = time;
	e->min = min;
	e->max = max;
	e->counted = class != PP_CLASS_UNACCOUNTED;
	return (uint32_t)w->a.nevents++;
}

static inline struct pp_bucket *
world_bucket(struct world *w, uint32_t stmt, uint32_t event,
    enum pp_place place, uint64_t count, int64_t time, int64_t max)
{
	struct pp_bucket *b;
	void *v = w->a.buckets;

	pp_mem_grow(&w->mem, &v, &w->a.buckets_cap, w->a.nbuckets + 1,
	    sizeof(*b));
	w->a.buckets = v;
	b = &w->a.buckets[w->a.nbuckets++];
	memset(b, 0, sizeof(*b));
	b->session = w->a.events[event].session;
	b->stmt = stmt;
	b->event = event;
	b->place = place;
	b->count = count;
	b->time = time;
	b->max = max;
	return b;
}

static inline void
world_slice(struct world *w, struct pp_bucket *b, uint32_t interval,
    int64_t time, uint64_t count)
{
	size_t cap = b->slices.cap;
	void *v = b->slices.v;

	pp_mem_grow(&w->mem, &v, &cap, b->slices.n + 1, sizeof(*b->slices.v));
	b->slices.v = v;
	b->slices.cap = (uint32_t)cap;
	b->slices.v[b->slices.n].interval = interval;
	b->slices.v[b->slices.n].time = time;
	b->slices.v[b->slices.n++].count = count;
}

static inline struct pp_stmt_cell *
world_stmt(struct world *w, uint32_t session, uint32_t stmt)
{
	struct pp_stmt_cell *s;
	void *v = w->a.stmts;

	pp_mem_grow(&w->mem, &v, &w->a.stmts_cap, w->a.nstmts + 1,
	    sizeof(*s));
	w->a.stmts = v;
	s = &w->a.stmts[w->a.nstmts++];
	memset(s, 0, sizeof(*s));
	s->session = session;
	s->stmt = stmt;
	return s;
}

static inline void
world_sums(struct pp_sums *s, uint64_t calls, int64_t elapsed, int64_t cpu,
    int64_t self, int64_t self_cpu, int64_t self_wait,
    int64_t self_unaccounted)
{
	s->calls = calls;
	s->elapsed = elapsed;
	s->cpu = cpu;
	s->self = self;
	s->self_cpu = self_cpu;
	s->self_wait = self_wait;
	s->self_unaccounted = self_unaccounted;
}

static inline void
world_sources(struct world *w)
{
	struct pp_source *s;
	struct pp_session *e;

	pp_model_source(&w->m);
	pp_model_source(&w->m);
	s = &w->m.sources[0];
	s->name = PP_STR("b.trc");
	s->path = PP_STR("in/b.trc.gz");
	s->reader = PP_STR("oracle10046");
	s->product = PP_STR("Oracle Database 19c");
	s->version = PP_STR("19.14.0.0.0");
	s->digits = 6;
	s->tick_units = 1;
	s->clock_factor = "1.024";
	s->started = (struct pp_wall){1711478467000000, 60, true, true};
	s->has_span = true;
	s->start = 1000000;
	s->end = 11000000;
	s->bytes = 5000;
	s->lines = 100;
	s->records = 90;
	s->repaired = 1;
	s->rejected = 2;
	s->noise = 3;
	s->status = PP_SRC_PARTIAL;
	s->has_sha256 = true;
	for (uint8_t i = 0; i < 32; i++)
		s->sha256[i] = (uint8_t)(i * 8);
	s = &w->m.sources[1];
	s->name = s->path = PP_STR("old.trc");
	s->digits = 2;
	s->tick_units = 1;
	s->has_span = true;
	s->start = 100;
	s->end = 400;
	s->status = PP_SRC_COMPLETE;

	/* made in another order than that of the tables */
	pp_model_session(&w->m, 1);
	pp_model_session(&w->m, 0);
	pp_model_session(&w->m, 0);
	e = w->m.sessions;
	e[0] = (struct pp_session){.source = 1, .ordinal = 1, .digits = 2,
		.has_time = true, .start = 100, .end = 400, .calls = 7};
	e[1] = (struct pp_session){.source = 0, .ordinal = 2, .digits = 6,
		.native_id = PP_STR("7.8"), .has_time = true,
		.start = 1500000, .end = 1600000};
	e[2] = (struct pp_session){.source = 0, .ordinal = 1, .digits = 6,
		.native_id = PP_STR("123.45"), .process = PP_STR("24374"),
		.module = PP_STR("billing"), .has_time = true,
		.start = 1000000, .end = 11000000, .calls = 5, .waits = 7,
		.commits = 2, .rollbacks = 1, .has_anchor = true,
		.anchor = {1711478467000000, 60, true, true},
		.anchor_tick = 1000000};
}

static inline void
world_statements(struct world *w)
{
	struct pp_stmt *s;

	w->stmt_a = pp_model_stmt(&w->m, PP_STR("7ws837zynp1zv"));
	w->stmt_b = pp_model_stmt(&w->m, PP_STR("?5"));
	w->stmt_c = pp_model_stmt(&w->m, PP_STR("0abc"));
	s = &w->m.stmts[w->stmt_a];
	s->sql_id = PP_STR("7ws837zynp1zv");
	s->has_hash = true;
	s->hash_value = 4294967295;
	s->has_text = s->complete = true;
	s->text = PP_STR("select 1\nfrom dual");
	s->text_bytes = 18;
	s->has_command = true;
	s->command = 3;
	s->parsing_user = 0;
	s = &w->m.stmts[w->stmt_b];
	s->parsing_user = -1;
	s = &w->m.stmts[w->stmt_c];
	s->sql_id = PP_STR("0abc");
	s->parsing_user = 92;
	s->has_command = true;
	s->command = 999;
	s->has_text = s->altered = true;
	s->text = PP_STR("");
	s->text_bytes = 77;
	s->digest = PP_STR("d:0123");
}

static inline void
world_axes(struct world *w)
{
	static const int64_t edge0[] = {1000000, 3500000, 6000000, 8500000,
		11000000}, edge1[] = {100, 200, 300, 400};
	struct pp_accounts *a = &w->a;

	a->axes = pp_mem_zalloc(&w->mem, 2 * sizeof(*a->axes));
	a->naxes = 2;
	a->axes[0] = (struct pp_axis){.source = 0, .digits = 6,
		.start = 1000000, .end = 11000000, .n = 4,
		.edge = pp_mem_alloc(&w->mem, sizeof(edge0))};
	memcpy(a->axes[0].edge, edge0, sizeof(edge0));
	a->axes[1] = (struct pp_axis){.source = 1, .digits = 2,
		.start = 100, .end = 400, .n = 3,
		.edge = pp_mem_alloc(&w->mem, sizeof(edge1))};
	memcpy(a->axes[1].edge, edge1, sizeof(edge1));
	a->axis_of = pp_mem_alloc(&w->mem, 3 * sizeof(*a->axis_of));
	a->axis_of[0] = 1;
	a->axis_of[1] = a->axis_of[2] = 0;
	a->sums = pp_mem_zalloc(&w->mem, 3 * sizeof(*a->sums));
	a->nsums = 3;
	a->sums[1].has_queue = true;
	a->roots = pp_mem_alloc(&w->mem, 3 * sizeof(*a->roots));
	for (size_t i = 0; i < 3; i++)
		a->roots[i] = PP_NODE_ROOT;
}

static inline void
world_long_session(struct world *w)
{
	uint32_t rd, un, cpu, idle, wt, a = w->stmt_a, b = w->stmt_b,
	    c = w->stmt_c;
	struct pp_bucket *k;

	rd = world_event(w, 2, READ, PP_CLASS_WAIT, 3, 2000000, 500000,
	    1000000);
	un = world_event(w, 2, "unaccounted-for", PP_CLASS_UNACCOUNTED, 0,
	    -500000, 0, 0);
	cpu = world_event(w, 2, "CPU EXEC", PP_CLASS_CPU, 2, 2000000,
	    1000000, 1000000);
	idle = world_event(w, 2, CLIENT, PP_CLASS_IDLE, 3, 6000000, 1500000,
	    2500000);
	wt = world_event(w, 2, CLIENT, PP_CLASS_WAIT, 1, 500000, 500000,
	    500000);

	k = world_bucket(w, b, idle, PP_PLACE_BETWEEN, 1, 2000000, 2000000);
	world_slice(w, k, 2, 1000000, 0);
	world_slice(w, k, 3, 1000000, 1);
	k = world_bucket(w, a, cpu, PP_PLACE_CALL, 1, 1000000, 1000000);
	world_slice(w, k, 0, 600000, 0);
	world_slice(w, k, 1, 400000, 1);
	k = world_bucket(w, a, rd, PP_PLACE_CALL, 1, 1000000, 1000000);
	world_slice(w, k, 1, 1000000, 1);
	k = world_bucket(w, a, un, PP_PLACE_CALL, 0, -500000, 0);
	world_slice(w, k, 2, -500000, 0);
	k = world_bucket(w, b, cpu, PP_PLACE_CALL, 1, 1000000, 1000000);
	world_slice(w, k, 3, 1000000, 1);
	k = world_bucket(w, b, rd, PP_PLACE_CALL, 1, 500000, 500000);
	world_slice(w, k, 3, 500000, 1);
	k = world_bucket(w, c, rd, PP_PLACE_CALL, 1, 500000, 500000);
	world_slice(w, k, 0, 500000, 1);
	k = world_bucket(w, a, idle, PP_PLACE_BETWEEN, 2, 4000000, 2500000);
	world_slice(w, k, 0, 1400000, 0);
	world_slice(w, k, 1, 1100000, 1);
	world_slice(w, k, 2, 1500000, 1);
	k = world_bucket(w, c, wt, PP_PLACE_BETWEEN, 1, 500000, 500000);
	world_slice(w, k, 2, 500000, 1);
	world_bucket(w, PP_STMT_BETWEEN, un, PP_PLACE_BETWEEN, 0, 0, 0);
	pp_hist_add(&w->a.events[rd].hist, &w->mem, 500000);
	pp_hist_add(&w->a.events[rd].hist, &w->mem, 500000);
	pp_hist_add(&w->a.events[rd].hist, &w->mem, 1000000);
	/* both cells of the message have a share of its histogram */
	pp_hist_add(&w->a.events[idle].hist, &w->mem, -3);
	pp_hist_add(&w->a.events[wt].hist, &w->mem, 42);
	pp_hist_add(&w->a.events[wt].hist, &w->mem, 42);
}

static inline void
world_long_statements(struct world *w)
{
	struct pp_stmt_cell *s;

	s = world_stmt(w, 2, PP_STMT_BETWEEN);
	world_sums(&s->sums, 0, 6500000, 0, 6500000, 0, 6500000, 0);
	s = world_stmt(w, 2, w->stmt_c);
	world_sums(&s->sums, 1, 500000, 0, 500000, 0, 500000, 0);
	s->between = 500000;
	s->has_depth = true;
	s->depth = 1;
	s = world_stmt(w, 2, w->stmt_b);
	world_sums(&s->sums, 1, 1500000, 1000000, 1500000, 1000000, 500000,
	    0);
	s->between = 2000000;
	s->executions = 1;
	s = world_stmt(w, 2, w->stmt_a);
	world_sums(&s->sums, 3, 3000000, 2000000, 1500000, 1000000, 1000000,
	    -500000);
	s->sums.rows = 5;
	s->sums.p = 7;
	s->sums.cr = 11;
	s->sums.cu = 13;
	s->between = 4000000;
	s->recursive_parse = 1;
	s->recursive_exec = 1500000;
	s->recursive_fetch = 3;
	s->executions = 2;
	s->parses = s->misses = 1;
	s->has_depth = s->has_time = true;
	s->first = 1000001;
	s->last = 11000000;
}

static inline void
world_other_sessions(struct world *w)
{
	struct pp_stmt_cell *s;
	struct pp_bucket *k;
	uint32_t cpu, un;

	cpu = world_event(w, 1, "CPU EXEC", PP_CLASS_CPU, 1, 100000, 100000,
	    100000);
	world_event(w, 1, "unaccounted-for", PP_CLASS_UNACCOUNTED, 0, 0, 0,
	    0);
	k = world_bucket(w, w->stmt_a, cpu, PP_PLACE_CALL, 1, 100000, 100000);
	world_slice(w, k, 0, 100000, 1);
	s = world_stmt(w, 1, w->stmt_a);
	world_sums(&s->sums, 1, 100000, 100000, 100000, 100000, 0, 0);
	s->sums.self_queue = 5;

	cpu = world_event(w, 0, "CPU PARSE", PP_CLASS_CPU, 7, 299, 0, 100);
	un = world_event(w, 0, "unaccounted-for", PP_CLASS_UNACCOUNTED, 0, 1,
	    0, 0);
	k = world_bucket(w, PP_STMT_NONE, cpu, PP_PLACE_CALL, 7, 299, 100);
	world_slice(w, k, 0, 100, 3);
	world_slice(w, k, 1, 100, 2);
	world_slice(w, k, 2, 99, 2);
	k = world_bucket(w, PP_STMT_BETWEEN, un, PP_PLACE_BETWEEN, 0, 1, 0);
	world_slice(w, k, 2, 1, 0);
	s = world_stmt(w, 0, PP_STMT_BETWEEN);
	world_sums(&s->sums, 0, 1, 0, 1, 0, 0, 1);
	s = world_stmt(w, 0, PP_STMT_NONE);
	world_sums(&s->sums, 7, 299, 299, 299, 299, 0, 0);
}

static inline void
world_open(struct world *w)
{
	const struct pp_account_options o = {.intervals = 4,
		.timeline = true};

	memset(w, 0, sizeof(*w));
	pp_mem_init(&w->mem, 0);
	pp_model_init(&w->m, &w->mem, NULL, "/tmp");
	pp_account_init(&w->a, &w->m, &o);
	w->ctx.mem = &w->mem;
	w->ctx.model = &w->m;
	w->ctx.accounts = &w->a;
}

static inline int
world_setup(void **state)
{
	struct world *w = malloc(sizeof(*w));

	assert_non_null(w);
	world_open(w);
	world_sources(w);
	world_statements(w);
	world_axes(w);
	world_long_session(w);
	world_long_statements(w);
	world_other_sessions(w);
	*state = w;
	return 0;
}

static inline int
world_teardown(void **state)
{
	struct world *w = *state;

	pp_mem_free_all(&w->mem);
	free(w);
	return 0;
}

#endif
