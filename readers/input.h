/*
 * input.h: files, standard input and compressed files as a stream of chunks.
 *
 * Reading is read() into one buffer.  Gzip (any number of members, any size),
 * and bz2, xz and zstd where their libraries were there at build time, are
 * found by their magic bytes and inflated on the way.
 */
#ifndef PP_INPUT_H
#define PP_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hasher.h"
#include "reader.h"

#define PP_CHUNK_SIZE (1u << 18)

struct pp_input;

/*
 * Open `path` ("-": standard input).  NULL with *err set to a message
 * (borrowed from mem) when it cannot be opened, read, or is compressed in a
 * way that this build cannot read.  chunk_size 0: PP_CHUNK_SIZE.
 *
 * Messages, here and of pp_input_error, are made to follow a file name:
 * "cannot open: No such file or directory", "is a directory", "gzip data is
 * cut off at byte 812 of the file".
 *
 * An input holds a descriptor and memory of libraries: a run that was out of
 * memory closes it before pp_mem_free_all.
 */
struct pp_input *pp_input_open(struct pp_mem *mem, const char *path,
    size_t chunk_size, pp_str *err);

/*
 * Bytes that come from elsewhere than a file of their own (a profile out of
 * an archive).  read: at most n bytes into p, *got 0 at the end; false with
 * *why, borrowed, at an error.  close: when the input is closed, also where
 * it could not be opened.
 */
struct pp_input_from {
	bool (*read)(void *arg, void *p, size_t n, size_t *got,
	    const char **why);
	void (*close)(void *arg);
	/* their SHA-256, when all have been read; NULL: it is taken here */
	bool (*sum)(void *arg, uint8_t out[32]);
	void *arg;
	uint64_t bytes;		/* in all; 0: not known */
};

/* The same as pp_input_open, for such bytes. */
struct pp_input *pp_input_open_from(struct pp_mem *mem,
    const struct pp_input_from *from, size_t chunk_size, pp_str *err);

/*
 * pp_input_open; the sum of a larger regular file is left to `hasher` (NULL: it
 * is taken on the way).  Its number is known when the end was reached; false
 * where the input takes the sum itself, see pp_input_sha256.
 */
struct pp_input *pp_input_open_hashed(struct pp_mem *mem, const char *path,
    size_t chunk_size, struct pp_hasher *hasher, pp_str *err);
bool pp_input_hashed(struct pp_input *in, size_t *number);

/* Wait for bytes of a pipe only until *stop is set: the stream ends then. */
void pp_input_until(struct pp_input *in, const atomic_bool *stop);

/* The first bytes (up to 64 KiB, fewer at the end of file); the stream does
 * not move. */
pp_str pp_input_head(struct pp_input *in);

/* The same, but more of it: for files whose first line is longer. */
pp_str pp_input_long_head(struct pp_input *in);

#define PP_HEAD ((size_t)64 << 10)
#define PP_HEAD_LONG ((size_t)4 << 20)

/*
 * The next chunk: whole lines, beginning with the tail of the last one that
 * `c->used` left.  A chunk is at least chunk_size bytes where the file has
 * them; it grows for a longer line, and doubles when the reader left all of
 * it unused.  False at the end (after a chunk with `last`).  `c` is the chunk
 * of the last call with what lex has set; on the first call its contents do
 * not matter.
 *
 * A chunk ends with the first line that reaches its size, so its bounds are
 * the same however the bytes arrive.
 */
bool pp_input_next(struct pp_input *in, struct pp_chunk *c);

/*
 * Keep the chunk that is out, whose `used` is set: the buffer that it stands
 * in becomes the caller's (to be freed by pp_mem_free), and the stream goes on
 * in `spare` of *cap bytes, a buffer got so before, or NULL.  *cap becomes
 * the size of what is returned.
 */
char *pp_input_swap(struct pp_input *in, const struct pp_chunk *c,
    char *spare, size_t *cap);

/*
 * The bytes without chunks, for who cuts them himself: n into p, fewer at the
 * end of the stream only.  Not together with pp_input_next.
 */
size_t pp_input_read(struct pp_input *in, char *p, size_t n);

/*
 * Are the bytes those of a regular file as they are, and is its sum left to a
 * hasher?  Then they can be read by anyone, by pread of fd from `at` to `at` +
 * size, as long as the input is open.  Who does so tells how far it has come
 * (pp_input_elsewhere; at first 0) and, when it is over, how many bytes there
 * were up to the end or an error (errno; 0: none).
 */
struct pp_input_plain {
	int fd;
	uint64_t at, size;
};
bool pp_input_plain(const struct pp_input *in, struct pp_input_plain *out);
void pp_input_elsewhere(struct pp_input *in, uint64_t n);
void pp_input_been(struct pp_input *in, uint64_t n, int error);

/*
 * An error that ended the stream early (damaged or cut compressed data, read
 * error): its text, else empty.  What came before it has been delivered.
 */
pp_str pp_input_error(const struct pp_input *in);

/* Inflated bytes delivered so far; file bytes read so far and in all (0
 * when not known, as for pipes). */
uint64_t pp_input_bytes(const struct pp_input *in);
void pp_input_progress(const struct pp_input *in, uint64_t *done,
    uint64_t *all);

/* SHA-256 of the file's own bytes, after the end was reached. */
bool pp_input_sha256(struct pp_input *in, uint8_t out[32]);

/* Nobody will ask for it: the rest is read without. */
void pp_input_forget_sum(struct pp_input *in);

void pp_input_close(struct pp_input *in);

#endif
