/*
 * psevents.c: the row reader of events of the Performance Schema.
 *
 * Takes events_statements, events_stages, events_waits and
 * events_transactions with _current, _history and _history_long, of 5.5 to
 * 9.x and MariaDB, any of their columns, in any order; events_*_summary_* by
 * event name; the table threads, which says whose a thread is; and of SHOW
 * STATUS what tells that instruments were lost.
 *
 *	psevents_columns.c	what the columns of a row set are
 *	psevents_servers.c	which row sets are of one server
 *	psevents_merge.c	events printed more than once
 *	psevents_emit.c		events by id: sessions and the log
 *	psevents_sums.c		sums of events
 *	psevents_digest.c	statements by digest
 *
 * Events wait in a sorter that spills until the last file of the group has
 * been read: a thread's statements, stages and waits stand in different
 * tables, mostly in different files.  May touch the model and the row sets of
 * client/.
 */
#include "psevents.h"

#include <inttypes.h>

static int
match(const struct pp_rowset *rs)
{
	struct pp_ps_layout l;

	pp_ps_layout(&l, rs);
	return l.bits;
}

static void *
open_reader(struct pp_model *m, uint32_t group)
{
	struct pp_ps *ps = pp_mem_zalloc(m->mem, sizeof(*ps));

	(void)group;
	ps->m = m;
	pp_extsort_init(&ps->sort, m->mem, m->log.tmpdir,
	    sizeof(struct pp_ps_event));
	pp_bytelog_init(&ps->more, m->mem, m->log.tmpdir);
	pp_map_init(&ps->thread_map, m->mem);
	pp_map_init(&ps->conflict_map, m->mem);
	return ps;
}

static void
source(void *ctx, uint32_t index)
{
	struct pp_ps *ps = ctx;

	ps->source = index;
}

static void
close_reader(void *ctx)
{
	struct pp_ps *ps = ctx;
	struct pp_mem *mem = ps->m->mem;

	if (ps->sort.count > 0) {
		pp_ps_servers(ps);
		pp_ps_emit(ps);
	}
	if (ps->nsums > 0)
		pp_ps_emit_sums(ps);
	/* what has been lost on the way is found where the log is read */
	if (ps->sort.error != 0 && ps->m->log.error == 0)
		ps->m->log.error = ps->sort.error;
	if (ps->more.error != 0 && ps->m->log.error == 0)
		ps->m->log.error = ps->more.error;
	pp_extsort_free(&ps->sort);
	pp_bytelog_free(&ps->more);
	pp_map_free(&ps->thread_map);
	pp_map_free(&ps->conflict_map);
	pp_mem_free(mem, ps->units);
	pp_mem_free(mem, ps->threads);
	pp_mem_free(mem, ps->sums);
	pp_mem_free(mem, ps->conflicts);
	pp_mem_free(mem, ps);
}

/* ------------------------------------------------------------------ cells */

static const struct pp_rs_cell *
cell(const struct pp_ps *ps, const struct pp_rs_row *row, unsigned field)
{
	static const struct pp_rs_cell absent = {{"", 0}, PP_CELL_ABSENT};
	int i = ps->layout.column[field];

	return i >= 0 && (size_t)i < row->n ? &row->cells[i] : &absent;
}

static bool
number(const struct pp_ps *ps, const struct pp_rs_row *row, unsigned field,
    uint64_t *out)
{
	return pp_ps_number(cell(ps, row, field), out);
}

/* A text that is not NULL; where the form cannot tell, the word is. */
static pp_str
text(const struct pp_ps *ps, const struct pp_rs_row *row, unsigned field)
{
	const struct pp_rs_cell *c = cell(ps, row, field);

	if (pp_rs_null(c, true))
		return (pp_str){"", 0};
	return c->text;
}

/* The id of a text in the names. */
static uint32_t
name_id(struct pp_ps *ps, const struct pp_rs_row *row, unsigned field)
{
	return pp_strtab_id(&ps->m->names, text(ps, row, field));
}

static enum pp_status
reject(struct pp_ps *ps, const struct pp_rs_row *row, const char *what,
    const struct pp_rs_cell *c)
{
	enum pp_msg id = c->state == PP_CELL_CUT || c->state ==
	    PP_CELL_ABSENT || row->partial ? PP_MSG_CUT_RECORD :
	    PP_MSG_BAD_RECORD;
	char buf[4 * 40 + 4];

	pp_diag_tell(&ps->m->diag, id, row->line, row->offset, "%s: %s", what,
	    c->text.n > 0 ? pp_diag_excerpt(buf, c->text, 40) : c->state ==
	    PP_CELL_NULL ? "NULL" : "not there");
	return PP_WARN;
}

/* ---------------------------------------------------------------- threads */

static uint32_t
thread_of(struct pp_ps *ps, bool has_id, uint64_t id)
{
	uint32_t *at;
	struct pp_ps_thread *t;
	void *v = ps->threads;

	at = pp_map_at(&ps->thread_map, id, has_id);
	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)ps->nthreads;
	pp_mem_grow(ps->m->mem, &v, &ps->threads_cap, ps->nthreads + 1,
	    sizeof(*t));
	ps->threads = v;
	t = &ps->threads[ps->nthreads++];
	memset(t, 0, sizeof(*t));
	t->has_id = has_id;
	t->id = id;
	return (uint32_t)ps->nthreads - 1;
}

static enum pp_status
thread_row(struct pp_ps *ps, const struct pp_rs_row *row)
{
	pp_str user = text(ps, row, PP_PS_USER), host = text(ps, row,
	    PP_PS_HOST);
	struct pp_ps_thread *t;
	uint64_t id;
	uint32_t at;
	char buf[400];
	int n;

	if (!number(ps, row, PP_PS_THREAD, &id))
		return reject(ps, row, "no thread id", cell(ps, row,
		    PP_PS_THREAD));
	at = thread_of(ps, true, id);
	t = &ps->threads[at];
	t->name = name_id(ps, row, PP_PS_NAME);
	t->process = name_id(ps, row, PP_PS_OS_ID);
	t->service = name_id(ps, row, PP_PS_DB);
	n = snprintf(buf, sizeof(buf), "%.*s%s%.*s", user.n < 128 ?
	    (int)user.n : 128, user.p, host.n > 0 ? "@" : "", host.n < 256 ?
	    (int)host.n : 256, host.p);
	if (n > 0 && (size_t)n < sizeof(buf))
		t->client = pp_strtab_id(&ps->m->names, (pp_str){buf,
		    (size_t)n});
	return PP_OK;
}

/* ------------------------------------------------------------- statements */

static void
keep_text(struct pp_ps *ps, uint32_t stmt, pp_str sql, bool complete,
    pp_str command)
{
	struct pp_model *m = ps->m;
	struct pp_stmt *s = &m->stmts[stmt];

	if (s->has_text)
		return;
	s->has_text = true;
	s->text = pp_arena_str(&m->arena, sql);
	s->text_bytes = sql.n;
	s->complete = complete;
	s->command_name = command;
}

/* A statement without a text is one by its digest, else by what it does:
 * statement/sp/set, statement/com/Init DB. */
static uint32_t
textless(struct pp_ps *ps, const struct pp_rs_row *row, pp_str name)
{
	pp_str digest = text(ps, row, PP_PS_DIGEST);
	pp_str prefix = PP_STR("statement/");
	char buf[80];
	int n;

	if (pp_str_starts(name, prefix))
		name = pp_str_skip(name, prefix.n);
	if (digest.n > 0)
		n = snprintf(buf, sizeof(buf), "?%.*s", digest.n < 64 ?
		    (int)digest.n : 64, digest.p);
	else
		n = snprintf(buf, sizeof(buf), "?%.*s", name.n < 64 ?
		    (int)name.n : 64, name.p);
	return pp_model_stmt(ps->m, (pp_str){buf, (size_t)n});
}

static uint32_t
statement(struct pp_ps *ps, const struct pp_rs_row *row, pp_str name)
{
	pp_str sql = text(ps, row, PP_PS_SQL);
	bool complete = true;
	char id[20];
	uint32_t stmt;

	if (sql.n == 0) {
		sql = text(ps, row, PP_PS_DIGEST_TEXT);
		complete = false;
	} else if (pp_str_ends(sql, PP_STR("...")) || cell(ps, row,
	    PP_PS_SQL)->state == PP_CELL_CUT)
		complete = false;	/* so a text that was cut ends */
	if (pp_str_trim(sql).n == 0)
		return textless(ps, row, name);
	pp_text_id(sql, id);
	stmt = pp_model_stmt(ps->m, pp_str_from(id));
	keep_text(ps, stmt, sql, complete, pp_mysql_command(sql));
	return stmt;
}

static void
statement_more(struct pp_ps *ps, const struct pp_rs_row *row, pp_str name,
    struct pp_ps_more *x)
{
	struct pp_digests *d = pp_digests(ps->m);
	pp_str sql = text(ps, row, PP_PS_SQL);
	uint64_t v;
	unsigned k;

	x->stmt = statement(ps, row, name);
	if (number(ps, row, PP_PS_ERRNO, &v) && v < UINT32_MAX)
		x->error = (uint32_t)v;
	if (x->error != 0)
		x->message = name_id(ps, row, PP_PS_MESSAGE);
	for (k = 0; k < PP_PS_COUNTERS; k++)
		if (number(ps, row, PP_PS_COUNTER + k, &v) && v <= INT64_MAX) {
			x->count[PP_DG_ERRORS + k] = v;
			x->has |= 1u << (PP_DG_ERRORS + k);
		}
	if (number(ps, row, PP_PS_LOCK, &x->lock) && x->lock <= INT64_MAX)
		x->has |= PP_PS_HAS_LOCK;
	/* 0 where the server does not measure it */
	if (number(ps, row, PP_PS_CPU, &x->cpu) && x->cpu > 0 &&
	    x->cpu <= INT64_MAX)
		x->has |= PP_PS_HAS_CPU;
	x->digest = pp_strtab_id(&d->strings, text(ps, row, PP_PS_DIGEST));
	x->digest_text = pp_strtab_id(&d->strings, pp_str_trim(text(ps, row,
	    PP_PS_DIGEST_TEXT)));
	x->schema = pp_strtab_id(&d->strings, text(ps, row, PP_PS_SCHEMA));
	if (sql.n > 0)
		x->has |= PP_PS_HAS_SQL;
}

/* What an event has beside its times; its number, 0: nothing. */
static uint32_t
more(struct pp_ps *ps, const struct pp_rs_row *row, enum pp_nested_kind kind,
    pp_str name)
{
	struct pp_ps_more x = {.stmt = PP_PS_NONE};
	bool any = false;

	if (kind == PP_NESTED_STATEMENT) {
		statement_more(ps, row, name, &x);
		any = true;
	} else if (kind == PP_NESTED_TRANSACTION) {
		x.state = name_id(ps, row, PP_PS_STATE);
		any = x.state != 0;
	} else if (!ps->m->raw)
		return 0;
	if (ps->m->raw) {
		if (number(ps, row, PP_PS_OBJECT, &x.object))
			x.has |= PP_PS_HAS_OBJECT;
		if (number(ps, row, PP_PS_BYTES, &x.bytes))
			x.has |= PP_PS_HAS_BYTES;
		x.object_name = name_id(ps, row, PP_PS_OBJECT_NAME);
		x.operation = name_id(ps, row, PP_PS_OPERATION);
		any = true;
	}
	if (!any)
		return 0;
	pp_bytelog_add(&ps->more, &x, sizeof(x));
	return ++ps->nmore;
}

bool
pp_ps_more(struct pp_ps *ps, uint32_t number_of, struct pp_ps_more *out)
{
	pp_str s;

	memset(out, 0, sizeof(*out));
	out->stmt = PP_PS_NONE;
	if (number_of == 0)
		return false;
	s = pp_bytelog_get(&ps->more, (uint64_t)(number_of - 1) *
	    sizeof(*out), sizeof(*out));
	if (s.n != sizeof(*out))
		return false;
	memcpy(out, s.p, sizeof(*out));
	return true;
}

/* ----------------------------------------------------------------- events */

static bool
too_long(struct pp_ps *ps, const struct pp_rs_row *row, uint64_t v)
{
	if (v <= INT64_MAX)
		return false;
	pp_diag_tell(&ps->m->diag, PP_MSG_SUSPECT, row->line, row->offset,
	    "TIMER_WAIT %" PRIu64 ": left out", v);
	return true;
}

/* Begin and duration, from whichever two columns there are. */
static void
read_times(struct pp_ps *ps, const struct pp_rs_row *row,
    struct pp_ps_event *e)
{
	uint64_t until;
	bool start, end, wait;

	start = number(ps, row, PP_PS_START, &e->start);
	end = number(ps, row, PP_PS_UNTIL, &until);
	wait = number(ps, row, PP_PS_WAIT, &e->wait);
	if (!wait && start && end && until >= e->start &&
	    ps->layout.column[PP_PS_WAIT] < 0) {
		e->wait = until - e->start;
		wait = true;
	}
	if (wait && too_long(ps, row, e->wait)) {
		wait = false;
		e->flags |= PP_NESTED_SUSPECT;
	}
	if (!start && end && wait && until >= e->wait) {
		e->start = until - e->wait;
		start = true;
	}
	if (!wait)
		e->wait = 0;
	if (!start)
		e->start = 0;
	e->flags |= (wait ? PP_NESTED_TIMED : 0u) |
	    (start ? PP_NESTED_BEGUN : 0u);
}

/* END_EVENT_ID and NESTING_EVENT_ID; NULL says something in both. */
static void
read_ids(struct pp_ps *ps, const struct pp_rs_row *row,
    struct pp_ps_event *e)
{
	const struct pp_rs_cell *end = cell(ps, row, PP_PS_END),
	    *parent = cell(ps, row, PP_PS_PARENT);
	pp_str type;

	e->end = PP_NEST_UNKNOWN;
	if (!pp_ps_number(end, &e->end) && end->state != PP_CELL_ABSENT &&
	    end->state != PP_CELL_CUT) {
		e->end = PP_NEST_OPEN;
		e->flags |= PP_NESTED_RUNNING;
	} else if (e->end < e->id)
		e->end = PP_NEST_UNKNOWN;
	e->parent = 0;
	if (pp_ps_number(parent, &e->parent) || (parent->state !=
	    PP_CELL_ABSENT && parent->state != PP_CELL_CUT))
		e->flags |= PP_PS_PARENT_TOLD;
	type = text(ps, row, PP_PS_PARENT_TYPE);
	if (type.n > 0 && pp_rs_same(type, "TRANSACTION"))
		e->flags |= PP_PS_PARENT_TRX;
}

static uint32_t
unit(struct pp_ps *ps)
{
	struct pp_ps_unit *u;
	void *v = ps->units;

	if (ps->unit != PP_PS_NONE)
		return ps->unit;
	pp_mem_grow(ps->m->mem, &v, &ps->units_cap, ps->nunits + 1,
	    sizeof(*u));
	ps->units = v;
	ps->unit = (uint32_t)ps->nunits;
	u = &ps->units[ps->nunits++];
	memset(u, 0, sizeof(*u));
	u->source = ps->source;
	u->up = ps->unit;
	u->threads = ps->layout.column[PP_PS_THREAD] >= 0;
	u->least[0] = u->least[1] = u->least[2] = UINT64_MAX;
	return ps->unit;
}

static void
note_begin(struct pp_ps *ps, const struct pp_ps_event *e,
    enum pp_nested_kind kind)
{
	unsigned k = kind == PP_NESTED_WAIT ? 1 : kind == PP_NESTED_IDLE ? 2 :
	    0;
	uint64_t *least = &ps->units[e->unit].least[k];

	if ((e->flags & PP_NESTED_BEGUN) && e->start < *least)
		*least = e->start;
}

/* A cell in which the input breaks off may lack digits. */
static bool
cut(const struct pp_ps *ps, const struct pp_rs_row *row, unsigned field)
{
	const struct pp_rs_cell *c = cell(ps, row, field);

	return ps->layout.column[field] >= 0 && (c->state == PP_CELL_CUT ||
	    c->state == PP_CELL_ABSENT);
}

static enum pp_status
event_row(struct pp_ps *ps, const struct pp_rs_row *row)
{
	struct pp_ps_event e = {.id = 0};
	enum pp_nested_kind kind;
	uint64_t thread = 0;
	bool has_thread = ps->layout.column[PP_PS_THREAD] >= 0;
	pp_str name = text(ps, row, PP_PS_NAME);

	if (!number(ps, row, PP_PS_ID, &e.id))
		return reject(ps, row, "no event id", cell(ps, row,
		    PP_PS_ID));
	if (has_thread && !number(ps, row, PP_PS_THREAD, &thread))
		return reject(ps, row, "no thread id", cell(ps, row,
		    PP_PS_THREAD));
	if (ps->layout.column[PP_PS_NAME] >= 0 && (name.n == 0 || cut(ps, row,
	    PP_PS_NAME)))
		return reject(ps, row, "no event name", cell(ps, row,
		    PP_PS_NAME));
	if (row->partial && cut(ps, row, PP_PS_WAIT))
		return reject(ps, row, "no TIMER_WAIT", cell(ps, row,
		    PP_PS_WAIT));
	kind = pp_ps_family(name, ps->layout.family);
	if (name.n == 0)
		name = kind == PP_NESTED_STATEMENT ? PP_STR("statement") :
		    kind == PP_NESTED_TRANSACTION ? PP_STR("transaction") :
		    kind == PP_NESTED_STAGE ? PP_STR("stage") : PP_STR("wait");
	e.thread = thread_of(ps, has_thread, thread);
	e.unit = unit(ps);
	e.line = (uint32_t)row->line;
	e.name = pp_strtab_id(&ps->m->names, name);
	e.flags = (uint32_t)kind << PP_PS_KIND_SHIFT;
	read_ids(ps, row, &e);
	read_times(ps, row, &e);
	note_begin(ps, &e, kind);
	e.more = more(ps, row, kind, name);
	memcpy(pp_extsort_add(&ps->sort), &e, sizeof(e));
	if (row->partial)
		pp_diag_tell(&ps->m->diag, PP_MSG_CUT_RECORD, row->line,
		    row->offset, "an event without its last columns");
	return PP_OK;
}

/* ------------------------------------------------------- other row sets */

/* Whose the sums are: of a thread, an account, a user, a host, or all. */
static uint32_t
group_of(struct pp_ps *ps, const struct pp_rs_row *row)
{
	pp_str thread = text(ps, row, PP_PS_THREAD), user = text(ps, row,
	    PP_PS_USER), host = text(ps, row, PP_PS_HOST);
	char buf[400];
	int n;

	if (thread.n > 0)
		return pp_strtab_id(&ps->m->names, thread);
	/* threads of the server itself have neither user nor host */
	if (ps->layout.column[PP_PS_USER] >= 0 && user.n == 0)
		user = PP_STR("(background)");
	n = snprintf(buf, sizeof(buf), "%.*s%s%.*s", user.n < 128 ?
	    (int)user.n : 128, user.p, user.n > 0 && host.n > 0 ? "@" : "",
	    host.n < 256 ? (int)host.n : 256, host.p);
	return pp_strtab_id(&ps->m->names, (pp_str){buf, (size_t)n});
}

static enum pp_status
sum_row(struct pp_ps *ps, const struct pp_rs_row *row)
{
	struct pp_ps_sum s = {.line = (uint32_t)row->line};
	pp_str name = text(ps, row, PP_PS_NAME);
	void *v = ps->sums;

	if (name.n == 0)
		return reject(ps, row, "no event name", cell(ps, row,
		    PP_PS_NAME));
	if (!number(ps, row, PP_PS_COUNT, &s.count))
		return reject(ps, row, "no COUNT_STAR", cell(ps, row,
		    PP_PS_COUNT));
	if (!number(ps, row, PP_PS_SUM, &s.sum))
		return reject(ps, row, "no SUM_TIMER_WAIT", cell(ps, row,
		    PP_PS_SUM));
	if (s.count == 0)
		return PP_OK;	/* instruments that nothing has met */
	s.unit = unit(ps);
	s.group = group_of(ps, row);
	s.name = pp_strtab_id(&ps->m->names, name);
	s.extremes = number(ps, row, PP_PS_MIN, &s.min) &&
	    number(ps, row, PP_PS_MAX, &s.max) && s.max <= INT64_MAX &&
	    s.min <= s.max;
	pp_mem_grow(ps->m->mem, &v, &ps->sums_cap, ps->nsums + 1, sizeof(s));
	ps->sums = v;
	ps->sums[ps->nsums++] = s;
	return PP_OK;
}

/* Performance_schema_mutex_instances_lost and the like. */
static enum pp_status
status_row(struct pp_ps *ps, const struct pp_rs_row *row)
{
	pp_str name = pp_str_trim(text(ps, row, PP_PS_VARIABLE));
	pp_str prefix = PP_STR("performance_schema_");
	uint64_t v;
	size_t i;

	if (name.n < prefix.n || name.n > 200 || !pp_str_ends(name,
	    PP_STR("_lost")) || !number(ps, row, PP_PS_VALUE, &v) || v == 0)
		return PP_OK;
	for (i = 0; i < prefix.n; i++)
		if ((name.p[i] | 0x20) != (prefix.p[i] | 0x20))
			return PP_OK;
	pp_diag_tell(&ps->m->diag, PP_MSG_INSTRUMENTS_LOST, row->line,
	    row->offset, "%.*s = %" PRIu64 ": the server had no room for "
	    "what it should have recorded", (int)name.n, name.p, v);
	return PP_OK;
}

/* --------------------------------------------------------------- row sets */

static void
begin(void *ctx, const struct pp_rowset *rs)
{
	struct pp_ps *ps = ctx;

	pp_ps_layout(&ps->layout, rs);
	ps->unit = PP_PS_NONE;
	if (ps->layout.kind == PP_PS_EVENTS || ps->layout.kind == PP_PS_SUMS)
		ps->m->inputs |= PP_INPUT_EVENTS;
	if (ps->layout.guessed)
		pp_diag_tell(&ps->m->diag, PP_MSG_GUESSED_COLUMNS, rs->line,
		    rs->offset, "columns without names, taken for those of "
		    "the Performance Schema");
}

static enum pp_status
row(void *ctx, const struct pp_rowset *rs, const struct pp_rs_row *r)
{
	struct pp_ps *ps = ctx;

	(void)rs;
	switch (ps->layout.kind) {
	case PP_PS_EVENTS:
		return event_row(ps, r);
	case PP_PS_SUMS:
		return sum_row(ps, r);
	case PP_PS_THREADS:
		return thread_row(ps, r);
	case PP_PS_STATUS:
		return status_row(ps, r);
	case PP_PS_OTHER:
		break;
	}
	return PP_OK;
}

static void
end(void *ctx, const struct pp_rowset *rs)
{
	(void)ctx;
	(void)rs;
}

const struct pp_rowreader pp_rowreader_psevents = {
	.name = "psevents",
	.summary = "events of the Performance Schema: statements, stages, "
	    "waits, transactions, and their sums",
	.match = match,
	.open = open_reader,
	.source = source,
	.begin = begin,
	.end = end,
	.row = row,
	.close = close_reader,
};
