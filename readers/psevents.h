/*
 * psevents.h: the parts of the row reader of Performance Schema events.
 * Private to psevents*.c.
 *
 * Words: a *unit* is one row set; a *server* is what its units have in
 * common: thread and event ids mean the same in all of them.
 */
#ifndef PP_PSEVENTS_H
#define PP_PSEVENTS_H

#include "../model/digests.h"
#include "../model/log/extsort.h"
#include "../model/model.h"
#include "../model/nested.h"
#include "client/rowreader.h"

#define PP_PS_NONE UINT32_MAX

/* --------------------------------------------------------------- columns */

#define PP_PS_COUNTERS (PP_DG_COUNTERS - PP_DG_ERRORS)

enum pp_ps_field {
	PP_PS_THREAD,
	PP_PS_ID,
	PP_PS_END,
	PP_PS_NAME,
	PP_PS_START,
	PP_PS_UNTIL,
	PP_PS_WAIT,
	PP_PS_PARENT,
	PP_PS_PARENT_TYPE,
	/* statements */
	PP_PS_SQL,
	PP_PS_DIGEST,
	PP_PS_DIGEST_TEXT,
	PP_PS_SCHEMA,
	PP_PS_ERRNO,
	PP_PS_MESSAGE,
	PP_PS_LOCK,
	PP_PS_CPU,
	PP_PS_COUNTER,		/* PP_DG_ERRORS, the first of twelve */
	/* waits */
	PP_PS_OBJECT = PP_PS_COUNTER + PP_PS_COUNTERS,
	PP_PS_BYTES,
	PP_PS_OPERATION,
	PP_PS_OBJECT_NAME,
	/* transactions */
	PP_PS_STATE,
	/* summaries */
	PP_PS_USER,
	PP_PS_HOST,
	PP_PS_COUNT,
	PP_PS_SUM,
	PP_PS_MIN,
	PP_PS_MAX,
	/* threads */
	PP_PS_TYPE,
	PP_PS_CONNECTION,
	PP_PS_OS_ID,
	PP_PS_DB,
	/* SHOW STATUS */
	PP_PS_VARIABLE,
	PP_PS_VALUE,
	PP_PS_FIELDS
};

enum pp_ps_kind {
	PP_PS_OTHER,		/* not ours */
	PP_PS_EVENTS,		/* an event a row */
	PP_PS_SUMS,		/* events_*_summary_*: a name a row */
	PP_PS_THREADS,		/* threads */
	PP_PS_STATUS		/* SHOW STATUS */
};

struct pp_ps_layout {
	enum pp_ps_kind kind;
	int bits;
	int column[PP_PS_FIELDS]; /* -1: none */
	enum pp_nested_kind family; /* where no name tells; from columns */
	bool guessed;
};

/* psevents_columns.c: what the columns of a row set are. */
void pp_ps_layout(struct pp_ps_layout *l, const struct pp_rowset *rs);

/* What an event is, by its name: `family` where the name does not tell. */
enum pp_nested_kind pp_ps_family(pp_str name, enum pp_nested_kind family);

/* A cell that is a whole number; false where there is none. */
bool pp_ps_number(const struct pp_rs_cell *c, uint64_t *out);

/* ---------------------------------------------------------------- records */

/* pp_ps_event.flags: those of pp_nested, and */
#define PP_PS_PARENT_TOLD	0x100u
#define PP_PS_PARENT_TRX	0x200u
#define PP_PS_KIND_SHIFT	16

/* An event as it was printed. */
struct pp_ps_event {
	uint64_t thread;	/* index of the thread; with several servers
				 * also of that: see key_of */
	uint64_t id;
	uint64_t end;		/* as in pp_nest_event */
	uint64_t parent;
	uint64_t start, wait;
	uint32_t unit, line;
	uint32_t name;		/* in model.names, as printed */
	uint32_t more;		/* number of its pp_ps_more, 0: none */
	uint32_t flags;
	uint32_t unused;
};

/* pp_ps_more.has: bit k of the counters (PP_DG_ERRORS ...), and */
#define PP_PS_HAS_LOCK		0x010000u
#define PP_PS_HAS_CPU		0x020000u
#define PP_PS_HAS_OBJECT	0x040000u
#define PP_PS_HAS_BYTES		0x080000u
#define PP_PS_HAS_SQL		0x100000u /* its text is as it was sent */

/* What few events have. */
struct pp_ps_more {
	uint64_t count[PP_DG_COUNTERS];
	uint64_t lock, cpu, object, bytes;
	uint32_t stmt;		/* PP_PS_NONE: not a statement */
	uint32_t error;
	uint32_t has;
	uint32_t message, object_name, operation, state; /* in names */
	/* in pp_digests.strings */
	uint32_t digest, digest_text, schema;
};

struct pp_ps_unit {
	uint32_t source;
	uint32_t up;		/* union-find: units of one server */
	uint32_t server;
	bool threads;		/* has thread ids */
	/* least begins, as printed: of statements, stages, transactions; of
	 * waits; of idle.  UINT64_MAX: none */
	uint64_t least[3];
};

struct pp_ps_thread {
	uint64_t id;
	bool has_id;
	/* of the table threads, in names; 0: not known */
	uint32_t name, process, client, service;
};

/* Sums of a name, and whose they are. */
struct pp_ps_sum {
	uint32_t unit, group;	/* group: text of thread, account ... */
	uint32_t name, line;
	uint64_t count, sum, min, max;
	bool extremes;
};

/* Two units that cannot be of one server. */
struct pp_ps_conflict {
	uint32_t a, b;
};

struct pp_ps {
	struct pp_model *m;
	struct pp_extsort sort;
	struct pp_bytelog more;
	uint32_t nmore;
	struct pp_ps_unit *units;
	size_t nunits, units_cap;
	struct pp_ps_thread *threads;
	size_t nthreads, threads_cap;
	struct pp_map thread_map; /* id, has_id -> thread */
	struct pp_ps_sum *sums;
	size_t nsums, sums_cap;
	struct pp_ps_conflict *conflicts;
	size_t nconflicts, conflicts_cap;
	struct pp_map conflict_map;
	uint32_t nservers;
	/* the source and the row set that are being read */
	uint32_t source;
	struct pp_ps_layout layout;
	uint32_t unit;		/* PP_PS_NONE: not yet one */
};

/* psevents_servers.c: which units are of one server; afterwards the events
 * stand by server, thread and id. */
void pp_ps_servers(struct pp_ps *);

/* psevents_emit.c: events become sessions. */
void pp_ps_emit(struct pp_ps *);

/* psevents_sums.c: sums become sessions. */
void pp_ps_emit_sums(struct pp_ps *);

/* A session of the group, whose source may still change. */
uint32_t pp_ps_session(struct pp_ps *, uint32_t source,
    enum pp_session_kind);

/* More of an event; false where it has none. */
bool pp_ps_more(struct pp_ps *, uint32_t number, struct pp_ps_more *out);

/* psevents_merge.c: may both be printings of one event; take from b what it
 * tells more. */
bool pp_ps_same(const struct pp_ps_event *a, const struct pp_ps_event *b);
void pp_ps_merge(struct pp_ps *, struct pp_ps_event *a,
    const struct pp_ps_event *b);

/* psevents_digest.c: count a statement among those of its digest. */
void pp_ps_digest(struct pp_ps *, const struct pp_ps_event *,
    const struct pp_ps_more *, uint32_t source);

#endif
