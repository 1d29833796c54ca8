/*
 * events.c: table `events`, one call, wait, stage, statement, transaction or
 * gap a row.
 */
#include "columns.h"
#include "report.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	PP_COL_SESSION,
	{"event_id", PP_T_INT, "id of the occurrence within its session"},
	{"parent_event_id", PP_T_INT, "event_id of the call that it lies in; "
	    "empty: none"},
	{"line", PP_T_INT, "line in its file"},
	{"kind", PP_T_TEXT, "call, wait, stage, statement, transaction or "
	    "gap"},
	PP_COL_EVENT,
	PP_COL_CLASS,
	PP_COL_PLACE,
	{"cursor", PP_T_ID, "cursor number"},
	PP_COL_STATEMENT,
	PP_COL_SQL_ID,
	PP_COL_DIGEST,
	{"depth", PP_T_INT, "depth as recorded"},
	PP_COL_START,
	PP_COL_END,
	PP_COL_START_AT,
	PP_COL_ELAPSED,
	PP_COL_CPU,
	{"queue_s", PP_T_SECONDS, "run queue, children included; empty "
	    "without SystemTap"},
	PP_COL_SELF,
	PP_COL_SELF_CPU,
	PP_COL_SELF_QUEUE,
	PP_COL_SELF_WAIT,
	PP_COL_SELF_UNACCOUNTED,
	PP_COL_ROWS,
	PP_COL_PHYSICAL_READS,
	PP_COL_CONSISTENT_GETS,
	PP_COL_CURRENT_GETS,
	{"misses", PP_T_INT, "library cache misses"},
	{"plan_hash", PP_T_INT, "hash value of the plan"},
	{"error", PP_T_INT, "error number"},
	{"object", PP_T_INT, "object number"},
	{"p1_name", PP_T_TEXT, "name of the first parameter"},
	{"p1", PP_T_INT, "first parameter"},
	{"p2_name", PP_T_TEXT, "name of the second parameter"},
	{"p2", PP_T_INT, "second parameter"},
	{"p3_name", PP_T_TEXT, "name of the third parameter"},
	{"p3", PP_T_INT, "third parameter"},
	PP_COL_MODULE,
	PP_COL_ACTION,
	PP_COL_CLIENT_ID,
	{"tim", PP_T_INT, "clock as recorded"},
	{"flags", PP_T_TEXT, "what is odd about the record"},
};

static const struct pp_table table = {
	"events", "one occurrence",
	"source, session, event_id", PP_COLUMNS(columns), PP_TABLE_RAW
};

const struct pp_report pp_report_events = {
	.table = &table,
	.inputs = PP_INPUT_TRACE | PP_INPUT_EVENTS,
	.needs = PP_NEED_RAW,
	.raw = true,
};
