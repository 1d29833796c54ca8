/*
 * xlsx_sheet.c: rows as the XML of a sheet.
 *
 * Numbers are written as exact decimal text (what reads it takes the nearest
 * double), so no floating point and no locale takes part.  Text is a shared
 * string while the bounds of the table last, then inline: some viewers show
 * inline strings as empty, so the first and most repeated ones are shared.
 */
#include <string.h>

#include "xlsx.h"

#define FLUSH_AT ((size_t)128 << 10)

/* Room for a cell that is no inline string: reference, style, number. */
#define CELL_ROOM (PP_DEC_MAX + 64)

/* Text is measured for the column's width in so many rows at first, and in
 * one of 64 later. */
#define SAMPLE_ROWS 1000u

/* Lines of a text that a row shows. */
#define LINES_MAX 3u

/* Excel shows and keeps 15 digits; whole numbers with more are names. */
#define DIGITS_EXACT INT64_C(1000000000000000)

static void
room(struct pp_xlsx *x, struct pp_xlsx_sheet *s, size_t n)
{
	void *p = s->buf;

	if (s->cap - s->used >= n)
		return;
	pp_mem_grow(x->mem, &p, &s->cap, s->used + n, 1);
	s->buf = p;
}

static inline void
add(struct pp_xlsx_sheet *s, const char *p, size_t n)
{
	memcpy(s->buf + s->used, p, n);
	s->used += n;
}

#define ADD(s, lit) add((s), (lit), sizeof(lit) - 1)

static size_t
decimal(char *buf, uint64_t v)
{
	return pp_dec_format(buf, (pp_i128)v, 0);
}

size_t
pp_xlsx_escape(char *buf, pp_str s)
{
	char *o = buf;
	size_t i;

	for (i = 0; i < s.n; i++) {
		switch (s.p[i]) {
		case '&':
			memcpy(o, "&amp;", 5);
			o += 5;
			break;
		case '<':
			memcpy(o, "&lt;", 4);
			o += 4;
			break;
		case '>':
			memcpy(o, "&gt;", 4);
			o += 4;
			break;
		case '"':
			memcpy(o, "&quot;", 6);
			o += 6;
			break;
		default:
			*o++ = s.p[i];
		}
	}
	return (size_t)(o - buf);
}

size_t
pp_xlsx_number(char *buf, pp_i128 v, unsigned scale)
{
	pp_u128 u = v < 0 ? -(pp_u128)v : (pp_u128)v, limit = 1;
	unsigned digits = 0, drop;
	size_t n;

	while (digits < 39 && u >= limit) {
		digits++;
		if (digits < 39)
			limit *= 10;
	}
	if (digits > 17 && scale > 0) {
		drop = digits - 17;
		if (drop > scale)
			drop = scale;
		v = pp_dec_rescale(v, scale, scale - drop);
		scale -= drop;
	}
	n = pp_dec_format(buf, v, scale);
	if (scale == 0)
		return n;
	while (buf[n - 1] == '0')
		n--;
	if (buf[n - 1] == '.')
		n--;
	return n;
}

/* ------------------------------------------------------- shared strings */

static uint32_t
share(struct pp_xlsx *x, pp_str s)
{
	struct pp_strtab *t = &x->strings;
	uint32_t id;

	if (t->count < PP_XLSX_STRINGS &&
	    x->string_bytes + s.n <= PP_XLSX_STRING_BYTES) {
		size_t before = t->count;

		id = pp_strtab_id(t, s);
		if (t->count != before)
			x->string_bytes += s.n;
	} else
		id = pp_strtab_find(t, s);
	return id;
}

bool
pp_xlsx_strings(struct pp_xlsx *x, struct pp_xlsx_part *p)
{
	static const char head[] =
	    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
	    "<sst xmlns=\"http://schemas.openxmlformats.org/"
	    "spreadsheetml/2006/main\" count=\"";
	struct pp_xlsx_sheet b = {0};	/* only its buffer is used */
	bool ok = true;
	size_t i;

	room(x, &b, FLUSH_AT);
	ADD(&b, head);
	b.used += decimal(b.buf + b.used, x->string_refs);
	ADD(&b, "\" uniqueCount=\"");
	b.used += decimal(b.buf + b.used, x->strings.count);
	ADD(&b, "\">");
	for (i = 0; ok && i < x->strings.count; i++) {
		pp_str s = pp_strtab_get(&x->strings, (uint32_t)i);

		room(x, &b, s.n * 6 + 64);
		ADD(&b, "<si><t>");
		b.used += pp_xlsx_escape(b.buf + b.used, s);
		ADD(&b, "</t></si>");
		if (b.used >= FLUSH_AT) {
			ok = pp_xlsx_part_put(p, b.buf, b.used);
			b.used = 0;
		}
	}
	room(x, &b, 16);
	ADD(&b, "</sst>\n");
	ok = ok && pp_xlsx_part_put(p, b.buf, b.used) &&
	    pp_xlsx_part_end(p, true);
	pp_mem_free(x->mem, b.buf);
	return ok;
}

/* ---------------------------------------------------------------- cells */

/* <c r="AB12" s="4" up to where the type goes */
static inline void
cell_head(struct pp_xlsx_sheet *s, size_t col, enum pp_xlsx_style style)
{
	const struct pp_xlsx_column *c = &s->column[col];

	if (s->tall)
		style = pp_xlsx_tall_style(style);
	ADD(s, "<c r=\"");
	add(s, c->letters, c->nletters);
	add(s, s->row_text, s->row_len);
	ADD(s, "\"");
	add(s, pp_xlsx_style_text[style], s->style_len[style]);
}

static void
cell_shared(struct pp_xlsx *x, struct pp_xlsx_sheet *s, size_t col,
    uint32_t id, enum pp_xlsx_style style)
{
	cell_head(s, col, style);
	ADD(s, " t=\"s\"><v>");
	s->used += decimal(s->buf + s->used, id);
	ADD(s, "</v></c>");
	x->string_refs++;
}

static void
cell_inline(struct pp_xlsx *x, struct pp_xlsx_sheet *s, size_t col, pp_str t,
    enum pp_xlsx_style style)
{
	room(x, s, t.n * 6 + 2 * CELL_ROOM);
	cell_head(s, col, style);
	ADD(s, " t=\"inlineStr\"><is><t>");
	s->used += pp_xlsx_escape(s->buf + s->used, t);
	ADD(s, "</t></is></c>");
}

/* Characters of the widest line of t, as far as they matter for a width. */
static unsigned
text_chars(pp_str t)
{
	unsigned n = 0, most = 0;
	size_t i;

	for (i = 0; i < t.n && i < 256; i++) {
		unsigned char c = (unsigned char)t.p[i];

		if (c == '\n') {
			most = n > most ? n : most;
			n = 0;
		} else if ((c & 0xc0) != 0x80)
			n++;
	}
	return n > most ? n : most;
}

void
pp_xlsx_cell_text(struct pp_xlsx *x, struct pp_xlsx_sheet *s, size_t col,
    pp_str t, enum pp_xlsx_style style)
{
	struct pp_xlsx_column *c = &s->column[col];
	pp_str clean;
	uint32_t id;

	room(x, s, 2 * CELL_ROOM);
	if (c->last_id != UINT32_MAX && pp_str_eq(t, c->last)) {
		cell_shared(x, s, col, c->last_id, style);
		return;
	}
	clean = pp_sanitise(&x->sane, t);
	id = share(x, clean);
	if (id == UINT32_MAX)
		cell_inline(x, s, col, clean, style);
	else
		cell_shared(x, s, col, id, style);
	c->last = t;
	c->last_id = id;
	if (!c->seen)
		c->first_id = id;
	else if (id == UINT32_MAX || id != c->first_id)
		c->varied = true;
	c->seen = true;
	if (s->rows < SAMPLE_ROWS || s->rows % 64 == 0) {
		unsigned n = text_chars(clean);

		if (n > c->chars)
			c->chars = n;
	}
}

void
pp_xlsx_cell_number(struct pp_xlsx *x, struct pp_xlsx_sheet *s, size_t col,
    pp_i128 v, unsigned scale, enum pp_xlsx_style style)
{
	struct pp_xlsx_column *c = &s->column[col];
	size_t start;
	unsigned n, whole = 0, shown;

	room(x, s, 2 * CELL_ROOM);
	cell_head(s, col, style);
	ADD(s, "><v>");
	start = s->used;
	s->used += pp_xlsx_number(s->buf + start, v, scale);
	/* as shown: digits, a mark every three of them, the decimals */
	n = (unsigned)(s->used - start);
	while (whole < n && s->buf[start + whole] != '.')
		whole++;
	scale = pp_xlsx_decimals(style, scale);
	shown = whole + (whole - 1) / 3 + (scale ? scale + 1 : 0);
	if (shown > c->chars)
		c->chars = shown;
	ADD(s, "</v></c>");
}

static bool
has_lines(pp_str t)
{
	return t.n != 0 && memchr(t.p, '\n', t.n) != NULL;
}

static void
cell(struct pp_xlsx *x, struct pp_xlsx_sheet *s, size_t col,
    const union pp_cell *v, unsigned tag, enum pp_xlsx_style indent)
{
	enum pp_type type = s->column[col].type;
	char text[PP_DEC_MAX];

	if (tag == 0)
		return;
	s->column[col].used = true;
	if (pp_type_is_text(type)) {
		pp_xlsx_cell_text(x, s, col, v->str, indent != PP_XS_GENERAL ?
		    indent : s->column[col].long_text && has_lines(v->str) ?
		    PP_XS_LONG : s->column[col].text);
		return;
	}
	if (type == PP_T_INT && tag == 1 && (s->column[col].as_text ||
	    v->num >= DIGITS_EXACT || v->num <= -DIGITS_EXACT)) {
		pp_str t = {text, pp_dec_format(text, v->num, 0)};

		pp_xlsx_cell_text(x, s, col, pp_arena_str(&x->scratch, t),
		    PP_XS_ID);
		return;
	}
	pp_xlsx_cell_number(x, s, col, v->num, tag - 1,
	    s->column[col].plain && tag == 1 ? PP_XS_PLAIN :
	    pp_xlsx_number_style(type, tag - 1, v->num));
}

/* ----------------------------------------------------------------- rows */

static void
row_open(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	room(x, s, (s->ncolumns + 2) * CELL_ROOM);
	s->rows++;
	s->row_len = decimal(s->row_text, s->rows);
	ADD(s, "<row r=\"");
	add(s, s->row_text, s->row_len);
	ADD(s, "\"");
}

unsigned
pp_xlsx_head_width(size_t n)
{
	size_t w = n / 3 + 4;

	return w < PP_XLSX_WIDE ? PP_XLSX_WIDE : w > 32 ? 32 : (unsigned)w;
}

unsigned
pp_xlsx_head_lines(size_t n)
{
	size_t w = pp_xlsx_head_width(n) - 2, k = (n + w - 1) / w;

	return k < 1 ? 1 : k > 4 ? 4 : (unsigned)k;
}

/* The rest of the row's tag: its height where it has several lines. */
static void
row_height(struct pp_xlsx_sheet *s, unsigned count)
{
	if (count > 1) {
		ADD(s, " ht=\"");
		s->used += decimal(s->buf + s->used, count * 15u + 1);
		ADD(s, "\" customHeight=\"1\"");
	}
	ADD(s, ">");
}

void
pp_xlsx_row_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s, unsigned count)
{
	pp_xlsx_sheet_batch(s);
	row_open(x, s);
	row_height(s, count);
}

enum pp_status
pp_xlsx_row_end(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	room(x, s, CELL_ROOM);
	ADD(s, "</row>");
	if (s->used < FLUSH_AT)
		return PP_OK;
	if (!pp_xlsx_part_put(&s->part, s->buf, s->used))
		return pp_xlsx_disk(x, &s->part);
	s->used = 0;
	return PP_OK;
}

/* A row of a tree: folded level by level below the seventh. */
static enum pp_xlsx_style
row_outline(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t row)
{
	size_t at = (size_t)s->depth_at;
	pp_i128 depth = 0;
	unsigned level, indent;

	if (b->tags[at][row] == 1)
		depth = b->cells[at][row].num;
	level = depth < 0 ? 0 : depth > 7 ? 7 : (unsigned)depth;
	indent = depth < 0 ? 0 : depth > PP_XLSX_INDENTS ? PP_XLSX_INDENTS :
	    (unsigned)depth;
	if (level) {
		ADD(s, " outlineLevel=\"");
		s->used += decimal(s->buf + s->used, level);
		ADD(s, "\"");
	}
	if (level > s->levels)
		s->levels = level;
	(void)x;
	return indent ? (enum pp_xlsx_style)(PP_XS_INDENT + indent - 1) :
	    PP_XS_GENERAL;
}

/* Lines of a row's longest text, as far as they are shown. */
static unsigned
row_lines(const struct pp_xlsx_sheet *s, const struct pp_batch *b, size_t row)
{
	unsigned most = 1, n;
	size_t col;

	for (col = 0; col < s->ncolumns; col++) {
		const char *lf;
		pp_str t;

		if (!s->column[col].long_text || b->tags[col][row] == 0)
			continue;
		t = b->cells[col][row].str;
		for (n = 1; n < LINES_MAX && t.n; n++) {
			lf = memchr(t.p, '\n', t.n);
			if (lf == NULL)
				break;
			t = pp_str_skip(t, (size_t)(lf - t.p) + 1);
		}
		if (n > most)
			most = n;
	}
	return most;
}

enum pp_status
pp_xlsx_sheet_rows(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const struct pp_batch *b, size_t from, size_t to)
{
	unsigned lines;
	size_t row, col;

	for (row = from; row < to; row++) {
		enum pp_xlsx_style indent = PP_XS_GENERAL;

		row_open(x, s);
		if (s->depth_at >= 0)
			indent = row_outline(x, s, b, row);
		lines = s->long_text ? row_lines(s, b, row) : 1;
		s->tall = lines > 1;
		row_height(s, lines);
		for (col = 0; col < s->ncolumns; col++)
			cell(x, s, col, &b->cells[col][row],
			    b->tags[col][row], (int)col == s->indent_at ?
			    indent : PP_XS_GENERAL);
		if (s->kind == PP_XK_TIMELINE) {
			pp_xlsx_timeline_row(x, s, b, row);
			/* the label is made in the same place each time */
			s->column[s->ncolumns + 1].last_id = UINT32_MAX;
			pp_xlsx_cell_text(x, s, s->ncolumns + 1,
			    pp_str_from(x->tl.label), PP_XS_LABEL);
		}
		if (s->changes != NULL)
			pp_xlsx_changes_row(x, s, b, row);
		if (pp_xlsx_row_end(x, s) != PP_OK)
			return PP_FATAL;
	}
	s->tall = false;
	return PP_OK;
}

static unsigned
letters(char *to, size_t col)
{
	char tmp[4];
	unsigned n = 0, i;

	col++;
	do {
		col--;
		tmp[n++] = (char)('A' + col % 26);
		col /= 26;
	} while (col);
	for (i = 0; i < n; i++)
		to[i] = tmp[n - 1 - i];
	return n;
}

void
pp_xlsx_sheet_begin(struct pp_xlsx *x, struct pp_xlsx_sheet *s, size_t ncolumns)
{
	size_t i;

	s->ncolumns = ncolumns;
	s->depth_at = s->indent_at = -1;
	/* two more: a spacer and the labels beside the wide timeline */
	s->column = pp_mem_zalloc(x->mem, (ncolumns + 2) * sizeof(*s->column));
	for (i = 0; i < ncolumns + 2; i++) {
		s->column[i].nletters = letters(s->column[i].letters, i);
		s->column[i].last_id = UINT32_MAX;
	}
	for (i = 0; i < PP_XS_COUNT; i++)
		s->style_len[i] = (uint8_t)strlen(pp_xlsx_style_text[i]);
}

static void
column_begin(struct pp_xlsx *x, struct pp_xlsx_column *c,
    const struct pp_column *d)
{
	c->type = d->type;
	/* 15 digits or 16: one type for all of them */
	c->as_text = strcmp(d->name, "tim") == 0;
	c->plain = c->type == PP_T_INT && pp_xlsx_is_name(d->name);
	c->long_text = pp_column_is_long(d);
	c->text = c->type == PP_T_ID ? PP_XS_ID : c->long_text ? PP_XS_TEXT :
	    PP_XS_GENERAL;
	c->head = pp_arena_str(&x->keep, pp_sanitise(&x->again,
	    pp_str_from(d->name)));
	c->help = pp_arena_str(&x->keep, pp_str_from(d->help));
	c->unit = pp_column_unit(d);
}

enum pp_status
pp_xlsx_sheet_header(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	const struct pp_table *t = s->table;
	bool wide = s->wide;
	size_t i;

	s->headlines = 1;
	s->declared = true;
	for (i = 0; i < t->ncolumns; i++) {
		unsigned n = text_chars(pp_str_from(t->columns[i].name));

		column_begin(x, &s->column[i], &t->columns[i]);
		s->long_text = s->long_text || s->column[i].long_text;
		if (wide && pp_xlsx_head_lines(n) > s->headlines)
			s->headlines = pp_xlsx_head_lines(n);
	}
	row_open(x, s);
	row_height(s, s->headlines);
	for (i = 0; i < t->ncolumns; i++) {
		pp_xlsx_cell_text(x, s, i, pp_str_from(t->columns[i].name),
		    pp_xlsx_header_style(&s->column[i], wide));
		s->column[i].chars = 0;
		s->column[i].last_id = UINT32_MAX;
		s->column[i].seen = false;
	}
	return pp_xlsx_row_end(x, s);
}

void
pp_xlsx_sheet_batch(struct pp_xlsx_sheet *s)
{
	size_t i;

	for (i = 0; i < s->ncolumns + 2; i++)
		s->column[i].last_id = UINT32_MAX;
}

enum pp_status
pp_xlsx_sheet_end(struct pp_xlsx *x, struct pp_xlsx_sheet *s)
{
	if (!pp_xlsx_part_put(&s->part, s->buf, s->used) ||
	    !pp_xlsx_part_end(&s->part, false))
		return pp_xlsx_disk(x, &s->part);
	pp_mem_free(x->mem, s->buf);
	s->buf = NULL;
	s->used = s->cap = 0;
	pp_mem_free(x->mem, s->part.out);
	s->part.out = NULL;
	return PP_OK;
}
