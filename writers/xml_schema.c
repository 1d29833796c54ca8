/*
 * xml_schema.c: the schema of the XML writer's documents, made from the
 * declarations of the tables.
 *
 * Sees base and table.h.  XSD 1.0, without xs:any, mixed content or
 * substitution, which mappers of spreadsheets do not take.  Recursive
 * elements they take but one level deep: only the nested form has one.
 *
 * A time is what the input printed, or the server: with or without an offset,
 * and the zero dates of MySQL are no xs:dateTime.
 */
#include "xml.h"
#include "xml_impl.h"

static const char head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"\n"
    "    xmlns=\"" PP_XML_NAMESPACE "\" targetNamespace=\""
    PP_XML_NAMESPACE "\"\n"
    "    elementFormDefault=\"qualified\" version=\"%d\">\n"
    "<xs:annotation><xs:documentation>Tables of profpivot, XML form, "
    "schema version %d%s.</xs:documentation></xs:annotation>\n"
    "<xs:simpleType name=\"time\">\n"
    " <xs:union memberTypes=\"xs:dateTime otherTime\"/>\n"
    "</xs:simpleType>\n"
    "<xs:simpleType name=\"otherTime\">\n"
    " <xs:restriction base=\"xs:string\">\n"
    "  <xs:pattern value=\"[0-9]{4}-[0-9]{2}-[0-9]{2}.*\"/>\n"
    " </xs:restriction>\n"
    "</xs:simpleType>\n"
    "<xs:complexType name=\"field\">\n"
    "  <xs:annotation><xs:documentation>The value of a column that the "
    "user has added</xs:documentation></xs:annotation>\n"
    "  <xs:simpleContent>\n"
    "   <xs:extension base=\"xs:string\">\n"
    "    <xs:attribute name=\"name\" type=\"xs:string\" "
    "use=\"required\"/>\n"
    "   </xs:extension>\n"
    "  </xs:simpleContent>\n"
    "</xs:complexType>\n";

static const char *
type_of(enum pp_type t)
{
	switch (t) {
	case PP_T_TEXT:
	case PP_T_ID:
		return "xs:string";
	case PP_T_INT:
		return "xs:integer";
	case PP_T_SECONDS:
	case PP_T_DECIMAL:
		return "xs:decimal";
	case PP_T_TIME:
		return "time";
	}
	return "xs:string";
}

static void
put_escaped(FILE *to, const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '<')
			fputs("&lt;", to);
		else if (*s == '&')
			fputs("&amp;", to);
		else
			putc(*s, to);
	}
}

static void
put_help(FILE *to, const char *indent, const char *help)
{
	fprintf(to, "%s<xs:annotation><xs:documentation>", indent);
	put_escaped(to, help);
	fputs("</xs:documentation></xs:annotation>\n", to);
}

static void
put_attribute(FILE *to, const char *name, const char *type, const char *help)
{
	fprintf(to, "  <xs:attribute name=\"%s\" type=\"%s\"", name, type);
	if (help == NULL) {
		fputs("/>\n", to);
		return;
	}
	fputs(">\n", to);
	put_help(to, "   ", help);
	fputs("  </xs:attribute>\n", to);
}

static void
put_field(FILE *to)
{
	fputs("   <xs:element name=\"field\" type=\"field\" "
	    "minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n", to);
}

/* The type of a table's rows, called NAME.row. */
static void
put_row_type(FILE *to, const struct pp_table *t, bool nested)
{
	bool inside = nested && pp_xml_column(t, "node") >= 0 &&
	    pp_xml_column(t, "parent") >= 0;
	bool more = (t->flags & PP_TABLE_MORE) != 0, any = inside || more;
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		any = any || pp_column_is_long(&t->columns[i]);
	fprintf(to, "<xs:complexType name=\"%s.row\">\n", t->name);
	if (any)
		fputs("  <xs:sequence>\n", to);
	if (more)
		put_field(to);
	for (i = 0; i < t->ncolumns; i++) {
		if (!pp_column_is_long(&t->columns[i]))
			continue;
		fprintf(to, "   <xs:element name=\"%s\" type=\"xs:string\" "
		    "minOccurs=\"0\">\n", t->columns[i].name);
		put_help(to, "    ", t->columns[i].help);
		fputs("   </xs:element>\n", to);
	}
	if (inside)
		fprintf(to, "   <xs:element name=\"row\" type=\"%s.row\" "
		    "minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n", t->name);
	if (any)
		fputs("  </xs:sequence>\n", to);
	for (i = 0; i < t->ncolumns; i++)
		if (!pp_column_is_long(&t->columns[i]))
			put_attribute(to, t->columns[i].name,
			    type_of(t->columns[i].type), t->columns[i].help);
	put_attribute(to, "lossy", "xs:boolean", NULL);
	fputs("</xs:complexType>\n", to);
}

/* The list of a table's rows, called NAME.list. */
static void
put_list_type(FILE *to, const char *name, const char *more)
{
	fprintf(to, "<xs:complexType name=\"%s.list\">\n"
	    "  <xs:sequence>\n"
	    "   <xs:element name=\"row\" type=\"%s.row\" minOccurs=\"0\" "
	    "maxOccurs=\"unbounded\"/>\n"
	    "  </xs:sequence>\n%s</xs:complexType>\n", name, name, more);
}

/* Is this the first column of the name? */
static bool
is_first(const struct pp_table *const *tables, size_t at, size_t column)
{
	const char *name = tables[at]->columns[column].name;
	size_t i;
	int c;

	for (i = 0; i < at; i++)
		if ((tables[i]->flags & PP_TABLE_WIDE) == 0 &&
		    pp_xml_column(tables[i], name) >= 0)
			return false;
	c = pp_xml_column(tables[at], name);
	return c >= 0 && (size_t)c == column;
}

/* A pivot has any columns of its table, and a value. */
static void
put_pivot_types(FILE *to, const struct pp_table *const *tables, size_t n)
{
	size_t i, k;

	fputs("<xs:complexType name=\"pivot.row\">\n  <xs:sequence>\n", to);
	put_field(to);
	fputs("  </xs:sequence>\n", to);
	for (i = 0; i < n; i++)
		for (k = 0; k < tables[i]->ncolumns; k++)
			if ((tables[i]->flags & PP_TABLE_WIDE) == 0 &&
			    is_first(tables, i, k))
				put_attribute(to, tables[i]->columns[k].name,
				    "xs:string", NULL);
	put_attribute(to, PP_XML_CELL, "xs:decimal", "the value");
	put_attribute(to, "lossy", "xs:boolean", NULL);
	fputs("</xs:complexType>\n", to);
	put_list_type(to, "pivot",
	    "  <xs:attribute name=\"name\" type=\"xs:string\" "
	    "use=\"required\"/>\n"
	    "  <xs:attribute name=\"columns\" type=\"xs:string\" "
	    "use=\"required\"/>\n");
	fputs("<xs:complexType name=\"pivots\">\n"
	    "  <xs:sequence>\n"
	    "   <xs:element name=\"pivot\" type=\"pivot.list\" "
	    "minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n"
	    "  </xs:sequence>\n</xs:complexType>\n", to);
}

static void
put_root(FILE *to, const struct pp_table *const *tables, size_t n)
{
	size_t i;

	fputs("<xs:element name=\"profpivot\">\n <xs:complexType>\n"
	    "  <xs:all>\n", to);
	for (i = 0; i < n; i++) {
		if (tables[i]->flags & PP_TABLE_WIDE)
			continue;
		fprintf(to, "   <xs:element name=\"%s\" type=\"%s.list\" "
		    "minOccurs=\"0\">\n", tables[i]->name, tables[i]->name);
		put_help(to, "    ", tables[i]->help);
		fputs("   </xs:element>\n", to);
	}
	fputs("   <xs:element name=\"pivots\" type=\"pivots\" "
	    "minOccurs=\"0\"/>\n  </xs:all>\n"
	    "  <xs:attribute name=\"version\" type=\"xs:integer\" "
	    "use=\"required\"/>\n"
	    "  <xs:attribute name=\"generator\" type=\"xs:string\"/>\n"
	    " </xs:complexType>\n</xs:element>\n", to);
}

void
pp_xml_schema(FILE *to, const struct pp_table *const *tables, size_t n,
    bool nested)
{
	size_t i;

	fprintf(to, head, PP_SCHEMA_VERSION, PP_SCHEMA_VERSION,
	    nested ? ", with nested rows (--xml nested)" : "");
	for (i = 0; i < n; i++) {
		if (tables[i]->flags & PP_TABLE_WIDE)
			continue;
		put_row_type(to, tables[i], nested);
		put_list_type(to, tables[i]->name,
		    (tables[i]->flags & PP_TABLE_MORE) == 0 ? "" :
		    "  <xs:attribute name=\"columns\" "
		    "type=\"xs:string\"/>\n");
	}
	put_pivot_types(to, tables, n);
	put_root(to, tables, n);
	fputs("</xs:schema>\n", to);
}
