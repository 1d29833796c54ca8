/*
 * token.h: the stack of tokens that a statement is reduced on.  Private to
 * model/sql.
 *
 * A lexer pushes tokens; the reductions happen while it does.  The servers do
 * the same: their text is what is left on the stack, so their quirks come
 * with it (1+1, 2 becomes ? + ?, ...).
 */
#ifndef PP_SQL_TOKEN_H
#define PP_SQL_TOKEN_H

#include "../base/map.h"
#include "digest.h"
#include "find.h"
#include "runs.h"

/* Tokens below 256 are characters. */
enum {
	T_VALUE = 256,	/* ? */
	T_VALUES,	/* ?, ... */
	T_ROW,		/* (?) */
	T_ROWS,		/* several of them */
	T_TUPLE,	/* (...) */
	T_TUPLES,
	T_IN,		/* IN (...) */
	T_NAME,
	T_NAME_AT,	/* hints: a name with @ behind it */
	T_UNKNOWN,	/* (unknown): a token without a name */
	T_CHARSET,	/* (_charset) */
	T_POSITION,	/* 9.x: ORDER BY 1 */
	T_HINT,
	T_HINT_END,
	T_ROLLUP,	/* WITH ROLLUP */
	T_NOT2,		/* NOT under HIGH_NOT_PRECEDENCE */
	T_FIRST,	/* canonical: a value that may stand for several */
	T_MORE,		/* canonical: the element before it, repeated */
	T_OP,		/* operators of several characters, see ops[] */
	T_WORD = 512	/* words.tbl, row by row */
};

enum op {
	OP_LE, OP_GE, OP_NE, OP_EQUAL, OP_SHL, OP_SHR, OP_AND, OP_OR, OP_SET,
	OP_ARROW, OP_ARROW2, OP_POWER, OP_RANGE, OP_NAMED, OP_CAST,
	OP_HASH_ARROW, OP_HASH_ARROW2, OP_CONTAINS, OP_WITHIN, OP_ANY_KEY,
	OP_ALL_KEYS, OP_RE_I, OP_RE_NOT, OP_RE_NOT_I, OP_MATCH, OP_HASH_MINUS,
	OP_JSON_PATH, OP_LIKE, OP_LIKE_I, OP_LIKE_NOT, OP_LIKE_NOT_I,
	OP_DISTANCE, OP_EXCL_CONCAT, OP_COUNT
};
extern const char *const pp_sql_ops[OP_COUNT];
#define T_OF_OP(op) ((uint16_t)(T_OP + (op)))

struct tok {
	const char *p;		/* T_NAME, T_NAME_AT, T_POSITION: bytes */
	size_t at;		/* its text, in out */
	uint32_t n;
	uint16_t id;
	char quote;		/* p has this character doubled; 0: it is as
				 * it reads */
	bool fixed : 1;		/* the character itself, not the operator */
	bool quoted : 1;	/* it was in quotes */
};

/* An open bracket. */
struct frame {
	uint32_t open;		/* its place on the stack */
	uint32_t elem;		/* canonical: start of this element */
	uint32_t prev, prev_end; /* the element before it, if has_prev */
	bool has_prev;
	bool off;		/* a query: its lists are not folded */
	bool in;		/* the list of IN */
	bool by;		/* inside the list of ORDER BY, GROUP BY */
};

/* flags of a word's token */
#define F_START		0x01	/* a sign behind it is a number's */
#define F_VALUE		0x02	/* NULL behind it is a value */
#define F_LIST_END	0x04	/* ends the list of ORDER BY */
#define F_OPERATOR	0x08	/* goes on with an expression */
#define F_HINTS		0x10	/* hints may follow */
#define F_CHECK		0x20	/* check.c wants to see it */

/* What a token is in a text. */
#define SPELL_ROOM 60		/* more than the longest */
struct spelling {
	char text[SPELL_ROOM];
	uint16_t n;
	uint16_t step;		/* with the blank behind it */
};

struct pp_digester {
	struct pp_mem *mem;
	struct pp_digest_options opt;
	bool canonical;
	bool native9;		/* signs and positions of MySQL 9 */
	bool in_list;		/* IN (...), from 8.0 on */
	bool null_token;	/* NULL merges in lists only (5.6) */
	bool hints;		/* optimizer hints are kept */
	bool maria;
	uint32_t version;	/* for version comments */

	pp_str sql;
	struct pp_sql_span span; /* of it */
	char *copy;		/* of a statement, with slack behind it */
	size_t copy_cap;
	bool digest_input;	/* the statement is a digest text */
	bool refused;		/* a server would have no digest for it */
	bool cut;
	bool blank;		/* nothing was in it */
	bool full;		/* max_length is reached */
	bool check;		/* something is in it for check.c */
	uint64_t used, limit;	/* bytes of tokens */
	int64_t depth;		/* brackets open */

	struct tok *t;
	size_t nt, t_cap;
	size_t barrier;		/* servers do not look back across a name */
	struct frame *f;
	size_t nf, f_cap;
	char *out;
	size_t nout, out_cap;
	char *spare;		/* hash.c: tokens; fingerprint.c: the other
				 * buffer */
	size_t spare_cap;

	bool slow_names;	/* of every name */
	struct pp_sql_words words;
	struct spelling spell[T_WORD + WORDS_MAX]; /* by id of token */
	uint16_t token[WORDS_MAX];	/* row -> id of its token */
	uint16_t same[WORDS_MAX];	/* row -> canonical id */
	uint8_t flags[WORDS_MAX];	/* row -> F_ */
	uint16_t w_null, w_is, w_not, w_in, w_with, w_rollup, w_by, w_order,
	    w_group, w_partition, w_cube, w_select, w_array, w_row, w_true,
	    w_false, w_set, w_prepare, w_execute, w_deallocate,
	    w_from, w_limit, w_procedure, w_password, w_values,
	    w_analyze, w_master, w_slave; /* ids */

	struct pp_digest_hasher *hasher;
	struct memo *memo;	/* hash.c: sums of the last texts */

	struct pp_arena texts;	/* MySQL 9: of PREPARE */
	struct pp_map prepared;	/* name -> index */
	pp_str *prepared_texts;
	size_t nprepared, prepared_cap;
};

/* dialect.c: tables for the words of a server */
void pp_sql_words(struct pp_digester *d);

/* The word of n bytes at p, or NULL; p is inside the statement. */
static inline const struct pp_sql_key *
pp_sql_find(const struct pp_digester *d, const char *p, size_t n)
{
	return p <= d->span.safe ? pp_sql_word_find(&d->words, p, n) :
	    pp_sql_word_find_short(&d->words, p, n);
}

/* The id of the word `w` (upper case; it must be there). */
uint16_t pp_sql_word_id(const char *w);

/* lex_mysql.c, lex_other.c: push all tokens of d->sql */
void pp_sql_lex_mysql(struct pp_digester *d);
void pp_sql_lex_other(struct pp_digester *d);

/* lex.c: what the lexers share */
bool pp_sql_is_digest(pp_str sql);
const char *pp_sql_string(struct pp_digester *d, const char *p, char quote,
    bool backslash, bool *doubled);
const char *pp_sql_block_comment(const char *p, const char *end, int nest);
const char *pp_sql_line(const char *p, const char *end);
bool pp_sql_is_charset(const char *p, size_t n);
void pp_sql_dots(struct pp_digester *d, const char *p);
void pp_sql_hints(struct pp_digester *d, const char *p, const char *end);

/* reduce.c: pushes with the reductions of the servers */
void pp_sql_char(struct pp_digester *d, char c);
void pp_sql_op(struct pp_digester *d, enum op op);
void pp_sql_word(struct pp_digester *d, int row);
void pp_sql_name(struct pp_digester *d, const char *p, size_t n, char quote);
void pp_sql_known(struct pp_digester *d, const char *p, size_t n,
    const struct pp_sql_key *k);
void pp_sql_quoted(struct pp_digester *d, const char *p, size_t n, char quote);
void pp_sql_name_at(struct pp_digester *d, const char *p, size_t n);
void pp_sql_value(struct pp_digester *d, bool number);
void pp_sql_plain(struct pp_digester *d, uint16_t id);
void pp_sql_hint_char(struct pp_digester *d, char c);
void pp_sql_position(struct pp_digester *d, const char *p, size_t n);
void pp_sql_more(struct pp_digester *d);

/* canon.c: the same for canonical texts */
void pp_canon_char(struct pp_digester *d, char c);
void pp_canon_comma(struct pp_digester *d);
void pp_canon_word(struct pp_digester *d, uint16_t id);
void pp_canon_name(struct pp_digester *d, const char *p, size_t n,
    char quote, bool quoted, const struct pp_sql_key *k);
void pp_canon_value(struct pp_digester *d);
void pp_canon_list(struct pp_digester *d, bool attached);

/* Names of more bytes show as three dots in MySQL, see text.c. */
#define NAME_MAX_BYTES 64

struct frame *pp_sql_open_frame(struct pp_digester *d);

/* Is NULL a value here, judging by what stands before it? */
bool pp_sql_null_is_value(const struct pp_digester *d);

/* Can an expression start behind this token? */
bool pp_sql_starts(const struct pp_digester *d, const struct tok *t);

/* check.c: mark what the server's grammar would refuse */
void pp_sql_check(struct pp_digester *d);

/* text.c */
void pp_sql_spellings(struct pp_digester *d);
void pp_sql_grow(struct pp_digester *d);
void pp_sql_slow_text(struct pp_digester *d, const struct tok *t);
void pp_sql_end_text(struct pp_digester *d);
size_t pp_sql_name_bytes(const struct tok *t);
size_t pp_sql_decoded(const char *p, size_t n, char quote);

/* prepare.c */
bool pp_sql_prepared(struct pp_digester *d, pp_str *inner, uint16_t *first);

/* fingerprint.c */
bool pp_sql_fingerprint(struct pp_digester *d, pp_str sql);

/* n bytes as 2n hex digits and a NUL */
void pp_sql_hex(char *out, const unsigned char *md, size_t n, bool upper);

/* hash.c */
size_t pp_sql_native_hash(struct pp_digester *d, char *out,
    const char **why);
void pp_sql_sum(struct pp_digester *d, pp_str text, unsigned char md[32]);

/* digest.c */
void pp_sql_hasher_sum(struct pp_digest_hasher *h, pp_str text,
    unsigned char md[32]);

#endif
