/*
 * archived_choose.c: which profiles of an archive words and times mean
 * (archived.h).
 *
 * A file that has grown since it was added is there twice: as it was then,
 * and as it is, which begins with the former.  Both together would count its
 * time twice, so only the latter is meant by their name.
 */
#include "archived.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "inputs.h"

/* ------------------------------------------------------------------ names */

/* Is text, or what follows one of its slashes, what name says? */
static bool
is_tail(const char *name, const char *text)
{
	const char *t = text;

	for (;;) {
		if (strcmp(t, name) == 0 || fnmatch(name, t, FNM_PATHNAME) == 0)
			return true;
		t = strchr(t, '/');
		if (t == NULL)
			return false;
		t++;
	}
}

static bool
is_path(const struct pp_entry *e, const char *name)
{
	char bare[4096];
	pp_str s;

	if (strcmp(e->path.p, "-") == 0)
		return strcmp(name, "-") == 0 || is_tail(name, "stdin");
	if (is_tail(name, e->path.p))
		return true;
	s = pp_files_without_suffix(e->path);
	if (s.n == e->path.n || s.n >= sizeof(bare))
		return false;
	memcpy(bare, s.p, s.n);
	bare[s.n] = '\0';
	return is_tail(name, bare);
}

/* Digits only: the number they are, else 0. */
static uint32_t
number_of(const char *s)
{
	uint64_t v = 0;

	if (s[0] == '\0' || s[strspn(s, "0123456789")] != '\0')
		return 0;
	for (; *s != '\0'; s++)
		if (v <= UINT32_MAX)
			v = v * 10 + (uint64_t)(*s - '0');
	return v <= UINT32_MAX ? (uint32_t)v : UINT32_MAX;
}

/* Is the number what stands behind a #, N or N-M? */
static bool
is_among(uint32_t number, const char *s)
{
	size_t n = strcspn(s, "-");
	char low[16];

	if (s[n] == '\0')
		return number_of(s) == number;
	if (n >= sizeof(low))
		return false;
	memcpy(low, s, n);
	low[n] = '\0';
	return number_of(low) != 0 && number_of(low) <= number &&
	    number <= number_of(s + n + 1);
}

enum called { NOT, BY_PATH, BY_NUMBER };

static enum called
is_called(const struct pp_entry *e, const char *name)
{
	const char *mark = strrchr(name, '#');
	char path[4096];

	if (number_of(name) != 0)
		return number_of(name) == e->number ? BY_NUMBER : NOT;
	if (name[0] == '\0' || is_path(e, name))
		return BY_PATH;
	if (mark == NULL || !is_among(e->number, mark + 1) ||
	    (size_t)(mark - name) >= sizeof(path))
		return NOT;
	memcpy(path, name, (size_t)(mark - name));
	path[mark - name] = '\0';
	return mark == name || is_path(e, path) ? BY_NUMBER : NOT;
}

bool
pp_archived_is(const struct pp_entry *e, const char *name)
{
	return is_called(e, name) != NOT;
}

pp_str
pp_archived_path(const struct pp_entry *e)
{
	return pp_str_eq(e->path, PP_STR("-")) ? PP_STR("stdin") : e->path;
}

const char *
pp_archived_name(struct pp_arena *text, struct pp_store *s,
    const struct pp_entry *e)
{
	pp_str path = pp_archived_path(e);
	size_t n = path.n + 16, last = pp_store_of_path(s, e->path, s->n);
	char *p = pp_arena_alloc(text, n);

	if (last != SIZE_MAX &&
	    pp_store_of_path(s, e->path, last) != SIZE_MAX)
		snprintf(p, n, "%.*s#%u", (int)path.n, path.p,
		    (unsigned)e->number);
	else
		snprintf(p, n, "%.*s", (int)path.n, path.p);
	return p;
}

/* --------------------------------------------------------------- versions */

static void compare(struct pp_mem *mem, struct pp_store *s,
    const struct pp_entry *new, const struct pp_entry *old,
    struct pp_entry *about);

/* The entry with this number; NULL: there is none. */
static struct pp_entry *
find_number(const struct pp_store *s, uint32_t number)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->v[mid].number < number)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->n && s->v[low].number == number ? &s->v[low] : NULL;
}

/* What a file that grows is compared with.  One that is written anew each day
 * has no more than some of its versions looked at. */
#define COMPARED_MOST 4

/*
 * Is `new` a later state of one of v[0..n), the latest of which come first, or
 * the other way round?
 */
static void
find_kin(struct pp_mem *mem, struct pp_store *s, struct pp_entry *const *v,
    size_t n, const struct pp_entry *new, struct pp_entry *about)
{
	unsigned compared = 0;
	size_t i;

	about->compared = true;
	for (i = 0; i < n && compared < COMPARED_MOST && about->begins == 0 &&
	    about->begins_with == 0; i++) {
		if (v[i]->part_of != 0 || v[i]->begin == new->begin)
			continue;
		compare(mem, s, new, v[i], about);
		compared++;
	}
}

/* Where number stands among v[0..n); n: nowhere. */
static size_t
place_of(struct pp_entry *const *v, size_t n, uint32_t number)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (v[i]->number == number)
			break;
	return i;
}

/* The versions v[0..n) of one path, the latest first: what begins with
 * each. */
static void
relate_versions(struct pp_mem *mem, struct pp_store *s,
    struct pp_entry *const *v, size_t n)
{
	struct pp_entry *const *older;
	struct pp_entry *e;
	size_t i, k;

	for (i = n; i-- > 1;) {
		e = v[i - 1];
		older = v + i;
		v[i]->replaced = true;
		s->nreplaced++;
		/* of an archive by an earlier version this is not known */
		if (!e->compared)
			find_kin(mem, s, older, n - i, e, e);
		k = place_of(older, n - i, e->begins_with);
		if (e->begins_with != 0 && k < n - i)
			older[k]->part_of = e->number;
		else if (e->begins != 0 &&
		    place_of(older, n - i, e->begins) < n - i)
			e->part_of = e->begins;
	}
}

/* A file that was renamed while another took its path: what there is of it
 * under the old path, beside the rest. */
static void
relate_renamed(struct pp_store *s)
{
	struct pp_entry *old;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->v[i].begins_with == 0)
			continue;
		old = find_number(s, s->v[i].begins_with);
		if (old != NULL && old < &s->v[i] && old->replaced &&
		    old->part_of == 0)
			old->part_of = s->v[i].number;
	}
}

static int
by_path(const void *a, const void *b)
{
	const struct pp_entry *const *x = a, *const *y = b;
	int c = pp_str_cmp((*x)->path, (*y)->path);

	if (c != 0)
		return c;
	return (*x)->number > (*y)->number ? -1 : (*x)->number < (*y)->number;
}

/* part_of and replaced of each entry. */
static void
relate(struct pp_mem *mem, struct pp_store *s)
{
	struct pp_entry **v = pp_mem_alloc(mem, (s->n + 1) * sizeof(*v));
	size_t i, j;

	s->nreplaced = 0;
	for (i = 0; i < s->n; i++) {
		v[i] = &s->v[i];
		v[i]->part_of = 0;
		v[i]->replaced = false;
	}
	if (s->n > 1)
		qsort(v, s->n, sizeof(*v), by_path);
	for (i = 0; i < s->n; i = j) {
		for (j = i + 1; j < s->n && pp_str_eq(v[j]->path,
		    v[i]->path);)
			j++;
		relate_versions(mem, s, v + i, j - i);
	}
	relate_renamed(s);
	s->related = true;
	pp_mem_free(mem, v);
}

static pp_str
folder_of(pp_str path)
{
	size_t n = pp_str_rfind(path, PP_STR("/"));

	return (pp_str){path.p, n < path.n ? n : 0};
}

/* It may have had another name then, which something else has taken. */
static void
find_renamed(struct pp_mem *mem, struct pp_store *s, pp_str path,
    const struct pp_entry *new, struct pp_entry *about)
{
	pp_str folder = folder_of(path);
	struct pp_entry **v = pp_mem_alloc(mem, s->nreplaced * sizeof(*v));
	size_t i, n = 0;

	for (i = s->n; i-- > 0;) {
		struct pp_entry *e = &s->v[i];

		if (e->replaced && e->bytes > 0 && n < s->nreplaced &&
		    !pp_str_eq(e->path, path) &&
		    pp_str_eq(folder_of(e->path), folder))
			v[n++] = e;
	}
	if (n > 0)
		find_kin(mem, s, v, n, new, about);
	/* what begins with it is a copy that has gone on */
	about->begins = 0;
	pp_mem_free(mem, v);
}

void
pp_archived_kin(struct pp_mem *mem, struct pp_store *s, pp_str path,
    const struct pp_entry *new, struct pp_entry *about)
{
	struct pp_entry **v, *e;
	size_t i, n = 0;

	if (!s->related)
		relate(mem, s);
	about->compared = about->replaced = false;
	about->begins = about->begins_with = about->part_of = 0;
	v = pp_mem_alloc(mem, (s->n + 1) * sizeof(*v));
	for (i = pp_store_of_path(s, path, s->n); i != SIZE_MAX;
	    i = pp_store_of_path(s, path, i))
		v[n++] = &s->v[i];
	if (n > 0)
		find_kin(mem, s, v, n, new, about);
	for (i = 0; i < n; i++) {
		s->nreplaced += !v[i]->replaced;
		v[i]->replaced = true;
	}
	if (s->nreplaced > n && about->begins == 0 &&
	    about->begins_with == 0)
		find_renamed(mem, s, path, new, about);
	e = about->begins_with == 0 ? NULL :
	    find_number(s, about->begins_with);
	if (e != NULL)
		e->part_of = UINT32_MAX;	/* `new` has no number yet */
	about->part_of = about->begins;
	pp_mem_free(mem, v);
}

/* All of a stream, piece by piece. */
struct text {
	struct pp_input *in;
	struct pp_chunk c;
	size_t at;		/* in the chunk */
	bool end;
};

static void
fill(struct text *t)
{
	while (!t->end && t->at == t->c.n) {
		t->c.used = t->c.n;
		t->at = 0;
		if (!pp_input_next(t->in, &t->c)) {
			t->end = true;
			t->c.n = 0;
		}
	}
}

/* Which one ends first while they are the same: -1 a, 1 b, 0 both; 2: they
 * differ. */
static int
run_along(struct text *a, struct text *b)
{
	size_t n;

	for (;;) {
		fill(a);
		fill(b);
		if (a->end || b->end)
			return a->end && b->end ? 0 : a->end ? -1 : 1;
		n = a->c.n - a->at < b->c.n - b->at ? a->c.n - a->at :
		    b->c.n - b->at;
		if (memcmp(a->c.p + a->at, b->c.p + b->at, n) != 0)
			return 2;
		a->at += n;
		b->at += n;
	}
}

/* Is `old` the beginning of `new`, or the other way round?  Compared is the
 * text, inflated. */
static void
compare(struct pp_mem *mem, struct pp_store *s,
    const struct pp_entry *new, const struct pp_entry *old,
    struct pp_entry *about)
{
	struct text a, b;
	pp_str err;
	int how = 2;

	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	a.in = pp_archived_open(mem, s, old, &err);
	b.in = pp_archived_open(mem, s, new, &err);
	if (a.in != NULL && b.in != NULL)
		how = run_along(&a, &b);
	/* what cannot be read to its end is no beginning of anything */
	if (a.in != NULL && pp_input_error(a.in).n != 0 && how <= 0)
		how = 2;
	if (b.in != NULL && pp_input_error(b.in).n != 0 && how == 1)
		how = 2;
	pp_input_close(a.in);
	pp_input_close(b.in);
	if (how <= 0)
		about->begins_with = old->number;
	else if (how == 1)
		about->begins = old->number;
}

/* --------------------------------------------------------------- choosing */

/* Of each entry, how the words mean it. */
static void
find_called(struct pp_choice *c, const struct pp_store *s, char **words,
    size_t nwords, const struct pp_range *range)
{
	enum called how, best;
	bool there;
	size_t i, w;

	for (w = 0; w < nwords; w++) {
		for (i = 0, there = false; i < s->n && !there; i++)
			there = is_called(&s->v[i], words[w]) != NOT;
		if (!there && c->nunmet++ == 0)
			c->unmet = words[w];
	}
	for (i = 0; i < s->n; i++) {
		best = nwords == 0 ? BY_PATH : NOT;
		for (w = 0; w < nwords; w++) {
			how = is_called(&s->v[i], words[w]);
			best = how > best ? how : best;
			c->how[i].named |= how != NOT && words[w][0] != '\0' &&
			    strpbrk(words[w], "*?[") == NULL;
		}
		if (best == NOT)
			continue;
		c->called++;
		if (!pp_range_has(range, &s->v[i]))
			continue;
		c->how[i].is = PP_CHOSEN;
		c->how[i].by_number = best == BY_NUMBER;
	}
}

/* The one that is chosen and begins with entry i; n: none does. */
static size_t
begun_by(const struct pp_choice *c, const struct pp_store *s, size_t i)
{
	const struct pp_entry *e = &s->v[i];
	size_t left = s->n;

	while (e->part_of != 0 && left-- > 0) {
		e = find_number(s, e->part_of);
		if (e == NULL)
			break;
		if (c->how[e - s->v].is != PP_NOT_CHOSEN)
			return (size_t)(e - s->v);
	}
	return s->n;
}

/* What another that is chosen begins with is not meant, unless by number. */
static void
leave_out_old(struct pp_choice *c, const struct pp_store *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (c->how[i].is == PP_CHOSEN && !c->how[i].by_number &&
		    begun_by(c, s, i) < s->n) {
			c->how[i].is = PP_CHOSEN_OLD;
			c->nold++;
		}
}

struct content {
	uint64_t begin;
	size_t i;
};

static int
by_content(const void *a, const void *b)
{
	const struct content *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

/* Of what is one profile under several names, the first is meant. */
static void
leave_out_same(struct pp_choice *c, struct pp_mem *mem,
    const struct pp_store *s)
{
	struct content *v = pp_mem_alloc(mem, (s->n + 1) * sizeof(*v));
	size_t i, n = 0;

	for (i = 0; i < s->n; i++)
		if (c->how[i].is == PP_CHOSEN)
			v[n++] = (struct content){s->v[i].begin, i};
	if (n > 1)
		qsort(v, n, sizeof(*v), by_content);
	for (i = 1; i < n; i++)
		if (v[i].begin == v[i - 1].begin) {
			c->how[v[i].i].is = PP_CHOSEN_SAME;
			c->nsame++;
		}
	pp_mem_free(mem, v);
}

void
pp_archived_choose(struct pp_choice *c, struct pp_mem *mem,
    struct pp_store *s, char **words, size_t nwords,
    const struct pp_range *range)
{
	size_t i;

	memset(c, 0, sizeof(*c));
	c->how = pp_mem_zalloc(mem, (s->n + 1) * sizeof(*c->how));
	if (!s->related)
		relate(mem, s);
	find_called(c, s, words, nwords, range);
	leave_out_old(c, s);
	leave_out_same(c, mem, s);
	for (i = 0; i < s->n; i++)
		c->n += c->how[i].is == PP_CHOSEN;
}

bool
pp_choice_none(const struct pp_choice *c, const struct pp_store *s,
    const struct pp_range *range, char *buf, size_t size)
{
	if (c->n > 0)
		return false;
	if (s->n == 0)
		snprintf(buf, size, "the archive holds no profile");
	else if (c->called == 0)
		snprintf(buf, size, "no profile is called %s", c->unmet);
	else
		snprintf(buf, size, "no profile is in this time (%s%s%s)",
		    range->from ? "--from" : "", range->from && range->to ?
		    ", " : "", range->to ? "--to" : "");
	return true;
}

bool
pp_choice_notice(const struct pp_choice *c, struct pp_arena *text,
    struct pp_store *s, char *buf, size_t size)
{
	const struct pp_entry *e;
	size_t i;

	for (i = 0; i < s->n && c->how[i].is != PP_CHOSEN_OLD;)
		i++;
	if (i == s->n)
		return false;
	e = &s->v[begun_by(c, s, i)];
	if (c->nold == 1)
		snprintf(buf, size, "%s is left out: %s begins with it",
		    pp_archived_name(text, s, &s->v[i]),
		    pp_archived_name(text, s, e));
	else
		snprintf(buf, size, "%zu profiles that later ones begin with "
		    "are left out, such as %s", c->nold,
		    pp_archived_name(text, s, &s->v[i]));
	return true;
}

bool
pp_choice_several(const struct pp_choice *c, struct pp_store *s, char *buf,
    size_t size)
{
	const struct pp_entry *e;
	size_t i, k, n = 0, first = 0;

	for (i = s->n; i-- > 0 && n == 0;) {
		if (c->how[i].is != PP_CHOSEN || c->how[i].by_number ||
		    !c->how[i].named)
			continue;
		for (k = pp_store_of_path(s, s->v[i].path, i); k != SIZE_MAX;
		    k = pp_store_of_path(s, s->v[i].path, k))
			if (c->how[k].is == PP_CHOSEN) {
				n++;
				first = k;
			}
		if (n > 0) {
			e = &s->v[i];
			snprintf(buf, size, "%.*s is %zu versions that "
			    "differ, from #%u to #%u: each is read for "
			    "itself", (int)pp_archived_path(e).n,
			    pp_archived_path(e).p, n + 1,
			    (unsigned)s->v[first].number,
			    (unsigned)e->number);
		}
	}
	return n > 0;
}
