/*
 * options_table.c: every command and option, declared once.
 */
#include "options_table.h"

#define C (1u << PP_CMD_CONVERT)
#define S (1u << PP_CMD_SHOW)
#define P (1u << PP_CMD_COMPARE)
#define L (1u << PP_CMD_LIST)
#define M (1u << PP_CMD_STAP)
#define D (1u << PP_CMD_DIGEST)
#define A (1u << PP_CMD_ARCHIVE)

const struct pp_command_info pp_commands[PP_CMD_COUNT] = {
	[PP_CMD_CONVERT] = {"convert", "[options] INPUT... -o OUT",
	    "Turn profiles into tables: CSV files, workbooks, ..."},
	[PP_CMD_SHOW] = {"show", "[options] INPUT...",
	    "Print a report on the terminal."},
	[PP_CMD_COMPARE] = {"compare", "[options] BEFORE AFTER",
	    "Tell what differs between two captures."},
	[PP_CMD_DIGEST] = {"digest", "[options] [FILE...]",
	    "Print the digests of SQL statements."},
	[PP_CMD_STAP] = {"stap-merge", "TRACE STAPLOG [-o OUT]",
	    "Put SystemTap samples into a trace."},
	[PP_CMD_ARCHIVE] = {"archive", "COMMAND ARCHIVE [options] [...]",
	    "Keep profiles in one compressed file, and ask it questions."},
	[PP_CMD_LIST] = {"list", "readers|writers|tables|columns|schema",
	    "Tell what this build knows."},
};

const struct pp_option pp_option_list[] = {
	{OPT_OUT, 'o', "output", "OUT", C | M | P | A,
	    "write to OUT, a file or (csv) a folder; `-` is standard output "
	    "and needs --table"},
	{OPT_FORMAT, 't', "format", "FORMAT", C | P | A,
	    "the writer, see `profpivot list writers`; else OUT's suffix "
	    "tells"},
	{OPT_READER, 'f', "reader", "READER", C | S | P | A,
	    "take every input for this format, see `profpivot list readers`; "
	    "else the content tells"},
	{OPT_TABLES, 0, "tables", "LIST", C | P,
	    "write these tables, see `profpivot list tables`, or `all` (the "
	    "default: all that are not raw)"},
	{OPT_TABLE, 0, "table", "NAME", C | P | A,
	    "write this one table, to one file"},
	{OPT_EVENTS, 0, "events", NULL, C,
	    "add the raw tables, a row an event"},
	{OPT_PIVOT, 0, "pivot", "SPEC", C,
	    "add a pivot, SPEC being [NAME=]TABLE:ROWS:COLUMNS:VALUE[:OP], OP "
	    "sum, count, avg, min or max, ROWS and COLUMNS comma lists of "
	    "the table's columns; may be repeated"},
	{OPT_TOTALS, 0, "totals", NULL, C,
	    "give pivots a last row and column with totals"},
	{OPT_REPORT, 0, "report", "LIST", C | S,
	    "sections to print: profile, timeline, tree, statements, waits, "
	    "plans, gaps, problems, or `all`"},
	{OPT_STYLE, 0, "style", "HOW", C | S,
	    "print the numbers as users of another tool know them: seed, "
	    "tkprof, mrskew, xtat, or profile (the pivot over SHOW PROFILE)"},
	{OPT_NAME_WIDTH, 0, "name-width", "N", C | S,
	    "columns of the event's name in --style seed (29)"},
	{OPT_TREE, 0, "tree", "[HOW]", C | S,
	    "the tree of calls, paths summed up; seed: every call in the "
	    "order of the file, as the seed lists them; calls: the same "
	    "with callers found by time"},
	{OPT_INTERVALS, 0, "intervals", "N", C | S,
	    "cut the timeline into N intervals (20)"},
	{OPT_INTERVAL, 0, "interval", "TIME", C | S,
	    "cut the timeline into intervals of TIME: 5s, 500ms, 1min"},
	{OPT_TIMELINE, 0, "timeline", "HOW", C | S,
	    "even (default): intervals of one length; seed: cut where an "
	    "event crosses an N-th of the time, no event split"},
	{OPT_ORPHANS, 0, "orphans", "HOW", C | S,
	    "whose recursive calls are, in --timeline seed: time (default): "
	    "by their times; seed: by depth alone"},
	{OPT_TOP, 0, "top", "N", C | S | P | A,
	    "the N statements of a session with the most self time (convert: "
	    "all; show: 10); with --pivot instead the N largest columns of "
	    "it, the others as `other`"},
	{OPT_DELTA, 0, "delta", NULL, C | S,
	    "the inputs are snapshots of one server: tell what digests gained "
	    "from each to the next"},
	{OPT_UNCHANGED, 0, "unchanged", NULL, P,
	    "rows without a difference, too"},
	{OPT_SHIFT_STATES, 0, "shift-states", NULL, C | S,
	    "SHOW PROFILE of servers that print a duration one row too late: "
	    "move each up to the state before it"},
	{OPT_CHARSET, 0, "charset", "NAME", C | S | P,
	    "the encoding of a client's text where the text does not tell: "
	    "latin1, gbk, big5, sjis, cp1251, ... as the server or iconv "
	    "calls it"},
	{OPT_FIELDS_BY, 0, "fields-terminated-by", "TEXT", C | S | P,
	    "of a file of SELECT ... INTO OUTFILE, as it was given there "
	    "(\\t, \\n, \\0 and \\\\ are understood); else found"},
	{OPT_ENCLOSED_BY, 0, "fields-enclosed-by", "CHAR", C | S | P,
	    "likewise"},
	{OPT_MAY_ENCLOSED_BY, 0, "fields-optionally-enclosed-by", "CHAR",
	    C | S | P, "likewise"},
	{OPT_ESCAPED_BY, 0, "fields-escaped-by", "CHAR", C | S | P,
	    "likewise; empty: nothing is escaped"},
	{OPT_LINES_BY, 0, "lines-terminated-by", "TEXT", C | S | P,
	    "likewise"},
	{OPT_STARTING_BY, 0, "lines-starting-by", "TEXT", C | S | P,
	    "likewise"},
	{OPT_COLUMNS, 0, "columns", "LIST", C | S | P,
	    "names of the columns of such a file, which has none"},
	{OPT_CPU, 0, "cpu", "HOW", C | S | P,
	    "split: CPU by call type (default); one: as `CPU service`"},
	{OPT_THINK, 0, "think", "TIME", C | S | P,
	    "waits for the client count as idle from TIME on (0)"},
	{OPT_IDLE, 0, "idle", "HOW", C | S | P,
	    "include (default) or exclude idle waits"},
	{OPT_FROM, 0, "from", "WHEN", C | S | P | A,
	    "of an archive only profiles that go on at WHEN, a date or "
	    "2024-03-26T18:41:07, or later"},
	{OPT_TO, 0, "to", "WHEN", C | S | P | A,
	    "of an archive only profiles that began by WHEN; a date takes "
	    "that day in"},
	{OPT_WHERE, 0, "where", "COLUMN=VALUE", C | S | A,
	    "only what has this session, module, action, client_id, service, "
	    "statement, sql_id, digest, schema, event, class, command, user "
	    "or source; several of one column are alternatives"},
	{OPT_OF, 0, "of", "WHAT", A,
	    "trend: event (default), statement or digest"},
	{OPT_PER, 0, "per", "WHAT", A,
	    "trend: a column a profile (default) or a day"},
	{OPT_DROP, 0, "drop", "NAME", A,
	    "compact: leave out this profile; may be repeated"},
	{OPT_LEVEL, 0, "level", "N", A,
	    "how hard to compress what is kept as it is, 1 to 12 (6)"},
	{OPT_SINCE, 0, "since", "WHEN", C | S,
	    "only from WHEN on: seconds from the start, or a time of the "
	    "wall clock such as 2024-03-26T18:41:07 or 18:41"},
	{OPT_UNTIL, 0, "until", "WHEN", C | S,
	    "only what is before WHEN"},
	{OPT_BY, 0, "by", "LIST", C,
	    "split `profile` and `statements` by these columns: module, "
	    "action, client_id, service, tag; add `digests` up by digest or "
	    "schema"},
	{OPT_TAG, 0, "tag", "NAME=REGEX", C,
	    "a column NAME from the path: what the first group of the regular "
	    "expression finds there; may be repeated"},
	{OPT_MERGE, 0, "merge", "WHAT", C,
	    "sum up over the sessions of a source, or over all `sources`: "
	    "sessions or sources"},
	{OPT_CSV, 0, "csv", "DIALECT", C | P | A,
	    "rfc4180 (default), excel, or excel-semicolon"},
	{OPT_FLATTEN, 0, "flatten-text", NULL, C | P,
	    "csv, tsv: a blank for each line break in text (tsv: for each "
	    "tab, too)"},
	{OPT_GZIP, 0, "gzip", NULL, C | P,
	    "compress text output; in a folder, each table"},
	{OPT_XML, 0, "xml", "HOW", C | L,
	    "flat (default): a list a table; nested: the paths of `tree` "
	    "inside each other"},
	{OPT_PARTITION, 0, "partition", "COLUMN", C,
	    "source: (parquet) a folder a table, in it a folder source=NAME "
	    "an input, which Spark, DuckDB and ClickHouse read as one table"},
	{OPT_SPILL, 0, "spill", "HOW", C | P,
	    "a table too long for a sheet: go on in more `sheets` (default), "
	    "or `refuse`"},
	{OPT_DIGEST, 0, "digest", "HOW", C | S | D,
	    "strict (default); loose: digits in names and hints make no "
	    "difference"},
	{OPT_DIALECT, 0, "dialect", "NAME", D,
	    "the text of this server: mysql-5.6, mysql-5.7, mysql-8.0, "
	    "mysql-9, mariadb (or a full version, mariadb-11.8), oracle, "
	    "postgresql, pt (pt-fingerprint); default: canonical, one text "
	    "for all of them"},
	{OPT_CANONICAL, 0, "canonical", NULL, D,
	    "read the dialect's SQL, print the canonical text"},
	{OPT_HASH, 0, "hash", NULL, D,
	    "print what identifies the text: DIGEST (mysql-8.0, mysql-9), "
	    "Query ID (pt), else column `digest`"},
	{OPT_TIMES, 0, "count", NULL, D,
	    "print each digest once, with the number of its statements"},
	{OPT_LINES, 0, "lines", NULL, D,
	    "a statement a line; default: a script, `;` and DELIMITER"},
	{OPT_NUL, '0', "null", NULL, D,
	    "statements and digests end with a NUL byte, one out for each in"},
	{OPT_SQL_MODE, 0, "sql-mode", "LIST", D,
	    "ANSI_QUOTES, NO_BACKSLASH_ESCAPES, IGNORE_SPACE, "
	    "PIPES_AS_CONCAT, HIGH_NOT_PRECEDENCE"},
	{OPT_DIGEST_LENGTH, 0, "max-digest-length", "N", D,
	    "bytes of tokens that the server keeps (1024), 0: all"},
	{OPT_EMBEDDED, 0, "match-embedded-numbers", NULL, D,
	    "pt: digits inside of names stay"},
	{OPT_CHECKSUMS, 0, "match-md5-checksums", NULL, D,
	    "pt: checksums in names become ?"},
	{OPT_WIDTH, 0, "width", "N", C | S | P | A,
	    "columns of the report (the terminal's; 80 when piped)"},
	{OPT_STRICT, 0, "strict", NULL, C | S | M | P,
	    "write nothing when a part of the input was lost (exit 1)"},
	{OPT_PROGRESS, 0, "progress", "WHEN", C | S | M | P | A,
	    "auto (default: on a terminal) or never"},
	{OPT_MEMORY, 0, "max-memory", "SIZE", C | S | M | D | P | A,
	    "give up beyond SIZE: 64M, 2G"},
	{OPT_JOBS, 0, "jobs", "N", C | S | P,
	    "use N threads (default: as many as there are cores); the output "
	    "is the same"},
	{OPT_TMP, 0, "tmp", "DIR", C | S | P | A,
	    "keep the event log here when it outgrows memory"},
	{OPT_QUIET, 'q', "quiet", NULL, C | S | M | D | P | A,
	    "print no warnings and no progress"},
	{OPT_VERBOSE, 'v', "verbose", NULL, C | S | M | D | L | P | A,
	    "print notices too; of tables, the order of rows"},
	{OPT_HELP, 'h', "help", NULL, C | S | M | D | L | P | A,
	    "print this help"},
	{OPT_VERSION, 'V', "version", NULL, C | S | M | D | L | P | A,
	    "print the version"},
};
const size_t pp_option_count =
    sizeof(pp_option_list) / sizeof(pp_option_list[0]);

const enum pp_opt pp_client_options[PP_CLIENT_OPTIONS] = {
	OPT_CHARSET, OPT_FIELDS_BY, OPT_ENCLOSED_BY, OPT_MAY_ENCLOSED_BY,
	OPT_ESCAPED_BY, OPT_LINES_BY, OPT_STARTING_BY, OPT_COLUMNS,
};

const char *
pp_option_name(enum pp_opt id)
{
	size_t i;

	for (i = 0; i < pp_option_count; i++)
		if (pp_option_list[i].id == id)
			return pp_option_list[i].name;
	return "";
}
