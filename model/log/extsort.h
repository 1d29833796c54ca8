/*
 * extsort.h: records of one size in the order of a 128-bit key, whatever
 * their number.
 *
 * A record begins with its key: two uint64_t, the first counting more.  Equal
 * keys come back in the order in which they were added.  Up to
 * PP_EXTSORT_MEMORY bytes are sorted in memory; beyond that, sorted runs go
 * to an unlinked file and are merged, PP_EXTSORT_FAN at a time.
 */
#ifndef PP_LOG_EXTSORT_H
#define PP_LOG_EXTSORT_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/diag.h"
#include "../base/mem.h"

#define PP_EXTSORT_MEMORY ((size_t)8 << 20)
#define PP_EXTSORT_FAN 64

struct pp_extsort_run;
struct pp_extsort_key;

struct pp_extsort {
	struct pp_mem *mem;
	const char *tmpdir;
	size_t size;		/* of a record; a multiple of 8 */
	size_t room;		/* records that are kept in memory */
	char *buf;		/* those of the run at hand */
	size_t n, cap;
	struct pp_extsort_key *keys, *scratch; /* their order */
	uint64_t count;		/* records in all */
	bool ordered;		/* those of the run came in order */
	int fd;			/* runs; -1: none yet */
	uint64_t bytes;		/* in that file */
	struct pp_extsort_run *runs;
	size_t nruns, runs_cap;
	/* reading */
	bool reading;
	size_t at;		/* without runs: place in keys */
	uint32_t *heap;		/* of runs, the least record on top */
	size_t nheap;
	int error;		/* errno of a failed write or read; sticky */
};

/* An empty sorter of records of `size` bytes. */
void pp_extsort_init(struct pp_extsort *s, struct pp_mem *mem,
    const char *tmpdir, size_t size);
void pp_extsort_free(struct pp_extsort *s);

/* Forget all records; memory is kept. */
void pp_extsort_reset(struct pp_extsort *s);

/* Room for one more record, to be filled by the caller at once. */
void *pp_extsort_add(struct pp_extsort *s);

/*
 * Begin to read; nothing may be added any more.  May be called again, to read
 * from the first record.
 */
void pp_extsort_start(struct pp_extsort *s);

/* The next record, valid until the next call; NULL at the end, or after an
 * error. */
const void *pp_extsort_next(struct pp_extsort *s);

#endif
