/*
 * archived.h: profiles of an archive as inputs: which are meant, and their
 * bytes.
 */
#ifndef PP_CLI_ARCHIVED_H
#define PP_CLI_ARCHIVED_H

#include "../model/container/store.h"
#include "../readers/input.h"

/* --from and --to. */
struct pp_range {
	bool from, to;		/* given */
	int64_t from_us, to_us;	/* wall clock; `to` is left out itself */
	bool from_has_offset, to_has_offset;
	int64_t from_utc, to_utc; /* where it has one */
};

/*
 * Set one end of r: a date, or a date and a time of day.  A date as the
 * upper end takes that day in.  False when v is none.
 */
bool pp_range_set(struct pp_range *r, bool upper, const char *v);

/* Is there a selection by time at all? */
static inline bool
pp_range_given(const struct pp_range *r)
{
	return r != NULL && (r->from || r->to);
}

/* Does a profile overlap r?  One without a time overlaps no range. */
bool pp_range_has(const struct pp_range *r, const struct pp_entry *e);

/*
 * Is the profile called so: its number, its path, the end of it from a `/`
 * on, that without .gz and the like, or a pattern for one of these?  Empty:
 * every one is.
 */
bool pp_archived_is(const struct pp_entry *e, const char *name);

/*
 * Where `word` is ARCHIVE:NAME, ARCHIVE being one: its length, and *name;
 * else 0.
 */
size_t pp_archived_word(struct pp_mem *mem, const char *word,
    const char **name);

/* Open the bytes of a profile; NULL with *err. */
struct pp_input *pp_archived_open(struct pp_mem *mem, struct pp_store *s,
    const struct pp_entry *e, pp_str *err);

#endif
