/*
 * ahead.c: see ahead.h; who does what.
 *
 * May touch base, input.h and reader.h.  Threads and the fold share a few
 * slots, each with a piece of a file.  A thread that is free takes the first
 * task there is, in the order of files and pieces; the lock is held to choose
 * one and to tell that it is done, some microseconds for 256 KiB.  Slots are
 * nobody else's meanwhile.  So few of them wait for the fold that they stay
 * in the caches that the cores share.
 *
 * A thread that is out of memory jumps to its own trap.  What it has not lexed
 * for that the fold lexes, in memory of its own; a thread that cannot even
 * read says so and ends, and the fold then gives up as if it had been itself.
 */
#include "ahead_impl.h"

#include <stdlib.h>

enum kind {
	NOTHING,
	OPEN,			/* open the file */
	CHUNK,			/* its next chunk, read and lexed */
	FILL,			/* a piece of the stream */
	LEX,			/* a piece that has its bytes */
	PIECE			/* a piece, read and lexed */
};

struct task {
	enum kind kind;
	struct pp_ahead_work *work;
	struct pp_ahead_slot *slot;
};

/* --- slots and files; the lock is held --------------------------------- */

static void
wake(struct pp_ahead *a)
{
	if (a->idle > 0)
		pthread_cond_broadcast(&a->more);
	if (a->waiting)
		pthread_cond_signal(&a->filled);
}

/* May another piece of the file be begun?  The files behind the one that is
 * folded leave some slots to it. */
static bool
room_for(const struct pp_ahead *a, size_t file)
{
	return a->nfree > (file == a->at ? 0 : a->nslots / 2);
}

static struct pp_ahead_slot *
take_slot(struct pp_ahead *a, struct pp_ahead_work *w)
{
	struct pp_ahead_slot *s = a->free;

	a->free = s->next;
	a->nfree--;
	s->state = PP_AHEAD_BUSY;
	s->number = w->next++;
	w->ring[s->number % a->nslots] = s;
	w->running++;
	return s;
}

static void
drop_slot(struct pp_ahead *a, struct pp_ahead_work *w,
    struct pp_ahead_slot *s)
{
	if (s->lent.p != NULL)
		w->spare[w->nspare++] = s->lent;
	s->lent.p = NULL;
	s->state = PP_AHEAD_FREE;
	s->next = a->free;
	a->free = s;
	a->nfree++;
}

/* --- tasks ------------------------------------------------------------- */

/* The first piece of the stream that waits to be lexed. */
static struct pp_ahead_slot *
to_be_lexed(const struct pp_ahead *a, const struct pp_ahead_work *w)
{
	uint64_t i;

	for (i = w->head; i < w->next; i++) {
		struct pp_ahead_slot *s = w->ring[i % a->nslots];

		if (s->state == PP_AHEAD_FILLED)
			return s;
	}
	return NULL;
}

/* What can be done for a file that is open, by the fold's thread or not.  The
 * lock is held. */
static struct task
task_of(struct pp_ahead *a, struct pp_ahead_work *w, size_t file, bool fold)
{
	struct task t = {.kind = NOTHING, .work = w};
	bool begin = !w->made && !w->busy && room_for(a, file);

	if (w->how == PP_AHEAD_STREAM && (fold || !begin) &&
	    (t.slot = to_be_lexed(a, w)) != NULL) {
		t.kind = LEX;
		t.slot->state = PP_AHEAD_BUSY;
		w->running++;
	} else if (begin) {
		t.kind = w->how == PP_AHEAD_CHUNKS ? CHUNK :
		    w->how == PP_AHEAD_STREAM ? FILL : PIECE;
		t.slot = take_slot(a, w);
		w->busy = t.kind != PIECE;
		w->made |= t.kind == PIECE && w->next * a->chunk_size +
		    PP_AHEAD_BEHIND >= w->plain.size;
	}
	return t;
}

/* The file is taken up by this thread; not from the opener's memory, which is
 * for the fold's thread only.  The lock is held. */
static struct pp_ahead_work *
new_work(struct pp_ahead *a, size_t file)
{
	struct pp_ahead_work *w = calloc(1, sizeof(*w) + a->nslots *
	    (sizeof(struct pp_ahead_slot *) + sizeof(*w->spare)));

	if (w == NULL)
		return NULL;
	pp_mem_init(&w->mem, 0);
	w->mem.pool = &a->pool;
	w->spare = (struct pp_ahead_spare *)(w + 1);
	w->ring = (struct pp_ahead_slot **)(w->spare + a->nslots);
	w->file = &a->v[file];
	w->busy = true;
	a->work[file] = w;
	return w;
}

/* Something to do; the lock is held. */
static struct task
choose(struct pp_ahead *a, bool fold)
{
	struct task t = {.kind = NOTHING};
	size_t i, to = a->at + (fold ? 1 : a->active);

	for (i = a->at; i < to && i < a->n && t.kind == NOTHING; i++) {
		struct pp_ahead_work *w = a->work[i];

		if (w == NULL) {
			t.work = new_work(a, i);
			t.kind = OPEN;
			a->failed |= t.work == NULL;
			if (a->failed)
				t.kind = NOTHING;
		} else if (w->open)
			t = task_of(a, w, i, fold);
	}
	return t;
}

/* Do it; the lock is not held.  False: a chunk that is none. */
static bool
perform(struct pp_ahead *a, const struct task *t)
{
	switch (t->kind) {
	case NOTHING:
		break;
	case OPEN:
		pp_ahead_open_file(a, t->work);
		break;
	case CHUNK:
		return pp_ahead_chunk(a, t->work, t->slot);
	case FILL:
		pp_ahead_fill(a, t->work, t->slot);
		break;
	case LEX:
		pp_ahead_lex(t->work, t->slot);
		break;
	case PIECE:
		pp_ahead_fill(a, t->work, t->slot);
		pp_ahead_lex(t->work, t->slot);
		break;
	}
	return true;
}

/* Tell what has been done; the lock is held. */
static void
done(struct pp_ahead *a, const struct task *t, bool any)
{
	struct pp_ahead_work *w = t->work;

	if (t->kind == OPEN) {
		w->open = true;
		w->busy = false;
		w->made = w->in == NULL;
		return;
	}
	w->running--;
	if (t->kind == CHUNK || t->kind == FILL) {
		w->busy = false;
		w->made |= t->kind == CHUNK ? !any || t->slot->chunk.last :
		    t->slot->eof;
	}
	t->slot->state = t->kind == FILL ? PP_AHEAD_FILLED : PP_AHEAD_DONE;
	if (!any) {
		w->next--;
		drop_slot(a, w, t->slot);
	}
}

static void
set_trap(struct pp_ahead_work *w, jmp_buf *trap)
{
	w->mem.trap = trap;
	if (w->file->mem != NULL)
		w->file->mem->trap = trap;
}

/*
 * A task with what belongs to it; false: out of memory.  Two threads never
 * take memory of one work at a time: only who opens it or reads its stream
 * does.  A piece that has more records than its share of the budget holds is
 * left to the fold, which has more.
 */
static bool
run_task(struct pp_ahead *a, const struct task *t, bool *any)
{
	jmp_buf trap;

	if (setjmp(trap) != 0) {
		if ((t->kind != LEX && t->kind != PIECE) ||
		    t->slot->buf == NULL)
			return false;
		pp_ahead_unlex(t->slot);
		return true;
	}
	if (t->slot != NULL) {
		t->slot->mem.trap = &trap;
		t->slot->mem.limit = t->kind == CHUNK ? 0 : a->slot_limit;
	}
	if (t->kind != LEX && t->kind != PIECE)
		set_trap(t->work, &trap);
	*any = perform(a, t);
	return true;
}

/* Do t; the lock is held, but not meanwhile.  False: out of memory. */
static bool
work_on(struct pp_ahead *a, const struct task *t)
{
	bool any = true, ok;

	pthread_mutex_unlock(&a->lock);
	ok = run_task(a, t, &any);
	pthread_mutex_lock(&a->lock);
	if (ok)
		done(a, t, any);
	else {
		a->failed = true;
		/* the fold may be waiting to take the slot back */
		if (t->slot != NULL)
			t->work->running--;
	}
	wake(a);
	return ok;
}

/* --- the threads ------------------------------------------------------- */

/* Wait for something to do, hashing meanwhile; false when the work is to
 * stop.  The lock is held, but not meanwhile. */
static bool
next_task(struct pp_ahead *a, struct task *t)
{
	bool hashed = true;

	for (;;) {
		if (a->stop || a->failed)
			return false;
		if (!hashed || a->hasher == NULL ||
		    pp_hasher_behind(a->hasher) <= a->later) {
			*t = choose(a, false);
			if (t->kind != NOTHING)
				return true;
		}
		if (!hashed) {
			a->idle++;
			pthread_cond_wait(&a->more, &a->lock);
			a->idle--;
			hashed = true;
			continue;
		}
		/* once more, if there was none: it may be there by now */
		pthread_mutex_unlock(&a->lock);
		hashed = a->hasher != NULL && pp_hasher_turn(a->hasher);
		pthread_mutex_lock(&a->lock);
	}
}

static void *
run(void *arg)
{
	struct pp_ahead *a = arg;
	struct task t;

	pthread_mutex_lock(&a->lock);
	while (next_task(a, &t) && work_on(a, &t))
		continue;
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* --- the fold's side --------------------------------------------------- */

static void
close_work(struct pp_ahead_work *w)
{
	struct pp_mem *mem = w->file->mem != NULL ? w->file->mem : &w->mem;

	while (w->nspare > 0)
		pp_mem_free(mem, w->spare[--w->nspare].p);
	if (w->in != NULL)
		pp_input_close(w->in);
	pp_mem_free_all(&w->mem);
	free(w);
}

static void
set_error(struct pp_ahead *a, pp_str err)
{
	size_t n = err.n < sizeof(a->text) ? err.n : sizeof(a->text);

	if (n > 0)
		memcpy(a->text, err.p, n);
	a->item.error = (pp_str){a->text, n};
}

/* Take back the slots of a file that is over; the lock is held. */
static void
take_back(struct pp_ahead *a, struct pp_ahead_work *w)
{
	w->made = true;
	while (w->running > 0) {
		a->waiting = true;
		pthread_cond_wait(&a->filled, &a->lock);
		a->waiting = false;
	}
	for (; w->head < w->next; w->head++)
		drop_slot(a, w, w->ring[w->head % a->nslots]);
}

/* What is known at the end of the file. */
static void
end_item(struct pp_ahead *a, struct pp_ahead_work *w)
{
	struct pp_ahead_item *x = &a->item;
	uint64_t all;

	memset(x, 0, sizeof(*x));
	x->end = true;
	x->opened = w->in != NULL;
	if (x->opened) {
		set_trap(w, a->mem->trap);
		if (w->how == PP_AHEAD_PIECES)
			pp_input_been(w->in, w->expect, w->read_error);
		x->bytes = pp_input_bytes(w->in);
		x->hashed = pp_input_hashed(w->in, &x->hash);
		x->summed = !x->hashed && pp_input_sha256(w->in, x->sha256);
		pp_input_progress(w->in, &x->done, &all);
		set_error(a, pp_input_error(w->in));
	} else
		set_error(a, w->error);
	close_work(w);
}

/* The file is over: its last item.  The lock is held. */
static const struct pp_ahead_item *
end_file(struct pp_ahead *a, struct pp_ahead_work *w)
{
	take_back(a, w);
	a->work[a->at++] = NULL;
	pthread_mutex_unlock(&a->lock);
	end_item(a, w);
	/* its last bytes may be hashed now */
	pthread_mutex_lock(&a->lock);
	wake(a);
	pthread_mutex_unlock(&a->lock);
	return &a->item;
}

/* The piece that was handed out has been folded, or there was nothing in it.
 * The lock is held. */
static void
next_piece(struct pp_ahead *a, struct pp_ahead_work *w,
    struct pp_ahead_slot *s)
{
	w->head++;
	drop_slot(a, w, s);
	wake(a);
}

/* The piece that the fold waits for, if it is there.  The lock is held. */
static struct pp_ahead_slot *
ready(const struct pp_ahead *a, const struct pp_ahead_work *w)
{
	struct pp_ahead_slot *s;

	if (w->head == w->next)
		return NULL;
	s = w->ring[w->head % a->nslots];
	return s->state == PP_AHEAD_DONE ? s : NULL;
}

/* Help, or wait for the others; the lock is held, but not meanwhile. */
static void
help(struct pp_ahead *a)
{
	struct task t = choose(a, true);

	if (t.kind != NOTHING) {
		(void)work_on(a, &t);
	} else if (!a->failed) {
		a->waiting = true;
		pthread_cond_wait(&a->filled, &a->lock);
		a->waiting = false;
	}
}

/* The lock is held, and is not afterwards. */
static const struct pp_ahead_item *
next_item(struct pp_ahead *a)
{
	struct pp_ahead_work *w;
	struct pp_ahead_slot *s;
	bool any;

	while (!a->failed) {
		w = a->work[a->at];
		if (w == NULL || !w->open) {
			help(a);
		} else if (w->over || (w->made && w->head == w->next)) {
			return end_file(a, w);
		} else if ((s = ready(a, w)) == NULL) {
			help(a);
		} else {
			pthread_mutex_unlock(&a->lock);
			any = pp_ahead_settle(a, w, s);
			if (any) {
				a->out = s;
				return &a->item;
			}
			pthread_mutex_lock(&a->lock);
			next_piece(a, w, s);
		}
	}
	pthread_mutex_unlock(&a->lock);
	pp_mem_fail(a->mem);
}

const struct pp_ahead_item *
pp_ahead_next(struct pp_ahead *a, size_t file, uint64_t later)
{
	struct pp_ahead_slot *s = a->out;
	struct pp_ahead_work *w = s != NULL ? a->work[a->at] : NULL;

	a->out = NULL;
	if (s != NULL)
		pp_ahead_settled(a, w, s);
	if (s != NULL && w->how == PP_AHEAD_PIECES)
		pp_input_elsewhere(w->in, w->expect);
	pthread_mutex_lock(&a->lock);
	a->later = later;
	if (s != NULL)
		next_piece(a, w, s);
	PP_ASSERT(file == a->at);
	return next_item(a);
}

/* --- begin and end ----------------------------------------------------- */

static void
start_lanes(struct pp_ahead *a, unsigned lanes)
{
	while (a->nlanes < lanes && pp_thread_start(&a->lane[a->nlanes], run,
	    a))
		a->nlanes++;
}

struct pp_ahead *
pp_ahead_open(struct pp_mem *mem, const struct pp_ahead_file *v, size_t n,
    unsigned lanes, size_t chunk_size, size_t limit, struct pp_hasher *hasher)
{
	struct pp_ahead *a;
	unsigned i;

	a = pp_mem_zalloc(mem, sizeof(*a) + lanes * sizeof(a->lane[0]));
	a->mem = mem;
	a->v = v;
	a->n = n;
	a->chunk_size = chunk_size ? chunk_size : PP_CHUNK_SIZE;
	a->hasher = hasher;
	a->pool.limit = limit;
	a->active = lanes + 2;
	a->nslots = 4 * (lanes + 1);
	/* a quarter is for what belongs to files */
	a->slot_limit = limit / 4 * 3 / a->nslots;
	a->work = pp_mem_zalloc(mem, (n + 1) * sizeof(struct pp_ahead_work *));
	a->slots = pp_mem_zalloc(mem, a->nslots * sizeof(*a->slots));
	for (i = 0; i < a->nslots; i++) {
		pp_mem_init(&a->slots[i].mem, 0);
		a->slots[i].mem.pool = &a->pool;
		a->slots[i].next = a->free;
		a->free = &a->slots[i];
	}
	a->nfree = a->nslots;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->more, NULL);
	pthread_cond_init(&a->filled, NULL);
	start_lanes(a, lanes);
	if (a->nlanes > 0)
		return a;
	pp_ahead_close(a);
	return NULL;
}

void
pp_ahead_close(struct pp_ahead *a)
{
	size_t i;

	if (a == NULL)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	atomic_store(&a->halt, true);
	pthread_cond_broadcast(&a->more);
	pthread_mutex_unlock(&a->lock);
	for (i = 0; i < a->nlanes; i++)
		pthread_join(a->lane[i], NULL);
	for (i = a->at; i < a->n && a->nlanes > 0; i++)
		if (a->work[i] != NULL)
			close_work(a->work[i]);
		else if (a->v[i].in != NULL)
			pp_input_close(a->v[i].in);
	for (i = 0; i < a->nslots; i++)
		pp_mem_free_all(&a->slots[i].mem);
	if (a->record_size != 0)
		pp_records_free(&a->records);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->more);
	pthread_cond_destroy(&a->filled);
	pp_mem_free(a->mem, a->join);
	pp_mem_free(a->mem, a->slots);
	pp_mem_free(a->mem, a->work);
	pp_mem_free(a->mem, a);
}
