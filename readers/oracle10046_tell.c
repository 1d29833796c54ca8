/*
 * oracle10046_tell.c: lines that were repaired, rejected or no record: counted
 * in the source and told with their place.
 */
#include "oracle10046_fold.h"

void
pp_of_tell(struct pp_fold *f, const struct pp_o_rec *r, enum pp_msg id,
    const char *text, pp_str excerpt)
{
	char buf[4 * 60 + 4];

	if (pp_msg_info[id].partial)
		f->partial = true;
	if (f->m->diag.seen[id] >= PP_DIAG_KEEP)
		buf[0] = '\0';	/* only counted: nobody reads the text */
	else
		pp_diag_excerpt(buf, excerpt, 60);
	pp_diag_tell(&f->m->diag, id, r->line, r->offset, "%s%s%s", text,
	    excerpt.n ? ": " : "", buf);
}

void
pp_of_reject(struct pp_fold *f, const struct pp_o_rec *r, enum pp_msg id,
    const char *what)
{
	pp_of_source(f)->rejected++;
	pp_of_tell(f, r, id, what, (pp_str){NULL, 0});
}

/* What a damaged line is called in front of its bytes. */
static const char *
words(enum pp_msg id)
{
	static const struct {
		enum pp_msg id;
		const char *words;
	} of[] = {
		{PP_MSG_CUT_RECORD, "cut record"},
		{PP_MSG_BAD_RECORD, "bad record"},
		{PP_MSG_SPLIT_RECORD, "records taken apart"},
		{PP_MSG_JOINED_RECORD, "record joined"},
		{PP_MSG_NUL_BYTES, "NUL bytes"},
		{PP_MSG_TEXT_END, "no END OF STMT"},
		{PP_MSG_TEXT_CUT, "the trace ends inside a statement"},
	};
	size_t i;

	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (of[i].id == id)
			return of[i].words;
	return pp_msg_info[id].meaning;
}

void
pp_of_damage(struct pp_fold *f, const struct pp_o_rec *r)
{
	enum pp_msg id = (enum pp_msg)r->sub;
	struct pp_source *src = pp_of_source(f);

	if (pp_msg_info[id].partial)
		src->rejected++;
	else
		src->repaired++;
	pp_of_tell(f, r, id, words(id), r->text);
}

void
pp_of_noise(struct pp_fold *f, const struct pp_o_rec *r)
{
	pp_of_source(f)->noise++;
	pp_of_tell(f, r, PP_MSG_NOISE, "no record", r->text);
}

void
pp_of_negative(struct pp_fold *f, const struct pp_o_rec *r)
{
	pp_of_source(f)->repaired++;
	pp_of_tell(f, r, PP_MSG_NEGATIVE_TIME,
	    "negative elapsed time taken as 0", (pp_str){NULL, 0});
}
