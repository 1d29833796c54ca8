/*
 * columns_read.c: tables out of columns (columns.h).  Sees base and table.h
 * only.
 *
 * Nothing here is trusted: lengths are bounded by what is there, a guess may
 * only look at columns before it, and numbers that are places are checked.
 */
#include "columns_read.h"

#include "bytes.h"

/* A run as put_run has written it; b->bad at damage. */
static struct pp_bytes_in
get_run(struct pp_reading *r, struct pp_bytes_in *b)
{
	struct pp_bytes_in none = {NULL, NULL, false};
	uint64_t n = pp_varint_get(b), packed;
	const unsigned char *p;

	if (n & 1) {
		packed = pp_varint_get(b);
		p = packed > SIZE_MAX ? NULL :
		    pp_bytes_get(b, (size_t)packed);
		p = p == NULL ? NULL : pp_reading_inflate(r, p,
		    (size_t)packed, n >> 1);
	} else {
		p = n >> 1 > SIZE_MAX ? NULL :
		    pp_bytes_get(b, (size_t)(n >> 1));
	}
	if (p == NULL || b->bad) {
		b->bad = true;
		return none;
	}
	return (struct pp_bytes_in){p, p + (n >> 1), false};
}

/* The bytes of a block, unpacked; bad at damage. */
static struct pp_bytes_in
get_block(struct pp_reading *r, const struct pp_columns_block *k)
{
	struct pp_bytes_in b = {NULL, NULL, true};
	unsigned char *p;
	const unsigned char *q;
	uint32_t n;

	if (k->bytes < 1 || k->bytes > PP_BLOCK_BYTES)
		return b;
	p = pp_arena_alloc(&r->tmp, k->bytes);
	if (!r->c->get(r->c->arg, p, k->bytes, k->at))
		return b;
	if (p[0] == 0)
		return (struct pp_bytes_in){p + 1, p + k->bytes, false};
	if (p[0] != 1 || k->bytes < 5)
		return b;
	n = pp_get32(p + 1);
	q = pp_reading_inflate(r, p + 5, k->bytes - 5, n);
	if (q == NULL)
		return b;
	return (struct pp_bytes_in){q, q + n, false};
}

/* Strings as put_strings has written them, their bytes in `text`; of a block
 * of `packed` bytes. */
static bool
get_strings(struct pp_reading *r, struct pp_bytes_in *b, uint32_t packed,
    struct pp_arena *text, pp_str **out, uint32_t *n)
{
	uint64_t count = pp_varint_get(b), k;
	struct pp_bytes_in lengths = get_run(r, b), bytes = get_run(r, b);
	const unsigned char *p;
	char *all;
	size_t i;

	if (b->bad || !pp_strings_fit(count, packed) ||
	    count > (size_t)(lengths.end - lengths.p))
		return false;
	all = pp_arena_alloc(text, (size_t)(bytes.end - bytes.p) + 1);
	if (bytes.end > bytes.p)
		memcpy(all, bytes.p, (size_t)(bytes.end - bytes.p));
	*out = pp_arena_alloc(text, ((size_t)count + 1) * sizeof(**out));
	for (i = 0; i < count; i++) {
		k = pp_varint_get(&lengths);
		if (lengths.bad || k > (size_t)(bytes.end - bytes.p))
			return false;
		p = pp_bytes_get(&bytes, (size_t)k);
		(*out)[i] = (pp_str){all, (size_t)k};
		all += k;
		(void)p;
	}
	*n = (uint32_t)count;
	return true;
}

/* ---------------------------------------------------------------- columns */

static inline uint8_t
tag_of(const struct pp_in_column *c, size_t i)
{
	return c->tags != NULL ? c->tags[i] : c->tag;
}

/* Tags that follow from column a, which was met: where that has a value, or
 * `turned` where it has none. */
static bool
tags_like(struct pp_reading *r, struct pp_in_column *c, uint64_t a, bool turned,
    uint8_t tag)
{
	uint8_t *tags;
	uint32_t i;

	if (a >= r->t->ncolumns || !r->col[a].there)
		return false;
	tags = pp_arena_alloc(&r->tmp, r->rows + 1);
	for (i = 0; i < r->rows; i++)
		tags[i] = (tag_of(&r->col[a], i) != 0) != turned ? tag : 0;
	c->tags = tags;
	return true;
}

static bool
get_tags(struct pp_reading *r, struct pp_bytes_in *b, struct pp_in_column *c)
{
	const unsigned char *how = pp_bytes_get(b, 1), *p;
	struct pp_bytes_in run;
	uint64_t a;

	if (how == NULL || *how > 3)
		return false;
	if (*how == 1) {
		run = get_run(r, b);
		if (b->bad || (size_t)(run.end - run.p) != r->rows)
			return false;
		c->tags = run.p;
		return true;
	}
	a = *how == 0 ? 0 : pp_varint_get(b);
	p = pp_bytes_get(b, 1);
	if (p == NULL)
		return false;
	if (*how != 0)
		return tags_like(r, c, a, *how == 3, *p);
	c->tag = *p;
	return true;
}

/* May another column follow from this one?  It has come before that. */
static bool
may_lead(const struct pp_reading *r, uint32_t a)
{
	return a < r->t->ncolumns && r->col[a].there &&
	    r->col[a].form != PP_FORM_WIDE;
}

/* What is said of the next column; its values stay packed as varints. */
static bool
get_column(struct pp_reading *r, struct pp_bytes_in *b)
{
	uint64_t i = pp_varint_get(b);
	const unsigned char *p = pp_bytes_get(b, 1);
	struct pp_in_column *c;

	if (p == NULL || *p > PP_FORM_WIDE || i >= r->t->ncolumns ||
	    r->col[i].there)
		return false;
	c = &r->col[i];
	c->form = (enum pp_form)*p;
	if (c->form == PP_FORM_TIME) {
		p = pp_bytes_get(b, 4);
		if (p == NULL || p[0] > 6)
			return false;
		c->time = (struct pp_time_form){p[0], p[1] != 0,
			(int16_t)pp_get16(p + 2)};
	}
	if (pp_type_is_text(r->t->type[i]) ? c->form == PP_FORM_NUMBER ||
	    c->form == PP_FORM_WIDE : c->form != PP_FORM_NUMBER &&
	    c->form != PP_FORM_WIDE)
		return false;
	if (!get_tags(r, b, c))
		return false;
	if (c->form != PP_FORM_WIDE) {
		p = pp_bytes_get(b, 1);
		if (p == NULL || *p >= PP_GUESS_COUNT)
			return false;
		c->how = (enum pp_guess)*p;
		if (c->how >= PP_GUESS_A)
			c->a = (uint32_t)pp_varint_get(b);
		if (c->how == PP_GUESS_DIFF || c->how == PP_GUESS_SUM)
			c->b = (uint32_t)pp_varint_get(b);
		if (c->how >= PP_GUESS_A && (!may_lead(r, c->a) ||
		    ((c->how == PP_GUESS_DIFF || c->how == PP_GUESS_SUM) &&
		    !may_lead(r, c->b))))
			return false;
	}
	c->there = true;
	c->values = get_run(r, b);
	return !b->bad && (c->form != PP_FORM_WIDE ||
	    (size_t)(c->values.end - c->values.p) == (size_t)r->rows * 16);
}

/* Decode the numbers of column i, and before it those it follows from. */
static bool
decode(struct pp_reading *r, uint32_t i)
{
	struct pp_in_column *c = &r->col[i];
	const int64_t *a = NULL, *b = NULL;
	int64_t above = 0, a_above = 0, guess;
	bool exact = c->values.p == c->values.end;
	size_t k, slot = 0;

	if (c->done)
		return true;
	c->done = true;
	/* a was met before i, so that this ends */
	if (c->how >= PP_GUESS_A && !decode(r, c->a))
		return false;
	if ((c->how == PP_GUESS_DIFF || c->how == PP_GUESS_SUM) &&
	    !decode(r, c->b))
		return false;
	a = r->col[c->a].v;
	b = r->col[c->b].v;
	c->v = pp_arena_zalloc(&r->tmp, (r->rows + 1) * sizeof(*c->v));
	if (c->how == PP_GUESS_LIKE)
		memset(r->like, 0, PP_LIKE_SLOTS * sizeof(*r->like));
	for (k = 0; k < r->rows; k++) {
		if (tag_of(c, k) == 0)
			continue;
		guess = 0;
		switch (c->how) {
		case PP_GUESS_ABOVE:
			guess = above;
			break;
		case PP_GUESS_A:
			guess = a[k];
			break;
		case PP_GUESS_DIFF:
			guess = pp_wrap_sub(a[k], b[k]);
			break;
		case PP_GUESS_SUM:
			guess = pp_wrap_add(a[k], b[k]);
			break;
		case PP_GUESS_ALONG:
			guess = pp_wrap_add(above, pp_wrap_sub(a[k],
			    a_above));
			a_above = a[k];
			break;
		case PP_GUESS_LIKE:
			slot = pp_like_slot(a[k]);
			guess = r->like[slot];
			break;
		case PP_GUESS_BASE32:
			/* of another form, or a place that is none: 0 */
			if (r->col[c->a].form == PP_FORM_STRING &&
			    a[k] >= 0 && a[k] < r->nstrings)
				guess = pp_base32(r->string[a[k]]);
			break;
		case PP_GUESS_NONE:
		case PP_GUESS_COUNT:
			break;
		}
		if (!exact)
			guess = pp_wrap_add(guess, pp_unzigzag(
			    pp_varint_get(&c->values)));
		if (c->how == PP_GUESS_LIKE)
			r->like[slot] = guess;
		c->v[k] = above = guess;
	}
	return !c->values.bad && c->values.p == c->values.end;
}

/* ----------------------------------------------------------------- cells */

static bool
fill_text(struct pp_reading *r, const struct pp_in_column *c,
    union pp_cell *cells, struct pp_arena *text)
{
	char buf[40];
	size_t k, n;

	for (k = 0; k < r->rows; k++) {
		cells[k].str = (pp_str){"", 0};
		if (tag_of(c, k) == 0)
			continue;
		if (c->form == PP_FORM_STRING) {
			if (c->v[k] < 0 || c->v[k] >= r->nstrings)
				return false;
			cells[k].str = r->string[c->v[k]];
			continue;
		}
		n = c->form == PP_FORM_TIME ?
		    pp_time_print(buf, &c->time, c->v[k]) :
		    pp_digits_print(buf, c->v[k]);
		cells[k].str = pp_arena_str(text, (pp_str){buf, n});
	}
	return true;
}

static void
fill_numbers(struct pp_reading *r, const struct pp_in_column *c,
    union pp_cell *cells)
{
	const unsigned char *p = c->values.p;
	size_t k;

	for (k = 0; k < r->rows; k++)
		cells[k].num = c->form != PP_FORM_WIDE ? c->v[k] :
		    (pp_i128)((pp_u128)pp_get64(p + 16 * k + 8) << 64 |
		    pp_get64(p + 16 * k));
}

/* Tags that a batch may have: a scale that numbers can have. */
static bool
fill_tags(struct pp_reading *r, const struct pp_in_column *c, bool is_text,
    uint8_t *tags)
{
	size_t k;

	for (k = 0; k < r->rows; k++) {
		tags[k] = tag_of(c, k);
		if (tags[k] > (is_text ? 1 : 39))
			return false;
	}
	return true;
}

static bool
fill_column(struct pp_reading *r, uint32_t i, struct pp_columns_rows *out,
    struct pp_arena *text)
{
	bool is_text = pp_type_is_text(r->t->type[i]);
	struct pp_in_column *c = &r->col[i];

	if (!fill_tags(r, c, is_text, out->tags[i]) ||
	    (c->form != PP_FORM_WIDE && !decode(r, i)))
		return false;
	if (is_text)
		return fill_text(r, c, out->cells[i], text);
	fill_numbers(r, c, out->cells[i]);
	return true;
}

static void
make_room(struct pp_columns_rows *b, struct pp_mem *mem, uint32_t ncolumns,
    uint32_t rows)
{
	uint32_t i;

	if (b->ncolumns == ncolumns && b->cap >= rows)
		return;
	pp_columns_rows_free(b, mem);
	b->cells = pp_mem_zalloc(mem, (ncolumns + 1) * sizeof(*b->cells));
	b->tags = pp_mem_zalloc(mem, (ncolumns + 1) * sizeof(*b->tags));
	for (i = 0; i < ncolumns; i++) {
		b->cells[i] = pp_mem_alloc(mem, (rows + 1) *
		    sizeof(**b->cells));
		b->tags[i] = pp_mem_alloc(mem, rows + 1);
	}
	b->ncolumns = ncolumns;
	b->cap = rows;
}

void
pp_columns_rows_free(struct pp_columns_rows *b, struct pp_mem *mem)
{
	uint32_t i;

	for (i = 0; b->cells != NULL && i < b->ncolumns; i++) {
		pp_mem_free(mem, b->cells[i]);
		pp_mem_free(mem, b->tags[i]);
	}
	pp_mem_free(mem, b->cells);
	pp_mem_free(mem, b->tags);
	memset(b, 0, sizeof(*b));
}

/* ------------------------------------------------------------- the stream */

/* The strings of a block behind those that are there. */
static bool
add_shared(struct pp_columns_in *c, const struct pp_columns_block *k)
{
	struct pp_reading r;
	struct pp_bytes_in b;
	void *v = c->string;
	uint32_t n = 0;
	pp_str *part;
	bool ok;

	pp_reading_begin(&r, c);
	b = get_block(&r, k);
	ok = !b.bad && get_strings(&r, &b, k->bytes, &c->text_strings, &part,
	    &n) && n == k->rows && n < UINT32_MAX - c->nstrings;
	if (ok) {
		pp_mem_grow(c->mem, &v, &c->string_cap,
		    (size_t)c->nstrings + n + 1, sizeof(*c->string));
		c->string = v;
		memcpy(c->string + c->nstrings, part, n * sizeof(*part));
		c->nstrings += n;
	}
	pp_reading_end(&r);
	return ok;
}

/* The strings that tables share, once. */
static bool
read_shared(struct pp_columns_in *c)
{
	uint32_t i;

	c->nstrings = 0;
	for (i = 0; i < c->nstrings_blocks; i++) {
		/* none is there twice */
		if (i > 0 && c->strings[i].at < c->strings[i - 1].at +
		    c->strings[i - 1].bytes)
			return false;
		if (!add_shared(c, &c->strings[i]))
			return false;
	}
	c->has_strings = true;
	return true;
}

static bool
shared_strings(struct pp_reading *r)
{
	struct pp_columns_in *c = r->c;

	if (!c->has_strings && !read_shared(c))
		return false;
	r->string = c->string;
	r->nstrings = c->nstrings;
	return true;
}

static bool
read_block(struct pp_reading *r, const struct pp_columns_block *k,
    const bool *wanted, struct pp_arena *text, struct pp_columns_rows *out)
{
	struct pp_bytes_in b = get_block(r, k);
	pp_str *own = NULL;
	uint32_t i;

	if (b.bad)
		return false;
	for (i = 0; i < r->t->ncolumns; i++)
		if (!get_column(r, &b))
			return false;
	if (r->t->own_strings) {
		if (!get_strings(r, &b, k->bytes, text, &own, &r->nstrings))
			return false;
		r->string = own;
	} else if (!shared_strings(r)) {
		return false;
	}
	if (b.p != b.end)
		return false;
	for (i = 0; i < r->t->ncolumns; i++)
		if ((wanted == NULL || wanted[i]) &&
		    !fill_column(r, i, out, text))
			return false;
	out->rows = r->rows;
	return true;
}

bool
pp_columns_read(struct pp_columns_in *c, const struct pp_columns_table *t,
    uint32_t k, const bool *wanted, struct pp_arena *text,
    struct pp_columns_rows *out)
{
	struct pp_reading r;
	bool ok;

	pp_reading_begin(&r, c);
	r.t = t;
	r.rows = t->block[k].rows;
	r.col = pp_arena_zalloc(&r.tmp, (t->ncolumns + 1) * sizeof(*r.col));
	r.like = pp_arena_alloc(&r.tmp, PP_LIKE_SLOTS * sizeof(*r.like));
	make_room(out, c->mem, t->ncolumns, r.rows);
	ok = read_block(&r, &t->block[k], wanted, text, out);
	pp_reading_end(&r);
	return ok;
}
