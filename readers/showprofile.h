/*
 * showprofile.h: the parts of the row reader of SHOW PROFILE.  Private to
 * showprofile*.c.
 *
 * Words: a *print* is one printing of a query's states (SHOW PROFILE, a share
 * of INFORMATION_SCHEMA.PROFILING, the pivot query); a *segment* is one
 * session of the server, as far as query numbers tell.
 */
#ifndef PP_SHOWPROFILE_H
#define PP_SHOWPROFILE_H

#include "client/rowreader.h"

#define PP_SP_NONE UINT32_MAX

/* Times are held in 10^-12 s: no printed digit is lost. */
#define PP_SP_DIGITS 12
#define PP_SP_MICRO 1000000	/* 1 us */
#define PP_SP_SATURATED ((int64_t)999999999 * PP_SP_MICRO)

/* --------------------------------------------------------------- columns */

enum pp_sp_field {
	PP_SP_ID,
	PP_SP_SEQ,
	PP_SP_STATE,
	PP_SP_DURATION,
	PP_SP_QUERY,
	PP_SP_USER,
	PP_SP_SYSTEM,
	PP_SP_COUNTER,		/* the first of PP_STAGE_COUNTERS */
	PP_SP_FUNCTION = PP_SP_COUNTER + PP_STAGE_COUNTERS,
	PP_SP_FILE,
	PP_SP_LINE,
	PP_SP_TOTAL,		/* of the pivot query */
	PP_SP_PERCENT,
	PP_SP_CALLS,
	PP_SP_PER_CALL,
	PP_SP_FIELDS
};

enum pp_sp_kind {
	PP_SP_OTHER,		/* not ours */
	PP_SP_LIST,		/* SHOW PROFILES */
	PP_SP_PROFILE,		/* SHOW PROFILE: one query */
	PP_SP_PROFILES,		/* I_S.PROFILING: with a number a row */
	PP_SP_SUMS		/* the pivot query */
};

/* What the statement that led to a row set says. */
struct pp_sp_asked {
	bool profile;		/* it asks for states */
	bool has_id;
	uint64_t id;
	bool has_limit, other;	/* other: conditions that leave rows out */
	uint64_t limit, offset;
	bool typed;		/* SHOW PROFILE: its types are known */
	unsigned types;		/* 1 << enum pp_sp_type */
};

enum pp_sp_type {
	PP_SP_T_CPU,
	PP_SP_T_CONTEXT,
	PP_SP_T_BLOCK,
	PP_SP_T_IPC,
	PP_SP_T_FAULTS,
	PP_SP_T_SWAPS,
	PP_SP_T_SOURCE,
	PP_SP_TYPES
};

struct pp_sp_layout {
	enum pp_sp_kind kind;
	int bits;		/* that prove it */
	int column[PP_SP_FIELDS]; /* -1: none */
	int64_t unit;		/* of durations, in 10^-12 s */
	bool guessed;		/* columns were known by their cells */
	bool left_over;		/* and not all of them are known */
};

/* showprofile_columns.c: what the columns of a row set are. */
void pp_sp_layout(struct pp_sp_layout *l, const struct pp_rowset *rs);

/* showprofile_columns.c: does a profile begin with the state `name`, which
 * stands behind `before`?  Names are those of servers, ignoring case. */
bool pp_sp_begins(pp_str before, pp_str name);

/* showprofile_asked.c: read a statement, or a line of text that holds one. */
bool pp_sp_asked(struct pp_sp_asked *a, pp_str statement);

/* ---------------------------------------------------------------- values */

struct pp_sp_number {
	int64_t v;		/* in 10^-12 of the unit */
	bool inexact;		/* it had more digits than that */
	bool unit;		/* it had a unit of time: rounded to it */
	pp_str rest;		/* text behind it */
};

/*
 * showprofile_value.c: a decimal number at the head of s, with exponent,
 * decimal comma and unit of time where it has them.  False when there is
 * none, or it is beyond 106 days.
 */
bool pp_sp_number(pp_str s, int64_t unit, struct pp_sp_number *out);

/* A whole number; *minus: it is below 0.  False when there is none. */
bool pp_sp_count(pp_str s, uint64_t *out, bool *minus, pp_str *rest);

/* ----------------------------------------------------------------- store */

/*
 * A row of a print travels as a pp_stage: duration and CPU in 10^-12 s, and
 *	start		the line it stands on
 *	to_line		its SEQ, where PP_STAGE_TO_LINE
 *	to_function	the fields that are suspect: bits as of `has`
 *	to_file		those that are below 0
 */
struct pp_sp_piece {
	uint64_t at;
	uint32_t bytes;
	uint32_t next;		/* PP_SP_NONE: the last */
};

struct pp_sp_print {
	uint32_t first, last;	/* pieces */
	uint32_t next;		/* of the same query */
	uint32_t offset;	/* row of the query's first print where this
				 * one begins */
	uint64_t rows, timed;	/* timed: with a duration */
	uint64_t calls;		/* rows, or what sums count */
	uint64_t line, last_line;
	uint64_t hash;		/* of states and durations */
	uint64_t first_seq;	/* 0: none */
	uint64_t last_seq;
	int64_t sum;
	uint32_t saturated;	/* rows */
	uint32_t columns;	/* `has` of all rows together */
	uint32_t finest;	/* digits that its times need */
	bool sums;		/* of the pivot query */
	bool whole;		/* no row was left out or cut off */
	bool first_timed;	/* the first row has a duration */
	bool sorted;		/* SEQ rises by one, where it is known */
	bool functions;
};

struct pp_sp_query {
	uint32_t segment;
	bool numbered;
	bool listed;
	uint64_t id;		/* not numbered: the greatest one so far */
	int64_t total;
	uint32_t total_digits;
	uint32_t stmt;		/* PP_SP_NONE: not known */
	uint32_t print;		/* the first has all rows; PP_SP_NONE */
	uint32_t order;
	uint32_t next_total;	/* listed, of about this total */
	uint32_t list;		/* the last that had it */
	uint64_t line, last_line;
};

struct pp_sp_segment {
	uint32_t last_listed;	/* PP_SP_NONE */
	uint64_t list_max;	/* greatest number of a list */
	uint64_t known_max;	/* of all */
	bool has_list;
	uint32_t lists;		/* read so far */
	uint32_t native_id;	/* in names */
	uint64_t first_line, last_line;
	bool approximate;
};

/* A row of SHOW PROFILES, or the states of one query, not yet in a segment. */
struct pp_sp_item {
	bool numbered;
	uint64_t id;
	bool list;
	int64_t total;
	uint32_t total_digits;
	uint32_t stmt;
	uint64_t line;
	struct pp_sp_print print;
};

/* Layouts of sets with names, the last of each number of columns. */
#define PP_SP_SEEN_COLUMNS 18
#define PP_SP_SEEN_BYTES 400

struct pp_sp_seen {
	char names[PP_SP_SEEN_BYTES];	/* NUL behind each */
	size_t n;
	struct pp_sp_layout layout;
};

struct pp_sp {
	struct pp_model *m;
	uint32_t source;
	struct pp_bytelog rows;
	struct pp_sp_piece *pieces;
	size_t npieces, pieces_cap;
	struct pp_sp_print *prints;
	size_t nprints, prints_cap;
	struct pp_sp_query *queries;
	size_t nqueries, queries_cap;
	struct pp_sp_segment *segments;
	size_t nsegments, segments_cap;
	uint32_t at;		/* the segment at hand; PP_SP_NONE */
	bool fresh;		/* a client has connected since */
	uint32_t native_id;	/* of that connection */
	struct pp_map by_id;	/* (segment, id) -> query */
	struct pp_map by_rows;	/* (hash, rows) -> query, the last */
	struct pp_map by_total;	/* (id, total) -> query, the last */
	struct pp_map by_about;	/* (segment, about its total) -> heads */
	uint32_t *heads;	/* chains of queries; PP_SP_NONE */
	size_t nheads, heads_cap;

	/* the open row set */
	struct pp_sp_seen seen[PP_SP_SEEN_COLUMNS + 1];
	struct pp_sp_layout layout;
	struct pp_sp_asked asked;
	struct pp_sp_item *items;
	size_t nitems, items_cap;
	struct pp_map item_by_id;
	uint32_t item;		/* whose rows come; PP_SP_NONE */
	uint32_t last_state;	/* of the row before; 0: none */
	uint64_t last_seq;
	char *piece;		/* its rows */
	size_t piece_n, piece_cap;
	uint32_t set_segment;	/* that the first items went to */
	bool rejected;		/* a row of the set */
	bool rising;		/* ids of the set rise */
	bool times;		/* names and times of rows are enough */

	/* names seen before: printed bytes -> name of the stage; 0: empty */
	struct pp_strtab spellings;
	uint32_t *spelled;	/* by id of the printed bytes */
	size_t nspelled, spelled_cap;
	struct pp_map texts;	/* (hash, length) of a text -> statement */

	uint64_t statements;	/* of all sessions so far */
	uint32_t *met;		/* by statement: the last session that has
				 * it, + 1 */
	size_t met_cap;
	bool resources;		/* the source has them */
	bool approximate;
	uint64_t cut_texts;
};

/* showprofile.c: no more rows come of the items so far. */
void pp_sp_finish_items(struct pp_sp *, const struct pp_rowset *);

/* showprofile_row.c: a row of a list, of a profile, of the pivot query; as
 * pp_rowreader.row. */
enum pp_status pp_sp_list_row(struct pp_sp *, const struct pp_rs_row *);
enum pp_status pp_sp_state_row(struct pp_sp *, const struct pp_rs_row *);
enum pp_status pp_sp_sum_row(struct pp_sp *, const struct pp_rs_row *);

/* showprofile_columns.c: the layout of the set that begins. */
void pp_sp_set_layout(struct pp_sp *, const struct pp_rowset *);

/* showprofile_note.c: pp_rowreader.note */
void pp_sp_note(void *ctx, const struct pp_note *);

/* showprofile_store.c */

/* Keep the rows of the item at hand. */
void pp_sp_keep(struct pp_sp *);

/* One more row of the item at hand. */
void pp_sp_add(struct pp_sp *, const struct pp_stage *row);

/* The item for the rows of query `id` (numbered), or the only one. */
void pp_sp_turn(struct pp_sp *, bool numbered, uint64_t id, uint64_t line);

/* Reading a print, in order. */
struct pp_sp_cursor {
	struct pp_sp *sp;
	uint32_t piece;
	char *buf;
	size_t cap;
	struct pp_stage_reader read;
};
void pp_sp_open(struct pp_sp_cursor *, struct pp_sp *,
    const struct pp_sp_print *);
bool pp_sp_next(struct pp_sp_cursor *, struct pp_stage *);
void pp_sp_close(struct pp_sp_cursor *);

/* Rows of an item that came in another order than that of SEQ. */
void pp_sp_sort(struct pp_sp *, struct pp_sp_print *);

/* showprofile_join.c: the items of the row set find their segment. */
void pp_sp_join(struct pp_sp *);

/* The source is over: profiles that came before their list. */
void pp_sp_settle(struct pp_sp *);

/* Digits that v x 10^-12 s needs, at least 6. */
uint32_t pp_sp_digits(int64_t v);

/* What rounding may hide in a print: half a microsecond a row. */
int64_t pp_sp_tolerance(const struct pp_sp_print *);

/* showprofile_emit.c */

/* A query on its way out. */
struct pp_sp_out {
	struct pp_sp *sp;
	uint32_t session;
	uint8_t digits;
	int64_t unit;		/* of a tick, in 10^-12 s */
	int64_t begin;		/* of the query at hand, ticks */
	int64_t at;		/* of the next state, from there */
	uint32_t stmt;
	uint64_t statement;	/* id of its event */
	struct pp_query *query;
	char *piece;
	size_t piece_n, piece_cap;
};

/* Log the query and its states; it begins where the one before ended. */
void pp_sp_put_query(struct pp_sp_out *, const struct pp_sp_query *);

/* showprofile_session.c: segments become sessions. */
void pp_sp_emit(struct pp_sp *);

#endif
