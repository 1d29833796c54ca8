/*
 * archived.c: see archived.h.
 */
#include "archived.h"

#include "selection.h"

#define DAY_US ((int64_t)86400 * 1000000)

bool
pp_range_set(struct pp_range *r, bool upper, const char *v)
{
	struct pp_moment m;
	bool day = strlen(v) == 10;
	int64_t us, utc;

	if (!pp_selecting_moment(&m, v) || !m.wall || !m.has_date)
		return false;
	us = upper && day ? pp_i64_add(m.us, DAY_US) : m.us;
	utc = pp_i64_sub(us, (int64_t)m.offset_min * 60000000);
	if (upper) {
		r->to = true;
		/* a moment is taken in, too */
		r->to_us = day ? us : pp_i64_add(us, 1);
		r->to_has_offset = m.has_offset;
		r->to_utc = day ? utc : pp_i64_add(utc, 1);
	} else {
		r->from = true;
		r->from_us = us;
		r->from_has_offset = m.has_offset;
		r->from_utc = utc;
	}
	return true;
}

bool
pp_range_has(const struct pp_range *r, const struct pp_entry *e)
{
	bool utc;

	if (!pp_range_given(r))
		return true;
	if (!e->has_time)
		return false;
	utc = r->from_has_offset && e->has_offset;
	if (r->from && (utc ? pp_entry_utc(e, e->last_us) < r->from_utc :
	    e->last_us < r->from_us))
		return false;
	utc = r->to_has_offset && e->has_offset;
	return !r->to || (utc ? pp_entry_utc(e, e->first_us) < r->to_utc :
	    e->first_us < r->to_us);
}

size_t
pp_archived_word(struct pp_mem *mem, const char *word, const char **name)
{
	const char *colon = strchr(word, ':');
	size_t n = 0;
	char *path;

	for (; colon != NULL && n == 0; colon = strchr(colon + 1, ':')) {
		path = pp_mem_alloc(mem, (size_t)(colon - word) + 1);
		memcpy(path, word, (size_t)(colon - word));
		path[colon - word] = '\0';
		if (pp_store_is(path)) {
			n = (size_t)(colon - word);
			*name = colon + 1;
		}
		pp_mem_free(mem, path);
	}
	return n;
}

/* ------------------------------------------------------------------ bytes */

struct bytes {
	struct pp_store *store;
	struct pp_stored *stored;
};

static bool
read_bytes(void *arg, void *p, size_t n, size_t *got, const char **why)
{
	struct bytes *b = arg;

	if (pp_stored_read(b->stored, p, n, got))
		return true;
	*why = b->store->err;
	return false;
}

static void
close_bytes(void *arg)
{
	struct bytes *b = arg;
	struct pp_mem *mem = b->store->mem;

	pp_stored_close(b->stored);
	pp_mem_free(mem, b);
}

struct pp_input *
pp_archived_open(struct pp_mem *mem, struct pp_store *s,
    const struct pp_entry *e, pp_str *err)
{
	struct bytes *b = pp_mem_alloc(s->mem, sizeof(*b));
	struct pp_input_from from = {.read = read_bytes, .close = close_bytes,
		.arg = b, .bytes = e->bytes};

	b->store = s;
	b->stored = pp_stored_open(s, e);
	return pp_input_open_from(mem, &from, 0, err);
}
