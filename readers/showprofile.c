/*
 * showprofile.c: the row reader of SHOW PROFILE.
 *
 * Takes lists of queries (SHOW PROFILES), the states of one (SHOW PROFILE
 * with any types, 5.0.37 to 9.x and MariaDB), of several
 * (INFORMATION_SCHEMA.PROFILING), and the well-known pivot query, which sums
 * states by name.
 *
 *	showprofile_columns.c	what the columns of a row set are
 *	showprofile_asked.c	what the statement before it asked for
 *	showprofile_row.c	its rows
 *	showprofile_value.c	numbers
 *	showprofile_note.c	what stands between row sets
 *	showprofile_store.c	rows that wait
 *	showprofile_join.c	which query of which session they are of
 *	showprofile_session.c	sessions for the model
 *	showprofile_emit.c	their statements and states
 *
 * May touch the model and the row sets of client/.
 */
#include "showprofile.h"

/* Items of a row set that wait together, where their numbers rise. */
#define ITEMS_MOST 65536

/* ---------------------------------------------------------------- sources */

static int
match(const struct pp_rowset *rs)
{
	struct pp_sp_layout l;

	pp_sp_layout(&l, rs);
	return l.bits;
}

static void *
open_reader(struct pp_model *m, uint32_t group)
{
	struct pp_sp *sp = pp_mem_zalloc(m->mem, sizeof(*sp));

	(void)group;
	sp->m = m;
	sp->times = m->rows_kept != PP_ROWS_ALL && !m->raw;
	pp_bytelog_init(&sp->rows, m->mem, m->log.tmpdir);
	pp_map_init(&sp->by_id, m->mem);
	pp_map_init(&sp->by_rows, m->mem);
	pp_map_init(&sp->by_total, m->mem);
	pp_map_init(&sp->by_about, m->mem);
	pp_map_init(&sp->item_by_id, m->mem);
	pp_map_init(&sp->texts, m->mem);
	pp_strtab_init(&sp->spellings, m->mem);
	return sp;
}

static void
source(void *ctx, uint32_t index)
{
	struct pp_sp *sp = ctx;

	sp->source = index;
	sp->at = sp->set_segment = sp->item = PP_SP_NONE;
	sp->fresh = sp->resources = sp->approximate = false;
	sp->native_id = 0;
	sp->cut_texts = 0;
	sp->nitems = sp->piece_n = 0;
	pp_bytelog_reset(&sp->rows);
}

/* What was known of the queries of a source, and its room: the walk over what
 * became of them needs as much. */
static void
forget(struct pp_sp *sp)
{
	struct pp_map *const maps[] = {&sp->by_id, &sp->by_rows,
	    &sp->by_total, &sp->by_about, &sp->item_by_id};
	struct pp_mem *mem = sp->m->mem;
	size_t i;

	for (i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		pp_map_free(maps[i]);
		pp_map_init(maps[i], mem);
	}
	pp_mem_free(mem, sp->pieces);
	pp_mem_free(mem, sp->prints);
	pp_mem_free(mem, sp->queries);
	pp_mem_free(mem, sp->segments);
	pp_mem_free(mem, sp->heads);
	sp->pieces = NULL;
	sp->prints = NULL;
	sp->queries = NULL;
	sp->segments = NULL;
	sp->heads = NULL;
	sp->npieces = sp->nprints = sp->nqueries = sp->nsegments = 0;
	sp->nheads = 0;
	sp->pieces_cap = sp->prints_cap = sp->queries_cap = 0;
	sp->segments_cap = sp->heads_cap = 0;
}

static void
source_end(void *ctx, uint32_t index)
{
	struct pp_sp *sp = ctx;

	(void)index;
	pp_sp_settle(sp);
	pp_sp_emit(sp);
	forget(sp);
}

static void
close_reader(void *ctx)
{
	struct pp_sp *sp = ctx;
	struct pp_mem *mem = sp->m->mem;

	forget(sp);
	pp_bytelog_free(&sp->rows);
	pp_mem_free(mem, sp->items);
	pp_mem_free(mem, sp->piece);
	pp_mem_free(mem, sp->met);
	pp_map_free(&sp->texts);
	pp_mem_free(mem, sp->spelled);
	pp_strtab_free(&sp->spellings);
	pp_mem_free(mem, sp);
}

/* ------------------------------------------------------------- items done */

/* Were rows left out or cut off at either end of the set? */
static void
judge_whole(struct pp_sp *sp, const struct pp_rowset *rs)
{
	const struct pp_sp_asked *a = &sp->asked;
	bool limited = a->has_limit && rs->rows >= a->limit;
	bool uneven = rs->has_footer && rs->footer_rows != rs->rows;
	size_t i;

	for (i = 0; i < sp->nitems; i++) {
		struct pp_sp_print *p = &sp->items[i].print;
		bool first = i == 0, last = i + 1 == sp->nitems;

		p->whole = !a->other && !sp->rejected && p->sorted &&
		    !(first && (rs->head_cut || (a->has_limit &&
		    a->offset > 0))) &&
		    !(last && (rs->tail_cut || limited)) &&
		    !((first || last) && uneven);
	}
}

/* The items of the set so far find their segment. */
static void
join(struct pp_sp *sp)
{
	size_t i;

	if (sp->item != PP_SP_NONE)
		pp_sp_keep(sp);
	for (i = 0; i < sp->nitems; i++)
		if (!sp->items[i].list && !sp->items[i].print.sorted)
			pp_sp_sort(sp, &sp->items[i].print);
}

/* No more rows come of the items so far. */
void
pp_sp_finish_items(struct pp_sp *sp, const struct pp_rowset *rs)
{
	join(sp);
	judge_whole(sp, rs);
	pp_sp_join(sp);
	pp_map_clear(&sp->item_by_id);
	sp->nitems = 0;
	sp->item = PP_SP_NONE;
}

/* --------------------------------------------------------------- row sets */

static void
begin(void *ctx, const struct pp_rowset *rs)
{
	static const char *const guessed[] = {
		[PP_SP_OTHER] = "nothing",
		[PP_SP_LIST] = "SHOW PROFILES",
		[PP_SP_PROFILE] = "SHOW PROFILE",
		[PP_SP_PROFILES] = "INFORMATION_SCHEMA.PROFILING",
		[PP_SP_SUMS] = "the pivot query",
	};
	struct pp_sp *sp = ctx;

	sp->m->inputs |= PP_INPUT_STATES;
	pp_sp_set_layout(sp, rs);
	if (!pp_sp_asked(&sp->asked, rs->statement))
		pp_sp_asked(&sp->asked, rs->heading);
	sp->nitems = sp->piece_n = 0;
	sp->item = sp->set_segment = PP_SP_NONE;
	sp->last_state = 0;
	sp->rejected = false;
	sp->rising = true;
	pp_map_clear(&sp->item_by_id);
	if (sp->layout.guessed)
		pp_diag_tell(&sp->m->diag, PP_MSG_GUESSED_COLUMNS, rs->line,
		    rs->offset, "columns without names, taken for those of "
		    "%s%s", guessed[sp->layout.kind], sp->layout.left_over ?
		    "; which counters they are is not known" : "");
}

static void
end(void *ctx, const struct pp_rowset *rs)
{
	struct pp_sp *sp = ctx;
	bool any = sp->nitems > 0;

	pp_sp_finish_items(sp, rs);
	if (sp->layout.kind == PP_SP_SUMS && any)
		pp_diag_tell(&sp->m->diag, PP_MSG_SUMS_ONLY, rs->line,
		    rs->offset, "states summed up by name: the order and the "
		    "durations of the single ones are not known");
}

/*
 * A set of very many queries goes on piece by piece: what its end will say
 * is of its last query only.
 */
static void
make_room(struct pp_sp *sp)
{
	static const struct pp_rowset middle = {.rows = 0};
	struct pp_sp_item last;

	if (sp->nitems < ITEMS_MOST || !sp->rising)
		return;
	pp_sp_keep(sp);
	last = sp->items[sp->nitems - 1];
	if (!last.list)
		sp->nitems--;
	pp_sp_finish_items(sp, &middle);
	if (last.list)
		return;
	sp->items[sp->nitems++] = last;
	sp->item = 0;
	*pp_map_at(&sp->item_by_id, last.id, last.numbered) = 0;
}

static enum pp_status
row(void *ctx, const struct pp_rowset *rs, const struct pp_rs_row *r)
{
	struct pp_sp *sp = ctx;

	(void)rs;
	make_room(sp);
	switch (sp->layout.kind) {
	case PP_SP_LIST:
		return pp_sp_list_row(sp, r);
	case PP_SP_PROFILE:
	case PP_SP_PROFILES:
		return pp_sp_state_row(sp, r);
	case PP_SP_SUMS:
		return pp_sp_sum_row(sp, r);
	case PP_SP_OTHER:
		break;
	}
	return PP_WARN;
}

const struct pp_rowreader pp_rowreader_showprofile = {
	.name = "showprofile",
	.summary = "SHOW PROFILES, SHOW PROFILE, INFORMATION_SCHEMA.PROFILING",
	.match = match,
	.open = open_reader,
	.source = source,
	.source_end = source_end,
	.begin = begin,
	.end = end,
	.row = row,
	.note = pp_sp_note,
	.close = close_reader,
};
