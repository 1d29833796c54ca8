/*
 * selection.h: a part of what was read: --where, --since, --until, --idle.
 *
 * A selection acts after the accounting and before anything is added up: who
 * owns a wait and what of a call is its own never change.  Times are clipped
 * to the window by overlap, counts go by end time.
 */
#ifndef PP_ACCOUNT_SELECTION_H
#define PP_ACCOUNT_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/num.h"
#include "../base/str.h"

enum pp_where {
	PP_WHERE_SESSION,	/* its number, or the server's own id */
	PP_WHERE_SOURCE,
	PP_WHERE_MODULE,	/* at the end of the occurrence, as ... */
	PP_WHERE_ACTION,
	PP_WHERE_CLIENT_ID,
	PP_WHERE_SERVICE,	/* ... all of these */
	PP_WHERE_STATEMENT,
	PP_WHERE_SQL_ID,
	PP_WHERE_COMMAND,
	PP_WHERE_USER,		/* number of the parsing user */
	PP_WHERE_EVENT,
	PP_WHERE_CLASS,
	PP_WHERE_DIGEST,	/* the canonical one or, of the rows that a
				 * server has summed, its own */
	PP_WHERE_SCHEMA,	/* of such rows; traces have none */
	PP_WHERE_COUNT
};

/* "session", "source", ... */
const char *pp_where_name(enum pp_where w);

struct pp_condition {
	enum pp_where column;
	pp_str value;
	uint32_t number;	/* command: its type; UINT32_MAX: none */
};

/* A moment on the wall clock or on the clock of the trace. */
struct pp_moment {
	bool given;
	bool wall;
	pp_i128 ps;		/* 10^-12 s from the first begin in a source */
	bool has_date;		/* wall: else the day on which a source begins */
	int64_t us;		/* since 1970-01-01, local; or since midnight */
	bool has_offset;
	int32_t offset_min;
};

struct pp_selection {
	struct pp_condition *where; /* alternatives where columns are equal */
	size_t nwhere;
	struct pp_moment since, until;
	bool no_idle;
	const char *text;	/* "module=batch, since 18:41" */
};

/* Does it leave out idle waits, and nothing else? */
static inline bool
pp_selection_idle_only(const struct pp_selection *s)
{
	return s->nwhere == 0 && !s->since.given && !s->until.given;
}

#endif
