/*
 * input_impl.h: what input.c and input_sum.c share; no one else may see it.
 */
#ifndef PP_INPUT_IMPL_H
#define PP_INPUT_IMPL_H

#include <openssl/evp.h>

#include "codec.h"
#include "input.h"

/* bytes of compressed data read at once */
#define RAW_SIZE ((size_t)128 << 10)

struct pp_input {
	struct pp_mem *mem;
	int fd;
	bool own_fd;
	struct pp_input_from from; /* in place of fd, where it has read */
	char err[200];
	size_t errn;

	/* the file's own bytes; raw is NULL for plain files once what it
	 * held is used up */
	unsigned char *raw;
	size_t rawp, rawn;
	bool raw_end;
	uint64_t raw_read, raw_all;
	uint64_t raw_at;	/* where the file was begun */
	EVP_MD_CTX *sha;
	struct pp_hasher *hasher; /* takes the sum; NULL: sha does */
	size_t hash;		/* its number of the file */

	bool regular;
	const atomic_bool *stop; /* see pp_input_until; NULL */

	const struct pp_codec *codec;
	void *state;
	bool between;		/* behind the end of a member */

	/* inflated bytes: buf[start..end) are read and not yet used */
	char *buf;
	size_t cap, start, end;
	size_t first_cap;
	bool ended;		/* nothing comes after buf[end - 1] */

	size_t chunk_size;
	bool out;		/* a chunk is out, of given bytes */
	size_t given;
	size_t want;		/* bytes that the next one should have */
	uint64_t offset, line;	/* of buf[start] */
	uint64_t delivered;
	bool done;		/* the last chunk is out */
};

/*
 * Read up to n of the file's own bytes to p, and add them to its sum; 0 at the
 * end and after an error, which is remembered.
 */
size_t pp_input_raw(struct pp_input *in, void *p, size_t n);

/* Begin the sum of the file's own bytes. */
void pp_input_sum_start(struct pp_input *in);

#endif
