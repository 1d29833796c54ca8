/*
 * options_archive.c: options about archives.
 */
#include "options_table.h"
#include "values.h"

/* What options of other commands, too, are here. */
static const struct {
	enum pp_opt id;
	const char *help;
} own_help[] = {
	{OPT_OUT, "extract: the file or folder to write (default: here, under "
	    "their paths); query, trend: the file; recover: the new archive; "
	    "`-` is standard output"},
	{OPT_FORMAT, "query, trend: the writer, see `profpivot list writers`; "
	    "else OUT's suffix tells, or a page of text on a terminal, CSV "
	    "where it is piped"},
	{OPT_READER, "add, recover, compact, merge: take every profile for "
	    "this format, see `profpivot list readers`; else the content "
	    "tells"},
	{OPT_TABLE, "query: the table, see `profpivot list tables` "
	    "(profile)"},
	{OPT_TOP, "trend: only the N rows with the most time (on a page 20, "
	    "else all)"},
	{OPT_FROM, "only profiles that go on at WHEN, a date or "
	    "2024-03-26T18:41:07, or later"},
	{OPT_TO, "only profiles that began by WHEN; a date takes that day "
	    "in"},
	{OPT_WHERE, "query, trend: only rows whose COLUMN has this VALUE "
	    "(empty: an empty cell); several of one column are alternatives"},
	{OPT_CSV, "query, trend: rfc4180 (default), excel, or "
	    "excel-semicolon"},
	{OPT_WIDTH, "list, and pages of text of query and trend: columns "
	    "(the terminal's; 80 when piped)"},
	{OPT_TMP, "keep here what can be read only once, and the event log "
	    "when it outgrows memory"},
	{OPT_VERBOSE, "tell also of each profile what is done with it"},
};

const char *
pp_help_archive_option(enum pp_opt id)
{
	size_t i;

	for (i = 0; i < sizeof(own_help) / sizeof(own_help[0]); i++)
		if (own_help[i].id == id)
			return own_help[i].help;
	return NULL;
}

static enum pp_parsed
wrong_value(const struct pp_options *p, const struct pp_option *o,
    const char *v, const char *want)
{
	pp_usage(p->command, "--%s: `%s` is not %s", o->name, v, want);
	return PP_PARSED_WRONG;
}

/* One more word of a list that may be repeated. */
static enum pp_parsed
add(const struct pp_options *p, const struct pp_option *o, const char **list,
    size_t *n, const char *v)
{
	if (*n == PP_ARCHIVE_WORDS) {
		pp_usage(p->command, "--%s: more than %u of them", o->name,
		    PP_ARCHIVE_WORDS);
		return PP_PARSED_WRONG;
	}
	list[(*n)++] = v;
	return PP_PARSED_RUN;
}

static enum pp_parsed
apply_of(struct pp_options *p, const struct pp_option *o, const char *v)
{
	struct pp_archive_cli *a = &p->archive;

	if (strcmp(v, "event") == 0)
		a->of = PP_TREND_EVENT;
	else if (strcmp(v, "statement") == 0)
		a->of = PP_TREND_STATEMENT;
	else if (strcmp(v, "digest") == 0)
		a->of = PP_TREND_DIGEST;
	else
		return wrong_value(p, o, v, "event, statement or digest");
	return PP_PARSED_RUN;
}

enum pp_parsed
pp_options_archive(struct pp_options *p, const struct pp_option *o,
    const char *v)
{
	struct pp_archive_cli *a = &p->archive;

	switch ((int)o->id) {
	case OPT_FROM:
	case OPT_TO:
		if (pp_range_set(&p->range, o->id == OPT_TO, v))
			return PP_PARSED_RUN;
		return wrong_value(p, o, v, "a date such as 2024-03-26, or "
		    "2024-03-26T18:41:07");
	case OPT_DROP:
		return add(p, o, a->drop, &a->ndrops, v);
	case OPT_WHERE:
		if (strchr(v, '=') == NULL || v[0] == '=')
			return wrong_value(p, o, v, "COLUMN=VALUE");
		return add(p, o, a->where, &a->nwhere, v);
	case OPT_LEVEL:
		if (!pp_value_count(v, 12, &a->level))
			return wrong_value(p, o, v, "a number from 1 to 12");
		return PP_PARSED_RUN;
	case OPT_PER:
		a->per_day = strcmp(v, "day") == 0;
		if (!a->per_day && strcmp(v, "profile") != 0)
			return wrong_value(p, o, v, "profile or day");
		return PP_PARSED_RUN;
	default:
		return apply_of(p, o, v);
	}
}
