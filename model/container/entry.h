/*
 * entry.h: what the catalogue of an archive knows of a profile.
 */
#ifndef PP_CONTAINER_ENTRY_H
#define PP_CONTAINER_ENTRY_H

#include "../base/mem.h"

/* How a profile's own bytes are kept. */
enum pp_kept {
	PP_KEPT_PLAIN,		/* as the payload of DATA members */
	PP_KEPT_GZIP		/* it is gzip itself: byte for byte behind its
				 * BEGIN, gunzip shows what is in it */
};

struct pp_entry {
	uint32_t number;	/* from 1, in the order of adding */
	uint32_t same_as;	/* a further name of what that number holds,
				 * whose places it has; 0: none */
	pp_str path;		/* as it was named then */
	enum pp_kept kept;
	bool named;		/* by itself, not found in a folder */
	uint64_t bytes;		/* its own */
	uint8_t sha256[32];	/* of these */
	uint64_t payload;	/* bytes of it that gunzip shows ... */
	uint64_t stream;	/* ... from here on */
	uint64_t begin;		/* where its BEGIN member stands */
	uint64_t data_end;	/* behind its last byte of data */
	uint64_t columns;	/* where its SEGMENT members begin; 0: none */
	uint64_t columns_bytes;	/* bodies of these together */
	uint64_t columns_end;	/* behind the last of them */
	/* what the tables `sources` and `sessions` say of it */
	pp_str reader;		/* empty: none knows it */
	pp_str product, version, host, instance;
	unsigned status;	/* enum pp_source_status */
	unsigned inputs;	/* PP_INPUT_ */
	uint64_t records, lines, calls;
	bool has_time;
	int64_t first_us, last_us; /* wall clock since 1970, as printed */
	bool has_offset;
	int16_t offset_min;	/* of that from UTC */
	bool has_span;
	int64_t span;		/* ticks */
	unsigned digits;	/* of a tick */
	bool compared;		/* with older profiles that it may go on
				 * from: */
	uint32_t begins_with;	/* which of them its text begins with; 0 */
	uint32_t begins;	/* which of them begins with its text; 0 */
	pp_str continues;	/* base name of the file that it says it goes
				 * on from; empty */
	bool shares;		/* it may share sessions with its neighbours */
	uint32_t batch;		/* the same of all that one command added: the
				 * number of the first; 0: not known */
	/* not kept: found out by who chooses among profiles */
	uint32_t part_of;	/* number of one that begins with it; 0 */
	bool replaced;		/* a later one has its path */
};

#define PP_ENTRY_MAX 60000u	/* bytes of one */

/* The time of an instant in UTC where its offset is known, else as it is. */
int64_t pp_entry_utc(const struct pp_entry *e, int64_t us);

/*
 * The bytes of an entry; *n of them, in memory of mem.  False when they would
 * be more than PP_ENTRY_MAX.
 */
bool pp_entry_write(struct pp_mem *mem, const struct pp_entry *e,
    unsigned char **out, size_t *n);

/*
 * Read one; text is copied into `text`.  False when the bytes are none.
 * Fields that are not known are passed over.
 */
bool pp_entry_read(struct pp_arena *text, pp_str bytes, struct pp_entry *e);

#endif
