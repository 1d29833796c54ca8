/*
 * test_psevents.c: events that name their parents: the sorter, where an event
 * stands, and dumps of the Performance Schema through everything but the
 * writers, in chunks of any size and with memory that runs out.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>

#include "../model/log/extsort.h"
#include "../model/nested.h"
#include "trace_world.h"

/* ---------------------------------------------------------------- sorting */

struct record {
	uint64_t a, b, order, more;
};

static uint64_t
next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Every record comes back once, by key, then in the order of adding. */
static void
sorts(size_t room, size_t n, uint64_t keys)
{
	struct pp_mem mem;
	struct pp_extsort s;
	const struct record *r;
	struct record *x, last = {0, 0, 0, 0};
	uint64_t seed = n + keys, sum = 0, got;
	size_t i, turn;

	pp_mem_init(&mem, 0);
	pp_extsort_init(&s, &mem, "/tmp", sizeof(struct record));
	s.room = room;
	for (i = 0; i < n; i++) {
		x = pp_extsort_add(&s);
		x->a = next(&seed) % 3;
		x->b = keys == 0 ? i : next(&seed) % keys;
		if (keys == 0)
			x->a = 1;
		x->order = i;
		x->more = next(&seed);
		sum += x->more ^ x->order;
	}
	for (turn = 0; turn < 2; turn++) {
		pp_extsort_start(&s);
		for (i = got = 0; (r = pp_extsort_next(&s)) != NULL; i++) {
			got += r->more ^ r->order;
			if (i > 0) {
				assert_true(r->a > last.a || (r->a == last.a &&
				    r->b >= last.b));
				assert_true(r->a != last.a || r->b != last.b ||
				    r->order > last.order);
			}
			last = *r;
		}
		assert_int_equal(i, n);
		assert_int_equal(got, sum);
		assert_null(pp_extsort_next(&s));
	}
	pp_extsort_reset(&s);
	pp_extsort_start(&s);
	assert_null(pp_extsort_next(&s));
	pp_extsort_free(&s);
	pp_mem_free_all(&mem);
}

static void
test_extsort(void **state)
{
	(void)state;
	sorts(100, 0, 7);
	sorts(100, 1, 7);
	sorts(100, 99, 7);
	sorts(100, 100, 1000);
	sorts(100, 101, 1000);
	sorts(100, 12345, 50);		/* two passes */
	sorts(7, 20000, 1u << 20);	/* three */
	sorts(3000, 100000, 0);		/* in order already */
	sorts(100000, 70000, 1u << 30);
}

static void
test_extsort_no_room(void **state)
{
	struct pp_mem mem;
	struct pp_extsort s;
	size_t i;

	(void)state;
	pp_mem_init(&mem, 0);
	pp_extsort_init(&s, &mem, "/nowhere", sizeof(struct record));
	s.room = 10;
	for (i = 0; i < 100; i++)
		memset(pp_extsort_add(&s), 0, sizeof(struct record));
	pp_extsort_start(&s);
	assert_null(pp_extsort_next(&s));
	assert_int_not_equal(s.error, 0);
	pp_extsort_free(&s);
	pp_mem_free_all(&mem);
}

/* ----------------------------------------------------------------- places */

#define S PP_NESTED_STATEMENT
#define G PP_NESTED_STAGE
#define W PP_NESTED_WAIT
#define T PP_NESTED_TRANSACTION
#define NO PP_NEST_UNKNOWN
#define RUN PP_NEST_OPEN

struct step {
	uint64_t id, end, parent;
	enum pp_nested_kind kind;
	uint16_t level;
	uint32_t back;
	bool orphan, trx;
};

static void
walk(const struct step *v, size_t n)
{
	struct pp_nest *x = calloc(1, sizeof(*x));
	struct pp_nest_place place;
	size_t i;

	assert_non_null(x);
	pp_nest_begin(x);
	for (i = 0; i < n; i++) {
		struct pp_nest_event e = {.id = v[i].id, .end = v[i].end,
			.parent = v[i].parent, .parent_told = true,
			.parent_transaction = v[i].trx, .kind = v[i].kind};

		pp_nest_add(x, &e, &place);
		if (place.level != v[i].level || place.back != v[i].back ||
		    place.orphan != v[i].orphan)
			fail_msg("event %u: level %u, back %u, orphan %d",
			    (unsigned)v[i].id, place.level,
			    (unsigned)place.back, place.orphan);
	}
	free(x);
}

#define WALK(...) do { \
	static const struct step v_[] = {__VA_ARGS__}; \
	walk(v_, sizeof(v_) / sizeof(v_[0])); \
} while (0)

static void
test_places(void **state)
{
	(void)state;
	/* a statement, its stages, their waits; another */
	WALK({1, 9, 0, S, 0, 0, false, false}, {2, 4, 1, G, 1, 0, false,
	    false}, {3, 3, 2, W, 2, 0, false, false}, {5, 8, 1, G, 1, 0,
	    false, false}, {7, 7, 5, W, 2, 0, false, false}, {12, 12, 0, S,
	    0, 0, false, false});
	/* the stage is gone: ids tell the statement */
	WALK({1, 9, 0, S, 0, 0, false, false}, {3, 3, 2, W, 1, 0, true,
	    false}, {12, 12, 11, W, 0, 0, true, false});
	/* an explicit transaction outlives what began it */
	WALK({1, 5, 0, S, 0, 0, false, false}, {3, 30, 1, T, 0, 1, false,
	    false}, {4, 4, 1, G, 1, 0, false, false}, {8, 12, 3, S, 0, 2,
	    false, true}, {9, 9, 8, G, 1, 0, false, false}, {20, 40, 3, S, 0,
	    4, false, true}, {33, 33, 20, G, 1, 0, false, false});
	/* a transaction that the input does not have: no orphan */
	WALK({1, 50, 0, S, 0, 0, false, false}, {8, 12, 3, S, 0, 0, false,
	    true});
	/* a function in a SELECT, and a statement after it */
	WALK({1, 20, 0, S, 0, 0, false, false}, {3, 25, 1, T, 0, 1, false,
	    false}, {5, 6, 3, S, 1, 1, false, true}, {22, 24, 3, S, 0, 2,
	    false, true});
	/* running events hold what names a parent */
	WALK({1, RUN, 0, S, 0, 0, false, false}, {2, 2, 1, G, 1, 0, false,
	    false}, {5, RUN, 1, G, 1, 0, false, false}, {6, 6, 5, W, 2, 0,
	    false, false}, {7, 7, 3, W, 2, 0, true, false}, {9, 9, 0, S, 0,
	    0, false, false});
	/* without last ids only names tell */
	WALK({1, NO, 0, W, 0, 0, false, false}, {2, NO, 1, W, 1, 0, false,
	    false}, {3, NO, 0, W, 0, 0, false, false});
}

static void
test_depth(void **state)
{
	struct pp_nest *x = calloc(1, sizeof(*x));
	struct pp_nest_place place;
	uint64_t i;

	(void)state;
	assert_non_null(x);
	pp_nest_begin(x);
	for (i = 1; i < 3 * PP_NEST_DEPTH; i++) {
		struct pp_nest_event e = {.id = i, .end = 100000,
			.parent = i - 1, .parent_told = true, .kind = S};

		pp_nest_add(x, &e, &place);
		assert_true(place.level < PP_NEST_DEPTH);
		assert_int_equal(place.level, i < PP_NEST_DEPTH ? i - 1 :
		    PP_NEST_DEPTH - 1);
	}
	free(x);
}

/* ------------------------------------------------------------------ dumps */

#define MOST (1u << 20)

static char *
load(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *p;

	if (f == NULL)
		return NULL;
	p = malloc(MOST);
	assert_non_null(p);
	*n = fread(p, 1, MOST, f);
	fclose(f);
	return p;
}

static void
reads(const char *path)
{
	static const size_t chunks[] = {0, 1, 64, 4096};
	struct trace_how how = {.reader = "client"};
	struct trace_world *w = calloc(1, sizeof(*w));
	uint64_t rows = 0;
	size_t n, i;
	char *p = load(path, &n);

	assert_non_null(w);
	assert_non_null(p);
	for (i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
		memset(w, 0, sizeof(*w));
		how.chunk = chunks[i];
		how.raw = true;
		how.by = true;
		if (trace_try(w, p, n, &how, 0, -1) != TRACE_FITS)
			fail_msg("%s: %s", path, w->why);
		if (i > 0)
			assert_int_equal(w->rows, rows);
		rows = w->rows;
		trace_free(w);
	}
	free(p);
	free(w);
}

static void
test_corpus(void **state)
{
	static const char *const folders[] = {"corpora/psevents/ok",
	    "corpora/psevents/ok/server", "corpora/psevents/bad"};
	struct dirent *e;
	char path[600];
	unsigned n = 0;
	size_t i;
	DIR *d;

	(void)state;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		d = opendir(folders[i]);
		if (d == NULL)
			skip();
		while ((e = readdir(d)) != NULL) {
			if (strchr(e->d_name, '.') == NULL ||
			    e->d_name[0] == '.')
				continue;
			snprintf(path, sizeof(path), "%s/%s", folders[i],
			    e->d_name);
			reads(path);
			n++;
		}
		closedir(d);
	}
	assert_true(n >= 12);
}

/* The first k allocations are granted, for every k. */
static void
test_memory(void **state)
{
	static const char *const files[] = {
	    "corpora/psevents/ok/server/statements.tsv",
	    "corpora/psevents/ok/loose_ends.tsv",
	    "corpora/psevents/ok/function.tsv",
	    "corpora/psevents/ok/sums.tsv"};
	static const struct trace_how how = {.reader = "client", .raw = true,
	    .by = true};
	struct trace_world *w = calloc(1, sizeof(*w));
	enum trace_end end;
	size_t n, i;
	long k;
	char *p;

	(void)state;
	assert_non_null(w);
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		p = load(files[i], &n);
		if (p == NULL)
			skip();
		for (k = 0, end = TRACE_NO_MEMORY; end == TRACE_NO_MEMORY;
		    k++) {
			memset(w, 0, sizeof(*w));
			end = trace_try(w, p, n, &how, 0, k);
			assert_int_equal(w->mem.failed, end ==
			    TRACE_NO_MEMORY);
			trace_free(w);
		}
		assert_int_equal(end, TRACE_FITS);
		assert_true(k > 100);
		free(p);
	}
	free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_extsort),
		cmocka_unit_test(test_extsort_no_room),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_corpus),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
