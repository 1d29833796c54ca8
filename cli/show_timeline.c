/*
 * show_timeline.c: when it went: a stacked bar an interval, the intervals
 * from top to bottom.
 */
#include "show.h"

#include <stdlib.h>

#include "../model/report/grid.h"

#define WAITS 5			/* that have a glyph of their own */

/* The parts of a bar, from left to right. */
enum part {
	PART_CPU,		/* the calls with the most CPU */
	PART_CPU_REST,
	PART_QUEUE,
	PART_WAIT,		/* the first of WAITS */
	PART_OTHER = PART_WAIT + WAITS,
	PART_IDLE,
	PART_MISSING,
	PART_UNACCOUNTED,
	PART_COUNT
};

struct look {
	const char *glyph, *ascii;
	enum pp_ink ink;
	bool solid;		/* in colour: a full block */
};

static const struct look looks[PART_COUNT] = {
	[PART_CPU] = {"\u2588", "#", PP_INK_GREEN, true},
	[PART_CPU_REST] = {"\u259a", "&", PP_INK_GREEN, false},
	[PART_QUEUE] = {"Q", "Q", PP_INK_RED, false},
	[PART_WAIT] = {"\u2593", "@", PP_INK_YELLOW, true},
	[PART_WAIT + 1] = {"\u2592", "%", PP_INK_BLUE, true},
	[PART_WAIT + 2] = {"=", "=", PP_INK_MAGENTA, true},
	[PART_WAIT + 3] = {"+", "+", PP_INK_CYAN, true},
	[PART_WAIT + 4] = {"x", "x", PP_INK_RED, true},
	[PART_OTHER] = {"o", "o", PP_INK_PLAIN, true},
	[PART_IDLE] = {"\u2591", "-", PP_INK_GREY, false},
	[PART_MISSING] = {"!", "!", PP_INK_RED, false},
	[PART_UNACCOUNTED] = {"\u00b7", ".", PP_INK_GREY, false},
};

#define AXES_SHOWN 4

/* The parts of the intervals of one axis. */
struct chart {
	const struct pp_axis *axis;
	uint32_t session;	/* one of its sessions: for the wall clock */
	pp_i128 (*part)[PART_COUNT];
	pp_i128 most;		/* the longest bar */
};

struct charts {
	struct pp_show *show;
	uint8_t *part_of;	/* by event cell */
	pp_str cpu_name;	/* of PART_CPU */
	size_t cpu_rest;	/* other kinds of CPU */
	pp_str wait_name[WAITS];
	size_t others;		/* waits without a glyph of their own */
	pp_i128 total[PART_COUNT];
	struct chart chart[AXES_SHOWN];
	size_t n;
};

/* ----------------------------------------------------------- collecting */

static uint8_t
part_of_wait(const struct charts *c, pp_str name)
{
	int i;

	for (i = 0; i < WAITS; i++)
		if (c->wait_name[i].n > 0 && pp_str_eq(c->wait_name[i], name))
			return (uint8_t)(PART_WAIT + i);
	return PART_OTHER;
}

static uint8_t
part_of_event(const struct charts *c, const struct pp_event_cell *e)
{
	switch (e->class) {
	case PP_CLASS_CPU:
		return pp_str_eq(pp_show_name(c->show, e->name),
		    c->cpu_name) ? PART_CPU : PART_CPU_REST;
	case PP_CLASS_QUEUE:
		return PART_QUEUE;
	case PP_CLASS_IDLE:
		return PART_IDLE;
	case PP_CLASS_MISSING:
		return PART_MISSING;
	case PP_CLASS_UNACCOUNTED:
		return PART_UNACCOUNTED;
	case PP_CLASS_WAIT:
	case PP_CLASS_STAGE:
	case PP_CLASS_STATEMENT:
	case PP_CLASS_COUNT:
		break;
	}
	return part_of_wait(c, pp_show_name(c->show, e->name));
}

/* The longest waits get the glyphs, and the longest CPU its solid bar. */
static void
choose_parts(struct charts *c)
{
	struct pp_show *s = c->show;
	const struct pp_accounts *a = s->accounts;
	struct pp_show_event *v;
	size_t i, n, k = 0;

	v = pp_show_events(s, &n);
	for (i = 0; i < n; i++) {
		if (v[i].class == PP_CLASS_CPU) {
			if (c->cpu_name.n == 0)
				c->cpu_name = v[i].text;
			else
				c->cpu_rest += v[i].time != 0;
		}
		if (v[i].class != PP_CLASS_WAIT && v[i].class !=
		    PP_CLASS_STAGE && v[i].class != PP_CLASS_STATEMENT)
			continue;
		if (k < WAITS)
			c->wait_name[k++] = v[i].text;
		else
			c->others++;
	}
	pp_mem_free(a->mem, v);
	c->part_of = pp_mem_alloc(a->mem, a->nevents);
	for (i = 0; i < a->nevents; i++)
		c->part_of[i] = part_of_event(c, &a->events[i]);
}

static pp_i128
length(const struct pp_show *s, const struct pp_axis *x)
{
	return pp_dec_rescale((pp_i128)x->edge[x->n] - x->edge[0],
	    x->digits, s->digits);
}

/* Not where the window of a selection is elsewhere. */
static bool
is_drawn(const struct charts *c, const struct pp_axis *x)
{
	return c->show->accounts->select == NULL || length(c->show, x) > 0;
}

/* The longest axes, in the order of the sources. */
static void
choose_axes(struct charts *c)
{
	const struct pp_accounts *a = c->show->accounts;
	struct chart *x;
	size_t i, k;

	for (i = 0; i < a->naxes; i++) {
		if (!is_drawn(c, &a->axes[i]))
			continue;
		if (c->n == AXES_SHOWN) {
			for (k = 0, x = c->chart; k < c->n; k++)
				if (length(c->show, c->chart[k].axis) <
				    length(c->show, x->axis))
					x = &c->chart[k];
			if (length(c->show, &a->axes[i]) <=
			    length(c->show, x->axis))
				continue;
			memmove(x, x + 1, (size_t)(c->chart + --c->n - x) *
			    sizeof(*x));
		}
		c->chart[c->n].session = UINT32_MAX;
		c->chart[c->n++].axis = &a->axes[i];
	}
	for (k = 0; k < c->n; k++)
		c->chart[k].part = pp_mem_zalloc(a->mem,
		    c->chart[k].axis->n * sizeof(*c->chart[k].part));
}

static struct chart *
chart_of(struct charts *c, uint32_t session)
{
	const struct pp_accounts *a = c->show->accounts;
	size_t k;

	if (session >= a->nsums || a->axis_of[session] == UINT32_MAX)
		return NULL;
	for (k = 0; k < c->n; k++)
		if (c->chart[k].axis == &a->axes[a->axis_of[session]])
			return &c->chart[k];
	return NULL;
}

static void
collect(struct charts *c)
{
	struct pp_show *s = c->show;
	struct pp_report_ctx ctx = {.mem = s->accounts->mem,
	    .model = s->model, .accounts = s->accounts};
	struct pp_grid_row row;
	struct pp_grid g;
	struct chart *x;
	enum part p;
	pp_i128 t, sum;
	size_t k, i;
	int j;

	pp_grid_open(&g, &ctx, false, NULL);
	while (pp_grid_next(&g, &row)) {
		x = chart_of(c, row.session);
		if (x == NULL || row.interval >= x->axis->n)
			continue;
		if (x->session == UINT32_MAX)
			x->session = row.session;
		p = (enum part)c->part_of[row.event];
		t = pp_show_ticks(s, row.session, row.time);
		x->part[row.interval][p] += t;
		c->total[p] += t;
	}
	pp_grid_close(&g);
	for (k = 0; k < c->n; k++) {
		x = &c->chart[k];
		for (i = 0; i < x->axis->n; i++) {
			for (j = 0, sum = 0; j < PART_COUNT; j++)
				if (x->part[i][j] > 0)
					sum += x->part[i][j];
			if (sum > x->most)
				x->most = sum;
		}
	}
}

/* ------------------------------------------------------------- printing */

static void
put_part(struct pp_page *p, enum part part, size_t n)
{
	const struct look *k = &looks[part];

	if (n == 0)
		return;
	pp_page_ink(p, k->ink);
	pp_page_repeat(p, !p->utf8 ? k->ascii : p->colour && k->solid ?
	    "\u2588" : k->glyph, n);
	pp_page_ink(p, PP_INK_PLAIN);
}

static pp_str
part_name(const struct charts *c, enum part part, char *buf, size_t room)
{
	int n;

	if (part >= PART_WAIT && part < PART_OTHER)
		return c->wait_name[part - PART_WAIT];
	switch ((int)part) {
	case PART_CPU:
		return c->cpu_rest > 0 || c->show->accounts->opt.one_cpu ?
		    c->cpu_name : PP_STR("CPU");
	case PART_CPU_REST:
		return PP_STR("other CPU");
	case PART_QUEUE:
		return PP_STR("CPU run queue");
	case PART_IDLE:
		return PP_STR("idle");
	case PART_MISSING:
		return PP_STR("missing");
	case PART_UNACCOUNTED:
		return PP_STR("unaccounted-for");
	default:
		n = snprintf(buf, room, "%zu other%s", c->others,
		    c->others == 1 ? "" : "s");
		return (pp_str){buf, n > 0 ? (size_t)n : 0};
	}
}

static bool
is_shown(const struct charts *c, enum part part)
{
	return part != PART_IDLE || !c->show->run->opt->idle_excluded;
}

static void
print_legend(const struct charts *c)
{
	struct pp_page *p = &c->show->page;
	char buf[40];
	size_t at = 0, n;
	pp_str name;
	int k;

	for (k = 0; k < PART_COUNT; k++) {
		if (c->total[k] == 0 || !is_shown(c, (enum part)k))
			continue;
		name = part_name(c, (enum part)k, buf, sizeof(buf));
		n = 2 + pp_page_columns(p, name);
		if (at > 0 && at + 3 + n > p->width) {
			pp_page_end(p);
			at = 0;
		}
		if (at > 0)
			pp_page_blanks(p, 3);
		at += at > 0 ? 3 : 0;
		put_part(p, (enum part)k, 1);
		pp_page_blanks(p, 1);
		at += 2 + pp_page_text(p, name, p->width - at - 2);
	}
	pp_page_end(p);
}

/* One bar: each part ends where the running sum, rounded, does. */
static void
print_bar(const struct charts *c, const struct chart *x, uint32_t interval,
    size_t room)
{
	pp_i128 sum = 0;
	size_t at = 0, to;
	int k;

	for (k = 0; k < PART_COUNT; k++) {
		if (x->part[interval][k] <= 0)
			continue;
		sum += x->part[interval][k];
		to = x->most > 0 ? (size_t)((sum * 2 * (pp_i128)room +
		    x->most) / (2 * x->most)) : 0;
		if (is_shown(c, (enum part)k))
			put_part(&c->show->page, (enum part)k, to - at);
		else
			pp_page_blanks(&c->show->page, to - at);
		at = to;
	}
	pp_page_blanks(&c->show->page, room - at);
}

/* What an interval is most about: "CPU 62 %". */
static void
print_largest(const struct charts *c, const struct chart *x,
    uint32_t interval, size_t room)
{
	struct pp_page *p = &c->show->page;
	pp_i128 sum = 0, best = 0;
	char buf[40], share[24];
	enum part part = PART_COUNT;
	size_t n;
	int k;

	for (k = 0; k < PART_COUNT; k++) {
		if (x->part[interval][k] <= 0)
			continue;
		sum += x->part[interval][k];
		if (x->part[interval][k] > best) {
			best = x->part[interval][k];
			part = (enum part)k;
		}
	}
	if (part == PART_COUNT)
		return;
	n = pp_dec_format(share, pp_div_half_up(best * 100, sum), 0);
	pp_page_blanks(p, 3 - (n < 3 ? n : 3));
	pp_page_text(p, (pp_str){share, n}, n);
	pp_page_text(p, PP_STR(" % "), 3);
	pp_page_text(p, part_name(c, part, buf, sizeof(buf)), room - 6);
}

static bool
has_clock(const struct charts *c, const struct chart *x)
{
	struct pp_wall w;

	return x->session != UINT32_MAX && pp_session_wall(
	    &c->show->model->sessions[x->session], x->axis->edge[0], &w);
}

/* "23:21:45.690" */
static void
print_clock(const struct charts *c, const struct chart *x, uint32_t interval)
{
	struct pp_page *p = &c->show->page;
	struct pp_wall w;
	char buf[48];
	size_t n = 0;

	if (x->session != UINT32_MAX && pp_session_wall(
	    &c->show->model->sessions[x->session], x->axis->edge[interval],
	    &w))
		n = pp_wall_format(buf, &w, 0);
	if (n >= 23)
		pp_page_text(p, (pp_str){buf + 11, 12}, 12);
	else
		pp_page_blanks(p, 12);
}

#define WIDE 110		/* room for the clock and the largest part */
#define LARGEST_LEAST 24

/* Columns for the largest part: more where the page is wider. */
static size_t
largest_room(const struct pp_page *p)
{
	size_t n = p->width / 5;

	return n < LARGEST_LEAST ? LARGEST_LEAST : n > 40 ? 40 : n;
}

static void
print_chart(const struct charts *c, const struct chart *x)
{
	struct pp_show *s = c->show;
	struct pp_page *p = &s->page;
	const struct pp_source *src = &s->model->sources[x->axis->source];
	int64_t zero = src->has_span && x->axis->clock == 0 ? src->start :
	    x->axis->start;
	char buf[PP_DEC_MAX];
	bool wide = p->width >= WIDE, clock = wide && has_clock(c, x);
	size_t label, room, n;
	uint32_t i;

	label = pp_dec_format(buf, (pp_i128)x->axis->edge[x->axis->n] - zero,
	    x->axis->digits);
	room = p->width - label - 1 - (wide ? 1 + largest_room(p) : 0) -
	    (clock ? 13 : 0);
	for (i = 0; i < x->axis->n; i++) {
		n = pp_dec_format(buf, (pp_i128)x->axis->edge[i] - zero,
		    x->axis->digits);
		pp_page_blanks(p, label > n ? label - n : 0);
		pp_page_text(p, (pp_str){buf, n}, n);
		pp_page_blanks(p, 1);
		if (clock) {
			print_clock(c, x, i);
			pp_page_blanks(p, 1);
		}
		print_bar(c, x, i, room);
		pp_page_blanks(p, 1);
		if (wide)
			print_largest(c, x, i, largest_room(p));
		pp_page_end(p);
	}
}

static void
print_heading(const struct charts *c, const struct chart *x)
{
	const struct pp_show *s = c->show;
	char buf[PP_DEC_MAX], remark[160];
	size_t n;

	n = pp_dec_format(buf, (pp_i128)x->axis->edge[x->axis->n > 1 ? 1 :
	    x->axis->n] - x->axis->edge[0], x->axis->digits);
	if (s->accounts->opt.seed_timeline) {
		snprintf(remark, sizeof(remark), "%u intervals cut between "
		    "events", x->axis->n);
		pp_page_title(&c->show->page, "Timeline", remark);
		return;
	}
	if (s->model->nsources > 1)
		snprintf(remark, sizeof(remark), "%.*s, %u intervals of "
		    "%.*s s", (int)(s->model->sources[x->axis->source].name.n
		    < 80 ? s->model->sources[x->axis->source].name.n : 80),
		    s->model->sources[x->axis->source].name.p, x->axis->n,
		    (int)n, buf);
	else
		snprintf(remark, sizeof(remark), "%u intervals of %.*s s",
		    x->axis->n, (int)n, buf);
	pp_page_title(&c->show->page, "Timeline", remark);
}

void
pp_show_timeline(struct pp_show *s)
{
	struct charts c = {.show = s};
	struct pp_mem *mem = s->accounts->mem;
	size_t k, axes = 0;

	choose_parts(&c);
	choose_axes(&c);
	collect(&c);
	for (k = 0; k < c.n; k++) {
		print_heading(&c, &c.chart[k]);
		if (k == 0)
			print_legend(&c);
		print_chart(&c, &c.chart[k]);
		pp_mem_free(mem, c.chart[k].part);
	}
	for (k = 0; k < s->accounts->naxes; k++)
		axes += is_drawn(&c, &s->accounts->axes[k]);
	if (c.n < axes)
		fprintf(s->page.to, "the timelines of %zu shorter sources "
		    "are not shown\n", axes - c.n);
	pp_mem_free(mem, c.part_of);
}
