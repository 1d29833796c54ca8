/*
 * show_statements.c: whose time it was: top statements and the tree of calls.
 */
#include "show.h"

#include <stdlib.h>

/* A statement over all sessions. */
struct stmt {
	uint32_t stmt;
	uint64_t executions, rows;
	pp_i128 self, cpu, wait, elapsed;
};

static int
by_self(const void *a, const void *b)
{
	const struct stmt *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->stmt < y->stmt ? -1 : x->stmt > y->stmt;
}

static void
add_stmt(const struct pp_show *s, struct stmt *x, const struct pp_stmt_cell *c)
{
	x->executions += c->executions;
	x->rows += c->sums.rows;
	x->self += pp_show_ticks(s, c->session, c->sums.self);
	x->cpu += pp_show_ticks(s, c->session, c->sums.self_cpu);
	x->wait += pp_show_ticks(s, c->session, c->sums.self_wait);
	x->elapsed += pp_show_ticks(s, c->session, c->sums.elapsed);
}

/* Statements by falling self time; what lies between calls is apart. */
static struct stmt *
sum_stmts(struct pp_show *s, size_t *n, struct stmt *between)
{
	const struct pp_accounts *a = s->accounts;
	struct stmt *v = pp_mem_zalloc(a->mem, a->nstmts * sizeof(*v));
	struct pp_map map;
	uint32_t *at;
	size_t i;

	*n = 0;
	memset(between, 0, sizeof(*between));
	between->stmt = PP_STMT_BETWEEN;
	pp_map_init(&map, a->mem);
	for (i = 0; i < a->nstmts; i++) {
		if (a->stmts[i].stmt == PP_STMT_BETWEEN) {
			/* roots of events have no span to fill */
			if (!pp_show_is_nested(s, a->stmts[i].session))
				add_stmt(s, between, &a->stmts[i]);
			continue;
		}
		at = pp_map_at(&map, a->stmts[i].stmt, 0);
		if (*at == PP_MAP_NONE) {
			*at = (uint32_t)*n;
			v[(*n)++].stmt = a->stmts[i].stmt;
		}
		add_stmt(s, &v[*at], &a->stmts[i]);
	}
	pp_map_free(&map);
	qsort(v, *n, sizeof(*v), by_self);
	return v;
}

static void
stmt_row(struct pp_show *s, struct pp_list *l, const struct stmt *x,
    pp_str id, bool is_stmt)
{
	pp_list_row(l, is_stmt ? PP_INK_CYAN : PP_INK_GREY);
	pp_list_text(l, id);
	pp_show_seconds(s, l, x->self);
	pp_show_share(s, l, x->self);
	pp_list_bar(l, is_stmt ? x->self : 0);
	if (!is_stmt) {
		pp_list_blank(l);
		if (pp_show_has_calls(s))
			pp_show_seconds(s, l, x->wait);
		return;
	}
	if (pp_show_has_cpu(s))
		pp_show_seconds(s, l, x->cpu);
	else
		pp_list_blank(l);
	if (pp_show_has_waits(s))
		pp_show_seconds(s, l, x->wait);
	else
		pp_list_blank(l);
	pp_list_count(l, x->executions);
	pp_show_average(s, l, x->self, x->executions);
	if (pp_show_has_rows(s))
		pp_list_count(l, x->rows);
	else
		pp_list_blank(l);
	pp_show_seconds(s, l, x->elapsed);
}

static pp_str
text_of(const struct pp_show *s, uint32_t stmt)
{
	const struct pp_stmt *x = &s->model->stmts[stmt];

	if (x->has_text)
		return x->text;
	return stmt == PP_STMT_NONE ? PP_STR("") :
	    pp_str_starts(x->id, PP_STR("?")) && s->roots ? PP_STR("") :
	    PP_STR("(its text is not in the trace)");
}

void
pp_show_statements(struct pp_show *s)
{
	static const struct pp_list_column columns[] = {
		{"statement", PP_LIST_FLEX, 0},
		{"self s", PP_LIST_RIGHT, 0},
		{"%", PP_LIST_RIGHT, 0},
		{"", PP_LIST_BAR, 0},
		{"CPU s", PP_LIST_RIGHT, 60},
		{"wait s", PP_LIST_RIGHT, 70},
		{"execs", PP_LIST_RIGHT, 60},
		{"self/exec", PP_LIST_RIGHT, 100},
		{"rows", PP_LIST_RIGHT, 100},
		{"elapsed s", PP_LIST_RIGHT, 120},
	};
	struct stmt *v, between, rest = {0};
	char remark[64], more[40], buf[28];
	struct pp_list l;
	pp_str count;
	size_t i, n;

	if (s->roots && s->accounts->nstmts == 0)
		return;		/* sums by event know no statement */
	v = sum_stmts(s, &n, &between);
	count = pp_count_text(buf, n);
	snprintf(remark, sizeof(remark), "%.*s in all", (int)count.n, count.p);
	pp_page_title(&s->page, "Top statements by self time", remark);
	pp_list_open(&l, &s->page, s->accounts->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < n && i < s->top; i++) {
		stmt_row(s, &l, &v[i], s->model->stmts[v[i].stmt].id, true);
		pp_list_note(&l, text_of(s, v[i].stmt));
	}
	for (; i < n; i++) {
		rest.self += v[i].self;
		rest.cpu += v[i].cpu;
		rest.wait += v[i].wait;
		rest.executions += v[i].executions;
		rest.rows += v[i].rows;
		rest.elapsed += v[i].elapsed;
	}
	if (n > s->top) {
		snprintf(more, sizeof(more), "%zu other%s", n - s->top,
		    n - s->top == 1 ? "" : "s");
		stmt_row(s, &l, &rest, pp_str_from(more), true);
	}
	if (s->sessions > 0 && (!s->roots || between.self != 0))
		stmt_row(s, &l, &between, PP_STR("(between calls)"), false);
	pp_list_print(&l);
	pp_mem_free(s->accounts->mem, v);
}

/* ----------------------------------------------------------------- tree */

#define TREES_SHOWN 3
#define LEAST_SHARE 200		/* 1 / 200 of the span: half a percent */
#define NO_LEAST INT64_MIN	/* less than any time */

struct tree {
	struct pp_show *show;
	struct pp_list list;
	uint32_t session;
	pp_i128 least;		/* smaller nodes are counted only */
	size_t hidden;
};

static void
node_row(struct tree *t, uint32_t index)
{
	struct pp_show *s = t->show;
	const struct pp_node *x = &s->accounts->nodes[index];
	struct pp_list *l = &t->list;
	bool calls = s->model->sessions[x->session].kind ==
	    PP_SESSION_CALLS, nested = pp_show_is_nested(s, x->session);
	pp_str call = pp_show_name(s, x->call), id, text;
	char *label;
	int n;

	id = s->model->stmts[x->stmt].id;
	text = text_of(s, x->stmt);
	/* states and stages are those of the statement above them */
	if (x->synthetic || x->stmt == PP_STMT_NONE || (!calls && x->level &&
	    s->accounts->nodes[x->parent].stmt == x->stmt))
		id = text = PP_STR("");
	label = pp_arena_alloc(&l->text, call.n + id.n + 160);
	n = snprintf(label, call.n + id.n + 160, "%.*s%s%.*s%s%.*s",
	    (int)call.n, call.p, id.n ? " " : "", (int)id.n, id.p,
	    text.n ? " " : "", (int)(text.n < 150 ? text.n : 150), text.p);
	pp_list_row(l, PP_INK_CYAN);
	pp_show_seconds(s, l, pp_show_ticks(s, x->session, x->sums.elapsed));
	pp_show_seconds(s, l, pp_show_ticks(s, x->session, x->sums.self));
	pp_show_share(s, l, pp_show_ticks(s, x->session, x->sums.self));
	if (calls)
		pp_show_seconds(s, l, pp_show_ticks(s, x->session,
		    x->sums.self_cpu));
	else
		pp_list_blank(l);
	if (calls || nested)
		pp_show_seconds(s, l, pp_show_ticks(s, x->session,
		    x->sums.self_wait));
	else
		pp_list_blank(l);
	if (nested)
		pp_list_blank(l);
	else
		pp_show_seconds(s, l, pp_show_ticks(s, x->session,
		    x->sums.self_unaccounted));
	if (x->synthetic)
		pp_list_blank(l);
	else
		pp_list_count(l, x->sums.calls);
	pp_list_indented(l, 2 * (size_t)x->level, (pp_str){label,
	    n > 0 ? (size_t)n : 0});
}

/* Paths end at PP_TREE_DEPTH: so does the recursion. */
static void
node_rows(struct tree *t, uint32_t index)
{
	const struct pp_node *x;

	for (; index != PP_NODE_ROOT; index = x->next_sibling) {
		x = &t->show->accounts->nodes[index];
		if (x->sums.elapsed < t->least) {
			t->hidden++;
			continue;
		}
		node_row(t, index);
		node_rows(t, x->first_child);
	}
}

static void
show_tree(struct pp_show *s, uint32_t session)
{
	/* all columns and branches where the tree is what is asked for */
	bool whole = s->run->opt->tree_wanted;
	const struct pp_list_column columns[] = {
		{"elapsed s", PP_LIST_RIGHT, 0},
		{"self s", PP_LIST_RIGHT, 0},
		{"%", PP_LIST_RIGHT, 0},
		{"CPU s", PP_LIST_RIGHT, whole ? 0 : 120},
		{"wait s", PP_LIST_RIGHT, whole ? 0 : 120},
		{"unacc. s", PP_LIST_RIGHT, whole ? 0 : 140},
		{"calls", PP_LIST_RIGHT, 60},
		{"call", PP_LIST_FLEX, 0},
	};
	const struct pp_session *x = &s->model->sessions[session];
	struct tree t = {.show = s, .session = session};
	struct pp_arena names;
	pp_str name;

	pp_arena_init(&names, s->accounts->mem, 4096);
	name = pp_show_session(s, &names, session);
	t.least = whole ? NO_LEAST : pp_show_is_nested(s, session) ?
	    s->accounts->sums[session].root_elapsed / LEAST_SHARE :
	    pp_session_span(x) / LEAST_SHARE;
	pp_page_title(&s->page, "Tree of calls", s->model->nsessions > 1 ?
	    name.p : "widest first");
	pp_list_open(&t.list, &s->page, s->accounts->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	node_rows(&t, s->accounts->roots[session]);
	pp_list_print(&t.list);
	if (t.hidden > 0)
		fprintf(s->page.to, "and %zu below half a percent\n",
		    t.hidden);
	pp_arena_free(&names);
}

/* The sessions with the longest spans. */
void
pp_show_tree(struct pp_show *s)
{
	const struct pp_accounts *a = s->accounts;
	bool *done = pp_mem_zalloc(a->mem, a->nsums * sizeof(*done));
	size_t shown, i, best;

	for (shown = 0; shown < TREES_SHOWN || s->run->opt->tree_wanted;
	    shown++) {
		best = a->nsums;
		for (i = 0; i < a->nsums; i++)
			if (!done[i] && a->roots[i] != PP_NODE_ROOT &&
			    (best == a->nsums || pp_session_span(
			    &s->model->sessions[i]) > pp_session_span(
			    &s->model->sessions[best])))
				best = i;
		if (best == a->nsums)
			break;
		done[best] = true;
		show_tree(s, (uint32_t)best);
	}
	pp_mem_free(a->mem, done);
}
