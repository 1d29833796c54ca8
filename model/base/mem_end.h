/*
 * mem_end.h: taking back what pp_mem_at_end was told; for the few that close
 * before their memory does.
 */
#ifndef PP_BASE_MEM_END_H
#define PP_BASE_MEM_END_H

#include "mem.h"

/* Forget the call for arg; nothing where there is none. */
void pp_mem_not_at_end(struct pp_mem *m, const void *arg);

#endif
