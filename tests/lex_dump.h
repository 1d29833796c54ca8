/*
 * lex_dump.h: the records of the Oracle lexer as text, a line each, and a
 * driver that cuts a file into chunks of any size; for test_lex*.c, which
 * include cmocka before.
 */
#ifndef PP_TEST_LEX_DUMP_H
#define PP_TEST_LEX_DUMP_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../readers/oracle10046.h"

struct dump {
	struct pp_mem mem;
	struct pp_records rec;
	char *p;		/* the text */
	size_t n, cap;
	bool keep;		/* make text; else only the hash */
	uint64_t hash;		/* of all fields of all records */
	uint64_t count;
	uint64_t lines;		/* as the lexer counted them */
	uint64_t seen[PP_O_DAMAGE + 1];
	uint64_t damage[PP_MSG_COUNT];
	const char *wrong;	/* a broken promise of the lexer, or NULL */
};

static inline void
dump_init(struct dump *d, bool keep)
{
	memset(d, 0, sizeof(*d));
	pp_mem_init(&d->mem, 0);
	pp_records_init(&d->rec, &d->mem, sizeof(struct pp_o_rec));
	d->keep = keep;
}

static inline void
dump_free(struct dump *d)
{
	pp_records_free(&d->rec);
	pp_mem_free_all(&d->mem);
	free(d->p);
}

__attribute__((format(printf, 2, 3))) static inline void
dump_put(struct dump *d, const char *fmt, ...)
{
	va_list ap;
	int n;

	for (;;) {
		size_t room = d->cap - d->n;

		va_start(ap, fmt);
		n = vsnprintf(room ? d->p + d->n : NULL, room, fmt, ap);
		va_end(ap);
		if (n < 0)
			abort();
		if ((size_t)n < room)
			break;
		d->cap = d->cap * 2 + (size_t)n + 256;
		d->p = realloc(d->p, d->cap);
		if (!d->p)
			abort();
	}
	d->n += (size_t)n;
}

/* [text], with \n, \r and others that do not print escaped */
static inline void
dump_str(struct dump *d, const char *name, pp_str s)
{
	size_t i;

	dump_put(d, " %s[", name);
	for (i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '\n')
			dump_put(d, "\\n");
		else if (c < 0x20 || c > 0x7e)
			dump_put(d, "\\x%02x", c);
		else
			dump_put(d, "%c", c);
	}
	dump_put(d, "]");
}

static inline void
dump_call(struct dump *d, const struct pp_o_rec *r)
{
	static const char *const names[] = {[PP_EV_PARSE] = "PARSE",
	    [PP_EV_EXEC] = "EXEC", [PP_EV_FETCH] = "FETCH",
	    [PP_EV_CLOSE] = "CLOSE", [PP_EV_UNMAP] = "UNMAP",
	    [PP_EV_SORT_UNMAP] = "SORT-UNMAP", [PP_EV_RPC] = "RPC-EXEC",
	    [PP_EV_LOB] = "LOB"};

	dump_put(d, "%s #%llu c=%lld e=%lld p=%llu cr=%llu cu=%llu mis=%llu "
	    "r=%llu", names[r->sub], (unsigned long long)r->cursor,
	    (long long)r->u.call.c, (long long)r->u.call.e,
	    (unsigned long long)r->u.call.p, (unsigned long long)r->u.call.cr,
	    (unsigned long long)r->u.call.cu,
	    (unsigned long long)r->u.call.mis,
	    (unsigned long long)r->u.call.r);
	if (r->has & PP_O_HAS_DEP)
		dump_put(d, " dep=%u", r->dep);
	dump_put(d, " og=%u", r->u.call.og);
	if (r->sub == PP_EV_CLOSE)
		dump_put(d, " type=%u", r->u.call.type);
	if (r->has & PP_O_HAS_PLH)
		dump_put(d, " plh=%llu", (unsigned long long)r->u.call.plh);
	if (r->has & PP_O_HAS_Q)
		dump_put(d, " q=%lld", (long long)r->u.call.q);
	if (r->sub == PP_EV_LOB)
		dump_str(d, "name", r->name);
}

static inline void
dump_wait(struct dump *d, const struct pp_o_rec *r)
{
	unsigned i;

	dump_put(d, "WAIT #%llu", (unsigned long long)r->cursor);
	dump_str(d, "nam", r->name);
	dump_put(d, " ela=%lld", (long long)r->u.wait.ela);
	for (i = 0; i < r->npar; i++)
		dump_put(d, "%s%lld", i ? "," : " par=",
		    (long long)r->u.wait.par[i]);
	dump_str(d, "text", r->text);
	if (r->has & PP_O_P123)
		dump_put(d, " p123");
	if (r->has & PP_O_HAS_C)
		dump_put(d, " c=%lld", (long long)r->u.wait.c);
	if (r->has & PP_O_HAS_Q)
		dump_put(d, " q=%lld", (long long)r->u.wait.q);
	if (r->has & PP_O_HAS_OBJ)
		dump_put(d, " obj=%lld", (long long)r->u.wait.obj);
}

static inline void
dump_parsing(struct dump *d, const struct pp_o_rec *r)
{
	dump_put(d, "%s #%llu len=%u dep=%u uid=%u oct=%u lid=%u",
	    r->kind == PP_O_PARSING ? "PARSING" : "PARSE-ERROR",
	    (unsigned long long)r->cursor, r->len, r->dep, r->u.parsing.uid,
	    r->u.parsing.oct, r->u.parsing.lid);
	if (r->has & PP_O_HAS_HV)
		dump_put(d, " hv=%u", r->u.parsing.hv);
	if (r->kind == PP_O_PARSE_ERROR)
		dump_put(d, " err=%lld", (long long)r->u.parsing.err);
	if (r->name.n)
		dump_str(d, "id", r->name);
	dump_str(d, r->u.parsing.complete ? "text" : "cut", r->text);
}

static inline void
dump_marker(struct dump *d, const struct pp_o_rec *r)
{
	static const char *const keys[] = {"STAMP", "SESSION", "CLIENT",
	    "SERVICE", "MODULE", "ACTION", "DRIVER", "CONTAINER", "IP",
	    "CONNECTION", "PROCESS", "CONTINUES", "CONTINUED", "LIMIT",
	    "OTHER"};

	dump_put(d, "MARKER %s", keys[r->sub]);
	dump_str(d, "at", r->name);
	dump_str(d, "text", r->text);
	if (r->u.head.num)
		dump_put(d, " num=%llu", (unsigned long long)r->u.head.num);
}

static inline void
dump_rest(struct dump *d, const struct pp_o_rec *r)
{
	static const char *const headers[] = {"FILE", "PRODUCT", "VERSION",
	    "HOST", "INSTANCE", "PROCESS", "OTHER"};

	switch (r->kind) {
	case PP_O_XCTEND:
		dump_put(d, "XCTEND rlbk=%u rd_only=%u", r->u.point.rlbk,
		    r->u.point.rd_only);
		return;
	case PP_O_ERROR:
		dump_put(d, "ERROR #%llu err=%lld",
		    (unsigned long long)r->cursor,
		    (long long)r->u.point.err);
		return;
	case PP_O_HEADER:
		dump_put(d, "HEADER %s", headers[r->sub]);
		if (r->u.head.num)
			dump_put(d, " num=%llu",
			    (unsigned long long)r->u.head.num);
		break;
	case PP_O_DAMAGE:
		dump_put(d, "! %s", pp_msg_info[r->sub].id);
		if (r->len)
			dump_put(d, " len=%u", r->len);
		break;
	default:
		dump_put(d, "%s", r->kind == PP_O_BINDS ? "BINDS" :
		    r->kind == PP_O_STAT ? "STAT" :
		    r->kind == PP_O_APPNAME ? "APPNAME" :
		    r->kind == PP_O_RPC ? r->sub ? "RPC-BINDS" : "RPC-CALL" :
		    "NOISE");
		if (r->kind == PP_O_BINDS || r->kind == PP_O_STAT)
			dump_put(d, " #%llu", (unsigned long long)r->cursor);
	}
	dump_str(d, "text", r->text);
}

/* LINE+NLINES KIND fields */
static inline void
dump_record(struct dump *d, const struct pp_o_rec *r)
{
	dump_put(d, "%llu+%u ", (unsigned long long)r->line, r->nlines);
	if (r->kind == PP_O_CALL)
		dump_call(d, r);
	else if (r->kind == PP_O_WAIT)
		dump_wait(d, r);
	else if (r->kind == PP_O_PARSING || r->kind == PP_O_PARSE_ERROR)
		dump_parsing(d, r);
	else if (r->kind == PP_O_MARKER)
		dump_marker(d, r);
	else
		dump_rest(d, r);
	if (r->has & PP_O_HAS_TIM)
		dump_put(d, " tim=%lld", (long long)r->tim);
	dump_put(d, "\n");
}

/* All fields of a record, and the bytes that it points to. */
static inline uint64_t
dump_hash(const struct pp_o_rec *r)
{
	uint64_t v[24] = {r->kind, r->sub, r->has, r->npar, r->dep, r->nlines,
	    r->len, r->line, r->offset, r->cursor, (uint64_t)r->tim, r->hash,
	    pp_str_hash(r->name), pp_str_hash(r->text)};
	size_t n = 14;

	switch (r->kind) {
	case PP_O_CALL:
		memcpy(v + n, &r->u.call, offsetof(struct pp_o_rec, u.call.og)
		    - offsetof(struct pp_o_rec, u));
		v[n + 9] = (uint64_t)r->u.call.og << 32 | r->u.call.type;
		break;
	case PP_O_WAIT:
		memcpy(v + n, &r->u.wait, sizeof(r->u.wait));
		break;
	case PP_O_PARSING:
	case PP_O_PARSE_ERROR:
		v[n] = (uint64_t)r->u.parsing.uid << 32 | r->u.parsing.oct;
		v[n + 1] = (uint64_t)r->u.parsing.lid << 32 |
		    r->u.parsing.hv;
		v[n + 2] = (uint64_t)r->u.parsing.err;
		v[n + 3] = r->u.parsing.complete;
		break;
	case PP_O_ERROR:
	case PP_O_XCTEND:
		v[n] = (uint64_t)r->u.point.err;
		v[n + 1] = (uint64_t)r->u.point.rlbk << 32 |
		    r->u.point.rd_only;
		break;
	default:
		v[n] = r->u.head.num;
	}
	return pp_str_hash((pp_str){(const char *)v, sizeof(v)});
}

/* What the record at `at` must begin with. */
static inline const char *
dump_lead(const struct pp_o_rec *r)
{
	static const char *const calls[] = {[PP_EV_PARSE] = "PARSE #",
	    [PP_EV_EXEC] = "EXEC #", [PP_EV_FETCH] = "FETCH #",
	    [PP_EV_CLOSE] = "CLOSE #", [PP_EV_UNMAP] = "UNMAP #",
	    [PP_EV_SORT_UNMAP] = "SORT UNMAP #", [PP_EV_RPC] = "RPC EXEC:",
	    [PP_EV_LOB] = "LOB"};
	static const char *const kinds[] = {[PP_O_WAIT] = "WAIT #",
	    [PP_O_PARSING] = "PARSING IN CURSOR #", [PP_O_BINDS] = "BINDS #",
	    [PP_O_STAT] = "STAT #", [PP_O_XCTEND] = "XCTEND rlbk=",
	    [PP_O_ERROR] = "ERROR #", [PP_O_PARSE_ERROR] = "PARSE ERROR #",
	    [PP_O_APPNAME] = "APPNAME mod=", [PP_O_RPC] = "RPC ",
	    [PP_O_MARKER] = "*** "};

	return r->kind == PP_O_CALL ? calls[r->sub] :
	    r->kind <= PP_O_MARKER ? kinds[r->kind] : "";
}

/* Is r where it says, in the file of n bytes at p? */
static inline bool
dump_placed(const struct pp_o_rec *r, const char *p, size_t n)
{
	const char *lead = dump_lead(r);
	uint64_t line = 1;
	size_t i;

	if (r->offset > n || n - r->offset < strlen(lead) ||
	    (*lead && memcmp(p + r->offset, lead, strlen(lead)) != 0))
		return false;
	for (i = 0; i < r->offset; i++)
		line += p[i] == '\n';
	return line == r->line;
}

/*
 * Lex the n bytes in chunks of at least `size` bytes, as the input layer
 * gives them: whole lines, the unused tail again, more when all was left.
 * Each chunk is a block of its own, so that reads past its end are found.
 */
static inline void
dump_lex(struct dump *d, const char *p, size_t n, size_t size,
    void (*lex)(struct pp_chunk *, struct pp_records *))
{
	struct pp_chunk c = {.line = 1};
	size_t want = size, i, k;
	const struct pp_o_rec *r;
	const char *file = p;
	size_t all = n;

	do {
		const char *nl = want <= n ? memchr(p + want - 1, '\n',
		    n - want + 1) : NULL;
		char *copy;

		c.n = nl ? (size_t)(nl + 1 - p) : n;
		c.last = c.n == n;
		c.used = 0;
		c.lines = 0;
		copy = malloc(c.n + !c.n);
		if (!copy)
			abort();
		if (c.n)
			memcpy(copy, p, c.n);
		c.p = copy;
		pp_records_reset(&d->rec);
		lex(&c, &d->rec);
		for (i = 0; i < d->rec.n; i++) {
			r = (const struct pp_o_rec *)d->rec.v + i;
			d->seen[r->kind]++;
			if (r->kind == PP_O_DAMAGE)
				d->damage[r->sub]++;
			d->hash = d->hash * 1099511628211u + dump_hash(r);
			if (d->keep)
				dump_record(d, r);
			if (d->keep && !dump_placed(r, file, all))
				d->wrong = "a place is wrong";
		}
		d->count += d->rec.n;
		for (i = k = 0; i < c.used && i < c.n; i++)
			k += copy[i] == '\n';
		if (k != c.lines)
			d->wrong = "lines are miscounted";
		if (c.used > c.n || (c.last && c.used != c.n))
			d->wrong = "used is wrong";
		free(copy);
		if (d->wrong)
			return;
		p += c.used;
		n -= c.used;
		c.offset += c.used;
		c.line += c.lines;
		want = c.used == 0 ? c.n * 2 : size;
	} while (!c.last);
	d->lines = c.line - 1;
}

/* The records of text, lexed whole and in small chunks, both ways. */
static inline void
expect_n(const char *text, size_t n, const char *want)
{
	static const size_t sizes[] = {1 << 20, 1, 64};
	size_t i;

	for (i = 0; i < 6; i++) {
		struct dump d;

		dump_init(&d, true);
		dump_lex(&d, text, n, sizes[i / 2], i % 2 ?
		    pp_oracle10046_lex_plain : pp_oracle10046_lex);
		assert_null(d.wrong);
		assert_string_equal(d.p ? d.p : "", want);
		dump_free(&d);
	}
}

static inline void
expect(const char *text, const char *want)
{
	expect_n(text, strlen(text), want);
}

#endif
