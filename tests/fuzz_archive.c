/*
 * fuzz_archive.c: the fuzzer's way into archives: a file is opened, every
 * profile and table in it is read, and its members are walked over.
 *
 * Sums would stop nearly every input at the door: they are set right first,
 * so that what lies behind them is tried.  `make fuzz` builds and runs it.
 */
#include <libdeflate.h>
#include <stdlib.h>
#include <unistd.h>

#include "../model/container/bytes.h"
#include "../model/container/columns.h"
#include "../model/container/segments.h"
#include "../model/container/store.h"
#include "../model/log/tmpfile.h"

#define MEMORY ((size_t)1 << 30)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
mend_sums(unsigned char *p, size_t n)
{
	uint32_t nbody;
	size_t i;

	for (i = 0; i + PP_MEMBER_FIXED <= n; i++) {
		if (!pp_member_may_begin(p + i) || p[i + 12] != 'P')
			continue;
		/* the place is its own: members may be moved about */
		pp_put64(p + i + 28, i);
		nbody = pp_get32(p + i + 48);
		if (nbody > 0 && nbody < n &&
		    n - i >= PP_MEMBER_FIXED + 4 + nbody)
			pp_put32(p + i + 52, libdeflate_crc32(0,
			    p + i + PP_MEMBER_FIXED + 4, nbody));
		pp_put32(p + i + 56, libdeflate_crc32(0, p + i, 56));
	}
}

static void
read_bytes(struct pp_store *s, const struct pp_entry *e)
{
	struct pp_stored *r = pp_stored_open(s, e);
	static const size_t piece = 10000;
	char *buf = pp_mem_alloc(s->mem, piece);
	uint64_t all = 0;
	size_t got;

	while (pp_stored_read(r, buf, piece, &got) && got > 0)
		all += got;
	PP_ASSERT(all <= e->bytes);
	pp_stored_close(r);
	pp_mem_free(s->mem, buf);
}

static void
read_tables(struct pp_store *s, const struct pp_entry *e)
{
	struct pp_columns_rows rows = {.rows = 0};
	struct pp_columns_in *in;
	struct pp_segments g;
	struct pp_arena text;
	uint32_t i, k;

	if (e->columns == 0)
		return;
	pp_arena_init(&text, s->mem, 4096);
	pp_segments_open(&g, s, e);
	in = pp_columns_in(s->mem, e->columns_bytes, pp_segments_get, &g);
	for (i = 0; in != NULL && i < in->ntables; i++)
		for (k = 0; k < in->table[i].nblocks && k < 8; k++)
			(void)pp_columns_read(in, &in->table[i], k, NULL,
			    &text, &rows);
	pp_columns_in_close(in);
	pp_columns_rows_free(&rows, s->mem);
	pp_segments_close(&g);
	pp_arena_free(&text);
}

static void
read_all(struct pp_mem *mem, int fd)
{
	struct pp_store *s;
	struct pp_scan scan;
	struct pp_member m;
	pp_str err;
	size_t i;

	s = pp_store_open_fd(mem, fd, "fuzz", true, &err);
	if (s == NULL)
		return;
	pp_scan_open(&scan, s, false);
	while (pp_scan_next(&scan, &m))
		PP_ASSERT(m.bytes <= s->size - m.at);
	pp_scan_close(&scan);
	for (i = 0; i < s->n && i < 64; i++) {
		read_bytes(s, &s->v[i]);
		read_tables(s, &s->v[i]);
	}
	pp_store_close(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct pp_mem mem;
	unsigned char *copy;
	jmp_buf trap;
	int fd;

	fd = pp_tmp_open("/dev/shm");
	if (fd < 0)
		fd = pp_tmp_open("/tmp");
	if (fd < 0)
		abort();
	pp_mem_init(&mem, MEMORY);
	mem.trap = &trap;
	if (setjmp(trap) != 0)
		abort();
	copy = pp_mem_alloc(&mem, n + 1);
	if (n > 0)
		memcpy(copy, data, n);
	mend_sums(copy, n);
	if (!pp_tmp_write(fd, copy, n))
		abort();
	read_all(&mem, fd);
	pp_mem_free_all(&mem);
	return 0;
}
