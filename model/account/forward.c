/*
 * forward.c: the forward pass over the log.
 *
 * Sums for calls that are still to come are kept by the call's id.  Few are
 * open at a time (the depth of the recursion), so they stand in a list that is
 * searched from its end.  A call is held back until the next slot, which may
 * be the ERROR that belongs to it.
 */
#include "forward.h"
#include "cells.h"
#include "nested.h"

/* What the children and waits of a call have taken. */
struct taken {
	uint64_t id;		/* of the call */
	int64_t elapsed, cpu, queue, wait, wait_cpu, wait_queue;
};

struct pass {
	struct pp_accounts *a;
	void (*see)(void *, const struct pp_occurrence *);
	void (*error)(void *, const struct pp_occurrence *); /* NULL */
	void *arg;
	struct taken *open;
	size_t nopen, open_cap;
	/* owners, read backwards */
	struct pp_log_cursor owners;
	const union pp_slot *slots;
	size_t left;		/* slots of the block not yet read */
	bool half;		/* the first of the slot is still to come */
	struct pp_owner pair[2];
	bool odd;		/* the last slot holds one owner only */
	enum pp_status status;
	/* state of the log */
	uint32_t session, source, context;
	int64_t think;		/* --think in ticks of the session */
	union pp_slot raw[PP_RAW_SLOTS];
	struct pp_ev_ext ext;
	struct pp_ev_ext2 ext2;
	unsigned want;		/* slots of the event before its main slot */
	unsigned seen;
	int64_t states;		/* of the states since the last query */
	bool held;		/* a call waits for its ERROR */
	struct pp_occurrence call;
};

const char *
pp_occ_kind_name(enum pp_occ_kind k)
{
	static const char *const name[] = {"call", "wait", "transaction",
	    "binds", "statement", "stage", "gap"};

	return name[k];
}

/* The owner of the next event: the walk noted them from the last on. */
static struct pp_owner
next_owner(struct pass *p)
{
	struct pp_owner none = {0, 0, 0};

	if (p->half) {
		p->half = false;
		return p->pair[0];
	}
	if (p->left == 0) {
		p->status = pp_log_next_block(&p->owners, &p->slots, &p->left);
		if (p->status != PP_OK || p->left == 0)
			return none;
	}
	memcpy(p->pair, p->slots[--p->left].raw, sizeof(p->pair));
	if (p->odd) {		/* the walk ended in the middle of a slot */
		p->odd = false;
		return p->pair[0];
	}
	p->half = true;
	return p->pair[1];
}

static struct taken *
taken_of(struct pass *p, uint64_t id)
{
	size_t i;
	void *v = p->open;

	for (i = p->nopen; i-- > 0;)
		if (p->open[i].id == id)
			return &p->open[i];
	pp_mem_grow(p->a->mem, &v, &p->open_cap, p->nopen + 1,
	    sizeof(*p->open));
	p->open = v;
	memset(&p->open[p->nopen], 0, sizeof(*p->open));
	p->open[p->nopen].id = id;
	return &p->open[p->nopen++];
}

/* Take what belongs to call `id` off the list. */
static struct taken
take(struct pass *p, uint64_t id)
{
	struct taken t = {0};
	size_t i;

	for (i = p->nopen; i-- > 0;) {
		if (p->open[i].id != id)
			continue;
		t = p->open[i];
		memmove(&p->open[i], &p->open[i + 1],
		    (p->nopen - i - 1) * sizeof(*p->open));
		p->nopen--;
		break;
	}
	return t;
}

static void
release(struct pass *p)
{
	if (p->held)
		p->see(p->arg, &p->call);
	p->held = false;
}

/* What calls and waits have in common. */
static void
common(struct pass *p, const struct pp_ev *ev, struct pp_occurrence *o)
{
	const struct pp_ev_raw *r = &p->raw[0].first;

	memset(o, 0, sizeof(*o));
	o->ev = (enum pp_ev_kind)ev->kind;
	o->session = p->session;
	o->source = p->source;
	o->context = p->context;
	o->line = ev->line;
	o->stmt = ev->stmt;
	o->has_time = ev->end != PP_NO_TIME;
	o->end = ev->end;
	o->elapsed = ev->dur;
	o->start = o->has_time ? pp_i64_sub(ev->end, ev->dur) : 0;
	o->late = (ev->flags & PP_EVF_LATE) != 0;
	if (!(ev->flags & PP_EVF_RAW))
		return;
	o->id = r->id;
	o->cursor = r->cursor;
	o->has = r->has;
	o->tim = r->tim;
	o->params = r->params;
	o->obj = p->raw[1].second.obj;
	memcpy(o->par, p->raw[1].second.p, sizeof(o->par));
	o->plan = o->par[0];
}

static void
enter_session(struct pass *p, uint32_t session)
{
	p->session = session;
	p->think = (int64_t)pp_dec_rescale(p->a->opt.think_ps, 12,
	    p->a->model->sessions[session].digits);
}

static void
see_wait(struct pass *p, const struct pp_ev *ev)
{
	struct pp_owner owner = next_owner(p);
	struct pp_occurrence o;

	common(p, ev, &o);
	o.kind = PP_OCC_WAIT;
	o.name = ev->name;
	o.parent = owner.id;
	o.place = owner.held & PP_OWNER_HELD ? PP_PLACE_CALL :
	    PP_PLACE_BETWEEN;
	o.class = PP_CLASS_WAIT;
	if (owner.held & PP_OWNER_HELD)
		o.stmt = owner.stmt;
	else if (ev->dur >= p->think && pp_cell_idle(p->a, ev->name))
		o.class = PP_CLASS_IDLE;
	if (ev->flags & PP_EVF_EXT2) {
		o.has_queue = p->ext2.queue != PP_NO_TIME;
		o.queue = o.has_queue ? p->ext2.queue : 0;
		o.cpu = p->ext2.cpu != PP_NO_TIME ? p->ext2.cpu : 0;
	}
	if (owner.held & PP_OWNER_HELD) {
		struct taken *t = taken_of(p, owner.id);

		t->wait = pp_i64_add(t->wait, o.elapsed);
		t->wait_cpu = pp_i64_add(t->wait_cpu, o.cpu);
		t->wait_queue = pp_i64_add(t->wait_queue, o.queue);
	}
	release(p);
	p->see(p->arg, &o);
}

static void
numbers(struct pass *p, const struct pp_ev *ev, struct pp_occurrence *o)
{
	o->misses = (ev->flags & PP_EVF_MISS) != 0;
	if (ev->flags & PP_EVF_EXT) {
		o->cpu = p->ext.cpu;
		o->p = p->ext.p;
		o->cr = p->ext.cr;
		o->cu = p->ext.cu;
		o->rows = ev->kind == PP_EV_LOB ? 0 : ev->name;
	} else
		o->cpu = ev->name;
	if (ev->flags & PP_EVF_EXT2) {
		o->rows = p->ext2.rows;
		o->misses = p->ext2.misses;
		o->has_queue = p->ext2.queue != PP_NO_TIME;
		o->queue = o->has_queue ? p->ext2.queue : 0;
	}
}

static void
see_call(struct pass *p, const struct pp_ev *ev)
{
	struct pp_owner owner = next_owner(p);
	struct pp_occurrence *o = &p->call;
	struct taken t;

	release(p);
	common(p, ev, o);
	numbers(p, ev, o);
	o->kind = PP_OCC_CALL;
	o->name = ev->kind == PP_EV_LOB ? ev->name :
	    p->a->maps->call_name[ev->kind];
	o->depth = ev->depth;
	o->orphan = (enum pp_orphan)(owner.held >> PP_OWNER_ORPHAN & 3);
	o->level = (uint16_t)(owner.held >> PP_OWNER_LEVEL);
	if (owner.held & PP_OWNER_HELD) {
		o->parent = owner.id;
	} else {
		o->run = (uint32_t)(owner.id >> 32);
		o->run_line = (uint32_t)owner.id;
	}
	o->place = PP_PLACE_CALL;
	t = take(p, o->id);
	o->self = pp_i64_sub(o->elapsed, t.elapsed);
	o->self_cpu = pp_i64_sub(pp_i64_sub(o->cpu, t.cpu), t.wait_cpu);
	o->self_queue = pp_i64_sub(pp_i64_sub(o->queue, t.queue),
	    t.wait_queue);
	o->self_wait = t.wait;
	o->self_unaccounted = pp_i64_sub(pp_i64_sub(pp_i64_sub(o->self,
	    o->self_cpu), o->self_queue), t.wait);
	if (owner.held & PP_OWNER_HELD) {
		struct taken *up = taken_of(p, owner.id);

		up->elapsed = pp_i64_add(up->elapsed, o->elapsed);
		up->cpu = pp_i64_add(up->cpu, o->cpu);
		up->queue = pp_i64_add(up->queue, o->queue);
	}
	p->held = true;
}

static void
see_point(struct pass *p, const struct pp_ev *ev)
{
	struct pp_occurrence o;

	if (ev->kind == PP_EV_ERROR) {
		if (p->held && p->call.session == p->session &&
		    p->call.stmt == ev->stmt)
			p->call.error = ev->name;
		if (p->error == NULL)
			return;
		release(p);
		common(p, ev, &o);
		o.error = ev->name;
		o.cursor = (uint64_t)ev->dur;
		o.elapsed = 0;
		o.start = o.end;
		p->error(p->arg, &o);
		return;
	}
	release(p);
	common(p, ev, &o);
	o.kind = PP_OCC_TRANSACTION;
	o.name = ev->name ? p->a->maps->rollback : p->a->maps->commit;
	o.place = PP_PLACE_BETWEEN;
	o.class = PP_CLASS_STATEMENT;
	o.read_only = ev->depth != 0;
	p->see(p->arg, &o);
}

static void
see_binds(struct pass *p, const struct pp_ev *ev)
{
	struct pp_occurrence o;

	release(p);
	common(p, ev, &o);
	o.kind = PP_OCC_BINDS;
	o.cursor = (uint64_t)ev->dur;
	o.binds = pp_bytelog_get(&p->a->model->binds, (uint64_t)ev->end,
	    ev->name);
	if (p->a->model->binds.error != 0)
		p->status = PP_FATAL;
	p->see(p->arg, &o);
}

/* A state stands before its query, whose id it names. */
static void
see_stage(struct pass *p, const struct pp_ev *ev)
{
	struct pp_occurrence o;

	release(p);
	common(p, ev, &o);
	o.place = PP_PLACE_CALL;
	o.name = ev->name;
	o.parent = (uint64_t)o.par[0];
	o.flags = (uint32_t)o.par[1];
	o.self = o.elapsed;
	if (ev->kind == PP_EV_STAGE) {
		o.kind = PP_OCC_STAGE;
		o.class = PP_CLASS_STAGE;
	} else {
		o.kind = PP_OCC_GAP;
		o.class = ev->kind == PP_EV_LOST ? PP_CLASS_UNACCOUNTED :
		    PP_CLASS_MISSING;
		o.name = ev->kind == PP_EV_LOST ? p->a->maps->lost :
		    p->a->maps->unseen;
	}
	p->states = pp_i64_add(p->states, o.elapsed);
	p->see(p->arg, &o);
}

static void
see_statement(struct pass *p, const struct pp_ev *ev)
{
	struct pp_occurrence o;

	release(p);
	common(p, ev, &o);
	o.kind = PP_OCC_STATEMENT;
	o.class = PP_CLASS_STATEMENT;
	o.place = PP_PLACE_CALL;
	o.name = ev->name;
	o.flags = (uint32_t)o.par[1];
	o.self = pp_i64_sub(o.elapsed, p->states);
	p->states = 0;
	p->see(p->arg, &o);
}

static void
see_main(struct pass *p, const struct pp_ev *ev)
{
	if (ev->kind >= PP_EV_PARSE && ev->kind <= PP_EV_LOB)
		see_call(p, ev);
	else if (ev->kind == PP_EV_WAIT)
		see_wait(p, ev);
	else if (ev->kind == PP_EV_ERROR || ev->kind == PP_EV_XCTEND)
		see_point(p, ev);
	else if (ev->kind == PP_EV_BINDS)
		see_binds(p, ev);
	else if (ev->kind == PP_EV_STATEMENT)
		see_statement(p, ev);
	else if (ev->kind >= PP_EV_STAGE && ev->kind <= PP_EV_UNSEEN)
		see_stage(p, ev);
	else if (ev->kind == PP_EV_SESSION)
		enter_session(p, ev->stmt);
	else if (ev->kind == PP_EV_FILE)
		p->source = ev->stmt;
	else if (ev->kind == PP_EV_CONTEXT)
		p->context = ev->stmt;
}

static void
feed(struct pass *p, const union pp_slot *s)
{
	if (p->want == 0) {
		if (s->ev.kind != PP_EV_RAW) {
			see_main(p, &s->ev);
			return;
		}
		p->raw[0] = *s;
		p->want = 1 + (s->first.flags & PP_EVF_EXT2 ? 1u : 0u) +
		    (s->first.flags & PP_EVF_EXT ? 1u : 0u) + 1;
		p->seen = 0;
		return;
	}
	p->want--;
	if (p->seen == 0) {
		p->raw[1] = *s;
		p->seen = p->raw[0].first.flags & PP_EVF_EXT2 ? 1 : 2;
	} else if (p->want == 0) {
		see_main(p, &s->ev);
	} else if (p->seen == 1) {
		p->ext2 = s->ext2;
		p->seen = 2;
	} else {
		p->ext = s->ext;
	}
}

enum pp_status
pp_account_forward(struct pp_accounts *a,
    void (*see)(void *, const struct pp_occurrence *), void *arg)
{
	return pp_account_forward_errors(a, see, NULL, arg);
}

enum pp_status
pp_account_forward_errors(struct pp_accounts *a,
    void (*see)(void *, const struct pp_occurrence *),
    void (*error)(void *, const struct pp_occurrence *), void *arg)
{
	struct pass p = {.a = a, .see = see, .error = error, .arg = arg,
	    .odd = a->owners_odd};
	struct pp_log_cursor c;
	const union pp_slot *slots;
	enum pp_status st;
	size_t n, i;

	if (a->model->nsessions > 0)
		enter_session(&p, 0);
	p.context = a->model->ncontexts > 0 ? 0 : UINT32_MAX;
	pp_log_open(&p.owners, &a->owners, true);
	pp_log_open(&c, &a->model->log, false);
	while ((st = pp_log_next_block(&c, &slots, &n)) == PP_OK && n > 0)
		for (i = 0; i < n; i++)
			feed(&p, &slots[i]);
	release(&p);
	pp_log_close(&c);
	pp_log_close(&p.owners);
	pp_mem_free(a->mem, p.open);
	if (p.status == PP_OK && st == PP_OK)
		st = pp_nested_forward(a, see, arg);
	return p.status != PP_OK ? p.status : st;
}
