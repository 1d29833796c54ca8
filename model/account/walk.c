/*
 * walk.c: the backward walk over the event log (DESIGN section 6).
 *
 * A call is logged when it has ended, after its children and its waits.  Read
 * backwards, a parent comes first: every call and wait knows its place when it
 * is met, and memory is the stack of calls that may still get children.
 *
 * The stack of a session holds later calls, the nearest in file order on top.
 * A call leaves it when no earlier event can be its:
 *   - by time: it begins after the event at hand ends, and no earlier event
 *     ends later (the fold marks the exceptions PP_EVF_LATE);
 *   - by a nearer call of no greater depth that begins no later: whatever
 *     earlier event lies in the one lies in the other, which is nearer.
 * So the first frame from the top that holds an event is the first call line
 * after it that does.
 */
#include "by.h"
#include "lanes.h"
#include "nested.h"
#include "seed.h"
#include "select.h"

/* Fold frames whose time has passed; x is the event at hand. */
static void
drop_passed(struct pp_walk *w, struct pp_walk_session *ws, int64_t end)
{
	while (ws->n > 0 && ws->stack[ws->n - 1].start > end)
		pp_frame_close(w, ws);
}

/* A call at hand makes frames useless that it stands before. */
static void
drop_dominated(struct pp_walk *w, struct pp_walk_session *ws, uint16_t depth,
    int64_t start)
{
	while (ws->n > 0 && ws->stack[ws->n - 1].depth >= depth &&
	    (w->depth_decides || ws->stack[ws->n - 1].start >= start))
		pp_frame_close(w, ws);
}

/* Rule 2: the frame of the parent, or UINT32_MAX. */
static uint32_t
find_parent(const struct pp_walk *w, const struct pp_walk_session *ws,
    uint16_t depth, int64_t start, int64_t end)
{
	pp_i128 middle = (pp_i128)start + end;	/* doubled */
	uint32_t i;

	if (depth == 0)
		return UINT32_MAX;
	if (ws->n > PP_NEAREST_FROM)
		return pp_nearest_find(w, ws, depth, middle);
	for (i = ws->n; i-- > 0;) {
		const struct pp_frame *f = &ws->stack[i];

		if (f->depth < depth && (w->depth_decides ||
		    (f->start <= start && start <= end && end <= f->end) ||
		    (2 * (pp_i128)f->start <= middle &&
		    middle <= 2 * (pp_i128)f->end)))
			return i;
	}
	return UINT32_MAX;
}

/* Rule 4: the frame of the call that owns a wait, or UINT32_MAX. */
static uint32_t
find_owner(const struct pp_walk *w, const struct pp_walk_session *ws,
    int64_t end)
{
	uint32_t i;

	/* a call that begins at the end of the wait does not hold it */
	if (ws->n > PP_NEAREST_FROM && !w->depth_decides)
		return pp_nearest_find(w, ws, UINT32_MAX,
		    2 * (pp_i128)end - 1);
	for (i = ws->n; i-- > 0;)
		if (ws->stack[i].start < end && end <= ws->stack[i].end)
			return i;
	return UINT32_MAX;
}

/*
 * Note who holds an event: its id and statement, two to a slot, for the
 * forward pass (forward.c), which reads them in the opposite order.  `call`
 * is the event's own frame where it is a call.
 */
static void
note_owner(struct pp_walk *w, const struct pp_walk_event *e,
    const struct pp_frame *owner, const struct pp_frame *call)
{
	struct pp_owner o = {owner ? owner->id : 0, owner ? owner->stmt :
	    e->ev->stmt, owner != NULL};

	if (call != NULL) {
		o.held |= (uint32_t)call->orphan << PP_OWNER_ORPHAN |
		    (uint32_t)call->level << PP_OWNER_LEVEL;
		if (owner == NULL)
			o.id = (uint64_t)w->ws->run << 32 | w->ws->run_line;
	}
	if (w->owner == NULL) {
		w->owner = pp_log_add(&w->a->owners);
		memset(w->owner, 0, sizeof(*w->owner));
		memcpy(w->owner->raw, &o, sizeof(o));
	} else {
		memcpy(w->owner->raw + sizeof(o), &o, sizeof(o));
		w->owner = NULL;
	}
}

/* [end of an event, what it uncovers) is a gap between roots. */
static void
add_gap(struct pp_walk *w, struct pp_walk_session *ws, const struct pp_gap *g)
{
	struct pp_session_sums *s = w->sums;

	if (w->a->select == NULL) {
		s->gaps += g->time;
		if (pp_by_on(w->a))
			pp_by_gap(w, g->context, g->time);
	}
	if (!w->unordered) {
		if (w->a->select != NULL)
			pp_select_gap(w, g, PP_SELECT_GAP);
		else
			pp_gap_add(s, w->a->mem, g);
		return;
	}
	if (ws->gaps == NULL)
		ws->gaps = pp_mem_alloc(w->a->mem,
		    PP_WALK_GAPS * sizeof(*ws->gaps));
	if (ws->ngaps == PP_WALK_GAPS)
		pp_walk_settle_gaps(w, ws, PP_WALK_GAPS / 2);
	ws->gaps[ws->ngaps++] = *g;
}

/*
 * An event that comes out of order fills gaps that were seen: the ticks of
 * [start, end) that it takes from them.
 */
static int64_t
fill_gaps(struct pp_walk *w, struct pp_walk_session *ws, int64_t start,
    int64_t end)
{
	int64_t taken = 0;
	uint32_t i;

	for (i = ws->ngaps; i-- > 0;) {
		struct pp_gap *g = &ws->gaps[i], left = *g;
		int64_t from = start > g->start ? start : g->start,
		    to = end < g->end ? end : g->end;

		if (from >= to)
			continue;
		taken += to - from;
		if (w->a->select == NULL && pp_by_on(w->a))
			pp_by_gap(w, g->context, from - to);
		if (w->a->select != NULL) {
			left.start = from;
			left.end = to;
			left.context = w->context;
			pp_select_gap(w, &left, PP_SELECT_FILLED);
			left = *g;
		}
		g->start = to;
		g->time = g->end - to;
		left.end = from;
		left.time = from - left.start;
		if (left.time > 0 && ws->ngaps < PP_WALK_GAPS) {
			memmove(&ws->gaps[i + 2], &ws->gaps[i + 1],
			    (ws->ngaps - i - 1) * sizeof(*g));
			ws->gaps[i + 1] = left;
			ws->ngaps++;
		}
	}
	if (w->a->select == NULL)
		w->sums->gaps -= taken;
	return taken;
}

/* Roots or waits between calls overlap, but for the gaps they fill. */
static void
add_overlap(struct pp_walk *w, struct pp_walk_session *ws,
    const struct pp_gap *g)
{
	struct pp_session_sums *s = w->sums;
	int64_t over = pp_i64_sub(g->end, g->start);

	if (w->a->select != NULL)
		pp_select_gap(w, g, PP_SELECT_OVERLAP);
	if (w->unordered)
		over -= fill_gaps(w, ws, g->start, g->end);
	if (w->a->select != NULL)
		return;
	s->overlaps += over;
	if (pp_by_on(w->a))
		pp_by_gap(w, g->context, -over);
	s->noverlaps += over > 0;
	if (over > 0)
		s->overlap_line = g->after_line;
}

/* What ends at `end` does not end where what comes after it begins. */
static void
uncovered(struct pp_walk *w, struct pp_walk_session *ws, int64_t start,
    int64_t end, uint32_t line, uint32_t stmt)
{
	struct pp_gap g = {line, ws->cover_line, end, ws->cover,
	    pp_i64_sub(ws->cover, end), PP_PLACE_BETWEEN, stmt, w->context};

	if (end < ws->cover) {
		add_gap(w, ws, &g);
		return;
	}
	g.start = start > ws->cover ? start : ws->cover;
	g.end = end;
	add_overlap(w, ws, &g);
}

/* An event that no call holds covers the session itself. */
static void
cover_root(struct pp_walk *w, struct pp_walk_session *ws, int64_t start,
    int64_t end, uint32_t line, uint32_t stmt)
{
	if (start == end)
		return;
	if (end != ws->cover)
		uncovered(w, ws, start, end, line, stmt);
	if (start < ws->cover) {
		ws->cover = start;
		ws->cover_line = line;
	}
}

/* What comes before belongs to another run of orphans. */
static void
end_run(struct pp_walk_session *ws, uint32_t stmt, uint32_t line)
{
	ws->run_stmt = stmt;
	ws->run_line = line;
	ws->run++;
}

/* The node of an orphan's synthetic parent. */
static uint32_t
orphan_parent(struct pp_walk *w, struct pp_walk_session *ws, uint16_t depth)
{
	struct pp_account_maps *m = w->a->maps;

	w->sums->orphans++;
	if (ws->least_depth >= depth)
		return pp_cell_node(w->a, w->session, PP_NODE_ROOT,
		    m->unfinished, PP_STMT_NONE, true);
	return pp_cell_node(w->a, w->session, PP_NODE_ROOT, m->not_in_trace,
	    ws->run_stmt, true);
}

/* What the call will add to when it is closed comes from far away. */
static inline void
fetch_cells(const struct pp_accounts *a, const struct pp_frame *f)
{
	const char *sums = (const char *)&a->nodes[f->node].sums;
	const struct pp_call_link *l = &a->maps->links[f->cell];

	__builtin_prefetch(sums, 1);
	__builtin_prefetch(sums + 64, 1);
	__builtin_prefetch(sums + 128, 1);
	__builtin_prefetch(&a->buckets[l->cpu], 1);
	__builtin_prefetch(&a->buckets[l->unaccounted], 1);
}

/* Node and cell of the call; `up` is its parent's node. */
static void
place_call(struct pp_walk *w, struct pp_frame *f, uint32_t up, uint32_t call,
    uint32_t stmt)
{
	struct pp_accounts *a = w->a;

	if (up != PP_NODE_ROOT && a->nodes[up].level >= PP_TREE_DEPTH - 1) {
		f->nested = a->nodes[up].call == a->maps->deeper;
		f->node = f->nested ? up :
		    pp_cell_node(a, w->session, up, a->maps->deeper,
		    PP_STMT_NONE, true);
		f->cell = pp_cell_call(a, w->session, stmt, call);
		return;
	}
	f->node = pp_cell_node(a, w->session, up, call, stmt, false);
	f->cell = a->maps->node_cell[f->node];
	fetch_cells(a, f);
}

/* Take from the parent what its child takes. */
static void
charge_parent(struct pp_walk *w, struct pp_walk_session *ws, uint32_t up,
    const struct pp_frame *f, uint8_t kind)
{
	struct pp_frame *u = &ws->stack[up];
	struct pp_call_link *l = &w->a->maps->links[u->cell];
	int64_t dur = f->dur;

	if (w->a->select != NULL)
		dur = u->selected & PP_SELECT_CALL ? pp_select_clip(w,
		    f->start, f->end) : 0;
	u->kid_dur = pp_i64_add(u->kid_dur, f->dur);
	u->kid_cpu = pp_i64_add(u->kid_cpu, f->cpu);
	u->kid_queue = pp_i64_add(u->kid_queue, f->queue);
	u->has_queue |= f->has_queue;	/* a missing sample is 0 */
	u->kid_p += f->p;
	u->kid_cr += f->cr;
	u->kid_cu += f->cu;
	if (kind >= PP_EV_PARSE && kind <= PP_EV_FETCH)
		l->recursive[kind - PP_EV_PARSE] += dur;
	if (pp_by_on(w->a))
		pp_by_recursive(w, u, kind, dur);
	pp_frame_cover(w, u, f->start, f->end, f->line);
	if (!w->depth_decides && (f->start < pp_i64_sub(u->start, 1) ||
	    f->end > pp_i64_add(u->end, 1)))
		pp_walk_sticks_out(w, f, u);
}

/* Numbers of a call from its slots. */
static void
read_call(struct pp_frame *f, const struct pp_walk_event *e)
{
	const struct pp_ev *ev = e->ev;

	f->end = ev->end;
	f->dur = ev->dur;
	f->start = pp_i64_sub(ev->end, ev->dur);
	f->depth = ev->depth;
	f->line = ev->line;
	f->stmt = ev->stmt;
	f->id = e->id;
	f->misses = (ev->flags & PP_EVF_MISS) != 0;
	f->late = (ev->flags & PP_EVF_LATE) != 0;
	if (ev->flags & PP_EVF_EXT) {
		f->cpu = e->ext->cpu;
		f->p = e->ext->p;
		f->cr = e->ext->cr;
		f->cu = e->ext->cu;
		f->rows = ev->kind == PP_EV_LOB ? 0 : ev->name;
	} else
		f->cpu = ev->kind == PP_EV_LOB ? 0 : ev->name;
	if (ev->flags & PP_EVF_EXT2) {
		f->rows = e->ext2->rows;
		f->misses = e->ext2->misses;
		if (e->ext2->queue != PP_NO_TIME) {
			f->queue = e->ext2->queue;
			f->has_queue = true;
		}
	}
}

static void
walk_call(struct pp_walk *w, const struct pp_walk_event *e)
{
	struct pp_walk_session *ws = w->ws;
	struct pp_session_sums *s = w->sums;
	const struct pp_ev *ev = e->ev;
	struct pp_frame *f;
	uint32_t up, node;

	if (!(ev->flags & PP_EVF_LATE)) {
		if (!w->depth_decides)
			drop_passed(w, ws, ev->end);
		drop_dominated(w, ws, ev->depth, pp_i64_sub(ev->end,
		    ev->dur));
	}
	f = pp_frame_push(w, ws);
	ws->n--;		/* not among its own candidates */
	read_call(f, e);
	f->facet = w->facet;
	f->cover = f->end;
	f->cover_line = f->line;
	up = find_parent(w, ws, f->depth, f->start, f->end);
	if (up != UINT32_MAX) {
		node = ws->stack[up].node;
		f->orphan = ws->stack[up].orphan;
		f->level = (uint16_t)(ws->stack[up].level +
		    (ws->stack[up].level < UINT16_MAX));
	} else if (f->depth == 0) {
		node = PP_NODE_ROOT;
		end_run(ws, PP_STMT_NONE, 0);
	} else {
		node = orphan_parent(w, ws, f->depth);
		f->orphan = w->a->nodes[node].call ==
		    w->a->maps->unfinished ? PP_ORPHAN_UNFINISHED :
		    PP_ORPHAN_NOT_IN_TRACE;
		f->level = 1;
	}
	if (e->id != 0)
		note_owner(w, e, up == UINT32_MAX ? NULL :
		    &ws->stack[up], f);
	place_call(w, f, node, ev->kind == PP_EV_LOB ? ev->name :
	    w->a->maps->call_name[ev->kind], ev->stmt);
	if (w->a->select != NULL)
		pp_select_frame(w, f, w->a->calls[f->cell].call);
	if (up != UINT32_MAX)
		charge_parent(w, ws, up, f, ev->kind);
	else {
		s->root_elapsed += f->dur;
		s->root_cpu += f->cpu;
		s->root_queue += f->queue;
		cover_root(w, ws, f->start, f->end, f->line, f->stmt);
	}
	s->has_queue |= f->has_queue;
	if (ev->depth < ws->least_depth)
		ws->least_depth = ev->depth;
	ws->n++;
	if (ws->n > PP_NEAREST_FROM || ws->nearest.lists != NULL)
		pp_nearest_push(w, ws);
}

/* Is a wait between calls think time, and long enough to be called idle? */
static enum pp_class
class_of(struct pp_walk *w, uint32_t name, int64_t dur, enum pp_place place)
{
	if (place == PP_PLACE_BETWEEN && dur >= w->think &&
	    pp_cell_idle(w->a, name))
		return PP_CLASS_IDLE;
	return PP_CLASS_WAIT;
}

static void
walk_wait(struct pp_walk *w, const struct pp_walk_event *e)
{
	struct pp_walk_session *ws = w->ws;
	struct pp_session_sums *s = w->sums;
	const struct pp_ev *ev = e->ev;
	int64_t start = pp_i64_sub(ev->end, ev->dur);
	uint32_t owner = UINT32_MAX, stmt = ev->stmt;
	enum pp_place place = PP_PLACE_BETWEEN;
	struct pp_frame *f = NULL;
	enum pp_class c;

	if (!(ev->flags & PP_EVF_LATE) && !w->depth_decides)
		drop_passed(w, ws, ev->end);
	if (ev->flags & PP_EVF_OWNER)
		owner = ws->n > 0 ? ws->n - 1 : UINT32_MAX;
	else if (!(ev->flags & PP_EVF_BETWEEN))
		owner = find_owner(w, ws, ev->end);
	if (e->id != 0)
		note_owner(w, e, owner == UINT32_MAX ? NULL :
		    &ws->stack[owner], NULL);
	s->waits += ev->dur;
	if (owner != UINT32_MAX) {
		f = &ws->stack[owner];
		place = PP_PLACE_CALL;
		stmt = f->stmt;
		f->wait = pp_i64_add(f->wait, ev->dur);
		if (ev->flags & PP_EVF_EXT2)
			pp_frame_wait_samples(w, f, e->ext2);
		pp_frame_cover(w, f, start, ev->end, ev->line);
	} else
		cover_root(w, ws, start, ev->end, ev->line, stmt);
	c = class_of(w, ev->name, ev->dur, place);
	if (w->a->select != NULL) {
		pp_select_occurrence(w, f, ev->name, c, stmt, place, start,
		    ev->end, ev->dur);
		return;
	}
	if (f == NULL) {
		uint32_t sc = pp_cell_stmt(w->a, w->session, stmt);

		s->waits_between += ev->dur;
		w->a->stmts[sc].between += ev->dur;
	}
	pp_walk_count(w, ev->name, c, stmt, place, start, ev->end, ev->dur);
	if (pp_by_on(w->a))
		pp_by_wait(w, f, ev->name, c, stmt, ev->dur, 1);
}

/* A known hole is neither wait nor unaccounted: it is `missing`. */
static void
walk_hole(struct pp_walk *w, const struct pp_ev *ev)
{
	int64_t start = pp_i64_sub(ev->end, ev->dur);

	cover_root(w, w->ws, start, ev->end, ev->line, PP_STMT_BETWEEN);
	if (w->a->select != NULL) {
		pp_select_occurrence(w, NULL, w->a->maps->missing,
		    PP_CLASS_MISSING, PP_STMT_BETWEEN, PP_PLACE_BETWEEN,
		    start, ev->end, ev->dur);
		return;
	}
	w->sums->missing += ev->dur;
	pp_walk_count(w, w->a->maps->missing, PP_CLASS_MISSING, PP_STMT_BETWEEN,
	    PP_PLACE_BETWEEN, start, ev->end, ev->dur);
	if (pp_by_on(w->a))
		pp_by_wait(w, NULL, w->a->maps->missing, PP_CLASS_MISSING,
		    PP_STMT_BETWEEN, ev->dur, 1);
}

/* What belongs to the session at hand. */
static void
session_event(struct pp_walk *w, const struct pp_walk_event *e)
{
	const struct pp_ev *ev = e->ev;

	if (ev->kind <= PP_EV_WAIT)
		w->ws->context = w->context;
	if (ev->kind <= PP_EV_LOB)
		walk_call(w, e);
	else if (ev->kind == PP_EV_WAIT)
		walk_wait(w, e);
	else if (ev->kind == PP_EV_ERROR) {
		/* the failed call of a run of orphans, unless the error lies
		 * in a call that was printed */
		if ((ev->flags & PP_EVF_NAMES) && (ev->end == PP_NO_TIME ||
		    find_owner(w, w->ws, ev->end) == UINT32_MAX))
			end_run(w->ws, ev->stmt, ev->line);
	} else if (ev->kind == PP_EV_STATEMENT)
		pp_walk_statement(w, ev);
	else if (ev->kind >= PP_EV_STAGE && ev->kind <= PP_EV_UNSEEN)
		pp_walk_stage(w, e);
	else if (ev->kind == PP_EV_HOLE)
		walk_hole(w, ev);
	else if (ev->kind == PP_EV_ERA)
		while (w->ws->n > 0)
			pp_frame_close(w, w->ws);
}

static inline void
walk_event(struct pp_walk *w, const struct pp_walk_event *e)
{
	const struct pp_ev *ev = e->ev;

	if (ev->kind == PP_EV_SESSION)
		pp_walk_switch(w, ev->name);
	else if (ev->kind == PP_EV_CONTEXT) {
		w->context = ev->name;
		pp_by_now(w);
	} else if (ev->kind == PP_EV_NONE || ev->kind == PP_EV_FILE ||
	    ev->kind == PP_EV_BINDS || ev->kind == PP_EV_XCTEND)
		return;
	else if (!w->ws->left || !pp_lane_leaves(w, e))
		session_event(w, e);
}

/* The event whose main slot is `main`; how many slots it has. */
static inline size_t
event_of(const union pp_slot *main, struct pp_walk_event *e)
{
	const union pp_slot *s = main;
	unsigned flags = main->ev.flags;

	e->ev = &main->ev;
	e->id = 0;
	if (flags & PP_EVF_EXT)
		e->ext = &(--s)->ext;
	if (flags & PP_EVF_EXT2)
		e->ext2 = &(--s)->ext2;
	if (flags & PP_EVF_RAW) {
		s -= PP_RAW_SLOTS;
		e->id = s->first.id;
	}
	return (size_t)(main - s) + 1;
}

void
pp_walk_slots(struct pp_walk *w, const union pp_slot *slots, size_t n,
    uint64_t base)
{
	struct pp_walk_event e = {NULL, NULL, NULL, 0};
	size_t size;

	for (; n > 0; n -= size) {
		w->at = base + n;
		size = event_of(&slots[n - 1], &e);
		PP_ASSERT_DBG(size <= n);
		walk_event(w, &e);
	}
}

bool
pp_walk_hand_over(struct pp_walk *w, const struct pp_ev *ev)
{
	struct pp_walk_session *ws = w->ws;
	int64_t start = pp_i64_sub(ev->end, ev->dur);

	if (ev->kind == PP_EV_STATEMENT)
		return true;	/* nothing is ever open behind it */
	if (!w->depth_decides)
		drop_passed(w, ws, ev->end);
	drop_dominated(w, ws, ev->depth, start);
	if (ws->n > 0 || ws->cover <= start)
		return false;
	if (ev->end != ws->cover)
		uncovered(w, ws, start, ev->end, ev->line, ev->stmt);
	return true;
}

/* All of the log by one walk. */
static enum pp_status
walk_log(struct pp_accounts *a, uint32_t group)
{
	struct pp_walk w;
	struct pp_log_cursor c;
	const union pp_slot *slots;
	enum pp_status st;
	size_t n;

	pp_walk_begin(&w, a, group);
	w.context = a->model->log.context;
	pp_walk_switch(&w, a->model->log.session);
	pp_log_open(&c, &a->model->log, true);
	while ((st = pp_log_next_block(&c, &slots, &n)) == PP_OK && n > 0)
		pp_walk_slots(&w, slots, n, 0);
	pp_log_close(&c);
	pp_walk_end(&w);
	a->owners_odd = w.owner != NULL;
	return st;
}

enum pp_status
pp_account_walk(struct pp_accounts *a, uint32_t group)
{
	enum pp_status st = PP_OK;
	size_t from = a->naxes;

	if (!a->opt.seed_timeline || a->select != NULL)
		pp_axis_build(a, group);
	pp_log_reset(&a->owners);
	if (!pp_lanes_walk(a, group))
		st = walk_log(a, group);
	if (st != PP_FATAL)
		st = pp_account_nested(a, group);
	if (a->owners.error != 0) {
		a->model->log.error = a->owners.error;
		st = PP_FATAL;
	}
	if (a->opt.seed_timeline)
		pp_axis_drop(a, from);
	if (st != PP_FATAL && a->opt.timeline && a->opt.seed_timeline)
		st = pp_seed_timeline(a, group);
	return st;
}
