/*
 * psevents_emit.h: what is known while events become sessions.  Private to
 * psevents_emit.c and psevents_tell.c.
 */
#ifndef PP_PSEVENTS_EMIT_H
#define PP_PSEVENTS_EMIT_H

#include "psevents.h"

/* Printings of one id that are different events: without thread ids. */
#define PP_PS_HELD 8

/* Events that came before the parent that they name: when a statement of a
 * function begins, the stage at hand of MariaDB goes to it. */
#define PP_PS_EARLY 64

enum pp_ps_clock {
	PP_PS_CLOCK_MAIN,	/* statements, stages, transactions */
	PP_PS_CLOCK_WAIT,
	PP_PS_CLOCK_IDLE,
	PP_PS_CLOCKS
};

struct pp_ps_range {
	bool any;
	int64_t start, end;
};

/* What is only known when all events have been seen. */
struct pp_ps_pending {
	uint32_t session, server, thread;
	uint32_t source;	/* the first */
	struct pp_ps_range range[PP_PS_CLOCKS];
};

struct pp_ps_server {
	uint64_t base;		/* where its clock begins, as printed */
	bool main;		/* statements, stages or transactions */
	bool waits_fit, idle_fits;
	uint64_t checked, outside; /* waits in a timed parent; not within it */
	uint64_t last_idle;	/* end of the last idle event of a thread */
	uint64_t backwards;	/* times that idle and waits contradict */
};

/* Of a source: what it is told of. */
struct pp_ps_counts {
	uint64_t orphans, running, untimed;
};

struct pp_ps_emit {
	struct pp_ps *ps;
	struct pp_model *m;
	struct pp_nest *nest;
	struct pp_ps_server *servers;
	struct pp_ps_counts *counts;	/* by source */
	struct pp_ps_pending *v;
	size_t n, cap;
	uint64_t key;		/* server and thread at hand */
	uint32_t *shared;	/* by printed name: the name in tables, + 1 */
	size_t shared_cap;
	struct pp_map shares;	/* (session, source) -> session_sources */
	struct pp_ps_event held[PP_PS_HELD];
	unsigned nheld;
	uint64_t last_wait;	/* end of the thread's last wait */
	struct pp_ps_event early[PP_PS_EARLY];
	unsigned nearly;
};

/* Tell what was odd about the events of each source. */
void pp_ps_tell(struct pp_ps_emit *);

#endif
