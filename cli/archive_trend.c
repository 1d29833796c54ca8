/*
 * archive_trend.c: `archive trend`: time per event, statement or digest, a
 * column a profile or a day.
 */
#include <stdlib.h>

#include "../model/base/map.h"
#include "../model/base/strtab.h"
#include "archive_rows.h"

#define SCALE 12u		/* of sums */
#define TOP_DEFAULT 20u		/* lines of a page */
#define COLUMNS_MOST 16000u	/* a sheet has 16,384 */

/* What is read of a table. */
static const struct kind {
	const char *table;
	const char *columns[4];	/* key, what comes with it, time; NULL */
	const char *name[2];	/* of the first columns of the result */
	const char *help;
} kinds[] = {
	[PP_TREND_EVENT] = {"profile", {"event", "class", "time_s", NULL},
	    {"event", "class"}, "an event"},
	[PP_TREND_STATEMENT] = {"statements", {"statement", "text", "self_s",
	    NULL}, {"statement", "text"}, "a statement"},
	[PP_TREND_DIGEST] = {"digests", {"digest", "digest_text", "total_s",
	    NULL}, {"digest", "digest_text"}, "a digest"},
};

struct line {
	uint32_t key, more;	/* in strings */
	pp_i128 total;
	pp_i128 *v;		/* by column */
	bool *there;
};

struct period {
	pp_str name;
	int64_t at;		/* UTC; INT64_MAX: no time */
	uint32_t number;	/* of its first profile */
	uint32_t column;	/* as it was met */
	uint32_t snapshots;	/* of what a server had counted by then */
};

struct trend {
	struct pp_archive_run *a;
	const struct kind *kind;
	struct pp_archive_wanted wanted;
	struct pp_archive_out out;
	struct pp_archive_group *groups;
	struct pp_strtab strings, days;
	struct pp_map map;	/* (key, more) -> line */
	struct line *v;
	size_t n, cap;
	struct period *p;	/* columns, by time */
	size_t np;
	uint32_t *column;	/* of each entry of the store; in p as met */
	unsigned digits;	/* of the finest time */
};

/* ---------------------------------------------------------------- columns */

static int
by_time(const void *a, const void *b)
{
	const struct period *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void
name_day(struct trend *t, struct period *p, const struct pp_entry *e)
{
	struct pp_wall w = {.us = e->first_us, .known = true};
	char buf[40];

	p->name = PP_STR("no time");
	if (e->has_time && pp_wall_format(buf, &w, 0) >= 10)
		p->name = pp_arena_str(&t->a->store->text,
		    (pp_str){buf, 10});
}

/* Does it tell what a server had counted up to a moment? */
static bool
is_snapshot(const struct trend *t, const struct pp_entry *e)
{
	return t->a->run.opt->archive.of == PP_TREND_DIGEST &&
	    (e->inputs & PP_INPUT_ANY) == PP_INPUT_DIGESTS && e->has_time &&
	    e->first_us == e->last_us;
}

/* Counters that go on from one to the next do not add up. */
static void
tell_snapshots(struct trend *t)
{
	size_t i;

	for (i = 0; i < t->np && !t->a->run.opt->quiet; i++)
		if (t->p[i].snapshots > 1) {
			pp_run_say(&t->a->run, "notice: %.*s: %u exports of "
			    "digests are added up, though a server counts on "
			    "from one to the next; name one a day, or see "
			    "`profpivot show --delta`", (int)t->p[i].name.n,
			    t->p[i].name.p, (unsigned)t->p[i].snapshots);
			return;
		}
}

/* A column for each profile or day that is meant. */
static void
make_columns(struct trend *t)
{
	struct pp_store *s = t->a->store;
	bool day = t->a->run.opt->archive.per_day;
	struct period p;
	size_t i, had;
	uint32_t id, first;

	t->p = pp_mem_zalloc(s->mem, (s->n + 1) * sizeof(*t->p));
	t->column = pp_mem_zalloc(s->mem, (s->n + 1) * sizeof(*t->column));
	for (i = 0; i < s->n; i++) {
		const struct pp_entry *e = &s->v[i];

		t->column[i] = UINT32_MAX;
		if (!pp_archive_wants(t->a, i) || e->columns == 0)
			continue;
		memset(&p, 0, sizeof(p));
		p.at = e->has_time ? pp_entry_utc(e, e->first_us) : INT64_MAX;
		p.number = e->number;
		p.column = (uint32_t)t->np;
		first = t->groups[i].first;
		/* those that belong together are one */
		if (first != i && t->column[first] != UINT32_MAX) {
			t->column[i] = t->column[first];
			continue;
		}
		if (day) {
			name_day(t, &p, e);
			had = t->days.count;
			id = pp_strtab_id(&t->days, p.name);
			/* id 0 is the empty string */
			t->column[i] = id - 1;
			if (t->days.count == had) {
				if (t->p[id - 1].at > p.at)
					t->p[id - 1].at = p.at;
				t->p[id - 1].snapshots += is_snapshot(t, e);
				continue;
			}
			p.column = id - 1;
		} else {
			p.name = t->groups[first].head;
			t->column[i] = p.column;
		}
		p.snapshots = is_snapshot(t, e);
		t->p[t->np++] = p;
	}
}

/* ------------------------------------------------------------------ cells */

static struct line *
line_of(struct trend *t, pp_str key, pp_str more)
{
	uint32_t a = pp_strtab_id(&t->strings, key), b, *at;
	void *v = t->v;

	/* a text that differs by where it was cut is the same statement; what
	 * no digest stands for, "(other digests)", has its text only */
	b = t->kind->columns[1][0] == 'c' || key.n == 0 ?
	    pp_strtab_id(&t->strings, more) : 0;
	at = pp_map_at(&t->map, a, b);
	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)t->n;
		pp_mem_grow(&t->a->run.mem, &v, &t->cap, t->n + 1,
		    sizeof(*t->v));
		t->v = v;
		memset(&t->v[t->n], 0, sizeof(*t->v));
		t->v[t->n].key = a;
		t->v[t->n].more = pp_strtab_id(&t->strings, more);
		t->v[t->n].v = pp_mem_zalloc(&t->a->run.mem,
		    (t->np + 1) * sizeof(pp_i128));
		t->v[t->n].there = pp_mem_zalloc(&t->a->run.mem, t->np + 1);
		t->n++;
	}
	return &t->v[*at];
}

static pp_str
text_in(const struct pp_columns_rows *r, uint32_t column, uint32_t row)
{
	return r->tags[column][row] == 0 ? PP_STR("") :
	    r->cells[column][row].str;
}

static bool
see(void *arg, const struct pp_archive_block *b)
{
	struct trend *t = arg;
	uint32_t column, c[3], row;
	pp_str key, more;
	const struct pp_columns_rows *r = b->rows;
	struct line *l;
	unsigned scale;
	pp_i128 x;
	size_t i;

	for (i = 0; i < 3; i++) {
		c[i] = pp_columns_column(b->t,
		    pp_str_from(t->kind->columns[i]));
		if (c[i] == UINT32_MAX || (i < 2) !=
		    pp_type_is_text(b->t->type[c[i]]))
			return true;
	}
	for (row = 0; row < r->rows; row++) {
		column = t->column[b->entry[row]];
		if (!b->match[row] || column == UINT32_MAX ||
		    r->tags[c[2]][row] == 0)
			continue;
		key = text_in(r, c[0], row);
		more = text_in(r, c[1], row);
		if (key.n == 0 && more.n == 0)
			continue;
		scale = r->tags[c[2]][row] - 1u;
		if (scale > SCALE)
			continue;
		t->digits = scale > t->digits ? scale : t->digits;
		x = pp_dec_rescale(r->cells[c[2]][row].num, scale, SCALE);
		l = line_of(t, key, more);
		l->v[column] += x;
		l->there[column] = true;
		l->total += x;
	}
	return true;
}

/* ----------------------------------------------------------------- result */

static int
by_total(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->more < y->more ? -1 : x->more > y->more;
}

/*
 * The declaration: what a row is, its total, and a column a period; or, for
 * formats without wide tables, a row for each.
 */
static const struct pp_table *
declare(struct trend *t, bool wide)
{
	struct pp_mem *mem = &t->a->run.mem;
	struct pp_column *c = pp_mem_zalloc(mem, (t->np + 5) * sizeof(*c));
	struct pp_table *x = pp_mem_zalloc(mem, sizeof(*x));
	bool day = t->a->run.opt->archive.per_day;
	size_t i, n = 2;

	c[0] = (struct pp_column){t->kind->name[0], PP_T_TEXT, "what it is"};
	c[1] = (struct pp_column){t->kind->name[1], PP_T_TEXT,
		"what is known of it"};
	if (wide) {
		c[n++] = (struct pp_column){"total_s", PP_T_SECONDS,
			"time in all of them"};
		for (i = 0; i < t->np; i++)
			c[n++] = (struct pp_column){pp_arena_str(
			    &t->a->store->text, t->p[i].name).p, PP_T_SECONDS,
			    "time in it"};
	} else {
		c[n++] = (struct pp_column){day ? "day" : "profile",
			PP_T_TEXT, "the period"};
		c[n++] = (struct pp_column){"time_s", PP_T_SECONDS,
			"time in it"};
	}
	x->name = "trend";
	x->help = t->kind->help;
	x->order = "falling total";
	x->columns = c;
	x->ncolumns = n;
	x->flags = PP_TABLE_PIVOT | (wide ? PP_TABLE_WIDE : 0);
	return x;
}

static void
put_time(struct pp_rows *r, const struct trend *t, pp_i128 v)
{
	pp_put_dec(r, pp_dec_rescale(v, SCALE, t->digits), t->digits);
}

static void
put_line(struct trend *t, struct pp_rows *r, const struct line *l, bool wide)
{
	pp_str key = pp_strtab_get(&t->strings, l->key);
	pp_str more = pp_strtab_get(&t->strings, l->more);
	uint32_t c;
	size_t i;

	if (wide) {
		pp_put_str_or_null(r, key);
		pp_put_str_or_null(r, more);
		put_time(r, t, l->total);
	}
	for (i = 0; i < t->np; i++) {
		c = t->p[i].column;
		if (wide && !l->there[c]) {
			pp_put_null(r);
		} else if (wide) {
			put_time(r, t, l->v[c]);
		} else if (l->there[c]) {
			pp_put_str_or_null(r, key);
			pp_put_str_or_null(r, more);
			pp_put_str(r, t->p[i].name);
			put_time(r, t, l->v[c]);
			pp_row_end(r);
		}
	}
	if (wide)
		pp_row_end(r);
}

static bool
emit(struct trend *t)
{
	bool wide = t->out.page ||
	    (t->out.out.ctx.writer->caps & PP_W_WIDE) != 0;
	uint32_t top = t->out.page ? 0 : t->a->run.opt->top;
	struct pp_rows r;
	size_t i;

	/* a page shows the last ones that there is room for */
	for (i = 0; i < t->np && t->out.page; i++)
		if (t->p[i].at == INT64_MAX)
			t->p[i].at = INT64_MIN;
	if (t->np > 1)
		qsort(t->p, t->np, sizeof(*t->p), by_time);
	if (t->n > 1)
		qsort(t->v, t->n, sizeof(*t->v), by_total);
	/* as other tables of seconds, microseconds at least */
	t->digits = t->digits < 6 ? 6 : t->digits;
	t->out.table.last = true;
	t->out.out.digits = t->digits;
	if (t->out.table.top == 0)
		t->out.table.top = TOP_DEFAULT;
	pp_rows_open(&r, &t->a->run.mem, t->out.sink, declare(t, wide));
	for (i = 0; i < t->n && (top == 0 || i < top); i++)
		put_line(t, &r, &t->v[i], wide);
	return pp_rows_close(&r) < PP_FAILED;
}

static bool
prepare(struct trend *t)
{
	struct pp_run *r = &t->a->run;

	pp_strtab_init(&t->strings, &r->mem);
	pp_strtab_init(&t->days, &r->mem);
	pp_map_init(&t->map, &r->mem);
	t->groups = pp_archive_groups(t->a);
	make_columns(t);
	tell_snapshots(t);
	if (t->np == 0) {
		pp_run_say(r, "%s: no profile with tables is meant",
		    t->a->path);
		return false;
	}
	if (t->np <= COLUMNS_MOST)
		return true;
	pp_run_say(r, "%s: %zu profiles would be as many columns; choose "
	    "with --from and --to, or --per day", t->a->path, t->np);
	return false;
}

enum pp_exit
pp_archive_trend(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct trend *t = pp_mem_zalloc(&r->mem, sizeof(*t));
	enum pp_exit status, state;

	t->a = a;
	t->kind = &kinds[r->opt->archive.of];
	t->wanted.report = pp_report_named(pp_str_from(t->kind->table));
	t->wanted.columns = t->kind->columns;
	t->wanted.see = see;
	t->wanted.arg = t;
	if (!pp_archive_where_fits(a, t->wanted.report->table))
		return PP_EXIT_USAGE;
	if (!pp_archive_output(a, &t->out, &status))
		return status;
	if (!pp_archive_open(a))
		return PP_EXIT_NOTHING;
	state = pp_archive_state(a);
	state = pp_exit_worse(state, pp_archive_choose(a, false));
	if (state == PP_EXIT_NOTHING)
		return state;
	if (!prepare(t))
		return PP_EXIT_NOTHING;
	if (!pp_archive_begin(a, &t->out))
		return PP_EXIT_NOTHING;
	pp_archive_rows(a, &t->wanted);
	status = pp_archive_rows_status(&t->wanted, state);
	if (!emit(t) || !pp_archive_commit(a, &t->out))
		status = PP_EXIT_NOTHING;
	else if (t->n == 0)
		pp_archive_tell_empty(a, &t->wanted);
	pp_report_file_free(&t->out.report);
	return status;
}
