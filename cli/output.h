/*
 * output.h: tables on their way to a writer and its sink.
 *
 * Stands between reports (pp_rowsink) and writers: gives a writer that needs
 * one table after another the raw tables from row spools, and turns failures
 * of writers and sinks into one message.
 */
#ifndef PP_CLI_OUTPUT_H
#define PP_CLI_OUTPUT_H

#include "../model/log/rowspool.h"
#include "../model/table.h"
#include "run.h"

struct pp_output {
	struct pp_rowsink sink;	/* one table after another; first member */
	struct pp_rowsink direct; /* straight to the writer */
	struct pp_run *run;
	struct pp_wctx ctx;
	const struct pp_table *open; /* the writer is inside this table */
	struct pp_rowspool spool;
	struct pp_output_waiting {
		const struct pp_table *table;
		bool ended;
	} *waiting;		/* tables in the spool, in their order */
	size_t nwaiting, waiting_cap;
	struct pp_write_source *sources; /* what the writer may know */
	unsigned digits;	/* of seconds that come from elsewhere than
				 * the model of the run; 0: there are none */
	bool failed;
};

/*
 * Prepare the output of the run: the sink is there, and what is wrong with
 * OUT has been told when this returns false.  Nothing is at OUT before
 * pp_output_commit.  `one_table`: a single file, or stdout.
 */
bool pp_output_open(struct pp_output *o, struct pp_run *r,
    const struct pp_writer *w, bool one_table);

/* Begin to write; the rows follow. */
bool pp_output_begin(struct pp_output *o);

/* Where they go. */
struct pp_rowsink *pp_output_sink(struct pp_output *o);

/* After the last row: finish, and put the output in its place. */
bool pp_output_commit(struct pp_output *o);

#endif
