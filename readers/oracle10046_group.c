/*
 * oracle10046_group.c: records of an Oracle trace that take several lines.
 *
 *	PARSING IN CURSOR #N len=N ...		PARSE ERROR #N:len=N ...
 *	TEXT of any number of lines		TEXT of len bytes
 *	END OF STMT
 *
 * Text is not escaped, so it may hold anything, records and END OF STMT
 * included.  `len` settles what is meant where it fits; it may exceed the
 * printed bytes by 2 (a CR LF or LF NUL that is not printed) or 1 (NUL).
 * Copies that were made anonymous have any len, so that END OF STMT decides
 * where len does not.
 *
 * Also here: a record that was broken over lines is put together.
 */
#include "oracle10046_lex.h"

#define END_OF_STMT "END OF STMT"
#define NEND (sizeof(END_OF_STMT) - 1)
#define SLACK 2u		/* by which len may exceed what is printed */
#define LOOK_AHEAD 65536	/* for a second END OF STMT */
#define LOOK_BACK 65536

/* Line ends of the file in a..b. */
static uint64_t
count_lines(const struct pp_o_lexer *lx, const char *a, const char *b)
{
	struct pp_o_line l;
	uint64_t n = 0;

	for (; a < b && pp_o_line_at(lx, a, &l) && l.next <= b; a = l.next)
		n += l.count;
	return n;
}

pp_str
pp_o_strip_cr(struct pp_o_lexer *lx, const char *p, const char *e)
{
	const char *q;
	char *w, *copy;

	if (e > p && e[-1] == '\r')
		e--;
	for (q = p; (q = memchr(q, '\n', (size_t)(e - q))) != NULL; q++)
		if (q == p || q[-1] != '\r')
			return pp_o_str(p, e);
	if (e == p)
		return pp_o_str(p, e);
	w = copy = pp_arena_alloc(&lx->out->text, (size_t)(e - p));
	for (q = p; q < e; q++)
		if (*q != '\r' || q + 1 == e || q[1] != '\n')
			*w++ = *q;
	return pp_o_str(copy, w);
}

/* --- joined records ---------------------------------------------------- */

/* Put the rest of a record behind it; how, is for the fields to tell. */
static enum pp_o_verdict
join_fields(const char *p, const char *e, enum pp_o_verdict was,
    struct pp_o_rec *r)
{
	struct pp_o_head h = pp_o_classify(p, e);
	enum pp_o_verdict v;

	*r = (struct pp_o_rec){0};
	if (h.class == PP_O_C_MARKER)
		return pp_o_marker(p, e, r);
	if (h.class == PP_O_C_NONE || h.range)
		return PP_O_BAD;
	v = h.cut ? PP_O_CUT : pp_o_fields(&h, e, r);
	/* What was whole must have gained its tim. */
	if (v == PP_O_WHOLE && was == PP_O_WHOLE && !(r->has & PP_O_HAS_TIM))
		return PP_O_CUT;
	return v;
}

/*
 * The bytes that may stand for the line break, likelier first.  Mail and
 * books break at blanks and indent; terminals break anywhere.
 */
static const char *
join_separators(char before, const struct pp_o_line *next, bool marker)
{
	if (marker)
		return "\n";
	if (*next->p == ' ')
		return before == ',' ? "- " : " -";
	if (pp_scan_digit(before) && !pp_scan_digit(*next->p))
		return " -";
	return "- ";
}

/* Append sep ('-': nothing) and the line; false when there is no room. */
static bool
join_append(char *buf, size_t *n, char sep, const struct pp_o_line *l)
{
	const char *p = l->p;

	if (sep != '\n')
		pp_scan_blanks(&p, l->e);
	if (*n + 1 + (size_t)(l->e - p) > PP_O_JOIN_MAX)
		return false;
	if (sep != '-')
		buf[(*n)++] = sep;
	memcpy(buf + *n, p, (size_t)(l->e - p));
	*n += (size_t)(l->e - p);
	return true;
}

enum pp_o_step
pp_o_try_join(struct pp_o_lexer *lx, const struct pp_o_line *l,
    enum pp_o_verdict was, struct pp_o_rec *r, struct pp_o_join *j)
{
	char buf[PP_O_JOIN_MAX];
	size_t n = (size_t)(l->e - l->p), m = n;
	struct pp_o_line next = *l;
	uint64_t count = l->count;
	struct pp_o_rec t;
	enum pp_o_verdict v = PP_O_CUT;
	bool marker = *l->p == '*';
	const char *sep;
	char first;
	int i;

	if (n == 0 || n > sizeof(buf) / 2)
		return PP_O_DONE;
	memcpy(buf, l->p, n);
	for (i = 0; i < PP_O_JOIN_LINES && v == PP_O_CUT; i++) {
		if (!next.ended || !pp_o_line_at(lx, next.next, &next))
			return lx->last ? PP_O_DONE : PP_O_DEFER;
		if (pp_o_ends(pp_o_classify(next.p, next.e).class) ||
		    (!marker && next.p == next.e))
			return PP_O_DONE;
		count += next.count;
		first = 0;
		sep = join_separators(buf[n - 1], &next, marker);
		for (; *sep && v == PP_O_CUT; sep++) {
			m = n;
			if (!join_append(buf, &m, *sep, &next))
				return PP_O_DONE;
			v = join_fields(buf, buf + m, was, &t);
			if (v == PP_O_CUT && !first)
				first = *sep;
			if (v == PP_O_BAD && sep[1])
				v = PP_O_CUT;
		}
		if (v == PP_O_WHOLE)
			n = m;
		else if (first && join_append(buf, &n, first, &next))
			v = PP_O_CUT;
		else
			return PP_O_DONE;
	}
	if (v != PP_O_WHOLE)
		return PP_O_DONE;
	j->text = pp_arena_str(&lx->out->text, (pp_str){buf, n});
	(void)join_fields(j->text.p, j->text.p + n, was, r);
	j->found = true;
	j->next = next.next;
	j->count = count;
	j->ended = next.ended;
	return PP_O_DONE;
}

/* --- where a text ends ------------------------------------------------- */

struct text {
	const char *begin;	/* behind the head */
	const char *end;	/* behind the last byte */
	const char *next;	/* the line to lex then */
	uint32_t len;
	bool has_len;
	bool crlf;		/* len does not count the CRs */
	bool complete;
	bool missing;		/* END OF STMT is not there */
	bool glued;		/* a record stands behind END OF STMT */
};

static bool
is_end(const struct pp_o_line *l)
{
	return l->e - l->p == (ptrdiff_t)NEND &&
	    memcmp(l->p, END_OF_STMT, NEND) == 0;
}

/* "END OF STMT" with a record right behind it. */
static bool
is_end_glued(const struct pp_o_line *l)
{
	return l->e - l->p > (ptrdiff_t)NEND &&
	    memcmp(l->p, END_OF_STMT, NEND) == 0 &&
	    pp_o_ends(pp_o_classify(l->p + NEND, l->e).class);
}

/* Does n, the bytes printed, fit len? */
static bool
fits(uint64_t n, uint32_t len)
{
	return n <= len && len - n <= SLACK;
}

/* Bytes of a..b without the CRs that end lines. */
static uint64_t
printed(const struct text *t, const char *a, const char *b)
{
	uint64_t n = (uint64_t)(b - a);

	if (!t->crlf)
		return n;
	for (; (a = memchr(a, '\r', (size_t)(b - a))) != NULL; a++)
		n -= a + 1 == b || a[1] == '\n';
	return n;
}

/* Behind the newline before the END OF STMT line at `at`. */
static const char *
text_end(const struct text *t, const char *at)
{
	if (at == t->begin)
		return at;
	at--;
	return t->crlf && at > t->begin && at[-1] == '\r' ? at - 1 : at;
}

/*
 * Where the printed byte number n stands; NULL when the file ends before, or,
 * with *there false, the chunk.
 */
static const char *
at_byte(const struct pp_o_lexer *lx, const struct text *t, uint64_t n,
    bool *there)
{
	const char *p = t->begin;
	struct pp_o_line l;
	uint64_t m;

	*there = true;
	while (t->crlf && pp_o_line_at(lx, p, &l)) {
		m = (uint64_t)(l.e - l.p);
		if (n <= m)
			return l.p + n;
		n -= m + 1;
		p = l.next;
	}
	if (!t->crlf && n <= (uint64_t)(lx->end - p))
		return p + n;
	*there = lx->last;
	return NULL;
}

/* The line after the end of line at p (which is one, or CR LF), or NULL. */
static const char *
behind_eol(const struct pp_o_lexer *lx, const char *p)
{
	if (p < lx->end && *p == '\r')
		p++;
	if (p == lx->end)
		return lx->last ? p : NULL;
	return *p == '\n' ? p + 1 : NULL;
}

/*
 * Is the END OF STMT at `at` that of another statement, whose head stands
 * before it and behind any other END OF STMT?
 */
static bool
of_another(const struct pp_o_lexer *lx, const struct text *t, const char *at)
{
	const char *p = at, *floor = t->begin;
	struct pp_o_line l;

	if (at - floor > LOOK_BACK)
		floor = at - LOOK_BACK;
	while (p > floor) {
		for (p--; p > floor && p[-1] != '\n';)
			p--;
		if (!pp_o_line_at(lx, p, &l) || is_end(&l))
			return false;
		if (*p == 'P' &&
		    pp_o_classify(l.p, l.e).class == PP_O_C_PARSING)
			return true;
	}
	return false;
}

/*
 * The first END OF STMT is at `first`, but len says that more follows: is
 * there another one just where it says?  Then the first was text.
 */
static enum pp_o_step
look_further(const struct pp_o_lexer *lx, struct text *t, const char *first)
{
	const char *q, *at;
	struct pp_o_line l;
	unsigned d;
	bool there;

	if (t->len - printed(t, t->begin, text_end(t, first)) > LOOK_AHEAD)
		return PP_O_DONE;
	(void)at_byte(lx, t, (uint64_t)t->len + NEND + 2, &there);
	if (!there)
		return PP_O_DEFER;
	for (d = 0; d <= SLACK; d++) {
		q = at_byte(lx, t, t->len - d, &there);
		at = q ? behind_eol(lx, q) : NULL;
		if (at && at > first && pp_o_line_at(lx, at, &l) &&
		    is_end(&l) && !of_another(lx, t, at)) {
			t->end = text_end(t, at);
			t->next = l.next;
			break;
		}
	}
	return PP_O_DONE;
}

/*
 * The text runs on beyond len and up to the END OF STMT at `first`.  If that
 * one belongs to a statement whose head is in between, and whose own len fits,
 * then ours has lost its own: the last such head, or NULL.
 */
static const char *
other_head(const struct pp_o_lexer *lx, const struct text *t,
    const char *first)
{
	const char *p, *head = NULL;
	struct text o = *t;
	struct pp_o_line l;
	struct pp_o_head h;
	struct pp_o_rec r = {0};

	for (p = t->begin; p < first && pp_o_line_at(lx, p, &l); p = l.next) {
		if (*p != 'P' || l.next > first)
			continue;
		h = pp_o_classify(l.p, l.e);
		if (h.class != PP_O_C_PARSING || h.cut || h.range)
			continue;
		head = l.p;
		o.begin = l.next;
	}
	if (!head || !pp_o_line_at(lx, head, &l))
		return NULL;
	h = pp_o_classify(l.p, l.e);
	if (pp_o_fields(&h, l.e, &r) != PP_O_WHOLE ||
	    !fits(printed(&o, o.begin, text_end(&o, first)), r.len))
		return NULL;
	return head;
}

/* The first line of begin..limit that is a record beyond doubt, or limit. */
static const char *
first_record(const struct pp_o_lexer *lx, const struct text *t,
    const char *limit, bool header)
{
	const char *p;
	struct pp_o_line l;

	for (p = t->begin; p < limit && pp_o_line_at(lx, p, &l); p = l.next)
		if (header ? pp_o_classify(l.p, l.e).class == PP_O_C_HEADER :
		    pp_o_full_record(l.p, l.e))
			return p;
	return limit;
}

/*
 * END OF STMT is missing before `limit`: end the text where len says, or,
 * where that is in the middle of a line, before the first record.
 */
static void
end_by_len(const struct pp_o_lexer *lx, struct text *t, const char *limit)
{
	bool there;
	const char *q, *next;
	struct pp_o_line l;
	unsigned d;

	t->missing = true;
	t->next = limit;
	t->end = limit > t->begin && limit[-1] == '\n' ?
	    text_end(t, limit) : limit;
	t->complete = t->has_len &&
	    fits(printed(t, t->begin, t->end), t->len);
	q = t->has_len ? at_byte(lx, t, t->len, &there) : NULL;
	if (t->complete || !q || q > limit)
		return;
	t->complete = true;
	for (d = 0; d <= SLACK && d <= t->len; d++) {
		t->end = at_byte(lx, t, t->len - d, &there);
		t->next = behind_eol(lx, t->end);
		if (t->next && (d == 0 || t->next == lx->end ||
		    (pp_o_line_at(lx, t->next, &l) &&
		    pp_o_ends(pp_o_classify(l.p, l.e).class))))
			return;
	}
	for (next = q; next < limit && next[-1] != '\n';)
		next++;
	t->next = first_record(lx, t, next, false);
	t->end = q;
	if (t->next < next) {
		t->complete = false;
		t->end = text_end(t, t->next);
	}
}

/* The END OF STMT at l: is it ours?  Sets the end of the text. */
static enum pp_o_step
settle(const struct pp_o_lexer *lx, struct text *t, const struct pp_o_line *l)
{
	uint64_t n;
	const char *head;

	t->end = text_end(t, l->p);
	t->next = l->next;
	t->complete = true;
	t->glued = !is_end(l);
	if (t->glued)
		t->next = l->p + NEND;
	n = printed(t, t->begin, t->end);
	if (!t->has_len || fits(n, t->len))
		return PP_O_DONE;
	if (n < t->len && look_further(lx, t, l->p) == PP_O_DEFER)
		return PP_O_DEFER;
	if (t->end != text_end(t, l->p)) {
		t->glued = false;
		return PP_O_DONE;
	}
	head = other_head(lx, t, l->p);
	if (head && n > t->len) {
		end_by_len(lx, t, head);
	} else if (head && first_record(lx, t, head, true) < head) {
		/* Another file was appended to one that ended in the text. */
		t->next = first_record(lx, t, head, true);
		t->end = text_end(t, t->next);
		t->missing = true;
		t->complete = false;
	} else
		return PP_O_DONE;
	t->glued = false;
	return PP_O_DONE;
}

/* Does len say that the text ends before an END OF STMT glued to it? */
static bool
is_end_behind(const struct text *t, const struct pp_o_line *l)
{
	const char *at = l->e - NEND;

	return t->has_len && l->e - l->p > (ptrdiff_t)NEND &&
	    l->e[-1] == 'T' && memcmp(at, END_OF_STMT, NEND) == 0 &&
	    fits(printed(t, t->begin, at), t->len);
}

static bool
begins(const char *p, const char *e, pp_str prefix)
{
	return pp_str_starts(pp_str_trim(pp_o_str(p, e)), prefix);
}

const char *
pp_o_last_words(const struct pp_o_lexer *lx, const char *begin)
{
	const char *p = lx->end, *e = lx->end;

	while (e > begin && (e[-1] == '\n' || e[-1] == '\r'))
		e--;
	for (p = e; p > begin && p[-1] != '\n';)
		p--;
	if (begins(p, e, PP_STR("*** DUMP FILE SIZE IS LIMITED TO ")) ||
	    begins(p, e, PP_STR("*** TRACE CONTINUES IN FILE ")) ||
	    begins(p, e, PP_STR("*** TRACE DUMP CONTINUES IN FILE ")))
		return p;
	return lx->end;
}

/* The end of a PARSING IN CURSOR's text. */
static enum pp_o_step
statement_end(const struct pp_o_lexer *lx, struct text *t)
{
	struct pp_o_line l;
	const char *p = t->begin;
	uint64_t over = (t->has_len ? (uint64_t)t->len : 0) + PP_O_OVERRUN;

	for (; pp_o_line_at(lx, p, &l); p = l.next) {
		uint64_t n = (uint64_t)(p - t->begin);

		if (*p == 'E' && (is_end(&l) || is_end_glued(&l)))
			return settle(lx, t, &l);
		if (l.e - l.p > (ptrdiff_t)NEND && is_end_behind(t, &l)) {
			t->end = l.e - NEND;
			t->next = l.next;
			t->complete = t->missing = true;
			return PP_O_DONE;
		}
		if ((n > over && pp_o_full_record(l.p, l.e)) ||
		    n > PP_O_GROUP_MAX) {
			end_by_len(lx, t, p);
			return PP_O_DONE;
		}
	}
	if (!lx->last)
		return PP_O_DEFER;
	end_by_len(lx, t, pp_o_last_words(lx, t->begin));
	return PP_O_DONE;
}

/* Is there a record at p, or the end of the file?  -1: not known yet. */
static int
record_at(const struct pp_o_lexer *lx, const char *p)
{
	struct pp_o_line l;

	if (!pp_o_line_at(lx, p, &l))
		return lx->last ? 1 : -1;
	return pp_o_ends(pp_o_classify(l.p, l.e).class);
}

/* The end of a PARSE ERROR's text: by len, or before the next record. */
static enum pp_o_step
error_end(const struct pp_o_lexer *lx, struct text *t)
{
	struct pp_o_line l;
	const char *p = t->begin;
	unsigned d;
	bool there;
	int is;

	t->complete = true;
	for (d = 0; t->has_len && t->len <= PP_O_LEN_MAX && d <= SLACK &&
	    d <= t->len; d++) {
		t->end = at_byte(lx, t, t->len - d, &there);
		if (!there || (t->end == lx->end && !lx->last))
			return PP_O_DEFER;
		t->next = t->end ? behind_eol(lx, t->end) : NULL;
		if (!t->next)
			continue;
		is = d == 0 ? 1 : record_at(lx, t->next);
		if (is < 0)
			return PP_O_DEFER;
		if (is)
			return PP_O_DONE;
	}
	for (; pp_o_line_at(lx, p, &l); p = l.next)
		if ((uint64_t)(p - t->begin) > PP_O_GROUP_MAX ||
		    pp_o_ends(pp_o_classify(l.p, l.e).class)) {
			t->next = p;
			t->end = text_end(t, p);
			return PP_O_DONE;
		}
	if (!lx->last)
		return PP_O_DEFER;
	t->end = t->next = lx->end;
	if (t->end > t->begin && t->end[-1] == '\n')
		t->end = text_end(t, t->end);
	t->complete = !t->has_len ||
	    fits(printed(t, t->begin, t->end), t->len);
	t->missing = !t->complete;
	return PP_O_DONE;
}

/* --- the record -------------------------------------------------------- */

/* What the text has lost, told behind its record. */
static void
tell_end(struct pp_o_lexer *lx, const struct text *t, uint64_t line,
    const struct pp_o_line *l)
{
	struct pp_o_line rest;

	if (t->missing)
		pp_o_damage(lx, t->complete ? PP_MSG_TEXT_END :
		    PP_MSG_TEXT_CUT, t->next, line, pp_o_str(l->p, l->e));
	if (t->glued && pp_o_line_at(lx, t->next, &rest))
		pp_o_damage(lx, PP_MSG_SPLIT_RECORD, t->next, line,
		    pp_o_str(rest.p, rest.e));
}

enum pp_o_step
pp_o_text(struct pp_o_lexer *lx, const struct pp_o_line *l,
    const struct pp_o_head *h)
{
	struct pp_o_rec r = {0};
	struct pp_o_join j = {.next = l->next, .count = l->count,
	    .ended = l->ended};
	enum pp_o_verdict v = h->range ? PP_O_BAD : h->cut ? PP_O_CUT :
	    pp_o_fields(h, l->e, &r);
	bool statement = h->class == PP_O_C_PARSING, keep;
	struct text t = {0};
	enum pp_o_step step = PP_O_DONE;
	uint64_t lines;

	if (v == PP_O_CUT && pp_o_try_join(lx, l, v, &r, &j) == PP_O_DEFER)
		return PP_O_DEFER;
	if (j.found)
		v = PP_O_WHOLE;
	t.begin = t.end = t.next = j.next;
	t.len = r.len;
	t.has_len = v == PP_O_WHOLE || r.len > 0;
	t.crlf = pp_o_has_cr(l);
	if (statement)
		step = statement_end(lx, &t);
	else if (!h->cut && !h->range)
		step = error_end(lx, &t);
	if (step == PP_O_DEFER)
		return step;
	lines = j.count + count_lines(lx, t.begin, t.next);
	if (j.found)
		pp_o_damage(lx, PP_MSG_JOINED_RECORD, l->p, lx->line, j.text);
	else if (v != PP_O_WHOLE)
		pp_o_damage(lx, v == PP_O_CUT ? PP_MSG_CUT_RECORD :
		    PP_MSG_BAD_RECORD, l->p, lx->line, pp_o_str(l->p, l->e));
	/* A statement serves with what its head tells; an error needs tim. */
	keep = j.found || (!h->cut && !h->range &&
	    (statement || v == PP_O_WHOLE));
	if (keep) {
		r.text = t.crlf ? pp_o_strip_cr(lx, t.begin, t.end) :
		    pp_o_str(t.begin, t.end);
		r.u.parsing.complete = t.complete;
		pp_o_put(lx, &r, l->p, lx->line, pp_o_lines(lines));
	}
	tell_end(lx, &t, lx->line + lines, l);
	pp_o_turn(lx, t.next, lines);
	return PP_O_DONE;
}
