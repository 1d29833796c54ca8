/*
 * client.c: see client.h: the loop over the steps of the parsers.
 */
#include "charset.h"
#include "parse.h"
#include "sql.h"

/* Blocks of the arenas. */
#define SMALL ((size_t)4 << 10)
#define BLOCK ((size_t)64 << 10)

/* So many steps that take nothing are a mistake of ours: a line that two forms
 * hand to each other is passed over. */
#define IDLE_MAX 16

bool
pp_client_charset_known(pp_str name)
{
	struct pp_cl_charset cs;

	return pp_cl_charset_named(name, &cs);
}

struct pp_client *
pp_client_open(struct pp_mem *mem, const struct pp_client_sink *sink,
    const struct pp_client_options *opt, const char *path)
{
	struct pp_client *c = pp_mem_zalloc(mem, sizeof(*c));

	c->mem = mem;
	c->sink = *sink;
	if (opt != NULL)
		c->opt = *opt;
	c->line = 1;
	c->fresh = true;
	c->p = c->e = "";
	pp_arena_init(&c->form_mem, mem, SMALL);
	pp_arena_init(&c->set_mem, mem, SMALL);
	pp_arena_init(&c->row_mem, mem, BLOCK);
	pp_arena_init(&c->held_mem, mem, SMALL);
	pp_arena_init(&c->names_mem, mem, SMALL);
	if (path != NULL) {
		c->path = pp_mem_alloc(mem, strlen(path) + 1);
		memcpy(c->path, path, strlen(path) + 1);
	}
	c->text = pp_cl_text_open(c);
	return c;
}

void
pp_client_close(struct pp_client *c)
{
	struct pp_mem *mem = c->mem;

	if (c->form != NULL && c->form->drop != NULL)
		c->form->drop(c);
	pp_cl_text_close(c);
	pp_cl_dumps_free(c);
	pp_arena_free(&c->form_mem);
	pp_arena_free(&c->set_mem);
	pp_arena_free(&c->row_mem);
	pp_arena_free(&c->held_mem);
	pp_arena_free(&c->names_mem);
	pp_mem_free(mem, c->cells);
	pp_mem_free(mem, c->stmt);
	pp_mem_free(mem, c->heading);
	pp_mem_free(mem, c->path);
	pp_mem_free(mem, c);
}

static void
finish(struct pp_client *c)
{
	const struct pp_cl_form *form;

	while ((form = c->form) != NULL) {
		if (form->finish != NULL)
			form->finish(c);
		if (c->form == form)
			c->form = NULL;
	}
	pp_cl_statement_done(c);
	pp_cl_set_close(c);
}

enum pp_status
pp_client_feed(struct pp_client *c, pp_str bytes, uint64_t offset, bool last)
{
	enum pp_cl_step r = PP_CL_GO;
	uint64_t was;
	unsigned idle = 0;

	c->feeds++;
	pp_cl_text_feed(c, bytes, offset, last);
	/* a step that wanted more gets twice as much: no work is done often */
	if ((size_t)(c->e - c->p) < c->want && !last) {
		pp_cl_text_keep(c);
		return PP_OK;
	}
	while (c->p < c->e && !c->fatal) {
		was = c->taken;
		r = c->form != NULL ? c->form->step(c) : pp_cl_between(c);
		if (r == PP_CL_MORE)
			break;
		if (r == PP_CL_OVER)
			c->form = NULL;
		idle = c->taken == was ? idle + 1 : 0;
		if (idle == IDLE_MAX) {
			PP_ASSERT_DBG(idle < IDLE_MAX);
			pp_cl_pass(c);
			idle = 0;
		}
	}
	c->want = r == PP_CL_MORE ? (size_t)(c->e - c->p) * 2 : 0;
	if (c->fatal)
		return PP_FATAL;
	if (last) {
		PP_ASSERT(r != PP_CL_MORE || c->p == c->e);
		finish(c);
	}
	pp_cl_text_keep(c);
	return c->fatal ? PP_FATAL : PP_OK;
}
