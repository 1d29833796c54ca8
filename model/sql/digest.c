/*
 * digest.c: digest texts and their ids.  See digest.h, token.h.
 */
#include "../base/mem_end.h"
#include "push.h"

#include <openssl/evp.h>

static bool
is_pt(const struct pp_digest_options *o)
{
	return o->server == PP_SQL_PT_32 || o->server == PP_SQL_PT_35;
}

/* The version that a server compares with version comments. */
static uint32_t
version_of(enum pp_sql_server s)
{
	switch (s) {
	case PP_SQL_MYSQL_56M:
	case PP_SQL_MYSQL_56:
		return 50699;
	case PP_SQL_MYSQL_57:
		return 50799;
	case PP_SQL_MYSQL_80:
		return 80499;
	case PP_SQL_MYSQL_90:
		return 90799;
	case PP_SQL_MARIADB_10:
		return 101199;
	case PP_SQL_MARIADB_11:
		return 110899;
	case PP_SQL_ORACLE:
	case PP_SQL_POSTGRESQL:
	case PP_SQL_PT_32:
	case PP_SQL_PT_35:
		break;
	}
	return 0;
}

struct pp_digester *
pp_digester_open(struct pp_mem *mem, const struct pp_digest_options *o)
{
	struct pp_digester *d = pp_mem_zalloc(mem, sizeof(*d));
	enum pp_sql_server s = o->server;

	d->mem = mem;
	d->opt = *o;
	d->canonical = o->canonical || s == PP_SQL_ORACLE ||
	    s == PP_SQL_POSTGRESQL;
	d->maria = s == PP_SQL_MARIADB_10 || s == PP_SQL_MARIADB_11;
	d->native9 = s == PP_SQL_MYSQL_90 && !d->canonical;
	d->in_list = s == PP_SQL_MYSQL_80 || s == PP_SQL_MYSQL_90;
	d->null_token = s <= PP_SQL_MYSQL_56 && !d->canonical;
	d->hints = s == PP_SQL_MYSQL_57 || d->in_list;
	d->version = version_of(s);
	d->limit = d->canonical || o->max_length == 0 ? UINT64_MAX :
	    o->max_length;
	d->slow_names = s == PP_SQL_MYSQL_56M || (d->canonical && o->loose);
	pp_arena_init(&d->texts, mem, 4096);
	pp_map_init(&d->prepared, mem);
	if (!is_pt(o)) {
		pp_sql_words(d);
		pp_sql_spellings(d);
	}
	return d;
}

struct pp_digest_hasher {
	EVP_MD_CTX *ctx;	/* NULL: the library refuses one */
};

static void
close_hasher(void *arg)
{
	struct pp_digest_hasher *h = arg;

	EVP_MD_CTX_free(h->ctx);
}

void
pp_digester_close(struct pp_digester *d)
{
	if (d == NULL)
		return;
	pp_mem_free(d->mem, d->t);
	pp_mem_free(d->mem, d->f);
	pp_mem_free(d->mem, d->out);
	pp_mem_free(d->mem, d->spare);
	pp_mem_free(d->mem, d->copy);
	pp_mem_free(d->mem, d->memo);
	if (d->hasher != NULL) {
		pp_mem_not_at_end(d->mem, d->hasher);
		close_hasher(d->hasher);
		pp_mem_free(d->mem, d->hasher);
	}
	pp_arena_free(&d->texts);
	pp_map_free(&d->prepared);
	pp_mem_free(d->mem, d->prepared_texts);
	pp_mem_free(d->mem, d);
}

/* Longer statements are read where they are. */
#define COPY_MAX ((size_t)16 << 10)

/*
 * The statement to be read.  Lexers look at blocks of bytes; a copy with some
 * more behind it spares them to look where it ends.
 */
static void
set_sql(struct pp_digester *d, pp_str sql)
{
	void *v = d->copy;

	if (sql.n <= COPY_MAX) {
		if (d->copy_cap < sql.n + SQL_SLACK) {
			pp_mem_grow(d->mem, &v, &d->copy_cap,
			    sql.n + SQL_SLACK, 1);
			d->copy = v;
		}
		if (sql.n != 0)
			memcpy(d->copy, sql.p, sql.n);
		memset(d->copy + sql.n, 1, SQL_SLACK);
		sql.p = d->copy;
	}
	d->sql = sql;
	d->span.end = sql.p + sql.n;
	d->span.safe = sql.n <= COPY_MAX ? d->span.end :
	    d->span.end - SQL_SLACK;
}

static void
reset(struct pp_digester *d, pp_str sql)
{
	d->sql = sql;
	d->refused = false;
	d->cut = false;
	d->full = false;
	d->check = false;
	d->used = 0;
	d->depth = 0;
	d->nt = 0;
	d->barrier = 0;
	d->nf = 0;
	d->nout = 0;
	d->digest_input = d->opt.server <= PP_SQL_MARIADB_11 &&
	    pp_sql_is_digest(sql);
	if (d->canonical || d->native9)
		pp_sql_open_frame(d);
}


bool
pp_digest_text(struct pp_digester *d, pp_str sql, pp_str *text)
{
	bool mysql = d->opt.server <= PP_SQL_MARIADB_11;
	uint16_t first;
	pp_str inner;

	*text = PP_STR("");
	if (sql.n == 0)
		sql.p = "";
	if (is_pt(&d->opt)) {
		reset(d, sql);
		d->blank = !pp_sql_fingerprint(d, sql);
		if (d->blank)
			return false;
		*text = (pp_str){d->out, d->nout};
		return true;
	}
	set_sql(d, sql);
	reset(d, d->sql);
	if ((d->native9 || (d->canonical && mysql)) &&
	    pp_sql_prepared(d, &inner, &first)) {
		pp_sql_plain(d, first);
		set_sql(d, inner);
	}
	if (mysql)
		pp_sql_lex_mysql(d);
	else
		pp_sql_lex_other(d);
	d->blank = d->nt == 0 && !d->refused;
	while (d->nt != 0 && d->t[d->nt - 1].id == ';')
		pp_sql_cut(d, d->nt - 1);
	if (!d->canonical)
		pp_sql_check(d);
	if (d->nt == 0 || (d->refused && !d->canonical)) {
		d->nout = 0;
		return false;
	}
	pp_sql_end_text(d);
	if (d->nout != 0)
		*text = (pp_str){d->out, d->nout};
	return true;
}

bool
pp_digest_blank(const struct pp_digester *d)
{
	return d->blank;
}

bool
pp_digest_cut(const struct pp_digester *d)
{
	return d->cut;
}

void
pp_sql_hex(char *out, const unsigned char *md, size_t n, bool upper)
{
	const char *digit = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	size_t i;

	for (i = 0; i < n; i++) {
		out[2 * i] = digit[md[i] >> 4];
		out[2 * i + 1] = digit[md[i] & 15];
	}
	out[2 * n] = '\0';
}

void
pp_digest_id(pp_str text, char out[PP_DIGEST_ID])
{
	unsigned char md[EVP_MAX_MD_SIZE] = {0};

	EVP_Digest(text.p, text.n, md, NULL, EVP_sha256(), NULL);
	out[0] = 'd';
	out[1] = ':';
	pp_sql_hex(out + 2, md, 16, false);
}

struct pp_digest_hasher *
pp_digest_hasher_open(struct pp_mem *mem)
{
	struct pp_digest_hasher *h = pp_mem_zalloc(mem, sizeof(*h));
	EVP_MD *md;

	pp_mem_at_end(mem, close_hasher, h);
	md = EVP_MD_fetch(NULL, "SHA256", NULL);
	h->ctx = EVP_MD_CTX_new();
	/* the context keeps the algorithm */
	if (h->ctx != NULL && !EVP_DigestInit_ex(h->ctx, md != NULL ? md :
	    EVP_sha256(), NULL)) {
		EVP_MD_CTX_free(h->ctx);
		h->ctx = NULL;
	}
	EVP_MD_free(md);
	return h;
}

void
pp_sql_hasher_sum(struct pp_digest_hasher *h, pp_str text,
    unsigned char md[32])
{
	unsigned char all[EVP_MAX_MD_SIZE] = {0};
	EVP_MD_CTX *ctx = h->ctx;

	if (ctx == NULL || !EVP_DigestInit_ex(ctx, NULL, NULL) ||
	    !EVP_DigestUpdate(ctx, text.p, text.n) ||
	    !EVP_DigestFinal_ex(ctx, all, NULL))
		EVP_Digest(text.p, text.n, all, NULL, EVP_sha256(), NULL);
	memcpy(md, all, 32);
}

static uint64_t
big_endian(const unsigned char *p)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

void
pp_digest_hasher_id(struct pp_digest_hasher *h, pp_str text, uint64_t id[2])
{
	unsigned char md[32];

	pp_sql_hasher_sum(h, text, md);
	id[0] = big_endian(md);
	id[1] = big_endian(md + 8);
}

void
pp_digest_id_print(const uint64_t id[2], char out[PP_DIGEST_ID])
{
	const char *digit = "0123456789abcdef";
	size_t i;

	out[0] = 'd';
	out[1] = ':';
	for (i = 0; i < 32; i++)
		out[2 + i] = digit[id[i >> 4] >> (60 - 4 * (i & 15)) & 15];
	out[PP_DIGEST_ID - 1] = '\0';
}

size_t
pp_digest_hash(struct pp_digester *d, char *out, const char **why)
{
	unsigned char md[EVP_MAX_MD_SIZE] = {0};

	*why = NULL;
	out[0] = '\0';
	if (d->nout == 0)
		return 0;
	if (is_pt(&d->opt)) {
		EVP_Digest(d->out, d->nout, md, NULL, EVP_md5(), NULL);
		pp_sql_hex(out, md, 16, true);
		return 32;
	}
	if (!d->canonical && d->in_list)
		return pp_sql_native_hash(d, out, why);
	pp_sql_sum(d, (pp_str){d->out, d->nout}, md);
	out[0] = 'd';
	out[1] = ':';
	pp_sql_hex(out + 2, md, 16, false);
	return PP_DIGEST_ID - 1;
}
