/*
 * test_trace_damage.c: small traces cut at every byte, and with every byte
 * taken out, go through everything but the writers: nothing crashes or hangs,
 * the identities of the accounts hold to the last tick, and no whole record
 * gets a negative self time by what is missing around it.
 *
 * The traces are those of corpora/, found from the folder that the tests run
 * in.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "trace_world.h"

#define FOLDER "corpora/oracle10046/"

/* Of every release and kind of record; a few KB each. */
static const char *const traces[] = {
	"ok/v8i_centiseconds.trc",
	"ok/v92_waits_recursive.trc",
	"ok/v1106_sqlid_without_plh.trc",
	"ok/v112_close_types.trc",
	"ok/v122_iso_binds.trc",
	"ok/v19c_lob_and_close.trc",
	"ok/v23c_free.trc",
	"ok/bind_nchar_nested.trc",
	"ok/parse_error_nested.trc",
	"ok/tree_three_levels.trc",
	"bad/glued_and_cut.trc",
};
#define TRACES (sizeof(traces) / sizeof(traces[0]))

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

/*
 * Run the trace; `line` is the one that was changed (0: none).  No call but
 * that of this line may have less self time than `least`.
 */
static int64_t
run(const char *what, size_t at, const char *p, size_t n, uint64_t line,
    int64_t least)
{
	static const struct trace_how every = {.raw = true, .by = true};
	struct trace_world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	w->damaged = line;
	switch (trace_try(w, p, n, &every, (size_t)64 << 20, -1)) {
	case TRACE_FITS:
		break;
	case TRACE_DIFFERS:
		fail_msg("%s at %zu: %s", what, at, w->why);
		break;
	case TRACE_NO_MEMORY:
		fail_msg("%s at %zu: out of memory", what, at);
		break;
	}
	if (w->least < least)
		fail_msg("%s at %zu: self time of the call on line %llu is "
		    "%lld", what, at, (unsigned long long)w->least_line,
		    (long long)w->least);
	if (least == INT64_MIN)		/* the whole trace */
		assert_true(w->least != INT64_MAX && w->rows > 70);
	least = w->least;
	trace_free(w);
	free(w);
	return least < 0 ? least : 0;
}

/* What is cut off takes children and waits away, never time from a call. */
static void
test_prefixes(void **state)
{
	size_t i, n, cut;
	int64_t least;
	char *p;

	(void)state;
	for (i = 0; i < TRACES; i++) {
		p = load(traces[i], &n);
		if (p == NULL)
			skip();
		least = run(traces[i], n, p, n, 0, INT64_MIN);
		for (cut = 0; cut < n; cut++)
			run(traces[i], cut, p, cut, 0, least);
		free(p);
	}
}

static void
test_deletions(void **state)
{
	size_t i, n, at;
	uint64_t line;
	int64_t least;
	char *p, *q;

	(void)state;
	for (i = 0; i < TRACES; i++) {
		p = load(traces[i], &n);
		if (p == NULL)
			skip();
		least = run(traces[i], n, p, n, 0, INT64_MIN);
		q = malloc(n);
		assert_non_null(q);
		line = 1;
		for (at = 0; at < n; at++) {
			memcpy(q, p, at);
			memcpy(q + at, p + at + 1, n - at - 1);
			run(traces[i], at, q, n - 1, line, least);
			line += p[at] == '\n';
		}
		free(p);
		free(q);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_deletions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
