/*
 * diag.h: what the user is told about the input.
 *
 * Every message has a stable id (diag.def), is printed at most ten times a
 * file and then summed up, and is kept for the table `problems`: one row a
 * message up to PP_DIAG_KEEP an id and file, the rest as one row with a count.
 * The exit status of a run is the worst effect seen (DESIGN section 3).
 */
#ifndef PP_BASE_DIAG_H
#define PP_BASE_DIAG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "mem.h"
#include "str.h"

/* Status tiers, worst last. */
enum pp_status {
	PP_OK,		/* all understood */
	PP_WARN,	/* done, with something lost: see the messages */
	PP_FAILED,	/* this operation failed, others may go on */
	PP_FATAL	/* the run cannot go on */
};

enum pp_msg {
#define PP_MSG(sym, id, sev, eff, text) PP_MSG_##sym,
#include "diag.def"
#undef PP_MSG
	PP_MSG_COUNT
};

enum pp_severity { PP_SEV_NOTICE, PP_SEV_WARNING, PP_SEV_ERROR };

struct pp_msg_info {
	const char *id;
	enum pp_severity severity;
	bool partial;		/* something was lost */
	const char *meaning;
};
extern const struct pp_msg_info pp_msg_info[PP_MSG_COUNT];

/* "notice", "warning", "error" */
const char *pp_severity_name(enum pp_severity s);

#define PP_DIAG_PRINT 10	/* of one id and file on stderr */
#define PP_DIAG_KEEP 1000	/* of one id and file as rows of problems */

struct pp_problem {
	enum pp_msg id;
	uint32_t source;	/* index in the model, UINT32_MAX: none */
	uint64_t line;		/* from 1; 0: none */
	uint64_t offset;	/* of inflated bytes; UINT64_MAX: none */
	uint64_t count;
	pp_str message;
};

struct pp_diag {
	struct pp_mem *mem;
	struct pp_arena text;
	FILE *to;		/* NULL: print nothing (tests, -q) */
	bool verbose;		/* print notices too */
	bool partial;		/* a message with effect PARTIAL was seen */
	struct pp_problem *problems;
	size_t count, cap;
	/* the file that messages are about */
	uint32_t source;
	const char *file;	/* as printed */
	uint64_t seen[PP_MSG_COUNT];
	size_t rest_row[PP_MSG_COUNT];	/* index + 1 of the row of the rest */
};

void pp_diag_init(struct pp_diag *d, struct pp_mem *mem, FILE *to);

/*
 * Begin the messages of a file: prints the sums that the last file owes and
 * starts counting anew.  `file` must outlive its messages.
 */
void pp_diag_file(struct pp_diag *d, uint32_t source, const char *file);

/* Print the sums that the current file owes (pp_diag_file does this too). */
void pp_diag_flush(struct pp_diag *d);

/*
 * Tell one problem at a line and offset of the current file (0 and
 * UINT64_MAX where there is none).  The message is one line; bytes of input
 * in it are made printable.
 */
void pp_diag_tell(struct pp_diag *d, enum pp_msg id, uint64_t line,
    uint64_t offset, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* The same for `count` occurrences at once. */
void pp_diag_tell_n(struct pp_diag *d, enum pp_msg id, uint64_t line,
    uint64_t offset, uint64_t count, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/*
 * Copy at most `max` bytes of s into buf as printable ASCII (others as \xNN),
 * ending in "..." where cut; returns buf, NUL-terminated.  buf has room for
 * 4 * max + 4.
 */
char *pp_diag_excerpt(char *buf, pp_str s, size_t max);

#endif
