/*
 * digest.c: `profpivot digest`: statements in, digests out.
 */
#include "commands.h"

#include "../model/base/map.h"

#include <inttypes.h>
#include <stdlib.h>

/* A digest and how often it came, for --count. */
struct counted {
	pp_str key;		/* what is printed */
	uint64_t n;
};

struct digest_run {
	struct pp_run run;	/* first: pp_run hands it back */
	struct pp_digester *texts;
	struct pp_digester *ids; /* whose text --hash is made of */
	struct pp_sql_split split;
	uint64_t unknown;	/* statements without a DIGEST that we can tell */
	const char *why;
	/* --count */
	struct pp_arena keys;
	struct pp_map places;
	struct counted *counted;
	size_t ncounted, counted_cap;
	bool failed;		/* output */
};

/* --------------------------------------------------------------- output */

static void
count(struct digest_run *w, pp_str key)
{
	uint64_t a = pp_str_hash(key), b = 0x9e3779b97f4a7c15u;
	struct counted *c;
	uint32_t *at;
	size_t i;

	/* two hashes of different kinds: 128 bits tell any texts apart */
	for (i = 0; i < key.n; i++)
		b = (b ^ (unsigned char)key.p[i]) * 0x100000001b3u;
	at = pp_map_at(&w->places, a, b);
	if (*at != PP_MAP_NONE) {
		w->counted[*at].n++;
		return;
	}
	*at = (uint32_t)w->ncounted;
	if (w->ncounted == w->counted_cap) {
		void *v = w->counted;

		pp_mem_grow(&w->run.mem, &v, &w->counted_cap,
		    w->ncounted + 1, sizeof(*c));
		w->counted = v;
	}
	c = &w->counted[w->ncounted++];
	c->key = pp_arena_str(&w->keys, key);
	c->n = 1;
}

static void
print(struct digest_run *w, pp_str s)
{
	const struct pp_digest_cli *o = &w->run.opt->digest;

	if (o->count) {
		if (s.n != 0)
			count(w, s);
		return;
	}
	if (s.n)
		fwrite(s.p, 1, s.n, stdout);
	putchar(o->nul ? '\0' : '\n');
	w->failed |= ferror(stdout) != 0;
}

static int
by_count(const void *va, const void *vb)
{
	const struct counted *a = va, *b = vb;

	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	return pp_str_cmp(a->key, b->key);
}

static void
print_counts(struct digest_run *w)
{
	size_t i;

	if (w->ncounted == 0)
		return;
	qsort(w->counted, w->ncounted, sizeof(*w->counted), by_count);
	for (i = 0; i < w->ncounted; i++) {
		printf("%" PRIu64 "\t", w->counted[i].n);
		fwrite(w->counted[i].key.p, 1, w->counted[i].key.n, stdout);
		putchar(w->run.opt->digest.nul ? '\0' : '\n');
	}
}

/* ----------------------------------------------------------- statements */

/*
 * One statement.  Where statements are told apart by the text itself, what is
 * between them is none and gets no line.
 */
static void
statement(struct digest_run *w, pp_str sql, bool always)
{
	const struct pp_digest_cli *o = &w->run.opt->digest;
	char id[PP_DIGEST_HASH];
	const char *why;
	pp_str text;
	bool there;

	there = pp_digest_text(w->texts, sql, &text);
	if (!there && !always && pp_digest_blank(w->texts))
		return;
	if (there && o->hash) {
		if (w->ids != w->texts)
			pp_digest_text(w->ids, sql, &text);
		text = (pp_str){id, pp_digest_hash(w->ids, id, &why)};
		if (text.n == 0 && why != NULL) {
			w->why = w->unknown++ == 0 ? why : w->why;
		}
	}
	print(w, text);
}

/* Statements between NUL bytes or line ends. */
static size_t
separated(struct digest_run *w, pp_str text, char end, bool last)
{
	size_t i = 0, n;
	const char *p;

	while (i < text.n && !w->failed) {
		p = memchr(text.p + i, end, text.n - i);
		if (p == NULL && !last)
			break;
		n = p == NULL ? text.n - i : (size_t)(p - text.p) - i;
		if (end == '\n' && n && text.p[i + n - 1] == '\r')
			statement(w, (pp_str){text.p + i, n - 1}, true);
		else
			statement(w, (pp_str){text.p + i, n}, true);
		i += n + (p != NULL);
	}
	return i;
}

/* Statements of a script. */
static size_t
script(struct digest_run *w, pp_str text, bool last)
{
	size_t i = 0, n, skip;
	pp_str rest;

	while (i < text.n && !w->failed) {
		rest = pp_str_skip(text, i);
		n = pp_sql_split(&w->split, rest, &skip);
		if (skip == rest.n && n == rest.n && !last)
			break;
		statement(w, (pp_str){rest.p, n}, false);
		i += skip;
	}
	return i;
}

/* Text has no NUL bytes; where statements end with them, that is so. */
static bool
is_binary(const struct digest_run *w, pp_str text)
{
	return !w->run.opt->digest.nul && text.n > 0 &&
	    memchr(text.p, '\0', text.n) != NULL;
}

static bool
read_input(struct digest_run *w, const char *path)
{
	const struct pp_digest_cli *o = &w->run.opt->digest;
	struct pp_chunk c = {.line = 1};
	bool binary = false;
	pp_str err, text;

	w->run.input = pp_input_open(&w->run.mem, path, 0, &err);
	if (w->run.input == NULL) {
		pp_run_say(&w->run, "%s: %.*s", path, (int)err.n, err.p);
		return false;
	}
	pp_input_forget_sum(w->run.input);
	w->split.delimiter[0] = '\0';
	while (!w->failed && pp_input_next(w->run.input, &c)) {
		text = (pp_str){c.p, c.n};
		binary = c.offset == 0 && is_binary(w, text);
		if (binary)
			break;
		c.used = o->nul ? separated(w, text, '\0', c.last) :
		    o->lines ? separated(w, text, '\n', c.last) :
		    script(w, text, c.last);
		if (c.last)
			break;
	}
	err = pp_input_error(w->run.input);
	if (err.n != 0)
		pp_run_say(&w->run, "%s: %.*s", path, (int)err.n, err.p);
	if (binary)
		pp_run_say(&w->run, "%s: NUL bytes: is no text of SQL (with "
		    "-0 statements end with them)", path);
	pp_input_close(w->run.input);
	w->run.input = NULL;
	return err.n == 0 && !binary;
}

/* ------------------------------------------------------------------ run */

static void
open_digesters(struct digest_run *w)
{
	const struct pp_digest_cli *o = &w->run.opt->digest;
	struct pp_digest_options canonical = o->sql;

	w->texts = pp_digester_open(&w->run.mem, &o->sql);
	w->ids = w->texts;
	/* MD5 over numbers that change with every release: not to be told */
	if (o->hash && !o->sql.canonical && (o->sql.server <
	    PP_SQL_MYSQL_80 || o->sql.server == PP_SQL_MARIADB_10 ||
	    o->sql.server == PP_SQL_MARIADB_11)) {
		canonical.canonical = true;
		w->ids = pp_digester_open(&w->run.mem, &canonical);
	}
	w->split.server = o->sql.server;
	w->split.mode = o->sql.mode;
	pp_arena_init(&w->keys, &w->run.mem, 65536);
	pp_map_init(&w->places, &w->run.mem);
}

static enum pp_exit
body(struct pp_run *r)
{
	struct digest_run *w = (struct digest_run *)(void *)r;
	size_t i, bad = 0, n = r->opt->nwords;

	open_digesters(w);
	for (i = 0; i < n; i++)
		bad += !read_input(w, r->opt->words[i]);
	if (n == 0) {
		n = 1;
		bad += !read_input(w, "-");
	}
	if (r->opt->digest.count)
		print_counts(w);
	if (w->unknown != 0 && !r->opt->quiet)
		pp_run_say(r, "%" PRIu64 " statements have no DIGEST here: "
		    "the number of the token %s is not known", w->unknown,
		    w->why);
	if (!pp_flush_stdout() || bad == n)
		return PP_EXIT_NOTHING;
	return bad != 0 ? PP_EXIT_PARTIAL : PP_EXIT_OK;
}

enum pp_exit
pp_command_digest(const struct pp_options *o)
{
	struct digest_run w;

	memset(&w, 0, sizeof(w));
	return pp_run(&w.run, o, body);
}
