/*
 * rowspool.h: rows of several tables kept until their table has its turn.
 *
 * Raw tables are filled at the same time, but many a format takes one table
 * after another.  The spool keeps their rows, text included, in memory up to
 * 1 MiB and then in an unlinked temporary file, and gives back one table at a
 * time.
 */
#ifndef PP_LOG_ROWSPOOL_H
#define PP_LOG_ROWSPOOL_H

#include "../table.h"

#define PP_SPOOL_MEMORY (1024 * 1024)

struct pp_spool_block {
	uint64_t at;		/* bytes spooled before it */
	uint64_t n;		/* bytes */
};

struct pp_spool_table {
	const struct pp_table *table;
	struct pp_spool_block *blocks;
	size_t count, cap;
	uint64_t rows;
};

struct pp_rowspool {
	struct pp_mem *mem;
	const char *tmpdir;
	int fd;			/* -1: all is in memory */
	int error;		/* errno of a failure of the file; sticky */
	uint64_t written;	/* bytes in the file */
	char *buf;		/* what follows them */
	size_t used, cap;
	struct pp_spool_table *tables;
	size_t ntables, captables;
};

/* An empty spool whose file would be in tmpdir (NULL: here). */
void pp_rowspool_init(struct pp_rowspool *s, struct pp_mem *mem,
    const char *tmpdir);
void pp_rowspool_free(struct pp_rowspool *s);

/*
 * Keep the rows of a batch.  PP_FATAL when the file cannot be written
 * (s->error).
 */
enum pp_status pp_rowspool_rows(struct pp_rowspool *s,
    const struct pp_batch *b);

/*
 * Begin the table at `to`, give it all rows kept, in order, and end it; also
 * a table without rows.  The worst status of `to`, or PP_FATAL when the file
 * cannot be read (s->error).
 */
enum pp_status pp_rowspool_replay(struct pp_rowspool *s,
    const struct pp_table *table, struct pp_rowsink *to);

#endif
