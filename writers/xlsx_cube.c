/*
 * xlsx_cube.c: sums of the cube, as a pivot table of Excel makes them.
 *
 * Rows are added while they pass to the Data sheet.  What a pivot table takes
 * for one item is one here too: text that differs only in case, the first
 * spelling shown.  Sums are exact, at 10^-12.
 */
#include <stdlib.h>
#include <string.h>

#include "xlsx.h"

#define SCALE 12u

/* Bounds beyond which no pivot table is made: what a filter's list shows,
 * what a chart's axis takes, and memory. */
#define ITEMS_MAX 10000u
#define INTERVALS_MAX 30000u
#define CELLS_MAX 400000u

static const char *const fields[PP_XF_COUNT] = {
	"source", "session", "interval", "event", "statement", "time_s"
};

void
pp_xlsx_cube_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_cube *c = &x->cube;
	size_t i, k;

	c->sheet = s;
	for (k = 0; k < PP_XF_COUNT; k++) {
		c->at[k] = -1;
		for (i = 0; i < s->table->ncolumns; i++)
			if (strcmp(s->table->columns[i].name, fields[k]) == 0)
				c->at[k] = (int)i;
		if (c->at[k] < 0)
			return;
	}
	for (k = 0; k < PP_XF_TIME; k++) {
		enum pp_type t = s->table->columns[c->at[k]].type;
		bool text = k != PP_XF_SESSION && k != PP_XF_INTERVAL;

		if (pp_type_is_text(t) != text)
			return;
		pp_strtab_init(&c->axis[k].keys, x->mem);
	}
	pp_map_init(&c->by_interval.index, x->mem);
	pp_map_init(&c->by_statement.index, x->mem);
	c->ncolumns = s->table->ncolumns;
	c->column = pp_mem_zalloc(x->mem, c->ncolumns * sizeof(*c->column));
	c->ok = true;
}

/* ---------------------------------------------------------------- folding */

/* Lower case of the scripts in two bytes of UTF-8 that have case. */
static unsigned
fold(unsigned u)
{
	if ((u >= 0xc0 && u <= 0xde && u != 0xd7) ||	/* Latin-1 */
	    (u >= 0x391 && u <= 0x3a9) ||		/* Greek */
	    (u >= 0x410 && u <= 0x42f))			/* Cyrillic */
		return u + 32;
	if (u >= 0x400 && u <= 0x40f)
		return u + 80;
	if ((u >= 0x100 && u <= 0x137) || (u >= 0x14a && u <= 0x177))
		return u | 1;				/* Latin Extended-A */
	if ((u >= 0x139 && u <= 0x148) || (u >= 0x179 && u <= 0x17e))
		return u + (u & 1);
	return u;
}

static pp_str
folded(struct pp_arena *a, pp_str s)
{
	char *p = pp_arena_alloc(a, s.n + 1);
	size_t i;

	for (i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c + 32);
		if (c >= 0xc3 && c <= 0xd0 && i + 1 < s.n) {
			unsigned u = fold(((c & 0x1fu) << 6) |
			    ((unsigned char)s.p[i + 1] & 0x3fu));

			p[i++] = (char)(0xc0 | u >> 6);
			p[i] = (char)(0x80 | (u & 0x3f));
			continue;
		}
		p[i] = (char)c;
	}
	return (pp_str){p, s.n};
}

/* ----------------------------------------------------------------- adding */

static struct pp_xlsx_item *
item(struct pp_xlsx *x, struct pp_xlsx_axis *a, pp_str key)
{
	size_t before = a->keys.count;
	uint32_t id = pp_strtab_id(&a->keys, key);
	void *p = a->item;

	/* id 0 is the empty string, there from the start */
	if (a->keys.count > before || id >= a->count) {
		pp_mem_grow(x->mem, &p, &a->cap, (size_t)id + 1,
		    sizeof(*a->item));
		a->item = p;
		while (a->count <= id)
			memset(&a->item[a->count++], 0, sizeof(*a->item));
	}
	if (!a->item[id].used) {
		a->item[id].used = true;
		a->nused++;
	}
	return &a->item[id];
}

static struct pp_xlsx_item *
text_item(struct pp_xlsx *x, struct pp_xlsx_axis *a, pp_str s)
{
	pp_str clean = pp_sanitise(&x->again, s);
	struct pp_xlsx_item *i;
	uint32_t id;

	/* the same as in the row before: most often */
	if (a->last.p != NULL && pp_str_eq(a->last, clean))
		return &a->item[a->last_id];
	i = item(x, a, folded(&x->scratch, clean));
	id = (uint32_t)(i - a->item);
	if (i->text.p == NULL) {
		i->text = i->raw = pp_arena_str(&x->keep, clean);
		if (clean.p != s.p)
			i->raw = pp_arena_str(&x->keep, s);
	}
	a->last = pp_str_eq(i->text, clean) ? i->text : (pp_str){NULL, 0};
	a->last_id = id;
	return i;
}

static struct pp_xlsx_item *
number_item(struct pp_xlsx *x, struct pp_xlsx_axis *a, pp_i128 v)
{
	struct pp_xlsx_item *i;
	char text[PP_DEC_MAX];

	if (a->last.p != NULL && a->item[a->last_id].number == v)
		return &a->item[a->last_id];
	i = item(x, a, (pp_str){text, pp_dec_format(text, v, 0)});
	if (i->text.p == NULL)
		i->text = pp_arena_str(&x->keep, (pp_str){text,
		    pp_dec_format(text, v, 0)});
	i->number = v;
	a->last = i->text;
	a->last_id = (uint32_t)(i - a->item);
	return i;
}

static void
add_cell(struct pp_xlsx *x, struct pp_xlsx_sums *t, uint32_t row,
    uint32_t col, pp_i128 v)
{
	uint32_t *at;
	void *p = t->sum;

	if (t->full)
		return;
	at = pp_map_at(&t->index, row, col);
	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)t->count;
		if (t->count == CELLS_MAX) {
			t->full = true;
			*at = 0;
			return;
		}
		pp_mem_grow(x->mem, &p, &t->cap, t->count + 1,
		    sizeof(*t->sum));
		t->sum = p;
		t->sum[t->count++] = 0;
	}
	t->sum[*at] += v;
}

/* What a field that is on no axis holds, for the hints of the cache. */
static void
note_column(struct pp_xlsx *x, const struct pp_batch *b, size_t col)
{
	struct pp_xlsx_hint *h = &x->cube.column[col];
	size_t i;

	if (pp_type_is_text(b->table->columns[col].type)) {
		h->text = true;
		return;
	}
	for (i = 0; i < b->rows; i++) {
		unsigned tag = b->tags[col][i];
		pp_i128 v;

		if (tag == 0) {
			h->blank = true;
			continue;
		}
		v = pp_dec_rescale(b->cells[col][i].num, tag - 1, SCALE);
		if (tag > 1)
			h->fraction = true;
		if (!h->number || v < h->min)
			h->min = v;
		if (!h->number || v > h->max)
			h->max = v;
		h->number = true;
	}
}

static bool
add_row(struct pp_xlsx *x, const struct pp_batch *b, size_t row)
{
	struct pp_xlsx_cube *c = &x->cube;
	struct pp_xlsx_item *i[PP_XF_TIME];
	uint32_t id[PP_XF_TIME];
	size_t k, time = (size_t)c->at[PP_XF_TIME];
	pp_i128 v;

	for (k = 0; k < PP_XF_TIME; k++) {
		size_t col = (size_t)c->at[k];

		if (b->tags[col][row] == 0)
			return false;
		i[k] = k == PP_XF_SESSION || k == PP_XF_INTERVAL ?
		    number_item(x, &c->axis[k], b->cells[col][row].num) :
		    text_item(x, &c->axis[k], b->cells[col][row].str);
		id[k] = (uint32_t)(i[k] - c->axis[k].item);
	}
	if (b->tags[time][row] == 0)
		return false;
	v = pp_dec_rescale(b->cells[time][row].num, b->tags[time][row] - 1u,
	    SCALE);
	for (k = 0; k < PP_XF_TIME; k++)
		i[k]->sum += v;
	c->total += v;
	add_cell(x, &c->by_interval, id[PP_XF_INTERVAL], id[PP_XF_EVENT], v);
	add_cell(x, &c->by_statement, id[PP_XF_STATEMENT], id[PP_XF_EVENT],
	    v);
	return true;
}

void
pp_xlsx_cube_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b)
{
	struct pp_xlsx_cube *c = &x->cube;
	size_t i;

	if (!c->ok)
		return;
	/* a pivot table's source is one sheet */
	if (s->number > 1) {
		c->ok = false;
		return;
	}
	for (i = 0; i < b->rows && c->ok; i++)
		c->ok = add_row(x, b, i);
	for (i = 0; i < c->ncolumns; i++)
		note_column(x, b, i);
	c->ok = c->ok && c->axis[PP_XF_EVENT].nused <= ITEMS_MAX &&
	    c->axis[PP_XF_INTERVAL].nused <= INTERVALS_MAX &&
	    !c->by_interval.full;
}

/* --------------------------------------------------------------- ordering */

static int
by_number(const void *a, const void *b)
{
	const struct pp_xlsx_item *p = *(struct pp_xlsx_item *const *)a;
	const struct pp_xlsx_item *q = *(struct pp_xlsx_item *const *)b;

	return p->number < q->number ? -1 : p->number > q->number;
}

static int
by_sum(const void *a, const void *b)
{
	const struct pp_xlsx_item *p = *(struct pp_xlsx_item *const *)a;
	const struct pp_xlsx_item *q = *(struct pp_xlsx_item *const *)b;

	if (p->sum != q->sum)
		return p->sum > q->sum ? -1 : 1;
	return pp_str_cmp(p->text, q->text);
}

void
pp_xlsx_cube_sort(struct pp_xlsx *x)
{
	struct pp_xlsx_cube *c = &x->cube;
	size_t k, i, n;

	for (k = 0; k < PP_XF_TIME; k++) {
		struct pp_xlsx_axis *a = &c->axis[k];

		a->order = pp_mem_alloc(x->mem, (a->nused + 1) *
		    sizeof(*a->order));
		n = 0;
		for (i = 0; i < a->count; i++)
			if (a->item[i].used)
				a->order[n++] = &a->item[i];
		if (n > 1)
			qsort(a->order, n, sizeof(*a->order),
			    k == PP_XF_SESSION || k == PP_XF_INTERVAL ?
			    by_number : by_sum);
	}
	/* so many that no list could show them */
	c->statements = c->axis[PP_XF_STATEMENT].nused <= ITEMS_MAX;
	c->sessions = c->axis[PP_XF_SESSION].nused <= ITEMS_MAX;
	c->sources = c->axis[PP_XF_SOURCE].nused > 1 &&
	    c->axis[PP_XF_SOURCE].nused <= ITEMS_MAX;
}

const pp_i128 *
pp_xlsx_cube_sum(const struct pp_xlsx_cube *c, const struct pp_xlsx_sums *t,
    enum pp_xlsx_field row_field, size_t row, size_t event)
{
	const struct pp_xlsx_axis *r = &c->axis[row_field];
	const struct pp_xlsx_axis *e = &c->axis[PP_XF_EVENT];
	uint32_t at = pp_map_get(&t->index,
	    (uint64_t)(r->order[row] - r->item),
	    (uint64_t)(e->order[event] - e->item));

	return at == PP_MAP_NONE ? NULL : &t->sum[at];
}

void
pp_xlsx_cube_free(struct pp_xlsx *x)
{
	struct pp_xlsx_cube *c = &x->cube;
	size_t k;

	for (k = 0; k < PP_XF_TIME; k++) {
		if (c->axis[k].keys.e != NULL)
			pp_strtab_free(&c->axis[k].keys);
		pp_mem_free(x->mem, c->axis[k].item);
		pp_mem_free(x->mem, c->axis[k].order);
	}
	if (c->by_interval.index.mem != NULL)
		pp_map_free(&c->by_interval.index);
	if (c->by_statement.index.mem != NULL)
		pp_map_free(&c->by_statement.index);
	pp_mem_free(x->mem, c->by_interval.sum);
	pp_mem_free(x->mem, c->by_statement.sum);
	pp_mem_free(x->mem, c->column);
}
