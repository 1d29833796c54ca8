/*
 * tables.c: what the readers of profpivot's own tables share.  Sees base,
 * table.h and the readers.
 */
#include "tables.h"

#define PP_TABLEREADER(name) \
	extern const struct pp_tablereader pp_tablereader_##name;
#include "tablereaders.def"
#undef PP_TABLEREADER

static const struct pp_tablereader *const readers[] = {
#define PP_TABLEREADER(name) &pp_tablereader_##name,
#include "tablereaders.def"
#undef PP_TABLEREADER
};
#define COUNT (sizeof(readers) / sizeof(readers[0]))

#define DIGITS_MAX 38	/* what 128 bits hold */
#define SCALE_MAX 24	/* what a cell holds */

const struct pp_tablereader *const *
pp_tablereaders(size_t *n)
{
	*n = COUNT;
	return readers;
}

const struct pp_tablereader *
pp_tablereader_named(pp_str name)
{
	size_t i;

	for (i = 0; i < COUNT; i++)
		if (pp_str_eq(name, pp_str_from(readers[i]->name)))
			return readers[i];
	return NULL;
}

const struct pp_tablereader *
pp_tablereader_probe(struct pp_mem *mem, const char *path)
{
	size_t i;

	for (i = 0; i < COUNT; i++)
		if (readers[i]->probe(mem, path))
			return readers[i];
	return NULL;
}

const struct pp_table *
pp_tables_known(const struct pp_tables *in, pp_str name, size_t *place)
{
	for (*place = 0; *place < in->nknown; ++*place)
		if (pp_str_eq(name, pp_str_from(in->known[*place]->name)))
			return in->known[*place];
	return NULL;
}

static bool
is_same(const struct pp_table *t, const struct pp_tables_column *c, size_t n)
{
	size_t i;

	if (t == NULL || t->ncolumns != n)
		return false;
	for (i = 0; i < n; i++)
		if (t->columns[i].type != c[i].type ||
		    !pp_str_eq(pp_str_from(t->columns[i].name), c[i].name))
			return false;
	return true;
}

static bool
is_name(pp_str s)
{
	return s.n > 0 && s.n <= PP_TABLES_NAME_MAX &&
	    memchr(s.p, '\0', s.n) == NULL;
}

/* With a NUL, for good. */
static const char *
keep(struct pp_mem *mem, pp_str s)
{
	char *p = pp_mem_alloc(mem, s.n + 1);

	if (s.n > 0)
		memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return p;
}

const struct pp_table *
pp_tables_declare(struct pp_tables *in, pp_str name, pp_str help,
    const struct pp_tables_column *c, size_t n, unsigned flags)
{
	size_t place, i;
	const struct pp_table *known = pp_tables_known(in, name, &place);
	struct pp_column *columns;
	struct pp_table *t;

	if (is_same(known, c, n))
		return known;
	if (n == 0 || n > PP_TABLES_COLUMNS_MAX || !is_name(name))
		return NULL;
	for (i = 0; i < n; i++)
		if (!is_name(c[i].name))
			return NULL;
	t = pp_mem_zalloc(in->mem, sizeof(*t));
	columns = pp_mem_alloc(in->mem, n * sizeof(*columns));
	for (i = 0; i < n; i++)
		columns[i] = (struct pp_column){keep(in->mem, c[i].name),
			c[i].type, keep(in->mem, c[i].help)};
	if (known != NULL)
		*t = *known;
	else {
		t->name = keep(in->mem, name);
		t->help = keep(in->mem, help);
		t->order = "as it was written";
		t->flags = flags;
	}
	t->columns = columns;
	t->ncolumns = n;
	return t;
}

bool
pp_tables_type(pp_str name, enum pp_type *out)
{
	static const enum pp_type all[] = {PP_T_TEXT, PP_T_ID, PP_T_INT,
		PP_T_SECONDS, PP_T_DECIMAL, PP_T_TIME};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (pp_str_eq(name, pp_str_from(pp_type_name(all[i])))) {
			*out = all[i];
			return true;
		}
	return false;
}

/* -digits[.digits], the digits behind the point being the scale. */
static bool
parse_number(pp_str s, char point, pp_i128 *out, unsigned *scale)
{
	pp_u128 v = 0;
	size_t i = 0, digits = 0;
	bool neg, behind = false;

	*scale = 0;
	neg = s.n > 0 && s.p[0] == '-';
	for (i = neg; i < s.n; i++) {
		unsigned d = (unsigned char)s.p[i] - (unsigned)'0';

		if (s.p[i] == point && !behind && i > (size_t)neg) {
			behind = true;
			continue;
		}
		if (d > 9 || (v > 0 && ++digits > DIGITS_MAX) ||
		    (behind && ++*scale > SCALE_MAX))
			return false;
		v = v * 10 + d;
	}
	*out = neg ? -(pp_i128)v : (pp_i128)v;
	return i > (size_t)neg && (!behind || *scale > 0);
}

/* 2024-03-26..., as dates of servers may be anything behind that. */
static bool
is_time(pp_str s)
{
	static const char form[] = "0000-00-00";
	size_t i;

	if (s.n < sizeof(form) - 1)
		return false;
	for (i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == '0' ? s.p[i] < '0' || s.p[i] > '9' :
		    s.p[i] != form[i])
			return false;
	return true;
}

bool
pp_tables_put(struct pp_rows *r, pp_str text, char point)
{
	enum pp_type type = r->batch.table->columns[r->column].type;
	unsigned scale;
	pp_i128 v;

	switch (type) {
	case PP_T_TIME:
		if (!is_time(text))
			return false;
		break;
	case PP_T_INT:
		if (!parse_number(text, '\0', &v, &scale))
			return false;
		pp_put_int(r, v);
		return true;
	case PP_T_SECONDS:
	case PP_T_DECIMAL:
		if (!parse_number(text, point, &v, &scale))
			return false;
		pp_put_dec(r, v, scale);
		return true;
	case PP_T_TEXT:
	case PP_T_ID:
		break;
	}
	pp_put_text(r, text);
	return true;
}

void
pp_tables_cancel(struct pp_rows *r)
{
	r->column = 0;
}
