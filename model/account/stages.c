/*
 * stages.c: queries of SHOW PROFILE and their states (DESIGN section 6,
 * rule 9), met by the backward walk.
 *
 * Queries follow each other without gaps, and so do the states of one; a
 * query stands behind its states in the log, so backwards it comes first and
 * they are its children until the next one.  Nothing nests and nothing is
 * left over: what a query's printed total has beyond its states is an event
 * of its own (`lost time`, `(not recorded)`), or a rest of rounding, which no
 * event gets and which pp_session_sums.apart tells.
 */
#include "by.h"
#include "select.h"
#include "states.h"

/* The statement's own: executions, first and last. */
static void
touch_stmt(struct pp_stmt_cell *c, const struct pp_ev *ev,
    const struct pp_sums *d)
{
	int64_t start = pp_i64_sub(ev->end, ev->dur);

	c->has_depth = true;
	c->executions += d->calls;
	c->sums.calls += d->calls;
	c->sums.elapsed += d->elapsed;
	c->sums.self += d->self;
	if (!c->has_time || start < c->first)
		c->first = start;
	if (!c->has_time || ev->end > c->last)
		c->last = ev->end;
	c->has_time = true;
}

void
pp_walk_statement(struct pp_walk *w, const struct pp_ev *ev)
{
	struct pp_accounts *a = w->a;
	struct pp_session_sums *s = &a->sums[w->session];
	struct pp_sums d = {.calls = 1, .elapsed = ev->dur, .self = ev->dur};
	struct pp_node *n;

	w->query = pp_states_apart(a, w->session) ? 0 : pp_cell_path(a,
	    w->session, PP_NODE_ROOT, ev->name, ev->stmt);
	w->query_stmt = pp_cell_stmt(a, w->session, ev->stmt);
	s->root_elapsed += ev->dur;
	s->apart += ev->dur;
	if (a->select != NULL) {
		if (!pp_select_query(w, ev))
			return;
		d.calls = pp_select_holds(a->select, ev->end);
		d.elapsed = pp_select_clip(w, pp_i64_sub(ev->end, ev->dur),
		    ev->end);
		d.self = 0;	/* that of its selected states */
	}
	if (!pp_states_apart(a, w->session)) {
		n = &a->nodes[w->query];
		n->sums.calls += d.calls;
		n->sums.elapsed += d.elapsed;
		n->sums.self += d.self;	/* states take theirs off */
	}
	touch_stmt(&a->stmts[w->query_stmt], ev, &d);
	if (pp_by_on(a))
		pp_by_query(w, ev, &d);
}

/* What kind of event it is, and its name. */
static enum pp_class
class_of(struct pp_walk *w, const struct pp_ev *ev, uint32_t *name)
{
	if (ev->kind == PP_EV_LOST) {
		*name = w->a->maps->lost;
		return PP_CLASS_UNACCOUNTED;
	}
	if (ev->kind == PP_EV_UNSEEN) {
		*name = w->a->maps->unseen;
		return PP_CLASS_MISSING;
	}
	*name = ev->name;
	return PP_CLASS_STAGE;
}

/* `count` of them summed up: the single durations are not known. */
static void
add_sum(struct pp_walk *w, uint32_t bucket, const struct pp_ev *ev,
    uint64_t count)
{
	struct pp_bucket *b = &w->a->buckets[bucket];
	struct pp_event_cell *e = &w->a->events[b->event];

	e->count += count;
	e->time += ev->dur;
	b->count += count;
	b->time += ev->dur;
	if (w->axis != NULL)
		pp_slices_span(&b->slices, w->a->mem, w->axis,
		    pp_i64_sub(ev->end, ev->dur), ev->end, count,
		    &w->ws->hint);
}

/* Add the state to the event's cells; the time that counts. */
static int64_t
count_stage(struct pp_walk *w, const struct pp_ev *ev, uint32_t name,
    enum pp_class c, uint64_t count)
{
	struct pp_accounts *a = w->a;
	uint32_t bucket = pp_cell_bucket(a, w->session,
	    pp_states_apart(a, w->session) ? PP_STMT_NONE : ev->stmt, name, c,
	    PP_PLACE_CALL);
	struct pp_event_cell *e = &a->events[a->buckets[bucket].event];
	uint64_t before = e->count;
	int64_t time = ev->dur;

	if (a->select != NULL)
		pp_select_stage(w, name, c, ev, count, &time);
	else if (count != 1)
		add_sum(w, bucket, ev, count);
	else
		pp_walk_count_in(w, bucket, pp_i64_sub(ev->end, ev->dur),
		    ev->end, ev->dur);
	e->counted = true;	/* `lost time` too */
	if (count != 1)
		e->summed = a->buckets[bucket].summed = true;
	if (ev->kind == PP_EV_UNSEEN && (ev->flags & PP_EVF_BARE))
		e->outside += time;
	else
		a->sums[w->session].stated += time;
	if (pp_by_on(a))
		pp_by_stage(w, ev, name, c, time, count == 1,
		    e->count - before);
	return time;
}

void
pp_walk_stage(struct pp_walk *w, const struct pp_walk_event *e)
{
	const struct pp_ev *ev = e->ev;
	struct pp_accounts *a = w->a;
	uint64_t count = ev->flags & PP_EVF_EXT ? e->ext->p : 1;
	uint32_t name;
	enum pp_class c = class_of(w, ev, &name);
	int64_t time = count_stage(w, ev, name, c, count);
	struct pp_stmt_cell *stmt;
	struct pp_node *n;
	uint32_t node;

	PP_ASSERT(w->query != PP_NODE_ROOT);
	a->sums[w->session].apart -= ev->dur;
	stmt = &a->stmts[w->query_stmt];
	if (a->select != NULL)
		stmt->sums.self += time;
	if (c == PP_CLASS_UNACCOUNTED)
		stmt->sums.self_unaccounted += time;
	if (pp_states_apart(a, w->session) ||
	    (a->opt.no_paths && a->select == NULL))
		return;
	if (a->select == NULL)
		a->nodes[w->query].sums.self -= time;
	node = pp_cell_path(a, w->session, w->query, name, ev->stmt);
	n = &a->nodes[node];
	if (a->select == NULL || time != 0)
		n->sums.calls += count;
	n->sums.elapsed += time;
	n->sums.self += time;
	if (c == PP_CLASS_UNACCOUNTED)
		n->sums.self_unaccounted += time;
}

void
pp_close_states(struct pp_accounts *a, uint32_t session)
{
	struct pp_session_sums *s = &a->sums[session];
	uint32_t cell = pp_cell_stmt(a, session, PP_STMT_BETWEEN);
	struct pp_stmt_cell *b = &a->stmts[cell];
	pp_i128 span = pp_session_span(&a->model->sessions[session]);

	s->least_self = 0;
	if (a->select != NULL)
		return;
	/* nothing, unless clocks that went back made a query negative */
	b->sums.elapsed = b->sums.self = span - s->root_elapsed;
	s->apart += span - s->root_elapsed;
}
