/*
 * stage.c: queries of SHOW PROFILE and their rows, and the names of stages.
 *
 * Rows travel from the reader to the tables as bytes in a log that spills, a
 * run of them at a time; a field that a row does not have takes no room.
 */
#include "model.h"

/* Bits of the first byte of a row, above its kind. */
#define ROW_COUNT	0x10	/* the count is not 1 */
#define ROW_SOURCE	0x20	/* functions and files */
#define ROW_FLAGS	0x40
#define ROW_REST	0x80	/* behind name and times, the rest stands
				 * behind its length, so that those who do
				 * not ask for it pass over it */

/* The longest row: 25 numbers of at most 10 bytes; the longest rest. */
#define ROW_MOST	260
#define REST_MOST	255

static char *
put_number(char *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (char)(v | 0x80);
	*p++ = (char)v;
	return p;
}

/* Small numbers of either sign take few bytes. */
static char *
put_signed(char *p, int64_t v)
{
	return put_number(p, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

static inline uint64_t
get_number(const char **at, const char *e)
{
	const char *p = *at;
	uint64_t v = 0;
	unsigned shift = 0;

	if (p < e && (unsigned char)*p < 0x80) {
		*at = p + 1;
		return (unsigned char)*p;
	}
	while (p < e) {
		unsigned char c = (unsigned char)*p++;

		if (shift < 64)
			v |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
		if (c < 0x80)
			break;
	}
	*at = p;
	return v;
}

static inline int64_t
get_signed(const char **at, const char *e)
{
	uint64_t v = get_number(at, e);

	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

static char *
put_rest(char *p, unsigned head, const struct pp_stage *x)
{
	unsigned k;

	if (head & ROW_FLAGS)
		p = put_number(p, x->flags);
	if (x->has & PP_STAGE_USER)
		p = put_signed(p, x->cpu_user);
	if (x->has & PP_STAGE_SYSTEM)
		p = put_signed(p, x->cpu_system);
	for (k = 0; k < PP_STAGE_COUNTERS; k++)
		if (x->has & 1u << k)
			p = put_number(p, x->counter[k]);
	if (head & ROW_SOURCE) {
		p = put_number(p, x->from_function);
		p = put_number(p, x->from_file);
		p = put_number(p, x->to_function);
		p = put_number(p, x->to_file);
	}
	if (x->has & PP_STAGE_FROM_LINE)
		p = put_number(p, x->from_line);
	if (x->has & PP_STAGE_TO_LINE)
		p = put_number(p, x->to_line);
	return p;
}

void
pp_stage_put(struct pp_mem *mem, char **piece, size_t *n, size_t *cap,
    const struct pp_stage *x)
{
	unsigned head = x->kind;
	void *v = *piece;
	char *p, *rest;

	if (*cap < *n + ROW_MOST) {
		pp_mem_grow(mem, &v, cap, *n + ROW_MOST, 1);
		*piece = v;
	}
	p = *piece + *n;
	if (x->count != 1)
		head |= ROW_COUNT;
	if ((x->from_function | x->from_file | x->to_function |
	    x->to_file) != 0)
		head |= ROW_SOURCE;
	if (x->flags != 0)
		head |= ROW_FLAGS;
	if ((head & (ROW_SOURCE | ROW_FLAGS)) != 0 ||
	    (x->has & ~PP_STAGE_DURATION) != 0)
		head |= ROW_REST;
	*p++ = (char)head;
	p = put_number(p, x->has);
	p = put_number(p, x->name);
	p = put_signed(p, x->start);
	p = put_signed(p, x->duration);
	if (head & ROW_COUNT)
		p = put_number(p, x->count);
	if (head & ROW_REST) {
		rest = p + 1;
		p = put_rest(rest, head, x);
		PP_ASSERT_DBG(p - rest <= REST_MOST);
		rest[-1] = (char)(p - rest);
	}
	*n = (size_t)(p - *piece);
	PP_ASSERT_DBG(*n <= *cap);
}

static void
get_rest(const char *p, const char *e, unsigned head, struct pp_stage *x)
{
	unsigned k;

	if (head & ROW_FLAGS)
		x->flags = (uint32_t)get_number(&p, e);
	if (x->has & PP_STAGE_USER)
		x->cpu_user = get_signed(&p, e);
	if (x->has & PP_STAGE_SYSTEM)
		x->cpu_system = get_signed(&p, e);
	for (k = 0; k < PP_STAGE_COUNTERS; k++)
		if (x->has & 1u << k)
			x->counter[k] = get_number(&p, e);
	if (head & ROW_SOURCE) {
		x->from_function = (uint32_t)get_number(&p, e);
		x->from_file = (uint32_t)get_number(&p, e);
		x->to_function = (uint32_t)get_number(&p, e);
		x->to_file = (uint32_t)get_number(&p, e);
	}
	if (x->has & PP_STAGE_FROM_LINE)
		x->from_line = get_number(&p, e);
	if (x->has & PP_STAGE_TO_LINE)
		x->to_line = get_number(&p, e);
}

static void
get_stage(pp_str *s, struct pp_stage *x, bool times)
{
	const char *p = s->p, *e = p + s->n;
	unsigned head = (unsigned char)*p++;
	size_t n;

	memset(x, 0, sizeof(*x));
	x->kind = head & 0x0f;
	x->has = (uint32_t)get_number(&p, e);
	x->name = (uint32_t)get_number(&p, e);
	x->start = get_signed(&p, e);
	x->duration = get_signed(&p, e);
	x->count = head & ROW_COUNT ? get_number(&p, e) : 1;
	if ((head & ROW_REST) && p < e) {
		n = (unsigned char)*p++;
		if (n > (size_t)(e - p))
			n = (size_t)(e - p);
		if (times)
			x->has &= PP_STAGE_DURATION;
		else
			get_rest(p, p + n, head, x);
		p += n;
	}
	*s = (pp_str){p, (size_t)(e - p)};
}

/* -------------------------------------------------------------- queries */

struct pp_query *
pp_model_query(struct pp_model *m)
{
	void *v = m->queries;

	pp_mem_grow(m->mem, &v, &m->queries_cap, m->nqueries + 1,
	    sizeof(*m->queries));
	m->queries = v;
	memset(&m->queries[m->nqueries], 0, sizeof(*m->queries));
	return &m->queries[m->nqueries++];
}

/* A piece stands behind its length. */
void
pp_model_stages(struct pp_model *m, struct pp_query *q, pp_str piece)
{
	uint32_t n = (uint32_t)piece.n;
	uint64_t at;

	PP_ASSERT(piece.n < UINT32_MAX);
	at = pp_bytelog_add(&m->stages, &n, sizeof(n));
	pp_bytelog_add(&m->stages, piece.p, piece.n);
	if (q->pieces++ == 0)
		q->at = at;
}

void
pp_stage_open(struct pp_stage_reader *r, struct pp_model *m,
    const struct pp_query *q)
{
	memset(r, 0, sizeof(*r));
	r->log = &m->stages;
	r->at = q->at;
	r->pieces = q->pieces;
}

bool
pp_stage_next(struct pp_stage_reader *r, struct pp_stage *x)
{
	uint32_t n;
	pp_str s;

	while (r->piece.n == 0) {
		if (r->pieces == 0)
			return false;
		s = pp_bytelog_get(r->log, r->at, sizeof(n));
		if (s.n != sizeof(n))
			return false;
		memcpy(&n, s.p, sizeof(n));
		r->piece = pp_bytelog_get(r->log, r->at + sizeof(n), n);
		if (r->piece.n != n)
			return false;
		r->at += sizeof(n) + n;
		r->pieces--;
	}
	get_stage(&r->piece, x, r->times);
	return true;
}

/* ---------------------------------------------------------------- names */

/* SHOW PROFILE cuts the name of a state here. */
#define NAME_BYTES 30

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

uint32_t
pp_model_stage_name(struct pp_model *m, pp_str name)
{
	pp_str prefix = PP_STR("stage/sql/"), folded;
	char buf[NAME_BYTES];
	uint32_t *at, id;
	size_t i;

	if (pp_str_starts(name, prefix))
		name = pp_str_skip(name, prefix.n);
	if (name.n > NAME_BYTES) {
		name.n = NAME_BYTES;
		/* not within a character */
		while (name.n > 0 && ((unsigned char)name.p[name.n] & 0xc0) ==
		    0x80)
			name.n--;
	}
	while (name.n > 0 && name.p[name.n - 1] == ' ')
		name.n--;
	for (i = 0; i < name.n; i++)
		buf[i] = lower(name.p[i]);
	folded = (pp_str){buf, name.n};
	/* at most 30 bytes: the ids of their folded form tell them apart */
	id = pp_strtab_id(&m->names, folded);
	at = pp_map_at(&m->stage_names, id, 0);
	if (*at == PP_MAP_NONE)
		*at = pp_strtab_id(&m->names, name);
	return *at;
}
