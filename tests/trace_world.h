/*
 * trace_world.h: whole traces in memory through everything but the writers:
 * lexed, folded, walked, summed up, checked, and turned into rows.
 */
#ifndef PP_TESTS_TRACE_WORLD_H
#define PP_TESTS_TRACE_WORLD_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../model/plan.h"
#include "../readers/input.h"
#include "../readers/reader.h"

struct trace_world {
	struct pp_mem mem;
	struct pp_model m;
	struct pp_accounts a, totals, intervals;
	struct pp_plan plan;
	struct pp_plan_raw raw;
	struct pp_report_ctx ctx;
	struct pp_input *input;	/* of how.path, while it is open */
	uint64_t rows;
	uint64_t damaged;	/* line whose self time is not asked for */
	int64_t least;		/* self time of a call, in ticks */
	uint64_t least_line;
	char why[300];		/* what does not hold; else empty */
};

/* How a trace is read. */
struct trace_how {
	bool raw;		/* raw tables as well */
	bool by;		/* split by everything */
	size_t chunk;		/* bytes; 0: all at once */
	const char *path;	/* read this file instead, as a run does */
	const char *reader;	/* NULL: that of Oracle traces */
};

/* A sink that looks at every cell, so that a tool for memory sees it. */
struct trace_sink {
	struct pp_rowsink sink;
	struct trace_world *w;
	unsigned sum;
};

static size_t
trace_column(const struct pp_table *t, const char *name)
{
	size_t c;

	for (c = 0; c < t->ncolumns; c++)
		if (strcmp(t->columns[c].name, name) == 0)
			return c;
	abort();
}

/* The smallest self time in rows of `events`. */
static void
trace_look(struct trace_world *w, const struct pp_batch *b)
{
	size_t line = trace_column(b->table, "line"), r,
	    self = trace_column(b->table, "self_s");

	for (r = 0; r < b->rows; r++) {
		if (b->tags[self][r] == 0 ||
		    (uint64_t)b->cells[line][r].num == w->damaged ||
		    (int64_t)b->cells[self][r].num >= w->least)
			continue;
		w->least = (int64_t)b->cells[self][r].num;
		w->least_line = (uint64_t)b->cells[line][r].num;
	}
}

static enum pp_status
trace_sink_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	(void)t;
	return PP_OK;
}

static enum pp_status
trace_sink_rows(struct pp_rowsink *sink, const struct pp_batch *b)
{
	struct trace_sink *s = (struct trace_sink *)(void *)sink;
	size_t c, r, i;

	s->w->rows += b->rows;
	if (strcmp(b->table->name, "events") == 0)
		trace_look(s->w, b);
	for (c = 0; c < b->table->ncolumns; c++)
		for (r = 0; r < b->rows; r++) {
			const union pp_cell *x = &b->cells[c][r];

			if (b->tags[c][r] == 0)
				continue;
			if (!pp_type_is_text(b->table->columns[c].type)) {
				s->sum += (unsigned)x->num;
				continue;
			}
			for (i = 0; i < x->str.n; i++)
				s->sum += (unsigned char)x->str.p[i];
		}
	return PP_OK;
}

static enum pp_status
trace_sink_end(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	(void)t;
	return PP_OK;
}

static const struct pp_reader *
trace_reader(const struct trace_how *how)
{
	return pp_reader_named(how->reader == NULL ? PP_STR("oracle10046") :
	    pp_str_from(how->reader));
}

static void
trace_read(struct trace_world *w, const char *p, size_t n,
    const struct trace_how *how)
{
	const struct pp_reader *reader = trace_reader(how);
	struct pp_records rec;
	struct pp_chunk c = {.line = 1};
	struct pp_fold *fold;
	uint32_t source = pp_model_source(&w->m);
	size_t at = 0, size = how->chunk, want = size;

	w->m.sources[source].name = PP_STR("t.trc");
	w->m.sources[source].path = PP_STR("t.trc");
	pp_records_init(&rec, &w->mem, reader->record_size);
	fold = reader->open(&w->m, 0);
	reader->begin(fold, source);
	do {
		const char *nl = NULL;

		c.p = p + at;
		c.n = n - at;
		if (size != 0 && want <= c.n)
			nl = memchr(c.p + want - 1, '\n', c.n - want + 1);
		if (nl != NULL)
			c.n = (size_t)(nl + 1 - c.p);
		c.last = at + c.n == n;
		c.used = 0;
		c.lines = 0;
		pp_records_reset(&rec);
		reader->lex(&c, &rec);
		(void)reader->fold(fold, &c, &rec);
		at += c.used;
		c.offset += c.used;
		c.line += c.lines;
		want = c.used == 0 ? c.n * 2 : size;
	} while (!c.last);
	reader->end(fold, source);
	reader->close(fold);
	pp_records_free(&rec);
}

static void
trace_read_file(struct trace_world *w, const struct trace_how *how)
{
	const struct pp_reader *reader = trace_reader(how);
	struct pp_records rec;
	struct pp_chunk c = {.line = 1};
	struct pp_peek peek = {.has_tick = false};
	struct pp_fold *fold;
	uint32_t source = pp_model_source(&w->m);
	uint8_t sum[32];
	pp_str err;

	w->m.sources[source].name = PP_STR("t.trc");
	w->m.sources[source].path = PP_STR("t.trc");
	w->input = pp_input_open(&w->mem, how->path, how->chunk, &err);
	if (w->input == NULL)
		return;
	(void)pp_reader_probe(pp_input_head(w->input));
	reader->peek(pp_input_head(w->input), &peek);
	pp_records_init(&rec, &w->mem, reader->record_size);
	fold = reader->open(&w->m, 0);
	reader->begin(fold, source);
	while (pp_input_next(w->input, &c)) {
		pp_records_reset(&rec);
		reader->lex(&c, &rec);
		(void)reader->fold(fold, &c, &rec);
	}
	(void)pp_input_error(w->input);
	(void)pp_input_sha256(w->input, sum);
	reader->end(fold, source);
	reader->close(fold);
	pp_records_free(&rec);
	pp_input_close(w->input);
	w->input = NULL;
}

static void
trace_split(struct pp_model *m)
{
	static const char *const name[] = {"module", "action", "client_id",
	    "service"};
	unsigned i;

	for (i = 0; i < 4; i++) {
		m->facets.by[i] = PP_BY_MODULE + i;
		m->facets.name[i] = name[i];
	}
	m->facets.n = 4;
}

/*
 * Read a trace of n bytes.  w->mem has been set up, with a trap; the caller
 * frees it.  False where an identity does not hold, told in w->why.
 */
static bool
trace_run(struct trace_world *w, const char *p, size_t n,
    const struct trace_how *how)
{
	struct pp_account_options opt = {.intervals = 7, .timeline = true};
	struct trace_sink sink = {{trace_sink_begin, trace_sink_rows,
	    trace_sink_end}, w, 0};
	pp_str unknown;

	w->least = INT64_MAX;
	pp_model_init(&w->m, &w->mem, NULL, "/tmp");
	if (how->by)
		trace_split(&w->m);
	pp_plan_make(&w->plan, PP_STR("all"), how->raw, true, &unknown);
	w->m.raw = w->plan.raw;
	pp_account_init(&w->a, &w->m, &opt);
	w->ctx.mem = &w->mem;
	w->ctx.model = &w->m;
	w->ctx.accounts = &w->a;
	pp_plan_raw_open(&w->raw, &w->plan, &w->ctx, &sink.sink);
	if (how->path != NULL)
		trace_read_file(w, how);
	else
		trace_read(w, p, n, how);
	if (pp_account_walk(&w->a, 0) == PP_FATAL ||
	    pp_plan_raw_group(&w->raw, &w->a) == PP_FATAL)
		snprintf(w->why, sizeof(w->why), "the log cannot be read");
	pp_account_finish(&w->a);
	if (w->why[0] == '\0')
		pp_account_check(&w->a, w->why, sizeof(w->why));
	if (how->by) {
		pp_account_merge(&w->totals, &w->a, PP_MERGE_SOURCES);
		pp_account_merge(&w->intervals, &w->a, PP_MERGE_CLOCKS);
		w->ctx.totals = &w->totals;
		w->ctx.intervals = &w->intervals;
		if (w->why[0] == '\0')
			pp_account_check(&w->totals, w->why,
			    sizeof(w->why));
		if (w->why[0] == '\0')
			pp_account_check(&w->intervals, w->why,
			    sizeof(w->why));
	}
	pp_plan_raw_close(&w->raw);
	pp_plan_emit(&w->plan, &w->ctx, how->reader == NULL ? PP_INPUT_TRACE :
	    w->m.inputs, &sink.sink);
	return w->why[0] == '\0';
}

enum trace_end { TRACE_FITS, TRACE_DIFFERS, TRACE_NO_MEMORY };

/* The same with memory of its own: at most `limit` bytes and `grants`
 * allocations (-1: all).  w is given back as it is after the run. */
static enum trace_end
trace_try(struct trace_world *w, const char *p, size_t n,
    const struct trace_how *how, size_t limit, long grants)
{
	jmp_buf trap;

	pp_mem_init(&w->mem, limit);
	w->mem.fail_after = grants;
	w->mem.trap = &trap;
	if (setjmp(trap) != 0)
		return TRACE_NO_MEMORY;
	return trace_run(w, p, n, how) ? TRACE_FITS : TRACE_DIFFERS;
}

static void
trace_free(struct trace_world *w)
{
	if (w->input != NULL)
		pp_input_close(w->input);
	if (w->m.mem != NULL) {
		if (w->m.log.mem != NULL)
			pp_log_free(&w->m.log);
		if (w->m.nested.mem != NULL)
			pp_log_free(&w->m.nested);
	}
	pp_mem_free_all(&w->mem);
}

#endif
