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
 * on, that without .gz and the like, a pattern for one of these, or one of
 * them with `#` and its number, or numbers N-M that it is among?  Digits alone
 * are a number; before a # there may be nothing.  Empty: every one is.
 */
bool pp_archived_is(const struct pp_entry *e, const char *name);

/* Its path as it is printed: what came from standard input is "stdin". */
pp_str pp_archived_path(const struct pp_entry *e);

/* The same with `#` and its number where another has this path; in `text`. */
const char *pp_archived_name(struct pp_arena *text, struct pp_store *s,
    const struct pp_entry *e);

/* ---------------------------------------------------------------- choosing */

enum pp_chosen {
	PP_NOT_CHOSEN,
	PP_CHOSEN,
	PP_CHOSEN_OLD,		/* left out: another that is chosen begins
				 * with it */
	PP_CHOSEN_SAME		/* left out: a further name of another */
};

/* What words and a range of time mean in an archive. */
struct pp_choice {
	struct pp_chosen_one {
		uint8_t is;	/* enum pp_chosen */
		bool by_number;
		bool named;	/* by a word that is no pattern */
	} *how;			/* of each entry */
	size_t n, nold, nsame;	/* PP_CHOSEN, _OLD, _SAME */
	size_t called;		/* by a word, at whatever time */
	size_t nunmet;		/* words that mean none */
	const char *unmet;	/* the first of these */
};

/*
 * Choose: of all (no words), or of those called by any of the words, what
 * `range` (NULL: all) has.  A name stands for the newest version of a file
 * that has grown, and for all versions of one that has changed otherwise; a
 * number for that profile.  Each content is taken once.
 */
void pp_archived_choose(struct pp_choice *c, struct pp_mem *mem,
    struct pp_store *s, char **words, size_t nwords,
    const struct pp_range *range);

/* Where nothing is chosen: why, into buf. */
bool pp_choice_none(const struct pp_choice *c, const struct pp_store *s,
    const struct pp_range *range, char *buf, size_t size);

/* Where older versions are left out: what there is to be told. */
bool pp_choice_notice(const struct pp_choice *c, struct pp_arena *text,
    struct pp_store *s, char *buf, size_t size);

/* Where a name is several versions of a file that differ: that, and which. */
bool pp_choice_several(const struct pp_choice *c, struct pp_store *s,
    char *buf, size_t size);

/*
 * A profile that comes to be known by `path` and whose bytes are those of
 * `new`: is it a later state of another of this path, or of one of its folder
 * whose path something else has taken?  Sets compared, begins_with and begins
 * of `about`.
 */
void pp_archived_kin(struct pp_mem *mem, struct pp_store *s, pp_str path,
    const struct pp_entry *new, struct pp_entry *about);

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
