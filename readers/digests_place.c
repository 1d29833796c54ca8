/*
 * digests_place.c: exports of digest rows without names of columns: mysql -N,
 * SELECT * ... INTO OUTFILE, COPY.
 *
 * Columns are known by their places in the server's order.  How many there
 * are tells the release, and the first rows must look like that table: a
 * digest in hex where it stands, numbers and times where those do.
 *
 * Columns of events_statements_summary_by_digest: 28 in 5.6.5, which has no
 * SCHEMA_NAME, 29 up to 5.7 and in MariaDB, 35 in 8.0.3, 36, 37 and 39 in
 * 8.0.28, .29 and .31.  Of pg_stat_statements: 18 in 9.2, 19, 23, 32, 33, 43,
 * 49 and 52 in 9.4, 9.5, 13, 14, 15, 17 and 18.
 */
#include "digests.h"

/* A column stands in exports of least .. most columns; 0: no bound. */
struct place {
	const char *name;
	uint8_t least, most;
};

static const struct place summary[] = {
	{"SCHEMA_NAME", 29, 0}, {"DIGEST", 0, 0}, {"DIGEST_TEXT", 0, 0},
	{"COUNT_STAR", 0, 0}, {"SUM_TIMER_WAIT", 0, 0},
	{"MIN_TIMER_WAIT", 0, 0}, {"AVG_TIMER_WAIT", 0, 0},
	{"MAX_TIMER_WAIT", 0, 0}, {"SUM_LOCK_TIME", 0, 0},
	{"SUM_ERRORS", 0, 0}, {"SUM_WARNINGS", 0, 0},
	{"SUM_ROWS_AFFECTED", 0, 0}, {"SUM_ROWS_SENT", 0, 0},
	{"SUM_ROWS_EXAMINED", 0, 0}, {"SUM_CREATED_TMP_DISK_TABLES", 0, 0},
	{"SUM_CREATED_TMP_TABLES", 0, 0}, {"SUM_SELECT_FULL_JOIN", 0, 0},
	{"SUM_SELECT_FULL_RANGE_JOIN", 0, 0}, {"SUM_SELECT_RANGE", 0, 0},
	{"SUM_SELECT_RANGE_CHECK", 0, 0}, {"SUM_SELECT_SCAN", 0, 0},
	{"SUM_SORT_MERGE_PASSES", 0, 0}, {"SUM_SORT_RANGE", 0, 0},
	{"SUM_SORT_ROWS", 0, 0}, {"SUM_SORT_SCAN", 0, 0},
	{"SUM_NO_INDEX_USED", 0, 0}, {"SUM_NO_GOOD_INDEX_USED", 0, 0},
	{"SUM_CPU_TIME", 36, 0}, {"MAX_CONTROLLED_MEMORY", 39, 0},
	{"MAX_TOTAL_MEMORY", 39, 0}, {"COUNT_SECONDARY", 37, 0},
	{"FIRST_SEEN", 0, 0}, {"LAST_SEEN", 0, 0}, {"QUANTILE_95", 35, 0},
	{"QUANTILE_99", 35, 0}, {"QUANTILE_999", 35, 0},
	{"QUERY_SAMPLE_TEXT", 35, 0}, {"QUERY_SAMPLE_SEEN", 35, 0},
	{"QUERY_SAMPLE_TIMER_WAIT", 35, 0},
};

/* by_digest has 8 columns, global 6 */
static const struct place histogram[] = {
	{"SCHEMA_NAME", 8, 0}, {"DIGEST", 8, 0}, {"BUCKET_NUMBER", 0, 0},
	{"BUCKET_TIMER_LOW", 0, 0}, {"BUCKET_TIMER_HIGH", 0, 0},
	{"COUNT_BUCKET", 0, 0}, {"COUNT_BUCKET_AND_LOWER", 0, 0},
	{"BUCKET_QUANTILE", 0, 0},
};

/* 27 columns: x$ of 9.x, which alone has exec_secondary_count */
static const struct place analysis[] = {
	{"query", 0, 0}, {"db", 0, 0}, {"full_scan", 0, 0},
	{"exec_count", 0, 0}, {"exec_secondary_count", 27, 0},
	{"err_count", 0, 0}, {"warn_count", 0, 0}, {"total_latency", 0, 0},
	{"max_latency", 0, 0}, {"avg_latency", 0, 0},
	{"lock_latency", 0, 0}, {"cpu_latency", 24, 0}, {"rows_sent", 0, 0},
	{"rows_sent_avg", 0, 0}, {"rows_examined", 0, 0},
	{"rows_examined_avg", 0, 0}, {"rows_affected", 0, 0},
	{"rows_affected_avg", 0, 0}, {"tmp_tables", 0, 0},
	{"tmp_disk_tables", 0, 0}, {"rows_sorted", 0, 0},
	{"sort_merge_passes", 0, 0}, {"max_controlled_memory", 26, 0},
	{"max_total_memory", 26, 0}, {"digest", 0, 0}, {"first_seen", 0, 0},
	{"last_seen", 0, 0},
};

static const struct place temp_tables[] = {
	{"query", 0, 0}, {"db", 0, 0}, {"exec_count", 0, 0},
	{"total_latency", 0, 0}, {"memory_tmp_tables", 0, 0},
	{"disk_tmp_tables", 0, 0}, {"avg_tmp_tables_per_query", 0, 0},
	{"tmp_tables_to_disk_pct", 0, 0}, {"first_seen", 0, 0},
	{"last_seen", 0, 0}, {"digest", 0, 0},
};

static const struct place errors[] = {
	{"query", 0, 0}, {"db", 0, 0}, {"exec_count", 0, 0},
	{"errors", 0, 0}, {"error_pct", 0, 0}, {"warnings", 0, 0},
	{"warning_pct", 0, 0}, {"first_seen", 0, 0}, {"last_seen", 0, 0},
	{"digest", 0, 0},
};

static const struct place full_scans[] = {
	{"query", 0, 0}, {"db", 0, 0}, {"exec_count", 0, 0},
	{"total_latency", 0, 0}, {"no_index_used_count", 0, 0},
	{"no_good_index_used_count", 0, 0}, {"no_index_used_pct", 0, 0},
	{"rows_sent", 0, 0}, {"rows_examined", 0, 0},
	{"rows_sent_avg", 0, 0}, {"rows_examined_avg", 0, 0},
	{"first_seen", 0, 0}, {"last_seen", 0, 0}, {"digest", 0, 0},
};

static const struct place slowest[] = {
	{"query", 0, 0}, {"db", 0, 0}, {"full_scan", 0, 0},
	{"exec_count", 0, 0}, {"err_count", 0, 0}, {"warn_count", 0, 0},
	{"total_latency", 0, 0}, {"max_latency", 0, 0},
	{"avg_latency", 0, 0}, {"rows_sent", 0, 0}, {"rows_sent_avg", 0, 0},
	{"rows_examined", 0, 0}, {"rows_examined_avg", 0, 0},
	{"first_seen", 0, 0}, {"last_seen", 0, 0}, {"digest", 0, 0},
};

static const struct place sorting[] = {
	{"query", 0, 0}, {"db", 0, 0}, {"exec_count", 0, 0},
	{"total_latency", 0, 0}, {"sort_merge_passes", 0, 0},
	{"avg_sort_merges", 0, 0}, {"sorts_using_scans", 0, 0},
	{"sort_using_range", 0, 0}, {"rows_sorted", 0, 0},
	{"avg_rows_sorted", 0, 0}, {"first_seen", 0, 0},
	{"last_seen", 0, 0}, {"digest", 0, 0},
};

/* what follows is not read, but for the two times of 17 */
static const struct place postgresql[] = {
	{"userid", 0, 0}, {"dbid", 0, 0}, {"toplevel", 33, 0},
	{"queryid", 19, 0}, {"query", 0, 0}, {"plans", 32, 0},
	{"total_plan_time", 32, 0}, {"min_plan_time", 32, 0},
	{"max_plan_time", 32, 0}, {"mean_plan_time", 32, 0},
	{"stddev_plan_time", 32, 0}, {"calls", 0, 0},
	{"total_exec_time", 32, 0}, {"min_exec_time", 32, 0},
	{"max_exec_time", 32, 0}, {"mean_exec_time", 32, 0},
	{"stddev_exec_time", 32, 0}, {"total_time", 0, 31},
	{"min_time", 23, 31}, {"max_time", 23, 31}, {"mean_time", 23, 31},
	{"stddev_time", 23, 31}, {"rows", 0, 0},
};

struct shape {
	const char *spec;	/* its name in digests_columns.c */
	const struct place *v;
	size_t n;
	const uint8_t *counts;	/* ends with 0 */
};
#define ORDER(a) (a), sizeof(a) / sizeof((a)[0])

static const uint8_t of_summary[] = {28, 29, 35, 36, 37, 39, 0},
    of_histogram[] = {6, 8, 0}, of_analysis[] = {23, 24, 26, 27, 0},
    of_temp[] = {11, 0}, of_errors[] = {10, 0}, of_scans[] = {14, 0},
    of_slowest[] = {16, 0}, of_sorting[] = {13, 0},
    of_postgresql[] = {18, 19, 23, 32, 33, 43, 49, 52, 0};

static const struct shape shapes[] = {
	{"events_statements_summary_by_digest", ORDER(summary), of_summary},
	{"events_statements_histogram", ORDER(histogram), of_histogram},
	{"sys.statement_analysis", ORDER(analysis), of_analysis},
	{"sys.statement_analysis", ORDER(temp_tables), of_temp},
	{"sys.statement_analysis", ORDER(errors), of_errors},
	{"sys.statement_analysis", ORDER(full_scans), of_scans},
	{"sys.statement_analysis", ORDER(slowest), of_slowest},
	{"sys.statement_analysis", ORDER(sorting), of_sorting},
	{"pg_stat_statements", ORDER(postgresql), of_postgresql},
};

static const struct dg_column *
column_at(const struct shape *s, size_t i, size_t ncols)
{
	size_t k, n = 0;

	for (k = 0; k < s->n; k++) {
		if (ncols < s->v[k].least || (s->v[k].most != 0 &&
		    ncols > s->v[k].most))
			continue;
		if (n++ == i)
			return dg_column_named(dg_spec_named(s->spec),
			    pp_str_from(s->v[k].name));
	}
	return NULL;
}

static bool
has_count(const struct shape *s, size_t ncols)
{
	const uint8_t *c = s->counts;

	while (*c != 0 && *c != ncols)
		c++;
	return *c != 0;
}

static bool
is_hex(pp_str s)
{
	size_t i;

	if (s.n != 32 && s.n != 64)
		return false;
	for (i = 0; i < s.n; i++)
		if (s.p[i] == '\0' ||
		    strchr("0123456789abcdefABCDEF", s.p[i]) == NULL)
			return false;
	return true;
}

/* A whole number; a digest of PostgreSQL is one too. */
static bool
is_whole(pp_str s)
{
	pp_i128 v;

	return s.n != 0 && memchr(s.p, '.', s.n) == NULL &&
	    dg_number(s, 0, &v) != DG_BAD;
}

/* Can the cell stand in the column?  *proof counts what is seldom elsewhere. */
static bool
fits(const struct shape *s, const struct dg_column *c,
    const struct pp_rs_cell *cell, size_t *proof)
{
	bool postgresql_row = s->v == postgresql;
	struct pp_digest_at at;
	pp_i128 v;

	if (c == NULL || dg_null(cell))
		return true;
	if (c->field == DG_NATIVE) {
		*proof += 1;
		return postgresql_row ? is_whole(cell->text) :
		    is_hex(cell->text);
	}
	if (c->field >= DG_COUNT || c->field == DG_BUCKET)
		return is_whole(cell->text);
	if (c->field >= DG_FIRST && c->field <= DG_UNTIL)
		return dg_at(cell->text, &at) != DG_BAD;
	if (c->field == DG_TEXT) {
		*proof += postgresql_row && cell->text.n != 0;
		return true;
	}
	return c->field < DG_TOTAL ||
	    dg_time(cell->text, c->exponent, &v) != DG_BAD;
}

/* Bounds of a bucket rise, and its share is not above 1. */
static bool
is_bucket(const struct pp_rs_row *r, size_t ncols)
{
	const struct pp_rs_cell *c = &r->cells[ncols - 6];
	pp_i128 low, high, own, sum, share;

	return is_whole(c[0].text) &&
	    dg_number(c[1].text, 0, &low) == DG_OK &&
	    dg_number(c[2].text, 0, &high) == DG_OK && low < high &&
	    dg_number(c[3].text, 0, &own) == DG_OK &&
	    dg_number(c[4].text, 0, &sum) == DG_OK && own <= sum &&
	    dg_number(c[5].text, 6, &share) == DG_OK && share <= 1000000 &&
	    memchr(c[5].text.p, '.', c[5].text.n) != NULL;
}

static bool
looks_like(const struct shape *s, const struct pp_rowset *rs)
{
	const struct pp_rs_row *r;
	size_t i, k, proof = 0;

	for (i = 0; i < rs->nsample; i++) {
		r = &rs->sample[i];
		if (r->n < rs->ncols)
			return false;
		for (k = 0; k < rs->ncols; k++)
			if (!fits(s, column_at(s, k, rs->ncols),
			    &r->cells[k], &proof))
				return false;
		if (s->v == histogram) {
			if (!is_bucket(r, rs->ncols))
				return false;
			proof++;
		}
	}
	return proof > 0;
}

static const struct shape *
shape_of(const struct pp_rowset *rs)
{
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (has_count(&shapes[i], rs->ncols) &&
		    looks_like(&shapes[i], rs))
			return &shapes[i];
	return NULL;
}

const struct dg_spec *
dg_spec_by_place(const struct pp_rowset *rs)
{
	const struct shape *s = shape_of(rs);

	return s == NULL ? NULL : dg_spec_named(s->spec);
}

const struct dg_column *
dg_column_by_place(const struct pp_rowset *rs, size_t i)
{
	const struct shape *s = shape_of(rs);

	return s == NULL ? NULL : column_at(s, i, rs->ncols);
}
