/*
 * parquet_impl.h: what the files of the Parquet writer share.  For no one
 * else.
 *
 * A file is "PAR1", row groups, a footer, its length, "PAR1".  A row group
 * holds a chunk a column, a chunk an optional dictionary page and data pages.
 * A page has a header in Thrift's compact protocol and a body: definition
 * levels (1: a value, 0: NULL), then the values that are not NULL.
 */
#ifndef PP_PARQUET_IMPL_H
#define PP_PARQUET_IMPL_H

#include <libdeflate.h>

#include "sanitise.h"
#include "writer.h"

/* Of a page at most: rows, a multiple of 64; bytes of text. */
#define PP_PQ_PAGE_ROWS ((size_t)16384)
#define PP_PQ_PAGE_BYTES ((size_t)1024 * 1024)

/* Growing bytes. */
struct pp_pq_buf {
	struct pp_mem *mem;
	char *p;
	size_t n, cap;
};

void pp_pq_room(struct pp_pq_buf *b, size_t n);
void pp_pq_put(struct pp_pq_buf *b, const void *p, size_t n);
void pp_pq_free(struct pp_pq_buf *b);

static inline void
pp_pq_byte(struct pp_pq_buf *b, unsigned v)
{
	if (b->n == b->cap)
		pp_pq_room(b, 1);
	b->p[b->n++] = (char)v;
}

/* --------------------------------------------------- parquet_encode.c */

void pp_pq_varint(struct pp_pq_buf *b, uint64_t v);
void pp_pq_zigzag(struct pp_pq_buf *b, int64_t v);

/* Levels of n rows from a bitmap, as RLE and bit-packed runs of width 1. */
void pp_pq_levels(struct pp_pq_buf *b, const uint8_t *bits, size_t n);

/* Indexes as RLE and bit-packed runs of `width` (0 to 32) bits. */
void pp_pq_hybrid(struct pp_pq_buf *b, const uint32_t *v, size_t n,
    unsigned width);

/* DELTA_BINARY_PACKED. */
void pp_pq_delta(struct pp_pq_buf *b, const int64_t *v, size_t n);

/* FIXED_LEN_BYTE_ARRAY(16): PLAIN, the most significant byte first. */
void pp_pq_wide(struct pp_pq_buf *b, const pp_i128 *v, size_t n);

/* Bits that v needs; 0 for 0. */
static inline unsigned
pp_pq_bits(uint64_t v)
{
	return v == 0 ? 0 : 64 - (unsigned)__builtin_clzll(v);
}

/* --------------------------------------------------- parquet_thrift.c */

enum pp_pq_encoding {
	PP_PQ_PLAIN = 0,
	PP_PQ_RLE = 3,
	PP_PQ_DELTA = 5,	/* DELTA_BINARY_PACKED */
	PP_PQ_DELTA_BYTES = 7,	/* DELTA_BYTE_ARRAY */
	PP_PQ_DICTIONARY = 8	/* RLE_DICTIONARY */
};
#define PP_PQ_ENCODINGS 9

enum pp_pq_codec { PP_PQ_STORED = 0, PP_PQ_GZIP = 2 };

/* How the cells of a column are stored. */
enum pp_pq_kind {
	PP_PQ_INT,		/* INT64 */
	PP_PQ_DECIMAL,		/* INT64, DECIMAL(18,6) */
	PP_PQ_WIDE,		/* FIXED_LEN_BYTE_ARRAY(16), DECIMAL(38,12) */
	PP_PQ_TEXT,		/* BYTE_ARRAY, STRING */
	PP_PQ_ID,		/* the same, short */
	PP_PQ_TIME,		/* the same, each much like the last */
	PP_PQ_STAMP		/* INT64, TIMESTAMP(MICROS, UTC), made from
				 * the text of a time */
};

struct pp_pq_field {
	const char *name;
	enum pp_pq_kind kind;
	size_t from;		/* column of the batch */
};

/* What the footer says of a chunk. */
struct pp_pq_chunk {
	enum pp_pq_codec codec;
	uint64_t values;	/* NULLs included */
	uint64_t nulls;
	uint64_t raw, stored;	/* bytes, page headers included */
	int64_t dictionary;	/* offset of its page; -1: none */
	int64_t data;		/* offset of the first data page */
	uint32_t pages[PP_PQ_ENCODINGS]; /* data pages by encoding */
	bool has_range;
	pp_str min, max;	/* as PLAIN has them, without length */
};

struct pp_pq_page {
	bool dictionary;
	enum pp_pq_encoding encoding;
	uint32_t values;	/* NULLs included */
	size_t raw, stored;	/* bytes of the body */
	uint32_t crc;		/* of the body as stored */
};

void pp_pq_page_header(struct pp_pq_buf *b, const struct pp_pq_page *p);

/* A row group: its head, its chunks, its end. */
void pp_pq_group_begin(struct pp_pq_buf *b, size_t columns);
void pp_pq_group_chunk(struct pp_pq_buf *b, const struct pp_pq_field *f,
    const struct pp_pq_chunk *c);
struct pp_pq_group {
	uint64_t rows;
	uint64_t raw, stored;
	uint64_t offset;
};
void pp_pq_group_end(struct pp_pq_buf *b, const struct pp_pq_group *g);

struct pp_pq_note {
	const char *key;
	pp_str value;
};

/* The footer, without its length and magic; `groups` as made above. */
struct pp_pq_footer {
	const struct pp_pq_field *fields;
	size_t nfields;
	uint64_t rows;
	const struct pp_pq_buf *groups;
	size_t ngroups;
	const struct pp_pq_note *notes;
	size_t nnotes;
};
void pp_pq_footer(struct pp_pq_buf *b, const struct pp_pq_footer *f);

/* ------------------------------- parquet_column.c, _cells.c, _range.c */

/* What columns of all files share. */
struct pp_pq_press {
	struct pp_mem *mem;
	struct libdeflate_compressor *gzip;
	struct pp_pq_buf body;	/* of a page */
	struct pp_pq_buf packed;
	struct pp_arena arena;	/* repaired text */
	struct pp_sanitiser z;
	uint64_t misfits;	/* numbers that their column cannot hold */
	uint64_t wrapped;	/* unsigned 64-bit numbers stored as signed */
	size_t held;		/* bytes of pages and buffers of all files */
};

struct pp_pq_column;

struct pp_pq_column *pp_pq_column_new(struct pp_pq_press *s,
    const struct pp_pq_field *f);
void pp_pq_column_free(struct pp_pq_column *c);

/* Append rows [from, to) of a batch. */
void pp_pq_column_add(struct pp_pq_column *c, const struct pp_batch *b,
    size_t from, size_t to);

/* Give back buffers; they come again with the next rows. */
void pp_pq_column_rest(struct pp_pq_column *c);

/*
 * Write the chunk and start the next one.  *offset is where `out` is in its
 * file; it moves.  out->min and max are borrowed until the next call.
 */
void pp_pq_column_flush(struct pp_pq_column *c, struct pp_stream *to,
    uint64_t *offset, struct pp_pq_chunk *out);

/* ------------------------------------------------------ parquet_text.c */

/* The distinct texts of a chunk, and where they are found. */
struct pp_pq_dictionary {
	struct pp_mem *mem;
	struct pp_pq_buf bytes;	/* PLAIN: length, bytes */
	struct pp_pq_entry {
		uint64_t hash;
		size_t at;	/* of its bytes */
		uint32_t n;
	} *e;
	size_t count, cap;
	uint32_t *slots;	/* index + 1; 0: free */
	size_t mask;
};
#define PP_PQ_DICTIONARY_BYTES ((size_t)1024 * 1024)
#define PP_PQ_DICTIONARY_COUNT 65536
#define PP_PQ_NONE UINT32_MAX

/* The index of s, added where it is new; PP_PQ_NONE: no room for it. */
uint32_t pp_pq_dictionary_index(struct pp_pq_dictionary *d, pp_str s,
    struct pp_sanitiser *z);
void pp_pq_dictionary_reset(struct pp_pq_dictionary *d);
void pp_pq_dictionary_free(struct pp_pq_dictionary *d);

/* Least and greatest text; false where there is none, or a long one. */
bool pp_pq_dictionary_range(const struct pp_pq_dictionary *d, pp_str *min,
    pp_str *max);

/*
 * Microseconds since 1970 of an ISO 8601 time with its offset from UTC; false
 * where it has none, or is no such time.
 */
bool pp_pq_stamp(pp_str s, int64_t *us);

/* Two digits; 100 where they are none. */
static inline unsigned
pp_pq_two(const char *p)
{
	unsigned a = (unsigned)p[0] - '0', b = (unsigned)p[1] - '0';

	return a > 9 || b > 9 ? 100 : a * 10 + b;
}

#endif
