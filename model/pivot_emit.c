/*
 * pivot_emit.c: the cells of a pivot as the rows of a table.
 *
 * Sees base and table.h.  Cells are laid by row with a counting sort; those
 * of a row are then put under their columns, or, where the output has no
 * wide tables, written one after the other in the order of the columns.
 */
#include "pivot_emit.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- order */

static size_t
keys_of(const struct pp_pivot_list *l)
{
	return l->n == 0 ? 1 : l->keys.count - 1;
}

/* What a cell shows, times 10^18 for an average: only to be compared. */
static pp_i128
weight(const struct pp_pivot *p, const struct pp_pivot_cell *c,
    unsigned scale)
{
	pp_i128 v;

	if (p->spec.op == PP_PIVOT_COUNT)
		return (pp_i128)c->n;
	v = pp_pivot_rescale(c->v, c->scale, scale);
	if (p->spec.op == PP_PIVOT_AVG && c->n > 0)
		v = pp_div_half_up(pp_pivot_rescale(v, 0, 9), (pp_i128)c->n);
	return v;
}

static int
compare_cells(const struct pp_pivot_column *a, const struct pp_pivot_column *b)
{
	unsigned scale = a->sum.scale > b->sum.scale ? a->sum.scale :
	    b->sum.scale;
	pp_i128 x, y;

	/* nothing known is least */
	if ((a->sum.n == 0) != (b->sum.n == 0))
		return a->sum.n == 0 ? 1 : -1;
	x = weight(a->p, &a->sum, scale);
	y = weight(b->p, &b->sum, scale);
	return x > y ? -1 : x < y;
}

static int
compare_numbers(unsigned ta, pp_i128 a, unsigned tb, pp_i128 b)
{
	unsigned scale = (ta > tb ? ta : tb) - 1;

	a = pp_pivot_rescale(a, ta - 1, scale);
	b = pp_pivot_rescale(b, tb - 1, scale);
	return a < b ? -1 : a > b;
}

/* By the fields, rising; NULL is last. */
static int
compare_keys(const struct pp_pivot_column *a, const struct pp_pivot_column *b)
{
	const struct pp_pivot_list *l = &a->p->columns;
	union pp_cell x, y;
	unsigned tx, ty;
	size_t i;
	int c;

	for (i = 0; i < l->n; i++) {
		tx = pp_pivot_field(a->p, l, pp_pivot_key(l, a->key), i, &x);
		ty = pp_pivot_field(a->p, l, pp_pivot_key(l, b->key), i, &y);
		if (tx == 0 || ty == 0)
			c = (tx == 0) - (ty == 0);
		else if (pp_type_is_text(
		    a->p->from->columns[l->field[i]].type))
			c = pp_str_cmp(x.str, y.str);
		else
			c = compare_numbers(tx, x.num, ty, y.num);
		if (c != 0)
			return c;
	}
	return a->key < b->key ? -1 : a->key > b->key;
}

static int
by_total(const void *va, const void *vb)
{
	const struct pp_pivot_column *a = va, *b = vb;
	int c = compare_cells(a, b);

	return c != 0 ? c : compare_keys(a, b);
}

static int
by_key(const void *va, const void *vb)
{
	return compare_keys(va, vb);
}

/* Names go by their totals; numbers and times have an order of their own. */
static bool
rising(const struct pp_pivot *p)
{
	enum pp_type t;

	if (p->columns.n == 0)
		return false;
	t = p->from->columns[p->columns.field[0]].type;
	return t != PP_T_TEXT && t != PP_T_ID;
}

/* How many columns stand by themselves. */
static size_t
limit(const struct pp_pivot_emit *e)
{
	size_t top = e->p->spec.top;

	if (top > PP_PIVOT_COLUMNS_MAX && e->wide)
		top = PP_PIVOT_COLUMNS_MAX;
	if (top == 0)
		top = e->wide ? PP_PIVOT_COLUMNS : SIZE_MAX;
	return top;
}

static void
order_columns(struct pp_pivot_emit *e)
{
	struct pp_pivot *p = e->p;
	size_t n = e->ncolumns, i, top = limit(e);

	e->columns = pp_mem_zalloc(p->mem, n * sizeof(*e->columns));
	for (i = 0; i < n; i++) {
		e->columns[i].key = (uint32_t)i;
		e->columns[i].p = p;
	}
	for (i = 0; i < p->ncells; i++)
		pp_pivot_fold(p->spec.op,
		    &e->columns[p->cells[i].column].sum, &p->cells[i]);
	if (n > 1)
		qsort(e->columns, n, sizeof(*e->columns), by_total);
	e->shown = n < top ? n : top;
	e->other = n > e->shown;
	if (e->other && p->spec.top == 0)
		p->folded = n - e->shown;
	if (rising(p) && e->shown > 1)
		qsort(e->columns, e->shown, sizeof(*e->columns), by_key);
	e->place = pp_mem_alloc(p->mem, (n + 1) * sizeof(*e->place));
	for (i = 0; i < n; i++)
		e->place[e->columns[i].key] =
		    (uint32_t)(i < e->shown ? i : e->shown);
}

/* The cells row by row. */
static void
lay(struct pp_pivot_emit *e)
{
	struct pp_pivot *p = e->p;
	size_t i, n = e->nrows;
	void *begin = e->begin, *cells = e->cells;

	pp_mem_grow(p->mem, &begin, &e->begin_cap, n + 2,
	    sizeof(*e->begin));
	e->begin = begin;
	memset(begin, 0, (n + 2) * sizeof(*e->begin));
	pp_mem_grow(p->mem, &cells, &e->cells_cap, p->ncells + 1,
	    sizeof(*e->cells));
	e->cells = cells;
	for (i = 0; i < p->ncells; i++)
		e->begin[p->cells[i].row + 2]++;
	for (i = 2; i < n + 2; i++)
		e->begin[i] += e->begin[i - 1];
	for (i = 0; i < p->ncells; i++)
		e->cells[e->begin[p->cells[i].row + 1]++] = (uint32_t)i;
}

/* ----------------------------------------------------------------- rows */

/* row: its number; its scale is that of a value that nothing adds to. */
static void
put_cell(struct pp_pivot_emit *e, const struct pp_pivot_cell *c, bool here,
    uint8_t scale)
{
	enum pp_pivot_op op = e->p->spec.op;
	unsigned more = c->scale < 6 ? 6 : c->scale;
	bool zeros = e->p->spec.zeros && !e->apart;

	if (op == PP_PIVOT_COUNT && (here || zeros))
		pp_put_int(&e->r, (pp_i128)c->n);
	else if (c->n == 0 && zeros)
		pp_put_dec(&e->r, 0, scale);
	else if (c->n == 0 || op == PP_PIVOT_COUNT)
		pp_put_null(&e->r);
	else if (op == PP_PIVOT_AVG)
		pp_put_dec(&e->r, pp_div_half_up(pp_pivot_rescale(c->v,
		    c->scale, more), (pp_i128)c->n), more);
	else
		pp_put_dec(&e->r, c->v, c->scale);
}

/* The first n fields of a key from column k of the table on. */
static void
put_fields(struct pp_pivot_emit *e, const struct pp_pivot_list *l, size_t n,
    uint32_t key, size_t k)
{
	char buf[PP_DEC_MAX];
	union pp_cell c = {.num = 0};
	unsigned tag;
	size_t i;

	for (i = 0; i < n; i++, k++) {
		tag = pp_pivot_field(e->p, l, pp_pivot_key(l, key), i, &c);
		if (tag == 0)
			pp_put_null(&e->r);
		else if (pp_type_is_text(
		    e->p->from->columns[l->field[i]].type))
			pp_put_str(&e->r, c.str);
		else if (pp_type_is_text(e->table->columns[k].type))
			pp_put_text(&e->r, (pp_str){buf,
			    pp_dec_format(buf, c.num, tag - 1)});
		else
			pp_put_dec(&e->r, c.num, tag - 1);
	}
}

/* The word in the first field that takes text. */
static void
put_label(struct pp_pivot_emit *e, size_t from, size_t n, pp_str word)
{
	bool done = false;
	size_t i;

	for (i = from; i < from + n; i++) {
		if (!done && pp_type_is_text(e->table->columns[i].type)) {
			pp_put_str(&e->r, word);
			done = true;
		} else
			pp_put_null(&e->r);
	}
}

#define FOOT UINT32_MAX	/* as a row: the totals */

static void
put_row_key(struct pp_pivot_emit *e, uint32_t row)
{
	const struct pp_pivot_list *l = &e->p->rows;
	size_t n = l->n - e->p->spec.hidden, i;
	union pp_cell c;

	e->apart = false;
	if (row == FOOT) {
		put_label(e, 0, n, PP_STR(PP_PIVOT_TOTAL));
		return;
	}
	put_fields(e, l, n, row, 0);
	for (i = n; i < l->n; i++)
		e->apart |= pp_pivot_field(e->p, l, pp_pivot_key(l, row), i,
		    &c) != 0;
}

static void
put_wide(struct pp_pivot_emit *e, uint32_t row,
    const struct pp_pivot_cell *line, size_t places)
{
	uint8_t scale = row < e->p->nscale ? e->p->scale[row] : 0;
	size_t i;

	put_row_key(e, row);
	for (i = 0; i < places; i++)
		put_cell(e, &line[i], e->here[i] || row == FOOT, scale);
	if (e->p->spec.totals && e->p->columns.n > 0)
		put_cell(e, &line[places], true, scale);
	pp_row_end(&e->r);
}

/* A cell as a row, unless nothing is known of it. */
static void
put_tall(struct pp_pivot_emit *e, uint32_t row, size_t place, size_t places,
    const struct pp_pivot_cell *c)
{
	const struct pp_pivot *p = e->p;

	if (c->n == 0 && p->spec.op != PP_PIVOT_COUNT)
		return;
	put_row_key(e, row);
	if (place == places)
		put_label(e, p->rows.n - p->spec.hidden, p->columns.n,
		    PP_STR(PP_PIVOT_TOTAL));
	else if (place == e->shown)
		put_label(e, p->rows.n - p->spec.hidden, p->columns.n,
		    PP_STR(PP_PIVOT_OTHER));
	else
		put_fields(e, &p->columns, p->columns.n,
		    e->columns[place].key, p->rows.n - p->spec.hidden);
	put_cell(e, c, true, 0);
	pp_row_end(&e->r);
}

static int
by_place(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void
put_line(struct pp_pivot_emit *e, uint32_t row, size_t places)
{
	size_t i;

	if (e->wide) {
		put_wide(e, row, e->line, places);
		return;
	}
	if (e->ntouched > 1)
		qsort(e->touched, e->ntouched, sizeof(*e->touched), by_place);
	for (i = 0; i < e->ntouched; i++)
		put_tall(e, row, e->touched[i], places,
		    &e->line[e->touched[i]]);
	if (e->p->spec.totals && e->p->columns.n > 0 && e->ntouched > 0)
		put_tall(e, row, places, places, &e->line[places]);
}

static void
put_foot(struct pp_pivot_emit *e, size_t places)
{
	bool total = e->p->columns.n > 0;
	size_t i;

	if (e->wide)
		put_wide(e, FOOT, e->foot, places);
	else
		for (i = 0; i < places + total; i++)
			put_tall(e, FOOT, i, places, &e->foot[i]);
}

/* Fold a cell into the row at hand. */
static void
take_cell(struct pp_pivot_emit *e, const struct pp_pivot_cell *c, size_t places)
{
	enum pp_pivot_op op = e->p->spec.op;
	uint32_t at;

	/* pp_pivot_open has been shown all columns */
	PP_ASSERT(c->column < e->ncolumns);
	at = e->place[c->column];
	if (!e->here[at]) {
		e->here[at] = true;
		e->touched[e->ntouched++] = at;
	}
	pp_pivot_fold(op, &e->line[at], c);
	if (!e->p->spec.totals)
		return;
	pp_pivot_fold(op, &e->line[places], c);
	pp_pivot_fold(op, &e->foot[at], c);
	pp_pivot_fold(op, &e->foot[places], c);
}

static void
put_rows(struct pp_pivot_emit *e)
{
	const struct pp_pivot_cell none = {.n = 0};
	size_t places = e->shown + e->other, i, k;

	for (i = 0; i < e->nrows; i++) {
		e->ntouched = 0;
		for (k = e->begin[i]; k < e->begin[i + 1]; k++)
			take_cell(e, &e->p->cells[e->cells[k]], places);
		put_line(e, (uint32_t)i, places);
		for (k = 0; k < e->ntouched; k++) {
			e->line[e->touched[k]] = none;
			e->here[e->touched[k]] = false;
		}
		e->line[places] = none;
	}
	if (e->p->spec.totals && e->p->rows.n > 0 && e->nrows > 0)
		put_foot(e, places);
}

/* The columns are known: what they are called, and room for a row. */
static void
start(struct pp_pivot_emit *e, struct pp_rowsink *to)
{
	struct pp_pivot *p = e->p;
	size_t places;

	e->ncolumns = p->ncells == 0 && p->columns.n == 0 ? 0 :
	    keys_of(&p->columns);
	if (p->columns.n == 0 && e->ncolumns == 0)
		e->ncolumns = 1;
	order_columns(e);
	pp_pivot_declare(e);
	places = e->shown + e->other;
	e->line = pp_mem_zalloc(p->mem, (places + 1) * sizeof(*e->line));
	e->foot = pp_mem_zalloc(p->mem, (places + 1) * sizeof(*e->foot));
	e->here = pp_mem_zalloc(p->mem, places + 1);
	e->touched = pp_mem_alloc(p->mem, (places + 1) * sizeof(*e->touched));
	pp_rows_open(&e->r, p->mem, to, e->table);
}

static enum pp_status
stop(struct pp_pivot_emit *e)
{
	struct pp_mem *mem = e->p->mem;

	pp_mem_free(mem, e->line);
	pp_mem_free(mem, e->foot);
	pp_mem_free(mem, e->here);
	pp_mem_free(mem, e->touched);
	pp_mem_free(mem, e->begin);
	pp_mem_free(mem, e->cells);
	pp_mem_free(mem, e->place);
	pp_mem_free(mem, e->columns);
	return pp_rows_close(&e->r);
}

enum pp_status
pp_pivot_emit(struct pp_pivot *p, struct pp_rowsink *to, bool wide)
{
	struct pp_pivot_emit e = {.p = p, .wide = wide};

	/* without fields there is one row, one column, if there is a cell */
	e.nrows = p->ncells == 0 && p->rows.n == 0 ? 0 : keys_of(&p->rows);
	start(&e, to);
	lay(&e);
	put_rows(&e);
	return stop(&e);
}

/* --------------------------------------------------------- rows in groups */

void
pp_pivot_open(struct pp_pivot *p, struct pp_rowsink *to, bool wide)
{
	struct pp_pivot_emit *e = pp_mem_zalloc(p->mem, sizeof(*e));

	PP_ASSERT(!p->spec.totals && p->rows.n > 0);
	e->p = p;
	e->wide = wide;
	start(e, to);
	p->emit = e;
	pp_pivot_forget(p);
}

void
pp_pivot_put(struct pp_pivot *p)
{
	p->emit->nrows = keys_of(&p->rows);
	if (p->emit->nrows > PP_PIVOT_GROUP)
		p->emit->nrows = PP_PIVOT_GROUP;
	lay(p->emit);
	put_rows(p->emit);
	/* texts of the keys are borrowed by the rows put */
	pp_rows_flush(&p->emit->r);
	pp_pivot_forget(p);
}

enum pp_status
pp_pivot_close(struct pp_pivot *p)
{
	enum pp_status status;

	pp_pivot_put(p);
	status = stop(p->emit);
	pp_mem_free(p->mem, p->emit);
	p->emit = NULL;
	return status;
}
