/*
 * xml.c: the writer xml.
 *
 * Sees base, table.h and the sink.  The shape is told in xml_impl.h, and by
 * the schema that xml_schema.c prints.
 *
 * xmlTextWriter escapes, but checks no characters and takes strings that end
 * in a NUL: each text is sanitised and copied before.
 */
#include "xml_impl.h"
#include "number.h"
#include "sanitise.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>

struct xml {
	struct pp_wctx *w;
	struct pp_stream *out;
	xmlTextWriterPtr x;
	bool bad;		/* libxml2 has refused something */
	struct pp_arena arena;
	struct pp_sanitiser z;
	bool pivots;		/* inside <pivots> */
	uint64_t cut;
	/* the open table */
	const struct pp_table *table;
	enum pp_xml_kind *kind;	/* by column */
	const char **value;	/* of the row, by column; NULL: unknown */
	uint64_t before, cut_before; /* counts when it began */
	int node, parent;	/* columns of nested rows; -1: none */
	pp_i128 open[PP_XML_DEPTH]; /* nodes whose rows are open */
	size_t depth;
};

int
pp_xml_column(const struct pp_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (strcmp(t->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

static void
check(struct xml *v, int status)
{
	if (status < 0)
		v->bad = true;
}

static enum pp_status
status_of(struct xml *v)
{
	if (v->bad)
		pp_sink_fail(v->w->sink, ENOMEM, "libxml2");
	return pp_sink_error(v->w->sink, NULL).n > 0 ? PP_FATAL : PP_OK;
}

static int
write_out(void *arg, const char *p, int n)
{
	struct xml *v = arg;

	pp_stream_write(v->out, p, (size_t)n);
	return n;
}

/* ----------------------------------------------------------------- text */

/* The longest part of s, valid UTF-8, that a parser takes. */
static pp_str
bounded(struct xml *v, pp_str s)
{
	static const char ellipsis[] = "\xe2\x80\xa6";
	size_t n = PP_XML_TEXT_MAX;
	char *p;

	if (s.n <= n)
		return s;
	while (((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	p = pp_arena_alloc(&v->arena, n + 3);
	memcpy(p, s.p, n);
	memcpy(p + n, ellipsis, 3);
	v->cut++;
	return (pp_str){p, n + 3};
}

static const char *
text(struct xml *v, pp_str s)
{
	return pp_arena_str(&v->arena, bounded(v, pp_sanitise(&v->z, s))).p;
}

/* libxml2's own cast takes the const away. */
static const xmlChar *
xml_text(const char *s)
{
	return (const xmlChar *)s;
}

static void
start(struct xml *v, const char *name)
{
	check(v, xmlTextWriterStartElement(v->x, xml_text(name)));
}

static void
end(struct xml *v)
{
	check(v, xmlTextWriterEndElement(v->x));
}

static void
attribute(struct xml *v, const char *name, const char *value)
{
	check(v, xmlTextWriterWriteAttribute(v->x, xml_text(name),
	    xml_text(value)));
}

/* ----------------------------------------------------------------- rows */

static const char *
number(struct xml *v, pp_i128 n, unsigned scale)
{
	char *p = pp_arena_alloc(&v->arena, PP_DEC_MAX + 1);

	*pp_number_put(p, n, scale, '.') = '\0';
	return p;
}

/* Close the rows that the row at hand is not inside of. */
static void
leave(struct xml *v, const struct pp_batch *b, size_t row)
{
	pp_i128 parent = 0;
	bool root = true;
	size_t depth = 0;

	if (b != NULL && v->parent >= 0 && b->tags[v->parent][row] != 0) {
		parent = b->cells[v->parent][row].num;
		root = false;
	}
	for (depth = v->depth; !root && depth > 0; depth--)
		if (v->open[depth - 1] == parent)
			break;
	if (root)
		depth = 0;
	if (depth == PP_XML_DEPTH)
		depth--;
	for (; v->depth > depth; v->depth--)
		end(v);
}

static void
put_field(struct xml *v, const char *name, const char *value)
{
	start(v, "field");
	attribute(v, "name", name);
	check(v, xmlTextWriterWriteString(v->x, xml_text(value)));
	end(v);
}

static void
put_row(struct xml *v, const struct pp_batch *b, size_t row)
{
	const struct pp_table *t = v->table;
	uint64_t replaced = v->z.replaced;
	bool pivot = (t->flags & PP_TABLE_PIVOT) != 0;
	size_t k;

	pp_arena_reset(&v->arena);
	for (k = 0; k < t->ncolumns; k++) {
		const union pp_cell *c = &b->cells[k][row];
		unsigned tag = b->tags[k][row];

		v->value[k] = tag == 0 ? NULL :
		    pp_type_is_text(t->columns[k].type) ? text(v, c->str) :
		    number(v, c->num, tag - 1);
	}
	start(v, "row");
	for (k = 0; k < t->ncolumns; k++)
		if (v->value[k] != NULL && v->kind[k] == PP_XML_ATTRIBUTE)
			attribute(v, pivot && k + 1 == t->ncolumns ?
			    PP_XML_CELL : t->columns[k].name, v->value[k]);
	if (v->z.replaced != replaced)
		attribute(v, "lossy", "1");
	for (k = 0; k < t->ncolumns; k++)
		if (v->value[k] != NULL && v->kind[k] == PP_XML_FIELD)
			put_field(v, t->columns[k].name, v->value[k]);
	for (k = 0; k < t->ncolumns; k++)
		if (v->value[k] != NULL && v->kind[k] == PP_XML_ELEMENT)
			check(v, xmlTextWriterWriteElement(v->x,
			    xml_text(t->columns[k].name),
			    xml_text(v->value[k])));
}

static enum pp_status
xml_rows(struct pp_wctx *w, const struct pp_batch *b)
{
	struct xml *v = w->priv;
	size_t i;

	for (i = 0; i < b->rows; i++) {
		if (v->node < 0) {
			put_row(v, b, i);
			end(v);
			continue;
		}
		leave(v, b, i);
		put_row(v, b, i);
		if (b->tags[v->node][i] == 0)
			end(v);
		else
			v->open[v->depth++] = b->cells[v->node][i].num;
	}
	return status_of(v);
}

/* --------------------------------------------------------------- tables */

/* event:text sum_time_s:seconds */
static const char *
column_list(struct xml *v, const struct pp_table *t)
{
	size_t n = 0, i, k;
	char *p;

	for (i = 0; i < t->ncolumns; i++)
		n += strlen(t->columns[i].name) + 16;
	p = pp_arena_alloc(&v->arena, n + 1);
	n = 0;
	for (i = 0; i < t->ncolumns; i++) {
		if (i > 0)
			p[n++] = ' ';
		k = strlen(t->columns[i].name);
		memcpy(p + n, t->columns[i].name, k);
		n += k;
		p[n++] = ':';
		k = strlen(pp_type_name(t->columns[i].type));
		memcpy(p + n, pp_type_name(t->columns[i].type), k);
		n += k;
	}
	p[n] = '\0';
	return p;
}

/* How the columns are written; false: the schema does not have them all. */
static bool
choose_kinds(struct xml *v, const struct pp_table *t)
{
	bool pivot = (t->flags & PP_TABLE_PIVOT) != 0, all = true;
	pp_str name = pivot ? (pp_str){"", 0} : pp_str_from(t->name);
	size_t i;

	for (i = 0; i < t->ncolumns; i++) {
		v->kind[i] = PP_XML_ATTRIBUTE;
		if (pivot && i + 1 == t->ncolumns)
			break;	/* its value */
		if (v->w->declares != NULL && !v->w->declares(name,
		    pp_str_from(t->columns[i].name))) {
			v->kind[i] = PP_XML_FIELD;
			all = false;
		} else if (!pivot && pp_column_is_long(&t->columns[i]))
			v->kind[i] = PP_XML_ELEMENT;
	}
	return all;
}

static enum pp_status
xml_begin(struct pp_wctx *w, const struct pp_table *t)
{
	struct xml *v = w->priv;
	bool pivot = (t->flags & PP_TABLE_PIVOT) != 0, all;

	v->table = t;
	v->kind = pp_mem_zalloc(w->mem, t->ncolumns * sizeof(*v->kind));
	v->value = pp_mem_zalloc(w->mem, t->ncolumns * sizeof(char *));
	all = choose_kinds(v, t) && !pivot;
	v->node = v->parent = -1;
	if (w->opt.nested && !pivot) {
		v->node = pp_xml_column(t, "node");
		v->parent = pp_xml_column(t, "parent");
		if (v->parent < 0)
			v->node = -1;
	}
	v->before = v->z.replaced;
	v->cut_before = v->cut;
	if (v->pivots != pivot) {
		if (pivot)
			start(v, "pivots");
		else
			end(v);
		v->pivots = pivot;
	}
	pp_arena_reset(&v->arena);
	start(v, pivot ? "pivot" : t->name);
	if (pivot)
		attribute(v, "name", text(v, pp_str_from(t->name)));
	if (!all)
		attribute(v, "columns", column_list(v, t));
	return status_of(v);
}

static enum pp_status
xml_end(struct pp_wctx *w, const struct pp_table *t)
{
	struct xml *v = w->priv;

	leave(v, NULL, 0);
	end(v);
	if (v->z.replaced > v->before && w->diag != NULL)
		pp_diag_tell_n(w->diag, PP_MSG_SANITISED, 0, UINT64_MAX,
		    v->z.replaced - v->before, "%s: characters that XML 1.0 "
		    "cannot hold, or bytes that are not UTF-8, became U+FFFD",
		    t->name);
	if (v->cut > v->cut_before && w->diag != NULL)
		pp_diag_tell_n(w->diag, PP_MSG_CELL_CUT, 0, UINT64_MAX,
		    v->cut - v->cut_before, "%s: text was cut to %d bytes",
		    t->name, PP_XML_TEXT_MAX);
	pp_mem_free(w->mem, v->kind);
	pp_mem_free(w->mem, v->value);
	v->kind = NULL;
	v->value = NULL;
	v->table = NULL;
	return status_of(v);
}

/* ------------------------------------------------------------- document */

static enum pp_status
xml_open(struct pp_wctx *w)
{
	struct xml *v = pp_mem_zalloc(w->mem, sizeof(*v));
	xmlOutputBufferPtr buffer;
	char version[16];

	w->priv = v;
	v->w = w;
	pp_arena_init(&v->arena, w->mem, 65536);
	v->z = (struct pp_sanitiser){.mode = PP_SANE_XML, .out = &v->arena};
	v->out = pp_sink_stream_with(w->sink, NULL,
	    w->opt.gzip ? PP_STREAM_GZIP : 0);
	if (v->out == NULL)
		return PP_FATAL;
	xmlInitParser();
	buffer = xmlOutputBufferCreateIO(write_out, NULL, v, NULL);
	v->x = buffer == NULL ? NULL : xmlNewTextWriter(buffer);
	if (v->x == NULL) {
		if (buffer != NULL)
			xmlOutputBufferClose(buffer);
		v->bad = true;
		return status_of(v);
	}
	/* each element on a line of its own, nothing in front of it */
	check(v, xmlTextWriterSetIndent(v->x, 1));
	check(v, xmlTextWriterSetIndentString(v->x, xml_text("")));
	check(v, xmlTextWriterStartDocument(v->x, "1.0", "UTF-8", NULL));
	snprintf(version, sizeof(version), "%d", PP_SCHEMA_VERSION);
	start(v, "profpivot");
	attribute(v, "xmlns", PP_XML_NAMESPACE);
	attribute(v, "version", version);
	attribute(v, "generator", "profpivot " PP_VERSION);
	return status_of(v);
}

static enum pp_status
xml_close(struct pp_wctx *w)
{
	struct xml *v = w->priv;

	if (v->pivots)
		end(v);
	check(v, xmlTextWriterEndDocument(v->x));
	xmlFreeTextWriter(v->x);
	v->x = NULL;
	return status_of(v);
}

/* The stream belongs to the sink, and is still there. */
static void
xml_free(struct pp_wctx *w)
{
	struct xml *v = w->priv;

	if (v == NULL)
		return;
	if (v->x != NULL)
		xmlFreeTextWriter(v->x);
	pp_mem_free(w->mem, v->kind);
	pp_mem_free(w->mem, v->value);
	pp_arena_free(&v->arena);
	pp_mem_free(w->mem, v);
	w->priv = NULL;
}

extern const struct pp_writer pp_writer_xml;

const struct pp_writer pp_writer_xml = {
	.name = "xml",
	.summary = "XML with a schema, a flat list a table",
	.suffix = ".xml",
	.caps = PP_W_SINGLE | PP_W_GZIP,
	.open = xml_open,
	.begin = xml_begin,
	.rows = xml_rows,
	.end = xml_end,
	.close = xml_close,
	.free = xml_free
};
