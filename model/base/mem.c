/*
 * mem.c: memory that belongs to a run, and arenas over it.
 */
#include "mem_end.h"

#include <stdio.h>
#include <stdlib.h>

/* Stands in front of every block, 32 bytes so that blocks stay aligned. */
struct pp_mem_block {
	struct pp_mem_block *prev, *next;
	size_t n;
	size_t pad;
};

struct pp_mem_end {
	void (*f)(void *);
	void *arg;
	struct pp_mem_end *next;
};

static bool
pool_has(struct pp_mem_pool *p, size_t n)
{
	size_t was;

	if (p == NULL || p->limit == 0)
		return true;
	was = atomic_fetch_add_explicit(&p->used, n, memory_order_relaxed);
	if (n <= p->limit && was <= p->limit - n)
		return true;
	atomic_fetch_sub_explicit(&p->used, n, memory_order_relaxed);
	return false;
}

/* n bytes are not in use any more. */
static void
give_back(struct pp_mem *m, size_t n)
{
	m->used -= n;
	if (m->pool != NULL && m->pool->limit != 0)
		atomic_fetch_sub_explicit(&m->pool->used, n,
		    memory_order_relaxed);
}

void
pp_mem_init(struct pp_mem *m, size_t limit)
{
	memset(m, 0, sizeof(*m));
	m->limit = limit;
	m->fail_after = -1;
}

void
pp_mem_free_all(struct pp_mem *m)
{
	struct pp_mem_block *b, *next;
	struct pp_mem_end *e;

	for (e = m->ends; e != NULL; e = e->next)
		e->f(e->arg);
	m->ends = NULL;
	for (b = m->first; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	m->first = NULL;
	give_back(m, m->used);
}

void
pp_mem_fail(struct pp_mem *m)
{
	m->failed = true;
	if (m->trap != NULL)
		longjmp(*m->trap, 1);
	fputs("profpivot: out of memory\n", stderr);
	abort();
}

/* Take n more bytes from the budget, or give up. */
static void
grant(struct pp_mem *m, size_t n)
{
	if (n > SIZE_MAX / 2 || m->fail_after == 0 ||
	    (m->limit && n > m->limit - (m->used < m->limit ? m->used :
	    m->limit)) || !pool_has(m->pool, n))
		pp_mem_fail(m);
	if (m->fail_after > 0)
		m->fail_after--;
	m->used += n;
	if (m->used > m->peak)
		m->peak = m->used;
}

static void
link_block(struct pp_mem *m, struct pp_mem_block *b)
{
	b->prev = NULL;
	b->next = m->first;
	if (m->first != NULL)
		m->first->prev = b;
	m->first = b;
}

static void
unlink_block(struct pp_mem *m, struct pp_mem_block *b)
{
	if (b->prev != NULL)
		b->prev->next = b->next;
	else
		m->first = b->next;
	if (b->next != NULL)
		b->next->prev = b->prev;
}

void *
pp_mem_alloc(struct pp_mem *m, size_t n)
{
	struct pp_mem_block *b;

	grant(m, n);
	b = malloc(sizeof(*b) + n);
	if (b == NULL) {
		give_back(m, n);
		pp_mem_fail(m);
	}
	b->n = n;
	link_block(m, b);
	return b + 1;
}

void *
pp_mem_zalloc(struct pp_mem *m, size_t n)
{
	void *p = pp_mem_alloc(m, n);

	memset(p, 0, n);
	return p;
}

void *
pp_mem_realloc(struct pp_mem *m, void *p, size_t n)
{
	struct pp_mem_block *b, *r;
	size_t old;

	if (p == NULL)
		return pp_mem_alloc(m, n);
	b = (struct pp_mem_block *)p - 1;
	old = b->n;
	if (n > old)
		grant(m, n - old);
	unlink_block(m, b);
	r = realloc(b, sizeof(*b) + n);
	if (r == NULL) {
		/* the old block stays ours */
		if (n > old)
			give_back(m, n - old);
		link_block(m, b);
		pp_mem_fail(m);
	}
	if (n < old)
		give_back(m, old - n);
	r->n = n;
	link_block(m, r);
	return r + 1;
}

void
pp_mem_free(struct pp_mem *m, void *p)
{
	struct pp_mem_block *b;

	if (p == NULL)
		return;
	b = (struct pp_mem_block *)p - 1;
	unlink_block(m, b);
	give_back(m, b->n);
	free(b);
}

void
pp_mem_at_end(struct pp_mem *m, void (*f)(void *), void *arg)
{
	struct pp_mem_end *e = pp_mem_alloc(m, sizeof(*e));

	e->f = f;
	e->arg = arg;
	e->next = m->ends;
	m->ends = e;
}

void
pp_mem_not_at_end(struct pp_mem *m, const void *arg)
{
	struct pp_mem_end **p = &m->ends, *e;

	while (*p != NULL && (*p)->arg != arg)
		p = &(*p)->next;
	e = *p;
	if (e == NULL)
		return;
	*p = e->next;
	pp_mem_free(m, e);
}

void
pp_mem_grow(struct pp_mem *m, void **p, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap ? *cap : 16;

	if (need <= *cap)
		return;
	while (n < need)
		n = n > SIZE_MAX / 2 ? need : n * 2;
	if (n > SIZE_MAX / 2 / size)
		pp_mem_fail(m);
	*p = pp_mem_realloc(m, *p, n * size);
	*cap = n;
}

struct pp_arena_block {
	struct pp_arena_block *next;
	size_t n;		/* bytes behind this header */
};

void
pp_arena_init(struct pp_arena *a, struct pp_mem *m, size_t block_size)
{
	a->mem = m;
	a->at = a->end = NULL;
	a->blocks = NULL;
	a->block_size = block_size;
}

void *
pp_arena_alloc(struct pp_arena *a, size_t n)
{
	struct pp_arena_block *b;
	size_t want;
	char *p;

	if (n > SIZE_MAX / 4)
		pp_mem_fail(a->mem);
	n = (n + 15) & ~(size_t)15;
	if (n <= (size_t)(a->end - a->at)) {
		p = a->at;
		a->at += n;
		return p;
	}
	want = n > a->block_size ? n : a->block_size;
	b = pp_mem_alloc(a->mem, sizeof(*b) + want);
	b->n = want;
	p = (char *)(b + 1);
	if (n > a->block_size / 4 && a->blocks != NULL) {
		/* a big object gets a block of its own behind the first */
		b->next = a->blocks->next;
		a->blocks->next = b;
		return p;
	}
	b->next = a->blocks;
	a->blocks = b;
	a->at = p + n;
	a->end = p + want;
	return p;
}

void *
pp_arena_zalloc(struct pp_arena *a, size_t n)
{
	void *p = pp_arena_alloc(a, n);

	memset(p, 0, n);
	return p;
}

pp_str
pp_arena_str(struct pp_arena *a, pp_str s)
{
	char *p = pp_arena_alloc(a, s.n + 1);

	if (s.n)
		memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return (pp_str){p, s.n};
}

void
pp_arena_reset(struct pp_arena *a)
{
	struct pp_arena_block *b, *next;

	if (a->blocks == NULL)
		return;
	for (b = a->blocks->next; b != NULL; b = next) {
		next = b->next;
		pp_mem_free(a->mem, b);
	}
	b = a->blocks;
	b->next = NULL;
	a->at = (char *)(b + 1);
	a->end = a->at + b->n;
}

void
pp_arena_free(struct pp_arena *a)
{
	pp_arena_reset(a);
	pp_mem_free(a->mem, a->blocks);
	a->blocks = NULL;
	a->at = a->end = NULL;
}

void
pp_assert_failed(const char *what, const char *file, int line)
{
	fprintf(stderr, "profpivot: internal error: %s (%s:%d)\n", what, file,
	    line);
	abort();
}
