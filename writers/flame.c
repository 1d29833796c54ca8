/*
 * flame.c: the writers folded and speedscope: the tree of calls as viewers of
 * flame graphs take it.
 *
 * Sees base, table.h and the sink.  Both are made of the table `tree`, a path
 * with its self time, and of `texts`, from which a frame has the first words
 * of its statement; rows are kept, as a frame is named only when the texts
 * have come.
 *
 *	folded		frames from the caller to the called with `;` between,
 *			a blank, microseconds as a whole number; the first
 *			frame is the session
 *	speedscope	a "sampled" profile a session: a sample a path, its
 *			weight the self time in microseconds, all digits
 *
 * Neither has a place for a path whose self time is 0 or negative.
 */
#include "../model/base/strtab.h"
#include "json_text.h"
#include "number.h"
#include "sanitise.h"
#include "writer.h"

#include <stdio.h>

#define TEXT_CHARS 60
#define DEPTH_MAX 256

enum field { SOURCE, SESSION, DEPTH, CALL, STATEMENT, SELF, NFIELDS };

static const char *const field_name[NFIELDS] = {
	"source", "session", "depth", "call", "statement", "self_s"
};

struct path {
	uint32_t session;	/* name of its profile */
	uint32_t frame;		/* call, and */
	uint32_t stmt;		/* statement; ids in names */
	uint32_t depth;
	uint8_t scale;
	pp_i128 self;
};

struct flame {
	struct pp_stream *out;
	bool speedscope;
	struct pp_arena arena;
	struct pp_sanitiser z;
	struct pp_strtab names;	/* of calls, statements, sessions */
	pp_str *text;		/* by name of a statement: its first words */
	size_t text_cap, ntext;
	struct path *paths;
	size_t npaths, paths_cap;
	struct pp_strtab frames; /* whole frames, for speedscope */
	uint64_t left_out;
};

static enum pp_status
sink_status(struct pp_wctx *w)
{
	return pp_sink_error(w->sink, NULL).n > 0 ? PP_FATAL : PP_OK;
}

static size_t
column(const struct pp_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (strcmp(t->columns[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

/* -------------------------------------------------------------- gathering */

/*
 * One line without `;`, white space being one blank, at most `max`
 * characters.
 */
static pp_str
line_of(struct flame *v, pp_str s, size_t max)
{
	size_t n = 0, chars = 0, i;
	bool blank = false;
	char *p;

	s = pp_sanitise(&v->z, s);
	p = pp_arena_alloc(&v->arena, s.n + 4);
	for (i = 0; i < s.n; i++) {
		unsigned char b = (unsigned char)s.p[i];

		if (b <= ' ' || b == 0x7f) {
			blank = n > 0;
			continue;
		}
		if ((b & 0xc0) != 0x80 && ++chars + blank > max) {
			memcpy(p + n, "\xe2\x80\xa6", 3);
			n += 3;
			break;
		}
		if (blank) {
			p[n++] = ' ';
			chars++;
			blank = false;
		}
		p[n++] = b == ';' ? ',' : (char)b;
	}
	return (pp_str){p, n};
}

static pp_str
session_name(struct flame *v, pp_str source, pp_i128 session)
{
	char digits[PP_DEC_MAX], *p;
	size_t n = pp_dec_format(digits, session, 0), m;

	source = line_of(v, source, 200);
	m = source.n;
	p = pp_arena_alloc(&v->arena, m + n + 2);
	memcpy(p, source.p, m);
	memcpy(p + m, " #", 2);
	memcpy(p + m + 2, digits, n);
	return (pp_str){p, m + 2 + n};
}

static pp_str
text_cell(const struct pp_batch *b, size_t col, size_t row)
{
	return col == SIZE_MAX || b->tags[col][row] == 0 ? (pp_str){"", 0} :
	    b->cells[col][row].str;
}

static void
take_path(struct pp_wctx *w, const struct pp_batch *b, const size_t *at,
    size_t row)
{
	struct flame *v = w->priv;
	void *p = v->paths;
	struct path *x;
	pp_i128 depth = 0;

	pp_mem_grow(w->mem, &p, &v->paths_cap, v->npaths + 1, sizeof(*x));
	v->paths = p;
	x = &v->paths[v->npaths++];
	memset(x, 0, sizeof(*x));
	x->session = pp_strtab_id(&v->names, session_name(v,
	    text_cell(b, at[SOURCE], row),
	    b->tags[at[SESSION]][row] ? b->cells[at[SESSION]][row].num : 0));
	x->frame = pp_strtab_id(&v->names,
	    line_of(v, text_cell(b, at[CALL], row), 200));
	x->stmt = pp_strtab_id(&v->names, text_cell(b, at[STATEMENT], row));
	if (b->tags[at[DEPTH]][row] != 0)
		depth = b->cells[at[DEPTH]][row].num;
	x->depth = depth < 0 ? 0 : depth >= DEPTH_MAX ? DEPTH_MAX - 1 :
	    (uint32_t)depth;
	if (b->tags[at[SELF]][row] != 0) {
		x->self = b->cells[at[SELF]][row].num;
		x->scale = (uint8_t)(b->tags[at[SELF]][row] - 1);
	}
	pp_arena_reset(&v->arena);
}

static void
take_text(struct pp_wctx *w, pp_str stmt, pp_str text)
{
	struct flame *v = w->priv;
	uint32_t id = pp_strtab_id(&v->names, stmt);
	void *p = v->text;
	pp_str s;
	char *keep;

	pp_mem_grow(w->mem, &p, &v->text_cap, id + 1, sizeof(*v->text));
	v->text = p;
	while (v->ntext <= id)
		v->text[v->ntext++] = (pp_str){NULL, 0};
	/* enough for the characters wanted, whatever blanks are in it */
	s = line_of(v, (pp_str){text.p, text.n < 4096 ? text.n : 4096},
	    TEXT_CHARS);
	keep = pp_mem_alloc(w->mem, s.n);
	if (s.n > 0)
		memcpy(keep, s.p, s.n);
	v->text[id] = (pp_str){keep, s.n};
	pp_arena_reset(&v->arena);
}

static enum pp_status
flame_rows(struct pp_wctx *w, const struct pp_batch *b)
{
	size_t at[NFIELDS], i;

	if (strcmp(b->table->name, "texts") == 0) {
		at[0] = column(b->table, "statement");
		at[1] = column(b->table, "text");
		for (i = 0; i < b->rows; i++)
			take_text(w, text_cell(b, at[0], i),
			    text_cell(b, at[1], i));
		return PP_OK;
	}
	for (i = 0; i < NFIELDS; i++) {
		at[i] = column(b->table, field_name[i]);
		PP_ASSERT(at[i] != SIZE_MAX);
	}
	for (i = 0; i < b->rows; i++)
		take_path(w, b, at, i);
	return PP_OK;
}

/* --------------------------------------------------------------- printing */

/* CALL statement first words */
static void
put_frame(struct flame *v, struct pp_cursor *c, const struct path *x)
{
	pp_str call = pp_strtab_get(&v->names, x->frame);
	pp_str stmt = pp_strtab_get(&v->names, x->stmt);

	pp_cursor_bytes(c, call.p, call.n);
	if (stmt.n > 0 && !pp_str_eq(call, stmt)) {
		if (call.n > 0)
			pp_cursor_byte(c, ' ');
		stmt = line_of(v, stmt, 200);
		pp_cursor_bytes(c, stmt.p, stmt.n);
	}
	if (x->stmt < v->ntext && v->text[x->stmt].n > 0) {
		pp_cursor_byte(c, ' ');
		pp_cursor_bytes(c, v->text[x->stmt].p, v->text[x->stmt].n);
	}
	pp_arena_reset(&v->arena);
}

/* The places of the callers of path i in stack[0..depth], and its own. */
static size_t
find_stack(const struct flame *v, size_t i, size_t *stack, size_t depth)
{
	const struct path *x = &v->paths[i];

	if (i == 0 || v->paths[i - 1].session != x->session)
		depth = 0;
	if (x->depth < depth)
		depth = x->depth;
	stack[depth] = i;
	return depth + 1;
}

static void
write_folded(struct flame *v, struct pp_cursor *c)
{
	size_t stack[DEPTH_MAX], depth = 0, i, k;
	pp_i128 us;
	pp_str s;

	for (i = 0; i < v->npaths; i++) {
		const struct path *x = &v->paths[i];

		depth = find_stack(v, i, stack, depth);
		us = pp_dec_rescale(x->self, x->scale, 6);
		if (us <= 0) {
			v->left_out += us < 0;
			continue;
		}
		s = pp_strtab_get(&v->names, x->session);
		pp_cursor_bytes(c, s.p, s.n);
		for (k = 0; k < depth; k++) {
			pp_cursor_byte(c, ';');
			put_frame(v, c, &v->paths[stack[k]]);
		}
		pp_cursor_need(c, PP_DEC_MAX + 2);
		*c->p++ = ' ';
		c->p = pp_number_put(c->p, us, 0, '.');
		*c->p++ = '\n';
	}
}

/* The id of a path's frame, by call and statement. */
static uint32_t
frame_id(struct flame *v, const struct path *x)
{
	uint32_t key[2] = {x->frame, x->stmt};

	return pp_strtab_id(&v->frames, (pp_str){(const char *)key,
	    sizeof(key)}) - 1;
}

static void
put_frames(struct pp_wctx *w, struct pp_cursor *c)
{
	struct flame *v = w->priv;
	struct path x = {.self = 0};
	uint32_t key[2];
	size_t i;
	struct pp_cursor name;
	pp_str s;
	char *p;

	pp_cursor_put(c, "\"shared\": {\"frames\": [");
	for (i = 1; i < v->frames.count; i++) {
		memcpy(key, pp_strtab_get(&v->frames, (uint32_t)i).p,
		    sizeof(key));
		x.frame = key[0];
		x.stmt = key[1];
		pp_cursor_put(c, i > 1 ? ",\n{\"name\": " : "\n{\"name\": ");
		/* made where there is room, and taken back */
		pp_cursor_close(c);
		pp_cursor_open(&name, v->out);
		put_frame(v, &name, &x);
		s.n = (size_t)(name.p - name.base);
		p = pp_mem_alloc(w->mem, s.n);
		memcpy(p, name.base, s.n);
		s.p = p;
		pp_cursor_open(c, v->out);
		pp_json_string(c, s);
		pp_mem_free(w->mem, p);
		pp_cursor_byte(c, '}');
	}
	pp_cursor_put(c, "\n]},\n");
}

/* v x 10^-scale seconds as microseconds, exact. */
static void
put_us(struct pp_cursor *c, pp_i128 v, unsigned scale)
{
	pp_cursor_need(c, PP_DEC_MAX);
	if (scale < 6)
		c->p = pp_number_put(c->p, pp_dec_rescale(v, scale, 6), 0,
		    '.');
	else
		c->p = pp_number_put(c->p, v, scale - 6, '.');
}

static void
put_number(struct pp_cursor *c, uint64_t n)
{
	pp_cursor_need(c, PP_DEC_MAX);
	c->p = pp_number_put(c->p, (pp_i128)n, 0, '.');
}

/* The sessions' paths v->paths[from..to): samples, then their weights. */
static void
put_profile(struct flame *v, struct pp_cursor *c, size_t from, size_t to)
{
	size_t stack[DEPTH_MAX], depth = 0, i, k;
	unsigned scale = 0;
	pp_i128 sum = 0;
	bool first = true;

	for (i = from; i < to; i++)
		if (v->paths[i].scale > scale)
			scale = v->paths[i].scale;
	for (i = from; i < to; i++)
		if (v->paths[i].self > 0)
			sum += pp_dec_rescale(v->paths[i].self,
			    v->paths[i].scale, scale);
	pp_cursor_put(c, "{\"type\": \"sampled\", \"name\": ");
	pp_json_string(c, pp_strtab_get(&v->names, v->paths[from].session));
	pp_cursor_put(c, ", \"unit\": \"microseconds\", \"startValue\": 0, "
	    "\"endValue\": ");
	put_us(c, sum, scale);
	pp_cursor_put(c, ",\n\"samples\": [");
	for (i = from; i < to; i++) {
		depth = find_stack(v, i, stack, depth);
		if (v->paths[i].self <= 0) {
			v->left_out += v->paths[i].self < 0;
			continue;
		}
		pp_cursor_put(c, first ? "\n[" : ",\n[");
		first = false;
		for (k = 0; k < depth; k++) {
			if (k > 0)
				pp_cursor_byte(c, ',');
			put_number(c, frame_id(v, &v->paths[stack[k]]));
		}
		pp_cursor_byte(c, ']');
	}
	pp_cursor_put(c, "],\n\"weights\": [");
	first = true;
	for (i = from; i < to; i++) {
		if (v->paths[i].self <= 0)
			continue;
		pp_cursor_put(c, first ? "\n" : ",\n");
		first = false;
		put_us(c, v->paths[i].self, v->paths[i].scale);
	}
	pp_cursor_put(c, "]}");
}

static void
write_speedscope(struct pp_wctx *w, struct pp_cursor *c)
{
	struct flame *v = w->priv;
	size_t i, from = 0;

	pp_cursor_put(c, "{\"$schema\": \"https://www.speedscope.app/"
	    "file-format-schema.json\",\n\"exporter\": \"profpivot "
	    PP_VERSION "\",\n");
	for (i = 0; i < v->npaths; i++)
		(void)frame_id(v, &v->paths[i]);
	put_frames(w, c);
	pp_cursor_put(c, "\"profiles\": [");
	for (i = 1; i <= v->npaths; i++) {
		if (i < v->npaths &&
		    v->paths[i].session == v->paths[from].session)
			continue;
		pp_cursor_put(c, from > 0 ? ",\n" : "\n");
		put_profile(v, c, from, i);
		from = i;
	}
	pp_cursor_put(c, "\n]}\n");
}

static enum pp_status
flame_begin(struct pp_wctx *w, const struct pp_table *t)
{
	(void)w;
	(void)t;
	return PP_OK;
}

static enum pp_status
flame_open(struct pp_wctx *w)
{
	struct flame *v = pp_mem_zalloc(w->mem, sizeof(*v));

	w->priv = v;
	v->speedscope = strcmp(w->writer->name, "speedscope") == 0;
	pp_arena_init(&v->arena, w->mem, 4096);
	v->z = (struct pp_sanitiser){.mode = PP_SANE_UTF8, .out = &v->arena};
	pp_strtab_init(&v->names, w->mem);
	pp_strtab_init(&v->frames, w->mem);
	v->out = pp_sink_stream_with(w->sink, NULL,
	    w->opt.gzip ? PP_STREAM_GZIP : 0);
	return v->out == NULL ? PP_FATAL : PP_OK;
}

static enum pp_status
flame_close(struct pp_wctx *w)
{
	struct flame *v = w->priv;
	struct pp_cursor c;

	pp_cursor_open(&c, v->out);
	if (v->speedscope)
		write_speedscope(w, &c);
	else
		write_folded(v, &c);
	pp_cursor_close(&c);
	if (v->left_out > 0 && w->diag != NULL)
		pp_diag_tell_n(w->diag, PP_MSG_LEFT_OUT, 0, UINT64_MAX,
		    v->left_out, "tree: paths with a negative self time have "
		    "no place in a flame graph");
	return sink_status(w);
}

static void
flame_free(struct pp_wctx *w)
{
	struct flame *v = w->priv;
	size_t i;

	if (v == NULL)
		return;
	for (i = 0; i < v->ntext; i++)
		pp_mem_free(w->mem, (void *)(uintptr_t)v->text[i].p);
	pp_mem_free(w->mem, v->text);
	pp_mem_free(w->mem, v->paths);
	pp_strtab_free(&v->names);
	pp_strtab_free(&v->frames);
	pp_arena_free(&v->arena);
	pp_mem_free(w->mem, v);
	w->priv = NULL;
}

extern const struct pp_writer pp_writer_folded, pp_writer_speedscope;

const struct pp_writer pp_writer_folded = {
	.name = "folded",
	.summary = "stacks of calls and their self time, for flame graphs",
	.suffix = ".folded",
	.caps = PP_W_SINGLE | PP_W_GZIP,
	.tables = "tree,texts",
	.open = flame_open,
	.begin = flame_begin,
	.rows = flame_rows,
	.end = flame_begin,
	.close = flame_close,
	.free = flame_free
};

const struct pp_writer pp_writer_speedscope = {
	.name = "speedscope",
	.summary = "the same for the viewer speedscope",
	.suffix = ".speedscope.json",
	.caps = PP_W_SINGLE | PP_W_GZIP,
	.tables = "tree,texts",
	.open = flame_open,
	.begin = flame_begin,
	.rows = flame_rows,
	.end = flame_begin,
	.close = flame_close,
	.free = flame_free
};
