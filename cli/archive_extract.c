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
	bool to_stdout;
	const char *folder;	/* NULL: one file, OUT */
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

/* "a/b.trc" -> "a/12-b.trc" */
static pp_str
numbered(struct pp_mem *mem, pp_str s, uint32_t number)
{
	size_t dir = pp_str_rfind(s, PP_STR("/")), n = s.n + 16;
	char *p = pp_mem_alloc(mem, n);
	int k;

	dir = dir == s.n ? 0 : dir + 1;
	k = snprintf(p, n, "%.*s%u-%.*s", (int)dir, s.p, (unsigned)number,
	    (int)(s.n - dir), s.p + dir);
	return (pp_str){p, (size_t)k};
}

/* Where several have the same path, their numbers tell them apart. */
static void
give_names(struct extract *x)
{
	struct pp_mem *mem = &x->a->run.mem;
	struct named *v = pp_mem_alloc(mem, x->n * sizeof(*v));
	size_t i, k, j;
	char *p;

	x->name = pp_mem_alloc(mem, x->n * sizeof(*x->name));
	for (i = 0; i < x->n; i++) {
		p = pp_mem_alloc(mem, x->v[i]->path.n + 16);
		x->name[i] = (pp_str){p, inner_path(x->v[i], p)};
		v[i] = (struct named){x->name[i], i};
	}
	qsort(v, x->n, sizeof(*v), by_name);
	for (i = 0; i < x->n; i = k) {
		for (k = i + 1; k < x->n && pp_str_eq(v[i].name, v[k].name);)
			k++;
		for (j = i; k - i > 1 && j < k; j++)
			x->name[v[j].i] = numbered(mem, v[j].name,
			    x->v[v[j].i]->number);
	}
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
	x->failed++;
	pp_run_say(&x->a->run, "%s:%.*s: %s", x->a->path, (int)e->path.n,
	    e->path.p, why);
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

static enum pp_exit
write_one(struct extract *x, const char *out)
{
	struct stat st;

	if (x->n == 1 && out != NULL && out[strlen(out) - 1] != '/' &&
	    (stat(out, &st) != 0 || !S_ISDIR(st.st_mode))) {
		write_file(x, x->v[0], out);
		return x->failed > 0 ? PP_EXIT_NOTHING : PP_EXIT_OK;
	}
	x->folder = out != NULL ? out : ".";
	return write_folder(x);
}

enum pp_exit
pp_archive_extract(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct extract x = {.a = a};
	const char *out = r->opt->out;
	enum pp_exit state, status;
	size_t i;

	if (!pp_archive_open(a))
		return PP_EXIT_NOTHING;
	state = pp_archive_state(a);
	if (!pp_archive_words_met(a))
		state = PP_EXIT_PARTIAL;
	x.v = pp_mem_alloc(&r->mem, (a->store->n + 1) * sizeof(*x.v));
	for (i = 0; i < a->store->n; i++)
		if (pp_archive_wants(a, &a->store->v[i]) ||
		    (a->nwords == 0 && a->store->v[i].same_as != 0 &&
		    pp_range_has(&r->opt->range, &a->store->v[i])))
			x.v[x.n++] = &a->store->v[i];
	if (x.n == 0) {
		pp_run_say(r, "%s: nothing to extract", a->path);
		return PP_EXIT_NOTHING;
	}
	if (out != NULL && strcmp(out, "-") == 0)
		status = write_stdout(&x);
	else
		status = write_one(&x, out);
	return status == PP_EXIT_OK ? state : status;
}
