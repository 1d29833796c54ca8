/*
 * show_style_seed.c: the resource profile as the seed's Interval Resource
 * Profiler prints it: an event a row by falling time, all CPU as one, names
 * wrapped in a column of --name-width, what is unaccounted for without a
 * count, and the total.
 */
#include "show_style.h"

#define TIME_WIDTH 11
#define SHARE_WIDTH 7
#define COUNT_WIDTH 7		/* grows with the number of events */
#define EACH_WIDTH 13		/* average, minimum, maximum */

struct table {
	struct pp_show *show;
	size_t name, time, count;
};

static void
rules(const struct table *t)
{
	struct pp_show *s = t->show;
	size_t width[] = {t->name, t->time, SHARE_WIDTH, t->count,
	    EACH_WIDTH, EACH_WIDTH, EACH_WIDTH}, i;

	for (i = 0; i < sizeof(width) / sizeof(width[0]); i++) {
		if (i > 0)
			pp_style_gap(s, 2);
		pp_style_rule(s, width[i]);
	}
	pp_page_end(&s->page);
}

static void
cell(const struct table *t, size_t width, const char *text)
{
	pp_style_gap(t->show, 2);
	pp_style_right(t->show, width, text);
}

static void
heads(const struct table *t)
{
	struct pp_show *s = t->show;

	pp_style_gap(s, t->name);
	cell(t, t->time, "Total Event");
	cell(t, SHARE_WIDTH, "% Event");
	cell(t, t->count, "Total");
	cell(t, 3 * EACH_WIDTH + 4,
	    "--------------- Cumulative ----------------");
	pp_page_end(&s->page);
	pp_style_left(s, t->name, PP_STR("Event Name"));
	cell(t, t->time, "Time (sec)");
	cell(t, SHARE_WIDTH, "Time");
	cell(t, t->count, "Events");
	cell(t, EACH_WIDTH, "Avg Time(sec)");
	cell(t, EACH_WIDTH, "Min Time(sec)");
	cell(t, EACH_WIDTH, "Max Time(sec)");
	pp_page_end(&s->page);
	rules(t);
}

/* As many words as fit into `width`, or a part of a long one. */
static pp_str
next_line(pp_str *s, size_t width)
{
	size_t n = s->n, k;
	pp_str line;

	if (n > width) {
		for (n = width; n > 0 && s->p[n] != ' ';)
			n--;
		if (n == 0)
			n = width;
	}
	line = (pp_str){s->p, n};
	for (k = n; k < s->n && s->p[k] == ' ';)
		k++;
	*s = pp_str_skip(*s, k);
	return line;
}

static void
row(const struct table *t, const struct pp_show_event *e)
{
	struct pp_show *s = t->show;
	pp_str name = e->text;

	pp_style_left(s, t->name, next_line(&name, t->name));
	cell(t, t->time, pp_style_seconds(s, e->time, 6, false).s);
	cell(t, SHARE_WIDTH, pp_style_percent(e->time, s->span, 2).s);
	if (e->counted) {
		cell(t, t->count, pp_style_count(e->count).s);
		cell(t, EACH_WIDTH, pp_style_mean(s, e->time, e->count, 6).s);
		cell(t, EACH_WIDTH, pp_style_seconds(s, e->min, 6, false).s);
		cell(t, EACH_WIDTH, pp_style_seconds(s, e->max, 6, false).s);
	}
	pp_page_end(&s->page);
	while (name.n > 0) {
		pp_style_left(s, t->name, next_line(&name, t->name));
		pp_page_end(&s->page);
	}
}

static size_t
wider(size_t n, const char *text)
{
	return strlen(text) > n ? strlen(text) : n;
}

void
pp_show_style_seed(struct pp_show *s)
{
	struct table t = {s, s->run->opt->name_width, TIME_WIDTH,
	    COUNT_WIDTH};
	struct pp_show_event *v;
	uint64_t count = 0;
	pp_i128 total = 0;
	size_t i, n;

	v = pp_style_events(s, "CPU Service", &n);
	for (i = 0; i < n; i++) {
		count += v[i].counted ? v[i].count : 0;
		total += v[i].time;
	}
	t.count = wider(t.count, pp_style_count(count).s);
	t.time = wider(t.time, pp_style_seconds(s, total, 6, false).s);
	heads(&t);
	for (i = 0; i < n; i++)
		if (v[i].time != 0 || v[i].counted)
			row(&t, &v[i]);
	rules(&t);
	pp_style_left(s, t.name, PP_STR("Total"));
	cell(&t, t.time, pp_style_seconds(s, total, 6, false).s);
	cell(&t, SHARE_WIDTH, pp_style_percent(total, s->span, 2).s);
	cell(&t, t.count, pp_style_count(count).s);
	pp_page_end(&s->page);
	pp_mem_free(s->accounts->mem, v);
}
