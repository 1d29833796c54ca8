/*
 * command.h: names of Oracle's command types.
 */
#ifndef PP_REPORT_COMMAND_H
#define PP_REPORT_COMMAND_H

#include "../table.h"

/* The name of command type `oct`, or the number where it has none here. */
void pp_fill_command(struct pp_rows *r, unsigned oct);

#endif
