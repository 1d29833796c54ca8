/*
 * ahead_piece.c: a piece of a file, read and lexed.
 *
 * May touch base, input.h and reader.h.  Piece k of size C holds the bytes
 * from k C on, and the one before them, which tells whether a line begins
 * there; it ends where the next piece does begin if nothing unusual happens,
 * at the first line at or behind (k + 1) C that surely begins a record.  The
 * lexer stops at the same line, unless that is part of a text or lies inside
 * a record; then what it says about its end is true, and the next piece was
 * lexed from a wrong start.
 */
#include "ahead_impl.h"

#include <errno.h>
#include <unistd.h>

void
pp_ahead_open_file(struct pp_ahead *a, struct pp_ahead_work *w)
{
	w->in = w->file->in;
	if (w->in != NULL)
		pp_input_until(w->in, &a->halt);
	else
		w->in = pp_input_open_hashed(&w->mem, w->file->path,
		    a->chunk_size, a->hasher, &w->error);
	w->how = PP_AHEAD_CHUNKS;
	if (w->in == NULL || w->file->reader->begins == NULL)
		return;
	if (!pp_input_plain(w->in, &w->plain)) {
		w->how = PP_AHEAD_STREAM;
		w->carry = pp_mem_alloc(&w->mem, PP_AHEAD_BEHIND_MOST + 1);
	} else if (w->plain.size >= 2 * (uint64_t)a->chunk_size) {
		w->how = PP_AHEAD_PIECES;
		pp_input_elsewhere(w->in, 0);
	}
}

/* --- bytes ------------------------------------------------------------- */

static void
have_buffer(struct pp_ahead *a, struct pp_ahead_slot *s)
{
	size_t cap = a->chunk_size + PP_AHEAD_BEHIND_MOST + 1;

	if (s->cap >= cap)
		return;
	pp_ahead_unlex(s);	/* those of another file */
	pp_mem_free(&s->mem, s->buf);
	s->buf = NULL;
	s->cap = 0;
	s->buf = pp_mem_alloc(&s->mem, cap);
	s->cap = cap;
}

/* Have the file up to byte `to` in the buffer, or to its end. */
static void
read_to(const struct pp_ahead_work *w, struct pp_ahead_slot *s, uint64_t to)
{
	ssize_t got;

	if (to > w->plain.size)
		to = w->plain.size;
	while (s->base + s->got < to) {
		got = pread(w->plain.fd, s->buf + s->got,
		    (size_t)(to - s->base) - s->got,
		    (off_t)(w->plain.at + s->base + s->got));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			s->error = got < 0 ? errno : 0;
			s->eof = true;
			break;
		}
		s->got += (size_t)got;
	}
	s->eof |= s->base + s->got == w->plain.size;
	s->done = s->base + s->got;
}

static void
fill_stream(struct pp_ahead *a, struct pp_ahead_work *w,
    struct pp_ahead_slot *s)
{
	size_t want = a->chunk_size + PP_AHEAD_BEHIND_MOST + (s->number > 0);
	uint64_t all;

	if (w->ncarry > 0)
		memcpy(s->buf, w->carry, w->ncarry);
	s->got = w->ncarry;
	s->got += pp_input_read(w->in, s->buf + s->got, want - s->got);
	s->eof = s->got < want;
	pp_input_progress(w->in, &s->done, &all);
	if (s->eof)
		return;
	w->ncarry = PP_AHEAD_BEHIND_MOST + 1;
	memcpy(w->carry, s->buf + s->got - w->ncarry, w->ncarry);
}

size_t
pp_ahead_whole(const char *p, size_t n)
{
	while (n > 0 && p[n - 1] != '\n')
		n--;
	return n;
}

void
pp_ahead_fill(struct pp_ahead *a, struct pp_ahead_work *w,
    struct pp_ahead_slot *s)
{
	uint64_t at = s->number * a->chunk_size;

	have_buffer(a, s);
	s->base = at - (s->number > 0);
	s->got = 0;
	s->eof = false;
	s->error = 0;
	s->limit = a->chunk_size + (s->number > 0);
	if (w->how == PP_AHEAD_STREAM)
		fill_stream(a, w, s);
	else
		read_to(w, s, at + a->chunk_size + PP_AHEAD_BEHIND);
	if (s->eof)
		s->limit = 0;
}

/* --- lexing ------------------------------------------------------------ */

/* The first line, of those that begin before the limit, which surely begins a
 * record. */
static size_t
find_start(const struct pp_ahead_work *w, const struct pp_ahead_slot *s)
{
	const char *p = s->buf, *end = s->buf + s->n, *nl, *e;
	const char *stop = s->limit ? s->buf + s->limit : end;

	if (s->number == 0)
		return 0;
	while (p < stop && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		p = nl + 1;
		if (p >= stop)
			break;
		e = memchr(p, '\n', (size_t)(end - p));
		if (e == NULL)
			e = end;
		if (e > p && e[-1] == '\r')
			e--;
		if (w->file->reader->begins((pp_str){p, (size_t)(e - p)}))
			return (size_t)(p - s->buf);
	}
	return PP_AHEAD_NO_START;
}

static struct pp_records *
records_of(struct pp_ahead_slot *s, size_t size)
{
	if (s->record_size != size) {
		if (s->record_size != 0)
			pp_records_free(&s->records);
		s->record_size = 0;
		pp_records_init(&s->records, &s->mem, size);
		s->record_size = size;
	}
	pp_records_reset(&s->records);
	return &s->records;
}

/* Lex on from where the chunk was left. */
static void
lex_on(const struct pp_ahead_work *w, struct pp_ahead_slot *s)
{
	struct pp_chunk *c = &s->chunk, x = *c;
	size_t at = s->start + c->used;

	x.p = s->buf + at;
	x.n = s->n - at;
	x.offset = s->base + at;
	x.line = c->line + c->lines;
	x.limit = s->limit ? s->limit - at : 0;
	x.last = c->last = s->eof;
	w->file->reader->lex(&x, &s->records);
	c->n = s->n - s->start;
	c->used += x.used;
	c->lines += x.lines;
}

void
pp_ahead_lex(const struct pp_ahead_work *w, struct pp_ahead_slot *s)
{
	struct pp_chunk *c = &s->chunk;
	size_t size = s->got;

	records_of(s, w->file->reader->record_size);
	s->n = s->eof ? s->got : pp_ahead_whole(s->buf, s->got);
	s->start = find_start(w, s);
	if (s->start == PP_AHEAD_NO_START)
		return;
	memset(c, 0, sizeof(*c));
	c->p = s->buf + s->start;
	c->offset = s->base + s->start;
	c->line = 1;
	if (s->start < s->n || s->eof)
		lex_on(w, s);
	/* a group of lines goes on behind what has been read */
	while (w->how == PP_AHEAD_PIECES && !s->eof &&
	    s->start + c->used < s->limit && size < s->cap) {
		size = size - s->limit < PP_AHEAD_BEHIND_MOST / 4 ?
		    s->limit + PP_AHEAD_BEHIND_MOST / 4 : s->cap;
		read_to(w, s, s->base + size);
		if (s->eof) {
			s->limit = 0;
			s->n = s->got;
		} else
			s->n = pp_ahead_whole(s->buf, s->got);
		lex_on(w, s);
	}
}

void
pp_ahead_unlex(struct pp_ahead_slot *s)
{
	if (s->record_size != 0)
		pp_records_free(&s->records);
	s->record_size = 0;
	s->start = PP_AHEAD_NO_START;
}

bool
pp_ahead_chunk(struct pp_ahead *a, struct pp_ahead_work *w,
    struct pp_ahead_slot *s)
{
	struct pp_chunk *c = &w->chunk;
	struct pp_ahead_spare spare = {NULL, 0};
	uint64_t all;

	if (!pp_input_next(w->in, c))
		return false;
	w->file->reader->lex(c, records_of(s, w->file->reader->record_size));
	s->chunk = *c;
	pthread_mutex_lock(&a->lock);
	if (w->nspare > 0)
		spare = w->spare[--w->nspare];
	pthread_mutex_unlock(&a->lock);
	s->lent.p = pp_input_swap(w->in, c, spare.p, &spare.cap);
	s->lent.cap = spare.cap;
	pp_input_progress(w->in, &s->done, &all);
	return true;
}
