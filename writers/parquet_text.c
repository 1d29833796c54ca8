/*
 * parquet_text.c: dictionaries of texts, and instants out of times.
 *
 * Sees base only.
 */
#include "parquet_impl.h"

/* ------------------------------------------------------------ dictionary */

static inline pp_str
entry_text(const struct pp_pq_dictionary *d, const struct pp_pq_entry *e)
{
	return (pp_str){d->bytes.p + e->at, e->n};
}

static void
grow_slots(struct pp_pq_dictionary *d)
{
	size_t n = d->mask == 0 ? 64 : (d->mask + 1) * 2, i, k;
	uint32_t *slots = pp_mem_zalloc(d->mem, n * sizeof(*slots));

	pp_mem_free(d->mem, d->slots);
	d->slots = slots;
	d->mask = n - 1;
	for (k = 0; k < d->count; k++) {
		for (i = (size_t)d->e[k].hash & d->mask; d->slots[i] != 0;)
			i = (i + 1) & d->mask;
		d->slots[i] = (uint32_t)k + 1;
	}
}

/* Two texts that are repaired to the same one may have two entries. */
static uint32_t
add(struct pp_pq_dictionary *d, pp_str s, uint64_t hash, size_t slot)
{
	struct pp_pq_entry *e;
	uint32_t n = (uint32_t)s.n;
	void *v = d->e;

	if (d->count >= PP_PQ_DICTIONARY_COUNT ||
	    s.n > PP_PQ_DICTIONARY_BYTES - 4 ||
	    d->bytes.n > PP_PQ_DICTIONARY_BYTES - 4 - s.n)
		return PP_PQ_NONE;
	pp_mem_grow(d->mem, &v, &d->cap, d->count + 1, sizeof(*d->e));
	d->e = v;
	e = &d->e[d->count++];
	*e = (struct pp_pq_entry){hash, d->bytes.n + 4, n};
	d->bytes.mem = d->mem;
	pp_pq_put(&d->bytes, &n, 4);
	pp_pq_put(&d->bytes, s.p, s.n);
	d->slots[slot] = (uint32_t)d->count;
	return (uint32_t)d->count - 1;
}

uint32_t
pp_pq_dictionary_index(struct pp_pq_dictionary *d, pp_str s,
    struct pp_sanitiser *z)
{
	uint64_t hash = pp_str_hash(s);
	uint32_t k;
	pp_str t;
	size_t i;

	if (d->slots == NULL || d->count * 2 > d->mask)
		grow_slots(d);
	for (i = (size_t)hash & d->mask; (k = d->slots[i]) != 0;
	    i = (i + 1) & d->mask)
		if (d->e[k - 1].hash == hash &&
		    pp_str_eq(entry_text(d, &d->e[k - 1]), s))
			return k - 1;
	t = pp_sanitise(z, s);
	if (t.p == s.p)
		return add(d, s, hash, i);
	/* its repaired form: found again by that */
	hash = pp_str_hash(t);
	for (i = (size_t)hash & d->mask; (k = d->slots[i]) != 0;
	    i = (i + 1) & d->mask)
		if (d->e[k - 1].hash == hash &&
		    pp_str_eq(entry_text(d, &d->e[k - 1]), t))
			break;
	k = k != 0 ? k - 1 : add(d, t, hash, i);
	pp_arena_reset(z->out);
	return k;
}

void
pp_pq_dictionary_reset(struct pp_pq_dictionary *d)
{
	if (d->count == 0)
		return;
	memset(d->slots, 0, (d->mask + 1) * sizeof(*d->slots));
	d->count = 0;
	d->bytes.n = 0;
}

void
pp_pq_dictionary_free(struct pp_pq_dictionary *d)
{
	pp_mem_free(d->mem, d->e);
	pp_mem_free(d->mem, d->slots);
	if (d->bytes.p != NULL)
		pp_pq_free(&d->bytes);
	d->e = NULL;
	d->slots = NULL;
	d->count = d->cap = d->mask = 0;
}

bool
pp_pq_dictionary_range(const struct pp_pq_dictionary *d, pp_str *min,
    pp_str *max)
{
	size_t i;
	pp_str s;

	if (d->count == 0)
		return false;
	*min = *max = entry_text(d, &d->e[0]);
	for (i = 1; i < d->count; i++) {
		s = entry_text(d, &d->e[i]);
		if (pp_str_cmp(s, *min) < 0)
			*min = s;
		if (pp_str_cmp(s, *max) > 0)
			*max = s;
	}
	return true;
}

/* ----------------------------------------------------------------- times */

/* Days from 1970-01-01; years from March, so that leap days end them. */
static int64_t
days(unsigned year, unsigned month, unsigned day)
{
	int64_t y = (int64_t)year - (month <= 2), era = y / 400;
	int64_t of_era = y - era * 400;
	int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 +
	    day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
	    of_year - 719468;
}

/* "Z", "+01:00", "+0100" or "+01" at the end of a time, in seconds. */
static bool
zone(pp_str s, int64_t *offset)
{
	unsigned h, m = 0;

	if (pp_str_eq(s, PP_STR("Z"))) {
		*offset = 0;
		return true;
	}
	if (s.n < 3 || (s.p[0] != '+' && s.p[0] != '-'))
		return false;
	h = pp_pq_two(s.p + 1);
	if (s.n == 6 && s.p[3] == ':')
		m = pp_pq_two(s.p + 4);
	else if (s.n == 5)
		m = pp_pq_two(s.p + 3);
	else if (s.n != 3)
		return false;
	if (h > 23 || m > 59)
		return false;
	*offset = ((int64_t)h * 60 + m) * 60;
	if (s.p[0] == '-')
		*offset = -*offset;
	return true;
}

bool
pp_pq_stamp(pp_str s, int64_t *us)
{
	unsigned year, century, month, day, hour, minute, second;
	unsigned fraction = 0, k = 0;
	int64_t offset;

	if (s.n < 20 || s.p[4] != '-' || s.p[7] != '-' || s.p[10] != 'T' ||
	    s.p[13] != ':' || s.p[16] != ':')
		return false;
	century = pp_pq_two(s.p);
	year = pp_pq_two(s.p + 2);
	month = pp_pq_two(s.p + 5);
	day = pp_pq_two(s.p + 8);
	hour = pp_pq_two(s.p + 11);
	minute = pp_pq_two(s.p + 14);
	second = pp_pq_two(s.p + 17);
	if (century > 99 || year > 99 || month - 1 > 11 || day - 1 > 30 ||
	    hour > 23 || minute > 59 || second > 60)
		return false;
	s = pp_str_skip(s, 19);
	if (s.p[0] == '.' || s.p[0] == ',') {
		/* digits beyond a microsecond are cut off */
		for (s = pp_str_skip(s, 1); s.n > 0 &&
		    (unsigned)s.p[0] - '0' <= 9; s = pp_str_skip(s, 1))
			if (k < 6) {
				fraction = fraction * 10 +
				    ((unsigned)s.p[0] - '0');
				k++;
			}
		if (k == 0)
			return false;
		for (; k < 6; k++)
			fraction *= 10;
	}
	if (!zone(s, &offset))
		return false;
	*us = ((days(century * 100 + year, month, day) * 24 + hour) * 3600 +
	    (int64_t)minute * 60 + second - offset) * 1000000 + fraction;
	return true;
}
