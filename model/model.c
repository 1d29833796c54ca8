/*
 * model.c: building the model: sources, sessions, statements, wall clocks.
 */
#include "model.h"

#include <openssl/evp.h>

void
pp_model_init(struct pp_model *m, struct pp_mem *mem, FILE *to,
    const char *tmpdir)
{
	memset(m, 0, sizeof(*m));
	m->mem = mem;
	pp_arena_init(&m->arena, mem, 65536);
	pp_diag_init(&m->diag, mem, to);
	pp_strtab_init(&m->names, mem);
	pp_map_init(&m->stmt_by_id, mem);
	pp_map_init(&m->digest_map, mem);
	pp_map_init(&m->users, mem);
	pp_map_init(&m->execution_map, mem);
	pp_map_init(&m->plan_map, mem);
	pp_map_init(&m->plan_count, mem);
	pp_map_init(&m->stage_names, mem);
	pp_bytelog_init(&m->stages, mem, tmpdir);
	pp_facets_init(&m->facets, mem);
	pp_bytelog_init(&m->binds, mem, tmpdir);
	pp_log_init(&m->log, mem, tmpdir);
	pp_log_init(&m->nested, mem, tmpdir);
	pp_model_stmt(m, PP_STR("(no statement)"));
	pp_model_stmt(m, PP_STR("(between calls)"));
}

uint32_t
pp_model_source(struct pp_model *m)
{
	void *v = m->sources;
	struct pp_source *s;

	pp_mem_grow(m->mem, &v, &m->sources_cap, m->nsources + 1, sizeof(*s));
	m->sources = v;
	s = &m->sources[m->nsources];
	memset(s, 0, sizeof(*s));
	s->digits = 6;
	s->tick_units = 1;
	s->clock_factor = "1";
	s->status = PP_SRC_EMPTY;
	return (uint32_t)m->nsources++;
}

uint32_t
pp_model_session(struct pp_model *m, uint32_t source)
{
	void *v = m->sessions;
	struct pp_session *s;

	pp_mem_grow(m->mem, &v, &m->sessions_cap, m->nsessions + 1,
	    sizeof(*s));
	m->sessions = v;
	s = &m->sessions[m->nsessions];
	memset(s, 0, sizeof(*s));
	s->source = source;
	s->group = m->sources[source].group;
	s->digits = 6;
	return (uint32_t)m->nsessions++;
}

uint32_t
pp_model_stmt(struct pp_model *m, pp_str id)
{
	/* two independent hashes: 128 bits tell any number of ids apart */
	uint64_t a = pp_str_hash(id), b = pp_hash_mix(a ^ id.n);
	uint32_t *at;
	struct pp_stmt *s;
	size_t i;
	void *v;

	for (i = 0; i < id.n; i++)
		b = (b ^ (unsigned char)id.p[i]) * 0x100000001b3u;
	at = pp_map_at(&m->stmt_by_id, a, b);
	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)m->nstmts;
	v = m->stmts;
	pp_mem_grow(m->mem, &v, &m->stmts_cap, m->nstmts + 1, sizeof(*s));
	m->stmts = v;
	s = &m->stmts[m->nstmts];
	memset(s, 0, sizeof(*s));
	s->id = pp_arena_str(&m->arena, id);
	s->parsing_user = -1;
	return (uint32_t)m->nstmts++;
}

void
pp_model_parsed_for(struct pp_model *m, uint32_t session, uint32_t stmt,
    int64_t uid)
{
	struct pp_stmt *s = &m->stmts[stmt];
	uint32_t *at;

	if (uid < 0 || uid >= PP_MAP_NONE || s->parsing_user == uid ||
	    (s->parsing_user >= 0 && s->user_session == session))
		return;
	if (s->parsing_user < 0) {
		s->parsing_user = uid;
		s->user_session = session;
		return;
	}
	at = pp_map_at(&m->users, session, stmt);
	if (*at == PP_MAP_NONE)
		*at = (uint32_t)uid;
}

int64_t
pp_model_user(const struct pp_model *m, uint32_t session, uint32_t stmt)
{
	uint32_t uid = pp_map_get(&m->users, session, stmt);

	return uid != PP_MAP_NONE ? (int64_t)uid :
	    m->stmts[stmt].parsing_user;
}

/* Plans of one shape have the same operations at the same places. */
static uint64_t
plan_shape(const struct pp_plan_row *rows, uint32_t n)
{
	uint64_t h = n;
	uint32_t i;

	for (i = 0; i < n; i++) {
		h = pp_hash_mix(h ^ rows[i].operation);
		h = pp_hash_mix(h ^ (uint64_t)rows[i].id);
		h = pp_hash_mix(h ^ (uint64_t)rows[i].parent << 20 ^
		    (uint64_t)rows[i].position);
		h = pp_hash_mix(h ^ (uint64_t)rows[i].object);
	}
	return h;
}

static void
add_plan_row(struct pp_plan_row *r, const struct pp_plan_row *x)
{
	r->rows += x->rows;
	r->starts += x->starts;
	r->cr = pp_i64_add(r->cr, x->cr);
	r->pr = pp_i64_add(r->pr, x->pr);
	r->pw = pp_i64_add(r->pw, x->pw);
	r->us = pp_i64_add(r->us, x->us);
}

void
pp_model_plan(struct pp_model *m, uint32_t session, uint32_t stmt,
    const struct pp_plan_row *rows, uint32_t n)
{
	uint64_t shape = plan_shape(rows, n);
	uint32_t *at = pp_map_at(&m->plan_map, (uint64_t)session << 32 | stmt,
	    shape), *count, i;
	struct pp_stmt_plan *p;
	void *v = m->plans;

	if (*at != PP_MAP_NONE) {
		p = &m->plans[*at];
		p->executions++;
		for (i = 0; i < n && i < p->nrows; i++)
			add_plan_row(&p->rows[i], &rows[i]);
		return;
	}
	*at = (uint32_t)m->nplans;
	pp_mem_grow(m->mem, &v, &m->plans_cap, m->nplans + 1, sizeof(*p));
	m->plans = v;
	p = &m->plans[m->nplans];
	p->session = session;
	p->stmt = stmt;
	p->shape = shape;
	p->executions = 1;
	p->nrows = n;
	p->rows = pp_arena_alloc(&m->arena, n * sizeof(*rows));
	memcpy(p->rows, rows, n * sizeof(*rows));
	m->nplans++;
	count = pp_map_at(&m->plan_count, session, stmt);
	*count = *count == PP_MAP_NONE ? 1 : *count + 1;
	p->number = *count;
}

struct bind_head {
	int64_t length;
	uint64_t n;
	uint32_t position, type;
	uint64_t known;
};

void
pp_bind_put(struct pp_mem *mem, char **set, size_t *n, size_t *cap,
    const struct pp_bind *b)
{
	struct bind_head h = {b->length, b->value.n, b->position, b->type,
	    b->known};
	void *v = *set;

	pp_mem_grow(mem, &v, cap, *n + sizeof(h) + b->value.n, 1);
	*set = v;
	memcpy(*set + *n, &h, sizeof(h));
	if (b->value.n > 0)
		memcpy(*set + *n + sizeof(h), b->value.p, b->value.n);
	*n += sizeof(h) + b->value.n;
}

bool
pp_bind_next(pp_str *set, struct pp_bind *b)
{
	struct bind_head h;

	if (set->n < sizeof(h))
		return false;
	memcpy(&h, set->p, sizeof(h));
	*set = pp_str_skip(*set, sizeof(h));
	if (h.n > set->n)
		return false;
	*b = (struct pp_bind){h.position, h.type, h.length, h.known != 0,
	    {set->p, (size_t)h.n}};
	*set = pp_str_skip(*set, (size_t)h.n);
	return true;
}

struct pp_error *
pp_model_error(struct pp_model *m)
{
	void *v = m->errors;

	pp_mem_grow(m->mem, &v, &m->errors_cap, m->nerrors + 1,
	    sizeof(*m->errors));
	m->errors = v;
	memset(&m->errors[m->nerrors], 0, sizeof(*m->errors));
	return &m->errors[m->nerrors++];
}

static void
count_execution(struct pp_model *m, uint32_t session, uint32_t stmt,
    uint32_t facet, int64_t elapsed)
{
	uint32_t *at = pp_map_at(&m->execution_map,
	    (uint64_t)facet << 32 | session, stmt);
	struct pp_executions *x;
	void *v = m->executions;

	if (*at == PP_MAP_NONE) {
		*at = (uint32_t)m->nexecutions;
		pp_mem_grow(m->mem, &v, &m->executions_cap,
		    m->nexecutions + 1, sizeof(*x));
		m->executions = v;
		x = &m->executions[m->nexecutions++];
		memset(x, 0, sizeof(*x));
		x->session = session;
		x->stmt = stmt;
		x->facet = facet;
		x->max = elapsed;
	} else
		x = &m->executions[*at];
	if (elapsed > x->max)
		x->max = elapsed;
	pp_hist_add(&x->hist, m->mem, elapsed);
}

void
pp_model_execution(struct pp_model *m, uint32_t session, uint32_t stmt,
    uint32_t context, int64_t elapsed)
{
	count_execution(m, session, stmt, PP_FACET_ALL, elapsed);
	if (m->facets.n > 0)
		count_execution(m, session, stmt, pp_facet_of(m, context,
		    m->sessions[session].source), elapsed);
}

const struct pp_executions *
pp_model_executions(const struct pp_model *m, uint32_t session, uint32_t stmt,
    uint32_t facet)
{
	uint32_t i = pp_map_get(&m->execution_map,
	    (uint64_t)facet << 32 | session, stmt);

	return i == PP_MAP_NONE ? NULL : &m->executions[i];
}

/*
 * Oracle's sql_id: MD5 of the text and a NUL; the last 8 bytes, as two
 * little-endian words with the third word first, in base 32 without e, i, l
 * and o.  The hash value is the fourth word.
 */
void
pp_sql_id(pp_str text, char *out, uint32_t *hash)
{
	static const char digit[] = "0123456789abcdfghjkmnpqrstuvwxyz";
	unsigned char md[EVP_MAX_MD_SIZE] = {0};
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	uint32_t w2, w3;
	uint64_t v;
	int i;

	if (ctx != NULL) {
		EVP_DigestInit_ex(ctx, EVP_md5(), NULL);
		EVP_DigestUpdate(ctx, text.p, text.n);
		EVP_DigestUpdate(ctx, "", 1);
		EVP_DigestFinal_ex(ctx, md, NULL);
		EVP_MD_CTX_free(ctx);
	}
	w2 = (uint32_t)md[8] | (uint32_t)md[9] << 8 | (uint32_t)md[10] << 16 |
	    (uint32_t)md[11] << 24;
	w3 = (uint32_t)md[12] | (uint32_t)md[13] << 8 |
	    (uint32_t)md[14] << 16 | (uint32_t)md[15] << 24;
	v = (uint64_t)w2 << 32 | w3;
	for (i = 12; i >= 0; i--) {
		out[i] = digit[v & 31];
		v >>= 5;
	}
	out[13] = '\0';
	*hash = w3;
}

void
pp_text_id(pp_str text, char *out)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char md[EVP_MAX_MD_SIZE] = {0};
	int i;

	EVP_Digest(text.p, text.n, md, NULL, EVP_sha256(), NULL);
	out[0] = 's';
	out[1] = ':';
	for (i = 0; i < 8; i++) {
		out[2 + 2 * i] = hex[md[i] >> 4];
		out[3 + 2 * i] = hex[md[i] & 15];
	}
	out[18] = '\0';
}

int64_t
pp_ticks_per_second(uint8_t digits)
{
	PP_ASSERT(digits <= 18);
	return pp_pow10[digits];
}

bool
pp_session_wall_near(const struct pp_session *s, int64_t tick,
    struct pp_wall *w, int64_t *from, int64_t *to)
{
	struct pp_anchor a = {s->anchor_tick, s->anchor_tick, s->anchor};
	size_t lo = 0, hi = s->nanchors;
	pp_i128 us;

	*from = *to = tick;
	if (!s->has_anchor || !s->anchor.known)
		return false;
	while (lo < hi) {
		size_t m = lo + (hi - lo) / 2;

		if (s->anchors[m].start <= tick)
			lo = m + 1;
		else
			hi = m;
	}
	if (lo > 0)
		a = s->anchors[lo - 1];
	if (lo > 0 && tick < a.tick)
		tick = a.tick;
	else if (s->digits == 6 && !s->scale_1024) {
		*from = lo > 0 ? a.tick : INT64_MIN;
		*to = lo < s->nanchors ? s->anchors[lo].start : INT64_MAX;
	}
	us = pp_dec_rescale((pp_i128)tick - a.tick, s->digits, 6);
	if (s->scale_1024)
		us = pp_div_half_up(us * 1024, 1000);
	us += a.wall.us;
	/* outside the years 0 .. 9999 the stamp or the tick is damaged */
	if (us < -(pp_i128)62135596800 * 1000000 ||
	    us >= (pp_i128)253402300800 * 1000000)
		return false;
	*w = a.wall;
	w->us = (int64_t)us;
	return true;
}

bool
pp_session_wall(const struct pp_session *s, int64_t tick, struct pp_wall *w)
{
	int64_t from, to;

	return pp_session_wall_near(s, tick, w, &from, &to);
}

/* Days since 1970-01-01 to a civil date (Gregorian, proleptic). */
static void
civil(int64_t days, int *year, int *month, int *day)
{
	int64_t era, doe, yoe, doy, mp;

	days += 719468;		/* 0000-03-01 */
	era = (days >= 0 ? days : days - 146096) / 146097;
	doe = days - era * 146097;
	yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	mp = (5 * doy + 2) / 153;
	*day = (int)(doy - (153 * mp + 2) / 5 + 1);
	*month = (int)(mp < 10 ? mp + 3 : mp - 9);
	*year = (int)(yoe + era * 400 + (*month <= 2));
}

/* n decimal digits of v, zeros in front; returns the place behind them. */
static char *
digits(char *p, uint32_t v, int n)
{
	int i;

	for (i = n; i-- > 0; v /= 10)
		p[i] = (char)('0' + v % 10);
	return p + n;
}

static char *
clock_text(char *p, uint32_t hours, uint32_t minutes)
{
	p = digits(p, hours, 2);
	*p++ = ':';
	return digits(p, minutes, 2);
}

size_t
pp_wall_format(char *buf, const struct pp_wall *w, int64_t us)
{
	int64_t t, sec, frac, days;
	uint32_t s;
	int y, mo, d, off;
	char *p = buf;

	if (!w->known)
		return 0;
	t = pp_i64_add(w->us, us);
	frac = t % 1000000;
	sec = t / 1000000;
	if (frac < 0) {
		frac += 1000000;
		sec--;
	}
	days = sec / 86400 - (sec % 86400 < 0);
	sec -= days * 86400;
	civil(days, &y, &mo, &d);
	if (y < 0 || y > 9999)
		return 0;
	s = (uint32_t)sec;	/* of the day */
	p = digits(p, (uint32_t)y, 4);
	*p++ = '-';
	p = digits(p, (uint32_t)mo, 2);
	*p++ = '-';
	p = digits(p, (uint32_t)d, 2);
	*p++ = 'T';
	p = clock_text(p, s / 3600, s / 60 % 60);
	*p++ = ':';
	p = digits(p, s % 60, 2);
	*p++ = '.';
	p = digits(p, (uint32_t)frac, 6);
	if (w->has_offset) {
		off = w->offset_min < 0 ? -w->offset_min : w->offset_min;
		*p++ = w->offset_min < 0 ? '-' : '+';
		p = clock_text(p, (uint32_t)off / 60 % 100,
		    (uint32_t)off % 60);
	}
	return (size_t)(p - buf);
}
