/*
 * oracle10046_session.c: who is at work: file headers, "***" markers,
 * sessions and their modules.
 *
 * A session is known by its header segment, process and SESSION ID.  Markers
 * come in groups whose order differs between versions (10g prints SESSION ID
 * last, 11g first), and a session that comes back to a shared server is not
 * introduced again; so markers only state what is wanted, and the session is
 * found when the next event comes.
 */
#include "oracle10046_fold.h"

#include <inttypes.h>

/* --------------------------------------------------------------- segments */

/* A new file header: nothing of what came before holds any longer. */
void
pp_of_segment(struct pp_fold *f)
{
	f->last_segment = f->segment;
	f->last_clock = f->clock;
	f->last_pid = f->pid;
	f->segment = ++f->segments;
	f->pid = 0;
	f->sid = 0;
	f->process = 0;
	f->staged_mask = 0;
	f->clock = pp_of_clock_new(f);
	f->todo &= ~(unsigned)(PP_OF_STAMPED | PP_OF_STAGED);
	f->todo |= PP_OF_SWITCH;
}

/*
 * TRACE CONTINUED FROM FILE in a file that was put together from several: the
 * process goes on.  11g prints it behind the header, 10g in front.
 */
static void
continued(struct pp_fold *f)
{
	if (f->begun) {
		f->continued = true;
		return;
	}
	if (f->last_clock == NULL || f->pid != f->last_pid)
		return;
	f->segment = f->last_segment;
	f->clock = f->last_clock;
	f->last_clock = NULL;
	f->todo |= PP_OF_SWITCH;
}

/*
 * A trace that outgrows its limit is kept as NAME_1.trc and the newest ones,
 * NAME_9.trc, NAME_10.trc, NAME.trc; those between are deleted.
 */
void
pp_of_segment_name(struct pp_fold *f)
{
	pp_str name = pp_of_source(f)->name, base;
	int before = f->segment_no, no = 0;
	size_t n;

	if (pp_str_ends(name, PP_STR(".trc")))
		name.n -= 4;
	n = name.n;
	while (n > 0 && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	base = (pp_str){name.p, n};
	if (n > 0 && name.p[n - 1] == '_' && name.n - n <= 4)
		for (; n < name.n; n++)
			no = no * 10 + (name.p[n] - '0');
	if (before > 0 && no > before + 1 && pp_str_eq(base, f->segment_base))
		f->todo |= PP_OF_HOLE;
	f->segment_no = no;
	f->segment_base = base;
}

/* A part of the trace is missing before the event at hand. */
static void
missing_part(struct pp_fold *f, const struct pp_o_rec *r)
{
	f->todo &= ~(unsigned)PP_OF_HOLE;
	f->partial = true;
	pp_diag_tell(&f->m->diag, PP_MSG_MISSING_PART, r->line, r->offset,
	    "a part of the trace before this one is missing");
	if (f->s->now == PP_OF_UNSET)
		return;
	f->s->hole = true;
	f->s->waiting = true;
	pp_of_stale(f, f->s->index);
}

void
pp_of_hole(struct pp_fold *f, struct pp_of_session *s, uint64_t line,
    int64_t start)
{
	int64_t dur = start - s->high;

	s->hole = false;
	if (dur <= 0)
		return;
	pp_log_add(&f->m->log)->ev = (struct pp_ev){
		.kind = PP_EV_HOLE,
		.line = (uint32_t)line,
		.end = start,
		.dur = dur,
	};
	f->m->sessions[s->index].missing += dur;
}

/* ---------------------------------------------------------------- headers */

static void
keep(struct pp_fold *f, pp_str *field, pp_str value)
{
	value = pp_str_trim(value);
	if (field->n == 0 && value.n != 0)
		*field = pp_arena_str(&f->m->arena, value);
}

/* "19.0.0.0.0" of "... Release 19.0.0.0.0 - Production" */
static pp_str
release(pp_str banner)
{
	size_t at = pp_str_find(banner, PP_STR("Release ")), n;

	banner = pp_str_skip(banner, at + 8);
	for (n = 0; n < banner.n && (banner.p[n] == '.' ||
	    (banner.p[n] >= '0' && banner.p[n] <= '9')); n++)
		continue;
	return (pp_str){banner.p, n};
}

/* Process id and image: "613102 oracle@host (TNS V1-V3)". */
static void
header_process(struct pp_fold *f, const struct pp_o_rec *r)
{
	pp_str image = pp_str_trim(r->text);
	char buf[200];
	int n;

	if (f->pid != r->u.head.num)
		f->sid = 0;
	f->pid = r->u.head.num;
	if (image.n > 160)
		image.n = 160;
	n = snprintf(buf, sizeof(buf), "%" PRIu64 "%s%.*s", f->pid,
	    image.n != 0 ? " " : "", (int)image.n, image.p);
	f->process = pp_strtab_id(&f->m->names, (pp_str){buf, (size_t)n});
	f->todo |= PP_OF_SWITCH;
}

void
pp_of_header(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_source *src = pp_of_source(f);

	switch ((enum pp_o_header)r->sub) {
	case PP_O_H_TRACE_FILE:
		/* the header of a file that continues another changes
		 * nothing; one in the middle begins another trace */
		if (f->begun && !f->continued)
			pp_of_segment(f);
		f->begun = f->continued = false;
		break;
	case PP_O_H_PRODUCT:
		keep(f, &src->product, r->text);
		f->clock->major = pp_of_clock_major(r->text);
		if (src->version.n == 0)
			keep(f, &src->version, release(r->text));
		break;
	case PP_O_H_VERSION:
		/* 18c on: the banner says 19.0.0.0.0, this line the truth */
		if (pp_str_trim(r->text).n != 0)
			src->version = pp_arena_str(&f->m->arena,
			    pp_str_trim(r->text));
		break;
	case PP_O_H_HOST:
		keep(f, &src->host, r->text);
		break;
	case PP_O_H_INSTANCE:
		keep(f, &src->instance, r->text);
		break;
	case PP_O_H_PROCESS:
		header_process(f, r);
		break;
	case PP_O_H_OTHER:
		break;
	}
}

/* ---------------------------------------------------------------- markers */

static void
stamp(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_source *src = pp_of_source(f);
	struct pp_wall w;
	size_t used;

	if (r->name.n == 0)
		return;
	memset(&w, 0, sizeof(w));
	if (!pp_oracle_stamp(r->name, &w, &used) || !w.known)
		return;
	if (!src->started.known)
		src->started = w;
	src->ended = w;
	f->stamp = w;
	f->stamp_line = r->line;
	/* 2007-07-11 11:05:33.800 */
	f->stamp_coarse = used <= 23;
	if (!(f->todo & PP_OF_STAMPED))
		f->stamp_bare = false;
	f->stamp_bare |= r->sub == PP_O_STAMP;
	f->todo |= PP_OF_STAMPED;
}

static void
stage(struct pp_fold *f, unsigned key, pp_str value)
{
	f->staged[key] = pp_strtab_id(&f->m->names, value);
	f->staged_mask |= 1u << key;
	f->todo |= PP_OF_STAGED;
}

/* Stamps name the container and its number, CONTAINER ID only the latter. */
static void
stage_container(struct pp_fold *f, const struct pp_o_rec *r)
{
	char buf[160];
	int n;

	if (r->u.head.num == 0 || r->text.n > 128) {
		stage(f, PP_O_STAMP, r->text);
		return;
	}
	n = snprintf(buf, sizeof(buf), "%.*s(%" PRIu64 ")", (int)r->text.n,
	    r->text.p, r->u.head.num);
	stage(f, PP_O_STAMP, (pp_str){buf, (size_t)n});
}

/* trcsess puts this in front of the lines of a process. */
static void
process(struct pp_fold *f, const struct pp_o_rec *r)
{
	uint64_t pid = r->u.head.num;
	uint32_t known;

	if (pid == 0 && !pp_u64_parse(pp_str_trim(r->text), &pid))
		return;
	if (pid == f->pid)
		return;
	*pp_map_at(&f->sid_map, f->segment, f->pid) = f->sid;
	known = pp_map_get(&f->sid_map, f->segment, pid);
	f->pid = pid;
	f->sid = known == PP_MAP_NONE ? 0 : known;
	f->process = 0;
	f->staged_mask = 0;
	f->todo |= PP_OF_SWITCH;
	f->todo &= ~(unsigned)PP_OF_STAGED;
}

void
pp_of_marker(struct pp_fold *f, const struct pp_o_rec *r)
{
	enum pp_o_key key = (enum pp_o_key)r->sub;

	stamp(f, r);
	switch (key) {
	case PP_O_STAMP:
		if (r->text.n != 0)
			stage_container(f, r);
		break;
	case PP_O_SESSION_ID:
		if (r->text.n == 0)
			break;
		f->sid = pp_strtab_id(&f->m->names, r->text);
		f->todo |= PP_OF_SWITCH;
		break;
	case PP_O_CLIENT_ID:
	case PP_O_SERVICE_NAME:
	case PP_O_MODULE_NAME:
	case PP_O_ACTION_NAME:
	case PP_O_CLIENT_DRIVER:
	case PP_O_CONTAINER_ID:
		stage(f, key, r->text);
		break;
	case PP_O_PROCESS:
		process(f, r);
		break;
	case PP_O_CONTINUED:
		continued(f);
		break;
	case PP_O_SIZE_LIMIT:
		pp_of_tell(f, r, PP_MSG_SIZE_LIMIT,
		    "trace truncated at size limit", r->text);
		break;
	case PP_O_CLIENT_IP:
	case PP_O_CONNECTION_ID:
	case PP_O_CONTINUES:
	case PP_O_OTHER_KEY:
		break;
	}
}

/* The text between "name='" and the quote before " xx=" (names may hold
 * quotes). */
static bool
app_value(pp_str s, pp_str name, pp_str tail, pp_str *value)
{
	size_t from = pp_str_find(s, name), to;

	if (from == s.n)
		return false;
	s = pp_str_skip(s, from + name.n);
	to = pp_str_find(s, tail);
	if (to == s.n)
		return false;
	*value = (pp_str){s.p, to};
	return true;
}

/* APPNAME mod='mod' mh=781691722 act='act' ah=3947624709, up to 9i */
void
pp_of_appname(struct pp_fold *f, const struct pp_o_rec *r)
{
	pp_str v;

	if (app_value(r->text, PP_STR("mod='"), PP_STR("' mh="), &v))
		stage(f, PP_O_MODULE_NAME, v);
	if (app_value(r->text, PP_STR("act='"), PP_STR("' ah="), &v))
		stage(f, PP_O_ACTION_NAME, v);
}

/* --------------------------------------------------------------- sessions */

static struct pp_of_session *
new_session(struct pp_fold *f)
{
	struct pp_of_session *s = pp_mem_zalloc(f->mem, sizeof(*s));
	void *v = f->sessions;

	pp_mem_grow(f->mem, &v, &f->sessions_cap, f->nsessions + 1,
	    sizeof(*f->sessions));
	f->sessions = v;
	f->sessions[f->nsessions++] = s;
	s->index = pp_model_session(f->m, f->source);
	f->m->sessions[s->index].ordinal = ++f->ordinal;
	s->segment = f->segment;
	s->pid = f->pid;
	s->clock = f->clock;
	s->now = s->ahead = s->call_now = s->high = PP_OF_UNSET;
	s->start = INT64_MAX;
	s->end = INT64_MIN;
	s->run = 1;
	s->zero.head = s->zero.tail = PP_OF_NONE;
	s->held.head = s->held.tail = PP_OF_NONE;
	s->leading.head = s->leading.tail = PP_OF_NONE;
	s->share = PP_OF_NONE;
	return s;
}

/* Write what is known of the identity into the model. */
static void
name_session(struct pp_fold *f, struct pp_of_session *s)
{
	struct pp_session *ms = &f->m->sessions[s->index];
	char buf[24];
	int n = snprintf(buf, sizeof(buf), "%" PRIu64, s->pid);
	pp_str pid = {buf, (size_t)n};

	if (s->sid != 0)
		ms->native_id = pp_strtab_get(&f->m->names, s->sid);
	else if (s->pid != 0 && ms->native_id.n == 0)
		ms->native_id = pp_arena_str(&f->m->arena, pid);
	if (f->process != 0)
		ms->process = pp_strtab_get(&f->m->names, f->process);
	else if (s->pid != 0 && ms->process.n == 0)
		ms->process = pp_arena_str(&f->m->arena, pid);
}

static struct pp_of_session *
find_session(struct pp_fold *f)
{
	uint64_t key = f->segment << 32 | f->sid;
	uint32_t *at = pp_map_at(&f->session_map, key, f->pid), i;
	struct pp_of_session *s;

	if (*at != PP_MAP_NONE)
		return f->sessions[*at];
	/* what came before the first id is of the session that it names */
	if (f->sid != 0) {
		*at = 0;
		i = pp_map_get(&f->session_map, f->segment << 32, f->pid);
		at = pp_map_at(&f->session_map, key, f->pid);
		if (i != PP_MAP_NONE && f->sessions[i]->sid == 0) {
			*at = i;
			s = f->sessions[i];
			s->sid = f->sid;
			return s;
		}
	}
	*at = (uint32_t)f->nsessions;
	s = new_session(f);
	s->sid = f->sid;
	return s;
}

static uint32_t
context_of(struct pp_fold *f, const struct pp_of_session *s)
{
	struct pp_model *m = f->m;
	struct pp_context c = {
		.module = s->attr[PP_O_MODULE_NAME],
		.action = s->attr[PP_O_ACTION_NAME],
		.client_id = s->attr[PP_O_CLIENT_ID],
		.service = s->attr[PP_O_SERVICE_NAME],
	};
	uint32_t *at;
	void *v = m->contexts;

	if ((c.module | c.action | c.client_id | c.service) == 0)
		return 0;
	at = pp_map_at(&f->context_map,
	    (uint64_t)c.module << 32 | c.action,
	    (uint64_t)c.client_id << 32 | c.service);
	if (*at != PP_MAP_NONE)
		return *at;
	*at = (uint32_t)m->ncontexts;
	pp_mem_grow(m->mem, &v, &m->contexts_cap, m->ncontexts + 1,
	    sizeof(*m->contexts));
	m->contexts = v;
	m->contexts[m->ncontexts] = c;
	return (uint32_t)m->ncontexts++;
}

/* The values of the markers since the last event, for the session that they
 * have led to. */
static void
apply_staged(struct pp_fold *f, struct pp_of_session *s)
{
	struct pp_session *ms = &f->m->sessions[s->index];
	struct pp_strtab *names = &f->m->names;
	unsigned key;
	pp_str v;

	for (key = 0; key < PP_O_OTHER_KEY; key++)
		if (f->staged_mask & 1u << key)
			s->attr[key] = f->staged[key];
	ms->client_id = pp_strtab_get(names, s->attr[PP_O_CLIENT_ID]);
	ms->service = pp_strtab_get(names, s->attr[PP_O_SERVICE_NAME]);
	ms->module = pp_strtab_get(names, s->attr[PP_O_MODULE_NAME]);
	ms->action = pp_strtab_get(names, s->attr[PP_O_ACTION_NAME]);
	ms->driver = pp_strtab_get(names, s->attr[PP_O_CLIENT_DRIVER]);
	v = pp_strtab_get(names, s->attr[PP_O_STAMP]);
	if (v.n == 0)
		v = pp_strtab_get(names, s->attr[PP_O_CONTAINER_ID]);
	ms->container = v;
	s->context = context_of(f, s);
	f->staged_mask = 0;
}

static void
log_marker(struct pp_fold *f, enum pp_ev_kind kind, uint32_t *now,
    uint32_t next)
{
	if (*now == next)
		return;
	pp_log_add(&f->m->log)->ev = (struct pp_ev){
		.kind = (uint8_t)kind,
		.name = *now,
		.stmt = next,
	};
	*now = next;
}

void
pp_of_log_session(struct pp_fold *f, struct pp_of_session *s)
{
	log_marker(f, PP_EV_SESSION, &f->log_session, s->index);
	f->m->log.session = f->log_session;	/* before the next marker */
	log_marker(f, PP_EV_CONTEXT, &f->log_context, s->context);
	f->m->log.context = f->log_context;
}

/* Of a call or wait; 0 where it is none or tells nonsense. */
static int64_t
duration(const struct pp_o_rec *r)
{
	int64_t d = r->kind == PP_O_CALL ? r->u.call.e :
	    r->kind == PP_O_WAIT ? r->u.wait.ela : 0;

	return d < 0 || d >> PP_OF_TIME_BITS != 0 ? 0 : d;
}

void
pp_of_ready(struct pp_fold *f, const struct pp_o_rec *r)
{
	f->begun = true;
	f->continued = false;
	if (f->todo & PP_OF_SWITCH || f->s == NULL) {
		f->s = find_session(f);
		name_session(f, f->s);
	}
	log_marker(f, PP_EV_FILE, &f->log_file, f->source);
	f->m->log.file = f->log_file;
	if (f->todo & PP_OF_STAGED)
		apply_staged(f, f->s);
	pp_of_log_session(f, f->s);
	f->todo &= PP_OF_STAMPED | PP_OF_HOLE;
	if (f->todo & PP_OF_HOLE)
		missing_part(f, r);
	/* a time far from the running clock may be of another one */
	if ((f->todo & PP_OF_STAMPED) && (r->has & PP_O_HAS_TIM) &&
	    r->kind != PP_O_ERROR && r->tim >= 0 &&
	    r->tim >> PP_OF_TIME_BITS == 0 && !f->s->doubtful)
		pp_of_clock_anchor(f, f->s, duration(r),
		    pp_of_clock_time(f, f->s, r->tim));
}

/* ------------------------------------------------------------------ merge */

static struct pp_session_source *
share(struct pp_fold *f, struct pp_of_session *s)
{
	struct pp_model *m = f->m;
	struct pp_session_source *x;
	void *v = m->session_sources;

	if (s->share != PP_OF_NONE && s->share_source == f->source)
		return &m->session_sources[s->share];
	pp_mem_grow(m->mem, &v, &m->session_sources_cap,
	    m->nsession_sources + 1, sizeof(*x));
	m->session_sources = v;
	s->share = (uint32_t)m->nsession_sources;
	s->share_source = f->source;
	x = &m->session_sources[m->nsession_sources++];
	memset(x, 0, sizeof(*x));
	x->session = s->index;
	x->source = f->source;
	x->first_line = s->first_line;
	return x;
}

static void
tell_back(struct pp_fold *f, struct pp_of_session *s)
{
	if (s->back_count == 0)
		return;
	pp_diag_tell_n(&f->m->diag, PP_MSG_CLOCK_BACK, s->back_line,
	    UINT64_MAX, s->back_count, "the clock of session %" PRIu32
	    " went back %" PRIu64 " times, by up to %" PRId64 " ticks",
	    f->m->sessions[s->index].ordinal, s->back_count, s->back_most);
	s->back_count = 0;
	s->back_most = 0;
}

void
pp_of_merge(struct pp_fold *f)
{
	size_t i;

	for (i = 0; i < f->nsessions; i++) {
		struct pp_of_session *s = f->sessions[i];
		struct pp_session *ms = &f->m->sessions[s->index];
		struct pp_session_source *x;

		tell_back(f, s);
		if (s->last_line == 0)
			continue;
		x = share(f, s);
		x->last_line = s->last_line > x->last_line ? s->last_line :
		    x->last_line;
		if (!x->has_time || s->start < x->start)
			x->start = s->start;
		if (!x->has_time || s->end > x->end)
			x->end = s->end;
		x->has_time = true;
		if (!ms->has_time || s->start < ms->start)
			ms->start = s->start;
		if (!ms->has_time || s->end > ms->end)
			ms->end = s->end;
		ms->has_time = true;
		ms->calls += s->calls;
		ms->waits += s->waits;
		s->calls = s->waits = 0;
		s->start = INT64_MAX;
		s->end = INT64_MIN;
		s->first_line = s->last_line = 0;
	}
}
