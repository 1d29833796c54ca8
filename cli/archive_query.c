/*
 * archive_query.c: `archive query`: rows of a table of many profiles.
 */
#include "../model/report/report.h"
#include "archive_rows.h"
#include "values.h"

#define TABLE_DEFAULT "profile"

struct query {
	struct pp_archive_run *a;
	const struct pp_table *table;
	struct pp_options opt;
	struct pp_output out;
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
	uint32_t place[PP_COLUMNS_MAX];
	uint32_t row;
	size_t i;

	for (i = 0; i < q->table->ncolumns; i++)
		place[i] = pp_columns_column(b->t,
		    pp_str_from(q->table->columns[i].name));
	for (row = 0; row < b->rows->rows; row++) {
		if (!b->match[row])
			continue;
		for (i = 0; i < q->table->ncolumns; i++)
			put_cell(q, b, place[i], q->table->columns[i].type,
			    row);
		pp_row_end(&q->rows);
	}
	return q->rows.status < PP_FAILED;
}

static const struct pp_table *
find_table(const struct pp_options *o)
{
	const char *name = o->table != NULL ? o->table : TABLE_DEFAULT;
	const struct pp_table *t = pp_table_named(pp_str_from(name));
	const struct pp_report *const *all;
	const char *names[64], *near;
	size_t n, i;

	if (t != NULL)
		return t;
	all = pp_reports(&n);
	for (i = 0; i < n && i < 64; i++)
		names[i] = all[i]->table->name;
	near = pp_value_nearest(name, names, i);
	pp_usage(o->command, near != NULL ? "there is no table `%s`; did you "
	    "mean `%s`?" : "there is no table `%s`", name, near);
	return NULL;
}

enum pp_exit
pp_archive_query(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct query *q = pp_mem_zalloc(&r->mem, sizeof(*q));
	enum pp_exit status, state;
	uint64_t lost;

	q->a = a;
	q->table = find_table(r->opt);
	if (q->table == NULL || !pp_archive_where_fits(a, q->table))
		return PP_EXIT_USAGE;
	if (!pp_archive_open(a))
		return PP_EXIT_NOTHING;
	state = pp_archive_state(a);
	if (!pp_archive_words_met(a))
		state = PP_EXIT_PARTIAL;
	if (!pp_archive_output(a, &q->opt, &q->out, &status))
		return status;
	pp_rows_open(&q->rows, &r->mem, pp_output_sink(&q->out), q->table);
	(void)pp_archive_rows(a, q->table->name, NULL, see, q, &lost);
	if (pp_rows_close(&q->rows) >= PP_FAILED ||
	    !pp_output_commit(&q->out))
		return PP_EXIT_NOTHING;
	return lost > 0 ? PP_EXIT_PARTIAL : state;
}
