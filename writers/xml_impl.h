/*
 * xml_impl.h: what the XML writer and its schema share.  For no one else.
 *
 *	<profpivot xmlns="urn:profpivot:1" version="1" generator="...">
 *	<profile>
 *	<row source="a.trc" session="1" event="CPU EXEC" time_s="0.001"/>
 *	</profile>
 *	<pivots>
 *	<pivot name="p" columns="event:text sum_time_s:seconds">
 *	<row event="CPU EXEC" cell="0.001"/>
 *	</pivot>
 *	</pivots>
 *	</profpivot>
 *
 * A list a table, flat.  Scalars are attributes; long text
 * (pp_column_is_long) is an element in the row.  What is unknown is left
 * out.  A column that the schema does not declare, as --by and --tag add
 * them, is an element <field name="...">, and the list then says all columns
 * in order, as that of a pivot does.  lossy="1" marks a row in which characters that XML 1.0 cannot hold
 * were replaced.  The rows of a pivot have its last column, the value, as
 * `cell`, so that one declaration holds for all.
 *
 * --xml nested: in a table with the columns `node` and `parent` the rows of
 * children stand inside the row of their parent.
 */
#ifndef PP_XML_IMPL_H
#define PP_XML_IMPL_H

#include "writer.h"

#define PP_XML_NAMESPACE "urn:profpivot:1"
#define PP_XML_CELL "cell"

/* Parsers give up at texts of 10,000,000 bytes unless told otherwise. */
#define PP_XML_TEXT_MAX 9000000

/* Elements inside each other; parsers give up at 256. */
#define PP_XML_DEPTH 200

/* How a column is written. */
enum pp_xml_kind { PP_XML_ATTRIBUTE, PP_XML_FIELD, PP_XML_ELEMENT };

/* The column called `name`, or -1. */
int pp_xml_column(const struct pp_table *t, const char *name);

#endif
