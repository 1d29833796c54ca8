/*
 * showprofile_join.c: which query of which session a list entry or a print
 * belongs to.
 *
 * Nothing in a dump says where one session of the server ends: numbers do.
 * In a session a number has one total, one text and one list of states.  What
 * contradicts that begins another segment, unless an earlier one has just
 * these rows: then they were printed again.  DESIGN, "SHOW PROFILE:".  May
 * touch the model's diagnostics.
 */
#include "showprofile.h"

#include <inttypes.h>

/* Prints of more rows are compared as a whole only; servers keep 100. */
#define COMPARED_MOST 4096

/* How a print stands to what is known of a query. */
enum relation {
	OTHER,
	SAME,			/* the same rows */
	PART,			/* a run of the known rows */
	COVERS			/* the known rows are a run of these */
};

/* ------------------------------------------------------------ comparing */

struct rows {
	struct pp_stage *v;
	size_t n;
};

static struct rows
load(struct pp_sp *sp, const struct pp_sp_print *p)
{
	struct rows r = {NULL, 0};
	struct pp_sp_cursor c;

	r.v = pp_mem_alloc(sp->m->mem, ((size_t)p->rows + 1) *
	    sizeof(*r.v));
	pp_sp_open(&c, sp, p);
	while (r.n < p->rows && pp_sp_next(&c, &r.v[r.n]))
		r.n++;
	pp_sp_close(&c);
	return r;
}

static bool
same_row(const struct pp_stage *a, const struct pp_stage *b)
{
	return a->name == b->name && a->duration == b->duration &&
	    ((a->has ^ b->has) & PP_STAGE_DURATION) == 0;
}

/* Where the rows of b stand in those of a; SIZE_MAX: nowhere. */
static size_t
find_run(const struct rows *a, const struct rows *b)
{
	size_t i, k;

	for (i = 0; b->n > 0 && i + b->n <= a->n; i++) {
		for (k = 0; k < b->n; k++)
			if (!same_row(&a->v[i + k], &b->v[k]))
				break;
		if (k == b->n)
			return i;
	}
	return SIZE_MAX;
}

/* Sums by state are those of the rows: the pivot query over the same. */
static bool
same_sums(const struct rows *sums, const struct rows *rows)
{
	uint64_t count = 0;
	size_t i, k;

	for (i = 0; i < sums->n; i++) {
		int64_t t = 0;
		uint64_t n = 0;

		for (k = 0; k < rows->n; k++)
			if (rows->v[k].name == sums->v[i].name) {
				t = pp_i64_add(t, rows->v[k].duration);
				n++;
			}
		if (t != sums->v[i].duration || n != sums->v[i].count)
			return false;
		count += n;
	}
	return count == rows->n;
}

static enum relation
relate(struct pp_sp *sp, const struct pp_sp_print *known,
    const struct pp_sp_print *p, uint32_t *offset)
{
	enum relation r = OTHER;
	struct rows a, b;
	size_t at;

	*offset = 0;
	if (p->hash == known->hash && p->rows == known->rows &&
	    p->sums == known->sums)
		return SAME;
	/* as many other rows, or more or fewer than there can be */
	if (p->sums == known->sums && (p->rows == known->rows ||
	    (p->rows < known->rows ? p->whole : known->whole)))
		return OTHER;
	if (p->rows > COMPARED_MOST || known->rows > COMPARED_MOST)
		return OTHER;
	a = load(sp, known);
	b = load(sp, p);
	if (p->sums != known->sums) {
		if (p->sums && same_sums(&b, &a))
			r = PART;
		else if (known->sums && same_sums(&a, &b))
			r = COVERS;
	} else if (!p->sums && b.n < a.n && !p->whole) {
		at = find_run(&a, &b);
		*offset = (uint32_t)at;
		r = at != SIZE_MAX ? PART : OTHER;
	} else if (!p->sums && b.n > a.n && !known->whole) {
		at = find_run(&b, &a);
		*offset = (uint32_t)at;
		r = at != SIZE_MAX ? COVERS : OTHER;
	}
	pp_mem_free(sp->m->mem, a.v);
	pp_mem_free(sp->m->mem, b.v);
	return r;
}

/* Two texts of one query: one may be cut where the other goes on. */
static bool
same_text(const struct pp_sp *sp, uint32_t a, uint32_t b)
{
	pp_str s, t;

	if (a == b || a == PP_SP_NONE || b == PP_SP_NONE)
		return true;
	s = pp_str_trim(sp->m->stmts[a].text);
	t = pp_str_trim(sp->m->stmts[b].text);
	return pp_str_starts(s, t) || pp_str_starts(t, s);
}

/* ------------------------------------------------------------- the store */

static struct pp_sp_query *
find(struct pp_sp *sp, uint32_t segment, uint64_t id)
{
	uint32_t q = pp_map_get(&sp->by_id, segment, id);

	return q == PP_MAP_NONE ? NULL : &sp->queries[q];
}

static uint32_t
new_segment(struct pp_sp *sp, uint64_t line)
{
	void *v = sp->segments;
	struct pp_sp_segment *s;

	pp_mem_grow(sp->m->mem, &v, &sp->segments_cap, sp->nsegments + 1,
	    sizeof(*s));
	sp->segments = v;
	s = &sp->segments[sp->nsegments];
	memset(s, 0, sizeof(*s));
	s->last_listed = PP_SP_NONE;
	s->first_line = line;
	s->native_id = sp->native_id;
	sp->native_id = 0;
	if (sp->nsegments > 0)
		pp_diag_tell(&sp->m->diag, PP_MSG_NEW_SESSION, line,
		    UINT64_MAX, "session %zu begins: what follows is of other "
		    "queries than those before with the same numbers",
		    sp->nsegments + 1);
	return (uint32_t)sp->nsegments++;
}

static struct pp_sp_query *
add_query(struct pp_sp *sp, uint32_t segment, bool numbered, uint64_t id,
    uint64_t line)
{
	struct pp_sp_segment *s = &sp->segments[segment];
	void *v = sp->queries;
	struct pp_sp_query *q;

	pp_mem_grow(sp->m->mem, &v, &sp->queries_cap, sp->nqueries + 1,
	    sizeof(*q));
	sp->queries = v;
	q = &sp->queries[sp->nqueries];
	memset(q, 0, sizeof(*q));
	q->segment = segment;
	q->numbered = numbered;
	q->id = numbered ? id : s->known_max;
	q->stmt = q->print = PP_SP_NONE;
	q->line = line;
	q->order = (uint32_t)sp->nqueries;
	if (numbered) {
		*pp_map_at(&sp->by_id, segment, id) = (uint32_t)sp->nqueries;
		if (id > s->known_max)
			s->known_max = id;
	}
	sp->nqueries++;
	return q;
}

static void
touch(struct pp_sp *sp, struct pp_sp_query *q, uint64_t line,
    uint64_t last_line)
{
	struct pp_sp_segment *s = &sp->segments[q->segment];

	if (line < s->first_line)
		s->first_line = line;
	if (last_line > s->last_line)
		s->last_line = last_line;
	if (last_line > q->last_line)
		q->last_line = last_line;
}

static uint32_t
keep_print(struct pp_sp *sp, const struct pp_sp_print *p)
{
	void *v = sp->prints;

	pp_mem_grow(sp->m->mem, &v, &sp->prints_cap, sp->nprints + 1,
	    sizeof(*p));
	sp->prints = v;
	sp->prints[sp->nprints] = *p;
	return (uint32_t)sp->nprints++;
}

/* Columns that a print brings and those before it do not. */
static bool
brings(const struct pp_sp *sp, const struct pp_sp_query *q,
    const struct pp_sp_print *p)
{
	uint32_t i, columns = 0;
	bool functions = false;

	for (i = q->print; i != PP_SP_NONE; i = sp->prints[i].next) {
		/* that of a part says nothing of the rest */
		if (sp->prints[i].rows < p->rows)
			continue;
		columns |= sp->prints[i].columns;
		functions |= sp->prints[i].functions;
	}
	return (p->columns & ~columns) != 0 || (p->functions && !functions);
}

/* Give a query a print; they have been compared. */
static void
attach(struct pp_sp *sp, struct pp_sp_query *q, const struct pp_sp_print *p)
{
	uint32_t i, n, offset = 0;
	enum relation r;

	touch(sp, q, p->line, p->last_line);
	if (q->print == PP_SP_NONE) {
		q->print = keep_print(sp, p);
		*pp_map_at(&sp->by_rows, p->hash, p->rows) =
		    (uint32_t)(q - sp->queries);
		return;
	}
	r = relate(sp, &sp->prints[q->print], p, &offset);
	/* rows that come again may be whole only now */
	if (r == SAME && p->whole)
		sp->prints[q->print].whole = true;
	if (r == COVERS) {
		n = keep_print(sp, p);
		for (i = q->print; i != PP_SP_NONE; i = sp->prints[i].next)
			sp->prints[i].offset += offset;
		/* sums give nothing to the rows that they are of */
		sp->prints[n].next = sp->prints[q->print].sums ? PP_SP_NONE :
		    q->print;
		q->print = n;
		*pp_map_at(&sp->by_rows, p->hash, p->rows) =
		    (uint32_t)(q - sp->queries);
	} else if ((r == SAME || r == PART) && !p->sums &&
	    brings(sp, q, p)) {
		n = keep_print(sp, p);
		sp->prints[n].offset = offset;
		sp->prints[n].next = sp->prints[q->print].next;
		sp->prints[q->print].next = n;
	}
}

/* ------------------------------------------------------------- segments */

static bool
contradicts(struct pp_sp *sp, uint32_t segment, const struct pp_sp_item *x)
{
	struct pp_sp_query *q = find(sp, segment, x->id);
	uint32_t offset;

	if (!x->numbered || q == NULL)
		return false;
	if (!x->list)
		return q->print != PP_SP_NONE && relate(sp,
		    &sp->prints[q->print], &x->print, &offset) == OTHER;
	if (q->listed)
		return q->total != x->total || !same_text(sp, q->stmt,
		    x->stmt);
	return q->print != PP_SP_NONE && sp->prints[q->print].sum >
	    pp_i64_add(x->total, pp_sp_tolerance(&sp->prints[q->print]));
}

/* A list never ends before one that the same session has shown earlier. */
static bool
goes_back(struct pp_sp *sp, uint32_t segment)
{
	const struct pp_sp_segment *s = &sp->segments[segment];
	uint64_t most = 0;
	bool list = false, news = false;
	size_t i;

	for (i = 0; i < sp->nitems; i++) {
		if (!sp->items[i].list)
			continue;
		list = true;
		if (sp->items[i].id > most)
			most = sp->items[i].id;
		news |= find(sp, segment, sp->items[i].id) == NULL;
	}
	return list && s->has_list && most < s->list_max && news;
}

static bool
all_fit(struct pp_sp *sp, uint32_t segment)
{
	size_t i;

	for (i = 0; i < sp->nitems; i++)
		if (contradicts(sp, segment, &sp->items[i]))
			return false;
	return !goes_back(sp, segment);
}

/* The query of an earlier segment that has just these rows or this total. */
static uint32_t
seen_before(struct pp_sp *sp, const struct pp_sp_item *x)
{
	uint32_t q;

	if (x->list)
		q = pp_map_get(&sp->by_total, x->id, (uint64_t)x->total);
	else
		q = pp_map_get(&sp->by_rows, x->print.hash, x->print.rows);
	if (q == PP_MAP_NONE || !x->numbered)
		return q;
	/* of a list or of a profile of that number */
	return sp->queries[q].numbered && sp->queries[q].id == x->id ? q :
	    PP_MAP_NONE;
}

/* Earlier segments that are tried for a set. */
#define TRIED_MOST 64

/* The segment that all items of the set go to. */
static uint32_t
choose_segment(struct pp_sp *sp)
{
	uint32_t at = sp->set_segment != PP_SP_NONE ? sp->set_segment : sp->at,
	    q, other, tried = 0;
	bool known = false;
	size_t i;

	if (at != PP_SP_NONE && (!sp->fresh || sp->set_segment ==  at) &&
	    all_fit(sp, at)) {
		for (i = 0; i < sp->nitems && !known; i++)
			known = !sp->items[i].numbered ||
			    find(sp, at, sp->items[i].id) != NULL;
		if (known || sp->nsegments == 1)
			return at;
		/* all new to it: perhaps printed again from an earlier one */
		q = seen_before(sp, &sp->items[0]);
		if (q == PP_MAP_NONE || !all_fit(sp, sp->queries[q].segment))
			return at;
		return sp->queries[q].segment;
	}
	for (i = 0; i < sp->nitems && at != PP_SP_NONE; i++) {
		q = seen_before(sp, &sp->items[i]);
		if (q == PP_MAP_NONE || ++tried > TRIED_MOST)
			continue;
		other = sp->queries[q].segment;
		if (all_fit(sp, other))
			return other;
	}
	return new_segment(sp, sp->items[0].line);
}

/* --------------------------------------------- profiles without a number */

/* Does the total of a listed query fit the rows of a print? */
static bool
total_fits(const struct pp_sp_query *q, const struct pp_sp_print *p)
{
	int64_t rest = pp_i64_sub(q->total, p->sum);

	if (rest < 0)
		rest = -rest;
	return q->listed && rest <= pp_sp_tolerance(p);
}

/* Totals that lie about here are found together: 2^26 x 10^-12 s, 67 us. */
#define ABOUT_BITS 26
#define ABOUT_MOST 10000

static int64_t
about(int64_t total)
{
	return total >> ABOUT_BITS;
}

/* Remember a listed query by its total. */
static void
note_total(struct pp_sp *sp, struct pp_sp_query *q)
{
	uint32_t *at = pp_map_at(&sp->by_about, q->segment,
	    (uint64_t)about(q->total));
	void *v = sp->heads;

	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)sp->nheads;
		pp_mem_grow(sp->m->mem, &v, &sp->heads_cap, sp->nheads + 1,
		    sizeof(*sp->heads));
		sp->heads = v;
		sp->heads[sp->nheads++] = PP_SP_NONE;
	}
	q->next_total = sp->heads[*at];
	sp->heads[*at] = (uint32_t)(q - sp->queries);
}

/* The listed queries that fit a print. */
struct fits {
	uint32_t n, query;	/* all: how many, one of them */
	uint32_t last_n, last;	/* those of the last list */
};

/*
 * Add those of the chain that begins at *at and have no states yet.  Those
 * that have all of them leave the chain.
 */
static void
fits_of(struct pp_sp *sp, uint32_t *at, const struct pp_sp_print *p,
    struct fits *f)
{
	struct pp_sp_query *q;

	while (*at != PP_SP_NONE) {
		q = &sp->queries[*at];
		if (q->print != PP_SP_NONE && sp->prints[q->print].whole) {
			*at = q->next_total;
			continue;
		}
		if (total_fits(q, p)) {
			f->n++;
			f->query = *at;
			if (q->list == sp->segments[q->segment].lists) {
				f->last_n++;
				f->last = *at;
			}
		}
		at = &q->next_total;
	}
}

/*
 * The only listed query of the segment that fits, of the last list where one
 * of that does; PP_SP_NONE.  Sums of very many states, which anything may fit,
 * are not looked for.
 */
static uint32_t
only_fit(struct pp_sp *sp, uint32_t segment, const struct pp_sp_print *p)
{
	int64_t tolerance = pp_sp_tolerance(p),
	    least = about(pp_i64_sub(p->sum, tolerance)),
	    most = about(pp_i64_add(p->sum, tolerance));
	struct fits f = {.n = 0};
	uint32_t at;

	if (!p->whole || !sp->segments[segment].has_list ||
	    most - least > ABOUT_MOST)
		return PP_SP_NONE;
	for (; least <= most; least++) {
		at = pp_map_get(&sp->by_about, segment, (uint64_t)least);
		if (at != PP_MAP_NONE)
			fits_of(sp, &sp->heads[at], p, &f);
	}
	if (f.last_n == 1)
		return f.last;
	return f.n == 1 ? f.query : PP_SP_NONE;
}

/* Queries whose states are compared with sums of states. */
#define SUMMED_MOST 1000

/* The only query whose states have just these sums by name; PP_SP_NONE. */
static uint32_t
summed(struct pp_sp *sp, uint32_t segment, const struct pp_sp_print *p)
{
	uint32_t i, offset, found = PP_SP_NONE;
	const struct pp_sp_print *q;

	if (!p->sums || sp->nqueries > SUMMED_MOST)
		return PP_SP_NONE;
	for (i = 0; i < sp->nqueries; i++) {
		if (sp->queries[i].segment != segment ||
		    sp->queries[i].print == PP_SP_NONE)
			continue;
		q = &sp->prints[sp->queries[i].print];
		if (q->sum != p->sum || q->calls != p->calls ||
		    relate(sp, q, p, &offset) == OTHER)
			continue;
		if (found != PP_SP_NONE)
			return PP_SP_NONE;
		found = i;
	}
	return found;
}

/* Is it a query that a print may still be of? */
static bool
may_take(struct pp_sp *sp, uint32_t query, const struct pp_sp_print *p)
{
	uint32_t print, offset;

	if (query == PP_SP_NONE)
		return false;
	print = sp->queries[query].print;
	return print == PP_SP_NONE ||
	    relate(sp, &sp->prints[print], p, &offset) != OTHER;
}

static void
tell_number(struct pp_sp *sp, const struct pp_sp_print *p,
    const struct pp_sp_query *q, const char *why)
{
	if (q->numbered)
		pp_diag_tell(&sp->m->diag, PP_MSG_NO_NUMBER, p->line,
		    UINT64_MAX, "a profile without a query number: taken for "
		    "query %" PRIu64 ", %s", q->id, why);
	else
		pp_diag_tell(&sp->m->diag, PP_MSG_NO_NUMBER, p->line,
		    UINT64_MAX, "a profile without a query number, %s", why);
}

/* A print without a number. */
static void
join_print(struct pp_sp *sp, const struct pp_sp_item *x)
{
	const struct pp_sp_print *p = &x->print;
	uint32_t q = seen_before(sp, x), last;

	if (q != PP_MAP_NONE) {
		sp->at = sp->queries[q].segment;
		attach(sp, &sp->queries[q], p);
		return;
	}
	if (sp->at == PP_SP_NONE || sp->fresh)
		sp->at = new_segment(sp, x->line);
	last = sp->segments[sp->at].last_listed;
	q = summed(sp, sp->at, p);
	if (q != PP_SP_NONE) {
		attach(sp, &sp->queries[q], p);
		return;
	}
	q = only_fit(sp, sp->at, p);
	if (q != PP_SP_NONE && may_take(sp, q, p)) {
		tell_number(sp, p, &sp->queries[q], "whose total fits");
		attach(sp, &sp->queries[q], p);
	} else if (may_take(sp, last, p)) {
		tell_number(sp, p, &sp->queries[last], "the last of the "
		    "list");
		attach(sp, &sp->queries[last], p);
	} else {
		struct pp_sp_query *n = add_query(sp, sp->at, false, 0,
		    p->line);

		if (last != PP_SP_NONE)
			tell_number(sp, p, n, "and not of the last query "
			    "listed");
		attach(sp, n, p);
	}
}

void
pp_sp_settle(struct pp_sp *sp)
{
	size_t i, n = sp->nqueries;

	for (i = 0; i < n; i++) {
		struct pp_sp_query *x = &sp->queries[i];
		const struct pp_sp_print *p;
		uint32_t q, last;

		if (x->numbered || x->print == PP_SP_NONE)
			continue;
		p = &sp->prints[x->print];
		last = sp->segments[x->segment].last_listed;
		q = only_fit(sp, x->segment, p);
		if (q != PP_SP_NONE && sp->queries[q].print == PP_SP_NONE)
			tell_number(sp, p, &sp->queries[q], "whose total "
			    "fits");
		else if (last != PP_SP_NONE && sp->queries[last].print ==
		    PP_SP_NONE && sp->queries[last].order > x->order) {
			q = last;
			tell_number(sp, p, &sp->queries[q], "the last of the "
			    "list");
		} else {
			if (last == PP_SP_NONE)
				tell_number(sp, p, x, "and no list of queries "
				    "to take it from");
			continue;
		}
		sp->queries[q].print = x->print;
		x->print = PP_SP_NONE;	/* nothing is left of it */
	}
}

/* ----------------------------------------------------------------- items */

static void
join_list(struct pp_sp *sp, const struct pp_sp_item *x)
{
	struct pp_sp_segment *s = &sp->segments[sp->at];
	struct pp_sp_query *q = find(sp, sp->at, x->id);

	if (q == NULL)
		q = add_query(sp, sp->at, true, x->id, x->line);
	if (q->stmt == PP_SP_NONE)
		q->stmt = x->stmt;
	if (!q->listed) {
		q->listed = true;
		q->total = x->total;
		q->total_digits = x->total_digits;
		q->line = x->line;
		*pp_map_at(&sp->by_total, x->id, (uint64_t)x->total) =
		    (uint32_t)(q - sp->queries);
		note_total(sp, q);
	}
	touch(sp, q, x->line, x->line);
	q->list = s->lists;
	s->last_listed = (uint32_t)(q - sp->queries);
	s->has_list = true;
	if (x->id > s->list_max)
		s->list_max = x->id;
}

void
pp_sp_join(struct pp_sp *sp)
{
	const struct pp_sp_item *x;
	struct pp_sp_query *q;
	size_t i;

	if (sp->nitems == 0)
		return;
	if (!sp->items[0].numbered) {
		join_print(sp, &sp->items[0]);
		sp->fresh = false;
		return;
	}
	sp->at = sp->set_segment = choose_segment(sp);
	sp->fresh = false;
	sp->segments[sp->at].lists += sp->items[0].list;
	for (i = 0; i < sp->nitems; i++) {
		x = &sp->items[i];
		if (x->list) {
			join_list(sp, x);
			continue;
		}
		q = find(sp, sp->at, x->id);
		if (q == NULL)
			q = add_query(sp, sp->at, true, x->id, x->line);
		attach(sp, q, &x->print);
	}
}
