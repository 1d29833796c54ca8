/*
 * show.h: the sections of the report on the terminal.  Private to show*.c,
 * which read the model and the accounts and add nothing to them.
 */
#ifndef PP_CLI_SHOW_H
#define PP_CLI_SHOW_H

#include "../model/report/report.h"
#include "run.h"
#include "term.h"

#define PP_SHOW_DECADES 20
#define PP_SHOW_POWERS 64

/* Durations in a range, in 10^-12 s. */
struct pp_show_range {
	uint64_t count, blocks;
	pp_i128 time, min, max;
};

/* The waits of an event, by power of two of microseconds. */
struct pp_show_powers {
	struct pp_show_range range[PP_SHOW_POWERS];
	bool blocks;		/* they count blocks */
};

struct pp_show_ranges {
	struct pp_run *run;
	struct pp_show_range decade[PP_SHOW_DECADES + 1]; /* 0: negative;
				 * k: below 10^(k - 1) us */
	struct pp_show_powers **powers; /* by name; NULL: none */
	size_t npowers, cap;
	uint32_t params;	/* the last ones, and ... */
	bool blocks;		/* ... whether they count blocks */
};

/* show_ranges.c: count the occurrences of each group of the input. */
void pp_show_ranges_open(struct pp_show_ranges *r, struct pp_run *run);
enum pp_status pp_show_ranges_group(struct pp_show_ranges *r);

struct pp_show {
	struct pp_run *run;
	const struct pp_show_ranges *ranges; /* of styles that print them */
	const struct pp_model *model;
	const struct pp_accounts *accounts;
	struct pp_page page;
	uint8_t digits;		/* sums over sessions have this scale */
	uint8_t shown;		/* digits that are printed: at most 6 */
	pp_i128 span;		/* of all sessions together; of those whose
				 * events name their parents, what their roots
				 * took */
	bool roots;		/* there are such sessions */
	size_t sessions;	/* that have times */
	uint32_t top;		/* rows of a list */
};

/* Ticks of a session at the scale of sums. */
pp_i128 pp_show_ticks(const struct pp_show *s, uint32_t session, pp_i128 v);

/* Cells: a sum in seconds; a sum in percent of the span; an average. */
void pp_show_seconds(const struct pp_show *s, struct pp_list *l, pp_i128 v);
void pp_show_share(const struct pp_show *s, struct pp_list *l, pp_i128 v);
void pp_show_average(const struct pp_show *s, struct pp_list *l, pp_i128 v,
    uint64_t count);

/* Are there calls with waits and CPU?  Or, of statements, waits, CPU and
 * rows? */
bool pp_show_has_calls(const struct pp_show *s);
bool pp_show_has_waits(const struct pp_show *s);
bool pp_show_has_cpu(const struct pp_show *s);
bool pp_show_has_rows(const struct pp_show *s);

/* Does a session stand for events that name their parents, or their sums? */
bool pp_show_is_nested(const struct pp_show *s, uint32_t session);

pp_str pp_show_name(const struct pp_show *s, uint32_t name);
enum pp_ink pp_show_ink(enum pp_class c);

/* "source #2", or what is enough to tell the session. */
pp_str pp_show_session(const struct pp_show *s, struct pp_arena *a,
    uint32_t session);

/* Seconds with the unit, for titles; buf has room for PP_DEC_MAX + 4. */
const char *pp_show_time(const struct pp_show *s, char *buf, pp_i128 v);

/* An event over all sessions. */
struct pp_show_event {
	uint32_t name;
	enum pp_class class;
	pp_i128 time, min, max;
	uint64_t count;
	bool counted;
	bool summed;		/* the extremes are not known */
	pp_str text;
};

/* The events of all sessions, the longest first; *n of them, to be freed. */
struct pp_show_event *pp_show_events(struct pp_show *s, size_t *n);

/* show_calls.c: a file for the lines, lines of a group (its log still there),
 * and all of them to where they go; failure has been told. */
FILE *pp_show_calls_open(struct pp_run *r);
enum pp_status pp_show_calls_group(struct pp_run *r, FILE *to);
bool pp_show_calls_copy(struct pp_run *r, FILE *from, FILE *to);

/* ---- the profile as other tools print it ---- */
void pp_show_style_seed(struct pp_show *s);
void pp_show_style_tkprof(struct pp_show *s);
void pp_show_style_mrskew(struct pp_show *s);
void pp_show_style_xtat(struct pp_show *s);
void pp_show_style_profile(struct pp_show *s);

/* ---- sections ---- */
void pp_show_sources(struct pp_show *s);
void pp_show_sessions(struct pp_show *s);
void pp_show_profile(struct pp_show *s);
void pp_show_timeline(struct pp_show *s);
void pp_show_statements(struct pp_show *s);
void pp_show_digests(struct pp_show *s);
void pp_show_totals(struct pp_show *s);
void pp_show_deltas(struct pp_show *s);
void pp_show_tree(struct pp_show *s);
void pp_show_waits(struct pp_show *s);
void pp_show_plans(struct pp_show *s);
void pp_show_gaps(struct pp_show *s);
void pp_show_problems(struct pp_show *s);

#endif
