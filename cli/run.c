/*
 * run.c: see run.h.  The only place that sets the trap of pp_mem.
 */
#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

void
pp_run_say(struct pp_run *r, const char *fmt, ...)
{
	char text[4096];
	va_list ap;
	char *p;

	pp_progress_clear(&r->progress);
	fflush(stdout);
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* names may come out of an archive: they are not to steer a terminal */
	for (p = text; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	fprintf(stderr, "profpivot: %s\n", text);
}

void
pp_run_log_failed(struct pp_run *r)
{
	pp_run_say(r, "the event log in %s: %s; --tmp DIR puts it elsewhere",
	    r->tmpdir, strerror(r->model.log.error));
}

bool
pp_run_too_many(struct pp_run *r)
{
	const struct pp_model *m = &r->model;
	uint64_t n = 0;
	size_t i;

	if (r->events_most == 0)
		return false;
	for (i = 0; i < m->nsessions; i++)
		if (m->sessions[i].kind == PP_SESSION_CALLS)
			n += m->sessions[i].calls + m->sessions[i].waits;
	if (n <= r->events_most)
		return false;
	pp_run_say(r, "%s: events has more than %" PRIu64 " rows, a sheet's "
	    "limit: use --spill sheets, or -t csv", r->opt->out,
	    r->events_most);
	return true;
}

bool
pp_flush_stdout(void)
{
	bool failed = ferror(stdout) != 0;

	errno = 0;
	if (fflush(stdout) == 0 && !failed)
		return true;
	if (errno != EPIPE && errno != 0)
		fprintf(stderr, "profpivot: standard output: %s\n",
		    strerror(errno));
	return false;
}

/*
 * The folder for the event log: --tmp, else beside OUT, where there is room
 * for output of that size, else where temporary files go.
 */
static char *
temporary_folder(struct pp_run *r)
{
	const char *out = r->opt->out, *dir, *slash;
	char *copy;
	size_t n;

	dir = r->opt->tmp;
	if (dir == NULL && out != NULL && strcmp(out, "-") != 0) {
		n = strlen(out);
		while (n > 1 && out[n - 1] == '/')
			n--;
		for (slash = out + n; slash > out && slash[-1] != '/';)
			slash--;
		n = (size_t)(slash - out);
		copy = pp_mem_alloc(&r->mem, n + 2);
		memcpy(copy, n ? out : ".", n ? n : 1);
		copy[n ? n : 1] = '\0';
		return copy;
	}
	if (dir == NULL)
		dir = getenv("TMPDIR");
	if (dir == NULL || dir[0] == '\0')
		dir = "/tmp";
	n = strlen(dir);
	copy = pp_mem_alloc(&r->mem, n + 1);
	memcpy(copy, dir, n + 1);
	return copy;
}

/* Told now, not hours later when memory does not do any more. */
static bool
is_folder(struct pp_run *r, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
		errno = ENOTDIR;
	else if (access(path, W_OK | X_OK) == 0)
		return true;
	pp_run_say(r, "--tmp %s: %s", path, strerror(errno));
	return false;
}

static void
out_of_memory(struct pp_run *r)
{
	size_t limit = r->opt->max_memory;

	/* what is left of the budget must do for the end */
	r->mem.limit = 0;
	if (limit != 0)
		pp_run_say(r, "out of memory: more than the %zu bytes of "
		    "--max-memory are needed", limit);
	else
		pp_run_say(r, "out of memory");
}

unsigned
pp_run_cores(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	struct rlimit space;

	/* stacks and buffers of threads are not what such a user wants */
	if (getrlimit(RLIMIT_AS, &space) == 0 &&
	    space.rlim_cur != RLIM_INFINITY)
		return 1;
	return n < 1 ? 1 : n > PP_JOBS_MAX ? PP_JOBS_MAX : (unsigned)n;
}

/* A lane holds a few chunks and their records. */
#define LANE_NEEDS ((size_t)12 << 20)

size_t
pp_run_share(struct pp_run *r, unsigned *lanes)
{
	size_t all = r->mem.limit / 4, share;

	if (r->mem.limit == 0)
		return 0;
	if (*lanes > all / LANE_NEEDS)
		*lanes = (unsigned)(all / LANE_NEEDS);
	if (*lanes == 0)
		return 0;
	share = all / *lanes;
	r->mem.limit -= share * *lanes;
	return share;
}

void
pp_run_stop_jobs(struct pp_run *r)
{
	pp_ahead_close(r->ahead);
	pp_hasher_close(r->hasher);
	r->ahead = NULL;
	r->hasher = NULL;
	r->mem.limit = r->opt->max_memory;
}

static void
give_back(struct pp_run *r)
{
	pp_run_stop_jobs(r);
	if (r->writer != NULL)
		r->writer->writer->free(r->writer);
	r->writer = NULL;
	if (r->sink != NULL)
		pp_sink_abort(r->sink);
	r->sink = NULL;
	if (r->input != NULL)
		pp_input_close(r->input);
	r->input = NULL;
}

/*
 * Everything that changes between setjmp and longjmp hangs off r, which
 * belongs to the caller: no local variable of this function does.
 */
static enum pp_exit
trapped(struct pp_run *r, enum pp_exit (*body)(struct pp_run *))
{
	jmp_buf trap;
	enum pp_exit status;

	if (setjmp(trap) != 0) {
		r->mem.trap = NULL;
		out_of_memory(r);
		return PP_EXIT_NOTHING;
	}
	r->mem.trap = &trap;
	r->tmpdir = temporary_folder(r);
	if (r->opt->tmp != NULL && !is_folder(r, r->opt->tmp)) {
		r->mem.trap = NULL;
		return PP_EXIT_NOTHING;
	}
	pp_model_init(&r->model, &r->mem, r->opt->quiet ? NULL :
	    pp_progress_messages(&r->progress), r->tmpdir);
	r->ready = true;
	r->model.diag.verbose = r->opt->verbose;
	r->model.shift_states = r->opt->shift_states;
	r->model.client = &r->opt->client;
	status = body(r);
	r->mem.trap = NULL;
	return status;
}

enum pp_exit
pp_run(struct pp_run *r, const struct pp_options *o,
    enum pp_exit (*body)(struct pp_run *))
{
	enum pp_exit status;

	memset(r, 0, sizeof(*r));
	r->opt = o;
	pp_mem_init(&r->mem, o->max_memory);
	pp_progress_open(&r->progress, !o->no_progress && !o->quiet);
	status = trapped(r, body);
	give_back(r);
	if (r->ready)
		pp_log_free(&r->model.log);
	pp_progress_close(&r->progress);
	if (o->verbose && status != PP_EXIT_NOTHING)
		fprintf(stderr, "profpivot: notice: at most %zu bytes of "
		    "memory in use\n", r->mem.peak);
	pp_mem_free_all(&r->mem);
	return status;
}
