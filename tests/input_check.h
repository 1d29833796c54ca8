/*
 * input_check.h: what the tests of input share: files in a folder of their
 * own, gzip members, and a reader that checks every chunk.
 */
#ifndef PP_TEST_INPUT_CHECK_H
#define PP_TEST_INPUT_CHECK_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "../readers/input.h"

static char dir[300];

struct bytes {
	char *p;
	size_t n, cap;
};

static inline void
add(struct bytes *b, const void *p, size_t n)
{
	if (n == 0)
		return;
	if (b->cap - b->n < n) {
		b->cap = (b->n + n) * 2;
		b->p = realloc(b->p, b->cap);
		assert_non_null(b->p);
	}
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

static inline void
drop(struct bytes *b)
{
	free(b->p);
	memset(b, 0, sizeof(*b));
}

static inline const char *
file_at(const char *name)
{
	static char path[400];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static inline void
save(const char *name, const char *p, size_t n)
{
	FILE *f = fopen(file_at(name), "wb");

	assert_non_null(f);
	if (n)
		assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static inline void
load(const char *name, struct bytes *b)
{
	char buf[4096];
	size_t n;
	FILE *f = fopen(file_at(name), "rb");

	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		add(b, buf, n);
	fclose(f);
}

/* One gzip member holding p, appended to b. */
static inline void
add_member(struct bytes *b, const char *p, size_t n)
{
	z_stream z;
	unsigned char out[4096];
	int r;

	memset(&z, 0, sizeof(z));
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8,
	    Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (z_const Bytef *)(uintptr_t)p;
	z.avail_in = (uInt)n;
	do {
		z.next_out = out;
		z.avail_out = sizeof(out);
		r = deflate(&z, Z_FINISH);
		add(b, out, sizeof(out) - z.avail_out);
	} while (r == Z_OK);
	assert_int_equal(r, Z_STREAM_END);
	deflateEnd(&z);
}

/* The same with the extra field of BGZF, whose length is told off by `lie`. */
static inline void
add_bgzf(struct bytes *b, const char *p, size_t n, int lie)
{
	struct bytes one = {0};
	unsigned char extra[8] = {6, 0, 'B', 'C', 2, 0, 0, 0};
	size_t told;

	add_member(&one, p, n);
	told = one.n + sizeof(extra) - 1 + (size_t)lie;
	extra[6] = (unsigned char)told;
	extra[7] = (unsigned char)(told >> 8);
	one.p[3] = 4;
	add(b, one.p, 10);
	add(b, extra, sizeof(extra));
	add(b, one.p + 10, one.n - 10);
	drop(&one);
}

/* Text with short, long and empty lines, CRs, NULs and no order in it. */
static inline void
make_text(struct bytes *b, size_t n, bool newline)
{
	uint32_t seed = 12345;
	char line[400];
	size_t i, len;

	while (b->n < n) {
		seed = seed * 1664525u + 1013904223u;
		len = (seed >> 24) % 160;
		if ((seed >> 8) % 50 == 0)
			len = 0;
		for (i = 0; i < len; i++) {
			seed = seed * 1664525u + 1013904223u;
			line[i] = (char)(seed >> 24);
			if (line[i] == '\n')
				line[i] = '\0';
		}
		line[len] = '\n';
		add(b, line, len + 1);
	}
	b->n = n;
	b->p[n - 1] = newline ? '\n' : 'x';
}

enum use { USE_ALL, USE_LATE, USE_SOME };

/* What lex would do: mark used and lines. */
static inline void
use(struct pp_chunk *c, enum use how, unsigned round)
{
	size_t i, n = c->n;

	if (!c->last && how == USE_LATE && round % 3 != 2)
		n = 0;
	if (!c->last && how == USE_SOME) {
		/* leave the last lines, as an unfinished statement would */
		n -= n / 3;
		while (n > 0 && c->p[n - 1] != '\n')
			n--;
	}
	c->used = n;
	c->lines = 0;
	for (i = 0; i < n; i++)
		c->lines += c->p[i] == '\n';
}

/* Read all of `in`, checking every chunk, and gather what was used. */
static inline void
drain(struct pp_input *in, size_t size, enum use how, struct bytes *out)
{
	struct pp_chunk c;
	uint64_t line = 1;
	unsigned round = 0;
	size_t before = 0;
	bool last = false;

	memset(&c, 0x5a, sizeof(c));
	while (pp_input_next(in, &c)) {
		assert_false(last);
		assert_int_equal(c.offset, out->n);
		assert_int_equal(c.line, line);
		assert_int_equal(c.used, 0);
		assert_int_equal(c.lines, 0);
		last = c.last;
		if (!last) {
			assert_true(c.n >= size);
			assert_int_equal(c.p[c.n - 1], '\n');
			if (before)
				assert_true(c.n >= 2 * before);
		}
		assert_int_equal(pp_input_bytes(in), c.offset + c.n);
		use(&c, how, round++);
		before = c.used == 0 ? c.n : 0;
		add(out, c.p, c.used);
		line += c.lines;
	}
	assert_true(last);
	assert_false(pp_input_next(in, &c));
	assert_false(pp_input_next(in, &c));
}

static inline void
expect_chunks(const char *name, size_t size, enum use how, const char *p,
    size_t n, const char *error)
{
	struct pp_mem mem;
	struct pp_input *in;
	struct bytes got = {0};
	pp_str err = {0};

	pp_mem_init(&mem, 0);
	in = pp_input_open(&mem, file_at(name), size, &err);
	assert_non_null(in);
	drain(in, size ? size : PP_CHUNK_SIZE, how, &got);
	assert_int_equal(got.n, n);
	if (n)
		assert_memory_equal(got.p, p, n);
	err = pp_input_error(in);
	if (error == NULL)
		assert_int_equal(err.n, 0);
	else if (strstr(err.p, error) == NULL)
		fail_msg("\"%s\" does not speak of \"%s\"", err.p, error);
	pp_input_close(in);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
	drop(&got);
}

static const size_t chunk_sizes[] = {1, 64, 4096, 4u << 20, 0};

static inline void
expect_sizes(const char *name, const char *p, size_t n, const char *error)
{
	size_t i;

	for (i = 0; i < sizeof(chunk_sizes) / sizeof(chunk_sizes[0]); i++) {
		expect_chunks(name, chunk_sizes[i], USE_ALL, p, n, error);
		expect_chunks(name, chunk_sizes[i], USE_LATE, p, n, error);
		expect_chunks(name, chunk_sizes[i], USE_SOME, p, n, error);
	}
}

static inline int
make_dir(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(dir, sizeof(dir), "%s/pp_input_XXXXXX",
	    tmp != NULL && strlen(tmp) < 200 ? tmp : "/tmp");
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static inline int
drop_dir(void **state)
{
	char cmd[400];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd) == 0 ? 0 : -1;
}

#endif
