/*
 * csv.c: the writers csv and tsv.
 *
 * Sees base, table.h and the sink.  RFC 4180: UTF-8, a header line, a field
 * is quoted where it holds a separator, a quote, CR or LF.  NULL is an empty
 * field, empty text is "" (readers that care can tell them apart).
 *
 * The dialects for Excel: a byte order mark, without which it takes the file
 * for the local code page; CRLF; and text that starts as a formula does gets
 * an apostrophe in front.  SQL starts so more often than attackers do:
 * "-- comment", "@script".  Numbers are never touched.  `excel-semicolon` is
 * for locales whose decimal sign is the comma.
 *
 * Tables may be interleaved; each has its stream.
 */
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "cursor.h"
#include "number.h"
#include "sanitise.h"
#include "schema_json.h"
#include "writer.h"

#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

#define PLAIN 4			/* a power of two */
#define GAP 8			/* separators that are written at once */
#define CELL_ROOM (GAP + PP_DEC_MAX)

/* A column that has a value in the batch. */
struct csv_live {
	const uint8_t *tags;
	const union pp_cell *cells;
	size_t gap;		/* separators in front of it, up to GAP */
	bool text;
	pp_str plain[PLAIN];	/* texts of the batch that could be copied as
				 * they are */
};

struct csv_table {
	struct csv_table *next;
	const struct pp_table *table;
	struct pp_stream *out;
	struct csv_live *live;	/* room for all columns */
	size_t nlive;
	unsigned rest;		/* separators behind the last of them */
	uint64_t repaired;
	struct pp_schema_table *written; /* of a folder; else NULL */
};

struct csv {
	char sep, point;
	bool excel;
	bool flatten;
	unsigned stream;	/* PP_STREAM_... */
	struct pp_arena arena;	/* a changed text */
	struct pp_sanitiser z;
	struct csv_table *tables;
	struct pp_schema_table *written, **last;
};

/* Whether a spreadsheet would take it for a formula. */
static inline bool
is_formula(pp_str s)
{
	return s.n > 0 && (s.p[0] == '=' || s.p[0] == '+' || s.p[0] == '-' ||
	    s.p[0] == '@' || s.p[0] == '\t' || s.p[0] == '\r');
}

static inline bool
is_special(char b, char sep)
{
	return b == sep || b == '"' || b == '\n' || b == '\r';
}

/*
 * Bytes that can be copied as they are: ASCII, no quote, separator or control
 * below 14 (TAB, LF and CR are among them).
 */
static inline bool
is_plain(uint64_t w, uint64_t seps)
{
	uint64_t q = w ^ (ONES * '"'), s = w ^ seps;
	uint64_t hit = w | ((w - ONES * 14) & ~w) | ((q - ONES) & ~q) |
	    ((s - ONES) & ~s);

	return (hit & HIGHS) == 0;
}

#ifdef __SSE2__
/* Copy 16 bytes; are they plain?  Bytes above 127 are below 14 as signed
 * ones. */
static inline bool
copy_16(char *p, const char *from, char sep)
{
	__m128i w = _mm_loadu_si128((const __m128i *)(const void *)from);
	__m128i hit = _mm_or_si128(_mm_cmplt_epi8(w, _mm_set1_epi8(14)),
	    _mm_or_si128(_mm_cmpeq_epi8(w, _mm_set1_epi8('"')),
	    _mm_cmpeq_epi8(w, _mm_set1_epi8(sep))));

	_mm_storeu_si128((__m128i *)(void *)p, w);
	return _mm_movemask_epi8(hit) == 0;
}
#else
static inline bool
copy_16(char *p, const char *from, char sep)
{
	uint64_t w[2], seps = ONES * (unsigned char)sep;

	memcpy(w, from, 16);
	memcpy(p, w, 16);
	return is_plain(w[0], seps) && is_plain(w[1], seps);
}
#endif

/* Copy s to p while it is plain; NULL where it is not.  The last bytes may
 * be seen twice. */
static inline char *
copy_plain(char *p, pp_str s, char sep)
{
	uint64_t w, x, seps = ONES * (unsigned char)sep;
	size_t i;

	if (s.n >= 16) {
		for (i = 0; i + 16 < s.n; i += 16)
			if (!copy_16(p + i, s.p + i, sep))
				return NULL;
		return copy_16(p + s.n - 16, s.p + s.n - 16, sep) ?
		    p + s.n : NULL;
	}
	if (s.n >= 8) {
		memcpy(&w, s.p, 8);
		memcpy(&x, s.p + s.n - 8, 8);
		memcpy(p, &w, 8);
		memcpy(p + s.n - 8, &x, 8);
		return is_plain(w, seps) && is_plain(x, seps) ? p + s.n :
		    NULL;
	}
	for (i = 0; i < s.n; i++) {
		if ((signed char)s.p[i] < 14 || s.p[i] == '"' ||
		    s.p[i] == sep)
			return NULL;
		p[i] = s.p[i];
	}
	return p + s.n;
}

static void
put_quoted(struct pp_cursor *c, pp_str s)
{
	const char *q;
	size_t n;

	while ((q = memchr(s.p, '"', s.n)) != NULL) {
		n = (size_t)(q - s.p) + 1;
		pp_cursor_bytes(c, s.p, n);
		pp_cursor_byte(c, '"');
		s = pp_str_skip(s, n);
		if (s.n == 0)
			break;
	}
	pp_cursor_bytes(c, s.p, s.n);
}

/*
 * A blank for each line break, CR LF being one, and in the format whose
 * separator is the tab for each of these.
 */
static pp_str
flat(struct csv *v, pp_str s)
{
	char *p;
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		if (s.p[i] == '\n' || s.p[i] == '\r' ||
		    (s.p[i] == '\t' && v->sep == '\t'))
			break;
	if (i == s.n)
		return s;
	p = pp_arena_alloc(&v->arena, s.n);
	for (i = 0; i < s.n; i++) {
		char b = s.p[i];

		if (b == '\r' && i + 1 < s.n && s.p[i + 1] == '\n')
			i++;
		p[n++] = b == '\n' || b == '\r' ||
		    (b == '\t' && v->sep == '\t') ? ' ' : b;
	}
	return (pp_str){p, n};
}

/* Text that may need quotes or repair. */
static void
put_any(struct csv *v, struct pp_cursor *c, pp_str s)
{
	const char *given = s.p;
	bool guard, quote;
	size_t i;

	s = pp_sanitise(&v->z, s);
	if (v->flatten)
		s = flat(v, s);
	guard = v->excel && is_formula(s);
	quote = s.n == 0;
	for (i = 0; i < s.n && !quote; i++)
		quote = is_special(s.p[i], v->sep);
	if (quote)
		pp_cursor_byte(c, '"');
	if (guard)
		pp_cursor_byte(c, '\'');
	if (!quote)
		pp_cursor_bytes(c, s.p, s.n);
	else {
		if (s.n > 0)
			put_quoted(c, s);
		pp_cursor_byte(c, '"');
	}
	if (s.p != given)
		pp_arena_reset(&v->arena);
}

/* True where it could be copied as it is. */
static inline bool
put_text(struct csv *v, struct pp_cursor *c, pp_str s)
{
	char *p;

	if (s.n - 1 < PP_CURSOR_SHORT && !(v->excel && is_formula(s))) {
		pp_cursor_need(c, s.n);
		p = copy_plain(c->p, s, v->sep);
		if (p != NULL) {
			c->p = p;
			return true;
		}
	}
	put_any(v, c, s);
	return false;
}

/* Copy a short text without a call: both ends of it, which may overlap. */
static inline char *
copy_short(char *p, pp_str s)
{
	if (s.n > 48 || s.n < 4)
		return (char *)memcpy(p, s.p, s.n) + s.n;
	if (s.n >= 16) {
		memcpy(p, s.p, 16);
		if (s.n > 32)
			memcpy(p + 16, s.p + 16, 16);
		memcpy(p + s.n - 16, s.p + s.n - 16, 16);
	} else if (s.n >= 8) {
		memcpy(p, s.p, 8);
		memcpy(p + s.n - 8, s.p + s.n - 8, 8);
	} else {
		memcpy(p, s.p, 4);
		memcpy(p + s.n - 4, s.p + s.n - 4, 4);
	}
	return p + s.n;
}

static inline void
put_row_end(struct csv *v, struct pp_cursor *c)
{
	pp_cursor_need(c, 2);
	if (v->excel)
		*c->p++ = '\r';
	*c->p++ = '\n';
}

/*
 * Columns of a batch without a value are but separators in each row: of more
 * than GAP of these one stands for them.
 */
static void
find_live(struct csv_table *t, const struct pp_batch *b)
{
	size_t n = b->table->ncolumns, k;
	struct csv_live *l = t->live;
	const uint8_t *tags;
	unsigned gap = 0;

	for (k = 0; k < n; k++) {
		tags = b->tags[k];
		gap += k > 0;
		if (gap < GAP && b->rows > 0 && tags[0] == 0 &&
		    memcmp(tags, tags + 1, b->rows - 1) == 0)
			continue;
		l->tags = tags;
		l->cells = b->cells[k];
		l->text = pp_type_is_text(b->table->columns[k].type);
		l->gap = gap;
		memset(l->plain, 0, sizeof(l->plain));
		l++;
		gap = 0;
	}
	t->nlive = (size_t)(l - t->live);
	t->rest = gap;
}

/*
 * The cells of a row, each behind the separators in front of it: eight are
 * written, however few these are.
 * Most texts of a raw table came a few rows before (a file, a kind, a
 * statement, a module); within a batch the same place holds the same bytes.
 */
static void
put_row(struct csv *v, struct pp_cursor *c, const struct csv_table *t,
    size_t i)
{
	const uint64_t seps = ONES * (unsigned char)v->sep;
	const char point = v->point;
	const struct csv_live *end = t->live + t->nlive;
	struct csv_live *l;
	char *p = c->p, *most = c->end - CELL_ROOM;
	pp_str s, *plain;
	unsigned tag;

	for (l = t->live; l < end; l++) {
		if (p > most) {
			c->p = p;
			pp_cursor_need(c, CELL_ROOM);
			p = c->p;
			most = c->end - CELL_ROOM;
		}
		memcpy(p, &seps, 8);
		p += l->gap;
		tag = l->tags[i];
		if (tag == 0)
			continue;
		if (!l->text) {
			p = pp_number_put(p, l->cells[i].num, tag - 1, point);
			continue;
		}
		s = l->cells[i].str;
		plain = &l->plain[(uintptr_t)s.p >> 4 & (PLAIN - 1)];
		if (s.p == plain->p && s.n == plain->n &&
		    s.n - 1 < PP_DEC_MAX) {
			p = copy_short(p, s);
			continue;
		}
		c->p = p;
		if (put_text(v, c, s))
			*plain = s;
		p = c->p;
		most = c->end - CELL_ROOM;
	}
	c->p = p;
	pp_cursor_need(c, CELL_ROOM);
	memcpy(c->p, &seps, 8);
	c->p += t->rest;
	put_row_end(v, c);
}

static struct csv_table *
find(struct csv *v, const struct pp_table *table)
{
	struct csv_table *t;

	for (t = v->tables; t != NULL; t = t->next)
		if (t->table == table)
			break;
	PP_ASSERT(t != NULL);
	return t;
}

static enum pp_status
sink_status(struct pp_wctx *w)
{
	return pp_sink_error(w->sink, NULL).n > 0 ? PP_FATAL : PP_OK;
}

static enum pp_status
csv_rows(struct pp_wctx *w, const struct pp_batch *b)
{
	struct csv *v = w->priv;
	struct csv_table *t = find(v, b->table);
	uint64_t before = v->z.repaired;
	struct pp_cursor c;
	size_t i;

	find_live(t, b);
	pp_cursor_open(&c, t->out);
	for (i = 0; i < b->rows; i++)
		put_row(v, &c, t, i);
	pp_cursor_close(&c);
	t->repaired += v->z.repaired - before;
	if (t->written != NULL)
		t->written->rows += b->rows;
	return sink_status(w);
}

/*
 * The table's file in a folder.  Names of pivots come from the user: what
 * some file system cannot have in a name becomes an underscore.
 */
static const char *
file_name(struct pp_wctx *w, const struct pp_table *table)
{
	size_t n = strlen(table->name), m = strlen(w->writer->suffix) + 1, i;
	char *name = pp_mem_alloc(w->mem, n + m);

	for (i = 0; i < n; i++) {
		char b = table->name[i];

		name[i] = (unsigned char)b < 0x20 || b == 0x7f ||
		    strchr("/\\:*?\"<>|", b) != NULL || (i == 0 && b == '.') ?
		    '_' : b;
	}
	memcpy(name + n, w->writer->suffix, m);
	return name;
}

/* Note the table for the file beside the tables. */
static struct pp_schema_table *
note_table(struct pp_wctx *w, struct csv *v, const struct pp_table *table,
    const char *name)
{
	struct pp_schema_table *x = pp_mem_zalloc(w->mem, sizeof(*x));
	size_t n = strlen(name);
	char *file;

	x->table = table;
	x->file = name;
	if (v->stream & PP_STREAM_GZIP) {
		file = pp_mem_alloc(w->mem, n + 4);
		memcpy(file, name, n);
		memcpy(file + n, ".gz", 4);
		x->file = file;
	}
	*v->last = x;
	v->last = &x->next;
	return x;
}

static enum pp_status
csv_begin(struct pp_wctx *w, const struct pp_table *table)
{
	struct csv *v = w->priv;
	struct csv_table *t = pp_mem_zalloc(w->mem, sizeof(*t));
	const char *name = file_name(w, table);
	struct pp_cursor c;
	size_t i;

	t->live = pp_mem_alloc(w->mem, table->ncolumns * sizeof(*t->live));
	t->table = table;
	t->out = pp_sink_stream_with(w->sink, name, v->stream);
	if (t->out == NULL)
		return PP_FATAL;
	if (pp_sink_is_folder(w->sink))
		t->written = note_table(w, v, table, name);
	t->next = v->tables;
	v->tables = t;
	pp_cursor_open(&c, t->out);
	if (v->excel)
		pp_cursor_bytes(&c, "\xef\xbb\xbf", 3);
	for (i = 0; i < table->ncolumns; i++) {
		if (i > 0)
			pp_cursor_byte(&c, v->sep);
		put_text(v, &c, pp_str_from(table->columns[i].name));
	}
	put_row_end(v, &c);
	pp_cursor_close(&c);
	return sink_status(w);
}

static void
drop(struct pp_wctx *w, struct csv_table *t)
{
	pp_mem_free(w->mem, t->live);
	pp_mem_free(w->mem, t);
}

static enum pp_status
csv_end(struct pp_wctx *w, const struct pp_table *table)
{
	struct csv *v = w->priv;
	struct csv_table *t = find(v, table), **at;

	if (t->written != NULL)
		pp_stream_finish(t->out, &t->written->sum);
	else
		pp_stream_close(t->out);
	if (t->repaired > 0 && w->diag != NULL)
		pp_diag_tell_n(w->diag, PP_MSG_SANITISED, 0, UINT64_MAX,
		    t->repaired, "%s: text that is not UTF-8 was repaired",
		    table->name);
	for (at = &v->tables; *at != t; at = &(*at)->next)
		;
	*at = t->next;
	drop(w, t);
	return sink_status(w);
}

static enum pp_status
csv_open(struct pp_wctx *w)
{
	struct csv *v = pp_mem_zalloc(w->mem, sizeof(*v));

	w->priv = v;
	v->sep = ',';
	v->point = '.';
	switch (w->opt.csv) {
	case PP_CSV_RFC4180:
		break;
	case PP_CSV_EXCEL_SEMICOLON:
		v->sep = ';';
		v->point = ',';
		v->excel = true;
		break;
	case PP_CSV_EXCEL:
		v->excel = true;
		break;
	}
	v->flatten = w->opt.flatten;
	v->stream = w->opt.gzip ? PP_STREAM_GZIP : 0;
	if (pp_sink_is_folder(w->sink))
		v->stream |= PP_STREAM_SUM;
	v->last = &v->written;
	pp_arena_init(&v->arena, w->mem, 4096);
	v->z = (struct pp_sanitiser){.mode = PP_SANE_UTF8, .out = &v->arena};
	return PP_OK;
}

static enum pp_status
tsv_open(struct pp_wctx *w)
{
	enum pp_status s = csv_open(w);
	struct csv *v = w->priv;

	v->sep = '\t';
	return s;
}

static enum pp_status
csv_close(struct pp_wctx *w)
{
	static const char *const dialect[] = {
		[PP_CSV_RFC4180] = "rfc4180",
		[PP_CSV_EXCEL] = "excel",
		[PP_CSV_EXCEL_SEMICOLON] = "excel-semicolon",
	};
	struct csv *v = w->priv;
	struct pp_schema_dialect d = {.format = w->writer->name,
		.name = dialect[w->opt.csv], .separator = v->sep,
		.point = v->point, .excel = v->excel};

	if (pp_sink_is_folder(w->sink) && sink_status(w) == PP_OK)
		pp_schema_json(w, v->written, &d);
	return sink_status(w);
}

/* Streams belong to the sink, all else goes with it or its memory. */
static void
csv_free(struct pp_wctx *w)
{
	struct csv *v = w->priv;
	struct csv_table *t, *next;

	if (v == NULL)
		return;
	for (t = v->tables; t != NULL; t = next) {
		next = t->next;
		drop(w, t);
	}
	pp_arena_free(&v->arena);
	pp_mem_free(w->mem, v);
	w->priv = NULL;
}

extern const struct pp_writer pp_writer_csv, pp_writer_tsv;

const struct pp_writer pp_writer_csv = {
	.name = "csv",
	.summary = "comma-separated values, a file a table",
	.suffix = ".csv",
	.caps = PP_W_INTERLEAVED | PP_W_FOLDER | PP_W_WIDE | PP_W_SINGLE | PP_W_GZIP,
	.open = csv_open,
	.begin = csv_begin,
	.rows = csv_rows,
	.end = csv_end,
	.close = csv_close,
	.free = csv_free
};

const struct pp_writer pp_writer_tsv = {
	.name = "tsv",
	.summary = "tab-separated values, a file a table",
	.suffix = ".tsv",
	.caps = PP_W_INTERLEAVED | PP_W_FOLDER | PP_W_WIDE | PP_W_SINGLE | PP_W_GZIP,
	.open = tsv_open,
	.begin = csv_begin,
	.rows = csv_rows,
	.end = csv_end,
	.close = csv_close,
	.free = csv_free
};
