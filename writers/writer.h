/*
 * writer.h: what a writer is.
 *
 * A writer serialises tables and knows no domain: it is given declarations
 * and batches (model/table.h) and a sink that names the output.  It computes
 * nothing but text.
 */
#ifndef PP_WRITER_H
#define PP_WRITER_H

#include <stdbool.h>

#include "../model/table.h"
#include "sink.h"

/* Version of names, columns and their meaning; columns are only ever added. */
#define PP_SCHEMA_VERSION 1

/* capabilities */
#define PP_W_INTERLEAVED 0x01	/* rows of several open tables may alternate */
#define PP_W_FOLDER	0x02	/* OUT is a folder, a file a table */
#define PP_W_WIDE	0x04	/* wide tables (PP_TABLE_WIDE) make sense */
#define PP_W_REPORT	0x20	/* is no writer of tables */
#define PP_W_GZIP	0x40	/* text that --gzip may pack */
#define PP_W_SINGLE	0x08	/* can write one table to one file (--table) */

/* Dialects of --csv. */
enum pp_csv { PP_CSV_RFC4180, PP_CSV_EXCEL, PP_CSV_EXCEL_SEMICOLON };

struct pp_write_options {
	enum pp_csv csv;
	bool spill_sheets;	/* --spill sheets (default) / refuse */
	bool flatten;		/* --flatten-text: no line breaks in text */
	bool gzip;		/* --gzip */
	bool nested;		/* --xml nested */
	bool partition;		/* --partition source */
};

/*
 * What is known of the input when a table begins or ends, for writers whose
 * files have one schema from the first row to the last.
 */
struct pp_write_source {
	pp_str name;
	bool has_sha256;
	uint8_t sha256[32];
};
struct pp_write_input {
	unsigned digits;	/* of the finest clock that may come */
	const struct pp_write_source *sources;
	size_t nsources;
};

struct pp_writer;

/* A writer at work. */
struct pp_wctx {
	const struct pp_writer *writer;
	struct pp_mem *mem;
	struct pp_diag *diag;
	struct pp_sink *sink;
	struct pp_write_options opt;
	/* Does the schema declare this column of the table, or of any table
	 * where the name of the table is empty?  NULL: it does. */
	bool (*declares)(pp_str table, pp_str column);
	bool one_table;		/* the output is one table (--table) */
	const char *title;	/* what it is about, for people; NULL: its
				 * sources */
	struct pp_write_input input;
	void *priv;
};

/*
 * With PP_W_REPORT there are no functions: the report of `show`, which is
 * made of the model and not of tables.
 */
struct pp_writer {
	const char *name, *summary;
	const char *suffix;	/* ".csv" */
	unsigned caps;
	const char *tables;	/* the only ones that it takes; NULL: any */
	uint64_t rows_most;	/* of a table, unless spill_sheets; 0: any
				 * number */
	enum pp_status (*open)(struct pp_wctx *);
	enum pp_status (*begin)(struct pp_wctx *, const struct pp_table *);
	enum pp_status (*rows)(struct pp_wctx *, const struct pp_batch *);
	enum pp_status (*end)(struct pp_wctx *, const struct pp_table *);
	/* Finish the output; the sink is committed by the caller. */
	enum pp_status (*close)(struct pp_wctx *);
	/* Free, also after a failure at any point. */
	void (*free)(struct pp_wctx *);
};

/* All writers in the order of writers.def; count in *n. */
const struct pp_writer *const *pp_writers(size_t *n);
const struct pp_writer *pp_writer_named(pp_str name);

/* The writer whose suffix `path` ends in, or NULL. */
const struct pp_writer *pp_writer_for(pp_str path);

#endif
