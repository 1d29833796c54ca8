/*
 * append.h: writing to an archive.
 *
 * A writer holds a lock on the file.  What it appends counts from the moment
 * when its COMMIT is on the disk; what comes before that is on the disk by
 * then.  A writer that finds the rest of one that died takes it away.
 */
#ifndef PP_CONTAINER_APPEND_H
#define PP_CONTAINER_APPEND_H

#include "store.h"

struct pp_append {
	struct pp_store *store;	/* its catalogue, kept up to date */
	uint64_t cleaned;	/* bytes of a dead writer taken away */
	uint64_t finished;	/* profiles of one that were whole */
	bool created;		/* the file is new */
	bool failed;
	char err[300];
	/* private */
	struct pp_mem *mem;
	int fd;
	uint64_t at, stream;	/* the next member */
	uint32_t profile;	/* that is being added; 0: none */
	struct pp_entry e;	/* of it, as far as known */
	unsigned char *out;	/* bytes not yet written */
	size_t nout;
	unsigned char *raw;	/* of the next DATA or SEGMENT */
	size_t nraw;
	int level;
	struct libdeflate_compressor *deflate;
};

/* How the file is to be had. */
enum pp_append_how {
	PP_APPEND_EXISTING,	/* it must be there */
	PP_APPEND_CREATE,	/* made where it is not there */
	PP_APPEND_NEW		/* must not be there: made under this name */
};

/*
 * Open for writing and lock.  `wait` is called once where another writer has
 * the file, before waiting for it; where it returns false that is an error.
 * NULL with *err.
 */
struct pp_append *pp_append_open(struct pp_mem *mem, const char *path,
    enum pp_append_how how, bool (*wait)(void *), void *arg, pp_str *err);

/* Keep writers out as long as the store is open; false where one has it. */
bool pp_append_lock_out(struct pp_store *s);

/*
 * Is what stands behind the last commit of s, which was opened to read, a
 * writer's who is at work?  Then it is nobody's loss.
 */
bool pp_append_at_work(const struct pp_store *s);

/* deflate level of DATA members; 0: the usual one. */
void pp_append_level(struct pp_append *a, int level);

/*
 * A profile: begin, data in any pieces, data_end, columns, commit.  For
 * PP_KEPT_GZIP `bytes` of gzip follow and `payload` is what is in them.  Each
 * returns false at an error (a->err), which is sticky until pp_append_undo.
 */
bool pp_append_begin(struct pp_append *a, pp_str path, bool named,
    enum pp_kept kept, uint64_t bytes, uint64_t payload);
bool pp_append_data(struct pp_append *a, const void *p, size_t n);
bool pp_append_data_end(struct pp_append *a);

/* What has been appended can now be read as entry a->e. */
bool pp_append_flush(struct pp_append *a);

bool pp_append_columns(struct pp_append *a, const void *p, size_t n);
bool pp_append_columns_end(struct pp_append *a);

/* The profile counts: `about` is its entry, whose places are filled in. */
bool pp_append_commit(struct pp_append *a, const struct pp_entry *about);

/* A further name of a profile that is there; counts at once. */
bool pp_append_alias(struct pp_append *a, pp_str path, bool named,
    const struct pp_entry *of);

/* Forget what has not been committed; false where the file cannot be cut. */
bool pp_append_undo(struct pp_append *a);

/*
 * Put the file, which was made under another name, in the place of `path`;
 * `keep`: what is there then stays under that name; NULL.
 */
bool pp_append_replace(struct pp_append *a, const char *from,
    const char *path, const char *keep);

/* Unlock and close; the store goes with it. */
void pp_append_close(struct pp_append *a);

#endif
