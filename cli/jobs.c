/*
 * jobs.c: see jobs.h.
 */
#include "jobs.h"

static unsigned
jobs(const struct pp_run *r)
{
	return r->opt->jobs != 0 ? r->opt->jobs : pp_run_cores();
}

static void
free_memory(void *mem)
{
	pp_mem_free_all(mem);
}

struct pp_mem *
pp_jobs_memory(struct pp_run *r)
{
	unsigned lanes = jobs(r) - 1, rest = lanes;
	size_t limit = r->mem.limit, share, left;
	struct pp_mem *m;

	share = pp_run_share(r, &lanes) * lanes;
	left = r->mem.limit;
	(void)pp_run_share(r, &rest);
	r->mem.limit = left;
	/* without threads the run reads it, with all that there is */
	if (lanes == 0 || rest == 0) {
		r->mem.limit = limit;
		return NULL;
	}
	m = pp_mem_alloc(&r->mem, sizeof(*m));
	pp_mem_init(m, share);
	m->trap = r->mem.trap;
	pp_mem_at_end(&r->mem, free_memory, m);
	return m;
}

/* Less than this is read before threads have been made. */
#define WORTH_THREADS ((uint64_t)2 << 20)

/* Profiles of an archive share its file. */
static bool
by_lane(const struct pp_file *x)
{
	return x->store == NULL && x->from == NULL &&
	    (x->regular || x->mem != NULL);
}

void
pp_jobs_start(struct pp_run *r, struct pp_file **v, size_t n)
{
	unsigned lanes = jobs(r) - 1;
	struct pp_ahead_file *list;
	uint64_t size = 0;
	size_t i, k = 0, share;

	list = pp_mem_alloc(&r->mem, (n + 1) * sizeof(*list));
	for (i = 0; i < n; i++) {
		v[i]->ahead = PP_FILE_NONE;
		if (!by_lane(v[i]))
			continue;
		/* a pipe may bring anything */
		size += v[i]->regular ? v[i]->size : WORTH_THREADS;
		list[k++] = (struct pp_ahead_file){.path = v[i]->path,
		    .reader = v[i]->reader, .in = v[i]->in,
		    .mem = v[i]->mem};
	}
	if (k == 0 || (r->opt->jobs == 0 && size < WORTH_THREADS))
		return;
	share = pp_run_share(r, &lanes);
	if (lanes == 0)
		return;
	r->hasher = pp_hasher_open(&r->mem);
	r->ahead = pp_ahead_open(&r->mem, list, k, lanes, 0, share * lanes,
	    r->hasher);
	if (r->ahead == NULL)
		return;
	for (i = k = 0; i < n; i++)
		if (by_lane(v[i]))
			v[i]->ahead = (uint32_t)k++;
}

void
pp_jobs_sums(struct pp_run *r, const struct pp_files *f)
{
	struct pp_source *s;
	size_t i;

	for (i = 0; i < f->n; i++) {
		if (!f->v[i].hashed)
			continue;
		s = &r->model.sources[f->v[i].source];
		s->has_sha256 = pp_hasher_get(r->hasher, f->v[i].hash,
		    s->sha256);
	}
}

/* A thread hashes so many bytes while another walks over a slot. */
#define BYTES_A_SLOT 50

uint64_t
pp_jobs_later(const struct pp_run *r)
{
	unsigned walk = jobs(r) > 2 ? jobs(r) - 1 : 1;

	/* raw tables take longer than any sum */
	return r->model.raw ? UINT64_MAX :
	    r->model.log.count * BYTES_A_SLOT / walk;
}

void
pp_jobs_walk(struct pp_run *r)
{
	unsigned n = jobs(r);

	/* one of them still has sums to take for as long as the walk is */
	if (n > 1 && r->hasher != NULL &&
	    pp_hasher_behind(r->hasher) > pp_jobs_later(r) / 2)
		n--;
	r->accounts.opt.jobs = n;
}
