/*
 * show_style_mrskew.c: the profile as mrskew prints it: the duration of a
 * database call is the CPU that is its own, that of a wait its elapsed time;
 * nothing is unaccounted for.  Then the same durations by decade, the lower
 * bound inside.
 */
#include "show_style.h"

#define NAME_WIDTH 40

/* "CPU EXEC" of the accounts is mrskew's EXEC. */
static pp_str
call_name(const struct pp_show_event *e)
{
	pp_str cpu = PP_STR("CPU ");

	if (e->class == PP_CLASS_CPU && e->text.n > cpu.n &&
	    pp_str_eq((pp_str){e->text.p, cpu.n}, cpu))
		return pp_str_skip(e->text, cpu.n);
	return e->text;
}

static bool
is_call(const struct pp_show_event *e)
{
	return e->counted && e->class != PP_CLASS_UNACCOUNTED &&
	    e->class != PP_CLASS_MISSING && e->class != PP_CLASS_QUEUE;
}

static void
cell(struct pp_show *s, size_t width, const char *text)
{
	pp_style_gap(s, 2);
	pp_style_right(s, width, text);
}

static void
share(struct pp_show *s, pp_i128 part, pp_i128 total)
{
	struct pp_style_text t = pp_style_percent(part, total, 1);
	size_t n = strlen(t.s);

	if (n > 0)
		memcpy(t.s + n, "%", 2);
	cell(s, 6, t.s);
}

static void
rules(struct pp_show *s, size_t name, size_t columns)
{
	static const size_t width[] = {13, 6, 11, 11, 11, 12};
	size_t i;

	pp_style_rule(s, name);
	for (i = 0; i < columns; i++) {
		pp_style_gap(s, 2);
		pp_style_rule(s, width[i]);
	}
	pp_page_end(&s->page);
}

static void
heads(struct pp_show *s)
{
	cell(s, 13, "DURATION");
	cell(s, 6, "%");
	cell(s, 11, "CALLS");
	cell(s, 11, "MEAN");
	cell(s, 11, "MIN");
	cell(s, 12, "MAX");
	pp_page_end(&s->page);
}

static void
numbers(struct pp_show *s, const struct pp_show_event *e, pp_i128 total)
{
	cell(s, 13, pp_style_seconds(s, e->time, 6, false).s);
	share(s, e->time, total);
	cell(s, 11, pp_style_count(e->count).s);
	cell(s, 11, pp_style_mean(s, e->time, e->count, 6).s);
	cell(s, 11, pp_style_seconds(s, e->min, 6, false).s);
	cell(s, 12, pp_style_seconds(s, e->max, 6, false).s);
	pp_page_end(&s->page);
}

static void
join(struct pp_show_event *t, const struct pp_show_event *e)
{
	if (t->count == 0 || e->min < t->min)
		t->min = e->min;
	if (t->count == 0 || e->max > t->max)
		t->max = e->max;
	t->time += e->time;
	t->count += e->count;
}

/* --------------------------------------------------------------- ranges */

static const char *
bound(char *buf, size_t k)
{
	size_t n = pp_dec_format(buf, k == 1 ? 0 : pp_pow10[k - 2], 6);

	buf[n] = '\0';
	return buf;
}

static void
range_row(struct pp_show *s, const struct pp_show_range *r, size_t i,
    pp_i128 total)
{
	char from[PP_DEC_MAX], to[PP_DEC_MAX], name[2 * PP_DEC_MAX + 8];
	struct pp_show ps = *s;	/* numbers of 10^-12 s */

	ps.digits = 12;
	if (i == 0)
		snprintf(name, sizeof(name), "%15s%15s", "", "0.000000");
	else
		snprintf(name, sizeof(name), "%15s%15s", bound(from, i),
		    i == PP_SHOW_DECADES ? "" : bound(to, i + 1));
	pp_page_repeat(&s->page, name, 1);
	cell(s, 13, pp_style_seconds(&ps, r->time, 6, false).s);
	share(s, r->time, total);
	cell(s, 11, pp_style_count(r->count).s);
	cell(s, 11, pp_style_mean(&ps, r->time, r->count, 6).s);
	cell(s, 11, r->count == 0 ? "" :
	    pp_style_seconds(&ps, r->min, 6, false).s);
	cell(s, 12, r->count == 0 ? "" :
	    pp_style_seconds(&ps, r->max, 6, false).s);
	pp_page_end(&s->page);
}

static void
ranges(struct pp_show *s)
{
	const struct pp_show_range *r = s->ranges->decade;
	size_t i, first = 0, last = 0;
	pp_i128 total = 0;

	while (first < PP_SHOW_DECADES && r[first].count == 0)
		first++;
	for (i = 0; i <= PP_SHOW_DECADES; i++) {
		total += r[i].time;
		if (r[i].count > 0)
			last = i;
	}
	if (r[first].count == 0)
		return;
	pp_page_end(&s->page);
	pp_style_right(s, 30, "RANGE {min <= e < max}");
	heads(s);
	rules(s, 30, 6);
	for (i = first; i <= last; i++)
		range_row(s, &r[i], i, total);
}

void
pp_show_style_mrskew(struct pp_show *s)
{
	struct pp_show_event *v, total = {.counted = true};
	char name[40];
	size_t i, n, rows = 0;

	v = pp_style_events(s, NULL, &n);
	for (i = 0; i < n; i++)
		if (is_call(&v[i])) {
			join(&total, &v[i]);
			rows++;
		}
	fputs("Duration: of a database call its own CPU, of a wait its "
	    "elapsed time; nothing unaccounted for.\n\n", s->page.to);
	pp_style_left(s, NAME_WIDTH, PP_STR("CALL-NAME"));
	heads(s);
	rules(s, NAME_WIDTH, 6);
	for (i = 0; i < n; i++)
		if (is_call(&v[i])) {
			pp_style_left(s, NAME_WIDTH, call_name(&v[i]));
			numbers(s, &v[i], total.time);
		}
	rules(s, NAME_WIDTH, 6);
	snprintf(name, sizeof(name), "TOTAL (%zu)", rows);
	pp_style_left(s, NAME_WIDTH, pp_str_from(name));
	numbers(s, &total, total.time);
	if (s->ranges != NULL)
		ranges(s);
	pp_mem_free(s->accounts->mem, v);
}
