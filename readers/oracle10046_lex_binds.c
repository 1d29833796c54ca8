/*
 * oracle10046_lex_binds.c: bind blocks of an Oracle trace, as far as the
 * lexer needs to understand them to find their ends.
 *
 *	BINDS #N:			BINDS #N:	(up to 10.1)
 *	[blank line, kkscoacd]		 bind I: dty=...
 *	 Bind#I				   bfp=... bln=I avl=I flg=HEX
 *	  oacdty=...			   value=...
 *	  oacflg=...
 *	  kxsbbbfp=... bln=I avl=I flg=HEX
 *	  value=...
 *
 * A block ends before the next record outside an open quote.  A string is
 * printed as it is: with its quotes, line ends and what looks like records,
 * and cut to what the server likes to show; avl tells its true length.  Dumps
 * of types that the server cannot print, and strings of other character sets,
 * have lines of hexadecimal digits.  A wall-clock stamp, the end of a
 * transaction, or other records of one line may stand in the middle of a
 * block.
 */
#include "oracle10046_lex.h"

#define MOST_CUTS 256		/* markers and records in one block */
#define MOST_RECORDS 8		/* in a row */
#define MOST_PENDING 200	/* lines of noise in one block */
#define MOST_AVL 65536		/* string length to be believed */
#define MOST_VALUE (1 << 20)	/* bytes of a string without end */

/* What a line of a block is. */
enum kind {
	BIND,			/* a line that only bind blocks have */
	DUMP,			/* a dump or other rest of a value */
	BLANK,
	THROUGH,		/* a marker or record: not of the block */
	NOISE,
	OVER			/* the block ends before it */
};

struct cut {
	const char *p, *e, *next;
	uint64_t line;
};

struct block {
	const char *begin;
	const char *end;	/* behind the last line that is of it */
	const char *split;	/* a record in the block's last line, or NULL */
	const char *sizes;	/* the line that tells avl, and its end */
	const char *sizes_end;
	uint64_t line;		/* of the line that is looked at */
	uint64_t lines;		/* up to end */
	unsigned ncuts, cuts;	/* markers seen; markers before end */
	unsigned noise, pending;
	bool rpc, crlf;
	struct cut cut[MOST_CUTS];
};

static bool
is_hex(char c)
{
	return pp_scan_digit(c) || (c >= 'a' && c <= 'f') ||
	    (c >= 'A' && c <= 'F');
}

/* An address and words of a dump, or pairs of hexadecimal digits. */
static bool
is_dump(const char *p, const char *e)
{
	const char *q = p;

	while (q < e && is_hex(*q))
		q++;
	if (q - p >= 7)
		return q == e || *q == ' ' || *q == ':';
	for (q = p; q < e; q++)
		if (*q != ' ' && (!is_hex(*q) || (q - p > 1 && is_hex(q[-1]) &&
		    is_hex(q[-2]))))
			return false;
	return q > p;
}

/* A line that begins with blanks; p is its first other byte. */
static enum kind
indented(struct block *b, const char *p, const char *e)
{
	if (e - p < 3)
		return NOISE;
	switch (*p) {
	case 'v':
		return memcmp(p, "val", 3) == 0 ? BIND : NOISE;
	case 'k':
		if (memcmp(p, "kxs", 3) != 0)
			return NOISE;
		b->sizes = p, b->sizes_end = e;
		return BIND;
	case 'b':
		if (memcmp(p, "bfp", 3) == 0) {
			b->sizes = p, b->sizes_end = e;
			return BIND;
		}
		return memcmp(p, "bin", 3) == 0 ? BIND : NOISE;
	case 'o':
		return memcmp(p, "oac", 3) == 0 ? BIND : NOISE;
	case 'B':
		return memcmp(p, "Bin", 3) == 0 ? BIND : NOISE;
	case 'N':
		return memcmp(p, "No ", 3) == 0 ? BIND : NOISE;
	case 't':
		return memcmp(p, "toi", 3) == 0 ? BIND : NOISE;
	default:
		return NOISE;
	}
}

/* A line that begins in the first column. */
static enum kind
outdented(const struct pp_o_line *l)
{
	struct pp_o_head h = pp_o_classify(l->p, l->e);
	struct pp_o_rec r = {0};
	pp_str s = pp_o_str(l->p, l->e);

	if (h.class == PP_O_C_MARKER)
		return pp_o_marker(l->p, l->e, &r) == PP_O_WHOLE &&
		    l->ended ? THROUGH : OVER;
	if (h.class == PP_O_C_XCTEND)
		return pp_o_fields(&h, l->e, &r) == PP_O_WHOLE && l->ended ?
		    THROUGH : OVER;
	if (h.class != PP_O_C_NONE || pp_o_path_like(l->p, l->e) ||
	    pp_str_starts(s, PP_STR("Peeked values")))
		return OVER;
	if (is_dump(l->p, l->e) || *l->p == '"' ||
	    pp_str_starts(s, PP_STR("Dump")) ||
	    pp_str_starts(s, PP_STR("kkscoacd")))
		return DUMP;
	return NOISE;
}

static enum kind
line_kind(struct block *b, const struct pp_o_line *l)
{
	const char *p = l->p;
	enum kind k;

	pp_scan_blanks(&p, l->e);
	if (p == l->e)
		return BLANK;
	if (p == l->p)
		return outdented(l);
	k = indented(b, p, l->e);
	if (k == NOISE && b->pending == 0)
		return DUMP;
	return k == NOISE && is_dump(p, l->e) ? DUMP : k;
}

static bool
is_bind_head(const struct pp_o_line *l)
{
	return l->e - l->p > 6 && (memcmp(l->p, " Bind#", 6) == 0 ||
	    (memcmp(l->p, " bind ", 6) == 0 && pp_scan_digit(l->p[6])));
}

/* A later line of a bind, as records may stand before it. */
static bool
is_bind_rest(const struct pp_o_line *l)
{
	static const char *const rest[] = {"oacdty=", "oacflg=", "kxsbbbfp=",
	    "bfp=", "value="};
	const char *p = l->p;
	size_t i;

	pp_scan_blanks(&p, l->e);
	for (i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		if (pp_str_starts(pp_o_str(p, l->e), pp_str_from(rest[i])))
			return true;
	return false;
}

/* avl= of the bind whose value comes; -1 when it is not told. */
static int64_t
told_length(const struct block *b)
{
	const char *p;
	pp_str s;
	int64_t v;

	if (!b->sizes)
		return -1;
	s = pp_o_str(b->sizes, b->sizes_end);
	p = s.p + pp_str_find(s, PP_STR("avl="));
	if (!PP_SCAN_LIT(&p, b->sizes_end, "avl=") ||
	    pp_scan_i64(&p, b->sizes_end, &v) != PP_SCAN_OK ||
	    v < 0 || v > MOST_AVL)
		return -1;
	return v;
}

/* A string: where it starts, its told length, and the line looked at. */
struct quoted {
	const char *from;
	int64_t avl;
	struct pp_o_line l, next;
	bool has_next, first;
};

/* Is there, further on, a quote that ends a line just where avl says? */
static enum pp_o_step
ends_later(const struct pp_o_lexer *lx, const struct quoted *v, bool *later)
{
	const char *q;

	*later = false;
	if (v->avl <= v->l.e - v->from)
		return PP_O_DONE;
	if (v->avl + 2 > lx->end - v->from) {
		if (!lx->last)
			return PP_O_DEFER;
		if (v->avl >= lx->end - v->from)
			return PP_O_DONE;
	}
	q = v->from + v->avl;
	*later = *q == '"' && (q + 1 == lx->end || q[1] == '\n' ||
	    q[1] == '\r');
	return PP_O_DONE;
}

/* The line ends in a quote: is it the one that ends the string? */
static enum pp_o_step
closes(const struct pp_o_lexer *lx, const struct quoted *v, bool *yes)
{
	int64_t n = v->l.e - 1 - v->from;
	enum pp_o_class c;
	bool later;

	*yes = true;
	if (!v->has_next || n == v->avl || is_bind_head(&v->next))
		return PP_O_DONE;
	c = pp_o_classify(v->next.p, v->next.e).class;
	if (c != PP_O_C_NONE || (v->avl >= 0 && n > v->avl) ||
	    (!v->first && v->l.e - v->l.p == 1)) {
		if (ends_later(lx, v, &later) == PP_O_DEFER)
			return PP_O_DEFER;
		*yes = !later;
		return PP_O_DONE;
	}
	*yes = false;
	return PP_O_DONE;
}

/* The line does not end in a quote: was the quote lost? */
static bool
lost(const struct quoted *v)
{
	int64_t n = v->l.next - v->from;

	if (!v->has_next || n > MOST_VALUE)
		return true;
	return n > (v->avl >= 0 ? v->avl + 2 : MOST_AVL) &&
	    (is_bind_head(&v->next) ||
	    pp_o_full_record(v->next.p, v->next.e));
}

/*
 * The string that starts behind the quote at from - 1 on line l.  *last
 * becomes its last line.
 */
static enum pp_o_step
string(const struct pp_o_lexer *lx, struct block *b, const char *from,
    struct pp_o_line *last)
{
	struct quoted v = {.from = from, .avl = told_length(b), .l = *last,
	    .first = true};
	const char *q;
	bool yes;

	for (;; b->line += v.l.count, v.l = v.next, v.first = false) {
		v.has_next = v.l.ended && pp_o_line_at(lx, v.l.next, &v.next);
		if (!v.has_next && !lx->last)
			return PP_O_DEFER;
		*last = v.l;
		/* the limit was reached inside the string */
		if (v.has_next && v.next.e - v.next.p > 3 &&
		    memcmp(v.next.p, "***", 3) == 0 &&
		    pp_o_last_words(lx, from) == v.next.p)
			return lx->last ? PP_O_DONE : PP_O_DEFER;
		if (v.l.e > from && v.l.e[-1] == '"') {
			if (closes(lx, &v, &yes) == PP_O_DEFER)
				return PP_O_DEFER;
			if (yes)
				return PP_O_DONE;
			continue;
		}
		/* A record may be glued to the quote. */
		q = v.avl >= 0 && v.avl < v.l.e - from ? from + v.avl : NULL;
		if (q && *q == '"') {
			if (pp_o_ends(pp_o_classify(q + 1, v.l.e).class))
				b->split = q + 1;
			return PP_O_DONE;
		}
		if (lost(&v))
			return PP_O_DONE;
	}
}

/* Where a string starts on the line, behind its quote, or NULL. */
static const char *
string_start(const struct block *b, const struct pp_o_line *l)
{
	const char *p = l->p;
	size_t at;

	pp_scan_blanks(&p, l->e);
	if (PP_SCAN_LIT(&p, l->e, "value=\""))
		return p;
	if (b->rpc) {
		at = pp_str_find(pp_o_str(p, l->e), PP_STR("val=\""));
		if (at < (size_t)(l->e - p))
			return p + at + 5;
	}
	return NULL;
}

/* A line of the block that no string begins on: is a record glued to it? */
static void
find_glued(struct block *b, const struct pp_o_line *l)
{
	ptrdiff_t n = l->e - l->p;

	if (n > 12 && memchr(l->p + 6, '#', (size_t)(n - 6)))
		b->split = pp_o_second(l->p, l->e, true);
}

/* A whole record of one line, or a marker. */
static bool
is_whole(const struct pp_o_line *l)
{
	struct pp_o_head h = pp_o_classify(l->p, l->e);
	struct pp_o_rec r = {0};

	if (!l->ended || h.cut || h.range)
		return false;
	if (h.class == PP_O_C_MARKER)
		return pp_o_marker(l->p, l->e, &r) == PP_O_WHOLE;
	return pp_o_one_line(h.class) &&
	    pp_o_fields(&h, l->e, &r) == PP_O_WHOLE &&
	    (h.class != PP_O_C_STAT || !pp_o_second(l->p, l->e, false));
}

/*
 * Does the block go on behind a few records of one line, the first at l?  The
 * records are looked at only where a line that may be of a bind follows.
 */
static enum pp_o_step
resumes(const struct pp_o_lexer *lx, const struct pp_o_line *l, bool *yes)
{
	struct pp_o_line n = *l;
	unsigned i;

	*yes = false;
	for (i = 0; n.p == n.e || *n.p != ' '; i++)
		if (i == MOST_RECORDS || n.p == n.e || !n.ended ||
		    memchr("EFPCWSLX*", *n.p, 9) == NULL)
			return PP_O_DONE;
		else if (!pp_o_line_at(lx, n.next, &n))
			return lx->last ? PP_O_DONE : PP_O_DEFER;
	if (!is_bind_head(&n) && !is_bind_rest(&n))
		return PP_O_DONE;
	for (n = *l; is_whole(&n) && pp_o_line_at(lx, n.next, &n); i--)
		continue;
	*yes = i == 0;
	return PP_O_DONE;
}

/* One line; *over when the block ended before it. */
static enum pp_o_step
block_line(const struct pp_o_lexer *lx, struct block *b, struct pp_o_line *l,
    bool *over)
{
	enum kind k = line_kind(b, l);
	const char *from;
	bool yes;

	*over = false;
	if (k == OVER) {
		if (resumes(lx, l, &yes) == PP_O_DEFER)
			return PP_O_DEFER;
		if (yes)
			k = THROUGH;
	}
	switch (k) {
	case BLANK:
		b->pending++;
		return PP_O_DONE;
	case THROUGH:
		b->pending++;
		*over = b->ncuts == MOST_CUTS;
		if (!*over)
			b->cut[b->ncuts++] = (struct cut){.p = l->p,
			    .e = l->e, .next = l->next, .line = b->line};
		return PP_O_DONE;
	case NOISE:
		b->pending++;
		*over = ++b->noise > MOST_PENDING;
		return PP_O_DONE;
	case OVER:
		*over = true;
		return PP_O_DONE;
	case DUMP:
		if (b->noise)
			return PP_O_DONE;
		break;
	case BIND:
		from = string_start(b, l);
		if (from && string(lx, b, from, l) == PP_O_DEFER)
			return PP_O_DEFER;
		if (!from)
			find_glued(b, l);
		break;
	}
	b->end = b->split ? b->split : l->next;
	b->cuts = b->ncuts;
	b->noise = b->pending = 0;
	return PP_O_DONE;
}

/* The block's lines without the markers among them, copied where need be. */
static pp_str
block_text(struct pp_o_lexer *lx, const struct block *b)
{
	const char *p = b->begin, *e = b->end;
	char *w, *copy;
	unsigned i;

	if (b->cuts) {
		w = copy = pp_arena_alloc(&lx->out->text, (size_t)(e - p));
		for (i = 0; i <= b->cuts; i++) {
			const char *to = i < b->cuts ? b->cut[i].p : e;

			memcpy(w, p, (size_t)(to - p));
			w += to - p;
			if (i < b->cuts)
				p = b->cut[i].next;
		}
		p = copy;
		e = w;
	}
	if (e > p && e[-1] == '\n')
		e--;
	return b->crlf ? pp_o_strip_cr(lx, p, e) : pp_o_str(p, e);
}

/* The markers of the block as records of their own. */
static void
block_markers(struct pp_o_lexer *lx, const struct block *b)
{
	unsigned i;

	for (i = 0; i < b->cuts; i++) {
		const struct cut *c = &b->cut[i];
		struct pp_o_head h = pp_o_classify(c->p, c->e);
		struct pp_o_rec r = {0};

		if (h.class == PP_O_C_MARKER)
			(void)pp_o_marker(c->p, c->e, &r);
		else
			(void)pp_o_fields(&h, c->e, &r);
		pp_o_put(lx, &r, c->p, c->line, 1);
	}
}

/* Find the end of the block whose first line is l. */
static enum pp_o_step
block_end(const struct pp_o_lexer *lx, struct block *b,
    const struct pp_o_line *l)
{
	const char *p = l->next;
	struct pp_o_line n;
	bool over;

	while (!b->split && p - l->p < (ptrdiff_t)PP_O_GROUP_MAX) {
		const char *end = b->end;

		if (!pp_o_line_at(lx, p, &n))
			return lx->last ? PP_O_DONE : PP_O_DEFER;
		if (block_line(lx, b, &n, &over) == PP_O_DEFER)
			return PP_O_DEFER;
		if (over)
			break;
		if (!b->split)
			b->line += n.count;
		if (b->end != end)
			b->lines = b->line - lx->line;
		p = n.next;
	}
	return PP_O_DONE;
}

enum pp_o_step
pp_o_binds(struct pp_o_lexer *lx, const struct pp_o_line *l,
    const struct pp_o_head *h)
{
	struct block b;
	struct pp_o_line second;
	struct pp_o_rec *r;
	const char *rest = h->rest;

	memset(&b, 0, offsetof(struct block, cut));
	b.line = lx->line + l->count;
	b.lines = l->count;
	b.crlf = pp_o_has_cr(l);
	b.rpc = h->class == PP_O_C_RPC_BINDS;
	pp_scan_blanks(&rest, l->e);
	b.begin = rest < l->e ? h->rest : l->next;
	b.end = l->next;
	if (rest < l->e)
		b.split = pp_o_second(l->p, l->e, true);
	if (b.split) {
		b.end = b.split;
		b.lines = 0;
	} else if (block_end(lx, &b, l) == PP_O_DEFER)
		return PP_O_DEFER;
	if (h->cut || h->range)
		pp_o_damage(lx, h->cut ? PP_MSG_CUT_RECORD :
		    PP_MSG_BAD_RECORD, l->p, lx->line, pp_o_str(l->p, l->e));
	else {
		r = pp_o_add(lx, b.rpc ? PP_O_RPC : PP_O_BINDS, l->p,
		    lx->line);
		r->cursor = h->cursor;
		r->sub = b.rpc;
		r->nlines = pp_o_lines(b.lines);
		r->text = block_text(lx, &b);
	}
	block_markers(lx, &b);
	if (b.split && pp_o_line_at(lx, b.split, &second))
		pp_o_damage(lx, PP_MSG_SPLIT_RECORD, b.split,
		    lx->line + b.lines, pp_o_str(second.p, second.e));
	pp_o_turn(lx, b.end, b.lines);
	return PP_O_DONE;
}
