/*
 * report_file.h: where the report of `show` and `compare` goes: to standard
 * output, or as `-t txt` to OUT.
 */
#ifndef PP_CLI_REPORT_FILE_H
#define PP_CLI_REPORT_FILE_H

#include "run.h"
#include "term.h"

struct pp_report_file {
	bool to_out;		/* as -t txt; else a terminal's page */
	FILE *file;		/* OUT, when it is a file and open */
};

/* What is wrong with OUT is told before the work; false then. */
bool pp_report_file_begin(struct pp_report_file *f, struct pp_run *r);

/* Open the page; false, and told, when OUT cannot be written. */
bool pp_report_file_page(struct pp_report_file *f, struct pp_run *r,
    struct pp_page *p);

/* All is printed: OUT gets its name.  False, and told, when it failed. */
bool pp_report_file_end(struct pp_report_file *f, struct pp_run *r);

/* Give back what a run that was cut short has left open. */
void pp_report_file_free(struct pp_report_file *f);

#endif
