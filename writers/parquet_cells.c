/*
 * parquet_cells.c: cells of a column become the values of its page.
 *
 * Sees base and table.h only.
 */
#include "parquet_column.h"

#define WORTH 4	/* times that a text of a dictionary is used */

/* Eight tags as the bits of a byte: is there a value? */
static inline uint8_t
present(const uint8_t *tags)
{
	uint64_t t;

	memcpy(&t, tags, 8);
	/* tags are small: the top bit is set where a byte is not 0 */
	t = (t + 0x7f7f7f7f7f7f7f7fu) & 0x8080808080808080u;
	return (uint8_t)((t >> 7) * 0x0102040810204080u >> 56);
}

static void
add_bits(struct pp_pq_column *c, const uint8_t *tags, size_t n)
{
	size_t need = (c->rows + n + 7) / 8 + 8, i = 0, at = c->rows;
	unsigned shift = at % 8, b;
	void *p = c->bits;

	pp_mem_grow(c->s->mem, &p, &c->bits_cap, need, 1);
	c->bits = p;
	if (shift == 0)
		for (; i + 8 <= n; i += 8, at += 8)
			c->bits[at / 8] = present(tags + i);
	for (; i + 8 <= n; i += 8, at += 8) {
		b = present(tags + i);
		c->bits[at / 8] |= (uint8_t)(b << shift);
		c->bits[at / 8 + 1] = (uint8_t)(b >> (8 - shift));
	}
	for (; i < n; i++, at++) {
		if (at % 8 == 0)
			c->bits[at / 8] = 0;
		if (tags[i] != 0)
			c->bits[at / 8] |= (uint8_t)(1u << at % 8);
	}
}

/* Room for the values of n more rows, of `size` bytes each. */
static void
grow_values(struct pp_pq_column *c, size_t n, size_t size)
{
	void *p = c->v.i;

	pp_mem_grow(c->s->mem, &p, &c->v_cap, c->count + n, size);
	c->v.i = p;
}

/* A number at scale `to`; false where it has more digits or is not within
 * its limits. */
static bool
rescale(pp_i128 *v, unsigned from, unsigned to, pp_i128 least,
    pp_i128 greatest)
{
	pp_i128 x = *v, p;

	for (; from > to; from--) {
		if (x % 10 != 0)
			return false;
		x /= 10;
	}
	p = to - from <= 18 ? pp_pow10[to - from] : 0;
	if (p == 0 || x > greatest / p || x < least / p)
		return false;
	*v = x * p;
	return true;
}

/* Cells whose numbers need a look each; what does not fit becomes NULL. */
static void
add_slow(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	bool wide = c->field.kind == PP_PQ_WIDE;
	unsigned to = c->field.kind == PP_PQ_INT ? 0 : wide ? 12 : 6;
	pp_i128 greatest = c->field.kind == PP_PQ_INT ? INT64_MAX :
	    wide ? (pp_i128)pp_pow10[18] * pp_pow10[18] * 100 - 1 :
	    pp_pow10[18] - 1;
	pp_i128 least = c->field.kind == PP_PQ_INT ? INT64_MIN : -greatest;
	size_t i;
	pp_i128 v;

	for (i = 0; i < n; i++) {
		uint8_t tag = tags[i];

		v = cells[i].num;
		if (c->field.kind == PP_PQ_INT && tag == 1 &&
		    v > INT64_MAX && v <= UINT64_MAX) {
			/* the same 64 bits: -1, mostly */
			v = (int64_t)v;
			c->s->wrapped++;
		}
		if (tag != 0 && !rescale(&v, tag - 1u, to, least,
		    greatest)) {
			c->s->misfits++;
			tag = 0;
		}
		add_bits(c, &tag, 1);
		c->rows++;
		if (tag == 0)
			continue;
		if (wide) {
			c->v.w[c->count++] = v;
			pp_pq_note_wide(c, v);
		} else
			c->v.i[c->count++] = (int64_t)v;
	}
}

/*
 * Values of n cells to `out`, all of the scale that `want` tells; returns how
 * many, or SIZE_MAX where one is of another scale, passes 64 bits or is not
 * within +/- `most`.  No branch but that of the loop: NULLs are overwritten.
 */
static inline size_t
gather(int64_t *out, const union pp_cell *cells, const uint8_t *tags,
    size_t n, uint8_t want, bool limited, uint64_t most)
{
	uint64_t bad = 0, wrong, there;
	size_t i, k = 0;
	int64_t x;

	for (i = 0; i < n; i++) {
		pp_i128 v = cells[i].num;

		x = (int64_t)v;
		there = tags[i] != 0;
		out[k] = x;
		k += there;
		wrong = (uint64_t)(v >> 64) ^ (uint64_t)(x >> 63);
		wrong |= (uint64_t)tags[i] ^ want;
		if (limited)
			wrong |= (uint64_t)x + most > 2 * most;
		bad |= wrong & (0 - there);
	}
	return bad == 0 ? k : SIZE_MAX;
}

/*
 * Numbers that are as their column has them: one scale, 64 bits.  False, with
 * nothing done, where there are others.
 */
static bool
add_fast(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	int64_t *out = c->v.i + c->count;
	size_t k;

	if (c->field.kind == PP_PQ_INT)
		k = gather(out, cells, tags, n, 1, false, 0);
	else
		k = gather(out, cells, tags, n, 7, true,
		    (uint64_t)pp_pow10[18] - 1);
	if (k == SIZE_MAX)
		return false;
	add_bits(c, tags, n);
	c->rows += n;
	c->count += k;
	return true;
}

static void
add_numbers(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	size_t before = c->count;

	if (c->field.kind == PP_PQ_WIDE) {
		grow_values(c, n, sizeof(*c->v.w));
		add_slow(c, cells, tags, n);
		return;
	}
	grow_values(c, n, sizeof(*c->v.i));
	if (!add_fast(c, cells, tags, n))
		add_slow(c, cells, tags, n);
	pp_pq_note_i64(c, c->v.i + before, c->count - before);
}

/*
 * The instant of a time.  Most are of the second and the zone of the one
 * before: 2024-03-26T18:41:07.683567+01:00 differs from it in six digits.
 */
static bool
stamp(struct pp_pq_column *c, pp_str s, int64_t *us)
{
	struct pp_pq_second *k = &c->second;
	unsigned a, b, d, fraction;
	size_t zone = PP_PQ_SECOND + 6;

	if (s.n <= zone || s.n > sizeof(k->text))
		return pp_pq_stamp(s, us);
	a = pp_pq_two(s.p + PP_PQ_SECOND);
	b = pp_pq_two(s.p + PP_PQ_SECOND + 2);
	d = pp_pq_two(s.p + PP_PQ_SECOND + 4);
	if (a > 99 || b > 99 || d > 99 || s.p[PP_PQ_SECOND - 1] != '.' ||
	    (unsigned)s.p[zone] - '0' <= 9)
		return pp_pq_stamp(s, us);
	fraction = (a * 100 + b) * 100 + d;
	if (s.n != k->n || memcmp(s.p, k->text, PP_PQ_SECOND) != 0 ||
	    memcmp(s.p + zone, k->text + zone, s.n - zone) != 0) {
		k->n = 0;
		if (!pp_pq_stamp(s, us))
			return false;
		memcpy(k->text, s.p, s.n);
		k->n = s.n;
		k->us = *us - fraction;
	}
	*us = k->us + fraction;
	return true;
}

static void
add_stamps(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	uint8_t known[PP_BATCH_ROWS];
	size_t i, k, m, before = c->count;
	int64_t us;

	grow_values(c, n, sizeof(*c->v.i));
	for (i = 0; i < n; i += m) {
		m = n - i < sizeof(known) ? n - i : sizeof(known);
		for (k = 0; k < m; k++) {
			known[k] = tags[i + k] != 0 &&
			    stamp(c, cells[i + k].str, &us);
			if (known[k])
				c->v.i[c->count++] = us;
		}
		add_bits(c, known, m);
		c->rows += m;
	}
	pp_pq_note_i64(c, c->v.i + before, c->count - before);
}

/* Bytes that a and b have in common at their start. */
static inline size_t
common(pp_str a, pp_str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i;
	uint64_t x, y;

	for (i = 0; i + 8 <= n; i += 8) {
		memcpy(&x, a.p + i, 8);
		memcpy(&y, b.p + i, 8);
		if (x != y)
			break;
	}
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

/* Nothing but ASCII in s from byte `from` on, and just before that? */
static inline bool
is_ascii_from(pp_str s, size_t from)
{
	unsigned char any = from > 0 ? (unsigned char)s.p[from - 1] : 0;

	for (; from < s.n; from++)
		any |= (unsigned char)s.p[from];
	return any < 0x80;
}

static inline void
put_difference(struct pp_pq_column *c, pp_str t, size_t k)
{
	pp_str rest = pp_str_skip(t, k);

	c->prefix[c->count] = (int64_t)k;
	c->suffix[c->count++] = (int64_t)rest.n;
	if (rest.n > c->text.cap - c->text.n)
		pp_pq_room(&c->text, rest.n);
	if (rest.n > 0)
		memcpy(c->text.p + c->text.n, rest.p, rest.n);
	c->text.n += rest.n;
}

/* `last` stays when what it borrows goes. */
static void
keep_last(struct pp_pq_column *c, pp_str last)
{
	if (last.p == c->last.p)
		return;
	c->last.n = 0;
	pp_pq_put(&c->last, last.p, last.n);
}

/*
 * What differs from the text before.  That is clean, and so are bytes in
 * common with it.
 */
static void
add_differences(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	struct pp_pq_press *s = c->s;
	pp_str t, last = {c->last.p, c->last.n};
	size_t i, k;

	if (c->prefix == NULL) {
		c->prefix = pp_mem_alloc(s->mem,
		    PP_PQ_PAGE_ROWS * sizeof(*c->prefix));
		c->suffix = pp_mem_alloc(s->mem,
		    PP_PQ_PAGE_ROWS * sizeof(*c->suffix));
	}
	add_bits(c, tags, n);
	c->rows += n;
	for (i = 0; i < n; i++) {
		if (tags[i] == 0)
			continue;
		t = cells[i].str;
		k = common(t, last);
		if (is_ascii_from(t, k)) {
			pp_pq_note_after(c, t, last, k);
			put_difference(c, t, k);
			last = t;
			continue;
		}
		t = pp_sanitise(&s->z, t);
		k = common(t, last);
		pp_pq_note_after(c, t, last, k);
		put_difference(c, t, k);
		keep_last(c, t);
		last = (pp_str){c->last.p, c->last.n};
		pp_arena_reset(&s->arena);
	}
	keep_last(c, last);
}

/* ------------------------------------------------------------------ text */

static void
add_plain(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	struct pp_pq_press *s = c->s;
	uint32_t len;
	size_t i;
	pp_str t;

	for (i = 0; i < n; i++) {
		if (pp_pq_is_full(c))
			pp_pq_column_page(c);
		add_bits(c, tags + i, 1);
		c->rows++;
		if (tags[i] == 0)
			continue;
		t = pp_sanitise(&s->z, cells[i].str);
		pp_pq_note_text(c, t);
		len = (uint32_t)t.n;
		pp_pq_put(&c->text, &len, 4);
		pp_pq_put(&c->text, t.p, t.n);
		c->count++;
		if (t.p != cells[i].str.p)
			pp_arena_reset(&s->arena);
	}
}

/*
 * Indexes of the dictionary for cells, until it is full; returns how many
 * rows are done.  In a batch the same text often has the same address.
 */
static size_t
add_indexes(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	uint32_t *out, k;
	struct pp_pq_seen *x;
	size_t i;

	grow_values(c, n, sizeof(*c->v.d));
	out = c->v.d + c->count;
	for (i = 0; i < n; i++) {
		pp_str t = cells[i].str;

		if (tags[i] == 0)
			continue;
		x = &c->seen[((uintptr_t)t.p >> 4 ^ (uintptr_t)t.p) %
		    PP_PQ_CACHE];
		if (x->p == t.p && x->n == t.n && t.p != NULL) {
			*out++ = x->index;
			continue;
		}
		k = pp_pq_dictionary_index(&c->dict, t, &c->s->z);
		if (k == PP_PQ_NONE)
			break;
		*x = (struct pp_pq_seen){t.p, t.n, k};
		*out++ = k;
	}
	c->count = (size_t)(out - c->v.d);
	add_bits(c, tags, i);
	c->rows += i;
	return i;
}

static void
add_texts(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	size_t done = 0;

	if (c->hopeless)
		c->plain = true;
	if (!c->plain) {
		done = add_indexes(c, cells, tags, n);
		if (done == n)
			return;
		pp_pq_column_page(c);
		c->plain = true;
		c->hopeless = c->chunk.values - c->chunk.nulls <
		    WORTH * c->dict.count;
	}
	if (c->field.kind == PP_PQ_ID)
		add_differences(c, cells + done, tags + done, n - done);
	else
		add_plain(c, cells + done, tags + done, n - done);
}

/* ------------------------------------------------------------------- all */

static bool
all_null(const uint8_t *tags, size_t n)
{
	return n == 0 || (tags[0] == 0 && memcmp(tags, tags + 1, n - 1) == 0);
}

void
pp_pq_cells_add(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n)
{
	if (all_null(tags, n)) {
		add_bits(c, tags, n);
		c->rows += n;
		return;
	}
	switch (c->field.kind) {
	case PP_PQ_INT:
	case PP_PQ_DECIMAL:
	case PP_PQ_WIDE:
		add_numbers(c, cells, tags, n);
		break;
	case PP_PQ_STAMP:
		add_stamps(c, cells, tags, n);
		break;
	case PP_PQ_TIME:
		add_differences(c, cells, tags, n);
		break;
	case PP_PQ_TEXT:
	case PP_PQ_ID:
		add_texts(c, cells, tags, n);
		break;
	}
}
