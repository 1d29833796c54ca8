/*
 * wide.c: which events get a column, and what the columns are called.
 */
#include "wide.h"

#define OTHER "other"

static char
lower(char ch)
{
	return ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
}

/* Spreadsheets and databases take `Rows` and `rows` for one column. */
static bool
same_name(const char *a, const char *b)
{
	for (; *a && lower(*a) == lower(*b); a++, b++)
		;
	return *a == *b;
}

static bool
taken(const struct pp_column *columns, size_t n, const char *name)
{
	if (same_name(name, OTHER))
		return true;
	for (size_t i = 0; i < n; i++)
		if (same_name(columns[i].name, name))
			return true;
	return false;
}

/* A column name for the event: its own, printable, and unique among the n
 * columns so far. */
static const char *
column_name(const struct pp_report_ctx *c, pp_str event,
    const struct pp_column *columns, size_t n)
{
	char *name = pp_mem_alloc(c->mem, event.n + 32);
	char digits[PP_DEC_MAX];
	size_t len = event.n, k, at;

	for (k = 0; k < len; k++)
		name[k] = (unsigned char)event.p[k] < ' ' ||
		    event.p[k] == 0x7f ? '?' : event.p[k];
	if (len == 0)
		name[len++] = '?';
	name[len] = '\0';
	for (unsigned i = 2; taken(columns, n, name); i++) {
		at = len;
		name[at++] = ' ';
		name[at++] = '(';
		k = pp_dec_format(digits, (pp_i128)i, 0);
		memcpy(name + at, digits, k);
		at += k;
		name[at++] = ')';
		name[at] = '\0';
	}
	return name;
}

static unsigned
finest_clock(const struct pp_report_ctx *c)
{
	unsigned digits = 0;

	for (size_t i = 0; i < c->model->nsessions; i++)
		if (c->model->sessions[i].digits > digits)
			digits = c->model->sessions[i].digits;
	return digits;
}

/* Event names by falling total; index: the name.  *n of them. */
static struct pp_sort *
totals(const struct pp_report_ctx *c, size_t *n)
{
	const struct pp_accounts *a = c->accounts;
	struct pp_sort *v = pp_sort_alloc(c, a->nevents);
	unsigned digits = finest_clock(c);
	struct pp_map seen;
	uint32_t *at;

	*n = 0;
	pp_map_init(&seen, c->mem);
	for (size_t i = 0; i < a->nevents; i++) {
		const struct pp_event_cell *e = &a->events[i];

		at = pp_map_at(&seen, e->name, 0);
		if (*at == PP_MAP_NONE) {
			*at = (uint32_t)(*n)++;
			v[*at].index = e->name;
			v[*at].text = pp_strtab_get(&c->model->names,
			    e->name);
		}
		v[*at].falling += pp_dec_rescale(e->time,
		    c->model->sessions[e->session].digits, digits);
	}
	pp_map_free(&seen);
	pp_sort(v, *n);
	return v;
}

/* Give each event cell its column: that of its name, or the last one. */
static void
assign(struct pp_wide *w, const struct pp_report_ctx *c,
    const struct pp_sort *v, size_t n)
{
	const struct pp_accounts *a = c->accounts;
	struct pp_map column;

	pp_map_init(&column, c->mem);
	for (size_t i = 0; i < n; i++)
		*pp_map_at(&column, v[i].index, 0) =
		    (uint32_t)(i < w->n ? i : w->n - 1);
	w->column = pp_mem_alloc(c->mem,
	    (a->nevents + 1) * sizeof(*w->column));
	for (size_t i = 0; i < a->nevents; i++)
		w->column[i] = pp_map_get(&column, a->events[i].name, 0);
	pp_map_free(&column);
}

void
pp_wide_init(struct pp_wide *w, const struct pp_report_ctx *c,
    const struct pp_table *fixed)
{
	static const char help[] = "time of this event in the row";
	struct pp_table *t = pp_mem_alloc(c->mem, sizeof(*t));
	struct pp_column *columns;
	struct pp_sort *v;
	size_t n, named, k = fixed->ncolumns;

	v = totals(c, &n);
	named = n > PP_WIDE_EVENTS ? PP_WIDE_EVENTS : n;
	w->n = named + (n > named);
	columns = pp_mem_alloc(c->mem, (k + w->n) * sizeof(*columns));
	memcpy(columns, fixed->columns, k * sizeof(*columns));
	for (size_t i = 0; i < named; i++, k++)
		columns[k] = (struct pp_column){
			column_name(c, v[i].text, columns, k), PP_T_SECONDS,
			help};
	if (n > named)
		columns[k++] = (struct pp_column){OTHER, PP_T_SECONDS,
			"time of all further events in the row"};
	*t = *fixed;
	t->columns = columns;
	t->ncolumns = k;
	w->table = t;
	assign(w, c, v, n);
	w->sum = pp_mem_zalloc(c->mem, (w->n + 1) * sizeof(*w->sum));
	pp_mem_free(c->mem, v);
}

void
pp_wide_add(struct pp_wide *w, uint32_t event, pp_i128 time)
{
	w->sum[w->column[event]] += time;
}

void
pp_wide_fill(struct pp_wide *w, struct pp_rows *r,
    const struct pp_report_ctx *c, uint32_t session)
{
	for (size_t i = 0; i < w->n; i++) {
		pp_fill_ticks(r, c, session, w->sum[i]);
		w->sum[i] = 0;
	}
}

void
pp_wide_free(struct pp_wide *w, const struct pp_report_ctx *c)
{
	pp_mem_free(c->mem, w->column);
	pp_mem_free(c->mem, w->sum);
}
