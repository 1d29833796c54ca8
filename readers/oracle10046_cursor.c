/*
 * oracle10046_cursor.c: what cursor numbers stand for, and the identity of
 * statements.
 *
 * A number is a session's own and is reused: PARSING IN CURSOR (and PARSE
 * ERROR) give it a new statement.  CLOSE does not take it away, for a cached
 * cursor runs again without being introduced.  A number that nothing has
 * introduced stands for the statement `?N`.
 */
#include "oracle10046_fold.h"

#include <inttypes.h>

/* ---------------------------------------------------------------- cursors */

static uint32_t
unknown_stmt(struct pp_fold *f, uint64_t number)
{
	char buf[24];
	int n = snprintf(buf, sizeof(buf), "?%" PRIu64, number);

	return pp_model_stmt(f->m, (pp_str){buf, (size_t)n});
}

/* The cursor, without a statement (PP_OF_NONE) where it is new. */
static uint32_t
cursor_at(struct pp_fold *f, uint64_t number, uint32_t session)
{
	uint32_t *at = pp_map_at(&f->cursor_map, number, session);
	struct pp_of_cursor *c;
	void *v = f->cursors;

	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)f->ncursors;
	pp_mem_grow(f->mem, &v, &f->cursors_cap, f->ncursors + 1, sizeof(*c));
	f->cursors = v;
	c = &f->cursors[f->ncursors];
	memset(c, 0, sizeof(*c));
	c->number = number;
	c->session = session;
	c->stmt = PP_OF_NONE;
	c->pending.head = c->pending.tail = PP_OF_NONE;
	return (uint32_t)f->ncursors++;
}

uint32_t
pp_of_cursor_slow(struct pp_fold *f, uint64_t number)
{
	uint32_t session = f->s->index, i = cursor_at(f, number, session);
	struct pp_of_cached_cursor *c = &f->cached[PP_OF_CURSOR_HASH(number)];

	if (f->cursors[i].stmt == PP_OF_NONE)
		f->cursors[i].stmt = unknown_stmt(f, number);
	if (f->cursors[i].stale) {
		f->cursors[i].stale = false;
		pp_diag_tell(&f->m->diag, PP_MSG_OLD_TEXT, 0, UINT64_MAX,
		    "the text of cursor #%" PRIu64
		    " comes from before the missing part", number);
	}
	c->number = number;
	c->session = session;
	c->cursor = i;
	return i;
}

void
pp_of_stale(struct pp_fold *f, uint32_t session)
{
	size_t i;

	for (i = 0; i < f->ncursors; i++)
		if (f->cursors[i].session == session)
			f->cursors[i].stale = f->cursors[i].known;
	/* so that the next look at each takes the slow way */
	for (i = 0; i < PP_OF_CURSORS; i++)
		f->cached[i].session = PP_OF_NONE;
}

void
pp_of_patch_later(struct pp_fold *f, union pp_slot *slot, uint32_t cursor)
{
	struct pp_of_patch *p = &f->patches[f->npatches++ % PP_OF_PATCHES];

	p->slot = slot;
	p->block = f->m->log.count;
	p->cursor = cursor;
}

void
pp_of_execution(struct pp_fold *f, struct pp_of_cursor *c)
{
	if (c->executing)
		pp_model_execution(f->m, c->session, c->stmt, c->context,
		    c->execution);
	c->executing = false;
}

/*
 * The number gets a statement.  Waits that came before it, while nothing had
 * run yet, were of this statement already; so far back as the slots can still
 * be reached.
 */
static void
introduce(struct pp_fold *f, uint64_t number, uint32_t stmt)
{
	struct pp_of_cursor *c;
	uint32_t i;
	size_t k;

	if (number == 0)
		return;
	i = cursor_at(f, number, f->s->index);
	c = &f->cursors[i];
	if (f->npatches > 0 && !c->known && !c->called) {
		for (k = 0; k < PP_OF_PATCHES && k < f->npatches; k++)
			if (f->patches[k].cursor == i &&
			    f->patches[k].block == f->m->log.count)
				f->patches[k].slot->ev.stmt = stmt;
	}
	pp_of_execution(f, c);
	c->stmt = stmt;
	c->known = true;
	c->called = false;
	c->stale = false;
}

/* ------------------------------------------------------------------ texts */

/*
 * Clients send bytes that the trace does not print but counts in len= and in
 * the hash: a closing NUL, a line end, a blank.
 */
static const struct {
	const char *p;
	size_t n;
} tails[] = {
	{"", 0}, {"\0", 1}, {"\n\0", 2}, {" ", 1}, {"\r\n", 2}, {"\n", 1},
	{"  ", 2},
};
#define TAILS (sizeof(tails) / sizeof(tails[0]))

struct identity {
	char id[14];
	uint32_t hash;
	bool fits;		/* a printed id or hash value */
	bool checked;		/* there was one */
};

/* sql_id and hash value of the text and a tail. */
static void
identify(struct pp_fold *f, pp_str text, size_t tail, struct identity *out)
{
	pp_str all = text;

	if (tails[tail].n > 0) {
		void *v = f->scratch;

		pp_mem_grow(f->mem, &v, &f->scratch_cap,
		    text.n + tails[tail].n, 1);
		f->scratch = v;
		if (text.n > 0)
			memcpy(f->scratch, text.p, text.n);
		memcpy(f->scratch + text.n, tails[tail].p, tails[tail].n);
		all = (pp_str){f->scratch, text.n + tails[tail].n};
	}
	pp_sql_id(all, out->id, &out->hash);
}

/*
 * Find the tail with which the text has the printed sql_id or hash value;
 * where nothing is printed, or nothing fits, what len= demands.
 */
static struct identity
identity_of(struct pp_fold *f, pp_str text, uint32_t len, pp_str sqlid,
    uint32_t hv)
{
	struct identity plain = {0}, id = {0};
	size_t more = len > text.n ? len - text.n : 0, i;
	bool checked = sqlid.n != 0 || hv != 0;

	for (i = 0; i < TAILS; i++) {
		if (tails[i].n != more && (i != 0 || (!checked && more <= 2)))
			continue;
		identify(f, text, i, &id);
		id.checked = checked;
		id.fits = sqlid.n != 0 ?
		    pp_str_eq(sqlid, (pp_str){id.id, 13}) :
		    hv != 0 && hv == id.hash;
		if (i == 0)
			plain = id;
		if (!checked || id.fits)
			return id;
	}
	return plain;
}

static void
tell_altered(struct pp_fold *f, uint32_t stmt, uint64_t line, uint64_t offset)
{
	struct pp_stmt *st = &f->m->stmts[stmt];
	char buf[4 * 30 + 4];

	if (st->altered)
		return;
	st->altered = true;
	pp_diag_tell(&f->m->diag, PP_MSG_TEXT_ALTERED, line, offset,
	    "the text of statement %s does not fit its sql_id or hash value",
	    pp_diag_excerpt(buf, st->id, 30));
}

/*
 * Hash values of 9i and before are of another kind, so that none ever fits:
 * a text is called altered only where another one does fit.
 */
static void
judge_fit(struct pp_fold *f, const struct pp_o_rec *r, uint32_t stmt,
    const struct identity *id)
{
	struct pp_of_misfit *x;
	void *v = f->misfits;
	size_t i;

	if (!id->checked || !r->u.parsing.complete)
		return;
	if (id->fits && !f->hash_fits) {
		f->hash_fits = true;
		for (i = 0; i < f->nmisfits; i++)
			tell_altered(f, f->misfits[i].stmt,
			    f->misfits[i].line, f->misfits[i].offset);
		f->nmisfits = 0;
	}
	if (id->fits)
		return;
	if (f->hash_fits || r->name.n != 0) {
		tell_altered(f, stmt, r->line, r->offset);
		return;
	}
	pp_mem_grow(f->mem, &v, &f->misfits_cap, f->nmisfits + 1, sizeof(*x));
	f->misfits = v;
	f->misfits[f->nmisfits++] = (struct pp_of_misfit){r->line, r->offset,
	    stmt};
}

void
pp_of_misfits(struct pp_fold *f)
{
	f->nmisfits = 0;
}

static void
set_text(struct pp_fold *f, const struct pp_o_rec *r, uint32_t stmt)
{
	struct pp_stmt *st = &f->m->stmts[stmt];

	st->text = pp_arena_str(&f->m->arena, r->text);
	st->has_text = true;
	st->complete = r->u.parsing.complete;
	st->text_bytes = r->len > r->text.n ? r->len : r->text.n;
	st->command = (uint16_t)r->u.parsing.oct;
	st->has_command = true;
}

static uint32_t
printed_hash(const struct pp_o_rec *r)
{
	return r->has & PP_O_HAS_HV ? r->u.parsing.hv : 0;
}

/* A new statement, or a better text of one. */
static void
fill(struct pp_fold *f, const struct pp_o_rec *r, uint32_t stmt,
    const struct identity *id)
{
	struct pp_stmt *st = &f->m->stmts[stmt];

	set_text(f, r, stmt);
	st->sql_id = st->id;
	st->hash_value = printed_hash(r);
	st->has_hash = st->hash_value != 0;
	if (!st->has_hash && (id->fits || !id->checked)) {
		st->hash_value = id->hash;
		st->has_hash = true;
	}
	judge_fit(f, r, stmt, id);
}

/* A statement with a printed sql_id. */
static uint32_t
printed_stmt(struct pp_fold *f, const struct pp_o_rec *r)
{
	uint32_t stmt = pp_model_stmt(f->m, r->name);
	struct pp_stmt *st = &f->m->stmts[stmt];
	struct identity id;

	if (st->has_text && (pp_str_eq(st->text, r->text) ||
	    (st->complete && !st->altered)))
		return stmt;
	id = identity_of(f, r->text, r->len, r->name, printed_hash(r));
	if (!st->has_text) {
		fill(f, r, stmt, &id);
	} else if (id.fits || (!st->complete && r->u.parsing.complete)) {
		st->altered = false;
		fill(f, r, stmt, &id);
	}
	return stmt;
}

/* A statement known by its text alone. */
static uint32_t
hashed_stmt(struct pp_fold *f, const struct pp_o_rec *r)
{
	uint64_t key = (uint64_t)r->len << 32 | printed_hash(r);
	uint32_t *at = pp_map_at(&f->text_map, pp_str_hash(r->text), key);
	struct identity id;
	uint32_t stmt;

	if (*at != PP_MAP_NONE && pp_str_eq(f->m->stmts[*at].text, r->text))
		return *at;
	*at = 0;
	id = identity_of(f, r->text, r->len, (pp_str){NULL, 0},
	    printed_hash(r));
	stmt = pp_model_stmt(f->m, (pp_str){id.id, 13});
	if (!f->m->stmts[stmt].has_text)
		fill(f, r, stmt, &id);
	*pp_map_at(&f->text_map, pp_str_hash(r->text), key) = stmt;
	return stmt;
}

/* A text that stops short has no identity but its cursor. */
static uint32_t
cut_stmt(struct pp_fold *f, const struct pp_o_rec *r)
{
	uint32_t stmt = unknown_stmt(f, r->cursor);

	if (!f->m->stmts[stmt].has_text)
		set_text(f, r, stmt);
	return stmt;
}

static uint32_t
stmt_of(struct pp_fold *f, const struct pp_o_rec *r)
{
	if (r->name.n != 0 && r->kind == PP_O_PARSING)
		return printed_stmt(f, r);
	if (!r->u.parsing.complete && r->text.n < r->len)
		return cut_stmt(f, r);
	return hashed_stmt(f, r);
}

static uint32_t
parsed_stmt(struct pp_fold *f, const struct pp_o_rec *r)
{
	uint32_t stmt = stmt_of(f, r);

	pp_model_parsed_for(f->m, f->s->index, stmt, r->u.parsing.uid);
	return stmt;
}

void
pp_of_parsing(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_of_clock *k;

	if (f->todo != 0)
		pp_of_ready(f, r);
	k = f->s->clock;
	k->sqlid |= r->name.n != 0;
	if ((r->has & PP_O_HAS_TIM) && r->tim > 0)
		k->tims |= (uint64_t)r->tim;
	introduce(f, r->cursor, parsed_stmt(f, r));
}

void
pp_of_parse_error(struct pp_fold *f, const struct pp_o_rec *r)
{
	introduce(f, r->cursor, parsed_stmt(f, r));
}
