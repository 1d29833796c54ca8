/*
 * archive.c: the command `archive`: which of its commands, and what they
 * share.
 */
#include "archive.h"

#include <inttypes.h>

#include "archived.h"
#include "commands.h"
#include "values.h"

static const struct {
	const char *name;
	const char *usage;
	enum pp_exit (*body)(struct pp_run *);
	size_t words;		/* needed, the archive among them */
} commands[] = {
	{"add", "ARCHIVE INPUT...", pp_archive_add, 2},
	{"list", "ARCHIVE [NAME...]", pp_archive_list, 1},
	{"extract", "ARCHIVE [NAME...] [-o OUT]", pp_archive_extract, 1},
	{"query", "ARCHIVE [NAME...] [--table NAME] [--where COLUMN=VALUE]",
	    pp_archive_query, 1},
	{"trend", "ARCHIVE [NAME...] [--of WHAT] [--per WHAT] [-o OUT]",
	    pp_archive_trend, 1},
	{"verify", "ARCHIVE", pp_archive_verify, 1},
	{"recover", "ARCHIVE [-o OUT]", pp_archive_recover, 1},
	{"compact", "ARCHIVE [--drop NAME]...", pp_archive_compact, 1},
	{"merge", "ARCHIVE OTHER...", pp_archive_merge, 2},
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

bool
pp_archive_open(struct pp_archive_run *a)
{
	pp_str err;

	a->store = pp_store_open(&a->run.mem, a->path, false, &err);
	if (a->store == NULL)
		pp_run_say(&a->run, "%s: %.*s", a->path, (int)err.n, err.p);
	return a->store != NULL;
}

enum pp_exit
pp_archive_state(struct pp_archive_run *a)
{
	const struct pp_store *s = a->store;

	if (s->damaged)
		pp_run_say(&a->run, "%s: is damaged: not all profiles may be "
		    "there; `profpivot archive verify` tells more", a->path);
	else if (s->end < s->size)
		pp_run_say(&a->run, "%s: %" PRIu64 " bytes at its end are of "
		    "a profile that was not added to its end; they are left "
		    "out", a->path, s->size - s->end);
	else
		return PP_EXIT_OK;
	return PP_EXIT_PARTIAL;
}

static bool
tell_wait(void *arg)
{
	struct pp_archive_run *a = arg;

	pp_run_say(&a->run, "%s: another writer has it; waiting", a->path);
	return true;
}

bool
pp_archive_append(struct pp_archive_run *a, const char *path,
    enum pp_append_how how)
{
	struct pp_append *w;
	pp_str err;

	w = pp_append_open(&a->run.mem, path, how, tell_wait, a, &err);
	if (w == NULL) {
		pp_run_say(&a->run, "%s: %.*s", path, (int)err.n, err.p);
		return false;
	}
	if (w->finished > 0)
		pp_run_say(&a->run, "%s: a writer that died had added a "
		    "profile to its end; it counts now", path);
	if (w->cleaned > 0)
		pp_run_say(&a->run, "%s: %" PRIu64 " bytes of a writer that "
		    "died are taken away", path, w->cleaned);
	if (a->run.opt->archive.level > 0)
		pp_append_level(w, (int)a->run.opt->archive.level);
	a->append = w;
	return true;
}

bool
pp_archive_wants(const struct pp_archive_run *a, const struct pp_entry *e)
{
	size_t i;

	if (!pp_range_has(&a->run.opt->range, e))
		return false;
	for (i = 0; i < a->nwords; i++)
		if (pp_archived_is(e, a->words[i]))
			return true;
	return a->nwords == 0 && e->same_as == 0;
}

bool
pp_archive_words_met(struct pp_archive_run *a)
{
	bool all = true;
	size_t i, k;

	for (i = 0; i < a->nwords; i++) {
		for (k = 0; k < a->store->n; k++)
			if (pp_archived_is(&a->store->v[k], a->words[i]))
				break;
		if (k < a->store->n)
			continue;
		pp_run_say(&a->run, "%s: no profile is called %s", a->path,
		    a->words[i]);
		all = false;
	}
	return all;
}

/* Which command?  COMMANDS: that has been told. */
static size_t
find_command(const struct pp_options *o)
{
	const char *names[COMMANDS], *near;
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		names[i] = commands[i].name;
	if (o->nwords == 0) {
		pp_usage(o->command, "what shall I do with an archive? add, "
		    "list, extract, query, trend, verify, recover, compact "
		    "or merge");
		return COMMANDS;
	}
	for (i = 0; i < COMMANDS; i++)
		if (strcmp(o->words[0], names[i]) == 0)
			break;
	if (i == COMMANDS) {
		near = pp_value_nearest(o->words[0], names, COMMANDS);
		if (near != NULL)
			pp_usage(o->command, "unknown command `%s`; did you "
			    "mean `%s`?", o->words[0], near);
		else
			pp_usage(o->command, "unknown command `%s`",
			    o->words[0]);
		return COMMANDS;
	}
	if (o->nwords > commands[i].words)
		return i;
	pp_usage(o->command, "profpivot archive %s %s", commands[i].name,
	    commands[i].usage);
	return COMMANDS;
}

static enum pp_exit
body(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	enum pp_exit status = a->command(r);

	if (a->append != NULL)
		pp_append_close(a->append);
	else if (a->store != NULL)
		pp_store_close(a->store);
	return status;
}

enum pp_exit
pp_command_archive(const struct pp_options *o)
{
	static const struct pp_archive_run none;
	struct pp_archive_run a = none;
	size_t i = find_command(o);

	if (i == COMMANDS)
		return PP_EXIT_USAGE;
	a.path = o->words[1];
	a.words = o->words + 2;
	a.nwords = o->nwords - 2;
	a.command = commands[i].body;
	return pp_run(&a.run, o, body);
}
