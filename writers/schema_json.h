/*
 * schema_json.h: what stands beside the tables of a folder: a Frictionless
 * Tabular Data Package.  Sees base, table.h and the sink.
 */
#ifndef PP_SCHEMA_JSON_H
#define PP_SCHEMA_JSON_H

#include "sanitise.h"
#include "writer.h"

#define PP_SCHEMA_FILE "schema.json"

/* A table that was written. */
struct pp_schema_table {
	struct pp_schema_table *next;
	const struct pp_table *table;
	const char *file;
	uint64_t rows;
	struct pp_stream_sum sum;
};

struct pp_schema_dialect {
	const char *format;	/* "csv", "tsv" */
	const char *name;	/* "rfc4180", "excel", ... */
	char separator, point;
	bool excel;		/* byte order mark, CRLF */
};

void pp_schema_json(struct pp_wctx *w, const struct pp_schema_table *first,
    const struct pp_schema_dialect *d);

#endif
