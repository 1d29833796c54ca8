/*
 * options_check.c: do the options that were given go together?
 *
 * What would be left out silently is wrong usage: the user believes that it
 * works.
 */
#include "options_table.h"

#include "../writers/writer.h"

#include <stdarg.h>

__attribute__((format(printf, 2, 3))) static bool
no(const struct pp_options *o, const char *fmt, ...)
{
	char why[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	pp_usage(o->command, "%s", why);
	return false;
}

/* ----------------------------------------------------------------- pairs */

/* The same option again, with another value? */
bool
pp_options_once(struct pp_options *p, const struct pp_option *o,
    const char *v)
{
	const char *before = p->given[o->id];

	p->given[o->id] = v != NULL ? v : "";
	if (before == NULL || o->arg == NULL || o->id == OPT_WHERE ||
	    o->id == OPT_TAG || o->id == OPT_PIVOT || o->id == OPT_DROP ||
	    strcmp(before, p->given[o->id]) == 0)
		return true;
	return no(p, "--%s is given twice: `%s` and `%s`", o->name, before,
	    p->given[o->id]);
}

static const struct pair {
	enum pp_opt a, b;
	const char *why;
} clashes[] = {
	{OPT_INTERVAL, OPT_INTERVALS, "both cut the timeline: leave one out"},
	{OPT_LINES, OPT_NUL, "both tell where a statement ends: leave one "
	    "out"},
	{OPT_ENCLOSED_BY, OPT_MAY_ENCLOSED_BY, "leave one out"},
	{OPT_TABLE, OPT_TABLES, "--table NAME is the only table: leave out "
	    "--tables"},
	{OPT_TABLE, OPT_EVENTS, "--table NAME is the only table: leave out "
	    "--events"},
}, needed[] = {
	{OPT_TOTALS, OPT_PIVOT, NULL},
	/* compare prints where it has no OUT */
	{OPT_FORMAT, OPT_OUT, NULL},
	{OPT_TABLES, OPT_OUT, NULL},
	{OPT_TABLE, OPT_OUT, NULL},
	{OPT_CSV, OPT_OUT, NULL},
	{OPT_FLATTEN, OPT_OUT, NULL},
	{OPT_GZIP, OPT_OUT, NULL},
	{OPT_SPILL, OPT_OUT, NULL},
};

static bool
pairs(const struct pp_options *o)
{
	size_t i;

	for (i = 0; i < sizeof(clashes) / sizeof(clashes[0]); i++)
		if (o->given[clashes[i].a] != NULL &&
		    o->given[clashes[i].b] != NULL)
			return no(o, "--%s and --%s: %s",
			    pp_option_name(clashes[i].a), pp_option_name(clashes[i].b),
			    clashes[i].why);
	/* archive prints where it has no OUT */
	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (o->command != PP_CMD_ARCHIVE &&
		    o->given[needed[i].a] != NULL &&
		    o->given[needed[i].b] == NULL)
			return no(o, "--%s belongs to --%s",
			    pp_option_name(needed[i].a), pp_option_name(needed[i].b));
	return true;
}

/* ---------------------------------------------------------------- values */

static bool
reports(const struct pp_options *o)
{
	const struct pp_moment *a = &o->selecting.selection.since;
	const struct pp_moment *b = &o->selecting.selection.until;

	if (o->given[OPT_ORPHANS] != NULL && !o->account.seed_timeline)
		return no(o, "--orphans belongs to --timeline seed");
	if (o->given[OPT_NAME_WIDTH] != NULL && o->style != PP_STYLE_SEED)
		return no(o, "--name-width belongs to --style seed");
	if (o->account.select != NULL && o->tree != PP_TREE_SUMMED)
		return no(o, "--tree %s lists every call: leave out --where, "
		    "--since and --until", pp_tree_words[o->tree - 1]);
	/* a time of the day alone may be of the day after */
	if (a->given && b->given && a->wall == b->wall &&
	    (a->wall ? a->has_date && b->has_date && a->has_offset ==
	    b->has_offset && a->us - a->offset_min * INT64_C(60000000) >=
	    b->us - b->offset_min * INT64_C(60000000) : a->ps >= b->ps))
		return no(o, "--since %s is not before --until %s: nothing "
		    "would be left", o->since, o->until);
	return true;
}

static bool
clients(const struct pp_options *o)
{
	size_t i;

	if (o->reader == NULL || strcmp(o->reader, "client") == 0)
		return true;
	for (i = 0; i < PP_CLIENT_OPTIONS; i++)
		if (o->given[pp_client_options[i]] != NULL)
			return no(o, "--%s belongs to -f client, not to %s",
			    pp_option_name(pp_client_options[i]), o->reader);
	return true;
}

static bool
digests(const struct pp_options *o)
{
	enum pp_opt id = o->given[OPT_EMBEDDED] != NULL ? OPT_EMBEDDED :
	    OPT_CHECKSUMS;

	if (o->given[id] != NULL && o->digest.sql.server != PP_SQL_PT_32 &&
	    o->digest.sql.server != PP_SQL_PT_35)
		return no(o, "--%s belongs to --dialect pt", pp_option_name(id));
	return true;
}

/* --------------------------------------------------------------- writers */

bool
pp_options_suit(const struct pp_options *o, const struct pp_writer *w)
{
	static const struct {
		enum pp_opt id;
		const char *writers[2];
	} v[] = {
		{OPT_CSV, {"csv", "tsv"}},
		{OPT_FLATTEN, {"csv", "tsv"}},
		{OPT_XML, {"xml", NULL}},
		{OPT_SPILL, {"xlsx", NULL}},
		{OPT_PARTITION, {"parquet", NULL}},
	};
	size_t i;

	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		if (o->given[v[i].id] != NULL &&
		    strcmp(w->name, v[i].writers[0]) != 0 &&
		    (v[i].writers[1] == NULL ||
		    strcmp(w->name, v[i].writers[1]) != 0))
			return no(o, "--%s belongs to %s%s%s; what is to be "
			    "written is %s", pp_option_name(v[i].id),
			    v[i].writers[0], v[i].writers[1] != NULL ?
			    " and " : "", v[i].writers[1] != NULL ?
			    v[i].writers[1] : "", w->name);
	if (o->command == PP_CMD_COMPARE && o->width != 0 &&
	    (w->caps & PP_W_REPORT) == 0)
		return no(o, "--width is for the report: without -o, or as "
		    "-t txt");
	if (o->given[OPT_GZIP] != NULL && (w->caps & PP_W_GZIP) == 0)
		return no(o, "--gzip is for text formats; %s is none that it "
		    "can pack", w->name);
	return true;
}

/* ------------------------------------------------------------------- all */

/* What the command must have been given. */
static bool
words(const struct pp_options *o)
{
	switch (o->command) {
	case PP_CMD_STAP:
		return o->nwords == 2 ||
		    no(o, "a TRACE and a STAPLOG are needed");
	case PP_CMD_COMPARE:
		if (o->nwords != 2)
			return no(o, "two captures are needed: BEFORE and "
			    "AFTER");
		break;
	case PP_CMD_CONVERT:
	case PP_CMD_SHOW:
		if (o->nwords == 0)
			return no(o, "what shall be read? Name an INPUT, or "
			    "`-` for standard input");
		break;
	case PP_CMD_DIGEST:
	case PP_CMD_ARCHIVE:
	case PP_CMD_LIST:
	case PP_CMD_COUNT:
		return true;
	}
	if (o->command == PP_CMD_CONVERT &&
	    (o->out == NULL || o->out[0] == '\0'))
		return no(o, "where shall it go? Name the output with -o OUT");
	return true;
}

enum pp_parsed
pp_options_complete(const struct pp_options *o)
{
	return words(o) && pairs(o) && reports(o) && clients(o) &&
	    digests(o) ? PP_PARSED_RUN : PP_PARSED_WRONG;
}
