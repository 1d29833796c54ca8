/*
 * compare.c: tables `compare_events`, `compare_statements` and
 * `compare_digests`, two captures side by side.
 *
 * A source stands on the side of the argument that named it (on both where
 * both did).  Times of all clocks are picoseconds here.  Shares are of the
 * sum of all differences, each taken as positive, so that what grew and what
 * shrank do not hide each other.
 */
#include "compare.h"

#include "columns.h"
#include "digest_fold.h"
#include "fill.h"

#include <stdlib.h>

#define COMPARED \
	{"before_s", PP_T_SECONDS, "time before"}, \
	{"after_s", PP_T_SECONDS, "time after"}, \
	{"difference_s", PP_T_SECONDS, "after_s less before_s"}, \
	{"ratio", PP_T_DECIMAL, "after_s / before_s"}, \
	{"share_pct", PP_T_DECIMAL, "difference_s in percent of the sum of " \
	    "all differences, signs left out"}, \
	{"before_count", PP_T_INT, "occurrences or executions before"}, \
	{"after_count", PP_T_INT, "occurrences or executions after"}, \
	{"difference_count", PP_T_INT, "after_count less before_count"}, \
	{"state", PP_T_TEXT, "more, less, same, new or gone"}

static const struct pp_column event_columns[] = {
	PP_COL_EVENT,
	PP_COL_CLASS,
	COMPARED,
};

static const struct pp_column statement_columns[] = {
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_DIGEST,
	COMPARED,
	{"text", PP_T_TEXT, "text"},
};

static const struct pp_column digest_columns[] = {
	PP_COL_DIGEST,
	{"digest_text", PP_T_TEXT, "normalised text"},
	COMPARED,
};

static const char order_text[] = "falling difference_s, signs left out, then "
    "falling difference_count";

static const struct pp_table event_table = {
	"compare_events", "an event before and after", order_text,
	PP_COLUMNS(event_columns), 0
};

static const struct pp_table statement_table = {
	"compare_statements",
	"a statement before and after; times are self times", order_text,
	PP_COLUMNS(statement_columns), 0
};

static const struct pp_table digest_table = {
	"compare_digests", "a digest before and after", order_text,
	PP_COLUMNS(digest_columns), 0
};

/* ------------------------------------------------------------ gathering */

static struct pp_compare_row *
row_of(struct pp_compare *x, uint64_t a, uint64_t b)
{
	uint32_t *at = pp_map_at(&x->map, a, b);
	struct pp_compare_row *r;

	if (*at != PP_MAP_NONE)
		return &x->v[*at];
	*at = (uint32_t)x->n;
	if (x->n == x->cap)
		pp_mem_grow(x->c->mem, (void **)&x->v, &x->cap, x->n + 1,
		    sizeof(*x->v));
	r = &x->v[x->n++];
	memset(r, 0, sizeof(*r));
	return r;
}

static void
add(struct pp_compare_row *r, unsigned sides, pp_i128 ps, pp_i128 count,
    bool timed, bool counted, uint8_t digits)
{
	unsigned k;

	for (k = 0; k < 2; k++) {
		if (!(sides & (k == 0 ? PP_SIDE_BEFORE : PP_SIDE_AFTER)))
			continue;
		r->there[k] = true;
		r->timed[k] |= timed;
		r->counted[k] |= counted;
		r->time[k] += ps;
		r->count[k] += count;
	}
	if (digits > r->digits)
		r->digits = digits;
}

/* BEFORE, AFTER or both; without sides everything is both. */
static unsigned
sides_of(const struct pp_report_ctx *c, uint32_t session)
{
	if (c->opt.sides == NULL)
		return PP_SIDE_BEFORE | PP_SIDE_AFTER;
	return c->opt.sides[c->model->sessions[session].source];
}

static void
gather_events(struct pp_compare *x)
{
	const struct pp_accounts *a = x->c->accounts;
	const struct pp_event_cell *e;
	struct pp_compare_row *r;
	uint8_t digits;
	size_t i;

	for (i = 0; i < a->nevents; i++) {
		e = &a->events[i];
		digits = x->c->model->sessions[e->session].digits;
		r = row_of(x, e->name, (uint64_t)e->class);
		r->what = e->name;
		r->class = (uint32_t)e->class;
		r->name = pp_strtab_get(&x->c->model->names, e->name);
		add(r, sides_of(x->c, e->session), pp_dec_rescale(e->time,
		    digits, 12), (pp_i128)e->count, true, e->counted, digits);
	}
}

static void
gather_statements(struct pp_compare *x)
{
	const struct pp_accounts *a = x->c->accounts;
	const struct pp_stmt_cell *s;
	struct pp_compare_row *r;
	uint8_t digits;
	size_t i;

	for (i = 0; i < a->nstmts; i++) {
		s = &a->stmts[i];
		digits = x->c->model->sessions[s->session].digits;
		r = row_of(x, s->stmt, 0);
		r->what = s->stmt;
		r->name = x->c->model->stmts[s->stmt].id;
		add(r, sides_of(x->c, s->session), pp_dec_rescale(
		    s->sums.self, digits, 12), (pp_i128)s->executions, true,
		    s->stmt != PP_STMT_BETWEEN, digits);
	}
}

static void
gather_digests(struct pp_compare *x, unsigned side)
{
	struct pp_report_ctx c = *x->c;
	struct pp_digest_fold f;
	struct pp_compare_row *r;
	struct pp_digest own;
	const struct pp_digest *e;
	uint64_t calls;
	char buf[40];
	size_t i;

	c.opt.side = side;
	pp_digest_fold_init(&f, &c, PP_DG_BY_DIGEST);
	for (i = 0; i < f.ngroups; i++) {
		e = pp_digest_fold_get(&f, i, &own);
		r = row_of(x, e->id[0] ^ e->kind, e->id[1]);
		if (r->name.n == 0)
			r->name = pp_arena_str(&x->text,
			    pp_digest_id_text(f.d, e, buf));
		if (r->text.n == 0)
			r->text = pp_arena_str(&x->text,
			    pp_digest_shown(f.d, e));
		if (!pp_digest_calls(e, &calls))
			calls = 0;
		add(r, side, e->total, (pp_i128)calls,
		    (e->has & PP_DG_HAS_TOTAL) != 0,
		    pp_digest_calls(e, &calls), e->digits);
		pp_digest_fold_drop(&f, &own);
	}
	pp_digest_fold_free(&f);
}

/* -------------------------------------------------------------- ranking */

static pp_i128
positive(pp_i128 v)
{
	return v < 0 ? -v : v;
}

static int
by_difference(const void *a, const void *b)
{
	const struct pp_compare_row *x = a, *y = b;
	pp_i128 p = positive(x->time[1] - x->time[0]);
	pp_i128 q = positive(y->time[1] - y->time[0]);
	int c;

	if (p != q)
		return p > q ? -1 : 1;
	p = positive(x->count[1] - x->count[0]);
	q = positive(y->count[1] - y->count[0]);
	if (p != q)
		return p > q ? -1 : 1;
	c = pp_str_cmp(x->name, y->name);
	if (c == 0)
		c = pp_str_cmp(x->text, y->text);
	return c != 0 ? c : (x->class > y->class) - (x->class < y->class);
}

static bool
same(const struct pp_compare_row *r)
{
	return r->there[0] && r->there[1] && r->time[0] == r->time[1] &&
	    r->count[0] == r->count[1];
}

static void
rank(struct pp_compare *x, enum pp_compare_what what)
{
	size_t i, n = 0;

	x->all = x->n;
	for (i = 0; i < x->n; i++) {
		struct pp_compare_row *r = &x->v[i];

		/* a side that does not have the row has none of its time */
		x->before += r->time[0];
		x->after += r->time[1];
		x->change += positive(r->time[1] - r->time[0]);
		if (same(r) && !x->c->opt.unchanged)
			continue;
		/* a side without calls has nothing between them either */
		if (what == PP_COMPARE_STATEMENTS &&
		    r->what == PP_STMT_BETWEEN && r->time[0] == 0 &&
		    r->time[1] == 0)
			continue;
		x->v[n++] = *r;
	}
	x->n = n;
	if (n != 0)
		qsort(x->v, n, sizeof(*x->v), by_difference);
}

const char *
pp_compare_state(const struct pp_compare_row *r)
{
	pp_i128 d = r->time[1] - r->time[0];

	if (!r->there[0])
		return "new";
	if (!r->there[1])
		return "gone";
	if (d == 0)
		d = r->count[1] - r->count[0];
	return d > 0 ? "more" : d < 0 ? "less" : "same";
}

void
pp_compare_open(struct pp_compare *x, const struct pp_report_ctx *c,
    enum pp_compare_what what)
{
	memset(x, 0, sizeof(*x));
	x->c = c;
	pp_map_init(&x->map, c->mem);
	pp_arena_init(&x->text, c->mem, 4096);
	switch (what) {
	case PP_COMPARE_EVENTS:
		gather_events(x);
		break;
	case PP_COMPARE_STATEMENTS:
		gather_statements(x);
		break;
	case PP_COMPARE_DIGESTS:
		gather_digests(x, PP_SIDE_BEFORE);
		gather_digests(x, PP_SIDE_AFTER);
		break;
	}
	rank(x, what);
}

void
pp_compare_close(struct pp_compare *x)
{
	pp_map_free(&x->map);
	pp_arena_free(&x->text);
	pp_mem_free(x->c->mem, x->v);
}

/* -------------------------------------------------------------- filling */

static void
put_time(struct pp_rows *r, const struct pp_compare_row *w, bool known,
    pp_i128 ps)
{
	if (known)
		pp_put_dec(r, pp_dec_rescale(ps, 12, w->digits), w->digits);
	else
		pp_put_null(r);
}

static void
put_count(struct pp_rows *r, bool known, pp_i128 n)
{
	if (known)
		pp_put_int(r, n);
	else
		pp_put_null(r);
}

static void
fill_compared(struct pp_rows *r, const struct pp_compare *x,
    const struct pp_compare_row *w)
{
	bool timed = w->timed[0] || w->timed[1];
	pp_i128 d = w->time[1] - w->time[0];

	put_time(r, w, w->timed[0], w->time[0]);
	put_time(r, w, w->timed[1], w->time[1]);
	put_time(r, w, timed, d);
	if (w->timed[0] && w->timed[1] && w->time[0] > 0)
		pp_put_dec(r, pp_div_half_up(w->time[1] * 10000, w->time[0]),
		    4);
	else
		pp_put_null(r);
	if (timed && x->change > 0)
		pp_put_dec(r, pp_div_half_up(d * 10000, x->change), 2);
	else
		pp_put_null(r);
	put_count(r, w->counted[0], w->count[0]);
	put_count(r, w->counted[1], w->count[1]);
	put_count(r, w->counted[0] || w->counted[1],
	    w->count[1] - w->count[0]);
	pp_put_str(r, pp_str_from(pp_compare_state(w)));
}

/* Rows that the limit cuts off are told by the number of those that are. */
static size_t
limit(const struct pp_compare *x)
{
	uint32_t top = x->c->opt.top;

	return top != 0 && top < x->n ? top : x->n;
}

static enum pp_status
emit_events(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct pp_compare x;
	struct pp_rows r;
	size_t i;

	pp_compare_open(&x, c, PP_COMPARE_EVENTS);
	pp_rows_open(&r, c->mem, to, &event_table);
	for (i = 0; i < limit(&x); i++) {
		pp_fill_name(&r, c, x.v[i].what);
		pp_put_str(&r, pp_str_from(pp_class_name(
		    (enum pp_class)x.v[i].class)));
		fill_compared(&r, &x, &x.v[i]);
		pp_row_end(&r);
	}
	pp_compare_close(&x);
	return pp_rows_close(&r);
}

static enum pp_status
emit_statements(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	const struct pp_stmt *s;
	struct pp_compare x;
	struct pp_rows r;
	size_t i;

	pp_compare_open(&x, c, PP_COMPARE_STATEMENTS);
	pp_rows_open(&r, c->mem, to, &statement_table);
	for (i = 0; i < limit(&x); i++) {
		s = &c->model->stmts[x.v[i].what];
		pp_fill_stmt(&r, c, x.v[i].what);
		pp_put_str_or_null(&r, s->digest);
		fill_compared(&r, &x, &x.v[i]);
		if (s->has_text)
			pp_put_str(&r, s->text);
		else
			pp_put_null(&r);
		pp_row_end(&r);
	}
	pp_compare_close(&x);
	return pp_rows_close(&r);
}

static enum pp_status
emit_digests(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct pp_compare x;
	struct pp_rows r;
	size_t i;

	pp_compare_open(&x, c, PP_COMPARE_DIGESTS);
	pp_rows_open(&r, c->mem, to, &digest_table);
	for (i = 0; i < limit(&x); i++) {
		if (x.v[i].name.n != 0)
			pp_put_text(&r, x.v[i].name);
		else
			pp_put_null(&r);
		pp_put_text(&r, x.v[i].text);
		fill_compared(&r, &x, &x.v[i]);
		pp_row_end(&r);
	}
	pp_compare_close(&x);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_compare_events = {
	.table = &event_table,
	.inputs = PP_INPUT_COMPARED,
	.emit = emit_events,
};

const struct pp_report pp_report_compare_statements = {
	.table = &statement_table,
	.inputs = PP_INPUT_COMPARED,
	.emit = emit_statements,
};

const struct pp_report pp_report_compare_digests = {
	.table = &digest_table,
	.inputs = PP_INPUT_COMPARED,
	.emit = emit_digests,
};
