/*
 * archive_extract.c: `archive extract`: the bytes of profiles as they were.
 */
#include "archive.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs.h"

#define PIECE ((size_t)64 << 10)

struct extract {
	struct pp_archive_run *a;
	const struct pp_entry **v; /* what is meant */
	size_t n;
	pp_str *name;		/* of each, in the folder */
	const char *folder;	/* NULL: one file, OUT */
	uint64_t bytes;		/* that were written */
	size_t failed;
};

/*
 * The path below the folder: what leads elsewhere is left out of it.  Written
 * into `p`, which has room for the path and 16 more; returns its length.
 */
static size_t
inner_path(const struct pp_entry *e, char *p)
{
	pp_str rest = e->path, part;
	size_t n = 0, k;

	while (rest.n > 0) {
		k = pp_str_find(rest, PP_STR("/"));
		part = (pp_str){rest.p, k};
		rest = pp_str_skip(rest, k + 1);
		if (part.n == 0 || pp_str_eq(part, PP_STR(".")) ||
		    pp_str_eq(part, PP_STR("..")))
			continue;
		if (n > 0)
			p[n++] = '/';
		memcpy(p + n, part.p, part.n);
		n += part.n;
	}
	if (n == 0)
		n = (size_t)sprintf(p, "profile");
	if (n == 1 && p[0] == '-')
		n = (size_t)sprintf(p, "stdin");
	p[n] = '\0';
	return n;
}

struct named {
	pp_str name;
	size_t i;
};

static int
by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = pp_str_cmp(x->name, y->name);

	if (c != 0)
		return c;
	return x->i < y->i ? -1 : x->i > y->i;
}

/* "a/b.trc" -> "a/b.trc#12" */
static pp_str
numbered(struct pp_mem *mem, pp_str s, uint32_t number)
{
	size_t n = s.n + 16;
	char *p = pp_mem_alloc(mem, n);
	int k;

	k = snprintf(p, n, "%.*s#%u", (int)s.n, s.p, (unsigned)number);
	return (pp_str){p, (size_t)k};
}

/* Where several have one path, the newest has it, and the numbers of the
 * others tell them apart. */
static void
give_names(struct extract *x)
{
	struct pp_mem *mem = &x->a->run.mem;
	struct named *v = pp_mem_alloc(mem, x->n * sizeof(*v));
	size_t i;
	char *p;

	x->name = pp_mem_alloc(mem, x->n * sizeof(*x->name));
	for (i = 0; i < x->n; i++) {
		p = pp_mem_alloc(mem, x->v[i]->path.n + 16);
		x->name[i] = (pp_str){p, inner_path(x->v[i], p)};
		v[i] = (struct named){x->name[i], i};
	}
	qsort(v, x->n, sizeof(*v), by_name);
	for (i = 0; i + 1 < x->n; i++)
		if (pp_str_eq(v[i].name, v[i + 1].name))
			x->name[v[i].i] = numbered(mem, v[i].name,
			    x->v[v[i].i]->number);
	pp_mem_free(mem, v);
}

/* The folders that a path goes through. */
static bool
make_folders(char *path)
{
	char *p = path;
	bool ok = true;

	while (ok && (p = strchr(p + 1, '/')) != NULL) {
		*p = '\0';
		ok = mkdir(path, 0777) == 0 || errno == EEXIST;
		*p = '/';
	}
	return ok;
}

/* All bytes of a profile into `to`; NULL, or why not. */
static const char *
copy(struct extract *x, const struct pp_entry *e, struct pp_stream *to)
{
	struct pp_store *s = x->a->store;
	struct pp_stored *r = pp_stored_open(s, e);
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	char *buf = pp_mem_alloc(&x->a->run.mem, PIECE);
	const char *why = NULL;
	unsigned char sum[32];
	unsigned n = 0;
	size_t got = 0;

	if (md == NULL || EVP_DigestInit_ex(md, EVP_sha256(), NULL) != 1)
		pp_mem_fail(&x->a->run.mem);
	do {
		if (!pp_stored_read(r, buf, PIECE, &got))
			why = s->err;
		EVP_DigestUpdate(md, buf, got);
		pp_stream_write(to, buf, got);
		x->bytes += got;
	} while (got > 0 && why == NULL);
	if (why == NULL && (EVP_DigestFinal_ex(md, sum, &n) != 1 ||
	    memcmp(sum, e->sha256, 32) != 0))
		why = "what is kept has another SHA-256 than what was added";
	EVP_MD_CTX_free(md);
	pp_mem_free(&x->a->run.mem, buf);
	pp_stored_close(r);
	return why;
}

static void
tell(struct extract *x, const struct pp_entry *e, const char *why)
{
	struct pp_arena text;

	x->failed++;
	pp_arena_init(&text, &x->a->run.mem, 1024);
	pp_run_say(&x->a->run, "%s:%s: %s", x->a->path,
	    pp_archived_name(&text, x->a->store, e), why);
	pp_arena_free(&text);
}

/* One profile to a file, which appears when it is whole. */
static void
write_file(struct extract *x, const struct pp_entry *e, const char *path)
{
	struct pp_run *r = &x->a->run;
	struct pp_stream *to;
	const char *why;
	struct stat st;
	pp_str err;

	if (lstat(path, &st) == 0 && !S_ISCHR(st.st_mode) &&
	    !S_ISFIFO(st.st_mode)) {
		pp_run_say(r, "%s: is there already; left as it is", path);
		x->failed++;
		return;
	}
	r->sink = pp_sink_open(&r->mem, PP_SINK_FILE, path, &err);
	if (r->sink == NULL) {
		pp_run_say(r, "%.*s", (int)err.n, err.p);
		x->failed++;
		return;
	}
	to = pp_sink_stream(r->sink, NULL);
	why = to == NULL ? "cannot be written" : copy(x, e, to);
	if (why != NULL) {
		tell(x, e, why);
		pp_sink_abort(r->sink);
	} else if (!pp_sink_commit(r->sink)) {
		err = pp_sink_error(r->sink, NULL);
		pp_run_say(r, "%.*s", (int)err.n, err.p);
		x->failed++;
	}
	r->sink = NULL;
}

static enum pp_exit
write_stdout(struct extract *x)
{
	struct pp_run *r = &x->a->run;
	struct pp_stream *to;
	bool epipe = false;
	const char *why;
	pp_str err;
	size_t i;

	r->sink = pp_sink_open(&r->mem, PP_SINK_STDOUT, "-", &err);
	to = r->sink == NULL ? NULL : pp_sink_stream(r->sink, NULL);
	for (i = 0; to != NULL && i < x->n; i++) {
		why = copy(x, x->v[i], to);
		if (why != NULL)
			tell(x, x->v[i], why);
	}
	if (to == NULL || !pp_sink_commit(r->sink)) {
		err = r->sink != NULL ? pp_sink_error(r->sink, &epipe) : err;
		if (!epipe)
			pp_run_say(r, "%.*s", (int)err.n, err.p);
		return PP_EXIT_NOTHING;
	}
	r->sink = NULL;
	if (x->failed == x->n && x->bytes == 0)
		return PP_EXIT_NOTHING;
	return x->failed > 0 ? PP_EXIT_PARTIAL : PP_EXIT_OK;
}

static enum pp_exit
write_folder(struct extract *x)
{
	struct pp_mem *mem = &x->a->run.mem;
	size_t i, n = strlen(x->folder);
	char *path;

	give_names(x);
	for (i = 0; i < x->n; i++) {
		path = pp_mem_alloc(mem, n + x->name[i].n + 2);
		memcpy(path, x->folder, n);
		path[n] = '/';
		memcpy(path + n + 1, x->name[i].p, x->name[i].n);
		path[n + 1 + x->name[i].n] = '\0';
		if (make_folders(path)) {
			write_file(x, x->v[i], path);
		} else {
			pp_run_say(&x->a->run, "%s: %s", path,
			    strerror(errno));
			x->failed++;
		}
		pp_mem_free(mem, path);
	}
	if (x->failed == x->n)
		return PP_EXIT_NOTHING;
	return x->failed > 0 ? PP_EXIT_PARTIAL : PP_EXIT_OK;
}

/* ------------------------------------------------------------ what is meant */

/* Into a folder further names go, too, and older versions where no profile
 * is named. */
static void
take(struct extract *x, bool folder)
{
	const struct pp_archive_run *a = x->a;
	size_t i;

	x->n = 0;
	for (i = 0; i < a->store->n; i++)
		switch ((enum pp_chosen)a->choice.how[i].is) {
		case PP_CHOSEN_OLD:
			if (a->nwords > 0)
				break;
			/* fall through */
		case PP_CHOSEN_SAME:
			if (!folder)
				break;
			/* fall through */
		case PP_CHOSEN:
			x->v[x->n++] = &a->store->v[i];
			break;
		case PP_NOT_CHOSEN:
			break;
		}
}

#define LISTED_MOST 6

/* Of the profiles that are meant, those called `name` where it is no pattern,
 * or that have the path of v[i] (name NULL): more than one is told. */
static bool
tell_several(struct extract *x, const char *name, size_t i)
{
	struct pp_arena text;
	char list[900];
	size_t k, n = 0, at = 0;
	const char *one;

	pp_arena_init(&text, &x->a->run.mem, 1024);
	for (k = 0; k < x->n; k++) {
		if (name != NULL ? !pp_archived_is(x->v[k], name) :
		    !pp_str_eq(x->v[k]->path, x->v[i]->path))
			continue;
		one = pp_archived_name(&text, x->a->store, x->v[k]);
		if (n++ < LISTED_MOST && at < sizeof(list))
			at += (size_t)snprintf(list + at, sizeof(list) - at,
			    "%s%.200s", n > 1 ? ", " : "", one);
	}
	if (n > 1)
		pp_usage(PP_CMD_ARCHIVE, "-o %s: %s is %zu profiles: %s%s; "
		    "name one of them", x->a->run.opt->out, name != NULL ?
		    name : "what is meant", n, list, n > LISTED_MOST ?
		    ", ..." : "");
	pp_arena_free(&text);
	return n > 1;
}

/* What goes to one place must not be two things of one name. */
static bool
is_clear(struct extract *x)
{
	const struct pp_archive_run *a = x->a;
	size_t i;

	for (i = 0; i < a->nwords; i++)
		if (strpbrk(a->words[i], "*?[") == NULL &&
		    tell_several(x, a->words[i], 0))
			return false;
	for (i = 0; i < x->n; i++)
		if (tell_several(x, NULL, i))
			return false;
	return true;
}

/* Is OUT one file, not a folder? */
static bool
is_file(const struct extract *x, const char *out)
{
	struct stat st;

	if (out == NULL || out[0] == '\0' || out[strlen(out) - 1] == '/' ||
	    (stat(out, &st) == 0 && S_ISDIR(st.st_mode)))
		return false;
	if (x->a->nwords == 0)
		return x->a->choice.n + x->a->choice.nold +
		    x->a->choice.nsame == 1;
	return x->n == 1 || (x->a->nwords == 1 &&
	    x->a->words[0][0] != '\0' &&
	    strpbrk(x->a->words[0], "*?[") == NULL);
}

static enum pp_exit
write_out(struct extract *x, const char *out)
{
	if (out != NULL && strcmp(out, "-") == 0)
		return is_clear(x) ? write_stdout(x) : PP_EXIT_USAGE;
	if (!is_file(x, out)) {
		take(x, true);
		x->folder = out != NULL ? out : ".";
		return write_folder(x);
	}
	if (!is_clear(x))
		return PP_EXIT_USAGE;
	write_file(x, x->v[0], out);
	return x->failed > 0 ? PP_EXIT_NOTHING : PP_EXIT_OK;
}

enum pp_exit
pp_archive_extract(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct extract x = {.a = a};
	const char *out = r->opt->out;
	bool to_stdout = out != NULL && strcmp(out, "-") == 0;
	enum pp_exit state;

	if (!pp_archive_open(a))
		return PP_EXIT_NOTHING;
	state = pp_archive_state(a);
	/* into a folder all goes that was added */
	state = pp_exit_worse(state, pp_archive_choose(a, a->nwords == 0 &&
	    !to_stdout));
	if (state == PP_EXIT_NOTHING)
		return state;
	x.v = pp_mem_alloc(&r->mem, (a->store->n + 1) * sizeof(*x.v));
	take(&x, false);
	return pp_exit_worse(state, write_out(&x, out));
}
