/*
 * inputs.h: from the words of the command line to the files to be read.
 */
#ifndef PP_CLI_INPUTS_H
#define PP_CLI_INPUTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "../model/base/map.h"
#include "../readers/input.h"
#include "../readers/reader.h"
#include "archived.h"

struct pp_file {
	const char *path;	/* as given; "-": standard input */
	const char *full;	/* from the root, without . and .. */
	pp_str name;		/* of the source */
	bool named;		/* on the command line, not found in a folder */
	bool regular;		/* can be opened twice */
	uint32_t id;		/* its index before any sorting */
	uint32_t found;		/* its index in the order of finding: see
				 * pp_link */
	uint64_t size;		/* 0: not known */
	pp_str trouble;		/* why it cannot be read; empty */
	struct pp_store *store;	/* the archive that it is in; NULL */
	const struct pp_entry *entry;
	const struct pp_input_from *from; /* gives its bytes, once; NULL */
	const char *told;	/* ARCHIVE:PATH, for messages */
	bool older;		/* a newer version of its path is an input,
				 * too */
	/* what its head tells (capture.c) */
	struct pp_input *in;	/* open: what cannot be opened twice */
	struct pp_mem *mem;	/* that `in` takes of alone; NULL: the run's */
	const struct pp_reader *reader;
	struct pp_peek peek;
	uint64_t head_lines;	/* line ends in the head */
	bool head_is_all;
	const char *hint;	/* for messages about an input without records */
	uint32_t chain;		/* index of the file that it continues */
	uint32_t rank;		/* files before it in its chain */
	uint32_t group;
	uint32_t source;	/* in the model */
	uint32_t ahead;		/* its number among the files that are read
				 * ahead */
	bool hashed;		/* its sum is in the hasher, as */
	size_t hash;
};
#define PP_FILE_NONE UINT32_MAX	/* of chain, source and ahead */

struct pp_files {
	struct pp_mem *mem;
	struct pp_arena text;
	struct pp_file *v;
	size_t n, cap;
	bool sides;		/* words are sides of a comparison: what they
				 * stand for shares nothing */
	bool empty_result;	/* a valid input holds no rows */
	const char *is_out;	/* the input that OUT would replace; NULL */
	struct pp_map seen;	/* (device, inode) of files and folders */
	struct pp_link {
		uint32_t word, file;
	} *links;		/* which words stand for which files */
	size_t nlinks, links_cap;
	uint8_t *side;		/* of a comparison, by `found` (chain.c) */
	uint32_t word;		/* that is being looked at */
	const struct pp_range *range; /* of profiles in archives; NULL */
	bool every;		/* of archives all versions and names */
	bool called;		/* the files have their names already */
	bool archives;		/* a word is one */
	struct pp_opened {	/* archives, each once */
		dev_t dev;
		ino_t ino;
		struct pp_store *store; /* NULL: cannot be read */
	} *opened;
	size_t nopened, opened_cap;
	const char **notice;	/* about profiles that are left out */
	size_t nnotices, notices_cap;
	bool *used;		/* by word: it stands for something usable,
				 * or has trouble of its own */
};

/*
 * The files that `words` stand for: an existing path is that file or folder
 * (searched to the ground) or the profiles of an archive, else a pattern or
 * ARCHIVE:NAME, else trouble.  `out`, what is being written, and what
 * profpivot wrote are passed over in folders, and each file is taken once.
 * f is zero, but for `sides`.
 * Of archives only what `range` (NULL: all) has.
 */
void pp_files_find(struct pp_files *f, struct pp_mem *mem, char **words,
    size_t nwords, const char *out, const struct pp_range *range);

/* The same, to be kept: of archives all versions and names, too. */
void pp_files_find_every(struct pp_files *f, struct pp_mem *mem,
    char **words, size_t nwords, const char *out,
    const struct pp_range *range);

/* These n profiles of an archive, called by names[0..n) (NULL: as usual). */
void pp_files_stored(struct pp_files *f, struct pp_mem *mem,
    struct pp_store *s, const struct pp_entry *const *e, size_t n,
    const pp_str *names);

/* Order of two files of one path: by archive, those of none first, then by
 * number in it. */
int pp_file_in_archive_cmp(const struct pp_file *x, const struct pp_file *y);

/*
 * Give each file its name: the base name without .gz and the like; where
 * that is taken twice, as much of the path as tells them apart; of versions
 * of one path in an archive, their number behind a #.
 */
void pp_files_name(struct pp_files *f);

/* Do two paths lead to the same regular file? */
bool pp_same_file(const char *a, const char *b);

/* A path without .gz, .bz2, .xz, .zst. */
pp_str pp_files_without_suffix(pp_str s);

#endif
