/*
 * pivot_emit.c: the cells of a pivot as the rows of a table.
 *
 * Sees base and table.h.  Cells are laid by row with a counting sort; those
 * of a row are then put under their columns, or, where the output has no
 * wide tables, written one after the other in the order of the columns.
 */
#include "pivot.h"

#include <stdlib.h>

#define OTHER "other"
#define TOTAL "total"
#define JOIN " / "	/* between the fields of a column's name */

struct column {
	uint32_t key;
	uint32_t place;		/* by rank; then in the order of columns */
	struct pp_pivot_cell sum; /* over all rows */
	const struct pp_pivot *p;
};

struct emit {
	struct pp_pivot *p;
	struct pp_rows r;
	bool wide;
	size_t nrows, ncolumns;
	struct column *columns;
	size_t shown;		/* columns that stand by themselves */
	bool other;		/* and one for the rest */
	uint32_t *place;	/* by key: 0 .. shown - 1, or shown: other */
	size_t *begin;		/* of rows in cells */
	uint32_t *cells;	/* indexes, row by row */
	struct pp_pivot_cell *line; /* of the row at hand, by place; then
				 * its total */
	struct pp_pivot_cell *foot; /* the same of all rows */
	bool *here;		/* by place: the row has such a cell */
	bool apart;		/* it has a hidden field */
	uint32_t *touched;	/* the places that it has */
	size_t ntouched;
	const struct pp_table *table;
};

/* ---------------------------------------------------------------- order */

static size_t
keys_of(const struct pp_pivot_list *l)
{
	return l->n == 0 ? 1 : l->keys.count - 1;
}

static pp_str
key_of(const struct pp_pivot_list *l, uint32_t key)
{
	return l->n == 0 ? (pp_str){"", 0} : pp_strtab_get(&l->keys, key + 1);
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
compare_cells(const struct column *a, const struct column *b)
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
compare_keys(const struct column *a, const struct column *b)
{
	const struct pp_pivot_list *l = &a->p->columns;
	union pp_cell x, y;
	unsigned tx, ty;
	size_t i;
	int c;

	for (i = 0; i < l->n; i++) {
		tx = pp_pivot_field(a->p, l, key_of(l, a->key), i, &x);
		ty = pp_pivot_field(a->p, l, key_of(l, b->key), i, &y);
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
	const struct column *a = va, *b = vb;
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
limit(const struct emit *e)
{
	size_t top = e->p->spec.top;

	if (top > PP_PIVOT_COLUMNS_MAX && e->wide)
		top = PP_PIVOT_COLUMNS_MAX;
	if (top == 0)
		top = e->wide ? PP_PIVOT_COLUMNS : SIZE_MAX;
	return top;
}

static void
order_columns(struct emit *e)
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
lay(struct emit *e)
{
	struct pp_pivot *p = e->p;
	size_t i, n = e->nrows;

	e->begin = pp_mem_zalloc(p->mem, (n + 2) * sizeof(*e->begin));
	e->cells = pp_mem_alloc(p->mem, (p->ncells + 1) * sizeof(*e->cells));
	for (i = 0; i < p->ncells; i++)
		e->begin[p->cells[i].row + 2]++;
	for (i = 2; i < n + 2; i++)
		e->begin[i] += e->begin[i - 1];
	for (i = 0; i < p->ncells; i++)
		e->cells[e->begin[p->cells[i].row + 1]++] = (uint32_t)i;
}

/* ---------------------------------------------------------- declaration */

static char
lower(char ch)
{
	return ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
}

/* Spreadsheets and databases take `Rows` and `rows` for one column. */
static pp_str
folded_name(struct pp_arena *a, pp_str s)
{
	char *p = pp_arena_alloc(a, s.n + 1);
	size_t i;

	for (i = 0; i < s.n; i++)
		p[i] = lower(s.p[i]);
	return (pp_str){p, s.n};
}

static size_t
append(char *to, size_t at, pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		to[at + i] = (unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f ?
		    '?' : s.p[i];
	return at + s.n;
}

/* A field as text. */
static pp_str
field_text(const struct pp_pivot *p, uint32_t key, size_t i, char *buf)
{
	const struct pp_pivot_list *l = &p->columns;
	union pp_cell c = {.num = 0};
	unsigned tag = pp_pivot_field(p, l, key_of(l, key), i, &c);

	if (tag == 0)
		return PP_STR("(empty)");
	if (!pp_type_is_text(p->from->columns[l->field[i]].type))
		return (pp_str){buf, pp_dec_format(buf, c.num, tag - 1)};
	return c.str.n == 0 ? PP_STR("?") : c.str;
}

struct names {
	struct pp_strtab seen;
	struct pp_arena text;
};

/* s, or s with a number where that is taken, with a NUL, for good. */
static const char *
unique(struct names *v, struct pp_mem *mem, const char *s, size_t n)
{
	char *name = pp_mem_alloc(mem, n + 32), digits[PP_DEC_MAX];
	size_t len = n, k;
	unsigned i;

	memcpy(name, s, n);
	for (i = 2;; i++) {
		pp_str f = folded_name(&v->text, (pp_str){name, len});

		if (pp_strtab_find(&v->seen, f) == UINT32_MAX) {
			pp_strtab_id(&v->seen, f);
			break;
		}
		len = n;
		name[len++] = ' ';
		name[len++] = '(';
		k = pp_dec_format(digits, (pp_i128)i, 0);
		memcpy(name + len, digits, k);
		len += k;
		name[len++] = ')';
	}
	name[len] = '\0';
	return name;
}

static const char *
column_name(struct emit *e, struct names *v, uint32_t key)
{
	struct pp_pivot *p = e->p;
	char buf[PP_DEC_MAX], *name;
	const char *made;
	size_t i, n = 0;

	for (i = 0; i < p->columns.n; i++)
		n += field_text(p, key, i, buf).n + sizeof(JOIN);
	name = pp_mem_alloc(p->mem, n + 1);
	n = 0;
	for (i = 0; i < p->columns.n; i++) {
		if (i > 0)
			n = append(name, n, PP_STR(JOIN));
		n = append(name, n, field_text(p, key, i, buf));
	}
	made = unique(v, p->mem, name, n);
	pp_mem_free(p->mem, name);
	return made;
}

static enum pp_type
value_type(const struct pp_pivot *p)
{
	enum pp_type t = p->from->columns[p->value].type;

	if (p->spec.op == PP_PIVOT_COUNT)
		return PP_T_INT;
	return p->spec.op == PP_PIVOT_AVG && t == PP_T_INT ? PP_T_DECIMAL : t;
}

static const char *
joined(struct pp_mem *mem, const char *a, const char *b, pp_str c)
{
	size_t n = strlen(a), m = strlen(b);
	char *s = pp_mem_alloc(mem, n + m + c.n + 1);

	memcpy(s, a, n);
	memcpy(s + n, b, m);
	if (c.n > 0)
		memcpy(s + n + m, c.p, c.n);
	s[n + m + c.n] = '\0';
	return s;
}

/* sum_time_s, count_event_id */
static const char *
value_name(const struct pp_pivot *p)
{
	return joined(p->mem, pp_pivot_op_name[p->spec.op], "_",
	    pp_str_from(p->from->columns[p->value].name));
}

static size_t
declare_wide(struct emit *e, struct pp_column *c, size_t k)
{
	struct pp_pivot *p = e->p;
	enum pp_type type = value_type(p);
	const char *help = p->spec.help;
	struct names v;
	size_t i;

	if (help == NULL)
		help = joined(p->mem, pp_pivot_op_name[p->spec.op], " of ",
		    pp_str_from(p->from->columns[p->value].name));
	pp_strtab_init(&v.seen, p->mem);
	pp_arena_init(&v.text, p->mem, 4096);
	for (i = 0; i < k; i++)
		pp_strtab_id(&v.seen, folded_name(&v.text,
		    pp_str_from(c[i].name)));
	pp_strtab_id(&v.seen, PP_STR(OTHER));
	if (p->spec.totals)
		pp_strtab_id(&v.seen, PP_STR(TOTAL));
	if (p->columns.n == 0 && e->shown > 0)
		c[k++] = (struct pp_column){value_name(p), type, help};
	else
		for (i = 0; i < e->shown; i++)
			c[k++] = (struct pp_column){column_name(e, &v,
			    e->columns[i].key), type, help};
	if (e->other)
		c[k++] = (struct pp_column){OTHER, type, help};
	if (p->spec.totals && p->columns.n > 0)
		c[k++] = (struct pp_column){TOTAL, type, help};
	pp_arena_free(&v.text);
	pp_strtab_free(&v.seen);
	return k;
}

/* `other` and `total` stand in the first field of the columns: with them
 * asked for it is text, whatever it holds. */
static bool
labelled(const struct pp_pivot *p)
{
	return p->columns.n > 0 && (p->spec.top != 0 || p->spec.totals);
}

static size_t
declare_tall(struct emit *e, struct pp_column *c, size_t k)
{
	const struct pp_pivot *p = e->p;
	size_t i;

	for (i = 0; i < p->columns.n; i++, k++) {
		c[k] = p->from->columns[p->columns.field[i]];
		if (i == 0 && labelled(p) && !pp_type_is_text(c[k].type))
			c[k].type = PP_T_TEXT;
	}
	c[k++] = (struct pp_column){value_name(p), value_type(p),
		p->spec.help != NULL ? p->spec.help : "value of the cell"};
	return k;
}

static void
declare(struct emit *e)
{
	struct pp_pivot *p = e->p;
	struct pp_table *t = pp_mem_zalloc(p->mem, sizeof(*t));
	struct pp_column *c;
	size_t i, k = 0;

	c = pp_mem_alloc(p->mem, (p->rows.n + p->columns.n + 3 +
	    (e->wide ? e->shown : 0)) * sizeof(*c));
	if (p->spec.as != NULL)
		*t = *p->spec.as;
	else {
		t->name = joined(p->mem, "", "", p->spec.name);
		t->help = joined(p->mem, "the fields of the rows of a pivot ",
		    "of ", p->spec.table);
		t->order = "as the rows of the table first have their fields";
	}
	for (; k < p->rows.n - p->spec.hidden; k++)
		c[k] = p->from->columns[p->rows.field[k]];
	for (i = 0; i < k && p->spec.as != NULL; i++)
		c[i] = p->spec.as->columns[i];
	t->flags = PP_TABLE_PIVOT | (e->wide ? PP_TABLE_WIDE : 0);
	if (p->spec.as != NULL)
		t->flags = p->spec.as->flags;
	t->ncolumns = e->wide ? declare_wide(e, c, k) :
	    declare_tall(e, c, k);
	/* a table has a column */
	if (t->ncolumns == 0)
		c[t->ncolumns++] = (struct pp_column){value_name(p),
			value_type(p), t->help};
	t->columns = c;
	e->table = t;
}

/* ----------------------------------------------------------------- rows */

/* row: its number; its scale is that of a value that nothing adds to. */
static void
put_cell(struct emit *e, const struct pp_pivot_cell *c, bool here,
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
put_fields(struct emit *e, const struct pp_pivot_list *l, size_t n,
    uint32_t key, size_t k)
{
	char buf[PP_DEC_MAX];
	union pp_cell c = {.num = 0};
	unsigned tag;
	size_t i;

	for (i = 0; i < n; i++, k++) {
		tag = pp_pivot_field(e->p, l, key_of(l, key), i, &c);
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
put_label(struct emit *e, size_t from, size_t n, pp_str word)
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
put_row_key(struct emit *e, uint32_t row)
{
	const struct pp_pivot_list *l = &e->p->rows;
	size_t n = l->n - e->p->spec.hidden, i;
	union pp_cell c;

	e->apart = false;
	if (row == FOOT) {
		put_label(e, 0, n, PP_STR(TOTAL));
		return;
	}
	put_fields(e, l, n, row, 0);
	for (i = n; i < l->n; i++)
		e->apart |= pp_pivot_field(e->p, l, key_of(l, row), i,
		    &c) != 0;
}

static void
put_wide(struct emit *e, uint32_t row, const struct pp_pivot_cell *line,
    size_t places)
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
put_tall(struct emit *e, uint32_t row, size_t place, size_t places,
    const struct pp_pivot_cell *c)
{
	const struct pp_pivot *p = e->p;

	if (c->n == 0 && p->spec.op != PP_PIVOT_COUNT)
		return;
	put_row_key(e, row);
	if (place == places)
		put_label(e, p->rows.n - p->spec.hidden, p->columns.n,
		    PP_STR(TOTAL));
	else if (place == e->shown)
		put_label(e, p->rows.n - p->spec.hidden, p->columns.n,
		    PP_STR(OTHER));
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
put_line(struct emit *e, uint32_t row, size_t places)
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
put_foot(struct emit *e, size_t places)
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
take_cell(struct emit *e, const struct pp_pivot_cell *c, size_t places)
{
	enum pp_pivot_op op = e->p->spec.op;
	uint32_t at = e->place[c->column];

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
put_rows(struct emit *e)
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

enum pp_status
pp_pivot_emit(struct pp_pivot *p, struct pp_rowsink *to, bool wide)
{
	struct emit e = {.p = p, .wide = wide};
	enum pp_status status;
	size_t places;

	/* without fields there is one row, one column, if there is a cell */
	e.nrows = p->ncells == 0 && p->rows.n == 0 ? 0 : keys_of(&p->rows);
	e.ncolumns = p->ncells == 0 && p->columns.n == 0 ? 0 :
	    keys_of(&p->columns);
	if (p->columns.n == 0 && e.ncolumns == 0)
		e.ncolumns = 1;
	order_columns(&e);
	lay(&e);
	declare(&e);
	places = e.shown + e.other;
	e.line = pp_mem_zalloc(p->mem, (places + 1) * sizeof(*e.line));
	e.foot = pp_mem_zalloc(p->mem, (places + 1) * sizeof(*e.foot));
	e.here = pp_mem_zalloc(p->mem, places + 1);
	e.touched = pp_mem_alloc(p->mem, (places + 1) * sizeof(*e.touched));
	pp_rows_open(&e.r, p->mem, to, e.table);
	put_rows(&e);
	status = pp_rows_close(&e.r);
	pp_mem_free(p->mem, e.line);
	pp_mem_free(p->mem, e.foot);
	pp_mem_free(p->mem, e.here);
	pp_mem_free(p->mem, e.touched);
	pp_mem_free(p->mem, e.begin);
	pp_mem_free(p->mem, e.cells);
	pp_mem_free(p->mem, e.place);
	pp_mem_free(p->mem, e.columns);
	return status;
}
