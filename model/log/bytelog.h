/*
 * bytelog.h: an append-only run of bytes beside the event log.
 *
 * Holds what has no fixed width (bind values).  It lives in memory up to
 * 1 MiB and then in an unlinked temporary file, and is read from front to
 * back.
 */
#ifndef PP_LOG_BYTELOG_H
#define PP_LOG_BYTELOG_H

#include <stdint.h>

#include "../base/diag.h"
#include "../base/mem.h"

#define PP_BYTELOG_MEMORY (1u << 20)

struct pp_bytelog {
	struct pp_mem *mem;
	const char *tmpdir;
	int fd;			/* -1: nothing spilled */
	uint64_t spilled;	/* bytes in the file */
	char *buf;		/* what follows them */
	size_t n;
	char *in;		/* what was read back: in_n bytes, which stand
				 * at in_at */
	size_t in_n, in_cap;
	uint64_t in_at;
	int error;		/* errno of a failed write or read; sticky */
};

void pp_bytelog_init(struct pp_bytelog *l, struct pp_mem *mem,
    const char *tmpdir);
void pp_bytelog_reset(struct pp_bytelog *l);
void pp_bytelog_free(struct pp_bytelog *l);

/* Append n bytes; returns where they stand. */
uint64_t pp_bytelog_add(struct pp_bytelog *l, const void *p, size_t n);

/* The n bytes at `at`, valid until the next call; empty on an error. */
pp_str pp_bytelog_get(struct pp_bytelog *l, uint64_t at, size_t n);

#endif
