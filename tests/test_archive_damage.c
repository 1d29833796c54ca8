/*
 * test_archive_damage.c: every byte of a small archive flipped in ten ways,
 * and the archive cut at every length: what can still be read is what was
 * added, and what is missing is told.
 *
 * What must come back is what the test put in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../model/container/append.h"
#include "../model/container/columns.h"
#include "../model/container/segments.h"

#define PROFILES 3
#define ROWS 40

static const struct pp_column columns[] = {
	{"event", PP_T_TEXT, ""}, {"statement", PP_T_ID, ""},
	{"start_s", PP_T_SECONDS, ""}, {"at", PP_T_TIME, ""},
	{"rows", PP_T_INT, ""}
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const struct pp_table tables[] = {
	{"events", "", "", columns, COLUMNS, PP_TABLE_RAW},
	{"profile", "", "", columns, COLUMNS, 0}
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* The archive as it was made, and what is in it. */
struct world {
	char folder[200], path[240];
	unsigned char *file;
	size_t size;
	unsigned char *data[PROFILES];
	size_t bytes[PROFILES];
	struct pp_entry entry[PROFILES];
	char names[PROFILES][20];
};

/* ----------------------------------------------------------------- cells */

static size_t
cell_text(char *s, unsigned profile, unsigned row, unsigned column)
{
	if (column == 0)
		return (size_t)sprintf(s, "event %u", row % 5 + profile);
	if (column == 1)
		return (size_t)sprintf(s, "%u", row * 7 + profile);
	return (size_t)sprintf(s, "2024-03-26T18:41:%02u.%06u+01:00", row,
	    row * 1111 + profile);
}

static int64_t
cell_number(unsigned profile, unsigned row, unsigned column)
{
	return column == 2 ? (int64_t)row * 1000 + (row * row) % 37 + profile :
	    (int64_t)(row % 3) - profile;
}

static bool
cell_null(unsigned row, unsigned column)
{
	return column == 4 && row % 4 == 0;
}

static void
put_table(struct pp_mem *mem, struct pp_rowsink *to,
    const struct pp_table *t, unsigned profile)
{
	struct pp_rows r;
	char s[60];
	unsigned i, k;

	pp_rows_open(&r, mem, to, t);
	for (i = 0; i < ROWS; i++) {
		for (k = 0; k < COLUMNS; k++) {
			if (cell_null(i, k))
				pp_put_null(&r);
			else if (pp_type_is_text(columns[k].type))
				pp_put_text(&r, (pp_str){s,
				    cell_text(s, profile, i, k)});
			else if (columns[k].type == PP_T_SECONDS)
				pp_put_dec(&r, cell_number(profile, i, k), 6);
			else
				pp_put_int(&r, cell_number(profile, i, k));
		}
		pp_row_end(&r);
	}
	assert_int_equal(pp_rows_close(&r), PP_OK);
}

/* Cells that could be read: are they those that were put? */
static bool
right_rows(const struct pp_columns_rows *b, unsigned profile)
{
	char s[60];
	unsigned i, k;
	size_t n;

	if (b->rows != ROWS)
		return false;
	for (i = 0; i < ROWS; i++)
		for (k = 0; k < COLUMNS; k++) {
			if (cell_null(i, k) != (b->tags[k][i] == 0))
				return false;
			if (cell_null(i, k))
				continue;
			if (!pp_type_is_text(columns[k].type)) {
				if (b->cells[k][i].num !=
				    cell_number(profile, i, k))
					return false;
				continue;
			}
			n = cell_text(s, profile, i, k);
			if (!pp_str_eq(b->cells[k][i].str, (pp_str){s, n}))
				return false;
		}
	return true;
}

/* ---------------------------------------------------------------- making */

static bool
no_wait(void *arg)
{
	(void)arg;
	return false;
}

static bool
put_columns(void *arg, const void *p, size_t n)
{
	return pp_append_columns(arg, p, n);
}

static void
sum(const unsigned char *p, size_t n, uint8_t out[32])
{
	unsigned len = 0;

	assert_int_equal(EVP_Digest(p, n, out, &len, EVP_sha256(), NULL), 1);
}

/* Bytes of profile i; the second one is gzip. */
static void
make_data(struct world *w, unsigned i)
{
	unsigned char *text = malloc(900), *zip = malloc(2000);
	z_stream z;
	size_t n;

	for (n = 0; n < 900; n++)
		text[n] = (unsigned char)((unsigned)"WAIT nam= ela=\n"[n %
		    15] ^ (n * n % 7 == 2 ? i + 1 : 0));
	w->data[i] = text;
	w->bytes[i] = 900;
	if (i != 1) {
		free(zip);
		return;
	}
	memset(&z, 0, sizeof(z));
	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8,
	    Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = text;
	z.avail_in = 900;
	z.next_out = zip;
	z.avail_out = 2000;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	w->bytes[i] = z.total_out;
	deflateEnd(&z);
	w->data[i] = zip;
	free(text);
}

static void
add(struct world *w, struct pp_append *a, unsigned i)
{
	struct pp_entry e;
	struct pp_columns_out *o;
	size_t k;
	bool gzip = i == 1;

	make_data(w, i);
	snprintf(w->names[i], sizeof(w->names[i]), "p%u.trc", i);
	assert_true(pp_append_begin(a, pp_str_from(w->names[i]), true,
	    gzip ? PP_KEPT_GZIP : PP_KEPT_PLAIN, w->bytes[i],
	    gzip ? 900 : 0));
	assert_true(pp_append_data(a, w->data[i], w->bytes[i]));
	assert_true(pp_append_data_end(a));
	o = pp_columns_out(a->mem, put_columns, a);
	for (k = 0; k < TABLES; k++)
		put_table(a->mem, pp_columns_sink(o), &tables[k], i);
	assert_true(pp_columns_out_close(o));
	assert_true(pp_append_columns_end(a));
	memset(&e, 0, sizeof(e));
	e.reader = PP_STR("oracle10046");
	e.host = PP_STR("here");
	e.records = 1000 + i;
	e.calls = 77 + i;
	e.has_time = true;
	e.first_us = 1700000000000000 + i;
	e.last_us = 1700000001000000 + i;
	sum(w->data[i], w->bytes[i], e.sha256);
	assert_true(pp_append_commit(a, &e));
	w->entry[i] = a->store->v[i];
}

static int
make_world(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	struct pp_append *a;
	struct pp_mem mem;
	struct stat st;
	jmp_buf trap;
	unsigned i;
	pp_str err;
	int fd;

	snprintf(w->folder, sizeof(w->folder), "%s/ppaXXXXXX", base);
	assert_non_null(mkdtemp(w->folder));
	snprintf(w->path, sizeof(w->path), "%s/a.ppa", w->folder);
	pp_mem_init(&mem, 0);
	mem.trap = &trap;
	if (setjmp(trap) != 0)
		return -1;
	a = pp_append_open(&mem, w->path, PP_APPEND_CREATE, no_wait, NULL,
	    &err);
	assert_non_null(a);
	for (i = 0; i < PROFILES; i++)
		add(w, a, i);
	pp_append_close(a);
	pp_mem_free_all(&mem);
	fd = open(w->path, O_RDONLY);
	assert_int_equal(fstat(fd, &st), 0);
	w->size = (size_t)st.st_size;
	w->file = malloc(w->size);
	assert_int_equal(read(fd, w->file, w->size), (ssize_t)w->size);
	close(fd);
	*state = w;
	return 0;
}

static int
drop_world(void **state)
{
	struct world *w = *state;
	unsigned i;

	unlink(w->path);
	rmdir(w->folder);
	for (i = 0; i < PROFILES; i++)
		free(w->data[i]);
	free(w->file);
	free(w);
	return 0;
}

/* --------------------------------------------------------------- reading */

/* What a look at a damaged archive has found. */
struct found {
	bool wrong;		/* something that was never put in */
	bool told;		/* damage */
	unsigned whole;		/* profiles with bytes and tables */
};

static void
look_bytes(const struct world *w, struct pp_store *s,
    const struct pp_entry *e, unsigned i, struct found *f)
{
	struct pp_stored *r = pp_stored_open(s, e);
	unsigned char buf[2048];
	uint8_t digest[32];
	size_t n = 0, got = 0;
	bool ok;

	while ((ok = pp_stored_read(r, buf + n, sizeof(buf) - n, &got)) &&
	    got > 0)
		n += got;
	pp_stored_close(r);
	/* gzip that is kept as it was has sums of its own, which no reader
	 * passes over; the catalogue has one of all */
	sum(buf, n, digest);
	if (!ok || memcmp(digest, e->sha256, 32) != 0)
		f->told = true;
	else if (n != w->bytes[i] || memcmp(buf, w->data[i], n) != 0)
		f->wrong = true;
	else
		f->whole++;
}

static void
look_tables(struct pp_store *s, const struct pp_entry *e, unsigned i,
    struct found *f)
{
	struct pp_columns_rows rows = {.rows = 0};
	const struct pp_columns_table *t;
	struct pp_columns_in *in;
	struct pp_segments g;
	struct pp_arena text;
	size_t k;

	pp_arena_init(&text, s->mem, 4096);
	pp_segments_open(&g, s, e);
	in = pp_columns_in(s->mem, e->columns_bytes, pp_segments_get, &g);
	f->told |= in == NULL;
	for (k = 0; in != NULL && k < TABLES; k++) {
		t = pp_columns_table(in, pp_str_from(tables[k].name));
		if (t == NULL || t->nblocks != 1)
			f->wrong = true;
		else if (!pp_columns_read(in, t, 0, NULL, &text, &rows))
			f->told = true;
		else
			f->wrong |= !right_rows(&rows, i);
	}
	pp_columns_rows_free(&rows, s->mem);
	pp_columns_in_close(in);
	pp_segments_close(&g);
	pp_arena_free(&text);
}

static void
look_entry(const struct world *w, struct pp_store *s,
    const struct pp_entry *e, struct found *f)
{
	const struct pp_entry *x;
	unsigned i = e->number - 1;

	if (e->number < 1 || e->number > PROFILES) {
		f->wrong = true;
		return;
	}
	x = &w->entry[i];
	f->wrong |= !pp_str_eq(e->path, pp_str_from(w->names[i])) ||
	    !pp_str_eq(e->reader, PP_STR("oracle10046")) ||
	    !pp_str_eq(e->host, PP_STR("here")) ||
	    e->records != x->records || e->calls != x->calls ||
	    e->first_us != x->first_us || e->last_us != x->last_us ||
	    e->bytes != x->bytes || e->payload != x->payload ||
	    e->columns_bytes != x->columns_bytes ||
	    memcmp(e->sha256, x->sha256, 32) != 0;
	look_bytes(w, s, e, i, f);
	look_tables(s, e, i, f);
}

static struct found
look(const struct world *w)
{
	struct found f = {.wrong = false};
	struct pp_store *s;
	struct pp_mem mem;
	jmp_buf trap;
	pp_str err;
	size_t i;

	pp_mem_init(&mem, (size_t)64 << 20);
	mem.trap = &trap;
	if (setjmp(trap) != 0)
		fail_msg("more than 64 MiB wanted");
	s = pp_store_open(&mem, w->path, false, &err);
	if (s == NULL) {
		f.told = true;
	} else {
		f.told = s->damaged || s->end < s->size;
		for (i = 0; i < s->n; i++)
			look_entry(w, s, &s->v[i], &f);
		pp_store_close(s);
	}
	assert_int_equal(f.wrong ? 0 : mem.used, s == NULL ? mem.used : 0);
	pp_mem_free_all(&mem);
	return f;
}

/* ----------------------------------------------------------------- tests */

static void
test_whole(void **state)
{
	struct found f = look(*state);

	assert_false(f.wrong);
	assert_false(f.told);
	assert_int_equal(f.whole, PROFILES);
}

static void
test_every_flip(void **state)
{
	static const unsigned char mask[] = {1, 2, 4, 8, 16, 32, 64, 128,
	    0xff, 0x55};
	const struct world *w = *state;
	int fd = open(w->path, O_WRONLY);
	struct found f;
	unsigned char c;
	size_t i, k;

	assert_true(fd >= 0);
	for (i = 0; i < w->size; i++) {
		for (k = 0; k < sizeof(mask); k++) {
			c = w->file[i] ^ mask[k];
			assert_int_equal(pwrite(fd, &c, 1, (off_t)i), 1);
			f = look(w);
			if (f.wrong || (f.whole < PROFILES && !f.told))
				fail_msg("byte %zu ^ %02x: %s", i, mask[k],
				    f.wrong ? "wrong" : "lost, not told");
		}
		assert_int_equal(pwrite(fd, &w->file[i], 1, (off_t)i), 1);
	}
	close(fd);
}

static void
test_every_cut(void **state)
{
	const struct world *w = *state;
	struct found f;
	size_t i, whole = 0;
	int fd;

	for (i = w->size; i-- > 0;) {
		assert_int_equal(truncate(w->path, (off_t)i), 0);
		f = look(w);
		/* behind a commit it is the archive that it was then */
		whole += !f.told;
		if (f.wrong)
			fail_msg("cut at %zu: wrong", i);
	}
	/* with one or two profiles, and with none */
	assert_int_equal(whole, PROFILES);
	fd = open(w->path, O_WRONLY);
	assert_int_equal(write(fd, w->file, w->size), (ssize_t)w->size);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_every_flip),
		cmocka_unit_test(test_every_cut),
	};

	return cmocka_run_group_tests(tests, make_world, drop_world);
}
