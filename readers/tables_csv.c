/*
 * tables_csv.c: folders of CSV or TSV that profpivot wrote.
 *
 * Sees base, table.h and the readers.  schema.json beside the tables tells
 * their columns, types, dialect, rows and sums.  libcsv takes the lines apart
 * (it knows no position: lines are given to it one by one) and tells an
 * unquoted empty field, which is NULL, from a quoted one.
 *
 * The dialects for Excel put an apostrophe in front of text that starts as a
 * formula does; it is taken off again.  Text that had an apostrophe and such
 * a start itself loses it: that dialect cannot tell the two.
 */
#include "tables_schema.h"

#include <csv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define SCHEMA_MAX ((size_t)64 << 20)

struct file {
	struct pp_tables *in;
	const struct pp_tables_resource *r;
	struct csv_parser *parser; /* not in memory of the run */
	struct pp_rows rows;
	bool begun;		/* rows is open */
	bool excel;
	bool header;		/* its line is past */
	size_t column;		/* of the row at hand */
	bool inside;		/* a record is not at its end */
	bool bad;		/* the row at hand */
	bool alien;		/* the header is another table's */
	size_t bad_column;
	uint64_t line, offset;	/* where the record begins */
	uint64_t count;
};

/* ---------------------------------------------------------------- cells */

static bool
starts_formula(pp_str s)
{
	return s.n > 0 && s.p[0] != '\0' && strchr("=+-@\t\r", s.p[0]) != NULL;
}

static pp_str
unguarded(const struct file *f, pp_str s)
{
	if (f->excel && s.n > 1 && s.p[0] == '\'' &&
	    starts_formula(pp_str_skip(s, 1)))
		return pp_str_skip(s, 1);
	return s;
}

static void
take_header(struct file *f, pp_str s)
{
	if (f->column >= f->r->ncolumns ||
	    !pp_str_eq(unguarded(f, s), f->r->columns[f->column].name))
		f->alien = true;
	f->column++;
}

static void
on_field(void *p, size_t n, void *arg)
{
	struct file *f = arg;
	pp_str s = {p != NULL ? p : "", n};
	enum pp_type type;

	f->inside = true;
	if (!f->header) {
		take_header(f, s);
		return;
	}
	if (f->bad || f->column >= f->r->ncolumns) {
		f->column++;
		return;
	}
	type = f->r->columns[f->column].type;
	if (p == NULL)
		pp_put_null(&f->rows);
	else if (!pp_tables_put(&f->rows, type == PP_T_TEXT ||
	    type == PP_T_ID ? unguarded(f, s) : s, f->r->point)) {
		f->bad = true;
		f->bad_column = f->column;
	}
	f->column++;
}

static void
reject(struct file *f, const char *why, pp_str what)
{
	pp_diag_tell(f->in->diag, PP_MSG_BAD_RECORD, f->line, f->offset,
	    "%s%.*s", why, (int)(what.n < 60 ? what.n : 60), what.p);
}

static void
end_record(struct file *f)
{
	if (f->bad)
		reject(f, "not a value of column ",
		    f->r->columns[f->bad_column].name);
	else if (f->column != f->r->ncolumns)
		reject(f, f->column < f->r->ncolumns ?
		    "too few fields" : "too many fields", (pp_str){"", 0});
	else {
		pp_row_end(&f->rows);
		f->count++;
		return;
	}
	pp_tables_cancel(&f->rows);
}

static void
on_record(int c, void *arg)
{
	struct file *f = arg;

	(void)c;
	if (!f->header) {
		f->header = true;
		f->alien = f->alien || f->column != f->r->ncolumns;
	} else if (!f->alien)
		end_record(f);
	f->column = 0;
	f->bad = false;
	f->inside = false;
}

/* ---------------------------------------------------------------- lines */

static int
no_space(unsigned char c)
{
	(void)c;
	return 0;
}

static void
drop_parser(void *held)
{
	csv_free(held);
	free(held);
}

static void
open_parser(struct file *f)
{
	if (f->parser == NULL) {
		f->parser = calloc(1, sizeof(*f->parser));
		if (f->parser == NULL)
			pp_mem_fail(f->in->mem);
		f->in->held = f->parser;
		f->in->drop = drop_parser;
	}
	if (csv_init(f->parser, CSV_STRICT | CSV_STRICT_FINI |
	    CSV_EMPTY_IS_NULL) != 0)
		pp_mem_fail(f->in->mem);
	csv_set_delim(f->parser, (unsigned char)f->r->separator);
	csv_set_space_func(f->parser, no_space);
}

static void
broken_record(struct file *f)
{
	reject(f, csv_error(f->parser) == CSV_ENOMEM ?
	    "a field too long for the memory" :
	    "a quote that does not end a field", (pp_str){"", 0});
	csv_free(f->parser);
	open_parser(f);
	pp_tables_cancel(&f->rows);
	f->column = 0;
	f->bad = f->inside = false;
	f->header = true;
}

/* A NULL as the only field is a line of nothing, which libcsv passes over. */
static bool
is_lone_null(const struct file *f, const char *p, size_t n)
{
	return !f->inside && f->header && !f->alien && f->r->ncolumns == 1 &&
	    (n == 1 || (n == 2 && p[0] == '\r')) && p[n - 1] == '\n';
}

static void
take_line(struct file *f, const char *p, size_t n, uint64_t line,
    uint64_t offset)
{
	if (offset == 0 && n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
		f->excel = true;
		p += 3;
		n -= 3;
	}
	if (!f->inside) {
		f->line = line;
		f->offset = offset;
	}
	if (is_lone_null(f, p, n)) {
		on_field(NULL, 0, f);
		on_record('\n', f);
		return;
	}
	/* a line may end inside a quoted field that has not been told yet */
	f->inside = true;
	if (csv_parse(f->parser, p, n, on_field, on_record, f) != n)
		broken_record(f);
}

static void
take_chunk(struct file *f, struct pp_chunk *c)
{
	const char *p = c->p, *end = c->p + c->n, *nl;
	uint64_t line = c->line;
	size_t n;

	while (p < end && !f->alien) {
		nl = memchr(p, '\n', (size_t)(end - p));
		n = nl == NULL ? (size_t)(end - p) : (size_t)(nl - p) + 1;
		take_line(f, p, n, line, c->offset + (uint64_t)(p - c->p));
		p += n;
		line += nl != NULL;
	}
	c->used = c->n;
	c->lines = line - c->line;
}

/* ----------------------------------------------------------------- files */

/* Rows and sum are those that were written? */
static void
compare(struct file *f, struct pp_input *input)
{
	struct pp_diag *d = f->in->diag;
	char hex[64 + 8] = "sha256:";
	uint8_t sum[32];
	size_t i;

	if (f->r->has_rows && f->r->rows != f->count)
		pp_diag_tell(d, PP_MSG_ROW_COUNT, 0, UINT64_MAX,
		    "%" PRIu64 " rows, but %" PRIu64 " were written",
		    f->count, f->r->rows);
	if (f->r->hash.n == 0 || !pp_input_sha256(input, sum))
		return;
	for (i = 0; i < 32; i++)
		snprintf(hex + 7 + 2 * i, 3, "%02x", sum[i]);
	if (!pp_str_eq(f->r->hash, pp_str_from(hex)))
		pp_diag_tell(d, PP_MSG_CHANGED, 0, UINT64_MAX,
		    "the file is not as it was written: its SHA-256 is "
		    "another");
}

static void
read_lines(struct file *f, struct pp_input *input)
{
	struct pp_tables *in = f->in;
	struct pp_chunk c;
	uint64_t done = 0, all;

	memset(&c, 0, sizeof(c));
	open_parser(f);
	while (!f->alien && pp_input_next(input, &c)) {
		take_chunk(f, &c);
		pp_input_progress(input, &done, &all);
		if (in->step != NULL)
			in->step(in->arg, in->bytes + done);
		if (f->rows.status >= PP_FAILED)
			break;
	}
	if (!f->alien && csv_fini(f->parser, on_field, on_record, f) != 0)
		broken_record(f);
	in->drop = NULL;
	drop_parser(f->parser);
	in->bytes += done;
}

static enum pp_status
read_file(struct pp_tables *in, const struct pp_tables_resource *r,
    const char *path, const struct pp_table *t)
{
	struct file f = {.in = in, .r = r};
	struct pp_input *input;
	enum pp_status status;
	pp_str err;

	pp_diag_file(in->diag, UINT32_MAX, path);
	input = pp_input_open(in->mem, path, 0, &err);
	if (input == NULL) {
		pp_diag_tell(in->diag, PP_MSG_UNREADABLE, 0, UINT64_MAX,
		    "%.*s", (int)err.n, err.p);
		return PP_WARN;
	}
	*in->open = input;
	pp_rows_open(&f.rows, in->mem, in->to, t);
	if (f.rows.status < PP_FAILED)
		read_lines(&f, input);
	if (f.alien)
		pp_diag_tell(in->diag, PP_MSG_BAD_RECORD, 1, 0, "the header "
		    "has other columns than schema.json");
	else
		compare(&f, input);
	err = pp_input_error(input);
	if (err.n != 0)
		pp_diag_tell(in->diag, PP_MSG_BAD_GZIP, 0,
		    pp_input_bytes(input), "%.*s", (int)err.n, err.p);
	status = pp_rows_close(&f.rows);
	pp_input_close(input);
	*in->open = NULL;
	in->count++;
	return status >= PP_FAILED ? PP_FATAL : PP_OK;
}

/* --------------------------------------------------------------- folders */

static const char *
join(struct pp_mem *mem, const char *folder, pp_str name)
{
	size_t n = strlen(folder);
	char *p = pp_mem_alloc(mem, n + name.n + 2);

	memcpy(p, folder, n);
	p[n] = '/';
	memcpy(p + n + 1, name.p, name.n);
	p[n + 1 + name.n] = '\0';
	return p;
}

/* A name in this folder, and nothing else. */
static bool
is_plain_name(pp_str s)
{
	return s.n > 0 && s.n < 255 && s.p[0] != '.' &&
	    memchr(s.p, '/', s.n) == NULL && memchr(s.p, '\0', s.n) == NULL;
}

static enum pp_status
read_table(struct pp_tables *in, const char *folder,
    const struct pp_tables_resource *r)
{
	const struct pp_table *t;
	size_t place;

	if (!is_plain_name(r->path)) {
		pp_diag_tell(in->diag, PP_MSG_BAD_RECORD, 0, UINT64_MAX,
		    "schema.json names a file outside its folder");
		return PP_WARN;
	}
	if (!r->pivot && pp_tables_known(in, r->name, &place) == NULL) {
		pp_diag_tell(in->diag, PP_MSG_LEFT_OUT, 0, UINT64_MAX,
		    "%.*s: no table of this version of profpivot",
		    (int)r->name.n, r->name.p);
		return PP_OK;
	}
	t = pp_tables_declare(in, r->name, r->help, r->columns, r->ncolumns,
	    PP_TABLE_PIVOT | (r->wide ? PP_TABLE_WIDE : 0));
	if (t == NULL) {
		pp_diag_tell(in->diag, PP_MSG_BAD_RECORD, 0, UINT64_MAX,
		    "%.*s: names or columns that no table has",
		    (int)(r->name.n < 60 ? r->name.n : 60), r->name.p);
		return PP_WARN;
	}
	if (!in->want(in->arg, t))
		return PP_OK;
	return read_file(in, r, join(in->mem, folder, r->path), t);
}

/* The text of the schema, or NULL told. */
static bool
read_schema(struct pp_tables *in, const char *path, struct pp_arena *a,
    pp_str *text)
{
	struct pp_chunk c;
	struct pp_input *input;
	pp_str err;

	memset(&c, 0, sizeof(c));
	pp_diag_file(in->diag, UINT32_MAX, path);
	input = pp_input_open(in->mem, path, 0, &err);
	if (input == NULL) {
		pp_diag_tell(in->diag, PP_MSG_UNREADABLE, 0, UINT64_MAX,
		    "%.*s", (int)err.n, err.p);
		return false;
	}
	*in->open = input;
	*text = (pp_str){"", 0};
	while (pp_input_next(input, &c)) {
		if (c.n > SCHEMA_MAX)
			break;
		if (c.last) {
			*text = pp_arena_str(a, (pp_str){c.p, c.n});
			break;
		}
		c.used = 0;
		c.lines = 0;
	}
	pp_input_close(input);
	*in->open = NULL;
	return true;
}

static enum pp_status
read_folder(struct pp_tables *in, const char *folder)
{
	enum pp_status worst = PP_OK, s;
	struct pp_tables_set set;
	struct pp_arena a;
	const char *path = join(in->mem, folder, PP_STR(PP_TABLES_SCHEMA));
	pp_str text;
	size_t i;

	pp_arena_init(&a, in->mem, 65536);
	if (!read_schema(in, path, &a, &text))
		return PP_FAILED;
	if (!pp_tables_schema(in->mem, &a, text, &set)) {
		pp_diag_tell(in->diag, PP_MSG_NOT_RECOGNISED, 0, UINT64_MAX,
		    "not a schema that profpivot has written");
		return PP_FAILED;
	}
	for (i = 0; i < set.n && worst < PP_FATAL; i++) {
		s = read_table(in, folder, &set.v[i]);
		worst = s > worst ? s : worst;
	}
	pp_diag_file(in->diag, UINT32_MAX, NULL);
	return worst;
}

/* A folder with a schema.json that says who wrote it. */
static bool
probe_folder(struct pp_mem *mem, const char *path)
{
	static const char mark[] = "\"name\": \"profpivot\"";
	const char *schema = join(mem, path, PP_STR(PP_TABLES_SCHEMA));
	struct pp_input *input;
	struct stat st;
	pp_str head, err;
	bool ours;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode) ||
	    stat(schema, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	input = pp_input_open(mem, schema, 0, &err);
	if (input == NULL)
		return false;
	head = pp_input_head(input);
	head.n = head.n < 256 ? head.n : 256;
	ours = pp_str_find(head, PP_STR(mark)) < head.n;
	pp_input_close(input);
	return ours;
}

extern const struct pp_tablereader pp_tablereader_csv;

const struct pp_tablereader pp_tablereader_csv = {
	.name = "tables-csv",
	.summary = "a folder of CSV or TSV that profpivot wrote",
	.probe = probe_folder,
	.read = read_folder,
};
