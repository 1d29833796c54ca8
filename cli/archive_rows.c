/*
 * archive_rows.c: see archive_rows.h.
 */
#include "archive_rows.h"

#include "../model/container/segments.h"
#include "../model/report/report.h"
#include "commands.h"
#include "inputs.h"

struct rows {
	struct pp_archive_run *a;
	pp_str table;
	const char *const *columns;
	bool (*see)(void *, const struct pp_archive_block *);
	void *arg;
	struct pp_archive_where where[PP_ARCHIVE_WORDS];
	size_t nwhere;
	struct pp_columns_rows block;
	struct pp_arena text;
	bool *match;
	size_t match_cap;
	uint64_t lost;
	bool stopped;
};

static void
read_where(struct rows *r)
{
	const struct pp_archive_cli *o = &r->a->run.opt->archive;
	struct pp_archive_where *w;
	size_t i, n;

	for (i = 0; i < o->nwhere; i++) {
		w = &r->where[r->nwhere++];
		n = strcspn(o->where[i], "=");
		w->column = (pp_str){o->where[i], n};
		w->value = pp_str_from(o->where[i] + n + 1);
		w->is_number = w->value.n > 0 && pp_dec_parse(w->value,
		    PP_WHERE_SCALE, &w->number);
	}
}

bool
pp_archive_where_fits(struct pp_archive_run *a, const struct pp_table *t)
{
	const struct pp_archive_cli *o = &a->run.opt->archive;
	size_t i, k;
	pp_str name;

	for (i = 0; i < o->nwhere; i++) {
		name = (pp_str){o->where[i], strcspn(o->where[i], "=")};
		for (k = 0; k < t->ncolumns; k++)
			if (pp_str_eq(name, pp_str_from(t->columns[k].name)))
				break;
		if (k < t->ncolumns)
			continue;
		pp_usage(PP_CMD_ARCHIVE, "--where: table `%s` has no column "
		    "`%.*s`", t->name, (int)name.n, name.p);
		return false;
	}
	return true;
}

/* ---------------------------------------------------------------- matching */

static bool
cell_is(const struct pp_archive_where *w, enum pp_type type,
    const union pp_cell *cell, uint8_t tag)
{
	if (tag == 0)
		return w->value.n == 0;
	if (pp_type_is_text(type))
		return pp_str_eq(cell->str, w->value);
	return w->is_number && tag - 1u <= PP_WHERE_SCALE &&
	    pp_dec_rescale(cell->num, tag - 1u, PP_WHERE_SCALE) == w->number;
}

/* Conditions on one column are alternatives; columns must all fit. */
static bool
row_fits(const struct rows *r, const struct pp_columns_table *t,
    const uint32_t *place, size_t row)
{
	size_t i, k;
	bool any;

	for (i = 0; i < r->nwhere; i++) {
		any = false;
		for (k = 0; k < r->nwhere && !any; k++)
			any = pp_str_eq(r->where[k].column,
			    r->where[i].column) && place[k] != UINT32_MAX &&
			    cell_is(&r->where[k], t->type[place[k]],
			    &r->block.cells[place[k]][row],
			    r->block.tags[place[k]][row]);
		if (!any)
			return false;
	}
	return true;
}

/* Does any row of the block fit? */
static bool
match_rows(struct rows *r, const struct pp_columns_table *t,
    const uint32_t *place)
{
	void *v = r->match;
	uint32_t i;
	bool any = false;

	pp_mem_grow(&r->a->run.mem, &v, &r->match_cap, r->block.rows + 1, 1);
	r->match = v;
	for (i = 0; i < r->block.rows; i++)
		any |= r->match[i] = row_fits(r, t, place, i);
	return any;
}

/* ---------------------------------------------------------------- reading */

static bool
read_block(struct rows *r, struct pp_columns_in *in,
    const struct pp_columns_table *t, uint32_t k, const bool *wanted)
{
	pp_arena_reset(&r->text);
	return pp_columns_read(in, t, k, wanted, &r->text, &r->block);
}

static void
set_wanted(const struct rows *r, const struct pp_columns_table *t,
    bool *first, bool *all, uint32_t *place)
{
	uint32_t i;
	size_t k;

	for (i = 0; i < t->ncolumns; i++) {
		first[i] = false;
		all[i] = r->columns == NULL;
	}
	for (k = 0; r->columns != NULL && r->columns[k] != NULL; k++) {
		i = pp_columns_column(t, pp_str_from(r->columns[k]));
		if (i != UINT32_MAX)
			all[i] = true;
	}
	for (k = 0; k < r->nwhere; k++) {
		place[k] = pp_columns_column(t, r->where[k].column);
		if (place[k] != UINT32_MAX)
			first[place[k]] = all[place[k]] = true;
	}
}

/* The blocks of a profile's table; false at damage. */
static bool
read_table(struct rows *r, const struct pp_entry *e,
    struct pp_columns_in *in, const struct pp_columns_table *t)
{
	struct pp_archive_block b = {.e = e, .t = t, .rows = &r->block};
	bool first[PP_COLUMNS_MAX], all[PP_COLUMNS_MAX];
	uint32_t place[PP_ARCHIVE_WORDS], k;

	set_wanted(r, t, first, all, place);
	for (k = 0; k < t->nblocks && !r->stopped; k++) {
		if (r->nwhere > 0) {
			if (!read_block(r, in, t, k, first))
				return false;
			if (!match_rows(r, t, place))
				continue;
		}
		if (!read_block(r, in, t, k, all))
			return false;
		if (r->nwhere == 0)
			match_rows(r, t, place);
		b.match = r->match;
		r->stopped = !r->see(r->arg, &b);
	}
	return true;
}

static void
read_profile(struct rows *r, const struct pp_entry *e)
{
	const struct pp_columns_table *t;
	struct pp_store *s = r->a->store;
	struct pp_columns_in *in;
	struct pp_segments g;
	bool ok;

	if (e->columns == 0)
		return;
	s->err[0] = '\0';
	pp_segments_open(&g, s, e);
	in = pp_columns_in(s->mem, e->columns_bytes, pp_segments_get, &g);
	ok = in != NULL;
	if (ok) {
		t = pp_columns_table(in, r->table);
		ok = t == NULL || read_table(r, e, in, t);
	}
	if (!ok) {
		r->lost++;
		pp_run_say(&r->a->run, "%s:%.*s: its tables are damaged%s%s",
		    r->a->path, (int)e->path.n, e->path.p,
		    s->err[0] != '\0' ? ": " : "", s->err);
	}
	pp_columns_in_close(in);
	pp_segments_close(&g);
}

bool
pp_archive_rows(struct pp_archive_run *a, const char *table,
    const char *const *columns, bool (*see)(void *,
    const struct pp_archive_block *), void *arg, uint64_t *lost)
{
	struct rows *r = pp_mem_zalloc(&a->run.mem, sizeof(*r));
	size_t i;
	bool ok;

	r->a = a;
	r->table = pp_str_from(table);
	r->columns = columns;
	r->see = see;
	r->arg = arg;
	pp_arena_init(&r->text, &a->run.mem, 65536);
	read_where(r);
	for (i = 0; i < a->store->n && !r->stopped; i++)
		if (pp_archive_wants(a, &a->store->v[i]))
			read_profile(r, &a->store->v[i]);
	*lost = r->lost;
	ok = !r->stopped;
	pp_columns_rows_free(&r->block, &a->run.mem);
	pp_arena_free(&r->text);
	pp_mem_free(&a->run.mem, r->match);
	pp_mem_free(&a->run.mem, r);
	return ok;
}

bool
pp_archive_output(struct pp_archive_run *a, struct pp_options *opt,
    struct pp_output *out, enum pp_exit *status)
{
	const struct pp_writer *w;

	*opt = *a->run.opt;
	if (opt->out == NULL)
		opt->out = "-";
	*status = PP_EXIT_USAGE;
	w = pp_convert_writer(opt);
	if (w == NULL)
		return false;
	if (w->tables != NULL || (w->caps & PP_W_REPORT) != 0) {
		pp_usage(PP_CMD_ARCHIVE, "-t %s is made of other tables",
		    w->name);
		return false;
	}
	if (strcmp(opt->out, "-") == 0 && (w->caps & PP_W_SINGLE) == 0) {
		pp_usage(PP_CMD_ARCHIVE, "%s cannot be written to standard "
		    "output; name a file with -o", w->name);
		return false;
	}
	if (pp_same_file(opt->out, a->path)) {
		pp_run_say(&a->run, "-o %s: is the archive; nothing written",
		    opt->out);
		*status = PP_EXIT_NOTHING;
		return false;
	}
	*status = PP_EXIT_NOTHING;
	a->run.opt = opt;
	return pp_output_open(out, &a->run, w, true) &&
	    pp_output_begin(out);
}
