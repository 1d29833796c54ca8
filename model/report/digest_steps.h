/*
 * digest_steps.h: what digests gained from a snapshot of a server to the
 * next (--delta), for the tables and for `show`.
 */
#ifndef PP_REPORT_DIGEST_STEPS_H
#define PP_REPORT_DIGEST_STEPS_H

#include "digest_fold.h"

enum pp_digest_state {
	PP_DELTA_KNOWN,
	PP_DELTA_NEW,
	PP_DELTA_GONE,
	PP_DELTA_RESET,
	PP_DELTA_UNKNOWN,	/* what of it lies between the snapshots */
	PP_DELTA_STATES
};

/* "known", "new", ... */
const char *pp_digest_state_name(enum pp_digest_state s);

struct pp_digest_snapshot {
	uint32_t source;
	struct pp_digest_at at;	/* its newest LAST_SEEN */
	pp_str name;
};

/* A native digest between two snapshots. */
struct pp_digest_delta {
	const struct pp_digest *e; /* of the later snapshot, else the former */
	pp_str schema, native;
	enum pp_digest_state state;
	bool has_calls, has_total;
	pp_i128 calls, total;	/* never negative */
};

struct pp_digest_deltas {
	const struct pp_report_ctx *c;
	struct pp_digests *d;
	struct pp_digest_snapshot *snapshot; /* by time */
	size_t nsnapshots;
	struct pp_digest_delta *v; /* of the step at hand, by falling total */
	size_t n, cap;
};

void pp_digest_deltas_open(struct pp_digest_deltas *x,
    const struct pp_report_ctx *c);
void pp_digest_deltas_close(struct pp_digest_deltas *x);

/* Fill v with what lies between snapshots i - 1 and i; 1 <= i < nsnapshots. */
void pp_digest_deltas_step(struct pp_digest_deltas *x, size_t i);

/* The time between two snapshots in us; 0: not known. */
int64_t pp_digest_deltas_us(const struct pp_digest_snapshot *from,
    const struct pp_digest_snapshot *to);

/* digest_timeline.c: the rows of digests in table `timeline`. */
void pp_digest_timeline(struct pp_rows *r, const struct pp_report_ctx *c);

#endif
