/*
 * tmpfile.h: temporary files of logs, spools and lists: unlinked at once, so
 * that they go with the process however that ends.
 */
#ifndef PP_LOG_TMPFILE_H
#define PP_LOG_TMPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An unlinked file in `dir` (NULL: the working directory), or -1 with
 * errno. */
int pp_tmp_open(const char *dir);

/* Write all n bytes at the file's end / read all n bytes at `at`; false with
 * errno set. */
bool pp_tmp_write(int fd, const void *p, size_t n);
bool pp_tmp_read(int fd, void *p, size_t n, uint64_t at);

#endif
