/*
 * nested.h: events of a server that name their parents by id: statements,
 * stages, waits and transactions of the Performance Schema.
 *
 * A reader brings the events of a session in the order of their ids, parents
 * before children, and appends them to pp_model.nested with their place in
 * the tree: in that order a level is all that it takes.  Nothing here adds
 * times up; account/nested.c does.
 */
#ifndef PP_NESTED_H
#define PP_NESTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "log/eventlog.h"

enum pp_nested_kind {
	PP_NESTED_STATEMENT,
	PP_NESTED_STAGE,
	PP_NESTED_WAIT,
	PP_NESTED_IDLE,		/* a wait for the client */
	PP_NESTED_TRANSACTION,	/* on a track of its own: no level of cost */
	PP_NESTED_SUM		/* events of one name that the server has
				 * summed: start = time, wait = longest, more
				 * = shortest, id = how many; unsigned */
};

/* pp_nested.flags */
#define PP_NESTED_TIMED	0x01	/* its duration is known */
#define PP_NESTED_BEGUN	0x02	/* and its begin */
#define PP_NESTED_RUNNING 0x04	/* it had not ended yet */
#define PP_NESTED_ORPHAN 0x08	/* its parent is not in the input */
#define PP_NESTED_MORE	0x10	/* a pp_nested_more follows */
#define PP_NESTED_SUSPECT 0x20	/* a time that cannot be was left out */
#define PP_NESTED_MINMAX 0x40	/* sums: shortest and longest are known */
#define PP_NESTED_LATE	0x80	/* it lies in the statement that ended last at
				 * the level above: see pp_nest_place */

struct pp_nested {
	int64_t start;		/* ticks of the session's clock */
	int64_t wait;		/* its duration */
	uint64_t id;		/* the server's */
	uint64_t more;		/* statements: rows; waits: bytes */
	uint32_t session, file;	/* file: index of the source of its line */
	uint32_t line;
	uint32_t name, stmt;
	uint32_t error;		/* statements; 0: none */
	uint32_t back;		/* 0: its parent stands at level - 1; else it
				 * is the event that many events before */
	uint16_t level;		/* in the tree, from 0 */
	uint8_t kind;		/* enum pp_nested_kind */
	uint8_t flags;
};

/* pp_nested_more.has */
#define PP_NESTED_CPU	0x01
#define PP_NESTED_OBJECT 0x02
#define PP_NESTED_AMOUNT 0x04	/* bytes of a wait; rows of a statement */
#define PP_NESTED_CLOCK	0x08

struct pp_nested_more {		/* same size as pp_nested */
	int64_t cpu;		/* ticks */
	uint64_t object;
	uint64_t clock;		/* TIMER_START as printed */
	uint64_t amount;	/* rows examined, bytes */
	uint32_t has;
	uint32_t object_name, operation, state; /* in names */
	uint64_t unused[2];
};

#define PP_NESTED_SLOTS 2	/* of an event log, for either */
_Static_assert(sizeof(struct pp_nested) ==
    PP_NESTED_SLOTS * sizeof(union pp_slot), "an event takes two slots");
_Static_assert(sizeof(struct pp_nested_more) == sizeof(struct pp_nested),
    "and so does what follows it");

/* Room for one event, or for what follows it. */
static inline void *
pp_nested_add(struct pp_eventlog *l)
{
	void *first = pp_log_add(l);

	/* a block holds an even number of slots: both lie in it */
	(void)pp_log_add(l);
	return first;
}

/* Reading a log of them from its begin. */
struct pp_nested_cursor {
	struct pp_log_cursor log;
	const union pp_slot *slots;
	size_t at, n;
	bool failed;
	struct pp_nested event;
	struct pp_nested_more more;
};
void pp_nested_open(struct pp_nested_cursor *c, struct pp_eventlog *l);

/* The next event; *more gets what follows it, or NULL.  NULL at the end, or
 * when reading failed (c->failed). */
const struct pp_nested *pp_nested_next(struct pp_nested_cursor *c,
    const struct pp_nested_more **more);
void pp_nested_close(struct pp_nested_cursor *c);

/* ---------------------------------------------------------------- parents */

/* What the ids of an event say. */
#define PP_NEST_UNKNOWN	0	/* end: nothing is said */
#define PP_NEST_OPEN UINT64_MAX	/* it had not ended yet */
struct pp_nest_event {
	uint64_t id;
	uint64_t end;		/* the last id inside of it, or PP_NEST_... */
	uint64_t parent;	/* 0: none */
	bool parent_told;	/* also where it is none */
	bool parent_transaction; /* the parent is a transaction */
	enum pp_nested_kind kind;
	bool timed, begun;
	uint8_t clock;		/* events of one clock can be compared */
	uint64_t start, until;	/* as printed */
};

struct pp_nest_open {
	uint64_t id, end;
	uint64_t seq;
	uint64_t start, until;
	uint64_t parent;	/* of a transaction: id of what it lies in */
	bool placed;
	uint8_t clock;
	uint8_t kind;
};

#define PP_NEST_DEPTH 4096	/* deeper ones stand beside each other */
#define PP_NEST_TRANSACTIONS 8	/* that may still have children */

/* The events of a session that may still get children. */
struct pp_nest {
	struct pp_nest_open open[PP_NEST_DEPTH];
	uint32_t n;
	/* by level up to n: the statement there that ended last */
	struct pp_nest_open ended[PP_NEST_DEPTH + 1];
	bool has_ended[PP_NEST_DEPTH + 1];
	struct pp_nest_open transaction[PP_NEST_TRANSACTIONS];
	uint32_t ntransactions;
	uint64_t seq;		/* events so far, over all sessions */
};

/* Where an event stands. */
struct pp_nest_place {
	uint16_t level;
	uint32_t back;		/* as in pp_nested */
	bool orphan;		/* its parent is named, but not in the input */
	bool late;		/* its parent is the statement that ended last
				 * at the level above, and is open again:
				 * stages of a CALL name the last statement in
				 * it */
	const struct pp_nest_open *in; /* NULL: a root */
};

/* A session begins. */
void pp_nest_begin(struct pp_nest *x);

/*
 * The next event of the session, by rising id (DESIGN section 6, rule 10): in
 * the parent that it names, if that came, else in the innermost event whose
 * ids hold its own.
 */
void pp_nest_add(struct pp_nest *x, const struct pp_nest_event *e,
    struct pp_nest_place *out);

#endif
