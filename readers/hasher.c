/*
 * hasher.c: see hasher.h.
 *
 * May touch base only.  Files are hashed in the order in which they were
 * added, each by one thread at a time, as far as its reader has come.
 */
#include "hasher.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define OPEN_MOST 64		/* files that wait */
#define BLOCK ((size_t)64 << 10)
#define PIECE ((uint64_t)128 << 10)

struct job {
	int fd;			/* -1: hashed */
	bool busy;		/* a thread is at it */
	bool end;		/* all of it has been read */
	bool ok;
	uint64_t at;		/* where it begins */
	uint64_t n;		/* bytes read by its reader */
	uint64_t seen;		/* bytes hashed */
	EVP_MD_CTX *md;
	uint8_t sum[32];
};

struct pp_hasher {
	struct pp_mem *mem;
	pthread_mutex_t lock;
	pthread_cond_t turned;	/* a piece is done, and get() waits */
	/* under the lock; jobs by malloc, for any thread may add one */
	struct job **v;
	size_t n, cap;
	size_t first;		/* all before it are hashed */
	size_t waiting;		/* jobs that are not */
	uint64_t behind;	/* bytes of them */
};

/* Feed the bytes from..to of the file into the sum. */
static bool
feed(const struct job *j, uint64_t from, uint64_t to)
{
	unsigned char block[BLOCK];

	while (from < to) {
		size_t want = to - from < BLOCK ? (size_t)(to - from) : BLOCK;
		ssize_t got = pread(j->fd, block, want, (off_t)(j->at + from));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || EVP_DigestUpdate(j->md, block,
		    (size_t)got) != 1)
			return false;
		from += (uint64_t)got;
	}
	return true;
}

/* What has been read and hashed of j; the lock is held. */
static void
set(struct pp_hasher *h, struct job *j, uint64_t n, uint64_t seen)
{
	h->behind -= j->n > j->seen ? j->n - j->seen : 0;
	j->n = n;
	j->seen = seen;
	h->behind += n > seen ? n - seen : 0;
}

static void
finish(struct pp_hasher *h, struct job *j)
{
	j->ok = j->ok && EVP_DigestFinal_ex(j->md, j->sum, NULL) == 1;
	EVP_MD_CTX_free(j->md);
	j->md = NULL;
	close(j->fd);
	j->fd = -1;
	h->waiting--;
	set(h, j, 0, 0);
	while (h->first < h->n && h->v[h->first]->fd < 0)
		h->first++;
}

/* Is there something to do for j?  The lock is held. */
static bool
wanting(const struct job *j)
{
	return j->fd >= 0 && !j->busy && (j->end || j->n - j->seen >= PIECE);
}

/* A piece of j, or what is left of it.  The lock is held, but not meanwhile. */
static void
turn(struct pp_hasher *h, struct job *j)
{
	uint64_t from = j->seen, to = j->n > from ? j->n : from;
	bool ok;

	if (to - from > PIECE)
		to = from + PIECE;
	j->busy = true;
	pthread_mutex_unlock(&h->lock);
	ok = j->ok && feed(j, from, to);
	pthread_mutex_lock(&h->lock);
	j->busy = false;
	j->ok = ok;
	set(h, j, j->n, ok ? to : j->n);
	if (j->end && j->seen >= j->n) {
		/* less where the file has become shorter meanwhile */
		j->ok = ok && j->seen == j->n;
		finish(h, j);
	}
	pthread_cond_broadcast(&h->turned);
}

bool
pp_hasher_turn(struct pp_hasher *h)
{
	size_t i;
	bool any = false;

	pthread_mutex_lock(&h->lock);
	for (i = h->first; i < h->n && !any; i++) {
		any = wanting(h->v[i]);
		if (any)
			turn(h, h->v[i]);
	}
	pthread_mutex_unlock(&h->lock);
	return any;
}

struct pp_hasher *
pp_hasher_open(struct pp_mem *mem)
{
	struct pp_hasher *h = pp_mem_zalloc(mem, sizeof(*h));

	h->mem = mem;
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->turned, NULL);
	return h;
}

/* Room for one more job; the lock is held. */
static bool
grow(struct pp_hasher *h)
{
	size_t cap = h->cap ? h->cap * 2 : 64;
	struct job **v;

	if (h->n < h->cap)
		return true;
	v = realloc(h->v, cap * sizeof(struct job *));
	if (v == NULL)
		return false;
	h->v = v;
	h->cap = cap;
	return true;
}

static struct job *
new_job(int fd, uint64_t at)
{
	struct job *j = calloc(1, sizeof(*j));

	if (j == NULL)
		return NULL;
	j->at = at;
	j->ok = true;
	j->md = EVP_MD_CTX_new();
	j->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (j->md != NULL && j->fd >= 0 &&
	    EVP_DigestInit_ex(j->md, EVP_sha256(), NULL) == 1)
		return j;
	if (j->fd >= 0)
		close(j->fd);
	EVP_MD_CTX_free(j->md);
	free(j);
	return NULL;
}

bool
pp_hasher_add(struct pp_hasher *h, int fd, uint64_t at, size_t *number)
{
	struct job *j = NULL;

	pthread_mutex_lock(&h->lock);
	if (h->waiting < OPEN_MOST && grow(h) &&
	    (j = new_job(fd, at)) != NULL) {
		*number = h->n;
		h->v[h->n++] = j;
		h->waiting++;
	}
	pthread_mutex_unlock(&h->lock);
	return j != NULL;
}

void
pp_hasher_step(struct pp_hasher *h, size_t number, uint64_t n, bool end)
{
	struct job *j;

	pthread_mutex_lock(&h->lock);
	j = h->v[number];
	if (n > j->n || end)
		set(h, j, n, j->seen);
	j->end |= end;
	pthread_mutex_unlock(&h->lock);
}

uint64_t
pp_hasher_behind(struct pp_hasher *h)
{
	uint64_t n;

	pthread_mutex_lock(&h->lock);
	n = h->behind;
	pthread_mutex_unlock(&h->lock);
	return n;
}

bool
pp_hasher_get(struct pp_hasher *h, size_t number, uint8_t out[32])
{
	struct job *j;
	bool ok;

	pthread_mutex_lock(&h->lock);
	j = h->v[number];
	while (j->fd >= 0) {
		if (j->busy)
			pthread_cond_wait(&h->turned, &h->lock);
		else
			turn(h, j);
	}
	ok = j->ok;
	if (ok)
		memcpy(out, j->sum, 32);
	pthread_mutex_unlock(&h->lock);
	return ok;
}

void
pp_hasher_close(struct pp_hasher *h)
{
	size_t i;

	if (h == NULL)
		return;
	for (i = 0; i < h->n; i++) {
		if (h->v[i]->fd >= 0)
			finish(h, h->v[i]);
		free(h->v[i]);
	}
	free(h->v);
	pthread_mutex_destroy(&h->lock);
	pthread_cond_destroy(&h->turned);
	pp_mem_free(h->mem, h);
}
