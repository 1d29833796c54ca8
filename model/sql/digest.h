/*
 * digest.h: the text that statements share: literals, lists and white space
 * taken out.
 *
 * Two kinds of text come from here.  A server's own DIGEST_TEXT, character by
 * character, for MySQL and MariaDB, or pt-fingerprint's; and the canonical
 * text, one for all servers, from which column `digest` is made:
 * "d:" and the first 32 hex digits of its SHA-256.
 */
#ifndef PP_SQL_DIGEST_H
#define PP_SQL_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/mem.h"
#include "../base/str.h"

enum pp_sql_server {
	PP_SQL_MYSQL_56M,	/* 5.6 before its release: measured on 5.6.6 */
	PP_SQL_MYSQL_56,	/* 5.6.9 and later */
	PP_SQL_MYSQL_57,
	PP_SQL_MYSQL_80,	/* and 8.4 */
	PP_SQL_MYSQL_90,
	PP_SQL_MARIADB_10,	/* up to 11.7 */
	PP_SQL_MARIADB_11,	/* 11.8 and later */
	PP_SQL_ORACLE,
	PP_SQL_POSTGRESQL,
	PP_SQL_PT_32,		/* pt-fingerprint up to 3.2 */
	PP_SQL_PT_35
};

/* sql_mode, as far as it changes how statements are read */
#define PP_SQL_ANSI_QUOTES	0x01
#define PP_SQL_NO_BACKSLASH	0x02
#define PP_SQL_IGNORE_SPACE	0x04
#define PP_SQL_PIPES_CONCAT	0x08
#define PP_SQL_HIGH_NOT		0x10

/* Bytes of tokens that servers keep unless told otherwise. */
#define PP_SQL_MAX_LENGTH 1024

struct pp_digest_options {
	enum pp_sql_server server;	/* whose SQL it is */
	bool canonical;		/* our own text; always so for Oracle and
				 * PostgreSQL */
	bool loose;		/* canonical: digits in names and hints do
				 * not matter */
	unsigned mode;		/* PP_SQL_: sql_mode */
	uint32_t max_length;	/* max_digest_length; 0: without limit */
	bool embedded;		/* pt: --match-embedded-numbers */
	bool checksums;		/* pt: --match-md5-checksums */
};

/*
 * Set server and canonical by the name of a dialect: mysql-5.6, mysql-8.0.36,
 * mariadb-11.8, oracle, postgresql, pt, canonical, ...; false for an unknown
 * one.  Other members keep their values; max_length gets the default of the
 * dialect.
 */
bool pp_digest_dialect(pp_str name, struct pp_digest_options *o);

/* Names for help: the n-th, or NULL past the last. */
const char *pp_digest_dialect_name(size_t n);

/* A lexer with its tables, for any number of statements of one kind. */
struct pp_digester;

struct pp_digester *pp_digester_open(struct pp_mem *mem,
    const struct pp_digest_options *o);
void pp_digester_close(struct pp_digester *d);

/*
 * The digest text of one statement; valid until the next call.  False (and an
 * empty text) where the server would have none: nothing in it, or something
 * that it refuses.  A canonical text there always is, unless nothing is in
 * the statement.
 */
bool pp_digest_text(struct pp_digester *d, pp_str sql, pp_str *text);

/*
 * What identifies the last text: the DIGEST of MySQL 8.0 and later (64 hex
 * digits), the Query ID of pt (32), else the id of the text (34).  Zero bytes
 * of out where MySQL's cannot be told: *why names the word whose token number
 * is unknown.  Returns the length; out has room for PP_DIGEST_HASH.
 */
#define PP_DIGEST_HASH 65
size_t pp_digest_hash(struct pp_digester *d, char *out,
    const char **why);

/* "d:" and 32 hex digits of SHA-256 of a canonical text.  For many texts
 * there is the hasher. */
#define PP_DIGEST_ID 35
void pp_digest_id(pp_str text, char out[PP_DIGEST_ID]);

/*
 * The same for many texts: the algorithm is looked up once.  id gets the 16
 * bytes as two numbers, the first byte highest.  The hasher lives as long as
 * mem.
 */
struct pp_digest_hasher;
struct pp_digest_hasher *pp_digest_hasher_open(struct pp_mem *mem);
void pp_digest_hasher_id(struct pp_digest_hasher *h, pp_str text,
    uint64_t id[2]);

/* An id as pp_digest_id prints it. */
void pp_digest_id_print(const uint64_t id[2], char out[PP_DIGEST_ID]);

/* Was there nothing in the last statement but white space and comments? */
bool pp_digest_blank(const struct pp_digester *d);

/* Did the last statement end inside a literal, name or comment? */
bool pp_digest_cut(const struct pp_digester *d);

/*
 * The end of the first statement of `text`: the offset of its terminator,
 * text.n where there is none.  *skip gets the offset behind the terminator.
 * A line that sets DELIMITER counts as an empty statement.
 */
struct pp_sql_split {
	enum pp_sql_server server;
	unsigned mode;
	char delimiter[16];	/* of the mysql client; "" is ";" */
};
size_t pp_sql_split(struct pp_sql_split *s, pp_str text, size_t *skip);

#endif
