/*
 * oracle10046_lex.c: chunks of an Oracle 10046 trace to records.
 *
 * The lexer looks at bytes only.  It knows no cursor, tree or session, and
 * begins each chunk in the same state, between records: what belongs together
 * (a statement with its text, a bind block, a record broken over lines) is
 * taken whole or left for the next chunk.  The records of a file are the same
 * wherever it is cut into chunks; see oracle10046_lex.h for how.
 *
 * WAIT and call lines make up nearly all of a trace.  In the form that Oracle
 * has printed since 10.2 they are read by oracle10046_lex_quick.c, which gives
 * up on anything else; then oracle10046_lex_line.c reads the line.  The two
 * must agree, and tests compare them.
 *
 * Versions seen: 8.1.7 to 23c.  The grammar is told in pieces: records in
 * oracle10046_lex_line.c and _wait.c, markers and headers in _mark.c, groups
 * of lines in oracle10046_group.c and oracle10046_lex_binds.c.
 */
#include "oracle10046_lex.h"

#define EXCERPT 200

/* --- lines and records ------------------------------------------------- */

static uint64_t
offset_of(const struct pp_o_lexer *lx, const char *q)
{
	uint64_t at = lx->offset + (uint64_t)(q - lx->p);

	return lx->nnul ? at + pp_o_nul_shift(lx, q) : at;
}

bool
pp_o_line_at(const struct pp_o_lexer *lx, const char *at, struct pp_o_line *l)
{
	const char *nl;

	if (at == lx->end)
		return false;
	nl = memchr(at, '\n', (size_t)(lx->end - at));
	if (!nl && !lx->last)
		return false;
	l->p = at;
	l->e = nl ? nl : lx->end;
	l->next = nl ? nl + 1 : lx->end;
	l->ended = nl != NULL;
	l->count = nl != NULL;
	if (nl && lx->nnul && pp_o_nul_soft(lx, nl))
		l->count = 0;
	if (l->e > at && l->e[-1] == '\r')
		l->e--;
	return true;
}

void
pp_o_put(struct pp_o_lexer *lx, const struct pp_o_rec *r, const char *at,
    uint64_t line, uint16_t nlines)
{
	struct pp_o_rec *w = pp_records_next(lx->out);

	*w = *r;
	w->line = line;
	w->offset = offset_of(lx, at);
	w->nlines = nlines;
	lx->out->n++;
}

struct pp_o_rec *
pp_o_add(struct pp_o_lexer *lx, enum pp_o_kind kind, const char *at,
    uint64_t line)
{
	struct pp_o_rec *r = pp_records_add(lx->out);

	r->kind = (uint8_t)kind;
	r->line = line;
	r->offset = offset_of(lx, at);
	r->nlines = 1;
	return r;
}

void
pp_o_damage(struct pp_o_lexer *lx, enum pp_msg msg, const char *at,
    uint64_t line, pp_str excerpt)
{
	struct pp_o_rec *r = pp_o_add(lx, PP_O_DAMAGE, at, line);

	r->sub = (uint8_t)msg;
	if (excerpt.n > EXCERPT)
		excerpt.n = EXCERPT;
	r->text = excerpt;
}

void
pp_o_turn(struct pp_o_lexer *lx, const char *next, uint64_t count)
{
	lx->at = next;
	lx->line += count;
}

/* --- any line ---------------------------------------------------------- */

/* Is it nothing but a few digits: the end of a number broken in two? */
static bool
digits_only(const struct pp_o_line *l)
{
	const char *p = l->p;

	while (p < l->e && pp_scan_digit(*p))
		p++;
	return p == l->e && p > l->p && p - l->p < 16;
}

/*
 * A whole record may go on in the next line all the same: where its last
 * number was broken, or where a WAIT has no tim yet.  PP_O_DEFER when that
 * line is not there yet; *v becomes PP_O_CUT when it is to be tried.
 */
static enum pp_o_step
goes_on(struct pp_o_lexer *lx, const struct pp_o_line *l,
    const struct pp_o_rec *r, enum pp_o_verdict *v)
{
	struct pp_o_line next;
	bool open = r->kind == PP_O_WAIT && !(r->has & PP_O_HAS_TIM);

	if (!l->ended || (r->kind != PP_O_WAIT && r->kind != PP_O_CALL))
		return PP_O_DONE;
	if (!pp_o_line_at(lx, l->next, &next))
		return lx->last ? PP_O_DONE : PP_O_DEFER;
	if (open || (l->e - l->p >= 40 && digits_only(&next)))
		*v = PP_O_CUT;
	return PP_O_DONE;
}

/* The record at l, which is whole but for v, ends where another begins. */
static void
split(struct pp_o_lexer *lx, const struct pp_o_line *l, const char *second,
    const struct pp_o_head *h)
{
	struct pp_o_rec r = {0};
	enum pp_o_verdict v = pp_o_fields(h, second, &r);

	if (v == PP_O_WHOLE)
		pp_o_put(lx, &r, l->p, lx->line, 1);
	else
		pp_o_damage(lx, v == PP_O_CUT ? PP_MSG_CUT_RECORD :
		    PP_MSG_BAD_RECORD, l->p, lx->line,
		    pp_o_str(l->p, second));
	pp_o_damage(lx, PP_MSG_SPLIT_RECORD, second, lx->line,
	    pp_o_str(second, l->e));
	pp_o_turn(lx, second, 0);
}

/* A cut XCTEND may still tell how the transaction ended. */
static bool
xctend_told(const struct pp_o_line *l, const struct pp_o_head *h,
    enum pp_o_verdict v)
{
	pp_str s = pp_o_str(l->p, l->e), key = PP_STR("rd_only=");
	size_t at = pp_str_find(s, key);

	return h->class == PP_O_C_XCTEND && v == PP_O_CUT &&
	    at + key.n < s.n && pp_scan_digit(s.p[at + key.n]);
}

/* A record of one line, which may be damaged. */
static enum pp_o_step
record(struct pp_o_lexer *lx, const struct pp_o_line *l,
    const struct pp_o_head *h)
{
	struct pp_o_rec r = {0};
	struct pp_o_join j = {.next = l->next, .count = l->count,
	    .ended = l->ended};
	enum pp_o_verdict v = h->range ? PP_O_BAD : h->cut ? PP_O_CUT :
	    pp_o_fields(h, l->e, &r), tried;
	const char *second = NULL;

	if (v != PP_O_WHOLE || r.kind == PP_O_STAT)
		second = pp_o_second(l->p, l->e, v != PP_O_WHOLE);
	if (second) {
		split(lx, l, second, h);
		return PP_O_DONE;
	}
	tried = v;
	if (v == PP_O_WHOLE && goes_on(lx, l, &r, &tried) == PP_O_DEFER)
		return PP_O_DEFER;
	if (tried == PP_O_CUT &&
	    pp_o_try_join(lx, l, v, &r, &j) == PP_O_DEFER)
		return PP_O_DEFER;
	if (j.found)
		pp_o_damage(lx, PP_MSG_JOINED_RECORD, l->p, lx->line, j.text);
	else if (v != PP_O_WHOLE)
		pp_o_damage(lx, v == PP_O_CUT ? PP_MSG_CUT_RECORD :
		    PP_MSG_BAD_RECORD, l->p, lx->line, pp_o_str(l->p, l->e));
	if (j.found || v == PP_O_WHOLE || xctend_told(l, h, v))
		pp_o_put(lx, &r, l->p, lx->line,
		    j.ended ? pp_o_lines(j.count) : 0);
	pp_o_turn(lx, j.next, j.count);
	return PP_O_DONE;
}

/* A "*** " line; its value may hold newlines. */
static enum pp_o_step
marker(struct pp_o_lexer *lx, const struct pp_o_line *l)
{
	struct pp_o_rec r = {0};
	struct pp_o_join j = {.next = l->next, .count = l->count,
	    .ended = l->ended};
	enum pp_o_verdict v = pp_o_marker(l->p, l->e, &r);
	const char *second = pp_o_second(l->p, l->e, true);
	struct pp_o_rec head = {0};

	/* Values may hold anything, but a stamp ends the line. */
	if (second && pp_o_marker(l->p, second, &head) == PP_O_WHOLE &&
	    head.name.n) {
		r = head;
		j.next = second;
		j.count = 0;
	} else if (second = NULL, v == PP_O_CUT &&
	    pp_o_try_join(lx, l, v, &r, &j) == PP_O_DEFER)
		return PP_O_DEFER;
	pp_o_put(lx, &r, l->p, lx->line, pp_o_lines(j.count));
	if (second)
		pp_o_damage(lx, PP_MSG_SPLIT_RECORD, second, lx->line,
		    pp_o_str(second, l->e));
	pp_o_turn(lx, j.next, j.count);
	return PP_O_DONE;
}

/* Is it blank, or a rule? */
static bool
silent(const char *p, const char *e)
{
	enum pp_o_class c = pp_o_classify(p, e).class;

	return c == PP_O_C_BLANK || c == PP_O_C_RULE;
}

/* A line that is no record: part of the header, or noise. */
static enum pp_o_step
other(struct pp_o_lexer *lx, const struct pp_o_line *l)
{
	struct pp_o_rec r = {0};
	struct pp_o_line next;
	pp_str behind = {NULL, 0};
	const char *second, *e = l->e, *to = l->next;
	uint64_t count = l->count;

	if (pp_o_path_like(l->p, l->e)) {
		if (pp_o_line_at(lx, l->next, &next))
			behind = pp_str_trim(pp_o_str(next.p, next.e));
		else if (!lx->last)
			return PP_O_DEFER;
	}
	second = pp_o_second(l->p, l->e, false);
	if (second) {
		e = to = second;
		count = 0;
	}
	if (pp_o_header(l->p, e, behind, &r))
		pp_o_put(lx, &r, l->p, lx->line, 1);
	else if (!second || !silent(l->p, e))
		pp_o_add(lx, PP_O_NOISE, l->p, lx->line)->text =
		    pp_o_str(l->p, e);
	if (second)
		pp_o_damage(lx, PP_MSG_SPLIT_RECORD, second, lx->line,
		    pp_o_str(second, l->e));
	pp_o_turn(lx, to, count);
	return PP_O_DONE;
}

/* Read the line or group at lx->at, whatever it is. */
static enum pp_o_step
any_line(struct pp_o_lexer *lx)
{
	struct pp_o_line l;
	struct pp_o_head h;

	if (!pp_o_line_at(lx, lx->at, &l))
		return PP_O_DEFER;
	h = pp_o_classify(l.p, l.e);
	switch (h.class) {
	case PP_O_C_BLANK:
	case PP_O_C_RULE:
		pp_o_turn(lx, l.next, l.count);
		return PP_O_DONE;
	case PP_O_C_MARKER:
		return marker(lx, &l);
	case PP_O_C_PARSING:
	case PP_O_C_PARSE_ERROR:
		return pp_o_text(lx, &l, &h);
	case PP_O_C_BINDS:
	case PP_O_C_RPC_BINDS:
		return pp_o_binds(lx, &l, &h);
	case PP_O_C_NONE:
	case PP_O_C_HEADER:
		return other(lx, &l);
	case PP_O_C_CALL:
	case PP_O_C_LOB:
	case PP_O_C_WAIT:
	case PP_O_C_STAT:
	case PP_O_C_ERROR:
	case PP_O_C_XCTEND:
	case PP_O_C_APPNAME:
	case PP_O_C_RPC_CALL:
	case PP_O_C_RPC_EXEC:
		break;
	}
	return record(lx, &l, &h);
}

/* --- chunks ------------------------------------------------------------ */

/* Behind the limit, and at a line where another may go on. */
static bool
enough(const struct pp_o_lexer *lx)
{
	struct pp_o_line l;

	return offset_of(lx, lx->at) >= lx->limit &&
	    (lx->at == lx->p || lx->at[-1] == '\n') &&
	    pp_o_line_at(lx, lx->at, &l) && pp_o_begins(pp_o_str(l.p, l.e));
}

/* Where swift scans are safe to, and are to go. */
static const char *
swift_stop(const struct pp_o_lexer *lx, const struct pp_chunk *c)
{
	const char *stop = lx->end - PP_SWIFT_SLACK;

	while (stop > lx->p && *stop != '\n')
		stop--;
	if (c->limit != 0 && c->limit < (size_t)(stop - lx->p))
		stop = lx->p + c->limit;
	return stop;
}

static void
lex(struct pp_chunk *c, struct pp_records *out, bool quick)
{
	struct pp_o_lexer lx;
	int i;

	lx.p = c->p;
	lx.end = c->p + c->n;
	lx.line = c->line;
	lx.offset = c->offset;
	lx.limit = c->limit != 0 ? c->offset + c->limit : UINT64_MAX;
	lx.last = c->last;
	lx.out = out;
	lx.nul = NULL;
	lx.nnul = 0;
	if (c->n && memchr(c->p, 0, c->n) != NULL) {
		pp_o_nul_drop(&lx, c);
		quick = false;
	}
	lx.at = lx.p;
	if (c->offset == 0 && c->n >= 3 && memcmp(c->p, "\xef\xbb\xbf", 3) == 0)
		lx.at += 3;
	for (i = 0; i < PP_O_TAILS; i++)
		lx.tails[i].n = 0;
	lx.stop = lx.p;
	if (PP_SWIFT && quick && c->n > PP_SWIFT_SLACK)
		lx.stop = swift_stop(&lx, c);
	while (lx.at < lx.end) {
		if (lx.at < lx.stop)
			pp_o_quick_lines(&lx);
		if (enough(&lx) || any_line(&lx) == PP_O_DEFER)
			break;
	}
	c->used = (size_t)(offset_of(&lx, lx.at) - c->offset);
	c->lines = lx.line - c->line;
	if (lx.nnul)
		pp_o_nul_tell(&lx, c);
}

void
pp_oracle10046_lex(struct pp_chunk *c, struct pp_records *out)
{
	lex(c, out, true);
}

void
pp_oracle10046_lex_plain(struct pp_chunk *c, struct pp_records *out)
{
	lex(c, out, false);
}
