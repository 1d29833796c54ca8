/*
 * model.h: everything that is known about the input.
 *
 * Readers (fold) fill it; the accounts and the reports read it.  Strings are
 * interned or live in `arena`; indexes are stable for the run.
 */
#ifndef PP_MODEL_H
#define PP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/hist.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/strtab.h"
#include "facet.h"
#include "log/bytelog.h"
#include "log/eventlog.h"

/*
 * A point on the wall clock: microseconds since 1970-01-01 00:00:00 of the
 * printed local time, and the printed offset from UTC.
 */
struct pp_wall {
	int64_t us;
	int16_t offset_min;
	bool known;
	bool has_offset;
};

/*
 * ISO 8601 text of w plus `us` microseconds, 6 digits, with the offset where
 * the file has one: 2024-03-26T18:41:07.683567+01:00.  Empty when unknown.
 * buf has room for 40; returns the length.
 */
size_t pp_wall_format(char *buf, const struct pp_wall *w, int64_t us);

enum pp_source_status { PP_SRC_COMPLETE, PP_SRC_PARTIAL, PP_SRC_EMPTY };

/* An input file.  Columns of table `sources`. */
struct pp_source {
	pp_str name;		/* base name, no .gz */
	pp_str path;
	pp_str reader;		/* comma list */
	pp_str product, version, host, instance;
	uint8_t digits;		/* decimal digits of the tick: 6 = 1 us */
	uint32_t tick_units;	/* tick = tick_units x 10^-digits s: 1 */
	const char *clock_factor; /* "1", "1.024" */
	struct pp_wall started, ended;
	bool has_span;
	int64_t start, end;	/* ticks: first begin, last end over its sessions */
	uint64_t bytes, lines, records, repaired, rejected, noise;
	enum pp_source_status status;
	bool has_sha256;
	uint8_t sha256[32];
	uint32_t group;		/* sources of one group share log and sessions */
	const uint32_t *tag;	/* values of model.tag, in names; NULL: none */
};

/* Kinds of input, by what they can fill: pp_model.inputs. */
#define PP_INPUT_TRACE	0x01	/* Oracle traces: calls and waits */
#define PP_INPUT_STATES	0x02	/* SHOW PROFILE: states of queries */
#define PP_INPUT_EVENTS	0x04	/* P_S: statements, stages, waits */
#define PP_INPUT_DIGESTS 0x08	/* rows that a server has summed */
#define PP_INPUT_COMPARED 0x10	/* two captures; only `compare` has it */
#define PP_INPUT_ANY	0x0f
/* beside PP_INPUT_DIGESTS: */
#define PP_INPUT_BUCKETS 0x20	/* how the times of digests spread */
#define PP_INPUT_SNAPSHOTS 0x40	/* several, to be subtracted: --delta */

/*
 * A later stamp of the wall clock and the tick that it stands at.  From
 * `start` to `tick` the wall clock stands still: see the reader that says so.
 */
struct pp_anchor {
	int64_t start, tick;
	struct pp_wall wall;
};

/* What a session is made of, which decides what is known of it. */
enum pp_session_kind {
	PP_SESSION_CALLS,	/* calls and waits */
	PP_SESSION_STATES,	/* queries and their states, one after the
				 * other; no calls, waits or CPU of its own */
	PP_SESSION_EVENTS,	/* events that name their parents: see
				 * nested.h */
	PP_SESSION_SUMS		/* what a server has summed by event */
};

/* A stream of events on one clock.  Columns of table `sessions`. */
struct pp_session {
	enum pp_session_kind kind;
	uint32_t source;	/* the first */
	uint32_t ordinal;	/* within its source, from 1 */
	uint32_t group;
	pp_str native_id, process, client_id, service, module, action, driver,
	    container;
	uint8_t digits;		/* of its tick: 6, 2, 8, 12, 9 */
	uint32_t clock;		/* clocks of a source that have nothing in
				 * common have different numbers, from 0 */
	bool unordered;		/* events do not stand in the order of their
				 * ends */
	bool depth_decides;	/* the clock is too coarse to find parents */
	bool has_time;
	int64_t start, end;	/* ticks: first begin, last end */
	uint64_t calls, waits, commits, rollbacks;
	bool has_anchor;
	struct pp_wall anchor;	/* the wall clock at tick anchor_tick */
	int64_t anchor_tick;
	struct pp_anchor *anchors; /* at later ticks, rising */
	size_t nanchors, anchors_cap;
	bool scale_1024;	/* a tick is 1.024 us on the wall clock */
	int64_t missing;	/* ticks of known holes */
	bool states_apart;	/* PP_SESSION_STATES: of so many statements
				 * that their states are better read again
				 * than kept: account/states.h */
	bool waits_apart;	/* PP_SESSION_EVENTS: the clock of its waits
				 * is not that of its statements: they have no
				 * place on the time axis */
	bool idle_apart;	/* likewise of idle events */
};

/* A file's share of a session.  Columns of table `session_sources`. */
struct pp_session_source {
	uint32_t session, source;
	uint64_t first_line, last_line;
	bool has_time;
	int64_t start, end;
};

/* One SQL text.  Index 0 is `(no statement)`, 1 `(between calls)`. */
#define PP_STMT_NONE 0
#define PP_STMT_BETWEEN 1
struct pp_stmt {
	pp_str id;		/* what the tables show: sql_id, s:..., ?N */
	pp_str sql_id;		/* printed or computed; empty: not Oracle */
	pp_str text;
	uint64_t text_bytes;	/* as sent; text.n may be less */
	uint32_t hash_value;
	bool has_hash, has_text, complete, altered;
	uint16_t command;	/* oct */
	bool has_command;
	pp_str command_name;	/* in place of a number; empty: none */
	int64_t parsing_user;	/* uid that came first, -1 unknown; of a
				 * session: pp_model_user */
	uint32_t user_session;	/* the session that it came in */
	pp_str digest;		/* "d:..."; filled by digest_fill.h, as is */
	pp_str digest_text;	/* the text it is the hash of */
};

/*
 * A bind value, as it travels from a reader to the raw tables: the values of
 * one set stand one after the other in pp_model.binds.
 */
struct pp_bind {
	uint32_t position;	/* from 0 */
	uint32_t type;		/* id of its name, in names */
	int64_t length;		/* bytes of the value; -1: not known */
	bool known;		/* it has a value */
	pp_str value;
};

/* Append b to the bytes of a set, for pp_bytelog_add. */
void pp_bind_put(struct pp_mem *mem, char **set, size_t *n, size_t *cap,
    const struct pp_bind *b);

/* The next bind of a set; *set moves behind it.  False at the end. */
bool pp_bind_next(pp_str *set, struct pp_bind *b);

/* Module, action and client id at a moment (PP_EV_CONTEXT). */
struct pp_context {
	uint32_t module, action, client_id, service; /* ids in names */
};

/* Elapsed times of a statement's executions: EXEC with its FETCHes; where
 * --by is used, also those of each facet. */
struct pp_executions {
	uint32_t session, stmt;
	uint32_t facet;		/* or PP_FACET_ALL */
	struct pp_hist hist;
	int64_t max;
};

/*
 * A row of an execution plan, summed over the executions that printed the
 * plan.  Columns of table `plans`.
 */
struct pp_plan_row {
	uint32_t line;		/* where it was first printed */
	int64_t id, parent, position, object;
	uint32_t operation;	/* in names */
	uint64_t rows, starts;
	int64_t cr, pr, pw;	/* those of the rows below included */
	int64_t us;		/* microseconds, likewise */
	int64_t cost, bytes, cardinality; /* as first printed */
	unsigned has;		/* PP_PLAN_... */
};
#define PP_PLAN_GETS	0x01	/* cr, pr, pw, us are known */
#define PP_PLAN_STARTS	0x02
#define PP_PLAN_COST	0x04
#define PP_PLAN_OBJECT	0x08
#define PP_PLAN_PARENT	0x10
#define PP_PLAN_POSITION 0x20
#define PP_PLAN_BYTES	0x40
#define PP_PLAN_CARD	0x80

/* A plan of a statement in a session. */
struct pp_stmt_plan {
	uint32_t session, stmt;
	uint32_t number;	/* of the statement's plans, from 1 */
	uint64_t shape;		/* hash of its operations and their places */
	uint64_t executions;
	struct pp_plan_row *rows;
	uint32_t nrows;
};

/*
 * A query of SHOW PROFILE.  Its rows stand one after the other in
 * pp_model.stages, from `at` on.
 */
struct pp_query {
	uint32_t session, stmt;
	bool has_id;		/* the server's number is known */
	uint64_t id;
	int64_t elapsed;	/* ticks */
	uint64_t at;
	uint32_t pieces;	/* runs of rows: see pp_stage_next */
};

/* What a row of a query is. */
enum pp_stage_kind {
	PP_STAGE_STATE,		/* a row as it was printed */
	PP_STAGE_SUM,		/* `count` rows of one state, summed up */
	PP_STAGE_LOST,		/* rest of the printed total, signed */
	PP_STAGE_UNSEEN		/* time whose states are not in the input */
};

/* Counters of a row, in the order of SHOW PROFILE ALL. */
enum pp_stage_counter {
	PP_COUNT_VOLUNTARY,
	PP_COUNT_INVOLUNTARY,
	PP_COUNT_BLOCKS_IN,
	PP_COUNT_BLOCKS_OUT,
	PP_COUNT_SENT,
	PP_COUNT_RECEIVED,
	PP_COUNT_MAJOR,
	PP_COUNT_MINOR,
	PP_COUNT_SWAPS,
	PP_STAGE_COUNTERS
};

/* pp_stage.has: bit k of the counters, and */
#define PP_STAGE_USER		0x0200u
#define PP_STAGE_SYSTEM		0x0400u
#define PP_STAGE_DURATION	0x0800u
#define PP_STAGE_FROM_LINE	0x1000u
#define PP_STAGE_TO_LINE	0x2000u

/* A row of SHOW PROFILE.  Columns of table `stages`. */
struct pp_stage {
	uint8_t kind;		/* enum pp_stage_kind */
	uint32_t has;
	uint32_t name;		/* of the state, in names */
	uint32_t flags;		/* what is odd about it: text, in names */
	uint64_t count;		/* 1, but for sums */
	int64_t start;		/* ticks from the begin of its query */
	int64_t duration;	/* ticks */
	int64_t cpu_user, cpu_system; /* ticks; of the whole process */
	uint64_t counter[PP_STAGE_COUNTERS]; /* likewise */
	uint32_t from_function, from_file, to_function, to_file; /* names */
	uint64_t from_line, to_line;
};

/* An ERROR or PARSE ERROR line.  Columns of table `errors`. */
struct pp_error {
	uint32_t session, source, stmt;
	uint64_t line;
	int64_t code;
	bool has_time;
	int64_t at;		/* ticks */
	bool parse;		/* a failed parse: its statement has the text */
};

/* What pp_model.stages is for; the raw tables need all of it. */
enum pp_rows_kept {
	PP_ROWS_ALL,		/* table `stages` */
	PP_ROWS_TIMES,		/* names, times and counts only */
	PP_ROWS_NONE		/* nobody asks: the event log says it all */
};

struct pp_client_options;	/* readers/client/client.h */
struct pp_digests;		/* digests.h */

struct pp_model {
	struct pp_mem *mem;
	struct pp_arena arena;
	struct pp_diag diag;
	struct pp_strtab names;	/* event and call names, modules, ... */
	struct pp_source *sources;
	size_t nsources, sources_cap;
	struct pp_session *sessions;
	size_t nsessions, sessions_cap;
	struct pp_session_source *session_sources;
	size_t nsession_sources, session_sources_cap;
	struct pp_stmt *stmts;
	size_t nstmts, stmts_cap;
	struct pp_map stmt_by_id;	/* hash pair of the id -> index */
	struct pp_map digest_map; /* digest -> the first statement with it */
	struct pp_map users;	/* (session, stmt) -> uid other than first */
	struct pp_context *contexts;
	size_t ncontexts, contexts_cap;
	struct pp_stmt_plan *plans;
	size_t nplans, plans_cap;
	struct pp_map plan_map;	/* (session and stmt, shape) -> plan */
	struct pp_map plan_count; /* (session, stmt) -> plans so far */
	struct pp_error *errors;
	size_t nerrors, errors_cap;
	struct pp_executions *executions;
	size_t nexecutions, executions_cap;
	struct pp_map execution_map; /* (facet and session, stmt) */
	struct pp_query *queries; /* of SHOW PROFILE: by session, in order */
	size_t nqueries, queries_cap;
	struct pp_bytelog stages; /* rows of all queries */
	enum pp_rows_kept rows_kept; /* of them */
	struct pp_map stage_names; /* see pp_model_stage_name */
	struct pp_bytelog binds; /* of the group: see pp_bind_next */
	struct pp_eventlog log;	/* of the group that is being read */
	struct pp_eventlog nested; /* likewise: struct pp_nested, by session
				 * and id */
	const struct pp_client_options *client; /* how to read the text of
				 * clients; NULL: as it tells */
	bool raw;		/* raw tables are wanted: log PP_EV_RAW */
	unsigned inputs;	/* PP_INPUT_: kinds that were found; readers
				 * set them */
	bool shift_states;	/* --shift-states */
	struct pp_digests *digests; /* rows summed by servers; NULL: none */
	const char *tag[PP_TAG_MAX]; /* --tag: names of the columns */
	size_t ntags;
	struct pp_facets facets; /* --by */
};

/* An empty model; messages go to `to` (NULL: nowhere). */
void pp_model_init(struct pp_model *m, struct pp_mem *mem, FILE *to,
    const char *tmpdir);

/* Append an empty source / session and return its index. */
uint32_t pp_model_source(struct pp_model *m);
uint32_t pp_model_session(struct pp_model *m, uint32_t source);

/*
 * The statement known by `id` (a sql_id, s:..., ?N), added empty where it is
 * new.  Pointers into m->stmts move when statements are added: keep indexes.
 */
uint32_t pp_model_stmt(struct pp_model *m, pp_str id);

/*
 * The statement was parsed for this user in the session.  One text is run by
 * many users, under one sql_id: sessions tell them apart.  A session keeps
 * the first that it names, unless that is the first of all.
 */
void pp_model_parsed_for(struct pp_model *m, uint32_t session, uint32_t stmt,
    int64_t uid);

/* The user that it was parsed for in the session; -1: not known. */
int64_t pp_model_user(const struct pp_model *m, uint32_t session,
    uint32_t stmt);

/*
 * Count a printed plan of a statement: rows are added to the plan of the same
 * shape, or kept as a new one.  `rows` stays the caller's.
 */
void pp_model_plan(struct pp_model *m, uint32_t session, uint32_t stmt,
    const struct pp_plan_row *rows, uint32_t n);

/* One more zeroed error. */
struct pp_error *pp_model_error(struct pp_model *m);

/* Count an execution that took `elapsed` ticks with its fetches and whose
 * EXEC ended in a context. */
void pp_model_execution(struct pp_model *m, uint32_t session, uint32_t stmt,
    uint32_t context, int64_t elapsed);

/* The executions of a statement in a session, of a facet or PP_FACET_ALL;
 * NULL where there are none. */
const struct pp_executions *pp_model_executions(const struct pp_model *m,
    uint32_t session, uint32_t stmt, uint32_t facet);

/*
 * The statement of an Oracle text without a printed sql_id: its id is
 * computed (DESIGN section 7: MD5 of text + NUL, last 8 bytes in base 32).
 * *hash gets the last 4 bytes.  out has room for 14.
 */
void pp_sql_id(pp_str text, char *out, uint32_t *hash);

/* A text of a server that has no sql_id: "s:" and 16 hex of SHA-256; out has
 * room for 19. */
void pp_text_id(pp_str text, char *out);

/*
 * The name of a stage as all inputs share it: without `stage/sql/`, its first
 * 30 bytes (as SHOW PROFILE cuts it) without blanks at the end; where the
 * same name came before in other letters, that spelling.  Id in names.
 */
uint32_t pp_model_stage_name(struct pp_model *m, pp_str name);

/* One more zeroed query. */
struct pp_query *pp_model_query(struct pp_model *m);

/* Append a row to the bytes of a piece, for pp_model_stages. */
void pp_stage_put(struct pp_mem *mem, char **piece, size_t *n, size_t *cap,
    const struct pp_stage *x);

/* Keep a piece as the next of query q. */
void pp_model_stages(struct pp_model *m, struct pp_query *q, pp_str piece);

/* Reading the rows of a query, in order. */
struct pp_stage_reader {
	struct pp_bytelog *log;
	uint64_t at;		/* of the next piece */
	uint32_t pieces;	/* still to come */
	pp_str piece;		/* what is left of this one */
	bool times;		/* set by the caller: name, times and count
				 * are enough */
};
void pp_stage_open(struct pp_stage_reader *r, struct pp_model *m,
    const struct pp_query *q);

/* The next row; false at the end. */
bool pp_stage_next(struct pp_stage_reader *r, struct pp_stage *x);

/* What a text of MySQL or MariaDB does: SELECT, ALTER TABLE, ...; a literal,
 * empty where the text begins with no command. */
pp_str pp_mysql_command(pp_str text);

/*
 * The wall clock at `tick` of session s: by the last anchor that is not behind
 * it, or else by the first, and the ticks in between.  False without an
 * anchor.
 */
bool pp_session_wall(const struct pp_session *s, int64_t tick,
    struct pp_wall *w);

/*
 * The same, and the ticks around it, [*from, *to), that are as many
 * microseconds away from it on the wall clock; none where a tick is not a
 * microsecond.
 */
bool pp_session_wall_near(const struct pp_session *s, int64_t tick,
    struct pp_wall *w, int64_t *from, int64_t *to);

/* 10^digits: ticks a second. */
int64_t pp_ticks_per_second(uint8_t digits);

#endif
