/*
 * fuzz.c: the fuzzer's way into a reader, built once for each of readers.def
 * (PP_FUZZ_READER is its name).
 *
 * The first byte chooses the size of chunks, the rest is the file.  May touch
 * reader.h only; `make fuzz` builds and runs it.
 */
#include <stdlib.h>

#include "reader.h"

#define PASTE(a, b) a##b
#define READER_OF(name) PASTE(pp_reader_, name)
#define READER READER_OF(PP_FUZZ_READER)

/* A file of a few KB needs no more than this; more is a finding. */
#define MEMORY ((size_t)256 << 20)

extern const struct pp_reader READER;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/*
 * The chunk of at least `want` bytes at the head of rest, as pp_input_next
 * has it; returns its bytes, which the caller frees.
 */
static void *
cut(struct pp_mem *mem, struct pp_chunk *c, pp_str rest, size_t want)
{
	const char *nl = NULL;
	void *copy;

	if (want <= rest.n)
		nl = memchr(rest.p + want - 1, '\n', rest.n - want + 1);
	c->n = nl != NULL ? (size_t)(nl + 1 - rest.p) : rest.n;
	c->last = c->n == rest.n;
	/* a block of its own, so that a step past the end is found */
	copy = pp_mem_alloc(mem, c->n);
	if (c->n)
		memcpy(copy, rest.p, c->n);
	c->p = copy;
	c->used = 0;
	c->lines = 0;
	return copy;
}

static void
count_lines(const struct pp_chunk *c)
{
	uint64_t lines = 0;
	size_t i;

	for (i = 0; i < c->used; i++)
		lines += c->p[i] == '\n';
	PP_ASSERT(c->lines == lines);
}

static void
read_all(struct pp_model *m, pp_str file, size_t size)
{
	struct pp_records rec;
	struct pp_chunk c = {.line = 1};
	struct pp_peek peek = {.has_tick = false};
	struct pp_fold *fold;
	uint32_t source;
	size_t want = size;
	void *copy;

	(void)READER.probe(file);
	READER.peek(file, &peek);
	source = pp_model_source(m);
	m->sources[source].name = PP_STR("fuzz");
	m->sources[source].path = PP_STR("fuzz");
	pp_records_init(&rec, m->mem, READER.record_size);
	fold = READER.open(m, 0);
	READER.begin(fold, source);
	do {
		copy = cut(m->mem, &c, file, want);
		pp_records_reset(&rec);
		READER.lex(&c, &rec);
		PP_ASSERT(c.used <= c.n);
		PP_ASSERT(c.used == c.n || !c.last);
		count_lines(&c);
		(void)READER.fold(fold, &c, &rec);
		pp_mem_free(m->mem, copy);
		file = pp_str_skip(file, c.used);
		c.offset += c.used;
		c.line += c.lines;
		want = c.used == 0 ? c.n * 2 : size;
	} while (!c.last);
	READER.end(fold, source);
	READER.close(fold);
	pp_records_free(&rec);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const size_t sizes[] = {64, 1, 4096, 200, 1u << 20, 17, 1000,
	    64};
	struct pp_mem mem;
	struct pp_model m;
	jmp_buf trap;
	pp_str file;

	if (n == 0)
		return 0;
	file = (pp_str){(const char *)data + 1, n - 1};
	pp_mem_init(&mem, MEMORY);
	mem.trap = &trap;
	if (setjmp(trap) == 0) {
		pp_model_init(&m, &mem, NULL, ".");
		read_all(&m, file, sizes[data[0] % 8]);
		pp_log_free(&m.log);
	} else {
		abort();
	}
	pp_mem_free_all(&mem);
	return 0;
}
