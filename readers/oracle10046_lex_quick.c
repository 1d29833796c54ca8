/*
 * oracle10046_lex_quick.c: the commonest lines of an Oracle trace, quickly.
 *
 *	(PARSE|EXEC|FETCH) #N:c=N,e=N,p=N,cr=N,cu=N,mis=N,r=N,dep=N,og=N
 *	    [,plh=N],tim=N
 *	CLOSE #N:c=N,e=N,dep=N,type=N,tim=N
 *	WAIT #N: nam='NAME' ela=[ ]N[ PARAM=N]...[ obj#=N] tim=N
 *
 * in just this order, as 10.2 and later print them.  Anything else, be it only
 * a blank too many, is left to oracle10046_lex_line.c and _wait.c, which must
 * agree with what is done here.  On a trace of 300 MB the lexer reads 2.4 GB a
 * CPU second with this and 0.7 without.
 */
#include "oracle10046_lex.h"

/*
 * The quick functions begin behind the record's keyword.  Each answers the
 * newline that ends the line, or NULL when the line is not of the usual form.
 */
struct quick {
	struct pp_swift_marks marks;
	const char *from;	/* the number that is being read starts here */
	uint64_t odd;		/* not 0: a byte of a number was no digit */
	const char *last;	/* the cursor number read last, and its value */
	size_t nlast;
	uint64_t vlast;
};

/* The cursor number at q->from, which is often that of the line before. */
PP_SWIFT_INLINE const char *
quick_cursor(struct quick *q, uint64_t *v)
{
	const char *p = q->from + q->nlast;

	if (*p == ':' && pp_swift_same(q->from, q->last, q->nlast)) {
		*v = q->vlast;
		return p;
	}
	p = pp_swift_u64(q->from, v);
	if (p) {
		q->last = q->from;
		q->nlast = (size_t)(p - q->from);
		q->vlast = *v;
	}
	return p;
}

/* The number at q->from, which ends where lit stands; lit ends in '='. */
PP_SWIFT_INLINE bool
quick_field(struct quick *q, const char *lit, size_t n, uint64_t *v)
{
	const char *eq = pp_swift_mark(&q->marks), *end = eq + 1 - n;

	if (memcmp(end, lit, n) != 0 ||
	    !pp_swift_number(q->from, (size_t)(end - q->from), v, &q->odd))
		return false;
	q->from = eq + 1;
	return true;
}
#define FIELD(lit, v) \
	do { \
		if (!quick_field(q, lit, sizeof(lit) - 1, &(v))) \
			return NULL; \
	} while (0)

/* The last number of the line: the newline behind it, or NULL. */
PP_SWIFT_INLINE const char *
quick_last(struct quick *q, int64_t *v)
{
	const char *nl = pp_swift_mark(&q->marks), *end = nl;
	uint64_t n;

	end -= end[-1] == '\r';
	if (*nl != '\n' ||
	    !pp_swift_number(q->from, (size_t)(end - q->from), &n, &q->odd))
		return NULL;
	*v = (int64_t)n;
	return q->odd == 0 ? nl : NULL;
}

/* What calls do not have. */
PP_SWIFT_INLINE void
quick_blank(struct pp_o_rec *r)
{
	r->npar = 0;
	r->hash = 0;
	r->name = r->text = (pp_str){NULL, 0};
	r->u.call.q = 0;
}

/* "N:c=N,e=N,p=N ... ,tim=N" */
PP_SWIFT_INLINE const char *
quick_call(struct quick *q, uint8_t ev, struct pp_o_rec *r)
{
	uint64_t c, e, dep, og, plh = 0;
	unsigned has = PP_O_HAS_TIM | PP_O_HAS_DEP;
	const char *p, *eq;

	p = quick_cursor(q, &r->cursor);
	if (!p || memcmp(p, ":c=", 3) != 0)
		return NULL;
	q->odd = 0;
	q->from = p + 3;
	q->marks = pp_swift_open(q->from);
	FIELD(",e=", c);
	FIELD(",p=", e);
	FIELD(",cr=", r->u.call.p);
	FIELD(",cu=", r->u.call.cr);
	FIELD(",mis=", r->u.call.cu);
	FIELD(",r=", r->u.call.mis);
	FIELD(",dep=", r->u.call.r);
	FIELD(",og=", dep);
	/* plh= and tim= are of one length */
	eq = pp_swift_mark(&q->marks);
	if (!pp_swift_number(q->from, (size_t)(eq - 4 - q->from), &og,
	    &q->odd))
		return NULL;
	q->from = eq + 1;
	if (memcmp(eq - 4, ",plh=", 5) == 0) {
		FIELD(",tim=", plh);
		has |= PP_O_HAS_PLH;
	} else if (memcmp(eq - 4, ",tim=", 5) != 0)
		return NULL;
	if ((dep | og) > UINT16_MAX)
		return NULL;
	r->kind = PP_O_CALL;
	r->sub = ev;
	r->has = (uint8_t)has;
	r->dep = (uint16_t)dep;
	r->u.call.c = (int64_t)c;
	r->u.call.e = (int64_t)e;
	r->u.call.og = (uint32_t)og;
	r->u.call.type = 0;
	r->u.call.plh = plh;
	quick_blank(r);
	return quick_last(q, &r->tim);
}

/* "N:c=N,e=N,dep=N,type=N,tim=N" */
PP_SWIFT_INLINE const char *
quick_close(struct quick *q, struct pp_o_rec *r)
{
	uint64_t c, e, dep, type;
	const char *p;

	p = quick_cursor(q, &r->cursor);
	if (!p || memcmp(p, ":c=", 3) != 0)
		return NULL;
	q->odd = 0;
	q->from = p + 3;
	q->marks = pp_swift_open(q->from);
	FIELD(",e=", c);
	FIELD(",dep=", e);
	FIELD(",type=", dep);
	FIELD(",tim=", type);
	if ((dep | type) > UINT16_MAX)
		return NULL;
	r->kind = PP_O_CALL;
	r->sub = PP_EV_CLOSE;
	r->has = PP_O_HAS_TIM | PP_O_HAS_DEP;
	r->dep = (uint16_t)dep;
	r->u.call.c = (int64_t)c;
	r->u.call.e = (int64_t)e;
	r->u.call.type = (uint32_t)type;
	r->u.call.og = 0;
	r->u.call.plh = 0;
	r->u.call.p = r->u.call.cr = r->u.call.cu = 0;
	r->u.call.mis = r->u.call.r = 0;
	quick_blank(r);
	return quick_last(q, &r->tim);
}

/*
 * " PARAM=N PARAM=N PARAM=N obj#=N tim=" from p on.  A number ends where its
 * digits end; a name is what lies between that and the next '='.  False when
 * something is unusual.
 */
static bool
quick_parameters(struct quick *q, const char *p, struct pp_o_rec *r)
{
	const char *begin = p, *end = p, *eq, *next;
	unsigned npar = 0, has = PP_O_HAS_TIM;
	uint64_t v;

	q->marks = pp_swift_open(p);
	r->u.wait.par[0] = r->u.wait.par[1] = r->u.wait.par[2] = 0;
	r->u.wait.obj = 0;
	for (;; p = next) {
		bool neg;

		eq = pp_swift_mark(&q->marks);
		if (*p != ' ' || *eq != '=')
			return false;
		if (eq - p == 4 && memcmp(p, " tim", 4) == 0)
			break;
		neg = eq[1] == '-';
		next = pp_swift_u64(eq + 1 + neg, &v);
		if (!next || (has & PP_O_HAS_OBJ))
			return false;
		v = neg ? 0 - v : v;
		if (eq - p == 5 && memcmp(p, " obj#", 5) == 0) {
			has |= PP_O_HAS_OBJ;
			r->u.wait.obj = v == UINT32_MAX ? -1 : (int64_t)v;
			continue;
		}
		/* Two blanks are for an empty name only. */
		if (npar == 3 || (p[1] == ' ' && p[2] != '='))
			return false;
		if (npar == 0 && eq - p == 3 && memcmp(p, " p1", 3) == 0)
			has |= PP_O_P123;
		r->u.wait.par[npar++] = (int64_t)v;
		end = next;
	}
	r->has = (uint8_t)has;
	r->npar = (uint8_t)npar;
	r->text.p = begin + (npar != 0);
	r->text.n = (size_t)(end - r->text.p);
	q->from = eq + 1;
	return true;
}

/* Keep what was read between p and q->from. */
static void
tail_keep(struct pp_o_tail *t, const struct quick *q, const char *p,
    const struct pp_o_rec *r)
{
	t->n = (size_t)(q->from - p);
	if (t->n > PP_O_TAIL) {
		t->hash = 0;
		t->n = 0;
		return;
	}
	memcpy(t->bytes, p, t->n);
	t->hash = r->hash;
	t->has = r->has;
	t->npar = r->npar;
	t->text = (uint8_t)(r->text.p - p);
	t->textn = (uint8_t)r->text.n;
	memcpy(t->par, r->u.wait.par, sizeof(t->par));
	t->obj = r->u.wait.obj;
}

PP_SWIFT_INLINE bool
quick_tail(struct quick *q, struct pp_o_tail *t, const char *p,
    struct pp_o_rec *r)
{
	if (t->n == 0 || t->hash != r->hash ||
	    !pp_swift_same(p, t->bytes, t->n)) {
		if (!quick_parameters(q, p, r))
			return false;
		tail_keep(t, q, p, r);
		return true;
	}
	r->has = t->has;
	r->npar = t->npar;
	r->text = (pp_str){p + t->text, t->textn};
	memcpy(r->u.wait.par, t->par, sizeof(t->par));
	r->u.wait.obj = t->obj;
	q->from = p + t->n;
	return true;
}

/* "N: nam='NAME' ela=[ ]N ..." */
PP_SWIFT_INLINE const char *
quick_wait(struct quick *q, struct pp_o_tail *tails, struct pp_o_rec *r)
{
	const char *p, *name;
	uint64_t ela, tim;

	p = quick_cursor(q, &r->cursor);
	if (!p || memcmp(p, ": nam='", 7) != 0)
		return NULL;
	name = p + 7;
	p = pp_swift_quote(name);
	if (memcmp(p, "' ela=", 6) != 0)
		return NULL;
	r->name = pp_o_str(name, p);
	r->hash = pp_swift_hash(r->name);
	p += 6;
	p += *p == ' ';
	p = pp_swift_u64(p, &ela);
	if (!p || !quick_tail(q, tails + r->hash % PP_O_TAILS, p, r))
		return NULL;
	p = pp_swift_u64(q->from, &tim);
	if (!p)
		return NULL;
	r->kind = PP_O_WAIT;
	r->sub = 0;
	r->dep = 0;
	r->tim = (int64_t)tim;
	r->u.wait.ela = (int64_t)ela;
	r->u.wait.c = r->u.wait.q = 0;
	p += *p == '\r';
	return *p == '\n' ? p : NULL;
}

/*
 * One line in the form that current versions print.  Fills r but for line
 * and offset; the newline that ends the line, or NULL when another function
 * must read it.
 */
PP_SWIFT_INLINE const char *
quick_line(struct quick *q, struct pp_o_tail *tails, const char *p,
    struct pp_o_rec *r)
{
	uint8_t ev;

	q->from = p + 7;
	switch (*p) {
	case 'W':
		q->from = p + 6;
		return memcmp(p, "WAIT #", 6) == 0 ? quick_wait(q, tails, r) :
		    NULL;
	case 'C':
		return memcmp(p, "CLOSE #", 7) == 0 ? quick_close(q, r) :
		    NULL;
	case 'F':
		if (memcmp(p, "FETCH #", 7) != 0)
			return NULL;
		ev = PP_EV_FETCH;
		break;
	case 'E':
		q->from = p + 6;
		if (memcmp(p, "EXEC #", 6) != 0)
			return NULL;
		ev = PP_EV_EXEC;
		break;
	case 'P':
		if (memcmp(p, "PARSE #", 7) != 0)
			return NULL;
		ev = PP_EV_PARSE;
		break;
	default:
		return NULL;
	}
	return quick_call(q, ev, r);
}

void
pp_o_quick_lines(struct pp_o_lexer *lx)
{
	static const char zero[8] = "0";
	const char *p = lx->at, *stop = lx->stop, *nl;
	struct pp_records *out = lx->out;
	struct quick q = {.last = zero, .nlast = 1};
	struct pp_o_rec *r;
	uint64_t line = lx->line;
	uint64_t base = lx->offset - (uint64_t)(uintptr_t)lx->p;

	while (p < stop) {
		r = pp_records_next(out);
		nl = quick_line(&q, lx->tails, p, r);
		if (!nl || pp_scan_digit(nl[1]))
			break;
		r->nlines = 1;
		r->len = 0;
		r->line = line++;
		r->offset = base + (uint64_t)(uintptr_t)p;
		out->n++;
		p = nl + 1;
	}
	lx->at = p;
	lx->line = line;
}
