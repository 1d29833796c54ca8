/*
 * split.c: see split.h.  A tag is what a regular expression (POSIX, extended)
 * finds in the path of an input as it was named: its first group, or all of
 * the match where it has none.
 */
#include "split.h"

#include <regex.h>

#include "../model/report/digest_fold.h"

#define GROUPS 2

static const struct {
	const char *name;
	enum pp_by by;
} columns[] = {
	{"module", PP_BY_MODULE},
	{"action", PP_BY_ACTION},
	{"client_id", PP_BY_CLIENT_ID},
	{"service", PP_BY_SERVICE},
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* ----------------------------------------------------------------- tags */

static pp_str
tag_name(const char *tag)
{
	return (pp_str){tag, strcspn(tag, "=")};
}

static const char *
tag_regex(const char *tag)
{
	return tag + strcspn(tag, "=") + 1;
}

static bool
is_column_name(pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (!(s.p[i] >= 'a' && s.p[i] <= 'z') && !(i > 0 &&
		    (s.p[i] == '_' || (s.p[i] >= '0' && s.p[i] <= '9'))))
			return false;
	return s.n > 0 && s.n <= 60;
}

/* A table that it may be added to has a column of this name already. */
static bool
is_taken(pp_str s)
{
	static const char *const tables[] = {"sources", "profile",
	    "statements"};
	size_t i, k;

	for (i = 0; i < COLUMNS; i++)
		if (pp_str_eq(s, pp_str_from(columns[i].name)))
			return true;
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		const struct pp_report *r =
		    pp_report_named(pp_str_from(tables[i]));

		for (k = 0; k < r->table->ncolumns; k++)
			if (pp_str_eq(s, pp_str_from(
			    r->table->columns[k].name)))
				return true;
	}
	return pp_str_eq(s, PP_STR("tag"));
}

static bool
check_tag(const struct pp_options *o, size_t i)
{
	pp_str name = tag_name(o->tag[i]);
	char why[200];
	regex_t re;
	size_t k;
	int error;

	if (o->tag[i][name.n] == '\0' || !is_column_name(name)) {
		pp_usage(o->command, "--tag: `%s` is not NAME=REGEX, NAME a "
		    "new column in small letters", o->tag[i]);
		return false;
	}
	for (k = 0; k < i; k++)
		if (pp_str_eq(name, tag_name(o->tag[k])))
			break;
	if (k < i || is_taken(name)) {
		pp_usage(o->command, "--tag: there is a column %.*s already",
		    (int)name.n, name.p);
		return false;
	}
	error = regcomp(&re, tag_regex(o->tag[i]), REG_EXTENDED);
	if (error != 0) {
		regerror(error, &re, why, sizeof(why));
		pp_usage(o->command, "--tag %.*s: the regular expression "
		    "`%s`: %s", (int)name.n, name.p, tag_regex(o->tag[i]),
		    why);
		return false;
	}
	regfree(&re);
	return true;
}

static uint32_t
match(struct pp_run *r, const char *regex, const char *path)
{
	regmatch_t m[GROUPS];
	regex_t re;
	uint32_t id = 0;

	if (regcomp(&re, regex, REG_EXTENDED) != 0)
		return 0;
	if (regexec(&re, path, GROUPS, m, 0) == 0) {
		const regmatch_t *x = re.re_nsub > 0 ? &m[1] : &m[0];

		/* a group that took no part in the match is at -1 */
		if (x->rm_so >= 0)
			id = pp_strtab_id(&r->model.names, (pp_str){
			    path + x->rm_so, (size_t)(x->rm_eo - x->rm_so)});
	}
	regfree(&re);
	return id;
}

void
pp_split_source(struct pp_run *r, struct pp_source *s)
{
	size_t i, n = r->opt->ntags;
	char *path;
	uint32_t *v;

	if (n == 0)
		return;
	path = pp_mem_alloc(&r->mem, s->path.n + 1);
	memcpy(path, s->path.p, s->path.n);
	path[s->path.n] = '\0';
	v = pp_arena_alloc(&r->model.arena, n * sizeof(*v));
	for (i = 0; i < n; i++)
		v[i] = match(r, tag_regex(r->opt->tag[i]), path);
	s->tag = v;
	pp_mem_free(&r->mem, path);
}

/* ------------------------------------------------------------------- by */

/* Split by one more column, once. */
static void
add(struct pp_facets *f, unsigned by, const char *name)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->by[i] == by)
			return;
	f->by[f->n] = by;
	f->name[f->n++] = name;
}

/* What digests are told apart by; 0: it is no such word. */
static unsigned
digest_key(pp_str word)
{
	return pp_str_eq(word, PP_STR("digest")) ? PP_DG_BY_DIGEST :
	    pp_str_eq(word, PP_STR("schema")) ? PP_DG_BY_SCHEMA : 0;
}

/* A word of --by; false where there is no such column.  f: NULL to look
 * only. */
static bool
add_word(const struct pp_options *o, struct pp_facets *f,
    const char *const *tags, pp_str word)
{
	bool found = false;
	size_t i;

	if (digest_key(word) != 0)
		return true;
	for (i = 0; i < COLUMNS; i++) {
		if (!pp_str_eq(word, pp_str_from(columns[i].name)))
			continue;
		if (f != NULL)
			add(f, columns[i].by, columns[i].name);
		return true;
	}
	for (i = 0; i < o->ntags; i++) {
		if (!pp_str_eq(word, tag_name(o->tag[i])) &&
		    !pp_str_eq(word, PP_STR("tag")))
			continue;
		if (f != NULL)
			add(f, PP_BY_TAG + (unsigned)i, tags[i]);
		found = true;
	}
	return found;
}

/* The next word of a comma list; false at the end. */
static bool
next(pp_str *s, pp_str *word)
{
	if (s->n == 0)
		return false;
	word->p = s->p;
	word->n = pp_str_find(*s, PP_STR(","));
	*s = pp_str_skip(*s, word->n + 1);
	*word = pp_str_trim(*word);
	return true;
}

bool
pp_split_check(const struct pp_options *o)
{
	pp_str s = pp_str_from(o->by), word;
	size_t i;

	for (i = 0; i < o->ntags; i++)
		if (!check_tag(o, i))
			return false;
	while (next(&s, &word)) {
		if (add_word(o, NULL, NULL, word))
			continue;
		if (pp_str_eq(word, PP_STR("tag")))
			pp_usage(o->command, "--by tag: there is no --tag");
		else
			pp_usage(o->command, "--by: `%.*s` is not module, "
			    "action, client_id, service, digest, schema, tag "
			    "or the name of a --tag", (int)word.n, word.p);
		return false;
	}
	return true;
}

unsigned
pp_split_digest_keys(const struct pp_options *o)
{
	pp_str s = pp_str_from(o->by), word;
	unsigned keys = 0;

	while (next(&s, &word))
		keys |= digest_key(word);
	return keys != 0 ? keys | PP_DG_BY_SOURCE : 0;
}

void
pp_split_begin(struct pp_run *r)
{
	const struct pp_options *o = r->opt;
	struct pp_model *m = &r->model;
	pp_str s = pp_str_from(o->by), word;
	size_t i;

	for (i = 0; i < o->ntags; i++)
		m->tag[i] = pp_arena_str(&m->arena, tag_name(o->tag[i])).p;
	m->ntags = o->ntags;
	while (next(&s, &word))
		add_word(o, &m->facets, m->tag, word);
}
