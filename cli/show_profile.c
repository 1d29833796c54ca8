/*
 * show_profile.c: where the time went: the resource profile, the waits of
 * statements, the widest gaps.
 */
#include "show.h"

#include <inttypes.h>
#include <stdlib.h>

#define EVENTS_LISTED 24

static int
by_time(const void *a, const void *b)
{
	const struct pp_show_event *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return pp_str_cmp(x->text, y->text);
}

static void
add_event(struct pp_show *s, struct pp_show_event *e,
    const struct pp_event_cell *c)
{
	pp_i128 min = pp_show_ticks(s, c->session, c->min);
	pp_i128 max = pp_show_ticks(s, c->session, c->max);

	e->time += pp_show_ticks(s, c->session, c->time);
	if (!c->counted || c->count == 0)
		return;
	e->summed |= c->summed;
	if (e->summed)
		e->min = e->max = 0;
	else if (e->count == 0 || min < e->min)
		e->min = min;
	if (!e->summed && (e->count == 0 || max > e->max))
		e->max = max;
	e->count += c->count;
	e->counted = true;
}

struct pp_show_event *
pp_show_events(struct pp_show *s, size_t *n)
{
	const struct pp_accounts *a = s->accounts;
	struct pp_show_event *v = pp_mem_zalloc(a->mem, a->nevents * sizeof(*v));
	struct pp_map map;
	uint32_t *at;
	size_t i;

	*n = 0;
	pp_map_init(&map, a->mem);
	for (i = 0; i < a->nevents; i++) {
		at = pp_map_at(&map, a->events[i].name,
		    (uint64_t)a->events[i].class);
		if (*at == PP_MAP_NONE) {
			*at = (uint32_t)*n;
			v[*n].name = a->events[i].name;
			v[*n].class = a->events[i].class;
			v[*n].text = pp_show_name(s, a->events[i].name);
			++*n;
		}
		add_event(s, &v[*at], &a->events[i]);
	}
	pp_map_free(&map);
	qsort(v, *n, sizeof(*v), by_time);
	return v;
}

static void
event_row(struct pp_show *s, struct pp_list *l, const struct pp_show_event *e,
    pp_str name)
{
	pp_list_row(l, pp_show_ink(e->class));
	pp_list_text(l, name);
	pp_list_text(l, e->class == PP_CLASS_COUNT ? PP_STR("") :
	    pp_str_from(pp_class_name(e->class)));
	pp_show_seconds(s, l, e->time);
	pp_show_share(s, l, e->time);
	pp_list_bar(l, e->time);
	if (!e->counted) {
		pp_list_blank(l);
		pp_list_blank(l);
		pp_list_blank(l);
		pp_list_blank(l);
		return;
	}
	pp_list_count(l, e->count);
	pp_show_average(s, l, e->time, e->count);
	if (e->summed) {
		pp_list_blank(l);
		pp_list_blank(l);
		return;
	}
	pp_show_seconds(s, l, e->min);
	pp_show_seconds(s, l, e->max);
}

/* "12 others" */
static pp_str
others(char *buf, size_t room, size_t n)
{
	int k = snprintf(buf, room, "%zu other%s", n, n == 1 ? "" : "s");

	return (pp_str){buf, k > 0 ? (size_t)k : 0};
}

/* All rows: the longest by name, the rest in one, idle ones perhaps not. */
static void
profile_rows(struct pp_show *s, struct pp_list *l,
    const struct pp_show_event *v, size_t n)
{
	struct pp_show_event rest = {.class = PP_CLASS_COUNT};
	struct pp_show_event idle = {.class = PP_CLASS_IDLE};
	char buf[40];
	size_t i, shown = 0, folded = 0;

	for (i = 0; i < n; i++) {
		if (v[i].class == PP_CLASS_IDLE &&
		    s->run->opt->idle_excluded) {
			idle.time += v[i].time;
			idle.count += v[i].count;
		} else if (shown < EVENTS_LISTED ||
		    v[i].class == PP_CLASS_UNACCOUNTED) {
			event_row(s, l, &v[i], v[i].text);
			shown++;
		} else {
			rest.time += v[i].time;
			rest.count += v[i].count;
			folded++;
		}
	}
	if (folded > 0)
		event_row(s, l, &rest, others(buf, sizeof(buf), folded));
	if (idle.count > 0) {
		pp_list_row(l, PP_INK_GREY);
		pp_list_text(l, PP_STR("(idle waits)"));
		pp_list_text(l, PP_STR("idle"));
		pp_show_seconds(s, l, idle.time);
		pp_show_share(s, l, idle.time);
		pp_list_bar(l, 0);
	}
}

/*
 * SHOW PROFILE with a LIMIT, or rounded: what the totals of the queries have
 * beyond their states.  Calls and waits leave nothing.
 */
static void
without_state(struct pp_show *s, struct pp_list *l,
    const struct pp_show_event *v, size_t n)
{
	pp_i128 rest = s->span, us;
	uint64_t states = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		rest -= v[i].time;
		states += v[i].count;
	}
	us = pp_dec_rescale(rest, s->digits, 6);
	if (pp_show_has_calls(s) || us == 0)
		return;
	/* states have six digits, totals eight */
	us = us < 0 ? -us : us;
	pp_list_row(l, PP_INK_GREY);
	pp_list_text(l, us <= (pp_i128)states ? PP_STR("(rounding)") :
	    PP_STR("(in no state)"));
	pp_list_text(l, PP_STR(""));
	pp_show_seconds(s, l, rest);
	pp_show_share(s, l, rest);
	pp_list_bar(l, 0);
}

void
pp_show_profile(struct pp_show *s)
{
	static const struct pp_list_column columns[] = {
		{"event", PP_LIST_FLEX, 0},
		{"class", PP_LIST_LEFT, 120},
		{"seconds", PP_LIST_RIGHT, 0},
		{"%", PP_LIST_RIGHT, 0},
		{"", PP_LIST_BAR, 0},
		{"count", PP_LIST_RIGHT, 60},
		{"average", PP_LIST_RIGHT, 60},
		{"shortest", PP_LIST_RIGHT, 120},
		{"longest", PP_LIST_RIGHT, 100},
	};
	char buf[PP_DEC_MAX + 4], remark[128];
	struct pp_show_event *v;
	struct pp_list l;
	size_t n;

	v = pp_show_events(s, &n);
	if (s->sessions == 1)
		snprintf(remark, sizeof(remark), "%s %s",
		    s->accounts->select != NULL ? "selected" : s->roots ?
		    "events" : "span",
		    pp_show_time(s, buf, s->span));
	else
		snprintf(remark, sizeof(remark), "%zu sessions, together %s",
		    s->sessions, pp_show_time(s, buf, s->span));
	pp_page_title(&s->page, "Resource profile", remark);
	pp_list_open(&l, &s->page, s->accounts->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	profile_rows(s, &l, v, n);
	without_state(s, &l, v, n);
	pp_list_row(&l, PP_INK_PLAIN);
	pp_list_text(&l, PP_STR("total"));
	pp_list_text(&l, PP_STR(""));
	pp_show_seconds(s, &l, s->span);
	pp_show_share(s, &l, s->span);
	pp_list_bar(&l, 0);
	pp_list_total(&l);
	pp_list_print(&l);
	pp_mem_free(s->accounts->mem, v);
}

/* ---------------------------------------------------------------- waits */

/* An event of a statement at a place, over all sessions. */
struct wait {
	uint32_t name, stmt;
	enum pp_place place;
	enum pp_class class;
	pp_i128 time, max;
	uint64_t count;
	bool summed;		/* the longest is not known */
	pp_str text, id;
};

static int
by_wait_time(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;
	int c;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	c = pp_str_cmp(x->text, y->text);
	if (c == 0)
		c = pp_str_cmp(x->id, y->id);
	return c != 0 ? c : (int)x->place - (int)y->place;
}

static bool
is_wait(const struct pp_show *s, enum pp_class c)
{
	return c == PP_CLASS_WAIT || c == PP_CLASS_STAGE ||
	    (c == PP_CLASS_IDLE && !s->run->opt->idle_excluded);
}

static struct wait *
sum_waits(struct pp_show *s, size_t *n)
{
	const struct pp_accounts *a = s->accounts;
	struct wait *v = pp_mem_zalloc(a->mem, a->nbuckets * sizeof(*v));
	const struct pp_event_cell *e;
	const struct pp_bucket *b;
	struct pp_map map;
	uint32_t *at;
	size_t i;
	pp_i128 max;

	*n = 0;
	pp_map_init(&map, a->mem);
	for (i = 0; i < a->nbuckets; i++) {
		b = &a->buckets[i];
		e = &a->events[b->event];
		if (!is_wait(s, e->class))
			continue;
		at = pp_map_at(&map, (uint64_t)e->name << 8 |
		    (uint64_t)e->class << 4 | (uint64_t)b->place, b->stmt);
		if (*at == PP_MAP_NONE) {
			*at = (uint32_t)*n;
			v[(*n)++] = (struct wait){.name = e->name,
			    .stmt = b->stmt, .place = b->place,
			    .class = e->class,
			    .text = pp_show_name(s, e->name),
			    .id = s->model->stmts[b->stmt].id};
		}
		v[*at].time += pp_show_ticks(s, b->session, b->time);
		v[*at].count += b->count;
		v[*at].summed |= b->summed;
		max = pp_show_ticks(s, b->session, b->max);
		if (max > v[*at].max)
			v[*at].max = max;
	}
	pp_map_free(&map);
	qsort(v, *n, sizeof(*v), by_wait_time);
	return v;
}

void
pp_show_waits(struct pp_show *s)
{
	static const struct pp_list_column columns[] = {
		{"event", PP_LIST_FLEX, 0},
		{"statement", PP_LIST_LEFT, 60},
		{"place", PP_LIST_LEFT, 100},
		{"seconds", PP_LIST_RIGHT, 0},
		{"%", PP_LIST_RIGHT, 0},
		{"count", PP_LIST_RIGHT, 60},
		{"average", PP_LIST_RIGHT, 100},
		{"longest", PP_LIST_RIGHT, 60},
	};
	struct wait *v;
	struct pp_list l;
	size_t i, n;

	v = sum_waits(s, &n);
	pp_page_title(&s->page, s->roots ? "Stages and waits of statements" :
	    "Waits of statements", n == 0 ? "none" :
	    "by event and statement");
	pp_list_open(&l, &s->page, s->accounts->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < n && i < s->top; i++) {
		pp_list_row(&l, PP_INK_PLAIN);
		pp_list_text(&l, v[i].text);
		pp_list_text(&l, v[i].id);
		pp_list_text(&l, pp_str_from(pp_place_name(v[i].place)));
		pp_show_seconds(s, &l, v[i].time);
		pp_show_share(s, &l, v[i].time);
		pp_list_count(&l, v[i].count);
		pp_show_average(s, &l, v[i].time, v[i].count);
		if (v[i].summed)
			pp_list_blank(&l);
		else
			pp_show_seconds(s, &l, v[i].max);
	}
	if (n > 0)
		pp_list_print(&l);
	if (i < n)
		fprintf(s->page.to, "and %zu more\n", n - i);
	pp_mem_free(s->accounts->mem, v);
}

/* ----------------------------------------------------------------- gaps */

struct gap {
	const struct pp_gap *gap;
	uint32_t session;
	pp_i128 time;
};

static int
by_gap_time(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->session != y->session)
		return x->session < y->session ? -1 : 1;
	return x->gap->start < y->gap->start ? -1 :
	    x->gap->start > y->gap->start;
}

static struct gap *
collect_gaps(struct pp_show *s, size_t *n)
{
	const struct pp_accounts *a = s->accounts;
	struct gap *v;
	size_t i, k;

	*n = 0;
	for (i = 0; i < a->nsums; i++)
		*n += a->sums[i].ngaps;
	v = pp_mem_alloc(a->mem, *n * sizeof(*v));
	*n = 0;
	for (i = 0; i < a->nsums; i++)
		for (k = 0; k < a->sums[i].ngaps; k++)
			v[(*n)++] = (struct gap){&a->sums[i].gap[k],
			    (uint32_t)i, pp_show_ticks(s, (uint32_t)i,
			    a->sums[i].gap[k].time)};
	qsort(v, *n, sizeof(*v), by_gap_time);
	return v;
}

/* "1234 to 1236"; a gap may begin before the first line that is a record, or
 * end after the last */
static void
put_lines(struct pp_list *l, const struct pp_gap *g)
{
	char buf[48];

	if (g->after_line == 0)
		snprintf(buf, sizeof(buf), "start to %" PRIu32,
		    g->before_line);
	else if (g->before_line == 0)
		snprintf(buf, sizeof(buf), "%" PRIu32 " to end",
		    g->after_line);
	else
		snprintf(buf, sizeof(buf), "%" PRIu32 " to %" PRIu32,
		    g->after_line, g->before_line);
	pp_list_text(l, pp_str_from(buf));
}

static void
gap_row(struct pp_show *s, struct pp_list *l, const struct gap *x)
{
	const struct pp_session *y = &s->model->sessions[x->session];
	const struct pp_source *src = &s->model->sources[y->source];
	int64_t zero = src->has_span ? src->start : y->start;
	struct pp_wall w;
	char wall[48];

	pp_list_row(l, PP_INK_PLAIN);
	pp_show_seconds(s, l, x->time);
	pp_show_share(s, l, x->time);
	pp_show_seconds(s, l, pp_show_ticks(s, x->session,
	    (pp_i128)x->gap->start - zero));
	if (pp_session_wall(y, x->gap->start, &w) &&
	    pp_wall_format(wall, &w, 0) >= 26)
		/* the time of day */
		pp_list_text(l, (pp_str){wall + 11, 15});
	else
		pp_list_blank(l);
	put_lines(l, x->gap);
	pp_list_text(l, x->gap->place == PP_PLACE_CALL ? PP_STR("in a call") :
	    PP_STR("between calls"));
	pp_list_text(l, s->model->nsessions > 1 ?
	    pp_show_session(s, &l->text, x->session) : PP_STR(""));
	pp_list_text(l, x->gap->place == PP_PLACE_CALL ?
	    s->model->stmts[x->gap->stmt].id : PP_STR(""));
}

#define GAPS_LISTED 5

void
pp_show_gaps(struct pp_show *s)
{
	static const struct pp_list_column columns[] = {
		{"seconds", PP_LIST_RIGHT, 0},
		{"%", PP_LIST_RIGHT, 60},
		{"from second", PP_LIST_RIGHT, 60},
		{"at", PP_LIST_LEFT, 100},
		{"lines", PP_LIST_LEFT, 0},
		{"place", PP_LIST_LEFT, 0},
		{"session", PP_LIST_LEFT, 100},
		{"statement", PP_LIST_FLEX, 60},
	};
	size_t i, n, limit = s->run->opt->top ? s->top : GAPS_LISTED;
	struct gap *v;
	struct pp_list l;

	v = collect_gaps(s, &n);
	pp_page_title(&s->page, "Widest gaps", n == 0 ? "none" :
	    "time that nothing in the trace explains");
	pp_list_open(&l, &s->page, s->accounts->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < n && i < limit; i++)
		gap_row(s, &l, &v[i]);
	if (n > 0)
		pp_list_print(&l);
	pp_mem_free(s->accounts->mem, v);
}
