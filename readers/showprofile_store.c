/*
 * showprofile_store.c: rows on their way from a row set to a session.
 *
 * A query may be printed several times with other columns each time, and its
 * numbers may turn out to belong to another session, so rows wait until the
 * source is over.  They wait as bytes in a log that spills; what is compared
 * (states and durations) is known by a hash.  May touch model/base and log.
 */
#include "showprofile.h"

#include <stdlib.h>

/* Rows of an item that are put together before they go to the log. */
#define PIECE_BYTES ((size_t)32 << 10)

/* Rows that are brought in order; servers keep 100 of a query. */
#define SORTED_MOST 100000

uint32_t
pp_sp_digits(int64_t v)
{
	if (v % 1000000 == 0)
		return 6;
	if (v % 10000 == 0)
		return 8;
	return v % 1000 == 0 ? 9 : 12;
}

int64_t
pp_sp_tolerance(const struct pp_sp_print *p)
{
	uint64_t n = p->calls < 1000000000 ? p->calls : 1000000000;

	return (int64_t)(n + 1) * (PP_SP_MICRO / 2);
}

static void
add_piece(struct pp_sp *sp, struct pp_sp_print *p)
{
	void *v = sp->pieces;
	struct pp_sp_piece *x;

	pp_mem_grow(sp->m->mem, &v, &sp->pieces_cap, sp->npieces + 1,
	    sizeof(*x));
	sp->pieces = v;
	x = &sp->pieces[sp->npieces];
	x->at = pp_bytelog_add(&sp->rows, sp->piece, sp->piece_n);
	x->bytes = (uint32_t)sp->piece_n;
	x->next = PP_SP_NONE;
	if (p->first == PP_SP_NONE)
		p->first = (uint32_t)sp->npieces;
	else
		sp->pieces[p->last].next = (uint32_t)sp->npieces;
	p->last = (uint32_t)sp->npieces++;
	sp->piece_n = 0;
}

void
pp_sp_keep(struct pp_sp *sp)
{
	if (sp->piece_n > 0)
		add_piece(sp, &sp->items[sp->item].print);
}

static struct pp_sp_item *
new_item(struct pp_sp *sp, uint64_t line)
{
	void *v = sp->items;
	struct pp_sp_item *x;

	pp_mem_grow(sp->m->mem, &v, &sp->items_cap, sp->nitems + 1,
	    sizeof(*x));
	sp->items = v;
	x = &sp->items[sp->nitems++];
	memset(x, 0, sizeof(*x));
	x->line = line;
	x->stmt = PP_SP_NONE;
	x->print.first = x->print.last = x->print.next = PP_SP_NONE;
	x->print.finest = 6;
	x->print.sorted = true;
	x->print.line = line;
	return x;
}

void
pp_sp_turn(struct pp_sp *sp, bool numbered, uint64_t id, uint64_t line)
{
	struct pp_sp_item *x;
	uint32_t *at;

	if (sp->item != PP_SP_NONE && (!numbered ||
	    sp->items[sp->item].id == id))
		return;
	if (sp->item != PP_SP_NONE) {
		pp_sp_keep(sp);
		sp->rising &= id > sp->items[sp->item].id;
	}
	at = pp_map_at(&sp->item_by_id, id, numbered);
	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)sp->nitems;
		x = new_item(sp, line);
		x->numbered = numbered;
		x->id = id;
	}
	sp->item = *at;
}

/* What is told of a print as a whole. */
static void
sum_up(struct pp_sp_print *p, const struct pp_stage *x)
{
	uint32_t d = 6, e;

	if (x->has & PP_STAGE_TO_LINE) {
		if (p->rows == 0)
			p->first_seq = x->to_line;
		else if (x->to_line != p->last_seq + 1)
			p->sorted = false;
		p->last_seq = x->to_line;
	}
	if (x->has & PP_STAGE_DURATION) {
		p->sum = pp_i64_add(p->sum, x->duration);
		p->timed++;
		p->first_timed |= p->rows == 0;
		d = pp_sp_digits(x->duration);
		p->saturated += x->duration == PP_SP_SATURATED &&
		    x->kind == PP_STAGE_STATE;
	}
	if (x->cpu_user != 0 || x->cpu_system != 0) {
		e = pp_sp_digits(x->cpu_user);
		d = e > d ? e : d;
		e = pp_sp_digits(x->cpu_system);
		d = e > d ? e : d;
	}
	if (d > p->finest)
		p->finest = d;
	p->hash = pp_hash_mix(p->hash ^ x->name);
	p->hash = pp_hash_mix(p->hash ^ (uint64_t)x->duration ^
	    (uint64_t)x->count << 40);
	p->columns |= x->has;
	p->functions |= x->from_function != 0 || x->from_file != 0;
	p->rows++;
	p->calls += x->count;
	if ((uint64_t)x->start > p->last_line)
		p->last_line = (uint64_t)x->start;
	p->sums = x->kind == PP_STAGE_SUM;
}

void
pp_sp_add(struct pp_sp *sp, const struct pp_stage *row)
{
	struct pp_stage bare;

	sum_up(&sp->items[sp->item].print, row);
	if (sp->times) {
		bare = (struct pp_stage){.kind = row->kind,
			.has = row->has & PP_STAGE_DURATION, .name = row->name,
			.count = row->count, .start = row->start,
			.duration = row->duration};
		row = &bare;
	}
	pp_stage_put(sp->m->mem, &sp->piece, &sp->piece_n, &sp->piece_cap,
	    row);
	if (sp->piece_n >= PIECE_BYTES)
		pp_sp_keep(sp);
}

/* ---------------------------------------------------------------- reading */

void
pp_sp_open(struct pp_sp_cursor *c, struct pp_sp *sp,
    const struct pp_sp_print *p)
{
	memset(c, 0, sizeof(*c));
	c->sp = sp;
	c->piece = p->first;
}

bool
pp_sp_next(struct pp_sp_cursor *c, struct pp_stage *x)
{
	struct pp_sp *sp = c->sp;
	void *v = c->buf;
	pp_str s;

	while (!pp_stage_next(&c->read, x)) {
		if (c->piece == PP_SP_NONE)
			return false;
		s = pp_bytelog_get(&sp->rows, sp->pieces[c->piece].at,
		    sp->pieces[c->piece].bytes);
		/* other cursors read the same log: keep a copy */
		pp_mem_grow(sp->m->mem, &v, &c->cap, s.n + 1, 1);
		c->buf = v;
		if (s.n > 0)
			memcpy(c->buf, s.p, s.n);
		c->read.piece = (pp_str){c->buf, s.n};
		c->piece = s.n == 0 ? PP_SP_NONE :
		    sp->pieces[c->piece].next;
	}
	return true;
}

void
pp_sp_close(struct pp_sp_cursor *c)
{
	pp_mem_free(c->sp->m->mem, c->buf);
}

/* ---------------------------------------------------------------- sorting */

static int
by_seq(const void *a, const void *b)
{
	const struct pp_stage *x = a, *y = b;

	if (x->to_line != y->to_line)
		return x->to_line < y->to_line ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

void
pp_sp_sort(struct pp_sp *sp, struct pp_sp_print *p)
{
	struct pp_mem *mem = sp->m->mem;
	struct pp_sp_cursor c;
	struct pp_stage *v;
	struct pp_sp_print old = *p;
	size_t n = 0, i;

	if (p->rows > SORTED_MOST || p->rows < 2)
		return;
	v = pp_mem_alloc(mem, (size_t)p->rows * sizeof(*v));
	pp_sp_open(&c, sp, p);
	while (n < p->rows && pp_sp_next(&c, &v[n]))
		n++;
	pp_sp_close(&c);
	qsort(v, n, sizeof(*v), by_seq);
	memset(p, 0, sizeof(*p));
	p->first = p->last = p->next = PP_SP_NONE;
	p->finest = 6;
	p->sorted = true;
	p->line = old.line;
	p->whole = old.whole;
	for (i = 0; i < n; i++) {
		sum_up(p, &v[i]);
		pp_stage_put(mem, &sp->piece, &sp->piece_n, &sp->piece_cap,
		    &v[i]);
		if (sp->piece_n >= PIECE_BYTES)
			add_piece(sp, p);
	}
	if (sp->piece_n > 0)
		add_piece(sp, p);
	pp_mem_free(mem, v);
}
