/*
 * archive_list.c: `archive list`.
 */
#include "archive.h"

#include <inttypes.h>

#include "term.h"

enum cell {
	C_NUMBER,
	C_TIME,
	C_PATH,
	C_NOTE,
	C_KIND,
	C_DATABASE,
	C_HOST,
	C_SIZE,
	C_RATIO,
	C_SPAN,
	C_CALLS,
	CELLS
};

struct list {
	struct pp_archive_run *a;
	struct pp_arena text;
	struct pp_page page;
	struct row {
		pp_str cell[CELLS];
	} *rows;
	size_t n;
	uint64_t profiles, names; /* of these, further names */
	uint64_t shown, stored;	/* bytes that gunzip shows, and in the file */
};

/* What is left out where the page is too narrow, the first at last. */
static const enum cell optional[] = {C_SPAN, C_CALLS, C_HOST, C_DATABASE};
#define OPTIONALS (sizeof(optional) / sizeof(optional[0]))
/* Paths have so much room before any of them. */
#define PATH_WANTED 48u
#define PATH_LEAST 12u

/* Bytes that a profile takes in the file. */
static uint64_t
stored_bytes(const struct pp_entry *e)
{
	return e->data_end - e->begin + (e->columns_end - e->columns);
}

/* ------------------------------------------------------------------ cells */

static pp_str
keep(struct list *l, const char *text)
{
	return pp_arena_str(&l->text, pp_str_from(text));
}

static pp_str
count_cell(struct list *l, uint64_t n)
{
	char buf[28];

	return pp_arena_str(&l->text, pp_count_text(buf, n));
}

static pp_str
ratio_cell(struct list *l, uint64_t shown, uint64_t stored)
{
	char buf[PP_DEC_MAX];

	if (stored == 0)
		return PP_STR("");
	return pp_arena_str(&l->text, (pp_str){buf, pp_dec_format(buf,
	    pp_div_half_up((pp_i128)shown * 10, (pp_i128)stored), 1)});
}

static pp_str
time_cell(struct list *l, const struct pp_entry *e)
{
	struct pp_wall w = {.us = e->first_us, .known = e->has_time,
		.has_offset = e->has_offset, .offset_min = e->offset_min};
	char buf[40];
	size_t n = pp_wall_format(buf, &w, 0);

	/* to the second */
	return pp_arena_str(&l->text, (pp_str){buf, n < 19 ? n : 19});
}

static pp_str
database_cell(struct list *l, const struct pp_entry *e)
{
	size_t n = pp_str_find(e->product, PP_STR(" Release "));
	char buf[200];

	/* what follows is the version once more */
	snprintf(buf, sizeof(buf), "%.*s%s%.*s%s%.*s", (int)(n < 60 ? n :
	    60), e->product.p, e->version.n ? " " : "",
	    (int)(e->version.n < 40 ? e->version.n : 40), e->version.p,
	    e->instance.n ? " " : "",
	    (int)(e->instance.n < 60 ? e->instance.n : 60), e->instance.p);
	return keep(l, buf);
}

static pp_str
note_cell(struct list *l, size_t i)
{
	const struct pp_entry *e = &l->a->store->v[i];
	uint32_t part = e->part_of;
	char buf[60];

	if (e->same_as != 0)
		snprintf(buf, sizeof(buf), "same as %u", (unsigned)e->same_as);
	else if (part != 0)
		snprintf(buf, sizeof(buf), "part of %u", (unsigned)part);
	else
		return PP_STR("");
	return keep(l, buf);
}

static void
fill_row(struct list *l, size_t i)
{
	const struct pp_entry *e = &l->a->store->v[i];
	pp_str *c = l->rows[l->n++].cell;
	char buf[PP_DEC_MAX];

	c[C_NUMBER] = count_cell(l, e->number);
	c[C_TIME] = time_cell(l, e);
	c[C_PATH] = pp_archived_path(e);
	c[C_NOTE] = note_cell(l, i);
	c[C_KIND] = e->reader.n != 0 ? e->reader : PP_STR("-");
	c[C_DATABASE] = database_cell(l, e);
	c[C_HOST] = e->host;
	c[C_SIZE] = count_cell(l, e->payload);
	if (e->has_span)
		c[C_SPAN] = pp_arena_str(&l->text, (pp_str){buf,
		    pp_dec_format(buf, pp_dec_rescale(e->span, e->digits, 3),
		    3)});
	if (e->reader.n != 0)
		c[C_CALLS] = count_cell(l, e->calls);
	l->profiles++;
	if (e->same_as != 0) {
		l->names++;
		return;
	}
	c[C_RATIO] = ratio_cell(l, e->payload, stored_bytes(e));
	l->shown += e->payload;
	l->stored += stored_bytes(e);
}

static void
fill_total(struct list *l)
{
	pp_str *c = l->rows[l->n++].cell;
	uint64_t n = l->profiles - l->names;
	char buf[80];
	size_t k;

	k = (size_t)snprintf(buf, sizeof(buf), "profile%s", n == 1 ? "" :
	    "s");
	if (l->names > 0)
		snprintf(buf + k, sizeof(buf) - k, ", %" PRIu64 " alias%s",
		    l->names, l->names == 1 ? "" : "es");
	c[C_NUMBER] = count_cell(l, n);
	c[C_PATH] = keep(l, buf);
	c[C_SIZE] = count_cell(l, l->shown);
	c[C_RATIO] = ratio_cell(l, l->shown, l->stored);
}

/* ----------------------------------------------------------------- layout */

static size_t
width_of(struct list *l, const struct pp_list_column *heads, enum cell c)
{
	size_t n = strlen(heads[c].head), w, i;
	bool any = false;

	for (i = 0; i < l->n; i++) {
		w = pp_page_columns(&l->page, l->rows[i].cell[c]);
		any |= w > 0;
		n = w > n ? w : n;
	}
	return any ? n : 0;
}

/*
 * Which columns fit beside paths; the room for these.  A column that is left
 * out gets a `from` beyond the page.
 */
static size_t
lay_out(struct list *l, struct pp_list_column *heads)
{
	size_t gap = l->page.width >= 100 ? 2 : 1, used = 0, w, path, i;
	int c;

	path = width_of(l, heads, C_PATH);
	for (c = 0; c < CELLS; c++)
		if (heads[c].from == 0 && c != C_PATH) {
			w = width_of(l, heads, (enum cell)c);
			used += w > 0 ? w + gap : 0;
		}
	for (i = 0; i < OPTIONALS; i++) {
		w = width_of(l, heads, optional[i]);
		if (used + w + gap + (path < PATH_WANTED ? path :
		    PATH_WANTED) > l->page.width)
			continue;
		heads[optional[i]].from = 0;
		used += w > 0 ? w + gap : 0;
	}
	return l->page.width > used + PATH_LEAST ? l->page.width - used :
	    PATH_LEAST;
}

/* The end of a path tells more than its beginning. */
static pp_str
cut_path(struct list *l, pp_str s, size_t room)
{
	pp_str mark = l->page.utf8 ? PP_STR("\u2026") : PP_STR("...");
	size_t n = l->page.utf8 ? 1 : 3;
	pp_str end = s;
	char *p;

	if (pp_page_columns(&l->page, s) <= room)
		return s;
	while (end.n > 0 && pp_page_columns(&l->page, end) + n > room) {
		end = pp_str_skip(end, 1);
		/* not in the middle of a character */
		while (end.n > 0 && ((unsigned char)end.p[0] & 0xc0) == 0x80)
			end = pp_str_skip(end, 1);
	}
	/* whole names, where one is left */
	if (pp_str_find(end, PP_STR("/")) < end.n)
		end = pp_str_skip(end, pp_str_find(end, PP_STR("/")));
	p = pp_arena_alloc(&l->text, mark.n + end.n + 1);
	memcpy(p, mark.p, mark.n);
	memcpy(p + mark.n, end.p, end.n);
	return (pp_str){p, mark.n + end.n};
}

static void
print(struct list *l)
{
	struct pp_list_column heads[CELLS] = {
		[C_NUMBER] = {"no", PP_LIST_RIGHT, 0},
		[C_TIME] = {"time", PP_LIST_LEFT, 0},
		[C_PATH] = {"path", PP_LIST_FLEX, 0},
		[C_NOTE] = {"", PP_LIST_LEFT, 0},
		[C_KIND] = {"kind", PP_LIST_LEFT, 0},
		[C_DATABASE] = {"database", PP_LIST_LEFT, UINT32_MAX},
		[C_HOST] = {"host", PP_LIST_LEFT, UINT32_MAX},
		[C_SIZE] = {"size", PP_LIST_RIGHT, 0},
		[C_RATIO] = {"ratio", PP_LIST_RIGHT, 0},
		[C_SPAN] = {"span s", PP_LIST_RIGHT, UINT32_MAX},
		[C_CALLS] = {"calls", PP_LIST_RIGHT, UINT32_MAX},
	};
	size_t room = lay_out(l, heads), i;
	struct pp_list out;
	int c;

	pp_list_open(&out, &l->page, &l->a->run.mem, heads, CELLS);
	for (i = 0; i < l->n; i++) {
		pp_list_row(&out, PP_INK_PLAIN);
		if (i + 1 == l->n)
			pp_list_total(&out);
		for (c = 0; c < CELLS; c++)
			pp_list_text(&out, c == C_PATH ? cut_path(l,
			    l->rows[i].cell[c], room) : l->rows[i].cell[c]);
	}
	pp_list_print(&out);
}

enum pp_exit
pp_archive_list(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct list l = {.a = a};
	enum pp_exit state, chosen;
	size_t i;

	if (!pp_archive_open(a))
		return PP_EXIT_NOTHING;
	state = pp_archive_state(a);
	/* that there is nothing is an answer, too */
	chosen = pp_archive_choose(a, true);
	if (a->store->n > 0)
		state = pp_exit_worse(state, chosen);
	if (state == PP_EXIT_NOTHING)
		return state;
	pp_arena_init(&l.text, &r->mem, 16384);
	l.rows = pp_mem_zalloc(&r->mem, (a->store->n + 1) * sizeof(*l.rows));
	pp_page_open(&l.page, r->opt->width);
	for (i = 0; i < a->store->n; i++)
		if (a->choice.how[i].is != PP_NOT_CHOSEN)
			fill_row(&l, i);
	fill_total(&l);
	print(&l);
	return pp_flush_stdout() ? state : PP_EXIT_NOTHING;
}
