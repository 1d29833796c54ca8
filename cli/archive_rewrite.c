/*
 * archive_rewrite.c: `archive compact`, `merge` and `recover`: what is in
 * archives, written anew.
 *
 * Each profile is added to a new file as if for the first time, so that its
 * tables are made by this version; then the new file takes the old one's
 * place.
 */
#include "archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "../writers/temps.h"
#include "archived.h"
#include "inputs.h"

struct rewrite {
	struct pp_archive_run *a;
	struct pp_append *old;	/* locked; NULL: not needed */
	char temp[4200];
	int slot;
	uint64_t kept, lost;
	const struct pp_store *from; /* of the last profile that was carried */
	uint32_t batch;		/* that it had there */
};

static bool
is_dropped(const struct pp_options *o, const struct pp_entry *e)
{
	size_t i;

	for (i = 0; i < o->archive.ndrops; i++)
		if (pp_archived_is(e, o->archive.drop[i]))
			return true;
	return false;
}

/* Add a profile of the old file to the new one; false: it cannot go on. */
static bool
carry(struct rewrite *w, struct pp_store *s, const struct pp_entry *e)
{
	struct pp_put_from from = {.fd = -1, .store = s, .entry = e};
	const struct pp_entry *about;

	/* what came together stays so */
	if (w->from != s || w->batch != e->batch || e->batch == 0)
		w->a->batch = e->batch == 0 ? 0 :
		    w->a->append->store->commit.last + 1;
	w->from = s;
	w->batch = e->batch;
	switch (pp_archive_put(w->a, e->path, e->named, &from, &about)) {
	case PP_PUT_ADDED:
	case PP_PUT_SAME:
		w->kept++;
		return true;
	case PP_PUT_UNREADABLE:
		w->lost++;
		return true;
	case PP_PUT_FAILED:
		break;
	}
	return false;
}

static bool
begin(struct rewrite *w, const char *path)
{
	snprintf(w->temp, sizeof(w->temp), "%.4100s.new.%ld", path,
	    (long)getpid());
	unlink(w->temp);
	w->slot = pp_temp_add(w->temp, -1);
	return pp_archive_append(w->a, w->temp, PP_APPEND_NEW);
}

/* Give up: the old file is as it was. */
static enum pp_exit
stop(struct rewrite *w)
{
	unlink(w->temp);
	pp_temp_forget(w->slot);
	return PP_EXIT_NOTHING;
}

static bool
end(struct rewrite *w, const char *path, const char *keep)
{
	struct pp_append *to = w->a->append;

	if (!pp_append_replace(to, w->temp, path, keep)) {
		pp_run_say(&w->a->run, "%s: %s", path, to->err);
		return false;
	}
	pp_temp_forget(w->slot);
	return true;
}

/* A name to be dropped that nothing has may be mistyped. */
static bool
drops_met(struct pp_archive_run *a, const struct pp_store *s)
{
	const struct pp_archive_cli *o = &a->run.opt->archive;
	bool met = true;
	size_t i, k;

	for (i = 0; i < o->ndrops; i++) {
		for (k = 0; k < s->n; k++)
			if (pp_archived_is(&s->v[k], o->drop[i]))
				break;
		if (k < s->n)
			continue;
		pp_run_say(&a->run, "%s: no profile is called %s", a->path,
		    o->drop[i]);
		met = false;
	}
	if (!met)
		pp_run_say(&a->run, "%s: left as it is", a->path);
	return met;
}

enum pp_exit
pp_archive_compact(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct rewrite w = {.a = a, .slot = -1};
	uint64_t before, dropped = 0;
	struct pp_store *s;
	size_t i;

	a->verb = "carried over, and the archive left as it is";
	if (!pp_archive_append(a, a->path, PP_APPEND_EXISTING))
		return PP_EXIT_NOTHING;
	w.old = a->append;
	s = w.old->store;
	if (!drops_met(a, s))
		return PP_EXIT_NOTHING;
	before = s->size;
	if (!begin(&w, a->path)) {
		a->append = w.old;
		return stop(&w);
	}
	for (i = 0; i < s->n; i++) {
		if (is_dropped(r->opt, &s->v[i]))
			dropped++;
		else if (!carry(&w, s, &s->v[i]) || w.lost > 0)
			return stop(&w);
	}
	if (!end(&w, a->path, NULL))
		return stop(&w);
	if (!r->opt->quiet)
		printf("%s: %" PRIu64 " profiles kept, %" PRIu64
		    " dropped, %" PRIu64 " bytes, before %" PRIu64 "\n",
		    a->path, w.kept, dropped, a->append->store->size, before);
	pp_append_close(w.old);
	return pp_flush_stdout() ? PP_EXIT_OK : PP_EXIT_NOTHING;
}

/* ------------------------------------------------------------------ merge */

/* Is one of them the archive that they are to be added to? */
static bool
is_itself(struct pp_archive_run *a)
{
	size_t i;

	for (i = 0; i < a->nwords; i++)
		if (pp_same_file(a->words[i], a->path)) {
			pp_run_say(&a->run, "%s: an archive is not added to "
			    "itself", a->words[i]);
			return true;
		}
	return false;
}

static bool
merge_one(struct rewrite *w, const char *path)
{
	struct pp_run *r = &w->a->run;
	struct pp_store *s;
	pp_str err;
	size_t i;
	bool ok = true;

	s = pp_store_open(&r->mem, path, false, &err);
	if (s == NULL) {
		pp_run_say(r, "%s: %.*s", path, (int)err.n, err.p);
		w->lost++;
		return true;
	}
	if (s->damaged || s->end < s->size) {
		pp_run_say(r, "%s: is damaged or not whole; what can be read "
		    "is taken", path);
		w->lost++;
	}
	for (i = 0; i < s->n && ok; i++)
		if (pp_range_has(&r->opt->range, &s->v[i]))
			ok = carry(w, s, &s->v[i]);
	pp_store_close(s);
	return ok;
}

enum pp_exit
pp_archive_merge(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct rewrite w = {.a = a, .slot = -1};
	size_t i, before;
	bool ok = true;

	if (is_itself(a))
		return PP_EXIT_USAGE;
	if (!pp_archive_append(a, a->path, PP_APPEND_CREATE))
		return PP_EXIT_NOTHING;
	before = a->append->store->n;
	for (i = 0; i < a->nwords && ok; i++)
		ok = merge_one(&w, a->words[i]);
	if (a->append->created && a->append->store->n == 0)
		unlink(a->path);
	if (!r->opt->quiet)
		printf("%s: %zu added, %zu there already\n", a->path,
		    a->append->store->n - before, (size_t)w.kept -
		    (a->append->store->n - before));
	if (!pp_flush_stdout() || w.kept == 0)
		return PP_EXIT_NOTHING;
	return ok && w.lost == 0 ? PP_EXIT_OK : PP_EXIT_PARTIAL;
}

/* ---------------------------------------------------------------- recover */

/* A profile whose catalogue entry is lost: from its BEGIN to its LAST. */
struct orphan {
	struct pp_entry e;
	bool open;		/* its data goes on */
};

static void
add_orphan(struct pp_store *s, struct orphan *o, uint64_t end)
{
	void *v = s->v;
	size_t i;

	o->open = false;
	for (i = 0; i < s->n; i++)
		if (s->v[i].number == o->e.number)
			return;
	o->e.data_end = end;
	pp_mem_grow(s->mem, &v, &s->cap, s->n + 1, sizeof(*s->v));
	s->v = v;
	s->v[s->n++] = o->e;
}

static void
open_orphan(struct pp_store *s, struct orphan *o, const struct pp_scan *scan,
    const struct pp_member *m)
{
	struct pp_begin b;

	memset(o, 0, sizeof(*o));
	if (!pp_begin_read(&b, m))
		return;
	o->e.number = m->profile;
	o->e.kept = b.kept;
	o->e.named = b.named;
	o->e.path = pp_arena_str(&s->text, b.path);
	o->e.begin = m->at;
	o->e.stream = m->stream;
	if (b.kept == PP_KEPT_GZIP && scan->foreign == b.bytes) {
		o->e.bytes = b.bytes;
		add_orphan(s, o, scan->at + scan->foreign);
	} else {
		o->open = b.kept == PP_KEPT_PLAIN;
	}
}

/* Profiles that no entry tells of join the others; what is no member is
 * told. */
static void
find_orphans(struct rewrite *w, struct pp_store *s)
{
	struct orphan o = {.open = false};
	struct pp_scan scan;
	struct pp_member m;

	pp_scan_open(&scan, s, true);
	while (pp_scan_next(&scan, &m)) {
		if (scan.skipped > 0) {
			pp_run_say(&w->a->run, "%s: %" PRIu64 " bytes from "
			    "byte %" PRIu64 " on are damaged", w->a->path,
			    scan.skipped, scan.skipped_at);
			o.open = false;
		}
		if (m.type == PP_MEMBER_BEGIN) {
			open_orphan(s, &o, &scan, &m);
		} else if (m.type != PP_MEMBER_DATA ||
		    m.profile != o.e.number) {
			o.open = false;
		} else if (o.open) {
			o.e.bytes += m.payload;
			if (m.flags & PP_MEMBER_LAST)
				add_orphan(s, &o, m.at + m.bytes);
		}
	}
	if (scan.skipped > 0)
		pp_run_say(&w->a->run, "%s: %" PRIu64 " bytes at its end, "
		    "from byte %" PRIu64 " on, are of something that is not "
		    "whole", w->a->path, scan.skipped, scan.skipped_at);
	pp_scan_close(&scan);
}

/* An orphan has none. */
static bool
sum_is_known(const struct pp_entry *e)
{
	static const uint8_t none[32];

	return memcmp(e->sha256, none, 32) != 0;
}

static bool
carry_all(struct rewrite *w, struct pp_store *s)
{
	const struct pp_entry *e;
	uint64_t before;
	size_t i;

	for (i = 0; i < s->n; i++) {
		e = &s->v[i];
		before = w->kept;
		if (!carry(w, s, e))
			return false;
		if (w->kept > before && !sum_is_known(e))
			pp_run_say(&w->a->run, "%s:%.*s: its catalogue entry "
			    "was lost; recovered from its data", w->a->path,
			    (int)e->path.n, e->path.p);
	}
	return true;
}

static int
by_number(const void *a, const void *b)
{
	const struct pp_entry *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

enum pp_exit
pp_archive_recover(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct rewrite w = {.a = a, .slot = -1};
	const char *to = r->opt->out != NULL ? r->opt->out : a->path;
	struct pp_store *s;
	char keep[4200];
	pp_str err;

	s = pp_store_open(&r->mem, a->path, true, &err);
	if (s == NULL) {
		pp_run_say(r, "%s: %.*s", a->path, (int)err.n, err.p);
		return PP_EXIT_NOTHING;
	}
	if (!pp_append_lock_out(s)) {
		pp_run_say(r, "%s: another writer has it", a->path);
		return PP_EXIT_NOTHING;
	}
	a->verb = "recovered";
	find_orphans(&w, s);
	if (s->n > 1)
		qsort(s->v, s->n, sizeof(*s->v), by_number);
	if (!begin(&w, to) || !carry_all(&w, s) || w.kept == 0) {
		if (w.kept == 0)
			pp_run_say(r, "%s: no profile is whole", a->path);
		pp_store_close(s);
		return stop(&w);
	}
	pp_store_close(s);
	snprintf(keep, sizeof(keep), "%.4100s.damaged", a->path);
	if (!end(&w, to, r->opt->out != NULL ? NULL : keep))
		return stop(&w);
	if (!r->opt->quiet)
		printf("%s: %" PRIu64 " profile%s recovered, %" PRIu64
		    " lost%s%s\n", to, w.kept, w.kept == 1 ? "" : "s",
		    w.lost, r->opt->out != NULL ? "" :
		    "; the damaged file is now ", r->opt->out != NULL ? "" :
		    keep);
	if (!pp_flush_stdout())
		return PP_EXIT_NOTHING;
	return w.lost == 0 ? PP_EXIT_OK : PP_EXIT_PARTIAL;
}
