/*
 * hasher.h: SHA-256 of input files, by a thread of its own.
 *
 * The sum takes more time than any other stage and nobody waits for it, so a
 * thread reads the file once more from the page cache, right behind the
 * reader, and has its result when the tables are written.
 */
#ifndef PP_HASHER_H
#define PP_HASHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../model/base/mem.h"

struct pp_hasher;

/* Start the thread; NULL where none can be had. */
struct pp_hasher *pp_hasher_open(struct pp_mem *mem);

/*
 * A regular file that somebody reads from byte `at` on; its number.  `fd` is
 * copied.  False where that is not possible.  For any thread; it waits while
 * too many files are open.
 */
bool pp_hasher_add(struct pp_hasher *h, int fd, uint64_t at, size_t *number);

/* n bytes of it have been read so far; all of them, when `end`. */
void pp_hasher_step(struct pp_hasher *h, size_t number, uint64_t n, bool end);

/*
 * Wait for the sum of a file whose end has been told.  False where the file
 * could not be read again.
 */
bool pp_hasher_get(struct pp_hasher *h, size_t number, uint8_t out[32]);

/* Stop, whatever is left to do: nothing waits for the hasher any more. */
void pp_hasher_stop(struct pp_hasher *h);

/* Stop and free; nobody uses it any more. */
void pp_hasher_close(struct pp_hasher *h);

#endif
