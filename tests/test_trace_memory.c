/*
 * test_trace_memory.c: memory that runs out, at every single allocation of a
 * run from bytes to rows; and a budget that is too small.  Nothing is lost or
 * used after it was freed (the sanitisers look on), and the run ends at once.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "trace_world.h"

#define FOLDER "corpora/oracle10046/"

static char *
load(const char *name, size_t *n)
{
	char path[200], *p;
	FILE *f;

	snprintf(path, sizeof(path), FOLDER "%s", name);
	f = fopen(path, "rb");
	if (f == NULL)
		return NULL;
	p = malloc(1 << 20);
	assert_non_null(p);
	*n = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

static enum trace_end
try(const char *p, size_t n, const struct trace_how *how, size_t limit,
    long grants, size_t *peak)
{
	struct trace_world *w = calloc(1, sizeof(*w));
	enum trace_end end;

	assert_non_null(w);
	end = trace_try(w, p, n, how, limit, grants);
	assert_int_equal(w->mem.failed, end == TRACE_NO_MEMORY);
	if (limit != 0)
		assert_true(w->mem.peak <= limit);
	if (peak != NULL)
		*peak = w->mem.peak;
	trace_free(w);
	free(w);
	return end;
}

/* The first k allocations are granted, for every k up to what is needed. */
static void
test_every_allocation(void **state)
{
	static const char *const traces[] = {"ok/tree_three_levels.trc",
	    "ok/v1106_sqlid_without_plh.trc", "ok/v92_waits_recursive.trc",
	    "ok/bind_nchar_nested.trc", "ok/shared_server.trc",
	    "bad/glued_and_cut.trc"};
	static const struct trace_how how = {.raw = true, .by = true,
	    .chunk = 700};
	enum trace_end end;
	size_t i, n;
	long k;
	char *p;

	(void)state;
	for (i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
		p = load(traces[i], &n);
		if (p == NULL)
			skip();
		for (k = 0; k < 1000000; k++) {
			end = try(p, n, &how, 0, k, NULL);
			if (end != TRACE_NO_MEMORY)
				break;
		}
		assert_int_equal(end, TRACE_FITS);
		assert_true(k > 200);
		free(p);
	}
}

/* A budget below what is needed ends the run; one as large is enough. */
static void
test_budget(void **state)
{
	static const struct trace_how how = {.raw = true, .by = true};
	size_t n, peak, limit;
	char *p = load("ok/demo.trc", &n);

	(void)state;
	if (p == NULL)
		skip();
	assert_int_equal(try(p, n, &how, 0, -1, &peak), TRACE_FITS);
	assert_int_equal(try(p, n, &how, peak, -1, NULL), TRACE_FITS);
	assert_int_equal(try(p, n, &how, peak - 1, -1, NULL),
	    TRACE_NO_MEMORY);
	for (limit = 1; limit < peak; limit = limit * 5 / 4 + 1)
		assert_int_equal(try(p, n, &how, limit, -1, NULL),
		    TRACE_NO_MEMORY);
	free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_allocation),
		cmocka_unit_test(test_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
