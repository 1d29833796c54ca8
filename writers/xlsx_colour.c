/*
 * xlsx_colour.c: one event, one colour, in every chart.
 *
 * CPU is blue, queues violet, waits warm, idle time grey, what nobody accounts
 * for or nobody recorded hatched.  The commonest waits own a colour, so that
 * charts of different workbooks compare; others take one by the hash of their
 * name, the next free one where it is taken.
 */
#include <string.h>

#include "xlsx.h"

static const uint32_t blues[] = {
	0x2E75B6, 0x1F4E79, 0x9DC3E6, 0x5B9BD5, 0x0B3C5D, 0x6FA8DC,
	0xBDD7EE, 0x41719C
};

static const uint32_t warm[] = {
	0xC0504D, 0xF79646, 0xE3B23C, 0x8C2D19, 0xF4B183, 0xA6611A,
	0xD98880, 0x7F4F24, 0xFFC857, 0xB5495B, 0xE07B54, 0xBF9000,
	0xD4A373, 0x9A3B6B, 0xF28482, 0xC97B63, 0x6D3B2F, 0xE9C46A,
	0xCD6F8C, 0xB08D57, 0x5F7F3B, 0x9BB05F, 0x4F8A6D, 0xC2CF8A
};

#define NWARM (sizeof(warm) / sizeof(warm[0]))

static const uint32_t greys[] = {0xC8C8C8, 0xB0B0B0, 0xD9D9D9, 0x9C9C9C};

/* By the place of their colour in `warm`. */
static const char *const owners[] = {
	"db file sequential read", "db file scattered read",
	"direct path read", "log file sync", "SQL*Net message to client",
	"direct path read temp", "SQL*Net more data to client",
	"direct path write temp", "SQL*Net more data from client",
	"enq: TX - row lock contention", "read by other session",
	"log file switch completion", "Disk file operations I/O",
	"latch: cache buffers chains", "gc cr block 2-way",
	"gc current block 2-way", "library cache lock",
	"asynch descriptor resize", "SQL*Net message from dblink",
	"control file sequential read"
};

static const struct {
	const char *name;
	enum pp_xlsx_class class;
} classes[] = {
	{"cpu", PP_XC_CPU}, {"queue", PP_XC_QUEUE}, {"idle", PP_XC_IDLE},
	{"unaccounted", PP_XC_UNACCOUNTED}, {"missing", PP_XC_MISSING}
};

/* Events whose class no table has told. */
static enum pp_xlsx_class
class_by_name(pp_str e)
{
	if (pp_str_eq(e, PP_STR("CPU run queue")))
		return PP_XC_QUEUE;
	if (pp_str_starts(e, PP_STR("CPU ")))
		return PP_XC_CPU;
	if (pp_str_eq(e, PP_STR("unaccounted-for")) ||
	    pp_str_eq(e, PP_STR("lost time")))
		return PP_XC_UNACCOUNTED;
	if (pp_str_eq(e, PP_STR("missing")) ||
	    pp_str_eq(e, PP_STR("(not recorded)")))
		return PP_XC_MISSING;
	if (pp_str_eq(e, PP_STR("other")))
		return PP_XC_OTHER;
	if (pp_str_eq(e, PP_STR("SQL*Net message from client")))
		return PP_XC_IDLE;
	return PP_XC_WAIT;
}

static uint32_t
event_id(struct pp_xlsx *x, pp_str event)
{
	struct pp_xlsx_events *e = &x->events;
	uint32_t id = pp_strtab_id(&e->names, event);
	void *p = e->v;

	if (id >= e->count) {
		pp_mem_grow(x->mem, &p, &e->cap, (size_t)id + 1,
		    sizeof(*e->v));
		e->v = p;
		while (e->count <= id) {
			pp_str name = pp_strtab_get(&e->names,
			    (uint32_t)e->count);

			e->v[e->count].class = class_by_name(name);
			e->v[e->count++].coloured = false;
		}
	}
	return id;
}

void
pp_xlsx_event_class(struct pp_xlsx *x, pp_str event, pp_str class)
{
	uint32_t id = event_id(x, event);
	size_t i;

	/* a name that idles between calls and waits inside is drawn as idle */
	if (x->events.v[id].class == PP_XC_IDLE)
		return;
	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (pp_str_eq(class, pp_str_from(classes[i].name)))
			x->events.v[id].class = classes[i].class;
}

enum pp_xlsx_class
pp_xlsx_class_of(struct pp_xlsx *x, pp_str event)
{
	uint32_t id = event_id(x, event);	/* may move the array */

	return x->events.v[id].class;
}

static uint32_t
of(const uint32_t *colours, size_t n, pp_str name)
{
	return colours[(size_t)(pp_str_hash(name) >> 7) % n];
}

static uint32_t
cpu_colour(pp_str e)
{
	static const char *const calls[] = {"CPU FETCH", "CPU EXEC",
	    "CPU PARSE", "CPU service", "CPU CLOSE"};
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (pp_str_eq(e, pp_str_from(calls[i])))
			return blues[i];
	return of(blues + 5, sizeof(blues) / sizeof(blues[0]) - 5, e);
}

static void
give(struct pp_xlsx *x, uint32_t id, size_t slot)
{
	x->events.used |= UINT32_C(1) << slot;
	x->events.v[id].colour = warm[slot];
	x->events.v[id].coloured = true;
}

void
pp_xlsx_colours(struct pp_xlsx *x, const pp_str *event, size_t n)
{
	struct pp_xlsx_events *e = &x->events;
	size_t i, k, slot;
	uint32_t id;

	for (i = 0; i < n; i++) {
		id = event_id(x, event[i]);
		for (k = 0; k < sizeof(owners) / sizeof(owners[0]); k++)
			if (!e->v[id].coloured && pp_str_eq(event[i],
			    pp_str_from(owners[k])))
				give(x, id, k);
	}
	for (i = 0; i < n; i++) {
		id = event_id(x, event[i]);
		if (e->v[id].coloured)
			continue;
		slot = (size_t)(pp_str_hash(event[i]) >> 7) % NWARM;
		for (k = 0; k < NWARM && (e->used >> slot & 1); k++)
			slot = (slot + 1) % NWARM;
		switch (e->v[id].class) {
		case PP_XC_WAIT:
			give(x, id, slot);
			continue;
		case PP_XC_CPU:
			e->v[id].colour = cpu_colour(event[i]);
			break;
		case PP_XC_QUEUE:
			e->v[id].colour = 0x8064A2;
			break;
		case PP_XC_IDLE:
			e->v[id].colour = of(greys, sizeof(greys) /
			    sizeof(greys[0]), event[i]);
			break;
		case PP_XC_OTHER:
			e->v[id].colour = 0x948A84;
			break;
		case PP_XC_UNACCOUNTED:
			e->v[id].colour = 0x7F7F7F;
			break;
		case PP_XC_MISSING:
			e->v[id].colour = 0xA6A6A6;
			break;
		}
		e->v[id].coloured = true;
	}
}

uint32_t
pp_xlsx_colour_of(struct pp_xlsx *x, pp_str event)
{
	uint32_t id = event_id(x, event);

	return x->events.v[id].colour;
}

void
pp_xlsx_paint(struct pp_xlsx *x, lxw_chart_series *series, pp_str event)
{
	uint32_t id = event_id(x, event);
	enum pp_xlsx_class class = x->events.v[id].class;
	lxw_color_t colour = x->events.v[id].colour;
	lxw_chart_fill fill = {.color = colour};
	lxw_chart_line none = {.none = LXW_TRUE};
	lxw_chart_line thin = {.color = colour, .width = 0.5};
	lxw_chart_pattern hatch = {
		.fg_color = colour,
		.bg_color = LXW_COLOR_WHITE,
		.type = class == PP_XC_MISSING ?
		    LXW_CHART_PATTERN_LIGHT_DOWNWARD_DIAGONAL :
		    LXW_CHART_PATTERN_WIDE_UPWARD_DIAGONAL
	};

	if (class == PP_XC_UNACCOUNTED || class == PP_XC_MISSING) {
		chart_series_set_pattern(series, &hatch);
		chart_series_set_line(series, &thin);
		return;
	}
	chart_series_set_fill(series, &fill);
	chart_series_set_line(series, &none);
}
