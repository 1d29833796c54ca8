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

void
pp_of_damage(struct pp_fold *f, const struct pp_o_rec *r)
{
	enum pp_msg id = (enum pp_msg)r->sub;
	struct pp_source *src = pp_of_source(f);
	const char *text = pp_msg_info[id].meaning;

	if (id == PP_MSG_CUT_RECORD)
		text = "cut record";
	else if (id == PP_MSG_BAD_RECORD)
		text = "bad record";
	else if (id == PP_MSG_SPLIT_RECORD)
		text = "records taken apart";
	else if (id == PP_MSG_JOINED_RECORD)
		text = "record joined";
	else if (id == PP_MSG_NUL_BYTES)
		text = "NUL bytes";
	else if (id == PP_MSG_TEXT_END)
		text = "no END OF STMT";
	else if (id == PP_MSG_TEXT_CUT)
		text = "the trace ends inside a statement";
	if (pp_msg_info[id].partial)
		src->rejected++;
	else
		src->repaired++;
	pp_of_tell(f, r, id, text, r->text);
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
