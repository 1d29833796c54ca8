/*
 * showprofile_asked.c: what the statement before a row set asks for.
 *
 *	SHOW PROFILE [type [, type]...] [FOR QUERY n] [LIMIT n [OFFSET n]]
 *	SELECT ... PROFILING ... [WHERE QUERY_ID = n ...] [LIMIT ...]
 *	CALL sys.show_profile_for_event_id(n)
 *
 * In pasted pages the statement stands somewhere in a line of text, so words
 * are looked for, not a grammar.  May touch model/base only.
 */
#include "showprofile.h"

static bool
is_word(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	    (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* The next word or sign; empty at the end. */
static pp_str
next(pp_str *s)
{
	pp_str w;
	size_t n = 0;

	while (s->n > 0 && (unsigned char)s->p[0] <= ' ')
		*s = pp_str_skip(*s, 1);
	while (n < s->n && is_word(s->p[n]))
		n++;
	if (n == 0 && s->n > 0)
		n = 1;
	w = (pp_str){s->p, n};
	if (n > 0)
		*s = pp_str_skip(*s, n);
	return w;
}

static bool
take(pp_str *s, const char *word)
{
	pp_str t = *s;

	if (!pp_rs_same(next(&t), word))
		return false;
	*s = t;
	return true;
}

static bool
take_number(pp_str *s, uint64_t *out)
{
	pp_str t = *s;

	if (!pp_u64_parse(next(&t), out))
		return false;
	*s = t;
	return true;
}

/* LIMIT n [OFFSET n], LIMIT n, n */
static void
read_limit(struct pp_sp_asked *a, pp_str s)
{
	if (!take_number(&s, &a->limit))
		return;
	a->has_limit = true;
	if (take(&s, ","))  {
		a->offset = a->limit;
		take_number(&s, &a->limit);
	} else if (take(&s, "OFFSET"))
		take_number(&s, &a->offset);
}

static bool
read_type(struct pp_sp_asked *a, pp_str *s)
{
	static const struct {
		const char *first, *second;
		unsigned types;
	} types[] = {
		{"ALL", NULL, (1u << PP_SP_TYPES) - 1},
		{"CPU", NULL, 1u << PP_SP_T_CPU},
		{"CONTEXT", "SWITCHES", 1u << PP_SP_T_CONTEXT},
		{"BLOCK", "IO", 1u << PP_SP_T_BLOCK},
		{"IPC", NULL, 1u << PP_SP_T_IPC},
		{"PAGE", "FAULTS", 1u << PP_SP_T_FAULTS},
		{"SWAPS", NULL, 1u << PP_SP_T_SWAPS},
		{"SOURCE", NULL, 1u << PP_SP_T_SOURCE},
		{"MEMORY", NULL, 0},
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		pp_str t = *s;

		if (!take(&t, types[i].first) ||
		    (types[i].second != NULL && !take(&t, types[i].second)))
			continue;
		a->types |= types[i].types;
		*s = t;
		return true;
	}
	return false;
}

/* Behind SHOW PROFILE. */
static void
read_show(struct pp_sp_asked *a, pp_str s)
{
	a->profile = a->typed = true;
	while (read_type(a, &s) && take(&s, ","))
		continue;
	if (take(&s, "FOR") && take(&s, "QUERY"))
		a->has_id = take_number(&s, &a->id);
	if (take(&s, "LIMIT"))
		read_limit(a, s);
}

/* Behind a column's name in a condition: = n, <=> n. */
static bool
read_equal(pp_str s, uint64_t *out)
{
	while (take(&s, "<") || take(&s, ">") || take(&s, "`"))
		continue;
	return take(&s, "=") && take_number(&s, out);
}

/*
 * A query of the table: only an equal QUERY_ID keeps all rows of a query, so
 * other conditions, ORs and groups say that rows may be missing.
 */
static void
read_select(struct pp_sp_asked *a, pp_str s)
{
	bool where = false;
	pp_str w;

	a->profile = true;
	while ((w = next(&s)).n > 0) {
		if (pp_rs_same(w, "WHERE") || pp_rs_same(w, "AND"))
			where = true;
		else if (pp_rs_same(w, "OR"))
			a->other = true;
		else if (pp_rs_same(w, "ORDER"))
			where = false;
		else if (where && pp_rs_same(w, "QUERY_ID")) {
			if (read_equal(s, &a->id))
				a->has_id = true;
			where = false;
		} else if (where && is_word(w.p[0])) {
			a->other = true;
			where = false;
		} else if (pp_rs_same(w, "LIMIT"))
			read_limit(a, s);
	}
}

bool
pp_sp_asked(struct pp_sp_asked *a, pp_str statement)
{
	pp_str s = statement, w, last = {"", 0};

	memset(a, 0, sizeof(*a));
	while ((w = next(&s)).n > 0) {
		if (pp_rs_same(w, "PROFILE") && pp_rs_same(last, "SHOW")) {
			read_show(a, s);
			return true;
		}
		if (pp_rs_same(w, "PROFILING") && (pp_rs_same(last, ".") ||
		    pp_rs_same(last, "FROM"))) {
			read_select(a, s);
			return true;
		}
		if (pp_rs_same(w, "SHOW_PROFILE_FOR_EVENT_ID") &&
		    take(&s, "(")) {
			a->profile = true;
			a->has_id = take_number(&s, &a->id);
			return true;
		}
		last = w;
	}
	return false;
}
