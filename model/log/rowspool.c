/*
 * rowspool.c: the blocks of a row spool and their file.
 *
 * Sees base and table.h.  A block holds rows of one table, one after the
 * other; of each cell a tag and, unless it is NULL or the same as in the row
 * before, the value: numbers zigzag and in groups of seven bits, text with
 * its length in front.  A name that fills a column costs one byte a row.
 */
#include "rowspool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tmpfile.h"

#define BLOCK 131072	/* a block ends with the row that reaches this */
#define SAME 255	/* in place of a tag */
#define VARINT_MAX 19	/* bytes of 128 bits in groups of seven */

void
pp_rowspool_init(struct pp_rowspool *s, struct pp_mem *mem,
    const char *tmpdir)
{
	memset(s, 0, sizeof(*s));
	s->mem = mem;
	s->tmpdir = tmpdir != NULL ? tmpdir : ".";
	s->fd = -1;
}

void
pp_rowspool_free(struct pp_rowspool *s)
{
	size_t i;

	for (i = 0; i < s->ntables; i++)
		pp_mem_free(s->mem, s->tables[i].blocks);
	pp_mem_free(s->mem, s->tables);
	pp_mem_free(s->mem, s->buf);
	if (s->fd >= 0)
		close(s->fd);
	pp_rowspool_init(s, s->mem, s->tmpdir);
}

/* Move what is in memory to the file. */
static bool
spill(struct pp_rowspool *s)
{
	if (s->fd < 0)
		s->fd = pp_tmp_open(s->tmpdir);
	if (s->fd < 0 || !pp_tmp_write(s->fd, s->buf, s->used)) {
		s->error = errno != 0 ? errno : EIO;
		return false;
	}
	s->written += s->used;
	s->used = 0;
	return true;
}

static struct pp_spool_table *
find(struct pp_rowspool *s, const struct pp_table *table, bool add)
{
	struct pp_spool_table *t;
	void *p = s->tables;
	size_t i;

	for (i = 0; i < s->ntables; i++)
		if (s->tables[i].table == table)
			return &s->tables[i];
	if (!add)
		return NULL;
	pp_mem_grow(s->mem, &p, &s->captables, s->ntables + 1, sizeof(*t));
	s->tables = p;
	t = &s->tables[s->ntables++];
	memset(t, 0, sizeof(*t));
	t->table = table;
	return t;
}

static char *
put_varint(char *p, pp_u128 v)
{
	while (v >= 0x80) {
		*p++ = (char)(v | 0x80);
		v >>= 7;
	}
	*p++ = (char)v;
	return p;
}

static pp_u128
zigzag(pp_i128 v)
{
	return v < 0 ? ~((pp_u128)v << 1) : (pp_u128)v << 1;
}

/* Room for n more bytes in the buffer. */
static char *
room(struct pp_rowspool *s, size_t n)
{
	void *p = s->buf;

	if (s->cap - s->used < n) {
		pp_mem_grow(s->mem, &p, &s->cap, s->used + n, 1);
		s->buf = p;
	}
	return s->buf + s->used;
}

static bool
is_same(const struct pp_batch *b, size_t col, size_t row, bool text)
{
	const union pp_cell *c = &b->cells[col][row];
	const uint8_t *tag = &b->tags[col][row];

	if (tag[0] != tag[-1])
		return false;
	return text ? pp_str_eq(c[0].str, c[-1].str) : c[0].num == c[-1].num;
}

/* Append row i; `first`: there is no row before it in the block. */
static void
put_row(struct pp_rowspool *s, const struct pp_batch *b, size_t i, bool first)
{
	const struct pp_table *t = b->table;
	size_t k, n;
	bool text;
	pp_str str;
	char *p;

	for (k = 0; k < t->ncolumns; k++) {
		text = pp_type_is_text(t->columns[k].type);
		n = text && b->tags[k][i] != 0 ? b->cells[k][i].str.n : 0;
		p = room(s, 1 + VARINT_MAX + n);
		if (b->tags[k][i] == 0)
			*p++ = 0;
		else if (!first && is_same(b, k, i, text))
			*p++ = (char)SAME;
		else if (text) {
			str = b->cells[k][i].str;
			*p++ = (char)b->tags[k][i];
			p = put_varint(p, n);
			if (n > 0)
				memcpy(p, str.p, n);
			p += n;
		} else {
			*p++ = (char)b->tags[k][i];
			p = put_varint(p, zigzag(b->cells[k][i].num));
		}
		s->used = (size_t)(p - s->buf);
	}
}

enum pp_status
pp_rowspool_rows(struct pp_rowspool *s, const struct pp_batch *b)
{
	struct pp_spool_table *t = find(s, b->table, true);
	struct pp_spool_block *block;
	size_t i = 0, start;
	void *p;

	while (i < b->rows) {
		if (s->error != 0)
			return PP_FATAL;
		start = s->used;
		do {
			put_row(s, b, i, s->used == start);
			i++;
		} while (i < b->rows && s->used - start < BLOCK);
		p = t->blocks;
		pp_mem_grow(s->mem, &p, &t->cap, t->count + 1,
		    sizeof(*t->blocks));
		t->blocks = p;
		block = &t->blocks[t->count++];
		block->at = s->written + start;
		block->n = s->used - start;
		if (s->used >= PP_SPOOL_MEMORY && !spill(s))
			return PP_FATAL;
	}
	t->rows += b->rows;
	return s->error != 0 ? PP_FATAL : PP_OK;
}

/* Reading of one block. */
struct reader {
	const char *p, *end;
	bool bad;
};

static pp_u128
get_varint(struct reader *r)
{
	pp_u128 v = 0;
	unsigned shift = 0;
	unsigned char b;

	do {
		if (r->p == r->end || shift >= 7 * VARINT_MAX) {
			r->bad = true;
			return 0;
		}
		b = (unsigned char)*r->p++;
		v |= (pp_u128)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	return v;
}

static pp_str
get_text(struct reader *r)
{
	pp_u128 n = get_varint(r);
	pp_str s;

	if (n > (size_t)(r->end - r->p)) {
		r->bad = true;
		return (pp_str){r->p, 0};
	}
	s = (pp_str){r->p, (size_t)n};
	r->p += s.n;
	return s;
}

/*
 * Row i of b.  The row before it is still in its place in b, also when b was
 * given away in between: i - 1 is then the last row of the batch.
 */
static void
get_row(struct reader *r, struct pp_batch *b, size_t i, size_t before)
{
	const struct pp_table *t = b->table;
	unsigned tag;
	pp_u128 v;
	size_t k;

	for (k = 0; k < t->ncolumns && !r->bad; k++) {
		union pp_cell *c = &b->cells[k][i];

		if (r->p == r->end) {
			r->bad = true;
			break;
		}
		tag = (unsigned char)*r->p++;
		if (tag == SAME) {
			*c = b->cells[k][before];
			b->tags[k][i] = b->tags[k][before];
			continue;
		}
		b->tags[k][i] = (uint8_t)tag;
		if (tag == 0)
			continue;
		if (pp_type_is_text(t->columns[k].type))
			c->str = get_text(r);
		else {
			v = get_varint(r);
			c->num = (pp_i128)(v >> 1);
			if (v & 1)
				c->num = ~c->num;
		}
	}
}

static bool
read_at(struct pp_rowspool *s, char *buf, uint64_t at, size_t n)
{
	if (pp_tmp_read(s->fd, buf, n, at))
		return true;
	s->error = errno;
	return false;
}

static enum pp_status
replay_block(struct pp_rowspool *s, struct reader *r, struct pp_batch *b,
    struct pp_rowsink *to)
{
	enum pp_status worst = PP_OK, got;
	size_t before = 0;

	b->rows = 0;
	while (r->p < r->end) {
		get_row(r, b, b->rows, before);
		if (r->bad) {
			s->error = EIO;
			return PP_FATAL;
		}
		before = b->rows++;
		if (b->rows < PP_BATCH_ROWS && r->p < r->end)
			continue;
		got = to->rows(to, b);
		b->rows = 0;
		if (got > worst)
			worst = got;
		if (worst >= PP_FAILED)
			break;
	}
	return worst;
}

enum pp_status
pp_rowspool_replay(struct pp_rowspool *s, const struct pp_table *table,
    struct pp_rowsink *to)
{
	struct pp_spool_table *t = find(s, table, false);
	enum pp_status worst = to->begin(to, table), got;
	struct pp_spool_block *block;
	struct pp_batch batch;
	struct reader r;
	void *buf = NULL;
	size_t cap = 0, i;

	pp_batch_init(&batch, s->mem, table);
	for (i = 0; t != NULL && i < t->count && worst < PP_FAILED; i++) {
		block = &t->blocks[i];
		if (block->at >= s->written)
			r.p = s->buf + (block->at - s->written);
		else {
			if (cap < block->n)
				pp_mem_grow(s->mem, &buf, &cap, block->n, 1);
			if (!read_at(s, buf, block->at, block->n)) {
				worst = PP_FATAL;
				break;
			}
			r.p = buf;
		}
		r.end = r.p + block->n;
		r.bad = false;
		got = replay_block(s, &r, &batch, to);
		if (got > worst)
			worst = got;
	}
	if (worst < PP_FAILED) {
		got = to->end(to, table);
		if (got > worst)
			worst = got;
	}
	pp_batch_free(&batch, s->mem);
	pp_mem_free(s->mem, buf);
	return worst;
}
