/*
 * cube.c: table `cube`, an event of a statement in an interval a row: what a
 * pivot table is made from.  A workbook's sheet holds a million rows, so
 * beyond that the statements with least time fold to `other`.
 */
#include "columns.h"
#include "grid.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	PP_COL_INTERVAL,
	PP_COL_INTERVAL_START,
	PP_COL_EVENT,
	PP_COL_CLASS,
	PP_COL_STATEMENT,
	PP_COL_DIGEST,
	{"time_s", PP_T_SECONDS, "the event's time in the interval"},
	{"count", PP_T_INT, "occurrences that end in the interval"},
};

static const struct pp_table table = {
	"cube", "an event of a statement in an interval",
	"source, session, interval, event by falling total in the session, "
	"statement as in statements",
	PP_COLUMNS(columns), 0
};

/* How many rows there would be. */
struct census {
	uint64_t rows;		/* in all */
	uint64_t cells;		/* without regard to statements */
	uint64_t *of;		/* by statement */
	pp_i128 *time;		/* of those that stand apart; in 1 ps */
};

/* Statements of SHOW PROFILE whose states stand apart are counted without
 * being laid out: they are many, where their cells are not kept. */
static void
count_apart(const struct pp_report_ctx *c, struct pp_grid *g,
    struct census *n)
{
	const struct pp_accounts *a = c->accounts;

	for (size_t i = 0; i < a->nstmts; i++) {
		const struct pp_stmt_cell *s = &a->stmts[i];

		if (!pp_states_apart(a, s->session) ||
		    pp_grid_axis(c, s->session) == NULL)
			continue;
		pp_states_read(&g->states, s->session, s->stmt);
		for (size_t k = 0; k < g->states.nsum; k++) {
			const struct pp_bucket *b = &g->states.sum[k];

			n->rows += b->slices.n;
			n->of[s->stmt] += b->slices.n;
			n->time[s->stmt] += pp_dec_rescale(b->time,
			    c->model->sessions[s->session].digits, 12);
		}
	}
	for (size_t i = 0; i < a->nbuckets; i++)
		if (pp_states_apart(a, a->buckets[i].session))
			n->cells += a->buckets[i].slices.n;
}

static void
take_census(const struct pp_report_ctx *c, struct census *n)
{
	uint64_t session = UINT64_MAX, interval = 0, event = 0;
	struct pp_grid_row row;
	struct pp_grid g;

	n->rows = n->cells = 0;
	n->of = pp_mem_zalloc(c->mem,
	    (c->model->nstmts + 1) * sizeof(*n->of));
	n->time = pp_mem_zalloc(c->mem,
	    (c->model->nstmts + 1) * sizeof(*n->time));
	pp_grid_open(&g, c, true, NULL);
	g.skip_apart = true;
	count_apart(c, &g, n);
	while (pp_grid_next(&g, &row)) {
		n->rows++;
		n->of[row.stmt]++;
		n->cells += row.session != session ||
		    row.interval != interval || row.event != event;
		session = row.session;
		interval = row.interval;
		event = row.event;
	}
	pp_grid_close(&g);
}

/* Statements by falling time in the cube; the fixed ones go first, since
 * they say what the time is that has no statement. */
static struct pp_sort *
by_time(const struct pp_report_ctx *c, const struct census *n)
{
	const struct pp_accounts *a = c->accounts;
	const struct pp_model *m = c->model;
	struct pp_sort *v = pp_sort_alloc(c, m->nstmts);

	for (uint32_t i = 0; i < m->nstmts; i++) {
		v[i].index = i;
		v[i].major = i > PP_STMT_BETWEEN;
		v[i].text = m->stmts[i].id;
		v[i].falling = n->time[i];
	}
	for (size_t i = 0; i < a->nbuckets; i++) {
		const struct pp_bucket *b = &a->buckets[i];

		if (pp_states_apart(a, b->session))
			continue;
		/* at the scale of the finest clock: 1 ps */
		v[b->stmt].falling += pp_dec_rescale(b->time,
		    m->sessions[b->session].digits, 12);
	}
	pp_sort(v, m->nstmts);
	return v;
}

/*
 * Which statements fold so that the rows stay within the limit; NULL: none
 * need to.  What is folded takes at most a row a cell.
 */
static uint8_t *
choose_folded(const struct pp_report_ctx *c)
{
	uint64_t limit = c->opt.cube_rows ? c->opt.cube_rows : PP_CUBE_ROWS;
	uint64_t kept = 0, rest, fold_rows;
	struct census n;
	struct pp_sort *v;
	uint8_t *fold;
	size_t i;

	take_census(c, &n);
	if (n.rows <= limit) {
		pp_mem_free(c->mem, n.time);
		pp_mem_free(c->mem, n.of);
		return NULL;
	}
	fold = pp_mem_zalloc(c->mem, c->model->nstmts + 1);
	v = by_time(c, &n);
	for (i = 0; i < c->model->nstmts; i++) {
		kept += n.of[v[i].index];
		rest = n.rows - kept;
		fold_rows = rest < n.cells ? rest : n.cells;
		if (kept + fold_rows > limit && v[i].major > 0)
			break;
	}
	for (; i < c->model->nstmts; i++)
		fold[v[i].index] = 1;
	pp_mem_free(c->mem, v);
	pp_mem_free(c->mem, n.time);
	pp_mem_free(c->mem, n.of);
	return fold;
}

static void
fill_row(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_grid_row *row)
{
	const struct pp_event_cell *e = &c->accounts->events[row->event];

	pp_grid_fill(r, c, row);
	pp_fill_name(r, c, e->name);
	pp_put_str(r, pp_str_from(pp_class_name(e->class)));
	if (row->stmt == PP_GRID_OTHER) {
		pp_put_str(r, PP_STR("other"));
		pp_put_null(r);
	} else {
		pp_put_str(r, c->model->stmts[row->stmt].id);
		pp_put_str_or_null(r, c->model->stmts[row->stmt].digest);
	}
	pp_fill_ticks(r, c, row->session, row->time);
	if (e->counted)
		pp_put_int(r, (pp_i128)row->count);
	else
		pp_put_null(r);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	uint8_t *fold = choose_folded(c);
	struct pp_grid_row row;
	struct pp_grid g;
	struct pp_rows r;

	pp_grid_open(&g, c, true, fold);
	pp_rows_open(&r, c->mem, to, &table);
	while (pp_grid_next(&g, &row))
		fill_row(&r, c, &row);
	pp_grid_close(&g);
	pp_mem_free(c->mem, fold);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_cube = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_STATES | PP_INPUT_EVENTS,
	.needs = PP_NEED_SLICES,
	.over = PP_OVER_INTERVALS,
	.default_on = true,
	.emit = emit,
};
