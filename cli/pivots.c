/*
 * pivots.c: see pivots.h.
 */
#include "pivots.h"

#include <inttypes.h>

#include "values.h"

#define NAMES_MAX 64

static bool
wrong(const char *text, const char *what, pp_str word, const char *why)
{
	pp_usage(PP_CMD_CONVERT, "--pivot %s: %s%s%.*s%s%s", text, what,
	    word.n > 0 ? " `" : "", (int)word.n, word.n > 0 ? word.p : "",
	    word.n > 0 ? "` " : "", why);
	return false;
}

/* The table that a pivot takes; NULL has been told. */
static const struct pp_table *
find_table(const char *text, pp_str name)
{
	const struct pp_report *const *all;
	const char *names[NAMES_MAX], *near;
	const struct pp_table *t = pp_table_named(name);
	char word[40];
	size_t n, i;

	if (t != NULL && (t->flags & PP_TABLE_WIDE) == 0)
		return t;
	if (t != NULL) {
		wrong(text, "table", name, "is a pivot itself");
		return NULL;
	}
	all = pp_reports(&n);
	for (i = 0; i < n && i < NAMES_MAX; i++)
		names[i] = all[i]->table->name;
	snprintf(word, sizeof(word), "%.*s", (int)(name.n < 39 ? name.n : 39),
	    name.p);
	near = pp_value_nearest(word, names, i);
	if (near != NULL)
		pp_usage(PP_CMD_CONVERT, "--pivot %s: unknown table `%.*s`; "
		    "did you mean `%s`?", text, (int)name.n, name.p, near);
	else
		wrong(text, "unknown table", name,
		    "(`profpivot list tables` names them)");
	return NULL;
}

/* TABLE_by_FIELD_FIELD */
static void
make_name(char *buf, size_t room, struct pp_pivot_spec *s)
{
	const pp_str part[] = {s->table, PP_STR("by"), s->rows, s->columns};
	size_t n = 0, i, k;

	for (i = 0; i < 4; i++) {
		if (part[i].n == 0 || n + 2 >= room)
			continue;
		if (n > 0)
			buf[n++] = '_';
		for (k = 0; k < part[i].n && n + 1 < room; k++)
			if (part[i].p[k] != ' ')
				buf[n++] = (char)(part[i].p[k] == ',' ? '_' :
				    part[i].p[k]);
	}
	buf[n] = '\0';
	s->name = (pp_str){buf, n};
}

static bool
same_ignoring_case(pp_str a, pp_str b)
{
	size_t i;

	if (a.n != b.n)
		return false;
	for (i = 0; i < a.n; i++)
		if ((a.p[i] | 0x20) != (b.p[i] | 0x20))
			return false;
	return true;
}

/* Files and sheets cannot be told apart by case alone everywhere. */
static bool
is_taken(const struct pp_pivots *v, pp_str name)
{
	const struct pp_report *const *all;
	size_t n, i;

	all = pp_reports(&n);
	for (i = 0; i < n; i++)
		if (same_ignoring_case(name,
		    pp_str_from(all[i]->table->name)))
			return true;
	for (i = 0; i < v->n; i++)
		if (same_ignoring_case(name, v->spec[i].name))
			return true;
	return false;
}

/* May the table get columns that its declaration does not have? */
static bool
is_open(const struct pp_options *o, const struct pp_table *t)
{
	return (t->flags & PP_TABLE_MORE) != 0 &&
	    (o->by != NULL || o->ntags > 0);
}

static bool
read_one(struct pp_pivots *v, const struct pp_options *o, const char *text)
{
	struct pp_pivot_spec *s = &v->spec[v->n];
	const struct pp_table *t;
	const char *why;
	pp_str bad;

	if (!pp_pivot_parse(s, pp_str_from(text), &why))
		return wrong(text, why, (pp_str){"", 0}, "");
	t = find_table(text, s->table);
	if (t == NULL)
		return false;
	if (!v->any && !is_open(o, t) && !pp_pivot_check(s, t, &bad, &why))
		return wrong(text, "column", bad, why);
	if (s->name.n == 0)
		make_name(v->names[v->n], sizeof(v->names[0]), s);
	if (is_taken(v, s->name))
		return wrong(text, "the name", s->name,
		    "is taken; give another as NAME=");
	s->top = o->top;
	s->totals = o->totals;
	v->n++;
	return true;
}

bool
pp_pivots_read(struct pp_pivots *v, const struct pp_options *o, bool any)
{
	size_t i;

	memset(v, 0, sizeof(*v));
	v->any = any;
	for (i = 0; i < o->npivots; i++)
		if (!read_one(v, o, o->pivots[i]))
			return false;
	return true;
}

bool
pp_pivots_named(const struct pp_pivots *v, pp_str name, size_t *at)
{
	for (*at = 0; *at < v->n; ++*at)
		if (pp_str_eq(v->spec[*at].name, name))
			return true;
	return false;
}

void
pp_pivots_keep(struct pp_pivots *v, size_t at)
{
	v->spec[0] = v->spec[at];
	v->n = 1;
}

void
pp_pivots_hide(struct pp_pivots *v, const char *table)
{
	v->hidden[v->nhidden++] = table;
}

void
pp_pivots_plan(struct pp_pivots *v, struct pp_plan *plan)
{
	const struct pp_report *r;
	size_t i;

	for (i = 0; i < v->n; i++) {
		r = pp_report_named(v->spec[i].table);
		if (pp_plan_add(plan, r))
			pp_pivots_hide(v, r->table->name);
	}
}

/* ------------------------------------------------------------- the sink */

bool
pp_pivots_is_hidden(const struct pp_pivots *v, const char *table)
{
	size_t i;

	for (i = 0; i < v->nhidden; i++)
		if (strcmp(v->hidden[i], table) == 0)
			return true;
	return false;
}

static enum pp_status
emit_all(struct pp_pivots *v)
{
	enum pp_status worst = PP_OK, s;
	struct pp_pivot *p;
	size_t i;

	for (i = 0; i < v->n && worst < PP_FAILED; i++) {
		p = &v->pivot[i];
		if (v->done[i])
			continue;
		v->done[i] = true;
		if (!v->ready[i]) {
			pp_diag_tell(v->diag, PP_MSG_LEFT_OUT, 0, UINT64_MAX,
			    "%.*s: the input fills no table %.*s",
			    (int)v->spec[i].name.n, v->spec[i].name.p,
			    (int)v->spec[i].table.n, v->spec[i].table.p);
			continue;
		}
		s = pp_pivot_emit(p, v->to, v->wide);
		worst = s > worst ? s : worst;
		if (p->folded > 0)
			pp_diag_tell_n(v->diag, PP_MSG_PIVOT_COLUMNS, 0,
			    UINT64_MAX, p->folded, "%.*s: columns beyond %d "
			    "are in `other`; --top N keeps N",
			    (int)p->spec.name.n, p->spec.name.p,
			    PP_PIVOT_COLUMNS);
		pp_pivot_free(p);
	}
	return worst;
}

static bool
is_of(const struct pp_pivots *v, size_t i, const struct pp_table *t)
{
	return pp_str_eq(v->spec[i].table, pp_str_from(t->name));
}

static bool
any_over(const struct pp_pivots *v, const struct pp_table *t)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		if (is_of(v, i, t))
			return true;
	return false;
}

/* Pivots over t begin; false: one of them does not fit. */
static bool
begin_over(struct pp_pivots *v, const struct pp_table *t)
{
	const char *why;
	pp_str bad;
	size_t i;

	for (i = 0; i < v->n; i++) {
		if (!is_of(v, i, t) || v->ready[i])
			continue;
		if (!pp_pivot_check(&v->spec[i], t, &bad, &why)) {
			pp_run_say(v->run, "--pivot: column `%.*s` of %s %s",
			    (int)bad.n, bad.p, t->name, why);
			v->wrong = true;
			return false;
		}
		pp_pivot_init(&v->pivot[i], v->mem, &v->spec[i], t);
		v->ready[i] = true;
	}
	return true;
}

/*
 * `problems` is the last table: what is told of the pivots belongs there,
 * unless one of them turns that table itself.  Pivots stand together.
 */
static enum pp_status
pivots_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct pp_pivots *v = (struct pp_pivots *)(void *)s;
	enum pp_status status = PP_OK;

	if (!begin_over(v, t))
		return PP_FATAL;
	if (strcmp(t->name, pp_report_problems.table->name) == 0 &&
	    !any_over(v, t))
		status = emit_all(v);
	if (status >= PP_FAILED || pp_pivots_is_hidden(v, t->name))
		return status;
	return v->to->begin(v->to, t);
}

static enum pp_status
pivots_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct pp_pivots *v = (struct pp_pivots *)(void *)s;
	size_t i;

	for (i = 0; i < v->n; i++)
		if (v->ready[i] && v->pivot[i].from == b->table)
			v->pivot[i].sink.rows(&v->pivot[i].sink, b);
	return pp_pivots_is_hidden(v, b->table->name) ? PP_OK :
	    v->to->rows(v->to, b);
}

static enum pp_status
pivots_end(struct pp_rowsink *s, const struct pp_table *t)
{
	struct pp_pivots *v = (struct pp_pivots *)(void *)s;

	return pp_pivots_is_hidden(v, t->name) ? PP_OK : v->to->end(v->to, t);
}

struct pp_rowsink *
pp_pivots_open(struct pp_pivots *v, struct pp_run *r, struct pp_rowsink *to,
    bool wide)
{
	if (v->n == 0)
		return to;
	v->sink = (struct pp_rowsink){pivots_begin, pivots_rows, pivots_end};
	v->to = to;
	v->run = r;
	v->mem = &r->mem;
	v->diag = &r->model.diag;
	v->wide = wide;
	return &v->sink;
}

enum pp_status
pp_pivots_emit(struct pp_pivots *v)
{
	return v->n == 0 ? PP_OK : emit_all(v);
}
