/*
 * test_parquet.c: the writer parquet: how values are packed, and files as a
 * whole.
 *
 * Right values: examples of the format's own specification, a decoder
 * written from it, and times from date(1).  Whether other programs read the
 * files is in bi.test.py, for which `test_parquet --write DIR` makes some.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "../writers/parquet_impl.h"
#include "bi_samples.h"
#include "remove_tree.h"

static struct pp_mem mem;
static char dir[64];

static int
setup(void **state)
{
	(void)state;
	pp_mem_init(&mem, 0);
	strcpy(dir, "/tmp/pp_test_parquet.XXXXXX");
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	pp_mem_free_all(&mem);
	return remove_tree(dir);
}

/* ------------------------------------------------------- a plain decoder */

struct reader {
	const unsigned char *p, *end;
};

static uint64_t
read_varint(struct reader *r)
{
	uint64_t v = 0;
	unsigned shift = 0;
	unsigned char c;

	do {
		assert_true(r->p < r->end && shift < 64);
		c = *r->p++;
		v |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	return v;
}

static int64_t
read_zigzag(struct reader *r)
{
	uint64_t v = read_varint(r);

	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* Value k of a run of values of `width` bits, bit by bit. */
static uint64_t
bits_at(const unsigned char *p, size_t k, unsigned width)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < width; i++) {
		size_t bit = k * width + i;

		v |= (uint64_t)(p[bit / 8] >> bit % 8 & 1) << i;
	}
	return v;
}

static void
decode_hybrid(struct reader *r, uint32_t *v, size_t n, unsigned width)
{
	size_t done = 0, k, m;
	uint64_t head, value;

	while (done < n) {
		head = read_varint(r);
		if (head & 1) {
			m = (size_t)(head >> 1) * 8;
			assert_true(m > 0);
			assert_true((size_t)(r->end - r->p) >= m / 8 * width);
			for (k = 0; k < m && done < n; k++)
				v[done++] = (uint32_t)bits_at(r->p, k, width);
			r->p += m / 8 * width;
			continue;
		}
		value = 0;
		for (k = 0; k < (width + 7) / 8; k++)
			value |= (uint64_t)*r->p++ << 8 * k;
		assert_true(head >> 1 > 0 && head >> 1 <= n - done);
		for (m = (size_t)(head >> 1); m > 0; m--)
			v[done++] = (uint32_t)value;
	}
}

static void
decode_delta(struct reader *r, int64_t *v, size_t n)
{
	uint64_t block = read_varint(r), minis = read_varint(r), last;
	size_t done = 0, k, i;

	assert_int_equal(block % 128, 0);
	assert_int_equal(block / minis % 32, 0);
	assert_int_equal(read_varint(r), n);
	last = (uint64_t)read_zigzag(r);
	if (n > 0)
		v[done++] = (int64_t)last;
	while (done < n) {
		int64_t min = read_zigzag(r);
		const unsigned char *width = r->p;

		r->p += minis;
		for (k = 0; k < minis && done < n; k++) {
			for (i = 0; i < block / minis && done < n; i++) {
				last += (uint64_t)min +
				    bits_at(r->p, i, width[k]);
				v[done++] = (int64_t)last;
			}
			r->p += block / minis * width[k] / 8;
			assert_true(r->p <= r->end);
		}
	}
}

/* ------------------------------------------------------------- encodings */

static struct reader
over(const struct pp_pq_buf *b)
{
	const unsigned char *p = (const unsigned char *)b->p;

	return (struct reader){p, p + b->n};
}

/* The example of the specification: 0 to 7 in three bits. */
static void
hybrid_of_the_specification(void **state)
{
	static const uint32_t v[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	struct pp_pq_buf b = {.mem = &mem};

	(void)state;
	pp_pq_hybrid(&b, v, 8, 3);
	assert_int_equal(b.n, 4);
	assert_memory_equal(b.p, "\x03\x88\xc6\xfa", 4);
}

/* Its examples of differences: 1 to 5, and 7 5 3 1 2 3 4 5. */
static void
delta_of_the_specification(void **state)
{
	static const int64_t a[] = {1, 2, 3, 4, 5};
	static const int64_t c[] = {7, 5, 3, 1, 2, 3, 4, 5};
	struct pp_pq_buf b = {.mem = &mem};

	(void)state;
	/* block 128, 4 miniblocks, 5 values, first 1; least difference 1 */
	pp_pq_delta(&b, a, 5);
	assert_int_equal(b.n, 10);
	assert_memory_equal(b.p, "\x80\x01\x04\x05\x02\x02\0\0\0\0", 10);
	b.n = 0;
	/* least difference -2, then 0 0 0 3 3 3 3 in two bits */
	pp_pq_delta(&b, c, 8);
	assert_int_equal(b.n, 18);
	assert_memory_equal(b.p, "\x80\x01\x04\x08\x0e\x03\x02\0\0\0"
	    "\xc0\x3f\0\0\0\0\0\0", 18);
}

static void
hybrid_round_trips(void **state)
{
	struct pp_pq_buf b = {.mem = &mem};
	uint32_t v[700], got[700];
	uint64_t x = 42;
	unsigned width;
	size_t n, i;
	int round;

	(void)state;
	for (round = 0; round < 4000; round++) {
		struct reader r;

		width = (unsigned)(samples_next(&x) % 33);
		n = (size_t)(samples_next(&x) % 700) + 1;
		for (i = 0; i < n; i++) {
			uint64_t s = samples_next(&x);

			/* runs of all lengths between other values */
			v[i] = i > 0 && s % 100 < (uint64_t)round % 101 ?
			    v[i - 1] : width == 0 ? 0 :
			    (uint32_t)(s >> 32) >> (32 - width);
		}
		b.n = 0;
		pp_pq_hybrid(&b, v, n, width);
		r = over(&b);
		decode_hybrid(&r, got, n, width);
		assert_memory_equal(got, v, n * sizeof(*v));
		assert_ptr_equal(r.p, r.end);
	}
}

static void
levels_round_trip(void **state)
{
	struct pp_pq_buf b = {.mem = &mem};
	uint8_t bits[200];
	uint32_t got[1600];
	uint64_t x = 7;
	size_t n, i;
	int round;

	(void)state;
	for (round = 0; round < 4000; round++) {
		struct reader r;

		n = (size_t)(samples_next(&x) % 1600) + 1;
		memset(bits, 0, sizeof(bits));
		for (i = 0; i < n; i++) {
			uint64_t s = samples_next(&x);
			bool before = i > 0 && (bits[(i - 1) / 8] >>
			    (i - 1) % 8 & 1);

			if (s % 100 < 97 ? before : (s >> 8 & 1) != 0)
				bits[i / 8] |= (uint8_t)(1u << i % 8);
		}
		b.n = 0;
		pp_pq_levels(&b, bits, n);
		r = over(&b);
		decode_hybrid(&r, got, n, 1);
		for (i = 0; i < n; i++)
			assert_int_equal(got[i], bits[i / 8] >> i % 8 & 1);
		assert_ptr_equal(r.p, r.end);
	}
	/* all there: a run of three bytes at most */
	memset(bits, 0xff, sizeof(bits));
	b.n = 0;
	pp_pq_levels(&b, bits, 1600);
	assert_int_equal(b.n, 3);
}

static void
delta_round_trips(void **state)
{
	struct pp_pq_buf b = {.mem = &mem};
	int64_t v[600], got[600];
	uint64_t x = 99;
	size_t n, i;
	int round;

	(void)state;
	for (round = 0; round < 4000; round++) {
		unsigned shift = (unsigned)(samples_next(&x) % 64);
		struct reader r;

		n = (size_t)(samples_next(&x) % 600);
		for (i = 0; i < n; i++) {
			uint64_t s = samples_next(&x);

			v[i] = round % 3 == 0 && i > 0 ?
			    (int64_t)((uint64_t)v[i - 1] + (s >> shift)) :
			    (int64_t)s >> shift;
			if (s % 50 == 0)
				v[i] = s % 100 == 0 ? INT64_MIN : INT64_MAX;
		}
		b.n = 0;
		pp_pq_delta(&b, v, n);
		r = over(&b);
		decode_delta(&r, got, n);
		assert_memory_equal(got, v, n * sizeof(*v));
		assert_ptr_equal(r.p, r.end);
	}
}

/* ----------------------------------------------------------------- times */

static void
stamp_is(const char *text, int64_t want)
{
	int64_t us = 1;

	if (!pp_pq_stamp(pp_str_from(text), &us))
		fail_msg("%s is no time", text);
	if (us != want)
		fail_msg("%s: %lld", text, (long long)us);
}

static void
stamps(void **state)
{
	static const char *const bad[] = {"", "2024-03-26",
	    "2024-03-26T18:41:07", "2024-03-26T18:41:07.683567",
	    "2024-03-26 18:41:07Z", "2024-13-26T18:41:07Z",
	    "2024-00-26T18:41:07Z", "2024-03-00T18:41:07Z",
	    "2024-03-26T24:41:07Z", "2024-03-26T18:61:07Z",
	    "2024-03-26T18:41:07.Z", "2024-03-26T18:41:07+1",
	    "2024-03-26T18:41:07+25:00", "2024-03-26T18:41:07+01:60",
	    "2024-03-26T18:41:07Zx", "x024-03-26T18:41:07Z",
	    "2024-03-26T1a:41:07Z"};
	int64_t us;
	size_t i;

	(void)state;
	stamp_is("1970-01-01T00:00:00Z", 0);
	stamp_is("1969-12-31T23:59:59.999999Z", -1);
	stamp_is("2024-03-26T18:41:07.683567+01:00", 1711474867683567);
	stamp_is("2024-02-29T12:00:00+00:00", 1709208000000000);
	stamp_is("2000-02-29T23:59:59.5-08:00", 951897599500000);
	stamp_is("1900-03-01T00:00:00Z", -2203891200000000);
	stamp_is("9999-12-31T23:59:59.999999Z", 253402300799999999);
	stamp_is("2011-05-04T12:34:56.789+0530", 1304492696789000);
	stamp_is("2011-05-04T12:34:56.1234569-03", 1304523296123456);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (pp_pq_stamp(pp_str_from(bad[i]), &us))
			fail_msg("%s is taken for a time", bad[i]);
}

/* ----------------------------------------------------------------- files */

static const char *
at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/* The bytes of a file in mem. */
static pp_str
load(const char *name)
{
	FILE *in = fopen(at(name), "rb");
	char *p;
	long n;

	assert_non_null(in);
	fseek(in, 0, SEEK_END);
	n = ftell(in);
	rewind(in);
	p = pp_mem_alloc(&mem, (size_t)n);
	assert_int_equal(fread(p, 1, (size_t)n, in), n);
	fclose(in);
	return (pp_str){p, (size_t)n};
}

/* Magic at both ends, and a footer whose length fits. */
static pp_str
footer_of(pp_str file)
{
	uint32_t n;

	assert_true(file.n >= 12);
	assert_memory_equal(file.p, "PAR1", 4);
	assert_memory_equal(file.p + file.n - 4, "PAR1", 4);
	memcpy(&n, file.p + file.n - 8, 4);
	assert_true(n <= file.n - 12);
	return (pp_str){file.p + file.n - 8 - n, n};
}

static bool
holds(pp_str s, const char *part)
{
	return pp_str_find(s, pp_str_from(part)) < s.n;
}

static void
notes_in_the_footer(void **state)
{
	pp_str f;

	(void)state;
	assert_true(samples_open("parquet", PP_SINK_FILE, at("a"), 6));
	samples_few(&s_one, 1);
	assert_true(samples_close());
	f = footer_of(load("a"));
	assert_true(holds(f, "profpivot.schema_version\x18\x01" "1"));
	assert_true(holds(f, "profpivot.table\x18\x05s_one"));
	assert_true(holds(f, "abcd010000000000000000000000000000000000000000"
	    "000000000000000000  a.trc"));
	assert_true(holds(f, "some_at_utc"));
}

static void
same_bytes(void **state)
{
	pp_str a, b;

	(void)state;
	assert_true(samples_open("parquet", PP_SINK_FILE, at("a"), 6));
	samples_types(5000);
	assert_true(samples_close());
	assert_true(samples_open("parquet", PP_SINK_FILE, at("b"), 6));
	samples_types(5000);
	assert_true(samples_close());
	a = load("a");
	b = load("b");
	assert_true(a.n > 1000 && pp_str_eq(a, b));
}

/* What a column cannot hold is NULL, and is told. */
static void
numbers_that_do_not_fit(void **state)
{
	struct pp_rows r;
	size_t i;

	(void)state;
	assert_true(samples_open("parquet", PP_SINK_FILE, at("a"), 6));
	pp_rows_open(&r, &samples.mem, &samples.sink, &s_one);
	for (i = 0; i < 8; i++) {
		pp_put_int(&r, i == 0 ? (pp_i128)UINT64_MAX + 1 :
		    i == 1 ? (pp_i128)INT64_MIN - 1 :
		    i == 2 ? (pp_i128)UINT64_MAX : 1);
		pp_put_null(&r);
		if (i == 2)
			pp_put_dec(&r, pp_pow10[18], 6);
		else if (i == 3)
			pp_put_dec(&r, -pp_pow10[18], 6);
		else if (i == 4)
			pp_put_dec(&r, 1, 12);
		else if (i == 5)
			pp_put_dec(&r, 1000000, 12);	/* fits */
		else
			pp_put_dec(&r, INT64_MAX, i == 6 ? 0 : 9);
		pp_put_null(&r);
		pp_row_end(&r);
	}
	pp_rows_close(&r);
	assert_int_equal(samples.diag.count, 2);
	assert_int_equal(samples.diag.problems[1].id, PP_MSG_NUMBER_WRAPPED);
	assert_int_equal(samples.diag.problems[1].count, 1);
	assert_int_equal(samples.diag.problems[0].id, PP_MSG_NUMBER_LIMIT);
	/* i = 0..4, 6, and the INT64_MAX x 10^-9 that has digits beyond,
	 * in rows 0, 1 and 7 */
	assert_int_equal(samples.diag.problems[0].count, 9);
	assert_true(samples_close());
}

static void
partitions(void **state)
{
	static const char *const sources[] = {"a.trc", "b c%.trc", NULL,
	    "a.trc", "", "x=1/y", "a.trc"};
	static const struct pp_column columns[] = {
		{"source", PP_T_TEXT, "source"},
		{"n", PP_T_INT, "number"},
	};
	static const struct pp_table t = {"facts", "a row", "as made",
	    columns, 2, 0};
	struct pp_rows r;
	size_t i;

	(void)state;
	assert_true(samples_open("parquet", PP_SINK_FOLDER, at("out"), 6));
	samples.w.opt.partition = true;
	pp_rows_open(&r, &samples.mem, &samples.sink, &t);
	for (i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		if (sources[i] != NULL)
			pp_put_str(&r, pp_str_from(sources[i]));
		else
			pp_put_null(&r);
		pp_put_int(&r, (pp_i128)i);
		pp_row_end(&r);
	}
	pp_rows_close(&r);
	samples_few(&s_one, 1);
	assert_true(samples_close());
	footer_of(load("out/facts/source=a.trc/part-0.parquet"));
	footer_of(load("out/facts/source=b%20c%25.trc/part-0.parquet"));
	footer_of(load("out/facts/source=x%3D1%2Fy/part-0.parquet"));
	footer_of(load("out/facts/source=__HIVE_DEFAULT_PARTITION__/"
	    "part-0.parquet"));
	footer_of(load("out/s_one/part-0.parquet"));
}

static void
memory_ends_anywhere(void **state)
{
	(void)state;
	samples_memory_ends("parquet", at("a"), 20000);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		T(hybrid_of_the_specification),
		T(delta_of_the_specification),
		T(hybrid_round_trips),
		T(levels_round_trip),
		T(delta_round_trips),
		T(stamps),
		T(notes_in_the_footer),
		T(same_bytes),
		T(numbers_that_do_not_fit),
		T(partitions),
		T(memory_ends_anywhere),
	};

	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return samples_write(argv[2], "parquet") &&
		    samples_write(argv[2], "csv") &&
		    samples_write(argv[2], "sqlite") ? 0 : 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
