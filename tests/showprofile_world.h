/*
 * showprofile_world.h: row sets of SHOW PROFILE by hand, through the row
 * reader, the accounts and the reports.
 *
 * A row set is text: cells between bars, rows between line ends, NULL as \N.
 */
#ifndef PP_SHOWPROFILE_WORLD_H
#define PP_SHOWPROFILE_WORLD_H

#include "report_world.h"

#include "../readers/showprofile.h"

extern const struct pp_rowreader pp_rowreader_showprofile;

#define CELLS 24

struct profile_world {
	struct world w;
	void *state;
	uint32_t source;
	uint32_t line;
	uint32_t sets;
	uint64_t taken, rejected;
	bool done;
};

/* What is said of the next set only. */
struct around {
	const char *statement;	/* that led to it */
	const char *heading;
	int footer;		/* rows that its footer counts; 0: none */
	bool head_cut, tail_cut;
	bool nameless;
};

static inline struct profile_world *
profile_world_open(void)
{
	struct profile_world *x = calloc(1, sizeof(*x));
	struct pp_source *s;

	assert_non_null(x);
	pp_mem_init(&x->w.mem, 0);
	pp_model_init(&x->w.m, &x->w.mem, NULL, "/tmp");
	x->source = pp_model_source(&x->w.m);
	s = &x->w.m.sources[x->source];
	s->name = s->path = PP_STR("p");
	x->w.m.raw = true;
	x->line = 1;
	pp_diag_file(&x->w.m.diag, x->source, "p");
	x->state = pp_rowreader_showprofile.open(&x->w.m, 0);
	pp_rowreader_showprofile.source(x->state, x->source);
	return x;
}

static inline void
profile_world_close(struct profile_world *x)
{
	pp_mem_free_all(&x->w.mem);
	free(x);
}

/* The cells of the row at *s, which moves to the next row. */
static inline size_t
split_row(const char **s, struct pp_rs_cell *cells)
{
	size_t n = 0;

	for (;;) {
		size_t len = strcspn(*s, "|\n");

		assert_true(n < CELLS);
		cells[n].text = (pp_str){*s, len};
		cells[n].state = PP_CELL_TEXT;
		if (len == 2 && memcmp(*s, "\\N", 2) == 0)
			cells[n] = (struct pp_rs_cell){{"", 0}, PP_CELL_NULL};
		else if (len == 2 && memcmp(*s, "\\C", 2) == 0)
			cells[n] = (struct pp_rs_cell){{"0.0", 3},
			    PP_CELL_CUT};
		n++;
		*s += len;
		if (**s != '|')
			break;
		++*s;
	}
	if (**s == '\n')
		++*s;
	return n;
}

/* The first rows, for the sets that have no names. */
struct sample {
	struct pp_rs_cell cells[PP_RS_SAMPLE][CELLS];
	struct pp_rs_row rows[PP_RS_SAMPLE];
	size_t n;
};

static inline void
take_sample(struct sample *t, const char *rows)
{
	for (t->n = 0; t->n < PP_RS_SAMPLE && *rows != '\0'; t->n++) {
		t->rows[t->n] = (struct pp_rs_row){.cells = t->cells[t->n]};
		t->rows[t->n].n = split_row(&rows, t->cells[t->n]);
	}
}

/* Feed a row set; false when the reader does not want it. */
static inline bool
feed(struct profile_world *x, const struct around *a, const char *names,
    const char *rows)
{
	const struct pp_rowreader *r = &pp_rowreader_showprofile;
	struct pp_rs_cell heads[CELLS], cells[CELLS];
	pp_str head[CELLS];
	struct pp_rowset rs = {.form = PP_FORM_BOX, .number = ++x->sets,
		.names = head, .line = x->line};
	struct sample sample;
	size_t i;

	take_sample(&sample, rows);
	rs.sample = sample.rows;
	rs.nsample = sample.n;
	rs.ncols = split_row(&names, heads);
	for (i = 0; i < rs.ncols; i++)
		head[i] = heads[i].text;
	rs.has_names = a == NULL || !a->nameless;
	if (a != NULL) {
		rs.statement = pp_str_from(a->statement);
		rs.heading = pp_str_from(a->heading);
		rs.head_cut = a->head_cut;
	}
	if (r->match(&rs) == 0)
		return false;
	r->begin(x->state, &rs);
	x->line++;
	while (*rows != '\0') {
		struct pp_rs_row row = {.cells = cells, .line = x->line++};

		row.n = split_row(&rows, cells);
		row.partial = row.n < rs.ncols;
		rs.rows++;
		if (r->row(x->state, &rs, &row) == PP_OK)
			x->taken++;
		else
			x->rejected++;
	}
	rs.has_footer = a != NULL && a->footer > 0;
	rs.footer_rows = a != NULL && a->footer > 0 ? (uint64_t)a->footer : 0;
	rs.tail_cut = a != NULL && a->tail_cut;
	r->end(x->state, &rs);
	return true;
}

static inline void
list(struct profile_world *x, const char *rows)
{
	assert_true(feed(x, NULL, "Query_ID|Duration|Query", rows));
}

/* SHOW PROFILE FOR QUERY id; 0: without a number. */
static inline void
profile(struct profile_world *x, unsigned id, const char *rows)
{
	char statement[64] = "SHOW PROFILE";
	struct around a = {.statement = statement};

	if (id > 0)
		snprintf(statement, sizeof(statement),
		    "SHOW PROFILE FOR QUERY %u", id);
	assert_true(feed(x, &a, "Status|Duration", rows));
}

static inline void
note(struct profile_world *x, enum pp_note_kind kind, const char *text)
{
	struct pp_note n = {kind, pp_str_from(text), x->line, 0};

	pp_rowreader_showprofile.note(x->state, &n);
}

/* The input is over: account for it, and see whether it adds up. */
static inline void
finish(struct profile_world *x)
{
	struct pp_account_options o = {.intervals = 20, .timeline = true};
	struct world *w = &x->w;
	char why[200];

	pp_rowreader_showprofile.source_end(x->state, x->source);
	pp_rowreader_showprofile.close(x->state);
	pp_account_init(&w->a, &w->m, &o);
	w->ctx.mem = &w->mem;
	w->ctx.model = &w->m;
	w->ctx.accounts = &w->a;
	assert_int_equal(pp_account_walk(&w->a, 0), PP_OK);
	pp_account_finish(&w->a);
	if (!pp_account_check(&w->a, why, sizeof(why)))
		fail_msg("%s", why);
	x->done = true;
}

/* ------------------------------------------------------------ the tables */

static inline int
column_at(const char *head, const char *name, size_t n)
{
	int k = 0;

	for (;; k++) {
		size_t len = strcspn(head, "|\n");

		if (len == n && memcmp(head, name, n) == 0)
			return k;
		if (head[len] != '|')
			return -1;
		head += len + 1;
	}
}

static inline void
add_cell(char *out, size_t size, const char *row, int k)
{
	size_t len, n = strlen(out);

	for (; k > 0; k--)
		row += strcspn(row, "|\n") + 1;
	len = strcspn(row, "|\n");
	assert_true(n + len + 2 < size);
	memcpy(out + n, row, len);
	out[n + len] = '\0';
}

#define RENDERED 32768

/* Some columns (a comma list) of a table as text. */
static inline void
columns_of(struct world *w, const char *table, const char *columns,
    char *out)
{
	const struct pp_report *r = pp_report_named(pp_str_from(table));
	const char *row, *c;
	struct text_sink t;
	size_t n;

	out[0] = '\0';
	text_sink_init(&t);
	assert_int_equal(r->emit(&w->ctx, &t.sink), PP_OK);
	for (row = strchr(t.text, '\n') + 1; *row != '\0';
	    row = strchr(row, '\n') + 1) {
		for (c = columns; *c != '\0'; c += n + (c[n] == ',')) {
			n = strcspn(c, ",");
			assert_true(column_at(t.text, c, n) >= 0);
			if (c != columns)
				strcat(out, "|");
			add_cell(out, RENDERED, row,
			    column_at(t.text, c, n));
		}
		strcat(out, "\n");
	}
	free(t.text);
}

static inline void
expect(struct profile_world *x, const char *table, const char *columns,
    const char *want)
{
	char *out = malloc(RENDERED);

	assert_non_null(out);
	if (!x->done)
		finish(x);
	columns_of(&x->w, table, columns, out);
	assert_string_equal(out, want);
	free(out);
}

/* How often a message was told. */
static inline uint64_t
told(const struct profile_world *x, enum pp_msg id)
{
	const struct pp_diag *d = &x->w.m.diag;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < d->count; i++)
		if (d->problems[i].id == id)
			n += d->problems[i].count;
	return n;
}

static inline int
open_world(void **state)
{
	*state = profile_world_open();
	return 0;
}

static inline int
close_world(void **state)
{
	profile_world_close(*state);
	return 0;
}

#endif
