/*
 * events.c: table `events`, one call, wait, stage, statement, transaction or
 * gap a row.
 */
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

struct state {
	const struct pp_report_ctx *c;
	struct pp_rows rows;
	struct cursor cursors[CURSORS];
	struct pp_wall_text wall;
	struct params params[PARAMS];
};

static void *
open_events(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct state *s = pp_mem_zalloc(c->mem, sizeof(*s));

	s->c = c;
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

/* A number that is a name, not an amount. */
static void
put_number(struct pp_rows *r, pp_i128 v)
{
	char number[PP_DEC_MAX];

	pp_put_text(r, (pp_str){number, pp_dec_format(number, v, 0)});
}

static void
put_cursor(struct state *s, uint64_t number)
{
	struct pp_rows *r = &s->rows;
	struct cursor *k = &s->cursors[(number ^ number >> 7) % CURSORS];
	uint64_t batch = r->total - r->batch.rows + 1;
	char text[PP_DEC_MAX];

	if (k->number != number || k->batch != batch) {
		k->number = number;
		k->batch = batch;
		k->text = pp_put_text(r, (pp_str){text,
		    pp_dec_format(text, (pp_i128)number, 0)});
	} else
		pp_put_str(r, k->text);
}

/* event_id .. depth */
static void
put_place(struct state *s, const struct pp_occurrence *o)
{
	struct pp_rows *r = &s->rows;
	const struct pp_stmt *st = &s->c->model->stmts[o->stmt];
	bool call = o->kind == PP_OCC_CALL;

	if (o->id != 0)
		pp_put_int(r, (pp_i128)o->id);
	else
		pp_put_null(r);
	if (o->parent != 0)
		pp_put_int(r, (pp_i128)o->parent);
	else
		pp_put_null(r);
	pp_put_int(r, o->line);
	pp_put_str(r, pp_str_from(pp_occ_kind_name(o->kind)));
	pp_fill_name(r, s->c, o->name);
	if (o->kind == PP_OCC_WAIT) {
		pp_put_str(r, pp_str_from(pp_class_name(o->class)));
		pp_put_str(r, pp_str_from(pp_place_name(o->place)));
	} else if (of_query(o)) {
		pp_put_str(r, pp_str_from(pp_class_name(o->class)));
		if (o->nested && o->kind == PP_OCC_STAGE)
			pp_put_str(r, pp_str_from(pp_place_name(o->place)));
		else
			pp_put_null(r);
	} else
		pp_put_nulls(r, 2);
	if (o->cursor != 0)
		put_cursor(s, o->cursor);
	else
		pp_put_null(r);
	pp_put_str(r, st->id);
	pp_put_str_or_null(r, st->sql_id);
	pp_put_str_or_null(r, st->digest);
	if (call || (o->nested && o->kind != PP_OCC_TRANSACTION))
		pp_put_int(r, o->depth);
	else
		pp_put_null(r);
}

/* start_s .. misses */
static void
put_numbers(struct state *s, const struct pp_occurrence *o)
{
	struct pp_rows *r = &s->rows;
	const struct pp_report_ctx *c = s->c;
	uint32_t se = o->session;
	bool call = o->kind == PP_OCC_CALL;
	/* a missing sample of SystemTap is 0 */
	bool queue = o->has_queue || (o->kind != PP_OCC_TRANSACTION &&
	    se < c->accounts->nsums && c->accounts->sums[se].has_queue);

	if (o->has_time) {
		pp_fill_tick(r, c, se, o->start);
		pp_fill_tick(r, c, se, o->end);
		pp_fill_wall_near(r, c, se, o->start, &s->wall);
	} else
		pp_put_nulls(r, 3);
	pp_fill_ticks_if(r, c, se, !o->untimed, o->elapsed);
	pp_fill_ticks_if(r, c, se, call || queue || o->has_cpu, o->cpu);
	pp_fill_ticks_if(r, c, se, queue, o->queue);
	if (!call) {
		pp_fill_ticks_if(r, c, se, !o->untimed && (of_query(o) ||
		    (o->nested && o->kind == PP_OCC_WAIT)), o->self);
		pp_put_nulls(r, 4);
		if (o->nested && o->kind == PP_OCC_STATEMENT)
			pp_put_int(r, (pp_i128)o->rows);
		else
			pp_put_null(r);
		pp_put_nulls(r, 4);
		return;
	}
	pp_fill_ticks(r, c, se, o->self);
	pp_fill_ticks(r, c, se, o->self_cpu);
	pp_fill_ticks_if(r, c, se, queue, o->self_queue);
	pp_fill_ticks(r, c, se, o->self_wait);
	pp_fill_ticks(r, c, se, o->self_unaccounted);
	pp_put_int(r, (pp_i128)o->rows);
	pp_put_int(r, (pp_i128)o->p);
	pp_put_int(r, (pp_i128)o->cr);
	pp_put_int(r, (pp_i128)o->cu);
	pp_put_int(r, (pp_i128)o->misses);
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
static void
put_parameters(struct state *s, const struct pp_occurrence *o)
{
	const struct params *k;
	unsigned i, n = o->has & PP_RAW_PARAMS;

	if ((o->kind != PP_OCC_WAIT && !o->nested) || n == 0) {
		pp_put_nulls(&s->rows, 6);
		return;
	}
	k = params_of(s, o->params);
	for (i = 0; i < 3; i++) {
		if (i >= n) {
			pp_put_nulls(&s->rows, 2);
			continue;
		}
		pp_put_str(&s->rows, k->name[i]);
		pp_put_int(&s->rows, o->has & PP_RAW_UNSIGNED << i ?
		    (pp_i128)(uint64_t)o->par[i] : o->par[i]);
	}
}

static void
see_event(void *arg, const struct pp_occurrence *o)
{
	struct state *s = arg;
	struct pp_rows *r = &s->rows;

	if (o->kind == PP_OCC_BINDS)
		return;
	pp_fill_session(r, s->c, o->session);
	put_place(s, o);
	put_numbers(s, o);
	if (o->kind == PP_OCC_CALL && (o->has & PP_RAW_PLAN))
		pp_put_int(r, o->plan);
	else
		pp_put_null(r);
	if (o->error != 0)
		pp_put_int(r, o->error);
	else
		pp_put_null(r);
	if ((o->kind == PP_OCC_WAIT || o->nested) && (o->has & PP_RAW_OBJ))
		pp_put_int(r, o->nested ? (pp_i128)(uint64_t)o->obj : o->obj);
	else
		pp_put_null(r);
	put_parameters(s, o);
	pp_fill_context(r, s->c, o->context);
	if (o->has & PP_RAW_TIM)
		put_number(r, o->nested ? (pp_i128)o->clock : o->tim);
	else
		pp_put_null(r);
	pp_put_str_or_null(r, o->late ? PP_STR("late") :
	    o->read_only ? PP_STR("read-only") :
	    pp_strtab_get(&s->c->model->names, o->flags));
	pp_row_end(r);
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
	.close = close_events,
};

const struct pp_report pp_report_events = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.needs = PP_NEED_RAW,
	.raw = true,
	.occ = &occurrences,
};
