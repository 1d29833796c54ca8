/*
 * columns.c: rows of tables into columns (columns.h).  Sees base and table.h
 * only.
 *
 * Rows of a table gather in arrays of numbers, one a column; text is a number
 * too, its place among the strings, or what it says where it is a number or
 * an instant.  A full block is packed by columns_pack.c.
 */
#include "columns_impl.h"

#include <libdeflate.h>

/* A block ends early when its own strings have grown to this. */
#define STRINGS_MOST ((size_t)4 << 20)

static struct pp_columns_out *
of_sink(struct pp_rowsink *s)
{
	return (struct pp_columns_out *)(void *)((char *)s -
	    offsetof(struct pp_columns_out, sink));
}

void
pp_columns_put(struct pp_columns_out *o, const void *p, size_t n)
{
	if (!o->failed && n > 0 && !o->put(o->arg, p, n))
		o->failed = true;
	o->at += n;
}

/* ---------------------------------------------------------------- tables */

static struct pp_out_table *
find_table(struct pp_columns_out *o, const struct pp_table *t)
{
	size_t i;

	for (i = 0; i < o->ntables; i++)
		if (o->tables[i]->table == t)
			return o->tables[i];
	return NULL;
}

/* Have room for `rows` rows in v and tag. */
static void
room(struct pp_columns_out *o, const struct pp_out_table *t,
    struct pp_out_column *c, size_t rows)
{
	size_t cap = c->cap == 0 ? 256 : c->cap;

	if (rows <= c->cap)
		return;
	/* a table that grows so far grows on; what is not touched of its
	 * arrays costs nothing, and copying them does */
	while (cap < rows)
		cap = cap < 4096 && cap * 4 < t->most ? cap * 4 : t->most;
	c->v = pp_mem_realloc(o->mem, c->v, cap * sizeof(*c->v));
	c->tag = pp_mem_realloc(o->mem, c->tag, cap);
	if (c->wide != NULL)
		c->wide = pp_mem_realloc(o->mem, c->wide,
		    cap * sizeof(pp_i128));
	c->cap = cap;
}

/* The rows of the block have been alike; what comes is not. */
static void
unlike(struct pp_columns_out *o, const struct pp_out_table *t,
    struct pp_out_column *c)
{
	size_t rows = t->rows, i;

	if (!c->alike)
		return;
	c->alike = false;
	room(o, t, c, rows + 1);
	for (i = 1; i < rows; i++)
		c->v[i] = c->v[0];
	if (rows > 1)
		memset(c->tag + 1, c->tag[0], rows - 1);
}

/*
 * Columns stand as they are declared, but a begin behind its end and its
 * duration: events end one after the other, and so an end follows from the
 * one above, and a begin from the two.
 */
static void
set_order(struct pp_columns_out *o, struct pp_out_table *t)
{
	uint32_t i, k, n = 0, after = UINT32_MAX;
	bool late[PP_COLUMNS_MAX];
	const char *name;

	t->order = pp_mem_alloc(o->mem, t->ncolumns * sizeof(*t->order));
	for (i = 0; i < t->ncolumns; i++) {
		name = t->table->columns[i].name;
		late[i] = strcmp(name, "start_s") == 0 ||
		    strcmp(name, "start_at") == 0;
		if (strcmp(name, "elapsed_s") == 0)
			after = i;
	}
	/* in the order of declaration, those that are late behind `after` */
	for (i = 0; i < t->ncolumns; i++) {
		if (after == UINT32_MAX || i > after || !late[i])
			t->order[n++] = i;
		for (k = 0; i == after && k < after; k++)
			if (late[k])
				t->order[n++] = k;
	}
	PP_ASSERT(n == t->ncolumns);
}

static enum pp_status
sink_begin(struct pp_rowsink *s, const struct pp_table *table)
{
	struct pp_columns_out *o = of_sink(s);
	struct pp_out_table *t;
	void *v = o->tables;

	if (find_table(o, table) != NULL)
		return PP_OK;
	PP_ASSERT(table->ncolumns <= PP_COLUMNS_MAX);
	t = pp_mem_zalloc(o->mem, sizeof(*t));
	t->table = table;
	t->ncolumns = (uint32_t)table->ncolumns;
	t->most = PP_BLOCK_CELLS_OUT / t->ncolumns;
	if (t->most > PP_BLOCK_ROWS)
		t->most = PP_BLOCK_ROWS;
	PP_ASSERT(t->most >= PP_BATCH_ROWS);
	t->own_strings = (table->flags & PP_TABLE_RAW) != 0;
	t->text = t->own_strings ? &t->strings : &o->strings;
	t->col = pp_mem_zalloc(o->mem, table->ncolumns * sizeof(*t->col));
	set_order(o, t);
	if (t->own_strings)
		pp_strtab_init(&t->strings, o->mem);
	pp_mem_grow(o->mem, &v, &o->tables_cap, o->ntables + 1,
	    sizeof(*o->tables));
	o->tables = v;
	o->tables[o->ntables++] = t;
	return PP_OK;
}

/* ----------------------------------------------------------------- cells */

static uint32_t
intern(struct pp_columns_out *o, struct pp_out_table *t, pp_str s)
{
	size_t had = t->strings.count;
	uint32_t id;

	if (s.n > PP_TEXT_MOST) {
		o->too_long = true;
		return 0;
	}
	if (!t->own_strings)
		return pp_strtab_id(&o->strings, s);
	id = pp_strtab_id(&t->strings, s);
	if (t->strings.count > had)
		t->string_bytes += s.n + 5;
	return id;
}

/* A text of this column does not say a number: none of the block counts as
 * one any more. */
static void
to_strings(struct pp_columns_out *o, struct pp_out_table *t,
    struct pp_out_column *c, size_t rows)
{
	char buf[40];
	size_t i, n;

	if (c->alike && rows > 1)
		rows = 1;
	for (i = 0; i < rows; i++) {
		if (c->tag[i] == 0)
			continue;
		n = c->form == PP_FORM_TIME ?
		    pp_time_print(buf, &c->time, c->v[i]) :
		    pp_digits_print(buf, c->v[i]);
		c->v[i] = intern(o, t, (pp_str){buf, n});
	}
	c->form = PP_FORM_STRING;
	c->strings_only = true;
}

/*
 * The instant s, where all but its fraction stands in the one before it;
 * that one was found to come back as it was.
 */
static bool
as_near(const struct pp_out_column *c, pp_str s, int64_t *v)
{
	int64_t us = 0;
	size_t i;

	if (s.n != c->nnear || s.n < PP_TIME_SHORT ||
	    memcmp(s.p, c->near, PP_TIME_FRACTION) != 0 ||
	    memcmp(s.p + PP_TIME_SHORT, c->near + PP_TIME_SHORT,
	    s.n - PP_TIME_SHORT) != 0)
		return false;
	for (i = PP_TIME_FRACTION; i < PP_TIME_SHORT; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		us = us * 10 + (s.p[i] - '0');
	}
	*v = c->near_us + us;
	return true;
}

static bool
as_time(struct pp_out_column *c, pp_str s, int64_t *v)
{
	struct pp_time_form f;

	if (c->nnear > 0 && as_near(c, s, v))
		return true;
	if (!pp_time_parse(s, &f, v))
		return false;
	if (!c->has_time) {
		c->has_time = true;
		c->time = f;
	}
	if (f.digits == 6 && s.n <= sizeof(c->near)) {
		memcpy(c->near, s.p, s.n);
		c->nnear = s.n;
		/* the fraction counts forward from the second, always */
		c->near_us = *v - (*v % 1000000 + 1000000) % 1000000;
	}
	return f.digits == c->time.digits &&
	    f.has_offset == c->time.has_offset &&
	    f.offset_min == c->time.offset_min;
}

/* The strings of a batch that were last met, by where they stand. */
#define SEEN 128u

struct seen {
	const char *p;
	size_t n;
	uint32_t id;
};

static uint32_t
string_id(struct pp_columns_out *o, struct pp_out_table *t,
    struct seen *seen, pp_str s)
{
	struct seen *x = &seen[((uintptr_t)s.p >> 3 ^ s.n) % SEEN];

	/* within a batch a text that stands at one place is one text */
	if (x->p == s.p && x->n == s.n && s.n > 0)
		return x->id;
	*x = (struct seen){s.p, s.n, intern(o, t, s)};
	return x->id;
}

/* The number of a text: what it says, else its place in the strings, which
 * then holds for the `rows` rows that stand in the column, too. */
static int64_t
text_number(struct pp_columns_out *o, struct pp_out_table *t,
    struct seen *seen, struct pp_out_column *c, size_t rows, pp_str s)
{
	int64_t v;

	if (c->form != PP_FORM_STRING) {
		if (c->form == PP_FORM_DIGITS ? pp_digits_parse(s, &v) :
		    as_time(c, s, &v))
			return v;
		to_strings(o, t, c, rows);
	}
	return string_id(o, t, seen, s);
}

static void
add_texts(struct pp_columns_out *o, struct pp_out_table *t,
    struct seen *seen, struct pp_out_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	int64_t *v = c->v + t->rows, last = 0;
	pp_str at = {NULL, 0};
	enum pp_form form = c->form;
	size_t i;

	memcpy(c->tag + t->rows, tags, n);
	for (i = 0; i < n; i++) {
		v[i] = 0;
		if (tags[i] == 0)
			continue;
		if (at.p != cells[i].str.p || at.n != cells[i].str.n ||
		    at.p == NULL || form != c->form) {
			at = cells[i].str;
			last = text_number(o, t, seen, c, t->rows + i, at);
			form = c->form;
		}
		v[i] = last;
	}
}

static void
widen(struct pp_columns_out *o, struct pp_out_column *c, size_t rows)
{
	size_t i;

	c->wide = pp_mem_alloc(o->mem, c->cap * sizeof(pp_i128));
	for (i = 0; i < rows; i++)
		c->wide[i] = c->v[i];
	c->form = PP_FORM_WIDE;
}

static void
add_wide(struct pp_columns_out *o, struct pp_out_table *t,
    struct pp_out_column *c, const union pp_cell *cells, const uint8_t *tags,
    size_t n)
{
	size_t i;

	if (c->wide == NULL)
		widen(o, c, t->rows);
	for (i = 0; i < n; i++)
		c->wide[t->rows + i] = tags[i] == 0 ? 0 : cells[i].num;
}

static void
add_numbers(struct pp_columns_out *o, struct pp_out_table *t,
    struct pp_out_column *c, const union pp_cell *cells, const uint8_t *tags,
    size_t n)
{
	int64_t *v = c->v + t->rows, x;
	uint64_t over = 0;
	size_t i;

	memcpy(c->tag + t->rows, tags, n);
	for (i = 0; i < n; i++) {
		x = tags[i] == 0 ? 0 : (int64_t)cells[i].num;
		over |= tags[i] == 0 ? 0 : (uint64_t)(x != cells[i].num);
		v[i] = x;
	}
	if (over != 0 || c->wide != NULL)
		add_wide(o, t, c, cells, tags, n);
}

/* Are the cells of the batch all one? */
static bool
is_one(const union pp_cell *cells, const uint8_t *tags, size_t n)
{
	return memcmp(tags, tags + 1, n - 1) == 0 && (tags[0] == 0 ||
	    memcmp(cells, cells + 1, (n - 1) * sizeof(*cells)) == 0);
}

/* Cells that are all one, of a column whose rows are: are they the same?
 * Then nothing is added. */
static bool
add_alike(struct pp_columns_out *o, struct pp_out_table *t,
    struct seen *seen, struct pp_out_column *c, bool text,
    const union pp_cell *cell, uint8_t tag)
{
	size_t had = t->rows > 0;
	int64_t v = 0;

	if (had && c->tag[0] != tag)
		return false;
	if (tag != 0 && text)
		v = text_number(o, t, seen, c, had, cell->str);
	else if (tag != 0 && (v = (int64_t)cell->num) != cell->num)
		return false;
	if (had)
		return c->v[0] == v;
	room(o, t, c, 1);
	c->v[0] = v;
	c->tag[0] = tag;
	return true;
}

static void
add_cells(struct pp_columns_out *o, struct pp_out_table *t,
    struct seen *seen, uint32_t i, const struct pp_batch *b)
{
	bool text = pp_type_is_text(t->table->columns[i].type);
	struct pp_out_column *c = &t->col[i];
	const union pp_cell *cells = b->cells[i];
	const uint8_t *tags = b->tags[i];

	if (c->alike && is_one(cells, tags, b->rows) &&
	    add_alike(o, t, seen, c, text, cells, tags[0]))
		return;
	unlike(o, t, c);
	room(o, t, c, t->rows + b->rows);
	if (text)
		add_texts(o, t, seen, c, cells, tags, b->rows);
	else
		add_numbers(o, t, c, cells, tags, b->rows);
}

/* Every column begins a block with hope. */
static void
begin_block(struct pp_columns_out *o, struct pp_out_table *t)
{
	struct pp_out_column *c;
	uint32_t i;

	t->rows = 0;
	for (i = 0; i < t->ncolumns; i++) {
		c = &t->col[i];
		pp_mem_free(o->mem, c->wide);
		c->wide = NULL;
		c->alike = true;
		c->has_time = false;
		c->nnear = 0;
		c->form = t->table->columns[i].type == PP_T_TIME ?
		    PP_FORM_TIME : t->table->columns[i].type == PP_T_ID ?
		    PP_FORM_DIGITS : PP_FORM_NUMBER;
		if (t->table->columns[i].type == PP_T_TEXT ||
		    (c->strings_only && c->form != PP_FORM_NUMBER))
			c->form = PP_FORM_STRING;
	}
	if (t->own_strings) {
		pp_strtab_free(&t->strings);
		pp_strtab_init(&t->strings, o->mem);
		t->string_bytes = 0;
	}
}

static enum pp_status
sink_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct pp_columns_out *o = of_sink(s);
	struct pp_out_table *t = find_table(o, b->table);
	struct seen seen[SEEN];
	uint32_t i;

	PP_ASSERT(t != NULL);
	if (b->rows == 0 || o->too_long)
		return PP_OK;
	memset(seen, 0, sizeof(seen));
	if (t->rows + b->rows > t->most)
		pp_columns_pack(o, t);
	if (t->rows == 0)
		begin_block(o, t);
	for (i = 0; i < t->ncolumns; i++)
		add_cells(o, t, seen, i, b);
	t->rows += b->rows;
	o->too_long |= t->string_bytes > PP_TEXTS_MOST;
	if (t->string_bytes > STRINGS_MOST && !o->too_long)
		pp_columns_pack(o, t);
	return o->failed ? PP_FAILED : PP_OK;
}

static enum pp_status
sink_end(struct pp_rowsink *s, const struct pp_table *table)
{
	struct pp_columns_out *o = of_sink(s);
	struct pp_out_table *t = find_table(o, table);
	uint32_t i;

	PP_ASSERT(t != NULL);
	if (!o->too_long)
		pp_columns_pack(o, t);
	for (i = 0; i < t->ncolumns; i++) {
		pp_mem_free(o->mem, t->col[i].v);
		pp_mem_free(o->mem, t->col[i].tag);
		pp_mem_free(o->mem, t->col[i].wide);
		t->col[i].v = NULL;
		t->col[i].tag = NULL;
		t->col[i].wide = NULL;
		t->col[i].cap = 0;
	}
	if (t->own_strings)
		pp_strtab_free(&t->strings);
	return o->failed ? PP_FAILED : PP_OK;
}

struct pp_columns_out *
pp_columns_out(struct pp_mem *mem, bool (*put)(void *, const void *, size_t),
    void *arg)
{
	struct pp_columns_out *o = pp_mem_zalloc(mem, sizeof(*o));

	o->mem = mem;
	o->put = put;
	o->arg = arg;
	o->sink = (struct pp_rowsink){sink_begin, sink_rows, sink_end};
	pp_strtab_init(&o->strings, mem);
	o->deflate = libdeflate_alloc_compressor(PP_COLUMNS_LEVEL);
	o->fast = libdeflate_alloc_compressor(PP_COLUMNS_FAST);
	if (o->deflate == NULL || o->fast == NULL)
		pp_mem_fail(mem);
	return o;
}

bool
pp_columns_too_long(const struct pp_columns_out *o)
{
	return o->too_long;
}

struct pp_rowsink *
pp_columns_sink(struct pp_columns_out *o)
{
	return &o->sink;
}
