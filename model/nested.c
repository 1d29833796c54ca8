/*
 * nested.c: who lies in whom, by ids, and the log of such events.
 *
 * Ids of a session rise as its events begin, and an event's last id is given
 * out before it ends, so what lies in an event lies in its range of ids.  One
 * kind is different: an explicit transaction begins in a statement and
 * outlives it, later statements name it as their parent, and the last of them
 * outlives it in turn.  Transactions are therefore no level of the tree.
 */
#include "nested.h"

#include <string.h>

/* ---------------------------------------------------------------- log */

void
pp_nested_open(struct pp_nested_cursor *c, struct pp_eventlog *l)
{
	memset(c, 0, sizeof(*c));
	pp_log_open(&c->log, l, false);
}

static bool
next_slots(struct pp_nested_cursor *c, void *to)
{
	if (c->at == c->n) {
		c->at = 0;
		if (pp_log_next_block(&c->log, &c->slots, &c->n) != PP_OK) {
			c->failed = true;
			c->n = 0;
		}
		if (c->n == 0)
			return false;
	}
	memcpy(to, &c->slots[c->at], sizeof(struct pp_nested));
	c->at += PP_NESTED_SLOTS;
	return true;
}

const struct pp_nested *
pp_nested_next(struct pp_nested_cursor *c, const struct pp_nested_more **more)
{
	*more = NULL;
	if (!next_slots(c, &c->event))
		return NULL;
	if (c->event.flags & PP_NESTED_MORE) {
		if (!next_slots(c, &c->more))
			return NULL;
		*more = &c->more;
	}
	return &c->event;
}

void
pp_nested_close(struct pp_nested_cursor *c)
{
	pp_log_close(&c->log);
}

/* ------------------------------------------------------------- parents */

void
pp_nest_begin(struct pp_nest *x)
{
	x->n = 0;
	x->has_ended[0] = false;
	x->ntransactions = 0;
}

/* So many of the innermost may stand in another order than that of ids. */
#define LOOSE 64

/* The open event with this id; UINT32_MAX: none.  Ids rise. */
static uint32_t
find(const struct pp_nest *x, uint64_t id)
{
	uint32_t lo = 0, hi = x->n, mid;

	for (; hi > 0 && x->n - hi < LOOSE; hi--)
		if (x->open[hi - 1].id == id)
			return hi - 1;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (x->open[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < x->n && x->open[lo].id == id ? lo : UINT32_MAX;
}

static const struct pp_nest_open *
find_transaction(const struct pp_nest *x, uint64_t id)
{
	uint32_t i;

	for (i = x->ntransactions; i-- > 0;)
		if (x->transaction[i].id == id)
			return &x->transaction[i];
	return NULL;
}

/* Events from place n on have ended. */
static void
end_from(struct pp_nest *x, uint32_t n)
{
	uint32_t i;

	for (i = x->n; i-- > n;) {
		x->has_ended[i + 1] = false;
		if (x->open[i].kind != PP_NESTED_STATEMENT)
			continue;
		x->ended[i] = x->open[i];
		x->has_ended[i] = true;
	}
	x->n = n;
}

/* A statement with this id that has ended, but whose parent has not, is open
 * again; its place, or UINT32_MAX. */
static uint32_t
reopen(struct pp_nest *x, uint64_t id)
{
	struct pp_nest_open again;
	uint32_t i;

	for (i = x->n + 1; i-- > 0 && x->n - i < LOOSE;) {
		if (!x->has_ended[i] || x->ended[i].id != id ||
		    i == PP_NEST_DEPTH)
			continue;
		again = x->ended[i];
		x->has_ended[i] = false;
		end_from(x, i);
		x->has_ended[i + 1] = false;
		x->open[x->n++] = again;
		return i;
	}
	return UINT32_MAX;
}

/* Do the ids of o hold those of e?  Of one without a last id the times may
 * tell. */
static bool
holds(const struct pp_nest_open *o, const struct pp_nest_event *e)
{
	if (o->end == PP_NEST_OPEN)
		/* a server names the parent of what lies in a running event */
		return !e->parent_told || e->parent != 0;
	if (o->end != PP_NEST_UNKNOWN)
		return e->id <= o->end;
	return o->placed && e->begun && o->clock == e->clock &&
	    e->start >= o->start && e->start < o->until;
}

/* The innermost of open[0..n) that holds e. */
static uint32_t
innermost(const struct pp_nest *x, uint32_t n, const struct pp_nest_event *e)
{
	while (n-- > 0)
		if (x->open[n].id < e->id && holds(&x->open[n], e))
			return n;
	return UINT32_MAX;
}

/*
 * What names a transaction as its parent is a root, unless it lies in a
 * statement that the transaction lies in as well: one of a function, say,
 * that a SELECT calls.
 */
static uint32_t
around(const struct pp_nest *x, const struct pp_nest_open *t,
    const struct pp_nest_event *e)
{
	uint32_t n = x->n;

	while (n > 0 && x->open[n - 1].id > t->id)
		n--;
	return innermost(x, n, e);
}

static void
set(struct pp_nest_open *o, const struct pp_nest_event *e, uint64_t seq)
{
	memset(o, 0, sizeof(*o));
	o->id = e->id;
	o->end = e->end;
	o->seq = seq;
	o->start = e->start;
	o->until = e->until;
	o->placed = e->begun && e->timed;
	o->clock = e->clock;
	o->kind = (uint8_t)e->kind;
}

static uint32_t
distance(uint64_t from, uint64_t to)
{
	return from - to < UINT32_MAX ? (uint32_t)(from - to) : 0;
}

static void
add_transaction(struct pp_nest *x, const struct pp_nest_event *e,
    struct pp_nest_place *out)
{
	uint32_t k = find(x, e->parent);

	if (k != UINT32_MAX)
		out->back = distance(x->seq, x->open[k].seq);
	if (x->ntransactions == PP_NEST_TRANSACTIONS) {
		memmove(&x->transaction[0], &x->transaction[1],
		    (PP_NEST_TRANSACTIONS - 1) * sizeof(x->transaction[0]));
		x->ntransactions--;
	}
	set(&x->transaction[x->ntransactions++], e, x->seq);
}

/* The place in open[] of the event that e lies in. */
static uint32_t
find_parent(struct pp_nest *x, const struct pp_nest_event *e,
    struct pp_nest_place *out)
{
	const struct pp_nest_open *t;
	uint32_t k;

	if (e->parent != 0) {
		k = find(x, e->parent);
		if (k != UINT32_MAX)
			return k;
		t = find_transaction(x, e->parent);
		if (t != NULL) {
			out->back = distance(x->seq, t->seq);
			return around(x, t, e);
		}
		k = reopen(x, e->parent);
		if (k != UINT32_MAX) {
			out->late = true;
			out->back = distance(x->seq, x->open[k].seq);
			return k;
		}
		if (e->kind == PP_NESTED_STATEMENT && e->parent_transaction)
			return UINT32_MAX;
		out->orphan = true;
	}
	return innermost(x, x->n, e);
}

void
pp_nest_add(struct pp_nest *x, const struct pp_nest_event *e,
    struct pp_nest_place *out)
{
	uint32_t k;

	memset(out, 0, sizeof(*out));
	x->seq++;
	if (e->kind == PP_NESTED_TRANSACTION) {
		add_transaction(x, e, out);
		return;
	}
	k = find_parent(x, e, out);
	/* what began after the parent and does not hold it has ended */
	end_from(x, k == UINT32_MAX ? 0 : k + 1);
	if (x->n == PP_NEST_DEPTH) {
		end_from(x, x->n - 1);
		out->late = false;
	}
	if (x->n > 0)
		out->in = &x->open[x->n - 1];
	out->level = (uint16_t)x->n;
	x->has_ended[x->n + 1] = false;
	set(&x->open[x->n++], e, x->seq);
}
