/*
 * by.c: see by.h.
 */
#include "by.h"

#include <stdlib.h>

#define FRONT 2			/* source, session */

static const struct pp_facets *
facets(const struct pp_report_ctx *c)
{
	return &c->model->facets;
}

static struct pp_column
column_of(const struct pp_facets *f, size_t k)
{
	static const char *const help[] = {
		"module that the application has set",
		"action that the application has set",
		"client identifier that the application has set",
		"service that the session came through",
		"part of the path, as --tag has asked for",
	};
	unsigned by = f->by[k] < PP_BY_TAG ? f->by[k] : PP_BY_TAG;

	return (struct pp_column){f->name[k],
		by == PP_BY_CLIENT_ID ? PP_T_ID : PP_T_TEXT, help[by]};
}

const struct pp_table *
pp_by_table(const struct pp_report_ctx *c, const struct pp_table *fixed)
{
	const struct pp_facets *f = facets(c);
	struct pp_column *columns;
	struct pp_table *t;
	size_t k;

	if (f->n == 0)
		return fixed;
	t = pp_mem_alloc(c->mem, sizeof(*t));
	columns = pp_mem_alloc(c->mem,
	    (fixed->ncolumns + f->n) * sizeof(*columns));
	memcpy(columns, fixed->columns, FRONT * sizeof(*columns));
	for (k = 0; k < f->n; k++)
		columns[FRONT + k] = column_of(f, k);
	memcpy(columns + FRONT + f->n, fixed->columns + FRONT,
	    (fixed->ncolumns - FRONT) * sizeof(*columns));
	*t = *fixed;
	t->columns = columns;
	t->ncolumns = fixed->ncolumns + f->n;
	return t;
}

void
pp_by_fill(struct pp_rows *r, const struct pp_report_ctx *c, uint32_t facet)
{
	const struct pp_facets *f = facets(c);
	size_t k;

	for (k = 0; k < f->n; k++)
		pp_fill_name(r, c, pp_facet_value(f, facet, k));
}

struct ranked {
	const struct pp_model *m;
	uint32_t facet;
};

static int
compare(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	const struct pp_facets *f = &a->m->facets;
	size_t k;
	int c = 0;

	for (k = 0; k < f->n && c == 0; k++)
		c = pp_str_cmp(pp_strtab_get(&a->m->names,
		    pp_facet_value(f, a->facet, k)), pp_strtab_get(
		    &a->m->names, pp_facet_value(f, b->facet, k)));
	return c;
}

/* The place of each facet in the order of its values. */
static uint32_t *
ranks(const struct pp_report_ctx *c)
{
	size_t n = facets(c)->count, i;
	struct ranked *v = pp_mem_alloc(c->mem, (n + 1) * sizeof(*v));
	uint32_t *rank = pp_mem_zalloc(c->mem, (n + 1) * sizeof(*rank));

	for (i = 0; i < n; i++)
		v[i] = (struct ranked){c->model, (uint32_t)i};
	if (n > 1)
		qsort(v, n, sizeof(*v), compare);
	for (i = 0; i < n; i++)
		rank[v[i].facet] = (uint32_t)i;
	pp_mem_free(c->mem, v);
	return rank;
}

struct pp_sort *
pp_by_events(const struct pp_report_ctx *c,
    const struct pp_event_cell **cells, size_t *n)
{
	const struct pp_accounts *a = c->accounts;
	bool split = facets(c)->n > 0;
	uint32_t *session = pp_session_ranks(c), *facet = ranks(c);
	struct pp_sort *v;

	*cells = split ? a->by.events : a->events;
	*n = split ? a->by.nevents : a->nevents;
	v = pp_sort_alloc(c, *n);
	for (uint32_t i = 0; i < *n; i++) {
		const struct pp_event_cell *e = &(*cells)[i];

		v[i].major = (uint64_t)session[e->session] << 32 |
		    facet[e->facet];
		v[i].falling = e->time;
		v[i].text = pp_strtab_get(&c->model->names, e->name);
		v[i].minor = (uint64_t)e->class;
		v[i].index = i;
	}
	pp_sort(v, *n);
	pp_mem_free(c->mem, session);
	pp_mem_free(c->mem, facet);
	return v;
}

struct pp_sort *
pp_by_stmts(const struct pp_report_ctx *c, const struct pp_stmt_cell **cells,
    size_t *n)
{
	const struct pp_accounts *a = c->accounts;
	bool split = facets(c)->n > 0;
	uint32_t *session = pp_session_ranks(c), *facet = ranks(c);
	struct pp_sort *v;

	*cells = split ? a->by.stmts : a->stmts;
	*n = split ? a->by.nstmts : a->nstmts;
	v = pp_sort_alloc(c, *n);
	for (uint32_t i = 0; i < *n; i++) {
		const struct pp_stmt_cell *s = &(*cells)[i];

		v[i].major = (uint64_t)session[s->session] << 33 |
		    (uint64_t)facet[s->facet] << 1 |
		    (s->stmt == PP_STMT_BETWEEN);
		v[i].falling = s->sums.self;
		v[i].text = c->model->stmts[s->stmt].id;
		v[i].minor = s->stmt;
		v[i].index = i;
	}
	pp_sort(v, *n);
	pp_mem_free(c->mem, session);
	pp_mem_free(c->mem, facet);
	return v;
}
