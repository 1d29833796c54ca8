/*
 * fill.h: what reports share: cells that take more than one step, and the
 * orders of rows.
 */
#ifndef PP_REPORT_FILL_H
#define PP_REPORT_FILL_H

#include "report.h"

/* ------------------------------------------------------------- cells */

/* source, session; of merged accounts the source alone, or `(all)` */
void pp_fill_session(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session);

/* A name of model.names; the empty one is NULL. */
void pp_fill_name(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t name);

/* statement, sql_id */
void pp_fill_stmt(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t stmt);

/* Ticks of the session's clock as seconds. */
void pp_fill_ticks(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, pp_i128 ticks);

/* The same where it is known. */
void pp_fill_ticks_if(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, bool known, pp_i128 ticks);

/* Are calls, waits and CPU of the session known? */
bool pp_session_has_calls(const struct pp_report_ctx *c, uint32_t session);

/* Is CPU time known of its statements; are the rows that they returned? */
bool pp_session_has_cpu(const struct pp_report_ctx *c, uint32_t session);
bool pp_session_has_rows(const struct pp_report_ctx *c, uint32_t session);

/* A point of the session's clock, in seconds from the first begin in its
 * source. */
void pp_fill_tick(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, int64_t tick);

/* A point of the session's clock as wall clock; NULL without an anchor. */
void pp_fill_wall(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, int64_t tick);

/*
 * What rows of a session share, for tables with a row an event.  Begins
 * zeroed, and again with each group.
 */
struct pp_near {
	bool known;
	uint32_t session;
	pp_str source;
	bool numbered;		/* ordinal is shown */
	uint32_t ordinal;
	uint8_t digits;
	bool queue;		/* it has SystemTap's samples */
	int64_t origin;		/* tick at which its axis begins */
	/* the second of the last wall clock: most events are of the same */
	int64_t from, to, zero;	/* ticks [from, to) are of it; begins at */
	int64_t second;
	int16_t offset_min;
	bool has_offset;
	size_t n;		/* 0: none yet */
	char text[40];
};

/* Let n be of this session. */
void pp_near_turn(struct pp_near *n, const struct pp_report_ctx *c,
    uint32_t session);

static inline void
pp_near_to(struct pp_near *n, const struct pp_report_ctx *c,
    uint32_t session)
{
	if (!n->known || n->session != session)
		pp_near_turn(n, c, session);
}

/* A point of the session's clock as wall clock, at p, which has room for
 * PP_NEAR_WALL; its length, 0 without an anchor. */
#define PP_NEAR_WALL 40
size_t pp_near_wall(struct pp_near *n, const struct pp_report_ctx *c,
    int64_t tick, char *p);

/* source, session */
static inline void
pp_near_session(struct pp_row *x, const struct pp_near *n)
{
	pp_row_str(x, n->source);
	pp_row_dec_if(x, n->numbered, n->ordinal, 0);
}

/* A point of the session's clock, in seconds from the start of its axis;
 * ticks of that clock as seconds. */
static inline void
pp_near_tick(struct pp_row *x, const struct pp_near *n, bool known,
    int64_t tick)
{
	pp_row_dec_if(x, known, (pp_i128)tick - n->origin, n->digits);
}

static inline void
pp_near_ticks(struct pp_row *x, const struct pp_near *n, bool known,
    int64_t ticks)
{
	pp_row_dec_if(x, known, ticks, n->digits);
}

/* module, action, client_id of a context; NULL where there is none. */
static inline void
pp_near_context(struct pp_row *x, const struct pp_report_ctx *c,
    uint32_t context)
{
	const struct pp_strtab *names = &c->model->names;
	const struct pp_context *k;

	if (context >= c->model->ncontexts) {
		pp_row_nulls(x, 3);
		return;
	}
	k = &c->model->contexts[context];
	pp_row_str_or_null(x, pp_strtab_get(names, k->module));
	pp_row_str_or_null(x, pp_strtab_get(names, k->action));
	pp_row_str_or_null(x, pp_strtab_get(names, k->client_id));
}

/* time / count in seconds, half up, at least 6 digits; NULL when count is
 * 0. */
void pp_fill_average(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, pp_i128 time, uint64_t count);

/* part in percent of the session's span, two digits, half up; NULL without
 * a span. */
void pp_fill_share(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, pp_i128 part);

/* self, self_cpu, self_wait, self_queue, self_unaccounted; the queue is
 * NULL unless the session has it, and so are CPU and waits of a session of
 * states, and CPU and the rest of one of events. */
void pp_fill_self(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t session, const struct pp_sums *s);

/* physical reads, consistent gets, current gets */
void pp_fill_blocks(struct pp_rows *r, const struct pp_sums *s);

/* module, action, client_id of a context; NULL where there is none. */
void pp_fill_context(struct pp_rows *r, const struct pp_report_ctx *c,
    uint32_t context);

/* ------------------------------------------------------------ orders */

/* Rows in order: major rising, then falling, then text, then minor. */
struct pp_sort {
	pp_i128 falling;
	uint64_t major, minor;
	pp_str text;
	uint32_t index;		/* of what is sorted; the last resort */
};

void pp_sort(struct pp_sort *v, size_t n);

/* An array of n keys, to be freed by pp_mem_free. */
struct pp_sort *pp_sort_alloc(const struct pp_report_ctx *c, size_t n);

/*
 * The place of each session in the order of all tables (source, then
 * ordinal), by session; to be freed by pp_mem_free.
 */
uint32_t *pp_session_ranks(const struct pp_report_ctx *c);

/* The same turned round: the sessions in that order. */
uint32_t *pp_session_order(const struct pp_report_ctx *c);

/* The event cells in the order of `profile`; *n of them. */
struct pp_sort *pp_events_sorted(const struct pp_report_ctx *c, size_t *n);

/*
 * Statements in the order of `statements`: by session, falling self, id;
 * `(between calls)` last.
 */
struct pp_stmt_order {
	struct pp_sort *v;	/* index: of the pp_stmt_cell */
	size_t n;
	uint32_t *rank;		/* of sessions */
	struct pp_map place;	/* (session, statement) -> place in v */
};

void pp_stmt_order_init(struct pp_stmt_order *o,
    const struct pp_report_ctx *c);
void pp_stmt_order_free(struct pp_stmt_order *o);

/* A key that brings rows of (session, statement) into that order. */
uint64_t pp_stmt_order_key(const struct pp_stmt_order *o, uint32_t session,
    uint32_t stmt);

#endif
