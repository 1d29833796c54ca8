/*
 * ahead_impl.h: inside of ahead*.c; only those include this.
 *
 * Who may touch what: a slot that is BUSY belongs to the thread that has it,
 * one that is FILLED or DONE to nobody until it is taken under the lock, or
 * handed to the fold.  What is marked so is read and written under the lock.
 */
#ifndef PP_AHEAD_IMPL_H
#define PP_AHEAD_IMPL_H

#include "ahead.h"

#include "../model/base/thread.h"

/*
 * Bytes behind its limit that a piece holds: so many at first, for the line
 * that is cut and those that it needs to be understood; so many at most, for
 * the group of lines that it is in.  Longer ones are put together by the fold.
 */
#define PP_AHEAD_BEHIND ((size_t)4 << 10)
#define PP_AHEAD_BEHIND_MOST ((size_t)64 << 10)

#define PP_AHEAD_NO_START SIZE_MAX

enum pp_ahead_state {
	PP_AHEAD_FREE,
	PP_AHEAD_BUSY,
	PP_AHEAD_FILLED,	/* has its bytes, is to be lexed */
	PP_AHEAD_DONE
};

struct pp_ahead_spare {
	char *p;
	size_t cap;
};

/* A piece of a file. */
struct pp_ahead_slot {
	struct pp_mem mem;
	struct pp_records records;
	size_t record_size;	/* 0: no records yet */
	char *buf;
	size_t cap;
	enum pp_ahead_state state; /* lock */
	struct pp_ahead_slot *next; /* lock: of those that are free */
	uint64_t number;	/* piece of its file */
	uint64_t base;		/* of buf[0] in the file */
	size_t got;		/* bytes in buf */
	size_t n;		/* those in whole lines */
	size_t limit;		/* the next piece begins here; 0: none does */
	size_t start;		/* where it was lexed from */
	bool eof;		/* nothing comes behind it */
	int error;		/* errno, where it ends */
	uint64_t done;		/* bytes of the file read */
	struct pp_chunk chunk;
	/* of a file that is read in chunks: the buffer is of the work's memory
	 * and in use until the slot is free */
	struct pp_ahead_spare lent;
};

/* How a file is read. */
enum pp_ahead_how {
	PP_AHEAD_CHUNKS,	/* one after the other, lexed at once */
	PP_AHEAD_STREAM,	/* cut, as it is unpacked */
	PP_AHEAD_PIECES		/* cut, and read by several */
};

/* A file that is at work. */
struct pp_ahead_work {
	struct pp_mem mem;
	const struct pp_ahead_file *file;
	struct pp_input *in;	/* NULL: could not be opened */
	pp_str error;		/* why */
	enum pp_ahead_how how;
	struct pp_input_plain plain; /* PIECES */
	struct pp_chunk chunk;	/* CHUNKS: the last one */
	char *carry;		/* STREAM: what the next piece begins with */
	size_t ncarry;
	/* lock: */
	bool busy;		/* a thread opens it, or reads the stream */
	bool open;
	bool made;		/* no more pieces are to be begun */
	unsigned running;	/* threads that have one of its slots */
	uint64_t next;		/* piece to be begun */
	uint64_t head;		/* piece that the fold waits for */
	struct pp_ahead_slot **ring; /* by number: not yet folded */
	struct pp_ahead_spare *spare; /* buffers that no slot has any more */
	unsigned nspare;
	/* the fold's: */
	bool over;		/* its last chunk is out */
	uint64_t expect;	/* where the next piece has to begin */
	uint64_t lines;		/* before that */
	int read_error;
};

struct pp_ahead {
	struct pp_mem *mem;
	struct pp_mem_pool pool;
	const struct pp_ahead_file *v;
	size_t n, chunk_size;
	struct pp_hasher *hasher;
	pthread_mutex_t lock;
	pthread_cond_t more;	/* there may be something to do */
	pthread_cond_t filled;	/* there may be something to fold */
	/* under the lock */
	struct pp_ahead_work **work; /* by file; NULL: not yet, or over */
	size_t at;		/* file that the fold is at */
	uint64_t later;		/* bytes that may wait to be hashed */
	unsigned idle;		/* threads that wait for more */
	bool waiting;		/* the fold waits */
	bool stop, failed;
	atomic_bool halt;	/* the same as stop, for who waits for a pipe */
	struct pp_ahead_slot *free;
	unsigned nfree;
	/* fixed */
	unsigned nslots, active;
	size_t slot_limit;	/* bytes that a piece and its records take, at
				 * most, so that there is room for the others;
				 * 0: no limit */
	struct pp_ahead_slot *slots;
	/* the fold's */
	struct pp_ahead_item item;
	char text[200];		/* its error */
	struct pp_ahead_slot *out; /* the item's; NULL: none */
	struct pp_records records; /* of what is put together */
	size_t record_size;
	char *join;		/* bytes from `expect` on */
	size_t join_cap, njoin;
	size_t join_want;	/* bytes to have before they are lexed again */
	bool joined;		/* the item stands in there */
	size_t nlanes;
	pthread_t lane[];
};

/* --- ahead_piece.c: one thread's work on one slot ---------------------- */

/* Open the file. */
void pp_ahead_open_file(struct pp_ahead *a, struct pp_ahead_work *w);

/* Read a piece: by one thread at a time where it is a stream. */
void pp_ahead_fill(struct pp_ahead *a, struct pp_ahead_work *w,
    struct pp_ahead_slot *s);

/* Find its start and lex it. */
void pp_ahead_lex(const struct pp_ahead_work *w, struct pp_ahead_slot *s);

/* There was no memory for its records: it has none, only its bytes. */
void pp_ahead_unlex(struct pp_ahead_slot *s);

/* Read and lex the next chunk; false at the end of the file. */
bool pp_ahead_chunk(struct pp_ahead *a, struct pp_ahead_work *w,
    struct pp_ahead_slot *s);

/* Of p[0..n), what is in whole lines. */
size_t pp_ahead_whole(const char *p, size_t n);

/* --- ahead_order.c: pieces in their order, on the fold's side ---------- */

/*
 * The piece s is the next one of w: the item is what it holds, or what it
 * completes.  False where there is nothing to fold in it.
 */
bool pp_ahead_settle(struct pp_ahead *a, struct pp_ahead_work *w,
    struct pp_ahead_slot *s);

/* The item has been folded: keep of s what the next piece lacks. */
void pp_ahead_settled(struct pp_ahead *a, struct pp_ahead_work *w,
    const struct pp_ahead_slot *s);

#endif
