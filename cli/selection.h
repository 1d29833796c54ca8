/*
 * selection.h: --where, --since, --until and --idle turned into a selection.
 */
#ifndef PP_CLI_SELECTION_H
#define PP_CLI_SELECTION_H

#include "../model/account/selection.h"

#define PP_SELECTION_MAX 64	/* conditions */

/* What the options have said so far, and its text. */
struct pp_selecting {
	struct pp_selection selection;
	struct pp_condition where[PP_SELECTION_MAX];
	char text[1024];
};

/*
 * Add COLUMN=VALUE.  NULL, or why not: a message for the user, in buf of
 * `size` bytes.
 */
const char *pp_selecting_where(struct pp_selecting *s, const char *v,
    char *buf, size_t size);

/* A moment: seconds, a time with a unit, or a wall clock; false when it is
 * none of them. */
bool pp_selecting_moment(struct pp_moment *m, const char *v);

/* All has been said: is there a selection?  Makes its text. */
bool pp_selecting_done(struct pp_selecting *s, const char *since,
    const char *until);

#endif
