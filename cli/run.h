/*
 * run.h: one run of a command over inputs: its memory, its trap, its model.
 */
#ifndef PP_CLI_RUN_H
#define PP_CLI_RUN_H

#include "../model/account/account.h"
#include "../model/model.h"
#include "../model/plan.h"
#include "../readers/ahead.h"
#include "../readers/input.h"
#include "../writers/sink.h"
#include "../writers/writer.h"
#include "options.h"
#include "progress.h"

/* DESIGN section 3. */
enum pp_exit {
	PP_EXIT_OK,		/* all records understood */
	PP_EXIT_NOTHING,	/* nothing written */
	PP_EXIT_USAGE,		/* wrong usage */
	PP_EXIT_PARTIAL		/* written, but something was lost */
};

struct pp_run {
	const struct pp_options *opt;
	struct pp_mem mem;
	struct pp_model model;
	struct pp_accounts accounts;
	/* called after the walk of each group, its log still there; NULL */
	enum pp_status (*group)(struct pp_run *);
	struct pp_plan_raw raw;	/* raw tables; no plan: none */
	uint64_t events_most;	/* with more rows of `events` the writer will
				 * give up; 0: with none */
	struct pp_progress progress;
	char *tmpdir;		/* of the event log */
	bool ready;		/* the model is there */
	/* what must be given back when the run is cut short; NULL: none */
	struct pp_input *input;
	struct pp_ahead *ahead;	/* threads of --jobs */
	struct pp_hasher *hasher;
	struct pp_sink *sink;
	struct pp_wctx *writer;
};

/*
 * Make an empty model and run `body`; its result is the exit status.  When
 * memory runs out the run ends here, with a message, PP_EXIT_NOTHING, and
 * the old output as it was.
 */
enum pp_exit pp_run(struct pp_run *r, const struct pp_options *o,
    enum pp_exit (*body)(struct pp_run *));

/* Threads to use where the user does not say: the cores; 1 where the address
 * space is limited. */
unsigned pp_run_cores(void);

/*
 * What each lane may take of --max-memory, which is taken off what this
 * thread may; 0: no limit.  Leaves fewer lanes where there is too little.
 */
size_t pp_run_share(struct pp_run *r, unsigned *lanes);

/* End the threads of --jobs. */
void pp_run_stop_jobs(struct pp_run *r);

/* "profpivot: ..." on stderr, below what is held there. */
void pp_run_say(struct pp_run *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The temporary file of the event log failed: say so. */
void pp_run_log_failed(struct pp_run *r);

/*
 * Are there more events than the writer takes rows?  Then say so.  Each call
 * and wait of a trace has one.  To be asked before the first row: to write
 * them takes ten times as long as to know it.
 */
bool pp_run_too_many(struct pp_run *r);

/*
 * The end of a report on stdout: flush, and tell an error unless it is a
 * closed pipe.  False when not all was written.
 */
bool pp_flush_stdout(void);

#endif
