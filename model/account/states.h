/*
 * states.h: what the states of a statement of SHOW PROFILE add up to.
 *
 * Dumps of very many queries have about as many statements, each with twenty
 * states.  Where nothing but tables by statement asks for them
 * (pp_account_options.states_apart), the walk keeps cells by event only, and
 * this reads the rows of a statement again, from pp_model.stages.
 */
#ifndef PP_ACCOUNT_STATES_H
#define PP_ACCOUNT_STATES_H

#include "account.h"

struct pp_states {
	struct pp_mem *mem;
	struct pp_model *model;
	const struct pp_accounts *a;
	struct pp_states_query *queries; /* by session and statement */
	size_t n;
	int64_t *begin;		/* of each query in its session; NULL */
	struct pp_states_seen *seen; /* by name of a state */
	uint32_t now;		/* statements read so far */
	uint32_t lost, unseen;	/* places in sum; UINT32_MAX */
	uint32_t hint;
	/* the statement that was read: its events, in no order; `stmt` and
	 * `slices` (where asked for) as in the accounts */
	struct pp_bucket *sum;
	size_t nsum, used, cap;
};

/* Does the session keep the states of statements apart? */
static inline bool
pp_states_apart(const struct pp_accounts *a, uint32_t session)
{
	return a->opt.states_apart &&
	    a->model->sessions[session].states_apart;
}

/* slices: those of the timeline are wanted. */
void pp_states_open(struct pp_states *s, const struct pp_accounts *a,
    bool slices);

/* Read a statement of a session that keeps its states apart. */
void pp_states_read(struct pp_states *s, uint32_t session, uint32_t stmt);

void pp_states_close(struct pp_states *s);

#endif
