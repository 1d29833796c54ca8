/*
 * digests_row.c: a row of digests as it is kept: completed, checked, named.
 */
#include "digests.h"

#include <inttypes.h>

/* max_digest_length is 1024 bytes of tokens; their text is about as long. */
#define CUT_FROM 1000

/* -------------------------------------------------------------- checks */

/*
 * A sum above 2^63 is one that ran under zero unless the other figures of
 * the row allow it: calls x the longest.
 */
static bool
too_large(const struct dg_work *w, pp_i128 v)
{
	const struct pp_digest *x = &w->x;

	if (v <= INT64_MAX)
		return false;
	if ((x->has & PP_DG_HAS_MAX) && (x->has & (1u << PP_DG_CALLS)))
		return v > (pp_i128)x->max * (pp_i128)x->count[PP_DG_CALLS];
	return v > (pp_i128)UINT64_MAX - 1000000000000000000;
}

static void
suspect_sum(struct dg_work *w, const char *name, pp_i128 v)
{
	char buf[PP_DEC_MAX];
	size_t n = pp_dec_format(buf, v, 0);

	dg_suspect(w, pp_str_from(name), (pp_str){buf, n});
}

static void
check_sums(struct dg_work *w)
{
	struct pp_digest *x = &w->x;

	if ((x->has & PP_DG_HAS_TOTAL) && too_large(w, x->total)) {
		suspect_sum(w, "total", x->total);
		x->total = 0;
		x->has &= ~PP_DG_HAS_TOTAL;
	}
	if ((x->has & PP_DG_HAS_LOCK) && x->lock > INT64_MAX &&
	    x->lock > x->total) {
		suspect_sum(w, "lock time", x->lock);
		x->lock = 0;
		x->has &= ~PP_DG_HAS_LOCK;
	}
	if ((x->has & PP_DG_HAS_CPU) && x->cpu > INT64_MAX &&
	    x->cpu > x->total) {
		suspect_sum(w, "CPU time", x->cpu);
		x->cpu = 0;
		x->has &= ~PP_DG_HAS_CPU;
	}
}

/* Sums that an export leaves to be made of averages. */
static void
complete(struct dg_work *w)
{
	struct pp_digest *x = &w->x;
	pp_i128 calls;

	if (w->s->spec->flags & DG_LIST) {
		x->count[PP_DG_CALLS] = 1;
		x->has |= 1u << PP_DG_CALLS | PP_DG_LISTED;
		if (x->has & PP_DG_HAS_TOTAL) {
			x->min = x->max = x->total > UINT64_MAX ? UINT64_MAX :
			    (uint64_t)x->total;
			x->has |= PP_DG_HAS_MIN | PP_DG_HAS_MAX;
		}
	}
	calls = (pp_i128)x->count[PP_DG_CALLS];
	if (w->has_avg && !(x->has & PP_DG_HAS_TOTAL) &&
	    (x->has & (1u << PP_DG_CALLS))) {
		x->total = w->avg * calls;
		x->has |= PP_DG_HAS_TOTAL | PP_DG_APPROXIMATE;
	}
	if (w->has_avg_cpu && !(x->has & PP_DG_HAS_CPU)) {
		x->cpu = w->avg_cpu * calls;
		x->has |= PP_DG_HAS_CPU;
	}
	/* what never ran has no shortest: the server prints 0 */
	if ((x->has & (1u << PP_DG_CALLS)) && calls == 0) {
		x->has &= ~(PP_DG_HAS_MIN | PP_DG_HAS_MAX);
		x->min = x->max = 0;
	}
	if (x->has & PP_DG_HAS_TOTAL)
		x->timed = x->count[PP_DG_CALLS];
	else
		x->untimed = 1;
}

/* -------------------------------------------------------------- naming */

/* sys.format_statement leaves the middle of a text out. */
static bool
shortened(const struct dg_work *w)
{
	return (w->s->spec->flags & DG_SHORT) && w->text.n <= 80 &&
	    pp_str_find(w->text, PP_STR(" ... ")) < w->text.n;
}

static void
name_row(struct dg_work *w)
{
	struct dg_state *s = w->s;
	struct pp_digest *x = &w->x;
	enum pp_digest_family f = (enum pp_digest_family)s->spec->family;
	bool null_text = !s->has_text || w->null_text || w->text.n == 0;

	x->schema = pp_strtab_id(&s->d->strings, w->schema);
	x->native = pp_strtab_id(&s->d->strings, w->native);
	/* in MariaDB the view prints the text of the row before it there */
	if ((s->spec->flags & DG_SHORT) && s->has_native && x->native == 0)
		null_text = true;
	if ((s->spec->flags & DG_CATCH_ALL) && x->native == 0 && null_text) {
		x->kind = PP_DG_OTHER;
		return;
	}
	if (f == PP_DG_POSTGRESQL &&
	    pp_str_eq(w->text, PP_STR("<insufficient privilege>")))
		pp_digest_name(s->d, x, f, w->text, true);
	else if (w->text.n == 0 && w->sql.n != 0) {
		pp_digest_name_sql(s->d, x, f, dg_prepared(s->d, &s->prepared,
		    w->sql));
		if (w->sql.n > 3 && pp_str_ends(w->sql, PP_STR("...")))
			x->has |= PP_DG_CUT;
	} else
		pp_digest_name(s->d, x, f, w->text, shortened(w));
	/* of a list the statements are counted */
	if (s->spec->flags & DG_LIST && w->sql.n != 0)
		x->texts = 0;
	if (w->sample.n == 0)
		w->sample = w->sql;
	if (f == PP_DG_MYSQL && w->text.n >= CUT_FROM)
		x->has |= PP_DG_CUT;
}

/* ---------------------------------------------------------------- rows */

static void
tell_merged(struct dg_work *w, uint32_t was)
{
	struct dg_state *s = w->s;

	if (was == 0 || (s->spec->flags & (DG_LIST | DG_HISTOGRAM)))
		return;
	if (was == s->set)
		pp_diag_tell(&s->m->diag, PP_MSG_SAME_DIGEST, w->r->line,
		    w->r->offset, "a second row of %.*s in schema %.*s: added "
		    "up", (int)(w->native.n ? w->native.n : w->text.n < 60 ?
		    w->text.n : 60), w->native.n ? w->native.p : w->text.p,
		    (int)w->schema.n, w->schema.p);
	else if (!s->told_set) {
		s->told_set = true;
		pp_diag_tell(&s->m->diag, PP_MSG_SAME_DIGEST, w->rs->line,
		    w->rs->offset, "a second table with rows of the same "
		    "digests: added up");
	}
}

static void
note_source(struct dg_work *w)
{
	struct pp_digest_source *src = pp_digests_source(w->s->d,
	    w->s->source);
	const struct pp_digest *x = &w->x;

	if (x->last.known && (!src->newest.known ||
	    pp_digest_before(&src->newest, &x->last)))
		src->newest = x->last;
	if (w->from.known && (!src->from.known ||
	    pp_digest_before(&w->from, &src->from)))
		src->from = w->from;
	if (w->until.known && (!src->until.known ||
	    pp_digest_before(&src->until, &w->until)))
		src->until = w->until;
}

enum pp_status
dg_add_bucket(struct dg_work *w)
{
	struct dg_state *s = w->s;
	struct pp_digest_source *src = pp_digests_source(s->d, s->source);
	struct pp_digest *x = &w->x;
	uint32_t at, was;

	if (!s->has_native && !s->has_text) {
		if (src->all == NULL) {
			src->all = pp_mem_zalloc(s->m->mem, sizeof(*x));
			src->all->source = s->source;
			src->all->kind = PP_DG_NO_TEXT;
		}
		pp_digest_bucket(s->d, src->all, &w->bucket);
		return PP_OK;
	}
	if (w->null_native && (!s->has_text || w->null_text))
		x->kind = PP_DG_OTHER;
	pp_digest_name(s->d, x, PP_DG_MYSQL, w->text, false);
	at = pp_digests_add(s->d, x, &was);
	pp_digest_bucket(s->d, pp_digest_at(s->d, at), &w->bucket);
	return PP_OK;
}

enum pp_status
dg_add_row(struct dg_work *w)
{
	struct dg_state *s = w->s;
	struct pp_digest *x = &w->x, *e;
	uint32_t at, was;

	x->rows = 1;
	complete(w);
	check_sums(w);
	if (!(x->has & PP_DG_HAS_TOTAL)) {
		x->timed = 0;
		x->untimed = 1;
	}
	if (w->nflags != 0)
		x->flags = pp_strtab_id(&s->d->strings,
		    (pp_str){w->flags, w->nflags});
	name_row(w);
	note_source(w);
	at = pp_digests_add(s->d, x, &was);
	e = pp_digest_at(s->d, at);
	if (e->sample.n == 0 && w->sample.n != 0)
		e->sample = pp_digest_sample(s->d, w->sample);
	if (s->spec->flags & DG_LIST) {
		if (x->has & PP_DG_HAS_TOTAL)
			pp_digest_single(s->d, e, x->max);
		if (w->sql.n != 0)
			pp_digest_count_text(s->d, e, at,
			    pp_str_hash(w->sql));
	}
	tell_merged(w, was);
	s->calls += x->count[PP_DG_CALLS];
	if (x->kind == PP_DG_OTHER)
		s->other_calls += x->count[PP_DG_CALLS];
	/* an export without times lacks no row's */
	if (s->has_time)
		s->untimed += x->untimed;
	if ((x->has & PP_DG_APPROXIMATE) && !s->told_rough) {
		s->told_rough = true;
		pp_diag_tell(&s->m->diag, PP_MSG_APPROXIMATE, w->rs->line,
		    w->rs->offset, "times are made of rounded figures: up to "
		    "0.5 %% off");
	}
	if (x->has & PP_DG_CUT)
		pp_diag_tell(&s->m->diag, PP_MSG_DIGEST_CUT, w->r->line,
		    w->r->offset, "a text of %zu bytes: statements that differ "
		    "behind its end share it", w->text.n ? w->text.n :
		    w->sql.n);
	return PP_OK;
}
