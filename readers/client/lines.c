/*
 * lines.c: what single lines of a client's session look like.
 *
 * All of it is wording of the clients: mysql and mariadb, MySQL Shell, mycli,
 * psql.  Touches nothing.
 */
#include "parse.h"

static bool
digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool
pp_cl_blank(pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] != ' ' && s.p[i] != '\t' && s.p[i] != '\r')
			return false;
	return true;
}

/*
 * The clients end each row with a newline, so that one without it is cut;
 * but times have six digits behind the point at least, and a paste may have
 * lost the newline only.
 */
bool
pp_cl_may_go_on(pp_str cell)
{
	size_t dot = pp_str_find(cell, PP_STR("."));

	return !(cell.n - dot > 6 && pp_cl_number(cell)) &&
	    !(cell.n > 0 && cell.p[cell.n - 1] == '\t');
}

bool
pp_cl_number(pp_str s)
{
	size_t i = 0, digits = 0;

	if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
		i++;
	for (; i < s.n && digit(s.p[i]); i++)
		digits++;
	if (i < s.n && (s.p[i] == '.' || s.p[i] == ','))
		for (i++; i < s.n && digit(s.p[i]); i++)
			digits++;
	if (digits == 0)
		return false;
	if (i + 1 < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		i++;
		if (s.p[i] == '-' || s.p[i] == '+')
			i++;
		if (i == s.n)
			return false;
		while (i < s.n && digit(s.p[i]))
			i++;
	}
	return i == s.n;
}

/* A word that starts with a letter, perhaps an expression: COUNT(*). */
bool
pp_cl_identifier(pp_str s)
{
	size_t i;

	if (s.n == 0 || s.n > 256 ||
	    !(letter(s.p[0]) || s.p[0] == '_' || s.p[0] == '@' ||
	    (unsigned char)s.p[0] >= 0x80))
		return false;
	for (i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < ' ' || c == 0x7f)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ footers */

static bool
number_at(pp_str *s, uint64_t *v)
{
	size_t i = 0;

	*v = 0;
	while (i < s->n && i < 18 && digit(s->p[i]))
		*v = *v * 10 + (uint64_t)(s->p[i++] - '0');
	*s = pp_str_skip(*s, i);
	return i > 0;
}

bool
pp_cl_is_footer(pp_str line, uint64_t *rows)
{
	pp_str s = pp_str_trim(line);
	bool paren = s.n > 0 && s.p[0] == '(';

	if (paren)
		s = pp_str_skip(s, 1);
	if (!number_at(&s, rows))
		return false;
	if (pp_str_starts(s, PP_STR(" rows")))
		s = pp_str_skip(s, 5);
	else if (pp_str_starts(s, PP_STR(" row")))
		s = pp_str_skip(s, 4);
	else
		return false;
	if (paren)
		return pp_str_eq(s, PP_STR(")"));
	return pp_str_starts(s, PP_STR(" in set")) &&
	    (s.n == 7 || s.p[7] == ',' || s.p[7] == ' ' || s.p[7] == '.');
}

bool
pp_cl_is_empty_set(pp_str line)
{
	pp_str s = pp_str_trim(line);

	return pp_str_starts(s, PP_STR("Empty set")) &&
	    (s.n == 9 || s.p[9] == ' ' || s.p[9] == ',');
}

/* ------------------------------------------------------------------ prompts */

static bool
starts_word(pp_str s, const char *lower)
{
	size_t i, n = strlen(lower);

	if (s.n < n)
		return false;
	for (i = 0; i < n; i++) {
		char c = s.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c != lower[i])
			return false;
	}
	return true;
}

/* BEL and escape sequences of a terminal. */
static size_t
terminal_noise(pp_str s)
{
	size_t i = 0;

	while (i < s.n) {
		if (s.p[i] == '\a') {
			i++;
		} else if (s.p[i] == '\033' && i + 1 < s.n &&
		    s.p[i + 1] == '[') {
			for (i += 2; i < s.n && !letter(s.p[i]);)
				i++;
			if (i < s.n)
				i++;
		} else {
			break;
		}
	}
	return i;
}

/* "    -> ", "    '> ": the statement goes on. */
static size_t
continuation(pp_str s)
{
	static const char *const marks[] = {"->", "'>", "\">", "`>", "/*>"};
	size_t i = 0, k, n;

	while (i < s.n && i < 40 && s.p[i] == ' ')
		i++;
	for (k = 0; k < sizeof(marks) / sizeof(marks[0]); k++) {
		n = strlen(marks[k]);
		if (i + n <= s.n && memcmp(s.p + i, marks[k], n) == 0 &&
		    (i + n == s.n || s.p[i + n] == ' '))
			return i + n + (i + n < s.n);
	}
	return 0;
}

/* user@host...> */
static bool
names_user(pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '@')
			return i > 0;
		if (s.p[i] == ' ' || s.p[i] == '<' || s.p[i] == '|')
			return false;
	}
	return false;
}

size_t
pp_cl_prompt(pp_str line, bool *more)
{
	size_t skip = terminal_noise(line), i, n;
	pp_str s = pp_str_skip(line, skip);

	*more = false;
	if (s.n != 0 && s.p[0] == ' ' && (n = continuation(s)) != 0) {
		*more = true;
		return skip + n;
	}
	for (i = 0; i < s.n && i < 120 && s.p[i] != '>'; i++)
		;
	if (i == s.n || i == 120 || s.p[i] != '>' ||
	    (i + 1 < s.n && s.p[i + 1] != ' '))
		return 0;
	s.n = i;
	while (s.n > 0 && s.p[0] == ' ')
		s = pp_str_skip(s, 1);
	if (s.n > 0 && s.p[0] == '(')
		s = pp_str_skip(s, 1);
	if (!starts_word(s, "mysql") && !starts_word(s, "mariadb") &&
	    !names_user(s))
		return 0;
	n = skip + i + 1;
	return n + (n < line.n);
}

/* -------------------------------------------------------------- row headers */

/* Skip a run of stars or of U+2217, which some print instead; how many. */
static size_t
stars(pp_str *s)
{
	size_t n = 0;

	for (;; n++) {
		if (s->n > 0 && s->p[0] == '*')
			*s = pp_str_skip(*s, 1);
		else if (pp_str_starts(*s, PP_STR("\xe2\x88\x97")))
			*s = pp_str_skip(*s, 3);
		else
			return n;
	}
}

uint64_t
pp_cl_row_header(pp_str line)
{
	pp_str s = pp_str_trim(line);
	uint64_t n;

	if (pp_str_starts(s, PP_STR("-[ RECORD "))) {
		s = pp_str_skip(s, 10);
		return number_at(&s, &n) && pp_str_starts(s, PP_STR(" ]-")) ?
		    n : 0;
	}
	if (stars(&s) < 3)
		return 0;
	if (s.n > 0 && s.p[0] == '[')
		s = pp_str_skip(s, 1);
	if (s.n > 0 && s.p[0] == ' ')
		s = pp_str_skip(s, 1);
	if (!number_at(&s, &n) || !pp_str_starts(s, PP_STR(". row")))
		return 0;
	s = pp_str_trim(pp_str_skip(s, 5));
	if (s.n > 0 && s.p[0] == ']')
		s = pp_str_skip(s, 1);
	return stars(&s) >= 3 ? n : 0;
}

bool
pp_cl_ends_record(pp_str line)
{
	uint64_t n;
	bool more;
	pp_str s = pp_str_skip(line, terminal_noise(line));

	if (s.n == 0)
		return false;
	if (pp_cl_is_footer(s, &n) || pp_cl_is_empty_set(s) ||
	    pp_cl_row_header(s) != 0)
		return true;
	if (pp_str_starts(s, PP_STR("Query OK, ")) ||
	    pp_str_eq(s, PP_STR("Database changed")) ||
	    pp_str_eq(s, PP_STR("Bye")) ||
	    pp_str_starts(s, PP_STR("<?xml ")) ||
	    pp_str_eq(s, PP_STR("--------------")) ||
	    pp_str_starts(s, PP_STR("```")))
		return true;
	if (pp_str_starts(s, PP_STR("ERROR "))) {
		s = pp_str_skip(s, 6);
		return number_at(&s, &n) || pp_str_starts(s, PP_STR("at line"));
	}
	if (s.p[0] == '+' && pp_str_starts(s, PP_STR("+--")))
		return pp_cl_rule_like(s);
	return pp_cl_prompt(s, &more) != 0 && !more;
}

bool
pp_cl_elision(pp_str s)
{
	size_t i, dots = 0;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '.')
			dots++;
		else if (s.p[i] != ' ' && s.p[i] != '\t' && s.p[i] != '\r')
			return false;
	}
	return dots > 2;
}
