/*
 * showprofile_columns.c: what the columns of a row set are.
 *
 *	SHOW PROFILES	Query_ID, Duration, Query
 *	SHOW PROFILE	Status, Duration [, more], 2 to 16 columns
 *	PROFILING	QUERY_ID, SEQ, STATE, DURATION [, more], up to 18
 *	pivot query	STATE, Total_R, Pct_R, Calls, R/Call
 *
 * and what people select in their place from the Performance Schema and sys:
 * EVENT_ID, Duration, SQL_TEXT; Stage, Duration; event_name and a time with
 * its unit in the name.  Names decide, ignoring case and order.  Without
 * names the cells must look like the server's: durations of 6 or 8 digits,
 * states that servers have.  May touch model/base only.
 */
#include "showprofile.h"

static const struct {
	const char *name;
	enum pp_sp_field field;
} names[] = {
	{"query_id", PP_SP_ID}, {"event_id", PP_SP_ID}, {"seq", PP_SP_SEQ},
	{"status", PP_SP_STATE}, {"state", PP_SP_STATE},
	{"stage", PP_SP_STATE}, {"event_name", PP_SP_STATE},
	{"duration", PP_SP_DURATION}, {"query", PP_SP_QUERY},
	{"sql_text", PP_SP_QUERY}, {"cpu_user", PP_SP_USER},
	{"cpu_system", PP_SP_SYSTEM},
	{"context_voluntary", PP_SP_COUNTER + PP_COUNT_VOLUNTARY},
	{"context_involuntary", PP_SP_COUNTER + PP_COUNT_INVOLUNTARY},
	{"block_ops_in", PP_SP_COUNTER + PP_COUNT_BLOCKS_IN},
	{"block_ops_out", PP_SP_COUNTER + PP_COUNT_BLOCKS_OUT},
	{"messages_sent", PP_SP_COUNTER + PP_COUNT_SENT},
	{"messages_received", PP_SP_COUNTER + PP_COUNT_RECEIVED},
	{"page_faults_major", PP_SP_COUNTER + PP_COUNT_MAJOR},
	{"page_faults_minor", PP_SP_COUNTER + PP_COUNT_MINOR},
	{"swaps", PP_SP_COUNTER + PP_COUNT_SWAPS},
	{"source_function", PP_SP_FUNCTION}, {"source_file", PP_SP_FILE},
	{"source_line", PP_SP_LINE}, {"total_r", PP_SP_TOTAL},
	{"pct_r", PP_SP_PERCENT}, {"calls", PP_SP_CALLS},
	{"r/call", PP_SP_PER_CALL},
};

/* Endings of a column that holds a time, after a word and '_'. */
static const struct {
	const char *end;
	int64_t ps;
} endings[] = {
	{"_ms", 1000000000}, {"_us", 1000000}, {"_ns", 1000}, {"_ps", 1},
	{"_sec", INT64_C(1000000000000)}, {"_s", INT64_C(1000000000000)},
};

#define SECOND INT64_C(1000000000000)
#define BITS_A_NAME 8

static int64_t
unit_of(pp_str name)
{
	size_t i, n;

	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		n = strlen(endings[i].end);
		if (name.n > n && pp_rs_same(pp_str_skip(name, name.n - n),
		    endings[i].end))
			return endings[i].ps;
	}
	return 0;
}

/* Fill in the columns by their names; how many are not known. */
static size_t
by_name(struct pp_sp_layout *l, const struct pp_rowset *rs)
{
	size_t i, k, others = 0;

	for (i = 0; i < rs->ncols; i++) {
		for (k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (pp_rs_same(pp_str_trim(rs->names[i]),
			    names[k].name))
				break;
		if (k < sizeof(names) / sizeof(names[0]) &&
		    l->column[names[k].field] < 0)
			l->column[names[k].field] = (int)i;
		else
			others++;
	}
	return others;
}

static bool
has(const struct pp_sp_layout *l, enum pp_sp_field f)
{
	return l->column[f] >= 0;
}

/* Two columns, event_name and a time: stages of the Performance Schema. */
static bool
stages(struct pp_sp_layout *l, const struct pp_rowset *rs)
{
	int64_t unit;
	size_t i, k;

	if (rs->ncols != 2 || !has(l, PP_SP_STATE))
		return false;
	k = l->column[PP_SP_STATE] == 0;
	unit = unit_of(rs->names[k]);
	if (unit == 0)
		return false;
	for (i = 0; i < rs->nsample; i++) {
		const struct pp_rs_row *r = &rs->sample[i];
		size_t at = (size_t)l->column[PP_SP_STATE];

		if (at >= r->n || !pp_str_starts(r->cells[at].text,
		    PP_STR("stage/")))
			return false;
	}
	/* asked for the names alone it may be */
	l->unit = unit;
	l->column[PP_SP_DURATION] = (int)k;
	return true;
}

static void
named(struct pp_sp_layout *l, const struct pp_rowset *rs)
{
	size_t others = by_name(l, rs);

	l->bits = BITS_A_NAME * (int)(rs->ncols - others);
	if (has(l, PP_SP_ID) && has(l, PP_SP_DURATION) &&
	    has(l, PP_SP_QUERY) && rs->ncols == 3)
		l->kind = PP_SP_LIST;
	else if (has(l, PP_SP_STATE) && has(l, PP_SP_TOTAL) &&
	    has(l, PP_SP_CALLS) && others == 0)
		l->kind = PP_SP_SUMS;
	else if (has(l, PP_SP_STATE) && has(l, PP_SP_DURATION) &&
	    !has(l, PP_SP_QUERY) && others == 0)
		l->kind = has(l, PP_SP_ID) ? PP_SP_PROFILES : PP_SP_PROFILE;
	else if (stages(l, rs)) {
		l->kind = PP_SP_PROFILE;
		l->bits += BITS_A_NAME;
	}
}

/* ---------------------------------------------------------- without names */

/* States of servers from 5.0.37 on, in small letters; not all, but every
 * profile has some. */
static const char *const states[] = {
	"(initialization)", "starting", "checking permissions",
	"executing hook on transaction", "opening tables",
	"after opening tables", "init", "init for update", "system lock",
	"table lock", "optimizing", "statistics", "preparing", "executing",
	"sending data", "sorting result", "creating sort index",
	"creating tmp table", "removing tmp table", "copying to tmp table",
	"copy to tmp table", "creating table", "after create", "end",
	"end of update loop", "query end", "commit", "closing tables",
	"unlocking tables", "starting cleanup", "freeing items",
	"logging slow query", "cleaning up", "updating status",
	"reset for next command", "waiting for handler commit", "user sleep",
	"update", "updating", "altering table", "rename result table",
	"statistics", "rollback", "committing", "setup",
};

static bool
is_state(pp_str s)
{
	size_t i;

	s = pp_str_trim(s);
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (pp_rs_same(s, states[i]))
			return true;
	return false;
}

/*
 * The first state of a query.  8.0 and later say "starting" twice: again
 * behind "Executing hook on transaction begin."
 */
bool
pp_sp_begins(pp_str before, pp_str name)
{
	pp_str hook = PP_STR("executing hook on transaction");

	if (pp_rs_same(name, "(initialization)"))
		return true;
	if (before.n > hook.n)
		before.n = hook.n;
	return pp_rs_same(name, "starting") && !pp_rs_same(before, hook.p);
}

/* What a cell looks like. */
enum look {
	LOOK_TEXT,
	LOOK_NULL,
	LOOK_COUNT,		/* digits */
	LOOK_TIME,		/* a decimal of 6 or 8 digits */
	LOOK_DECIMAL
};

static enum look
look(const struct pp_rs_cell *c)
{
	pp_str s = pp_str_trim(c->text);
	size_t n = 0, dot;

	if (pp_rs_null(c, true))
		return LOOK_NULL;
	if (s.n > 0 && s.p[0] == '-')
		s = pp_str_skip(s, 1);
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	if (n == 0)
		return LOOK_TEXT;
	if (n == s.n)
		return LOOK_COUNT;
	if (s.p[n] != '.')
		return LOOK_TEXT;
	dot = n++;
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	if (n < s.n)
		return LOOK_TEXT;
	return n - dot == 7 || n - dot == 9 ? LOOK_TIME : LOOK_DECIMAL;
}

/* What the cells of a column look like; NULL goes with anything. */
static enum look
column_look(const struct pp_rowset *rs, size_t col)
{
	enum look all = LOOK_NULL, one;
	size_t i;

	for (i = 0; i < rs->nsample; i++) {
		const struct pp_rs_row *r = &rs->sample[i];

		if (r->partial)
			continue;	/* its cells may stand elsewhere */
		if (col >= r->n)
			return LOOK_TEXT;
		one = look(&r->cells[col]);
		if (all == LOOK_NULL)
			all = one;
		else if (one != LOOK_NULL && one != all)
			return LOOK_TEXT;
	}
	return all;
}

static size_t
states_in(const struct pp_rowset *rs, size_t col)
{
	size_t i, n = 0;

	for (i = 0; i < rs->nsample; i++)
		n += !rs->sample[i].partial && col < rs->sample[i].n &&
		    is_state(rs->sample[i].cells[col].text);
	return n;
}

static const enum pp_sp_field first_of[PP_SP_TYPES] = {
	[PP_SP_T_CPU] = PP_SP_USER,
	[PP_SP_T_CONTEXT] = PP_SP_COUNTER + PP_COUNT_VOLUNTARY,
	[PP_SP_T_BLOCK] = PP_SP_COUNTER + PP_COUNT_BLOCKS_IN,
	[PP_SP_T_IPC] = PP_SP_COUNTER + PP_COUNT_SENT,
	[PP_SP_T_FAULTS] = PP_SP_COUNTER + PP_COUNT_MAJOR,
	[PP_SP_T_SWAPS] = PP_SP_COUNTER + PP_COUNT_SWAPS,
	[PP_SP_T_SOURCE] = PP_SP_FUNCTION,
};
static const size_t width_of[PP_SP_TYPES] = {
	[PP_SP_T_CPU] = 2, [PP_SP_T_CONTEXT] = 2, [PP_SP_T_BLOCK] = 2,
	[PP_SP_T_IPC] = 2, [PP_SP_T_FAULTS] = 2, [PP_SP_T_SWAPS] = 1,
	[PP_SP_T_SOURCE] = 3,
};

/* The columns of these types, in the server's order, from column `at` on. */
static void
lay_types(struct pp_sp_layout *l, unsigned types, size_t at)
{
	size_t t, k;

	for (t = 0; t < PP_SP_TYPES; t++)
		for (k = 0; (types & 1u << t) && k < width_of[t]; k++)
			l->column[first_of[t] + k] = (int)at++;
}

static size_t
types_width(unsigned types)
{
	size_t t, n = 0;

	for (t = 0; t < PP_SP_TYPES; t++)
		n += types & 1u << t ? width_of[t] : 0;
	return n;
}

/* Which types the columns from `at` on are, as far as looks can tell. */
static void
guess_types(struct pp_sp_layout *l, const struct pp_rowset *rs, size_t at)
{
	const unsigned all = (1u << PP_SP_TYPES) - 1;
	unsigned types = 0;
	struct pp_sp_asked a;
	size_t n = rs->ncols - at;

	if ((pp_sp_asked(&a, rs->statement) || pp_sp_asked(&a, rs->heading)) &&
	    a.typed && types_width(a.types) == n)
		types = a.types;
	else if (n == types_width(all))
		types = all;
	else {
		if (n >= 2 && column_look(rs, at) == LOOK_TIME &&
		    column_look(rs, at + 1) == LOOK_TIME)
			types |= 1u << PP_SP_T_CPU;
		if (n >= 3 && column_look(rs, rs->ncols - 3) == LOOK_TEXT &&
		    column_look(rs, rs->ncols - 1) != LOOK_TEXT)
			types |= 1u << PP_SP_T_SOURCE;
		n -= types_width(types);
		if (n == 1)
			types |= 1u << PP_SP_T_SWAPS;
		else if (n == 9)
			types |= all & ~(1u << PP_SP_T_CPU |
			    1u << PP_SP_T_SOURCE);
		else if (n != 0) {
			/* which of the pairs it is nothing tells */
			l->left_over = true;
			if (types & 1u << PP_SP_T_SOURCE)
				lay_types(l, 1u << PP_SP_T_SOURCE,
				    rs->ncols - 3);
			types &= 1u << PP_SP_T_CPU;
		}
	}
	lay_types(l, types, at);
}

/* Do the numbers of a column rise from row to row?  Those of SEQ do. */
static bool
rises(const struct pp_rowset *rs, size_t col)
{
	uint64_t v, last = 0;
	size_t i, n = 0;

	for (i = 0; i < rs->nsample; i++) {
		if (rs->sample[i].partial)
			continue;
		if (col >= rs->sample[i].n || !pp_u64_parse(pp_str_trim(
		    rs->sample[i].cells[col].text), &v))
			return false;
		if (n > 0 && v != last + 1)
			return false;
		last = v;
		n++;
	}
	return n > 1;
}

/*
 * Do the 16 columns from the state at `at` on look like those of a profile
 * with all its types?  Then the states need not be known ones.
 */
static bool
all_types(const struct pp_rowset *rs, size_t at)
{
	enum look l;
	size_t i, times = 0, counts = 0;

	if (rs->ncols - at != 16 || column_look(rs, at) != LOOK_TEXT)
		return false;
	for (i = 1; i < 16; i++) {
		l = column_look(rs, at + i);
		if (l == LOOK_NULL)
			continue;
		if (i < 4 ? l != LOOK_TIME : i < 13 || i == 15 ?
		    l != LOOK_COUNT : l != LOOK_TEXT)
			return false;
		times += i < 4;
		counts += i >= 4 && i < 13;
	}
	return times > 1 || (times == 1 && counts > 0);
}

/* States in column `at`, their durations behind, numbers before. */
static void
nameless_states(struct pp_sp_layout *l, const struct pp_rowset *rs, size_t at)
{
	l->kind = PP_SP_PROFILE;
	l->column[PP_SP_STATE] = (int)at;
	l->column[PP_SP_DURATION] = (int)at + 1;
	if (at == 2 || (at == 1 && !rises(rs, 0))) {
		l->kind = PP_SP_PROFILES;
		l->column[PP_SP_ID] = 0;
	}
	if (at == 2 || (at == 1 && rises(rs, 0)))
		l->column[PP_SP_SEQ] = (int)at - 1;
	guess_types(l, rs, at + 2);
}

static void
nameless(struct pp_sp_layout *l, const struct pp_rowset *rs)
{
	size_t n = rs->ncols, known, at;

	if (rs->nsample == 0 || n < 2)
		return;
	l->guessed = true;
	if (n == 3 && column_look(rs, 0) == LOOK_COUNT &&
	    column_look(rs, 1) == LOOK_TIME &&
	    column_look(rs, 2) == LOOK_TEXT) {
		l->kind = PP_SP_LIST;
		l->bits = 12;
		l->column[PP_SP_ID] = 0;
		l->column[PP_SP_DURATION] = 1;
		l->column[PP_SP_QUERY] = 2;
		return;
	}
	known = states_in(rs, 0);
	if (n == 5 && column_look(rs, 1) == LOOK_TIME &&
	    column_look(rs, 2) == LOOK_DECIMAL &&
	    column_look(rs, 3) == LOOK_COUNT &&
	    column_look(rs, 4) == LOOK_DECIMAL && known > 0) {
		l->kind = PP_SP_SUMS;
		l->column[PP_SP_STATE] = 0;
		l->column[PP_SP_TOTAL] = 1;
		l->column[PP_SP_CALLS] = 3;
		l->bits = 8 + 4 * (int)known;
		return;
	}
	for (at = 0; at < 3 && at + 1 < n; at++) {
		known = states_in(rs, at) + (all_types(rs, at) ? 4 : 0);
		if (known > 0 && column_look(rs, at + 1) == LOOK_TIME) {
			nameless_states(l, rs, at);
			l->bits = 8 + 4 * (int)known;
			return;
		}
		if (column_look(rs, at) != LOOK_COUNT)
			return;
	}
}

void
pp_sp_layout(struct pp_sp_layout *l, const struct pp_rowset *rs)
{
	size_t i;

	memset(l, 0, sizeof(*l));
	for (i = 0; i < PP_SP_FIELDS; i++)
		l->column[i] = -1;
	l->unit = SECOND;
	if (rs->has_names)
		named(l, rs);
	else
		nameless(l, rs);
	if (l->kind == PP_SP_OTHER)
		l->bits = 0;
}

/*
 * Are the names those of a set before?  Then its layout is that of this one:
 * a session has few kinds of results, and many of each.
 */
static bool
seen_columns(struct pp_sp *sp, const struct pp_rowset *rs)
{
	struct pp_sp_seen *x;
	size_t i, n = 0;

	if (!rs->has_names || rs->ncols > PP_SP_SEEN_COLUMNS)
		return false;
	for (i = 0; i < rs->ncols; i++)
		n += rs->names[i].n + 1;
	if (n > PP_SP_SEEN_BYTES)
		return false;
	x = &sp->seen[rs->ncols];
	if (x->n == n) {
		const char *p = x->names;

		for (i = 0; i < rs->ncols; i++) {
			pp_str s = rs->names[i];

			if (memcmp(p, s.p, s.n) != 0 || p[s.n] != '\0')
				break;
			p += s.n + 1;
		}
		if (i == rs->ncols) {
			sp->layout = x->layout;
			return true;
		}
	}
	pp_sp_layout(&x->layout, rs);
	sp->layout = x->layout;
	for (i = 0, x->n = 0; i < rs->ncols; i++) {
		memcpy(x->names + x->n, rs->names[i].p, rs->names[i].n);
		x->n += rs->names[i].n;
		x->names[x->n++] = '\0';
	}
	return true;
}

void
pp_sp_set_layout(struct pp_sp *sp, const struct pp_rowset *rs)
{
	if (!seen_columns(sp, rs))
		pp_sp_layout(&sp->layout, rs);
}
