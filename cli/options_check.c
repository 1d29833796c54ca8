/*
 * options_check.c: do the options that were given go together?
 */
#include "options_table.h"

enum pp_parsed
pp_options_complete(const struct pp_options *o)
{
	if (o->command == PP_CMD_LIST || o->command == PP_CMD_DIGEST)
		return PP_PARSED_RUN;
	if (o->command == PP_CMD_STAP) {
		if (o->nwords == 2)
			return PP_PARSED_RUN;
		pp_usage(o->command, "a TRACE and a STAPLOG are needed");
		return PP_PARSED_WRONG;
	}
	if (o->account.seed_orphans && !o->account.seed_timeline) {
		pp_usage(o->command, "--orphans seed belongs to --timeline "
		    "seed");
		return PP_PARSED_WRONG;
	}
	if (o->account.select != NULL && o->tree != PP_TREE_SUMMED) {
		pp_usage(o->command, "--tree %s lists every call: leave out "
		    "--where, --since and --until",
		    pp_tree_words[o->tree - 1]);
		return PP_PARSED_WRONG;
	}
	if (o->nwords == 0) {
		pp_usage(o->command, "what shall be read? Name an INPUT, or "
		    "`-` for standard input");
		return PP_PARSED_WRONG;
	}
	if (o->command == PP_CMD_COMPARE && o->nwords != 2) {
		pp_usage(o->command, "two captures are needed: BEFORE and "
		    "AFTER");
		return PP_PARSED_WRONG;
	}
	if (o->command != PP_CMD_CONVERT)
		return PP_PARSED_RUN;
	if (o->out == NULL || o->out[0] == '\0') {
		pp_usage(o->command, "where shall it go? Name the output with "
		    "-o OUT");
		return PP_PARSED_WRONG;
	}
	if (o->totals && o->npivots == 0) {
		pp_usage(o->command, "--totals belongs to --pivot");
		return PP_PARSED_WRONG;
	}
	if (o->table != NULL && (o->tables[0] != '\0' || o->events)) {
		pp_usage(o->command, "--table NAME is the only table: leave "
		    "out --tables and --events");
		return PP_PARSED_WRONG;
	}
	return PP_PARSED_RUN;
}
