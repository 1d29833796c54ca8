/*
 * digests.h: rows that a server has summed up by digest.
 *
 * They are totals, not events: no session holds them and nothing is accounted
 * for.  An entry is what one source says of one native digest in one schema;
 * rows of a source with that key are added up.  Reports fold entries further
 * (report/digest_fold.h).
 *
 * All times are picoseconds, whatever unit the server counts in.
 */
#ifndef PP_DIGESTS_H
#define PP_DIGESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hist.h"
#include "base/map.h"
#include "base/num.h"
#include "base/strtab.h"

struct pp_model;

#define PP_DIGEST_DIGITS 12	/* picoseconds */

/* A printed point in time. */
struct pp_digest_at {
	int64_t us;		/* since 1970, of the printed time */
	int16_t offset_min;
	uint8_t digits;		/* of the fraction, as printed: 0 .. 6 */
	bool known, has_offset;
};

/* Is a before b?  Offsets count where both have one. */
bool pp_digest_before(const struct pp_digest_at *a,
    const struct pp_digest_at *b);

/* ISO 8601 with T; buf has room for 40; returns the length, 0: unknown. */
size_t pp_digest_at_format(char *buf, const struct pp_digest_at *at);

enum pp_digest_counter {
	PP_DG_CALLS,
	PP_DG_PARSES,
	PP_DG_EXECUTIONS,
	PP_DG_MISSES,
	PP_DG_ERRORS,
	PP_DG_WARNINGS,
	PP_DG_AFFECTED,
	PP_DG_SENT,
	PP_DG_EXAMINED,
	PP_DG_TMP,
	PP_DG_TMP_DISK,
	PP_DG_FULL_JOINS,
	PP_DG_FULL_SCANS,
	PP_DG_SORT_ROWS,
	PP_DG_NO_INDEX,
	PP_DG_NO_GOOD_INDEX,
	PP_DG_COUNTERS
};

/* What the server itself says of the distribution. */
enum pp_digest_quantile {
	PP_DG_P50,
	PP_DG_P95,
	PP_DG_P99,
	PP_DG_P999,
	PP_DG_STDDEV,
	PP_DG_QUANTILES
};

/* pp_digest.has: bit k of the counters, and */
#define PP_DG_HAS_QUANTILE(k)	(0x00010000u << (k)) /* 5 of them */
#define PP_DG_HAS_TOTAL		0x00200000u
#define PP_DG_HAS_LOCK		0x00400000u
#define PP_DG_HAS_CPU		0x00800000u
#define PP_DG_HAS_MIN		0x01000000u
#define PP_DG_HAS_MAX		0x02000000u
#define PP_DG_APPROXIMATE	0x04000000u	/* from rounded figures */
#define PP_DG_CUT		0x08000000u	/* its text is, or may be */
#define PP_DG_LISTED		0x10000000u	/* of single statements */

/* What names a row. */
enum pp_digest_kind {
	PP_DG_TEXT,		/* its canonical digest: id */
	PP_DG_NATIVE,		/* no text: the server's digest names it, id
				 * is a hash of that */
	PP_DG_OTHER,		/* the row for all that found the server's
				 * table full */
	PP_DG_NO_TEXT		/* neither text nor digest */
};

/* One bucket of a server's histogram. */
#define PP_DG_NO_BOUND UINT64_MAX	/* not known, or open */
struct pp_digest_bucket {
	uint64_t from, to;	/* from <= v < to */
	uint64_t count;
};

/* What few entries have. */
struct pp_digest_more {
	struct pp_digest_bucket *v; /* rising */
	size_t n, cap;
	struct pp_hist *hist;	/* of a list of statements; NULL */
};

struct pp_digest {
	pp_i128 total, lock, cpu;
	uint64_t min, max;
	uint64_t count[PP_DG_COUNTERS];
	uint64_t quantile[PP_DG_QUANTILES];
	uint64_t timed;		/* calls of the rows that have a time */
	struct pp_digest_at first, last;
	uint64_t id[2];
	uint32_t has;
	uint32_t kind;		/* enum pp_digest_kind */
	uint32_t rows, untimed;	/* rows merged; those without a time */
	uint32_t texts;		/* distinct ones */
	uint32_t source;
	/* in pp_digests.strings, 0: none */
	uint32_t schema, native, text, flags;
	uint32_t set;		/* row set it was last seen in */
	uint8_t digits;		/* of its unit of time: how it is printed */
	bool traced;		/* made of a trace, not read */
	struct pp_digest_more *more;
	pp_str sample;		/* a statement as it was sent; empty: none */
};

/* Whose SQL a text is. */
enum pp_digest_family { PP_DG_MYSQL, PP_DG_POSTGRESQL, PP_DG_FAMILIES };

/* What is known of a source that has digests. */
struct pp_digest_source {
	bool used;
	uint8_t digits;		/* of the finest unit among its rows */
	struct pp_digest_at newest; /* of LAST_SEEN */
	struct pp_digest_at from, until; /* what its rows cover */
	/* its entries: sources are read one after the other */
	uint32_t begin, end;
	struct pp_digest *all;	/* histogram over all statements; NULL */
};

struct pp_digester;
struct pp_digest_hasher;
struct pp_digest_texts;

struct pp_digests {
	struct pp_mem *mem;
	struct pp_digest **chunk;	/* of PP_DG_CHUNK entries */
	size_t nchunks, chunks_cap;
	size_t n;
	struct pp_map map;		/* (source and schema, name) -> entry
					 * + 1, but those of `first` */
	struct pp_strtab strings;
	/* by string of a native digest; 0: none: */
	uint32_t *first;		/* an entry of the newest source + 1 */
	size_t first_cap;
	uint32_t *text_of;		/* the text that it had last */
	size_t text_cap;
	struct pp_arena samples;
	struct pp_digest_source *sources;
	size_t nsources, sources_cap;
	struct pp_digester *digester[PP_DG_FAMILIES];
	struct pp_digest_texts *texts[PP_DG_FAMILIES];
	struct pp_digest_hasher *hasher;
	struct pp_map seen;		/* (entry, text) -> 1, beyond the first */
	struct pp_map sql;		/* hash of a statement -> its digest
					 * text, in strings */
	uint32_t sets;			/* row sets seen, over all sources */
	bool samples_dropped, told_samples;
};

#define PP_DG_CHUNK 1024

static inline struct pp_digest *
pp_digest_at(const struct pp_digests *d, size_t i)
{
	return &d->chunk[i / PP_DG_CHUNK][i % PP_DG_CHUNK];
}

/* The store of the model, made where there is none. */
struct pp_digests *pp_digests(struct pp_model *m);

/* What is known of a source; made where it is new. */
struct pp_digest_source *pp_digests_source(struct pp_digests *d,
    uint32_t source);

/*
 * Name a row: fill kind, id and text from the texts, either of which may be
 * empty.  `partial`: the text is a part of it, good to look at only.
 */
void pp_digest_name(struct pp_digests *d, struct pp_digest *row,
    enum pp_digest_family family, pp_str text, bool partial);

/*
 * The same for a statement as it was sent: text becomes its digest text.
 */
void pp_digest_name_sql(struct pp_digests *d, struct pp_digest *row,
    enum pp_digest_family family, pp_str sql);

/* A statement as an example: a copy, or empty when memory is short. */
pp_str pp_digest_sample(struct pp_digests *d, pp_str sql);

/*
 * Add a row that has been named: a new entry, or more of one.  Returns the
 * entry's index; *was gets the set that it was last seen in, 0: it is new.
 */
uint32_t pp_digests_add(struct pp_digests *d, const struct pp_digest *row,
    uint32_t *was);

/* a += b, which are rows of the same digest. */
void pp_digest_merge(struct pp_digests *d, struct pp_digest *a,
    const struct pp_digest *b);

/* Count in a bucket of the server's histogram of an entry. */
void pp_digest_bucket(struct pp_digests *d, struct pp_digest *e,
    const struct pp_digest_bucket *b);

/* Count the time of a single statement of a list. */
void pp_digest_single(struct pp_digests *d, struct pp_digest *e, uint64_t ps);

/* Count the text of one, which `key` is a hash of; e is entry `at`. */
void pp_digest_count_text(struct pp_digests *d, struct pp_digest *e,
    uint32_t at, uint64_t key);

/* Is percentile k known (PP_DG_P50 .. PP_DG_P999)? */
bool pp_digest_percentile(const struct pp_digest *e,
    enum pp_digest_quantile k, uint64_t *out);

/* Executions: as counted, else those of the histogram. */
bool pp_digest_calls(const struct pp_digest *e, uint64_t *out);

/* After the input: entries without a text take it from others of the same
 * native digest. */
void pp_digests_resolve(struct pp_digests *d);

/* The id as tables show it; empty for PP_DG_OTHER and PP_DG_NO_TEXT.  buf has
 * room for 40. */
pp_str pp_digest_id_text(const struct pp_digests *d,
    const struct pp_digest *e, char *buf);

/* The id from what tables show. */
void pp_digest_id_parse(pp_str digest, uint64_t id[2]);

/* A copy that can be merged into. */
void pp_digest_copy(struct pp_digests *d, struct pp_digest *to,
    const struct pp_digest *from);

/* Free what only a copy has. */
void pp_digest_free_more(struct pp_digests *d, struct pp_digest *e);

/* total / timed calls at a scale, half up. */
pp_i128 pp_digest_average(const struct pp_digest *e, unsigned scale);

/* What tables show as digest_text. */
pp_str pp_digest_shown(const struct pp_digests *d, const struct pp_digest *e);

/* ---- among digests.c and its parts ---- */

/* *a += b, up to 2^64 - 1. */
void pp_digest_add_counter(uint64_t *a, uint64_t b);

/* Cell `string` of an array by strings, which grows with zeros. */
uint32_t *pp_digest_by_string(struct pp_digests *d, uint32_t **v, size_t *cap,
    uint32_t string);

#define PP_DG_OTHER_LABEL "(other digests)"

#endif
