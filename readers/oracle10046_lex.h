/*
 * oracle10046_lex.h: inside the lexer of Oracle traces; only its own files
 * (oracle10046_lex*.c, oracle10046_group.c) include this.
 *
 * The lexer is a pure function of the bytes, whatever the cuts between
 * chunks.  So every decision that needs bytes further on waits until they are
 * there: a function that meets the end of a chunk which is not the last
 * answers PP_O_DEFER, and the rest of the chunk is left unused from the start
 * of that line or group.
 */
#ifndef PP_ORACLE10046_LEX_H
#define PP_ORACLE10046_LEX_H

#include "oracle10046.h"
#include "scan.h"

/* Bounds on what one group may take, so that garbage cannot hold a chunk. */
#define PP_O_GROUP_MAX (16u << 20)	/* bytes of a text or bind block */
#define PP_O_LEN_MAX (256u << 10)	/* len= of a failed parse to look for */
#define PP_O_OVERRUN 65536u	/* past len= before END OF STMT is missed */
#define PP_O_JOIN_MAX 4096u	/* bytes of a joined record */
#define PP_O_JOIN_LINES 8

enum pp_o_step { PP_O_DONE, PP_O_DEFER };

/* A run of NUL bytes that was taken out of the chunk. */
struct pp_o_nul {
	size_t at;	/* position in the clean bytes behind the run */
	size_t run;	/* position of the run in the chunk */
	size_t len;
	size_t cut;	/* bytes by which all runs up to here shift */
	bool soft;	/* a '\n' stands for it, at at - 1 */
};

/*
 * What the last waits looked like, so that the same bytes need not be read
 * again: those for the network differ in their times only.
 */
#define PP_O_TAILS 8
#define PP_O_TAIL 96
struct pp_o_tail {
	uint64_t hash;		/* of the event */
	size_t n;
	char bytes[PP_O_TAIL + 8]; /* between the numbers of ela=, tim= */
	uint8_t has, npar;
	uint8_t text, textn;	/* of the parameters, in bytes */
	int64_t par[3];
	int64_t obj;
};

struct pp_o_lexer {
	const char *p, *end;	/* the bytes, without NULs */
	const char *at;		/* start of the line to lex */
	const char *stop;	/* lines that begin before it may be scanned
				 * swiftly */
	uint64_t line;		/* number of the line at `at` */
	uint64_t offset;	/* of p[0] */
	uint64_t limit;		/* offset from which on a sure line ends it */
	bool last;
	struct pp_records *out;
	const struct pp_o_nul *nul;
	size_t nnul;
	struct pp_o_tail tails[PP_O_TAILS];
};

struct pp_o_line {
	const char *p, *e;	/* without CR and newline */
	const char *next;
	bool ended;		/* a line end stands behind it */
	unsigned count;		/* 1; 0: its end is no newline of the file */
};

/* What a line says it is. */
enum pp_o_class {
	PP_O_C_NONE,
	PP_O_C_BLANK,
	PP_O_C_RULE,		/* ===== */
	PP_O_C_MARKER,		/* "*** " */
	PP_O_C_HEADER,		/* Trace file, Dump file */
	PP_O_C_CALL,
	PP_O_C_LOB,
	PP_O_C_WAIT,
	PP_O_C_STAT,
	PP_O_C_BINDS,
	PP_O_C_PARSING,
	PP_O_C_PARSE_ERROR,
	PP_O_C_ERROR,
	PP_O_C_XCTEND,
	PP_O_C_APPNAME,
	PP_O_C_RPC_CALL,
	PP_O_C_RPC_BINDS,
	PP_O_C_RPC_EXEC
};

struct pp_o_head {
	enum pp_o_class class;
	uint8_t ev;		/* PP_O_C_CALL: enum pp_ev_kind */
	bool cut;		/* the line ends in the cursor number */
	bool range;		/* the cursor number has too many digits */
	uint64_t cursor;
	pp_str name;		/* PP_O_C_LOB */
	const char *rest;	/* behind the ':' or ' ' that follows */
};

/* What became of the fields of a record. */
enum pp_o_verdict {
	PP_O_WHOLE,
	PP_O_CUT,		/* well-formed, but fields are missing */
	PP_O_BAD		/* not what the grammar says */
};

/* --- oracle10046_lex.c: lines and records ------------------------------ */

/*
 * The line at `at`; false when it is not (wholly) in the chunk.  That is the
 * end of the file where lx->last, else a reason to defer.
 */
bool pp_o_line_at(const struct pp_o_lexer *lx, const char *at,
    struct pp_o_line *l);

/* One more record, zeroed but for kind, line and offset. */
struct pp_o_rec *pp_o_add(struct pp_o_lexer *lx, enum pp_o_kind kind,
    const char *at, uint64_t line);

/* One more record, r, with its place. */
void pp_o_put(struct pp_o_lexer *lx, const struct pp_o_rec *r, const char *at,
    uint64_t line, uint16_t nlines);

/* One more PP_O_DAMAGE record. */
void pp_o_damage(struct pp_o_lexer *lx, enum pp_msg msg, const char *at,
    uint64_t line, pp_str excerpt);

/* Turn to `next`, `count` lines further on. */
void pp_o_turn(struct pp_o_lexer *lx, const char *next, uint64_t count);

static inline pp_str
pp_o_str(const char *p, const char *e)
{
	return (pp_str){p, (size_t)(e - p)};
}

/* pp_o_rec.nlines of n line ends: a part of a line counts as one. */
static inline uint16_t
pp_o_lines(uint64_t n)
{
	return n > UINT16_MAX ? UINT16_MAX : n ? (uint16_t)n : 1;
}

/* --- oracle10046_lex_quick.c: the commonest lines ---------------------- */

/*
 * Read lines from lx->at on as long as they have the usual form, and before
 * lx->stop.  A line that begins with a digit may be the rest of the one before,
 * so that one is left, too.
 */
void pp_o_quick_lines(struct pp_o_lexer *lx);

/* --- oracle10046_lex_nul.c: NUL bytes ---------------------------------- */

/* Take the NUL runs out of the chunk: sets p, end, nul and nnul. */
void pp_o_nul_drop(struct pp_o_lexer *lx, const struct pp_chunk *c);

/* Bytes by which q stood further on before. */
size_t pp_o_nul_shift(const struct pp_o_lexer *lx, const char *q);

/* Does the newline at nl stand for a run? */
bool pp_o_nul_soft(const struct pp_o_lexer *lx, const char *nl);

/*
 * Put a record for each run in the used part of the chunk among the others,
 * in order of offset.
 */
void pp_o_nul_tell(struct pp_o_lexer *lx, const struct pp_chunk *c);

/* --- oracle10046_lex_line.c: the fields of one record ------------------ */

/*
 * What the line p..e begins with.  A record keyword counts only with its
 * number and the ':' or ' ' behind that, so that text does not match.
 */
struct pp_o_head pp_o_classify(const char *p, const char *e);

/* Is the class a record, marker or rule that ends a bind block? */
static inline bool
pp_o_ends(enum pp_o_class c)
{
	return c != PP_O_C_NONE && c != PP_O_C_BLANK;
}

/* A record of one line that no text follows. */
static inline bool
pp_o_one_line(enum pp_o_class c)
{
	return c == PP_O_C_CALL || c == PP_O_C_LOB || c == PP_O_C_WAIT ||
	    c == PP_O_C_STAT || c == PP_O_C_ERROR || c == PP_O_C_XCTEND;
}

/*
 * The fields of the single-line record (or the head of the group) h, from
 * h->rest to e, into r, which is zeroed.  Sets r->kind and all below it, but
 * not line and offset.
 */
enum pp_o_verdict pp_o_fields(const struct pp_o_head *h, const char *e,
    struct pp_o_rec *r);

/* The same for a WAIT (oracle10046_lex_wait.c). */
enum pp_o_verdict pp_o_wait(const struct pp_o_head *h, const char *e,
    struct pp_o_rec *r);

/* Does the line hold a whole record of a kind that text seldom imitates? */
bool pp_o_full_record(const char *p, const char *e);

/*
 * Where in p..e a second record begins (not at p itself), or NULL.  Unless
 * `anywhere` it must follow a digit, quote or bracket, as the end of a record
 * does.
 */
const char *pp_o_second(const char *p, const char *e, bool anywhere);

/* --- oracle10046_lex_mark.c: markers and header lines ------------------ */

/* The marker line p..e into r; PP_O_CUT when a value lacks its bracket. */
enum pp_o_verdict pp_o_marker(const char *p, const char *e,
    struct pp_o_rec *r);

/* Is it a header line?  Fills r; `next`: the line behind it, or empty. */
bool pp_o_header(const char *p, const char *e, pp_str next,
    struct pp_o_rec *r);

/* Could the line be a bare path, so that the next line decides? */
bool pp_o_path_like(const char *p, const char *e);

/* --- oracle10046_group.c: records of several lines --------------------- */

/* PARSING IN CURSOR and PARSE ERROR: l is the first line, h its head. */
enum pp_o_step pp_o_text(struct pp_o_lexer *lx, const struct pp_o_line *l,
    const struct pp_o_head *h);

/* Does the line end in CR LF? */
static inline bool
pp_o_has_cr(const struct pp_o_line *l)
{
	return l->ended && l->next - l->e == 2;
}

/* Where what the server says at last begins, behind a text or string, begun
 * at `begin`, that the file ends in: the limit was reached inside it, or it
 * goes on in another file.  lx->end: it says nothing. */
const char *pp_o_last_words(const struct pp_o_lexer *lx, const char *begin);

/*
 * p..e, text of a file with CRs, without the CR at the end of each line, copied
 * to the arena; all but the last are left where not every line has one.
 */
pp_str pp_o_strip_cr(struct pp_o_lexer *lx, const char *p, const char *e);

/* BINDS and RPC BINDS (oracle10046_lex_binds.c). */
enum pp_o_step pp_o_binds(struct pp_o_lexer *lx, const struct pp_o_line *l,
    const struct pp_o_head *h);

/* A joined record: its text and what it took. */
struct pp_o_join {
	bool found;
	pp_str text;		/* in the arena */
	const char *next;	/* the line behind it */
	uint64_t count;
	bool ended;
};

/*
 * Try to complete the record on line l, whose fields were `was`, with the lines
 * that follow.  On success r holds its fields.
 */
enum pp_o_step pp_o_try_join(struct pp_o_lexer *lx, const struct pp_o_line *l,
    enum pp_o_verdict was, struct pp_o_rec *r, struct pp_o_join *j);

#endif
