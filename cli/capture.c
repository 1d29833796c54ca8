/*
 * capture.c: see capture.h.
 *
 * Sources stand in the model by their first time, then name, whatever the
 * order of the arguments (chain.c).  Files of a group share the event log,
 * the sessions and the reader's state, and are read in the order of their
 * chain.
 */
#include "capture.h"
#include "chain.h"
#include "jobs.h"
#include "effect.h"
#include "split.h"
#include "values.h"
#include "../model/digest_fill.h"
#include "../model/digests.h"
#include "../model/report/digest_fold.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- heads */

static uint64_t
count_lines(pp_str s)
{
	const char *end = s.p + s.n, *p = s.p;
	uint64_t n = 0;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		n++;
		p++;
	}
	return n + (s.n != 0 && end[-1] != '\n');
}

/* How messages call it. */
static const char *
shown(const struct pp_file *x)
{
	if (x->told != NULL)
		return x->told;
	return strcmp(x->path, "-") == 0 ? "standard input" : x->path;
}

static struct pp_input *
open_input(struct pp_run *r, struct pp_file *x, pp_str *err)
{
	if (x->from != NULL)
		return pp_input_open_from(&r->mem, x->from, 0, err);
	if (x->store != NULL)
		return pp_archived_open(&r->mem, x->store, x->entry, err);
	if (!x->regular)
		x->mem = pp_jobs_memory(r);
	return pp_input_open(x->mem != NULL ? x->mem : &r->mem, x->path, 0,
	    err);
}

/* What is often given and is no input: the way to one. */
static const char *
hint_for(pp_str head)
{
	if (pp_str_starts(head, PP_STR("ERROR at line ")))
		return "; the client rejected its command: there is no "
		    "result";
	if (pp_str_find(head, PP_STR("# Query_time: ")) != head.n)
		return "; of a slow query log, run pt-query-digest --output "
		    "json";
	if (pp_str_find(head, PP_STR("# Query size ")) != head.n ||
	    pp_str_find(head, PP_STR("# Overall: ")) != head.n)
		return "; of this report, run pt-query-digest --output json";
	return "";
}

static void
look_at(struct pp_run *r, struct pp_files *f, struct pp_file *x,
    const struct pp_reader *forced)
{
	struct pp_input *in;
	pp_str head, err;

	in = open_input(r, x, &err);
	if (in == NULL) {
		x->trouble = err;
		return;
	}
	r->input = in;
	head = pp_input_head(in);
	if (head.n == 0 && pp_input_error(in).n != 0)
		x->trouble = pp_arena_str(&f->text, pp_input_error(in));
	x->reader = forced != NULL ? forced : pp_reader_probe(head);
	if (x->reader == NULL && head.n == PP_HEAD) {
		/* a first row of more than 64 KiB tells nothing by then */
		head = pp_input_long_head(in);
		x->reader = pp_reader_probe(head);
	}
	x->head_lines = count_lines(head);
	x->head_is_all = head.n != PP_HEAD && head.n != PP_HEAD_LONG;
	x->hint = hint_for(head);
	if (x->reader == NULL && r->opt->client_dialect)
		x->reader = pp_reader_named(PP_STR("client"));
	if (x->trouble.n != 0)
		x->reader = NULL;
	if (x->reader != NULL) {
		x->reader->peek(head, &x->peek);
		x->peek.continues = pp_arena_str(&f->text, x->peek.continues);
	}
	if (x->reader != NULL && (!x->regular || x->from != NULL))
		x->in = in;
	else
		pp_input_close(in);
	r->input = NULL;
}

static void
tell_unknown(struct pp_run *r, const struct pp_file *x)
{
	struct pp_diag *d = &r->model.diag;

	pp_diag_file(d, x->source, shown(x));
	if (x->head_lines == 0)
		pp_diag_tell(d, PP_MSG_NOT_RECOGNISED, 0, UINT64_MAX,
		    "no record that a reader knows: the file is empty");
	else
		pp_diag_tell(d, PP_MSG_NOT_RECOGNISED, 0, UINT64_MAX,
		    "no record that a reader knows: 0 of %s%" PRIu64
		    " line%s recognised%s", x->head_is_all ? "" :
		    "the first ", x->head_lines, x->head_lines == 1 ? "" :
		    "s", x->hint != NULL ? x->hint : "");
}

static int
by_path(const void *a, const void *b)
{
	const struct pp_file *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	return c != 0 ? c : pp_file_in_archive_cmp(x, y);
}

static void
tell_word(struct pp_run *r, size_t word)
{
	pp_diag_file(&r->model.diag, UINT32_MAX, r->opt->words[word]);
	pp_diag_tell(&r->model.diag, PP_MSG_NOT_RECOGNISED, 0, UINT64_MAX,
	    "no file with a record that a reader knows");
}

/* A folder or pattern that holds nothing is told by its own name. */
static void
tell_empty_words(struct pp_run *r, struct pp_files *f)
{
	const struct pp_file *x;
	size_t i;

	for (i = 0; i < f->nlinks; i++) {
		x = &f->v[f->links[i].file];
		/* what was named itself is told of by itself */
		if (x->reader != NULL || x->named)
			f->used[f->links[i].word] = true;
	}
	for (i = 0; i < r->opt->nwords; i++)
		if (!f->used[i])
			tell_word(r, i);
}

/* Tell trouble, drop what is only a bystander in a folder. */
static void
keep_usable(struct pp_run *r, struct pp_files *f)
{
	struct pp_diag *d = &r->model.diag;
	struct pp_file *x;
	size_t i, n = 0;

	for (i = 0; i < f->n; i++) {
		x = &f->v[i];
		if (x->trouble.n != 0) {
			pp_diag_file(d, UINT32_MAX, shown(x));
			pp_diag_tell(d, PP_MSG_UNREADABLE, 0, UINT64_MAX,
			    "%.*s", (int)x->trouble.n, x->trouble.p);
		} else if (x->reader != NULL || x->named) {
			f->v[n++] = *x;
		}
	}
	f->n = n;
}

/* -------------------------------------------------------------- finding */

static void
make_source(struct pp_run *r, struct pp_file *x)
{
	struct pp_source *s;

	x->source = pp_model_source(&r->model);
	s = &r->model.sources[x->source];
	s->name = x->name;
	s->path = pp_str_from(x->path);
	s->group = x->group;
	pp_split_source(r, s);
	if (x->reader != NULL)
		s->reader = pp_str_from(x->reader->name);
}

bool
pp_capture_check(const struct pp_options *o)
{
	const struct pp_reader *const *all;
	const char *near, *names[16];
	size_t n, i;

	if (o->reader == NULL || pp_reader_named(pp_str_from(o->reader)))
		return true;
	all = pp_readers(&n);
	for (i = 0; i < n && i < sizeof(names) / sizeof(names[0]); i++)
		names[i] = all[i]->name;
	near = pp_value_nearest(o->reader, names, i);
	if (near != NULL)
		pp_usage(o->command, "unknown reader `%s`; did you mean `%s`?",
		    o->reader, near);
	else
		pp_usage(o->command, "unknown reader `%s`; `profpivot list "
		    "readers` names them", o->reader);
	return false;
}

/* The files are found: what are they? */
static bool
take(struct pp_run *r, struct pp_files *f)
{
	const struct pp_options *o = r->opt;
	const struct pp_reader *forced = o->reader == NULL ? NULL :
	    pp_reader_named(pp_str_from(o->reader));
	bool any = false;
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->v[i].trouble.n == 0)
			look_at(r, f, &f->v[i], forced);
	tell_empty_words(r, f);
	if (f->n != 0)
		qsort(f->v, f->n, sizeof(*f->v), by_path);
	keep_usable(r, f);
	if (f->n == 0)
		return false;
	pp_files_name(f);
	pp_chain_order(f);
	for (i = 0; i < f->n; i++) {
		make_source(r, &f->v[i]);
		if (f->v[i].reader == NULL)
			tell_unknown(r, &f->v[i]);
		else
			any = true;
	}
	return any;
}

bool
pp_capture_stored(struct pp_run *r, struct pp_files *f, struct pp_store *s,
    const struct pp_entry *const *e, size_t n, const pp_str *names)
{
	pp_files_stored(f, &r->mem, s, e, n, names);
	return take(r, f);
}

bool
pp_capture_passing(struct pp_run *r, struct pp_files *f, struct pp_store *s,
    const struct pp_entry *e, const struct pp_input_from *from)
{
	pp_files_stored(f, &r->mem, s, &e, 1, NULL);
	f->v[0].from = from;
	return take(r, f);
}

void
pp_capture_notices(struct pp_run *r, const struct pp_files *f)
{
	size_t i;

	for (i = 0; i < f->nnotices && !r->opt->quiet; i++)
		pp_run_say(r, "notice: %s", f->notice[i]);
}

/* With -q nothing has been printed: why there is no output is told yet. */
static void
tell_kept(struct pp_run *r)
{
	const struct pp_diag *d = &r->model.diag;
	const struct pp_problem *p;
	pp_str path;
	size_t i;

	for (i = 0; i < d->count; i++) {
		p = &d->problems[i];
		if (pp_msg_info[p->id].severity == PP_SEV_NOTICE)
			continue;
		path = p->source != UINT32_MAX ?
		    r->model.sources[p->source].path :
		    r->opt->nwords == 1 ? pp_str_from(r->opt->words[0]) :
		    PP_STR("");
		pp_run_say(r, "%.*s%s%.*s [%s]", (int)path.n, path.p,
		    path.n > 0 ? ": " : "", (int)p->message.n, p->message.p,
		    pp_msg_info[p->id].id);
	}
}

bool
pp_capture_find(struct pp_run *r, struct pp_files *f)
{
	const struct pp_options *o = r->opt;

	pp_files_find(f, &r->mem, o->words, o->nwords, o->out, &o->range);
	pp_capture_notices(r, f);
	if (f->is_out != NULL) {
		pp_run_say(r, "-o %s: is the input %s; nothing written",
		    o->out, f->is_out);
		return false;
	}
	if (pp_range_given(&o->range) && !f->archives) {
		pp_run_say(r, "--from and --to choose profiles of an archive, "
		    "and no input is one; --since and --until choose times "
		    "within");
		return false;
	}
	if (take(r, f))
		return true;
	if (o->quiet)
		tell_kept(r);
	return false;
}

/* -------------------------------------------------------------- reading */

/* What is known of a file at its end. */
struct ended {
	uint64_t lines;
	uint64_t bytes;
	pp_str error;		/* that ended it early; empty */
};

/* Fold a chunk that has been lexed; false: the run cannot go on. */
static bool
take_chunk(struct pp_run *r, const struct pp_file *x, struct pp_fold *fold,
    const struct pp_chunk *c, const struct pp_records *rec, uint64_t done,
    struct ended *e)
{
	enum pp_status status = x->reader->fold(fold, c, rec);

	e->lines += c->lines;
	if (c->last && c->n != 0 && c->p[c->n - 1] != '\n')
		e->lines++;
	if (r->model.log.error != 0) {
		pp_run_log_failed(r);
		return false;
	}
	pp_progress_step(&r->progress, done);
	return status != PP_FATAL;
}

static void
end_of_file(struct pp_run *r, const struct pp_file *x, const struct ended *e,
    uint64_t done)
{
	struct pp_source *s = &r->model.sources[x->source];

	s->bytes = e->bytes;
	s->lines = e->lines;
	pp_progress_file(&r->progress, done);
}

/* Chunks of one file through lex and fold. */
static bool
read_chunks(struct pp_run *r, struct pp_file *x, struct pp_fold *fold,
    struct pp_records *rec, struct ended *e)
{
	struct pp_source *s;
	struct pp_chunk c;
	uint64_t done, all;

	memset(&c, 0, sizeof(c));
	while (pp_input_next(r->input, &c)) {
		pp_records_reset(rec);
		x->reader->lex(&c, rec);
		pp_input_progress(r->input, &done, &all);
		if (!take_chunk(r, x, fold, &c, rec, done, e))
			return false;
	}
	e->bytes = pp_input_bytes(r->input);
	e->error = pp_input_error(r->input);
	s = &r->model.sources[x->source];
	s->has_sha256 = pp_input_sha256(r->input, s->sha256);
	pp_input_progress(r->input, &done, &all);
	end_of_file(r, x, e, done);
	return true;
}

/* The same where other threads read and lex, too. */
static bool
read_lane(struct pp_run *r, struct pp_file *x, struct pp_fold *fold,
    bool *opened, struct ended *e)
{
	const struct pp_ahead_item *i;

	for (;;) {
		i = pp_ahead_next(r->ahead, x->ahead, pp_jobs_later(r));
		if (i->end)
			break;
		if (!take_chunk(r, x, fold, &i->chunk, i->records, i->done,
		    e))
			return false;
	}
	*opened = i->opened;
	e->error = i->error;
	if (!i->opened)
		return true;
	e->bytes = i->bytes;
	x->hashed = i->hashed;
	x->hash = i->hash;
	r->model.sources[x->source].has_sha256 = i->summed;
	memcpy(r->model.sources[x->source].sha256, i->sha256,
	    sizeof(i->sha256));
	end_of_file(r, x, e, i->done);
	return true;
}

/* A file has been read: what is it worth? */
static void
judge(struct pp_run *r, struct pp_files *f, struct pp_file *x,
    const struct ended *e)
{
	struct pp_source *s = &r->model.sources[x->source];
	struct pp_diag *d = &r->model.diag;

	if (e->error.n != 0)
		pp_diag_tell(d, PP_MSG_BAD_GZIP, 0, e->bytes, "%.*s",
		    (int)e->error.n, e->error.p);
	if (s->records != 0) {
		s->status = d->partial || s->rejected != 0 ? PP_SRC_PARTIAL :
		    PP_SRC_COMPLETE;
		return;
	}
	s->status = PP_SRC_EMPTY;
	if (d->seen[PP_MSG_EMPTY_RESULT] != 0)
		f->empty_result = true;
	else if (x->named)
		pp_diag_tell(d, PP_MSG_NOT_RECOGNISED, 0, UINT64_MAX,
		    "no record that a reader knows: 0 of %" PRIu64
		    " line%s recognised%s", s->lines, s->lines == 1 ? "" :
		    "s", x->hint != NULL ? x->hint : "");
	else
		/* a folder of traces holds others of the same server */
		pp_diag_tell(d, PP_MSG_EMPTY_RESULT, 0, UINT64_MAX,
		    "no record among %" PRIu64 " line%s", s->lines,
		    s->lines == 1 ? "" : "s");
}

static bool
read_here(struct pp_run *r, struct pp_file *x, struct pp_fold *fold,
    struct pp_records *rec, bool *opened, struct ended *e)
{
	r->input = x->in != NULL ? x->in : open_input(r, x, &e->error);
	x->in = NULL;
	*opened = r->input != NULL;
	return !*opened || read_chunks(r, x, fold, rec, e);
}

static bool
read_file(struct pp_run *r, struct pp_files *f, struct pp_file *x,
    struct pp_fold *fold, struct pp_records *rec)
{
	struct pp_diag *d = &r->model.diag;
	struct ended e = {0};
	bool ok, opened, before = d->partial;

	pp_diag_file(d, x->source, shown(x));
	d->partial = false;
	x->reader->begin(fold, x->source);
	ok = x->ahead != PP_FILE_NONE ? read_lane(r, x, fold, &opened, &e) :
	    read_here(r, x, fold, rec, &opened, &e);
	if (ok && !opened)
		/* it was there when its head was read */
		pp_diag_tell(d, PP_MSG_UNREADABLE, 0, UINT64_MAX, "%.*s",
		    (int)e.error.n, e.error.p);
	if (ok)
		x->reader->end(fold, x->source);
	if (ok && opened)
		judge(r, f, x, &e);
	d->partial |= before;
	pp_input_close(r->input);
	r->input = NULL;
	return ok;
}

/* Is a digest asked for, which statements have when they are complete? */
static bool
selects_digest(const struct pp_selection *s)
{
	size_t i;

	for (i = 0; s != NULL && i < s->nwhere; i++)
		if (s->where[i].column == PP_WHERE_DIGEST)
			return true;
	return false;
}

static bool
account(struct pp_run *r, uint32_t group)
{
	enum pp_status status;

	if (selects_digest(r->accounts.opt.select))
		pp_model_digest(&r->model, r->opt->digest.sql.loose);
	pp_jobs_walk(r);
	status = pp_account_walk(&r->accounts, group);
	pp_model_digest(&r->model, r->opt->digest.sql.loose);
	if (status != PP_FATAL && pp_run_too_many(r))
		return false;
	if (status != PP_FATAL && r->raw.plan != NULL)
		status = pp_plan_raw_group(&r->raw, &r->accounts);
	if (status != PP_FATAL && r->group != NULL)
		status = r->group(r);
	if (r->model.log.error != 0) {
		pp_run_log_failed(r);
		return false;
	}
	pp_log_reset(&r->model.log);
	pp_log_reset(&r->model.nested);
	pp_bytelog_reset(&r->model.binds);
	return status != PP_FATAL;
}

/* The files v[0..n) are one group. */
static bool
read_group(struct pp_run *r, struct pp_files *f, struct pp_file **v, size_t n)
{
	const struct pp_reader *reader = v[0]->reader;
	struct pp_records rec;
	struct pp_fold *fold;
	size_t i;
	bool ok = true;

	pp_records_init(&rec, &r->mem, reader->record_size);
	fold = reader->open(&r->model, v[0]->group);
	for (i = 0; i < n && ok; i++)
		ok = read_file(r, f, v[i], fold, &rec);
	reader->close(fold);
	pp_records_free(&rec);
	return ok && account(r, v[0]->group);
}

static void
start_progress(struct pp_run *r, const struct pp_files *f)
{
	uint64_t all = 0;
	size_t i;
	bool known = true;

	for (i = 0; i < f->n; i++) {
		if (f->v[i].reader == NULL)
			continue;
		all += f->v[i].size;
		known &= f->v[i].regular;
	}
	pp_progress_start(&r->progress, known ? all : 0);
}

static int
by_group(const void *a, const void *b)
{
	const struct pp_file *const *x = a, *const *y = b;

	if ((*x)->group != (*y)->group)
		return (*x)->group < (*y)->group ? -1 : 1;
	if ((*x)->rank != (*y)->rank)
		return (*x)->rank < (*y)->rank ? -1 : 1;
	return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

/*
 * Rows of digests that cannot be selected the way that is asked for are left
 * out, which is told; false where nothing else was read.
 */
static bool
can_select(struct pp_run *r)
{
	const struct pp_selection *s = r->accounts.opt.select;
	const char *what;

	if (r->model.digests == NULL || s == NULL ||
	    pp_digest_selectable(s, &what))
		return true;
	if ((r->model.inputs & PP_INPUT_ANY) == PP_INPUT_DIGESTS) {
		pp_run_say(r, "the input is totals by digest, which have no "
		    "%s; --where takes source, schema and digest of them",
		    what);
		return false;
	}
	pp_diag_tell(&r->model.diag, PP_MSG_UNSELECTABLE, 0, UINT64_MAX,
	    "totals by digest are left out: they have no %s", what);
	return true;
}

bool
pp_capture_read(struct pp_run *r, struct pp_files *f)
{
	struct pp_file **v = pp_mem_alloc(&r->mem,
	    f->n * sizeof(struct pp_file *));
	uint64_t records = 0;
	size_t i, j, n = 0;
	bool ok = true;

	for (i = 0; i < f->n; i++)
		if (f->v[i].reader != NULL)
			v[n++] = &f->v[i];
	qsort(v, n, sizeof(struct pp_file *), by_group);
	pp_jobs_start(r, v, n);
	start_progress(r, f);
	for (i = 0; i < n && ok; i = j) {
		for (j = i + 1; j < n && v[j]->group == v[i]->group;)
			j++;
		ok = read_group(r, f, v + i, j - i);
	}
	if (ok)
		pp_jobs_sums(r, f);
	pp_run_stop_jobs(r);
	pp_mem_free(&r->mem, v);
	pp_diag_file(&r->model.diag, UINT32_MAX, NULL);
	pp_progress_clear(&r->progress);
	for (i = 0; i < r->model.nsources; i++)
		records += r->model.sources[i].records;
	if (ok && records == 0 && !f->empty_result) {
		/* in a folder that has been told only as notices */
		for (i = 0; i < r->opt->nwords && !r->model.diag.partial; i++)
			tell_word(r, i);
		if (r->opt->quiet)
			tell_kept(r);
		return false;
	}
	ok = ok && can_select(r);
	if (ok && r->model.digests != NULL)
		pp_digests_resolve(r->model.digests);
	if (ok) {
		pp_account_finish(&r->accounts);
		pp_effect_tell(r);
	}
	return ok;
}
