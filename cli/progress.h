/*
 * progress.h: one line on the terminal about long work.
 *
 * Messages about the input go through the same place: while the line is
 * shown they are held in memory, and printed above it between two chunks.
 */
#ifndef PP_CLI_PROGRESS_H
#define PP_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct pp_progress {
	bool on;		/* stderr is a terminal and nobody objects */
	bool shown;
	uint64_t began, next;	/* ns on the monotonic clock */
	uint64_t before;	/* bytes of files that are done */
	uint64_t all;		/* bytes of all files; 0: not known */
	FILE *held;		/* messages, while on */
	char *text;
	size_t size;
};

/* Prepare; nothing is shown before the work has taken a second. */
void pp_progress_open(struct pp_progress *p, bool wanted);

/* Where messages are to be printed. */
FILE *pp_progress_messages(struct pp_progress *p);

/* `all` bytes in all files are to be read (0: not known). */
void pp_progress_start(struct pp_progress *p, uint64_t all);

/* `done` bytes of the current file have been read. */
void pp_progress_step(struct pp_progress *p, uint64_t done);

/* The current file, of `done` bytes, is done. */
void pp_progress_file(struct pp_progress *p, uint64_t done);

/* Remove the line, print what is held. */
void pp_progress_clear(struct pp_progress *p);

/* Clear and free. */
void pp_progress_close(struct pp_progress *p);

#endif
