/*
 * digests.h: what the parts of the reader of digest rows share.  Private to
 * digests*.c.
 */
#ifndef PP_READER_DIGESTS_H
#define PP_READER_DIGESTS_H

#include "../model/digests.h"
#include "../model/model.h"
#include "client/rowset.h"

/* What a column holds. */
enum dg_field {
	DG_NOTHING,
	DG_SCHEMA,
	DG_SCHEMA_WEAK,		/* a number in its place */
	DG_NATIVE,
	DG_TEXT,		/* normalised text */
	DG_SQL,			/* statement as it was sent */
	DG_SAMPLE,
	DG_EVENT,		/* statement/sql/select */
	DG_TOTAL,
	DG_LOCK,
	DG_CPU,
	DG_MIN,
	DG_MAX,
	DG_AVG,
	DG_AVG_CPU,
	DG_FIRST,
	DG_LAST,
	DG_FROM,		/* begin and end of the period that the row */
	DG_UNTIL,		/* sums up */
	DG_LOW,			/* bounds and count of a bucket */
	DG_HIGH,
	DG_BUCKET,
	DG_QUANTILE,		/* + enum pp_digest_quantile */
	DG_COUNT = DG_QUANTILE + PP_DG_QUANTILES /* + pp_digest_counter */
};
#define DG_Q(k) ((uint8_t)(DG_QUANTILE + PP_DG_##k))
#define DG_C(k) ((uint8_t)(DG_COUNT + PP_DG_##k))

struct dg_column {
	const char *name;
	uint8_t field;
	int8_t exponent;	/* of times: value x 10^exponent ps */
	uint8_t group;		/* of each group from 1 on the set must have
				 * one */
};

/* An export, known by its columns. */
struct dg_spec {
	const char *name;
	const char *product;	/* NULL: not told by it */
	const struct dg_column *columns;
	size_t n;
	uint8_t digits;		/* of its unit of time */
	uint8_t family;		/* enum pp_digest_family */
	unsigned flags;
};
#define DG_CATCH_ALL	0x01u	/* NULL for digest and text: the rest */
#define DG_LIST		0x02u	/* a statement a row */
#define DG_SHORT	0x04u	/* long texts have " ... " in the middle */
#define DG_HISTOGRAM	0x08u	/* a bucket a row */
#define DG_ROUNDED	0x10u	/* totals are average x count */

/* The export that the set is; NULL.  *bits: what proves it. */
const struct dg_spec *dg_spec_of(const struct pp_rowset *rs, int *bits);

/* What column i of the set is; NULL: nothing that is read. */
const struct dg_column *dg_column_of(const struct dg_spec *s,
    const struct pp_rowset *rs, size_t i);

/* An export, and its column, by name; NULL: there is none. */
const struct dg_spec *dg_spec_named(const char *name);
const struct dg_column *dg_column_named(const struct dg_spec *s, pp_str name);

/* digests_place.c: the same of a set without names, by its sample. */
const struct dg_spec *dg_spec_by_place(const struct pp_rowset *rs);
const struct dg_column *dg_column_by_place(const struct pp_rowset *rs,
    size_t i);

/*
 * EXECUTE name is an execution of what PREPARE name has named, when the list
 * has that: the statement, not the command, has used the time.  Other
 * statements come back as they are; prepared: hash of a name -> statement.
 */
pp_str dg_prepared(struct pp_digests *d, struct pp_map *prepared,
    pp_str sql);

struct dg_state {
	struct pp_model *m;
	struct pp_digests *d;
	uint32_t source;
	/* the open set */
	const struct dg_spec *spec;
	const struct dg_column **columns;
	size_t columns_cap;
	uint32_t set;		/* its number over the run, from 1 */
	bool has_native, has_text, has_time;
	/* of the source */
	uint64_t calls, other_calls, untimed;
	bool told_set, told_rough;
	struct pp_map prepared;	/* hash of a name -> statement in strings */
};

/* The row at hand. */
struct dg_work {
	struct dg_state *s;
	const struct pp_rowset *rs;
	const struct pp_rs_row *r;
	struct pp_digest x;
	pp_str schema, native, text, sql, sample;
	pp_i128 avg, avg_cpu;
	bool has_avg, has_avg_cpu, cut, bad, any, named;
	bool null_native, null_text;
	struct pp_digest_bucket bucket;
	struct pp_digest_at from, until;
	size_t nflags;
	char flags[256];	/* last: its bytes need no zeros */
};

/* digests_cells.c: cell i, which is what c says. */
void dg_take_cell(struct dg_work *w, size_t i, const struct dg_column *c);

/* A value that cannot be is left out, and told. */
void dg_suspect(struct dg_work *w, pp_str name, pp_str value);

/* digests_row.c: the complete row, to the store. */
enum pp_status dg_add_row(struct dg_work *w);
enum pp_status dg_add_bucket(struct dg_work *w);

/* ---- values (digests_value.c) ---- */

enum dg_parsed {
	DG_OK,
	DG_NULL,
	DG_ROUGH,		/* a rounded figure with a unit */
	DG_NEGATIVE,		/* *out is negative: it ran under zero */
	DG_BAD
};

/* Without blanks at both ends, nor those of web pages, U+00A0. */
pp_str dg_trim(pp_str s);

/* NULL in any spelling of it. */
bool dg_null(const struct pp_rs_cell *c);

/* A decimal number x 10^exponent, half up; also 1.5e-3. */
enum dg_parsed dg_number(pp_str s, int exponent, pp_i128 *out);

/* A time in ps: a number x 10^exponent, or with a unit. */
enum dg_parsed dg_time(pp_str s, int exponent, pp_i128 *out);

/* A point in time: 2024-03-01 08:00:00[.123456][+01:00], ISO 8601, seconds
 * since 1970.  DG_NULL for zero dates. */
enum dg_parsed dg_at(pp_str s, struct pp_digest_at *out);

#endif
