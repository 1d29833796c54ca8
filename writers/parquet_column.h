/*
 * parquet_column.h: a column in the making, for parquet_column.c, _cells.c
 * and _range.c.
 */
#ifndef PP_PARQUET_COLUMN_H
#define PP_PARQUET_COLUMN_H

#include "parquet_impl.h"

/* No least and greatest text where one is longer. */
#define PP_PQ_LONG_RANGE 64

#define PP_PQ_CACHE 64	/* texts known by their address, a power of two */

struct pp_pq_waiting {
	struct pp_pq_waiting *next;
	size_t n;
	char bytes[];
};

struct pp_pq_seen {
	const char *p;
	size_t n;
	uint32_t index;
};

/* STAMP: the last time of which more than the fraction was looked at. */
#define PP_PQ_SECOND 20		/* bytes in front of the fraction */
struct pp_pq_second {
	char text[40];
	size_t n;		/* 0: none yet */
	int64_t us;		/* without the fraction */
};

struct pp_pq_column {
	struct pp_pq_press *s;
	struct pp_pq_field field;
	/* the page to come */
	size_t rows, count;	/* rows; values that are not NULL */
	uint8_t *bits;		/* by row: is there a value? */
	size_t bits_cap;
	union {
		int64_t *i;	/* INT, DECIMAL, STAMP */
		pp_i128 *w;	/* WIDE */
		uint32_t *d;	/* TEXT, ID: indexes of the dictionary */
	} v;
	size_t v_cap;
	struct pp_pq_buf text;	/* plain texts; ID, TIME: what differs */
	int64_t *prefix, *suffix; /* ID, TIME: lengths */
	struct pp_pq_buf last;	/* ID, TIME: the text before */
	struct pp_pq_second second;
	/* the chunk to come */
	struct pp_pq_dictionary dict;
	bool plain;		/* the dictionary is full */
	bool hopeless;		/* dictionaries do not help */
	bool coded;		/* a codec has been chosen */
	struct pp_pq_chunk chunk;
	struct pp_pq_waiting *first, **end;
	size_t held, buffers;
	bool has_range, no_range;
	union {
		int64_t i;
		pp_i128 w;
	} least, greatest;
	char range[2][PP_PQ_LONG_RANGE]; /* as the footer has them */
	size_t range_n[2];
	bool rising;		/* the greatest text is the last one */
	struct pp_pq_seen seen[PP_PQ_CACHE];
};

/* Does it begin with a dictionary? */
static inline bool
pp_pq_is_coded(const struct pp_pq_column *c)
{
	return c->field.kind == PP_PQ_TEXT || c->field.kind == PP_PQ_ID;
}

/* The page holds text enough. */
static inline bool
pp_pq_is_full(const struct pp_pq_column *c)
{
	return c->text.n >= PP_PQ_PAGE_BYTES || c->rows == PP_PQ_PAGE_ROWS;
}

/* parquet_column.c: encode and keep the page, which may be empty. */
void pp_pq_column_page(struct pp_pq_column *c);

/*
 * parquet_cells.c: append n cells of the column's type and their tags, for
 * which the page has room.
 */
void pp_pq_cells_add(struct pp_pq_column *c, const union pp_cell *cells,
    const uint8_t *tags, size_t n);

/* parquet_range.c: values that least and greatest may come from. */
void pp_pq_note_i64(struct pp_pq_column *c, const int64_t *v, size_t n);
void pp_pq_note_wide(struct pp_pq_column *c, pp_i128 v);
void pp_pq_note_text(struct pp_pq_column *c, pp_str s);

/* The same where `last` was noted before it, or is empty; they have their
 * first n bytes in common. */
void pp_pq_note_after(struct pp_pq_column *c, pp_str s, pp_str last,
    size_t n);

/* Put least and greatest into range[] and the chunk, as PLAIN has them. */
void pp_pq_settle_range(struct pp_pq_column *c);

#endif
