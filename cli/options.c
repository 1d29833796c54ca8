/*
 * options.c: the parser of the command line.
 */
#include "options_table.h"
#include "values.h"

#include <stdarg.h>
#include <stdlib.h>

#define SECTIONS_DEFAULT ((1u << PP_SHOW_PROFILE) | \
	(1u << PP_SHOW_TIMELINE) | (1u << PP_SHOW_STATEMENTS) | \
	(1u << PP_SHOW_GAPS) | (1u << PP_SHOW_PROBLEMS))

/* ------------------------------------------------------------- messages */

__attribute__((format(printf, 1, 0))) static void
complain(const char *fmt, va_list ap)
{
	fputs("profpivot: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void
pp_usage(enum pp_command c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(fmt, ap);
	va_end(ap);
	fprintf(stderr, "Try `profpivot %s --help`.\n", pp_commands[c].name);
}

__attribute__((format(printf, 1, 2))) static enum pp_parsed
wrong(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(fmt, ap);
	va_end(ap);
	fputs("Try `profpivot --help`.\n", stderr);
	return PP_PARSED_WRONG;
}

enum pp_parsed
pp_options_version(void)
{
	puts("profpivot " PP_VERSION);
	return PP_PARSED_DONE;
}

/* -------------------------------------------------------------- parsing */

static const struct pp_option *
by_name(enum pp_command c, const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < pp_option_count; i++)
		if ((pp_option_list[i].commands & (1u << c)) &&
		    strlen(pp_option_list[i].name) == n &&
		    memcmp(pp_option_list[i].name, name, n) == 0)
			return &pp_option_list[i];
	return NULL;
}

static const struct pp_option *
by_letter(enum pp_command c, char letter)
{
	size_t i;

	for (i = 0; i < pp_option_count; i++)
		if ((pp_option_list[i].commands & (1u << c)) &&
		    pp_option_list[i].letter == letter)
			return &pp_option_list[i];
	return NULL;
}

/* An unknown long option: say what is near it, or whose it is. */
static enum pp_parsed
unknown_option(enum pp_command c, const char *name, size_t n)
{
	const char *list[OPT_COUNT], *near;
	char word[32];
	size_t i, m = 0;

	for (i = 0; i < pp_option_count; i++) {
		if (pp_option_list[i].commands & (1u << c))
			list[m++] = pp_option_list[i].name;
		else if (strlen(pp_option_list[i].name) == n &&
		    memcmp(pp_option_list[i].name, name, n) == 0) {
			pp_usage(c, "`profpivot %s` has no option --%s",
			    pp_commands[c].name, pp_option_list[i].name);
			return PP_PARSED_WRONG;
		}
	}
	snprintf(word, sizeof(word), "%.*s", (int)(n < 31 ? n : 31), name);
	near = pp_value_nearest(word, list, m);
	if (near != NULL)
		pp_usage(c, "unknown option --%.*s; did you mean --%s?",
		    (int)n, name, near);
	else
		pp_usage(c, "unknown option --%.*s", (int)n, name);
	return PP_PARSED_WRONG;
}

/* `--name`, `--name=value`, `--name value`; *next is the argument behind. */
static enum pp_parsed
long_option(struct pp_options *p, const char *arg, char ***next)
{
	size_t n = strcspn(arg, "=");
	const struct pp_option *o = by_name(p->command, arg, n);
	const char *v = arg[n] == '=' ? arg + n + 1 : NULL;

	if (o == NULL)
		return unknown_option(p->command, arg, n);
	if (o->arg == NULL && v != NULL) {
		pp_usage(p->command, "--%s takes no value", o->name);
		return PP_PARSED_WRONG;
	}
	if (o->id == OPT_TREE) {
		/* its value may be left out: an INPUT may follow */
		if (v == NULL && *(*next) != NULL &&
		    pp_options_choice(*(*next), pp_tree_words) >= 0)
			v = *(*next)++;
		return pp_options_apply(p, o, v);
	}
	if (o->arg != NULL && v == NULL)
		v = *(*next) == NULL ? NULL : *(*next)++;
	if (o->arg != NULL && v == NULL) {
		pp_usage(p->command, "--%s needs a value: %s", o->name,
		    o->arg);
		return PP_PARSED_WRONG;
	}
	return pp_options_apply(p, o, v);
}

/* `-x`, `-xVALUE`, `-x VALUE`, `-xy`. */
static enum pp_parsed
short_options(struct pp_options *p, const char *arg, char ***next)
{
	const struct pp_option *o;
	enum pp_parsed r = PP_PARSED_RUN;
	const char *v;

	for (; *arg != '\0' && r == PP_PARSED_RUN; arg++) {
		o = by_letter(p->command, *arg);
		if (o == NULL) {
			pp_usage(p->command, "unknown option -%c", *arg);
			return PP_PARSED_WRONG;
		}
		if (o->arg == NULL) {
			r = pp_options_apply(p, o, NULL);
			continue;
		}
		v = arg[1] != '\0' ? arg + 1 :
		    *(*next) == NULL ? NULL : *(*next)++;
		if (v == NULL) {
			pp_usage(p->command, "-%c needs a value: %s",
			    o->letter, o->arg);
			return PP_PARSED_WRONG;
		}
		return pp_options_apply(p, o, v);
	}
	return r;
}

static enum pp_parsed
find_command(struct pp_options *o, const char *word)
{
	const char *names[PP_CMD_COUNT], *near;
	int c;

	for (c = 0; c < PP_CMD_COUNT; c++) {
		names[c] = pp_commands[c].name;
		if (strcmp(word, names[c]) == 0) {
			o->command = (enum pp_command)c;
			return PP_PARSED_RUN;
		}
	}
	near = pp_value_nearest(word, names, PP_CMD_COUNT);
	if (near != NULL)
		return wrong("unknown command `%s`; did you mean `%s`?", word,
		    near);
	if (word[0] == '-')
		return wrong("unknown option %s; a command comes first", word);
	return wrong("unknown command `%s`", word);
}

static enum pp_parsed
first_word(struct pp_options *o, char **argv)
{
	enum pp_parsed r;

	if (argv[1] == NULL)
		return wrong("what shall I do? convert, show, compare, "
		    "digest, stap-merge, archive or list");
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return pp_options_version();
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		if (argv[2] == NULL) {
			pp_help_all();
			return PP_PARSED_DONE;
		}
		r = find_command(o, argv[2]);
		if (r == PP_PARSED_RUN) {
			pp_help_command(o->command);
			return PP_PARSED_DONE;
		}
		return r;
	}
	return find_command(o, argv[1]);
}

enum pp_parsed
pp_options_parse(struct pp_options *o, int argc, char **argv)
{
	enum pp_parsed r;
	char **next;
	bool words_only = false;
	char *arg;

	memset(o, 0, sizeof(*o));
	o->tables = "";
	o->sections = SECTIONS_DEFAULT;
	o->account.intervals = 20;
	o->name_width = 29;
	o->write.csv = PP_CSV_RFC4180;
	o->write.spill_sheets = true;
	pp_digest_cli_init(&o->digest);
	if (argc < 1)
		return wrong("what shall I do? convert, show, compare, "
		    "digest, stap-merge, archive or list");
	r = first_word(o, argv);
	if (r != PP_PARSED_RUN)
		return r;
	o->words = next = argv + 2;
	while (*next != NULL && r == PP_PARSED_RUN) {
		arg = *next++;
		if (words_only || arg[0] != '-' || arg[1] == '\0')
			o->words[o->nwords++] = arg;
		else if (strcmp(arg, "--") == 0)
			words_only = true;
		else if (arg[1] == '-')
			r = long_option(o, arg + 2, &next);
		else
			r = short_options(o, arg + 1, &next);
	}
	if (!o->named && o->tree_wanted)
		o->sections = 1u << PP_SHOW_TREE;
	if (!o->named && o->style != PP_STYLE_OWN)
		o->sections |= 1u << PP_SHOW_PROFILE;
	if (!o->named && o->style != PP_STYLE_OWN && !o->tree_wanted)
		o->sections = 1u << PP_SHOW_PROFILE;
	/* the report on the terminal sums idle waits up in a row */
	o->selecting.selection.no_idle = o->idle_excluded &&
	    o->command != PP_CMD_SHOW;
	if (pp_selecting_done(&o->selecting, o->since, o->until))
		o->account.select = &o->selecting.selection;
	return r == PP_PARSED_RUN ? pp_options_complete(o) : r;
}
