/*
 * archive_query.c: `archive query`: rows of a table of many profiles.
 */
#include "../model/report/report.h"
#include "archive_rows.h"
#include "values.h"

#define TABLE_DEFAULT "profile"

struct query {
	struct pp_archive_run *a;
	const struct pp_report *report;
	struct pp_archive_wanted wanted;
	struct pp_archive_out out;
	struct pp_rows rows;
};

/* A cell of a profile under the declaration that this build has. */
static void
put_cell(struct query *q, const struct pp_archive_block *b, uint32_t from,
    enum pp_type type, size_t row)
{
	const union pp_cell *c;
	uint8_t tag;

	if (from == UINT32_MAX || pp_type_is_text(type) !=
	    pp_type_is_text(b->t->type[from])) {
		pp_put_null(&q->rows);
		return;
	}
	c = &b->rows->cells[from][row];
	tag = b->rows->tags[from][row];
	if (tag == 0)
		pp_put_null(&q->rows);
	else if (pp_type_is_text(type))
		pp_put_text(&q->rows, c->str);
	else if (tag == 1)
		pp_put_int(&q->rows, c->num);
	else
		pp_put_dec(&q->rows, c->num, tag - 1u);
}

static bool
see(void *arg, const struct pp_archive_block *b)
{
	struct query *q = arg;
	const struct pp_table *t = q->report->table;
	uint32_t place[PP_COLUMNS_MAX];
	uint32_t row;
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		place[i] = pp_columns_column(b->t,
		    pp_str_from(t->columns[i].name));
	for (row = 0; row < b->rows->rows; row++) {
		if (!b->match[row])
			continue;
		for (i = 0; i < t->ncolumns; i++)
			put_cell(q, b, place[i], t->columns[i].type, row);
		pp_row_end(&q->rows);
	}
	return q->rows.status < PP_FAILED;
}

/* Only snapshots that are told to be such make it. */
static bool
is_delta(const struct pp_report *x)
{
	return x->inputs == PP_INPUT_SNAPSHOTS ||
	    strcmp(x->table->name, "digest_deltas") == 0;
}

static const struct pp_report *
find_report(const struct pp_options *o)
{
	const char *name = o->table != NULL ? o->table : TABLE_DEFAULT;
	const struct pp_report *x = pp_report_named(pp_str_from(name));
	const struct pp_report *const *all;
	const char *names[64], *near;
	size_t n, i;

	if (x != NULL && x->inputs != PP_INPUT_COMPARED && !is_delta(x) &&
	    (x->table->flags & PP_TABLE_WIDE) == 0)
		return x;
	if (x != NULL && (x->table->flags & PP_TABLE_WIDE) != 0) {
		pp_usage(o->command, "query has no wide tables; the cells of "
		    "%s are rows of %s", name, x->tall);
		return NULL;
	}
	if (x != NULL) {
		pp_usage(o->command, x->inputs == PP_INPUT_COMPARED ?
		    "%s is of the command compare, which takes "
		    "ARCHIVE:NAME" : "%s needs --delta, of convert and show, "
		    "which take ARCHIVE:NAME", name);
		return NULL;
	}
	all = pp_reports(&n);
	for (i = 0; i < n && i < 64; i++)
		names[i] = all[i]->table->name;
	near = pp_value_nearest(name, names, i);
	pp_usage(o->command, near != NULL ? "there is no table `%s`; did you "
	    "mean `%s`?" : "there is no table `%s`", name, near);
	return NULL;
}

/* The digits of the finest clock among what is chosen. */
static unsigned
finest(const struct pp_archive_run *a)
{
	unsigned digits = 6, n;
	size_t i;

	for (i = 0; i < a->store->n; i++) {
		const struct pp_entry *e = &a->store->v[i];

		if (!pp_archive_wants(a, i) || e->reader.n == 0)
			continue;
		/* sums of a server have no clock, and picoseconds */
		n = e->has_span ? e->digits : 12;
		digits = n > digits ? n : digits;
	}
	return digits;
}

static enum pp_exit
answer(struct query *q, enum pp_exit state)
{
	struct pp_archive_run *a = q->a;
	uint64_t n;

	q->wanted.report = q->report;
	q->wanted.how = pp_archive_keeps(q->report->table->name) ?
	    PP_ROWS_KEPT : PP_ROWS_ANEW;
	q->wanted.see = see;
	q->wanted.arg = q;
	q->out.out.digits = finest(a);
	pp_rows_open(&q->rows, &a->run.mem, q->out.sink, q->report->table);
	pp_archive_rows(a, &q->wanted);
	n = q->rows.total;
	if (pp_rows_close(&q->rows) >= PP_FAILED || q->wanted.failed ||
	    !pp_archive_commit(a, &q->out))
		return PP_EXIT_NOTHING;
	if (n == 0)
		pp_archive_tell_empty(a, &q->wanted);
	return pp_archive_rows_status(&q->wanted, state);
}

enum pp_exit
pp_archive_query(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct query *q = pp_mem_zalloc(&r->mem, sizeof(*q));
	enum pp_exit status, state;

	q->a = a;
	q->report = find_report(r->opt);
	if (q->report == NULL ||
	    !pp_archive_where_fits(a, q->report->table))
		return PP_EXIT_USAGE;
	if (!pp_archive_output(a, &q->out, &status))
		return status;
	if (!pp_archive_open(a))
		return PP_EXIT_NOTHING;
	state = pp_archive_state(a);
	state = pp_exit_worse(state, pp_archive_choose(a, false));
	if (state == PP_EXIT_NOTHING)
		return state;
	if (!pp_archive_begin(a, &q->out))
		return PP_EXIT_NOTHING;
	status = answer(q, state);
	pp_report_file_free(&q->out.report);
	return status;
}
