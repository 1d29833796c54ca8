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

static void
room(struct pp_columns_out *o, struct pp_out_table *t, size_t rows)
{
	size_t cap = t->cap == 0 ? 256 : t->cap, i;

	if (rows <= t->cap)
		return;
	/* by four: what is copied on the way is a third of it, not all */
	while (cap < rows)
		cap *= 4;
	for (i = 0; i < t->ncolumns; i++) {
		t->col[i].v = pp_mem_realloc(o->mem, t->col[i].v,
		    cap * sizeof(*t->col[i].v));
		t->col[i].tag = pp_mem_realloc(o->mem, t->col[i].tag, cap);
		if (t->col[i].wide != NULL)
			t->col[i].wide = pp_mem_realloc(o->mem,
			    t->col[i].wide, cap * sizeof(pp_i128));
	}
	t->cap = cap;
}

/*
 * Columns stand as they are declared, but a begin behind its end and its
 * duration: events end one after the other, and so an end follows from the
 * one above, and a begin from the two.
 */
static void
set_order(struct pp_columns_out *o, struct pp_out_table *t)
{
	static const char *const late[] = {"start_s", "start_at"};
	uint32_t i, k, n = 0, after = UINT32_MAX;
	const char *name;

	t->order = pp_mem_alloc(o->mem, t->ncolumns * sizeof(*t->order));
	for (i = 0; i < t->ncolumns; i++)
		if (strcmp(t->table->columns[i].name, "elapsed_s") == 0)
			after = i;
	/* in the order of declaration, `late` behind `after` */
	for (i = 0; i < t->ncolumns; i++) {
		name = t->table->columns[i].name;
		if (after == UINT32_MAX || i > after ||
		    (strcmp(name, late[0]) != 0 && strcmp(name, late[1]) != 0))
			t->order[n++] = i;
		for (k = 0; i == after && k < after; k++) {
			name = t->table->columns[k].name;
			if (strcmp(name, late[0]) == 0 ||
			    strcmp(name, late[1]) == 0)
				t->order[n++] = k;
		}
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

	if (!t->own_strings)
		return pp_strtab_id(&o->strings, s);
	id = pp_strtab_id(&t->strings, s);
	if (t->strings.count > had)
		t->string_bytes += s.n;
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

/* Text as the number that it says; false where it says none. */
static bool
as_number(struct pp_out_column *c, pp_str s, int64_t *v)
{
	struct pp_time_form f;

	if (c->form == PP_FORM_DIGITS)
		return pp_digits_parse(s, v);
	if (!pp_time_parse(s, &f, v))
		return false;
	if (!c->has_time) {
		c->has_time = true;
		c->time = f;
	}
	return f.digits == c->time.digits &&
	    f.has_offset == c->time.has_offset &&
	    f.offset_min == c->time.offset_min;
}

/* The strings of a batch that were last met, by where they stand. */
#define SEEN 64u

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

static void
add_texts(struct pp_columns_out *o, struct pp_out_table *t,
    struct pp_out_column *c, const union pp_cell *cells, const uint8_t *tags,
    size_t n)
{
	struct seen seen[SEEN];
	int64_t *v = c->v + t->rows;
	size_t i;

	memset(seen, 0, sizeof(seen));
	memcpy(c->tag + t->rows, tags, n);
	for (i = 0; i < n; i++) {
		v[i] = 0;
		if (tags[i] == 0)
			continue;
		if (c->form != PP_FORM_STRING &&
		    !as_number(c, cells[i].str, &v[i]))
			to_strings(o, t, c, t->rows + i);
		if (c->form == PP_FORM_STRING)
			v[i] = string_id(o, t, seen, cells[i].str);
	}
}

static void
widen(struct pp_columns_out *o, struct pp_out_table *t,
    struct pp_out_column *c, size_t rows)
{
	size_t i;

	c->wide = pp_mem_alloc(o->mem, t->cap * sizeof(pp_i128));
	for (i = 0; i < rows; i++)
		c->wide[i] = c->v[i];
	c->form = PP_FORM_WIDE;
}

static void
add_numbers(struct pp_columns_out *o, struct pp_out_table *t,
    struct pp_out_column *c, const union pp_cell *cells, const uint8_t *tags,
    size_t n)
{
	int64_t *v = c->v + t->rows;
	size_t i;

	memcpy(c->tag + t->rows, tags, n);
	for (i = 0; i < n; i++) {
		pp_i128 x = tags[i] == 0 ? 0 : cells[i].num;

		v[i] = (int64_t)x;
		if (v[i] != x && c->wide == NULL)
			widen(o, t, c, t->rows + i);
		if (c->wide != NULL)
			c->wide[t->rows + i] = x;
	}
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
		c->has_time = false;
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
	uint32_t i;

	PP_ASSERT(t != NULL);
	if (t->rows + b->rows > PP_BLOCK_ROWS)
		pp_columns_pack(o, t);
	if (t->rows == 0)
		begin_block(o, t);
	room(o, t, t->rows + b->rows);
	for (i = 0; i < t->ncolumns; i++) {
		if (pp_type_is_text(t->table->columns[i].type))
			add_texts(o, t, &t->col[i], b->cells[i], b->tags[i],
			    b->rows);
		else
			add_numbers(o, t, &t->col[i], b->cells[i],
			    b->tags[i], b->rows);
	}
	t->rows += b->rows;
	if (t->string_bytes > STRINGS_MOST)
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
	pp_columns_pack(o, t);
	for (i = 0; i < t->ncolumns; i++) {
		pp_mem_free(o->mem, t->col[i].v);
		pp_mem_free(o->mem, t->col[i].tag);
		pp_mem_free(o->mem, t->col[i].wide);
		t->col[i].wide = NULL;
	}
	if (t->own_strings)
		pp_strtab_free(&t->strings);
	t->cap = 0;
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
	if (o->deflate == NULL)
		pp_mem_fail(mem);
	return o;
}

struct pp_rowsink *
pp_columns_sink(struct pp_columns_out *o)
{
	return &o->sink;
}
