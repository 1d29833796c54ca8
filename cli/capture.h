/*
 * capture.h: from inputs to the model and its accounts.
 */
#ifndef PP_CLI_CAPTURE_H
#define PP_CLI_CAPTURE_H

#include "inputs.h"
#include "run.h"

/* Is the reader of -f known?  Else that has been told as wrong usage. */
bool pp_capture_check(const struct pp_options *o);

/*
 * Find the inputs of the run, look at their heads, bring those that a reader
 * knows in order, and make their sources.  Tells what cannot be used.  False
 * when nothing can.
 */
bool pp_capture_find(struct pp_run *r, struct pp_files *f);

/* The same for profiles of an archive; see pp_files_stored. */
bool pp_capture_stored(struct pp_run *r, struct pp_files *f,
    struct pp_store *s, const struct pp_entry *const *e, size_t n,
    const pp_str *names);

/* The same for one profile that is on its way into an archive; `from` gives
 * its bytes, once. */
bool pp_capture_passing(struct pp_run *r, struct pp_files *f,
    struct pp_store *s, const struct pp_entry *e,
    const struct pp_input_from *from);

/* Tell which profiles of archives are left out, unless that is not wanted. */
void pp_capture_notices(struct pp_run *r, const struct pp_files *f);

/*
 * Read them, group by group, into r->accounts (which the caller has opened
 * with pp_account_init), and finish the accounts.  False when no record was
 * found or the run cannot go on; the reason has been told.
 */
bool pp_capture_read(struct pp_run *r, struct pp_files *f);

#endif
