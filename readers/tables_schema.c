/*
 * tables_schema.c: the part of JSON and of Frictionless packages that
 * schema.json needs.
 *
 * Sees base and the readers.  Members that are not known are passed over, so
 * that later versions may add some.
 */
#include "tables_schema.h"

#define DEPTH_MAX 64

struct scan {
	const char *p, *end;
	struct pp_mem *mem;
	struct pp_arena *a;
	unsigned depth;
	bool bad;
};

static char
look(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' ||
	    *s->p == '\t' || *s->p == '\r'))
		s->p++;
	return s->p < s->end ? *s->p : '\0';
}

static bool
fail(struct scan *s)
{
	s->bad = true;
	s->p = s->end;
	return false;
}

static bool
expect(struct scan *s, char c)
{
	if (look(s) != c)
		return fail(s);
	s->p++;
	return true;
}

static unsigned
hex4(struct scan *s)
{
	unsigned v = 0, d;
	int i;

	if (s->end - s->p < 4) {
		fail(s);
		return 0;
	}
	for (i = 0; i < 4; i++) {
		char c = *s->p++;

		d = c >= '0' && c <= '9' ? (unsigned)(c - '0') :
		    (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ?
		    (unsigned)((c | 0x20) - 'a') + 10 : 16;
		if (d > 15)
			fail(s);
		v = v << 4 | (d & 15);
	}
	return v;
}

static size_t
put_utf8(char *p, unsigned u)
{
	if (u < 0x80) {
		p[0] = (char)u;
		return 1;
	}
	if (u < 0x800) {
		p[0] = (char)(0xc0 | u >> 6);
		p[1] = (char)(0x80 | (u & 63));
		return 2;
	}
	p[0] = (char)(0xe0 | u >> 12);
	p[1] = (char)(0x80 | (u >> 6 & 63));
	p[2] = (char)(0x80 | (u & 63));
	return 3;
}

/* Behind a backslash; profpivot writes \u for controls only. */
static size_t
unescape(struct scan *s, char *to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	const char *at;
	char c = s->p < s->end ? *s->p++ : '\0';

	if (c == 'u')
		return put_utf8(to, hex4(s));
	at = c == '\0' ? NULL : strchr(from, c);
	if (at == NULL) {
		fail(s);
		return 0;
	}
	*to = into[at - from];
	return 1;
}

static pp_str
string(struct scan *s)
{
	const char *from, *q;
	size_t n = 0;
	char *to;

	if (!expect(s, '"'))
		return (pp_str){"", 0};
	from = s->p;
	for (q = from; q < s->end && *q != '"';)
		q += *q == '\\' && s->end - q > 1 ? 2 : 1;
	if (q == s->end) {
		fail(s);
		return (pp_str){"", 0};
	}
	/* no escape is shorter than what it stands for */
	to = pp_arena_alloc(s->a, (size_t)(q - from) + 1);
	while (s->p < q) {
		if (*s->p != '\\') {
			to[n++] = *s->p++;
			continue;
		}
		s->p++;
		n += unescape(s, to + n);
	}
	if (!s->bad)
		s->p = q + 1;
	return (pp_str){to, n};
}

/* The next member of an object, up to its colon; false behind the last. */
static bool
member(struct scan *s, bool *first, pp_str *key)
{
	if (s->bad)
		return false;
	if (*first && !expect(s, '{'))
		return false;
	if (look(s) == '}') {
		s->p++;
		return false;
	}
	if (!*first && !expect(s, ','))
		return false;
	*first = false;
	*key = string(s);
	return expect(s, ':');
}

static bool
item(struct scan *s, bool *first)
{
	if (s->bad)
		return false;
	if (*first && !expect(s, '['))
		return false;
	if (look(s) == ']') {
		s->p++;
		return false;
	}
	if (!*first && !expect(s, ','))
		return false;
	*first = false;
	return true;
}

/* A number, true, false or null as it stands. */
static pp_str
scalar(struct scan *s)
{
	const char *from;

	look(s);
	from = s->p;
	while (s->p < s->end && strchr(",]} \n\r\t", *s->p) == NULL)
		s->p++;
	if (s->p == from)
		fail(s);
	return (pp_str){from, (size_t)(s->p - from)};
}

static void
skip(struct scan *s)
{
	bool first = true;
	pp_str key;

	if (++s->depth > DEPTH_MAX)
		fail(s);
	switch (look(s)) {
	case '{':
		while (member(s, &first, &key))
			skip(s);
		break;
	case '[':
		while (item(s, &first))
			skip(s);
		break;
	case '"':
		string(s);
		break;
	default:
		scalar(s);
		break;
	}
	s->depth--;
}

/* A string, or passed over. */
static void
string_into(struct scan *s, pp_str *out)
{
	if (look(s) == '"')
		*out = string(s);
	else
		skip(s);
}

static void
char_into(struct scan *s, char *out)
{
	pp_str v = {"", 0};

	string_into(s, &v);
	if (v.n == 1)
		*out = v.p[0];
}

static void
field(struct scan *s, struct pp_tables_resource *r)
{
	struct pp_tables_column c = {.type = PP_T_TEXT,
		.name = {"", 0}, .help = {"", 0}};
	pp_str key, kind = {"", 0};
	bool first = true;
	void *v = r->columns;

	while (member(s, &first, &key)) {
		if (pp_str_eq(key, PP_STR("name")))
			string_into(s, &c.name);
		else if (pp_str_eq(key, PP_STR("description")))
			string_into(s, &c.help);
		else if (pp_str_eq(key, PP_STR("kind")))
			string_into(s, &kind);
		else if (pp_str_eq(key, PP_STR("decimalChar")))
			char_into(s, &r->point);
		else
			skip(s);
	}
	if (!pp_tables_type(kind, &c.type))
		fail(s);
	pp_mem_grow(s->mem, &v, &r->columns_cap, r->ncolumns + 1, sizeof(c));
	r->columns = v;
	r->columns[r->ncolumns++] = c;
}

static void
table_schema(struct scan *s, struct pp_tables_resource *r)
{
	bool first = true, one;
	pp_str key;

	while (member(s, &first, &key)) {
		if (!pp_str_eq(key, PP_STR("fields"))) {
			skip(s);
			continue;
		}
		one = true;
		while (item(s, &one))
			field(s, r);
	}
}

static void
dialect(struct scan *s, struct pp_tables_resource *r)
{
	bool first = true;
	pp_str key;

	while (member(s, &first, &key)) {
		if (pp_str_eq(key, PP_STR("delimiter")))
			char_into(s, &r->separator);
		else
			skip(s);
	}
}

static void
resource(struct scan *s, struct pp_tables_set *out)
{
	struct pp_tables_resource r = {.separator = ',', .point = '.',
		.name = {"", 0}, .path = {"", 0}, .help = {"", 0}, .hash = {"", 0},
		.encoding = {"", 0}};
	bool first = true;
	void *v = out->v;
	pp_str key;

	while (member(s, &first, &key)) {
		if (pp_str_eq(key, PP_STR("name")))
			string_into(s, &r.name);
		else if (pp_str_eq(key, PP_STR("path")))
			string_into(s, &r.path);
		else if (pp_str_eq(key, PP_STR("description")))
			string_into(s, &r.help);
		else if (pp_str_eq(key, PP_STR("hash")))
			string_into(s, &r.hash);
		else if (pp_str_eq(key, PP_STR("encoding")))
			string_into(s, &r.encoding);
		else if (pp_str_eq(key, PP_STR("rows")))
			r.has_rows = pp_u64_parse(scalar(s), &r.rows);
		else if (pp_str_eq(key, PP_STR("wide")))
			r.wide = pp_str_eq(scalar(s), PP_STR("true"));
		else if (pp_str_eq(key, PP_STR("pivot")))
			r.pivot = pp_str_eq(scalar(s), PP_STR("true"));
		else if (pp_str_eq(key, PP_STR("dialect")))
			dialect(s, &r);
		else if (pp_str_eq(key, PP_STR("schema")))
			table_schema(s, &r);
		else
			skip(s);
	}
	if (r.ncolumns == 0 || r.name.n == 0 || r.path.n == 0)
		fail(s);
	pp_mem_grow(s->mem, &v, &out->cap, out->n + 1, sizeof(r));
	out->v = v;
	out->v[out->n++] = r;
}

bool
pp_tables_schema(struct pp_mem *mem, struct pp_arena *a, pp_str text,
    struct pp_tables_set *out)
{
	struct scan s = {.p = text.p, .end = text.p + text.n, .mem = mem,
		.a = a};
	bool first = true, one, ours = false;
	pp_str key, name = {"", 0};

	memset(out, 0, sizeof(*out));
	while (member(&s, &first, &key)) {
		if (pp_str_eq(key, PP_STR("name"))) {
			string_into(&s, &name);
			ours = pp_str_eq(name, PP_STR("profpivot"));
		} else if (pp_str_eq(key, PP_STR("resources"))) {
			one = true;
			while (item(&s, &one))
				resource(&s, out);
		} else
			skip(&s);
	}
	return !s.bad && ours;
}
