/*
 * cursor.h: printing into the room of a stream, for writers of text.
 *
 * Sees base and the sink.  Inline: a cell takes a few dozen instructions.
 */
#ifndef PP_CURSOR_H
#define PP_CURSOR_H

#include "sink.h"

#define PP_CURSOR_ROOM 65536	/* of the stream, at once */
#define PP_CURSOR_SHORT 8192	/* bytes that are copied into it */

/* [p, end) is free room of the stream. */
struct pp_cursor {
	struct pp_stream *out;
	char *base, *p, *end;
};

static inline void
pp_cursor_open(struct pp_cursor *c, struct pp_stream *out)
{
	c->out = out;
	c->base = c->p = pp_stream_room(out, PP_CURSOR_ROOM);
	c->end = c->base + PP_CURSOR_ROOM;
}

static inline void
pp_cursor_close(struct pp_cursor *c)
{
	pp_stream_used(c->out, (size_t)(c->p - c->base));
}

/* Room for n bytes at c->p; n <= PP_CURSOR_ROOM. */
static inline void
pp_cursor_need(struct pp_cursor *c, size_t n)
{
	if ((size_t)(c->end - c->p) < n) {
		pp_cursor_close(c);
		pp_cursor_open(c, c->out);
	}
}

static inline void
pp_cursor_bytes(struct pp_cursor *c, const char *p, size_t n)
{
	if (n <= PP_CURSOR_SHORT) {
		pp_cursor_need(c, n);
		if (n > 0)
			memcpy(c->p, p, n);
		c->p += n;
		return;
	}
	pp_cursor_close(c);
	pp_stream_write(c->out, p, n);
	pp_cursor_open(c, c->out);
}

static inline void
pp_cursor_byte(struct pp_cursor *c, char b)
{
	pp_cursor_need(c, 1);
	*c->p++ = b;
}

static inline void
pp_cursor_put(struct pp_cursor *c, const char *s)
{
	pp_cursor_bytes(c, s, strlen(s));
}

#endif
