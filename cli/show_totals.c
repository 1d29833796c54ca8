/*
 * show_totals.c: top digests as servers have summed them, source by source,
 * with the rest as `other`: inputs that hold totals, not events.
 */
#include "show.h"

#include "../model/report/digest_fold.h"

static void
seconds(struct pp_list *l, bool known, pp_i128 ps)
{
	if (known)
		pp_list_decimal(l, pp_dec_rescale(ps, PP_DIGEST_DIGITS, 6), 6);
	else
		pp_list_blank(l);
}

static void
count(struct pp_list *l, const struct pp_digest *e, enum pp_digest_counter k)
{
	if (e->has & (1u << k))
		pp_list_count(l, e->count[k]);
	else
		pp_list_blank(l);
}

static void
numbers(struct pp_list *l, const struct pp_digest_fold *f,
    const struct pp_digest *e, bool bar)
{
	pp_i128 all = pp_digest_fold_total(f, e->source);
	bool timed = (e->has & PP_DG_HAS_TOTAL) != 0;
	uint64_t calls;

	seconds(l, timed, e->total);
	if (timed && all > 0)
		pp_list_decimal(l, pp_div_half_up(e->total * 10000, all), 2);
	else
		pp_list_blank(l);
	/* the bar of a total would shorten all others */
	if (bar)
		pp_list_bar(l, e->total);
	else
		pp_list_blank(l);
	if (pp_digest_calls(e, &calls))
		pp_list_count(l, calls);
	else
		pp_list_blank(l);
	if (timed && e->timed != 0)
		pp_list_decimal(l, pp_digest_average(e, 6), 6);
	else
		pp_list_blank(l);
	seconds(l, (e->has & PP_DG_HAS_MAX) != 0, e->max);
	count(l, e, PP_DG_EXAMINED);
	count(l, e, PP_DG_SENT);
}

static void
row(struct pp_list *l, const struct pp_digest_fold *f,
    const struct pp_digest *e)
{
	char buf[40];
	pp_str id = pp_digest_id_text(f->d, e, buf), schema, text;
	char note[600];

	schema = pp_strtab_get(&f->d->strings, e->schema);
	text = pp_digest_shown(f->d, e);
	pp_list_row(l, e->kind == PP_DG_OTHER ? PP_INK_GREY : PP_INK_CYAN);
	/* enough of it to find it in the tables */
	pp_list_text(l, id.n == 0 ? text : (pp_str){id.p, id.n < 14 ? id.n :
	    14});
	numbers(l, f, e, true);
	if (id.n == 0)
		return;
	snprintf(note, sizeof(note), "%.*s%s%.*s", (int)(schema.n < 64 ?
	    schema.n : 64), schema.n ? schema.p : "", schema.n ? ": " : "",
	    (int)(text.n < 500 ? text.n : 500), text.n ? text.p : "");
	pp_list_note(l, pp_str_from(note));
}

/* Groups [i, to) of one source. */
static void
print_source(struct pp_show *s, struct pp_digest_fold *f, size_t i,
    size_t to)
{
	static const struct pp_list_column columns[] = {
		{"digest", PP_LIST_FLEX, 0},
		{"total s", PP_LIST_RIGHT, 0},
		{"%", PP_LIST_RIGHT, 0},
		{"", PP_LIST_BAR, 0},
		{"calls", PP_LIST_RIGHT, 0},
		{"average s", PP_LIST_RIGHT, 60},
		{"max s", PP_LIST_RIGHT, 70},
		{"examined", PP_LIST_RIGHT, 100},
		{"sent", PP_LIST_RIGHT, 100},
	};
	pp_str name = s->model->sources[f->g[i].source].name;
	struct pp_digest own, rest, all;
	const struct pp_digest *e;
	struct pp_list l;
	char remark[200], buf[28];
	size_t from = i;
	pp_str n = pp_count_text(buf, to - i);

	snprintf(remark, sizeof(remark), "%.*s, %.*s in all",
	    (int)(name.n < 100 ? name.n : 100), name.p, (int)n.n, n.p);
	pp_page_title(&s->page, "Top digests by total time", remark);
	pp_list_open(&l, &s->page, s->accounts->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (; i < to; i++) {
		e = pp_digest_fold_get(f, i, &own);
		if (i == from)
			pp_digest_copy(f->d, &all, e);
		else
			pp_digest_merge(f->d, &all, e);
		if (i - from < s->top)
			row(&l, f, e);
		else if (i - from == s->top)
			pp_digest_copy(f->d, &rest, e);
		else
			pp_digest_merge(f->d, &rest, e);
		pp_digest_fold_drop(f, &own);
	}
	if (to - from > s->top) {
		pp_list_row(&l, PP_INK_GREY);
		pp_list_text(&l, PP_STR("other"));
		numbers(&l, f, &rest, true);
	}
	pp_list_row(&l, PP_INK_PLAIN);
	pp_list_total(&l);
	pp_list_text(&l, PP_STR("total"));
	numbers(&l, f, &all, false);
	pp_list_print(&l);
}

void
pp_show_totals(struct pp_show *s)
{
	struct pp_report_ctx c = {.mem = s->accounts->mem, .model = s->model,
	    .accounts = s->accounts};
	struct pp_digest_fold f;
	size_t i, to;

	if (s->model->digests == NULL)
		return;
	pp_digest_fold_init(&f, &c, PP_DG_BY_SOURCE | PP_DG_BY_DIGEST |
	    PP_DG_BY_SCHEMA);
	for (i = 0; i < f.ngroups; i = to) {
		const struct pp_digest *e = f.v[f.g[i].at];

		for (to = i + 1; to < f.ngroups &&
		    f.g[to].source == f.g[i].source; to++)
			;
		/* what was made of a trace has been shown */
		if (!e->traced)
			print_source(s, &f, i, to);
	}
	pp_digest_fold_free(&f);
}
