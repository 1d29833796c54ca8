/*
 * showprofile_row.c: the rows of a row set: entries of a list, states, sums of
 * states.  May touch the model.
 */
#include "showprofile.h"

#include <inttypes.h>

/* SHOW PROFILES keeps this many bytes of a text; a character that does not
 * fit whole is dropped or becomes '?'. */
#define TEXT_BYTES 300

/* Texts that are known without their ids. */
#define TEXTS_MOST 65536

/* ------------------------------------------------------------------ cells */

static const struct pp_rs_cell *
cell(const struct pp_sp *sp, const struct pp_rs_row *row, unsigned field)
{
	static const struct pp_rs_cell absent = {{"", 0}, PP_CELL_ABSENT};
	int i = sp->layout.column[field];

	return i >= 0 && (size_t)i < row->n ? &row->cells[i] : &absent;
}

/* A number that the input breaks off in may lack its last digits. */
static inline bool
known(const struct pp_rs_cell *c)
{
	return !pp_rs_null(c, true) && c->state != PP_CELL_CUT &&
	    c->text.n > 0 && ((unsigned char)c->text.p[0] > ' ' ||
	    pp_str_trim(c->text).n > 0);
}

static void
tell_trailing(struct pp_sp *sp, const struct pp_rs_row *row, pp_str rest)
{
	char buf[4 * 40 + 4];

	while (rest.n > 0 && (rest.p[0] == '\n' || rest.p[0] == '.' ||
	    rest.p[0] == ' '))
		rest = pp_str_skip(rest, 1);	/* "..." stands for left out */
	if (rest.n == 0)
		return;
	sp->m->sources[sp->source].repaired++;
	pp_diag_tell(&sp->m->diag, PP_MSG_TRAILING, row->line, row->offset,
	    "behind a number: %s", pp_diag_excerpt(buf, rest, 40));
}

static inline void
tell_rest(struct pp_sp *sp, const struct pp_rs_row *row, pp_str rest)
{
	if (rest.n != 0)
		tell_trailing(sp, row, rest);
}

static enum pp_status
reject(struct pp_sp *sp, const struct pp_rs_row *row, const char *what,
    const struct pp_rs_cell *c)
{
	enum pp_msg id = c->state == PP_CELL_CUT || c->state ==
	    PP_CELL_ABSENT || row->partial ? PP_MSG_CUT_RECORD :
	    PP_MSG_BAD_RECORD;
	char buf[4 * 40 + 4];

	sp->rejected = true;
	pp_diag_tell(&sp->m->diag, id, row->line, row->offset, "%s: %s", what,
	    c->text.n > 0 ? pp_diag_excerpt(buf, c->text, 40) : c->state ==
	    PP_CELL_NULL ? "NULL" : "not there");
	return PP_WARN;
}

/* A time; false where there is none that can be read. */
static bool
read_time(struct pp_sp *sp, const struct pp_rs_row *row,
    const struct pp_rs_cell *c, int64_t unit, int64_t *out)
{
	struct pp_sp_number n;

	if (!known(c) || !pp_sp_number(c->text, unit, &n))
		return false;
	tell_rest(sp, row, n.rest);
	sp->approximate |= n.unit;
	*out = n.v;
	return true;
}

/* ------------------------------------------------------------------ lists */

static struct pp_sp_item *
add_item(struct pp_sp *sp)
{
	void *v = sp->items;

	pp_mem_grow(sp->m->mem, &v, &sp->items_cap, sp->nitems + 1,
	    sizeof(*sp->items));
	sp->items = v;
	memset(&sp->items[sp->nitems], 0, sizeof(*sp->items));
	return &sp->items[sp->nitems++];
}

static bool
has_wide(pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] >= 0x80)
			return true;
	return false;
}

/* The statement of a text; lists repeat theirs, and its id is a SHA-256. */
static uint32_t
text_stmt(struct pp_sp *sp, pp_str text)
{
	struct pp_model *m = sp->m;
	uint32_t *at;
	char id[20];

	if (sp->texts.count >= TEXTS_MOST)
		pp_map_clear(&sp->texts);
	at = pp_map_at(&sp->texts, pp_str_hash(text), text.n);

	if (*at != PP_MAP_NONE && pp_str_eq(m->stmts[*at].text, text))
		return *at;
	pp_text_id(text, id);
	*at = pp_model_stmt(m, pp_str_from(id));
	return *at;
}

static uint32_t
statement(struct pp_sp *sp, const struct pp_rs_cell *c)
{
	struct pp_model *m = sp->m;
	bool cut = c->state == PP_CELL_CUT ||
	    c->text.n >= (has_wide(c->text) ? TEXT_BYTES - 2 : TEXT_BYTES);
	uint32_t i = text_stmt(sp, c->text);
	struct pp_stmt *s;

	s = &m->stmts[i];
	sp->cut_texts += cut && c->state != PP_CELL_CUT;
	if (s->has_text)
		return i;
	s->has_text = true;
	s->text = pp_arena_str(&m->arena, c->text);
	s->text_bytes = c->text.n;
	s->complete = !cut;
	s->command_name = pp_mysql_command(c->text);
	return i;
}

enum pp_status
pp_sp_list_row(struct pp_sp *sp, const struct pp_rs_row *row)
{
	const struct pp_rs_cell *id = cell(sp, row, PP_SP_ID),
	    *duration = cell(sp, row, PP_SP_DURATION),
	    *query = cell(sp, row, PP_SP_QUERY);
	struct pp_sp_item *x;
	uint64_t number;
	int64_t total;
	pp_str rest;
	bool minus;

	if (!known(id) || !pp_sp_count(id->text, &number, &minus, &rest) ||
	    minus || rest.n > 0)
		return reject(sp, row, "no query number", id);
	if (!read_time(sp, row, duration, sp->layout.unit, &total))
		return reject(sp, row, "no duration", duration);
	x = add_item(sp);
	x->numbered = x->list = true;
	x->id = number;
	x->total = total;
	x->total_digits = pp_sp_digits(total);
	x->line = row->line;
	x->stmt = query->state == PP_CELL_ABSENT ||
	    query->state == PP_CELL_NULL ? PP_SP_NONE : statement(sp, query);
	return PP_OK;
}

/* ------------------------------------------------------------------ states */

/* The name of a stage; printed names are few. */
static uint32_t
stage_name(struct pp_sp *sp, pp_str printed)
{
	void *v = sp->spelled;
	uint32_t id;

	printed = pp_str_trim(printed);
	id = pp_strtab_id(&sp->spellings, printed);
	if (id < sp->nspelled)
		return sp->spelled[id];
	pp_mem_grow(sp->m->mem, &v, &sp->spelled_cap, id + 1,
	    sizeof(*sp->spelled));
	sp->spelled = v;
	/* ids count up: no other than this one is new */
	for (; sp->nspelled <= id; sp->nspelled++)
		sp->spelled[sp->nspelled] = pp_model_stage_name(sp->m,
		    pp_strtab_get(&sp->spellings, (uint32_t)sp->nspelled));
	return sp->spelled[id];
}

/* Cores that a server may use: more CPU than they give is an underflow. */
#define CORES 1024

/*
 * Counters are differences of what the kernel says.  One that ran below zero
 * shows as a number of 32 or 64 bits near its end.
 */
static bool
underflow32(uint64_t v, uint64_t plausible)
{
	return v >= UINT64_C(1) << 31 && v >> 32 == 0 && (v > plausible ||
	    v >= (UINT64_C(1) << 32) - 1000000);
}

static void
tell_suspect(struct pp_sp *sp, const struct pp_rs_row *row, const char *name,
    pp_str text, int64_t as, unsigned digits)
{
	char buf[4 * 40 + 4], value[PP_DEC_MAX + 1];

	value[pp_dec_format(value, as, digits)] = '\0';
	pp_diag_tell(&sp->m->diag, PP_MSG_SUSPECT, row->line, row->offset,
	    "%s: %s is %s of a counter that ran below zero", name,
	    pp_diag_excerpt(buf, text, 40), value);
}

/* CPU time of a state that took `duration`; in 10^-12 s. */
static void
read_cpu(struct pp_sp *sp, const struct pp_rs_row *row, unsigned field,
    uint32_t bit, struct pp_stage *x, int64_t *out)
{
	const struct pp_rs_cell *c = cell(sp, row, field);
	const char *name = field == PP_SP_USER ? "CPU_user" : "CPU_system";
	uint64_t us, most;
	int64_t v;

	if (!read_time(sp, row, c, INT64_C(1000000000000), &v))
		return;
	x->has |= bit;
	*out = v;
	if (v < 0) {
		x->to_function |= bit;
		tell_suspect(sp, row, name, c->text, v / PP_SP_MICRO, 6);
		return;
	}
	us = (uint64_t)v / PP_SP_MICRO;
	most = x->duration <= 0 ? 0 :
	    (uint64_t)x->duration / PP_SP_MICRO * CORES;
	if (underflow32(us, most)) {
		x->to_function |= bit;
		tell_suspect(sp, row, name, c->text,
		    (int64_t)us - (INT64_C(1) << 32), 6);
	}
}

static void
read_counter(struct pp_sp *sp, const struct pp_rs_row *row, unsigned k,
    struct pp_stage *x)
{
	static const char *const names[PP_STAGE_COUNTERS] = {
		"Context_voluntary", "Context_involuntary", "Block_ops_in",
		"Block_ops_out", "Messages_sent", "Messages_received",
		"Page_faults_major", "Page_faults_minor", "Swaps"
	};
	const struct pp_rs_cell *c = cell(sp, row, PP_SP_COUNTER + k);
	uint64_t v;
	int64_t as;
	bool minus;
	pp_str rest;

	if (c->state == PP_CELL_TEXT && c->text.n == 1 &&
	    c->text.p[0] >= '0' && c->text.p[0] <= '9') {
		/* most are 0 */
		x->has |= 1u << k;
		x->counter[k] = (uint64_t)(c->text.p[0] - '0');
		return;
	}
	if (!known(c) || !pp_sp_count(c->text, &v, &minus, &rest))
		return;
	tell_rest(sp, row, rest);
	x->has |= 1u << k;
	x->counter[k] = v;
	if (!minus && v >> 63 == 0 && !underflow32(v, UINT64_MAX))
		return;
	x->to_function |= 1u << k;
	x->to_file |= minus ? 1u << k : 0;
	if (minus)
		as = v > INT64_MAX ? INT64_MIN : -(int64_t)v;
	else if (v >> 63)
		as = -(int64_t)(UINT64_MAX - v) - 1;
	else
		as = (int64_t)v - (INT64_C(1) << 32);
	tell_suspect(sp, row, names[k], c->text, as, 0);
}

/* Where the state began. */
static void
read_source(struct pp_sp *sp, const struct pp_rs_row *row,
    struct pp_stage *x)
{
	const struct pp_rs_cell *function = cell(sp, row, PP_SP_FUNCTION),
	    *file = cell(sp, row, PP_SP_FILE),
	    *line = cell(sp, row, PP_SP_LINE);
	pp_str rest;
	bool minus;

	if (function->state == PP_CELL_TEXT)
		x->from_function = pp_strtab_id(&sp->m->names,
		    pp_str_trim(function->text));
	if (file->state == PP_CELL_TEXT)
		x->from_file = pp_strtab_id(&sp->m->names,
		    pp_str_trim(file->text));
	if (known(line) && pp_sp_count(line->text, &x->from_line, &minus,
	    &rest) && !minus) {
		x->has |= PP_STAGE_FROM_LINE;
		tell_rest(sp, row, rest);
	}
}

/* A duration that ran below zero in 32 bits; the server's own columns end at
 * 999.999999. */
static void
judge_duration(struct pp_sp *sp, const struct pp_rs_row *row,
    struct pp_stage *x, pp_str text)
{
	uint64_t us;

	if (x->duration < 0) {
		pp_diag_tell(&sp->m->diag, PP_MSG_NEGATIVE_DURATION,
		    row->line, row->offset, "a duration below zero: the clock "
		    "went back");
		return;
	}
	us = (uint64_t)x->duration / PP_SP_MICRO;
	if (us < (UINT64_C(1) << 32) - 1000000 || us >> 32 != 0)
		return;
	tell_suspect(sp, row, "Duration", text,
	    (int64_t)us - (INT64_C(1) << 32), 6);
	x->to_function |= PP_STAGE_DURATION;
}

static void
read_resources(struct pp_sp *sp, const struct pp_rs_row *row,
    struct pp_stage *x)
{
	unsigned k;

	read_cpu(sp, row, PP_SP_USER, PP_STAGE_USER, x, &x->cpu_user);
	read_cpu(sp, row, PP_SP_SYSTEM, PP_STAGE_SYSTEM, x, &x->cpu_system);
	for (k = 0; k < PP_STAGE_COUNTERS; k++)
		if (sp->layout.column[PP_SP_COUNTER + k] >= 0)
			read_counter(sp, row, k, x);
	if (x->has & ~PP_STAGE_DURATION)
		sp->resources = true;
}

/*
 * Without names nothing stands between two profiles that follow each other
 * (-B -N): the second begins with the state that queries begin with, or where
 * SEQ begins again.
 */
static void
begin_again(struct pp_sp *sp, const struct pp_stage *x)
{
	const struct pp_strtab *names = &sp->m->names;
	bool seq = x->has & PP_STAGE_TO_LINE;

	if (sp->item != PP_SP_NONE && (seq ? x->to_line <= sp->last_seq :
	    pp_sp_begins(pp_strtab_get(names, sp->last_state),
	    pp_strtab_get(names, x->name)))) {
		static const struct pp_rowset middle = {.rows = 0};

		pp_sp_finish_items(sp, &middle);
	}
	sp->last_state = x->name;
	sp->last_seq = x->to_line;
}

enum pp_status
pp_sp_state_row(struct pp_sp *sp, const struct pp_rs_row *row)
{
	const struct pp_rs_cell *state = cell(sp, row, PP_SP_STATE),
	    *duration = cell(sp, row, PP_SP_DURATION),
	    *id = cell(sp, row, PP_SP_ID), *seq = cell(sp, row, PP_SP_SEQ);
	struct pp_stage x = {.kind = PP_STAGE_STATE, .count = 1,
		.start = (int64_t)row->line};
	uint64_t number = sp->asked.id;
	bool numbered = sp->asked.has_id, minus;
	pp_str rest;

	if (state->state == PP_CELL_ABSENT || state->state == PP_CELL_NULL ||
	    state->state == PP_CELL_CUT || pp_str_trim(state->text).n == 0)
		return reject(sp, row, "no state", state);
	if (sp->layout.kind == PP_SP_PROFILES) {
		if (!known(id) || !pp_sp_count(id->text, &number, &minus,
		    &rest) || minus || rest.n > 0)
			return reject(sp, row, "no query number", id);
		numbered = true;
	}
	if (!read_time(sp, row, duration, sp->layout.unit, &x.duration))
		return reject(sp, row, "no duration", duration);
	x.has = PP_STAGE_DURATION;
	judge_duration(sp, row, &x, duration->text);
	read_resources(sp, row, &x);
	read_source(sp, row, &x);
	if (x.to_function & PP_STAGE_DURATION)
		x.has &= ~PP_STAGE_DURATION;	/* counts for nothing */
	if (known(seq) && pp_sp_count(seq->text, &x.to_line, &minus, &rest))
		x.has |= PP_STAGE_TO_LINE;
	x.name = stage_name(sp, state->text);
	if (sp->layout.guessed && !numbered)
		begin_again(sp, &x);
	pp_sp_turn(sp, numbered, number, row->line);
	pp_sp_add(sp, &x);
	return PP_OK;
}

/* A state of the pivot query: STATE, Total_R, Calls. */
enum pp_status
pp_sp_sum_row(struct pp_sp *sp, const struct pp_rs_row *row)
{
	const struct pp_rs_cell *state = cell(sp, row, PP_SP_STATE),
	    *total = cell(sp, row, PP_SP_TOTAL),
	    *calls = cell(sp, row, PP_SP_CALLS);
	struct pp_stage x = {.kind = PP_STAGE_SUM, .start =
		(int64_t)row->line};
	bool minus;
	pp_str rest;

	if (state->state == PP_CELL_ABSENT || state->state == PP_CELL_CUT ||
	    pp_str_trim(state->text).n == 0)
		return reject(sp, row, "no state", state);
	if (!read_time(sp, row, total, sp->layout.unit, &x.duration))
		return reject(sp, row, "no total", total);
	if (!known(calls) || !pp_sp_count(calls->text, &x.count, &minus,
	    &rest) || minus)
		return reject(sp, row, "no calls", calls);
	tell_rest(sp, row, rest);
	x.has = PP_STAGE_DURATION;
	x.name = stage_name(sp, state->text);
	pp_sp_turn(sp, sp->asked.has_id, sp->asked.id, row->line);
	pp_sp_add(sp, &x);
	return PP_OK;
}
