/*
 * plan.c: which reports the wanted tables need, and what those need.
 */
#include "plan.h"

/* The next name of a comma list, without blanks; *s moves behind it. */
static pp_str
next_name(pp_str *s)
{
	size_t n = pp_str_find(*s, PP_STR(","));
	pp_str name = pp_str_trim((pp_str){s->p, n});

	*s = pp_str_skip(*s, n + 1);
	return name;
}

static void
want_default(bool *want, bool wide)
{
	const struct pp_report *const *all;
	size_t n;

	all = pp_reports(&n);
	for (size_t i = 0; i < n; i++) {
		if (!all[i]->default_on)
			continue;
		if ((all[i]->table->flags & PP_TABLE_WIDE) && !wide)
			continue;
		want[i] = true;
	}
}

/* Want the table called `name`, or the one that holds its cells. */
static bool
want_named(bool *want, pp_str name, bool wide)
{
	const struct pp_report *r = pp_report_named(name);
	const struct pp_report *const *all;
	size_t n;

	if (r != NULL && (r->table->flags & PP_TABLE_WIDE) && !wide &&
	    r->tall != NULL)
		r = pp_report_named(pp_str_from(r->tall));
	if (r == NULL)
		return false;
	all = pp_reports(&n);
	for (size_t i = 0; i < n; i++)
		if (all[i] == r)
			want[i] = true;
	return true;
}

bool
pp_plan_make(struct pp_plan *p, pp_str tables, bool events, bool wide,
    pp_str *unknown)
{
	const struct pp_report *const *all;
	bool want[PP_PLAN_MAX] = { false};
	size_t n;

	*p = (struct pp_plan){.n = 0};
	all = pp_reports(&n);
	PP_ASSERT(n <= PP_PLAN_MAX);
	tables = pp_str_trim(tables);
	if (tables.n == 0)
		want_default(want, wide);
	while (tables.n > 0) {
		pp_str name = next_name(&tables);

		if (pp_str_eq(name, PP_STR("all")))
			want_default(want, wide);
		else if (name.n > 0 && !want_named(want, name, wide)) {
			*unknown = name;
			return false;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (!want[i] && !(events && all[i]->raw))
			continue;
		p->report[p->n++] = all[i];
		p->raw = p->raw || (all[i]->needs & PP_NEED_RAW);
		p->slices = p->slices || (all[i]->needs & PP_NEED_SLICES);
	}
	return true;
}

bool
pp_plan_add(struct pp_plan *p, const struct pp_report *r)
{
	const struct pp_report *const *all;
	size_t n, at = 0;

	all = pp_reports(&n);
	for (size_t i = 0; i < n && all[i] != r; i++)
		if (at < p->n && p->report[at] == all[i])
			at++;
	if (at < p->n && p->report[at] == r)
		return false;
	memmove(&p->report[at + 1], &p->report[at],
	    (p->n - at) * sizeof(struct pp_report *));
	p->report[at] = r;
	p->n++;
	p->raw = p->raw || (r->needs & PP_NEED_RAW);
	p->slices = p->slices || (r->needs & PP_NEED_SLICES);
	return true;
}

bool
pp_plan_has(const struct pp_plan *p, pp_str name)
{
	for (size_t i = 0; i < p->n; i++)
		if (pp_str_eq(pp_str_from(p->report[i]->table->name), name))
			return true;
	return false;
}

/* The accounts that the report is shown. */
static const struct pp_accounts *
accounts_for(const struct pp_report *r, const struct pp_report_ctx *ctx)
{
	if (r->over == PP_OVER_TOTALS && ctx->totals != NULL)
		return ctx->totals;
	if (r->over == PP_OVER_INTERVALS && ctx->intervals != NULL)
		return ctx->intervals;
	return ctx->accounts;
}

enum pp_status
pp_plan_emit(const struct pp_plan *p, const struct pp_report_ctx *ctx,
    unsigned inputs, struct pp_rowsink *to)
{
	struct pp_report_ctx c = *ctx;
	enum pp_status worst = PP_OK, s;

	for (size_t i = 0; i < p->n && worst < PP_FAILED; i++) {
		const struct pp_report *r = p->report[i];

		/* those of any input are there even when nothing was found */
		if (r->emit == NULL || (!(r->inputs & inputs) &&
		    r->inputs != PP_INPUT_ANY))
			continue;
		c.accounts = accounts_for(r, ctx);
		s = r->emit(&c, to);
		if (s > worst)
			worst = s;
	}
	return worst;
}

void
pp_plan_raw_open(struct pp_plan_raw *r, const struct pp_plan *p,
    const struct pp_report_ctx *ctx, struct pp_rowsink *to)
{
	memset(r, 0, sizeof(*r));
	r->plan = p;
	r->ctx = ctx;
	r->to = to;
}

/* What has been read tells which tables there are. */
static void
begin_tables(struct pp_plan_raw *r)
{
	for (size_t i = 0; i < r->plan->n; i++) {
		const struct pp_report *t = r->plan->report[i];

		if (t->occ != NULL && r->at[i] == NULL &&
		    (t->inputs & r->ctx->model->inputs))
			r->at[i] = t->occ->open(r->ctx, r->to);
	}
}

static void
show_all(void *arg, const struct pp_occurrence *o)
{
	const struct pp_plan_raw *r = arg;

	if (!pp_account_selects(r->accounts, o))
		return;
	for (size_t i = 0; i < r->nshown; i++)
		r->see[i](r->shown[i], o);
}

/* Those that are shown occurrences, of which there are millions. */
static void
list_shown(struct pp_plan_raw *r)
{
	r->nshown = 0;
	for (size_t i = 0; i < r->plan->n; i++) {
		if (r->at[i] == NULL)
			continue;
		r->see[r->nshown] = r->plan->report[i]->occ->see;
		r->shown[r->nshown++] = r->at[i];
	}
}

enum pp_status
pp_plan_raw_group(struct pp_plan_raw *r, struct pp_accounts *a)
{
	enum pp_status s;

	if (!r->plan->raw)
		return PP_OK;
	r->accounts = a;
	begin_tables(r);
	list_shown(r);
	s = pp_account_forward(a, show_all, r);
	for (size_t i = 0; i < r->plan->n; i++)
		if (r->at[i] != NULL &&
		    r->plan->report[i]->occ->group != NULL)
			r->plan->report[i]->occ->group(r->at[i]);
	return s;
}

enum pp_status
pp_plan_raw_close(struct pp_plan_raw *r)
{
	enum pp_status worst = PP_OK, s;

	begin_tables(r);
	for (size_t i = 0; i < r->plan->n; i++) {
		if (r->at[i] == NULL)
			continue;
		s = r->plan->report[i]->occ->close(r->at[i]);
		r->at[i] = NULL;
		if (s > worst)
			worst = s;
	}
	return worst;
}
