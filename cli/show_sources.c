/*
 * show_sources.c: what was read: sources, sessions, problems.
 */
#include "show.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#define SOURCES_AS_TEXT 3	/* more are a list */
#define SOURCES_LISTED 20
#define SESSIONS_LISTED 10

/* ----------------------------------------------------------------- text */

/* One line or more of words, wrapped behind a key. */
struct para {
	struct pp_page *page;
	size_t at;
};

#define KEY_WIDTH 9

static void
para_begin(struct para *p, struct pp_page *page, const char *key)
{
	size_t n;

	p->page = page;
	pp_page_ink(page, PP_INK_DIM);
	n = pp_page_text(page, pp_str_from(key), KEY_WIDTH);
	pp_page_ink(page, PP_INK_PLAIN);
	pp_page_blanks(page, KEY_WIDTH - n);
	p->at = KEY_WIDTH;
}

/* One more item, set apart by a comma, on a line of its own if need be. */
static void
para_item(struct para *p, pp_str s)
{
	size_t n = pp_page_columns(p->page, s);

	if (s.n == 0)
		return;
	if (p->at > KEY_WIDTH) {
		pp_page_repeat(p->page, ",", 1);
		p->at++;
		if (p->at + 2 + n > p->page->width) {
			pp_page_end(p->page);
			pp_page_blanks(p->page, KEY_WIDTH);
			p->at = KEY_WIDTH;
		} else {
			pp_page_blanks(p->page, 1);
			p->at++;
		}
	}
	/* a comma may follow */
	p->at += pp_page_text(p->page, s, p->page->width - p->at - 1);
}

__attribute__((format(printf, 2, 3))) static void
para_format(struct para *p, const char *fmt, ...)
{
	char buf[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	para_item(p, pp_str_from(buf));
}

/* "module SQL*Plus", where there is one. */
static void
para_named(struct para *p, const char *what, pp_str s)
{
	if (s.n > 0)
		para_format(p, "%s %.*s", what, (int)(s.n < 200 ? s.n : 200),
		    s.p);
}

static void
para_count(struct para *p, uint64_t n, const char *one, const char *many)
{
	char buf[28];
	pp_str s = pp_count_text(buf, n);

	para_format(p, "%.*s %s", (int)s.n, s.p, n == 1 ? one : many);
}

/* "2012-11-30 23:21:45.690866" */
static pp_str
wall_text(char *buf, const struct pp_wall *w)
{
	size_t n = pp_wall_format(buf, w, 0), i;

	for (i = 0; i < n; i++)
		if (buf[i] == 'T')
			buf[i] = ' ';
	return (pp_str){buf, n};
}

/* -------------------------------------------------------------- sources */

static const char *
status_text(const struct pp_source *x)
{
	return x->status == PP_SRC_COMPLETE ? "complete" :
	    x->status == PP_SRC_PARTIAL ? "partial" : "empty";
}

static uint64_t
queries_of(const struct pp_model *m, uint32_t session)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < m->nqueries; i++)
		n += m->queries[i].session == session;
	return n;
}

static void
show_session_line(struct pp_show *s, uint32_t session)
{
	const struct pp_session *x = &s->model->sessions[session];
	struct para p;

	para_begin(&p, &s->page, "session");
	para_item(&p, x->native_id);
	if (!pp_str_eq(x->process, x->native_id))
		para_named(&p, "process", x->process);
	para_named(&p, "service", x->service);
	para_named(&p, "module", x->module);
	para_named(&p, "action", x->action);
	para_named(&p, "client", x->client_id);
	para_named(&p, "driver", x->driver);
	if (x->kind == PP_SESSION_STATES) {
		para_count(&p, queries_of(s->model, session), "query",
		    "queries");
	} else if (x->kind == PP_SESSION_EVENTS) {
		para_count(&p, x->calls, "statement", "statements");
		para_count(&p, x->waits, "wait", "waits");
	} else if (x->kind == PP_SESSION_CALLS) {
		para_count(&p, x->calls, "call", "calls");
		para_count(&p, x->waits, "wait", "waits");
	}
	if (x->commits != 0)
		para_count(&p, x->commits, "commit", "commits");
	if (x->rollbacks != 0)
		para_count(&p, x->rollbacks, "rollback", "rollbacks");
	pp_page_end(&s->page);
}

/* The wall clock at a tick of the source; else what its stamps say. */
static struct pp_wall
source_wall(const struct pp_show *s, const struct pp_source *x, int64_t tick,
    const struct pp_wall *stamp)
{
	const struct pp_session *y;
	struct pp_wall w;
	size_t i;

	for (i = 0; x->has_span && i < s->model->nsessions; i++) {
		y = &s->model->sessions[i];
		if (&s->model->sources[y->source] == x && y->clock == 0 &&
		    pp_session_wall(y, tick, &w))
			return w;
	}
	return *stamp;
}

static void
show_time_line(struct pp_show *s, const struct pp_source *x)
{
	struct pp_wall from = source_wall(s, x, x->start, &x->started);
	struct pp_wall to = source_wall(s, x, x->end, &x->ended);
	char buf[PP_DEC_MAX], wall[48];
	struct para p;
	pp_str w;
	size_t n;

	if (!x->has_span && !from.known)
		return;
	para_begin(&p, &s->page, "time");
	if (x->has_span) {
		n = pp_dec_format(buf, (pp_i128)x->end - x->start, x->digits);
		para_format(&p, "span %.*s s", (int)n, buf);
	}
	if (from.known) {
		w = wall_text(wall, &from);
		para_format(&p, "from %.*s", (int)w.n, w.p);
	}
	if (to.known && to.us != from.us) {
		w = wall_text(wall, &to);
		para_format(&p, "to %.*s", (int)w.n, w.p);
	}
	pp_page_end(&s->page);
}

static void
show_source(struct pp_show *s, uint32_t source)
{
	const struct pp_source *x = &s->model->sources[source];
	struct para p;
	uint32_t i, only = UINT32_MAX;

	para_begin(&p, &s->page, "source");
	pp_page_ink(&s->page, PP_INK_TITLE);
	para_item(&p, x->name);
	pp_page_ink(&s->page, PP_INK_PLAIN);
	para_count(&p, x->lines, "line", "lines");
	para_count(&p, x->records, "record", "records");
	para_item(&p, pp_str_from(status_text(x)));
	pp_page_end(&s->page);
	if (x->product.n + x->version.n + x->host.n + x->instance.n > 0) {
		pp_str product = x->product;

		para_begin(&p, &s->page, "server");
		/* "... Release 19.0.0.0.0 - Production": the version follows;
		 * "23c Free, Release" has a comma of its own */
		if (x->version.n > 0)
			product.n = pp_str_find(product, PP_STR(" Release "));
		if (product.n > 0 && product.p[product.n - 1] == ',')
			product.n--;
		para_item(&p, product);
		para_item(&p, x->version);
		para_named(&p, "host", x->host);
		para_named(&p, "instance", x->instance);
		pp_page_end(&s->page);
	}
	show_time_line(s, x);
	for (i = 0; i < s->model->nsessions; i++)
		if (s->model->sessions[i].source == source)
			only = only == UINT32_MAX ? i : UINT32_MAX - 1;
	if (only < s->model->nsessions)
		show_session_line(s, only);
}

static void
list_sources(struct pp_show *s)
{
	static const struct pp_list_column columns[] = {
		{"source", PP_LIST_FLEX, 0},
		{"started", PP_LIST_LEFT, 100},
		{"seconds", PP_LIST_RIGHT, 0},
		{"lines", PP_LIST_RIGHT, 60},
		{"records", PP_LIST_RIGHT, 60},
		{"status", PP_LIST_LEFT, 0},
	};
	const struct pp_source *x;
	struct pp_list l;
	char wall[48];
	size_t i;

	pp_list_open(&l, &s->page, s->run->model.mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < s->model->nsources && i < SOURCES_LISTED; i++) {
		x = &s->model->sources[i];
		pp_list_row(&l, PP_INK_PLAIN);
		pp_list_text(&l, x->name);
		pp_list_text(&l, wall_text(wall, &x->started));
		if (x->has_span)
			pp_list_decimal(&l, (pp_i128)x->end - x->start,
			    x->digits);
		else
			pp_list_blank(&l);
		pp_list_count(&l, x->lines);
		pp_list_count(&l, x->records);
		pp_list_text(&l, pp_str_from(status_text(x)));
	}
	pp_list_print(&l);
	if (i < s->model->nsources)
		fprintf(s->page.to, "and %zu more\n", s->model->nsources - i);
}

void
pp_show_sources(struct pp_show *s)
{
	size_t i;

	if (s->model->nsources > SOURCES_AS_TEXT) {
		list_sources(s);
		return;
	}
	for (i = 0; i < s->model->nsources; i++) {
		if (i > 0)
			pp_page_end(&s->page);
		show_source(s, (uint32_t)i);
	}
}

/* ------------------------------------------------------------- sessions */

struct ranked {
	pp_i128 span;
	uint32_t index;
};

static int
by_span(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->span != y->span)
		return x->span > y->span ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void
session_row(struct pp_show *s, struct pp_list *l, const struct ranked *x)
{
	const struct pp_session *y = &s->model->sessions[x->index];
	const struct pp_session_sums *sums =
	    &s->accounts->sums[x->index];
	pp_str who = y->module.n ? y->module : y->service;

	pp_list_row(l, PP_INK_PLAIN);
	pp_list_text(l, pp_show_session(s, &l->text, x->index));
	pp_list_text(l, y->native_id);
	pp_list_text(l, who);
	pp_show_seconds(s, l, x->span);
	if (y->kind == PP_SESSION_STATES || y->kind == PP_SESSION_SUMS)
		return;
	if (y->kind == PP_SESSION_EVENTS) {
		pp_list_blank(l);
		pp_list_blank(l);
		pp_list_count(l, y->calls);
		return;
	}
	pp_show_seconds(s, l, pp_show_ticks(s, x->index, sums->root_cpu));
	pp_show_seconds(s, l, pp_show_ticks(s, x->index, sums->waits));
	pp_list_count(l, y->calls);
}

void
pp_show_sessions(struct pp_show *s)
{
	static const struct pp_list_column columns[] = {
		{"session", PP_LIST_FLEX, 0},
		{"id", PP_LIST_LEFT, 0},
		{"module", PP_LIST_LEFT, 120},
		{"seconds", PP_LIST_RIGHT, 0},
		{"CPU", PP_LIST_RIGHT, 60},
		{"waits", PP_LIST_RIGHT, 70},
		{"calls", PP_LIST_RIGHT, 60},
	};
	char buf[PP_DEC_MAX + 4], remark[128];
	struct pp_mem *mem = s->run->model.mem;
	struct ranked *v;
	struct pp_list l;
	size_t i, n = 0;

	if (s->model->nsessions < 2)
		return;
	v = pp_mem_alloc(mem, s->model->nsessions * sizeof(*v));
	for (i = 0; i < s->model->nsessions && i < s->accounts->nsums; i++) {
		v[n].index = (uint32_t)i;
		v[n++].span = pp_show_ticks(s, (uint32_t)i,
		    pp_show_is_nested(s, (uint32_t)i) ?
		    s->accounts->sums[i].root_elapsed :
		    pp_session_span(&s->model->sessions[i]));
	}
	qsort(v, n, sizeof(*v), by_span);
	snprintf(remark, sizeof(remark), "%zu, together %s",
	    s->model->nsessions, pp_show_time(s, buf, s->span));
	pp_page_title(&s->page, "Sessions", remark);
	pp_list_open(&l, &s->page, mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < n && i < SESSIONS_LISTED; i++)
		session_row(s, &l, &v[i]);
	pp_list_print(&l);
	if (i < n)
		fprintf(s->page.to, "and %zu more\n", n - i);
	pp_page_text(&s->page, PP_STR("Sessions may overlap: their seconds "
	    "together are not time on the wall clock."), s->page.width);
	pp_page_end(&s->page);
	pp_mem_free(mem, v);
}

/* ------------------------------------------------------------- problems */

struct problem_sum {
	const struct pp_problem *first;
	uint64_t count;
};

static int
by_severity(const void *a, const void *b)
{
	const struct problem_sum *x = a, *y = b;
	enum pp_severity p = pp_msg_info[x->first->id].severity,
	    q = pp_msg_info[y->first->id].severity;

	if (p != q)
		return p > q ? -1 : 1;
	if (x->first->id != y->first->id)
		return x->first->id < y->first->id ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* One entry an id and source. */
static size_t
sum_problems(const struct pp_show *s, struct problem_sum *v)
{
	const struct pp_diag *d = &s->model->diag;
	struct pp_map seen;
	uint32_t *at;
	size_t i, n = 0;

	pp_map_init(&seen, d->mem);
	for (i = 0; i < d->count; i++) {
		at = pp_map_at(&seen, d->problems[i].source,
		    (uint64_t)d->problems[i].id);
		if (*at == PP_MAP_NONE) {
			*at = (uint32_t)n;
			v[n].first = &d->problems[i];
			v[n++].count = 0;
		}
		v[*at].count += d->problems[i].count;
	}
	pp_map_free(&seen);
	qsort(v, n, sizeof(*v), by_severity);
	return n;
}

static void
problem_row(struct pp_show *s, struct pp_list *l, const struct problem_sum *x)
{
	const struct pp_problem *p = x->first;
	char where[32];

	pp_list_row(l, PP_INK_PLAIN);
	pp_list_text(l, pp_str_from(pp_severity_name(
	    pp_msg_info[p->id].severity)));
	pp_list_count(l, x->count);
	pp_list_text(l, pp_str_from(pp_msg_info[p->id].id));
	snprintf(where, sizeof(where), p->line ? "line %" PRIu64 : "%.0" PRIu64,
	    p->line);
	if (s->model->nsources == 1 || p->source == UINT32_MAX)
		pp_list_text(l, pp_str_from(where));
	else {
		char *t = pp_arena_alloc(&l->text,
		    s->model->sources[p->source].name.n + 40);
		int n = snprintf(t, s->model->sources[p->source].name.n + 40,
		    "%.*s%s%s", (int)s->model->sources[p->source].name.n,
		    s->model->sources[p->source].name.p, p->line ? " " : "",
		    where);

		pp_list_text(l, (pp_str){t, n > 0 ? (size_t)n : 0});
	}
	pp_list_paragraph(l, p->message);
}

void
pp_show_problems(struct pp_show *s)
{
	static const struct pp_list_column columns[] = {
		{"severity", PP_LIST_LEFT, 0},
		{"count", PP_LIST_RIGHT, 0},
		{"id", PP_LIST_LEFT, 0},
		{"first at", PP_LIST_FLEX, 0},
	};
	const struct pp_diag *d = &s->model->diag;
	struct problem_sum *v;
	struct pp_list l;
	size_t i, n;

	if (d->count == 0) {
		pp_page_title(&s->page, "Problems", "none");
		return;
	}
	v = pp_mem_alloc(d->mem, d->count * sizeof(*v));
	n = sum_problems(s, v);
	pp_page_title(&s->page, "Problems", "");
	pp_list_open(&l, &s->page, d->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < n && i < s->top; i++)
		problem_row(s, &l, &v[i]);
	pp_list_print(&l);
	if (i < n)
		fprintf(s->page.to, "and %zu more kinds\n", n - i);
	pp_mem_free(d->mem, v);
}
