/*
 * digests_prepare.c: what EXECUTE executes, in a list of statements.
 */
#include "digests.h"

/* Names of prepared statements that are remembered of a list. */
#define PREPARED_MAX 1024

/* The next word of *s, in the case that it has. */
static pp_str
word(pp_str *s)
{
	size_t n = 0;
	pp_str w;

	*s = pp_str_trim(*s);
	while (n < s->n && s->p[n] != ' ' && s->p[n] != '\t' &&
	    s->p[n] != '\n' && s->p[n] != ';')
		n++;
	w = (pp_str){s->p, n};
	*s = pp_str_skip(*s, n);
	return w;
}

pp_str
dg_prepared(struct pp_digests *d, struct pp_map *prepared, pp_str sql)
{
	pp_str rest = sql, verb = word(&rest), name = word(&rest);
	uint64_t h = pp_str_hash(name);
	uint32_t at;
	size_t n;

	if (pp_rs_same(verb, "execute")) {
		at = pp_map_get(prepared, h, name.n);
		if (at != PP_MAP_NONE)
			return pp_strtab_get(&d->strings, at);
		/* the values behind USING do not tell statements apart */
		return (pp_str){sql.p, (size_t)(rest.p - sql.p)};
	}
	if (!pp_rs_same(verb, "prepare") || !pp_rs_same(word(&rest), "from"))
		return sql;
	rest = pp_str_trim(rest);
	if (rest.n < 2 || (rest.p[0] != '\'' && rest.p[0] != '"') ||
	    prepared->count >= PREPARED_MAX)
		return sql;
	for (n = rest.n; n > 1 && rest.p[n - 1] != rest.p[0];)
		n--;
	if (n > 2)
		*pp_map_at(prepared, h, name.n) = pp_strtab_id(
		    &d->strings, (pp_str){rest.p + 1, n - 2});
	return sql;
}
