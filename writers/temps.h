/*
 * temps.h: temporaries that a signal must not leave behind.
 */
#ifndef PP_TEMPS_H
#define PP_TEMPS_H

#include <stdbool.h>

/*
 * The registry of temporaries that a signal handler removes.  `dir` is the
 * open folder, or -1 for a file.  -1 when it is full.
 */
int pp_temp_add(const char *path, int dir);
void pp_temp_forget(int slot);
bool pp_temp_known(const char *path);

#endif
