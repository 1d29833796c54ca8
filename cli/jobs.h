/*
 * jobs.h: the threads of --jobs that read and lex ahead of the fold.
 */
#ifndef PP_CLI_JOBS_H
#define PP_CLI_JOBS_H

#include "inputs.h"
#include "run.h"

/*
 * Memory for an input that cannot be opened twice and is going to be read by
 * another thread, taken off the run's; NULL where there will be none.
 */
struct pp_mem *pp_jobs_memory(struct pp_run *r);

/*
 * Start them over the files v[0..n), in the order in which they are read, and
 * note in each what it is called there.  All but this thread read and lex, and
 * take sums when there is nothing else to do.
 */
void pp_jobs_start(struct pp_run *r, struct pp_file **v, size_t n);

/* Bytes that are best hashed after reading; see pp_ahead_next. */
uint64_t pp_jobs_later(const struct pp_run *r);

/* How many threads the walk that comes next may have. */
void pp_jobs_walk(struct pp_run *r);

/* Put the sums that they have taken into the sources. */
void pp_jobs_sums(struct pp_run *r, const struct pp_files *f);

#endif
