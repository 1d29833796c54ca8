/*
 * oracle10046_lex_line.c: what a line of an Oracle trace is, and the fields
 * of one record.  Works on the bytes of one line; every read is bounded by
 * its end.  The quick twins of the commonest records are in
 * oracle10046_lex.c, and WAIT has
 * a file of its own.
 *
 *	(PARSE|EXEC|FETCH|UNMAP|SORT UNMAP|CLOSE) #N:key=N,key=N,...
 *	LOBNAME: type=TEXT,bytes=N,key=N,...
 *	PARSING IN CURSOR #N len=N dep=N uid=N oct=N lid=N tim=N hv=N ad='X'
 *	    [ sqlid='X']
 *	PARSE ERROR #N:len=N dep=N uid=N oct=N lid=N tim=N err=N
 *	ERROR #N:err=N[ tim=N]
 *	XCTEND rlbk=N, rd_only=N[, tim=N]
 *	STAT #N [id=N] cnt=N [... op='TEXT']
 *
 * Keys are found by name, in any order; keys that nobody knows yet are passed
 * over.  A call without dep or tim is cut.
 */
#include "oracle10046_lex.h"

static const struct keyword {
	const char *s;
	uint8_t n;
	uint8_t class;
	uint8_t ev;
	char end;		/* what follows the number */
} keywords[] = {
#define K(lit, class, ev, end) {lit, sizeof(lit) - 1, class, ev, end}
    K("WAIT #", PP_O_C_WAIT, 0, ':'),
    K("EXEC #", PP_O_C_CALL, PP_EV_EXEC, ':'),
    K("FETCH #", PP_O_C_CALL, PP_EV_FETCH, ':'),
    K("PARSE #", PP_O_C_CALL, PP_EV_PARSE, ':'),
    K("CLOSE #", PP_O_C_CALL, PP_EV_CLOSE, ':'),
    K("BINDS #", PP_O_C_BINDS, 0, ':'),
    K("STAT #", PP_O_C_STAT, 0, ' '),
    K("PARSING IN CURSOR #", PP_O_C_PARSING, 0, ' '),
    K("PARSE ERROR #", PP_O_C_PARSE_ERROR, 0, ':'),
    K("ERROR #", PP_O_C_ERROR, 0, ':'),
    K("UNMAP #", PP_O_C_CALL, PP_EV_UNMAP, ':'),
    K("SORT UNMAP #", PP_O_C_CALL, PP_EV_SORT_UNMAP, ':'),
#undef K
};
#define NKEYWORDS (sizeof(keywords) / sizeof(keywords[0]))

/* The cursor number and the byte behind it; false when h is no record. */
static bool
classify_number(const char *p, const char *e, const struct keyword *k,
    struct pp_o_head *h)
{
	enum pp_scan s = pp_scan_u64(&p, e, &h->cursor);

	if (s == PP_SCAN_NONE)
		return false;
	h->range = s == PP_SCAN_RANGE;
	h->cut = p == e;
	if (!h->cut && *p != k->end)
		return false;
	h->class = (enum pp_o_class)k->class;
	h->ev = k->ev;
	h->rest = h->cut ? p : p + 1;
	return true;
}

/* LOBNAME: key=... */
static bool
classify_lob(const char *p, const char *e, struct pp_o_head *h)
{
	const char *q = p + 3, *k;

	while (q < e && *q >= 'A' && *q <= 'Z')
		q++;
	h->name = pp_o_str(p, q);
	if (q == p + 3 || !PP_SCAN_LIT(&q, e, ": "))
		return false;
	for (k = q; k < e && *k >= 'a' && *k <= 'z'; k++)
		;
	if (k == q || k == e || *k != '=')
		return false;
	h->class = PP_O_C_LOB;
	h->rest = q;
	return true;
}

/* The records without a cursor number, and what stands between records. */
static void
classify_others(const char *p, const char *e, struct pp_o_head *h)
{
	const char *q = p;
	enum pp_o_class c = PP_O_C_NONE;

	switch (*p) {
	case ' ':
	case '\t':
		pp_scan_blanks(&q, e);
		c = q == e ? PP_O_C_BLANK : PP_O_C_NONE;
		break;
	case '=':
		while (q < e && *q == '=')
			q++;
		if (q - p >= 5 && pp_str_trim(pp_o_str(q, e)).n == 0)
			c = PP_O_C_RULE;
		break;
	case '*':
		if (PP_SCAN_LIT(&q, e, "*** ") && q < e)
			c = PP_O_C_MARKER;
		break;
	case 'L':
		if (e - p > 3 && p[1] == 'O' && p[2] == 'B')
			classify_lob(p, e, h);
		return;
	case 'X':
		if (PP_SCAN_LIT(&q, e, "XCTEND rlbk="))
			c = PP_O_C_XCTEND, q -= 5;
		break;
	case 'A':
		if (PP_SCAN_LIT(&q, e, "APPNAME mod="))
			c = PP_O_C_APPNAME, q -= 4;
		break;
	case 'R':
		if (PP_SCAN_LIT(&q, e, "RPC CALL:"))
			c = PP_O_C_RPC_CALL;
		else if (PP_SCAN_LIT(&q, e, "RPC BINDS:"))
			c = PP_O_C_RPC_BINDS;
		else if (PP_SCAN_LIT(&q, e, "RPC EXEC:"))
			c = PP_O_C_RPC_EXEC;
		break;
	case 'T':
	case 'D':
		if (PP_SCAN_LIT(&q, e, "Trace file ") ||
		    PP_SCAN_LIT(&q, e, "Dump file "))
			c = PP_O_C_HEADER;
		break;
	default:
		break;
	}
	h->class = c;
	h->rest = q;
}

struct pp_o_head
pp_o_classify(const char *p, const char *e)
{
	struct pp_o_head h = {.class = PP_O_C_NONE, .rest = p};
	const struct keyword *k;

	if (p == e) {
		h.class = PP_O_C_BLANK;
		return h;
	}
	for (k = keywords; k < keywords + NKEYWORDS; k++)
		if (*p == k->s[0] && (size_t)(e - p) > k->n &&
		    memcmp(p, k->s, k->n) == 0) {
			if (!classify_number(p + k->n, e, k, &h))
				h.class = PP_O_C_NONE;
			return h;
		}
	classify_others(p, e, &h);
	return h;
}

bool
pp_o_begins(pp_str s)
{
	struct pp_o_head h = pp_o_classify(s.p, s.p + s.n);

	return !h.cut && !h.range && (h.class == PP_O_C_CALL ||
	    h.class == PP_O_C_WAIT || h.class == PP_O_C_LOB ||
	    h.class == PP_O_C_STAT || h.class == PP_O_C_BINDS ||
	    h.class == PP_O_C_PARSING);
}

static inline __attribute__((always_inline)) bool
key_is(const char *k, size_t n, const char *lit, size_t m)
{
	return n == m && memcmp(k, lit, m) == 0;
}
#define KEY(lit) key_is(k, n, lit, sizeof(lit) - 1)

/* Where a call's key stores its number; NULL for a key nobody knows. */
static void *
call_field(struct pp_o_rec *r, const char *k, size_t n, bool *sign)
{
	*sign = false;
	switch (n) {
	case 1:
		*sign = *k == 'c' || *k == 'e' || *k == 'q';
		return *k == 'c' ? (void *)&r->u.call.c :
		    *k == 'e' ? (void *)&r->u.call.e :
		    *k == 'q' ? (void *)&r->u.call.q :
		    *k == 'p' ? &r->u.call.p :
		    *k == 'r' ? &r->u.call.r : NULL;
	case 2:
		return KEY("cr") ? &r->u.call.cr : KEY("cu") ? &r->u.call.cu :
		    NULL;
	case 3:
		*sign = KEY("tim");
		return *sign ? (void *)&r->tim : KEY("mis") ? &r->u.call.mis :
		    KEY("plh") ? &r->u.call.plh : NULL;
	case 5:
		/* LOB calls tell bytes in place of rows. */
		return KEY("bytes") ? &r->u.call.r : NULL;
	default:
		return NULL;
	}
}

/* The 16 and 32-bit fields; *max 0 for a key nobody knows. */
static uint64_t
call_small(const char *k, size_t n)
{
	return KEY("dep") ? UINT16_MAX : KEY("og") || KEY("type") ?
	    UINT32_MAX : 0;
}

static void
call_set_small(struct pp_o_rec *r, const char *k, size_t n, uint64_t v)
{
	if (KEY("dep"))
		r->dep = (uint16_t)v, r->has |= PP_O_HAS_DEP;
	else if (KEY("og"))
		r->u.call.og = (uint32_t)v;
	else
		r->u.call.type = (uint32_t)v;
}

/* One value of a call: the cursor moves behind it. */
static enum pp_o_verdict
call_value(const char **p, const char *e, const char *k, size_t n,
    struct pp_o_rec *r)
{
	bool sign;
	uint64_t max = call_small(k, n), v = 0;
	void *to = max ? NULL : call_field(r, k, n, &sign);
	enum pp_scan s;

	if (!max && !to) {
		while (*p < e && **p != ',')
			(*p)++;
		return PP_O_WHOLE;
	}
	if (max)
		s = pp_scan_u64(p, e, &v);
	else if (sign)
		s = pp_scan_i64(p, e, to);
	else
		s = pp_scan_u64(p, e, to);
	/* SystemTap leaves out the number of a missing sample. */
	if (s == PP_SCAN_NONE && KEY("q") && *p < e && **p == ',')
		return PP_O_WHOLE;
	if (s == PP_SCAN_NONE)
		return *p == e ? PP_O_CUT : PP_O_BAD;
	if (s == PP_SCAN_RANGE || (max && v > max))
		return PP_O_BAD;
	if (max)
		call_set_small(r, k, n, v);
	else if (KEY("tim"))
		r->has |= PP_O_HAS_TIM;
	else if (KEY("plh"))
		r->has |= PP_O_HAS_PLH;
	else if (KEY("q"))
		r->has |= PP_O_HAS_Q;
	else if (KEY("e"))
		r->len = 1;
	return PP_O_WHOLE;
}

/* key=N,key=N,... of calls, LOB calls and RPC EXEC. */
static enum pp_o_verdict
call_fields(const char *p, const char *e, bool lob, struct pp_o_rec *r)
{
	enum pp_o_verdict v;
	const char *k;
	size_t n;

	while (p < e) {
		if (*p == ',' || *p == ' ') {
			p++;
			continue;
		}
		for (k = p; p < e && ((*p >= 'a' && *p <= 'z') || *p == '_');)
			p++;
		n = (size_t)(p - k);
		if (p == e)
			return PP_O_CUT;
		if (n == 0 || *p++ != '=')
			return PP_O_BAD;
		if (lob && KEY("type")) {
			while (p < e && *p != ',')
				p++;
			continue;
		}
		v = call_value(&p, e, k, n, r);
		if (v != PP_O_WHOLE)
			return v;
		if (p < e && *p != ',' && *p != ' ')
			return PP_O_BAD;
	}
	return PP_O_WHOLE;
}

static enum pp_o_verdict
call(const struct pp_o_head *h, const char *e, struct pp_o_rec *r)
{
	enum pp_o_verdict v;
	bool e_seen;
	unsigned need = PP_O_HAS_TIM | PP_O_HAS_DEP;

	r->kind = PP_O_CALL;
	r->sub = h->ev;
	v = call_fields(h->rest, e, h->class == PP_O_C_LOB, r);
	/* len, which calls do not have, noted e= on the way. */
	e_seen = r->len != 0;
	r->len = 0;
	if (h->class == PP_O_C_LOB) {
		r->sub = PP_EV_LOB;
		r->name = h->name;
		r->hash = pp_str_hash(h->name);
		need = PP_O_HAS_TIM;
	} else if (h->class == PP_O_C_RPC_EXEC) {
		r->sub = PP_EV_RPC;
		need = 0;
	}
	if (v != PP_O_WHOLE)
		return v;
	return e_seen && (r->has & need) == need ? PP_O_WHOLE : PP_O_CUT;
}

/* 32-bit numbers of PARSING and PARSE ERROR: where they go. */
static uint32_t *
parsing_field(struct pp_o_rec *r, const char *k, size_t n, unsigned *bit)
{
	*bit = KEY("len") ? 0x01 : KEY("uid") ? 0x02 : KEY("oct") ? 0x04 :
	    KEY("lid") ? 0x08 : KEY("hv") ? 0x10 : 0;
	switch (*bit) {
	case 0x01:
		return &r->len;
	case 0x02:
		return &r->u.parsing.uid;
	case 0x04:
		return &r->u.parsing.oct;
	case 0x08:
		return &r->u.parsing.lid;
	case 0x10:
		return &r->u.parsing.hv;
	default:
		return NULL;
	}
}

/* 'TEXT' of ad= and sqlid=. */
static bool
parsing_quoted(const char **p, const char *e, pp_str *to)
{
	const char *q = memchr(*p + 1, '\'', (size_t)(e - *p - 1));

	if (!q || (q + 1 < e && q[1] != ' '))
		return false;
	*to = pp_o_str(*p + 1, q);
	*p = q + 1;
	return true;
}

static enum pp_o_verdict
parsing_value(const char **p, const char *e, const char *k, size_t n,
    struct pp_o_rec *r, unsigned *seen)
{
	unsigned bit = 0;
	uint32_t *to = parsing_field(r, k, n, &bit);
	enum pp_scan s;
	uint64_t v;

	if (KEY("tim") || KEY("err")) {
		s = pp_scan_i64(p, e, KEY("tim") ? &r->tim :
		    &r->u.parsing.err);
		if (s == PP_SCAN_OK)
			*seen |= KEY("tim") ? 0x100 : 0x200;
		if (s == PP_SCAN_OK && KEY("tim"))
			r->has |= PP_O_HAS_TIM;
	} else if (to || KEY("dep")) {
		s = pp_scan_u64(p, e, &v);
		if (s == PP_SCAN_OK && v > (to ? UINT32_MAX : UINT16_MAX))
			s = PP_SCAN_RANGE;
		if (s == PP_SCAN_OK && to)
			*to = (uint32_t)v, *seen |= bit;
		if (s == PP_SCAN_OK && bit == 0x10)
			r->has |= PP_O_HAS_HV;
		if (s == PP_SCAN_OK && !to)
			r->dep = (uint16_t)v, r->has |= PP_O_HAS_DEP;
	} else {
		while (*p < e && **p != ' ')
			(*p)++;
		return PP_O_WHOLE;
	}
	if (s == PP_SCAN_OK && (*p == e || **p == ' '))
		return PP_O_WHOLE;
	return s == PP_SCAN_NONE && *p == e ? PP_O_CUT : PP_O_BAD;
}

/* key=N key=N ... of PARSING IN CURSOR and PARSE ERROR. */
static enum pp_o_verdict
parsing(const struct pp_o_head *h, const char *e, struct pp_o_rec *r)
{
	const char *p = h->rest, *k;
	enum pp_o_verdict v = PP_O_WHOLE;
	unsigned seen = 0, need;
	pp_str ad = {0};
	size_t n;

	r->kind = h->class == PP_O_C_PARSING ? PP_O_PARSING : PP_O_PARSE_ERROR;
	need = h->class == PP_O_C_PARSING ? 0x11f : 0x301;
	while (p < e && v == PP_O_WHOLE) {
		if (*p == ' ') {
			p++;
			continue;
		}
		for (k = p; p < e && *p != '=' && *p != ' ';)
			p++;
		n = (size_t)(p - k);
		if (p == e)
			return PP_O_CUT;
		if (*p++ != '=')
			return PP_O_BAD;
		if (p == e)
			return PP_O_CUT;
		if (*p == '\'')
			v = parsing_quoted(&p, e, KEY("sqlid") ? &r->name :
			    &ad) ? PP_O_WHOLE : PP_O_CUT;
		else
			v = parsing_value(&p, e, k, n, r, &seen);
	}
	if (v == PP_O_WHOLE && ((seen & need) != need ||
	    !(r->has & PP_O_HAS_DEP) ||
	    (h->class == PP_O_C_PARSING && !ad.p)))
		v = PP_O_CUT;
	return v;
}

/* ERROR #N:err=N tim=N and XCTEND rlbk=N, rd_only=N, tim=N */
static enum pp_o_verdict
point(const struct pp_o_head *h, const char *e, struct pp_o_rec *r)
{
	const char *p = h->rest, *k;
	unsigned seen = 0;
	bool comma = false;
	int64_t v;
	size_t n;

	r->kind = h->class == PP_O_C_ERROR ? PP_O_ERROR : PP_O_XCTEND;
	while (p < e) {
		if (*p == ' ' || *p == ',') {
			comma = comma || *p == ',';
			p++;
			continue;
		}
		comma = false;
		for (k = p; p < e && *p != '=' && *p != ' ' && *p != ',';)
			p++;
		n = (size_t)(p - k);
		if (p == e || p + 1 == e)
			return PP_O_CUT;
		if (*p++ != '=' || pp_scan_i64(&p, e, &v) != PP_SCAN_OK ||
		    (p < e && *p != ' ' && *p != ','))
			return PP_O_BAD;
		if (KEY("tim"))
			r->tim = v, r->has |= PP_O_HAS_TIM;
		else if (KEY("err"))
			r->u.point.err = v, seen |= 3;
		else if (KEY("rlbk"))
			r->u.point.rlbk = v != 0, seen |= 1;
		else if (KEY("rd_only"))
			r->u.point.rd_only = v != 0, seen |= 2;
	}
	return seen == 3 && !comma ? PP_O_WHOLE : PP_O_CUT;
}

size_t
pp_o_stat_op(pp_str s)
{
	const char *end = s.p + s.n, *q = s.p;

	for (; s.n > 0 && (q = memchr(q, '\'', (size_t)(end - q))) != NULL; q++)
		if (q - s.p >= 3 && memcmp(q - 3, "op=", 3) == 0)
			return (size_t)(q - 3 - s.p);
	return s.n;
}

/* STAT: the text is left for the plan's own grammar. */
static enum pp_o_verdict
stat(const struct pp_o_head *h, const char *e, struct pp_o_rec *r)
{
	pp_str s = pp_str_trim(pp_o_str(h->rest, e));
	size_t op = pp_o_stat_op(s);

	r->kind = PP_O_STAT;
	r->text = s;
	if (!pp_str_starts(s, PP_STR("id=")) &&
	    !pp_str_starts(s, PP_STR("cnt=")))
		return s.n < 3 ? PP_O_CUT : PP_O_BAD;
	if (pp_str_find(s, PP_STR("cnt=")) == s.n)
		return PP_O_CUT;
	if (op < s.n)
		return s.n > op + 4 && s.p[s.n - 1] == '\'' ? PP_O_WHOLE :
		    memchr(s.p + op + 4, '\'', s.n - op - 4) ? PP_O_BAD :
		    PP_O_CUT;
	/* Before 7.3.3 a row was id= and cnt= only. */
	return pp_str_find(s, PP_STR("pid=")) < s.n || s.n == 0 ||
	    !pp_scan_digit(s.p[s.n - 1]) ? PP_O_CUT : PP_O_WHOLE;
}

enum pp_o_verdict
pp_o_fields(const struct pp_o_head *h, const char *e, struct pp_o_rec *r)
{
	r->cursor = h->cursor;
	switch (h->class) {
	case PP_O_C_CALL:
	case PP_O_C_LOB:
	case PP_O_C_RPC_EXEC:
		return call(h, e, r);
	case PP_O_C_WAIT:
		return pp_o_wait(h, e, r);
	case PP_O_C_STAT:
		return stat(h, e, r);
	case PP_O_C_PARSING:
	case PP_O_C_PARSE_ERROR:
		return parsing(h, e, r);
	case PP_O_C_ERROR:
	case PP_O_C_XCTEND:
		return point(h, e, r);
	case PP_O_C_APPNAME:
	case PP_O_C_RPC_CALL:
		r->kind = h->class == PP_O_C_APPNAME ? PP_O_APPNAME : PP_O_RPC;
		r->text = pp_str_trim(pp_o_str(h->rest, e));
		return PP_O_WHOLE;
	case PP_O_C_NONE:
	case PP_O_C_BLANK:
	case PP_O_C_RULE:
	case PP_O_C_MARKER:
	case PP_O_C_HEADER:
	case PP_O_C_BINDS:
	case PP_O_C_RPC_BINDS:
		break;
	}
	return PP_O_BAD;
}

bool
pp_o_full_record(const char *p, const char *e)
{
	struct pp_o_head h = pp_o_classify(p, e);
	struct pp_o_rec r = {0};

	return (h.class == PP_O_C_CALL || h.class == PP_O_C_WAIT ||
	    h.class == PP_O_C_PARSING || h.class == PP_O_C_XCTEND) &&
	    !h.cut && !h.range && pp_o_fields(&h, e, &r) == PP_O_WHOLE;
}

/* The record keyword that ends at the '#' at `at`, not before p, or NULL. */
static const char *
keyword_before(const char *p, const char *at, const char *e)
{
	const struct keyword *k;
	const char *best = NULL, *q;
	struct pp_o_head h;

	for (k = keywords; k < keywords + NKEYWORDS; k++) {
		if ((size_t)(at + 1 - p) < k->n)
			continue;
		q = at + 1 - k->n;
		if (memcmp(q, k->s, k->n) != 0 || (best && best < q))
			continue;
		h = pp_o_classify(q, e);
		if (h.class != PP_O_C_NONE)
			best = q;
	}
	return best;
}

/* The first LOB call that begins in p..limit but not at p, or NULL. */
static const char *
lob_behind(const char *p, const char *limit, const char *e)
{
	const char *q = p;

	while (q < limit &&
	    (q = memchr(q + 1, 'L', (size_t)(limit - q - 1))) != NULL)
		if (e - q > 3 && memcmp(q, "LOB", 3) == 0 &&
		    pp_o_classify(q, e).class == PP_O_C_LOB)
			return q;
	return NULL;
}

const char *
pp_o_second(const char *p, const char *e, bool anywhere)
{
	static const char *const others[] = {"XCTEND rlbk=", "*** 1", "*** 2",
	    "*** SESSION ID:(", "*** MODULE NAME:(", "*** ACTION NAME:(",
	    "*** CLIENT ID:(", "*** SERVICE NAME:(", "=====================",
	    "*** DUMP FILE SIZE IS LIMITED TO ", "*** TRACE CONTINUES IN ",
	    "*** TRACE DUMP CONTINUES IN "};
	const char *q, *k, *first = NULL;
	size_t i, n = (size_t)(e - p);

	for (q = p; (q = memchr(q, '#', (size_t)(e - q))) != NULL; q++) {
		k = keyword_before(p + 1, q, e);
		if (k && (anywhere || pp_scan_digit(k[-1]) ||
		    memchr("')=", k[-1], 3) ||
		    pp_str_trim(pp_o_str(p, k)).n == 0)) {
			first = k;
			break;
		}
	}
	for (i = 0; anywhere && i < sizeof(others) / sizeof(others[0]); i++) {
		size_t at = pp_str_find((pp_str){p + 1, n - 1},
		    pp_str_from(others[i])) + 1;

		if (at < n && (!first || p + at < first))
			first = p + at;
	}
	k = anywhere ? lob_behind(p, first ? first : e, e) : NULL;
	return k ? k : first;
}
