/*
 * archive_put.c: a profile into an archive: its bytes as they are, then what
 * profpivot makes of them, read back from there.
 */
#include "archive.h"
#include "archived.h"

#include <errno.h>
#include <openssl/evp.h>
#include <unistd.h>

#include "../model/container/columns.h"
#include "../model/container/gzip_check.h"
#include "../model/digests.h"
#include "capture.h"

#define PIECE ((size_t)64 << 10)

/* Reading what is to be added, any number of times. */
struct from {
	struct pp_run *run;
	const struct pp_put_from *of;
	struct pp_stored *stored;
	char *buf;
	const char *error;	/* NULL: none */
	char text[160];
};

/* What is known of it before it is added. */
struct survey {
	uint64_t bytes;
	uint8_t sha256[32];
	bool gzip;		/* and nothing else */
	uint64_t payload;	/* in it */
};

static void
from_begin(struct from *f)
{
	f->error = NULL;
	if (f->of->fd < 0) {
		pp_stored_close(f->stored);
		f->stored = pp_stored_open(f->of->store, f->of->entry);
	} else if (lseek(f->of->fd, 0, SEEK_SET) < 0) {
		f->error = "cannot be read twice";
	}
}

/* The next bytes into f->buf; 0 at the end and at an error. */
static size_t
from_read(struct from *f)
{
	ssize_t got;
	size_t n = 0;

	if (f->error != NULL)
		return 0;
	if (f->of->fd < 0) {
		if (!pp_stored_read(f->stored, f->buf, PIECE, &n))
			f->error = f->of->store->err;
		return n;
	}
	do
		got = read(f->of->fd, f->buf, PIECE);
	while (got < 0 && errno == EINTR);
	if (got < 0) {
		snprintf(f->text, sizeof(f->text), "cannot read: %s",
		    strerror(errno));
		f->error = f->text;
	}
	return got > 0 ? (size_t)got : 0;
}

static EVP_MD_CTX *
sum_open(struct pp_mem *mem)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();

	if (md == NULL || EVP_DigestInit_ex(md, EVP_sha256(), NULL) != 1)
		pp_mem_fail(mem);
	return md;
}

static void
sum_end(EVP_MD_CTX *md, uint8_t sum[32])
{
	unsigned n = 0;

	PP_ASSERT(EVP_DigestFinal_ex(md, sum, &n) == 1 && n == 32);
	EVP_MD_CTX_free(md);
}

/* Read all of it once: its sum, and whether it is gzip. */
static bool
look(struct from *f, struct survey *s)
{
	struct pp_mem *mem = &f->run->mem;
	struct pp_gzip_check *g = pp_gzip_check_open(mem);
	EVP_MD_CTX *md = sum_open(mem);
	size_t n;

	memset(s, 0, sizeof(*s));
	from_begin(f);
	while ((n = from_read(f)) > 0) {
		EVP_DigestUpdate(md, f->buf, n);
		pp_gzip_check_feed(g, f->buf, n);
		s->bytes += n;
	}
	s->gzip = pp_gzip_check_end(g, &s->payload);
	sum_end(md, s->sha256);
	return f->error == NULL;
}

/*
 * Must it be read before it is kept?  Gzip is kept in another way, and what
 * has the size of a profile may be that.
 */
static bool
needs_look(struct from *f, const struct pp_store *s)
{
	const unsigned char *p = (const unsigned char *)f->buf;
	uint64_t bytes;
	off_t end;
	size_t i;

	from_begin(f);
	if (from_read(f) >= 2 && p[0] == 0x1f && p[1] == 0x8b)
		return true;
	if (f->of->fd < 0) {
		bytes = f->of->entry->bytes;
	} else {
		end = lseek(f->of->fd, 0, SEEK_END);
		bytes = end > 0 ? (uint64_t)end : 0;
	}
	for (i = 0; i < s->n; i++)
		if (s->v[i].bytes == bytes)
			return true;
	return false;
}

/* The profile with these bytes, under this path if there is one so. */
static const struct pp_entry *
find_same(const struct pp_store *s, const struct survey *v, pp_str path)
{
	const struct pp_entry *e, *found = NULL;
	size_t i;

	for (i = 0; i < s->n; i++) {
		e = &s->v[i];
		if (e->bytes != v->bytes ||
		    memcmp(e->sha256, v->sha256, 32) != 0)
			continue;
		if (found == NULL || pp_str_eq(e->path, path))
			found = e;
	}
	return found;
}

/*
 * Is what came out of another archive what was added there?  A profile whose
 * entry was lost has no sum; its members have theirs, and gzip its own.
 */
static bool
is_right(struct from *f, const uint8_t sum[32], bool gzip)
{
	static const uint8_t none[32];
	const struct pp_entry *e = f->of->entry;

	if (f->of->fd >= 0)
		return true;
	if (memcmp(e->sha256, none, 32) != 0 ? memcmp(e->sha256, sum, 32) ==
	    0 : e->kept != PP_KEPT_GZIP || gzip)
		return true;
	f->error = "is damaged: not what was added";
	return false;
}

/* ---------------------------------------------------------------- parsing */

struct parse {
	struct pp_run run;	/* first member */
	struct pp_archive_run *a;
	struct pp_files files;
	struct pp_entry *about;
	struct pp_plan plan;
	struct pp_report_ctx ctx;
	struct pp_columns_out *out;
	bool failed;		/* to write them */
};

/*
 * The tables that are kept.  Not those whose rows are sums or parts of
 * others: texts, statement_calls, statement_events, executions, tree and gaps
 * follow from statements and events.
 */
#define TABLES "sources,sessions,session_sources,profile,timeline," \
	"statements,digests,histogram,stages,plans,errors,problems," \
	"events,binds"

static void
tell_times(const struct pp_model *m, struct pp_entry *e)
{
	const struct pp_source *s = &m->sources[0];
	struct pp_wall first = s->started, last = s->ended, w;
	size_t i;

	for (i = 0; i < m->nsessions; i++) {
		const struct pp_session *x = &m->sessions[i];

		if (!x->has_time)
			continue;
		if (pp_session_wall(x, x->start, &w) &&
		    (!first.known || w.us < first.us))
			first = w;
		if (pp_session_wall(x, x->end, &w) &&
		    (!last.known || w.us > last.us))
			last = w;
	}
	if (!first.known)
		return;
	e->has_time = true;
	e->first_us = first.us;
	e->last_us = last.known && last.us > first.us ? last.us : first.us;
	e->has_offset = first.has_offset;
	e->offset_min = first.offset_min;
}

/* Of rows that a server has summed up: what they cover, and when they were
 * last added to. */
static void
tell_digests(const struct pp_model *m, struct pp_entry *e)
{
	const struct pp_digest_source *s;
	const struct pp_digest_at *a, *b;
	size_t i;

	if (m->digests == NULL)
		return;
	for (i = 0; e->calls == 0 && i < m->digests->n; i++)
		e->calls += pp_digest_at(m->digests, i)->count[PP_DG_CALLS];
	if (e->has_time || m->digests->nsources == 0)
		return;
	s = &m->digests->sources[0];
	a = s->from.known ? &s->from : &s->newest;
	b = s->until.known ? &s->until : &s->newest;
	if (!a->known)
		return;
	e->has_time = true;
	e->first_us = a->us;
	e->last_us = b->known && b->us > a->us ? b->us : a->us;
	e->has_offset = a->has_offset;
	e->offset_min = a->offset_min;
}

static void
tell(struct parse *p)
{
	struct pp_arena *text = &p->a->append->store->text;
	const struct pp_model *m = &p->run.model;
	const struct pp_source *s = &m->sources[0];
	struct pp_entry *e = p->about;
	size_t i;

	e->reader = pp_arena_str(text, s->reader);
	e->product = pp_arena_str(text, s->product);
	e->version = pp_arena_str(text, s->version);
	e->host = pp_arena_str(text, s->host);
	e->instance = pp_arena_str(text, s->instance);
	e->status = (unsigned)s->status;
	e->inputs = m->inputs;
	e->records = s->records;
	e->lines = s->lines;
	for (i = 0; i < m->nsessions; i++)
		e->calls += m->sessions[i].calls;
	if (e->calls == 0)
		e->calls = m->nqueries;
	e->has_span = s->has_span;
	e->span = s->has_span ? pp_i64_sub(s->end, s->start) : 0;
	e->digits = s->digits;
	tell_times(m, e);
	tell_digests(m, e);
}

static bool
put_columns(void *arg, const void *bytes, size_t n)
{
	struct parse *p = arg;

	return pp_append_columns(p->a->append, bytes, n);
}

/* From here on it is as in convert; the writer is the archive. */
static void
prepare(struct parse *p)
{
	struct pp_run *r = &p->run;
	struct pp_account_options account = r->opt->account;
	pp_str bad;

	PP_ASSERT(pp_plan_make(&p->plan, PP_STR(TABLES), false, false, &bad));
	account.timeline = p->plan.slices;
	r->model.raw = p->plan.raw;
	pp_account_init(&r->accounts, &r->model, &account);
	p->ctx.mem = &r->mem;
	p->ctx.model = &r->model;
	p->ctx.accounts = &r->accounts;
	p->out = pp_columns_out(&r->mem, put_columns, p);
	pp_plan_raw_open(&r->raw, &p->plan, &p->ctx,
	    pp_columns_sink(p->out));
}

static enum pp_exit
parse_body(struct pp_run *r)
{
	struct parse *p = (struct parse *)(void *)r;
	const struct pp_append *w = p->a->append;

	if (!pp_capture_stored(r, &p->files, w->store, &w->e))
		return PP_EXIT_OK;
	prepare(p);
	/* what has begun is ended also where no record was found */
	if (pp_capture_read(r, &p->files)) {
		tell(p);
		if (pp_plan_raw_close(&r->raw) < PP_FAILED)
			(void)pp_plan_emit(&p->plan, &p->ctx,
			    r->model.inputs, pp_columns_sink(p->out));
	} else {
		(void)pp_plan_raw_close(&r->raw);
	}
	p->failed = !pp_columns_out_close(p->out) ||
	    !pp_append_columns_end(p->a->append);
	return PP_EXIT_OK;
}

/* What do the readers make of the profile that has just been kept? */
static bool
parse(struct pp_archive_run *a, struct pp_entry *about, bool *failed)
{
	struct pp_options o = *a->run.opt;
	char *words[1];
	struct parse p;

	words[0] = pp_arena_alloc(&a->append->store->text,
	    a->append->e.path.n + 1);
	memcpy(words[0], a->append->e.path.p, a->append->e.path.n + 1);
	o.words = words;
	o.nwords = 1;
	o.out = NULL;
	o.quiet = !o.verbose;
	memset(&p, 0, sizeof(p));
	p.a = a;
	p.about = about;
	*failed = false;
	if (pp_run(&p.run, &o, parse_body) != PP_EXIT_OK)
		return false;
	*failed = p.failed;
	return true;
}

/* ----------------------------------------------------------------- adding */

/* The bytes, as they are; false at an error of either side. */
static bool
keep(struct pp_archive_run *a, struct from *f, const struct survey *s,
    uint8_t sum[32])
{
	struct pp_append *w = a->append;
	uint64_t left = s->gzip ? s->bytes : UINT64_MAX;
	EVP_MD_CTX *md = sum_open(&a->run.mem);
	size_t n;
	bool ok = true;

	from_begin(f);
	while (ok && left > 0 && (n = from_read(f)) > 0) {
		n = n < left ? n : (size_t)left;
		left -= n;
		EVP_DigestUpdate(md, f->buf, n);
		ok = pp_append_data(w, f->buf, n);
	}
	sum_end(md, sum);
	if (s->gzip && f->error == NULL && ok && (left > 0 ||
	    memcmp(sum, s->sha256, 32) != 0))
		f->error = "changed while it was read";
	return ok && f->error == NULL && pp_append_data_end(w) &&
	    pp_append_flush(w);
}

/* Take back what was begun and tell why. */
static enum pp_put
give_up(struct pp_archive_run *a, pp_str path, const struct from *f)
{
	struct pp_append *w = a->append;
	char why[300];

	snprintf(why, sizeof(why), "%s", w->err);
	if (f->error != NULL) {
		pp_run_say(&a->run, "%.*s: %s; it is not added", (int)path.n,
		    path.p, f->error);
		if (pp_append_undo(w))
			return PP_PUT_UNREADABLE;
		snprintf(why, sizeof(why), "%s", w->err);
	} else {
		(void)pp_append_undo(w);
	}
	pp_run_say(&a->run, "%s: %s; %.*s is not added", w->store->path, why,
	    (int)path.n, path.p);
	return PP_PUT_FAILED;
}

/* The profile *about is to have this name too; a further entry may move those
 * that there are. */
static bool
name_same(struct pp_archive_run *a, pp_str path, bool named,
    const struct pp_entry **about)
{
	struct pp_append *w = a->append;
	size_t i = (size_t)(*about - w->store->v);
	struct pp_entry e = **about;
	bool ok = pp_str_eq(e.path, path);

	if (!ok) {
		pp_archived_kin(&a->run.mem, w->store, path, &e, &e);
		ok = pp_append_alias(w, path, named, &e);
	}
	*about = &w->store->v[i];
	return ok;
}

static enum pp_put
put(struct pp_archive_run *a, pp_str path, bool named, struct from *f,
    const struct pp_entry **about)
{
	struct pp_append *w = a->append;
	struct survey s = {0};
	struct pp_entry e;
	bool failed;

	memset(&e, 0, sizeof(e));
	w->err[0] = '\0';
	if (needs_look(f, w->store)) {
		if (!look(f, &s) || !is_right(f, s.sha256, s.gzip))
			return give_up(a, path, f);
		*about = find_same(w->store, &s, path);
		if (*about != NULL)
			return name_same(a, path, named, about) ?
			    PP_PUT_SAME : give_up(a, path, f);
	}
	if (!pp_append_begin(w, path, named, s.gzip ? PP_KEPT_GZIP :
	    PP_KEPT_PLAIN, s.bytes, s.payload) || !keep(a, f, &s, e.sha256) ||
	    !is_right(f, e.sha256, s.gzip))
		return give_up(a, path, f);
	if (!parse(a, &e, &failed)) {
		f->error = "out of memory";
		return give_up(a, path, f);
	}
	pp_archived_kin(&a->run.mem, w->store, path, &w->e, &e);
	if (failed || !pp_append_commit(w, &e))
		return give_up(a, path, f);
	*about = &w->store->v[w->store->n - 1];
	return PP_PUT_ADDED;
}

enum pp_put
pp_archive_put(struct pp_archive_run *a, pp_str path, bool named,
    const struct pp_put_from *of, const struct pp_entry **about)
{
	struct from f = {.run = &a->run, .of = of};
	pp_str kept = pp_arena_str(&a->append->store->text, path);
	enum pp_put r;

	f.buf = pp_mem_alloc(&a->run.mem, PIECE);
	r = put(a, kept, named, &f, about);
	pp_stored_close(f.stored);
	pp_mem_free(&a->run.mem, f.buf);
	return r;
}
