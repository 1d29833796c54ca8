/*
 * oracle10046.h: records of an Oracle extended SQL trace, between the lexer
 * (oracle10046_lex.c) and the fold (oracle10046.c).
 *
 * The lexer sees bytes only.  It works on groups of lines that belong
 * together (a PARSING IN CURSOR with its text up to END OF STMT, a BINDS
 * block, a PARSE ERROR with its text) and leaves a group whose end is not in
 * the chunk for the next one, so that it always begins in the same state.
 */
#ifndef PP_ORACLE10046_H
#define PP_ORACLE10046_H

#include "reader.h"

enum pp_o_kind {
	PP_O_CALL,		/* PARSE EXEC FETCH CLOSE UNMAP SORT UNMAP LOB* RPC */
	PP_O_WAIT,
	PP_O_PARSING,		/* with text */
	PP_O_BINDS,		/* text = the block's lines after the first,
				 * without markers among them and without
				 * the last newline */
	PP_O_STAT,
	PP_O_XCTEND,
	PP_O_ERROR,
	PP_O_PARSE_ERROR,	/* with text */
	PP_O_APPNAME,		/* text = the rest of the line */
	PP_O_RPC,		/* sub 0: RPC CALL:, text = the rest of the
				 * line; sub 1: RPC BINDS:, text as BINDS */
	PP_O_MARKER,		/* "*** ..." line: stamp, key and value */
	PP_O_HEADER,		/* a line of the file header */
	PP_O_NOISE,		/* text = the line */
	PP_O_DAMAGE		/* something repaired or rejected: msg, text */
};

/* keys of "*** KEY:(VALUE)" markers and other marker lines */
enum pp_o_key {
	PP_O_STAMP,		/* a bare timestamp; value = PDB name, if any,
				 * num = container id */
	PP_O_SESSION_ID,
	PP_O_CLIENT_ID,
	PP_O_SERVICE_NAME,
	PP_O_MODULE_NAME,
	PP_O_ACTION_NAME,
	PP_O_CLIENT_DRIVER,
	PP_O_CONTAINER_ID,
	PP_O_CLIENT_IP,
	PP_O_CONNECTION_ID,
	PP_O_PROCESS,		/* *** [ Unix process pid: N ]; value = N */
	PP_O_CONTINUES,		/* TRACE [DUMP] CONTINUES IN FILE value */
	PP_O_CONTINUED,		/* TRACE [DUMP] CONTINUED FROM FILE value */
	PP_O_SIZE_LIMIT,	/* DUMP FILE SIZE IS LIMITED TO num BYTES */
	PP_O_OTHER_KEY		/* any other; value = the whole line */
};

/* kinds of header lines; value in text */
enum pp_o_header {
	PP_O_H_TRACE_FILE,	/* Trace file / Dump file / bare path: a new
				 * segment begins */
	PP_O_H_PRODUCT,		/* Oracle Database 19c ... (banner) */
	PP_O_H_VERSION,		/* Version 19.14.2.0.0 */
	PP_O_H_HOST,		/* Node name: */
	PP_O_H_INSTANCE,	/* Instance name: */
	PP_O_H_PROCESS,		/* Unix process pid: N / Windows thread id: N;
				 * num[0] = N; text = image */
	PP_O_H_OTHER
};

/* which optional fields a record has */
#define PP_O_HAS_TIM	0x01
#define PP_O_HAS_DEP	0x02
#define PP_O_HAS_PLH	0x04
#define PP_O_HAS_OBJ	0x08
#define PP_O_HAS_Q	0x10	/* SystemTap */
#define PP_O_HAS_C	0x20	/* SystemTap, waits */
#define PP_O_P123	0x40	/* WAIT: parameters named p1 p2 p3 */
#define PP_O_HAS_HV	0x80

/*
 * One record.  Lines (once chunk.before is added) and offsets are absolute.
 * Fields that the kind does not have are 0.
 */
struct pp_o_rec {
	uint8_t kind;		/* enum pp_o_kind */
	uint8_t sub;		/* call: enum pp_ev_kind; marker: enum
				 * pp_o_key; header: enum pp_o_header;
				 * damage: enum pp_msg */
	uint8_t has;
	uint8_t npar;		/* WAIT: parameters 0..3 */
	uint16_t dep;
	uint16_t nlines;	/* lines that the record took (saturating); 0:
				 * a record of one line that the file ends
				 * in, without a line end: its last number
				 * may be cut */
	uint32_t len;		/* PARSING, PARSE ERROR: len=; NUL_BYTES:
				 * bytes of the run (saturating) */
	uint64_t line;
	uint64_t offset;
	uint64_t cursor;
	int64_t tim;
	uint64_t hash;		/* WAIT, LOB: pp_str_hash(name) */
	pp_str name;		/* WAIT: event; LOB: call name (LOBREAD);
				 * PARSING: sqlid; marker: timestamp */
	pp_str text;		/* PARSING, PARSE ERROR, BINDS, STAT (behind
				 * the cursor number), NOISE, HEADER: see
				 * above; marker: value; WAIT: parameters as
				 * printed; DAMAGE: excerpt */
	union {
		struct {	/* CALL */
			int64_t e, c;
			uint64_t p, cr, cu, mis, r, plh;
			int64_t q;
			uint32_t og, type; /* type: CLOSE type=; LOB bytes in r */
		} call;
		struct {	/* WAIT */
			int64_t ela;
			int64_t par[3];
			int64_t obj;
			int64_t c, q; /* SystemTap */
		} wait;
		struct {	/* PARSING, PARSE ERROR */
			uint32_t uid, oct, lid, hv;
			int64_t err;
			bool complete; /* END OF STMT / len bytes seen */
		} parsing;
		struct {	/* ERROR, XCTEND */
			int64_t err;
			uint32_t rlbk, rd_only;
		} point;
		struct {	/* HEADER, MARKER */
			uint64_t num;
		} head;
	} u;
};

/* The lexer: pp_reader.lex of oracle10046. */
void pp_oracle10046_lex(struct pp_chunk *c, struct pp_records *out);

/* The same without its quick functions, which tests compare with it. */
void pp_oracle10046_lex_plain(struct pp_chunk *c, struct pp_records *out);

/* The place of op=' in the text of a STAT line, or s.n. */
size_t pp_o_stat_op(pp_str s);

/* pp_reader.begins of oracle10046. */
bool pp_o_begins(pp_str line);

/*
 * "2017-01-18 12:24:14.701", "2018-09-07T07:38:12.394819-05:00" and relatives
 * to a wall clock; false when s does not begin with one.  *used: bytes taken.
 */
bool pp_oracle_stamp(pp_str s, struct pp_wall *w, size_t *used);

#endif
