/*
 * psevents_servers.c: which row sets of Performance Schema events are of one
 * server.
 *
 * Thread and event ids mean something within a server, until it is started
 * anew.  The same thread and event with the same name and begin in two row
 * sets is an event printed twice, which no other server has; with another
 * name or begin the two cannot be of one server.  Row sets that share no id
 * tell nothing and go to the first server that nothing speaks against: the
 * tables of one server are mostly kept side by side.
 * May touch the model's messages.
 */
#include "psevents.h"

/* More of them tell nothing new. */
#define MOST_CONFLICTS 4096

static uint32_t
root(struct pp_ps *ps, uint32_t u)
{
	while (ps->units[u].up != u) {
		ps->units[u].up = ps->units[ps->units[u].up].up;
		u = ps->units[u].up;
	}
	return u;
}

/* The root is the first unit. */
static void
unite(struct pp_ps *ps, uint32_t a, uint32_t b)
{
	a = root(ps, a);
	b = root(ps, b);
	if (a < b)
		ps->units[b].up = a;
	else if (b < a)
		ps->units[a].up = b;
}

static void
add_conflict(struct pp_ps *ps, uint32_t a, uint32_t b)
{
	uint32_t *at;
	void *v = ps->conflicts;

	if (ps->nconflicts == MOST_CONFLICTS)
		return;
	at = pp_map_at(&ps->conflict_map, a < b ? a : b, a < b ? b : a);
	if (*at != PP_MAP_NONE)
		return;
	*at = 0;
	pp_mem_grow(ps->m->mem, &v, &ps->conflicts_cap, ps->nconflicts + 1,
	    sizeof(*ps->conflicts));
	ps->conflicts = v;
	ps->conflicts[ps->nconflicts++] = (struct pp_ps_conflict){a, b};
}

/* Two records of one thread and event id. */
static void
compare(struct pp_ps *ps, const struct pp_ps_event *x,
    const struct pp_ps_event *y)
{
	bool begun = (x->flags & y->flags & PP_NESTED_BEGUN) != 0;

	if (x->unit == y->unit || !ps->units[x->unit].threads ||
	    !ps->units[y->unit].threads)
		return;
	if (begun && x->start == y->start)
		unite(ps, x->unit, y->unit);
	else if (begun || x->name != y->name)
		add_conflict(ps, x->unit, y->unit);
}

/* Printings of one id that are kept, one of each server. */
#define MOST_ALIKE 64

static void
find_links(struct pp_ps *ps)
{
	struct pp_ps_event *seen = pp_mem_alloc(ps->m->mem,
	    MOST_ALIKE * sizeof(*seen));
	const struct pp_ps_event *e;
	size_t n = 0, i;

	pp_extsort_start(&ps->sort);
	while ((e = pp_extsort_next(&ps->sort)) != NULL) {
		if (n > 0 && (e->thread != seen[0].thread ||
		    e->id != seen[0].id))
			n = 0;
		/* what stands between two servers tells nothing of them */
		for (i = 0; i < n; i++)
			compare(ps, &seen[i], e);
		for (i = 0; i < n; i++)
			if (root(ps, seen[i].unit) == root(ps, e->unit))
				break;
		if (i == n && n < MOST_ALIKE)
			seen[n++] = *e;
	}
	pp_mem_free(ps->m->mem, seen);
}

/* The first server that has no unit in conflict with those of root r. */
static uint32_t
choose(struct pp_ps *ps, uint32_t r)
{
	bool *not = pp_mem_zalloc(ps->m->mem, ps->nservers + 1);
	uint32_t s = 0;
	size_t i;

	for (i = 0; i < ps->nconflicts; i++) {
		uint32_t a = root(ps, ps->conflicts[i].a),
		    b = root(ps, ps->conflicts[i].b);

		if (a == r && b < r)
			not[ps->units[b].server] = true;
		if (b == r && a < r)
			not[ps->units[a].server] = true;
	}
	while (s < ps->nservers && not[s])
		s++;
	pp_mem_free(ps->m->mem, not);
	return s;
}

static void
tell_server(struct pp_ps *ps, uint32_t unit)
{
	struct pp_model *m = ps->m;
	const struct pp_source *s = &m->sources[ps->units[unit].source];

	pp_diag_file(&m->diag, ps->units[unit].source, s->name.p);
	pp_diag_tell(&m->diag, PP_MSG_OTHER_SERVER, 0, UINT64_MAX, "other "
	    "events under the same ids as in what was read before: taken for "
	    "those of another server, or of the same one started anew");
}

static void
assign(struct pp_ps *ps)
{
	uint32_t u, r;

	ps->nservers = 1;
	for (u = 0; u < ps->nunits; u++) {
		r = root(ps, u);
		if (r != u || u == 0) {
			ps->units[u].server = ps->units[r].server;
			continue;
		}
		ps->units[u].server = choose(ps, u);
		if (ps->units[u].server == ps->nservers) {
			ps->nservers++;
			tell_server(ps, u);
		}
	}
}

/* The key of a record gets its server. */
static void
sort_again(struct pp_ps *ps)
{
	struct pp_extsort to;
	const struct pp_ps_event *e;
	struct pp_ps_event x;

	pp_extsort_init(&to, ps->m->mem, ps->sort.tmpdir, sizeof(x));
	pp_extsort_start(&ps->sort);
	while ((e = pp_extsort_next(&ps->sort)) != NULL) {
		x = *e;
		x.thread |= (uint64_t)ps->units[x.unit].server << 32;
		memcpy(pp_extsort_add(&to), &x, sizeof(x));
	}
	if (to.error == 0)
		to.error = ps->sort.error;
	pp_extsort_free(&ps->sort);
	ps->sort = to;
}

void
pp_ps_servers(struct pp_ps *ps)
{
	ps->nservers = 1;
	if (ps->nunits > 1) {
		find_links(ps);
		if (ps->nconflicts > 0) {
			assign(ps);
			sort_again(ps);
		}
	}
	pp_extsort_start(&ps->sort);
}
