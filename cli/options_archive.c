/*
 * options_archive.c: options about archives.
 */
#include "options_table.h"
#include "values.h"

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
