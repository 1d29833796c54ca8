/*
 * json.c: the writers json and ndjson.
 *
 * Sees base, table.h and the sink.  RFC 8259, UTF-8.  A row is an object
 * with all columns of its table; NULL is null.
 *
 *	json	{"generator": ..., "schema_version": 1, "tables": {NAME: [row,
 *		...], ...}}; of a single table the array alone.
 *	ndjson	a row a line, with its table's name as the first member,
 *		`table`; of a single table without it.
 *
 * Numbers are decimal text with all their digits, 0.000100.  Readers take
 * them for doubles, which hold all integers up to 2^53 and so tell all
 * decimals apart that have no more digits: a number whose digits without the
 * point pass that is written as a string.
 */
#include "json_text.h"
#include "number.h"
#include "sanitise.h"
#include "writer.h"

#include <stdio.h>

#define EXACT ((pp_i128)1 << 53)

struct json_table {
	struct json_table *next;
	const struct pp_table *table;
	pp_str *head;		/* by column: what stands before its value */
	bool *text;		/* by column */
	bool any;		/* a row has been written */
	uint64_t repaired;
};

struct json {
	bool lines;		/* ndjson */
	bool any;		/* a table has been written */
	struct pp_stream *out;
	struct pp_arena arena;	/* a repaired text */
	struct pp_sanitiser z;
	struct json_table *tables;
};

static enum pp_status
sink_status(struct pp_wctx *w)
{
	return pp_sink_error(w->sink, NULL).n > 0 ? PP_FATAL : PP_OK;
}

static struct json_table *
find(struct json *v, const struct pp_table *table)
{
	struct json_table *t;

	for (t = v->tables; t != NULL; t = t->next)
		if (t->table == table)
			break;
	PP_ASSERT(t != NULL);
	return t;
}

static void
put_sane(struct json *v, struct pp_cursor *c, pp_str s)
{
	const char *given = s.p;

	s = pp_sanitise(&v->z, s);
	pp_json_string(c, s);
	if (s.p != given)
		pp_arena_reset(&v->arena);
}

static inline void
put_text(struct json *v, struct pp_cursor *c, pp_str s)
{
	char *p;

	if (s.n < PP_CURSOR_SHORT) {
		pp_cursor_need(c, s.n + 2);
		p = pp_json_copy_plain(c->p + 1, s);
		if (p != NULL) {
			c->p[0] = '"';
			*p++ = '"';
			c->p = p;
			return;
		}
	}
	put_sane(v, c, s);
}

static inline void
put_number(struct pp_cursor *c, pp_i128 n, unsigned scale)
{
	bool exact = n >= -EXACT && n <= EXACT;

	pp_cursor_need(c, PP_DEC_MAX + 2);
	if (!exact)
		*c->p++ = '"';
	c->p = pp_number_put(c->p, n, scale, '.');
	if (!exact)
		*c->p++ = '"';
}

static enum pp_status
json_rows(struct pp_wctx *w, const struct pp_batch *b)
{
	struct json *v = w->priv;
	struct json_table *t = find(v, b->table);
	uint64_t before = v->z.repaired;
	size_t i, k, n = b->table->ncolumns;
	struct pp_cursor c;

	pp_cursor_open(&c, v->out);
	for (i = 0; i < b->rows; i++) {
		if (!v->lines)
			pp_cursor_put(&c, t->any ? ",\n" : "\n");
		t->any = true;
		for (k = 0; k < n; k++) {
			unsigned tag = b->tags[k][i];

			pp_cursor_bytes(&c, t->head[k].p, t->head[k].n);
			if (tag == 0)
				pp_cursor_bytes(&c, "null", 4);
			else if (t->text[k])
				put_text(v, &c, b->cells[k][i].str);
			else
				put_number(&c, b->cells[k][i].num, tag - 1);
		}
		pp_cursor_byte(&c, '}');
		if (v->lines)
			pp_cursor_byte(&c, '\n');
	}
	pp_cursor_close(&c);
	t->repaired += v->z.repaired - before;
	return sink_status(w);
}

/*
 * `{"table":"NAME","COLUMN":` or `,"COLUMN":`.  Made in the stream, as text
 * is, and taken back from it.
 */
static pp_str
make_head(struct pp_wctx *w, const struct pp_table *table, size_t k)
{
	struct json *v = w->priv;
	struct pp_cursor c;
	char *p;
	pp_str s;

	pp_cursor_open(&c, v->out);
	pp_cursor_byte(&c, k == 0 ? '{' : ',');
	if (k == 0 && v->lines && !w->one_table) {
		pp_cursor_put(&c, "\"table\":");
		put_sane(v, &c, pp_str_from(table->name));
		pp_cursor_byte(&c, ',');
	}
	put_sane(v, &c, pp_str_from(table->columns[k].name));
	pp_cursor_byte(&c, ':');
	s.n = (size_t)(c.p - c.base);
	p = pp_mem_alloc(w->mem, s.n);
	memcpy(p, c.base, s.n);
	s.p = p;
	return s;
}

static void
begin_array(struct pp_wctx *w, const struct pp_table *table)
{
	struct json *v = w->priv;
	struct pp_cursor c;

	pp_cursor_open(&c, v->out);
	if (!w->one_table) {
		pp_cursor_put(&c, v->any ? ",\n" : "\n");
		put_sane(v, &c, pp_str_from(table->name));
		pp_cursor_put(&c, ": ");
	}
	pp_cursor_byte(&c, '[');
	pp_cursor_close(&c);
	v->any = true;
}

static enum pp_status
json_begin(struct pp_wctx *w, const struct pp_table *table)
{
	struct json *v = w->priv;
	struct json_table *t = pp_mem_zalloc(w->mem, sizeof(*t));
	size_t i, n = table->ncolumns;

	t->table = table;
	t->text = pp_mem_zalloc(w->mem, n);
	t->head = pp_mem_zalloc(w->mem, n * sizeof(*t->head));
	for (i = 0; i < n; i++) {
		t->text[i] = pp_type_is_text(table->columns[i].type);
		t->head[i] = make_head(w, table, i);
	}
	t->next = v->tables;
	v->tables = t;
	if (!v->lines)
		begin_array(w, table);
	return sink_status(w);
}

static void
free_table(struct pp_wctx *w, struct json_table *t)
{
	size_t i;

	if (t->head != NULL)
		for (i = 0; i < t->table->ncolumns; i++)
			pp_mem_free(w->mem, (void *)(uintptr_t)t->head[i].p);
	pp_mem_free(w->mem, t->head);
	pp_mem_free(w->mem, t->text);
	pp_mem_free(w->mem, t);
}

static enum pp_status
json_end(struct pp_wctx *w, const struct pp_table *table)
{
	struct json *v = w->priv;
	struct json_table *t = find(v, table), **at;

	if (!v->lines && t->any)
		pp_stream_write(v->out, "\n", 1);
	if (!v->lines)
		pp_stream_write(v->out, "]", 1);
	if (t->repaired > 0 && w->diag != NULL)
		pp_diag_tell_n(w->diag, PP_MSG_SANITISED, 0, UINT64_MAX,
		    t->repaired, "%s: text that is not UTF-8 was repaired",
		    table->name);
	for (at = &v->tables; *at != t; at = &(*at)->next)
		;
	*at = t->next;
	free_table(w, t);
	return sink_status(w);
}

static enum pp_status
json_open(struct pp_wctx *w)
{
	struct json *v = pp_mem_zalloc(w->mem, sizeof(*v));
	char head[128];

	w->priv = v;
	pp_arena_init(&v->arena, w->mem, 4096);
	v->z = (struct pp_sanitiser){.mode = PP_SANE_UTF8, .out = &v->arena};
	v->out = pp_sink_stream_with(w->sink, NULL,
	    w->opt.gzip ? PP_STREAM_GZIP : 0);
	if (v->out == NULL)
		return PP_FATAL;
	snprintf(head, sizeof(head), "{\"generator\": \"profpivot %s\",\n"
	    "\"schema_version\": %d,\n\"tables\": {", PP_VERSION,
	    PP_SCHEMA_VERSION);
	if (!w->one_table)
		pp_stream_write(v->out, head, strlen(head));
	return sink_status(w);
}

static enum pp_status
ndjson_open(struct pp_wctx *w)
{
	struct json *v = pp_mem_zalloc(w->mem, sizeof(*v));

	w->priv = v;
	v->lines = true;
	pp_arena_init(&v->arena, w->mem, 4096);
	v->z = (struct pp_sanitiser){.mode = PP_SANE_UTF8, .out = &v->arena};
	v->out = pp_sink_stream_with(w->sink, NULL,
	    w->opt.gzip ? PP_STREAM_GZIP : 0);
	return v->out == NULL ? PP_FATAL : PP_OK;
}

static enum pp_status
json_close(struct pp_wctx *w)
{
	struct json *v = w->priv;

	if (!v->lines && !w->one_table)
		pp_stream_write(v->out, "\n}}", 3);
	if (!v->lines)
		pp_stream_write(v->out, "\n", 1);
	return sink_status(w);
}

/* The stream belongs to the sink, all else goes with the run's memory. */
static void
json_free(struct pp_wctx *w)
{
	struct json *v = w->priv;
	struct json_table *t, *next;

	if (v == NULL)
		return;
	for (t = v->tables; t != NULL; t = next) {
		next = t->next;
		free_table(w, t);
	}
	pp_arena_free(&v->arena);
	pp_mem_free(w->mem, v);
	w->priv = NULL;
}

extern const struct pp_writer pp_writer_json, pp_writer_ndjson;

const struct pp_writer pp_writer_json = {
	.name = "json",
	.summary = "JSON, one document with an array of rows a table",
	.suffix = ".json",
	.caps = PP_W_SINGLE | PP_W_GZIP,
	.open = json_open,
	.begin = json_begin,
	.rows = json_rows,
	.end = json_end,
	.close = json_close,
	.free = json_free
};

const struct pp_writer pp_writer_ndjson = {
	.name = "ndjson",
	.summary = "JSON, a row a line",
	.suffix = ".ndjson",
	.caps = PP_W_INTERLEAVED | PP_W_SINGLE | PP_W_GZIP,
	.open = ndjson_open,
	.begin = json_begin,
	.rows = json_rows,
	.end = json_end,
	.close = json_close,
	.free = json_free
};
