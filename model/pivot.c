/*
 * pivot.c: reading what a pivot is, and adding its cells up.
 *
 * Sees base and table.h.  The key of a row or column is the bytes of its
 * fields put together: a tag, then 16 bytes of a number, or the length and
 * the bytes of a text.  Rows of a table often have the key of the row before
 * them, so that is looked at first.
 */
#include "pivot.h"

const char *const pp_pivot_op_name[PP_PIVOT_OPS] = {
	[PP_PIVOT_SUM] = "sum",
	[PP_PIVOT_COUNT] = "count",
	[PP_PIVOT_AVG] = "avg",
	[PP_PIVOT_MIN] = "min",
	[PP_PIVOT_MAX] = "max",
};

/* ------------------------------------------------------------- the words */

/* What stands before the next `mark`, or all; *s moves behind it. */
static pp_str
piece(pp_str *s, char mark, bool *found)
{
	const char *at = s->n > 0 ? memchr(s->p, mark, s->n) : NULL;
	size_t n = at == NULL ? s->n : (size_t)(at - s->p);
	pp_str word = pp_str_trim((pp_str){s->p, n});

	*found = at != NULL;
	*s = pp_str_skip(*s, n + *found);
	return word;
}

static bool
op_named(pp_str s, enum pp_pivot_op *out)
{
	int i;

	for (i = 0; i < PP_PIVOT_OPS; i++)
		if (pp_str_eq(s, pp_str_from(pp_pivot_op_name[i]))) {
			*out = (enum pp_pivot_op)i;
			return true;
		}
	return false;
}

/* It becomes the name of a file, of a sheet, of an element. */
static bool
is_name(pp_str s)
{
	size_t i;

	if (s.n == 0 || s.n > 100)
		return false;
	for (i = 0; i < s.n; i++)
		if ((s.p[i] < 'a' || s.p[i] > 'z') &&
		    (s.p[i] < 'A' || s.p[i] > 'Z') && s.p[i] != '_' &&
		    (i == 0 || ((s.p[i] < '0' || s.p[i] > '9') &&
		    s.p[i] != '-')))
			return false;
	return true;
}

bool
pp_pivot_parse(struct pp_pivot_spec *spec, pp_str text, const char **why)
{
	size_t eq = pp_str_find(text, PP_STR("=")), colon;
	pp_str *const part[] = {&spec->table, &spec->rows, &spec->columns,
	    &spec->value};
	bool more = true;
	size_t i;

	memset(spec, 0, sizeof(*spec));
	colon = pp_str_find(text, PP_STR(":"));
	if (eq < colon) {
		spec->name = pp_str_trim((pp_str){text.p, eq});
		text = pp_str_skip(text, eq + 1);
		if (!is_name(spec->name)) {
			*why = "a name has letters, digits, _ and -, and "
			    "begins with a letter";
			return false;
		}
	}
	for (i = 0; i < 4; i++) {
		if (!more)
			break;
		*part[i] = piece(&text, ':', &more);
	}
	if (i < 4 || spec->table.n == 0 || spec->value.n == 0) {
		*why = "it reads [NAME=]TABLE:ROWS:COLUMNS:VALUE[:OPERATION]";
		return false;
	}
	spec->op = PP_PIVOT_SUM;
	if (!more)
		return true;
	if (op_named(piece(&text, ':', &more), &spec->op) && !more)
		return true;
	*why = "the operation is sum, count, avg, min or max";
	return false;
}

/* ---------------------------------------------------------- the columns */

/* The column of t called `name`; ncolumns: none. */
static size_t
find_column(const struct pp_table *t, pp_str name)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (pp_str_eq(name, pp_str_from(t->columns[i].name)))
			break;
	return i;
}

/* The fields of a comma list into l. */
static bool
resolve(const struct pp_table *t, pp_str list, struct pp_pivot_list *l,
    pp_str *bad, const char **why)
{
	bool more = list.n > 0;
	size_t i;

	l->n = 0;
	while (more) {
		*bad = piece(&list, ',', &more);
		*why = "is no column of the table";
		i = find_column(t, *bad);
		if (i == t->ncolumns)
			return false;
		*why = "a list has at most 16 fields";
		if (l->n == PP_PIVOT_FIELDS)
			return false;
		l->field[l->n++] = i;
	}
	return true;
}

bool
pp_pivot_check(const struct pp_pivot_spec *spec, const struct pp_table *t,
    pp_str *bad, const char **why)
{
	struct pp_pivot_list rows = {.n = 0}, columns = {.n = 0};
	size_t all[2 * PP_PIVOT_FIELDS], n, i, k, value;

	if (!resolve(t, spec->rows, &rows, bad, why) ||
	    !resolve(t, spec->columns, &columns, bad, why))
		return false;
	memcpy(all, rows.field, rows.n * sizeof(*all));
	memcpy(all + rows.n, columns.field, columns.n * sizeof(*all));
	n = rows.n + columns.n;
	*why = "stands twice among the rows and columns";
	for (i = 0; i < n; i++) {
		*bad = pp_str_from(t->columns[all[i]].name);
		for (k = 0; k < i; k++)
			if (all[k] == all[i])
				return false;
	}
	*bad = spec->value;
	*why = "is no column of the table";
	value = find_column(t, spec->value);
	if (value == t->ncolumns)
		return false;
	*why = "is not a number: it can only be counted";
	return spec->op == PP_PIVOT_COUNT ||
	    !pp_type_is_text(t->columns[value].type);
}

/* ----------------------------------------------------------------- keys */

static void
put_bytes(struct pp_pivot *p, size_t *n, const void *s, size_t len)
{
	void *v = p->scratch;

	pp_mem_grow(p->mem, &v, &p->scratch_cap, *n + len, 1);
	p->scratch = v;
	memcpy(p->scratch + *n, s, len);
	*n += len;
}

static pp_str
make_key(struct pp_pivot *p, const struct pp_pivot_list *l,
    const struct pp_batch *b, size_t row)
{
	const struct pp_column *columns = p->from->columns;
	size_t i, n = 0;

	for (i = 0; i < l->n; i++) {
		size_t c = l->field[i];
		const union pp_cell *cell = &b->cells[c][row];
		uint8_t tag = b->tags[c][row];

		put_bytes(p, &n, &tag, 1);
		if (tag == 0)
			continue;
		if (!pp_type_is_text(columns[c].type)) {
			put_bytes(p, &n, &cell->num, sizeof(cell->num));
			continue;
		}
		put_bytes(p, &n, &cell->str.n, sizeof(cell->str.n));
		if (cell->str.n > 0)
			put_bytes(p, &n, cell->str.p, cell->str.n);
	}
	return (pp_str){p->scratch, n};
}

unsigned
pp_pivot_field(const struct pp_pivot *p, const struct pp_pivot_list *l,
    pp_str key, size_t i, union pp_cell *out)
{
	uint8_t tag;
	size_t k;

	for (k = 0;; k++) {
		bool text = pp_type_is_text(
		    p->from->columns[l->field[k]].type);

		tag = (uint8_t)key.p[0];
		key = pp_str_skip(key, 1);
		if (tag != 0 && !text) {
			memcpy(&out->num, key.p, sizeof(out->num));
			key = pp_str_skip(key, sizeof(out->num));
		} else if (tag != 0) {
			memcpy(&out->str.n, key.p, sizeof(out->str.n));
			key = pp_str_skip(key, sizeof(out->str.n));
			out->str.p = key.p;
			key = pp_str_skip(key, out->str.n);
		}
		if (k == i)
			return tag;
	}
}

/*
 * Whether the fields of a row are those of the row before it in the batch:
 * the same bytes at the same place, mostly.
 */
static bool
is_repeated(const struct pp_pivot *p, const struct pp_pivot_list *l,
    const struct pp_batch *b, size_t row)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		size_t c = l->field[i];
		const union pp_cell *x = &b->cells[c][row];

		if (b->tags[c][row] != b->tags[c][row - 1])
			return false;
		if (b->tags[c][row] == 0)
			continue;
		if (pp_type_is_text(p->from->columns[c].type) ?
		    x[0].str.n != x[-1].str.n || x[0].str.p != x[-1].str.p :
		    x[0].num != x[-1].num)
			return false;
	}
	return true;
}

/* The id of a key that may be new. */
static uint32_t
first_key(struct pp_pivot *p, struct pp_pivot_list *l,
    const struct pp_batch *b, size_t row)
{
	void *v = l->last;
	pp_str key = make_key(p, l, b, row);

	if (l->last_n == key.n && memcmp(l->last, key.p, key.n) == 0)
		return l->last_id;
	/* the table has the empty string as 0, which no key is */
	l->last_id = pp_strtab_id(&l->keys, key) - 1;
	pp_mem_grow(p->mem, &v, &l->last_cap, key.n, 1);
	l->last = v;
	memcpy(l->last, key.p, key.n);
	l->last_n = key.n;
	return l->last_id;
}

static uint32_t
key_id(struct pp_pivot *p, struct pp_pivot_list *l, const struct pp_batch *b,
    size_t row)
{
	if (l->n == 0)
		return 0;
	if (row > 0 && is_repeated(p, l, b, row))
		return l->last_id;
	return first_key(p, l, b, row);
}

/* ---------------------------------------------------------------- cells */

pp_i128
pp_pivot_rescale(pp_i128 v, unsigned from, unsigned to)
{
	const pp_i128 max = (pp_i128)(~(pp_u128)0 >> 1);
	pp_i128 out = v;

	for (; from < to; from++)
		if (__builtin_mul_overflow(out, (pp_i128)10, &out))
			return v < 0 ? -max : max;
	return out;
}

static pp_i128
add(pp_i128 a, pp_i128 b)
{
	const pp_i128 max = (pp_i128)(~(pp_u128)0 >> 1);
	pp_i128 sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b < 0 ? -max : max;
	return sum;
}

void
pp_pivot_fold(enum pp_pivot_op op, struct pp_pivot_cell *to,
    const struct pp_pivot_cell *from)
{
	uint8_t scale = to->scale > from->scale ? to->scale : from->scale;
	pp_i128 v = pp_pivot_rescale(from->v, from->scale, scale);

	if (from->n == 0)
		return;
	to->v = pp_pivot_rescale(to->v, to->scale, scale);
	to->scale = scale;
	if (op == PP_PIVOT_SUM || op == PP_PIVOT_AVG)
		to->v = add(to->v, v);
	else if (to->n == 0 || (op == PP_PIVOT_MIN && v < to->v) ||
	    (op == PP_PIVOT_MAX && v > to->v))
		to->v = v;
	to->n += from->n;
}

static struct pp_pivot_cell *
cell_at(struct pp_pivot *p, uint32_t row, uint32_t column)
{
	uint32_t *at = pp_map_at(&p->index, row, column);
	void *v = p->cells;

	if (*at == PP_MAP_NONE) {
		if (p->ncells == PP_MAP_NONE - 1)
			pp_mem_fail(p->mem);
		*at = (uint32_t)p->ncells;
		pp_mem_grow(p->mem, &v, &p->cells_cap, p->ncells + 1,
		    sizeof(*p->cells));
		p->cells = v;
		p->cells[p->ncells++] = (struct pp_pivot_cell){
			.row = row, .column = column};
	}
	return &p->cells[*at];
}

static void
note_scale(struct pp_pivot *p, uint32_t row, uint8_t scale)
{
	void *v = p->scale;

	while (p->nscale <= row) {
		pp_mem_grow(p->mem, &v, &p->scale_cap, p->nscale + 1, 1);
		p->scale = v;
		p->scale[p->nscale++] = 0;
	}
	if (scale > p->scale[row])
		p->scale[row] = scale;
}

static bool
is_bare(const struct pp_pivot *p, const struct pp_batch *b, size_t row)
{
	size_t i;

	for (i = 0; i < p->columns.n; i++)
		if (b->tags[p->columns.field[i]][row] != 0)
			return false;
	return true;
}

static enum pp_status
pivot_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	(void)t;
	return PP_OK;
}

static enum pp_status
pivot_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct pp_pivot *p = (struct pp_pivot *)(void *)s;
	bool counts = p->spec.op == PP_PIVOT_COUNT;
	struct pp_pivot_cell one = {.n = 1}, *cell = NULL;
	uint32_t row, column;
	size_t i;

	for (i = 0; i < b->rows; i++) {
		uint8_t tag = b->tags[p->value][i];

		row = key_id(p, &p->rows, b, i);
		if (row == PP_PIVOT_GROUP && p->emit != NULL) {
			pp_pivot_put(p);
			row = first_key(p, &p->rows, b, i);
			cell = NULL;
		}
		if (tag > 1 && !counts)
			note_scale(p, row, (uint8_t)(tag - 1));
		if (p->spec.bare && is_bare(p, b, i))
			continue;
		column = key_id(p, &p->columns, b, i);
		if (cell == NULL || cell->row != row ||
		    cell->column != column)
			cell = cell_at(p, row, column);
		if (tag == 0)
			continue;
		if (counts) {
			cell->n++;
			continue;
		}
		one.v = b->cells[p->value][i].num;
		one.scale = (uint8_t)(tag - 1);
		pp_pivot_fold(p->spec.op, cell, &one);
	}
	return PP_OK;
}

void
pp_pivot_forget(struct pp_pivot *p)
{
	pp_map_clear(&p->index);
	p->ncells = p->nscale = 0;
	pp_strtab_free(&p->rows.keys);
	pp_strtab_init(&p->rows.keys, p->mem);
	p->rows.last_n = 0;
}

static enum pp_status
pivot_end(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)s;
	(void)t;
	return PP_OK;
}

void
pp_pivot_init(struct pp_pivot *p, struct pp_mem *mem,
    const struct pp_pivot_spec *spec, const struct pp_table *t)
{
	const char *why;
	pp_str bad;
	bool ok;

	memset(p, 0, sizeof(*p));
	p->sink = (struct pp_rowsink){pivot_begin, pivot_rows, pivot_end};
	p->mem = mem;
	p->spec = *spec;
	p->from = t;
	ok = pp_pivot_check(spec, t, &bad, &why);
	PP_ASSERT(ok);
	resolve(t, spec->rows, &p->rows, &bad, &why);
	resolve(t, spec->columns, &p->columns, &bad, &why);
	p->value = find_column(t, spec->value);
	pp_strtab_init(&p->rows.keys, mem);
	pp_strtab_init(&p->columns.keys, mem);
	pp_map_init(&p->index, mem);
}

static void
free_list(struct pp_pivot *p, struct pp_pivot_list *l)
{
	pp_strtab_free(&l->keys);
	pp_mem_free(p->mem, l->last);
}

void
pp_pivot_free(struct pp_pivot *p)
{
	free_list(p, &p->rows);
	free_list(p, &p->columns);
	pp_map_free(&p->index);
	pp_mem_free(p->mem, p->cells);
	pp_mem_free(p->mem, p->scale);
	pp_mem_free(p->mem, p->scratch);
	memset(p, 0, sizeof(*p));
}
