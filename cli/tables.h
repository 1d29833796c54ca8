/*
 * tables.h: an input of tables that profpivot has written.
 */
#ifndef PP_CLI_TABLES_H
#define PP_CLI_TABLES_H

#include "../readers/tables.h"
#include "pivots.h"
#include "run.h"

/*
 * The reader of the one input, where it is tables; NULL where it is not, or
 * with *wrong set when such an input stands beside others, which has been
 * told.
 */
const struct pp_tablereader *pp_tables_input(const struct pp_options *o,
    bool *wrong);

/* The whole conversion of such an input. */
enum pp_exit pp_tables_convert(const struct pp_options *o,
    const struct pp_tablereader *reader, const struct pp_writer *writer);

#endif
