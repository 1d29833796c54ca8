/*
 * archive_add.c: `archive add`: files, folders, standard input and profiles of
 * other archives into an archive.
 */
#include "archive.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../model/log/tmpfile.h"
#include "capture.h"

struct count {
	uint64_t added, same, unknown, lost;
	bool stop;		/* the archive cannot be written */
};

/* What can be read only once goes through a temporary file. */
static int
spool(struct pp_run *r, int fd, const char *name)
{
	char buf[65536];
	int to = pp_tmp_open(r->tmpdir);
	ssize_t n = 0;

	while (to >= 0 && (n = read(fd, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || !pp_tmp_write(to, buf, (size_t)n))
			break;
	}
	if (to >= 0 && n == 0)
		return to;
	pp_run_say(r, "%s: %s: %s", name, n < 0 ? "cannot read" : r->tmpdir,
	    strerror(errno));
	if (to >= 0)
		close(to);
	return -1;
}

/* A descriptor of the file that can be read twice; -1: told. */
static int
open_file(struct pp_run *r, const struct pp_file *x)
{
	bool in = strcmp(x->path, "-") == 0;
	int fd, copy;

	do
		fd = in ? dup(STDIN_FILENO) : open(x->path, O_RDONLY |
		    O_CLOEXEC | O_NOCTTY);
	while (fd < 0 && errno == EINTR);
	if (fd < 0) {
		pp_run_say(r, "%s: cannot open: %s", x->path,
		    strerror(errno));
		return -1;
	}
	if (x->regular && !in)
		return fd;
	copy = spool(r, fd, in ? "standard input" : x->path);
	close(fd);
	return copy;
}

static void
tally(struct pp_archive_run *a, struct count *c, const char *name,
    pp_str path, enum pp_put how, const struct pp_entry *e)
{
	pp_str shown = e != NULL ? pp_archived_path(e) : path;

	switch (how) {
	case PP_PUT_ADDED:
		c->added++;
		if (e->reader.n == 0)
			c->unknown++;
		if (a->run.opt->verbose)
			pp_run_say(&a->run, "%s: added as %u", name,
			    (unsigned)e->number);
		break;
	case PP_PUT_SAME:
		c->same++;
		if (a->run.opt->verbose || (!a->run.opt->quiet &&
		    !pp_str_eq(path, e->path)))
			pp_run_say(&a->run, "%s: the same as %u, %.*s; stored "
			    "once", name, (unsigned)e->number,
			    (int)shown.n, shown.p);
		break;
	case PP_PUT_FAILED:
		c->stop = true;
		break;
	case PP_PUT_UNREADABLE:
		c->lost++;
		break;
	}
}

static void
add_one(struct pp_archive_run *a, const struct pp_file *x, struct count *c)
{
	struct pp_put_from from = {.fd = -1, .store = x->store,
		.entry = x->entry};
	const struct pp_entry *e = NULL;
	enum pp_put how;

	if (x->store == NULL) {
		from.fd = open_file(&a->run, x);
		if (from.fd < 0) {
			c->lost++;
			return;
		}
	}
	how = pp_archive_put(a, pp_str_from(x->path), x->named, &from, &e);
	tally(a, c, x->told != NULL ? x->told : strcmp(x->path, "-") == 0 ?
	    "stdin" : x->path,
	    pp_str_from(x->path), how, e);
	if (from.fd >= 0)
		close(from.fd);
}

static int
by_path(const void *a, const void *b)
{
	const struct pp_file *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	if (c != 0)
		return c;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* An archive that was made for nothing is taken away again. */
static void
drop_empty(struct pp_archive_run *a)
{
	if (a->append->created && a->append->store->n == 0)
		unlink(a->path);
}

static void
tell_none(struct pp_archive_run *a)
{
	size_t i;

	for (i = 0; i < a->nwords; i++)
		pp_run_say(&a->run, "%s: no file in it", a->words[i]);
}

static enum pp_exit
add_files(struct pp_archive_run *a, struct pp_files *f)
{
	struct count c = {0};
	size_t i;

	if (f->n > 1)
		qsort(f->v, f->n, sizeof(*f->v), by_path);
	for (i = 0; i < f->n && !c.stop; i++) {
		if (f->v[i].trouble.n == 0) {
			add_one(a, &f->v[i], &c);
			continue;
		}
		pp_run_say(&a->run, "%s: %.*s", f->v[i].path,
		    (int)f->v[i].trouble.n, f->v[i].trouble.p);
		c.lost++;
	}
	drop_empty(a);
	if (f->n == 0) {
		tell_none(a);
		return PP_EXIT_NOTHING;
	}
	if (!a->run.opt->quiet) {
		printf("%s: %" PRIu64 " added, %" PRIu64 " there already",
		    a->path, c.added, c.same);
		if (c.unknown > 0)
			printf(", %" PRIu64 " of the added known to no reader "
			    "and kept as they are", c.unknown);
		printf("\n");
	}
	if (!pp_flush_stdout() || (c.added == 0 && c.same == 0))
		return PP_EXIT_NOTHING;
	return c.stop || c.lost > 0 ? PP_EXIT_PARTIAL : PP_EXIT_OK;
}

enum pp_exit
pp_archive_add(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct pp_files f = {.sides = false};

	pp_files_find_every(&f, &r->mem, a->words, a->nwords, a->path,
	    &r->opt->range);
	if (f.is_out != NULL) {
		pp_run_say(r, "%s: an archive is not added to itself",
		    f.is_out);
		return PP_EXIT_USAGE;
	}
	if (!pp_archive_append(a, a->path, PP_APPEND_CREATE))
		return PP_EXIT_NOTHING;
	a->batch = a->append->store->commit.last + 1;
	return add_files(a, &f);
}
