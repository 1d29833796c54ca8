/*
 * oracle10046_lex_nul.c: NUL bytes in an Oracle trace.
 *
 * A file that was emptied while the server had it open for writing begins
 * with a hole of NULs, and one that a copy or a crash has damaged may have
 * them anywhere.  A run of them ends a line, unless it stands at the start of
 * one.  The runs are taken out before anything else looks at the chunk, so
 * that all other code knows lines only; positions are translated back.
 */
#include "oracle10046_lex.h"

/* How many runs stand at or before position `at` of the clean bytes. */
static size_t
runs_before(const struct pp_o_lexer *lx, size_t at)
{
	size_t lo = 0, hi = lx->nnul;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (lx->nul[mid].at <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t
pp_o_nul_shift(const struct pp_o_lexer *lx, const char *q)
{
	size_t n = runs_before(lx, (size_t)(q - lx->p));

	return n ? lx->nul[n - 1].cut : 0;
}

bool
pp_o_nul_soft(const struct pp_o_lexer *lx, const char *nl)
{
	size_t at = (size_t)(nl - lx->p), n = runs_before(lx, at);

	return n < lx->nnul && lx->nul[n].at == at + 1 && lx->nul[n].soft;
}

void
pp_o_nul_drop(struct pp_o_lexer *lx, const struct pp_chunk *c)
{
	struct pp_o_nul *v = NULL;
	size_t n = 0, cap = 0, cut = 0, i = 0, k;
	char *w, *clean;

	w = clean = pp_arena_alloc(&lx->out->text, c->n);
	while (i < c->n) {
		const char *z = memchr(c->p + i, 0, c->n - i);
		size_t run = z ? (size_t)(z - c->p) : c->n;
		bool soft;

		memcpy(w, c->p + i, run - i);
		w += run - i;
		for (i = run; i < c->n && c->p[i] == 0;)
			i++;
		if (i == run)
			break;
		soft = w > clean && w[-1] != '\n';
		if (soft)
			*w++ = '\n';
		cut += i - run - soft;
		if (n == cap) {
			struct pp_o_nul *more;

			k = cap ? cap * 2 : 64;
			more = pp_arena_alloc(&lx->out->text, k * sizeof(*v));
			if (n)
				memcpy(more, v, n * sizeof(*v));
			v = more;
			cap = k;
		}
		v[n++] = (struct pp_o_nul){.at = (size_t)(w - clean),
		    .run = run, .len = i - run, .cut = cut, .soft = soft};
	}
	lx->p = clean;
	lx->end = w;
	lx->nul = v;
	lx->nnul = n;
}

void
pp_o_nul_tell(struct pp_o_lexer *lx, const struct pp_chunk *c)
{
	struct pp_records *out = lx->out;
	struct pp_o_rec *v;
	size_t have = out->n, n = 0, i, k;
	uint64_t line, at;
	const char *p;

	while (n < lx->nnul && lx->nul[n].run < c->used)
		n++;
	if (n == 0)
		return;
	line = c->line;
	for (i = 0, p = c->p; i < n; i++) {
		const char *run = c->p + lx->nul[i].run, *nl;

		while ((nl = memchr(p, '\n', (size_t)(run - p))) != NULL)
			p = nl + 1, line++;
		p = run;
		pp_o_damage(lx, PP_MSG_NUL_BYTES, lx->p, line, (pp_str){0});
		v = out->v;
		v[out->n - 1].offset = c->offset + lx->nul[i].run;
		v[out->n - 1].len = lx->nul[i].len > UINT32_MAX ? UINT32_MAX :
		    (uint32_t)lx->nul[i].len;
	}
	/* Merge from the back: the runs stand behind the records. */
	v = pp_arena_alloc(&out->text, n * sizeof(*v));
	memcpy(v, (struct pp_o_rec *)out->v + have, n * sizeof(*v));
	for (i = n, k = have + n; i > 0;) {
		struct pp_o_rec *o = out->v;

		at = v[i - 1].offset;
		if (have > 0 && o[have - 1].offset > at)
			o[--k] = o[--have];
		else
			o[--k] = v[--i];
	}
}
