/*
 * digests.c: rows that servers have summed by digest, and lists of
 * statements, to the store of digests.
 *
 * digests_columns.c knows the exports by their columns.  A row is named by
 * its texts, checked for counters that ran under zero, and added to what its
 * source has of the same digest and schema.  The row whose digest and text
 * are NULL holds what came after the server's table was full: it is kept
 * under a label of its own.
 */
#include "digests.h"

#include "client/rowreader.h"

#include <inttypes.h>
#include <stdio.h>

/* max_digest_length is 1024 bytes of tokens; their text is about as long. */
#define CUT_FROM 1000

struct state {
	struct pp_model *m;
	struct pp_digests *d;
	uint32_t source;
	/* the open set */
	const struct dg_spec *spec;
	const struct dg_column **columns;
	size_t columns_cap;
	uint32_t set;		/* its number over the run, from 1 */
	bool has_native, has_text, has_time;
	/* of the source */
	uint64_t calls, other_calls, untimed;
	bool told_set, told_rough;
	struct pp_map prepared;	/* hash of a name -> statement in strings */
};

/* The row at hand. */
struct work {
	struct state *s;
	const struct pp_rowset *rs;
	const struct pp_rs_row *r;
	struct pp_digest x;
	pp_str schema, native, text, sql, event;
	pp_i128 avg, avg_cpu;
	bool has_avg, has_avg_cpu, cut, bad, any, named;
	bool null_native, null_text;
	struct pp_digest_bucket bucket;
	struct pp_digest_at from, until;
	char flags[256];
	size_t nflags;
};

static int
match(const struct pp_rowset *rs)
{
	int bits;

	return dg_spec_of(rs, &bits) == NULL ? 0 : bits;
}

static void *
open_state(struct pp_model *m, uint32_t group)
{
	struct state *s = pp_mem_zalloc(m->mem, sizeof(*s));

	(void)group;
	s->m = m;
	pp_map_init(&s->prepared, m->mem);
	return s;
}

static void
begin_source(void *ctx, uint32_t source)
{
	struct state *s = ctx;

	s->source = source;
	s->calls = s->other_calls = s->untimed = 0;
	s->told_set = s->told_rough = false;
	pp_map_clear(&s->prepared);
}

static void
begin(void *ctx, const struct pp_rowset *rs)
{
	struct state *s = ctx;
	struct pp_digest_source *src;
	int bits;
	size_t i;

	s->d = pp_digests(s->m);
	s->spec = dg_spec_of(rs, &bits);
	if (s->columns_cap < rs->ncols)
		pp_mem_grow(s->m->mem, (void **)&s->columns, &s->columns_cap,
		    rs->ncols, sizeof(*s->columns));
	s->has_native = s->has_text = s->has_time = false;
	for (i = 0; i < rs->ncols; i++) {
		s->columns[i] = dg_column_of(s->spec, rs, i);
		if (s->columns[i] == NULL)
			continue;
		s->has_native |= s->columns[i]->field == DG_NATIVE;
		s->has_text |= s->columns[i]->field == DG_TEXT;
		s->has_time |= s->columns[i]->field == DG_TOTAL;
	}
	s->set = ++s->d->sets;
	src = pp_digests_source(s->d, s->source);
	if (s->spec->digits > src->digits)
		src->digits = s->spec->digits;
	s->m->inputs |= PP_INPUT_DIGESTS;
	s->m->sources[s->source].digits = src->digits;
	s->m->sources[s->source].tick_units = 1;
	if (s->spec->product != NULL &&
	    s->m->sources[s->source].product.n == 0)
		s->m->sources[s->source].product =
		    pp_str_from(s->spec->product);
}

/* --------------------------------------------------------------- cells */

static pp_str
column_name(const struct work *w, size_t i)
{
	return w->rs->has_names ? w->rs->names[i] :
	    pp_str_from(w->s->columns[i]->name);
}

/* A value that cannot be is left out, and told. */
static void
suspect(struct work *w, pp_str name, pp_str value)
{
	size_t room = sizeof(w->flags) - w->nflags;
	int n;

	pp_diag_tell(&w->s->m->diag, PP_MSG_SUSPECT, w->r->line, w->r->offset,
	    "%.*s %.*s: left out", (int)name.n, name.p,
	    (int)(value.n < 40 ? value.n : 40), value.p);
	n = snprintf(w->flags + w->nflags, room, "%s%.*s=%.*s",
	    w->nflags != 0 ? "; " : "", (int)(name.n < 40 ? name.n : 40),
	    name.p, (int)(value.n < 40 ? value.n : 40), value.p);
	if (n > 0 && (size_t)n < room)
		w->nflags += (size_t)n;
}

static void
bad_cell(struct work *w, size_t i)
{
	pp_str name = column_name(w, i), v = w->r->cells[i].text;
	char buf[4 * 40 + 4];

	pp_diag_tell(&w->s->m->diag, PP_MSG_BAD_RECORD, w->r->line,
	    w->r->offset, "%.*s is no number: %s", (int)name.n, name.p,
	    pp_diag_excerpt(buf, v, 40));
	w->bad = true;
}

/* Where the value of a time goes, and its bit; NULL: not to the row. */
static void
put_time(struct work *w, uint8_t field, pp_i128 v)
{
	struct pp_digest *x = &w->x;
	uint64_t u = v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;

	switch (field) {
	case DG_TOTAL:
		x->total = v;
		x->has |= PP_DG_HAS_TOTAL;
		break;
	case DG_LOCK:
		x->lock = v;
		x->has |= PP_DG_HAS_LOCK;
		break;
	case DG_CPU:
		x->cpu = v;
		x->has |= PP_DG_HAS_CPU;
		break;
	case DG_MIN:
		x->min = u;
		x->has |= PP_DG_HAS_MIN;
		break;
	case DG_MAX:
		x->max = u;
		x->has |= PP_DG_HAS_MAX;
		break;
	case DG_AVG:
		w->avg = v;
		w->has_avg = true;
		break;
	case DG_AVG_CPU:
		w->avg_cpu = v;
		w->has_avg_cpu = true;
		break;
	case DG_LOW:
		w->bucket.from = u;
		break;
	case DG_HIGH:
		w->bucket.to = u;
		break;
	default:
		x->quantile[field - DG_QUANTILE] = u;
		x->has |= PP_DG_HAS_QUANTILE(field - DG_QUANTILE);
		break;
	}
}

/*
 * Extremes and averages of a statement beyond 2^63 ps, 106 days, ran under
 * zero; sums may be that large and are looked at when the row is complete.
 */
static void
take_time(struct work *w, size_t i, const struct dg_column *c)
{
	pp_str text = w->r->cells[i].text;
	pp_i128 v;

	switch (dg_time(text, c->exponent, &v)) {
	case DG_ROUGH:
		w->x.has |= PP_DG_APPROXIMATE;
		break;
	case DG_NULL:
		return;
	case DG_NEGATIVE:
		suspect(w, column_name(w, i), text);
		return;
	case DG_BAD:
		bad_cell(w, i);
		return;
	case DG_OK:
		break;
	}
	if ((c->field == DG_MIN || c->field == DG_MAX || c->field == DG_AVG) &&
	    v > INT64_MAX)
		suspect(w, column_name(w, i), text);
	else
		put_time(w, c->field, v);
}

static void
take_count(struct work *w, size_t i, const struct dg_column *c)
{
	pp_str text = w->r->cells[i].text;
	enum dg_parsed r = dg_number(text, 0, &w->avg_cpu);
	pp_i128 v = w->avg_cpu;
	unsigned k;

	if (r == DG_BAD) {
		bad_cell(w, i);
		return;
	}
	if (r == DG_NEGATIVE || v > INT64_MAX) {
		suspect(w, column_name(w, i), text);
		return;
	}
	if (c->field == DG_BUCKET) {
		w->bucket.count = (uint64_t)v;
		return;
	}
	k = (unsigned)c->field - DG_COUNT;
	w->x.count[k] = (uint64_t)v;
	w->x.has |= 1u << k;
}

static void
take_at(struct work *w, size_t i, const struct dg_column *c)
{
	struct pp_digest_at at;

	switch (dg_at(w->r->cells[i].text, &at)) {
	case DG_NULL:
		return;
	case DG_BAD:
	case DG_ROUGH:
	case DG_NEGATIVE:
		bad_cell(w, i);
		return;
	case DG_OK:
		break;
	}
	switch (c->field) {
	case DG_FIRST:
		w->x.first = at;
		break;
	case DG_LAST:
		w->x.last = at;
		break;
	case DG_FROM:
		w->from = at;
		break;
	default:
		w->until = at;
		break;
	}
}

static void
take_cell(struct work *w, size_t i, const struct dg_column *c)
{
	const struct pp_rs_cell *cell = &w->r->cells[i];
	bool null = dg_null(cell);

	if (cell->state == PP_CELL_CUT) {
		w->cut = true;
		return;
	}
	if (c->field == DG_NATIVE)
		w->null_native = null || cell->text.n == 0;
	if (c->field == DG_TEXT)
		w->null_text = null;
	/* a NULL names the row of the rest */
	w->named |= c->group == 1 && cell->state != PP_CELL_ABSENT;
	if (null)
		return;
	w->any = true;
	w->named |= c->group == 1;
	switch (c->field) {
	case DG_NOTHING:
		break;
	case DG_SCHEMA:
		w->schema = dg_trim(cell->text);
		break;
	case DG_SCHEMA_WEAK:
		if (w->schema.n == 0)
			w->schema = cell->text;
		break;
	case DG_NATIVE:
		if (w->native.n == 0)
			w->native = dg_trim(cell->text);
		break;
	case DG_TEXT:
		w->text = dg_trim(cell->text);
		break;
	case DG_SQL:
		w->sql = cell->text;
		break;
	case DG_SAMPLE:
		w->x.sample = pp_digest_sample(w->s->d, cell->text);
		break;
	case DG_EVENT:
		w->event = cell->text;
		break;
	case DG_FIRST:
	case DG_LAST:
	case DG_FROM:
	case DG_UNTIL:
		take_at(w, i, c);
		break;
	default:
		if (c->field >= DG_COUNT || c->field == DG_BUCKET) {
			/* sys: an asterisk for a scan of the whole table */
			take_count(w, i, c);
		} else if (c->field != DG_NOTHING)
			take_time(w, i, c);
		break;
	}
}

/* -------------------------------------------------------------- checks */

/*
 * A sum above 2^63 is one that ran under zero unless the other figures of
 * the row allow it: calls x the longest.
 */
static bool
too_large(const struct work *w, pp_i128 v)
{
	const struct pp_digest *x = &w->x;

	if (v <= INT64_MAX)
		return false;
	if ((x->has & PP_DG_HAS_MAX) && (x->has & (1u << PP_DG_CALLS)))
		return v > (pp_i128)x->max * (pp_i128)x->count[PP_DG_CALLS];
	return v > (pp_i128)UINT64_MAX - 1000000000000000000;
}

static void
suspect_sum(struct work *w, const char *name, pp_i128 v)
{
	char buf[PP_DEC_MAX];
	size_t n = pp_dec_format(buf, v, 0);

	suspect(w, pp_str_from(name), (pp_str){buf, n});
}

static void
check_sums(struct work *w)
{
	struct pp_digest *x = &w->x;

	if ((x->has & PP_DG_HAS_TOTAL) && too_large(w, x->total)) {
		suspect_sum(w, "total", x->total);
		x->total = 0;
		x->has &= ~PP_DG_HAS_TOTAL;
	}
	if ((x->has & PP_DG_HAS_LOCK) && x->lock > INT64_MAX &&
	    x->lock > x->total) {
		suspect_sum(w, "lock time", x->lock);
		x->lock = 0;
		x->has &= ~PP_DG_HAS_LOCK;
	}
	if ((x->has & PP_DG_HAS_CPU) && x->cpu > INT64_MAX &&
	    x->cpu > x->total) {
		suspect_sum(w, "CPU time", x->cpu);
		x->cpu = 0;
		x->has &= ~PP_DG_HAS_CPU;
	}
}

/* Sums that an export leaves to be made of averages. */
static void
complete(struct work *w)
{
	struct pp_digest *x = &w->x;
	pp_i128 calls;

	if (w->s->spec->flags & DG_LIST) {
		x->count[PP_DG_CALLS] = 1;
		x->has |= 1u << PP_DG_CALLS | PP_DG_LISTED;
		if (x->has & PP_DG_HAS_TOTAL) {
			x->min = x->max = x->total > UINT64_MAX ? UINT64_MAX :
			    (uint64_t)x->total;
			x->has |= PP_DG_HAS_MIN | PP_DG_HAS_MAX;
		}
	}
	calls = (pp_i128)x->count[PP_DG_CALLS];
	if (w->has_avg && !(x->has & PP_DG_HAS_TOTAL) &&
	    (x->has & (1u << PP_DG_CALLS))) {
		x->total = w->avg * calls;
		x->has |= PP_DG_HAS_TOTAL | PP_DG_APPROXIMATE;
	}
	if (w->has_avg_cpu && !(x->has & PP_DG_HAS_CPU)) {
		x->cpu = w->avg_cpu * calls;
		x->has |= PP_DG_HAS_CPU;
	}
	/* what never ran has no shortest: the server prints 0 */
	if ((x->has & (1u << PP_DG_CALLS)) && calls == 0) {
		x->has &= ~(PP_DG_HAS_MIN | PP_DG_HAS_MAX);
		x->min = x->max = 0;
	}
	if (x->has & PP_DG_HAS_TOTAL)
		x->timed = x->count[PP_DG_CALLS];
	else
		x->untimed = 1;
}

/* -------------------------------------------------------------- naming */

/* sys.format_statement leaves the middle of a text out. */
static bool
shortened(const struct work *w)
{
	return (w->s->spec->flags & DG_SHORT) && w->text.n <= 80 &&
	    pp_str_find(w->text, PP_STR(" ... ")) < w->text.n;
}

static void
name_row(struct work *w)
{
	struct state *s = w->s;
	struct pp_digest *x = &w->x;
	enum pp_digest_family f = (enum pp_digest_family)s->spec->family;
	bool null_text = !s->has_text || w->null_text || w->text.n == 0;

	x->schema = pp_strtab_id(&s->d->strings, w->schema);
	x->native = pp_strtab_id(&s->d->strings, w->native);
	/* in MariaDB the view prints the text of the row before it there */
	if ((s->spec->flags & DG_SHORT) && s->has_native && x->native == 0)
		null_text = true;
	if ((s->spec->flags & DG_CATCH_ALL) && x->native == 0 && null_text) {
		x->kind = PP_DG_OTHER;
		return;
	}
	if (f == PP_DG_POSTGRESQL &&
	    pp_str_eq(w->text, PP_STR("<insufficient privilege>")))
		pp_digest_name(s->d, x, f, w->text, true);
	else if (w->text.n == 0 && w->sql.n != 0) {
		pp_digest_name_sql(s->d, x, f, dg_prepared(s->d, &s->prepared,
		    w->sql));
		if (w->sql.n > 3 && pp_str_ends(w->sql, PP_STR("...")))
			x->has |= PP_DG_CUT;
	} else
		pp_digest_name(s->d, x, f, w->text, shortened(w));
	if (w->text.n != 0 && w->sql.n != 0 && x->sample == 0)
		x->sample = pp_digest_sample(s->d, w->sql);
	if (f == PP_DG_MYSQL && w->text.n >= CUT_FROM)
		x->has |= PP_DG_CUT;
}

/* ---------------------------------------------------------------- rows */

static void
tell_merged(struct work *w, uint32_t was)
{
	struct state *s = w->s;

	if (was == 0 || (s->spec->flags & (DG_LIST | DG_HISTOGRAM)))
		return;
	if (was == s->set)
		pp_diag_tell(&s->m->diag, PP_MSG_SAME_DIGEST, w->r->line,
		    w->r->offset, "a second row of %.*s in schema %.*s: added "
		    "up", (int)(w->native.n ? w->native.n : w->text.n < 60 ?
		    w->text.n : 60), w->native.n ? w->native.p : w->text.p,
		    (int)w->schema.n, w->schema.p);
	else if (!s->told_set) {
		s->told_set = true;
		pp_diag_tell(&s->m->diag, PP_MSG_SAME_DIGEST, w->rs->line,
		    w->rs->offset, "a second table with rows of the same "
		    "digests: added up");
	}
}

static void
note_source(struct work *w)
{
	struct pp_digest_source *src = pp_digests_source(w->s->d,
	    w->s->source);
	const struct pp_digest *x = &w->x;

	if (x->last.known && (!src->newest.known ||
	    pp_digest_before(&src->newest, &x->last)))
		src->newest = x->last;
	if (w->from.known && (!src->from.known ||
	    pp_digest_before(&w->from, &src->from)))
		src->from = w->from;
	if (w->until.known && (!src->until.known ||
	    pp_digest_before(&src->until, &w->until)))
		src->until = w->until;
}

static enum pp_status
add_bucket(struct work *w)
{
	struct state *s = w->s;
	struct pp_digest_source *src = pp_digests_source(s->d, s->source);
	struct pp_digest *x = &w->x;
	uint32_t at, was;

	if (!s->has_native && !s->has_text) {
		if (src->all == NULL)
			src->all = pp_mem_zalloc(s->m->mem, sizeof(*x));
		pp_digest_bucket(s->d, src->all, &w->bucket);
		return PP_OK;
	}
	if (w->null_native && (!s->has_text || w->null_text))
		x->kind = PP_DG_OTHER;
	pp_digest_name(s->d, x, PP_DG_MYSQL, w->text, false);
	at = pp_digests_add(s->d, x, &was);
	pp_digest_bucket(s->d, pp_digest_at(s->d, at), &w->bucket);
	return PP_OK;
}

static enum pp_status
add_row(struct work *w)
{
	struct state *s = w->s;
	struct pp_digest *x = &w->x, *e;
	uint32_t at, was;

	x->rows = 1;
	complete(w);
	check_sums(w);
	if (!(x->has & PP_DG_HAS_TOTAL)) {
		x->timed = 0;
		x->untimed = 1;
	}
	if (w->nflags != 0)
		x->flags = pp_strtab_id(&s->d->strings,
		    (pp_str){w->flags, w->nflags});
	name_row(w);
	note_source(w);
	at = pp_digests_add(s->d, x, &was);
	e = pp_digest_at(s->d, at);
	if (s->spec->flags & DG_LIST) {
		if (x->has & PP_DG_HAS_TOTAL)
			pp_digest_single(s->d, e, x->max);
		if (w->sql.n != 0)
			pp_digest_count_text(s->d, e, at,
			    pp_str_hash(w->sql));
	}
	tell_merged(w, was);
	s->calls += x->count[PP_DG_CALLS];
	if (x->kind == PP_DG_OTHER)
		s->other_calls += x->count[PP_DG_CALLS];
	/* an export without times lacks no row's */
	if (s->has_time)
		s->untimed += x->untimed;
	if ((x->has & PP_DG_APPROXIMATE) && !s->told_rough) {
		s->told_rough = true;
		pp_diag_tell(&s->m->diag, PP_MSG_APPROXIMATE, w->rs->line,
		    w->rs->offset, "times are made of rounded figures: up to "
		    "0.5 %% off");
	}
	if (x->has & PP_DG_CUT)
		pp_diag_tell(&s->m->diag, PP_MSG_DIGEST_CUT, w->r->line,
		    w->r->offset, "a text of %zu bytes: statements that differ "
		    "behind its end share it", w->text.n ? w->text.n :
		    w->sql.n);
	return PP_OK;
}

static enum pp_status
row(void *ctx, const struct pp_rowset *rs, const struct pp_rs_row *r)
{
	struct state *s = ctx;
	struct work w;
	size_t i;

	memset(&w, 0, sizeof(w));
	w.s = s;
	w.rs = rs;
	w.r = r;
	w.x.source = s->source;
	w.x.set = s->set;
	w.x.digits = s->spec->digits;
	for (i = 0; i < rs->ncols && i < r->n; i++)
		if (s->columns[i] != NULL)
			take_cell(&w, i, s->columns[i]);
	if (w.bad)
		return PP_WARN;
	if (w.cut || (r->partial && !w.any)) {
		pp_diag_tell(&s->m->diag, PP_MSG_CUT_RECORD, r->line,
		    r->offset, "a row that ends before it is complete");
		if (w.native.n == 0 && w.text.n == 0 && w.sql.n == 0)
			return PP_WARN;
	}
	/* objects of JSON beside the rows */
	if (!w.named && rs->form == PP_FORM_JSON)
		return PP_OK;
	if (s->spec->flags & DG_HISTOGRAM) {
		w.x.schema = pp_strtab_id(&s->d->strings, w.schema);
		w.x.native = pp_strtab_id(&s->d->strings, w.native);
		return add_bucket(&w);
	}
	return add_row(&w);
}

static void
end(void *ctx, const struct pp_rowset *rs)
{
	(void)ctx;
	(void)rs;
}

static void
end_source(void *ctx, uint32_t source)
{
	struct state *s = ctx;
	struct pp_diag *d = &s->m->diag;
	unsigned tenths;

	(void)source;
	if (s->other_calls != 0) {
		tenths = (unsigned)(((pp_u128)s->other_calls * 2000 +
		    s->calls) / ((pp_u128)s->calls * 2));
		pp_diag_tell(d, PP_MSG_DIGEST_TABLE_FULL, 0, UINT64_MAX,
		    "digest table full, %u.%u %% of executions not "
		    "attributed: they are in the row " PP_DG_OTHER_LABEL,
		    tenths / 10, tenths % 10);
	}
	if (s->untimed != 0 && s->d != NULL)
		pp_diag_tell_n(d, PP_MSG_ROW_WITHOUT_TIME, 0, UINT64_MAX,
		    s->untimed, "%" PRIu64 " row%s without time", s->untimed,
		    s->untimed == 1 ? "" : "s");
	if (s->d != NULL && s->d->samples_dropped) {
		pp_diag_tell(d, PP_MSG_SAMPLES_DROPPED, 0, UINT64_MAX,
		    "memory is short: example statements are left out");
		s->d->samples_dropped = false;
	}
}

static void
close_state(void *ctx)
{
	struct state *s = ctx;
	struct pp_mem *mem = s->m->mem;

	pp_map_free(&s->prepared);
	pp_mem_free(mem, s->columns);
	pp_mem_free(mem, s);
}

const struct pp_rowreader pp_rowreader_digests = {
	.name = "digests",
	.summary = "statement digests and lists of statements",
	.match = match,
	.open = open_state,
	.source = begin_source,
	.source_end = end_source,
	.begin = begin,
	.end = end,
	.row = row,
	.close = close_state,
};
