/*
 * columns_code.h: how the cells of a column become numbers, and these few
 * bytes; shared by the two directions.
 */
#ifndef PP_CONTAINER_COLUMNS_CODE_H
#define PP_CONTAINER_COLUMNS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/str.h"

#define PP_BLOCK_ROWS 65536u
#define PP_BLOCK_BYTES ((size_t)64 << 20) /* inflated, that a reader takes */
#define PP_BLOCK_CELLS 8000000u	/* that it takes */

/*
 * May a block of so many bytes have so many strings?  They are different
 * ones, which deflate makes only so short; this bounds the room that a
 * reader makes for them.
 */
static inline bool
pp_strings_fit(uint64_t strings, uint32_t bytes)
{
	return strings <= 65536 + (uint64_t)bytes * 64;
}

/* What a writer makes of these at most. */
#define PP_BLOCK_CELLS_OUT (PP_BLOCK_CELLS / 2)
#define PP_BLOCK_BYTES_OUT (PP_BLOCK_BYTES / 8 * 7)
#define PP_TEXT_MOST ((size_t)16 << 20)	/* a text */
#define PP_TEXTS_MOST ((size_t)24 << 20) /* texts of a block */
#define PP_COLUMNS_MAGIC 0x31436350u	/* "PcC1" */

/* How the numbers of a column are to be read. */
enum pp_form {
	PP_FORM_NUMBER,		/* as they are; scale in the tag */
	PP_FORM_STRING,		/* places in the strings */
	PP_FORM_DIGITS,		/* text: the number in decimal */
	PP_FORM_TIME,		/* text: an instant, see pp_time_form */
	PP_FORM_WIDE		/* 16 bytes each, not predicted */
};

/*
 * What a number is expected to be, from the row above and from columns that
 * stand before it (A and B); what is stored is how far off that is.
 */
enum pp_guess {
	PP_GUESS_NONE,		/* 0 */
	PP_GUESS_ABOVE,		/* as above */
	PP_GUESS_A,		/* A */
	PP_GUESS_DIFF,		/* A - B */
	PP_GUESS_SUM,		/* A + B */
	PP_GUESS_ALONG,		/* above + A - A above */
	PP_GUESS_LIKE,		/* what it was when A last was as now */
	PP_GUESS_BASE32,	/* the end of A, a string, see pp_base32 */
	PP_GUESS_COUNT
};

/* The memory of PP_GUESS_LIKE. */
#define PP_LIKE_SLOTS 4096u

static inline size_t
pp_like_slot(int64_t a)
{
	return (size_t)((uint64_t)a * 0x9e3779b97f4a7c15u >> 52);
}

/* How an instant is written: 2024-03-26T18:41:07.683567+01:00. */
struct pp_time_form {
	uint8_t digits;		/* of the fraction: 0 to 6 */
	bool has_offset;
	int16_t offset_min;
};

/* Where its fraction begins, and ends where that has six digits. */
#define PP_TIME_FRACTION 20u
#define PP_TIME_SHORT 26u

/*
 * Text to microseconds since 1970 of what is printed, and back; false where
 * the text is not exactly what would come back.
 */
bool pp_time_parse(pp_str s, struct pp_time_form *f, int64_t *us);
size_t pp_time_print(char *buf, const struct pp_time_form *f, int64_t us);

/*
 * The low 32 bits of text that is a number in the digits of Oracle's sql_id,
 * 0123456789abcdfghjkmnpqrstuvwxyz: its hash value.  0 where it is none.
 */
int64_t pp_base32(pp_str s);

/* Text that is a whole number as it is written by us; buf has room for 24. */
bool pp_digits_parse(pp_str s, int64_t *v);
size_t pp_digits_print(char *buf, int64_t v);

static inline uint64_t
pp_zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

static inline int64_t
pp_unzigzag(uint64_t v)
{
	uint64_t u = v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
	int64_t r;

	/* two's complement, without leaving the type */
	if (u <= INT64_MAX)
		return (int64_t)u;
	r = (int64_t)(UINT64_MAX - u);
	return -1 - r;
}

/* a - b and a + b as the machine has them, going round. */
static inline int64_t
pp_wrap_sub(int64_t a, int64_t b)
{
	int64_t r;

	(void)__builtin_sub_overflow(a, b, &r);
	return r;
}

static inline int64_t
pp_wrap_add(int64_t a, int64_t b)
{
	int64_t r;

	(void)__builtin_add_overflow(a, b, &r);
	return r;
}

/* Seven bits a byte, the lowest first; returns the bytes, at most 10. */
static inline size_t
pp_varint_put(unsigned char *p, uint64_t v)
{
	size_t n = 0;

	while (v >= 0x80) {
		p[n++] = (unsigned char)(v & 0x7f) | 0x80;
		v >>= 7;
	}
	p[n++] = (unsigned char)v;
	return n;
}

/* Reading a run of bytes; `bad` is set by a step past its end. */
struct pp_bytes_in {
	const unsigned char *p, *end;
	bool bad;
};

static inline uint64_t
pp_varint_get(struct pp_bytes_in *b)
{
	uint64_t v = 0;
	unsigned shift = 0;

	while (b->p < b->end && shift < 64) {
		v |= (uint64_t)(*b->p & 0x7f) << shift;
		if ((*b->p++ & 0x80) == 0)
			return v;
		shift += 7;
	}
	b->bad = true;
	return 0;
}

static inline const unsigned char *
pp_bytes_get(struct pp_bytes_in *b, size_t n)
{
	const unsigned char *p = b->p;

	if (n > (size_t)(b->end - b->p)) {
		b->bad = true;
		return NULL;
	}
	b->p += n;
	return p;
}

#endif
