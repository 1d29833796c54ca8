/*
 * statement_events.c: table `statement_events`, where the time of a
 * statement went.  Waits between calls stand with the statement of their
 * cursor, under place `between`.
 */
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

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_accounts *a = c->accounts;
	struct pp_sort *v = pp_sort_alloc(c, a->nbuckets);
	struct pp_stmt_order o;
	struct pp_rows r;

	pp_stmt_order_init(&o, c);
	for (uint32_t i = 0; i < a->nbuckets; i++) {
		const struct pp_bucket *b = &a->buckets[i];
		const struct pp_event_cell *e = &a->events[b->event];

		v[i].major = pp_stmt_order_key(&o, b->session, b->stmt);
		v[i].falling = b->time;
		v[i].text = pp_strtab_get(&c->model->names, e->name);
		v[i].minor = (uint64_t)e->class << 1 | (uint64_t)b->place;
		v[i].index = i;
	}
	pp_stmt_order_free(&o);
	pp_sort(v, a->nbuckets);
	pp_rows_open(&r, c->mem, to, &table);
	for (size_t i = 0; i < a->nbuckets; i++)
		fill_row(&r, c, &a->buckets[v[i].index]);
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
