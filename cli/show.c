/*
 * show.c: the command `show`, and what its sections share.
 */
#include "show.h"

#include "capture.h"
#include "commands.h"
#include "report_file.h"
#include "tables.h"

struct show_run {
	struct pp_run run;	/* first member: found again in the body */
	struct pp_files files;
	struct pp_show show;
	struct pp_show_ranges ranges; /* of --style mrskew, xtat */
	FILE *calls;		/* lines of --tree seed, --tree calls */
	struct pp_report_file report; /* to_out: convert -t txt */
};

#define TOP_DEFAULT 10

pp_i128
pp_show_ticks(const struct pp_show *s, uint32_t session, pp_i128 v)
{
	return pp_dec_rescale(v, s->model->sessions[session].digits,
	    s->digits);
}

void
pp_show_seconds(const struct pp_show *s, struct pp_list *l, pp_i128 v)
{
	pp_list_decimal(l, pp_dec_rescale(v, s->digits, s->shown), s->shown);
}

void
pp_show_share(const struct pp_show *s, struct pp_list *l, pp_i128 v)
{
	if (s->span > 0)
		pp_list_decimal(l, pp_div_half_up(v * 10000, s->span), 2);
	else
		pp_list_blank(l);
}

void
pp_show_average(const struct pp_show *s, struct pp_list *l, pp_i128 v,
    uint64_t count)
{
	if (count == 0)
		pp_list_blank(l);
	else if (s->digits <= 6)
		pp_list_decimal(l, pp_div_half_up(pp_dec_rescale(v, s->digits,
		    6), (pp_i128)count), 6);
	else
		pp_list_decimal(l, pp_div_half_up(v, (pp_i128)count *
		    pp_pow10[s->digits - 6]), 6);
}

bool
pp_show_has_calls(const struct pp_show *s)
{
	return (s->model->inputs & PP_INPUT_TRACE) != 0 ||
	    (s->model->inputs & (PP_INPUT_STATES | PP_INPUT_EVENTS)) == 0;
}

bool
pp_show_has_waits(const struct pp_show *s)
{
	return pp_show_has_rows(s);
}

bool
pp_show_has_rows(const struct pp_show *s)
{
	return pp_show_has_calls(s) || (s->model->inputs & PP_INPUT_EVENTS);
}

bool
pp_show_has_cpu(const struct pp_show *s)
{
	size_t i;

	for (i = 0; i < s->accounts->nsums; i++)
		if (s->accounts->sums[i].has_cpu)
			return true;
	return pp_show_has_calls(s);
}

bool
pp_show_is_nested(const struct pp_show *s, uint32_t session)
{
	enum pp_session_kind k = s->model->sessions[session].kind;

	return k == PP_SESSION_EVENTS || k == PP_SESSION_SUMS;
}

pp_str
pp_show_name(const struct pp_show *s, uint32_t name)
{
	return pp_strtab_get(&s->model->names, name);
}

enum pp_ink
pp_show_ink(enum pp_class c)
{
	switch (c) {
	case PP_CLASS_CPU:
		return PP_INK_GREEN;
	case PP_CLASS_QUEUE:
		return PP_INK_RED;
	case PP_CLASS_WAIT:
	case PP_CLASS_STAGE:
	case PP_CLASS_STATEMENT:
		return PP_INK_YELLOW;
	case PP_CLASS_IDLE:
	case PP_CLASS_UNACCOUNTED:
	case PP_CLASS_MISSING:
	case PP_CLASS_COUNT:
		break;
	}
	return PP_INK_GREY;
}

pp_str
pp_show_session(const struct pp_show *s, struct pp_arena *a, uint32_t session)
{
	const struct pp_session *x = &s->model->sessions[session];
	pp_str name = s->model->sources[x->source].name;
	char number[32];
	size_t n;
	char *p;

	n = (size_t)snprintf(number, sizeof(number), "#%u", x->ordinal);
	if (s->model->nsources == 1)
		return pp_arena_str(a, (pp_str){number, n});
	p = pp_arena_alloc(a, name.n + n + 2);
	memcpy(p, name.p, name.n);
	p[name.n] = ' ';
	memcpy(p + name.n + 1, number, n + 1);
	return (pp_str){p, name.n + 1 + n};
}

const char *
pp_show_time(const struct pp_show *s, char *buf, pp_i128 v)
{
	size_t n = pp_dec_format(buf, pp_dec_rescale(v, s->digits, s->shown),
	    s->shown);

	memcpy(buf + n, " s", 3);
	return buf;
}

/* What all sections need to know of all sessions. */
static void
survey(struct pp_show *s)
{
	const struct pp_session *x;
	size_t i;

	s->digits = 0;
	for (i = 0; i < s->model->nsessions; i++) {
		x = &s->model->sessions[i];
		if (x->digits > s->digits)
			s->digits = x->digits;
	}
	s->shown = s->digits < 6 ? s->digits : 6;
	for (i = 0; i < s->model->nsessions; i++) {
		x = &s->model->sessions[i];
		if (pp_show_is_nested(s, (uint32_t)i) && i <
		    s->accounts->nsums && s->accounts->select == NULL) {
			s->sessions++;
			s->roots = true;
			s->span += pp_show_ticks(s, (uint32_t)i,
			    s->accounts->sums[i].root_elapsed);
			continue;
		}
		if (!x->has_time)
			continue;
		s->sessions++;
		s->span += pp_show_ticks(s, (uint32_t)i,
		    s->accounts->select == NULL ? pp_session_span(x) :
		    i < s->accounts->nsums ? s->accounts->sums[i].selected :
		    0);
	}
}

/* The styles of other tools stand alone, unless sections are asked for. */
static bool
alone(const struct pp_options *o)
{
	return !o->named && (o->style != PP_STYLE_OWN ||
	    o->tree != PP_TREE_SUMMED);
}

static void
print_profile(struct pp_show *s)
{
	static void (*const style[])(struct pp_show *) = {
		[PP_STYLE_OWN] = pp_show_profile,
		[PP_STYLE_SEED] = pp_show_style_seed,
		[PP_STYLE_TKPROF] = pp_show_style_tkprof,
		[PP_STYLE_MRSKEW] = pp_show_style_mrskew,
		[PP_STYLE_XTAT] = pp_show_style_xtat,
		[PP_STYLE_PROFILE] = pp_show_style_profile,
	};

	style[s->run->opt->style](s);
}

static void
print_statements(struct pp_show *s)
{
	/* totals of servers have no sessions */
	if (s->sessions != 0 || s->model->digests == NULL)
		pp_show_statements(s);
	pp_show_digests(s);
	if (s->run->opt->delta && s->model->digests != NULL)
		pp_show_deltas(s);
	else if ((s->model->inputs & PP_INPUT_DIGESTS) ||
	    !(s->model->inputs & PP_INPUT_EVENTS))
		pp_show_totals(s);	/* else each has been shown */
}

/* Events that name their parents leave no gaps: they nest, or do not. */
static bool
has_gaps(const struct pp_show *s)
{
	return (s->model->inputs & (PP_INPUT_TRACE | PP_INPUT_STATES)) != 0 ||
	    !(s->model->inputs & PP_INPUT_EVENTS);
}

/* Rows that a server has summed have no sessions to profile. */
static bool
totals_only(const struct pp_show *s)
{
	return (s->model->inputs & PP_INPUT_ANY) == PP_INPUT_DIGESTS;
}

static bool
print(struct show_run *w, unsigned sections)
{
	static void (*const section[PP_SHOW_COUNT])(struct pp_show *) = {
		[PP_SHOW_PROFILE] = print_profile,
		[PP_SHOW_TIMELINE] = pp_show_timeline,
		[PP_SHOW_TREE] = pp_show_tree,
		[PP_SHOW_STATEMENTS] = print_statements,
		[PP_SHOW_WAITS] = pp_show_waits,
		[PP_SHOW_PLANS] = pp_show_plans,
		[PP_SHOW_GAPS] = pp_show_gaps,
		[PP_SHOW_PROBLEMS] = pp_show_problems,
	};
	struct pp_show *s = &w->show;
	int i;

	if (!alone(w->run.opt)) {
		pp_show_sources(s);
		pp_show_sessions(s);
	}
	if (s->accounts->select != NULL && !(totals_only(s) &&
	    pp_selection_idle_only(s->accounts->opt.select)))
		fprintf(s->page.to, "selection: %s%s\n",
		    s->accounts->opt.select->text,
		    pp_account_nothing(s->accounts) ? " (no event matches)" :
		    "");
	for (i = 0; i < PP_SHOW_COUNT; i++) {
		if (!(sections & (1u << i)) ||
		    (totals_only(s) && i != PP_SHOW_STATEMENTS &&
		    i != PP_SHOW_PROBLEMS))
			continue;
		if (i == PP_SHOW_GAPS && !has_gaps(s))
			continue;
		if (i != PP_SHOW_TREE || w->calls == NULL) {
			section[i](s);
			continue;
		}
		if (!alone(w->run.opt))
			pp_page_title(&s->page, "Tree of calls", "in the "
			    "order of the file");
		if (!pp_show_calls_copy(&w->run, w->calls, s->page.to))
			return false;
	}
	return true;
}

/* What needs every call and wait. */
static enum pp_status
each_group(struct pp_run *r)
{
	struct show_run *w = (struct show_run *)(void *)r;
	enum pp_status st = PP_OK;

	if (w->show.ranges != NULL)
		st = pp_show_ranges_group(&w->ranges);
	if (w->calls != NULL && st != PP_FATAL)
		st = pp_show_calls_group(r, w->calls);
	return st;
}

/* What the sections need of the steps before them. */
static bool
prepare(struct show_run *w)
{
	struct pp_run *r = &w->run;
	const struct pp_options *o = r->opt;
	struct pp_account_options account = o->account;

	account.timeline = (o->sections & (1u << PP_SHOW_TIMELINE)) != 0;
	account.no_paths = !(o->sections & (1u << PP_SHOW_TREE)) &&
	    (o->style == PP_STYLE_OWN || o->style == PP_STYLE_PROFILE);
	if ((o->sections & (1u << PP_SHOW_TREE)) &&
	    o->tree != PP_TREE_SUMMED) {
		w->calls = pp_show_calls_open(r);
		if (w->calls == NULL)
			return false;
	}
	if ((o->sections & (1u << PP_SHOW_PROFILE)) &&
	    (o->style == PP_STYLE_MRSKEW || o->style == PP_STYLE_XTAT)) {
		pp_show_ranges_open(&w->ranges, r);
		w->show.ranges = &w->ranges;
	}
	if (w->calls != NULL || w->show.ranges != NULL)
		r->group = each_group;
	r->model.raw = r->group != NULL ||
	    (account.timeline && account.seed_timeline);
	account.states_apart = account.no_paths && account.select == NULL &&
	    !(o->sections & (1u << PP_SHOW_WAITS));
	r->model.rows_kept = PP_ROWS_NONE;
	pp_account_init(&r->accounts, &r->model, &account);
	return true;
}

static enum pp_exit
body(struct pp_run *r)
{
	struct show_run *w = (struct show_run *)(void *)r;

	if (!pp_capture_find(r, &w->files) ||
	    !pp_report_file_begin(&w->report, r) || !prepare(w) ||
	    !pp_capture_read(r, &w->files))
		return PP_EXIT_NOTHING;
	if (r->opt->strict && r->model.diag.partial) {
		pp_run_say(r, "--strict: a part of the input was lost; "
		    "no report");
		return PP_EXIT_NOTHING;
	}
	w->show.run = r;
	w->show.model = &r->model;
	w->show.accounts = &r->accounts;
	w->show.top = r->opt->top != 0 ? r->opt->top : TOP_DEFAULT;
	if (!pp_report_file_page(&w->report, r, &w->show.page))
		return PP_EXIT_NOTHING;
	survey(&w->show);
	if (!print(w, r->opt->sections) ||
	    !pp_report_file_end(&w->report, r))
		return PP_EXIT_NOTHING;
	return r->model.diag.partial ? PP_EXIT_PARTIAL : PP_EXIT_OK;
}

static enum pp_exit
report(const struct pp_options *o, bool to_file)
{
	enum pp_exit status;
	struct show_run w;
	bool wrong;

	memset(&w, 0, sizeof(w));
	w.report.to_out = to_file;
	if (!pp_capture_check(o))
		return PP_EXIT_USAGE;
	if (pp_tables_input(o, &wrong) != NULL) {
		pp_usage(o->command, "%s: tables that profpivot has written "
		    "are read by convert alone", o->words[0]);
		return PP_EXIT_USAGE;
	}
	if (wrong)
		return PP_EXIT_USAGE;
	status = pp_run(&w.run, o, body);
	if (w.calls != NULL)
		fclose(w.calls);
	pp_report_file_free(&w.report);
	return status;
}

enum pp_exit
pp_command_show(const struct pp_options *o)
{
	return report(o, false);
}

enum pp_exit
pp_command_report(const struct pp_options *o)
{
	return report(o, true);
}
