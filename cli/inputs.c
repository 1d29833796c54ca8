/*
 * inputs.c: see inputs.h.  Looks at directories and file status, reads no
 * file.
 */
#include "inputs.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../model/container/append.h"
#include "../writers/sink.h"

/* What is being written: not an input. */
struct skip {
	bool there;
	dev_t dev;
	ino_t ino;
};

/* Folders below folders, before it is called a loop. */
#define DEPTH_MAX 200

static struct pp_file *
add(struct pp_files *f, const char *path, bool named)
{
	void *v = f->v;
	struct pp_file *x;

	pp_mem_grow(f->mem, &v, &f->cap, f->n + 1, sizeof(*x));
	f->v = v;
	x = &f->v[f->n++];
	memset(x, 0, sizeof(*x));
	x->path = pp_arena_str(&f->text, pp_str_from(path)).p;
	x->named = named;
	x->chain = x->source = PP_FILE_NONE;
	x->id = x->found = (uint32_t)f->n - 1;
	return x;
}

static void
link_word(struct pp_files *f, uint32_t file)
{
	void *v = f->links;

	pp_mem_grow(f->mem, &v, &f->links_cap, f->nlinks + 1,
	    sizeof(*f->links));
	f->links = v;
	f->links[f->nlinks++] = (struct pp_link){f->word, file};
}

static void
add_trouble(struct pp_files *f, const char *path, bool named, int error)
{
	struct pp_file *x = add(f, path, named);
	char text[160];

	snprintf(text, sizeof(text), "cannot open: %s", strerror(error));
	x->trouble = pp_arena_str(&f->text, pp_str_from(text));
	f->used[f->word] = true;
}

/* The same file under two names is one input, called by the lesser one. */
static struct pp_file *
add_file(struct pp_files *f, const char *path, bool named,
    const struct stat *st)
{
	uint32_t *at = pp_map_at(&f->seen, (uint64_t)st->st_dev,
	    (uint64_t)st->st_ino);
	struct pp_file *x;

	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)f->n;
		x = add(f, path, named);
		x->regular = S_ISREG(st->st_mode);
		x->size = x->regular ? (uint64_t)st->st_size : 0;
		link_word(f, x->id);
		return x;
	}
	x = &f->v[*at];
	link_word(f, x->id);
	x->named |= named;
	if (strcmp(path, x->path) < 0)
		x->path = pp_arena_str(&f->text, pp_str_from(path)).p;
	return x;
}

/* -------------------------------------------------------------- archives */

static void
add_text(struct pp_files *f, const char *path, pp_str text)
{
	add(f, path, true)->trouble = pp_arena_str(&f->text, text);
	f->used[f->word] = true;
}

/* A profile is an input that has the path it was added by. */
static void
add_stored(struct pp_files *f, struct pp_store *s, const struct pp_entry *e,
    bool named)
{
	size_t n = strlen(s->path) + e->path.n + 2;
	struct pp_file *x = add(f, e->path.p, named);
	char *told = pp_arena_alloc(&f->text, n);

	snprintf(told, n, "%s:%s", s->path, e->path.p);
	x->told = told;
	x->regular = true;
	x->size = e->bytes;
	x->store = s;
	x->entry = e;
}

/* The profile under two names is one input. */
static void
link_stored(struct pp_files *f, struct pp_store *s, const struct pp_entry *e,
    const struct stat *st, bool named)
{
	uint32_t *at = pp_map_at(&f->seen, (uint64_t)st->st_ino ^
	    ((uint64_t)st->st_dev << 32), ~e->begin);

	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)f->n;
		add_stored(f, s, e, named);
		link_word(f, f->v[f->n - 1].id);
		return;
	}
	f->v[*at].named |= named;
	link_word(f, *at);
}

/* The profiles of the archive at `path` that are called `name`. */
static void
add_archive(struct pp_files *f, const char *path, const char *name)
{
	const char *kept = pp_arena_str(&f->text, pp_str_from(path)).p;
	struct pp_store *s;
	struct stat st;
	pp_str err;
	size_t i, n = 0;

	f->archives = true;
	s = pp_store_open(f->mem, kept, false, &err);
	if (s == NULL || fstat(s->fd, &st) != 0) {
		add_text(f, path, s == NULL ? err : PP_STR("cannot open"));
		return;
	}
	if (s->damaged || (s->end < s->size && !pp_append_at_work(s)))
		add_text(f, path, s->damaged ? PP_STR("the archive is "
		    "damaged: not all profiles may be there; `profpivot "
		    "archive verify` tells more") : PP_STR("the archive "
		    "ends with a profile that was not added to its end, "
		    "which is left out"));
	for (i = 0; i < s->n; i++) {
		if ((name[0] == '\0' && s->v[i].same_as != 0) ||
		    !pp_archived_is(&s->v[i], name) ||
		    !pp_range_has(f->range, &s->v[i]))
			continue;
		link_stored(f, s, &s->v[i], &st, s->v[i].named ||
		    (name[0] != '\0' && strpbrk(name, "*?[") == NULL));
		n++;
	}
	if (n == 0)
		add_text(f, path, s->n == 0 ? PP_STR("the archive holds no "
		    "profile") : name[0] == '\0' ? PP_STR("no profile of the "
		    "archive is in this time") : PP_STR("no profile of the "
		    "archive is called so"));
}

static const char *
join(struct pp_files *f, const char *dir, const char *name)
{
	size_t n = strlen(dir), m = strlen(name);
	bool slash = n > 0 && dir[n - 1] != '/';
	char *p = pp_arena_alloc(&f->text, n + m + 2);

	memcpy(p, dir, n);
	if (slash)
		p[n++] = '/';
	memcpy(p + n, name, m + 1);
	return p;
}

static bool
seen_folder(struct pp_files *f, const struct stat *st)
{
	uint32_t *at = pp_map_at(&f->seen, (uint64_t)st->st_dev,
	    (uint64_t)st->st_ino);
	bool seen = *at != PP_MAP_NONE;

	*at = 0;
	return seen;
}

/*
 * Leftovers of runs that were killed with SIGKILL are output too: OUT.tmp
 * carries the mark from its first moment.
 */
static bool
written_by_us(struct pp_files *f, const char *dir)
{
	struct stat st;

	return stat(join(f, dir, PP_SINK_MARK), &st) == 0;
}

static void
search(struct pp_files *f, const char *dir, bool named, unsigned depth,
    const struct skip *out)
{
	DIR *d;
	struct dirent *e;
	struct stat st;
	const char *path;

	if (written_by_us(f, dir))
		return;
	d = opendir(dir);
	if (d == NULL) {
		add_trouble(f, dir, named, errno);
		return;
	}
	while ((e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 ||
		    strcmp(e->d_name, "..") == 0)
			continue;
		path = join(f, dir, e->d_name);
		if (stat(path, &st) != 0)
			continue;	/* a dangling link, or just gone */
		if (out->there && st.st_dev == out->dev &&
		    st.st_ino == out->ino)
			continue;
		if (S_ISREG(st.st_mode) && !pp_store_is(path))
			add_file(f, path, false, &st);
		else if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX &&
		    !seen_folder(f, &st))
			search(f, path, false, depth + 1, out);
	}
	closedir(d);
}

static bool
add_path(struct pp_files *f, const char *path, const struct skip *out)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	if (S_ISREG(st.st_mode) && out->there && st.st_dev == out->dev &&
	    st.st_ino == out->ino)
		f->is_out = pp_arena_str(&f->text, pp_str_from(path)).p;
	if (!S_ISDIR(st.st_mode) && pp_store_is(path))
		add_archive(f, path, "");
	else if (!S_ISDIR(st.st_mode))
		add_file(f, path, true, &st);
	else if (!seen_folder(f, &st))
		search(f, path, true, 0, out);
	else
		f->used[f->word] = true;
	return true;
}

static void
add_word(struct pp_files *f, const char *word, const struct skip *out)
{
	glob_t g;
	struct stat st;
	const char *name, *path;
	int error;
	size_t i;

	if (strcmp(word, "-") == 0) {
		if (fstat(STDIN_FILENO, &st) != 0) {
			add_trouble(f, word, true, errno);
			return;
		}
		/* it may stand in the middle: never open it a second time */
		add_file(f, word, true, &st)->regular = false;
		return;
	}
	if (add_path(f, word, out))
		return;
	error = errno;
	i = pp_archived_word(f->mem, word, &name);
	if (i > 0) {
		path = pp_arena_str(&f->text, (pp_str){word, i}).p;
		if (stat(path, &st) == 0 && out->there &&
		    st.st_dev == out->dev && st.st_ino == out->ino)
			f->is_out = path;
		add_archive(f, path, name);
		return;
	}
	memset(&g, 0, sizeof(g));
	if (error == ENOENT && glob(word, 0, NULL, &g) == 0) {
		for (i = 0; i < g.gl_pathc; i++)
			add_path(f, g.gl_pathv[i], out);
	} else {
		add_trouble(f, word, true, error);
	}
	globfree(&g);
}

bool
pp_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 &&
	    S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void
init(struct pp_files *f, struct pp_mem *mem, size_t nwords)
{
	memset(f, 0, sizeof(*f));
	f->mem = mem;
	pp_arena_init(&f->text, mem, 16384);
	pp_map_init(&f->seen, mem);
	f->used = pp_mem_zalloc(mem, nwords * sizeof(*f->used));
}

void
pp_files_stored(struct pp_files *f, struct pp_mem *mem, struct pp_store *s,
    const struct pp_entry *e)
{
	init(f, mem, 1);
	add_stored(f, s, e, true);
	link_word(f, 0);
}

void
pp_files_find(struct pp_files *f, struct pp_mem *mem, char **words,
    size_t nwords, const char *out, const struct pp_range *range)
{
	struct skip skip = {0};
	struct stat st;
	size_t i;

	init(f, mem, nwords);
	f->range = range;
	if (out != NULL && strcmp(out, "-") != 0 && stat(out, &st) == 0) {
		skip.there = true;
		skip.dev = st.st_dev;
		skip.ino = st.st_ino;
	}
	for (i = 0; i < nwords; i++) {
		f->word = (uint32_t)i;
		add_word(f, words[i], &skip);
	}
}

/* ---------------------------------------------------------------- names */

/*
 * The path from the root, . and .. taken out by the letter: a link keeps the
 * name that it was given.
 */
static const char *
full_path(struct pp_files *f, const char *cwd, const char *path)
{
	const char *from = path[0] == '/' ? path : join(f, cwd, path), *e;
	char *to = pp_arena_alloc(&f->text, strlen(from) + 2), *at = to;

	*at = '\0';
	while (*from != '\0') {
		while (*from == '/')
			from++;
		e = from + strcspn(from, "/");
		if (e - from == 2 && from[0] == '.' && from[1] == '.') {
			while (at > to && *--at != '/')
				;
			*at = '\0';
		} else if (e > from && !(e - from == 1 && from[0] == '.')) {
			*at++ = '/';
			memcpy(at, from, (size_t)(e - from));
			at += e - from;
			*at = '\0';
		}
		from = e;
	}
	return to;
}

pp_str
pp_files_without_suffix(pp_str s)
{
	static const char *const suffix[] = {".gz", ".bz2", ".xz", ".zst"};
	size_t i;

	for (i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++)
		if (pp_str_ends(s, pp_str_from(suffix[i])) &&
		    s.n > strlen(suffix[i]) &&
		    s.p[s.n - strlen(suffix[i]) - 1] != '/')
			s.n -= strlen(suffix[i]);
	return s;
}

/* The last `parts` parts of a path; *whole: there are no more. */
static pp_str
tail(pp_str s, unsigned parts, bool *whole)
{
	size_t i = s.n;

	while (i > 0 && parts > 0)
		if (s.p[--i] == '/' && --parts == 0)
			break;
	*whole = i == 0;
	return pp_str_skip(s, i < s.n && s.p[i] == '/' ? i + 1 : i);
}

struct naming {
	struct pp_file *file;
	unsigned parts;
	bool keep_suffix;
};

static int
by_name(const void *a, const void *b)
{
	const struct naming *x = a, *y = b;

	return pp_str_cmp(x->file->name, y->file->name);
}

/* Make the names of a run of equal ones longer; false: no more to give. */
static bool
lengthen(struct naming *v, size_t n)
{
	pp_str a, b;
	size_t i, j;
	bool whole, more = false;

	for (i = 0; i < n; i++) {
		a = pp_files_without_suffix(pp_str_from(v[i].file->full));
		for (j = 0; j < n && !v[i].keep_suffix; j++) {
			b = pp_files_without_suffix(pp_str_from(v[j].file->full));
			/* x.trc and x.trc.gz side by side */
			if (i != j && pp_str_eq(a, b)) {
				v[i].keep_suffix = true;
				more = true;
			}
		}
	}
	if (more)
		return true;
	for (i = 0; i < n; i++) {
		tail(pp_str_from(v[i].file->full), v[i].parts, &whole);
		v[i].parts += !whole;
		more |= !whole;
	}
	return more;
}

static void
set_names(struct naming *v, size_t n)
{
	pp_str s;
	size_t i;
	bool whole;

	for (i = 0; i < n; i++) {
		if (strcmp(v[i].file->path, "-") == 0) {
			v[i].file->name = PP_STR("stdin");
			continue;
		}
		s = pp_str_from(v[i].file->full);
		if (!v[i].keep_suffix)
			s = pp_files_without_suffix(s);
		v[i].file->name = tail(s, v[i].parts, &whole);
	}
	qsort(v, n, sizeof(*v), by_name);
}

/* A file that was added again when it had changed keeps its path: then the
 * number in the archive tells them apart. */
static void
number_names(struct pp_files *f, struct naming *v, size_t n)
{
	char buf[16];
	pp_str s;
	char *p;
	size_t i;
	int k;

	for (i = 0; i < n; i++) {
		if (v[i].file->store == NULL)
			continue;
		s = v[i].file->name;
		k = snprintf(buf, sizeof(buf), "#%u",
		    (unsigned)v[i].file->entry->number);
		p = pp_arena_alloc(&f->text, s.n + (size_t)k + 1);
		memcpy(p, s.p, s.n);
		memcpy(p + s.n, buf, (size_t)k + 1);
		v[i].file->name = (pp_str){p, s.n + (size_t)k};
	}
}

void
pp_files_name(struct pp_files *f)
{
	struct naming *v = pp_mem_alloc(f->mem, f->n * sizeof(*v));
	char cwd[4096];
	size_t i, j;
	bool more = true;

	if (getcwd(cwd, sizeof(cwd)) == NULL)
		strcpy(cwd, "/");
	for (i = 0; i < f->n; i++) {
		f->v[i].full = full_path(f, cwd, f->v[i].path);
		v[i] = (struct naming){&f->v[i], 1, false};
	}
	while (more) {
		set_names(v, f->n);
		more = false;
		for (i = 0; i < f->n; i = j) {
			for (j = i + 1; j < f->n && by_name(&v[i], &v[j]) == 0;)
				j++;
			if (j - i > 1)
				more |= lengthen(v + i, j - i);
		}
	}
	for (i = 0; i < f->n; i = j) {
		for (j = i + 1; j < f->n && by_name(&v[i], &v[j]) == 0;)
			j++;
		if (j - i > 1)
			number_names(f, v + i, j - i);
	}
	pp_mem_free(f->mem, v);
}
