/*
 * forward.h: the forward pass: every occurrence with its place in the tree,
 * in the order of the file.
 *
 * The backward walk has noted who holds what; children stand before their
 * parents, so a forward reader can add up what is a call's own by the time it
 * meets the call.  Only made where raw tables ask (pp_model.raw).
 */
#ifndef PP_ACCOUNT_FORWARD_H
#define PP_ACCOUNT_FORWARD_H

#include "account.h"

enum pp_occ_kind {
	PP_OCC_CALL,
	PP_OCC_WAIT,
	PP_OCC_TRANSACTION,	/* XCTEND: elapsed 0 */
	PP_OCC_BINDS,		/* a set of values for the next EXEC of cursor */
	PP_OCC_STATEMENT,	/* a query of SHOW PROFILE */
	PP_OCC_STAGE,		/* a state of one */
	PP_OCC_GAP		/* `lost time` or `(not recorded)` of one */
};
/* "call", "wait", "transaction", ... */
const char *pp_occ_kind_name(enum pp_occ_kind k);

struct pp_occurrence {
	enum pp_occ_kind kind;
	enum pp_ev_kind ev;	/* PARSE, EXEC, ... */
	uint32_t session, source; /* source: the file of the line */
	uint64_t id, parent;	/* parent 0: none */
	uint32_t line;
	uint32_t name;		/* event, in model.names */
	enum pp_class class;
	enum pp_place place;
	uint64_t cursor;
	uint32_t stmt;		/* of a wait in a call: the call's */
	uint16_t depth;		/* calls */
	uint16_t level;		/* calls: in the tree, from 0 */
	enum pp_orphan orphan;	/* calls: it or a caller of it is one */
	uint32_t run;		/* an orphan's run has this number and ... */
	uint32_t run_line;	/* ... is named by the ERROR of this line */
	bool has_time;
	int64_t start, end, elapsed;
	bool has_queue;
	int64_t cpu, queue;
	int64_t self, self_cpu, self_queue, self_wait, self_unaccounted;
	uint64_t rows, misses, p, cr, cu;
	uint16_t has;		/* PP_RAW_... */
	int64_t plan;		/* calls */
	int64_t par[3], obj;	/* waits; calls: par[1] optimizer goal,
				 * par[2] type of CLOSE, bytes of a LOB call */
	uint32_t params;	/* names of par, each ended by LF */
	int64_t tim;
	uint32_t error;		/* 0: none */
	uint32_t flags;		/* stages: what is odd, in model.names */
	uint32_t context;	/* index in model.contexts */
	bool late;
	bool read_only;		/* a transaction that changed nothing */
	bool nested;		/* an event that names its parent: */
	bool untimed;		/* its duration is not known */
	bool has_cpu;
	uint64_t clock;		/* in place of tim, unsigned */
	pp_str binds;		/* of PP_OCC_BINDS: for pp_bind_next; valid
				 * while it is seen */
};

/*
 * Feed every occurrence of the group, whose walk has been done, to `see`.
 * PP_FATAL when a log cannot be read.
 */
enum pp_status pp_account_forward(struct pp_accounts *a,
    void (*see)(void *, const struct pp_occurrence *), void *arg);

/* Is the occurrence a part of what is selected?  By its end. */
bool pp_account_selects(struct pp_accounts *a, const struct pp_occurrence *o);

/*
 * The same, and every ERROR line to `error`, in its place: session, source,
 * line, cursor, statement and error number.
 */
enum pp_status pp_account_forward_errors(struct pp_accounts *a,
    void (*see)(void *, const struct pp_occurrence *),
    void (*error)(void *, const struct pp_occurrence *), void *arg);

#endif
