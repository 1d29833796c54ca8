/*
 * rowreader.h: who takes row sets.
 *
 * A row reader knows what columns mean: SHOW PROFILE, statement digests,
 * events of the Performance Schema.  It is registered in ../rowreaders.def.
 * The reader `client` turns a file into row sets and hands each to the row
 * readers whose columns match, one row set after the other, in file order:
 * to all that match where the set has names, to the best where it has none.
 */
#ifndef PP_ROWREADER_H
#define PP_ROWREADER_H

#include "../../model/model.h"
#include "rowset.h"

/* What stands between row sets. */
enum pp_note_kind {
	PP_NOTE_STATEMENT,	/* typed at a prompt or echoed; it comes again
				 * as pp_rowset.statement where it has rows */
	PP_NOTE_EMPTY,		/* "Empty set": a result without rows; text =
				 * its statement, if known */
	PP_NOTE_OK,		/* "Query OK", "Database changed"; text = line */
	PP_NOTE_ERROR,		/* "ERROR 1064 (42000): ..."; text = the line */
	PP_NOTE_CONNECT,	/* a banner or reconnect: a new session */
	PP_NOTE_TEXT		/* any other line */
};

struct pp_note {
	enum pp_note_kind kind;
	pp_str text;
	uint64_t line, offset;
};

struct pp_rowreader {
	const char *name;
	const char *summary;

	/*
	 * How many bits of the columns (names ignoring case and order, or of
	 * the sample where there are no names) prove that the set is mine;
	 * 0: it is not.  Must not depend on anything but its argument: it is
	 * asked for the head of a file as well, before that is read.
	 */
	int (*match)(const struct pp_rowset *);

	/* State for a group of sources. */
	void *(*open)(struct pp_model *, uint32_t group);

	/* Begin / end a source of the group; may be NULL. */
	void (*source)(void *, uint32_t source);
	void (*source_end)(void *, uint32_t source);

	/* A row set that match took begins / ends. */
	void (*begin)(void *, const struct pp_rowset *);
	void (*end)(void *, const struct pp_rowset *);

	/*
	 * One of its rows.  PP_OK: taken; PP_WARN: rejected, which it has
	 * told itself; PP_FATAL: the run cannot go on.  The reader counts
	 * pp_source.records and .rejected by that.
	 */
	enum pp_status (*row)(void *, const struct pp_rowset *,
	    const struct pp_rs_row *);

	/* Something between row sets; may be NULL. */
	void (*note)(void *, const struct pp_note *);

	/* After the last source: close what is open, free. */
	void (*close)(void *);
};

/* All row readers in the order of rowreaders.def; count in *n. */
const struct pp_rowreader *const *pp_rowreaders(size_t *n);

#endif
