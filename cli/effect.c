/*
 * effect.c: see effect.h.
 */
#include "effect.h"

#include <stdio.h>

#include "../model/account/account.h"
#include "../model/report/digest_fold.h"
#include "options_table.h"

/*
 * Totals of servers have no cells that a selection empties: look at the rows
 * themselves, until one is met that is wanted.
 */
static bool
no_digest_fits(struct pp_run *r)
{
	const struct pp_digests *d = r->model.digests;
	struct pp_report_ctx c = {.mem = &r->mem, .model = &r->model,
	    .accounts = &r->accounts};
	size_t i;

	if (d == NULL || d->n == 0)
		return false;
	for (i = 0; i < d->n; i++)
		if (pp_digest_selects(&c, d, pp_digest_at(d, i)))
			return false;
	return true;
}

static void
tell_no_match(struct pp_run *r)
{
	const struct pp_selection *s = r->accounts.opt.select;
	size_t i;

	if (s == NULL || s->nwhere == 0 || r->accounts.nevents != 0 ||
	    r->accounts.ncalls != 0 || !no_digest_fits(r))
		return;
	/* one that has events and no match has said so */
	for (i = 0; i < r->model.nsessions; i++)
		if (r->model.sessions[i].has_time)
			return;
	pp_diag_tell(&r->model.diag, PP_MSG_NO_MATCH, 0, UINT64_MAX,
	    "no row matches: %s", s->text);
}

void
pp_effect_tell(struct pp_run *r)
{
	static const char client[] = "is an export of a client";
	const unsigned not_traces = PP_INPUT_ANY & ~PP_INPUT_TRACE;
	const struct {
		enum pp_opt id;
		unsigned inputs;	/* that have a use for it */
		const char *what;
	} v[] = {
		{OPT_DELTA, PP_INPUT_DIGESTS, "holds totals of a server"},
		{OPT_SHIFT_STATES, PP_INPUT_STATES, "holds SHOW PROFILE"},
		{OPT_CHARSET, not_traces, client},
		{OPT_FIELDS_BY, not_traces, client},
		{OPT_ENCLOSED_BY, not_traces, client},
		{OPT_MAY_ENCLOSED_BY, not_traces, client},
		{OPT_ESCAPED_BY, not_traces, client},
		{OPT_LINES_BY, not_traces, client},
		{OPT_STARTING_BY, not_traces, client},
		{OPT_COLUMNS, not_traces, client},
	};
	char text[400];
	size_t i, n = 0;

	tell_no_match(r);
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		if (r->opt->given[v[i].id] != NULL &&
		    !(r->model.inputs & v[i].inputs) && n < sizeof(text))
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			    "%s--%s: no input %s", n > 0 ? "; " : "",
			    pp_option_name(v[i].id), v[i].what);
	if (n > 0)
		pp_diag_tell(&r->model.diag, PP_MSG_NO_EFFECT, 0, UINT64_MAX,
		    "%s", text);
}
