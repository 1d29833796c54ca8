/*
 * digest_options.h: the options of `profpivot digest` that no other command
 * has.
 */
#ifndef PP_CLI_DIGEST_OPTIONS_H
#define PP_CLI_DIGEST_OPTIONS_H

#include "../model/sql/digest.h"

struct pp_digest_cli {
	struct pp_digest_options sql;
	bool hash, count, lines, nul;
	bool own_text;		/* --canonical was given */
	bool length_given;
};

void pp_digest_cli_init(struct pp_digest_cli *o);

/* NULL, or what the value should have been. */
const char *pp_digest_cli_dialect(struct pp_digest_cli *o, const char *v);
const char *pp_digest_cli_mode(struct pp_digest_cli *o, const char *v);

#endif
