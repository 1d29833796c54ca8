/*
 * sources.c: table `sources`, an input file a row.
 */
#include "columns.h"
#include "fill.h"

static const struct pp_column columns[] = {
	PP_COL_SOURCE,
	{"path", PP_T_TEXT, "the input as it was named"},
	{"reader", PP_T_TEXT, "reader of its format; several: comma list"},
	{"product", PP_T_TEXT, "product that wrote it"},
	{"version", PP_T_ID, "version of the product"},
	{"host", PP_T_TEXT, "host that it was written on"},
	{"instance", PP_T_TEXT, "database instance"},
	{"tick", PP_T_TEXT, "unit of its clock: 1us, 10ms, 10ns, 1ns, 1ps"},
	{"clock_factor", PP_T_DECIMAL, "true length of a tick in units of "
	    "tick; only *_at columns apply it"},
	{"started_at", PP_T_TIME, "first wall-clock stamp in it"},
	{"ended_at", PP_T_TIME, "last wall-clock stamp in it"},
	{"span_s", PP_T_SECONDS, "last end less first begin"},
	{"bytes", PP_T_INT, "length, inflated"},
	{"lines", PP_T_INT, "lines"},
	{"records", PP_T_INT, "records understood"},
	{"repaired", PP_T_INT, "records repaired without loss"},
	{"rejected", PP_T_INT, "records of which something was lost"},
	{"noise", PP_T_INT, "lines that belong to no record"},
	{"status", PP_T_TEXT, "complete, partial or empty"},
	{"sha256", PP_T_ID, "SHA-256 of the file's own bytes"},
};

static const struct pp_table table = {
	"sources", "an input file", "first time, then name",
	PP_COLUMNS(columns), PP_TABLE_MORE
};

/* "1us", "10ms": tick_units x 10^-digits s in the largest unit that leaves a
 * whole number. */
static void
fill_tick(struct pp_rows *r, const struct pp_source *s)
{
	static const char *const unit[] = {"s", "ms", "us", "ns", "ps"};
	unsigned group = (s->digits + 2u) / 3;
	char buf[PP_DEC_MAX + 2];
	pp_i128 n;
	size_t len;

	if (!s->has_span || group >= sizeof(unit) / sizeof(unit[0])) {
		pp_put_null(r);
		return;
	}
	n = (pp_i128)pp_pow10[group * 3 - s->digits] *
	    (s->tick_units ? s->tick_units : 1);
	for (; group > 0 && n % 1000 == 0; group--)
		n /= 1000;
	len = pp_dec_format(buf, n, 0);
	for (const char *u = unit[group]; *u; u++)
		buf[len++] = *u;
	pp_put_text(r, (pp_str){buf, len});
}

static void
fill_factor(struct pp_rows *r, const struct pp_source *s)
{
	pp_str f = pp_str_from(s->clock_factor);
	size_t dot = pp_str_find(f, PP_STR("."));
	unsigned scale = dot < f.n ? (unsigned)(f.n - dot - 1) : 0;
	pp_i128 v;

	if (!s->has_span || f.n == 0 || !pp_dec_parse(f, scale, &v))
		pp_put_null(r);
	else
		pp_put_dec(r, v, scale);
}

static void
fill_wall(struct pp_rows *r, const struct pp_wall *w)
{
	char buf[40];
	size_t n = pp_wall_format(buf, w, 0);

	if (n == 0)
		pp_put_null(r);
	else
		pp_put_text(r, (pp_str){buf, n});
}

static void
fill_sha256(struct pp_rows *r, const struct pp_source *s)
{
	static const char hex[] = "0123456789abcdef";
	char buf[64];

	if (!s->has_sha256) {
		pp_put_null(r);
		return;
	}
	for (size_t i = 0; i < 32; i++) {
		buf[2 * i] = hex[s->sha256[i] >> 4];
		buf[2 * i + 1] = hex[s->sha256[i] & 15];
	}
	pp_put_text(r, (pp_str){buf, sizeof(buf)});
}

static const char *
status_name(enum pp_source_status s)
{
	switch (s) {
	case PP_SRC_COMPLETE:
		return "complete";
	case PP_SRC_PARTIAL:
		return "partial";
	case PP_SRC_EMPTY:
		break;
	}
	return "empty";
}

static void
fill_source(struct pp_rows *r, const struct pp_report_ctx *c,
    const struct pp_source *s)
{
	pp_put_str(r, s->name);
	pp_put_str(r, s->path);
	pp_put_str_or_null(r, s->reader);
	pp_put_str_or_null(r, s->product);
	pp_put_str_or_null(r, s->version);
	pp_put_str_or_null(r, s->host);
	pp_put_str_or_null(r, s->instance);
	fill_tick(r, s);
	fill_factor(r, s);
	fill_wall(r, &s->started);
	fill_wall(r, &s->ended);
	if (s->has_span)
		pp_put_dec(r, (pp_i128)s->end - s->start, s->digits);
	else
		pp_put_null(r);
	pp_put_int(r, (pp_i128)s->bytes);
	pp_put_int(r, (pp_i128)s->lines);
	pp_put_int(r, (pp_i128)s->records);
	pp_put_int(r, (pp_i128)s->repaired);
	pp_put_int(r, (pp_i128)s->rejected);
	pp_put_int(r, (pp_i128)s->noise);
	pp_put_str(r, pp_str_from(status_name(s->status)));
	fill_sha256(r, s);
	for (size_t i = 0; i < c->model->ntags; i++)
		pp_fill_name(r, c, s->tag == NULL ? 0 : s->tag[i]);
	pp_row_end(r);
}

/* The declaration with the columns of --tag behind the others. */
static const struct pp_table *
with_tags(const struct pp_report_ctx *c)
{
	size_t n = c->model->ntags, k = table.ncolumns;
	struct pp_column *all;
	struct pp_table *t;

	if (n == 0)
		return &table;
	t = pp_mem_alloc(c->mem, sizeof(*t));
	all = pp_mem_alloc(c->mem, (k + n) * sizeof(*all));
	memcpy(all, table.columns, k * sizeof(*all));
	for (size_t i = 0; i < n; i++)
		all[k + i] = (struct pp_column){c->model->tag[i],
			PP_T_TEXT, "part of the path, as --tag has asked for"};
	*t = table;
	t->columns = all;
	t->ncolumns = k + n;
	return t;
}

static enum pp_status
emit(const struct pp_report_ctx *c, struct pp_rowsink *to)
{
	struct pp_rows r;

	pp_rows_open(&r, c->mem, to, with_tags(c));
	for (size_t i = 0; i < c->model->nsources; i++)
		fill_source(&r, c, &c->model->sources[i]);
	return pp_rows_close(&r);
}

const struct pp_report pp_report_sources = {
	.table = &table,
	.inputs = PP_INPUT_ANY,
	.default_on = true,
	.emit = emit,
};
