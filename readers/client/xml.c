/*
 * xml.c: results in XML: -X of the clients, mysqldump --xml, phpMyAdmin,
 * Workbench.
 *
 *	<resultset statement="..."><row><field name="id">1</field>...
 *	<mysqldump><database><table_data name="t"><row><field ...
 *	<pma_xml_export><database><table name="t"><column name="id">1...
 *	<DATA><ROW><id>1</id>...
 *
 * -X writes a whole document for every result, with prompts and footers
 * between them, in the client's encoding without saying so, and control bytes
 * as they are.  So a document is cut out of the text (its closing tag cannot
 * stand in a value), and bytes that XML forbids, or that a parser would
 * change, travel through libxml2 as characters of the last private plane.
 */
#include <libxml/SAX2.h>
#include <libxml/parser.h>

#include "parse.h"

/* U+10FE00 + byte: F4 8F B8..BB .. */
#define CARRIER_LEN 4

/* Feed the parser so much at once. */
#define PIECE ((size_t)64 << 10)

struct field {
	size_t name, nname;	/* in text */
	size_t from, n;
	bool nil, hex, base64;
};

struct xml {
	struct pp_client *c;
	xmlParserCtxtPtr parser;
	char close[40];		/* the tag that ends the document */
	bool in_tag;
	char quote;		/* of the attribute at hand */

	unsigned depth, row_depth;	/* row_depth 0: in no row */
	bool in_field;
	char *text;		/* names and values of the row */
	size_t n, cap;
	struct field *fields;
	size_t nfields, fields_cap;
	char *carried;		/* a piece on its way to libxml2 */
	size_t carried_cap;
	pp_str *names;
	size_t names_cap;

	uint64_t line, offset;	/* of the row */
	bool any;		/* a set was begun in this document */
	bool pma;		/* NULL is the text NULL */
	pp_str statement, table;	/* in form_mem */
};

static const struct pp_cl_form xml_form;

/* ---------------------------------------------------------------- carriers */

static bool
carrier(const char *p, size_t n, unsigned char *byte)
{
	unsigned char b, d;

	if (n < CARRIER_LEN || p[0] != '\xf4' || p[1] != '\x8f')
		return false;
	b = (unsigned char)p[2];
	d = (unsigned char)p[3];
	if (b < 0xb8 || b > 0xbb || (d & 0xc0) != 0x80)
		return false;
	*byte = (unsigned char)((b - 0xb8u) << 6 | (d & 0x3fu));
	return true;
}

static size_t
carry(char *to, unsigned char byte)
{
	return pp_cl_put_utf8(to, 0x10fe00u + byte);
}

/* The character at p, valid for XML; 0: none. */
static size_t
xml_char(const char *p, const char *e)
{
	const unsigned char *s = (const unsigned char *)p;
	unsigned char byte;
	size_t n, i;

	if (s[0] < 0x80)
		return s[0] >= 0x20 || s[0] == '\n' || s[0] == '\t';
	n = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 :
	    s[0] < 0xf5 ? 4 : 0;
	if (n == 0 || (size_t)(e - p) < n)
		return 0;
	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f) ||
	    (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe) ||
	    carrier(p, n, &byte))
		return 0;
	return n;
}

/* p..e as libxml2 may have it, in x->carried; its length. */
static size_t
make_carried(struct xml *x, const char *p, const char *e)
{
	void *v = x->carried;
	size_t n = 0, len;
	char *to;

	pp_mem_grow(x->c->mem, &v, &x->carried_cap,
	    (size_t)(e - p) * CARRIER_LEN + 1, 1);
	x->carried = to = v;
	while (p < e) {
		if (*p == '\r' && x->c->crlf && p + 1 < e && p[1] == '\n') {
			p++;
			continue;
		}
		len = xml_char(p, e);
		if (x->in_tag && x->quote != '\0' &&
		    (*p == '\n' || *p == '\t'))
			len = 0;
		if (len == 0) {
			n += carry(to + n, (unsigned char)*p++);
			continue;
		}
		if (*p == '<' && x->quote == '\0')
			x->in_tag = true;
		else if (*p == '>' && x->quote == '\0')
			x->in_tag = false;
		else if (x->in_tag && (*p == '"' || *p == '\'')) {
			if (x->quote == '\0')
				x->quote = *p;
			else if (x->quote == *p)
				x->quote = '\0';
		}
		memcpy(to + n, p, len);
		n += len;
		p += len;
	}
	return n;
}

static void
add_text(struct xml *x, const char *p, size_t n)
{
	void *v = x->text;

	pp_mem_grow(x->c->mem, &v, &x->cap, x->n + n + 1, 1);
	x->text = v;
	memcpy(x->text + x->n, p, n);
	x->n += n;
}

/* Carriers back to what they carry, in place; the new length. */
static size_t
unload(char *s, size_t n)
{
	size_t i = 0, k = 0;
	unsigned char byte;
	char *f4;

	while (i < n) {
		f4 = memchr(s + i, '\xf4', n - i);
		if (f4 == NULL)
			f4 = s + n;
		memmove(s + k, s + i, (size_t)(f4 - s) - i);
		k += (size_t)(f4 - s) - i;
		i = (size_t)(f4 - s);
		if (i == n)
			break;
		if (carrier(s + i, n - i, &byte)) {
			s[k++] = (char)byte;
			i += CARRIER_LEN;
		} else {
			s[k++] = s[i++];
		}
	}
	return k;
}

/* -------------------------------------------------------------------- rows */

static unsigned
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') :
	    (c | 32) >= 'a' && (c | 32) <= 'f' ?
	    (unsigned)((c | 32) - 'a' + 10) : 16;
}

static pp_str
from_hex(struct pp_client *c, pp_str s)
{
	char *to = pp_arena_alloc(&c->row_mem, s.n / 2 + 1);
	size_t i, n = 0;

	if (s.n % 2 != 0)
		return s;
	for (i = 0; i < s.n; i += 2) {
		unsigned hi = hex_digit(s.p[i]), lo = hex_digit(s.p[i + 1]);

		if (hi > 15 || lo > 15)
			return s;
		to[n++] = (char)(hi << 4 | lo);
	}
	return (pp_str){to, n};
}

static pp_str
from_base64(struct pp_client *c, pp_str s)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789+/";
	char *to = pp_arena_alloc(&c->row_mem, s.n);
	uint32_t bits = 0;
	unsigned have = 0;
	size_t i, n = 0;
	const char *d;

	for (i = 0; i < s.n && s.p[i] != '='; i++) {
		if (s.p[i] == '\n' || s.p[i] == ' ')
			continue;
		d = s.p[i] != '\0' ? strchr(digits, s.p[i]) : NULL;
		if (d == NULL)
			return s;
		bits = (bits << 6 | (uint32_t)(d - digits)) & 0xffffffu;
		have += 6;
		if (have >= 8) {
			have -= 8;
			to[n++] = (char)(bits >> have & 0xff);
		}
	}
	return (pp_str){to, n};
}

static bool
same_names(const struct xml *x)
{
	const struct pp_rowset *rs = &x->c->rs;
	size_t i;

	if (!x->c->set || !x->any || rs->ncols != x->nfields)
		return false;
	for (i = 0; i < x->nfields; i++)
		if (!pp_str_eq(rs->names[i], (pp_str){
		    x->text + x->fields[i].name, x->fields[i].nname}))
			return false;
	return true;
}

static void
begin_set(struct xml *x)
{
	struct pp_client *c = x->c;
	void *v = x->names;
	size_t i;

	pp_mem_grow(c->mem, &v, &x->names_cap, x->nfields + 1,
	    sizeof(*x->names));
	x->names = v;
	for (i = 0; i < x->nfields; i++)
		x->names[i] = (pp_str){x->text + x->fields[i].name,
		    x->fields[i].nname};
	pp_cl_set(c, PP_FORM_XML, x->pma ? PP_LOSS_NULL : PP_LOSS_NUL,
	    x->names, x->nfields, c->p);
	c->rs.line = x->line;
	c->rs.offset = x->offset;
	if (x->statement.n != 0)
		pp_cl_set_statement(c, x->statement, x->line);
	pp_cl_set_table(c, x->table);
	x->any = true;
}

/* `cut`: the document ends inside the row, in its last field. */
static void
emit_row(struct xml *x, bool cut)
{
	struct pp_client *c = x->c;
	const struct field *f;
	size_t i;
	pp_str s;

	if (x->nfields == 0)
		return;
	if (cut && x->any && c->set && x->nfields < c->rs.ncols)
		;	/* the names so far are those of the set */
	else if (!same_names(x))
		begin_set(x);
	pp_cl_row_begin(c);
	for (i = 0; i < x->nfields; i++) {
		f = &x->fields[i];
		s = (pp_str){x->text + f->from, f->n};
		if (f->hex)
			s = from_hex(c, s);
		else if (f->base64)
			s = from_base64(c, s);
		if (f->nil)
			pp_cl_cell(c, (pp_str){"", 0}, PP_CELL_NULL);
		else if (x->pma && pp_str_eq(s, PP_STR("NULL")))
			pp_cl_cell(c, s, PP_CELL_PERHAPS);
		else
			pp_cl_cell(c, s, cut && i + 1 == x->nfields ?
			    PP_CELL_CUT : PP_CELL_TEXT);
	}
	pp_cl_row_at(c, x->line, x->offset, cut);
}

/* ------------------------------------------------------------------ events */

static bool
is(const xmlChar *s, const char *t)
{
	return xmlStrEqual(s, (const xmlChar *)t) != 0;
}

/* The attribute called name, with its carriers, or an empty string. */
static pp_str
attribute(const xmlChar **v, int n, const char *name)
{
	int i;

	for (i = 0; i < n; i++, v += 5)
		if (is(v[0], name))
			return (pp_str){(const char *)v[3],
			    (size_t)(v[4] - v[3])};
	return (pp_str){"", 0};
}

static pp_str
kept_attribute(struct xml *x, const xmlChar **v, int n, const char *name)
{
	pp_str s = attribute(v, n, name), entities;
	char *to;

	if (s.n == 0)
		return (pp_str){"", 0};
	to = pp_arena_alloc(&x->c->form_mem, s.n + 1);
	memcpy(to, s.p, s.n);
	s = (pp_str){to, unload(to, s.n)};
	/* libxml2 leaves some of them to the receiver */
	entities = pp_cl_entities(x->c, s);
	return entities.p == s.p ? s :
	    pp_arena_str(&x->c->form_mem, entities);
}

static void
begin_field(struct xml *x, const xmlChar *local, const xmlChar **v, int n)
{
	struct field *f;
	pp_str name = attribute(v, n, "name"), type;
	void *p = x->fields;

	if (name.n == 0)
		name = pp_str_from((const char *)local);
	pp_mem_grow(x->c->mem, &p, &x->fields_cap, x->nfields + 1,
	    sizeof(*x->fields));
	x->fields = p;
	f = &x->fields[x->nfields++];
	memset(f, 0, sizeof(*f));
	f->name = x->n;
	add_text(x, name.p, name.n);
	f->nname = unload(x->text + f->name, name.n);
	x->n = f->name + f->nname;
	f->from = x->n;
	f->nil = pp_str_eq(attribute(v, n, "nil"), PP_STR("true"));
	type = attribute(v, n, "type");
	f->hex = pp_str_ends(type, PP_STR("hexBinary"));
	f->base64 = pp_str_ends(type, PP_STR("base64Binary"));
	x->in_field = true;
}

static void
on_start(void *ctx, const xmlChar *local, const xmlChar *prefix,
    const xmlChar *uri, int nns, const xmlChar **ns, int n, int ndefault,
    const xmlChar **v)
{
	struct xml *x = ctx;
	bool pma;

	(void)uri;
	(void)nns;
	(void)ns;
	(void)ndefault;
	x->depth++;
	if (x->row_depth != 0) {
		if (x->depth == x->row_depth + 1)
			begin_field(x, local, v, n);
		return;
	}
	if (is(local, "resultset"))
		x->statement = kept_attribute(x, v, n, "statement");
	if (is(local, "table_data")) {
		x->table = kept_attribute(x, v, n, "name");
		x->any = false;
	}
	pma = is(local, "table") && prefix == NULL;
	x->pma |= pma;
	if (pma)
		x->table = kept_attribute(x, v, n, "name");
	if (pma || is(local, "row") || is(local, "ROW") ||
	    is(local, "DATA_RECORD")) {
		x->row_depth = x->depth;
		x->n = x->nfields = 0;
	}
}

static void
on_end(void *ctx, const xmlChar *local, const xmlChar *prefix,
    const xmlChar *uri)
{
	struct xml *x = ctx;
	struct field *f;

	(void)local;
	(void)prefix;
	(void)uri;
	if (x->row_depth != 0 && x->depth == x->row_depth + 1 &&
	    x->nfields != 0) {
		f = &x->fields[x->nfields - 1];
		f->n = x->n > f->from ?
		    unload(x->text + f->from, x->n - f->from) : 0;
		x->n = f->from + f->n;
		x->in_field = false;
	} else if (x->row_depth != 0 && x->depth == x->row_depth) {
		emit_row(x, false);
		x->row_depth = 0;
	}
	if (x->depth != 0)
		x->depth--;
}

static void
on_text(void *ctx, const xmlChar *s, int n)
{
	struct xml *x = ctx;

	if (x->in_field && n > 0)
		add_text(x, (const char *)s, (size_t)n);
}

static void
on_error(void *ctx, xmlErrorPtr error)
{
	(void)ctx;
	(void)error;
}

/* ------------------------------------------------------------------- steps */

static void
close_parser(struct xml *x)
{
	struct pp_mem *mem = x->c->mem;

	if (x->parser != NULL)
		xmlFreeParserCtxt(x->parser);
	x->parser = NULL;
	pp_mem_free(mem, x->text);
	pp_mem_free(mem, x->fields);
	pp_mem_free(mem, x->carried);
	pp_mem_free(mem, x->names);
	x->text = x->carried = NULL;
	x->fields = NULL;
	x->names = NULL;
	x->n = x->nfields = 0;
	x->cap = x->fields_cap = x->carried_cap = x->names_cap = 0;
}

static void
over(struct pp_client *c, struct xml *x, bool cut)
{
	bool in_row = x->row_depth != 0;

	if (x->parser != NULL)
		(void)xmlParseChunk(x->parser, "", 0, 1);
	in_row = in_row && x->row_depth != 0;
	if (in_row && x->nfields != 0) {
		struct field *f = &x->fields[x->nfields - 1];

		if (x->in_field) {
			f->n = unload(x->text + f->from, x->n - f->from);
			x->n = f->from + f->n;
		}
		c->sink.problem(c->sink.ctx, PP_MSG_CUT_RECORD, x->line,
		    x->offset, PP_STR("cut record: the document ends in a "
		    "row"));
		emit_row(x, true);
	}
	if (!x->any && !cut)
		pp_cl_note(c, PP_NOTE_EMPTY, x->statement, c->line,
		    pp_cl_offset(c, c->p));
	close_parser(x);
	if (c->set)
		pp_cl_set_done(c, cut);
	c->form = NULL;
}

/* Where the next row may begin, or the document end; c->e: not yet. */
static const char *
boundary(const struct pp_client *c, const struct xml *x, const char *p)
{
	const char *e = c->e;
	pp_str s;

	while (p < e && (p = memchr(p, '<', (size_t)(e - p))) != NULL) {
		s = (pp_str){p, (size_t)(e - p)};
		if (pp_str_starts(s, PP_STR("<row>")) ||
		    pp_str_starts(s, PP_STR("<ROW>")) ||
		    pp_str_starts(s, PP_STR("<table ")) ||
		    pp_str_starts(s, PP_STR("<DATA_RECORD>")) ||
		    pp_str_starts(s, pp_str_from(x->close)))
			return p;
		p++;
	}
	return e;
}

static void
feed(struct pp_client *c, struct xml *x, const char *to)
{
	const char *p = c->p;
	size_t n;

	while (p < to && !c->fatal) {
		const char *q = (size_t)(to - p) > PIECE ? p + PIECE : to;

		/* not inside a character or CR LF */
		while (q < to && (((unsigned char)*q & 0xc0) == 0x80 ||
		    q[-1] == '\r'))
			q++;
		n = make_carried(x, p, q);
		(void)xmlParseChunk(x->parser, x->carried, (int)n, 0);
		p = q;
	}
	pp_cl_take(c, to);
}

static enum pp_cl_step
step(struct pp_client *c)
{
	struct xml *x = c->state;
	pp_str s = {c->p, (size_t)(c->e - c->p)};
	const char *to;

	if (pp_str_starts(s, pp_str_from(x->close))) {
		feed(c, x, c->p + strlen(x->close));
		over(c, x, false);
		return PP_CL_GO;
	}
	if (x->row_depth == 0) {
		x->line = c->line;
		x->offset = pp_cl_offset(c, c->p);
	}
	to = boundary(c, x, c->p + 1);
	if (to == c->e && !c->last) {
		/* a tag, character or line end that is not all there */
		if (s.n < 64)
			return PP_CL_MORE;
		for (to = c->e; to > c->e - 48 && *--to != '<';)
			;
		if (*to != '<')
			to = c->e - 8;
		while (to > c->p + 1 && ((unsigned char)*to & 0xc0) == 0x80)
			to--;
		if (to > c->p + 1 && to[-1] == '\r')
			to--;
	}
	feed(c, x, to);
	return PP_CL_GO;
}

static void
finish(struct pp_client *c)
{
	over(c, c->state, true);
}

static void
drop(struct pp_client *c)
{
	close_parser(c->state);
}

static const struct pp_cl_form xml_form = {step, finish, drop};

/* The first element from p on: its name; empty: not in the window. */
static pp_str
root_of(const struct pp_client *c, const char *p)
{
	const char *e = c->e, *from;

	for (;;) {
		p = p < e ? memchr(p, '<', (size_t)(e - p)) : NULL;
		if (p == NULL || p + 1 >= e)
			return (pp_str){"", 0};
		if (p[1] == '!' && e - p > 4 && p[2] == '-') {
			size_t at = pp_str_find((pp_str){p,
			    (size_t)(e - p)}, PP_STR("-->"));

			p += at;
			continue;
		}
		if (p[1] == '?' || p[1] == '!') {
			p++;
			continue;
		}
		from = ++p;
		while (p < e && *p != '>' && *p != ' ' && *p != '\n' &&
		    *p != '\r' && *p != '\t' && *p != '/')
			p++;
		if (p == e)
			return (pp_str){"", 0};
		return (pp_str){from, (size_t)(p - from)};
	}
}

static void
open_parser(struct pp_client *c, struct xml *x)
{
	xmlSAXHandler sax;

	memset(&sax, 0, sizeof(sax));
	sax.initialized = XML_SAX2_MAGIC;
	sax.startElementNs = on_start;
	sax.endElementNs = on_end;
	sax.characters = on_text;
	sax.ignorableWhitespace = on_text;
	sax.cdataBlock = on_text;
	sax.serror = on_error;
	x->parser = xmlCreatePushParserCtxt(&sax, x, NULL, 0, NULL);
	if (x->parser == NULL)
		pp_mem_fail(c->mem);
	(void)xmlCtxtUseOptions(x->parser, XML_PARSE_RECOVER |
	    XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_NOERROR |
	    XML_PARSE_NOWARNING);
}

enum pp_cl_step
pp_cl_try_xml(struct pp_client *c, pp_str line)
{
	pp_str s = pp_str_trim(line), root;
	struct xml *x;

	if (!pp_str_starts(s, PP_STR("<?xml ")) &&
	    !pp_str_starts(s, PP_STR("<resultset")) &&
	    !pp_str_starts(s, PP_STR("<mysqldump")) &&
	    !pp_str_starts(s, PP_STR("<pma_xml_export")))
		return PP_CL_OVER;
	root = root_of(c, c->p);
	if (root.n == 0 && !c->last && c->e - c->p < 1 << 20)
		return PP_CL_MORE;
	if (root.n == 0 || root.n > 32)
		return PP_CL_OVER;
	x = pp_cl_form(c, &xml_form, sizeof(*x));
	x->c = c;
	memcpy(x->close, "</", 2);
	memcpy(x->close + 2, root.p, root.n);
	x->close[root.n + 2] = '>';
	x->statement = x->table = (pp_str){"", 0};
	/* what stands before the declaration is no part of the document */
	pp_cl_take(c, s.p);
	open_parser(c, x);
	return PP_CL_GO;
}
