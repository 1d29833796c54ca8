/*
 * charset.h: encodings of a client's text, to UTF-8.
 */
#ifndef PP_CLIENT_CHARSET_H
#define PP_CLIENT_CHARSET_H

#include <stdbool.h>
#include <stdint.h>

#include "../../model/base/mem.h"
#include "../../model/base/str.h"

enum pp_cl_how {
	PP_CL_HOW_SAME,		/* UTF-8, or bytes that nobody named */
	PP_CL_HOW_LATIN1,	/* MySQL's latin1: Windows 1252, all 256 */
	PP_CL_HOW_UTF16LE,
	PP_CL_HOW_UTF16BE,
	PP_CL_HOW_ICONV
};

struct pp_cl_charset {
	enum pp_cl_how how;
	bool known;		/* named, or found by a mark */
	size_t skip;		/* bytes of a mark at the head of the file */
	char iconv[32];		/* name for iconv_open */
};

/* What MySQL or iconv call `name`; false when this build cannot read it. */
bool pp_cl_charset_named(pp_str name, struct pp_cl_charset *cs);

/*
 * The encoding of a file that begins with head: by its mark, by zero bytes,
 * by what it says of itself (SET NAMES, encoding=, charset=), else `named`
 * (may be empty), else as it is.
 */
void pp_cl_charset_find(pp_str head, pp_str named, struct pp_cl_charset *cs);

/* Is s UTF-8 (a character cut off at its end is)?  *ascii: all below 128. */
bool pp_cl_is_utf8(pp_str s, bool *ascii);

struct pp_cl_decoder;

struct pp_cl_decoder *pp_cl_decoder_open(struct pp_mem *mem,
    const struct pp_cl_charset *cs);
void pp_cl_decoder_close(struct pp_cl_decoder *);

/*
 * Append s, a whole number of lines or the end of the file, to out as UTF-8.
 * Bytes that are no character are kept as they are; returns how many.
 */
size_t pp_cl_decode(struct pp_cl_decoder *, pp_str s, char **out, size_t *n,
    size_t *cap);

/* Where the first line end in s begins, and its length in *unit; s.n where
 * there is none. */
size_t pp_cl_line_end(const struct pp_cl_charset *cs, pp_str s, size_t *unit);

#endif
