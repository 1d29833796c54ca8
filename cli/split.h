/*
 * split.h: --tag and --by, from the command line into the model.
 */
#ifndef PP_CLI_SPLIT_H
#define PP_CLI_SPLIT_H

#include "run.h"

/*
 * Are the values of --tag and --by understood?  Else that has been told as
 * wrong usage.
 */
bool pp_split_check(const struct pp_options *o);

/* What --by leaves to tell digests apart by: PP_DG_BY_; 0: all. */
unsigned pp_split_digest_keys(const struct pp_options *o);

/* Tell the model what is asked for; before the first source is made. */
void pp_split_begin(struct pp_run *r);

/* Find the tags of a source in its path. */
void pp_split_source(struct pp_run *r, struct pp_source *s);

#endif
