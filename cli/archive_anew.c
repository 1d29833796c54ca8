/*
 * archive_anew.c: rows of a table made anew from profiles of an archive:
 * which of them belong together, and what the readers make of these.
 *
 * What is kept was made of each profile alone.  The tables of a server and
 * the parts of a trace mean more together.
 */
#include "archive_rows.h"

#include <stddef.h>

#include "capture.h"
#include "chain.h"
#include "inputs.h"

/* ----------------------------------------------------------------- groups */

/* What chain.c must know of a file, without its head: which others it may
 * belong to. */
static void
recall_peek(struct pp_file *x)
{
	bool trace = pp_str_eq(x->entry->reader, PP_STR("oracle10046"));

	x->reader = pp_reader_named(trace ? PP_STR("oracle10046") :
	    PP_STR("client"));
	x->peek.has_tick = trace;
	x->peek.continues = x->entry->continues;
	x->peek.shares = x->entry->shares;
}

struct pp_archive_group *
pp_archive_groups(struct pp_archive_run *a)
{
	struct pp_mem *mem = &a->run.mem;
	struct pp_store *s = a->store;
	struct pp_archive_group *g = pp_mem_zalloc(mem,
	    (s->n + 1) * sizeof(*g));
	const struct pp_entry **v = pp_mem_alloc(mem,
	    (s->n + 1) * sizeof(*v));
	uint32_t *first;
	struct pp_files f = {.sides = false};
	size_t i, at, n = 0;

	for (i = 0; i < s->n; i++)
		if (pp_archive_wants(a, i))
			v[n++] = &s->v[i];
	pp_files_stored(&f, mem, s, v, n, NULL);
	for (i = 0; i < n; i++)
		recall_peek(&f.v[i]);
	pp_files_name(&f);
	pp_chain_order(&f);
	first = pp_mem_alloc(mem, (n + 1) * sizeof(*first));
	for (i = 0; i < n; i++)
		first[i] = UINT32_MAX;
	for (i = 0; i < n; i++) {
		at = (size_t)(f.v[i].entry - s->v);
		if (at < first[f.v[i].group])
			first[f.v[i].group] = (uint32_t)at;
	}
	for (i = 0; i < n; i++) {
		at = (size_t)(f.v[i].entry - s->v);
		g[at].name = f.v[i].name;
		g[at].first = first[f.v[i].group];
		g[g[at].first].members++;
		if (f.v[i].rank == 0)
			g[g[at].first].head = f.v[i].name;
	}
	pp_mem_free(mem, first);
	pp_mem_free(mem, v);
	return g;
}

/* ---------------------------------------------------------------- parsing */

struct parse {
	struct pp_run run;	/* first member */
	struct pp_rowsink sink;	/* of the rows that are made */
	struct pp_archive_run *a;
	const struct pp_archive_group *groups;
	const uint32_t *v;	/* the profiles */
	size_t n;
	struct pp_archive_wanted *w;
	struct pp_files files;
	struct pp_plan plan;
	struct pp_report_ctx ctx;
	/* the table as the rows of an archive have it */
	struct pp_archive_filter *filter;
	struct pp_columns_table table;
	struct pp_columns_rows rows;
	uint32_t source;	/* the column; UINT32_MAX: none */
	uint32_t entry[PP_BATCH_ROWS];
	bool stopped;
};

static struct parse *
of_sink(struct pp_rowsink *s)
{
	return (struct parse *)(void *)((char *)s - offsetof(struct parse,
	    sink));
}

static enum pp_status
sink_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct parse *p = of_sink(s);
	struct pp_columns_table *x = &p->table;
	size_t i;

	x->name = pp_str_from(t->name);
	x->ncolumns = (uint32_t)t->ncolumns;
	x->column = pp_mem_alloc(&p->run.mem,
	    (t->ncolumns + 1) * sizeof(*x->column));
	x->type = pp_mem_alloc(&p->run.mem,
	    (t->ncolumns + 1) * sizeof(*x->type));
	for (i = 0; i < t->ncolumns; i++) {
		x->column[i] = pp_str_from(t->columns[i].name);
		x->type[i] = t->columns[i].type;
	}
	p->source = pp_columns_column(x, PP_STR("source"));
	return PP_OK;
}

/* Which profile is called so?  Its place in the store. */
static uint32_t
entry_called(const struct parse *p, pp_str name)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (pp_str_eq(p->groups[p->v[i]].name, name))
			return p->v[i];
	return p->v[0];
}

static enum pp_status
sink_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct parse *p = of_sink(s);
	struct pp_archive_block x = {.entry = p->entry, .t = &p->table,
		.rows = &p->rows};
	pp_str name;
	size_t i;

	if (p->stopped)
		return PP_OK;
	p->rows.rows = (uint32_t)b->rows;
	p->rows.cells = b->cells;
	p->rows.tags = b->tags;
	p->rows.ncolumns = p->table.ncolumns;
	for (i = 0; i < b->rows; i++) {
		name = p->source == UINT32_MAX || b->tags[p->source][i] == 0 ?
		    PP_STR("") : b->cells[p->source][i].str;
		p->entry[i] = i > 0 && p->source != UINT32_MAX &&
		    b->tags[p->source][i - 1] != 0 && pp_str_eq(name,
		    b->cells[p->source][i - 1].str) ? p->entry[i - 1] :
		    entry_called(p, name);
	}
	x.match = pp_archive_match(p->filter, &p->table, &p->rows);
	p->stopped = !p->w->see(p->w->arg, &x);
	return PP_OK;
}

static enum pp_status
sink_end(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	(void)t;
	return PP_OK;
}

/* What reading them together has lost. */
static void
tell_partial(struct parse *p)
{
	const struct pp_model *m = &p->run.model;
	uint64_t had = p->w->partial;
	size_t i;

	for (i = 0; i < m->nsources; i++)
		if (m->sources[i].status == PP_SRC_PARTIAL)
			pp_archive_tell_partial(p->a, p->w,
			    m->sources[i].name);
	if (m->diag.partial && p->w->partial == had)
		pp_archive_tell_partial(p->a, p->w,
		    p->groups[p->v[0]].name);
}

static enum pp_exit
parse_body(struct pp_run *r)
{
	struct parse *p = (struct parse *)(void *)r;
	const struct pp_entry **e = pp_mem_alloc(&r->mem,
	    p->n * sizeof(*e));
	pp_str *names = pp_mem_alloc(&r->mem, p->n * sizeof(*names)), bad;
	struct pp_account_options account = r->opt->account;
	size_t i;

	/* the archive's memory is the outer run's: when that has no more,
	 * this one must be ended, too */
	p->a->run.mem.trap = r->mem.trap;
	for (i = 0; i < p->n; i++) {
		e[i] = &p->a->store->v[p->v[i]];
		names[i] = p->groups[p->v[i]].name;
	}
	if (!pp_capture_stored(r, &p->files, p->a->store, e, p->n, names))
		return PP_EXIT_NOTHING;
	PP_ASSERT(pp_plan_make(&p->plan, pp_str_from(
	    p->w->report->table->name), false, true, &bad));
	account.timeline = p->plan.slices;
	account.no_paths = !pp_plan_has(&p->plan, PP_STR("tree"));
	r->model.raw = p->plan.raw;
	pp_account_init(&r->accounts, &r->model, &account);
	p->ctx.mem = &r->mem;
	p->ctx.model = &r->model;
	p->ctx.accounts = &r->accounts;
	pp_plan_raw_open(&r->raw, &p->plan, &p->ctx, &p->sink);
	if (!pp_capture_read(r, &p->files))
		return PP_EXIT_NOTHING;
	if (pp_plan_raw_close(&r->raw) < PP_FAILED)
		(void)pp_plan_emit(&p->plan, &p->ctx, r->model.inputs,
		    &p->sink);
	tell_partial(p);
	if (p->w->how == PP_ROWS_ANEW)
		p->w->unfilled = p->w->report->inputs != PP_INPUT_ANY &&
		    !(p->w->report->inputs & r->model.inputs);
	return PP_EXIT_OK;
}

bool
pp_archive_anew(struct pp_archive_run *a, const struct pp_archive_group *g,
    const uint32_t *v, size_t n, struct pp_archive_wanted *w)
{
	struct parse *p = pp_mem_zalloc(&a->run.mem, sizeof(*p));
	struct pp_options o = *a->run.opt;
	char *words[1] = {o.words[1]};
	jmp_buf *trap = a->run.mem.trap;
	bool ok;

	/* what is odd in them was told when they were added */
	o.quiet = !o.verbose;
	o.out = NULL;
	o.words = words;
	o.nwords = 1;
	p->sink = (struct pp_rowsink){sink_begin, sink_rows, sink_end};
	p->a = a;
	p->groups = g;
	p->v = v;
	p->n = n;
	p->w = w;
	p->filter = pp_archive_filter(a);
	a->store->err[0] = '\0';
	ok = pp_run(&p->run, &o, parse_body) == PP_EXIT_OK;
	a->run.mem.trap = trap;
	if (!ok || a->store->err[0] != '\0')
		pp_run_say(&a->run, "%s:%.*s%s: cannot be read%s%s%s",
		    a->path, (int)g[v[0]].name.n, g[v[0]].name.p, n > 1 ?
		    " and others that are read with it" : "", ok ?
		    " to the end" : "", a->store->err[0] != '\0' ? ": " :
		    "", a->store->err);
	w->failed |= !ok && w->how == PP_ROWS_ANEW;
	return ok && a->store->err[0] == '\0';
}
