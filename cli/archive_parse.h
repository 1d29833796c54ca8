/*
 * archive_parse.h: what the readers make of a profile while it is kept.
 */
#ifndef PP_CLI_ARCHIVE_PARSE_H
#define PP_CLI_ARCHIVE_PARSE_H

#include "archive.h"

/* The bytes of the profile that a->append has begun. */
struct pp_parse_from {
	struct pp_input_from input;
	/* Have what no reader wanted kept, too: columns stand behind the
	 * data.  Called any number of times; false: it cannot be kept. */
	bool (*end)(void *arg);	/* input.arg */
};

/*
 * Read it, append its columns, and fill in what *about is to say of it.
 * False when memory ran out; *failed when the archive cannot be written.
 */
bool pp_archive_parse(struct pp_archive_run *a,
    const struct pp_parse_from *from, struct pp_entry *about, bool *failed);

#endif
