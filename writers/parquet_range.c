/*
 * parquet_range.c: least and greatest value of a chunk, for its footer.
 *
 * Sees base and table.h only.
 */
#include "parquet_column.h"

void
pp_pq_note_i64(struct pp_pq_column *c, const int64_t *v, size_t n)
{
	int64_t least, greatest;
	size_t i;

	if (n == 0)
		return;
	least = c->has_range ? c->least.i : v[0];
	greatest = c->has_range ? c->greatest.i : v[0];
	for (i = 0; i < n; i++) {
		least = v[i] < least ? v[i] : least;
		greatest = v[i] > greatest ? v[i] : greatest;
	}
	c->least.i = least;
	c->greatest.i = greatest;
	c->has_range = true;
}

void
pp_pq_note_wide(struct pp_pq_column *c, pp_i128 v)
{
	if (!c->has_range || v < c->least.w)
		c->least.w = v;
	if (!c->has_range || v > c->greatest.w)
		c->greatest.w = v;
	c->has_range = true;
}

static void
keep_text(struct pp_pq_column *c, int which, pp_str s)
{
	if (s.n > 0)
		memcpy(c->range[which], s.p, s.n);
	c->range_n[which] = s.n;
}

void
pp_pq_note_text(struct pp_pq_column *c, pp_str s)
{
	if (c->no_range)
		return;
	if (s.n > PP_PQ_LONG_RANGE) {
		c->no_range = true;
		return;
	}
	if (!c->has_range ||
	    pp_str_cmp(s, (pp_str){c->range[0], c->range_n[0]}) < 0)
		keep_text(c, 0, s);
	if (!c->has_range ||
	    pp_str_cmp(s, (pp_str){c->range[1], c->range_n[1]}) > 0)
		keep_text(c, 1, s);
	c->has_range = true;
}

void
pp_pq_note_after(struct pp_pq_column *c, pp_str s, pp_str last, size_t n)
{
	bool less = n < last.n && (n == s.n ||
	    (unsigned char)s.p[n] < (unsigned char)last.p[n]);
	int end = less ? 0 : 1;
	pp_str known = {c->range[end], c->range_n[end]};

	if (c->no_range || !c->has_range || last.n == 0 ||
	    s.n > PP_PQ_LONG_RANGE) {
		c->rising = false;
		pp_pq_note_text(c, s);
		return;
	}
	/* most such columns rise: then what was last is the greatest */
	if (less ? pp_str_cmp(s, known) < 0 : c->rising ||
	    pp_str_cmp(s, known) > 0) {
		keep_text(c, end, s);
		c->rising = !less;
	} else
		c->rising = false;
}

void
pp_pq_settle_range(struct pp_pq_column *c)
{
	struct pp_pq_buf b = {c->s->mem, c->range[0], 0, PP_PQ_LONG_RANGE};
	pp_str min, max;

	switch (c->field.kind) {
	case PP_PQ_INT:
	case PP_PQ_DECIMAL:
	case PP_PQ_STAMP:
		memcpy(c->range[0], &c->least.i, 8);
		memcpy(c->range[1], &c->greatest.i, 8);
		c->range_n[0] = c->range_n[1] = 8;
		break;
	case PP_PQ_WIDE:
		pp_pq_wide(&b, &c->least.w, 1);
		b.p = c->range[1];
		b.n = 0;
		pp_pq_wide(&b, &c->greatest.w, 1);
		c->range_n[0] = c->range_n[1] = 16;
		break;
	case PP_PQ_TEXT:
	case PP_PQ_ID:
		if (pp_pq_dictionary_range(&c->dict, &min, &max)) {
			pp_pq_note_text(c, min);
			pp_pq_note_text(c, max);
		}
		break;
	case PP_PQ_TIME:
		break;
	}
	c->chunk.has_range = c->has_range && !c->no_range;
	c->chunk.min = (pp_str){c->range[0], c->range_n[0]};
	c->chunk.max = (pp_str){c->range[1], c->range_n[1]};
}
