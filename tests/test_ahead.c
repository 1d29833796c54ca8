/*
 * test_ahead.c: what lanes hand over is what one thread reads, whatever the
 * number of lanes and the size of chunks; sums of files; stopping early.
 */
#include "input_check.h"

#include "../readers/ahead.h"
#include "../readers/oracle10046.h"

#define FILES 5

static struct pp_ahead_file list[FILES];
static char paths[FILES][400];
static struct bytes text[FILES];

/* A trace of about n bytes, with a statement that goes over chunks. */
static void
make_trace(struct bytes *b, size_t n, unsigned seed)
{
	static const char parsing[] = "PARSING IN CURSOR #3 len=9 dep=0 "
	    "uid=5 oct=3 lid=5 tim=9 hv=1 ad='0'\n";
	char line[200];
	unsigned i = 0, k, long_one = seed % 3 == 0;

	while (b->n < n) {
		seed = seed * 1664525u + 1013904223u;
		i++;
		k = (unsigned)snprintf(line, sizeof(line), "WAIT #%u: nam='db "
		    "file sequential read' ela= %u file#=1 block#=%u blocks=1 "
		    "obj#=7 tim=%u\n", seed >> 28, seed >> 20, seed >> 8,
		    1000000 + i * 5000);
		add(b, line, k);
		if (i % 500 != 0 || !long_one)
			continue;
		add(b, parsing, sizeof(parsing) - 1);
		for (k = 0; k < 3000; k++)
			add(b, "select 1\n", 9);
		add(b, "END OF STMT\n", 12);
	}
}

static int
setup(void **state)
{
	char name[20];
	int i;

	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/profpivot-ahead.XXXXXX");
	if (mkdtemp(dir) == NULL)
		return -1;
	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "%d.trc", i);
		if (i != 1)
			make_trace(&text[i], i == 4 ? 3000000 : 90000,
			    (unsigned)i);
		save(name, text[i].p, text[i].n);
		snprintf(paths[i], sizeof(paths[i]), "%s", file_at(name));
		list[i].path = paths[i];
		list[i].reader = pp_reader_named(PP_STR("oracle10046"));
	}
	return 0;
}

static int
teardown(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < FILES; i++) {
		unlink(paths[i]);
		drop(&text[i]);
	}
	return rmdir(dir);
}

/* What the records of a file are, as one number, and how many. */
struct seen {
	uint64_t records, hash, lines, bytes;
	uint8_t sum[32];
	bool summed;
};

static void
see(struct seen *s, const struct pp_chunk *c, const struct pp_records *r)
{
	const unsigned char *p;
	size_t i;

	s->records += r->n;
	s->lines += c->lines;
	for (p = (const unsigned char *)c->p, i = 0; i < c->used; i++)
		s->hash = s->hash * 1099511628211u + p[i];
}

static void
read_here(const struct pp_ahead_file *f, size_t size, struct seen *s)
{
	struct pp_records rec;
	struct pp_input *in;
	struct pp_chunk c;
	struct pp_mem mem;
	pp_str err;

	memset(s, 0, sizeof(*s));
	pp_mem_init(&mem, 0);
	in = pp_input_open(&mem, f->path, size, &err);
	assert_non_null(in);
	pp_records_init(&rec, &mem, f->reader->record_size);
	memset(&c, 0, sizeof(c));
	while (pp_input_next(in, &c)) {
		pp_records_reset(&rec);
		f->reader->lex(&c, &rec);
		see(s, &c, &rec);
	}
	s->bytes = pp_input_bytes(in);
	s->summed = pp_input_sha256(in, s->sum);
	pp_input_close(in);
	pp_mem_free_all(&mem);
}

static void
same_as_here(void **state)
{
	static const size_t size[] = {64, 5000, 0, 4u << 20};
	const struct pp_ahead_item *x;
	struct pp_hasher *h;
	struct pp_ahead *a;
	struct seen want, got[FILES];
	struct pp_mem mem;
	size_t hash[FILES], i, k;
	unsigned lanes;

	(void)state;
	pp_mem_init(&mem, 0);
	for (k = 0; k < 4; k++) {
		for (lanes = 1; lanes <= 7; lanes += 2) {
			h = pp_hasher_open(&mem);
			assert_non_null(h);
			a = pp_ahead_open(&mem, list, FILES, lanes, size[k],
			    0, h);
			assert_non_null(a);
			memset(got, 0, sizeof(got));
			for (i = 0; i < FILES; i++) {
				while (x = pp_ahead_next(a, i), !x->end)
					see(&got[i], &x->chunk, &x->records);
				assert_true(x->opened && x->hashed);
				assert_int_equal(x->error.n, 0);
				got[i].bytes = x->bytes;
				hash[i] = x->hash;
			}
			for (i = 0; i < FILES; i++) {
				got[i].summed = pp_hasher_get(h, hash[i],
				    got[i].sum);
				read_here(&list[i], size[k], &want);
				assert_memory_equal(&got[i], &want,
				    sizeof(want));
			}
			pp_ahead_close(a);
			pp_hasher_close(h);
		}
	}
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
}

/* Nobody asks for what is there. */
static void
stopped(void **state)
{
	const struct pp_ahead_item *x;
	struct pp_hasher *h;
	struct pp_ahead *a;
	struct pp_mem mem;
	unsigned i;

	(void)state;
	pp_mem_init(&mem, 0);
	for (i = 0; i < 60; i++) {
		h = pp_hasher_open(&mem);
		a = pp_ahead_open(&mem, list, FILES, 1 + i % 4, 4096, 0, h);
		assert_non_null(a);
		if (i % 3 > 0) {
			x = pp_ahead_next(a, 0);
			assert_int_equal(x->file, 0);
		}
		pp_hasher_stop(h);
		pp_ahead_close(a);
		pp_hasher_close(h);
	}
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
}

/* A lane without memory ends the run as if this thread had none. */
static void
out_of_memory(void **state)
{
	struct pp_ahead *volatile a = NULL;
	struct pp_hasher *volatile h;
	struct pp_mem mem;
	jmp_buf trap;

	(void)state;
	pp_mem_init(&mem, 0);
	h = pp_hasher_open(&mem);
	if (setjmp(trap) == 0) {
		mem.trap = &trap;
		a = pp_ahead_open(&mem, list, FILES, 2, 0, 300000, h);
		while (!pp_ahead_next(a, 0)->end)
			continue;
		fail_msg("300,000 bytes were enough");
	}
	mem.trap = NULL;
	assert_true(mem.failed);
	pp_hasher_stop(h);
	pp_ahead_close(a);
	pp_hasher_close(h);
	pp_mem_free_all(&mem);
}

static void
gone(void **state)
{
	struct pp_ahead_file none = {"/nonexistent/x.trc", NULL};
	const struct pp_ahead_item *x;
	struct pp_hasher *h;
	struct pp_ahead *a;
	struct pp_mem mem;

	(void)state;
	none.reader = list[0].reader;
	pp_mem_init(&mem, 0);
	h = pp_hasher_open(&mem);
	a = pp_ahead_open(&mem, &none, 1, 3, 0, 0, h);
	assert_non_null(a);
	x = pp_ahead_next(a, 0);
	assert_true(x->end);
	assert_false(x->opened);
	assert_true(x->error.n > 0);
	pp_ahead_close(a);
	pp_hasher_close(h);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(same_as_here), cmocka_unit_test(stopped),
	    cmocka_unit_test(out_of_memory), cmocka_unit_test(gone),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
