/*
 * txt.c: the name of the text report among the writers.  The command makes
 * it, as it makes that of `show`.
 */
#include "writer.h"

extern const struct pp_writer pp_writer_txt;

const struct pp_writer pp_writer_txt = {
	.name = "txt",
	.summary = "the report that `profpivot show` prints",
	.suffix = ".txt",
	.caps = PP_W_REPORT,
};
