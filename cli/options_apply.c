/*
 * options_apply.c: an option and its value become fields of pp_options.
 */
#include "options_table.h"
#include "values.h"

static const char *const section_names[PP_SHOW_COUNT] = {
	[PP_SHOW_PROFILE] = "profile",
	[PP_SHOW_TIMELINE] = "timeline",
	[PP_SHOW_TREE] = "tree",
	[PP_SHOW_STATEMENTS] = "statements",
	[PP_SHOW_WAITS] = "waits",
	[PP_SHOW_PLANS] = "plans",
	[PP_SHOW_GAPS] = "gaps",
	[PP_SHOW_PROBLEMS] = "problems",
};
#define SECTIONS_ALL ((1u << PP_SHOW_COUNT) - 1)

/* More would be rows that nobody reads; a program's mistake in a script. */
#define INTERVALS_MAX 1000000u

/* Sections of --report; false at an unknown name, which is left in *bad. */
static bool
sections_value(const char *s, unsigned *out, pp_str *bad)
{
	pp_str w;
	size_t i;

	*out = 0;
	for (;;) {
		w = (pp_str){s, strcspn(s, ",")};
		for (i = 0; i < PP_SHOW_COUNT; i++)
			if (pp_str_eq(w, pp_str_from(section_names[i])))
				break;
		if (i < PP_SHOW_COUNT)
			*out |= 1u << i;
		else if (pp_str_eq(w, PP_STR("all")))
			*out |= SECTIONS_ALL;
		else {
			*bad = w;
			return false;
		}
		if (s[w.n] == '\0')
			return true;
		s += w.n + 1;
	}
}

int
pp_options_choice(const char *s, const char *const *words)
{
	int i;

	for (i = 0; words[i] != NULL; i++)
		if (strcmp(s, words[i]) == 0)
			return i;
	return -1;
}

const char *const pp_tree_words[] = {"seed", "calls", NULL};

static enum pp_parsed
bad_value(enum pp_command c, const struct pp_option *o, const char *v,
    const char *want)
{
	pp_usage(c, "--%s: `%s` is not %s", o->name, v, want);
	return PP_PARSED_WRONG;
}

static enum pp_parsed
apply_time(struct pp_options *p, const struct pp_option *o, const char *v)
{
	pp_i128 t;

	if (!pp_value_time(v, &t) || (o->id == OPT_INTERVAL && t == 0))
		return bad_value(p->command, o, v,
		    "a time such as 5s, 500ms or 1min");
	if (o->id == OPT_THINK) {
		p->account.think_ps = t;
	} else {
		p->account.interval_ps = t;
		p->account.intervals = 0;
	}
	return PP_PARSED_RUN;
}

static enum pp_parsed
apply_where(struct pp_options *p, const char *v)
{
	char buf[160];
	const char *why = pp_selecting_where(&p->selecting, v, buf,
	    sizeof(buf));

	if (why == NULL)
		return PP_PARSED_RUN;
	pp_usage(p->command, "%s", why);
	return PP_PARSED_WRONG;
}

static enum pp_parsed
apply_moment(struct pp_options *p, const struct pp_option *o, const char *v)
{
	struct pp_selection *s = &p->selecting.selection;
	bool since = o->id == OPT_SINCE;

	*(since ? &p->since : &p->until) = v;
	if (!pp_selecting_moment(since ? &s->since : &s->until, v))
		return bad_value(p->command, o, v, "seconds (12.5, 2min) or a "
		    "wall clock (2024-03-26T18:41:07, 18:41)");
	return PP_PARSED_RUN;
}

static enum pp_parsed
apply_count(struct pp_options *p, const struct pp_option *o, const char *v)
{
	uint64_t max = o->id == OPT_INTERVALS ? INTERVALS_MAX :
	    o->id == OPT_WIDTH ? 1000 : 1000000000;
	uint32_t n;

	if (o->id == OPT_NAME_WIDTH)
		max = 200;
	if (o->id == OPT_JOBS)
		max = PP_JOBS_MAX;
	if (!pp_value_count(v, max, &n) || (o->id == OPT_WIDTH && n < 40) ||
	    (o->id == OPT_NAME_WIDTH && n < 8))
		return bad_value(p->command, o, v,
		    o->id == OPT_INTERVALS ? "a number from 1 to 1000000" :
		    o->id == OPT_WIDTH ? "a number from 40 to 1000" :
		    o->id == OPT_NAME_WIDTH ? "a number from 8 to 200" :
		    o->id == OPT_JOBS ? "a number from 1 to 64" :
		    "a whole number from 1 on");
	if (o->id == OPT_TOP) {
		p->top = n;
	} else if (o->id == OPT_NAME_WIDTH) {
		p->name_width = n;
	} else if (o->id == OPT_WIDTH) {
		p->width = n;
	} else if (o->id == OPT_JOBS) {
		p->jobs = n;
	} else {
		p->account.intervals = n;
		p->account.interval_ps = 0;
	}
	return PP_PARSED_RUN;
}

static enum pp_parsed
apply_choice(struct pp_options *p, const struct pp_option *o, const char *v)
{
	static const char *const cpu[] = {"split", "one", NULL};
	static const char *const idle[] = {"include", "exclude", NULL};
	static const char *const csv[] = {"rfc4180", "excel",
	    "excel-semicolon", NULL};
	static const char *const xml[] = {"flat", "nested", NULL};
	static const char *const spill[] = {"sheets", "refuse", NULL};
	static const char *const partition[] = {"source", NULL};
	static const char *const when[] = {"auto", "never", NULL};
	static const char *const timeline[] = {"even", "seed", NULL};
	static const char *const orphans[] = {"time", "seed", NULL};
	static const char *const merge[] = {"sessions", "sources", NULL};
	static const char *const style[] = {"own", "seed", "tkprof",
	    "mrskew", "xtat", "profile", NULL};
	const char *want;
	int i;

	switch ((int)o->id) {
	case OPT_CPU:
		i = pp_options_choice(v, cpu);
		p->account.one_cpu = i == 1;
		want = "split or one";
		break;
	case OPT_IDLE:
		i = pp_options_choice(v, idle);
		p->idle_excluded = i == 1;
		want = "include or exclude";
		break;
	case OPT_CSV:
		i = pp_options_choice(v, csv);
		p->write.csv = i < 0 ? PP_CSV_RFC4180 : (enum pp_csv)i;
		want = "rfc4180, excel or excel-semicolon";
		break;
	case OPT_XML:
		i = pp_options_choice(v, xml);
		p->write.nested = i == 1;
		want = "flat or nested";
		break;
	case OPT_SPILL:
		i = pp_options_choice(v, spill);
		p->write.spill_sheets = i != 1;
		want = "sheets or refuse";
		break;
	case OPT_PARTITION:
		i = pp_options_choice(v, partition);
		p->write.partition = i == 0;
		want = "source";
		break;
	case OPT_TIMELINE:
		i = pp_options_choice(v, timeline);
		p->account.seed_timeline = i == 1;
		want = "even or seed";
		break;
	case OPT_ORPHANS:
		i = pp_options_choice(v, orphans);
		p->account.seed_orphans = i == 1;
		want = "time or seed";
		break;
	case OPT_MERGE:
		i = pp_options_choice(v, merge);
		p->merge = i == 0 ? PP_MERGE_SESSIONS : PP_MERGE_SOURCES;
		want = "sessions or sources";
		break;
	case OPT_STYLE:
		i = pp_options_choice(v, style);
		p->style = i < 0 ? PP_STYLE_OWN : (enum pp_style)i;
		want = "seed, tkprof, mrskew, xtat or profile";
		break;
	default:
		i = pp_options_choice(v, when);
		p->no_progress = i == 1;
		want = "auto or never";
		break;
	}
	return i < 0 ? bad_value(p->command, o, v, want) : PP_PARSED_RUN;
}

static enum pp_parsed
apply_digest(struct pp_options *p, const struct pp_option *o, const char *v)
{
	static const char *const how[] = {"strict", "loose", NULL};
	struct pp_digest_cli *d = &p->digest;
	const char *want = NULL;
	uint32_t n = 0;

	switch ((int)o->id) {
	case OPT_DIGEST:
		d->sql.loose = pp_options_choice(v, how) == 1;
		want = pp_options_choice(v, how) < 0 ? "strict or loose" : NULL;
		break;
	case OPT_DIALECT:
		want = pp_digest_cli_dialect(d, v);
		break;
	case OPT_CANONICAL:
		d->own_text = d->sql.canonical = true;
		break;
	case OPT_SQL_MODE:
		want = pp_digest_cli_mode(d, v);
		break;
	case OPT_DIGEST_LENGTH:
		if (strcmp(v, "0") != 0 && !pp_value_count(v, 1048576, &n))
			want = "a number up to 1048576";
		else
			d->sql.max_length = strcmp(v, "0") == 0 ? 0 : n;
		d->length_given = true;
		break;
	case OPT_HASH:
		d->hash = true;
		break;
	case OPT_TIMES:
		d->count = true;
		break;
	case OPT_LINES:
		d->lines = true;
		break;
	case OPT_NUL:
		d->nul = true;
		break;
	case OPT_EMBEDDED:
		d->sql.embedded = true;
		break;
	default:
		d->sql.checksums = true;
		break;
	}
	return want != NULL ? bad_value(p->command, o, v, want) :
	    PP_PARSED_RUN;
}

enum pp_parsed
pp_options_apply(struct pp_options *p, const struct pp_option *o, const char *v)
{
	pp_str bad;

	if (!pp_options_once(p, o, v))
		return PP_PARSED_WRONG;
	switch (o->id) {
	case OPT_OUT:
		p->out = v;
		break;
	case OPT_FORMAT:
		p->format = v;
		break;
	case OPT_READER:
		p->reader = v;
		break;
	case OPT_TABLES:
		p->tables = v;
		break;
	case OPT_TABLE:
		p->table = v;
		break;
	case OPT_TMP:
		p->tmp = v;
		break;
	case OPT_BY:
		p->by = v;
		break;
	case OPT_TAG:
		if (p->ntags < PP_TAG_MAX) {
			p->tag[p->ntags++] = v;
			break;
		}
		pp_usage(p->command, "--tag: more than %d of them",
		    PP_TAG_MAX);
		return PP_PARSED_WRONG;
	case OPT_EVENTS:
		p->events = true;
		break;
	case OPT_SHIFT_STATES:
		p->shift_states = true;
		break;
	case OPT_PIVOT:
		if (p->npivots == PP_PIVOTS_MAX) {
			pp_usage(p->command, "--pivot: %u of them are the "
			    "most", PP_PIVOTS_MAX);
			return PP_PARSED_WRONG;
		}
		p->pivots[p->npivots++] = v;
		break;
	case OPT_DELTA:
		p->delta = true;
		break;
	case OPT_UNCHANGED:
		p->unchanged = true;
		break;
	case OPT_TOTALS:
		p->totals = true;
		break;
	case OPT_FLATTEN:
		p->write.flatten = true;
		break;
	case OPT_GZIP:
		p->write.gzip = true;
		break;
	case OPT_STRICT:
		p->strict = true;
		break;
	case OPT_QUIET:
		p->quiet = true;
		break;
	case OPT_VERBOSE:
		p->verbose = true;
		break;
	case OPT_TREE:
		p->tree_wanted = true;
		p->tree = v == NULL ? PP_TREE_SUMMED :
		    (enum pp_tree_kind)(pp_options_choice(v, pp_tree_words) + 1);
		if (v == NULL || p->tree != PP_TREE_SUMMED)
			break;
		return bad_value(p->command, o, v, "seed or calls");
	case OPT_REPORT:
		p->named = true;
		if (sections_value(v, &p->sections, &bad))
			break;
		pp_usage(p->command, "--report: `%.*s` is no section: profile, "
		    "timeline, tree, statements, waits, plans, gaps, problems, "
		    "all",
		    (int)bad.n, bad.p);
		return PP_PARSED_WRONG;
	case OPT_MEMORY:
		if (!pp_value_size(v, &p->max_memory))
			return bad_value(p->command, o, v,
			    "a size such as 64M or 2G");
		break;
	case OPT_INTERVAL:
	case OPT_THINK:
		return apply_time(p, o, v);
	case OPT_INTERVALS:
	case OPT_TOP:
	case OPT_WIDTH:
	case OPT_NAME_WIDTH:
	case OPT_JOBS:
		return apply_count(p, o, v);
	case OPT_CPU:
	case OPT_IDLE:
	case OPT_CSV:
	case OPT_XML:
	case OPT_SPILL:
	case OPT_PARTITION:
	case OPT_PROGRESS:
	case OPT_TIMELINE:
	case OPT_ORPHANS:
	case OPT_STYLE:
	case OPT_MERGE:
		return apply_choice(p, o, v);
	case OPT_WHERE:
		return p->command == PP_CMD_ARCHIVE ?
		    pp_options_archive(p, o, v) : apply_where(p, v);
	case OPT_FROM:
	case OPT_TO:
	case OPT_DROP:
	case OPT_LEVEL:
	case OPT_OF:
	case OPT_PER:
		return pp_options_archive(p, o, v);
	case OPT_SINCE:
	case OPT_UNTIL:
		return apply_moment(p, o, v);
	case OPT_DIGEST:
	case OPT_DIALECT:
	case OPT_CANONICAL:
	case OPT_HASH:
	case OPT_TIMES:
	case OPT_LINES:
	case OPT_NUL:
	case OPT_SQL_MODE:
	case OPT_DIGEST_LENGTH:
	case OPT_EMBEDDED:
	case OPT_CHECKSUMS:
		return apply_digest(p, o, v);
	case OPT_CHARSET:
	case OPT_FIELDS_BY:
	case OPT_ENCLOSED_BY:
	case OPT_MAY_ENCLOSED_BY:
	case OPT_ESCAPED_BY:
	case OPT_LINES_BY:
	case OPT_STARTING_BY:
	case OPT_COLUMNS:
		return pp_options_client(p, o, v);
	case OPT_COUNT:
		break;
	case OPT_HELP:
		pp_help_command(p->command);
		return PP_PARSED_DONE;
	case OPT_VERSION:
		return pp_options_version();
	}
	return PP_PARSED_RUN;
}
