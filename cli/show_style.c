/*
 * show_style.c: see show_style.h.
 */
#include "show_style.h"

#include <inttypes.h>
#include <stdlib.h>

/* Commas into the n bytes of digits at buf, which has room for them. */
static size_t
group(char *buf, size_t n)
{
	size_t from = buf[0] == '-', whole = from, i, more;
	char *p;

	while (whole < n && buf[whole] != '.')
		whole++;
	more = whole > from ? (whole - from - 1) / 3 : 0;
	PP_ASSERT(n + more < sizeof(((struct pp_style_text *)0)->s));
	memmove(buf + whole + more, buf + whole, n - whole);
	p = buf + whole + more;
	for (i = 1; whole > from; i++) {
		*--p = buf[--whole];
		if (i % 3 == 0 && whole > from)
			*--p = ',';
	}
	return n + more;
}

static struct pp_style_text
decimal(pp_i128 v, unsigned scale)
{
	struct pp_style_text t;
	size_t n = pp_dec_format(t.s, v, scale);

	t.s[group(t.s, n)] = '\0';
	return t;
}

struct pp_style_text
pp_style_seconds(const struct pp_show *s, pp_i128 v, unsigned decimals,
    bool cut)
{
	if (cut && s->digits > decimals)
		return decimal(v / pp_pow10[s->digits - decimals], decimals);
	return decimal(pp_dec_rescale(v, s->digits, decimals), decimals);
}

struct pp_style_text
pp_style_percent(pp_i128 part, pp_i128 whole, unsigned decimals)
{
	struct pp_style_text none = {""};

	if (whole == 0)
		return none;
	if (whole < 0) {
		part = -part;
		whole = -whole;
	}
	return decimal(pp_div_half_up(part * 100 * pp_pow10[decimals], whole),
	    decimals);
}

struct pp_style_text
pp_style_count(uint64_t n)
{
	return decimal((pp_i128)n, 0);
}

struct pp_style_text
pp_style_mean(const struct pp_show *s, pp_i128 v, uint64_t count,
    unsigned decimals)
{
	struct pp_style_text none = {""};
	pp_i128 unit = (pp_i128)count;

	if (count == 0)
		return none;
	if (s->digits <= decimals)
		v *= pp_pow10[decimals - s->digits];
	else
		unit *= pp_pow10[s->digits - decimals];
	return decimal(pp_div_half_up(v, unit), decimals);
}

void
pp_style_right(struct pp_show *s, size_t width, const char *text)
{
	size_t n = strlen(text);

	pp_page_blanks(&s->page, n < width ? width - n : 0);
	pp_page_repeat(&s->page, text, n > 0);
}

void
pp_style_left(struct pp_show *s, size_t width, pp_str text)
{
	size_t n = pp_page_text(&s->page, text, width);

	pp_page_blanks(&s->page, width - n);
}

void
pp_style_rule(struct pp_show *s, size_t width)
{
	pp_page_repeat(&s->page, "-", width);
}

void
pp_style_gap(struct pp_show *s, size_t n)
{
	pp_page_blanks(&s->page, n);
}

void
pp_style_lines(struct pp_show *s, pp_str text)
{
	size_t n, blanks;

	while (text.n > 0) {
		n = pp_str_find(text, PP_STR("\n"));
		for (blanks = 0; blanks < n && text.p[blanks] == ' ';)
			blanks++;
		pp_page_blanks(&s->page, blanks);
		pp_page_text(&s->page, (pp_str){text.p + blanks, n - blanks},
		    SIZE_MAX / 2);
		pp_page_end(&s->page);
		text = pp_str_skip(text, n + 1);
	}
}

static int
by_time(const void *a, const void *b)
{
	const struct pp_show_event *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return pp_str_cmp(x->text, y->text);
}

static void
join(struct pp_show_event *e, const struct pp_show_event *x)
{
	e->time += x->time;
	if (!x->counted)
		return;
	if (!e->counted || x->min < e->min)
		e->min = x->min;
	if (!e->counted || x->max > e->max)
		e->max = x->max;
	e->count += x->count;
	e->counted = true;
}

struct pp_show_event *
pp_style_events(struct pp_show *s, const char *cpu, size_t *n)
{
	struct pp_show_event *v;
	size_t all, i, k;

	v = pp_show_events(s, &all);
	*n = 0;
	for (i = 0; i < all; i++) {
		if (v[i].class == PP_CLASS_CPU && cpu != NULL)
			v[i].text = pp_str_from(cpu);
		for (k = 0; k < *n; k++)
			if (pp_str_eq(v[k].text, v[i].text))
				break;
		if (k < *n)
			join(&v[k], &v[i]);
		else
			v[(*n)++] = v[i];
	}
	pp_style_sort(v, *n);
	return v;
}

void
pp_style_sort(struct pp_show_event *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_time);
}
