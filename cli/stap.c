/*
 * stap.c: the command `stap-merge`: put the samples of a SystemTap script
 * into a trace (the lines c=N q=N of waits, q=N of calls).
 *
 * Samples belong to lines by the order of appearance: the n-th sample with a
 * `c=` to the n-th WAIT, the n-th other one to the n-th PARSE, EXEC or FETCH
 * (a PARSE ERROR takes one too: the script's probe has fired).  A WAIT gets
 * its sample before `ela=`, a call before `c=`; where the log has no more,
 * the text around it is put all the same, as sed would.
 *
 * Which lines are records is left to the lexer of the reader, so that SQL
 * text and bind values that look like records stay as they are.
 */
#include "inputs.h"
#include "commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "../readers/oracle10046.h"

#define SAMPLE_MAX 80		/* "c=N q=N" of 64 bits */

/* One kind of samples, read through a position of its own in the log. */
struct samples {
	const char *what;	/* "WAIT", ... */
	FILE *from;
	bool waits;		/* those with c= */
	char text[SAMPLE_MAX];
	uint64_t used;		/* records that asked for one */
	uint64_t found;		/* samples in the log so far */
	bool dry;
};

struct stap {
	struct pp_run run;	/* first member: found again in the body */
	struct samples wait, call;
	struct pp_stream *out;
	uint64_t noise;		/* lines of the log that are no sample */
};

/* -------------------------------------------------------------- samples */

/* `key=N` at *p, which is moved behind it and a blank. */
static bool
key_value(const char **p, char *key)
{
	const char *q = *p;

	if ((*q != 'c' && *q != 'q') || q[1] != '=')
		return false;
	*key = *q;
	q += 2;
	if (*q == '-')
		q++;
	if (*q < '0' || *q > '9')
		return false;
	while (*q >= '0' && *q <= '9')
		q++;
	if (*q == ' ')
		q++;
	*p = q;
	return true;
}

/* Is the line a sample, and one with c=? */
static bool
is_sample(const char *line, bool *wait)
{
	bool c = false, q = false;
	char key = 0;

	while (*line != '\0') {
		if (!key_value(&line, &key) || (key == 'c' ? c : q))
			return false;
		if (key == 'c')
			c = true;
		else
			q = true;
	}
	*wait = c;
	return c || q;
}

/* The next line without blanks around it, cut when long; false at the end. */
static bool
next_line(FILE *f, char *line)
{
	size_t n = 0;
	int c;

	while ((c = getc(f)) != EOF && c != '\n')
		if (n + 1 < SAMPLE_MAX && (n > 0 || (c != ' ' && c != '\t')))
			line[n++] = (char)c;
	if (c == EOF && n == 0)
		return false;
	while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\r' ||
	    line[n - 1] == '\t'))
		n--;
	line[n] = '\0';
	return true;
}

/* The next sample of this kind; false when there is none left. */
static bool
next_sample(struct stap *s, struct samples *x)
{
	bool wait = false;

	while (!x->dry && next_line(x->from, x->text)) {
		if (!is_sample(x->text, &wait)) {
			/* both positions pass it: count it once */
			s->noise += x->waits && x->text[0] != '\0';
			continue;
		}
		if (wait == x->waits) {
			x->found++;
			return true;
		}
	}
	x->dry = true;
	x->text[0] = '\0';
	return false;
}

/* -------------------------------------------------------------- merging */

static bool
begins(const char *p, const char *e, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(e - p) >= n && memcmp(p, word, n) == 0;
}

/* The kind of samples that a record takes; NULL: none. */
static struct samples *
takes(struct stap *s, const struct pp_o_rec *r, const char *p, const char *e)
{
	switch ((enum pp_o_kind)r->kind) {
	case PP_O_WAIT:
		return &s->wait;
	case PP_O_CALL:
		return r->sub == PP_EV_PARSE || r->sub == PP_EV_EXEC ||
		    r->sub == PP_EV_FETCH ? &s->call : NULL;
	case PP_O_PARSE_ERROR:
		return &s->call;
	case PP_O_DAMAGE:
		/* a record that is cut had its sample */
		if (r->sub != PP_MSG_CUT_RECORD && r->sub !=
		    PP_MSG_BAD_RECORD)
			return NULL;
		if (begins(p, e, "WAIT #"))
			return &s->wait;
		return begins(p, e, "PARSE #") || begins(p, e, "EXEC #") ||
		    begins(p, e, "FETCH #") ? &s->call : NULL;
	case PP_O_PARSING:
	case PP_O_BINDS:
	case PP_O_STAT:
	case PP_O_XCTEND:
	case PP_O_ERROR:
	case PP_O_APPNAME:
	case PP_O_RPC:
	case PP_O_MARKER:
	case PP_O_HEADER:
	case PP_O_NOISE:
		break;
	}
	return NULL;
}

/* Where the sample goes in the line of a record; NULL: nowhere. */
static const char *
place(const struct samples *x, const char *p, const char *e)
{
	const char *q;

	if (x->waits) {
		/* the last one: the event's name may hold it too */
		for (q = e - p > 4 ? e - 4 : p; q > p; q--)
			if (q[-1] == ' ' && memcmp(q, "ela=", 4) == 0)
				return q;
		return NULL;
	}
	for (q = p + 1; q + 2 <= e; q++)
		if (q[0] == 'c' && q[1] == '=' && (q[-1] == ':' ||
		    q[-1] == ','))
			return q;
	return NULL;
}

/* Copy the used part of a chunk, with samples put in. */
static void
merge_chunk(struct stap *s, const struct pp_chunk *c,
    const struct pp_records *recs)
{
	const struct pp_o_rec *r = recs->v;
	const char *done = c->p, *end = c->p + c->used, *p, *e, *at;
	struct samples *x;
	size_t i;

	for (i = 0; i < recs->n; i++) {
		p = c->p + (r[i].offset - c->offset);
		if (p < done || p >= end)
			continue;
		e = memchr(p, '\n', (size_t)(end - p));
		if (e == NULL)
			e = end;
		/* another record may begin in the same line */
		if (i + 1 < recs->n && r[i + 1].offset > r[i].offset &&
		    c->p + (r[i + 1].offset - c->offset) < e)
			e = c->p + (r[i + 1].offset - c->offset);
		x = takes(s, &r[i], p, e);
		if (x == NULL)
			continue;
		x->used++;
		next_sample(s, x);
		at = place(x, p, e);
		if (at == NULL)
			continue;
		pp_stream_write(s->out, done, (size_t)(at - done));
		pp_stream_write(s->out, x->text, strlen(x->text));
		pp_stream_write(s->out, x->waits ? " " : ",", 1);
		done = at;
	}
	pp_stream_write(s->out, done, (size_t)(end - done));
}

static bool
merge(struct stap *s)
{
	struct pp_run *r = &s->run;
	struct pp_records recs;
	uint64_t done, all;
	struct pp_chunk c;
	bool epipe;

	memset(&c, 0, sizeof(c));
	pp_records_init(&recs, &r->mem, sizeof(struct pp_o_rec));
	pp_input_progress(r->input, &done, &all);
	pp_progress_start(&r->progress, all);
	while (pp_input_next(r->input, &c)) {
		pp_records_reset(&recs);
		pp_oracle10046_lex(&c, &recs);
		merge_chunk(s, &c, &recs);
		if (pp_sink_error(r->sink, &epipe).n != 0)
			break;
		pp_input_progress(r->input, &done, &all);
		pp_progress_step(&r->progress, done);
	}
	pp_progress_clear(&r->progress);
	pp_records_free(&recs);
	return pp_sink_error(r->sink, &epipe).n == 0;
}

/* ------------------------------------------------------------- accounts */

/* Do samples and records come out even?  Else say so. */
static bool
even(struct stap *s, struct samples *x)
{
	uint64_t wanted = x->used;

	while (next_sample(s, x))
		continue;
	if (x->found == wanted)
		return true;
	pp_run_say(&s->run, "%s: %" PRIu64 " %s line%s, but %" PRIu64
	    " sample%s in %s%s", s->run.opt->words[0], wanted, x->what,
	    wanted == 1 ? "" : "s", x->found, x->found == 1 ? "" : "s",
	    s->run.opt->words[1], x->found < wanted ?
	    ": the last ones got none" : ": the last ones were not used");
	return false;
}

static enum pp_exit
finish(struct stap *s)
{
	struct pp_run *r = &s->run;
	pp_str err = pp_input_error(r->input);
	bool whole, epipe;

	if (s->wait.used + s->call.used == 0 && err.n == 0) {
		pp_run_say(r, "%s: no WAIT, PARSE, EXEC or FETCH line",
		    r->opt->words[0]);
		return PP_EXIT_NOTHING;
	}
	whole = even(s, &s->wait);
	whole &= even(s, &s->call);
	if (s->noise > 0 && !r->opt->quiet)
		pp_run_say(r, "%s: %" PRIu64 " line%s that %s no sample",
		    r->opt->words[1], s->noise, s->noise == 1 ? "" : "s",
		    s->noise == 1 ? "is" : "are");
	if (err.n != 0) {
		pp_run_say(r, "%s: %.*s", r->opt->words[0], (int)err.n,
		    err.p);
		whole = false;
	}
	if (!whole && r->opt->strict) {
		pp_run_say(r, "--strict: nothing written");
		return PP_EXIT_NOTHING;
	}
	if (!pp_sink_commit(r->sink)) {
		err = pp_sink_error(r->sink, &epipe);
		if (!epipe)
			pp_run_say(r, "%.*s", (int)err.n, err.p);
		return PP_EXIT_NOTHING;
	}
	r->sink = NULL;
	return whole ? PP_EXIT_OK : PP_EXIT_PARTIAL;
}

static enum pp_exit
body(struct pp_run *r)
{
	struct stap *s = (struct stap *)(void *)r;
	const struct pp_options *o = r->opt;
	bool epipe, to_stdout = o->out == NULL || strcmp(o->out, "-") == 0;
	pp_str err;

	for (size_t i = 0; i < o->nwords && !to_stdout; i++) {
		if (!pp_same_file(o->out, o->words[i]))
			continue;
		pp_run_say(r, "-o %s: is the input %s; nothing written",
		    o->out, o->words[i]);
		return PP_EXIT_NOTHING;
	}
	r->input = pp_input_open(&r->mem, o->words[0], 0, &err);
	if (r->input == NULL) {
		pp_run_say(r, "%s: %.*s", o->words[0], (int)err.n, err.p);
		return PP_EXIT_NOTHING;
	}
	r->sink = pp_sink_open(&r->mem, to_stdout ? PP_SINK_STDOUT :
	    PP_SINK_FILE, to_stdout ? "-" : o->out, &err);
	if (r->sink == NULL) {
		pp_run_say(r, "%.*s", (int)err.n, err.p);
		return PP_EXIT_NOTHING;
	}
	s->out = pp_sink_stream(r->sink, "");
	if (s->out != NULL && merge(s))
		return finish(s);
	err = pp_sink_error(r->sink, &epipe);
	if (!epipe)
		pp_run_say(r, "%.*s", (int)err.n, err.p);
	return PP_EXIT_NOTHING;
}

/* The log is read twice at once: waits and calls at their own pace. */
static bool
open_log(struct samples *x, const char *path)
{
	x->from = fopen(path, "r");
	if (x->from == NULL || fseek(x->from, 0, SEEK_SET) != 0) {
		fprintf(stderr, "profpivot: %s: %s\n", path, errno == ESPIPE ?
		    "a file is needed: it is read at two places" :
		    strerror(errno));
		return false;
	}
	return true;
}

enum pp_exit
pp_command_stap(const struct pp_options *o)
{
	enum pp_exit status = PP_EXIT_NOTHING;
	struct stap s;

	memset(&s, 0, sizeof(s));
	s.wait = (struct samples){.what = "WAIT", .waits = true};
	s.call = (struct samples){.what = "PARSE, EXEC and FETCH"};
	if (open_log(&s.wait, o->words[1]) && open_log(&s.call, o->words[1]))
		status = pp_run(&s.run, o, body);
	if (s.wait.from != NULL)
		fclose(s.wait.from);
	if (s.call.from != NULL)
		fclose(s.call.from);
	return status;
}
