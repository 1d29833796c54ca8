/*
 * compare.c: the command `compare`: two captures, per event, statement and
 * digest, as tables or on the terminal.
 *
 * Both are read into one model; a source stands on the side of the argument
 * that named it.
 */
#include "commands.h"

#include "../model/plan.h"
#include "../model/report/compare.h"
#include "capture.h"
#include "output.h"
#include "report_file.h"

#define TABLES "compare_events,compare_statements,compare_digests"
#define TOP_DEFAULT 10

struct compare {
	struct pp_run run;	/* first member: found again in the body */
	const struct pp_writer *writer; /* NULL: a report */
	struct pp_report_file report;
	struct pp_plan plan;
	struct pp_files files;
	struct pp_output output;
	struct pp_report_ctx ctx;
};

/* Which of the arguments has found each source? */
static const uint8_t *
find_sides(struct pp_run *r, const struct pp_files *f)
{
	uint8_t *sides = pp_mem_zalloc(&r->mem, r->model.nsources + 1);
	size_t i, k;

	for (i = 0; i < f->n; i++) {
		if (f->v[i].source >= r->model.nsources)
			continue;
		for (k = 0; k < f->nlinks; k++)
			if (f->links[k].file == f->v[i].found)
				sides[f->v[i].source] |= f->links[k].word == 0
				    ? PP_SIDE_BEFORE : PP_SIDE_AFTER;
	}
	return sides;
}

/* Nothing to compare with is no comparison. */
static bool
both_sides(struct compare *c)
{
	const struct pp_model *m = &c->run.model;
	unsigned all = 0;
	size_t i;

	for (i = 0; i < m->nsources; i++)
		if (m->sources[i].status != PP_SRC_EMPTY)
			all |= c->ctx.opt.sides[i];
	if (all == (PP_SIDE_BEFORE | PP_SIDE_AFTER))
		return true;
	pp_run_say(&c->run, "%s: nothing to compare in it",
	    c->run.opt->words[all & PP_SIDE_BEFORE ? 1 : 0]);
	return false;
}

/* ------------------------------------------------------------- terminal */

static void
put_signed(struct pp_list *l, pp_i128 ps)
{
	pp_list_decimal(l, pp_dec_rescale(ps, 12, 6), 6);
}

static void
put_row(struct pp_list *l, const struct pp_compare *x,
    const struct pp_compare_row *r)
{
	pp_i128 d = r->time[1] - r->time[0];

	pp_list_row(l, d > 0 ? PP_INK_RED : PP_INK_GREEN);
	pp_list_text(l, r->text.n != 0 ? r->text : r->name);
	put_signed(l, r->time[0]);
	put_signed(l, r->time[1]);
	put_signed(l, d);
	if (r->time[0] > 0 && r->there[1])
		pp_list_decimal(l, pp_div_half_up(r->time[1] * 100,
		    r->time[0]), 2);
	else
		pp_list_text(l, pp_str_from(pp_compare_state(r)));
	if (x->change > 0)
		pp_list_decimal(l, pp_div_half_up(d * 10000, x->change), 2);
	else
		pp_list_blank(l);
	pp_list_decimal(l, r->count[0], 0);
	pp_list_decimal(l, r->count[1], 0);
}

/* "12 of 40 differ, 3 new, 1 gone" */
static void
describe(const struct pp_compare *x, char *buf, size_t size)
{
	size_t i, differ = 0, new = 0, gone = 0, n;

	for (i = 0; i < x->n; i++) {
		const struct pp_compare_row *r = &x->v[i];

		differ += strcmp(pp_compare_state(r), "same") != 0;
		new += !r->there[0];
		gone += !r->there[1];
	}
	n = (size_t)snprintf(buf, size, "%zu of %zu differ", differ, x->all);
	if (new != 0)
		n += (size_t)snprintf(buf + n, size - n, ", %zu new", new);
	if (gone != 0)
		snprintf(buf + n, size - n, ", %zu gone", gone);
}

/* An argument, and the sources found through it where it is no single one. */
static void
print_side(const struct compare *c, struct pp_page *p, const char *side,
    size_t word, unsigned bit)
{
	const struct pp_model *m = &c->run.model;
	pp_str text = pp_str_from(c->run.opt->words[word]);
	size_t i, n = 0;

	for (i = 0; i < m->nsources; i++)
		n += (c->ctx.opt.sides[i] & bit) != 0;
	fputs(side, p->to);
	pp_page_text(p, text, text.n);
	if (n != 1)
		fprintf(p->to, ", %zu sources", n);
	pp_page_end(p);
}

static void
print_section(struct compare *c, struct pp_page *p, enum pp_compare_what what,
    const char *title, const char *head)
{
	const struct pp_list_column columns[] = {
		{head, PP_LIST_FLEX, 0},
		{"before s", PP_LIST_RIGHT, 0},
		{"after s", PP_LIST_RIGHT, 0},
		{"difference s", PP_LIST_RIGHT, 0},
		{"ratio", PP_LIST_RIGHT, 0},
		{"%", PP_LIST_RIGHT, 0},
		{"count", PP_LIST_RIGHT, 100},
		{"then", PP_LIST_RIGHT, 100},
	};
	size_t top = c->run.opt->top != 0 ? c->run.opt->top : TOP_DEFAULT, i;
	struct pp_compare x;
	struct pp_list l;
	char remark[120];

	pp_compare_open(&x, &c->ctx, what);
	if (x.all == 0) {
		pp_compare_close(&x);
		return;
	}
	describe(&x, remark, sizeof(remark));
	pp_page_title(p, title, remark);
	if (x.n == 0)
		fputs("no difference\n", p->to);
	pp_list_open(&l, p, &c->run.mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < x.n && i < top; i++)
		put_row(&l, &x, &x.v[i]);
	pp_list_row(&l, PP_INK_PLAIN);
	pp_list_total(&l);
	pp_list_text(&l, PP_STR("all together"));
	put_signed(&l, x.before);
	put_signed(&l, x.after);
	put_signed(&l, x.after - x.before);
	if (x.before > 0)
		pp_list_decimal(&l, pp_div_half_up(x.after * 100, x.before),
		    2);
	else
		pp_list_blank(&l);
	for (i = 0; i < 3; i++)
		pp_list_blank(&l);
	pp_list_print(&l);
	if (x.n > top)
		fprintf(p->to, "and %zu more\n", x.n - top);
	pp_compare_close(&x);
}

static bool
print(struct compare *c)
{
	struct pp_page p;

	if (!pp_report_file_page(&c->report, &c->run, &p))
		return false;
	print_side(c, &p, "before: ", 0, PP_SIDE_BEFORE);
	print_side(c, &p, "after:  ", 1, PP_SIDE_AFTER);
	fputs("times in seconds; ratio: after / before; %: of all "
	    "differences, signs left out\n", p.to);
	print_section(c, &p, PP_COMPARE_EVENTS, "Events", "event");
	print_section(c, &p, PP_COMPARE_STATEMENTS, "Statements",
	    "statement, self time");
	print_section(c, &p, PP_COMPARE_DIGESTS, "Digests", "digest");
	return pp_report_file_end(&c->report, &c->run);
}

/* --------------------------------------------------------------- tables */

static bool
write_tables(struct compare *c)
{
	(void)pp_plan_emit(&c->plan, &c->ctx, PP_INPUT_ANY |
	    PP_INPUT_COMPARED, pp_output_sink(&c->output));
	return pp_output_commit(&c->output);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* What a workbook says on its first sheet. */
static const char *
title(struct pp_run *r)
{
	const char *before = base_name(r->opt->words[0]);
	const char *after = base_name(r->opt->words[1]);
	size_t n = strlen(before) + strlen(after) + 40;
	char *text = pp_mem_alloc(&r->mem, n);

	snprintf(text, n, "Before: %s, after: %s", before, after);
	return text;
}

static enum pp_exit
body(struct pp_run *r)
{
	struct compare *c = (struct compare *)(void *)r;
	const struct pp_options *o = r->opt;
	struct pp_account_options account = o->account;

	c->files.sides = true;
	if (!pp_capture_find(r, &c->files))
		return PP_EXIT_NOTHING;
	if (c->writer != NULL &&
	    !pp_output_open(&c->output, r, c->writer, o->table != NULL))
		return PP_EXIT_NOTHING;
	if (c->writer == NULL && !pp_report_file_begin(&c->report, r))
		return PP_EXIT_NOTHING;
	account.timeline = c->plan.slices;
	account.no_paths = true;
	r->model.rows_kept = PP_ROWS_NONE;
	pp_account_init(&r->accounts, &r->model, &account);
	c->ctx.mem = &r->mem;
	c->ctx.model = &r->model;
	c->ctx.accounts = &r->accounts;
	c->ctx.opt.top = o->top;
	c->ctx.opt.unchanged = o->unchanged;
	c->ctx.opt.sides = find_sides(r, &c->files);
	c->output.ctx.title = title(r);
	if (c->writer != NULL && !pp_output_begin(&c->output))
		return PP_EXIT_NOTHING;
	if (!pp_capture_read(r, &c->files) || !both_sides(c))
		return PP_EXIT_NOTHING;
	if (o->strict && r->model.diag.partial) {
		pp_run_say(r, "--strict: a part of the input was lost; "
		    "nothing written");
		return PP_EXIT_NOTHING;
	}
	if (c->writer != NULL ? !write_tables(c) : !print(c))
		return PP_EXIT_NOTHING;
	return r->model.diag.partial ? PP_EXIT_PARTIAL : PP_EXIT_OK;
}

static bool
make_plan(struct compare *c, const struct pp_options *o)
{
	const char *list = o->table != NULL ? o->table :
	    o->tables[0] != '\0' ? o->tables : TABLES;
	pp_str bad;

	if (!pp_plan_make(&c->plan, pp_str_from(list), false,
	    (c->writer->caps & PP_W_WIDE) != 0, &bad)) {
		pp_usage(o->command, "there is no table `%.*s`", (int)bad.n,
		    bad.p);
		return false;
	}
	if (c->plan.raw) {
		pp_usage(o->command, "raw tables are of `profpivot convert`");
		return false;
	}
	if (o->table != NULL && c->plan.n != 1) {
		pp_usage(o->command, "--table takes one name");
		return false;
	}
	if (o->table == NULL && strcmp(o->out, "-") == 0) {
		pp_usage(o->command, "-o -: one table goes to standard "
		    "output; name it with --table");
		return false;
	}
	return true;
}

/* The writer of tables; false when the options do not fit it. */
static bool
choose_writer(struct compare *c, const struct pp_options *o)
{
	const struct pp_writer *w;

	if (o->out == NULL)
		return true;
	w = pp_convert_writer(o);
	if (w == NULL || !pp_options_suit(o, w))
		return false;
	if (w->caps & PP_W_REPORT) {
		if (o->table == NULL && o->tables[0] == '\0')
			return true;
		pp_usage(o->command, "-t %s is a report, not tables: leave "
		    "out --tables and --table", w->name);
		return false;
	}
	if (w->tables != NULL) {
		pp_usage(o->command, "-t %s is made of other tables; "
		    "without -o the comparison is printed", w->name);
		return false;
	}
	c->writer = w;
	return make_plan(c, o);
}

enum pp_exit
pp_command_compare(const struct pp_options *o)
{
	enum pp_exit status;
	struct compare c;

	memset(&c, 0, sizeof(c));
	if (!pp_capture_check(o) || !choose_writer(&c, o))
		return PP_EXIT_USAGE;
	c.report.to_out = o->out != NULL && c.writer == NULL;
	status = pp_run(&c.run, o, body);
	pp_report_file_free(&c.report);
	return status;
}
