/*
 * chain.c: in which order inputs stand, and which belong together.
 *
 * Files of which one continues the other form a group: a trace that says so
 * (TRACE CONTINUED FROM FILE), and the parts of a trace that outgrew its
 * limit.  So do files of one folder that may share sessions: the tables of a
 * server's Performance Schema.
 *
 * A copy of a file, an older version of it in an archive and what stands on
 * the other side of a comparison are never joined with it: their time would
 * count twice, or on one side.
 */
#include "chain.h"

#include <stdlib.h>

#define LAST_PART UINT32_MAX

struct part {
	const struct pp_store *store;
	pp_str stem;
	uint32_t number;	/* LAST_PART: the file without one */
	uint32_t version;	/* its number in the archive; 0: in none */
	uint32_t file;
};

/*
 * Which words stand for a file: bits, 1 the first and 2 any other; the same
 * of all where there are no sides.
 */
static uint8_t
side_of(const struct pp_files *f, const struct pp_file *x)
{
	return f->side == NULL ? 1 : f->side[x->found];
}

static void
find_sides(struct pp_files *f)
{
	size_t i, most = 0;

	f->side = NULL;
	if (!f->sides)
		return;
	for (i = 0; i < f->nlinks; i++)
		most = f->links[i].file > most ? f->links[i].file : most;
	for (i = 0; i < f->n; i++)
		most = f->v[i].found > most ? f->v[i].found : most;
	f->side = pp_mem_zalloc(f->mem, most + 1);
	for (i = 0; i < f->nlinks; i++)
		f->side[f->links[i].file] |= f->links[i].word == 0 ? 1 : 2;
}

/* Archives in the order of their names; files that are in none come first. */
static int
by_store(const struct pp_store *a, const struct pp_store *b)
{
	if (a == b)
		return 0;
	if (a == NULL || b == NULL)
		return a == NULL ? -1 : 1;
	return strcmp(a->path, b->path);
}

static int64_t
utc(const struct pp_wall *w)
{
	return w->has_offset ?
	    pp_i64_sub(w->us, (int64_t)w->offset_min * 60000000) : w->us;
}

/* By first time, where both have one on the same clock, then name. */
static int
by_time(const void *a, const void *b)
{
	const struct pp_file *x = a, *y = b;
	const struct pp_peek *p = &x->peek, *q = &y->peek;
	int c;

	if (p->first.known != q->first.known)
		return p->first.known ? -1 : 1;
	if (p->first.known && utc(&p->first) != utc(&q->first))
		return utc(&p->first) < utc(&q->first) ? -1 : 1;
	if (p->has_tick != q->has_tick)
		return p->has_tick ? -1 : 1;
	if (p->has_tick && p->tick != q->tick)
		return p->tick < q->tick ? -1 : 1;
	c = pp_str_cmp(x->name, y->name);
	return c != 0 ? c : strcmp(x->path, y->path);
}

static pp_str
folder_of(const struct pp_file *x)
{
	pp_str s = pp_str_from(x->full);

	return (pp_str){s.p, pp_str_rfind(s, PP_STR("/"))};
}

/* Is `x` the file called `base`?  Compressed since, perhaps. */
static bool
is_called(const struct pp_file *x, pp_str base)
{
	pp_str s = pp_str_from(x->full);

	s = pp_str_skip(s, pp_str_rfind(s, PP_STR("/")) + 1);
	if (!pp_str_starts(s, base))
		return false;
	s = pp_str_skip(s, base.n);
	return s.n == 0 || pp_str_eq(s, PP_STR(".gz")) ||
	    pp_str_eq(s, PP_STR(".bz2")) || pp_str_eq(s, PP_STR(".xz")) ||
	    pp_str_eq(s, PP_STR(".zst"));
}

/* The file that x says it continues: beside it, or the only one so called. */
static uint32_t
named_predecessor(const struct pp_files *f, const struct pp_file *x)
{
	const struct pp_file *y;
	uint32_t found = PP_FILE_NONE, beside = PP_FILE_NONE, n = 0;
	size_t i;

	if (x->peek.continues.n == 0 || x->older)
		return PP_FILE_NONE;
	for (i = 0; i < f->n; i++) {
		y = &f->v[i];
		if (y == x || y->reader != x->reader ||
		    side_of(f, y) != side_of(f, x) ||
		    !is_called(y, x->peek.continues))
			continue;
		if (y->store == x->store &&
		    pp_str_eq(folder_of(x), folder_of(y))) {
			/* of versions the newest */
			if (beside == PP_FILE_NONE || (y->entry != NULL &&
			    y->entry->number >
			    f->v[beside].entry->number))
				beside = (uint32_t)i;
			continue;
		}
		found = (uint32_t)i;
		n++;
	}
	return beside != PP_FILE_NONE ? beside : n == 1 ? found :
	    PP_FILE_NONE;
}

/*
 * Parts of a trace that outgrew its limit: NAME_1.trc and the newest ones up
 * to the last, NAME.trc.  A number has at most four digits: longer ones are
 * process ids.
 */
static void
find_part(struct pp_files *f, struct part *p, uint32_t index)
{
	pp_str s = pp_files_without_suffix(pp_str_from(f->v[index].full));
	size_t n;

	p->file = index;
	p->store = f->v[index].store;
	p->version = f->v[index].entry != NULL ? f->v[index].entry->number :
	    0;
	p->number = LAST_PART;
	if (pp_str_ends(s, PP_STR(".trc")))
		s.n -= 4;
	p->stem = s;
	for (n = s.n; n > 0 && s.p[n - 1] >= '0' && s.p[n - 1] <= '9';)
		n--;
	if (n < 2 || s.p[n - 1] != '_' || n == s.n || s.n - n > 4)
		return;
	p->stem.n = n - 1;
	for (p->number = 0; n < s.n; n++)
		p->number = p->number * 10 + (uint32_t)(s.p[n] - '0');
}

static int
by_part(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int c = by_store(x->store, y->store);

	if (c == 0)
		c = pp_str_cmp(x->stem, y->stem);
	if (c != 0)
		return c;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	/* the newest version first */
	if (x->version != y->version)
		return x->version > y->version ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

/* May y go on where x ends?  Two traces may be called so by chance. */
static bool
may_follow(const struct pp_files *f, const struct pp_file *x,
    const struct pp_file *y)
{
	return x->reader == y->reader && side_of(f, x) == side_of(f, y) &&
	    x->peek.has_tick &&
	    y->peek.has_tick && x->peek.tick <= y->peek.tick;
}

/*
 * Each stem stands in the list twice: as itself, NAME, and as the rest of
 * NAME_12.  Only where the last part is there are the others parts.
 */
static size_t
find_parts(struct pp_files *f, struct part *v)
{
	size_t i, n = 0;

	for (i = 0; i < f->n; i++) {
		find_part(f, &v[n], (uint32_t)i);
		if (v[n++].number != LAST_PART) {
			/* x_ora_77.trc may be the last part of its own */
			v[n] = v[n - 1];
			v[n].number = LAST_PART;
			v[n].stem = pp_files_without_suffix(
			    pp_str_from(f->v[i].full));
			if (pp_str_ends(v[n].stem, PP_STR(".trc")))
				v[n].stem.n -= 4;
			n++;
		}
	}
	return n;
}

/* The parts v[0..n) of one trace, by number: of those of one number, x.trc
 * and x.trc.gz or versions, only the first has its place. */
static void
link_run(struct pp_files *f, const struct part *v, size_t n)
{
	const struct part *last = &v[0];
	struct pp_file *x;
	size_t i;

	for (i = 1; i < n; i++) {
		if (v[i].number == last->number)
			continue;
		x = &f->v[v[i].file];
		if (x->chain == PP_FILE_NONE && last->file != v[i].file &&
		    may_follow(f, &f->v[last->file], x))
			x->chain = last->file;
		last = &v[i];
	}
}

static void
link_parts(struct pp_files *f)
{
	struct part *v = pp_mem_alloc(f->mem, 2 * f->n * sizeof(*v));
	size_t i, j, n = find_parts(f, v);

	qsort(v, n, sizeof(*v), by_part);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && v[j].store == v[i].store &&
		    pp_str_eq(v[j].stem, v[i].stem);)
			j++;
		if (v[j - 1].number == LAST_PART)
			link_run(f, v + i, j - i);
	}
	pp_mem_free(f->mem, v);
}

/* The first file of x's chain; its links are cut where they go round. */
static struct pp_file *
chain_head(struct pp_files *f, struct pp_file *x)
{
	struct pp_file *y = x;
	uint32_t n = 0;

	while (y->chain != PP_FILE_NONE) {
		if (n++ == f->n) {
			x->chain = PP_FILE_NONE;
			x->rank = 0;
			return x;
		}
		y = &f->v[y->chain];
	}
	x->rank = n;
	return y;
}

struct folder {
	const struct pp_store *store;
	pp_str path;
	const struct pp_reader *reader;
	uint8_t side;
	uint32_t version;	/* number in the archive; 0: in none */
	uint32_t batch;		/* what it was added with; 0: not known */
	uint32_t set;		/* see part_sets */
	uint32_t file;
};

static int
by_place(const struct folder *x, const struct folder *y)
{
	int c = by_store(x->store, y->store);

	if (c == 0)
		c = pp_str_cmp(x->path, y->path);
	if (c == 0 && x->reader != y->reader)
		c = strcmp(x->reader->name, y->reader->name);
	return c != 0 ? c : x->side < y->side ? -1 : x->side > y->side;
}

static int
by_version(const void *a, const void *b)
{
	const struct folder *x = a, *y = b;
	int c = by_place(x, y);

	if (c != 0)
		return c;
	if (x->version != y->version)
		return x->version < y->version ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

static int
by_set(const void *a, const void *b)
{
	const struct folder *x = a, *y = b;
	int c = by_place(x, y);

	if (c != 0)
		return c;
	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

/*
 * The profiles v[0..n) of a folder in an archive, as they were added: one
 * whose path is there already begins another set, with those that were added
 * with it, for the folder had then been written again.
 */
static void
part_sets(const struct pp_files *f, struct folder *v, size_t n)
{
	size_t i, k, to, from = 0;

	for (i = 0; i < n; i++) {
		for (k = from; k < i && strcmp(f->v[v[k].file].full,
		    f->v[v[i].file].full) != 0;)
			k++;
		if (k < i) {
			for (to = i; to > k + 1 && v[i].batch != 0 &&
			    v[to - 1].batch == v[i].batch;)
				to--;
			for (from = to; to < i; to++)
				v[to].set = (uint32_t)from;
		}
		v[i].set = (uint32_t)from;
	}
}

/* Files that share sessions follow each other. */
static void
link_shared(struct pp_files *f)
{
	struct folder *v = pp_mem_zalloc(f->mem, (f->n + 1) * sizeof(*v));
	size_t i, j, n = 0;

	for (i = 0; i < f->n; i++) {
		const struct pp_file *x = &f->v[i];

		if (!x->peek.shares || x->chain != PP_FILE_NONE)
			continue;
		v[n++] = (struct folder){.store = x->store,
			.path = folder_of(x), .reader = x->reader,
			.side = side_of(f, x), .file = (uint32_t)i,
			.version = x->entry != NULL ? x->entry->number : 0,
			.batch = x->entry != NULL ? x->entry->batch : 0};
	}
	if (n > 0)
		qsort(v, n, sizeof(*v), by_version);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && by_place(&v[i], &v[j]) == 0;)
			j++;
		if (v[i].store != NULL)
			part_sets(f, v + i, j - i);
	}
	if (n > 0)
		qsort(v, n, sizeof(*v), by_set);
	for (i = 1; i < n; i++)
		if (by_place(&v[i - 1], &v[i]) == 0 &&
		    v[i - 1].set == v[i].set)
			f->v[v[i].file].chain = v[i - 1].file;
	pp_mem_free(f->mem, v);
}

/* Files are in their order: link chains, number groups by their first file. */
static void
make_groups(struct pp_files *f)
{
	struct pp_file *x, *head;
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < f->n; i++) {
		f->v[i].chain = named_predecessor(f, &f->v[i]);
		f->v[i].group = PP_FILE_NONE;
		f->v[i].id = (uint32_t)i;
	}
	link_parts(f);
	link_shared(f);
	for (i = 0; i < f->n; i++)
		chain_head(f, &f->v[i]);
	for (i = 0; i < f->n; i++) {
		x = &f->v[i];
		head = chain_head(f, x);
		if (head->group == PP_FILE_NONE)
			head->group = n++;
		x->group = head->group;
	}
}

void
pp_chain_order(struct pp_files *f)
{
	qsort(f->v, f->n, sizeof(*f->v), by_time);
	find_sides(f);
	make_groups(f);
}
