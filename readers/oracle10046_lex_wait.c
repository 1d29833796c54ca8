/*
 * oracle10046_lex_wait.c: the fields of a WAIT line of an Oracle trace.
 * Works on the bytes of one line; every read is bounded by its end.  The
 * quick twin is in oracle10046_lex.c.
 *
 *	WAIT #N: nam='NAME'[ c=N][ q=N] ela=[ ]N[ PARAM=N]...[ obj#=N][ tim=N]
 *
 * Up to 10.1 parameters are called p1 p2 p3 and neither obj# nor tim is
 * printed; from 10.2 on parameters have the names that their event gives
 * them.  c= and q= are samples that a SystemTap script puts in; it leaves
 * the number, or both keys, out where it has none.
 */
#include "oracle10046_lex.h"

/* Back from `p` over "[ c=[N]][ q=[N]]" and blanks to a quote, or NULL. */
static const char *
wait_quote(const char *from, const char *p)
{
	const char *q;

	while (p > from && p[-1] == ' ')
		p--;
	for (;;) {
		if (p > from && p[-1] == '\'')
			return p - 1;
		q = p;
		while (q > from && pp_scan_digit(q[-1]))
			q--;
		if (q - from < 3 || q[-1] != '=' || q[-3] != ' ' ||
		    (q[-2] != 'c' && q[-2] != 'q'))
			return NULL;
		for (p = q - 3; p > from && p[-1] == ' ';)
			p--;
	}
}

/* The SystemTap samples between name and ela=. */
static enum pp_o_verdict
wait_samples(const char *p, const char *e, struct pp_o_rec *r)
{
	while (p < e) {
		char k = *p++;
		int64_t v;
		enum pp_scan s;

		if (k == ' ')
			continue;
		p++;
		s = pp_scan_i64(&p, e, &v);
		if (s == PP_SCAN_RANGE)
			return PP_O_BAD;
		if (s == PP_SCAN_NONE)
			continue;
		if (k == 'c')
			r->u.wait.c = v, r->has |= PP_O_HAS_C;
		else
			r->u.wait.q = v, r->has |= PP_O_HAS_Q;
	}
	return PP_O_WHOLE;
}

/* A parameter's value, which may be unsigned with 64 bits. */
static bool
wait_number(const char **p, const char *e, int64_t *v)
{
	const char *q = *p;
	bool neg = q < e && *q == '-';
	uint64_t n = 0;
	unsigned d;

	q += neg;
	if (e - q > 2 && q[0] == '0' && q[1] == 'x') {
		for (q += 2; q < e; q++) {
			d = pp_scan_digit(*q) ? (unsigned)(*q - '0') :
			    *q >= 'a' && *q <= 'f' ? (unsigned)(*q - 'a') + 10 :
			    *q >= 'A' && *q <= 'F' ? (unsigned)(*q - 'A') + 10 :
			    16;
			if (d == 16 || n >> 60)
				break;
			n = n << 4 | d;
		}
	} else if (pp_scan_u64(&q, e, &n) != PP_SCAN_OK)
		return false;
	if (q < e && *q != ' ')
		return false;
	*p = q;
	*v = (int64_t)(neg ? 0 - n : n);
	return true;
}

/* Is the name between two values, but for blanks before it, k? */
static bool
named(const char *from, const char *eq, const char *k, size_t n)
{
	while (from < eq && *from == ' ')
		from++;
	return (size_t)(eq - from) == n && memcmp(from, k, n) == 0;
}
#define NAMED(lit) named(from, p - 1, lit, sizeof(lit) - 1)

/* Nothing but pairs like con_id=3, which a later release may print behind
 * tim. */
static bool
unknown_keys(const char *p, const char *e)
{
	const char *key;
	int64_t v;

	do {
		for (key = p; p < e && ((*p >= 'a' && *p <= 'z') || *p == '_');)
			p++;
		if (p == key || p == e || *p != '=' ||
		    (p - key == 3 && memcmp(key, "tim", 3) == 0))
			return false;
		p++;
		if (!wait_number(&p, e, &v))
			return false;
		pp_scan_blanks(&p, e);
	} while (p < e);
	return true;
}

/*
 * Parameters, obj# and tim.  A value is a number behind '=' with a blank or
 * the end behind it; a name is what lies between two values, so that names
 * may hold blanks and digits, or be empty.
 */
static enum pp_o_verdict
wait_tail(const char *p, const char *e, struct pp_o_rec *r)
{
	const char *begin = p, *from = p, *end = p, *q;
	int64_t v;
	unsigned npar = 0;

	while (p < e && (r->has & PP_O_HAS_TIM) == 0) {
		if (*p++ != '=')
			continue;
		q = p;
		if (!wait_number(&q, e, &v)) {
			while (q < e && (pp_scan_digit(*q) || *q == '-'))
				q++;
			if (q < e && *q == ' ' && p < q)
				return PP_O_BAD; /* too many digits */
			continue;
		}
		if (NAMED("tim")) {
			r->tim = v, r->has |= PP_O_HAS_TIM;
		} else if (NAMED("obj#")) {
			r->u.wait.obj = v == (int64_t)UINT32_MAX ? -1 : v;
			r->has |= PP_O_HAS_OBJ;
		} else {
			if (npar == 0 && NAMED("p1"))
				r->has |= PP_O_P123;
			if (npar < 3)
				r->u.wait.par[npar++] = v;
			end = q;
		}
		from = p = q;
		if (from < e)
			from++;
	}
	r->npar = (uint8_t)npar;
	if (begin < end && *begin == ' ')
		begin++;
	r->text = pp_o_str(begin, end);
	pp_scan_blanks(&from, e);
	if (from < e && (r->has & PP_O_HAS_TIM))
		return unknown_keys(from, e) ? PP_O_WHOLE : PP_O_BAD;
	if (from < e)
		return PP_O_CUT;
	/* obj# came with tim (10.2); before that there was neither. */
	return (r->has & (PP_O_HAS_OBJ | PP_O_HAS_TIM)) == PP_O_HAS_OBJ ?
	    PP_O_CUT : PP_O_WHOLE;
}

enum pp_o_verdict
pp_o_wait(const struct pp_o_head *h, const char *e, struct pp_o_rec *r)
{
	const char *p = h->rest, *name, *quote = NULL, *q;
	enum pp_scan s;

	r->kind = PP_O_WAIT;
	r->u.wait.obj = 0;
	if (!PP_SCAN_LIT(&p, e, " nam='"))
		return e - p < 6 && memcmp(p, " nam='", (size_t)(e - p)) == 0 ?
		    PP_O_CUT : PP_O_BAD;
	/* The name ends at the last quote that ela= follows. */
	name = p;
	for (q = e; q - name >= 6; q--)
		if (q[-1] == '=' && memcmp(q - 5, " ela", 4) == 0 &&
		    (quote = wait_quote(name, q - 5)) != NULL)
			break;
	if (!quote)
		return memchr(name, '=', (size_t)(e - name)) ? PP_O_BAD :
		    PP_O_CUT;
	r->name = pp_o_str(name, quote);
	r->hash = pp_str_hash(r->name);
	if (wait_samples(quote + 1, q - 5, r) != PP_O_WHOLE)
		return PP_O_BAD;
	while (q < e && *q == ' ')
		q++;
	s = pp_scan_i64(&q, e, &r->u.wait.ela);
	if (s == PP_SCAN_NONE)
		return q == e ? PP_O_CUT : PP_O_BAD;
	if (s == PP_SCAN_RANGE || (q < e && *q != ' '))
		return PP_O_BAD;
	return wait_tail(q, e, r);
}
