/*
 * eventlog.c: the event log's blocks, its spill file and its cursors.
 *
 * Blocks fill one after the other.  When PP_LOG_MEMORY of them are full they
 * go to the file together, in one run of large writes, and are used again.
 */
#include "eventlog.h"
#include "tmpfile.h"

#include <errno.h>
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
	l->last_id = 0;
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
	pp_mem_free(l->mem, l->marks);
	l->marks = NULL;
	l->marks_cap = 0;
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	pp_log_reset(l);
}

static void
spill(struct pp_eventlog *l)
{
	size_t i;

	if (l->error == 0 && l->fd < 0) {
		l->fd = pp_tmp_open(l->tmpdir);
		if (l->fd < 0)
			l->error = errno;
	}
	for (i = 0; i < l->nblocks && l->error == 0; i++)
		if (!pp_tmp_write(l->fd, l->block[i], BLOCK_BYTES))
			l->error = errno;
	if (l->error == 0)
		l->spilled += l->nblocks;
	l->nblocks = 0;
}

/* Markers are added before `session` and `context` change. */
static void
note_state(struct pp_eventlog *l)
{
	size_t block = (size_t)(l->count / PP_LOG_BLOCK);
	void *v = l->marks;

	pp_mem_grow(l->mem, &v, &l->marks_cap, block + 1, sizeof(*l->marks));
	l->marks = v;
	l->marks[block] = (struct pp_log_mark){l->session, l->context};
}

void
pp_log_turn(struct pp_eventlog *l)
{
	if (l->cur != NULL) {
		note_state(l);
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

void
pp_log_skip(struct pp_eventlog *l)
{
	if (l->at != l->end)
		memset(l->at, 0, (size_t)(l->end - l->at) * sizeof(*l->at));
	l->at = l->end;
	pp_log_turn(l);
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

uint64_t
pp_log_blocks(const struct pp_eventlog *l)
{
	return l->cur == NULL ? 0 : l->spilled + l->nblocks + 1;
}

const union pp_slot *
pp_log_block(const struct pp_eventlog *l, uint64_t i, union pp_slot *buf,
    size_t *n)
{
	uint64_t full = l->spilled + l->nblocks;

	*n = i == full ? (size_t)(l->at - l->cur) : PP_LOG_BLOCK;
	if (i >= l->spilled)
		return l->block[i - l->spilled];
	return pp_tmp_read(l->fd, buf, BLOCK_BYTES, i * BLOCK_BYTES) ? buf :
	    NULL;
}

enum pp_status
pp_log_next_block(struct pp_log_cursor *c, const union pp_slot **slots,
    size_t *n)
{
	struct pp_eventlog *l = c->log;
	uint64_t all = pp_log_blocks(l), i;

	*n = 0;
	*slots = NULL;
	if (l->error != 0)
		return PP_FATAL;
	while (*n == 0 && c->block < all) {
		i = c->backward ? all - 1 - c->block : c->block;
		c->block++;
		if (c->buf == NULL && i < l->spilled)
			c->buf = pp_mem_alloc(l->mem, BLOCK_BYTES);
		*slots = pp_log_block(l, i, c->buf, n);
		if (*slots == NULL) {
			l->error = errno;
			return PP_FATAL;
		}
	}
	return PP_OK;
}

void
pp_log_close(struct pp_log_cursor *c)
{
	pp_mem_free(c->log->mem, c->buf);
	c->buf = NULL;
}
