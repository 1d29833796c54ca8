/*
 * digests_cells.c: the cells of a row of digests to the figures of the row.
 */
#include "digests.h"

#include <stdio.h>

static pp_str
column_name(const struct dg_work *w, size_t i)
{
	return w->rs->has_names ? w->rs->names[i] :
	    pp_str_from(w->s->columns[i]->name);
}

void
dg_suspect(struct dg_work *w, pp_str name, pp_str value)
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
bad_cell(struct dg_work *w, size_t i)
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
put_time(struct dg_work *w, uint8_t field, pp_i128 v)
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
store_time(struct dg_work *w, size_t i, const struct dg_column *c, pp_i128 v)
{
	if ((c->field == DG_MIN || c->field == DG_MAX || c->field == DG_AVG) &&
	    v > INT64_MAX)
		dg_suspect(w, column_name(w, i), w->r->cells[i].text);
	else
		put_time(w, c->field, v);
}

static void
take_time(struct dg_work *w, size_t i, const struct dg_column *c)
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
		dg_suspect(w, column_name(w, i), text);
		return;
	case DG_BAD:
		bad_cell(w, i);
		return;
	case DG_OK:
		break;
	}
	store_time(w, i, c, v);
}

static void
store_count(struct dg_work *w, const struct dg_column *c, uint64_t v)
{
	unsigned k;

	if (c->field == DG_BUCKET) {
		w->bucket.count = v;
		return;
	}
	k = (unsigned)c->field - DG_COUNT;
	w->x.count[k] = v;
	w->x.has |= 1u << k;
}

static void
take_count(struct dg_work *w, size_t i, const struct dg_column *c)
{
	pp_str text = w->r->cells[i].text;
	pp_i128 v = 0;

	switch (dg_number(text, 0, &v)) {
	case DG_BAD:
		bad_cell(w, i);
		return;
	case DG_OK:
	case DG_ROUGH:
	case DG_NULL:
	case DG_NEGATIVE:
		break;
	}
	if (v < 0 || v > INT64_MAX)
		dg_suspect(w, column_name(w, i), text);
	else
		store_count(w, c, (uint64_t)v);
}

static void
take_at(struct dg_work *w, size_t i, const struct dg_column *c)
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

static bool
is_count(const struct dg_column *c)
{
	return c->field >= DG_COUNT || c->field == DG_BUCKET;
}

static bool
is_time(const struct dg_column *c)
{
	return (c->field >= DG_TOTAL && c->field <= DG_AVG_CPU) ||
	    (c->field >= DG_LOW && c->field < DG_COUNT &&
	    c->field != DG_BUCKET);
}

/* Most cells are a number without sign, point and unit. */
static bool
quick(struct dg_work *w, size_t i, const struct dg_column *c)
{
	pp_str s = w->r->cells[i].text;
	uint64_t v = 0;
	unsigned digit;
	size_t k;

	if (s.n == 0 || s.n > 18)
		return false;
	for (k = 0; k < s.n; k++) {
		digit = (unsigned)(unsigned char)s.p[k] - '0';
		if (digit > 9)
			return false;
		v = v * 10 + digit;
	}
	if (is_count(c))
		store_count(w, c, v);
	else if (is_time(c))
		store_time(w, i, c, (pp_i128)v * pp_pow10[c->exponent]);
	else
		return false;
	w->any = true;
	w->named |= c->group == 1;
	return true;
}

/* Cells that hold text. */
static void
take_text(struct dg_work *w, pp_str text, uint8_t field)
{
	switch (field) {
	case DG_SCHEMA:
		w->schema = dg_trim(text);
		break;
	case DG_SCHEMA_WEAK:
		if (w->schema.n == 0)
			w->schema = text;
		break;
	case DG_NATIVE:
		if (w->native.n == 0)
			w->native = dg_trim(text);
		break;
	case DG_TEXT:
		w->text = dg_trim(text);
		break;
	case DG_SQL:
		w->sql = text;
		break;
	case DG_SAMPLE:
		w->sample = text;
		break;
	default:
		break;
	}
}

void
dg_take_cell(struct dg_work *w, size_t i, const struct dg_column *c)
{
	const struct pp_rs_cell *cell = &w->r->cells[i];
	bool null;

	if (cell->state == PP_CELL_TEXT && quick(w, i, c))
		return;
	if (cell->state == PP_CELL_CUT) {
		w->cut = true;
		return;
	}
	null = dg_null(cell);
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
	if (is_count(c))
		take_count(w, i, c);
	else if (is_time(c))
		take_time(w, i, c);
	else if (c->field >= DG_FIRST && c->field <= DG_UNTIL)
		take_at(w, i, c);
	else
		take_text(w, cell->text, c->field);
}
