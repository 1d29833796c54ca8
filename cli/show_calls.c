/*
 * show_calls.c: the tree of calls, call by call in the order of the file, as
 * the seed's execution tree lists them.
 *
 *     Line 54: EXEC #4:c=0,e=284,...,hv=1020616855	two blanks a depth
 *     PARSE: cpu= ela=, EXEC: ..., FETCH: ...		sums of the calls below
 *     Recursive: cpu= ela=; Exclusive: cpu= ela=	that sum, and the rest
 *   Line 60: EXEC #6: ...				the call above them
 *
 * Two ways to say who called whom: by depth alone, as the seed does, or by
 * the times of the calls (DESIGN section 6, rule 2), where recursive calls
 * without a caller stand below a line `(call not in trace)`.
 *
 * Lines come while the input is read, group by group, and the report stands
 * behind other sections: they wait in an unlinked file.
 */
#include "show.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "../model/account/forward.h"
#include "../model/log/tmpfile.h"

#define LEVELS_MAX 1024		/* deeper ones are taken for this one */
#define INDENT_MAX 64

/* What the calls of one level add up to, by their kind. */
struct part {
	uint64_t count;
	pp_i128 cpu, elapsed;
};

struct sums {
	struct part part[PP_EV_LOB + 1];
	struct part all;
};

/* Calls whose caller is still to come. */
struct open {
	uint64_t id;		/* of the caller */
	struct sums sums;
};

/* A run of orphans. */
struct run {
	enum pp_orphan orphan;	/* PP_ORPHAN_NO: none is open */
	uint32_t run, line;	/* its number; the ERROR that names it */
	unsigned level;		/* of its calls */
	struct sums sums;
};

struct state {			/* of a session */
	bool begun;
	unsigned depth;		/* of the last call: by depth */
	struct sums *level;	/* by depth */
	size_t nlevels, levels_cap;
	struct open *open;	/* by time */
	size_t nopen, open_cap;
	struct run run;
	struct sums roots;
	struct part lost[PP_ORPHAN_UNFINISHED + 1];
	/* the last ERROR */
	uint32_t line, error, stmt;
	uint64_t cursor;
};

struct listing {
	struct pp_run *run;
	FILE *to;
	bool by_depth;
	struct state *state;	/* by session */
	size_t nstates;
	uint32_t session;	/* that the last line was about */
};

/* ------------------------------------------------------------- printing */

static void
indent(const struct listing *l, unsigned level)
{
	fprintf(l->to, "%*s", (int)(2 * (level < INDENT_MAX ? level :
	    INDENT_MAX)), "");
}

static void
number(const struct listing *l, const char *key, pp_i128 v)
{
	char buf[PP_DEC_MAX];
	size_t n = pp_dec_format(buf, v, 0);

	fprintf(l->to, "%s%*.*s", key, n < 11 ? 11 : (int)n, (int)n, buf);
}

static void
put_part(const struct listing *l, const char *before, const struct part *p)
{
	number(l, before, p->cpu);
	number(l, " ela=", p->elapsed);
}

/* PARSE, EXEC and FETCH always; other calls where there are any. */
static void
put_sums(const struct listing *l, const struct sums *s, unsigned level)
{
	static const char *const head[PP_EV_LOB + 1] = {
		[PP_EV_PARSE] = "PARSE: cpu=",
		[PP_EV_EXEC] = "EXEC: cpu=",
		[PP_EV_FETCH] = "FETCH: cpu=",
		[PP_EV_CLOSE] = "CLOSE: cpu=",
		[PP_EV_UNMAP] = "UNMAP: cpu=",
		[PP_EV_SORT_UNMAP] = "SORT UNMAP: cpu=",
		[PP_EV_RPC] = "RPC EXEC: cpu=",
		[PP_EV_LOB] = "LOB: cpu=",
	};
	int k;

	for (k = PP_EV_PARSE; k <= PP_EV_LOB; k++) {
		if (k > PP_EV_FETCH && s->part[k].count == 0)
			continue;
		indent(l, level);
		put_part(l, head[k], &s->part[k]);
		fputc('\n', l->to);
	}
}

/* The sums of the calls below one of `cpu` and `elapsed`. */
static void
put_block(const struct listing *l, const struct sums *s, unsigned level,
    pp_i128 cpu, pp_i128 elapsed)
{
	struct part rest = {0, cpu - s->all.cpu, elapsed - s->all.elapsed};

	put_sums(l, s, level);
	indent(l, level);
	put_part(l, "Recursive: cpu=", &s->all);
	put_part(l, "; Exclusive: cpu=", &rest);
	fputc('\n', l->to);
}

static void
put_hash(const struct listing *l, uint32_t stmt)
{
	const struct pp_stmt *s = &l->run->model.stmts[stmt];

	fputs(",hv=", l->to);
	if (s->has_hash)
		fprintf(l->to, "%" PRIu32, s->hash_value);
	fputc('\n', l->to);
}

/* What stands between the cursor and `dep=` of most calls. */
static void
put_blocks(const struct listing *l, const struct pp_occurrence *o)
{
	fprintf(l->to, ",p=%" PRIu64 ",cr=%" PRIu64 ",cu=%" PRIu64, o->p,
	    o->cr, o->cu);
}

static void
put_call(const struct listing *l, const struct pp_occurrence *o,
    unsigned level)
{
	pp_str name = pp_strtab_get(&l->run->model.names, o->name);
	bool numbered = o->ev != PP_EV_LOB && o->ev != PP_EV_RPC;

	indent(l, level);
	fprintf(l->to, "Line %" PRIu32 ": %.*s", o->line, (int)name.n, name.p);
	if (numbered)
		fprintf(l->to, " #%" PRIu64, o->cursor);
	fputc(':', l->to);
	if (o->ev == PP_EV_LOB)
		fprintf(l->to, " bytes=%" PRId64 ",", o->par[2]);
	if (o->has_queue)
		fprintf(l->to, "q=%" PRId64 ",", o->queue);
	fprintf(l->to, "c=%" PRId64 ",e=%" PRId64, o->cpu, o->elapsed);
	if (o->ev == PP_EV_CLOSE) {
		fprintf(l->to, ",dep=%u,type=%" PRId64, o->depth, o->par[2]);
	} else if (numbered) {
		put_blocks(l, o);
		fprintf(l->to, ",mis=%" PRIu64 ",r=%" PRIu64 ",dep=%u,og=%"
		    PRId64, o->misses, o->rows, o->depth, o->par[1]);
		if (o->has & PP_RAW_PLAN)
			fprintf(l->to, ",plh=%" PRIu64, (uint64_t)o->plan);
	} else if (o->ev == PP_EV_LOB)
		put_blocks(l, o);
	if (o->has & PP_RAW_TIM)
		fprintf(l->to, ",tim=%" PRId64, o->tim);
	put_hash(l, o->stmt);
}

/* ----------------------------------------------------------------- sums */

static void
add_part(struct part *p, const struct pp_occurrence *o)
{
	p->count++;
	p->cpu += o->cpu;
	p->elapsed += o->elapsed;
}

static void
add(struct sums *s, const struct pp_occurrence *o)
{
	add_part(&s->part[o->ev], o);
	add_part(&s->all, o);
}

static void
merge_part(struct part *p, const struct part *q)
{
	p->count += q->count;
	p->cpu += q->cpu;
	p->elapsed += q->elapsed;
}

static void
merge(struct sums *s, const struct sums *t)
{
	int k;

	for (k = PP_EV_PARSE; k <= PP_EV_LOB; k++)
		merge_part(&s->part[k], &t->part[k]);
	merge_part(&s->all, &t->all);
}

/* -------------------------------------------------------------- by depth */

static struct sums *
level_of(struct listing *l, struct state *s, unsigned depth)
{
	void *v = s->level;

	if (depth >= s->nlevels) {
		pp_mem_grow(&l->run->mem, &v, &s->levels_cap, depth + 1,
		    sizeof(*s->level));
		s->level = v;
		memset(s->level + s->nlevels, 0,
		    (depth + 1 - s->nlevels) * sizeof(*s->level));
		s->nlevels = depth + 1;
	}
	return &s->level[depth];
}

/* Take all levels above `depth`: their calls have found their caller. */
static struct sums
take_levels(struct state *s, unsigned depth)
{
	struct sums all = {0};
	size_t i;

	for (i = depth + 1; i < s->nlevels; i++) {
		merge(&all, &s->level[i]);
		memset(&s->level[i], 0, sizeof(s->level[i]));
	}
	return all;
}

static void
call_by_depth(struct listing *l, struct state *s,
    const struct pp_occurrence *o)
{
	unsigned depth = o->depth < LEVELS_MAX ? o->depth : LEVELS_MAX;
	struct sums below;

	if (o->ev > PP_EV_FETCH)
		return;		/* the seed knows no other calls */
	if (depth < s->depth) {
		below = take_levels(s, depth);
		put_block(l, &below, s->depth, o->cpu, o->elapsed);
	}
	put_call(l, o, depth);
	add(level_of(l, s, depth), o);
	s->depth = depth;
}

/* --------------------------------------------------------------- by time */

static struct sums *
open_for(struct listing *l, struct state *s, uint64_t id)
{
	void *v = s->open;
	size_t i;

	for (i = s->nopen; i-- > 0;)
		if (s->open[i].id == id)
			return &s->open[i].sums;
	pp_mem_grow(&l->run->mem, &v, &s->open_cap, s->nopen + 1,
	    sizeof(*s->open));
	s->open = v;
	memset(&s->open[s->nopen], 0, sizeof(*s->open));
	s->open[s->nopen].id = id;
	return &s->open[s->nopen++].sums;
}

/* The sums of the calls below call `id`; false when there are none. */
static bool
take_open(struct state *s, uint64_t id, struct sums *out)
{
	size_t i;

	for (i = s->nopen; i-- > 0;) {
		if (s->open[i].id != id)
			continue;
		*out = s->open[i].sums;
		memmove(&s->open[i], &s->open[i + 1],
		    (s->nopen - i - 1) * sizeof(*s->open));
		s->nopen--;
		return true;
	}
	return false;
}

/* The line of a call that has none: its time is that of its children. */
static void
end_run(struct listing *l, struct state *s)
{
	struct run *r = &s->run;

	if (r->orphan == PP_ORPHAN_NO)
		return;
	put_block(l, &r->sums, r->level, r->sums.all.cpu,
	    r->sums.all.elapsed);
	indent(l, r->level - 1);
	fputs(r->orphan == PP_ORPHAN_UNFINISHED ? PP_NAME_UNFINISHED :
	    PP_NAME_NOT_IN_TRACE, l->to);
	if (r->line != 0 && r->line == s->line && s->cursor != 0)
		fprintf(l->to, " #%" PRIu64, s->cursor);
	number(l, ": cpu=", r->sums.all.cpu);
	number(l, " ela=", r->sums.all.elapsed);
	if (r->line != 0 && r->line == s->line) {
		fprintf(l->to, " err=%" PRIu32, s->error);
		if (l->run->model.stmts[s->stmt].has_hash)
			put_hash(l, s->stmt);
		else
			fputc('\n', l->to);
	} else
		fputc('\n', l->to);
	merge_part(&s->lost[r->orphan], &r->sums.all);
	memset(r, 0, sizeof(*r));
}

static void
add_orphan(struct listing *l, struct state *s, const struct pp_occurrence *o)
{
	struct run *r = &s->run;

	if (r->orphan != o->orphan || r->run != o->run) {
		end_run(l, s);
		r->orphan = o->orphan;
		r->run = o->run;
		r->line = o->run_line;
		r->level = o->level > 0 ? o->level : 1;
	}
	add(&r->sums, o);
}

static void
call_by_time(struct listing *l, struct state *s,
    const struct pp_occurrence *o)
{
	struct sums below;

	/* orphans and what they called stand together */
	if (o->orphan == PP_ORPHAN_NO || (o->parent == 0 &&
	    (s->run.orphan != o->orphan || s->run.run != o->run)))
		end_run(l, s);
	if (take_open(s, o->id, &below))
		put_block(l, &below, o->level + 1u, o->cpu, o->elapsed);
	put_call(l, o, o->level);
	if (o->parent != 0)
		add(open_for(l, s, o->parent), o);
	else if (o->orphan != PP_ORPHAN_NO)
		add_orphan(l, s, o);
	else
		add(&s->roots, o);
}

/* ------------------------------------------------------------ the listing */

/* Which session the lines are about, where there are several. */
static void
head(struct listing *l, uint32_t session)
{
	const struct pp_model *m = &l->run->model;
	const struct pp_session *x = &m->sessions[session];
	pp_str name = m->sources[x->source].name;

	if (session == l->session)
		return;
	l->session = session;
	if (m->nsources == 1 && m->nsessions == 1)
		return;
	fprintf(l->to, "%.*s, session %" PRIu32, (int)name.n, name.p,
	    x->ordinal);
	if (x->native_id.n > 0)
		fprintf(l->to, " (%.*s)", (int)x->native_id.n,
		    x->native_id.p);
	fputs(":\n", l->to);
}

static void
see(void *arg, const struct pp_occurrence *o)
{
	struct listing *l = arg;
	struct state *s = &l->state[o->session];

	if (o->kind != PP_OCC_CALL || (l->by_depth && o->ev > PP_EV_FETCH))
		return;
	head(l, o->session);
	s->begun = true;
	if (l->by_depth)
		call_by_depth(l, s, o);
	else
		call_by_time(l, s, o);
}

static void
see_error(void *arg, const struct pp_occurrence *o)
{
	struct listing *l = arg;
	struct state *s = &l->state[o->session];

	s->line = o->line;
	s->error = o->error;
	s->stmt = o->stmt;
	s->cursor = o->cursor;
	if (s->run.orphan != PP_ORPHAN_NO && s->run.line == o->line) {
		head(l, o->session);
		end_run(l, s);
	}
}

static void
end_session(struct listing *l, uint32_t session)
{
	struct state *s = &l->state[session];
	struct sums below;

	if (!s->begun)
		return;
	head(l, session);
	if (l->by_depth) {
		if (s->depth > 0) {
			below = take_levels(s, 0);
			put_sums(l, &below, s->depth);
		}
		put_sums(l, level_of(l, s, 0), 0);
		return;
	}
	end_run(l, s);
	put_sums(l, &s->roots, 0);
	if (s->lost[PP_ORPHAN_NOT_IN_TRACE].count > 0) {
		put_part(l, PP_NAME_NOT_IN_TRACE ": cpu=",
		    &s->lost[PP_ORPHAN_NOT_IN_TRACE]);
		fputc('\n', l->to);
	}
	if (s->lost[PP_ORPHAN_UNFINISHED].count > 0) {
		put_part(l, PP_NAME_UNFINISHED ": cpu=",
		    &s->lost[PP_ORPHAN_UNFINISHED]);
		fputc('\n', l->to);
	}
}

enum pp_status
pp_show_calls_group(struct pp_run *r, FILE *to)
{
	struct listing l = {.run = r, .to = to, .session = UINT32_MAX,
	    .by_depth = r->opt->tree == PP_TREE_SEED};
	enum pp_status st;
	uint32_t i;

	l.nstates = r->model.nsessions;
	l.state = pp_mem_zalloc(&r->mem, l.nstates * sizeof(*l.state));
	st = pp_account_forward_errors(&r->accounts, see, see_error, &l);
	for (i = 0; i < l.nstates; i++) {
		end_session(&l, i);
		pp_mem_free(&r->mem, l.state[i].level);
		pp_mem_free(&r->mem, l.state[i].open);
	}
	pp_mem_free(&r->mem, l.state);
	return st;
}

FILE *
pp_show_calls_open(struct pp_run *r)
{
	int fd = pp_tmp_open(r->tmpdir);
	FILE *f = fd >= 0 ? fdopen(fd, "w+") : NULL;

	if (fd >= 0 && f == NULL)
		close(fd);
	if (f == NULL)
		pp_run_say(r, "a temporary file in %s: %s; --tmp DIR puts it "
		    "elsewhere", r->tmpdir, strerror(errno));
	return f;
}

bool
pp_show_calls_copy(struct pp_run *r, FILE *from, FILE *to)
{
	char *buf = pp_mem_alloc(&r->mem, 1 << 16);
	size_t n;
	bool ok = fflush(from) == 0 && ferror(from) == 0 &&
	    fseek(from, 0, SEEK_SET) == 0;

	while (ok && (n = fread(buf, 1, 1 << 16, from)) > 0)
		if (fwrite(buf, 1, n, to) != n)
			break;
	ok = ok && ferror(from) == 0;
	if (!ok)
		pp_run_say(r, "the temporary file in %s: %s", r->tmpdir,
		    strerror(errno));
	pp_mem_free(&r->mem, buf);
	return ok;
}
