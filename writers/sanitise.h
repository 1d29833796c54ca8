/*
 * sanitise.h: the one sanitiser in front of every writer.
 *
 * Text of databases is bytes.  What goes out is valid UTF-8; where the format
 * is XML based, only characters that XML 1.0 allows; where it has cells, cells
 * within its limits.  Every loss is counted (the caller tells `problems`).
 */
#ifndef PP_SANITISE_H
#define PP_SANITISE_H

#include <stdbool.h>
#include <stdint.h>

#include "../model/base/mem.h"
#include "../model/base/str.h"

enum pp_sane {
	PP_SANE_UTF8,	/* CSV, JSON, ...: repair UTF-8 only */
	PP_SANE_XML,	/* and replace characters that XML 1.0 forbids */
	PP_SANE_XLSX	/* C0 and CR as _xHHHH_, literal _xHHHH_ escaped, cut
			 * to 32,767 UTF-16 units and 253 line feeds */
};

struct pp_sanitiser {
	enum pp_sane mode;
	struct pp_arena *out;	/* for changed text */
	uint64_t repaired;	/* texts in which bytes were replaced */
	uint64_t cut;		/* texts that were cut */
	uint64_t replaced;	/* characters and broken sequences that became
				 * U+FFFD */
};

/*
 * s itself where it is clean (the common case: one pass, no copy), else a
 * changed copy in z->out.  Invalid bytes become U+FFFD.
 */
pp_str pp_sanitise(struct pp_sanitiser *z, pp_str s);

#endif
