/*
 * check.c: the identities of DESIGN section 6, rule 7, to the last tick.
 *
 * Each compares sums that were added up on different ways through the data;
 * the tests run this over every corpus file.
 */
#include "cells.h"
#include "states.h"

#include <stdio.h>

struct sums {
	pp_i128 self, stmt_self, tree_self, profile, buckets, slices, cpu,
	    waits, per_interval;
};

/* The seed's timeline leaves out what is unaccounted for. */
static bool
even(const struct pp_accounts *a)
{
	return a->opt.timeline && !a->opt.seed_timeline;
}

static bool
differ(const char *what, uint32_t session, pp_i128 got, pp_i128 want,
    char *why, size_t size)
{
	char a[PP_DEC_MAX], b[PP_DEC_MAX];

	if (got == want)
		return false;
	a[pp_dec_format(a, got, 0)] = '\0';
	b[pp_dec_format(b, want, 0)] = '\0';
	snprintf(why, size, "session %u: %s: %s, but %s", session, what, a, b);
	return true;
}

static void
add_up(const struct pp_accounts *a, uint32_t session, struct sums *t)
{
	size_t i, k;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < a->ncalls; i++)
		if (a->calls[i].session == session)
			t->self += a->calls[i].sums.self;
	for (i = 0; i < a->nnodes; i++)
		if (a->nodes[i].session == session)
			t->tree_self += a->nodes[i].sums.self;
	for (i = 0; i < a->nstmts; i++)
		if (a->stmts[i].session == session)
			t->stmt_self += a->stmts[i].sums.self;
	for (i = 0; i < a->nevents; i++)
		if (a->events[i].session == session) {
			t->profile += a->events[i].time;
			if (a->events[i].class == PP_CLASS_CPU)
				t->cpu += a->events[i].time;
			if (a->events[i].class == PP_CLASS_WAIT ||
			    a->events[i].class == PP_CLASS_IDLE)
				t->waits += a->events[i].time;
		}
	for (i = 0; i < a->nbuckets; i++)
		if (a->buckets[i].session == session) {
			t->buckets += a->buckets[i].time;
			for (k = 0; k < a->buckets[i].slices.n; k++)
				t->slices += a->buckets[i].slices.v[k].time;
		}
}

static bool
is_nested(const struct pp_accounts *a, uint32_t session)
{
	enum pp_session_kind k = a->model->sessions[session].kind;

	return k == PP_SESSION_EVENTS || k == PP_SESSION_SUMS;
}

/* Every event's slices sum to its time in the profile. */
static bool
slices_fit(const struct pp_accounts *a, char *why, size_t size)
{
	pp_i128 *t = pp_mem_zalloc(a->mem, (a->nevents + 1) * sizeof(*t));
	bool ok = true;
	size_t i, k;

	for (i = 0; i < a->nbuckets; i++)
		for (k = 0; k < a->buckets[i].slices.n; k++)
			t[a->buckets[i].event] +=
			    a->buckets[i].slices.v[k].time;
	for (i = 0; i < a->nevents; i++)
		if (is_nested(a, a->events[i].session))
			t[i] += a->events[i].outside;
	for (i = 0; i < a->nevents && ok; i++)
		ok = !differ("timeline of an event, profile",
		    a->events[i].session, t[i], a->events[i].time, why, size);
	pp_mem_free(a->mem, t);
	return ok;
}

/*
 * Queries of SHOW PROFILE: what no event gets (pp_session_sums.apart) stands
 * between the events and the span.
 */
static bool
states_fit(const struct pp_accounts *a, uint32_t session, char *why,
    size_t size)
{
	const struct pp_session_sums *s = &a->sums[session];
	pp_i128 span = pp_account_span(a, session);
	struct sums t;

	add_up(a, session, &t);
	return !(!pp_states_apart(a, session) &&
		differ("self of the tree, elapsed of queries", session,
		    t.tree_self, s->root_elapsed, why, size)) &&
	    !differ("self of statements with (between calls), span", session,
		t.stmt_self, span, why, size) &&
	    !differ("profile and what is apart, span", session,
		t.profile + s->apart, span, why, size) &&
	    !differ("events of statements, profile", session, t.buckets,
		t.profile, why, size) &&
	    !(even(a) && a->axis_of[session] != UINT32_MAX &&
		differ("timeline, profile", session, t.slices, t.profile, why,
		    size));
}

/*
 * Events that name their parents: what each has for itself adds up to the
 * roots; the timeline holds what has a place there.
 */
static bool
events_fit(const struct pp_accounts *a, uint32_t session, char *why,
    size_t size)
{
	const struct pp_session_sums *s = &a->sums[session];
	bool sums = a->model->sessions[session].kind == PP_SESSION_SUMS;
	struct sums t;

	add_up(a, session, &t);
	if (differ("profile, elapsed of roots", session, t.profile,
	    s->root_elapsed, why, size))
		return false;
	if (sums)
		return true;
	return !differ("self of the tree, elapsed of roots", session,
		t.tree_self, s->root_elapsed, why, size) &&
	    !differ("self of statements with (between calls), span", session,
		t.stmt_self, pp_account_span(a, session), why, size) &&
	    !differ("events of statements, profile", session, t.buckets,
		t.profile, why, size) &&
	    !(even(a) && a->axis_of[session] != UINT32_MAX &&
		differ("timeline and what has no place, profile", session,
		    t.slices + s->apart, t.profile, why, size));
}

static bool
session_fits(const struct pp_accounts *a, uint32_t session, char *why,
    size_t size)
{
	const struct pp_session_sums *s = &a->sums[session];
	pp_i128 span = pp_account_span(a, session);
	pp_i128 cpu = s->root_cpu - s->wait_cpu,
	    queue = s->root_queue - s->wait_queue;
	struct sums t;

	add_up(a, session, &t);
	return !differ("self of calls, elapsed of roots", session, t.self,
		s->root_elapsed, why, size) &&
	    !differ("self of the tree, elapsed of roots", session,
		t.tree_self, s->root_elapsed, why, size) &&
	    !differ("unaccounted bottom-up, remainder of the span", session,
		s->unaccounted, span - cpu - queue - s->waits - s->missing,
		why, size) &&
	    !differ("profile, span", session, t.profile, span, why, size) &&
	    !differ("CPU of the profile, CPU of roots", session, t.cpu, cpu,
		why, size) &&
	    !differ("waits of the profile, waits", session, t.waits,
		s->waits, why, size) &&
	    !differ("self of statements with (between calls), span", session,
		t.stmt_self, span, why, size) &&
	    !differ("events of statements, span", session, t.buckets, span,
		why, size) &&
	    !(even(a) && a->axis_of[session] != UINT32_MAX &&
		differ("timeline, span", session, t.slices, span, why, size));
}

/* What --by splits adds up to the whole, event by event. */
static bool
facets_fit(const struct pp_accounts *a, char *why, size_t size)
{
	pp_i128 *t = pp_mem_zalloc(a->mem, (a->nevents + 1) * sizeof(*t));
	pp_i128 *self = pp_mem_zalloc(a->mem, (a->nsums + 1) * sizeof(*self));
	bool ok = true;
	size_t i;

	for (i = 0; i < a->by.nevents; i++) {
		const struct pp_event_cell *e = &a->by.events[i];
		uint32_t whole = pp_map_get(&a->maps->events,
		    (uint64_t)e->session << 32 | e->name, e->class);

		t[whole == PP_MAP_NONE ? a->nevents : whole] += e->time;
	}
	for (i = 0; i < a->nevents && ok; i++)
		ok = !differ("facets of an event, profile",
		    a->events[i].session, t[i], a->events[i].time, why, size);
	ok = ok && !differ("facets of no event", 0, t[a->nevents], 0, why,
	    size);
	for (i = 0; i < a->by.nstmts; i++)
		self[a->by.stmts[i].session] += a->by.stmts[i].sums.self;
	for (i = 0; i < a->nstmts; i++)
		self[a->stmts[i].session] -= a->stmts[i].sums.self;
	for (i = 0; i < a->nsums && ok; i++)
		ok = !differ("self of facets less that of statements",
		    (uint32_t)i, self[i], 0, why, size);
	pp_mem_free(a->mem, t);
	pp_mem_free(a->mem, self);
	return ok;
}

bool
pp_account_check(const struct pp_accounts *a, char *why, size_t size)
{
	uint32_t s;

	if (a->select != NULL)
		return true;	/* a part need not add up to the whole */
	for (s = 0; s < a->nsums; s++)
		if (is_nested(a, s) ? !events_fit(a, s, why, size) :
		    a->model->sessions[s].kind == PP_SESSION_STATES ?
		    !states_fit(a, s, why, size) :
		    !session_fits(a, s, why, size))
			return false;
	if (a->model->facets.n > 0 && !facets_fit(a, why, size))
		return false;
	return !even(a) || slices_fit(a, why, size);
}
