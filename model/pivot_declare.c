/*
 * pivot_declare.c: the table that a pivot makes: its columns come from the
 * data.
 *
 * Sees base and table.h.
 */
#include "pivot_emit.h"

#define JOIN " / "	/* between the fields of a column's name */

static char
lower(char ch)
{
	return ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
}

/* Spreadsheets and databases take `Rows` and `rows` for one column. */
static pp_str
folded_name(struct pp_arena *a, pp_str s)
{
	char *p = pp_arena_alloc(a, s.n + 1);
	size_t i;

	for (i = 0; i < s.n; i++)
		p[i] = lower(s.p[i]);
	return (pp_str){p, s.n};
}

static size_t
append(char *to, size_t at, pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		to[at + i] = (unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f ?
		    '?' : s.p[i];
	return at + s.n;
}

/* A field as text. */
static pp_str
field_text(const struct pp_pivot *p, uint32_t key, size_t i, char *buf)
{
	const struct pp_pivot_list *l = &p->columns;
	union pp_cell c = {.num = 0};
	unsigned tag = pp_pivot_field(p, l, pp_pivot_key(l, key), i, &c);

	if (tag == 0)
		return PP_STR("(empty)");
	if (!pp_type_is_text(p->from->columns[l->field[i]].type))
		return (pp_str){buf, pp_dec_format(buf, c.num, tag - 1)};
	return c.str.n == 0 ? PP_STR("?") : c.str;
}

struct names {
	struct pp_strtab seen;
	struct pp_arena text;
};

/* s, or s with a number where that is taken, with a NUL, for good. */
static const char *
unique(struct names *v, struct pp_mem *mem, const char *s, size_t n)
{
	char *name = pp_mem_alloc(mem, n + 32), digits[PP_DEC_MAX];
	size_t len = n, k;
	unsigned i;

	memcpy(name, s, n);
	for (i = 2;; i++) {
		pp_str f = folded_name(&v->text, (pp_str){name, len});

		if (pp_strtab_find(&v->seen, f) == UINT32_MAX) {
			pp_strtab_id(&v->seen, f);
			break;
		}
		len = n;
		name[len++] = ' ';
		name[len++] = '(';
		k = pp_dec_format(digits, (pp_i128)i, 0);
		memcpy(name + len, digits, k);
		len += k;
		name[len++] = ')';
	}
	name[len] = '\0';
	return name;
}

static const char *
column_name(struct pp_pivot_emit *e, struct names *v, uint32_t key)
{
	struct pp_pivot *p = e->p;
	char buf[PP_DEC_MAX], *name;
	const char *made;
	size_t i, n = 0;

	for (i = 0; i < p->columns.n; i++)
		n += field_text(p, key, i, buf).n + sizeof(JOIN);
	name = pp_mem_alloc(p->mem, n + 1);
	n = 0;
	for (i = 0; i < p->columns.n; i++) {
		if (i > 0)
			n = append(name, n, PP_STR(JOIN));
		n = append(name, n, field_text(p, key, i, buf));
	}
	made = unique(v, p->mem, name, n);
	pp_mem_free(p->mem, name);
	return made;
}

static enum pp_type
value_type(const struct pp_pivot *p)
{
	enum pp_type t = p->from->columns[p->value].type;

	if (p->spec.op == PP_PIVOT_COUNT)
		return PP_T_INT;
	return p->spec.op == PP_PIVOT_AVG && t == PP_T_INT ? PP_T_DECIMAL : t;
}

static const char *
joined(struct pp_mem *mem, const char *a, const char *b, pp_str c)
{
	size_t n = strlen(a), m = strlen(b);
	char *s = pp_mem_alloc(mem, n + m + c.n + 1);

	memcpy(s, a, n);
	memcpy(s + n, b, m);
	if (c.n > 0)
		memcpy(s + n + m, c.p, c.n);
	s[n + m + c.n] = '\0';
	return s;
}

/* sum_time_s, count_event_id */
static const char *
value_name(const struct pp_pivot *p)
{
	return joined(p->mem, pp_pivot_op_name[p->spec.op], "_",
	    pp_str_from(p->from->columns[p->value].name));
}

static size_t
declare_wide(struct pp_pivot_emit *e, struct pp_column *c, size_t k)
{
	struct pp_pivot *p = e->p;
	enum pp_type type = value_type(p);
	const char *help = p->spec.help;
	struct names v;
	size_t i;

	if (help == NULL)
		help = joined(p->mem, pp_pivot_op_name[p->spec.op], " of ",
		    pp_str_from(p->from->columns[p->value].name));
	pp_strtab_init(&v.seen, p->mem);
	pp_arena_init(&v.text, p->mem, 4096);
	for (i = 0; i < k; i++)
		pp_strtab_id(&v.seen, folded_name(&v.text,
		    pp_str_from(c[i].name)));
	pp_strtab_id(&v.seen, PP_STR(PP_PIVOT_OTHER));
	if (p->spec.totals)
		pp_strtab_id(&v.seen, PP_STR(PP_PIVOT_TOTAL));
	if (p->columns.n == 0 && e->shown > 0)
		c[k++] = (struct pp_column){value_name(p), type, help};
	else
		for (i = 0; i < e->shown; i++)
			c[k++] = (struct pp_column){column_name(e, &v,
			    e->columns[i].key), type, help};
	if (e->other)
		c[k++] = (struct pp_column){PP_PIVOT_OTHER, type, help};
	if (p->spec.totals && p->columns.n > 0)
		c[k++] = (struct pp_column){PP_PIVOT_TOTAL, type, help};
	pp_arena_free(&v.text);
	pp_strtab_free(&v.seen);
	return k;
}

/* `other` and `total` stand in the first field of the columns: with them
 * asked for it is text, whatever it holds. */
static bool
labelled(const struct pp_pivot *p)
{
	return p->columns.n > 0 && (p->spec.top != 0 || p->spec.totals);
}

static size_t
declare_tall(struct pp_pivot_emit *e, struct pp_column *c, size_t k)
{
	const struct pp_pivot *p = e->p;
	size_t i;

	for (i = 0; i < p->columns.n; i++, k++) {
		c[k] = p->from->columns[p->columns.field[i]];
		if (i == 0 && labelled(p) && !pp_type_is_text(c[k].type))
			c[k].type = PP_T_TEXT;
	}
	c[k++] = (struct pp_column){value_name(p), value_type(p),
		p->spec.help != NULL ? p->spec.help : "value of the cell"};
	return k;
}

void
pp_pivot_declare(struct pp_pivot_emit *e)
{
	struct pp_pivot *p = e->p;
	struct pp_table *t = pp_mem_zalloc(p->mem, sizeof(*t));
	struct pp_column *c;
	size_t i, k = 0;

	c = pp_mem_alloc(p->mem, (p->rows.n + p->columns.n + 3 +
	    (e->wide ? e->shown : 0)) * sizeof(*c));
	if (p->spec.as != NULL)
		*t = *p->spec.as;
	else {
		t->name = joined(p->mem, "", "", p->spec.name);
		t->help = joined(p->mem, "the fields of the rows of a pivot ",
		    "of ", p->spec.table);
		t->order = "as the rows of the table first have their fields";
	}
	for (; k < p->rows.n - p->spec.hidden; k++)
		c[k] = p->from->columns[p->rows.field[k]];
	for (i = 0; i < k && p->spec.as != NULL; i++)
		c[i] = p->spec.as->columns[i];
	t->flags = PP_TABLE_PIVOT | (e->wide ? PP_TABLE_WIDE : 0);
	if (p->spec.as != NULL)
		t->flags = p->spec.as->flags;
	t->ncolumns = e->wide ? declare_wide(e, c, k) :
	    declare_tall(e, c, k);
	/* a table has a column */
	if (t->ncolumns == 0)
		c[t->ncolumns++] = (struct pp_column){value_name(p),
			value_type(p), t->help};
	t->columns = c;
	e->table = t;
}
