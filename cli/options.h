/*
 * options.h: what the user asked for on the command line.
 *
 * One table (options_table.c) declares every command and option; parsing, --help
 * and the messages about wrong usage come from it.  Sees model/base and the
 * account's options only.
 */
#ifndef PP_CLI_OPTIONS_H
#define PP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../model/account/account.h"
#include "../readers/client/client.h"
#include "../writers/writer.h"
#include "archived.h"
#include "digest_options.h"
#include "selection.h"

enum pp_command {
	PP_CMD_CONVERT,
	PP_CMD_SHOW,
	PP_CMD_COMPARE,
	PP_CMD_DIGEST,
	PP_CMD_STAP,
	PP_CMD_ARCHIVE,
	PP_CMD_LIST,
	PP_CMD_COUNT
};

/* Sections of `show`, as bits of pp_options.sections. */
enum pp_section {
	PP_SHOW_PROFILE,
	PP_SHOW_TIMELINE,
	PP_SHOW_TREE,
	PP_SHOW_STATEMENTS,
	PP_SHOW_WAITS,
	PP_SHOW_PLANS,
	PP_SHOW_GAPS,
	PP_SHOW_PROBLEMS,
	PP_SHOW_COUNT
};

enum pp_style {
	PP_STYLE_OWN,
	PP_STYLE_SEED,
	PP_STYLE_TKPROF,
	PP_STYLE_MRSKEW,
	PP_STYLE_XTAT,
	PP_STYLE_PROFILE
};

#define PP_PIVOTS_MAX 32u
#define PP_JOBS_MAX 64u

enum pp_tree_kind {
	PP_TREE_SUMMED,
	PP_TREE_SEED,		/* every call, callers by depth */
	PP_TREE_CALLS		/* every call, callers by time */
};

/* Of `archive`. */
#define PP_ARCHIVE_WORDS 64u	/* --drop, and conditions of --where */

enum pp_trend_of { PP_TREND_EVENT, PP_TREND_STATEMENT, PP_TREND_DIGEST };

struct pp_archive_cli {
	const char *drop[PP_ARCHIVE_WORDS];
	size_t ndrops;
	const char *where[PP_ARCHIVE_WORDS]; /* COLUMN=VALUE */
	size_t nwhere;
	uint32_t level;		/* of compression; 0: the usual */
	enum pp_trend_of of;
	bool per_day;		/* else per profile */
};

/* What --fields-terminated-by and its relatives give. */
#define PP_CLIENT_MARKS 5
#define PP_CLIENT_MARK_MAX 33

/* More than there are options. */
#define PP_OPTIONS_MOST 128

struct pp_options {
	enum pp_command command;
	const char *given[PP_OPTIONS_MOST]; /* values by enum pp_opt, "" for
					     * a flag; NULL: not given */
	char **words;		/* INPUTs, or what to list */
	size_t nwords;
	const char *out;	/* NULL: not given; "-": standard output */
	const char *format;	/* a writer's name; NULL: by OUT's suffix */
	const char *reader;	/* NULL: by content */
	const char *tables;	/* comma list, "all", "" */
	const char *table;	/* the one table; NULL */
	const char *pivots[PP_PIVOTS_MAX]; /* as given */
	size_t npivots;
	bool totals;		/* of pivots */
	const char *tmp;	/* folder for temporary files; NULL */
	bool events;
	bool idle_excluded;
	bool strict;
	bool quiet, verbose;
	bool no_progress;
	unsigned sections;	/* bits 1 << enum pp_section */
	bool named;		/* --report has named them */
	enum pp_style style;
	uint32_t name_width;	/* of --style seed */
	bool shift_states;
	bool tree_wanted;	/* --tree was given */
	enum pp_tree_kind tree;
	uint32_t top;		/* 0: not given */
	bool delta;		/* sources are snapshots of a server */
	bool unchanged;		/* compare: rows without a difference too */
	const char *tag[PP_TAG_MAX]; /* NAME=REGEX */
	size_t ntags;
	const char *by;		/* comma list; NULL */
	enum pp_merge merge;
	uint32_t width;		/* of the report; 0: the terminal's or 80 */
	size_t max_memory;	/* 0: no limit */
	uint32_t jobs;		/* threads; 0: as many as there are cores */
	struct pp_selecting selecting; /* account.select points here */
	const char *since, *until; /* as given */
	struct pp_account_options account;
	struct pp_write_options write;
	struct pp_digest_cli digest; /* .sql.loose: of every command */
	struct pp_range range;	/* --from, --to */
	struct pp_archive_cli archive;
	struct pp_client_options client;
	char client_marks[PP_CLIENT_MARKS][PP_CLIENT_MARK_MAX];
	bool client_dialect;	/* inputs without a reader are delimited */
};

enum pp_parsed {
	PP_PARSED_RUN,		/* go on with the command */
	PP_PARSED_DONE,		/* --help or --version has been printed */
	PP_PARSED_WRONG		/* wrong usage has been told on stderr */
};

/*
 * Read the command line; argv is rearranged and must outlive `o`.  Checks
 * what can be checked without looking at files.
 */
enum pp_parsed pp_options_parse(struct pp_options *o, int argc, char **argv);

/* Does the writer know what was asked of it?  Else that has been told. */
bool pp_options_suit(const struct pp_options *o, const struct pp_writer *w);

/* Tell wrong usage of a command on stderr, with the way to its help. */
void pp_usage(enum pp_command c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
