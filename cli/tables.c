/*
 * tables.c: see tables.h.
 *
 * Rows go from the reader through the pivots to the output.  `problems` is
 * passed on like all others, with what is told of this run behind its rows.
 */
#include "tables.h"

#include "../model/base/strtab.h"
#include "../model/container/store.h"
#include "../model/report/report.h"
#include "output.h"

#define KNOWN_MAX PP_PLAN_MAX

struct tables_run {
	struct pp_run run;	/* first member: found again in the body */
	const struct pp_tablereader *reader;
	const struct pp_writer *writer;
	struct pp_tables in;
	struct pp_rowsink sink;	/* takes what the reader reads */
	struct pp_rowsink *to;	/* where that goes */
	struct pp_rowsink inner; /* rows into a table that is open */
	struct pp_pivots pivots;
	struct pp_output output;
	const char *list;	/* tables that are named; "": all */
	uint32_t seen;		/* bits: of these, by place in the list */
	struct pp_strtab names;	/* tables that have begun */
};

const struct pp_tablereader *
pp_tables_input(const struct pp_options *o, bool *wrong)
{
	const struct pp_tablereader *r, *found = NULL;
	struct pp_mem mem;
	size_t i;

	*wrong = false;
	pp_mem_init(&mem, 0);
	if (o->reader != NULL)
		found = pp_tablereader_named(pp_str_from(o->reader));
	else
		for (i = 0; i < o->nwords; i++) {
			/* an archive begins with the text of a profile */
			r = pp_store_is(o->words[i]) ? NULL :
			    pp_tablereader_probe(&mem, o->words[i]);
			if (r != NULL)
				found = r;
		}
	pp_mem_free_all(&mem);
	if (found == NULL || o->nwords == 1)
		return found;
	pp_usage(o->command, "tables that profpivot has written are read "
	    "alone, not together with other inputs");
	*wrong = true;
	return NULL;
}

/* ---------------------------------------------------------------- names */

/* The place of a name in a comma list, or -1. */
static int
place_of(const char *list, pp_str name)
{
	pp_str s = pp_str_from(list), word;
	size_t n;
	int i;

	for (i = 0; s.n > 0; i++) {
		n = pp_str_find(s, PP_STR(","));
		word = pp_str_trim((pp_str){s.p, n});
		s = pp_str_skip(s, n + 1);
		if (pp_str_eq(word, name))
			return i;
	}
	return -1;
}

static bool
is_wanted(struct tables_run *w, const struct pp_table *t)
{
	pp_str name = pp_str_from(t->name);
	int i = place_of(w->list, name);

	if (i >= 0 && i < 32)
		w->seen |= 1u << i;
	return w->list[0] == '\0' || i >= 0 ||
	    place_of(w->list, PP_STR("all")) >= 0;
}

static bool
is_turned(const struct tables_run *w, const struct pp_table *t)
{
	size_t i;

	for (i = 0; i < w->pivots.n; i++)
		if (pp_str_eq(w->pivots.spec[i].table,
		    pp_str_from(t->name)))
			return true;
	return false;
}

/* A table may come once, and a pivot that is asked for takes the place of
 * one that is there. */
static bool
is_taken(struct tables_run *w, const struct pp_table *t)
{
	pp_str name = pp_str_from(t->name);
	struct pp_diag *d = &w->run.model.diag;
	size_t n = w->names.count, at;

	if (pp_pivots_named(&w->pivots, name, &at)) {
		pp_diag_tell(d, PP_MSG_LEFT_OUT, 0, UINT64_MAX, "%s: --pivot "
		    "makes it anew", t->name);
		return true;
	}
	pp_strtab_id(&w->names, name);
	if (w->names.count > n)
		return false;
	pp_diag_tell(d, PP_MSG_BAD_RECORD, 0, UINT64_MAX, "%s: there is such "
	    "a table already", t->name);
	return true;
}

static bool
want(void *arg, const struct pp_table *t)
{
	struct tables_run *w = arg;
	bool wanted = is_wanted(w, t), turned = is_turned(w, t);

	if (is_taken(w, t))
		return false;
	if ((t->flags & PP_TABLE_WIDE) != 0 &&
	    (w->writer->caps & PP_W_WIDE) == 0) {
		if (wanted)
			pp_diag_tell(&w->run.model.diag, PP_MSG_LEFT_OUT, 0,
			    UINT64_MAX, "%s: %s has no tables whose columns "
			    "come from the data", t->name, w->writer->name);
		return false;
	}
	if (turned && !wanted)
		pp_pivots_hide(&w->pivots, t->name);
	return wanted || turned;
}

/* Tell a table that was asked for and is not there. */
static bool
all_seen(struct tables_run *w)
{
	pp_str s = pp_str_from(w->list), word;
	size_t n, at;
	int i;

	for (i = 0; s.n > 0 && i < 32; i++) {
		n = pp_str_find(s, PP_STR(","));
		word = pp_str_trim((pp_str){s.p, n});
		s = pp_str_skip(s, n + 1);
		if ((w->seen & (1u << i)) || word.n == 0 ||
		    pp_str_eq(word, PP_STR("all")) ||
		    pp_pivots_named(&w->pivots, word, &at))
			continue;
		/* texts only help a writer that takes certain tables */
		if (i > 0 && w->writer->tables != NULL)
			continue;
		pp_run_say(&w->run, "%s: has no table `%.*s`",
		    w->run.opt->words[0], (int)word.n, word.p);
		return false;
	}
	return true;
}

/* -------------------------------------------------------------- problems */

static struct tables_run *
of_sink(struct pp_rowsink *s)
{
	return (struct tables_run *)(void *)((char *)s -
	    offsetof(struct tables_run, sink));
}

static struct tables_run *
of_inner(struct pp_rowsink *s)
{
	return (struct tables_run *)(void *)((char *)s -
	    offsetof(struct tables_run, inner));
}

static enum pp_status
no_change(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	(void)t;
	return PP_OK;
}

static enum pp_status
inner_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct tables_run *w = of_inner(s);

	return w->to->rows(w->to, b);
}

static void
put_problem(struct pp_rows *r, const struct pp_problem *p)
{
	const struct pp_msg_info *info = &pp_msg_info[p->id];

	pp_put_str(r, pp_str_from(pp_severity_name(info->severity)));
	pp_put_null(r);
	if (p->line != 0)
		pp_put_int(r, (pp_i128)p->line);
	else
		pp_put_null(r);
	if (p->offset != UINT64_MAX)
		pp_put_int(r, (pp_i128)p->offset);
	else
		pp_put_null(r);
	pp_put_str(r, pp_str_from(info->id));
	pp_put_int(r, (pp_i128)p->count);
	pp_put_str(r, p->message);
	pp_row_end(r);
}

/* What is told of this run, behind the rows of `problems`. */
static enum pp_status
add_problems(struct tables_run *w, const struct pp_table *t)
{
	const struct pp_diag *d = &w->run.model.diag;
	struct pp_rows r;
	size_t i, n = d->count;

	if (n == 0 || t != pp_report_problems.table)
		return PP_OK;
	pp_rows_open(&r, &w->run.mem, &w->inner, t);
	for (i = 0; i < n; i++)
		put_problem(&r, &d->problems[i]);
	return pp_rows_close(&r);
}

static enum pp_status
sink_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct tables_run *w = of_sink(s);

	return w->to->begin(w->to, t);
}

static enum pp_status
sink_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct tables_run *w = of_sink(s);

	return w->to->rows(w->to, b);
}

static enum pp_status
sink_end(struct pp_rowsink *s, const struct pp_table *t)
{
	struct tables_run *w = of_sink(s);
	enum pp_status status = add_problems(w, t), ended;

	if (status >= PP_FAILED)
		return status;
	ended = w->to->end(w->to, t);
	return ended > status ? ended : status;
}

/* ------------------------------------------------------------------- run */

static void
step(void *arg, uint64_t bytes)
{
	struct tables_run *w = arg;

	pp_progress_step(&w->run.progress, bytes);
}

static enum pp_status
read_tables(struct tables_run *w)
{
	struct pp_run *r = &w->run;
	const struct pp_table *known[KNOWN_MAX];
	const struct pp_report *const *all;
	struct pp_tables *in = &w->in;
	enum pp_status status;
	size_t i;

	*in = (struct pp_tables){.mem = &r->mem, .diag = &r->model.diag,
		.to = &w->sink, .known = known, .want = want, .step = step,
		.arg = w, .open = &r->input};
	all = pp_reports(&in->nknown);
	PP_ASSERT(in->nknown <= KNOWN_MAX);
	for (i = 0; i < in->nknown; i++)
		known[i] = all[i]->table;
	pp_progress_start(&r->progress, 0);
	status = w->reader->read(in, r->opt->words[0]);
	pp_progress_clear(&r->progress);
	return status;
}

static enum pp_exit
body(struct pp_run *r)
{
	struct tables_run *w = (struct tables_run *)(void *)r;
	const struct pp_options *o = r->opt;
	enum pp_status status;

	if (!pp_output_open(&w->output, r, w->writer, o->table != NULL) ||
	    !pp_output_begin(&w->output))
		return PP_EXIT_NOTHING;
	pp_strtab_init(&w->names, &r->mem);
	w->sink = (struct pp_rowsink){sink_begin, sink_rows, sink_end};
	w->inner = (struct pp_rowsink){no_change, inner_rows, no_change};
	w->to = pp_pivots_open(&w->pivots, r, pp_output_sink(&w->output),
	    (w->writer->caps & PP_W_WIDE) != 0);
	status = read_tables(w);
	if (status == PP_FAILED || w->pivots.wrong || !all_seen(w))
		return PP_EXIT_NOTHING;
	if (o->strict && r->model.diag.partial) {
		pp_run_say(r, "--strict: a part of the input was lost; "
		    "nothing written");
		return PP_EXIT_NOTHING;
	}
	if (status < PP_FAILED)
		(void)pp_pivots_emit(&w->pivots);
	if (!pp_output_commit(&w->output))
		return PP_EXIT_NOTHING;
	return r->model.diag.partial ? PP_EXIT_PARTIAL : PP_EXIT_OK;
}

enum pp_exit
pp_tables_convert(const struct pp_options *o,
    const struct pp_tablereader *reader, const struct pp_writer *writer)
{
	enum pp_exit status;
	struct tables_run w;
	size_t at;

	memset(&w, 0, sizeof(w));
	w.reader = reader;
	w.writer = writer;
	if (!pp_pivots_read(&w.pivots, o, true))
		return PP_EXIT_USAGE;
	w.list = o->table != NULL ? o->table :
	    writer->tables != NULL ? writer->tables : o->tables;
	if (o->table != NULL && w.pivots.n > 0) {
		if (!pp_pivots_named(&w.pivots, pp_str_from(o->table), &at)) {
			pp_usage(PP_CMD_CONVERT, "--table %s: is not the name "
			    "of a --pivot, and the pivot would be a second "
			    "table", o->table);
			return PP_EXIT_USAGE;
		}
		pp_pivots_keep(&w.pivots, at);
	}
	status = pp_run(&w.run, o, body);
	if (w.in.drop != NULL)
		w.in.drop(w.in.held);
	return status;
}
