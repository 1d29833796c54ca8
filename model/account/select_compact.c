/*
 * select_compact.c: removing the cells that a selection has left empty.
 *
 * The walk makes cells for whatever it meets; what was not selected added
 * nothing to them and must have no row.
 */
#include "select.h"

/* Where an index has gone; UINT32_MAX: nowhere. */
typedef uint32_t *remap;

static remap
new_map(struct pp_accounts *a, size_t n)
{
	return pp_mem_alloc(a->mem, (n + 1) * sizeof(uint32_t));
}

static bool
is_nothing(const struct pp_sums *s)
{
	return s->calls == 0 && s->elapsed == 0 && s->cpu == 0 &&
	    s->self == 0 && s->self_cpu == 0 && s->self_wait == 0 &&
	    s->self_queue == 0 && s->self_unaccounted == 0;
}

static void
compact_events(struct pp_accounts *a)
{
	remap to = new_map(a, a->nevents);
	bool *used = pp_mem_zalloc(a->mem, a->nevents + 1);
	size_t i, n = 0;

	for (i = 0; i < a->nbuckets; i++) {
		const struct pp_bucket *b = &a->buckets[i];

		if (b->count > 0 || b->time != 0 || b->slices.n > 0)
			used[b->event] = true;
	}
	for (i = 0; i < a->nevents; i++) {
		const struct pp_event_cell *e = &a->events[i];

		to[i] = UINT32_MAX;
		if (!used[i] && e->count == 0 && e->time == 0)
			continue;
		to[i] = (uint32_t)n;
		a->events[n++] = a->events[i];
	}
	a->nevents = n;
	for (i = n = 0; i < a->nbuckets; i++) {
		struct pp_bucket *b = &a->buckets[i];

		if (b->count == 0 && b->time == 0 && b->slices.n == 0) {
			pp_mem_free(a->mem, b->slices.v);
			continue;
		}
		b->event = to[b->event];
		a->buckets[n++] = *b;
	}
	a->nbuckets = n;
	pp_mem_free(a->mem, used);
	pp_mem_free(a->mem, to);
}

static void
compact_calls(struct pp_accounts *a)
{
	size_t i, n = 0;

	for (i = 0; i < a->ncalls; i++)
		if (!is_nothing(&a->calls[i].sums))
			a->calls[n++] = a->calls[i];
	a->ncalls = n;
	for (i = n = 0; i < a->nstmts; i++)
		if (!is_nothing(&a->stmts[i].sums) || a->stmts[i].between != 0)
			a->stmts[n++] = a->stmts[i];
	a->nstmts = n;
}

/* A path stays where it leads to something. */
static void
compact_nodes(struct pp_accounts *a)
{
	remap to = new_map(a, a->nnodes);
	bool *used = pp_mem_zalloc(a->mem, a->nnodes + 1);
	size_t i, n = 0;

	/* parents stand before their children */
	for (i = a->nnodes; i-- > 0;) {
		const struct pp_node *x = &a->nodes[i];

		used[i] |= !is_nothing(&x->sums);
		if (used[i] && x->parent != PP_NODE_ROOT)
			used[x->parent] = true;
	}
	for (i = 0; i < a->nnodes; i++) {
		struct pp_node x = a->nodes[i];

		to[i] = UINT32_MAX;
		if (!used[i])
			continue;
		if (x.parent != PP_NODE_ROOT)
			x.parent = to[x.parent];
		to[i] = (uint32_t)n;
		a->nodes[n++] = x;
	}
	a->nnodes = n;
	pp_mem_free(a->mem, used);
	pp_mem_free(a->mem, to);
}

static void
sum_selected(struct pp_accounts *a)
{
	size_t i;

	for (i = 0; i < a->nevents; i++)
		a->sums[a->events[i].session].selected += a->events[i].time;
}

bool
pp_account_nothing(const struct pp_accounts *a)
{
	size_t i;

	if (a->select == NULL || a->nevents != 0 || a->ncalls != 0)
		return false;
	/* where there was something to select from */
	for (i = 0; i < a->nsums; i++)
		if (a->model->sessions[i].has_time)
			return true;
	return false;
}

void
pp_select_compact(struct pp_accounts *a)
{
	struct pp_diag *d = &a->model->diag;

	compact_events(a);
	compact_calls(a);
	compact_nodes(a);
	sum_selected(a);
	/* totals by digest have no idle waits to leave out */
	if ((a->model->inputs & PP_INPUT_ANY) == PP_INPUT_DIGESTS &&
	    pp_selection_idle_only(a->opt.select))
		return;
	pp_diag_file(d, UINT32_MAX, NULL);
	pp_diag_tell(d, PP_MSG_SELECTION, 0, UINT64_MAX, "only a part of the "
	    "input: %s", a->opt.select->text);
	if (pp_account_nothing(a) && !(a->model->inputs & PP_INPUT_DIGESTS))
		pp_diag_tell(d, PP_MSG_NO_MATCH, 0, UINT64_MAX,
		    "no event matches: %s", a->opt.select->text);
}
