/*
 * show_style_tkprof.c: the profile as tkprof prints it: a block a statement
 * with its Parse, Execute and Fetch calls, each less its recursive calls, in
 * hundredths of seconds that are cut, not rounded.  UNMAP and SORT UNMAP are
 * counted as Execute; CLOSE, LOB and RPC calls are left out.
 */
#include "show_style.h"

#include <stdlib.h>

enum { PARSE, EXECUTE, FETCH, CALLS };

struct call {
	uint64_t count, rows, misses;
	pp_i128 cpu, elapsed;
	int64_t disk, query, current;
};

struct stmt {
	uint32_t stmt;
	bool seen;
	uint32_t depth;		/* least */
	struct call call[CALLS];
	pp_i128 key;		/* of the order */
};

struct wait {
	uint32_t name, stmt;
	uint64_t count;
	pp_i128 max, time;
};

struct tkprof {
	struct pp_show *show;
	struct stmt *stmts;	/* by statement */
	struct stmt **order;
	size_t n;
	struct wait *waits;	/* by statement, then by arrival */
	size_t nwaits;
};

/* ------------------------------------------------------------ collecting */

static int
call_of(const struct pp_show *s, uint32_t call)
{
	static const struct {
		const char *name;
		int call;
	} names[] = {
		{"PARSE", PARSE}, {"EXEC", EXECUTE}, {"FETCH", FETCH},
		{"UNMAP", EXECUTE}, {"SORT UNMAP", EXECUTE},
	};
	pp_str name = pp_show_name(s, call);
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (pp_str_eq(name, pp_str_from(names[i].name)))
			return names[i].call;
	return CALLS;
}

static void
add(struct call *c, const struct call *d)
{
	c->count += d->count;
	c->rows += d->rows;
	c->misses += d->misses;
	c->cpu += d->cpu;
	c->elapsed += d->elapsed;
	c->disk += d->disk;
	c->query += d->query;
	c->current += d->current;
}

static struct call
numbers(const struct pp_show *s, const struct pp_call_cell *c)
{
	const struct pp_sums *t = &c->sums;

	return (struct call){
		.count = t->calls,
		.rows = t->rows,
		.misses = t->misses,
		.cpu = pp_show_ticks(s, c->session, t->self_cpu),
		.elapsed = pp_show_ticks(s, c->session, t->self),
		.disk = t->self_p,
		.query = t->self_cr,
		.current = t->self_cu,
	};
}

static struct stmt *
stmt_at(struct tkprof *t, uint32_t stmt)
{
	struct stmt *x = &t->stmts[stmt];

	if (!x->seen) {
		x->seen = true;
		x->stmt = stmt;
		x->depth = UINT32_MAX;
		t->order[t->n++] = x;
	}
	return x;
}

static int
by_elapsed(const void *a, const void *b)
{
	const struct stmt *x = *(struct stmt *const *)a,
	    *y = *(struct stmt *const *)b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return x->stmt < y->stmt ? -1 : x->stmt > y->stmt;
}

static void
collect_calls(struct tkprof *t)
{
	struct pp_show *s = t->show;
	const struct pp_accounts *a = s->accounts;
	struct call c;
	size_t i;
	int k;

	for (i = 0; i < a->ncalls; i++) {
		k = call_of(s, a->calls[i].call);
		if (k == CALLS)
			continue;
		c = numbers(s, &a->calls[i]);
		add(&stmt_at(t, a->calls[i].stmt)->call[k], &c);
		t->stmts[a->calls[i].stmt].key += c.elapsed;
	}
	for (i = 0; i < a->nstmts; i++)
		if (t->stmts[a->stmts[i].stmt].seen && a->stmts[i].has_depth &&
		    a->stmts[i].depth < t->stmts[a->stmts[i].stmt].depth)
			t->stmts[a->stmts[i].stmt].depth = a->stmts[i].depth;
	qsort(t->order, t->n, sizeof(struct stmt *), by_elapsed);
}

static int
by_stmt(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;

	if (x->stmt != y->stmt)
		return x->stmt < y->stmt ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void
collect_waits(struct tkprof *t)
{
	struct pp_show *s = t->show;
	const struct pp_accounts *a = s->accounts;
	const struct pp_event_cell *e;
	struct pp_map map;
	struct wait *w;
	uint32_t *at;
	size_t i;

	t->waits = pp_mem_zalloc(a->mem, (a->nbuckets + 1) *
	    sizeof(*t->waits));
	pp_map_init(&map, a->mem);
	for (i = 0; i < a->nbuckets; i++) {
		const struct pp_bucket *b = &a->buckets[i];
		pp_i128 max;

		e = &a->events[b->event];
		if ((e->class != PP_CLASS_WAIT && e->class !=
		    PP_CLASS_IDLE) || b->count == 0)
			continue;
		at = pp_map_at(&map, b->stmt, e->name);
		if (*at == PP_MAP_NONE)
			*at = (uint32_t)t->nwaits++;
		w = &t->waits[*at];
		w->name = e->name;
		w->stmt = b->stmt;
		w->count += b->count;
		w->time += pp_show_ticks(s, b->session, b->time);
		max = pp_show_ticks(s, b->session, b->max);
		if (max > w->max)
			w->max = max;
	}
	pp_map_free(&map);
	qsort(t->waits, t->nwaits, sizeof(*t->waits), by_stmt);
}

/* -------------------------------------------------------------- printing */

static void
cell(struct pp_show *s, size_t width, const char *text)
{
	pp_style_gap(s, 1);
	pp_style_right(s, width, text);
}

/* No commas: this is read by scripts. */
static const char *
plain(struct pp_style_text *t)
{
	char *from = t->s, *to = t->s;

	for (; *from != '\0'; from++)
		if (*from != ',')
			*to++ = *from;
	*to = '\0';
	return t->s;
}

static void
count(struct pp_show *s, size_t width, pp_i128 v)
{
	char buf[PP_DEC_MAX];

	buf[pp_dec_format(buf, v, 0)] = '\0';
	cell(s, width, buf);
}

static void
hundredths(struct pp_show *s, size_t width, pp_i128 v)
{
	struct pp_style_text t = pp_style_seconds(s, v, 2, true);

	cell(s, width, plain(&t));
}

static void
line(struct pp_show *s, const char *text)
{
	pp_page_repeat(&s->page, text, 1);
	pp_page_end(&s->page);
}

static void
call_row(struct pp_show *s, const char *name, const struct call *c)
{
	pp_style_left(s, 7, pp_str_from(name));
	count(s, 6, (pp_i128)c->count);
	pp_style_gap(s, 1);
	hundredths(s, 8, c->cpu);
	hundredths(s, 10, c->elapsed);
	count(s, 10, c->disk);
	count(s, 10, c->query);
	count(s, 10, c->current);
	pp_style_gap(s, 1);
	count(s, 10, (pp_i128)c->rows);
	pp_page_end(&s->page);
}

#define CALL_RULE "------- ------  -------- ---------- ---------- ---------- " \
	"----------  ----------"

static void
call_table(struct pp_show *s, const struct call *c)
{
	struct call all = {0};
	int k;

	line(s, "call     count       cpu    elapsed       disk      query    "
	    "current        rows");
	line(s, CALL_RULE);
	for (k = 0; k < CALLS; k++)
		add(&all, &c[k]);
	call_row(s, "Parse", &c[PARSE]);
	call_row(s, "Execute", &c[EXECUTE]);
	call_row(s, "Fetch", &c[FETCH]);
	line(s, CALL_RULE);
	call_row(s, "total", &all);
	pp_page_end(&s->page);
	if (c[PARSE].misses > 0)
		fprintf(s->page.to, "Misses in library cache during parse: "
		    "%llu\n", (unsigned long long)c[PARSE].misses);
	if (c[EXECUTE].misses > 0)
		fprintf(s->page.to, "Misses in library cache during execute: "
		    "%llu\n", (unsigned long long)c[EXECUTE].misses);
}

static void
wait_heads(struct pp_show *s)
{
	pp_page_end(&s->page);
	line(s, "Elapsed times include waiting on following events:");
	line(s, "  Event waited on                             Times   Max. "
	    "Wait  Total Waited");
	line(s, "  ----------------------------------------   Waited  "
	    "----------  ------------");
}

static void
wait_row(struct pp_show *s, const struct wait *w)
{
	pp_style_gap(s, 2);
	pp_style_left(s, 40, pp_show_name(s, w->name));
	count(s, 8, (pp_i128)w->count);
	pp_style_gap(s, 1);
	hundredths(s, 10, w->max);
	pp_style_gap(s, 1);
	hundredths(s, 12, w->time);
	pp_page_end(&s->page);
}

/* The waits of one statement lie together. */
static void
stmt_waits(const struct tkprof *t, uint32_t stmt)
{
	size_t lo = 0, hi = t->nwaits, mid;
	bool first = true;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (t->waits[mid].stmt < stmt)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < t->nwaits && t->waits[lo].stmt == stmt; lo++) {
		if (first)
			wait_heads(t->show);
		first = false;
		wait_row(t->show, &t->waits[lo]);
	}
}

static void
print_stmt(const struct tkprof *t, const struct stmt *x)
{
	struct pp_show *s = t->show;
	const struct pp_stmt *m = &s->model->stmts[x->stmt];

	pp_page_repeat(&s->page, "*", 80);
	pp_page_end(&s->page);
	fputc('\n', s->page.to);
	pp_page_text(&s->page, PP_STR("SQL ID: "), 8);
	pp_page_text(&s->page, m->id, SIZE_MAX / 2);
	pp_page_end(&s->page);
	fputc('\n', s->page.to);
	if (m->has_text) {
		pp_style_lines(s, m->text);
		fputs("\n\n", s->page.to);
	}
	call_table(s, x->call);
	if (m->parsing_user >= 0 || x->depth > 0) {
		fprintf(s->page.to, "Parsing user id: %lld", (long long)
		    m->parsing_user);
		if (x->depth > 0 && x->depth != UINT32_MAX)
			fprintf(s->page.to, "   (recursive depth: %u)",
			    x->depth);
		fputc('\n', s->page.to);
	}
	stmt_waits(t, x->stmt);
}

/* Waits of all statements that are recursive, or are not. */
static void
total_waits(const struct tkprof *t, bool recursive)
{
	struct pp_show *s = t->show;
	struct wait *v = pp_mem_zalloc(s->accounts->mem, (t->nwaits + 1) *
	    sizeof(*v));
	struct pp_map map;
	uint32_t *at;
	size_t i, n = 0;

	pp_map_init(&map, s->accounts->mem);
	for (i = 0; i < t->nwaits; i++) {
		const struct wait *w = &t->waits[i];
		const struct stmt *x = &t->stmts[w->stmt];

		if ((x->seen && x->depth > 0) != recursive)
			continue;
		at = pp_map_at(&map, w->name, 0);
		if (*at == PP_MAP_NONE)
			*at = (uint32_t)n++;
		v[*at].name = w->name;
		v[*at].count += w->count;
		v[*at].time += w->time;
		if (w->max > v[*at].max)
			v[*at].max = w->max;
	}
	pp_map_free(&map);
	qsort(v, n, sizeof(*v), by_stmt);
	if (n > 0)
		wait_heads(s);
	for (i = 0; i < n; i++)
		wait_row(s, &v[i]);
	pp_mem_free(s->accounts->mem, v);
}

static size_t
print_total(const struct tkprof *t, bool recursive)
{
	struct pp_show *s = t->show;
	struct call c[CALLS] = {{0}};
	size_t i, n = 0;
	int k;

	for (i = 0; i < t->n; i++) {
		if ((t->order[i]->depth > 0) != recursive)
			continue;
		n++;
		for (k = 0; k < CALLS; k++)
			add(&c[k], &t->order[i]->call[k]);
	}
	fprintf(s->page.to, "\n\nOVERALL TOTALS FOR ALL %s STATEMENTS\n\n",
	    recursive ? "RECURSIVE" : "NON-RECURSIVE");
	call_table(s, c);
	total_waits(t, recursive);
	return n;
}

void
pp_show_style_tkprof(struct pp_show *s)
{
	struct pp_mem *mem = s->accounts->mem;
	struct tkprof t = {.show = s};
	size_t i, user, internal;

	t.stmts = pp_mem_zalloc(mem, s->model->nstmts * sizeof(*t.stmts));
	t.order = pp_mem_alloc(mem, (s->model->nstmts + 1) *
	    sizeof(struct stmt *));
	collect_calls(&t);
	collect_waits(&t);
	fputs("Times of calls are without their recursive calls, in "
	    "hundredths of a second, cut;\nUNMAP counts as Execute, CLOSE and "
	    "LOB calls are left out.\n\n", s->page.to);
	for (i = 0; i < t.n; i++)
		print_stmt(&t, t.order[i]);
	pp_page_repeat(&s->page, "*", 80);
	user = print_total(&t, false);
	internal = print_total(&t, true);
	fprintf(s->page.to, "\n%5zu  user  SQL statements in trace file.\n"
	    "%5zu  internal SQL statements in trace file.\n%5zu  SQL "
	    "statements in trace file.\n", user, internal, user + internal);
	pp_mem_free(mem, t.stmts);
	pp_mem_free(mem, t.order);
	pp_mem_free(mem, t.waits);
}
