/*
 * columns.h: columns that several tables share, declared once so that a name
 * means the same, and reads the same, wherever it stands.
 */
#ifndef PP_REPORT_COLUMNS_H
#define PP_REPORT_COLUMNS_H

#include "../table.h"

/* Array and length of a declaration. */
#define PP_COLUMNS(a) (a), sizeof(a) / sizeof((a)[0])

#define PP_WIDE_EVENTS 24	/* columns of events; then `other` */

#define PP_COL_SOURCE \
	{"source", PP_T_TEXT, "input file, by its base name"}
#define PP_COL_SESSION \
	{"session", PP_T_INT, "session within its source, from 1"}
#define PP_COL_STATEMENT \
	{"statement", PP_T_ID, "sql_id, s:hash of the text, or ?cursor"}
#define PP_COL_SQL_ID \
	{"sql_id", PP_T_ID, "Oracle's id of the text, printed or computed"}
#define PP_COL_HASH_VALUE \
	{"hash_value", PP_T_INT, "Oracle's hash value of the text"}
#define PP_COL_DIGEST \
	{"digest", PP_T_ID, "id of the normalised text"}
#define PP_COL_EVENT \
	{"event", PP_T_TEXT, "name of the event"}
#define PP_COL_CLASS \
	{"class", PP_T_TEXT, "cpu, queue, wait, idle, stage, statement, " \
	    "unaccounted or missing"}
#define PP_COL_PLACE \
	{"place", PP_T_TEXT, "call, or between calls"}
#define PP_COL_INTERVAL \
	{"interval", PP_T_INT, "interval of the timeline, from 1"}
#define PP_COL_INTERVAL_START \
	{"start_s", PP_T_SECONDS, "start of the interval, from the first " \
	    "begin in the source"}
#define PP_COL_INTERVAL_END \
	{"end_s", PP_T_SECONDS, "end of the interval"}
#define PP_COL_START \
	{"start_s", PP_T_SECONDS, "begin, from the first begin in the " \
	    "source"}
#define PP_COL_END \
	{"end_s", PP_T_SECONDS, "end, on the same axis"}
#define PP_COL_START_AT \
	{"start_at", PP_T_TIME, "wall clock of start_s"}
#define PP_COL_ELAPSED \
	{"elapsed_s", PP_T_SECONDS, "elapsed time, children included"}
#define PP_COL_CPU \
	{"cpu_s", PP_T_SECONDS, "CPU time, children included"}
#define PP_COL_SELF \
	{"self_s", PP_T_SECONDS, "elapsed time less that of the children"}
#define PP_COL_SELF_CPU \
	{"self_cpu_s", PP_T_SECONDS, "CPU time in self_s"}
#define PP_COL_SELF_WAIT \
	{"self_wait_s", PP_T_SECONDS, "waits in self_s"}
#define PP_COL_SELF_QUEUE \
	{"self_queue_s", PP_T_SECONDS, "run queue in self_s; empty without " \
	    "SystemTap"}
#define PP_COL_SELF_UNACCOUNTED \
	{"self_unaccounted_s", PP_T_SECONDS, "what is left of self_s, signed"}
#define PP_COL_SHARE_OF_SELF \
	{"share_pct", PP_T_DECIMAL, "self_s in percent of the session's span"}
#define PP_COL_ROWS \
	{"rows", PP_T_INT, "rows processed or returned"}
#define PP_COL_PHYSICAL_READS \
	{"physical_reads", PP_T_INT, "blocks read from disk, children " \
	    "included"}
#define PP_COL_CONSISTENT_GETS \
	{"consistent_gets", PP_T_INT, "blocks got in consistent mode, " \
	    "children included"}
#define PP_COL_CURRENT_GETS \
	{"current_gets", PP_T_INT, "blocks got in current mode, children " \
	    "included"}
#define PP_COL_P50 {"p50_s", PP_T_SECONDS, "50th percentile, never low"}
#define PP_COL_P95 {"p95_s", PP_T_SECONDS, "95th percentile, never low"}
#define PP_COL_P99 {"p99_s", PP_T_SECONDS, "99th percentile, never low"}
#define PP_COL_MODULE \
	{"module", PP_T_TEXT, "module that the application has set"}
#define PP_COL_ACTION \
	{"action", PP_T_TEXT, "action that the application has set"}
#define PP_COL_CLIENT_ID \
	{"client_id", PP_T_ID, "client identifier that the application " \
	    "has set"}

#endif
