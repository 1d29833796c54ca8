/*
 * oracle10046_probe.c: what the head of a file tells: is it an Oracle trace,
 * when does it begin, which file does it continue.  Looks at lines one by one
 * and knows no more of the format than how they begin.
 */
#include "oracle10046_fold.h"

#define STARTS(s, lit) pp_str_starts(s, PP_STR(lit))

/* The next line of *s, without its end; NULs of damaged files end it too. */
static bool
next_line(pp_str *s, pp_str *line)
{
	size_t n;

	if (s->n == 0)
		return false;
	for (n = 0; n < s->n && s->p[n] != '\n' && s->p[n] != '\0'; n++)
		continue;
	*line = (pp_str){s->p, n};
	*s = pp_str_skip(*s, n + 1);
	if (n > 0 && line->p[n - 1] == '\r')
		line->n--;
	return true;
}

static bool
digit_at(pp_str s, size_t at)
{
	return at < s.n && s.p[at] >= '0' && s.p[at] <= '9';
}

/* Bytes of the keyword with which a record begins; 0: it is none. */
static size_t
record_bytes(pp_str s)
{
	static const pp_str cursor[] = {
		{"PARSE #", 7}, {"EXEC #", 6}, {"FETCH #", 7}, {"WAIT #", 6},
		{"CLOSE #", 7}, {"STAT #", 6}, {"BINDS #", 7},
		{"PARSING IN CURSOR #", 19}, {"ERROR #", 7}, {"UNMAP #", 7},
		{"SORT UNMAP #", 12}, {"PARSE ERROR #", 13},
	};
	static const pp_str other[] = {
		{"XCTEND rlbk=", 12}, {"RPC EXEC:c=", 11},
		{"APPNAME mod='", 13},
	};
	size_t i;

	for (i = 0; i < sizeof(cursor) / sizeof(cursor[0]); i++)
		if (pp_str_starts(s, cursor[i]) && digit_at(s, cursor[i].n))
			return cursor[i].n + 1;
	for (i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		if (pp_str_starts(s, other[i]))
			return other[i].n;
	if (STARTS(s, "LOB") && (i = pp_str_find(s, PP_STR(":"))) < s.n &&
	    (STARTS(pp_str_skip(s, i), ": type=") ||
	    STARTS(pp_str_skip(s, i), ": c=")))
		return i + 4;
	return 0;
}

/* Lines that any trace file of the server has, whatever it holds. */
static bool
is_header(pp_str s)
{
	return STARTS(s, "Trace file ") || STARTS(s, "Dump file ") ||
	    STARTS(s, "Unix process pid: ") ||
	    STARTS(s, "Windows thread id: ") ||
	    STARTS(s, "Oracle process number: ") ||
	    STARTS(s, "Redo thread mounted by this instance: ") ||
	    STARTS(s, "*** SESSION ID:(") ||
	    STARTS(s, "*** [ Unix process pid: ") ||
	    STARTS(s, "*** TRACE ") || STARTS(s, "ORACLE V") ||
	    ((STARTS(s, "Oracle") || STARTS(s, "Personal Oracle")) &&
	    pp_str_find(s, PP_STR(" Release ")) < s.n);
}

/* "*** 2024-..." */
static bool
is_stamp(pp_str s)
{
	return STARTS(s, "*** ") && digit_at(s, 4) && s.n > 13 &&
	    s.p[8] == '-' && s.p[11] == '-';
}

int
pp_of_probe(pp_str head)
{
	int bits = 0, weak = 0;
	pp_str line;
	size_t n;

	if (STARTS(head, "\xef\xbb\xbf"))
		head = pp_str_skip(head, 3);
	while (bits < 1 << 20 && next_line(&head, &line)) {
		n = record_bytes(line);
		bits += 8 * (int)n;
		/* headers alone: any server process writes them, and the
		 * records may still come */
		if (n == 0 && weak < 64 && (is_header(line) ||
		    is_stamp(line)))
			weak += 8;
	}
	return bits + weak;
}

static bool
find_tim(pp_str line, int64_t *tim)
{
	size_t at = pp_str_rfind(line, PP_STR("tim=")), n;
	pp_str s = pp_str_skip(line, at + 4);

	if (at == line.n)
		return false;
	for (n = 0; digit_at(s, n); n++)
		continue;
	return pp_i64_parse((pp_str){s.p, n}, tim);
}

static pp_str
base_name(pp_str path)
{
	size_t n = path.n;

	while (n > 0 && path.p[n - 1] != '/' && path.p[n - 1] != '\\')
		n--;
	return pp_str_skip(path, n);
}

static void
peek_marker(pp_str line, struct pp_peek *out)
{
	static const pp_str from[] = {
		{"*** TRACE CONTINUED FROM FILE ", 30},
		{"*** TRACE DUMP CONTINUED FROM FILE ", 35},
	};
	pp_str s = pp_str_skip(line, 4);
	size_t i, used;

	for (i = 0; i < 2; i++) {
		if (!pp_str_starts(line, from[i]))
			continue;
		s = pp_str_trim(pp_str_skip(line, from[i].n));
		if (pp_str_ends(s, PP_STR("***")))
			s.n -= 3;
		out->continues = base_name(pp_str_trim(s));
		return;
	}
	if (out->first.known)
		return;
	i = pp_str_rfind(s, PP_STR(") "));
	if (!is_stamp(line) && i < s.n)
		s = pp_str_skip(s, i + 2);
	if (!pp_oracle_stamp(s, &out->first, &used))
		out->first.known = false;
}

void
pp_of_peek(pp_str head, struct pp_peek *out)
{
	pp_str line;

	if (STARTS(head, "\xef\xbb\xbf"))
		head = pp_str_skip(head, 3);
	while (next_line(&head, &line)) {
		if (STARTS(line, "*** "))
			peek_marker(line, out);
		else if (!out->has_tick && !STARTS(line, "ERROR #") &&
		    record_bytes(line) != 0)
			out->has_tick = find_tim(line, &out->tick);
	}
}
