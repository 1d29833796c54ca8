/*
 * options_table.h: the declarations of commands and options, from which
 * parsing, --help and messages come.  Private to options*.c.
 */
#ifndef PP_CLI_OPTIONS_TABLE_H
#define PP_CLI_OPTIONS_TABLE_H

#include "options.h"

struct pp_command_info {
	const char *name;
	const char *usage;
	const char *help;
};
extern const struct pp_command_info pp_commands[PP_CMD_COUNT];

enum pp_opt {
	OPT_OUT,
	OPT_FORMAT,
	OPT_READER,
	OPT_TABLES,
	OPT_TABLE,
	OPT_EVENTS,
	OPT_REPORT,
	OPT_INTERVALS,
	OPT_INTERVAL,
	OPT_TOP,
	OPT_DELTA,
	OPT_UNCHANGED,
	OPT_CPU,
	OPT_THINK,
	OPT_IDLE,
	OPT_CSV,
	OPT_SPILL,
	OPT_PARTITION,
	OPT_WIDTH,
	OPT_STRICT,
	OPT_PROGRESS,
	OPT_MEMORY,
	OPT_JOBS,
	OPT_TMP,
	OPT_QUIET,
	OPT_VERBOSE,
	OPT_DIGEST,
	OPT_DIALECT,
	OPT_CANONICAL,
	OPT_HASH,
	OPT_TIMES,
	OPT_LINES,
	OPT_NUL,
	OPT_SQL_MODE,
	OPT_DIGEST_LENGTH,
	OPT_EMBEDDED,
	OPT_CHECKSUMS,
	OPT_HELP,
	OPT_VERSION,
	OPT_TIMELINE,
	OPT_ORPHANS,
	OPT_STYLE,
	OPT_NAME_WIDTH,
	OPT_TREE,
	OPT_WHERE,
	OPT_SINCE,
	OPT_UNTIL,
	OPT_PIVOT,
	OPT_TOTALS,
	OPT_FLATTEN,
	OPT_GZIP,
	OPT_XML,
	OPT_BY,
	OPT_TAG,
	OPT_MERGE,
	OPT_SHIFT_STATES,
	OPT_CHARSET,
	OPT_FIELDS_BY,
	OPT_ENCLOSED_BY,
	OPT_MAY_ENCLOSED_BY,
	OPT_ESCAPED_BY,
	OPT_LINES_BY,
	OPT_STARTING_BY,
	OPT_COLUMNS,
	OPT_FROM,
	OPT_TO,
	OPT_DROP,
	OPT_LEVEL,
	OPT_OF,
	OPT_PER,
	OPT_COUNT
};
_Static_assert(OPT_COUNT <= PP_OPTIONS_MOST, "pp_options.given");

struct pp_option {
	enum pp_opt id;
	char letter;		/* 0: none */
	const char *name;
	const char *arg;	/* NULL: takes none; "[X]": may be left out */
	unsigned commands;	/* bits 1 << enum pp_command */
	const char *help;
};
extern const struct pp_option pp_option_list[];
extern const size_t pp_option_count;

/* Its long name, without dashes. */
const char *pp_option_name(enum pp_opt id);

/* Those that tell how to read the export of a client. */
#define PP_CLIENT_OPTIONS 8
extern const enum pp_opt pp_client_options[PP_CLIENT_OPTIONS];

/* options.c */
enum pp_parsed pp_options_version(void);

/*
 * options_apply.c: take an option's value, NULL where it has none.  A value
 * that cannot be has been told.
 */
enum pp_parsed pp_options_apply(struct pp_options *p,
    const struct pp_option *o, const char *v);

/* Which of the words (up to NULL) s is, or -1. */
int pp_options_choice(const char *s, const char *const *words);

/* What may stand behind --tree, by enum pp_tree_kind - 1. */
extern const char *const pp_tree_words[];

/* options_check.c: may the option come now, with that value? */
bool pp_options_once(struct pp_options *p, const struct pp_option *o,
    const char *v);

/* The same: is what the command needs there, and does it fit? */
enum pp_parsed pp_options_complete(const struct pp_options *o);

/* options_client.c: --charset to --columns. */
enum pp_parsed pp_options_client(struct pp_options *p,
    const struct pp_option *o, const char *v);

/* options_archive.c: --from to --per, and --where of `archive`. */
enum pp_parsed pp_options_archive(struct pp_options *p,
    const struct pp_option *o, const char *v);

/* archive.c: the commands of `archive`. */
void pp_help_archive(void);

/* options_archive.c: what it is in `archive`; NULL: the same. */
const char *pp_help_archive_option(enum pp_opt id);

/* options_help.c */
void pp_help_command(enum pp_command c);
void pp_help_all(void);

#endif
