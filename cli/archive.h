/*
 * archive.h: what the commands of `archive` share.
 */
#ifndef PP_CLI_ARCHIVE_H
#define PP_CLI_ARCHIVE_H

#include "../model/container/append.h"
#include "../model/container/store.h"
#include "archived.h"
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
	const char *verb;	/* what is done to a profile: "added" */
	uint32_t batch;		/* of what is put; see pp_entry */
	struct pp_choice choice; /* pp_archive_choose */
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
 * Choose what the words behind the archive, --from and --to mean
 * (a->choice), and tell which words mean no profile and what is left out.
 * PP_EXIT_NOTHING where no profile is meant, PP_EXIT_PARTIAL where a word
 * means none.  `every`: versions and names that are usually left out are
 * wanted, too, and not told.
 */
enum pp_exit pp_archive_choose(struct pp_archive_run *a, bool every);

/* Is entry i of the store chosen? */
static inline bool
pp_archive_wants(const struct pp_archive_run *a, size_t i)
{
	return a->choice.how[i].is == PP_CHOSEN;
}

/* The worse of two statuses, one of which may be PP_EXIT_PARTIAL. */
static inline enum pp_exit
pp_exit_worse(enum pp_exit a, enum pp_exit b)
{
	return a == PP_EXIT_OK ? b : a == PP_EXIT_PARTIAL &&
	    b != PP_EXIT_OK ? b : a;
}

/*
 * The tables that are kept.  Not those whose rows are sums or parts of
 * others: texts, statement_calls, statement_events, executions, tree and gaps
 * follow from statements and events.
 */
#define PP_ARCHIVE_TABLES "sources,sessions,session_sources,profile," \
	"timeline,statements,digests,histogram,stages,plans,errors," \
	"problems,events,binds"

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
