/*
 * segments.h: the columns of a profile out of its SEGMENT members.
 */
#ifndef PP_CONTAINER_SEGMENTS_H
#define PP_CONTAINER_SEGMENTS_H

#include "store.h"

struct pp_segments {
	struct pp_store *s;
	const struct pp_entry *e;
	unsigned char *buf;
	struct pp_member m;	/* that is in buf */
	bool there;
	uint64_t from;		/* its body begins here in the stream */
};

void pp_segments_open(struct pp_segments *g, struct pp_store *s,
    const struct pp_entry *e);
void pp_segments_close(struct pp_segments *g);

/* Read n bytes at `at` of the stream: arg is a struct pp_segments.  Every
 * member is checked; false at damage (s->err). */
bool pp_segments_get(void *arg, void *p, size_t n, uint64_t at);

#endif
