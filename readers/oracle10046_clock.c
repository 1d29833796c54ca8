/*
 * oracle10046_clock.c: the clocks of an Oracle trace.
 *
 * A time in a trace is a bare number.  Its tick is 1 us since 9i and 10 ms
 * before; on Linux and Solaris 9.2 and 10.2 count 1.024 us; 32-bit ports wrap
 * at 2^32; virtual machines step back.  Banners lie and are missing, so all of
 * this is judged by the shape of the lines and by the wall-clock stamps
 * between them.  Durations always stay as printed: stamps only tell the unit
 * and where on the wall clock a time lies.
 */
#include "oracle10046_fold.h"

#include <inttypes.h>

#define WRAP ((int64_t)1 << 32)

/*
 * Least time between two stamps that can tell a scale, in us: about 10 s, of
 * which 1.024 is a quarter of a second, and half of that in the releases that
 * are known for it.
 */
#define SCALE_APART 9500000
#define SCALE_APART_KNOWN 5000000
/* Least time between two stamps that can tell 10 ms from 1 us, in us. */
#define UNIT_APART 2000000
/*
 * Stamps are written when a line is, which is later than the end that the
 * line tells, by the time that Oracle takes to come round to it; and up to
 * 12.1 they are cut to a millisecond.  That much is no drift.
 */
#define DRIFT_TOLERATED 400
#define DRIFT_TOLERATED_MS 2000

struct pp_of_clock *
pp_of_clock_new(struct pp_fold *f)
{
	struct pp_of_clock *k = pp_mem_zalloc(f->mem, sizeof(*k));
	void *v = f->clocks;

	k->wait_all = ~0u;
	k->second = 1000000;
	k->high = PP_OF_UNSET;
	pp_mem_grow(f->mem, &v, &f->clocks_cap, f->nclocks + 1,
	    sizeof(*f->clocks));
	f->clocks = v;
	f->clocks[f->nclocks++] = k;
	return k;
}

/* ------------------------------------------------------------------- unit */

static int64_t
wall_delta(const struct pp_wall *a, const struct pp_wall *b)
{
	int64_t d = b->us - a->us;

	/* a stamp without its offset stands for the same zone */
	if (a->has_offset && b->has_offset)
		d -= (int64_t)(b->offset_min - a->offset_min) * 60000000;
	return d;
}

/*
 * Ticks of 10 ms: up to 8i, waits have p1 to p3 and no tim, times fit 32 bits
 * and nothing of what came with 11g is there.  Stamps, or the banner of a
 * later release, can only contradict.
 */
static bool
looks_centi(const struct pp_of_clock *k)
{
	bool waits = k->wait_has & 0x100u;
	int64_t wall;

	if (k->tims >> 32 != 0 || k->sqlid || (k->call_has & PP_O_HAS_PLH) ||
	    (k->call_subs & (1u << PP_EV_CLOSE | 1u << PP_EV_LOB)))
		return false;
	if ((k->wait_has & PP_O_HAS_TIM) ||
	    (waits && !(k->wait_all & PP_O_P123)))
		return false;
	if (k->major > 8)
		return false;
	if (k->anchored) {
		wall = wall_delta(&k->wall0, &k->wall1);
		/* a hundred ticks a second, or a hundred times as many */
		if (wall >= UNIT_APART && k->tick1 - k->tick0 > wall / 100)
			return false;
	}
	if (k->major > 0)
		return true;
	/* an excerpt without any time: single reads don't last a second */
	return waits && (k->tims != 0 || k->most_ela <= 100);
}

static void
set_unit(struct pp_of_clock *k, bool centi)
{
	k->centi = centi;
	k->second = centi ? 100 : 1000000;
}

int
pp_of_clock_major(pp_str banner)
{
	pp_str at = pp_str_skip(banner, pp_str_find(banner,
	    PP_STR("Release ")) + 8);
	int v = 0;

	while (at.n > 0 && at.p[0] >= '0' && at.p[0] <= '9' && v < 1000) {
		v = v * 10 + (at.p[0] - '0');
		at = pp_str_skip(at, 1);
	}
	return v;
}

/* Tolerances depend on the unit before all is read: go by what was seen. */
void
pp_of_clock_reconsider(struct pp_of_clock *k)
{
	bool centi = looks_centi(k);

	if (centi != k->centi)
		k->drift = k->drift_1024 = 0;
	set_unit(k, centi);
}

/* --------------------------------------------------------- back and wrap */

/* Does the stamp before this time speak against a wrap that ends here? */
static bool
wall_denies(const struct pp_fold *f, const struct pp_of_clock *k, int64_t tick)
{
	int64_t wall, ticks, hour = 3600 * (int64_t)1000000;

	if (!(f->todo & PP_OF_STAMPED) || !k->anchored)
		return false;
	wall = wall_delta(&k->wall1, &f->stamp);
	ticks = (tick - k->tick1) * (1000000 / k->second);
	return wall < ticks - hour || wall > ticks + hour;
}

int64_t
pp_of_clock_time(struct pp_fold *f, struct pp_of_session *s, int64_t tim)
{
	struct pp_of_clock *k = s->clock;
	int64_t end = tim + k->wrap;

	if (end < k->high - WRAP / 2 && k->tims >> 32 == 0 && tim < WRAP &&
	    !wall_denies(f, k, end + WRAP))
		return end + WRAP;
	/* a straggler from before the wrap */
	if (k->wrap != 0 && end > k->high + WRAP / 2 &&
	    end - WRAP > k->high - 10 * k->second)
		return end - WRAP;
	return end;
}

int64_t
pp_of_clock_back(struct pp_fold *f, struct pp_of_session *s, int64_t tim,
    uint64_t line)
{
	struct pp_of_clock *k = s->clock;
	int64_t end, back, least;

	pp_of_clock_reconsider(k);
	end = pp_of_clock_time(f, s, tim);
	least = k->centi ? 1 : k->second / 1000;
	if (end > tim + k->wrap) {
		k->wrap += WRAP;
		if (!k->told_wrap)
			pp_diag_tell(&f->m->diag, PP_MSG_CLOCK_WRAP, line,
			    UINT64_MAX, "the clock wrapped at 2^32: %" PRId64
			    " is taken as %" PRId64, tim, end);
		k->told_wrap = true;
	}
	if (end > k->high)
		k->high = end;
	back = s->now - end;
	if (s->now == PP_OF_UNSET || back <= least)
		return end;
	s->back_count++;
	if (back > s->back_most) {
		s->back_most = back;
		s->back_line = line;
	}
	if (back > k->second) {
		union pp_slot *slot = pp_log_add(&f->m->log);

		slot->ev = (struct pp_ev){
			.kind = PP_EV_ERA,
			.line = (uint32_t)line,
			.end = end,
		};
		s->high = PP_OF_UNSET;
		k->high = end;
		/* stamps on either side have nothing in common */
		k->anchored = false;
	}
	return end;
}

/* ---------------------------------------------------------------- anchors */

static void
widest(int64_t d, uint64_t line, int64_t *most, uint64_t *at)
{
	if (d == INT64_MIN)
		d++;	/* so that -d is a number */
	if ((d < 0 ? -d : d) > (*most < 0 ? -*most : *most)) {
		*most = d;
		*at = line;
	}
}

/*
 * Anchors that a session keeps, and the least deviation between two of them
 * that outlives thinning.
 */
#define ANCHORS 4096
#define ANCHOR_JUMP 1000000

/*
 * A stamp is written when a line is, so it stands at the end that the line
 * tells.  An event after a later stamp that is shorter than this, in ms, is
 * not told to begin before the stamp: it is too short for stamps to tell.
 */
#define ANCHOR_SHORT 100

/* Make room by leaving out every other anchor, but where the wall clock was
 * set; where it was set all the time, there as well. */
static void
thin_anchors(const struct pp_of_clock *k, struct pp_session *ms)
{
	size_t i, n = 0, most = ANCHORS / 4 * 3;
	struct pp_anchor last = {ms->anchor_tick, ms->anchor_tick,
	    ms->anchor};

	for (i = 0; i < ms->nanchors; i++) {
		const struct pp_anchor *a = &ms->anchors[i];
		int64_t off = pp_i64_sub(wall_delta(&last.wall, &a->wall),
		    pp_i64_mul(pp_i64_sub(a->tick, last.tick),
		    1000000 / k->second));

		if (i % 2 == 0 && (n > most || (off < ANCHOR_JUMP &&
		    off > -ANCHOR_JUMP &&
		    a->wall.has_offset == last.wall.has_offset &&
		    a->wall.offset_min == last.wall.offset_min)))
			continue;
		last = *a;
		ms->anchors[n++] = last;
	}
	ms->nanchors = n;
}

/* Keep the last stamp as an anchor of the session; an event from `start` to
 * `end` follows it. */
static void
keep_anchor(struct pp_fold *f, const struct pp_of_clock *k,
    struct pp_session *ms, int64_t start, int64_t end)
{
	struct pp_anchor a = {start, end, f->stamp};
	int64_t before = ms->nanchors > 0 ?
	    ms->anchors[ms->nanchors - 1].tick : ms->anchor_tick;
	void *v = ms->anchors;

	if (!ms->has_anchor) {
		ms->has_anchor = true;
		ms->anchor = a.wall;
		ms->anchor_tick = end;
		return;
	}
	/* a bare stamp belongs to the line behind it; a marker may be written
	 * at any time before that */
	if (!f->stamp_bare)
		return;
	if (end <= before)
		return;		/* out of order, or the clock went back */
	if (pp_i64_sub(end, start) > ANCHOR_SHORT * k->second / 1000)
		a.start = end;
	else if (start <= before)
		a.start = before + 1;
	if (ms->nanchors == ANCHORS)
		thin_anchors(k, ms);
	pp_mem_grow(f->mem, &v, &ms->anchors_cap, ms->nanchors + 1,
	    sizeof(*ms->anchors));
	ms->anchors = v;
	ms->anchors[ms->nanchors++] = a;
}

void
pp_of_clock_anchor(struct pp_fold *f, struct pp_of_session *s, int64_t dur,
    int64_t tick)
{
	struct pp_of_clock *k = s->clock;
	int64_t wall, us;

	f->todo &= ~(unsigned)PP_OF_STAMPED;
	pp_of_clock_reconsider(k);
	keep_anchor(f, k, &f->m->sessions[s->index], pp_i64_sub(tick, dur),
	    tick);
	if (!k->anchored) {
		k->anchored = true;
		k->wall0 = f->stamp;
		k->tick0 = tick;
	}
	k->wall1 = f->stamp;
	k->tick1 = tick;
	k->coarse |= f->stamp_coarse;
	wall = wall_delta(&k->wall0, &k->wall1);
	us = pp_i64_mul(tick - k->tick0, 1000000 / k->second);
	widest(pp_i64_sub(wall, us), f->stamp_line, &k->drift,
	    &k->drift_line);
	us = pp_i64_add(us, us / 125 * 3 + us % 125 * 3 / 125);
	widest(pp_i64_sub(wall, us), f->stamp_line, &k->drift_1024,
	    &k->drift_1024_line);
}

/* ------------------------------------------------------------------ judge */

/* Two stamps far enough apart between which 0.9766 ticks of 1 us pass a us. */
static bool
looks_1024(const struct pp_of_clock *k)
{
	int64_t wall;
	pp_i128 ticks;

	if (!k->anchored || k->centi)
		return false;
	wall = wall_delta(&k->wall0, &k->wall1);
	ticks = (pp_i128)(k->tick1 - k->tick0) * 10000;
	return wall >= (k->major == 9 || k->major == 10 ?
	    SCALE_APART_KNOWN : SCALE_APART) && ticks >= (pp_i128)wall * 9746 &&
	    ticks <= (pp_i128)wall * 9786;
}

static void
tell_clock(struct pp_fold *f, struct pp_of_clock *k)
{
	int64_t d = k->scale_1024 ? k->drift_1024 : k->drift;
	uint64_t line = k->scale_1024 ? k->drift_1024_line : k->drift_line;

	if (k->centi && !k->told_unit)
		pp_diag_tell(&f->m->diag, PP_MSG_CLOCK_UNIT, 0, UINT64_MAX,
		    "times count 10 ms, by the shape of the lines");
	if (k->scale_1024 && !k->told_unit)
		pp_diag_tell(&f->m->diag, PP_MSG_CLOCK_UNIT, 0, UINT64_MAX,
		    "times count 1.024 us, by the wall-clock stamps");
	k->told_unit |= k->centi || k->scale_1024;
	if (d < 0)
		d = -d;
	if (d <= (k->coarse ? DRIFT_TOLERATED_MS : DRIFT_TOLERATED) ||
	    k->told_drift || k->centi)
		return;
	pp_diag_tell(&f->m->diag, PP_MSG_CLOCK_DRIFT, line, UINT64_MAX,
	    "wall-clock stamps and times drift apart by up to %" PRId64
	    ".%06" PRId64 " s", d / 1000000, d % 1000000);
	k->told_drift = true;
}

/* Are two clocks one, going by their first stamps? */
static bool
same_clock(const struct pp_of_clock *a, const struct pp_of_clock *b)
{
	pp_i128 wall, us;

	if (!a->anchored || !b->anchored || a->centi != b->centi)
		return false;
	wall = wall_delta(&a->wall0, &b->wall0);
	us = (pp_i128)(b->tick0 - a->tick0) * (1000000 / a->second);
	if (a->scale_1024 || b->scale_1024)
		us = us * 1024 / 1000;
	us -= wall;
	return us > -2000000 && us < 2000000;
}

struct span {
	bool any;
	int64_t start, end;
};

/*
 * The span of the current file.  Times of clocks that have nothing in common
 * cannot be subtracted; their spans are put one after the other.
 */
static void
source_span(struct pp_fold *f, uint32_t numbers)
{
	struct pp_source *src = pp_of_source(f);
	struct span *spans = pp_mem_zalloc(f->mem, (numbers + 1) *
	    sizeof(*spans));
	size_t i;

	for (i = 0; i < f->nsessions; i++) {
		const struct pp_of_session *s = f->sessions[i];
		const struct pp_session_source *x;
		struct span *sp = &spans[s->clock->number];

		if (s->share == PP_OF_NONE || s->share_source != f->source)
			continue;
		x = &f->m->session_sources[s->share];
		if (!sp->any || x->start < sp->start)
			sp->start = x->start;
		if (!sp->any || x->end > sp->end)
			sp->end = x->end;
		sp->any = true;
	}
	src->has_span = false;
	for (i = 0; i < numbers; i++) {
		if (!spans[i].any)
			continue;
		if (src->has_span) {
			src->end = pp_i64_add(src->end,
			    spans[i].end - spans[i].start);
			continue;
		}
		src->has_span = true;
		src->start = spans[i].start;
		src->end = spans[i].end;
	}
	pp_mem_free(f->mem, spans);
}

/* Clocks compared with a new one; a file of more hosts is no real file. */
#define CLOCKS_COMPARED 64

/* Give the clocks numbers: the same where stamps say that they are one. */
static uint32_t
number_clocks(struct pp_fold *f)
{
	const struct pp_of_clock *of[CLOCKS_COMPARED];
	uint32_t n = 0, next = 0, i;
	size_t c;

	for (c = 0; c < f->nclocks; c++) {
		struct pp_of_clock *k = f->clocks[c];

		for (i = 0; i < n && !same_clock(of[i], k); i++)
			continue;
		if (i < n) {
			k->number = of[i]->number;
			continue;
		}
		k->number = next++;
		if (k->anchored && n < CLOCKS_COMPARED)
			of[n++] = k;
	}
	return next;
}

void
pp_of_clock_judge(struct pp_fold *f)
{
	struct pp_source *src = pp_of_source(f);
	bool centi = f->clock->centi;
	uint32_t numbers;
	size_t i;

	for (i = 0; i < f->nclocks; i++) {
		struct pp_of_clock *k = f->clocks[i];

		set_unit(k, looks_centi(k));
		k->scale_1024 = looks_1024(k);
		tell_clock(f, k);
	}
	numbers = number_clocks(f);
	for (i = 0; i < f->nsessions; i++) {
		struct pp_of_session *s = f->sessions[i];
		struct pp_session *ms = &f->m->sessions[s->index];
		struct pp_of_clock *k = s->clock;

		ms->digits = k->centi ? 2 : 6;
		ms->depth_decides = k->centi;
		ms->scale_1024 = k->scale_1024;
		ms->clock = k->number;
		/* the other sessions of the process share its clock */
		if (!ms->has_anchor && k->anchored) {
			ms->has_anchor = true;
			ms->anchor = k->wall0;
			ms->anchor_tick = k->tick0;
		}
		if (s->share == PP_OF_NONE || s->share_source != f->source)
			continue;
		centi = k->centi;
		if (k->scale_1024)
			src->clock_factor = "1.024";
	}
	src->digits = centi ? 2 : 6;
	src->tick_units = 1;
	source_span(f, numbers);
}

static int
digits_of(int64_t v)
{
	int n = 1;

	while (v >= 10) {
		v /= 10;
		n++;
	}
	return n;
}

bool
pp_of_clock_cut(int64_t tim, int64_t before)
{
	return digits_of(tim) < digits_of(before);
}
