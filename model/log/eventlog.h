/*
 * eventlog.h: the append-only log of what happened, in file order.
 *
 * Readers append fixed-width slots of 32 bytes; the walk (account/walk.c)
 * reads them backwards, so that parents come before their children.  The log
 * lives in memory up to 16 MiB and then in an unlinked temporary file.
 *
 * A wait takes one slot.  A call takes one slot when it read no blocks,
 * missed nothing and returned no row; otherwise an extension slot stands
 * *before* its main slot, so that a backward reader meets the main slot first
 * and then knows, by PP_EVF_EXT, that the next one back is the extension.  A
 * second extension (PP_EVF_EXT2) stands before the first.
 * Where raw tables are asked for (pp_model.raw), PP_RAW_SLOTS raw slots stand
 * before all of these; the first of them has a kind and the flags of the main
 * slot, so that such a log can be read forward as well.
 * All slots of an event stand in one block (pp_log_room), and the log notes
 * which session and context are at hand where a block ends: it can be read
 * from the end of any block.
 * Markers change a state (session, file, module ...) and carry the old value
 * as well as the new, so that they work in both directions.
 */
#ifndef PP_LOG_EVENTLOG_H
#define PP_LOG_EVENTLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/diag.h"
#include "../base/mem.h"

enum pp_ev_kind {
	PP_EV_NONE,		/* fills what is left of a block */
	/* calls: PP_EV_PARSE .. PP_EV_LOB */
	PP_EV_PARSE,
	PP_EV_EXEC,
	PP_EV_FETCH,
	PP_EV_CLOSE,
	PP_EV_UNMAP,
	PP_EV_SORT_UNMAP,
	PP_EV_RPC,
	PP_EV_LOB,		/* name = id of the call's name (LOBREAD, ...) */
	PP_EV_WAIT,		/* name = id of the event's name */
	PP_EV_ERROR,		/* name = error number, end = tim or
				 * PP_NO_TIME, dur = cursor number */
	PP_EV_XCTEND,		/* name = 1: rollback; depth = 1: read only */
	/* queries of SHOW PROFILE: what lies in one stands before it */
	PP_EV_STATEMENT,	/* name = id of what it does (SELECT, ...) */
	PP_EV_STAGE,		/* name = id of the state; with EXT: p = how
				 * many of them are summed here */
	PP_EV_LOST,		/* rest of the query's total: `lost time` */
	PP_EV_UNSEEN,		/* `(not recorded)` */
	/* markers: name = old value, stmt = new value */
	PP_EV_SESSION,		/* index of the session */
	PP_EV_FILE,		/* index of the source */
	PP_EV_CONTEXT,		/* index of the context (module, action, client) */
	PP_EV_HOLE,		/* a known hole of `dur` ticks that ends at `end` */
	PP_EV_BINDS,		/* where raw tables ask; dur = cursor, end =
				 * place in pp_model.binds, name = bytes */
	PP_EV_ERA,		/* the clock starts anew: nothing nests across */
	/* extension slots: never met first */
	PP_EV_EXT,		/* struct pp_ev_ext */
	PP_EV_EXT2,		/* struct pp_ev_ext2 */
	PP_EV_RAW		/* struct pp_ev_raw, pp_ev_raw2: where raw
				 * tables ask */
};

/* flags */
#define PP_EVF_EXT	0x01	/* call: an extension slot stands before */
#define PP_EVF_EXT2	0x02	/* call: and a second one before that */
#define PP_EVF_RAW	0x04	/* PP_RAW_SLOTS raw slots before all these */
#define PP_EVF_LATE	0x08	/* an earlier event of the session ends later */
#define PP_EVF_OWNER	0x10	/* wait without tim: belongs to the next call */
#define PP_EVF_BETWEEN	0x20	/* wait without tim: lies between calls */
#define PP_EVF_BARE	0x20	/* PP_EV_UNSEEN: no state of the query is
				 * known */
#define PP_EVF_MISS	0x40	/* call: mis=1 */
#define PP_EVF_NAMES	0x80	/* error: names the run of orphans before it */

#define PP_RAW_SLOTS	2
#define PP_LOG_EVENT	5	/* slots of an event, at most */

#define PP_NO_TIME	INT64_MIN

struct pp_ev {
	uint8_t kind;		/* enum pp_ev_kind */
	uint8_t flags;
	uint16_t depth;
	uint32_t stmt;		/* index of the statement; 0: (no statement) */
	uint32_t name;		/* see the kinds; calls without EXT: cpu; with
				 * EXT: rows */
	uint32_t line;		/* low 32 bits, from 1 */
	int64_t end;		/* ticks of the session's clock */
	int64_t dur;		/* ticks */
};

struct pp_ev_ext {		/* same size as pp_ev */
	int64_t cpu;
	uint64_t p, cr, cu;
};

struct pp_ev_ext2 {		/* same size as pp_ev */
	int64_t queue;		/* SystemTap: run queue; PP_NO_TIME: none */
	int64_t cpu;		/* SystemTap, waits: cpu inside; PP_NO_TIME */
	uint64_t rows;		/* in place of pp_ev.name */
	uint64_t misses;	/* in place of PP_EVF_MISS */
};

/* pp_ev_raw.has */
#define PP_RAW_PARAMS	0x0003	/* number of parameters of a wait */
#define PP_RAW_OBJ	0x0004
#define PP_RAW_TIM	0x0008
#define PP_RAW_PLAN	0x0010
#define PP_RAW_QUEUE	0x0020	/* waits: SystemTap samples follow */
#define PP_RAW_UNSIGNED	0x0040	/* << i: parameter i is beyond INT64_MAX */

struct pp_ev_raw {		/* same size as pp_ev */
	uint8_t kind;		/* PP_EV_RAW */
	uint8_t flags;		/* PP_EVF_EXT and PP_EVF_EXT2 of the event */
	uint16_t has;
	uint32_t params;	/* id of the parameters as printed, in names:
				 * "file#=1 block#=2 blocks=8" without values */
	uint64_t id;		/* number of the event in its group, from 1 */
	uint64_t cursor;
	int64_t tim;		/* as printed */
};

struct pp_ev_raw2 {		/* same size as pp_ev */
	int64_t p[3];		/* waits: parameters; calls: plan hash, og,
				 * type of CLOSE or bytes of a LOB call;
				 * stages: id of the statement, flags (name) */
	int64_t obj;
};

union pp_slot {
	struct pp_ev ev;
	struct pp_ev_ext ext;
	struct pp_ev_ext2 ext2;
	struct pp_ev_raw first;
	struct pp_ev_raw2 second;
	unsigned char raw[32];
};
_Static_assert(sizeof(union pp_slot) == 32, "a slot is 32 bytes");

#define PP_LOG_BLOCK 8192	/* slots a block: 256 KiB */
#define PP_LOG_MEMORY 64	/* blocks in memory: 16 MiB */

struct pp_log_mark {
	uint32_t session, context;
};

struct pp_eventlog {
	struct pp_mem *mem;
	const char *tmpdir;	/* where the spill file goes */
	int fd;			/* -1: nothing spilled */
	uint64_t spilled;	/* blocks in the file */
	union pp_slot *block[PP_LOG_MEMORY];
	size_t nblocks;		/* full blocks in memory */
	union pp_slot *at, *end; /* room in the current block */
	union pp_slot *cur;	/* the current block */
	uint64_t count;		/* slots in full blocks */
	int error;		/* errno of a failed spill; sticky */
	uint32_t session;	/* new value of the last PP_EV_SESSION: where a
				 * backward reader begins; UINT32_MAX: none */
	uint64_t last_id;	/* of pp_ev_raw.id, by readers that share a
				 * group */
	struct pp_log_mark *marks; /* by full block: the state at its end */
	size_t marks_cap;
	uint32_t file, context;	/* likewise of PP_EV_FILE, PP_EV_CONTEXT;
				 * the context begins as 0, the empty one */
};

/* An empty log that spills into an unlinked file in tmpdir. */
void pp_log_init(struct pp_eventlog *l, struct pp_mem *mem,
    const char *tmpdir);

/* Forget all slots; memory is kept for the next group of sources. */
void pp_log_reset(struct pp_eventlog *l);
void pp_log_free(struct pp_eventlog *l);

/* The current block is full: start another (spilling when need be). */
void pp_log_turn(struct pp_eventlog *l);

/* Leave the rest of the current block empty. */
void pp_log_skip(struct pp_eventlog *l);

/* An event of n slots is about to be added. */
static inline void
pp_log_room(struct pp_eventlog *l, size_t n)
{
	if ((size_t)(l->end - l->at) < n)
		pp_log_skip(l);
}

/* Room for one slot, to be filled by the caller at once. */
static inline union pp_slot *
pp_log_add(struct pp_eventlog *l)
{
	if (l->at == l->end)
		pp_log_turn(l);
	return l->at++;
}

/* Number of slots. */
uint64_t pp_log_size(const struct pp_eventlog *l);

/* Number of blocks, the last of which may be empty. */
uint64_t pp_log_blocks(const struct pp_eventlog *l);

/*
 * Block i and its number of slots: in memory, or read into buf, which holds
 * PP_LOG_BLOCK of them (NULL where nothing is spilled).  NULL when reading
 * failed.  Several threads may do so at once.
 */
const union pp_slot *pp_log_block(const struct pp_eventlog *l, uint64_t i,
    union pp_slot *buf, size_t *n);

/* Slots of the event whose main slot is ev. */
static inline size_t
pp_ev_slots(const struct pp_ev *ev)
{
	return 1u + (ev->flags & PP_EVF_EXT ? 1u : 0u) +
	    (ev->flags & PP_EVF_EXT2 ? 1u : 0u) +
	    (ev->flags & PP_EVF_RAW ? PP_RAW_SLOTS : 0u);
}

/*
 * Reading.  A cursor over the log in one direction; slots come block by
 * block.  pp_log_next_block gives the next run of slots in the direction of
 * the cursor: forward from slot[0] to slot[n-1], backward the caller goes
 * from slot[n-1] down to slot[0].
 */
struct pp_log_cursor {
	struct pp_eventlog *log;
	bool backward;
	uint64_t block;		/* blocks given so far */
	union pp_slot *buf;	/* for spilled blocks */
};
void pp_log_open(struct pp_log_cursor *c, struct pp_eventlog *l,
    bool backward);

/* PP_OK with *n > 0, or *n = 0 at the end; PP_FATAL when reading failed
 * (l->error). */
enum pp_status pp_log_next_block(struct pp_log_cursor *c,
    const union pp_slot **slots, size_t *n);
void pp_log_close(struct pp_log_cursor *c);

#endif
