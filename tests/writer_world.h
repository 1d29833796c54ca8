/*
 * writer_world.h: a writer at work on a file of its own, for tests.
 *
 * Define _XOPEN_SOURCE 700 before the first header (mkdtemp, nftw).
 */
#ifndef PP_WRITER_WORLD_H
#define PP_WRITER_WORLD_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../writers/writer.h"
#include "remove_tree.h"

struct writer_world {
	struct pp_rowsink sink;	/* in front of the writer; first member */
	struct pp_mem mem;
	struct pp_diag diag;
	struct pp_wctx w;
	char dir[64], path[96];
	char *got;		/* the file, with a NUL behind it */
	size_t n;
};

static inline enum pp_status
world_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct writer_world *v = (struct writer_world *)(void *)s;

	return v->w.writer->begin(&v->w, t);
}

static inline enum pp_status
world_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	struct writer_world *v = (struct writer_world *)(void *)s;

	return v->w.writer->rows(&v->w, b);
}

static inline enum pp_status
world_end(struct pp_rowsink *s, const struct pp_table *t)
{
	struct writer_world *v = (struct writer_world *)(void *)s;

	return v->w.writer->end(&v->w, t);
}

static inline int
world_setup(void **state)
{
	struct writer_world *v = calloc(1, sizeof(*v));

	if (v == NULL)
		return -1;
	pp_mem_init(&v->mem, 0);
	pp_diag_init(&v->diag, &v->mem, NULL);
	v->sink = (struct pp_rowsink){world_begin, world_rows, world_end};
	strcpy(v->dir, "/tmp/pp_writer.XXXXXX");
	if (mkdtemp(v->dir) == NULL)
		return -1;
	snprintf(v->path, sizeof(v->path), "%s/out", v->dir);
	*state = v;
	return 0;
}

static inline int
world_teardown(void **state)
{
	struct writer_world *v = *state;
	int status = remove_tree(v->dir);

	free(v->got);
	pp_mem_free_all(&v->mem);
	free(v);
	return status;
}

static inline void
world_start(struct writer_world *v, const char *writer)
{
	pp_str err;

	v->w.writer = pp_writer_named(pp_str_from(writer));
	assert_non_null(v->w.writer);
	v->w.mem = &v->mem;
	v->w.diag = &v->diag;
	v->w.sink = pp_sink_open(&v->mem, PP_SINK_FILE, v->path, &err);
	assert_non_null(v->w.sink);
	assert_int_equal(v->w.writer->open(&v->w), PP_OK);
}

/* End the output and read it. */
static inline void
world_finish(struct writer_world *v)
{
	long size;
	FILE *f;

	assert_int_equal(v->w.writer->close(&v->w), PP_OK);
	v->w.writer->free(&v->w);
	assert_true(pp_sink_commit(v->w.sink));
	f = fopen(v->path, "rb");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	size = ftell(f);
	assert_true(size >= 0);
	rewind(f);
	v->n = (size_t)size;
	free(v->got);
	v->got = malloc(v->n + 1);
	assert_non_null(v->got);
	assert_int_equal(fread(v->got, 1, v->n, f), v->n);
	v->got[v->n] = '\0';
	fclose(f);
}

/* Rows of a table of one text column. */
static inline void
world_text_rows(struct writer_world *v, const struct pp_table *t,
    const pp_str *s, size_t n)
{
	struct pp_rows r;
	size_t i;

	pp_rows_open(&r, &v->mem, &v->sink, t);
	for (i = 0; i < n; i++) {
		pp_put_text(&r, s[i]);
		pp_row_end(&r);
	}
	assert_int_equal(pp_rows_close(&r), PP_OK);
}

#endif
