/*
 * xml.h: the schema of the XML writer's documents.
 */
#ifndef PP_XML_H
#define PP_XML_H

#include <stdio.h>

#include "../model/table.h"

/* XSD 1.0 for documents made of these tables; wide ones are left out. */
void pp_xml_schema(FILE *to, const struct pp_table *const *tables, size_t n,
    bool nested);

#endif
