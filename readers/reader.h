/*
 * reader.h: what a reader is, and the chunks and records it works on.
 *
 * A reader is three functions.  `probe` looks at the head of a file and says
 * how many bits of it prove the format.  `lex` turns a chunk of bytes into
 * records and knows no cursor, tree or session: it is a pure function of the
 * bytes, so that chunks can be lexed in any order.  `fold`, serial and in file
 * order, resolves sessions, cursors and clocks, and appends to the event log.
 */
#ifndef PP_READER_H
#define PP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../model/model.h"

/*
 * A run of bytes that begins at the start of a line.  Unless `last` is set it
 * ends with a newline, and lex may leave a tail unused (a statement or bind
 * block whose end is not in the chunk): the tail comes again at the head of
 * the next chunk.  With `last` everything must be used.
 *
 * With a limit, lex stops at the first line at or behind it that surely
 * begins a record (pp_reader.begins), where it comes to one between records.
 */
struct pp_chunk {
	const char *p;
	size_t n;
	uint64_t offset;	/* of p[0] in the inflated file */
	uint64_t line;		/* number of the first line, from 1 */
	bool last;
	size_t limit;		/* 0: none */
	uint64_t before;	/* lines before those that were known to lex:
				 * what the records lack, see fold */
	/* set by lex: */
	size_t used;
	uint64_t lines;		/* line ends in the used part */
};

/*
 * The records of a chunk: an array of fixed-size structs that the reader
 * defines, and an arena for what does not stand in the chunk as it is needed
 * (joined lines).  Slices in records point into the chunk or the arena.
 */
struct pp_records {
	struct pp_mem *mem;
	size_t size;		/* of a record: pp_reader.record_size */
	void *v;
	size_t n, cap;
	struct pp_arena text;
};

/* What the head of a source tells before it is read (ordering, chains). */
struct pp_peek {
	struct pp_wall first;	/* first wall-clock stamp */
	bool has_tick;
	int64_t tick;		/* first time of the trace clock */
	pp_str continues;	/* base name of the file it continues, or empty */
	bool shares;		/* it may share sessions with the files beside
				 * it */
};

struct pp_fold;			/* a reader's state over a run */

struct pp_reader {
	const char *name;
	const char *summary;
	size_t record_size;
	unsigned digits;	/* of the finest clock that it knows; 0: any */

	/* Bits of `head` (up to 64 KiB) that prove the format; 0: not mine.
	 * Never more than most_bits, if that is not 0: where another has
	 * proved as many, this one is not asked. */
	int (*probe)(pp_str head);
	int most_bits;

	/* Fill in what the head tells; `out` is zeroed before. */
	void (*peek)(pp_str head, struct pp_peek *out);

	/* Chunk -> more records.  Sets chunk->used and chunk->lines. */
	void (*lex)(struct pp_chunk *, struct pp_records *);

	/* Does the line, without its end, surely begin a record, unless it
	 * is part of a text?  That is where a file may be cut to be lexed in
	 * pieces; NULL: it cannot be. */
	bool (*begins)(pp_str line);

	/* State for a group of sources that share sessions. */
	struct pp_fold *(*open)(struct pp_model *, uint32_t group);

	/* Begin / end a source of the group. */
	void (*begin)(struct pp_fold *, uint32_t source);
	void (*end)(struct pp_fold *, uint32_t source);

	/* Records of the next chunk of the source, in file order; adds
	 * chunk->before to the numbers of their lines. */
	enum pp_status (*fold)(struct pp_fold *, const struct pp_chunk *,
	    const struct pp_records *);

	/* After the last source of the group: close what is open, free. */
	void (*close)(struct pp_fold *);
};

/* All readers in the order of readers.def; count in *n. */
const struct pp_reader *const *pp_readers(size_t *n);

/* The reader called `name`, or NULL. */
const struct pp_reader *pp_reader_named(pp_str name);

/* The reader that proves most bits of head; NULL when none recognises it. */
const struct pp_reader *pp_reader_probe(pp_str head);

void pp_records_init(struct pp_records *r, struct pp_mem *mem, size_t size);
void pp_records_free(struct pp_records *r);

/* Drop all records. */
void pp_records_reset(struct pp_records *r);

/* One more record, zeroed. */
static inline void *
pp_records_add(struct pp_records *r)
{
	void *p;

	if (r->n == r->cap)
		pp_mem_grow(r->mem, &r->v, &r->cap, r->n + 1, r->size);
	p = (char *)r->v + r->n++ * r->size;
	memset(p, 0, r->size);
	return p;
}

/*
 * Room for one more record, uninitialised and not yet counted: the hot loop of
 * a lexer fills all of it and then adds 1 to r->n.
 */
static inline void *
pp_records_next(struct pp_records *r)
{
	if (r->n == r->cap)
		pp_mem_grow(r->mem, &r->v, &r->cap, r->n + 1, r->size);
	return (char *)r->v + r->n * r->size;
}

#endif
