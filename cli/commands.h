/*
 * commands.h: the commands, each in a file of its own name.
 */
#ifndef PP_CLI_COMMANDS_H
#define PP_CLI_COMMANDS_H

#include "run.h"

/* Each is a whole command, from parsed options to the exit status. */
enum pp_exit pp_command_convert(const struct pp_options *o);
enum pp_exit pp_command_compare(const struct pp_options *o);
enum pp_exit pp_command_show(const struct pp_options *o);

/* `convert -t txt`: what show prints, at OUT. */
enum pp_exit pp_command_report(const struct pp_options *o);
enum pp_exit pp_command_digest(const struct pp_options *o);
enum pp_exit pp_command_stap(const struct pp_options *o);
enum pp_exit pp_command_archive(const struct pp_options *o);
enum pp_exit pp_command_list(const struct pp_options *o);

/* The writer that -t or OUT names; NULL: that has been told as wrong usage. */
const struct pp_writer *pp_convert_writer(const struct pp_options *o);

#endif
