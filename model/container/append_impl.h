/*
 * append_impl.h: what append.c and append_open.c share.
 */
#ifndef PP_CONTAINER_APPEND_IMPL_H
#define PP_CONTAINER_APPEND_IMPL_H

#include "append.h"
#include "store_impl.h"

/* Note an error, `code` an errno or 0; the first one counts.  False. */
bool pp_append_fail(struct pp_append *a, const char *what, int code);

/* Allocate what writing needs. */
void pp_append_buffers(struct pp_append *a);

/* A commit with all entries of the store. */
bool pp_append_commit_new(struct pp_append *a);

#endif
