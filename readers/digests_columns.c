/*
 * digests_columns.c: the exports of digest rows, by names of columns.
 *
 * Names count whatever their case and order, and any subset of them that has
 * one of each group; digests_place.c has the exports without names.  Units:
 * the Performance Schema and sys' x$ views count in picoseconds, TiDB in
 * nanoseconds, ProxySQL and SQL Server in microseconds, pg_stat_statements in
 * milliseconds, PMM in seconds.  Columns seen:
 * events_statements_summary_by_digest of 5.6.5 (no SCHEMA_NAME) to 9.7 and of
 * MariaDB 10.0 to 11.8, pg_stat_statements 1.1 to 1.12.
 */
#include "digests.h"

#define COLUMNS(a) (a), sizeof(a) / sizeof((a)[0])

static const struct dg_column summary[] = {
	{"SCHEMA_NAME", DG_SCHEMA, 0, 0},
	{"DIGEST", DG_NATIVE, 0, 1},
	{"DIGEST_TEXT", DG_TEXT, 0, 1},
	{"COUNT_STAR", DG_C(CALLS), 0, 2},
	{"SUM_TIMER_WAIT", DG_TOTAL, 0, 2},
	{"MIN_TIMER_WAIT", DG_MIN, 0, 0},
	{"AVG_TIMER_WAIT", DG_AVG, 0, 2},
	{"MAX_TIMER_WAIT", DG_MAX, 0, 2},
	{"SUM_LOCK_TIME", DG_LOCK, 0, 0},
	{"SUM_ERRORS", DG_C(ERRORS), 0, 2},
	{"SUM_WARNINGS", DG_C(WARNINGS), 0, 0},
	{"SUM_ROWS_AFFECTED", DG_C(AFFECTED), 0, 2},
	{"SUM_ROWS_SENT", DG_C(SENT), 0, 2},
	{"SUM_ROWS_EXAMINED", DG_C(EXAMINED), 0, 2},
	{"SUM_CREATED_TMP_DISK_TABLES", DG_C(TMP_DISK), 0, 0},
	{"SUM_CREATED_TMP_TABLES", DG_C(TMP), 0, 0},
	{"SUM_SELECT_FULL_JOIN", DG_C(FULL_JOINS), 0, 0},
	{"SUM_SELECT_FULL_RANGE_JOIN", DG_NOTHING, 0, 0},
	{"SUM_SELECT_RANGE", DG_NOTHING, 0, 0},
	{"SUM_SELECT_RANGE_CHECK", DG_NOTHING, 0, 0},
	{"SUM_SELECT_SCAN", DG_C(FULL_SCANS), 0, 0},
	{"SUM_SORT_MERGE_PASSES", DG_NOTHING, 0, 0},
	{"SUM_SORT_RANGE", DG_NOTHING, 0, 0},
	{"SUM_SORT_ROWS", DG_C(SORT_ROWS), 0, 0},
	{"SUM_SORT_SCAN", DG_NOTHING, 0, 0},
	{"SUM_NO_INDEX_USED", DG_C(NO_INDEX), 0, 2},
	{"SUM_NO_GOOD_INDEX_USED", DG_C(NO_GOOD_INDEX), 0, 0},
	{"SUM_CPU_TIME", DG_CPU, 0, 2},
	{"MAX_CONTROLLED_MEMORY", DG_NOTHING, 0, 0},
	{"MAX_TOTAL_MEMORY", DG_NOTHING, 0, 0},
	{"COUNT_SECONDARY", DG_NOTHING, 0, 0},
	{"FIRST_SEEN", DG_FIRST, 0, 0},
	{"LAST_SEEN", DG_LAST, 0, 0},
	{"QUANTILE_95", DG_Q(P95), 0, 2},
	{"QUANTILE_99", DG_Q(P99), 0, 2},
	{"QUANTILE_999", DG_Q(P999), 0, 0},
	{"QUERY_SAMPLE_TEXT", DG_SAMPLE, 0, 2},
	{"QUERY_SAMPLE_SEEN", DG_NOTHING, 0, 0},
	{"QUERY_SAMPLE_TIMER_WAIT", DG_NOTHING, 0, 0},
};

static const struct dg_column histogram[] = {
	{"SCHEMA_NAME", DG_SCHEMA, 0, 0},
	{"DIGEST", DG_NATIVE, 0, 0},
	{"BUCKET_TIMER_LOW", DG_LOW, 0, 0},
	{"BUCKET_TIMER_HIGH", DG_HIGH, 0, 1},
	{"COUNT_BUCKET", DG_BUCKET, 0, 2},
	{"DIGEST_TEXT", DG_TEXT, 0, 0},
	{"BUCKET_NUMBER", DG_NOTHING, 0, 0},
};

static const struct dg_column list[] = {
	{"SQL_TEXT", DG_SQL, 0, 1},
	{"TIMER_WAIT", DG_TOTAL, 0, 2},
	{"EVENT_NAME", DG_EVENT, 0, 2},
	{"DIGEST", DG_NATIVE, 0, 2},
	{"DIGEST_TEXT", DG_TEXT, 0, 2},
	{"CURRENT_SCHEMA", DG_SCHEMA, 0, 0},
	{"SCHEMA_NAME", DG_SCHEMA, 0, 0},
	{"LOCK_TIME", DG_LOCK, 0, 2},
	{"CPU_TIME", DG_CPU, 0, 0},
	{"ERRORS", DG_C(ERRORS), 0, 0},
	{"WARNINGS", DG_C(WARNINGS), 0, 0},
	{"ROWS_AFFECTED", DG_C(AFFECTED), 0, 2},
	{"ROWS_SENT", DG_C(SENT), 0, 2},
	{"ROWS_EXAMINED", DG_C(EXAMINED), 0, 2},
	{"CREATED_TMP_DISK_TABLES", DG_C(TMP_DISK), 0, 0},
	{"CREATED_TMP_TABLES", DG_C(TMP), 0, 0},
	{"SELECT_FULL_JOIN", DG_C(FULL_JOINS), 0, 0},
	{"SELECT_SCAN", DG_C(FULL_SCANS), 0, 0},
	{"SORT_ROWS", DG_C(SORT_ROWS), 0, 0},
	{"NO_INDEX_USED", DG_C(NO_INDEX), 0, 0},
	{"NO_GOOD_INDEX_USED", DG_C(NO_GOOD_INDEX), 0, 0},
};

/* sys.statement_analysis, statements_with_*; the x$ views the same. */
static const struct dg_column sys[] = {
	{"query", DG_TEXT, 0, 1},
	{"db", DG_SCHEMA, 0, 0},
	{"digest", DG_NATIVE, 0, 3},
	{"exec_count", DG_C(CALLS), 0, 2},
	{"err_count", DG_C(ERRORS), 0, 0},
	{"errors", DG_C(ERRORS), 0, 3},
	{"warn_count", DG_C(WARNINGS), 0, 0},
	{"warnings", DG_C(WARNINGS), 0, 0},
	{"total_latency", DG_TOTAL, 0, 3},
	{"max_latency", DG_MAX, 0, 0},
	{"avg_latency", DG_AVG, 0, 3},
	{"lock_latency", DG_LOCK, 0, 0},
	{"cpu_latency", DG_CPU, 0, 0},
	{"rows_sent", DG_C(SENT), 0, 0},
	{"rows_examined", DG_C(EXAMINED), 0, 0},
	{"rows_affected", DG_C(AFFECTED), 0, 0},
	{"tmp_tables", DG_C(TMP), 0, 0},
	{"memory_tmp_tables", DG_C(TMP), 0, 0},
	{"tmp_disk_tables", DG_C(TMP_DISK), 0, 0},
	{"disk_tmp_tables", DG_C(TMP_DISK), 0, 0},
	{"rows_sorted", DG_C(SORT_ROWS), 0, 0},
	{"no_index_used_count", DG_C(NO_INDEX), 0, 0},
	{"no_good_index_used_count", DG_C(NO_GOOD_INDEX), 0, 0},
	{"first_seen", DG_FIRST, 0, 0},
	{"last_seen", DG_LAST, 0, 0},
};

static const struct dg_column tidb[] = {
	{"SCHEMA_NAME", DG_SCHEMA, 0, 0},
	{"DIGEST", DG_NATIVE, 0, 1},
	{"DIGEST_TEXT", DG_TEXT, 0, 1},
	{"EXEC_COUNT", DG_C(CALLS), 0, 2},
	{"SUM_LATENCY", DG_TOTAL, 3, 3},
	{"MAX_LATENCY", DG_MAX, 3, 3},
	{"MIN_LATENCY", DG_MIN, 3, 0},
	{"AVG_LATENCY", DG_AVG, 3, 3},
	{"SUM_ERRORS", DG_C(ERRORS), 0, 0},
	{"SUM_WARNINGS", DG_C(WARNINGS), 0, 0},
	{"FIRST_SEEN", DG_FIRST, 0, 0},
	{"LAST_SEEN", DG_LAST, 0, 0},
	{"SUMMARY_BEGIN_TIME", DG_FROM, 0, 0},
	{"SUMMARY_END_TIME", DG_UNTIL, 0, 0},
	{"QUERY_SAMPLE_TEXT", DG_SAMPLE, 0, 0},
};

static const struct dg_column proxysql[] = {
	{"schemaname", DG_SCHEMA, 0, 0},
	{"digest", DG_NATIVE, 0, 1},
	{"digest_text", DG_TEXT, 0, 1},
	{"count_star", DG_C(CALLS), 0, 2},
	{"first_seen", DG_FIRST, 0, 0},
	{"last_seen", DG_LAST, 0, 0},
	{"sum_time", DG_TOTAL, 6, 3},
	{"min_time", DG_MIN, 6, 0},
	{"max_time", DG_MAX, 6, 0},
	{"sum_rows_affected", DG_C(AFFECTED), 0, 0},
	{"sum_rows_sent", DG_C(SENT), 0, 0},
	{"hostgroup", DG_NOTHING, 0, 0},
	{"username", DG_NOTHING, 0, 0},
	{"client_address", DG_NOTHING, 0, 0},
};

static const struct dg_column postgresql[] = {
	{"queryid", DG_NATIVE, 0, 1},
	{"query", DG_TEXT, 0, 1},
	{"datname", DG_SCHEMA, 0, 0},
	{"dbid", DG_SCHEMA_WEAK, 0, 0},
	{"calls", DG_C(CALLS), 0, 2},
	{"total_time", DG_TOTAL, 9, 3},
	{"min_time", DG_MIN, 9, 0},
	{"max_time", DG_MAX, 9, 0},
	{"mean_time", DG_AVG, 9, 3},
	{"stddev_time", DG_Q(STDDEV), 9, 0},
	{"total_exec_time", DG_TOTAL, 9, 3},
	{"min_exec_time", DG_MIN, 9, 0},
	{"max_exec_time", DG_MAX, 9, 0},
	{"mean_exec_time", DG_AVG, 9, 3},
	{"stddev_exec_time", DG_Q(STDDEV), 9, 0},
	{"plans", DG_C(PARSES), 0, 0},
	{"rows", DG_C(SENT), 0, 0},
	{"stats_since", DG_FROM, 0, 0},
	{"userid", DG_NOTHING, 0, 0},
	{"toplevel", DG_NOTHING, 0, 0},
	{"shared_blks_hit", DG_NOTHING, 0, 0},
};

/* sys.dm_exec_query_stats, with the text of sys.dm_exec_sql_text. */
static const struct dg_column query_stats[] = {
	{"query_hash", DG_NATIVE, 0, 1},
	{"text", DG_SQL, 0, 1},
	{"statement_text", DG_SQL, 0, 1},
	{"query_text", DG_SQL, 0, 1},
	{"query_sql_text", DG_SQL, 0, 1},
	{"sql_handle", DG_NOTHING, 0, 0},
	{"database_name", DG_SCHEMA, 0, 0},
	{"dbid", DG_SCHEMA_WEAK, 0, 0},
	{"creation_time", DG_FIRST, 0, 0},
	{"last_execution_time", DG_LAST, 0, 0},
	{"execution_count", DG_C(CALLS), 0, 2},
	{"total_elapsed_time", DG_TOTAL, 6, 3},
	{"total_worker_time", DG_CPU, 6, 3},
	{"min_elapsed_time", DG_MIN, 6, 0},
	{"max_elapsed_time", DG_MAX, 6, 0},
	{"total_rows", DG_C(SENT), 0, 0},
};

/* sys.query_store_runtime_stats, joined with plan, query and text. */
static const struct dg_column query_store[] = {
	{"query_hash", DG_NATIVE, 0, 1},
	{"query_id", DG_NATIVE, 0, 1},
	{"plan_id", DG_NATIVE, 0, 1},
	{"query_sql_text", DG_SQL, 0, 1},
	{"database_name", DG_SCHEMA, 0, 0},
	{"first_execution_time", DG_FIRST, 0, 0},
	{"last_execution_time", DG_LAST, 0, 0},
	{"count_executions", DG_C(CALLS), 0, 2},
	{"avg_duration", DG_AVG, 6, 3},
	{"min_duration", DG_MIN, 6, 0},
	{"max_duration", DG_MAX, 6, 0},
	{"stdev_duration", DG_Q(STDDEV), 6, 0},
	{"avg_cpu_time", DG_AVG_CPU, 6, 0},
};

/* Rows of PMM's Query Analytics. */
static const struct dg_column pmm[] = {
	{"queryid", DG_NATIVE, 0, 1},
	{"fingerprint", DG_TEXT, 0, 1},
	{"schema", DG_SCHEMA, 0, 0},
	{"database", DG_SCHEMA, 0, 0},
	{"example", DG_SAMPLE, 0, 0},
	{"num_queries", DG_C(CALLS), 0, 2},
	{"num_queries_with_errors", DG_C(ERRORS), 0, 0},
	{"num_queries_with_warnings", DG_C(WARNINGS), 0, 0},
	{"m_query_time_sum", DG_TOTAL, 12, 3},
	{"m_query_time_min", DG_MIN, 12, 0},
	{"m_query_time_max", DG_MAX, 12, 0},
	{"m_query_time_p99", DG_Q(P99), 12, 0},
	{"m_lock_time_sum", DG_LOCK, 12, 0},
	{"m_rows_sent_sum", DG_C(SENT), 0, 0},
	{"m_rows_examined_sum", DG_C(EXAMINED), 0, 0},
	{"m_rows_affected_sum", DG_C(AFFECTED), 0, 0},
	{"m_tmp_tables_sum", DG_C(TMP), 0, 0},
	{"m_tmp_disk_tables_sum", DG_C(TMP_DISK), 0, 0},
	{"m_full_scan_sum", DG_C(FULL_SCANS), 0, 0},
	{"m_full_join_sum", DG_C(FULL_JOINS), 0, 0},
	{"m_no_index_used_sum", DG_C(NO_INDEX), 0, 0},
	{"m_no_good_index_used_sum", DG_C(NO_GOOD_INDEX), 0, 0},
	{"period_start", DG_FROM, 0, 0},
};

/* Classes of pt-query-digest --output json, members joined by points. */
static const struct dg_column pt[] = {
	{"checksum", DG_NATIVE, 0, 1},
	{"fingerprint", DG_TEXT, 0, 1},
	{"query_count", DG_C(CALLS), 0, 2},
	{"ts_min", DG_FIRST, 0, 0},
	{"ts_max", DG_LAST, 0, 0},
	{"example.query", DG_SAMPLE, 0, 0},
	{"metrics.db.value", DG_SCHEMA, 0, 0},
	{"metrics.Query_time.sum", DG_TOTAL, 12, 3},
	{"metrics.Query_time.min", DG_MIN, 12, 0},
	{"metrics.Query_time.max", DG_MAX, 12, 0},
	{"metrics.Query_time.median", DG_Q(P50), 12, 0},
	{"metrics.Query_time.pct_95", DG_Q(P95), 12, 0},
	{"metrics.Query_time.stddev", DG_Q(STDDEV), 12, 0},
	{"metrics.Lock_time.sum", DG_LOCK, 12, 0},
	{"metrics.Rows_sent.sum", DG_C(SENT), 0, 0},
	{"metrics.Rows_examined.sum", DG_C(EXAMINED), 0, 0},
	{"metrics.Rows_affected.sum", DG_C(AFFECTED), 0, 0},
	{"metrics.Tmp_tables.sum", DG_C(TMP), 0, 0},
	{"metrics.Tmp_disk_tables.sum", DG_C(TMP_DISK), 0, 0},
	{"metrics.Full_scan.yes", DG_C(FULL_SCANS), 0, 0},
	{"metrics.Full_join.yes", DG_C(FULL_JOINS), 0, 0},
};

static const struct dg_spec specs[] = {
	{"events_statements_summary_by_digest", NULL, COLUMNS(summary), 12,
	    PP_DG_MYSQL, DG_CATCH_ALL},
	{"events_statements_histogram", "MySQL", COLUMNS(histogram), 12,
	    PP_DG_MYSQL, DG_HISTOGRAM},
	{"statements", NULL, COLUMNS(list), 12, PP_DG_MYSQL, DG_LIST},
	{"sys.statement_analysis", NULL, COLUMNS(sys), 12, PP_DG_MYSQL,
	    DG_CATCH_ALL | DG_SHORT},
	{"statements_summary", "TiDB", COLUMNS(tidb), 9, PP_DG_MYSQL,
	    DG_CATCH_ALL},
	{"stats_mysql_query_digest", "ProxySQL", COLUMNS(proxysql), 6,
	    PP_DG_MYSQL, 0},
	{"pg_stat_statements", "PostgreSQL", COLUMNS(postgresql), 12,
	    PP_DG_POSTGRESQL, 0},
	{"dm_exec_query_stats", "SQL Server", COLUMNS(query_stats), 6,
	    PP_DG_POSTGRESQL, 0},
	{"query_store_runtime_stats", "SQL Server", COLUMNS(query_store), 12,
	    PP_DG_POSTGRESQL, DG_ROUNDED},
	{"pmm", "PMM", COLUMNS(pmm), 12, PP_DG_MYSQL, 0},
	{"pt-query-digest", NULL, COLUMNS(pt), 6, PP_DG_MYSQL, 0},
};

#define NSPECS (sizeof(specs) / sizeof(specs[0]))

const struct dg_spec *
dg_spec_named(const char *name)
{
	size_t i;

	for (i = 0; i < NSPECS; i++)
		if (strcmp(specs[i].name, name) == 0)
			return &specs[i];
	return NULL;
}

const struct dg_column *
dg_column_named(const struct dg_spec *s, pp_str name)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (pp_rs_same(name, s->columns[i].name))
			return &s->columns[i];
	return NULL;
}

/* How many columns of the set the export has; 0: one of a group is missing. */
static int
matches(const struct dg_spec *s, const struct pp_rowset *rs)
{
	unsigned all = 0, got = 0;
	const struct dg_column *c;
	size_t i;
	int n = 0;

	for (i = 0; i < s->n; i++)
		all |= s->columns[i].group ? 1u << s->columns[i].group : 0;
	for (i = 0; i < rs->ncols; i++) {
		c = dg_column_named(s, dg_trim(rs->names[i]));
		if (c == NULL)
			continue;
		n++;
		got |= c->group ? 1u << c->group : 0;
	}
	return got == all ? n : 0;
}

/* ------------------------------------------------------------- choosing */

const struct dg_spec *
dg_spec_of(const struct pp_rowset *rs, int *bits)
{
	const struct dg_spec *best = NULL;
	int most = 0, n;
	size_t i;

	*bits = 0;
	if (!rs->has_names) {
		best = dg_spec_by_place(rs);
		*bits = best != NULL ? 40 : 0;
		return best;
	}
	for (i = 0; i < NSPECS; i++) {
		n = matches(&specs[i], rs);
		if (n > most) {
			most = n;
			best = &specs[i];
		}
	}
	/* events of the Performance Schema, with ids, are read elsewhere: they
	 * may have been printed twice */
	if (best != NULL && (best->flags & DG_LIST) &&
	    pp_rs_column(rs, "THREAD_ID") >= 0 &&
	    pp_rs_column(rs, "EVENT_ID") >= 0)
		return NULL;
	*bits = most > 10 ? 80 : most * 8;
	return best;
}

const struct dg_column *
dg_column_of(const struct dg_spec *s, const struct pp_rowset *rs, size_t i)
{
	return rs->has_names ? dg_column_named(s, dg_trim(rs->names[i])) :
	    dg_column_by_place(rs, i);
}
