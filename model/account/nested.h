/*
 * nested.h: accounting for events that name their parents.  Private to
 * account/.
 */
#ifndef PP_ACCOUNT_NESTED_H
#define PP_ACCOUNT_NESTED_H

#include "../nested.h"
#include "cells.h"
#include "forward.h"

/* What raw tables show of an event beside what the log has: kept until the
 * forward pass, which wants it in the order of the log. */
struct pp_nested_self {
	uint64_t seq, zero;	/* the key: of the events of the group, from
				 * 1 */
	int64_t self;
	uint32_t stmt;
	uint8_t class, place;
	bool timed, placed;
};

/* Account for pp_model.nested of the group. */
enum pp_status pp_account_nested(struct pp_accounts *a, uint32_t group);

/* After the walk: what is left of a session of such events. */
void pp_close_nested(struct pp_accounts *a, uint32_t session);

/* Feed every event of the group to `see`, as pp_account_forward does. */
enum pp_status pp_nested_forward(struct pp_accounts *a,
    void (*see)(void *, const struct pp_occurrence *), void *arg);

#endif
