/*
 * rowreaders.c: the row readers of this build, see rowreader.h.
 *
 * Adding one means one line in rowreaders.def.
 */
#include "rowreader.h"

#define PP_ROWREADER(name) extern const struct pp_rowreader pp_rowreader_##name;
#include "../rowreaders.def"
#undef PP_ROWREADER

/* The NULL at the end lets the list be empty. */
static const struct pp_rowreader *const rowreaders[] = {
#define PP_ROWREADER(name) &pp_rowreader_##name,
#include "../rowreaders.def"
#undef PP_ROWREADER
	NULL,
};

const struct pp_rowreader *const *
pp_rowreaders(size_t *n)
{
	*n = sizeof(rowreaders) / sizeof(rowreaders[0]) - 1;
	return rowreaders;
}
