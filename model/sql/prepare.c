/*
 * prepare.c: PREPARE, EXECUTE and DEALLOCATE PREPARE.  In the digests of
 * MySQL 9, and in canonical texts, their first word stands in front of the
 * statement that is prepared, and nothing else is shown:
 *
 *	PREPARE s FROM 'SELECT 1'	-> PREPARE SELECT ?
 *	EXECUTE s			-> EXECUTE SELECT ?
 *
 * A digester remembers what was prepared under a name last, for the
 * statements that come after it, or before it in a sorted list: nothing is
 * forgotten.
 */
#include "token.h"

struct scan {
	const char *p, *end;
};

static void
skip_space(struct scan *s)
{
	while (s->p < s->end && space_byte(*s->p))
		s->p++;
}

/* The word w (upper case) at s. */
static bool
take(struct scan *s, const char *w)
{
	const char *p;

	skip_space(s);
	for (p = s->p; *w != '\0'; w++, p++)
		if (p >= s->end ||
		    pp_sql_upper[(unsigned char)*p] != (unsigned char)*w)
			return false;
	if (p < s->end && name_byte(*p))
		return false;
	s->p = p;
	return true;
}

static bool
take_name(struct scan *s, pp_str *name)
{
	const char *from;

	skip_space(s);
	if (s->p < s->end && *s->p == '`') {
		from = s->p + 1;
		s->p = memchr(from, '`', (size_t)(s->end - from));
		if (s->p == NULL)
			return false;
		*name = (pp_str){from, (size_t)(s->p++ - from)};
		return true;
	}
	from = s->p;
	while (s->p < s->end && name_byte(*s->p))
		s->p++;
	*name = (pp_str){from, (size_t)(s->p - from)};
	return name->n != 0;
}

static char
escaped(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case '0':
		return ' ';
	default:
		return c;
	}
}

/* The string at s, what it says; it lives as long as the digester. */
static bool
take_string(struct pp_digester *d, struct scan *s, pp_str *text)
{
	char quote, *out;
	size_t n = 0;

	skip_space(s);
	if (s->p >= s->end || (*s->p != '\'' && *s->p != '"'))
		return false;
	quote = *s->p++;
	out = pp_arena_alloc(&d->texts, (size_t)(s->end - s->p) + 1);
	for (; s->p < s->end; s->p++) {
		if (*s->p == quote) {
			if (s->p + 1 == s->end || s->p[1] != quote)
				break;
			s->p++;
		} else if (*s->p == '\\' && s->p + 1 < s->end &&
		    !(d->opt.mode & PP_SQL_NO_BACKSLASH)) {
			s->p++;
			out[n++] = escaped(*s->p);
			continue;
		}
		out[n++] = *s->p;
	}
	*text = (pp_str){out, n};
	if (s->p >= s->end)
		return false;
	s->p++;
	return true;
}

/* Names of statements are compared without regard to case. */
static uint32_t *
place(struct pp_digester *d, pp_str name)
{
	uint64_t a = 0x9e3779b97f4a7c15u, b = name.n;
	size_t i;

	for (i = 0; i < name.n; i++) {
		a = (a ^ pp_sql_upper[(unsigned char)name.p[i]]) *
		    0xff51afd7ed558ccdu;
		b = (b ^ pp_sql_upper[(unsigned char)name.p[i]]) *
		    0x100000001b3u;
		a ^= a >> 32;
	}
	return pp_map_at(&d->prepared, a, b);
}

/* What was prepared under a name; empty where nothing was. */
static pp_str *
prepared(struct pp_digester *d, pp_str name)
{
	uint32_t *at = place(d, name);

	if (*at == PP_MAP_NONE) {
		void *v = d->prepared_texts;

		*at = (uint32_t)d->nprepared;
		pp_mem_grow(d->mem, &v, &d->prepared_cap,
		    d->nprepared + 1, sizeof(pp_str));
		d->prepared_texts = v;
		d->prepared_texts[d->nprepared++] = PP_STR("");
	}
	return &d->prepared_texts[*at];
}

static bool
at_end(struct scan *s)
{
	skip_space(s);
	while (s->p < s->end && *s->p == ';')
		s->p++;
	skip_space(s);
	return s->p == s->end;
}

/*
 * Is the statement one of the three?  *inner gets what it shows behind its
 * first word, *first.
 */
bool
pp_sql_prepared(struct pp_digester *d, pp_str *inner, uint16_t *first)
{
	struct scan s = {d->sql.p, d->sql.p + d->sql.n};
	pp_str name;

	skip_space(&s);
	if (s.p == s.end || ((*s.p | 32) != 'p' && (*s.p | 32) != 'e' &&
	    (*s.p | 32) != 'd'))
		return false;
	if (take(&s, "PREPARE")) {
		*first = d->w_prepare;
		if (!take_name(&s, &name) || !take(&s, "FROM") ||
		    !take_string(d, &s, inner) || !at_end(&s))
			return false;
		*prepared(d, name) = *inner;
		return true;
	}
	if (take(&s, "EXECUTE")) {
		*first = d->w_execute;
	} else if (take(&s, "DEALLOCATE") && take(&s, "PREPARE")) {
		*first = d->w_deallocate;
	} else {
		return false;
	}
	if (!take_name(&s, &name) || (!at_end(&s) &&
	    (*first != d->w_execute || !take(&s, "USING"))))
		return false;
	*inner = *prepared(d, name);
	return inner->n != 0;
}
