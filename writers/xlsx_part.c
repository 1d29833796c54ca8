/*
 * xlsx_part.c: members of the workbook that grow while rows arrive.
 *
 * A part is a raw deflate stream in a temporary that has no name any more, so
 * nothing is left behind whatever happens.  Pieces that end on a byte (sync
 * flush, no final block) can stand one after another in one member: a sheet is
 * the head of the stub, our rows, and the tail of the stub.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "xlsx.h"

#define OUT_SIZE ((size_t)64 << 10)

/* Sheets are big and regular; level 1 costs a quarter of level 6. */
#define LEVEL 1

bool
pp_xlsx_part_open(struct pp_xlsx *x, struct pp_xlsx_part *p)
{
	memset(p, 0, sizeof(*p));
	p->fd = -1;
	p->out = pp_mem_alloc(x->mem, OUT_SIZE);
	p->fd = pp_xlsx_temp(x);
	if (p->fd < 0) {
		p->error = errno;
		return false;
	}
	if (deflateInit2(&p->z, LEVEL, Z_DEFLATED, -15, 8,
	    Z_DEFAULT_STRATEGY) != Z_OK) {
		p->error = ENOMEM;
		return false;
	}
	p->live = true;
	p->z.next_out = p->out;
	p->z.avail_out = (uInt)OUT_SIZE;
	return true;
}

static bool
drain(struct pp_xlsx_part *p)
{
	const unsigned char *s = p->out;
	size_t n = OUT_SIZE - p->z.avail_out;

	while (n) {
		ssize_t k = write(p->fd, s, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0) {
			p->error = errno;
			return false;
		}
		s += k;
		n -= (size_t)k;
		p->comp += (uint64_t)k;
	}
	p->z.next_out = p->out;
	p->z.avail_out = (uInt)OUT_SIZE;
	return true;
}

static bool
pump(struct pp_xlsx_part *p, int flush)
{
	for (;;) {
		if (p->z.avail_out == 0 && !drain(p))
			return false;
		if (deflate(&p->z, flush) == Z_STREAM_ERROR) {
			p->error = EIO;
			return false;
		}
		if (p->z.avail_out != 0)
			return true;
	}
}

bool
pp_xlsx_part_put(struct pp_xlsx_part *p, const void *s, size_t n)
{
	const unsigned char *at = s;

	if (p->error)
		return false;
	while (n) {
		size_t k = n < ((size_t)1 << 30) ? n : (size_t)1 << 30;

		p->crc = (uint32_t)crc32(p->crc, at, (uInt)k);
		p->z.next_in = at;
		p->z.avail_in = (uInt)k;
		if (!pump(p, Z_NO_FLUSH))
			return false;
		p->raw += k;
		at += k;
		n -= k;
	}
	return true;
}

bool
pp_xlsx_part_end(struct pp_xlsx_part *p, bool last)
{
	if (p->error)
		return false;
	p->z.next_in = NULL;
	p->z.avail_in = 0;
	if (!pump(p, last ? Z_FINISH : Z_SYNC_FLUSH) || !drain(p))
		return false;
	deflateEnd(&p->z);
	p->live = false;
	return true;
}

void
pp_xlsx_part_free(struct pp_xlsx *x, struct pp_xlsx_part *p)
{
	if (p->live)
		deflateEnd(&p->z);
	p->live = false;
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	pp_mem_free(x->mem, p->out);
	p->out = NULL;
}
