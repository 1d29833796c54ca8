/*
 * digest_name.c: what names a row of digests: its canonical id from its text,
 * else the server's own digest.  See digests.h.
 *
 * Exports repeat themselves: a native digest comes once a schema and once a
 * snapshot, with the same text each time.  So a text is looked up by the text
 * that its native digest had last, then among all strings, and only a new one
 * is normalised.
 */
#include "digests.h"

#include "sql/digest.h"

/* Samples are kept while they leave this part of --max-memory free. */
#define SAMPLE_SHARE 4

/* The id of the canonical text of each string that was one. */
struct pp_digest_texts {
	uint32_t *at;		/* by string: index in v + 1; 0: none yet */
	size_t at_cap;
	uint64_t (*v)[2];
	size_t n, cap;
};

uint32_t *
pp_digest_by_string(struct pp_digests *d, uint32_t **v, size_t *cap,
    uint32_t string)
{
	size_t old = *cap;
	void *p = *v;

	if (string >= old) {
		pp_mem_grow(d->mem, &p, cap, (size_t)string + 1, sizeof(**v));
		*v = p;
		memset(*v + old, 0, (*cap - old) * sizeof(**v));
	}
	return *v + string;
}

/* ------------------------------------------------------------------ ids */

/* All samples or none: those that are there make room for what counts. */
static void
drop_samples(struct pp_digests *d)
{
	size_t i;

	for (i = 0; i < d->n; i++)
		pp_digest_at(d, i)->sample = PP_STR("");
	pp_arena_free(&d->samples);
	d->samples_dropped = true;
}

pp_str
pp_digest_sample(struct pp_digests *d, pp_str sql)
{
	size_t limit = d->mem->limit;

	if (limit != 0 && !d->samples_dropped &&
	    d->mem->used > limit - limit / SAMPLE_SHARE)
		drop_samples(d);
	return d->samples_dropped ? PP_STR("") :
	    pp_arena_str(&d->samples, sql);
}

static struct pp_digester *
digester(struct pp_digests *d, enum pp_digest_family family)
{
	struct pp_digest_options o = {.canonical = true};

	if (d->digester[family] != NULL)
		return d->digester[family];
	o.server = family == PP_DG_POSTGRESQL ? PP_SQL_POSTGRESQL :
	    PP_SQL_MYSQL_80;
	d->digester[family] = pp_digester_open(d->mem, &o);
	d->texts[family] = pp_mem_zalloc(d->mem, sizeof(*d->texts[family]));
	if (d->hasher == NULL)
		d->hasher = pp_digest_hasher_open(d->mem);
	return d->digester[family];
}

/* Remember that string `text` has this canonical text; empty: none. */
static uint32_t
keep_id(struct pp_digests *d, struct pp_digest_texts *t, uint32_t text,
    pp_str canonical)
{
	uint64_t *id;

	if (t->n == t->cap)
		pp_mem_grow(d->mem, (void **)&t->v, &t->cap, t->n + 1,
		    sizeof(*t->v));
	id = t->v[t->n];
	id[0] = id[1] = 0;
	if (canonical.n != 0)
		pp_digest_hasher_id(d->hasher, canonical, id);
	*pp_digest_by_string(d, &t->at, &t->at_cap, text) =
	    (uint32_t)++t->n;
	return (uint32_t)t->n;
}

/*
 * Fingerprints of pt-query-digest and PMM have (?+) for a list of values,
 * which is no SQL: as (? ) it is one.  NULL where there is none; else a copy
 * of the same length, to be freed.
 */
static char *
without_plus(struct pp_digests *d, pp_str s)
{
	size_t i = pp_str_find(s, PP_STR("(?+)"));
	char *copy;

	if (i == s.n)
		return NULL;
	copy = pp_mem_alloc(d->mem, s.n);
	memcpy(copy, s.p, s.n);
	for (; i + 3 < s.n; i++)
		if (memcmp(copy + i, "(?+)", 4) == 0)
			copy[i + 2] = ' ';
	return copy;
}

/* False where nothing is in the text. */
static bool
canonical_id(struct pp_digests *d, enum pp_digest_family family,
    uint32_t text, uint64_t id[2])
{
	struct pp_digester *g = digester(d, family);
	struct pp_digest_texts *t = d->texts[family];
	uint32_t at = *pp_digest_by_string(d, &t->at, &t->at_cap, text);
	pp_str canonical, sql;
	char *plain;

	if (at == 0) {
		sql = pp_strtab_get(&d->strings, text);
		plain = without_plus(d, sql);
		if (plain != NULL)
			sql.p = plain;
		if (!pp_digest_text(g, sql, &canonical))
			canonical = PP_STR("");
		at = keep_id(d, t, text, canonical);
		pp_mem_free(d->mem, plain);
	}
	id[0] = t->v[at - 1][0];
	id[1] = t->v[at - 1][1];
	return id[0] != 0 || id[1] != 0;
}

/* --------------------------------------------------------------- naming */

/* The string of a text, found by its native digest where it is known. */
static uint32_t
text_id(struct pp_digests *d, uint32_t native, pp_str text)
{
	uint32_t *last, id;

	if (native == 0)
		return pp_strtab_id(&d->strings, text);
	last = pp_digest_by_string(d, &d->text_of, &d->text_cap, native);
	if (*last != 0 &&
	    pp_str_eq(pp_strtab_get(&d->strings, *last), text))
		return *last;
	id = pp_strtab_id(&d->strings, text);
	*last = id;
	return id;
}

void
pp_digest_name(struct pp_digests *d, struct pp_digest *row,
    enum pp_digest_family family, pp_str text, bool partial)
{
	pp_str native = pp_strtab_get(&d->strings, row->native);

	row->text = text_id(d, row->native, pp_str_trim(text));
	row->texts = row->text != 0;
	if (row->text != 0 && (!partial || row->native == 0) &&
	    canonical_id(d, family, row->text, row->id)) {
		row->kind = PP_DG_TEXT;
		return;
	}
	if (row->native != 0) {
		row->kind = PP_DG_NATIVE;
		row->id[0] = pp_str_hash(native);
		row->id[1] = pp_hash_mix(row->id[0] + native.n);
		return;
	}
	row->kind = row->kind == PP_DG_OTHER ? PP_DG_OTHER : PP_DG_NO_TEXT;
	row->id[0] = row->id[1] = 0;
}

void
pp_digest_name_sql(struct pp_digests *d, struct pp_digest *row,
    enum pp_digest_family family, pp_str sql)
{
	struct pp_digester *g = digester(d, family);
	struct pp_digest_texts *t = d->texts[family];
	uint64_t h = pp_str_hash(sql);
	uint32_t *cell = pp_map_at(&d->sql, h, sql.n);
	pp_str canonical;
	uint32_t text;

	if (*cell == PP_MAP_NONE) {
		if (!pp_digest_text(g, sql, &canonical))
			canonical = PP_STR("");
		text = pp_strtab_id(&d->strings, canonical);
		if (*pp_digest_by_string(d, &t->at, &t->at_cap, text) == 0)
			keep_id(d, t, text, canonical);
		*cell = text;
	}
	pp_digest_name(d, row, family, pp_strtab_get(&d->strings, *cell),
	    false);
	row->texts = 0;
}

/* -------------------------------------------------------------- showing */

pp_str
pp_digest_id_text(const struct pp_digests *d, const struct pp_digest *e,
    char *buf)
{
	switch ((enum pp_digest_kind)e->kind) {
	case PP_DG_TEXT:
		pp_digest_id_print(e->id, buf);
		return (pp_str){buf, PP_DIGEST_ID - 1};
	case PP_DG_NATIVE:
		return pp_strtab_get(&d->strings, e->native);
	case PP_DG_OTHER:
	case PP_DG_NO_TEXT:
		break;
	}
	return PP_STR("");
}

pp_str
pp_digest_shown(const struct pp_digests *d, const struct pp_digest *e)
{
	if (e->kind == PP_DG_OTHER)
		return PP_STR(PP_DG_OTHER_LABEL);
	if (e->kind == PP_DG_NO_TEXT && e->text == 0)
		return PP_STR("(no text)");
	return pp_strtab_get(&d->strings, e->text);
}

static uint64_t
hex(const char *p)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < 16; i++)
		v = v << 4 | (uint64_t)(p[i] <= '9' ? p[i] - '0' :
		    p[i] - 'a' + 10);
	return v;
}

void
pp_digest_id_parse(pp_str digest, uint64_t id[2])
{
	id[0] = id[1] = 0;
	if (digest.n != PP_DIGEST_ID - 1)
		return;
	id[0] = hex(digest.p + 2);
	id[1] = hex(digest.p + 18);
}
