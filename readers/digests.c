/*
 * digests.c: rows that servers have summed by digest, and lists of
 * statements, to the store of digests.
 *
 * digests_columns.c knows the exports by their columns, digests_cells.c
 * reads the cells of a row, digests_row.c names it, checks it for counters
 * that ran under zero, and adds it to what its source has of the same digest
 * and schema.  The row whose digest and text are NULL holds what came after
 * the server's table was full: it is kept under a label of its own.
 */
#include "digests.h"

#include "client/rowreader.h"

#include <inttypes.h>

static int
match(const struct pp_rowset *rs)
{
	int bits;

	return dg_spec_of(rs, &bits) == NULL ? 0 : bits;
}

static void *
open_state(struct pp_model *m, uint32_t group)
{
	struct dg_state *s = pp_mem_zalloc(m->mem, sizeof(*s));

	(void)group;
	s->m = m;
	pp_map_init(&s->prepared, m->mem);
	return s;
}

static void
begin_source(void *ctx, uint32_t source)
{
	struct dg_state *s = ctx;

	s->source = source;
	s->calls = s->other_calls = s->untimed = 0;
	s->told_set = s->told_rough = false;
	pp_map_clear(&s->prepared);
}

static void
begin(void *ctx, const struct pp_rowset *rs)
{
	struct dg_state *s = ctx;
	struct pp_digest_source *src;
	int bits;
	size_t i;

	s->d = pp_digests(s->m);
	s->spec = dg_spec_of(rs, &bits);
	if (s->columns_cap < rs->ncols)
		pp_mem_grow(s->m->mem, (void **)&s->columns, &s->columns_cap,
		    rs->ncols, sizeof(*s->columns));
	s->has_native = s->has_text = s->has_time = false;
	for (i = 0; i < rs->ncols; i++) {
		s->columns[i] = dg_column_of(s->spec, rs, i);
		if (s->columns[i] == NULL)
			continue;
		s->has_native |= s->columns[i]->field == DG_NATIVE;
		s->has_text |= s->columns[i]->field == DG_TEXT;
		s->has_time |= s->columns[i]->field == DG_TOTAL;
		/* what is not kept counts where it names the row only */
		if (s->columns[i]->field == DG_NOTHING &&
		    s->columns[i]->group != 1)
			s->columns[i] = NULL;
	}
	s->set = ++s->d->sets;
	src = pp_digests_source(s->d, s->source);
	if (s->spec->digits > src->digits)
		src->digits = s->spec->digits;
	s->m->inputs |= PP_INPUT_DIGESTS;
	if (s->spec->flags & (DG_HISTOGRAM | DG_LIST))
		s->m->inputs |= PP_INPUT_BUCKETS;
	s->m->sources[s->source].digits = src->digits;
	s->m->sources[s->source].tick_units = 1;
	if (s->spec->product != NULL &&
	    s->m->sources[s->source].product.n == 0)
		s->m->sources[s->source].product =
		    pp_str_from(s->spec->product);
}

static enum pp_status
row(void *ctx, const struct pp_rowset *rs, const struct pp_rs_row *r)
{
	struct dg_state *s = ctx;
	struct dg_work w;
	size_t i;

	memset(&w, 0, offsetof(struct dg_work, flags));
	w.s = s;
	w.rs = rs;
	w.r = r;
	w.x.source = s->source;
	w.x.set = s->set;
	w.x.digits = s->spec->digits;
	w.bucket.from = w.bucket.to = PP_DG_NO_BOUND;
	for (i = 0; i < rs->ncols && i < r->n; i++)
		if (s->columns[i] != NULL)
			dg_take_cell(&w, i, s->columns[i]);
	if (w.bad)
		return PP_WARN;
	if (w.cut || (r->partial && !w.any)) {
		pp_diag_tell(&s->m->diag, PP_MSG_CUT_RECORD, r->line,
		    r->offset, "a row that ends before it is complete");
		if (w.native.n == 0 && w.text.n == 0 && w.sql.n == 0)
			return PP_WARN;
	}
	/* objects of JSON beside the rows */
	if (!w.named && rs->form == PP_FORM_JSON)
		return PP_OK;
	if (s->spec->flags & DG_HISTOGRAM) {
		w.x.schema = pp_strtab_id(&s->d->strings, w.schema);
		w.x.native = pp_strtab_id(&s->d->strings, w.native);
		return dg_add_bucket(&w);
	}
	return dg_add_row(&w);
}

static void
end(void *ctx, const struct pp_rowset *rs)
{
	(void)ctx;
	(void)rs;
}

static void
end_source(void *ctx, uint32_t source)
{
	struct dg_state *s = ctx;
	struct pp_diag *d = &s->m->diag;
	unsigned tenths;

	(void)source;
	if (s->other_calls != 0) {
		tenths = (unsigned)(((pp_u128)s->other_calls * 2000 +
		    s->calls) / ((pp_u128)s->calls * 2));
		pp_diag_tell(d, PP_MSG_DIGEST_TABLE_FULL, 0, UINT64_MAX,
		    "digest table full, %u.%u %% of executions not "
		    "attributed: they are in the row " PP_DG_OTHER_LABEL,
		    tenths / 10, tenths % 10);
	}
	if (s->untimed != 0 && s->d != NULL)
		pp_diag_tell_n(d, PP_MSG_ROW_WITHOUT_TIME, 0, UINT64_MAX,
		    s->untimed, "%" PRIu64 " row%s without time", s->untimed,
		    s->untimed == 1 ? "" : "s");
	if (s->d != NULL && s->d->samples_dropped && !s->d->told_samples) {
		pp_diag_tell(d, PP_MSG_SAMPLES_DROPPED, 0, UINT64_MAX,
		    "memory is short: example statements are left out");
		s->d->told_samples = true;
	}
}

static void
close_state(void *ctx)
{
	struct dg_state *s = ctx;
	struct pp_mem *mem = s->m->mem;

	pp_map_free(&s->prepared);
	pp_mem_free(mem, s->columns);
	pp_mem_free(mem, s);
}

const struct pp_rowreader pp_rowreader_digests = {
	.name = "digests",
	.summary = "statement digests and lists of statements",
	.match = match,
	.open = open_state,
	.source = begin_source,
	.source_end = end_source,
	.begin = begin,
	.end = end,
	.row = row,
	.close = close_state,
};
