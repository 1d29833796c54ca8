/*
 * ahead.h: files read and lexed by other threads before the fold asks.
 *
 * Lexing knows nothing but bytes, so it can run ahead of the fold, which is
 * serial.  Threads take what is to be done next: a piece of a file to read,
 * to unpack or to lex, of the file at hand or of those behind it.  The fold
 * gets files and chunks in the order of the list, whatever the threads do:
 * what is written does not depend on their number.
 *
 * A reader that can tell where a record surely begins (pp_reader.begins) has
 * its files cut there, at a guess, and the pieces lexed by several threads at
 * once.  The fold's side knows where the piece before really ended; where
 * the guess was wrong it lexes the piece again.
 */
#ifndef PP_AHEAD_H
#define PP_AHEAD_H

#include "hasher.h"
#include "input.h"

struct pp_ahead_file {
	const char *path;
	const struct pp_reader *reader;
	/* what has been opened, as it cannot be opened twice, in memory that
	 * nobody else takes of; NULL: a regular file.  It is closed here. */
	struct pp_input *in;
	struct pp_mem *mem;
};

/* A chunk of the file, or (last) what is known at its end. */
struct pp_ahead_item {
	bool end;		/* the file is over; no chunk */
	bool opened;		/* end: false where it could not be opened */
	struct pp_chunk chunk;
	const struct pp_records *records;
	uint64_t done;		/* bytes of the file read so far */
	uint64_t bytes;		/* end: inflated bytes */
	pp_str error;		/* end: of pp_input_open or pp_input_error */
	bool hashed;		/* end: the hasher knows the file's sum as */
	size_t hash;
	bool summed;		/* end: the sum has been taken on the way */
	uint8_t sha256[32];
};

struct pp_ahead;

/*
 * Start `lanes` > 0 threads over the files v[0..n), which stay as they are
 * until pp_ahead_close.  They and their chunks take at most
 * `limit` bytes together (0: no limit).  Sums of larger files are left to
 * `hasher`, which the threads also work for.  chunk_size 0: PP_CHUNK_SIZE.
 * NULL where no thread can be had.
 */
struct pp_ahead *pp_ahead_open(struct pp_mem *mem,
    const struct pp_ahead_file *v, size_t n, unsigned lanes,
    size_t chunk_size, size_t limit, struct pp_hasher *hasher);

/*
 * The next item of `file`; it, its records and its bytes are valid until the
 * next call.  Files are asked for in their order, each to its end.  While
 * there is none yet, this thread reads and lexes, too.  Gives up by
 * pp_mem_fail of the opener's memory when there is none left.
 *
 * later: bytes that can well be hashed after all has been read, as this
 * thread will have other work to do; if more are to be hashed the threads do
 * that first.
 */
const struct pp_ahead_item *pp_ahead_next(struct pp_ahead *a, size_t file,
    uint64_t later);

/* Stop the threads, wherever they are, and free all. */
void pp_ahead_close(struct pp_ahead *a);

#endif
