/*
 * show_deltas.c: what digests took between the snapshots of a server
 * (--delta), a list for each step from a snapshot to the next.
 */
#include "show.h"

#include "../model/report/digest_steps.h"

static void
put_share(struct pp_list *l, pp_i128 part, pp_i128 all)
{
	if (all > 0)
		pp_list_decimal(l, pp_div_half_up(part * 10000, all), 2);
	else
		pp_list_blank(l);
}

/* Seconds of a digest by second between the snapshots. */
static void
put_load(struct pp_list *l, bool known, pp_i128 total, int64_t us)
{
	if (known && us > 0)
		pp_list_decimal(l, pp_div_half_up(total, us), 6);
	else
		pp_list_blank(l);
}

static void
numbers(struct pp_list *l, const struct pp_digest_delta *d, pp_i128 all,
    int64_t us, bool bar)
{
	if (d->has_total) {
		pp_list_decimal(l, pp_dec_rescale(d->total, PP_DIGEST_DIGITS,
		    6), 6);
		put_share(l, d->total, all);
	} else {
		pp_list_blank(l);
		pp_list_blank(l);
	}
	if (bar && d->has_total)
		pp_list_bar(l, d->total);
	else
		pp_list_blank(l);
	if (d->has_calls)
		pp_list_decimal(l, d->calls, 0);
	else
		pp_list_blank(l);
	if (d->has_total && d->has_calls && d->calls > 0)
		pp_list_decimal(l, pp_div_half_up(d->total, d->calls *
		    1000000), 6);
	else
		pp_list_blank(l);
	put_load(l, d->has_total, d->total, us);
}

static void
row(struct pp_list *l, const struct pp_digest_deltas *x,
    const struct pp_digest_delta *d, pp_i128 all, int64_t us)
{
	char buf[40], note[600];
	pp_str id = pp_digest_id_text(x->d, d->e, buf),
	    text = pp_digest_shown(x->d, d->e);

	pp_list_row(l, d->e->kind == PP_DG_OTHER ? PP_INK_GREY : PP_INK_CYAN);
	pp_list_text(l, id.n == 0 ? text : (pp_str){id.p, id.n < 14 ? id.n :
	    14});
	numbers(l, d, all, us, true);
	pp_list_text(l, pp_str_from(pp_digest_state_name(d->state)));
	if (id.n == 0)
		return;
	snprintf(note, sizeof(note), "%.*s%s%.*s", (int)(d->schema.n < 64 ?
	    d->schema.n : 64), d->schema.n ? d->schema.p : "",
	    d->schema.n ? ": " : "", (int)(text.n < 500 ? text.n : 500),
	    text.n ? text.p : "");
	pp_list_note(l, pp_str_from(note));
}

static void
add(struct pp_digest_delta *sum, const struct pp_digest_delta *d)
{
	sum->total += d->total;
	sum->calls += d->calls;
	sum->has_total |= d->has_total;
	sum->has_calls |= d->has_calls;
}

static void
sum_row(struct pp_list *l, const char *name,
    const struct pp_digest_delta *sum, pp_i128 all, int64_t us)
{
	pp_list_text(l, pp_str_from(name));
	numbers(l, sum, all, us, false);
	pp_list_blank(l);
}

/* "4 known, 1 new, 1 reset" */
static void
print_states(struct pp_page *p, const struct pp_digest_deltas *x)
{
	uint64_t n[PP_DELTA_STATES] = {0};
	const char *comma = "";
	char buf[28];
	pp_str count;
	size_t i;

	for (i = 0; i < x->n; i++)
		n[x->v[i].state]++;
	for (i = 0; i < PP_DELTA_STATES; i++) {
		if (n[i] == 0)
			continue;
		count = pp_count_text(buf, n[i]);
		fprintf(p->to, "%s%.*s %s", comma, (int)count.n, count.p,
		    pp_digest_state_name((enum pp_digest_state)i));
		comma = ", ";
	}
	pp_page_end(p);
}

static void
print_step(struct pp_show *s, const struct pp_digest_deltas *x, size_t step)
{
	static const struct pp_list_column columns[] = {
		{"digest", PP_LIST_FLEX, 0},
		{"total s", PP_LIST_RIGHT, 0},
		{"%", PP_LIST_RIGHT, 0},
		{"", PP_LIST_BAR, 0},
		{"calls", PP_LIST_RIGHT, 0},
		{"average s", PP_LIST_RIGHT, 60},
		{"load", PP_LIST_RIGHT, 90},
		{"state", PP_LIST_LEFT, 0},
	};
	const struct pp_digest_snapshot *a = &x->snapshot[step - 1], *b = a + 1;
	int64_t us = pp_digest_deltas_us(a, b);
	struct pp_digest_delta all, rest;
	char remark[200], period[PP_DEC_MAX + 8] = "";
	struct pp_list l;
	size_t i, n;

	memset(&all, 0, sizeof(all));
	memset(&rest, 0, sizeof(rest));
	for (i = 0; i < x->n; i++) {
		add(&all, &x->v[i]);
		if (i >= s->top)
			add(&rest, &x->v[i]);
	}
	if (us > 0) {
		n = pp_dec_format(period + 2, us, 6);
		memcpy(period, ", ", 2);
		memcpy(period + 2 + n, " s", 3);
	}
	snprintf(remark, sizeof(remark), "%.*s to %.*s%s",
	    (int)(a->name.n < 60 ? a->name.n : 60), a->name.p,
	    (int)(b->name.n < 60 ? b->name.n : 60), b->name.p, period);
	pp_page_title(&s->page, "Digests between snapshots", remark);
	pp_list_open(&l, &s->page, s->accounts->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < x->n && i < s->top; i++)
		row(&l, x, &x->v[i], all.total, us);
	if (x->n > s->top) {
		pp_list_row(&l, PP_INK_GREY);
		sum_row(&l, "other", &rest, all.total, us);
	}
	pp_list_row(&l, PP_INK_PLAIN);
	pp_list_total(&l);
	sum_row(&l, "total", &all, all.total, us);
	pp_list_print(&l);
	print_states(&s->page, x);
}

void
pp_show_deltas(struct pp_show *s)
{
	struct pp_report_ctx c = {.mem = s->accounts->mem, .model = s->model,
	    .accounts = s->accounts};
	struct pp_digest_deltas x;
	size_t i;

	pp_digest_deltas_open(&x, &c);
	if (x.nsnapshots < 2) {
		pp_page_title(&s->page, "Digests between snapshots", "");
		fputs("one snapshot: nothing to subtract\n", s->page.to);
	}
	for (i = 1; i < x.nsnapshots; i++) {
		pp_digest_deltas_step(&x, i);
		print_step(s, &x, i);
	}
	pp_digest_deltas_close(&x);
}
