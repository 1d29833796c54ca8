/*
 * statement_events.c: table `statement_events`, where the time of a
 * statement went.  Waits between calls stand with the statement of their
 * cursor, under place `between`.
 */
#include "../account/states.h"
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_EVENT,
	PP_COL_CLASS,
	PP_COL_PLACE,
	{"time_s", PP_T_SECONDS, "time; unaccounted-for is signed"},
	{"count", PP_T_INT, "occurrences"},
	{"avg_s", PP_T_SECONDS, "time_s / count"},
	{"max_s", PP_T_SECONDS, "longest"},
};

static const struct pp_table table = {
	"statement_events", "an event of a statement",
	"source, session, statement as in statements, falling time_s, event, "
	"class, place",
	PP_COLUMNS(columns), 0
};

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_bucket *b)
{
	const struct pp_event_cell *e = &c->accounts->events[b->event];

	pp_fill_session(r, c, b->session);
	pp_fill_stmt(r, c, b->stmt);
	pp_fill_name(r, c, e->name);
	pp_put_str(r, pp_str_from(pp_class_name(e->class)));
	pp_put_str(r, pp_str_from(pp_place_name(b->place)));
	pp_fill_ticks(r, c, b->session, b->time);
	if (e->counted) {
		pp_put_int(r, (pp_i128)b->count);
		pp_fill_average(r, c, b->session, b->time, b->count);
		pp_fill_ticks_if(r, c, b->session, b->count > 0 && !b->summed,
		    b->max);
	} else
		pp_put_nulls(r, 3);
	pp_row_end(r);
}

static void
set_key(struct pp_sort *v, const struct pp_report_ctx *c,
    const struct pp_bucket *b, uint64_t major)
{
	const struct pp_event_cell *e = &c->accounts->events[b->event];

	v->major = major;
	v->falling = b->time;
	v->text = pp_strtab_get(&c->model->names, e->name);
	v->minor = (uint64_t)e->class << 1 | (uint64_t)b->place;
}

/* The events of the statements whose cells the accounts keep; *n of them. */
static struct pp_sort *
kept(const struct pp_report_ctx *c, const struct pp_stmt_order *o, size_t *n)
{
	const struct pp_accounts *a = c->accounts;
	struct pp_sort *v = pp_sort_alloc(c, a->nbuckets);

	*n = 0;
	for (uint32_t i = 0; i < a->nbuckets; i++) {
		const struct pp_bucket *b = &a->buckets[i];

		if (pp_states_apart(a, b->session))
			continue;
		set_key(&v[*n], c, b, pp_stmt_order_key(o, b->session,
		    b->stmt));
		v[(*n)++].index = i;
	}
	pp_sort(v, *n);
	return v;
}

/* Those of a statement of SHOW PROFILE whose states stand apart. */
static void
fill_states(struct pp_rows *r, const struct pp_report_ctx *c,
    struct pp_states *s, const struct pp_stmt_cell *stmt)
{
	struct pp_sort *v;

	pp_states_read(s, stmt->session, stmt->stmt);
	v = pp_sort_alloc(c, s->nsum);
	for (uint32_t i = 0; i < s->nsum; i++) {
		set_key(&v[i], c, &s->sum[i], 0);
		v[i].index = i;
	}
	pp_sort(v, s->nsum);
	for (size_t i = 0; i < s->nsum; i++)
		fill_row(r, c, &s->sum[v[i].index]);
	pp_mem_free(c->mem, v);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_accounts *a = c->accounts;
	struct pp_stmt_order o;
	struct pp_states states;
	struct pp_sort *v;
	struct pp_rows r;
	size_t n, i = 0;

	pp_stmt_order_init(&o, c);
	v = kept(c, &o, &n);
	pp_states_open(&states, a, false);
	pp_rows_open(&r, c->mem, to, &table);
	for (size_t k = 0; k < o.n; k++) {
		const struct pp_stmt_cell *s = &a->stmts[o.v[k].index];
		uint64_t major;

		if (!pp_states_apart(a, s->session))
			continue;
		major = pp_stmt_order_key(&o, s->session, s->stmt);
		for (; i < n && v[i].major < major; i++)
			fill_row(&r, c, &a->buckets[v[i].index]);
		fill_states(&r, c, &states, s);
	}
	for (; i < n; i++)
		fill_row(&r, c, &a->buckets[v[i].index]);
	pp_states_close(&states);
	pp_stmt_order_free(&o);
	pp_mem_free(c->mem, v);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_statement_events = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.over = PP_OVER_TOTALS,
	.default_on = true,
	.emit = emit,
};
