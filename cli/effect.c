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

	if (!(r->model.inputs & PP_INPUT_DIGESTS) || d == NULL)
		return false;
	for (i = 0; i < d->n; i++)
		if (pp_digest_selects(&c, d, pp_digest_at(d, i)))
			return false;
	return true;
}

/* Of a selection that empties all else, too; without totals the accounts have
 * said so. */
static void
tell_no_match(struct pp_run *r)
{
	const struct pp_selection *s = r->accounts.opt.select;

	if (s == NULL || s->nwhere == 0 || r->accounts.nevents != 0 ||
	    r->accounts.ncalls != 0 || !no_digest_fits(r))
		return;
	pp_diag_tell(&r->model.diag, PP_MSG_NO_MATCH, 0, UINT64_MAX,
	    "no row matches: %s", s->text);
}

/* The option, where it is given and no input is of its kinds; n: bytes so
 * far. */
static size_t
add(char *text, size_t size, size_t n, const struct pp_run *r, enum pp_opt id,
    unsigned inputs, const char *what)
{
	if (r->opt->given[id] == NULL || (r->model.inputs & inputs) ||
	    n >= size)
		return n;
	return n + (size_t)snprintf(text + n, size - n, "%s--%s: no input %s",
	    n > 0 ? "; " : "", pp_option_name(id), what);
}

void
pp_effect_tell(struct pp_run *r)
{
	char text[400];
	size_t i, n = 0;

	tell_no_match(r);
	n = add(text, sizeof(text), n, r, OPT_DELTA, PP_INPUT_DIGESTS,
	    "holds totals of a server");
	n = add(text, sizeof(text), n, r, OPT_SHIFT_STATES, PP_INPUT_STATES,
	    "holds SHOW PROFILE");
	for (i = 0; i < PP_CLIENT_OPTIONS; i++)
		n = add(text, sizeof(text), n, r, pp_client_options[i],
		    PP_INPUT_ANY & ~PP_INPUT_TRACE,
		    "is an export of a client");
	if (n > 0)
		pp_diag_tell(&r->model.diag, PP_MSG_NO_EFFECT, 0, UINT64_MAX,
		    "%s", text);
}
