/*
 * hasher.c: see hasher.h.
 *
 * May touch base only.  Files are hashed in the order in which they were
 * added, each as far as its reader has come.
 */
#include "hasher.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <unistd.h>

#include "../model/base/thread.h"

#define OPEN_MOST 64		/* files that wait */
#define BLOCK ((size_t)256 << 10)

struct job {
	int fd;			/* -1: hashed */
	bool end;		/* all of it has been read */
	bool ok;
	uint64_t at;		/* where it begins */
	uint64_t n;		/* bytes read by its reader */
	uint8_t sum[32];
};

struct pp_hasher {
	struct pp_mem *mem;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more, done;
	/* under the lock; jobs by malloc, for any thread may add one */
	struct job *v;
	size_t n, cap, hashed;
	bool stop;
	/* the thread's */
	unsigned char *block;
};

/* Feed [from, to) of the file into the sum. */
static bool
feed(struct pp_hasher *h, EVP_MD_CTX *md, int fd, uint64_t from, uint64_t to)
{
	while (from < to) {
		size_t want = to - from < BLOCK ? (size_t)(to - from) : BLOCK;
		ssize_t got = pread(fd, h->block, want, (off_t)from);

		if (got <= 0 || EVP_DigestUpdate(md, h->block,
		    (size_t)got) != 1)
			return false;
		from += (uint64_t)got;
	}
	return true;
}

/* Hash job i to its end; false when the work is to stop. */
static bool
hash(struct pp_hasher *h, size_t i)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	bool ok = md != NULL && EVP_DigestInit_ex(md, EVP_sha256(), NULL) == 1;
	uint64_t seen = 0, n, at;
	uint8_t sum[32];
	bool end, stop;
	int fd;

	do {
		pthread_mutex_lock(&h->lock);
		while (!h->stop && !h->v[i].end && h->v[i].n - seen < BLOCK)
			pthread_cond_wait(&h->more, &h->lock);
		n = h->v[i].n;
		at = h->v[i].at;
		end = h->v[i].end;
		fd = h->v[i].fd;
		stop = h->stop;
		pthread_mutex_unlock(&h->lock);
		/* a block at a time, so that a stop is seen soon */
		if (n - seen > 64 * BLOCK) {
			n = seen + 64 * BLOCK;
			end = false;
		}
		if (!stop && ok)
			ok = feed(h, md, fd, at + seen, at + n);
		seen = n;
	} while (!end && !stop);
	ok = ok && !stop && EVP_DigestFinal_ex(md, sum, NULL) == 1;
	EVP_MD_CTX_free(md);
	pthread_mutex_lock(&h->lock);
	close(fd);
	h->v[i].fd = -1;
	h->v[i].ok = ok;
	if (ok)
		memcpy(h->v[i].sum, sum, sizeof(sum));
	h->hashed = i + 1;
	pthread_cond_broadcast(&h->done);
	pthread_mutex_unlock(&h->lock);
	return !stop;
}

static void *
run(void *arg)
{
	struct pp_hasher *h = arg;
	size_t i = 0;
	bool stop;

	do {
		pthread_mutex_lock(&h->lock);
		while (!h->stop && i == h->n)
			pthread_cond_wait(&h->more, &h->lock);
		stop = h->stop;
		pthread_mutex_unlock(&h->lock);
	} while (!stop && hash(h, i++));
	return NULL;
}

struct pp_hasher *
pp_hasher_open(struct pp_mem *mem)
{
	struct pp_hasher *h = pp_mem_zalloc(mem, sizeof(*h));

	h->mem = mem;
	h->block = pp_mem_alloc(mem, BLOCK);
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->more, NULL);
	pthread_cond_init(&h->done, NULL);
	if (pp_thread_start(&h->thread, run, h))
		return h;
	pp_mem_free(mem, h->block);
	pp_mem_free(mem, h);
	return NULL;
}

/* Room for one more job; the lock is held. */
static bool
grow(struct pp_hasher *h)
{
	size_t cap = h->cap ? h->cap * 2 : 64;
	struct job *v;

	if (h->n < h->cap)
		return true;
	v = realloc(h->v, cap * sizeof(*v));
	if (v == NULL)
		return false;
	h->v = v;
	h->cap = cap;
	return true;
}

bool
pp_hasher_add(struct pp_hasher *h, int fd, uint64_t at, size_t *number)
{
	struct job *j;
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	bool ok;

	if (copy < 0)
		return false;
	pthread_mutex_lock(&h->lock);
	while (!h->stop && h->n - h->hashed >= OPEN_MOST)
		pthread_cond_wait(&h->done, &h->lock);
	ok = grow(h) && !h->stop;
	if (ok) {
		*number = h->n;
		j = &h->v[h->n++];
		memset(j, 0, sizeof(*j));
		j->fd = copy;
		j->at = at;
		pthread_cond_signal(&h->more);
	}
	pthread_mutex_unlock(&h->lock);
	if (!ok)
		close(copy);
	return ok;
}

void
pp_hasher_step(struct pp_hasher *h, size_t number, uint64_t n, bool end)
{
	pthread_mutex_lock(&h->lock);
	if (n > h->v[number].n)
		h->v[number].n = n;
	h->v[number].end |= end;
	pthread_cond_signal(&h->more);
	pthread_mutex_unlock(&h->lock);
}

bool
pp_hasher_get(struct pp_hasher *h, size_t number, uint8_t out[32])
{
	bool ok;

	pthread_mutex_lock(&h->lock);
	while (h->hashed <= number)
		pthread_cond_wait(&h->done, &h->lock);
	ok = h->v[number].ok;
	if (ok)
		memcpy(out, h->v[number].sum, 32);
	pthread_mutex_unlock(&h->lock);
	return ok;
}

void
pp_hasher_stop(struct pp_hasher *h)
{
	if (h == NULL)
		return;
	pthread_mutex_lock(&h->lock);
	h->stop = true;
	pthread_cond_broadcast(&h->more);
	pthread_cond_broadcast(&h->done);
	pthread_mutex_unlock(&h->lock);
}

void
pp_hasher_close(struct pp_hasher *h)
{
	size_t i;

	if (h == NULL)
		return;
	pp_hasher_stop(h);
	pthread_join(h->thread, NULL);
	for (i = h->hashed; i < h->n; i++)
		close(h->v[i].fd);
	free(h->v);
	pthread_mutex_destroy(&h->lock);
	pthread_cond_destroy(&h->more);
	pthread_cond_destroy(&h->done);
	pp_mem_free(h->mem, h->block);
	pp_mem_free(h->mem, h);
}
