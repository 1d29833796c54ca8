/*
 * output.c: see output.h.
 */
#include "output.h"

#include <stddef.h>

#include "../readers/reader.h"

/* Tell, once, why the output fails. */
static void
tell(struct pp_output *o)
{
	bool epipe = false;
	pp_str err;

	if (o->failed)
		return;
	o->failed = true;
	err = pp_sink_error(o->run->sink, &epipe);
	if (epipe)
		return;
	if (err.n != 0)
		pp_run_say(o->run, "%.*s", (int)err.n, err.p);
	else
		pp_run_say(o->run, "%s: nothing written", o->run->opt->out);
}

static enum pp_status
check(struct pp_output *o, enum pp_status status)
{
	if (status >= PP_FAILED)
		tell(o);
	return status;
}

/* ----------------------------------------------- what writers may know */

#define DIGITS_MOST 12

/*
 * The digits of the finest clock: of the sessions that are known, and of what
 * a reader may still bring to a raw table, which is begun before the input is
 * read.
 */
static unsigned
finest(const struct pp_model *m, bool raw)
{
	const struct pp_reader *reader;
	unsigned digits = 0, n;
	size_t i;

	for (i = 0; i < m->nsources; i++) {
		reader = pp_reader_named(m->sources[i].reader);
		n = reader != NULL && reader->digits != 0 ? reader->digits :
		    raw || m->nsessions == 0 ? DIGITS_MOST :
		    m->sources[i].digits;
		digits = n > digits ? n : digits;
	}
	for (i = 0; i < m->nsessions; i++)
		if (m->sessions[i].digits > digits)
			digits = m->sessions[i].digits;
	return digits;
}

/* Tell the writer what is known by now. */
static void
inform(struct pp_output *o, const struct pp_table *t)
{
	const struct pp_model *m = &o->run->model;
	struct pp_write_input *in = &o->ctx.input;
	size_t i;

	if (in->nsources != m->nsources) {
		pp_mem_free(o->ctx.mem, o->sources);
		o->sources = pp_mem_zalloc(o->ctx.mem,
		    (m->nsources + 1) * sizeof(*o->sources));
	}
	for (i = 0; i < m->nsources; i++) {
		o->sources[i].name = m->sources[i].name;
		o->sources[i].has_sha256 = m->sources[i].has_sha256;
		memcpy(o->sources[i].sha256, m->sources[i].sha256,
		    sizeof(o->sources[i].sha256));
	}
	in->sources = o->sources;
	in->nsources = m->nsources;
	in->digits = finest(m, (t->flags & PP_TABLE_RAW) != 0);
	if (o->digits > in->digits)
		in->digits = o->digits;
}

/* ------------------------------------------------- straight to the writer */

static struct pp_output *
of_direct(struct pp_rowsink *s)
{
	return (struct pp_output *)(void *)((char *)s -
	    offsetof(struct pp_output, direct));
}

static enum pp_status
direct_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct pp_output *o = of_direct(s);

	inform(o, t);
	return check(o, o->ctx.writer->begin(&o->ctx, t));
}

static enum pp_status
direct_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct pp_output *o = of_direct(s);

	return check(o, o->ctx.writer->rows(&o->ctx, b));
}

static enum pp_status
direct_end(struct pp_rowsink *s, const struct pp_table *t)
{
	struct pp_output *o = of_direct(s);

	inform(o, t);
	return check(o, o->ctx.writer->end(&o->ctx, t));
}

/* --------------------------------------------------- one after another */

static struct pp_output *
of_sink(struct pp_rowsink *s)
{
	return (struct pp_output *)(void *)s;
}

static struct pp_output_waiting *
find_waiting(struct pp_output *o, const struct pp_table *t)
{
	size_t i;

	for (i = 0; i < o->nwaiting; i++)
		if (o->waiting[i].table == t)
			return &o->waiting[i];
	return NULL;
}

static enum pp_status
check_spool(struct pp_output *o, enum pp_status status)
{
	if (o->spool.error != 0 && !o->failed) {
		o->failed = true;
		pp_run_say(o->run, "the row spool in %s: %s; --tmp DIR puts "
		    "it elsewhere", o->run->tmpdir,
		    strerror(o->spool.error));
	}
	return check(o, status);
}

/* The writer is free: give it what has ended, in order. */
static enum pp_status
drain(struct pp_output *o)
{
	enum pp_status worst = PP_OK, status;
	size_t n;

	for (n = 0; n < o->nwaiting && o->waiting[n].ended &&
	    worst < PP_FAILED; n++) {
		status = check_spool(o, pp_rowspool_replay(&o->spool,
		    o->waiting[n].table, &o->direct));
		worst = status > worst ? status : worst;
	}
	if (n > 0)
		memmove(o->waiting, o->waiting + n,
		    (o->nwaiting - n) * sizeof(*o->waiting));
	o->nwaiting -= n;
	return worst;
}

/* A writer takes the first of tables that are open together; the others
 * wait in the spool. */
static enum pp_status
sink_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct pp_output *o = of_sink(s);
	void *v = o->waiting;

	if (o->open == NULL && o->nwaiting == 0) {
		o->open = t;
		return direct_begin(&o->direct, t);
	}
	pp_mem_grow(o->ctx.mem, &v, &o->waiting_cap, o->nwaiting + 1,
	    sizeof(*o->waiting));
	o->waiting = v;
	o->waiting[o->nwaiting++] = (struct pp_output_waiting){t, false};
	return PP_OK;
}

static enum pp_status
sink_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct pp_output *o = of_sink(s);

	if (b->table == o->open)
		return direct_rows(&o->direct, b);
	return check_spool(o, pp_rowspool_rows(&o->spool, b));
}

static enum pp_status
sink_end(struct pp_rowsink *s, const struct pp_table *t)
{
	struct pp_output *o = of_sink(s);
	enum pp_status status = PP_OK, drained = PP_OK;
	struct pp_output_waiting *w;

	if (t == o->open) {
		status = direct_end(&o->direct, t);
		o->open = NULL;
	} else {
		w = find_waiting(o, t);
		PP_ASSERT(w != NULL);
		w->ended = true;
	}
	if (o->open == NULL && status < PP_FAILED)
		drained = drain(o);
	return status > drained ? status : drained;
}

static bool
declares(pp_str table, pp_str column)
{
	const struct pp_report *const *all;
	size_t n, i, k;

	all = pp_reports(&n);
	for (i = 0; i < n; i++) {
		const struct pp_table *t = all[i]->table;

		if (table.n > 0 && !pp_str_eq(table, pp_str_from(t->name)))
			continue;
		for (k = 0; k < t->ncolumns; k++)
			if (pp_str_eq(column,
			    pp_str_from(t->columns[k].name)))
				return true;
	}
	return false;
}

bool
pp_output_open(struct pp_output *o, struct pp_run *r,
    const struct pp_writer *w, bool one_table)
{
	enum pp_sink_kind kind = PP_SINK_FILE;
	pp_str err;

	memset(o, 0, sizeof(*o));
	o->run = r;
	o->direct = (struct pp_rowsink){direct_begin, direct_rows,
	    direct_end};
	o->sink = (struct pp_rowsink){sink_begin, sink_rows, sink_end};
	pp_rowspool_init(&o->spool, &r->mem, r->tmpdir);
	if (strcmp(r->opt->out, "-") == 0)
		kind = PP_SINK_STDOUT;
	else if ((w->caps & PP_W_FOLDER) != 0 &&
	    (!one_table || r->opt->write.partition))
		kind = PP_SINK_FOLDER;
	r->sink = pp_sink_open(&r->mem, kind, r->opt->out, &err);
	if (r->sink == NULL) {
		pp_run_say(r, "%.*s", (int)err.n, err.p);
		return false;
	}
	if (r->opt->jobs != 1 && (r->opt->jobs > 1 || pp_run_cores() > 1))
		pp_sink_use_thread(r->sink);
	o->ctx.writer = w;
	o->ctx.mem = &r->mem;
	o->ctx.diag = &r->model.diag;
	o->ctx.sink = r->sink;
	o->ctx.opt = r->opt->write;
	o->ctx.one_table = one_table;
	o->ctx.declares = declares;
	return true;
}

struct pp_rowsink *
pp_output_sink(struct pp_output *o)
{
	return (o->ctx.writer->caps & PP_W_INTERLEAVED) != 0 ? &o->direct :
	    &o->sink;
}

bool
pp_output_begin(struct pp_output *o)
{
	o->run->writer = &o->ctx;
	return check(o, o->ctx.writer->open(&o->ctx)) < PP_FAILED;
}

bool
pp_output_commit(struct pp_output *o)
{
	struct pp_run *r = o->run;

	if (o->failed ||
	    check(o, o->ctx.writer->close(&o->ctx)) >= PP_FAILED)
		return false;
	r->writer = NULL;
	o->ctx.writer->free(&o->ctx);
	pp_rowspool_free(&o->spool);
	if (!pp_sink_commit(r->sink)) {
		tell(o);
		return false;
	}
	r->sink = NULL;
	return true;
}
