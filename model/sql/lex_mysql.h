/*
 * lex_mysql.h: what the two halves of MySQL's lexer share.  Private to
 * model/sql.
 */
#ifndef PP_SQL_LEX_MYSQL_H
#define PP_SQL_LEX_MYSQL_H

#include "reduce.h"

struct lexer {
	struct pp_digester *d;
	const char *p, *end;
	bool in_version;	/* inside a version comment */
	const char *quick;	/* names may be copied blindly up to here */
};

/* lex_mysql_rare.c: the token at p; what is behind it */
const char *pp_my_token(struct lexer *x, const char *p);
/* ... the word or name at `from`, whatever it is; what is behind it */
const char *pp_my_careful(struct lexer *x, const char *from);
/* ... the names behind dots that follow a name at x->p at once */
void pp_my_dotted(struct lexer *x);

#endif
