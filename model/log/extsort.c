/*
 * extsort.c: see extsort.h.
 */
#include "extsort.h"
#include "tmpfile.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* What a run is read by. */
#define WINDOW ((size_t)64 << 10)

struct pp_extsort_key {
	uint64_t a, b;
	uint32_t at;		/* of the record in buf */
};

struct pp_extsort_run {
	uint64_t from, to;	/* bytes of the file that are still unread */
	uint64_t first;		/* where it begins */
	char *window;
	size_t at, n;		/* bytes of the window */
};

void
pp_extsort_init(struct pp_extsort *s, struct pp_mem *mem, const char *tmpdir,
    size_t size)
{
	memset(s, 0, sizeof(*s));
	s->mem = mem;
	s->tmpdir = tmpdir;
	s->size = size;
	s->room = PP_EXTSORT_MEMORY / size;
	s->fd = -1;
	s->ordered = true;
}

static void
drop_windows(struct pp_extsort *s)
{
	size_t i;

	for (i = 0; i < s->nruns; i++) {
		pp_mem_free(s->mem, s->runs[i].window);
		s->runs[i].window = NULL;
	}
	pp_mem_free(s->mem, s->heap);
	s->heap = NULL;
	s->nheap = 0;
}

void
pp_extsort_reset(struct pp_extsort *s)
{
	drop_windows(s);
	if (s->fd >= 0 && (ftruncate(s->fd, 0) != 0 ||
	    lseek(s->fd, 0, SEEK_SET) != 0) && s->error == 0)
		s->error = errno;
	s->bytes = 0;
	s->nruns = 0;
	s->n = 0;
	s->count = 0;
	s->ordered = true;
	s->reading = false;
}

void
pp_extsort_free(struct pp_extsort *s)
{
	struct pp_mem *mem = s->mem;

	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	drop_windows(s);
	pp_mem_free(mem, s->buf);
	pp_mem_free(mem, s->keys);
	pp_mem_free(mem, s->scratch);
	pp_mem_free(mem, s->runs);
	pp_extsort_init(s, mem, s->tmpdir, s->size);
}

/* ---------------------------------------------------------------- sorting */

static inline bool
less(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	return a < c || (a == c && b < d);
}

static void
key_of(const char *record, uint64_t *a, uint64_t *b)
{
	memcpy(a, record, sizeof(*a));
	memcpy(b, record + sizeof(*a), sizeof(*b));
}

/* Merge v[lo..mid) and v[mid..hi) into w; the left one first where equal. */
static void
merge(const struct pp_extsort_key *v, struct pp_extsort_key *w, size_t lo,
    size_t mid, size_t hi)
{
	size_t i = lo, k = mid, n = lo;

	while (i < mid && k < hi) {
		if (less(v[k].a, v[k].b, v[i].a, v[i].b))
			w[n++] = v[k++];
		else
			w[n++] = v[i++];
	}
	if (i < mid)
		memcpy(&w[n], &v[i], (mid - i) * sizeof(*w));
	else
		memcpy(&w[n], &v[k], (hi - k) * sizeof(*w));
}

#define SMALL 16

static void
insert_sort(struct pp_extsort_key *v, size_t n)
{
	size_t i, k;

	for (i = 1; i < n; i++) {
		struct pp_extsort_key x = v[i];

		for (k = i; k > 0 && less(x.a, x.b, v[k - 1].a, v[k - 1].b);
		    k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

/* keys in the order of the records of the run. */
static void
sort_run(struct pp_extsort *s)
{
	struct pp_extsort_key *t;
	size_t i, width;

	if (s->ordered)
		return;
	for (i = 0; i < s->n; i += SMALL)
		insert_sort(&s->keys[i], s->n - i < SMALL ? s->n - i : SMALL);
	if (s->scratch == NULL)
		s->scratch = pp_mem_alloc(s->mem,
		    s->cap * sizeof(*s->scratch));
	for (width = SMALL; width < s->n; width *= 2) {
		for (i = 0; i < s->n; i += 2 * width) {
			size_t mid = i + width < s->n ? i + width : s->n;
			size_t hi = mid + width < s->n ? mid + width : s->n;

			merge(s->keys, s->scratch, i, mid, hi);
		}
		t = s->keys;
		s->keys = s->scratch;
		s->scratch = t;
	}
}

/* ---------------------------------------------------------------- writing */

static bool
write_bytes(struct pp_extsort *s, int fd, const char *p, size_t n)
{
	if (s->error == 0 && !pp_tmp_write(fd, p, n))
		s->error = errno;
	return s->error == 0;
}

static struct pp_extsort_run *
add_run(struct pp_extsort *s, uint64_t from)
{
	void *v = s->runs;
	struct pp_extsort_run *r;

	pp_mem_grow(s->mem, &v, &s->runs_cap, s->nruns + 1, sizeof(*r));
	s->runs = v;
	r = &s->runs[s->nruns++];
	memset(r, 0, sizeof(*r));
	r->first = from;
	return r;
}

/* The run at hand goes to the file. */
static void
spill(struct pp_extsort *s)
{
	struct pp_extsort_run *r;
	char *out;
	size_t i, n = 0, most = WINDOW / s->size * s->size;

	if (s->n == 0)
		return;
	if (s->fd < 0 && s->error == 0) {
		s->fd = pp_tmp_open(s->tmpdir);
		if (s->fd < 0)
			s->error = errno;
	}
	sort_run(s);
	r = add_run(s, s->bytes);
	out = pp_mem_alloc(s->mem, most);
	for (i = 0; i < s->n; i++) {
		memcpy(out + n, s->buf + s->keys[i].at * s->size, s->size);
		n += s->size;
		if (n == most) {
			write_bytes(s, s->fd, out, n);
			n = 0;
		}
	}
	if (n > 0)
		write_bytes(s, s->fd, out, n);
	pp_mem_free(s->mem, out);
	s->bytes += s->n * s->size;
	r->to = s->bytes;
	s->n = 0;
	s->ordered = true;
}

/* Room for twice as many records, up to those of a run. */
static void
grow(struct pp_extsort *s)
{
	size_t cap = s->cap == 0 ? 256 : s->cap * 2;

	if (cap > s->room)
		cap = s->room;
	s->buf = pp_mem_realloc(s->mem, s->buf, cap * s->size);
	s->keys = pp_mem_realloc(s->mem, s->keys, cap * sizeof(*s->keys));
	pp_mem_free(s->mem, s->scratch);
	s->scratch = NULL;
	s->cap = cap;
}

void *
pp_extsort_add(struct pp_extsort *s)
{
	PP_ASSERT(!s->reading);
	if (s->n > 0) {
		/* the caller has filled the last one by now */
		struct pp_extsort_key *k = &s->keys[s->n - 1];

		key_of(s->buf + k->at * s->size, &k->a, &k->b);
		if (s->n > 1 && less(k->a, k->b, k[-1].a, k[-1].b))
			s->ordered = false;
		if (s->n == s->room)
			spill(s);
	}
	if (s->n == s->cap)
		grow(s);
	s->keys[s->n].at = (uint32_t)s->n;
	s->count++;
	return s->buf + s->n++ * s->size;
}

/* ---------------------------------------------------------------- reading */

/* The record that the run stands at; NULL at its end. */
static const char *
record_of(struct pp_extsort *s, struct pp_extsort_run *r)
{
	size_t n = WINDOW / s->size * s->size;

	if (r->at < r->n)
		return r->window + r->at;
	if (r->from == r->to || s->error != 0)
		return NULL;
	if (r->window == NULL)
		r->window = pp_mem_alloc(s->mem, n);
	if (n > r->to - r->from)
		n = (size_t)(r->to - r->from);
	if (!pp_tmp_read(s->fd, r->window, n, r->from)) {
		s->error = errno;
		return NULL;
	}
	r->from += n;
	r->at = 0;
	r->n = n;
	return r->window;
}

/* Does run x stand before y?  Earlier runs hold earlier records. */
static bool
before(const struct pp_extsort *s, uint32_t x, uint32_t y)
{
	const struct pp_extsort_run *p = &s->runs[x], *q = &s->runs[y];
	uint64_t a, b, c, d;

	key_of(p->window + p->at, &a, &b);
	key_of(q->window + q->at, &c, &d);
	return less(a, b, c, d) || (a == c && b == d && x < y);
}

static void
sift_down(struct pp_extsort *s, size_t i)
{
	uint32_t x = s->heap[i];
	size_t k;

	while ((k = 2 * i + 1) < s->nheap) {
		if (k + 1 < s->nheap && before(s, s->heap[k + 1], s->heap[k]))
			k++;
		if (!before(s, s->heap[k], x))
			break;
		s->heap[i] = s->heap[k];
		i = k;
	}
	s->heap[i] = x;
}

/* Runs from..to stand in the heap. */
static void
open_heap(struct pp_extsort *s, size_t from, size_t to)
{
	size_t i;

	pp_mem_free(s->mem, s->heap);
	s->heap = pp_mem_alloc(s->mem, (to - from + 1) * sizeof(*s->heap));
	s->nheap = 0;
	for (i = from; i < to; i++) {
		struct pp_extsort_run *r = &s->runs[i];

		r->from = r->first;
		r->at = r->n = 0;
		if (record_of(s, r) != NULL)
			s->heap[s->nheap++] = (uint32_t)i;
	}
	for (i = s->nheap; i-- > 0;)
		sift_down(s, i);
}

/* Leave the record on top of the heap behind. */
static void
step(struct pp_extsort *s)
{
	struct pp_extsort_run *r = &s->runs[s->heap[0]];

	r->at += s->size;
	if (record_of(s, r) == NULL) {
		if (--s->nheap == 0)
			return;
		s->heap[0] = s->heap[s->nheap];
	}
	sift_down(s, 0);
}

static const char *
top(const struct pp_extsort *s)
{
	const struct pp_extsort_run *r = &s->runs[s->heap[0]];

	return r->window + r->at;
}

/* Merge runs from..to into one at `bytes` of file fd. */
static uint64_t
merge_runs(struct pp_extsort *s, size_t from, size_t to, int fd)
{
	size_t most = WINDOW / s->size * s->size, n = 0;
	char *out = pp_mem_alloc(s->mem, most);
	uint64_t bytes = 0;

	open_heap(s, from, to);
	while (s->nheap > 0 && s->error == 0) {
		memcpy(out + n, top(s), s->size);
		n += s->size;
		bytes += s->size;
		if (n == most) {
			write_bytes(s, fd, out, n);
			n = 0;
		}
		step(s);
	}
	if (n > 0)
		write_bytes(s, fd, out, n);
	pp_mem_free(s->mem, out);
	drop_windows(s);
	return bytes;
}

/* As many runs as are merged at a time become one. */
static void
merge_pass(struct pp_extsort *s)
{
	size_t i, to, n = 0;
	uint64_t bytes, at = 0;
	int fd = pp_tmp_open(s->tmpdir);

	if (fd < 0) {
		s->error = errno;
		return;
	}
	for (i = 0; i < s->nruns && s->error == 0; i = to) {
		to = i + PP_EXTSORT_FAN < s->nruns ? i + PP_EXTSORT_FAN :
		    s->nruns;
		bytes = merge_runs(s, i, to, fd);
		s->runs[n].first = at;
		s->runs[n].to = at += bytes;
		n++;
	}
	close(s->fd);
	s->fd = fd;
	s->bytes = at;
	s->nruns = n;
}

void
pp_extsort_start(struct pp_extsort *s)
{
	size_t i;

	if (!s->reading && s->n > 0) {
		struct pp_extsort_key *k = &s->keys[s->n - 1];

		key_of(s->buf + k->at * s->size, &k->a, &k->b);
		if (s->n > 1 && less(k->a, k->b, k[-1].a, k[-1].b))
			s->ordered = false;
		if (s->nruns == 0)
			sort_run(s);
		else
			spill(s);
	}
	s->reading = true;
	s->at = 0;
	for (i = 0; i < s->nruns; i++)
		s->runs[i].from = s->runs[i].first;
	while (s->nruns > PP_EXTSORT_FAN && s->error == 0)
		merge_pass(s);
	s->nheap = 0;
	if (s->nruns > 0 && s->error == 0)
		open_heap(s, 0, s->nruns);
	s->at = 0;
}

const void *
pp_extsort_next(struct pp_extsort *s)
{
	if (s->error != 0)
		return NULL;
	if (s->nruns == 0)
		return s->at == s->n ? NULL :
		    s->buf + s->keys[s->at++].at * s->size;
	/* the record given last stands on top until now */
	if (s->at > 0 && s->nheap > 0)
		step(s);
	if (s->nheap == 0)
		return NULL;
	s->at = 1;
	return top(s);
}
