/*
 * digest_fill.c: see digest_fill.h.
 *
 * Statements that differ in their literals only share a digest, so its text is
 * kept once.
 */
#include "digest_fill.h"
#include "sql/digest.h"

struct filler {
	struct pp_model *m;
	bool loose;
	struct pp_digester *oracle, *mysql; /* opened when needed */
	struct pp_digest_hasher *hasher;
};

static struct pp_digester *
digester(struct filler *f, const struct pp_stmt *s)
{
	struct pp_digest_options o = {.loose = f->loose, .canonical = true};
	struct pp_digester **d = s->sql_id.n != 0 ? &f->oracle : &f->mysql;

	o.server = s->sql_id.n != 0 ? PP_SQL_ORACLE : PP_SQL_MYSQL_80;
	if (*d == NULL)
		*d = pp_digester_open(f->m->mem, &o);
	if (f->hasher == NULL)
		f->hasher = pp_digest_hasher_open(f->m->mem);
	return *d;
}

static void
fill(struct filler *f, uint32_t index)
{
	struct pp_model *m = f->m;
	struct pp_stmt *s = &m->stmts[index];
	char id[PP_DIGEST_ID];
	uint64_t h[2];
	uint32_t *at;
	pp_str text;

	if (!pp_digest_text(digester(f, s), s->text, &text))
		return;
	/* a hash of 128 bits itself */
	pp_digest_hasher_id(f->hasher, text, h);
	at = pp_map_at(&m->digest_map, h[0], h[1]);
	if (*at == PP_MAP_NONE) {
		*at = index;
		pp_digest_id_print(h, id);
		s->digest = pp_arena_str(&m->arena,
		    (pp_str){id, PP_DIGEST_ID - 1});
		s->digest_text = pp_arena_str(&m->arena, text);
	} else {
		s->digest = m->stmts[*at].digest;
		s->digest_text = m->stmts[*at].digest_text;
	}
}

void
pp_model_digest(struct pp_model *m, bool loose)
{
	struct filler f = {.m = m, .loose = loose};
	uint32_t i;

	for (i = PP_STMT_BETWEEN + 1; i < m->nstmts; i++)
		if (m->stmts[i].has_text && m->stmts[i].digest.n == 0)
			fill(&f, i);
	pp_digester_close(f.oracle);
	pp_digester_close(f.mysql);
}
