/*
 * command.h: names of Oracle's command types.
 */
#ifndef PP_REPORT_COMMAND_H
#define PP_REPORT_COMMAND_H

#include "../table.h"

/* The name of command type `oct`; empty where it has none here. */
pp_str pp_command_name(unsigned oct);

/* The command type called `name`, whatever the case; UINT32_MAX: none. */
uint32_t pp_command_named(pp_str name);

/* A cell: the name of command type `oct`, or the number where it has none here. */
void pp_fill_command(struct pp_rows *r, unsigned oct);

#endif
