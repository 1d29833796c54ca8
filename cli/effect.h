/*
 * effect.h: what was asked for and met nothing that it is for.
 *
 * Which kinds of input there are is known only when all have been read; an
 * option that belongs to another kind is no mistake in itself, for scripts
 * give the same options to whatever they find, but it must not be silent.
 */
#ifndef PP_EFFECT_H
#define PP_EFFECT_H

#include "run.h"

/*
 * Tell of options without effect (no-effect), and of a selection that no row
 * of totals fits (no-match).  When all is read and accounted for.
 */
void pp_effect_tell(struct pp_run *r);

#endif
