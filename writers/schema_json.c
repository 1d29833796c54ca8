/*
 * schema_json.c: see schema_json.h.
 *
 * The properties are those of Frictionless (Data Package, Tabular Data
 * Resource, CSV Dialect, Table Schema); `rows`, `unit` and `kind`, our own
 * name of a type, are additions, which the specifications allow.
 */
#include "schema_json.h"
#include "json_text.h"

#include <inttypes.h>
#include <stdio.h>

static void
put_string(struct pp_cursor *c, const char *s)
{
	pp_json_string(c, pp_str_from(s));
}

static void
put_property(struct pp_cursor *c, const char *name, const char *value)
{
	put_string(c, name);
	pp_cursor_put(c, ": ");
	put_string(c, value);
}

static void
put_count(struct pp_cursor *c, const char *name, uint64_t n)
{
	char buf[32];

	put_string(c, name);
	snprintf(buf, sizeof(buf), ": %" PRIu64, n);
	pp_cursor_put(c, buf);
}

/* What is called from the data or by the user need not be UTF-8. */
static void
put_sane(struct pp_cursor *c, struct pp_sanitiser *z, const char *name,
    const char *value)
{
	put_string(c, name);
	pp_cursor_put(c, ": ");
	pp_json_string(c, pp_sanitise(z, pp_str_from(value)));
}

static const char *
type_of(enum pp_type t)
{
	switch (t) {
	case PP_T_TEXT:
	case PP_T_ID:
		return "string";
	case PP_T_INT:
		return "integer";
	case PP_T_SECONDS:
	case PP_T_DECIMAL:
		return "number";
	case PP_T_TIME:
		return "datetime";
	}
	return "string";
}

static void
put_field(struct pp_cursor *c, struct pp_sanitiser *z,
    const struct pp_column *x, const struct pp_schema_dialect *d)
{
	const char *unit = pp_column_unit(x);

	pp_cursor_put(c, "{");
	put_sane(c, z, "name", x->name);
	pp_cursor_put(c, ", ");
	put_property(c, "type", type_of(x->type));
	/* with or without an offset, whole seconds or not */
	if (x->type == PP_T_TIME) {
		pp_cursor_put(c, ", ");
		put_property(c, "format", "any");
	}
	if (d->point != '.' && (x->type == PP_T_SECONDS ||
	    x->type == PP_T_DECIMAL)) {
		char point[2] = {d->point, '\0'};

		pp_cursor_put(c, ", ");
		put_property(c, "decimalChar", point);
	}
	pp_cursor_put(c, ", ");
	put_property(c, "kind", pp_type_name(x->type));
	if (unit[0] != '\0') {
		pp_cursor_put(c, ", ");
		put_property(c, "unit", unit);
	}
	pp_cursor_put(c, ", ");
	put_sane(c, z, "description", x->help);
	pp_cursor_put(c, "}");
}

/* A comma list as an array of strings. */
static void
put_list(struct pp_cursor *c, const char *list)
{
	pp_str s = pp_str_from(list);
	size_t n;

	pp_cursor_put(c, "[");
	while (s.n > 0) {
		n = pp_str_find(s, PP_STR(","));
		pp_json_string(c, (pp_str){s.p, n});
		s = pp_str_skip(s, n + 1);
		if (s.n > 0)
			pp_cursor_put(c, ", ");
	}
	pp_cursor_put(c, "]");
}

static bool
has_columns(const struct pp_table *t, const char *list)
{
	pp_str s = pp_str_from(list), name;
	size_t n, i;

	while (s.n > 0) {
		n = pp_str_find(s, PP_STR(","));
		name = (pp_str){s.p, n};
		s = pp_str_skip(s, n + 1);
		for (i = 0; i < t->ncolumns; i++)
			if (pp_str_eq(name, pp_str_from(t->columns[i].name)))
				break;
		if (i == t->ncolumns)
			return false;
	}
	return true;
}

/* `sources` and `sessions` are referred to wherever their keys stand. */
static void
put_references(struct pp_cursor *c, const struct pp_table *t,
    const struct pp_schema_table *all)
{
	static const char *const to[] = {"sources", "sessions"};
	bool first = true;
	size_t i;

	for (i = 0; i < 2; i++) {
		const struct pp_schema_table *x = all;
		const char *key;

		while (x != NULL && strcmp(x->table->name, to[i]) != 0)
			x = x->next;
		if (x == NULL || strcmp(t->name, to[i]) == 0)
			continue;
		key = pp_table_key(x->table);
		if (key == NULL || !has_columns(t, key))
			continue;
		pp_cursor_put(c, first ? ",\n    \"foreignKeys\": [" : ", ");
		first = false;
		pp_cursor_put(c, "{\"fields\": ");
		put_list(c, key);
		pp_cursor_put(c, ", \"reference\": {");
		put_property(c, "resource", to[i]);
		pp_cursor_put(c, ", \"fields\": ");
		put_list(c, key);
		pp_cursor_put(c, "}}");
	}
	if (!first)
		pp_cursor_put(c, "]");
}

static void
put_dialect(struct pp_cursor *c, const struct pp_schema_dialect *d)
{
	char sep[2] = {d->separator, '\0'};

	pp_cursor_put(c, "   \"dialect\": {");
	put_property(c, "delimiter", sep);
	pp_cursor_put(c, ", ");
	put_property(c, "lineTerminator", d->excel ? "\r\n" : "\n");
	pp_cursor_put(c, ", \"quoteChar\": \"\\\"\", \"doubleQuote\": true, "
	    "\"header\": true, \"skipInitialSpace\": false, ");
	put_property(c, "name", d->name);
	pp_cursor_put(c, "},\n");
}

static void
put_sum(struct pp_cursor *c, const struct pp_stream_sum *s)
{
	char buf[8 + 64 + 1] = "sha256:";
	size_t i;

	for (i = 0; i < 32; i++)
		snprintf(buf + 7 + 2 * i, 3, "%02x", s->sha256[i]);
	put_count(c, "bytes", s->bytes);
	pp_cursor_put(c, ", ");
	put_property(c, "hash", buf);
}

static void
put_resource(struct pp_cursor *c, struct pp_sanitiser *z,
    const struct pp_schema_table *x, const struct pp_schema_table *all,
    const struct pp_schema_dialect *d, bool gzip)
{
	const struct pp_table *t = x->table;
	const char *key = pp_table_key(t);
	size_t i;

	pp_cursor_put(c, "  {");
	put_sane(c, z, "name", t->name);
	pp_cursor_put(c, ", ");
	put_sane(c, z, "path", x->file);
	pp_cursor_put(c, ", \"profile\": \"tabular-data-resource\",\n   ");
	put_sane(c, z, "description", t->help);
	pp_cursor_put(c, ",\n   ");
	put_property(c, "format", d->format);
	pp_cursor_put(c, ", ");
	put_property(c, "encoding", d->excel ? "utf-8-sig" : "utf-8");
	if (gzip) {
		pp_cursor_put(c, ", ");
		put_property(c, "compression", "gz");
	}
	if (t->flags & PP_TABLE_WIDE)
		pp_cursor_put(c, ", \"wide\": true");
	if (t->flags & PP_TABLE_PIVOT)
		pp_cursor_put(c, ", \"pivot\": true");
	pp_cursor_put(c, ",\n   ");
	put_count(c, "rows", x->rows);
	pp_cursor_put(c, ", ");
	put_sum(c, &x->sum);
	pp_cursor_put(c, ",\n");
	put_dialect(c, d);
	pp_cursor_put(c, "   \"schema\": {\n    \"fields\": [\n");
	for (i = 0; i < t->ncolumns; i++) {
		pp_cursor_put(c, i > 0 ? ",\n     " : "     ");
		put_field(c, z, &t->columns[i], d);
	}
	pp_cursor_put(c, "],\n    \"missingValues\": [\"\"]");
	if (key != NULL && has_columns(t, key)) {
		pp_cursor_put(c, ",\n    \"primaryKey\": ");
		put_list(c, key);
	}
	put_references(c, t, all);
	pp_cursor_put(c, "}}");
}

void
pp_schema_json(struct pp_wctx *w, const struct pp_schema_table *first,
    const struct pp_schema_dialect *d)
{
	struct pp_stream *out = pp_sink_stream(w->sink, PP_SCHEMA_FILE);
	const struct pp_schema_table *x;
	struct pp_arena arena;
	struct pp_sanitiser z = {.mode = PP_SANE_UTF8, .out = &arena};
	struct pp_cursor c;
	char version[16];

	if (out == NULL)
		return;
	pp_arena_init(&arena, w->mem, 4096);
	snprintf(version, sizeof(version), "%d", PP_SCHEMA_VERSION);
	pp_cursor_open(&c, out);
	pp_cursor_put(&c, "{\"profile\": \"tabular-data-package\", "
	    "\"name\": \"profpivot\", ");
	put_property(&c, "version", version);
	pp_cursor_put(&c, ",\n ");
	put_property(&c, "generator", "profpivot " PP_VERSION);
	pp_cursor_put(&c, ",\n \"resources\": [\n");
	for (x = first; x != NULL; x = x->next) {
		put_resource(&c, &z, x, first, d, w->opt.gzip);
		pp_cursor_put(&c, x->next != NULL ? ",\n" : "\n");
	}
	pp_cursor_put(&c, " ]}\n");
	pp_cursor_close(&c);
	pp_stream_close(out);
	pp_arena_free(&arena);
}
