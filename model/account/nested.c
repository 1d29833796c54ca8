/*
 * nested.c: events that name their parents by id (DESIGN section 6, rule 10):
 * Performance Schema statements, stages and waits.
 *
 * pp_model.nested holds the events of a session parents first, with their
 * level, so a stack of open events is all that is needed, as in walk.c, but
 * read forward.  Times go by ids and durations: what an event has for itself
 * is its duration less those of its children, signed, whatever their begins
 * and ends say.  Begins and ends only serve the timeline: an event's own time
 * is spread over those parts of it that no child covers.
 */
#include "by.h"
#include "nested.h"
#include "select.h"

struct frame {
	int64_t start, end, dur;
	int64_t kids;		/* of its timed children */
	int64_t cpu;
	int64_t cover;		/* what lies left of this is covered or is a
				 * self segment that was seen */
	int64_t length;		/* of its self segments */
	struct pp_slices share;	/* ticks an interval, rising */
	uint64_t seq;
	uint32_t up;		/* frame of the nearest timed event around it;
				 * NONE */
	uint32_t stmt_up;	/* nearest statement around it, or itself */
	uint32_t node, name, stmt;
	uint16_t depth;		/* statements around it */
	uint8_t class;		/* enum pp_class */
	uint8_t kind;
	bool timed, placed, deeper;
};
#define NONE UINT32_MAX

struct pass {
	struct pp_walk w;
	struct pp_accounts *a;
	struct frame *f;
	uint32_t n, cap;
	struct frame *ended;	/* by level: the statement there that ended
				 * last, and may still get children */
	bool *has_ended;
	uint64_t seq;		/* of the event at hand */
	struct pp_slices laid;	/* scratch */
};

/* ------------------------------------------------------------ self times */

/* [start, end) of the frame is covered by nothing. */
static void
add_segment(struct pass *p, struct frame *f, int64_t start, int64_t end)
{
	f->length = pp_i64_add(f->length, pp_i64_sub(end, start));
	if (p->w.axis != NULL)
		pp_slices_raise(&f->share, p->a->mem, p->w.axis, start, end,
		    0, &p->w.ws->hint);
}

/* [start, end] of the frame is taken by a child. */
static void
cover(struct pass *p, struct frame *f, int64_t start, int64_t end)
{
	if (start < f->start)
		start = f->start;
	if (end > f->end)
		end = f->end;
	if (start >= end)
		return;
	if (start > f->cover)
		add_segment(p, f, f->cover, start);
	if (end > f->cover)
		f->cover = end;
}

/* Rule 8: c ticks spread over the self segments, into the scratch slices; the
 * count goes to the interval of its end. */
static void
lay(struct pass *p, const struct frame *f, int64_t c)
{
	struct pp_mem *mem = p->a->mem;
	uint32_t i, at_end = pp_axis_find(p->w.axis, f->end, p->w.ws->hint);
	int64_t seen = 0, upto = 0;

	p->laid.n = 0;
	for (i = 0; i < f->share.n; i++) {
		const struct pp_slice *s = &f->share.v[i];
		int64_t next;

		seen = pp_i64_add(seen, s->time);
		next = pp_frame_spread(c, seen, f->length);
		pp_slices_push(&p->laid, mem, s->interval, next - upto, 0);
		upto = next;
	}
	pp_slices_push(&p->laid, mem, at_end, c - upto, 1);
}

/* Add what was laid to a bucket. */
static void
take_laid(struct pass *p, uint32_t bucket)
{
	struct pp_slices *to = &p->a->buckets[bucket].slices;
	uint32_t i;

	for (i = 0; i < p->laid.n; i++)
		pp_slices_push(to, p->a->mem, p->laid.v[i].interval,
		    p->laid.v[i].time, p->laid.v[i].count);
}

/* Of a closed event: its own time to the cells of its name.  The time that
 * is selected; *n: how often it counts. */
static int64_t
count_event(struct pass *p, const struct frame *f, int64_t self, uint64_t *n)
{
	struct pp_accounts *a = p->a;
	enum pp_place place = f->stmt_up == NONE ? PP_PLACE_BETWEEN :
	    PP_PLACE_CALL;
	uint32_t bucket;

	*n = 1;
	if (f->placed && p->w.axis != NULL)
		lay(p, f, self);
	if (a->select != NULL)
		return pp_select_laid(&p->w, f->placed ? &p->laid : NULL,
		    f->name, (enum pp_class)f->class, f->stmt, place, f->start,
		    f->end, self, n);
	bucket = pp_cell_bucket(a, p->w.session, f->stmt, f->name,
	    (enum pp_class)f->class, place);
	pp_cell_count(a, bucket, self);
	if (!f->placed)
		a->events[a->buckets[bucket].event].outside += self;
	else if (p->w.axis != NULL)
		take_laid(p, bucket);
	return self;
}

/* ---------------------------------------------------------- statements */

/* Is a statement selected as a whole, and which part of it? */
static bool
statement_sums(struct pass *p, const struct frame *f, struct pp_sums *d)
{
	struct pp_select *t = p->a->select;
	struct pp_ev ev = {.kind = PP_EV_STATEMENT, .stmt = f->stmt,
		.end = f->end, .dur = f->dur};

	memset(d, 0, sizeof(*d));
	d->calls = 1;
	d->elapsed = f->dur;
	d->cpu = f->cpu;
	if (t == NULL)
		return true;
	if (!pp_select_query(&p->w, &ev))
		return false;
	d->calls = pp_select_holds(t, f->end);
	d->elapsed = f->placed ? pp_select_clip(&p->w, f->start, f->end) :
	    f->dur;
	if (d->calls == 0)
		d->cpu = 0;
	return true;
}

static void
add_statement(struct pass *p, const struct frame *f, uint64_t rows)
{
	struct pp_accounts *a = p->a;
	struct pp_stmt_cell *c;
	struct pp_sums d;
	uint32_t cell;
	struct pp_ev ev = {.kind = PP_EV_STATEMENT, .stmt = f->stmt,
		.end = f->end, .dur = f->dur};

	if (!statement_sums(p, f, &d))
		return;
	cell = pp_cell_stmt(a, p->w.session, f->stmt);
	c = &a->stmts[cell];
	if (!c->has_depth || f->depth < c->depth)
		c->depth = f->depth;
	c->has_depth = true;
	d.rows = d.calls > 0 ? rows : 0;
	c->executions += d.calls;
	pp_sums_add(&c->sums, &d);
	if (f->placed) {
		if (f->start < c->first)
			c->first = f->start;
		if (f->end > c->last)
			c->last = f->end;
		c->has_time = true;
	}
	if (pp_by_on(a))
		pp_by_query(&p->w, &ev, &d);
}

/* The own time of an event goes to its statement. */
static void
add_self(struct pass *p, const struct frame *f, int64_t time, uint64_t n)
{
	struct pp_accounts *a = p->a;
	uint32_t cell = pp_cell_stmt(a, p->w.session, f->stmt);
	struct pp_stmt_cell *c = &a->stmts[cell];
	struct pp_ev ev = {.kind = PP_EV_STAGE, .stmt = f->stmt,
		.end = f->end, .dur = f->dur};

	c->sums.self += time;
	if (f->class == PP_CLASS_WAIT || f->class == PP_CLASS_IDLE)
		c->sums.self_wait += time;
	if (f->stmt_up == NONE && f->up == NONE)
		c->sums.elapsed += a->select == NULL ? f->dur : time;
	if (!pp_by_on(a))
		return;
	pp_by_stage(&p->w, &ev, f->name, (enum pp_class)f->class, time, true,
	    n);
	if (a->select == NULL)	/* else it has been done there */
		pp_by_self(&p->w, f->stmt, time, f->stmt_up == NONE &&
		    f->up == NONE ? f->dur : 0);
}

/* ---------------------------------------------------------------- frames */

static void
note_self(struct pass *p, const struct frame *f, int64_t self)
{
	struct pp_nested_self *r;

	if (!p->a->model->raw)
		return;
	r = pp_extsort_add(&p->a->selfs);
	memset(r, 0, sizeof(*r));
	r->seq = f->seq;
	r->self = self;
	r->stmt = f->stmt;
	r->class = f->class;
	r->place = f->stmt_up == NONE ? PP_PLACE_BETWEEN : PP_PLACE_CALL;
	r->timed = f->timed;
	r->placed = f->placed;
}

/* Nothing comes any more of an event. */
static void
settle(struct pass *p, struct frame *f)
{
	struct pp_session_sums *s = &p->a->sums[p->w.session];
	struct pp_node *node = &p->a->nodes[f->node];
	int64_t self = pp_i64_sub(f->dur, f->kids), time;
	uint64_t n;

	if (f->placed && f->cover < f->end)
		add_segment(p, f, f->cover, f->end);
	note_self(p, f, self);
	if (!f->timed) {
		if (p->a->select == NULL)
			node->sums.calls++;
		return;
	}
	time = count_event(p, f, self, &n);
	node->sums.self += time;
	if (p->a->select == NULL || time != 0 || n > 0) {
		node->sums.calls += n;
		if (!f->deeper)
			node->sums.elapsed += p->a->select == NULL ? f->dur :
			    f->placed ? pp_select_clip(&p->w, f->start, f->end)
			    : time;
	}
	if (f->class == PP_CLASS_WAIT || f->class == PP_CLASS_IDLE)
		node->sums.self_wait += time;
	if (f->up == NONE)
		s->root_elapsed += f->dur;
	if (!f->placed)
		s->apart += self;
	if (self < s->least_self)
		s->least_self = self;
	add_self(p, f, time, n);
}

static void
settle_ended(struct pass *p, uint32_t level)
{
	if (p->has_ended[level])
		settle(p, &p->ended[level]);
	p->has_ended[level] = false;
}

/* Swap two frames; each keeps its memory. */
static void
swap(struct frame *a, struct frame *b)
{
	struct frame t = *a;

	*a = *b;
	*b = t;
}

/* The event on top has ended; a statement may be named as a parent yet. */
static void
close_frame(struct pass *p)
{
	uint32_t i = --p->n;

	settle_ended(p, i + 1);
	if (p->f[i].kind != PP_NESTED_STATEMENT) {
		settle(p, &p->f[i]);
		return;
	}
	settle_ended(p, i);
	swap(&p->f[i], &p->ended[i]);
	p->has_ended[i] = true;
}

/* The statement that ended last at `level` goes on. */
static void
reopen(struct pass *p, uint32_t level)
{
	struct frame again;

	if (!p->has_ended[level])
		return;
	/* closing what stands there now would settle it */
	again = p->ended[level];
	memset(&p->ended[level], 0, sizeof(again));
	p->has_ended[level] = false;
	while (p->n > level)
		close_frame(p);
	swap(&p->f[level], &again);
	pp_mem_free(p->a->mem, again.share.v);
	p->n++;
}

static void
make_room(struct pass *p)
{
	uint32_t n = p->cap ? p->cap * 2 : 16;

	p->f = pp_mem_realloc(p->a->mem, p->f, (n + 1) * sizeof(*p->f));
	p->ended = pp_mem_realloc(p->a->mem, p->ended,
	    (n + 1) * sizeof(*p->f));
	p->has_ended = pp_mem_realloc(p->a->mem, p->has_ended, n + 1);
	memset(p->f + p->cap, 0, (n + 1 - p->cap) * sizeof(*p->f));
	memset(p->ended + p->cap + (p->cap > 0), 0, (n - p->cap +
	    (p->cap == 0)) * sizeof(*p->f));
	memset(p->has_ended + p->cap + (p->cap > 0), 0, n - p->cap +
	    (p->cap == 0));
	p->cap = n;
}

static struct frame *
push(struct pass *p)
{
	struct pp_slices share;
	struct frame *f;

	if (p->n == p->cap)
		make_room(p);
	f = &p->f[p->n++];
	share = f->share;
	memset(f, 0, sizeof(*f));
	f->share = share;
	f->share.n = 0;
	return f;
}

static enum pp_class
class_of(const struct pass *p, const struct pp_nested *e)
{
	switch ((enum pp_nested_kind)e->kind) {
	case PP_NESTED_STATEMENT:
	case PP_NESTED_TRANSACTION:
		return PP_CLASS_STATEMENT;
	case PP_NESTED_STAGE:
		return PP_CLASS_STAGE;
	case PP_NESTED_IDLE:
		/* shorter ones are no time to think */
		return e->level == 0 && e->wait >= p->w.think ?
		    PP_CLASS_IDLE : PP_CLASS_WAIT;
	case PP_NESTED_WAIT:
	case PP_NESTED_SUM:
		break;
	}
	return PP_CLASS_WAIT;
}

static bool
is_placed(const struct pass *p, const struct pp_nested *e)
{
	const struct pp_session *s = &p->a->model->sessions[p->w.session];

	if ((e->flags & (PP_NESTED_TIMED | PP_NESTED_BEGUN)) !=
	    (PP_NESTED_TIMED | PP_NESTED_BEGUN))
		return false;
	return e->kind == PP_NESTED_WAIT ? !s->waits_apart :
	    e->kind == PP_NESTED_IDLE ? !s->idle_apart : true;
}

/* The node of the event, below that of what it lies in. */
static void
place(struct pass *p, struct frame *f)
{
	struct pp_accounts *a = p->a;
	uint32_t up = p->n > 1 ? p->f[p->n - 2].node : PP_NODE_ROOT;

	if (up != PP_NODE_ROOT && a->nodes[up].level >= PP_TREE_DEPTH - 1) {
		f->deeper = a->nodes[up].call == a->maps->deeper;
		f->node = f->deeper ? up : pp_cell_path(a, p->w.session, up,
		    a->maps->deeper, PP_STMT_NONE);
		return;
	}
	f->node = pp_cell_path(a, p->w.session, up, f->name, f->stmt);
}

/* What the event takes from those around it. */
static void
charge(struct pass *p, struct frame *f)
{
	uint32_t i;

	f->up = NONE;
	for (i = p->n - 1; i-- > 0;)
		if (p->f[i].timed) {
			f->up = i;
			break;
		}
	if (!f->timed || f->up == NONE)
		return;
	p->f[f->up].kids = pp_i64_add(p->f[f->up].kids, f->dur);
	if (f->placed && p->f[f->up].placed)
		cover(p, &p->f[f->up], f->start, f->end);
}

/* Transactions are no level: only counted where raw tables want them. */
static void
see_transaction(struct pass *p, const struct pp_nested *e)
{
	struct frame f = {.seq = p->seq, .class = PP_CLASS_STATEMENT,
		.stmt_up = NONE, .stmt = PP_STMT_NONE,
		.timed = (e->flags & PP_NESTED_TIMED) != 0,
		.placed = is_placed(p, e)};

	note_self(p, &f, 0);
}

static void
see_event(struct pass *p, const struct pp_nested *e,
    const struct pp_nested_more *more)
{
	struct frame *f, *up;

	if ((e->flags & PP_NESTED_LATE) && e->level > 0 && e->level <= p->cap)
		reopen(p, e->level - 1u);
	while (p->n > e->level)
		close_frame(p);
	f = push(p);
	up = p->n > 1 ? f - 1 : NULL;
	f->seq = p->seq;
	f->kind = e->kind;
	f->name = e->name;
	f->timed = (e->flags & PP_NESTED_TIMED) != 0;
	f->placed = is_placed(p, e);
	f->dur = f->timed ? e->wait : 0;
	f->start = f->placed ? e->start : 0;
	f->end = pp_i64_add(f->start, f->dur);
	f->cover = f->start;
	f->class = (uint8_t)class_of(p, e);
	f->stmt_up = up != NULL ? up->stmt_up : NONE;
	f->stmt = up != NULL ? up->stmt : PP_STMT_NONE;
	f->depth = up != NULL ? (uint16_t)(up->depth + (up->kind ==
	    PP_NESTED_STATEMENT)) : 0;
	if (e->kind == PP_NESTED_STATEMENT) {
		f->stmt = e->stmt;
		f->stmt_up = p->n - 1;
	}
	if (more != NULL && (more->has & PP_NESTED_CPU)) {
		f->cpu = more->cpu;
		p->a->sums[p->w.session].has_cpu = true;
	}
	place(p, f);
	charge(p, f);
	if (e->kind == PP_NESTED_STATEMENT) {
		struct pp_sums *s = &p->a->nodes[f->node].sums;

		if (f->timed)
			add_statement(p, f, e->more);
		if (p->a->select == NULL) {
			s->rows += e->more;
			s->cpu += f->cpu;
		}
	}
}

/* ------------------------------------------------------------------ sums */

static enum pp_class
class_of_sum(const struct pass *p, const struct pp_nested *e)
{
	if (e->stmt == PP_NESTED_STAGE)
		return PP_CLASS_STAGE;
	if (e->stmt != PP_NESTED_WAIT)
		return PP_CLASS_STATEMENT;
	return pp_str_eq(pp_strtab_get(&p->a->model->names, e->name),
	    PP_STR("idle")) ? PP_CLASS_IDLE : PP_CLASS_WAIT;
}

/* A name that the server has summed. */
static void
see_sum(struct pass *p, const struct pp_nested *e)
{
	struct pp_accounts *a = p->a;
	enum pp_class class = class_of_sum(p, e);
	pp_i128 time = (pp_i128)(uint64_t)e->start;
	struct pp_event_cell *c;
	uint32_t cell;
	bool more;

	if (a->select != NULL && !pp_select_named(&p->w, e->name, class))
		return;
	cell = pp_cell_event(a, p->w.session, e->name, class);
	c = &a->events[cell];
	more = c->count > 0;
	c->count += e->id;
	c->time += time;
	c->outside += time;
	a->sums[p->w.session].root_elapsed += time;
	a->sums[p->w.session].apart += time;
	if (!(e->flags & PP_NESTED_MINMAX))
		c->summed = true;
	if (!more || (int64_t)e->more < c->min)
		c->min = (int64_t)e->more;
	if (!more || e->wait > c->max)
		c->max = e->wait;
	if (pp_by_on(a))
		pp_by_sum(&p->w, e->name, class, time, e->id, (e->flags &
		    PP_NESTED_MINMAX) != 0, (int64_t)e->more, e->wait);
}

/* ------------------------------------------------------------------ pass */

static void
end_session(struct pass *p)
{
	while (p->n > 0)
		close_frame(p);
	if (p->cap > 0)
		settle_ended(p, 0);
}

static void
switch_session(struct pass *p, uint32_t session)
{
	end_session(p);
	pp_walk_switch(&p->w, session);
	if (p->w.axis != NULL && !p->a->model->sessions[session].has_time)
		p->w.axis = NULL;
}

/* Slices stood in rising order: bring them into that of the walk. */
static void
turn_slices(struct pp_accounts *a, uint32_t group)
{
	size_t i;

	for (i = 0; i < a->nbuckets; i++) {
		const struct pp_session *s =
		    &a->model->sessions[a->buckets[i].session];

		if (s->group == group && s->kind == PP_SESSION_EVENTS)
			pp_slices_sort(&a->buckets[i].slices);
	}
}

enum pp_status
pp_account_nested(struct pp_accounts *a, uint32_t group)
{
	struct pass p = {.a = a};
	struct pp_nested_cursor c;
	const struct pp_nested *e;
	const struct pp_nested_more *more;
	enum pp_status st;
	uint32_t i;

	pp_extsort_reset(&a->selfs);
	if (pp_log_size(&a->model->nested) == 0)
		return PP_OK;
	p.w.a = a;
	p.w.group = group;
	p.w.session = UINT32_MAX;
	pp_walk_sessions(&p.w);
	pp_nested_open(&c, &a->model->nested);
	while ((e = pp_nested_next(&c, &more)) != NULL) {
		p.seq++;
		if (e->session != p.w.session)
			switch_session(&p, e->session);
		if (e->kind == PP_NESTED_SUM)
			see_sum(&p, e);
		else if (e->kind == PP_NESTED_TRANSACTION)
			see_transaction(&p, e);
		else
			see_event(&p, e, more);
	}
	end_session(&p);
	st = c.failed ? PP_FATAL : PP_OK;
	pp_nested_close(&c);
	turn_slices(a, group);
	for (i = 0; p.cap > 0 && i <= p.cap; i++) {
		pp_mem_free(a->mem, p.f[i].share.v);
		pp_mem_free(a->mem, p.ended[i].share.v);
	}
	pp_mem_free(a->mem, p.f);
	pp_mem_free(a->mem, p.ended);
	pp_mem_free(a->mem, p.has_ended);
	pp_mem_free(a->mem, p.laid.v);
	pp_mem_free(a->mem, p.w.all);
	if (a->model->nested.error != 0 && a->model->log.error == 0)
		a->model->log.error = a->model->nested.error;
	if (a->selfs.error != 0 && a->model->log.error == 0)
		a->model->log.error = a->selfs.error;
	return st;
}

void
pp_close_nested(struct pp_accounts *a, uint32_t session)
{
	struct pp_session_sums *s = &a->sums[session];
	struct pp_stmt_cell *b;
	pp_i128 span = pp_session_span(&a->model->sessions[session]);
	uint32_t cell;

	if (s->least_self == INT64_MAX)
		s->least_self = 0;
	if (a->model->sessions[session].kind == PP_SESSION_SUMS ||
	    a->select != NULL)
		return;
	cell = pp_cell_stmt(a, session, PP_STMT_BETWEEN);
	b = &a->stmts[cell];
	b->sums.elapsed = b->sums.self = span - s->root_elapsed;
	if (pp_by_on(a)) {
		uint32_t facet = pp_facet_of(a->model, 0,
		    a->model->sessions[session].source);

		cell = pp_by_stmt(a, session, facet, PP_STMT_BETWEEN);
		a->by.stmts[cell].sums.elapsed = b->sums.elapsed;
		a->by.stmts[cell].sums.self = b->sums.self;
	}
}
