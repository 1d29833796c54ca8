/*
 * digest_pivot.c: table `digest_pivot`, a digest with its time and calls in
 * every source a row.
 */
#include "columns.h"
#include "digest_fold.h"

#include <stdlib.h>

static const struct pp_column columns[] = {
	PP_COL_DIGEST,
	{"digest_text", PP_T_TEXT, "normalised text"},
	{"schemas", PP_T_TEXT, "schemas that it ran in, comma list"},
};

static const struct pp_table table = {
	"digest_pivot",
	"a digest over sources; then one column a source (total_s) and one "
	"(calls)",
	"falling total_s over all sources, digest",
	PP_COLUMNS(columns), PP_TABLE_WIDE
};

/* What a source has of the digest at hand. */
struct cell {
	pp_i128 total;
	pp_i128 calls;
	bool has_total, has_calls;
};

struct side_by_side {
	const struct pp_report_ctx *c;
	struct pp_digest_fold f;
	uint32_t *place;	/* of a source among the columns; UINT32_MAX */
	uint32_t *source;	/* of a column */
	size_t n;		/* columns of each kind */
	uint8_t *digits;	/* by column */
	struct cell *cells;	/* by column */
	pp_str *schemas;	/* of the row at hand */
	size_t nschemas, schemas_cap;
	char *list;
	size_t list_cap;
};

/* ---------------------------------------------------------------- columns */

static void
find_columns(struct side_by_side *x)
{
	struct pp_mem *mem = x->c->mem;
	size_t n = x->c->model->nsources, i;
	bool merged = !(pp_digest_keys(x->c) & PP_DG_BY_SOURCE);

	x->place = pp_mem_alloc(mem, (n + 1) * sizeof(*x->place));
	x->source = pp_mem_alloc(mem, (n + 1) * sizeof(*x->source));
	x->digits = pp_mem_zalloc(mem, n + 1);
	for (i = 0; i < n; i++)
		x->place[i] = UINT32_MAX;
	for (i = 0; i < x->f.n; i++)
		x->place[x->f.v[i]->source] = 0;
	for (i = 0; i < n; i++) {
		if (x->place[i] == UINT32_MAX)
			continue;
		x->source[x->n] = (uint32_t)i;
		x->place[i] = merged ? 0 : (uint32_t)x->n;
		x->n += !merged || x->n == 0;
	}
	for (i = 0; i < x->f.n; i++) {
		const struct pp_digest *e = x->f.v[i];
		uint8_t *digits = &x->digits[x->place[e->source]];

		if (e->digits > *digits)
			*digits = e->digits;
	}
	x->cells = pp_mem_alloc(mem, (x->n + 1) * sizeof(*x->cells));
}

static const char *
column_name(struct side_by_side *x, size_t i, const char *what)
{
	pp_str s = pp_digest_keys(x->c) & PP_DG_BY_SOURCE ?
	    x->c->model->sources[x->source[i]].name : PP_STR("(all)");
	size_t room = s.n + strlen(what) + 2;
	char *name = pp_mem_alloc(x->c->mem, room);

	snprintf(name, room, "%.*s %s", (int)s.n, s.p, what);
	return name;
}

static const struct pp_table *
declare(struct side_by_side *x)
{
	size_t fixed = table.ncolumns, n = fixed + 2 * x->n, i;
	struct pp_column *v = pp_mem_alloc(x->c->mem, n * sizeof(*v));
	struct pp_table *t = pp_mem_alloc(x->c->mem, sizeof(*t));

	memcpy(v, columns, sizeof(columns));
	for (i = 0; i < x->n; i++) {
		v[fixed + i] = (struct pp_column){column_name(x, i,
		    "total_s"), PP_T_SECONDS, "elapsed time in the source"};
		v[fixed + x->n + i] = (struct pp_column){column_name(x, i,
		    "calls"), PP_T_INT, "executions in the source"};
	}
	*t = table;
	t->columns = v;
	t->ncolumns = n;
	return t;
}

/* ------------------------------------------------------------------- rows */

static int
by_text(const void *a, const void *b)
{
	const pp_str *x = a, *y = b;

	return pp_str_cmp(*x, *y);
}

/* The schemas of the row, each once, as a list. */
static pp_str
schema_list(struct side_by_side *x)
{
	size_t i, n = 0, need = 0;

	if (x->nschemas != 0)
		qsort(x->schemas, x->nschemas, sizeof(*x->schemas), by_text);
	for (i = 0; i < x->nschemas; i++)
		need += x->schemas[i].n + 1;
	if (need > x->list_cap)
		pp_mem_grow(x->c->mem, (void **)&x->list, &x->list_cap, need,
		    1);
	for (i = 0; i < x->nschemas; i++) {
		if (i > 0 && pp_str_eq(x->schemas[i], x->schemas[i - 1]))
			continue;
		if (n != 0)
			x->list[n++] = ',';
		memcpy(x->list + n, x->schemas[i].p, x->schemas[i].n);
		n += x->schemas[i].n;
	}
	return (pp_str){x->list, n};
}

static void
add_entry(struct side_by_side *x, const struct pp_digest *e)
{
	struct cell *cell = &x->cells[x->place[e->source]];
	uint64_t calls;

	if (e->has & PP_DG_HAS_TOTAL) {
		cell->total += e->total;
		cell->has_total = true;
	}
	if (pp_digest_calls(e, &calls)) {
		cell->calls += calls;
		cell->has_calls = true;
	}
	if (e->schema == 0)
		return;
	if (x->nschemas == x->schemas_cap)
		pp_mem_grow(x->c->mem, (void **)&x->schemas, &x->schemas_cap,
		    x->nschemas + 1, sizeof(*x->schemas));
	x->schemas[x->nschemas++] = pp_strtab_get(&x->f.d->strings,
	    e->schema);
}

static void
fill_row(struct pp_rows *r, struct side_by_side *x,
    const struct pp_digest_group *g)
{
	const struct pp_digest *e = x->f.v[g->at], *with_text = e;
	size_t i;

	memset(x->cells, 0, x->n * sizeof(*x->cells));
	x->nschemas = 0;
	for (i = 0; i < g->n; i++) {
		add_entry(x, x->f.v[g->at + i]);
		if (with_text->text == 0)
			with_text = x->f.v[g->at + i];
	}
	pp_digest_put_id(r, x->f.d, e);
	pp_put_str_or_null(r, pp_digest_shown(x->f.d, with_text));
	if (x->nschemas != 0)
		pp_put_text(r, schema_list(x));
	else
		pp_put_null(r);
	for (i = 0; i < x->n; i++)
		if (x->cells[i].has_total)
			pp_put_dec(r, pp_dec_rescale(x->cells[i].total,
			    PP_DIGEST_DIGITS, x->digits[i]), x->digits[i]);
		else
			pp_put_null(r);
	for (i = 0; i < x->n; i++)
		if (x->cells[i].has_calls)
			pp_put_int(r, x->cells[i].calls);
		else
			pp_put_null(r);
	pp_row_end(r);
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct side_by_side x = {.c = c};
	enum pp_status status;
	struct pp_rows r;
	size_t i;

	pp_digest_fold_init(&x.f, c, PP_DG_BY_DIGEST);
	find_columns(&x);
	pp_rows_open(&r, c->mem, to, declare(&x));
	for (i = 0; i < x.f.ngroups; i++)
		fill_row(&r, &x, &x.f.g[i]);
	status = pp_rows_close(&r);
	pp_digest_fold_free(&x.f);
	pp_mem_free(c->mem, x.place);
	pp_mem_free(c->mem, x.source);
	pp_mem_free(c->mem, x.digits);
	pp_mem_free(c->mem, x.cells);
	pp_mem_free(c->mem, x.schemas);
	pp_mem_free(c->mem, x.list);
	return status;
}

const struct pp_report pp_report_digest_pivot = {
	.table = &table,
	.inputs = PP_INPUT_DIGESTS | PP_INPUT_TRACE | PP_INPUT_EVENTS,
	.default_on = true,
	.tall = "digests",
	.emit = emit,
};
