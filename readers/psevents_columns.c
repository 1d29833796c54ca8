/*
 * psevents_columns.c: what the columns of a row set of the Performance Schema
 * are.
 *
 * Columns go by their names, in any order and number; tables that came
 * without names (mysql -N, INTO OUTFILE) by their place, which has changed
 * little from version to version:
 *
 *	statements, stages, transactions, waits from 5.6 on
 *		THREAD_ID EVENT_ID END_EVENT_ID EVENT_NAME ...
 *	waits of 5.5
 *		THREAD_ID EVENT_ID EVENT_NAME SOURCE ...
 *	summaries
 *		[THREAD_ID | USER | HOST | USER HOST] EVENT_NAME COUNT_STAR ...
 *
 * May touch the row sets of client/ and the values of digests_value.c.
 */
#include "psevents.h"

#include "digests.h"

static const char *const names[PP_PS_FIELDS] = {
	[PP_PS_THREAD] = "THREAD_ID",
	[PP_PS_ID] = "EVENT_ID",
	[PP_PS_END] = "END_EVENT_ID",
	[PP_PS_NAME] = "EVENT_NAME",
	[PP_PS_START] = "TIMER_START",
	[PP_PS_UNTIL] = "TIMER_END",
	[PP_PS_WAIT] = "TIMER_WAIT",
	[PP_PS_PARENT] = "NESTING_EVENT_ID",
	[PP_PS_PARENT_TYPE] = "NESTING_EVENT_TYPE",
	[PP_PS_SQL] = "SQL_TEXT",
	[PP_PS_DIGEST] = "DIGEST",
	[PP_PS_DIGEST_TEXT] = "DIGEST_TEXT",
	[PP_PS_SCHEMA] = "CURRENT_SCHEMA",
	[PP_PS_ERRNO] = "MYSQL_ERRNO",
	[PP_PS_MESSAGE] = "MESSAGE_TEXT",
	[PP_PS_LOCK] = "LOCK_TIME",
	[PP_PS_CPU] = "CPU_TIME",
	/* in the order of enum pp_digest_counter from PP_DG_ERRORS on */
	[PP_PS_COUNTER] = "ERRORS",
	[PP_PS_COUNTER + 1] = "WARNINGS",
	[PP_PS_COUNTER + 2] = "ROWS_AFFECTED",
	[PP_PS_COUNTER + 3] = "ROWS_SENT",
	[PP_PS_COUNTER + 4] = "ROWS_EXAMINED",
	[PP_PS_COUNTER + 5] = "CREATED_TMP_TABLES",
	[PP_PS_COUNTER + 6] = "CREATED_TMP_DISK_TABLES",
	[PP_PS_COUNTER + 7] = "SELECT_FULL_JOIN",
	[PP_PS_COUNTER + 8] = "SELECT_SCAN",
	[PP_PS_COUNTER + 9] = "SORT_ROWS",
	[PP_PS_COUNTER + 10] = "NO_INDEX_USED",
	[PP_PS_COUNTER + 11] = "NO_GOOD_INDEX_USED",
	[PP_PS_OBJECT] = "OBJECT_INSTANCE_BEGIN",
	[PP_PS_BYTES] = "NUMBER_OF_BYTES",
	[PP_PS_OPERATION] = "OPERATION",
	[PP_PS_OBJECT_NAME] = "OBJECT_NAME",
	[PP_PS_STATE] = "STATE",
	[PP_PS_USER] = "USER",
	[PP_PS_HOST] = "HOST",
	[PP_PS_COUNT] = "COUNT_STAR",
	[PP_PS_SUM] = "SUM_TIMER_WAIT",
	[PP_PS_MIN] = "MIN_TIMER_WAIT",
	[PP_PS_MAX] = "MAX_TIMER_WAIT",
	[PP_PS_TYPE] = "TYPE",
	[PP_PS_CONNECTION] = "PROCESSLIST_ID",
	[PP_PS_OS_ID] = "THREAD_OS_ID",
	[PP_PS_DB] = "PROCESSLIST_DB",
	[PP_PS_VARIABLE] = "VARIABLE_NAME",
	[PP_PS_VALUE] = "VALUE",
};
_Static_assert(PP_PS_COUNTERS == 12 && PP_DG_NO_INDEX - PP_DG_ERRORS == 10,
    "counters stand in the order of the digests");

#define F(x) PP_PS_##x
#define COUNTER(k) (PP_PS_COUNTER + (k))
#define SKIP PP_PS_FIELDS

/* Tables without names, by place. */
static const uint8_t statements[] = {
	F(THREAD), F(ID), F(END), F(NAME), SKIP, F(START), F(UNTIL), F(WAIT),
	F(LOCK), F(SQL), F(DIGEST), F(DIGEST_TEXT), F(SCHEMA), SKIP, SKIP,
	SKIP, F(OBJECT), F(ERRNO), SKIP, F(MESSAGE), COUNTER(0), COUNTER(1),
	COUNTER(2), COUNTER(3), COUNTER(4), COUNTER(6), COUNTER(5),
	COUNTER(7), SKIP, SKIP, SKIP, COUNTER(8), SKIP, SKIP, COUNTER(9),
	SKIP, COUNTER(10), COUNTER(11), F(PARENT), F(PARENT_TYPE), SKIP, SKIP,
	F(CPU),
};
static const uint8_t stages[] = {
	F(THREAD), F(ID), F(END), F(NAME), SKIP, F(START), F(UNTIL), F(WAIT),
	SKIP, SKIP, F(PARENT), F(PARENT_TYPE),
};
static const uint8_t old_stages[] = {
	F(THREAD), F(ID), F(END), F(NAME), SKIP, F(START), F(UNTIL), F(WAIT),
	F(PARENT), F(PARENT_TYPE),
};
static const uint8_t waits[] = {
	F(THREAD), F(ID), F(END), F(NAME), SKIP, F(START), F(UNTIL), F(WAIT),
	SKIP, SKIP, F(OBJECT_NAME), SKIP, SKIP, F(OBJECT), F(PARENT),
	F(PARENT_TYPE), F(OPERATION), F(BYTES),
};
static const uint8_t old_waits[] = {
	F(THREAD), F(ID), F(NAME), SKIP, F(START), F(UNTIL), F(WAIT), SKIP,
	SKIP, F(OBJECT_NAME), SKIP, F(OBJECT), F(PARENT), F(OPERATION),
	F(BYTES),
};
static const uint8_t transactions[] = {
	F(THREAD), F(ID), F(END), F(NAME), F(STATE), SKIP, SKIP, SKIP, SKIP,
	SKIP, SKIP, SKIP, F(START), F(UNTIL), F(WAIT), SKIP, SKIP, SKIP,
	SKIP, SKIP, SKIP, F(OBJECT), F(PARENT), F(PARENT_TYPE),
};
#undef F
#undef COUNTER

enum pp_nested_kind
pp_ps_family(pp_str name, enum pp_nested_kind family)
{
	if (pp_str_starts(name, PP_STR("wait/")))
		return PP_NESTED_WAIT;
	if (pp_str_starts(name, PP_STR("stage/")))
		return PP_NESTED_STAGE;
	if (pp_str_starts(name, PP_STR("statement/")))
		return PP_NESTED_STATEMENT;
	if (pp_str_eq(name, PP_STR("idle")))
		return PP_NESTED_IDLE;
	if (pp_str_eq(name, PP_STR("transaction")))
		return PP_NESTED_TRANSACTION;
	return family;
}

bool
pp_ps_number(const struct pp_rs_cell *c, uint64_t *out)
{
	pp_str s = c->text;
	uint64_t v = 0;
	pp_i128 x;
	size_t i;

	if (pp_rs_null(c, true) || c->state == PP_CELL_CUT || s.n == 0)
		return false;
	for (i = 0; i < s.n && i < 18 && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		v = v * 10 + (uint64_t)(s.p[i] - '0');
	if (i == s.n) {
		*out = v;
		return true;
	}
	/* beyond 18 digits, or as a spreadsheet or sys shows it */
	switch (dg_time(s, 0, &x)) {
	case DG_OK:
	case DG_ROUGH:
		break;
	case DG_NULL:
	case DG_NEGATIVE:
	case DG_BAD:
		return false;
	}
	*out = x > UINT64_MAX ? UINT64_MAX : (uint64_t)x;
	return true;
}

/* ------------------------------------------------------------ with names */

static bool
has(const struct pp_ps_layout *l, unsigned field)
{
	return l->column[field] >= 0;
}

static enum pp_nested_kind
family_of(const struct pp_ps_layout *l, const struct pp_rowset *rs)
{
	if (has(l, PP_PS_SQL) || has(l, PP_PS_DIGEST) ||
	    has(l, PP_PS_DIGEST_TEXT))
		return PP_NESTED_STATEMENT;
	if (has(l, PP_PS_STATE) || pp_rs_column(rs, "ACCESS_MODE") >= 0)
		return PP_NESTED_TRANSACTION;
	if (pp_rs_column(rs, "WORK_COMPLETED") >= 0)
		return PP_NESTED_STAGE;
	return PP_NESTED_WAIT;
}

static bool
starts_as(pp_str s, const char *prefix)
{
	size_t i;

	for (i = 0; prefix[i] != '\0'; i++) {
		char c = i < s.n ? s.p[i] : '\0';

		if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != prefix[i])
			return false;
	}
	return true;
}

/* SHOW STATUS and not SHOW VARIABLES, of which there are many more. */
static bool
is_status(const struct pp_ps_layout *l, const struct pp_rowset *rs)
{
	size_t i, k = (size_t)l->column[PP_PS_VARIABLE];

	for (i = 0; i < rs->nsample; i++)
		if (k < rs->sample[i].n && starts_as(
		    rs->sample[i].cells[k].text, "performance_schema_"))
			return true;
	for (i = 0; i < rs->statement.n; i++)
		if (starts_as(pp_str_skip(rs->statement, i), "status"))
			return true;
	return false;
}

static void
known_columns(struct pp_ps_layout *l, const struct pp_rowset *rs)
{
	unsigned f, n = 0;

	for (f = 0; f < PP_PS_FIELDS; f++) {
		l->column[f] = pp_rs_column(rs, names[f]);
		n += l->column[f] >= 0;
	}
	if (l->column[PP_PS_VALUE] < 0)
		l->column[PP_PS_VALUE] = pp_rs_column(rs, "VARIABLE_VALUE");
	l->family = family_of(l, rs);
	/* without threads and times it is a list made for other purposes */
	if (has(l, PP_PS_ID) && (has(l, PP_PS_THREAD) || (has(l, PP_PS_NAME) &&
	    (has(l, PP_PS_WAIT) || has(l, PP_PS_START)))))
		l->kind = PP_PS_EVENTS;
	else if (has(l, PP_PS_NAME) && has(l, PP_PS_COUNT) &&
	    has(l, PP_PS_SUM) && !has(l, PP_PS_DIGEST))
		l->kind = PP_PS_SUMS;
	else if (has(l, PP_PS_THREAD) && has(l, PP_PS_TYPE) &&
	    has(l, PP_PS_CONNECTION)) {
		l->kind = PP_PS_THREADS;
		l->column[PP_PS_NAME] = pp_rs_column(rs, "NAME");
		l->column[PP_PS_USER] = pp_rs_column(rs, "PROCESSLIST_USER");
		l->column[PP_PS_HOST] = pp_rs_column(rs, "PROCESSLIST_HOST");
	}
	else if (has(l, PP_PS_VARIABLE) && has(l, PP_PS_VALUE) &&
	    is_status(l, rs))
		l->kind = PP_PS_STATUS;
	if (l->kind != PP_PS_OTHER)
		l->bits = 16 + 4 * (int)(n < 12 ? n : 12);
}

/* --------------------------------------------------------- without names */

static bool
is_number(const struct pp_rs_row *r, size_t i, bool null)
{
	uint64_t v;

	if (i >= r->n)
		return false;
	return pp_ps_number(&r->cells[i], &v) || (null &&
	    (pp_rs_null(&r->cells[i], true) || r->cells[i].text.n == 0));
}

/* Does cell i hold the name of an event? */
static bool
is_name(const struct pp_rs_row *r, size_t i)
{
	return i < r->n && r->cells[i].state == PP_CELL_TEXT &&
	    pp_ps_family(r->cells[i].text, PP_NESTED_SUM) != PP_NESTED_SUM;
}

static void
place(struct pp_ps_layout *l, const uint8_t *fields, size_t n, size_t ncols)
{
	size_t i;

	for (i = 0; i < n && i < ncols; i++)
		if (fields[i] != PP_PS_FIELDS)
			l->column[fields[i]] = (int)i;
	l->kind = PP_PS_EVENTS;
	l->bits = 48;
}

#define PLACE(l, v, ncols) place((l), (v), sizeof(v), (ncols))

static void
guess_events(struct pp_ps_layout *l, const struct pp_rs_row *r, size_t name)
{
	size_t n = r->n;

	l->family = pp_ps_family(r->cells[name].text, PP_NESTED_WAIT);
	if (name == 2) {
		if (n >= 14 && n <= 17 && is_number(r, 4, true))
			PLACE(l, old_waits, n);
		return;
	}
	switch (l->family) {
	case PP_NESTED_STATEMENT:
		if (n >= 40)
			PLACE(l, statements, n);
		break;
	case PP_NESTED_STAGE:
		if (n == 12)
			PLACE(l, stages, n);
		else if (n == 10)
			PLACE(l, old_stages, n);
		break;
	case PP_NESTED_WAIT:
	case PP_NESTED_IDLE:
		if (n >= 18 && n <= 19)
			PLACE(l, waits, n);
		break;
	case PP_NESTED_TRANSACTION:
		if (n >= 24)
			PLACE(l, transactions, n);
		break;
	case PP_NESTED_SUM:
		break;
	}
}

static void
guess_sums(struct pp_ps_layout *l, const struct pp_rs_row *r, size_t name)
{
	size_t i;

	for (i = 1; i <= 5; i++)
		if (!is_number(r, name + i, false))
			return;
	if (name == 1 && is_number(r, 0, false))
		l->column[PP_PS_THREAD] = 0;
	else if (name >= 1)
		l->column[PP_PS_USER] = 0;
	if (name == 2)
		l->column[PP_PS_HOST] = 1;
	l->column[PP_PS_NAME] = (int)name;
	l->column[PP_PS_COUNT] = (int)name + 1;
	l->column[PP_PS_SUM] = (int)name + 2;
	l->column[PP_PS_MIN] = (int)name + 3;
	l->column[PP_PS_MAX] = (int)name + 5;
	l->kind = PP_PS_SUMS;
	l->bits = 48;
}

static void
guess_columns(struct pp_ps_layout *l, const struct pp_rowset *rs)
{
	const struct pp_rs_row *r;
	size_t name;

	if (rs->nsample == 0)
		return;
	r = &rs->sample[0];
	for (name = 0; name < 4 && !is_name(r, name); name++)
		continue;
	if (name == 4)
		return;
	if (name >= 2 && is_number(r, 0, false) && is_number(r, 1, false) &&
	    (name == 2 || is_number(r, 2, true)))
		guess_events(l, r, name);
	if (l->kind == PP_PS_OTHER && name <= 2)
		guess_sums(l, r, name);
	l->guessed = l->kind != PP_PS_OTHER;
}

void
pp_ps_layout(struct pp_ps_layout *l, const struct pp_rowset *rs)
{
	unsigned f;

	memset(l, 0, sizeof(*l));
	for (f = 0; f < PP_PS_FIELDS; f++)
		l->column[f] = -1;
	l->family = PP_NESTED_WAIT;
	if (rs->has_names)
		known_columns(l, rs);
	else
		guess_columns(l, rs);
}
