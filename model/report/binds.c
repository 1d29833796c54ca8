/*
 * binds.c: table `binds`, a bind value a row.
 */
#include "columns.h"
#include "bindsets.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"event_id", PP_T_INT, "id in events of the EXEC that it is for"},
	{"line", PP_T_INT, "line in its file"},
	PP_COL_STATEMENT,
	{"set", PP_T_INT, "set of values, from 1, where an EXEC has several"},
	{"position", PP_T_INT, "position in the text, from 0"},
	{"type", PP_T_TEXT, "data type"},
	{"length", PP_T_INT, "bytes of the value"},
	{"value", PP_T_TEXT, "value; empty: NULL or not in the input"},
};

static const struct pp_table table = {
	"binds", "a bind value",
	"source, event_id, set; within a set as printed",
	PP_COLUMNS(columns), PP_TABLE_RAW
};

struct state {
	const struct pp_report_ctx *c;
	struct pp_rows rows;
	struct pp_bindsets waiting;
};

static void *
open_binds(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct state *s = pp_mem_zalloc(c->mem, sizeof(*s));

	s->c = c;
	pp_bindsets_init(&s->waiting, c->mem);
	pp_rows_open(&s->rows, c->mem, to, &table);
	return s;
}

/* All sets of a cursor; event 0: no EXEC came. */
static void
put_sets(struct state *s, struct pp_bindset *b, uint64_t event)
{
	struct pp_rows *r = &s->rows;
	struct pp_bind x;
	pp_str set;
	size_t i;

	for (i = 0; i < b->sets; i++) {
		set = pp_bindset_get(b, i);
		while (pp_bind_next(&set, &x)) {
			pp_fill_session(r, s->c, b->session);
			if (event != 0)
				pp_put_int(r, (pp_i128)event);
			else
				pp_put_null(r);
			pp_put_int(r, b->line[i]);
			pp_put_str(r, s->c->model->stmts[b->stmt].id);
			pp_put_int(r, (pp_i128)i + 1);
			pp_put_int(r, x.position);
			pp_fill_name(r, s->c, x.type);
			if (x.length >= 0)
				pp_put_int(r, x.length);
			else
				pp_put_null(r);
			if (x.known)
				pp_put_text(r, x.value);
			else
				pp_put_null(r);
			pp_row_end(r);
		}
	}
	pp_bindset_clear(b);
}

static void
see(void *arg, const struct pp_occurrence *o)
{
	struct state *s = arg;
	struct pp_bindset *b;

	if (o->kind == PP_OCC_BINDS)
		pp_bindsets_keep(&s->waiting, o);
	else if (o->kind == PP_OCC_CALL && o->ev == PP_EV_EXEC &&
	    (b = pp_bindsets_of(&s->waiting, o)) != NULL)
		put_sets(s, b, o->id);
}

/* What waited for an EXEC in vain; the cursors of the next group differ. */
static void
end_group(void *arg)
{
	struct state *s = arg;
	size_t i;

	for (i = 0; i < s->waiting.n; i++)
		put_sets(s, &s->waiting.v[i], 0);
	pp_bindsets_free(&s->waiting);
	pp_bindsets_init(&s->waiting, s->c->mem);
}

static enum pp_status
close_binds(void *arg)
{
	struct state *s = arg;
	enum pp_status st = pp_rows_close(&s->rows);

	pp_bindsets_free(&s->waiting);
	pp_mem_free(s->c->mem, s);
	return st;
}

static const struct pp_raw_report occurrences = {
	.open = open_binds,
	.see = see,
	.group = end_group,
	.close = close_binds,
};

const struct pp_report pp_report_binds = {
	.table = &table,
	.inputs = PP_INPUT_TRACE,
	.needs = PP_NEED_RAW,
	.raw = true,
	.occ = &occurrences,
};
