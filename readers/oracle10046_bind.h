/*
 * oracle10046_bind.h: a bind on its way from the lines of its block to a
 * typed value.  Between oracle10046_binds.c (lines) and
 * oracle10046_bindtype.c (types).
 */
#ifndef PP_ORACLE10046_BIND_H
#define PP_ORACLE10046_BIND_H

#include "oracle10046_fold.h"

struct pp_of_bind {
	bool open, has_value, quoted;
	uint32_t position;
	unsigned dty;		/* data type code */
	unsigned frm;		/* 2: national character set */
	unsigned csi;		/* character set id; 0: not told */
	int64_t avl;		/* bytes; -1: not told */
	pp_str text;		/* behind value=, without quotes */
	pp_str dump;		/* lines of hexadecimal digits behind it */
};

/* Is this a line of a dump, or of pairs of hexadecimal digits? */
bool pp_of_dump_line(pp_str line);

/* VARCHAR2, NUMBER, ...; "type N" for a code that is not known. */
pp_str pp_of_bind_type(const struct pp_of_bind *b);

/*
 * The value as text (UTF-8 where its character set is known); false: NULL.
 * It stands in the block or in `to`.
 */
bool pp_of_bind_value(struct pp_arena *to, const struct pp_of_bind *b,
    pp_str *value);

#endif
