/*
 * client.h: from bytes of a client's text to row sets and notes, in file
 * order, at any size.
 *
 * The caller feeds the file in pieces of any length; what was found comes
 * back through a sink.  Memory holds a piece, the row that is not complete
 * yet, and what the open row set needs.
 */
#ifndef PP_CLIENT_H
#define PP_CLIENT_H

#include "../../model/base/diag.h"
#include "../../model/base/mem.h"
#include "rowset.h"
#include "rowreader.h"

/* What the command line says about inputs of this kind. */
struct pp_client_options {
	pp_str charset;		/* empty: found */
	/*
	 * The dialect of SELECT ... INTO OUTFILE and its relatives; unset
	 * parts are found.  Escapes (\t, \n, \\, \0) are resolved.
	 */
	bool has_fields, has_enclosed, has_escaped, has_lines, has_starting;
	pp_str fields;		/* --fields-terminated-by */
	pp_str enclosed;	/* --fields-[optionally-]enclosed-by */
	pp_str escaped;		/* --fields-escaped-by */
	pp_str lines;		/* --lines-terminated-by */
	pp_str starting;	/* --lines-starting-by */
	pp_str columns;		/* --columns: names, comma list */
};

/* Is it an encoding that this build can read?  MySQL's and iconv's names. */
bool pp_client_charset_known(pp_str name);

/* Where the results go.  Strings are valid during the call. */
struct pp_client_sink {
	void *ctx;
	/* As pp_rowreader.match, over all that may want it. */
	int (*match)(void *ctx, const struct pp_rowset *);
	enum pp_status (*begin)(void *ctx, const struct pp_rowset *);
	enum pp_status (*row)(void *ctx, const struct pp_rowset *,
	    const struct pp_rs_row *);
	void (*end)(void *ctx, const struct pp_rowset *);
	void (*note)(void *ctx, const struct pp_note *);
	void (*problem)(void *ctx, enum pp_msg, uint64_t line,
	    uint64_t offset, pp_str text);
};

struct pp_client;

/*
 * A parser for one file.  `path`: of the file, for the columns that stand in
 * a .sql beside it; NULL: look at no other file.  opt may be NULL.
 */
struct pp_client *pp_client_open(struct pp_mem *mem,
    const struct pp_client_sink *sink, const struct pp_client_options *opt,
    const char *path);

/*
 * The next bytes of the file; `last`: no more come.  offset of the first.
 * PP_FATAL when the sink said so.
 */
enum pp_status pp_client_feed(struct pp_client *, pp_str bytes,
    uint64_t offset, bool last);

void pp_client_close(struct pp_client *);

#endif
