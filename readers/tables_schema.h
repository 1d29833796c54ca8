/*
 * tables_schema.h: schema.json beside the tables of a folder.
 */
#ifndef PP_TABLES_SCHEMA_H
#define PP_TABLES_SCHEMA_H

#include "tables.h"

#define PP_TABLES_SCHEMA "schema.json"

/* A table, as it was written. */
struct pp_tables_resource {
	pp_str name, path, help;
	pp_str hash;		/* "sha256:..."; empty */
	pp_str encoding;
	bool has_rows, wide, pivot;
	uint64_t rows;
	char separator, point;
	struct pp_tables_column *columns;
	size_t ncolumns, columns_cap;
};

struct pp_tables_set {
	struct pp_tables_resource *v;
	size_t n, cap;
};

/*
 * Read the text of schema.json; what it says lives in `a` and in `mem`.
 * False: it is not what profpivot writes.
 */
bool pp_tables_schema(struct pp_mem *mem, struct pp_arena *a, pp_str text,
    struct pp_tables_set *out);

#endif
