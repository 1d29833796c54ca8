/*
 * showprofile_session.c: segments become sessions of the model.
 *
 * The queries of a session stand one after the other by their numbers, each
 * as long as its printed total.
 */
#include "showprofile.h"

#include <inttypes.h>
#include <stdlib.h>

/* Statements of sessions whose states are kept in cells: beyond, they are read
 * again by whoever asks, which takes longer where statements have many runs,
 * and far less memory where they have one. */
#define STATEMENTS_KEPT 2000

static int
by_number(const void *a, const void *b)
{
	const struct pp_sp_query *x = a, *y = b;

	if (x->segment != y->segment)
		return x->segment < y->segment ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->numbered != y->numbered)
		return x->numbered ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Digits of the tick: 10 ns with a list, else 1 us, or what is printed. */
static uint8_t
digits_of(const struct pp_sp *sp, const struct pp_sp_query *q, size_t n)
{
	uint32_t d = 6, i;
	pp_i128 span = 0;
	size_t k;

	for (k = 0; k < n; k++) {
		if (q[k].listed && d < 8)
			d = 8;
		if (q[k].listed && q[k].total_digits > d)
			d = q[k].total_digits;
		for (i = q[k].print; i != PP_SP_NONE; i = sp->prints[i].next)
			if (sp->prints[i].finest > d)
				d = sp->prints[i].finest;
		span += q[k].listed ? q[k].total : q[k].print != PP_SP_NONE ?
		    sp->prints[q[k].print].sum : 0;
	}
	/* picoseconds do not go far */
	if (d == 12 && (span > INT64_MAX / 4 || span < INT64_MIN / 4))
		d = 9;
	return (uint8_t)d;
}

static void
set_marker(struct pp_model *m, enum pp_ev_kind kind, uint32_t *now,
    uint32_t value)
{
	if (*now == value)
		return;
	pp_log_add(&m->log)->ev = (struct pp_ev){
		.kind = (uint8_t)kind,
		.name = *now,
		.stmt = value,
	};
	*now = value;
}

/* Module, action and the like are not known: the empty context. */
static void
set_context(struct pp_model *m)
{
	void *v = m->contexts;

	m->log.context = 0;
	if (m->ncontexts > 0)
		return;
	pp_mem_grow(m->mem, &v, &m->contexts_cap, 1, sizeof(*m->contexts));
	m->contexts = v;
	memset(m->contexts, 0, sizeof(*m->contexts));
	m->ncontexts = 1;
}

static uint32_t
ordinal(const struct pp_model *m, uint32_t source)
{
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < m->nsessions; i++)
		n += m->sessions[i].source == source;
	return n;
}

/* The span of a source: those of its sessions one after the other. */
static void
add_span(struct pp_source *src, const struct pp_session *s)
{
	int64_t span = s->end, old = src->end;

	if (src->has_span && src->digits < s->digits) {
		src->end = src->start + (int64_t)pp_dec_rescale(old -
		    src->start, src->digits, s->digits);
		src->digits = s->digits;
	} else if (!src->has_span) {
		src->has_span = true;
		src->digits = s->digits;
		src->start = src->end = 0;
	}
	src->end = pp_i64_add(src->end, (int64_t)pp_dec_rescale(span,
	    s->digits, src->digits));
}

static void
add_share(struct pp_model *m, uint32_t session, uint32_t source,
    const struct pp_sp_segment *g)
{
	void *v = m->session_sources;
	struct pp_session_source *x;

	pp_mem_grow(m->mem, &v, &m->session_sources_cap,
	    m->nsession_sources + 1, sizeof(*x));
	m->session_sources = v;
	x = &m->session_sources[m->nsession_sources++];
	memset(x, 0, sizeof(*x));
	x->session = session;
	x->source = source;
	x->first_line = g->first_line;
	x->last_line = g->last_line;
	x->has_time = m->sessions[session].has_time;
	x->start = m->sessions[session].start;
	x->end = m->sessions[session].end;
}

/* How many statements the last session has. */
static uint64_t
statements_of(struct pp_sp *sp, uint32_t session)
{
	const struct pp_model *m = sp->m;
	size_t i, old = sp->met_cap;
	void *v = sp->met;
	uint64_t n = 0;

	pp_mem_grow(m->mem, &v, &sp->met_cap, m->nstmts, sizeof(*sp->met));
	sp->met = v;
	memset(sp->met + old, 0, (sp->met_cap - old) * sizeof(*sp->met));
	for (i = m->nqueries; i > 0 &&
	    m->queries[i - 1].session == session; i--) {
		uint32_t *met = &sp->met[m->queries[i - 1].stmt];

		n += *met != session + 1;
		*met = session + 1;
	}
	return n;
}

static void
put_session(struct pp_sp *sp, const struct pp_sp_query *q, size_t n)
{
	struct pp_model *m = sp->m;
	const struct pp_sp_segment *g = &sp->segments[q->segment];
	struct pp_sp_out o = {.sp = sp};
	struct pp_session *s;
	size_t i;

	o.session = pp_model_session(m, sp->source);
	o.digits = digits_of(sp, q, n);
	o.unit = pp_pow10[PP_SP_DIGITS - o.digits];
	s = &m->sessions[o.session];
	s->kind = PP_SESSION_STATES;
	s->ordinal = ordinal(m, sp->source);
	s->clock = s->ordinal - 1;	/* nothing joins their clocks */
	s->digits = o.digits;
	s->native_id = pp_strtab_get(&m->names, g->native_id);
	set_context(m);
	set_marker(m, PP_EV_FILE, &m->log.file, sp->source);
	set_marker(m, PP_EV_SESSION, &m->log.session, o.session);
	for (i = 0; i < n; i++)
		if (q[i].listed || q[i].print != PP_SP_NONE)
			pp_sp_put_query(&o, &q[i]);
	pp_mem_free(m->mem, o.piece);
	sp->statements += statements_of(sp, o.session);
	s = &m->sessions[o.session];
	s->states_apart = sp->statements > STATEMENTS_KEPT;
	s->has_time = true;
	s->start = 0;
	s->end = o.begin > 0 ? o.begin : 0;
	add_span(&m->sources[sp->source], s);
	add_share(m, o.session, sp->source, g);
}

static void
tell_source(struct pp_sp *sp)
{
	struct pp_diag *d = &sp->m->diag;

	pp_diag_tell(d, PP_MSG_CONSECUTIVE, 0, UINT64_MAX, "queries and "
	    "states stand one after the other: SHOW PROFILE does not say when "
	    "a query began");
	if (sp->resources)
		pp_diag_tell(d, PP_MSG_PROCESS_WIDE, 0, UINT64_MAX, "CPU and "
		    "counters are those of the whole server, not of a query");
	if (sp->approximate)
		pp_diag_tell(d, PP_MSG_APPROXIMATE, 0, UINT64_MAX, "times "
		    "with a unit were rounded to two digits of it");
	if (sp->cut_texts > 0)
		pp_diag_tell_n(d, PP_MSG_QUERY_CUT, 0, UINT64_MAX,
		    sp->cut_texts, "%" PRIu64 " quer%s of 300 bytes: the text "
		    "goes on", sp->cut_texts, sp->cut_texts == 1 ? "y" : "ies");
}

void
pp_sp_emit(struct pp_sp *sp)
{
	size_t i, k;

	if (sp->nqueries == 0)
		return;
	qsort(sp->queries, sp->nqueries, sizeof(*sp->queries), by_number);
	for (i = 0; i < sp->nqueries; i = k) {
		for (k = i + 1; k < sp->nqueries &&
		    sp->queries[k].segment == sp->queries[i].segment;)
			k++;
		put_session(sp, &sp->queries[i], k - i);
	}
	tell_source(sp);
	/* what has been lost on the way is found where the log is read */
	if (sp->rows.error != 0 && sp->m->log.error == 0)
		sp->m->log.error = sp->rows.error;
	if (sp->m->stages.error != 0 && sp->m->log.error == 0)
		sp->m->log.error = sp->m->stages.error;
}
