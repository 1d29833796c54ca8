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
	const char *name = pp_archived_name(&f->text, s, e);
	size_t n = strlen(s->path) + strlen(name) + 2;
	struct pp_file *x = add(f, e->path.p, named);
	char *told = pp_arena_alloc(&f->text, n);

	snprintf(told, n, "%s:%s", s->path, name);
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

/* The archive at `path`, opened once; NULL: told. */
static struct pp_store *
open_store(struct pp_files *f, const char *path, struct stat *st)
{
	const char *kept = pp_arena_str(&f->text, pp_str_from(path)).p;
	struct pp_store *s = NULL;
	void *v = f->opened;
	pp_str err;
	size_t i;

	if (stat(path, st) != 0) {
		add_trouble(f, path, true, errno);
		return NULL;
	}
	for (i = 0; i < f->nopened; i++)
		if (f->opened[i].dev == st->st_dev &&
		    f->opened[i].ino == st->st_ino)
			return f->opened[i].store;
	s = pp_store_open(f->mem, kept, false, &err);
	if (s == NULL)
		add_text(f, path, err);
	else if (s->damaged || (s->end < s->size && !pp_append_at_work(s)))
		add_text(f, path, s->damaged ? PP_STR("the archive is "
		    "damaged: not all profiles may be there; `profpivot "
		    "archive verify` tells more") : PP_STR("the archive "
		    "ends with a profile that was not added to its end, "
		    "which is left out"));
	pp_mem_grow(f->mem, &v, &f->opened_cap, f->nopened + 1,
	    sizeof(*f->opened));
	f->opened = v;
	f->opened[f->nopened++] = (struct pp_opened){st->st_dev, st->st_ino,
	    s};
	return s;
}

static void
add_notice(struct pp_files *f, const char *path, const char *text)
{
	void *v = f->notice;
	size_t n = strlen(path) + strlen(text) + 3;
	char *p = pp_arena_alloc(&f->text, n);

	snprintf(p, n, "%s: %s", path, text);
	pp_mem_grow(f->mem, &v, &f->notices_cap, f->nnotices + 1,
	    sizeof(*f->notice));
	f->notice = v;
	f->notice[f->nnotices++] = p;
}

/* The profiles of the archive at `path` that are called `name`. */
static void
add_archive(struct pp_files *f, const char *path, const char *name)
{
	char *words[1] = {pp_arena_alloc(&f->text, strlen(name) + 1)};
	struct pp_choice c;
	struct pp_store *s;
	struct stat st;
	char why[600];
	size_t i;

	f->archives = true;
	s = open_store(f, path, &st);
	if (s == NULL) {
		f->used[f->word] = true;
		return;
	}
	strcpy(words[0], name);
	pp_archived_choose(&c, f->mem, s, words, name[0] != '\0', f->range);
	if (pp_choice_none(&c, s, f->range, why, sizeof(why))) {
		add_text(f, path, pp_str_from(why));
		return;
	}
	if (!f->every && pp_choice_notice(&c, &f->text, s, why, sizeof(why)))
		add_notice(f, path, why);
	if (!f->every && pp_choice_several(&c, s, why, sizeof(why)))
		add_notice(f, path, why);
	for (i = 0; i < s->n; i++)
		if (f->every && c.how[i].is != PP_NOT_CHOSEN)
			add_stored(f, s, &s->v[i], s->v[i].named);
		else if (c.how[i].is == PP_CHOSEN)
			link_stored(f, s, &s->v[i], &st, s->v[i].named ||
			    c.how[i].named);
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
	bool sides = f->sides;

	memset(f, 0, sizeof(*f));
	f->sides = sides;
	f->mem = mem;
	pp_arena_init(&f->text, mem, 16384);
	pp_map_init(&f->seen, mem);
	f->used = pp_mem_zalloc(mem, nwords * sizeof(*f->used));
}

void
pp_files_stored(struct pp_files *f, struct pp_mem *mem, struct pp_store *s,
    const struct pp_entry *const *e, size_t n, const pp_str *names)
{
	size_t i;

	init(f, mem, 1);
	for (i = 0; i < n; i++) {
		add_stored(f, s, e[i], true);
		if (names != NULL)
			f->v[i].name = names[i];
		link_word(f, (uint32_t)i);
	}
	f->called = names != NULL;
}

static void
find(struct pp_files *f, char **words, size_t nwords, const char *out)
{
	struct skip skip = {0};
	struct stat st;
	size_t i;

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

void
pp_files_find(struct pp_files *f, struct pp_mem *mem, char **words,
    size_t nwords, const char *out, const struct pp_range *range)
{
	init(f, mem, nwords);
	f->range = range;
	find(f, words, nwords, out);
}

void
pp_files_find_every(struct pp_files *f, struct pp_mem *mem, char **words,
    size_t nwords, const char *out, const struct pp_range *range)
{
	init(f, mem, nwords);
	f->range = range;
	f->every = true;
	find(f, words, nwords, out);
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
	bool number;		/* one of several versions */
	const char *archive;	/* what is told of the archive; NULL */
};

static int
by_name(const void *a, const void *b)
{
	const struct naming *x = a, *y = b;

	return pp_str_cmp(x->file->name, y->file->name);
}

int
pp_file_in_archive_cmp(const struct pp_file *x, const struct pp_file *y)
{
	int c = strcmp(x->store != NULL ? x->store->path : "",
	    y->store != NULL ? y->store->path : "");

	if (c != 0 || x->entry == NULL || y->entry == NULL)
		return c;
	return x->entry->number < y->entry->number ? -1 :
	    x->entry->number > y->entry->number;
}

static int
by_full(const void *a, const void *b)
{
	const struct pp_file *x = ((const struct naming *)a)->file,
	    *y = ((const struct naming *)b)->file;
	int c = strcmp(x->full, y->full);

	return c != 0 ? c : pp_file_in_archive_cmp(x, y);
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

/* "g.ppa" of /data/g.ppa, unless a file of the run is in another g.ppa. */
static const char *
archive_name(const struct naming *v, size_t n, const struct pp_store *s)
{
	const char *slash = strrchr(s->path, '/'), *base, *other;
	size_t i;

	base = slash != NULL ? slash + 1 : s->path;
	for (i = 0; i < n; i++) {
		if (v[i].file->store == NULL || v[i].file->store == s)
			continue;
		slash = strrchr(v[i].file->store->path, '/');
		other = slash != NULL ? slash + 1 : v[i].file->store->path;
		if (strcmp(base, other) == 0)
			return s->path;
	}
	return base;
}

/*
 * What has one path: a file that was added again when it had changed is told
 * apart by its number in the archive, and by the name of that where it is
 * not the only one, or the file itself is an input, too.
 */
static void
part_run(struct naming *v, size_t n)
{
	bool several = v[0].file->store != v[n - 1].file->store;
	size_t i, k;

	for (i = 0; i < n; i++) {
		const struct pp_store *s = v[i].file->store;

		if (s == NULL)
			continue;
		if (several)
			v[i].archive = archive_name(v, n, s);
		for (k = i + 1; k < n && v[k].file->store == s; k++)
			v[k].number = v[i].number = v[i].file->older = true;
	}
}

static void
part_versions(struct pp_files *f, struct naming *v)
{
	size_t i, j;

	if (f->n > 1)
		qsort(v, f->n, sizeof(*v), by_full);
	for (i = 0; i < f->n; i = j) {
		for (j = i + 1; j < f->n && strcmp(v[j].file->full,
		    v[i].file->full) == 0;)
			j++;
		if (j - i > 1)
			part_run(v + i, j - i);
	}
}

/* [ARCHIVE:]NAME[#NUMBER] */
static pp_str
compose(struct pp_files *f, const struct naming *v, pp_str s)
{
	char number[16] = "";
	size_t n;
	char *p;

	if (!v->number && v->archive == NULL)
		return s;
	if (v->number)
		snprintf(number, sizeof(number), "#%u",
		    (unsigned)v->file->entry->number);
	n = s.n + 32 + (v->archive != NULL ? strlen(v->archive) : 0);
	p = pp_arena_alloc(&f->text, n);
	n = (size_t)snprintf(p, n, "%s%s%.*s%s",
	    v->archive != NULL ? v->archive : "",
	    v->archive != NULL ? ":" : "", (int)s.n, s.p, number);
	return (pp_str){p, n};
}

static void
set_names(struct pp_files *f, struct naming *v)
{
	pp_str s;
	size_t i;
	bool whole;

	for (i = 0; i < f->n; i++) {
		if (strcmp(v[i].file->path, "-") == 0) {
			v[i].file->name = compose(f, &v[i], PP_STR("stdin"));
			continue;
		}
		s = pp_str_from(v[i].file->full);
		if (!v[i].keep_suffix)
			s = pp_files_without_suffix(s);
		v[i].file->name = compose(f, &v[i],
		    tail(s, v[i].parts, &whole));
	}
	qsort(v, f->n, sizeof(*v), by_name);
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
		v[i] = (struct naming){.file = &f->v[i], .parts = 1};
	}
	part_versions(f, v);
	while (more && !f->called) {
		set_names(f, v);
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
