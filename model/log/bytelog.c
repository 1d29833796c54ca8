/*
 * bytelog.c: see bytelog.h.
 */
#include "bytelog.h"
#include "tmpfile.h"

#include <errno.h>
#include <unistd.h>

/* Read at a time where pieces are asked for in their order, and else. */
#define AHEAD ((size_t)64 << 10)
#define PAGE ((size_t)4 << 10)

void
pp_bytelog_init(struct pp_bytelog *l, struct pp_mem *mem, const char *tmpdir)
{
	memset(l, 0, sizeof(*l));
	l->mem = mem;
	l->tmpdir = tmpdir;
	l->fd = -1;
}

void
pp_bytelog_reset(struct pp_bytelog *l)
{
	if (l->fd >= 0 && (ftruncate(l->fd, 0) != 0 ||
	    lseek(l->fd, 0, SEEK_SET) != 0) && l->error == 0)
		l->error = errno;
	l->spilled = 0;
	l->n = l->in_n = 0;
	l->in_at = 0;
}

void
pp_bytelog_free(struct pp_bytelog *l)
{
	if (l->fd >= 0)
		close(l->fd);
	pp_mem_free(l->mem, l->buf);
	pp_mem_free(l->mem, l->in);
	pp_bytelog_init(l, l->mem, l->tmpdir);
}

static void
put(struct pp_bytelog *l, const void *p, size_t n)
{
	if (l->error == 0 && l->fd < 0) {
		l->fd = pp_tmp_open(l->tmpdir);
		if (l->fd < 0)
			l->error = errno;
	}
	if (l->error == 0 && !pp_tmp_write(l->fd, p, n))
		l->error = errno;
	l->spilled += n;
}

uint64_t
pp_bytelog_add(struct pp_bytelog *l, const void *p, size_t n)
{
	uint64_t at = l->spilled + l->n;

	if (l->buf == NULL)
		l->buf = pp_mem_alloc(l->mem, PP_BYTELOG_MEMORY);
	if (n > PP_BYTELOG_MEMORY - l->n) {
		put(l, l->buf, l->n);
		l->n = 0;
	}
	if (n > PP_BYTELOG_MEMORY) {
		put(l, p, n);
		return at;
	}
	if (n > 0)
		memcpy(l->buf + l->n, p, n);
	l->n += n;
	return at;
}

/*
 * Bytes of the file from `at` on, n or more.  Where `at` lies among those
 * that were read last, pieces are asked for one after the other, and a call
 * of the system for each would take longer than all that is done with them.
 */
static bool
read_back(struct pp_bytelog *l, uint64_t at, size_t n)
{
	void *v = l->in;
	size_t want = at >= l->in_at && at - l->in_at <= l->in_n ? AHEAD :
	    PAGE;

	if (want > l->spilled - at)
		want = (size_t)(l->spilled - at);
	if (want < n)
		want = n;
	l->in_n = 0;
	pp_mem_grow(l->mem, &v, &l->in_cap, want + 1, 1);
	l->in = v;
	if (!pp_tmp_read(l->fd, l->in, want, at)) {
		l->error = errno;
		return false;
	}
	l->in_at = at;
	l->in_n = want;
	return true;
}

pp_str
pp_bytelog_get(struct pp_bytelog *l, uint64_t at, size_t n)
{
	pp_str none = {"", 0};

	if (l->error != 0 || at + n > l->spilled + l->n || at + n < at)
		return none;
	if (at >= l->spilled)
		return (pp_str){l->buf + (at - l->spilled), n};
	/* pieces are added whole: one lies in the file or behind it */
	if (at < l->in_at || at - l->in_at > l->in_n ||
	    n > l->in_n - (at - l->in_at))
		if (!read_back(l, at, n))
			return none;
	return (pp_str){l->in + (at - l->in_at), n};
}
