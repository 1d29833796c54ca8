/*
 * xlsx.h: private to the workbook writer (xlsx*.c).
 *
 * A sheet's rows are XML of our own, deflated into an unlinked temporary
 * beside the output while they arrive, so memory does not grow with rows.
 * When all tables are there, libxlsxwriter writes a frame: the same sheets as
 * stubs with styles, widths, filters, print set-up and charts.  One libzip
 * pass then joins both: the stub's XML around our rows (xlsx_zip.c).
 */
#ifndef PP_XLSX_H
#define PP_XLSX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xlsxwriter.h>

#define ZLIB_CONST
#include <zlib.h>

#include "../model/base/map.h"
#include "../model/base/mem.h"
#include "../model/base/str.h"
#include "../model/base/strtab.h"
#include "../model/table.h"
#include "sanitise.h"
#include "writer.h"

/* Excel's limits. */
#define PP_XLSX_ROWS 1048576u
#define PP_XLSX_COLUMNS 16384u
#define PP_XLSX_NAME 31		/* characters of a sheet's name */

/* A sheet's XML beyond which a new sheet begins: ZIP64 is never written. */
#define PP_XLSX_XML UINT64_C(3000000000)

/* Bounds of the shared strings; further new ones are written inline. */
#define PP_XLSX_STRINGS 400000u
#define PP_XLSX_STRING_BYTES ((size_t)16 << 20)

#define PP_XLSX_SERIES 25	/* of a chart: 24 and `other` */
#define PP_XLSX_CHARTS 8	/* on the Timeline sheet */
#define PP_XLSX_POINTS 2000u	/* rows of a block that a chart caches */
#define PP_XLSX_INDENTS 15
#define PP_XLSX_CHART_WIDTH 1150.0 /* pixels */
#define PP_XLSX_CHART_WIDEST 1500.0
#define PP_XLSX_TABLE "Cube"	/* the Excel table on the sheet Data */
#define PP_XLSX_PIVOT2 "Pivot statements"
#define PP_XLSX_WIDE 15u		/* width of a column of a wide table */
#define PP_XLSX_COLUMNS_SHEET "Columns"
#define PP_XLSX_DELTAS "Delta timeline"
#define PP_XLSX_LINES 12u		/* of the chart of a trend */

/*
 * Cell styles.  The number is the index in the styles part: the frame's first
 * stub uses them in this order (xlsx_frame.c checks that it came out so).
 */
enum pp_xlsx_style {
	PP_XS_GENERAL,
	PP_XS_HEADER,
	PP_XS_HEADER_NUM,	/* over numbers */
	PP_XS_HEADER_TEXT,	/* over SQL, messages */
	PP_XS_WRAP,		/* header of a wide table */
	PP_XS_WRAP_NUM,
	PP_XS_WRAP_TEXT,
	PP_XS_ID,		/* text, format @ */
	PP_XS_TEXT,		/* SQL, messages */
	PP_XS_LONG,		/* the same in several lines */
	PP_XS_PLAIN,		/* number that names something: 0 */
	PP_XS_INT,		/* #,##0 */
	PP_XS_SHARE,		/* 0.00 */
	PP_XS_DEC2,		/* #,##0.00 ... */
	PP_XS_DEC3,
	PP_XS_DEC4,
	PP_XS_DEC6,
	PP_XS_DEC8,
	PP_XS_DEC9,
	PP_XS_DEC12,
	PP_XS_LABEL,		/* grey text beside a chart */
	PP_XS_TITLE,
	PP_XS_BOLD,
	PP_XS_LINK,
	PP_XS_TOTAL,		/* sum in a pivot table */
	PP_XS_HEADER_RIGHT,	/* over numbers, where no filter is */
	PP_XS_KEY_INT,		/* a key figure beside its name */
	PP_XS_KEY_DEC,
	PP_XS_INDENT,		/* 1 .. PP_XLSX_INDENTS */
	/* in rows of several lines: GENERAL, then ID .. DEC12 */
	PP_XS_TALL = PP_XS_INDENT + PP_XLSX_INDENTS,
	PP_XS_COUNT = PP_XS_TALL + 2 + PP_XS_DEC12 - PP_XS_ID
};

/* A ZIP member that grows: raw deflate into an unlinked file. */
struct pp_xlsx_part {
	int fd;			/* -1: closed */
	bool live;		/* z is initialised */
	z_stream z;
	unsigned char *out;
	uint64_t raw, comp;	/* bytes before and after */
	uint32_t crc;
	int error;		/* errno of the first failure; 0: none */
};

/* What is special about a table's sheet. */
enum pp_xlsx_kind {
	PP_XK_PLAIN,
	PP_XK_TIMELINE,		/* the wide timeline and its charts */
	PP_XK_DATA,		/* the cube: an Excel table */
	PP_XK_TREE,		/* outline */
	PP_XK_BARS,		/* data bars on share_pct */
	PP_XK_HISTOGRAM,	/* charts beside it */
	PP_XK_SUMMARY,
	PP_XK_PIVOT,
	PP_XK_COMPARE,		/* before and after: colours, a chart */
	PP_XK_DELTAS,		/* time between snapshots, and its chart */
	PP_XK_COLUMNS		/* what the columns of all sheets hold */
};

/* What the Summary sheet reads off a table. */
enum pp_xlsx_role {
	PP_XR_NONE,
	PP_XR_SOURCES,
	PP_XR_SESSIONS,
	PP_XR_PROFILE,
	PP_XR_DIGESTS,
	PP_XR_PROBLEMS
};

struct pp_xlsx_column {
	char letters[4];
	unsigned nletters;
	enum pp_type type;
	bool plain;		/* numbers without marks */
	bool as_text;		/* numbers as text */
	enum pp_xlsx_style text; /* style of text */
	uint32_t first_id;	/* the first text, as last_id */
	bool seen, varied;	/* there is text, of more than one kind */
	bool used;		/* a row has something in it */
	bool long_text;
	unsigned chars;		/* the widest cell seen */
	pp_str last;		/* the last text, valid in this batch */
	uint32_t last_id;	/* its shared string, UINT32_MAX: inline */
	pp_str head;		/* the header, with a NUL behind it */
	pp_str help;		/* what it holds; of declared columns */
	const char *unit;
};

/* Rows of one session on the Timeline sheet: the ground of a chart. */
struct pp_xlsx_block {
	pp_str source, session;
	uint32_t row, rows;	/* first row (from 0) and their number */
	double weight;		/* seconds that are not idle */
	double *sum;		/* by column: sum of absolute values */
	double *value;		/* [row][column]; NULL: too many rows */
	size_t value_cap;
	char (*label)[32];
	size_t label_cap;
	bool wall;		/* labels are times of day */
};

struct pp_xlsx_sheet {
	struct pp_xlsx_sheet *next;
	const struct pp_table *table; /* only while it is open */
	uint64_t table_rows;	/* of all its sheets so far */
	bool wide;
	char name[PP_XLSX_NAME + 1];
	enum pp_xlsx_kind kind;
	int rank;		/* place in the workbook */
	unsigned number;	/* 1, 2, ...: Name, Name_2, ... */
	struct pp_xlsx_part part;
	char *buf;		/* XML not yet deflated */
	size_t used, cap;
	uint32_t rows;		/* with the header */
	unsigned headlines;	/* lines of the header */
	unsigned levels;	/* of outline */
	bool declared;		/* its columns are those of a table */
	bool long_text;		/* a column may hold text of several lines */
	bool labels;		/* of a chart, beside the table */
	struct pp_xlsx_changes *changes;
	bool tall;		/* the row being written has several lines */
	struct pp_xlsx_column *column; /* two more than ncolumns */
	size_t ncolumns;
	char row_text[16];	/* of the row being written */
	size_t row_len;
	uint8_t style_len[PP_XS_COUNT];
	int depth_at, indent_at; /* columns of a tree; -1: none */
	int event_at, class_at;	/* columns that tell an event's class */
	enum pp_xlsx_role role;
	int role_at[8];		/* columns by the fields of the role */
	pp_str help;		/* what a row is */
	bool open;
	int idx;		/* n of sheetn.xml, once the frame is made */
};

/* What decides an event's colour. */
enum pp_xlsx_class {
	PP_XC_WAIT,		/* and stages, statements */
	PP_XC_CPU,
	PP_XC_QUEUE,
	PP_XC_IDLE,
	PP_XC_OTHER,
	PP_XC_UNACCOUNTED,
	PP_XC_MISSING
};

struct pp_xlsx_events {
	struct pp_strtab names;
	struct {
		enum pp_xlsx_class class;
		bool coloured;
		uint32_t colour;
	} *v;			/* by id */
	size_t count, cap;
	uint32_t used;		/* bits: colours given away */
};

struct pp_xlsx_timeline {
	struct pp_xlsx_sheet *sheet; /* NULL: none */
	bool complete;		/* all columns that a chart needs are there */
	int at[6];		/* source, session, interval, start_s, end_s,
				 * start_at; -1: none */
	size_t first_event, ncolumns;
	char label[32];		/* of the row seen last */
	bool wall;		/* it is a time of day */
	struct pp_xlsx_block block; /* being read */
	bool open;
	struct pp_xlsx_block top[PP_XLSX_CHARTS];
	unsigned ntop;
	uint64_t nblocks;
};

/* Fields of the cube that pivot tables use. */
enum pp_xlsx_field {
	PP_XF_SOURCE,
	PP_XF_SESSION,
	PP_XF_INTERVAL,
	PP_XF_EVENT,
	PP_XF_STATEMENT,
	PP_XF_TIME,		/* the value; those before it are axes */
	PP_XF_COUNT
};

struct pp_xlsx_item {
	pp_str text, raw;	/* the first spelling, sanitised and not */
	pp_i128 number;
	pp_i128 sum;		/* of the value, at 10^-12 */
	bool used;
};

struct pp_xlsx_axis {
	struct pp_strtab keys;	/* folded: items differ by more than case */
	struct pp_xlsx_item *item; /* by id of the key */
	size_t count, cap, nused;
	struct pp_xlsx_item **order; /* as shown, nused of them */
	pp_str last;
	uint32_t last_id;
};

/* Sums by two fields; a cell without rows is no cell. */
struct pp_xlsx_sums {
	struct pp_map index;
	pp_i128 *sum;
	size_t count, cap;
	bool full;		/* too many: given up */
};

/* What a column holds. */
struct pp_xlsx_hint {
	bool text, blank, number, fraction;
	pp_i128 min, max;	/* at 10^-12 */
};

struct pp_xlsx_cube {
	struct pp_xlsx_sheet *sheet;
	bool ok;		/* pivot tables can be made */
	bool statements, sessions, sources; /* fields that can be shown */
	int at[PP_XF_COUNT];	/* columns */
	struct pp_xlsx_axis axis[PP_XF_TIME];
	struct pp_xlsx_sums by_interval, by_statement; /* and event */
	struct pp_xlsx_hint *column;
	size_t ncolumns;
	pp_i128 total;
};

/* A pivot table on its sheet. */
struct pp_xlsx_pivot {
	struct pp_xlsx_sheet *sheet; /* NULL: there is none */
	const char *name;
	enum pp_xlsx_field rows;
	const struct pp_xlsx_sums *sums;
	enum pp_xlsx_field page[3];
	unsigned npages;
	bool chart;		/* a pivot chart hangs on it */
	uint32_t top;		/* row of the first page field, from 0 */
	uint32_t head;		/* first row of the table */
};

#define PP_XLSX_HISTOGRAMS 4u	/* events with charts */

/* Rows of one event on the Histogram sheet. */
struct pp_xlsx_buckets {
	pp_str source, event;
	pp_i128 session;
	uint32_t row, rows;	/* first row (from 0) and their number */
	pp_i128 time;		/* at 10^-12 */
	double *v;		/* bound, count and time of each */
	size_t cap;
};

struct pp_xlsx_histogram {
	struct pp_xlsx_sheet *sheet; /* NULL: no charts */
	int at[7];		/* its columns */
	struct pp_xlsx_buckets now;
	bool open;
	struct pp_xlsx_buckets top[PP_XLSX_HISTOGRAMS]; /* by falling time */
	unsigned ntop;
};

#define PP_XLSX_TOP 12u		/* events on the Summary sheet */

struct pp_xlsx_top {
	pp_str label, class;
	pp_i128 time, count;	/* at 10^-12 */
	bool counted;
};

struct pp_xlsx_summary {
	struct pp_xlsx_sheet *sheet; /* NULL: there is none */
	uint64_t sources, sessions;
	pp_str source[7];	/* source, product, version, host, instance,
				 * first begin, last end */
	bool differ[7];		/* not the same in all sources */
	pp_i128 session[5];	/* span, calls, waits, commits, rollbacks */
	bool session_known[5];
	pp_i128 problems[3];	/* errors, warnings, notices */
	bool problems_told;	/* there is a table of them */
	struct pp_strtab names;	/* events */
	struct pp_xlsx_top *event; /* by id of the name */
	size_t events, event_cap;
	pp_i128 total;		/* of events */
	uint64_t digests;	/* rows, their time and calls */
	pp_i128 digest_total, digest_calls;
	struct pp_xlsx_top top[PP_XLSX_TOP];
	unsigned ntop;
	uint32_t top_row, link_row; /* from 0 */
};

/* A row of a table of what was before and after; v: before, after, the
 * difference, the ratio, at 10^-12. */
struct pp_xlsx_change {
	pp_str label, state;
	pp_i128 v[4];
	bool known[4];
};

struct pp_xlsx_changes {
	struct pp_xlsx_changes *next;
	struct pp_xlsx_sheet *sheet;
	int at[5];		/* columns of v and state; -1: none */
	unsigned n;
	struct pp_xlsx_change row[PP_XLSX_TOP];
	uint32_t summary_row, summary_rows; /* from 0 */
};

/* A digest over all intervals between snapshots, and an interval. */
struct pp_xlsx_gain {
	pp_str label;
	pp_i128 time, calls;	/* at 10^-12 */
	unsigned series;
};

struct pp_xlsx_interval {
	pp_str source, from, to, label;
};

struct pp_xlsx_deltas {
	struct pp_xlsx_sheet *texts_of, *rows_of; /* NULL: none */
	struct pp_xlsx_sheet *sheet; /* their own; NULL: there is none */
	int digest_at, text_at, at[6];
	struct pp_strtab digests;
	struct pp_xlsx_gain *v;	/* by id of the digest; "" has none */
	size_t n, cap;
	struct pp_xlsx_interval *interval;
	size_t intervals, interval_cap;
	struct pp_map cells;	/* interval from 1, digest */
	pp_i128 *sum;
	uint32_t ncells;
	size_t sum_cap;
	bool full;		/* too many: given up */
	pp_i128 total;
	struct pp_xlsx_gain *best[PP_XLSX_SERIES];
	unsigned series;
	bool others;
};

struct pp_xlsx_point {
	double v;
	bool known;
};

struct pp_xlsx_trend {
	struct pp_xlsx_sheet *sheet; /* NULL: none */
	enum pp_type type;
	size_t first, n;	/* columns of the data */
	unsigned rows;		/* that are lines */
	pp_str label[PP_XLSX_LINES];
	struct pp_xlsx_point *value; /* [row][column] */
};

struct pp_xlsx {
	struct pp_wctx *w;
	struct pp_mem *mem;
	struct pp_arena keep;	/* for the life of the writer */
	struct pp_arena scratch; /* for a batch */
	struct pp_sanitiser sane; /* of cells: what it changes is told */
	struct pp_sanitiser again; /* of what is also a cell */
	const char *target;	/* the file to write; NULL: standard output */
	bool regular;		/* it is a file that can be sought in */
	const char *dir;	/* for temporaries */
	struct pp_xlsx_sheet *first, **last;
	struct pp_strtab strings;
	size_t string_bytes;
	uint64_t string_refs;
	struct pp_xlsx_events events;
	struct pp_xlsx_timeline tl;
	struct pp_xlsx_cube cube;
	struct pp_xlsx_pivot pivot[2];
	struct pp_xlsx_summary summary;
	struct pp_xlsx_histogram histogram;
	struct pp_xlsx_changes *changes; /* in the order of the tables */
	struct pp_xlsx_deltas deltas;
	struct pp_xlsx_trend trend;
	lxw_format *more, *less; /* colours of differences */
	struct pp_xlsx_part shared; /* sharedStrings.xml */
	struct lxw_workbook *book;
	lxw_format *format[PP_XS_COUNT];
	struct pp_xlsx_zip *zip;
	uint64_t told_repaired, told_cut;
};

/* xlsx.c: note in the sink why the workbook cannot be written (code: errno
 * or 0); PP_FATAL. */
enum pp_status pp_xlsx_fail(struct pp_xlsx *x, int code, const char *what);
enum pp_status pp_xlsx_disk(struct pp_xlsx *x, const struct pp_xlsx_part *p);

/* A new unlinked file beside the output; -1 with errno set. */
int pp_xlsx_temp(struct pp_xlsx *x);

/* xlsx_part.c: a part is opened, fed, and ended as the last piece of its
 * member or not.  False: p->error says why. */
bool pp_xlsx_part_open(struct pp_xlsx *x, struct pp_xlsx_part *p);
bool pp_xlsx_part_put(struct pp_xlsx_part *p, const void *s, size_t n);
bool pp_xlsx_part_end(struct pp_xlsx_part *p, bool last);
void pp_xlsx_part_free(struct pp_xlsx *x, struct pp_xlsx_part *p);

/* xlsx_sheet.c: s (zeroed) gets its columns; its header; a batch begins, its
 * rows; the end of its part. */
void pp_xlsx_sheet_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    size_t ncolumns);
enum pp_status pp_xlsx_sheet_header(struct pp_xlsx *x,
    struct pp_xlsx_sheet *s);
void pp_xlsx_sheet_batch(struct pp_xlsx_sheet *s);
enum pp_status pp_xlsx_sheet_rows(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t from, size_t to);
enum pp_status pp_xlsx_sheet_end(struct pp_xlsx *x, struct pp_xlsx_sheet *s);

/* xlsx_style.c: a style as an attribute of a cell; the decimals that it shows,
 * those of the number for styles of other things; whether numbers of a column
 * name something, so that a mark every three digits would hurt; the styles of
 * numbers, of a cell in a row of several lines, of a header. */
extern const char pp_xlsx_style_text[PP_XS_COUNT][12];
unsigned pp_xlsx_decimals(enum pp_xlsx_style style, unsigned scale);
bool pp_xlsx_is_name(const char *column);
enum pp_xlsx_style pp_xlsx_number_style(enum pp_type type, unsigned scale,
    pp_i128 v);
enum pp_xlsx_style pp_xlsx_tall_style(enum pp_xlsx_style style);
enum pp_xlsx_style pp_xlsx_header_style(const struct pp_xlsx_column *c,
    bool wide);

/* The width of a column of wide tables whose header has n characters, and the
 * lines that this takes in it. */
unsigned pp_xlsx_head_width(size_t n);
unsigned pp_xlsx_head_lines(size_t n);

/* A sheet of a table without rows: it is there, and hidden. */
bool pp_xlsx_is_empty(const struct pp_xlsx_sheet *s);

/* A declared column that no row fills: likewise. */
bool pp_xlsx_is_unused(const struct pp_xlsx_sheet *s, size_t col);

/* Cells of sheets that the workbook adds itself, row by row, from the left.
 * Text need live only until the row ends. */
void pp_xlsx_row_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    unsigned lines);
void pp_xlsx_cell_text(struct pp_xlsx *x, struct pp_xlsx_sheet *s, size_t col,
    pp_str text, enum pp_xlsx_style style);
void pp_xlsx_cell_number(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    size_t col, pp_i128 v, unsigned scale, enum pp_xlsx_style style);
enum pp_status pp_xlsx_row_end(struct pp_xlsx *x, struct pp_xlsx_sheet *s);

/* The decimal text of v x 10^-scale that a <v> holds: at most 17 digits that
 * count, no trailing zeros.  buf has room for PP_DEC_MAX. */
size_t pp_xlsx_number(char *buf, pp_i128 v, unsigned scale);

/* s with markup escaped, appended to buf, which has room. */
size_t pp_xlsx_escape(char *buf, pp_str s);

/* xlsx_strings part, written when all sheets are ended. */
bool pp_xlsx_strings(struct pp_xlsx *x, struct pp_xlsx_part *p);

/* xlsx_colour.c: the class of an event as a table tells it; colours for the
 * events of a chart, in the order of its series; the colour on a series. */
void pp_xlsx_event_class(struct pp_xlsx *x, pp_str event, pp_str class);
enum pp_xlsx_class pp_xlsx_class_of(struct pp_xlsx *x, pp_str event);
void pp_xlsx_colours(struct pp_xlsx *x, const pp_str *event, size_t n);
uint32_t pp_xlsx_colour_of(struct pp_xlsx *x, pp_str event);
void pp_xlsx_paint(struct pp_xlsx *x, lxw_chart_series *series, pp_str event);

/* xlsx_chart.c */
double pp_xlsx_double(pp_i128 v, unsigned scale);
void pp_xlsx_timeline_begin(struct pp_xlsx *x, const struct pp_xlsx_sheet *s);
void pp_xlsx_timeline_row(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t row);
void pp_xlsx_timeline_end(struct pp_xlsx *x);
void pp_xlsx_timeline_free(struct pp_xlsx *x);
enum pp_status pp_xlsx_timeline_charts(struct pp_xlsx *x,
    struct pp_xlsx_sheet *s, lxw_worksheet *ws);

/* The chart of the session with most time once more, on another sheet. */
enum pp_status pp_xlsx_timeline_best(struct pp_xlsx *x, lxw_worksheet *ws,
    lxw_row_t row, lxw_col_t col);

/* The look that all column charts share. */
void pp_xlsx_chart_style(lxw_chart *chart, const char *title,
    const char *x_name, const char *y_name, const char *y_format);

/* xlsx_cube.c: a table of its kind begins; its rows; order for showing; the
 * sum of two items by their order, NULL: no rows. */
void pp_xlsx_cube_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s);
void pp_xlsx_cube_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b);
void pp_xlsx_cube_sort(struct pp_xlsx *x);
const pp_i128 *pp_xlsx_cube_sum(const struct pp_xlsx_cube *c,
    const struct pp_xlsx_sums *t, enum pp_xlsx_field row_field, size_t row,
    size_t event);
void pp_xlsx_cube_free(struct pp_xlsx *x);

/* xlsx_pivot.c: the sheets, when the tables are there; the chart on a stub. */
enum pp_status pp_xlsx_pivot_sheets(struct pp_xlsx *x);
enum pp_status pp_xlsx_pivot_chart(struct pp_xlsx *x, lxw_worksheet *ws);

/* xlsx_pivot_xml.c: the parts, when the frame is there. */
enum pp_status pp_xlsx_pivot_parts(struct pp_xlsx *x);

/* xlsx_summary.c: a table begins, its rows; the sheet, the last to be made;
 * charts and links on its stub. */
void pp_xlsx_summary_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s);
void pp_xlsx_summary_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b);
enum pp_status pp_xlsx_summary_sheet(struct pp_xlsx *x);
enum pp_status pp_xlsx_summary_stub(struct pp_xlsx *x, lxw_worksheet *ws);
void pp_xlsx_summary_free(struct pp_xlsx *x);

/* A heading behind an empty row; names from the from_number-th on stand over
 * numbers. */
enum pp_status pp_xlsx_section(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const char *const *head, size_t n, size_t from_number);

/* xlsx_changes.c: text in one line of at most so many characters; a table
 * begins, a row of it is written; formats; colours and the chart of a sheet;
 * rows and charts on the Summary. */
pp_str pp_xlsx_shorten(struct pp_arena *a, pp_str s, size_t most);
void pp_xlsx_changes_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s);
void pp_xlsx_changes_row(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t row);
bool pp_xlsx_changes_formats(struct pp_xlsx *x);
lxw_error pp_xlsx_changes_colours(struct pp_xlsx *x,
    const struct pp_xlsx_sheet *s, lxw_worksheet *ws);
enum pp_status pp_xlsx_changes_chart(struct pp_xlsx *x,
    const struct pp_xlsx_sheet *s, lxw_worksheet *ws);
enum pp_status pp_xlsx_changes_summary(struct pp_xlsx *x,
    struct pp_xlsx_sheet *s);
enum pp_status pp_xlsx_changes_on_summary(struct pp_xlsx *x,
    lxw_worksheet *ws, lxw_col_t col);

/* xlsx_deltas.c: tables begin, their rows; the sheet; its chart, and the same
 * on the Summary, where the digests that gained most are rows. */
void pp_xlsx_deltas_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s);
void pp_xlsx_deltas_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b);
enum pp_status pp_xlsx_deltas_sheet(struct pp_xlsx *x);
unsigned pp_xlsx_deltas_top(struct pp_xlsx *x, struct pp_xlsx_top *to,
    unsigned most);
enum pp_status pp_xlsx_deltas_chart(struct pp_xlsx *x, lxw_worksheet *ws);
enum pp_status pp_xlsx_deltas_on_summary(struct pp_xlsx *x,
    lxw_worksheet *ws, lxw_row_t row, lxw_col_t col);
void pp_xlsx_deltas_free(struct pp_xlsx *x);

/* xlsx_trend.c: likewise. */
void pp_xlsx_trend_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s);
void pp_xlsx_trend_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b);
enum pp_status pp_xlsx_trend_chart(struct pp_xlsx *x, lxw_worksheet *ws);
void pp_xlsx_trend_free(struct pp_xlsx *x);

/* xlsx_histogram.c: the same for the Histogram sheet and its charts. */
void pp_xlsx_histogram_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s);
void pp_xlsx_histogram_rows(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b);
void pp_xlsx_histogram_end(struct pp_xlsx *x);
void pp_xlsx_histogram_free(struct pp_xlsx *x);
enum pp_status pp_xlsx_histogram_charts(struct pp_xlsx *x,
    lxw_worksheet *ws);

/* xlsx.c: bring the sheets into the order of the workbook; a sheet that no
 * table has. */
void pp_xlsx_by_rank(struct pp_xlsx *x);
struct pp_xlsx_sheet *pp_xlsx_own_sheet(struct pp_xlsx *x,
    enum pp_xlsx_kind kind, const char *name, size_t ncolumns);

/* xlsx_columns.c: the sheet that explains the others. */
enum pp_status pp_xlsx_columns_sheet(struct pp_xlsx *x);

/* xlsx_frame.c: the frame at `path`; an error of libxlsxwriter, noted; the
 * width of all columns of a sheet, in characters and pixels; text of ours for the frame: sanitised,
 * with a NUL, living as long as the writer. */
enum pp_status pp_xlsx_frame(struct pp_xlsx *x, const char *path);
enum pp_status pp_xlsx_library(struct pp_xlsx *x, lxw_error e);
double pp_xlsx_sheet_width(const struct pp_xlsx_sheet *s);
double pp_xlsx_sheet_pixels(const struct pp_xlsx_sheet *s);
const char *pp_xlsx_chart_text(struct pp_xlsx *x, const char *text);

/* xlsx_zip.c: read the frame, write the workbook. */
enum pp_status pp_xlsx_zip_read(struct pp_xlsx *x, const char *path);
enum pp_status pp_xlsx_zip_write(struct pp_xlsx *x);
void pp_xlsx_zip_free(struct pp_xlsx *x);

/* A member of the frame, between read and write. */
struct pp_xlsx_entry {
	pp_str name;		/* with a NUL behind it */
	pp_str data;
	struct pp_xlsx_entry *next;
};

/* All of them; the one of this name or NULL; a further one. */
struct pp_xlsx_entry *pp_xlsx_entries(struct pp_xlsx *x);
struct pp_xlsx_entry *pp_xlsx_entry(struct pp_xlsx *x, const char *name);
void pp_xlsx_entry_add(struct pp_xlsx *x, const char *name, pp_str data);

/* Put text before the first `mark`; false where there is none. */
bool pp_xlsx_entry_put(struct pp_xlsx *x, struct pp_xlsx_entry *e,
    const char *mark, pp_str text);

#endif
