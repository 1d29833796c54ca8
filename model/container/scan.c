/*
 * scan.c: members one after the other, and what lies between them where a
 * file is damaged.  See store.h.
 */
#include "store_impl.h"

#include "bytes.h"

/* Bytes looked through at once for the beginning of a member. */
#define WINDOW 65536u

void
pp_scan_open(struct pp_scan *c, struct pp_store *s, bool heads)
{
	memset(c, 0, sizeof(*c));
	c->s = s;
	c->heads = heads;
	c->cap = WINDOW + PP_MEMBER_FIXED;
	c->buf = pp_mem_alloc(s->mem, c->cap);
}

void
pp_scan_close(struct pp_scan *c)
{
	pp_mem_free(c->s->mem, c->buf);
	c->buf = NULL;
}

/* Is there a whole member at `at`?  Its bytes are then in c->buf. */
static bool
try_at(struct pp_scan *c, uint64_t at, struct pp_member *m)
{
	struct pp_store *s = c->s;
	void *v = c->buf;

	if (s->size - at < PP_MEMBER_FIXED ||
	    !pp_store_read(s, c->buf, PP_MEMBER_FIXED, at) ||
	    !pp_member_parse(m, c->buf, at) || m->bytes > s->size - at)
		return false;
	if (c->heads && (m->type == PP_MEMBER_DATA ||
	    m->type == PP_MEMBER_SEGMENT))
		return true;
	pp_mem_grow(s->mem, &v, &c->cap, m->bytes, 1);
	c->buf = v;
	return pp_store_read(s, c->buf + PP_MEMBER_FIXED,
	    m->bytes - PP_MEMBER_FIXED, at + PP_MEMBER_FIXED) &&
	    pp_member_check(m, c->buf);
}

/* The next place from `at` on where a member may begin; the file's end where
 * there is none. */
static uint64_t
next_place(struct pp_scan *c, uint64_t at)
{
	struct pp_store *s = c->s;
	const unsigned char *p;
	size_t n, i;

	while (s->size - at >= PP_MEMBER_FIXED) {
		n = s->size - at < WINDOW ? (size_t)(s->size - at) : WINDOW;
		if (!pp_store_read(s, c->buf, n, at))
			return s->size;
		for (i = 0; i + 3 < n; i++) {
			p = memchr(c->buf + i, 0x1f, n - 3 - i);
			if (p == NULL)
				break;
			i = (size_t)(p - c->buf);
			if (pp_member_may_begin(p))
				return at + i;
		}
		at += n - 3;
	}
	return s->size;
}

/* The gzip of its own that stands behind a BEGIN is passed over. */
static void
pass_foreign(struct pp_scan *c, const struct pp_member *m)
{
	struct pp_begin b;

	if (m->type != PP_MEMBER_BEGIN || !pp_begin_read(&b, m) ||
	    b.kept != PP_KEPT_GZIP)
		return;
	c->foreign_at = c->at;
	c->foreign = b.bytes < c->s->size - c->at ? b.bytes :
	    c->s->size - c->at;
}

bool
pp_scan_next(struct pp_scan *c, struct pp_member *m)
{
	uint64_t from = c->at + c->foreign, at = from;

	c->foreign = c->skipped = 0;
	c->s->err[0] = '\0';
	while (at < c->s->size) {
		if (try_at(c, at, m)) {
			c->skipped_at = from;
			c->skipped = at - from;
			c->at = at + m->bytes;
			pass_foreign(c, m);
			return true;
		}
		at = next_place(c, at + 1);
	}
	c->skipped_at = from;
	c->skipped = c->s->size - from;
	c->at = c->s->size;
	return false;
}
