/*
 * oracle10046_plan.c: STAT lines to plans.
 *
 *   STAT #N [id=N] cnt=N [pid=N pos=N obj=N op='OPTEXT']
 *   OPTEXT = NAME [OBJECT] [(cr=N pr=N pw=N [str=N] time=N [dr=N dw=N] us
 *            [cost=N size=N card=N])]
 *
 * 7.3 to 9.2.0.1 print no counters; 9.2 `r=` and `w=` for pr and pw; 11.1 adds
 * the optimizer's estimates, 12.2 str=, 23c dr= and dw=.  The counters are the
 * last group in brackets, since names of objects may hold brackets and
 * quotes; they may be glued to the name or to their unit (time=248us), and
 * wrapped numbers may hold a blank, so each is read by its key.
 *
 * A plan ends where an id does not rise, another cursor prints one, or a call
 * follows.  Copies without id= (the blank before it invites mail programs to
 * drop it) are numbered by their order: pid then fits.
 */
#include "oracle10046_fold.h"
#include "scan.h"

/* Keys that are known, and the number behind each. */
enum key {
	K_CNT, K_ID, K_PID, K_POS, K_OBJ, K_CR, K_PR, K_PW, K_R, K_W, K_TIME,
	K_STR, K_COST, K_SIZE, K_CARD, KEYS
};

struct numbers {
	unsigned seen, ok;	/* bits by key: it is there; with a number */
	int64_t v[KEYS];
};

/* The key k[0..n), or KEYS. */
static enum key
key_of(const char *k, size_t n)
{
	static const struct {
		char name[5];	/* with zeros up to 4 bytes */
		uint8_t key;
	} keys[] = {
	    {"cr", K_CR}, {"pr", K_PR}, {"pw", K_PW}, {"time", K_TIME},
	    {"cost", K_COST}, {"size", K_SIZE}, {"card", K_CARD},
	    {"str", K_STR}, {"cnt", K_CNT}, {"id", K_ID}, {"pid", K_PID},
	    {"pos", K_POS}, {"obj", K_OBJ}, {"r", K_R}, {"w", K_W}};
	char name[4] = {0};
	size_t i;

	if (n == 0 || n > 4)
		return KEYS;
	for (i = 0; i < n; i++)
		name[i] = k[i];
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (memcmp(name, keys[i].name, 4) == 0)
			return (enum key)keys[i].key;
	return KEYS;
}

/* The number at s.p + i.  A wrapped one goes on behind a blank. */
static bool
number_at(pp_str s, size_t i, int64_t *out)
{
	char digits[24];
	size_t n = 0, at = i;
	int64_t v = 0;

	for (; at < s.n && at - i < 18 && pp_scan_digit(s.p[at]); at++)
		v = v * 10 + (s.p[at] - '0');
	if (at > i && (at == s.n || (!pp_scan_digit(s.p[at]) &&
	    (s.p[at] != ' ' || at + 1 == s.n ||
	    !pp_scan_digit(s.p[at + 1]))))) {
		*out = v;
		return true;
	}
	if (i < s.n && s.p[i] == '-')
		digits[n++] = s.p[i++];
	for (; i < s.n && n < sizeof(digits); i++) {
		if (s.p[i] >= '0' && s.p[i] <= '9')
			digits[n++] = s.p[i];
		else if (s.p[i] != ' ' || i + 1 >= s.n ||
		    s.p[i + 1] < '0' || s.p[i + 1] > '9')
			break;
	}
	return pp_i64_parse((pp_str){digits, n}, out);
}

/*
 * The first number of each key in s.  A key begins a word: `r=` is not the
 * end of `cr=`.
 */
static void
numbers_of(pp_str s, struct numbers *k)
{
	size_t word = 0, i;
	enum key key;

	k->seen = k->ok = 0;
	for (i = 0; i < s.n; i++) {
		if (s.p[i] == ' ' || s.p[i] == '(')
			word = i + 1;
		if (s.p[i] != '=')
			continue;
		key = key_of(s.p + word, i - word);
		if (key == KEYS || (k->seen & 1u << key) != 0)
			continue;
		k->seen |= 1u << key;
		if (number_at(s, i + 1, &k->v[key]))
			k->ok |= 1u << key;
	}
}

static bool
get(const struct numbers *k, enum key key, int64_t *out)
{
	if ((k->ok & 1u << key) == 0)
		return false;
	*out = k->v[key];
	return true;
}

/* Where the counters begin: the last bracket that holds cr=. */
static size_t
counters_at(pp_str op)
{
	return pp_str_rfind(op, PP_STR("(cr="));
}

static void
read_counters(pp_str s, struct pp_plan_row *row)
{
	struct numbers k;
	int64_t v = 0;

	numbers_of(s, &k);
	if (get(&k, K_CR, &row->cr))
		row->has |= PP_PLAN_GETS;
	if (!get(&k, K_PR, &row->pr))
		get(&k, K_R, &row->pr);
	if (!get(&k, K_PW, &row->pw))
		get(&k, K_W, &row->pw);
	get(&k, K_TIME, &row->us);
	if (get(&k, K_STR, &v)) {
		row->starts = (uint64_t)v;
		row->has |= PP_PLAN_STARTS;
	}
	if (get(&k, K_COST, &row->cost))
		row->has |= PP_PLAN_COST;
	if (get(&k, K_SIZE, &row->bytes))
		row->has |= PP_PLAN_BYTES;
	if (get(&k, K_CARD, &row->cardinality))
		row->has |= PP_PLAN_CARD;
}

/* Fields of a STAT line; false where it is damaged. */
static bool
read_stat(struct pp_fold *f, const struct pp_o_rec *r,
    struct pp_plan_row *row, bool *has_id)
{
	pp_str head = r->text, op = {NULL, 0};
	size_t q = pp_o_stat_op(head), end;
	struct numbers k;
	int64_t count = 0;

	memset(row, 0, sizeof(*row));
	row->line = (uint32_t)r->line;
	if (q < head.n) {
		op = pp_str_skip(head, q + 4);
		end = pp_str_rfind(op, PP_STR("'"));
		if (end == op.n)
			return false;
		op.n = end;
		head.n = q;
	}
	numbers_of(head, &k);
	if (!get(&k, K_CNT, &count))
		return false;
	row->rows = count < 0 ? 0 : (uint64_t)count;
	*has_id = get(&k, K_ID, &row->id);
	if (get(&k, K_PID, &row->parent))
		row->has |= PP_PLAN_PARENT;
	if (get(&k, K_POS, &row->position))
		row->has |= PP_PLAN_POSITION;
	if (get(&k, K_OBJ, &row->object))
		row->has |= PP_PLAN_OBJECT;
	q = counters_at(op);
	if (q < op.n) {
		read_counters(pp_str_skip(op, q), row);
		op.n = q;
	}
	row->operation = pp_strtab_id(&f->m->names, pp_str_trim(op));
	return true;
}

void
pp_of_plan_end(struct pp_fold *f)
{
	struct pp_of_plan *p = &f->plan;

	if (p->n > 0)
		pp_model_plan(f->m, p->session, p->stmt, p->rows,
		    (uint32_t)p->n);
	p->n = 0;
}

void
pp_of_stat(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_of_plan *p = &f->plan;
	struct pp_plan_row row;
	uint32_t cursor, stmt = PP_STMT_NONE;
	bool has_id;
	void *v = p->rows;

	if (f->todo != 0)
		pp_of_ready(f, r);
	if (!read_stat(f, r, &row, &has_id)) {
		f->records--;
		pp_of_reject(f, r, PP_MSG_BAD_RECORD,
		    "a STAT line that cannot be read");
		return;
	}
	if (r->cursor != 0) {
		cursor = pp_of_cursor(f, r->cursor, f->s->index);
		stmt = f->cursors[cursor].stmt;
	}
	if (p->n > 0 && (p->cursor != r->cursor ||
	    p->session != f->s->index || p->stmt != stmt ||
	    p->has_id != has_id ||
	    (has_id ? row.id <= p->rows[p->n - 1].id :
	    (row.has & PP_PLAN_PARENT) && row.parent == 0)))
		pp_of_plan_end(f);
	if (!has_id)
		row.id = (int64_t)p->n + 1;
	p->has_id = has_id;
	p->cursor = r->cursor;
	p->session = f->s->index;
	p->stmt = stmt;
	pp_mem_grow(f->mem, &v, &p->cap, p->n + 1, sizeof(*p->rows));
	p->rows = v;
	p->rows[p->n++] = row;
}

void
pp_of_error_row(struct pp_fold *f, const struct pp_o_rec *r, int64_t code,
    uint32_t stmt, int64_t at, bool parse)
{
	struct pp_error *e = pp_model_error(f->m);

	e->session = f->s->index;
	e->source = f->source;
	e->stmt = stmt;
	e->line = r->line;
	e->code = code;
	e->has_time = at != PP_NO_TIME;
	e->at = at;
	e->parse = parse;
}
