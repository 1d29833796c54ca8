/*
 * reduce.h: the reductions of the servers, as far as lexers want them at
 * hand: a call for each token costs as much as what it does.  Private to
 * model/sql; see reduce.c.
 *
 * Nothing here looks whether the digest is full already: who pushes two
 * tokens does.
 */
#ifndef PP_SQL_REDUCE_H
#define PP_SQL_REDUCE_H

#include "push.h"

/* Bytes of a token in a server's array. */
static inline uint32_t
pp_native_cost(uint16_t id, size_t n)
{
	if (id == T_NAME || id == T_NAME_AT)
		return n < 0xffff ? (uint32_t)(4 + n) : 0xffff + 4;
	return id == T_POSITION ? 6 : 2;
}

/* Room for a token of so many bytes?  If not, the rest is not looked at. */
static inline bool
pp_native_room(struct pp_digester *d, uint32_t bytes)
{
	if (d->used + bytes > d->limit) {
		d->full = true;
		return false;
	}
	d->used += bytes;
	return true;
}

static inline void
pp_native_store(struct pp_digester *d, uint16_t id)
{
	if (pp_native_room(d, 2))
		pp_sql_push(d, id);
}

/* The k-th token from the top (1: the top), as far as a server looks. */
static inline uint16_t
pp_native_last(const struct pp_digester *d, size_t k)
{
	return d->nt >= d->barrier + k ? d->t[d->nt - k].id : 0;
}

static inline void
pp_native_pop(struct pp_digester *d, size_t n)
{
	pp_sql_cut(d, d->nt - n);
	d->used -= 2 * n;
}

static inline void
pp_native_operand(struct pp_digester *d)
{
	uint16_t a = pp_native_last(d, 1), b = pp_native_last(d, 2);

	if (a == ',' && b == T_VALUES) {
		pp_native_pop(d, 1);
	} else if (a == ',' && (b == T_VALUE ||
	    (d->null_token && b == d->w_null))) {
		pp_native_pop(d, 2);
		pp_native_store(d, T_VALUES);
	} else {
		pp_native_store(d, T_VALUE);
	}
}

/* A value; a number takes the signs before it, where an operand begins. */
static inline void
pp_native_value(struct pp_digester *d, bool number)
{
	uint16_t a;

	while (number && d->nt >= d->barrier + 2) {
		a = pp_native_last(d, 1);
		if ((a != '-' && a != '+') ||
		    !pp_sql_starts(d, &d->t[d->nt - 2]))
			break;
		pp_native_pop(d, 1);
	}
	pp_native_operand(d);
}

static inline void
pp_native_close_row(struct pp_digester *d, uint16_t one, uint16_t many)
{
	uint16_t a, b;

	pp_native_pop(d, 2);
	a = pp_native_last(d, 1);
	b = pp_native_last(d, 2);
	if (a == ',' && b == many) {
		pp_native_pop(d, 1);
	} else if (a == ',' && b == one) {
		pp_native_pop(d, 2);
		pp_native_store(d, many);
	} else if (a == d->w_in && d->in_list) {
		pp_native_pop(d, 1);
		pp_native_store(d, T_IN);
	} else {
		pp_native_store(d, one);
	}
}

static inline void
pp_native_close(struct pp_digester *d)
{
	uint16_t a = pp_native_last(d, 1), b = pp_native_last(d, 2);

	if (a == T_VALUE && b == '(')
		pp_native_close_row(d, T_ROW, T_ROWS);
	else if (a == T_VALUES && b == '(')
		pp_native_close_row(d, T_TUPLE, T_TUPLES);
	else
		pp_native_store(d, ')');
}

static inline void
pp_native_name(struct pp_digester *d, uint16_t id, const char *p, size_t n,
    char quote, bool quoted)
{
	if (n > UINT32_MAX)
		n = UINT32_MAX;
	if (!pp_native_room(d, pp_native_cost(id, quote ?
	    pp_sql_decoded(p, n, quote) : n)))
		return;
	pp_sql_push_name(d, id, p, n, quote, quoted);
	d->barrier = d->nt;
}

/* A character that stands for nothing but itself. */
static inline void
pp_sql_plain_char(struct pp_digester *d, char c)
{
	if (d->canonical)
		pp_sql_push(d, (unsigned char)c);
	else
		pp_native_store(d, (unsigned char)c);
}

/* A word of which nothing is to be known but its token. */
static inline void
pp_sql_plain_word(struct pp_digester *d, const struct pp_sql_key *k)
{
	if (!d->canonical)
		pp_native_store(d, k->id);
	else if (d->nt != 0 && d->t[d->nt - 1].id == '.')
		pp_canon_word(d, k->id);
	else
		pp_sql_push(d, k->id);
}

#endif
