/*
 * showprofile_note.c: what stands between the row sets of a client's session:
 * who is connected, and to what.  May touch the model.
 */
#include "showprofile.h"

/* The server's number of a connection: of another one, another session. */
static void
connection(struct pp_sp *sp, pp_str text)
{
	static const char *const heads[] = {"Your MySQL connection id is ",
		"Your MariaDB connection id is ", "Connection id:"};
	uint32_t id;
	size_t i, n = 0;
	pp_str s;

	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (pp_str_starts(text, pp_str_from(heads[i])))
			break;
	if (i == sizeof(heads) / sizeof(heads[0]))
		return;
	s = pp_str_trim(pp_str_skip(text, strlen(heads[i])));
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	if (n == 0)
		return;
	id = pp_strtab_id(&sp->m->names, (pp_str){s.p, n});
	if (sp->at == PP_SP_NONE) {
		sp->native_id = id;
	} else if (sp->segments[sp->at].native_id == 0 && i == 2) {
		/* the status of the connection that goes on */
		sp->segments[sp->at].native_id = id;
	} else if (sp->segments[sp->at].native_id != id) {
		sp->native_id = id;
		sp->fresh = true;
	}
}

static void
version(struct pp_sp *sp, pp_str text)
{
	struct pp_model *m = sp->m;
	struct pp_source *s = &m->sources[sp->source];
	pp_str head = PP_STR("Server version:"), v;
	size_t n = 0;

	if (!pp_str_starts(text, head) || s->version.n > 0)
		return;
	v = pp_str_trim(pp_str_skip(text, head.n));
	while (n < v.n && v.p[n] != ' ')
		n++;
	if (n == 0 || v.p[0] < '0' || v.p[0] > '9')
		return;
	s->product = pp_str_find(v, PP_STR("MariaDB")) < v.n ?
	    PP_STR("MariaDB") : PP_STR("MySQL");
	s->version = pp_arena_str(&m->arena, (pp_str){v.p, n});
}

void
pp_sp_note(void *ctx, const struct pp_note *n)
{
	struct pp_sp *sp = ctx;
	struct pp_sp_asked a;

	if (n->kind == PP_NOTE_CONNECT)
		connection(sp, pp_str_trim(n->text));
	else if (n->kind == PP_NOTE_TEXT)
		version(sp, pp_str_trim(n->text));
	else if (n->kind == PP_NOTE_EMPTY && pp_sp_asked(&a, n->text))
		sp->m->inputs |= PP_INPUT_STATES;
}
