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
		if (S_ISREG(st.st_mode))
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
	if (!S_ISDIR(st.st_mode))
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

void
pp_files_find(struct pp_files *f, struct pp_mem *mem, char **words,
    size_t nwords, const char *out)
{
	struct skip skip = {0};
	struct stat st;
	size_t i;

	memset(f, 0, sizeof(*f));
	f->mem = mem;
	pp_arena_init(&f->text, mem, 16384);
	pp_map_init(&f->seen, mem);
	if (out != NULL && strcmp(out, "-") != 0 && stat(out, &st) == 0) {
		skip.there = true;
		skip.dev = st.st_dev;
		skip.ino = st.st_ino;
	}
	f->used = pp_mem_zalloc(mem, nwords * sizeof(*f->used));
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
	pp_mem_free(f->mem, v);
}
