/*
 * sql.h: what a CREATE TABLE says, for dumps of SQL and for the .sql beside a
 * file of mysqldump --tab.
 */
#ifndef PP_CLIENT_SQL_H
#define PP_CLIENT_SQL_H

#include "parse.h"

/*
 * The statement at the head of s: its table and the names of its columns, in
 * arena a.  Returns what follows its brackets, or NULL where it is none or
 * not complete.
 */
const char *pp_cl_create_table(pp_str s, struct pp_arena *a, pp_str *table,
    pp_str **columns, size_t *n);

void pp_cl_dumps_free(struct pp_client *);

#endif
