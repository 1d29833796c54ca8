/*
 * columns_read.h: what columns_in.c and columns_read.c share.
 */
#ifndef PP_CONTAINER_COLUMNS_READ_H
#define PP_CONTAINER_COLUMNS_READ_H

#include "columns.h"
#include "columns_code.h"

struct pp_in_column {
	enum pp_form form;
	struct pp_time_form time;
	const uint8_t *tags;	/* a row each; NULL: all are `tag` */
	uint8_t tag;
	enum pp_guess how;
	uint32_t a, b;
	struct pp_bytes_in values; /* none: every guess is right */
	bool there;		/* it has been met */
	bool done;
	int64_t *v;		/* decoded */
};

struct pp_reading {
	struct pp_columns_in *c;
	const struct pp_columns_table *t;
	uint32_t rows;
	struct libdeflate_decompressor *inflate;
	struct pp_arena tmp;	/* of this block */
	size_t inflated;	/* so far */
	struct pp_in_column *col;
	const pp_str *string;
	uint32_t nstrings;
	int64_t *like;
};

void pp_reading_begin(struct pp_reading *r, struct pp_columns_in *c);
void pp_reading_end(struct pp_reading *r);

/* Inflate n bytes to exactly `out`, which live as long as r; NULL at
 * damage. */
const unsigned char *pp_reading_inflate(struct pp_reading *r,
    const unsigned char *p, size_t n, uint64_t out);

#endif
