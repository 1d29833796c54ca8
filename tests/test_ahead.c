/*
 * test_ahead.c: what lanes hand over is what one thread reads, whatever the
 * number of lanes and the size of chunks; sums of files; stopping early.
 */
#include "input_check.h"
#include "lex_dump.h"

#include "../readers/ahead.h"

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
	const struct pp_o_rec *v = r->v;
	struct pp_o_rec one;
	size_t i;

	for (i = 0; i < r->n; i++) {
		one = v[i];
		one.line += c->before;
		s->hash = s->hash * 1099511628211u + dump_hash(&one);
	}
	s->records += r->n;
	s->lines += c->lines;
	assert_int_equal(c->offset, s->bytes);
	s->bytes += c->used;
}

static void
read_here(const struct pp_ahead_file *f, struct seen *s)
{
	struct pp_records rec;
	struct pp_input *in;
	struct pp_chunk c;
	struct pp_mem mem;
	pp_str err;

	memset(s, 0, sizeof(*s));
	pp_mem_init(&mem, 0);
	in = pp_input_open(&mem, f->path, 50000, &err);
	assert_non_null(in);
	pp_records_init(&rec, &mem, f->reader->record_size);
	memset(&c, 0, sizeof(c));
	while (pp_input_next(in, &c)) {
		pp_records_reset(&rec);
		f->reader->lex(&c, &rec);
		see(s, &c, &rec);
	}
	assert_int_equal(s->bytes, pp_input_bytes(in));
	s->summed = pp_input_sha256(in, s->sum);
	pp_input_close(in);
	pp_mem_free_all(&mem);
}

/* The files v[0..n) by `lanes` threads, in pieces of `size` bytes; they take
 * `limit` bytes at most. */
static void
read_within(const struct pp_ahead_file *v, size_t n, size_t size,
    unsigned lanes, size_t limit, struct seen *got)
{
	const struct pp_ahead_item *x;
	struct pp_hasher *h;
	struct pp_ahead *a;
	struct pp_mem mem;
	size_t *hash = calloc(n, sizeof(*hash)), i, k = 0;

	pp_mem_init(&mem, 0);
	assert_non_null(hash);
	h = pp_hasher_open(&mem);
	a = pp_ahead_open(&mem, v, n, lanes, size, limit, h);
	assert_non_null(a);
	memset(got, 0, n * sizeof(*got));
	for (i = 0; i < n; i++) {
		while (k++, x = pp_ahead_next(a, i, k % 3 ? 0 : 500000),
		    !x->end)
			see(&got[i], &x->chunk, x->records);
		assert_true(x->opened && (x->hashed || x->summed));
		assert_int_equal(x->error.n, 0);
		assert_int_equal(x->bytes, got[i].bytes);
		hash[i] = x->hashed ? x->hash : SIZE_MAX;
		got[i].summed = x->summed;
		memcpy(got[i].sum, x->sha256, 32);
	}
	for (i = 0; i < n; i++)
		if (hash[i] != SIZE_MAX)
			got[i].summed = pp_hasher_get(h, hash[i], got[i].sum);
	pp_ahead_close(a);
	pp_hasher_close(h);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
	free(hash);
}

static void
read_ahead(const struct pp_ahead_file *v, size_t n, size_t size,
    unsigned lanes, struct seen *got)
{
	read_within(v, n, size, lanes, 0, got);
}

static void
same_as_here(void **state)
{
	static const size_t size[] = {64, 5000, 0, 4u << 20};
	struct seen want[FILES], got[FILES];
	unsigned lanes;
	size_t i, k;

	(void)state;
	for (i = 0; i < FILES; i++)
		read_here(&list[i], &want[i]);
	for (k = 0; k < 4; k++)
		for (lanes = 1; lanes <= 7; lanes += 2) {
			read_ahead(list, FILES, size[k], lanes, got);
			assert_memory_equal(got, want, sizeof(want));
		}
}

/* --- what a guess falls for -------------------------------------------- */

static unsigned seed;

static unsigned
dice(unsigned n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

static void
say(struct bytes *b, const char *s)
{
	add(b, s, strlen(s));
}

/* n lines that look like records, or do not. */
static void
lines(struct bytes *b, unsigned n)
{
	static const char *const line[] = {
	    "WAIT #1: nam='x' ela= 5 obj#=-1 tim=7\n",
	    "EXEC #1:c=0,e=9,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=2,tim=8\n",
	    "PARSING IN CURSOR #2 len=5 dep=0 uid=1 oct=3 lid=1 tim=2 hv=3 "
	    "ad='4'\n", "END OF STMT\n", "BINDS #1:\n", " Bind#0\n",
	    "  value=\"ab\n", "from t\n", "\n", "*** 2024-03-26 18:41:08.683\n",
	    "=====================\n", "STAT #1 id=1 cnt=1 pid=0 pos=1 obj=2 "
	    "op='X'\n", "WAIT #3: nam='y' ela= 1 tim=5WAIT #4: nam='z'\n",
	    "\0\0\0WAIT #5: nam='n' ela= 1 obj#=-1 tim=9\n", "12\n",
	    "EXEC #5:c=73,e=73,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=2,ti\n",
	    "WAIT #1: nam='cr' ela= 5 obj#=-1 tim=7\r\n"};

	while (n-- > 0) {
		unsigned k = dice(sizeof(line) / sizeof(line[0]));

		if (k == 13)
			add(b, line[k], 3);
		say(b, line[k] + (k == 13 ? 3 : 0));
	}
}

/* A statement or bind of about n bytes that is made of such. */
static void
group(struct bytes *b, size_t n)
{
	size_t begin, end;
	char head[200];
	struct bytes t = {0};

	while (t.n < n)
		lines(&t, 20);
	if (dice(2)) {
		snprintf(head, sizeof(head), "PARSING IN CURSOR #3 len=%zu "
		    "dep=0 uid=5 oct=3 lid=5 tim=9 hv=1 ad='0'\n",
		    dice(5) ? t.n - 1 : t.n / 2);
		say(b, head);
		add(b, t.p, t.n);
		say(b, "END OF STMT\n");
	} else {
		begin = dice(20);
		end = t.n < 60000 ? t.n : 60000;
		snprintf(head, sizeof(head), "BINDS #3:\n Bind#0\n  oacdty=01 "
		    "mxl=32(02)\n  kxsbbbfp=7fc bln=32 avl=%zu flg=05\n  "
		    "value=\"", end - begin);
		say(b, head);
		add(b, t.p + begin, end - begin);
		say(b, "\"\n");
	}
	drop(&t);
}

static void
make_hostile(struct bytes *b, size_t n)
{
	unsigned k;

	b->n = 0;
	while (b->n < n) {
		switch (dice(6)) {
		case 0:
			group(b, 100 + dice(3000));
			break;
		case 1:
			group(b, dice(4) ? 9000 : 200000);
			break;
		case 2:
			for (k = dice(dice(8) ? 300 : 90000); k > 0; k--)
				say(b, k % 24 ? "x" : "WAIT #1: nam='y'");
			break;
		case 3:
			lines(b, dice(200));
			break;
		default:
			for (k = dice(200); k > 0; k--)
				say(b, "WAIT #1: nam='x' ela= 5 p1=1 p2=2 "
				    "p3=3 obj#=-1 tim=1234567\n");
		}
	}
	if (dice(2))
		b->n -= dice(100);
}

static void
hostile(void **state)
{
	static const size_t size[] = {64, 700, 20000, 0};
	static const char *const name[] = {"plain", "packed"};
	struct pp_ahead_file v[2] = {{0}};
	struct seen want, got[2];
	struct bytes b = {0}, z = {0};
	char path[2][400];
	unsigned round, i;

	(void)state;
	for (i = 0; i < 2; i++) {
		snprintf(path[i], sizeof(path[i]), "%s", file_at(name[i]));
		v[i].path = path[i];
		v[i].reader = list[0].reader;
	}
	for (round = 0; round < 24; round++) {
		seed = round;
		make_hostile(&b, round % 4 == 3 ? 2500000 : 300000);
		save(name[0], b.p, b.n);
		z.n = 0;
		add_member(&z, b.p, b.n);
		save(name[1], z.p, z.n);
		read_here(&v[0], &want);
		read_ahead(v, 2, size[round % 4], 1 + round % 3, got);
		assert_memory_equal(&got[0], &want, sizeof(want));
		assert_int_equal(got[1].hash, want.hash);
		assert_int_equal(got[1].lines, want.lines);
		assert_int_equal(got[1].records, want.records);
	}
	for (i = 0; i < 2; i++)
		unlink(path[i]);
	drop(&b);
	drop(&z);
}

/* --- runs that end early ----------------------------------------------- */

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
			x = pp_ahead_next(a, 0, 0);
			assert_false(x->end);
		}
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
		while (!pp_ahead_next(a, 0, 0)->end)
			continue;
		fail_msg("300,000 bytes were enough");
	}
	mem.trap = NULL;
	assert_true(mem.failed);
	pp_ahead_close(a);
	pp_hasher_close(h);
	pp_mem_free_all(&mem);
}

/* Lines so short that a piece of them has 10 MB of records: the threads have
 * no memory for these, but the fold has. */
static void
many_records(void **state)
{
	struct bytes b = {0}, z = {0};
	struct pp_ahead_file v[2] = {{0}};
	struct seen want, got[2];
	char path[2][400];
	unsigned i;

	(void)state;
	make_trace(&b, 600000, 1);
	for (i = 0; i < 200000; i++)
		say(&b, i % 9 ? "*** \n" : "PARSE #1:c=0\n");
	make_trace(&b, b.n + 900000, 2);
	add_member(&z, b.p, b.n);
	for (i = 0; i < 2; i++) {
		snprintf(path[i], sizeof(path[i]), "%s",
		    file_at(i ? "packed" : "plain"));
		v[i].path = path[i];
		v[i].reader = list[0].reader;
	}
	save("plain", b.p, b.n);
	save("packed", z.p, z.n);
	read_here(&v[0], &want);
	read_within(v, 2, 0, 1, (size_t)6 << 20, got);
	assert_memory_equal(&got[0], &want, sizeof(want));
	assert_int_equal(got[1].hash, want.hash);
	assert_int_equal(got[1].records, want.records);
	for (i = 0; i < 2; i++)
		unlink(path[i]);
	drop(&b);
	drop(&z);
}

static void
gone(void **state)
{
	struct pp_ahead_file none = {.path = "/nonexistent/x.trc"};
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
	x = pp_ahead_next(a, 0, 0);
	assert_true(x->end);
	assert_false(x->opened);
	assert_true(x->error.n > 0);
	pp_ahead_close(a);
	pp_hasher_close(h);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
}

/* Two pipes: one that is read to its end, one that nothing comes from. */
static void
pipes(void **state)
{
	struct pp_ahead_file v[2] = {{0}};
	const struct pp_ahead_item *x;
	struct pp_mem mem, own[2];
	struct pp_hasher *h;
	struct pp_ahead *a;
	char path[20];
	int fd[2][2], i;
	pp_str err;

	(void)state;
	pp_mem_init(&mem, 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(pipe(fd[i]), 0);
		assert_int_equal(write(fd[i][1], text[0].p, 40000), 40000);
		snprintf(path, sizeof(path), "/dev/fd/%d", fd[i][0]);
		pp_mem_init(&own[i], 0);
		v[i].path = "pipe";
		v[i].reader = list[0].reader;
		v[i].mem = &own[i];
		v[i].in = pp_input_open(&own[i], path, 0, &err);
		assert_non_null(v[i].in);
		close(fd[i][0]);
	}
	close(fd[0][1]);
	h = pp_hasher_open(&mem);
	a = pp_ahead_open(&mem, v, 2, 2, 4096, 0, h);
	assert_non_null(a);
	while (x = pp_ahead_next(a, 0, 0), !x->end)
		continue;
	assert_int_equal(x->bytes, 40000);
	assert_true(x->opened && x->summed);
	/* whoever waits for the other one is told to stop */
	pp_ahead_close(a);
	close(fd[1][1]);
	pp_hasher_close(h);
	for (i = 0; i < 2; i++)
		assert_int_equal(own[i].used, 0);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(same_as_here), cmocka_unit_test(hostile),
	    cmocka_unit_test(stopped),
	    cmocka_unit_test(out_of_memory),
	    cmocka_unit_test(many_records), cmocka_unit_test(gone),
	    cmocka_unit_test(pipes),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
