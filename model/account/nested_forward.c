/*
 * nested_forward.c: the forward pass over events that name their parents,
 * for raw tables: the log once more, beside what the accounts have found of
 * each event.
 */
#include "forward.h"
#include "nested.h"

struct pass {
	struct pp_accounts *a;
	void (*see)(void *, const struct pp_occurrence *);
	void *arg;
	uint64_t base;		/* of the numbers of events */
	uint64_t seq;
	uint64_t at[UINT16_MAX + 1u]; /* by level: the event that is open */
	uint32_t params[3];	/* names of parameters */
};

/* What is odd about an event. */
static uint32_t
flags_of(const struct pass *p, const struct pp_nested *e)
{
	static const struct {
		uint8_t bit;
		const char *text;
	} names[] = {
		{PP_NESTED_RUNNING, "running"}, {PP_NESTED_ORPHAN, "orphan"},
		{PP_NESTED_SUSPECT, "suspect"},
	};
	char buf[64];
	size_t n = 0, i, len;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!(e->flags & names[i].bit))
			continue;
		if (n > 0)
			buf[n++] = ' ';
		len = strlen(names[i].text);
		memcpy(buf + n, names[i].text, len);
		n += len;
	}
	return pp_strtab_id(&p->a->model->names, (pp_str){buf, n});
}

static enum pp_occ_kind
kind_of(const struct pp_nested *e)
{
	switch ((enum pp_nested_kind)e->kind) {
	case PP_NESTED_STATEMENT:
		return PP_OCC_STATEMENT;
	case PP_NESTED_STAGE:
		return PP_OCC_STAGE;
	case PP_NESTED_TRANSACTION:
		return PP_OCC_TRANSACTION;
	case PP_NESTED_WAIT:
	case PP_NESTED_IDLE:
	case PP_NESTED_SUM:
		break;
	}
	return PP_OCC_WAIT;
}

static void
set_more(struct pass *p, const struct pp_nested *e,
    const struct pp_nested_more *more, struct pp_occurrence *o)
{
	o->par[0] = (int64_t)e->id;
	o->has = 1 | (e->id > INT64_MAX ? PP_RAW_UNSIGNED : 0);
	o->params = p->params[0];
	if (more == NULL)
		return;
	if (more->has & PP_NESTED_AMOUNT) {
		o->par[1] = (int64_t)more->amount;
		o->has = (uint16_t)(o->has + 1u);
		o->has |= more->amount > INT64_MAX ? PP_RAW_UNSIGNED << 1 : 0;
		o->params = p->params[e->kind == PP_NESTED_STATEMENT ? 1 : 2];
	}
	if (more->has & PP_NESTED_OBJECT) {
		o->obj = (int64_t)more->object;
		o->has |= PP_RAW_OBJ;
	}
	if (more->has & PP_NESTED_CLOCK) {
		o->clock = more->clock;
		o->has |= PP_RAW_TIM;
	}
	o->has_cpu = (more->has & PP_NESTED_CPU) != 0;
	o->cpu = more->cpu;
}

static void
see_event(struct pass *p, const struct pp_nested *e,
    const struct pp_nested_more *more, const struct pp_nested_self *x)
{
	struct pp_occurrence o;

	memset(&o, 0, sizeof(o));
	o.kind = kind_of(e);
	o.nested = true;
	o.session = e->session;
	o.source = e->file;
	o.line = e->line;
	o.name = e->name;
	o.class = (enum pp_class)x->class;
	o.place = (enum pp_place)x->place;
	o.stmt = x->stmt;
	o.id = p->base + p->seq;
	o.depth = o.level = e->level;
	if (e->back != 0)
		o.parent = o.id - e->back;
	else if (e->level > 0)
		o.parent = p->at[e->level - 1];
	if ((e->flags & PP_NESTED_LATE) && e->level > 0)
		p->at[e->level - 1] = o.parent;
	if (e->kind != PP_NESTED_TRANSACTION)
		p->at[e->level] = o.id;
	o.has_time = x->placed;
	o.untimed = !x->timed;
	o.elapsed = e->wait;
	o.self = x->self;
	o.start = e->start;
	o.end = pp_i64_add(e->start, e->wait);
	o.error = e->error;
	o.rows = e->kind == PP_NESTED_STATEMENT ? e->more : 0;
	o.flags = flags_of(p, e);
	set_more(p, e, more, &o);
	p->see(p->arg, &o);
}

enum pp_status
pp_nested_forward(struct pp_accounts *a,
    void (*see)(void *, const struct pp_occurrence *), void *arg)
{
	struct pp_strtab *names = &a->model->names;
	struct pp_nested_cursor c;
	const struct pp_nested_self *x;
	const struct pp_nested *e;
	const struct pp_nested_more *more;
	struct pass *p;
	enum pp_status st;

	if (a->selfs.count == 0)
		return PP_OK;
	p = pp_mem_zalloc(a->mem, sizeof(*p));
	p->a = a;
	p->see = see;
	p->arg = arg;
	p->base = a->model->log.last_id;
	p->params[0] = pp_strtab_id(names, PP_STR("EVENT_ID\n"));
	p->params[1] = pp_strtab_id(names, PP_STR("EVENT_ID\n"
	    "ROWS_EXAMINED\n"));
	p->params[2] = pp_strtab_id(names, PP_STR("EVENT_ID\n"
	    "NUMBER_OF_BYTES\n"));
	pp_extsort_start(&a->selfs);
	x = pp_extsort_next(&a->selfs);
	pp_nested_open(&c, &a->model->nested);
	while ((e = pp_nested_next(&c, &more)) != NULL) {
		p->seq++;
		if (x == NULL || x->seq != p->seq)
			continue;
		see_event(p, e, more, x);
		x = pp_extsort_next(&a->selfs);
	}
	st = c.failed || a->selfs.error != 0 ? PP_FATAL : PP_OK;
	pp_nested_close(&c);
	pp_mem_free(a->mem, p);
	if (a->selfs.error != 0 && a->model->log.error == 0)
		a->model->log.error = a->selfs.error;
	return st;
}
