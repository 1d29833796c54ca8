/*
 * mem.h: memory that belongs to a run.
 *
 * Every allocation of a run hangs off one struct pp_mem, which counts bytes
 * against --max-memory and can free all of it at once.  When the budget or the
 * system is exhausted the call does not return: it jumps to the trap that the
 * run has set (pp_mem_trap), where the run reports PP_NOMEM, drops its
 * temporary files and frees the pp_mem.  So callers never test for NULL, and
 * no half-built structure is ever used after a failure.
 *
 * Threads that work beside the run have memory of their own, of which one
 * thread at a time takes, and traps of their own; pp_mems of a pool share its
 * budget.
 */
#ifndef PP_BASE_MEM_H
#define PP_BASE_MEM_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "str.h"

/* A budget of several pp_mems. */
struct pp_mem_pool {
	_Atomic size_t used;
	size_t limit;		/* 0: none */
};

struct pp_mem_block;
struct pp_mem_end;

struct pp_mem {
	size_t used;		/* bytes handed out now */
	size_t peak;		/* most bytes ever handed out */
	size_t limit;		/* 0: none */
	long fail_after;	/* tests: allocations still granted; -1: all */
	bool failed;		/* a request was refused */
	jmp_buf *trap;
	struct pp_mem_pool *pool; /* beside the limit; NULL */
	struct pp_mem_block *first;
	struct pp_mem_end *ends; /* of pp_mem_at_end */
};

/* Make m empty, without a limit when limit is 0. */
void pp_mem_init(struct pp_mem *m, size_t limit);

/* Free everything that m still owns. */
void pp_mem_free_all(struct pp_mem *m);

/* pp_mem_free_all calls f(arg) first: for what a library holds, which is not
 * of m. */
void pp_mem_at_end(struct pp_mem *m, void (*f)(void *), void *arg);

/* n bytes, uninitialised / zeroed; n may be 0.  Never NULL. */
void *pp_mem_alloc(struct pp_mem *m, size_t n);
void *pp_mem_zalloc(struct pp_mem *m, size_t n);

/* p (from this m, or NULL) resized to n bytes. */
void *pp_mem_realloc(struct pp_mem *m, void *p, size_t n);

/* Free p (from this m, or NULL). */
void pp_mem_free(struct pp_mem *m, void *p);

/*
 * Grow the array *p of *cap elements of `size` bytes so that it holds at
 * least `need`; capacity doubles.
 */
void pp_mem_grow(struct pp_mem *m, void **p, size_t *cap, size_t need,
    size_t size);

/* Give up as if an allocation had been refused. */
_Noreturn void pp_mem_fail(struct pp_mem *m);

/*
 * An arena: many small objects freed together.  Blocks come from a pp_mem.
 */
struct pp_arena {
	struct pp_mem *mem;
	char *at, *end;
	struct pp_arena_block *blocks;
	size_t block_size;
};

void pp_arena_init(struct pp_arena *a, struct pp_mem *m, size_t block_size);

/* n bytes aligned to 16, uninitialised. */
void *pp_arena_alloc(struct pp_arena *a, size_t n);
void *pp_arena_zalloc(struct pp_arena *a, size_t n);

/* A copy of s (with a NUL behind it) that lives as long as the arena. */
pp_str pp_arena_str(struct pp_arena *a, pp_str s);

/* Forget all objects; the first block is kept for reuse. */
void pp_arena_reset(struct pp_arena *a);
void pp_arena_free(struct pp_arena *a);

/* Our own mistakes; input never reaches this. */
#define PP_ASSERT(c) \
	((c) ? (void)0 : pp_assert_failed(#c, __FILE__, __LINE__))
_Noreturn void pp_assert_failed(const char *what, const char *file, int line);

#ifdef PP_DEBUG
#define PP_ASSERT_DBG(c) PP_ASSERT(c)
#else
#define PP_ASSERT_DBG(c) ((void)0)
#endif

#endif
