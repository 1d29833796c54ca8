/*
 * archive_list.c: `archive list`.
 */
#include "archive.h"

#include <inttypes.h>

#include "term.h"

/* Bytes that a profile takes in the file. */
static uint64_t
stored_bytes(const struct pp_entry *e)
{
	return e->data_end - e->begin + (e->columns_end - e->columns);
}

static void
put_ratio(struct pp_list *l, uint64_t text, uint64_t stored)
{
	if (stored == 0)
		pp_list_blank(l);
	else
		pp_list_decimal(l, pp_div_half_up((pp_i128)text * 10,
		    (pp_i128)stored), 1);
}

static void
put_time(struct pp_list *l, const struct pp_entry *e)
{
	struct pp_wall w = {.us = e->first_us, .known = e->has_time,
		.has_offset = e->has_offset, .offset_min = e->offset_min};
	char buf[40];
	size_t n = pp_wall_format(buf, &w, 0);

	/* to the second */
	pp_list_text(l, (pp_str){buf, n < 19 ? n : 19});
}

static void
put_database(struct pp_list *l, const struct pp_entry *e)
{
	char buf[200];

	snprintf(buf, sizeof(buf), "%.*s%s%.*s%s%.*s", (int)(e->product.n <
	    60 ? e->product.n : 60), e->product.p, e->version.n ? " " : "",
	    (int)(e->version.n < 40 ? e->version.n : 40), e->version.p,
	    e->instance.n ? " " : "",
	    (int)(e->instance.n < 60 ? e->instance.n : 60), e->instance.p);
	pp_list_text(l, pp_str_from(buf));
}

static void
put_row(struct pp_list *l, const struct pp_entry *e)
{
	pp_list_row(l, PP_INK_PLAIN);
	pp_list_count(l, e->number);
	put_time(l, e);
	pp_list_text(l, e->path);
	pp_list_text(l, e->reader.n != 0 ? e->reader : PP_STR("-"));
	put_database(l, e);
	pp_list_text(l, e->host);
	pp_list_count(l, e->payload);
	put_ratio(l, e->payload, stored_bytes(e));
	if (e->has_span)
		pp_list_decimal(l, pp_dec_rescale(e->span, e->digits, 3), 3);
	else
		pp_list_blank(l);
	if (e->reader.n != 0)
		pp_list_count(l, e->calls);
	else
		pp_list_blank(l);
}

enum pp_exit
pp_archive_list(struct pp_run *r)
{
	static const struct pp_list_column columns[] = {
		{"no", PP_LIST_RIGHT, 0},
		{"time", PP_LIST_LEFT, 0},
		{"path", PP_LIST_FLEX, 0},
		{"kind", PP_LIST_LEFT, 0},
		{"database", PP_LIST_LEFT, 120},
		{"host", PP_LIST_LEFT, 120},
		{"size", PP_LIST_RIGHT, 0},
		{"ratio", PP_LIST_RIGHT, 0},
		{"span s", PP_LIST_RIGHT, 100},
		{"calls", PP_LIST_RIGHT, 100},
	};
	struct pp_archive_run *a = pp_archive_of(r);
	uint64_t text = 0, stored = 0, n = 0;
	struct pp_page page;
	enum pp_exit state;
	struct pp_list l;
	size_t i;
	bool met;

	if (!pp_archive_open(a))
		return PP_EXIT_NOTHING;
	state = pp_archive_state(a);
	met = pp_archive_words_met(a);
	pp_page_open(&page, r->opt->width);
	pp_list_open(&l, &page, &r->mem, columns,
	    sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < a->store->n; i++) {
		const struct pp_entry *e = &a->store->v[i];

		if (!pp_archive_wants(a, e))
			continue;
		put_row(&l, e);
		text += e->payload;
		stored += stored_bytes(e);
		n++;
	}
	pp_list_row(&l, PP_INK_PLAIN);
	pp_list_total(&l);
	pp_list_count(&l, n);
	pp_list_blank(&l);
	pp_list_text(&l, PP_STR("profiles"));
	for (i = 0; i < 3; i++)
		pp_list_blank(&l);
	pp_list_count(&l, text);
	put_ratio(&l, text, stored);
	pp_list_blank(&l);
	pp_list_blank(&l);
	pp_list_print(&l);
	if (!pp_flush_stdout() || (!met && n == 0))
		return PP_EXIT_NOTHING;
	return met ? state : PP_EXIT_PARTIAL;
}
