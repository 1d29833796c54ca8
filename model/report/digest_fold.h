/*
 * digest_fold.h: rows of digests, of servers and of traces, added up by what
 * a table tells them apart by.
 */
#ifndef PP_REPORT_DIGEST_FOLD_H
#define PP_REPORT_DIGEST_FOLD_H

#include "../digests.h"
#include "report.h"

/* What a row is told apart by. */
#define PP_DG_BY_SOURCE	0x01u
#define PP_DG_BY_DIGEST	0x02u
#define PP_DG_BY_SCHEMA	0x04u
#define PP_DG_NO_TRACES	0x08u	/* rows that were read, no statements */

struct pp_digest_group {
	pp_i128 total;
	uint32_t source;
	uint32_t at, n;		/* of pp_digest_fold.v */
};

struct pp_digest_fold {
	const struct pp_report_ctx *c;
	struct pp_digests *d;
	unsigned keys;
	const struct pp_digest **v;	/* by key */
	size_t n;
	struct pp_digest_group *g;	/* by source, falling total, ... */
	size_t ngroups;
	struct pp_digest *traced;
	pp_i128 *total;			/* by source; merged: [0] */
	struct pp_map sources;		/* digest -> sources that have it */
	uint32_t other, every;		/* strings `other`, `(all digests)` */
	bool copied;			/* what get made last is its own */
};

/* The keys that the options ask for. */
unsigned pp_digest_keys(const struct pp_report_ctx *c);

/* Add up what there is (of ctx->opt.side). */
void pp_digest_fold_init(struct pp_digest_fold *f,
    const struct pp_report_ctx *c, unsigned keys);
void pp_digest_fold_free(struct pp_digest_fold *f);

/* The sum of group i, made in *own where it has several rows; to be dropped
 * before the next. */
const struct pp_digest *pp_digest_fold_get(struct pp_digest_fold *f,
    size_t i, struct pp_digest *own);
void pp_digest_fold_drop(struct pp_digest_fold *f, struct pp_digest *own);

/* What the rows of a source add up to. */
pp_i128 pp_digest_fold_total(const struct pp_digest_fold *f, uint32_t source);

/* The cell `digest`; NULL where nothing names the row. */
void pp_digest_put_id(struct pp_rows *r, const struct pp_digests *d,
    const struct pp_digest *e);

/* Name of the row's source. */
pp_str pp_digest_fold_source(const struct pp_digest_fold *f,
    const struct pp_digest *e);

/* How many sources have the digest of e? */
uint32_t pp_digest_fold_sources(const struct pp_digest_fold *f,
    const struct pp_digest *e);

/* total / period x 10^6; false where the period is not known. */
bool pp_digest_fold_load(const struct pp_digest_fold *f,
    const struct pp_digest *e, pp_i128 *out);

/*
 * Can rows of digests be selected that way?  By source, schema and digest they
 * can; false, with what they do not have in *what, where nothing of them can
 * be taken.
 */
bool pp_digest_selectable(const struct pp_selection *s, const char **what);

/* Is the row in what --where has asked for? */
bool pp_digest_selects(const struct pp_report_ctx *c,
    const struct pp_digests *d, const struct pp_digest *e);

/* digest_histogram.c: the rows of digests in table `histogram`. */
void pp_digest_histogram(struct pp_rows *r, const struct pp_report_ctx *c);

/* digest_trace.c: rows of the statements of traces; *n of them. */
struct pp_digest *pp_digest_trace(const struct pp_report_ctx *c,
    struct pp_digests *d, size_t *n);

#endif
