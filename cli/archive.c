/*
 * archive.c: the command `archive`: which of its commands, and what they
 * share.
 */
#include "archive.h"

#include <inttypes.h>
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "archived.h"
#include "capture.h"
#include "commands.h"
#include "options_table.h"
#include "values.h"

#define OPTIONS_MAX 13

static const struct command {
	const char *name;
	const char *usage;
	const char *help;
	enum pp_exit (*body)(struct pp_run *);
	size_t words;		/* needed, the archive among them */
	enum pp_opt options[OPTIONS_MAX]; /* of its own, up to OPT_COUNT */
} commands[] = {
	{"add", "ARCHIVE INPUT...", "Add files, folders, standard input or "
	    "ARCHIVE:NAME.", pp_archive_add, 2, {OPT_READER, OPT_LEVEL,
	    OPT_FROM, OPT_TO, OPT_COUNT}},
	{"list", "ARCHIVE [NAME...]", "Print what is in it.",
	    pp_archive_list, 1, {OPT_FROM, OPT_TO, OPT_WIDTH, OPT_COUNT}},
	{"extract", "ARCHIVE [NAME...] [-o OUT]", "Write profiles as they "
	    "were.", pp_archive_extract, 1, {OPT_OUT, OPT_FROM, OPT_TO,
	    OPT_COUNT}},
	{"query", "ARCHIVE [NAME...] [--table TABLE] [--where COLUMN=VALUE]",
	    "Rows of a table of all profiles.", pp_archive_query, 1,
	    {OPT_OUT, OPT_FORMAT, OPT_TABLE, OPT_CSV, OPT_WHERE, OPT_FROM,
	    OPT_TO, OPT_WIDTH, OPT_COUNT}},
	{"trend", "ARCHIVE [NAME...] [--of WHAT] [--per WHAT] [-o OUT]",
	    "Time by event, statement or digest, profile by profile.",
	    pp_archive_trend, 1, {OPT_OUT, OPT_FORMAT, OPT_CSV, OPT_WHERE,
	    OPT_FROM, OPT_TO, OPT_OF, OPT_PER, OPT_TOP, OPT_WIDTH,
	    OPT_COUNT}},
	{"verify", "ARCHIVE", "Check every byte.", pp_archive_verify, 1,
	    {OPT_COUNT}},
	{"recover", "ARCHIVE [-o OUT]", "Save what is whole in a damaged "
	    "one.", pp_archive_recover, 1, {OPT_OUT, OPT_READER, OPT_LEVEL,
	    OPT_COUNT}},
	{"compact", "ARCHIVE [--drop NAME]...", "Write it anew, without what "
	    "is dropped.", pp_archive_compact, 1, {OPT_DROP, OPT_READER,
	    OPT_LEVEL, OPT_COUNT}},
	{"merge", "ARCHIVE OTHER...", "Add all of other archives.",
	    pp_archive_merge, 2, {OPT_READER, OPT_LEVEL, OPT_FROM, OPT_TO,
	    OPT_COUNT}},
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
	else if (s->end < s->size && !pp_append_at_work(s))
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

enum pp_exit
pp_archive_choose(struct pp_archive_run *a, bool every)
{
	const struct pp_range *range = &a->run.opt->range;
	struct pp_choice *c = &a->choice;
	struct pp_store *s = a->store;
	struct pp_arena text;
	char why[600];
	size_t i, k;

	pp_archived_choose(c, &a->run.mem, s, a->words, a->nwords, range);
	for (i = 0; i < a->nwords && c->nunmet > 0; i++) {
		for (k = 0; k < s->n; k++)
			if (pp_archived_is(&s->v[k], a->words[i]))
				break;
		if (k == s->n)
			pp_run_say(&a->run, "%s: no profile is called %s",
			    a->path, a->words[i]);
	}
	if (pp_choice_none(c, s, range, why, sizeof(why))) {
		if (c->called > 0 || s->n == 0)
			pp_run_say(&a->run, "%s: %s", a->path, why);
		return PP_EXIT_NOTHING;
	}
	pp_arena_init(&text, &a->run.mem, 1024);
	if (!every && !a->run.opt->quiet &&
	    pp_choice_notice(c, &text, s, why, sizeof(why)))
		pp_run_say(&a->run, "notice: %s: %s", a->path, why);
	if (!every && !a->run.opt->quiet &&
	    pp_choice_several(c, s, why, sizeof(why)))
		pp_run_say(&a->run, "notice: %s: %s", a->path, why);
	pp_arena_free(&text);
	return c->nunmet > 0 ? PP_EXIT_PARTIAL : PP_EXIT_OK;
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

void
pp_help_archive(void)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		printf("  %s %s\n%10s%s\n", commands[i].name,
		    commands[i].usage, "", commands[i].help);
	fputs("\nNAME is a number that list tells, a path or the end of "
	    "one, a pattern, or a path\nand a number: orders.trc#2, of "
	    "several versions of a file.\n", stdout);
}

/* Options that every command has. */
static bool
is_common(enum pp_opt id)
{
	return id == OPT_PROGRESS || id == OPT_MEMORY || id == OPT_TMP ||
	    id == OPT_QUIET || id == OPT_VERBOSE;
}

/* An option without effect is a mistake: is one given? */
static bool
options_fit(const struct pp_options *o, const struct command *c)
{
	const struct pp_option *x;
	size_t i, k;

	for (i = 0; i < pp_option_count; i++) {
		x = &pp_option_list[i];
		if (o->given[x->id] == NULL || is_common(x->id))
			continue;
		for (k = 0; c->options[k] != OPT_COUNT; k++)
			if (c->options[k] == x->id)
				break;
		if (c->options[k] == x->id)
			continue;
		pp_usage(o->command, "`profpivot archive %s` has no option "
		    "--%s", c->name, x->name);
		return false;
	}
	return true;
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

/*
 * A run for each profile frees all that it had, and the next one wants it
 * again: pages that go back to the system on the way are cleared each time,
 * which took 5 % of `add`.
 */
static void
keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
	(void)mallopt(M_TRIM_THRESHOLD, 128 << 20);
#endif
}

enum pp_exit
pp_command_archive(const struct pp_options *o)
{
	static const struct pp_archive_run none;
	struct pp_archive_run a = none;
	size_t i = find_command(o);

	if (i == COMMANDS || !options_fit(o, &commands[i]))
		return PP_EXIT_USAGE;
	if (!pp_capture_check(o))
		return PP_EXIT_USAGE;
	a.path = o->words[1];
	a.words = o->words + 2;
	a.nwords = o->nwords - 2;
	a.command = commands[i].body;
	keep_memory();
	a.verb = "added";
	return pp_run(&a.run, o, body);
}
