/*
 * psevents_tell.c: what the user is told of Performance Schema events: lost
 * parents, events that had not ended, clocks that differ.
 * May touch the model's messages.
 */
#include "psevents_emit.h"

#include <inttypes.h>

static void
tell_source(struct pp_ps_emit *x, uint32_t src)
{
	struct pp_diag *d = &x->m->diag;
	const struct pp_ps_counts *c = &x->counts[src];

	pp_diag_file(d, src, x->m->sources[src].name.p);
	if (c->orphans > 0)
		pp_diag_tell_n(d, PP_MSG_PARENT_MISSING, 0, UINT64_MAX,
		    c->orphans, "%" PRIu64 " events name a parent that is not "
		    "in the input", c->orphans);
	if (c->running > 0)
		pp_diag_tell_n(d, PP_MSG_RUNNING, 0, UINT64_MAX, c->running,
		    "%" PRIu64 " events had not ended: their time is that so "
		    "far", c->running);
	if (c->untimed > 0)
		pp_diag_tell_n(d, PP_MSG_UNTIMED, 0, UINT64_MAX, c->untimed,
		    "%" PRIu64 " events were not timed: what lies in them "
		    "counts for what they lie in", c->untimed);
}

/* Waits and idle events of a server that have no place. */
static void
tell_apart(struct pp_diag *d, const struct pp_ps_server *s)
{
	if (!s->idle_fits)
		pp_diag_tell(d, PP_MSG_WAITS_APART, 0, UINT64_MAX,
		    "idle events go by another clock than waits, and have no "
		    "place on the time axis");
	else if (s->checked == 0)
		pp_diag_tell(d, PP_MSG_WAITS_APART, 0, UINT64_MAX,
		    "no wait lies in a timed statement or stage: whether its "
		    "clock is theirs is not known, and waits have no place on "
		    "the time axis");
	else
		pp_diag_tell_n(d, PP_MSG_WAITS_APART, 0, UINT64_MAX,
		    s->outside, "%" PRIu64 " of %" PRIu64 " waits lie outside "
		    "of their parents: their clock is another, and waits have "
		    "no place on the time axis", s->outside, s->checked);
}

static void
tell_clocks(struct pp_ps_emit *x, uint32_t server)
{
	const struct pp_ps_server *s = &x->servers[server];
	bool waits = false, idle = false;
	uint32_t src = UINT32_MAX;
	size_t k;

	for (k = 0; k < x->n; k++) {
		const struct pp_ps_pending *p = &x->v[k];

		if (p->server != server)
			continue;
		waits |= p->range[PP_PS_CLOCK_WAIT].any;
		idle |= p->range[PP_PS_CLOCK_IDLE].any;
		if (p->source < src)
			src = p->source;
	}
	if ((s->waits_fit || !waits) && (s->idle_fits || !idle))
		return;
	pp_diag_file(&x->m->diag, src, x->m->sources[src].name.p);
	tell_apart(&x->m->diag, s);
}

void
pp_ps_tell(struct pp_ps_emit *x)
{
	uint32_t i;

	for (i = 0; i < x->m->nsources; i++)
		tell_source(x, i);
	for (i = 0; i < x->ps->nservers; i++)
		tell_clocks(x, i);
}
