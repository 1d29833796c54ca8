/*
 * fuzz_psevents.c: the fuzzer's way through dumps of the Performance Schema:
 * the forms of clients, the sorter, parents, the accounts with their
 * identities, and all tables.
 *
 * The first byte chooses the size of chunks and whether raw tables and --by
 * are asked for, the rest is the file.  `make fuzz` builds and runs it.
 */
#include "trace_world.h"

#define MEMORY ((size_t)256 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const size_t sizes[] = {0, 64, 1, 4096, 200, 17, 1000, 64};
	struct trace_world w;
	struct trace_how how;

	if (n == 0)
		return 0;
	memset(&w, 0, sizeof(w));
	how = (struct trace_how){
		.reader = "client",
		.raw = (data[0] & 0x10) != 0,
		.by = (data[0] & 0x20) != 0,
		.chunk = sizes[data[0] % 8],
	};
	if (trace_try(&w, (const char *)data + 1, n - 1, &how, MEMORY, -1) ==
	    TRACE_DIFFERS) {
		fprintf(stderr, "%s\n", w.why);
		abort();
	}
	trace_free(&w);
	return 0;
}
