/*
 * show_plans.c: the execution plans that the trace holds.
 */
#include "show.h"

static void
row(struct pp_show *s, struct pp_list *l, const struct pp_plan_row *r,
    size_t depth)
{
	pp_list_row(l, PP_INK_PLAIN);
	pp_list_indented(l, 2 * depth, pp_show_name(s, r->operation));
	pp_list_count(l, r->rows);
	if (r->has & PP_PLAN_STARTS)
		pp_list_count(l, r->starts);
	else
		pp_list_blank(l);
	if (r->has & PP_PLAN_GETS) {
		pp_list_decimal(l, r->cr, 0);
		pp_list_decimal(l, r->pr, 0);
		pp_list_decimal(l, r->us, 6);
	} else {
		pp_list_blank(l);
		pp_list_blank(l);
		pp_list_blank(l);
	}
}

/* The row of the plan that has this id; NULL: none. */
static const struct pp_plan_row *
by_id(const struct pp_stmt_plan *p, int64_t id)
{
	uint32_t i;

	for (i = 0; i < p->nrows; i++)
		if (p->rows[i].id == id)
			return &p->rows[i];
	return NULL;
}

/* Steps up to the top; a circle ends at the size of the plan. */
static size_t
depth_of(const struct pp_stmt_plan *p, const struct pp_plan_row *r)
{
	size_t depth = 0;

	while (r != NULL && (r->has & PP_PLAN_PARENT) && r->parent != r->id &&
	    depth < p->nrows) {
		r = by_id(p, r->parent);
		depth += r != NULL;
	}
	return depth;
}

static void
show_plan(struct pp_show *s, const struct pp_stmt_plan *p)
{
	static const struct pp_list_column columns[] = {
		{"operation", PP_LIST_FLEX, 0},
		{"rows", PP_LIST_RIGHT, 0},
		{"starts", PP_LIST_RIGHT, 80},
		{"gets", PP_LIST_RIGHT, 60},
		{"reads", PP_LIST_RIGHT, 60},
		{"seconds", PP_LIST_RIGHT, 0},
	};
	const struct pp_stmt *m = &s->model->stmts[p->stmt];
	struct pp_list l;
	char buf[28], head[128];
	pp_str n = pp_count_text(buf, p->executions);
	uint32_t i;

	snprintf(head, sizeof(head), "%.*s, plan %u: %.*s execution%s",
	    (int)(m->id.n < 40 ? m->id.n : 40), m->id.p, p->number, (int)n.n,
	    n.p, p->executions == 1 ? "" : "s");
	pp_page_end(&s->page);
	pp_page_text(&s->page, pp_str_from(head), s->page.width);
	pp_page_end(&s->page);
	if (m->has_text) {
		pp_page_ink(&s->page, PP_INK_DIM);
		pp_page_blanks(&s->page, 4);
		pp_page_text(&s->page, m->text, s->page.width - 4);
		pp_page_ink(&s->page, PP_INK_PLAIN);
		pp_page_end(&s->page);
	}
	pp_list_open(&l, &s->page, s->accounts->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < p->nrows; i++)
		row(s, &l, &p->rows[i], depth_of(p, &p->rows[i]));
	pp_list_print(&l);
}

/* Self time of the statement of a plan in its session. */
static pp_i128
self_of(const struct pp_show *s, const struct pp_stmt_plan *p)
{
	const struct pp_accounts *a = s->accounts;
	size_t i;

	for (i = 0; i < a->nstmts; i++)
		if (a->stmts[i].session == p->session &&
		    a->stmts[i].stmt == p->stmt)
			return pp_show_ticks(s, p->session,
			    a->stmts[i].sums.self);
	return 0;
}

/* The plans of the statements with the most self time. */
void
pp_show_plans(struct pp_show *s)
{
	const struct pp_model *m = s->model;
	struct pp_mem *mem = s->accounts->mem;
	bool *done = pp_mem_zalloc(mem, m->nplans + 1);
	pp_i128 *self = pp_mem_alloc(mem, (m->nplans + 1) * sizeof(*self));
	size_t i, shown, best;

	pp_page_title(&s->page, "Plans", m->nplans == 0 ? "none" :
	    "counters include the rows below");
	for (i = 0; i < m->nplans; i++)
		self[i] = self_of(s, &m->plans[i]);
	for (shown = 0; shown < s->top && shown < m->nplans; shown++) {
		best = m->nplans;
		for (i = 0; i < m->nplans; i++)
			if (!done[i] && (best == m->nplans ||
			    self[i] > self[best]))
				best = i;
		done[best] = true;
		show_plan(s, &m->plans[best]);
	}
	if (shown < m->nplans)
		fprintf(s->page.to, "and %zu more\n", m->nplans - shown);
	pp_mem_free(mem, done);
	pp_mem_free(mem, self);
}
