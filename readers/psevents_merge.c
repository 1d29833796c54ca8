/*
 * psevents_merge.c: an event of the Performance Schema that was printed more
 * than once: running and when it had ended, with these columns and with
 * those.
 */
#include "psevents.h"

bool
pp_ps_same(const struct pp_ps_event *a, const struct pp_ps_event *b)
{
	if ((a->flags & b->flags & PP_NESTED_BEGUN) && a->start != b->start)
		return false;
	return a->name == b->name;
}

static void
take_more(struct pp_ps *ps, struct pp_ps_event *a,
    const struct pp_ps_event *b, bool newer)
{
	struct pp_ps_more p, q;

	if (b->more == 0)
		return;
	if (a->more == 0) {
		a->more = b->more;
		return;
	}
	pp_ps_more(ps, a->more, &p);
	pp_ps_more(ps, b->more, &q);
	if (q.stmt != PP_PS_NONE && p.stmt != PP_PS_NONE &&
	    ps->m->stmts[p.stmt].has_text != ps->m->stmts[q.stmt].has_text)
		newer = ps->m->stmts[q.stmt].has_text;
	if (newer)
		a->more = b->more;
}

void
pp_ps_merge(struct pp_ps *ps, struct pp_ps_event *a,
    const struct pp_ps_event *b)
{
	bool ended = (a->flags & PP_NESTED_RUNNING) &&
	    !(b->flags & PP_NESTED_RUNNING);
	bool longer = (b->flags & PP_NESTED_TIMED) &&
	    (!(a->flags & PP_NESTED_TIMED) || ended ||
	    ((a->flags & b->flags & PP_NESTED_RUNNING) && b->wait > a->wait));

	take_more(ps, a, b, ended || longer);
	if (longer) {
		a->wait = b->wait;
		a->flags |= PP_NESTED_TIMED;
	}
	if (!(a->flags & PP_NESTED_BEGUN) && (b->flags & PP_NESTED_BEGUN)) {
		a->start = b->start;
		a->flags |= PP_NESTED_BEGUN;
	}
	if (ended)
		a->flags &= ~(uint32_t)PP_NESTED_RUNNING;
	if (b->end != PP_NEST_UNKNOWN && (a->end == PP_NEST_UNKNOWN ||
	    a->end == PP_NEST_OPEN))
		a->end = b->end;
	if (!(a->flags & PP_PS_PARENT_TOLD) && (b->flags &
	    PP_PS_PARENT_TOLD)) {
		a->parent = b->parent;
		a->flags |= b->flags & (PP_PS_PARENT_TOLD |
		    PP_PS_PARENT_TRX);
	}
	if (ended) {
		a->line = b->line;
		a->unit = b->unit;
	}
}
