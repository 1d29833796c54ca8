/*
 * client.c: the reader of what clients of MySQL, MariaDB and their relatives
 * print and export.
 *
 * The text knows no records that could be told apart without all that stands
 * before them (a cell may hold anything), so lex hands the bytes on, and fold
 * turns them into row sets (client/) for the row readers of rowreaders.def.
 * May touch the model and client/, not the accounts.
 */
#include "input.h"
#include "reader.h"

#include "client/client.h"

/* How much of a head a probe may use. */
#define PROBE_MEMORY ((size_t)64 << 20)

/* Names of columns prove no more than this.  A trace has as many bits in ten
 * records, and trying every form of client text on its head takes longer than
 * reading half a megabyte of it. */
#define BITS_MOST 512

/* Of an endless line of dashes so many are a border. */
#define BORDER_LEAST 2048

/* Bits for text that is surely of a client, but of no known columns. */
#define BITS_SESSION 4

struct want {
	const struct pp_rowreader *reader;
	void *state;
	bool takes;		/* the open row set */
	bool took;		/* a row of this source */
};

/*
 * What the row readers said of columns.  They are asked for each result, a
 * session has few kinds of them, and the answer takes longer than reading a
 * result of twenty rows.
 */
#define KINDS 16

struct kind {
	char *key;		/* all that they may look at */
	size_t n, cap;
	int *bits;		/* by reader */
};

struct pp_fold {
	struct pp_model *m;
	uint32_t source;
	struct pp_client *client;
	struct want *wants;
	size_t n;
	bool any;		/* somebody takes the open row set */
	struct kind kinds[KINDS];
	unsigned next_kind;
	struct kind asked;	/* the key of the one at hand */
};

/* ---------------------------------------------------------------- probing */

struct probe {
	int best;
	bool open;		/* the open row set matches */
	int bits;
	unsigned session;	/* lines that only a client's session has */
};

static int
best_match(const struct pp_rowset *rs)
{
	const struct pp_rowreader *const *v;
	int best = 0, bits;
	size_t i, n;

	v = pp_rowreaders(&n);
	for (i = 0; i < n; i++) {
		bits = v[i]->match(rs);
		if (bits > best)
			best = bits;
	}
	return best;
}

static int
probe_match(void *ctx, const struct pp_rowset *rs)
{
	(void)ctx;
	return best_match(rs);
}

static enum pp_status
probe_begin(void *ctx, const struct pp_rowset *rs)
{
	struct probe *p = ctx;

	p->bits = best_match(rs);
	if (rs->form == PP_FORM_BOX || rs->form == PP_FORM_VERTICAL)
		p->session++;
	if (p->bits / 2 > p->best)
		p->best = p->bits / 2;
	return PP_OK;
}

static enum pp_status
probe_row(void *ctx, const struct pp_rowset *rs, const struct pp_rs_row *row)
{
	struct probe *p = ctx;

	(void)rs;
	(void)row;
	if (p->bits > p->best)
		p->best = p->bits;
	return PP_OK;
}

static void
probe_end(void *ctx, const struct pp_rowset *rs)
{
	(void)ctx;
	(void)rs;
}

static void
probe_note(void *ctx, const struct pp_note *note)
{
	struct probe *p = ctx;

	if (note->kind != PP_NOTE_TEXT && note->kind != PP_NOTE_STATEMENT)
		p->session++;
}

static void
probe_problem(void *ctx, enum pp_msg id, uint64_t line, uint64_t offset,
    pp_str text)
{
	(void)ctx;
	(void)id;
	(void)line;
	(void)offset;
	(void)text;
}

/* There may be more of the file than its head. */
static bool
goes_on(pp_str head)
{
	return head.n == PP_HEAD || head.n == PP_HEAD_LONG;
}

static void
feed_head(struct pp_client **to, struct pp_mem *mem,
    const struct pp_client_sink *sink, pp_str head, bool last)
{
	*to = pp_client_open(mem, sink, NULL, NULL);
	(void)pp_client_feed(*to, head, 0, last);
}

/* What is in a head, as far as it goes; last: as if nothing followed. */
static void
probe_head(pp_str head, const struct pp_client_sink *sink, bool last)
{
	/* in a struct: what the trap leaves of it is looked at */
	struct {
		struct pp_client *client;
	} x = {NULL};
	struct pp_mem mem;
	jmp_buf trap;

	pp_mem_init(&mem, PROBE_MEMORY);
	mem.trap = &trap;
	if (setjmp(trap) == 0)
		feed_head(&x.client, &mem, sink, head, last);
	/* whatever ended it, the parsers of libraries are to be freed */
	if (x.client != NULL)
		pp_client_close(x.client);
	pp_mem_free_all(&mem);
}

/* A border is as wide as the longest cell, and may be longer than the head. */
static bool
ends_in_border(pp_str head)
{
	size_t n = 0;

	while (n < head.n && (head.p[head.n - 1 - n] == '-' ||
	    head.p[head.n - 1 - n] == '+'))
		n++;
	return n > BORDER_LEAST && head.p[head.n - n] == '+' &&
	    (n == head.n || head.p[head.n - n - 1] == '\n');
}

static int
probe(pp_str head)
{
	struct probe p = {.best = 0};
	const struct pp_client_sink sink = {&p, probe_match, probe_begin,
	    probe_row, probe_end, probe_note, probe_problem};

	if (head.n == 0)
		return 0;
	probe_head(head, &sink, !goes_on(head));
	/* the first row may be longer than the head: what there is of it */
	if (p.best == 0 && goes_on(head)) {
		probe_head(head, &sink, true);
		p.session += ends_in_border(head);
	}
	if (p.best == 0 && p.session > 0)
		return BITS_SESSION;
	return p.best < BITS_MOST ? p.best : BITS_MOST;
}

/* Files beside each other may hold the tables of one server, which share
 * threads and ids. */
static enum pp_status
peek_begin(void *ctx, const struct pp_rowset *rs)
{
	bool *shares = ctx;

	if (rs->has_names && pp_rs_column(rs, "EVENT_ID") >= 0 &&
	    pp_rs_column(rs, "THREAD_ID") >= 0)
		*shares = true;
	return PP_OK;
}

static enum pp_status
peek_row(void *ctx, const struct pp_rowset *rs, const struct pp_rs_row *row)
{
	(void)ctx;
	(void)rs;
	(void)row;
	return PP_OK;
}

static void
peek_note(void *ctx, const struct pp_note *note)
{
	(void)ctx;
	(void)note;
}

static void
peek(pp_str head, struct pp_peek *out)
{
	bool shares = false;
	const struct pp_client_sink sink = {&shares, probe_match, peek_begin,
	    peek_row, probe_end, peek_note, probe_problem};

	probe_head(head, &sink, !goes_on(head));
	out->shares = shares;
}

/* ------------------------------------------------------------------ sink */

static void
add_key(struct pp_fold *f, const void *p, size_t n)
{
	struct kind *k = &f->asked;
	void *v = k->key;

	if (k->n + n + 1 > k->cap) {
		pp_mem_grow(f->m->mem, &v, &k->cap, k->n + n + 1, 1);
		k->key = v;
	}
	if (n != 0)
		memcpy(k->key + k->n, p, n);
	k->n += n;
}

static void
add_text(struct pp_fold *f, pp_str s)
{
	add_key(f, &s.n, sizeof(s.n));
	add_key(f, s.p, s.n);
}

/* The key of a set with names: the whole of it. */
static void
make_key(struct pp_fold *f, const struct pp_rowset *rs)
{
	size_t i;

	f->asked.n = 0;
	add_key(f, &rs->form, sizeof(rs->form));
	for (i = 0; i < rs->ncols; i++)
		add_text(f, rs->names[i]);
	add_text(f, rs->statement);
	add_text(f, rs->table);
	add_text(f, rs->heading);
}

/* What each reader says of the set. */
static const int *
ask(struct pp_fold *f, const struct pp_rowset *rs)
{
	struct kind *k, was;
	bool named = rs->has_names && rs->nsample == 0;
	size_t i;

	if (named) {
		make_key(f, rs);
		for (i = 0; i < KINDS; i++) {
			k = &f->kinds[i];
			if (k->n == f->asked.n && k->bits != NULL &&
			    memcmp(k->key, f->asked.key, k->n) == 0)
				return k->bits;
		}
	}
	if (f->asked.bits == NULL)
		f->asked.bits = pp_mem_alloc(f->m->mem,
		    f->n * sizeof(*f->asked.bits) + 1);
	for (i = 0; i < f->n; i++)
		f->asked.bits[i] = f->wants[i].reader->match(rs);
	if (!named)
		return f->asked.bits;
	k = &f->kinds[f->next_kind++ % KINDS];
	was = *k;
	*k = f->asked;
	f->asked = was;
	return k->bits;
}

static int
match(void *ctx, const struct pp_rowset *rs)
{
	struct pp_fold *f = ctx;
	const int *bits = ask(f, rs);
	int best = 0;
	size_t i;

	for (i = 0; i < f->n; i++)
		if (bits[i] > best)
			best = bits[i];
	return best;
}

static enum pp_status
begin_set(void *ctx, const struct pp_rowset *rs)
{
	struct pp_fold *f = ctx;
	const int *bits = ask(f, rs);
	int best = 0;
	size_t i, to = 0;

	f->any = false;
	for (i = 0; i < f->n; i++) {
		f->wants[i].takes = bits[i] > 0;
		f->any |= bits[i] > 0;
		if (bits[i] > best) {
			best = bits[i];
			to = i;
		}
	}
	for (i = 0; i < f->n; i++) {
		/* without names the best guess is one guess */
		if (!rs->has_names && i != to)
			f->wants[i].takes = false;
		if (f->wants[i].takes)
			f->wants[i].reader->begin(f->wants[i].state, rs);
	}
	return PP_OK;
}

static enum pp_status
row(void *ctx, const struct pp_rowset *rs, const struct pp_rs_row *r)
{
	struct pp_fold *f = ctx;
	struct pp_source *s = &f->m->sources[f->source];
	bool taken = false;
	enum pp_status status;
	size_t i;

	if (!f->any)
		return PP_OK;
	for (i = 0; i < f->n; i++) {
		struct want *w = &f->wants[i];

		if (!w->takes)
			continue;
		status = w->reader->row(w->state, rs, r);
		if (status == PP_FATAL)
			return status;
		taken |= status == PP_OK;
		w->took |= status == PP_OK;
	}
	/* the readers may have added sources */
	s = &f->m->sources[f->source];
	if (taken)
		s->records++;
	else
		s->rejected++;
	return PP_OK;
}

static void
end_set(void *ctx, const struct pp_rowset *rs)
{
	struct pp_fold *f = ctx;
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->wants[i].takes)
			f->wants[i].reader->end(f->wants[i].state, rs);
	if (f->any && rs->rows == 0)
		pp_diag_tell(&f->m->diag, PP_MSG_EMPTY_RESULT, rs->line,
		    rs->offset, "a result without rows");
	if (!f->any && rs->rows != 0)
		pp_diag_tell(&f->m->diag, PP_MSG_OTHER_ROWS, rs->line,
		    rs->offset, "%llu row%s under columns that no reader "
		    "knows", (unsigned long long)rs->rows,
		    rs->rows == 1 ? "" : "s");
	for (i = 0; i < f->n; i++)
		f->wants[i].takes = false;
	f->any = false;
}

static void
note(void *ctx, const struct pp_note *x)
{
	struct pp_fold *f = ctx;
	size_t i;

	if (x->kind == PP_NOTE_EMPTY)
		pp_diag_tell(&f->m->diag, PP_MSG_EMPTY_RESULT, x->line,
		    x->offset, "an empty set");
	for (i = 0; i < f->n; i++)
		if (f->wants[i].reader->note != NULL)
			f->wants[i].reader->note(f->wants[i].state, x);
}

static void
problem(void *ctx, enum pp_msg id, uint64_t line, uint64_t offset, pp_str text)
{
	struct pp_fold *f = ctx;

	if (id == PP_MSG_CUT_TABLE && !f->any)
		return;		/* of no concern to anybody */
	pp_diag_tell(&f->m->diag, id, line, offset, "%.*s", (int)text.n,
	    text.p);
}

/* ------------------------------------------------------------------ reader */

static void
lex(struct pp_chunk *c, struct pp_records *r)
{
	const char *p = c->p, *e = c->p + c->n;

	(void)r;
	c->used = c->n;
	c->lines = 0;
	while (p < e && (p = memchr(p, '\n', (size_t)(e - p))) != NULL) {
		c->lines++;
		p++;
	}
}

static struct pp_fold *
open_fold(struct pp_model *m, uint32_t group)
{
	struct pp_fold *f = pp_mem_zalloc(m->mem, sizeof(*f));
	const struct pp_rowreader *const *v;
	size_t i;

	f->m = m;
	v = pp_rowreaders(&f->n);
	f->wants = pp_mem_zalloc(m->mem, f->n * sizeof(*f->wants) + 1);
	for (i = 0; i < f->n; i++) {
		f->wants[i].reader = v[i];
		f->wants[i].state = v[i]->open(m, group);
	}
	return f;
}

static void
begin(struct pp_fold *f, uint32_t source)
{
	const struct pp_client_sink sink = {f, match, begin_set, row, end_set,
	    note, problem};
	struct pp_source *s = &f->m->sources[source];
	char *path;
	size_t i;

	f->source = source;
	f->any = false;
	path = pp_mem_alloc(f->m->mem, s->path.n + 1);
	if (s->path.n != 0)
		memcpy(path, s->path.p, s->path.n);
	path[s->path.n] = '\0';
	f->client = pp_client_open(f->m->mem, &sink, f->m->client, path);
	pp_mem_free(f->m->mem, path);
	for (i = 0; i < f->n; i++) {
		f->wants[i].takes = f->wants[i].took = false;
		if (f->wants[i].reader->source != NULL)
			f->wants[i].reader->source(f->wants[i].state, source);
	}
}

/* The names of those that took rows, as a list. */
static void
name_readers(struct pp_fold *f, struct pp_source *s)
{
	char *to;
	size_t i, n = 0, len;

	for (i = 0; i < f->n; i++)
		if (f->wants[i].took)
			n += strlen(f->wants[i].reader->name) + 1;
	s->reader = PP_STR("client");
	if (n == 0)
		return;
	to = pp_arena_alloc(&f->m->arena, n);
	for (i = 0, n = 0; i < f->n; i++) {
		if (!f->wants[i].took)
			continue;
		if (n != 0)
			to[n++] = ',';
		len = strlen(f->wants[i].reader->name);
		memcpy(to + n, f->wants[i].reader->name, len);
		n += len;
	}
	s->reader = (pp_str){to, n};
}

static void
end(struct pp_fold *f, uint32_t source)
{
	size_t i;

	f->source = source;
	pp_client_close(f->client);
	f->client = NULL;
	for (i = 0; i < f->n; i++)
		if (f->wants[i].reader->source_end != NULL)
			f->wants[i].reader->source_end(f->wants[i].state,
			    source);
	name_readers(f, &f->m->sources[source]);
}

static enum pp_status
fold(struct pp_fold *f, const struct pp_chunk *c, const struct pp_records *r)
{
	(void)r;
	return pp_client_feed(f->client, (pp_str){c->p, c->used}, c->offset,
	    c->last);
}

static void
close_fold(struct pp_fold *f)
{
	struct pp_mem *mem = f->m->mem;
	size_t i;

	if (f->client != NULL)
		pp_client_close(f->client);
	for (i = 0; i < f->n; i++)
		f->wants[i].reader->close(f->wants[i].state);
	for (i = 0; i < KINDS; i++) {
		pp_mem_free(mem, f->kinds[i].key);
		pp_mem_free(mem, f->kinds[i].bits);
	}
	pp_mem_free(mem, f->asked.key);
	pp_mem_free(mem, f->asked.bits);
	pp_mem_free(mem, f->wants);
	pp_mem_free(mem, f);
}

const struct pp_reader pp_reader_client = {
	.name = "client",
	.summary = "output and exports of clients of MySQL, MariaDB and "
	    "relatives",
	.record_size = sizeof(char),
	.probe = probe,
	.most_bits = BITS_MOST,
	.peek = peek,
	.lex = lex,
	.open = open_fold,
	.begin = begin,
	.end = end,
	.fold = fold,
	.close = close_fold,
};
