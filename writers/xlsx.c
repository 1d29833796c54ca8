/*
 * xlsx.c: the workbook writer, between the tables and the sheets.
 *
 * It may touch tables, sheets and the sink; XML is made in xlsx_sheet.c, what
 * libxlsxwriter makes in xlsx_frame.c and xlsx_chart.c, the file in
 * xlsx_zip.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xlsx.h"

/* Sheets by table, in the order of the workbook. */
static const struct {
	const char *table, *sheet;
	enum pp_xlsx_kind kind;
} sheets[] = {
	{NULL, "Summary", PP_XK_SUMMARY},
	{"compare_events", "Compare events", PP_XK_PLAIN},
	{"compare_statements", "Compare statements", PP_XK_PLAIN},
	{"compare_digests", "Compare digests", PP_XK_PLAIN},
	{"trend", "Trend", PP_XK_PLAIN},
	{"profile", "Profile", PP_XK_BARS},
	{"timeline_pivot", "Timeline", PP_XK_TIMELINE},
	{NULL, "Pivot", PP_XK_PIVOT},
	{"tree", "Tree", PP_XK_TREE},
	{"statements", "Statements", PP_XK_BARS},
	{"digests", "Digests", PP_XK_BARS},
	{"digest_pivot", "Digest pivot", PP_XK_PLAIN},
	{NULL, PP_XLSX_DELTAS, PP_XK_DELTAS},
	{"digest_deltas", "Digest deltas", PP_XK_PLAIN},
	{"histogram", "Histogram", PP_XK_HISTOGRAM},
	{"plans", "Plans", PP_XK_PLAIN},
	{"binds", "Binds", PP_XK_PLAIN},
	{"gaps", "Gaps", PP_XK_PLAIN},
	{"statement_calls", "Statement calls", PP_XK_PLAIN},
	{"statement_events", "Statement events", PP_XK_PLAIN},
	{"statement_pivot", "Statement pivot", PP_XK_PLAIN},
	{"texts", "Texts", PP_XK_PLAIN},
	{"stages", "Stages", PP_XK_PLAIN},
	{"executions", "Executions", PP_XK_PLAIN},
	{"events", "Events", PP_XK_PLAIN},
	{"errors", "Errors", PP_XK_PLAIN},
	{"sources", "Sources", PP_XK_PLAIN},
	{"sessions", "Sessions", PP_XK_PLAIN},
	{"session_sources", "Session sources", PP_XK_PLAIN},
	{"problems", "Problems", PP_XK_PLAIN},
	{"timeline", "Timeline data", PP_XK_PLAIN},
	{"cube", "Data", PP_XK_DATA},
	{NULL, PP_XLSX_COLUMNS_SHEET, PP_XK_COLUMNS}
};

#define NSHEETS (sizeof(sheets) / sizeof(sheets[0]))

enum pp_status
pp_xlsx_fail(struct pp_xlsx *x, int code, const char *what)
{
	pp_sink_fail(x->w->sink, code, what);
	return PP_FATAL;
}

enum pp_status
pp_xlsx_disk(struct pp_xlsx *x, const struct pp_xlsx_part *p)
{
	return pp_xlsx_fail(x, p->error, NULL);
}

int
pp_xlsx_temp(struct pp_xlsx *x)
{
	size_t n = strlen(x->dir) + sizeof("/.profpivot-XXXXXX");
	char *path = pp_mem_alloc(x->mem, n);
	int fd;

	snprintf(path, n, "%s/.profpivot-XXXXXX", x->dir);
	fd = mkstemp(path);
	if (fd >= 0) {
		unlink(path);
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	pp_mem_free(x->mem, path);
	return fd;
}

/* Temporaries go beside the output, or where that is a device to TMPDIR. */
static void
find_target(struct pp_xlsx *x)
{
	const char *path = pp_sink_path(x->w->sink), *slash, *tmp;
	struct stat st;

	x->target = path;
	if (path != NULL && (stat(path, &st) != 0 || S_ISREG(st.st_mode))) {
		x->regular = true;
		slash = strrchr(path, '/');
		if (slash == NULL)
			x->dir = ".";
		else
			x->dir = pp_arena_str(&x->keep, (pp_str){path,
			    slash == path ? 1 : (size_t)(slash - path)}).p;
		return;
	}
	tmp = getenv("TMPDIR");
	x->dir = tmp != NULL && *tmp != '\0' ?
	    pp_arena_str(&x->keep, pp_str_from(tmp)).p : "/tmp";
}

static enum pp_status
xlsx_open(struct pp_wctx *w)
{
	struct pp_xlsx *x = pp_mem_zalloc(w->mem, sizeof(*x));

	w->priv = x;
	x->w = w;
	x->mem = w->mem;
	x->last = &x->first;
	pp_arena_init(&x->keep, w->mem, 4096);
	pp_arena_init(&x->scratch, w->mem, 65536);
	pp_strtab_init(&x->strings, w->mem);
	pp_strtab_init(&x->events.names, w->mem);
	pp_strtab_init(&x->summary.names, w->mem);
	x->sane.mode = x->again.mode = PP_SANE_XLSX;
	x->sane.out = x->again.out = &x->scratch;
	find_target(x);
	return PP_OK;
}

/* ------------------------------------------------------- names of sheets */

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
same_name(const char *a, const char *b)
{
	while (*a && lower(*a) == lower(*b))
		a++, b++;
	return *a == '\0' && *b == '\0';
}

static bool
name_taken(const struct pp_xlsx *x, const char *name)
{
	const struct pp_xlsx_sheet *s;
	size_t i;

	/* Excel keeps this one for itself */
	if (same_name(name, "History"))
		return true;
	for (s = x->first; s != NULL; s = s->next)
		if (same_name(s->name, name))
			return true;
	/* those that may still come */
	for (i = 0; i < NSHEETS; i++)
		if (same_name(sheets[i].sheet, name))
			return true;
	return same_name(name, PP_XLSX_PIVOT2);
}

/* `base`, cut so that the ending fits. */
static void
numbered(char *to, const char *base, char mark, unsigned number)
{
	char end[16];
	int k = snprintf(end, sizeof(end), "%c%u", mark, number);

	snprintf(to, PP_XLSX_NAME + 1, "%.*s%s", PP_XLSX_NAME - k, base, end);
}

/* The name of a table that the list does not know: a pivot of the user's. */
static void
free_name(const struct pp_xlsx *x, char *to, const char *table)
{
	char base[PP_XLSX_NAME + 1], name[PP_XLSX_NAME + 1];
	unsigned k;
	size_t i;

	for (i = 0; i < PP_XLSX_NAME && table[i]; i++) {
		char c = table[i];

		if (c == '_')
			c = ' ';
		if (strchr("[]:*?/\\'", c) != NULL || c < ' ' || c > '~')
			c = '-';
		if (i == 0 && c >= 'a' && c <= 'z')
			c = (char)(c - 'a' + 'A');
		base[i] = c;
	}
	if (i == 0)
		base[i++] = '-';
	base[i] = '\0';
	strcpy(name, base);
	for (k = 2; name_taken(x, name); k++)
		numbered(name, base, ' ', k);
	strcpy(to, name);
}

static int
find_column(const struct pp_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (strcmp(t->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* ---------------------------------------------------------------- sheets */

static struct pp_xlsx_sheet *
sheet_add(struct pp_xlsx *x, const struct pp_table *t)
{
	struct pp_xlsx_sheet *s = pp_arena_zalloc(&x->keep, sizeof(*s));

	s->part.fd = -1;
	s->table = t;
	s->number = 1;
	s->rank = NSHEETS;
	s->help = PP_STR("");
	s->depth_at = s->indent_at = s->event_at = s->class_at = -1;
	*x->last = s;
	x->last = &s->next;
	return s;
}

void
pp_xlsx_by_rank(struct pp_xlsx *x)
{
	struct pp_xlsx_sheet *in = x->first, *s, **at;

	x->first = NULL;
	while ((s = in) != NULL) {
		in = s->next;
		for (at = &x->first; *at != NULL && (*at)->rank <= s->rank;
		    at = &(*at)->next)
			;
		s->next = *at;
		*at = s;
	}
	for (at = &x->first; *at != NULL; at = &(*at)->next)
		;
	x->last = at;
}

struct pp_xlsx_sheet *
pp_xlsx_own_sheet(struct pp_xlsx *x, enum pp_xlsx_kind kind, const char *name,
    size_t ncolumns)
{
	struct pp_xlsx_sheet *s = sheet_add(x, NULL);
	size_t i;

	for (i = 0; i < NSHEETS; i++)
		if (sheets[i].kind == kind && sheets[i].table == NULL)
			s->rank = (int)i;
	s->kind = kind;
	strcpy(s->name, name);
	pp_xlsx_sheet_begin(x, s, ncolumns);
	if (!pp_xlsx_part_open(x, &s->part)) {
		pp_xlsx_disk(x, &s->part);
		return NULL;
	}
	return s;
}

static enum pp_status
sheet_start(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	const struct pp_table *t = s->table;

	s->wide = (t->flags & PP_TABLE_WIDE) != 0;
	pp_xlsx_sheet_begin(x, s, t->ncolumns);
	if (s->kind == PP_XK_TREE) {
		s->depth_at = find_column(t, "depth");
		s->indent_at = find_column(t, "call");
	}
	if (strcmp(t->name, "profile") == 0 ||
	    strcmp(t->name, "timeline") == 0) {
		s->event_at = find_column(t, "event");
		s->class_at = find_column(t, "class");
	}
	s->labels = s->kind == PP_XK_TIMELINE;
	if (s->kind == PP_XK_TIMELINE && s->number == 1) {
		x->tl.sheet = s;
		pp_xlsx_timeline_begin(x, s);
	}
	if (s->kind == PP_XK_DATA && s->number == 1)
		pp_xlsx_cube_begin(x, s);
	if (s->kind == PP_XK_HISTOGRAM && s->number == 1)
		pp_xlsx_histogram_begin(x, s);
	if (s->number == 1)
		pp_xlsx_changes_begin(x, s);
	pp_xlsx_deltas_begin(x, s);
	pp_xlsx_trend_begin(x, s);
	pp_xlsx_summary_begin(x, s);
	s->help = pp_arena_str(&x->keep, pp_str_from(t->help));
	s->open = true;
	if (!pp_xlsx_part_open(x, &s->part))
		return pp_xlsx_disk(x, &s->part);
	return pp_xlsx_sheet_header(x, s);
}

/* Tell what the sanitiser had to change since the last time. */
static void
tell_losses(struct pp_xlsx *x)
{
	uint64_t n = x->sane.repaired - x->told_repaired;
	uint64_t cut = x->sane.cut - x->told_cut;

	if (n)
		pp_diag_tell_n(x->w->diag, PP_MSG_SANITISED, 0, UINT64_MAX, n,
		    "bytes that a workbook cannot hold were replaced: "
		    "%llu cells", (unsigned long long)n);
	if (cut)
		pp_diag_tell_n(x->w->diag, PP_MSG_CELL_CUT, 0, UINT64_MAX,
		    cut, "text was cut to the limits of a cell (CSV has it "
		    "whole): %llu cells", (unsigned long long)cut);
	x->told_repaired = x->sane.repaired;
	x->told_cut = x->sane.cut;
}

static enum pp_status
xlsx_begin(struct pp_wctx *w, const struct pp_table *t)
{
	struct pp_xlsx *x = w->priv;
	struct pp_xlsx_sheet *s;
	size_t i;

	if (t->ncolumns > PP_XLSX_COLUMNS - 2)
		return pp_xlsx_fail(x, 0, "a table has more columns than a "
		    "sheet can hold (16,384)");
	/* its rows are taken from the messages told so far */
	if (strcmp(t->name, "problems") == 0)
		tell_losses(x);
	s = sheet_add(x, t);
	for (i = 0; i < NSHEETS; i++)
		if (sheets[i].table != NULL &&
		    strcmp(sheets[i].table, t->name) == 0)
			break;
	if (i < NSHEETS) {
		s->rank = (int)i;
		s->kind = sheets[i].kind;
		strcpy(s->name, sheets[i].sheet);
	} else
		free_name(x, s->name, t->name);
	return sheet_start(x, s);
}

/* Go on in Name_2, Name_3, ... */
static struct pp_xlsx_sheet *
spill(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	struct pp_xlsx_sheet *next;
	char base[PP_XLSX_NAME + 1], what[160], *end;

	if (!x->w->opt.spill_sheets) {
		snprintf(what, sizeof(what), "%.40s has more than %u rows, a "
		    "sheet's limit: use --spill sheets, or -t csv",
		    s->table->name, PP_XLSX_ROWS - 1);
		pp_xlsx_fail(x, 0, what);
		return NULL;
	}
	if (pp_xlsx_sheet_end(x, s) != PP_OK)
		return NULL;
	s->open = false;
	if (s->number == 1)
		pp_diag_tell(x->w->diag, PP_MSG_SPILLED, 0, UINT64_MAX,
		    "%s has more rows than a sheet can hold; they go on in "
		    "%s_2", s->table->name, s->name);
	strcpy(base, s->name);
	if (s->number > 1 && (end = strrchr(base, '_')) != NULL)
		*end = '\0';
	next = sheet_add(x, s->table);
	next->kind = s->kind;
	next->rank = s->rank;
	next->number = s->number + 1;
	next->table_rows = s->table_rows;
	numbered(next->name, base, '_', next->number);
	s->table = NULL;
	return sheet_start(x, next) == PP_OK ? next : NULL;
}

static struct pp_xlsx_sheet *
open_sheet(struct pp_xlsx *x, const struct pp_table *t)
{
	struct pp_xlsx_sheet *s;

	for (s = x->first; s != NULL; s = s->next)
		if (s->open && s->table == t)
			return s;
	return NULL;
}

static void
note_classes(struct pp_xlsx *x, const struct pp_xlsx_sheet *s,
    const struct pp_batch *b)
{
	size_t e = (size_t)s->event_at, c = (size_t)s->class_at, i;

	if (s->event_at < 0 || s->class_at < 0)
		return;
	for (i = 0; i < b->rows; i++)
		if (b->tags[e][i] && b->tags[c][i])
			pp_xlsx_event_class(x, b->cells[e][i].str,
			    b->cells[c][i].str);
}

static enum pp_status
xlsx_rows(struct pp_wctx *w, const struct pp_batch *b)
{
	struct pp_xlsx *x = w->priv;
	struct pp_xlsx_sheet *s = open_sheet(x, b->table);
	size_t at = 0, n;

	PP_ASSERT(s != NULL);
	pp_arena_reset(&x->scratch);
	pp_xlsx_sheet_batch(s);
	note_classes(x, s, b);
	pp_xlsx_summary_rows(x, s, b);
	pp_xlsx_histogram_rows(x, s, b);
	pp_xlsx_deltas_rows(x, s, b);
	pp_xlsx_trend_rows(x, s, b);
	if (s->kind == PP_XK_DATA)
		pp_xlsx_cube_rows(x, s, b);
	while (at < b->rows) {
		if (s->rows == PP_XLSX_ROWS ||
		    s->part.raw + s->used > PP_XLSX_XML) {
			s = spill(x, s);
			if (s == NULL)
				return PP_FATAL;
		}
		/* in pieces, so that the size is looked at in between */
		n = b->rows - at;
		if (n > 64)
			n = 64;
		if (n > PP_XLSX_ROWS - s->rows)
			n = PP_XLSX_ROWS - s->rows;
		if (pp_xlsx_sheet_rows(x, s, b, at, at + n) != PP_OK)
			return PP_FATAL;
		s->table_rows += n;
		at += n;
	}
	return PP_OK;
}

static enum pp_status
xlsx_end(struct pp_wctx *w, const struct pp_table *t)
{
	struct pp_xlsx *x = w->priv;
	struct pp_xlsx_sheet *s = open_sheet(x, t);

	PP_ASSERT(s != NULL);
	if (s->kind == PP_XK_TIMELINE)
		pp_xlsx_timeline_end(x);
	if (s->kind == PP_XK_HISTOGRAM)
		pp_xlsx_histogram_end(x);
	if (pp_xlsx_sheet_end(x, s) != PP_OK)
		return PP_FATAL;
	s->open = false;
	s->table = NULL;
	return PP_OK;
}

static void
unlink_quietly(const char *path)
{
	int saved = errno;

	unlink(path);
	errno = saved;
}

/* A name for the frame where the output itself cannot hold it. */
static char *
frame_name(struct pp_xlsx *x)
{
	size_t n = strlen(x->dir) + sizeof("/.profpivot-XXXXXX");
	char *path = pp_arena_alloc(&x->keep, n);
	int fd;

	snprintf(path, n, "%s/.profpivot-XXXXXX", x->dir);
	fd = mkstemp(path);
	if (fd < 0) {
		pp_xlsx_fail(x, errno, NULL);
		return NULL;
	}
	close(fd);
	return path;
}

static enum pp_status
xlsx_close(struct pp_wctx *w)
{
	struct pp_xlsx *x = w->priv;
	enum pp_status st;
	const char *path = x->target;

	pp_arena_reset(&x->scratch);
	tell_losses(x);
	if (!x->regular)
		path = frame_name(x);
	if (path == NULL)
		return PP_FATAL;
	st = pp_xlsx_pivot_sheets(x);
	if (st == PP_OK)
		st = pp_xlsx_deltas_sheet(x);
	if (st == PP_OK)
		st = pp_xlsx_columns_sheet(x);
	if (st == PP_OK)
		st = pp_xlsx_summary_sheet(x);
	if (st == PP_OK)
		st = pp_xlsx_frame(x, path);
	if (st == PP_OK)
		st = pp_xlsx_zip_read(x, path);
	if (!x->regular)
		unlink_quietly(path);
	if (st == PP_OK)
		st = pp_xlsx_pivot_parts(x);
	if (st == PP_OK)
		st = pp_xlsx_zip_write(x);
	return st;
}

static void
xlsx_free(struct pp_wctx *w)
{
	struct pp_xlsx *x = w->priv;
	struct pp_xlsx_sheet *s;

	if (x == NULL)
		return;
	pp_xlsx_zip_free(x);
	if (x->book != NULL)
		lxw_workbook_free(x->book);
	for (s = x->first; s != NULL; s = s->next) {
		pp_xlsx_part_free(x, &s->part);
		pp_mem_free(x->mem, s->buf);
		pp_mem_free(x->mem, s->column);
	}
	pp_xlsx_part_free(x, &x->shared);
	pp_xlsx_timeline_free(x);
	pp_xlsx_cube_free(x);
	pp_xlsx_summary_free(x);
	pp_xlsx_histogram_free(x);
	pp_xlsx_deltas_free(x);
	pp_xlsx_trend_free(x);
	pp_strtab_free(&x->strings);
	pp_strtab_free(&x->events.names);
	pp_mem_free(x->mem, x->events.v);
	pp_arena_free(&x->scratch);
	pp_arena_free(&x->keep);
	pp_mem_free(x->mem, x);
	w->priv = NULL;
}

const struct pp_writer pp_writer_xlsx = {
	.name = "xlsx",
	.summary = "Excel workbook: a sheet a table, charts, pivot table",
	.suffix = ".xlsx",
	.caps = PP_W_INTERLEAVED | PP_W_WIDE | PP_W_SINGLE,
	.rows_most = PP_XLSX_ROWS - 1,
	.open = xlsx_open,
	.begin = xlsx_begin,
	.rows = xlsx_rows,
	.end = xlsx_end,
	.close = xlsx_close,
	.free = xlsx_free
};
