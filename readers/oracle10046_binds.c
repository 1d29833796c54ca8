/*
 * oracle10046_binds.c: BINDS blocks to typed values.
 *
 *	 bind I: dty=I mxl=I(I) mal=.. oacflg=HEX ...	(up to 10.1)
 *	   bfp=HEX bln=I avl=I flg=HEX
 *	   value=...
 *	 Bind#I						(10.2 on)
 *	  oacdty=I mxl=I(I) mxlc=.. frm=I csi=I siz=I off=I
 *	  kxsbbbfp=HEX bln=I avl=I flg=HEX
 *	  value=...
 *
 * A value is a number as it stands, a string in quotes that may hold line
 * ends and is cut to what the server shows (avl is its true length), a dump
 * of memory, pairs of hexadecimal digits (strings of a national character
 * set), or missing: NULL.  `value= Bind#4` is an empty value and the head of
 * the next bind.  The lexer has found the block's end and taken out markers
 * that stood in it.
 */
#include "oracle10046_bind.h"

/* The next line of *s, without its line end; *s moves behind it. */
static pp_str
next_line(pp_str *s)
{
	const char *nl = s->n ? memchr(s->p, '\n', s->n) : NULL;
	pp_str line = {s->p, nl ? (size_t)(nl - s->p) : s->n};

	*s = pp_str_skip(*s, line.n + (nl != NULL));
	if (line.n > 0 && line.p[line.n - 1] == '\r')
		line.n--;
	return line;
}

static bool
number_at(pp_str s, size_t *i, uint64_t *out)
{
	size_t from = *i;

	while (*i < s.n && s.p[*i] >= '0' && s.p[*i] <= '9')
		++*i;
	return pp_u64_parse((pp_str){s.p + from, *i - from}, out);
}

/* A line that begins a bind: its position and where its fields begin. */
static bool
is_head(pp_str line, uint32_t *position, pp_str *rest)
{
	pp_str s = pp_str_trim(line);
	uint64_t n;
	size_t i;

	if (pp_str_starts(s, PP_STR("Bind#")) ||
	    pp_str_starts(s, PP_STR("bind "))) {
		i = 5;
		if (!number_at(s, &i, &n) || n > UINT32_MAX)
			return false;
		if (s.p[4] == ' ' && (i >= s.n || s.p[i++] != ':'))
			return false;
		*position = (uint32_t)n;
		*rest = pp_str_skip(s, i);
		return true;
	}
	return false;
}

/* `key=` followed by digits, at the start of a word. */
static bool
field(pp_str s, const char *key, uint64_t *out)
{
	pp_str k = pp_str_from(key);
	size_t i = 0, at;

	while ((at = pp_str_find(pp_str_skip(s, i), k)) < s.n - i) {
		i += at;
		if (i == 0 || s.p[i - 1] == ' ') {
			i += k.n;
			return number_at(s, &i, out);
		}
		i += k.n;
	}
	return false;
}

static void
read_fields(struct pp_of_bind *b, pp_str line)
{
	uint64_t v;

	if (field(line, "oacdty=", &v) || field(line, "dty=", &v))
		b->dty = (unsigned)v;
	if (field(line, "frm=", &v))
		b->frm = (unsigned)v;
	if (field(line, "csi=", &v))
		b->csi = (unsigned)v;
	if (field(line, "avl=", &v) && v < INT64_MAX)
		b->avl = (int64_t)v;
}

/* Behind `value=`; false when the line has none. */
static bool
value_of(pp_str line, pp_str *value)
{
	pp_str s = pp_str_trim(line);

	if (!pp_str_starts(s, PP_STR("value=")))
		return false;
	/* blanks at the end may be of the string */
	*value = pp_str_skip(line, (size_t)(s.p - line.p) + 6);
	return true;
}

/* Does a line go on a string, or does a bind begin? */
static bool
ends_string(pp_str line)
{
	uint32_t position;
	pp_str rest;

	return is_head(line, &position, &rest) && line.n > 0 &&
	    line.p[0] == ' ';
}

/*
 * A string from its opening quote: up to a quote at the end of a line, where
 * it has the bytes that it should have, or a bind or the end of the block
 * follows.
 */
static void
read_string(struct pp_of_bind *b, pp_str first, pp_str *rest)
{
	const char *from = first.p + 1;
	pp_str line = first, ahead;
	size_t have;

	for (;;) {
		const char *end = line.p + line.n;

		ahead = *rest;
		if (end > from && end[-1] == '"') {
			have = (size_t)(end - 1 - from);
			if ((int64_t)have >= b->avl || ahead.n == 0 ||
			    ends_string(next_line(&ahead))) {
				b->text = (pp_str){from, have};
				return;
			}
		}
		ahead = *rest;
		if (ahead.n == 0 || ends_string(next_line(&ahead))) {
			/* no closing quote: cut */
			b->text = (pp_str){from, (size_t)(end - from)};
			return;
		}
		line = next_line(rest);
	}
}

/* Lines of a dump or of pairs of hexadecimal digits. */
static void
read_dump(struct pp_of_bind *b, pp_str *rest)
{
	pp_str ahead = *rest, line;
	const char *from = NULL;

	while (ahead.n > 0) {
		line = next_line(&ahead);
		if (ends_string(line) || !pp_of_dump_line(line))
			break;
		if (from == NULL)
			from = line.p;
		b->dump = (pp_str){from, (size_t)(line.p + line.n - from)};
		*rest = ahead;
	}
}

static void
finish(struct pp_fold *f, struct pp_of_bind *b)
{
	struct pp_of_bindset *s = &f->bindset;
	struct pp_bind out;

	if (!b->open)
		return;
	b->open = false;
	pp_arena_reset(&s->text);
	out = (struct pp_bind){.position = b->position, .length = b->avl};
	out.type = pp_strtab_id(&f->m->names, pp_of_bind_type(b));
	out.known = pp_of_bind_value(&s->text, b, &out.value);
	pp_bind_put(f->mem, &s->set, &s->n, &s->cap, &out);
}

static void
begin(struct pp_of_bind *b, uint32_t position, pp_str rest)
{
	memset(b, 0, sizeof(*b));
	b->open = true;
	b->position = position;
	b->avl = -1;
	read_fields(b, rest);
}

/* A value line: what stands in it and the lines that go on with it. */
static void
read_value(struct pp_fold *f, struct pp_of_bind *b, pp_str value, pp_str *rest)
{
	uint32_t position;
	pp_str tail, trimmed = pp_str_trim(value);

	b->has_value = true;
	if (is_head(trimmed, &position, &tail)) {
		/* an empty value with the next bind behind it */
		finish(f, b);
		begin(b, position, tail);
		return;
	}
	if (value.n > 0 && value.p[0] == '"') {
		b->quoted = true;
		read_string(b, value, rest);
		return;
	}
	b->text = trimmed;
	read_dump(b, rest);
}

void
pp_of_binds(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_of_bindset *s = &f->bindset;
	struct pp_of_bind b = {0};
	pp_str rest = r->text, line, value, tail;
	uint32_t position, cursor = PP_OF_NONE;

	if (f->todo != 0)
		pp_of_ready(f, r);
	if (!f->m->raw)
		return;
	if (s->text.mem == NULL)
		pp_arena_init(&s->text, f->mem, 4096);
	s->n = 0;
	while (rest.n > 0) {
		line = next_line(&rest);
		if (is_head(line, &position, &tail)) {
			finish(f, &b);
			begin(&b, position, tail);
		} else if (b.open && value_of(line, &value)) {
			read_value(f, &b, value, &rest);
		} else if (b.open && !b.has_value) {
			read_fields(&b, line);
		}
	}
	finish(f, &b);
	if (r->cursor != 0)
		cursor = pp_of_cursor(f, r->cursor, f->s->index);
	pp_log_add(&f->m->log)->ev = (struct pp_ev){
		.kind = PP_EV_BINDS,
		.stmt = cursor == PP_OF_NONE ? PP_STMT_NONE :
		    f->cursors[cursor].stmt,
		.line = (uint32_t)r->line,
		.name = (uint32_t)s->n,
		.end = (int64_t)pp_bytelog_add(&f->m->binds, s->set, s->n),
		.dur = (int64_t)r->cursor,
	};
}
