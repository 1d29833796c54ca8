/*
 * eventlog.c: the event log's blocks, its spill file and its cursors.
 *
 * Blocks fill one after the other.  When PP_LOG_MEMORY of them are full they
 * go to the file together, in one run of large writes, and are used again.
 */
#include "eventlog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK_BYTES (PP_LOG_BLOCK * sizeof(union pp_slot))

void
pp_log_init(struct pp_eventlog *l, struct pp_mem *mem, const char *tmpdir)
{
	memset(l, 0, sizeof(*l));
	l->mem = mem;
	l->tmpdir = tmpdir;
	l->fd = -1;
	l->session = UINT32_MAX;
}

void
pp_log_reset(struct pp_eventlog *l)
{
	if (l->fd >= 0 && (ftruncate(l->fd, 0) != 0 ||
	    lseek(l->fd, 0, SEEK_SET) != 0) && l->error == 0)
		l->error = errno;
	l->spilled = 0;
	l->nblocks = 0;
	l->count = 0;
	l->session = UINT32_MAX;
	l->cur = l->block[0];
	l->at = l->cur;
	l->end = l->cur == NULL ? NULL : l->cur + PP_LOG_BLOCK;
}

void
pp_log_free(struct pp_eventlog *l)
{
	int i;

	for (i = 0; i < PP_LOG_MEMORY; i++) {
		pp_mem_free(l->mem, l->block[i]);
		l->block[i] = NULL;
	}
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	pp_log_reset(l);
}

/* An unlinked file: it goes with the process, however that ends. */
static int
open_unlinked(const char *dir)
{
	static const char name[] = "/.profpivot-log-XXXXXX";
	size_t n = strlen(dir);
	char *path = malloc(n + sizeof(name));
	int fd, e;

	if (path == NULL) {
		errno = ENOMEM;
		return -1;
	}
	memcpy(path, dir, n);
	memcpy(path + n, name, sizeof(name));
	fd = mkstemp(path);
	e = errno;
	if (fd >= 0)
		unlink(path);
	free(path);
	errno = e;
	return fd;
}

static bool
write_all(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n > 0) {
		ssize_t w = write(fd, at, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0) {
			if (w == 0)
				errno = ENOSPC;
			return false;
		}
		at += w;
		n -= (size_t)w;
	}
	return true;
}

static void
spill(struct pp_eventlog *l)
{
	size_t i;

	if (l->error == 0 && l->fd < 0) {
		l->fd = open_unlinked(l->tmpdir != NULL ? l->tmpdir : ".");
		if (l->fd < 0)
			l->error = errno;
	}
	for (i = 0; i < l->nblocks && l->error == 0; i++)
		if (!write_all(l->fd, l->block[i], BLOCK_BYTES))
			l->error = errno;
	if (l->error == 0)
		l->spilled += l->nblocks;
	l->nblocks = 0;
}

void
pp_log_turn(struct pp_eventlog *l)
{
	if (l->cur != NULL) {
		l->nblocks++;
		l->count += PP_LOG_BLOCK;
	}
	if (l->nblocks == PP_LOG_MEMORY)
		spill(l);
	if (l->block[l->nblocks] == NULL)
		l->block[l->nblocks] = pp_mem_alloc(l->mem, BLOCK_BYTES);
	l->cur = l->block[l->nblocks];
	l->at = l->cur;
	l->end = l->cur + PP_LOG_BLOCK;
}

uint64_t
pp_log_size(const struct pp_eventlog *l)
{
	return l->count + (l->cur == NULL ? 0 : (uint64_t)(l->at - l->cur));
}

void
pp_log_open(struct pp_log_cursor *c, struct pp_eventlog *l, bool backward)
{
	c->log = l;
	c->backward = backward;
	c->block = 0;
	c->buf = NULL;
}

static enum pp_status
read_block(struct pp_log_cursor *c, uint64_t block)
{
	struct pp_eventlog *l = c->log;
	char *at;
	size_t n = BLOCK_BYTES;
	off_t off = (off_t)(block * BLOCK_BYTES);

	if (c->buf == NULL)
		c->buf = pp_mem_alloc(l->mem, BLOCK_BYTES);
	at = (char *)c->buf;
	while (n > 0) {
		ssize_t r = pread(l->fd, at, n, off);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0) {
			l->error = r < 0 ? errno : EIO;
			return PP_FATAL;
		}
		at += r;
		off += r;
		n -= (size_t)r;
	}
	return PP_OK;
}

enum pp_status
pp_log_next_block(struct pp_log_cursor *c, const union pp_slot **slots,
    size_t *n)
{
	struct pp_eventlog *l = c->log;
	uint64_t full = l->spilled + l->nblocks, all = full + 1, i;

	*n = 0;
	*slots = NULL;
	if (l->error != 0)
		return PP_FATAL;
	if (l->cur == NULL)
		return PP_OK;
	do {
		if (c->block == all)
			return PP_OK;
		i = c->backward ? full - c->block : c->block;
		c->block++;
		*n = i == full ? (size_t)(l->at - l->cur) : PP_LOG_BLOCK;
	} while (*n == 0);
	if (i >= l->spilled) {
		*slots = l->block[i - l->spilled];
		return PP_OK;
	}
	*slots = NULL;
	if (read_block(c, i) != PP_OK)
		return PP_FATAL;
	*slots = c->buf;
	return PP_OK;
}

void
pp_log_close(struct pp_log_cursor *c)
{
	pp_mem_free(c->log->mem, c->buf);
	c->buf = NULL;
}
