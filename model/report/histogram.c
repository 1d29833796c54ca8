/*
 * histogram.c: table `histogram`, how long the occurrences of an event took.
 */
#include "columns.h"
#include "digest_fold.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_EVENT,
	{"from_s", PP_T_SECONDS, "shortest duration of the bucket"},
	{"to_s", PP_T_SECONDS, "longest duration of the bucket"},
	{"count", PP_T_INT, "occurrences"},
	{"time_s", PP_T_SECONDS, "time of the occurrences"},
	{"digest", PP_T_ID, "id of the normalised text, of digests"},
	{"schema", PP_T_TEXT, "schema that the statements ran in"},
};

static const struct pp_table table = {
	"histogram", "a duration bucket of an event",
	"source, session, event as in profile, from_s", PP_COLUMNS(columns), 0
};

static void
fill_event(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_event_cell *e, const struct pp_hist *h)
{
	const struct pp_hist_bucket *b;
	unsigned i = 0, index;
	int64_t from, to;

	while (pp_hist_next(h, &i, &index, &b)) {
		pp_hist_bounds(index, &from, &to);
		pp_fill_session(r, c, e->session);
		pp_fill_name(r, c, e->name);
		/* negative durations have no least one */
		pp_fill_ticks_if(r, c, e->session, from != INT64_MIN, from);
		pp_fill_ticks(r, c, e->session, to);
		pp_put_int(r, (pp_i128)b->count);
		pp_fill_ticks(r, c, e->session, b->time);
		pp_put_null(r);
		pp_put_null(r);
		pp_row_end(r);
	}
}

/*
 * An event that is a wait in calls and idle between them has two cells but
 * one histogram: for each cell in v, the next one of the same session and
 * name (its place in v), or none.
 */
static uint32_t *
chain(const struct pp_report_ctx *c, const struct pp_sort *v, size_t n,
    uint8_t *chained)
{
	uint32_t *next = pp_mem_alloc(c->mem, (n + 1) * sizeof(*next)), *at;
	struct pp_map last;

	pp_map_init(&last, c->mem);
	for (uint32_t i = 0; i < n; i++) {
		const struct pp_event_cell *e =
		    &c->accounts->events[v[i].index];

		next[i] = PP_MAP_NONE;
		at = pp_map_at(&last, e->session, e->name);
		if (*at != PP_MAP_NONE) {
			next[*at] = i;
			chained[i] = 1;
		}
		*at = i;
	}
	pp_map_free(&last);
	return next;
}

/* A hole or a rest is no duration of anything; of sums the durations are not
 * known. */
static bool
left_out(const struct pp_event_cell *e)
{
	return e->class == PP_CLASS_MISSING ||
	    e->class == PP_CLASS_UNACCOUNTED || e->summed;
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_event_cell *all = c->accounts->events;
	uint32_t *next;
	uint8_t *chained;
	struct pp_sort *v;
	struct pp_rows r;
	size_t n;

	v = pp_events_sorted(c, &n);
	chained = pp_mem_zalloc(c->mem, n + 1);
	next = chain(c, v, n, chained);
	pp_rows_open(&r, c->mem, to, &table);
	for (size_t i = 0; i < n; i++) {
		struct pp_hist sum = {.chunk = NULL};

		if (chained[i] || left_out(&all[v[i].index]))
			continue;
		if (next[i] == PP_MAP_NONE) {
			fill_event(&r, c, &all[v[i].index],
			    &all[v[i].index].hist);
			continue;
		}
		for (size_t k = i; k != PP_MAP_NONE; k = next[k])
			pp_hist_merge(&sum, c->mem, &all[v[k].index].hist);
		fill_event(&r, c, &all[v[i].index], &sum);
		pp_hist_free(&sum, c->mem);
	}
	pp_mem_free(c->mem, v);
	pp_mem_free(c->mem, chained);
	pp_mem_free(c->mem, next);
	pp_digest_histogram(&r, c);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_histogram = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS |
	    PP_INPUT_BUCKETS,
	.over = PP_OVER_TOTALS,
	.default_on = true,
	.emit = emit,
};
