/*
 * archive.h: what the commands of `archive` share.
 */
#ifndef PP_CLI_ARCHIVE_H
#define PP_CLI_ARCHIVE_H

#include "../model/container/append.h"
#include "../model/container/store.h"
#include "run.h"

struct pp_archive_run {
	struct pp_run run;	/* first member: found again in bodies */
	const char *path;	/* of the archive */
	char **words;		/* behind it */
	size_t nwords;
	enum pp_exit (*command)(struct pp_run *);
	struct pp_store *store;	/* commands that read; that write: the
				 * append's */
	struct pp_append *append; /* that write; NULL */
};

static inline struct pp_archive_run *
pp_archive_of(struct pp_run *r)
{
	return (struct pp_archive_run *)(void *)r;
}

/* Open the archive to read; false when that has been told. */
bool pp_archive_open(struct pp_archive_run *a);

/* Tell what is odd about an open archive; PP_EXIT_OK where nothing is, else
 * PP_EXIT_PARTIAL. */
enum pp_exit pp_archive_state(struct pp_archive_run *a);

/* Open it to write; false when that has been told. */
bool pp_archive_append(struct pp_archive_run *a, const char *path,
    enum pp_append_how how);

/*
 * Is the profile meant by the words behind the archive, --from and --to?  A
 * further name of one is only where it is named itself.
 */
bool pp_archive_wants(const struct pp_archive_run *a,
    const struct pp_entry *e);

/* Tell words that mean no profile; false when there is one. */
bool pp_archive_words_met(struct pp_archive_run *a);

/* ------------------------------------------------------- adding a profile */

/* Where its bytes come from: a file that can be read twice, or a profile of
 * an archive. */
struct pp_put_from {
	int fd;			/* -1: a profile */
	struct pp_store *store;
	const struct pp_entry *entry;
};

enum pp_put {
	PP_PUT_ADDED,
	PP_PUT_SAME,		/* it was there: *same */
	PP_PUT_UNREADABLE,	/* told */
	PP_PUT_FAILED		/* the archive cannot be written: told */
};

/*
 * Add what `from` has under the name `path`.  a->append is open.  *about is
 * the entry that stands for it now.
 */
enum pp_put pp_archive_put(struct pp_archive_run *a, pp_str path,
    bool named, const struct pp_put_from *from,
    const struct pp_entry **about);

/* ------------------------------------------------------------- commands */

enum pp_exit pp_archive_add(struct pp_run *r);
enum pp_exit pp_archive_list(struct pp_run *r);
enum pp_exit pp_archive_extract(struct pp_run *r);
enum pp_exit pp_archive_query(struct pp_run *r);
enum pp_exit pp_archive_trend(struct pp_run *r);
enum pp_exit pp_archive_verify(struct pp_run *r);
enum pp_exit pp_archive_recover(struct pp_run *r);
enum pp_exit pp_archive_compact(struct pp_run *r);
enum pp_exit pp_archive_merge(struct pp_run *r);

#endif
