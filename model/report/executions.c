/*
 * executions.c: table `executions`, an EXEC with the FETCHes of its cursor a
 * row.
 */
#include "columns.h"
#include "bindsets.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"event_id", PP_T_INT, "id of the EXEC in events"},
	{"line", PP_T_INT, "line of the EXEC in its file"},
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_DIGEST,
	PP_COL_START,
	PP_COL_END,
	PP_COL_START_AT,
	PP_COL_ELAPSED,
	PP_COL_CPU,
	PP_COL_SELF,
	PP_COL_SELF_CPU,
	PP_COL_SELF_WAIT,
	PP_COL_SELF_UNACCOUNTED,
	{"fetches", PP_T_INT, "fetch calls"},
	PP_COL_ROWS,
	PP_COL_PHYSICAL_READS,
	PP_COL_CONSISTENT_GETS,
	PP_COL_CURRENT_GETS,
	{"binds", PP_T_TEXT, "bind values by position"},
	PP_COL_MODULE,
	PP_COL_ACTION,
	PP_COL_CLIENT_ID,
};

static const struct pp_table table = {
	"executions", "an EXEC with its FETCHes",
	"source, end of the execution", PP_COLUMNS(columns), PP_TABLE_RAW
};

/*
 * The execution of a cursor that may still be fetched from: it ends with the
 * next EXEC or PARSE of the cursor, another statement, or the input.
 */
struct running {
	struct pp_occurrence exec;	/* sums of EXEC and FETCHes */
	uint64_t fetches;
	bool on;
	char *binds;		/* their values, by position */
	size_t nbinds, binds_cap;
};

#define BINDS_MOST 4000		/* bytes of them that are shown */

struct state {
	const struct pp_report_ctx *c;
	struct pp_rows rows;
	struct pp_near near;
	struct pp_map by_cursor;	/* (cursor, session) -> running */
	struct running *v;
	size_t n, cap;
	struct pp_bindsets waiting;
};

static void *
open_executions(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct state *s = pp_mem_zalloc(c->mem, sizeof(*s));

	s->c = c;
	pp_map_init(&s->by_cursor, c->mem);
	pp_bindsets_init(&s->waiting, c->mem);
	pp_rows_open(&s->rows, c->mem, to, &table);
	return s;
}

static void
finish(struct state *s, struct running *x)
{
	const struct pp_occurrence *o = &x->exec;
	const struct pp_report_ctx *c = s->c;
	struct pp_rows *r = &s->rows;
	const struct pp_stmt *st = &c->model->stmts[o->stmt];
	struct pp_near *n = &s->near;
	struct pp_row row;
	char *text;

	if (!x->on)
		return;
	x->on = false;
	row = pp_row_begin(r);
	text = pp_rows_text(r, PP_NEAR_WALL + x->nbinds);
	pp_near_to(n, c, o->session);
	pp_near_session(&row, n);
	pp_row_int(&row, (pp_i128)o->id);
	pp_row_int(&row, o->line);
	pp_row_str(&row, st->id);
	pp_row_str_or_null(&row, st->sql_id);
	pp_row_str_or_null(&row, st->digest);
	pp_near_tick(&row, n, true, o->start);
	pp_near_tick(&row, n, true, o->end);
	pp_row_str_or_null(&row, (pp_str){text,
	    pp_near_wall(n, c, o->start, text)});
	pp_near_ticks(&row, n, true, o->elapsed);
	pp_near_ticks(&row, n, true, o->cpu);
	pp_near_ticks(&row, n, true, o->self);
	pp_near_ticks(&row, n, true, o->self_cpu);
	pp_near_ticks(&row, n, true, o->self_wait);
	pp_near_ticks(&row, n, true, o->self_unaccounted);
	pp_row_int(&row, (pp_i128)x->fetches);
	pp_row_int(&row, (pp_i128)o->rows);
	pp_row_int(&row, (pp_i128)o->p);
	pp_row_int(&row, (pp_i128)o->cr);
	pp_row_int(&row, (pp_i128)o->cu);
	text += PP_NEAR_WALL;
	if (x->nbinds > 0)
		memcpy(text, x->binds, x->nbinds);
	pp_row_str_or_null(&row, (pp_str){text, x->nbinds});
	pp_near_context(&row, c, o->context);
	pp_row_close(&row, r);
}

static struct running *
running_of(struct state *s, const struct pp_occurrence *o)
{
	uint32_t *at = pp_map_at(&s->by_cursor, o->cursor, o->session);
	void *v = s->v;

	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)s->n;
		pp_mem_grow(s->c->mem, &v, &s->cap, s->n + 1, sizeof(*s->v));
		s->v = v;
		memset(&s->v[s->n++], 0, sizeof(*s->v));
	}
	return &s->v[*at];
}

static void
add_fetch(struct running *x, const struct pp_occurrence *o)
{
	struct pp_occurrence *e = &x->exec;

	x->fetches++;
	if (o->end > e->end)
		e->end = o->end;
	e->elapsed = pp_i64_add(e->elapsed, o->elapsed);
	e->cpu = pp_i64_add(e->cpu, o->cpu);
	e->self = pp_i64_add(e->self, o->self);
	e->self_cpu = pp_i64_add(e->self_cpu, o->self_cpu);
	e->self_wait = pp_i64_add(e->self_wait, o->self_wait);
	e->self_unaccounted = pp_i64_add(e->self_unaccounted,
	    o->self_unaccounted);
	e->rows += o->rows;
	e->p += o->p;
	e->cr += o->cr;
	e->cu += o->cu;
}

static void
add(struct state *s, struct running *x, pp_str text)
{
	void *v = x->binds;

	pp_mem_grow(s->c->mem, &v, &x->binds_cap, x->nbinds + text.n, 1);
	x->binds = v;
	if (text.n > 0)
		memcpy(x->binds + x->nbinds, text.p, text.n);
	x->nbinds += text.n;
}

/* "0=17, 1='Harbour', 2=NULL", of an array statement the first set and how
 * many more there are. */
static void
note_binds(struct state *s, struct running *x, const struct pp_bindset *b)
{
	pp_str set = pp_bindset_get(b, 0);
	struct pp_bind v;
	char n[48];
	bool quote;

	while (x->nbinds < BINDS_MOST && pp_bind_next(&set, &v)) {
		pp_str type = pp_strtab_get(&s->c->model->names, v.type);

		quote = v.known && !pp_str_eq(type, PP_STR("NUMBER"));
		if (x->nbinds > 0)
			add(s, x, PP_STR(", "));
		add(s, x, (pp_str){n, pp_dec_format(n, v.position, 0)});
		add(s, x, quote ? PP_STR("='") : PP_STR("="));
		if (v.value.n > BINDS_MOST)
			v.value.n = BINDS_MOST;
		add(s, x, v.known ? v.value : PP_STR("NULL"));
		if (quote)
			add(s, x, PP_STR("'"));
	}
	if (set.n > 0)
		add(s, x, PP_STR(", ..."));
	if (b->sets > 1) {
		add(s, x, PP_STR(" (1 of "));
		add(s, x, (pp_str){n, pp_dec_format(n, (pp_i128)b->sets, 0)});
		add(s, x, PP_STR(" sets)"));
	}
}

static void
see_call(void *arg, const struct pp_occurrence *o)
{
	struct state *s = arg;
	struct pp_bindset *b;
	struct running *x;

	if (o->kind == PP_OCC_BINDS)
		pp_bindsets_keep(&s->waiting, o);
	if (o->kind != PP_OCC_CALL || o->cursor == 0 ||
	    (o->ev != PP_EV_EXEC && o->ev != PP_EV_FETCH &&
	    o->ev != PP_EV_PARSE))
		return;
	x = running_of(s, o);
	if (o->ev == PP_EV_FETCH && x->on && x->exec.stmt == o->stmt) {
		add_fetch(x, o);
		return;
	}
	finish(s, x);
	if (o->ev != PP_EV_EXEC)
		return;
	x->exec = *o;
	x->fetches = 0;
	x->on = true;
	x->nbinds = 0;
	b = pp_bindsets_of(&s->waiting, o);
	if (b != NULL) {
		note_binds(s, x, b);
		pp_bindset_clear(b);
	}
}

/* Cursors of the next group are others. */
static void
end_group(void *arg)
{
	struct state *s = arg;
	size_t i;

	for (i = 0; i < s->n; i++) {
		finish(s, &s->v[i]);
		pp_mem_free(s->c->mem, s->v[i].binds);
	}
	s->n = 0;
	s->near.known = false;
	pp_map_clear(&s->by_cursor);
	pp_bindsets_free(&s->waiting);
	pp_bindsets_init(&s->waiting, s->c->mem);
}

static enum pp_status
close_executions(void *arg)
{
	struct state *s = arg;
	enum pp_status st = pp_rows_close(&s->rows);

	pp_map_free(&s->by_cursor);
	pp_bindsets_free(&s->waiting);
	pp_mem_free(s->c->mem, s->v);
	pp_mem_free(s->c->mem, s);
	return st;
}

static const struct pp_raw_report occurrences = {
	.open = open_executions,
	.see = see_call,
	.group = end_group,
	.close = close_executions,
};

const struct pp_report pp_report_executions = {
	.table = &table,
	.inputs = PP_INPUT_TRACE,
	.needs = PP_NEED_RAW,
	.raw = true,
	.occ = &occurrences,
};
