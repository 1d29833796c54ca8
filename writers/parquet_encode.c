/*
 * parquet_encode.c: how values are packed in pages.
 *
 * Sees base only.
 */
#include "parquet_impl.h"

void
pp_pq_room(struct pp_pq_buf *b, size_t n)
{
	void *p = b->p;

	if (n > b->cap - b->n) {
		pp_mem_grow(b->mem, &p, &b->cap, b->n + n, 1);
		b->p = p;
	}
}

void
pp_pq_put(struct pp_pq_buf *b, const void *p, size_t n)
{
	if (n == 0)
		return;
	pp_pq_room(b, n);
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

void
pp_pq_free(struct pp_pq_buf *b)
{
	pp_mem_free(b->mem, b->p);
	b->p = NULL;
	b->n = b->cap = 0;
}

void
pp_pq_varint(struct pp_pq_buf *b, uint64_t v)
{
	while (v >= 0x80) {
		pp_pq_byte(b, (unsigned)(v & 0x7f) | 0x80);
		v >>= 7;
	}
	pp_pq_byte(b, (unsigned)v);
}

void
pp_pq_zigzag(struct pp_pq_buf *b, int64_t v)
{
	pp_pq_varint(b, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

/* ----------------------------------------------------------- bit packing */

/*
 * n values of `width` bits, the first in the lowest bits.  out has 8 bytes
 * more than they need; returns their end.
 */
static char *
pack64(char *out, const uint64_t *v, size_t n, unsigned width)
{
	uint64_t acc = 0;
	unsigned have = 0;
	size_t i;

	if (width == 0)
		return out;
	for (i = 0; i < n; i++) {
		acc |= v[i] << have;
		have += width;
		if (have >= 64) {
			memcpy(out, &acc, 8);
			out += 8;
			have -= 64;
			acc = have != 0 ? v[i] >> (width - have) : 0;
		}
	}
	memcpy(out, &acc, 8);
	return out + (have + 7) / 8;
}

static char *
pack32(char *out, const uint32_t *v, size_t n, unsigned width)
{
	uint64_t acc = 0;
	unsigned have = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		acc |= (uint64_t)v[i] << have;
		have += width;
		if (have >= 32) {
			memcpy(out, &acc, 4);
			out += 4;
			have -= 32;
			acc >>= 32;
		}
	}
	memcpy(out, &acc, 4);
	return out + (have + 7) / 8;
}

/* ---------------------------------------------------------------- levels */

#define RLE_BYTES 3	/* of equal levels, for a run of their own */

/* How many of bits[0..n) are all `v`. */
static size_t
same_bytes(const uint8_t *bits, size_t n, uint8_t v)
{
	size_t i = 0;

	while (i < n && bits[i] == v)
		i++;
	return i;
}

void
pp_pq_levels(struct pp_pq_buf *b, const uint8_t *bits, size_t n)
{
	size_t whole = n / 8, i = 0, from = 0, run;
	uint8_t v;

	while (i < whole) {
		v = bits[i];
		run = v == 0 || v == 0xff ?
		    same_bytes(bits + i, whole - i, v) : 1;
		if (run < RLE_BYTES && !(i + run == whole && from == i)) {
			i += run;
			continue;
		}
		if (v != 0 && v != 0xff) {
			i += run;
			continue;
		}
		if (i > from) {
			pp_pq_varint(b, (i - from) << 1 | 1);
			pp_pq_put(b, bits + from, i - from);
		}
		pp_pq_varint(b, run * 8 << 1);
		pp_pq_byte(b, v & 1);
		i += run;
		from = i;
	}
	if (n % 8 != 0)
		i++;
	if (i > from) {
		pp_pq_varint(b, (i - from) << 1 | 1);
		pp_pq_put(b, bits + from, i - from);
	}
}

/* --------------------------------------------------------------- indexes */

/* How many of v[0..n) are equal to v[0]. */
static size_t
same_values(const uint32_t *v, size_t n)
{
	size_t i = 1;

	while (i < n && v[i] == v[0])
		i++;
	return i;
}

/* Values that stand between runs, in groups of 8; only the last group of all
 * may be short. */
static void
put_packed(struct pp_pq_buf *b, const uint32_t *v, size_t n, unsigned width)
{
	static const uint32_t none[8];
	size_t whole = n & ~(size_t)7, rest = n - whole;
	uint32_t last[8];
	char *p;

	if (n == 0)
		return;
	pp_pq_varint(b, (n + 7) / 8 << 1 | 1);
	pp_pq_room(b, (n + 7) / 8 * width + 8);
	p = pack32(b->p + b->n, v, whole, width);
	if (rest > 0) {
		memcpy(last, none, sizeof(last));
		memcpy(last, v + whole, rest * sizeof(*v));
		p = pack32(p, last, 8, width);
	}
	b->n = (size_t)(p - b->p);
}

void
pp_pq_hybrid(struct pp_pq_buf *b, const uint32_t *v, size_t n,
    unsigned width)
{
	size_t i = 0, from = 0, run, fill;
	unsigned k;

	while (i < n) {
		run = same_values(v + i, n - i);
		/* what is packed before the run fills its last group from
		 * the run */
		fill = (8 - (i - from) % 8) % 8;
		if (run < 16 + fill && !(run == n - i && fill == 0)) {
			i += run;
			continue;
		}
		put_packed(b, v + from, i + fill - from, width);
		i += fill;
		run -= fill;
		pp_pq_varint(b, run << 1);
		for (k = 0; k < width; k += 8)
			pp_pq_byte(b, v[i] >> k & 0xff);
		i += run;
		from = i;
	}
	put_packed(b, v + from, n - from, width);
}

/* ----------------------------------------------------------------- delta */

#define BLOCK 128
#define MINIS 4
#define MINI (BLOCK / MINIS)

/* Deltas of a block less the least of them, which goes in front.  Inline, for
 * loops over a whole block take several values at once. */
static inline void
put_block(struct pp_pq_buf *b, uint64_t *d, size_t n)
{
	int64_t min = INT64_MAX;
	uint64_t any;
	unsigned width[MINIS];
	size_t i, k;
	char *p;

	for (i = 0; i < n; i++)
		min = (int64_t)d[i] < min ? (int64_t)d[i] : min;
	for (i = 0; i < n; i++)
		d[i] -= (uint64_t)min;
	for (; i < BLOCK; i++)
		d[i] = 0;
	pp_pq_zigzag(b, min);
	pp_pq_room(b, MINIS + BLOCK * 8 + 8);
	p = b->p + b->n;
	for (k = 0; k < MINIS; k++) {
		any = 0;
		for (i = 0; i < MINI; i++)
			any |= d[k * MINI + i];
		width[k] = pp_pq_bits(any);
		*p++ = (char)width[k];
	}
	/* miniblocks behind the last value have no bytes; their width is 0 */
	for (k = 0; k < MINIS; k++)
		p = pack64(p, d + k * MINI, MINI, width[k]);
	b->n = (size_t)(p - b->p);
}

void
pp_pq_delta(struct pp_pq_buf *b, const int64_t *v, size_t n)
{
	uint64_t d[BLOCK];
	size_t i, k;

	pp_pq_varint(b, BLOCK);
	pp_pq_varint(b, MINIS);
	pp_pq_varint(b, n);
	pp_pq_zigzag(b, n > 0 ? v[0] : 0);
	/* differences wrap, and so do the sums of a reader */
	for (i = 1; n - i >= BLOCK && i < n; i += BLOCK) {
		for (k = 0; k < BLOCK; k++)
			d[k] = (uint64_t)v[i + k] - (uint64_t)v[i + k - 1];
		put_block(b, d, BLOCK);
	}
	if (i >= n)
		return;
	for (k = 0; k < n - i; k++)
		d[k] = (uint64_t)v[i + k] - (uint64_t)v[i + k - 1];
	put_block(b, d, n - i);
}

void
pp_pq_wide(struct pp_pq_buf *b, const pp_i128 *v, size_t n)
{
	size_t i, k;
	pp_u128 u;
	char *p;

	pp_pq_room(b, n * 16);
	p = b->p + b->n;
	for (i = 0; i < n; i++) {
		u = (pp_u128)v[i];
		for (k = 16; k-- > 0; u >>= 8)
			p[k] = (char)(u & 0xff);
		p += 16;
	}
	b->n += n * 16;
}
