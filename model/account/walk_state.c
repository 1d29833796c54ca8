/*
 * walk_state.c: sessions of the backward walk, and counting occurrences.
 */
#include "by.h"
#include "lanes.h"
#include "select.h"

void
pp_walk_sessions(struct pp_walk *w)
{
	const struct pp_model *m = w->a->model;
	size_t i;

	w->nall = w->first = m->nsessions;
	for (i = w->nall; i-- > 0;)
		if (m->sessions[i].group == w->group)
			w->first = i;
	w->all = pp_mem_zalloc(w->a->mem, (w->nall - w->first) *
	    sizeof(*w->all));
}

void
pp_walk_begin(struct pp_walk *w, struct pp_accounts *a, uint32_t group)
{
	memset(w, 0, sizeof(*w));
	w->a = a;
	w->group = group;
	w->session = UINT32_MAX;
	w->query = PP_NODE_ROOT;
	pp_walk_sessions(w);
}

static void
begin_session(struct pp_walk *w, const struct pp_session *s)
{
	struct pp_walk_session *ws = w->ws;

	ws->begun = true;
	ws->left = w->later;
	ws->cover = s->end;
	ws->run_stmt = PP_STMT_NONE;
	ws->least_depth = UINT32_MAX;
	ws->hint = UINT32_MAX;
	pp_cell_session(w->a, w->session);
}

void
pp_walk_switch(struct pp_walk *w, uint32_t session)
{
	const struct pp_session *s;

	if (session < w->first || session >= w->nall)
		return;		/* before the first session: no events */
	s = &w->a->model->sessions[session];
	w->session = session;
	w->ws = &w->all[session - w->first];
	if (!w->ws->begun)
		begin_session(w, s);
	w->sums = &w->a->sums[session];
	w->depth_decides = s->depth_decides;
	w->unordered = s->unordered;
	w->think = (int64_t)pp_dec_rescale(w->a->opt.think_ps, 12, s->digits);
	pp_by_now(w);
	w->axis = NULL;
	if (w->a->opt.timeline && w->a->axis_of[session] != UINT32_MAX)
		w->axis = &w->a->axes[w->a->axis_of[session]];
	if (w->a->select != NULL)
		pp_select_session(w);
}

/* A session that begins with an event of no length begins with a gap. */
static void
gap_in_front(struct pp_walk *w)
{
	struct pp_session_sums *s = &w->a->sums[w->session];
	const struct pp_session *se = &w->a->model->sessions[w->session];
	struct pp_gap g = {0, w->ws->cover_line, se->start, w->ws->cover,
	    pp_i64_sub(w->ws->cover, se->start), PP_PLACE_BETWEEN,
	    PP_STMT_NONE, w->context};

	if (!se->has_time || g.time <= 0 || se->kind != PP_SESSION_CALLS)
		return;
	if (w->a->select != NULL) {
		pp_select_gap(w, &g, PP_SELECT_GAP);
		return;
	}
	s->gaps += g.time;
	pp_gap_add(s, w->a->mem, &g);
	if (pp_by_on(w->a))
		pp_by_gap(w, g.context, g.time);
}

void
pp_walk_settle_gaps(struct pp_walk *w, struct pp_walk_session *ws, uint32_t n)
{
	struct pp_session_sums *s = &w->a->sums[w->session];
	uint32_t i;

	for (i = 0; i < n; i++)
		if (w->a->select != NULL)
			pp_select_gap(w, &ws->gaps[i], PP_SELECT_GAP);
		else
			pp_gap_add(s, w->a->mem, &ws->gaps[i]);
	ws->ngaps -= n;
	memmove(ws->gaps, ws->gaps + n, ws->ngaps * sizeof(*ws->gaps));
}

void
pp_walk_end_session(struct pp_walk *w, uint32_t session)
{
	struct pp_mem *mem = w->a->mem;
	struct pp_walk_session *ws;
	uint32_t k;

	pp_walk_switch(w, session);
	ws = w->ws;
	w->context = ws->context;
	while (ws->n > 0)
		pp_frame_close(w, ws);
	gap_in_front(w);
	if (ws->gaps != NULL)
		pp_walk_settle_gaps(w, ws, ws->ngaps);
	pp_mem_free(mem, ws->gaps);
	for (k = 0; k < ws->cap; k++) {
		pp_mem_free(mem, ws->stack[k].share.v);
		pp_mem_free(mem, ws->stack[k].segs);
	}
	pp_mem_free(mem, ws->stack);
	pp_nearest_free(w, ws);
}

void
pp_walk_end(struct pp_walk *w)
{
	size_t i;

	for (i = w->first; i < w->nall; i++)
		if (w->all[i - w->first].begun)
			pp_walk_end_session(w, (uint32_t)i);
	pp_mem_free(w->a->mem, w->all);
}

void
pp_walk_tell_outside(struct pp_model *m, uint32_t session, uint32_t line,
    uint32_t parent_line)
{
	uint32_t source = m->sessions[session].source;

	if (m->diag.source != source)
		pp_diag_file(&m->diag, source, m->sources[source].name.p);
	pp_diag_tell(&m->diag, PP_MSG_STICKS_OUT, line, UINT64_MAX,
	    "recursive call lies partly outside of the call on line %u",
	    parent_line);
}

void
pp_walk_sticks_out(struct pp_walk *w, const struct pp_frame *f,
    const struct pp_frame *u)
{
	w->sums->sticking_out++;
	if (w->lane != NULL)
		pp_lane_note(w, f->line, u->line);
	else
		pp_walk_tell_outside(w->a->model, w->session, f->line,
		    u->line);
}
