/*
 * columns_pack.c: a block of columns into bytes, and the directory.  Sees
 * base and table.h only.
 *
 * A column is what it is off its guess (columns_guess.c), as varints,
 * deflated.
 */
#include "columns_impl.h"

#include <libdeflate.h>

#include "bytes.h"

/* Bytes of the strings of a block. */
#define STRINGS_MOST ((size_t)4 << 20)

/* Bytes that tell how a run of them is best packed. */
#define SAMPLE 4096u

/* Shorter runs of bytes are packed with their block only. */
#define PACK_LEAST 2048u

static void *
more(struct pp_columns_out *o, struct pp_out_bytes *b, size_t n)
{
	pp_mem_grow(o->mem, &b->p, &b->cap, b->n + n, 1);
	return (unsigned char *)b->p + b->n;
}

static void
put_bytes(struct pp_columns_out *o, struct pp_out_bytes *b, const void *p,
    size_t n)
{
	if (n == 0)
		return;
	memcpy(more(o, b, n), p, n);
	b->n += n;
}

static void
put_byte(struct pp_columns_out *o, struct pp_out_bytes *b, unsigned v)
{
	unsigned char c = (unsigned char)v;

	put_bytes(o, b, &c, 1);
}

static void
put_varint(struct pp_columns_out *o, struct pp_out_bytes *b, uint64_t v)
{
	b->n += pp_varint_put(more(o, b, 10), v);
}

/*
 * Is this noise, of which only the frequent bytes get shorter?  Searching it
 * for what comes again takes longest and finds least.
 */
static bool
is_noise(struct pp_columns_out *o, const unsigned char *p, size_t n)
{
	unsigned char to[SAMPLE];

	return n >= 4 * SAMPLE && libdeflate_deflate_compress(o->fast,
	    p + n / 2, SAMPLE, to, SAMPLE / 2) == 0;
}

/* Deflate p into o->packed; false where that makes it no smaller. */
static bool
deflate(struct pp_columns_out *o, const void *p, size_t n)
{
	o->packed.n = 0;
	more(o, &o->packed, n);
	o->packed.n = libdeflate_deflate_compress(is_noise(o, p, n) ?
	    o->fast : o->deflate, p, n, o->packed.p, n - 1);
	return o->packed.n > 0;
}

/* A run of bytes in a block: length, packed or not, and the bytes. */
static void
put_run(struct pp_columns_out *o, const void *p, size_t n)
{
	bool packed = n >= PACK_LEAST && deflate(o, p, n);

	put_varint(o, &o->block, (uint64_t)n << 1 | packed);
	if (!packed) {
		put_bytes(o, &o->block, p, n);
		return;
	}
	put_varint(o, &o->block, o->packed.n);
	put_bytes(o, &o->block, o->packed.p, o->packed.n);
	o->tight += o->packed.n;
	o->loose += n;
}

/* ---------------------------------------------------------------- columns */

static void
put_wide(struct pp_columns_out *o, const struct pp_out_table *t,
    const struct pp_out_column *c)
{
	unsigned char *p = more(o, &o->column, t->rows * 16);
	size_t i;

	for (i = 0; i < t->rows; i++, p += 16) {
		pp_put64(p, (uint64_t)c->wide[i]);
		pp_put64(p + 8, (uint64_t)(c->wide[i] >> 64));
	}
	o->column.n = t->rows * 16;
}

/* A byte 1 for each byte that is not 0. */
static inline uint64_t
not_zero(uint64_t w)
{
	uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);

	return ((((w & low) + low) | w) & ~low) >> 7;
}

/* Eight tags, or what is left, then 0. */
static inline uint64_t
eight(const uint8_t *tag, size_t left)
{
	uint64_t w = 0;

	if (left >= 8)
		memcpy(&w, tag, 8);
	else
		memcpy(&w, tag, left);
	return w;
}

static bool
has_one_tag(const struct pp_out_table *t, const struct pp_out_column *c)
{
	return c->alike || memcmp(c->tag, c->tag + 1, t->rows - 1) == 0;
}

/* Which rows have a value, and which tag? */
static void
find_pattern(const struct pp_out_table *t, struct pp_out_column *c)
{
	uint64_t all = UINT64_C(0x0101010101010101), raw, w, mixed = 0;
	size_t i, k;

	c->pattern = c->gaps = 0;
	c->only = 0;
	for (i = 0; i < t->rows; i += 8) {
		raw = eight(c->tag + i, t->rows - i);
		w = not_zero(raw);
		c->pattern = pp_hash_mix(c->pattern * 31 + w);
		if (t->rows - i >= 8)
			c->gaps = pp_hash_mix(c->gaps * 31 + (w ^ all));
		else
			c->gaps = pp_hash_mix(c->gaps * 31 + ((w ^ all) &
			    (((uint64_t)1 << 8 * (t->rows - i)) - 1)));
		if (w == 0)
			continue;
		for (k = i; c->only == 0; k++)
			c->only = c->tag[k];
		mixed |= not_zero(raw ^ c->only * all) & w;
	}
	if (mixed != 0)
		c->only = 0;
}

/* Have the columns values in the same rows, or `turned` in the others? */
static bool
same_rows(const struct pp_out_table *t, const struct pp_out_column *a,
    const struct pp_out_column *b, bool turned)
{
	uint64_t all = turned ? UINT64_C(0x0101010101010101) : 0;
	size_t i;

	for (i = 0; i + 8 <= t->rows; i += 8)
		if ((not_zero(eight(a->tag + i, 8)) ^
		    not_zero(eight(b->tag + i, 8))) != all)
			return false;
	for (; i < t->rows; i++)
		if ((a->tag[i] != 0) != ((b->tag[i] != 0) != turned))
			return false;
	return true;
}

/* Tags that follow from a column that has been put; false: from none. */
static bool
put_tags_like(struct pp_columns_out *o, const struct pp_out_table *t,
    const struct pp_out_column *c)
{
	const struct pp_out_column *a;
	uint32_t i;
	bool turned;

	for (i = 0; i < t->ncolumns && c->only != 0; i++) {
		a = &t->col[i];
		turned = a->pattern != c->pattern;
		if (!a->put || (turned && a->gaps != c->pattern) ||
		    !same_rows(t, c, a, turned))
			continue;
		put_byte(o, &o->block, turned ? 3 : 2);
		put_varint(o, &o->block, i);
		put_byte(o, &o->block, c->only);
		return true;
	}
	return false;
}

static void
put_tags(struct pp_columns_out *o, const struct pp_out_table *t,
    const struct pp_out_column *c)
{
	if (has_one_tag(t, c)) {
		put_byte(o, &o->block, 0);
		put_byte(o, &o->block, c->tag[0]);
		return;
	}
	if (put_tags_like(o, t, c))
		return;
	put_byte(o, &o->block, 1);
	put_run(o, c->tag, t->rows);
}

/* Rows that are all one: the first misses, the others do not. */
static void
put_alike(struct pp_columns_out *o, const struct pp_out_table *t,
    const struct pp_out_column *c)
{
	bool miss = c->tag[0] != 0 && c->v[0] != 0;
	unsigned char *p = more(o, &o->column, t->rows + 10);
	size_t n;

	put_byte(o, &o->block, miss ? PP_GUESS_ABOVE : PP_GUESS_NONE);
	if (miss) {
		n = pp_varint_put(p, pp_zigzag(c->v[0]));
		memset(p + n, 0, t->rows - 1);
		o->column.n = n + t->rows - 1;
	}
	put_run(o, o->column.p, o->column.n);
}

static void
put_column(struct pp_columns_out *o, const struct pp_out_table *t,
    uint32_t i, const bool *flat)
{
	const struct pp_out_column *c = &t->col[i];
	struct pp_out_guess g;
	unsigned char off[2];

	put_varint(o, &o->block, i);
	put_byte(o, &o->block, c->form);
	if (c->form == PP_FORM_TIME) {
		put_byte(o, &o->block, c->time.digits);
		put_byte(o, &o->block, c->time.has_offset);
		pp_put16(off, (unsigned)(uint16_t)c->time.offset_min);
		put_bytes(o, &o->block, off, 2);
	}
	put_tags(o, t, c);
	o->column.n = 0;
	if (c->form == PP_FORM_WIDE) {
		put_wide(o, t, c);
		put_run(o, o->column.p, o->column.n);
		return;
	}
	if (c->alike) {
		put_alike(o, t, c);
		return;
	}
	g = pp_columns_guess(t, i, flat);
	put_byte(o, &o->block, g.how);
	if (g.how >= PP_GUESS_A)
		put_varint(o, &o->block, g.a);
	if (g.how == PP_GUESS_DIFF || g.how == PP_GUESS_SUM)
		put_varint(o, &o->block, g.b);
	/* no bytes: no guess misses */
	if (!pp_columns_misses(more(o, &o->column, t->rows * 10),
	    &o->column.n, t, c, &g, o->like))
		o->column.n = 0;
	put_run(o, o->column.p, o->column.n);
}

/* Strings from `from` on, before `to`. */
static void
put_strings(struct pp_columns_out *o, const struct pp_strtab *s, size_t from,
    size_t to)
{
	size_t i;

	put_varint(o, &o->block, to - from);
	o->column.n = 0;
	for (i = from; i < to; i++)
		put_varint(o, &o->column, pp_strtab_get(s, (uint32_t)i).n);
	put_run(o, o->column.p, o->column.n);
	o->column.n = 0;
	for (i = from; i < to; i++)
		put_bytes(o, &o->column, pp_strtab_get(s, (uint32_t)i).p,
		    pp_strtab_get(s, (uint32_t)i).n);
	put_run(o, o->column.p, o->column.n);
}

/* What has gathered in o->block goes out: packed as a whole, where an eighth
 * of it is not packed yet and that helps. */
static struct pp_columns_block
put_block(struct pp_columns_out *o, size_t rows)
{
	struct pp_columns_block b = {.rows = (uint32_t)rows, .at = o->at};
	unsigned char head[5] = {0};

	if (o->block.n >= 64 && o->block.n < (1u << 20) &&
	    o->block.n - o->tight > o->block.n / 8 &&
	    deflate(o, o->block.p, o->block.n)) {
		head[0] = 1;
		pp_put32(head + 1, (uint32_t)o->block.n);
		pp_columns_put(o, head, 5);
		pp_columns_put(o, o->packed.p, o->packed.n);
	} else {
		pp_columns_put(o, head, 1);
		pp_columns_put(o, o->block.p, o->block.n);
	}
	b.bytes = (uint32_t)(o->at - b.at);
	o->block.n = o->tight = o->loose = 0;
	return b;
}

/* The rows of t into o->block. */
static void
gather_block(struct pp_columns_out *o, struct pp_out_table *t)
{
	bool flat[PP_COLUMNS_MAX];
	uint32_t i, k;

	o->block.n = o->tight = o->loose = 0;
	/* what has not been put can be followed by nothing */
	memset(flat, true, sizeof(flat));
	for (i = 0; i < t->ncolumns; i++) {
		t->col[i].put = false;
		if (!has_one_tag(t, &t->col[i]))
			find_pattern(t, &t->col[i]);
	}
	for (k = 0; k < t->ncolumns; k++) {
		i = t->order[k];
		put_column(o, t, i, flat);
		t->col[i].put = !has_one_tag(t, &t->col[i]);
		flat[i] = pp_columns_is_flat(t, i);
	}
	if (t->own_strings)
		put_strings(o, &t->strings, 0, t->strings.count);
}

/* Take the first `rows` rows off t. */
static void
drop_rows(struct pp_out_table *t, size_t rows)
{
	struct pp_out_column *c;
	uint32_t i;

	t->rows -= rows;
	for (i = 0; i < t->ncolumns; i++) {
		c = &t->col[i];
		if (c->alike)
			continue;
		memmove(c->v, c->v + rows, t->rows * sizeof(*c->v));
		memmove(c->tag, c->tag + rows, t->rows);
		if (c->wide != NULL)
			memmove(c->wide, c->wide + rows,
			    t->rows * sizeof(*c->wide));
	}
}

void
pp_columns_pack(struct pp_columns_out *o, struct pp_out_table *t)
{
	size_t all = t->rows, done;
	void *v;

	if (o->like == NULL)
		o->like = pp_mem_alloc(o->mem,
		    PP_LIKE_SLOTS * sizeof(*o->like));
	while (all > 0) {
		gather_block(o, t);
		/* as many rows as a reader takes the block of */
		while (o->block.n + o->loose > PP_BLOCK_BYTES_OUT &&
		    t->rows > 1) {
			t->rows /= 2;
			gather_block(o, t);
		}
		v = t->block;
		pp_mem_grow(o->mem, &v, &t->blocks_cap, t->nblocks + 1,
		    sizeof(*t->block));
		t->block = v;
		t->block[t->nblocks] = put_block(o, t->rows);
		o->too_long |= t->own_strings && !pp_strings_fit(
		    t->strings.count, t->block[t->nblocks].bytes);
		t->nblocks++;
		done = t->rows;
		t->rows = all;
		drop_rows(t, done);
		all = t->rows;
	}
	t->rows = 0;
}

/* -------------------------------------------------------------- directory */

static void
put_name(struct pp_columns_out *o, const char *name)
{
	size_t n = strlen(name) < 255 ? strlen(name) : 255;

	put_byte(o, &o->column, (unsigned)n);
	put_bytes(o, &o->column, name, n);
}

static void
put_places(struct pp_columns_out *o, const struct pp_columns_block *b,
    size_t n)
{
	size_t i;

	put_varint(o, &o->column, n);
	for (i = 0; i < n; i++) {
		put_varint(o, &o->column, b[i].rows);
		put_varint(o, &o->column, b[i].at);
		put_varint(o, &o->column, b[i].bytes);
	}
}

static void
put_directory(struct pp_columns_out *o, const struct pp_columns_block *s,
    size_t nstrings)
{
	size_t i, k, n = 0;

	o->column.n = 0;
	put_places(o, s, nstrings);
	for (i = 0; i < o->ntables; i++) {
		if (o->too_long)
			o->tables[i]->nblocks = 0;
		n += o->tables[i]->nblocks > 0;
	}
	put_varint(o, &o->column, n);
	for (i = 0; i < o->ntables; i++) {
		const struct pp_out_table *t = o->tables[i];

		if (t->nblocks == 0)
			continue;
		put_name(o, t->table->name);
		put_byte(o, &o->column, t->own_strings);
		put_varint(o, &o->column, t->ncolumns);
		for (k = 0; k < t->ncolumns; k++) {
			put_name(o, t->table->columns[k].name);
			put_byte(o, &o->column, t->table->columns[k].type);
		}
		put_places(o, t->block, t->nblocks);
	}
}

/* The strings that tables share, in blocks of some megabytes; how many. */
static size_t
put_shared(struct pp_columns_out *o, struct pp_columns_block **blocks)
{
	const struct pp_strtab *s = &o->strings;
	size_t from = 0, to, bytes, n = 0, cap = 0;
	void *v = NULL;

	while (from < s->count) {
		bytes = 0;
		for (to = from; to < s->count && bytes < STRINGS_MOST; to++)
			bytes += pp_strtab_get(s, (uint32_t)to).n + 10;
		put_strings(o, s, from, to);
		pp_mem_grow(o->mem, &v, &cap, n + 1, sizeof(**blocks));
		*blocks = v;
		(*blocks)[n] = put_block(o, to - from);
		o->too_long |= !pp_strings_fit(to - from, (*blocks)[n].bytes);
		n++;
		from = to;
	}
	return n;
}

bool
pp_columns_out_close(struct pp_columns_out *o)
{
	struct pp_columns_block *strings = NULL;
	unsigned char foot[12];
	bool ok, packed;
	size_t i, n;

	n = o->too_long ? 0 : put_shared(o, &strings);
	put_directory(o, strings, n);
	pp_mem_free(o->mem, strings);
	packed = deflate(o, o->column.p, o->column.n);
	pp_put32(foot, (uint32_t)(packed ? o->packed.n : o->column.n));
	pp_put32(foot + 4, (uint32_t)(packed ? o->column.n : 0));
	pp_put32(foot + 8, PP_COLUMNS_MAGIC);
	pp_columns_put(o, packed ? o->packed.p : o->column.p,
	    packed ? o->packed.n : o->column.n);
	pp_columns_put(o, foot, sizeof(foot));
	ok = !o->failed;
	libdeflate_free_compressor(o->deflate);
	libdeflate_free_compressor(o->fast);
	for (i = 0; i < o->ntables; i++) {
		pp_mem_free(o->mem, o->tables[i]->col);
		pp_mem_free(o->mem, o->tables[i]->order);
		pp_mem_free(o->mem, o->tables[i]->block);
		pp_mem_free(o->mem, o->tables[i]);
	}
	pp_mem_free(o->mem, o->tables);
	pp_strtab_free(&o->strings);
	pp_mem_free(o->mem, o->block.p);
	pp_mem_free(o->mem, o->column.p);
	pp_mem_free(o->mem, o->packed.p);
	pp_mem_free(o->mem, o->like);
	pp_mem_free(o->mem, o);
	return ok;
}
