/*
 * psevents_digest.c: statements of the Performance Schema, one by one, among
 * the rows of their digests.  May touch the store of digests.
 */
#include "psevents.h"

/* What a statement adds to the row of its digest. */
static void
set_numbers(struct pp_digest *x, const struct pp_ps_event *e,
    const struct pp_ps_more *w)
{
	unsigned k;

	for (k = PP_DG_ERRORS; k < PP_DG_COUNTERS; k++)
		x->count[k] = w->count[k];
	x->has |= w->has & ((1u << PP_DG_COUNTERS) - 1);
	x->count[PP_DG_CALLS] = 1;
	x->has |= 1u << PP_DG_CALLS | PP_DG_LISTED;
	if (w->has & PP_PS_HAS_LOCK) {
		x->lock = (pp_i128)w->lock;
		x->has |= PP_DG_HAS_LOCK;
	}
	if (w->has & PP_PS_HAS_CPU) {
		x->cpu = (pp_i128)w->cpu;
		x->has |= PP_DG_HAS_CPU;
	}
	if (!(e->flags & PP_NESTED_TIMED)) {
		x->untimed = 1;
		return;
	}
	x->timed = 1;
	x->total = (pp_i128)e->wait;
	x->min = x->max = e->wait;
	x->has |= PP_DG_HAS_TOTAL | PP_DG_HAS_MIN | PP_DG_HAS_MAX;
}

void
pp_ps_digest(struct pp_ps *ps, const struct pp_ps_event *e,
    const struct pp_ps_more *w, uint32_t source)
{
	struct pp_digests *d = pp_digests(ps->m);
	struct pp_digest_source *src;
	struct pp_digest x, *entry;
	pp_str text = pp_strtab_get(&d->strings, w->digest_text),
	    sql = {"", 0};
	uint32_t at, was;

	if (w->has & PP_PS_HAS_SQL)
		sql = ps->m->stmts[w->stmt].text;
	/* what a stored program does on the way has neither */
	if (w->digest == 0 && text.n == 0 && sql.n == 0)
		return;
	memset(&x, 0, sizeof(x));
	x.source = source;
	x.rows = 1;
	x.digits = PP_DIGEST_DIGITS;
	x.schema = w->schema;
	x.native = w->digest;
	set_numbers(&x, e, w);
	if (text.n == 0 && sql.n > 0)
		pp_digest_name_sql(d, &x, PP_DG_MYSQL, sql);
	else
		pp_digest_name(d, &x, PP_DG_MYSQL, text, false);
	if (sql.n > 0)
		x.texts = 0;	/* statements are counted below */
	src = pp_digests_source(d, source);
	if (src->digits < PP_DIGEST_DIGITS)
		src->digits = PP_DIGEST_DIGITS;
	at = pp_digests_add(d, &x, &was);
	entry = pp_digest_at(d, at);
	if (x.has & PP_DG_HAS_TOTAL)
		pp_digest_single(d, entry, x.max);
	if (entry->sample.n == 0)
		entry->sample = sql;
	if (sql.n > 0)
		pp_digest_count_text(d, entry, at, pp_str_hash(sql));
}
