/*
 * showprofile_emit.c: queries and their states for the model.
 *
 * The states of a query follow each other from its begin.  What its total has
 * beyond them is rounding, was not recorded, belongs to the one saturated row,
 * or is lost (DESIGN, rule 9).
 */
#include "showprofile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PIECE_BYTES ((size_t)32 << 10)

/* Rows that the server keeps of a query: the oldest go first. */
#define HISTORY_ROWS 100

/* What the total of a query leaves for. */
struct rest {
	int64_t front;		/* (not recorded) */
	int64_t row;		/* the saturated row */
	int64_t end;		/* lost time */
};

static int64_t
ticks(const struct pp_sp_out *o, int64_t ps)
{
	return ps / o->unit;
}

static const char *
seconds(char *buf, int64_t ps)
{
	buf[pp_dec_format(buf, ps, PP_SP_DIGITS)] = '\0';
	/* to the microsecond, or as far as it goes */
	for (size_t n = strlen(buf), left = PP_SP_DIGITS - 6; left > 0 &&
	    buf[n - 1] == '0'; left--)
		buf[--n] = '\0';
	return buf;
}

/* ----------------------------------------------------------------- events */

static void
put_slots(struct pp_sp_out *o, uint8_t kind, uint32_t name, uint32_t line,
    int64_t start, int64_t dur, uint8_t flags, uint64_t count,
    uint64_t parent, uint32_t odd)
{
	struct pp_eventlog *log = &o->sp->m->log;
	union pp_slot *s;

	if (count != 1)
		flags |= PP_EVF_EXT;
	pp_log_room(log, PP_LOG_EVENT);
	if (o->sp->m->raw) {
		flags |= PP_EVF_RAW;
		s = pp_log_add(log);
		memset(s, 0, sizeof(*s));
		s->first.kind = PP_EV_RAW;
		s->first.flags = flags & PP_EVF_EXT;
		s->first.id = ++log->last_id;
		s = pp_log_add(log);
		memset(s, 0, sizeof(*s));
		s->second.p[0] = (int64_t)parent;
		s->second.p[1] = odd;
	}
	if (count != 1) {
		s = pp_log_add(log);
		memset(s, 0, sizeof(*s));
		s->ext.p = count;
	}
	s = pp_log_add(log);
	s->ev = (struct pp_ev){
		.kind = kind,
		.flags = flags,
		.stmt = o->stmt,
		.name = name,
		.line = line,
		.end = pp_i64_add(o->begin, pp_i64_add(start, dur)),
		.dur = dur,
	};
}

static void
flush_rows(struct pp_sp_out *o)
{
	if (o->piece_n > 0)
		pp_model_stages(o->sp->m, o->query,
		    (pp_str){o->piece, o->piece_n});
	o->piece_n = 0;
}

static void
keep_row(struct pp_sp_out *o, const struct pp_stage *x)
{
	if (o->sp->m->rows_kept == PP_ROWS_NONE && !o->sp->m->raw)
		return;
	pp_stage_put(o->sp->m->mem, &o->piece, &o->piece_n, &o->piece_cap,
	    x);
	if (o->piece_n >= PIECE_BYTES)
		flush_rows(o);
}

/* Log x at the place where the query is, and keep it as a row. */
static void
put_stage(struct pp_sp_out *o, struct pp_stage *x, uint32_t line)
{
	static const uint8_t kind[] = {
		[PP_STAGE_STATE] = PP_EV_STAGE,
		[PP_STAGE_SUM] = PP_EV_STAGE,
		[PP_STAGE_LOST] = PP_EV_LOST,
		[PP_STAGE_UNSEEN] = PP_EV_UNSEEN,
	};

	x->start = o->at;
	if (x->has & PP_STAGE_DURATION) {
		put_slots(o, kind[x->kind], x->name, line, x->start,
		    x->duration, 0, x->count, o->statement, x->flags);
		o->at = pp_i64_add(o->at, x->duration);
	}
	keep_row(o, x);
}

static void
put_rest(struct pp_sp_out *o, enum pp_stage_kind kind, int64_t time,
    uint32_t line)
{
	struct pp_strtab *names = &o->sp->m->names;
	struct pp_stage x = {.kind = (uint8_t)kind, .count = 1,
		.has = PP_STAGE_DURATION, .duration = time};

	x.name = pp_strtab_id(names, kind == PP_STAGE_LOST ?
	    PP_STR("lost time") : PP_STR("(not recorded)"));
	put_stage(o, &x, line);
}

/* --------------------------------------------------------------- flags */

static const char *const field_names[] = {
	"context_voluntary", "context_involuntary", "block_ops_in",
	"block_ops_out", "messages_sent", "messages_received",
	"page_faults_major", "page_faults_minor", "swaps", "cpu_user_s",
	"cpu_system_s", "duration_s"
};
#define ODD_FIELDS (sizeof(field_names) / sizeof(field_names[0]))

struct text {
	char s[512];
	size_t n;
};

static void
say(struct text *t, const char *what, const char *value)
{
	int k = snprintf(t->s + t->n, sizeof(t->s) - t->n, "%s%s%s%s",
	    t->n > 0 ? ", " : "", what, value != NULL ? "=" : "",
	    value != NULL ? value : "");

	if (k > 0 && t->n + (size_t)k < sizeof(t->s))
		t->n += (size_t)k;
}

/* A field that cannot be: its value moves to the flags. */
static void
say_odd(struct text *t, const struct pp_stage *x, size_t field, bool minus)
{
	char buf[PP_DEC_MAX + 2];

	if (1u << field == PP_STAGE_USER)
		seconds(buf, x->cpu_user);
	else if (1u << field == PP_STAGE_SYSTEM)
		seconds(buf, x->cpu_system);
	else if (1u << field == PP_STAGE_DURATION)
		seconds(buf, x->duration);
	else
		snprintf(buf, sizeof(buf), "%s%" PRIu64, minus ? "-" : "",
		    x->counter[field]);
	say(t, field_names[field], buf);
}

/* Flags of a raw row, and its fields in ticks. */
static void
finish_row(struct pp_sp_out *o, struct pp_stage *x, uint32_t odd,
    uint32_t minus)
{
	struct text t = {.n = 0};
	size_t i;

	if (x->has & PP_STAGE_DURATION) {
		if (x->duration == PP_SP_SATURATED)
			say(&t, "saturated", NULL);
		if (x->duration < 0)
			say(&t, "negative", NULL);
	}
	for (i = 0; i < ODD_FIELDS; i++)
		if (odd & 1u << i)
			say_odd(&t, x, i, minus & 1u << i);
	x->flags = t.n == 0 ? 0 : pp_strtab_id(&o->sp->m->names,
	    (pp_str){t.s, t.n});
	x->has &= ~odd;
	x->cpu_user = ticks(o, x->cpu_user);
	x->cpu_system = ticks(o, x->cpu_system);
	x->duration = ticks(o, x->duration);
}

/* ----------------------------------------------------------------- rows */

/* The prints of a query, read together: the first has all rows. */
#define PRINTS_MOST 24

struct merged {
	struct pp_sp_out *o;
	const struct pp_sp_print *first;
	struct pp_sp_cursor cursor[PRINTS_MOST];
	const struct pp_sp_print *print[PRINTS_MOST];
	size_t n;
	uint64_t row;		/* read so far */
};

/* Take from b what a does not have. */
static void
complete(struct pp_stage *a, const struct pp_stage *b)
{
	uint32_t more = b->has & ~a->has & ~(PP_STAGE_DURATION |
	    PP_STAGE_TO_LINE);
	unsigned k;

	for (k = 0; k < PP_STAGE_COUNTERS; k++)
		if (more & 1u << k)
			a->counter[k] = b->counter[k];
	if (more & PP_STAGE_USER)
		a->cpu_user = b->cpu_user;
	if (more & PP_STAGE_SYSTEM)
		a->cpu_system = b->cpu_system;
	if (more & PP_STAGE_FROM_LINE)
		a->from_line = b->from_line;
	if (a->from_function == 0)
		a->from_function = b->from_function;
	if (a->from_file == 0)
		a->from_file = b->from_file;
	a->has |= more;
	a->to_function |= b->to_function & more;
	a->to_file |= b->to_file & more;
}

static void
open_merged(struct merged *m, struct pp_sp_out *o, const struct pp_sp_query *q)
{
	struct pp_sp *sp = o->sp;
	uint32_t i;

	memset(m, 0, sizeof(*m));
	m->o = o;
	m->first = &sp->prints[q->print];
	for (i = q->print; i != PP_SP_NONE && m->n < PRINTS_MOST;
	    i = sp->prints[i].next) {
		m->print[m->n] = &sp->prints[i];
		pp_sp_open(&m->cursor[m->n++], sp, &sp->prints[i]);
	}
}

/* The next row of all prints together, as the reader keeps rows. */
static bool
next_merged(struct merged *m, struct pp_stage *x)
{
	struct pp_stage y;
	size_t i;

	if (!pp_sp_next(&m->cursor[0], x))
		return false;
	for (i = 1; i < m->n; i++)
		if (m->row >= m->print[i]->offset &&
		    pp_sp_next(&m->cursor[i], &y))
			complete(x, &y);
	m->row++;
	return true;
}

static void
close_merged(struct merged *m)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		pp_sp_close(&m->cursor[i]);
}

/* Duration and counters of the next row become those of this one. */
static void
shift_row(struct pp_stage *x, const struct pp_stage *next)
{
	const uint32_t kept = PP_STAGE_FROM_LINE | PP_STAGE_TO_LINE;

	x->has &= kept;
	x->to_function = x->to_file = 0;
	if (next == NULL)
		return;
	x->has |= next->has & ~kept;
	x->duration = next->duration;
	x->cpu_user = next->cpu_user;
	x->cpu_system = next->cpu_system;
	memcpy(x->counter, next->counter, sizeof(x->counter));
	x->to_function = next->to_function;
	x->to_file = next->to_file;
}

/* One row goes out; next: the row behind it, or NULL. */
static void
put_row(struct pp_sp_out *o, const struct pp_stage *row,
    const struct pp_stage *next, int64_t extra, bool shift)
{
	struct pp_stage x = *row;
	uint32_t line = (uint32_t)row->start, odd, minus;
	int64_t more = 0;

	if (shift)
		shift_row(&x, next);
	if ((x.has & PP_STAGE_DURATION) && x.duration == PP_SP_SATURATED)
		more = extra;
	odd = x.to_function;
	minus = x.to_file;
	x.has &= ~PP_STAGE_TO_LINE;
	x.to_function = x.to_file = 0;
	finish_row(o, &x, odd, minus);
	x.duration = pp_i64_add(x.duration, ticks(o, more));
	if (next != NULL) {
		x.to_function = next->from_function;
		x.to_file = next->from_file;
		x.to_line = next->from_line;
		if (next->has & PP_STAGE_FROM_LINE)
			x.has |= PP_STAGE_TO_LINE;
	}
	put_stage(o, &x, line);
}

/* All rows of a query, between what stands before and behind them. */
static void
put_rows(struct pp_sp_out *o, const struct pp_sp_query *q,
    const struct rest *rest)
{
	struct pp_stage row, next;
	struct merged m;
	bool more, shift;

	open_merged(&m, o, q);
	/* sums stand in no order: there is nothing to move */
	shift = o->sp->m->shift_states && !m.first->sums;
	more = next_merged(&m, &row);
	if (rest->front != 0 || (shift && m.first->first_timed))
		put_rest(o, PP_STAGE_UNSEEN, ticks(o, rest->front +
		    (shift && more ? row.duration : 0)),
		    (uint32_t)m.first->line);
	while (more) {
		more = next_merged(&m, &next);
		put_row(o, &row, more ? &next : NULL, rest->row, shift);
		row = next;
	}
	if (rest->end != 0)
		put_rest(o, PP_STAGE_LOST, ticks(o, rest->end),
		    (uint32_t)m.first->last_line);
	close_merged(&m);
}

/* -------------------------------------------------------------- the rest */

static void
tell(struct pp_sp *sp, enum pp_msg id, const struct pp_sp_query *q,
    uint64_t line, const char *what, int64_t time)
{
	char buf[PP_DEC_MAX + 1], number[40] = "a query without a number";

	if (q->numbered)
		snprintf(number, sizeof(number), "query %" PRIu64, q->id);
	pp_diag_tell(&sp->m->diag, id, line, UINT64_MAX, "%s: %s%s%s",
	    number, what, time != 0 ? seconds(buf, time) : "",
	    time != 0 ? " s" : "");
}

/* Rows of the begin of a query are gone. */
static bool
cut_in_front(const struct pp_sp_print *p)
{
	return !p->sums && (p->first_seq > 2 || p->rows == HISTORY_ROWS);
}

static void
find_rest(struct pp_sp *sp, const struct pp_sp_query *q, struct rest *r)
{
	const struct pp_sp_print *p = &sp->prints[q->print];
	int64_t rest, size, tolerance = pp_sp_tolerance(p);

	memset(r, 0, sizeof(*r));
	if (!p->whole)
		return;
	if (!q->listed) {
		if (cut_in_front(p))
			tell(sp, PP_MSG_HISTORY_CUT, q, p->line, "its first "
			    "states are gone, and no total tells how long "
			    "they were", 0);
		if (p->saturated > 0)
			tell(sp, PP_MSG_SATURATED, q, p->line, "a state of "
			    "999.999999 s or more, and no total tells how "
			    "long", 0);
		return;
	}
	rest = pp_i64_sub(q->total, p->sum);
	size = rest < 0 ? pp_i64_sub(0, rest) : rest;
	if (size <= tolerance)
		return;
	if (cut_in_front(p) && rest > 0) {
		r->front = rest;
		tell(sp, PP_MSG_HISTORY_CUT, q, p->line, "its first states "
		    "are gone; they took ", rest);
	} else if (p->saturated == 1 && rest > 0) {
		r->row = rest;
		tell(sp, PP_MSG_SATURATED, q, p->line, "the state of "
		    "999.999999 s takes what its total has beyond: ", rest);
	} else {
		r->end = rest;
		tell(sp, PP_MSG_LOST_TIME, q, p->line, "its total less its "
		    "states is ", rest);
	}
}

/* ------------------------------------------------------------- statements */

/* "?7" where the list does not say what query 7 was. */
static uint32_t
unknown_stmt(struct pp_sp *sp, const struct pp_sp_query *q)
{
	char buf[32];
	int n;

	if (q->numbered)
		n = snprintf(buf, sizeof(buf), "?%" PRIu64, q->id);
	else
		n = snprintf(buf, sizeof(buf), "?L%" PRIu64, q->line);
	return pp_model_stmt(sp->m, (pp_str){buf, (size_t)n});
}

/* Occurrences that put_rows will log. */
static uint64_t
count_events(const struct pp_sp *sp, const struct pp_sp_query *q,
    const struct rest *r)
{
	const struct pp_sp_print *p = &sp->prints[q->print];
	bool shift = sp->m->shift_states && !p->sums;

	if (shift && p->first_timed)
		return p->timed + (r->end != 0);	/* one moves in front */
	return p->timed + (r->front != 0) + (r->end != 0);
}

void
pp_sp_put_query(struct pp_sp_out *o, const struct pp_sp_query *q)
{
	struct pp_sp *sp = o->sp;
	struct pp_model *m = sp->m;
	struct rest rest = {0, 0, 0};
	pp_str name;
	int64_t elapsed;

	o->stmt = q->stmt != PP_SP_NONE ? q->stmt : unknown_stmt(sp, q);
	o->query = pp_model_query(m);
	o->query->session = o->session;
	o->query->stmt = o->stmt;
	o->query->has_id = q->numbered;
	o->query->id = q->numbered ? q->id : 0;
	o->at = 0;
	elapsed = q->listed ? q->total : sp->prints[q->print].sum;
	if (q->print == PP_SP_NONE) {
		struct pp_stage x = {.kind = PP_STAGE_UNSEEN, .count = 1,
			.has = PP_STAGE_DURATION,
			.duration = ticks(o, elapsed)};

		o->statement = m->log.last_id + 2;
		x.name = pp_strtab_id(&m->names, PP_STR("(not recorded)"));
		put_slots(o, PP_EV_UNSEEN, x.name, (uint32_t)q->line, 0,
		    x.duration, PP_EVF_BARE, 1, o->statement, 0);
		keep_row(o, &x);
	} else {
		find_rest(sp, q, &rest);
		o->statement = m->log.last_id + 1 +
		    count_events(sp, q, &rest);
		put_rows(o, q, &rest);
	}
	flush_rows(o);
	o->query->elapsed = ticks(o, elapsed);
	name = m->stmts[o->stmt].command_name;
	put_slots(o, PP_EV_STATEMENT, pp_strtab_id(&m->names, name.n > 0 ?
	    name : PP_STR("statement")), (uint32_t)q->line, 0,
	    o->query->elapsed, 0, 1, 0, 0);
	PP_ASSERT(!m->raw || o->statement == m->log.last_id);
	pp_model_execution(m, o->session, o->stmt, 0, o->query->elapsed);
	o->begin = pp_i64_add(o->begin, o->query->elapsed);
}
