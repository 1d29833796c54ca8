/*
 * fuzz_trace.c: the fuzzer's way through everything between a file and rows:
 * the input layer with its decompressors, the Oracle reader, the accounts with
 * their identities, and all tables.
 *
 * The first byte chooses the size of chunks and whether raw tables and --by
 * are asked for, the rest is the file.  `make fuzz` builds and runs it.
 */
#include <unistd.h>

#include "trace_world.h"

#define MEMORY ((size_t)256 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
save(const char *path, const uint8_t *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(p, 1, n, f) != n || fclose(f) != 0)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const size_t sizes[] = {0, 64, 1, 4096, 200, 17, 1000, 64};
	struct trace_world w;
	struct trace_how how;
	char path[60];

	if (n == 0)
		return 0;
	snprintf(path, sizeof(path), "/dev/shm/fuzz_trace.%ld",
	    (long)getpid());
	save(path, data + 1, n - 1);
	memset(&w, 0, sizeof(w));
	how = (struct trace_how){
		.raw = (data[0] & 0x10) != 0,
		.by = (data[0] & 0x20) != 0,
		.chunk = sizes[data[0] % 8],
		.path = path,
	};
	/* a bomb of a few KB may ask for more; anything else does not */
	if (trace_try(&w, NULL, 0, &how, MEMORY, -1) == TRACE_DIFFERS) {
		fprintf(stderr, "%s\n", w.why);
		abort();
	}
	trace_free(&w);
	unlink(path);
	return 0;
}
