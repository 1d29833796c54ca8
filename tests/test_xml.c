/*
 * test_xml.c: the writer xml, its schema, and the reader that takes it back.
 *
 * Right values: XML 1.0 and by hand; libxml2's parser and its schema
 * validator as second readers.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include "writer_world.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlschemas.h>

#include "../writers/xml.h"

static const struct pp_column columns[] = {
	{"name", PP_T_TEXT, "a name"},
	{"id", PP_T_ID, "an id"},
	{"at", PP_T_TIME, "a time of day"},
	{"n", PP_T_INT, "a count"},
	{"t_s", PP_T_SECONDS, "a time"},
	{"text", PP_T_TEXT, "a long text"},
};
static const struct pp_table table = {"t", "a row", "as given",
	columns, 6, 0};
static const struct pp_column one_column[] = {
	{"sql_text", PP_T_TEXT, "a long text"},
};
static const struct pp_table texts = {"texts", "a text", "as given",
	one_column, 1, 0};
static const struct pp_column flat_columns[] = {
	{"name", PP_T_TEXT, "a name"},
	{"t_s", PP_T_SECONDS, "a time"},
};
static const struct pp_table flat = {"flat", "a row", "as given",
	flat_columns, 2, 0};
static const struct pp_column node_columns[] = {
	{"node", PP_T_INT, "a number"},
	{"parent", PP_T_INT, "that of the one above"},
};
static const struct pp_table tree = {"tree", "a node", "as given",
	node_columns, 2, 0};

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" \
	"<profpivot xmlns=\"urn:profpivot:1\" version=\"1\" " \
	"generator=\"profpivot " PP_VERSION "\">\n"

/* The document is valid against the schema of the tables. */
static void
expect_valid(struct writer_world *v, const struct pp_table *const *t,
    size_t n, bool nested)
{
	xmlSchemaParserCtxtPtr parser;
	xmlSchemaValidCtxtPtr valid;
	xmlSchemaPtr schema;
	xmlDocPtr doc;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	pp_xml_schema(f, t, n, nested);
	fclose(f);
	parser = xmlSchemaNewMemParserCtxt(text, (int)size);
	schema = xmlSchemaParse(parser);
	assert_non_null(schema);
	valid = xmlSchemaNewValidCtxt(schema);
	doc = xmlReadMemory(v->got, (int)v->n, NULL, NULL, XML_PARSE_NONET);
	assert_non_null(doc);
	assert_int_equal(xmlSchemaValidateDoc(valid, doc), 0);
	xmlFreeDoc(doc);
	xmlSchemaFreeValidCtxt(valid);
	xmlSchemaFree(schema);
	xmlSchemaFreeParserCtxt(parser);
	free(text);
}

static void
some_rows(struct writer_world *v)
{
	struct pp_rows r;

	pp_rows_open(&r, &v->mem, &v->sink, &table);
	pp_put_str(&r, PP_STR("a<b&\"c\"\n"));
	pp_put_str(&r, PP_STR("007"));
	pp_put_str(&r, PP_STR("2024-03-26T18:41:07.683567+01:00"));
	pp_put_int(&r, -1);
	pp_put_dec(&r, 1500, 6);
	pp_put_str(&r, PP_STR("select 1\r\n  from <x> where ']]>'"));
	pp_row_end(&r);
	pp_put_str(&r, PP_STR(""));
	pp_put_null(&r);
	pp_put_str(&r, PP_STR("0000-00-00 00:00:00"));
	pp_put_nulls(&r, 2);
	pp_put_str(&r, PP_STR(""));
	pp_row_end(&r);
	pp_put_nulls(&r, 6);
	pp_row_end(&r);
	assert_int_equal(pp_rows_close(&r), PP_OK);
}

static void
test_document(void **state)
{
	static const struct pp_table *const all[] = {&table, &texts};
	struct writer_world *v = *state;
	pp_str none = {"", 0};

	world_start(v, "xml");
	some_rows(v);
	world_text_rows(v, &texts, &none, 0);
	world_finish(v);
	assert_string_equal(v->got, HEAD "<t>\n"
	    "<row name=\"a&lt;b&amp;&quot;c&quot;&#10;\" id=\"007\" "
	    "at=\"2024-03-26T18:41:07.683567+01:00\" n=\"-1\" "
	    "t_s=\"0.001500\">\n"
	    "<text>select 1&#13;\n  from &lt;x&gt; where ']]&gt;'</text>\n"
	    "</row>\n"
	    "<row name=\"\" at=\"0000-00-00 00:00:00\">\n<text></text>\n"
	    "</row>\n<row/>\n</t>\n<texts/>\n</profpivot>\n");
	expect_valid(v, all, 2, false);
}

/* Rows with something to escape and without take turns, and one is wider
 * than 4 KiB. */
static void
test_turns(void **state)
{
	static const struct pp_table *const all[] = {&flat};
	static char want[16384], wide[4098];
	struct writer_world *v = *state;
	const char *const name[] = {"a", "b<c", "d&e", "f g", "h\ti", "j",
		"k\xc3\xa9", "l\"m", "n>o", NULL};
	const char *const as[] = {"a", "b&lt;c", "d&amp;e", "f g", "h&#9;i",
		"j", "k\xc3\xa9", "l&quot;m", "n&gt;o"};
	struct pp_rows r;
	size_t i, k, n = 0;

	memset(wide, 'w', sizeof(wide) - 1);
	world_start(v, "xml");
	pp_rows_open(&r, &v->mem, &v->sink, &flat);
	n += (size_t)sprintf(want, HEAD "<flat>\n");
	for (k = 0; k < 2; k++)
		for (i = k; name[i] != NULL; i++) {
			pp_put_str(&r, pp_str_from(name[i]));
			pp_put_dec(&r, -1500 - (pp_i128)i, 6);
			pp_row_end(&r);
			n += (size_t)sprintf(want + n, "<row name=\"%s\" "
			    "t_s=\"-0.00150%zu\"/>\n", as[i], i);
		}
	for (i = 0; i < 2; i++) {
		pp_put_str(&r, (pp_str){wide, sizeof(wide) - 1 - i});
		pp_put_null(&r);
		pp_row_end(&r);
		n += (size_t)sprintf(want + n, "<row name=\"%s\"/>\n",
		    wide + i);
	}
	pp_put_nulls(&r, 2);
	pp_row_end(&r);
	sprintf(want + n, "<row/>\n</flat>\n</profpivot>\n");
	assert_int_equal(pp_rows_close(&r), PP_OK);
	world_finish(v);
	assert_string_equal(v->got, want);
	expect_valid(v, all, 1, false);
}

static void
test_no_table(void **state)
{
	static const struct pp_table *const all[] = {&table};
	struct writer_world *v = *state;

	world_start(v, "xml");
	world_finish(v);
	expect_valid(v, all, 1, false);
}

/* What XML 1.0 cannot hold, character by character. */
static void
test_text(void **state)
{
	static const char nul[] = "a\0b";
	static const struct pp_table *const all[] = {&texts};
	const pp_str text[] = {{nul, 3}, PP_STR("\x01\x0b\x1f"),
		PP_STR("tab\tcr\rlf\ndel\x7f nel\xc2\x85"),
		PP_STR("latin \xfc"), PP_STR("cut \xe2\x82"),
		PP_STR("\xef\xbf\xbe \xef\xbf\xbf \xed\xa0\x80"),
		PP_STR("\xf0\x9f\x90\xac"), PP_STR(" ")};
	static const char *const want[] = {"a\xef\xbf\xbd" "b",
		"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
		"tab\tcr\rlf\ndel\x7f nel\xc2\x85", "latin \xef\xbf\xbd",
		"cut \xef\xbf\xbd",
		"\xef\xbf\xbd \xef\xbf\xbd "
		"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
		"\xf0\x9f\x90\xac", " "};
	static const bool lossy[] = {true, true, false, true, true, true,
		false, false};
	struct writer_world *v = *state;
	xmlNodePtr row, child;
	xmlDocPtr doc;
	xmlChar *got;
	size_t i = 0;

	world_start(v, "xml");
	world_text_rows(v, &texts, text, sizeof(text) / sizeof(text[0]));
	world_finish(v);
	expect_valid(v, all, 1, false);
	doc = xmlReadMemory(v->got, (int)v->n, NULL, NULL, XML_PARSE_NONET);
	assert_non_null(doc);
	row = xmlFirstElementChild(xmlFirstElementChild(
	    xmlDocGetRootElement(doc)));
	for (; row != NULL; row = xmlNextElementSibling(row), i++) {
		child = xmlFirstElementChild(row);
		got = xmlNodeGetContent(child);
		assert_string_equal((const char *)got, want[i]);
		xmlFree(got);
		got = xmlGetProp(row, (const xmlChar *)"lossy");
		assert_int_equal(got != NULL, lossy[i]);
		xmlFree(got);
	}
	assert_int_equal(i, sizeof(want) / sizeof(want[0]));
	xmlFreeDoc(doc);
	assert_int_equal(v->diag.count, 1);
	assert_int_equal(v->diag.problems[0].id, PP_MSG_SANITISED);
	assert_int_equal(v->diag.problems[0].count, 1 + 3 + 1 + 1 + 5);
}

static void
test_cut(void **state)
{
	struct writer_world *v = *state;
	size_t n = 9000003;
	char *text = malloc(n);
	xmlDocPtr doc;
	pp_str s;

	assert_non_null(text);
	memset(text, 'x', n);
	/* a character across the limit stays whole */
	memcpy(text + 8999999, "\xc3\xbc", 2);
	s = (pp_str){text, n};
	world_start(v, "xml");
	world_text_rows(v, &texts, &s, 1);
	world_finish(v);
	free(text);
	assert_non_null(strstr(v->got, "xx\xe2\x80\xa6</sql_text>"));
	doc = xmlReadMemory(v->got, (int)v->n, NULL, NULL, XML_PARSE_NONET);
	assert_non_null(doc);
	xmlFreeDoc(doc);
	assert_int_equal(v->diag.count, 1);
	assert_int_equal(v->diag.problems[0].id, PP_MSG_CELL_CUT);
}

static void
put_node(struct pp_rows *r, int node, int parent)
{
	pp_put_int(r, node);
	if (parent == 0)
		pp_put_null(r);
	else
		pp_put_int(r, parent);
	pp_row_end(r);
}

static void
test_nested(void **state)
{
	static const struct pp_table *const all[] = {&tree};
	struct writer_world *v = *state;
	struct pp_rows r;
	size_t depth = 0, most = 0;
	const char *p;
	int i;

	v->w.opt.nested = true;
	world_start(v, "xml");
	pp_rows_open(&r, &v->mem, &v->sink, &tree);
	put_node(&r, 1, 0);
	put_node(&r, 2, 1);
	put_node(&r, 3, 2);
	put_node(&r, 4, 1);
	put_node(&r, 5, 99);	/* no such parent is open */
	put_node(&r, 1, 0);	/* the next session */
	assert_int_equal(pp_rows_close(&r), PP_OK);
	world_finish(v);
	assert_string_equal(v->got, HEAD "<tree>\n"
	    "<row node=\"1\">\n<row node=\"2\" parent=\"1\">\n"
	    "<row node=\"3\" parent=\"2\"/>\n</row>\n"
	    "<row node=\"4\" parent=\"1\"/>\n</row>\n"
	    "<row node=\"5\" parent=\"99\"/>\n<row node=\"1\"/>\n"
	    "</tree>\n</profpivot>\n");
	expect_valid(v, all, 1, true);
	/* deeper than parsers go */
	world_start(v, "xml");
	pp_rows_open(&r, &v->mem, &v->sink, &tree);
	for (i = 1; i < 1000; i++)
		put_node(&r, i, i - 1);
	assert_int_equal(pp_rows_close(&r), PP_OK);
	world_finish(v);
	for (p = v->got; *p != '\0'; p++) {
		if (strncmp(p, "</", 2) == 0 || strncmp(p, "/>", 2) == 0)
			depth--;
		else if (*p == '<' && p[1] != '?')
			depth++;
		most = depth > most ? depth : most;
	}
	assert_int_equal(depth, 0);
	assert_true(most <= 255);
	expect_valid(v, all, 1, true);
}

static bool
declares(pp_str name, pp_str column)
{
	(void)name;
	return !pp_str_eq(column, PP_STR("env"));
}

/* Columns and tables that the user has made. */
static void
test_added(void **state)
{
	static const struct pp_column more[] = {
		{"name", PP_T_TEXT, "a name"},
		{"env", PP_T_TEXT, "added"},
		{"t_s", PP_T_SECONDS, "a time"},
	};
	static const struct pp_table declared = {"t", "a row", "as given",
		columns, 6, PP_TABLE_MORE};
	static const struct pp_table longer = {"t", "a row", "as given",
		more, 3, PP_TABLE_MORE};
	static const struct pp_table pivot = {"my pivot", "a row",
		"as given", more, 3, PP_TABLE_PIVOT};
	static const struct pp_table *const all[] = {&declared, &texts};
	static const struct pp_table *const put[] = {&longer, &pivot};
	struct writer_world *v = *state;
	struct pp_rows r;
	pp_str none = {"", 0};
	size_t i;

	v->w.declares = declares;
	world_start(v, "xml");
	for (i = 0; i < 2; i++) {
		pp_rows_open(&r, &v->mem, &v->sink, put[i]);
		pp_put_str(&r, PP_STR("x"));
		pp_put_str(&r, PP_STR("<prod>"));
		pp_put_dec(&r, 5, 1);
		pp_row_end(&r);
		assert_int_equal(pp_rows_close(&r), PP_OK);
	}
	world_text_rows(v, &texts, &none, 0);
	world_finish(v);
	assert_string_equal(v->got, HEAD
	    "<t columns=\"name:text env:text t_s:seconds\">\n"
	    "<row name=\"x\" t_s=\"0.5\">\n"
	    "<field name=\"env\">&lt;prod&gt;</field>\n</row>\n</t>\n"
	    "<pivots>\n<pivot name=\"my pivot\" "
	    "columns=\"name:text env:text t_s:seconds\">\n"
	    "<row name=\"x\" cell=\"0.5\">\n"
	    "<field name=\"env\">&lt;prod&gt;</field>\n</row>\n"
	    "</pivot>\n</pivots>\n<texts/>\n</profpivot>\n");
	expect_valid(v, all, 2, false);
}

#define T(name) cmocka_unit_test_setup_teardown(name, world_setup, \
	world_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_document),
		T(test_turns),
		T(test_no_table),
		T(test_text),
		T(test_cut),
		T(test_nested),
		T(test_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
