/*
 * ahead.h: files read and lexed by other threads before the fold asks.
 *
 * Lexing knows nothing but bytes, so it can run ahead of the fold, which is
 * serial.  A lane is a thread with memory of its own; it takes the next file
 * of the list, reads it chunk by chunk and keeps a few lexed chunks ready.
 * The fold gets files and chunks in the order of the list, whatever the
 * lanes do: what is written does not depend on their number.
 */
#ifndef PP_AHEAD_H
#define PP_AHEAD_H

#include "hasher.h"
#include "input.h"

struct pp_ahead_file {
	const char *path;
	const struct pp_reader *reader;
};

/* A chunk of the file, or (last) what is known at its end. */
struct pp_ahead_item {
	size_t file;		/* index in the list */
	bool end;		/* the file is over; no chunk */
	bool opened;		/* end: false where it could not be opened */
	struct pp_chunk chunk;
	struct pp_records records;
	uint64_t done;		/* bytes of the file read so far */
	uint64_t bytes;		/* end: inflated bytes */
	pp_str error;		/* end: of pp_input_open or pp_input_error */
	bool hashed;		/* end: the hasher knows the file's sum as */
	size_t hash;
	/* the chunk's bytes */
	char *buf;
	size_t cap;
	char text[200];		/* of `error` */
};

struct pp_ahead;

/*
 * Start `lanes` > 0 threads over the files v[0..n), which are regular and
 * stay as they are until pp_ahead_close.  A lane takes at most `limit` bytes
 * (0: no limit).  Sums of the files are left to `hasher`.  NULL where no
 * thread can be had.
 */
struct pp_ahead *pp_ahead_open(struct pp_mem *mem,
    const struct pp_ahead_file *v, size_t n, unsigned lanes,
    size_t chunk_size, size_t limit, struct pp_hasher *hasher);

/*
 * The next item of `file`; it, its records and its bytes are valid until the
 * next call.  Files are asked for in their order, each to its end.  Gives up
 * by pp_mem_fail of the opener's memory when a lane has none left.
 */
const struct pp_ahead_item *pp_ahead_next(struct pp_ahead *a, size_t file);

/* Stop the threads, wherever they are, and free all. */
void pp_ahead_close(struct pp_ahead *a);

#endif
