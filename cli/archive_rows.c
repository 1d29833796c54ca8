/*
 * archive_rows.c: see archive_rows.h.
 */
#include "archive_rows.h"

#include "../model/container/segments.h"

struct pp_archive_filter {
	struct pp_mem *mem;
	struct pp_archive_where where[PP_ARCHIVE_WORDS];
	size_t nwhere;
	bool *match;
	size_t match_cap;
};

struct rows {
	struct pp_archive_run *a;
	struct pp_archive_wanted *w;
	struct pp_archive_group *groups;
	pp_str table;
	struct pp_archive_filter *filter;
	struct pp_columns_rows block;
	struct pp_arena text;
	uint32_t *entry;	/* of the rows of the block */
	size_t entry_cap;
	bool stopped;
};

struct pp_archive_filter *
pp_archive_filter(struct pp_archive_run *a)
{
	const struct pp_archive_cli *o = &a->run.opt->archive;
	struct pp_archive_filter *f = pp_mem_zalloc(&a->run.mem, sizeof(*f));
	struct pp_archive_where *w;
	size_t i, n;

	f->mem = &a->run.mem;
	for (i = 0; i < o->nwhere; i++) {
		w = &f->where[f->nwhere++];
		n = strcspn(o->where[i], "=");
		w->column = (pp_str){o->where[i], n};
		w->value = pp_str_from(o->where[i] + n + 1);
		w->is_number = w->value.n > 0 && pp_dec_parse(w->value,
		    PP_WHERE_SCALE, &w->number);
	}
	return f;
}

bool
pp_archive_keeps(const char *table)
{
	pp_str rest = PP_STR(PP_ARCHIVE_TABLES);
	size_t n;

	while (rest.n > 0) {
		n = pp_str_find(rest, PP_STR(","));
		if (pp_str_eq((pp_str){rest.p, n}, pp_str_from(table)))
			return true;
		rest = pp_str_skip(rest, n + 1);
	}
	return false;
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
row_fits(const struct pp_archive_filter *f, const struct pp_columns_table *t,
    const struct pp_columns_rows *rows, const uint32_t *place, size_t row)
{
	size_t i, k;
	bool any;

	for (i = 0; i < f->nwhere; i++) {
		any = false;
		for (k = 0; k < f->nwhere && !any; k++)
			any = pp_str_eq(f->where[k].column,
			    f->where[i].column) && place[k] != UINT32_MAX &&
			    cell_is(&f->where[k], t->type[place[k]],
			    &rows->cells[place[k]][row],
			    rows->tags[place[k]][row]);
		if (!any)
			return false;
	}
	return true;
}

const bool *
pp_archive_match(struct pp_archive_filter *f,
    const struct pp_columns_table *t, const struct pp_columns_rows *rows)
{
	uint32_t place[PP_ARCHIVE_WORDS], i;
	void *v = f->match;
	size_t k;

	for (k = 0; k < f->nwhere; k++)
		place[k] = pp_columns_column(t, f->where[k].column);
	pp_mem_grow(f->mem, &v, &f->match_cap, rows->rows + 1, 1);
	f->match = v;
	for (i = 0; i < rows->rows; i++)
		f->match[i] = row_fits(f, t, rows, place, i);
	return f->match;
}

/* ---------------------------------------------------------------- reading */

/* The names that sources have among all that are chosen. */
static void
name_sources(const struct rows *r, const struct pp_columns_table *t,
    const bool *wanted, size_t entry)
{
	static const char *const columns[] = {"source", "file"};
	pp_str name = r->groups[entry].name;
	uint32_t c, row;
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		c = pp_columns_column(t, pp_str_from(columns[i]));
		if (c == UINT32_MAX || !wanted[c] ||
		    !pp_type_is_text(t->type[c]))
			continue;
		for (row = 0; row < r->block.rows; row++)
			if (r->block.tags[c][row] != 0)
				r->block.cells[c][row].str = name;
	}
}

static bool
read_block(struct rows *r, struct pp_columns_in *in,
    const struct pp_columns_table *t, uint32_t k, const bool *wanted,
    size_t entry)
{
	void *v = r->entry;
	uint32_t i;

	pp_arena_reset(&r->text);
	if (!pp_columns_read(in, t, k, wanted, &r->text, &r->block))
		return false;
	name_sources(r, t, wanted, entry);
	pp_mem_grow(&r->a->run.mem, &v, &r->entry_cap, r->block.rows + 1,
	    sizeof(*r->entry));
	r->entry = v;
	for (i = 0; i < r->block.rows; i++)
		r->entry[i] = (uint32_t)entry;
	return true;
}

static void
set_wanted(const struct rows *r, const struct pp_columns_table *t,
    bool *first, bool *all)
{
	const char *const *columns = r->w->columns;
	uint32_t i;
	size_t k;

	for (i = 0; i < t->ncolumns; i++) {
		first[i] = false;
		all[i] = columns == NULL;
	}
	for (k = 0; columns != NULL && columns[k] != NULL; k++) {
		i = pp_columns_column(t, pp_str_from(columns[k]));
		if (i != UINT32_MAX)
			all[i] = true;
	}
	for (k = 0; k < r->filter->nwhere; k++) {
		i = pp_columns_column(t, r->filter->where[k].column);
		if (i != UINT32_MAX)
			first[i] = all[i] = true;
	}
}

static bool
any_row(const struct rows *r, const bool *match)
{
	uint32_t i;

	for (i = 0; i < r->block.rows; i++)
		if (match[i])
			return true;
	return false;
}

/* The blocks of a profile's table; false at damage. */
static bool
read_table(struct rows *r, size_t entry, struct pp_columns_in *in,
    const struct pp_columns_table *t)
{
	struct pp_archive_block b = {.t = t, .rows = &r->block};
	bool first[PP_COLUMNS_MAX], all[PP_COLUMNS_MAX];
	uint32_t k;

	set_wanted(r, t, first, all);
	for (k = 0; k < t->nblocks && !r->stopped; k++) {
		b.match = NULL;
		if (r->filter->nwhere > 0) {
			if (!read_block(r, in, t, k, first, entry))
				return false;
			b.match = pp_archive_match(r->filter, t, &r->block);
			if (!any_row(r, b.match))
				continue;
		}
		if (!read_block(r, in, t, k, all, entry))
			return false;
		if (b.match == NULL)
			b.match = pp_archive_match(r->filter, t, &r->block);
		b.entry = r->entry;
		r->stopped = !r->w->see(r->w->arg, &b);
	}
	return true;
}

static void
read_profile(struct rows *r, size_t entry)
{
	const struct pp_entry *e = &r->a->store->v[entry];
	const struct pp_columns_table *t;
	struct pp_store *s = r->a->store;
	struct pp_columns_in *in;
	struct pp_segments g;
	bool ok;

	if (e->status == PP_SRC_PARTIAL && e->reader.n != 0)
		pp_archive_tell_partial(r->a, r->w, r->groups[entry].name);
	if (e->columns == 0)
		return;
	s->err[0] = '\0';
	pp_segments_open(&g, s, e);
	in = pp_columns_in(s->mem, e->columns_bytes, pp_segments_get, &g);
	ok = in != NULL;
	if (ok) {
		t = pp_columns_table(in, r->table);
		ok = t == NULL || read_table(r, entry, in, t);
	}
	if (!ok) {
		r->w->lost++;
		pp_run_say(&r->a->run, "%s:%.*s: its tables are damaged%s%s",
		    r->a->path, (int)r->groups[entry].name.n,
		    r->groups[entry].name.p, s->err[0] != '\0' ? ": " : "",
		    s->err);
	}
	pp_columns_in_close(in);
	pp_segments_close(&g);
}

/* Those that belong together. */
static void
read_group(struct rows *r, size_t first)
{
	struct pp_mem *mem = &r->a->run.mem;
	uint32_t *v = pp_mem_alloc(mem, r->a->store->n * sizeof(*v));
	size_t i, n = 0;

	for (i = first; i < r->a->store->n; i++)
		if (pp_archive_wants(r->a, i) &&
		    r->groups[i].first == first)
			v[n++] = (uint32_t)i;
	if (!pp_archive_anew(r->a, r->groups, v, n, r->w))
		r->w->lost++;
	pp_mem_free(mem, v);
}

/* All in one run, as convert does. */
static void
read_anew(struct rows *r)
{
	struct pp_mem *mem = &r->a->run.mem;
	uint32_t *v = pp_mem_alloc(mem, (r->a->store->n + 1) * sizeof(*v));
	size_t i, n = 0;

	for (i = 0; i < r->a->store->n; i++)
		if (pp_archive_wants(r->a, i) &&
		    r->a->store->v[i].reader.n != 0)
			v[n++] = (uint32_t)i;
	r->w->unfilled = n == 0;
	if (n > 0 && !pp_archive_anew(r->a, r->groups, v, n, r->w))
		r->w->lost++;
	pp_mem_free(mem, v);
}

/* Told later, where nothing else can be: could any of them fill the table? */
static bool
is_unfilled(const struct rows *r)
{
	unsigned inputs = r->w->report->inputs;
	size_t i;

	for (i = 0; i < r->a->store->n; i++)
		if (pp_archive_wants(r->a, i) && (inputs == PP_INPUT_ANY ||
		    (r->a->store->v[i].inputs & inputs)))
			return false;
	return true;
}

void
pp_archive_rows(struct pp_archive_run *a, struct pp_archive_wanted *w)
{
	struct rows *r = pp_mem_zalloc(&a->run.mem, sizeof(*r));
	size_t i;

	r->a = a;
	r->w = w;
	r->table = pp_str_from(w->report->table->name);
	r->filter = pp_archive_filter(a);
	r->groups = pp_archive_groups(a);
	pp_arena_init(&r->text, &a->run.mem, 65536);
	w->lost = 0;
	w->partial = 0;
	w->unfilled = is_unfilled(r);
	if (w->how == PP_ROWS_ANEW)
		read_anew(r);
	for (i = 0; w->how == PP_ROWS_KEPT && i < a->store->n && !r->stopped;
	    i++) {
		if (!pp_archive_wants(a, i))
			continue;
		if (r->groups[r->groups[i].first].members < 2)
			read_profile(r, i);
		else if (r->groups[i].first == i)
			read_group(r, i);
	}
	pp_columns_rows_free(&r->block, &a->run.mem);
	pp_arena_free(&r->text);
	pp_mem_free(&a->run.mem, r);
}

/* ---------------------------------------------------------------- telling */

enum pp_exit
pp_archive_rows_status(const struct pp_archive_wanted *w, enum pp_exit state)
{
	return w->lost > 0 || w->partial > 0 ? PP_EXIT_PARTIAL : state;
}

void
pp_archive_tell_empty(struct pp_archive_run *a,
    const struct pp_archive_wanted *w)
{
	const char *name = w->report->table->name;

	if (a->run.opt->quiet || w->lost > 0)
		return;
	if (w->unfilled)
		pp_run_say(&a->run, "notice: no profile of this kind fills "
		    "the table %s", name);
	else
		pp_run_say(&a->run, "notice: the table %s has no such row",
		    name);
}

void
pp_archive_tell_partial(struct pp_archive_run *a,
    struct pp_archive_wanted *w, pp_str name)
{
	w->partial++;
	if (!a->run.opt->quiet)
		pp_run_say(&a->run, "%s:%.*s: warning: only a part of it was "
		    "understood; `profpivot show` tells more", a->path,
		    (int)name.n, name.p);
}
