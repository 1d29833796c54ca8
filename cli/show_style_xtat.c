/*
 * show_style_xtat.c: the profile as TVD$XTAT prints it: CPU without that of
 * CLOSE calls (which goes to unaccounted-for), a statement's duration with
 * its recursive statements and the waits for its client, but without what is
 * unaccounted for.
 */
#include "show_style.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../model/report/command.h"

#define NAME_WIDTH 45
#define TYPE_WIDTH 32

struct stmt {
	uint32_t stmt, number;
	bool seen, recursive;
	uint64_t executions;
	pp_i128 total;		/* with recursive statements */
	pp_i128 part;		/* of the event at hand */
};

struct xtat {
	struct pp_show *show;
	struct stmt *stmts;	/* by statement */
	struct stmt **order;	/* those seen, by falling total */
	size_t n;
	pp_i128 close_cpu;
};

static bool
is_close(const struct pp_show *s, uint32_t call)
{
	return pp_str_eq(pp_show_name(s, call), PP_STR("CLOSE"));
}

/* ------------------------------------------------------------ collecting */

static bool
has_caller_of_its_own(const struct pp_accounts *a, const struct pp_node *x)
{
	uint32_t i;

	for (i = x->parent; i != PP_NODE_ROOT; i = a->nodes[i].parent)
		if (!a->nodes[i].synthetic && a->nodes[i].stmt == x->stmt)
			return true;
	return false;
}

/* Parents stand before their children in the array of nodes. */
static void
sum_trees(struct xtat *t)
{
	struct pp_show *s = t->show;
	const struct pp_accounts *a = s->accounts;
	pp_i128 *below = pp_mem_zalloc(a->mem,
	    (a->nnodes + 1) * sizeof(*below));
	size_t i;

	for (i = a->nnodes; i-- > 0;) {
		const struct pp_node *x = &a->nodes[i];

		below[i] += pp_show_ticks(s, x->session, x->sums.self_wait);
		if (is_close(s, x->call))
			t->close_cpu += pp_show_ticks(s, x->session,
			    x->sums.self_cpu);
		else
			below[i] += pp_show_ticks(s, x->session,
			    x->sums.self_cpu);
		if (x->parent != PP_NODE_ROOT)
			below[x->parent] += below[i];
		if (!x->synthetic && !has_caller_of_its_own(a, x))
			t->stmts[x->stmt].total += below[i];
	}
	pp_mem_free(a->mem, below);
}

static int
by_total(const void *a, const void *b)
{
	const struct stmt *x = *(struct stmt *const *)a,
	    *y = *(struct stmt *const *)b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->stmt < y->stmt ? -1 : x->stmt > y->stmt;
}

static void
collect(struct xtat *t)
{
	struct pp_show *s = t->show;
	const struct pp_accounts *a = s->accounts;
	size_t i;

	t->stmts = pp_mem_zalloc(a->mem, s->model->nstmts * sizeof(*t->stmts));
	t->order = pp_mem_alloc(a->mem,
	    (s->model->nstmts + 1) * sizeof(struct stmt *));
	sum_trees(t);
	for (i = 0; i < a->nstmts; i++) {
		const struct pp_stmt_cell *c = &a->stmts[i];
		struct stmt *x = &t->stmts[c->stmt];

		if (c->stmt == PP_STMT_BETWEEN)
			continue;
		if (!x->seen) {
			x->seen = x->recursive = true;
			x->stmt = c->stmt;
			t->order[t->n++] = x;
		}
		x->recursive &= c->has_depth && c->depth > 0;
		x->executions += c->executions;
		x->total += pp_show_ticks(s, c->session, c->between);
	}
	qsort(t->order, t->n, sizeof(struct stmt *), by_total);
	for (i = 0; i < t->n; i++)
		t->order[i]->number = (uint32_t)i + 1;
}

/* -------------------------------------------------------------- printing */

static void
cell(struct pp_show *s, size_t width, const char *text)
{
	pp_style_gap(s, 1);
	pp_style_right(s, width, text);
}

static void
title(struct pp_show *s, pp_str text)
{
	size_t n = pp_page_columns(&s->page, text);

	pp_page_end(&s->page);
	pp_page_text(&s->page, text, SIZE_MAX / 2);
	pp_page_end(&s->page);
	pp_page_repeat(&s->page, "*", n);
	pp_page_end(&s->page);
}

static void
rules(struct pp_show *s, const size_t *width, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i > 0)
			pp_style_gap(s, 1);
		pp_style_rule(s, width[i]);
	}
	pp_page_end(&s->page);
}

static void
time_and_share(struct pp_show *s, pp_i128 v, pp_i128 whole)
{
	cell(s, 17, pp_style_seconds(s, v, 3, false).s);
	cell(s, 7, pp_style_percent(v, whole, 3).s);
}

static const size_t profile_widths[] = {NAME_WIDTH, 17, 7, 13, 17};
static const size_t stmt_widths[] = {13, TYPE_WIDTH, 17, 7, 13, 17};

static void
profile_row(struct pp_show *s, pp_str name, pp_i128 v, uint64_t count)
{
	pp_style_left(s, NAME_WIDTH, name);
	time_and_share(s, v, s->span);
	cell(s, 13, count > 0 ? pp_style_count(count).s : "n/a");
	cell(s, 17, count > 0 ? pp_style_mean(s, v, count, 3).s : "n/a");
	pp_page_end(&s->page);
}

static bool
is_component(const struct pp_show_event *e)
{
	return e->class != PP_CLASS_UNACCOUNTED && (e->counted ||
	    e->time != 0);
}

/* CPU of CLOSE calls goes from one to the other. */
static void
shift_close(struct xtat *t, struct pp_show_event *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (v[i].class == PP_CLASS_CPU)
			v[i].time -= t->close_cpu;
		else if (v[i].class == PP_CLASS_UNACCOUNTED)
			v[i].time += t->close_cpu;
	pp_style_sort(v, n);
}

static void
print_profile(struct xtat *t, const struct pp_show_event *v, size_t n)
{
	struct pp_show *s = t->show;
	size_t i;

	title(s, PP_STR("Resource Usage Profile"));
	pp_style_left(s, NAME_WIDTH, PP_STR(""));
	cell(s, 17, "Total");
	cell(s, 7, "");
	cell(s, 13, "Number of");
	cell(s, 17, "Duration per");
	pp_page_end(&s->page);
	pp_style_left(s, NAME_WIDTH, PP_STR("Component"));
	cell(s, 17, "Duration [s]");
	cell(s, 7, "%");
	cell(s, 13, "Events");
	cell(s, 17, "Events [s]");
	pp_page_end(&s->page);
	rules(s, profile_widths, 5);
	for (i = 0; i < n; i++)
		if (is_component(&v[i]) || v[i].class == PP_CLASS_UNACCOUNTED)
			profile_row(s, v[i].text, v[i].time, v[i].class ==
			    PP_CLASS_CPU ? 0 : v[i].count);
	rules(s, profile_widths, 3);
	pp_style_left(s, NAME_WIDTH, PP_STR("Total"));
	time_and_share(s, s->span, s->span);
	pp_page_end(&s->page);
}

static void
put_type(struct pp_show *s, const struct stmt *x)
{
	const struct pp_stmt *m = &s->model->stmts[x->stmt];
	char buf[64], number[24];
	pp_str type = PP_STR("unknown");
	int n;

	if (m->has_command) {
		type = pp_command_name(m->command);
		if (type.n == 0)
			type = PP_STR("unknown");
		if (m->command == 47)
			type = PP_STR("PL/SQL");
	}
	n = snprintf(buf, sizeof(buf), "%.*s%s", (int)(type.n < 40 ? type.n :
	    40), type.p, x->recursive && m->parsing_user == 0 ?
	    " (SYS recursive)" : "");
	snprintf(number, sizeof(number), "#%u", x->number);
	pp_style_left(s, 13, pp_str_from(number));
	pp_style_gap(s, 1);
	pp_style_left(s, TYPE_WIDTH, (pp_str){buf, n > 0 ? (size_t)n : 0});
}

static void
stmt_heads(struct pp_show *s, bool executions)
{
	pp_style_left(s, 13 + 1 + TYPE_WIDTH, PP_STR(""));
	cell(s, 17, "Total");
	if (executions) {
		cell(s, 7, "");
		cell(s, 13, "Number of");
		cell(s, 17, "Duration per");
	}
	pp_page_end(&s->page);
	pp_style_left(s, 13, PP_STR("Statement ID"));
	pp_style_gap(s, 1);
	pp_style_left(s, TYPE_WIDTH, PP_STR("Type"));
	cell(s, 17, "Duration [s]");
	cell(s, 7, "%");
	if (executions) {
		cell(s, 13, "Executions");
		cell(s, 17, "Execution [s]");
	}
	pp_page_end(&s->page);
	rules(s, stmt_widths, executions ? 6 : 4);
}

static void
stmt_total(struct pp_show *s, pp_i128 total, pp_i128 whole)
{
	rules(s, stmt_widths, 4);
	pp_style_left(s, 13 + 1 + TYPE_WIDTH, PP_STR("Total"));
	time_and_share(s, total, whole);
	pp_page_end(&s->page);
}

static void
print_statements(struct xtat *t)
{
	struct pp_show *s = t->show;
	pp_i128 total = 0;
	size_t i, recursive = 0;

	for (i = 0; i < t->n; i++)
		recursive += t->order[i]->recursive;
	fprintf(s->page.to, "\nThe input holds %zu distinct statements, %zu "
	    "of which are recursive;\nthe non-recursive ones:\n\n", t->n,
	    recursive);
	stmt_heads(s, true);
	for (i = 0; i < t->n; i++) {
		const struct stmt *x = t->order[i];

		if (x->recursive)
			continue;
		put_type(s, x);
		time_and_share(s, x->total, s->span);
		cell(s, 13, pp_style_count(x->executions).s);
		cell(s, 17, x->executions == 0 ? "n/a" : pp_style_mean(s,
		    x->total, x->executions, 3).s);
		pp_page_end(&s->page);
		total += x->total;
	}
	stmt_total(s, total, s->span);
}

/* --------------------------------------------------------- contributions */

static bool
belongs(const struct pp_show *s, const struct pp_event_cell *c,
    const struct pp_show_event *e)
{
	if (e->class == PP_CLASS_CPU)
		return c->class == PP_CLASS_CPU &&
		    !pp_str_eq(pp_show_name(s, c->name),
		    PP_STR("CPU CLOSE"));
	return c->class != PP_CLASS_CPU && c->class !=
	    PP_CLASS_UNACCOUNTED && c->name == e->name;
}

static int
by_part(const void *a, const void *b)
{
	const struct stmt *x = *(struct stmt *const *)a,
	    *y = *(struct stmt *const *)b;

	if (x->part != y->part)
		return x->part > y->part ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static const size_t range_widths[] = {34, 17, 7, 13, 7, 13, 13, 13};

static void
range_row(struct pp_show *s, const char *name, const struct pp_show_range *r,
    const struct pp_show_range *all, bool blocks)
{
	struct pp_show ps = *s;	/* numbers of 10^-12 s */

	ps.digits = 12;
	pp_style_left(s, range_widths[0], pp_str_from(name));
	cell(s, 17, pp_style_seconds(&ps, r->time, 3, false).s);
	cell(s, 7, pp_style_percent(r->time, all->time, 3).s);
	cell(s, 13, pp_style_count(r->count).s);
	cell(s, 7, pp_style_percent((pp_i128)r->count, (pp_i128)all->count,
	    3).s);
	ps.digits = 6;		/* microseconds */
	cell(s, 13, pp_style_mean(&ps, r->time, r->count, 0).s);
	if (blocks) {
		cell(s, 13, pp_style_count(r->blocks).s);
		ps.digits = 0;
		cell(s, 13, pp_style_mean(&ps, (pp_i128)r->blocks, r->count,
		    0).s);
	}
	pp_page_end(&s->page);
}

static void
range_heads(struct pp_show *s, bool blocks)
{
	pp_style_left(s, range_widths[0], PP_STR(""));
	cell(s, 17, "Total");
	cell(s, 7, "");
	cell(s, 13, "Number of");
	cell(s, 7, "");
	cell(s, 13, "Duration per");
	if (blocks)
		cell(s, 27, "Blocks per");
	pp_page_end(&s->page);
	pp_style_left(s, range_widths[0], PP_STR("Range [us]"));
	cell(s, 17, "Duration [s]");
	cell(s, 7, "%");
	cell(s, 13, "Events");
	cell(s, 7, "%");
	cell(s, 13, "Event [us]");
	if (blocks) {
		cell(s, 13, "Blocks [b]");
		cell(s, 13, "Event [b]");
	}
	pp_page_end(&s->page);
	rules(s, range_widths, blocks ? 8 : 6);
}

/* The waits of an event by power of two, each upper bound inside. */
static void
print_ranges(struct pp_show *s, uint32_t name)
{
	const struct pp_show_ranges *r = s->ranges;
	const struct pp_show_powers *p = r != NULL && name < r->npowers ?
	    r->powers[name] : NULL;
	struct pp_show_range all = {0};
	char range[64];
	unsigned i;

	if (p == NULL)
		return;
	for (i = 0; i < PP_SHOW_POWERS; i++) {
		all.count += p->range[i].count;
		all.blocks += p->range[i].blocks;
		all.time += p->range[i].time;
	}
	range_heads(s, p->blocks);
	for (i = 0; i < PP_SHOW_POWERS; i++) {
		if (p->range[i].count == 0)
			continue;
		snprintf(range, sizeof(range), "%" PRIu64 " %s duration <= %"
		    PRIu64, i == 1 ? 0 : UINT64_C(1) << (i - 1),
		    i == 1 ? "<=" : "<", UINT64_C(1) << i);
		range_row(s, range, &p->range[i], &all, p->blocks);
	}
	rules(s, range_widths, p->blocks ? 8 : 6);
	range_row(s, "Total", &all, &all, p->blocks);
}

/* Which statements an event's time belongs to. */
static void
print_event(struct xtat *t, const struct pp_show_event *e, struct stmt **v)
{
	struct pp_show *s = t->show;
	const struct pp_accounts *a = s->accounts;
	size_t i, n = 0;

	for (i = 0; i < t->n; i++)
		t->order[i]->part = 0;
	for (i = 0; i < a->nbuckets; i++)
		if (belongs(s, &a->events[a->buckets[i].event], e))
			t->stmts[a->buckets[i].stmt].part += pp_show_ticks(s,
			    a->buckets[i].session, a->buckets[i].time);
	for (i = 0; i < t->n; i++)
		if (t->order[i]->part != 0)
			v[n++] = t->order[i];
	qsort(v, n, sizeof(struct stmt *), by_part);
	title(s, e->text);
	if (e->class != PP_CLASS_CPU)
		print_ranges(s, e->name);
	fprintf(s->page.to, "\n%zu statement%s contributed to this event.\n\n",
	    n, n == 1 ? "" : "s");
	stmt_heads(s, false);
	for (i = 0; i < n && i < s->top; i++) {
		put_type(s, v[i]);
		time_and_share(s, v[i]->part, e->time);
		pp_page_end(&s->page);
	}
	if (i < n)
		fprintf(s->page.to, "and %zu more\n", n - i);
	stmt_total(s, e->time, e->time);
}

/* ------------------------------------------------------------ statements */

static void
print_texts(struct xtat *t)
{
	struct pp_show *s = t->show;
	char head[96];
	size_t i;

	for (i = 0; i < t->n && i < s->top; i++) {
		const struct pp_stmt *m = &s->model->stmts[t->order[i]->stmt];

		snprintf(head, sizeof(head), "STATEMENT #%u  %.*s",
		    t->order[i]->number, (int)(m->id.n < 60 ? m->id.n : 60),
		    m->id.p);
		title(s, pp_str_from(head));
		if (m->has_text)
			pp_style_lines(s, m->text);
	}
}

void
pp_show_style_xtat(struct pp_show *s)
{
	struct xtat t = {.show = s};
	struct pp_show_event *v;
	struct stmt **room;
	size_t i, n;

	collect(&t);
	v = pp_style_events(s, "CPU", &n);
	shift_close(&t, v, n);
	fputs("CPU without that of CLOSE calls; a statement's duration is CPU "
	    "and waits, its recursive statements included.\n", s->page.to);
	print_profile(&t, v, n);
	print_statements(&t);
	room = pp_mem_alloc(s->accounts->mem,
	    (t.n + 1) * sizeof(struct stmt *));
	for (i = 0; i < n; i++)
		if (is_component(&v[i]) && v[i].time != 0)
			print_event(&t, &v[i], room);
	print_texts(&t);
	pp_mem_free(s->accounts->mem, room);
	pp_mem_free(s->accounts->mem, v);
	pp_mem_free(s->accounts->mem, t.stmts);
	pp_mem_free(s->accounts->mem, t.order);
}
