/*
 * store_impl.h: what the files of the container share among themselves.
 */
#ifndef PP_CONTAINER_STORE_IMPL_H
#define PP_CONTAINER_STORE_IMPL_H

#include "store.h"

/* The first bytes of the body of HEAD. */
extern const char pp_store_magic[24];

/* "WHAT at byte AT of the file" into s->err. */
void pp_store_fail(struct pp_store *s, const char *what, uint64_t at);

#endif
