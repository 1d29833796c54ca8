/*
 * store.h: reading an archive.
 *
 * A reader takes no lock: what is committed is never changed, and it trusts
 * only what stands before the last valid COMMIT.  profpivot-archive(5) has
 * the format.
 */
#ifndef PP_CONTAINER_STORE_H
#define PP_CONTAINER_STORE_H

#include "../base/map.h"
#include "entry.h"
#include "member.h"

#define PP_STORE_MAJOR 1	/* of the format */
#define PP_STORE_MINOR 0

/* Bodies of HEAD and COMMIT members. */
#define PP_HEAD_BODY	40u
#define PP_COMMIT_BODY	48u
#define PP_HEAD_BYTES	PP_MEMBER_EMPTY(PP_HEAD_BODY)
#define PP_COMMIT_BYTES	PP_MEMBER_EMPTY(PP_COMMIT_BODY)

/* What a COMMIT says. */
struct pp_commit {
	uint64_t previous;	/* offset of the one before; 0: none */
	uint64_t entries;	/* offset of its first ENTRY member; its own
				 * offset where it has none */
	uint64_t stream;	/* bytes that gunzip shows up to here */
	uint32_t profiles;	/* in the archive */
	uint32_t last;		/* the highest number ever given */
	uint32_t all;		/* its entries are all there are */
	uint32_t depth;		/* commits back to one with `all` */
};

struct pp_store {
	struct pp_mem *mem;
	const char *path;	/* as named */
	int fd;
	uint64_t size;		/* of the file */
	uint64_t end;		/* behind the last commit */
	struct pp_commit commit; /* the last; zero where there is none */
	uint64_t commit_at;
	uint64_t open_entry;	/* an ENTRY whose commit is not there; 0 */
	struct pp_entry *v;	/* by number */
	size_t n, cap;
	bool damaged;		/* the catalogue was not readable as it should
				 * be: what was found stands in v */
	bool broken_head;
	bool related;		/* part_of and replaced of the entries are
				 * found out, and */
	size_t nreplaced;	/* how many are replaced */
	char err[300];		/* why a function returned false */
	struct pp_arena text;
	/* of store_find.c: the first `found` of v by size and by path */
	struct pp_map first;
	size_t found, next_cap;
	struct pp_store_next {
		uint32_t size, path; /* the one before with the same */
	} *next;
};

/*
 * Does the file at `path` begin like an archive?  *error: errno where it
 * cannot be read.
 */
bool pp_store_is(const char *path);

/*
 * Open; NULL with *err (borrowed from mem) when it cannot be read, is no
 * archive or one of a later version.  `lenient`: also a file whose head is
 * damaged, and without a catalogue (v stays empty).
 */
struct pp_store *pp_store_open(struct pp_mem *mem, const char *path,
    bool lenient, pp_str *err);

/* The same for a descriptor, which the store then owns; writers use it. */
struct pp_store *pp_store_open_fd(struct pp_mem *mem, int fd,
    const char *path, bool lenient, pp_str *err);
void pp_store_close(struct pp_store *s);

/* Read n bytes at `at`; false with s->err at an error or the file's end. */
bool pp_store_read(struct pp_store *s, void *p, size_t n, uint64_t at);

/* Read and check a member without payload, body included, into buf of
 * PP_MEMBER_EMPTY(PP_MEMBER_BODY) bytes. */
bool pp_store_member(struct pp_store *s, uint64_t at,
    struct pp_member *m, unsigned char *buf);

/* Read a COMMIT from the body of its member. */
void pp_commit_read(struct pp_commit *c, const unsigned char *body);
void pp_commit_write(const struct pp_commit *c, unsigned char *body);

/* The entries of an ENTRY member, one after the other; *rest begins as the
 * member's body.  False at the end and at damage (*bad). */
bool pp_store_next_entry(struct pp_arena *text, pp_str *rest,
    struct pp_entry *e, bool *bad);

/*
 * The place in v of the last entry before `before` (s->n: any) that has so
 * many bytes, or this path; SIZE_MAX: none.  To add thousands of files is to
 * ask for each.
 */
size_t pp_store_of_size(struct pp_store *s, uint64_t bytes, size_t before);
size_t pp_store_of_path(struct pp_store *s, pp_str path, size_t before);

/* ------------------------------------------------- a profile's own bytes */

struct pp_stored;

/* The bytes of a profile, from its first on. */
struct pp_stored *pp_stored_open(struct pp_store *s,
    const struct pp_entry *e);

/*
 * At most n bytes into p; *got 0 at the end.  False when the archive is
 * damaged there or shorter than its catalogue says (s->err).
 */
bool pp_stored_read(struct pp_stored *r, void *p, size_t n, size_t *got);
void pp_stored_close(struct pp_stored *r);

/* ------------------------------------------------------ members in a row */

/*
 * Walk over the members of a file from its beginning, damaged or not.  Bytes
 * that are no member are passed over; those that a BEGIN says are gzip of its
 * own are not looked at.
 */
struct pp_scan {
	struct pp_store *s;
	uint64_t at;		/* the next member is looked for here */
	uint64_t skipped_at, skipped; /* bytes before the last one that
				 * belong to none; 0: none */
	uint64_t foreign_at, foreign; /* gzip of its own before it */
	bool heads;		/* DATA and SEGMENT: fixed part only */
	unsigned char *buf;
	size_t cap;
};
void pp_scan_open(struct pp_scan *c, struct pp_store *s, bool heads);

/* False at the end of the file (skipped tells what was left), or when it
 * cannot be read (s->err not empty).  Bytes of the member are in c->buf. */
bool pp_scan_next(struct pp_scan *c, struct pp_member *m);
void pp_scan_close(struct pp_scan *c);

/* What a BEGIN's body says. */
struct pp_begin {
	enum pp_kept kept;
	bool named;
	uint64_t bytes;		/* PP_KEPT_GZIP: of the gzip behind it */
	pp_str path;		/* into the body */
};
bool pp_begin_read(struct pp_begin *b, const struct pp_member *m);

#endif
