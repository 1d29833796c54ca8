/*
 * chain.h: in which order inputs stand, and which belong together.
 */
#ifndef PP_CLI_CHAIN_H
#define PP_CLI_CHAIN_H

#include "inputs.h"

/*
 * Sort the files by their first time, then name; set their chain, rank,
 * group (numbered by the first file in that order) and id (their place).
 */
void pp_chain_order(struct pp_files *f);

#endif
