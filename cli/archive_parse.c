/*
 * archive_parse.c: see archive_parse.h.
 */
#include "archive_parse.h"

#include "../model/container/columns.h"
#include "../model/digests.h"
#include "capture.h"

struct parse {
	struct pp_run run;	/* first member */
	struct pp_archive_run *a;
	const struct pp_parse_from *from;
	struct pp_files files;
	struct pp_entry *about;
	struct pp_plan plan;
	struct pp_report_ctx ctx;
	struct pp_columns_out *out;
	bool failed;		/* to write them */
};

static void
tell_times(const struct pp_model *m, struct pp_entry *e)
{
	const struct pp_source *s = &m->sources[0];
	struct pp_wall first = s->started, last = s->ended, w;
	size_t i;

	for (i = 0; i < m->nsessions; i++) {
		const struct pp_session *x = &m->sessions[i];

		if (!x->has_time)
			continue;
		if (pp_session_wall(x, x->start, &w) &&
		    (!first.known || w.us < first.us))
			first = w;
		if (pp_session_wall(x, x->end, &w) &&
		    (!last.known || w.us > last.us))
			last = w;
	}
	if (!first.known)
		return;
	e->has_time = true;
	e->first_us = first.us;
	e->last_us = last.known && last.us > first.us ? last.us : first.us;
	e->has_offset = first.has_offset;
	e->offset_min = first.offset_min;
}

/* Of rows that a server has summed up: what they cover, and when they were
 * last added to. */
static void
tell_digests(const struct pp_model *m, struct pp_entry *e)
{
	const struct pp_digest_source *s;
	const struct pp_digest_at *a, *b;
	size_t i;

	if (m->digests == NULL)
		return;
	for (i = 0; e->calls == 0 && i < m->digests->n; i++)
		e->calls += pp_digest_at(m->digests, i)->count[PP_DG_CALLS];
	if (e->has_time || m->digests->nsources == 0)
		return;
	s = &m->digests->sources[0];
	a = s->from.known ? &s->from : &s->newest;
	b = s->until.known ? &s->until : &s->newest;
	if (!a->known)
		return;
	e->has_time = true;
	e->first_us = a->us;
	e->last_us = b->known && b->us > a->us ? b->us : a->us;
	e->has_offset = a->has_offset;
	e->offset_min = a->offset_min;
}

static void
tell(struct parse *p)
{
	struct pp_arena *text = &p->a->append->store->text;
	const struct pp_model *m = &p->run.model;
	const struct pp_source *s = &m->sources[0];
	struct pp_entry *e = p->about;
	size_t i;

	e->reader = pp_arena_str(text, s->reader);
	e->product = pp_arena_str(text, s->product);
	e->version = pp_arena_str(text, s->version);
	e->host = pp_arena_str(text, s->host);
	e->instance = pp_arena_str(text, s->instance);
	e->status = (unsigned)s->status;
	e->inputs = m->inputs;
	e->records = s->records;
	e->lines = s->lines;
	for (i = 0; i < m->nsessions; i++)
		e->calls += m->sessions[i].calls;
	if (e->calls == 0)
		e->calls = m->nqueries;
	e->has_span = s->has_span;
	e->span = s->has_span ? pp_i64_sub(s->end, s->start) : 0;
	e->digits = s->digits;
	e->continues = pp_arena_str(text, p->files.v[0].peek.continues);
	e->shares = p->files.v[0].peek.shares;
	tell_times(m, e);
	tell_digests(m, e);
}

static bool
put_columns(void *arg, const void *bytes, size_t n)
{
	struct parse *p = arg;

	return p->from->end(p->from->input.arg) &&
	    pp_append_columns(p->a->append, bytes, n);
}

/* From here on it is as in convert; the writer is the archive. */
static void
prepare(struct parse *p)
{
	struct pp_run *r = &p->run;
	struct pp_account_options account = r->opt->account;
	pp_str bad;

	PP_ASSERT(pp_plan_make(&p->plan, PP_STR(PP_ARCHIVE_TABLES), false,
	    false, &bad));
	account.timeline = p->plan.slices;
	r->model.raw = p->plan.raw;
	pp_account_init(&r->accounts, &r->model, &account);
	p->ctx.mem = &r->mem;
	p->ctx.model = &r->model;
	p->ctx.accounts = &r->accounts;
	p->out = pp_columns_out(&r->mem, put_columns, p);
	pp_plan_raw_open(&r->raw, &p->plan, &p->ctx,
	    pp_columns_sink(p->out));
}

static enum pp_exit
parse_body(struct pp_run *r)
{
	struct parse *p = (struct parse *)(void *)r;
	struct pp_append *w = p->a->append;
	struct pp_entry e = w->e;

	e.bytes = p->from->input.bytes;
	if (!pp_capture_passing(r, &p->files, w->store, &e, &p->from->input))
		return PP_EXIT_OK;
	prepare(p);
	/* what has begun is ended also where no record was found */
	if (pp_capture_read(r, &p->files)) {
		tell(p);
		if (pp_plan_raw_close(&r->raw) < PP_FAILED)
			(void)pp_plan_emit(&p->plan, &p->ctx,
			    r->model.inputs, pp_columns_sink(p->out));
	} else {
		(void)pp_plan_raw_close(&r->raw);
	}
	if (pp_columns_too_long(p->out))
		pp_run_say(&p->a->run, "%.*s: a text of it is too long for "
		    "tables, which are not kept; the profile is",
		    (int)w->e.path.n, w->e.path.p);
	p->failed = !pp_columns_out_close(p->out) ||
	    !pp_append_columns_end(w);
	return PP_EXIT_OK;
}

bool
pp_archive_parse(struct pp_archive_run *a, const struct pp_parse_from *from,
    struct pp_entry *about, bool *failed)
{
	struct pp_options o = *a->run.opt;
	char *words[1];
	struct parse p;

	words[0] = pp_arena_alloc(&a->append->store->text,
	    a->append->e.path.n + 1);
	memcpy(words[0], a->append->e.path.p, a->append->e.path.n + 1);
	o.words = words;
	o.nwords = 1;
	o.out = NULL;
	o.quiet = !o.verbose;
	memset(&p, 0, sizeof(p));
	p.a = a;
	p.from = from;
	p.about = about;
	*failed = false;
	if (pp_run(&p.run, &o, parse_body) != PP_EXIT_OK)
		return false;
	*failed = p.failed;
	return true;
}
