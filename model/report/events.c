/*
 * events.c: table `events`, one call, wait, stage, statement, transaction or
 * gap a row.
 */
#include "../base/digits.h"
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"event_id", PP_T_INT, "number of the occurrence in its source"},
	{"parent_event_id", PP_T_INT, "event_id of the call that it lies in; "
	    "empty: none"},
	{"line", PP_T_INT, "line in its file"},
	{"kind", PP_T_TEXT, "call, wait, stage, statement, transaction or "
	    "gap"},
	PP_COL_EVENT,
	PP_COL_CLASS,
	PP_COL_PLACE,
	{"cursor", PP_T_ID, "cursor number"},
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_DIGEST,
	{"depth", PP_T_INT, "depth as recorded"},
	PP_COL_START,
	PP_COL_END,
	PP_COL_START_AT,
	PP_COL_ELAPSED,
	PP_COL_CPU,
	{"queue_s", PP_T_SECONDS, "run queue, children included; empty "
	    "without SystemTap"},
	PP_COL_SELF,
	PP_COL_SELF_CPU,
	PP_COL_SELF_QUEUE,
	PP_COL_SELF_WAIT,
	PP_COL_SELF_UNACCOUNTED,
	PP_COL_ROWS,
	PP_COL_PHYSICAL_READS,
	PP_COL_CONSISTENT_GETS,
	PP_COL_CURRENT_GETS,
	{"misses", PP_T_INT, "library cache misses"},
	{"plan_hash", PP_T_INT, "hash value of the plan"},
	{"error", PP_T_INT, "error number"},
	{"object", PP_T_INT, "object number"},
	{"p1_name", PP_T_TEXT, "name of the first parameter"},
	{"p1", PP_T_INT, "first parameter"},
	{"p2_name", PP_T_TEXT, "name of the second parameter"},
	{"p2", PP_T_INT, "second parameter"},
	{"p3_name", PP_T_TEXT, "name of the third parameter"},
	{"p3", PP_T_INT, "third parameter"},
	PP_COL_MODULE,
	PP_COL_ACTION,
	PP_COL_CLIENT_ID,
	{"tim", PP_T_ID, "clock as recorded"},
	{"flags", PP_T_TEXT, "what is special about the record"},
};

static const struct pp_table table = {
	"events", "one occurrence",
	"source, event_id", PP_COLUMNS(columns), PP_TABLE_RAW
};

#define PARAMS 64		/* that are kept split */

struct params {
	uint32_t id;		/* in model.names, plus 1 */
	pp_str name[3];
};

/* The text of a cursor number, as long as its batch is not flushed. */
#define CURSORS 64
struct cursor {
	uint64_t number;
	uint64_t batch;		/* rows before it, plus 1 */
	pp_str text;
};

#define NAMES_MOST 16

struct state {
	const struct pp_report_ctx *c;
	struct pp_rows rows;
	struct pp_near near;
	struct cursor cursors[CURSORS];
	struct params params[PARAMS];
	pp_str kind[NAMES_MOST], class[NAMES_MOST], place[NAMES_MOST];
};

/* Of a row's texts that are made here, in one piece. */
#define NUMBER_ROOM 32
#define ROW_ROOM (PP_NEAR_WALL + NUMBER_ROOM)

static void *
open_events(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct state *s = pp_mem_zalloc(c->mem, sizeof(*s));
	int i;

	_Static_assert(PP_OCC_GAP < NAMES_MOST &&
	    PP_CLASS_COUNT <= NAMES_MOST && PP_PLACE_BETWEEN < NAMES_MOST,
	    "room for all names");
	s->c = c;
	for (i = 0; i <= PP_OCC_GAP; i++)
		s->kind[i] = pp_str_from(pp_occ_kind_name(
		    (enum pp_occ_kind)i));
	for (i = 0; i < PP_CLASS_COUNT; i++)
		s->class[i] = pp_str_from(pp_class_name((enum pp_class)i));
	for (i = 0; i <= PP_PLACE_BETWEEN; i++)
		s->place[i] = pp_str_from(pp_place_name((enum pp_place)i));
	pp_rows_open(&s->rows, c->mem, to, &table);
	return s;
}

/* A query of SHOW PROFILE or what lies in one. */
static bool
of_query(const struct pp_occurrence *o)
{
	return o->kind == PP_OCC_STATEMENT || o->kind == PP_OCC_STAGE ||
	    o->kind == PP_OCC_GAP;
}

/* The same text for all rows of a batch. */
static pp_str
cursor_text(struct state *s, uint64_t number)
{
	struct pp_rows *r = &s->rows;
	struct cursor *k = &s->cursors[(number ^ number >> 7) % CURSORS];
	uint64_t batch = r->total - r->batch.rows + 1;
	char *p;

	if (k->number != number || k->batch != batch) {
		k->number = number;
		k->batch = batch;
		p = pp_rows_text(r, NUMBER_ROOM);
		k->text = (pp_str){p, (size_t)(pp_digits_put(p, number) - p)};
	}
	return k->text;
}

/* event_id .. event */
static inline void
put_kind(struct state *s, struct pp_row *x, const struct pp_occurrence *o)
{
	pp_row_dec_if(x, o->id != 0, (pp_i128)o->id, 0);
	pp_row_dec_if(x, o->parent != 0, (pp_i128)o->parent, 0);
	pp_row_int(x, o->line);
	pp_row_str(x, s->kind[o->kind]);
	pp_row_str_or_null(x, pp_strtab_get(&s->c->model->names, o->name));
}

/* class, place */
static inline void
put_place(struct state *s, struct pp_row *x, const struct pp_occurrence *o)
{
	pp_str none = {NULL, 0};
	bool placed = o->kind == PP_OCC_WAIT ||
	    (o->nested && o->kind == PP_OCC_STAGE);

	if (o->kind != PP_OCC_WAIT && !of_query(o)) {
		pp_row_nulls(x, 2);
		return;
	}
	pp_row_str(x, s->class[o->class]);
	pp_row_str_or_null(x, placed ? s->place[o->place] : none);
}

/* cursor .. depth */
static inline void
put_statement(struct state *s, struct pp_row *x,
    const struct pp_occurrence *o)
{
	const struct pp_stmt *st = &s->c->model->stmts[o->stmt];

	if (o->cursor != 0)
		pp_row_str(x, cursor_text(s, o->cursor));
	else
		pp_row_null(x);
	pp_row_str(x, st->id);
	pp_row_str_or_null(x, st->sql_id);
	pp_row_str_or_null(x, st->digest);
	pp_row_dec_if(x, o->kind == PP_OCC_CALL || (o->nested &&
	    o->kind != PP_OCC_TRANSACTION), o->depth, 0);
}

/* start_s .. queue_s; start_at is written to p */
static inline void
put_times(struct state *s, struct pp_row *x, const struct pp_occurrence *o,
    bool queue, char *p)
{
	const struct pp_near *n = &s->near;
	size_t len = o->has_time ? pp_near_wall(&s->near, s->c, o->start, p) :
	    0;

	pp_near_tick(x, n, o->has_time, o->start);
	pp_near_tick(x, n, o->has_time, o->end);
	pp_row_str_or_null(x, (pp_str){p, len});
	pp_near_ticks(x, n, !o->untimed, o->elapsed);
	pp_near_ticks(x, n, o->kind == PP_OCC_CALL || queue || o->has_cpu,
	    o->cpu);
	pp_near_ticks(x, n, queue, o->queue);
}

/* self_s .. misses */
static inline void
put_self(struct state *s, struct pp_row *x, const struct pp_occurrence *o,
    bool queue)
{
	const struct pp_near *n = &s->near;

	if (o->kind != PP_OCC_CALL) {
		pp_near_ticks(x, n, !o->untimed && (of_query(o) ||
		    (o->nested && o->kind == PP_OCC_WAIT)), o->self);
		pp_row_nulls(x, 4);
		pp_row_dec_if(x, o->nested && o->kind == PP_OCC_STATEMENT,
		    (pp_i128)o->rows, 0);
		pp_row_nulls(x, 4);
		return;
	}
	pp_near_ticks(x, n, true, o->self);
	pp_near_ticks(x, n, true, o->self_cpu);
	pp_near_ticks(x, n, queue, o->self_queue);
	pp_near_ticks(x, n, true, o->self_wait);
	pp_near_ticks(x, n, true, o->self_unaccounted);
	pp_row_int(x, (pp_i128)o->rows);
	pp_row_int(x, (pp_i128)o->p);
	pp_row_int(x, (pp_i128)o->cr);
	pp_row_int(x, (pp_i128)o->cu);
	pp_row_int(x, (pp_i128)o->misses);
}

/* The names of a wait's parameters; one string for all waits of an event. */
static const struct params *
params_of(struct state *s, uint32_t id)
{
	struct params *k = &s->params[id % PARAMS];
	pp_str names;
	size_t end;
	unsigned i;

	if (k->id == id + 1)
		return k;
	k->id = id + 1;
	names = pp_strtab_get(&s->c->model->names, id);
	for (i = 0; i < 3; i++) {
		end = pp_str_find(names, PP_STR("\n"));
		k->name[i] = (pp_str){names.p, end};
		names = pp_str_skip(names, end + 1);
	}
	return k;
}

/* p1_name .. p3 */
static inline void
put_parameters(struct state *s, struct pp_row *x,
    const struct pp_occurrence *o)
{
	const struct params *k;
	unsigned i, n = o->has & PP_RAW_PARAMS;

	if ((o->kind != PP_OCC_WAIT && !o->nested) || n == 0) {
		pp_row_nulls(x, 6);
		return;
	}
	k = params_of(s, o->params);
	for (i = 0; i < n && i < 3; i++) {
		pp_row_str(x, k->name[i]);
		pp_row_int(x, o->has & PP_RAW_UNSIGNED << i ?
		    (pp_i128)(uint64_t)o->par[i] : o->par[i]);
	}
	for (; i < 3; i++)
		pp_row_nulls(x, 2);
}

/* tim, the clock as it is printed: a name, not an amount; at p */
static inline void
put_tim(struct pp_row *x, const struct pp_occurrence *o, char *p)
{
	bool below = !o->nested && o->tim < 0;
	uint64_t v = o->nested ? o->clock : (uint64_t)o->tim;

	if (!(o->has & PP_RAW_TIM)) {
		pp_row_null(x);
		return;
	}
	*p = '-';
	pp_row_str(x, (pp_str){p, (size_t)(pp_digits_put(p + below,
	    below ? 0 - v : v) - p)});
}

static void
see_event(void *arg, const struct pp_occurrence *o)
{
	struct state *s = arg;
	struct pp_rows *r = &s->rows;
	struct pp_row x = pp_row_begin(r);
	bool named = o->kind == PP_OCC_WAIT || o->nested, queue;
	char *text;

	if (o->kind == PP_OCC_BINDS)
		return;
	pp_near_to(&s->near, s->c, o->session);
	/* a missing sample of SystemTap is 0 */
	queue = o->has_queue || (o->kind != PP_OCC_TRANSACTION &&
	    s->near.queue);
	text = pp_rows_text(r, ROW_ROOM);
	pp_near_session(&x, &s->near);
	put_kind(s, &x, o);
	put_place(s, &x, o);
	put_statement(s, &x, o);
	put_times(s, &x, o, queue, text);
	put_self(s, &x, o, queue);
	pp_row_dec_if(&x, o->kind == PP_OCC_CALL && (o->has & PP_RAW_PLAN),
	    o->plan, 0);
	pp_row_dec_if(&x, o->error != 0, o->error, 0);
	pp_row_dec_if(&x, named && (o->has & PP_RAW_OBJ), o->nested ?
	    (pp_i128)(uint64_t)o->obj : o->obj, 0);
	put_parameters(s, &x, o);
	pp_near_context(&x, s->c, o->context);
	put_tim(&x, o, text + PP_NEAR_WALL);
	pp_row_str_or_null(&x, o->late ? PP_STR("late") :
	    o->read_only ? PP_STR("read-only") :
	    pp_strtab_get(&s->c->model->names, o->flags));
	pp_row_close(&x, r);
}

/* What was known of a session was known of the group. */
static void
end_group(void *arg)
{
	struct state *s = arg;

	s->near.known = false;
}

static enum pp_status
close_events(void *arg)
{
	struct state *s = arg;
	enum pp_status st = pp_rows_close(&s->rows);

	pp_mem_free(s->c->mem, s);
	return st;
}

static const struct pp_raw_report occurrences = {
	.open = open_events,
	.see = see_event,
	.group = end_group,
	.close = close_events,
};

const struct pp_report pp_report_events = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.needs = PP_NEED_RAW,
	.raw = true,
	.occ = &occurrences,
};
