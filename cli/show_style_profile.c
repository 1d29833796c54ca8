/*
 * show_style_profile.c: states summed up as the query that everybody copies
 * does it over INFORMATION_SCHEMA.PROFILING, in the table of a MySQL client:
 * STATE, Total_R, Pct_R, Calls, R/Call, the longest first.
 *
 * Unlike that query it has the rest of the printed totals, `lost time`, and
 * what the server did not keep, so that the shares sum to what was measured.
 */
#include "show_style.h"

#include <inttypes.h>
#include <stdlib.h>

/* SUM(DURATION) / COUNT(*): a division adds four digits. */
#define CALL_DIGITS 10

struct state {
	pp_str name;
	pp_i128 time;		/* at the scale of sums */
	uint64_t calls;
};

struct columns {
	size_t width[5];
};

static int
by_time(const void *a, const void *b)
{
	const struct state *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return pp_str_cmp(x->name, y->name);
}

/* States of all sessions, those of queries that no state is known of apart;
 * *n of them, to be freed. */
static struct state *
sum_states(struct pp_show *s, size_t *n)
{
	const struct pp_accounts *a = s->accounts;
	struct state *v = pp_mem_zalloc(a->mem, a->nevents * sizeof(*v));
	const struct pp_event_cell *e;
	struct pp_map map;
	uint32_t *at;
	size_t i;

	*n = 0;
	pp_map_init(&map, a->mem);
	for (i = 0; i < a->nevents; i++) {
		e = &a->events[i];
		if (s->model->sessions[e->session].kind !=
		    PP_SESSION_STATES || (e->outside != 0 &&
		    e->outside == e->time))
			continue;
		at = pp_map_at(&map, e->name, 0);
		if (*at == PP_MAP_NONE) {
			*at = (uint32_t)(*n)++;
			v[*at].name = pp_show_name(s, e->name);
		}
		v[*at].time += pp_show_ticks(s, e->session,
		    e->time - e->outside);
		v[*at].calls += e->count;
	}
	pp_map_free(&map);
	qsort(v, *n, sizeof(*v), by_time);
	return v;
}

/* Microseconds, unless some sum needs more digits. */
static unsigned
decimals(const struct pp_show *s, const struct state *v, size_t n)
{
	size_t i;

	if (s->digits <= 6)
		return 6;
	for (i = 0; i < n; i++)
		if (v[i].time % pp_pow10[s->digits - 6] != 0)
			return s->digits;
	return 6;
}

static void
rule(struct pp_show *s, const struct columns *c)
{
	size_t i;

	for (i = 0; i < 5; i++) {
		pp_page_repeat(&s->page, "+", 1);
		pp_page_repeat(&s->page, "-", c->width[i] + 2);
	}
	pp_page_repeat(&s->page, "+", 1);
	pp_page_end(&s->page);
}

/* The cell's text in at least `width` columns between bars. */
static void
bar(struct pp_show *s)
{
	pp_page_repeat(&s->page, "|", 1);
	pp_page_blanks(&s->page, 1);
}

static void
number(struct pp_show *s, size_t width, pp_i128 v, unsigned scale)
{
	char buf[PP_DEC_MAX + 1];

	buf[pp_dec_format(buf, v, scale)] = '\0';
	bar(s);
	pp_style_right(s, width, buf);
	pp_page_blanks(&s->page, 1);
}

static void
heads(struct pp_show *s, const struct columns *c)
{
	static const char *const head[] = {"STATE", "Total_R", "Pct_R",
	    "Calls", "R/Call"};
	size_t i;

	rule(s, c);
	for (i = 0; i < 5; i++) {
		bar(s);
		pp_style_left(s, c->width[i], pp_str_from(head[i]));
		pp_page_blanks(&s->page, 1);
	}
	pp_page_repeat(&s->page, "|", 1);
	pp_page_end(&s->page);
	rule(s, c);
}

/* v at scale `from` over n, with CALL_DIGITS. */
static pp_i128
per_call(pp_i128 v, unsigned from, uint64_t n)
{
	if (n == 0)
		return 0;
	if (from <= CALL_DIGITS)
		v *= pp_pow10[CALL_DIGITS - from];
	else
		n *= (uint64_t)pp_pow10[from - CALL_DIGITS];
	return pp_div_half_up(v, (pp_i128)n);
}

static pp_i128
share(pp_i128 part, pp_i128 all)
{
	return all <= 0 ? 0 : pp_div_half_up(part * 10000, all);
}

static size_t
length(pp_i128 v, unsigned scale)
{
	char buf[PP_DEC_MAX];

	return pp_dec_format(buf, v, scale);
}

static void
widen(size_t *width, size_t n)
{
	if (n > *width)
		*width = n;
}

static struct columns
measure(struct pp_show *s, const struct state *v, size_t n, pp_i128 all,
    unsigned digits)
{
	struct columns c = {{5, 7, 5, 5, 6}};
	size_t i;

	for (i = 0; i < n; i++) {
		widen(&c.width[0], pp_page_columns(&s->page, v[i].name));
		widen(&c.width[1], length(pp_dec_rescale(v[i].time,
		    s->digits, digits), digits));
		widen(&c.width[2], length(share(v[i].time, all), 2));
		widen(&c.width[3], length((pp_i128)v[i].calls, 0));
		widen(&c.width[4], length(per_call(v[i].time, s->digits,
		    v[i].calls), CALL_DIGITS));
	}
	return c;
}

void
pp_show_style_profile(struct pp_show *s)
{
	struct state *v;
	struct columns c;
	pp_i128 all = 0;
	unsigned digits;
	size_t i, n;

	v = sum_states(s, &n);
	for (i = 0; i < n; i++)
		all += v[i].time;
	digits = decimals(s, v, n);
	c = measure(s, v, n, all, digits);
	heads(s, &c);
	for (i = 0; i < n; i++) {
		bar(s);
		pp_style_left(s, c.width[0], v[i].name);
		pp_page_blanks(&s->page, 1);
		number(s, c.width[1], pp_dec_rescale(v[i].time, s->digits,
		    digits), digits);
		number(s, c.width[2], share(v[i].time, all), 2);
		number(s, c.width[3], (pp_i128)v[i].calls, 0);
		number(s, c.width[4], per_call(v[i].time, s->digits,
		    v[i].calls), CALL_DIGITS);
		pp_page_repeat(&s->page, "|", 1);
		pp_page_end(&s->page);
	}
	if (n > 0)
		rule(s, &c);
	pp_mem_free(s->accounts->mem, v);
}
