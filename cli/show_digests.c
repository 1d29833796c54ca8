/*
 * show_digests.c: top digests: what statements that differ by a literal took
 * together.  Printed where statements do share a digest.
 */
#include "show.h"

#include <stdlib.h>

struct digest {
	uint32_t stmt;		/* the first statement with it */
	uint64_t statements, executions;
	pp_i128 self, cpu, wait;
};

static int
by_self(const void *a, const void *b)
{
	const struct digest *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->stmt < y->stmt ? -1 : x->stmt > y->stmt;
}

/* The digests of all statements with times; *n of them, to be freed. */
static struct digest *
sum_digests(struct pp_show *s, size_t *n)
{
	const struct pp_accounts *a = s->accounts;
	const struct pp_stmt *m;
	struct digest *v = pp_mem_zalloc(a->mem, (a->nstmts + 1) *
	    sizeof(*v)), *d;
	struct pp_map map, seen;
	uint32_t *at;
	size_t i;

	*n = 0;
	pp_map_init(&map, a->mem);
	pp_map_init(&seen, a->mem);
	for (i = 0; i < a->nstmts; i++) {
		const struct pp_stmt_cell *c = &a->stmts[i];

		m = &s->model->stmts[c->stmt];
		if (m->digest.n == 0)
			continue;
		/* equal digests are equal: they are hash values */
		at = pp_map_at(&map, pp_str_hash(m->digest), m->digest.n);
		if (*at == PP_MAP_NONE) {
			*at = (uint32_t)(*n)++;
			v[*at].stmt = c->stmt;
		}
		d = &v[*at];
		at = pp_map_at(&seen, c->stmt, 0);
		d->statements += *at == PP_MAP_NONE;
		*at = 0;
		d->executions += c->executions;
		d->self += pp_show_ticks(s, c->session, c->sums.self);
		d->cpu += pp_show_ticks(s, c->session, c->sums.self_cpu);
		d->wait += pp_show_ticks(s, c->session, c->sums.self_wait);
	}
	pp_map_free(&map);
	pp_map_free(&seen);
	qsort(v, *n, sizeof(*v), by_self);
	return v;
}

static void
row(struct pp_show *s, struct pp_list *l, const struct digest *d)
{
	const struct pp_stmt *m = &s->model->stmts[d->stmt];

	pp_list_row(l, PP_INK_CYAN);
	/* enough of it to find it in the tables */
	pp_list_text(l, (pp_str){m->digest.p, m->digest.n < 14 ?
	    m->digest.n : 14});
	pp_show_seconds(s, l, d->self);
	pp_show_share(s, l, d->self);
	pp_list_bar(l, d->self);
	if (pp_show_has_cpu(s))
		pp_show_seconds(s, l, d->cpu);
	else
		pp_list_blank(l);
	if (pp_show_has_waits(s))
		pp_show_seconds(s, l, d->wait);
	else
		pp_list_blank(l);
	pp_list_count(l, d->executions);
	pp_show_average(s, l, d->self, d->executions);
	pp_list_count(l, d->statements);
	pp_list_note(l, m->digest_text.n > 0 ? m->digest_text : m->text);
}

void
pp_show_digests(struct pp_show *s)
{
	static const struct pp_list_column columns[] = {
		{"digest", PP_LIST_FLEX, 0},
		{"self s", PP_LIST_RIGHT, 0},
		{"%", PP_LIST_RIGHT, 0},
		{"", PP_LIST_BAR, 0},
		{"CPU s", PP_LIST_RIGHT, 60},
		{"wait s", PP_LIST_RIGHT, 60},
		{"execs", PP_LIST_RIGHT, 60},
		{"self/exec", PP_LIST_RIGHT, 100},
		{"stmts", PP_LIST_RIGHT, 0},
	};
	struct digest *v;
	struct pp_list l;
	char remark[64], buf[28];
	bool shared = false;
	size_t i, n;
	pp_str count;

	v = sum_digests(s, &n);
	for (i = 0; i < n; i++)
		shared |= v[i].statements > 1;
	if (shared) {
		count = pp_count_text(buf, n);
		snprintf(remark, sizeof(remark), "%.*s in all",
		    (int)count.n, count.p);
		pp_page_title(&s->page, "Top digests by self time", remark);
		pp_list_open(&l, &s->page, s->accounts->mem, columns,
		    sizeof(columns) / sizeof(columns[0]));
		for (i = 0; i < n && i < s->top; i++)
			row(s, &l, &v[i]);
		pp_list_print(&l);
	}
	pp_mem_free(s->accounts->mem, v);
}
