/*
 * reduce.c: pushing tokens with the reductions that MySQL and MariaDB do.
 *
 *	sign number	-> ?		where an expression begins
 *	? , ?		-> ?, ...	whatever stands before the first
 *	( ? )		-> (?)
 *	( ?, ... )	-> (...)
 *	(?) , (?)	-> (?) and the list mark; likewise (...)
 *	IN (?), IN (...) -> IN (...)	from MySQL 8.0 on
 *
 * A server never looks back across a name, because names have no fixed length
 * in its array of tokens; `barrier` keeps that.
 */
#include "reduce.h"

const char *const pp_sql_ops[OP_COUNT] = {
	[OP_LE] = "<=",
	[OP_GE] = ">=",
	[OP_NE] = "!=",
	[OP_EQUAL] = "<=>",
	[OP_SHL] = "<<",
	[OP_SHR] = ">>",
	[OP_AND] = "&&",
	[OP_OR] = "||",
	[OP_SET] = ":=",
	[OP_ARROW] = "->",
	[OP_ARROW2] = "->>",
	[OP_POWER] = "**",
	[OP_RANGE] = "..",
	[OP_NAMED] = "=>",
	[OP_CAST] = "::",
	[OP_HASH_ARROW] = "#>",
	[OP_HASH_ARROW2] = "#>>",
	[OP_CONTAINS] = "@>",
	[OP_WITHIN] = "<@",
	[OP_ANY_KEY] = "?|",
	[OP_ALL_KEYS] = "?&",
	[OP_RE_I] = "~*",
	[OP_RE_NOT] = "!~",
	[OP_RE_NOT_I] = "!~*",
	[OP_MATCH] = "@@",
	[OP_HASH_MINUS] = "#-",
	[OP_JSON_PATH] = "@?",
	[OP_LIKE] = "~~",
	[OP_LIKE_I] = "~~*",
	[OP_LIKE_NOT] = "!~~",
	[OP_LIKE_NOT_I] = "!~~*",
	[OP_DISTANCE] = "<->",
	[OP_EXCL_CONCAT] = "^@",
};

/* ---------------------------------------------------------------- stack */

struct frame *
pp_sql_open_frame(struct pp_digester *d)
{
	struct frame *f;

	if (d->nf == d->f_cap) {
		void *v = d->f;

		pp_mem_grow(d->mem, &v, &d->f_cap, d->nf + 1, sizeof(*f));
		d->f = v;
	}
	f = &d->f[d->nf++];
	f->open = (uint32_t)d->nt - (d->nt != 0);
	f->elem = f->prev = f->prev_end = (uint32_t)d->nt;
	f->has_prev = f->off = f->in = f->by = false;
	return f;
}

/* -------------------------------------------------------------- context */

bool
pp_sql_starts(const struct pp_digester *d, const struct tok *t)
{
	if (t->id >= T_WORD)
		return (d->flags[t->id - T_WORD] & F_START) != 0;
	switch (t->id) {
	case '(':
	case ',':
	case '|':
	case '&':
	case '+':
	case '-':
	case '*':
	case '/':
	case '%':
	case '^':
	case T_OF_OP(OP_SHL):
	case T_OF_OP(OP_SHR):
	case T_OF_OP(OP_AND):
	case T_OF_OP(OP_OR):
		return true;
	case '=':
	case '<':
	case '>':
	case T_OF_OP(OP_LE):
	case T_OF_OP(OP_GE):
	case T_OF_OP(OP_NE):
	case T_OF_OP(OP_EQUAL):
		return d->native9 || d->canonical;
	case T_NOT2:
		return true;
	default:
		if (!d->canonical)
			return false;
		return t->id == '[' || t->id == ':' || t->id == '~' ||
		    t->id == '!' || (t->id >= T_OP &&
		    t->id != T_OF_OP(OP_RANGE));
	}
}

/* An operator, comma or bracket: what follows is an operand. */
static bool
wants_operand(const struct pp_digester *d, const struct tok *t)
{
	if (t->id >= T_WORD)
		return (d->flags[t->id - T_WORD] & F_VALUE) != 0;
	if (t->id >= T_OP || t->id == T_CHARSET || t->id == T_NOT2 ||
	    t->id == T_HINT_END)
		return true;
	return t->id < 256 && t->id != ')' && t->id != ']' && t->id != '}' &&
	    t->id != '.' && t->id != ';' && t->id != 0;
}

/*
 * The grammar takes NULL for a literal or for a word (IS NULL, NOT NULL, SET
 * NULL, the attribute of a column, NULL ON EMPTY).  What stands before it
 * tells: a literal follows what wants an operand.
 */
bool
pp_sql_null_is_value(const struct pp_digester *d)
{
	const struct tok *t;

	if (d->nt == 0)
		return false;
	t = &d->t[d->nt - 1];
	if (t->id != d->w_not && t->id != T_NOT2)
		return wants_operand(d, t);
	/* NOT: an operator only where an operand could stand */
	if (d->nt < 2)
		return false;
	t--;
	return t->id == d->w_not || wants_operand(d, t);
}

/* --------------------------------------------------------------- pushes */

void
pp_sql_value(struct pp_digester *d, bool number)
{
	if (d->full)
		return;
	if (d->canonical)
		pp_canon_value(d);
	else
		pp_native_value(d, number);
}

/* NULL of 5.6: merged in lists, a word elsewhere. */
static void
null_token(struct pp_digester *d)
{
	uint16_t a = pp_native_last(d, 1), b = pp_native_last(d, 2);

	if (a == ',' && (b == T_VALUE || b == T_VALUES || b == d->w_null)) {
		pp_native_pop(d, 2);
		pp_native_store(d, T_VALUES);
	} else {
		pp_native_store(d, d->w_null);
	}
}

/* The lists of ORDER BY and GROUP BY, for MySQL 9's positions. */
static void
bracket9(struct pp_digester *d, char c)
{
	const struct tok *t;
	bool by;

	if (c == '(') {
		/* ROLLUP (1, 2) is a list as well */
		t = d->nt > 1 ? &d->t[d->nt - 2] : NULL;
		by = d->nf != 0 && d->f[d->nf - 1].by && t != NULL &&
		    (t->id == d->w_rollup || t->id == d->w_cube);
		pp_sql_open_frame(d)->by = by;
	} else if (d->nf > 1) {
		d->nf--;
	}
}

void
pp_sql_char(struct pp_digester *d, char c)
{
	if (c == '(')
		d->depth++;
	else if (c == ')' && --d->depth < 0)
		d->refused = true;
	if (d->full)
		return;
	if (d->canonical) {
		pp_canon_char(d, c);
		return;
	}
	if (c == ')') {
		pp_native_close(d);
	} else {
		pp_native_store(d, (unsigned char)c);
		d->check |= c == '*';
	}
	if (d->native9 && (c == '(' || c == ')'))
		bracket9(d, c);
}

/* Hints have a lexer of their own, which knows no operators. */
void
pp_sql_hint_char(struct pp_digester *d, char c)
{
	size_t n = d->nt;

	pp_sql_char(d, c);
	if (d->nt > n)
		d->t[d->nt - 1].fixed = true;
}

void
pp_sql_op(struct pp_digester *d, enum op op)
{
	if (!d->full)
		pp_native_store(d, T_OF_OP(op));
}

void
pp_sql_plain(struct pp_digester *d, uint16_t id)
{
	if (!d->full)
		pp_native_store(d, id);
}

/* Bytes as the server keeps them: doubled quotes are one. */
size_t
pp_sql_decoded(const char *p, size_t n, char quote)
{
	size_t i, m = 0;

	for (i = 0; i < n; i++, m++)
		if (quote && p[i] == quote && i + 1 < n && p[i + 1] == quote)
			i++;
	return m;
}

size_t
pp_sql_name_bytes(const struct tok *t)
{
	return t->quote ? pp_sql_decoded(t->p, t->n, t->quote) : t->n;
}

static void
name(struct pp_digester *d, const char *p, size_t n, char quote, bool quoted)
{
	if (d->full)
		return;
	if (d->canonical)
		pp_canon_name(d, p, n, quote, quoted, quote == 0 &&
		    !(d->nt != 0 && d->t[d->nt - 1].id == '.') ?
		    pp_sql_find(d, p, n) : NULL);
	else
		pp_native_name(d, T_NAME, p, n, quote,
		    quoted && d->slow_names);
}

void
pp_sql_name(struct pp_digester *d, const char *p, size_t n, char quote)
{
	name(d, p, n, quote, false);
}

/* The same for a name that was looked up: k, or NULL. */
void
pp_sql_known(struct pp_digester *d, const char *p, size_t n,
    const struct pp_sql_key *k)
{
	if (d->full)
		return;
	if (d->canonical)
		pp_canon_name(d, p, n, 0, false, k);
	else
		pp_native_name(d, T_NAME, p, n, 0, false);
}

/* The same for a name that was in quotes. */
void
pp_sql_quoted(struct pp_digester *d, const char *p, size_t n, char quote)
{
	name(d, p, n, quote, true);
}

void
pp_sql_name_at(struct pp_digester *d, const char *p, size_t n)
{
	if (d->full)
		return;
	pp_native_name(d, T_NAME_AT, p, n, 0, false);
}

void
pp_sql_position(struct pp_digester *d, const char *p, size_t n)
{
	if (!d->full)
		pp_native_name(d, T_POSITION, p, n, 0, false);
}

static void
word9(struct pp_digester *d, uint16_t id)
{
	struct frame *f = &d->f[d->nf - 1];
	uint16_t before = d->nt ? d->t[d->nt - 1].id : 0;

	if (id == d->w_by)
		f->by = before == d->w_order || before == d->w_group ||
		    before == d->w_partition;
	else if (d->flags[id - T_WORD] & F_LIST_END)
		f->by = false;
}

void
pp_sql_word(struct pp_digester *d, int row)
{
	uint16_t id = d->token[row];

	if (d->full)
		return;
	if (d->flags[id - T_WORD] & F_CHECK)
		d->check = true;
	if (d->canonical) {
		pp_canon_word(d, d->same[row]);
		return;
	}
	if (d->native9 && d->nf != 0)
		word9(d, id);
	if (id == d->w_null) {
		if (d->null_token)
			null_token(d);
		else if (pp_sql_null_is_value(d))
			pp_native_operand(d);
		else
			pp_native_store(d, id);
	} else if (id == d->w_rollup && pp_native_last(d, 1) == d->w_with) {
		pp_native_pop(d, 1);
		pp_native_store(d, T_ROLLUP);
	} else if (id == d->w_not && (d->opt.mode & PP_SQL_HIGH_NOT)) {
		pp_native_store(d, T_NOT2);
	} else {
		pp_native_store(d, id);
	}
}

/* The mark of a list of rows, read from a digest text. */
void
pp_sql_more(struct pp_digester *d)
{
	struct tok *t = d->nt ? &d->t[d->nt - 1] : NULL;

	if (t == NULL || d->full || d->canonical)
		return;
	if (t->id == T_ROW)
		pp_sql_retop(d, T_ROWS);
	else if (t->id == T_TUPLE)
		pp_sql_retop(d, T_TUPLES);
}
