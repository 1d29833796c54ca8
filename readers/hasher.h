/*
 * hasher.h: SHA-256 of input files, by whoever has nothing else to do.
 *
 * The sum takes more time than any other stage and nobody waits for it until
 * the tables are written.  So a file is read once more, from the page cache,
 * piece by piece, by threads that have no chunk to read or lex.
 */
#ifndef PP_HASHER_H
#define PP_HASHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../model/base/mem.h"

struct pp_hasher;

struct pp_hasher *pp_hasher_open(struct pp_mem *mem);

/* All below is for any thread. */

/*
 * A regular file that somebody reads from byte `at` on; its number.  `fd` is
 * copied.  False where that is not possible, or too many files wait.
 */
bool pp_hasher_add(struct pp_hasher *h, int fd, uint64_t at, size_t *number);

/* n bytes of it have been read so far; all of them, when `end`. */
void pp_hasher_step(struct pp_hasher *h, size_t number, uint64_t n, bool end);

/*
 * Hash a piece of what has been read and not been hashed.  False where there
 * is none that no other thread is at; then a step wakes nobody: who steps
 * has to.
 */
bool pp_hasher_turn(struct pp_hasher *h);

/* Bytes that have been read and not been hashed. */
uint64_t pp_hasher_behind(struct pp_hasher *h);

/*
 * The sum of a file whose end has been told; what has not been hashed is
 * hashed now.  False where the file could not be read again.
 */
bool pp_hasher_get(struct pp_hasher *h, size_t number, uint8_t out[32]);

/* Nobody uses it any more. */
void pp_hasher_close(struct pp_hasher *h);

#endif
