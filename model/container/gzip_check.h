/*
 * gzip_check.h: is a file gzip and nothing else?
 */
#ifndef PP_CONTAINER_GZIP_CHECK_H
#define PP_CONTAINER_GZIP_CHECK_H

#include "../base/mem.h"

struct pp_gzip_check;

/*
 * Feed a file in pieces.  The end tells whether it is a row of whole members
 * that every gunzip takes, from its first byte to its last, and how many
 * bytes are in them.
 */
struct pp_gzip_check *pp_gzip_check_open(struct pp_mem *mem);
void pp_gzip_check_feed(struct pp_gzip_check *g, const void *p, size_t n);
bool pp_gzip_check_end(struct pp_gzip_check *g, uint64_t *payload);

#endif
