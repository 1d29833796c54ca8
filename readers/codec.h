/*
 * codec.h: one face for the compressors that input is read through.
 *
 * A compressed file is a row of members (gzip members, bz2 and xz streams,
 * zstd frames); a codec decodes one after another, input.c finds where the
 * next begins.  Which codecs can be opened was decided at build time.
 */
#ifndef PP_CODEC_H
#define PP_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "../model/base/mem.h"
#include "../model/base/str.h"

enum pp_codec_step {
	PP_CODEC_MORE,		/* wants more input or more room */
	PP_CODEC_END,		/* the member is complete */
	PP_CODEC_BAD		/* damaged, see why */
};

/* What a step works on; it moves the pointers over what it used. */
struct pp_codec_io {
	const unsigned char *in;
	size_t nin;
	unsigned char *out;
	size_t nout;
	bool all;		/* nothing comes behind `in` */
	/* set by the step, with PP_CODEC_MORE: so many bytes of input at once
	 * would be of use, 0: any; never more than PP_CODEC_WISH */
	size_t need;
};

#define PP_CODEC_WISH ((size_t)64 << 10)

/* Bytes of a member's head that suffice for `is`. */
#define PP_CODEC_HEAD 10

struct pp_codec {
	const char *name;

	/* Does a member begin with head (PP_CODEC_HEAD bytes, fewer at the
	 * end of the file)? */
	bool (*is)(pp_str head);

	/* Begin the first member; NULL in the struct where the library was
	 * not there at build time. */
	void *(*open)(struct pp_mem *mem);

	/* Begin the next member. */
	void (*again)(void *state);

	/* Decode some.  *why: a reason with PP_CODEC_BAD. */
	enum pp_codec_step (*step)(void *state, struct pp_codec_io *io,
	    const char **why);

	void (*close)(void *state);
};

/* The codec whose members begin like head; NULL: not compressed. */
const struct pp_codec *pp_codec_find(pp_str head);

#endif
