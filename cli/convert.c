/*
 * convert.c: inputs -> tables -> a writer.
 */
#include "commands.h"

#include "../model/plan.h"
#include "../readers/reader.h"
#include "capture.h"
#include "output.h"
#include "pivots.h"
#include "tables.h"
#include "split.h"
#include "values.h"

struct convert {
	struct pp_run run;	/* first member: found again in the body */
	const struct pp_writer *writer;
	struct pp_plan plan;
	struct pp_pivots pivots;
	struct pp_files files;
	struct pp_output output;
	struct pp_report_ctx ctx;
	struct pp_accounts totals, intervals; /* --merge */
};

#define NAMES_MAX 64

/* "unknown FORMAT `x`; did you mean `y`?" */
static void
unknown(enum pp_command c, const char *what, pp_str word,
    const char *const *names, size_t n, const char *list)
{
	char buf[40];
	const char *near;

	snprintf(buf, sizeof(buf), "%.*s", (int)(word.n < 39 ? word.n : 39),
	    word.p);
	near = pp_value_nearest(buf, names, n);
	if (near != NULL)
		pp_usage(c, "unknown %s `%.*s`; did you mean `%s`?", what,
		    (int)word.n, word.p, near);
	else
		pp_usage(c, "unknown %s `%.*s`; `profpivot list %s` names "
		    "them", what, (int)word.n, word.p, list);
}

const struct pp_writer *
pp_convert_writer(const struct pp_options *o)
{
	const struct pp_writer *const *all, *w;
	const char *names[NAMES_MAX];
	size_t n, i;

	all = pp_writers(&n);
	if (o->format != NULL) {
		w = pp_writer_named(pp_str_from(o->format));
		for (i = 0; i < n && i < NAMES_MAX; i++)
			names[i] = all[i]->name;
		if (w == NULL)
			unknown(o->command, "format", pp_str_from(o->format),
			    names, i, "writers");
		return w;
	}
	n = strlen(o->out);
	if (strcmp(o->out, "-") == 0 || (n > 0 && o->out[n - 1] == '/'))
		return pp_writer_named(PP_STR("csv"));
	w = pp_writer_for(pp_str_from(o->out));
	if (w != NULL)
		return w;
	pp_usage(o->command, "-o %s: no suffix tells the format; name it "
	    "with -t (`profpivot list writers`)", o->out);
	return NULL;
}

static bool
has_wide(const struct convert *c)
{
	return (c->writer->caps & PP_W_WIDE) != 0;
}

/*
 * Names in the list may be those of pivots, which are written anyway.  False
 * when there is no other name in it.
 */
static bool
has_tables(const struct convert *c, pp_str *list)
{
	pp_str name, rest = *list;
	size_t n, at;

	if (rest.n == 0)
		return true;
	while (rest.n > 0) {
		n = pp_str_find(rest, PP_STR(","));
		name = pp_str_trim((pp_str){rest.p, n});
		if (!pp_pivots_named(&c->pivots, name, &at))
			break;
		rest = pp_str_skip(rest, n + 1);
	}
	*list = rest;
	return rest.n > 0;
}

/* Which of the pivots are written. */
static bool
plan_pivots(struct convert *c, const struct pp_options *o)
{
	size_t at;

	if (o->table == NULL || c->pivots.n == 0)
		return true;
	if (pp_pivots_named(&c->pivots, pp_str_from(o->table), &at)) {
		pp_pivots_keep(&c->pivots, at);
		return true;
	}
	pp_usage(PP_CMD_CONVERT, "--table %s: is not the name of a --pivot, "
	    "and the pivot would be a second table", o->table);
	return false;
}

/* Is the table asked for by its own name? */
static bool
is_named(const struct pp_options *o, const char *table)
{
	pp_str rest = pp_str_from(o->table != NULL ? o->table : o->tables);
	size_t n;

	while (rest.n > 0) {
		n = pp_str_find(rest, PP_STR(","));
		if (pp_str_eq(pp_str_trim((pp_str){rest.p, n}),
		    pp_str_from(table)))
			return true;
		rest = pp_str_skip(rest, n + 1);
	}
	return false;
}

/* No input fills a table of another command, or of a mode that is off. */
static bool
fits_mode(const struct convert *c, const struct pp_options *o)
{
	size_t i;

	for (i = 0; i < c->plan.n; i++) {
		const struct pp_report *r = c->plan.report[i];
		const char *name = r->table->name;

		if (!is_named(o, name))
			continue;
		if (r->inputs == PP_INPUT_COMPARED)
			pp_usage(PP_CMD_CONVERT, "%s is of the command "
			    "compare", name);
		else if (!o->delta && (r->inputs == PP_INPUT_SNAPSHOTS ||
		    strcmp(name, "digest_deltas") == 0))
			pp_usage(PP_CMD_CONVERT, "%s needs --delta", name);
		else
			continue;
		return false;
	}
	return true;
}

/* Tell which named tables the input cannot fill; the one of --table is
 * written without rows. */
static void
tell_unfilled(struct convert *c, struct pp_rowsink *to)
{
	const struct pp_options *o = c->run.opt;
	size_t i;

	for (i = 0; i < c->plan.n; i++) {
		const struct pp_report *r = c->plan.report[i];

		if ((r->inputs & c->run.model.inputs) ||
		    r->inputs == PP_INPUT_ANY || !is_named(o, r->table->name))
			continue;
		if (!o->quiet)
			pp_run_say(&c->run, "notice: no input of this kind "
			    "fills the table %s", r->table->name);
		if (o->table != NULL && to->begin(to, r->table) < PP_FAILED)
			(void)to->end(to, r->table);
	}
}

static bool
make_plan(struct convert *c, const struct pp_options *o)
{
	const struct pp_report *const *all;
	const char *names[NAMES_MAX];
	pp_str bad, list = pp_str_from(o->table != NULL ? o->table :
	    c->writer->tables != NULL ? c->writer->tables : o->tables);
	size_t n, i;

	if (!plan_pivots(c, o))
		return false;
	if (!has_tables(c, &list)) {
		pp_pivots_plan(&c->pivots, &c->plan);
		return true;
	}
	if (pp_plan_make(&c->plan, list, o->events, has_wide(c), &bad)) {
		if (o->table == NULL || c->plan.n == 1) {
			pp_pivots_plan(&c->pivots, &c->plan);
			return true;
		}
		pp_usage(PP_CMD_CONVERT, "--table takes one name");
		return false;
	}
	all = pp_reports(&n);
	for (i = 0; i < n && i < NAMES_MAX; i++)
		names[i] = all[i]->table->name;
	unknown(o->command, "table", bad, names, i, "tables");
	return false;
}

/* Does the writer fit what is asked for? */
static bool
check_output(const struct convert *c, const struct pp_options *o)
{
	const struct pp_writer *w = c->writer;
	bool to_stdout = strcmp(o->out, "-") == 0;

	if (!pp_options_suit(o, w))
		return false;
	if (w->caps & PP_W_REPORT) {
		if (o->table == NULL && o->tables[0] == '\0' && !o->events &&
		    o->npivots == 0)
			return true;
		pp_usage(PP_CMD_CONVERT, "-t %s is a report, not tables: "
		    "leave out --tables, --table, --events and --pivot",
		    w->name);
	} else if (o->named || o->style != PP_STYLE_OWN || o->tree_wanted ||
	    o->width != 0)
		pp_usage(PP_CMD_CONVERT, "--report, --style, --tree and "
		    "--width are for the report, -t txt");
	else if (w->tables != NULL && (o->table != NULL || o->tables[0] != '\0' ||
	    o->events || o->npivots > 0))
		pp_usage(PP_CMD_CONVERT, "-t %s is made of the table%s %s: "
		    "leave out --tables, --table, --events and --pivot",
		    w->name, strchr(w->tables, ',') ? "s" : "", w->tables);
	else if (to_stdout && o->table == NULL && w->tables == NULL)
		pp_usage(PP_CMD_CONVERT, "-o -: one table goes to standard "
		    "output; name it with --table");
	else if (o->write.partition && to_stdout)
		pp_usage(PP_CMD_CONVERT, "-o -: --partition makes folders");
	else if (to_stdout && (w->caps & PP_W_SINGLE) == 0)
		pp_usage(PP_CMD_CONVERT, "-o -: %s cannot be written to "
		    "standard output", w->name);
	else
		return true;
	return false;
}

/* What --merge sums up; intervals only where sessions share a clock. */
static void
merge(struct convert *c)
{
	const struct pp_accounts *a = &c->run.accounts;
	enum pp_merge how = c->run.opt->merge;

	if (how == PP_MERGE_NONE)
		return;
	pp_account_merge(&c->totals, a, how);
	pp_account_merge(&c->intervals, a, PP_MERGE_CLOCKS);
	c->ctx.totals = &c->totals;
	c->ctx.intervals = &c->intervals;
}

/* How many rows of `events` can be written, where it is known that all there
 * are will be. */
static uint64_t
events_most(const struct convert *c)
{
	const struct pp_options *o = c->run.opt;

	if (o->write.spill_sheets || o->account.select != NULL ||
	    !pp_plan_has(&c->plan, PP_STR("events")) ||
	    pp_pivots_is_hidden(&c->pivots, "events"))
		return 0;
	return c->writer->rows_most;
}

/* Does a table show what the states of single statements took? */
static bool
by_statement(const struct pp_plan *p)
{
	static const char *const tables[] = {"statement_pivot",
	    "statement_events", "tree", "cube"};
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (pp_plan_has(p, pp_str_from(tables[i])))
			return true;
	return false;
}

static enum pp_exit
body(struct pp_run *r)
{
	struct convert *c = (struct convert *)(void *)r;
	const struct pp_options *o = r->opt;
	struct pp_account_options account = o->account;
	struct pp_report_ctx *ctx = &c->ctx;
	struct pp_rowsink *to;

	pp_split_begin(r);
	if (!pp_capture_find(r, &c->files))
		return PP_EXIT_NOTHING;
	if (!pp_output_open(&c->output, r, c->writer, o->table != NULL))
		return PP_EXIT_NOTHING;
	account.timeline = c->plan.slices;
	account.no_paths = !pp_plan_has(&c->plan, PP_STR("tree"));
	r->model.raw = c->plan.raw ||
	    (account.timeline && account.seed_timeline);
	account.states_apart = !r->model.raw && account.select == NULL &&
	    o->merge == PP_MERGE_NONE;
	r->model.rows_kept = pp_plan_has(&c->plan, PP_STR("stages")) ?
	    PP_ROWS_ALL : by_statement(&c->plan) ? PP_ROWS_TIMES :
	    PP_ROWS_NONE;
	pp_account_init(&r->accounts, &r->model, &account);
	ctx->mem = &r->mem;
	ctx->model = &r->model;
	ctx->accounts = &r->accounts;
	/* a pivot is not to be made of a part of the statements */
	ctx->opt.delta = o->delta;
	ctx->opt.merge_sources = o->merge == PP_MERGE_SOURCES;
	ctx->opt.digest_keys = pp_split_digest_keys(o);
	ctx->opt.top = o->npivots > 0 ? 0 : o->top;
	if (!pp_output_begin(&c->output))
		return PP_EXIT_NOTHING;
	to = pp_pivots_open(&c->pivots, r, pp_output_sink(&c->output),
	    has_wide(c));
	pp_plan_raw_open(&r->raw, &c->plan, ctx, to);
	r->events_most = events_most(c);
	if (!pp_capture_read(r, &c->files))
		return PP_EXIT_NOTHING;
	if (o->strict && r->model.diag.partial) {
		pp_run_say(r, "--strict: a part of the input was lost; "
		    "nothing written");
		return PP_EXIT_NOTHING;
	}
	merge(c);
	if (o->delta && (r->model.inputs & PP_INPUT_DIGESTS))
		r->model.inputs |= PP_INPUT_SNAPSHOTS;
	tell_unfilled(c, to);
	if (pp_plan_raw_close(&r->raw) < PP_FAILED &&
	    pp_plan_emit(&c->plan, ctx, r->model.inputs, to) < PP_FAILED)
		(void)pp_pivots_emit(&c->pivots);
	if (!pp_output_commit(&c->output))
		return PP_EXIT_NOTHING;
	return r->model.diag.partial ? PP_EXIT_PARTIAL : PP_EXIT_OK;
}

enum pp_exit
pp_command_convert(const struct pp_options *o)
{
	const struct pp_tablereader *tables;
	struct convert c;
	bool wrong;

	memset(&c, 0, sizeof(c));
	c.writer = pp_convert_writer(o);
	if (c.writer == NULL || !check_output(&c, o))
		return PP_EXIT_USAGE;
	tables = pp_tables_input(o, &wrong);
	if (wrong)
		return PP_EXIT_USAGE;
	if (c.writer->caps & PP_W_REPORT) {
		if (tables == NULL)
			return pp_command_report(o);
		pp_usage(PP_CMD_CONVERT, "-t %s is made from traces and "
		    "dumps, not from tables", c.writer->name);
		return PP_EXIT_USAGE;
	}
	if (tables != NULL)
		return pp_tables_convert(o, tables, c.writer);
	if (!pp_pivots_read(&c.pivots, o, false) || !make_plan(&c, o) ||
	    !fits_mode(&c, o) || !pp_capture_check(o) || !pp_split_check(o))
		return PP_EXIT_USAGE;
	return pp_run(&c.run, o, body);
}
