/*
 * seed.h: the timeline of the seed's Interval Resource Profiler.  Private to
 * account/.
 */
#ifndef PP_ACCOUNT_SEED_H
#define PP_ACCOUNT_SEED_H

#include "cells.h"

/*
 * Lay the slices of the sessions of `group`, whose walk has been done, by the
 * seed's intervals: an axis a session.  Needs a log with raw slots.  PP_FATAL
 * when the log cannot be read.
 */
enum pp_status pp_seed_timeline(struct pp_accounts *a, uint32_t group);

#endif
