/*
 * ahead.c: see ahead.h.
 *
 * May touch base, input.h and reader.h.  A lane and the fold share a ring of
 * items: the lane owns [tail, tail + SLOTS) less what is between head and
 * tail, the fold the item at head.  The lock is taken twice a chunk of 256
 * KiB, to move head or tail; items themselves are nobody else's meanwhile.
 *
 * A lane that is out of memory jumps to its own trap, says so and ends; the
 * fold then gives up as if it had been itself.
 */
#include "ahead.h"

#include "../model/base/thread.h"

/* Chunks of a lane that may wait for the fold. */
#define SLOTS 4

struct lane {
	struct pp_ahead *a;
	pthread_t thread;
	struct pp_mem mem;
	struct pp_input *in;	/* of the file at hand; NULL */
	struct pp_ahead_item item[SLOTS];
	size_t record_size[SLOTS]; /* 0: no records yet */
	/* under the lock: items taken and items made so far */
	uint64_t head, tail;
	bool failed;		/* out of memory */
	pthread_cond_t room;
};

struct pp_ahead {
	struct pp_mem *mem;
	const struct pp_ahead_file *v;
	size_t n, chunk_size;
	struct pp_hasher *hasher;
	pthread_mutex_t lock;
	pthread_cond_t filled;
	/* under the lock */
	size_t next;		/* file that no lane has taken */
	bool stop;
	struct lane **of;	/* by file: its lane; NULL: not taken yet */
	/* the fold's */
	struct lane *out;	/* whose item is out; NULL: none */
	size_t nlanes;
	struct lane *lane[];
};

/* The item to be filled next; NULL when the work is to stop. */
static struct pp_ahead_item *
next_item(struct lane *l)
{
	struct pp_ahead *a = l->a;
	bool stop;

	pthread_mutex_lock(&a->lock);
	while (!a->stop && l->tail - l->head == SLOTS)
		pthread_cond_wait(&l->room, &a->lock);
	stop = a->stop;
	pthread_mutex_unlock(&a->lock);
	return stop ? NULL : &l->item[l->tail % SLOTS];
}

static void
give(struct lane *l)
{
	pthread_mutex_lock(&l->a->lock);
	l->tail++;
	pthread_cond_signal(&l->a->filled);
	pthread_mutex_unlock(&l->a->lock);
}

static void
set_error(struct pp_ahead_item *x, pp_str err)
{
	size_t n = err.n < sizeof(x->text) ? err.n : sizeof(x->text);

	if (n > 0)
		memcpy(x->text, err.p, n);
	x->error = (pp_str){x->text, n};
}

/* Records of the size that the file's reader wants. */
static struct pp_records *
records_of(struct lane *l, struct pp_ahead_item *x, size_t size)
{
	size_t *have = &l->record_size[x - l->item];

	if (*have != size) {
		if (*have != 0)
			pp_records_free(&x->records);
		*have = 0;
		pp_records_init(&x->records, &l->mem, size);
		*have = size;
	}
	pp_records_reset(&x->records);
	return &x->records;
}

static void
end_file(struct lane *l, struct pp_ahead_item *x, size_t file)
{
	uint64_t all;

	x->file = file;
	x->end = true;
	x->opened = true;
	x->bytes = pp_input_bytes(l->in);
	set_error(x, pp_input_error(l->in));
	x->hashed = pp_input_hashed(l->in, &x->hash);
	pp_input_progress(l->in, &x->done, &all);
	pp_input_close(l->in);
	l->in = NULL;
	give(l);
}

/* Read a file to its end; false when the work is to stop. */
static bool
read_file(struct lane *l, size_t file)
{
	const struct pp_ahead_file *f = &l->a->v[file];
	struct pp_ahead_item *x = next_item(l);
	struct pp_chunk c;
	uint64_t all;
	pp_str err;

	if (x == NULL)
		return false;
	l->in = pp_input_open_hashed(&l->mem, f->path, l->a->chunk_size,
	    l->a->hasher, &err);
	if (l->in == NULL) {
		x->file = file;
		x->end = true;
		x->opened = x->hashed = false;
		set_error(x, err);
		give(l);
		return true;
	}
	memset(&c, 0, sizeof(c));
	while (pp_input_next(l->in, &c)) {
		x->file = file;
		x->end = false;
		f->reader->lex(&c, records_of(l, x, f->reader->record_size));
		x->chunk = c;
		x->buf = pp_input_swap(l->in, &c, x->buf, &x->cap);
		pp_input_progress(l->in, &x->done, &all);
		give(l);
		x = next_item(l);
		if (x == NULL)
			return false;
	}
	end_file(l, x, file);
	return true;
}

/* The next file of the list, now of this lane. */
static bool
take_file(struct lane *l, size_t *file)
{
	struct pp_ahead *a = l->a;
	bool any;

	pthread_mutex_lock(&a->lock);
	any = !a->stop && a->next < a->n;
	if (any) {
		*file = a->next++;
		a->of[*file] = l;
		pthread_cond_signal(&a->filled);
	}
	pthread_mutex_unlock(&a->lock);
	return any;
}

/* Not inline: its variables are not to be those of setjmp's function. */
__attribute__((noinline)) static void
work(struct lane *l)
{
	size_t file;

	while (take_file(l, &file) && read_file(l, file))
		continue;
}

static void *
run(void *arg)
{
	struct lane *l = arg;
	jmp_buf trap;

	if (setjmp(trap) == 0) {
		l->mem.trap = &trap;
		work(l);
	} else {
		pthread_mutex_lock(&l->a->lock);
		l->failed = true;
		pthread_cond_signal(&l->a->filled);
		pthread_mutex_unlock(&l->a->lock);
	}
	l->mem.trap = NULL;
	return NULL;
}

static void
free_lane(struct lane *l)
{
	/* what fails in here has nowhere to jump, and nothing is asked for */
	if (l->in != NULL)
		pp_input_close(l->in);
	pp_mem_free_all(&l->mem);
	pthread_cond_destroy(&l->room);
}

static size_t
start_lanes(struct pp_ahead *a, unsigned lanes, size_t limit)
{
	while (a->nlanes < lanes) {
		struct lane *l = pp_mem_zalloc(a->mem, sizeof(*l));

		l->a = a;
		pp_mem_init(&l->mem, limit);
		pthread_cond_init(&l->room, NULL);
		a->lane[a->nlanes] = l;
		if (!pp_thread_start(&l->thread, run, l)) {
			free_lane(l);
			break;
		}
		a->nlanes++;
	}
	return a->nlanes;
}

struct pp_ahead *
pp_ahead_open(struct pp_mem *mem, const struct pp_ahead_file *v, size_t n,
    unsigned lanes, size_t chunk_size, size_t limit, struct pp_hasher *hasher)
{
	struct pp_ahead *a;

	if (lanes > n)
		lanes = (unsigned)n;
	a = pp_mem_zalloc(mem, sizeof(*a) + lanes * sizeof(a->lane[0]));
	a->of = pp_mem_zalloc(mem, (n + 1) * sizeof(struct lane *));
	a->mem = mem;
	a->v = v;
	a->n = n;
	a->chunk_size = chunk_size;
	a->hasher = hasher;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->filled, NULL);
	if (start_lanes(a, lanes, limit) > 0)
		return a;
	pp_ahead_close(a);
	return NULL;
}

const struct pp_ahead_item *
pp_ahead_next(struct pp_ahead *a, size_t file)
{
	struct lane *l = a->out;
	bool failed = false;

	pthread_mutex_lock(&a->lock);
	if (l != NULL) {
		l->head++;
		pthread_cond_signal(&l->room);
	}
	a->out = NULL;
	for (;;) {
		size_t i;

		l = a->of[file];
		if (l != NULL && l->head < l->tail)
			break;
		for (i = 0; i < a->nlanes; i++)
			failed |= a->lane[i]->failed;
		if (failed)
			break;
		pthread_cond_wait(&a->filled, &a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	if (failed)
		pp_mem_fail(a->mem);
	a->out = l;
	PP_ASSERT(l->item[l->head % SLOTS].file == file);
	return &l->item[l->head % SLOTS];
}

void
pp_ahead_close(struct pp_ahead *a)
{
	size_t i;

	if (a == NULL)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	for (i = 0; i < a->nlanes; i++)
		pthread_cond_signal(&a->lane[i]->room);
	pthread_mutex_unlock(&a->lock);
	for (i = 0; i < a->nlanes; i++) {
		pthread_join(a->lane[i]->thread, NULL);
		free_lane(a->lane[i]);
		pp_mem_free(a->mem, a->lane[i]);
	}
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->filled);
	pp_mem_free(a->mem, a->of);
	pp_mem_free(a->mem, a);
}
