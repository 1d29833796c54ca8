/*
 * values.h: words of the command line turned into values.
 */
#ifndef PP_CLI_VALUES_H
#define PP_CLI_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../model/base/num.h"

/* A size in bytes: 64M, 2GiB, 1000000; not 0. */
bool pp_value_size(const char *s, size_t *out);

/* A time in 10^-12 s: 5s, 0.5, 500ms, 1min. */
bool pp_value_time(const char *s, pp_i128 *out);

/* A whole number from 1 to max. */
bool pp_value_count(const char *s, uint64_t max, uint32_t *out);

/*
 * The entry of `list` (`n` names) that is nearest to `word`, or NULL when
 * none is near: for "did you mean".
 */
const char *pp_value_nearest(const char *word, const char *const *list,
    size_t n);

#endif
