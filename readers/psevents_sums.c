/*
 * psevents_sums.c: events that the server has summed by name, of all threads,
 * one, an account, a user or a host: a session each, whose profile they are.
 * May touch the model.
 */
#include "psevents.h"

static const char *
family_name(enum pp_nested_kind kind)
{
	switch (kind) {
	case PP_NESTED_STATEMENT:
		return "statements";
	case PP_NESTED_STAGE:
		return "stages";
	case PP_NESTED_TRANSACTION:
		return "transactions";
	case PP_NESTED_WAIT:
	case PP_NESTED_IDLE:
	case PP_NESTED_SUM:
		break;
	}
	return "waits";
}

/* Sums of several families do not add up: a wait lies in a statement. */
static enum pp_nested_kind
family(const struct pp_ps *ps, uint32_t name)
{
	enum pp_nested_kind kind = pp_ps_family(pp_strtab_get(
	    &ps->m->names, name), PP_NESTED_WAIT);

	return kind == PP_NESTED_IDLE ? PP_NESTED_WAIT : kind;
}

/* last: by source, the greatest ordinal so far. */
static uint32_t
new_session(struct pp_ps *ps, const struct pp_ps_sum *x,
    enum pp_nested_kind kind, uint32_t *last)
{
	struct pp_model *m = ps->m;
	uint32_t src = ps->units[x->unit].source,
	    session = pp_ps_session(ps, src, PP_SESSION_SUMS);
	struct pp_session *s = &m->sessions[session];

	s->ordinal = ++last[src];
	s->clock = UINT32_C(1) << 21 | s->ordinal;
	s->native_id = pp_strtab_get(&m->names, x->group);
	s->module = pp_str_from(family_name(kind));
	return session;
}

static void
add_share(struct pp_ps *ps, uint32_t session, const struct pp_ps_sum *x)
{
	struct pp_model *m = ps->m;
	void *v = m->session_sources;
	struct pp_session_source *s;

	pp_mem_grow(m->mem, &v, &m->session_sources_cap,
	    m->nsession_sources + 1, sizeof(*s));
	m->session_sources = v;
	s = &m->session_sources[m->nsession_sources++];
	memset(s, 0, sizeof(*s));
	s->session = session;
	s->source = ps->units[x->unit].source;
	s->first_line = s->last_line = x->line;
}

void
pp_ps_emit_sums(struct pp_ps *ps)
{
	struct pp_model *m = ps->m;
	struct pp_map sessions, shares;
	uint32_t *last = pp_mem_zalloc(m->mem, (m->nsources + 1) *
	    sizeof(*last));
	size_t i;

	for (i = 0; i < m->nsessions; i++)
		if (m->sessions[i].ordinal > last[m->sessions[i].source])
			last[m->sessions[i].source] = m->sessions[i].ordinal;
	pp_map_init(&sessions, m->mem);
	pp_map_init(&shares, m->mem);
	for (i = 0; i < ps->nsums; i++) {
		const struct pp_ps_sum *x = &ps->sums[i];
		enum pp_nested_kind kind = family(ps, x->name);
		uint32_t *at = pp_map_at(&sessions, (uint64_t)x->unit << 8 |
		    (uint64_t)kind, x->group);
		struct pp_nested r = {.kind = PP_NESTED_SUM};

		if (*at == PP_MAP_NONE) {
			*at = new_session(ps, x, kind, last);
			*pp_map_at(&shares, *at, 0) =
			    (uint32_t)m->nsession_sources;
			add_share(ps, *at, x);
		}
		m->session_sources[pp_map_get(&shares, *at, 0)].last_line =
		    x->line;
		r.session = *at;
		r.file = ps->units[x->unit].source;
		r.line = x->line;
		r.name = kind != PP_NESTED_STAGE || !pp_str_starts(
		    pp_strtab_get(&m->names, x->name), PP_STR("stage/sql/")) ?
		    x->name : pp_model_stage_name(m, pp_strtab_get(&m->names,
		    x->name));
		r.stmt = (uint32_t)kind;
		r.start = (int64_t)x->sum;
		r.id = x->count;
		r.wait = (int64_t)x->max;
		r.more = x->min;
		r.flags = x->extremes ? PP_NESTED_MINMAX : 0;
		memcpy(pp_nested_add(&m->nested), &r, sizeof(r));
	}
	pp_map_free(&sessions);
	pp_map_free(&shares);
	pp_mem_free(m->mem, last);
}
