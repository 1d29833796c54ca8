/*
 * dialect.c: the dialects by name, and the tables of words that a digester
 * works with.  Touches the base and model/sql only.
 */
#include "token.h"

/* Flags of words that words.tbl does not hold: where an expression begins. */
static const struct {
	const char *word;
	uint8_t flags;
} word_flags[] = {
	{"WHERE", F_VALUE | F_LIST_END},
	{"HAVING", F_VALUE | F_LIST_END},
	{"ON", F_VALUE | F_LIST_END},
	{"BY", F_VALUE},
	{"THEN", F_VALUE},
	{"ELSE", F_VALUE},
	{"DISTINCTROW", F_VALUE},
	{"ALL", F_VALUE},
	{"BINARY", F_VALUE},
	{"DO", F_VALUE},
	{"ESCAPE", F_VALUE},
	{"USING", F_VALUE},
	{"SQL_NO_CACHE", F_VALUE},
	{"SQL_CACHE", F_VALUE},
	{"SQL_CALC_FOUND_ROWS", F_VALUE},
	{"SQL_BUFFER_RESULT", F_VALUE},
	{"SQL_BIG_RESULT", F_VALUE},
	{"SQL_SMALL_RESULT", F_VALUE},
	{"HIGH_PRIORITY", F_VALUE},
	{"STRAIGHT_JOIN", F_VALUE},
	{"LIMIT", F_VALUE | F_LIST_END},
	{"OFFSET", F_VALUE},
	{"EXISTS", F_VALUE},
	{"VALUES", F_VALUE | F_LIST_END},
	{"BOTH", F_VALUE},
	{"LEADING", F_VALUE},
	{"TRAILING", F_VALUE},
	{"SEPARATOR", F_VALUE | F_LIST_END},
	{"FROM", F_VALUE | F_LIST_END},
	{"FOR", F_VALUE | F_LIST_END},
	{"AND", F_OPERATOR},
	{"OR", F_OPERATOR},
	{"XOR", F_OPERATOR},
	{"DIV", F_OPERATOR},
	{"MOD", F_OPERATOR},
	{"IS", F_OPERATOR},
	{"IN", F_OPERATOR},
	{"NOT", F_OPERATOR},
	{"LIKE", F_OPERATOR},
	{"RLIKE", F_OPERATOR},
	{"BETWEEN", F_OPERATOR},
	{"COLLATE", F_OPERATOR},
	{"SOUNDS", F_OPERATOR},
	{"MEMBER", F_OPERATOR},
	{"ORDER", F_LIST_END},
	{"GROUP", F_LIST_END},
	{"WINDOW", F_LIST_END},
	{"ROWS", F_LIST_END},
	{"RANGE", F_LIST_END},
	{"GROUPS", F_LIST_END},
	{"INTO", F_LIST_END},
	{"UNION", F_LIST_END},
	{"EXCEPT", F_LIST_END},
	{"INTERSECT", F_LIST_END},
	{"LOCK", F_LIST_END},
	{"QUALIFY", F_LIST_END},
	{"SELECT", F_LIST_END | F_HINTS},
	{"INSERT", F_LIST_END | F_HINTS},
	{"REPLACE", F_HINTS},
	{"UPDATE", F_LIST_END | F_HINTS},
	{"DELETE", F_LIST_END | F_HINTS},
	{"SET", F_LIST_END},
	{"LIMIT", F_CHECK},
	{"PROCEDURE", F_CHECK},
	{"PASSWORD", F_CHECK},
};

static unsigned
where_of(enum pp_sql_server s)
{
	switch (s) {
	case PP_SQL_MYSQL_56M:
	case PP_SQL_MYSQL_56:
		return WORD_M56;
	case PP_SQL_MYSQL_57:
		return WORD_M57;
	case PP_SQL_MYSQL_80:
		return WORD_M80;
	case PP_SQL_MYSQL_90:
		return WORD_M90;
	case PP_SQL_MARIADB_10:
		return WORD_MA10;
	case PP_SQL_MARIADB_11:
		return WORD_MA11;
	case PP_SQL_ORACLE:
	case PP_SQL_POSTGRESQL:
	case PP_SQL_PT_32:
	case PP_SQL_PT_35:
		break;
	}
	return 0xff;
}

const unsigned char pp_sql_ones[32] = {
	0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf,
	0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf,
};

bool
pp_sql_same_tail(const struct pp_sql_key *k, const char *p)
{
	size_t i;

	for (i = 16; i < k->n; i++)
		if (pp_sql_upper[(unsigned char)p[i]] !=
		    (unsigned char)k->word[i])
			return false;
	return true;
}

const struct pp_sql_key *
pp_sql_word_find_short(const struct pp_sql_words *w, const char *p, size_t n)
{
	char word[WORD_LONGEST] = {0};

	if (n < 2 || n > WORD_LONGEST)
		return NULL;
	memcpy(word, p, n);
	return pp_sql_word_find(w, word, n);
}

/* The key of a word, made where there is none. */
static struct pp_sql_key *
key_at(struct pp_sql_words *t, const struct pp_word *w)
{
	struct pp_sql_key *k;
	char word[WORD_LONGEST] = {0};
	uint64_t a, b, h;
	size_t i;

	PP_ASSERT(w->n <= WORD_LONGEST);
	memcpy(word, w->word, w->n);
	pp_sql_key_of(word, w->n, &a, &b);
	h = pp_sql_key_hash(a, b);
	for (i = (size_t)h & (WORD_SLOTS - 1); t->slot[i] != 0;
	    i = (i + 1) & (WORD_SLOTS - 1)) {
		k = &t->key[t->slot[i] & SLOT_KEY];
		if (k->a == a && k->b == b && k->n == w->n &&
		    (w->n <= 16 || pp_sql_same_tail(k, w->word)))
			return k;
		t->slot[i] |= SLOT_MORE;
	}
	/* the first is no word's */
	k = &t->key[++t->n];
	*k = (struct pp_sql_key){.a = a, .b = b, .word = w->word,
	    .n = w->n};
	t->slot[i] = (uint32_t)(h >> 48 << 16) | t->n;
	return k;
}

static void
enter(uint16_t *row, size_t i)
{
	if (*row == 0)
		*row = (uint16_t)(i + 1);
}

/* The first row whose word is w, of hints or of the others. */
static uint16_t
row_of(const char *w, bool hint)
{
	uint16_t lo = 0, hi = pp_word_count, i;

	while (lo < hi) {
		i = (uint16_t)((lo + hi) / 2);
		if (strcmp(pp_words[i].word, w) < 0)
			lo = (uint16_t)(i + 1);
		else
			hi = i;
	}
	for (i = lo; i < pp_word_count && strcmp(pp_words[i].word, w) == 0;
	    i++)
		if (((pp_words[i].kind & WORD_HINT) != 0) == hint)
			return i;
	PP_ASSERT(hint);	/* a hint that is a keyword elsewhere */
	return row_of(w, false);
}

uint16_t
pp_sql_word_id(const char *w)
{
	return (uint16_t)(T_WORD + row_of(w, false));
}

static void
fill_flags(struct pp_digester *d)
{
	const struct pp_word *w;
	uint16_t i;

	for (i = 0; i < pp_word_count; i++) {
		w = &pp_words[i];
		if ((w->kind & WORD_START) || ((w->kind & WORD_START9) &&
		    (d->native9 || d->canonical)))
			d->flags[i] = F_START | F_VALUE;
	}
	for (i = 0; i < sizeof(word_flags) / sizeof(word_flags[0]); i++)
		d->flags[row_of(word_flags[i].word, false)] |=
		    word_flags[i].flags;
	if (d->canonical) {
		/* the canonical spellings of those above */
		d->flags[row_of("DISTINCT", false)] |= F_VALUE;
		d->flags[row_of("REGEXP", false)] |= F_VALUE | F_START;
		for (i = 0; i < pp_word_count; i++)
			if (d->flags[i] & F_VALUE)
				d->flags[i] |= F_START;
	}
	if (d->opt.server == PP_SQL_ORACLE)
		d->flags[row_of("MERGE", false)] |= F_HINTS;
}

static void
fill_ids(struct pp_digester *d)
{
	d->w_null = pp_sql_word_id("NULL");
	d->w_is = pp_sql_word_id("IS");
	d->w_not = pp_sql_word_id("NOT");
	d->w_in = pp_sql_word_id("IN");
	d->w_with = pp_sql_word_id("WITH");
	d->w_rollup = pp_sql_word_id("ROLLUP");
	d->w_by = pp_sql_word_id("BY");
	d->w_order = pp_sql_word_id("ORDER");
	d->w_group = pp_sql_word_id("GROUP");
	d->w_partition = pp_sql_word_id("PARTITION");
	d->w_cube = pp_sql_word_id("CUBE");
	d->w_select = pp_sql_word_id("SELECT");
	d->w_array = pp_sql_word_id("ARRAY");
	d->w_row = pp_sql_word_id("ROW");
	d->w_true = pp_sql_word_id("TRUE");
	d->w_false = pp_sql_word_id("FALSE");
	d->w_set = pp_sql_word_id("SET");
	d->w_prepare = pp_sql_word_id("PREPARE");
	d->w_execute = pp_sql_word_id("EXECUTE");
	d->w_deallocate = pp_sql_word_id("DEALLOCATE");
	d->w_from = pp_sql_word_id("FROM");
	d->w_limit = pp_sql_word_id("LIMIT");
	d->w_procedure = pp_sql_word_id("PROCEDURE");
	d->w_password = pp_sql_word_id("PASSWORD");
	d->w_master = pp_sql_word_id("MASTER");
	d->w_slave = pp_sql_word_id("SLAVE");
	d->w_values = pp_sql_word_id("VALUES");
	d->w_analyze = pp_sql_word_id("ANALYZE");
}

/* Words on which pp_sql_word does more than to push their token. */
static bool
is_plain(const struct pp_digester *d, uint16_t row)
{
	uint16_t id = d->token[row];
	uint8_t flags = d->flags[id - T_WORD];

	if (flags & F_CHECK)
		return false;
	if (d->canonical) {
		id = d->same[row];
		return id != d->w_true && id != d->w_false &&
		    id != d->w_null && id != d->w_select && id != d->w_with;
	}
	if (d->native9 && (id == d->w_by || (flags & F_LIST_END)))
		return false;
	return id != d->w_null && id != d->w_rollup && id != d->w_not;
}

static void
fill_how(struct pp_digester *d)
{
	struct pp_sql_key *k;
	uint16_t row;

	d->words.key[0].easy = T_NAME;
	for (k = d->words.key + 1; k <= d->words.key + d->words.n; k++) {
		/* in a canonical text it may read as a word of others */
		k->easy = d->canonical && k->plain != 0 ? 0 : T_NAME;
		if (k->own == 0)
			continue;
		row = (uint16_t)(k->own - 1);
		k->id = d->canonical ? d->same[row] : d->token[row];
		if (pp_words[row].kind & WORD_KEY)
			k->how |= KEY_WORD;
		if (d->hints && (d->flags[d->token[row] - T_WORD] & F_HINTS))
			k->how |= KEY_HINTS;
		if (is_plain(d, row))
			k->how |= KEY_PLAIN;
		k->easy = k->how == (KEY_WORD | KEY_PLAIN) ? k->id : 0;
	}
}

void
pp_sql_words(struct pp_digester *d)
{
	unsigned where = where_of(d->opt.server);
	bool mysql = where != 0xff;
	const struct pp_word *w;
	struct pp_sql_key *k;
	bool hint;
	uint16_t i;

	for (i = 0; i < pp_word_count; i++) {
		w = &pp_words[i];
		hint = (w->kind & WORD_HINT) != 0;
		k = key_at(&d->words, w);
		if (!hint)
			enter(&k->all, i);
		if (w->where & where)
			enter(hint ? &k->hint : &k->own, i);
		d->token[i] = (uint16_t)(T_WORD + row_of(w->text, hint));
		d->same[i] = (uint16_t)(T_WORD + row_of(mysql ||
		    (w->kind & WORD_SAME) ? w->canonical : w->word, hint));
		if (k->all == i + 1 && (w->kind & WORD_CORE) == 0 &&
		    d->same[i] == T_WORD + i)
			k->plain = d->same[i];
	}
	fill_flags(d);
	fill_ids(d);
	fill_how(d);
}

/* ------------------------------------------------------------- dialects */

static const char *const names[] = {"mysql-5.6", "mysql-5.7", "mysql-8.0",
	"mysql-9", "mariadb", "oracle", "postgresql", "pt", "canonical"};

const char *
pp_digest_dialect_name(size_t n)
{
	return n < sizeof(names) / sizeof(names[0]) ? names[n] : NULL;
}

/* "8", "8.0", "8.0.36-debug": up to three numbers, what is missing is -1. */
static bool
version_of(pp_str s, int v[3])
{
	size_t i = 0;
	int k;

	v[0] = v[1] = v[2] = -1;
	for (k = 0; k < 3; k++) {
		if (i >= s.n || !digit_byte(s.p[i]))
			return false;
		v[k] = 0;
		for (; i < s.n && digit_byte(s.p[i]); i++)
			if (v[k] < 100000)
				v[k] = v[k] * 10 + (s.p[i] - '0');
		if (i == s.n || s.p[i] != '.')
			break;
		i++;
	}
	return i == s.n || s.p[i] == '-' || s.p[i] == '.';
}

static bool
mysql_version(const int v[3], enum pp_sql_server *server)
{
	if (v[0] == 5 && v[1] == 6)
		*server = v[2] >= 9 ? PP_SQL_MYSQL_56 : PP_SQL_MYSQL_56M;
	else if (v[0] == 5 && v[1] == 7)
		*server = PP_SQL_MYSQL_57;
	else if (v[0] == 8)
		*server = PP_SQL_MYSQL_80;
	else if (v[0] >= 9)
		*server = PP_SQL_MYSQL_90;
	else
		return false;
	return true;
}

/* The part behind NAME and `-`, or nothing behind NAME. */
static bool
named(pp_str s, const char *name, pp_str *version)
{
	size_t n = strlen(name);

	if (!pp_str_starts(s, pp_str_from(name)) ||
	    (s.n > n && (s.p[n] != '-' || s.n == n + 1)))
		return false;
	*version = s.n > n ? pp_str_skip(s, n + 1) : PP_STR("");
	return true;
}

static bool
server_of(pp_str s, enum pp_sql_server *server)
{
	pp_str rest;
	int v[3];

	if (named(s, "mysql", &rest)) {
		*server = PP_SQL_MYSQL_80;
		return rest.n == 0 || (version_of(rest, v) &&
		    mysql_version(v, server));
	}
	if (named(s, "mariadb", &rest)) {
		*server = PP_SQL_MARIADB_10;
		if (rest.n == 0)
			return true;
		if (!version_of(rest, v))
			return false;
		if (v[0] > 11 || (v[0] == 11 && v[1] >= 8))
			*server = PP_SQL_MARIADB_11;
		return v[0] >= 10;
	}
	if (named(s, "pt", &rest)) {
		*server = PP_SQL_PT_32;
		if (rest.n == 0)
			return true;
		if (!version_of(rest, v))
			return false;
		if (v[0] > 3 || (v[0] == 3 && v[1] >= 5))
			*server = PP_SQL_PT_35;
		return true;
	}
	if (named(s, "oracle", &rest))
		*server = PP_SQL_ORACLE;
	else if (named(s, "postgresql", &rest) || named(s, "postgres", &rest))
		*server = PP_SQL_POSTGRESQL;
	else
		return false;
	return rest.n == 0 || version_of(rest, v);
}

bool
pp_digest_dialect(pp_str name, struct pp_digest_options *o)
{
	bool canonical = pp_str_eq(name, PP_STR("canonical"));

	if (canonical)
		o->server = PP_SQL_MYSQL_80;
	else if (!server_of(name, &o->server))
		return false;
	o->canonical = canonical || o->server == PP_SQL_ORACLE ||
	    o->server == PP_SQL_POSTGRESQL;
	o->max_length = o->canonical ? 0 : PP_SQL_MAX_LENGTH;
	return true;
}
