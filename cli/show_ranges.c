/*
 * show_ranges.c: durations by range, for the styles that print them: calls
 * and waits by decade of seconds (mrskew), the waits of each event by power
 * of two of microseconds (TVD$XTAT).
 *
 * Histograms of the accounts have other bounds and no extremes, so the
 * occurrences themselves are counted, group by group, while the input is
 * read.
 */
#include "show.h"

#include "../model/account/forward.h"

#define US 1000000	/* ps */

static void
add(struct pp_show_range *r, pp_i128 ps, uint64_t blocks)
{
	if (r->count == 0 || ps < r->min)
		r->min = ps;
	if (r->count == 0 || ps > r->max)
		r->max = ps;
	r->time += ps;
	r->count++;
	r->blocks += blocks;
}

/* 0: negative; k: from 10^(k - 2) us on (1: from 0), below 10^(k - 1) us. */
static size_t
decade(pp_i128 ps)
{
	size_t k = 1;

	if (ps < 0)
		return 0;
	while (k < PP_SHOW_DECADES && ps >= (pp_i128)US * pp_pow10[k - 1])
		k++;
	return k;
}

/*
 * k: above 2^(k - 1) us (1: from 0), up to 2^k us.  Reports of TVD$XTAT 4.0
 * write "2 >= duration < 4" and count 4 us there, 2 us in the range before.
 */
static size_t
power(pp_i128 ps)
{
	pp_i128 us = (ps - 1) / US;
	size_t k = 1;

	while (us >> k > 0 && k < PP_SHOW_POWERS - 1)
		k++;
	return k;
}

/* Is the third parameter a count of blocks? */
static bool
counts_blocks(struct pp_show_ranges *r, uint32_t params)
{
	pp_str s, third;
	size_t i;

	if (params == r->params)
		return r->blocks;
	s = pp_strtab_get(&r->run->model.names, params);
	for (i = 0; i < 2; i++)
		s = pp_str_skip(s, pp_str_find(s, PP_STR("\n")) + 1);
	third = (pp_str){s.p, pp_str_find(s, PP_STR("\n"))};
	r->params = params;
	r->blocks = pp_str_eq(third, PP_STR("blocks")) ||
	    pp_str_eq(third, PP_STR("block cnt"));
	return r->blocks;
}

static struct pp_show_powers *
powers_of(struct pp_show_ranges *r, uint32_t name)
{
	struct pp_mem *mem = &r->run->mem;
	void *v = r->powers;
	size_t n = r->npowers;

	if (name >= r->npowers) {
		pp_mem_grow(mem, &v, &r->cap, (size_t)name + 1,
		    sizeof(struct pp_show_powers *));
		r->powers = v;
		r->npowers = r->cap;
		for (; n < r->npowers; n++)
			r->powers[n] = NULL;
	}
	if (r->powers[name] == NULL)
		r->powers[name] = pp_mem_zalloc(mem, sizeof(**r->powers));
	return r->powers[name];
}

static void
see(void *arg, const struct pp_occurrence *o)
{
	struct pp_show_ranges *r = arg;
	unsigned digits = r->run->model.sessions[o->session].digits;
	struct pp_show_powers *p;
	uint64_t blocks = 0;
	pp_i128 ps;

	if ((o->kind != PP_OCC_CALL && o->kind != PP_OCC_WAIT &&
	    o->kind != PP_OCC_STAGE) ||
	    (r->run->accounts.select != NULL &&
	    !pp_account_selects(&r->run->accounts, o)))
		return;
	ps = pp_dec_rescale(o->kind == PP_OCC_CALL ? o->self_cpu : o->elapsed,
	    digits, 12);
	add(&r->decade[decade(ps)], ps, 0);
	if (o->kind != PP_OCC_WAIT)
		return;
	p = powers_of(r, o->name);
	if (counts_blocks(r, o->params)) {
		p->blocks = true;
		blocks = o->par[2] > 0 ? (uint64_t)o->par[2] : 0;
	}
	add(&p->range[power(ps)], ps, blocks);
}

void
pp_show_ranges_open(struct pp_show_ranges *r, struct pp_run *run)
{
	memset(r, 0, sizeof(*r));
	r->run = run;
	r->params = UINT32_MAX;
}

enum pp_status
pp_show_ranges_group(struct pp_show_ranges *r)
{
	return pp_account_forward(&r->run->accounts, see, r);
}
