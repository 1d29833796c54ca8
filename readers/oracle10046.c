/*
 * oracle10046.c: the reader of Oracle extended SQL traces (event 10046), from
 * 8i to 23ai: how it is registered, how a file is recognised, and the fold's
 * loop over records, calls and waits.
 *
 * A trace is a log of things that have finished: calls (PARSE, EXEC, FETCH,
 * CLOSE, LOB...) and waits with their end `tim` and duration, children before
 * their parents.  The fold knows what a line alone cannot: the session that
 * the line belongs to, the statement that a cursor number stands for, the unit
 * of the clock.  It appends one slot or two an event to the event log and
 * knows no tree: who called whom is found by walking the log backwards.
 *
 * May touch the model and the log, not the accounts.
 */
#include "oracle10046_fold.h"

#define unlikely(x) __builtin_expect(!!(x), 0)
#define likely(x) __builtin_expect(!!(x), 1)

/* ---------------------------------------------------------------- logging */

static inline unsigned
late(struct pp_fold *f, struct pp_of_session *s, int64_t end)
{
	if (unlikely(end < s->high)) {
		f->m->sessions[s->index].unordered = true;
		return PP_EVF_LATE;
	}
	s->high = end;
	return 0;
}

static inline void
cover(struct pp_of_session *s, uint64_t line, int64_t start, int64_t end)
{
	if (start < s->start)
		s->start = start;
	if (end > s->end)
		s->end = end;
	if (s->last_line == 0)
		s->first_line = line;
	s->last_line = line;
}

static inline union pp_slot *
log_wait(struct pp_fold *f, struct pp_of_session *s, uint32_t name,
    uint32_t stmt, uint64_t line, int64_t end, int64_t ela, unsigned flags)
{
	union pp_slot *slot = pp_log_add(&f->m->log);

	cover(s, line, end - ela, end);
	s->waits++;
	slot->ev = (struct pp_ev){
		.kind = PP_EV_WAIT,
		.flags = (uint8_t)(flags | late(f, s, end)),
		.depth = 0,
		.stmt = stmt,
		.name = name,
		.line = (uint32_t)line,
		.end = end,
		.dur = ela,
	};
	return slot;
}

/* Samples of SystemTap, and counts that the usual slots cannot hold. */
static void
log_ext2(struct pp_fold *f, int64_t queue, int64_t cpu, uint64_t rows,
    uint64_t misses)
{
	union pp_slot *slot = pp_log_add(&f->m->log);

	slot->ext2 = (struct pp_ev_ext2){queue, cpu, rows, misses};
}

void
pp_of_log_wait(struct pp_fold *f, struct pp_of_session *s,
    const struct pp_of_pending *w, int64_t end, unsigned flags)
{
	uint32_t stmt = PP_STMT_NONE;
	union pp_slot *slot;

	if (w->cursor != PP_OF_NONE)
		stmt = f->cursors[w->cursor].stmt;
	if (w->cpu != PP_NO_TIME || w->queue != PP_NO_TIME)
		flags |= PP_EVF_EXT2;
	pp_log_room(&f->m->log, PP_LOG_EVENT);
	if (f->m->raw)
		flags |= pp_of_log_raw(f, w->raw, flags);
	if (flags & PP_EVF_EXT2)
		log_ext2(f, w->queue, w->cpu, 0, 0);
	slot = log_wait(f, s, w->name, stmt, w->line, end, w->ela, flags);
	if (w->cursor != PP_OF_NONE && !f->cursors[w->cursor].known &&
	    !f->cursors[w->cursor].called)
		pp_of_patch_later(f, slot, w->cursor);
}

void
pp_of_timed_wait(struct pp_fold *f, struct pp_of_session *s,
    const struct pp_of_pending *w)
{
	struct pp_of_clock *k = s->clock;
	int64_t end = w->end + k->wrap;

	if (s->hole)
		pp_of_hole(f, s, w->line, end - w->ela);
	if (end < k->high || k->wrap != 0)
		end = pp_of_clock_back(f, s, w->end, w->line);
	else
		k->high = end;
	s->now = s->ahead = end;
	pp_of_log_wait(f, s, w, end, 0);
}

/* Which extension slots a call needs. */
static inline unsigned
call_slots(const struct pp_o_rec *r, uint64_t rows)
{
	unsigned flags = 0;

	if (unlikely((r->has & PP_O_HAS_Q) || r->u.call.mis > 1 ||
	    rows > UINT32_MAX))
		flags |= PP_EVF_EXT2;
	if ((r->u.call.p | r->u.call.cr | r->u.call.cu | r->u.call.mis |
	    rows) != 0 || (uint64_t)r->u.call.c > UINT32_MAX || flags != 0 ||
	    r->sub == PP_EV_LOB)
		flags |= PP_EVF_EXT;
	return flags;
}

static inline void
log_call(struct pp_fold *f, struct pp_of_session *s, const struct pp_o_rec *r,
    uint32_t stmt, int64_t end)
{
	union pp_slot *slot, raw[PP_RAW_SLOTS];
	uint64_t rows = r->sub == PP_EV_LOB ? 0 : r->u.call.r;
	unsigned flags = call_slots(r, rows);
	uint32_t name = (uint32_t)r->u.call.c;

	cover(s, r->line, end - r->u.call.e, end);
	s->calls++;
	pp_log_room(&f->m->log, PP_LOG_EVENT);
	if (unlikely(f->m->raw)) {
		pp_of_raw_call(r, raw);
		flags |= pp_of_log_raw(f, raw, flags);
	}
	if (unlikely(flags & PP_EVF_EXT2))
		log_ext2(f, r->has & PP_O_HAS_Q ? r->u.call.q : PP_NO_TIME,
		    PP_NO_TIME, rows, r->u.call.mis);
	if (flags & PP_EVF_EXT) {
		slot = pp_log_add(&f->m->log);
		slot->ext = (struct pp_ev_ext){r->u.call.c, r->u.call.p,
		    r->u.call.cr, r->u.call.cu};
		if (r->u.call.mis == 1)
			flags |= PP_EVF_MISS;
		name = (uint32_t)rows;
		if (unlikely(r->sub == PP_EV_LOB))
			name = pp_strtab_id_hashed(&f->m->names, r->name,
			    r->hash);
	}
	slot = pp_log_add(&f->m->log);
	slot->ev = (struct pp_ev){
		.kind = r->sub,
		.flags = (uint8_t)(flags | late(f, s, end)),
		.depth = r->dep,
		.stmt = stmt,
		.name = name,
		.line = (uint32_t)r->line,
		.end = end,
		.dur = r->u.call.e,
	};
}

void
pp_of_log_call(struct pp_fold *f, struct pp_of_session *s,
    const struct pp_o_rec *r, uint32_t stmt, int64_t end)
{
	log_call(f, s, r, stmt, end);
}

/* ----------------------------------------------------------------- events */

/* A time or duration that no clock can have. */
static bool
absurd(int64_t tim, int64_t e)
{
	return (((uint64_t)tim | (uint64_t)e) >> PP_OF_TIME_BITS) != 0;
}

/* A call whose fields need a closer look; false: it cannot be used. */
static bool
odd_call(struct pp_fold *f, struct pp_of_session *s, struct pp_o_rec *r)
{
	if (r->u.call.e < 0) {
		pp_of_negative(f, r);
		r->u.call.e = 0;
	}
	if (!(r->has & PP_O_HAS_TIM))
		r->tim = s->now < 0 ? 0 : s->now - s->clock->wrap;
	if (!absurd(r->tim, r->u.call.e) &&
	    r->u.call.c < (int64_t)1 << PP_OF_TIME_BITS &&
	    r->u.call.c > -((int64_t)1 << PP_OF_TIME_BITS))
		return true;
	f->records--;
	pp_of_reject(f, r, PP_MSG_BAD_RECORD, "a call with an impossible time");
	return false;
}

static void
call(struct pp_fold *f, const struct pp_o_rec *rec)
{
	const struct pp_o_rec *r = rec;
	struct pp_of_session *s;
	struct pp_of_clock *k;
	struct pp_o_rec fixed;
	uint32_t stmt = PP_STMT_NONE, cursor = PP_OF_NONE;
	int64_t end;

	if (unlikely(f->todo != 0))
		pp_of_ready(f, r);
	if (unlikely(f->plan.n > 0))
		pp_of_plan_end(f);
	s = f->s;
	k = s->clock;
	if (unlikely(absurd(r->tim, r->u.call.e) ||
	    (uint64_t)r->u.call.c >> PP_OF_TIME_BITS != 0 ||
	    !(r->has & PP_O_HAS_TIM))) {
		if (r->sub == PP_EV_RPC && !(r->has & PP_O_HAS_TIM) &&
		    !absurd(r->u.call.c, r->u.call.e)) {
			pp_of_hold_rpc(f, r);
			return;
		}
		fixed = *r;
		if (!odd_call(f, s, &fixed))
			return;
		r = &fixed;
	}
	k->tims |= (uint64_t)r->tim;
	k->call_has |= r->has;
	k->call_subs |= 1u << r->sub;
	if (likely(r->cursor != 0)) {
		struct pp_of_cursor *c;

		cursor = pp_of_cursor(f, r->cursor, s->index);
		c = &f->cursors[cursor];
		stmt = c->stmt;
		c->called = true;
		c->run = s->run;
		if (r->sub == PP_EV_FETCH) {
			c->execution = pp_i64_add(c->execution, r->u.call.e);
		} else if (r->sub == PP_EV_EXEC) {
			pp_of_execution(f, c);
			c->executing = true;
			c->context = s->context;
			c->execution = r->u.call.e;
		}
	}
	end = r->tim + k->wrap;
	if (unlikely(s->waiting)) {
		pp_of_settle(f, s, true, r->line, end - r->u.call.e,
		    end);
		end = r->tim + k->wrap;
	}
	if (unlikely(end < k->high || k->wrap != 0))
		end = pp_of_clock_back(f, s, r->tim, r->line);
	else
		k->high = end;
	if (unlikely(s->npending > 0))
		pp_of_settle_owned(f, s, cursor, end - r->u.call.e, end);
	s->now = s->ahead = s->call_now = end;
	if (r->dep == 0)
		s->run++;
	else
		s->run_used = s->run;
	log_call(f, s, r, stmt, end);
}

static const struct pp_of_name *
wait_name(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_of_name *n = &f->names[r->hash & (PP_OF_NAMES - 1)];

	if (likely(n->hash == r->hash && n->n == r->name.n))
		return n;
	n->hash = r->hash;
	n->n = r->name.n;
	n->id = pp_strtab_id_hashed(&f->m->names, r->name, r->hash);
	n->between = pp_of_between(r->name);
	return n;
}

/* The statement of a wait's cursor. */
static inline uint32_t
wait_stmt(struct pp_fold *f, struct pp_of_session *s, uint64_t number,
    uint32_t *cursor)
{
	*cursor = PP_OF_NONE;
	if (number == 0)
		return PP_STMT_NONE;
	*cursor = pp_of_cursor(f, number, s->index);
	return f->cursors[*cursor].stmt;
}

static void
wait(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_of_session *s;
	struct pp_of_clock *k;
	const struct pp_of_name *name;
	union pp_slot *slot;
	int64_t end, ela = r->u.wait.ela;
	uint32_t cursor, stmt;

	if (unlikely(f->todo != 0))
		pp_of_ready(f, r);
	s = f->s;
	k = s->clock;
	name = wait_name(f, r);
	if (unlikely(absurd(r->tim, ela))) {
		if (ela < 0) {
			pp_of_negative(f, r);
			ela = 0;
		}
		if (absurd(r->tim, ela)) {
			f->records--;
			pp_of_reject(f, r, PP_MSG_BAD_RECORD,
			    "a wait with an impossible time");
			return;
		}
	}
	k->wait_has |= r->has | 0x100u;
	k->wait_all &= r->has;
	if (unlikely(!(r->has & PP_O_HAS_TIM))) {
		pp_of_untimed(f, r, name, ela);
		return;
	}
	end = r->tim + k->wrap;
	/* not between a second before the clock and a second after the end
	 * of a wait that begins now */
	if (unlikely(s->doubtful || (uint64_t)(end - s->now + k->second) >
	    (uint64_t)(ela + 2 * k->second)) &&
	    pp_of_doubt(f, r, name, ela))
		return;
	k->tims |= (uint64_t)r->tim;
	if (unlikely(s->waiting || f->m->raw ||
	    (r->has & (PP_O_HAS_Q | PP_O_HAS_C)))) {
		struct pp_of_pending w = pp_of_wait_of(f, r, name, ela);

		if (s->waiting)
			pp_of_settle(f, s, false, r->line, end - ela, end);
		pp_of_timed_wait(f, s, &w);
		return;
	}
	if (unlikely(end < k->high || k->wrap != 0))
		end = pp_of_clock_back(f, s, r->tim, r->line);
	else
		k->high = end;
	s->now = s->ahead = end;
	stmt = wait_stmt(f, s, r->cursor, &cursor);
	slot = log_wait(f, s, name->id, stmt, r->line, end, ela, 0);
	if (unlikely(cursor != PP_OF_NONE && !f->cursors[cursor].known &&
	    !f->cursors[cursor].called))
		pp_of_patch_later(f, slot, cursor);
}

/*
 * An ERROR line ends a call that failed; where that call has no line of its
 * own, the recursive calls since the last top call are left without a parent,
 * and this line tells whose they were.
 */
static void
error(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_of_session *s;
	union pp_slot *slot;
	uint32_t cursor, stmt;
	int64_t end = PP_NO_TIME;
	unsigned flags = 0;

	if (f->todo != 0)
		pp_of_ready(f, r);
	s = f->s;
	stmt = wait_stmt(f, s, r->cursor, &cursor);
	if (s->run_used == s->run &&
	    (cursor == PP_OF_NONE || f->cursors[cursor].run != s->run)) {
		flags = PP_EVF_NAMES;
		s->run++;
	}
	/* 10g and 11.1 print the time of another clock, in 10 ms */
	if ((r->has & PP_O_HAS_TIM) && !absurd(r->tim, 0)) {
		int64_t hour;

		pp_of_clock_reconsider(s->clock);
		hour = 3600 * s->clock->second;
		end = r->tim + s->clock->wrap;
		if (end < s->now - hour || end > s->now + hour)
			end = PP_NO_TIME;
	}
	slot = pp_log_add(&f->m->log);
	slot->ev = (struct pp_ev){
		.kind = PP_EV_ERROR,
		.flags = (uint8_t)flags,
		.stmt = stmt,
		.name = (uint32_t)r->u.point.err,
		.line = (uint32_t)r->line,
		.end = end,
		.dur = (int64_t)r->cursor,
	};
	if (cursor != PP_OF_NONE && !f->cursors[cursor].known &&
	    !f->cursors[cursor].called)
		pp_of_patch_later(f, slot, cursor);
	pp_of_error_row(f, r, r->u.point.err, stmt, end, false);
}

static void
xctend(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_session *ms;
	union pp_slot *slot;

	if (f->todo != 0)
		pp_of_ready(f, r);
	ms = &f->m->sessions[f->s->index];
	if (r->u.point.rlbk != 0)
		ms->rollbacks++;
	else
		ms->commits++;
	slot = pp_log_add(&f->m->log);
	slot->ev = (struct pp_ev){
		.kind = PP_EV_XCTEND,
		.depth = r->u.point.rd_only != 0,
		.name = r->u.point.rlbk != 0,
		.line = (uint32_t)r->line,
		.end = (r->has & PP_O_HAS_TIM) && !absurd(r->tim, 0) ?
		    r->tim + f->s->clock->wrap : PP_NO_TIME,
	};
}

/* A failed parse is a call PARSE without duration. */
static void
parse_error(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_o_rec c = {
		.kind = PP_O_CALL,
		.sub = PP_EV_PARSE,
		.has = r->has & (PP_O_HAS_TIM | PP_O_HAS_DEP),
		.dep = r->dep,
		.line = r->line,
		.offset = r->offset,
		.cursor = r->cursor,
		.tim = r->tim,
	};

	if (f->todo != 0)
		pp_of_ready(f, r);
	pp_of_parse_error(f, r);
	call(f, &c);
	pp_of_error_row(f, r, r->u.parsing.err, r->cursor == 0 ?
	    PP_STMT_NONE : f->cursors[pp_of_cursor(f, r->cursor,
	    f->s->index)].stmt, r->has & PP_O_HAS_TIM ? f->s->now :
	    PP_NO_TIME, true);
}

static void
fold_record(struct pp_fold *f, const struct pp_o_rec *r)
{
	switch ((enum pp_o_kind)r->kind) {
	case PP_O_CALL:
		call(f, r);
		break;
	case PP_O_WAIT:
		wait(f, r);
		break;
	case PP_O_PARSING:
		pp_of_parsing(f, r);
		break;
	case PP_O_XCTEND:
		xctend(f, r);
		break;
	case PP_O_ERROR:
		error(f, r);
		break;
	case PP_O_PARSE_ERROR:
		parse_error(f, r);
		break;
	case PP_O_APPNAME:
		pp_of_appname(f, r);
		break;
	case PP_O_MARKER:
		pp_of_marker(f, r);
		break;
	case PP_O_HEADER:
		pp_of_header(f, r);
		break;
	case PP_O_NOISE:
		pp_of_noise(f, r);
		break;
	case PP_O_DAMAGE:
		pp_of_damage(f, r);
		break;
	case PP_O_STAT:
		pp_of_stat(f, r);
		break;
	case PP_O_BINDS:
		pp_of_binds(f, r);
		break;
	case PP_O_RPC:
		break;
	}
}

static inline bool
is_record(const struct pp_o_rec *r)
{
	return r->kind <= PP_O_RPC;
}

static bool
timed(const struct pp_o_rec *r)
{
	return (r->has & PP_O_HAS_TIM) && r->kind <= PP_O_PARSE_ERROR &&
	    r->kind != PP_O_ERROR;
}

/*
 * The last record of a file that has no line end, when its time is a number
 * cut short.  Nothing but the times before it can tell.
 */
static bool
cut_at_end(struct pp_fold *f, const struct pp_chunk *c,
    const struct pp_o_rec *v, size_t n)
{
	const struct pp_o_rec *r = &v[n - 1];
	size_t i = c->n;
	int64_t before = f->last_tim;

	if (!c->last || i == 0 || c->p[i - 1] == '\n' || !timed(r) ||
	    r->kind == PP_O_PARSING || r->kind == PP_O_PARSE_ERROR)
		return false;
	while (i > 0 && c->p[i - 1] != '\n')
		i--;
	if (r->offset < c->offset + i)
		return false;
	for (i = n - 1; i-- > 0;) {
		if (timed(&v[i])) {
			before = v[i].tim;
			break;
		}
	}
	return pp_of_clock_cut(r->tim, before);
}

static enum pp_status
fold(struct pp_fold *f, const struct pp_chunk *c, const struct pp_records *recs)
{
	struct pp_o_rec *v = recs->v;
	struct pp_source *src = pp_of_source(f);
	size_t i, n = recs->n;
	bool cut = n > 0 && cut_at_end(f, c, v, n);

	src->bytes = c->offset + c->used;
	src->lines += c->lines;
	if (c->last && c->n > 0 && c->p[c->n - 1] != '\n')
		src->lines++;
	for (i = 0; i < n - cut; i++) {
		v[i].line += c->before;
		f->records += is_record(&v[i]);
		fold_record(f, &v[i]);
	}
	if (cut) {
		v[n - 1].line += c->before;
		pp_of_reject(f, &v[n - 1], PP_MSG_CUT_RECORD,
		    "cut record: the file ends inside its time");
	}
	for (i = n; i-- > 0;) {
		if (timed(&v[i])) {
			f->last_tim = v[i].tim;
			break;
		}
	}
	return f->m->log.error != 0 ? PP_FATAL : PP_OK;
}

/* ------------------------------------------------------------ registration */

static struct pp_fold *
open_fold(struct pp_model *m, uint32_t group)
{
	struct pp_fold *f = pp_mem_zalloc(m->mem, sizeof(*f));
	size_t i;

	f->m = m;
	m->inputs |= PP_INPUT_TRACE;
	f->mem = m->mem;
	f->group = group;
	f->log_session = f->log_file = PP_OF_NONE;
	f->log_context = 0;	/* the empty one */
	f->pending_free = PP_OF_NONE;
	pp_map_init(&f->cursor_map, m->mem);
	pp_map_init(&f->session_map, m->mem);
	pp_map_init(&f->sid_map, m->mem);
	pp_map_init(&f->context_map, m->mem);
	pp_map_init(&f->text_map, m->mem);
	for (i = 0; i < PP_OF_CURSORS; i++)
		f->cached[i].session = PP_OF_NONE;
	for (i = 0; i < PP_OF_NAMES; i++)
		f->names[i].n = SIZE_MAX;
	if (m->ncontexts == 0) {
		void *v = m->contexts;

		pp_mem_grow(m->mem, &v, &m->contexts_cap, 1,
		    sizeof(*m->contexts));
		m->contexts = v;
		memset(m->contexts, 0, sizeof(*m->contexts));
		m->ncontexts = 1;
	}
	pp_of_segment(f);
	return f;
}

static void
begin(struct pp_fold *f, uint32_t source)
{
	struct pp_source *src;

	f->source = source;
	src = pp_of_source(f);
	src->reader = PP_STR("oracle10046");
	f->todo |= PP_OF_FILE;
	f->begun = false;
	f->last_tim = 0;
	f->records = 0;
	f->ordinal = 0;
	f->partial = false;
	f->stamp.known = false;
	f->todo &= ~(unsigned)PP_OF_STAMPED;
	pp_of_segment_name(f);
}

static void
end(struct pp_fold *f, uint32_t source)
{
	struct pp_source *src;

	f->source = source;
	src = pp_of_source(f);
	pp_of_plan_end(f);
	src->records += f->records;
	if (src->records == 0)
		src->status = PP_SRC_EMPTY;
	else
		src->status = f->partial ? PP_SRC_PARTIAL : PP_SRC_COMPLETE;
	pp_of_misfits(f);
	pp_of_merge(f);
	pp_of_clock_judge(f);
}

static void
close_fold(struct pp_fold *f)
{
	size_t i;

	for (i = 0; i < f->nsessions; i++)
		pp_of_settle_all(f, f->sessions[i]);
	for (i = 0; i < f->ncursors; i++)
		pp_of_execution(f, &f->cursors[i]);
	pp_of_merge(f);
	pp_of_clock_judge(f);
	for (i = 0; i < f->nsessions; i++)
		pp_mem_free(f->mem, f->sessions[i]);
	for (i = 0; i < f->nclocks; i++)
		pp_mem_free(f->mem, f->clocks[i]);
	pp_mem_free(f->mem, f->sessions);
	pp_mem_free(f->mem, f->clocks);
	pp_mem_free(f->mem, f->cursors);
	pp_mem_free(f->mem, f->pending);
	pp_mem_free(f->mem, f->misfits);
	pp_mem_free(f->mem, f->plan.rows);
	pp_mem_free(f->mem, f->bindset.set);
	if (f->bindset.text.mem != NULL)
		pp_arena_free(&f->bindset.text);
	pp_mem_free(f->mem, f->scratch);
	pp_map_free(&f->cursor_map);
	pp_map_free(&f->session_map);
	pp_map_free(&f->sid_map);
	pp_map_free(&f->context_map);
	pp_map_free(&f->text_map);
	pp_mem_free(f->mem, f);
}

const struct pp_reader pp_reader_oracle10046 = {
	.name = "oracle10046",
	.summary = "Oracle extended SQL trace (event 10046), 8i to 23ai",
	.record_size = sizeof(struct pp_o_rec),
	.digits = 6,
	.probe = pp_of_probe,
	.peek = pp_of_peek,
	.lex = pp_oracle10046_lex,
	.begins = pp_o_begins,
	.open = open_fold,
	.begin = begin,
	.end = end,
	.fold = fold,
	.close = close_fold,
};
