/*
 * column_bytes.h: what a test writes of columns, kept in memory.
 */
#ifndef PP_COLUMN_BYTES_H
#define PP_COLUMN_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
	unsigned char *p;
	size_t n, cap;
};

/* For pp_columns_out: behind what there is. */
static inline bool
put(void *arg, const void *p, size_t n)
{
	struct bytes *b = arg;

	if (b->n + n > b->cap) {
		b->cap = (b->n + n) * 2;
		b->p = realloc(b->p, b->cap);
	}
	memcpy(b->p + b->n, p, n);
	b->n += n;
	return true;
}

/* For pp_columns_open: n bytes from `at` on, if they are there. */
static inline bool
get(void *arg, void *p, size_t n, uint64_t at)
{
	struct bytes *b = arg;

	if (at > b->n || n > b->n - at)
		return false;
	memcpy(p, b->p + at, n);
	return true;
}

#endif
