/*
 * main.c: which command?  Everything else is elsewhere.
 */
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "commands.h"
#include "signals.h"

int
main(int argc, char **argv)
{
	struct pp_options o;

#ifdef M_ARENA_MAX
	/* threads ask for little; an arena each would reserve 64 MiB */
	mallopt(M_ARENA_MAX, 1);
#endif
	pp_signals_install();
	switch (pp_options_parse(&o, argc, argv)) {
	case PP_PARSED_DONE:
		return pp_flush_stdout() ? PP_EXIT_OK : PP_EXIT_NOTHING;
	case PP_PARSED_WRONG:
		return PP_EXIT_USAGE;
	case PP_PARSED_RUN:
		break;
	}
	switch (o.command) {
	case PP_CMD_CONVERT:
		return (int)pp_command_convert(&o);
	case PP_CMD_COMPARE:
		return (int)pp_command_compare(&o);
	case PP_CMD_SHOW:
		return (int)pp_command_show(&o);
	case PP_CMD_DIGEST:
		return (int)pp_command_digest(&o);
	case PP_CMD_STAP:
		return (int)pp_command_stap(&o);
	case PP_CMD_ARCHIVE:
		return (int)pp_command_archive(&o);
	case PP_CMD_LIST:
		return (int)pp_command_list(&o);
	case PP_CMD_COUNT:
		break;
	}
	return PP_EXIT_USAGE;
}
