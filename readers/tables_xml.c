/*
 * tables_xml.c: XML that profpivot wrote, flat or nested.
 *
 * Sees base, table.h and the readers.  Read as a stream by xmlReader, without
 * network, entities or the limits lifted; a document type is refused, as ours
 * have none.
 *
 *	profpivot > TABLE > row, and profpivot > pivots > pivot > row
 *	row: attributes, then elements `field`, long text, nested rows
 *
 * A row ends with its element, or where a nested row begins.
 */
#include "tables.h"

#include <libxml/xmlreader.h>
#include <stdio.h>
#include <sys/stat.h>

#define NAMESPACE "urn:profpivot:1"
#define ANY_VERSION "urn:profpivot:"
#define COLUMNS_MAX 4096
#define MESSAGE_MAX 160

struct row {
	pp_str *value;		/* by column */
	bool *known;
	struct pp_arena text;
	bool pending;		/* begun, and not put */
	int line;
};

struct xml {
	struct pp_tables *in;
	struct pp_input *input;
	struct pp_chunk chunk;
	size_t given;		/* of the chunk */
	bool end;
	xmlTextReaderPtr x;
	char message[MESSAGE_MAX]; /* the first error of the parser */
	int message_line;
	/* the open table */
	const struct pp_table *table;
	struct pp_rows rows;
	bool wanted;
	bool pivot;
	size_t next;		/* the column likely to come */
	struct row row;
	/* the element whose text is wanted */
	size_t column;		/* SIZE_MAX: none */
	char *text;
	size_t text_n, text_cap;
	bool refused;		/* not ours: told */
};

static int
read_bytes(void *arg, char *to, int room)
{
	struct xml *v = arg;
	size_t n = 0;
	uint64_t done, all;

	if (v->given == v->chunk.n && !v->end) {
		v->chunk.used = v->chunk.n;
		v->chunk.lines = 0;
		v->given = 0;
		if (!pp_input_next(v->input, &v->chunk)) {
			v->end = true;
			v->chunk.n = 0;
		}
		pp_input_progress(v->input, &done, &all);
		if (v->in->step != NULL)
			v->in->step(v->in->arg, done);
	}
	n = v->chunk.n - v->given;
	if (n > (size_t)room)
		n = (size_t)room;
	if (n > 0)
		memcpy(to, v->chunk.p + v->given, n);
	v->given += n;
	return (int)n;
}

static void
on_error(void *arg, xmlErrorPtr e)
{
	struct xml *v = arg;
	size_t n;

	if (v->message[0] != '\0' || e == NULL || e->message == NULL ||
	    e->level < XML_ERR_ERROR)
		return;
	snprintf(v->message, sizeof(v->message), "%s", e->message);
	n = strlen(v->message);
	while (n > 0 && (v->message[n - 1] == '\n' ||
	    v->message[n - 1] == ' '))
		v->message[--n] = '\0';
	v->message_line = e->line;
}

static void
tell(struct xml *v, enum pp_msg id, int line, const char *what, pp_str name)
{
	pp_diag_tell(v->in->diag, id, line > 0 ? (uint64_t)line : 0,
	    UINT64_MAX, "%s%.*s", what, (int)(name.n < 60 ? name.n : 60),
	    name.p);
}

static pp_str
name_of(struct xml *v)
{
	return pp_str_from((const char *)
	    xmlTextReaderConstLocalName(v->x));
}

static int
line_of(struct xml *v)
{
	return xmlTextReaderGetParserLineNumber(v->x);
}

/* ----------------------------------------------------------------- rows */

static size_t
find_column(struct xml *v, pp_str name)
{
	const struct pp_table *t = v->table;
	size_t i, k;

	if (v->pivot && pp_str_eq(name, PP_STR("cell")))
		return t->ncolumns - 1;
	/* attributes stand in the order of the columns */
	for (i = 0; i < t->ncolumns; i++) {
		k = v->next + i;
		k = k >= t->ncolumns ? k - t->ncolumns : k;
		if (pp_str_eq(name, pp_str_from(t->columns[k].name))) {
			v->next = k + 1;
			return k;
		}
	}
	return SIZE_MAX;
}

static void
set_value(struct xml *v, size_t column, pp_str s)
{
	v->row.value[column] = pp_arena_str(&v->row.text, s);
	v->row.known[column] = true;
}

static void
put_row(struct xml *v)
{
	const struct pp_table *t = v->table;
	struct row *r = &v->row;
	size_t k;

	if (!r->pending)
		return;
	r->pending = false;
	for (k = 0; k < t->ncolumns; k++) {
		if (!r->known[k])
			pp_put_null(&v->rows);
		else if (!pp_tables_put(&v->rows, r->value[k], '.'))
			break;
	}
	if (k == t->ncolumns) {
		pp_row_end(&v->rows);
		return;
	}
	tell(v, PP_MSG_BAD_RECORD, r->line, "not a value of column ",
	    pp_str_from(t->columns[k].name));
	pp_tables_cancel(&v->rows);
}

static void
begin_row(struct xml *v)
{
	pp_str name;
	size_t k;

	put_row(v);
	pp_arena_reset(&v->row.text);
	memset(v->row.known, 0, v->table->ncolumns);
	v->row.pending = true;
	v->row.line = line_of(v);
	v->next = 0;
	while (xmlTextReaderMoveToNextAttribute(v->x) == 1) {
		name = name_of(v);
		k = find_column(v, name);
		if (k != SIZE_MAX)
			set_value(v, k, pp_str_from((const char *)
			    xmlTextReaderConstValue(v->x)));
	}
	xmlTextReaderMoveToElement(v->x);
}

/* An element in a row: <field name="..."> or a column's own. */
static void
begin_text(struct xml *v)
{
	pp_str name = name_of(v);
	xmlChar *given = NULL;

	if (pp_str_eq(name, PP_STR("field"))) {
		given = xmlTextReaderGetAttribute(v->x, (const xmlChar *)"name");
		name = pp_str_from((const char *)given);
	}
	v->column = find_column(v, name);
	v->text_n = 0;
	if (given != NULL)
		xmlFree(given);
	if (v->column != SIZE_MAX && xmlTextReaderIsEmptyElement(v->x) == 1) {
		set_value(v, v->column, (pp_str){"", 0});
		v->column = SIZE_MAX;
	}
}

static void
take_text(struct xml *v)
{
	pp_str s = pp_str_from((const char *)xmlTextReaderConstValue(v->x));
	void *p = v->text;

	if (s.n == 0)
		return;
	pp_mem_grow(v->in->mem, &p, &v->text_cap, v->text_n + s.n, 1);
	v->text = p;
	memcpy(v->text + v->text_n, s.p, s.n);
	v->text_n += s.n;
}

static void
end_text(struct xml *v)
{
	set_value(v, v->column, (pp_str){v->text, v->text_n});
	v->column = SIZE_MAX;
}

/* --------------------------------------------------------------- tables */

/* "event:text sum_time_s:seconds" */
static size_t
parse_columns(pp_str list, struct pp_tables_column *c)
{
	size_t n = 0, blank, colon;
	pp_str word;

	while (list.n > 0) {
		blank = pp_str_find(list, PP_STR(" "));
		word = (pp_str){list.p, blank};
		list = pp_str_skip(list, blank + 1);
		colon = pp_str_rfind(word, PP_STR(":"));
		if (n == COLUMNS_MAX || colon == word.n || colon == 0 ||
		    !pp_tables_type(pp_str_skip(word, colon + 1),
		    &c[n].type))
			return 0;
		c[n].name = (pp_str){word.p, colon};
		c[n++].help = (pp_str){"", 0};
	}
	return n;
}

static const struct pp_table *
declare(struct xml *v, pp_str name, const xmlChar *list)
{
	const struct pp_table *known;
	struct pp_tables_column *c;
	size_t n, place;

	known = v->pivot ? NULL : pp_tables_known(v->in, name, &place);
	if (list == NULL || (known == NULL && !v->pivot))
		return known;
	c = pp_mem_alloc(v->in->mem, COLUMNS_MAX * sizeof(*c));
	n = parse_columns(pp_str_from((const char *)list), c);
	if (n > 0)
		known = pp_tables_declare(v->in, name,
		    PP_STR("a row of a pivot"), c, n, PP_TABLE_PIVOT);
	else
		known = NULL;
	pp_mem_free(v->in->mem, c);
	return known;
}

static void
begin_table(struct xml *v)
{
	xmlChar *list = xmlTextReaderGetAttribute(v->x, (const xmlChar *)"columns");
	xmlChar *given = !v->pivot ? NULL :
	    xmlTextReaderGetAttribute(v->x, (const xmlChar *)"name");
	pp_str name = v->pivot ? pp_str_from((const char *)given) :
	    name_of(v);
	const struct pp_table *t = NULL;

	if (name.n > 0)
		t = declare(v, name, list);
	if (t == NULL)
		tell(v, v->pivot ? PP_MSG_BAD_RECORD : PP_MSG_LEFT_OUT,
		    line_of(v), "no table of this version of profpivot: ",
		    name);
	xmlFree(list);
	xmlFree(given);
	v->table = t;
	v->wanted = t != NULL && v->in->want(v->in->arg, t);
	if (!v->wanted)
		return;
	v->in->count++;
	v->row.value = pp_mem_zalloc(v->in->mem,
	    t->ncolumns * sizeof(*v->row.value));
	v->row.known = pp_mem_zalloc(v->in->mem, t->ncolumns);
	v->row.pending = false;
	pp_rows_open(&v->rows, v->in->mem, v->in->to, t);
}

static enum pp_status
end_table(struct xml *v)
{
	enum pp_status s;

	if (!v->wanted) {
		v->table = NULL;
		return PP_OK;
	}
	put_row(v);
	s = pp_rows_close(&v->rows);
	pp_mem_free(v->in->mem, v->row.value);
	pp_mem_free(v->in->mem, v->row.known);
	v->row.value = NULL;
	v->row.known = NULL;
	v->table = NULL;
	v->wanted = false;
	return s >= PP_FAILED ? PP_FATAL : PP_OK;
}

/* -------------------------------------------------------------- document */

static bool
check_root(struct xml *v)
{
	const char *space = (const char *)
	    xmlTextReaderConstNamespaceUri(v->x);

	if (space != NULL && strcmp(space, NAMESPACE) == 0 &&
	    pp_str_eq(name_of(v), PP_STR("profpivot")))
		return true;
	v->refused = true;
	if (space != NULL && strncmp(space, ANY_VERSION,
	    sizeof(ANY_VERSION) - 1) == 0)
		tell(v, PP_MSG_NOT_RECOGNISED, 0, "made by a later version "
		    "of profpivot: ", pp_str_from(space));
	else
		tell(v, PP_MSG_NOT_RECOGNISED, 0, "not XML that profpivot "
		    "has written", (pp_str){"", 0});
	return false;
}

static enum pp_status
begin_element(struct xml *v, int depth)
{
	bool empty = xmlTextReaderIsEmptyElement(v->x) == 1;

	if (depth == 0)
		return check_root(v) ? PP_OK : PP_FAILED;
	if (v->table == NULL) {
		if (depth == 1 && pp_str_eq(name_of(v), PP_STR("pivots"))) {
			v->pivot = !empty;
			return PP_OK;
		}
		if (depth != (v->pivot ? 2 : 1))
			return PP_OK;
		begin_table(v);
		return empty ? end_table(v) : PP_OK;
	}
	if (!v->wanted || v->column != SIZE_MAX)
		return PP_OK;
	if (pp_str_eq(name_of(v), PP_STR("row")))
		begin_row(v);
	else if (v->row.pending)
		begin_text(v);
	return v->rows.status >= PP_FAILED ? PP_FATAL : PP_OK;
}

static enum pp_status
end_element(struct xml *v, int depth)
{
	if (v->table == NULL) {
		if (depth == 1)
			v->pivot = false;
		return PP_OK;
	}
	if (depth == (v->pivot ? 2 : 1))
		return end_table(v);
	if (v->wanted && v->column != SIZE_MAX)
		end_text(v);
	return PP_OK;
}

static enum pp_status
take_node(struct xml *v)
{
	int depth = xmlTextReaderDepth(v->x);

	switch (xmlTextReaderNodeType(v->x)) {
	case XML_READER_TYPE_ELEMENT:
		return begin_element(v, depth);
	case XML_READER_TYPE_END_ELEMENT:
		return end_element(v, depth);
	case XML_READER_TYPE_TEXT:
	case XML_READER_TYPE_CDATA:
	case XML_READER_TYPE_WHITESPACE:
	case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
		if (v->table != NULL && v->column != SIZE_MAX)
			take_text(v);
		return PP_OK;
	case XML_READER_TYPE_DOCUMENT_TYPE:
	case XML_READER_TYPE_ENTITY_REFERENCE:
		tell(v, PP_MSG_NOT_RECOGNISED, line_of(v), "a document type "
		    "is nothing that profpivot writes", (pp_str){"", 0});
		v->refused = true;
		return PP_FAILED;
	default:
		return PP_OK;
	}
}

static enum pp_status
read_document(struct xml *v)
{
	enum pp_status s = PP_OK, closed;
	pp_str err;
	int more;

	while ((more = xmlTextReaderRead(v->x)) == 1 && s < PP_FAILED)
		s = take_node(v);
	/* what is whole of a document that is cut */
	closed = v->table != NULL ? end_table(v) : PP_OK;
	err = pp_input_error(v->input);
	if (err.n != 0)
		tell(v, PP_MSG_BAD_GZIP, 0, "", err);
	else if (more < 0 && s < PP_FAILED)
		tell(v, PP_MSG_CUT_RECORD, v->message_line, "XML: ",
		    v->message[0] != '\0' ? pp_str_from(v->message) :
		    PP_STR("cannot be parsed"));
	if (closed == PP_FATAL)
		s = PP_FATAL;
	return s == PP_OK && v->in->count == 0 ? PP_FAILED : s;
}

static void
drop_reader(void *held)
{
	xmlFreeTextReader(held);
}

static enum pp_status
read_xml(struct pp_tables *in, const char *path)
{
	struct xml *v = pp_mem_zalloc(in->mem, sizeof(*v));
	enum pp_status s = PP_FAILED;
	pp_str err;

	v->in = in;
	v->column = SIZE_MAX;
	pp_arena_init(&v->row.text, in->mem, 65536);
	pp_diag_file(in->diag, UINT32_MAX,
	    strcmp(path, "-") == 0 ? "standard input" : path);
	v->input = pp_input_open(in->mem, path, 0, &err);
	if (v->input == NULL) {
		pp_diag_tell(in->diag, PP_MSG_UNREADABLE, 0, UINT64_MAX,
		    "%.*s", (int)err.n, err.p);
		return PP_FAILED;
	}
	*in->open = v->input;
	xmlInitParser();
	v->x = xmlReaderForIO(read_bytes, NULL, v, NULL, NULL,
	    XML_PARSE_NONET);
	if (v->x == NULL)
		pp_mem_fail(in->mem);
	in->held = v->x;
	in->drop = drop_reader;
	xmlTextReaderSetStructuredErrorHandler(v->x, on_error, v);
	s = read_document(v);
	in->drop = NULL;
	drop_reader(v->x);
	pp_input_close(v->input);
	*in->open = NULL;
	pp_mem_free(in->mem, v->text);
	pp_arena_free(&v->row.text);
	pp_diag_file(in->diag, UINT32_MAX, NULL);
	return s;
}

static bool
probe_xml(struct pp_mem *mem, const char *path)
{
	struct pp_input *input;
	struct stat st;
	pp_str head, err;
	bool ours;

	/* what can be read only once is left to who says -f tables-xml */
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	input = pp_input_open(mem, path, 0, &err);
	if (input == NULL)
		return false;
	head = pp_input_head(input);
	head.n = head.n < 1024 ? head.n : 1024;
	ours = pp_str_find(head, PP_STR("<profpivot ")) < head.n &&
	    pp_str_find(head, PP_STR(ANY_VERSION)) < head.n;
	pp_input_close(input);
	return ours;
}

extern const struct pp_tablereader pp_tablereader_xml;

const struct pp_tablereader pp_tablereader_xml = {
	.name = "tables-xml",
	.summary = "XML that profpivot wrote",
	.probe = probe_xml,
	.read = read_xml,
};
