/*
 * digest_select.c: what --where takes of rows of digests.
 *
 * They are totals: no session, event or moment is known of them, and no part
 * of a period can be cut out.
 */
#include "digest_fold.h"

bool
pp_digest_selectable(const struct pp_selection *s, const char **what)
{
	enum pp_where w;
	size_t i;

	*what = "moments to be cut out by --since and --until";
	if (s->since.given || s->until.given)
		return false;
	for (i = 0; i < s->nwhere; i++) {
		w = s->where[i].column;
		*what = pp_where_name(w);
		if (w != PP_WHERE_SOURCE && w != PP_WHERE_DIGEST &&
		    w != PP_WHERE_SCHEMA)
			return false;
	}
	return true;
}

static bool
fits(const struct pp_report_ctx *c, const struct pp_digests *d,
    const struct pp_digest *e, const struct pp_condition *w)
{
	char buf[40];

	if (w->column == PP_WHERE_SOURCE)
		return pp_str_eq(c->model->sources[e->source].name,
		    w->value);
	if (w->column == PP_WHERE_SCHEMA)
		return pp_str_eq(pp_strtab_get(&d->strings, e->schema),
		    w->value);
	return pp_str_eq(pp_digest_id_text(d, e, buf), w->value) ||
	    (e->native != 0 && pp_str_eq(pp_strtab_get(&d->strings,
	    e->native), w->value));
}

/* Values of one column are alternatives, and all columns must fit. */
bool
pp_digest_selects(const struct pp_report_ctx *c, const struct pp_digests *d,
    const struct pp_digest *e)
{
	const struct pp_selection *s = c->accounts->opt.select;
	const char *what;
	bool ok;
	size_t i, k;

	/* of a trace the accounts have what is selected */
	if (s == NULL || e->traced)
		return true;
	if (!pp_digest_selectable(s, &what))
		return false;
	for (i = 0; i < s->nwhere; i++) {
		ok = false;
		for (k = 0; k < s->nwhere && !ok; k++)
			ok = s->where[k].column == s->where[i].column &&
			    fits(c, d, e, &s->where[k]);
		if (!ok)
			return false;
	}
	return true;
}
