/*
 * canon.c: the reductions of canonical texts.
 *
 * The canonical text of a statement must be the one of its DIGEST_TEXT on any
 * server, so these reductions begin with the servers' own (reduce.c) and go on
 * from there: what only some releases do is done for all, and what they keep
 * apart for the length of a list alone is brought together.
 *
 *	lists of values		as the servers have them; IN (?) is IN (...)
 *	rows			(?) , (?) -> (?): one or several, they are one
 *	elements of a bracket	E , E -> E , ...	where they have a value
 *				and differ in nothing else
 *	signs			taken from values wherever no operand is
 *				before them
 *	TRUE, FALSE, x'41'	values
 *	names			in lower case; a name that is a keyword on some
 *				server is a word
 *
 * An element that ends in a value and one that begins with one share a token
 * (?, ...) where a server has merged them: frame.elem == frame.prev_end.
 */
#include "push.h"

static struct tok *
top(struct pp_digester *d, size_t k)
{
	return d->nt >= k ? &d->t[d->nt - k] : NULL;
}

static bool
top_is(struct pp_digester *d, size_t k, uint16_t id)
{
	return d->nt >= k && d->t[d->nt - k].id == id;
}

/* ------------------------------------------------------------ comparing */

static bool
is_value(uint16_t id)
{
	return id == T_VALUE || id == T_VALUES || id == T_FIRST;
}

static bool
has_value(const struct pp_digester *d, size_t from, size_t to)
{
	uint16_t id;

	for (; from < to; from++) {
		id = d->t[from].id;
		/* behind @ it is the name of a variable */
		if (id == T_ROW || id == T_TUPLE || (is_value(id) &&
		    (from == 0 || d->t[from - 1].id != '@')))
			return true;
	}
	return false;
}

static bool
same_name(const struct tok *a, const struct tok *b)
{
	uint32_t i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++)
		if (pp_sql_upper[(unsigned char)a->p[i]] !=
		    pp_sql_upper[(unsigned char)b->p[i]])
			return false;
	return true;
}

static bool
same_token(const struct tok *a, const struct tok *b)
{
	if (a->id != b->id)
		return is_value(a->id) && is_value(b->id);
	return a->id != T_NAME || same_name(a, b);
}

/* Tokens a .. a+n-1 and b .. b+n-1 are the same but for their values. */
static bool
same_run(const struct pp_digester *d, size_t a, size_t b, size_t n)
{
	size_t i;

	/* their ends differ more often than their beginnings */
	for (i = n; i-- > 0;)
		if (!same_token(&d->t[a + i], &d->t[b + i]))
			return false;
	return true;
}

/* --------------------------------------------------- elements of a list */

/*
 * The element on top is complete: fold it into the one before it where they
 * are alike.
 */
static void
end_element(struct pp_digester *d)
{
	struct frame *f = &d->f[d->nf - 1];
	size_t n = d->nt - f->elem, prev = f->prev_end + 1 - f->prev;
	bool shared = f->has_prev && f->elem == f->prev_end;

	if (f->off || d->nt <= f->elem)
		return;
	if (f->has_prev && !(shared && n == 1) && n == prev &&
	    has_value(d, f->elem, d->nt) &&
	    same_run(d, f->prev, f->elem, n)) {
		if (shared) {
			pp_sql_cut(d, f->elem);
			pp_sql_push(d, T_VALUE);
		} else {
			pp_sql_cut(d, f->elem - 1);
		}
		if (d->t[d->nt - 1].id != T_MORE)
			pp_sql_push(d, T_MORE);
		return;
	}
	f->prev = f->elem;
	f->prev_end = (uint32_t)d->nt - 1;
	f->has_prev = true;
}

void
pp_canon_comma(struct pp_digester *d)
{
	if (d->nf > 1)
		end_element(d);
	pp_sql_push(d, ',');
	d->f[d->nf - 1].elem = (uint32_t)d->nt;
}

/* Signs in front of a value. */
static void
strip_signs(struct pp_digester *d)
{
	while (d->nt >= 2 && (top_is(d, 1, '-') || top_is(d, 1, '+')) &&
	    pp_sql_starts(d, top(d, 2)))
		pp_sql_cut(d, d->nt - 1);
}

void
pp_canon_value(struct pp_digester *d)
{
	struct frame *f = &d->f[d->nf - 1];

	strip_signs(d);
	if (d->nt >= 2 && top_is(d, 1, ',') && is_value(top(d, 2)->id)) {
		pp_sql_cut(d, d->nt - 1);
		if (top_is(d, 1, T_VALUE))
			pp_sql_retop(d, T_VALUES);
		f->elem = (uint32_t)d->nt - 1;
		return;
	}
	/* behind a folded element it cannot be known how many there were */
	pp_sql_push(d, d->nt >= 2 && top_is(d, 1, ',') &&
	    top_is(d, 2, T_MORE) ? T_FIRST : T_VALUE);
}

/*
 * `, ...` of a digest text: more values, when it is attached to one, else
 * more elements like the last.
 */
void
pp_canon_list(struct pp_digester *d, bool attached)
{
	if (attached) {
		pp_canon_value(d);
		return;
	}
	if (top_is(d, 1, ','))
		pp_sql_cut(d, d->nt - 1);
	d->f[d->nf - 1].elem = (uint32_t)d->nt;
	if (d->nt != 0 && !top_is(d, 1, T_MORE))
		pp_sql_push(d, T_MORE);
}

/* ----------------------------------------------------------------- rows */

/*
 * A bracket from token `start` on is complete.  If the element before it is
 * such a bracket and the same but for values, they are rows of one list.
 */
static void
fold_rows(struct pp_digester *d, size_t start)
{
	struct frame *f = &d->f[d->nf - 1];
	const struct tok *t;
	size_t n, at;
	bool row;

	row = start > 0 && d->t[start - 1].id == d->w_row;
	start -= row;
	n = d->nt - start;
	if (start < n + 1 || d->t[start - 1].id != ',' ||
	    !has_value(d, start, d->nt))
		return;
	at = start - 1 - n;
	if (!same_run(d, at, start, n))
		return;
	/* f(1), (1): what looks like a row is an argument list; the servers
	 * fold it all the same where it has values only */
	if (n > 1 && !row && at > 0) {
		t = &d->t[at - 1];
		if (t->id == T_NAME || (t->id >= T_WORD &&
		    (d->flags[t->id - T_WORD] & F_VALUE) == 0 &&
		    t->id != d->w_in))
			return;
	}
	pp_sql_cut(d, start - 1);
	f->elem = f->has_prev ? f->prev : (uint32_t)at;
	f->has_prev = false;
}

static void
close_bracket(struct pp_digester *d, char open, char c)
{
	struct frame f;
	struct tok *t;
	uint16_t row;

	if (d->nf <= 1) {
		pp_sql_push(d, (unsigned char)c);
		return;
	}
	end_element(d);
	f = d->f[--d->nf];
	if (f.in && top_is(d, 1, T_MORE))
		pp_sql_cut(d, d->nt - 1);
	t = top(d, 1);
	if (d->nt == f.open + 2 && d->t[f.open].id == (unsigned char)open &&
	    is_value(t->id) && open == '(') {
		row = f.in || t->id != T_VALUE ? T_TUPLE : T_ROW;
		pp_sql_cut(d, f.open);
		pp_sql_push(d, row);
	} else {
		if (f.in && d->nt == f.open + 2 && t->id == T_VALUE)
			pp_sql_retop(d, T_VALUES);
		pp_sql_push(d, (unsigned char)c);
	}
	if (c == ')' && !f.in)
		fold_rows(d, f.open);
}

static void
open_bracket(struct pp_digester *d, char c)
{
	bool in = d->nt != 0 && (top_is(d, 1, d->w_in) ||
	    (c == '[' && top_is(d, 1, d->w_array)));

	pp_sql_push(d, (unsigned char)c);
	pp_sql_open_frame(d)->in = in;
}

/* ---------------------------------------------------------------- names */

static bool
is_plain_word(const struct pp_digester *d, const struct tok *t)
{
	return t->id >= T_WORD &&
	    (pp_words[t->id - T_WORD].kind & WORD_CORE) == 0 &&
	    (d->flags[t->id - T_WORD] & (F_VALUE | F_HINTS)) == 0;
}

/* The name that a word is elsewhere. */
static void
word_as_name(struct pp_digester *d, uint16_t id)
{
	const struct spelling *s = &d->spell[id];

	pp_sql_push_name(d, T_NAME, s->text, s->n, 0, false);
}

/* The word left of a dot is a name, whatever it is elsewhere. */
static void
dot(struct pp_digester *d)
{
	struct tok *t = top(d, 1);
	uint16_t id;

	if (t != NULL && is_plain_word(d, t) &&
	    !(top_is(d, 2, '@') && top_is(d, 3, '@'))) {
		id = t->id;
		pp_sql_cut(d, d->nt - 1);
		word_as_name(d, id);
	}
	pp_sql_push(d, '.');
}

void
pp_canon_char(struct pp_digester *d, char c)
{
	switch (c) {
	case '(':
	case '[':
		open_bracket(d, c);
		break;
	case ')':
		close_bracket(d, '(', c);
		break;
	case ']':
		close_bracket(d, '[', c);
		break;
	case ',':
		pp_canon_comma(d);
		break;
	case '.':
		dot(d);
		break;
	default:
		pp_sql_push(d, (unsigned char)c);
		break;
	}
}

/* A name that reads like the word k, NULL: like none. */
void
pp_canon_name(struct pp_digester *d, const char *p, size_t n, char quote,
    bool quoted, const struct pp_sql_key *k)
{
	if (k != NULL && k->plain != 0 && !top_is(d, 1, '.')) {
		pp_canon_word(d, k->plain);
		return;
	}
	/* backquotes in other quotes are doubled */
	pp_sql_push_name(d, T_NAME, p, n, quote,
	    quoted && n != 0 && p[-1] != '`');
}

void
pp_canon_word(struct pp_digester *d, uint16_t id)
{
	struct frame *f = &d->f[d->nf - 1];
	bool is = top_is(d, 1, d->w_is) ||
	    (top_is(d, 1, d->w_not) && top_is(d, 2, d->w_is));

	if (top_is(d, 1, '.')) {
		word_as_name(d, id);
	} else if ((id == d->w_true || id == d->w_false) && !is) {
		pp_canon_value(d);
	} else if (id == d->w_null && pp_sql_null_is_value(d)) {
		pp_canon_value(d);
	} else {
		if (f->elem == d->nt && f->open + 1 == d->nt &&
		    (id == d->w_select || id == d->w_with))
			f->off = true;
		pp_sql_push(d, id);
	}
}
