/*
 * digest_fill.h: the digests of the statements of a model.
 */
#ifndef PP_DIGEST_FILL_H
#define PP_DIGEST_FILL_H

#include "model.h"

/*
 * Fill pp_stmt.digest and digest_text of every statement with a text that has
 * none yet: by Oracle's rules where it has a sql_id, else by MySQL's.  Called
 * before tables are filled, and again when statements have been added.
 * loose: --digest loose.
 */
void pp_model_digest(struct pp_model *m, bool loose);

#endif
