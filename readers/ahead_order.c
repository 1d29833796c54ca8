/*
 * ahead_order.c: pieces of a file in their order, on the fold's side.
 *
 * May touch base and reader.h.  Only here it is known where a piece has to
 * begin: where the one before it ended.  One that was lexed from there is
 * handed out as it is; one that was not is lexed again.  Where a group of
 * lines goes on behind the bytes of its piece, what is left of that is put
 * before the next one.
 */
#include "ahead_impl.h"

/* Offset of the byte from which on the next piece has bytes. */
static uint64_t
next_base(const struct pp_ahead_slot *s)
{
	return s->base + s->limit - 1;
}

static void
hand_out(struct pp_ahead *a, struct pp_ahead_work *w,
    const struct pp_chunk *c, const struct pp_records *r)
{
	struct pp_ahead_item *x = &a->item;

	x->chunk = *c;
	x->chunk.before = w->lines;
	x->chunk.line = w->lines + 1;
	x->records = r;
	w->expect = c->offset + c->used;
	w->lines += c->lines;
	w->over = c->last;
}

/* Lex p[0..n), which begins at w->expect, into memory of this thread. */
static bool
lex_again(struct pp_ahead *a, struct pp_ahead_work *w,
    const struct pp_ahead_slot *s, const char *p, size_t n)
{
	size_t size = w->file->reader->record_size;
	struct pp_chunk c = {.p = p, .offset = w->expect, .line = 1};

	if (a->record_size != size) {
		if (a->record_size != 0)
			pp_records_free(&a->records);
		a->record_size = 0;
		pp_records_init(&a->records, a->mem, size);
		a->record_size = size;
	}
	pp_records_reset(&a->records);
	c.n = s->eof ? n : pp_ahead_whole(p, n);
	c.last = s->eof;
	c.limit = s->eof ? 0 : (size_t)(s->base + s->limit - w->expect);
	w->file->reader->lex(&c, &a->records);
	if (c.used == 0 && !c.last)
		return false;
	hand_out(a, w, &c, &a->records);
	return true;
}

/* Put p[0..n) behind what is kept. */
static void
append(struct pp_ahead *a, const char *p, size_t n)
{
	if (n == 0)
		return;
	if (a->join_cap - a->njoin < n) {
		size_t cap = a->join_cap * 2;

		if (cap < a->njoin + n)
			cap = a->njoin + n;
		a->join = pp_mem_realloc(a->mem, a->join, cap);
		a->join_cap = cap;
	}
	memcpy(a->join + a->njoin, p, n);
	a->njoin += n;
}

/* What is kept goes as far as the next piece begins. */
static void
keep_to(struct pp_ahead *a, const struct pp_ahead_work *w, uint64_t to)
{
	a->njoin = to > w->expect ? (size_t)(to - w->expect) : 0;
	if (a->njoin == 0)
		a->join_want = 0;
}

/* A group of lines began in a piece before. */
static bool
settle_joined(struct pp_ahead *a, struct pp_ahead_work *w,
    const struct pp_ahead_slot *s)
{
	append(a, s->buf, s->got);
	if (s->eof || a->njoin >= a->join_want) {
		if (lex_again(a, w, s, a->join, a->njoin)) {
			a->joined = true;
			a->join_want = 0;
			return true;
		}
		/* comes again when there is twice as much of it */
		a->join_want = a->njoin * 2;
	}
	keep_to(a, w, next_base(s));
	return false;
}

bool
pp_ahead_settle(struct pp_ahead *a, struct pp_ahead_work *w,
    struct pp_ahead_slot *s)
{
	size_t at;

	a->item.end = false;
	a->item.done = s->done;
	if (w->how == PP_AHEAD_CHUNKS) {
		a->item.chunk = s->chunk;
		a->item.records = &s->records;
		w->over = s->chunk.last;
		return true;
	}
	if (s->error != 0)
		w->read_error = s->error;
	if (a->njoin > 0)
		return settle_joined(a, w, s);
	if (!s->eof && w->expect >= s->base + s->limit)
		return false;
	at = (size_t)(w->expect - s->base);
	if (s->start == at) {
		hand_out(a, w, &s->chunk, &s->records);
		return true;
	}
	PP_ASSERT(w->expect >= s->base);
	if (at > s->got)
		at = s->got;	/* the file has become shorter */
	if (lex_again(a, w, s, s->buf + at, s->got - at))
		return true;
	/* nothing came of it: it waits for the next piece */
	append(a, s->buf + at, s->got - at);
	a->join_want = 2 * a->njoin;
	keep_to(a, w, next_base(s));
	return false;
}

void
pp_ahead_settled(struct pp_ahead *a, struct pp_ahead_work *w,
    const struct pp_ahead_slot *s)
{
	uint64_t base = next_base(s), from = a->item.chunk.offset;

	if (w->how == PP_AHEAD_CHUNKS || w->over) {
		a->joined = false;
		a->njoin = 0;
		return;
	}
	if (a->joined) {
		a->joined = false;
		if (base > w->expect)
			memmove(a->join, a->join + (w->expect - from),
			    (size_t)(base - w->expect));
		keep_to(a, w, base);
	} else if (base > w->expect) {
		append(a, s->buf + (w->expect - s->base),
		    (size_t)(base - w->expect));
	}
}
