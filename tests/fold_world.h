/*
 * fold_world.h: a model made from the text of traces, for tests of the fold:
 * each text is lexed whole and folded, and the log is laid out as an array.
 */
#ifndef PP_TESTS_FOLD_WORLD_H
#define PP_TESTS_FOLD_WORLD_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../readers/reader.h"

struct seen {
	struct pp_ev ev;
	struct pp_ev_ext ext;
	struct pp_ev_ext2 ext2;
	uint32_t session;	/* by the markers before it */
};

struct world {
	struct pp_mem mem;
	struct pp_model m;
	const struct pp_reader *reader;
	struct seen *v;
	size_t n;
};

/* Lay out the log: main slots with their extensions. */
static inline void
lay_out(struct world *w)
{
	struct pp_log_cursor c;
	const union pp_slot *s;
	size_t n, i, nbefore = 0;
	uint32_t session = UINT32_MAX;

	w->v = pp_mem_zalloc(&w->mem, (size_t)(pp_log_size(&w->m.log) + 1) *
	    sizeof(*w->v));
	w->n = 0;
	pp_log_open(&c, &w->m.log, true);
	while (pp_log_next_block(&c, &s, &n) == PP_OK && n > 0) {
		for (i = n; i-- > 0;) {
			struct seen *x = &w->v[w->n];

			if (nbefore == 0) {
				x->ev = s[i].ev;
				nbefore = (x->ev.flags & PP_EVF_EXT ? 1 : 0) +
				    (x->ev.flags & PP_EVF_EXT2 ? 1u : 0);
			} else {
				if ((x->ev.flags & PP_EVF_EXT) && (nbefore ==
				    2 || !(x->ev.flags & PP_EVF_EXT2)))
					x->ext = s[i].ext;
				else
					x->ext2 = s[i].ext2;
				nbefore--;
			}
			if (nbefore == 0)
				w->n++;
		}
	}
	pp_log_close(&c);
	for (i = 0; i < w->n / 2; i++) {
		struct seen t = w->v[i];

		w->v[i] = w->v[w->n - 1 - i];
		w->v[w->n - 1 - i] = t;
	}
	for (i = 0; i < w->n; i++) {
		if (w->v[i].ev.kind == PP_EV_SESSION)
			session = w->v[i].ev.stmt;
		w->v[i].session = session;
	}
}

static inline void
fold_text(struct world *w, struct pp_fold *f, const char *name,
    const char *text, size_t n)
{
	struct pp_records recs;
	struct pp_chunk c = {.p = text, .n = n, .line = 1, .last = true};
	uint32_t source = pp_model_source(&w->m);

	w->m.sources[source].name = pp_str_from(name);
	pp_diag_file(&w->m.diag, source, name);
	pp_records_init(&recs, &w->mem, w->reader->record_size);
	w->reader->begin(f, source);
	w->reader->lex(&c, &recs);
	assert_int_equal(c.used, n);
	assert_int_equal(w->reader->fold(f, &c, &recs), PP_OK);
	w->reader->end(f, source);
	pp_records_free(&recs);
}

static inline void
world_begin(struct world *w)
{
	memset(w, 0, sizeof(*w));
	pp_mem_init(&w->mem, 0);
	pp_model_init(&w->m, &w->mem, NULL, "/tmp");
	w->reader = pp_reader_named(PP_STR("oracle10046"));
	assert_non_null(w->reader);
}

/* One group of n traces, name and text in turn. */
static inline void
world_of(struct world *w, size_t n, const char *const *traces)
{
	struct pp_fold *f;
	size_t i;

	world_begin(w);
	f = w->reader->open(&w->m, 0);
	for (i = 0; i < n; i++)
		fold_text(w, f, traces[2 * i], traces[2 * i + 1],
		    strlen(traces[2 * i + 1]));
	w->reader->close(f);
	lay_out(w);
}

static inline void
world_make(struct world *w, const char *text)
{
	const char *const t[] = {"t.trc", text};

	world_of(w, 1, t);
}

static inline void
world_end(struct world *w)
{
	pp_mem_free_all(&w->mem);
}

/* The k-th (from 0) event of a kind; fails when there are fewer. */
static inline const struct seen *
nth(const struct world *w, enum pp_ev_kind kind, size_t k)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		if (w->v[i].ev.kind == kind && k-- == 0)
			return &w->v[i];
	fail_msg("too few events of kind %d", (int)kind);
	return &w->v[0];
}

static inline size_t
count(const struct world *w, enum pp_ev_kind kind)
{
	size_t i, n = 0;

	for (i = 0; i < w->n; i++)
		n += w->v[i].ev.kind == kind;
	return n;
}

static inline uint64_t
told(const struct world *w, enum pp_msg id)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < w->m.diag.count; i++)
		if (w->m.diag.problems[i].id == id)
			n += w->m.diag.problems[i].count;
	return n;
}

static inline void
assert_str(pp_str s, const char *is)
{
	char buf[200];

	assert_true(s.n < sizeof(buf));
	if (s.n > 0)
		memcpy(buf, s.p, s.n);
	buf[s.n] = '\0';
	assert_string_equal(buf, is);
}

/* Statement and name of an event as text. */
static inline void
assert_stmt(const struct world *w, const struct seen *x, const char *id)
{
	assert_str(w->m.stmts[x->ev.stmt].id, id);
}

static inline void
assert_name(const struct world *w, const struct seen *x, const char *name)
{
	assert_str(pp_strtab_get(&w->m.names, x->ev.name), name);
}

#define CALL_TAIL(p, cr, cu, mis, r, dep) \
	",p=" p ",cr=" cr ",cu=" cu ",mis=" mis ",r=" r ",dep=" dep ",og=1"
/* A call of no blocks and rows at a depth. */
#define CALL(what, c, e, dep, tim) \
	what ":c=" c ",e=" e CALL_TAIL("0", "0", "0", "0", "0", dep) \
	",tim=" tim "\n"
#define WAIT(cursor, name, ela, tim) \
	"WAIT #" cursor ": nam='" name "' ela= " ela \
	" file#=1 block#=2 blocks=3 obj#=-1 tim=" tim "\n"
#define OLD_WAIT(cursor, name, ela) \
	"WAIT #" cursor ": nam='" name "' ela= " ela " p1=1 p2=2 p3=3\n"
#define PARSING(cursor, len, tim, rest, text) \
	"=====================\n" \
	"PARSING IN CURSOR #" cursor " len=" len \
	" dep=0 uid=5 oct=3 lid=5 tim=" tim rest "\n" text "\nEND OF STMT\n"

#endif
