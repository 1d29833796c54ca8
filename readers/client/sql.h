/*
 * sql.h: what a CREATE TABLE says, for dumps of SQL and for the .sql beside a
 * file of mysqldump --tab.
 */
#ifndef PP_CLIENT_SQL_H
#define PP_CLIENT_SQL_H

#include "parse.h"

struct pp_cl_dump_table {
	struct pp_cl_dump_table *next;
	pp_str name;
	const pp_str *columns;
	size_t n;
};

struct pp_cl_dumps {
	struct pp_arena mem;
	struct pp_cl_dump_table *first;
};

/* --- tokens --- */

const char *pp_sql_skip_space(const char *p, const char *e);

/* The word `lower` at *p, followed by no letter: *p moves behind it. */
bool pp_client_sql_word(const char **p, const char *e, const char *lower);

/* Behind the quoted text that begins at p; NULL: not all there. */
const char *pp_sql_behind_quoted(const char *p, const char *e);

/* A name, quoted or not, with its doubled quotes resolved in arena a.  NULL:
 * there is none, or not all of it. */
const char *pp_client_sql_name(const char *p, const char *e, pp_str *name,
    struct pp_arena *a);

/* `db`.`t`: the last part. */
const char *pp_sql_table_at(const char *p, const char *e, pp_str *name,
    struct pp_arena *a);

/* --- tables --- */

/* The CREATE TABLE at the head of the window: remember and take it. */
enum pp_cl_step pp_cl_create_step(struct pp_client *);

/* The table called name, if it was created before; NULL. */
const struct pp_cl_dump_table *pp_cl_dump_table(const struct pp_client *,
    pp_str name);

/*
 * The statement at the head of s: its table and the names of its columns, in
 * arena a.  Returns what follows its brackets, or NULL where it is none or
 * not complete.
 */
const char *pp_cl_create_table(pp_str s, struct pp_arena *a, pp_str *table,
    pp_str **columns, size_t *n);

void pp_cl_dumps_free(struct pp_client *);

#endif
