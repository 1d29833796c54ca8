/*
 * sink_behind.c: a thread that packs, sums and writes what streams hold.
 *
 * Sees base only.  A stream's full buffer is swapped for an empty one and
 * waits in a ring, so that the writer of a format goes on while the file
 * system, SHA-256 and gzip take their time.  Bytes go out in the order of
 * handing over.  The thread allocates nothing and tells nothing: an error is
 * kept as its number, for the thread that owns the sink.
 */
#include "sink_impl.h"

#include "../model/base/thread.h"

#define SPARE 4			/* buffers besides those of the streams */

struct piece {
	struct pp_stream *stream;
	char *buf;
	size_t n;
};

struct pp_behind {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	/* under the lock */
	struct piece ring[SPARE];
	uint64_t head, tail;	/* pieces written and handed over so far */
	char *empty[SPARE];
	size_t nempty;
	bool stop;
	int error;		/* errno of the first failure */
};

static void *
run(void *arg)
{
	struct pp_behind *b = arg;
	struct piece x;

	pthread_mutex_lock(&b->lock);
	for (;;) {
		while (!b->stop && b->head == b->tail)
			pthread_cond_wait(&b->work, &b->lock);
		if (b->stop)
			break;
		x = b->ring[b->head % SPARE];
		pthread_mutex_unlock(&b->lock);
		pp_stream_deliver(x.stream, x.buf, x.n);
		pthread_mutex_lock(&b->lock);
		if (b->error == 0)
			b->error = x.stream->error;
		b->head++;
		b->empty[b->nempty++] = x.buf;
		pthread_cond_signal(&b->done);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

bool
pp_behind_start(struct pp_sink *s)
{
	struct pp_behind *b = pp_mem_zalloc(s->mem, sizeof(*b));

	while (b->nempty < SPARE)
		b->empty[b->nempty++] = pp_mem_alloc(s->mem,
		    PP_STREAM_BUFFER);
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->work, NULL);
	pthread_cond_init(&b->done, NULL);
	if (pp_thread_start(&b->thread, run, b)) {
		s->behind = b;
		return true;
	}
	while (b->nempty > 0)
		pp_mem_free(s->mem, b->empty[--b->nempty]);
	pp_mem_free(s->mem, b);
	return false;
}

void
pp_behind_put(struct pp_stream *f)
{
	struct pp_behind *b = f->sink->behind;
	int error;

	pthread_mutex_lock(&b->lock);
	while (b->nempty == 0)
		pthread_cond_wait(&b->done, &b->lock);
	error = b->error;
	if (error == 0) {
		b->ring[b->tail++ % SPARE] =
		    (struct piece){f, f->buf, f->used};
		f->buf = b->empty[--b->nempty];
		pthread_cond_signal(&b->work);
	}
	pthread_mutex_unlock(&b->lock);
	f->used = 0;
	if (error != 0)
		pp_sink_fail(f->sink, error, NULL);
}

void
pp_behind_drain(struct pp_sink *s)
{
	struct pp_behind *b = s->behind;
	int error;

	if (b == NULL)
		return;
	pthread_mutex_lock(&b->lock);
	while (b->head != b->tail)
		pthread_cond_wait(&b->done, &b->lock);
	error = b->error;
	pthread_mutex_unlock(&b->lock);
	if (error != 0)
		pp_sink_fail(s, error, NULL);
}

void
pp_behind_stop(struct pp_sink *s)
{
	struct pp_behind *b = s->behind;

	if (b == NULL)
		return;
	s->behind = NULL;
	s->threaded = false;
	pthread_mutex_lock(&b->lock);
	b->stop = true;
	pthread_cond_signal(&b->work);
	pthread_mutex_unlock(&b->lock);
	pthread_join(b->thread, NULL);
	/* what was handed over and not written is dropped */
	for (; b->head != b->tail; b->head++)
		b->empty[b->nempty++] = b->ring[b->head % SPARE].buf;
	while (b->nempty > 0)
		pp_mem_free(s->mem, b->empty[--b->nempty]);
	pthread_mutex_destroy(&b->lock);
	pthread_cond_destroy(&b->work);
	pthread_cond_destroy(&b->done);
	pp_mem_free(s->mem, b);
}
